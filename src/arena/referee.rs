//! The referee's board: legality, the end of a game by its rules, and its text for both players.
//!
//! [`Referee`] hides which game is played, so that the rest of the runner exists once. Players are
//! known by [`Side`]; each has its own way to write moves, the runner has another.

use crate::game::{
    CastlingText, Ending, FenError, MoveList, MoveTextError, Notation, Outcome, RankBase, Reason,
    Rules as Law, Side, TextStyle, Wanted,
};

/// How everybody concerned with a game writes moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Styles {
    /// The runner: openings, logs, events.
    pub own: TextStyle,
    /// The two players.
    pub players: [TextStyle; 2],
    /// Do records name the piece that moves where they would otherwise have coordinates?
    pub by_piece: bool,
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

    /// The moves of a line that this player wrote, as far as they can be played from here, as the
    /// runner writes them.
    fn read_line(&self, line: &[String], player: Side) -> Vec<String>;

    /// The plies of a line of this player after which the game is over by its rules, and how; only
    /// of the moves that can be played.
    fn end_of_line(&self, line: &[String], player: Side) -> Option<(usize, Ending)>;

    /// The moves that would lose by a rule of repetition at once, as this player writes them.
    fn banned(&self, player: Side) -> Vec<String>;
}

type Start = fn(Option<&str>, Styles, &Law) -> Result<Box<dyn Referee>, FenError>;

/// The rules of a game, from which referees come.
#[derive(Clone, Copy)]
pub struct Rules {
    start: Start,
    law: Law,
}

impl Rules {
    /// The rules of the game with these positions.
    pub fn of<P: Notation>() -> Rules {
        Rules {
            start: |fen, styles, law| Ok(Box::new(Board::<P>::new(fen, styles, law)?)),
            law: Law::default(),
        }
    }

    /// The same game by these of the rules that may be chosen.
    pub fn by(self, law: Law) -> Rules {
        Rules { law, ..self }
    }

