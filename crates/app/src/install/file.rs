//! One entry of a client's file: put in, changed, taken out. Every other byte stays.

use scenewright_text::{Edits, read_commented_json};
use serde_json::{Value, json};

use super::{toml_file, yaml_file};
use crate::clients::{Form, launch};

/// Why a file is left as it is.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Refused {
    /// It cannot be read as what it should be; why.
    Broken(String),
    /// Somebody else has the name; what is there.
    Taken(String),
}

/// The text with this entry; what is there of that name must be ours, and what else it says stays.
pub(super) fn put(form: Form, text: &[u8], name: &str, entry: &Value) -> Result<Vec<u8>, Refused> {
    let settings = read(form, text)?;
    let entry = in_list(form, name, entry);
    let entry = match of_name(form, &settings, name)? {
        Some(old) => with_others(old, &entry),
        None => entry,
    };
    if of_name(form, &settings, name)? == Some(&entry) {
        return Ok(text.to_vec());
    }
    let after = match form {
        Form::Json(key) => json_put(key, text, name, &entry)?,
        Form::Toml => toml_file::put(text, name, &entry)?,
        Form::TomlList => toml_file::put_in_list(text, at(form, &settings, name), &entry)?,
        Form::YamlList => yaml_file::put(form.key(), text, name, &entry)?,
    };
    // What the client will read.
    match of_name(form, &read(form, &after)?, name)? == Some(&entry) {
        true => Ok(after),
        false => Err(Refused::Broken("its entry could not be written".to_owned())),
    }
}

/// The text without the entry of that name, and the entry; nothing when it has none.
pub(super) fn take(
    form: Form,
    text: &[u8],
    name: &str,
) -> Result<Option<(Vec<u8>, Value)>, Refused> {
    let settings = read(form, text)?;
    let Some(old) = of_name(form, &settings, name)? else { return Ok(None) };
    let after = match form {
        Form::Json(key) => json_take(key, text, name)?,
        Form::Toml => toml_file::take(text, name),
        Form::TomlList => toml_file::take_from_list(text, at(form, &settings, name)),
        Form::YamlList => yaml_file::take(form.key(), text, name)?,
    };
    match of_name(form, &read(form, &after)?, name)? {
        None => Ok(Some((after, old.clone()))),
        Some(_) => Err(Refused::Broken("its entry could not be taken out".to_owned())),
    }
}

/// An entry of a list says its name.
fn in_list(form: Form, name: &str, entry: &Value) -> Value {
    let own = json!({ "name": name });
    if form.is_list() { with_others(&own, entry) } else { entry.clone() }
}

/// Where the entry of a name is in a list.
fn at(form: Form, settings: &Value, name: &str) -> Option<usize> {
    settings[form.key()].as_array()?.iter().position(|server| server["name"] == name)
}

/// The entry of a name; one that starts another program is refused.
fn of_name<'v>(form: Form, settings: &'v Value, name: &str) -> Result<Option<&'v Value>, Refused> {
    let found = match at(form, settings, name) {
        Some(at) => settings[form.key()].get(at),
        None => settings.get(form.key()).and_then(|servers| servers.get(name)),
    };
    match found {
        Some(entry) if !is_ours(entry) => Err(Refused::Taken(entry.to_string())),
        found => Ok(found),
    }
}

/// What a person chose with the client, which another installation does not choose anew.
const CHOSEN: [&str; 2] = ["enabled", "tools"];

/// An entry with what people put into the one before: its environment, whether it is on.
fn with_others(old: &Value, new: &Value) -> Value {
    let mut entry = old.clone();
    for (key, value) in new.as_object().into_iter().flatten() {
        if !CHOSEN.contains(&&**key) || entry.get(key).is_none() {
            entry[key] = value.clone();
        }
    }
    entry
}

