//! Who attacks the king: check, the flying general, and which moves expose a king.
//!
//! The question is asked from the king outward, with the enemy's piece list telling where to
//! look: a chariot, a cannon or the other king matters only on the king's own file or rank, and
//! what stands between is a mask of that line's occupancy; a horse matters only a horse's move
//! away, a pawn only next to the king. No line is scanned.
//!
//! [`Exposure`] is found once a move. Its shields make legality cheap: out of check, a move is
//! legal unless the king moves, or a shield does, or a man enters a line down which a cannon
//! looks at the king with nothing between ([`Exposure::hollow`]).

use arrayvec::ArrayVec;

use crate::game::Side;
use crate::xiangqi::steps::{self, RIGHT, between, forward};
use crate::xiangqi::{Cell, Ids, Man, Piece, PieceKind, Placement, Square};

/// The enemy men that reach along lines: the other king (down an open file) and the sliders.
const LINE_MEN: Ids = Ids::SLIDERS.union(Ids::of(PieceKind::King));

/// How the king of the side to move stands to the enemy's men.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exposure {
    /// The king is attacked; kings that face each other attack each other.
    pub in_check: bool,
    /// A cannon looks at the king with nothing between: whoever steps between gives it a screen.
    pub hollow: bool,
    /// Own men whose leaving may uncover an attack: the only man before a chariot or the other
    /// king, one of two before a cannon, the one on a horse's leg.
    pub shields: Ids,
}

/// How the king of `side` stands.
#[inline]
pub fn exposure(placement: &Placement, side: Side) -> Exposure {
    let king = placement.king(side);
    let enemy = !side;
    let mut found = Exposure {
        in_check: pawn_attacks(placement, side, king, king),
        hollow: false,
        shields: Ids::NONE,
    };
    for id in placement.alive(enemy) & LINE_MEN {
        let sq = placement.square(enemy, id);
        if sq.shares_file(king) {
            let screens = placement.file(king) & between(sq.rank(), king.rank());
            let at = |bit: u8| placement.cell(Square::on(king.file(), bit));
            found.add_line(side, Man::new(enemy, id).kind(), screens, at);
        } else if sq.shares_rank(king) {
            let screens = placement.rank(king) & between(sq.file(), king.file());
            let at = |bit: u8| placement.cell(Square::on(bit, king.rank()));
            found.add_line(side, Man::new(enemy, id).kind(), screens, at);
        }
    }
    for id in placement.alive(enemy) & Ids::of(PieceKind::Knight) {
        if let Some(leg) = steps::leg(placement.square(enemy, id), king) {
            let cell = placement.cell(leg);
            if cell.is_empty() {
                found.in_check = true;
            } else {
                found.add_shield(side, cell);
            }
        }
    }
    found
}

impl Exposure {
    /// Takes in an enemy man on a line of the king with these men between; `at` tells who
    /// stands at a bit of that line.
    #[inline]
    fn add_line(&mut self, side: Side, kind: PieceKind, screens: u16, at: impl Fn(u8) -> Cell) {
        let rest = screens & screens.wrapping_sub(1);
        let nearest = screens.trailing_zeros() as u8;
        if kind != PieceKind::Cannon {
            if screens == 0 {
                self.in_check = true;
            } else if rest == 0 {
                self.add_shield(side, at(nearest));
            }
        } else if screens == 0 {
            self.hollow = true;
        } else if rest == 0 {
            self.in_check = true;
        } else if rest & (rest - 1) == 0 {
            self.add_shield(side, at(nearest));
            self.add_shield(side, at(rest.trailing_zeros() as u8));
        }
    }

    #[inline]
    fn add_shield(&mut self, side: Side, cell: Cell) {
        if let Some(man) = cell.man()
            && man.side() == side
        {
            self.shields |= Ids::only(man.id());
        }
    }
}

