"""Which answers the two protocols demand of a dialogue: the judge behind fuzz_dialogues.py.

    pip install chess pyffish             # they say which moves are legal

UCI answers every `go` with one `bestmove`, whatever else is said meanwhile. UCCI drops what comes
during a search, so it depends on the engine's speed which lines count: a `Course` follows every
way the dialogue may have gone, and the answers must fit one of them.
"""

import collections
import functools
import re

import chess
import pyffish

# Every word that begins a command, with those of our own and of sister protocols.
WORDS = set("""uci ucci debug isready setoption register ucinewgame uccinewgame uxinewgame newgame
    position fen startpos go stop ponderhit quit banmoves probe d eval perft bench speedtest flip
    export_net help compiler license genfens xboard protover""".split())
# In UCI these are no commands: the words behind them count.
UCCI_WORDS = {"banmoves", "probe"}
SAME = {"fen": "position", "startpos": "position", "uccinewgame": "ucinewgame",
        "uxinewgame": "ucinewgame", "newgame": "ucinewgame"}
LIMITS = {"depth", "nodes", "mate", "movetime", "time", "wtime", "btime"}
# Blanks that the protocols do not speak of: whether they part words is the engine's choice.
STRANGE_BLANK = re.compile(rb"[\v\f]|\xc2[\x85\xa0]|(\xe1\x9a|\xe2[\x80\x81]|\xe3\x80)[\x80-\xbf]?")
# What an engine without a position stands at (UCCI, after a FEN that cannot be).
VOID = None
# What UCCI's `stop` without a search is answered with, in place of a move asked for.
STOPPED_IDLE = None

Meaning = collections.namedtuple("Meaning", "kind words is_clear")
Asked = collections.namedtuple("Asked", "game fen banned words")
# `state`: "idle"; "bounded", a search that may end at any time; "infinite" and "ponder", one that
# must not; "told", one that was told to end. `answers`: what was asked for so far.
Path = collections.namedtuple("Path", "state game fen banned answers")


class Fault(Exception):
    """What was wrong with the answers, in words."""


class Chess:
    def __init__(self, chess960):
        self.chess960 = chess960

    @functools.lru_cache(maxsize=1 << 14)
    def moves(self, fen):
        return [move.uci() for move in chess.Board(fen, chess960=self.chess960).legal_moves]

    @functools.lru_cache(maxsize=1 << 14)
    def is_legal(self, fen, line):
        """Castling must be written as the option says; python-chess takes it in both forms."""
        board = chess.Board(fen, chess960=self.chess960)
        for text in line:
            try:
                move = chess.Move.from_uci(text)
            except chess.InvalidMoveError:
                return False
            if not board.is_legal(move) or board.uci(move) != text:
                return False
            board.push(move)
        return True

    def after(self, fen, move):
        board = chess.Board(fen, chess960=self.chess960)
        board.push_uci(move)
        return board.fen()


class Xiangqi:
    """Moves with ranks from nought; pyffish has ranks from one.

    A call of pyffish takes milliseconds, however much it has to do: one judges a whole line.
    """

    def __init__(self):
        self.sound = set()

    @staticmethod
    def fairy(move):
        return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"

    @staticmethod
    def plain(move):
        at = 3 if move[1:3] == "10" else 2
        return f"{move[0]}{int(move[1:at]) - 1}{move[at]}{int(move[at + 1:]) - 1}"

    @functools.lru_cache(maxsize=1 << 16)
    def moves(self, fen):
        return [self.plain(move) for move in pyffish.legal_moves("xiangqi", fen, [])]

    def is_legal(self, fen, line):
        if (fen, line) in self.sound:
            return True
        if not all(re.fullmatch("[a-i][0-9][a-i][0-9]", text) for text in line):
            return False
        try:
            pyffish.get_fen("xiangqi", fen, [self.fairy(text) for text in line])
        except (SystemError, ValueError):
            return False
        if len(self.sound) > 1 << 18:
            self.sound.clear()
        # What a line begins with need not be asked about again.
        self.sound.update((fen, line[:length]) for length in range(len(line) + 1))
        return True

    @functools.lru_cache(maxsize=1 << 16)
    def after(self, fen, move):
        return pyffish.get_fen("xiangqi", fen, [self.fairy(move)])


