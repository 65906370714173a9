//! `twofold match cli`: command lines as cutechess-cli and fastchess take them.
//!
//! They are turned into our own: one dash becomes two, an engine's words one text. What either
//! runner has and this one does not is refused by name, so that no match is played otherwise than
//! its user believes. Words with two dashes (`--resume`, `--out`) pass as they are.

use std::path::Path;

use crate::arena::config::ConfigError;
use crate::arena::hints::nearest;

/// Options with the same words behind them in both styles, and what they are called here.
const SAME: [(&str, &str); 20] = [
    ("variant", "--game"),
    ("concurrency", "--concurrency"),
    ("maxmoves", "--maxmoves"),
    ("event", "--event"),
    ("site", "--site"),
    ("seeds", "--seeds"),
    ("srand", "--srand"),
    ("wait", "--wait"),
    ("ratinginterval", "--ratinginterval"),
    ("scoreinterval", "--scoreinterval"),
    ("output", "--output"),
    ("draw", "--draw"),
    ("resign", "--resign"),
    ("openings", "--openings"),
    ("sprt", "--sprt"),
    ("noswap", "--noswap"),
    ("reverse", "--reverse"),
    ("startup-ms", "--startup-ms"),
    ("ucinewgame-ms", "--ucinewgame-ms"),
    ("ping-ms", "--ping-ms"),
];

/// Options without words behind them.
const FLAGS: [(&str, &str); 4] = [
    ("strict", "--strict"),
    ("use-affinity", "--affinity"),
    ("force-concurrency", "--force"),
    ("check-mate-pvs", "--check-mate-pvs"),
];

/// What is so anyhow, or shown anyhow: no game is played differently without it.
const NEEDLESS: [&str; 7] = [
    "recover",
    "debug",
    "show-latency",
    "autosaveinterval",
    "outcomeinterval",
    "crc32",
    "testEnv",
];

/// What fastchess adds to its records on demand; ours always have it. Games are appended anyhow.
const ALWAYS_WRITTEN: [&str; 8] = [
    "append=true",
    "nodes=true",
    "seldepth=true",
    "nps=true",
    "hashfull=true",
    "tbhits=true",
    "timeleft=true",
    "latency=true",
];

/// Options that have a branch of their own.
const OTHERS: [&str; 8] = [
    "engine",
    "each",
    "games",
    "rounds",
    "repeat",
    "tournament",
    "pgnout",
    "report",
];

/// Our own words for those of the other runners; files lie in `directory`.
///
/// # Errors
/// An option that is not known or not supported, or lacks what belongs behind it.
pub(in crate::cli) fn translate(
    words: &[String],
    directory: &Path,
) -> Result<Vec<String>, ConfigError> {
    let mut line = Line {
        directory,
        out: Vec::new(),
        games: 1,
        rounds: 1,
        kept: None,
    };
    let mut rest = words;
    while let Some((first, behind)) = rest.split_first() {
        let end = behind.iter().position(|word| is_option(word));
        let (values, next) = behind.split_at(end.unwrap_or(behind.len()));
        rest = next;
        if first.starts_with("--") {
            line.out.push(first.clone());
            line.out.extend_from_slice(values);
        } else if let Some(option) = first.strip_prefix('-') {
            line.option(option, values)?;
        } else {
            return Err(ConfigError(format!("`{first}` is no option")));
        }
    }
    line.finish()
}

/// A dash and a letter: a negative number is none.
fn is_option(word: &str) -> bool {
    let behind = word.trim_start_matches('-');
    behind.len() < word.len() && behind.starts_with(|c: char| c.is_ascii_alphabetic())
}

struct Line<'a> {
    directory: &'a Path,
    out: Vec<String>,
    games: u64,
    rounds: u64,
    /// Games running of one opening, where that was said.
    kept: Option<u64>,
}

