//! The answer of a search: small, for it is read before anything is done.

use scenewright_contract::tool::first_sentence;
use scenewright_contract::{JsonMap, ToolInfo};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

/// Bytes of an answer of five tools, as data: about 250 tokens.
const BYTES: usize = 1000;
/// The tools that it is for.
const USUAL: usize = 5;

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Output {
    /// How many tools match.
    pub(super) total: usize,
    /// The best of them.
    pub(super) tools: Vec<Found>,
    /// An example call of the best: put your own paths and names in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) call: Option<JsonMap>,
    /// What to do where none of them does it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

#[derive(Serialize, JsonSchema)]
pub(super) struct Found {
    /// The name to call it by.
    pub(super) name: String,
    /// Names of its arguments; `?` marks optional ones, `…` that there are more.
    pub(super) arguments: String,
    /// What it does, in a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    /// A flag that the server lacks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs: Option<String>,
}

impl Found {
    pub(super) fn of(tool: &ToolInfo, needs: Option<String>) -> Found {
        let summary = first_sentence(&tool.words.description).trim_end_matches('.');
        let (required, optional) = arguments(tool);
        let all = required.into_iter().chain(optional);
        Found {
            name: tool.mcp_name.clone(),
            arguments: all.collect::<Vec<_>>().join(", "),
            summary: Some(summary.to_owned()),
            needs,
        }
    }

    /// With no more than so many bytes of what it takes, and of what it does.
    fn shorten(&mut self, arguments: usize, summary: usize) {
        if self.arguments.len() > arguments {
            let names =
                self.arguments.trim_end_matches("…").split(", ").filter(|name| !name.is_empty());
            let mut kept = String::new();
            // What is required stands first and stays.
            for name in names {
                if name.ends_with('?') && kept.len() + name.len() > arguments {
                    break;
                }
                kept += name;
                kept += ", ";
            }
            self.arguments = kept + "…";
        }
        self.summary = self.summary.take().filter(|_| summary > 0).map(|text| cut(&text, summary));
    }
}

/// A text up to the last whole word that has room.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let ends = text.match_indices([' ', ',', ':', ';']).map(|(end, _)| end);
    let end = ends.take_while(|end| *end <= most).last().unwrap_or(0);
    format!("{}…", text[..end].trim_end_matches([',', ':', ';']))
}

/// The names of what a tool takes: what must be given, and what need not.
fn arguments(tool: &ToolInfo) -> (Vec<String>, Vec<String>) {
    let required = tool.words.input.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|all| all.iter().any(|one| one == name));
    let properties = tool.words.input.get("properties").and_then(Value::as_object);
    let names = properties.into_iter().flatten().map(|(name, _)| name.clone());
    // Every tool knows which project, and those that write have a dry run.
    let is_telling = |name: &String| !["project", "projectPath", "dryRun"].contains(&&**name);
    let (required, optional): (Vec<_>, Vec<_>) =
        names.filter(|name| is_required(name) || is_telling(name)).partition(is_required);
    (required, optional.into_iter().map(|name| format!("{name}?")).collect())
}

impl Output {
    /// The same within so many bytes as its tools may have; the best one says the most.
    pub(super) fn fitted(mut self) -> Output {
        let most = BYTES.max(BYTES / USUAL * self.tools.len());
        for (best, others) in [
            ((120, 160), (70, 60)),
            ((100, 120), (50, 44)),
            ((90, 90), (40, 0)),
            ((70, 60), (30, 0)),
        ] {
            for (at, tool) in self.tools.iter_mut().enumerate() {
                let (arguments, summary) = if at == 0 { best } else { others };
                tool.shorten(arguments, summary);
            }
            if self.bytes() <= most {
                return self;
            }
        }
        while self.bytes() > most && self.tools.len() > 1 {
            self.tools.pop();
        }
        self
    }

    fn bytes(&self) -> usize {
        serde_json::to_string(self).map_or(0, |text| text.len())
    }
}

/// An answer as a model reads it: a line for each tool, and the call of the best.
pub(crate) fn text(output: &Value) -> String {
    let part = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let mut lines = Vec::new();
    for (at, tool) in output["tools"].as_array().into_iter().flatten().enumerate() {
        let mut line = format!("{}({})", part(&tool["name"]), part(&tool["arguments"]));
        if let Some(summary) = tool["summary"].as_str() {
            line += &format!(": {summary}");
        }
        if let Some(needs) = tool["needs"].as_str() {
            line += &format!(" [needs {needs}]");
        }
        lines.push(line);
        if let (0, Some(arguments)) = (at, output["call"].get("arguments")) {
            lines.push(format!("  such as {arguments}"));
        }
    }
    lines.extend(output["note"].as_str().map(|note| format!("Note: {note}.")));
    let shown = output["tools"].as_array().map_or(0, Vec::len);
    if let Some(total) = output["total"].as_u64().filter(|total| *total > shown as u64) {
        lines.push(format!("{shown} of {total}; `limit` lists more"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    fn found(name: &str) -> Found {
        Found {
            name: name.to_owned(),
            arguments: "scenePath, nodePath, properties, width?, height?, depth?".to_owned(),
            summary: Some(
                "Set what a node has, checked against its class and its script".to_owned(),
            ),
            needs: None,
        }
    }

    #[test]
    fn what_must_be_given_stays_and_texts_end_with_a_word() {
        let mut short = found("edit_node");
        short.shorten(35, 28);
        assert_eq!(short.arguments, "scenePath, nodePath, properties, …");
        assert_eq!(short.summary.as_deref(), Some("Set what a node has, checked…"));
        short.shorten(5, 0);
        assert_eq!(
            (&*short.arguments, short.summary),
            ("scenePath, nodePath, properties, …", None)
        );
    }

    #[test]
    fn an_answer_has_its_size_however_much_there_is_to_say() {
        let call = json!({ "tool": "a", "arguments": { "text": "x".repeat(200) } });
        for count in [1, 5, 20] {
            let tools =
                (0..count).map(|at| found(&format!("a_tool_with_a_long_name_{at}"))).collect();
            let call = call.as_object().cloned();
            let output = Output { total: count, tools, call, note: None }.fitted();
            assert!(output.bytes() <= BYTES.max(200 * count), "{count}: {}", output.bytes());
            assert_eq!(output.tools.len(), count);
        }
    }

    #[test]
    fn a_model_reads_lines() {
        let output = json!({
            "total": 2,
            "tools": [
                { "name": "edit_node", "arguments": "scenePath, nodePath", "summary": "Set properties" },
                { "name": "run_project", "arguments": "", "needs": "--allow-runs" },
            ],
            "call": { "tool": "edit_node", "arguments": { "nodePath": "." } },
            "note": "nothing does all of it",
        });
        expect![[r#"
            edit_node(scenePath, nodePath): Set properties
              such as {"nodePath":"."}
            run_project() [needs --allow-runs]
            Note: nothing does all of it."#]]
        .assert_eq(&text(&output));
    }
}
