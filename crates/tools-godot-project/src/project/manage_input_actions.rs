//! The tool `godotProject.manageInputActions`, which MCP clients call `manage_input_actions`.

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_godot::classes::Classes;
use scenewright_godot::{Config, Variant};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema, tool};
use scenewright_tools_godot::base::input_map::{Action, NewEvent, action_value, actions, is_same};
use scenewright_tools_godot::base::{InGodot, InProject, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.manageInputActions",
    keywords: "key binding keyboard gamepad controls remap input map bind assign space bar button jump press joystick mouse action rebind wasd new shortcut",
    mcp: Some("manage_input_actions"),
    title: "Manage Godot Input Actions",
    category: "godot.project",
    safety: Safety::SafeWrite,
    reads_if: Some(tool::lists),
    examples: &[
        Example {
            description: "Let the player dash with Shift or a shoulder button",
            input: r#"{
                "projectPath": "godot",
                "action": "add",
                "name": "dash",
                "events": [
                    { "type": "key", "keycode": "Shift" },
                    { "type": "mouse_button", "button": 2 },
                    { "type": "joypad_button", "button": "right_shoulder" },
                    { "type": "joypad_axis", "axis": 5, "axisValue": 1 }
                ]
            }"#,
            output: r#"{
                "success": true,
                "action": "add",
                "actionCount": 5,
                "actions": [{
                    "name": "dash",
                    "deadzone": 0.5,
                    "events": [
                        { "type": "key", "keycode": "SHIFT", "physical": true },
                        { "type": "mouse_button", "button": 2, "name": "MOUSE_BUTTON_RIGHT" },
                        { "type": "joypad_button", "button": 10, "name": "JOY_BUTTON_RIGHT_SHOULDER" },
                        { "type": "joypad_axis", "axis": 5, "axisValue": 1, "name": "JOY_AXIS_TRIGGER_RIGHT" }
                    ]
                }],
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo", "actions"],
        },
        Example {
            description: "Let the player jump with W as well",
            input: r#"{
                "projectPath": "godot",
                "action": "addEvents",
                "name": "jump",
                "events": [{ "type": "key", "keycode": "W" }]
            }"#,
            output: r#"{
                "success": true,
                "action": "addEvents",
                "actionCount": 5,
                "actions": [{
                    "name": "jump",
                    "deadzone": 0.2,
                    "events": [
                        { "type": "key", "keycode": "SPACE", "physical": true },
                        { "type": "joypad_button", "button": 0, "name": "JOY_BUTTON_A" },
                        { "type": "key", "keycode": "W", "physical": true }
                    ]
                }],
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List, add, change or remove input actions of a project. `add` defines an action anew, with
/// exactly these events; `addEvents` and `removeEvents` keep the others.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// What to do.
    action: Wanted,
    /// The action; needed for all but `list`.
    name: Option<String>,
    /// Keys, buttons and axes.
    #[serde(default)]
    #[schemars(length(max = 64))]
    events: Vec<NewEvent>,
    /// How far a stick must be moved; for `add`.
    #[serde(default = "half")]
    #[schemars(range(min = 0, max = 1))]
    deadzone: f64,
    #[serde(flatten)]
    write: Write,
}

