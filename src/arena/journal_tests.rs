//! Journals that were torn, and what is left of them.

use super::*;

/// A directory of its own that is removed in the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let dir = std::env::temp_dir().join(format!("twofold-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        Scratch(dir)
    }

    fn identity(&self, sum: u32) -> Identity {
        Identity {
            dir: self.0.clone(),
            name: "m".to_owned(),
            engines: vec!["a".to_owned(), "b".to_owned()],
            fingerprint: Fingerprint {
                parts: vec![("settings".to_owned(), sum)],
            },
            pgn: Some(self.0.join("games.pgn")),
        }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn entry(game: u64) -> Entry {
    Entry {
        game,
        pair: (game - 1) / 2,
        round: 1,
        first: 0,
        second: 1,
        opening: 1,
        result: "1-0".to_owned(),
        termination: Termination::Checkmate,
        reason: "White mates".to_owned(),
        plies: 33,
        used_ms: [10, 20],
        ended_ms: 1,
        pgn_end: 0,
    }
}

fn pgn(game: u64) -> String {
    format!("[Game \"{game}\"]\n\n1-0\n\n")
}

#[test]
fn wherever_the_journal_is_torn_whole_games_remain_and_records_agree() {
    let scratch = Scratch::new("torn");
    let identity = scratch.identity(1);
    let (mut journal, old) = Journal::open(&identity, Existing::Refuse).unwrap();
    assert!(old.is_empty());
    for game in 1..=3 {
        journal.add(&entry(game), &pgn(game)).unwrap();
    }
    drop(journal);
    let path = scratch.0.join("journal.jsonl");
    let whole = fs::read(&path).unwrap();
    let records = fs::read(scratch.0.join("games.pgn")).unwrap();
    let header = whole.iter().position(|&b| b == b'\n').unwrap() + 1;
    for length in header..=whole.len() {
        fs::write(&path, &whole[..length]).unwrap();
        fs::write(scratch.0.join("games.pgn"), &records).unwrap();
        let (_, entries) = Journal::open(&identity, Existing::Resume).unwrap();
        let lines = whole[header..length]
            .iter()
            .filter(|&&b| b == b'\n')
            .count();
        assert_eq!(entries.len(), lines);
        let left = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
        let wanted: String = (1..=lines as u64).map(pgn).collect();
        assert_eq!(left, wanted, "{length}");
    }
}

#[test]
fn records_of_other_matches_stay() {
    let scratch = Scratch::new("others");
    fs::create_dir_all(&scratch.0).unwrap();
    let path = scratch.0.join("games.pgn");
    fs::write(&path, "[Event \"other\"]\n\n*\n\n").unwrap();
    let before = fs::read_to_string(&path).unwrap();
    let identity = scratch.identity(1);
    drop(Journal::open(&identity, Existing::Refuse).unwrap());
    // Killed after the record was written and before the journal was.
    fs::write(&path, before.clone() + &pgn(1)).unwrap();
    let (mut journal, _) = Journal::open(&identity, Existing::Resume).unwrap();
    journal.add(&entry(1), &pgn(1)).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), before + &pgn(1));
}

#[test]
fn damage_is_refused_with_its_line() {
    let scratch = Scratch::new("damaged");
    let identity = scratch.identity(1);
    let (mut journal, _) = Journal::open(&identity, Existing::Refuse).unwrap();
    for game in 1..=3 {
        journal.add(&entry(game), &pgn(game)).unwrap();
    }
    drop(journal);
    let path = scratch.0.join("journal.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    for (line, changed) in [
        (3, text.replacen("\"game\":2", "\"game\":7", 1)),
        (4, text.replacen("\"game\":3", "\"game\":7", 1)),
        (2, text.replacen("\"crc\"", "\"cr", 1)),
    ] {
        fs::write(&path, &changed).unwrap();
        for existing in [Existing::Resume, Existing::Force, Existing::Refuse] {
            let refused = Journal::open(&identity, existing).unwrap_err();
            let wanted = format!("{}:{line}: {NO_ENTRY}", path.display());
            assert_eq!(refused.to_string(), wanted);
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), changed);
    }
    let alone = Identity {
        engines: vec!["a".to_owned()],
        ..identity
    };
    fs::write(&path, &text).unwrap();
    let refused = Journal::open(&alone, Existing::Force).unwrap_err();
    assert!(
        matches!(refused, JournalError::Damaged(_, 2, _)),
        "{refused}"
    );
}

#[test]
fn records_that_are_missing_are_refused() {
    let scratch = Scratch::new("missing");
    let identity = scratch.identity(1);
    let (mut journal, _) = Journal::open(&identity, Existing::Refuse).unwrap();
    journal.add(&entry(1), &pgn(1)).unwrap();
    drop(journal);
    let path = scratch.0.join("games.pgn");
    let torn = pgn(1).replace('\n', "").repeat(2);
    for text in [Some(&pgn(1)[..9]), Some(torn.as_str()), None] {
        match text {
            Some(text) => fs::write(&path, text).unwrap(),
            None => fs::remove_file(&path).unwrap(),
        }
        let refused = Journal::open(&identity, Existing::Resume).unwrap_err();
        assert!(matches!(refused, JournalError::Records(_)), "{refused}");
        assert_eq!(fs::read_to_string(&path).ok().as_deref(), text);
    }
    let (_, entries) = Journal::open(&identity, Existing::Discard).unwrap();
    assert!(entries.is_empty());
}

