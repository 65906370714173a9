#!/usr/bin/env python3
"""The calls of python-chess's engine module, one after the other, against Twofold.

    pip install chess            # python-chess 1.11 or later
    cargo build --release
    python3 tests/clients/python_chess_api.py [--engine PATH] [--games 50] [--syzygy FOLDER]

The options among them, with a book of one line that is made here and with endgame tables where the
folder has any. Raises at the first call that does not do what python-chess documents; python-chess itself raises
on an illegal move, a line out of place or an engine that ends.
"""

import argparse
import pathlib
import random
import struct
import subprocess
import tempfile
import time

import chess
import chess.engine
import chess.polyglot

from chess.engine import Limit, Mate

TABLES = pathlib.Path(__file__).resolve().parents[2] / "../shared/data/syzygy"
# Generous: what is too slow for it hangs, on a busy machine too.
LONGEST_PING = 1.0
# Moves that no engine thinks of by itself.
BOOK_LINE = "a2a4 h7h5 a4a5 h5h4 h2h3 a7a6".split()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--engine", default="target/release/twofold")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--syzygy", type=pathlib.Path, default=TABLES)
    return parser.parse_args()


def options(engine):
    assert engine.id["name"].startswith("Twofold")
    for name in ("Hash", "Threads", "Move Overhead", "Ponder", "MultiPV", "UCI_Chess960"):
        assert name in engine.options, name
    for value in (1, 32, 16):
        engine.configure({"Hash": value})
    engine.configure({"Threads": 2, "Move Overhead": 10})
    engine.configure({"Threads": 1})
    if "Clear Hash" in engine.options:
        engine.configure({"Clear Hash": None})
    try:
        engine.configure({"Hash": -5})
    except chess.engine.EngineError:
        pass
    else:
        raise AssertionError("python-chess knows the range of Hash")
    engine.ping()


def win_draw_loss(engine):
    """Chances come with every score once they are asked for, and not before."""
    board = chess.Board()
    assert "wdl" not in engine.analyse(board, Limit(depth=4))
    engine.configure({"UCI_ShowWDL": True})
    for fen, least in ((chess.STARTING_FEN, 0), ("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", 900)):
        wdl = engine.analyse(chess.Board(fen), Limit(depth=4))["wdl"].white()
        assert wdl.total() == 1000 and wdl.wins >= least, (fen, wdl)
    engine.configure({"UCI_ShowWDL": False})
    assert "wdl" not in engine.analyse(board, Limit(depth=4))


def strength(engine):
    """Weaker play is legal play, and not the same each time; full strength comes back."""
    board, full = chess.Board(), {"UCI_LimitStrength": False, "Skill Level": 20}
    for weak in ({"UCI_LimitStrength": True, "UCI_Elo": 500}, {"Skill Level": 0}):
        engine.configure(weak)
        moves = {engine.play(board, Limit(nodes=2000)).move for _ in range(20)}
        assert len(moves) > 1 and moves <= set(board.legal_moves), (weak, moves)
        engine.configure(full)
    # A queen can be had, behind a check.
    fork = chess.Board("q3k3/8/8/1N6/8/8/4PPPP/6K1 w - - 0 1")
    for strong in ({"UCI_LimitStrength": True, "UCI_Elo": engine.options["UCI_Elo"].max}, full):
        engine.configure(strong)
        assert engine.play(fork, Limit(nodes=20000)).move.uci() == "b5c7", strong
    engine.configure(full)


def tables(engine, folder):
    """Endings whose value no shallow search sees; False where there are no tables."""
    if not (folder / "KPvK.rtbw").exists():
        return False
    won, drawn = chess.Board("8/8/8/8/5k2/8/3PK3/8 w - - 0 1"), chess.Board("8/8/8/4k3/8/8/3P4/3K4 w - - 0 1")
    engine.configure({"SyzygyPath": str(folder)})
    for board, least, most in ((won, 10000, 30000), (drawn, 0, 0)):
        info = engine.analyse(board, Limit(depth=2))
        score = info["score"].relative.score(mate_score=30000)
        assert least <= score <= most and info["tbhits"] > 0, (board.fen(), info)
        assert engine.play(board, Limit(depth=2)).move in board.legal_moves
    engine.configure({"SyzygyPath": ""})
    info = engine.analyse(won, Limit(depth=2))
    assert info["tbhits"] == 0 and info["score"].relative.score(mate_score=30000) < 10000, info
    return True


def write_book(path):
    """A Polyglot book of one line."""
    board, entries = chess.Board(), []
    for move in map(chess.Move.from_uci, BOOK_LINE):
        raw = move.from_square << 6 | move.to_square
        entries.append(struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), raw, 1, 0))
        board.push(move)
    path.write_bytes(b"".join(sorted(entries)))


