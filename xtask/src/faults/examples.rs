//! Every tool with an example of its own, asked from the program.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::client::Client;

/// A tool as a client knows it.
#[derive(Debug, Clone)]
pub(super) struct Tool {
    pub(super) name: String,
    pub(super) category: String,
    pub(super) reads_only: bool,
    /// The names of all its arguments that take text.
    pub(super) texts: Vec<String>,
    /// Arguments of an example.
    pub(super) arguments: Value,
}

impl Tool {
    /// Whether it would start an engine if there were one.
    pub(super) fn starts_engine(&self) -> bool {
        self.category == "godot.engine" || self.name == "reimport_assets"
    }

    /// The sample that its example is about.
    pub(super) fn sample(&self) -> &'static str {
        match self.arguments["projectPath"].as_str() {
            Some("godot") => "godot",
            _ if self.category.starts_with("godot") => "godot",
            _ => "unity",
        }
    }
}

/// Every tool that the server lists.
pub(super) fn all(client: &mut Client) -> Result<Vec<Tool>> {
    let mut tools = Vec::new();
    let mut params = json!({});
    loop {
        let page = client.result("tools/list", &params)?;
        for listed in page["tools"].as_array().context("no tools")? {
            tools.push(describe(client, listed)?);
        }
        let Some(cursor) = page["nextCursor"].as_str() else { break };
        params = json!({ "cursor": cursor });
    }
    ensure!(!tools.is_empty(), "no tools are listed");
    Ok(tools)
}

fn describe(client: &mut Client, listed: &Value) -> Result<Tool> {
    let name = listed["name"].as_str().context("a tool without a name")?;
    let described =
        client.output("mcp_tool_describe", &json!({ "toolId": name, "schema": true }))?;
    let properties = listed["inputSchema"]["properties"].as_object();
    let texts = properties.into_iter().flatten().filter(|(_, schema)| takes_text(schema));
    let example = &described["examples"][0]["input"];
    Ok(Tool {
        name: name.to_owned(),
        category: described["category"].as_str().unwrap_or_default().to_owned(),
        reads_only: listed["annotations"]["readOnlyHint"] == true,
        texts: texts.map(|(name, _)| name.clone()).collect(),
        arguments: if example.is_object() { example.clone() } else { json!({}) },
    })
}

/// Text, or a list of texts, and not a choice of words.
fn takes_text(schema: &Value) -> bool {
    let is_text = |schema: &Value| {
        let kind = &schema["type"];
        let kinds = kind.as_array();
        let named = kind == "string" || kinds.is_some_and(|all| all.iter().any(|k| k == "string"));
        named && schema.get("enum").is_none()
    };
    is_text(schema) || schema["type"] == "array" && is_text(&schema["items"])
}

/// Put a text where an argument has one, or a list of it where it has a list.
pub(super) fn with_text(arguments: &Value, name: &str, text: &str) -> Value {
    let mut arguments = arguments.clone();
    arguments[name] = if arguments[name].is_array() { json!([text]) } else { json!(text) };
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_where_text_goes() {
        assert!(takes_text(&json!({ "type": "string" })));
        assert!(takes_text(&json!({ "type": ["string", "null"] })));
        assert!(takes_text(&json!({ "type": "array", "items": { "type": "string" } })));
        assert!(!takes_text(&json!({ "type": "string", "enum": ["a"] })));
        assert!(!takes_text(&json!({ "type": "integer" })));
        assert_eq!(with_text(&json!({ "a": ["b"] }), "a", "c"), json!({ "a": ["c"] }));
    }
}
