//! How long an engine may think: what a time control says, and the clock that follows it.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a text is no time control.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "time control `{0}` is not of the form [moves/][minutes:]seconds[+increment], nor an hourglass, \
     [minutes:]secondshg"
)]
pub struct TimeControlError(String);

/// A game clock: `[moves/][minutes:]seconds[+increment]`, as cutechess-cli writes it, or
/// `[minutes:]secondshg`, an hourglass.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ClockTerms {
    /// Moves in a period, after which [`ClockTerms::base`] is added again; `None`: one period.
    pub moves: Option<u32>,
    /// Time at the start and for each period.
    pub base: Duration,
    /// Time added before the first move and after every move.
    pub increment: Duration,
    /// Is the time that a player uses added to the opponent's clock? Then there is neither an
    /// increment nor a second period.
    pub is_hourglass: bool,
}

impl FromStr for ClockTerms {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<ClockTerms, TimeControlError> {
        parse_terms(text).ok_or_else(|| TimeControlError(text.to_owned()))
    }
}

fn parse_terms(text: &str) -> Option<ClockTerms> {
    let (text, is_hourglass) = match text.strip_suffix("hg") {
        Some(text) => (text, true),
        None => (text, false),
    };
    let (moves, rest) = match text.split_once('/') {
        Some((moves, rest)) => (Some(moves.parse().ok().filter(|&n| n > 0)?), rest),
        None => (None, text),
    };
    let (base, increment) = match rest.split_once('+') {
        Some((base, increment)) => (base, seconds(increment)?),
        None => (rest, Duration::ZERO),
    };
    let base = match base.split_once(':') {
        Some((minutes, secs)) => seconds(minutes)?
            .checked_mul(60)?
            .checked_add(seconds(secs)?)?,
        None => seconds(base)?,
    };
    let playable = base + increment > Duration::ZERO;
    let is_plain = moves.is_none() && increment.is_zero();
    (playable && (is_plain || !is_hourglass)).then_some(ClockTerms {
        moves,
        base,
        increment,
        is_hourglass,
    })
}

/// No limit is longer: deadlines that no clock of the system can hold are of no use.
const YEAR: f64 = 366.0 * 86_400.0;

/// A fixed time for each move, from a number of seconds.
///
/// # Errors
/// In words: a number below 0, above a year, or none at all.
pub fn move_time(seconds: f64) -> Result<Duration, String> {
    match (0.0..=YEAR).contains(&seconds) {
        true => Ok(Duration::from_secs_f64(seconds)),
        false => Err(format!(
            "st = {seconds}: seconds from 0 to {YEAR} are expected"
        )),
    }
}

/// A non-negative decimal number of seconds, at most a year.
fn seconds(text: &str) -> Option<Duration> {
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let value: f64 = text.parse().ok().filter(|v| plain && *v <= YEAR)?;
    // Whole microseconds, so that 0.1 s is 100 ms and not 100.000001.
    Some(Duration::from_micros((value * 1e6).round() as u64))
}

impl TryFrom<String> for ClockTerms {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<ClockTerms, TimeControlError> {
        text.parse()
    }
}

impl From<ClockTerms> for String {
    fn from(terms: ClockTerms) -> String {
        terms.to_string()
    }
}

impl fmt::Display for ClockTerms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        f.write_str(if self.is_hourglass { "hg" } else { "" })
    }
}

/// Everything that limits an engine's thinking; at least one limit is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Limits {
    /// A game clock.
    pub clock: Option<ClockTerms>,
    /// A fixed time for each move.
    pub move_time: Option<Duration>,
    /// A number of nodes for each move.
    pub nodes: Option<u64>,
    /// A depth for each move.
    pub depth: Option<u32>,
}

impl Limits {
    /// Is nothing limited?
    pub fn is_empty(&self) -> bool {
        *self == Limits::default()
    }

    /// The limit that leaves an engine nothing to do, if there is one.
    pub fn nothing(&self) -> Option<&'static str> {
        if self.nodes == Some(0) {
            Some("nodes")
        } else if self.depth == Some(0) {
            Some("depth")
        } else if self.move_time == Some(Duration::ZERO) {
            Some("st")
        } else {
            None
        }
    }
}

impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| clock.to_string()),
            self.move_time.map(|t| format!("{}/move", t.as_secs_f64())),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(&parts.join(", "))
    }
}

/// Did a move come in time?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It did.
    InTime,
    /// The clock was overrun by so much, the margin not counted.
    Flagged(Duration),
}

/// One player's clock in one game.
#[derive(Clone, Debug)]
pub struct Clock {
    limits: Limits,
    margin: Duration,
    left: Duration,
    moves_made: u32,
}

impl Clock {
    /// A clock before the first move: base plus increment.
    pub fn new(limits: Limits, margin: Duration) -> Clock {
        let left = limits
            .clock
            .map_or(Duration::ZERO, |terms| terms.base + terms.increment);
        Clock {
            limits,
            margin,
            left,
            moves_made: 0,
        }
    }

    /// What the player is told of its limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Time on the game clock; zero where there is none.
    pub fn left(&self) -> Duration {
        self.left
    }

    /// Moves to the end of the period, this one included.
    pub fn moves_to_go(&self) -> Option<u32> {
        let moves = self.limits.clock?.moves?;
        Some(moves - self.moves_made % moves)
    }

    /// The time in which the next move must come, the margin included; `None` where time is not
    /// limited.
    pub fn budget(&self) -> Option<Duration> {
        let on_clock = self.limits.clock.map(|_| self.left);
        let budget = match (on_clock, self.limits.move_time) {
            (Some(left), Some(fixed)) => Some(left.min(fixed)),
            (left, fixed) => left.or(fixed),
        };
        budget.map(|time| time + self.margin)
    }

