//! `scenewright tree --find`: what has a name, what it is below, and its values.

use std::sync::Arc;

use scenewright_contract::{ErrorKind, JsonMap, ToolError, suggest};
use scenewright_toolkit::Runner;
use serde_json::{Value, json};

use super::{LEFT_OUT, VALUES, ask, children};

/// The mark of an object that was looked for.
pub(super) const FOUND: &str = "found";
/// The values of no more objects are read.
const MAX_READ: usize = 100;
/// A longer value is cut.
const MAX_VALUE: usize = 100;
/// The tree shows them already.
const SHOWN: [&str; 3] = ["m_Children", "m_Father", "m_RootOrder"];

/// Leave only the objects with this in their names, `depth` levels below them, and what they are below.
pub(super) fn keep(dumped: &mut Value, wanted: &str, depth: usize) -> Result<(), ToolError> {
    let mut names = Vec::new();
    let mut count = 0;
    let pattern = Pattern::new(wanted);
    if let Some(roots) = dumped["rootObjects"].as_array_mut() {
        roots.retain_mut(|root| keep_below(root, &pattern, depth, 0, &mut names, &mut count));
    }
    if count > 0 {
        dumped["objectCount"] = json!(count);
        return Ok(());
    }
    let scene = dumped["scenePath"].as_str().unwrap_or_default();
    names.sort();
    names.dedup();
    let hint = suggest::did_you_mean(wanted, names.iter().map(String::as_str), "it is empty");
    let message = format!("nothing in {scene} has `{wanted}` in its name");
    Err(ToolError::new(ErrorKind::EngineError, message).hint(hint))
}

/// Whether something of it is left. `below` is how many levels are still shown because one above was found.
fn keep_below(
    object: &mut Value,
    pattern: &Pattern,
    depth: usize,
    below: usize,
    names: &mut Vec<String>,
    count: &mut usize,
) -> bool {
    let name = object["name"].as_str().unwrap_or_default();
    let is_found = pattern.is_in(name);
    names.push(name.to_owned());
    let below = if is_found { depth + 1 } else { below };
    let mut left_out = 0;
    if let Some(children) = object["children"].as_array_mut() {
        let all = children.len();
        let next = below.saturating_sub(1);
        children.retain_mut(|child| keep_below(child, pattern, depth, next, names, count));
        left_out = all - children.len();
    }
    let is_left = below > 0 || !children(object, "children").is_empty();
    let Some(object) = object.as_object_mut().filter(|_| is_left) else { return false };
    *count += 1;
    if is_found {
        object.insert(FOUND.to_owned(), json!(true));
        let known = object.get(LEFT_OUT).and_then(Value::as_u64).unwrap_or(0);
        if known + left_out as u64 > 0 {
            object.insert(LEFT_OUT.to_owned(), json!(known + left_out as u64));
        }
    } else {
        object.shift_remove(VALUES);
        object.shift_remove(LEFT_OUT);
    }
    true
}

/// Read the values of the components of what was found.
pub(super) fn add_values(
    runner: &Arc<Runner>,
    project: Option<&str>,
    dumped: &mut Value,
) -> Result<(), ToolError> {
    let scene = dumped["scenePath"].clone();
    let mut left = MAX_READ;
    let mut open: Vec<&mut Value> =
        dumped["rootObjects"].as_array_mut().into_iter().flatten().collect();
    while let Some(object) = open.pop() {
        if object[FOUND] == true && left > 0 {
            left -= 1;
            let arguments = JsonMap::from_iter([
                ("scenePath".to_owned(), scene.clone()),
                ("gameObjectPath".to_owned(), object["path"].clone()),
            ]);
            let read = ask(runner, "scene.components.list", project, arguments)?;
            object[VALUES] = children(&read, "components").iter().flat_map(lines).collect();
        }
        if object[FOUND] == true && object.get(VALUES).is_none() {
            let why = format!("values are shown of the first {MAX_READ} objects only");
            object[VALUES] = json!([why]);
        }
        open.extend(object["children"].as_array_mut().into_iter().flatten());
    }
    Ok(())
}

