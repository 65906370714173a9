//! The numeric vectors of the match runner's specification, and simulated tests.

use super::*;
use crate::arena::random::Random;
use crate::arena::stats::Points;

fn sprt(model: Model, elo0: f64, elo1: f64) -> Sprt {
    Sprt {
        elo0,
        elo1,
        alpha: 0.05,
        beta: 0.05,
        model,
    }
}

fn llr3(model: Model, wld: [u64; 3], elo0: f64, elo1: f64) -> f64 {
    let [wins, losses, draws] = wld;
    sprt(model, elo0, elo1).llr_of_games(&Games {
        wins,
        draws,
        losses,
    })
}

fn llr5(model: Model, counts: [u64; 5], elo0: f64, elo1: f64) -> f64 {
    let pairs = Pairs {
        counts,
        won_and_lost: 0,
    };
    sprt(model, elo0, elo1).llr_of_pairs(&pairs).unwrap()
}

/// Equal to all the digits that the table gives, or to a relative 1e-5.
fn assert_llr(found: f64, wanted: f64, digits: i32) {
    let tolerance = (wanted.abs() * 1e-5).max(0.6 * 10f64.powi(-digits));
    assert!(
        (found - wanted).abs() <= tolerance,
        "{found}, not {wanted} to {tolerance}"
    );
}

#[test]
fn trinomial_vectors() {
    use Model::{Bayesian, Cutechess, Logistic, Normalized, OpenBench};
    // Wins, losses, draws.
    for (model, wld, elo0, elo1, llr) in [
        (Normalized, [36433, 36027, 68692], 0.0, 2.0, 0.923_293),
        (Normalized, [10871, 10650, 20431], -1.75, 0.25, 2.297_500),
        (Logistic, [21404, 21184, 40708], 0.5, 2.5, -1.571_889),
        (Logistic, [57433, 57030, 106_593], 0.0, 2.0, -2.593_024),
        (Bayesian, [68965, 68526, 128_429], 0.0, 2.0, -1.262_156),
        (Bayesian, [21629, 21484, 41111], 0.5, 2.5, -1.130_642),
        (Cutechess, [1477, 1351, 2942], 0.0, 10.0, 2.523_585),
        (Cutechess, [555, 555, 298], 0.0, 10.0, -0.740_595),
        (Cutechess, [3, 149, 1], 0.0, 10.0, -4.690_026),
        (OpenBench, [22976, 22569, 44137], 0.5, 2.5, 0.975_772),
    ] {
        assert_llr(llr3(model, wld, elo0, elo1), llr, 6);
    }
    assert_llr(llr3(Normalized, [4250, 0, 0], 0.0, 10.0), 120.5483, 4);
}

#[test]
fn one_sample_under_every_trinomial_model() {
    use Model::{Bayesian, Cutechess, Logistic, Normalized, OpenBench};
    let models = [Normalized, Logistic, Bayesian, OpenBench, Cutechess];
    for (wld, row, digits) in [
        ([5, 3, 12], [0.08281, 0.12377, 0.08252, 0.08432, 0.11852], 5),
        (
            [100, 80, 220],
            [0.692_701, 0.912_324, 0.712_288, 0.714_769, 0.912_277],
            6,
        ),
        (
            [1000, 900, 2200],
            [2.530_475, 2.547_650, 2.565_098, 2.566_746, 2.547_323],
            6,
        ),
    ] {
        for (model, llr) in models.into_iter().zip(row) {
            assert_llr(llr3(model, wld, 0.0, 10.0), llr, digits);
        }
    }
}

#[test]
fn pentanomial_vectors() {
    use Model::{Logistic, Normalized};
    for (model, counts, elo0, elo1, llr) in [
        (
            Normalized,
            [365, 16618, 36229, 16974, 390],
            0.0,
            2.0,
            2.250_368,
        ),
        (
            Normalized,
            [127, 4883, 10712, 5150, 104],
            -1.75,
            0.25,
            3.010_154,
        ),
        (
            Logistic,
            [223, 9863, 21279, 10037, 246],
            0.5,
            2.5,
            -3.074_126,
        ),
        (
            Logistic,
            [871, 26175, 55983, 26678, 821],
            0.0,
            2.0,
            -4.978_673,
        ),
        (Normalized, [12, 120, 260, 150, 18], 0.0, 5.0, 0.908_324),
        (Logistic, [12, 120, 260, 150, 18], 0.0, 5.0, 1.404_943),
        (Normalized, [40, 300, 700, 350, 50], 0.0, 5.0, 1.402_517),
        (Logistic, [40, 300, 700, 350, 50], 0.0, 5.0, 2.023_294),
        (Normalized, [40, 300, 700, 350, 50], -3.0, 0.0, 1.127_325),
        (Logistic, [40, 300, 700, 350, 50], -3.0, 0.0, 2.024_324),
        (Normalized, [78, 2504, 5251, 2695, 95], 0.0, 3.0, 2.898_000),
        (
            Normalized,
            [379, 10170, 21828, 10640, 343],
            0.0,
            2.0,
            2.945_495,
        ),
        (Normalized, [39, 8843, 26675, 9240, 44], 0.5, 2.5, 2.941_675),
        (Normalized, [1, 4, 10, 6, 3], 0.0, 10.0, 0.216_363),
        (Logistic, [1, 4, 10, 6, 3], 0.0, 10.0, 0.287_461),
        (Normalized, [43, 61, 144, 55, 37], 0.0, 5.0, -0.393_800),
        (Logistic, [43, 61, 144, 55, 37], 0.0, 5.0, -0.513_011),
    ] {
        assert_llr(llr5(model, counts, elo0, elo1), llr, 6);
    }
    assert_llr(llr5(Normalized, [0, 0, 0, 0, 5550], 0.0, 5.0), 111.7976, 4);
    assert_llr(llr5(Normalized, [0, 0, 1, 1, 0], 0.0, 5.0), 0.01994, 5);
}

