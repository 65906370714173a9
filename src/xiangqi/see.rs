//! Static exchange evaluation: who comes out ahead when both sides keep capturing on one square.
//!
//! Each side captures with its cheapest attacker and may stop when going on loses. Men that have
//! captured leave their squares, so lines open, screens of cannons come and go, and horse legs
//! and elephant eyes become free; every attacker is looked up afresh on the board as it then is.
//! Pins and checks are not considered, save that a king does not capture into an attack.

use crate::game::{Score, Side};
use crate::xiangqi::steps::{self, DIAGONAL, ORTHOGONAL, RIGHT, between, forward, is_step};
use crate::xiangqi::{Ids, Man, Move, PieceKind, Placement, Square, piece_value};

/// Kinds in the order in which they are sent into an exchange.
const CHEAPEST_FIRST: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Advisor,
    PieceKind::Bishop,
    PieceKind::Knight,
    PieceKind::Cannon,
    PieceKind::Rook,
    PieceKind::King,
];

/// Does the exchange that this pseudo-legal move begins win at least `threshold` for the mover?
pub(super) fn see_at_least(placement: &Placement, m: Move, threshold: Score) -> bool {
    let to = m.to();
    let Some(mover) = placement.cell(m.from()).man() else {
        return false;
    };
    let value = |man: Man| piece_value(man.kind(), man.side(), to);
    let victim = placement.cell(to).man();
    // What the side that has just captured is ahead by, over what it needs.
    let mut balance = victim.map_or(Score(0), value) - threshold;
    if balance < Score(0) {
        return false;
    }
    let mut exchange = Exchange::new(placement, to);
    exchange.leave(mover, m.from());
    if let Some(victim) = victim {
        exchange.die(victim);
    }
    let mut on_square = mover;
    let mut side = !mover.side();
    loop {
        // If even losing the man on the square leaves enough, there is no need to look further.
        balance -= value(on_square);
        if balance >= Score(0) {
            break;
        }
        let Some(next) = exchange.cheapest_attacker(side) else {
            break;
        };
        exchange.leave(next, placement.square(side, next.id()));
        if next.kind() == PieceKind::King && exchange.cheapest_attacker(!side).is_some() {
            break;
        }
        // From the capturer's side: it won the man on the square and needs one point more.
        balance = -balance - Score(1);
        on_square = next;
        side = !side;
    }
    // The side to capture next cannot or need not: the other side has what it wants.
    side != mover.side()
}

/// The board during an exchange on one square.
struct Exchange<'a> {
    placement: &'a Placement,
    target: Square,
    /// Men that still stand where the placement has them.
    standing: [Ids; 2],
    /// Occupied squares of the target's lines.
    file: u16,
    rank: u16,
}

impl Exchange<'_> {
    fn new(placement: &Placement, target: Square) -> Exchange<'_> {
        Exchange {
            placement,
            target,
            standing: [placement.alive(Side::First), placement.alive(Side::Second)],
            file: placement.file(target),
            rank: placement.rank(target),
        }
    }

    /// This man leaves `from` for the target.
    fn leave(&mut self, man: Man, from: Square) {
        self.die(man);
        if from.shares_file(self.target) {
            self.file &= !(1 << (from.rank() & 15));
        }
        if from.shares_rank(self.target) {
            self.rank &= !(1 << (from.file() & 15));
        }
    }

    /// This man can capture no more.
    fn die(&mut self, man: Man) {
        let standing = &mut self.standing[man.side().index()];
        *standing &= !Ids::only(man.id());
    }

    fn cheapest_attacker(&self, side: Side) -> Option<Man> {
        CHEAPEST_FIRST.into_iter().find_map(|kind| {
            (self.standing[side.index()] & Ids::of(kind))
                .map(|id| Man::new(side, id))
                .find(|man| self.reaches(*man))
        })
    }

    /// Can this man, where he stands, capture on the target?
    fn reaches(&self, man: Man) -> bool {
        let from = self.placement.square(man.side(), man.id());
        let target = self.target;
        let difference = target.difference(from);
        match man.kind() {
            PieceKind::King => target.is_palace() && is_step(difference, ORTHOGONAL, 1),
            PieceKind::Advisor => target.is_palace() && is_step(difference, DIAGONAL, 1),
            PieceKind::Bishop => {
                target.shares_half(from)
                    && is_step(difference, DIAGONAL, 2)
                    && self.is_vacant(from.midpoint(target))
            }
            PieceKind::Knight => steps::leg(from, target).is_some_and(|leg| self.is_vacant(leg)),
            PieceKind::Rook => self.screens(from) == Some(0),
            PieceKind::Cannon => self.screens(from) == Some(1),
            PieceKind::Pawn => {
                target == from.step(forward(man.side()))
                    || from.is_across(man.side())
                        && (target == from.step(RIGHT) || target == from.step(-RIGHT))
            }
        }
    }

    /// Men between this square and the target, if they share a line.
    fn screens(&self, from: Square) -> Option<u32> {
        if from.shares_file(self.target) {
            Some((self.file & between(from.rank(), self.target.rank())).count_ones())
        } else if from.shares_rank(self.target) {
            Some((self.rank & between(from.file(), self.target.file())).count_ones())
        } else {
            None
        }
    }

    /// Is this square, not the target, empty by now?
    fn is_vacant(&self, sq: Square) -> bool {
        let cell = self.placement.cell(sq);
        cell.man().map_or(cell.is_empty(), |man| {
            !self.standing[man.side().index()].contains(man.id())
        })
    }
}
