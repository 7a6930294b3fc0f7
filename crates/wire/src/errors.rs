//! The one table of errors: a kind inside, a code for each dialect outside.

use scenewright_contract::{ErrorKind, ToolError};
use serde_json::{Value, json};

/// How one kind of error looks in every dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// The kind.
    pub kind: ErrorKind,
    /// EditorMCP: code and `data.errorType`.
    pub editor: (i32, &'static str),
    /// Unity Explorer: code, `data.kind` and HTTP status.
    pub explorer: (i32, &'static str, u16),
    /// The framed protocol's own methods.
    pub framed: i32,
    /// Standard MCP.
    pub mcp: McpForm,
}

/// How standard MCP says it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McpForm {
    /// A JSON-RPC error with this code.
    Error(i32),
    /// A tool result with `isError`, so that the model reads it.
    Result,
}

use ErrorKind as K;
use McpForm::{Error, Result};

/// Every kind in every dialect. MCP never gets a code of -32000…-32019 but the one it reserved
/// itself for missing resources; `rmcp` turns that into -32602 from 2026-07-28 on.
#[rustfmt::skip]
pub const TABLE: [Row; 17] = [
    row(K::Parse,            (-32700, "validation"), (-32700, "InvalidRequest",   400), -32700, Error(-32700)),
    row(K::InvalidRequest,   (-32600, "validation"), (-32600, "InvalidRequest",   400), -32600, Error(-32600)),
    row(K::MethodNotFound,   (-32601, "not_found"),  (-32601, "MethodNotFound",   400), -32601, Error(-32601)),
    row(K::BadEnvelope,      (-32602, "validation"), (-32602, "InvalidArgument",  400), -32602, Error(-32602)),
    row(K::UnknownTool,      (-32001, "not_found"),  (-32602, "InvalidArgument",  400), -32602, Error(-32602)),
    row(K::BadArguments,     (-32002, "validation"), (-32602, "InvalidArgument",  400), -32602, Result),
    row(K::ToolFailed,       (-32000, "execution"),  (-32603, "Internal",         500), -32603, Result),
    row(K::EngineError,      (-32004, "unity"),      (-32004, "NotFound",         404), -32603, Result),
    row(K::ResourceNotFound, (-32004, "unity"),      (-32004, "NotFound",         404), -32602, Error(-32002)),
    row(K::Timeout,          (-32003, "timeout"),    (-32603, "Internal",         500), -32603, Result),
    row(K::Denied,           (-32005, "permission"), (-32003, "PermissionDenied", 403), -32603, Result),
    row(K::ConfirmRequired,  (-32005, "permission"), (-32003, "PermissionDenied", 403), -32603, Result),
    row(K::RateLimited,      (-32000, "execution"),  (-32005, "RateLimited",      429), -32603, Result),
    row(K::NotReady,         (-32004, "unity"),      (-32002, "NotReady",         503), -32603, Result),
    row(K::AuthFailed,       (-32005, "permission"), (-32003, "PermissionDenied", 403),   1000, Error(-32603)),
    row(K::Cancelled,        (-32000, "execution"),  (-32603, "Internal",         500), -32603, Result),
    row(K::Internal,         (-32603, "execution"),  (-32603, "Internal",         500), -32603, Error(-32603)),
];

/// The framed protocol's code for a failed health check.
pub const HEALTH_CHECK_FAILED: i32 = 1001;

