//! The terms of the xiangqi evaluation that are computed when asked: mobility, cannons against
//! the king, guards and attackers, pawns side by side.

use crate::eval::Tapered;
use crate::eval::xiangqi::values as v;
use crate::game::Side;
use crate::xiangqi::steps::{LEAPS, RIGHT, along_file, along_rank, between};
use crate::xiangqi::{PieceKind, Placement, Square};

/// The terms of one side.
#[derive(Clone, Copy, Default)]
pub(super) struct Terms {
    pub mobility: Tapered,
    pub cannons: Tapered,
    pub attack: Tapered,
    pub shape: Tapered,
}

impl Terms {
    pub fn sum(&self) -> Tapered {
        self.mobility + self.cannons + self.attack + self.shape
    }
}

/// Computes the terms of both sides.
pub(super) fn assess(placement: &Placement) -> [Terms; 2] {
    let mut terms = [Terms::default(); 2];
    let mut units = [0; 2];
    for (man, sq) in placement.men() {
        let side = man.side();
        let own = &mut terms[side.index()];
        if sq.is_across(side) {
            units[side.index()] += v::ATTACKER[man.kind() as usize];
        }
        match man.kind() {
            PieceKind::Rook => own.mobility += rook(placement, sq),
            PieceKind::Knight => own.mobility += knight(placement, side, sq),
            PieceKind::Cannon => {
                own.mobility += cannon(placement, side, sq);
                own.cannons += cannon_at_king(placement, side, sq);
            }
            PieceKind::Pawn => own.shape += pawn(placement, side, sq),
            PieceKind::King | PieceKind::Advisor | PieceKind::Bishop => {}
        }
    }
    for side in Side::ALL {
        let gaps = guard_gaps(placement, !side);
        let attack = units[side.index()] * (v::ATTACK_BASE + v::ATTACK_PER_GAP * gaps);
        terms[side.index()].attack = Tapered::new(attack, attack / 2);
        if guard_gaps(placement, side) == 0 {
            terms[side.index()].shape += v::FULL_GUARD;
        }
    }
    terms
}

/// Advisors and elephants missing.
fn guard_gaps(placement: &Placement, side: Side) -> i32 {
    let guards =
        placement.count(side, PieceKind::Advisor) + placement.count(side, PieceKind::Bishop);
    4 - guards.min(4) as i32
}

fn scaled((usual, each): (i32, Tapered), squares: u32) -> Tapered {
    each * (squares as i32 - usual)
}

fn rook(placement: &Placement, sq: Square) -> Tapered {
    let file = along_file(sq, placement.file(sq));
    let rank = along_rank(sq, placement.rank(sq));
    scaled(
        v::ROOK_MOBILITY,
        file.quiet.count_ones() + rank.quiet.count_ones(),
    )
}

fn knight(placement: &Placement, side: Side, sq: Square) -> Tapered {
    let mut squares = 0;
    for leap in LEAPS {
        if placement.cell(sq.step(leap.leg)).is_empty() {
            let open = leap.targets.iter();
            squares += open
                .filter(|to| placement.cell(sq.step(**to)).is_open_to(side))
                .count() as u32;
        }
    }
    scaled(v::KNIGHT_MOBILITY, squares)
}

fn cannon(placement: &Placement, side: Side, sq: Square) -> Tapered {
    let file = along_file(sq, placement.file(sq));
    let rank = along_rank(sq, placement.rank(sq));
    let targets = (file.far & placement.file_of(!side, sq)).count_ones()
        + (rank.far & placement.rank_of(!side, sq)).count_ones();
    let squares = file.quiet.count_ones() + rank.quiet.count_ones();
    scaled(v::CANNON_MOBILITY, squares) + v::CANNON_TARGET * targets as i32
}

/// A cannon on the enemy king's file.
fn cannon_at_king(placement: &Placement, side: Side, sq: Square) -> Tapered {
    let king = placement.king(!side);
    if !sq.shares_file(king) {
        return Tapered::default();
    }
    let men = placement.file(sq) & between(sq.rank(), king.rank());
    match men.count_ones() {
        0 => v::HOLLOW_CANNON,
        2 => v::CANNON_PIN,
        _ => Tapered::default(),
    }
}

/// A pawn across the river with another of its own to its right.
fn pawn(placement: &Placement, side: Side, sq: Square) -> Tapered {
    if sq.is_across(side) && placement.has(side, PieceKind::Pawn, sq.step(RIGHT)) {
        v::PAWN_PAIR
    } else {
        Tapered::default()
    }
}
