#!/usr/bin/env python3
"""What are our levels of play worth? Matches against opponents of known strength.

    apt-get install stockfish fairy-stockfish
    cargo build --release
    python3 tests/clients/calibrate_strength.py chess   --out calibration/chess
    python3 tests/clients/calibrate_strength.py xiangqi --out calibration/xiangqi

Each level of ours (UCI_LimitStrength, UCI_Elo) meets the levels near it of Stockfish 15.1 (chess)
or Fairy-Stockfish 11.1 (xiangqi), whose UCI_Elo from 1350 to 2850 is the anchor, and the two levels
of ours next to it. Below 1350 nothing but that ladder leads down.

No game depends on a clock: ours are limited by nodes, and so are the anchors. Stockfish's levels
choose their move after iteration 1 + int(level), where level = ((UCI_Elo - 1346.6) / 143.4) **
(1 / 0.806); the search then goes on, fills the hash table, and so the next move is chosen with more
knowledge: far more, as strength_anchors.py shows. A search to that depth alone is much weaker than
the rating says. So the anchors get the nodes of ANCHOR_NODES, several times what their choice takes.

All ratings are estimated together by maximum likelihood (Bradley and Terry's model, a draw as half
a win), the anchors' being what they say of themselves; the errors are 95 % intervals. The table is
followed by rows to paste into src/engine/strength/levels.rs: for each of the table's ratings the
settings that are worth it, between the settings measured. Interrupted matches are resumed: give the
same command again. `--only-report` plays nothing.
"""

import argparse
import json
import math
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ANCHORS = {
    "chess": ("Stockfish", "stockfish", [1350, 1500, 1750, 2000, 2250, 2450, 2650, 2850]),
    "xiangqi": ("Fairy-Stockfish", "fairy-stockfish", [1350, 1750, 2250, 2850]),
}
# Nodes a move of the anchors.
ANCHOR_NODES = {1350: 20_000, 1500: 20_000, 1750: 20_000, 2000: 40_000, 2250: 120_000,
                2450: 400_000, 2650: 1_200_000, 2850: 2_000_000}
LEVELS = ROOT / "src/engine/strength/levels.rs"
SCALE = 400 / math.log(10)
# A depth that is never reached: our levels end by themselves.
DEEP = 200
# Games of players from this rating on are given up when both see them decided; weaker ones may
# still throw everything away.
STEADY = 2000


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=ANCHORS)
    parser.add_argument("--engine", type=pathlib.Path, default=ROOT / "target/release/twofold")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder of the matches")
    parser.add_argument("--games", type=int, default=40, help="games of each pairing")
    parser.add_argument("--concurrency", type=int, default=1)
    parser.add_argument("--nearest", type=int, default=2, help="anchors that each level meets")
    parser.add_argument("--reach", type=int, default=350, help="how far from it they may be")
    parser.add_argument("--levels", help="only these, such as 1500,2000")
    parser.add_argument("--only-report", action="store_true", help="use the games that there are")
    return parser.parse_args()


def rows(game):
    """The rows of the game's table: rating, nodes, candidates, noise, vision."""
    text = LEVELS.read_text()
    table = re.search(rf"const {game.upper()}: .*?\[\n(.*?)\];", text, re.S)
    if not table:
        sys.exit(f"{LEVELS}: no table of {game}")
    found = re.findall(r"level\((.*?)\)", table[1])
    return [[int(n.replace("_", "")) for n in row.split(",")] for row in found]


def pairings(game, levels, nearest, reach):
    """Which of ours meet which, ours by nominal rating, anchors by their own."""
    anchors = ANCHORS[game][2]
    met = []
    for elo in levels:
        near = sorted(anchors, key=lambda anchor: abs(anchor - elo))[:nearest]
        near = [anchor for anchor in near if abs(anchor - elo) <= reach]
        met += [(("own", elo), ("anchor", anchor)) for anchor in near]
    for low, high in zip(levels, levels[1:]):
        met.append((("own", low), ("own", high)))
    return met


def anchor_depth(game, elo):
    """The iteration after which an anchor has chosen its move (Fairy-Stockfish: or one before)."""
    level = max(0.0, (elo - 1346.6) / 143.4) ** (1 / 0.806)
    return 1 + int(level) + (game == "xiangqi")


