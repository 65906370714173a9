//! The charts of a report, as SVG; colours come from the style sheet.

use std::fmt::Write;

use crate::arena::report::page::escaped;
use crate::arena::report::tracks::{Bar, Rating, Results};
use crate::arena::sprt::Sprt;

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 48.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 26.0;

/// Class names of the three results, in the order of [`Results`].
const RESULT_CLASSES: [&str; 3] = ["first", "draw", "second"];

/// A plane with axes.
struct Plot {
    body: String,
    /// Largest x; the smallest is zero.
    right: f64,
    low: f64,
    high: f64,
}

impl Plot {
    fn new(right: f64, low: f64, high: f64) -> Plot {
        Plot {
            body: String::new(),
            right: right.max(1.0),
            low,
            high: if high > low { high } else { low + 1.0 },
        }
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * value / self.right
    }

    fn y(&self, value: f64) -> f64 {
        let share = (value - self.low) / (self.high - self.low);
        TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - share)
    }

    // Writing to a string cannot fail, here and below.

    fn grid(&mut self) {
        for value in ticks(self.low, self.high, 5) {
            let y = self.y(value);
            let class = if value == 0.0 { "zero" } else { "grid" };
            let end = WIDTH - RIGHT;
            let _ = write!(
                self.body,
                r#"<path class="{class}" d="M{LEFT} {y:.1}H{end}"/><text class="tick" x="{:.1}" y="{:.1}" text-anchor="end">{}</text>"#,
                LEFT - 6.0,
                y + 4.0,
                trimmed(value)
            );
        }
    }

    fn label_x(&mut self, value: f64, text: &str) {
        let (x, y) = (self.x(value), HEIGHT - 8.0);
        let anchor = if value >= self.right { "end" } else { "middle" };
        let _ = write!(
            self.body,
            r#"<text class="tick" x="{x:.1}" y="{y}" text-anchor="{anchor}">{text}</text>"#
        );
    }

    fn count_x(&mut self) {
        for value in ticks(0.0, self.right, 6) {
            self.label_x(value, &trimmed(value));
        }
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (x, y) in points {
            let letter = if path.is_empty() { 'M' } else { 'L' };
            let _ = write!(path, "{letter}{:.1} {:.1}", self.x(x), self.y(y));
        }
        path
    }

    fn line(&mut self, class: &str, points: impl Iterator<Item = (f64, f64)>) {
        let path = self.path(points);
        let _ = write!(self.body, r#"<path class="line {class}" d="{path}"/>"#);
    }

    fn finish(self, title: &str, id: &str) -> String {
        let (width, height) = (WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM);
        format!(
            r#"<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{title}"><clipPath id="clip-{id}"><rect x="{LEFT}" y="{TOP}" width="{width}" height="{height}"/></clipPath>{}</svg>"#,
            self.body
        )
    }
}

