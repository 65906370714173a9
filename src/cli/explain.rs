//! The law of repetition in words, English and Chinese: what `twofold judge` tells a player.

use std::fmt::Write;

use clap::ValueEnum;

use crate::cli::judge::Standing;
use crate::game::{GameId, Notation, Outcome, Reason, Side, TextStyle};
use crate::xiangqi::trace::{Excuse, Located, NearMiss, NewThreat, Origin, Trace, TracedMove};
use crate::xiangqi::{Board, Level, Man, PieceKind};

/// A language of explanations.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(super) enum Language {
    /// English.
    En,
    /// Chinese.
    Zh,
}

/// Tells how a game stands.
#[derive(Clone, Copy)]
pub(super) struct Story {
    language: Language,
    game: GameId,
}

impl Story {
    pub fn new(language: Language, game: GameId) -> Story {
        Story { language, game }
    }

    /// The text in this story's language.
    fn pick<'a>(self, english: &'a str, chinese: &'a str) -> &'a str {
        match self.language {
            Language::En => english,
            Language::Zh => chinese,
        }
    }

    fn side(self, side: Side) -> &'static str {
        match (self.game, side) {
            (GameId::Chess, Side::First) => self.pick("White", "白方"),
            (GameId::Xiangqi, Side::First) => self.pick("Red", "红方"),
            (_, Side::Second) => self.pick("Black", "黑方"),
        }
    }

    /// How the game stands or ended, and that moves follow its end if they do.
    pub fn of_ending(self, standing: &Standing, over: Option<usize>) -> String {
        let mut text = match standing.ending {
            None => self.pick("The game goes on.", "对局未结束。").to_owned(),
            Some(ending) => {
                let result = match (ending.outcome, self.language) {
                    (Outcome::Draw, _) => self.pick("Draw", "和棋").to_owned(),
                    (Outcome::Win(side), Language::En) => format!("{} wins", self.side(side)),
                    (Outcome::Win(side), Language::Zh) => format!("{}胜", self.side(side)),
                };
                let rule = self.rule(ending.reason);
                match self.language {
                    Language::En => format!("{result}: {rule}."),
                    Language::Zh => format!("{result}：{rule}。"),
                }
            }
        };
        text.push('\n');
        if let Some(ply) = over {
            text += &match self.language {
                Language::En => format!("Moves follow, but the game was over after ply {ply}.\n"),
                Language::Zh => format!("后面还有着法，但对局在第{ply}着后已经结束。\n"),
            };
        }
        text
    }

    fn rule(self, reason: Reason) -> &'static str {
        match reason {
            Reason::Checkmate => self.pick("checkmate", "将死"),
            Reason::Stalemate => self.pick("no legal move (stalemate)", "困毙"),
            Reason::Repetition if self.game == GameId::Chess => {
                self.pick("the position stands for the third time", "局面第三次出现")
            }
            Reason::Repetition => self.pick(
                "the position stands for the third time, and neither side is more at fault",
                "局面第三次出现，双方不变作和",
            ),
            Reason::PerpetualCheck => {
                self.pick("perpetual check by the other side", "对方长将判负")
            }
            Reason::PerpetualChase => {
                self.pick("perpetual chase by the other side", "对方长捉判负")
            }
            Reason::PerpetualAttack => self.pick(
                "the other side attacked with every move of the cycle",
                "对方着着进攻（将、杀、捉），判负",
            ),
            Reason::MoveCount => match self.game {
                GameId::Chess => {
                    self.pick("fifty moves without capture or pawn move", "五十步规则")
                }
                GameId::Xiangqi => self.pick("the limit of moves without a capture", "自然限着"),
            },
            Reason::Material => self.pick("neither side has the men to win", "双方均无取胜子力"),
        }
    }

    /// What the moves of a cycle did, and where that puts the sides. `first` is the number of
    /// the cycle's first ply; `is_over` says that the cycle has ended the game, not merely begun.
    pub fn of_cycle(self, trace: &Trace, position: &Board, first: usize, is_over: bool) -> String {
        let last = first + trace.moves.len() - 1;
        let mut text = match (self.language, is_over) {
            (Language::En, true) => format!("Cycle: plies {first} to {last}.\n"),
            (Language::Zh, true) => format!("循环：第{first}着至第{last}着。\n"),
            (Language::En, false) => {
                format!("The position stands for the second time; plies {first} to {last}:\n")
            }
            (Language::Zh, false) => format!("局面第二次出现；第{first}着至第{last}着：\n"),
        };
        // Writing into a string cannot fail.
        let _ = writeln!(
            text,
            "{}{}",
            self.pick("Rules: ", "规则："),
            self.rule_set(trace)
        );
        for (index, traced) in trace.moves.iter().enumerate() {
            let number = first + index;
            let m = position.write_move(traced.played, TextStyle::default());
            let who = self.name(traced.man);
            let deed = self.deed(traced);
            let _ = match self.language {
                Language::En => writeln!(text, "{number:>4}. {m} {who}: {deed}"),
                Language::Zh => writeln!(text, "{number:>4}. {m} {who}：{deed}"),
            };
        }
        for side in Side::ALL {
            let _ = writeln!(text, "{}", self.level(trace, position, side));
        }
        if !is_over {
            let _ = writeln!(text, "{}", self.prospect(trace));
        }
        text
    }

    fn rule_set(self, trace: &Trace) -> String {
        use crate::game::RepetitionRule::{Asian, Chinese, Computer, Simple};
        let (english, chinese) = match trace.rule {
            Asian => ("asian", "亚洲规则"),
            Computer => ("computer", "电脑规则"),
            Chinese => ("chinese (an approximation)", "中国规则（近似）"),
            Simple => ("simple (an approximation)", "平台简易规则（近似）"),
        };
        self.pick(english, chinese).to_owned()
    }

    fn prospect(self, trace: &Trace) -> String {
        match (trace.judgement.loser(), self.language) {
            (None, _) => self
                .pick(
                    "Nobody need deviate: another round draws.",
                    "双方不变作和。",
                )
                .to_owned(),
            (Some((side, _)), Language::En) => {
                format!("{} must deviate: another round loses.", self.side(side))
            }
            (Some((side, _)), Language::Zh) => format!("{}必须变着，否则判负。", self.side(side)),
        }
    }

    fn level(self, trace: &Trace, position: &Board, side: Side) -> String {
        let level = match trace.judgement.levels[side.index()] {
            Level::Free => self.pick("not at fault", "允许着法"),
            Level::Chase => self.pick("perpetual chase", "长捉"),
            Level::CheckAndChase => self.pick("check and chase in turn", "一将一捉"),
            Level::PinnedChase => self.pick(
                "perpetual chase of a chariot pinned to a horse's leg",
                "长捉被马牵制之车",
            ),
            Level::Attack => self.pick("attack with every move", "着着进攻"),
            Level::PerpetualCheck => self.pick("perpetual check", "长将"),
        };
        let quarry: Vec<String> = trace.judgement.quarry[side.index()]
            .map(|id| Man::new(!side, id))
            .map(|man| {
                let square = position.placement().square(man.side(), man.id());
                self.located(Located { man, square })
            })
            .collect();
        let mut text = match self.language {
            Language::En => format!("{}: {level}", self.side(side)),
            Language::Zh => format!("{}：{level}", self.side(side)),
        };
        if !quarry.is_empty() {
            text += &match self.language {
                Language::En => format!(", of {}", quarry.join(" and ")),
                Language::Zh => format!("，被捉子：{}", quarry.join("、")),
            };
        }
        text
    }

    fn deed(self, traced: &TracedMove) -> String {
        if traced.gives_check {
            return self.pick("checks", "将").to_owned();
        }
        let mut parts: Vec<String> = Vec::new();
        if traced.threatens_mate {
            parts.push(self.pick("threatens mate", "杀").to_owned());
        }
        parts.extend(traced.threats.iter().map(|threat| self.threat(threat)));
        if traced.threats.is_empty() {
            if parts.is_empty() {
                parts.push(self.pick("idle", "闲").to_owned());
            }
            parts.extend(traced.near_miss.iter().map(|miss| self.near_miss(miss)));
        }
        parts.join(self.pick("; ", "；"))
    }

    fn threat(self, threat: &NewThreat) -> String {
        let hunter = self.located(threat.hunter);
        let victim = self.located(threat.victim);
        let origin = match threat.origin {
            Origin::Direct => self.pick("direct", "直接捉"),
            Origin::Discovered => self.pick("discovered", "闪开捉"),
            Origin::ProtectionGone => self.pick("protection gone", "去根捉"),
        };
        match self.language {
            Language::En => format!("newly threatens {victim}, by {hunter}, {origin}"),
            Language::Zh => format!("{hunter}捉{victim}（{origin}）"),
        }
    }

    fn near_miss(self, miss: &NearMiss) -> String {
        let hunter = self.located(miss.hunter);
        let victim = self.located(miss.victim);
        let excuse = self.excuse(miss.excuse);
        match self.language {
            Language::En => format!("{hunter} attacks {victim}, but {excuse}"),
            Language::Zh => format!("{hunter}攻击{victim}，但{excuse}"),
        }
    }

    fn excuse(self, excuse: Excuse) -> String {
        let plain = |english, chinese| self.pick(english, chinese).to_owned();
        match (excuse, self.language) {
            (Excuse::Standing, _) => plain(
                "it was under threat before the move",
                "该子走棋前已受捉，不算新捉",
            ),
            (Excuse::ByKingOrPawn, _) => {
                plain("a king or a pawn may chase for ever", "将帅和兵卒允许长捉")
            }
            (Excuse::OnHomePawn, _) => plain(
                "a pawn that has not crossed the river may be chased",
                "未过河的兵卒允许长捉",
            ),
            (Excuse::Offer, _) => plain("that is an offer to exchange", "属于兑子"),
            (Excuse::Pinned(by), Language::En) => {
                format!("the attacker is pinned by {}", self.located(by))
            }
            (Excuse::Pinned(by), Language::Zh) => format!("攻击子被{}牵制", self.located(by)),
            (Excuse::Exposing(by), Language::En) => {
                format!("the capture would expose the king to {}", self.located(by))
            }
            (Excuse::Exposing(by), Language::Zh) => {
                format!("吃子后将受{}攻击", self.located(by))
            }
            (Excuse::Protected(by), Language::En) => {
                format!("it is protected by {}", self.located(by))
            }
            (Excuse::Protected(by), Language::Zh) => {
                format!("该子有根（{}保护）", self.located(by))
            }
        }
    }

    /// A man and his square: `Red chariot h9`, `红车h9`.
    fn located(self, located: Located) -> String {
        let name = self.name(located.man);
        match self.language {
            Language::En => format!("{name} {}", located.square),
            Language::Zh => format!("{name}{}", located.square),
        }
    }

    fn name(self, man: Man) -> String {
        let (side, kind) = (man.side(), man.kind());
        match self.language {
            Language::En => format!("{} {}", self.side(side), english_name(kind)),
            Language::Zh => chinese_name(side, kind).to_owned(),
        }
    }
}

