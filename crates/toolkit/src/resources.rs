//! What can be read by URI: whatever the packs provide, and what their readers share.

use std::sync::Arc;

use scenewright_contract::echo::{MAX_URI, brief};
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{Call, ErrorKind, JsonMap, ToolError};
use serde_json::Value;

use crate::Runner;

/// The media type of most resources.
pub const JSON: &str = "application/json";

/// Every resource with a fixed URI, pack by pack.
pub fn list(runner: &Runner) -> Vec<ResourceInfo> {
    runner.packs().flat_map(|pack| pack.resources(runner)).collect()
}

/// Read the resource at `uri`. The facts come from the same tools that clients call.
pub fn read(runner: &Arc<Runner>, uri: &str) -> Result<ResourceText, ToolError> {
    let known = match uri.len() > MAX_URI {
        true => None,
        false => runner.packs().find_map(|pack| pack.read(runner, uri)),
    };
    known.unwrap_or_else(|| {
        let error = ToolError::new(ErrorKind::ResourceNotFound, "no such resource");
        let hint = "resources/list and resources/templates/list name them";
        Err(missing(uri, error.hint(hint)))
    })
}

/// A family of resources.
pub const fn template(
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    mime: &'static str,
) -> TemplateInfo {
    TemplateInfo { uri, name, title, description, mime }
}

/// A value as the text of a resource.
pub fn json(uri: &str, value: &Value) -> ResourceText {
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    ResourceText { uri: uri.to_owned(), mime: JSON, text }
}

/// What a tool answers, for a resource that shows it.
pub fn run(runner: &Arc<Runner>, tool: &str, arguments: JsonMap) -> Result<Value, ToolError> {
    // Whoever reads the resource has been counted already.
    Ok(runner.admit_nested(Call::new(tool, arguments))?.run()?.output.into_value())
}

/// The error of a tool as that of a resource: what it did not find is not there.
pub fn missing(uri: &str, error: ToolError) -> ToolError {
    match error.kind {
        ErrorKind::EngineError | ErrorKind::UnknownTool | ErrorKind::ResourceNotFound => {
            let uri = &*brief(uri);
            ToolError {
                kind: ErrorKind::ResourceNotFound,
                message: format!("Resource not found: {uri}"),
                ..error
            }
            .detail("uri", uri)
        }
        _ => error,
    }
}

/// Undo percent-encoding; what is not valid stays as it is.
pub fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_escapes_are_undone() {
        assert_eq!(decode("My%20Game"), "My Game");
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%ff"), "%zz%ff");
    }
}
