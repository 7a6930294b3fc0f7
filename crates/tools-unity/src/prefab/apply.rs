//! The tool `prefab.apply`: Apply Prefab Overrides.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::Apply;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::editing::edit_scene;

pub(crate) const TOOL: Tool = Tool {
    id: "prefab.apply",
    title: "Apply Prefab Overrides",
    keywords: "push changes of an instance to its prefab asset save overrides back added removed components objects apply all to source base",
    notes: Some(
        "prefab_overrides lists what can be applied. The scene shows the same afterwards; other instances of the prefab take it over, and the answer names their files.",
    ),
    category: "prefab",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Let the prefab of a room of the Unity sample have what a key is worth there",
        input: r#"{ "scenePath": "Assets/Scenes/Cellar.unity", "hierarchyPath": "Storage Room/Key", "component": "Collectible", "field": "value" }"#,
        output: r#"{ "success": true, "object": "Storage Room/Key", "changed": true, "remarks": [], "dryRun": false, "filesChanged": 2, "changes": [] }"#,
        varies: &["remarks", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put what a prefab instance has other than its prefab into the prefab: values, added and removed
/// objects and components; they leave the instance.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the instance, for everything; or of an object in it, or added to it.
    hierarchy_path: String,
    /// Class of one component of it, also of one that the instance removed.
    component: Option<String>,
    /// One field.
    field: Option<String>,
    /// Path of the prefab that takes it: the one of the instance, unless a prefab further down the
    /// chain of variants and nested prefabs is named.
    to: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The path of the object.
    object: String,
    /// False when there was nothing to apply.
    changed: bool,
    /// What went, what did not, and which other instances take it.
    remarks: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let (project, scene) = (input.project.as_deref(), input.scene_path);
    let wanted = Apply {
        object: &input.hierarchy_path,
        component: input.component.as_deref(),
        field: input.field.as_deref(),
        to: input.to.as_deref(),
    };
    let (_, done, written) =
        edit_scene(cx, project, scene, input.dry_run, |editor| editor.apply(&wanted))?;
    Ok(Output {
        success: true,
        object: done.path,
        changed: done.changed,
        remarks: done.remarks,
        written,
    })
}

#[cfg(test)]
mod tests;
