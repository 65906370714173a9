//! FEN in and out: standard, X-FEN and Shredder-FEN.
//!
//! Reading is tolerant of what clients leave out or write carelessly (missing fields, impossible
//! rights or en passant squares) and strict about what no game can be played from.

use crate::chess::attacks::{self, PerLookup};
use crate::chess::bitboard::Bitboard;
use crate::chess::board::Board;
use crate::chess::castling::Wing;
use crate::chess::piece::{Piece, PieceKind};
use crate::chess::square::{File, Rank, Square};
use crate::chess::state::State;
use crate::game::{CastlingText, FenError, MAX_MOVES, Position, Side};

/// The largest halfmove clock and move number that are kept.
const MAX_COUNTER: u16 = 32_767;

/// A refusal.
fn refuse<T>(reason: impl Into<String>) -> Result<T, FenError> {
    Err(FenError(reason.into()))
}

/// The name of a side in messages.
const fn name(side: Side) -> &'static str {
    match side {
        Side::First => "white",
        Side::Second => "black",
    }
}

/// Reads a FEN. Missing fields are taken as `w - - 0 1`; words after the sixth are ignored.
pub(super) fn parse(fen: &str) -> Result<Board, FenError> {
    let mut fields = fen.split_ascii_whitespace().peekable();
    let Some(placement) = fields.next() else {
        return refuse("empty FEN");
    };
    let mut state = State::empty();
    place_pieces(&mut state, placement)?;
    match fields.next() {
        None | Some("w" | "W") => {}
        Some("b" | "B") => state.pass_turn(),
        Some(other) => return refuse(format!("side to move is '{other}', expected 'w' or 'b'")),
    }
    check_playable(&state)?;
    state.refresh_checks();
    // Where a field is left out its successor stands in its place.
    let castling = fields.next_if(|field| !is_number(field)).unwrap_or("-");
    let castling = read_castling(&state, castling);
    state.toggle_castling(castling);
    let en_passant = fields.next_if(|field| !is_number(field)).unwrap_or("-");
    let passed = Square::parse(en_passant).filter(|sq| state.may_have_passed(*sq));
    // A capture in passing belongs to a position only if it is legal.
    let is_legal = |sq: &Square| state.en_passant_captors(*sq, PerLookup).any();
    let en_passant = passed.filter(is_legal);
    state.set_en_passant(en_passant);
    state.halfmove_clock = read_counter(fields.next(), 0);
    state.fullmove_number = read_counter(fields.next(), 1).max(1);
    let board = Board::new(state).with_passed(passed);
    match board.count_moves() {
        0..=MAX_MOVES => Ok(board),
        n => refuse(format!("{n} legal moves, at most {MAX_MOVES} expected")),
    }
}

fn place_pieces(state: &mut State, placement: &str) -> Result<(), FenError> {
    let ranks: Vec<&str> = placement.split('/').collect();
    if ranks.len() != 8 {
        return refuse(format!("{} ranks, expected 8", ranks.len()));
    }
    for (text, rank) in ranks.into_iter().zip(Rank::ALL.into_iter().rev()) {
        let mut width = 0;
        for letter in text.chars() {
            if let Some(empty) = letter.to_digit(10).filter(|n| (1..=8).contains(n)) {
                width += empty as usize;
                continue;
            }
            let Some(piece) = Piece::from_letter(letter) else {
                return refuse(format!("'{}' is no piece", letter.escape_default()));
            };
            if let Some(&file) = File::ALL.get(width) {
                state.put(piece, Square::at(file, rank));
            }
            width += 1;
        }
        if width != 8 {
            let digit = rank.digit();
            return refuse(format!("rank {digit} has {width} squares, expected 8"));
        }
    }
    Ok(())
}