const fn english_name(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::King => "king",
        PieceKind::Advisor => "advisor",
        PieceKind::Bishop => "elephant",
        PieceKind::Knight => "horse",
        PieceKind::Rook => "chariot",
        PieceKind::Cannon => "cannon",
        PieceKind::Pawn => "pawn",
    }
}

const fn chinese_name(side: Side, kind: PieceKind) -> &'static str {
    match (side, kind) {
        (Side::First, PieceKind::King) => "红帅",
        (Side::First, PieceKind::Advisor) => "红仕",
        (Side::First, PieceKind::Bishop) => "红相",
        (Side::First, PieceKind::Knight) => "红马",
        (Side::First, PieceKind::Rook) => "红车",
        (Side::First, PieceKind::Cannon) => "红炮",
        (Side::First, PieceKind::Pawn) => "红兵",
        (Side::Second, PieceKind::King) => "黑将",
        (Side::Second, PieceKind::Advisor) => "黑士",
        (Side::Second, PieceKind::Bishop) => "黑象",
        (Side::Second, PieceKind::Knight) => "黑马",
        (Side::Second, PieceKind::Rook) => "黑车",
        (Side::Second, PieceKind::Cannon) => "黑炮",
        (Side::Second, PieceKind::Pawn) => "黑卒",
    }
}
