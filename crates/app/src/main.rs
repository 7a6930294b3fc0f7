//! The binary: parse, set up logging, one `match`, one exit code.

use std::process::ExitCode;

use clap::Parser;
use scenewright::cli::{Cli, Command};
use scenewright::{call, check, doctor, install, logging, os, serve, term, tools, tree};

fn main() -> ExitCode {
    let cli = Cli::parse();
    logging::set_up(cli.verbose);
    os::survive_file_limits();
    let result = match cli.command {
        Command::Serve(options) => serve::run(*options),
        Command::Call(options) => call::run(options),
        Command::Tools(options) => tools::run(options),
        Command::Check(options) => check::run(options),
        Command::Tree(options) => tree::run(&options),
        Command::Install(options) => install::run(options),
        Command::Doctor(options) => doctor::run(options),
    };
    result.unwrap_or_else(|error| {
        term::error(&format!("{error:#}"));
        ExitCode::from(2)
    })
}
