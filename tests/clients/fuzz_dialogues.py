#!/usr/bin/env python3
"""Random dialogues with the real binary: valid, mutated and binary lines, in both protocols.

    pip install chess pyffish             # they say which moves are legal
    cargo build --release
    python3 tests/clients/fuzz_dialogues.py --sequences 20000 --seed 1

A sequence is a new game, some lines of noise, a position, more noise, and a search that is left
alone, stopped, or disturbed. After each search: exactly one answer (none for a `go` that was
refused with a line saying so), a move that is legal where the engine says it stands, the lines of
thought legal to their last move, nothing more after it. An engine that ends, writes to standard
error, or is silent for longer than --patience fails. Time in which it, or this script, was ready to
run but had no processor does not count (Linux says how much that was): an engine that sleeps or
loops is caught on a busy machine too. One line of figures at the end; exit code 1 and the
dialogue's last lines if anything failed.
"""

import argparse
import collections
import functools
import pathlib
import queue
import random
import subprocess
import sys
import threading
import time

import chess
import pyffish

XIANGQI_START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
CHESS_FENS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/P7/8/8/8/8/7p/4K3 w - - 99 80",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
]
XIANGQI_FENS = [
    XIANGQI_START,
    "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1",
    "3k5/9/9/2c1R4/9/9/9/9/9/4K4 b - - 0 1",
    "4k4/4R4/9/4R4/9/9/9/9/9/3K5 b - - 0 1",
    "r1bakab1r/9/1cn1c1n2/p1p1p1p1p/9/2P6/P3P1P1P/1CN1C1N2/9/R1BAKABR1 w - - 119 60",
]
GOS = [
    "go depth {d}", "go nodes {n}", "go movetime {t}", "go infinite", "go ponder depth {d}",
    "go wtime {t} btime {t} winc 1 binc 1", "go wtime 50 btime 50 movestogo 1", "go mate {d}",
    "go time {t} increment 1", "go depth {d} draw", "go ponder wtime 100 btime 100", "go",
    "go perft 2", "go nodes 0", "go movetime 0", "go depth {d} searchmoves {m} {m}",
]
NOISE = [
    "isready", "stop", "ponderhit", "ponderhit draw", "debug on", "debug off", "register later",
    "eval", "d", "help", "compiler", "flip", "genfens 1 seed 1", "bench 1", "probe", "banmoves {m}",
    "setoption name Hash value {h}", "setoption name MultiPV value {d}", "setoption Threads {d}",
    "setoption name Threads value {d}", "setoption name Skill Level value {n}", "xboard", "",
    "setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value {n}",
    "setoption name UCI_ShowWDL value true", "setoption name Clear Hash",
    "setoption randomness large", "setoption newgame", "setoption name Repetition Rule value simple",
    "setoption name No Capture Limit value {n}", "setoption name OwnBook value true",
    "setoption name Book File value /no/such/book", "setoption name SyzygyPath value /etc",
    "setoption name EvalFile value /etc/passwd", "setoption name UCI_AnalyseMode value true",
    "setoption name", "setoption name Nonsense value 1", "position", "position fen", "go banana",
    "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "position startpos moves e2e5", "position fen {m}",
]
# These would change which game or protocol the rest is in, or take longer than the patience.
SKIPPED = ("UCI_Variant", "UCI_XiangqiRanks", "UCI_Chess960", "bench", "speedtest")
UNWANTED = {b"quit", b"uci", b"ucci", b"go"}
TERMINAL = ("bestmove", "nobestmove")


class Failed(Exception):
    """What was wrong, in words."""


def starved(pid):
    """Seconds that each thread of a process was kept waiting for a processor."""
    waits = {}
    for path in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
        try:
            waits[path.parent.name] = int(path.read_text().split()[1]) / 1e9
        except OSError:
            continue  # the thread has ended
    return waits


