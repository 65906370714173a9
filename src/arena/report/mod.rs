//! A match as one page of HTML that needs nothing else: standings, how they came about, and every
//! game on a board.
//!
//! [`run`] reads and checks the files of a match, [`thoughts`] what is said behind each move,
//! [`replay`] plays the games through for the viewer; [`tracks`] follows the statistics from game
//! to game, [`charts`] draws them, [`boards`] draws the board and its pieces, [`tables`] writes
//! the tables, [`page`] puts all together.
//!
//! The page loads nothing from anywhere. Its script knows no rules of any game: it is told which
//! squares every move changes.

pub mod boards;
pub mod charts;
pub mod page;
pub mod replay;
pub mod run;
pub mod tables;
pub mod thoughts;
pub mod tracks;

pub use page::page;
pub use run::{ReportError, Run};
