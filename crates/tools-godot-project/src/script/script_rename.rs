//! The tool `godotScript.scriptRename`, which MCP clients call `script_rename`.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_godot::FileKind;
use scenewright_live::godot::lsp::{Position, Range};
use scenewright_text::{Edits, has_word};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::Server;
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Leftover, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many places that keep the old name are told.
const MAX_LEFT: usize = 100;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.scriptRename",
    keywords: "refactor rename function method variable signal class symbol everywhere in all scripts lsp new name",
    mcp: Some("script_rename"),
    title: "Rename GDScript Symbol",
    notes: Some(
        "The language server of the engine says which places are meant. Scenes and resources that name it (values of exported variables, connections) and texts in code keep the old name and are told in notTouched. Afterwards the changed scripts are parsed; errors that were not there before are told.",
    ),
    category: "godot.script",
    safety: Safety::Destructive,
    runs: Runs::AndWrites,
    dry_runs: true,
    needs: Needs::Program,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(320), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Give a function another name wherever it is called",
        input: r#"{ "projectPath": "godot", "scriptPath": "scripts/player.gd", "symbol": "respawn", "newName": "come_back" }"#,
        output: r#"{
            "success": true,
            "symbol": "respawn",
            "newName": "come_back",
            "places": 2,
            "notTouched": [],
            "newErrors": [],
            "server": "headless",
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["server", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Rename a function, variable, signal, class or constant in every script that uses it, by the
/// engine's own understanding of the code.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    #[serde(flatten)]
    symbol: super::InSymbol,
    /// The new name.
    new_name: String,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The name before.
    symbol: String,
    /// The name now.
    new_name: String,
    /// How many places in code have the new name.
    places: usize,
    /// Places in scenes and resources that have the old name and may mean this, at most 100: look at
    /// them.
    not_touched: Vec<Leftover>,
    /// Errors of the changed scripts that were not there before; none in a dry run.
    new_errors: Vec<String>,
    /// Whose language server answered.
    server: Server,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let script = godot.open_script(&input.symbol.script_path)?;
    let at = input.symbol.position(&script)?;
    let symbol = input.symbol.symbol;
    check_name(&symbol, &input.new_name)?;
    godot.program()?;
    let (changes, server) = godot.ask_language(|lsp, root| {
        let path = script.below(root);
        lsp.open(&path, &script.text)?;
        let changes = lsp.rename(&path, at, &input.new_name, cx.cancel())?;
        lsp.close(&path)?;
        let local = |(path, ranges): (std::path::PathBuf, Vec<Range>)| {
            Some((path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/"), ranges))
        };
        Ok(changes.into_iter().filter_map(local).collect::<Vec<_>>())
    })?;
    if changes.iter().all(|(_, ranges)| ranges.is_empty()) {
        return Err(ToolError::new(
            ErrorKind::EngineError,
            format!("the engine renames nothing there: `{symbol}` is its own, or unknown to it"),
        )
        .hint("nothing was changed; script_symbol tells what it is"));
    }
    let paths: Vec<String> = changes.iter().map(|(path, _)| path.clone()).collect();
    let before = if input.write.dry_run { Vec::new() } else { errors(&godot, &paths)? };
    let mut files = Vec::new();
    for (local, ranges) in &changes {
        let path = godot.path(local)?;
        let bytes = godot.read(&path)?;
        let edits = edits(&path, &bytes, ranges, &symbol, &input.new_name)?;
        files.push((path, bytes, edits));
    }
    let mut plan = Plan::new(godot.project);
    for (path, bytes, edits) in &files {
        plan.edit(path, bytes, edits)?;
    }
    let written = saved(&godot, plan, input.write)?;
    let mut new_errors = Vec::new();
    if !input.write.dry_run {
        // A name in a message is the old one before, the new one afterwards.
        new_errors = errors(&godot, &paths)?;
        new_errors.retain(|error| {
            !before
                .iter()
                .any(|old| *old == *error || old.replace(&symbol, &input.new_name) == *error)
        });
    }
    Ok(Output {
        success: true,
        not_touched: left(&godot, &symbol)?,
        symbol,
        new_name: input.new_name,
        places: changes.iter().map(|(_, ranges)| ranges.len()).sum(),
        new_errors,
        server,
        written,
    })
}

fn check_name(old: &str, new: &str) -> Result<(), ToolError> {
    let is_start = |char: char| char.is_alphabetic() || char == '_';
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let problem = if old == new {
        "is the name that it has"
    } else if !new.starts_with(is_start) || !new.chars().all(is_part) {
        "is no name: letters, digits and _ make one"
    } else if KEYWORDS.contains(&new) {
        "is a word of GDScript"
    } else {
        return Ok(());
    };
    Err(ToolError::bad_argument("newName", problem))
}

/// Words that name nothing.
const KEYWORDS: [&str; 38] = [
    "if",
    "elif",
    "else",
    "for",
    "while",
    "match",
    "when",
    "break",
    "continue",
    "pass",
    "return",
    "class",
    "class_name",
    "extends",
    "is",
    "in",
    "as",
    "self",
    "super",
    "signal",
    "func",
    "static",
    "const",
    "enum",
    "var",
    "breakpoint",
    "preload",
    "await",
    "yield",
    "assert",
    "void",
    "true",
    "false",
    "null",
    "and",
    "or",
    "not",
    "namespace",
];

/// The edits of one file. Each place must have the old name, else the server read another file.
fn edits(
    path: &ProjectPath,
    bytes: &[u8],
    ranges: &[Range],
    old: &str,
    new: &str,
) -> Result<Edits, ToolError> {
    let text = String::from_utf8_lossy(bytes);
    let mut edits = Edits::default();
    for range in ranges {
        let (start, end) = (offset(&text, range.start), offset(&text, range.end));
        match start.zip(end).filter(|(start, end)| text.get(*start..*end) == Some(old)) {
            Some((start, end)) => edits.replace(start..end, new),
            None => {
                return Err(ToolError::failed(format!(
                    "line {} of {path} is not as the language server has it",
                    range.start.line + 1
                ))
                .hint("nothing was changed; save the script in the editor, then call again"));
            }
        }
    }
    Ok(edits)
}

/// Where a place is in a text, in bytes.
fn offset(text: &str, at: Position) -> Option<usize> {
    let start: usize = text.split_inclusive('\n').take(at.line).map(str::len).sum();
    let line = text[start..].split('\n').next()?;
    let mut places = line.char_indices().map(|(place, _)| place).chain([line.len()]);
    places.nth(at.character).map(|place| start + place)
}

fn errors(godot: &Godot<'_>, paths: &[String]) -> Result<Vec<String>, ToolError> {
    let said = godot.diagnose_scripts(paths)?;
    let errors = said.problems.into_iter().filter(|problem| problem.is_error);
    Ok(errors.map(|error| format!("{}:{}: {}", error.file, error.line, error.text)).collect())
}

/// Lines of scenes and resources with the old name.
fn left(godot: &Godot<'_>, symbol: &str) -> Result<Vec<Leftover>, ToolError> {
    let mut found = Vec::new();
    let kinds = [FileKind::Scene, FileKind::Resource];
    for file in kinds.into_iter().flat_map(|kind| godot.index.of_kind(kind)) {
        godot.cx.check_cancelled()?;
        let Ok(bytes) = godot.read(&godot.path(&file.path)?) else { continue };
        let text = String::from_utf8_lossy(&bytes);
        for (line, code) in (1..).zip(text.lines()).filter(|(_, code)| has_word(code, symbol)) {
            if found.len() == MAX_LEFT {
                godot.cx.diagnose("more places have the old name than are told");
                return Ok(found);
            }
            let text: String = code.trim().chars().take(200).collect();
            found.push(Leftover { file: file.path.clone(), line, text });
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::GodotSample;

    #[test]
    fn names_that_cannot_be_are_said_before_the_engine_is_asked() {
        let sample = GodotSample::new();
        for (name, problem) in [
            ("respawn", "is the name that it has"),
            ("2nd", "is no name"),
            ("a b", "is no name"),
            ("while", "is a word of GDScript"),
        ] {
            let arguments =
                json!({ "scriptPath": "scripts/player.gd", "symbol": "respawn", "newName": name });
            let error = sample.error(TOOL.id, arguments);
            assert!(error.contains(problem), "{error}");
        }
    }

    #[test]
    fn a_place_counts_characters_and_must_have_the_name() {
        let text = "a\n\tvar s = \"😀é\"; name = 1\r\n";
        let range = |start: usize, end: usize| Range {
            start: Position { line: 1, character: start },
            end: Position { line: 1, character: end },
        };
        let sample = GodotSample::new();
        let runner = scenewright_tools_godot::testing::runner(&sample.path(""), &[], false);
        let project = runner.workspace().projects()[0].clone();
        let path = ProjectPath::parse(&project, "a.gd").unwrap();
        let made = edits(&path, text.as_bytes(), &[range(15, 19)], "name", "é").unwrap();
        let after = made.apply(text.as_bytes()).unwrap();
        assert_eq!(String::from_utf8(after).unwrap(), "a\n\tvar s = \"😀é\"; é = 1\r\n");
        let error = edits(&path, text.as_bytes(), &[range(16, 20)], "name", "é").unwrap_err();
        assert_eq!(error.message, "line 2 of a.gd is not as the language server has it");
        assert_eq!(offset(text, Position { line: 9, character: 3 }), None);
    }
}
