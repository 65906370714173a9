#!/usr/bin/env python3
"""Makes tests/data/mates-GAME.epd: mates in 2 to 6 from half-random games, confirmed by another engine.

Install: apt-get install stockfish fairy-stockfish; pip install chess pyffish
Use:     make_mates.py --engine target/release/twofold --game chess|xiangqi [--each 8] [--total 32] [--lengths 2-6] [--nodes 3000] [--seed 1] > FILE

Twofold plays half of the moves, chance the others. Where it announces a mate, the judge (stockfish for chess,
fairy-stockfish for xiangqi) must find a mate of the same length, and no shorter one, before the position is kept.
A line is `FEN ;M n`: the side to move mates in n moves.
"""
import argparse
import random
import re
import subprocess
import sys

import chess
import pyffish

START = {
    "chess": chess.STARTING_FEN,
    "xiangqi": "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
}
JUDGE = {"chess": "/usr/games/stockfish", "xiangqi": "/usr/games/fairy-stockfish"}


class Engine:
    """A UCI engine, one search at a time."""

    def __init__(self, path, game):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("uci")
        self.until("uciok")
        if game == "xiangqi":
            self.send("setoption name UCI_Variant value xiangqi")

    def send(self, line):
        self.process.stdin.write(line + "\n")

    def until(self, start):
        lines = []
        for line in self.process.stdout:
            lines.append(line.strip())
            if line.startswith(start):
                return lines
        sys.exit(f"engine closed its output: {lines[-3:]}")

    def search(self, fen, limit):
        """Best move, and the length of the mate in moves, or None."""
        self.send("ucinewgame")
        self.send(f"position fen {fen}")
        self.send(f"go {limit}")
        lines = self.until("bestmove")
        mate = None
        for line in lines:
            if " score " in line and "bound" not in line:
                found = re.search(r"score mate (-?\d+)", line)
                mate = int(found.group(1)) if found else None
        return lines[-1].split()[1], mate


class ChessGame:
    def __init__(self):
        self.board = chess.Board()

    def fen(self):
        return self.board.fen(en_passant="legal")

    def moves(self):
        return [] if self.board.is_game_over() else [m.uci() for m in self.board.legal_moves]

    def play(self, move):
        self.board.push_uci(move)


class XiangqiGame:
    def __init__(self):
        self.now = START["xiangqi"]

    def fen(self):
        return self.now

    def moves(self):
        return pyffish.legal_moves("xiangqi", self.now, [])

    def play(self, move):
        self.now = pyffish.get_fen("xiangqi", self.now, [move])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--game", choices=["chess", "xiangqi"], required=True)
    parser.add_argument("--each", type=int, default=8, help="positions of each length, at most")
    parser.add_argument("--total", type=int, default=32, help="positions in all")
    parser.add_argument("--lengths", default="2-6", help="moves to mate, from-to")
    parser.add_argument("--nodes", type=int, default=3000, help="of each search of ours")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    ours = Engine(options.engine, options.game)
    judge = Engine(JUDGE[options.game], options.game)
    shortest, longest = map(int, options.lengths.split("-"))
    wanted = {length: options.each for length in range(shortest, longest + 1)}
    made = f"--game {options.game} --lengths {options.lengths} --nodes {options.nodes} --seed {options.seed}"
    print(f"# made by tests/clients/make_mates.py {made};")
    print(f"# each confirmed by {JUDGE[options.game].rsplit('/', 1)[1]}; FEN ;M moves to mate")
    left = min(options.total, sum(wanted.values()))
    while left:
        game = ChessGame() if options.game == "chess" else XiangqiGame()
        for ply in range(200):
            moves = game.moves()
            if not moves:
                break
            best, mate = ours.search(game.fen(), f"nodes {options.nodes}")
            if wanted.get(mate):
                _, confirmed = judge.search(game.fen(), "nodes 3000000")
                if confirmed == mate:
                    wanted[mate] -= 1
                    left -= 1
                    print(f"{game.fen()} ;M {mate}", flush=True)
                    break
            game.play(best if rng.random() < 0.5 else rng.choice(moves))


main()
