//! One game: two players, two clocks, one referee.

use std::time::{Duration, Instant, SystemTime};

use crate::arena::adjudicate::{Adjudicator, Moved, Opinion};
use crate::arena::client::{Answer, Dialect, Go, Info};
use crate::arena::config::{GameKind, MatchConfig, RecordNotation};
use crate::arena::events::Events;
use crate::arena::line_check::{self, Claims};
use crate::arena::openings::Opening;
use crate::arena::outcome::{Finish, Termination, side_name};
use crate::arena::player::{Failure, Player};
use crate::arena::record::{MoveFacts, ReportedScore};
use crate::arena::referee::{Played, Referee, Rules, Spelling, Styles, has_attackers};
use crate::arena::schedule::Job;
use crate::arena::thought::{Patience, Thought};
use crate::arena::time_control::{Clock, Limits, Verdict};
use crate::game::{Outcome, Side};

/// A wall clock that has gained so much on the monotonic one tells of a machine that slept.
const SLEPT: Duration = Duration::from_secs(5);

/// Whatever kills both engines does not reach both in the same instant, least of all on a busy
/// machine.
const AT_ONCE: Duration = Duration::from_millis(200);

/// A game that was played, or broken off.
#[derive(Debug)]
pub struct GameReport {
    /// Which game.
    pub job: Job,
    /// Number of the opening in order of use, from 1.
    pub opening: usize,
    /// How it ended.
    pub finish: Finish,
    /// The first position, if it is not the usual array.
    pub start_fen: Option<String>,
    /// The last position.
    pub last_fen: String,
    /// All moves.
    pub moves: Vec<Played>,
    /// What is known of each.
    pub facts: Vec<MoveFacts>,
    /// Time both sides used.
    pub used: [Duration; 2],
    /// When it began.
    pub started: SystemTime,
    /// When it ended.
    pub ended: SystemTime,
    /// The side that failed, if one did.
    pub failed: Option<Side>,
    /// Did both engines end at once, so that the game does not count?
    pub both_died: bool,
    /// Its line that was at fault, where there is one.
    pub raw: String,
    /// Oddities of the players' conduct.
    pub warnings: [Vec<String>; 2],
    /// What it cost to ask each player before its moves whether it was ready.
    pub pings: [Vec<Duration>; 2],
}

/// What is the same for all games of a match.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    /// The match.
    pub config: &'a MatchConfig,
    /// The rules of its game.
    pub rules: &'a Rules,
    /// Told of every move.
    pub events: &'a Events,
}

/// Plays a game. The players are ready for it: see [`Player::new_game`].
pub fn play(
    setting: Setting<'_>,
    job: Job,
    opening: (usize, &Opening),
    players: [&mut Player; 2],
) -> GameReport {
    let started = SystemTime::now();
    let styles = Styles {
        own: setting.config.game.style(),
        players: [players[0].style(), players[1].style()],
        by_piece: setting.config.output.notation == Some(RecordNotation::Wxf),
    };
    let referee = match opening.1.set_up(setting.rules, styles) {
        Ok(referee) => referee,
        // Openings are played through when they are loaded, so this does not happen.
        Err(why) => return unplayable(job, opening.0, &why),
    };
    let mut game = Game::new(setting, job, referee, players);
    let finish = loop {
        if let Some(finish) = game.ply() {
            break finish;
        }
    };
    let finish = if game.has_slept() {
        Finish::void("the machine slept")
    } else {
        finish
    };
    game.quieten();
    game.report(opening.0, finish, started)
}

/// A game of which not a move was played, and which does not count.
pub fn unplayable(job: Job, opening: usize, why: &str) -> GameReport {
    let started = SystemTime::now();
    GameReport {
        job,
        opening,
        finish: Finish::void(why),
        start_fen: None,
        last_fen: String::new(),
        moves: Vec::new(),
        facts: Vec::new(),
        used: [Duration::ZERO; 2],
        started,
        ended: started,
        failed: None,
        both_died: false,
        raw: String::new(),
        warnings: [Vec::new(), Vec::new()],
        pings: [Vec::new(), Vec::new()],
    }
}

struct Game<'a> {
    setting: Setting<'a>,
    job: Job,
    referee: Box<dyn Referee>,
    players: [&'a mut Player; 2],
    clocks: [Clock; 2],
    adjudicator: Adjudicator,
    facts: Vec<MoveFacts>,
    used: [Duration; 2],
    /// The reply each player expects, while it ponders on it.
    expected: [Option<String>; 2],
    /// Did the move before offer a draw?
    draw_offered: bool,
    failed: Option<Side>,
    both_died: bool,
    claims: Claims,
    raw: String,
    begun: (Instant, SystemTime),
}

