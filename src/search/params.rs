//! Every tunable number of the search, one line each: a value for chess, one for xiangqi, and the
//! bounds within which it makes sense.
//!
//! Endings of names: `_margin` is multiplied by depth, `_base` is added, `_divisor` divides,
//! `_depth` is the last depth (`_min_depth` the first) at which a rule acts, `_max` caps.
//! Scores are centipawns, reductions 1024ths of a ply, history values those of
//! [`crate::search::histories`].
//!
//! Built with the feature `tune`, the program takes other values from the environment variable
//! `TWOFOLD_TUNE`: `NAME=VALUE` for any of them, with blanks between, for both games. That is how
//! `tests/clients/tune_search.py` looks for better ones.

use crate::game::GameId;

/// A tunable's name, its values and its bounds.
#[cfg(any(test, feature = "tune"))]
struct Tunable {
    name: &'static str,
    #[cfg(test)]
    values: [i32; 2],
    bounds: [i32; 2],
}

macro_rules! tunables {
    ($($(#[$doc:meta])* $name:ident: $chess:expr, $xiangqi:expr; $min:expr, $max:expr;)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub(crate) fn $name(game: GameId) -> i32 {
                #[cfg(feature = "tune")]
                if let Some(value) = given::VALUES.$name {
                    return value;
                }
                match game {
                    GameId::Chess => $chess,
                    GameId::Xiangqi => $xiangqi,
                }
            }
        )*

        #[cfg(any(test, feature = "tune"))]
        const TUNABLES: &[Tunable] = &[$(Tunable {
            name: stringify!($name),
            #[cfg(test)]
            values: [$chess, $xiangqi],
            bounds: [$min, $max],
        },)*];

        /// Values from the environment, for a program that is being tuned.
        #[cfg(feature = "tune")]
        mod given {
            use once_cell::sync::Lazy;

            /// A value for each tunable that was given one.
            #[derive(Default)]
            pub(super) struct Values {
                $(pub $name: Option<i32>,)*
            }

            /// What was given, as far as it makes sense: see [`super::check_given`].
            pub(super) static VALUES: Lazy<Values> = Lazy::new(|| {
                let mut values = Values::default();
                for (name, value) in super::given_numbers().into_iter().flatten() {
                    match name.as_str() {
                        $(stringify!($name) => values.$name = Some(value),)*
                        _ => {}
                    }
                }
                values
            });
        }
    };
}

/// The numbers that the environment gives.
///
/// # Errors
/// What is not of the form, unknown or out of bounds, in one line.
#[cfg(feature = "tune")]
fn given_numbers() -> Result<Vec<(String, i32)>, String> {
    const VARIABLE: &str = "TWOFOLD_TUNE";
    let text = std::env::var(VARIABLE).unwrap_or_default();
    let read = |word: &str| {
        let (name, value) = word.split_once('=')?;
        let value: i32 = value.parse().ok()?;
        let tunable = TUNABLES.iter().find(|tunable| tunable.name == name)?;
        let [least, most] = tunable.bounds;
        (least..=most)
            .contains(&value)
            .then(|| (name.to_owned(), value))
    };
    let words = text.split_whitespace().map(|word| {
        read(word).ok_or_else(|| format!("{VARIABLE}: '{word}': expected NAME=VALUE within bounds"))
    });
    words.collect()
}

/// Do the numbers that the environment gives make sense?
///
/// # Errors
/// In one line what does not.
#[cfg(feature = "tune")]
pub fn check_given() -> Result<(), String> {
    given_numbers().map(|_| ())
}

