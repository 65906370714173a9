//! What a score means: the sigmoid that fits results best.

use crate::train::Meta;

/// Scales looked at, in centipawns.
const LEAST: f64 = 40.0;
const MOST: f64 = 2_000.0;
/// Samples are picked evenly so that there are about so many.
const ENOUGH: usize = 200_000;

/// The scale `s` for which `1 / (1 + exp(-score / s))` is nearest to the results in the mean
/// square. Without samples the geometric mean of the limits.
pub fn fit_scale(metas: &[Meta]) -> f32 {
    let step = (metas.len() / ENOUGH).max(1);
    let picked: Vec<(f64, f64)> = metas
        .iter()
        .step_by(step)
        .map(|meta| (f64::from(meta.score), f64::from(meta.result)))
        .collect();
    let error = |log_scale: f64| -> f64 {
        let scale = log_scale.exp();
        let square =
            |(score, result): &(f64, f64)| (1.0 / (1.0 + (-score / scale).exp()) - result).powi(2);
        picked.iter().map(square).sum()
    };
    // Ternary search; the error has one valley.
    let (mut low, mut high) = (LEAST.ln(), MOST.ln());
    for _ in 0..40 {
        let third = (high - low) / 3.0;
        let (left, right) = (low + third, high - third);
        if error(left) <= error(right) {
            high = right;
        }
        if error(left) >= error(right) {
            low = left;
        }
    }
    ((low + high) / 2.0).exp() as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::Random;
    use crate::game::Side;

    #[test]
    fn the_scale_that_made_the_results_is_found() {
        let mut random = Random::new(1, 1);
        for scale in [120.0_f64, 400.0] {
            let metas: Vec<Meta> = (0..50_000)
                .map(|_| {
                    let score = random.below(2000) as i16 - 1000;
                    let chance = 1.0 / (1.0 + (-f64::from(score) / scale).exp());
                    let won = random.below(1_000_000) as f64 / 1e6 < chance;
                    Meta {
                        score,
                        result: f32::from(u8::from(won)),
                        side: Side::First,
                    }
                })
                .collect();
            let found = f64::from(fit_scale(&metas));
            assert!((found / scale - 1.0).abs() < 0.05, "{found} for {scale}");
        }
    }
}
