//! Which protocol engines were found to speak that were not said to speak one.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::arena::client::Dialect;

/// The languages that the engines of a match were found to speak, by their names, so that each is
/// asked only once.
#[derive(Clone, Debug, Default)]
pub struct Languages(Arc<Mutex<BTreeMap<String, Dialect>>>);

impl Languages {
    /// What this engine speaks, if it has been found out.
    pub fn of(&self, engine: &str) -> Option<Dialect> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(engine).copied()
    }

    /// Notes what this engine speaks.
    pub fn learn(&self, engine: &str, dialect: Dialect) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(engine.to_owned(), dialect);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_learnt_is_learnt_for_all() {
        let all = Languages::default();
        all.clone().learn("A", Dialect::Ucci);
        assert_eq!(all.of("A"), Some(Dialect::Ucci));
        assert_eq!(all.of("B"), None);
    }
}
