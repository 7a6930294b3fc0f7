//! Input actions: what their events mean, and how the engine writes them.

mod defaults;
mod keys;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_godot::classes::Classes;
use scenewright_godot::{Config, Number, TupleKind, Variant};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use keys::Keys;

pub use defaults::defaults;

/// What an event comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// A key.
    Key,
    /// A button of the mouse.
    MouseButton,
    /// A button of a controller.
    JoypadButton,
    /// A stick or trigger of a controller.
    JoypadAxis,
}

/// An event that a caller describes.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewEvent {
    /// What it comes from.
    #[serde(rename = "type")]
    kind: EventKind,
    /// Of a key: its name, `Space`, `A`, `KEY_KP_ENTER`, `Ctrl+S`.
    keycode: Option<String>,
    /// Of a key: the place on the keyboard counts, not the letter on it.
    #[serde(default = "yes")]
    physical: bool,
    /// Of a button: its number, or its name: `left`, `JOY_BUTTON_A`.
    button: Option<NumberOrName>,
    /// Of an axis: its number, or its name: `left_x`.
    axis: Option<NumberOrName>,
    /// Of an axis: the direction, -1 or 1.
    axis_value: Option<f64>,
    /// The controller; -1 is any.
    #[serde(default = "any_device")]
    device: i64,
}

fn yes() -> bool {
    true
}

fn any_device() -> i64 {
    -1
}

/// A number, or what the engine calls it.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum NumberOrName {
    /// The number.
    Number(i64),
    /// The name.
    Name(String),
}

/// An event as it is told.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// `key`, `mouse_button`, `joypad_button`, `joypad_axis`, or the engine's class of another.
    #[serde(rename = "type")]
    kind: String,
    /// The key with its modifiers: `Ctrl+S`.
    #[serde(skip_serializing_if = "Option::is_none")]
    keycode: Option<String>,
    /// Whether the place on the keyboard counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    physical: Option<bool>,
    /// The button.
    #[serde(skip_serializing_if = "Option::is_none")]
    button: Option<i64>,
    /// The axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    axis: Option<i64>,
    /// Its direction.
    #[serde(skip_serializing_if = "Option::is_none")]
    axis_value: Option<f64>,
    /// What the engine calls the button or axis.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The controller, if only one counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<i64>,
}

/// An action as it is told.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Action {
    /// Its name.
    pub name: String,
    /// How far a stick must be moved.
    pub deadzone: f64,
    /// What triggers it.
    pub events: Vec<Event>,
    /// Whether it comes with the engine and the project leaves it as it is.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub builtin: bool,
}

/// The actions that settings define, in file order.
pub fn actions(config: &Config, classes: &Classes) -> Vec<Action> {
    let mut actions: Vec<Action> = Vec::new();
    for field in config.keys("input") {
        let action = action(&field.key(), &field.value().decode(), classes);
        match actions.iter_mut().find(|known| known.name == action.name) {
            Some(known) => *known = action,
            None => actions.push(action),
        }
    }
    actions
}

fn action(name: &str, value: &Variant, classes: &Classes) -> Action {
    // The engine's own default, when the settings leave it out.
    let deadzone = value.get("deadzone").and_then(Variant::as_float).unwrap_or(0.2);
    let events = value.get("events").and_then(Variant::as_array).unwrap_or_default();
    // The engine leaves out what is no event.
    let events = events.iter().filter(|event| **event != Variant::Nil);
    let events = events.map(|event| read(event, classes)).collect();
    Action { name: name.to_owned(), deadzone, events, builtin: false }
}

/// An action as the engine writes it.
pub fn action_value(deadzone: f64, events: Vec<Variant>) -> Variant {
    let key = |name: &str| Variant::String(name.to_owned());
    Variant::Dictionary(
        None,
        vec![
            (key("deadzone"), Variant::float(deadzone)),
            (key("events"), Variant::Array(None, events)),
        ],
    )
}