class Patience:
    """How long one waits yet, seconds in which the engine or this script starved not counted."""

    def __init__(self, pid, seconds):
        self.pids, self.seconds, self.begun = (pid, "self"), seconds, time.monotonic()
        self.before = [starved(pid) for pid in self.pids]
        self.most = [0.0 for _ in self.pids]

    def left(self):
        spent = time.monotonic() - self.begun
        if spent < self.seconds:
            return self.seconds - spent
        for index, pid in enumerate(self.pids):
            for thread, wait in starved(pid).items():
                wait -= self.before[index].get(thread, 0.0)
                self.most[index] = max(self.most[index], wait)
        return self.seconds - spent + sum(self.most)


class Engine:
    """A process, the lines it writes, and the last things said to it."""

    def __init__(self, command, patience):
        self.patience, self.marks = patience, 0
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.lines = queue.Queue()
        self.errors = b""
        self.past = collections.deque(maxlen=60)
        threading.Thread(target=self.read, daemon=True).start()
        threading.Thread(target=self.read_errors, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.decode("utf-8", "replace").rstrip("\r\n"))
        self.lines.put(None)

    def read_errors(self):
        self.errors += self.process.stderr.read()

    def send(self, data):
        if isinstance(data, str):
            data = data.encode()
        self.past.append(b">> " + data[:200])
        try:
            self.process.stdin.write(data + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Failed(f"the engine is gone: {error}") from error

    def until(self, ends):
        """Lines up to the first for which `ends` says so."""
        heard, patience = [], self.wait()
        while True:
            try:
                line = self.lines.get(timeout=self.patience)
            except queue.Empty:
                if patience.left() > 0:
                    continue
                raise Failed(f"silent for {self.patience} s") from None
            if line is None:
                raise Failed(f"the engine ended: {self.errors!r}")
            self.past.append(b"<< " + line.encode()[:200])
            heard.append(line)
            if ends(line):
                return heard

    def wait(self):
        return Patience(self.process.pid, self.patience)

    def ask(self):
        """Asks for something that an idle engine refuses by name, in its turn; returns the name.

        A `readyok` or a board might be the answer to an earlier line: noise contains such words.
        """
        self.marks += 1
        mark = f"'/no/such/folder/{self.marks}'"
        self.send("export_net " + mark.strip("'"))
        return mark

    def sync(self):
        """What an idle engine says to all that it was sent."""
        mark = self.ask()
        return self.until(lambda line: mark in line)[:-1]

    def close(self):
        self.send("quit")
        patience = self.wait()
        while self.process.poll() is None:
            if patience.left() <= 0:
                raise Failed(f"still there {self.patience} s after the end")
            time.sleep(0.002)
        if self.process.returncode != 0 or self.errors:
            raise Failed(f"exit code {self.process.returncode}, {self.errors!r}")


class Chess:
    fens = CHESS_FENS

    @staticmethod
    def moves(fen):
        return [move.uci() for move in chess.Board(fen).legal_moves]

    @staticmethod
    def line_is_legal(fen, line):
        board = chess.Board(fen)
        for text in line:
            move = chess.Move.from_uci(text)
            if move not in board.legal_moves:
                return False
            board.push(move)
        return True


class Xiangqi:
    fens = XIANGQI_FENS

    @staticmethod
    def fairy(move):
        """Ranks from one, as pyffish has them, of ranks from nought."""
        return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"

    @staticmethod
    def plain(move):
        at = 3 if move[1:3] == "10" else 2
        return f"{move[0]}{int(move[1:at]) - 1}{move[at]}{int(move[at + 1:]) - 1}"

    @classmethod
    def moves(cls, fen):
        return [cls.plain(move) for move in pyffish.legal_moves("xiangqi", fen, [])]

    @classmethod
    def line_is_legal(cls, fen, line):
        for text in line:
            fen = played(fen, cls.fairy(text))
            if fen is None:
                return False
        return True


@functools.lru_cache(maxsize=1 << 16)
def played(fen, move):
    """The position after a move of xiangqi, if it is legal."""
    if move not in pyffish.legal_moves("xiangqi", fen, []):
        return None
    return pyffish.get_fen("xiangqi", fen, [move])


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", type=pathlib.Path, default="target/release/twofold")
    parser.add_argument("--sequences", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=2.0)
    return parser.parse_args()


class Fuzz:
    def __init__(self, rng, engine, game, ucci):
        self.rng, self.engine, self.game, self.ucci = rng, engine, game, ucci
        self.counts = collections.Counter()

    def fill(self, template, moves):
        words = {"d": self.rng.randint(1, 6), "n": self.rng.choice([0, 1, 2, 16, 500, 3000]),
                 "h": self.rng.choice([0, 1, 16, 64]), "t": self.rng.choice([0, 1, 20, 60]),
                 "m": self.rng.choice(moves) if moves else "a1a2"}
        return template.format(**words)

    def mutated(self, line):
        data = bytearray(line.encode())
        for _ in range(self.rng.randint(1, 3)):
            at = self.rng.randint(0, len(data))
            match self.rng.randint(0, 5):
                case 0:
                    data[at:at + 1] = b""
                case 1:
                    data[at:at] = bytes([self.rng.randint(0, 255)])
                case 2:
                    data[at:at + 1] = bytes([self.rng.randint(0, 255)])
                case 3:
                    data = data[:at]
                case 4:
                    data += b" " + bytes(data[at:])
                case 5:
                    words = data.split(b" ")
                    self.rng.shuffle(words)
                    data = bytearray(b" ".join(words))
        return bytes(data).replace(b"\n", b" ")

    def noise(self):
        """Lines that leave the engine idle."""
        for _ in range(self.rng.randint(0, 4)):
            kind = self.rng.random()
            line = self.fill(self.rng.choice(NOISE), ["h2e2", "e2e4", "zzzz"])
            if kind < 0.2:
                line = bytes(self.rng.randrange(256) for _ in range(self.rng.randint(1, 300)))
                line = line.replace(b"\n", b"")
            elif kind < 0.21:
                line = b"x" * 200_000
            elif kind < 0.55:
                line = self.mutated(line)
            elif any(word in line for word in SKIPPED):
                continue
            text = line if isinstance(line, bytes) else line.encode()
            # Words that end the session, change the protocol, or begin a search of their own, be
            # it behind words that are passed over.
            if UNWANTED & set(text.lower().split()) or any(
                    word.lower().encode() in text.lower() for word in SKIPPED):
                continue
            self.engine.send(text)
            self.counts["lines of noise"] += 1

    def position(self):
        """Sets a position a few random moves away from a known one."""
        fen, played = self.rng.choice(self.game.fens), []
        for _ in range(self.rng.randint(0, 6)):
            now = fen
            if played:
                now = after(self.game, fen, played)
            moves = self.game.moves(now)
            if not moves:
                break
            played.append(self.rng.choice(moves))
        line = f"position fen {fen}" + (" moves " + " ".join(played) if played else "")
        self.engine.send(line)
        return fen, played

    def where(self):
        """The position as the engine has it; a new one where the last was refused (UCCI)."""
        while True:
            self.engine.send("d")
            lines = self.engine.sync()
            drawn = [line[len("Fen: "):] for line in lines if line.startswith("Fen: ")]
            if len(drawn) == 1:
                return drawn[0]
            if drawn or "info message no position" not in lines:
                raise Failed(f"{len(drawn)} boards drawn for one question")
            self.position()
            self.engine.sync()

    def answers(self, heard):
        """The answers to `go`. UCCI has `nobestmove` for a `stop` without a search as well."""
        words = ("bestmove",) if self.ucci else TERMINAL
        return [line for line in heard if line.startswith(words)]

    def settle(self):
        """What is said until the engine does what only an idle one does."""
        heard, marks, patience = [], [], self.engine.wait()
        while patience.left() > 0:
            marks.append(self.engine.ask())
            self.engine.send("isready")
            heard += self.engine.until(lambda line: line == "readyok")
            if any(mark in line for line in heard for mark in marks):
                return heard
            time.sleep(0.001)
        raise Failed(f"busy {self.engine.patience} s after the stop")

    def sequence(self):
        rng, engine = self.rng, self.engine
        self.noise()
        engine.send("setoption newgame" if self.ucci else "ucinewgame")
        heard = engine.sync()
        if self.answers(heard):
            raise Failed("an answer that nobody asked for")
        self.position()
        if rng.random() < 0.5:
            self.noise()
        stray = engine.sync()
        if self.answers(stray):
            raise Failed("an answer that nobody asked for")
        fen = self.where()
        moves = self.game.moves(fen)
        go = self.fill(rng.choice(GOS), moves)
        strange = rng.random() < 0.3
        data = self.mutated(go) if strange else go.encode()
        engine.send(data)
        if rng.random() < 0.5:
            time.sleep(rng.choice([0, 0.001, 0.01]))
        if rng.random() < 0.3:
            engine.send(rng.choice(["isready", "ponderhit", "d", "nonsense"]))
        engine.send("stop")
        if not strange and "perft" not in go:
            heard = engine.until(lambda line: line.startswith(TERMINAL))
        else:
            heard = self.settle()
        heard += engine.sync()
        self.check(heard, fen, moves, data, strange)

    def check(self, heard, fen, moves, data, strange):
        answers = self.answers(heard)
        self.counts["answers"] += len(answers)
        if len(answers) > 1:
            raise Failed(f"{len(answers)} answers to {data!r}")
        if not answers:
            if self.ucci and moves and not strange and b"perft" not in data:
                raise Failed(f"no move in {fen}, where there is one")
            return
        if not strange and b"perft" in data:
            raise Failed("perft was answered with a move")
        words = answers[0].split()
        if words[0] == "nobestmove" or words[1] == "(none)":
            if moves and not strange and b"searchmoves" not in data:
                raise Failed(f"no move in {fen}, where there is one")
            return
        line = [words[1]] + (words[3:4] if words[2:3] == ["ponder"] else [])
        if not self.game.line_is_legal(fen, line):
            raise Failed(f"{answers[0]!r} is not legal in {fen}")
        for info in heard:
            words = info.split()
            if words[:1] == ["info"] and "pv" in words and "string" not in words[:2]:
                pv = words[words.index("pv") + 1:]
                self.counts["lines of thought"] += 1
                if not self.game.line_is_legal(fen, pv):
                    raise Failed(f"{info!r} is not legal in {fen}")


def after(game, fen, played):
    if game is Chess:
        board = chess.Board(fen)
        for move in played:
            board.push_uci(move)
        return board.fen()
    return pyffish.get_fen("xiangqi", fen, [Xiangqi.fairy(move) for move in played])


SESSIONS = {
    "chess over UCI": (Chess, ["uci"], False, []),
    "xiangqi over UCI": (Xiangqi, ["uci", "--game", "xiangqi"], False,
                         ["setoption name UCI_XiangqiRanks value pikafish"]),
    "xiangqi over UCCI": (Xiangqi, ["ucci"], True, []),
}


def main():
    options = arguments()
    rng = random.Random(options.seed)
    counts = collections.Counter()
    done, begun = 0, time.monotonic()
    while done < options.sequences:
        name = rng.choice(list(SESSIONS))
        game, words, ucci, setup = SESSIONS[name]
        engine = Engine([str(options.engine), *words], options.patience)
        fuzz = Fuzz(rng, engine, game, ucci)
        try:
            for line in ["ucci" if ucci else "uci", *setup]:
                engine.send(line)
            engine.sync()
            for _ in range(min(rng.randint(1, 200), options.sequences - done)):
                fuzz.sequence()
                done += 1
            engine.close()
        except Failed as error:
            engine.process.kill()
            for line in engine.past:
                print(line.decode("utf-8", "backslashreplace"))
            print(f"FAILED after {done} sequences, {name}: {error}")
            sys.exit(1)
        counts += fuzz.counts
        counts["sessions"] += 1
    figures = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(f"{done} sequences in {time.monotonic() - begun:.0f} s, {figures}: nothing wrong")


if __name__ == "__main__":
    main()
