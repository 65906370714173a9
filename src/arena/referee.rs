//! The referee's board: legality, the end of a game by its rules, and its text for both players.
//!
//! [`Referee`] hides which game is played, so that the rest of the runner exists once. Players are
//! known by [`Side`]; each has its own way to write moves, the runner has another.

use crate::game::{
    CastlingText, Ending, FenError, MoveList, MoveTextError, Notation, Outcome, RankBase, Reason,
    Side, TextStyle, Wanted,
};

/// How everybody concerned with a game writes moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Styles {
    /// The runner: openings, logs, events.
    pub own: TextStyle,
    /// The two players.
    pub players: [TextStyle; 2],
}

/// A move that was played, in every text that is wanted of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// As game records write it.
    pub record: String,
    /// As the runner writes it.
    pub own: String,
    /// As the players write it.
    pub players: [String; 2],
}

/// How well a move was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// As the protocol has it.
    Exact,
    /// In a way the protocol does not know, yet without doubt.
    Lenient,
}

/// A position as protocols transmit it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The FEN to start from.
    pub fen: String,
    /// Is it the usual array of the game?
    pub is_usual: bool,
    /// The moves from there.
    pub moves: Vec<String>,
}

/// Where a [`Setup`] starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// At the first position of the game.
    Start,
    /// After the last capture, as UCCI wants it.
    LastCapture,
}

/// A game in progress, as its referee sees it.
pub trait Referee: Send {
    /// The side to move.
    fn side_to_move(&self) -> Side;

    /// All moves so far, those of the opening included.
    fn moves(&self) -> &[Played];

    /// Plays a move of the opening or of a record, in coordinates as the runner writes them or as
    /// game records do.
    ///
    /// # Errors
    /// No move, or not a legal one.
    fn play_own(&mut self, text: &str) -> Result<(), MoveTextError>;

    /// Plays a move as the side to move wrote it, spelt no worse than `worst`.
    ///
    /// # Errors
    /// No move, or not a legal one.
    fn play(&mut self, text: &str, worst: Spelling) -> Result<Spelling, MoveTextError>;

    /// Is the text a legal move if the first rank has the other number than agreed? Then the
    /// player's dialect is set wrong.
    fn has_other_ranks(&self, text: &str) -> bool;

    /// The ending, if the rules say that the game is over.
    fn ending(&self) -> Option<Ending>;

    /// Plies since the last capture, or whatever else resets the game's move count.
    fn halfmove_clock(&self) -> u16;

    /// The present position, as the runner writes it.
    fn fen(&self) -> String;

    /// The first position of the game, or `None` if it is the usual array.
    fn start_fen(&self) -> Option<&str>;

    /// The present position as this player is told it.
    fn setup(&self, player: Side, origin: Origin) -> Setup;

    /// How many moves of a line, as this player wrote it, can be played from here.
    fn legal_prefix(&self, line: &[String], player: Side) -> usize;

    /// The moves that would lose by a rule of repetition at once, as this player writes them.
    fn banned(&self, player: Side) -> Vec<String>;
}

type Start = fn(Option<&str>, Styles) -> Result<Box<dyn Referee>, FenError>;

/// The rules of a game, from which referees come.
#[derive(Clone, Copy)]
pub struct Rules {
    start: Start,
}

impl Rules {
    /// The rules of the game with these positions.
    pub fn of<P: Notation>() -> Rules {
        Rules {
            start: |fen, styles| Ok(Box::new(Board::<P>::new(fen, styles)?)),
        }
    }

    /// A game from `fen`, or from the usual array.
    ///
    /// # Errors
    /// A position that cannot be read or played.
    pub fn start(&self, fen: Option<&str>, styles: Styles) -> Result<Box<dyn Referee>, FenError> {
        (self.start)(fen, styles)
    }
}

/// The first position of a game as everybody writes it.
struct StartTexts {
    own: String,
    players: [String; 2],
    is_usual: bool,
}

struct Board<P: Notation> {
    position: P,
    styles: Styles,
    start: StartTexts,
    moves: Vec<Played>,
    /// Where UCCI has the position begin: plies played before, and the FEN for each player.
    after_capture: Option<(usize, [String; 2])>,
}

impl<P: Notation> Board<P> {
    fn new(fen: Option<&str>, styles: Styles) -> Result<Board<P>, FenError> {
        let position = fen.map_or_else(|| Ok(P::start()), P::from_fen)?;
        let own = position.to_fen(styles.own);
        let start = StartTexts {
            is_usual: own == P::start().to_fen(styles.own),
            own,
            players: styles.players.map(|style| position.to_fen(style)),
        };
        Ok(Board {
            position,
            styles,
            start,
            moves: Vec::new(),
            after_capture: None,
        })
    }

    fn make(&mut self, m: P::Move) {
        let write = |style| self.position.write_move(m, style);
        let played = Played {
            record: self.position.write_record(m),
            own: write(self.styles.own),
            players: self.styles.players.map(write),
        };
        let captures = self.position.step(m).victim.is_some();
        self.position.make(m, &mut ());
        self.moves.push(played);
        if captures {
            let fens = self.styles.players.map(|style| self.position.to_fen(style));
            self.after_capture = Some((self.moves.len(), fens));
        }
    }

