//! What a side threatens to win: the facts behind perpetual chase.
//!
//! The question is asked of a board on which a side has just moved: which enemy men could it win
//! if it might move again? An attack is a *threat* only if the capture can be played without
//! exposing the own king, and wins something: the victim is worth more than a protected man of
//! that kind is owed, or nobody can take back. Protection is looked up after the capture, not
//! before it, so that pinned defenders, blocked lines, vanished screens and guarded squares need
//! no rules of their own.
//!
//! Boards are lent for trying captures out, and handed back as they were.

use crate::game::{MoveList, Side, Wanted};
use crate::xiangqi::{Ids, Man, Move, PieceKind, Placement, Square};
use crate::xiangqi::{checks, generate, steps};

/// Kings and pawns may chase for ever; these may not.
const CHASERS: Ids = Ids::of(PieceKind::King)
    .union(Ids::of(PieceKind::Pawn))
    .complement();

/// How an attack of one man on another is to be judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attack {
    /// It threatens to win the victim.
    Threat,
    /// None: a king or a pawn attacks.
    ByKingOrPawn,
    /// None: the victim is a pawn that has not crossed the river.
    OnHomePawn,
    /// None: the attacker is pinned, by this man among others, and the victim does not pin it.
    Pinned(Man),
    /// None: after the capture this man would attack the attacker's king.
    Exposing(Man),
    /// None: the victim, of the same kind, could capture the attacker as well.
    Offer,
    /// None: this man would take back.
    Protected(Man),
}

/// The men of the other side, out of `among`, that `side` threatens to win if it moves next.
pub fn victims(board: &mut Placement, side: Side, among: Ids) -> Ids {
    let among = among & !Ids::of(PieceKind::King);
    let mut found = Ids::NONE;
    if among.is_empty() {
        return found;
    }
    let mut captures = MoveList::new();
    let chasers = board.alive(side) & CHASERS;
    generate::moves_of(board, side, chasers, Wanted::Noisy, &mut captures);
    let view = View::of(board, side);
    for m in captures {
        let Some((hunter, victim)) = parties(board, m) else {
            continue;
        };
        if (among & !found).contains(victim.id())
            && view.judge(board, hunter, victim) == Attack::Threat
        {
            found |= Ids::only(victim.id());
        }
    }
    found
}

/// One man's attack on another, and what it amounts to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Judged {
    /// Who attacks.
    pub hunter: Man,
    /// Whom.
    pub victim: Man,
    /// With what right.
    pub attack: Attack,
}

/// All attacks of `side` on the other side's men but the king, judged; for explanations.
pub fn attacks(board: &mut Placement, side: Side) -> Vec<Judged> {
    let mut captures = MoveList::new();
    let all = board.alive(side);
    generate::moves_of(board, side, all, Wanted::Noisy, &mut captures);
    let view = View::of(board, side);
    let mut found = Vec::new();
    for m in captures {
        if let Some((hunter, victim)) = parties(board, m)
            && victim.kind() != PieceKind::King
        {
            let attack = view.judge(board, hunter, victim);
            found.push(Judged {
                hunter,
                victim,
                attack,
            });
        }
    }
    found
}

/// The chariots of `side` that may not leave the leg of an enemy horse, because it would then
/// attack their king.
pub fn leg_pinned_chariots(board: &Placement, side: Side) -> Ids {
    let king = board.king(side);
    (board.alive(!side) & Ids::of(PieceKind::Knight))
        .filter_map(|id| steps::leg(board.square(!side, id), king))
        .filter_map(|leg| board.cell(leg).man())
        .filter(|man| man.side() == side && man.kind() == PieceKind::Rook)
        .map(Man::id)
        .collect()
}

/// Could `side`, which has just moved, mate at once if it might move again?
pub fn threatens_mate(board: &mut Placement, side: Side) -> bool {
    let mut moves = MoveList::new();
    let men = board.alive(side);
    generate::moves_of(board, side, men, Wanted::All, &mut moves);
    moves.into_iter().any(|m| {
        // Whoever captures the king has had him in check before: that is no threat but a check.
        let takes_king = board.king(!side) == m.to();
        !takes_king
            && checks::is_safe_after(board, side, m.from(), m.to())
            && tried(board, m, |board| is_mated(board, !side))
    })
}

fn is_mated(board: &Placement, side: Side) -> bool {
    if !checks::exposure(board, side).in_check {
        return false;
    }
    let mut replies = MoveList::new();
    generate::moves_of(board, side, board.alive(side), Wanted::All, &mut replies);
    !replies
        .into_iter()
        .any(|m| checks::is_safe_after(board, side, m.from(), m.to()))
}

