//! Generation of legal moves: those that a pin or a check forbids are masked out beforehand.
//!
//! One generator serves lists and counts: it hands whole sets of targets to a [`Sink`], and a
//! counting sink never looks at a single move.

use std::array;

use crate::chess::attacks::{self, SliderTask, Sliders, between, line, with_sliders};
use crate::chess::bitboard::Bitboard;
use crate::chess::castling::Castling;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::PieceKind;
use crate::chess::square::{Rank, Square};
use crate::chess::state::State;
use crate::game::{MoveList, Side};

/// Takes the moves of a generator.
pub(super) trait Sink {
    /// A piece moves to any of these squares.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Pawns move to each of these squares, from as many squares as `advance` says below them.
    fn pawns(&mut self, targets: Bitboard, advance: i8);
    /// The same for pawns that reach their last rank.
    fn promotions(&mut self, targets: Bitboard, advance: i8);
    /// A move of its own kind.
    fn special(&mut self, m: Move);
}

/// The square that a pawn came from.
#[inline(always)]
fn origin(to: Square, advance: i8) -> Square {
    Square::wrapping((to as u8).wrapping_sub(advance as u8))
}

/// Lists moves. What does not fit into the list is left out; that can happen only in positions
/// no game can reach, with a dozen queens and more.
pub(super) struct Lister<'a>(pub(super) &'a mut MoveList<Move>);

impl Lister<'_> {
    #[inline(always)]
    fn add(&mut self, from: Square, to: Square, kind: MoveKind) {
        // The error says that the list is full.
        let _ = self.0.try_push(Move::new(from, to, kind));
    }
}

impl Sink for Lister<'_> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.add(from, to, MoveKind::Normal);
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, advance: i8) {
        for to in targets {
            self.add(origin(to, advance), to, MoveKind::Normal);
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, advance: i8) {
        for to in targets {
            for kind in MoveKind::PROMOTIONS {
                self.add(origin(to, advance), to, kind);
            }
        }
    }

    #[inline(always)]
    fn special(&mut self, m: Move) {
        let _ = self.0.try_push(m);
    }
}

/// Counts moves.
#[derive(Default)]
struct MoveCounter(usize);

impl Sink for MoveCounter {
    #[inline(always)]
    fn piece(&mut self, _from: Square, targets: Bitboard) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _advance: i8) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _advance: i8) {
        self.0 += targets.len() * MoveKind::PROMOTIONS.len();
    }

    #[inline(always)]
    fn special(&mut self, _m: Move) {
        self.0 += 1;
    }
}

/// The task of generating noisy moves, quiet moves or both.
pub(super) struct Generate<'a, K: Sink, const NOISY: bool, const QUIET: bool> {
    pub(super) state: &'a State,
    pub(super) sink: &'a mut K,
}

impl<K: Sink, const NOISY: bool, const QUIET: bool> SliderTask for Generate<'_, K, NOISY, QUIET> {
    type Output = ();

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) {
        let us = self.state.side_to_move();
        let mut generator = Generator::<K, S, NOISY, QUIET> {
            state: self.state,
            sink: self.sink,
            sliders,
            us,
            king: self.state.king(us),
            occupied: self.state.occupied(),
            enemy: self.state.side(!us),
            allowed: self.state.check_mask(),
        };
        generator.king();
        if !self.state.checkers().many() {
            generator.pawns();
            generator.pieces();
        }
    }
}

impl State {
    /// The legal moves.
    pub fn legal_moves(&self) -> MoveList<Move> {
        let mut moves = MoveList::new();
        with_sliders(Generate::<_, true, true> {
            state: self,
            sink: &mut Lister(&mut moves),
        });
        moves
    }

    /// How many legal moves there are.
    pub(super) fn count_legal(&self) -> usize {
        let mut counter = MoveCounter::default();
        with_sliders(Generate::<_, true, true> {
            state: self,
            sink: &mut counter,
        });
        counter.0
    }

    /// Where pieces other than the king may go as far as checks matter: anywhere if there is
    /// none, in front of a single checker or onto it, nowhere if there are two.
    #[inline(always)]
    pub(super) fn check_mask(&self) -> Bitboard {
        let Some(checker) = self.checkers().first() else {
            return Bitboard::ALL;
        };
        if self.checkers().many() {
            return Bitboard::EMPTY;
        }
        between(self.king(self.side_to_move()), checker) | self.checkers()
    }
}

struct Generator<'a, K: Sink, S: Sliders, const NOISY: bool, const QUIET: bool> {
    state: &'a State,
    sink: &'a mut K,
    sliders: S,
    us: Side,
    king: Square,
    occupied: Bitboard,
    enemy: Bitboard,
    /// The check mask.
    allowed: Bitboard,
}

