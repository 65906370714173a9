#!/usr/bin/env python3
"""Whole games of chess between Twofold and another UCI engine, played by python-chess.

    pip install chess            # python-chess 1.11 or later
    apt-get install stockfish    # or any other UCI engine, given by --opponent
    cargo build --release
    python3 tests/clients/python_chess_match.py --games 20

Every move goes through python-chess, which raises on an illegal one; the clock is kept here, by
what the client sees. Exit code 1 if Twofold lost on time, sent an illegal move, or died.
"""

import argparse
import sys
import time

import chess
import chess.engine


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/twofold")
    parser.add_argument("--opponent", default="/usr/games/stockfish")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--base", type=float, default=1.0, help="seconds a side")
    parser.add_argument("--increment", type=float, default=0.01, help="seconds a move")
    parser.add_argument("--margin", type=float, default=0.0, help="seconds a clock may overrun")
    return parser.parse_args()


def play(white, black, options, game):
    """Plays one game; returns (result for White, reason)."""
    board = chess.Board()
    clocks = {chess.WHITE: options.base, chess.BLACK: options.base}
    while True:
        outcome = board.outcome(claim_draw=True)
        if outcome:
            return outcome.result(), outcome.termination.name.lower(), board.ply()
        side = board.turn
        player = white if side == chess.WHITE else black
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=options.increment,
            black_inc=options.increment,
        )
        started = time.perf_counter()
        reply = player.play(board, limit, game=game, info=chess.engine.INFO_ALL)
        clocks[side] -= time.perf_counter() - started
        if clocks[side] < -options.margin:
            loser = "0-1" if side == chess.WHITE else "1-0"
            return loser, "time", board.ply()
        clocks[side] += options.increment
        if reply.info.get("pv") and reply.info["pv"][0] != reply.move:
            raise chess.engine.EngineError(f"bestmove {reply.move} is not the first of its pv")
        if "score" not in reply.info:
            raise chess.engine.EngineError("no score")
        board.push(reply.move)


def main():
    options = arguments()
    ours = chess.engine.SimpleEngine.popen_uci(options.engine)
    theirs = chess.engine.SimpleEngine.popen_uci(options.opponent)
    points = 0.0
    faults = 0
    for number in range(options.games):
        we_are_white = number % 2 == 0
        pair = (ours, theirs) if we_are_white else (theirs, ours)
        try:
            result, reason, plies = play(*pair, options, object())
        except chess.engine.EngineError as error:
            faults += 1
            print(f"game {number + 1}: fault: {error}")
            break
        we_lost = result == ("0-1" if we_are_white else "1-0")
        if reason == "time" and we_lost:
            faults += 1
        points += 0.5 if result == "1/2-1/2" else float(not we_lost)
        colour = "White" if we_are_white else "Black"
        print(f"game {number + 1}: {result} by {reason} in {plies} plies, Twofold was {colour}")
        sys.stdout.flush()
    print(f"{points} of {options.games} points, {faults} faults")
    for engine in (ours, theirs):
        engine.quit()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