def meaning(data, ucci):
    """The command that a line is. UCI passes over words that it does not know, UCCI over lines.

    Carriage returns are left out wherever they stand, and part no words.
    """
    data = data.replace(b"\r", b"")
    text = data.decode("latin-1").lower()
    is_clear = not STRANGE_BLANK.search(data)
    words = [word for word in re.split("[ \t]+", text) if word]
    if not words or words[0].startswith("#"):
        return Meaning("nothing", (), is_clear)
    known = WORDS if ucci else WORDS - UCCI_WORDS
    for index, word in enumerate(words[:1] if ucci else words):
        if word in known:
            rest = tuple(words[index + 1:])
            kind = "perft" if word == "go" and "perft" in rest else SAME.get(word, word)
            return Meaning(kind, rest, is_clear)
    return Meaning("unknown", tuple(words), is_clear)


def depth_asked(words):
    """The last depth that can be read; None where there is none."""
    pairs = zip(words, words[1:])
    depths = [number for word, number in pairs if word == "depth" and re.fullmatch(r"[+-]?\d+", number)]
    return int(depths[-1]) if depths else None


def is_static(words, ucci):
    """UCCI's `go depth 0`, answered with a score and no move."""
    return ucci and depth_asked(words) == 0


def root_moves(asked):
    """The moves that may be answered with, `searchmoves` left aside."""
    if asked.fen is VOID:
        return set()
    return set(asked.game.moves(asked.fen)) - set(asked.banned)


def state_after(asked, ucci):
    """What a search is that has just begun."""
    words = set(asked.words)
    if ucci:
        if not root_moves(asked) or "searchmoves" in words or is_static(asked.words, ucci):
            return "bounded"
        # A finite limit wins over `infinite` there, and a bare `go` is infinite.
        endless = not words & (LIMITS | {"draw"})
    else:
        endless = "infinite" in words
    if "ponder" in words and not endless:
        return "ponder"
    return "infinite" if endless else "bounded"


class Course:
    """Every way in which a dialogue may have gone that began at this position."""

    def __init__(self, ucci, game, fen):
        self.ucci = ucci
        self.paths = {Path("idle", game, fen, (), ())}
        # Lines that must have been said exactly so often.
        self.echoes = collections.Counter()

    @property
    def game(self):
        return next(iter(self.paths)).game

    def hear(self, data, fen=VOID, game=None):
        """A line was sent. `fen`: where a `position` leads; `game`: what an option makes of it."""
        said = meaning(data, self.ucci)
        if said.kind == "isready":
            self.echoes["readyok"] += 1
        if said.kind == "uci" and not self.ucci:
            self.echoes["uciok"] += 1
        readings = [said]
        if not said.is_clear:
            # They may part words, and they may not.
            parted = meaning(STRANGE_BLANK.sub(b" ", data), self.ucci)
            kinds = ("nothing", "go", "perft")
            readings = [said, parted, *(Meaning(kind, parted.words, True) for kind in kinds)]
        step = self.ucci_step if self.ucci else self.uci_step
        self.paths = {step(now, reading, fen, game) for reading in readings
                      for path in self.paths for now in self.meanwhile(path)}

    def meanwhile(self, path):
        """A search that may end has ended, or not yet."""
        if self.ucci and path.state in ("bounded", "told"):
            return [path, path._replace(state="idle")]
        return [path]

    def begun(self, path, said):
        asked = Asked(path.game, path.fen, path.banned, said.words)
        return path._replace(state=state_after(asked, self.ucci), answers=path.answers + (asked,))

    def uci_step(self, path, said, fen, game):
        """All that would disturb a search ends it, and is done then."""
        match said.kind:
            case "go":
                return self.begun(path, said)
            case "position" if fen is not VOID:
                return path._replace(state="told", fen=fen)
            case "position" | "ucinewgame" | "stop" | "perft":
                return path._replace(state="told")
            case "ponderhit" if path.state == "ponder":
                return path._replace(state="bounded")
            case "setoption" if game:
                return path._replace(game=game)
        return path

    def ucci_step(self, path, said, fen, _game):
        """While a search runs most lines are dropped; behind a `stop` they wait for its end."""
        if path.state in ("idle", "told"):
            match said.kind:
                case "go":
                    return self.begun(path, said)
                case "perft":
                    return path._replace(state="bounded")
                case "position" if said.words:
                    return path._replace(fen=fen, banned=())
                case "banmoves":
                    return path._replace(banned=said.words)
                case "stop" if path.state == "idle":
                    return path._replace(answers=path.answers + (STOPPED_IDLE,))
        elif said.kind == "stop":
            return path._replace(state="told")
        elif said.kind == "ponderhit" and path.state == "ponder":
            # Without limits it goes on; that this may end, too, is forgiven.
            return path._replace(state="bounded")
        return path

    def is_terminal(self, line):
        return line.startswith("bestmove") or line.startswith("nobestmove")

    def check_so_far(self, heard):
        """No search has answered that must not answer yet."""
        count = sum(map(self.is_terminal, heard))
        most = max(len(path.answers) - (path.state in ("ponder", "infinite")) for path in self.paths)
        if count > most:
            raise Fault(f"{count} answers where only {most} may have been given")

    def check(self, heard):
        """Everything was said and answered; returns the answers."""
        for line, count in self.echoes.items():
            if heard.count(line) != count:
                raise Fault(f"{line} {heard.count(line)} times instead of {count} times")
        parts, infos = [], []
        for line in heard:
            if self.is_terminal(line):
                parts.append((infos, line))
                infos = []
            elif is_thought(line):
                infos.append(line)
        if infos:
            raise Fault(f"{infos[0]!r} after the last answer")
        faults = [self.fault(path, parts) for path in self.paths]
        if None not in faults:
            raise Fault(max(faults)[1])
        return parts

    def fault(self, path, parts):
        """None where these answers fit; else how many did, and what was wrong then."""
        for index, (asked, (infos, line)) in enumerate(zip(path.answers, parts)):
            if asked is STOPPED_IDLE:
                words = None if line == "nobestmove" and not infos else f"{line!r} without a search"
            else:
                words = answer_fault(asked, infos, line, self.ucci)
            if words:
                return index, words
        if len(path.answers) != len(parts):
            asked = [" ".join(("go", *a.words)) if a else "stop" for a in path.answers]
            return len(parts), f"{len(parts)} answers to {asked}"
        return None


