//! The terms of the chess evaluation that are computed when asked: mobility, pawns, threats,
//! king safety.

use crate::chess::{
    Bitboard, File, PieceKind, Rank, SliderTask, Sliders, Square, State, king_attacks,
    knight_attacks, pawns_attacks,
};
use crate::eval::Tapered;
use crate::eval::chess::values as v;
use crate::game::Side;

/// The terms of one side, for explaining.
#[derive(Clone, Copy, Default)]
pub(super) struct Terms {
    pub mobility: Tapered,
    pub pawns: Tapered,
    pub pieces: Tapered,
    pub threats: Tapered,
    pub king: Tapered,
}

impl Terms {
    pub fn sum(&self) -> Tapered {
        self.mobility + self.pawns + self.pieces + self.threats + self.king
    }
}

/// Computes the terms of both sides.
pub(super) struct Assess<'a>(pub &'a State);

impl SliderTask for Assess<'_> {
    type Output = [Terms; 2];

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> [Terms; 2] {
        let state = self.0;
        Side::ALL.map(|side| {
            let mut view = View::new(state, side);
            let (mobility, attack) = view.piece_activity(sliders);
            Terms {
                mobility,
                pawns: view.pawns(),
                pieces: view.pieces(),
                threats: view.threats(),
                king: view.shelter() + attack,
            }
        })
    }
}

/// The board as one side sees it.
struct View<'a> {
    state: &'a State,
    side: Side,
    own_pawns: Bitboard,
    enemy_pawns: Bitboard,
    own_pawn_attacks: Bitboard,
    enemy_pawn_attacks: Bitboard,
    minor_attacks: Bitboard,
}

/// All squares ahead of these for a side, on their own files.
fn ahead_of(pawns: Bitboard, side: Side) -> Bitboard {
    let mut span = pawns.ahead(side);
    for _ in 0..5 {
        span = span | span.ahead(side);
    }
    span
}

/// These squares and their neighbours to the left and to the right.
fn widened(squares: Bitboard) -> Bitboard {
    squares | squares.east() | squares.west()
}

fn file_of(sq: Square) -> Bitboard {
    Bitboard::file(sq.file())
}

/// The rank a side sees a square on, 0 being its own back rank.
fn relative_rank(sq: Square, side: Side) -> usize {
    match side {
        Side::First => sq.index() / 8,
        Side::Second => 7 - sq.index() / 8,
    }
}

/// Steps of a king from one square to another.
fn distance(a: Square, b: Square) -> i32 {
    let files = (a.index() % 8).abs_diff(b.index() % 8);
    let ranks = (a.index() / 8).abs_diff(b.index() / 8);
    files.max(ranks) as i32
}

impl<'a> View<'a> {
    #[inline(always)]
    fn new(state: &'a State, side: Side) -> Self {
        let own_pawns = state.pieces(side, PieceKind::Pawn);
        let enemy_pawns = state.pieces(!side, PieceKind::Pawn);
        View {
            state,
            side,
            own_pawns,
            enemy_pawns,
            own_pawn_attacks: pawns_attacks(side, own_pawns),
            enemy_pawn_attacks: pawns_attacks(!side, enemy_pawns),
            minor_attacks: Bitboard::EMPTY,
        }
    }

    /// Mobility of the pieces, and the danger they are to the enemy king.
    #[inline(always)]
    fn piece_activity<S: Sliders>(&mut self, sliders: S) -> (Tapered, Tapered) {
        let state = self.state;
        let occupied = state.occupied();
        let king = state.king(!self.side);
        let ring = king_attacks(king);
        let own = state.side(self.side);
        let safe = !(self.enemy_pawn_attacks | own);
        let checks = [
            Bitboard::EMPTY,
            knight_attacks(king),
            sliders.bishop(king, occupied),
            sliders.rook(king, occupied),
            sliders.bishop(king, occupied) | sliders.rook(king, occupied),
            Bitboard::EMPTY,
        ];
        let mut mobility = Tapered::default();
        let (mut weight, mut attackers) = (0, 0);
        for kind in [
            PieceKind::Knight,
            PieceKind::Bishop,
            PieceKind::Rook,
            PieceKind::Queen,
        ] {
            let k = kind.index();
            for sq in state.pieces(self.side, kind) {
                let attacks = match kind {
                    PieceKind::Knight => knight_attacks(sq),
                    PieceKind::Bishop => sliders.bishop(sq, occupied),
                    PieceKind::Rook => sliders.rook(sq, occupied),
                    _ => sliders.queen(sq, occupied),
                };
                if matches!(kind, PieceKind::Knight | PieceKind::Bishop) {
                    self.minor_attacks |= attacks;
                }
                let free = attacks & safe;
                let (usual, each) = v::MOBILITY[k];
                mobility += each * (free.len() as i32 - usual);
                let near = (attacks & ring).len() as i32;
                if near > 0 {
                    attackers += 1;
                    weight += v::KING_ATTACK[k] * near;
                }
                if (free & checks[k]).without(ring).any() {
                    weight += v::SAFE_CHECK[k];
                }
            }
        }
        (mobility, self.king_attack(weight, attackers))
    }

