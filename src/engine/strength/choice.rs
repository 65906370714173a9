//! Choosing among the lines of a search, with errors.

use super::Chance;
use crate::game::{Arbiter, Depth};
use crate::search::{Bound, Conclusion, Info, Reporter};

/// A line that may be chosen.
struct Candidate<M: 'static> {
    /// All of it but the moves.
    info: Info<'static, M>,
    pv: Vec<M>,
}

/// Hears a search with several lines, and passes on as many of them as the client wants.
pub(super) struct Listener<'a, M: 'static> {
    inner: &'a mut dyn Reporter<M>,
    shown: usize,
    /// The lines of the last iteration, the best first.
    candidates: Vec<Candidate<M>>,
}

impl<'a, M: Copy + PartialEq + 'static> Listener<'a, M> {
    /// A listener that passes the best `shown` lines on.
    pub fn new(inner: &'a mut dyn Reporter<M>, shown: usize) -> Self {
        Listener {
            inner,
            shown,
            candidates: Vec::new(),
        }
    }

    /// Takes one of the lines, each judged with a random error of standard deviation `noise`
    /// centipawns, says so if it is not the best, and changes the conclusion accordingly. Of lines
    /// that are judged alike, the search's order decides.
    pub fn choose<P: Arbiter<Move = M>>(
        self,
        position: &P,
        mut conclusion: Conclusion<M>,
        noise: u32,
        chance: &mut Chance,
    ) -> Conclusion<M> {
        let mut judged = |candidate: &Candidate<M>| {
            let error = chance.normal() * i64::from(noise) / 1000;
            i64::from(candidate.info.score.0) + error
        };
        // The last of the best is taken.
        let best = self.candidates.iter().rev().max_by_key(|c| judged(c));
        let Some(choice) = best.filter(|choice| conclusion.best != Some(choice.pv[0])) else {
            return conclusion;
        };
        self.inner.info(&Info {
            line: 1,
            nodes: conclusion.nodes,
            pv: &choice.pv,
            ..choice.info
        });
        conclusion.best = Some(choice.pv[0]);
        conclusion.ponder = reply(position, &choice.pv);
        conclusion.score = choice.info.score;
        conclusion
    }
}

/// The reply to expect, where the game goes on before and after it.
fn reply<P: Arbiter>(position: &P, pv: &[P::Move]) -> Option<P::Move> {
    let &[m, reply, ..] = pv else {
        return None;
    };
    let mut after = position.clone();
    for m in [m, reply] {
        after.make(m, &mut ());
        if after.ending().is_some() {
            return None;
        }
    }
    Some(reply)
}

impl<M: Copy + PartialEq + 'static> Reporter<M> for Listener<'_, M> {
    fn info(&mut self, info: &Info<'_, M>) {
        if info.bound == Bound::Exact && !info.pv.is_empty() {
            let last = self.candidates.first().map(|first| first.info.depth);
            if info.line == 1 && last != Some(info.depth) {
                self.candidates.clear();
            }
            // The best line is told again at the end.
            self.candidates.retain(|known| known.pv[0] != info.pv[0]);
            let at = if info.line == 1 {
                0
            } else {
                self.candidates.len()
            };
            let candidate = Candidate {
                info: Info { pv: &[], ..*info },
                pv: info.pv.to_vec(),
            };
            self.candidates.insert(at, candidate);
        }
        if info.line <= self.shown {
            self.inner.info(info);
        }
    }

    fn current_move(&mut self, depth: Depth, m: M, number: usize) {
        self.inner.current_move(depth, m, number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Notation, Position, Score};
    use crate::games::Chess;
    use std::time::Duration;

    type Board = <Chess as Game>::Position;
    type Move = <Board as Position>::Move;

    /// Writes down what it hears: rank, score and number of moves.
    #[derive(Default)]
    struct Notes(Vec<(usize, i32, Move)>);

    impl Reporter<Move> for Notes {
        fn info(&mut self, info: &Info<'_, Move>) {
            self.0.push((info.line, info.score.0, info.pv[0]));
        }
    }

    /// The first three moves of chess in order of generation, with scores 30, 20, 10; chosen a
    /// thousand times with this noise: how often each.
    fn chosen(noise: u32) -> [usize; 3] {
        let position = Board::start();
        let moves = position.legal_moves();
        let mut chance = Chance::new(7);
        let mut counts = [0; 3];
        for _ in 0..1000 {
            let mut notes = Notes::default();
            let mut listener = Listener::new(&mut notes, 1);
            for (index, score) in [30, 20, 10].into_iter().enumerate() {
                listener.info(&Info {
                    depth: Depth(3),
                    selective_depth: 3,
                    line: index + 1,
                    score: Score(score),
                    bound: Bound::Exact,
                    nodes: 50,
                    hashfull: 0,
                    tablebase_hits: 0,
                    time: Duration::ZERO,
                    pv: &[moves[index]],
                });
            }
            let conclusion = Conclusion {
                best: Some(moves[0]),
                ponder: None,
                score: Score(30),
                depth: Depth(3),
                nodes: 60,
            };
            let conclusion = listener.choose(&position, conclusion, noise, &mut chance);
            let choice = moves
                .iter()
                .position(|m| Some(*m) == conclusion.best)
                .unwrap();
            counts[choice] += 1;
            let last = notes.0[notes.0.len() - 1];
            assert_eq!(
                last,
                (1, conclusion.score.0, moves[choice]),
                "the last word"
            );
            assert_eq!(conclusion.score.0, [30, 20, 10][choice]);
        }
        counts
    }

    #[test]
    fn errors_make_the_choice_and_no_errors_leave_it_alone() {
        assert_eq!(chosen(0), [1000, 0, 0]);
        let [best, second, third] = chosen(15);
        assert!(best > second && second > third && third > 0);
        let [best, _, third] = chosen(1000);
        assert!(best < 450 && third > 230, "{best} {third}");
    }
}