def is_thought(line):
    return line.startswith("info depth ") and " score " in line


def pv_of(info):
    words = info.split()
    return tuple(words[words.index("pv") + 1:]) if "pv" in words else ()


def answer_fault(asked, infos, line, ucci):
    """What is wrong with this answer, if anything."""
    words = line.split()
    if words[0] == "nobestmove" if ucci else words[1:2] == ["(none)"]:
        return None if may_be_without_move(asked, ucci) else f"no move in {asked.fen}, where there is one"
    if words[0] != "bestmove":
        return f"{line!r} is not an answer of this protocol"
    if asked.fen is VOID or is_static(asked.words, ucci):
        return f"{line!r} where no move was wanted"
    shape = r"bestmove \S+( ponder \S+)?" + ("( draw| resign)?" if ucci else "")
    if not re.fullmatch(shape, line):
        return f"{line!r} is not in the form of an answer"
    moves = (words[1],) + ((words[3],) if words[2:3] == ["ponder"] else ())
    lines = [(moves, line), *((pv_of(info), info) for info in infos)]
    # The longest first: the others are often the beginnings of them.
    for said, text in sorted(lines, key=lambda pair: -len(pair[0])):
        if not asked.game.is_legal(asked.fen, said):
            return f"{text!r} is not legal in {asked.fen}"
    allowed = listed(asked) or root_moves(asked)
    if words[1] not in allowed:
        return f"{line!r} is none of {sorted(allowed)}"
    return last_line_fault(words[1], infos)


def last_line_fault(best, infos):
    """Clients take the score from the last line of thought: it must be of the move played."""
    if not infos:
        return f"bestmove {best} without a line of thought"
    last = infos[-1]
    if pv_of(last)[:1] != (best,):
        return f"bestmove {best} after {last!r}"
    if {"lowerbound", "upperbound"} & set(last.split()):
        return f"{last!r} is a bound, and the last"
    return None


def listed(asked):
    """The moves that `searchmoves` confines the answer to, where that is beyond doubt."""
    if asked.words.count("searchmoves") != 1:
        return set()
    moves = asked.words[asked.words.index("searchmoves") + 1:]
    return set(moves) if set(moves) <= root_moves(asked) else set()


def may_be_without_move(asked, ucci):
    if not root_moves(asked) or is_static(asked.words, ucci):
        return True
    return "searchmoves" in asked.words and not listed(asked)
