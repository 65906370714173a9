//! A position with its past: what search and referees hold.

use crate::chess::attacks::{self, PerLookup, with_sliders};
use crate::chess::castling::Castling;
use crate::chess::generate::{Generate, Lister};
use crate::chess::keys;
use crate::chess::moves::{Move, MoveKind};
use crate::chess::piece::{Piece, PieceKind};
use crate::chess::see::Exchange;
use crate::chess::square::Square;
use crate::chess::state::{State, Threats};
use crate::game::{
    Key, Link, MoveList, Observer, Position, Record, Score, Side, SquareSet, Stalemate, Step,
    Verdict, Wanted,
};

/// A chess position and how it came about.
///
/// A move pushes a changed copy of the present [`State`]; taking it back drops the copy, so that
/// nothing can be restored wrongly.
#[derive(Clone, Debug)]
pub struct Board {
    /// Never empty; the present position is the last.
    states: Vec<State>,
    record: Record,
    /// The square passed by a double step of a pawn before the first position.
    passed_before: Option<Square>,
}

impl Board {
    /// A board whose game begins with this position.
    pub(super) fn new(state: State) -> Board {
        let mut states = Vec::with_capacity(512);
        let record = Record::new(state.key());
        states.push(state);
        Board {
            states,
            record,
            passed_before: None,
        }
    }

    /// The same board, but the move before its first position was a pawn's double step over this
    /// square.
    pub(super) fn with_passed(mut self, sq: Option<Square>) -> Board {
        self.passed_before = sq;
        self
    }

    /// The square that a pawn passed by a double step with the last move, whether or not any pawn
    /// may capture it there.
    pub fn passed_square(&self) -> Option<Square> {
        let [.., before, now] = &self.states[..] else {
            return self.passed_before;
        };
        let mover = before.side_to_move();
        let pawns = |state: &State| state.pieces(mover, PieceKind::Pawn);
        let from = pawns(before).without(pawns(now)).first()?;
        let to = pawns(now).without(pawns(before)).first()?;
        let passed = from.ahead(mover);
        (passed.ahead(mover) == to).then_some(passed)
    }

    /// Stands a pawn of the side to move where it could capture on this square?
    pub fn has_pawn_to_take(&self, sq: Square) -> bool {
        let us = self.side_to_move();
        attacks::pawn(!us, sq).meets(self.state().pieces(us, PieceKind::Pawn))
    }

    /// The present position.
    #[inline(always)]
    pub fn state(&self) -> &State {
        &self.states[self.states.len() - 1]
    }

    /// The keys of the game so far.
    pub fn record(&self) -> &Record {
        &self.record
    }

    /// Opens a copy of the present state to be changed.
    #[inline(always)]
    fn push_state(&mut self) -> &mut State {
        let last = self.states.len() - 1;
        self.states.extend_from_within(last..);
        &mut self.states[last + 1]
    }

    #[inline(always)]
    fn pop_state(&mut self) {
        debug_assert!(self.states.len() > 1, "no move to take back");
        self.states.pop();
        self.record.pop();
    }
}

/// Two boards are equal if they stand in the same position, clocks included, and the same
/// positions came before.
impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.states == other.states
    }
}

impl Eq for Board {}

impl Position for Board {
    type Move = Move;

