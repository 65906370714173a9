//! Game records: PGN, for xiangqi with its own tags and ICCS moves.
//!
//! A comment after a move says what its engine thought: `{+0.35/12 0.512s, n=..., ...}`, scores
//! from the mover's view, mates in plies (`+M5`) as the other runners write them, unless moves are
//! asked for. A move without a score has no score in its comment, never `0.00`.

use std::fmt::Write;
use std::time::{Duration, SystemTime};

use crate::arena::config::{GameKind, MateUnit, RecordNotation};
use crate::arena::outcome::Finish;
use crate::arena::referee::Played;
use crate::game::Side;

/// A score as an engine reported it, from its own view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportedScore {
    /// Centipawns.
    Centipawns(i32),
    /// Mate in so many moves; zero or less: it is mated.
    Mate(i32),
}

/// What is known of a move besides the move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MoveFacts {
    /// The engine's score.
    pub score: Option<ReportedScore>,
    /// Its depth.
    pub depth: Option<u32>,
    /// Its selective depth.
    pub seldepth: Option<u32>,
    /// Nodes searched.
    pub nodes: Option<u64>,
    /// Nodes a second, by its own count.
    pub speed: Option<u64>,
    /// How full its table is, per mille.
    pub table_use: Option<u32>,
    /// Positions found in endgame tables.
    pub table_hits: Option<u64>,
    /// Time used, by the runner's clock.
    pub time: Duration,
    /// The same less the engine's own count of it.
    pub latency: Option<Duration>,
    /// Time left on its clock after the move.
    pub left: Option<Duration>,
    /// Nothing is known: a move of the opening.
    pub is_book: bool,
    /// The expected line.
    pub pv: Vec<String>,
    /// The engine's line that was asked for.
    pub line: Option<String>,
}

/// A whole game, ready to be written.
#[derive(Debug)]
pub struct GameText<'a> {
    /// The game.
    pub game: GameKind,
    /// Names of the sides.
    pub names: [&'a str; 2],
    /// Time controls of the sides.
    pub time_controls: [String; 2],
    /// Event tag.
    pub event: &'a str,
    /// Site tag.
    pub site: &'a str,
    /// Round tag.
    pub round: u64,
    /// Further tags, in order.
    pub tags: Vec<(&'static str, String)>,
    /// When it began.
    pub started: SystemTime,
    /// When it ended.
    pub ended: SystemTime,
    /// The first position, if it is not the usual array.
    pub start_fen: Option<&'a str>,
    /// All moves.
    pub moves: &'a [Played],
    /// What is known of each.
    pub facts: &'a [MoveFacts],
    /// How it ended.
    pub finish: &'a Finish,
    /// Without comments.
    pub min: bool,
    /// How moves are written.
    pub notation: RecordNotation,
    /// What mates are counted in.
    pub mate_unit: MateUnit,
}

/// Writes a game, with an empty line behind it.
pub fn pgn(game: &GameText<'_>) -> String {
    let mut out = String::new();
    for (name, value) in tags(game) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(out, "[{name} \"{}\"]", value.replace(['\n', '\r'], " "));
    }
    out.push('\n');
    out.push_str(&wrapped(&movetext(game)));
    out.push_str("\n\n");
    out
}

fn tags(game: &GameText<'_>) -> Vec<(&'static str, String)> {
    let started = humantime::format_rfc3339_seconds(game.started).to_string();
    let ended = humantime::format_rfc3339_seconds(game.ended).to_string();
    let is_xiangqi = game.game == GameKind::Xiangqi;
    let [first, second] = game.names.map(str::to_owned);
    let mut tags = Vec::new();
    if is_xiangqi {
        tags.push(("Game", "Chinese Chess".to_owned()));
    }
    tags.extend([
        ("Event", game.event.to_owned()),
        ("Site", game.site.to_owned()),
        ("Date", started[..10].replace('-', ".")),
        ("Round", game.round.to_string()),
        (if is_xiangqi { "Red" } else { "White" }, first),
        ("Black", second),
        ("Result", game.finish.result().to_owned()),
    ]);
    match game.game {
        GameKind::Chess => {}
        GameKind::Chess960 => tags.push(("Variant", "Chess960".to_owned())),
        GameKind::Xiangqi => {
            tags.push(("Variant", "Xiangqi".to_owned()));
            let is_wxf = game.notation == RecordNotation::Wxf;
            let format = if is_wxf { "WXF" } else { "ICCS" };
            tags.push(("Format", format.to_owned()));
        }
    }
    if let Some(fen) = game.start_fen {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", fen.to_owned()));
    }
    let [one, other] = &game.time_controls;
    if one == other {
        tags.push(("TimeControl", one.clone()));
    } else {
        let white = if is_xiangqi {
            "RedTimeControl"
        } else {
            "WhiteTimeControl"
        };
        tags.push((white, one.clone()));
        tags.push(("BlackTimeControl", other.clone()));
    }
    let duration = game.ended.duration_since(game.started).unwrap_or_default();
    tags.extend([
        ("GameStartTime", started),
        ("GameEndTime", ended),
        ("GameDuration", clock_text(duration)),
        ("PlyCount", game.moves.len().to_string()),
        (
            "Termination",
            game.finish.termination.tag(game.game).to_owned(),
        ),
    ]);
    tags.extend(game.tags.iter().cloned());
    tags
}

