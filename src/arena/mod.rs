//! The match runner: engines, each a process of its own, play each other; our own rules judge.
//!
//! From results to numbers: [`stats`], [`elo`], [`sprt`], [`levels`]. What to play: [`config`],
//! read by [`config_file`] and [`inline`]; [`schedule`] and [`swiss`]; [`openings`]. One game:
//! [`referee`], [`adjudicate`], [`outcome`]. What is kept: [`journal`] and [`record`].
#![deny(unsafe_code)]

pub mod adjudicate;
pub mod config;
pub mod config_file;
pub mod elo;
pub mod inline;
pub mod journal;
pub mod levels;
pub mod openings;
pub mod outcome;
pub mod pgn_reader;
pub mod random;
pub mod record;
pub mod referee;
pub mod schedule;
pub mod sprt;
pub mod stats;
pub mod swiss;
pub mod time_control;
