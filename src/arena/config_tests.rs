//! Files that are understood, and files whose errors are named with their line.

use super::*;
use crate::arena::config::{DrawRule, Order, Policy, RecordNotation, ResignRule};
use crate::arena::sprt::Model;

const FILE: &str = r#"
[defaults]
options = { Hash = 16, Threads = 1 }

[[engine]]
name = "One"
cmd = "./bin/one"
protocol = "ucci"
options = { usebook = false, style = "risky" }

[[engine]]
name = "Two"
cmd = "two"
protocol = "uci-fairy"
init = ["setoption name UCI_Variant value xiangqi"]
tc = "20+0.2"
restart = "on"

[[match]]
name = "xq"
players = ["One", "Two"]
game = "xiangqi"
type = "gauntlet"
rounds = 50
concurrency = -1
[match.time]
tc = "10+0.1"
timemargin_ms = 30
[match.openings]
file = "xq.epd"
order = "random"
[match.adjudication]
draw = { movenumber = 40, movecount = 8, score = 10 }
resign = { movecount = 3, score = 600, twosided = true }
maxmoves = 300
[match.sprt]
elo0 = 0.0
elo1 = 5.0
model = "logistic"
"#;

fn parse(text: &str) -> Result<ConfigFile, ConfigError> {
    ConfigFile::parse(Path::new("dir/engines.toml"), text.to_owned())
}

#[test]
fn a_whole_file_is_understood() {
    let config = parse(FILE).unwrap().find_match("xq").unwrap();
    assert_eq!(config.game, GameKind::Xiangqi);
    assert_eq!(config.kind, Kind::Gauntlet);
    assert_eq!(
        (config.rounds, config.games, config.concurrency),
        (50, 2, -1)
    );
    assert_eq!(config.dir, Path::new("dir/matches/xq"));
    assert_eq!(config.time_margin, Duration::from_millis(30));
    let openings = config.openings.clone().unwrap();
    assert_eq!(openings.file, Path::new("dir/xq.epd"));
    assert_eq!(openings.order, Order::Random);
    let adjudication = config.adjudication;
    assert_eq!(
        adjudication.draw,
        Some(DrawRule {
            movenumber: 40,
            movecount: 8,
            score: 10
        })
    );
    assert_eq!(
        adjudication.resign,
        Some(ResignRule {
            movecount: 3,
            score: 600,
            twosided: true
        })
    );
    let sprt = config.sprt.unwrap();
    assert_eq!(
        (sprt.model, sprt.alpha, sprt.beta),
        (Model::Logistic, 0.05, 0.05)
    );
    assert!(config.has_pairs());
}

#[test]
fn engines_take_their_own_keys_before_the_defaults() {
    let config = parse(FILE).unwrap().find_match("xq").unwrap();
    let [one, two] = &config.engines[..] else {
        panic!("two engines")
    };
    assert_eq!(one.command, Path::new("dir/./bin/one"));
    assert_eq!(one.protocol, Protocol::Ucci);
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(
        one.options,
        [pair("usebook", "false"), pair("style", "risky")]
    );
    assert_eq!(
        one.default_options,
        [pair("Hash", "16"), pair("Threads", "1")]
    );
    assert!(one.limits.is_empty());
    assert_eq!(two.command, Path::new("two"));
    assert_eq!(two.limits.to_string(), "20+0.2");
    assert_eq!(two.restart, Restart::On);
}

#[test]
fn errors_name_their_line_and_the_nearest_key() {
    for (text, wanted) in [
        (
            "[[engine]]\nname = \"A\"\ncmdd = \"x\"\n",
            "engines.toml:3: unknown key `cmdd`; did you mean `cmd`?",
        ),
        (
            "[[engine]]\nname = \"A\"\ncmd = \"x\"\n[[engine]]\nname = \"A\"\ncmd = \"y\"\n",
            "engines.toml:5: a second engine is named `A`",
        ),
        (
            "[[engine]]\nname = \"A\"\ncmd = \"x\"\ntc = \"fast\"\n",
            "engines.toml:4: time control `fast`",
        ),
        (
            "[[engine]]\nname = \"A\"\n",
            "engines.toml:2: engine `A` has no cmd",
        ),
        (
            "[[engine]]\nname = \"A\"\ncmd = \"\"\n",
            "engines.toml:2: engine `A` has no cmd",
        ),
        (
            "[[engine]]\nname = \"A\"\ncmd = \"x\"\nst = 1e19\n",
            "engines.toml:4: st = 10000000000000000000: seconds from 0",
        ),
        ("[[engine]\n", "engines.toml:1: "),
        (
            "[[engine]]\nname = \"A\"\ncmd = \"x\"\nst = -1\n",
            "engines.toml:4: ",
        ),
    ] {
        let error = parse(text).unwrap_err().to_string();
        assert!(error.contains(wanted), "{error}");
        assert!(!error.contains('\n'));
    }
}

