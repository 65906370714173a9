//! Does an engine keep to its protocol? A list of steps, each passed or failed.
//!
//! The steps stand on each other: where the engine is lost in one, the rest is not tried.

use std::time::{Duration, Instant};

use crate::arena::client::{Answer, DeclaredOption, Dialect, Go, Heard, Info};
use crate::arena::config::EngineConfig;
use crate::arena::handshake;
use crate::arena::player::{Failure, Player, Surroundings};
use crate::arena::referee::{Referee, Rules, Spelling, Styles};
use crate::arena::thought::{Patience, Thought};
use crate::arena::time_control::{Clock, Limits};

/// Silence that shows that nothing comes.
const SILENCE: Duration = Duration::from_millis(300);
/// How fast an answer must be that needs no thinking.
const PROMPT: Duration = Duration::from_secs(1);
/// How long an engine that did not stop is given to stop after all, so that the steps after it
/// are tried on an engine that is at rest.
const SECOND_CHANCE: Duration = Duration::from_secs(5);
/// What a move may take where nothing but nodes or depth limits it.
const UNTIMED: Duration = Duration::from_secs(20);

/// One step of the check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What was tried.
    pub what: &'static str,
    /// Why it failed; `None`: it passed.
    pub failure: Option<String>,
}

/// Checks an engine; `tell` hears of each step as it ends.
pub fn check(
    config: &EngineConfig,
    surroundings: &Surroundings,
    rules: &Rules,
    mut tell: impl FnMut(&Step),
) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut book = |what, result: Result<(), String>| {
        let step = Step {
            what,
            failure: result.err(),
        };
        tell(&step);
        steps.push(step);
    };
    let player = match handshake::start(config, surroundings) {
        Ok(player) => player,
        Err(failure) => {
            book("it starts, greets and is ready", Err(failure.to_string()));
            return steps;
        }
    };
    book("it starts, greets and is ready", Ok(()));
    let mut check = Check {
        player,
        rules: *rules,
        is_lost: false,
    };
    for (what, step) in STEPS {
        let result = step(&mut check);
        book(what, result);
        if check.is_lost() {
            break;
        }
    }
    if !check.is_lost() {
        book("it ends when told to quit", check.quits());
        book(
            "it ends when its input ends",
            ends_with_input(config, surroundings),
        );
    }
    check.player.end();
    steps
}

type Try = fn(&mut Check) -> Result<(), String>;

const STEPS: [(&str, Try); 15] = [
    ("it gives its name", Check::has_name),
    ("its options are well-formed", Check::has_sound_options),
    ("it starts a new game", Check::starts_game),
    ("it moves in time", Check::moves_in_time),
    ("it says what it thinks", Check::informs),
    ("it moves after moves", Check::follows_moves),
    ("it moves on a clock", Check::moves_on_clock),
    ("it keeps to a depth", Check::keeps_depth),
    ("it keeps to a number of nodes", Check::keeps_nodes),
    (
        "it answers isready while it thinks",
        Check::is_ready_while_thinking,
    ),
    ("it stops when told to, and answers once", Check::stops),
    ("it stops when it has hardly begun", Check::stops_at_once),
    ("it ponders until ponderhit", Check::ponders),
    ("it is silent when it has nothing to stop", Check::is_silent),
    ("it lives through nonsense", Check::survives_nonsense),
];

struct Check {
    player: Player,
    rules: Rules,
    /// Does it search on whatever it is told?
    is_lost: bool,
}

fn words(failure: Failure) -> String {
    failure.to_string()
}

fn limits(limits: Limits) -> Clock {
    Clock::new(limits, Duration::ZERO)
}

fn moderate() -> Limits {
    Limits {
        move_time: Some(Duration::from_millis(200)),
        ..Limits::default()
    }
}

impl Check {
    /// Is there no use in a further step?
    fn is_lost(&self) -> bool {
        self.is_lost || self.player.is_broken()
    }

    fn board(&self) -> Result<Box<dyn Referee>, String> {
        let styles = Styles {
            own: self.player.style(),
            players: [self.player.style(); 2],
            ..Styles::default()
        };
        self.rules.start(None, styles).map_err(|e| e.to_string())
    }

