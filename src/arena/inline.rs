//! Engines given on the command line: `cmd=PATH,proto=ucci,option.hashsize=64`, or `self`.
//!
//! Keys are those of cutechess-cli and fastchess. A comma inside a value is written `\,`.

use std::path::PathBuf;
use std::time::Duration;

use crate::arena::config::{ConfigError, EngineConfig, GameKind, Protocol, Restart};
use crate::arena::hints::hint;
use crate::arena::plain_words::value_of;
use crate::arena::time_control;

/// The name of this very program as a player.
pub const SELF: &str = "self";

const KEYS: [&str; 23] = [
    "name",
    "cmd",
    "dir",
    "arg",
    "args",
    "proto",
    "init",
    "initstr",
    "tc",
    "hg",
    "st",
    "nodes",
    "depth",
    "plies",
    "timemargin",
    "tscale",
    "stop_ms",
    "restart",
    "ponder",
    "whitepov",
    "stderr",
    "env",
    "option",
];

/// Reads an engine, whose keys add to those of `base`; without a name it is called after its
/// program.
///
/// # Errors
/// An unknown key, with the nearest one; a value that cannot be read; no command.
pub fn parse(text: &str, base: EngineConfig, game: GameKind) -> Result<EngineConfig, ConfigError> {
    let mut parts = split(text);
    let mut engine = base;
    if parts.first().is_some_and(|first| first == SELF) {
        engine.command = PathBuf::from(parts.remove(0));
    }
    engine = with(engine, &parts)?;
    complete_self(&mut engine, game)?;
    if engine.command.as_os_str().is_empty() {
        return Err(ConfigError(format!(
            "`{text}`: a player is an engine of the file, `self`, or keys with cmd=PROGRAM"
        )));
    }
    if engine.name.is_empty() {
        let stem = engine.command.file_stem().unwrap_or_default();
        engine.name = stem.to_string_lossy().into_owned();
    }
    Ok(engine)
}

/// The engine of the configuration file that a text names in front, `conf=NAME`, and further keys.
pub fn of_file(text: &str) -> Option<(String, Vec<String>)> {
    let mut parts = split(text);
    let name = parts.first()?.strip_prefix("conf=")?.to_owned();
    parts.remove(0);
    Some((name, parts))
}

/// An engine with further keys, `key=value` each.
///
/// # Errors
/// As [`parse`].
pub fn with(mut engine: EngineConfig, parts: &[String]) -> Result<EngineConfig, ConfigError> {
    for part in parts {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| ConfigError(format!("`{part}` is not key=value")))?;
        set(&mut engine, key, value)?;
    }
    Ok(engine)
}

