//! The tool `explorer.getVersion`, `GetVersion` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getVersion",
    explorer: Some("GetVersion"),
    title: "World Versions",
    category: "explorer",
    examples: &[Example {
        description: "Ask for the versions",
        input: "{}",
        output: r#"{
            "ExplorerVersion": "0.1.0",
            "McpVersion": "0.1.0",
            "UnityVersion": "2022.3.20f1",
            "Runtime": "scenewright"
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell the versions of the program, the interface and the project's Unity.
#[derive(Deserialize, JsonSchema)]
struct Input {}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Output {
    /// Version of the program.
    explorer_version: String,
    /// Version of the interface.
    mcp_version: String,
    /// Version of Unity that the project was saved with.
    unity_version: String,
    /// What runs the world.
    runtime: String,
}

fn run(cx: &Cx, _: Input) -> Result<Output, ToolError> {
    Ok(Output {
        explorer_version: env!("CARGO_PKG_VERSION").to_owned(),
        mcp_version: super::VERSION.to_owned(),
        unity_version: cx.unity_version()?,
        runtime: super::RUNTIME.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn unitys_version_is_the_one_that_saved_the_project() {
        let file = "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 6000.0.23f1\n";
        let version = UnitySample::of(file).ask(super::TOOL.id, json!({}));
        assert_eq!(version["UnityVersion"], "6000.0.23f1");
        assert_eq!(version["ExplorerVersion"], env!("CARGO_PKG_VERSION"));
    }
}
