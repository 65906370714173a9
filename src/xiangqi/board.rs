//! The board of a game: a placement, the side to move and how the game came here.

use crate::game::{Key, MoveList, Observer, Position, Record, Rules, Score, Side};
use crate::game::{SquareSet, Stalemate, Step, Verdict, Wanted};
use crate::xiangqi::checks::{self, Exposure};
use crate::xiangqi::generate::{self, victim};
use crate::xiangqi::keys::{COUNTER_FREE, counter_key, piece_key, repeated_key, side_key};
use crate::xiangqi::placement::STRUCTURES;
use crate::xiangqi::see::see_at_least;
use crate::xiangqi::{Ids, Man, Move, Piece, PieceKind, Placement, Square, piece_value};

/// What a position's history keeps of each ply: how the position came about and what can be
/// said of it once and for all. The repetition rules read these, from the last one back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move that led here; none at the start of the record and after a null move.
    pub played: Option<Move>,
    /// The man that move captured.
    pub captured: Option<Man>,
    /// How the king of the side to move stands. If it is in check, the move gave check.
    pub exposure: Exposure,
    /// Counted plies without a capture; see [`Board::halfmove_clock`].
    pub quiet: u16,
    /// Checks that each side has given since the last capture.
    pub checks: [u8; 2],
}

/// A position with its history, and the rules to move on from it.
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) placement: Placement,
    pub(super) side: Side,
    /// Keys of the positions so far, the present one last.
    pub(super) record: Record,
    /// The same positions' plies.
    pub(super) plies: Vec<Ply>,
    /// Full-move number of the first position of the record.
    first_number: u32,
    pub(super) rules: Rules,
}

impl Board {
    /// A game that begins with this placement, both kings included. `quiet` plies without a
    /// capture have been played before; `number` is the full move that comes next.
    pub(super) fn begin(placement: Placement, side: Side, quiet: u16, number: u32) -> Board {
        let first = Ply {
            played: None,
            captured: None,
            exposure: checks::exposure(&placement, side),
            quiet,
            checks: [0; 2],
        };
        Board {
            record: Record::new(placement.key() ^ side_key(side)),
            placement,
            side,
            plies: vec![first],
            first_number: number,
            rules: Rules::default(),
        }
    }

    /// The rules of this game.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// What stands where.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// How the game came here: a ply for each position of the record, the present one last.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// How the king of the side to move stands.
    #[inline]
    pub fn exposure(&self) -> Exposure {
        self.last().exposure
    }

    /// The full-move number, as a FEN counts it.
    pub fn move_number(&self) -> u32 {
        let played = self.record.plies() as u32;
        let black_to_move = self.side.index() as u32;
        let black_began = (black_to_move + played) % 2;
        self.first_number.saturating_add((played + black_began) / 2)
    }

    /// The present position's ply.
    #[inline]
    pub(super) fn last(&self) -> &Ply {
        debug_assert!(!self.plies.is_empty(), "the first ply stays");
        &self.plies[self.plies.len() - 1]
    }

    /// The key with the marks of its history.
    #[cold]
    fn marked_key(&self) -> Key {
        let mut key = self.key();
        if self.record.is_repeated() {
            key ^= repeated_key();
        }
        if self.rules.no_capture_limit.is_some() {
            key ^= counter_key(self.last().quiet);
        }
        key
    }

    /// The piece that a pseudo-legal move moves.
    #[inline]
    fn mover(&self, m: Move) -> Option<Piece> {
        self.placement.piece(m.from())
    }
}

impl Position for Board {
    type Move = Move;

    const PIECES: usize = Piece::COUNT;
    const SQUARES: usize = Square::COUNT;
    const LEGAL_GENERATOR: bool = false;
    const STALEMATE: Stalemate = Stalemate::Loss;
    /// Pawns; advisors and elephants; horses, chariots and cannons.
    const STRUCTURES: usize = STRUCTURES;

    #[inline]
    fn side_to_move(&self) -> Side {
        self.side
    }

    #[inline]
    fn key(&self) -> Key {
        self.placement.key() ^ side_key(self.side)
    }

    /// Apart from the placement: has the position stood before, and is the no-capture limit
    /// nearer than it was? Either may change what the position is worth.
    #[inline]
    fn table_key(&self) -> Key {
        if self.record.is_repeated() || self.last().quiet > COUNTER_FREE {
            self.marked_key()
        } else {
            self.key()
        }
    }