/// Splits at commas that no backslash protects.
fn split(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, parts.last_mut()) {
            ('\\', Some(part)) if chars.peek() == Some(&',') => {
                part.extend(chars.next());
            }
            (',', _) => parts.push(String::new()),
            (c, Some(part)) => part.push(c),
            (_, None) => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Sets one key, from the command line or from `--each`.
///
/// # Errors
/// As [`parse`].
pub fn set(engine: &mut EngineConfig, key: &str, value: &str) -> Result<(), ConfigError> {
    if let Some(option) = key.strip_prefix("option.") {
        let is_other = |(name, _): &(String, String)| !name.eq_ignore_ascii_case(option);
        engine.options.retain(is_other);
        engine.options.push((option.to_owned(), value.to_owned()));
        return Ok(());
    }
    match key {
        "name" => engine.name = value.to_owned(),
        "cmd" => engine.command = PathBuf::from(value),
        "dir" => engine.dir = Some(PathBuf::from(value)),
        "arg" => engine.args.push(value.to_owned()),
        "args" => engine
            .args
            .extend(value.split_whitespace().map(str::to_owned)),
        "proto" => engine.protocol = protocol(value)?,
        "init" | "initstr" => engine.init.push(value.to_owned()),
        "tc" if value == "inf" => engine.limits.clock = None,
        "tc" => engine.limits.clock = Some(number(key, value)?),
        "hg" => engine.limits.clock = Some(number(key, &format!("{value}hg"))?),
        "st" => {
            let time = time_control::move_time(number(key, value)?).map_err(ConfigError)?;
            engine.limits.move_time = Some(time);
        }
        "nodes" => engine.limits.nodes = Some(number(key, value)?),
        "depth" | "plies" => engine.limits.depth = Some(number(key, value)?),
        "timemargin" => engine.time_margin = Some(Duration::from_millis(number(key, value)?)),
        "tscale" => engine.time_scale = Some(number(key, value)?),
        "stop_ms" => engine.stop_time = Some(Duration::from_millis(number(key, value)?)),
        "restart" => engine.restart = restart(value)?,
        "ponder" => engine.ponder = flag(key, value)?,
        "whitepov" => engine.first_side_scores = flag(key, value)?,
        "stderr" => engine.stderr = Some(PathBuf::from(value)),
        "env" => set_env(engine, value)?,
        _ => return Err(unknown(key)),
    }
    Ok(())
}

fn unknown(key: &str) -> ConfigError {
    let hint = hint(key, &KEYS);
    ConfigError(format!("unknown engine key `{key}`{hint}"))
}

/// Turns the command `self` into this program, in the language of its game unless told otherwise.
/// Arguments that were given stand as they are. Any other engine stays as it is.
///
/// # Errors
/// The system does not say where this program is.
pub fn complete_self(engine: &mut EngineConfig, game: GameKind) -> Result<(), ConfigError> {
    if engine.command.as_os_str() != SELF {
        return Ok(());
    }
    let game = engine.only_game().unwrap_or(game);
    engine.command = std::env::current_exe()
        .map_err(|e| ConfigError(format!("cannot find this program: {e}")))?;
    if engine.name.is_empty() {
        engine.name = SELF.to_owned();
    }
    if engine.protocol == Protocol::Auto {
        engine.protocol = match game {
            GameKind::Xiangqi => Protocol::Ucci,
            GameKind::Chess | GameKind::Chess960 => Protocol::Uci,
        };
    }
    let words: &[&str] = match (engine.protocol, game) {
        (Protocol::Ucci, _) => &["ucci"],
        (_, GameKind::Xiangqi) => &["uci", "--game", "xiangqi"],
        (_, GameKind::Chess | GameKind::Chess960) => &["uci"],
    };
    if engine.args.is_empty() {
        engine.args = words.iter().map(|&word| word.to_owned()).collect();
    }
    Ok(())
}

fn set_env(engine: &mut EngineConfig, value: &str) -> Result<(), ConfigError> {
    let (name, value) = value
        .split_once(':')
        .ok_or_else(|| ConfigError(format!("env={value} is not env=NAME:VALUE")))?;
    engine.env.insert(name.to_owned(), value.to_owned());
    Ok(())
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, ConfigError>
where
    T::Err: std::fmt::Display,
{
    value_of(key, value).map_err(ConfigError)
}

fn protocol(value: &str) -> Result<Protocol, ConfigError> {
    match value {
        "auto" => Ok(Protocol::Auto),
        "uci" => Ok(Protocol::Uci),
        "ucci" => Ok(Protocol::Ucci),
        "uci-fairy" => Ok(Protocol::UciFairy),
        "uci-pikafish" => Ok(Protocol::UciPikafish),
        _ => Err(ConfigError(format!(
            "proto={value} is none of auto, uci, ucci, uci-fairy, uci-pikafish"
        ))),
    }
}

fn restart(value: &str) -> Result<Restart, ConfigError> {
    match value {
        "auto" => Ok(Restart::Auto),
        "on" => Ok(Restart::On),
        "off" => Ok(Restart::Off),
        _ => Err(ConfigError(format!(
            "restart={value} is none of auto, on, off"
        ))),
    }
}

fn flag(key: &str, value: &str) -> Result<bool, ConfigError> {
    match value {
        "true" | "on" | "1" => Ok(true),
        "false" | "off" | "0" => Ok(false),
        _ => Err(ConfigError(format!(
            "{key}={value} is neither true nor false"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn parse(text: &str, game: GameKind) -> Result<EngineConfig, ConfigError> {
        super::parse(text, EngineConfig::default(), game)
    }

    #[test]
    fn keys_are_read() {
        let text = r"cmd=./a,proto=ucci,option.hashsize=64,option.book files=x\,y,tc=1+0.01,arg=-q,timemargin=20";
        let engine = parse(text, GameKind::Xiangqi).unwrap();
        assert_eq!(engine.name, "a");
        assert_eq!(engine.protocol, Protocol::Ucci);
        assert_eq!(engine.options[0], ("hashsize".into(), "64".into()));
        assert_eq!(engine.options[1], ("book files".into(), "x,y".into()));
        assert_eq!(engine.limits.to_string(), "1+0.01");
        assert_eq!(engine.args, ["-q"]);
        assert_eq!(engine.hash(), 64);
        assert_eq!(engine.time_margin, Some(Duration::from_millis(20)));
        let twice = parse("cmd=a,option.Hash=1,option.hash=2", GameKind::Chess).unwrap();
        assert_eq!(twice.hash(), 2, "the last one counts");
        let slow = parse("cmd=./a,hg=1:30,tscale=2.5", GameKind::Chess).unwrap();
        assert_eq!(slow.limits.to_string(), "90hg");
        assert_eq!(slow.time_scale, Some(2.5));
    }

    #[test]
    fn self_is_this_program_in_the_language_of_the_game() {
        let this = std::env::current_exe().unwrap();
        for (game, protocol) in [
            (GameKind::Chess, Protocol::Uci),
            (GameKind::Xiangqi, Protocol::Ucci),
        ] {
            let engine = parse("self,option.Threads=2", game).unwrap();
            assert_eq!(engine.command, this);
            assert_eq!(engine.protocol, protocol);
            assert_eq!(engine.threads(), 2);
        }
        let named = parse("name=dev,cmd=self,proto=uci", GameKind::Xiangqi).unwrap();
        assert_eq!(
            (named.name.as_str(), named.protocol),
            ("dev", Protocol::Uci)
        );
        assert_eq!(named.args, ["uci", "--game", "xiangqi"]);
        // The language says which game it is, where nothing else does.
        let fairy = parse("cmd=self,proto=uci-fairy", GameKind::Chess).unwrap();
        assert_eq!(fairy.args, named.args);
        let own = parse("cmd=self,arg=uci,arg=--threads=2", GameKind::Chess).unwrap();
        assert_eq!(own.args, ["uci", "--threads=2"]);
    }

    #[test]
    fn errors_are_named() {
        for (text, wanted) in [
            ("cmd=a,prto=uci", "did you mean `proto`?"),
            ("name=a", "with cmd=PROGRAM"),
            ("cmd=", "with cmd=PROGRAM"),
            ("cmd=a,uci", "is not key=value"),
            ("cmd=a,depth=deep", "depth=deep"),
            ("cmd=a,st=-3", "st = -3: seconds from 0"),
            ("cmd=a,st=1e19", "seconds from 0"),
            ("cmd=a,ponder=maybe", "neither true nor false"),
        ] {
            let error = parse(text, GameKind::Chess).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
        // `option` has its letters, and is not like it.
        let error = parse("cmd=a,foo=1", GameKind::Chess).unwrap_err();
        assert_eq!(error.to_string(), "unknown engine key `foo`");
        assert_eq!(
            parse("cmd=./x", GameKind::Chess).unwrap().command,
            Path::new("./x")
        );
    }
}
