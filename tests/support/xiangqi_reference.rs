//! Xiangqi a second time, as slow and plain as can be: a judge for the real generator.
//!
//! A flat array of letters, scans square by square, every piece's moves spelled out from the
//! rule book, and legality by trying all replies for one that takes the king. It shares no code
//! and no idea of data structure with the library.

// Each test file uses its own part, and a helper may fail the test that called it.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

/// A move as (from file, from rank, to file, to rank).
pub type PlainMove = (i32, i32, i32, i32);

/// Ten ranks of nine letters, `.` for an empty point; index 0 is Red's back rank.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlainBoard {
    points: [[char; 9]; 10],
    red_to_move: bool,
}

impl PlainBoard {
    pub fn from_fen(fen: &str) -> PlainBoard {
        let mut points = [['.'; 9]; 10];
        let mut fields = fen.split(' ');
        for (row, text) in fields.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in text.chars() {
                match letter.to_digit(10) {
                    Some(gap) => file += gap as usize,
                    None => {
                        points[9 - row][file] = letter;
                        file += 1;
                    }
                }
            }
            assert_eq!(file, 9);
        }
        PlainBoard {
            points,
            red_to_move: fields.next() != Some("b"),
        }
    }

    /// Placement and side of the FEN.
    pub fn fen_head(&self) -> String {
        let mut text = String::new();
        for rank in (0..10).rev() {
            for file in 0..9 {
                text.push(match self.points[rank][file] {
                    '.' => '1',
                    letter => letter,
                });
            }
            if rank > 0 {
                text.push('/');
            }
        }
        for gap in (2..=9).rev() {
            text = text.replace(&"1".repeat(gap), &gap.to_string());
        }
        text + if self.red_to_move { " w" } else { " b" }
    }

    pub fn play(&mut self, (file, rank, to_file, to_rank): PlainMove) {
        let piece = self.points[rank as usize][file as usize];
        self.points[rank as usize][file as usize] = '.';
        self.points[to_rank as usize][to_file as usize] = piece;
        self.red_to_move = !self.red_to_move;
    }

    /// All moves after which no reply takes the king.
    pub fn legal_moves(&self) -> Vec<PlainMove> {
        let mut moves = self.all_moves();
        moves.retain(|&m| {
            let mut after = self.clone();
            after.play(m);
            !after.can_take_king()
        });
        moves
    }

    pub fn is_check(&self) -> bool {
        let mut passed = self.clone();
        passed.red_to_move = !passed.red_to_move;
        passed.can_take_king()
    }

    fn can_take_king(&self) -> bool {
        self.all_moves()
            .iter()
            .any(|&(_, _, file, rank)| matches!(self.at(file, rank), Some('K' | 'k')))
    }

    /// Where the pieces of a side stand that reach a point, with their letters.
    pub fn attackers(&self, red: bool, file: i32, rank: i32) -> Vec<(char, i32, i32)> {
        let mut found = Vec::new();
        for r in 0..10 {
            for f in 0..9 {
                let piece = self.points[r as usize][f as usize];
                if piece != '.'
                    && piece.is_uppercase() == red
                    && self.targets(piece, f, r).contains(&(file, rank))
                {
                    found.push((piece, f, r));
                }
            }
        }
        found
    }

    pub fn at(&self, file: i32, rank: i32) -> Option<char> {
        let row = self.points.get(usize::try_from(rank).ok()?)?;
        row.get(usize::try_from(file).ok()?).copied()
    }

    fn all_moves(&self) -> Vec<PlainMove> {
        let mut moves = Vec::new();
        for rank in 0..10 {
            for file in 0..9 {
                let piece = self.points[rank as usize][file as usize];
                if piece != '.' && piece.is_uppercase() == self.red_to_move {
                    for (to_file, to_rank) in self.targets(piece, file, rank) {
                        let target = self.at(to_file, to_rank).unwrap();
                        if target == '.' || target.is_uppercase() != self.red_to_move {
                            moves.push((file, rank, to_file, to_rank));
                        }
                    }
                }
            }
        }
        moves
    }

    /// Points of the board that a piece reaches, own men not yet excluded.
    fn targets(&self, piece: char, file: i32, rank: i32) -> Vec<(i32, i32)> {
        let red = piece.is_uppercase();
        let in_palace = |f: i32, r: i32| {
            (3..=5).contains(&f)
                && if red {
                    (0..=2).contains(&r)
                } else {
                    (7..=9).contains(&r)
                }
        };
        let at_home = |r: i32| if red { r <= 4 } else { r >= 5 };
        let up = if red { 1 } else { -1 };
        let mut found = Vec::new();
        match piece.to_ascii_uppercase() {
            'K' => {
                for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
                    if in_palace(file + df, rank + dr) {
                        found.push((file + df, rank + dr));
                    }
                }
                // The flying general takes the other one down an open file.
                let mut r = rank + up;
                while let Some(seen) = self.at(file, r) {
                    if seen != '.' {
                        if seen.eq_ignore_ascii_case(&'k') {
                            found.push((file, r));
                        }
                        break;
                    }
                    r += up;
                }
            }
            'A' => {
                for (df, dr) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    if in_palace(file + df, rank + dr) {
                        found.push((file + df, rank + dr));
                    }
                }
            }
            'B' => {
                for (df, dr) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    if self.at(file + df, rank + dr) == Some('.') && at_home(rank + 2 * dr) {
                        found.push((file + 2 * df, rank + 2 * dr));
                    }
                }
            }
            'N' => {
                for (df, dr) in [
                    (1, 2),
                    (-1, 2),
                    (1, -2),
                    (-1, -2),
                    (2, 1),
                    (2, -1),
                    (-2, 1),
                    (-2, -1),
                ] {
                    // Halving rounds the short side to zero: what is left is the leg.
                    if self.at(file + df / 2, rank + dr / 2) == Some('.') {
                        found.push((file + df, rank + dr));
                    }
                }
            }
            'R' | 'C' => self.slide(piece, file, rank, &mut found),
            'P' => {
                found.push((file, rank + up));
                if !at_home(rank) {
                    found.push((file + 1, rank));
                    found.push((file - 1, rank));
                }
            }
            other => panic!("no such piece {other}"),
        }
        found.retain(|&(f, r)| self.at(f, r).is_some());
        found
    }

    fn slide(&self, piece: char, file: i32, rank: i32, found: &mut Vec<(i32, i32)>) {
        let hits_at = if piece.eq_ignore_ascii_case(&'r') {
            1
        } else {
            2
        };
        for (df, dr) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            let (mut f, mut r, mut met) = (file + df, rank + dr, 0);
            while let Some(seen) = self.at(f, r) {
                if seen == '.' {
                    if met == 0 {
                        found.push((f, r));
                    }
                } else {
                    met += 1;
                    if met == hits_at {
                        found.push((f, r));
                    }
                }
                f += df;
                r += dr;
            }
        }
    }
}
