//! The hidden layer of every ply, worked out only where an evaluation asks for it.
//!
//! A move notes which pieces it put and lifted. When a ply is evaluated, its accumulators are
//! made from the nearest earlier ones by the noted changes, all plies between included, because
//! their other moves will want them too. Where the own king went to another view, that look is
//! made from the last accumulator that was used in the new view, by the pieces that differ.

use arrayvec::ArrayVec;

use crate::eval::nnue::inputs::Inputs;
use crate::eval::nnue::kernels::Kernel;
use crate::eval::nnue::layers::{Revise, Row, Update};
use crate::eval::nnue::weights::Network;
use crate::game::{MAX_PLY, Position, Side};

/// A square of a cache's board without a piece.
const NOBODY: u8 = u8::MAX;
/// Squares of a cache's board that are compared at a time: most refreshes find few pieces moved.
const GROUP: usize = 8;
/// Squares there may be at most.
const SQUARES_MAX: usize = 256;

/// A piece on a square, as dense indices.
#[derive(Clone, Copy)]
struct Man {
    piece: u8,
    square: u8,
}

/// Castling changes most: two pieces leave their squares and two arrive.
type Men = ArrayVec<Man, 2>;

/// The accumulators of a ply and how they follow from the ply before.
struct Ply<const H: usize> {
    looks: [Row<H>; 2],
    /// Are these worked out?
    ready: [bool; 2],
    views: [u8; 2],
    put: Men,
    lifted: Men,
}

/// The last accumulator in some view, and the pieces it stands for.
struct Cached<const H: usize> {
    look: Row<H>,
    board: Box<[[u8; GROUP]]>,
}

/// The accumulators of the line being searched.
pub(super) struct Accumulators<I: Inputs, const H: usize> {
    plies: Vec<Ply<H>>,
    top: usize,
    /// By side and view.
    cache: Vec<Cached<H>>,
    inputs: std::marker::PhantomData<fn() -> I>,
}

impl<I: Inputs, const H: usize> Accumulators<I, H> {
    pub fn new(network: &Network<I, H>) -> Self {
        let squares = <I::Position as Position>::SQUARES;
        let ply = || Ply {
            looks: [Row([0; H]); 2],
            ready: [false; 2],
            views: [0; 2],
            put: Men::new(),
            lifted: Men::new(),
        };
        let cached = || Cached {
            look: *network.bias(),
            board: vec![[NOBODY; GROUP]; squares.div_ceil(GROUP)].into(),
        };
        Accumulators {
            plies: (0..=MAX_PLY).map(|_| ply()).collect(),
            top: 0,
            cache: (0..2 * I::VIEWS).map(|_| cached()).collect(),
            inputs: std::marker::PhantomData,
        }
    }

    /// Starts afresh from a position.
    pub fn reset(&mut self, position: &I::Position) {
        self.top = 0;
        let ply = &mut self.plies[0];
        ply.ready = [false; 2];
        I::each_piece(position, |piece, square| {
            if let Some(side) = I::king_of(piece) {
                ply.views[side.index()] = I::view(side, square);
            }
        });
    }

    /// Opens a ply.
    #[inline]
    pub fn enter(&mut self) {
        let views = self.plies[self.top].views;
        self.top += 1;
        if self.top == self.plies.len() {
            // Deeper than search ever goes, but a caller may.
            self.grow();
        }
        let ply = &mut self.plies[self.top];
        ply.ready = [false; 2];
        ply.views = views;
        ply.put.clear();
        ply.lifted.clear();
    }

    #[cold]
    fn grow(&mut self) {
        self.plies.push(Ply {
            looks: [Row([0; H]); 2],
            ready: [false; 2],
            views: [0; 2],
            put: Men::new(),
            lifted: Men::new(),
        });
    }

    /// Drops the ply.
    #[inline]
    pub fn leave(&mut self) {
        debug_assert!(self.top > 0, "a ply was entered");
        self.top = self.top.saturating_sub(1);
    }

    /// Notes a piece that arrived.
    #[inline]
    pub fn put(&mut self, piece: u8, square: u8) {
        let ply = &mut self.plies[self.top];
        if let Some(side) = I::king_of(piece) {
            ply.views[side.index()] = I::view(side, square);
        }
        ply.put.push(Man { piece, square });
    }

