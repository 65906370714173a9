#!/usr/bin/env python3
"""Whole games of Twofold against itself in XBoard, as its user would have them.

    apt-get install xboard polyglot uci2wb xvfb imagemagick x11-utils
    pip install chess pyffish             # they judge the games
    cargo build --release
    python3 tests/clients/xboard_game.py --out DIRECTORY [--only chess xiangqi]

Chess goes through PolyGlot, UCI on its other side; xiangqi through uci2wb, with UCCI. XBoard runs
on a display of its own, without a window manager or a person. A picture of the board is taken in
the middle of each game and left in the directory, beside the record of the game and XBoard's log
of every line. Exit code 1 if a game does not come to an end by itself, if an engine crashes, is
silent or oversteps its time, or if a move of the record is not legal.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import time

# Words of XBoard's for games that an engine did not lose at the board.
FAULTS = ("llegal", "forfeit", "exited", "terminated", "unexpected")


class Failed(Exception):
    """A game that failed, in words."""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", type=pathlib.Path, default="target/release/twofold")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--only", nargs="+", choices=("chess", "xiangqi"),
                        default=["chess", "xiangqi"])
    parser.add_argument("--clock", default="0:05",
                        help="XBoard's clock, minutes:seconds, and a second more a move")
    parser.add_argument("--display", default=":77")
    parser.add_argument("--longest", type=int, default=300, help="seconds a game may take")
    return parser.parse_args()


def players(game, engine):
    """What XBoard calls the two engines with."""
    if game == "chess":
        return ["-fcp", str(engine), "-fUCI", "-scp", str(engine), "-sUCI"]
    command = f'uci2wb -x "{engine}"'
    return ["-variant", "xiangqi", "-fcp", command, "-scp", command]


def xboard(game, options, directory):
    # A settings file of a user would change what is tested.
    home = {**os.environ, "HOME": str(directory), "DISPLAY": options.display,
            "PATH": os.environ["PATH"] + ":/usr/games"}
    sounds = ["-soundMove", "", "-soundIcsWin", "", "-soundIcsLoss", "", "-soundIcsDraw", "",
              "-soundIcsUnfinished", "", "-soundBell", "", "-soundRoar", ""]
    engine = options.engine.resolve()
    command = ["xboard", *players(game, engine), "-fd", str(directory), "-sd", str(directory),
               "-mg", "1", "-tc", options.clock, "-inc", "1", "-autoCallFlag", "true", "-size", "medium",
               "-sgf", str(directory / "game.pgn"), "-popupMoveErrors", "false", *sounds,
               "-debug", "-nameOfDebugFile", str(directory / "xboard.log")]
    log = (directory / "out.log").open("wb")
    return subprocess.Popen(command, env=home, stdout=log, stderr=log, cwd=directory)


def moves_so_far(directory):
    """Moves that XBoard has heard from the engines."""
    log = directory / "xboard.log"
    text = log.read_text(errors="replace") if log.exists() else ""
    return len(re.findall(r"^\d+ <(?:first|second) *: move ", text, flags=re.M))


def said(directory):
    return (directory / "out.log").read_text(errors="replace")


def play(game, options):
    directory = (options.out / game).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    for left in directory.glob("*.*"):
        left.unlink()
    picture = directory / "board.png"
    begin = time.monotonic()
    running = xboard(game, options, directory)
    try:
        # XBoard shows the score of the match in a window of its own, and waits there.
        while running.poll() is None and "final score" not in said(directory):
            if time.monotonic() - begin > options.longest:
                raise Failed(f"not at its end after {options.longest} s")
            time.sleep(0.5)
            if not picture.exists() and moves_so_far(directory) >= 30:
                subprocess.run(["import", "-display", options.display, "-window", "root", picture],
                               check=True)
    finally:
        running.kill()
        running.wait()
    if not picture.exists():
        raise Failed(f"no picture: {moves_so_far(directory)} moves were heard, "
                     f"see {directory / 'xboard.log'}")
    record = (directory / "game.pgn").read_text()
    return judge(game, record, directory)


def judge(game, record, directory):
    """The game by rules of others; how it ended."""
    ending = re.search(r"\{([^{}]*)\}\s*(1-0|0-1|1/2-1/2|\*)\s*$", record)
    if not ending or ending.group(2) == "*":
        raise Failed(f"the game has no end, see {directory / 'game.pgn'}")
    words, result = " ".join(ending.group(1).split()), ending.group(2)
    if any(fault in words for fault in FAULTS):
        raise Failed(f"{result} {{{words}}}")
    plies = judge_chess(record) if game == "chess" else judge_xiangqi(directory)
    return f"{result} {{{words}}} after {plies} plies, all legal"


def judge_chess(record):
    import io
    import chess.pgn
    game = chess.pgn.read_game(io.StringIO(record))
    if game.errors:
        raise Failed(f"{game.errors[0]}")
    return sum(1 for _ in game.mainline_moves())


def judge_xiangqi(directory):
    """XBoard writes xiangqi in a SAN of its own; the moves of its log are coordinates."""
    import pyffish
    log = (directory / "xboard.log").read_text(errors="replace")
    played = []
    for move in re.findall(r"^\d+ <(?:first|second) *: move (\S+)", log, flags=re.M):
        source, target = re.fullmatch(r"([a-i]\d)([a-i]\d)", move).groups()
        # XBoard counts ranks from 0, as UCCI does, pyffish from 1.
        text = "".join(f"{square[0]}{int(square[1]) + 1}" for square in (source, target))
        if text not in pyffish.legal_moves("xiangqi", pyffish.start_fen("xiangqi"), played):
            raise Failed(f"{move} is not legal after {' '.join(played)}")
        played.append(text)
    return len(played)


def main():
    options = arguments()
    display = subprocess.Popen(["Xvfb", options.display, "-screen", "0", "800x800x24"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    faults = 0
    try:
        time.sleep(2)
        if display.poll() is not None:
            raise SystemExit(f"no display {options.display}: is it in use? --display names another")
        for game in options.only:
            try:
                print(f"passed  {game}: {play(game, options)}", flush=True)
            except Failed as failure:
                faults += 1
                print(f"FAILED  {game}: {failure}", flush=True)
    finally:
        display.terminate()
        display.wait()
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
