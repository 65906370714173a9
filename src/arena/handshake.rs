//! From a configured engine to one that is ready to play: language, dialect, options.

use std::time::Duration;

use crate::arena::client::Dialect;
use crate::arena::config::{EngineConfig, GameKind, Protocol};
use crate::arena::player::{Failure, Player, Surroundings};
use crate::game::{RankBase, TextStyle};

/// Options of UCI that say how xiangqi ranks are numbered, and which variant is played.
const RANKS: &str = "UCI_XiangqiRanks";
const VARIANT: &str = "UCI_Variant";

/// Starts an engine and makes it ready.
///
/// # Errors
/// It cannot be started, or does not answer as its protocol demands.
pub fn start(config: &EngineConfig, surroundings: &Surroundings) -> Result<Player, Failure> {
    let mut surroundings = surroundings.clone();
    let scale = config.time_scale.unwrap_or(1.0);
    surroundings.deadlines = surroundings.deadlines.scaled(scale);
    if let Some(time) = config.stop_time {
        surroundings.deadlines.stop = time;
    }
    let mut player = greeted(config, &surroundings)?;
    let result = prepare(&mut player);
    match result {
        Ok(()) => Ok(player),
        Err(failure) => {
            player.end();
            Err(failure)
        }
    }
}

fn prepare(player: &mut Player) -> Result<(), Failure> {
    let config = player.config().clone();
    if !config.init.is_empty() {
        player.say(&config.init)?;
    }
    set_game(player)?;
    for (name, value) in &config.default_options {
        let is_own = config
            .options
            .iter()
            .any(|(own, _)| own.eq_ignore_ascii_case(name));
        if !is_own && player.find_option(name).is_some() {
            set(player, name, value)?;
        }
    }
    for (name, value) in &config.options {
        set(player, name, value)?;
    }
    player.ping(player.surroundings().deadlines.new_game)
}

/// A process that has answered in its language; if that is not known, UCI is tried first, and
/// UCCI with a process of its own, since an engine may end when it hears the wrong one.
fn greeted(config: &EngineConfig, surroundings: &Surroundings) -> Result<Player, Failure> {
    let deadlines = &surroundings.deadlines;
    let try_one = |dialect, patience: Duration| -> Result<Option<Player>, Failure> {
        let mut player = Player::launch(config, surroundings, dialect)?;
        match player.greet(patience) {
            Ok(true) => Ok(Some(player)),
            Ok(false) => {
                player.end();
                Ok(None)
            }
            Err(Failure::Interrupted) => Err(Failure::Interrupted),
            Err(failure) => {
                let words = player.transcript();
                let errors = words
                    .iter()
                    .filter_map(|w| w.strip_prefix("stderr: "))
                    .next_back();
                let errors = errors.map_or_else(String::new, |e| format!(": {e}"));
                Err(Failure::Start(format!("{failure}{errors}")))
            }
        }
    };
    let is_xiangqi = surroundings.game == GameKind::Xiangqi;
    let found = match config.protocol {
        Protocol::Ucci => try_one(Dialect::Ucci, deadlines.start)?,
        Protocol::Auto if is_xiangqi => match surroundings.languages.of(&config.name) {
            Some(known) => try_one(known, deadlines.start)?,
            None => match try_one(Dialect::Uci, deadlines.detect) {
                Ok(Some(player)) => Some(player),
                Err(Failure::Interrupted) => return Err(Failure::Interrupted),
                _ => try_one(Dialect::Ucci, deadlines.start)?,
            },
        },
        _ => try_one(Dialect::Uci, deadlines.start)?,
    };
    if let (Protocol::Auto, Some(player)) = (config.protocol, &found) {
        surroundings.languages.learn(&config.name, player.dialect());
    }
    let wanted = match config.protocol {
        Protocol::Ucci => "ucciok",
        Protocol::Auto if is_xiangqi => "uciok or ucciok",
        _ => "uciok",
    };
    found.ok_or_else(|| Failure::Start(format!("no {wanted}")))
}

/// Tells the engine which game it plays, and learns how it writes moves.
fn set_game(player: &mut Player) -> Result<(), Failure> {
    let game = player.surroundings().game;
    match (game, player.dialect()) {
        (GameKind::Chess, _) => {
            let variant = player
                .find_option(VARIANT)
                .and_then(|option| option.default.clone());
            if variant.is_some_and(|variant| variant != "chess") {
                set(player, VARIANT, "chess")?;
            }
            Ok(())
        }
        (GameKind::Chess960, _) => set(player, "UCI_Chess960", "true"),
        (GameKind::Xiangqi, Dialect::Ucci) => {
            let has_millis = player.find_option("usemillisec").is_some();
            player.set_millis(has_millis);
            if has_millis {
                set(player, "usemillisec", "true")?;
            } else {
                player.warn("clocks in whole seconds: it has no usemillisec".to_owned());
            }
            Ok(())
        }
        (GameKind::Xiangqi, Dialect::Uci) => set_xiangqi(player),
    }
}

fn set_xiangqi(player: &mut Player) -> Result<(), Failure> {
    let variant = player.find_option(VARIANT);
    let has_variant = variant.is_some_and(|option| option.choices.iter().any(|c| c == "xiangqi"));
    let has_ranks = player.find_option(RANKS).is_some();
    if has_variant {
        set(player, VARIANT, "xiangqi")?;
    }
    let (ranks, value) = ranks(player.config().protocol, has_variant, has_ranks);
    if has_ranks {
        set(player, RANKS, value)?;
    }
    let style = TextStyle {
        ranks,
        ..player.style()
    };
    player.set_style(style);
    Ok(())
}

/// How the engine writes ranks, and the value of [`RANKS`] that says so: as the protocol demands,
/// else by the options that the engine declares.
fn ranks(protocol: Protocol, has_variant: bool, has_ranks: bool) -> (RankBase, &'static str) {
    let is_fairy = match protocol {
        Protocol::UciFairy => true,
        Protocol::UciPikafish => false,
        _ => has_variant && !has_ranks,
    };
    if is_fairy {
        (RankBase::One, "fairy")
    } else {
        (RankBase::Zero, "pikafish")
    }
}

/// Sets an option, unless the engine does not have it or cannot take the value: then a warning
/// is left.
fn set(player: &mut Player, name: &str, value: &str) -> Result<(), Failure> {
    let Some(option) = player.find_option(name).cloned() else {
        player.warn(format!("it has no option {name}"));
        return Ok(());
    };
    if let Some(objection) = option.objection(value) {
        player.warn(objection);
        return Ok(());
    }
    let line = player.dialect().set_option(&option, value);
    player.say(&[line]).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_go_by_the_protocol_then_by_the_options() {
        let (fairy, pikafish) = ((RankBase::One, "fairy"), (RankBase::Zero, "pikafish"));
        for (has_variant, has_ranks) in [(false, false), (true, false), (false, true), (true, true)]
        {
            assert_eq!(ranks(Protocol::UciFairy, has_variant, has_ranks), fairy);
            assert_eq!(
                ranks(Protocol::UciPikafish, has_variant, has_ranks),
                pikafish
            );
        }
        assert_eq!(ranks(Protocol::Uci, true, false), fairy);
        assert_eq!(ranks(Protocol::Auto, true, true), pikafish);
        assert_eq!(ranks(Protocol::Auto, false, false), pikafish);
    }
}
