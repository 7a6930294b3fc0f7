//! The tool `godotScript.scriptSymbol`, which MCP clients call `script_symbol`.

use std::time::Duration;

use scenewright_contract::{Limits, Runs, Safety, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::{ScriptPlace, Server};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// So many places are returned.
const MAX_PLACES: usize = 300;
/// So much of a documentation is returned.
const MAX_ABOUT: usize = 2000;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScript.scriptSymbol",
    keywords: "go to definition find references usages of function variable signal where is it declared used hover documentation type lsp callers",
    mcp: Some("script_symbol"),
    title: "Find GDScript Symbol",
    notes: Some(super::LANGUAGE_NOTES),
    category: "godot.script",
    safety: Safety::Destructive,
    runs: Runs::Only,
    needs: Needs::Program,
    limits: Limits {
        timeout: Duration::from_secs(320),
        max_items: Some(MAX_PLACES),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Where respawn() is declared and called",
        input: r#"{ "projectPath": "godot", "scriptPath": "scripts/main.gd", "symbol": "respawn" }"#,
        output: r#"{
            "success": true,
            "symbol": "respawn",
            "about": "func respawn(at: Vector2) -> void",
            "definition": { "file": "res://scripts/player.gd", "line": 45, "column": 6, "code": "func respawn(at: Vector2) -> void:" },
            "references": [
                { "file": "res://scripts/main.gd", "line": 43, "column": 9, "code": "player.respawn(_start.global_position)" },
                { "file": "res://scripts/player.gd", "line": 45, "column": 6, "code": "func respawn(at: Vector2) -> void:" }
            ],
            "total": 2,
            "server": "headless"
        }"#,
        varies: &["about", "server"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell where a name of a script is declared, what it is, and every place in code that uses it, by the
/// engine's own understanding: another variable of the same name is not among them.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    #[serde(flatten)]
    symbol: super::InSymbol,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The name.
    symbol: String,
    /// Its signature and documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// Where it is declared; absent for the engine's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    definition: Option<ScriptPlace>,
    /// Where scripts of the project use it, the declaration included; at most 300.
    references: Vec<ScriptPlace>,
    /// How many there are.
    total: usize,
    /// Whose language server answered.
    server: Server,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let script = godot.open_script(&input.symbol.script_path)?;
    let at = input.symbol.position(&script)?;
    godot.program()?;
    let cancel = cx.cancel();
    let ((about, definition, references), server) = godot.ask_language(|lsp, root| {
        let path = script.below(root);
        lsp.open(&path, &script.text)?;
        let about = lsp.hover(&path, at, cancel)?;
        let definition = lsp.definition(&path, at, cancel)?;
        let references = lsp.references(&path, at, cancel)?;
        lsp.close(&path)?;
        let place = |location| godot.script_place(root, location);
        let references: Vec<ScriptPlace> = references.iter().filter_map(place).collect();
        Ok((about, definition.first().and_then(place), references))
    })?;
    if about.is_none() && definition.is_none() && references.is_empty() {
        let symbol = &input.symbol.symbol;
        return Err(ToolError::failed(format!("the engine knows nothing of `{symbol}` there"))
            .hint("get_script_errors tells whether the script can be parsed"));
    }
    // The last line of what the server says is a link to the file that `definition` names.
    let about = about.map(|text| {
        let text = text.split("\n\nDefined in [").next().unwrap_or_default().trim();
        text[..text.floor_char_boundary(MAX_ABOUT.min(text.len()))].to_owned()
    });
    Ok(Output {
        success: true,
        symbol: input.symbol.symbol,
        about,
        definition,
        total: references.len(),
        references: references.into_iter().take(MAX_PLACES).collect(),
        server,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_name_that_the_code_does_not_have_is_said_before_the_engine_is_asked() {
        let sample = GodotSample::new();
        sample.write("a.gd", "extends Node\n# gone\nvar text = \"gone\"\n");
        let refuse = |line: Option<usize>| {
            let arguments = json!({ "scriptPath": "a.gd", "symbol": "gone", "line": line });
            sample.error(super::TOOL.id, arguments)
        };
        assert_eq!(refuse(None), "the code of a.gd has no `gone`; read_script shows the script");
        assert!(refuse(Some(3)).starts_with("the code of line 3 of a.gd has no `gone`"));
    }
}
