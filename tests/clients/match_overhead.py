#!/usr/bin/env python3
"""What `twofold match` costs: games a minute, processor time, time lost between two moves.

    cargo build --release
    python3 tests/clients/match_overhead.py [--games 500] [--concurrency 2]

Both engines are this script again: they answer at once with the next move of a fixed game of 80
plies, and note on the clock that all processes of a Linux machine share when a `go` came and when
the answer left. The time from one engine's answer to the other's `go` is all the runner's: reading
the move, judging it, the record, the next position, `isready`. Exit code 1 if there are fewer than
500 games a minute, or if the median of that time is a millisecond or more.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

GAME = """
b2b3 h7h5 b1a3 d7d5 a3c4 d8d6 h2h4 d6g6 d2d4 g6d6 c4a5 c7c5 d1d2 b7b5 h1h2 d6g6 d2d1 a7a6 f2f4 g6h6
c1b2 h6e6 g2g4 e6b6 e1f2 h8h7 a5c6 c8b7 a1c1 a6a5 a2a4 g8h6 f1g2 a8a6 g1f3 b7a8 f3e5 a6a7 g2h1 b6b7
f2g3 h6f5 g3f3 f5d6 c2c4 b8a6 h2f2 d6c8 g4g5 a6b4 d1f1 h7h8 h1g2 b4c2 c1b1 h8h7 f3g3 c2b4 b2c3 c8b6
g5g6 f7f5 e5f7 b6d7 f2f3 b7c8 g3f2 d7f6 f3g3 e8d7 b1c1 d7e6 f1e1 h7h8 f7h6 c8d7 e1d2 d7d6 g3g4 h8h7
""".split()
WANTED_GAMES = 500
WANTED_MICROSECONDS = 1000


def engine(log):
    """Speaks UCI until it is told to quit, then writes its notes: `ply go_ns answer_ns`."""
    notes = []
    ply = 0
    with open(log, "w", encoding="ascii") as file:
        for line in sys.stdin.buffer:
            if line.startswith(b"go"):
                came = time.monotonic_ns()
                answer = f"info depth 1 score cp 0 time 0 pv {GAME[ply]}\nbestmove {GAME[ply]}\n"
                left = time.monotonic_ns()
                os.write(1, answer.encode())
                notes.append(f"{ply} {came} {left}\n")
            elif line.startswith(b"position"):
                ply = line.count(b" ") - 2 if b" moves " in line else 0
            elif line.startswith(b"isready"):
                os.write(1, b"readyok\n")
            elif line == b"uci\n":
                os.write(1, b"id name Instant\nuciok\n")
            elif line == b"quit\n":
                break
        file.writelines(notes)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runner", type=pathlib.Path, default="target/release/twofold")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--concurrency", type=int, default=2)
    return parser.parse_args()


def player(name, logs):
    # Each process of the player writes notes of its own; the shell only names the file.
    script = f'exec {sys.executable} -S -E {pathlib.Path(__file__).resolve()} --as-engine {logs}/$$'
    return f"name={name},cmd=/bin/sh,arg=-c,arg={script},proto=uci"


def play(options, directory):
    """Runs the match; its wall time, the runner's own processor time, that of the engines."""
    command = [options.runner.resolve(), "match", "overhead",
               "--engine", player("A", directory), "--engine", player("B", directory),
               "--tc", "600+1", "--maxmoves", str(len(GAME) // 2), "--games", str(options.games),
               "--concurrency", str(options.concurrency), "--force", "--ratinginterval", "0",
               "--out", directory / "match"]
    begin = time.monotonic()
    runner = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    # Looked at before it is reaped: its own time and that of its children are apart there.
    os.waitid(os.P_PID, runner.pid, os.WEXITED | os.WNOWAIT)
    wall = time.monotonic() - begin
    stat = pathlib.Path(f"/proc/{runner.pid}/stat").read_text().rpartition(")")[2].split()
    if runner.wait() != 0:
        raise SystemExit(f"the runner ended with exit code {runner.returncode}")
    ticks = os.sysconf("SC_CLK_TCK")
    own, children = (sum(int(field) for field in stat[i:i + 2]) / ticks for i in (11, 13))
    return wall, own, children


def gaps(directory):
    """Microseconds from each answer to the next `go` of the same game."""
    moves = []
    for log in directory.glob("[0-9]*"):
        for line in log.read_text().splitlines():
            moves.append([int(word) for word in line.split()])
    # A game's next move is the first of the next ply that came after its answer: instant engines
    # leave no room for another game's, and where games cross the pairing is wrong by that little.
    by_ply = {}
    for ply, came, left in moves:
        by_ply.setdefault(ply, []).append((came, left))
    found = []
    for ply, answered in by_ply.items():
        following = sorted(came for came, _ in by_ply.get(ply + 1, []))
        for left, came in zip(sorted(left for _, left in answered), following):
            found.append((came - left) / 1000)
    return found


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="twofold-overhead-") as name:
        directory = pathlib.Path(name)
        wall, own, engines = play(options, directory)
        between = sorted(gaps(directory))
    if len(between) < options.games * (len(GAME) - 1):
        raise SystemExit(f"only {len(between)} moves were noted")
    pace = options.games * 60 / wall
    median = statistics.median(between)
    print(f"{options.games} games of {len(GAME)} plies, {options.concurrency} at once: {wall:.1f} s, "
          f"{pace:.0f} games a minute")
    print(f"processor time a game: runner {own / options.games * 1e3:.1f} ms, "
          f"both engines {engines / options.games * 1e3:.1f} ms")
    print(f"from an answer to the next go: median {median:.0f} us, 90 % {between[len(between) * 9 // 10]:.0f} us, "
          f"99 % {between[len(between) * 99 // 100]:.0f} us")
    return 0 if pace >= WANTED_GAMES and median < WANTED_MICROSECONDS else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--as-engine"]:
        engine(sys.argv[2])
    else:
        sys.exit(main())
