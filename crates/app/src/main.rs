//! The binary: parse, set up logging, one `match`, one exit code.

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};
use scenewright::cli::{Cli, Command};
use scenewright::{
    approve, call, check, complete, config, diff, doctor, git, init, install, logging, merge, os,
    serve, shell, term, tools, tree,
};

fn main() -> ExitCode {
    complete::answer();
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    os::keep_memory_small();
    logging::set_up(cli.verbose);
    os::survive_file_limits();
    scenewright_live::lifeline::begin(os::watchdog);
    let pager = !cli.no_pager;
    let result = match cli.command {
        Command::Serve(options) => serve::run(*options),
        Command::Approve(options) => approve::run(&options),
        Command::Call(options) => term::paged(pager, || call::run(options)),
        Command::Tools(options) => term::paged(pager, || tools::run(options)),
        Command::Check(options) => term::paged(pager, || check::run(options)),
        Command::Tree(options) => term::paged(pager, || tree::run(&options)),
        Command::Install(options) => install::run(options),
        Command::Diff(options) => diff::run(&options),
        Command::Merge(options) => merge::run(&options),
        Command::Git(options) => git::run(options),
        Command::Doctor(options) => doctor::run(options),
        Command::Init(options) => init::run(&options),
        Command::Config(options) => term::paged(pager, || config::show::run(*options, &matches)),
        Command::Completions(options) => shell::completions(&options),
        Command::Man(options) => shell::man(&options),
        Command::Watchdog => {
            scenewright_live::lifeline::watch(std::io::stdin());
            Ok(ExitCode::SUCCESS)
        }
    };
    result.unwrap_or_else(|error| {
        term::error(&format!("{error:#}"));
        ExitCode::from(2)
    })
}
