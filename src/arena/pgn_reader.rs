//! Reads games from PGN text, as far as openings and reports need them: the FEN tag, and the main
//! line with its comments.

use crate::game::{Outcome, Side};
use crate::named_file::unmarked;

/// A move of the main line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PgnMove {
    /// The line, from 1, in which it stands.
    pub line: usize,
    /// The move, as written.
    pub text: String,
    /// The comments behind it, line ends made blanks.
    pub comment: String,
}

/// A game as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// The line, from 1, in which it begins.
    pub line: usize,
    /// The FEN tag.
    pub fen: Option<String>,
    /// The main line.
    pub moves: Vec<PgnMove>,
    /// The result, by the mark at the end of the moves or else the Result tag.
    pub outcome: Option<Outcome>,
}

/// What a mark like `1-0` says; nothing of `*`.
fn outcome(mark: &str) -> Option<Outcome> {
    match mark {
        "1-0" => Some(Outcome::Win(Side::First)),
        "0-1" => Some(Outcome::Win(Side::Second)),
        "1/2-1/2" => Some(Outcome::Draw),
        _ => None,
    }
}

impl PgnGame {
    /// The moves alone.
    pub fn into_texts(self) -> Vec<String> {
        self.moves.into_iter().map(|m| m.text).collect()
    }
}

/// All games. Variations, glyphs and results are passed over.
pub fn games(text: &str) -> Vec<PgnGame> {
    let mut reader = Reader::default();
    for (i, line) in unmarked(text).lines().enumerate() {
        reader.number = i + 1;
        reader.line(line);
    }
    reader.close();
    reader.games
}

/// The move of "12.Nf3", "12...Nf6" or "12.C2.5". In xiangqi "33.4" is a move itself: of the
/// middle pawn on file 3.
fn without_number(word: &str) -> &str {
    let behind = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let text = behind.trim_start_matches('.');
    let is_number = behind.len() < word.len() && text.len() < behind.len();
    let is_move = |text: &str| !text.bytes().all(|b| b.is_ascii_digit());
    match is_number && (text.is_empty() || is_move(text)) || behind.starts_with("..") {
        true => text,
        false => word,
    }
}

#[derive(Default)]
struct Reader {
    games: Vec<PgnGame>,
    game: PgnGame,
    /// The line being read, from 1.
    number: usize,
    in_comment: bool,
    variation: usize,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let outside = !self.in_comment && self.variation == 0;
        if outside && line.starts_with('%') {
            return;
        }
        if outside && line.trim_start().starts_with('[') {
            self.tag(line.trim());
            return;
        }
        if self.game.line == 0 && !line.trim().is_empty() {
            self.game.line = self.number;
        }
        self.movetext(line);
    }

    fn tag(&mut self, line: &str) {
        if !self.game.moves.is_empty() {
            self.close();
        }
        if self.game.line == 0 {
            self.game.line = self.number;
        }
        let inner = line.trim_start_matches('[').trim_end_matches(']');
        if let Some((name, value)) = inner.split_once(char::is_whitespace) {
            let value = value.trim().trim_matches('"');
            if name.eq_ignore_ascii_case("FEN") {
                self.game.fen = Some(value.to_owned());
            } else if name.eq_ignore_ascii_case("Result") {
                self.game.outcome = outcome(value);
            }
        }
    }

    fn movetext(&mut self, line: &str) {
        let mut word = String::new();
        for c in line.chars().chain([' ']) {
            if self.in_comment {
                self.in_comment = c != '}';
                if self.in_comment {
                    self.comment(c);
                }
                continue;
            }
            match c {
                ';' => break,
                '{' => self.in_comment = true,
                '(' => self.variation += 1,
                ')' => self.variation = self.variation.saturating_sub(1),
                c if !c.is_whitespace() => {
                    word.push(c);
                    continue;
                }
                _ => {}
            }
            // A word inside a variation ends before its closing bracket counts.
            let word = std::mem::take(&mut word);
            if self.variation == 0 && c != ')' {
                self.word(&word);
            }
        }
        if self.variation == 0 && !self.in_comment {
            self.word(&word);
        }
    }

    /// A character of a comment; one inside a variation is not of the main line.
    fn comment(&mut self, c: char) {
        if let (0, Some(last)) = (self.variation, self.game.moves.last_mut()) {
            last.comment.push(c);
        }
    }

    fn word(&mut self, word: &str) {
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.game.outcome = outcome(word).or(self.game.outcome);
            self.close();
            return;
        }
        let text = without_number(word).trim_end_matches(['!', '?']);
        let is_number = text.bytes().all(|b| b.is_ascii_digit());
        if !text.is_empty() && !is_number && !text.starts_with('$') {
            self.game.moves.push(PgnMove {
                line: self.number,
                text: text.to_owned(),
                comment: String::new(),
            });
        }
    }

    fn close(&mut self) {
        let game = std::mem::take(&mut self.game);
        if game.line > 0 && (game.fen.is_some() || !game.moves.is_empty()) {
            self.games.push(game);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_main_line_counts() {
        let text = "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 {best (by\ntest) } e5 (1... c5 2. Nf3 (2. c3)) 2.Nf3!? $1 Nc6 ; 3. Bb5\n3. Bb5 1-0\n\n[Event \"b\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *\n";
        let games = games(text);
        assert_eq!(games.len(), 2);
        let texts: Vec<Vec<String>> = games.iter().map(|g| g.clone().into_texts()).collect();
        assert_eq!(texts[0], ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
        assert_eq!((games[0].line, games[0].fen.as_deref()), (1, None));
        let e4 = &games[0].moves[0];
        assert_eq!((e4.line, e4.comment.as_str()), (4, "best (by test) "));
        assert_eq!(texts[1], ["O-O"]);
        assert_eq!(games[1].line, 8);
        let results: Vec<_> = games.iter().map(|game| game.outcome).collect();
        assert_eq!(results, [Some(Outcome::Win(Side::First)), None]);
        assert_eq!(
            games[1].fen.as_deref(),
            Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        );
    }

    #[test]
    fn letters_of_xiangqi_are_no_move_numbers() {
        let text = "1.C2.5 H8+7 2. 33.4 2...C8.5 ++.4 --.4 3+.4 0-1";
        let game = games(text).remove(0);
        assert_eq!(game.outcome, Some(Outcome::Win(Side::Second)));
        let expected = ["C2.5", "H8+7", "33.4", "C8.5", "++.4", "--.4", "3+.4"];
        assert_eq!(game.into_texts(), expected);
        let tagged = games("[Result \"1/2-1/2\"]\n\n1. e4 *").remove(0);
        assert_eq!(tagged.outcome, Some(Outcome::Draw));
    }

    #[test]
    fn odd_texts_do_no_harm() {
        assert_eq!(games(""), []);
        assert_eq!(games("{ never closed\n1. e4"), []);
        assert_eq!(games(")))( 1. e4"), []);
        assert_eq!(games("% an escape\n1-0 * 1/2-1/2"), []);
        let black_first = games("1... e5 2. Nf3").remove(0);
        assert_eq!(black_first.into_texts(), ["e5", "Nf3"]);
        assert_eq!(games("[FEN \"x\"]\n")[0].fen.as_deref(), Some("x"));
    }
}