    /// By how much a move that took `spent` overruns the limit, the margin not counted.
    pub fn overrun(&self, spent: Duration) -> Duration {
        let allowed = self.budget().map(|budget| budget - self.margin);
        allowed.map_or(Duration::ZERO, |allowed| spent.saturating_sub(allowed))
    }

    /// Books a move that took `spent`. The flag is looked at before anything is added, so the last
    /// move of a period has no claim on the next period's time.
    pub fn press(&mut self, spent: Duration) -> Verdict {
        if let Some(budget) = self.budget()
            && spent > budget
        {
            return Verdict::Flagged(self.overrun(spent));
        }
        self.moves_made += 1;
        if let Some(terms) = self.limits.clock {
            self.left = self.left.saturating_sub(spent) + terms.increment;
            if terms
                .moves
                .is_some_and(|moves| self.moves_made.is_multiple_of(moves))
            {
                self.left += terms.base;
            }
        }
        Verdict::InTime
    }

    /// Books a move of the opponent that took `spent`: an hourglass is turned over.
    pub fn opponent_pressed(&mut self, spent: Duration) {
        if self.limits.clock.is_some_and(|terms| terms.is_hourglass) {
            self.left += spent;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(text: &str, margin: u64) -> Clock {
        let limits = Limits {
            clock: Some(text.parse().unwrap()),
            ..Limits::default()
        };
        Clock::new(limits, ms(margin))
    }

    #[test]
    fn the_usual_forms_are_read_and_written() {
        for (text, moves, base, increment, written) in [
            ("10+0.1", None, 10_000, 100, "10+0.1"),
            ("40/1:30+1", Some(40), 90_000, 1000, "40/90+1"),
            ("0.5", None, 500, 0, "0.5"),
            ("0+0.05", None, 0, 50, "0+0.05"),
        ] {
            let terms: ClockTerms = text.parse().unwrap();
            let wanted = ClockTerms {
                moves,
                base: ms(base),
                increment: ms(increment),
                is_hourglass: false,
            };
            assert_eq!(terms, wanted, "{text}");
            assert_eq!(terms.to_string(), written);
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for text in [
            "",
            "x",
            "0",
            "-1",
            "1+",
            "0/10",
            "1:",
            "1e9",
            "inf",
            "nan",
            "+1",
            "10+0.1+1",
            "9/9/9",
            "hg",
            "40/60hg",
            "60+1hg",
            "99999999999999999999",
        ] {
            assert!(text.parse::<ClockTerms>().is_err(), "{text}");
        }
    }

    #[test]
    fn increment_counts_from_the_first_move() {
        let mut clock = clock("1+0.1", 0);
        assert_eq!(clock.left(), ms(1100));
        assert_eq!(clock.press(ms(300)), Verdict::InTime);
        assert_eq!(clock.left(), ms(900));
    }

    #[test]
    fn an_hourglass_gives_what_it_takes() {
        let terms: ClockTerms = "1:30hg".parse().unwrap();
        assert!(terms.is_hourglass);
        assert_eq!(terms.to_string(), "90hg");
        let mut clocks = [clock("10hg", 0), clock("10hg", 0)];
        for (mover, spent, left) in [
            (0, 3_000, [7_000, 13_000]),
            (1, 12_000, [19_000, 1_000]),
            (0, 1_000, [18_000, 2_000]),
        ] {
            assert_eq!(clocks[mover].press(ms(spent)), Verdict::InTime);
            clocks[1 - mover].opponent_pressed(ms(spent));
            assert_eq!([clocks[0].left(), clocks[1].left()], left.map(ms));
        }
        assert_eq!(clocks[1].press(ms(2_500)), Verdict::Flagged(ms(500)));
        let mut plain = clock("10", 0);
        plain.opponent_pressed(ms(500));
        assert_eq!(plain.left(), ms(10_000), "no hourglass gains nothing");
    }

    #[test]
    fn margin_forgives_but_gives_no_time() {
        let mut clock = clock("1", 50);
        assert_eq!(clock.press(ms(1050)), Verdict::InTime);
        assert_eq!(clock.left(), ms(0));
        assert_eq!(clock.press(ms(51)), Verdict::Flagged(ms(51)));
    }

    #[test]
    fn a_period_is_added_after_its_last_move_and_not_before() {
        let mut clock = clock("2/1", 0);
        assert_eq!(clock.moves_to_go(), Some(2));
        assert_eq!(clock.press(ms(600)), Verdict::InTime);
        assert_eq!(clock.moves_to_go(), Some(1));
        let mut late = clock.clone();
        assert_eq!(late.press(ms(500)), Verdict::Flagged(ms(100)));
        assert_eq!(clock.press(ms(400)), Verdict::InTime);
        assert_eq!(clock.left(), ms(1000));
        assert_eq!(clock.moves_to_go(), Some(2));
    }

    #[test]
    fn fixed_time_is_fixed_and_nodes_have_no_deadline() {
        let fixed = Limits {
            move_time: Some(ms(100)),
            ..Limits::default()
        };
        let mut clock = Clock::new(fixed, ms(10));
        for _ in 0..3 {
            assert_eq!(clock.press(ms(110)), Verdict::InTime);
        }
        assert_eq!(clock.press(ms(111)), Verdict::Flagged(ms(11)));
        let nodes = Limits {
            nodes: Some(1000),
            ..Limits::default()
        };
        assert_eq!(Clock::new(nodes, ms(0)).budget(), None);
    }
}
