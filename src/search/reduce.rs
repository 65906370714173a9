//! Late move reductions, and principal variation search of one move.

use crate::game::{Depth, Game, Position, Score};
use crate::search::node::{Assessment, Expected, Node, Scout, Window};
use crate::search::params;
use crate::search::worker::{MoveOf, Search, Stopped};

/// A ply in the unit of reductions.
const PLY: i32 = 1024;
/// Depths and move counts beyond this are reduced like this.
const TABLE_SIZE: usize = 128;
/// Reductions act from this depth on.
const LMR_MIN_DEPTH: Depth = Depth(2);

/// Base-two logarithms in 1024ths, computed in integers so that every machine has the same.
static LOG: [i32; TABLE_SIZE] = {
    let mut table = [0; TABLE_SIZE];
    let mut n = 1;
    while n < TABLE_SIZE {
        table[n] = log2(n as u64);
        n += 1;
    }
    table
};

/// The base-two logarithm of `n >= 1` in 1024ths, by repeated squaring of the mantissa.
const fn log2(n: u64) -> i32 {
    let whole = n.ilog2();
    // The mantissa in [1, 2), with 30 fractional bits.
    let mut x = (n << 30) >> whole;
    let mut log = whole as i32;
    let mut bit = 0;
    while bit < 10 {
        x = (x * x) >> 30;
        log <<= 1;
        if x >= 2 << 30 {
            x >>= 1;
            log |= 1;
        }
        bit += 1;
    }
    log
}

/// How one move is to be searched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Plies left after the move, extensions included.
    pub depth: Depth,
    /// Plies to take off at first, were the move a late one; the count of moves decides.
    reduction: Reduction,
    /// Neither a capture nor a promotion.
    pub quiet: bool,
    /// Does not lose the exchange. Only looked at where it matters.
    sound: bool,
    expected: Expected,
}

/// The parts of a reduction that do not depend on the count of moves.
#[derive(Clone, Copy, Debug)]
struct Reduction {
    /// Depth of the node.
    depth: Depth,
    /// Sum of the adjustments, in 1024ths of a ply.
    adjust: i32,
}

impl<G: Game> Search<'_, G> {
    /// Works out how to search a move, before it is made.
    pub fn plan_move(
        &mut self,
        m: MoveOf<G>,
        node: &Assessment<MoveOf<G>>,
        depth: Depth,
        ply: usize,
        expected: Expected,
        extension: i32,
    ) -> Plan {
        let quiet = !self.worker.position.is_noisy(m);
        let mut adjust = 0;
        if expected == Expected::FailHigh {
            adjust += params::lmr_cut_node(G::ID);
        }
        if node.near_pv {
            adjust -= params::lmr_pv(G::ID);
        }
        if !node.improving {
            adjust += params::lmr_not_improving(G::ID);
        }
        let table_noisy = node.table_move.is_some_and(|t| {
            t != m && self.worker.position.is_pseudo_legal(t) && self.worker.position.is_noisy(t)
        });
        if table_noisy {
            adjust += params::lmr_noisy_table_move(G::ID);
        }
        if quiet {
            adjust -= self.quiet_history(m, ply) * PLY / params::lmr_history_divisor(G::ID);
        } else {
            // What wins material at once is rarely late for a bad reason.
            adjust -= PLY;
        }
        let extends = depth.0 <= params::check_extension_depth(G::ID);
        let step = self.worker.position.step(m);
        self.frame(ply).enter(step, quiet);
        Plan {
            depth: depth - 1 + extension,
            reduction: Reduction { depth, adjust },
            quiet,
            sound: extends && self.is_sound(m),
            expected,
        }
    }

    /// Principal variation search of one move: the first with the full window; the others with
    /// a null window and reduced, then again unreduced, then with the full window, each only
    /// if the one before asks for it.
    pub fn search_move<N: Node>(
        &mut self,
        m: MoveOf<G>,
        plan: &Plan,
        window: Window,
        ply: usize,
        count: u32,
    ) -> Result<Score, Stopped> {
        self.make(m);
        let result = self.search_made_move::<N>(plan, window, ply, count);
        self.unmake();
        result
    }

    fn search_made_move<N: Node>(
        &mut self,
        plan: &Plan,
        window: Window,
        ply: usize,
        count: u32,
    ) -> Result<Score, Stopped> {
        let gives_check = self.worker.position.in_check();
        let extension = self.check_extension(gives_check, plan.sound, plan.reduction.depth, ply);
        let depth = plan.depth + extension;
        let null = Window::null(window.alpha).flip();
        if count > 1 || !N::PV {
            let reduced = depth - plan.plies_off::<G>(gives_check, count, depth);
            let first_guess = if reduced < depth || N::PV {
                Expected::FailHigh
            } else {
                plan.expected.child()
            };
            let mut score = -self.alpha_beta::<Scout>(null, reduced, ply + 1, first_guess)?;
            if score > window.alpha && reduced < depth {
                let again = plan.expected.child();
                score = -self.alpha_beta::<Scout>(null, depth, ply + 1, again)?;
            }
            if !N::PV || score <= window.alpha || !N::ROOT && score >= window.beta {
                return Ok(score);
            }
        }
        let child = window.flip();
        Ok(-self.alpha_beta::<N::Child>(child, depth, ply + 1, Expected::FailLow)?)
    }
}

impl Plan {
    /// Late move reduction of the move that is the `count`-th of its node, in plies. A late
    /// move of a well ordered list is very likely no better than those before it.
    fn plies_off<G: Game>(&self, gives_check: bool, count: u32, depth: Depth) -> i32 {
        let node_depth = self.reduction.depth;
        if count < 2 || node_depth < LMR_MIN_DEPTH {
            return 0;
        }
        let d = LOG[(node_depth.0 as usize).min(TABLE_SIZE - 1)];
        let n = LOG[(count as usize).min(TABLE_SIZE - 1)];
        let product = (d * n) >> 10;
        let mut r = params::lmr_base(G::ID) + ((product * params::lmr_factor(G::ID)) >> 10);
        r += self.reduction.adjust;
        if gives_check {
            r -= params::lmr_check(G::ID);
        }
        // At least one ply is left, and nothing is extended here.
        (r / PLY).clamp(0, (depth.0 - 1).max(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right_to_a_thousandth() {
        for (n, value) in LOG.iter().enumerate().skip(1) {
            let exact = (n as f64).log2() * 1024.0;
            assert!(
                (f64::from(*value) - exact).abs() <= 1.01,
                "{n}: {value} {exact}"
            );
        }
    }
}