    fn go<'a>(&self, referee: &dyn Referee, clock: &'a Clock, ponder: bool) -> Go<'a> {
        Go {
            side: referee.side_to_move(),
            clocks: [clock, clock],
            ponder,
            draw_offered: false,
            millis: self.player.has_millis(),
        }
    }

    /// Lets it think, and plays its move.
    fn think(&mut self, referee: &mut dyn Referee, given: Limits) -> Result<Thought, String> {
        let clock = limits(given);
        let side = referee.side_to_move();
        let setup = referee.setup(side, self.player.origin());
        let patience = Patience {
            budget: clock.budget().map(|budget| budget + PROMPT),
            otherwise: UNTIMED,
        };
        let go = self.go(referee, &clock, false);
        let thought = self
            .player
            .think(&setup, &[], &go, patience)
            .map_err(words)?;
        let answer = thought.answer.as_ref();
        let answer = answer.ok_or_else(|| thought.no_answer(&given))?;
        play(referee, answer, &thought.raw)?;
        Ok(thought)
    }

    fn has_name(&mut self) -> Result<(), String> {
        if self.player.own_name().is_empty() {
            return Err("no `id name`".to_owned());
        }
        Ok(())
    }

    fn has_sound_options(&mut self) -> Result<(), String> {
        let faults = self.player.declared().iter().filter_map(fault_of);
        let faults: Vec<String> = faults.collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(faults.join("; "))
        }
    }

    fn starts_game(&mut self) -> Result<(), String> {
        self.player.new_game().map_err(words)
    }

    fn moves_in_time(&mut self) -> Result<(), String> {
        let mut board = self.board()?;
        self.think(&mut *board, moderate()).map(drop)
    }

    fn informs(&mut self) -> Result<(), String> {
        let mut board = self.board()?;
        let before = self.board()?;
        let Info {
            depth, score, pv, ..
        } = self.think(&mut *board, moderate())?.info;
        if depth.is_none() || score.is_none() || pv.is_empty() {
            return Err(format!(
                "depth {depth:?}, score {score:?}, a line of {} moves",
                pv.len()
            ));
        }
        let legal = before.read_line(&pv, before.side_to_move()).len();
        match pv.get(legal) {
            Some(bad) => Err(format!("illegal move {bad} in its line")),
            None => Ok(()),
        }
    }

    fn follows_moves(&mut self) -> Result<(), String> {
        let mut board = self.board()?;
        for _ in 0..6 {
            let quick = Limits {
                move_time: Some(Duration::from_millis(30)),
                ..Limits::default()
            };
            self.think(&mut *board, quick)?;
        }
        Ok(())
    }

    fn moves_on_clock(&mut self) -> Result<(), String> {
        let clock = "2+0.1".parse().map_err(|e| format!("{e}"))?;
        let mut board = self.board()?;
        let given = Limits {
            clock: Some(clock),
            ..Limits::default()
        };
        let spent = self.think(&mut *board, given)?.spent;
        if spent > Duration::from_secs(2) {
            return Err(format!("{} ms of 2.1 s for one move", spent.as_millis()));
        }
        Ok(())
    }

    fn keeps_depth(&mut self) -> Result<(), String> {
        let mut board = self.board()?;
        let given = Limits {
            depth: Some(4),
            ..Limits::default()
        };
        match self.think(&mut *board, given)?.info.depth {
            Some(depth) if depth > 4 => Err(format!("depth {depth}, not 4")),
            _ => Ok(()),
        }
    }

    fn keeps_nodes(&mut self) -> Result<(), String> {
        let mut board = self.board()?;
        let given = Limits {
            nodes: Some(5000),
            ..Limits::default()
        };
        match self.think(&mut *board, given)?.info.nodes {
            Some(nodes) if nodes > 50_000 => Err(format!("{nodes} nodes, not 5000")),
            _ => Ok(()),
        }
    }

    /// Starts a search that does not end of itself.
    fn start_endless(&mut self, referee: &dyn Referee) -> Result<(), String> {
        let setup = referee.setup(referee.side_to_move(), self.player.origin());
        let endless = match self.player.dialect() {
            Dialect::Uci => "go infinite",
            Dialect::Ucci => "go depth infinite",
        };
        let lines = [self.player.dialect().position(&setup), endless.to_owned()];
        self.player.say(&lines).map(drop).map_err(words)
    }

    /// The first line of a kind, if one comes in time.
    fn hear<T>(
        &mut self,
        patience: Duration,
        pick: impl Fn(Heard, String) -> Option<T>,
    ) -> Result<Option<T>, String> {
        let deadline = Instant::now() + patience;
        while let Some((at, line)) = self.player.listen(deadline).map_err(words)? {
            let heard = self.player.dialect().hear(&line);
            if let Some(found) = pick(heard, line) {
                return Ok(Some(found));
            }
            if at > deadline {
                break;
            }
        }
        Ok(None)
    }

    fn hear_answer(&mut self, patience: Duration) -> Result<Option<(Answer, String)>, String> {
        self.hear(patience, |heard, line| match heard {
            Heard::Answer(answer) => Some((answer, line)),
            _ => None,
        })
    }

    fn stop(&mut self) -> Result<(Answer, String), String> {
        self.player.say(&["stop".to_owned()]).map_err(words)?;
        if let Some(answer) = self.hear_answer(PROMPT)? {
            return Ok(answer);
        }
        self.player.say(&["stop".to_owned()]).map_err(words)?;
        let begin = Instant::now();
        self.is_lost = self.hear_answer(SECOND_CHANCE)?.is_none();
        let after = if self.is_lost {
            "nor within 5 more of a second stop".to_owned()
        } else {
            format!("but {} ms after a second stop", begin.elapsed().as_millis())
        };
        Err(format!("no bestmove within a second of stop, {after}"))
    }

    /// Waits until an endless search shows that it runs; an engine need not tell of it.
    fn let_begin(&mut self) -> Result<(), String> {
        self.hear(SILENCE, |heard, _| {
            matches!(heard, Heard::Info(_)).then_some(())
        })
        .map(drop)
    }

    fn is_ready_while_thinking(&mut self) -> Result<(), String> {
        let board = self.board()?;
        self.start_endless(&*board)?;
        self.let_begin()?;
        self.player.say(&["isready".to_owned()]).map_err(words)?;
        let ready = self.hear(PROMPT, |heard, _| (heard == Heard::Ready).then_some(()))?;
        self.stop()?;
        ready.ok_or_else(|| "no readyok within a second".to_owned())
    }

    fn stops(&mut self) -> Result<(), String> {
        let mut board = self.board()?;
        self.start_endless(&*board)?;
        if let Some((_, line)) = self.hear_answer(SILENCE)? {
            return Err(format!("`{line}` before stop"));
        }
        let (answer, line) = self.stop()?;
        play(&mut *board, &answer, &line)?;
        match self.hear_answer(SILENCE)? {
            Some((_, line)) => Err(format!("`{line}` after its answer")),
            None => Ok(()),
        }
    }

    /// As when the opponent answers at once, and with another move than it pondered on.
    fn stops_at_once(&mut self) -> Result<(), String> {
        let mut board = self.board()?;
        self.start_endless(&*board)?;
        let (answer, line) = self.stop()?;
        play(&mut *board, &answer, &line)
    }

    fn ponders(&mut self) -> Result<(), String> {
        let mut board = self.board()?;
        let clock = limits(Limits {
            clock: Some("1+0.1".parse().map_err(|e| format!("{e}"))?),
            ..Limits::default()
        });
        let setup = board.setup(board.side_to_move(), self.player.origin());
        let go = self.go(&*board, &clock, true);
        self.player.ponder(&setup, &go).map_err(words)?;
        if let Some((_, line)) = self.hear_answer(SILENCE)? {
            return Err(format!("`{line}` before ponderhit"));
        }
        let patience = Patience {
            budget: clock.budget().map(|budget| budget + PROMPT),
            otherwise: PROMPT,
        };
        let thought = self.player.ponder_hit(patience, false).map_err(words)?;
        let thought = thought.ok_or("a bestmove before ponderhit")?;
        let answer = thought
            .answer
            .as_ref()
            .ok_or("no bestmove after ponderhit")?;
        play(&mut *board, answer, &thought.raw)
    }

    fn is_silent(&mut self) -> Result<(), String> {
        self.player.say(&["stop".to_owned()]).map_err(words)?;
        let heard = self.hear_answer(SILENCE)?;
        match (self.player.dialect(), heard) {
            (Dialect::Uci, Some((_, line))) => Err(format!("`{line}` to a stop without a search")),
            // UCCI answers such a stop with nobestmove.
            (Dialect::Ucci, Some((answer, line))) if answer.best.is_some() => {
                Err(format!("`{line}` to a stop without a search"))
            }
            _ => Ok(()),
        }
    }

    fn survives_nonsense(&mut self) -> Result<(), String> {
        // No broken positions: the protocols leave those to the client, and good engines trust it.
        let lines = ["", "no such command", "setoption", "go sideways"];
        // `go` with an unknown word may start a search: it is stopped before the next question.
        let lines: Vec<String> = lines
            .map(str::to_owned)
            .into_iter()
            .chain(["stop".to_owned()])
            .collect();
        self.player.say(&lines).map_err(words)?;
        self.hear_answer(SILENCE)?;
        self.player.ping(PROMPT).map_err(words)?;
        self.moves_in_time()
    }

    fn quits(&mut self) -> Result<(), String> {
        self.player.dismiss();
        self.player.await_end(PROMPT)
    }
}