    const PIECES: usize = Piece::COUNT;
    const SQUARES: usize = 64;
    const LEGAL_GENERATOR: bool = true;
    const STALEMATE: Stalemate = Stalemate::Draw;
    const STRUCTURES: usize = State::STRUCTURES;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.state().side_to_move()
    }

    #[inline]
    fn key(&self) -> Key {
        self.state().key()
    }

    /// Castling, promotion and en passant, and the rights to them, are left out.
    #[inline]
    fn likely_key_after(&self, m: Move) -> Key {
        let (state, from, to) = (self.state(), m.from(), m.to());
        let key_of =
            |piece: Option<Piece>, sq| piece.map_or(Key(0), |piece| keys::piece(piece, sq));
        let mover = state.piece_on(from);
        let placed = key_of(mover, from) ^ key_of(mover, to) ^ key_of(state.piece_on(to), to);
        state.key() ^ placed ^ keys::turn()
    }

    #[inline]
    fn structure_key(&self, which: usize) -> Key {
        self.state().structure_key(which)
    }

    #[inline]
    fn halfmove_clock(&self) -> u16 {
        self.state().halfmove_clock()
    }

    #[inline]
    fn clock_left(&self) -> Option<u16> {
        Some(State::CLOCK_LIMIT.saturating_sub(self.state().halfmove_clock()))
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.state().checkers().any()
    }

    #[inline]
    fn verdict(&self, ply: usize) -> Verdict {
        self.state().verdict(&self.record, ply)
    }

    fn generate(&self, wanted: Wanted, out: &mut MoveList<Move>) {
        let (state, sink) = (self.state(), &mut Lister(out));
        match wanted {
            Wanted::All => with_sliders(Generate::<_, true, true> { state, sink }),
            Wanted::Noisy => with_sliders(Generate::<_, true, false> { state, sink }),
            Wanted::Quiet => with_sliders(Generate::<_, false, true> { state, sink }),
        }
    }

    #[inline]
    fn is_pseudo_legal(&self, m: Move) -> bool {
        self.state().is_legal_move(m, PerLookup)
    }

    /// Pseudo-legal moves are legal here.
    #[inline]
    fn is_legal(&self, _m: Move) -> bool {
        true
    }

    fn gives_check(&self, m: Move) -> bool {
        self.state().gives_check(m)
    }

    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        match m.kind() {
            Some(MoveKind::Normal) => self.state().piece_on(m.to()).is_some(),
            Some(MoveKind::Castling) | None => false,
            Some(_) => true,
        }
    }

    #[inline]
    fn step(&self, m: Move) -> Step {
        let (state, from) = (self.state(), m.from());
        let mover = self.side_to_move();
        let (to, victim) = match m.kind() {
            Some(MoveKind::Castling) => (Castling::of(from, m.to()).king_to, None),
            Some(MoveKind::EnPassant) => (m.to(), Some(Piece::new(!mover, PieceKind::Pawn))),
            _ => (m.to(), state.piece_on(m.to())),
        };
        let piece = state.piece_on(from);
        debug_assert!(piece.is_some(), "{m:?} moves nothing");
        Step {
            piece: piece.map_or(0, |piece| piece as u8),
            from: from as u8,
            to: to as u8,
            victim: victim.map(|piece| piece as u8),
        }
    }

    #[inline]
    fn gain(&self, m: Move) -> Score {
        Score(self.state().immediate_gain(m))
    }

    fn see_at_least(&self, m: Move, threshold: Score) -> bool {
        let (state, threshold) = (self.state(), threshold.0);
        with_sliders(Exchange {
            state,
            m,
            threshold,
        })
    }

    fn threatened(&self) -> SquareSet {
        with_sliders(Threats(self.state()))
    }

    #[inline]
    fn make<O: Observer>(&mut self, m: Move, seen: &mut O) {
        debug_assert!(self.is_pseudo_legal(m), "{m:?} is not legal");
        let state = self.push_state();
        let link = state.play(m, seen);
        debug_assert_eq!(*state, state.rebuilt(), "after {m:?}");
        let key = state.key();
        self.record.push(key, link);
    }

    #[inline]
    fn unmake(&mut self) {
        self.pop_state();
    }

    fn make_null(&mut self) {
        debug_assert!(!self.in_check(), "a king in check may not pass");
        let state = self.push_state();
        state.play_null();
        let key = state.key();
        self.record.push(key, Link::Null);
    }

    fn unmake_null(&mut self) {
        self.pop_state();
    }

    #[inline]
    fn null_move_sound(&self) -> bool {
        let state = self.state();
        let ours = state.side(state.side_to_move());
        let weak = state.kind(PieceKind::Pawn) | state.kind(PieceKind::King);
        ours.without(weak).any()
    }

    fn count_moves(&self) -> usize {
        self.state().count_legal()
    }
}
