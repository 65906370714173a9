//! One search for every game that implements the seam in [`crate::game`].
#![forbid(unsafe_code)]

mod limits;
mod report;
mod signals;

pub use limits::{GameClock, Limits};
pub use report::{Bound, Conclusion, Info, Reporter};
pub use signals::Signals;
