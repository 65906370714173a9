//! Chinese notation and its letters in.
//!
//! A text is brought to a common alphabet first; then every legal move is spelt in every way that
//! is in use, and the one that fits is meant. What fits several is refused.
//!
//! The common alphabet: `K A B N R C P` for pieces, `1` to `9`, `f m r` for 前 中 后, `+` and `-`
//! for the ways and the letters' positions, `=` and `.` for sideways. In a *spelling*, `~` stands
//! for either sign of a sideways move.

use crate::game::{MoveTextError, Position};
use crate::xiangqi::relative::{Name, Place, Relative, Way};
use crate::xiangqi::{Board, Move, wxf};

impl Board {
    /// Reads a legal move in Chinese notation or in letters: WXF, the xqbase programs', and the
    /// numbered pawns of general variant programs. Traditional characters and the older ways to
    /// name pawns are understood.
    ///
    /// # Errors
    /// A text that is no such move, or a move that is not legal or not the only one meant.
    pub fn parse_relative(&self, text: &str) -> Result<Move, MoveTextError> {
        let text = normal(text).ok_or(MoveTextError::Malformed)?;
        let moves = self.legal_moves();
        let mut meant = moves.iter().filter(|m| self.is_spelt(**m, &text));
        match (meant.next(), meant.next()) {
            (Some(m), None) => Ok(*m),
            _ => Err(MoveTextError::Illegal),
        }
    }

    fn is_spelt(&self, m: Move, text: &str) -> bool {
        Relative::of(self, m).is_some_and(|said| {
            let mut spellings = spellings(&said).into_iter();
            spellings.any(|spelling| fits(&spelling, text))
        })
    }
}

/// Does a text in the common alphabet fit a spelling?
fn fits(spelling: &str, text: &str) -> bool {
    let same = |(wanted, given): (u8, u8)| {
        wanted == given || wanted == b'~' && matches!(given, b'=' | b'.')
    };
    spelling.len() == text.len() && spelling.bytes().zip(text.bytes()).all(same)
}

/// The text in the common alphabet; `None` if it has not the form of a move.
fn normal(text: &str) -> Option<String> {
    let mut normal = String::new();
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        normal.push(common(c)?);
    }
    // The letters E and H, of piece names only: xqbase counts pawns a to e.
    let at = usize::from(normal.starts_with(['+', '-']));
    let letter = match normal.get(at..=at)? {
        "E" => Some("B"),
        "H" => Some("N"),
        _ => None,
    };
    if let Some(letter) = letter {
        normal.replace_range(at..=at, letter);
    }
    let ways = ['+', '-', '=', '.'];
    let tail = normal.len().checked_sub(2)?;
    let has_form = normal.get(tail..)?.starts_with(ways)
        && normal.ends_with(|c: char| c.is_ascii_digit())
        && (2..=3).contains(&tail);
    has_form.then_some(normal)
}

/// A character in the common alphabet.
fn common(c: char) -> Option<char> {
    Some(match c {
        '帅' | '帥' | '将' | '將' => 'K',
        '仕' | '士' => 'A',
        '相' | '象' => 'B',
        '马' | '馬' | '傌' => 'N',
        '车' | '車' | '俥' | '伡' | '砗' | '硨' => 'R',
        '炮' | '砲' | '包' => 'C',
        '兵' | '卒' => 'P',
        '进' | '進' => '+',
        '退' => '-',
        '平' => '=',
        '前' => 'f',
        '中' => 'm',
        '后' | '後' => 'r',
        '一' => '1',
        '二' => '2',
        '三' => '3',
        '四' => '4',
        '五' => '5',
        '六' => '6',
        '七' => '7',
        '八' => '8',
        '九' => '9',
        // The full-width digits, in the order of the plain ones.
        '１'..='９' => char::from_u32(c as u32 - '１' as u32 + '1' as u32)?,
        '1'..='9' | '+' | '-' | '=' | '.' => c,
        // Typographers' signs.
        '＋' => '+',
        '－' | '−' | '–' => '-',
        '＝' => '=',
        '．' => '.',
        'a'..='e' | 'h' | 'k' | 'n' | 'p' | 'r' => c.to_ascii_uppercase(),
        'A'..='E' | 'H' | 'K' | 'N' | 'P' | 'R' => c,
        _ => return None,
    })
}

