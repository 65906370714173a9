//! `--set match.rounds=10`: any key of engines.toml from the command line.

use toml::{Table, Value};

use crate::arena::config::ConfigError;

/// Sets a key in the tables of a configuration file. The key is `match.KEY` for the match that is
/// played, `engine.NAME.KEY`, or `defaults.KEY`; a value that is none of TOML is a text.
///
/// # Errors
/// Not of this form, or an engine or a match that the file does not have.
pub fn apply(file: &mut Table, match_name: Option<&str>, word: &str) -> Result<(), ConfigError> {
    let fail = |why: &str| ConfigError(format!("--set {word}: {why}"));
    let (path, value) = word
        .split_once('=')
        .ok_or_else(|| fail("it is not key=value"))?;
    let (section, path) = path
        .split_once('.')
        .ok_or_else(|| fail("keys begin with match., engine.NAME. or defaults."))?;
    let (table, path) = match section {
        "match" => {
            let name = match_name.ok_or_else(|| fail("name a match of the configuration file"))?;
            let found = named(file, "match", |other| other == name);
            (found.ok_or_else(|| fail("there is no such match"))?, path)
        }
        "engine" => {
            // Names may have dots in them.
            let of = |name: &str| path.strip_prefix(name)?.strip_prefix('.');
            let names = names(file, "engine");
            let name = names.iter().filter(|name| of(name).is_some());
            let name = name.max_by_key(|name| name.len());
            let name = name.ok_or_else(|| fail("there is no such engine"))?;
            let rest = of(name).unwrap_or_default();
            let found = named(file, "engine", |other| other == name);
            (found.ok_or_else(|| fail("there is no such engine"))?, rest)
        }
        "defaults" => {
            let table = file
                .entry("defaults")
                .or_insert_with(|| Value::Table(Table::new()));
            let table = table.as_table_mut();
            (table.ok_or_else(|| fail("defaults is no table"))?, path)
        }
        _ => return Err(fail("keys begin with match., engine.NAME. or defaults.")),
    };
    if path == "name" && section != "defaults" {
        return Err(fail("keys are found by the name, which stays"));
    }
    put(table, path, value_of(path, value)).map_err(|at| fail(&format!("`{at}` is no table")))
}

/// Adds a match to the tables of a configuration file.
pub fn add_match(file: &mut Table, keys: Table) {
    let matches = file
        .entry("match")
        .or_insert_with(|| Value::Array(Vec::new()));
    if let Some(matches) = matches.as_array_mut() {
        matches.push(Value::Table(keys));
    }
}

fn entries<'a>(file: &'a Table, section: &str) -> impl Iterator<Item = &'a Table> {
    let array = file.get(section).and_then(Value::as_array);
    array.into_iter().flatten().filter_map(Value::as_table)
}

fn names(file: &Table, section: &str) -> Vec<String> {
    let names = entries(file, section).filter_map(|table| table.get("name")?.as_str());
    names.map(str::to_owned).collect()
}

fn named<'a>(
    file: &'a mut Table,
    section: &str,
    is_it: impl Fn(&str) -> bool,
) -> Option<&'a mut Table> {
    let array = file.get_mut(section)?.as_array_mut()?;
    let mut tables = array.iter_mut().filter_map(Value::as_table_mut);
    tables.find(|table| {
        table
            .get("name")
            .and_then(Value::as_str)
            .is_some_and(&is_it)
    })
}

/// A value as TOML reads it, or else a text. A clock is always a text, be it a bare number.
fn value_of(path: &str, text: &str) -> Value {
    let key = path.rsplit('.').next().unwrap_or(path);
    if matches!(key, "tc" | "tc_white" | "tc_black") {
        return Value::String(text.trim_matches('"').to_owned());
    }
    let read = toml::from_str::<Table>(&format!("value = {text}"));
    let value = read.ok().filter(|table| table.len() == 1);
    value
        .and_then(|mut table| table.remove("value"))
        .unwrap_or_else(|| Value::String(text.to_owned()))
}

/// Puts a value at the end of a path of tables, which are made where they are not there.
fn put(table: &mut Table, path: &str, value: Value) -> Result<(), String> {
    match path.split_once('.') {
        // The name of an option may have dots in it.
        Some((key, rest)) if !table.contains_key(path) => {
            let inner = table
                .entry(key)
                .or_insert_with(|| Value::Table(Table::new()));
            let inner = inner.as_table_mut().ok_or_else(|| key.to_owned())?;
            put(inner, rest, value)
        }
        _ => {
            table.insert(path.to_owned(), value);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "[[engine]]\nname = \"A 1.2\"\ncmd = \"a\"\n\
        [[match]]\nname = \"m\"\nrounds = 3\nopenings = { file = \"x.epd\" }\n";

    fn set(word: &str) -> Result<Table, ConfigError> {
        let mut file: Table = toml::from_str(FILE).unwrap();
        apply(&mut file, Some("m"), word).map(|()| file)
    }

    #[test]
    fn keys_of_every_table_can_be_set() {
        let file = set("match.rounds=10").unwrap();
        assert_eq!(file["match"][0]["rounds"].as_integer(), Some(10));
        let file = set("match.openings.order=random").unwrap();
        let openings = &file["match"][0]["openings"];
        assert_eq!(openings["order"].as_str(), Some("random"));
        assert_eq!(openings["file"].as_str(), Some("x.epd"));
        let file = set("match.adjudication.draw={movecount = 8, score = 10}").unwrap();
        let draw = &file["match"][0]["adjudication"]["draw"];
        assert_eq!(draw["score"].as_integer(), Some(10));
        let file = set("engine.A 1.2.options.Move Overhead=50").unwrap();
        let options = &file["engine"][0]["options"];
        assert_eq!(options["Move Overhead"].as_integer(), Some(50));
        for (word, tc) in [("1+0.1", "1+0.1"), ("10", "10"), ("\"40/60\"", "40/60")] {
            let file = set(&format!("defaults.tc={word}")).unwrap();
            assert_eq!(file["defaults"]["tc"].as_str(), Some(tc));
        }
    }

    #[test]
    fn what_cannot_be_set_is_named() {
        for (word, wanted) in [
            ("match.rounds", "not key=value"),
            ("rounds=3", "keys begin with"),
            ("game.rounds=3", "keys begin with"),
            ("engine.B.tc=1", "no such engine"),
            ("engine.A 1.2.name=B", "found by the name"),
            ("match.name=n", "found by the name"),
            ("match.rounds.x=1", "`rounds` is no table"),
        ] {
            let error = set(word).unwrap_err().to_string();
            assert!(error.starts_with(&format!("--set {word}: ")), "{error}");
            assert!(error.contains(wanted), "{error}");
        }
        let error = apply(&mut Table::new(), None, "match.rounds=1").unwrap_err();
        assert!(error.to_string().contains("name a match"), "{error}");
    }
}
