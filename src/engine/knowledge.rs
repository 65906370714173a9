//! What the engine knows without thinking: opening books and endgame tables, as the options name
//! them.

use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::engine::files;
use crate::engine::order::Settings;
use crate::game::{Book, BookMove, Depth, Game, Key, KeyStream, Position, Score, Tables, choose};
use crate::protocol::{Dialect, GoRequest, OptionId};
use crate::search::{Conclusion, MoveOf, Probing};

/// Books and tables of one game.
pub struct Knowledge<G: Game> {
    /// The first that knows a position is heard.
    books: Vec<Box<dyn Book<G::Position>>>,
    /// The files last asked for, whether or not they could be had, and how often any were.
    books_asked: (String, u32),
    tables: Option<Tables<G::Position>>,
    tables_asked: (String, u32),
    lots: KeyStream,
}

impl<G: Game> Knowledge<G> {
    /// Nothing.
    pub fn new() -> Self {
        Knowledge {
            books: Vec::new(),
            books_asked: (String::new(), 0),
            tables: None,
            tables_asked: (String::new(), 0),
            lots: KeyStream::new(seed()),
        }
    }

    /// Reads the books that the options name, if they were set since the last time. What to tell
    /// the user: a line for each book that is of no use.
    pub fn follow_books(&mut self, settings: &Settings) -> Vec<String> {
        let files = match is_book_on(settings) {
            true => settings.options.text(OptionId::BookFile),
            // Read when it is switched on.
            false => return Vec::new(),
        };
        let asked = asked(settings, OptionId::BookFile);
        if asked == self.books_asked {
            return Vec::new();
        }
        self.books_asked = asked;
        self.books.clear();
        let mut remarks = Vec::new();
        let (name, names): (_, Vec<&str>) = match settings.dialect {
            Dialect::Uci => ("Book File", vec![files]),
            Dialect::Ucci => ("bookfiles", files.split(';').collect()),
        };
        for file in names.into_iter().filter(|file| !file.trim().is_empty()) {
            match open_book::<G>(file.trim()) {
                Ok(book) => self.books.push(book),
                Err(reason) => remarks.push(format!("{name}: {reason}")),
            }
        }
        remarks
    }

    /// Opens the tables that the options name, if they were set since the last time. What to tell
    /// the user, a line each.
    ///
    /// # Errors
    /// What to tell the user where none can be used.
    pub fn follow_tables(&mut self, settings: &Settings) -> Result<Vec<String>, String> {
        let path = settings.options.text(OptionId::SyzygyPath);
        let asked = asked(settings, OptionId::SyzygyPath);
        if asked == self.tables_asked {
            return Ok(Vec::new());
        }
        self.tables_asked = asked;
        self.tables = None;
        if path.is_empty() {
            return Ok(Vec::new());
        }
        let named = |remark: &String| format!("SyzygyPath: {remark}");
        let tables = G::tablebase(path)
            .map_err(|refused| named(&format!("{refused}, no tables are used")))?;
        let remarks = tables
            .iter()
            .flat_map(|tables| tables.refused.iter().chain([&tables.summary]))
            .map(named)
            .collect();
        self.tables = tables;
        Ok(remarks)
    }

    /// How a search is to ask the tables, if there are any.
    pub fn probing(&self, settings: &Settings) -> Option<Probing<G::Position>> {
        let tables = self.tables.as_ref()?.tables.clone();
        let number = |id| settings.options.number(id);
        Some(Probing {
            tables,
            min_depth: Depth(i32::try_from(number(OptionId::SyzygyProbeDepth)).unwrap_or(1)),
            most_men: u32::try_from(number(OptionId::SyzygyProbeLimit)).unwrap_or(0),
            clock_counts: settings.options.is_on(OptionId::Syzygy50MoveRule),
        })
    }

    /// The answer from a book, where one is wanted and known. `allowed` are the moves to which the
    /// search is confined, if it is.
    pub fn book_answer(
        &mut self,
        position: &G::Position,
        request: &GoRequest,
        allowed: Option<&[MoveOf<G>]>,
        settings: &Settings,
    ) -> Option<Conclusion<MoveOf<G>>> {
        let analysing = request.infinite
            || request.mate.is_some()
            || settings.options.is_on(OptionId::AnalyseMode)
            || settings.options.number(OptionId::MultiPv) > 1;
        if !is_book_on(settings) || analysing {
            return None;
        }
        let mut moves = self.moves(position);
        moves.retain(|entry| allowed.is_none_or(|allowed| allowed.contains(&entry.m)));
        let lot = (!wants_best_entry(settings)).then(|| self.lot());
        let best = choose(&moves, lot)?;
        let mut after = position.clone();
        after.make(best, &mut ());
        Some(Conclusion {
            best: Some(best),
            ponder: choose(&self.moves(&after), None),
            score: Score::DRAW,
            depth: Depth(0),
            nodes: 0,
        })
    }

    /// The moves of the first book that has any.
    fn moves(&self, position: &G::Position) -> Vec<BookMove<MoveOf<G>>> {
        let known = self.books.iter().map(|book| book.moves(position));
        known
            .into_iter()
            .find(|moves| !moves.is_empty())
            .unwrap_or_default()
    }

    fn lot(&mut self) -> u64 {
        let (Key(lot), rest) = self.lots.next();
        self.lots = rest;
        lot
    }
}

/// What an option names, and how often it was set: what is named again may have changed.
fn asked(settings: &Settings, id: OptionId) -> (String, u32) {
    let options = &settings.options;
    (options.text(id).to_owned(), options.times_set(id))
}

fn is_book_on(settings: &Settings) -> bool {
    settings.options.is_on(match settings.dialect {
        Dialect::Uci => OptionId::OwnBook,
        Dialect::Ucci => OptionId::UseBook,
    })
}

/// Is the weightiest move of a book to be played, not one by lot? UCCI asks for that by switching
/// its randomness off, too.
fn wants_best_entry(settings: &Settings) -> bool {
    let is_steady = settings.options.choice(OptionId::Randomness) == "none";
    settings.options.is_on(OptionId::BestBookMove) || settings.dialect == Dialect::Ucci && is_steady
}

fn open_book<G: Game>(path: &str) -> Result<Box<dyn Book<G::Position>>, String> {
    let bytes = files::read(path, u64::MAX).map_err(|error| files::refusal(path, &error))?;
    G::book(bytes).map_err(|refused| format!("'{path}': {refused}, no such book is used"))
}

/// Another one for each process and time, so that games differ.
fn seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let time = now.map_or(0, |time| time.as_nanos() as u64);
    time ^ u64::from(process::id()) << 32
}