/// Who captures whom.
fn parties(board: &Placement, capture: Move) -> Option<(Man, Man)> {
    let hunter = board.cell(capture.from()).man()?;
    let victim = board.cell(capture.to()).man()?;
    Some((hunter, victim))
}

/// What `look` sees after a move is played out on the board, which then is as before.
fn tried<T>(board: &mut Placement, m: Move, look: impl FnOnce(&Placement) -> T) -> T {
    let mover = board.cell(m.from()).man();
    let victim = board.cell(m.to()).man();
    if let Some(victim) = victim {
        board.lift(victim, m.to());
    }
    if let Some(mover) = mover {
        board.lift(mover, m.from());
        board.put(mover, m.to());
    }
    let seen = look(board);
    if let Some(mover) = mover {
        board.lift(mover, m.to());
        board.put(mover, m.from());
    }
    if let Some(victim) = victim {
        board.put(victim, m.to());
    }
    seen
}

/// How the king of a side stands that is asked for its threats.
struct View {
    side: Side,
    /// Enemy men that give check already. They do not spoil a capture, others do.
    checkers: Ids,
    /// Own men that may be pinned.
    shields: Ids,
}

impl View {
    fn of(board: &Placement, side: Side) -> View {
        let exposure = checks::exposure(board, side);
        let checkers = if exposure.in_check {
            checks::king_attackers(board, side)
        } else {
            Ids::NONE
        };
        View {
            side,
            checkers,
            shields: exposure.shields,
        }
    }

    /// Judges the attack of a man who reaches the victim by the ordinary rules of capture.
    fn judge(&self, board: &mut Placement, hunter: Man, victim: Man) -> Attack {
        let from = board.square(hunter.side(), hunter.id());
        let to = board.square(victim.side(), victim.id());
        if matches!(hunter.kind(), PieceKind::King | PieceKind::Pawn) {
            return Attack::ByKingOrPawn;
        }
        if victim.kind() == PieceKind::Pawn && !to.is_across(victim.side()) {
            return Attack::OnHomePawn;
        }
        if self.shields.contains(hunter.id()) {
            let mut pinners = self.pinners(board, hunter, from);
            if !pinners.contains(victim.id())
                && let Some(id) = pinners.next()
            {
                return Attack::Pinned(Man::new(!self.side, id));
            }
        }
        let capture = Move::new(from, to);
        if let Some(man) = self.exposed_by(board, capture) {
            return Attack::Exposing(man);
        }
        if is_stronger(victim.kind(), hunter.kind()) {
            return Attack::Threat;
        }
        if hunter.kind() == victim.kind() && can_capture(board, victim, to, from) {
            return Attack::Offer;
        }
        match tried(board, capture, |board| defender(board, !self.side, to)) {
            Some(man) => Attack::Protected(man),
            None => Attack::Threat,
        }
    }

    /// The enemy men that would attack the king if this man were not on the board.
    fn pinners(&self, board: &mut Placement, man: Man, from: Square) -> Ids {
        board.lift(man, from);
        let attackers = checks::king_attackers(board, self.side);
        board.put(man, from);
        attackers & !self.checkers
    }

    /// An enemy man who attacks the king after this capture and does not do so now.
    fn exposed_by(&self, board: &mut Placement, capture: Move) -> Option<Man> {
        let side = self.side;
        if checks::is_safe_after(board, side, capture.from(), capture.to()) {
            return None;
        }
        let attackers = tried(board, capture, |board| checks::king_attackers(board, side));
        let id = (attackers & !self.checkers).next()?;
        Some(Man::new(!side, id))
    }
}

/// Does an attack by a man of the `hunter`'s kind count even on a protected man of this kind?
const fn is_stronger(victim: PieceKind, hunter: PieceKind) -> bool {
    use PieceKind::{Advisor, Bishop, Cannon, Knight, Rook};
    match hunter {
        Knight | Cannon => matches!(victim, Rook),
        Advisor | Bishop => matches!(victim, Rook | Knight | Cannon),
        _ => false,
    }
}

/// A man of `side` who can capture on this square without exposing his king.
fn defender(board: &Placement, side: Side, sq: Square) -> Option<Man> {
    board
        .alive(side)
        .map(|id| Man::new(side, id))
        .find(|&man| can_capture(board, man, board.square(side, man.id()), sq))
}

