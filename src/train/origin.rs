//! Where games come from, as a network's description tells it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::datagen::Header;

/// So many kinds of games are named, and so many seeds of each.
const KINDS: usize = 4;
const SEEDS: usize = 8;
/// A generator's name is cut to so many characters.
const NAME: usize = 120;

/// Whose games they are: seeds by generator and nodes.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Origins(BTreeMap<(String, u32), BTreeSet<u64>>);

impl Origins {
    /// Adds what a shard says of itself.
    pub fn add(&mut self, header: &Header) {
        let generator = header.generator.chars().take(NAME).collect();
        let seeds = self.0.entry((generator, header.settings.nodes));
        seeds.or_default().insert(header.settings.seed);
    }

    /// Adds these, too.
    pub fn append(&mut self, other: Origins) {
        for (kind, seeds) in other.0 {
            self.0.entry(kind).or_default().extend(seeds);
        }
    }
}

impl fmt::Display for Origins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds = self.0.iter().map(|((generator, nodes), seeds)| {
            let word = if seeds.len() == 1 { "seed" } else { "seeds" };
            let seeds = few(seeds.iter().map(u64::to_string), SEEDS, ", ");
            format!("{word} {seeds}, {nodes} nodes, by {generator}")
        });
        f.write_str(&few(kinds, KINDS, "; "))
    }
}

/// The first ones, and how many more there are.
fn few(parts: impl ExactSizeIterator<Item = String>, most: usize, separator: &str) -> String {
    let more = parts.len().saturating_sub(most);
    let mut text = parts.take(most).collect::<Vec<_>>().join(separator);
    if more > 0 {
        text.push_str(&format!("{separator}and {more} more"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::Settings;
    use crate::game::GameId;

    fn header(seed: u64, nodes: u32, generator: &str) -> Header {
        Header {
            game: GameId::Chess,
            settings: Settings { seed, nodes },
            shard: 0,
            generator: generator.to_owned(),
        }
    }

    #[test]
    fn games_are_told_by_seeds_nodes_and_generator() {
        let (mut origins, mut others) = (Origins::default(), Origins::default());
        origins.add(&header(94, 300, "a"));
        assert_eq!(origins.to_string(), "seed 94, 300 nodes, by a");
        origins.add(&header(94, 300, "a"));
        others.add(&header(7, 300, "a"));
        others.add(&header(7, 20, "b"));
        origins.append(others);
        let text = "seeds 7, 94, 300 nodes, by a; seed 7, 20 nodes, by b";
        assert_eq!(origins.to_string(), text);
    }

    #[test]
    fn however_many_there_are_the_text_is_short() {
        let mut origins = Origins::default();
        for nodes in 0..10 {
            for seed in 0..20 {
                origins.add(&header(seed, nodes, &"x".repeat(60_000)));
            }
        }
        let text = origins.to_string();
        assert!(text.contains("seeds 0, 1, 2, 3, 4, 5, 6, 7, and 12 more, 0 nodes"));
        assert!(text.ends_with("; and 6 more"), "{text}");
        assert!(text.len() < 1_000, "{}", text.len());
    }
}
