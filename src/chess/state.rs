//! One position: where the pieces stand and all that follows from it.

use crate::chess::attacks::{self, SliderTask, Sliders};
use crate::chess::bitboard::Bitboard;
use crate::chess::keys;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Piece, PieceKind};
use crate::chess::square::{Rank, Square};
use crate::game::{Key, Side, SquareSet};

/// A position without its past. It is copied for each move played and dropped to take it back.
///
/// Promises: each side has exactly one king; the side not to move is not in check; sets, square
/// table and keys agree; checkers and pins are those of the side to move; a castling right has
/// its king on its first rank and its rook beside it; the en passant square is there only if an
/// en passant capture is legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    kinds: [Bitboard; 6],
    sides: [Bitboard; 2],
    squares: [Option<Piece>; 64],
    key: Key,
    /// Keys of pawns, of White's other pieces and of Black's.
    structures: [Key; State::STRUCTURES],
    pub(super) checkers: Bitboard,
    pub(super) pinned: Bitboard,
    castling: Bitboard,
    en_passant: Option<Square>,
    side: Side,
    pub(super) halfmove_clock: u16,
    pub(super) fullmove_number: u16,
}

impl State {
    /// How many keys [`State::structure_key`] has.
    pub const STRUCTURES: usize = 3;

    /// An empty board, White to move: not yet a position.
    pub(super) const fn empty() -> State {
        State {
            kinds: [Bitboard::EMPTY; 6],
            sides: [Bitboard::EMPTY; 2],
            squares: [None; 64],
            key: Key(0),
            structures: [Key(0); State::STRUCTURES],
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            castling: Bitboard::EMPTY,
            en_passant: None,
            side: Side::First,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The squares of both sides' pieces of a kind.
    #[inline(always)]
    pub const fn kind(&self, kind: PieceKind) -> Bitboard {
        self.kinds[kind.index()]
    }

    /// The squares of a side's pieces.
    #[inline(always)]
    pub const fn side(&self, side: Side) -> Bitboard {
        self.sides[side.index()]
    }

    /// The squares of a side's pieces of a kind.
    #[inline(always)]
    pub fn pieces(&self, side: Side, kind: PieceKind) -> Bitboard {
        self.sides[side.index()] & self.kinds[kind.index()]
    }

    /// The bishops and queens of both sides.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Bishop) | self.kind(PieceKind::Queen)
    }

    /// The rooks and queens of both sides.
    #[inline(always)]
    pub fn straight_sliders(&self) -> Bitboard {
        self.kind(PieceKind::Rook) | self.kind(PieceKind::Queen)
    }

    /// The squares of all pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.sides[0] | self.sides[1]
    }

    /// The piece on a square.
    #[inline(always)]
    pub const fn piece_on(&self, sq: Square) -> Option<Piece> {
        self.squares[sq.index()]
    }

    /// The square of a side's king.
    #[inline(always)]
    pub fn king(&self, side: Side) -> Square {
        self.pieces(side, PieceKind::King).lowest()
    }