/// Can this man capture there, his king being safe afterwards?
fn can_capture(board: &Placement, man: Man, from: Square, to: Square) -> bool {
    generate::captures(board, man.piece(), from, to)
        && checks::is_safe_after(board, man.side(), from, to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::xiangqi::Board;

    /// What the attack from one square on another amounts to, for the side that has just moved.
    fn attack(fen: &str, from: (u8, u8), to: (u8, u8)) -> Attack {
        let board = Board::from_fen(fen).unwrap();
        let mut placement = board.placement().clone();
        let hunter = placement.cell(Square::on(from.0, from.1)).man().unwrap();
        let victim = placement.cell(Square::on(to.0, to.1)).man().unwrap();
        let found = attacks(&mut placement, hunter.side());
        assert_eq!(placement, *board.placement(), "the board comes back");
        let judged = found
            .iter()
            .find(|j| j.hunter == hunter && j.victim == victim);
        judged.expect("an attack").attack
    }

    #[test]
    fn an_unprotected_man_is_threatened_and_a_protected_one_is_not() {
        let fen = "3k5/9/9/2n1R4/9/9/9/9/9/4K4 b - - 0 1";
        assert_eq!(attack(fen, (4, 6), (2, 6)), Attack::Threat);
        let fen = "2rk5/9/9/2n1R4/9/9/9/9/9/4K4 b - - 0 1";
        let chariot = Man::new(Side::Second, 7);
        assert_eq!(attack(fen, (4, 6), (2, 6)), Attack::Protected(chariot));
    }

    #[test]
    fn a_chariot_is_threatened_by_lesser_men_though_protected() {
        let fen = "3k5/9/2r6/9/2r6/4N4/9/9/9/4K4 b - - 0 1";
        assert_eq!(attack(fen, (4, 4), (2, 5)), Attack::Threat);
    }

    #[test]
    fn equal_men_offer_an_exchange_unless_one_may_not_take() {
        let fen = "3k5/9/9/2r1R4/9/9/9/9/9/4K4 b - - 0 1";
        assert_eq!(attack(fen, (4, 6), (2, 6)), Attack::Offer);
        // The victim shields its king from the other chariot.
        let fen = "3k5/9/9/3r1R3/9/9/9/9/3R5/4K4 b - - 0 1";
        assert_eq!(attack(fen, (5, 6), (3, 6)), Attack::Threat);
    }

    #[test]
    fn kings_pawns_and_pawns_at_home() {
        let fen = "3k5/9/9/2nP5/9/9/9/9/9/4K4 b - - 0 1";
        assert_eq!(attack(fen, (3, 6), (2, 6)), Attack::ByKingOrPawn);
        let fen = "3k5/9/9/2p1R4/9/9/9/9/9/4K4 b - - 0 1";
        assert_eq!(attack(fen, (4, 6), (2, 6)), Attack::OnHomePawn);
        let fen = "3k5/9/9/9/9/2p1R4/9/9/9/4K4 b - - 0 1";
        assert_eq!(attack(fen, (4, 4), (2, 4)), Attack::Threat);
    }

    #[test]
    fn a_pinned_man_threatens_only_its_pinner() {
        let fen = "3kr4/9/2r6/9/2n6/4N4/9/9/9/4K4 b - - 0 1";
        let pinner = Man::new(Side::Second, 7);
        assert_eq!(attack(fen, (4, 4), (2, 5)), Attack::Pinned(pinner));
        // The pinner itself may be chased.
        let fen = "3kr4/9/9/9/9/4R4/9/9/9/4K4 b - - 0 1";
        assert_eq!(attack(fen, (4, 4), (4, 9)), Attack::Offer);
    }

    #[test]
    fn a_horse_pins_the_chariot_on_its_leg() {
        let board = Board::from_fen("3k5/3r5/4N4/9/9/9/9/9/9/4K4 b - - 0 1").unwrap();
        assert_eq!(
            leg_pinned_chariots(board.placement(), Side::Second),
            Ids::NONE
        );
        let board = Board::from_fen("3k5/4r4/4N4/9/9/9/9/9/9/4K4 b - - 0 1").unwrap();
        let pinned = leg_pinned_chariots(board.placement(), Side::Second);
        assert_eq!(pinned, Ids::only(7));
    }

    #[test]
    fn a_mate_threat_is_a_mate_if_one_might_move_again() {
        let board = Board::from_fen("4k4/R8/9/9/9/9/9/9/1R7/3K5 b - - 0 1").unwrap();
        let mut placement = board.placement().clone();
        assert!(threatens_mate(&mut placement, Side::First));
        assert!(!threatens_mate(&mut placement, Side::Second));
        assert_eq!(placement, *board.placement());
    }
}
