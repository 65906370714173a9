//! The `twofold` binary: hands the arguments to the command line.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    twofold::cli::run()
}
