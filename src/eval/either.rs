//! One of two evaluators, chosen at run time.

use crate::game::{Evaluator, Observer, Position, Score};

/// One of two evaluators.
pub enum Either<A, B> {
    /// The first.
    One(A),
    /// The second.
    Other(B),
}

impl<A: Observer, B: Observer> Observer for Either<A, B> {
    #[inline]
    fn put(&mut self, piece: u8, square: u8) {
        match self {
            Either::One(a) => a.put(piece, square),
            Either::Other(b) => b.put(piece, square),
        }
    }

    #[inline]
    fn lift(&mut self, piece: u8, square: u8) {
        match self {
            Either::One(a) => a.lift(piece, square),
            Either::Other(b) => b.lift(piece, square),
        }
    }
}

impl<P: Position, A: Evaluator<P>, B: Evaluator<P>> Evaluator<P> for Either<A, B> {
    fn reset(&mut self, position: &P) {
        match self {
            Either::One(a) => a.reset(position),
            Either::Other(b) => b.reset(position),
        }
    }

    #[inline]
    fn enter(&mut self) {
        match self {
            Either::One(a) => a.enter(),
            Either::Other(b) => b.enter(),
        }
    }

    #[inline]
    fn leave(&mut self) {
        match self {
            Either::One(a) => a.leave(),
            Either::Other(b) => b.leave(),
        }
    }

    #[inline]
    fn evaluate(&mut self, position: &P) -> Score {
        match self {
            Either::One(a) => a.evaluate(position),
            Either::Other(b) => b.evaluate(position),
        }
    }

    fn explain(&mut self, position: &P) -> String {
        match self {
            Either::One(a) => a.explain(position),
            Either::Other(b) => b.explain(position),
        }
    }
}
