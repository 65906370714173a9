#!/usr/bin/env python3
"""What are our levels of play worth? Games against opponents of known strength.

    apt-get install stockfish fairy-stockfish
    cargo build --release
    python3 tests/clients/calibrate_strength.py chess   --out calibration/chess
    python3 tests/clients/calibrate_strength.py xiangqi --out calibration/xiangqi
    python3 tests/clients/calibrate_strength.py xiangqi --out verification/xiangqi --fixed \
        --with calibration/xiangqi

The anchors are Stockfish 15.1 (chess) or Fairy-Stockfish 11.1 (xiangqi), whose UCI_Elo goes from
1350 to 2850. In each round every anchor meets the level of ours (UCI_LimitStrength, UCI_Elo) that
is worth as much by all games so far: of even games one learns most. Below 1350 nothing but our own
levels leads down, each against the next above; in xiangqi likewise up. With `--fixed` each anchor meets the level that
bears its rating: so a table is verified. Slow anchors sit rounds out.

No game depends on a clock: ours are limited by nodes, and so are the anchors. Stockfish's levels
choose their move after iteration 1 + int(level), where level = ((UCI_Elo - 1346.6) / 143.4) **
(1 / 0.806); the search then goes on, fills the hash table, and so the next move is chosen with more
knowledge: far more, as strength_anchors.py shows. A search to that depth alone is much weaker than
the rating says. So the anchors get nodes for several times what their choice takes, from 2450 on
for about what it takes.

What a level is worth is taken to differ from what it is called by an error that is linear between
the ratings of the table, and whose change from one to the next is normally distributed (DRIFT).
The errors at the ratings are estimated together from all games (Bradley and Terry's model, a draw as
half a win, with that prior), and told with 95 % intervals. The table is followed by rows to paste
into src/engine/strength/levels.rs: for each rating the settings that are worth it. An interrupted
calibration is resumed: give the same command again. `--only-report` plays nothing. The folder keeps
the table that its games were played with; so games with an earlier table can be counted too
(`--with`), each level of it as the one of the present table that has as many nodes.
"""

import argparse
import json
import math
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ENGINES = {"chess": ("Stockfish", "stockfish"), "xiangqi": ("Fairy-Stockfish", "fairy-stockfish")}
# Rating of an anchor: its nodes a move, and in every how many rounds it plays. Fairy-Stockfish is
# so slow in xiangqi that its highest levels would take a day.
QUICK = {1350: (20_000, 1), 1500: (20_000, 1), 1750: (20_000, 1), 2000: (40_000, 1),
         2250: (120_000, 1), 2450: (400_000, 2)}
SLOW = {2650: (1_200_000, 3), 2850: (2_000_000, 4)}
ANCHORS = {"chess": QUICK | SLOW, "xiangqi": QUICK}
# Games of a round with the slowest, at most.
SLOW_NODES, SLOW_GAMES = 1_000_000, 2
# Levels that meet our own level of the second rating, where anchors do not lead.
DOWN, UP = [(1100, 1350), (800, 1100), (500, 800)], [(2650, 2450), (2850, 2650)]
LADDERS = {"chess": DOWN, "xiangqi": DOWN + UP}
LEVELS = ROOT / "src/engine/strength/levels.rs"
SCALE = 400 / math.log(10)
# Standard deviation of the change of the error between two ratings of the table, and of its mean.
DRIFT, OFFSET = 120, 500
# A depth that is never reached: our levels end by themselves.
DEEP = 200
# Games of players from this rating on are given up when both see them decided; weaker ones may
# still throw everything away.
STEADY = 2000


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=ENGINES)
    parser.add_argument("--engine", type=pathlib.Path, default=ROOT / "target/release/twofold")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of the games")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--games", type=int, default=4, help="games of a pairing in a round")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--fixed", action="store_true", help="anchors meet levels of their rating")
    parser.add_argument("--with", dest="earlier", type=pathlib.Path, nargs="+", default=[],
                        help="folders of games with earlier tables, to count as well")
    parser.add_argument("--only-report", action="store_true", help="use the games that there are")
    return parser.parse_args()


def rows(game, path=LEVELS):
    """The rows of the game's table: rating, nodes, candidates, noise, vision."""
    text = path.read_text() if path.exists() else ""
    table = re.search(rf"const {game.upper()}: .*?\[\n(.*?)\];", text, re.S)
    if not table:
        sys.exit(f"{path}: no table of {game}")
    found = re.findall(r"level\((.*?)\)", table[1])
    return [[int(n.replace("_", "")) for n in row.split(",")] for row in found]


def interpolated(points, x):
    """The value at `x` of the line through points (x, y) in rising order; at most that of its ends."""
    x = min(max(x, points[0][0]), points[-1][0])
    (x0, y0), (x1, y1) = next(pair for pair in zip(points, points[1:]) if x <= pair[1][0])
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


def counted_as(table, earlier, elo):
    """The level of the table that has as many nodes as this one of an earlier table."""
    nodes = interpolated([(row[0], math.log(row[1])) for row in earlier], elo)
    return interpolated([(math.log(row[1]), row[0]) for row in table], nodes)


