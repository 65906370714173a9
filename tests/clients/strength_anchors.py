#!/usr/bin/env python3
"""May an anchor of the calibration be searched to a fixed depth instead of by a clock?

    apt-get install stockfish fairy-stockfish
    python3 tests/clients/strength_anchors.py

Stockfish's levels (UCI_Elo) choose their move after a certain iteration, see anchor_depth() below;
what is searched after it changes nothing but the hash table, which the next move of the game finds
there. This script goes through a game again and again, once with searches to that depth and once
with many more nodes than that takes, and compares how often each move was chosen in each position,
with the table as the game leaves it and with an empty one. It prints how far the two are apart
(half the sum of the differences of frequencies), how far two halves of the same runs are apart by
chance (mean and 95 % quantile, by shuffling), and the share of shuffles that are at least as far
apart. A depth too low by one is shown beside it: that the script would see.
"""

import argparse
import collections
import os
import random
import subprocess

from calibrate_strength import ENGINES

PLIES = 40
SHUFFLES = 2000


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=ENGINES, nargs="?", default="chess")
    parser.add_argument("--elo", default="1500,2000", help="levels to look at")
    parser.add_argument("--runs", type=int, default=30, help="times that each position is searched")
    parser.add_argument("--nodes", type=int, default=60000, help="for the searches without a depth")
    return parser.parse_args()


def anchor_depth(game, elo):
    """The iteration after which an anchor has chosen its move (Fairy-Stockfish: or one before)."""
    level = max(0.0, (elo - 1346.6) / 143.4) ** (1 / 0.806)
    return 1 + int(level) + (game == "xiangqi")


class Engine:
    """An engine of the calibration at one of its levels."""

    def __init__(self, game, elo):
        self.process = subprocess.Popen([ENGINES[game][1]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, bufsize=1)
        if game == "xiangqi":
            self.send("setoption name UCI_Variant value xiangqi")
        if elo:
            self.send("setoption name UCI_LimitStrength value true")
            self.send(f"setoption name UCI_Elo value {elo}")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def best(self, moves, limit):
        self.send("position startpos" + (" moves " + " ".join(moves) if moves else ""))
        self.send(f"go {limit}")
        for line in self.process.stdout:
            if line.startswith("bestmove"):
                return line.split()[1]
        raise SystemExit("the engine ended")

    def close(self):
        self.send("quit")
        self.process.wait()


def sample_game(game):
    """A game of the engine against itself at full strength."""
    engine, moves = Engine(game, None), []
    for _ in range(PLIES):
        moves.append(engine.best(moves, "depth 8"))
    engine.close()
    return moves


def choices(game, elo, moves, limit, runs, fresh):
    """What is chosen in each position of the game: a list for each."""
    engine = Engine(game, elo)
    chosen = [[] for _ in range(0, PLIES, 2)]
    for _ in range(runs):
        engine.send("ucinewgame")
        for index, ply in enumerate(range(0, PLIES, 2)):
            if fresh:
                engine.send("ucinewgame")
            chosen[index].append(engine.best(moves[:ply], limit))
    engine.close()
    return chosen


def distance(one, two):
    """Mean over the positions of half the sum of the differences of frequencies."""
    total = 0.0
    for a, b in zip(one, two):
        difference = collections.Counter(a)
        difference.subtract(b)
        total += sum(map(abs, difference.values())) / (2 * len(a))
    return total / len(one)


def by_chance(one, two, rng):
    """The distances of random halves of all the choices."""
    distances = []
    for _ in range(SHUFFLES):
        halves = [], []
        for a, b in zip(one, two):
            both = a + b
            rng.shuffle(both)
            halves[0].append(both[:len(a)])
            halves[1].append(both[len(a):])
        distances.append(distance(*halves))
    return sorted(distances)


def main():
    options = arguments()
    os.environ["PATH"] += ":/usr/games"
    rng = random.Random(1)
    moves = sample_game(options.game)
    print(f"{ENGINES[options.game][0]}, {PLIES // 2} positions, {options.runs} + {options.runs} "
          f"runs, to a depth and with {options.nodes} nodes")
    for elo in map(int, options.elo.split(",")):
        right = anchor_depth(options.game, elo)
        for fresh in (True, False):
            long = choices(options.game, elo, moves, f"nodes {options.nodes}", options.runs, fresh)
            for depth in (right, right - 1):
                if depth < 1:
                    continue
                short = choices(options.game, elo, moves, f"depth {depth}", options.runs, fresh)
                apart, chance = distance(short, long), by_chance(short, long, rng)
                share = sum(d >= apart for d in chance) / SHUFFLES
                mean, high = sum(chance) / SHUFFLES, chance[int(0.95 * SHUFFLES)]
                table = "empty" if fresh else "of the game"
                print(f"  {elo}, depth {depth}, table {table}: apart {apart:.3f}, by chance "
                      f"{mean:.3f} (95 %: {high:.3f}), p = {share:.3f}", flush=True)


if __name__ == "__main__":
    main()