impl NewEvent {
    /// The event as the engine writes it.
    pub fn to_variant(&self, classes: &Classes) -> Result<Variant, ToolError> {
        let needed = |what: &str| {
            ToolError::new(ErrorKind::BadArguments, format!("the event has no {what}"))
        };
        match self.kind {
            EventKind::Key => {
                let text = self.keycode.as_deref().ok_or_else(|| needed("keycode"))?;
                let keys = keys::parse(classes, text)?;
                Ok(key_event(classes, &keys, self.physical, self.device))
            }
            EventKind::MouseButton => {
                let button = self.button.as_ref().ok_or_else(|| needed("button"))?;
                let button = number(classes, "MouseButton", "MOUSE_BUTTON_", button)?;
                Ok(mouse_event(button, self.device))
            }
            EventKind::JoypadButton => {
                let button = self.button.as_ref().ok_or_else(|| needed("button"))?;
                let button = number(classes, "JoyButton", "JOY_BUTTON_", button)?;
                Ok(joypad_button(button, self.device))
            }
            EventKind::JoypadAxis => {
                let axis = self.axis.as_ref().ok_or_else(|| needed("axis"))?;
                let axis = number(classes, "JoyAxis", "JOY_AXIS_", axis)?;
                let value = self.axis_value.unwrap_or(1.0);
                if !(-1.0..=1.0).contains(&value) || value == 0.0 {
                    return Err(ToolError::bad_argument("axisValue", "must be -1 or 1"));
                }
                Ok(joypad_axis(axis, value, self.device))
            }
        }
    }
}

/// The number of a constant of an enum, by number or by name.
fn number(
    classes: &Classes,
    of: &str,
    prefix: &str,
    wanted: &NumberOrName,
) -> Result<i64, ToolError> {
    let constants = classes.enumeration(of).map(|found| &found.constants[..]).unwrap_or_default();
    let usable = constants.iter().filter(|constant| (0..128).contains(&constant.value));
    match wanted {
        NumberOrName::Number(number) if (0..128).contains(number) => Ok(*number),
        NumberOrName::Number(number) => {
            Err(ToolError::new(ErrorKind::BadArguments, format!("there is no {of} {number}")))
        }
        NumberOrName::Name(name) => {
            let plain = |name: &str| {
                let upper = name.trim().to_ascii_uppercase().replace([' ', '-'], "_");
                upper.strip_prefix(prefix).unwrap_or(&upper).to_owned()
            };
            let names: Vec<&str> = usable.clone().map(|constant| constant.name).collect();
            let found = usable.into_iter().find(|constant| plain(constant.name) == plain(name));
            found.map(|constant| constant.value).ok_or_else(|| {
                let otherwise = format!("one of {}", names.join(", "));
                ToolError::new(ErrorKind::BadArguments, format!("there is no {of} '{name}'"))
                    .hint(suggest::did_you_mean(name, names.iter().copied(), &otherwise))
            })
        }
    }
}

type Fields = Vec<(String, Variant)>;

/// The fields that every event starts with.
fn begin(device: i64) -> Fields {
    vec![
        ("resource_local_to_scene".to_owned(), Variant::Bool(false)),
        ("resource_name".to_owned(), Variant::String(String::new())),
        ("device".to_owned(), Variant::int(device)),
    ]
}

fn object(class: &str, mut fields: Fields, more: Vec<(&str, Variant)>) -> Variant {
    fields.extend(more.into_iter().map(|(name, value)| (name.to_owned(), value)));
    fields.push(("script".to_owned(), Variant::Nil));
    Variant::Object(class.to_owned(), fields)
}

fn modifiers(keys: &Keys) -> Vec<(&'static str, Variant)> {
    let mut fields = vec![("window_id", Variant::int(0))];
    if keys.command_or_control {
        fields.push(("command_or_control_autoremap", Variant::Bool(true)));
    }
    fields.push(("alt_pressed", Variant::Bool(keys.alt)));
    fields.push(("shift_pressed", Variant::Bool(keys.shift)));
    // The engine leaves out what the choice between both decides.
    if !keys.command_or_control {
        fields.push(("ctrl_pressed", Variant::Bool(keys.ctrl)));
        fields.push(("meta_pressed", Variant::Bool(keys.meta)));
    }
    fields
}

fn key_event(classes: &Classes, keys: &Keys, physical: bool, device: i64) -> Variant {
    let (logical, place) = if physical { (0, keys.code) } else { (keys.code, 0) };
    let mut fields = modifiers(keys);
    fields.extend([
        ("pressed", Variant::Bool(false)),
        ("keycode", Variant::int(logical)),
        ("physical_keycode", Variant::int(place)),
        ("key_label", Variant::int(0)),
        ("unicode", Variant::int(0)),
    ]);
    // Since Godot 4.3.
    if classes.property("InputEventKey", "location").is_some() {
        fields.push(("location", Variant::int(0)));
    }
    fields.push(("echo", Variant::Bool(false)));
    object("InputEventKey", begin(device), fields)
}

