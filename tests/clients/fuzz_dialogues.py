#!/usr/bin/env python3
"""Random dialogues with the real binary: valid, mutated and binary lines, in both protocols.

    pip install chess pyffish             # they say which moves are legal
    cargo build --release
    python3 tests/clients/fuzz_dialogues.py --sequences 20000 --seed 1

A sequence is a new game, some lines of noise, a position, more noise, and a search, which up to
six lines disturb: more searches, positions, options, a new game, `stop`, `ponderhit`, noise. Then
`stop`. Searches and noise are mutated by turns. Afterwards there must be exactly one answer for
each `go` that the protocol accepts, and none for any other line (`dialogue_model.py` says which
those are); the move legal, castling in the form that UCI_Chess960 asks for, and the one that the
last line of thought begins with; all lines of thought legal to their last move; nothing more after
the answer, and no answer to a search that is to wait for `stop` or `ponderhit` before that; each
`isready` answered once. An engine that ends, writes to standard error, or keeps one waiting for
longer than --patience fails. Time in which it, or this script, was ready to run but had no
processor does not count (Linux says how much that was): an engine that sleeps or loops is caught on
a busy machine too. One line of figures at the end; exit code 1 and the dialogue's last lines if
anything failed.
"""

import argparse
import collections
import pathlib
import queue
import random
import subprocess
import sys
import threading
import time

import chess

