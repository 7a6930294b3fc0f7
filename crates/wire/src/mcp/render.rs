//! Our definitions and outcomes in MCP's shapes.

use std::sync::Arc;

use rmcp::model as m;
use scenewright_contract::echo::brief;
use scenewright_contract::prompt::PromptInfo;
use scenewright_contract::resource::{ResourceInfo, TemplateInfo};
use scenewright_contract::{
    ErrorKind, JsonMap, Outcome, Runs, Safety, ToolError, ToolInfo, bounds,
};
use serde_json::{Value, json};

use crate::errors::{self, McpForm};
use crate::mcp::{mirror, protocol_error};

/// The key under which a list entry says its category; `_meta` keys carry our name.
const CATEGORY: &str = "scenewright/category";
/// Said of tools that start an engine or code of the project.
const RUNS: &str = "scenewright/runs";
const DIAGNOSTICS: &str = "scenewright/diagnostics";
const ERROR: &str = "scenewright/error";

/// A tool as `tools/list` shows it.
pub(crate) fn tool(tool: &ToolInfo) -> m::Tool {
    let description = match tool.notes {
        Some(notes) => format!("{}\n\n{notes}", tool.words.description),
        None => tool.words.description.clone(),
    };
    let annotations = m::ToolAnnotations::from_raw(
        Some(tool.title.to_owned()),
        Some(tool.safety == Safety::ReadOnly && tool.runs == Runs::No),
        Some(tool.safety == Safety::Destructive && tool.runs != Runs::Only),
        Some(tool.idempotent),
        // Projects are a closed world: no tool reaches beyond them and this machine.
        Some(false),
    );
    let mut meta = JsonMap::from_iter([(CATEGORY.to_owned(), json!(tool.category))]);
    if tool.runs != Runs::No {
        meta.insert(RUNS.to_owned(), json!(true));
    }
    let mut input = bounds::unsaid(&tool.words.input);
    // Clients of spec 004 read the list without asking whether it is there.
    input.entry("required").or_insert_with(|| json!([]));
    m::Tool::new(tool.mcp_name.clone(), description, Arc::new(input))
        .with_title(tool.title)
        .with_raw_output_schema(Arc::new(tool.words.output.clone()))
        .with_annotations(annotations)
        .with_meta(m::MetaObject(meta))
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

/// What a tool gave back: structured, and the same JSON as text for clients that read only that.
/// The first is in its place when the message is bytes; see [`mirror`].
pub(crate) fn outcome(outcome: Outcome) -> m::CallToolResult {
    let mut content = vec![m::ContentBlock::text(outcome.output.into_text())];
    let mut meta = None;
    if !outcome.diagnostics.is_empty() {
        content.push(m::ContentBlock::text(outcome.diagnostics.join("\n")));
        let diagnostics = (DIAGNOSTICS.to_owned(), json!(outcome.diagnostics));
        meta = Some(m::MetaObject(JsonMap::from_iter([diagnostics])));
    }
    let mut result = m::CallToolResult::success(content);
    result.structured_content = Some(mirror::PLACE);
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
) -> Result<m::CallToolResult, rmcp::ErrorData> {
    let error = match result {
        Ok(given) => return Ok(outcome(given)),
        Err(error) => with_search_hint(error),
    };
    // A tool that was called did not find another one: that is for the model, which named it.
    let inside =
        error.kind == ErrorKind::UnknownTool && error.tool.as_deref() != Some(&*brief(tool));
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
