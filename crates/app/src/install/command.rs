//! How clients start the server: which program, and with what options.

use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::cli::{Install, Permissions, Via};
use crate::clients::Scope;
use crate::serve;

/// What an entry starts.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) command: String,
    arguments: Vec<String>,
    /// What the person has to know.
    pub(super) notes: Vec<String>,
}

impl Started {
    /// The arguments, and the project that was found for a client.
    pub(super) fn arguments(&self, project: Option<&Path>) -> Vec<String> {
        let mut arguments = self.arguments.clone();
        if let Some(project) = project {
            arguments.extend(["--project".to_owned(), project.to_string_lossy().into_owned()]);
        }
        arguments
    }
}

const ANSWER_TOKENS: &str = "--answer-tokens";

/// What the options say. Nothing that is committed may name a path of this machine.
pub(super) fn started(options: &Install) -> Result<Started> {
    let is_shared = options.scope == Scope::Project;
    let via = options.via.unwrap_or(if is_shared { Via::Path } else { Via::File });
    let version = env!("CARGO_PKG_VERSION");
    let package = format!("scenewright@{version}");
    let (command, mut arguments) = match via {
        Via::File => {
            let own = std::env::current_exe().context("where this program lies is not known")?;
            (own.to_string_lossy().into_owned(), Vec::new())
        }
        Via::Path => ("scenewright".to_owned(), Vec::new()),
        Via::Npx => ("npx".to_owned(), vec!["-y".to_owned(), package]),
        Via::Uvx => ("uvx".to_owned(), vec![package]),
    };
    arguments.extend(["serve", "--stdio"].map(str::to_owned));
    if let Some(project) = &options.project {
        ensure!(project.is_dir(), "{} is not a folder", project.display());
        // The file is in the project, and clients start servers there.
        if !is_shared {
            arguments.extend(["--project".to_owned(), absolute(project)?]);
        }
    }
    arguments.extend(permitted(&options.may)?);
    for (option, file) in [("--audit", &options.audit), ("--config", &options.config)] {
        let Some(file) = file else { continue };
        let file = match is_shared {
            false => absolute(file)?,
            true if file.is_relative() => file.to_string_lossy().replace('\\', "/"),
            true => bail!(
                "{} is a path of this machine; with --scope project give {option} a path below the project",
                file.display()
            ),
        };
        arguments.extend([option.to_owned(), file]);
    }
    if let Some(tokens) = options.answer_tokens {
        arguments.extend([ANSWER_TOKENS.to_owned(), tokens.to_string()]);
    }
    let notes = notes(via, is_shared, version, options);
    Ok(Started { command, arguments, notes })
}

fn absolute(path: &Path) -> Result<String> {
    Ok(std::path::absolute(path)?.to_string_lossy().into_owned())
}

/// The options that say what clients may do, as `serve` takes them.
fn permitted(may: &Permissions) -> Result<Vec<String>> {
    serve::toolsets(&may.toolsets)?;
    let mut arguments = Vec::new();
    for (is_given, option) in [
        (may.allow_writes, "--allow-writes"),
        (may.allow_runs, "--allow-runs"),
        (may.read_only, "--read-only"),
        (may.require_confirm, "--require-confirm"),
        (may.refuse_while_open, "--refuse-while-open"),
    ] {
        arguments.extend(is_given.then(|| option.to_owned()));
    }
    if !may.toolsets.is_empty() {
        arguments.extend(["--toolsets".to_owned(), may.toolsets.join(",")]);
    }
    if let Some(tier) = may.tier {
        arguments.extend(["--tier".to_owned(), tier.as_str().to_owned()]);
    }
    Ok(arguments)
}

fn notes(via: Via, is_shared: bool, version: &str, options: &Install) -> Vec<String> {
    let mut notes = Vec::new();
    if is_shared {
        notes.push(match via {
            Via::File => "The entry names this program by its path on this machine: do not commit it.".to_owned(),
            Via::Path => {
                "Everybody who works on the project needs scenewright in PATH; --via npx or --via uvx \
                 writes an entry that fetches it."
                    .to_owned()
            }
            Via::Npx => format!("Everybody who works on the project needs Node; npx fetches scenewright {version} once."),
            Via::Uvx => format!("Everybody who works on the project needs uv; uvx fetches scenewright {version} once."),
        });
    }
    if options.may.require_confirm && !options.may.allow_writes && !options.may.allow_runs {
        notes
            .push("Without --allow-writes or --allow-runs there is nothing to confirm.".to_owned());
    }
    notes
}

#[cfg(test)]
mod tests {
    use clap::{Parser, ValueEnum};

    use super::*;
    use crate::cli::{Cli, Command};

    fn install(words: &str) -> Install {
        let words = format!("scenewright install cursor {words}");
        match Cli::try_parse_from(words.split_whitespace()).unwrap().command {
            Command::Install(options) => options,
            _ => unreachable!("that is what was typed"),
        }
    }

    #[test]
    fn serve_takes_what_is_written() {
        let words = "--allow-writes --allow-runs --read-only --require-confirm --refuse-while-open \
                     --toolsets project,scene --tier pro --audit log.jsonl --config serve.toml --answer-tokens 1500";
        let options = install(words);
        let started = started(&options).unwrap();
        let words = ["scenewright".to_owned()].into_iter().chain(started.arguments);
        let Command::Serve(serve) = Cli::try_parse_from(words).unwrap().command else {
            panic!("not serve")
        };
        assert_eq!(serve.may, options.may);
        assert_eq!(serve.answer_tokens, Some(1500));
        assert!(serve.audit.unwrap().is_absolute() && serve.config.unwrap().is_absolute());
        assert!(serve.stdio);
    }

    #[test]
    fn what_is_committed_names_no_path_of_this_machine() {
        for via in Via::value_variants().iter().filter(|via| **via != Via::File) {
            let via = via.to_possible_value().unwrap();
            let words = "--scope project --project . --audit logs/a.jsonl --via";
            let words = format!("{words} {}", via.get_name());
            let started = started(&install(&words)).unwrap();
            let all = [vec![started.command], started.arguments].concat();
            assert!(
                all.iter().all(|word| !word.starts_with('/') && !word.contains(":\\")),
                "{all:?}"
            );
            assert!(started.notes[0].contains("Everybody"));
        }
        assert_eq!(started(&install("--scope project")).unwrap().command, "scenewright");
        let own = std::env::current_exe().unwrap();
        let error = started(&install(&format!("--scope project --audit {}", own.display())));
        assert!(error.unwrap_err().to_string().contains("below the project"));
    }

    #[test]
    fn toolsets_that_are_not_there_are_refused() {
        let error = started(&install("--toolsets projct")).unwrap_err().to_string();
        assert!(error.contains("did you mean"), "{error}");
    }
}
