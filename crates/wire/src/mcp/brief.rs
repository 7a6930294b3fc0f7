//! A few readable lines about an output: what a person sees in a client, and a model beside the data.

use serde_json::Value;

/// An output this short says itself best.
const SHORT: usize = 240;
/// The lines together have no more bytes.
const MOST: usize = 700;
/// A value has no more.
const WIDTH: usize = 120;
/// So many things of a list are named, if there is room.
const NAMED: usize = 5;
/// The names of a list have no more, beside the first one.
const LIST: usize = 240;
/// What names a thing, the best first.
const NAMES: [&str; 10] =
    ["name", "path", "nodePath", "file", "title", "message", "id", "tool", "key", "type"];
/// What other members that say where or what a thing is end with.
const ENDS: [&str; 3] = ["Path", "Name", "Id"];

/// What a tool gave back, in a few lines.
pub(super) fn of(output: &Value) -> String {
    let json = output.to_string();
    let Value::Object(members) = output else { return cut(&json, MOST) };
    if json.len() <= SHORT {
        return json;
    }
    // What one tool answered through another is what the reader asked for.
    if let (Some(Value::String(tool)), Some(inner @ Value::Object(_))) =
        (members.get("tool"), members.get("output"))
    {
        return format!("{tool}\n{}", of(inner));
    }
    let mut text = String::new();
    for (key, value) in members.iter().filter(|(_, value)| !value.is_null()) {
        let line = format!("{key}: {}\n", line(value));
        if text.len() + line.len() > MOST {
            text.push_str("…\n");
            break;
        }
        text.push_str(&line);
    }
    text.truncate(text.trim_end().len());
    text
}

fn line(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let mut room = LIST;
            let fits = |name: &String| {
                let size = name.len() + 2;
                let fits = size <= room || room == LIST;
                room = room.saturating_sub(size);
                fits
            };
            let first = items.iter().take(NAMED).map_while(name);
            let named: Vec<String> = first.take_while(fits).collect();
            let more = if items.len() > named.len() { ", …" } else { "" };
            match named.is_empty() {
                true => items.len().to_string(),
                false => format!("{} ({}{more})", items.len(), named.join(", ")),
            }
        }
        Value::Object(members) => match name(value) {
            Some(name) => name,
            None => cut(&members.keys().map(String::as_str).collect::<Vec<_>>().join(", "), WIDTH),
        },
        scalar => name(scalar).unwrap_or_default(),
    }
}

/// One thing in a word or two.
fn name(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(cut(text.lines().next().unwrap_or_default(), WIDTH)),
        Value::Object(members) => {
            let fact = |key: &str| members.get(key)?.as_str().filter(|text| !text.is_empty());
            let other = || {
                ENDS.iter().find_map(|end| {
                    members.keys().filter(|key| key.ends_with(end)).find_map(|key| fact(key))
                })
            };
            let named = NAMES.iter().find_map(|key| fact(key)).or_else(other)?;
            // Where a thing is says more than what it is called, and most often ends with that.
            let place = fact("path").filter(|path| path.contains(named)).unwrap_or(named);
            let place = cut(place, WIDTH / 2);
            Some(match members.get("line").and_then(Value::as_u64) {
                Some(line) => format!("{place}:{line}"),
                None => place,
            })
        }
        Value::Array(_) | Value::Null => None,
        scalar => Some(scalar.to_string()),
    }
}

fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(most)])
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_few_lines_tell_what_is_there() {
        let output = json!({
            "scenePath": "Assets/Main.unity",
            "objects": [{ "name": "Camera" }, { "name": "Door", "path": "Hall/Door" }, {}],
            "matches": [{ "scenePath": "", "hierarchyPath": "Hall/Lamp", "tag": "a" }],
            "lines": [{ "file": "Door.cs", "line": 7, "text": "open" }],
            "matrix": [[1], [2]],
            "counts": { "scripts": 3, "scenes": 1 },
            "tree": { "name": "Root", "children": [] },
            "nothing": null,
            "truncated": true,
            "text": "x".repeat(400) + "\n",
        });
        let text = of(&output);
        let expected = format!(
            "scenePath: Assets/Main.unity\nobjects: 3 (Camera, Hall/Door, …)\n\
             matches: 1 (Hall/Lamp)\nlines: 1 (Door.cs:7)\nmatrix: 2\n\
             counts: scripts, scenes\ntree: Root\ntruncated: true\ntext: {}…",
            "x".repeat(WIDTH)
        );
        assert_eq!(text, expected);
    }

    #[test]
    fn of_a_list_so_many_are_named_as_have_room() {
        let items = |name: &str| json!({ "items": vec![json!({ "name": name, "n": 1 }); 40] });
        assert_eq!(of(&items("Crate")), "items: 40 (Crate, Crate, Crate, Crate, Crate, …)");
        let long = "x".repeat(WIDTH);
        let shown = format!("{}…", "x".repeat(WIDTH / 2));
        assert_eq!(of(&items(&long)), format!("items: 40 ({shown}, {shown}, {shown}, …)"));
    }

    #[test]
    fn what_a_tool_answered_through_another_is_told() {
        let inner = json!({ "path": "Assets/Main.unity", "text": "x".repeat(300) });
        let text = of(&json!({ "tool": "unity.edit", "output": inner }));
        assert_eq!(
            text,
            format!("unity.edit\npath: Assets/Main.unity\ntext: {}…", "x".repeat(WIDTH))
        );
    }

    #[test]
    fn what_is_short_says_itself_and_nothing_is_long() {
        assert_eq!(of(&json!({ "a": [1, 2] })), r#"{"a":[1,2]}"#);
        let many: Vec<String> = (0..500).map(|n| format!("ä{n}")).collect();
        let table = many.iter().map(|name| (name.clone(), json!(name))).collect();
        assert!(of(&Value::Object(table)).len() <= MOST + 8);
        assert!(of(&json!("ä".repeat(5000))).len() <= MOST + 3);
    }
}