#[test]
fn a_match_without_records_for_a_while_can_go_on() {
    let scratch = Scratch::new("pause");
    let identity = scratch.identity(1);
    let silent = Identity {
        pgn: None,
        ..identity.clone()
    };
    for (game, identity) in [(1, &identity), (2, &silent), (3, &identity)] {
        let (mut journal, old) = Journal::open(identity, Existing::Resume).unwrap();
        assert_eq!(old.len() as u64, game - 1);
        journal.add(&entry(game), &pgn(game)).unwrap();
    }
    let records = fs::read_to_string(scratch.0.join("games.pgn")).unwrap();
    assert_eq!(records, pgn(1) + &pgn(3));
}

#[test]
fn what_was_played_is_not_overwritten_unasked() {
    let scratch = Scratch::new("unasked");
    let (mut journal, _) = Journal::open(&scratch.identity(1), Existing::Refuse).unwrap();
    journal.add(&entry(1), &pgn(1)).unwrap();
    drop(journal);
    let open = |sum, existing| Journal::open(&scratch.identity(sum), existing);
    assert!(matches!(
        open(1, Existing::Refuse),
        Err(JournalError::Exists(_, 1))
    ));
    assert!(matches!(
        open(2, Existing::Resume),
        Err(JournalError::Changed(..))
    ));
    assert_eq!(open(1, Existing::Resume).unwrap().1.len(), 1);
    // The changed match is the match from then on.
    assert_eq!(open(2, Existing::Force).unwrap().1.len(), 1);
    assert_eq!(open(2, Existing::Resume).unwrap().1.len(), 1);
    let old = open(1, Existing::Resume);
    assert!(matches!(old, Err(JournalError::Changed(..))));
    assert_eq!(open(1, Existing::Discard).unwrap().1.len(), 0);
    assert!(scratch.0.join("journal.jsonl.old").exists());
}

#[test]
fn another_file_is_not_mistaken_for_a_journal() {
    let scratch = Scratch::new("foreign");
    fs::create_dir_all(&scratch.0).unwrap();
    let path = scratch.0.join("journal.jsonl");
    for text in ["my notes\n", "my notes without an end"] {
        fs::write(&path, text).unwrap();
        let opened = Journal::open(&scratch.identity(1), Existing::Resume);
        assert!(matches!(opened, Err(JournalError::Foreign(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

#[test]
fn a_second_runner_is_refused() {
    let scratch = Scratch::new("second");
    let identity = scratch.identity(1);
    let (mut journal, _) = Journal::open(&identity, Existing::Refuse).unwrap();
    for existing in [Existing::Refuse, Existing::Resume, Existing::Discard] {
        let refused = Journal::open(&identity, existing).unwrap_err();
        assert!(matches!(refused, JournalError::Locked(_)), "{refused}");
        assert!(refused.is_refusal());
    }
    journal.add(&entry(1), &pgn(1)).unwrap();
    drop(journal);
    let (_, entries) = Journal::open(&identity, Existing::Resume).unwrap();
    assert_eq!(entries.len(), 1);
}

#[test]
fn discarding_twice_keeps_both() {
    let scratch = Scratch::new("twice");
    let identity = scratch.identity(1);
    for game in 1..=3 {
        let (mut journal, _) = Journal::open(&identity, Existing::Discard).unwrap();
        journal.add(&entry(game), &pgn(game)).unwrap();
    }
    let read = |name: &str| fs::read_to_string(scratch.0.join(name)).unwrap();
    assert_eq!(read("games.pgn.old"), pgn(1));
    assert_eq!(read("games.pgn.old.1"), pgn(2));
    assert_eq!(read("games.pgn"), pgn(3));
    assert!(read("journal.jsonl.old.1").contains("\"game\":2"));
}

#[test]
fn records_elsewhere_are_appended_to_or_refused() {
    let scratch = Scratch::new("elsewhere");
    let shared = scratch.0.join("all.pgn");
    fs::create_dir_all(&scratch.0).unwrap();
    fs::write(&shared, pgn(7)).unwrap();
    let mut identity = Identity {
        dir: scratch.0.join("m"),
        pgn: Some(shared.clone()),
        ..scratch.identity(1)
    };
    let (mut journal, _) = Journal::open(&identity, Existing::Discard).unwrap();
    journal.add(&entry(1), &pgn(1)).unwrap();
    drop(journal);
    assert_eq!(fs::read_to_string(&shared).unwrap(), pgn(7) + &pgn(1));
    identity.pgn = Some(scratch.0.clone());
    let refused = Journal::open(&identity, Existing::Discard).unwrap_err();
    assert!(matches!(refused, JournalError::Special(_)), "{refused}");
    assert!(identity.dir.join("journal.jsonl").exists());
}