    /// The no-capture counter stays as it is, and no position comes back.
    #[inline]
    fn likely_key_after(&self, m: Move) -> Key {
        let (from, to) = (m.from(), m.to());
        let key_of = |piece: Option<Piece>, sq| piece.map_or(Key(0), |piece| piece_key(piece, sq));
        let (mover, victim) = (self.placement.piece(from), self.placement.piece(to));
        let mut key = self.placement.key() ^ side_key(!self.side);
        key = key ^ key_of(mover, from) ^ key_of(mover, to) ^ key_of(victim, to);
        if victim.is_none() && self.rules.no_capture_limit.is_some() {
            key ^= counter_key(self.last().quiet);
        }
        key
    }

    fn structure_key(&self, which: usize) -> Key {
        self.placement.structure_key(which)
    }

    /// Plies since the last capture, less the free ones: each side's checks after its first ten
    /// and the direct replies to them.
    fn halfmove_clock(&self) -> u16 {
        self.last().quiet
    }

    fn clock_left(&self) -> Option<u16> {
        Some(
            self.rules
                .no_capture_limit?
                .saturating_sub(self.last().quiet),
        )
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.last().exposure.in_check
    }

    fn verdict(&self, ply: usize) -> Verdict {
        self.rule_verdict(ply)
    }

    fn generate(&self, wanted: Wanted, out: &mut MoveList<Move>) {
        let men = self.placement.alive(self.side);
        generate::moves_of(&self.placement, self.side, men, wanted, out);
    }

    fn is_pseudo_legal(&self, m: Move) -> bool {
        generate::is_pseudo_legal(&self.placement, self.side, m.from(), m.to())
    }

    fn is_legal(&self, m: Move) -> bool {
        let exposure = self.exposure();
        let safe_at_once = !exposure.in_check
            && self.placement.cell(m.from()).man().is_some_and(|man| {
                !(exposure.shields | Ids::of(PieceKind::King)).contains(man.id())
            })
            && !(exposure.hollow && self.enters_a_line_of_the_king(m.to()));
        safe_at_once || checks::is_safe_after(&self.placement, self.side, m.from(), m.to())
    }

    fn gives_check(&self, m: Move) -> bool {
        checks::gives_check(&self.placement, m.from(), m.to())
    }

    #[inline]
    fn is_noisy(&self, m: Move) -> bool {
        !self.placement.cell(m.to()).is_empty()
    }

    fn step(&self, m: Move) -> Step {
        Step {
            piece: self.mover(m).map_or(0, Piece::index),
            from: m.from().dense(),
            to: m.to().dense(),
            victim: victim(&self.placement, m).map(|man| man.piece().index()),
        }
    }

    fn gain(&self, m: Move) -> Score {
        victim(&self.placement, m)
            .map_or(Score(0), |man| piece_value(man.kind(), man.side(), m.to()))
    }

    fn threatened(&self) -> SquareSet {
        generate::threats_of(&self.placement, !self.side)
    }

    fn see_at_least(&self, m: Move, threshold: Score) -> bool {
        see_at_least(&self.placement, m, threshold)
    }

    fn make<O: Observer>(&mut self, m: Move, seen: &mut O) {
        self.play(m, seen);
    }

    fn unmake(&mut self) {
        self.take_back();
    }

    fn make_null(&mut self) {
        self.pass();
    }

    fn unmake_null(&mut self) {
        self.take_back_pass();
    }

    /// A chariot, or two of horse and cannon: with less, xiangqi endings are full of zugzwang.
    fn null_move_sound(&self) -> bool {
        let count = |kind| self.placement.count(self.side, kind);
        2 * count(PieceKind::Rook) + count(PieceKind::Knight) + count(PieceKind::Cannon) >= 2
    }

    /// Without a list: out of check only the king's and the shields' moves need a test.
    fn count_moves(&self) -> usize {
        let exposure = self.exposure();
        if exposure.in_check || exposure.hollow {
            return self.legal_moves().len();
        }
        let own = self.placement.alive(self.side);
        let careful = own & (exposure.shields | Ids::of(PieceKind::King));
        let free = generate::count_of(&self.placement, self.side, own & !careful);
        let mut tested = MoveList::new();
        generate::moves_of(
            &self.placement,
            self.side,
            careful,
            Wanted::All,
            &mut tested,
        );
        free + tested.iter().filter(|&&m| self.is_legal(m)).count()
    }
}

impl Board {
    /// Does this square lie on the file or the rank of the king of the side to move?
    fn enters_a_line_of_the_king(&self, to: Square) -> bool {
        let king = self.placement.king(self.side);
        to.shares_file(king) || to.shares_rank(king)
    }
}
