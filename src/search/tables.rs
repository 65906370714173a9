//! What endgame tablebases say, at the root and below.
//!
//! Below the root only positions with a fresh move-count clock are asked for: of others the
//! tables do not know whether the clock leaves time for the win. At the root the distances settle
//! which moves keep the result; the search then chooses between these, and asks no further.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use crate::game::{Depth, Game, Position, RootAdvice, Score, Tablebase, Wdl};
use crate::search::Bound;
use crate::search::node::{Node, Window};
use crate::search::table::Hit;
use crate::search::worker::{MoveOf, Search};

/// Plies by which an answer of the tables counts as deeper than the search at hand.
const ANSWER_DEPTH: i32 = 6;

/// Tables, and when to ask them.
pub struct Probing<P: Position> {
    /// The tables.
    pub tables: Arc<dyn Tablebase<P>>,
    /// With as many pieces as the largest tables have, no search less deep than this asks.
    pub min_depth: Depth,
    /// Positions with more pieces are not asked for.
    pub most_men: u32,
    /// The move-count rule is played.
    pub clock_counts: bool,
}

impl<P: Position> Clone for Probing<P> {
    fn clone(&self) -> Self {
        Probing {
            tables: self.tables.clone(),
            ..*self
        }
    }
}

impl<P: Position> Probing<P> {
    /// The most pieces asked for.
    fn limit(&self) -> u32 {
        self.most_men.min(self.tables.largest())
    }

    /// What the tables advise at the root.
    pub(super) fn advice(&self, root: &P) -> Option<Vec<RootAdvice<P::Move>>> {
        if self.tables.men(root) > self.limit() {
            return None;
        }
        self.tables.root(root, self.clock_counts)
    }

    /// The result at a node, if it is one to ask for.
    fn result(&self, position: &P, depth: Depth) -> Option<Wdl> {
        let (men, limit) = (self.tables.men(position), self.limit());
        let too_many = men > limit || (men == limit && depth < self.min_depth);
        if too_many || position.halfmove_clock() > 0 {
            return None;
        }
        let wdl = self.tables.wdl(position)?;
        Some(match self.clock_counts {
            true => wdl,
            false => wdl.without_clock(),
        })
    }
}

/// A result as a score at a ply. Wins that the move-count rule spoils are a little more than a
/// draw.
pub(super) fn score_of(wdl: Wdl, ply: usize) -> Score {
    match wdl {
        Wdl::Win => Score::tablebase_win(ply),
        Wdl::CursedWin => Score::DRAW + Score(1),
        Wdl::Draw => Score::DRAW,
        Wdl::BlessedLoss => Score::DRAW - Score(1),
        Wdl::Loss => Score::tablebase_loss(ply),
    }
}

impl<G: Game> Search<'_, G> {
    /// Asks the tables. Their answer is the score of the node where it settles the window;
    /// where it does not, since a mate may still be found, it bounds what the search may say:
    /// `known` narrows.
    pub fn ask_tables<N: Node>(
        &mut self,
        window: Window,
        known: &mut Window,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        if N::ROOT || !self.shared.asks_tables || self.frame(ply).excluded.is_some() {
            return None;
        }
        let probing = self.worker.probing.as_ref()?;
        let wdl = probing.result(&self.worker.position, depth)?;
        self.shared.tablebase_hits.fetch_add(1, Relaxed);
        let score = score_of(wdl, ply);
        let bound = match wdl {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        let settles = match bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        if settles {
            self.remember_answer::<N>(score, bound, depth, ply);
            return Some(score);
        }
        match bound {
            Bound::Lower => known.alpha = score,
            _ => known.beta = score,
        }
        None
    }

    fn remember_answer<N: Node>(&self, score: Score, bound: Bound, depth: Depth, ply: usize) {
        let hit = Hit {
            best: None,
            score: score.to_table(ply),
            eval: None,
            depth: (depth + ANSWER_DEPTH).min(Depth::MAX),
            bound: Some(bound),
            pv: N::PV,
        };
        let key = self.worker.position.table_key();
        self.shared.table.store(key, hit);
    }
}

/// A move to search at the root, and what tables say of it before the search begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootChoice<M> {
    pub m: M,
    /// Moves of a higher rank are better, whatever a search says.
    pub rank: i32,
    /// The result, if the tables know it.
    pub known: Option<Score>,
}

/// The moves to search, of those that may be: where the tables know, only the best by their
/// advice, or if several lines are wanted all of them, the best ones first.
pub(super) fn advised<G: Game>(
    moves: &[MoveOf<G>],
    probing: Option<&Probing<G::Position>>,
    root: &G::Position,
    lines: usize,
) -> Vec<RootChoice<MoveOf<G>>> {
    let Some(advice) = probing.and_then(|p| p.advice(root)) else {
        let unknown = |m: &MoveOf<G>| RootChoice {
            m: *m,
            rank: 0,
            known: None,
        };
        return moves.iter().map(unknown).collect();
    };
    let allowed = advice.iter().filter(|advice| moves.contains(&advice.m));
    let mut choices: Vec<_> = allowed
        .map(|advice| RootChoice {
            m: advice.m,
            rank: advice.rank,
            known: Some(score_of(advice.wdl, 0)),
        })
        .collect();
    choices.sort_by_key(|choice| Reverse(choice.rank));
    if let (1, Some(best)) = (lines, choices.first().map(|choice| choice.rank)) {
        choices.retain(|choice| choice.rank == best);
    }
    choices
}
