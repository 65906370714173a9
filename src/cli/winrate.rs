//! `twofold winrate`: learns how often a score wins, from games of self-play.

use std::path::PathBuf;

use clap::Args;

use crate::cli::{CliError, GameName, Verdict};
use crate::datagen::{GameRecord, Shard, shards_in};
use crate::engine::winrate::Model;
use crate::engine::winrate::fit::{self, Counts, Result3};
use crate::game::{Game, GameId, Notation, Outcome, Position, Score, Side};
use crate::output::Output;
use crate::with_game;

/// What `twofold winrate` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The game.
    #[arg(long)]
    game: GameName,
    /// Say how well the present model fits, instead of writing a new one.
    #[arg(long)]
    check: bool,
    /// Folders of games that `twofold datagen` made.
    #[arg(required = true)]
    folders: Vec<PathBuf>,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    with_game!(GameId::from(arguments.game), G => learn::<G>(arguments, output))
}

fn learn<G: Game>(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let mut counts = Counts::default();
    let mut games = 0;
    for folder in &arguments.folders {
        for path in shards_in(folder)? {
            let shard = Shard::read(&path)?;
            if shard.header.game != G::ID {
                continue;
            }
            for game in &shard.games {
                count::<G>(game, &mut counts);
                games += 1;
            }
        }
    }
    let refuse = || {
        let found = counts.positions();
        CliError::Input(format!(
            "{found} positions of {} are too few, or of no use",
            G::ID
        ))
    };
    let text = match arguments.check {
        true => {
            let loss = fit::loss(&counts, &Model::of(G::ID)).ok_or_else(refuse)?;
            format!("{} positions, mean loss {loss:.5}", counts.positions())
        }
        false => {
            let fit = fit::fit(&counts).ok_or_else(refuse)?;
            fit::source(G::ID, &fit, &counts, games)
        }
    };
    output.line(&text);
    Ok(Verdict::Passed)
}

/// Counts the searched positions of a game.
fn count<G: Game>(game: &GameRecord, counts: &mut Counts) {
    let start = match &game.start {
        Some(fen) => G::Position::from_fen(fen),
        None => Ok(G::Position::start()),
    };
    let Ok(start) = start else {
        return;
    };
    let black_began = usize::from(start.side_to_move() == Side::Second);
    for (index, ply) in game.plies.iter().enumerate() {
        let played = black_began + game.random.len() + index;
        let side = if played.is_multiple_of(2) {
            Side::First
        } else {
            Side::Second
        };
        let result = match game.outcome {
            Outcome::Draw => Result3::Draw,
            Outcome::Win(winner) if winner == side => Result3::Win,
            Outcome::Win(_) => Result3::Loss,
        };
        let number = start.move_number() + played as u32 / 2;
        counts.add(number, Score(ply.score.into()), result);
    }
}
