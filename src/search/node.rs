//! One node of the tree as a list of named steps.
//!
//! 1. [`Search::settled`]: rules, horizon, mate distance.
//! 2. [`Search::probe`] and [`Search::table_cutoff`]: the transposition table.
//!    Then [`Search::ask_tables`]: endgame tables.
//! 3. [`Search::assess`]: static evaluation, improving or not.
//! 4. [`Search::prune_node`]: everything that may end the node without trying its moves.
//! 5. [`Search::try_moves`]: the moves, reduced and extended, by principal variation search.
//! 6. [`Search::remember`]: the table and the histories learn (`learn.rs`).

use crate::game::{Depth, Game, MAX_PLY, PackedMove, Position, Score, Stalemate, Verdict};
use crate::search::Bound;
use crate::search::frame::prepend;
use crate::search::learn::Tried;
use crate::search::picker::MovePicker;
use crate::search::table::Hit;
pub(crate) use crate::search::window::Window;
use crate::search::worker::{MoveOf, Search, Stopped};

/// The kind of a node, known at compile time.
pub(crate) trait Node {
    /// The window is open: an exact score is wanted.
    const PV: bool;
    /// The root itself.
    const ROOT: bool;
    /// The kind of the child that is searched with the full window.
    type Child: Node;
}

/// The root.
pub(crate) struct Root;
/// A node of the principal variation.
pub(crate) struct Pv;
/// A node with a null window: is it better than alpha, yes or no?
pub(crate) struct Scout;

impl Node for Root {
    const PV: bool = true;
    const ROOT: bool = true;
    type Child = Pv;
}

impl Node for Pv {
    const PV: bool = true;
    const ROOT: bool = false;
    type Child = Pv;
}

impl Node for Scout {
    const PV: bool = false;
    const ROOT: bool = false;
    type Child = Scout;
}

/// What a node with a null window is expected to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expected {
    /// One move is enough to refute ("cut node").
    FailHigh,
    /// No move will do ("all node"); also said of nodes with an open window.
    FailLow,
}

impl Expected {
    /// What its children are expected to do.
    pub fn child(self) -> Expected {
        match self {
            Expected::FailHigh => Expected::FailLow,
            Expected::FailLow => Expected::FailHigh,
        }
    }
}

/// What is known of a node before its moves are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Assessment<M> {
    /// The table's answer.
    pub hit: Option<Hit>,
    /// The table's move, unverified.
    pub table_move: Option<M>,
    /// Static evaluation as computed; `None` in check.
    pub raw: Option<Score>,
    /// The best estimate at hand: corrected, and replaced by the table's score where that says
    /// more. Minus infinite in check.
    pub eval: Score,
    /// The side to move stands better than two plies ago.
    pub improving: bool,
    /// The side to move is in check.
    pub in_check: bool,
    /// In or near the principal variation, now or in an earlier iteration.
    pub near_pv: bool,
    /// Between these the true score lies, as endgame tables say.
    pub known: Window,
}

/// What trying a node's moves came to.
pub(crate) struct Findings<M> {
    pub score: Score,
    pub best: Option<M>,
}

