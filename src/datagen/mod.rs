//! Self-play: games that the engine plays against itself, to learn an evaluation from.
//!
//! Every game begins with random moves (`opening.rs`), goes on with searches of about the same
//! number of nodes (`selfplay.rs`) and ends by the rules or by adjudication (`adjudicate.rs`).
//! Whole games are kept (`record.rs`), in checksummed files that only grow (`shard.rs`,
//! `shard_writer.rs`).
//!
//! Game number `k` of a seed is the same whatever the number of threads and however often the
//! generation was killed and resumed, as long as the engine is the same: `generate.rs` writes the
//! games in order of their numbers, and each of them starts from a cleared table.
#![forbid(unsafe_code)]

mod adjudicate;
mod generate;
mod opening;
mod random;
mod record;
mod selfplay;
mod shard;
mod shard_writer;
mod starts;
mod stats;

pub use generate::{DatagenError, Event, Plan, Progress, Target, generate};
pub use opening::{Opening, random_opening};
pub use random::Random;
pub use record::{Finish, GameRecord, RecordError, Scored};
pub use selfplay::{Player, Settings};
pub use shard::{GAMES_PER_SHARD, Header, Shard, ShardError, shards_in};
pub use shard_writer::ShardWriter;
pub use starts::Starts;
pub use stats::Stats;
