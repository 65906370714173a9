#!/usr/bin/env python3
"""Whole games in XBoard: chess through PolyGlot (UCI), xiangqi through uci2wb (UCCI).

    apt-get install xboard polyglot uci2wb xvfb imagemagick
    cargo build --release
    python3 tests/clients/xboard_games.py --out xboard

Twofold plays itself on a screen that nobody sees. Of each game a picture of the board is taken
in its middle, to be looked at: OUT/chess.png, OUT/xiangqi.png. The game that XBoard saved must
have ended by itself, neither by an illegal move nor on time nor with an engine's exit. Exit code 1
otherwise.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

GAMES = {
    "chess": ["-fUCI", "-sUCI", "-fcp", "{engine}", "-scp", "{engine}"],
    "xiangqi": ["-variant", "xiangqi", "-fcp", "uci2wb -x {engine}", "-scp", "uci2wb -x {engine}"],
}
FAULTS = ("illegal", "forfeit", "time", "exited", "abandon", "not defined")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", type=pathlib.Path, default="target/release/twofold")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only", choices=GAMES)
    parser.add_argument("--display", default=":77", help="a free X display")
    parser.add_argument("--limit", type=int, default=400, help="seconds that a game may take")
    return parser.parse_args()


def wait_for(condition, seconds, what):
    deadline = time.time() + seconds
    while not condition():
        if time.time() > deadline:
            raise RuntimeError(f"{what} took more than {seconds} s")
        time.sleep(0.5)


def play(game, options, environment):
    """Plays one game; returns a line about it."""
    record = options.out / f"{game}.pgn"
    picture = options.out / f"{game}.png"
    record.unlink(missing_ok=True)
    words = [word.format(engine=options.engine) for word in GAMES[game]]
    # A fixed depth, so that no flag falls on a busy machine; sounds need a program that is silent.
    command = ["xboard", *words, "-mg", "1", "-tc", "5", "-searchDepth", "8", "-ponderNextMove", "false", "-sgf", str(record),
               "-soundProgram", "true", "-autoCallFlag", "true"]
    log = open(options.out / f"{game}.log", "w", encoding="utf-8")
    xboard = subprocess.Popen(command, env=environment, cwd=options.out, stdout=log, stderr=log)
    finished = lambda: record.exists() and "[Result" in record.read_text(errors="replace")
    try:
        time.sleep(8)
        subprocess.run(["import", "-window", "root", str(picture)], env=environment, check=True)
        wait_for(finished, options.limit, f"{game}: the game")
        time.sleep(1)
    finally:
        xboard.terminate()
        try:
            xboard.wait(10)
        except subprocess.TimeoutExpired:
            xboard.kill()
        log.close()
    text = record.read_text(errors="replace")
    result = re.search(r'\[Result "(.*?)"\]', text)[1]
    ending = (re.findall(r"\{([^{}]*)\}\s*(?:1-0|0-1|1/2-1/2|\*)\s*$", text.strip()) or [""])[-1]
    ending = " ".join(ending.split())
    if result == "*" or any(fault in ending.lower() for fault in FAULTS):
        raise RuntimeError(f"{game}: {result} {{{ending}}}")
    moves = len(re.findall(r"\d+\. ", text))
    return f"{game}: {result} {{{ending}}} after about {moves} moves; see {picture}"


def main():
    options = arguments()
    options.engine = options.engine.resolve()
    options.out = options.out.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    environment = os.environ | {"DISPLAY": options.display,
                                "PATH": os.environ["PATH"] + ":/usr/games"}
    screen = subprocess.Popen(["Xvfb", options.display, "-screen", "0", "1000x800x24"],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    failed = False
    try:
        time.sleep(2)
        for game in [options.only] if options.only else GAMES:
            try:
                print(play(game, options, environment))
            except (RuntimeError, OSError, subprocess.SubprocessError) as error:
                print(f"FAILED {error}", file=sys.stderr)
                failed = True
    finally:
        screen.terminate()
        screen.wait()
    sys.exit(failed)


if __name__ == "__main__":
    main()
