//! The shape of the source: which module may use which, how long files are, who may print.
//!
//! The table below is the architecture. A module that is not in it, or that reaches for what it
//! may not use, fails the test.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // That is how tests fail.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Longest file, in lines.
const LONGEST_FILE: usize = 600;

/// Each top-level module, and the others that it may name. (`bitboard` and `with_game` are macros
/// of `chess` and `games`: exported macros lie at the root.)
const MAY_USE: &[(&str, &[&str])] = &[
    ("game", &[]),
    ("chess", &["game", "bitboard"]),
    ("xiangqi", &["game"]),
    ("eval", &["game", "chess", "xiangqi"]),
    ("book", &["game", "chess", "xiangqi"]),
    ("tablebase", &["game", "chess", "named_file"]),
    ("search", &["game"]),
    ("perft", &["game"]),
    (
        "games",
        &["game", "chess", "xiangqi", "eval", "book", "tablebase"],
    ),
    ("output", &[]),
    ("whole_file", &[]),
    ("named_file", &[]),
    ("protocol", &[]),
    (
        "engine",
        &[
            "protocol",
            "search",
            "games",
            "game",
            "perft",
            "output",
            "whole_file",
            "named_file",
            "with_game",
        ],
    ),
    (
        "arena",
        &[
            "protocol",
            "games",
            "game",
            "output",
            "whole_file",
            "named_file",
            "with_game",
        ],
    ),
    (
        "datagen",
        &["games", "game", "search", "eval", "named_file", "with_game"],
    ),
    (
        "train",
        &["games", "game", "datagen", "search", "eval", "with_game"],
    ),
    (
        "cli",
        &[
            "named_file",
            "protocol",
            "engine",
            "search",
            "games",
            "game",
            "perft",
            "output",
            "whole_file",
            "arena",
            "datagen",
            "train",
            "eval",
            "chess",
            "xiangqi",
            "book",
            "tablebase",
            "with_game",
        ],
    ),
    // The roots tie everything together.
    ("lib", &[]),
    ("main", &[]),
];

/// Where `unsafe` may stand, once the file exists.
const UNSAFE: &[&str] = &[
    "search/memory.rs",
    "eval/nnue/kernels.rs",
    "chess/pext.rs",
    "arena/process/unix.rs",
];

/// What ends up on a stream without going through the one writer.
const PRINTING: &[&str] = &["println!", "print!", "eprintln!", "eprint!", "dbg!"];

struct Source {
    /// Relative to `src`, with forward slashes.
    path: String,
    text: String,
}

impl Source {
    /// The top-level module the file belongs to.
    fn module(&self) -> &str {
        let first = self.path.split('/').next().unwrap();
        first.strip_suffix(".rs").unwrap_or(first)
    }

    /// The lines of code before the tests of the file, with their numbers; none in a file of
    /// tests.
    fn code_proper(&self) -> impl Iterator<Item = (usize, &str)> {
        let tests = self.path.ends_with("tests.rs");
        self.code()
            .take_while(move |(_, line)| !tests && line.trim() != "#[cfg(test)]")
    }

    /// The lines of code, comments left out, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.text.lines().enumerate();
        lines
            .map(|(index, line)| (index + 1, line))
            .filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    collect(&root, &root, &mut found);
    assert!(found.len() > 20, "the source is where it is looked for");
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Vec<Source>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let relative = path.strip_prefix(root).unwrap();
            found.push(Source {
                path: relative.to_string_lossy().replace('\\', "/"),
                text: fs::read_to_string(&path).unwrap(),
            });
        }
    }
}

/// The names that follow `crate::` in a line: one, or several in braces.
fn named(line: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut names = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        let before = line[..at].chars().next_back();
        if before.is_some_and(|c| is_name(c) || c == '$') {
            continue;
        }
        let rest = &line[at + "crate::".len()..];
        let list = match rest.strip_prefix('{') {
            Some(inside) => inside.split('}').next().unwrap_or(""),
            None => rest,
        };
        let single = !rest.starts_with('{');
        for part in list.split(',') {
            names.push(part.trim().split(|c| !is_name(c)).next().unwrap_or(""));
            if single {
                break;
            }
        }
    }
    names
}

#[test]
fn arrows_point_one_way() {
    let mut wrong = Vec::new();
    for source in sources() {
        let module = source.module().to_owned();
        let Some((_, allowed)) = MAY_USE.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{}: no module of the architecture", source.path));
            continue;
        };
        for (number, line) in source.code() {
            for name in named(line) {
                if name != module && !allowed.contains(&name) {
                    wrong.push(format!("{}:{number}: {module} uses {name}", source.path));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn names_after_crate_are_found() {
    assert_eq!(named("use crate::game::{Key, Side};"), ["game"]);
    assert_eq!(named("use crate::{game::Key, search};"), ["game", "search"]);
    assert_eq!(named("let x: crate::a::B = crate::c();"), ["a", "c"]);
    assert_eq!(named("$crate::games::Chess"), Vec::<&str>::new());
}

#[test]
fn files_are_short() {
    let long: Vec<_> = sources()
        .iter()
        .map(|source| (source.text.lines().count(), source.path.clone()))
        .filter(|(lines, _)| *lines > LONGEST_FILE)
        .collect();
    assert!(long.is_empty(), "{long:?}");
}

#[test]
fn nothing_prints_past_the_writer() {
    for source in sources() {
        for (number, line) in source.code_proper() {
            let found = PRINTING.iter().find(|word| line.contains(*word));
            assert!(found.is_none(), "{}:{number}: {line}", source.path);
        }
    }
}

#[test]
fn unsafe_stands_where_it_may() {
    for source in sources() {
        let is_used = source.code().any(|(_, line)| {
            let code = line.split("//").next().unwrap();
            code.split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|word| word == "unsafe")
        });
        let may = UNSAFE.contains(&source.path.as_str());
        assert!(may || !is_used, "{} is not to use unsafe", source.path);
    }
}

#[test]
fn module_roots_forbid_unsafe_unless_a_part_needs_it() {
    let needy: BTreeSet<&str> = UNSAFE
        .iter()
        .map(|path| path.split('/').next().unwrap())
        .collect();
    for source in sources() {
        let is_root = !source.path.contains('/')
            || source.path.matches('/').count() == 1 && source.path.ends_with("/mod.rs");
        if !is_root || source.path == "lib.rs" || needy.contains(source.module()) {
            continue;
        }
        let forbids = source.text.contains("#![forbid(unsafe_code)]");
        assert!(forbids, "{} lacks forbid(unsafe_code)", source.path);
    }
}

#[test]
fn every_file_says_what_it_is_for() {
    for source in sources() {
        assert!(source.text.starts_with("//!"), "{}", source.path);
    }
}