    /// A game from `fen`, or from the usual array.
    ///
    /// # Errors
    /// A position that cannot be read or played.
    pub fn start(&self, fen: Option<&str>, styles: Styles) -> Result<Box<dyn Referee>, FenError> {
        (self.start)(fen, styles, &self.law)
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
    fn new(fen: Option<&str>, styles: Styles, law: &Law) -> Result<Board<P>, FenError> {
        let mut position = fen.map_or_else(|| Ok(P::start()), P::from_fen)?;
        position.set_rules(law);
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
            record: if self.styles.by_piece {
                self.position.write_by_piece(m)
            } else {
                self.position.write_record(m)
            },
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

    /// A move as game records write it, that names its piece: `N4c6`, `B4c6`. Coordinates, which
    /// it might be taken for, are written in one case.
    fn parse_named(&self, text: &str) -> Option<P::Move> {
        let names_piece = text.starts_with(['N', 'B', 'R', 'Q', 'K'])
            && text.contains(|c: char| c.is_ascii_lowercase());
        names_piece.then(|| self.position.parse_record(text).ok())?
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
        if let Some(m) = self.parse_named(text) {
            return Ok(m);
        }
        self.position
            .parse_move(&lower, style)
            .or_else(|_| self.position.parse_move(&lower, other_castling))
            .or_else(|e| {
                // Where records are written in coordinates, their ranks may be the wrong ones.
                let is_digit = |i: usize| text.as_bytes().get(i).is_some_and(u8::is_ascii_digit);
                let coordinates = is_digit(1) && (is_digit(2) || is_digit(3));
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
        let m = match self.parse_named(text) {
            Some(m) => m,
            None => self
                .position
                .parse_move(text, self.styles.own)
                .or_else(|_| self.parse_lenient(text, self.styles.own))?,
        };
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

    fn read_line(&self, line: &[String], player: Side) -> Vec<String> {
        let style = self.styles.players[player.index()];
        let mut position = self.position.clone();
        let mut read = Vec::with_capacity(line.len());
        for text in line {
            let Ok(m) = position.parse_move(text, style) else {
                break;
            };
            read.push(position.write_move(m, self.styles.own));
            position.make(m, &mut ());
        }
        read
    }

    fn end_of_line(&self, line: &[String], player: Side) -> Option<(usize, Ending)> {
        let style = self.styles.players[player.index()];
        let mut position = self.position.clone();
        for (ply, text) in line.iter().enumerate() {
            let m = position.parse_move(text, style).ok()?;
            position.make(m, &mut ());
            if let Some(ending) = position.ending() {
                return Some((ply + 1, ending));
            }
        }
        None
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

    type ChessBoard = <crate::games::Chess as crate::game::Game>::Position;
    type XiangqiBoard = <crate::games::Xiangqi as crate::game::Game>::Position;

    fn chess(fen: Option<&str>) -> Box<dyn Referee> {
        Rules::of::<ChessBoard>()
            .start(fen, Styles::default())
            .unwrap()
    }

    /// Xiangqi between a player that counts ranks from 0 and one that counts from 1.
    fn xiangqi(fen: Option<&str>) -> Box<dyn Referee> {
        let mut styles = Styles::default();
        styles.players[1].ranks = RankBase::One;
        Rules::of::<XiangqiBoard>().start(fen, styles).unwrap()
    }

    #[test]
    fn chess_moves_are_recorded_in_san_and_read_in_odd_spellings() {
        let mut game = chess(None);
        for text in ["e4", "E7-E5", "Nf3", "b8c6", "f1b5", "g8f6", "O-O"] {
            let spelling = game.play(text, Spelling::Lenient).unwrap();
            let exact = text.len() == 4 && text == text.to_ascii_lowercase();
            assert_eq!(spelling == Spelling::Exact, exact, "{text}");
        }
        let records: Vec<&str> = game.moves().iter().map(|m| m.record.as_str()).collect();
        assert_eq!(records, ["e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "O-O"]);
        assert_eq!(game.moves()[6].own, "e1g1");
        for text in ["e1g1", "Nf9", "", "0000", "a7a5a", "\u{e9}2e4", "-"] {
            assert!(game.play(text, Spelling::Lenient).is_err(), "{text}");
        }
        assert!(game.play("Nxe4", Spelling::Exact).is_err());
    }

    #[test]
    fn a_piece_and_its_rank_are_no_coordinates() {
        let knights = "1n5k/8/8/8/1n6/8/8/7K b - - 0 1";
        // Of the knight, `b4c6` would be the move.
        let bishops = "4B2k/8/8/8/1N2B3/8/8/7K w - - 0 1";
        for (fen, text) in [
            (knights, "N4c6"),
            (knights, "N8c6"),
            (bishops, "B4c6"),
            (bishops, "B8c6"),
        ] {
            let mut game = chess(Some(fen));
            game.play_own(text).unwrap();
            assert_eq!(game.moves()[0].record, text);
        }
    }

    #[test]
    fn the_start_position_is_known_by_its_contents() {
        let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(chess(Some(usual)).start_fen(), None);
        assert!(
            chess(Some(usual))
                .setup(Side::First, Origin::Start)
                .is_usual
        );
        let other = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(chess(Some(other)).start_fen(), Some(other));
        let bad = Rules::of::<ChessBoard>().start(Some("8/8"), Styles::default());
        assert!(bad.is_err());
    }

    #[test]
    fn each_xiangqi_player_has_its_own_ranks() {
        let mut game = xiangqi(None);
        game.play("h2e2", Spelling::Exact).unwrap();
        assert!(game.has_other_ranks("h9g7"));
        assert!(
            game.play("h9g7", Spelling::Lenient).is_err(),
            "no silent guess"
        );
        game.play("h10g8", Spelling::Exact).unwrap();
        assert_eq!(
            game.setup(Side::First, Origin::Start).moves,
            ["h2e2", "h9g7"]
        );
        assert_eq!(
            game.setup(Side::Second, Origin::Start).moves,
            ["h3e3", "h10g8"]
        );
        let line = ["h1g3".to_owned(), "b10c8".to_owned(), "e1e9".to_owned()];
        assert_eq!(game.read_line(&line, Side::Second), ["h0g2", "b9c7"]);
    }

    #[test]
    fn records_may_name_the_piece_and_are_read_back() {
        let rules = Rules::of::<XiangqiBoard>();
        let styles = Styles {
            by_piece: true,
            ..Styles::default()
        };
        let mut game = rules.start(None, styles).unwrap();
        for text in ["h2e2", "h9g7", "h0g2"] {
            game.play(text, Spelling::Exact).unwrap();
        }
        let records: Vec<String> = game.moves().iter().map(|m| m.record.clone()).collect();
        assert_eq!(records, ["C2=5", "H8+7", "H2+3"]);
        let mut read = rules.start(None, Styles::default()).unwrap();
        for text in &records {
            read.play_own(text).unwrap();
        }
        assert_eq!(read.fen(), game.fen());
    }

    #[test]
    fn ucci_positions_begin_after_the_last_capture() {
        let mut game = xiangqi(None);
        for text in ["h2e2", "h10g8", "e2e6"] {
            game.play(text, Spelling::Exact).unwrap();
        }
        let setup = game.setup(Side::Second, Origin::LastCapture);
        assert!(!setup.is_usual && setup.moves.is_empty());
        assert!(
            setup.fen.starts_with("rnbakab1r/9/1c4nc1/p1p1C1p1p/"),
            "{}",
            setup.fen
        );
        game.play("b10a8", Spelling::Exact).unwrap();
        let setup = game.setup(Side::First, Origin::LastCapture);
        assert_eq!(setup.moves, ["b9a7"]);
    }

    #[test]
    fn games_end_by_the_rules() {
        let mut game = chess(None);
        for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            assert_eq!(game.ending(), None);
            game.play(text, Spelling::Exact).unwrap();
        }
        let mate = Ending {
            outcome: Outcome::Win(Side::Second),
            reason: Reason::Checkmate,
        };
        assert_eq!(game.ending(), Some(mate));
        let mut game = chess(None);
        for _ in 0..2 {
            for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
                assert_eq!(game.ending(), None);
                game.play(text, Spelling::Exact).unwrap();
            }
        }
        assert_eq!(game.ending().map(|e| e.reason), Some(Reason::Repetition));
        // Stalemate loses in xiangqi.
        let game = xiangqi(Some("3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1"));
        let stuck = game.ending();
        assert_eq!(
            stuck.map(|e| e.outcome),
            Some(Outcome::Win(Side::First)),
            "{stuck:?}"
        );
    }

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
