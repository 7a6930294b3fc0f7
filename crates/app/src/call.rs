//! `scenewright call`: one tool from the shell.

use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use scenewright_contract::{self as contract, JsonMap, ToolError};
use scenewright_toolkit::{Runner, Settings};
use scenewright_tools::new_runner;
use serde_json::{Value, json};

use crate::cli::Call;
use crate::power::may_write;
use crate::term::{self, note};
use crate::workspace::{self, Origin};

/// Run the tool; its output is JSON on stdout, its error JSON on stderr.
pub fn run(options: Call) -> Result<ExitCode> {
    let (workspace, origin) = workspace::open(&options.projects)?;
    if origin == Origin::Samples {
        note(
            "note: no project here; this is about the bundled samples (--project DIR opens yours)",
        );
    }
    let allow_writes = may_write(options.allow_writes)?;
    let settings = Settings { allow_writes, allow_runs: options.allow_runs, ..Settings::default() };
    let runner = new_runner(workspace, settings, None, &[]);
    let arguments = arguments(&options, &runner)?;
    match call(&runner, &options.tool, arguments) {
        Ok(outcome) => {
            term::output(&outcome.output);
            outcome.diagnostics.iter().for_each(|text| note(&format!("note: {text}")));
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            term::json_error(&error_json(&error));
            Ok(ExitCode::FAILURE)
        }
    }
}

fn call(
    runner: &std::sync::Arc<Runner>,
    tool: &str,
    arguments: JsonMap,
) -> Result<contract::Outcome, ToolError> {
    let admitted = runner.admit(contract::Call::new(tool, arguments))?;
    // The same way as in the server, for the sake of the timeout.
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| ToolError::failed(error.to_string()))?;
    let result = runtime.block_on(crate::host::run(admitted));
    runtime.shutdown_background();
    result
}

fn error_json(error: &ToolError) -> Value {
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

fn arguments(options: &Call, runner: &Runner) -> Result<JsonMap> {
    let mut arguments = match &options.json {
        None => JsonMap::new(),
        Some(text) => serde_json::from_str(text).context("--json takes a JSON object")?,
    };
    for pair in &options.arguments {
        let Some((key, value)) = pair.split_once('=') else {
            bail!("'{pair}' is no key=value; write {pair}=… or --json '{{…}}'");
        };
        arguments.insert(key.to_owned(), typed(value, takes_text(runner, &options.tool, key)));
    }
    if options.dry_run {
        arguments.insert("dryRun".to_owned(), json!(true));
    }
    Ok(arguments)
}

/// A value as the tool wants it: text stays text, anything else is JSON.
fn typed(value: &str, text: bool) -> Value {
    match serde_json::from_str(value) {
        Ok(parsed) if !text => parsed,
        _ => json!(value),
    }
}

fn takes_text(runner: &Runner, tool: &str, key: &str) -> bool {
    let Ok(info) = runner.describe(tool) else { return false };
    let kind = info.words.input.get("properties").map(|properties| &properties[key]["type"]);
    match kind {
        Some(Value::String(name)) => name == "string",
        Some(Value::Array(names)) => names.iter().any(|name| name == "string"),
        _ => false,
    }
}