const fn row(
    kind: ErrorKind,
    editor: (i32, &'static str),
    explorer: (i32, &'static str, u16),
    framed: i32,
    mcp: McpForm,
) -> Row {
    Row { kind, editor, explorer, framed, mcp }
}

/// The row of `kind`.
pub fn of(kind: ErrorKind) -> &'static Row {
    TABLE.iter().find(|row| row.kind == kind).expect("the table has every kind; a test says so")
}

/// EditorMCP's message: spec 000 puts the kind in front of what the tool said.
pub(crate) fn editor_message(error: &ToolError) -> String {
    match error.kind {
        K::EngineError => format!("Unity Editor error: {}", error.message),
        K::ToolFailed => format!("Tool execution failed: {}", error.message),
        _ => error.message.clone(),
    }
}

/// EditorMCP's `error.data`.
pub(crate) fn editor_data(error: &ToolError) -> Value {
    let mut data = json!({});
    if let Some(tool) = &error.tool {
        data["tool"] = json!(tool);
    }
    data["errorType"] = json!(of(error.kind).editor.1);
    data["details"] = Value::Object((*error.details).clone());
    // What spec 000 says of the engine's own errors is all that they have.
    let is_whole = error.details.contains_key("unityError");
    if let Some(hint) = error.hint.as_ref().filter(|_| !is_whole) {
        data["hint"] = json!(hint);
    }
    data
}

/// Details longer than this are cut.
const MAX_DETAIL: usize = 4096;

/// An error as Unity Explorer says it.
#[derive(Debug, PartialEq)]
pub(crate) struct ExplorerError {
    /// The JSON-RPC code.
    pub(crate) code: i32,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The word for the kind.
    pub(crate) kind: &'static str,
    /// What went wrong.
    pub(crate) message: String,
    /// What to try next.
    pub(crate) hint: Option<String>,
    /// What exactly went wrong, where the message is the same for many causes.
    pub(crate) detail: Option<String>,
}

impl ExplorerError {
    /// The `error` member of an answer. The hint is always there, if only as `null`.
    pub(crate) fn to_json(&self) -> Value {
        let mut data = json!({ "kind": self.kind, "hint": self.hint });
        if let Some(detail) = &self.detail {
            data["detail"] = json!(detail);
        }
        json!({ "code": self.code, "message": self.message, "data": data })
    }
}

/// `error` in the words of Unity Explorer, which has fixed ones for some causes.
pub(crate) fn explorer(error: &ToolError) -> ExplorerError {
    let (code, kind, status) = of(error.kind).explorer;
    let mut said = ExplorerError {
        code,
        status,
        kind,
        message: error.message.clone(),
        // Of what is not there the interface says no more; models are told what is there instead.
        hint: error.hint.clone().filter(|_| !error.details.contains_key("there")),
        detail: None,
    };
    match error.kind {
        K::Parse => {
            let problem = error.message.trim_start_matches("Parse error").trim_start_matches(": ");
            said.detail = Some(cut(problem));
            said.message = "Parse error".to_owned();
        }
        K::BadArguments => {
            let problem = error.message.strip_prefix("Invalid tool arguments: ");
            said.message = problem.unwrap_or(&error.message).to_owned();
        }
        K::ConfirmRequired => {
            said.message = "Confirmation required".to_owned();
            // Where a person has to agree, no argument stands for their word.
            if !error.details.contains_key("setting") {
                said.hint = Some("resend with confirm=true".to_owned());
            }
        }
        K::Denied => match error.details.get("setting").and_then(Value::as_str) {
            Some("allow-writes") => said.message = "Writes disabled".to_owned(),
            Some("console") => said.message = "ConsoleEval disabled by config".to_owned(),
            _ => {}
        },
        _ if kind == "Internal" => {
            said.detail = Some(cut(&error.message));
            said.message = "Internal error".to_owned();
        }
        _ => {}
    }
    said
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_DETAIL) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn every_kind_has_exactly_one_row() {
        for kind in ErrorKind::ALL {
            assert_eq!(TABLE.iter().filter(|row| row.kind == kind).count(), 1, "{kind:?}");
        }
    }

    #[test]
    fn standard_mcp_never_sees_codes_that_are_reserved() {
        for row in TABLE {
            if let McpForm::Error(code) = row.mcp {
                let reserved = (-32099..=-32000).contains(&code);
                assert!(!reserved || row.kind == K::ResourceNotFound, "{row:?}");
            }
        }
    }

    #[test]
    fn unity_explorer_has_words_of_its_own() {
        let said = |error: ToolError| explorer(&error).to_json().to_string();
        expect![[r#"{"code":-32700,"message":"Parse error","data":{"kind":"InvalidRequest","hint":null,"detail":"EOF"}}"#]]
            .assert_eq(&said(ToolError::new(K::Parse, "Parse error: EOF")));
        expect![[r#"{"code":-32603,"message":"Internal error","data":{"kind":"Internal","hint":null,"detail":"no disk"}}"#]]
            .assert_eq(&said(ToolError::failed("no disk")));
        expect![[r#"{"code":-32003,"message":"Confirmation required","data":{"kind":"PermissionDenied","hint":"resend with confirm=true"}}"#]]
            .assert_eq(&said(ToolError::new(K::ConfirmRequired, "Run it?")));
        let person = ToolError::new(K::ConfirmRequired, "Run it?").hint("ask them");
        expect![[r#"{"code":-32003,"message":"Confirmation required","data":{"kind":"PermissionDenied","hint":"ask them"}}"#]]
            .assert_eq(&said(person.detail("setting", "require-confirm")));
        let denied = ToolError::new(K::Denied, "read-only").detail("setting", "allow-writes");
        expect![[r#"{"code":-32003,"message":"Writes disabled","data":{"kind":"PermissionDenied","hint":null}}"#]]
            .assert_eq(&said(denied));
        let no_code = ToolError::new(K::Denied, "x runs code").detail("setting", "console");
        assert_eq!(explorer(&no_code).message, "ConsoleEval disabled by config");
        let long = explorer(&ToolError::failed("ä".repeat(MAX_DETAIL + 1)));
        assert_eq!(long.detail, Some(format!("{}...", "ä".repeat(MAX_DETAIL))));
    }

    #[test]
    fn the_table_reads_as_agreed() {
        let text: String = TABLE
            .iter()
            .map(|row| {
                let mcp = match row.mcp {
                    McpForm::Error(code) => code.to_string(),
                    McpForm::Result => "isError".to_owned(),
                };
                let (editor, error_type) = row.editor;
                let (explorer, kind, status) = row.explorer;
                format!(
                    "{:18} {editor} {error_type:10} | {explorer} {kind} {status} | {} | {mcp}\n",
                    row.kind.as_str(),
                    row.framed
                )
            })
            .collect();
        expect![[r#"
            parse              -32700 validation | -32700 InvalidRequest 400 | -32700 | -32700
            invalid_request    -32600 validation | -32600 InvalidRequest 400 | -32600 | -32600
            method_not_found   -32601 not_found  | -32601 MethodNotFound 400 | -32601 | -32601
            bad_envelope       -32602 validation | -32602 InvalidArgument 400 | -32602 | -32602
            unknown_tool       -32001 not_found  | -32602 InvalidArgument 400 | -32602 | -32602
            bad_arguments      -32002 validation | -32602 InvalidArgument 400 | -32602 | isError
            tool_failed        -32000 execution  | -32603 Internal 500 | -32603 | isError
            engine_error       -32004 unity      | -32004 NotFound 404 | -32603 | isError
            resource_not_found -32004 unity      | -32004 NotFound 404 | -32602 | -32002
            timeout            -32003 timeout    | -32603 Internal 500 | -32603 | isError
            denied             -32005 permission | -32003 PermissionDenied 403 | -32603 | isError
            confirm_required   -32005 permission | -32003 PermissionDenied 403 | -32603 | isError
            rate_limited       -32000 execution  | -32005 RateLimited 429 | -32603 | isError
            not_ready          -32004 unity      | -32002 NotReady 503 | -32603 | isError
            auth_failed        -32005 permission | -32003 PermissionDenied 403 | 1000 | -32603
            cancelled          -32000 execution  | -32603 Internal 500 | -32603 | isError
            internal           -32603 execution  | -32603 Internal 500 | -32603 | -32603
        "#]]
        .assert_eq(&text);
    }
}