fn clock_text(duration: Duration) -> String {
    let s = duration.as_secs();
    format!("{:02}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

/// Number and side of the first move, from the FEN.
fn first_move(fen: Option<&str>) -> (u32, Side) {
    let mut words = fen.unwrap_or_default().split(' ').skip(1);
    let side = if words.next() == Some("b") {
        Side::Second
    } else {
        Side::First
    };
    let number = words.nth(3).and_then(|word| word.parse().ok());
    (number.unwrap_or(1).max(1), side)
}

fn movetext(game: &GameText<'_>) -> Vec<String> {
    let (mut number, mut side) = first_move(game.start_fen);
    let mut words = Vec::new();
    let mut after_comment = true;
    for (i, played) in game.moves.iter().enumerate() {
        if side == Side::First {
            words.push(format!("{number}."));
        } else if after_comment {
            words.push(format!("{number}..."));
        }
        words.push(match game.notation {
            RecordNotation::Iccs => iccs(&played.own),
            RecordNotation::Uci => played.own.clone(),
            RecordNotation::Lan => lan(played),
            RecordNotation::San | RecordNotation::Wxf => played.record.clone(),
        });
        let last = (i + 1 == game.moves.len()).then_some(game.finish.text.as_str());
        let comment = comment(game, i, last);
        after_comment = comment.is_some();
        words.extend(comment);
        if side == Side::Second {
            number = number.saturating_add(1);
        }
        side = !side;
    }
    if game.moves.is_empty() && !game.min {
        words.push(format!("{{{}}}", escaped(&game.finish.text)));
    }
    words.push(game.finish.result().to_owned());
    words
}

/// `h2e2` as `H2-E2`.
fn iccs(text: &str) -> String {
    match (text.get(..2), text.get(2..)) {
        (Some(from), Some(to)) => {
            format!("{}-{}", from.to_ascii_uppercase(), to.to_ascii_uppercase())
        }
        _ => text.to_owned(),
    }
}

/// Long algebraic notation, `Ng1xf3+`, of a move whose record is SAN.
fn lan(played: &Played) -> String {
    let san = played.record.as_str();
    let (Some(from), Some(to)) = (played.own.get(..2), played.own.get(2..4)) else {
        return san.to_owned();
    };
    let Some(after) = san.rfind(to).and_then(|at| san.get(at + to.len()..)) else {
        // Castling has no squares.
        return san.to_owned();
    };
    let piece: String = san
        .chars()
        .take(1)
        .filter(char::is_ascii_uppercase)
        .collect();
    let sign = if san.contains('x') { 'x' } else { '-' };
    format!("{piece}{from}{sign}{to}{after}")
}

fn comment(game: &GameText<'_>, ply: usize, ending: Option<&str>) -> Option<String> {
    if game.min {
        return None;
    }
    let mut parts = Vec::new();
    match game.facts.get(ply) {
        Some(facts) if facts.is_book => parts.push("book".to_owned()),
        Some(facts) => parts.extend(fact_texts(facts, game.mate_unit)),
        None => {}
    }
    parts.extend(ending.map(escaped));
    (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(", ")))
}

fn fact_texts(facts: &MoveFacts, unit: MateUnit) -> Vec<String> {
    let mut head = String::new();
    if let Some(score) = facts.score {
        let _ = write!(
            head,
            "{}/{} ",
            score_text(score, unit),
            facts.depth.unwrap_or(0)
        );
    }
    let _ = write!(head, "{:.3}s", facts.time.as_secs_f64());
    let mut parts = vec![head];
    parts.extend(facts.nodes.map(|n| format!("n={n}")));
    parts.extend(facts.seldepth.map(|d| format!("sd={d}")));
    parts.extend(facts.speed.map(|n| format!("nps={n}")));
    parts.extend(facts.table_use.map(|n| format!("hashfull={n}")));
    parts.extend(facts.table_hits.map(|n| format!("tbhits={n}")));
    parts.extend(facts.left.map(|t| format!("tl={:.3}", t.as_secs_f64())));
    parts.extend(
        facts
            .latency
            .map(|t| format!("latency={:.3}", t.as_secs_f64())),
    );
    if !facts.pv.is_empty() {
        parts.push(format!("pv=\"{}\"", escaped(&facts.pv.join(" "))));
    }
    if let Some(line) = &facts.line {
        parts.push(format!("line=\"{}\"", escaped(line).replace('"', "'")));
    }
    parts
}

/// `+0.35`, `-12.00`, `+M5`, `-M4`.
pub fn score_text(score: ReportedScore, unit: MateUnit) -> String {
    match score {
        ReportedScore::Centipawns(cp) => {
            let sign = if cp < 0 { '-' } else { '+' };
            let cp = cp.unsigned_abs();
            format!("{sign}{}.{:02}", cp / 100, cp % 100)
        }
        ReportedScore::Mate(n) if unit == MateUnit::Moves => {
            let sign = if n > 0 { '+' } else { '-' };
            format!("{sign}M{}", n.unsigned_abs())
        }
        ReportedScore::Mate(n) if n > 0 => format!("+M{}", 2 * i64::from(n) - 1),
        ReportedScore::Mate(n) => format!("-M{}", 2 * i64::from(n).abs()),
    }
}

/// No text may close its comment.
fn escaped(text: &str) -> String {
    text.replace('}', ")")
        .replace('{', "(")
        .replace(['\n', '\r'], " ")
}

/// Lines of at most 80 characters where the words allow it.
fn wrapped(words: &[String]) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in words
        .iter()
        .flat_map(|word| word.split(' '))
        .filter(|w| !w.is_empty())
    {
        let width = word.chars().count();
        if column > 0 && column + 1 + width > 80 {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