fn half() -> f64 {
    0.5
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Wanted {
    /// Define an action.
    Add,
    /// Remove an action.
    Remove,
    /// Only list them.
    List,
    /// Give an action more events.
    AddEvents,
    /// Take events from an action.
    RemoveEvents,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What was done.
    action: Wanted,
    /// How many actions the project has now.
    action_count: usize,
    /// The action that was changed, as it is now; all of them for `list`.
    actions: Vec<Action>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let classes = godot.classes();
    let mut open = godot.open_settings()?;
    if input.action != Wanted::List {
        change(&mut open.config, classes, &input)?;
    }
    let mut found = actions(&open.config, classes);
    let action_count = found.len();
    if input.action != Wanted::List {
        found.retain(|action| Some(&action.name) == input.name.as_ref());
    }
    Ok(Output {
        success: true,
        action: input.action,
        action_count,
        actions: found,
        written: open.save(&godot, input.write)?,
    })
}

fn change(config: &mut Config, classes: &Classes, input: &Input) -> Result<(), ToolError> {
    let Some(name) = input.name.as_deref() else {
        return Err(ToolError::bad_argument("name", "is required for this action"));
    };
    let events = input.events.iter().map(|event| event.to_variant(classes));
    let mut events: Vec<Variant> = events.collect::<Result<_, _>>()?;
    // One event twice does nothing more.
    let mut seen: Vec<Variant> = Vec::new();
    events.retain(|event| {
        let is_new = !seen.iter().any(|known| is_same(known, event, classes));
        seen.push(event.clone());
        is_new
    });
    let before = config.find("input", name).map(|value| value.decode());
    let (deadzone, events) = match (input.action, before) {
        (Wanted::Add, before) => {
            check_name(name, before.is_none())?;
            (input.deadzone, events)
        }
        (_, None) => return Err(unknown(config, name)),
        (Wanted::Remove, Some(_)) => {
            return config.remove("input", name).map(drop).map_err(refused);
        }
        (_, Some(before)) => {
            let deadzone = before.get("deadzone").and_then(Variant::as_float).unwrap_or(0.2);
            let old = before.get("events").and_then(Variant::as_array).unwrap_or_default();
            let is_in = |event: &Variant, list: &[Variant]| {
                list.iter().any(|other| is_same(event, other, classes))
            };
            let mut all = old.to_vec();
            if input.action == Wanted::AddEvents {
                events.retain(|event| !is_in(event, old));
                all.extend(events);
            } else {
                if let Some(missing) = events.iter().position(|event| !is_in(event, old)) {
                    return Err(ToolError::new(
                        ErrorKind::BadArguments,
                        format!("{name} has no such event: number {} of events", missing + 1),
                    )
                    .hint("list_input_actions shows its events"));
                }
                all.retain(|event| !is_in(event, &events));
            }
            (deadzone, all)
        }
    };
    config.set("input", name, &action_value(deadzone, events)).map_err(refused)
}

/// The rules of the editor's input map.
fn check_name(name: &str, is_new: bool) -> Result<(), ToolError> {
    let bad = name.is_empty() || name.contains(['/', ':', '"', '=', '\\']);
    if is_new && (bad || name.chars().any(char::is_control) || name.trim() != name) {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("'{name}' cannot be the name of an action: Godot refuses / : \" = and \\"),
        ));
    }
    Ok(())
}

