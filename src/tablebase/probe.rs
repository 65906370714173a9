//! Values of positions.
//!
//! Tables know nothing of captures in passing, and where a capture is best they may hold anything:
//! so captures are searched first. Castling is unknown to them altogether.

use crate::chess::{Move, MoveKind, PieceKind, State};
use crate::game::{Side, Wdl};
use crate::tablebase::arrangement::{Squares, lead_pawns};
use crate::tablebase::file::{Metric, Part, TableFile, dtz};
use crate::tablebase::folder::Syzygy;
use crate::tablebase::material::{Material, piece_of_code};

/// Beyond this distance the move-count rule draws.
const CLOCK: i32 = 100;

/// A value and how it came about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched {
    pub wdl: Wdl,
    /// A capture (or pawn move, where these were searched too) is as good as anything.
    pub by_zeroing: bool,
}

/// What the distance table of a position says.
enum Distance {
    Known(i32),
    /// The table is of the other side to move.
    OtherSide,
}

pub(super) fn is_capture(state: &State, m: Move) -> bool {
    match m.kind() {
        Some(MoveKind::EnPassant) => true,
        Some(MoveKind::Castling) | None => false,
        Some(_) => state.piece_on(m.to()).is_some(),
    }
}

pub(super) fn is_zeroing(state: &State, m: Move) -> bool {
    is_capture(state, m) || state.kind(PieceKind::Pawn).contains(m.from())
}

/// The distance in a position whose best move is a capture or pawn move, with the sign of the
/// result.
pub(super) const fn before_zeroing(wdl: Wdl) -> i32 {
    match wdl {
        Wdl::Loss => -1,
        Wdl::BlessedLoss => -CLOCK - 1,
        Wdl::Draw => 0,
        Wdl::CursedWin => CLOCK + 1,
        Wdl::Win => 1,
    }
}

impl Syzygy {
    /// The result with best play from here, the move-count clock at zero.
    pub(super) fn wdl_of(&self, state: &State) -> Option<Wdl> {
        if state.castling_rooks().any() {
            return None;
        }
        Some(self.search(state, false)?.wdl)
    }

    /// Plies to the next capture or pawn move, by the sign for whom it is good: 1 or -1 at least,
    /// 0 for a draw; beyond 100 where the move-count rule steps in. May be one too high, as
    /// tables may hold moves rather than plies.
    pub(super) fn dtz_of(&self, state: &State) -> Option<i32> {
        if state.castling_rooks().any() {
            return None;
        }
        let searched = self.search(state, true)?;
        let wdl = searched.wdl;
        if wdl == Wdl::Draw {
            return Some(0);
        }
        if searched.by_zeroing {
            return Some(before_zeroing(wdl));
        }
        match self.distance(state, wdl)? {
            Distance::Known(distance) => {
                let beyond = matches!(wdl, Wdl::CursedWin | Wdl::BlessedLoss);
                let distance = distance + if beyond { CLOCK } else { 0 };
                Some(distance * wdl.number().signum())
            }
            Distance::OtherSide => self.dtz_by_moves(state, wdl),
        }
    }

    /// The distance by those of the positions one ply on. The result is known.
    fn dtz_by_moves(&self, state: &State, wdl: Wdl) -> Option<i32> {
        let sign = wdl.number().signum();
        let mut best: Option<i32> = None;
        for m in state.legal_moves() {
            let after = state.after(m);
            let mut distance = match is_zeroing(state, m) {
                true => -before_zeroing(self.search(&after, false)?.wdl),
                false => -self.dtz_of(&after)?,
            };
            let mates = distance == 1 && after.checkers().any() && after.legal_moves().is_empty();
            if !mates && !is_zeroing(state, m) {
                distance += distance.signum();
            }
            if distance.signum() == sign {
                best = Some(best.map_or(distance, |best| best.min(distance)));
            }
        }
        // Without any move the side is mated.
        Some(best.unwrap_or(-1))
    }

