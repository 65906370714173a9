//! What a match is, in types: engines, time controls, openings, adjudication, output.
//!
//! Texts become these types in [`crate::arena::config_file`] (engines.toml) and
//! [`crate::arena::inline`] (engines given on the command line).

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use crate::arena::deadlines::Deadlines;
pub use crate::arena::output_config::{Format, MateUnit, Output, RecordNotation, Wire};
use crate::arena::sprt::Sprt;
use crate::arena::time_control::Limits;
use crate::game::{CastlingText, GameId, RankBase, RepetitionRule, Rules, TextStyle};

/// Why a configuration was refused, in one line for the user.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct ConfigError(pub String);

/// How files hold the rules of a game that may be chosen.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Rules")]
struct RulesText {
    #[serde(with = "RuleText")]
    repetition: RepetitionRule,
    no_capture_limit: Option<u16>,
}

/// How files hold a rule set for repetitions.
#[derive(Serialize, Deserialize)]
#[serde(remote = "RepetitionRule", rename_all = "lowercase")]
enum RuleText {
    Asian,
    Computer,
    Chinese,
    Simple,
}

/// The game of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
#[value(rename_all = "lowercase")]
pub enum GameKind {
    /// Chess from the usual array, or from openings.
    #[default]
    #[serde(alias = "standard")]
    #[value(alias = "standard")]
    Chess,
    /// Chess960: castling by the rook's square.
    #[serde(alias = "fischerandom")]
    #[value(alias = "fischerandom")]
    Chess960,
    /// Xiangqi.
    Xiangqi,
}

impl GameKind {
    /// The rules to play by.
    pub fn id(self) -> GameId {
        match self {
            GameKind::Chess | GameKind::Chess960 => GameId::Chess,
            GameKind::Xiangqi => GameId::Xiangqi,
        }
    }

    /// How the runner itself writes moves and positions.
    pub fn style(self) -> TextStyle {
        let castling = match self {
            GameKind::Chess960 => CastlingText::KingTakesRook,
            GameKind::Chess | GameKind::Xiangqi => CastlingText::KingTarget,
        };
        TextStyle {
            castling,
            ranks: RankBase::Zero,
        }
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GameKind::Chess => "chess",
            GameKind::Chess960 => "chess960",
            GameKind::Xiangqi => "xiangqi",
        })
    }
}

/// The language an engine speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// UCI if the engine answers it, else UCCI; ranks by the options it declares.
    #[default]
    Auto,
    /// UCI; in xiangqi the ranks go by the options that the engine declares.
    Uci,
    /// UCCI, xiangqi only.
    Ucci,
    /// UCI for xiangqi with ranks 1 to 10 and the option `UCI_Variant`.
    UciFairy,
    /// UCI for xiangqi with ranks 0 to 9.
    UciPikafish,
}

/// Is an engine started anew for each game?
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Restart {
    /// Only where it cannot be told of a new game: UCCI without the option `newgame`.
    #[default]
    Auto,
    /// For every game.
    On,
    /// Never, unless it failed.
    Off,
}

/// One engine, ready to be started.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct EngineConfig {
    /// The name in tables and records, unique in a match.
    pub name: String,
    /// The program, found on the search path or by path.
    pub command: PathBuf,
    /// Its arguments; no shell reads them.
    pub args: Vec<String>,
    /// Its working directory; `None`: the directory of the program.
    pub dir: Option<PathBuf>,
    /// The language it speaks.
    pub protocol: Protocol,
    /// The game it plays, if it plays only one.
    pub game: Option<GameKind>,
    /// Raw lines to send after the greeting.
    pub init: Vec<String>,
    /// Options to set, in order; the engine must have them.
    pub options: Vec<(String, String)>,
    /// Options to set where the engine has them.
    pub default_options: Vec<(String, String)>,
    /// Additions to the environment.
    pub env: BTreeMap<String, String>,
    /// Limits of its own; empty: those of the match.
    pub limits: Limits,
    /// A time margin of its own.
    pub time_margin: Option<Duration>,
    /// So many times the usual deadlines of the protocol, for slow starters; `None`: once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_scale: Option<f64>,
    /// `stop` to `bestmove`, for an engine that is slow or quick at it; `None`: as in the match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_time: Option<Duration>,
    /// Is it started for every game?
    pub restart: Restart,
    /// Does it think on the opponent's time?
    pub ponder: bool,
    /// Does it report scores from the first side's view, not from its own?
    pub first_side_scores: bool,
    /// Where its error output goes; `None`: the last lines are kept for reports.
    pub stderr: Option<PathBuf>,
}

