//! What a match writes, and how: records, events, conversations, and the text on the terminal.

use std::path::PathBuf;

use clap::ValueEnum;
use regex_lite::Regex;
use serde::{Deserialize, Serialize};

use crate::arena::config::GameKind;

/// Of which games the conversations with the engines are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wire {
    /// Of those that an engine failed, in `failures`.
    #[default]
    Failures,
    /// Of all, the others in `wire`.
    All,
    /// Of none.
    Off,
}

/// How records write moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum RecordNotation {
    /// Chess: `Nf3`. The default there.
    San,
    /// Chess: `Ng1-f3`.
    Lan,
    /// As engines write them: `g1f3`.
    Uci,
    /// Xiangqi: `H2-E2`. The default there.
    Iccs,
    /// Xiangqi: `C2=5`.
    Wxf,
}

impl RecordNotation {
    fn fits(self, game: GameKind) -> bool {
        let is_xiangqi = game == GameKind::Xiangqi;
        match self {
            RecordNotation::San | RecordNotation::Lan => !is_xiangqi,
            RecordNotation::Iccs | RecordNotation::Wxf => is_xiangqi,
            RecordNotation::Uci => true,
        }
    }
}

/// What mates are counted in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum MateUnit {
    /// Both sides' moves, as the other runners count: `+M5` is mate in three.
    #[default]
    Plies,
    /// The winner's moves: `+M3`.
    Moves,
}

/// The text on the terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// For people: a line for each game, the score, and blocks of standings.
    #[default]
    Human,
    /// The lines that programs know how to read from fastchess.
    Fastchess,
    /// The lines that programs know how to read from cutechess-cli.
    Cutechess,
    /// The event stream, and nothing else.
    Json,
}

/// Files a match writes; relative paths lie in the match's own directory.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Output {
    /// The games.
    pub pgn: Option<PathBuf>,
    /// One JSON object a line for each event; `-`: on the terminal.
    pub events: Option<PathBuf>,
    /// The text on the terminal.
    pub format: Format,
    /// Games between two prints of the standings.
    pub rating_interval: u64,
    /// Games between two prints of the bare score, of a match of two; 0: none.
    pub score_interval: u64,
    /// Which games' conversations with the engines are kept.
    pub wire: Wire,
    /// Moves and tags only, without comments.
    pub min: bool,
    /// How records write moves; `None`: as usual in the game.
    pub notation: Option<RecordNotation>,
    /// What mates are counted in.
    pub mate_unit: MateUnit,
    /// The last of an engine's `info` lines for a move that fits this regular expression stands in
    /// the move's comment.
    pub match_line: Option<String>,
    /// Are games that were broken off written, with the result `*`?
    pub unfinished: bool,
}

impl Default for Output {
    fn default() -> Output {
        Output {
            pgn: Some(PathBuf::from("games.pgn")),
            events: None,
            format: Format::Human,
            rating_interval: 10,
            score_interval: 1,
            wire: Wire::Failures,
            min: false,
            notation: None,
            mate_unit: MateUnit::Plies,
            match_line: None,
            unfinished: false,
        }
    }
}

impl Output {
    /// How records of this game write moves.
    pub fn notation(&self, game: GameKind) -> RecordNotation {
        self.notation.unwrap_or(match game {
            GameKind::Xiangqi => RecordNotation::Iccs,
            GameKind::Chess | GameKind::Chess960 => RecordNotation::San,
        })
    }

    /// The expression of [`Output::match_line`].
    ///
    /// # Errors
    /// It is none.
    pub fn line_filter(&self) -> Result<Option<Regex>, String> {
        let filter = self.match_line.as_deref().map(Regex::new).transpose();
        filter.map_err(|e| format!("match_line: {e}"))
    }

    /// Checks what the types cannot.
    ///
    /// # Errors
    /// In one line for the user.
    pub fn check(&self, game: GameKind) -> Result<(), String> {
        self.line_filter()?;
        match self.notation {
            Some(notation) if !notation.fits(game) => {
                let known = match game {
                    GameKind::Xiangqi => "iccs, wxf and uci",
                    GameKind::Chess | GameKind::Chess960 => "san, lan and uci",
                };
                Err(format!("notations of {game} are {known}"))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_belong_to_games() {
        let with = |notation| Output {
            notation,
            ..Output::default()
        };
        let lan = with(Some(RecordNotation::Lan));
        assert_eq!(lan.check(GameKind::Chess960), Ok(()));
        let error = lan.check(GameKind::Xiangqi).unwrap_err();
        assert_eq!(error, "notations of xiangqi are iccs, wxf and uci");
        assert!(
            with(Some(RecordNotation::Wxf))
                .check(GameKind::Chess)
                .is_err()
        );
        let usual = with(None);
        assert_eq!(usual.notation(GameKind::Xiangqi), RecordNotation::Iccs);
        assert_eq!(usual.notation(GameKind::Chess), RecordNotation::San);
    }

    #[test]
    fn bad_expressions_are_refused() {
        let with = |text: &str| Output {
            match_line: Some(text.to_owned()),
            ..Output::default()
        };
        let filter = with("^info string wdl").line_filter().unwrap().unwrap();
        assert!(filter.is_match("info string wdl 1 2 3"));
        let error = with("(").check(GameKind::Chess).unwrap_err();
        assert!(error.starts_with("match_line: "), "{error}");
    }
}
