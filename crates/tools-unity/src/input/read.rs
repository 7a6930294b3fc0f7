//! The tool `input.read`: Read Input Actions.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::input::{Binding, InputActions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EXAMPLE, in_file, open};
use crate::base::InUnity;

pub(crate) const TOOL: Tool = Tool {
    id: "input.read",
    keywords: "input system list actions bindings maps control schemes keys inputactions which key controls",
    title: "Read Input Actions",
    category: "input",
    after: &[EXAMPLE],
    examples: &[Example {
        description: "What a file of input actions has",
        input: r#"{ "project": "unity", "path": "Assets/Controls.inputactions" }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Controls.inputactions",
            "maps": [{
                "name": "Player",
                "actions": [{
                    "name": "Move",
                    "type": "Value",
                    "controlType": "Vector2",
                    "bindings": [{ "path": "<Gamepad>/leftStick", "groups": "Gamepad", "id": "3e67c7ae-ca6c-4345-8f61-8df16fb87fec" }]
                }]
            }],
            "schemes": [{ "name": "Gamepad", "bindingGroup": "Gamepad", "devices": [] }]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List what a file of input actions has: maps, their actions with bindings, and control schemes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The `.inputactions` file.
    path: String,
    /// One map alone, by name or id.
    map: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    path: String,
    /// The maps.
    maps: Vec<MapEntry>,
    /// The control schemes.
    schemes: Vec<SchemeEntry>,
}

#[derive(Serialize, JsonSchema)]
struct MapEntry {
    /// Its name.
    name: String,
    /// Its actions.
    actions: Vec<ActionEntry>,
    /// Bindings of actions that the map does not have.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    lost: Vec<BindingEntry>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ActionEntry {
    /// Its name.
    name: String,
    /// Value, Button or PassThrough.
    r#type: String,
    /// The controls that fit.
    #[serde(skip_serializing_if = "String::is_empty")]
    control_type: String,
    /// What has to happen.
    #[serde(skip_serializing_if = "String::is_empty")]
    interactions: String,
    /// What is done to values.
    #[serde(skip_serializing_if = "String::is_empty")]
    processors: String,
    /// What triggers it.
    bindings: Vec<BindingEntry>,
}

#[derive(Serialize, JsonSchema)]
struct BindingEntry {
    /// The control, or the type of a composite.
    path: String,
    /// The parts of a composite, with their controls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<String>,
    /// The control schemes that it is for.
    #[serde(skip_serializing_if = "String::is_empty")]
    groups: String,
    /// What has to happen.
    #[serde(skip_serializing_if = "String::is_empty")]
    interactions: String,
    /// What is done to values.
    #[serde(skip_serializing_if = "String::is_empty")]
    processors: String,
    /// Its id, for input_remove.
    id: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SchemeEntry {
    /// Its name.
    name: String,
    /// What bindings call it.
    binding_group: String,
    /// Its devices; those that it can do without end in a question mark.
    devices: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (path, actions) = open(cx, unity.project, &input.path)?;
    let only = input.map.as_deref().map(|map| actions.map(map)).transpose();
    let only = only.map_err(|refusal| in_file(&path, refusal))?;
    let all = 0..actions.asset.maps.len();
    let maps = all.filter(|at| only.is_none_or(|only| only == *at));
    let maps = maps.map(|at| map_entry(&actions, at)).collect();
    let schemes = actions.asset.control_schemes.iter().map(|scheme| SchemeEntry {
        name: scheme.name.clone(),
        binding_group: scheme.binding_group.clone(),
        devices: (scheme.devices.iter())
            .map(|device| {
                format!("{}{}", device.device_path, if device.is_optional { "?" } else { "" })
            })
            .collect(),
    });
    Ok(Output { success: true, path: path.to_string(), maps, schemes: schemes.collect() })
}

fn map_entry(file: &InputActions, at: usize) -> MapEntry {
    let map = &file.asset.maps[at];
    let mut lost: Vec<usize> = (0..map.bindings.len()).collect();
    let actions = map.actions.iter().enumerate().map(|(action_at, action)| {
        let own = file.bindings_of(at, action_at);
        lost.retain(|binding| !own.contains(binding));
        ActionEntry {
            name: action.name.clone(),
            r#type: action.kind.clone(),
            control_type: action.expected_control_type.clone(),
            interactions: action.interactions.clone(),
            processors: action.processors.clone(),
            bindings: binding_entries(own.iter().map(|at| &map.bindings[*at])),
        }
    });
    let actions = actions.collect();
    let lost = binding_entries(lost.iter().map(|at| &map.bindings[*at]));
    MapEntry { name: map.name.clone(), actions, lost }
}

/// Bindings, with the parts of composites in these.
fn binding_entries<'b>(bindings: impl Iterator<Item = &'b Binding>) -> Vec<BindingEntry> {
    let mut entries: Vec<(bool, BindingEntry)> = Vec::new();
    for binding in bindings {
        if let (true, Some((true, whole))) = (binding.is_part_of_composite, entries.last_mut()) {
            whole.parts.push(format!("{} {}", binding.name, binding.path));
            // The parts have the groups, and mostly all the same.
            if whole.groups.is_empty() {
                whole.groups = binding.groups.trim_start_matches(';').to_owned();
            }
            continue;
        }
        entries.push((
            binding.is_composite,
            BindingEntry {
                path: binding.path.clone(),
                parts: Vec::new(),
                groups: binding.groups.trim_start_matches(';').to_owned(),
                interactions: binding.interactions.clone(),
                processors: binding.processors.clone(),
                id: binding.id.clone(),
            },
        ));
    }
    entries.into_iter().map(|(_, entry)| entry).collect()
}