def book(engine):
    """The book is played while it has moves and is switched on, and never in analysis."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a book.bin"
        write_book(path)
        engine.configure({"Book File": str(path), "OwnBook": True})
        board = chess.Board()
        for move in BOOK_LINE:
            begin = time.monotonic()
            assert engine.play(board, Limit(time=10)).move.uci() == move
            assert time.monotonic() - begin < 5, "a move of the book needs no thinking"
            board.push_uci(move)
        assert engine.play(board, Limit(depth=4)).move in board.legal_moves
        assert engine.analyse(chess.Board(), Limit(depth=8))["pv"][0].uci() != BOOK_LINE[0]
        engine.configure({"OwnBook": False, "Book File": ""})
        assert engine.play(chess.Board(), Limit(depth=8)).move.uci() != BOOK_LINE[0]


def limits(engine):
    """Every kind of limit, and several at once."""
    board = chess.Board()
    for limit in (Limit(time=0.05), Limit(depth=5), Limit(nodes=2000), Limit(mate=1, time=0.2),
                  Limit(white_clock=1, black_clock=1),
                  Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1),
                  Limit(white_clock=5, black_clock=5, remaining_moves=40),
                  Limit(time=0.2, depth=4, nodes=100000), Limit(white_clock=0.01, black_clock=1)):
        begin = time.monotonic()
        reply = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert reply.move in board.legal_moves, limit
        assert time.monotonic() - begin < 10, limit
        if limit.depth:
            assert reply.info["depth"] <= limit.depth, (limit, reply.info)
    # An empty list of root moves: python-chess sends one that cannot be played.
    reply = engine.play(board, Limit(nodes=500), root_moves=[chess.Move.null()])
    assert reply.move is None, "an empty list of root moves"
    over = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.play(over, Limit(time=0.05)).move is None


def analysis(engine):
    board = chess.Board()
    info = engine.analyse(board, Limit(depth=6), multipv=3)
    assert [line["multipv"] for line in info] == [1, 2, 3]
    assert len({line["pv"][0] for line in info}) == 3
    assert all(line["pv"] and line["score"] for line in info)
    scores = [line["score"].relative for line in info]
    assert scores == sorted(scores, reverse=True), scores
    few = chess.Board("7k/8/8/8/8/8/r7/7K w - - 0 1")
    info = engine.analyse(few, Limit(depth=3), multipv=10)
    assert len(info) == few.legal_moves.count()
    root_moves = list(board.legal_moves)[:2]
    info = engine.analyse(board, Limit(depth=4), root_moves=root_moves)
    assert info["pv"][0] in root_moves
    with engine.analysis(board, multipv=2) as lines:
        for line in lines:
            if line.get("depth", 0) >= 5:
                break
        lines.stop()
        assert lines.wait().move in board.legal_moves
    # Left at once, and begun anew.
    for _ in range(20):
        with engine.analysis(board):
            pass
    engine.ping()


def mates(engine):
    for fen, moves in (("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2), ("k7/8/1K6/8/8/8/8/7R w - - 0 1", 1),
                       ("7k/8/8/8/8/2K5/8/RR6 w - - 0 1", 2)):
        info = engine.analyse(chess.Board(fen), Limit(mate=moves))
        assert info["score"].relative == Mate(moves), (fen, info)
    lost = chess.Board("k7/2K5/8/8/8/8/8/1R6 b - - 0 1")
    assert engine.analyse(lost, Limit(depth=8))["score"].relative == Mate(-1)


def pondering(engine):
    board = chess.Board()
    hits = 0
    for ply in range(24):
        if board.is_game_over():
            board = chess.Board()
        reply = engine.play(board, Limit(white_clock=2, black_clock=2), ponder=True)
        assert reply.move in board.legal_moves
        board.push(reply.move)
        if board.is_game_over():
            continue
        # The expected move, and sometimes another.
        answer = reply.ponder if reply.ponder and ply % 3 else next(iter(board.legal_moves))
        hits += answer == reply.ponder
        assert answer in board.legal_moves
        time.sleep(0.02)
        board.push(answer)
    assert hits > 5, hits


def pings_while_it_thinks(path):
    """The calls of python-chess wait for each other, so these lines are written by hand."""
    with subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
        longest = longest_ping(engine)
    assert engine.returncode == 0
    return longest


def longest_ping(engine):
    def send(lines):
        engine.stdin.write(lines + "\n")
        engine.stdin.flush()

    def until(word):
        for line in engine.stdout:
            assert not line.startswith("bestmove") or word == "bestmove", line
            if line.startswith(word):
                return
        raise AssertionError(f"no {word}")

    send("uci\nposition startpos\ngo infinite")
    until("info depth")
    longest = 0.0
    for _ in range(100):
        begin = time.monotonic()
        send("isready")
        until("readyok")
        longest = max(longest, time.monotonic() - begin)
        assert longest < LONGEST_PING, f"isready answered after {longest:.1f} s"
    send("stop")
    until("bestmove")
    send("quit")
    return longest


def games(engine, count):
    """Short games with itself: chess and Chess960 by turns, every fourth one with pondering."""
    chance = random.Random(5)
    plies = 0
    for number in range(count):
        board = chess.Board.from_chess960_pos(chance.randrange(960)) if number % 2 else chess.Board()
        while not board.is_game_over(claim_draw=True) and board.ply() < 160:
            reply = engine.play(board, Limit(nodes=chance.choice((1, 50, 400))), game=number,
                                ponder=number % 4 == 0)
            board.push(reply.move)
            plies += 1
    return plies


def main():
    given = arguments()
    # The engine must not outlive a step that failed.
    with chess.engine.SimpleEngine.popen_uci(given.engine, timeout=30) as engine:
        engine.ping()
        for step in (options, win_draw_loss, strength, book, limits, analysis, mates, pondering):
            step(engine)
            print(f"passed  {step.__name__}", flush=True)
        print("passed  tables" if tables(engine, given.syzygy) else f"no tables in {given.syzygy}")
        took = pings_while_it_thinks(given.engine)
        print(f"passed  isready answered 100 times in a search, {took * 1000:.1f} ms at the longest")
        plies = games(engine, given.games)
        print(f"passed  {given.games} games of {plies} plies, no exception")
        engine.quit()
        assert engine.returncode.result(10) == 0


if __name__ == "__main__":
    main()
