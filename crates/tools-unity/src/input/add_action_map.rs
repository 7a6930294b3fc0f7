//! The tool `input.addActionMap`: Add Action Map.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EXAMPLE, change};

pub(crate) const TOOL: Tool = Tool {
    id: "input.addActionMap",
    keywords: "input system new action map inputactions player ui vehicle controls",
    argument_aliases: &[("map", "name")],
    title: "Add Action Map",
    category: "input",
    safety: Safety::SafeWrite,
    idempotent: false,
    after: &[EXAMPLE],
    examples: &[Example {
        description: "A map for menus in a file of input actions",
        input: r#"{ "project": "unity", "path": "Assets/Controls.inputactions", "name": "UI" }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Controls.inputactions",
            "id": "",
            "maps": ["Player", "UI"],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["id", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add an action map to a file of input actions, as the last one and without actions.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The `.inputactions` file.
    path: String,
    /// What the map is called.
    name: String,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    path: String,
    /// The id of the map.
    id: String,
    /// All maps that the file has now.
    maps: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let file = (input.project.as_deref(), input.path.as_str());
    let (path, (id, maps), written) = change(cx, file, input.dry_run, |actions, ids| {
        let id = actions.add_map(&input.name, ids)?;
        Ok((id, actions.asset.maps.iter().map(|map| map.name.clone()).collect()))
    })?;
    Ok(Output { success: true, path, id, maps, written })
}