    /// The attack on the enemy king grows with the square of its weight; one attacker is none.
    fn king_attack(&self, weight: i32, attackers: i32) -> Tapered {
        if attackers < 2 {
            return Tapered::default();
        }
        let mut danger = (weight * weight / v::KING_ATTACK_DIVISOR).min(600);
        if self.state.pieces(self.side, PieceKind::Queen).is_empty() {
            danger = danger * v::QUEENLESS_ATTACK / 100;
        }
        Tapered::new(danger, danger / 8)
    }

    fn pawns(&self) -> Tapered {
        let mut sum = v::SUPPORTED * (self.own_pawns & self.own_pawn_attacks).len() as i32;
        let stoppers = widened(ahead_of(self.enemy_pawns, !self.side)) | self.enemy_pawns;
        for sq in self.own_pawns {
            let file = file_of(sq);
            let ahead = ahead_of(Bitboard::of(sq), self.side);
            if !(widened(file).without(file)).meets(self.own_pawns) {
                sum += v::ISOLATED;
            }
            if ahead.meets(self.own_pawns) {
                sum += v::DOUBLED;
            } else if !stoppers.contains(sq) && !ahead.meets(self.enemy_pawns) {
                sum += self.passed(sq);
            }
        }
        sum
    }

    fn passed(&self, sq: Square) -> Tapered {
        let rank = relative_rank(sq, self.side);
        let next = sq.ahead(self.side);
        let mut sum = v::PASSED[rank];
        if self.state.piece_on(next).is_some() {
            sum += v::PASSED_BLOCKED;
        }
        if rank > 2 {
            let own = distance(self.state.king(self.side), next);
            let enemy = distance(self.state.king(!self.side), next);
            let weight = rank as i32 - 2;
            sum += (v::PASSED_ENEMY_KING * enemy + v::PASSED_OWN_KING * own) * weight;
        }
        sum
    }

    /// The bishop pair, rooks on open files, outposts.
    fn pieces(&self) -> Tapered {
        let state = self.state;
        let mut sum = Tapered::default();
        let bishops = state.pieces(self.side, PieceKind::Bishop);
        if bishops.meets(Bitboard::LIGHT) && bishops.without(Bitboard::LIGHT).any() {
            sum += v::BISHOP_PAIR;
        }
        for sq in state.pieces(self.side, PieceKind::Rook) {
            let file = file_of(sq);
            if !file.meets(self.own_pawns) {
                sum += if file.meets(self.enemy_pawns) {
                    v::ROOK_HALF_OPEN_FILE
                } else {
                    v::ROOK_OPEN_FILE
                };
            }
        }
        let span = ahead_of(self.enemy_pawns, !self.side);
        let attackable = span.east() | span.west() | self.enemy_pawn_attacks;
        let minors = bishops | state.pieces(self.side, PieceKind::Knight);
        let far = ahead_of(Bitboard::rank(Rank::Third.of(self.side)), self.side);
        let outposts = (minors & self.own_pawn_attacks & far).without(attackable);
        sum + v::OUTPOST * outposts.len() as i32
    }

    fn threats(&self) -> Tapered {
        let state = self.state;
        let enemy = state.side(!self.side);
        let pieces = enemy
            .without(self.enemy_pawns)
            .without(state.kind(PieceKind::King));
        let majors = pieces & (state.kind(PieceKind::Rook) | state.kind(PieceKind::Queen));
        v::PAWN_THREAT * (pieces & self.own_pawn_attacks).len() as i32
            + v::MINOR_THREAT * (majors & self.minor_attacks).len() as i32
    }

    /// Own pawns in front of the king.
    fn shelter(&self) -> Tapered {
        let king = self.state.king(self.side);
        let around = widened(Bitboard::of(king));
        let near = around.ahead(self.side);
        let far = near.ahead(self.side);
        let mut sum = v::SHELTER_NEAR * (near & self.own_pawns).len() as i32
            + v::SHELTER_FAR * (far & self.own_pawns).len() as i32;
        for file in File::ALL {
            let squares = Bitboard::file(file);
            if squares.meets(around) && !squares.meets(self.own_pawns) {
                sum += v::SHELTER_GAP;
            }
        }
        sum
    }
}
