//! The table: every option in one place, a line each.
//!
//! A line names the option for our code, for UCI and for UCCI (`None` where that protocol does
//! not have it), and says what it may be. The order is that of the declarations. Only what works
//! is declared.

use crate::protocol::Dialect;

/// What an option may be, and what it is to begin with.
pub(super) enum Kind {
    /// True or false.
    Check(bool),
    /// A whole number.
    Spin {
        /// To begin with.
        default: i64,
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// As `Spin` from 1 on, but UCCI may also say 0: the engine decides.
    Amount {
        /// To begin with.
        default: i64,
        /// The most.
        max: i64,
    },
    /// One word of several.
    Combo {
        /// To begin with.
        default: &'static str,
        /// All of them.
        choices: &'static [&'static str],
    },
    /// Something to press: no value.
    Button,
    /// Any text.
    Text(&'static str),
}

use Kind::{Amount, Button, Check, Combo, Spin, Text};

/// One line of the table.
pub(super) struct Spec {
    pub id: OptionId,
    pub uci: Option<&'static str>,
    pub ucci: Option<&'static str>,
    pub kind: Kind,
}

/// Makes the names of our code and the table from the same lines, so that they cannot part.
macro_rules! options {
    ($($(#[$doc:meta])+ $id:ident: $uci:expr, $ucci:expr, $kind:expr;)+) => {
        /// The options, in the order in which they are declared.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(usize)]
        pub enum OptionId {
            $($(#[$doc])+ $id,)+
        }

        pub(super) static TABLE: [Spec; [$(OptionId::$id),+].len()] =
            [$(Spec { id: OptionId::$id, uci: $uci, ucci: $ucci, kind: $kind }),+];
    };
}

const GAMES: &[&str] = &["chess", "xiangqi"];
const RANKS: &[&str] = &["fairy", "pikafish"];
const AMOUNTS: &[&str] = &["none", "small", "medium", "large"];
const RULES: &[&str] = &["asian", "computer", "chinese", "simple"];

options! {
    /// The unit of UCCI clocks: milliseconds, or seconds.
    UseMillisec: None, Some("usemillisec"), Check(true);
    /// UCCI: no input is acted upon during a search.
    Batch: None, Some("batch"), Check(false);
    /// More remarks. In UCI a command instead.
    Debug: None, Some("debug"), Check(false);
    /// Transposition table in MiB; 0 leaves it to the engine.
    Hash: Some("Hash"), Some("hashsize"), Amount { default: 16, max: 1_048_576 };
    /// Search threads; 0 leaves it to the engine.
    Threads: Some("Threads"), Some("threads"), Amount { default: 1, max: 1024 };
    /// The client will ponder.
    Ponder: Some("Ponder"), Some("ponder"), Check(false);
    /// How many best lines to show.
    MultiPv: Some("MultiPV"), Some("multipv"), Spin { default: 1, min: 1, max: 256 };
    /// Time in milliseconds lost per move outside the engine.
    MoveOverhead: Some("Move Overhead"), Some("moveoverhead"), Spin { default: 30, min: 0, max: 5000 };
    /// Forget what the hash table holds.
    ClearHash: Some("Clear Hash"), None, Button;
    /// UCCI: a new game begins.
    NewGame: None, Some("newgame"), Button;
    /// Castling is written as the king taking its rook.
    Chess960: Some("UCI_Chess960"), None, Check(false);
    /// Every score comes with the chances of win, draw and loss.
    ShowWdl: Some("UCI_ShowWDL"), None, Check(false);
    /// Which game UCI plays.
    Variant: Some("UCI_Variant"), None, Combo { default: "chess", choices: GAMES };
    /// How the ranks of xiangqi moves are numbered over UCI.
    XiangqiRanks: Some("UCI_XiangqiRanks"), None, Combo { default: "fairy", choices: RANKS };
    /// The search serves analysis: it does not end early.
    AnalyseMode: Some("UCI_AnalyseMode"), None, Check(false);
    /// Strength from 0, the weakest, to 20, all of it.
    SkillLevel: Some("Skill Level"), Some("skilllevel"), Spin { default: 20, min: 0, max: 20 };
    /// Play only as strongly as `Elo` says.
    LimitStrength: Some("UCI_LimitStrength"), Some("limitstrength"), Check(false);
    /// The rating to play like.
    Elo: Some("UCI_Elo"), Some("elo"), Spin { default: 1500, min: 500, max: 2850 };
    /// UCCI: how much chance there is in the choice of a move.
    Randomness: None, Some("randomness"), Combo { default: "none", choices: AMOUNTS };
    /// UCCI: give a game up at this many centipawns against us; 0 for never.
    GiveUp: None, Some("giveup"), Spin { default: 0, min: 0, max: 9000 };
    /// How repetitions are judged in xiangqi.
    RepetitionRule: Some("Repetition Rule"), Some("repetition"), Combo { default: "asian", choices: RULES };
    /// Plies without a capture that draw a game of xiangqi; 0 for never.
    NoCaptureLimit: Some("No Capture Limit"), Some("natural"), Spin { default: 120, min: 0, max: 1000 };
    /// A file of weights to evaluate chess with; empty for the built-in evaluation.
    EvalFile: Some("EvalFile"), None, Text("");
    /// The same for xiangqi.
    EvalFileXiangqi: Some("EvalFileXiangqi"), Some("evalfile"), Text("");
    /// Moves of the book are played at once.
    OwnBook: Some("OwnBook"), None, Check(false);
    /// The same in UCCI.
    UseBook: None, Some("usebook"), Check(true);
    /// The book; in UCCI several, separated by `;`. Empty for none.
    BookFile: Some("Book File"), Some("bookfiles"), Text("");
    /// Always the heaviest move of the book, rather than one by lot.
    BestBookMove: Some("Best Book Move"), Some("bestbookmove"), Check(false);
    /// Folders of Syzygy tables; empty for none.
    SyzygyPath: Some("SyzygyPath"), None, Text("");
    /// The least depth of a search that asks the largest tables.
    SyzygyProbeDepth: Some("SyzygyProbeDepth"), None, Spin { default: 1, min: 1, max: 100 };
    /// Wins that the fifty-move rule spoils count as draws.
    Syzygy50MoveRule: Some("Syzygy50MoveRule"), None, Check(true);
    /// Positions with more pieces are not looked up.
    SyzygyProbeLimit: Some("SyzygyProbeLimit"), None, Spin { default: 7, min: 0, max: 7 };
    /// A file that all lines, in and out, are written to as well.
    DebugLogFile: Some("Debug Log File"), None, Text("");
    /// What the engine says of itself.
    EngineAbout: Some("UCI_EngineAbout"), None, Text("Twofold plays chess and xiangqi; MIT OR Apache-2.0");
}

impl OptionId {
    /// What the dialect calls the option; what the other one does, if this one has no such option.
    pub fn name(self, dialect: Dialect) -> &'static str {
        let spec = &TABLE[self as usize];
        let name = spec.name(dialect).or(spec.uci).or(spec.ucci);
        name.unwrap_or_default()
    }
}

impl Spec {
    /// What the dialect calls the option, if it has it.
    pub fn name(&self, dialect: Dialect) -> Option<&'static str> {
        match dialect {
            Dialect::Uci => self.uci,
            Dialect::Ucci => self.ucci,
        }
    }

    /// Is this the option's own name in the dialect? Case, and in UCCI blanks and underscores, do
    /// not count.
    fn is_named(&self, name: &str, dialect: Dialect) -> bool {
        match dialect {
            Dialect::Uci => self.uci.is_some_and(|own| own.eq_ignore_ascii_case(name)),
            Dialect::Ucci => self.ucci == Some(plain(name).as_str()),
        }
    }

    /// UCCI clients have UCI habits, except for `UCI_*`: is this the option's UCI name?
    fn is_named_by_habit(&self, name: &str, dialect: Dialect) -> bool {
        let uci = self.uci.filter(|own| !own.starts_with("UCI_"));
        dialect == Dialect::Ucci && uci.is_some_and(|own| plain(own) == plain(name))
    }

    /// The range of a number in this dialect.
    pub fn range(&self, dialect: Dialect) -> (i64, i64) {
        match self.kind {
            Spin { min, max, .. } => (min, max),
            Amount { max, .. } => (i64::from(dialect == Dialect::Uci), max),
            _ => (0, 0),
        }
    }
}

/// A name as UCCI compares it.
fn plain(text: &str) -> String {
    text.replace([' ', '_'], "").to_ascii_lowercase()
}

/// The option that answers to a name: by its own name in the dialect rather than by habit, since
/// one option's UCI name may be another's in UCCI.
pub(super) fn named(name: &str, dialect: Dialect) -> Option<&'static Spec> {
    let own = TABLE.iter().find(|spec| spec.is_named(name, dialect));
    let by_habit = || TABLE.iter().find(|s| s.is_named_by_habit(name, dialect));
    own.or_else(by_habit)
}