impl EngineConfig {
    /// The game it plays, if it plays only one: as it was said, or by a language that only
    /// xiangqi has.
    pub fn only_game(&self) -> Option<GameKind> {
        let by_protocol = match self.protocol {
            Protocol::Auto | Protocol::Uci => None,
            Protocol::Ucci | Protocol::UciFairy | Protocol::UciPikafish => Some(GameKind::Xiangqi),
        };
        self.game.or(by_protocol)
    }

    /// The number set for an option such as `Threads` or `Hash`, under either protocol's name.
    pub fn number_of(&self, names: &[&str]) -> Option<u64> {
        let set = self.options.iter().chain(&self.default_options);
        set.into_iter()
            .find(|(name, _)| names.iter().any(|n| n.eq_ignore_ascii_case(name)))
            .and_then(|(_, value)| value.parse().ok())
    }

    /// Threads the engine computes with.
    pub fn threads(&self) -> usize {
        self.number_of(&["Threads"]).map_or(1, |n| n.clamp(1, 1024)) as usize
    }

    /// Megabytes of its table, or the usual default.
    pub fn hash(&self) -> u64 {
        self.number_of(&["Hash", "hashsize"]).unwrap_or(16)
    }
}

/// How encounters are arranged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
#[value(rename_all = "lowercase")]
pub enum Kind {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first engines meet the rest.
    Gauntlet,
    /// Losers leave.
    Knockout,
    /// Equals meet.
    Swiss,
}

/// What becomes of a match when an engine cannot be started, tried again as often as it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StartFailure {
    /// The engine leaves; the others play on, if at least two are left and the schedule does not
    /// go by results.
    #[default]
    Withdraw,
    /// The match is stopped.
    Stop,
    /// It is tried again for its next game; each failure counts towards the crashes that end the
    /// match.
    Retry,
}

/// How standings are scored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
#[value(rename_all = "lowercase")]
pub enum Scoring {
    /// By points and Elo.
    #[default]
    Points,
    /// Also by levels and points.
    Levels,
}

/// In which order openings are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// As they stand in the file.
    #[default]
    Sequential,
    /// Shuffled by the seed of the match.
    Random,
}

/// For how long an opening is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Policy {
    /// For two games running of each pairing, or for one where openings are not repeated.
    #[default]
    Default,
    /// For all games of an encounter.
    Encounter,
    /// For all games of a round: every pairing plays it.
    Round,
}

impl Policy {
    fn is_default(&self) -> bool {
        *self == Policy::Default
    }
}

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningsConfig {
    /// The file: `.epd`, `.pgn`, or lines of FENs or moves; may end in `.gz`.
    pub file: PathBuf,
    /// In which order.
    pub order: Order,
    /// Number of the first opening, from 1.
    pub start: usize,
    /// Plies taken of each line of moves; 0: all.
    pub plies: usize,
    /// Is an unusable opening an error, not a warning?
    pub strict: bool,
    /// For how long an opening is kept.
    #[serde(skip_serializing_if = "Policy::is_default")]
    pub policy: Policy,
}

impl Default for OpeningsConfig {
    fn default() -> OpeningsConfig {
        OpeningsConfig {
            file: PathBuf::new(),
            order: Order::Sequential,
            start: 1,
            plies: 0,
            strict: false,
            policy: Policy::Default,
        }
    }
}

/// Draw by both engines' scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Not before this move number.
    #[serde(default)]
    pub movenumber: u32,
    /// For so many moves of both sides on end...
    pub movecount: u32,
    /// ...no score was farther from zero than this, in centipawns.
    pub score: i32,
}

