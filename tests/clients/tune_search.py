#!/usr/bin/env python3
"""Better numbers for the search, by games: SPSA (J. Spall's simultaneous perturbation).

    cargo build --release --features tune
    python3 tests/clients/tune_search.py chess --out tuning/chess --iterations 400
    python3 tests/clients/tune_search.py chess --out tuning/chess --only-report

In every iteration all numbers of src/search/params.rs are moved at once, each a little up or down
by lot, and the search with these meets the search with the opposite moves; then all go a little way
towards the side that won. The steps shrink as the iterations go on, as Spall advises: the step by
which numbers are tried with the power 0.101 of the iteration, the rate at which they follow with
0.602. What comes out is no proof of anything: give the rows that are printed to params.rs and play
the old against the new.

The state is kept in OUT/state.json after every iteration; the same command goes on from there.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARAMS = ROOT / "src/search/params.rs"
TRIED_POWER = 0.101
FOLLOWED_POWER = 0.602
# The last tried step, as a share of the range between the bounds; half a unit at least.
LAST_STEP = 0.05
# Iterations that Spall's stability constant stands for, as a share of all.
STABILITY = 0.1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=["chess", "xiangqi"])
    parser.add_argument("--engine", type=pathlib.Path, default=ROOT / "target/release/twofold")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of the state")
    parser.add_argument("--iterations", type=int, default=400)
    parser.add_argument("--games", type=int, default=32, help="games of each iteration")
    parser.add_argument("--limit", default="nodes=5000", help="of a move, as keys of an engine")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--rate", type=float, default=0.004,
                        help="share of the tried step that a won game moves a number by, at last")
    parser.add_argument("--names", help="only numbers whose names this regular expression fits")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only-report", action="store_true")
    return parser.parse_args()


def tunables(game, names):
    """Name, value, least and most of every number."""
    line = re.compile(r"^\s+(\w+): (-?\d+), (-?\d+); (-?\d+), (-?\d+);", re.M)
    found = {}
    for name, chess, xiangqi, least, most in line.findall(PARAMS.read_text()):
        if not names or re.search(names, name):
            value = chess if game == "chess" else xiangqi
            found[name] = (int(value), int(least), int(most))
    if not found:
        sys.exit(f"{PARAMS}: no number fits '{names}'")
    return found


def last_step(least, most):
    return max(0.5, LAST_STEP * (most - least))


def rounded(value, least, most, lot):
    """A whole number, the nearer one the likelier, within the bounds."""
    whole = int(value // 1)
    return min(max(whole + (lot.random() < value - whole), least), most)


def play(options, number, numbers):
    """Won less lost games of the first set of numbers against the second."""
    folder = options.out / "match"
    shutil.rmtree(folder, ignore_errors=True)
    command = [options.engine, "match", "tune", "--out", folder, "--game", options.game]
    for name, values in zip(["plus", "minus"], numbers):
        words = " ".join(f"{key}={value}" for key, value in values.items())
        keys = f"name={name},cmd={options.engine},proto=uci,env=TWOFOLD_TUNE:{words}"
        if options.game == "xiangqi":
            keys += ",arg=uci,arg=--game,arg=xiangqi"
        command += ["--engine", keys]
    book = ROOT / "openings" / f"{options.game}.epd"
    command += ["--each", "option.Hash=8", options.limit, "--games", options.games,
                "--concurrency", options.concurrency, "--openings", f"file={book}", "order=random",
                "--srand", options.seed * 1_000_003 + number, "--ratinginterval", 0,
                "--scoreinterval", 0]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    counts = re.findall(r"Wins: (\d+), Losses: (\d+)", done.stdout)
    if done.returncode or not counts:
        sys.exit(f"the match failed: {done.stderr.strip() or done.stdout[-500:]}")
    wins, losses = counts[-1]
    return int(wins) - int(losses)


def step(options, known, state):
    """One iteration."""
    done = state["iterations"] + 1
    lot = random.Random(f"{options.seed} {done}")
    stability = STABILITY * options.iterations
    tried_share = (options.iterations / done) ** TRIED_POWER
    rate = options.rate * ((stability + options.iterations) / (stability + done)) ** FOLLOWED_POWER
    values = state["values"]
    signs = {name: lot.choice([-1, 1]) for name in known}
    both = []
    for way in (1, -1):
        moved = {}
        for name, (_, least, most) in known.items():
            tried = last_step(least, most) * tried_share
            moved[name] = rounded(values[name] + way * signs[name] * tried, least, most, lot)
        both.append(moved)
    gain = play(options, done, both)
    for name, (_, least, most) in known.items():
        values[name] += rate / tried_share * last_step(least, most) * gain * signs[name]
        values[name] = min(max(values[name], least), most)
    state["iterations"] = done
    state["gains"].append(gain)


def save(path, state):
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(state))
    os.replace(beside, path)


def report(options, known, state):
    games = state["iterations"] * options.games
    print(f"{state['iterations']} iterations, {games} games")
    print(f"{'name':<24} {'before':>8} {'now':>10}  steps")
    for name, (before, least, most) in known.items():
        now = state["values"][name]
        moved = (now - before) / last_step(least, most)
        print(f"{name:<24} {before:>8} {now:>10.1f} {moved:>+6.2f}")


def main():
    options = arguments()
    options.engine = options.engine.resolve()
    options.out.mkdir(parents=True, exist_ok=True)
    options.out = options.out.resolve()
    known = tunables(options.game, options.names)
    path = options.out / "state.json"
    state = {"iterations": 0, "gains": [], "values": {name: row[0] for name, row in known.items()}}
    if path.exists():
        state = json.loads(path.read_text())
        if set(state["values"]) != set(known):
            sys.exit(f"{path}: it is of other numbers")
    while not options.only_report and state["iterations"] < options.iterations:
        step(options, known, state)
        save(path, state)
        if state["iterations"] % 20 == 0:
            report(options, known, state)
    report(options, known, state)


if __name__ == "__main__":
    main()
