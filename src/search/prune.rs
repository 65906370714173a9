//! Everything that ends a node, or skips a move, without searching it.
//!
//! Each heuristic is one function with one list of conditions and one margin; taking it out is
//! taking out one line of [`Search::prune_node`] or [`Search::skip_move`].

use crate::game::{Depth, Game, Position, Score};
use crate::search::Bound;
use crate::search::learn::Tried;
use crate::search::node::{Assessment, Expected, Findings, Node, Scout, Window};
use crate::search::params;
use crate::search::picker::MovePicker;
use crate::search::worker::{MoveOf, Search, Stopped};

/// Mates in up to so many moves are searched for without pruning. Longer ones are found sooner with
/// it: measured on the mates of `tests/data`, in nodes, 0.42 of those with pruning for up to five
/// moves of chess and 1.04 of xiangqi, 2.5 and 2.2 for six.
const SOLVED_MOVES: u32 = 5;

type Pruned = Result<Option<Score>, Stopped>;

impl<G: Game> Search<'_, G> {
    /// Ends the node early where a cheap argument says how it will come out. Never in check,
    /// where the static evaluation means nothing, nor on the principal variation.
    pub fn prune_node<N: Node>(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        window: Window,
        depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Pruned {
        let is_solving = self.is_solving(ply);
        if N::PV || node.in_check || is_solving || self.frame(ply).excluded.is_some() {
            return Ok(None);
        }
        if let Some(score) = reverse_futility::<G>(node, window, depth) {
            return Ok(Some(score));
        }
        if let Some(score) = self.razor(node, window, depth, ply)? {
            return Ok(Some(score));
        }
        if let Some(score) = self.null_move(node, window, depth, ply, expected)? {
            return Ok(Some(score));
        }
        self.probcut(node, window, depth, ply, expected)
    }

    /// Is a mate wanted (`go mate`) that would come no later than at this ply? Then no argument but a
    /// search will do: mates begin with sacrifices, which all of them hold to be hopeless.
    fn is_solving(&self, ply: usize) -> bool {
        let moves = self.shared.limits.mate;
        moves.is_some_and(|moves| moves <= SOLVED_MOVES && ply < 2 * moves as usize)
    }

    /// Razoring: so far below alpha that only captures could help, and they do not. Fails where
    /// a quiet move threatens much.
    fn razor(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Pruned {
        let margin = params::razor_base(G::ID) + params::razor_margin(G::ID) * depth.0;
        if depth.0 > params::razor_depth(G::ID)
            || window.alpha.is_decisive()
            || node.eval + Score(margin) >= window.alpha
        {
            return Ok(None);
        }
        let score = self.quiescence::<Scout>(Window::null(window.alpha), ply)?;
        Ok((score <= window.alpha).then_some(score))
    }

    /// Null move pruning: if passing still fails high, a move will too. Fails in zugzwang, which
    /// the game's own guard and, at high depth, a verification search look out for.
    fn null_move(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        window: Window,
        depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Pruned {
        let after_null = ply > 0 && self.frame(ply - 1).step.is_none();
        if depth < Depth(2)
            || expected != Expected::FailHigh
            || after_null
            || ply < self.null_move_from
            || node.eval < window.beta
            || window.beta.is_decisive()
            || !self.worker.position.null_move_sound()
        {
            return Ok(None);
        }
        let surplus = (node.eval - window.beta).0 / params::nmp_eval_divisor(G::ID);
        let reduction =
            params::nmp_base(G::ID) + depth.0 / params::nmp_depth_divisor(G::ID) + surplus.min(3);
        let reduced = depth - reduction;
        let null = Window::null(window.beta - Score(1));

        self.frame(ply).step = None;
        self.worker.position.make_null();
        let result = self.alpha_beta::<Scout>(null.flip(), reduced, ply + 1, expected.child());
        self.worker.position.unmake_null();
        let mut score = -result?;
        if score < window.beta {
            return Ok(None);
        }
        // A mate found after passing is no proof of one.
        if score.is_decisive() {
            score = window.beta;
        }
        if depth.0 < params::nmp_verify_min_depth(G::ID) || self.null_move_from > 0 {
            return Ok(Some(score));
        }
        self.null_move_from = ply + (reduced.0.max(0) as usize) * 3 / 4 + 1;
        let verified = self.alpha_beta::<Scout>(null, reduced, ply, Expected::FailLow);
        self.null_move_from = 0;
        Ok((verified? >= window.beta).then_some(score))
    }

    /// ProbCut: a capture that beats beta by a margin in a shallow search would very probably
    /// beat beta in the full one.
    fn probcut(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        window: Window,
        depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Pruned {
        let target = window.beta + Score(params::probcut_base(G::ID));
        let known_to_fail = node.hit.is_some_and(|hit| {
            hit.bound.is_some()
                && hit.depth >= depth - 3
                && Score::from_table(hit.score, ply) < target
        });
        if depth.0 < params::probcut_min_depth(G::ID) || window.beta.is_decisive() || known_to_fail
        {
            return Ok(None);
        }
        let threshold = target - node.eval;
        let mut picker = MovePicker::noisy(&self.worker.position, node.table_move, threshold);
        let null = Window::null(target - Score(1)).flip();
        while let Some(m) = self.next_move(&mut picker, ply) {
            let step = self.worker.position.step(m);
            self.frame(ply).enter(step, false);
            self.make(m);
            let result = self.probcut_move(null, depth - 4, ply, expected);
            self.unmake();
            let score = result?;
            if score >= target {
                self.store(node, Some(m), score, Bound::Lower, depth - 3, ply);
                return Ok(Some(score));
            }
        }
        Ok(None)
    }

    fn probcut_move(
        &mut self,
        null: Window,
        depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Result<Score, Stopped> {
        let shallow = -self.quiescence::<Scout>(null, ply + 1)?;
        if shallow < -null.alpha {
            return Ok(shallow);
        }
        Ok(-self.alpha_beta::<Scout>(null, depth, ply + 1, expected.child())?)
    }

    /// Is this move, not yet searched, not worth searching? Never says so before one move has
    /// a score that is not lost, so that a node is never left without a real result.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is a fact of its own about the move"
    )]
    pub fn skip_move<N: Node>(
        &mut self,
        m: MoveOf<G>,
        node: &Assessment<MoveOf<G>>,
        window: &Window,
        depth: Depth,
        ply: usize,
        tried: &Tried<MoveOf<G>>,
        so_far: &Findings<MoveOf<G>>,
        picker: &mut MovePicker<G::Position>,
    ) -> bool {
        let safe = so_far.score > -Score::EVAL_MAX;
        if N::ROOT || !safe || self.is_solving(ply) {
            return false;
        }
        if self.worker.position.is_noisy(m) {
            let allowed = params::see_noisy_margin(G::ID) * depth.0;
            return self.loses_exchange(m, allowed, depth) && !self.is_spared(m, depth);
        }
        if late::<G>(node, depth, tried.count) || futile::<G>(node, window, depth) {
            if spares_checks::<G>(depth) {
                picker.only_checks(&self.worker.position);
            } else {
                picker.skip_quiets();
            }
            return !self.is_spared(m, depth);
        }
        let allowed = params::see_quiet_margin(G::ID) * depth.0 * depth.0;
        (self.has_bad_history(m, depth, ply) || self.loses_exchange(m, allowed, depth))
            && !self.is_spared(m, depth)
    }

    /// Checks are spared where mates are made by sacrifices, which every argument here holds to be
    /// hopeless.
    fn is_spared(&self, m: MoveOf<G>, depth: Depth) -> bool {
        spares_checks::<G>(depth) && self.worker.position.gives_check(m)
    }

    /// History pruning: this quiet move has kept failing.
    fn has_bad_history(&mut self, m: MoveOf<G>, depth: Depth, ply: usize) -> bool {
        depth.0 <= params::history_depth(G::ID)
            && self.quiet_history(m, ply) < -params::history_margin(G::ID) * depth.0
    }

    /// What history says of a quiet move.
    pub fn quiet_history(&mut self, m: MoveOf<G>, ply: usize) -> i32 {
        let worker = &mut *self.worker;
        let setting = worker.frames[ply].setting.look(&worker.position);
        worker.histories.quiet(setting, worker.position.step(m))
    }

    /// Exchange pruning: the move gives away more than so shallow a search will win back.
    fn loses_exchange(&self, m: MoveOf<G>, allowed: i32, depth: Depth) -> bool {
        depth.0 <= params::see_depth(G::ID)
            && !self.worker.position.see_at_least(m, Score(-allowed))
    }
}

/// Reverse futility (static null move): so far above beta that the opponent's best reply will
/// not bring it below. Fails against mating attacks.
fn reverse_futility<G: Game>(
    node: &Assessment<MoveOf<G>>,
    window: Window,
    depth: Depth,
) -> Option<Score> {
    let improving = params::rfp_improving_margin(G::ID) * i32::from(node.improving);
    let margin = params::rfp_margin(G::ID) * depth.0 - improving;
    (depth.0 <= params::rfp_depth(G::ID)
        && !window.beta.is_decisive()
        && !node.eval.is_decisive()
        && node.eval - Score(margin.max(0)) >= window.beta)
        .then(|| Score((node.eval.0 + window.beta.0) / 2))
}

/// Are checks not pruned at this depth? Depth zero has no pruning of moves, so that zero is never.
fn spares_checks<G: Game>(depth: Depth) -> bool {
    depth.0 <= params::spared_check_depth(G::ID)
}

/// Late move pruning: after so many moves the quiet rest is not worth a shallow search.
fn late<G: Game>(node: &Assessment<MoveOf<G>>, depth: Depth, count: u32) -> bool {
    let all = params::lmp_base(G::ID) + depth.0 * depth.0;
    let allowed = if node.improving { all } else { all / 2 };
    !node.in_check && depth.0 <= params::lmp_depth(G::ID) && count as i32 > allowed
}

/// Futility pruning: quiet moves will not lift the evaluation to alpha.
fn futile<G: Game>(node: &Assessment<MoveOf<G>>, window: &Window, depth: Depth) -> bool {
    let margin = params::futility_base(G::ID) + params::futility_margin(G::ID) * depth.0;
    !node.in_check
        && depth.0 <= params::futility_depth(G::ID)
        && !window.alpha.is_decisive()
        && node.eval + Score(margin) <= window.alpha
}
