//! Reads games from PGN text, as far as openings need them: the FEN tag and the main line.

/// A game as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// The line, from 1, in which it begins.
    pub line: usize,
    /// The FEN tag.
    pub fen: Option<String>,
    /// The moves of the main line, as written.
    pub moves: Vec<String>,
}

/// All games. Comments, variations, glyphs and results are passed over.
pub fn games(text: &str) -> Vec<PgnGame> {
    let mut reader = Reader::default();
    for (i, line) in text.lines().enumerate() {
        reader.line(i + 1, line);
    }
    reader.close();
    reader.games
}

#[derive(Default)]
struct Reader {
    games: Vec<PgnGame>,
    game: PgnGame,
    in_comment: bool,
    variation: usize,
}

impl Reader {
    fn line(&mut self, number: usize, line: &str) {
        let outside = !self.in_comment && self.variation == 0;
        if outside && line.starts_with('%') {
            return;
        }
        if outside && line.trim_start().starts_with('[') {
            self.tag(number, line.trim());
            return;
        }
        if self.game.line == 0 && !line.trim().is_empty() {
            self.game.line = number;
        }
        self.movetext(line);
    }

    fn tag(&mut self, number: usize, line: &str) {
        if !self.game.moves.is_empty() {
            self.close();
        }
        if self.game.line == 0 {
            self.game.line = number;
        }
        let inner = line.trim_start_matches('[').trim_end_matches(']');
        if let Some((name, value)) = inner.split_once(char::is_whitespace)
            && name.eq_ignore_ascii_case("FEN")
        {
            self.game.fen = Some(value.trim().trim_matches('"').to_owned());
        }
    }

    fn movetext(&mut self, line: &str) {
        let mut word = String::new();
        for c in line.chars().chain([' ']) {
            if self.in_comment {
                self.in_comment = c != '}';
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

    fn word(&mut self, word: &str) {
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            self.close();
            return;
        }
        // "12.Nf3" and "12...Nf6" have a move behind the number.
        let text = match word.rfind('.') {
            Some(dot) if word[..dot].bytes().all(|b| b.is_ascii_digit() || b == b'.') => {
                &word[dot + 1..]
            }
            _ => word,
        };
        let text = text.trim_end_matches(['!', '?']);
        let is_number = text.bytes().all(|b| b.is_ascii_digit());
        if !text.is_empty() && !is_number && !text.starts_with('$') {
            self.game.moves.push(text.to_owned());
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
        assert_eq!(games[0].moves, ["e4", "e5", "Nf3", "Nc6", "Bb5"]);
        assert_eq!((games[0].line, games[0].fen.as_deref()), (1, None));
        assert_eq!(games[1].moves, ["O-O"]);
        assert_eq!(games[1].line, 8);
        assert_eq!(
            games[1].fen.as_deref(),
            Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        );
    }

    #[test]
    fn odd_texts_do_no_harm() {
        assert_eq!(games(""), []);
        assert_eq!(games("{ never closed\n1. e4"), []);
        assert_eq!(games(")))( 1. e4"), []);
        assert_eq!(games("% an escape\n1-0 * 1/2-1/2"), []);
        assert_eq!(games("1... e5 2. Nf3")[0].moves, ["e5", "Nf3"]);
        assert_eq!(games("[FEN \"x\"]\n")[0].fen.as_deref(), Some("x"));
    }
}