/// Loss by the engines' scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// For so many of its own moves on end...
    pub movecount: u32,
    /// ...the loser's score was at or below minus this, in centipawns.
    pub score: i32,
    /// Must the winner's score agree?
    #[serde(default)]
    pub twosided: bool,
}

/// Rules of the match, not of the game, that end a game early.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adjudication {
    /// Draw by score.
    pub draw: Option<DrawRule>,
    /// Resignation by score.
    pub resign: Option<ResignRule>,
    /// Draw after so many moves of both sides, the opening not counted.
    pub maxmoves: Option<u32>,
}

/// A whole match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchConfig {
    /// Its name, and that of its directory.
    pub name: String,
    /// Where its state and outputs live.
    pub dir: PathBuf,
    /// The game.
    pub game: GameKind,
    /// Who plays, in order of seed.
    pub engines: Vec<EngineConfig>,
    /// How encounters are arranged.
    pub kind: Kind,
    /// Gauntlet: so many engines meet everybody.
    pub seeds: usize,
    /// Encounters of each pairing.
    pub rounds: u64,
    /// Games of an encounter.
    pub games: u64,
    /// Do colours alternate within an encounter?
    pub swap: bool,
    /// Does the second engine of each pairing open its odd games?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub reverse: bool,
    /// Is each opening used for two games running?
    pub repeat: bool,
    /// Games at once; zero or less: the number of cores plus this.
    pub concurrency: i64,
    /// Seed of all randomness.
    pub seed: u64,
    /// Does the match go on after an engine's failure?
    pub recover: bool,
    /// Failures of one engine that end the match.
    pub max_crashes: u32,
    /// What becomes of it when an engine cannot be started.
    #[serde(default)]
    pub on_start_failure: StartFailure,
    /// Limits of each side, the first side's first.
    pub limits: [Limits; 2],
    /// Time an engine may overstep its limit by.
    pub time_margin: Duration,
    /// Deadline of a move where the limits set none.
    pub move_timeout: Duration,
    /// Deadlines of the protocol.
    pub deadlines: Deadlines,
    /// The openings; `None`: the start position.
    pub openings: Option<OpeningsConfig>,
    /// What ends games early.
    pub adjudication: Adjudication,
    /// In xiangqi: how repetitions are judged, and the limit of moves without a capture.
    #[serde(default, with = "RulesText")]
    pub law: Rules,
    /// In xiangqi: are UCCI engines told which moves the rules of repetition forbid? `None`: where
    /// both players speak UCCI, so that neither knows more than the other.
    pub ban: Option<bool>,
    /// Is a game drawn when both players, UCCI engines, offer it on consecutive moves?
    pub accept_offers: bool,
    /// Must a side have material to win on time?
    pub flag_material: bool,
    /// Is a legal move in the wrong notation illegal?
    pub strict: bool,
    /// Are lines to mate checked, whether they are as long as they say and end with mate?
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub check_mate_pvs: bool,
    /// The sequential test, between the first two engines.
    pub sprt: Option<Sprt>,
    /// Files to write.
    pub output: Output,
    /// How standings are scored.
    pub scoring: Scoring,
    /// Pause of a slot between games.
    pub wait: Duration,
    /// Are engines bound to cores of their own?
    pub affinity: bool,
    /// Event tag of the records.
    pub event: String,
    /// Site tag of the records.
    pub site: String,
}