/// What a file says; nothing is an empty object.
pub(crate) fn read(form: Form, text: &[u8]) -> Result<Value, Refused> {
    let broken = |why: String| Err(Refused::Broken(why));
    let Ok(words) = std::str::from_utf8(text) else { return broken("it is not UTF-8".to_owned()) };
    let words = words.trim_start_matches('\u{feff}');
    let value = match form {
        Form::Toml | Form::TomlList => {
            toml::from_str(words).map_err(|error| error.message().to_owned())
        }
        Form::YamlList => return yaml_file::read(form.key(), words),
        Form::Json(_) if words.trim().is_empty() => Ok(json!({})),
        Form::Json(_) => read_commented_json(text).map(|(_, value)| value),
    };
    let value: Value = match value {
        Ok(value) => value,
        Err(why) => return broken(why),
    };
    let servers = value.get(form.key());
    let is_right = |servers: &Value| match form.is_list() {
        true => servers.is_array(),
        false => servers.is_object(),
    };
    match value.is_object() && servers.is_none_or(is_right) {
        true => Ok(value),
        false => broken(format!("`{}` is not what it should be", form.key())),
    }
}

/// Whether an entry starts this program, wherever it lies, or has it fetched and started.
fn is_ours(entry: &Value) -> bool {
    let Some((command, args)) = entry.as_object().and_then(launch) else { return false };
    let file = command.rsplit(['/', '\\']).next().unwrap_or_default();
    let file = [".exe", ".cmd"].iter().find_map(|end| file.strip_suffix(end)).unwrap_or(file);
    let is_package = |arg: &&str| *arg == "scenewright" || arg.starts_with("scenewright@");
    file == "scenewright" || (matches!(file, "npx" | "uvx") && args.iter().any(is_package))
}

fn json_put(key: &str, text: &[u8], name: &str, entry: &Value) -> Result<Vec<u8>, Refused> {
    let is_empty = text.iter().all(u8::is_ascii_whitespace);
    if is_empty {
        let fresh = json!({ key: { name: entry } });
        let fresh = serde_json::to_string_pretty(&fresh).unwrap_or_default() + "\n";
        return Ok(fresh.into_bytes());
    }
    let (root, _) = read_commented_json(text).map_err(Refused::Broken)?;
    let mut edits = Edits::default();
    let put = match root.get(key) {
        Some(servers) => servers.put(text, name, entry, |_| false, &mut edits),
        None => root.put(text, key, &json!({ name: entry }), |_| false, &mut edits),
    };
    apply(put, &edits, text)
}

fn json_take(key: &str, text: &[u8], name: &str) -> Result<Vec<u8>, Refused> {
    let (root, _) = read_commented_json(text).map_err(Refused::Broken)?;
    let mut edits = Edits::default();
    let taken = root.get(key).and_then(|servers| servers.remove(text, name, &mut edits));
    apply(taken, &edits, text)
}