impl<'a> Game<'a> {
    fn new(
        setting: Setting<'a>,
        job: Job,
        referee: Box<dyn Referee>,
        players: [&'a mut Player; 2],
    ) -> Game<'a> {
        let config = setting.config;
        let clock = |side: Side| {
            let player = players[side.index()].config();
            let margin = player.time_margin.unwrap_or(config.time_margin);
            Clock::new(limits_of(config, player.limits, side), margin)
        };
        let clocks = Side::ALL.map(clock);
        let book = MoveFacts {
            is_book: true,
            ..MoveFacts::default()
        };
        let names = [&players[0].config().name, &players[1].config().name];
        setting.events.game_start(&job, names, &referee.fen());
        Game {
            setting,
            job,
            facts: vec![book; referee.moves().len()],
            referee,
            players,
            clocks,
            adjudicator: Adjudicator::new(config.adjudication),
            used: [Duration::ZERO; 2],
            expected: [None, None],
            draw_offered: false,
            failed: None,
            both_died: false,
            claims: Claims::default(),
            raw: String::new(),
            begun: (Instant::now(), SystemTime::now()),
        }
    }

    fn game(&self) -> GameKind {
        self.setting.config.game
    }

    /// One ply; the ending, if the game is over after it.
    fn ply(&mut self) -> Option<Finish> {
        let side = self.referee.side_to_move();
        let thought = match self.ask(side) {
            Ok(thought) => thought,
            Err(failure) => return Some(self.failure(side, &failure)),
        };
        self.used[side.index()] += thought.spent;
        self.raw.clone_from(&thought.raw);
        let no_limit = self.clocks[side.index()].budget().is_none();
        let Some(answer) = thought.answer.clone() else {
            return Some(if no_limit {
                let given = self.clocks[side.index()].limits();
                let failure = Failure::Stalled(thought.no_answer(given));
                self.failure(side, &failure)
            } else {
                self.flagged(side, &thought)
            });
        };
        match self.clocks[side.index()].press(thought.spent) {
            Verdict::Flagged(_) => Some(self.flagged(side, &thought)),
            Verdict::InTime => {
                self.clocks[(!side).index()].opponent_pressed(thought.spent);
                self.take_move(side, &answer, thought)
            }
        }
    }

    /// Are players told which moves the rules of repetition forbid?
    fn has_bans(&self) -> bool {
        let all_hear = || self.players.iter().all(|p| p.dialect() == Dialect::Ucci);
        self.setting.config.ban.unwrap_or_else(all_hear)
    }

    /// Has the side think, on the move it pondered on if that was played.
    fn ask(&mut self, side: Side) -> Result<Thought, Failure> {
        let own = side.index();
        let patience = Patience {
            budget: self.clocks[own].budget(),
            otherwise: self.setting.config.move_timeout,
        };
        let expected = self.expected[own].take();
        if self.players[own].is_pondering() {
            let played = self.referee.moves().last().map(|m| m.players[own].clone());
            if expected.is_some() && expected == played {
                if let Some(thought) = self.players[own].ponder_hit(patience, self.draw_offered)? {
                    return Ok(thought);
                }
            } else {
                self.players[own].stop()?;
            }
        }
        let setup = self.referee.setup(side, self.players[own].origin());
        let banned = if self.has_bans() {
            self.referee.banned(side)
        } else {
            Vec::new()
        };
        let go = Go {
            side,
            clocks: [&self.clocks[0], &self.clocks[1]],
            ponder: false,
            draw_offered: self.draw_offered,
            millis: self.players[own].has_millis(),
        };
        self.players[own].think(&setup, &banned, &go, patience)
    }

    fn take_move(&mut self, side: Side, answer: &Answer, thought: Thought) -> Option<Finish> {
        let game = self.game();
        if answer.resign {
            let text = format!("{} resigns", side_name(game, side));
            return Some(self.agreed(Outcome::Win(!side), text));
        }
        let Some(text) = &answer.best else {
            return Some(self.fails(side, Termination::IllegalMove, " makes no move"));
        };
        let line = self.check_line(side, text, &thought.info);
        let has_other_ranks = self.referee.has_other_ranks(text);
        let worst = if self.setting.config.strict {
            Spelling::Exact
        } else {
            Spelling::Lenient
        };
        match self.referee.play(text, worst) {
            Err(_) => {
                let hint = if has_other_ranks {
                    " (legal if the first rank had the other number: set its protocol to uci-fairy or uci-pikafish)"
                } else {
                    ""
                };
                let what = format!(" makes an illegal move: {text}{hint}");
                return Some(self.fails(side, Termination::IllegalMove, &what));
            }
            Ok(Spelling::Lenient) => {
                self.players[side.index()].warn(format!("`{text}` in the wrong notation"));
            }
            Ok(Spelling::Exact) => {}
        }
        let opinion = self.book(side, thought, line);
        self.verdict(side, answer, opinion)
    }

