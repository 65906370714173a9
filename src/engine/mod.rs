//! The engine as a client sees it: lines in, lines out, one session at a time.
//!
//! Two threads. The one that reads ([`input`]) answers at once what must not wait, raises signals
//! and queues the rest; the one that thinks ([`session`]) sleeps on the queue and carries out one
//! order after the other. Only the latter prints `bestmove`. What they share of a running search
//! is a [`order::Job`]. Where a client does not read, a third thread speaks for the reading one
//! ([`speaker`]).
#![forbid(unsafe_code)]

pub mod bench;
mod files;
mod input;
mod inspect;
mod knowledge;
mod limits;
mod memory;
mod order;
mod probe;
mod report;
mod session;
mod speaker;
mod speedtest;
mod strength;
mod weights;
pub mod winrate;

pub use weights::{BY_HAND, Loaded};

use std::io::BufRead;
use std::process;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::engine::input::{Flow, Input};
use crate::engine::order::Order;
use crate::engine::probe::Shelf;
use crate::engine::session::Session;
use crate::engine::weights::WeightFiles;
use crate::game::GameId;
use crate::output::{Output, is_stdout_deserted};
use crate::protocol::Dialect;
use crate::search::STACK_BYTES;
use crate::with_game;

/// How long `quit` waits for a search to end in good order.
const QUIT_PATIENCE: Duration = Duration::from_millis(50);
/// How long it waits for an engine that is not searching. What was asked of it (to show a
/// position, say) takes no time at all, but a busy machine may put that off.
const IDLE_PATIENCE: Duration = Duration::from_secs(1);
/// How long a farewell may take where work did not end. Only a client that does not read makes it
/// take that long, but on a busy machine the thread that says it may start late.
const FAREWELL: Duration = Duration::from_millis(300);

/// How often it is looked, after the end of input, whether all is done or nobody listens.
const WATCH: Duration = Duration::from_millis(5);

/// Answers a `genfens` line for a game, until the flag is set. Self-play, which makes openings, is
/// not the engine's business: whoever starts the engine lends this.
///
/// The error is what is wrong with the line.
pub type WriteOpenings = fn(&str, GameId, &AtomicBool, &Output) -> Result<(), String>;

/// How a process was started.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// The protocol spoken until a handshake says otherwise.
    pub dialect: Dialect,
    /// The game that UCI means until an option says otherwise.
    pub game: GameId,
    /// Lines are commands of a script: each waits for the one before it.
    pub script: bool,
    /// Answers `genfens`.
    pub write_openings: WriteOpenings,
}

/// Serves a client until it says `quit` or its input ends. On `quit` the process is gone within
/// 100 ms, whatever it was searching, if the client still reads.
pub fn run(start: Start, mut source: impl BufRead, output: &Output) {
    let (orders, queue) = channel::<Order>();
    let shelf = Shelf::default();
    let session_shelf = shelf.clone();
    let session_output = output.clone();
    let session = thread::Builder::new()
        .name("session".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || serve(&queue, &session_output, &session_shelf));
    let Ok(session) = session else {
        output.line("info string cannot start a thread");
        process::exit(1);
    };
    let mut input = Input::new(start, output.clone(), orders, shelf);
    match input.read(&mut source) {
        Flow::Quit => {
            let patience = match input.is_busy() {
                true => QUIT_PATIENCE,
                false => IDLE_PATIENCE,
            };
            let farewell = input.quit();
            // The session says farewell and ends the process, unless it hangs in something.
            thread::sleep(patience);
            if let Some(line) = farewell {
                let output = output.clone();
                let (said, heard) = channel();
                thread::spawn(move || {
                    output.last_line(line);
                    let _ = said.send(());
                });
                let _ = heard.recv_timeout(FAREWELL);
            }
            process::exit(0);
        }
        Flow::Continue => {
            let speaker = input.into_speaker();
            let is_done = || session.is_finished() && speaker.is_done();
            // A count that nobody waits for any more would say nothing for hours, and so not
            // notice.
            while !is_done() && !is_stdout_deserted() {
                thread::sleep(WATCH);
            }
        }
    }
}

/// Carries out orders, each game in a session of its own, until there are no more.
fn serve(orders: &Receiver<Order>, output: &Output, shelf: &Shelf) {
    let mut weight_files = WeightFiles::default();
    let mut waiting = orders.recv().ok();
    while let Some(order) = waiting {
        waiting = with_game!(
            order.settings.game(),
            G => Session::<G>::new(output.clone(), shelf.clone(), &mut weight_files)
                .serve(order, orders)
        );
    }
}
