//! Why a repetition is judged as it is: what each move of the window did.
//!
//! This tells a player what the judge saw; it decides nothing. What a move newly threatens comes
//! with the attacker and with how the threat arose; a move without threats comes with the attack
//! that looks most like one, and the reason why it is none.

use crate::game::RepetitionRule;
use crate::xiangqi::chase::{self, Attack, Judged};
use crate::xiangqi::judge::roll_back;
use crate::xiangqi::{Board, Ids, Judgement, Man, Move, PieceKind, Placement, Ply, Square};

/// A man and where he stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Located {
    /// Who.
    pub man: Man,
    /// Where.
    pub square: Square,
}

/// How a threat came to be new.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Origin {
    /// The attacker moved.
    Direct,
    /// Another man moved, the attack was not there before.
    Discovered,
    /// The attack was there; what forbade or answered the capture is gone.
    ProtectionGone,
}

/// A man newly threatened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewThreat {
    /// Who threatens to capture.
    pub hunter: Located,
    /// Whom.
    pub victim: Located,
    /// How it came about.
    pub origin: Origin,
}

/// Why an attack is no new threat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Excuse {
    /// The victim was under threat before the move already.
    Standing,
    /// A king or a pawn attacks.
    ByKingOrPawn,
    /// The victim is a pawn that has not crossed the river.
    OnHomePawn,
    /// The attacker is pinned by this man.
    Pinned(Located),
    /// The capture would let this man attack the own king.
    Exposing(Located),
    /// The victim could capture the attacker as well.
    Offer,
    /// This man would take back.
    Protected(Located),
}

/// An attack that is no new threat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NearMiss {
    /// Who attacks.
    pub hunter: Located,
    /// Whom.
    pub victim: Located,
    /// Why that is none.
    pub excuse: Excuse,
}

/// One move of the window.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TracedMove {
    /// The move.
    pub played: Move,
    /// Who moved.
    pub man: Man,
    /// It gives check.
    pub gives_check: bool,
    /// It threatens to mate with the next move. Not looked for when it gives check.
    pub threatens_mate: bool,
    /// Whom it newly threatens; nobody when it gives check.
    pub threats: Vec<NewThreat>,
    /// The nearest thing to a new threat, where there is none.
    pub near_miss: Option<NearMiss>,
}

/// The window, explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trace {
    /// The rules by which it was judged.
    pub rule: RepetitionRule,
    /// Where the sides stand.
    pub judgement: Judgement,
    /// The moves in the order in which they were played.
    pub moves: Vec<TracedMove>,
}

impl Board {
    /// Explains [`Board::judge`] of the same window.
    pub fn trace(&self, window: usize) -> Trace {
        let mut board = self.placement().clone();
        let mut moves: Vec<TracedMove> = self
            .plies()
            .iter()
            .rev()
            .take(window)
            .filter_map(|ply| trace_move(&mut board, ply))
            .collect();
        moves.reverse();
        Trace {
            rule: self.rules().repetition,
            judgement: self.judge(window),
            moves,
        }
    }
}

/// Explains the ply that led to this board, and takes it back. `None` for a null move.
fn trace_move(board: &mut Placement, ply: &Ply) -> Option<TracedMove> {
    let played = ply.played?;
    let man = board.cell(played.to()).man()?;
    let side = man.side();
    let gives_check = ply.exposure.in_check;
    let after = Scene::of(board, man);
    let threatens_mate = !gives_check && chase::threatens_mate(board, side);
    roll_back(board, ply);
    let before = Scene::of(board, man);
    let (threats, near_miss) = if gives_check {
        (Vec::new(), None)
    } else {
        let threats = after.new_threats(&before);
        let near_miss = match threats.is_empty() {
            true => after.near_miss(&before),
            false => None,
        };
        (threats, near_miss)
    };
    Some(TracedMove {
        played,
        man,
        gives_check,
        threatens_mate,
        threats,
        near_miss,
    })
}

/// The attacks of the mover's side on one board.
struct Scene {
    mover: Man,
    board: Placement,
    attacks: Vec<Judged>,
}

impl Scene {
    fn of(board: &mut Placement, mover: Man) -> Scene {
        let attacks = chase::attacks(board, mover.side());
        Scene {
            mover,
            board: board.clone(),
            attacks,
        }
    }

    fn locate(&self, man: Man) -> Located {
        Located {
            man,
            square: self.board.square(man.side(), man.id()),
        }
    }