    /// Is the game over after the move that was just played?
    fn verdict(&mut self, side: Side, answer: &Answer, opinion: Opinion) -> Option<Finish> {
        let game = self.game();
        if let Some(ending) = self.referee.ending() {
            return Some(Finish::by_rules(game, ending));
        }
        if answer.draw && self.draw_offered && self.setting.config.accept_offers {
            return Some(self.agreed(Outcome::Draw, "Draw by agreement".to_owned()));
        }
        self.draw_offered = answer.draw;
        let moved = Moved {
            mover: side,
            opinion,
            irreversible: self.referee.halfmove_clock() == 0,
            move_number: full_moves(&self.referee.fen()),
        };
        if let Some((outcome, why)) = self.adjudicator.after(moved) {
            return Some(Finish::by_adjudication(game, outcome, why));
        }
        match self.start_pondering(side, answer) {
            Ok(()) => None,
            Err(failure) => Some(self.failure(side, &failure)),
        }
    }

    /// Notes what is known of the move that was just played.
    fn book(&mut self, side: Side, thought: Thought, line: Vec<String>) -> Opinion {
        let Thought {
            info,
            spent,
            matched,
            ..
        } = thought;
        let flip = self.players[side.index()].config().first_side_scores && side == Side::Second;
        let score = info
            .score
            .map(|score| if flip { mirrored(score) } else { score });
        if let Some(contradiction) = self.claims.add(side, score) {
            self.players[side.index()].warn(contradiction);
        }
        let clock = &self.clocks[side.index()];
        let facts = MoveFacts {
            score,
            depth: info.depth,
            seldepth: info.seldepth,
            nodes: info.nodes,
            speed: info.speed,
            table_use: info.table_use,
            table_hits: info.table_hits,
            time: spent,
            latency: info.time.map(|own| spent.saturating_sub(own)),
            left: clock.limits().clock.map(|_| clock.left()),
            is_book: false,
            pv: line,
            line: matched,
        };
        if let Some(played) = self.referee.moves().last() {
            self.setting
                .events
                .moved(&self.job, played, &facts, &self.referee.fen());
        }
        self.facts.push(facts);
        match score {
            _ if info.depth.unwrap_or(0) == 0 => Opinion::None,
            None => Opinion::None,
            Some(ReportedScore::Centipawns(cp)) => Opinion::from_centipawns(cp),
            Some(ReportedScore::Mate(n)) if n > 0 => Opinion::Winning,
            Some(ReportedScore::Mate(_)) => Opinion::Losing,
        }
    }

    fn start_pondering(&mut self, side: Side, answer: &Answer) -> Result<(), Failure> {
        let own = side.index();
        let Some(reply) = answer
            .ponder
            .as_ref()
            .filter(|_| self.players[own].config().ponder)
        else {
            return Ok(());
        };
        let readable = self.referee.read_line(std::slice::from_ref(reply), side);
        if readable.is_empty() {
            self.players[own].warn(format!("illegal ponder move `{reply}`"));
            return Ok(());
        }
        let mut setup = self.referee.setup(side, self.players[own].origin());
        setup.moves.push(reply.clone());
        let go = Go {
            side,
            clocks: [&self.clocks[0], &self.clocks[1]],
            ponder: true,
            draw_offered: false,
            millis: self.players[own].has_millis(),
        };
        self.players[own].ponder(&setup, &go)?;
        self.expected[own] = Some(reply.clone());
        Ok(())
    }

    /// The line the player expects, as the runner writes it; warns of what is odd about it.
    fn check_line(&mut self, side: Side, best: &str, info: &Info) -> Vec<String> {
        let config = self.setting.config;
        let checked = line_check::check(
            self.referee.as_ref(),
            config.game,
            best,
            info,
            config.check_mate_pvs,
        );
        for fault in checked.faults {
            self.players[side.index()].warn(fault);
        }
        checked.moves
    }