fn mouse_event(button: i64, device: i64) -> Variant {
    let origin =
        || Variant::tuple(TupleKind::Vector2, &[0.0, 0.0]).expect("two numbers make such a vector");
    let mut fields = modifiers(&Keys::default());
    fields.extend([
        ("button_mask", Variant::int(0)),
        ("position", origin()),
        ("global_position", origin()),
        ("factor", Variant::float(1.0)),
        ("button_index", Variant::int(button)),
        ("canceled", Variant::Bool(false)),
        ("pressed", Variant::Bool(false)),
        ("double_click", Variant::Bool(false)),
    ]);
    object("InputEventMouseButton", begin(device), fields)
}

fn joypad_button(button: i64, device: i64) -> Variant {
    let fields = vec![
        ("button_index", Variant::int(button)),
        ("pressure", Variant::float(0.0)),
        ("pressed", Variant::Bool(false)),
    ];
    object("InputEventJoypadButton", begin(device), fields)
}

fn joypad_axis(axis: i64, value: f64, device: i64) -> Variant {
    let fields = vec![("axis", Variant::int(axis)), ("axis_value", Variant::float(value))];
    object("InputEventJoypadMotion", begin(device), fields)
}

/// What an event of the settings says.
pub fn read(event: &Variant, classes: &Classes) -> Event {
    let Variant::Object(class, fields) = event else {
        return told(event.type_name());
    };
    let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    let int = |name: &str| field(name).and_then(Variant::as_int).unwrap_or(0);
    let is = |name: &str| field(name).and_then(Variant::as_bool).unwrap_or(false);
    let mut event = match class.as_str() {
        "InputEventKey" => {
            let physical = int("physical_keycode") != 0 && int("keycode") == 0;
            let keys = Keys {
                code: if physical { int("physical_keycode") } else { int("keycode") },
                alt: is("alt_pressed"),
                shift: is("shift_pressed"),
                ctrl: is("ctrl_pressed"),
                meta: is("meta_pressed"),
                command_or_control: is("command_or_control_autoremap"),
            };
            let keycode = Some(keys::text(classes, &keys));
            Event { keycode, physical: Some(physical), ..told("key") }
        }
        "InputEventMouseButton" => {
            let button = int("button_index");
            let name = constant(classes, "MouseButton", button);
            Event { button: Some(button), name, ..told("mouse_button") }
        }
        "InputEventJoypadButton" => {
            let button = int("button_index");
            let name = constant(classes, "JoyButton", button);
            Event { button: Some(button), name, ..told("joypad_button") }
        }
        "InputEventJoypadMotion" => {
            let axis = int("axis");
            let axis_value = field("axis_value").and_then(Variant::as_float);
            let name = constant(classes, "JoyAxis", axis);
            Event { axis: Some(axis), axis_value, name, ..told("joypad_axis") }
        }
        other => told(other),
    };
    event.device = field("device").and_then(Variant::as_int).filter(|device| *device != -1);
    event
}

fn told(kind: &str) -> Event {
    Event {
        kind: kind.to_owned(),
        keycode: None,
        physical: None,
        button: None,
        axis: None,
        axis_value: None,
        name: None,
        device: None,
    }
}

fn constant(classes: &Classes, of: &str, value: i64) -> Option<String> {
    let found = classes.enumeration(of)?.constants.iter().find(|found| found.value == value)?;
    Some(found.name.to_owned())
}

/// Whether two events are triggered by the same thing.
pub fn is_same(one: &Variant, other: &Variant, classes: &Classes) -> bool {
    let (mut one, mut other) = (read(one, classes), read(other, classes));
    let sign = |value: &mut Option<f64>| *value = value.map(f64::signum);
    for event in [&mut one, &mut other] {
        event.device = None;
        sign(&mut event.axis_value);
    }
    one == other
}

/// A number that is one, for defaults written as text.
fn whole(text: &str) -> Option<i64> {
    Number::int(text.trim().parse().ok()?).as_int()
}

#[cfg(test)]
mod tests {
    use scenewright_godot::classes::Version;
    use serde_json::json;

    use super::*;

    fn text(version: Version, event: serde_json::Value) -> String {
        let event: NewEvent = serde_json::from_value(event).unwrap();
        match event.to_variant(Classes::of(version)) {
            Ok(value) => value.to_text(3).trim_end().to_owned(),
            Err(error) => format!("{}; {}", error.message, error.hint.unwrap_or_default()),
        }
    }

