#!/usr/bin/env python3
"""Whole games of xiangqi over UCCI, or UCI, played by the python package cchess.

    pip install cchess                    # 1.25 or later
    apt-get install fairy-stockfish       # or any other UCCI engine, given by --opponent
    cargo build --release
    python3 tests/clients/xiangqi_ucci_game.py [--protocol uci]

Twofold plays Red, then Black. cchess starts the engines, sends positions (a bare FEN each time,
with CR LF) and checks the moves. Exit code 1 on an illegal move, silence or a crash of Twofold.
cchess cannot give an engine arguments: under UCI it starts Twofold by a link whose name contains
`xiangqi`, against itself, since other engines count ranks in another way than cchess does.
"""

import argparse
import pathlib
import sys
import tempfile
import time

import cchess


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/twofold")
    parser.add_argument("--opponent", default="/usr/games/fairy-stockfish")
    parser.add_argument("--protocol", choices=("ucci", "uci"), default="ucci")
    parser.add_argument("--milliseconds", type=int, default=100, help="a move")
    parser.add_argument("--plies", type=int, default=300, help="the game is drawn after so many")
    return parser.parse_args()


def start(path, protocol):
    engine = cchess.UcciEngine() if protocol == "ucci" else cchess.UciEngine()
    if not engine.load(str(pathlib.Path(path).absolute())) or not engine.wait_for_ready(10):
        raise SystemExit(f"{path} does not answer '{protocol}'")
    return engine


def ask(engine, board, milliseconds):
    """The engine's move, or None where it says that it has none."""
    limit = "movetime" if isinstance(engine, cchess.UciEngine) else "time"
    engine.go_from(board.to_fen(), {limit: milliseconds})
    deadline = time.time() + milliseconds / 1000 + 10
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
    with tempfile.TemporaryDirectory() as directory:
        program, opponent = options.engine, options.opponent
        if options.protocol == "uci":
            program = opponent = pathlib.Path(directory) / "twofold-xiangqi"
            program.symlink_to(pathlib.Path(options.engine).resolve())
        ours, theirs = (start(path, options.protocol) for path in (program, opponent))
    print(f"{ours.ids.get('name')} against {theirs.ids.get('name')} over {options.protocol}")
    faults = 0
    for red, black, colour in ((ours, theirs, "Red"), (theirs, ours, "Black")):
        try:
            print(f"Twofold is {colour}: {play(red, black, options)}")
        except RuntimeError as error:
            faults += 1
            print(f"Twofold is {colour}: fault: {error}")
    for engine in (ours, theirs):
        engine.quit()
    code = ours.process.wait(timeout=5)
    # cchess ends a process that has said `bye` before it ends of itself.
    if code not in (0, -15):
        faults += 1
        print(f"Twofold ended with exit code {code}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
