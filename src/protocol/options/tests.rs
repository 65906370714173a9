//! The table of options, held to the rules of both protocols.

use super::table::{TABLE, named};
use super::*;
use crate::protocol::Dialect;

fn set(options: &mut Options, name: &str, value: &str) -> Result<SetOption, OptionError> {
    options.set(Dialect::Uci, name, Some(value))
}

#[test]
fn the_table_stands_in_the_order_of_the_ids() {
    for (index, spec) in TABLE.iter().enumerate() {
        assert_eq!(spec.id as usize, index);
    }
}

#[test]
fn every_declared_spelling_sets_its_option() {
    for dialect in [Dialect::Uci, Dialect::Ucci] {
        for spec in &TABLE {
            if let Some(name) = spec.name(dialect) {
                let owner = named(name, dialect);
                assert_eq!(owner.map(|s| s.id), Some(spec.id), "{name}");
            }
        }
    }
}

#[test]
fn option_lines_have_the_shape_clients_parse() {
    let uci = Options::new(false).declare(Dialect::Uci);
    for line in [
        "option name Hash type spin default 16 min 1 max 1048576",
        "option name Threads type spin default 1 min 1 max 1024",
        "option name Clear Hash type button",
        "option name Ponder type check default false",
        "option name Move Overhead type spin default 30 min 0 max 5000",
        "option name UCI_Variant type combo default chess var chess var xiangqi",
        "option name UCI_XiangqiRanks type combo default fairy var fairy var pikafish",
    ] {
        assert!(uci.iter().any(|own| own == line), "{line}");
    }
    let ucci = Options::new(false).declare(Dialect::Ucci);
    for line in [
        "option usemillisec type check default true",
        "option hashsize type spin min 0 max 1048576 default 16",
        "option newgame type button",
    ] {
        assert!(ucci.iter().any(|own| own == line), "{line}");
    }
    assert!(ucci.iter().all(|line| !line.contains("draw")));
}

#[test]
fn defaults_tell_of_a_start_as_xiangqi() {
    let lines = Options::new(true).declare(Dialect::Uci);
    let xiangqi = "option name UCI_Variant type combo default xiangqi var chess var xiangqi";
    assert!(lines.iter().any(|line| line == xiangqi));
    assert_eq!(
        Options::new(true).choice(OptionId::XiangqiRanks),
        "pikafish"
    );
}

#[test]
fn opt_1_names_without_case() {
    let mut options = Options::new(false);
    set(&mut options, "mOVE overHEAD", "100").unwrap();
    assert_eq!(options.number(OptionId::MoveOverhead), 100);
    assert!(set(&mut options, "MoveOverhead", "7").is_err());
}

#[test]
fn opt_4_check_values() {
    let mut options = Options::new(false);
    for (text, on) in [("TRUE", true), ("0", false), ("yes", true), ("off", false)] {
        set(&mut options, "Ponder", text).unwrap();
        assert_eq!(options.is_on(OptionId::Ponder), on, "{text}");
    }
    let error = set(&mut options, "Ponder", "perhaps").unwrap_err();
    assert_eq!(
        error.to_string(),
        "Ponder: 'perhaps' is neither true nor false, keeping false"
    );
}

#[test]
fn opt_5_spin_values() {
    let mut options = Options::new(false);
    let note = set(&mut options, "Hash", "0").unwrap().note;
    assert_eq!(note.as_deref(), Some("Hash: 0 out of range, using 1"));
    let error = set(&mut options, "Threads", "many").unwrap_err();
    assert_eq!(
        error.to_string(),
        "Threads: 'many' is not a number, keeping 1"
    );
    set(&mut options, "Threads", "99999999999999999999").unwrap();
    assert_eq!(options.number(OptionId::Threads), 1024);
    set(&mut options, "Hash", " +64 ").unwrap();
    assert_eq!(options.number(OptionId::Hash), 64);
}

#[test]
fn opt_6_combo_values() {
    let mut options = Options::new(false);
    set(&mut options, "UCI_Variant", "XiangQi").unwrap();
    assert_eq!(options.choice(OptionId::Variant), "xiangqi");
    assert!(set(&mut options, "UCI_Variant", "shogi").is_err());
    assert_eq!(options.choice(OptionId::Variant), "xiangqi");
}

#[test]
fn rules_of_xiangqi_in_both_dialects() {
    let uci = Options::new(false).declare(Dialect::Uci);
    let rule = "option name Repetition Rule type combo default asian \
                var asian var computer var chinese var simple";
    let limit = "option name No Capture Limit type spin default 120 min 0 max 1000";
    assert!(uci.iter().any(|line| line == rule) && uci.iter().any(|line| line == limit));
    let ucci = Options::new(false).declare(Dialect::Ucci);
    let rule = "option repetition type combo var asian var computer var chinese var simple \
                default asian";
    assert!(ucci.iter().any(|line| line == rule), "{ucci:?}");

    let mut options = Options::new(false);
    for (old, new) in [("ChineseRule", "chinese"), ("asianrule", "asian")] {
        options.set(Dialect::Ucci, "repetition", Some(old)).unwrap();
        assert_eq!(options.choice(OptionId::RepetitionRule), new);
    }
    let refused = options.set(Dialect::Ucci, "repetition", Some("alwaysdraw"));
    assert!(refused.is_err());
    assert_eq!(options.choice(OptionId::RepetitionRule), "asian");
    options.set(Dialect::Ucci, "natural", Some("0")).unwrap();
    assert_eq!(options.number(OptionId::NoCaptureLimit), 0);
}

#[test]
fn ucci_names_and_automatic_amounts() {
    let mut options = Options::new(false);
    for name in ["hashsize", "HashSize", "hash", "Hash"] {
        let set = options.set(Dialect::Ucci, name, Some("0")).unwrap();
        assert_eq!((set.id, set.note), (OptionId::Hash, None));
    }
    assert_eq!(options.number(OptionId::Hash), 0);
    let pressed = options.set(Dialect::Ucci, "clear_hash", None).unwrap();
    assert_eq!(pressed.id, OptionId::ClearHash);
    assert!(
        options
            .set(Dialect::Ucci, "UCI_Chess960", Some("true"))
            .is_err()
    );
    assert!(
        options
            .set(Dialect::Uci, "usemillisec", Some("false"))
            .is_err()
    );
}
