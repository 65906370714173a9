#!/usr/bin/env python3
"""The calls of python-chess's engine module, one after the other, against Twofold.

    pip install chess            # python-chess 1.11 or later
    cargo build --release
    python3 tests/clients/python_chess_api.py [ENGINE]

Raises at the first call that does not do what python-chess documents.
"""

import sys

import chess
import chess.engine


def main():
    path = sys.argv[1] if len(sys.argv) > 1 else "target/release/twofold"
    engine = chess.engine.SimpleEngine.popen_uci(path, timeout=10)
    board = chess.Board()
    engine.ping()
    assert engine.id["name"].startswith("Twofold")
    for name in ("Hash", "Threads", "Move Overhead", "Ponder", "MultiPV", "UCI_Chess960"):
        assert name in engine.options, name
    engine.configure({"Hash": 32, "Threads": 2, "Move Overhead": 10})

    reply = engine.play(board, chess.engine.Limit(time=0.1), ponder=True)
    assert reply.move in board.legal_moves
    board.push(reply.move)
    if reply.ponder:
        board.push(reply.ponder)
    reply = engine.play(board, chess.engine.Limit(white_clock=1, black_clock=1), ponder=True)
    assert reply.move in board.legal_moves
    reply = engine.play(board, chess.engine.Limit(nodes=500), root_moves=[chess.Move.null()])
    assert reply.move is None, "an empty list of root moves"

    info = engine.analyse(board, chess.engine.Limit(depth=6), multipv=3)
    assert [line["multipv"] for line in info] == [1, 2, 3]
    assert all(line["pv"] and line["score"] for line in info)
    root_moves = list(board.legal_moves)[:2]
    info = engine.analyse(board, chess.engine.Limit(depth=4), root_moves=root_moves)
    assert info["pv"][0] in root_moves
    with engine.analysis(board) as analysis:
        for line in analysis:
            if line.get("depth", 0) >= 5:
                break
        analysis.stop()
        assert analysis.wait().move in board.legal_moves
    mate = chess.Board("7k/8/5K2/8/8/8/8/R7 w - - 0 1")
    info = engine.analyse(mate, chess.engine.Limit(mate=2))
    assert info["score"].relative == chess.engine.Mate(2), info

    for number in (0, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        for _ in range(30):
            if board.is_game_over():
                break
            reply = engine.play(board, chess.engine.Limit(nodes=300), game=number)
            board.push(reply.move)
    over = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.play(over, chess.engine.Limit(time=0.05)).move is None
    engine.quit()
    print("python-chess is content")


if __name__ == "__main__":
    main()