class Worth:
    """What the levels are worth: the errors of the table's ratings, from games."""

    def __init__(self, ratings):
        self.ratings = ratings
        self.errors = [0.0] * len(ratings)
        self.deviations = [0.0] * len(ratings)
        self.games = []

    def shares(self, elo):
        """The errors that a level shares in: (index, share)."""
        above = next(i for i, rating in enumerate(self.ratings) if rating >= elo)
        if self.ratings[above] == elo:
            return [(above, 1.0)]
        low, high = self.ratings[above - 1], self.ratings[above]
        share = (elo - low) / (high - low)
        return [(above - 1, 1 - share), (above, share)]

    def of(self, elo):
        return elo + sum(share * self.errors[i] for i, share in self.shares(elo))

    def level(self, rating):
        """The level that is worth this much, to the nearest ten."""
        levels = range(self.ratings[0], self.ratings[-1] + 1, 10)
        return min(levels, key=lambda elo: abs(self.of(elo) - rating))

    def add(self, elo, opponent, points):
        """Games of our level with an opponent: ("anchor" or "own", rating)."""
        self.games.append((elo, opponent, points))
        self.estimate()

    def estimate(self):
        """Errors and their deviations, by Newton's method."""
        size = len(self.ratings)
        for _ in range(100):
            gradient, information = self.prior()
            for elo, (kind, rating), points in self.games:
                shares = self.shares(elo)
                against = rating if kind == "anchor" else self.of(rating)
                if kind == "own":
                    shares = shares + [(i, -share) for i, share in self.shares(rating)]
                expected = 1 / (1 + math.exp((against - self.of(elo)) / SCALE))
                slope = (sum(points) - len(points) * expected) / SCALE
                weight = len(points) * expected * (1 - expected) / SCALE ** 2
                for i, share in shares:
                    gradient[i] += share * slope
                    for j, other in shares:
                        information[i][j] += share * other * weight
            step = solve(information, gradient)
            self.errors = [e + max(-200.0, min(200.0, s)) for e, s in zip(self.errors, step)]
            if max(map(abs, step)) < 0.01:
                break
        units = [[float(i == j) for j in range(size)] for i in range(size)]
        self.deviations = [math.sqrt(solve(information, unit)[i]) for i, unit in enumerate(units)]

    def prior(self):
        """Gradient and information without any game."""
        size = len(self.ratings)
        gradient = [-error / OFFSET ** 2 / size for error in self.errors]
        information = [[(i == j) / OFFSET ** 2 / size for j in range(size)] for i in range(size)]
        for i in range(1, size):
            change = (self.errors[i] - self.errors[i - 1]) / DRIFT ** 2
            gradient[i] -= change
            gradient[i - 1] += change
            for a, b, sign in ((i, i, 1), (i - 1, i - 1, 1), (i, i - 1, -1), (i - 1, i, -1)):
                information[a][b] += sign / DRIFT ** 2
        return gradient, information


def solve(matrix, vector):
    """Solves a system of linear equations by elimination."""
    size = len(vector)
    rows_ = [list(row) + [value] for row, value in zip(matrix, vector)]
    for column in range(size):
        pivot = max(range(column, size), key=lambda row: abs(rows_[row][column]))
        rows_[column], rows_[pivot] = rows_[pivot], rows_[column]
        for row in range(size):
            if row != column:
                factor = rows_[row][column] / rows_[column][column]
                rows_[row] = [a - factor * b for a, b in zip(rows_[row], rows_[column])]
    return [rows_[i][size] / rows_[i][i] for i in range(size)]


def pairings(options, worth, number):
    """The pairings of a round, each by the games before it: our level, and the opponent."""
    named = (lambda rating: rating) if options.fixed else worth.level
    for rating, (_, pace) in ANCHORS[options.game].items():
        if (number + 1) % pace == 0:
            yield named(rating), ("anchor", rating)
    for one, two in LADDERS[options.game]:
        yield named(one), ("own", named(two))


def keep_table(folder):
    """The table of the games in a folder stays beside them; no other one's come to them."""
    kept = folder / LEVELS.name
    if not kept.exists():
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(LEVELS, kept)
    elif kept.read_text() != LEVELS.read_text():
        sys.exit(f"{folder}: its games are of another table; count them by --with, in a new folder")


def player(options, kind, elo):
    name, command = ENGINES[options.game]
    if kind == "own":
        name, command, limit = "Twofold", options.engine, f"depth={DEEP}"
    else:
        limit = f"nodes={ANCHORS[options.game][elo][0]}"
    limits = f"option.UCI_LimitStrength=true,option.UCI_Elo={elo},{limit}"
    return f"name={name} {elo},cmd={command},proto=uci,{limits}"


def games_of(options, kind, elo):
    """Games of a pairing with this opponent in a round."""
    slow = kind == "anchor" and ANCHORS[options.game][elo][0] > SLOW_NODES
    return min(options.games, SLOW_GAMES) if slow else options.games


