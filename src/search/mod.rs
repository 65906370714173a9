//! One search for every game that implements the seam in [`crate::game`].
//!
//! The way of a search: [`Searcher::search`] readies the threads (`searcher.rs`), each deepens
//! iteratively (`deepen.rs`), every node is the list of steps at the head of `node.rs`, pruned
//! by `prune.rs`, its moves ordered by `picker.rs` and `histories.rs`, extended by `extend.rs`,
//! reduced by `reduce.rs`, and resolved beyond the horizon by `quiescence.rs`; `learn.rs` is what
//! it teaches the histories and `correction.rs`. `memory.rs` makes the table's memory faster. All numbers are in `params.rs`. Scores, their bands and what a bound means: [`crate::game::Score`].
#![deny(unsafe_code)] // memory.rs alone needs it.

mod clock;
mod correction;
mod deepen;
mod extend;
mod frame;
mod histories;
mod learn;
mod limits;
mod memory;
mod node;
mod params;
mod picker;
mod priority;
mod prune;
mod quiescence;
mod reduce;
mod report;
mod root;
mod searcher;
mod signals;
mod table;
mod tables;
mod voice;
mod window;
mod worker;

pub use clock::planned_time;
pub use histories::Histories;
pub use limits::{GameClock, Limits};
#[cfg(feature = "tune")]
pub use params::check_given;
pub use report::{Bound, Conclusion, Info, Reporter};
pub use searcher::{STACK_BYTES, Searcher};
pub use signals::Signals;
pub use table::{Hit, Table, TableError};
pub use tables::Probing;
pub use worker::MoveOf;