impl Default for MatchConfig {
    fn default() -> MatchConfig {
        MatchConfig {
            name: "match".to_owned(),
            dir: PathBuf::from("matches/match"),
            game: GameKind::Chess,
            engines: Vec::new(),
            kind: Kind::RoundRobin,
            seeds: 1,
            rounds: 1,
            games: 2,
            swap: true,
            reverse: false,
            repeat: true,
            concurrency: 1,
            seed: 0,
            recover: true,
            max_crashes: 10,
            on_start_failure: StartFailure::default(),
            limits: [Limits::default(); 2],
            time_margin: Duration::ZERO,
            move_timeout: Duration::from_secs(60),
            deadlines: Deadlines::default(),
            openings: None,
            adjudication: Adjudication::default(),
            law: Rules::default(),
            ban: None,
            accept_offers: true,
            flag_material: true,
            strict: false,
            check_mate_pvs: false,
            sprt: None,
            output: Output::default(),
            scoring: Scoring::Points,
            wait: Duration::ZERO,
            affinity: false,
            event: "Twofold match".to_owned(),
            site: "?".to_owned(),
        }
    }
}

impl MatchConfig {
    /// Checks what the types cannot.
    ///
    /// # Errors
    /// In one line for the user.
    pub fn validated(mut self) -> Result<MatchConfig, ConfigError> {
        let fail = |message: String| Err(ConfigError(message));
        if self.engines.len() < 2 {
            return fail(format!("match `{}` needs at least two players", self.name));
        }
        for (i, engine) in self.engines.iter().enumerate() {
            if engine.name.is_empty() || engine.name.contains(char::is_control) {
                return fail(format!("{:?} is no name of an engine", engine.name));
            }
            if self.engines[..i].iter().any(|e| e.name == engine.name) {
                return fail(format!("two players are named `{}`", engine.name));
            }
            if engine.game.is_none() && engine.only_game().is_some_and(|game| game != self.game) {
                return fail(format!(
                    "`{}` speaks a language for xiangqi only",
                    engine.name
                ));
            }
            if let Some(game) = engine.game
                && game.id() != self.game.id()
            {
                return fail(format!("`{}` plays {game}, not {}", engine.name, self.game));
            }
            if let Some(scale) = engine.time_scale
                && !(scale > 0.0 && scale <= 1000.0)
            {
                let name = &engine.name;
                return fail(format!(
                    "`{name}`: tscale {scale}: a number above 0, at most 1000, is expected"
                ));
            }
            if engine.limits.is_empty() && self.limits.iter().any(Limits::is_empty) {
                return fail(format!("`{}` has no time control or limit", engine.name));
            }
        }
        let engines = self.engines.iter().map(|engine| &engine.limits);
        let limit = engines.chain(&self.limits).find_map(Limits::nothing);
        if let Some(limit) = limit.or(self.adjudication.nothing()) {
            return fail(format!("{limit} must be above 0"));
        }
        if self.rounds == 0 || self.games == 0 {
            return fail("rounds and games must be at least 1".to_owned());
        }
        let is_fixed = matches!(self.kind, Kind::RoundRobin | Kind::Gauntlet);
        if !is_fixed && (self.reverse || self.policy() != Policy::Default) {
            return fail("reverse and openings.policy are for round robins and gauntlets".into());
        }
        if let Some(openings) = &mut self.openings {
            openings.strict |= self.strict;
            if openings.start == 0 {
                return fail("openings.start = 0: openings count from 1".to_owned());
            }
            if openings.file.as_os_str().is_empty() {
                return fail("openings need a file: file=PATH".to_owned());
            }
        }
        if self.seeds == 0 || self.seeds > self.engines.len() {
            return fail(format!(
                "seeds = {}: a whole number from 1 to the {} players is expected",
                self.seeds,
                self.engines.len()
            ));
        }
        self.output.check(self.game).map_err(ConfigError)?;
        if let Some(sprt) = self.sprt {
            sprt.validated()
                .map_err(|e| ConfigError(format!("sprt: {e}")))?;
            if self.engines.len() != 2 {
                return fail("a sequential test needs exactly two players".to_owned());
            }
        }
        Ok(self)
    }

    /// Are results counted in pairs of one opening with colours swapped?
    pub fn has_pairs(&self) -> bool {
        let is_kept = self.repeat || self.policy() != Policy::Default;
        self.games == 2 && self.swap && is_kept
    }

    /// For how long an opening is kept.
    pub fn policy(&self) -> Policy {
        self.openings
            .as_ref()
            .map_or_else(Policy::default, |o| o.policy)
    }
}