    /// The result, captures searched, and quiet pawn moves too if wished.
    fn search(&self, state: &State, with_pawns: bool) -> Option<Searched> {
        let moves = state.legal_moves();
        let mut best = Wdl::Loss;
        let mut searched = 0;
        for m in &moves {
            let wanted = match with_pawns {
                true => is_zeroing(state, *m),
                false => is_capture(state, *m),
            };
            if !wanted {
                continue;
            }
            searched += 1;
            let wdl = self.search(&state.after(*m), false)?.wdl.flip();
            best = best.max(wdl);
            if best == Wdl::Win {
                let by_zeroing = true;
                return Some(Searched {
                    wdl: best,
                    by_zeroing,
                });
            }
        }
        // Where nothing else can be played the table is not asked: it may not know of a capture
        // in passing.
        let nothing_else = searched > 0 && searched == moves.len();
        let wdl = match nothing_else {
            true => best,
            false => self.table_wdl(state)?,
        };
        Some(match best >= wdl {
            true => Searched {
                wdl: best,
                by_zeroing: searched > 0 && (best > Wdl::Draw || nothing_else),
            },
            false => Searched {
                wdl,
                by_zeroing: false,
            },
        })
    }

    fn table_wdl(&self, state: &State) -> Option<Wdl> {
        if state.occupied().len() == 2 {
            return Some(Wdl::Draw);
        }
        let view = View::of(self, state, Metric::Wdl)?;
        let (part, mut squares) = view.part(state)?;
        let value = view.file.value(part, &mut squares)?;
        Wdl::ALL.get(usize::from(value)).copied()
    }

    fn distance(&self, state: &State, wdl: Wdl) -> Option<Distance> {
        let view = View::of(self, state, Metric::Dtz)?;
        let (part, mut squares) = view.part(state)?;
        let flags = part.pairs.flags;
        let either_side = view.is_symmetric && !view.has_pawns;
        if usize::from(flags & dtz::SIDE) != view.side && !either_side {
            return Some(Distance::OtherSide);
        }
        let mut value = view.file.value(part, &mut squares)?;
        if let Some(map) = &part.map {
            let result = match wdl {
                Wdl::Win | Wdl::Draw => 0,
                Wdl::Loss => 1,
                Wdl::CursedWin => 2,
                Wdl::BlessedLoss => 3,
            };
            value = map.distance(result, value)?;
        }
        let in_plies = match wdl {
            Wdl::Win => flags & dtz::WIN_PLIES != 0,
            Wdl::Loss => flags & dtz::LOSS_PLIES != 0,
            _ => false,
        };
        let plies = i32::from(value) * if in_plies { 1 } else { 2 };
        Some(Distance::Known(plies + 1))
    }
}

/// A position as its table sees it: perhaps with colours exchanged and ranks mirrored.
struct View<'a> {
    file: &'a TableFile,
    is_flipped: bool,
    /// The side to move in the table's terms.
    side: usize,
    is_symmetric: bool,
    has_pawns: bool,
}

impl<'a> View<'a> {
    fn of(tables: &'a Syzygy, state: &State, metric: Metric) -> Option<View<'a>> {
        let material = Material::of(state);
        let swapped = material.swapped();
        let direct = tables.file(&material, metric);
        let black_moves = state.side_to_move() == Side::Second;
        let is_symmetric = material.is_symmetric();
        let (file, is_flipped) = match direct {
            Some(file) => (file, is_symmetric && black_moves),
            None => (tables.file(&swapped, metric)?, true),
        };
        Some(View {
            file,
            is_flipped,
            side: usize::from(black_moves != is_flipped),
            is_symmetric,
            has_pawns: material.pawns()[0] > 0,
        })
    }

    /// The part of the table that has the position, and the squares of its pieces.
    fn part(&self, state: &State) -> Option<(&'a Part, Squares)> {
        let mut squares = Squares::new();
        let mut file = 0;
        if self.has_pawns {
            let any = self.file.part(self.side, 0)?;
            self.add(state, *any.arrangement.codes.first()?, &mut squares)?;
            file = lead_pawns(&mut squares);
        }
        let part = self.file.part(self.side, usize::from(file))?;
        let codes = &part.arrangement.codes;
        while let Some(code) = codes.get(squares.len()) {
            self.add(state, *code, &mut squares)?;
        }
        Some((part, squares))
    }

    /// Adds the squares of all pieces of a kind.
    fn add(&self, state: &State, code: u8, squares: &mut Squares) -> Option<()> {
        let (colours, ranks) = if self.is_flipped { (8, 56) } else { (0, 0) };
        let (side, kind) = piece_of_code(code ^ colours)?;
        let before = squares.len();
        for sq in state.pieces(side, kind) {
            squares.try_push(sq as u8 ^ ranks).ok()?;
        }
        (squares.len() > before).then_some(())
    }
}