    // The texts were saved by Godot 4.6.3 for events made the same way.
    #[test]
    fn events_are_written_as_the_engine_writes_them() {
        let check = |event, expected: &str| assert_eq!(text(Version::V4_6, event), expected);
        check(
            json!({ "type": "key", "keycode": "KEY_SPACE" }),
            r#"Object(InputEventKey,"resource_local_to_scene":false,"resource_name":"","device":-1,"window_id":0,"alt_pressed":false,"shift_pressed":false,"ctrl_pressed":false,"meta_pressed":false,"pressed":false,"keycode":0,"physical_keycode":32,"key_label":0,"unicode":0,"location":0,"echo":false,"script":null)"#,
        );
        check(
            json!({ "type": "key", "keycode": "CmdOrCtrl+S", "physical": false }),
            r#"Object(InputEventKey,"resource_local_to_scene":false,"resource_name":"","device":-1,"window_id":0,"command_or_control_autoremap":true,"alt_pressed":false,"shift_pressed":false,"pressed":false,"keycode":83,"physical_keycode":0,"key_label":0,"unicode":0,"location":0,"echo":false,"script":null)"#,
        );
        check(
            json!({ "type": "mouse_button", "button": "left" }),
            r#"Object(InputEventMouseButton,"resource_local_to_scene":false,"resource_name":"","device":-1,"window_id":0,"alt_pressed":false,"shift_pressed":false,"ctrl_pressed":false,"meta_pressed":false,"button_mask":0,"position":Vector2(0, 0),"global_position":Vector2(0, 0),"factor":1.0,"button_index":1,"canceled":false,"pressed":false,"double_click":false,"script":null)"#,
        );
        check(
            json!({ "type": "joypad_button", "button": 0 }),
            r#"Object(InputEventJoypadButton,"resource_local_to_scene":false,"resource_name":"","device":-1,"button_index":0,"pressure":0.0,"pressed":false,"script":null)"#,
        );
        check(
            json!({ "type": "joypad_axis", "axis": "left_y", "axisValue": -1 }),
            r#"Object(InputEventJoypadMotion,"resource_local_to_scene":false,"resource_name":"","device":-1,"axis":1,"axis_value":-1.0,"script":null)"#,
        );
    }

    #[test]
    fn older_versions_know_no_location() {
        let old = text(Version::V4_2, json!({ "type": "key", "keycode": "A" }));
        assert!(old.contains(r#""unicode":0,"echo":false"#), "{old}");
    }

    #[test]
    fn what_does_not_exist_is_said() {
        let check = |event, expected: &str| assert_eq!(text(Version::V4_6, event), expected);
        check(json!({ "type": "key" }), "the event has no keycode; ");
        check(json!({ "type": "joypad_axis" }), "the event has no axis; ");
        check(
            json!({ "type": "mouse_button", "button": "lefft" }),
            "there is no MouseButton 'lefft'; one of MOUSE_BUTTON_NONE, MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT, MOUSE_BUTTON_MIDDLE, MOUSE_BUTTON_WHEEL_UP, MOUSE_BUTTON_WHEEL_DOWN, MOUSE_BUTTON_WHEEL_LEFT, MOUSE_BUTTON_WHEEL_RIGHT, MOUSE_BUTTON_XBUTTON1, MOUSE_BUTTON_XBUTTON2",
        );
        check(json!({ "type": "joypad_button", "button": -1 }), "there is no JoyButton -1; ");
        check(
            json!({ "type": "joypad_axis", "axis": 0, "axisValue": 0 }),
            "Invalid tool arguments: axisValue must be -1 or 1; ",
        );
    }

    #[test]
    fn events_are_told_as_they_can_be_given_again() {
        let classes = Classes::of(Version::V4_6);
        for event in [
            json!({ "type": "key", "keycode": "Ctrl+Shift+KP_ENTER", "physical": false }),
            json!({ "type": "mouse_button", "button": 2 }),
            json!({ "type": "joypad_button", "button": 3, "device": 1 }),
            json!({ "type": "joypad_axis", "axis": 4, "axisValue": 1.0 }),
        ] {
            let new: NewEvent = serde_json::from_value(event.clone()).unwrap();
            let value = new.to_variant(classes).unwrap();
            let mut told = serde_json::to_value(read(&value, classes)).unwrap();
            told.as_object_mut().unwrap().shift_remove("name");
            assert_eq!(told, event);
        }
    }
}