#[test]
fn matches_that_make_no_sense_are_refused() {
    let head = "[[engine]]\nname = \"A\"\ncmd = \"a\"\nprotocol = \"ucci\"\n[[engine]]\nname = \"B\"\ncmd = \"b\"\n[[match]]\nname = \"m\"\n";
    for (rest, wanted) in [
        ("players = [\"A\", \"C\"]\n", "no engine `C`"),
        (
            "players = [\"B\"]\ntime = { st = 1 }\n",
            "at least two players",
        ),
        (
            "players = [\"B\", \"A\"]\ntime = { st = 1 }\n",
            "`A` speaks a language for xiangqi only",
        ),
        (
            "players = [\"A\", \"B\"]\ngame = \"xiangqi\"\n",
            "no time control",
        ),
        (
            "players = [\"A\", \"B\"]\ngame = \"xiangqi\"\ntime = { st = 1 }\nsprt = { elo0 = 5, elo1 = 0 }\n",
            "must be below",
        ),
    ] {
        let file = parse(&format!("{head}{rest}")).unwrap();
        let error = file.find_match("m").unwrap_err().to_string();
        assert!(error.starts_with("dir/engines.toml:9: "), "{error}");
        assert!(error.contains(wanted), "{error}");
    }
    let error = parse(FILE)
        .unwrap()
        .find_match("xp")
        .unwrap_err()
        .to_string();
    assert!(error.contains("did you mean `xq`?"), "{error}");
}

#[test]
fn deadlines_are_scaled_for_those_who_need_it() {
    let deadlines = Deadlines::default().scaled(2.5);
    assert_eq!(deadlines.ping, Duration::from_millis(37_500));
    assert_eq!(deadlines.detect, Duration::from_secs(5));
    let head = "[defaults]\ntscale = 2\n[[engine]]\nname = \"A\"\ncmd = \"a\"\n";
    let file = parse(&format!("{head}tscale = 3.5\n")).unwrap();
    let scale = |text: &str, name| {
        let engine = parse(text).unwrap().engine(name, GameKind::Chess);
        engine.unwrap().time_scale
    };
    assert_eq!(scale(head, "A"), Some(2.0));
    let own = file.engine("A", GameKind::Chess).unwrap();
    assert_eq!(own.time_scale, Some(3.5));
    for bad in ["0", "-1", "nan"] {
        let text = format!(
            "{head}tscale = {bad}\n[[match]]\nname = \"m\"\nplayers = [\"A\", \"self\"]\ntime = {{ st = 1 }}\n"
        );
        let error = parse(&text).unwrap().find_match("m").unwrap_err();
        assert!(error.to_string().contains("a number above 0"), "{error}");
    }
}