impl<G: Game> Search<'_, G> {
    /// The score of the node at `ply`, searched to `depth`, fail-soft.
    pub fn alpha_beta<N: Node>(
        &mut self,
        mut window: Window,
        depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Result<Score, Stopped> {
        if depth <= Depth(0) && !N::ROOT {
            return self.quiescence::<N>(window, ply);
        }
        self.visit(ply)?;
        self.frame(ply).pv.clear();
        if !N::ROOT
            && let Some(score) = self.settled(&mut window, ply)
        {
            return Ok(score);
        }
        let hit = self.probe(ply);
        if let Some(score) = self.table_cutoff::<N>(hit, window, depth, ply) {
            if score >= window.beta {
                self.learn_table_cutoff(hit, depth, ply);
            }
            return Ok(score);
        }
        let mut known = Window::FULL;
        if let Some(score) = self.ask_tables::<N>(window, &mut known, depth, ply) {
            return Ok(score);
        }
        let node = Assessment {
            known,
            ..self.assess::<N>(hit, ply)
        };
        let depth = self.internal_reduction::<N>(&node, depth, expected, ply);
        if let Some(score) = self.prune_node::<N>(&node, window, depth, ply, expected)? {
            return Ok(score);
        }
        self.try_moves::<N>(&node, window, depth, ply, expected)
    }

    /// What is known without searching: the rules' verdict, the horizon, and bounds from the
    /// distance to the nearest possible mate. May narrow the window.
    pub fn settled(&mut self, window: &mut Window, ply: usize) -> Option<Score> {
        let draw = Score::DRAW;
        match self.worker.position.verdict(ply) {
            Verdict::Open => {}
            Verdict::Draw => return Some(draw),
            Verdict::Won => return Some(Score::rule_win(ply)),
            Verdict::Lost => return Some(Score::rule_loss(ply)),
            Verdict::DrawOrBetter => window.alpha = window.alpha.max(draw - Score(1)),
            Verdict::DrawOrWorse => window.beta = window.beta.min(draw + Score(1)),
        }
        if ply >= MAX_PLY - 1 {
            let in_check = self.worker.position.in_check();
            return Some(if in_check { draw } else { self.evaluate() });
        }
        window.alpha = window.alpha.max(Score::mated_in(ply));
        window.beta = window.beta.min(Score::mate_in(ply + 1));
        (window.alpha >= window.beta).then_some(window.alpha)
    }

    /// Asks the table, unless a move is left out here: then the table knows another node.
    pub fn probe(&mut self, ply: usize) -> Option<Hit> {
        if self.frame(ply).excluded.is_some() {
            return None;
        }
        self.shared.table.probe(self.worker.position.table_key())
    }

    /// The table's score, where it is deep enough and decides a null window. Close to the
    /// move-count limit the same position is worth something else, so the table is not believed;
    /// nor is a mate for which the limit leaves no time.
    pub fn table_cutoff<N: Node>(
        &self,
        hit: Option<Hit>,
        window: Window,
        depth: Depth,
        ply: usize,
    ) -> Option<Score> {
        let hit = hit?;
        let left = self.worker.position.clock_left();
        let too_late = |plies| plies < CLOCK_DOUBT || hit.is_mate_beyond(plies);
        if N::PV || hit.depth < depth || left.is_some_and(too_late) {
            return None;
        }
        usable_bound(hit, window, ply)
    }

    /// Gathers what is known before moves are tried, and notes the static evaluation.
    fn assess<N: Node>(&mut self, hit: Option<Hit>, ply: usize) -> Assessment<MoveOf<G>> {
        let in_check = self.worker.position.in_check();
        let table_move = hit.and_then(|h| h.best).map(PackedMove::from_bits);
        let mut node = Assessment {
            hit,
            table_move,
            raw: None,
            eval: -Score::INFINITE,
            improving: false,
            in_check,
            near_pv: N::PV || hit.is_some_and(|h| h.pv),
            known: Window::FULL,
        };
        self.frame(ply).eval = None;
        if in_check {
            return node;
        }
        let raw = hit.and_then(|h| h.eval).unwrap_or_else(|| self.evaluate());
        let eval = self.corrected(raw);
        self.frame(ply).eval = Some(eval);
        node.raw = Some(raw);
        node.eval = refined(eval, hit, ply);
        if self.frame(ply).excluded.is_none() {
            self.learn_turn(eval, ply);
        }
        node.improving = match (self.eval_back(ply, 2), self.eval_back(ply, 4)) {
            (Some(earlier), _) | (None, Some(earlier)) => eval > earlier,
            (None, None) => false,
        };
        node
    }

    fn eval_back(&self, ply: usize, back: usize) -> Option<Score> {
        self.worker.frames[ply.checked_sub(back)?].eval
    }

    /// Internal iterative reduction: a node the table has no move for is cheap to get wrong and
    /// will be better ordered next time.
    fn internal_reduction<N: Node>(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        depth: Depth,
        expected: Expected,
        ply: usize,
    ) -> Depth {
        let matters = N::PV || expected == Expected::FailHigh;
        let unknown = node.table_move.is_none() && self.frame(ply).excluded.is_none();
        if !N::ROOT && matters && unknown && depth >= IIR_MIN_DEPTH {
            depth - 1
        } else {
            depth
        }
    }

    /// Tries the moves one after another.
    fn try_moves<N: Node>(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        mut window: Window,
        depth: Depth,
        ply: usize,
        expected: Expected,
    ) -> Result<Score, Stopped> {
        let opened = window.alpha;
        self.settle_in(ply);
        let mut picker = self.picker::<N>(node, ply);
        let mut tried = Tried::new();
        let mut outcome = Findings {
            score: -Score::INFINITE,
            best: None,
        };
        while let Some(m) = self.next_move(&mut picker, ply) {
            if Some(m) == self.frame(ply).excluded {
                continue;
            }
            tried.count += 1;
            if self.skip_move::<N>(m, node, &window, depth, ply, &tried, &outcome, &mut picker) {
                continue;
            }
            let extension = match self.singular::<N>(m, node, window, depth, ply, expected)? {
                Singular::Extend(plies) => plies,
                Singular::Cutoff(score) => return Ok(score),
            };
            if N::ROOT {
                self.say_current(m, tried.count);
            }
            let nodes_before = self.worker.nodes;
            let plan = self.plan_move(m, node, depth, ply, expected, extension);
            let mut score = self.search_move::<N>(m, &plan, window, ply, tried.count)?;
            if N::ROOT {
                let effort = self.worker.nodes - nodes_before;
                score = self.note_root_move(m, score, window, tried.count, effort);
            }
            if score > outcome.score {
                outcome.score = score;
                if score > window.alpha {
                    outcome.best = Some(m);
                    window.alpha = score;
                    if N::PV {
                        prepend(&mut self.worker.frames, ply, m);
                    }
                    if score >= window.beta {
                        break;
                    }
                }
            }
            tried.add(m, plan.quiet);
        }
        if tried.count == 0 {
            return Ok(self.without_moves(node.in_check, window, ply));
        }
        outcome.score = tempered::<N>(outcome.score, window.beta, depth);
        outcome.score = outcome.score.clamp(node.known.alpha, node.known.beta);
        self.remember::<N>(node, &outcome, &tried, opened, window.beta, depth, ply);
        Ok(outcome.score)
    }

    fn picker<N: Node>(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        ply: usize,
    ) -> MovePicker<G::Position> {
        if N::ROOT {
            return MovePicker::fixed(self.choices().iter().map(|r| r.m));
        }
        let killers = self.frame(ply).killers;
        MovePicker::new(&self.worker.position, node.table_move, killers)
    }

    /// The picker's next move at this ply; what the table knows of where it leads is fetched.
    pub fn next_move(
        &mut self,
        picker: &mut MovePicker<G::Position>,
        ply: usize,
    ) -> Option<MoveOf<G>> {
        let worker = &mut *self.worker;
        let setting = &mut worker.frames[ply].setting;
        let m = picker.next(&worker.position, &worker.histories, setting)?;
        let key = worker.position.likely_key_after(m);
        self.shared.table.prefetch(key);
        Some(m)
    }

    /// The score of a side that cannot move: mated, stalemated, or left with the excluded move
    /// only, which then is as singular as can be.
    fn without_moves(&mut self, in_check: bool, window: Window, ply: usize) -> Score {
        if self.frame(ply).excluded.is_some() {
            window.alpha
        } else if in_check {
            Score::mated_in(ply)
        } else {
            stalemate::<G>(ply)
        }
    }

    /// Stores the result in the table and teaches the histories.
    #[expect(
        clippy::too_many_arguments,
        reason = "each is a fact of its own about the node"
    )]
    fn remember<N: Node>(
        &mut self,
        node: &Assessment<MoveOf<G>>,
        outcome: &Findings<MoveOf<G>>,
        tried: &Tried<MoveOf<G>>,
        alpha: Score,
        beta: Score,
        depth: Depth,
        ply: usize,
    ) {
        let score = outcome.score;
        let bound = Window { alpha, beta }.bound(score);
        if bound == Bound::Lower
            && let Some(best) = outcome.best
        {
            self.learn_cutoff(best, tried, depth, ply);
        }
        if self.frame(ply).excluded.is_some() || N::ROOT && self.line > 0 {
            return;
        }
        if bound == Bound::Upper {
            self.learn_failure(depth, ply);
        }
        self.correct(node, outcome, bound, depth, ply);
        self.store(node, outcome.best, score, bound, depth, ply);
    }

    /// Stores a node in the table. A score that rests on a repetition rule belongs to the path,
    /// so that only the move is kept.
    pub fn store(
        &self,
        node: &Assessment<MoveOf<G>>,
        best: Option<MoveOf<G>>,
        score: Score,
        bound: Bound,
        depth: Depth,
        ply: usize,
    ) {
        let hit = Hit {
            best: best.map(PackedMove::to_bits),
            score: score.to_table(ply),
            eval: node.raw,
            depth,
            bound: (!score.is_rule()).then_some(bound),
            pv: node.near_pv,
        };
        self.shared
            .table
            .store(self.worker.position.table_key(), hit);
    }
}

