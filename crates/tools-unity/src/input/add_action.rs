//! The tool `input.addAction`: Add Input Action.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::input::{Action, NewBinding};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EXAMPLE, change, check_paths, groups};

pub(crate) const TOOL: Tool = Tool {
    id: "input.addAction",
    keywords: "input system new action button value passthrough jump fire key bind inputactions controls",
    title: "Add Input Action",
    category: "input",
    safety: Safety::SafeWrite,
    idempotent: false,
    after: &[EXAMPLE],
    examples: &[Example {
        description: "A button to jump, on keyboard and gamepad",
        input: r#"{
            "project": "unity",
            "path": "Assets/Controls.inputactions",
            "map": "Player",
            "name": "Jump",
            "bindings": ["<Keyboard>/space", "<Gamepad>/buttonSouth"]
        }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Controls.inputactions",
            "id": "",
            "bindingIds": [],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["id", "bindingIds", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add an action to a map of a file of input actions, with bindings to controls if you give some.
/// Composites such as WASD come with input_addBinding.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The `.inputactions` file.
    path: String,
    /// The map, by name or id.
    map: String,
    /// What the action is called.
    name: String,
    /// What it does with its controls.
    #[serde(default)]
    r#type: Type,
    /// The controls that fit, such as Vector2, Axis or Button; by default Button for a button, and
    /// any for others.
    expected_control_type: Option<String>,
    /// Controls that trigger it, such as `<Keyboard>/space`.
    #[serde(default)]
    bindings: Vec<String>,
    /// The control schemes that these bindings are for, by their binding groups.
    #[serde(default)]
    groups: Vec<String>,
    /// What has to happen, such as `Hold(duration=0.5)`.
    #[serde(default)]
    interactions: String,
    /// What is done to values, such as `NormalizeVector2`.
    #[serde(default)]
    processors: String,
    /// Whether it looks at its controls when it is turned on; by default only a value does.
    initial_state_check: Option<bool>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
enum Type {
    /// A value that is followed.
    Value,
    /// Pressed or not.
    #[default]
    Button,
    /// Every change of every control.
    PassThrough,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    path: String,
    /// The id of the action.
    id: String,
    /// The ids of its bindings.
    binding_ids: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let file = (input.project.as_deref(), input.path.as_str());
    let expected = input.expected_control_type.unwrap_or_else(|| match input.r#type {
        Type::Button => "Button".to_owned(),
        _ => String::new(),
    });
    let (path, (id, binding_ids), written) = change(cx, file, input.dry_run, |actions, ids| {
        let new = Action {
            name: input.name.clone(),
            kind: format!("{:?}", input.r#type),
            expected_control_type: expected,
            processors: input.processors,
            interactions: input.interactions,
            initial_state_check: input.initial_state_check,
            ..Action::default()
        };
        let groups = groups(actions, &input.groups)?;
        let id = actions.add_action(&input.map, new, ids)?;
        let mut made = Vec::new();
        for path in input.bindings {
            let new = NewBinding { path, groups: groups.clone(), ..NewBinding::default() };
            check_paths(&new)?;
            made.extend(actions.add_binding(&input.map, &input.name, &new, ids)?);
        }
        Ok((id, made))
    })?;
    Ok(Output { success: true, path, id, binding_ids, written })
}