/// Would the king of `side` be safe after this pseudo-legal move of that side?
pub fn is_safe_after(placement: &Placement, side: Side, from: Square, to: Square) -> bool {
    let own_king = placement.king(side);
    let king = if from == own_king { to } else { own_king };
    let enemy = !side;
    let lines = lines_after(placement, king, from, to);
    for id in placement.alive(enemy) & LINE_MEN {
        let sq = placement.square(enemy, id);
        if sq != to && reaches_down_a_line(Man::new(enemy, id).kind(), sq, king, lines) {
            return false;
        }
    }
    for id in placement.alive(enemy) & Ids::of(PieceKind::Knight) {
        let sq = placement.square(enemy, id);
        if sq != to
            && let Some(leg) = steps::leg(sq, king)
            && leg != to
            && (leg == from || placement.cell(leg).is_empty())
        {
            return false;
        }
    }
    !pawn_attacks(placement, side, king, to)
}

/// Does this legal move attack the other side's king, be it by the man that moves or by one whose
/// way it opens?
pub fn gives_check(placement: &Placement, from: Square, to: Square) -> bool {
    let Some(mover) = placement.cell(from).man() else {
        return false;
    };
    let side = mover.side();
    let king = placement.king(!side);
    let lines = lines_after(placement, king, from, to);
    let place = |id| match id == mover.id() {
        true => to,
        false => placement.square(side, id),
    };
    for id in placement.alive(side) & Ids::SLIDERS {
        if reaches_down_a_line(Man::new(side, id).kind(), place(id), king, lines) {
            return true;
        }
    }
    for id in placement.alive(side) & Ids::of(PieceKind::Knight) {
        if let Some(leg) = steps::leg(place(id), king)
            && leg != to
            && (leg == from || placement.cell(leg).is_empty())
        {
            return true;
        }
    }
    let steps = [-forward(side), RIGHT, -RIGHT];
    mover.kind() == PieceKind::Pawn && steps.into_iter().any(|step| king.step(step) == to)
}

/// The occupied squares of a king's file and rank after a move.
#[inline]
fn lines_after(placement: &Placement, king: Square, from: Square, to: Square) -> (u16, u16) {
    let mut file = placement.file(king);
    let mut rank = placement.rank(king);
    if from.shares_file(king) {
        file &= !(1 << (from.rank() & 15));
    }
    if from.shares_rank(king) {
        rank &= !(1 << (from.file() & 15));
    }
    if to.shares_file(king) {
        file |= 1 << (to.rank() & 15);
    }
    if to.shares_rank(king) {
        rank |= 1 << (to.file() & 15);
    }
    (file, rank)
}

/// Does a slider, or the other king, on `sq` attack the king down its file or rank, occupied as
/// `lines` say?
#[inline]
fn reaches_down_a_line(kind: PieceKind, sq: Square, king: Square, lines: (u16, u16)) -> bool {
    let screens = if sq.shares_file(king) {
        lines.0 & between(sq.rank(), king.rank())
    } else if sq.shares_rank(king) {
        lines.1 & between(sq.file(), king.file())
    } else {
        return false;
    };
    match kind {
        PieceKind::Cannon => screens != 0 && screens & (screens - 1) == 0,
        _ => screens == 0,
    }
}

/// Does an enemy pawn, but for one on `gone`, attack this square of the palace of `side`?
#[inline]
fn pawn_attacks(placement: &Placement, side: Side, king: Square, gone: Square) -> bool {
    [forward(side), RIGHT, -RIGHT].into_iter().any(|step| {
        let sq = king.step(step);
        sq != gone && placement.has(!side, PieceKind::Pawn, sq)
    })
}

/// The enemy men that attack the king of `side`.
pub fn king_attackers(placement: &Placement, side: Side) -> Ids {
    let king = placement.king(side);
    placement
        .alive(!side)
        .filter(|&id| {
            let from = placement.square(!side, id);
            attacks(placement, Man::new(!side, id).piece(), from, king)
        })
        .collect()
}

/// The squares of the men that attack the king of `side`, in order of their numbers.
pub fn checkers(placement: &Placement, side: Side) -> ArrayVec<Square, 16> {
    king_attackers(placement, side)
        .map(|id| placement.square(!side, id))
        .collect()
}

/// Does a piece on `from` attack `to`, by the way it captures? The kings attack each other down
/// an open file.
pub fn attacks(placement: &Placement, piece: Piece, from: Square, to: Square) -> bool {
    let facing = piece.kind == PieceKind::King
        && placement.has(!piece.side, PieceKind::King, to)
        && from.shares_file(to)
        && placement.file(to) & between(from.rank(), to.rank()) == 0;
    facing || crate::xiangqi::generate::captures(placement, piece, from, to)
}
