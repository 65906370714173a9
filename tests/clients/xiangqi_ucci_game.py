#!/usr/bin/env python3
"""A whole game of xiangqi over UCCI, played by the python package cchess.

    pip install cchess                    # 1.25 or later
    apt-get install fairy-stockfish       # or any other UCCI engine, given by --opponent
    cargo build --release
    python3 tests/clients/xiangqi_ucci_game.py

Twofold plays Red, then Black. cchess starts the engines, sends positions (a bare FEN each time,
with CR LF) and checks the moves. Exit code 1 on an illegal move, silence or a crash of Twofold.
"""

import argparse
import pathlib
import sys
import time

import cchess


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/twofold")
    parser.add_argument("--opponent", default="/usr/games/fairy-stockfish")
    parser.add_argument("--milliseconds", type=int, default=100, help="a move")
    parser.add_argument("--plies", type=int, default=300, help="the game is drawn after so many")
    return parser.parse_args()


def start(path):
    engine = cchess.UcciEngine()
    if not engine.load(str(pathlib.Path(path).resolve())) or not engine.wait_for_ready(10):
        raise SystemExit(f"{path} does not answer 'ucci'")
    return engine


def ask(engine, board, milliseconds):
    """The engine's move, or None where it says that it has none."""
    engine.go_from(board.to_fen(), {"time": milliseconds})
    deadline = time.time() + milliseconds / 1000 + 2
    while time.time() < deadline:
        action = engine.get_action()
        if action is None:
            time.sleep(0.002)
        elif action["action"] == "bestmove":
            return action["move"]
        elif action["action"] == "dead":
            return None
    raise RuntimeError(f"no answer to {board.to_fen()}")


def play(red, black, options):
    """Plays one game; returns a line about how it ended."""
    board = cchess.ChessBoard(cchess.FULL_INIT_FEN)
    players = {cchess.RED: red, cchess.BLACK: black}
    for ply in range(options.plies):
        colour = board.move_player.color
        name = "Red" if colour == cchess.RED else "Black"
        move = ask(players[colour], board, options.milliseconds)
        if board.no_moves() != (move is None):
            raise RuntimeError(f"{name} answers {move} to {board.to_fen()}")
        if move is None:
            return f"{name} has no move after {ply} plies"
        source, target = cchess.iccs2pos(move)
        if not board.is_valid_move(source, target) or board.is_checked_move(source, target):
            raise RuntimeError(f"{name} plays {move} in {board.to_fen()}")
        board.move(source, target)
        board.next_turn()
    return f"stopped after {options.plies} plies"


def main():
    options = arguments()
    ours, theirs = start(options.engine), start(options.opponent)
    print(f"{ours.ids.get('name')} against {theirs.ids.get('name')}")
    faults = 0
    for red, black, colour in ((ours, theirs, "Red"), (theirs, ours, "Black")):
        try:
            print(f"Twofold is {colour}: {play(red, black, options)}")
        except RuntimeError as error:
            faults += 1
            print(f"Twofold is {colour}: fault: {error}")
    for engine in (ours, theirs):
        engine.quit()
    code = ours.process.wait(timeout=2)
    if code != 0:
        faults += 1
        print(f"Twofold ended with exit code {code}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
