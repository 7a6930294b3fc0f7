//! `scenewright call`: one tool from the shell.

mod person;

use std::io::{IsTerminal, Read as _};
use std::process::ExitCode;

use anyhow::{Context, Result, anyhow, bail};
use clap::CommandFactory;
use scenewright_contract::call::Reads;
use scenewright_contract::{self as contract, JsonMap, Outcome, ToolError};
use scenewright_toolkit::arguments::spellings;
use scenewright_toolkit::{Runner, Settings, Workspace};
use scenewright_tools::{GROUPS, new_runner};
use serde_json::{Value, json};

use crate::approval::{Onlooker, bounded};
use crate::cli::{Answer, Call, Cli};
use crate::power::may_write;
use crate::term::{self, note};
use crate::{tools, workspace};

/// Longer arguments are no arguments any more; a message of the server may not be longer either.
const MAX_JSON: u64 = 16 << 20;

/// Run the tool; its output is JSON on stdout, its error JSON on stderr.
pub fn run(options: Call) -> Result<ExitCode> {
    let Some(tool) = options.tool.clone() else { return help() };
    if options.help {
        return tools::usage(&tool).map(|()| ExitCode::SUCCESS);
    }
    let given = given(&options)?;
    let workspace = match workspace::open_own(&options.projects) {
        // A tool about the server needs no project, but one that was named must be there.
        Err(_) if !needs_project(&tool) && options.projects.folders.is_empty() => {
            Workspace::default()
        }
        workspace => workspace?,
    };
    let allow_writes = may_write(options.allow_writes)?;
    let settings = Settings {
        allow_writes,
        allow_runs: options.allow_runs,
        refuse_while_open: options.refuse_while_open,
        ..Settings::default()
    };
    let runner = new_runner(workspace, settings, None, &[]);
    let arguments = arguments(&options, &tool, given, &runner);
    let by_place = |is_terminal| if is_terminal { Answer::Text } else { Answer::Json };
    let form = options.format.unwrap_or_else(|| by_place(std::io::stdout().is_terminal()));
    let reads = match form {
        Answer::Model => Reads::Text,
        Answer::Text | Answer::Json => Reads::Data,
    };
    let mut asked = contract::Call { reads, ..contract::Call::new(&tool, arguments) };
    let onlooker = match form {
        Answer::Text => {
            Some(Onlooker::of(&runner, &mut asked).map_err(|why| anyhow!(why.message))?)
        }
        Answer::Json | Answer::Model => None,
    };
    match call(&runner, asked) {
        Ok(Outcome { text: Some(text), .. }) => {
            term::line(&text);
            Ok(ExitCode::SUCCESS)
        }
        Ok(outcome) => {
            match onlooker {
                Some(onlooker) => person::show(&outcome.output, &bounded(onlooker.meaning())),
                None => term::output(&outcome.output),
            }
            outcome.diagnostics.iter().for_each(|text| note(&format!("note: {text}")));
            Ok(ExitCode::SUCCESS)
        }
        Err(mut error) => {
            say_option(&mut error);
            let by_place = || by_place(std::io::stderr().is_terminal());
            match options.format.unwrap_or_else(by_place) {
                Answer::Text => term::error(&error.text()),
                Answer::Model => note(&error.text()),
                Answer::Json => term::json_error(&error_json(&error)),
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

/// The help of the command itself.
fn help() -> Result<ExitCode> {
    let mut all = Cli::command();
    all.build();
    let call = all.find_subcommand_mut("call").context("there is a command call")?;
    call.print_long_help()?;
    Ok(ExitCode::SUCCESS)
}

/// Whether it is about a project, not about the server.
fn needs_project(tool: &str) -> bool {
    let about_us = GROUPS.iter().filter(|group| ["mcp", "tools"].contains(&group.name));
    !about_us.flat_map(|group| group.tools).any(|one| one.names().any(|name| name == tool))
}

/// Run a tool in this process, under its timeout.
pub(crate) fn call(
    runner: &std::sync::Arc<Runner>,
    call: contract::Call,
) -> Result<Outcome, ToolError> {
    let admitted = runner.admit(call)?;
    // The same way as in the server, for the sake of the timeout.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| ToolError::failed(error.to_string()))?;
    let result = runtime.block_on(crate::host::run(admitted));
    runtime.shutdown_background();
    result
}

/// Who typed a command starts no server.
fn say_option(error: &mut ToolError) {
    let hint = match error.details.get("setting").and_then(Value::as_str) {
        Some("allow-writes") => "--dry-run shows what it would change, --allow-writes lets it",
        Some("allow-runs") => {
            "--allow-runs lets it start the engine, which runs code of the project"
        }
        _ => return,
    };
    error.hint = Some(hint.into());
}

pub(crate) fn error_json(error: &ToolError) -> Value {
    let mut said = json!({ "kind": error.kind.as_str(), "message": error.message });
    if let Some(tool) = &error.tool {
        said["tool"] = json!(tool);
    }
    if let Some(hint) = &error.hint {
        said["hint"] = json!(hint);
    }
    if !error.details.is_empty() {
        said["details"] = Value::Object((*error.details).clone());
    }
    json!({ "error": said })
}

/// What was typed, as far as it can be read without knowing the tool.
struct Given<'a> {
    object: JsonMap,
    pairs: Vec<(&'a str, &'a str)>,
}

fn given(options: &Call) -> Result<Given<'_>> {
    let object = match &options.json {
        None => JsonMap::new(),
        Some(text) => object(text)?,
    };
    let mut pairs = Vec::new();
    for pair in &options.arguments {
        let Some(split) = pair.split_once('=') else {
            bail!("'{pair}' is no key=value; write {pair}=… or --json '{{…}}'");
        };
        pairs.push(split);
    }
    Ok(Given { object, pairs })
}

/// The JSON object that was typed, that a file has (`@file`) or that comes in (`-`).
fn object(text: &str) -> Result<JsonMap> {
    let (bytes, place) = if text == "-" {
        let mut bytes = Vec::new();
        let input = std::io::stdin().lock();
        // One more than may be there tells that there is more.
        input.take(MAX_JSON + 1).read_to_end(&mut bytes).context("standard input")?;
        (bytes, " from standard input".to_owned())
    } else if let Some(file) = text.strip_prefix('@') {
        let bytes =
            read_file(file).with_context(|| format!("--json @FILE: '{file}' cannot be read"))?;
        (bytes, format!(" from {file}"))
    } else {
        (text.as_bytes().to_vec(), String::new())
    };
    if bytes.len() as u64 > MAX_JSON {
        bail!("--json{place} is longer than {} MiB", MAX_JSON >> 20);
    }
    // Editors of Windows begin files with a mark that JSON does not know.
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(&bytes);
    serde_json::from_slice(bytes).with_context(|| {
        format!("--json takes a JSON object: typed, @FILE, or - for standard input; this one{place} is none")
    })
}

fn read_file(file: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    std::fs::File::open(file)?.take(MAX_JSON + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn arguments(options: &Call, tool: &str, given: Given<'_>, runner: &Runner) -> JsonMap {
    let mut arguments = given.object;
    for (key, value) in given.pairs {
        arguments.insert(key.to_owned(), typed(value, takes_text(runner, tool, key)));
    }
    if options.dry_run {
        arguments.insert("dryRun".to_owned(), json!(true));
    }
    arguments
}

/// A value as the tool wants it: text stays text, anything else is JSON. The tool itself reads JSON in
/// a text that it does not take.
fn typed(value: &str, text: bool) -> Value {
    match serde_json::from_str(value) {
        Ok(parsed) if !text => parsed,
        _ => json!(value),
    }
}

/// Whether the argument of a tool that is meant by `key` takes text.
fn takes_text(runner: &Runner, tool: &str, key: &str) -> bool {
    let Ok((tool, info)) = runner.known(tool) else { return false };
    let Some(Value::Object(known)) = info.words.input.get("properties") else { return false };
    let mut aliases = tool.argument_aliases.iter();
    let own = aliases.find(|(alias, _)| *alias == key).map(|(_, name)| *name);
    let names: Vec<String> = known.keys().cloned().collect();
    let name = own.or_else(|| spellings::meant(key, &names));
    match name.and_then(|name| known.get(name)).map(|schema| &schema["type"]) {
        Some(Value::String(name)) => name == "string",
        Some(Value::Array(names)) => names.iter().any(|name| name == "string"),
        _ => false,
    }
}
