//! Opening books: Polyglot's for chess, XQBase's `BOOK.DAT` for xiangqi.
//!
//! Both formats are a sorted array of entries of one size, each a hash of a position, a move and a
//! weight: [`table`] searches it and refuses what is none. [`polyglot`] and [`xqbase`] know the
//! hashes and the moves, [`build`] makes books from games.
#![forbid(unsafe_code)]

mod build;
mod polyglot;
mod polyglot_keys;
mod table;
mod xqbase;

pub use build::{Builder, Plan};
pub use polyglot::{PolyglotBook, polyglot_key};
pub use table::{Entry, Format};
pub use xqbase::{XqbaseBook, xqbase_lock};
