//! The weights of the evaluation that the client chose, if it did.

use std::borrow::Cow;
use std::path::Path;

use crate::engine::files;
use crate::engine::order::Settings;
use crate::game::{Game, GameId};
use crate::games::built_in_network;
use crate::protocol::OptionId;
use crate::whole_file::write_whole;

/// The name that stands for the evaluation by hand, where a file of weights is asked for.
pub const BY_HAND: &str = "hand-crafted";

/// The weights in use, and the file last asked for.
pub struct ChosenWeights<G: Game> {
    weights: G::Weights,
    /// The network file that holds them, as bytes; empty where they are no network.
    bytes: Cow<'static, [u8]>,
    /// The file they are from; empty for the built-in ones.
    source: String,
    /// The file last asked for, whether or not it could be had.
    asked: String,
}

impl<G: Game> ChosenWeights<G> {
    /// The built-in weights.
    pub fn new() -> Self {
        ChosenWeights {
            weights: G::Weights::default(),
            bytes: Cow::Borrowed(built_in_network(G::ID)),
            source: String::new(),
            asked: String::new(),
        }
    }

    /// The weights in use.
    pub fn current(&self) -> &G::Weights {
        &self.weights
    }

    /// Reads the file that the options name, unless that is the one last asked for. True if the
    /// weights are others than before.
    ///
    /// # Errors
    /// What to tell the user where the file is of no use; the old weights stay.
    pub fn follow(&mut self, settings: &Settings) -> Result<bool, String> {
        let (option, name) = match G::ID {
            GameId::Chess => (OptionId::EvalFile, "EvalFile"),
            GameId::Xiangqi => (OptionId::EvalFileXiangqi, "EvalFileXiangqi"),
        };
        let path = settings.options.text(option);
        if path == self.asked {
            return Ok(false);
        }
        path.clone_into(&mut self.asked);
        let weights = match path {
            "" => Ok((
                G::Weights::default(),
                Cow::Borrowed(built_in_network(G::ID)),
            )),
            BY_HAND => Ok((G::by_hand(), Cow::Borrowed(&[][..]))),
            _ => load::<G>(path),
        };
        (self.weights, self.bytes) = weights.map_err(|reason| {
            let kept = match self.source.as_str() {
                "" => "the built-in net".to_owned(),
                BY_HAND => "the hand-crafted evaluation".to_owned(),
                source => format!("'{source}'"),
            };
            format!("{name}: {reason}, keeping {kept}")
        })?;
        path.clone_into(&mut self.source);
        Ok(true)
    }

    /// Writes the network in use to this file, `twofold-GAME.nnue` where no name is given, and
    /// says how that went.
    pub fn export(&self, path: &str) -> String {
        if self.bytes.is_empty() {
            return "export_net: the evaluation in use is no network".to_owned();
        }
        let path = match path {
            "" => format!("twofold-{}.nnue", G::ID),
            path => path.to_owned(),
        };
        match write_whole(Path::new(&path), &self.bytes) {
            Ok(()) => format!("export_net: '{path}', {} bytes", self.bytes.len()),
            Err(error) => format!("export_net: cannot write '{path}': {error}"),
        }
    }
}

type Loaded<G> = (<G as Game>::Weights, Cow<'static, [u8]>);

fn load<G: Game>(path: &str) -> Result<Loaded<G>, String> {
    let bytes = files::read(Path::new(path)).map_err(|_| format!("cannot open '{path}'"))?;
    let weights = G::weights(&bytes).map_err(|refused| format!("'{path}': {refused}"))?;
    Ok((weights, Cow::Owned(bytes)))
}
