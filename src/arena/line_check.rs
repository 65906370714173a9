//! What is odd about the line that an engine expects.
//!
//! None of it costs a game, since the move that is played is legal; it tells of bugs in engines.

use crate::arena::client::Info;
use crate::arena::config::GameKind;
use crate::arena::outcome::Finish;
use crate::arena::record::ReportedScore;
use crate::arena::referee::Referee;
use crate::game::{Reason, Side};

/// A line that was looked at.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Its moves as far as they can be played, as the runner writes them.
    pub moves: Vec<String>,
    /// What is wrong with it.
    pub faults: Vec<String>,
}

/// Looks at the line of a search that ended with the move `best`, before that is played. With
/// `check_mates`, a line to mate must be as long as it says and end with mate.
pub fn check(
    referee: &dyn Referee,
    game: GameKind,
    best: &str,
    info: &Info,
    check_mates: bool,
) -> Checked {
    let side = referee.side_to_move();
    let moves = referee.read_line(&info.pv, side);
    let mut faults = Vec::new();
    if let Some(first) = info.pv.first()
        && first != best
    {
        faults.push(format!("bestmove {best}, but its line began with {first}"));
    }
    let end = referee.end_of_line(&info.pv, side);
    if let Some((plies, ending)) = end
        && plies < info.pv.len()
    {
        let why = Finish::by_rules(game, ending).text;
        faults.push(format!(
            "its line goes on after the end of the game ({why})"
        ));
    } else if let Some(bad) = info.pv.get(moves.len()) {
        faults.push(format!("illegal move {bad} in its line"));
    }
    if check_mates && let Some(ReportedScore::Mate(mate)) = info.score.filter(|_| !info.is_bound) {
        let is_mate = end.is_some_and(|(plies, ending)| {
            plies == info.pv.len() && matches!(ending.reason, Reason::Checkmate | Reason::Stalemate)
        });
        faults.extend(mate_fault(mate, info.pv.len(), is_mate));
    }
    Checked { moves, faults }
}

fn mate_fault(mate: i32, plies: usize, is_mate: bool) -> Option<String> {
    let distance = mate.unsigned_abs() as usize;
    let wanted = 2 * distance - usize::from(mate > 0);
    if plies != wanted {
        Some(format!("mate {mate}, but its line has {plies} plies"))
    } else if !is_mate && wanted > 0 {
        Some(format!("mate {mate}, but its line does not end with mate"))
    } else {
        None
    }
}

/// Who claims to give mate: each side's last score says so.
#[derive(Clone, Copy, Debug, Default)]
pub struct Claims([bool; 2]);

impl Claims {
    /// Takes in a side's score; a warning if now both claim to give mate.
    pub fn add(&mut self, side: Side, score: Option<ReportedScore>) -> Option<String> {
        let wins = matches!(score, Some(ReportedScore::Mate(n)) if n > 0);
        self.0[side.index()] = wins;
        let both = wins && self.0[(!side).index()];
        both.then(|| "claims to give mate, and so does its opponent".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::referee::{Rules, Spelling, Styles};

    type Board = <crate::games::Chess as crate::game::Game>::Position;

    fn faults(moves: &str, line: &str, score: Option<i32>) -> Vec<String> {
        let mut referee = Rules::of::<Board>().start(None, Styles::default()).unwrap();
        for text in moves.split_whitespace() {
            referee.play(text, Spelling::Exact).unwrap();
        }
        let pv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let info = Info {
            score: score.map(ReportedScore::Mate),
            pv: pv.clone(),
            ..Info::default()
        };
        let best = pv.first().cloned().unwrap_or_default();
        check(referee.as_ref(), GameKind::Chess, &best, &info, true).faults
    }

    #[test]
    fn a_line_ends_where_the_game_ends() {
        assert!(faults("f2f3", "e7e5 g2g4 d8h4", None).is_empty());
        let after_mate = faults("f2f3", "e7e5 g2g4 d8h4 a2a3", None);
        assert_eq!(
            after_mate,
            ["its line goes on after the end of the game (Black mates)"]
        );
        let illegal = faults("f2f3", "e7e5 g2g4 d8d4", None);
        assert_eq!(illegal, ["illegal move d8d4 in its line"]);
        // The start position for the third time, and on from there.
        let around = "g1f3 g8f6 f3g1 f6g8";
        assert!(faults(around, around, None).is_empty());
        let on = faults(around, &format!("{around} e2e4"), None);
        assert_eq!(
            on,
            ["its line goes on after the end of the game (Draw by 3-fold repetition)"]
        );
    }

    #[test]
    fn mates_are_as_long_as_they_say() {
        let mate = "e7e5 g2g4 d8h4";
        assert!(faults("f2f3", mate, Some(2)).is_empty());
        assert_eq!(
            faults("f2f3", mate, Some(3)),
            ["mate 3, but its line has 3 plies"]
        );
        assert_eq!(
            faults("f2f3", "e7e5 g2g4 d8g5", Some(2)),
            ["mate 2, but its line does not end with mate"]
        );
        assert!(faults("f2f3 e7e5", "g2g4 d8h4", Some(-1)).is_empty());
        assert_eq!(
            faults("f2f3 e7e5", "g2g4", Some(-1)),
            ["mate -1, but its line has 1 plies"]
        );
    }

    #[test]
    fn a_line_begins_with_the_move() {
        let referee = Rules::of::<Board>().start(None, Styles::default()).unwrap();
        let info = Info {
            pv: vec!["e2e4".to_owned(), "e7e5".to_owned()],
            ..Info::default()
        };
        let checked = check(referee.as_ref(), GameKind::Chess, "d2d4", &info, false);
        assert_eq!(checked.moves, info.pv);
        assert_eq!(
            checked.faults,
            ["bestmove d2d4, but its line began with e2e4"]
        );
    }

    #[test]
    fn not_both_can_give_mate() {
        let mut claims = Claims::default();
        let mate = |n| Some(ReportedScore::Mate(n));
        assert_eq!(claims.add(Side::First, mate(3)), None);
        assert_eq!(claims.add(Side::Second, mate(-3)), None);
        assert!(claims.add(Side::Second, mate(9)).is_some());
        assert_eq!(claims.add(Side::First, None), None);
        assert_eq!(claims.add(Side::Second, mate(8)), None);
    }
}