#[test]
fn defaults_are_for_every_player_and_their_limits_come_last() {
    let head = "[defaults]\nnodes = 7\nponder = true\ntimemargin_ms = 5\nargs = [\"-q\"]\n\
        [[engine]]\nname = \"A\"\ncmd = \"a\"\n[[engine]]\nname = \"B\"\ncmd = \"b\"\ndepth = 2\n\
        [[match]]\nname = \"m\"\nplayers = [\"A\", \"B\", \"self\", \"cmd=c,ponder=off\"]\n";
    let of = |text: &str| parse(text).unwrap().find_match("m").unwrap();
    let plain = of(head);
    assert_eq!(plain.limits.map(|limits| limits.nodes), [Some(7); 2]);
    let own = plain.engines.iter().map(|engine| engine.limits.depth);
    assert!(own.eq([None, Some(2), None, None]));
    let margins = plain.engines.iter().map(|engine| engine.time_margin);
    assert!(margins.eq([Some(Duration::from_millis(5)); 4]));
    let ponder = plain.engines.iter().map(|engine| engine.ponder);
    assert!(ponder.eq([true, true, true, false]));
    let args: Vec<_> = plain.engines.iter().map(|e| e.args.join(" ")).collect();
    assert_eq!(args, ["-q", "-q", "uci -q", "-q"]);
    let timed = of(&format!("{head}time = {{ st = 1 }}\n"));
    let limits = timed.limits.map(|limits| limits.to_string());
    assert_eq!(limits, ["1/move", "1/move"]);
    let one_off = parse(head).unwrap().one_off();
    assert_eq!(one_off.limits[1].nodes, Some(7));
    for key in ["name", "cmd"] {
        let error = parse(&format!("[defaults]\n{key} = \"x\"\n")).unwrap_err();
        assert!(error.to_string().contains("no name or cmd"), "{error}");
    }
}

#[test]
fn keys_can_be_set_from_the_command_line() {
    let set = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        parse(FILE)
            .unwrap()
            .with_settings(Some(Played::OfFile("xq")), &words)
    };
    let words = [
        "match.rounds=7",
        "match.time.tc=3+0.03",
        "engine.One.options.style=solid",
        "match.output.notation=wxf",
    ];
    let config = set(&words).unwrap().find_match("xq").unwrap();
    assert_eq!(config.rounds, 7);
    assert_eq!(config.limits[0].to_string(), "3+0.03");
    assert_eq!(config.output.notation, Some(RecordNotation::Wxf));
    let style = ("style".to_owned(), "solid".to_owned());
    assert!(config.engines[0].options.contains(&style));
    assert_eq!(config.dir, Path::new("dir/matches/xq"));
    for (word, wanted) in [
        (
            "match.runds=7",
            "--set match.runds=7: unknown key `runds`; did you mean `rounds`?",
        ),
        (
            "match.rounds=many",
            "--set match.rounds=many: the text \"many\", expected a whole number from 0",
        ),
    ] {
        let error = set(&[word]).unwrap_err().to_string();
        assert!(error.starts_with(wanted), "{error}");
        assert!(!error.contains('\n'));
    }
    let error = set(&["match.rounds=0"])
        .unwrap()
        .find_match("xq")
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "dir/engines.toml: rounds and games must be at least 1"
    );
}

#[test]
fn a_table_may_be_set_key_by_key() {
    let text = FILE.split("[match.sprt]").next().unwrap();
    let set = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let file = parse(text).unwrap();
        file.with_settings(Some(Played::OfFile("xq")), &words)
    };
    let file = set(&["match.sprt.elo0=0", "match.rounds=4", "match.sprt.elo1=5"]);
    let sprt = file.unwrap().find_match("xq").unwrap().sprt.unwrap();
    assert_eq!((sprt.elo0, sprt.elo1), (0.0, 5.0));
    let error = set(&["match.rounds=4", "match.sprt.elo0=0", "match.seed=1"]).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("--set match.sprt.elo0=0: missing key"),
        "{error}"
    );
}

#[test]
fn colours_and_openings_may_be_arranged_otherwise() {
    let text = FILE
        .replace("rounds = 50", "rounds = 50\nreverse = true")
        .replace("order = \"random\"", "policy = \"round\"");
    let config = parse(&text).unwrap().find_match("xq").unwrap();
    assert!(config.reverse && config.has_pairs());
    assert_eq!(config.policy(), Policy::Round);
    let swiss = text.replace("gauntlet", "swiss");
    let error = parse(&swiss).unwrap().find_match("xq").unwrap_err();
    assert!(error.to_string().contains("round robins"), "{error}");
}

