//! Plays recorded games through, and writes down what the viewer shows of them.
//!
//! Our own board judges every move, so that a damaged record is found here and not by whoever
//! looks at it. For each move the viewer gets the squares that change, three characters for each:
//! file letter, rank digit, and the piece that stands there now or `.` for none. So castling, en
//! passant and promotion need no rule on the page.

use serde::Serialize;

use crate::arena::config::{GameKind, MatchConfig};
use crate::arena::journal::Entry;
use crate::arena::pgn_reader::{self, PgnGame};
use crate::arena::play::limits_of;
use crate::arena::record::{MoveFacts, ReportedScore};
use crate::arena::referee::{Referee, Rules, Styles};
use crate::arena::report::run::{ReportError, Run};
use crate::arena::report::thoughts;
use crate::game::Side;

/// A mate stands for this many centipawns, less one for each move.
const MATE: i32 = 100_000;
/// Moves kept of an expected line.
const LINE: usize = 8;

/// A game as the viewer gets it; lists have an item for each ply.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Replay {
    /// Number of the game in the match.
    pub number: u64,
    /// Its round.
    pub round: u64,
    /// Indices of the engines, the first side's first.
    pub players: [usize; 2],
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: String,
    /// The ending in words.
    pub reason: String,
    /// The first position.
    pub fen: String,
    /// Plies that were not the engines' own choice.
    pub book: usize,
    /// The clocks before the first move in milliseconds, where there are clocks.
    pub clocks: [Option<u64>; 2],
    /// The moves as records write them.
    pub moves: Vec<String>,
    /// The squares that each move changes.
    pub changes: Vec<String>,
    /// Scores in centipawns, seen by the first side; mates near 100,000.
    pub scores: Vec<Option<i32>>,
    /// Depths.
    pub depths: Vec<Option<u32>>,
    /// Nodes searched.
    pub nodes: Vec<Option<u64>>,
    /// Time used, in milliseconds.
    pub times: Vec<u64>,
    /// Time left on the mover's clock, in milliseconds.
    pub left: Vec<Option<u64>>,
    /// The expected line, coordinate moves with blanks between.
    pub lines: Vec<String>,
}

/// The last `limit` games of a match, in the order of their numbers.
///
/// # Errors
/// A record that is not of a game by the rules, with its line.
pub fn replays(run: &Run, rules: &Rules, limit: usize) -> Result<Vec<Replay>, ReportError> {
    let Some(records) = &run.records else {
        return Ok(Vec::new());
    };
    let first = run.entries.len().saturating_sub(limit);
    let mut games = Vec::new();
    for (index, entry) in run.entries.iter().enumerate().skip(first) {
        let (text, lines) = records.of(index);
        let at = |(line, why)| ReportError::Line {
            path: records.path.clone(),
            line: lines + line,
            why,
        };
        let game = recorded(text, entry).map_err(at)?;
        games.push(replay(&run.config, rules, entry, &game).map_err(at)?);
    }
    games.sort_by_key(|game| game.number);
    Ok(games)
}

/// A line, from 1, within the record, and what is wrong with it.
type Fault = (usize, String);

/// The one game of a record.
fn recorded(text: &str, entry: &Entry) -> Result<PgnGame, Fault> {
    let mut games = pgn_reader::games(text);
    let found = games.len();
    let game = games.pop().filter(|_| found == 1);
    // A game that ended before its first move has no record that the reader would count.
    let game = game.or_else(|| (found == 0 && entry.plies == 0).then(PgnGame::default));
    let game = game.ok_or_else(|| (1, format!("{found} games where one was expected")))?;
    if game.moves.len() != entry.plies {
        let (found, wanted) = (game.moves.len(), entry.plies);
        let why = format!("{found} moves in game {}, not {wanted}", entry.game);
        return Err((game.line.max(1), why));
    }
    Ok(game)
}

fn replay(
    config: &MatchConfig,
    rules: &Rules,
    entry: &Entry,
    game: &PgnGame,
) -> Result<Replay, Fault> {
    let style = config.game.style();
    let styles = Styles {
        own: style,
        players: [style; 2],
        ..Styles::default()
    };
    let fail = |why: &dyn ToString| (game.line.max(1), why.to_string());
    let mut referee = rules
        .start(game.fen.as_deref(), styles)
        .map_err(|e| fail(&e))?;
    let mut replay = Replay {
        number: entry.game,
        round: entry.round,
        players: [entry.first, entry.second],
        result: entry.result.clone(),
        reason: entry.reason.clone(),
        fen: referee.fen(),
        book: 0,
        clocks: first_clocks(config, entry),
        moves: Vec::new(),
        changes: Vec::new(),
        scores: Vec::new(),
        depths: Vec::new(),
        nodes: Vec::new(),
        times: Vec::new(),
        left: Vec::new(),
        lines: Vec::new(),
    };
    let mut before = cells(&replay.fen);
    for played in &game.moves {
        let side = referee.side_to_move();
        referee
            .play_own(&played.text)
            .map_err(|e| (played.line, format!("move {}: {e}", played.text)))?;
        let after = cells(&referee.fen());
        replay.changes.push(changes(config.game, &before, &after));
        before = after;
        replay.moves.push(text_of(config.game, referee.as_ref()));
        let unit = config.output.mate_unit;
        replay.add(side, &thoughts::read(&played.comment, unit));
    }
    Ok(replay)
}