impl Line<'_> {
    fn option(&mut self, option: &str, values: &[String]) -> Result<(), ConfigError> {
        let named = |table: &[(&str, &'static str)]| {
            let found = table.iter().find(|(name, _)| *name == option);
            found.map(|(_, ours)| (*ours).to_owned())
        };
        match option {
            "engine" if values.is_empty() => {
                return Err(ConfigError(
                    "-engine: keys such as cmd=PROGRAM are expected".into(),
                ));
            }
            "engine" => self.out.extend(["--engine".to_owned(), engine(values)]),
            "each" => {
                self.out.push("--each".to_owned());
                self.out.extend(values.iter().map(|word| switched_on(word)));
            }
            "games" => self.games = number(option, only_one(option, values)?)?,
            "rounds" => self.rounds = number(option, only_one(option, values)?)?,
            "repeat" if values.is_empty() => self.kept = Some(2),
            "repeat" => self.kept = Some(number(option, only_one(option, values)?)?),
            "tournament" => {
                let kind = only_one(option, values)?.replace('-', "");
                self.out.extend(["--tournament".to_owned(), kind]);
            }
            "pgnout" => self.records(values),
            // Pairs are shown anyhow.
            "report" if values == ["penta=true"] => {}
            _ if NEEDLESS.contains(&option) => {}
            _ => match named(&FLAGS) {
                Some(flag) => {
                    if let Some(word) = values.first() {
                        return Err(ConfigError(format!(
                            "-{option} {word}: no word is expected"
                        )));
                    }
                    self.out.push(flag);
                }
                None => {
                    self.out.push(named(&SAME).ok_or_else(|| unknown(option))?);
                    self.out.extend_from_slice(values);
                }
            },
        }
        Ok(())
    }

    /// `-pgnout FILE [min] [fi]`, or `file=FILE` and further keys.
    fn records(&mut self, values: &[String]) {
        self.out.push("--pgnout".to_owned());
        for (place, word) in values.iter().enumerate() {
            let file = word.strip_prefix("file=");
            let file = file.or_else(|| (place == 0 && !word.contains('=')).then_some(word));
            match (file, word.as_str()) {
                (Some(file), _) => {
                    let path = self.directory.join(file);
                    self.out.push(format!("file={}", path.display()));
                }
                (None, "min") => self.out.push("min=true".to_owned()),
                // Only finished games are written anyhow.
                (None, "fi") => {}
                (None, word) if ALWAYS_WRITTEN.contains(&word) => {}
                (None, _) => self.out.push(word.clone()),
            }
        }
    }

    /// One game a round, colours and openings as they are in pairs?
    fn is_whole_pairs(&self) -> bool {
        let otherwise = |word: &String| {
            let policy = word.strip_prefix("policy=");
            word == "--noswap" || policy.is_some_and(|policy| policy != "default")
        };
        let is_plain = !self.out.iter().any(otherwise) && self.kept != Some(1);
        self.games == 1 && self.rounds.is_multiple_of(2) && is_plain
    }

    fn finish(mut self) -> Result<Vec<String>, ConfigError> {
        let numbers = [("--encounter", self.games), ("--rounds", self.rounds)];
        if self.is_whole_pairs() {
            // The same games as one a round, and counted in pairs.
            self.out
                .extend(["--games".to_owned(), self.rounds.to_string()]);
        } else {
            let words = numbers.map(|(name, number)| [name.to_owned(), number.to_string()]);
            self.out.extend(words.into_iter().flatten());
        }
        match self.kept {
            None | Some(2) => {}
            Some(1) => self.out.push("--norepeat".to_owned()),
            Some(n) => {
                return Err(ConfigError(format!(
                    "-repeat {n}: openings are kept for 1 or 2 games, or for an encounter \
                     (-openings policy=encounter)"
                )));
            }
        }
        Ok(self.out)
    }
}

/// `name=A cmd=./a` as `name=A,cmd=./a`.
fn engine(values: &[String]) -> String {
    let values = values.iter().map(|word| switched_on(word));
    let values: Vec<String> = values.map(|v| v.replace(',', "\\,")).collect();
    values.join(",")
}

/// An engine's switches stand without a value in cutechess-cli.
fn switched_on(word: &str) -> String {
    match word {
        "ponder" | "whitepov" => format!("{word}=true"),
        _ => word.to_owned(),
    }
}

/// The one word behind an option; empty if there is none.
fn only_one<'a>(option: &str, values: &'a [String]) -> Result<&'a str, ConfigError> {
    match values {
        [] => Ok(""),
        [word] => Ok(word),
        [_, surplus, ..] => Err(ConfigError(format!(
            "-{option} {}: one word is expected, and `{surplus}` is a second one",
            values.join(" ")
        ))),
    }
}