/// Round values within a range, about `wanted` of them.
fn ticks(low: f64, high: f64, wanted: usize) -> Vec<f64> {
    let rough = (high - low) / wanted as f64;
    if !(rough.is_finite() && rough > 0.0) {
        return Vec::new();
    }
    let decade = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|n| n * decade)
        .into_iter()
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(rough);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    // Multiples, not sums, so that zero is exactly zero.
    (first..=last).map(|n| n as f64 * step).collect()
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Ratings over games, each with the band of its 95 % interval.
pub fn ratings(tracks: &[Vec<Rating>], names: &[&str]) -> Option<String> {
    let points = || tracks.iter().flatten();
    let games = points().map(|p| p.games).max()?;
    // The first few games say little but would set the scale.
    let told = || points().filter(|p| p.games * 6 >= games);
    let high = told().map(|p| p.elo + p.error).fold(0.0, f64::max);
    let low = told().map(|p| p.elo - p.error).fold(0.0, f64::min);
    let room = 0.05 * (high - low);
    let mut plot = Plot::new(games as f64, low - room, high + room);
    plot.grid();
    plot.count_x();
    plot.body += r#"<g clip-path="url(#clip-elo)">"#;
    for (number, track) in tracks.iter().enumerate() {
        let upper = track.iter().map(|p| (p.games as f64, p.elo + p.error));
        let lower = track.iter().map(|p| (p.games as f64, p.elo - p.error));
        let band = plot.path(upper.chain(lower.rev()));
        let class = format!("c{}", number % 8);
        let _ = write!(plot.body, r#"<path class="band {class}" d="{band}Z"/>"#);
        plot.line(&class, track.iter().map(|p| (p.games as f64, p.elo)));
    }
    plot.body += "</g>";
    let legend = if tracks.len() > 1 {
        legend(names)
    } else {
        String::new()
    };
    Some(plot.finish("Elo over games", "elo") + &legend)
}

fn legend(names: &[&str]) -> String {
    let mut out = String::from(r#"<ul class="legend">"#);
    for (number, name) in names.iter().enumerate() {
        let name = escaped(name);
        let _ = write!(out, r#"<li class="c{}">{name}</li>"#, number % 8);
    }
    out + "</ul>"
}

/// The ratio of a sequential test over games, between its bounds.
pub fn ratios(track: &[(u64, f64)], sprt: &Sprt) -> Option<String> {
    let games = track.last()?.0;
    let (lower, upper) = (sprt.lower_bound(), sprt.upper_bound());
    let high = track.iter().map(|p| p.1).fold(upper, f64::max);
    let low = track.iter().map(|p| p.1).fold(lower, f64::min);
    let room = 0.08 * (high - low);
    let mut plot = Plot::new(games as f64, low - room, high + room);
    plot.grid();
    plot.count_x();
    for (bound, name) in [(lower, "H0"), (upper, "H1")] {
        let (y, end) = (plot.y(bound), WIDTH - RIGHT);
        let _ = write!(
            plot.body,
            r#"<path class="bound" d="M{LEFT} {y:.1}H{end}"/><text class="tick" x="{:.1}" y="{:.1}">{name} {bound:.2}</text>"#,
            LEFT + 6.0,
            if bound < 0.0 { y + 14.0 } else { y - 5.0 },
        );
    }
    let start = std::iter::once((0.0, 0.0));
    plot.line(
        "c0",
        start.chain(track.iter().map(|&(g, llr)| (g as f64, llr))),
    );
    Some(plot.finish("Log-likelihood ratio over games", "llr"))
}

/// Games by length, in moves, stacked by result.
pub fn lengths(bars: &[Bar]) -> Option<String> {
    let last = bars.last()?;
    let total = |bar: &Bar| bar.results.iter().sum::<u64>();
    let highest = bars.iter().map(total).max()?;
    let mut plot = Plot::new((last.to + 1) as f64, 0.0, highest as f64 * 1.05);
    plot.grid();
    plot.count_x();
    for bar in bars {
        let left = plot.x(bar.from as f64) + 1.0;
        let width = plot.x((bar.to + 1) as f64) - 1.0 - left;
        let mut below = 0;
        for (class, count) in RESULT_CLASSES.into_iter().zip(bar.results) {
            if count == 0 {
                continue;
            }
            let (top, bottom) = (plot.y((below + count) as f64), plot.y(below as f64));
            below += count;
            let _ = write!(
                plot.body,
                r#"<rect class="{class}" x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{:.1}"><title>{} to {} moves: {count}</title></rect>"#,
                bottom - top,
                bar.from,
                bar.to,
            );
        }
    }
    Some(plot.finish("Games by length", "lengths"))
}

/// Games by way of ending, stacked by result.
pub fn endings(rows: &[(String, Results)]) -> String {
    const ROW: f64 = 26.0;
    const NAMES: f64 = 140.0;
    const COUNTS: f64 = 44.0;
    let most = rows.iter().map(|(_, r)| r.iter().sum::<u64>()).max();
    let most = most.unwrap_or(0).max(1) as f64;
    let mut body = String::new();
    for (place, (name, results)) in rows.iter().enumerate() {
        let y = place as f64 * ROW + 4.0;
        let middle = y + 13.0;
        let _ = write!(
            body,
            r#"<text class="name" x="{}" y="{middle}" text-anchor="end">{}</text>"#,
            NAMES - 10.0,
            escaped(name)
        );
        let mut x = NAMES;
        for (class, &count) in RESULT_CLASSES.into_iter().zip(results) {
            let width = (WIDTH - NAMES - COUNTS) * count as f64 / most;
            if count > 0 {
                let _ = write!(
                    body,
                    r#"<rect class="{class}" x="{x:.1}" y="{y}" width="{width:.1}" height="18"><title>{count}</title></rect>"#
                );
            }
            x += width;
        }
        let count = results.iter().sum::<u64>();
        let _ = write!(
            body,
            r#"<text class="tick" x="{:.1}" y="{middle}">{count}</text>"#,
            x + 8.0
        );
    }
    let height = rows.len() as f64 * ROW + 8.0;
    format!(
        r#"<svg class="chart" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="Games by way of ending">{body}</svg>"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(0.0, 100.0, 5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks(-3.3, 3.2, 5), [-2.0, 0.0, 2.0]);
        assert_eq!(ticks(1.0, 1.0, 5), [0.0; 0]);
        assert_eq!(trimmed(-0.5), "-0.5");
        assert_eq!(trimmed(40.0), "40");
    }

    #[test]
    fn nothing_that_is_not_finite_is_drawn() {
        let track = vec![Rating {
            games: 1,
            elo: 3.0,
            error: 0.0,
        }];
        let bar = Bar {
            from: 0,
            to: 0,
            results: [1, 0, 0],
        };
        let svgs = [
            ratings(&[track], &["a"]).unwrap(),
            lengths(&[bar]).unwrap(),
            endings(&[("mate".to_owned(), [0; 3])]),
        ];
        for svg in svgs {
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
        assert_eq!(ratings(&[Vec::new()], &["a"]), None);
    }
}
