//! The tool `godotProject.listInputActions`, which MCP clients call `list_input_actions`.

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::input_map::{Action, actions, defaults};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.listInputActions",
    keywords: "controls bindings keys mapped input map buttons gamepad jump",
    mcp: Some("list_input_actions"),
    title: "List Godot Input Actions",
    notes: Some("The engine's own actions are those of Godot 4.6; older versions lack a few."),
    category: "godot.project",
    limits: Limits { max_items: Some(1000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Read the action that makes the player jump",
        input: r#"{ "projectPath": "godot", "name": "jump" }"#,
        output: r#"{
            "success": true,
            "actionCount": 1,
            "actions": [{
                "name": "jump",
                "deadzone": 0.2,
                "events": [
                    { "type": "key", "keycode": "SPACE", "physical": true },
                    { "type": "joypad_button", "button": 0, "name": "JOY_BUTTON_A" }
                ]
            }],
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the input actions of a project with the keys, buttons and axes that trigger them.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Only actions whose name has this in it.
    name: Option<String>,
    /// List the engine's own `ui_*` actions, too.
    #[serde(default)]
    include_builtin: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How many there are.
    action_count: usize,
    /// The project's own in file order, then the engine's by name.
    actions: Vec<Action>,
    /// Whether there are more than were returned.
    truncated: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut found = actions(&godot.open_settings()?.config, godot.classes());
    if input.include_builtin {
        let more = defaults(godot.classes());
        let is_new = |action: &Action| !found.iter().any(|own| own.name == action.name);
        let more: Vec<Action> = more.into_iter().filter(is_new).collect();
        found.extend(more);
    }
    if let Some(wanted) = &input.name {
        found.retain(|action| action.name.contains(wanted.as_str()));
    }
    let action_count = found.len();
    found.truncate(1000);
    let truncated = found.len() < action_count;
    Ok(Output { success: true, action_count, actions: found, truncated })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn the_engines_actions_come_on_request_and_only_once() {
        let sample = GodotSample::new();
        let own = sample.call(super::TOOL.id, json!({})).unwrap();
        assert_eq!(own["actionCount"], 4);
        let settings = sample.read("project.godot");
        let changed = settings.replace("[input]\n", "[input]\n\nui_accept={\"events\": []}\n");
        sample.write("project.godot", &changed);
        let arguments = json!({ "includeBuiltin": true, "name": "ui_accept" });
        let accept = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(
            accept["actions"],
            json!([{ "name": "ui_accept", "deadzone": 0.2, "events": [] }])
        );
        let arguments = json!({ "includeBuiltin": true, "name": "ui_left" });
        let left = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(
            left["actions"][0]["events"][2],
            json!({ "type": "joypad_axis", "axis": 0, "axisValue": -1.0, "name": "JOY_AXIS_LEFT_X" })
        );
    }

    #[test]
    fn what_is_no_event_is_left_out() {
        let sample = GodotSample::new();
        let settings = sample.read("project.godot");
        let action = "[input]\n\nboost={\"deadzone\": 0.2, \"events\": [null, Object(InputEventKey,\"physical_keycode\":32)]}\n";
        sample.write("project.godot", &settings.replace("[input]\n", action));
        let output = sample.call(super::TOOL.id, json!({})).unwrap();
        let actions = output["actions"].as_array().unwrap();
        let boost = actions.iter().find(|action| action["name"] == "boost").unwrap();
        assert_eq!(boost["events"].as_array().unwrap().len(), 1, "{boost}");
    }
}
