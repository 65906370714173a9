#!/usr/bin/env python3
"""The long proofs of `twofold match`: hundreds of games with real engines, all of them sound.

    apt-get install stockfish fairy-stockfish
    pip install chess pyffish    # python-chess and Fairy-Stockfish's rules, to judge the records
    cargo build --release
    python3 tests/clients/match_proofs.py --out proofs            # everything, on a quiet machine
    python3 tests/clients/match_proofs.py --out proofs --games 4 --only chess-self

Each match is played at 1 s + 0.01 s, two games at once, openings twice with colours swapped.
Afterwards the journal must hold every game once, no illegal move, no loss on time, no stall and
no crash by either engine; every record must be a game by rules that are not ours, its result and
length as the journal has them; no engine may be left running, none be a zombie. One match is
killed with SIGKILL again and again and resumed, and must play the same pairings of the same
openings as the others. `twofold report` makes a page of each. One line of figures for each match;
exit code 1 if anything failed.
"""

import argparse
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

MARK = f"TWOFOLD_PROOF={os.getpid()}".encode()
FAULTS = {"time-forfeit", "illegal-move", "disconnect", "stall", "unterminated"}
SELF = ("name=Twofold A,cmd=self", "name=Twofold B,cmd=self")
UCCI = "name=Twofold (UCCI),cmd=self,proto=ucci"

# Name: game, players, openings; killed and resumed if the last item says so.
MATCHES = {
    "chess-self": ("chess", SELF, "chess.epd", False),
    "xiangqi-self": ("xiangqi", SELF, "xiangqi.epd", False),
    "chess-stockfish": ("chess", ("self", "name=Stockfish,cmd=stockfish"), "chess.epd", False),
    "xiangqi-fairy": ("xiangqi", ("self", "name=Fairy,cmd=fairy-stockfish"), "xiangqi.epd", False),
    "ucci-against-uci": ("xiangqi", (UCCI, "name=Twofold (UCI),cmd=self,proto=uci"),
                         "xiangqi.epd", False),
    "chess960-stockfish": ("chess960", ("self", "name=Stockfish,cmd=stockfish"),
                           "chess960.epd", False),
    "chess-fairy": ("chess", ("self", "name=Fairy,cmd=fairy-stockfish"), "chess.epd", False),
    "chess-killed": ("chess", SELF, "chess.epd", True),
}


class Failed(Exception):
    """A proof that failed, in words."""


def check(condition, what):
    if not condition:
        raise Failed(what)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", type=pathlib.Path, default="target/release/twofold")
    parser.add_argument("--openings", type=pathlib.Path, default="openings")
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--tc", default="1+0.01")
    parser.add_argument("--margin", type=int, default=50, help="milliseconds a clock may overrun")
    parser.add_argument("--concurrency", type=int, default=2)
    parser.add_argument("--only", choices=MATCHES, nargs="+", default=list(MATCHES))
    return parser.parse_args()


def command(options, name):
    game, players, openings, _ = MATCHES[name]
    line = [str(options.engine.resolve()), "match", name, "--game", game, "--tc", options.tc,
            "--timemargin", str(options.margin), "--games", str(options.games),
            "--concurrency", str(options.concurrency), "--out", str(options.out / name),
            "--openings", f"file={options.openings / openings}", "order=random",
            "--srand", "7", "--ratinginterval", "0", "--resume"]
    for player in players:
        line += ["--engine", player]
    return line


def children():
    """The processes of our matches, known by a mark in their environment; zombies show none."""
    found = []
    for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if MARK in environment.read_bytes():
                found.append(int(environment.parent.name))
        except OSError:
            continue
    return [pid for pid in found if pid != os.getpid()]


