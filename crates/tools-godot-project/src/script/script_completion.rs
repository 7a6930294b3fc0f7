//! The tool `godotScript.scriptCompletion`, which MCP clients call `script_completion`.

use std::time::Duration;

use scenewright_contract::{Limits, Runs, Safety, ToolError};
use scenewright_live::godot::lsp::Completion;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::Server;
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many words are returned.
const MAX_WORDS: usize = 200;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.scriptCompletion",
    keywords: "autocomplete intellisense members methods properties of a variable suggest what can be called on code completion gdscript lsp",
    mcp: Some("script_completion"),
    title: "Complete GDScript",
    notes: Some(super::LANGUAGE_NOTES),
    category: "godot.script",
    safety: Safety::Destructive,
    runs: Runs::Only,
    needs: Needs::Program,
    limits: Limits {
        timeout: Duration::from_secs(320),
        max_items: Some(MAX_WORDS),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "What a node of this script can be asked",
        input: r#"{ "projectPath": "godot", "scriptPath": "scripts/player.gd", "line": 23, "typed": "\t_coyote_timer.is_", "prefix": "is_st" }"#,
        output: r#"{
            "success": true,
            "words": [{ "word": "is_stopped()", "kind": "method" }],
            "total": 1,
            "server": "headless"
        }"#,
        varies: &["server"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List what could be written at a place of a script: members of the value before the dot, functions,
/// classes, nodes. Nothing is changed.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The script: `res://player.gd`, or the path from the project's root.
    script_path: String,
    /// The line, from 1.
    #[schemars(range(min = 1))]
    line: usize,
    /// The column, from 1, in characters; the end of the line by default.
    #[schemars(range(min = 1))]
    column: Option<usize>,
    /// Code to be thought of as a line of its own above that line, complete at its end: `\tvelocity.`
    typed: Option<String>,
    /// Only words that begin so; with the name that stands before the place by default.
    prefix: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What fits, in the engine's order; at most 200.
    words: Vec<Word>,
    /// How many there are.
    total: usize,
    /// Whose language server answered.
    server: Server,
}

#[derive(Serialize, JsonSchema)]
struct Word {
    /// The word.
    word: String,
    /// What it is.
    kind: &'static str,
    /// More about it.
    #[serde(skip_serializing_if = "String::is_empty")]
    detail: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut script = godot.open_script(&input.script_path)?;
    let mut at = script.position(input.line, input.column)?;
    if let Some(typed) = &input.typed {
        if typed.contains('\n') {
            return Err(ToolError::bad_argument("typed", "has more than one line"));
        }
        let lines: Vec<&str> = script.text.split('\n').collect();
        let (before, after) = lines.split_at(at.line);
        script.text = [before, &[typed], after].concat().join("\n");
        at.character = typed.chars().count();
    }
    godot.program()?;
    let (found, server) = godot.ask_language(|lsp, root| {
        let path = script.below(root);
        lsp.open(&path, &script.text)?;
        let found = lsp.completion(&path, at, cx.cancel());
        lsp.close(&path)?;
        found
    })?;
    let line = script.text.split('\n').nth(at.line).unwrap_or_default();
    let prefix = input.prefix.unwrap_or_else(|| name_before(line, at.character).to_owned());
    let fits = |word: &Completion| word.label.starts_with(&prefix);
    let words: Vec<Word> = found.into_iter().filter(fits).map(word).collect();
    let total = words.len();
    if total > MAX_WORDS {
        cx.diagnose(format!("{MAX_WORDS} of {total} words are told; prefix chooses among them"));
    }
    Ok(Output { success: true, words: words.into_iter().take(MAX_WORDS).collect(), total, server })
}

/// The name that a line has before a place, so far as it is typed: `st` of `timer.st`.
fn name_before(line: &str, characters: usize) -> &str {
    let end = line.char_indices().nth(characters).map_or(line.len(), |(end, _)| end);
    let is_other = |c: char| !c.is_alphanumeric() && c != '_';
    let name = line[..end].rsplit(is_other).next().unwrap_or_default();
    if name.starts_with(char::is_numeric) { "" } else { name }
}

fn word(found: Completion) -> Word {
    let kind = match found.kind {
        2 => "method",
        3 => "function",
        5 | 6 | 10 => "property",
        7 => "class",
        13 | 20 => "enum",
        14 => "keyword",
        17 => "file",
        21 => "constant",
        23 => "signal",
        _ => "other",
    };
    Word { word: found.label, kind, detail: found.detail }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::name_before;
    use crate::testing::GodotSample;

    #[test]
    fn what_is_typed_of_a_word_chooses_among_the_words() {
        for (line, at, expected) in [
            ("\thurt_timer.st", 14, "st"),
            ("\thurt_timer.st", 12, ""),
            ("\thurt_timer.st", 4, "hur"),
            ("é_1", 3, "é_1"),
            ("x = 12", 6, ""),
            ("", 3, ""),
        ] {
            assert_eq!(name_before(line, at), expected, "{line} at {at}");
        }
    }

    #[test]
    fn a_place_that_is_not_there_is_said_before_the_engine_is_asked() {
        let sample = GodotSample::new();
        sample.write("a.gd", "extends Node\nvar é = 1\n");
        let refuse = |line: usize, column: usize| {
            let arguments = json!({ "scriptPath": "a.gd", "line": line, "column": column });
            sample.error(super::TOOL.id, arguments)
        };
        assert_eq!(refuse(9, 1), "a.gd has 3 lines, and line 9 is none of them");
        assert_eq!(refuse(2, 11), "line 2 of a.gd has 9 characters, so there is no column 11");
    }
}
