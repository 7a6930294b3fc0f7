//! Every place of the program that takes text from a client, with each way out in it.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::super::client::Client;
use super::super::examples::{self, Tool};
use super::ways;

/// A request.
pub(super) struct Probe {
    pub(super) method: &'static str,
    pub(super) params: Value,
    /// Tried in the short form as well, whatever the dice say.
    pub(super) always: bool,
}

/// The requests about one thing.
pub(super) struct Group {
    pub(super) name: String,
    /// They may change the projects.
    pub(super) changes: bool,
    pub(super) probes: Vec<Probe>,
}

pub(super) fn all(client: &mut Client, outside: &Path) -> Result<Vec<Group>> {
    let tools = examples::all(client)?;
    let mut groups: Vec<Group> = tools
        .iter()
        .filter(|tool| !tool.starts_engine())
        .map(|tool| tool_group(tool, outside))
        .collect();
    groups.extend(listed_resources(client)?);
    groups.extend(templates(client, outside)?);
    groups.extend(prompts(client, outside)?);
    Ok(groups)
}

/// The example as it is, for what an index finds by itself; then each text of it in turn.
fn tool_group(tool: &Tool, outside: &Path) -> Group {
    let call = |arguments: Value| Probe {
        method: "tools/call",
        params: json!({ "name": tool.name, "arguments": arguments }),
        always: false,
    };
    let mut probes = vec![Probe { always: true, ..call(tool.arguments.clone()) }];
    let mut places = Vec::new();
    texts_in(&tool.arguments, "", &mut places);
    for (pointer, text) in &places {
        for way in ways_for(tool, pointer, text, outside) {
            let mut arguments = tool.arguments.clone();
            *arguments.pointer_mut(pointer).expect("it was found there") = json!(way);
            probes.push(call(arguments));
        }
    }
    let absent = tool.texts.iter().filter(|name| tool.arguments.get(name.as_str()).is_none());
    for name in absent {
        for way in ways_for(tool, &format!("/{name}"), "", outside) {
            probes.push(call(examples::with_text(&tool.arguments, name, &way)));
        }
    }
    Group { name: tool.name.clone(), changes: !tool.reads_only, probes }
}

fn ways_for(tool: &Tool, pointer: &str, text: &str, outside: &Path) -> Vec<String> {
    // It copies a picture, sound, model or font from anywhere, and says so.
    if tool.name == "import_asset" && pointer == "/sourcePath" {
        return Vec::new();
    }
    ways::all(text, outside)
}

/// Every text in a value, with the way to it.
fn texts_in(value: &Value, pointer: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => found.push((pointer.to_owned(), text.clone())),
        Value::Array(items) => {
            for (number, item) in items.iter().enumerate() {
                texts_in(item, &format!("{pointer}/{number}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                let name = name.replace('~', "~0").replace('/', "~1");
                texts_in(member, &format!("{pointer}/{name}"), found);
            }
        }
        _ => {}
    }
}

fn listed_resources(client: &mut Client) -> Result<Vec<Group>> {
    let mut probes = Vec::new();
    let mut params = json!({});
    loop {
        let page = client.result("resources/list", &params)?;
        for resource in page["resources"].as_array().context("no resources")? {
            let uri = resource["uri"].as_str().unwrap_or_default();
            probes.push(Probe { always: true, ..read(uri) });
        }
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        params = json!({ "cursor": cursor });
    }
    Ok(vec![Group { name: "listed resources".to_owned(), changes: false, probes }])
}

fn templates(client: &mut Client, outside: &Path) -> Result<Vec<Group>> {
    let listed = client.result("resources/templates/list", &json!({}))?;
    let templates = listed["resourceTemplates"].as_array().context("no templates")?;
    let group = |template: &Value| {
        let uri = template["uriTemplate"].as_str().unwrap_or_default();
        let mut probes = Vec::new();
        for (from, to) in variables(uri) {
            let name = &uri[from + 1..to - 1];
            let kinds =
                if uri.starts_with("unity:") { ["x.csx", "x.cs"] } else { ["x.gd", "x.tscn"] };
            for kind in kinds {
                for way in ways::all(kind, outside) {
                    let put = |way: &str| format!("{}{way}{}", &uri[..from], &uri[to..]);
                    let always = way.contains("link_");
                    probes.push(Probe { always, ..read(&put(&way)) });
                    probes.push(read(&put(&ways::encode(&way, 1))));
                    let params = json!({ "uri": put(&way) });
                    probes.push(Probe { method: "resources/subscribe", params, always: false });
                    let reference = json!({ "type": "ref/resource", "uri": uri });
                    probes.push(complete(reference, name, &way));
                }
            }
        }
        Group { name: format!("template {uri}"), changes: false, probes }
    };
    Ok(templates.iter().map(group).collect())
}

/// Where the variables of a template are, braces included.
fn variables(uri: &str) -> Vec<(usize, usize)> {
    let starts = uri.match_indices('{').map(|(at, _)| at);
    starts.filter_map(|from| Some((from, from + uri[from..].find('}')? + 1))).collect()
}

fn prompts(client: &mut Client, outside: &Path) -> Result<Vec<Group>> {
    let listed = client.result("prompts/list", &json!({}))?;
    let prompts = listed["prompts"].as_array().context("no prompts")?;
    let group = |prompt: &Value| {
        let name = prompt["name"].as_str().unwrap_or_default();
        let arguments: Vec<&str> = prompt["arguments"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|argument| argument["name"].as_str())
            .collect();
        let mut probes = Vec::new();
        for argument in &arguments {
            for way in ["x.gd", "x.tscn"].iter().flat_map(|kind| ways::all(kind, outside)) {
                let mut values: Value =
                    arguments.iter().map(|name| ((*name).to_owned(), json!("x"))).collect();
                values[*argument] = json!(way);
                let params = json!({ "name": name, "arguments": values });
                probes.push(Probe { method: "prompts/get", params, always: false });
                let reference = json!({ "type": "ref/prompt", "name": name });
                probes.push(complete(reference, argument, &way));
            }
        }
        Group { name: format!("prompt {name}"), changes: false, probes }
    };
    Ok(prompts.iter().map(group).collect())
}

fn read(uri: &str) -> Probe {
    Probe { method: "resources/read", params: json!({ "uri": uri }), always: false }
}

fn complete(reference: Value, name: &str, value: &str) -> Probe {
    let params = json!({ "ref": reference, "argument": { "name": name, "value": value } });
    Probe { method: "completion/complete", params, always: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_every_text() {
        let mut found = Vec::new();
        texts_in(&json!({ "a/b": ["x", 1], "c": { "d": "y" } }), "", &mut found);
        assert_eq!(found, [("/a~1b/0".into(), "x".into()), ("/c/d".into(), "y".into())]);
        assert_eq!(variables("a://{b}/c?d={e}"), [(4, 7), (12, 15)]);
    }
}
