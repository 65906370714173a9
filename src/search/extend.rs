//! Moves that deserve a deeper search: the only good one, and checks.

use crate::game::{Depth, Game, Position, Score};
use crate::search::Bound;
use crate::search::node::{Assessment, Expected, Node, Scout, Singular, Window};
use crate::search::params;
use crate::search::worker::{MoveOf, Search, Stopped};

impl<G: Game> Search<'_, G> {
    /// Singular extension: if all other moves fail low against a bound a little below the table
    /// move's score, that move alone holds the position together and is searched deeper. If they
    /// do not and another one even beats beta, the node will fail high anyway.
    pub fn singular<N: Node>(
        &mut self,
        m: MoveOf<G>,
        node: &Assessment<MoveOf<G>>,
        window: Window,
        depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Result<Singular, Stopped> {
        let Some(hit) = node.hit.filter(|hit| {
            !N::ROOT
                && node.table_move == Some(m)
                && depth.0 >= params::singular_min_depth(G::ID)
                && hit.depth >= depth - 3
                && matches!(hit.bound, Some(Bound::Lower | Bound::Exact))
                && ply < 2 * self.root_depth.0 as usize
        }) else {
            return Ok(Singular::Extend(0));
        };
        let score = Score::from_table(hit.score, ply);
        if score.is_decisive() || self.frame(ply).excluded.is_some() {
            return Ok(Singular::Extend(0));
        }
        let bar = score - Score(params::singular_margin(G::ID) * depth.0 / 8);
        self.frame(ply).excluded = Some(m);
        let null = Window::null(bar - Score(1));
        let others = self.alpha_beta::<Scout>(null, Depth((depth.0 - 1) / 2), ply, expected);
        self.frame(ply).excluded = None;
        let others = others?;
        if others < bar {
            let far = bar - Score(params::singular_double_base(G::ID));
            let double = !N::PV && others < far;
            return Ok(Singular::Extend(1 + i32::from(double)));
        }
        if others >= window.beta && !others.is_decisive() {
            return Ok(Singular::Cutoff(others));
        }
        let weak = score >= window.beta || expected == Expected::FailHigh;
        Ok(Singular::Extend(-i32::from(weak)))
    }

    /// Check extension: a check that has just been given, near the leaves, where it would
    /// otherwise push the point out of sight. Not for checks that give the piece away.
    pub fn check_extension(&self, gives_check: bool, sound: bool, depth: Depth, ply: usize) -> i32 {
        let applies = gives_check
            && sound
            && depth.0 <= params::check_extension_depth(G::ID)
            && ply < 2 * self.root_depth.0 as usize;
        i32::from(applies)
    }

    /// Does the move at least not lose its own piece for nothing? Asked before it is made.
    pub fn is_sound(&self, m: MoveOf<G>) -> bool {
        self.worker.position.see_at_least(m, Score(0))
    }
}
