//! Our definitions and outcomes in MCP's shapes.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model as m;
use scenewright_contract::echo;
use scenewright_contract::prompt::PromptInfo;
use scenewright_contract::resource::{ResourceInfo, TemplateInfo};
use scenewright_contract::{
    ErrorKind, Image, JsonMap, Outcome, Output, Runs, Safety, ToolError, ToolInfo, bounds,
};
use serde_json::{Value, json};

use crate::errors::{self, McpForm};
use crate::mcp::{brief, mirror, protocol_error};

/// Said of tools that start an engine or code of the project; `_meta` keys carry our name.
const RUNS: &str = "scenewright/runs";
/// Arguments that many tools have and that say themselves what they are.
const KNOWN: [&str; 4] = ["project", "projectPath", "dryRun", "confirm"];
const DIAGNOSTICS: &str = "scenewright/diagnostics";
const ERROR: &str = "scenewright/error";

/// A tool as `tools/list` shows it. A model reads every byte of that before it does anything, so that
/// what `mcp_tool_describe` has on request is left out: outputs, caveats, categories.
pub(crate) fn tool(tool: &ToolInfo) -> m::Tool {
    let reads = tool.safety == Safety::ReadOnly && tool.runs == Runs::No;
    let is_destructive = tool.safety == Safety::Destructive && tool.runs != Runs::Only;
    let annotations = m::ToolAnnotations::from_raw(
        None,
        Some(reads),
        // Of what only reads, the others go without saying.
        (!reads).then_some(is_destructive),
        (!reads).then_some(tool.idempotent),
        // Projects are a closed world: no tool reaches beyond them and this machine.
        Some(false),
    );
    let mut input = bounds::short(&tool.words.input);
    if let Some(Value::Object(arguments)) = input.get_mut("properties") {
        for name in KNOWN {
            let known = arguments.get_mut(name).and_then(Value::as_object_mut);
            known.and_then(|known| known.shift_remove("description"));
        }
    }
    // Clients of spec 004 read the list without asking whether it is there.
    input.entry("required").or_insert_with(|| json!([]));
    let rendered =
        m::Tool::new(tool.mcp_name.clone(), tool.words.description.clone(), Arc::new(input))
            .with_title(tool.title)
            .with_annotations(annotations);
    match tool.runs {
        Runs::No => rendered,
        _ => {
            rendered.with_meta(m::MetaObject(JsonMap::from_iter([(RUNS.to_owned(), json!(true))])))
        }
    }
}

/// A resource as `resources/list` shows it.
pub(crate) fn resource(resource: ResourceInfo) -> m::Resource {
    m::Resource::new(resource.uri, resource.name)
        .with_title(resource.title)
        .with_description(resource.description)
        .with_mime_type(resource.mime)
}

/// A template as `resources/templates/list` shows it.
pub(crate) fn template(template: &TemplateInfo) -> m::ResourceTemplate {
    m::ResourceTemplate::new(template.uri, template.name)
        .with_title(template.title)
        .with_description(template.description)
        .with_mime_type(template.mime)
}

/// A prompt as `prompts/list` shows it.
pub(crate) fn prompt(prompt: &PromptInfo) -> m::Prompt {
    let arguments = prompt.arguments.iter().map(|argument| {
        m::PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(argument.required)
    });
    m::Prompt::new(prompt.name, Some(prompt.description), Some(arguments.collect()))
        .with_title(prompt.title)
}

/// How much of an output is said as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Texts {
    /// A few lines; the data is structured.
    Brief,
    /// All of it, beside the structured data: for clients that may read only one of them.
    Both,
    /// All of it, beside a picture.
    Only,
}

/// Clients that let a model read only texts, by the names that they give themselves: Zed, Cline and
/// Gemini CLI, and what stands on the Python package without a name of its own (the OpenAI Agents SDK,
/// LangChain's adapters), where structured data is for the program.
const READ_ONLY_TEXTS: [&str; 4] = ["zed", "cline", "gemini-cli-mcp-client", "mcp"];

impl Texts {
    /// The first version with structured data.
    const STRUCTURED: &str = "2025-06-18";

    /// What a client of this name reads at least.
    pub(crate) fn for_client(self, name: &str) -> Self {
        let name = name.to_ascii_lowercase();
        // Gemini CLI appends the name of the server.
        let reads_only_texts =
            READ_ONLY_TEXTS.contains(&&*name) || name.starts_with("gemini-cli-mcp-client-");
        match self {
            Self::Brief if reads_only_texts => Self::Both,
            texts => texts,
        }
    }

    /// What a client of this version reads.
    pub(crate) fn of_version(version: Option<&str>) -> Self {
        match version {
            Some(version) if version >= Self::STRUCTURED => Self::Brief,
            // Who says no version over HTTP counts as one of an older one, and may be of any.
            _ => Self::Both,
        }
    }
}

