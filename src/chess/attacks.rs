//! Where pieces attack, and the geometry of lines.
//!
//! What does not depend on other pieces stands in constant tables. The attacks of sliders come
//! from the one large table behind [`Sliders`]: a kernel says how a square and the occupied
//! squares are turned into an index, and [`with_sliders`] runs a task with the best kernel of
//! this processor, choosing once per task, not once per look-up.

use once_cell::sync::Lazy;

use crate::chess::bitboard::Bitboard;
use crate::chess::magics::Magics;
#[cfg(target_arch = "x86_64")]
use crate::chess::pext::Pext;
use crate::chess::square::Square;
use crate::game::Side;

/// A table with one entry for each square.
type PerSquare<T> = [T; 64];

/// A step on the board: files to the right, ranks up.
type Delta = (i8, i8);

/// The four directions of a rook.
pub(super) const ROOK_DELTAS: [Delta; 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
/// The four directions of a bishop.
pub(super) const BISHOP_DELTAS: [Delta; 4] = [(1, 1), (-1, -1), (-1, 1), (1, -1)];
const KNIGHT_DELTAS: [Delta; 8] = [
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];
const KING_DELTAS: [Delta; 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (-1, 1),
    (1, -1),
];

/// One step away from a square, if that is on the board.
pub(super) const fn step(from: Square, (right, up): Delta) -> Option<Square> {
    let file = from.file() as i8 + right;
    let rank = from.rank() as i8 + up;
    if file < 0 || file > 7 || rank < 0 || rank > 7 {
        return None;
    }
    Some(Square::wrapping((rank * 8 + file) as u8))
}

/// All squares in one direction, as far as the rim.
const fn ray(from: Square, delta: Delta) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    let mut at = step(from, delta);
    while let Some(sq) = at {
        squares = squares.with(Bitboard::of(sq));
        at = step(sq, delta);
    }
    squares
}

const fn leaps<const N: usize>(deltas: [Delta; N]) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let mut d = 0;
        while d < N {
            if let Some(sq) = step(Square::ALL[i], deltas[d]) {
                table[i] = table[i].with(Bitboard::of(sq));
            }
            d += 1;
        }
        i += 1;
    }
    table
}

const fn rays(deltas: [Delta; 4]) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let mut d = 0;
        while d < 4 {
            table[i] = table[i].with(ray(Square::ALL[i], deltas[d]));
            d += 1;
        }
        i += 1;
    }
    table
}

/// For each pair of squares on a common line: the squares between them, and the whole line.
const fn lines() -> (
    PerSquare<PerSquare<Bitboard>>,
    PerSquare<PerSquare<Bitboard>>,
) {
    let mut between = [[Bitboard::EMPTY; 64]; 64];
    let mut line = [[Bitboard::EMPTY; 64]; 64];
    let mut i = 0;
    while i < 64 {
        let from = Square::ALL[i];
        let mut d = 0;
        while d < 8 {
            let (right, up) = KING_DELTAS[d];
            let whole = Bitboard::of(from)
                .with(ray(from, (right, up)))
                .with(ray(from, (-right, -up)));
            let mut passed = Bitboard::EMPTY;
            let mut at = step(from, (right, up));
            while let Some(sq) = at {
                between[i][sq.index()] = passed;
                line[i][sq.index()] = whole;
                passed = passed.with(Bitboard::of(sq));
                at = step(sq, (right, up));
            }
            d += 1;
        }
        i += 1;
    }
    (between, line)
}

/// The whole line through each square in one direction and its opposite.
const fn lines_along((right, up): Delta) -> PerSquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 64];
    let mut i = 0;
    while i < 64 {
        let sq = Square::ALL[i];
        table[i] = Bitboard::of(sq)
            .with(ray(sq, (right, up)))
            .with(ray(sq, (-right, -up)));
        i += 1;
    }
    table
}

static RISING: PerSquare<Bitboard> = lines_along((1, 1));
static FALLING: PerSquare<Bitboard> = lines_along((1, -1));
static KNIGHT: PerSquare<Bitboard> = leaps(KNIGHT_DELTAS);
static KING: PerSquare<Bitboard> = leaps(KING_DELTAS);
static PAWN: [PerSquare<Bitboard>; 2] = [leaps([(-1, 1), (1, 1)]), leaps([(-1, -1), (1, -1)])];
static ROOK_RAYS: PerSquare<Bitboard> = rays(ROOK_DELTAS);
static BISHOP_RAYS: PerSquare<Bitboard> = rays(BISHOP_DELTAS);
static BETWEEN: PerSquare<PerSquare<Bitboard>> = lines().0;
static LINE: PerSquare<PerSquare<Bitboard>> = lines().1;

/// The squares a knight attacks.
#[inline(always)]
pub fn knight(sq: Square) -> Bitboard {
    KNIGHT[sq.index()]
}

/// The squares a king attacks.
#[inline(always)]
pub fn king(sq: Square) -> Bitboard {
    KING[sq.index()]
}

/// The squares a pawn of `side` attacks.
#[inline(always)]
pub fn pawn(side: Side, sq: Square) -> Bitboard {
    PAWN[side.index()][sq.index()]
}

