//! Quiescence: from the horizon on, only noisy moves (and every move out of check) until the
//! position is quiet enough for its static evaluation to mean something.

use crate::game::{Depth, Game, PackedMove, Position, Score};
use crate::search::Bound;
use crate::search::frame::prepend;
use crate::search::node::{Assessment, Node, Window, refined, tempered};
use crate::search::params;
use crate::search::picker::MovePicker;
use crate::search::worker::{MoveOf, Search, Stopped};

impl<G: Game> Search<'_, G> {
    /// The score of the node at `ply` when only noisy moves are followed, fail-soft.
    pub fn quiescence<N: Node>(
        &mut self,
        mut window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        self.visit(ply)?;
        self.frame(ply).pv.clear();
        if let Some(score) = self.settled(&mut window, ply) {
            return Ok(score);
        }
        let node = self.assess_quiet::<N>(ply);
        if let Some(score) = self.table_cutoff::<N>(node.hit, window, Depth(0), ply) {
            return Ok(score);
        }
        self.follow_noise::<N>(&node, window, ply)
    }

    fn assess_quiet<N: Node>(&mut self, ply: usize) -> Assessment<MoveOf<G>> {
        let hit = self.shared.table.probe(self.worker.position.table_key());
        let in_check = self.worker.position.in_check();
        let mut node = Assessment {
            hit,
            table_move: hit.and_then(|h| h.best).map(PackedMove::from_bits),
            raw: None,
            eval: -Score::INFINITE,
            improving: false,
            in_check,
            near_pv: N::PV || hit.is_some_and(|h| h.pv),
            known: Window::FULL,
        };
        if !in_check {
            let raw = hit.and_then(|h| h.eval).unwrap_or_else(|| self.evaluate());
            node.raw = Some(raw);
            node.eval = refined(self.corrected(raw), hit, ply);
        }
        node
    }

    fn follow_noise<N: Node>(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        mut window: Window,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let opened = window.alpha;
        let mut best_score = node.eval;
        let mut best_move = None;
        if best_score >= window.beta {
            best_score = tempered::<N>(best_score, window.beta, Depth(0));
            if node.hit.is_none() {
                self.store(node, None, best_score, Bound::Lower, Depth(0), ply);
            }
            return Ok(best_score);
        }
        window.alpha = window.alpha.max(best_score);
        let mut picker = self.noisy_picker(node, ply);
        let mut count = 0;
        while let Some(m) = self.next_move(&mut picker, ply) {
            count += 1;
            if self.cannot_reach::<N>(m, node, window, &mut best_score) {
                continue;
            }
            let step = self.worker.position.step(m);
            self.frame(ply).enter(step, false);
            self.make(m);
            let result = self.quiescence::<N::Child>(window.flip(), ply + 1);
            self.unmake();
            let score = -result?;
            if score > best_score {
                best_score = score;
                if score > window.alpha {
                    best_move = Some(m);
                    window.alpha = score;
                    if N::PV {
                        prepend(&mut self.worker.frames, ply, m);
                    }
                }
                if score >= window.beta {
                    break;
                }
            }
            if node.in_check && !best_score.is_decisive() {
                // One evasion holds; the quiet ones after it are for the main search.
                picker.skip_quiets();
            }
        }
        if node.in_check && count == 0 {
            return Ok(Score::mated_in(ply));
        }
        best_score = tempered::<N>(best_score, window.beta, Depth(0));
        let bound = if best_score >= window.beta {
            Bound::Lower
        } else if best_score > opened && N::PV {
            Bound::Exact
        } else {
            Bound::Upper
        };
        self.store(node, best_move, best_score, bound, Depth(0), ply);
        Ok(best_score)
    }

    fn noisy_picker(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        ply: usize,
    ) -> MovePicker<G::Position> {
        if node.in_check {
            self.settle_in(ply);
            MovePicker::new(&self.worker.position, node.table_move, [None; 2])
        } else {
            MovePicker::noisy(&self.worker.position, node.table_move, Score(0))
        }
    }

    /// Delta pruning: even with what it wins at once the move stays below alpha.
    fn cannot_reach<N: Node>(
        &self,
        m: MoveOf<G>,
        node: &Assessment<MoveOf<G>>,
        window: Window,
        best_score: &mut Score,
    ) -> bool {
        if node.in_check || window.alpha.is_decisive() {
            return false;
        }
        let reach = node.eval + self.worker.position.gain(m) + Score(params::delta_base(G::ID));
        if reach > window.alpha {
            return false;
        }
        *best_score = (*best_score).max(reach.clamp_eval());
        true
    }
}