impl<K: Sink, S: Sliders, const NOISY: bool, const QUIET: bool> Generator<'_, K, S, NOISY, QUIET> {
    /// Where a piece may go to make a move of a wanted kind.
    #[inline(always)]
    fn wanted(&self) -> Bitboard {
        match (NOISY, QUIET) {
            (true, true) => !(self.occupied ^ self.enemy),
            (true, false) => self.enemy,
            (false, true) => !self.occupied,
            (false, false) => Bitboard::EMPTY,
        }
    }

    /// The king's steps, and castling.
    #[inline(always)]
    fn king(&mut self) {
        let steps = attacks::king(self.king) & self.wanted();
        let castlings = self.open_castlings();
        let paths = castlings
            .iter()
            .flatten()
            .fold(Bitboard::EMPTY, |paths, castling| {
                paths | castling.king_path()
            });
        let entered = steps | paths;
        if entered.is_empty() {
            return;
        }
        let danger = self.state.king_danger(entered, self.sliders);
        self.sink.piece(self.king, steps.without(danger));
        for castling in castlings.iter().flatten() {
            if !castling.king_path().meets(danger) {
                let m = Move::new(castling.king_from, castling.rook_from, MoveKind::Castling);
                self.sink.special(m);
            }
        }
    }

    /// The castlings that only attacks on the king's path can still forbid: one on each wing.
    #[inline(always)]
    fn open_castlings(&self) -> [Option<Castling>; 2] {
        let rooks = self.state.castling_rooks_of(self.us);
        if !QUIET || rooks.is_empty() || self.state.checkers().any() {
            return [None; 2];
        }
        let mut rooks = rooks.into_iter();
        array::from_fn(|_| {
            let castling = Castling::of(self.king, rooks.next()?);
            self.state.castling_is_open(&castling).then_some(castling)
        })
    }

    #[inline(always)]
    fn pawns(&mut self) {
        let pawns = self.state.pieces(self.us, PieceKind::Pawn);
        let free = pawns.without(self.state.pinned());
        let pinned = pawns ^ free;
        // A pinned pawn may move along the line of its pin.
        self.pawn_pushes(free | pinned & Bitboard::file(self.king.file()));
        if NOISY {
            let up = attacks::rising_diagonal(self.king);
            let down = attacks::falling_diagonal(self.king);
            let (east, west, advances) = match self.us {
                Side::First => (up, down, [9, 7]),
                Side::Second => (down, up, [-7, -9]),
            };
            let targets = self.enemy & self.allowed;
            let ahead = (free | pinned & east).ahead(self.us);
            self.pawn_arrivals(ahead.east() & targets, advances[0]);
            let ahead = (free | pinned & west).ahead(self.us);
            self.pawn_arrivals(ahead.west() & targets, advances[1]);
            self.en_passant();
        }
    }

    #[inline(always)]
    fn pawn_pushes(&mut self, pawns: Bitboard) {
        let advance = match self.us {
            Side::First => 8,
            Side::Second => -8,
        };
        let last = Bitboard::rank(Rank::Eighth.of(self.us));
        let one = pawns.ahead(self.us).without(self.occupied);
        if QUIET {
            let third = Bitboard::rank(Rank::Third.of(self.us));
            let two = (one & third).ahead(self.us).without(self.occupied);
            self.sink.pawns((one & self.allowed).without(last), advance);
            self.sink.pawns(two & self.allowed, 2 * advance);
        }
        let promotions = one & self.allowed & last;
        if NOISY && promotions.any() {
            self.sink.promotions(promotions, advance);
        }
    }

    /// Pawns that capture, whether or not they become something else.
    #[inline(always)]
    fn pawn_arrivals(&mut self, targets: Bitboard, advance: i8) {
        let last = Bitboard::rank(Rank::Eighth.of(self.us));
        self.sink.pawns(targets.without(last), advance);
        if targets.meets(last) {
            self.sink.promotions(targets & last, advance);
        }
    }

    #[inline(always)]
    fn en_passant(&mut self) {
        if let Some(to) = self.state.en_passant() {
            for from in self.state.en_passant_captors(to, self.sliders) {
                self.sink.special(Move::new(from, to, MoveKind::EnPassant));
            }
        }
    }

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    fn pieces(&mut self) {
        let targets = self.wanted() & self.allowed;
        let ours = self.state.side(self.us);
        let free = ours.without(self.state.pinned());
        // A pinned knight never moves: its step leaves every line.
        for from in self.state.kind(PieceKind::Knight) & free {
            self.sink.piece(from, attacks::knight(from) & targets);
        }
        for from in self.state.diagonal_sliders() & free {
            let attacks = self.sliders.bishop(from, self.occupied);
            self.sink.piece(from, attacks & targets);
        }
        for from in self.state.straight_sliders() & free {
            let attacks = self.sliders.rook(from, self.occupied);
            self.sink.piece(from, attacks & targets);
        }
        if self.state.pinned().any() {
            self.pinned_sliders(targets);
        }
    }

    #[inline(always)]
    fn pinned_sliders(&mut self, targets: Bitboard) {
        for from in self.state.diagonal_sliders() & self.state.pinned() {
            let along = attacks::bishop_rays(from) & line(self.king, from);
            if along.any() {
                let attacks = self.sliders.bishop(from, self.occupied);
                self.sink.piece(from, attacks & along & targets);
            }
        }
        for from in self.state.straight_sliders() & self.state.pinned() {
            let along = attacks::rook_rays(from) & line(self.king, from);
            if along.any() {
                let attacks = self.sliders.rook(from, self.occupied);
                self.sink.piece(from, attacks & along & targets);
            }
        }
    }
}