#[test]
fn distributions_inside_a_worked_example() {
    let sample = Sample::regularised(&[12, 120, 260, 150, 18]);
    let effect = 2f64.sqrt() * 5.0 / NORMALIZED_UNIT;
    assert!((effect - 0.020_352_2).abs() < 1e-7);
    for (found, wanted) in [
        (
            sample.likeliest_with_mean(0.5),
            [0.027_305, 0.240_125, 0.464_286, 0.241_834, 0.026_450],
        ),
        (
            sample.likeliest_with_mean(score_of(5.0)),
            [0.024_779, 0.230_058, 0.465_178, 0.251_574, 0.028_411],
        ),
        (
            sample.likeliest_with_effect(effect),
            [0.025_869, 0.234_232, 0.464_615, 0.247_625, 0.027_660],
        ),
    ] {
        for (f, w) in found.into_iter().zip(wanted) {
            assert!((f - w).abs() < 1e-6, "{found:?}, not {wanted:?}");
        }
    }
}

#[test]
fn ratio_after_each_pair_of_a_sequence() {
    let ratios = [
        -0.000_945, -0.002_080, 0.047_538, 0.054_537, -0.004_143, 0.052_548, 0.056_347, 0.059_828,
        0.143_454, 0.150_936,
    ];
    let mut counts = [0; 5];
    for (category, wanted) in [2, 2, 3, 2, 1, 3, 2, 2, 4, 2].into_iter().zip(ratios) {
        counts[category] += 1;
        let found = llr5(Model::Normalized, counts, 0.0, 10.0);
        assert!((found - wanted).abs() < 1e-4, "{found}, not {wanted}");
    }
}

#[test]
fn cutechess_draw_elo_and_scale() {
    for (ldw, elo, scale) in [
        ([80.5, 220.5, 100.5], 215.42192, 0.696_232),
        ([900.5, 2200.5, 1000.5], 208.41733, 0.711_675),
    ] {
        let found = draw_elo(&ldw);
        let x = 10f64.powf(-found / 400.0);
        assert!((found - elo).abs() < 1e-4);
        assert!((4.0 * x / ((1.0 + x) * (1.0 + x)) - scale).abs() < 1e-6);
    }
}

#[test]
fn bounds_and_decisions() {
    for (alpha, beta, lower, upper) in [
        (0.05, 0.05, -2.944_439, 2.944_439),
        (0.05, 0.10, -2.251_292, 2.890_372),
        (0.10, 0.05, -2.890_372, 2.251_292),
        (0.02, 0.02, -3.891_820, 3.891_820),
        (0.01, 0.01, -4.595_120, 4.595_120),
    ] {
        let test = Sprt {
            alpha,
            beta,
            ..sprt(Model::Normalized, 0.0, 3.0)
        };
        assert!((test.lower_bound() - lower).abs() < 1e-6);
        assert!((test.upper_bound() - upper).abs() < 1e-6);
        assert_eq!(test.decision(upper + 1e-5), Decision::AcceptH1);
        assert_eq!(test.decision(lower - 1e-5), Decision::AcceptH0);
        assert_eq!(test.decision(0.0), Decision::Continue);
    }
    let q9 = Sprt {
        beta: 0.10,
        ..sprt(Model::Normalized, 0.0, 3.0)
    };
    assert_eq!(q9.decision(2.898), Decision::AcceptH1);
    let q10 = sprt(Model::Normalized, 0.0, 2.0);
    assert_eq!(q10.decision(2.945_495), Decision::AcceptH1);
    let l10 = Sprt {
        alpha: 0.01,
        beta: 0.01,
        ..sprt(Model::Cutechess, 0.0, 10.0)
    };
    assert_eq!(l10.decision(-4.690_026), Decision::AcceptH0);
}

