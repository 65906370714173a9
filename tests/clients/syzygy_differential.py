#!/usr/bin/env python3
"""Compares our Syzygy prober with python-chess's on random positions of every table of a folder.

    pip install chess==1.11.2
    cargo build --release --example probe_tables
    tests/clients/syzygy_differential.py [FOLDER [POSITIONS_PER_TABLE [SEED]]]

Both colours have the stronger side, either side is to move, and pawns that have just moved two
squares may be taken in passing. Results (WDL) and distances (DTZ) must be equal. Exit code 1 if
any differs.
"""

import random
import subprocess
import sys
from pathlib import Path

import chess
import chess.syzygy

ROOT = Path(__file__).resolve().parents[2]
FOLDER = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "../shared/data/syzygy")
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
RANDOM = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
PROBER = ROOT / "target/release/examples/probe_tables"


def position(name):
    """A random legal position with the pieces of a table, or None."""
    strong, weak = name.split("v")
    colours = [chess.WHITE, chess.BLACK]
    RANDOM.shuffle(colours)
    board = chess.Board(None)
    for letters, colour in zip([strong, weak], colours):
        for letter in letters:
            piece = chess.Piece(chess.PIECE_SYMBOLS.index(letter.lower()), colour)
            ranks = range(8, 56) if piece.piece_type == chess.PAWN else range(64)
            square = RANDOM.choice(ranks)
            if board.piece_at(square):
                return None
            board.set_piece_at(square, piece)
    board.turn = RANDOM.choice([chess.WHITE, chess.BLACK])
    # A capture in passing where one is thinkable.
    rank = 4 if board.turn else 3
    for square in board.pieces(chess.PAWN, not board.turn):
        behind = square + (8 if board.turn else -8)
        start = behind + (8 if board.turn else -8)
        if chess.square_rank(square) == rank and not board.piece_at(behind) and not board.piece_at(start):
            board.ep_square = behind
            if not board.has_legal_en_passant():
                board.ep_square = None
    if not board.is_valid():
        return None
    return board


def main():
    names = sorted(path.stem for path in FOLDER.glob("*.rtbw"))
    boards = []
    for name in names:
        found = 0
        while found < COUNT:
            board = position(name)
            if board:
                boards.append((name, board))
                found += 1
    fens = "\n".join(board.fen() for _, board in boards) + "\n"
    run = subprocess.run([PROBER, FOLDER], input=fens, capture_output=True, text=True, check=True)
    if run.stderr:
        print(run.stderr.strip())
    answers = run.stdout.splitlines()
    assert len(answers) == len(boards), (len(answers), len(boards))
    wrong = {"WDL": 0, "DTZ": 0}
    passing = 0
    values = {}
    with chess.syzygy.open_tablebase(str(FOLDER)) as tables:
        for (name, board), answer in zip(boards, answers):
            passing += board.has_legal_en_passant()
            ours = dict(zip(["WDL", "DTZ"], answer.split()))
            theirs = {"WDL": str(tables.probe_wdl(board)), "DTZ": str(tables.probe_dtz(board))}
            values.setdefault(name, set()).add(theirs["DTZ"])
            for what in wrong:
                if ours[what] != theirs[what]:
                    wrong[what] += 1
                    if wrong[what] <= 10:
                        print(f"{name} {what}: ours {ours[what]}, theirs {theirs[what]}: {board.fen()}")
    distinct = sum(len(found) for found in values.values())
    print(
        f"{len(names)} tables, {len(boards)} positions, {passing} with captures in passing, "
        f"{distinct} distinct distances: {wrong['WDL']} results and {wrong['DTZ']} distances differ"
    )
    sys.exit(1 if any(wrong.values()) else 0)


if __name__ == "__main__":
    main()
