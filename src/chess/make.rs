//! How a move changes a position.

use crate::chess::attacks::{self, PerLookup};
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::Castling;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Piece, PieceKind};
use crate::chess::square::{Rank, Square};
use crate::chess::state::State;
use crate::game::{Link, Observer};

impl State {
    /// Plays a legal move, tells `seen` of every piece that leaves or enters a square, and says
    /// whether earlier positions can still come again.
    #[inline(always)]
    pub(super) fn play<O: Observer>(&mut self, m: Move, seen: &mut O) -> Link {
        let (from, to) = (m.from(), m.to());
        let us = self.side_to_move();
        let (Some(piece), Some(kind)) = (self.piece_on(from), m.kind()) else {
            debug_assert!(false, "{m:?} moves nothing");
            return Link::Irreversible;
        };
        self.set_en_passant(None);
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        let lost_rights = self.rights_lost(piece, from, to);
        match kind {
            MoveKind::Castling => self.castle(&Castling::of(from, to), seen),
            MoveKind::EnPassant => {
                self.take_off(to.ahead(!us), seen);
                self.relocate(piece, from, to, piece, seen);
            }
            _ => {
                if self.piece_on(to).is_some() {
                    self.take_off(to, seen);
                }
                let arriving = match kind.promotion() {
                    Some(promoted) => Piece::new(us, promoted),
                    None => piece,
                };
                self.relocate(piece, from, to, arriving, seen);
            }
        }
        if lost_rights.any() {
            self.toggle_castling(lost_rights);
        }
        self.end_turn();
        if piece.kind() == PieceKind::Pawn {
            self.halfmove_clock = 0;
            self.note_double_step(from, to);
        }
        if self.halfmove_clock == 0 || lost_rights.any() {
            Link::Irreversible
        } else {
            Link::Reversible
        }
    }

    /// The position after a legal move.
    pub fn after(&self, m: Move) -> State {
        let mut after = *self;
        after.play(m, &mut ());
        after
    }

    /// Passes the turn, not being in check.
    pub(super) fn play_null(&mut self) {
        self.set_en_passant(None);
        self.halfmove_clock = self.halfmove_clock.saturating_add(1);
        self.end_turn();
    }

    /// The castling rights that end when this piece makes this move: those of a king or rook that
    /// moves, and of a rook that is captured.
    #[inline(always)]
    fn rights_lost(&self, piece: Piece, from: Square, to: Square) -> Bitboard {
        let touched = Bitboard::of(from) | Bitboard::of(to);
        let kings = match piece.kind() {
            PieceKind::King => Bitboard::rank(Rank::First.of(piece.side())),
            _ => Bitboard::EMPTY,
        };
        self.castling_rooks() & (touched | kings)
    }

    #[inline(always)]
    fn relocate<O: Observer>(
        &mut self,
        leaving: Piece,
        from: Square,
        to: Square,
        arriving: Piece,
        seen: &mut O,
    ) {
        self.lift(leaving, from);
        seen.lift(leaving as u8, from as u8);
        self.put(arriving, to);
        seen.put(arriving as u8, to as u8);
    }

    /// Takes a captured piece off the board.
    #[inline(always)]
    fn take_off<O: Observer>(&mut self, sq: Square, seen: &mut O) {
        let Some(victim) = self.piece_on(sq) else {
            debug_assert!(false, "nothing to capture on {sq}");
            return;
        };
        self.lift(victim, sq);
        seen.lift(victim as u8, sq as u8);
        self.halfmove_clock = 0;
    }

    /// Both pieces leave before either arrives: in Chess960 one may go where the other stood.
    fn castle<O: Observer>(&mut self, castling: &Castling, seen: &mut O) {
        let us = self.side_to_move();
        let king = Piece::new(us, PieceKind::King);
        let rook = Piece::new(us, PieceKind::Rook);
        for (piece, sq) in [(king, castling.king_from), (rook, castling.rook_from)] {
            self.lift(piece, sq);
            seen.lift(piece as u8, sq as u8);
        }
        for (piece, sq) in [(king, castling.king_to), (rook, castling.rook_to)] {
            self.put(piece, sq);
            seen.put(piece as u8, sq as u8);
        }
    }

    #[inline(always)]
    fn end_turn(&mut self) {
        self.fullmove_number = self
            .fullmove_number
            .saturating_add(self.side_to_move().index() as u16);
        self.pass_turn();
        self.refresh_checks();
    }

    /// After a pawn's double step: notes the passed square if the side now to move may capture
    /// there.
    #[inline(always)]
    fn note_double_step(&mut self, from: Square, to: Square) {
        if (from as u8).abs_diff(to as u8) != 16 {
            return;
        }
        let passed = from.ahead(!self.side_to_move());
        let pawns = self.pieces(self.side_to_move(), PieceKind::Pawn);
        let near = attacks::pawn(!self.side_to_move(), passed) & pawns;
        if near.any() && self.en_passant_captors(passed, PerLookup).any() {
            self.set_en_passant(Some(passed));
        }
    }
}