/// The squares that any of these pawns of `side` attacks.
#[inline(always)]
pub fn pawns(side: Side, pawns: Bitboard) -> Bitboard {
    let ahead = pawns.ahead(side);
    ahead.east() | ahead.west()
}

/// The squares a rook would attack on an empty board.
#[inline(always)]
pub fn rook_rays(sq: Square) -> Bitboard {
    ROOK_RAYS[sq.index()]
}

/// The squares a bishop would attack on an empty board.
#[inline(always)]
pub fn bishop_rays(sq: Square) -> Bitboard {
    BISHOP_RAYS[sq.index()]
}

/// The diagonal through a square in the direction from a1 to h8.
#[inline(always)]
pub(super) fn rising_diagonal(sq: Square) -> Bitboard {
    RISING[sq.index()]
}

/// The diagonal through a square in the direction from a8 to h1.
#[inline(always)]
pub(super) fn falling_diagonal(sq: Square) -> Bitboard {
    FALLING[sq.index()]
}

/// The squares strictly between two on a common line; none where there is no such line.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole line through two different squares, themselves included; none where there is none.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// The two kinds of sliding attack; a queen has both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slider {
    /// Along diagonals.
    Bishop,
    /// Along ranks and files.
    Rook,
}

impl Slider {
    const fn rays(self) -> &'static PerSquare<Bitboard> {
        match self {
            Slider::Bishop => &BISHOP_RAYS,
            Slider::Rook => &ROOK_RAYS,
        }
    }

    /// The squares whose occupation matters: the rays without their last squares.
    pub(super) fn mask(self, sq: Square) -> Bitboard {
        let deltas = match self {
            Slider::Bishop => BISHOP_DELTAS,
            Slider::Rook => ROOK_DELTAS,
        };
        let inner = |delta| {
            let whole = ray(sq, delta);
            let inside = |&to: &Square| step(to, delta).is_some();
            whole.into_iter().filter(inside).collect::<Bitboard>()
        };
        deltas
            .into_iter()
            .fold(Bitboard::EMPTY, |mask, delta| mask | inner(delta))
    }

    /// The attacks from first principles, for filling tables: each ray up to its first blocker.
    pub(super) fn scan(self, sq: Square, occupied: Bitboard) -> Bitboard {
        let rays = self.rays()[sq.index()];
        let mut attacks = rays;
        for blocker in rays & occupied {
            // What lies behind a blocker: the line through it, beyond it, seen from here.
            let beyond = line(sq, blocker) & rays_beyond(sq, blocker);
            attacks = attacks.without(beyond);
        }
        attacks
    }
}

/// The squares of a line that lie beyond `blocker`, seen from `sq`.
fn rays_beyond(sq: Square, blocker: Square) -> Bitboard {
    let above = Bitboard(!1 << blocker as u8);
    let below = Bitboard((1 << blocker as u8) - 1);
    if blocker > sq { above } else { below }
}

/// Room for the attacks of both kinds of slider from every square, over all subsets of the
/// squares that matter: 102,400 of rooks and 5,248 of bishops.
pub(super) const TABLE_SIZE: usize = 107_648;

/// The one large table.
pub(super) type AttackTable = Box<[Bitboard; TABLE_SIZE]>;

/// Fills the table: `index` tells where the attacks from a square over these occupied squares of
/// its mask belong.
pub(super) fn fill_table(index: impl Fn(Slider, Square, Bitboard) -> usize) -> AttackTable {
    let mut attacks = vec![Bitboard::EMPTY; TABLE_SIZE].into_boxed_slice();
    for slider in [Slider::Rook, Slider::Bishop] {
        for sq in Square::ALL {
            let mask = slider.mask(sq);
            for occupied in subsets(mask) {
                attacks[index(slider, sq, occupied)] = slider.scan(sq, occupied);
            }
        }
    }
    match attacks.try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the length was set above"),
    }
}

/// All subsets of a set, the empty one first.
pub(super) fn subsets(set: Bitboard) -> impl Iterator<Item = Bitboard> {
    let next = move |subset: &Bitboard| {
        // Counting in the bits of the set alone: the carry skips the others.
        let next = Bitboard(subset.0.wrapping_sub(set.0) & set.0);
        next.any().then_some(next)
    };
    std::iter::successors(Some(Bitboard::EMPTY), next)
}

/// A way to look up the attacks of sliders.
pub trait Sliders: Copy {
    /// The squares a bishop attacks, the nearest occupied ones included.
    fn bishop(self, sq: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a rook attacks, the nearest occupied ones included.
    fn rook(self, sq: Square, occupied: Bitboard) -> Bitboard;

    /// The squares a queen attacks, the nearest occupied ones included.
    #[inline(always)]
    fn queen(self, sq: Square, occupied: Bitboard) -> Bitboard {
        self.bishop(sq, occupied) | self.rook(sq, occupied)
    }
}

/// Work that looks up many attacks. [`with_sliders`] compiles it once for each kind of processor;
/// for that, `run` and what it calls in its hot loops must be `#[inline(always)]`.
pub trait SliderTask {
    /// What the work yields.
    type Output;