fn unknown(config: &Config, name: &str) -> ToolError {
    let names: Vec<String> = config.keys("input").map(|field| field.key().into_owned()).collect();
    let known = names.iter().map(String::as_str);
    let otherwise = "list_input_actions shows what is there";
    ToolError::not_found("action", name).hint(suggest::did_you_mean(name, known, otherwise))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn an_action_is_written_as_the_editor_writes_it() {
        let diff = GodotSample::new().diff(
            super::TOOL.id,
            json!({ "action": "add", "name": "crouch", "deadzone": 0.2, "events": [
                { "type": "key", "keycode": "C", "physical": false },
                { "type": "key", "keycode": "KEY_C", "physical": false },
                { "type": "joypad_button", "button": 1 },
            ] }),
        );
        expect![[r#"
            --- a/project.godot
            +++ b/project.godot
            @@ -59,6 +59,12 @@
             , Object(InputEventJoypadButton,"resource_local_to_scene":false,"resource_name":"","device":-1,"button_index":2,"pressure":0.0,"pressed":false,"script":null)
             ]
             }
            +crouch={
            +"deadzone": 0.2,
            +"events": [Object(InputEventKey,"resource_local_to_scene":false,"resource_name":"","device":-1,"window_id":0,"alt_pressed":false,"shift_pressed":false,"ctrl_pressed":false,"meta_pressed":false,"pressed":false,"keycode":67,"physical_keycode":0,"key_label":0,"unicode":0,"location":0,"echo":false,"script":null)
            +, Object(InputEventJoypadButton,"resource_local_to_scene":false,"resource_name":"","device":-1,"button_index":1,"pressure":0.0,"pressed":false,"script":null)
            +]
            +}
 
             [layer_names]
 
        "#]].assert_eq(&diff);
    }

    #[test]
    fn events_come_and_go_and_the_others_stay() {
        let sample = GodotSample::new();
        let event = json!({ "type": "joypad_axis", "axis": 0, "axisValue": -0.8 });
        let arguments = json!({ "action": "removeEvents", "name": "move_left", "events": [event] });
        expect![[r#"
            --- a/project.godot
            +++ b/project.godot
            @@ -35,7 +35,6 @@
             "deadzone": 0.2,
             "events": [Object(InputEventKey,"resource_local_to_scene":false,"resource_name":"","device":-1,"window_id":0,"alt_pressed":false,"shift_pressed":false,"ctrl_pressed":false,"meta_pressed":false,"pressed":false,"keycode":0,"physical_keycode":65,"key_label":0,"unicode":97,"location":0,"echo":false,"script":null)
             , Object(InputEventKey,"resource_local_to_scene":false,"resource_name":"","device":-1,"window_id":0,"alt_pressed":false,"shift_pressed":false,"ctrl_pressed":false,"meta_pressed":false,"pressed":false,"keycode":0,"physical_keycode":4194319,"key_label":0,"unicode":0,"location":0,"echo":false,"script":null)
            -, Object(InputEventJoypadMotion,"resource_local_to_scene":false,"resource_name":"","device":-1,"axis":0,"axis_value":-1.0,"script":null)
             , Object(InputEventJoypadButton,"resource_local_to_scene":false,"resource_name":"","device":-1,"button_index":13,"pressure":0.0,"pressed":false,"script":null)
             ]
             }
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments));
        let before = sample.read("project.godot");
        let event = json!({ "type": "key", "keycode": "A" });
        let arguments = json!({ "action": "addEvents", "name": "move_left", "events": [event] });
        sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(sample.read("project.godot"), before);
    }

    #[test]
    fn a_whole_action_goes() {
        let diff = GodotSample::new()
            .diff(super::TOOL.id, json!({ "action": "remove", "name": "interact" }));
        let removed = diff.lines().filter(|line| line.starts_with('-')).count();
        assert_eq!((removed, diff.contains("\n-interact={\n")), (7, true));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let sample = GodotSample::new();
        let refuse = |arguments: Value| sample.error(super::TOOL.id, arguments);
        expect!["Invalid tool arguments: name is required for this action"]
            .assert_eq(&refuse(json!({ "action": "add" })));
        expect![[r#"'a/b' cannot be the name of an action: Godot refuses / : " = and \"#]]
            .assert_eq(&refuse(json!({ "action": "add", "name": "a/b" })));
        expect!["action not found: jmp; did you mean jump?"]
            .assert_eq(&refuse(json!({ "action": "remove", "name": "jmp" })));
        expect!["there is no key 'KEY_SPCE'; did you mean KEY_SPACE or KEY_ESCAPE or KEY_C?"]
            .assert_eq(&refuse(json!({
                "action": "add", "name": "a", "events": [{ "type": "key", "keycode": "KEY_SPCE" }],
            })));
        expect!["jump has no such event: number 1 of events; list_input_actions shows its events"].assert_eq(&refuse(json!({
            "action": "removeEvents", "name": "jump", "events": [{ "type": "key", "keycode": "Q" }],
        })));
        expect!["Invalid tool arguments: events.0.letter is not known: there is type, keycode, physical, button, axis, axisValue, device"].assert_eq(
            &refuse(json!({
                "action": "add", "name": "a", "events": [{ "type": "key", "letter": "Q" }],
            })),
        );
    }
}
