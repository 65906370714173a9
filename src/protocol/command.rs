//! What a client can ask, whichever protocol it speaks and whatever game it plays.

use crate::protocol::BenchRequest;

/// The two protocols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Universal Chess Interface.
    Uci,
    /// Universal Chinese Chess Protocol 3.0.
    Ucci,
}

/// One line of input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// Nothing to do: an empty line, a remark, or a word that is known and needs no answer.
    Nothing,
    /// `uci` or `ucci`: choose the protocol and introduce yourself.
    Handshake(Dialect),
    /// `isready`.
    IsReady,
    /// `debug on` or `debug off`; `None` where neither was said.
    Debug(Option<bool>),
    /// `setoption`: name and value as they came.
    SetOption {
        /// The name, inner blanks collapsed.
        name: String,
        /// The rest of the line, trimmed at both ends; `None` where no value was given.
        value: Option<String>,
    },
    /// `ucinewgame` and its kin.
    NewGame,
    /// `position`.
    Position(PositionRequest),
    /// `banmoves` (UCCI): moves not to be played from the present position.
    BanMoves(Vec<String>),
    /// `go`.
    Go(GoRequest),
    /// `perft N` or `go perft N`.
    Perft(u32),
    /// `ponderhit`; in UCCI perhaps with a draw offer.
    PonderHit {
        /// The opponent offers a draw.
        draw_offer: bool,
    },
    /// `stop`.
    Stop,
    /// `quit`.
    Quit,
    /// `d`: show the position.
    Show,
    /// `eval`: explain the evaluation.
    Eval,
    /// `bench`, with hash in MiB, threads and depth where given.
    Bench(BenchRequest),
    /// `speedtest`: how fast this machine searches.
    SpeedTest(SpeedTestRequest),
    /// `flip`: exchange the colours.
    Flip,
    /// `export_net`: write the network in use to a file of this name.
    ExportNet(String),
    /// `genfens N seed S book None|FILE`: the whole line, which asks for random openings.
    GenFens(String),
    /// `probe` (UCCI): what the hash table knows of a position.
    Probe(PositionRequest),
    /// `help`.
    Help,
    /// `compiler`: what built this binary, and for what.
    Compiler,
    /// `license`: whose this program is, and what one may do with it.
    License,
}

/// Where a `position` line starts from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Start {
    /// The game's start position.
    StartPosition,
    /// A FEN.
    Fen(String),
    /// Nothing was said: the position stays.
    Unchanged,
}

/// A `position` line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionRequest {
    /// Where from.
    pub start: Start,
    /// The moves played since, as they came.
    pub moves: Vec<String>,
}

/// A `speedtest` line; what is not given is left to the engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SpeedTestRequest {
    /// Search threads.
    pub threads: Option<u32>,
    /// Hash table size in MiB.
    pub hash: Option<u32>,
    /// Length of the test.
    pub seconds: Option<u32>,
}

/// Time and increment of one side in milliseconds, as they came: zero and less occur.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ClockFields {
    /// Time left.
    pub time: Option<i64>,
    /// Time added for each move.
    pub increment: Option<i64>,
}

/// A `go` line. Every field is what was said, not yet what will be done about it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoRequest {
    /// Clocks named by side: White or Red first, then Black.
    pub sides: [ClockFields; 2],
    /// The clock of the side to move, as UCCI names it.
    pub own: ClockFields,
    /// The clock of the other side, as UCCI names it.
    pub opponent: ClockFields,
    /// Moves to the next time control, at least 1.
    pub moves_to_go: Option<u32>,
    /// Time for this one move, in milliseconds.
    pub move_time: Option<i64>,
    /// Depth, as it came: zero is a request of its own in UCCI.
    pub depth: Option<u32>,
    /// Nodes, at least 1.
    pub nodes: Option<u64>,
    /// Mate in so many moves.
    pub mate: Option<u32>,
    /// No answer before `stop`.
    pub infinite: bool,
    /// No answer before `ponderhit` or `stop`.
    pub ponder: bool,
    /// The opponent offers a draw (UCCI).
    pub draw_offer: bool,
    /// Only these root moves, as they came; `None` where the word was not used or listed nothing.
    pub search_moves: Option<Vec<String>>,
    /// Words that made no sense, and were passed over.
    pub skipped: Vec<String>,
}

impl GoRequest {
    /// Is there a limit that ends the search without help from outside, pondering apart?
    pub fn is_bounded(&self) -> bool {
        !self.infinite && self.has_limit()
    }

    /// Is any finite limit given?
    pub fn has_limit(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.mate.is_some()
            || self.move_time.is_some()
            || self.own.time.is_some()
            || self.sides.iter().any(|side| side.time.is_some())
    }
}