fn number(option: &str, value: &str) -> Result<u64, ConfigError> {
    let number = value.parse().ok().filter(|&n| n > 0);
    number.ok_or_else(|| ConfigError(format!("-{option} {value}: a number from 1 is expected")))
}

fn unknown(option: &str) -> ConfigError {
    let named = SAME.iter().chain(&FLAGS).map(|(name, _)| *name);
    let known: Vec<&str> = named.chain(NEEDLESS).chain(OTHERS).collect();
    let hint =
        nearest(option, &known).map_or_else(String::new, |n| format!("; did you mean -{n}?"));
    ConfigError(format!("-{option} is not supported{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(line: &str) -> Result<String, ConfigError> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        translate(&words, Path::new("/here")).map(|words| words.join(" "))
    }

    #[test]
    fn usual_lines_are_understood() {
        for (line, wanted) in [
            (
                "-engine name=A cmd=./a option.Hash=16 -engine conf=B -each tc=10+0.1 proto=uci \
                 -rounds 50 -games 2 -repeat -recover -concurrency -1",
                "--engine name=A,cmd=./a,option.Hash=16 --engine conf=B --each tc=10+0.1 proto=uci \
                 --concurrency -1 --encounter 2 --rounds 50",
            ),
            (
                "-variant fischerandom -tournament round-robin -pgnout out.pgn min fi -games 4",
                "--game fischerandom --tournament roundrobin --pgnout file=/here/out.pgn min=true \
                 --encounter 4 --rounds 1",
            ),
            (
                "-pgnout notation=lan file=/a/b.pgn -sprt elo0=-2 elo1=3 -repeat 1 --resume",
                "--pgnout notation=lan file=/a/b.pgn --sprt elo0=-2 elo1=3 --resume \
                 --encounter 1 --rounds 1 --norepeat",
            ),
            // As many games as there are rounds, an odd number too.
            ("-rounds 3", "--encounter 1 --rounds 3"),
            ("-rounds 4", "--games 4"),
            (
                "-rounds 4 -openings file=a policy=default",
                "--openings file=a policy=default --games 4",
            ),
            ("-rounds 4 -noswap", "--noswap --encounter 1 --rounds 4"),
            (
                "-rounds 4 -openings file=a policy=round",
                "--openings file=a policy=round --encounter 1 --rounds 4",
            ),
            (
                "-engine cmd=a ponder -each tc=1 whitepov -pgnout file=/x nodes=true nps=true -games 2",
                "--engine cmd=a,ponder=true --each tc=1 whitepov=true --pgnout file=/x \
                 --encounter 2 --rounds 1",
            ),
            (
                "-report penta=true -testEnv -startup-ms 9 -ping-ms 8 -games 2",
                "--startup-ms 9 --ping-ms 8 --encounter 2 --rounds 1",
            ),
        ] {
            assert_eq!(translated(line).unwrap(), wanted);
        }
        let words = ["-engine", "cmd=a", "option.X=1,2"].map(str::to_owned);
        let out = translate(&words, Path::new("/")).unwrap();
        assert_eq!(out[1], r"cmd=a,option.X=1\,2");
    }

    #[test]
    fn what_is_not_supported_is_named() {
        for (line, wanted) in [
            ("-bookmode ram", "-bookmode is not supported"),
            ("-concurency 3", "did you mean -concurrency?"),
            ("-rounds many", "-rounds many: a number"),
            ("-engine", "keys such as cmd=PROGRAM"),
            ("-games 0", "-games 0: a number"),
            ("-games 2 3", "`3` is a second one"),
            ("-tournament gauntlet zzz", "`zzz` is a second one"),
            ("-use-affinity 0,1", "-use-affinity 0,1: no word"),
            ("-strict yes", "-strict yes: no word"),
            ("-repeat 4", "policy=encounter"),
            ("-report penta=false", "-report is not supported"),
            ("games 4", "`games` is no option"),
        ] {
            let error = translated(line).unwrap_err().to_string();
            assert!(error.contains(wanted), "{error}");
        }
    }
}