    /// Notes a piece that left.
    #[inline]
    pub fn lift(&mut self, piece: u8, square: u8) {
        self.plies[self.top].lifted.push(Man { piece, square });
    }

    /// The accumulators of the present ply, which is that of `position`: the first side's look
    /// and the second's.
    pub fn looks(
        &mut self,
        network: &Network<I, H>,
        kernel: Kernel,
        position: &I::Position,
    ) -> &[Row<H>; 2] {
        for side in Side::ALL {
            if !self.plies[self.top].ready[side.index()] {
                self.make_ready(network, kernel, position, side);
            }
        }
        &self.plies[self.top].looks
    }

    fn make_ready(
        &mut self,
        network: &Network<I, H>,
        kernel: Kernel,
        position: &I::Position,
        side: Side,
    ) {
        let s = side.index();
        let mut base = self.top;
        while !self.plies[base].ready[s] {
            if base == 0 || self.plies[base].views[s] != self.plies[base - 1].views[s] {
                self.refresh(network, kernel, position, side);
                return;
            }
            base -= 1;
        }
        for ply in base..self.top {
            let (before, after) = self.plies.split_at_mut(ply + 1);
            follow::<I, H>(network, kernel, side, &before[ply], &mut after[0]);
        }
    }

    /// Makes a look from the last one in the same view.
    fn refresh(
        &mut self,
        network: &Network<I, H>,
        kernel: Kernel,
        position: &I::Position,
        side: Side,
    ) {
        let ply = &mut self.plies[self.top];
        let view = ply.views[side.index()];
        let cached = &mut self.cache[side.index() * I::VIEWS + usize::from(view)];
        let row = |piece, square: usize| I::row(side, view, piece, square as u8) as u16;
        let mut adds: ArrayVec<u16, 128> = ArrayVec::new();
        let mut subs: ArrayVec<u16, 128> = ArrayVec::new();
        let mut board = [NOBODY; SQUARES_MAX];
        I::each_piece(position, |piece, square| board[usize::from(square)] = piece);
        let groups = cached.board.iter_mut().zip(board.as_chunks::<GROUP>().0);
        for (index, (group, now)) in groups.enumerate() {
            if group == now {
                continue;
            }
            for (i, (old, new)) in group.iter().zip(now).enumerate() {
                if old != new {
                    let square = GROUP * index + i;
                    if *old != NOBODY {
                        subs.push(row(*old, square));
                    }
                    if *new != NOBODY {
                        adds.push(row(*new, square));
                    }
                }
            }
            *group = *now;
        }
        kernel.run(Revise {
            row: &mut cached.look,
            weights: network.rows(),
            adds: &adds,
            subs: &subs,
        });
        ply.looks[side.index()] = cached.look;
        ply.ready[side.index()] = true;
    }
}

/// Makes one look of a ply from that of the ply before.
#[inline]
fn follow<I: Inputs, const H: usize>(
    network: &Network<I, H>,
    kernel: Kernel,
    side: Side,
    before: &Ply<H>,
    after: &mut Ply<H>,
) {
    let s = side.index();
    let view = after.views[s];
    let row = |man: Man| &network.rows()[I::row(side, view, man.piece, man.square)];
    let from = &before.looks[s];
    let into = &mut after.looks[s];
    match (&after.put[..], &after.lifted[..]) {
        (&[a], &[b]) => kernel.run(Update {
            into,
            from,
            adds: [row(a)],
            subs: [row(b)],
        }),
        (&[a], &[b, c]) => kernel.run(Update {
            into,
            from,
            adds: [row(a)],
            subs: [row(b), row(c)],
        }),
        (&[a, b], &[c, d]) => kernel.run(Update {
            into,
            from,
            adds: [row(a), row(b)],
            subs: [row(c), row(d)],
        }),
        (puts, lifts) => {
            // No move of our games; a third one's perhaps.
            let inputs = |men: &[Man]| -> ArrayVec<u16, 2> {
                let input = |m: &Man| I::row(side, view, m.piece, m.square) as u16;
                men.iter().map(input).collect()
            };
            *into = *from;
            kernel.run(Revise {
                row: into,
                weights: network.rows(),
                adds: &inputs(puts),
                subs: &inputs(lifts),
            });
        }
    }
    after.ready[s] = true;
}