    fn victims(&self) -> Ids {
        let threats = self.attacks.iter().filter(|a| a.attack == Attack::Threat);
        threats.map(|a| a.victim.id()).collect()
    }

    fn has_attack(&self, hunter: Man, victim: Man) -> bool {
        let mut attacks = self.attacks.iter();
        attacks.any(|a| a.hunter == hunter && a.victim == victim)
    }

    /// The men newly threatened, each with the attacker whose threat is the plainest.
    fn new_threats(&self, before: &Scene) -> Vec<NewThreat> {
        let new = self.victims() & !before.victims();
        new.filter_map(|id| {
            self.attacks
                .iter()
                .filter(|a| a.victim.id() == id && a.attack == Attack::Threat)
                .map(|a| NewThreat {
                    hunter: self.locate(a.hunter),
                    victim: self.locate(a.victim),
                    origin: self.origin(a, before),
                })
                .min_by_key(|threat| threat.origin)
        })
        .collect()
    }

    fn origin(&self, attack: &Judged, before: &Scene) -> Origin {
        if before.has_attack(attack.hunter, attack.victim) {
            Origin::ProtectionGone
        } else if attack.hunter == self.mover {
            Origin::Direct
        } else {
            Origin::Discovered
        }
    }

    /// The attack that looks most like a new threat and is none: a new one rather than an old
    /// one, by the man that moved rather than by another, on the man of most weight.
    fn near_miss(&self, before: &Scene) -> Option<NearMiss> {
        let is_new = |a: &Judged| !before.has_attack(a.hunter, a.victim);
        self.attacks
            .iter()
            .filter(|a| is_new(a) || a.attack == Attack::Threat)
            .max_by_key(|a| (is_new(a), a.hunter == self.mover, weight(a.victim.kind())))
            .map(|a| NearMiss {
                hunter: self.locate(a.hunter),
                victim: self.locate(a.victim),
                excuse: self.excuse(a.attack),
            })
    }

    fn excuse(&self, attack: Attack) -> Excuse {
        match attack {
            Attack::Threat => Excuse::Standing,
            Attack::ByKingOrPawn => Excuse::ByKingOrPawn,
            Attack::OnHomePawn => Excuse::OnHomePawn,
            Attack::Pinned(man) => Excuse::Pinned(self.locate(man)),
            Attack::Exposing(man) => Excuse::Exposing(self.locate(man)),
            Attack::Offer => Excuse::Offer,
            Attack::Protected(man) => Excuse::Protected(self.locate(man)),
        }
    }
}

/// Which of two victims a player would mention first.
const fn weight(kind: PieceKind) -> u8 {
    match kind {
        PieceKind::Rook => 3,
        PieceKind::Knight | PieceKind::Cannon => 2,
        PieceKind::Advisor | PieceKind::Bishop => 1,
        PieceKind::King | PieceKind::Pawn => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Notation, Position, TextStyle};

    fn trace(fen: &str, moves: &str) -> Trace {
        let mut board = Board::from_fen(fen).unwrap();
        for text in moves.split(' ') {
            let m = board.parse_move(text, TextStyle::default()).unwrap();
            board.make(m, &mut ());
        }
        board.trace(moves.split(' ').count())
    }

    #[test]
    fn a_chase_names_attacker_victim_and_origin() {
        // The chariot follows the cannon, which no one protects.
        let trace = trace(
            "3k5/9/9/2c1R4/9/9/9/9/9/4K4 b - - 0 1",
            "c6c5 e6e5 c5c6 e5e6",
        );
        assert_eq!(trace.moves.len(), 4);
        let [idle, chase, ..] = &trace.moves[..] else {
            unreachable!()
        };
        assert!(idle.threats.is_empty() && !idle.gives_check);
        let [threat] = &chase.threats[..] else {
            panic!("{:?}", chase.threats);
        };
        assert_eq!(threat.origin, Origin::Direct);
        assert_eq!(threat.hunter.man.kind(), PieceKind::Rook);
        assert_eq!(threat.victim.square, Square::on(2, 5));
        assert_eq!(trace.judgement.quarry[0], Ids::only(9));
    }

    #[test]
    fn an_idle_move_comes_with_its_excuse() {
        let trace = trace(
            "3k5/9/9/2r1R4/9/9/9/9/9/4K4 b - - 0 1",
            "c6c5 e6e5 c5c6 e5e6",
        );
        let miss = trace.moves[1].near_miss.unwrap();
        assert_eq!(miss.excuse, Excuse::Offer);
        assert_eq!(miss.victim.square, Square::on(2, 5));
    }
}
