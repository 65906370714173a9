//! `twofold report`: a match as one page of HTML.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::arena::folder;
use crate::arena::report::{ReportError, Run, page};
use crate::cli::{CliError, Verdict, arena};
use crate::output::Output;
use crate::whole_file::write_whole;

/// What `twofold report` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    /// The directory of a match, or the name of one in `matches`.
    run: PathBuf,
    /// The page [default: report.html in the match's directory].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Games in the viewer, the last ones of the match.
    #[arg(long, value_name = "N", default_value_t = 1000)]
    games: usize,
}

pub(super) fn run(arguments: &Arguments, output: &Output) -> Result<Verdict, CliError> {
    let by_name = Path::new("matches").join(&arguments.run);
    let dir = if !arguments.run.is_dir() && by_name.is_dir() {
        &by_name
    } else {
        &arguments.run
    };
    let fail = |error: ReportError| CliError::Input(error.to_string());
    let run = Run::load(dir).map_err(fail)?;
    let rules = arena::rules(run.config.game).by(run.config.law);
    let html = page(&run, &rules, arguments.games).map_err(fail)?;
    let path = arguments
        .output
        .clone()
        .unwrap_or_else(|| dir.join("report.html"));
    let written = if folder::is_special(&path) {
        fs::write(&path, &html)
    } else {
        write_whole(&path, html.as_bytes())
    };
    written.map_err(CliError::file(&path))?;
    let (games, kilobytes) = (run.entries.len(), html.len().div_ceil(1000));
    output.line(&format!(
        "{}: {games} games, {kilobytes} kB",
        path.display()
    ));
    Ok(Verdict::Passed)
}