/// Refuses what is no position at all. Odd ones, with nine queens or many checkers, are welcome.
fn check_playable(state: &State) -> Result<(), FenError> {
    for side in Side::ALL {
        let name = name(side);
        match state.pieces(side, PieceKind::King).len() {
            0 => return refuse(format!("{name} has no king")),
            1 => {}
            n => return refuse(format!("{name} has {n} kings")),
        }
    }
    let pieces = state.occupied().len();
    if pieces > 32 {
        return refuse(format!("{pieces} pieces, at most 32 expected"));
    }
    let ends = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    if let Some(sq) = (state.kind(PieceKind::Pawn) & ends).first() {
        return refuse(format!("there is a pawn on {sq}"));
    }
    if attacks::king(state.king(Side::First)).contains(state.king(Side::Second)) {
        return refuse("the kings stand side by side");
    }
    let waiting = !state.side_to_move();
    let king = state.king(waiting);
    let attackers = state.attackers(king, state.occupied(), PerLookup);
    if attackers.meets(state.side(!waiting)) {
        let name = name(waiting);
        return refuse(format!("{name} is in check but not to move"));
    }
    Ok(())
}

/// The rooks that may castle. `K`, `Q`, `k` and `q` name the outermost rook of their wing, other
/// letters its file. Rights without their king and rook are dropped, whatever is no right, and a
/// second right on the same wing.
fn read_castling(state: &State, field: &str) -> Bitboard {
    let mut rights = Bitboard::EMPTY;
    for letter in field.chars() {
        let side = if letter.is_ascii_uppercase() {
            Side::First
        } else {
            Side::Second
        };
        let king = state.king(side);
        let rook = match letter.to_ascii_uppercase() {
            'K' => outermost_rook(state, side, Wing::King),
            'Q' => outermost_rook(state, side, Wing::Queen),
            _ => File::from_letter(letter).map(|file| Square::at(file, Rank::First.of(side))),
        };
        let wing_is_free = |rook| {
            let own = rights & Bitboard::rank(Rank::First.of(side));
            !own.into_iter()
                .any(|other| Wing::of(king, other) == Wing::of(king, rook))
        };
        if let Some(rook) = rook
            && state.may_own_right(side, rook)
            && wing_is_free(rook)
        {
            rights |= Bitboard::of(rook);
        }
    }
    rights
}

/// The outermost rook of a wing on the side's first rank, if the king stands there too.
fn outermost_rook(state: &State, side: Side, wing: Wing) -> Option<Square> {
    let king = state.king(side);
    let first_rank = Bitboard::rank(Rank::First.of(side));
    let on_wing = |&rook: &Square| Wing::of(king, rook) == wing;
    let rooks = state.pieces(side, PieceKind::Rook) & first_rank;
    let rooks: Bitboard = rooks.into_iter().filter(on_wing).collect();
    match wing {
        Wing::King => rooks.last(),
        Wing::Queen => rooks.first(),
    }
}

fn is_number(field: &str) -> bool {
    field.bytes().all(|byte| byte.is_ascii_digit())
}

/// A counter, cut to what is kept; what is no number counts as `default`.
fn read_counter(field: Option<&str>, default: u16) -> u16 {
    match field.filter(|field| is_number(field)) {
        // Only too large a number can fail now.
        Some(digits) => digits.parse().unwrap_or(MAX_COUNTER).min(MAX_COUNTER),
        None => default,
    }
}

/// Writes a FEN: Shredder-FEN where castling is written by the rook, otherwise X-FEN, which is
/// the standard FEN wherever that suffices.
pub(super) fn write(state: &State, castling: CastlingText) -> String {
    let ranks = Rank::ALL
        .into_iter()
        .rev()
        .map(|rank| write_rank(state, rank));
    let placement = ranks.collect::<Vec<_>>().join("/");
    let side = match state.side_to_move() {
        Side::First => 'w',
        Side::Second => 'b',
    };
    let rights = write_castling(state, castling);
    let en_passant = match state.en_passant() {
        Some(sq) => sq.to_string(),
        None => "-".to_owned(),
    };
    let (clock, number) = (state.halfmove_clock(), state.fullmove_number());
    format!("{placement} {side} {rights} {en_passant} {clock} {number}")
}