    fn agreed(&self, outcome: Outcome, text: String) -> Finish {
        Finish {
            outcome: Some(outcome),
            termination: Termination::Agreement,
            text,
        }
    }

    fn fails(&mut self, side: Side, termination: Termination, what: &str) -> Finish {
        self.failed = Some(side);
        Finish::failure(self.game(), side, termination, what)
    }

    fn failure(&mut self, side: Side, failure: &Failure) -> Finish {
        match failure {
            Failure::Interrupted => Finish::void("interrupted"),
            // Whatever killed both was none of the engines.
            Failure::Disconnected(_) if self.players[(!side).index()].dies_within(AT_ONCE) => {
                self.both_died = true;
                Finish::void("both engines ended at once")
            }
            Failure::Disconnected(how) | Failure::Start(how) => self.fails(
                side,
                Termination::Disconnect,
                &format!(" disconnects ({how})"),
            ),
            Failure::Stalled(how) => self.fails(
                side,
                Termination::Stall,
                &format!("'s connection stalls ({how})"),
            ),
        }
    }

    /// Did the machine stand still during the game? Then no clock is to be trusted, nor what
    /// engines made of theirs.
    fn has_slept(&self) -> bool {
        let (instant, wall) = self.begun;
        let by_wall = SystemTime::now().duration_since(wall).unwrap_or_default();
        is_a_sleep(by_wall, instant.elapsed())
    }

    fn flagged(&mut self, side: Side, thought: &Thought) -> Finish {
        let overrun = self.clocks[side.index()].overrun(thought.spent);
        let over = overrun.as_millis();
        let no_move = if thought.answer.is_none() {
            ", no move"
        } else {
            ""
        };
        let what = format!(" loses on time ({over}ms overrun{no_move})");
        let can_win = has_attackers(&self.referee.fen(), !side);
        if self.setting.config.flag_material && !can_win {
            let game = self.game();
            self.failed = Some(side);
            let text = format!(
                "Draw: {}{what}, but {} has nothing to win with",
                side_name(game, side),
                side_name(game, !side)
            );
            return Finish {
                outcome: Some(Outcome::Draw),
                termination: Termination::TimeForfeit,
                text,
            };
        }
        self.fails(side, Termination::TimeForfeit, &what)
    }

    /// Stops whoever ponders still.
    fn quieten(&mut self) {
        for player in &mut self.players {
            if player.is_pondering() && !player.is_broken() {
                // A failure leaves the player broken, to be replaced before its next game.
                let _ = player.stop();
            }
        }
    }

    fn report(mut self, opening: usize, finish: Finish, started: SystemTime) -> GameReport {
        self.setting
            .events
            .game_end(&self.job, &finish, self.referee.moves().len());
        let warnings = [0, 1].map(|i: usize| self.players[i].take_warnings());
        let pings = [0, 1].map(|i: usize| self.players[i].take_pings());
        GameReport {
            job: self.job,
            opening,
            finish,
            start_fen: self.referee.start_fen().map(str::to_owned),
            last_fen: self.referee.fen(),
            moves: self.referee.moves().to_vec(),
            facts: self.facts,
            used: self.used,
            started,
            ended: SystemTime::now(),
            failed: self.failed,
            both_died: self.both_died,
            raw: self.raw,
            warnings,
            pings,
        }
    }
}

/// Has the wall clock gained so much on the monotonic one that the machine slept?
fn is_a_sleep(by_wall: Duration, monotonic: Duration) -> bool {
    by_wall.saturating_sub(monotonic) > SLEPT
}

/// A player's own limits, or the match's for its side.
pub fn limits_of(config: &MatchConfig, own: Limits, side: Side) -> Limits {
    if own.is_empty() {
        config.limits[side.index()]
    } else {
        own
    }
}

fn mirrored(score: ReportedScore) -> ReportedScore {
    match score {
        ReportedScore::Centipawns(cp) => ReportedScore::Centipawns(-cp),
        ReportedScore::Mate(n) => ReportedScore::Mate(-n),
    }
}

/// Full moves finished: the last field of the FEN, less one.
fn full_moves(fen: &str) -> u32 {
    let number = fen
        .rsplit(' ')
        .next()
        .and_then(|word| word.parse::<u32>().ok());
    number.map_or(0, |n| n.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_that_slept_is_told_from_a_clock_that_was_set() {
        let seconds = Duration::from_secs;
        assert!(is_a_sleep(seconds(16), seconds(10)));
        assert!(!is_a_sleep(seconds(15), seconds(10)));
        assert!(!is_a_sleep(seconds(2), seconds(10)), "set back");
    }
}