tunables! {
    /// Half-width of the first aspiration window.
    aspiration_base: 16, 20; 5, 60;
    /// First iteration with an aspiration window.
    aspiration_min_depth: 5, 5; 2, 10;

    /// Reverse futility: a static evaluation this far above beta stands.
    rfp_margin: 75, 90; 20, 200;
    /// Reverse futility: reduction of the margin for an improving side, in plies' worth.
    rfp_improving_margin: 60, 70; 0, 200;
    /// Reverse futility acts up to this depth.
    rfp_depth: 8, 8; 2, 14;

    /// Razoring: a static evaluation this far below alpha goes to quiescence.
    razor_base: 220, 260; 50, 800;
    /// Razoring: and this much more a ply.
    razor_margin: 180, 200; 50, 500;
    /// Razoring acts up to this depth.
    razor_depth: 3, 3; 1, 8;

    /// Null move: plies taken off.
    nmp_base: 4, 4; 2, 6;
    /// Null move: one ply more for so many plies of depth.
    nmp_depth_divisor: 4, 4; 2, 8;
    /// Null move: one ply more for so much evaluation above beta.
    nmp_eval_divisor: 200, 220; 50, 500;
    /// Null move: from this depth on a cutoff is verified by a search without null moves.
    nmp_verify_min_depth: 14, 14; 6, 30;

    /// ProbCut: a capture that wins this much above beta in a shallow search is enough.
    probcut_base: 190, 220; 80, 400;
    /// ProbCut acts from this depth on.
    probcut_min_depth: 5, 5; 3, 10;

    /// Late move pruning: quiet moves tried at depth zero.
    lmp_base: 4, 5; 1, 12;
    /// Late move pruning acts up to this depth.
    lmp_depth: 8, 8; 2, 12;
    /// Futility pruning: evaluation plus this, and the margin a ply, must reach alpha.
    futility_base: 90, 110; 0, 300;
    /// Futility pruning: centipawns a ply.
    futility_margin: 95, 110; 30, 250;
    /// Futility pruning acts up to this depth.
    futility_depth: 8, 8; 2, 12;
    /// History pruning: quiet moves below minus this a ply are skipped.
    history_margin: 3500, 3500; 500, 10000;
    /// History pruning acts up to this depth.
    history_depth: 5, 5; 1, 10;
    /// Exchange pruning of quiet moves: centipawns a ply squared that may be lost.
    see_quiet_margin: 25, 30; 5, 100;
    /// Exchange pruning of noisy moves: centipawns a ply that may be lost.
    see_noisy_margin: 95, 110; 20, 250;
    /// Exchange pruning acts up to this depth.
    see_depth: 8, 8; 2, 14;

    /// Moves that give check are not pruned up to this depth.
    spared_check_depth: 0, 8; 0, 14;

    /// Late move reduction: constant part.
    lmr_base: 700, 700; 0, 2048;
    /// Late move reduction: factor of the product of the logarithms, in 1024ths.
    lmr_factor: 210, 210; 50, 600;
    /// Late move reduction: history that is worth one ply.
    lmr_history_divisor: 9000, 9000; 2000, 30000;
    /// Late move reduction: more where a cutoff is expected.
    lmr_cut_node: 1500, 1500; 0, 3072;
    /// Late move reduction: less in or next to the principal variation.
    lmr_pv: 1100, 1100; 0, 3072;
    /// Late move reduction: more for a side whose evaluation does not improve.
    lmr_not_improving: 700, 700; 0, 3072;
    /// Late move reduction: less for moves that give check.
    lmr_check: 1024, 1024; 0, 3072;
    /// Late move reduction: more where the table move is noisy.
    lmr_noisy_table_move: 900, 900; 0, 3072;

    /// Singular extension acts from this depth on.
    singular_min_depth: 7, 7; 4, 14;
    /// Singular extension: eighths of a centipawn a ply by which the others must be worse.
    singular_margin: 14, 16; 4, 64;
    /// Double extension: the others are worse by this much more.
    singular_double_base: 18, 20; 0, 100;
    /// Moves that give check are searched a ply deeper up to this depth.
    check_extension_depth: 6, 10; 0, 30;

    /// Quiescence: a capture must come this close to alpha.
    delta_base: 150, 180; 50, 500;

    /// History bonus a ply of depth.
    bonus_margin: 180, 180; 50, 400;
    /// History bonus a ply of depth of a move that cuts off by what the table says.
    table_cutoff_bonus_margin: 90, 90; 0, 400;
    /// History bonus a ply of depth of a move that leaves the other side no good one.
    failure_bonus_margin: 90, 90; 0, 400;
    /// Evaluation that a quiet move must gain, the turn passing to the other side, not to be blamed.
    turn_base: 25, 25; -50, 100;
    /// History bonus a centipawn that it gains beyond.
    turn_bonus_factor: 5, 5; 0, 30;
    /// That bonus at most.
    turn_bonus_max: 1200, 1200; 0, 4000;
    /// History bonus at most.
    bonus_max: 1700, 1700; 500, 4000;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_lies_within_its_bounds() {
        for t in TUNABLES {
            for v in t.values {
                assert!(
                    t.bounds[0] <= v && v <= t.bounds[1],
                    "{}: {v} is outside {:?}",
                    t.name,
                    t.bounds
                );
            }
        }
    }
}
