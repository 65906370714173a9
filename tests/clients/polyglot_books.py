#!/usr/bin/env python3
"""Compares our Polyglot books with those of Debian's polyglot and with python-chess.

    apt-get install polyglot
    pip install chess==1.11.2
    cargo build --release
    tests/clients/polyglot_books.py [GAMES [SEED]]

Random games, with castling, promotions and captures in passing, are written as PGN. polyglot and
we make a book each of them; the books must hold the same moves with the same weights. Then
python-chess reads our book at every position of the games and must find what we show there.
Exit code 1 if anything differs.
"""

import random
import subprocess
import sys
import tempfile
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot

ROOT = Path(__file__).resolve().parents[2]
TWOFOLD = ROOT / "target/release/twofold"
GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 400
RANDOM = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
PLIES = 60


def game(number):
    """A random game that likes what is special."""
    board = chess.Board()
    moves = []
    while len(moves) < 80 and not board.is_game_over():
        legal = list(board.legal_moves)
        special = [
            m for m in legal if board.is_castling(m) or board.is_en_passant(m) or m.promotion
        ]
        # Few openings, so that positions come up again.
        move = RANDOM.choice(special or (legal[:4] if len(moves) < 8 else legal))
        board.push(move)
        moves.append(move)
    node = chess.pgn.Game.from_board(board)
    node.headers["Result"] = RANDOM.choice(["1-0", "0-1", "1/2-1/2"])
    node.headers["Round"] = str(number)
    return node


def entries(path):
    with chess.polyglot.open_reader(path) as reader:
        return sorted((entry.key, entry.raw_move, entry.weight) for entry in reader)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        games = [game(number) for number in range(GAMES)]
        pgn = folder / "games.pgn"
        pgn.write_text("\n\n".join(str(node) for node in games) + "\n")
        theirs, ours = folder / "theirs.bin", folder / "ours.bin"
        subprocess.run(
            ["polyglot", "make-book", "-pgn", pgn, "-bin", theirs]
            + ["-max-ply", str(PLIES), "-min-game", "1"],
            check=True,
            capture_output=True,
        )
        build = [TWOFOLD, "book", "build", "--plies", str(PLIES), "--min-games", "1"]
        subprocess.run(build + ["-o", ours, pgn], check=True, capture_output=True)
        a, b = entries(theirs), entries(ours)
        only_theirs, only_ours = set(a) - set(b), set(b) - set(a)
        for what, some in (("theirs", only_theirs), ("ours", only_ours)):
            for key, move, weight in sorted(some)[:5]:
                print(f"only {what}: {key:016x} {move:04x} {weight}")
        wrong = looked_up = passing = castling = 0
        with chess.polyglot.open_reader(ours) as reader:
            for node in games:
                board = chess.Board()
                for ply, move in enumerate(node.mainline_moves()):
                    if ply >= PLIES:
                        break
                    looked_up += 1
                    found = list(reader.find_all(board))
                    passing += board.has_pseudo_legal_en_passant()
                    castling += any(board.is_castling(entry.move) for entry in found)
                    if not found and board.turn == (node.headers["Result"] == "1-0"):
                        wrong += node.headers["Result"] != "1/2-1/2"
                    wrong += any(entry.move not in board.legal_moves for entry in found)
                    board.push(move)
    print(
        f"{len(b)} entries, {len(only_theirs) + len(only_ours)} differ from polyglot's; "
        f"{looked_up} positions looked up by python-chess ({passing} with a pawn to take in "
        f"passing, {castling} with castling), {wrong} wrong"
    )
    sys.exit(1 if only_theirs or only_ours or wrong else 0)


if __name__ == "__main__":
    main()