    /// Does the work.
    fn run<S: Sliders>(self, sliders: S) -> Self::Output;
}

// There is only one, in a static.
#[allow(clippy::large_enum_variant)]
enum Kernel {
    Magic(Magics),
    #[cfg(target_arch = "x86_64")]
    Pext(Pext),
}

static KERNEL: Lazy<Kernel> = Lazy::new(|| {
    #[cfg(target_arch = "x86_64")]
    if let Some(pext) = Pext::detect() {
        return Kernel::Pext(pext);
    }
    Kernel::Magic(Magics::new())
});

/// Runs a task with the best look-up this processor has.
#[inline(always)]
pub fn with_sliders<T: SliderTask>(task: T) -> T::Output {
    match &*KERNEL {
        Kernel::Magic(magics) => task.run(magics),
        #[cfg(target_arch = "x86_64")]
        Kernel::Pext(pext) => pext.run(task),
    }
}

/// The name of the look-up that this processor uses, for reports of speed.
pub fn kernel_name() -> &'static str {
    match &*KERNEL {
        Kernel::Magic(_) => "magic",
        #[cfg(target_arch = "x86_64")]
        Kernel::Pext(_) => "pext",
    }
}

/// Looks each attack up by a choice of its own: for work with few look-ups.
#[derive(Clone, Copy, Debug)]
pub struct PerLookup;

impl Sliders for PerLookup {
    #[inline]
    fn bishop(self, sq: Square, occupied: Bitboard) -> Bitboard {
        with_sliders(OneLookup(Slider::Bishop, sq, occupied))
    }

    #[inline]
    fn rook(self, sq: Square, occupied: Bitboard) -> Bitboard {
        with_sliders(OneLookup(Slider::Rook, sq, occupied))
    }
}

struct OneLookup(Slider, Square, Bitboard);

impl SliderTask for OneLookup {
    type Output = Bitboard;

    #[inline(always)]
    fn run<S: Sliders>(self, sliders: S) -> Bitboard {
        match self {
            OneLookup(Slider::Bishop, sq, occupied) => sliders.bishop(sq, occupied),
            OneLookup(Slider::Rook, sq, occupied) => sliders.rook(sq, occupied),
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bitboard;
    use crate::chess::square::{File, Rank};

    /// Do these look-ups agree with first principles everywhere? Squares outside the mask are
    /// set too, since they must not matter.
    pub(in crate::chess) fn check_everywhere(sliders: impl Sliders) {
        for sq in Square::ALL {
            for outside in [Bitboard::EMPTY, Bitboard::ALL] {
                for occupied in subsets(Slider::Bishop.mask(sq)) {
                    let all = occupied | outside.without(Slider::Bishop.mask(sq));
                    assert_eq!(sliders.bishop(sq, all), Slider::Bishop.scan(sq, occupied));
                }
                for occupied in subsets(Slider::Rook.mask(sq)) {
                    let all = occupied | outside.without(Slider::Rook.mask(sq));
                    assert_eq!(sliders.rook(sq, all), Slider::Rook.scan(sq, occupied));
                }
            }
        }
    }

    #[test]
    fn the_chosen_kernel_is_right_everywhere() {
        check_everywhere(PerLookup);
    }

    #[test]
    fn scan_stops_at_the_first_blockers() {
        let blockers = bitboard! {
            . . . . . . . .
            . . . . X . . .
            . . . . X . . .
            . . . . . . . .
            . X . . . . X .
            X . . . . . . .
            . . . . . . . .
            . . . . . . . .
        };
        let attacks = bitboard! {
            . . . . . . . .
            . . . . . . . .
            . . . . X . . .
            . . . . X . . .
            . X X X . X X .
            . . . . X . . .
            . . . . X . . .
            . . . . X . . .
        };
        assert_eq!(Slider::Rook.scan(Square::E4, blockers), attacks);
    }

    #[test]
    fn leapers_stay_on_the_board() {
        assert_eq!(
            knight(Square::A1),
            [Square::B3, Square::C2].into_iter().collect()
        );
        assert_eq!(
            king(Square::H8),
            [Square::G8, Square::G7, Square::H7].into_iter().collect()
        );
        assert_eq!(pawn(Side::First, Square::A2), Bitboard::of(Square::B3));
        assert_eq!(pawn(Side::Second, Square::H7), Bitboard::of(Square::G6));
        for sq in Square::ALL {
            for side in Side::ALL {
                assert_eq!(pawns(side, Bitboard::of(sq)), pawn(side, sq));
            }
        }
    }

    #[test]
    fn lines_join_squares_of_a_rank_file_or_diagonal_only() {
        assert_eq!(
            between(Square::A1, Square::D4),
            [Square::B2, Square::C3].into_iter().collect()
        );
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(line(Square::E2, Square::E7), Bitboard::file(File::E));
        assert_eq!(line(Square::A1, Square::B3), Bitboard::EMPTY);
        assert!(line(Square::H1, Square::A8).contains(Square::H1));
        assert_eq!(Bitboard::rank(Rank::First), line(Square::C1, Square::A1));
    }
}