/// Every spelling of a move that is in use.
fn spellings(said: &Relative) -> Vec<String> {
    let sideways = said.way == Way::Sideways;
    let either = match said.way {
        Way::Forward => '+',
        Way::Backward => '-',
        Way::Sideways => '~',
    };
    let mut spellings: Vec<String> = heads(said)
        .into_iter()
        .map(|head| format!("{head}{either}{}", said.number))
        .collect();
    // What the signs of a sideways move tell apart: the standard's middle pawn and the numbered
    // pawns of other programs. Forward, where nothing tells them apart, the standard has it.
    let (standard, numbered) = doubtful(said);
    let sign = |sign| if sideways { sign } else { either };
    if let Some(head) = standard {
        spellings.push(format!("{head}{}{}", sign('.'), said.number));
    }
    if let Some(head) = numbered {
        let is_standards = !sideways && head.as_bytes()[0] == head.as_bytes()[1];
        if !is_standards {
            spellings.push(format!("{head}{}{}", sign('='), said.number));
        }
    }
    spellings
}

/// The heads after which either sign of a sideways move is as good.
fn heads(said: &Relative) -> Vec<String> {
    let letter = said.kind.letter();
    match said.name {
        Name::File(file) => vec![format!("{letter}{file}")],
        Name::Tandem { file, place } => {
            let mut heads = vec![wxf::tandem(letter, file, place)];
            heads.extend(words(place).map(|word| format!("{word}{letter}")));
            heads.extend(signs(place).map(|sign| format!("{letter}{sign}")));
            heads.extend(signs(place).map(|sign| format!("{sign}{letter}")));
            if place.of > 3 {
                heads.push(counted(letter, place.index + 1));
            }
            heads
        }
        Name::Crowd {
            file,
            place,
            number,
        } => {
            let mut heads = vec![format!("{number}{letter}"), counted(letter, number)];
            heads.extend(words(place).map(|word| format!("{word}{letter}{file}")));
            heads.extend(words(place).map(|word| format!("{word}{file}")));
            if let Some(sign) = signs(place).filter(|sign| *sign != '.') {
                heads.push(format!("{file}{sign}"));
            }
            heads
        }
    }
}

/// xqbase's counted pawns: `Pa` to `Pe`.
fn counted(letter: char, number: u8) -> String {
    format!("{letter}{}", char::from(b'A' + number - 1))
}

/// The words for a place: the usual one and, from four on, the older one with 前 and 后.
fn words(place: Place) -> impl Iterator<Item = char> {
    let count = char::from(b'1' + place.index);
    let usual = match (place.is_front(), place.is_rear()) {
        (true, _) => 'f',
        (_, true) => 'r',
        _ if place.of == 3 => 'm',
        _ => count,
    };
    let number = (place.of > 3 && usual != count).then_some(count);
    [Some(usual), number].into_iter().flatten()
}

/// The sign for a place among two or three.
fn signs(place: Place) -> Option<char> {
    match (place.of, place.is_front(), place.is_rear()) {
        (2 | 3, true, _) => Some('+'),
        (2 | 3, _, true) => Some('-'),
        (3, ..) => Some('.'),
        _ => None,
    }
}

/// The heads with digits alone: the standard's middle pawn, and pawns numbered from the front.
fn doubtful(said: &Relative) -> (Option<String>, Option<String>) {
    let (file, place, is_crowd) = match said.name {
        Name::Crowd { file, place, .. } => (file, place, true),
        Name::Tandem { file, place } if place.of > 2 => (file, place, false),
        _ => return (None, None),
    };
    let is_middle = is_crowd && !place.is_front() && !place.is_rear();
    let standard = is_middle.then(|| format!("{file}{file}"));
    let numbered = format!("{}{file}", place.index + 1);
    (standard, Some(numbered))
}