/// A component, and its fields below it.
fn lines(component: &Value) -> Vec<String> {
    let off = if component["enabled"] == false { " (disabled)" } else { "" };
    let name = component["type"].as_str().unwrap_or("?");
    let fields = children(component, "serializedFields").iter().filter_map(|field| {
        let name = field["name"].as_str().filter(|name| !SHOWN.contains(name))?;
        Some(format!("  {name}: {}", shortened(&shown(&field["value"]), MAX_VALUE)))
    });
    std::iter::once(format!("{name}{off}")).chain(fields).collect()
}

/// A value as the inspector shows it: vectors and colours by their numbers alone.
fn shown(value: &Value) -> String {
    let is_vector = |keys: &[&str], map: &JsonMap| {
        map.len() <= keys.len() && map.keys().zip(keys).all(|(key, known)| key == known)
    };
    match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Object(map)
            if map.len() > 1
                && (is_vector(&["x", "y", "z", "w"], map)
                    || is_vector(&["r", "g", "b", "a"], map)) =>
        {
            let numbers: Vec<String> = map.values().map(Value::to_string).collect();
            format!("({})", numbers.join(", "))
        }
        other => other.to_string(),
    }
}

/// The first characters of a value, and a mark where there are more.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A part of a name in any case; `*` is any text.
struct Pattern(Vec<String>);

impl Pattern {
    fn new(text: &str) -> Self {
        Self(text.to_lowercase().split('*').map(str::to_owned).collect())
    }

    fn is_in(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let mut rest = name.as_str();
        self.0.iter().all(|part| match rest.split_once(part.as_str()) {
            Some((_, after)) => {
                rest = after;
                true
            }
            None => false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, children: Vec<Value>) -> Value {
        json!({ "name": name, "children": children })
    }

    fn found(wanted: &str, depth: usize) -> Result<String, ToolError> {
        let lamp = object("Lamp", vec![object("Bulb", vec![object("Glow", vec![])])]);
        let roots = vec![object("Room", vec![lamp, object("Door", vec![])]), object("Sky", vec![])];
        let mut dumped = json!({ "scenePath": "a.tscn", "rootObjects": roots });
        keep(&mut dumped, wanted, depth)?;
        fn draw(object: &Value) -> String {
            let mark = if object[FOUND] == true { "!" } else { "" };
            let more = object.get(LEFT_OUT).map(|more| format!("+{more}")).unwrap_or_default();
            let below: Vec<String> = children(object, "children").iter().map(draw).collect();
            let below =
                if below.is_empty() { String::new() } else { format!("({})", below.join(" ")) };
            format!("{}{mark}{more}{below}", object["name"].as_str().unwrap())
        }
        let drawn: Vec<String> = children(&dumped, "rootObjects").iter().map(draw).collect();
        Ok(format!("{} {}", drawn.join(" "), dumped["objectCount"]))
    }

    #[test]
    fn what_was_found_is_left_with_what_it_is_below() {
        assert_eq!(found("lamp", 0).unwrap(), "Room(Lamp!+1) 2");
        assert_eq!(found("lamp", 1).unwrap(), "Room(Lamp!(Bulb)) 3");
        let missing = found("x*b", 0).unwrap_err().message;
        assert_eq!(missing, "nothing in a.tscn has `x*b` in its name");
        assert_eq!(found("b*B", 0).unwrap(), "Room(Lamp(Bulb!+1)) 3");
        assert_eq!(found("o", 0).unwrap(), "Room!(Lamp(Bulb(Glow!)) Door!) 5");
        assert_eq!(found("Dor", 0).unwrap_err().hint.unwrap(), "did you mean Door?");
    }

    #[test]
    fn values_are_shown_as_in_the_inspector() {
        assert_eq!(shown(&json!({ "x": 0, "y": 1.5, "z": -4 })), "(0, 1.5, -4)");
        assert_eq!(shown(&json!({ "r": 1, "g": 1, "b": 1, "a": 0.5 })), "(1, 1, 1, 0.5)");
        assert_eq!(shown(&json!({ "x": 0, "width": 1 })), r#"{"x":0,"width":1}"#);
        assert_eq!(
            (shown(&json!(null)), shown(&json!("Player"))),
            ("none".into(), "Player".into())
        );
        assert_eq!(shortened("äöü", 2), "äö…");
    }
}
