//! The tool `prefab.variantOverrides`: List Variant Overrides.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::overrides::{Output, tell};
use crate::base::InUnity;

pub(crate) const TOOL: Tool = Tool {
    id: "prefab.variantOverrides",
    title: "List Variant Overrides",
    keywords: "what differs prefab variant from its base compare changed fields added removed differences",
    category: "prefab",
    examples: &[Example {
        description: "What the golden lantern of the Unity sample has other than its base",
        input: r#"{ "prefabPath": "Assets/Prefabs/GoldenLantern.prefab" }"#,
        output: r#"{ "object": "GoldenLantern", "fileID": 0, "prefab": "Assets/Prefabs/Lantern.prefab", "overrides": [], "addedObjects": [{ "object": "GoldenLantern/Gilded Ring" }], "removedObjects": [], "addedComponents": [{ "object": "GoldenLantern", "component": "Collectible" }], "removedComponents": [] }"#,
        varies: &["overrides", "fileID"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List what a prefab variant has other than its base: every override with the base's own value
/// beside it, added and removed objects and components.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The variant.
    prefab_path: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (path, hierarchy) = unity.hierarchy(&input.prefab_path)?;
    let roots = hierarchy.roots();
    let root = roots.first().filter(|root| root.outer_instance().is_some());
    let root = root.ok_or_else(|| {
        let text = format!("{path} is no variant: its root is its own");
        ToolError::new(ErrorKind::EngineError, text)
            .hint("prefab_overrides is for instances in scenes and prefabs")
    })?;
    tell(&unity, &hierarchy, root)
}