fn write_rank(state: &State, rank: Rank) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for file in File::ALL {
        match state.piece_on(Square::at(file, rank)) {
            None => empty += 1,
            Some(piece) => {
                if empty > 0 {
                    text += &empty.to_string();
                    empty = 0;
                }
                text.push(piece.letter());
            }
        }
    }
    if empty > 0 {
        text += &empty.to_string();
    }
    text
}

fn write_castling(state: &State, castling: CastlingText) -> String {
    let mut text = String::new();
    for side in Side::ALL {
        for wing in Wing::ALL {
            let Some(rook) = state.castling_rook(side, wing) else {
                continue;
            };
            let plain = castling == CastlingText::KingTarget
                && outermost_rook(state, side, wing) == Some(rook);
            let letter = match (plain, wing) {
                (true, Wing::King) => 'k',
                (true, Wing::Queen) => 'q',
                (false, _) => rook.file().letter(),
            };
            text.push(match side {
                Side::First => letter.to_ascii_uppercase(),
                Side::Second => letter,
            });
        }
    }
    if text.is_empty() {
        text.push('-');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The FEN as it is understood.
    fn read(fen: &str) -> Result<String, String> {
        match parse(fen) {
            Ok(board) => Ok(write(board.state(), CastlingText::KingTarget)),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn missing_and_careless_fields_are_filled_in() {
        let cases = [
            ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
            ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
            (
                " 4k3/8/8/8/8/8/8/4K3\tb  - ",
                "4k3/8/8/8/8/8/8/4K3 b - - 0 1",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - x y z",
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - -5 0",
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w 5 9", "4k3/8/8/8/8/8/8/4K3 w - - 5 9"),
            (
                "4k3/8/8/8/8/8/8/4K2R w K 5 9",
                "4k3/8/8/8/8/8/8/4K2R w K - 5 9",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 99999999999999999999 70000",
                "4k3/8/8/8/8/8/8/4K3 w - - 32767 32767",
            ),
            // Rights without king or rook.
            (
                "4k3/8/8/8/8/8/8/4K2R w KQkq - 3 9",
                "4k3/8/8/8/8/8/8/4K2R w K - 3 9",
            ),
            (
                "4k3/8/8/8/8/8/4K3/7R w K - 3 9",
                "4k3/8/8/8/8/8/4K3/7R w - - 3 9",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R w AB - 3 9",
                "4k3/8/8/8/8/8/8/4K2R w - - 3 9",
            ),
            // Castling and en passant squares that are none.
            (
                "4k3/8/8/8/8/8/8/4K2R w KXY - 3 9",
                "4k3/8/8/8/8/8/8/4K2R w K - 3 9",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w – e9 3 9",
                "4k3/8/8/8/8/8/8/4K3 w - - 3 9",
            ),
            // En passant squares that nobody can capture on, or that no pawn has passed.
            (
                "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1",
                "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1",
            ),
            (
                "4k3/8/8/8/3p4/8/8/4K3 b - e3 0 1",
                "4k3/8/8/8/3p4/8/8/4K3 b - - 0 1",
            ),
            (
                "4k3/8/8/8/3pP3/8/8/4K3 b - e4 0 1",
                "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
            ),
            (
                "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
                "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
            ),
        ];
        for (fen, expected) in cases {
            assert_eq!(read(fen), Ok(expected.to_owned()), "{fen}");
        }
    }

    #[test]
    fn castling_rights_are_read_and_written_in_every_spelling() {
        let cases = [
            ("HAha", "KQkq", "HAha"),
            ("KQkq", "KQkq", "HAha"),
            ("qK", "Kq", "Ha"),
        ];
        for (field, x_fen, shredder) in cases {
            let board = parse(&format!("r3k2r/8/8/8/8/8/8/R3K2R w {field} - 0 1")).unwrap();
            assert_eq!(
                write_castling(board.state(), CastlingText::KingTarget),
                x_fen
            );
            assert_eq!(
                write_castling(board.state(), CastlingText::KingTakesRook),
                shredder
            );
        }
        // With two rooks on the wing `K` means the outer one; the inner one needs its letter.
        let outer = parse("1k6/8/8/8/8/8/8/2K1R2R w K - 0 1").unwrap();
        assert_eq!(write_castling(outer.state(), CastlingText::KingTarget), "K");
        assert_eq!(
            write_castling(outer.state(), CastlingText::KingTakesRook),
            "H"
        );
        let inner = parse("1k6/8/8/8/8/8/8/2K1R2R w E - 0 1").unwrap();
        assert_eq!(write_castling(inner.state(), CastlingText::KingTarget), "E");
        // Only one rook of a wing can have the right.
        let both = parse("1k6/8/8/8/8/8/8/2K1R2R w EH - 0 1").unwrap();
        assert_eq!(both.state().castling_rooks(), Bitboard::of(Square::E1));
    }

    #[test]
    fn what_cannot_be_played_is_refused_with_its_reason() {
        let cases = [
            ("", "empty FEN"),
            ("8/8/8/8/8/8/8/4K3 w - - 0 1", "black has no king"),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", "white has no king"),
            ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "white has 2 kings"),
            ("4k3/8/8/8/8/8/4K3 w - - 0 1", "7 ranks, expected 8"),
            ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", "9 ranks, expected 8"),
            (
                "4k3/8/8/7/8/8/8/4K3 w - - 0 1",
                "rank 5 has 7 squares, expected 8",
            ),
            (
                "4k3/8/8/ppppppppp/8/8/8/4K3 w - - 0 1",
                "rank 5 has 9 squares, expected 8",
            ),
            (
                "4k3/8/8/88888888/8/8/8/4K3 w - - 0 1",
                "rank 5 has 64 squares, expected 8",
            ),
            ("4k3/8/8/9/8/8/8/4K3 w - - 0 1", "'9' is no piece"),
            ("4k3/8/8/x7/8/8/8/4K3 w - - 0 1", "'x' is no piece"),
            (
                "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
                "side to move is 'x', expected 'w' or 'b'",
            ),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", "there is a pawn on a8"),
            ("4k3/8/8/8/8/8/8/4K2p w - - 0 1", "there is a pawn on h1"),
            (
                "8/8/8/3kK3/8/8/8/8 w - - 0 1",
                "the kings stand side by side",
            ),
            (
                "4k3/8/8/8/8/8/8/4RK2 w - - 0 1",
                "black is in check but not to move",
            ),
            (
                "4k3/8/8/8/8/8/3p4/4K3 b - - 0 1",
                "white is in check but not to move",
            ),
            (
                "kqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/8/8/1q6/7K w - - 0 1",
                "34 pieces, at most 32 expected",
            ),
        ];
        for (fen, reason) in cases {
            assert_eq!(read(fen), Err(reason.to_owned()), "{fen}");
        }
    }

    #[test]
    fn odd_positions_are_welcome() {
        for fen in [
            // Nine queens beside eight pawns.
            "k7/8/8/8/QQQQQQQQ/Q7/PPPPPPPP/4K3 b - - 0 1",
            // Three checkers.
            "4k3/8/8/8/4r3/3n4/3p4/4K3 w - - 0 1",
        ] {
            assert_eq!(read(fen), Ok(fen.to_owned()));
        }
    }

    #[test]
    fn a_position_of_more_moves_than_a_list_holds_is_refused_and_does_no_harm() {
        let white = "QQQQQQnk/Q4Qpp/Q5QQ/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1";
        let refused = read(white).unwrap_err();
        assert!(refused.ends_with("legal moves, at most 256 expected"));
        // Where the other side has them, one move later.
        let mut board = parse(&white.replace(" w ", " b ")).unwrap();
        board.make_null();
        assert!(board.count_moves() > MAX_MOVES);
        assert_eq!(board.legal_moves().len(), MAX_MOVES);
    }
}