def zombies_of(pid):
    """Children of a process that have ended and that it has not reaped."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if fields[0] == "Z" and int(fields[1]) == pid:
            found.append(int(status.parent.name))
    return found


def wait(runner, seconds):
    """Waits for the end of a runner, or so many seconds; the exit code, or None."""
    begin = time.monotonic()
    while seconds is None or time.monotonic() - begin < seconds:
        code = runner.poll()
        if code is not None:
            return code
        zombies = zombies_of(runner.pid)
        time.sleep(1)
        # One that is gone by now was only waiting for its turn.
        check(not set(zombies) & set(zombies_of(runner.pid)), f"zombies: {zombies}")
    return None


def play(options, name):
    """Plays a match to its end; returns how often it was killed."""
    is_killed = MATCHES[name][3]
    kills = 0
    log = options.out / f"{name}.log"
    with log.open("ab") as sink:
        while True:
            runner = subprocess.Popen(command(options, name), stdout=sink, stderr=sink,
                                      env={**os.environ, "TWOFOLD_PROOF": str(os.getpid())})
            try:
                # Longer from kill to kill, so that the match comes to its end.
                code = wait(runner, 3 + 3 * kills if is_killed else None)
            finally:
                runner.send_signal(signal.SIGKILL)
                runner.wait()
            if code is not None:
                check(code == 0, f"exit code {code}, see {log}")
                return kills
            kills += 1
            time.sleep(2)
            check(not children(), "engines outlived a runner that was killed")


def journal(options, name):
    lines = (options.out / name / "journal.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[1:]]


def judge_journal(options, entries):
    numbers = sorted(entry["game"] for entry in entries)
    check(numbers == list(range(1, options.games + 1)), "games are missing or were played twice")
    for entry in entries:
        check(entry["termination"] not in FAULTS, f"game {entry['game']}: {entry['reason']}")
    pairs = {}
    for entry in entries:
        pairs.setdefault(entry["pair"], []).append(entry)
    for two in pairs.values():
        check(len(two) == 2 and two[0]["opening"] == two[1]["opening"], "a pair with two openings")
        check(two[0]["first"] == two[1]["second"] != two[0]["second"], "colours were not swapped")


def judge_chess(path, entries):
    import chess.pgn
    with path.open() as file:
        for entry in entries:
            game = chess.pgn.read_game(file)
            check(game is not None and not game.errors, f"game {entry['game']}: {game and game.errors}")
            board = game.end().board()
            plies = len(list(game.mainline_moves()))
            check(plies == entry["plies"], f"game {entry['game']}: {plies} plies in the record")
            if entry["termination"] == "checkmate":
                check(board.is_checkmate(), f"game {entry['game']}: no mate")
            elif entry["termination"] == "stalemate":
                check(board.is_stalemate(), f"game {entry['game']}: no stalemate")
            elif entry["termination"] == "repetition":
                check(board.is_repetition(3), f"game {entry['game']}: no repetition")
            elif entry["termination"] == "move-count":
                check(board.is_fifty_moves(), f"game {entry['game']}: no fifty moves")


def judge_xiangqi(path, entries):
    import pyffish
    start = pyffish.start_fen("xiangqi")
    records = re.split(r"\n\n(?=\[Game )", path.read_text().strip())
    check(len(records) == len(entries), "another number of records than of games")
    for record, entry in zip(records, entries):
        tag = re.search(r'\[FEN "(.*)"\]', record)
        text = re.sub(r"\{[^}]*\}", " ", re.sub(r"^\[.*\]$", "", record, flags=re.M))
        moves = re.findall(r"\b([A-I])([0-9])-([A-I])([0-9])\b", text)
        check(len(moves) == entry["plies"], f"game {entry['game']}: {len(moves)} plies in the record")
        played = []
        fen = tag.group(1) if tag else start
        for from_file, from_rank, to_file, to_rank in moves:
            move = (f"{from_file}{int(from_rank) + 1}{to_file}{int(to_rank) + 1}").lower()
            check(move in pyffish.legal_moves("xiangqi", fen, played),
                  f"game {entry['game']}: {move} is not legal after {' '.join(played)}")
            played.append(move)
        if entry["termination"] in ("checkmate", "stalemate"):
            check(not pyffish.legal_moves("xiangqi", fen, played), f"game {entry['game']}: no mate")


def judge_records(options, name, entries):
    """The records by rules of others; says what was missing for it."""
    path = options.out / name / "games.pgn"
    judge = judge_xiangqi if MATCHES[name][0] == "xiangqi" else judge_chess
    try:
        judge(path, entries)
    except ImportError as error:
        return f"records NOT judged: {error}"
    return "records judged"


def report(options, name):
    page = options.out / f"{name}.html"
    done = subprocess.run([options.engine, "report", options.out / name, "-o", page],
                          capture_output=True, text=True)
    check(done.returncode == 0, f"report: {done.stderr}")


def prove(options, name):
    begin = time.monotonic()
    kills = play(options, name)
    took = time.monotonic() - begin
    check(not children(), f"left behind: {children()}")
    entries = journal(options, name)
    judge_journal(options, entries)
    judged = judge_records(options, name, entries)
    report(options, name)
    points = sum({"1-0": 1.0, "0-1": 0.0}.get(e["result"], 0.5) if e["first"] == 0
                 else {"1-0": 0.0, "0-1": 1.0}.get(e["result"], 0.5) for e in entries)
    plies = sum(entry["plies"] for entry in entries) / len(entries)
    killed = f", killed {kills} times" if kills else ""
    return (f"{len(entries)} games, {points} points for the first, {plies:.0f} plies a game, "
            f"{took:.0f} s{killed}; no fault; {judged}")


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    options.games += options.games % 2
    os.environ["PATH"] += ":/usr/games"
    faults = 0
    for name in options.only:
        try:
            print(f"passed  {name}: {prove(options, name)}", flush=True)
        except Failed as failure:
            faults += 1
            print(f"FAILED  {name}: {failure}", flush=True)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
