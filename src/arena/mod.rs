//! The match runner: engines, each a process of its own, play each other; our own rules judge.
//!
//! - From results to numbers: [`stats`], [`elo`], [`sprt`], [`levels`], [`standings`], [`table`].
//! - What to play: [`config`], [`deadlines`] and [`output_config`], read by [`config_file`],
//!   [`config_set`] and [`inline`], which complain in [`plain_words`] and [`hints`]; [`schedule`]
//!   and [`swiss`]; [`openings`], and [`arrays`] where Chess960 has none.
//! - One game: [`referee`], [`adjudicate`], [`time_control`], [`outcome`], [`line_check`], [`play`].
//! - The engines: [`player`] and its [`thought`]s, made ready by [`handshake`] in one of the
//!   [`languages`], over [`client`], [`pipes`], [`mailbox`] and [`process`].
//! - What is kept, in a [`folder`] of the match's own: [`journal`], [`record`], [`events`] and the
//!   [`snapshot`] of the settings; all of it on one page: [`report`].
//! - Does an engine keep to its protocol? [`check`].
//! - All together: [`runner`] and its [`slot`]s, as many as the [`budget`] and the [`descriptors`]
//!   allow, started under a [`throttle`], shown on a [`console`].
#![deny(unsafe_code)]

pub mod adjudicate;
pub mod arrays;
pub mod budget;
pub mod check;
pub mod client;
pub mod client_ucci;
pub mod client_uci;
pub mod config;
pub mod config_file;
pub mod config_set;
pub mod console;
pub mod deadlines;
pub mod descriptors;
pub mod elo;
pub mod events;
pub mod fingerprint;
pub mod folder;
pub mod handshake;
pub mod hints;
pub mod inline;
pub mod journal;
pub mod languages;
pub mod latency;
pub mod levels;
pub mod line_check;
pub mod lines;
pub mod mailbox;
pub mod openings;
pub mod outcome;
pub mod output_config;
pub mod pgn_reader;
pub mod pipes;
pub mod plain_words;
pub mod play;
pub mod player;
pub mod process;
pub mod random;
pub mod record;
pub mod referee;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod slot;
pub mod snapshot;
pub mod sprt;
pub mod standings;
pub mod stats;
pub mod swiss;
pub mod table;
pub mod thought;
pub mod throttle;
pub mod time_control;