/// With fewer plies than this to the move-count limit the table's scores are not believed.
const CLOCK_DOUBT: u16 = 10;
/// Internal iterative reduction acts from this depth on.
const IIR_MIN_DEPTH: Depth = Depth(4);
/// What the singular search says of the table move, and of the node.
pub(crate) enum Singular {
    /// Search the move this many plies deeper.
    Extend(i32),
    /// Another move fails high too ("multi-cut"): so will the node.
    Cutoff(Score),
}

/// The score of a stalemated side.
pub(crate) fn stalemate<G: Game>(ply: usize) -> Score {
    match G::Position::STALEMATE {
        Stalemate::Draw => Score::DRAW,
        Stalemate::Loss => Score::mated_in(ply),
    }
}

/// The table's score, where its bound decides the window.
pub(crate) fn usable_bound(hit: Hit, window: Window, ply: usize) -> Option<Score> {
    let score = Score::from_table(hit.score, ply);
    let decides = match hit.bound? {
        Bound::Exact => true,
        Bound::Lower => score >= window.beta,
        Bound::Upper => score <= window.alpha,
    };
    decides.then_some(score)
}

/// A score that fails high, as far as a search to this depth is to be believed: the nearer to beta
/// the shallower it was.
pub(crate) fn tempered<N: Node>(score: Score, beta: Score, depth: Depth) -> Score {
    if N::PV || score < beta || score.is_decisive() || beta.is_decisive() {
        return score;
    }
    let weight = depth.0.max(1);
    Score((score.0 * weight + beta.0) / (weight + 1))
}

/// The evaluation, or the table's score where that is known to be on its far side. Not a decisive
/// score: it would be shown without the line that proves it.
pub(crate) fn refined(eval: Score, hit: Option<Hit>, ply: usize) -> Score {
    let Some((bound, hit)) = hit.and_then(|h| Some((h.bound?, h))) else {
        return eval;
    };
    let score = Score::from_table(hit.score, ply);
    let better = match bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    };
    if better && !score.is_decisive() {
        score
    } else {
        eval
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deeper_a_fail_high_the_more_it_is_believed() {
        let (high, beta) = (Score(300), Score(100));
        let after = |depth| tempered::<Scout>(high, beta, Depth(depth));
        assert_eq!([0, 1, 3].map(after), [Score(200), Score(200), Score(250)]);
        assert_eq!(tempered::<Pv>(high, beta, Depth(1)), high);
        assert_eq!(tempered::<Scout>(beta, high, Depth(1)), beta);
        let mate = Score::mate_in(7);
        assert_eq!(tempered::<Scout>(mate, beta, Depth(1)), mate);
    }
}
