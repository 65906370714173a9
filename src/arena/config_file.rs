//! engines.toml: engines, defaults for all of them, and named matches.
//!
//! Keys that do not exist and values that make no sense are errors with the line they stand in.
//! Relative paths are relative to the file.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;
use toml::{Spanned, Table, Value};

use crate::arena::config::{
    Adjudication, ConfigError, Deadlines, EngineConfig, GameKind, Kind, MatchConfig,
    OpeningsConfig, Output, Protocol, Restart, Scoring, StartFailure,
};
use crate::arena::config_set;
use crate::arena::folder;
use crate::arena::hints::{describe, hint, in_words, line_of};
use crate::arena::inline;
use crate::arena::sprt::Sprt;
use crate::arena::time_control::{self, ClockTerms, Limits};
use crate::game::{RepetitionRule, Rules};

/// What no match of a file is called: its name would be a path.
const ONE_OFF: &str = "/";

/// A configuration file that was read and found sound.
#[derive(Debug, Default)]
pub struct ConfigFile {
    path: PathBuf,
    text: String,
    keys: FileKeys,
    /// Keys of a match that is none of the file's.
    one_off: Option<MatchKeys>,
}

/// The match that is to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Played<'a> {
    /// One of the configuration file.
    OfFile(&'a str),
    /// One whose players are given on the command line.
    OneOff,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FileKeys {
    defaults: EngineKeys,
    engine: Vec<EngineKeys>,
    #[serde(rename = "match")]
    matches: Vec<MatchKeys>,
}

/// A number of seconds.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "f64")]
struct Seconds(Duration);

impl TryFrom<f64> for Seconds {
    type Error = String;

    fn try_from(value: f64) -> Result<Seconds, String> {
        time_control::move_time(value).map(Seconds)
    }
}

/// A rule set for repetitions, by name.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(try_from = "String")]
struct RuleName(RepetitionRule);

impl TryFrom<String> for RuleName {
    type Error = String;

    fn try_from(name: String) -> Result<RuleName, String> {
        let rule = name.parse().map_err(|e| format!("'{name}': {e}"))?;
        Ok(RuleName(rule))
    }
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct EngineKeys {
    name: Option<Spanned<String>>,
    cmd: Option<String>,
    args: Option<Vec<String>>,
    dir: Option<PathBuf>,
    protocol: Option<Protocol>,
    game: Option<GameKind>,
    init: Option<Vec<String>>,
    options: Table,
    env: BTreeMap<String, String>,
    tc: Option<ClockTerms>,
    st: Option<Seconds>,
    nodes: Option<u64>,
    depth: Option<u32>,
    timemargin_ms: Option<u64>,
    tscale: Option<f64>,
    stop_ms: Option<u64>,
    restart: Option<Restart>,
    ponder: Option<bool>,
    whitepov: Option<bool>,
    stderr: Option<PathBuf>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct TimeKeys {
    tc: Option<ClockTerms>,
    tc_white: Option<ClockTerms>,
    tc_black: Option<ClockTerms>,
    st: Option<Seconds>,
    nodes: Option<u64>,
    depth: Option<u32>,
    timemargin_ms: u64,
    move_timeout_ms: Option<u64>,
    ping_ms: Option<u64>,
    startup_ms: Option<u64>,
    detect_ms: Option<u64>,
    ucinewgame_ms: Option<u64>,
    stop_ms: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct MatchKeys {
    name: Spanned<String>,
    players: Vec<String>,
    game: Option<GameKind>,
    #[serde(default, rename = "type")]
    kind: Kind,
    seeds: Option<usize>,
    rounds: Option<u64>,
    games: Option<u64>,
    noswap: Option<bool>,
    reverse: Option<bool>,
    repeat: Option<bool>,
    concurrency: Option<i64>,
    seed: Option<u64>,
    recover: Option<bool>,
    max_crashes: Option<u32>,
    on_start_failure: Option<StartFailure>,
    flag_material: Option<bool>,
    strict: Option<bool>,
    check_mate_pvs: Option<bool>,
    repetition: Option<RuleName>,
    no_capture_limit: Option<u16>,
    ban: Option<bool>,
    accept_offers: Option<bool>,
    affinity: Option<bool>,
    #[serde(default)]
    scoring: Scoring,
    wait_ms: Option<u64>,
    event: Option<String>,
    site: Option<String>,
    #[serde(default)]
    time: TimeKeys,
    openings: Option<OpeningsConfig>,
    #[serde(default)]
    adjudication: Adjudication,
    sprt: Option<Sprt>,
    #[serde(default)]
    output: Output,
}

impl MatchKeys {
    /// The rules of the game, as far as they are chosen.
    fn law(&self) -> Rules {
        let plies = self.no_capture_limit.unwrap_or(Rules::NO_CAPTURE_LIMIT);
        Rules {
            repetition: self
                .repetition
                .map_or_else(RepetitionRule::default, |r| r.0),
            no_capture_limit: Some(plies).filter(|plies| *plies > 0),
        }
    }
}

impl ConfigFile {
    /// Reads a file.
    ///
    /// # Errors
    /// One line with file and line number: unreadable, not TOML, unknown key, bad value, a name
    /// given twice, an unnamed engine.
    pub fn load(path: &Path) -> Result<ConfigFile, ConfigError> {
        let text = std::fs::read_to_string(path)
            .map_err(|e| ConfigError(format!("{}: {e}", path.display())))?;
        ConfigFile::parse(path, text)
    }

    /// Reads the text of a file; `path` names it in messages and is where relative paths start.
    ///
    /// # Errors
    /// As [`ConfigFile::load`].
    pub fn parse(path: &Path, text: String) -> Result<ConfigFile, ConfigError> {
        let keys = toml::from_str(&text).map_err(|e| describe(path, &text, &e))?;
        let file = ConfigFile {
            path: path.to_owned(),
            text,
            keys,
            one_off: None,
        };
        file.check_names()?;
        Ok(file)
    }

    /// The same with keys set from the command line, those of the match that is played among them:
    /// see [`config_set`].
    ///
    /// # Errors
    /// Settings that are not of that form, unknown keys, bad values.
    pub fn with_settings(
        self,
        played: Option<Played<'_>>,
        words: &[String],
    ) -> Result<ConfigFile, ConfigError> {
        if words.is_empty() {
            return Ok(self);
        }
        let fail = |word: &str, why: &dyn ToString| {
            ConfigError(format!("--set {word}: {}", why.to_string()))
        };
        let mut file: Table =
            toml::from_str(&self.text).map_err(|e| describe(&self.path, &self.text, &e))?;
        let mut keys = self.keys;
        let match_name = played.map(|played| match played {
            Played::OfFile(name) => name,
            Played::OneOff => {
                let table = [
                    ("name", ONE_OFF.into()),
                    ("players", Value::Array(Vec::new())),
                ];
                let table = table.map(|(key, value): (&str, Value)| (key.to_owned(), value));
                config_set::add_match(&mut file, table.into_iter().collect());
                ONE_OFF
            }
        });
        // Some tables make no sense before the last of their keys is set; what is wrong then came
        // with the first word after which it stayed wrong.
        let mut wrong = None;
        for word in words {
            config_set::apply(&mut file, match_name, word)?;
            let text = toml::to_string(&file).map_err(|e| fail(word, &e))?;
            match toml::from_str(&text) {
                Ok(read) => (keys, wrong) = (read, None),
                Err(e) => wrong = wrong.or_else(|| Some(fail(word, &in_words(&e)))),
            }
        }
        if let Some(error) = wrong {
            return Err(error);
        }
        // The lines of the file are no longer those of its keys.
        let text = String::new();
        let one_off = keys.matches.pop_if(|last| last.name.as_ref() == ONE_OFF);
        let file = ConfigFile {
            text,
            keys,
            one_off,
            ..self
        };
        file.check_names()?;
        Ok(file)
    }

    fn check_names(&self) -> Result<(), ConfigError> {
        let EngineKeys { name, cmd, .. } = &self.keys.defaults;
        if name.is_some() || cmd.is_some() {
            let span = name.as_ref().map_or(0..0, Spanned::span);
            return Err(self.error(
                span,
                "defaults are of all engines: they have no name or cmd",
            ));
        }
        let mut names: Vec<&Spanned<String>> = Vec::new();
        for engine in &self.keys.engine {
            let Some(name) = &engine.name else {
                let cmd = engine.cmd.as_deref().unwrap_or("?");
                return Err(self.error(0..0, &format!("the engine with cmd = {cmd:?} has no name")));
            };
            if engine.cmd.as_ref().is_none_or(|cmd| cmd.is_empty()) {
                return Err(self.error(
                    name.span(),
                    &format!("engine `{}` has no cmd", name.as_ref()),
                ));
            }
            names.push(name);
        }
        self.check_unique(&names, "engine")?;
        let matches: Vec<&Spanned<String>> = self.keys.matches.iter().map(|m| &m.name).collect();
        if let Some(name) = matches.iter().find(|n| !folder::is_plain_name(n.as_ref())) {
            let message = format!("`{}` is no name of a folder in matches", name.as_ref());
            return Err(self.error(name.span(), &message));
        }
        self.check_unique(&matches, "match")
    }

    fn check_unique(&self, names: &[&Spanned<String>], what: &str) -> Result<(), ConfigError> {
        for (i, name) in names.iter().enumerate() {
            if names[..i].iter().any(|n| n.as_ref() == name.as_ref()) {
                let message = format!("a second {what} is named `{}`", name.as_ref());
                return Err(self.error(name.span(), &message));
            }
        }
        Ok(())
    }

    fn error(&self, span: Range<usize>, message: &str) -> ConfigError {
        let path = self.path.display();
        if self.text.is_empty() {
            return ConfigError(format!("{path}: {message}"));
        }
        let line = line_of(&self.text, span.start);
        ConfigError(format!("{path}:{line}: {message}"))
    }

    /// Names of all engines.
    pub fn engine_names(&self) -> Vec<&str> {
        self.keys
            .engine
            .iter()
            .filter_map(|e| e.name.as_ref())
            .map(|n| n.as_ref().as_str())
            .collect()
    }

    /// Names of all matches.
    pub fn match_names(&self) -> Vec<&str> {
        self.keys
            .matches
            .iter()
            .map(|m| m.name.as_ref().as_str())
            .collect()
    }

    /// The engine that a player is: a name of this file, `self`, or keys given inline, the first of
    /// which may be `conf=NAME` for those of an engine of this file.
    ///
    /// # Errors
    /// An unknown name, with the nearest known one; bad inline keys.
    pub fn engine(&self, player: &str, game: GameKind) -> Result<EngineConfig, ConfigError> {
        let unknown = |name: &str| self.unknown("engine", name, &self.engine_names());
        let mut engine = match (self.keys_of(player), inline::of_file(player)) {
            (Some(keys), _) => self.named_engine(keys, game)?,
            (None, Some((name, more))) => {
                let keys = self.keys_of(&name).ok_or_else(|| unknown(&name))?;
                inline::with(self.named_engine(keys, game)?, &more)?
            }
            (None, None) if player == inline::SELF || player.contains('=') => {
                let mut engine = inline::parse(player, self.base(), game)?;
                let args = self.keys.defaults.args.iter().flatten();
                engine.args.extend(args.cloned());
                engine
            }
            (None, None) => return Err(unknown(player)),
        };
        engine.default_options = option_texts(&self.keys.defaults.options);
        Ok(engine)
    }

    fn keys_of(&self, engine: &str) -> Option<&EngineKeys> {
        let is_it = |name: &Spanned<String>| name.as_ref() == engine;
        let mut engines = self.keys.engine.iter();
        engines.find(|keys| keys.name.as_ref().is_some_and(is_it))
    }

    /// What `[defaults]` says of every player: all but arguments, and limits, which those of a
    /// match come before.
    fn base(&self) -> EngineConfig {
        let keys = &self.keys.defaults;
        EngineConfig {
            dir: keys.dir.as_ref().map(|dir| self.absolute(dir)),
            protocol: keys.protocol.unwrap_or_default(),
            game: keys.game,
            init: keys.init.clone().unwrap_or_default(),
            env: keys.env.clone(),
            time_margin: keys.timemargin_ms.map(Duration::from_millis),
            time_scale: keys.tscale,
            stop_time: keys.stop_ms.map(Duration::from_millis),
            restart: keys.restart.unwrap_or_default(),
            ponder: keys.ponder.unwrap_or_default(),
            first_side_scores: keys.whitepov.unwrap_or_default(),
            stderr: keys.stderr.as_ref().map(|path| self.absolute(path)),
            ..EngineConfig::default()
        }
    }

    fn named_engine(&self, keys: &EngineKeys, game: GameKind) -> Result<EngineConfig, ConfigError> {
        let base = self.base();
        let mut env = base.env;
        env.extend(keys.env.clone());
        let name = keys.name.as_ref().map(|name| name.as_ref().clone());
        let args = keys.args.as_ref().or(self.keys.defaults.args.as_ref());
        let dir = keys.dir.as_ref().map(|dir| self.absolute(dir));
        let stderr = keys.stderr.as_ref().map(|path| self.absolute(path));
        let millis = |own: Option<u64>, base| own.map(Duration::from_millis).or(base);
        let mut engine = EngineConfig {
            name: name.unwrap_or_default(),
            command: self.program(keys.cmd.as_deref().unwrap_or_default()),
            args: args.cloned().unwrap_or_default(),
            dir: dir.or(base.dir),
            protocol: keys.protocol.unwrap_or(base.protocol),
            game: keys.game.or(base.game),
            init: keys.init.clone().unwrap_or(base.init),
            options: option_texts(&keys.options),
            default_options: Vec::new(),
            env,
            limits: keys.limits(),
            time_margin: millis(keys.timemargin_ms, base.time_margin),
            time_scale: keys.tscale.or(base.time_scale),
            stop_time: millis(keys.stop_ms, base.stop_time),
            restart: keys.restart.unwrap_or(base.restart),
            ponder: keys.ponder.unwrap_or(base.ponder),
            first_side_scores: keys.whitepov.unwrap_or(base.first_side_scores),
            stderr: stderr.or(base.stderr),
        };
        inline::complete_self(&mut engine, game)?;
        Ok(engine)
    }

    /// The limits of a match, or where it has none those of `[defaults]`.
    fn limits(&self, of_match: [Limits; 2]) -> [Limits; 2] {
        match of_match.iter().all(Limits::is_empty) {
            true => [self.keys.defaults.limits(); 2],
            false => of_match,
        }
    }

    /// A command with a directory in it is relative to the file; a bare name is searched for.
    fn program(&self, cmd: &str) -> PathBuf {
        let path = Path::new(cmd);
        if path.components().count() > 1 {
            self.absolute(path)
        } else {
            path.to_owned()
        }
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        let base = self.path.parent().unwrap_or(Path::new(""));
        base.join(path)
    }

    fn unknown(&self, what: &str, name: &str, known: &[&str]) -> ConfigError {
        let hint = hint(name, known);
        if self.path.as_os_str().is_empty() {
            return ConfigError(format!(
                "no {what} `{name}`{hint}: there is no configuration file"
            ));
        }
        ConfigError(format!(
            "{} has no {what} `{name}`{hint}",
            self.path.display()
        ))
    }

    /// The named match, its engines looked up.
    ///
    /// # Errors
    /// An unknown match or engine, or a match that makes no sense.
    pub fn find_match(&self, name: &str) -> Result<MatchConfig, ConfigError> {
        let keys = self.keys.matches.iter().find(|m| m.name.as_ref() == name);
        let keys = keys.ok_or_else(|| self.unknown("match", name, &self.match_names()))?;
        self.typed_match(keys)
            .map_err(|e| self.error(keys.name.span(), &e.0))
    }

    fn typed_match(&self, keys: &MatchKeys) -> Result<MatchConfig, ConfigError> {
        let game = keys.game.unwrap_or_default();
        let engines = keys.players.iter().map(|player| self.engine(player, game));
        MatchConfig {
            engines: engines.collect::<Result<_, _>>()?,
            ..self.without_engines(keys)
        }
        .validated()
    }

    /// A match whose players are given on the command line, without them: it has the keys that were
    /// set there, and is still to be validated.
    pub fn one_off(&self) -> MatchConfig {
        let plain = MatchConfig::default();
        match &self.one_off {
            Some(keys) => MatchConfig {
                event: keys.event.clone().unwrap_or(plain.event),
                ..self.without_engines(keys)
            },
            None => MatchConfig {
                limits: self.limits(plain.limits),
                ..plain
            },
        }
    }

    fn without_engines(&self, keys: &MatchKeys) -> MatchConfig {
        let plain = MatchConfig::default();
        let game = keys.game.unwrap_or_default();
        let name = keys.name.as_ref().clone();
        let openings = keys.openings.clone().map(|openings| OpeningsConfig {
            file: self.absolute(&openings.file),
            ..openings
        });
        MatchConfig {
            dir: self.absolute(&Path::new("matches").join(&name)),
            game,
            engines: Vec::new(),
            kind: keys.kind,
            seeds: keys.seeds.unwrap_or(plain.seeds),
            rounds: keys.rounds.unwrap_or(plain.rounds),
            games: keys.games.unwrap_or(plain.games),
            swap: !keys.noswap.unwrap_or(false),
            reverse: keys.reverse.unwrap_or(false),
            repeat: keys.repeat.unwrap_or(true),
            concurrency: keys.concurrency.unwrap_or(plain.concurrency),
            seed: keys.seed.unwrap_or(plain.seed),
            recover: keys.recover.unwrap_or(true),
            max_crashes: keys.max_crashes.unwrap_or(plain.max_crashes),
            on_start_failure: keys.on_start_failure.unwrap_or_default(),
            limits: self.limits(keys.time.limits()),
            time_margin: Duration::from_millis(keys.time.timemargin_ms),
            move_timeout: millis_or(keys.time.move_timeout_ms, plain.move_timeout),
            deadlines: keys.time.deadlines(),
            openings,
            adjudication: keys.adjudication,
            law: keys.law(),
            ban: keys.ban,
            accept_offers: keys.accept_offers.unwrap_or(plain.accept_offers),
            flag_material: keys.flag_material.unwrap_or(true),
            strict: keys.strict.unwrap_or(false),
            check_mate_pvs: keys.check_mate_pvs.unwrap_or(false),
            sprt: keys.sprt,
            output: keys.output.clone(),
            scoring: keys.scoring,
            wait: millis_or(keys.wait_ms, plain.wait),
            affinity: keys.affinity.unwrap_or(false),
            event: keys.event.clone().unwrap_or_else(|| name.clone()),
            site: keys.site.clone().unwrap_or(plain.site),
            name,
        }
    }
}

impl EngineKeys {
    fn limits(&self) -> Limits {
        Limits {
            clock: self.tc,
            move_time: self.st.map(|s| s.0),
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}

impl TimeKeys {
    fn limits(&self) -> [Limits; 2] {
        [self.tc_white, self.tc_black].map(|own| Limits {
            clock: own.or(self.tc),
            move_time: self.st.map(|s| s.0),
            nodes: self.nodes,
            depth: self.depth,
        })
    }

    fn deadlines(&self) -> Deadlines {
        let plain = Deadlines::default();
        Deadlines {
            start: millis_or(self.startup_ms, plain.start),
            detect: millis_or(self.detect_ms, plain.detect),
            ping: millis_or(self.ping_ms, plain.ping),
            new_game: millis_or(self.ucinewgame_ms, plain.new_game),
            stop: millis_or(self.stop_ms, plain.stop),
            write: plain.write,
        }
    }
}

fn millis_or(millis: Option<u64>, otherwise: Duration) -> Duration {
    millis.map_or(otherwise, Duration::from_millis)
}

/// Option values as the protocols write them.
fn option_texts(options: &Table) -> Vec<(String, String)> {
    let text = |value: &Value| match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    options
        .iter()
        .map(|(name, value)| (name.clone(), text(value)))
        .collect()
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
