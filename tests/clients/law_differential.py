#!/usr/bin/env python3
"""Sets our law of repetition beside that of pyffish.

    pip install pyffish            # Fairy-Stockfish as a library; 0.0.90 was used
    cargo run --release --example shuffle -- 3000 1 > games.tsv
    tests/clients/law_differential.py games.tsv

The rows are games with our verdict for the side to move at the end, in the format of a case file;
nothing is adjudicated before a row's last move (`twofold judge --tsv games.tsv` proves that).
pyffish adjudicates third occurrences only, so that it is enough to ask it at the end; with
`--every` it is asked at every ply. Rows that disagree are printed, to be sorted by hand into the
causes that the specification lists, and counted.

pyffish is a second opinion, not a referee: it is known to differ (a threat is new to it per
attacker, not per victim; its window is a ply wider; and so on). Its limit of moves without a
capture is another one too, so that games longer than that limit are asked about only if a
position stands for the third time.
"""

import argparse
import collections
import sys

import pyffish

VARIANT = "xiangqi"
# Plies without a capture after which pyffish may draw for that reason alone.
FOREIGN_LIMIT = 100


def ranks_from_one(move):
    """UCCI's a0..i9 as pyffish has it: a1..i10."""
    return move[0] + str(int(move[1]) + 1) + move[2] + str(int(move[3]) + 1)


def verdict(fen, moves):
    """What pyffish says, for the side to move."""
    ended, value = pyffish.is_optional_game_end(VARIANT, fen, moves)
    if not ended:
        return "none"
    return "draw" if value == 0 else "win" if value > 0 else "loss"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("rows")
    parser.add_argument("--every", action="store_true", help="ask at every ply")
    arguments = parser.parse_args()
    counts = collections.Counter()
    plies = 0
    with open(arguments.rows, encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    for name, fen, text, ours, *_ in rows:
        moves = [ranks_from_one(move) for move in text.split()]
        plies += len(moves)
        if arguments.every:
            for length in range(min(len(moves), FOREIGN_LIMIT)):
                if verdict(fen, moves[:length]) != "none":
                    print(f"{name}: pyffish adjudicates after ply {length} already")
                    counts["early"] += 1
        if ours == "none" and len(moves) >= FOREIGN_LIMIT:
            counts["not asked"] += 1
            continue
        theirs = verdict(fen, moves)
        counts[f"ours {ours}, theirs {theirs}"] += 1
        if ours != theirs:
            print(f"{name}: ours {ours}, theirs {theirs}\n    --fen '{fen}' --moves '{text}'")
    for key, count in sorted(counts.items()):
        print(f"{count:6} {key}")
    print(f"{len(rows)} rows, {plies} plies")


if __name__ == "__main__":
    sys.exit(main())
