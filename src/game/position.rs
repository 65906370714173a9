//! The rules of one game, as far as search needs them.

use crate::game::{Key, MoveList, Observer, PackedMove, Score, Side, SquareSet};

/// What a side to move without a legal move and not in check has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stalemate {
    /// A draw, as in chess.
    Draw,
    /// A lost game, as in xiangqi.
    Loss,
}

/// Which moves a generator is asked for. `Noisy` and `Quiet` are disjoint and together `All`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wanted {
    /// Every move.
    All,
    /// Moves that change the material: captures and promotions.
    Noisy,
    /// The others.
    Quiet,
}

/// What the rules say of a position before any move is tried, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The game goes on.
    Open,
    /// Drawn.
    Draw,
    /// The side to move has won by rule.
    Won,
    /// The side to move has lost by rule.
    Lost,
    /// The side to move has at least a draw.
    DrawOrBetter,
    /// The side to move has at most a draw.
    DrawOrWorse,
}

/// A move taken apart into dense indices: `piece < Position::PIECES`, squares
/// `< Position::SQUARES`. They index history tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The piece that moves, its side included.
    pub piece: u8,
    /// Where it stands.
    pub from: u8,
    /// Where it goes. For castling the king's target.
    pub to: u8,
    /// The piece it captures.
    pub victim: Option<u8>,
}

/// A position with its history, and the rules to move on from it.
pub trait Position: Clone + Send + Sync + 'static {
    /// Sixteen bits, never zero.
    type Move: PackedMove;

    /// Kinds of pieces times two sides: dense piece indices are below it.
    const PIECES: usize;
    /// Squares of the board: dense square indices are below it.
    const SQUARES: usize;
    /// Does [`Position::generate`] give legal moves only? Then search never asks
    /// [`Position::is_legal`] of a generated move.
    const LEGAL_GENERATOR: bool;
    /// What stalemate is worth.
    const STALEMATE: Stalemate;
    /// How many keys [`Position::structure_key`] has.
    const STRUCTURES: usize;

    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// The Zobrist key: placement, side to move, and whatever else makes positions differ for
    /// repetition. Kept up to date by make and unmake.
    fn key(&self) -> Key;

    /// The key under which a search remembers what it found out about the position. Differs from
    /// [`Position::key`] where the way the game came here changes what the position is worth.
    fn table_key(&self) -> Key {
        self.key()
    }

    /// What [`Position::table_key`] will be after a pseudo-legal move, as far as that is quickly
    /// said. Good for having memory fetched: rare moves may come out wrong.
    fn likely_key_after(&self, m: Self::Move) -> Key;

    /// A key of a part of the position (pawns, guards and so on), for correction history.
    fn structure_key(&self, which: usize) -> Key;

    /// Plies since the last move that resets the move-count rule.
    fn halfmove_clock(&self) -> u16;

    /// Plies left until the move-count rule draws the game, or `None` where no such rule is on.
    fn clock_left(&self) -> Option<u16>;

    /// Is the side to move in check?
    fn in_check(&self) -> bool;

    /// What the rules say at `ply` plies from the root of a search, other than mate and
    /// stalemate: repetition, move count, material. A game may leave the rarest to
    /// [`crate::game::Arbiter::ending`], but what it says must be right, with one liberty:
    /// below the root a second occurrence already counts as a repetition. Mate has precedence
    /// over the move count.
    fn verdict(&self, ply: usize) -> Verdict;

    /// Appends the wanted moves: legal or pseudo-legal ones, as `LEGAL_GENERATOR` says.
    fn generate(&self, wanted: Wanted, out: &mut MoveList<Self::Move>);

    /// Would [`Position::generate`] give this move? For any sixteen bits whatever.
    fn is_pseudo_legal(&self, m: Self::Move) -> bool;

    /// Is this pseudo-legal move legal?
    fn is_legal(&self, m: Self::Move) -> bool;

    /// Is this pseudo-legal move one of [`Wanted::Noisy`]?
    fn is_noisy(&self, m: Self::Move) -> bool;

    /// Does the legal move give check?
    fn gives_check(&self, m: Self::Move) -> bool;

    /// The pseudo-legal move, taken apart.
    fn step(&self, m: Self::Move) -> Step;

    /// Material the pseudo-legal move wins at once, in centipawns: the victim's value plus what
    /// a promotion adds. Zero for quiet moves.
    fn gain(&self, m: Self::Move) -> Score;

    /// Static exchange evaluation: does the exchange that the pseudo-legal move begins on its
    /// target square win at least `threshold` for the mover?
    fn see_at_least(&self, m: Self::Move, threshold: Score) -> bool;

    /// The squares where the other side could capture: whether a quiet move leaves one of them or
    /// enters one says much of what it is for. A rough answer will do, where an exact one is dear.
    fn threatened(&self) -> SquareSet;

    /// Plays a legal move and tells `seen` of every piece that leaves or enters a square.
    fn make<O: Observer>(&mut self, m: Self::Move, seen: &mut O);

    /// Takes back the last move made.
    fn unmake(&mut self);

    /// Passes the turn. Only when not in check.
    fn make_null(&mut self);

    /// Takes back [`Position::make_null`].
    fn unmake_null(&mut self);

    /// Is passing surely worse than the best move, so that a null move proves something?
    /// False where zugzwang threatens.
    fn null_move_sound(&self) -> bool;

    /// The legal moves, in order of generation.
    fn legal_moves(&self) -> MoveList<Self::Move> {
        let mut moves = MoveList::new();
        self.generate(Wanted::All, &mut moves);
        if !Self::LEGAL_GENERATOR {
            moves.retain(|m| self.is_legal(*m));
        }
        moves
    }

    /// How many legal moves there are; a game may count without listing them.
    fn count_moves(&self) -> usize {
        self.legal_moves().len()
    }
}