def player(options, who):
    kind, elo = who
    name, command, _ = ANCHORS[options.game]
    if kind == "own":
        name, command, limit = "Twofold", options.engine, f"depth={DEEP}"
    else:
        limit = f"nodes={ANCHOR_NODES[elo]}"
    limits = f"option.UCI_LimitStrength=true,option.UCI_Elo={elo},{limit}"
    return f"name={name} {elo},cmd={command},proto=uci,{limits}"


def play(options, one, two, folder):
    begun = (folder / "journal.jsonl").exists()
    command = [options.engine, "match", "--engine", player(options, one),
               "--engine", player(options, two), "--game", options.game,
               "--games", options.games, "--concurrency", options.concurrency,
               "--openings", f"file={ROOT}/openings/{options.game}.epd", "order=random",
               "--srand", "7", "--ratinginterval", "0", "--out", folder]
    if min(one[1], two[1]) >= STEADY:
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


def estimate(levels, games):
    """Ratings of our levels and their standard errors, by Newton's method."""
    ratings = {elo: float(elo) for elo in levels}
    index = {elo: i for i, elo in enumerate(levels)}
    # A weak pull to the nominal rating keeps a level finite that won or lost everything.
    prior = 1e-6
    information = []
    for _ in range(100):
        gradient = [prior * (elo - ratings[elo]) for elo in levels]
        information = [[prior * (i == j) for j in range(len(levels))] for i in range(len(levels))]
        for (one, two), points in games.items():
            at = [ratings[elo] if kind == "own" else float(elo) for kind, elo in (one, two)]
            expected = 1 / (1 + math.exp((at[1] - at[0]) / SCALE))
            slope = (sum(points) - len(points) * expected) / SCALE
            weight = len(points) * expected * (1 - expected) / SCALE ** 2
            signs = [(index[elo], sign) for (kind, elo), sign in ((one, 1), (two, -1))
                     if kind == "own"]
            for i, sign in signs:
                gradient[i] += sign * slope
                for j, other in signs:
                    information[i][j] += sign * other * weight
        step = solve(information, gradient)
        for elo in levels:
            ratings[elo] += max(-200.0, min(200.0, step[index[elo]]))
        if max(map(abs, step)) < 0.01:
            break
    size = len(levels)
    variances = [solve(information, [float(i == j) for j in range(size)])[i] for i in range(size)]
    return {elo: (ratings[elo], math.sqrt(max(variances[index[elo]], 0.0))) for elo in levels}


def report(options, table, games):
    levels = [row[0] for row in table]
    ratings = estimate(levels, games)
    played = {elo: sum(len(p) for who, p in games.items() if ("own", elo) in who) for elo in levels}
    anchor = ANCHORS[options.game][0]
    print(f"| UCI_Elo | worth on {anchor}'s scale | games |\n|---|---|---|")
    for elo in levels:
        rating, error = ratings[elo]
        print(f"| {elo} | {rating:.0f} ± {1.96 * error:.0f} | {played[elo]} |")
    print("\nResults, points of the first:")
    for (one, two), points in games.items():
        name = anchor if two[0] == "anchor" else "Twofold"
        print(f"  Twofold {one[1]} - {name} {two[1]}: {sum(points):g} of {len(points)}")
    print("\nRows for src/engine/strength/levels.rs:")
    for row in resampled(table, [ratings[elo][0] for elo in levels]):
        print(f"    level({', '.join(f'{n:_}' for n in row)}),")


def resampled(table, worth):
    """Rows for the ratings of the table, between the settings measured, or on beyond them.

    How often mates are looked for stays with the rating. Between two measured ratings there must be
    something to share: without that there are no rows.
    """
    measured = sorted({rating: row for rating, row in zip(worth, table)}.items())
    if len(measured) < 2:
        return []
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
    if options.levels:
        wanted = [int(level) for level in options.levels.split(",")]
        table = [row for row in table if row[0] in wanted]
    games = {}
    levels = [row[0] for row in table]
    for one, two in pairings(options.game, levels, options.nearest, options.reach):
        folder = options.out / f"{one[1]}-{two[0]}-{two[1]}"
        if not options.only_report:
            play(options, one, two, folder)
        points = results(folder)
        if points:
            games[one, two] = points
    if not games:
        sys.exit(f"{options.out}: no games")
    report(options, table, games)


if __name__ == "__main__":
    main()