    /// Spellings that protocols do not know but cannot mean anything else.
    fn parse_lenient(&self, text: &str, style: TextStyle) -> Result<P::Move, MoveTextError> {
        let plain: String = text.chars().filter(|&c| c != '-').collect();
        let other_castling = TextStyle {
            castling: match style.castling {
                CastlingText::KingTarget => CastlingText::KingTakesRook,
                CastlingText::KingTakesRook => CastlingText::KingTarget,
            },
            ..style
        };
        let lower = plain.to_ascii_lowercase();
        self.position
            .parse_move(&lower, style)
            .or_else(|_| self.position.parse_move(&lower, other_castling))
            .or_else(|e| {
                // Where records are written in coordinates, their ranks may be the wrong ones.
                let coordinates = text.as_bytes().get(1).is_some_and(u8::is_ascii_digit);
                let record = if coordinates {
                    Err(e)
                } else {
                    self.position.parse_record(text)
                };
                record.map_err(|_| e)
            })
    }
}

impl<P: Notation> Referee for Board<P> {
    fn side_to_move(&self) -> Side {
        self.position.side_to_move()
    }

    fn moves(&self) -> &[Played] {
        &self.moves
    }

    fn play_own(&mut self, text: &str) -> Result<(), MoveTextError> {
        let m = self
            .position
            .parse_move(text, self.styles.own)
            .or_else(|_| self.parse_lenient(text, self.styles.own))?;
        self.make(m);
        Ok(())
    }

    fn play(&mut self, text: &str, worst: Spelling) -> Result<Spelling, MoveTextError> {
        let style = self.styles.players[self.side_to_move().index()];
        let (m, spelling) = match self.position.parse_move(text, style) {
            Ok(m) => (m, Spelling::Exact),
            Err(e) if worst == Spelling::Exact => return Err(e),
            Err(_) => (self.parse_lenient(text, style)?, Spelling::Lenient),
        };
        self.make(m);
        Ok(spelling)
    }

    fn has_other_ranks(&self, text: &str) -> bool {
        let style = self.styles.players[self.side_to_move().index()];
        let ranks = match style.ranks {
            RankBase::Zero => RankBase::One,
            RankBase::One => RankBase::Zero,
        };
        let other = TextStyle { ranks, ..style };
        let legal = |style| self.position.parse_move(text, style).is_ok();
        !legal(style) && legal(other)
    }

    fn ending(&self) -> Option<Ending> {
        self.position.ending()
    }

    fn halfmove_clock(&self) -> u16 {
        self.position.halfmove_clock()
    }

    fn fen(&self) -> String {
        self.position.to_fen(self.styles.own)
    }

    fn start_fen(&self) -> Option<&str> {
        (!self.start.is_usual).then_some(self.start.own.as_str())
    }

    fn setup(&self, player: Side, origin: Origin) -> Setup {
        let (skipped, fens) = match (origin, &self.after_capture) {
            (Origin::LastCapture, Some((plies, fens))) => (*plies, fens),
            _ => (0, &self.start.players),
        };
        let moves = self.moves[skipped..].iter();
        Setup {
            fen: fens[player.index()].clone(),
            is_usual: skipped == 0 && self.start.is_usual,
            moves: moves.map(|m| m.players[player.index()].clone()).collect(),
        }
    }

    fn legal_prefix(&self, line: &[String], player: Side) -> usize {
        let style = self.styles.players[player.index()];
        let mut position = self.position.clone();
        for (i, text) in line.iter().enumerate() {
            match position.parse_move(text, style) {
                Ok(m) => position.make(m, &mut ()),
                Err(_) => return i,
            }
        }
        line.len()
    }

    fn banned(&self, player: Side) -> Vec<String> {
        let style = self.styles.players[player.index()];
        let mover = self.side_to_move();
        let mut moves = MoveList::new();
        self.position.generate(Wanted::All, &mut moves);
        let loses = |m: &P::Move| {
            let mut after = self.position.clone();
            after.make(*m, &mut ());
            after.ending().is_some_and(|ending| {
                ending.outcome == Outcome::Win(!mover)
                    && matches!(
                        ending.reason,
                        Reason::PerpetualCheck | Reason::PerpetualChase
                    )
            })
        };
        moves
            .iter()
            .filter(|m| P::LEGAL_GENERATOR || self.position.is_legal(**m))
            .filter(|m| loses(m))
            .map(|m| self.position.write_move(*m, style))
            .collect()
    }
}

/// May a side with these pieces still win, so that it can win on time? Chess: it has more than a
/// king. Xiangqi: it has a piece that can cross the river. Read from the board field of a FEN.
pub fn has_attackers(fen: &str, side: Side) -> bool {
    let board = fen.split(' ').next().unwrap_or_default();
    let is_xiangqi = board.split('/').count() == 10;
    board.chars().filter(|c| c.is_ascii_alphabetic()).any(|c| {
        let owner = if c.is_ascii_uppercase() {
            Side::First
        } else {
            Side::Second
        };
        let harmless: &[char] = if is_xiangqi {
            &['k', 'a', 'b', 'e']
        } else {
            &['k']
        };
        owner == side && !harmless.contains(&c.to_ascii_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_king_wins_nothing() {
        assert!(has_attackers(
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            Side::First
        ));
        assert!(!has_attackers(
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            Side::Second
        ));
    }

    #[test]
    fn guards_win_nothing() {
        let fen = "2bak4/9/9/9/9/9/9/9/4C4/2BAKAB2 w - - 0 1";
        assert!(has_attackers(fen, Side::First));
        assert!(!has_attackers(fen, Side::Second));
    }
}