/// What a tool gave back. Where the data is said twice, the second one is put in its place when the
/// message is bytes; see [`mirror`]. Remarks are in the data as well: many clients give a model nothing
/// else. A picture comes with the text alone: clients that find something structured do not look at
/// the rest.
pub(crate) fn outcome(outcome: Outcome, texts: Texts) -> m::CallToolResult {
    let texts = if outcome.images.is_empty() { texts } else { Texts::Only };
    let notes = &outcome.diagnostics;
    let (text, structured) = match texts {
        Texts::Brief => {
            let value = outcome.output.into_value();
            let text = brief::of(&value);
            (text, Some(Output::from(value).with_notes(notes).into_value()))
        }
        Texts::Both => (outcome.output.with_notes(notes).into_text(), Some(mirror::PLACE)),
        Texts::Only => (outcome.output.into_text(), None),
    };
    let mut content = vec![m::ContentBlock::text(text)];
    content.extend(
        outcome.images.into_iter().map(|Image { mime, bytes }| {
            m::ContentBlock::image(BASE64_STANDARD.encode(bytes), mime)
        }),
    );
    let mut meta = None;
    if !outcome.diagnostics.is_empty() {
        content.push(m::ContentBlock::text(outcome.diagnostics.join("\n")));
        let diagnostics = (DIAGNOSTICS.to_owned(), json!(outcome.diagnostics));
        meta = Some(m::MetaObject(JsonMap::from_iter([diagnostics])));
    }
    let mut result = m::CallToolResult::success(content);
    result.structured_content = structured;
    result.meta = meta;
    result
}

/// Why a tool gave nothing back, for the model to read. No structured content: it would have to
/// fit the output schema.
pub(crate) fn failure(error: &ToolError) -> m::CallToolResult {
    let mut result = m::CallToolResult::error(vec![m::ContentBlock::text(error.text())]);
    let mut said = json!({ "kind": error.kind.as_str() });
    if !error.details.is_empty() {
        said["details"] = Value::Object((*error.details).clone());
    }
    result.meta = Some(m::MetaObject(JsonMap::from_iter([(ERROR.to_owned(), said)])));
    result
}

/// What came of a call of `tool`: a result for the model to read, or a protocol error.
pub(crate) fn response(
    tool: &str,
    result: Result<Outcome, ToolError>,
    texts: Texts,
) -> Result<m::CallToolResult, rmcp::ErrorData> {
    let error = match result {
        Ok(given) => return Ok(outcome(given, texts)),
        Err(error) => with_search_hint(error),
    };
    // A tool that was called did not find another one: that is for the model, which named it.
    let inside =
        error.kind == ErrorKind::UnknownTool && error.tool.as_deref() != Some(&*echo::brief(tool));
    match errors::of(error.kind).mcp {
        McpForm::Error(_) if !inside => Err(protocol_error(&error)),
        _ => Ok(failure(&error)),
    }
}

/// A model that names a tool wrongly needs to know where the right names are.
fn with_search_hint(error: ToolError) -> ToolError {
    match (error.kind, &error.hint) {
        (ErrorKind::UnknownTool, None) => error.hint("tools_search finds tools by words"),
        _ => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_reads_only_texts_is_told_all_in_them() {
        let texts = |version, name| Texts::of_version(Some(version)).for_client(name);
        for name in ["Zed", "Cline", "mcp", "gemini-cli-mcp-client", "gemini-cli-mcp-client-keep"] {
            assert_eq!(texts("2025-11-25", name), Texts::Both, "{name}");
        }
        for name in ["claude-code", "mcp-inspector", "zedd", ""] {
            assert_eq!(texts("2025-06-18", name), Texts::Brief, "{name}");
        }
        // Older ones know nothing structured, whoever they are.
        for version in ["2024-11-05", "2025-03-26"] {
            assert_eq!(texts(version, "claude-code"), Texts::Both, "{version}");
        }
    }

    #[test]
    fn a_picture_comes_with_a_text_and_with_nothing_structured() {
        let given = Outcome {
            output: json!({ "width": 2 }).into(),
            images: vec![Image { mime: "image/png", bytes: b"\x89PNG".to_vec() }],
            diagnostics: vec!["small".to_owned()],
            ..Outcome::default()
        };
        let shown = serde_json::to_value(outcome(given.clone(), Texts::Brief)).unwrap();
        let expected = json!([
            { "type": "text", "text": r#"{"width":2}"# },
            { "type": "image", "data": "iVBORw==", "mimeType": "image/png" },
            { "type": "text", "text": "small" },
        ]);
        assert_eq!(shown["content"], expected);
        assert_eq!(shown.get("structuredContent"), None);
        let plain = outcome(Outcome { images: Vec::new(), ..given }, Texts::Both);
        assert_eq!(plain.structured_content, Some(mirror::PLACE));
    }

    #[test]
    fn who_reads_only_the_data_is_told_the_remarks() {
        let given = Outcome {
            output: json!({ "width": 2 }).into(),
            diagnostics: vec!["rename the class as well".to_owned()],
            ..Outcome::default()
        };
        let brief = serde_json::to_value(outcome(given.clone(), Texts::Brief)).unwrap();
        let data = json!({ "width": 2, "notes": ["rename the class as well"] });
        assert_eq!(brief["structuredContent"], data);
        assert_eq!(brief["content"][0]["text"], r#"{"width":2}"#);
        assert_eq!(brief["content"][1]["text"], "rename the class as well");
        let both = serde_json::to_value(outcome(given, Texts::Both)).unwrap();
        assert_eq!(both["content"][0]["text"], data.to_string());
    }
}