#[test]
fn hypotheses_are_antisymmetric_and_mirrored() {
    for model in [Model::Normalized, Model::Logistic] {
        for counts in [[1, 4, 10, 6, 3], [12, 120, 260, 150, 18], [0, 3, 9, 4, 0]] {
            let llr = llr5(model, counts, 0.0, 10.0);
            assert!((llr + llr5(model, counts, 10.0, 0.0)).abs() < 1e-6);
            let mut mirrored = counts;
            mirrored.reverse();
            assert!((llr + llr5(model, mirrored, -10.0, 0.0)).abs() < 1e-5);
        }
    }
}

#[test]
fn ratio_grows_in_proportion_to_the_sample() {
    let llr = llr5(Model::Normalized, [1, 4, 10, 6, 3], 0.0, 10.0);
    let more = llr5(Model::Normalized, [7, 28, 70, 42, 21], 0.0, 10.0);
    assert!((more - 7.0 * llr).abs() < 1e-6);
}

#[test]
fn nonsense_is_refused_and_empty_samples_say_nothing() {
    let good = sprt(Model::Normalized, 0.0, 5.0);
    assert!(good.validated().is_ok());
    for bad in [
        Sprt { elo0: 5.0, ..good },
        Sprt { alpha: 0.0, ..good },
        Sprt { beta: 0.96, ..good },
        Sprt {
            elo1: f64::NAN,
            ..good
        },
    ] {
        assert!(bad.validated().is_err(), "{bad:?}");
    }
    assert_eq!(good.llr_of_games(&Games::default()), 0.0);
    assert_eq!(good.llr_of_pairs(&Pairs::default()), Some(0.0));
    let bayesian = sprt(Model::Bayesian, 0.0, 5.0);
    assert_eq!(bayesian.llr_of_pairs(&Pairs::default()), None);
}

/// One simulated match of equal openings: games with a given mean score and draw share.
fn simulate(test: &Sprt, mean: f64, draws: f64, random: &mut Random) -> Decision {
    /// The ratio is looked at once in so many pairs: a real match looks more often, which can only
    /// shorten the overshoot beyond the bounds.
    const STRIDE: usize = 8;
    let win = mean - draws / 2.0;
    let mut game = || match random.unit() {
        x if x < win => Points::Win,
        x if x < win + draws => Points::Draw,
        _ => Points::Loss,
    };
    let mut pairs = Pairs::default();
    loop {
        for _ in 0..STRIDE {
            pairs.add(game(), game());
        }
        let llr = test.llr_of_pairs(&pairs).unwrap();
        match test.decision(llr) {
            Decision::Continue => {}
            decided => return decided,
        }
    }
}

/// Share of `matches` simulated matches that end in `wrong`.
fn error_rate(test: &Sprt, mean: f64, draws: f64, matches: u32, wrong: Decision) -> f64 {
    let errors: u32 = std::thread::scope(|scope| {
        let parts: Vec<_> = (0..2)
            .map(|part| {
                let mut random = Random::new(20_260_801 + part);
                scope.spawn(move || {
                    (0..matches / 2)
                        .filter(|_| simulate(test, mean, draws, &mut random) == wrong)
                        .count() as u32
                })
            })
            .collect();
        parts.into_iter().map(|part| part.join().unwrap()).sum()
    });
    f64::from(errors) / f64::from(matches)
}

/// As many as keep an error rate of 5 % within half of itself beyond doubt.
const MATCHES: u32 = 2000;
const NOMINAL: f64 = 0.05;
const ALLOWED: f64 = 1.5 * NOMINAL;

/// An error rate as it was simulated, neither beyond what is allowed nor near nothing.
fn assert_rate(what: &str, rate: f64) {
    assert!((0.02..=ALLOWED).contains(&rate), "{what}: {rate}");
}

#[test]
fn equal_engines_fail_a_gainer_test_as_often_as_alpha_says() {
    let test = sprt(Model::Normalized, 0.0, 10.0);
    let wrong = error_rate(&test, 0.5, 0.5, MATCHES, Decision::AcceptH1);
    assert_rate("normalized [0, 10], equal engines, H1", wrong);
}

#[test]
fn a_gainer_is_missed_as_often_as_beta_says() {
    let test = sprt(Model::Logistic, 0.0, 10.0);
    let wrong = error_rate(&test, score_of(10.0), 0.4, MATCHES, Decision::AcceptH0);
    assert_rate("logistic [0, 10], 10 Elo, H0", wrong);
}

#[test]
fn logistic_test_of_five_elo_keeps_both_error_rates() {
    let test = sprt(Model::Logistic, 0.0, 5.0);
    let false_gain = error_rate(&test, 0.5, 0.6, MATCHES, Decision::AcceptH1);
    assert_rate("logistic [0, 5], equal engines, H1", false_gain);
    let missed = error_rate(&test, score_of(5.0), 0.6, MATCHES, Decision::AcceptH0);
    assert_rate("logistic [0, 5], 5 Elo, H0", missed);
}
