//! `scenewright tools`: list, describe, validate.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use scenewright_contract::definition::validate::{Problem, Profile, Severity, validate};
use scenewright_contract::definition::{Definition, Summary};
use scenewright_contract::tool::first_sentence;
use scenewright_contract::{Dialect, JsonMap, Runs, Safety, ToolInfo, suggest};
use scenewright_text::{counted, errors_and_warnings};
use scenewright_toolkit::{Runner, Settings, Workspace};
use scenewright_tools::{GROUPS, new_runner};
use scenewright_wire::listing::listing;
use serde_json::{Value, json};

use crate::cli::{DialectName, ProfileName, Tools, ToolsCommand};
use crate::term::{self, Paint, Style, columns, line};

/// Run the subcommand; listing is the default.
pub fn run(options: Tools) -> Result<ExitCode> {
    match options.command {
        None => list(&[], None),
        Some(ToolsCommand::List { groups, dialect, all, json }) => {
            let form = dialect.map(|dialect| Form::Dialect { dialect, all });
            list(&groups, form.or(json.then_some(Form::Json)))
        }
        Some(ToolsCommand::Describe { name, dialect }) => describe(&name, dialect),
        Some(ToolsCommand::Validate { files, profile, json }) => check(&files, profile, json),
    }
    .map(ExitCode::from)
}

/// How programs get the list.
#[derive(Clone, Copy)]
enum Form {
    Json,
    Dialect { dialect: DialectName, all: bool },
}

/// Every tool that ships, with writes allowed: the list is about what there is.
fn runner() -> Arc<Runner> {
    let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
    new_runner(Workspace::default(), settings, None, &[])
}

fn list(groups: &[String], form: Option<Form>) -> Result<u8> {
    check_groups(groups)?;
    let runner = runner();
    let mut tools = runner.catalog();
    tools.retain(|tool| groups.is_empty() || groups.iter().any(|group| group == tool.toolset));
    match form {
        Some(Form::Dialect { dialect, all }) => {
            // What its clients see before they ask for more.
            tools.retain(|tool| all || !matches!(dialect, DialectName::Mcp) || tool.lean);
            term::json(&listing(Dialect::from(dialect), &tools));
        }
        Some(Form::Json) => {
            let summaries: Vec<Summary> = tools.iter().map(|tool| Summary::of(tool)).collect();
            term::json(&json!({ "tools": summaries }));
        }
        None => print_groups(&tools),
    }
    Ok(0)
}

fn check_groups(groups: &[String]) -> Result<()> {
    let known = || GROUPS.iter().map(|group| group.name);
    let unknown = groups.iter().find(|name| !known().any(|known| known == *name));
    if let Some(name) = unknown {
        let all = format!("they are {}", known().collect::<Vec<_>>().join(", "));
        bail!("there is no group '{name}'; {}", suggest::did_you_mean(name, known(), &all));
    }
    Ok(())
}

fn print_groups(tools: &[&ToolInfo]) {
    let paint = Paint::stdout();
    let rows: Vec<Vec<String>> = tools.iter().map(|tool| row(tool, paint)).collect();
    // In one table, so that all groups have the same columns.
    let lines = columns(&rows);
    for group in GROUPS {
        let mut own = tools.iter().zip(&lines).filter(|(tool, _)| tool.toolset == group.name);
        let Some((_, first)) = own.next() else { continue };
        line(&format!("{}  {}", paint.paint(Style::Bold, group.name), group.about));
        line(&format!("  {first}"));
        own.for_each(|(_, text)| line(&format!("  {text}")));
        line("");
    }
    let count = tools.len();
    line(&format!("{count} tools; `scenewright call NAME --help` tells what one takes."));
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

fn find<'r>(runner: &'r Runner, name: &str) -> Result<&'r ToolInfo> {
    match runner.describe(name) {
        Ok(tool) => Ok(tool),
        Err(error) => bail!("{}", error.text().replace("\nTry: ", "; ")),
    }
}

/// Print how one tool is called: `scenewright call NAME --help`.
pub(crate) fn usage(name: &str) -> Result<()> {
    let runner = runner();
    let tool = find(&runner, name)?;
    let paint = Paint::stdout();
    let inputs = Definition::of(tool).inputs;
    line(&tool.words.description);
    if let Some(notes) = tool.notes {
        line(&format!("\n{notes}"));
    }
    let is_needed = |property: &&Value| property.get("required") != Some(&Value::Bool(false));
    let needed = inputs.iter().filter(|(_, property)| is_needed(property));
    let needed: String = needed.map(|(name, _)| format!(" {name}=…")).collect();
    let more =
        if inputs.values().all(|property| is_needed(&property)) { "" } else { " [key=value]" };
    let title = paint.paint(Style::Bold, "Usage:");
    line(&format!("\n{title} scenewright call {}{needed}{more}", tool.mcp_name));
    print_properties("Arguments (? may be left out)", &inputs, paint);
    if let Some(powers) = powers(tool) {
        line(&format!("\n{powers}"));
    }
    print_examples(tool, paint);
    line(&format!(
        "\n`scenewright tools describe {}` also tells what comes back; `scenewright call --help` \
         has the options of call.",
        tool.mcp_name
    ));
    Ok(())
}

/// Which options a tool needs before it does anything.
fn powers(tool: &ToolInfo) -> Option<&'static str> {
    Some(match (tool.runs, tool.safety) {
        _ if tool.delegates => "It may do what the tool that it runs may do.",
        (Runs::No, Safety::ReadOnly) => return None,
        (Runs::No, _) => {
            "It changes files: --dry-run shows what it would do, --allow-writes does it."
        }
        (Runs::Only, _) => {
            "It starts the engine, which runs code of the project: --allow-runs lets it."
        }
        (Runs::AndWrites, _) => {
            "It starts the engine, which runs code of the project, and changes files: --allow-runs \
             and --allow-writes let it."
        }
    })
}

/// Lines to type. The project of an example is one of the samples; here it is the one of the reader.
fn print_examples(tool: &ToolInfo, paint: Paint) {
    for example in &tool.words.examples {
        let mut input = example.input.clone();
        for project in ["project", "projectPath"] {
            input.as_object_mut().map(|input| input.shift_remove(project));
        }
        let title = paint.paint(Style::Bold, example.description);
        // As a shell reads it: a quote ends the text, stands for itself and begins it again.
        let input = input.to_string().replace('\'', r"'\''");
        line(&format!("\n{title}\n  scenewright call {} --json '{input}'", tool.mcp_name));
    }
}

fn describe(name: &str, dialect: Option<DialectName>) -> Result<u8> {
    let runner = runner();
    let tool = find(&runner, name)?;
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
        "\n{}; group {}; MCP name {}",
        tool.safety.as_str(),
        tool.toolset,
        tool.mcp_name
    ));
    let definition = Definition::of(tool);
    print_properties("Arguments", &definition.inputs, paint);
    print_properties("Output", &definition.outputs, paint);
    print_examples(tool, paint);
    Ok(0)
}

fn print_properties(title: &str, properties: &JsonMap, paint: Paint) {
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
    let files = counted(files, "file");
    line(&format!("{files}: {}", errors_and_warnings(errors, warnings)));
}