    /// The side to move.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Side {
        self.side
    }

    /// The pieces that give check.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The pieces of the side to move that stand alone between their king and an enemy slider.
    #[inline(always)]
    pub const fn pinned(&self) -> Bitboard {
        self.pinned
    }

    /// The rooks of both sides that may still castle.
    #[inline(always)]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// Where a pawn may be captured in passing, if that is legal.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Plies since the last capture or pawn move.
    pub const fn halfmove_clock(&self) -> u16 {
        self.halfmove_clock
    }

    /// The number of the move to be played, counted from 1 and raised after Black's.
    pub const fn fullmove_number(&self) -> u16 {
        self.fullmove_number
    }

    /// The Zobrist key.
    #[inline(always)]
    pub const fn key(&self) -> Key {
        self.key
    }

    /// A key of a part of the position: pawns, White's other pieces, Black's other pieces.
    pub const fn structure_key(&self, which: usize) -> Key {
        self.structures[which]
    }

    /// Puts a piece on an empty square.
    #[inline(always)]
    pub(super) fn put(&mut self, piece: Piece, sq: Square) {
        debug_assert!(self.squares[sq.index()].is_none(), "{sq} is taken");
        self.squares[sq.index()] = Some(piece);
        self.toggle(piece, sq);
    }

    /// Takes the piece off its square.
    #[inline(always)]
    pub(super) fn lift(&mut self, piece: Piece, sq: Square) {
        debug_assert_eq!(self.squares[sq.index()], Some(piece), "on {sq}");
        self.squares[sq.index()] = None;
        self.toggle(piece, sq);
    }

    #[inline(always)]
    fn toggle(&mut self, piece: Piece, sq: Square) {
        let set = Bitboard::of(sq);
        self.kinds[piece.kind().index()] ^= set;
        self.sides[piece.side().index()] ^= set;
        let key = keys::piece(piece, sq);
        self.key ^= key;
        let structure = match piece.kind() {
            PieceKind::Pawn => 0,
            _ => 1 + piece.side().index(),
        };
        self.structures[structure] ^= key;
    }

    /// Gives the turn to the other side.
    #[inline(always)]
    pub(super) fn pass_turn(&mut self) {
        self.side = !self.side;
        self.key ^= keys::turn();
    }

    /// Adds or removes the rights to castle with these rooks.
    #[inline(always)]
    pub(super) fn toggle_castling(&mut self, rooks: Bitboard) {
        self.castling ^= rooks;
        for rook in rooks {
            self.key ^= keys::castling(rook);
        }
    }

    #[inline(always)]
    pub(super) fn set_en_passant(&mut self, sq: Option<Square>) {
        for changed in [self.en_passant, sq].into_iter().flatten() {
            self.key ^= keys::en_passant(changed.file());
        }
        self.en_passant = sq;
    }

    /// Finds the checkers and pins anew.
    #[inline(always)]
    pub(super) fn refresh_checks(&mut self) {
        let (us, them) = (self.side, self.side(!self.side));
        let king = self.king(us);
        let occupied = self.occupied();
        let leapers = attacks::knight(king) & self.kind(PieceKind::Knight)
            | attacks::pawn(us, king) & self.kind(PieceKind::Pawn);
        let sliders = attacks::bishop_rays(king) & self.diagonal_sliders()
            | attacks::rook_rays(king) & self.straight_sliders();
        let mut checkers = leapers & them;
        let mut pinned = Bitboard::EMPTY;
        for slider in sliders & them {
            let screen = attacks::between(king, slider) & occupied;
            if screen.is_empty() {
                checkers |= Bitboard::of(slider);
            } else if !screen.many() {
                pinned |= screen;
            }
        }
        self.checkers = checkers;
        self.pinned = pinned & self.side(us);
    }

    /// Does this legal move attack the other side's king, be it by the piece that moves or by one
    /// whose way it opens?
    pub fn gives_check(&self, m: Move) -> bool {
        let mover = self.piece_on(m.from()).map(Piece::kind);
        let (Some(MoveKind::Normal), Some(mover)) = (m.kind(), mover) else {
            return self.after(m).checkers.any();
        };
        let (from, to) = (Bitboard::of(m.from()), Bitboard::of(m.to()));
        let king = self.king(!self.side);
        let stays = self.side(self.side) & !from;
        let landing = |kinds: [PieceKind; 2]| match kinds.contains(&mover) {
            true => to,
            false => Bitboard::EMPTY,
        };
        let diagonal =
            self.diagonal_sliders() & stays | landing([PieceKind::Bishop, PieceKind::Queen]);
        let straight =
            self.straight_sliders() & stays | landing([PieceKind::Rook, PieceKind::Queen]);
        let sliders = attacks::bishop_rays(king) & diagonal | attacks::rook_rays(king) & straight;
        let occupied = self.occupied() & !from | to;
        let leaps = match mover {
            PieceKind::Knight => attacks::knight(king) & to,
            PieceKind::Pawn => attacks::pawn(!self.side, king) & to,
            _ => Bitboard::EMPTY,
        };
        let open = |slider| (attacks::between(king, slider) & occupied).is_empty();
        leaps.any() || sliders.into_iter().any(open)
    }

    /// Every piece of either side that attacks a square, with these squares occupied.
    #[inline(always)]
    pub fn attackers<S: Sliders>(&self, sq: Square, occupied: Bitboard, sliders: S) -> Bitboard {
        attacks::knight(sq) & self.kind(PieceKind::Knight)
            | attacks::king(sq) & self.kind(PieceKind::King)
            | attacks::pawn(Side::Second, sq) & self.pieces(Side::First, PieceKind::Pawn)
            | attacks::pawn(Side::First, sq) & self.pieces(Side::Second, PieceKind::Pawn)
            | sliders.bishop(sq, occupied) & self.diagonal_sliders()
            | sliders.rook(sq, occupied) & self.straight_sliders()
    }

    /// Those of the squares where the king of the side to move would be attacked, were it there:
    /// what it hides where it stands now counts as attacked.
    #[inline(always)]
    pub(super) fn king_danger<S: Sliders>(&self, candidates: Bitboard, sliders: S) -> Bitboard {
        let occupied = self.occupied() ^ self.pieces(self.side, PieceKind::King);
        self.reach_of(!self.side, occupied, sliders) & candidates
    }

    /// The squares that the pieces of a side attack, with these squares occupied.
    #[inline(always)]
    fn reach_of<S: Sliders>(&self, side: Side, occupied: Bitboard, sliders: S) -> Bitboard {
        let own = self.side(side);
        let mut reach = attacks::pawns(side, self.pieces(side, PieceKind::Pawn))
            | attacks::king(self.king(side));
        for sq in self.kind(PieceKind::Knight) & own {
            reach |= attacks::knight(sq);
        }
        for sq in self.diagonal_sliders() & own {
            reach |= sliders.bishop(sq, occupied);
        }
        for sq in self.straight_sliders() & own {
            reach |= sliders.rook(sq, occupied);
        }
        reach
    }

    /// Does capturing in passing, from one square to another, leave the mover's king safe? Two
    /// pawns vanish from their squares at once, so that neither pins nor the check mask tell.
    pub(super) fn en_passant_is_safe<S: Sliders>(
        &self,
        from: Square,
        to: Square,
        sliders: S,
    ) -> bool {
        let us = self.side;
        let victim = Bitboard::of(to.ahead(!us));
        let occupied = self.occupied() ^ Bitboard::of(from) ^ Bitboard::of(to) ^ victim;
        let king = self.king(us);
        let attackers = attacks::knight(king) & self.kind(PieceKind::Knight)
            | attacks::pawn(us, king) & self.kind(PieceKind::Pawn).without(victim)
            | sliders.bishop(king, occupied) & self.diagonal_sliders()
            | sliders.rook(king, occupied) & self.straight_sliders();
        !attackers.meets(self.side(!us))
    }

    /// The pawns of the side to move that may legally capture in passing on this square.
    pub(super) fn en_passant_captors<S: Sliders>(&self, to: Square, sliders: S) -> Bitboard {
        let pawns = self.pieces(self.side, PieceKind::Pawn);
        (attacks::pawn(!self.side, to) & pawns)
            .into_iter()
            .filter(|&from| self.en_passant_is_safe(from, to, sliders))
            .collect()
    }

    /// Could the side not to move have moved a pawn two squares over this one just now?
    pub(super) fn may_have_passed(&self, sq: Square) -> bool {
        let mover = !self.side;
        let landed = self.piece_on(sq.ahead(mover));
        sq.rank() == Rank::Third.of(mover)
            && landed == Some(Piece::new(mover, PieceKind::Pawn))
            && self.piece_on(sq).is_none()
            && self.piece_on(sq.ahead(!mover)).is_none()
    }

    /// The same position put together anew, every derived value from first principles.
    pub(super) fn rebuilt(&self) -> State {
        let mut fresh = State::empty();
        for sq in Square::ALL {
            if let Some(piece) = self.piece_on(sq) {
                fresh.put(piece, sq);
            }
        }
        if self.side != fresh.side {
            fresh.pass_turn();
        }
        fresh.toggle_castling(self.castling);
        fresh.refresh_checks();
        let legal = |&sq: &Square| {
            fresh.may_have_passed(sq) && fresh.en_passant_captors(sq, attacks::PerLookup).any()
        };
        let en_passant = self.en_passant.filter(legal);
        fresh.set_en_passant(en_passant);
        fresh.halfmove_clock = self.halfmove_clock;
        fresh.fullmove_number = self.fullmove_number;
        fresh
    }
}

/// Finds the squares that the side not to move attacks.
pub(super) struct Threats<'a>(pub(super) &'a State);

impl SliderTask for Threats<'_> {
    type Output = SquareSet;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> SquareSet {
        let Threats(state) = self;
        let reach = state.reach_of(!state.side, state.occupied(), sliders);
        SquareSet::from_bits(u128::from(reach.0))
    }
}
