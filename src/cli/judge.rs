//! `twofold judge`: how a game stands, by which rule, and what a cycle's moves did.

use std::fs;

use clap::Args;

use crate::cli::explain::{Language, Story};
use crate::cli::{CliError, GameName, Verdict};
use crate::game::TextStyle;
use crate::game::{Ending, GameId, Key, Notation, Outcome, Reason, RepetitionRule, Rules, Side};
use crate::named_file::unmarked;
use crate::output::Output;
use crate::{chess, xiangqi};

/// What `twofold judge` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The game.
    #[arg(long, default_value = "xiangqi")]
    game: GameName,
    /// How repetitions are judged in xiangqi: asian, computer, chinese or simple.
    #[arg(long, default_value = "asian")]
    rules: RepetitionRule,
    /// Plies without a capture that draw a game of xiangqi; 0 for never.
    #[arg(long, default_value_t = Rules::NO_CAPTURE_LIMIT)]
    limit: u16,
    /// The position from which the game began; the usual one if left out.
    #[arg(long)]
    fen: Option<String>,
    /// The moves played since: in coordinates, SAN, Chinese notation or WXF.
    #[arg(long, default_value = "")]
    moves: String,
    /// The language of the explanation.
    #[arg(long, default_value = "en")]
    lang: Language,
    /// Check the cases of a file instead: id, FEN, moves, verdict for the side to move, rule and
    /// source, with tabs between, after a header line.
    #[arg(long, conflicts_with_all = ["fen", "moves", "lang", "rules"])]
    tsv: Option<String>,
}

/// The first line of a case file begins with this.
const HEADER: &str = "id\tfen\tmoves\texpected\t";

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    match (&arguments.tsv, GameId::from(arguments.game)) {
        (Some(path), GameId::Chess) => check_file::<chess::Board>(path, arguments, output),
        (Some(path), GameId::Xiangqi) => check_file::<xiangqi::Board>(path, arguments, output),
        (None, GameId::Chess) => {
            let played = Played::<chess::Board>::of_arguments(arguments)?;
            output.line(&played.standing().line());
            let story = Story::new(arguments.lang, GameId::Chess);
            output.line(story.of_ending(&played.standing(), played.over).trim_end());
            Ok(Verdict::Passed)
        }
        (None, GameId::Xiangqi) => {
            let played = Played::<xiangqi::Board>::of_arguments(arguments)?;
            output.line(&played.standing().line());
            let story = Story::new(arguments.lang, GameId::Xiangqi);
            let mut text = story.of_ending(&played.standing(), played.over);
            let is_over = played.standing().ending.is_some();
            if let Some(window) = played.position.cycle(if is_over { 3 } else { 2 }) {
                let trace = played.position.trace(window);
                let first = played.plies() - window + 1;
                text += &story.of_cycle(&trace, &played.position, first, is_over);
            }
            output.line(text.trim_end());
            Ok(Verdict::Passed)
        }
    }
}

/// How a game stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Standing {
    /// The ending, if the game is over.
    pub ending: Option<Ending>,
    /// The plies of the cycle that ended it, counted from 1: first and last.
    pub cycle: Option<(usize, usize)>,
}

impl Standing {
    /// The line for machines.
    fn line(&self) -> String {
        let result = match self.ending.map(|ending| ending.outcome) {
            None => "ongoing",
            Some(Outcome::Draw) => "draw",
            Some(Outcome::Win(Side::First)) => "first",
            Some(Outcome::Win(Side::Second)) => "second",
        };
        let reason = match self.ending {
            None => "none".to_owned(),
            Some(ending) => ending.reason.to_string(),
        };
        let cycle = match self.cycle {
            None => "-".to_owned(),
            Some((first, last)) => format!("{first}..{last}"),
        };
        format!("result {result} reason {reason} cycle {cycle}")
    }
}

/// A game as far as it has been played, or up to its end if moves follow that.
struct Played<P> {
    position: P,
    /// The positions so far, the present one last.
    keys: Vec<Key>,
    /// The ply after which the game was over, if moves follow it.
    over: Option<usize>,
}

impl<P: Notation> Played<P> {
    fn of_arguments(arguments: &Arguments) -> Result<Played<P>, CliError> {
        let rules = Rules {
            repetition: arguments.rules,
            no_capture_limit: Some(arguments.limit).filter(|plies| *plies > 0),
        };
        let fen = arguments.fen.as_deref().unwrap_or(P::START_FEN);
        Played::new(fen, &arguments.moves, &rules).map_err(CliError::Input)
    }

    /// Plays the moves from the position; says what is wrong with them otherwise. Those after
    /// the end of the game must be possible, too.
    fn new(fen: &str, moves: &str, rules: &Rules) -> Result<Played<P>, String> {
        let mut position = P::from_fen(fen).map_err(|error| format!("FEN: {error}"))?;
        position.set_rules(rules);
        let mut keys = vec![position.key()];
        let mut end = None;
        for (index, text) in moves.split_whitespace().enumerate() {
            if end.is_none() && position.ending().is_some() {
                end = Some((index, position.clone()));
            }
            let m = position.parse_move(text, TextStyle::default());
            let m = m.or_else(|error| position.parse_record(text).or(Err(error)));
            let m = m.map_err(|error| format!("move {} '{text}': {error}", index + 1))?;
            position.make(m, &mut ());
            keys.push(position.key());
        }
        let over = end.as_ref().map(|(ply, _)| *ply);
        if let Some((ply, position_then)) = end {
            keys.truncate(ply + 1);
            position = position_then;
        }
        Ok(Played {
            position,
            keys,
            over,
        })
    }

