//! The tool `prefab.overrides`: List Prefab Overrides.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::hierarchy::{Hierarchy, Node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::overrides::Differences;
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "prefab.overrides",
    title: "List Prefab Overrides",
    keywords: "what differs changed instance from its prefab modified fields added removed objects components compare differences properties bold original",
    notes: Some(
        "unity_edit's revert takes back values and what is removed, its delete and removeComponent what is added; prefab_apply puts them into the prefab; prefab_variantOverrides is for variants.",
    ),
    category: "prefab",
    examples: &[Example {
        description: "What a lantern of the Unity sample has other than its prefab",
        input: r#"{ "scenePath": "Assets/Scenes/Cellar.unity", "hierarchyPath": "Storage Room" }"#,
        output: r#"{ "object": "Storage Room", "fileID": 0, "prefab": "Assets/Prefabs/Room.prefab", "overrides": [], "addedObjects": [], "removedObjects": [], "addedComponents": [], "removedComponents": [] }"#,
        varies: &["overrides", "fileID"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List what a prefab instance has other than its prefab: every override with the prefab's own
/// value beside it, added and removed objects and components.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the instance, or of an object in it.
    hierarchy_path: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Output {
    /// The root of the instance.
    object: String,
    /// What the file calls the instance.
    #[serde(rename = "fileID")]
    file_id: i64,
    /// The prefab that it is made of.
    prefab: String,
    #[serde(flatten)]
    differences: Differences,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let scene = unity.active_scene(input.scene_path)?;
    let (path, hierarchy) = unity.hierarchy(&scene)?;
    let missing = format!("GameObject with path '{}' not found", input.hierarchy_path);
    let node = unity.object(&hierarchy, &input.hierarchy_path, &missing)?;
    if node.outer_instance().is_none() {
        let text = format!("{} of {path} is not part of a prefab instance", node.path());
        return Err(ToolError::new(ErrorKind::EngineError, text).hint(instances(&hierarchy)));
    }
    tell(&unity, &hierarchy, &node)
}

/// What the outermost instance that an object is in has other than its prefab.
pub(super) fn tell(
    unity: &Unity<'_>,
    hierarchy: &Hierarchy,
    node: &Node<'_>,
) -> Result<Output, ToolError> {
    let lost = |why: String| ToolError::new(ErrorKind::EngineError, why);
    let instance = node
        .outer_instance()
        .ok_or_else(|| lost(format!("{} is not part of a prefab instance", node.path())))?;
    let is_inside = |node: &Node<'_>| node.outer_instance() == Some(instance);
    let root = node.ancestors().take_while(is_inside).last().unwrap_or_else(|| node.clone());
    let object = hierarchy.document().object(instance);
    let source = object.and_then(|object| {
        ["m_SourcePrefab", "m_ParentPrefab"].iter().find_map(|key| object.get(key)?.as_reference())
    });
    let guid = source.and_then(|source| source.guid);
    let guid = guid.ok_or_else(|| lost(format!("{} has no prefab", root.path())))?;
    let prefab = unity.path_of(guid);
    let expanded = unity.expander.expand(guid).map_err(|why| {
        lost(format!("the prefab {prefab} of {} cannot be read: {why}", root.path()))
    })?;
    let differences = unity.differences(hierarchy, instance, &expanded);
    Ok(Output { object: root.path(), file_id: instance.0, prefab, differences })
}

/// Some instances that there are, as a hint.
fn instances(hierarchy: &Hierarchy) -> String {
    let mut objects = hierarchy.objects();
    let mut known = Vec::new();
    while let Some(node) = objects.next() {
        if known.len() == 5 {
            break;
        }
        if node.outer_instance().is_some() {
            known.push(objects.path());
            objects.skip_children();
        }
    }
    match known.is_empty() {
        true => "the file has no prefab instance".to_owned(),
        false => format!("instances are {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests;
