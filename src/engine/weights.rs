//! The weights of the evaluation that the client chose, if it did.

use std::borrow::Cow;
use std::mem;

use crate::engine::files;
use crate::engine::order::Settings;
use crate::game::{Game, GameId, WEIGHTS_BYTES_MAX, WeightsRefused};
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
                let bytes = files::read(path, WEIGHTS_BYTES_MAX);
                let bytes = bytes.map_err(|error| files::refusal(path, &error))?;
                Self::from_bytes(bytes).map_err(|refused| format!("'{path}': {refused}"))
            }
        }
    }

    fn from_bytes(bytes: Vec<u8>) -> Result<Self, WeightsRefused> {
        Ok(Loaded {
            weights: G::weights(&bytes)?,
            bytes: Cow::Owned(bytes),
        })
    }

    /// What was read from this path before, whatever has become of the file since.
    fn again(path: &str, bytes: &[u8]) -> Result<Self, String> {
        match path {
            "" | BY_HAND => Self::from_path(path),
            _ => Self::from_bytes(bytes.to_vec()).map_err(|refused| refused.to_string()),
        }
    }
}

/// What the client chose for one game, in whatever session.
#[derive(Clone, Debug, Default)]
struct Choice {
    /// The last file that was of use; empty for the built-in weights.
    file: String,
    /// What it held when it was read.
    bytes: Cow<'static, [u8]>,
    /// The file last asked for, whether or not it could be had, and how often one was.
    asked: (String, u32),
    /// Files asked for that have still to be read.
    pending: Vec<String>,
}

/// The files of weights that the client chose for each game. They outlast a session.
#[derive(Clone, Debug, Default)]
pub struct WeightFiles {
    chess: Choice,
    xiangqi: Choice,
}

impl WeightFiles {
    /// The option that names a game's file.
    const fn option(game: GameId) -> OptionId {
        match game {
            GameId::Chess => OptionId::EvalFile,
            GameId::Xiangqi => OptionId::EvalFileXiangqi,
        }
    }

    fn of(&mut self, game: GameId) -> &mut Choice {
        match game {
            GameId::Chess => &mut self.chess,
            GameId::Xiangqi => &mut self.xiangqi,
        }
    }

    /// Notes which files the options name, if they were set since the last time.
    pub fn note(&mut self, settings: &Settings) {
        for game in GameId::ALL {
            let option = WeightFiles::option(game);
            let path = settings.options.text(option);
            let asked = (path.to_owned(), settings.options.times_set(option));
            let choice = self.of(game);
            if asked != choice.asked {
                choice.asked = asked;
                choice.pending.push(path.to_owned());
            }
        }
    }
}

/// The weights in use.
pub struct ChosenWeights<G: Game> {
    loaded: Loaded<G>,
    /// The file they are from; empty for the built-in ones.
    source: String,
}

impl<G: Game> ChosenWeights<G> {
    /// The built-in weights.
    pub fn new() -> Self {
        ChosenWeights {
            loaded: Loaded::built_in(),
            source: String::new(),
        }
    }

    /// The weights in use.
    pub fn current(&self) -> &G::Weights {
        &self.loaded.weights
    }

    /// Reads the last of the files asked for that is of any use. True if the weights are others
    /// than before; and what to tell the user of the files that were asked for after it.
    pub fn follow(&mut self, files: &mut WeightFiles, settings: &Settings) -> (bool, Vec<String>) {
        files.note(settings);
        let choice = files.of(G::ID);
        let wanted = mem::take(&mut choice.pending);
        let mut changed = false;
        if choice.file != self.source
            && let Ok(loaded) = Loaded::again(&choice.file, &choice.bytes)
        {
            // A session before this one read it.
            changed = self.take(loaded, &choice.file);
        }
        let mut reasons = Vec::new();
        for path in wanted.into_iter().rev() {
            match Loaded::from_path(&path) {
                Ok(loaded) => {
                    choice.bytes = loaded.bytes.clone();
                    choice.file.clone_from(&path);
                    changed |= self.take(loaded, &path);
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
        let name = WeightFiles::option(G::ID).name(settings.dialect);
        let refused = reasons.into_iter().rev();
        let refused = refused.map(|reason| format!("{name}: {reason}, keeping {kept}"));
        (changed, refused.collect())
    }

    /// Uses these weights, of this file, from now on. True if they are others than before.
    fn take(&mut self, loaded: Loaded<G>, source: &str) -> bool {
        let differs = loaded.bytes != self.loaded.bytes;
        self.loaded = loaded;
        source.clone_into(&mut self.source);
        differs
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