fn apply(done: Option<()>, edits: &Edits, text: &[u8]) -> Result<Vec<u8>, Refused> {
    let after = done.and_then(|()| edits.apply(text).ok());
    after.ok_or_else(|| Refused::Broken("its servers are not an object".to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const JSON: Form = Form::Json("mcpServers");

    fn entry(args: &[&str]) -> Value {
        json!({ "command": "/opt/scenewright", "args": args })
    }

    /// What is put in, and that taking it out leaves what was there.
    fn round_trip(form: Form, text: &str) -> String {
        let put = put(form, text.as_bytes(), "scenewright", &entry(&["serve"])).unwrap();
        let again = super::put(form, &put, "scenewright", &entry(&["serve"])).unwrap();
        assert_eq!(again, put, "putting it twice changes nothing");
        let (back, _) = take(form, &put, "scenewright").unwrap().unwrap();
        if read(form, text.as_bytes()).unwrap().get(form.key()).is_some() || form == Form::Toml {
            assert_eq!(String::from_utf8(back).unwrap(), text);
        }
        String::from_utf8(put).unwrap()
    }

    #[test]
    fn an_entry_comes_beside_the_others() {
        let text = "{\n  // mine\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"files\": { \"command\": \"npx\" }, // keep\n  },\n}\n";
        assert_eq!(
            round_trip(JSON, text),
            "{\n  // mine\n  \"theme\": \"dark\",\n  \"mcpServers\": {\n    \"files\": { \"command\": \"npx\" }, // keep\n    \"scenewright\": {\n      \"command\": \"/opt/scenewright\",\n      \"args\": [\n        \"serve\"\n      ]\n    },\n  },\n}\n"
        );
        round_trip(JSON, "{\"mcpServers\":{}}");
        round_trip(JSON, "{\r\n\t\"mcpServers\": {\r\n\t\t\"a\": {}\r\n\t}\r\n}");
        round_trip(JSON, "{ \"theme\": 1 }");
        round_trip(JSON, "");
    }

    #[test]
    fn a_table_comes_last() {
        let text = "# mine\nmodel = \"o5\"\n\n[mcp_servers.files]\ncommand = \"npx\"\nargs = [\"-y\"] # keep\n";
        assert_eq!(
            round_trip(Form::Toml, text),
            format!(
                "{text}\n[mcp_servers.scenewright]\ncommand = \"/opt/scenewright\"\nargs = [\"serve\"]\n"
            )
        );
        round_trip(Form::Toml, "model = \"x\"\r\n");
        let between = "[mcp_servers.scenewright]\ncommand = \"scenewright\"\n\n[mcp_servers.scenewright.env]\nA = \"1\"\n\n# next\n[tui]\nx = 1\n";
        let (taken, _) = take(Form::Toml, between.as_bytes(), "scenewright").unwrap().unwrap();
        assert_eq!(String::from_utf8(taken).unwrap(), "\n# next\n[tui]\nx = 1\n");
    }

    #[test]
    fn an_entry_of_ours_is_exchanged_and_another_is_not() {
        let ours =
            r#"{"mcpServers": {"scenewright": {"command": "C:\\old\\scenewright.exe"}, "b": 1}}"#;
        let after = put(JSON, ours.as_bytes(), "scenewright", &entry(&[])).unwrap();
        let (_, value) = read_commented_json(&after).unwrap();
        assert_eq!(value, json!({"mcpServers": {"scenewright": entry(&[]), "b": 1}}));
        let theirs = r#"{"mcpServers": {"scenewright": {"command": "node"}}}"#;
        for refused in [
            put(JSON, theirs.as_bytes(), "scenewright", &entry(&[])).unwrap_err(),
            take(JSON, theirs.as_bytes(), "scenewright").unwrap_err(),
        ] {
            assert_eq!(refused, Refused::Taken(r#"{"command":"node"}"#.to_owned()));
        }
    }

    #[test]
    fn what_people_put_into_the_entry_stays() {
        let json = r#"{"mcpServers": {"scenewright": {"command": "scenewright", "env": {"A": "1"}, "disabled": true}}}"#;
        let after = put(JSON, json.as_bytes(), "scenewright", &entry(&["serve"])).unwrap();
        let expected = json!({ "command": "/opt/scenewright", "env": { "A": "1" }, "disabled": true, "args": ["serve"] });
        assert_eq!(read(JSON, &after).unwrap()["mcpServers"]["scenewright"], expected);
        let toml = "[mcp_servers.scenewright]\ncommand = \"scenewright\"\nenabled = false\n\n[mcp_servers.scenewright.env]\nA = \"1\"\n\n[tui]\n";
        let after = put(Form::Toml, toml.as_bytes(), "scenewright", &entry(&["serve"])).unwrap();
        assert_eq!(
            String::from_utf8(after).unwrap(),
            "[mcp_servers.scenewright]\ncommand = \"/opt/scenewright\"\nenabled = false\nenv = { A = \"1\" }\nargs = [\"serve\"]\n\n[tui]\n"
        );
    }

    #[test]
    fn any_name_will_do() {
        for name in ["a/b", "a~b", "my server", "a.b"] {
            for (form, text) in [(JSON, "{ \"x\": 1 }"), (Form::Toml, "x = 1\n")] {
                let put = put(form, text.as_bytes(), name, &entry(&[])).unwrap();
                let (_, taken) = take(form, &put, name).unwrap().unwrap();
                assert_eq!(taken, entry(&[]), "{name}");
            }
        }
    }

    #[test]
    fn what_cannot_be_read_is_left_alone() {
        for (form, text) in [
            (JSON, "{ \"mcpServers\": {"),
            (JSON, "[]"),
            (JSON, "{ \"mcpServers\": [] }"),
            (JSON, "{ \"a\": 1, } trailing"),
            (Form::Toml, "model = "),
            (Form::Toml, "mcp_servers = 1"),
        ] {
            let refused = put(form, text.as_bytes(), "scenewright", &entry(&[])).unwrap_err();
            assert!(matches!(refused, Refused::Broken(_)), "{text}");
        }
        assert_eq!(take(JSON, b"{}", "scenewright"), Ok(None));
    }
}
