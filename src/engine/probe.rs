//! UCCI's `probe`: what the hash table knows of a position, while it is searched or after.

use std::sync::{Arc, Mutex, PoisonError};

use crate::engine::order::Settings;
use crate::engine::report::score_text;
use crate::engine::winrate::Model;
use crate::game::{Arbiter, Game, Notation, PackedMove, Position, Score};
use crate::protocol::{self, PopHash, PositionRequest, Start};
use crate::search::{Bound, Hit, MoveOf, Table};

/// Where the session leaves its table for the reading thread.
#[derive(Clone, Default)]
pub struct Shelf(Arc<Mutex<Option<Arc<Table>>>>);

impl Shelf {
    /// Puts a table in the place of the one before.
    pub fn put(&self, table: Option<Arc<Table>>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = table;
    }

    fn take(&self) -> Option<Arc<Table>> {
        let shelf = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        shelf.clone()
    }
}

/// The line that answers a probe. A position that cannot be is one of which nothing is known.
pub fn answer<G: Game>(shelf: &Shelf, request: &PositionRequest, settings: &Settings) -> String {
    let known = position::<G>(request, settings).and_then(|position| {
        let hit = shelf.take()?.probe(position.table_key())?;
        Some(describe::<G>(&position, &hit, settings))
    });
    protocol::pop_hash(&known.unwrap_or_default())
}

fn position<G: Game>(request: &PositionRequest, settings: &Settings) -> Option<G::Position> {
    let mut position = match &request.start {
        Start::Unchanged => return None,
        Start::StartPosition => G::Position::start(),
        Start::Fen(fen) => G::Position::from_fen(fen).ok()?,
    };
    position.set_rules(&settings.rules());
    for text in &request.moves {
        let m = position.parse_move(text, settings.style()).ok()?;
        position.make(m, &mut ());
    }
    Some(position)
}

fn describe<G: Game>(position: &G::Position, hit: &Hit, settings: &Settings) -> PopHash {
    let best = hit.best.map(MoveOf::<G>::from_bits);
    let best = best.filter(|m| position.is_pseudo_legal(*m) && position.is_legal(*m));
    let score = score_text(Score::from_table(hit.score, 0), &Model::of(G::ID));
    let value = Some((score, hit.depth.0));
    let (is_lower, is_upper) = match hit.bound {
        None => (false, false),
        Some(Bound::Lower) => (true, false),
        Some(Bound::Upper) => (false, true),
        Some(Bound::Exact) => (true, true),
    };
    PopHash {
        best: best.map(|m| position.write_move(m, settings.style())),
        lower: value.filter(|_| is_lower),
        upper: value.filter(|_| is_upper),
    }
}
