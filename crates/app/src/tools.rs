//! `scenewright tools`: list, describe, validate.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use scenewright_contract::definition::validate::{Problem, Profile, Severity, validate};
use scenewright_contract::definition::{Definition, Summary};
use scenewright_contract::tool::first_sentence;
use scenewright_contract::{Dialect, Safety, ToolInfo};
use scenewright_toolkit::{Runner, Settings, Workspace};
use scenewright_tools::new_runner;
use scenewright_wire::listing::listing;
use serde_json::{Value, json};

use crate::cli::{DialectName, ProfileName, Tools, ToolsCommand};
use crate::term::{self, Paint, Style, columns, line};

/// Run the subcommand; listing is the default.
pub fn run(options: Tools) -> Result<ExitCode> {
    match options.command.unwrap_or(ToolsCommand::List { dialect: None, json: false }) {
        ToolsCommand::List { dialect, json } => list(dialect, json),
        ToolsCommand::Describe { name, dialect } => describe(&name, dialect),
        ToolsCommand::Validate { files, profile, json } => check(&files, profile, json),
    }
    .map(ExitCode::from)
}

/// Every tool that ships, with writes allowed: the list is about what there is.
fn runner() -> Arc<Runner> {
    let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
    new_runner(Workspace::default(), settings, None, &[])
}

fn list(dialect: Option<DialectName>, json: bool) -> Result<u8> {
    let runner = runner();
    let tools = runner.catalog();
    if let Some(dialect) = dialect {
        term::json(&listing(Dialect::from(dialect), &tools));
        return Ok(0);
    }
    if json {
        let summaries: Vec<Summary> = tools.iter().map(|tool| Summary::of(tool)).collect();
        term::json(&json!({ "tools": summaries }));
        return Ok(0);
    }
    let paint = Paint::stdout();
    let rows: Vec<Vec<String>> = tools.iter().map(|tool| row(tool, paint)).collect();
    columns(&rows).iter().for_each(|text| line(text));
    line(&format!("\n{} tools; `scenewright tools describe NAME` tells more.", tools.len()));
    Ok(0)
}

fn row(tool: &ToolInfo, paint: Paint) -> Vec<String> {
    let safety = match tool.safety {
        _ if tool.delegates => paint.paint(Style::Dim, "runs others"),
        Safety::ReadOnly => paint.paint(Style::Green, "reads"),
        Safety::SafeWrite => paint.paint(Style::Yellow, "writes"),
        Safety::Destructive => paint.paint(Style::Red, "destroys"),
    };
    let summary = first_sentence(&tool.words.description).replace('\n', " ");
    vec![paint.paint(Style::Cyan, tool.id), safety, summary]
}

fn describe(name: &str, dialect: Option<DialectName>) -> Result<u8> {
    let runner = runner();
    let tool = match runner.describe(name) {
        Ok(tool) => tool,
        Err(error) => bail!("{}", error.text().replace("\nTry: ", "; ")),
    };
    if let Some(dialect) = dialect {
        let list = listing(Dialect::from(dialect), &[tool]);
        match list["tools"].get(0) {
            Some(entry) => term::json(entry),
            None => bail!("{} has no name in this dialect", tool.id),
        }
        return Ok(0);
    }
    let paint = Paint::stdout();
    line(&format!(
        "{}  {}",
        paint.paint(Style::Bold, tool.title),
        paint.paint(Style::Cyan, tool.id)
    ));
    line(&format!("\n{}", tool.words.description));
    if let Some(notes) = tool.notes {
        line(&format!("\n{notes}"));
    }
    line(&format!(
        "\n{}; tier {}; category {}; MCP name {}",
        tool.safety.as_str(),
        tool.tier.as_str(),
        tool.category,
        tool.mcp_name
    ));
    let definition = Definition::of(tool);
    print_properties("Arguments", &definition.inputs, paint);
    print_properties("Output", &definition.outputs, paint);
    for example in &tool.words.examples {
        let title = paint.paint(Style::Bold, example.description);
        line(&format!("\n{title}\n  scenewright call {} --json '{}'", tool.id, example.input));
    }
    Ok(0)
}

fn print_properties(title: &str, properties: &scenewright_contract::JsonMap, paint: Paint) {
    if properties.is_empty() {
        return;
    }
    line(&format!("\n{}", paint.paint(Style::Bold, title)));
    let rows: Vec<Vec<String>> = properties
        .iter()
        .map(|(name, property)| {
            let text = |key: &str| property[key].as_str().unwrap_or("").replace('\n', " ");
            let mut about = text("description");
            if let Some(default) = property.get("default") {
                about = format!("{about} Default {default}.");
            }
            let optional = property.get("required") == Some(&Value::Bool(false));
            let mark = if optional { "?" } else { "" };
            let name = paint.paint(Style::Cyan, &format!("{name}{mark}"));
            vec![format!("  {name}"), text("type"), about.trim().to_owned()]
        })
        .collect();
    columns(&rows).iter().for_each(|text| line(text));
}

fn check(files: &[PathBuf], profile: ProfileName, json: bool) -> Result<u8> {
    let mut sources = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("{} cannot be read", file.display()))?;
        let value: Value = serde_json::from_str(text.trim_start_matches('\u{feff}'))
            .with_context(|| format!("{} is not JSON", file.display()))?;
        sources.push((file.display().to_string(), value));
    }
    let profile = match profile {
        ProfileName::V01 => Profile::V01,
        ProfileName::Open => Profile::Open,
    };
    let problems = validate(&sources, profile);
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    if json {
        let list: Vec<Value> = problems.iter().map(problem_json).collect();
        term::json(
            &json!({ "errors": errors, "warnings": problems.len() - errors, "problems": list }),
        );
    } else {
        print_problems(&problems, errors, files.len());
    }
    Ok(u8::from(errors > 0))
}

fn problem_json(problem: &Problem) -> Value {
    json!({
        "file": problem.source,
        "pointer": problem.pointer,
        "rule": problem.rule.as_str(),
        "severity": problem.severity.as_str(),
        "message": problem.message,
    })
}

fn print_problems(problems: &[Problem], errors: usize, files: usize) {
    let paint = Paint::stdout();
    for problem in problems {
        let style = if problem.severity == Severity::Error { Style::Red } else { Style::Yellow };
        line(&format!(
            "{}#{} {} {}: {}",
            problem.source,
            problem.pointer,
            paint.paint(style, problem.severity.as_str()),
            paint.paint(Style::Dim, problem.rule.as_str()),
            problem.message
        ));
    }
    let warnings = problems.len() - errors;
    let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    line(&format!("{files}: {errors} errors, {warnings} warnings"));
}