fn play(referee: &mut dyn Referee, answer: &Answer, line: &str) -> Result<(), String> {
    let text = answer
        .best
        .as_ref()
        .ok_or_else(|| format!("no move: `{line}`"))?;
    let played = referee.play(text, Spelling::Exact);
    played.map(drop).map_err(|e| format!("`{line}`: {e}"))
}

fn fault_of(option: &DeclaredOption) -> Option<String> {
    let name = &option.name;
    let known = ["check", "spin", "combo", "button", "string", "label"];
    if !known.contains(&option.kind.as_str()) {
        return Some(format!("{name} has the type `{}`", option.kind));
    }
    if option.kind == "spin"
        && option
            .min
            .zip(option.max)
            .is_none_or(|(min, max)| min > max)
    {
        return Some(format!("{name} has no range"));
    }
    if matches!(option.kind.as_str(), "spin" | "combo" | "check") {
        return match &option.default {
            Some(default) => option.objection(default),
            None => Some(format!("{name} has no default")),
        };
    }
    None
}

fn ends_with_input(config: &EngineConfig, surroundings: &Surroundings) -> Result<(), String> {
    let mut player = handshake::start(config, surroundings).map_err(words)?;
    player.close_input();
    let ended = player.await_end(PROMPT);
    player.end();
    ended
}
