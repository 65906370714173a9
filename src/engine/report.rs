//! What a search reports, as lines of the client's protocol.

use std::time::{Duration, Instant};

use crate::engine::order::Settings;
use crate::engine::winrate::Model;
use crate::game::{Depth, MAX_PLY, Notation, Score, TextStyle};
use crate::output::Output;
use crate::protocol::{self, Dialect, InfoLine, OptionId, ScoreText};
use crate::search::{Bound, Info, Reporter};

/// Nobody reads root moves that come faster than this.
const BETWEEN_MOVES: Duration = Duration::from_millis(100);

/// Writes the reports of one search.
pub struct Voice<'a, P: Notation> {
    output: &'a Output,
    dialect: Dialect,
    style: TextStyle,
    /// What scores are worth.
    model: Model,
    /// The move of the game at the root, if chances are shown.
    shows_chances: Option<u32>,
    /// Scores that are only bounds are shown.
    shows_bounds: bool,
    /// There are several lines.
    has_ranks: bool,
    /// When a root move was last shown.
    last_move: Option<Instant>,
    /// The root; moves are played on it to be written, and taken back.
    position: P,
}

impl<'a, P: Notation> Voice<'a, P> {
    /// The voice of a search from this root.
    pub fn new(output: &'a Output, settings: &Settings, root: &P) -> Voice<'a, P> {
        Voice {
            output,
            dialect: settings.dialect,
            style: settings.style(),
            model: Model::of(settings.game()),
            shows_chances: settings
                .options
                .is_on(OptionId::ShowWdl)
                .then(|| root.move_number()),
            shows_bounds: settings.dialect == Dialect::Uci || settings.is_debugging(),
            has_ranks: settings.options.number(OptionId::MultiPv) > 1,
            last_move: None,
            position: root.clone(),
        }
    }

    /// The moves of a line as text, as far as the game goes: what follows a mate or a draw is
    /// left out.
    fn write_line(&mut self, moves: &[P::Move]) -> Vec<String> {
        let mut texts = Vec::with_capacity(moves.len());
        for &m in moves {
            texts.push(self.position.write_move(m, self.style));
            self.position.make(m, &mut ());
            if self.position.ending().is_some() {
                break;
            }
        }
        for _ in &texts {
            self.position.unmake();
        }
        texts
    }
}

impl<P: Notation> Reporter<P::Move> for Voice<'_, P> {
    fn info(&mut self, info: &Info<'_, P::Move>) {
        let bound = match info.bound {
            Bound::Exact => None,
            Bound::Lower => Some("lowerbound"),
            Bound::Upper => Some("upperbound"),
        };
        // In UCCI `nobestmove` says all there is to say where there is no move.
        let is_void = self.dialect == Dialect::Ucci && info.depth.0 == 0;
        if is_void || (bound.is_some() && !self.shows_bounds) {
            return;
        }
        let line = InfoLine {
            depth: info.depth.0,
            selective_depth: info.selective_depth,
            line: info.line,
            has_rank: self.has_ranks,
            score: score_text(info.score, &self.model),
            bound,
            chances: self.shows_chances.map(|number| {
                let chances = self.model.chances(info.score, number);
                [chances.win, chances.draw, chances.loss]
            }),
            nodes: info.nodes,
            hashfull: info.hashfull,
            tablebase_hits: info.tablebase_hits,
            time_ms: u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX),
            pv: self.write_line(info.pv),
        };
        self.output.line(&protocol::info(self.dialect, &line));
    }

    fn current_move(&mut self, depth: Depth, m: P::Move, number: usize) {
        if self
            .last_move
            .is_some_and(|at| at.elapsed() < BETWEEN_MOVES)
        {
            return;
        }
        self.last_move = Some(Instant::now());
        let text = self.position.write_move(m, self.style);
        let line = protocol::current_move(depth.0, &text, number);
        self.output.line(&line);
    }
}

/// The band a score lies in tells how it is shown; evaluations are normalised.
pub fn score_text(score: Score, model: &Model) -> ScoreText {
    if let Some(plies) = score.mate_plies() {
        return ScoreText::Mate(plies);
    }
    if !score.is_decisive() {
        return ScoreText::Plain(model.normalised(score));
    }
    let win = if score.is_rule() {
        Score::RULE
    } else {
        Score::TABLEBASE
    };
    let plies = (win.0 - score.0.abs()).clamp(0, MAX_PLY as i32);
    match score.0 > 0 {
        true => ScoreText::Won(plies),
        false => ScoreText::Lost(plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_band_has_its_text() {
        // A hundred shown are two hundred of the evaluation.
        let model = Model {
            slope: [0.5, 0.0, 0.0],
            offset: [1.0, 0.0, 0.0],
        };
        let score_text = |score| score_text(score, &model);
        assert_eq!(score_text(Score(62)), ScoreText::Plain(31));
        assert_eq!(score_text(Score::mate_in(3)), ScoreText::Mate(3));
        assert_eq!(score_text(Score::mated_in(0)), ScoreText::Mate(0));
        assert_eq!(score_text(Score::rule_win(7)), ScoreText::Won(7));
        assert_eq!(score_text(Score::rule_loss(8)), ScoreText::Lost(8));
        assert_eq!(score_text(-Score::TABLEBASE), ScoreText::Lost(0));
    }
}