impl Replay {
    fn add(&mut self, side: Side, facts: &MoveFacts) {
        let sign = if side == Side::First { 1 } else { -1 };
        self.book += usize::from(facts.is_book);
        self.scores.push(facts.score.map(|s| sign * centipawns(s)));
        self.depths.push(facts.depth);
        self.nodes.push(facts.nodes);
        self.times.push(facts.time.as_millis() as u64);
        self.left.push(facts.left.map(|t| t.as_millis() as u64));
        let line = &facts.pv[..facts.pv.len().min(LINE)];
        self.lines.push(line.join(" "));
    }
}

/// The move that was just played, as the viewer shows it.
fn text_of(game: GameKind, referee: &dyn Referee) -> String {
    let last = referee.moves().last();
    let text = last.map(|played| match game {
        GameKind::Xiangqi => &played.own,
        GameKind::Chess | GameKind::Chess960 => &played.record,
    });
    text.cloned().unwrap_or_default()
}

fn centipawns(score: ReportedScore) -> i32 {
    match score {
        ReportedScore::Centipawns(cp) => cp.clamp(-MATE / 2, MATE / 2),
        ReportedScore::Mate(n) if n > 0 => MATE - n.min(MATE / 4),
        ReportedScore::Mate(n) => -MATE - n.max(-MATE / 4),
    }
}

fn first_clocks(config: &MatchConfig, entry: &Entry) -> [Option<u64>; 2] {
    [(entry.first, Side::First), (entry.second, Side::Second)].map(|(engine, side)| {
        let limits = limits_of(config, config.engines[engine].limits, side);
        let budget = limits.clock.map(|clock| clock.base + clock.increment);
        budget.map(|time| time.as_millis() as u64)
    })
}

/// The squares of a FEN's board, rank by rank from the top, `.` for an empty one.
fn cells(fen: &str) -> Vec<Vec<char>> {
    let board = fen.split(' ').next().unwrap_or_default();
    let rank = |text: &str| {
        let mut cells = Vec::new();
        for c in text.chars() {
            match c.to_digit(10) {
                Some(empty) => cells.extend(std::iter::repeat_n('.', empty as usize)),
                None => cells.push(c),
            }
        }
        cells
    };
    board.split('/').map(rank).collect()
}

fn changes(game: GameKind, before: &[Vec<char>], after: &[Vec<char>]) -> String {
    let lowest = usize::from(game != GameKind::Xiangqi);
    let mut text = String::new();
    for (row, (old, new)) in before.iter().zip(after).enumerate() {
        for (file, (_, new)) in ('a'..)
            .zip(old.iter().zip(new))
            .filter(|(_, (o, n))| o != n)
        {
            let rank = before.len() - 1 - row + lowest;
            text += &format!("{file}{rank}{new}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn castling_and_en_passant_are_changed_squares() {
        let changed =
            |before: &str, after: &str| changes(GameKind::Chess, &cells(before), &cells(after));
        assert_eq!(changed("8/R3K2R", "8/R4RK1"), "e1.f1Rg1Kh1.");
        assert_eq!(changed("8/3pP3/8/8", "3P4/8/8/8"), "d4Pd3.e3.");
        let move_of_xiangqi = changes(GameKind::Xiangqi, &cells("9/1c5c1/9"), &cells("9/1c2c4/9"));
        assert_eq!(move_of_xiangqi, "e1ch1.");
    }

    #[test]
    fn mates_are_ordered_by_their_distance() {
        let scores = [
            ReportedScore::Mate(1),
            ReportedScore::Mate(9),
            ReportedScore::Centipawns(i32::MAX),
            ReportedScore::Centipawns(12),
            ReportedScore::Centipawns(i32::MIN),
            ReportedScore::Mate(-9),
            ReportedScore::Mate(0),
        ];
        let values = scores.map(centipawns);
        assert!(values.is_sorted_by(|a, b| a > b), "{values:?}");
    }
}
