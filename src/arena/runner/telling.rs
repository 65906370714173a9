//! What a runner tells: records, lines on the terminal, the event stream.

use crate::arena::config::{Format, Output};
use crate::arena::outcome::Termination;
use crate::arena::play::{GameReport, limits_of};
use crate::arena::record::{self, GameText};
use crate::arena::runner::{Ended, Runner};
use crate::arena::sprt::Decision;
use crate::arena::table;
use crate::game::Side;

/// Oddities of one engine that are shown as they come; then they are only counted.
const WARNINGS_IN_FULL: usize = 5;

impl Runner<'_> {
    pub(super) fn record(&self, report: &GameReport) -> String {
        let players = [report.job.first, report.job.second].map(|i| &self.config.engines[i]);
        let limits = [
            limits_of(self.config, players[0].limits, Side::First),
            limits_of(self.config, players[1].limits, Side::Second),
        ];
        record::pgn(&GameText {
            game: self.config.game,
            names: players.map(|engine| engine.name.as_str()),
            time_controls: limits.map(|limits| limits.to_string()),
            event: &self.config.event,
            site: &self.config.site,
            round: report.job.round,
            tags: vec![
                ("GameNumber", report.job.number.to_string()),
                ("PairNumber", (report.job.pair + 1).to_string()),
                ("OpeningIndex", report.opening.to_string()),
                ("Seed", self.config.seed.to_string()),
            ],
            started: report.started,
            ended: report.ended,
            start_fen: report.start_fen.as_deref(),
            moves: &report.moves,
            facts: &report.facts,
            finish: &report.finish,
            min: self.config.output.min,
            notation: self.config.output.notation(self.config.game),
            mate_unit: self.config.output.mate_unit,
        })
    }

    pub(super) fn announce(&mut self, report: &GameReport) {
        let engines = [report.job.first, report.job.second];
        let names = engines.map(|i| &self.config.engines[i].name);
        let mut text = format!(
            "Finished game {} ({} vs {}): {} {{{}}}",
            report.job.number,
            names[0],
            names[1],
            report.finish.result(),
            report.finish.text
        );
        for ((name, warnings), engine) in names.into_iter().zip(&report.warnings).zip(engines) {
            for warning in warnings {
                self.warned[engine] += 1;
                if self.warned[engine] <= WARNINGS_IN_FULL {
                    text += &format!("\nWarning: {name}: {warning}");
                    self.events.warning(report.job.number, name, warning);
                }
            }
        }
        let games = self.standings.games();
        let Output {
            format,
            score_interval,
            rating_interval,
            ..
        } = self.config.output;
        let is_due = |interval: u64| interval > 0 && games.is_multiple_of(interval);
        if is_due(score_interval) && self.standings.engines() == 2 {
            text += &table::after_game(self.config, &self.standings, format);
        }
        if is_due(rating_interval) {
            text += "\n";
            text += &table::standings_in(self.config, &self.standings, format);
            self.events.stats(self.config, &self.standings);
        }
        self.console.line(&text);
        self.console.progress(games, self.progress_text());
    }

    fn progress_text(&self) -> String {
        let games = self.standings.games() - self.played_before;
        let minutes = self.begun.elapsed().as_secs_f64() / 60.0;
        let mut text = format!(
            "{} running, {:.1}/min",
            self.running,
            games as f64 / minutes
        );
        if let Some((_, progress)) = self.standings.test() {
            text += &format!(", LLR {:.2}", progress.llr);
        }
        let late = self.standings.endings().get(&Termination::TimeForfeit);
        let crashes = u64::from(self.crashes.iter().sum::<u32>());
        for (what, count) in [
            ("lost on time", late.copied().unwrap_or(0)),
            ("crashes", crashes),
        ] {
            if count > 0 {
                text += &format!(", {count} {what}");
            }
        }
        text
    }

    /// Lines about each engine's answers to clocks, to `isready`, and its oddities.
    fn conduct(&self) -> String {
        let mut text = String::new();
        for (engine, config) in self.config.engines.iter().enumerate() {
            let name = &config.name;
            if let Some(summary) = self.latencies[engine].summary() {
                text += &format!("\nLatency of {name}: {summary}");
            }
            if self.latencies[engine].is_alarming() {
                text += "\nWarning: raise its move overhead or the time margin, or play fewer games at once";
            }
            if let Some(summary) = self.pings[engine].summary() {
                text += &format!("\nReadiness of {name}, off the clock: {summary}");
            }
            if self.warned[engine] > 0 {
                text += &format!("\nWarnings of {name}: {}", self.warned[engine]);
            }
        }
        text
    }

    pub(super) fn conclude(self) -> Ended {
        self.console.finish();
        let format = self.config.output.format;
        let mut text = table::standings_in(self.config, &self.standings, format);
        let counts = self.standings.endings().iter();
        let endings: Vec<String> = counts
            .filter_map(|(kind, count)| {
                let word = serde_json::to_value(kind).ok()?;
                Some(format!("{} {count}", word.as_str()?))
            })
            .collect();
        text += &format!("\nEndings: {}", endings.join(", "));
        text += &self.conduct();
        let missing = !self.withdrawn.is_empty();
        let ended = self.ended.unwrap_or(match self.standings.test() {
            _ if missing => Ended::Unstartable,
            Some((_, progress)) if progress.decision == Decision::Continue => Ended::Inconclusive,
            Some((_, progress)) => Ended::Decided(progress.decision),
            None => Ended::Complete,
        });
        text += match ended {
            Ended::Complete => "",
            Ended::Decided(Decision::AcceptH1) => "\nSPRT: H1 accepted",
            Ended::Decided(_) => "\nSPRT: H0 accepted",
            Ended::Inconclusive => "\nSPRT: inconclusive",
            Ended::Interrupted => "\nInterrupted; --resume goes on",
            Ended::Unstartable => "\nNot all was played: an engine cannot be started",
            Ended::TooManyFailures => "\nStopped: too many failures",
        };
        if format == Format::Cutechess {
            text += "\nFinished match";
        }
        self.console.line(&text);
        self.events.stats(self.config, &self.standings);
        self.events.end(self.config, ended, &self.warned);
        ended
    }
}
