//! The weights of the evaluation that the client chose, if it did.

use std::borrow::Cow;

use crate::engine::files;
use crate::engine::order::Settings;
use crate::game::{Game, GameId};
use crate::games::built_in_network;
use crate::named_file::path_of;
use crate::protocol::OptionId;
use crate::whole_file::write_whole;

/// The name that stands for the evaluation by hand, where a file of weights is asked for.
pub const BY_HAND: &str = "hand-crafted";

/// Weights, and the network file that holds them, as bytes; none where they are no network.
pub struct Loaded<G: Game> {
    /// The weights.
    pub weights: G::Weights,
    /// The file.
    pub bytes: Cow<'static, [u8]>,
}

impl<G: Game> Loaded<G> {
    /// The weights that every binary has.
    pub fn built_in() -> Self {
        Loaded {
            weights: G::Weights::default(),
            bytes: Cow::Borrowed(built_in_network(G::ID)),
        }
    }

    /// The weights of this file: none, the built-in ones; [`BY_HAND`], the evaluation by hand.
    ///
    /// # Errors
    /// What to tell the user where the file is of no use.
    pub fn from_path(path: &str) -> Result<Self, String> {
        match path {
            "" => Ok(Self::built_in()),
            BY_HAND => Ok(Loaded {
                weights: G::by_hand(),
                bytes: Cow::Borrowed(&[]),
            }),
            _ => {
                let bytes = files::read(path);
                let bytes = bytes.map_err(|_| format!("cannot open '{path}'"))?;
                let weights =
                    G::weights(&bytes).map_err(|refused| format!("'{path}': {refused}"))?;
                Ok(Loaded {
                    weights,
                    bytes: Cow::Owned(bytes),
                })
            }
        }
    }
}

/// The weights in use, and the files asked for.
pub struct ChosenWeights<G: Game> {
    loaded: Loaded<G>,
    /// The file they are from; empty for the built-in ones.
    source: String,
    /// The file last asked for, whether or not it could be had, and how often one was.
    asked: (String, u32),
    /// Files asked for that have still to be read.
    pending: Vec<String>,
}

impl<G: Game> ChosenWeights<G> {
    /// The option that names a file.
    const OPTION: OptionId = match G::ID {
        GameId::Chess => OptionId::EvalFile,
        GameId::Xiangqi => OptionId::EvalFileXiangqi,
    };

    /// The built-in weights.
    pub fn new() -> Self {
        ChosenWeights {
            loaded: Loaded::built_in(),
            source: String::new(),
            asked: (String::new(), 0),
            pending: Vec::new(),
        }
    }

    /// The weights in use.
    pub fn current(&self) -> &G::Weights {
        &self.loaded.weights
    }

    /// Notes which file the options name, if they were set since the last time.
    pub fn note(&mut self, settings: &Settings) {
        let path = settings.options.text(Self::OPTION);
        let asked = (path.to_owned(), settings.options.times_set(Self::OPTION));
        if asked != self.asked {
            self.asked = asked;
            self.pending.push(path.to_owned());
        }
    }

    /// Reads the last of the files asked for that is of any use. True if the weights are others
    /// than before; and what to tell the user of the files that were asked for after it.
    pub fn follow(&mut self, settings: &Settings) -> (bool, Vec<String>) {
        self.note(settings);
        let mut changed = false;
        let mut reasons = Vec::new();
        for path in self.pending.drain(..).rev() {
            match Loaded::from_path(&path) {
                Ok(loaded) => {
                    changed = loaded.bytes != self.loaded.bytes;
                    self.loaded = loaded;
                    self.source = path;
                    break;
                }
                Err(reason) => reasons.push(reason),
            }
        }
        let kept = match self.source.as_str() {
            "" => "the built-in net".to_owned(),
            BY_HAND => "the hand-crafted evaluation".to_owned(),
            source => format!("'{source}'"),
        };
        let name = Self::OPTION.name(settings.dialect);
        let refused = reasons.into_iter().rev();
        let refused = refused.map(|reason| format!("{name}: {reason}, keeping {kept}"));
        (changed, refused.collect())
    }

    /// Writes the network in use to this file, `twofold-GAME.nnue` where no name is given, and
    /// says so.
    ///
    /// # Errors
    /// What to tell the user where that cannot be.
    pub fn export(&self, path: &str) -> Result<String, String> {
        if self.loaded.bytes.is_empty() {
            return Err("export_net: the evaluation in use is no network".to_owned());
        }
        let path = match path {
            "" => format!("twofold-{}.nnue", G::ID),
            path => path.to_owned(),
        };
        write_whole(&path_of(&path), &self.loaded.bytes)
            .map(|()| format!("export_net: '{path}', {} bytes", self.loaded.bytes.len()))
            .map_err(|error| format!("export_net: cannot write '{path}': {error}"))
    }
}
