//! The boards and the pieces of the viewer, as SVG.
//!
//! A chess square is 100 units wide; in xiangqi, where pieces stand on points, so is the distance
//! of two points. The pieces are symbols named by their FEN letters, which the page's script puts
//! on the board. Both sets, the Chinese characters too, are drawn by strokes of our own, so that
//! they need no font.

use std::fmt::Write;

use crate::arena::config::GameKind;

/// The chess pieces.
const CHESS_PIECES: &str = include_str!("assets/chess.svg");
/// The characters of the xiangqi pieces.
const XIANGQI_PIECES: &str = include_str!("assets/xiangqi.svg");
/// Letters of the xiangqi pieces in FENs, the first side's; the other side's characters differ.
const XIANGQI_LETTERS: &str = "KABNRCP";

/// The pieces of a game: an invisible SVG of symbols.
pub fn pieces(game: GameKind) -> String {
    let symbols = match game {
        GameKind::Chess | GameKind::Chess960 => CHESS_PIECES.to_owned(),
        GameKind::Xiangqi => XIANGQI_PIECES.to_owned() + &discs(),
    };
    format!(r#"<svg width="0" height="0" aria-hidden="true">{symbols}</svg>"#)
}

/// The discs, each with its character.
fn discs() -> String {
    let mut out = String::new();
    let both = |c: char| [c, c.to_ascii_lowercase()];
    for letter in XIANGQI_LETTERS.chars().flat_map(both) {
        // Ids that differ in case alone would be one and the same to some programs.
        let (side, ink) = if letter.is_ascii_uppercase() {
            ("first", "red")
        } else {
            ("second", "ink")
        };
        let name = letter.to_ascii_lowercase();
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            out,
            r##"<symbol id="{side}-{name}" viewBox="0 0 100 100"><g class="{ink}"><circle class="disc" cx="50" cy="50" r="45"/><circle class="ring" cx="50" cy="50" r="38"/><use href="#glyph-{side}-{name}" x="22" y="22" width="56" height="56"/></g></symbol>"##
        );
    }
    out
}

/// The empty board of a game. The script turns it and puts marks and pieces into the two groups.
pub fn board(game: GameKind) -> String {
    // Pieces of xiangqi reach beyond the edge lines; the names of files and ranks stand outside.
    let (view, lines) = match game {
        GameKind::Chess | GameKind::Chess960 => ("0 0 800 800", chess()),
        GameKind::Xiangqi => ("-30 -12 945 1050", xiangqi()),
    };
    format!(
        r#"<svg id="board" class="board {game}" viewBox="{view}" role="img" aria-label="Board">{lines}<g id="marks"></g><g id="names"></g><g id="pieces"></g></svg>"#
    )
}

fn chess() -> String {
    let mut dark = String::new();
    for rank in 0..8 {
        for file in (0..8).filter(|file| (file + rank) % 2 == 1) {
            let _ = write!(dark, "M{} {}h100v100h-100z", file * 100, rank * 100);
        }
    }
    format!(r#"<rect class="light" width="800" height="800"/><path class="dark" d="{dark}"/>"#)
}

fn xiangqi() -> String {
    let point = |file: usize, rank: usize| (50 + 100 * file, 50 + 100 * rank);
    let mut lines = String::new();
    for rank in 0..10 {
        let (x, y) = point(0, rank);
        let _ = write!(lines, "M{x} {y}h800");
    }
    for file in 0..9 {
        let (x, y) = point(file, 0);
        // The river is crossed by the edges only.
        let _ = if file == 0 || file == 8 {
            write!(lines, "M{x} {y}v900")
        } else {
            write!(lines, "M{x} {y}v400m0 100v400")
        };
    }
    for palace in [0, 7] {
        let (x, y) = point(3, palace);
        let _ = write!(lines, "M{x} {y}l200 200m0 -200l-200 200");
    }
    let mut corners = String::new();
    let cannons = [1, 7].into_iter().flat_map(|file| [(file, 2), (file, 7)]);
    let pawns = (0..9).step_by(2).flat_map(|file| [(file, 3), (file, 6)]);
    for (file, rank) in cannons.chain(pawns) {
        let (x, y) = point(file, rank);
        corner_marks(&mut corners, x, y, file);
    }
    let river = "<use href=\"#river-left\" x=\"130\" y=\"458\" width=\"230\" height=\"84\"/>\
                 <use href=\"#river-right\" x=\"540\" y=\"458\" width=\"230\" height=\"84\"/>";
    format!(
        r#"<rect class="wood" x="-30" y="-12" width="945" height="1050"/><rect class="frame" x="40" y="40" width="820" height="920"/><path class="lines" d="{lines}"/><path class="corners" d="{corners}"/>{river}"#
    )
}

/// The four angles around a point where a cannon or a pawn starts; none beyond the edge.
fn corner_marks(out: &mut String, x: usize, y: usize, file: usize) {
    const GAP: i64 = 8;
    const ARM: i64 = 16;
    let (x, y) = (x as i64, y as i64);
    for (right, down) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
        if (file == 0 && right < 0) || (file == 8 && right > 0) {
            continue;
        }
        let _ = write!(
            out,
            "M{} {}v{}h{}",
            x + right * GAP,
            y + down * (GAP + ARM),
            -down * ARM,
            right * ARM
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_has_a_symbol() {
        for (game, letters) in [(GameKind::Chess, "kqrbnp"), (GameKind::Xiangqi, "kabnrcp")] {
            let svg = pieces(game);
            for letter in letters.chars() {
                for side in ["first", "second"] {
                    let id = format!("id=\"{side}-{letter}\"");
                    assert_eq!(svg.matches(&id).count(), 1, "{game} {id}");
                    if game == GameKind::Xiangqi {
                        let glyph = format!("id=\"glyph-{side}-{letter}\"");
                        assert_eq!(svg.matches(&glyph).count(), 1, "{glyph}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_river_has_no_lines_across_but_the_edges() {
        let svg = board(GameKind::Xiangqi);
        assert_eq!(svg.matches("v900").count(), 2);
        assert_eq!(svg.matches("v400m0 100v400").count(), 7);
    }
}
