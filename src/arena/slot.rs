//! A slot of a match: a thread that plays one game after another with engines of its own.
//!
//! A slot keeps the two engines of its last game; the operating system ties the life of an engine
//! to the thread that started it, so all is done in this one.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::arena::config::{MatchConfig, Wire};
use crate::arena::handshake;
use crate::arena::openings::Openings;
use crate::arena::outcome::{Finish, Termination};
use crate::arena::play::{self, GameReport, Setting};
use crate::arena::player::{Failure, Player, Surroundings};
use crate::arena::schedule::Job;
use crate::arena::throttle::Throttle;

/// The folder of what was said in games that an engine failed.
pub const FAILURES: &str = "failures";
/// The same of the other games, if they are kept.
pub const CONVERSATIONS: &str = "wire";

/// How often an engine that does not start is tried, and the pause after the first attempt, which
/// doubles from one to the next.
const ATTEMPTS: u32 = 3;
const BACKOFF: Duration = Duration::from_millis(500);

/// What a slot tells the runner.
#[derive(Debug)]
pub enum Told {
    /// It is ready for a game; `usize` names the slot.
    Ready(usize),
    /// A game is over, or void.
    Played(Box<GameReport>),
    /// An engine, by index, failed before it was asked for a move; its game is void.
    Lost(Job, usize, String),
    /// An engine, by index, cannot be started for this game.
    Unstartable(Job, usize, String),
}

/// Everything a slot works with.
pub struct Slot<'a> {
    /// Its number.
    pub number: usize,
    /// What all games share.
    pub setting: Setting<'a>,
    /// The openings.
    pub openings: &'a Openings,
    /// Where all slots' engines pass when they start.
    pub starts: &'a Throttle,
    /// What all its engines share.
    pub surroundings: Surroundings,
    /// The match's own directory.
    pub dir: &'a Path,
}

struct Seat {
    engine: usize,
    player: Player,
}

impl Slot<'_> {
    /// Plays the games that come, until none comes any more.
    pub fn run(&self, jobs: &Receiver<Job>, tell: &Sender<Told>) {
        let mut seats: Vec<Seat> = Vec::new();
        // A runner that has gone needs no words.
        let _ = tell.send(Told::Ready(self.number));
        while let Ok(job) = jobs.recv() {
            if tell.send(self.play(job, &mut seats)).is_err() {
                break;
            }
            self.rest();
            let _ = tell.send(Told::Ready(self.number));
        }
        dismiss(seats);
    }

    fn play(&self, job: Job, seats: &mut Vec<Seat>) -> Told {
        let wanted = [job.first, job.second];
        let (keep, go): (Vec<Seat>, Vec<Seat>) = std::mem::take(seats)
            .into_iter()
            .partition(|seat| wanted.contains(&seat.engine) && !seat.player.wants_restart());
        dismiss(go);
        *seats = keep;
        for engine in wanted {
            if let Err(told) = self.seat(job, engine, seats) {
                return told;
            }
        }
        seats.sort_by_key(|seat| seat.engine != job.first);
        let [one, other] = &mut seats[..] else {
            return Told::Played(Box::new(self.void(job)));
        };
        let (number, opening) = self.openings.pick(job.opening);
        let players = [&mut one.player, &mut other.player];
        let report = play::play(self.setting, job, (number, &opening), players);
        let dir = self.dir.join(if report.failed.is_some() {
            FAILURES
        } else {
            CONVERSATIONS
        });
        let is_kept = match self.setting.config.output.wire {
            Wire::All => true,
            Wire::Failures => report.failed.is_some(),
            Wire::Off => false,
        };
        if is_kept {
            save_conversation(&dir, &report, seats);
        }
        // Whatever else it did, an engine that makes an illegal move is in order as a process.
        if let (Some(side), false) = (
            report.failed,
            report.finish.termination == Termination::IllegalMove,
        ) {
            dismiss(vec![seats.remove(side.index())]);
        }
        Told::Played(Box::new(report))
    }

    /// The pause between games, unless the match is broken off.
    fn rest(&self) {
        let begin = Instant::now();
        while begin.elapsed() < self.setting.config.wait
            && !self.surroundings.abort.load(Ordering::Relaxed)
        {
            thread::sleep(self.setting.config.wait.min(Duration::from_millis(50)));
        }
    }

    fn void(&self, job: Job) -> GameReport {
        play::unplayable(job, 0, "no two engines")
    }

    /// Brings an engine to the board, ready for a new game.
    fn seat(&self, job: Job, engine: usize, seats: &mut Vec<Seat>) -> Result<(), Told> {
        if let Some(place) = seats.iter().position(|seat| seat.engine == engine) {
            seats[place].player.forget();
            match seats[place].player.new_game() {
                Ok(()) => return Ok(()),
                Err(Failure::Interrupted) => return Err(self.interrupted(job)),
                Err(failure) => {
                    dismiss(vec![seats.remove(place)]);
                    return Err(Told::Lost(job, engine, failure.to_string()));
                }
            }
        }
        match self.start(engine) {
            Ok(player) => {
                seats.push(Seat { engine, player });
                Ok(())
            }
            Err(Failure::Interrupted) => Err(self.interrupted(job)),
            Err(failure) => Err(Told::Unstartable(job, engine, failure.to_string())),
        }
    }

    fn interrupted(&self, job: Job) -> Told {
        let mut report = self.void(job);
        report.finish = Finish::void("interrupted");
        Told::Played(Box::new(report))
    }

    fn start(&self, engine: usize) -> Result<Player, Failure> {
        let config: &MatchConfig = self.setting.config;
        let mut pause = BACKOFF;
        let mut attempt = 1;
        loop {
            let place = self.starts.enter();
            let started = handshake::start(&config.engines[engine], &self.surroundings)
                .and_then(|mut player| player.new_game().map(|()| player));
            drop(place);
            match started {
                Err(failure) if failure != Failure::Interrupted && attempt < ATTEMPTS => {
                    attempt += 1;
                    thread::sleep(pause);
                    pause *= 2;
                }
                other => return other,
            }
        }
    }
}

/// Keeps what was said in a game.
fn save_conversation(dir: &Path, report: &GameReport, seats: &[Seat]) {
    let moves: Vec<&str> = report.moves.iter().map(|m| m.own.as_str()).collect();
    let mut text = format!(
        "game {}: {}\nfen: {}\nmoves: {}\nlast answer: {}\n",
        report.job.number,
        report.finish.text,
        report.last_fen,
        moves.join(" "),
        report.raw,
    );
    for seat in seats {
        text += &format!("\n== {}\n", seat.player.config().name);
        text += &seat.player.transcript().join("\n");
        text.push('\n');
    }
    let file = dir.join(format!("game-{}.log", report.job.number));
    // A report that cannot be kept must not end the match.
    let _ = std::fs::create_dir_all(dir).and_then(|()| std::fs::write(file, text));
}

/// Ends engines side by side.
fn dismiss(seats: Vec<Seat>) {
    Player::end_all(seats.into_iter().map(|seat| seat.player).collect());
}
