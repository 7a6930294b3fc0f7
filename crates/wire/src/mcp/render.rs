//! Our definitions and outcomes in MCP's shapes.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rmcp::model as m;
use scenewright_contract::echo;
use scenewright_contract::prompt::PromptInfo;
use scenewright_contract::resource::{ResourceInfo, TemplateInfo};
use scenewright_contract::{
    ErrorKind, Image, JsonMap, Outcome, Runs, Safety, ToolError, ToolInfo, bounds,
};
use serde_json::{Value, json};

use crate::errors::{self, McpForm};
use crate::mcp::protocol_error;

/// Said of tools that start an engine or code of the project; `_meta` keys carry our name.
const RUNS: &str = "scenewright/runs";
/// Arguments that many tools have and that say themselves what they are.
const KNOWN: [&str; 4] = ["project", "projectPath", "dryRun", "confirm"];
/// Where an answer goes on, in the next call.
const CURSOR: &str = "cursor";
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
        if tool.safety == Safety::ReadOnly {
            list_cursor(arguments);
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

/// Every long answer goes on with a cursor. Clients that hold their model to the list would leave it out of the call, and
/// the model would read the first page again.
fn list_cursor(arguments: &mut JsonMap) {
    let is_of_project = KNOWN[..2].iter().any(|name| arguments.contains_key(*name));
    if !is_of_project || arguments.len() == 1 {
        // Short, or passed on to a tool with arguments of its own.
        return;
    }
    match arguments.get_mut(CURSOR) {
        Some(own) if own["type"] == "integer" => own["type"] = json!(["integer", "string"]),
        Some(_) => {}
        None => drop(arguments.insert(CURSOR.to_owned(), json!({ "type": "string" }))),
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

/// What a tool gave back, as one text block that has all of it. A client without a text of its own (frames, which carry
/// programs) gets the data as JSON. `structuredContent` and remarks in `_meta` are only for those that ask for data: a
/// client that shows its model the whole result would say everything twice.
pub(crate) fn outcome(outcome: Outcome) -> m::CallToolResult {
    let Outcome { output, text, diagnostics, images, wants_data, .. } = outcome;
    let (text, structured) = match (text, wants_data) {
        (Some(text), true) => (text, Some(output.with_notes(&diagnostics).into_value())),
        (Some(text), false) => (text, None),
        (None, _) => (output.with_notes(&diagnostics).into_text(), None),
    };
    let mut content = vec![m::ContentBlock::text(text)];
    content.extend(
        images.into_iter().map(|Image { mime, bytes }| {
            m::ContentBlock::image(BASE64_STANDARD.encode(bytes), mime)
        }),
    );
    let mut result = m::CallToolResult::success(content);
    if structured.is_some() && !diagnostics.is_empty() {
        let diagnostics = (DIAGNOSTICS.to_owned(), json!(diagnostics));
        result.meta = Some(m::MetaObject(JsonMap::from_iter([diagnostics])));
    }
    result.structured_content = structured;
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

    fn small_picture() -> Outcome {
        Outcome {
            output: json!({ "width": 2 }).into(),
            text: Some("width: 2\nnote: small".to_owned()),
            images: vec![Image { mime: "image/png", bytes: b"\x89PNG".to_vec() }],
            diagnostics: vec!["small".to_owned()],
            ..Outcome::default()
        }
    }

    #[test]
    fn what_asks_a_project_for_much_lists_a_cursor() {
        let text = json!({ "type": "string" });
        for (own, listed) in [
            (json!({ "project": text, "pattern": text }), Some(text.clone())),
            (json!({ "query": text, "limit": {} }), None),
            (json!({ "project": text }), None),
            (
                json!({ "projectPath": text, "cursor": { "type": "integer" } }),
                Some(json!({ "type": ["integer", "string"] })),
            ),
        ] {
            let mut arguments = serde_json::from_value(own).unwrap();
            list_cursor(&mut arguments);
            assert_eq!(arguments.get(CURSOR), listed.as_ref());
        }
    }

    #[test]
    fn the_text_is_the_whole_answer_once() {
        let shown = serde_json::to_value(outcome(small_picture())).unwrap();
        let expected = json!([
            { "type": "text", "text": "width: 2\nnote: small" },
            { "type": "image", "data": "iVBORw==", "mimeType": "image/png" },
        ]);
        assert_eq!(shown["content"], expected);
        assert_eq!((shown.get("structuredContent"), shown.get("_meta")), (None, None));
    }

    #[test]
    fn a_program_that_asks_for_data_gets_it_with_the_remarks() {
        let given = Outcome { wants_data: true, ..small_picture() };
        let shown = serde_json::to_value(outcome(given)).unwrap();
        assert_eq!(shown["content"][0]["text"], "width: 2\nnote: small");
        assert_eq!(shown["structuredContent"], json!({ "width": 2, "notes": ["small"] }));
        assert_eq!(shown["_meta"], json!({ DIAGNOSTICS: ["small"] }));
    }

    #[test]
    fn without_a_text_the_data_is_json() {
        let shown = outcome(Outcome { text: None, ..small_picture() });
        let shown = serde_json::to_value(shown).unwrap();
        assert_eq!(shown["content"][0]["text"], r#"{"width":2,"notes":["small"]}"#);
        assert_eq!(shown.get("structuredContent"), None);
    }
}