def play(options, number, elo, opponent, folder):
    begun = (folder / "journal.jsonl").exists()
    command = [options.engine, "match", "--engine", player(options, "own", elo),
               "--engine", player(options, *opponent), "--game", options.game,
               "--games", games_of(options, *opponent), "--concurrency", options.concurrency,
               "--openings", f"file={ROOT}/openings/{options.game}.epd", "order=random",
               "--srand", 100 * opponent[1] + number, "--ratinginterval", "0", "--out", folder]
    if min(elo, opponent[1]) >= STEADY:
        command += ["--resign", "movecount=4", "score=800", "twosided=true",
                    "--draw", "movenumber=50", "movecount=10", "score=10"]
    command += ["--resume"] if begun else []
    done = subprocess.run([str(word) for word in command], stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 10, 11):
        sys.exit(f"{folder}: the match ended with exit code {done.returncode}")


def results(folder):
    """Points of the first player, one entry a game."""
    path = folder / "journal.jsonl"
    if not path.exists():
        return []
    points = []
    for line in path.read_text().splitlines()[1:]:
        game = json.loads(line)
        first = {"1-0": 1.0, "0-1": 0.0}.get(game["result"], 0.5)
        points.append(first if game["first"] == 0 else 1.0 - first)
    return points


def add_earlier(options, table, worth):
    """Counts the games with earlier tables."""
    for folder in options.earlier:
        earlier = rows(options.game, folder / LEVELS.name)
        for pairing in sorted(path for path in folder.iterdir() if path.is_dir()):
            _, elo, kind, rating = pairing.name.split("-")
            against = int(rating)
            if kind == "own":
                against = counted_as(table, earlier, against)
            points = results(pairing)
            if points:
                worth.add(counted_as(table, earlier, int(elo)), (kind, against), points)


def games_near(worth):
    """The games of each rating's level, or of one that it is the nearest rating to."""
    near = [0] * len(worth.ratings)
    for elo, (kind, against), points in worth.games:
        for level in (elo, against) if kind == "own" else (elo,):
            nearest = min(range(len(near)), key=lambda i: abs(worth.ratings[i] - level))
            near[nearest] += len(points)
    return near


def report(options, table, worth):
    anchor = ENGINES[options.game][0]
    print(f"| UCI_Elo | nodes | worth on {anchor}'s scale | games |\n|---|---|---|---|")
    for i, (row, games) in enumerate(zip(table, games_near(worth))):
        value, interval = row[0] + worth.errors[i], 1.96 * worth.deviations[i]
        print(f"| {row[0]} | {row[1]:,} | {value:.0f} ± {interval:.0f} | {games} |")
    total = sum(len(points) for _, _, points in worth.games)
    print(f"\n{total} games in all.")
    print("\nOpponent: points of ours, games, and what ours were called:")
    met = {}
    for elo, opponent, points in worth.games:
        key = opponent if opponent[0] == "anchor" else ("own", round(worth.of(opponent[1]), -1))
        games = met.setdefault(key, [0, 0.0, []])
        games[0] += len(points)
        games[1] += sum(points)
        games[2].append(elo)
    for (kind, rating), (games, points, levels) in met.items():
        name = anchor if kind == "anchor" else "Twofold worth"
        print(f"  {name} {rating:.0f}: {points:g} of {games}, {min(levels):.0f} to {max(levels):.0f}")
    print("\nRows for src/engine/strength/levels.rs:")
    for row in resampled(table, [worth.of(rating) for rating in worth.ratings]):
        print(f"    level({', '.join(f'{n:_}' for n in row)}),")


def resampled(table, worth):
    """Rows for the ratings of the table, between the settings measured, or on beyond them.

    How often mates are looked for stays with the rating. No rows where a higher level is worth less.
    """
    if worth != sorted(set(worth)):
        return []
    measured = list(zip(worth, table))
    rows_ = []
    for elo, *_, vision in table:
        above = sum(rating < elo for rating, _ in measured)
        above = min(max(above, 1), len(measured) - 1)
        (low, below), (high, over) = measured[above - 1], measured[above]
        share = (elo - low) / (high - low)
        between = [a + share * (b - a) for a, b in zip(below, over)]
        nodes = math.exp(math.log(below[1]) + share * math.log(over[1] / below[1]))
        rows_.append([elo, round(nodes), max(1, round(between[2])), max(0, round(between[3])), vision])
    return rows_


def main():
    options = arguments()
    options.engine = options.engine.resolve()
    table = rows(options.game)
    worth = Worth([row[0] for row in table])
    if not options.only_report:
        keep_table(options.out)
    add_earlier(options, table, worth)
    for number in range(options.rounds):
        for elo, opponent in pairings(options, worth, number):
            folder = options.out / f"{number:02}-{elo}-{opponent[0]}-{opponent[1]}"
            if not options.only_report and len(results(folder)) < games_of(options, *opponent):
                play(options, number, elo, opponent, folder)
            points = results(folder)
            if points:
                worth.add(elo, opponent, points)
    if not worth.games:
        sys.exit(f"{options.out}: no games")
    report(options, table, worth)


if __name__ == "__main__":
    main()