#[test]
fn self_is_this_program_in_an_entry_of_the_file_too() {
    let text = "[[engine]]\nname = \"Dev\"\ncmd = \"self\"\n\
        [[engine]]\nname = \"Xiangqi\"\ncmd = \"self\"\ngame = \"xiangqi\"\nprotocol = \"uci\"\n";
    let file = parse(text).unwrap();
    let dev = file.engine("Dev", GameKind::Xiangqi).unwrap();
    let inline = file.engine("name=Dev,cmd=self", GameKind::Xiangqi).unwrap();
    assert_eq!(dev, inline);
    assert_eq!(dev.command, std::env::current_exe().unwrap());
    assert_eq!(dev.args, ["ucci"]);
    // The engine's own game goes before the one that is asked for.
    let own = file.engine("Xiangqi", GameKind::Chess).unwrap();
    assert_eq!(own.args, ["uci", "--game", "xiangqi"]);
    assert_eq!(own.only_game(), Some(GameKind::Xiangqi));
}

#[test]
fn a_strict_match_has_strict_openings() {
    let of = |text: &str| {
        let config = parse(text).unwrap().find_match("xq").unwrap();
        config.openings.unwrap().strict
    };
    assert!(!of(FILE));
    assert!(of(
        &FILE.replace("rounds = 50", "rounds = 50\nstrict = true")
    ));
}

#[test]
fn numbers_that_count_begin_at_one() {
    let text = FILE.replace("order = \"random\"", "start = 0");
    let error = |text: &str| {
        parse(text)
            .unwrap()
            .find_match("xq")
            .unwrap_err()
            .to_string()
    };
    assert!(error(&text).ends_with("openings.start = 0: openings count from 1"));
    let config = parse(FILE).unwrap().find_match("xq").unwrap();
    assert_eq!(config.openings.unwrap().start, 1, "where nothing is said");
    for seeds in [0, 3] {
        let text = FILE.replace("rounds = 50", &format!("seeds = {seeds}"));
        let wanted = format!("seeds = {seeds}: a whole number from 1 to the 2 players is expected");
        assert!(error(&text).ends_with(&wanted), "{}", error(&text));
    }
}

#[test]
fn a_match_keeps_to_the_folder_of_matches() {
    for name in ["../../x", "..", "", "/tmp/x", "a\\\\b"] {
        let text = FILE.replace("\"xq\"", &format!("\"{name}\""));
        let error = parse(&text).unwrap_err().to_string();
        assert!(
            error.contains("is no name of a folder in matches"),
            "{error}"
        );
        assert!(error.starts_with("dir/engines.toml:"), "{error}");
    }
}

#[test]
fn keys_may_be_added_to_an_engine_of_the_file() {
    let file = parse(FILE).unwrap();
    let plain = file.engine("One", GameKind::Xiangqi).unwrap();
    assert_eq!(
        file.engine("conf=One", GameKind::Xiangqi),
        Ok(plain.clone())
    );
    let text = "conf=One,name=Other,option.style=solid,tc=5";
    let other = file.engine(text, GameKind::Xiangqi).unwrap();
    assert_eq!(
        (other.name.as_str(), &other.command),
        ("Other", &plain.command)
    );
    let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
    assert_eq!(
        other.options,
        [pair("usebook", "false"), pair("style", "solid")]
    );
    assert_eq!(other.limits.to_string(), "5");
    let error = file.engine("conf=Onee", GameKind::Xiangqi).unwrap_err();
    assert!(error.to_string().contains("did you mean `One`?"), "{error}");
}

#[test]
fn limits_that_leave_nothing_to_do_are_refused() {
    for (time, wanted) in [
        ("nodes = 0", "nodes must be above 0"),
        ("depth = 0", "depth must be above 0"),
        ("st = 0", "st must be above 0"),
    ] {
        let text = FILE.replace("tc = \"10+0.1\"", time);
        let error = parse(&text)
            .unwrap()
            .find_match("xq")
            .unwrap_err()
            .to_string();
        assert!(error.ends_with(wanted), "{error}");
    }
    let own = FILE.replace("tc = \"20+0.2\"", "nodes = 0");
    let error = parse(&own).unwrap().find_match("xq").unwrap_err();
    assert!(error.to_string().contains("nodes must be"), "{error}");
}

#[test]
fn without_a_file_no_message_begins_with_a_blank_name() {
    let file = ConfigFile::default();
    let error = file.engine("nobody", GameKind::Chess).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no engine `nobody`: there is no configuration file"
    );
    assert!(
        file.find_match("m")
            .unwrap_err()
            .to_string()
            .starts_with("no match `m`")
    );
}