from dialogue_model import VOID, Chess, Course, Fault, Xiangqi, is_thought, meaning

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
# Kings and rooks where castling is near, and looks odd; in both ways of writing the rights.
CHESS960_FENS = [
    *(chess.Board.from_chess960_pos(number).shredder_fen() for number in (0, 96, 300, 714, 959)),
    "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1",
    "rk5r/pp4pp/8/8/8/8/PP4PP/RK5R w KQkq - 0 1",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 b GBgb - 3 9",
    "5rkr/5ppp/8/8/8/8/5PPP/5RKR w HFhf - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4rkr1/8/8/8/8/8/4P3/2R1K1R1 w KQ - 90 60",
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
    "go perft 2", "go perft", "go nodes 0", "go movetime 0", "go depth {d} searchmoves {m} {m}",
    "go depth 0", "go searchmoves {m} infinite", "go infinite nodes {n}", "go ponder infinite",
]
# Lines for the middle of a search; a search of its own or a position are put in as well.
DISTURBANCES = [
    "isready", "stop", "ponderhit", "ponderhit draw", "d", "eval", "nonsense", "position", "debug on",
    "setoption name MultiPV value {d}", "setoption name Hash value {h}", "setoption Threads {d}",
    "setoption name Threads value {d}", "setoption name Clear Hash", "setoption newgame",
    "setoption name Ponder value true", "setoption name UCI_ShowWDL value true", "ucinewgame",
    "uccinewgame", "position fen 8/8/8/8/8/8/8/8 w - - 0 1", "go banana", "isready", "stop",
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
UNWANTED = {"quit", "uci", "ucci", "go"}
# In the middle of a search, these would change the position in a way that is not known here.
UNKNOWN_EFFECT = {"position", "flip", "banmoves", "genfens", "perft", "speedtest", "ucinewgame", "stop"}
CHESS, CHESS960, XIANGQI = Chess(False), Chess(True), Xiangqi()


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
                line = ""
            if line is None:
                raise Failed(f"the engine ended: {self.errors!r}")
            if line:
                self.past.append(b"<< " + line.encode()[:200])
                heard.append(line)
            if line and ends(line):
                return heard
            if patience.left() <= 0:
                raise Failed(f"no answer for {self.patience} s")

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


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", type=pathlib.Path, default="target/release/twofold")
    parser.add_argument("--sequences", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--patience", type=float, default=2.0)
    return parser.parse_args()


class Fuzz:
    def __init__(self, rng, engine, session, positions):
        self.rng, self.engine = rng, engine
        self.game, self.fens, (protocol, *_), _ = session
        self.ucci = protocol == "ucci"
        self.positions = positions
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

    def noise_line(self):
        """A line that begins no search, nor ends the session; None if chance made none."""
        kind = self.rng.random()
        line = self.fill(self.rng.choice(NOISE), ["h2e2", "e2e4", "zzzz"]).encode()
        if kind < 0.2:
            line = bytes(self.rng.randrange(256) for _ in range(self.rng.randint(1, 300)))
            line = line.replace(b"\n", b"")
        elif kind < 0.21:
            line = b"x" * 200_000
        elif kind < 0.55:
            line = self.mutated(line.decode())
        said, text = meaning(line, self.ucci), line.decode("latin-1").lower().replace("\r", "")
        unwanted = said.kind in UNWANTED or any(word.lower() in text for word in SKIPPED)
        if unwanted or not said.is_clear and any(word in text for word in UNWANTED):
            return None
        return line

    def noise(self, but=()):
        """Lines that leave the engine idle, none of them of these kinds."""
        for _ in range(self.rng.randint(0, 4)):
            line = self.noise_line()
            if line is not None and meaning(line, self.ucci).kind not in but:
                self.engine.send(line)
                self.counts["lines of noise"] += 1

    def position(self):
        """A line for a position a few random moves away from a known one, and its FEN.

        Some come again and again: what pyffish says of them is kept.
        """
        if len(self.positions) > 60 and self.rng.random() < 0.7:
            return self.rng.choice(self.positions)
        start = fen = self.rng.choice(self.fens)
        played = []
        for _ in range(self.rng.choice([0, 0, 1, 2, 4, 6])):
            moves = self.game.moves(fen)
            if not moves:
                break
            played.append(self.pick(fen, moves))
            fen = self.game.after(fen, played[-1])
        line = f"position fen {start}" + (" moves " + " ".join(played) if played else "")
        self.positions.append((line, fen))
        return line, fen

    def pick(self, fen, moves):
        """Any move; in chess, often castling."""
        if self.game is not XIANGQI and self.rng.random() < 0.5:
            board = chess.Board(fen, chess960=self.game.chess960)
            moves = [move.uci() for move in board.generate_castling_moves()] or moves
        return self.rng.choice(moves)

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
            self.engine.send(self.position()[0])
            self.engine.sync()

    def rest(self):
        """What is said until the engine does what only an idle one does.

        UCCI drops lines while a count or a search runs, so it is asked again and again.
        """
        heard, marks, patience = [], [], self.engine.wait()
        while patience.left() > 0:
            marks.append(self.engine.ask())
            self.engine.send("isready")
            heard += self.engine.until(lambda line: line == "readyok")
            if any(mark in line for line in heard for mark in marks):
                return heard + self.engine.sync(), len(marks)
            time.sleep(0.001)
        raise Failed(f"busy for {self.engine.patience} s")

    def quiet(self):
        """The engine is idle now, and has answered nothing: nobody asked."""
        words = ("bestmove",) if self.ucci else ("bestmove", "nobestmove")
        heard, _ = self.rest()
        if any(line.startswith(words) for line in heard):
            raise Failed("an answer that nobody asked for")

    def say(self, course, line, **effect):
        data = line if isinstance(line, bytes) else line.encode()
        self.engine.send(data)
        course.hear(data, **effect)

    def go(self, course, fen):
        """Asks for a search, in good words or mutated ones; returns the line."""
        moves = self.game.moves(fen)
        go = self.fill(self.rng.choice(GOS), moves and [self.pick(fen, moves)])
        line = self.mutated(go) if self.rng.random() < 0.3 else go.encode()
        self.say(course, line)
        self.counts["searches asked for"] += 1
        return line

    def disturb(self, course, fen):
        """One line in the middle of a search."""
        chance = self.rng.random()
        if chance < 0.25:
            self.go(course, fen)
        elif chance < 0.4:
            line, fen = self.position()
            self.say(course, line, fen=fen)
        elif chance < 0.5:
            self.disturb_with_noise(course)
        elif chance < 0.55 and self.ucci:
            self.say(course, "banmoves " + " ".join(self.rng.choices(XIANGQI.moves(fen) or ["a0a1"], k=2)))
        elif chance < 0.55 and self.game is not XIANGQI:
            self.turn_chess960(course)
        elif chance < 0.57 and not self.ucci:
            self.say(course, "uci")
        else:
            self.say(course, self.fill(self.rng.choice(DISTURBANCES), ["a0a1"]), fen=VOID)
        self.counts["disturbances"] += 1

    def disturb_with_noise(self, course):
        line = self.noise_line()
        if line is not None:
            said = meaning(line, self.ucci)
            if said.is_clear and said.kind not in UNKNOWN_EFFECT and b"newgame" not in line.lower():
                self.say(course, line)

    def turn_chess960(self, course):
        """Counts for the next search. Positions of Chess960 are not possible without the option."""
        if self.fens is CHESS_FENS:
            self.game = CHESS if self.game is CHESS960 else CHESS960
            on = str(self.game is CHESS960).lower()
            self.say(course, f"setoption name UCI_Chess960 value {on}", game=self.game)

    def check_refusal(self, line, heard):
        """A line for a search that was none: UCI says so, or counts positions."""
        said = meaning(line, self.ucci)
        told = {"unknown": ("info string Unknown command",),
                "perft": ("info string", "Nodes searched: ")}.get(said.kind)
        if told and said.is_clear and not self.ucci and not any(l.startswith(told) for l in heard):
            raise Failed(f"not a word about {line!r}")

    def prepare(self):
        """A new game, a position, and noise around them; returns the position's FEN."""
        self.noise()
        self.quiet()
        self.engine.send("setoption newgame" if self.ucci else "ucinewgame")
        self.quiet()
        self.engine.send(self.position()[0])
        if self.rng.random() < 0.5:
            self.noise(but=("banmoves",))
        self.quiet()
        return self.where()

    def pause(self, course):
        """Gives the engine time; sometimes asks whether it has answered too early."""
        if self.rng.random() < 0.5:
            time.sleep(self.rng.choice([0, 0.001, 0.01]))
        if self.rng.random() > 0.2:
            return []
        self.say(course, "isready")
        return self.engine.until(lambda line: line == "readyok")

    def sequence(self):
        fen = self.prepare()
        course = Course(self.ucci, self.game, fen)
        first = self.go(course, fen)
        heard = self.pause(course)
        course.check_so_far(heard)
        for _ in range(self.rng.choice([0, 0, 0, 1, 1, 2, 3, 6])):
            self.disturb(course, fen)
            heard += self.pause(course)
            course.check_so_far(heard)
        self.say(course, "stop")
        rest, pings = self.rest()
        heard += rest
        course.echoes["readyok"] += pings
        self.check_refusal(first, heard)
        self.counts["answers"] += len(course.check(heard))
        self.counts["lines of thought"] += sum(map(is_thought, heard))


SESSIONS = {
    "chess over UCI": (CHESS, CHESS_FENS, ["uci"], []),
    "Chess960 over UCI": (CHESS960, CHESS960_FENS, ["uci"],
                          ["setoption name UCI_Chess960 value true"]),
    "xiangqi over UCI": (XIANGQI, XIANGQI_FENS, ["uci", "--game", "xiangqi"],
                         ["setoption name UCI_XiangqiRanks value pikafish"]),
    "xiangqi over UCCI": (XIANGQI, XIANGQI_FENS, ["ucci"], []),
}


def main():
    options = arguments()
    rng = random.Random(options.seed)
    counts, positions = collections.Counter(), collections.defaultdict(list)
    done, begun = 0, time.monotonic()
    while done < options.sequences:
        name = rng.choice(list(SESSIONS))
        _, _, words, setup = SESSIONS[name]
        engine = Engine([str(options.engine), *words], options.patience)
        fuzz = Fuzz(rng, engine, SESSIONS[name], positions[name])
        try:
            for line in [words[0], *setup]:
                engine.send(line)
            engine.sync()
            for _ in range(min(rng.randint(1, 200), options.sequences - done)):
                fuzz.sequence()
                done += 1
            engine.close()
        except (Failed, Fault) as error:
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