    fn plies(&self) -> usize {
        self.keys.len() - 1
    }

    fn standing(&self) -> Standing {
        let ending = self.position.ending();
        let by_cycle = ending.is_some_and(|ending| {
            matches!(
                ending.reason,
                Reason::Repetition
                    | Reason::PerpetualCheck
                    | Reason::PerpetualChase
                    | Reason::PerpetualAttack
            )
        });
        let present = self.keys[self.plies()];
        let occurrences = self.keys.iter().enumerate().rev();
        let mut equal = occurrences.filter(|(_, key)| **key == present);
        let cycle = match by_cycle {
            true => equal.nth(2).map(|(at, _)| (at + 1, self.plies())),
            false => None,
        };
        Standing { ending, cycle }
    }

    /// The result in the words of a case file: for the side to move.
    fn verdict(&self) -> &'static str {
        match self.position.ending().map(|ending| ending.outcome) {
            None => "none",
            Some(Outcome::Draw) => "draw",
            Some(Outcome::Win(side)) if side == self.position.side_to_move() => "win",
            Some(Outcome::Win(_)) => "loss",
        }
    }
}

/// Checks every case of a file and prints what disagrees.
fn check_file<P: Notation>(
    path: &str,
    arguments: &Arguments,
    output: &Output,
) -> Result<Verdict, CliError> {
    let text = fs::read_to_string(path).map_err(CliError::file(path.as_ref()))?;
    let refuse = |line: usize, cause: String| CliError::Line {
        path: path.to_owned(),
        line,
        cause,
    };
    let mut rows = unmarked(&text).lines().enumerate();
    if !rows
        .next()
        .is_some_and(|(_, head)| head.starts_with(HEADER))
    {
        return Err(refuse(
            1,
            "the header line of a case file is missing".to_owned(),
        ));
    }
    let (mut cases, mut wrong) = (0, 0);
    for (index, row) in rows.filter(|(_, row)| !row.trim().is_empty()) {
        let found = check_row::<P>(row, arguments.limit);
        let disagreements = found.map_err(|cause| refuse(index + 1, cause))?;
        cases += 1;
        wrong += usize::from(!disagreements.is_empty());
        for line in disagreements {
            output.line(&line);
        }
    }
    output.line(&format!("{cases} cases, {wrong} wrong"));
    Ok(match wrong {
        0 => Verdict::Passed,
        _ => Verdict::Failed,
    })
}

/// The disagreements on one case, a line each.
fn check_row<P: Notation>(row: &str, limit: u16) -> Result<Vec<String>, String> {
    let fields: Vec<&str> = row.split('\t').collect();
    let [id, fen, moves, expected, rest @ ..] = &fields[..] else {
        return Err(format!(
            "four columns or more expected, {} found",
            fields.len()
        ));
    };
    let source = rest.get(1).copied().unwrap_or("");
    let mut disagreements = Vec::new();
    for rule in RepetitionRule::ALL {
        let expected = match rule {
            RepetitionRule::Asian => expected,
            _ => match named_verdict(source, rule) {
                Some(expected) => expected,
                None => continue,
            },
        };
        if !["win", "loss", "draw", "none"].contains(&expected) {
            return Err(format!("'{expected}' is no verdict"));
        }
        let rules = Rules {
            repetition: rule,
            no_capture_limit: Some(limit).filter(|plies| *plies > 0),
        };
        let played = Played::<P>::new(fen, moves, &rules)?;
        if let Some(ply) = played.over {
            disagreements.push(format!("{id}: over after ply {ply} already, {rule}"));
        } else if played.verdict() != expected {
            let found = played.verdict();
            disagreements.push(format!("{id}: expected {expected}, found {found}, {rule}"));
        }
    }
    Ok(disagreements)
}

/// The verdict under another rule set, where the source column has one: `chinese=loss`.
fn named_verdict(source: &str, rule: RepetitionRule) -> Option<&str> {
    let mut fields = source.split(';').map(str::trim);
    fields.find_map(|field| field.strip_prefix(rule.name())?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_checked_under_every_rule_set_they_name() {
        // A chariot checks for ever (AXF manual, diagram 2), which a wrong row denies.
        let row = |expected: &str, source: &str| {
            format!(
                "id\t9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1\tf0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 \
                 f8e8\t{expected}\trule\t{source}"
            )
        };
        let check = |expected, source| check_row::<xiangqi::Board>(&row(expected, source), 120);
        assert_eq!(check("loss", "somebody; computer=loss"), Ok(Vec::new()));
        assert_eq!(check("win", "").unwrap().len(), 1);
        assert_eq!(
            check("loss", "x; chinese=draw; simple=win").unwrap().len(),
            2
        );
        assert!(check("maybe", "").is_err());
        assert!(check_row::<xiangqi::Board>("id\tfen", 120).is_err());
    }

    #[test]
    fn a_game_that_went_on_after_its_end_is_noticed() {
        let cycle = "h0g2 h9g7 g2h0 g7h9 ".repeat(2);
        let fen = xiangqi::Board::START_FEN;
        let played = Played::<xiangqi::Board>::new(fen, &cycle, &Rules::default()).unwrap();
        assert_eq!((played.over, played.standing().cycle), (None, Some((1, 8))));
        let longer = format!("{cycle} h0g2");
        let played = Played::<xiangqi::Board>::new(fen, &longer, &Rules::default()).unwrap();
        let standing = played.standing();
        assert_eq!((played.over, standing.cycle), (Some(8), Some((1, 8))));
        assert_eq!(
            standing.line(),
            "result draw reason repetition cycle 1..8",
            "how it ended, not how the last position stands"
        );
    }
}
