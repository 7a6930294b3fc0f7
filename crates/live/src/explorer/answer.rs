//! What a host answered, in our words.

use scenewright_contract::{ErrorKind, ToolError};
use serde_json::Value;

use super::Address;

/// What a tool gave back. A refusal inside a result is an error like any other.
pub(super) fn of_tool(address: &Address, tool: &str, answer: Value) -> Result<Value, ToolError> {
    let mut result = result(address, answer).map_err(|error| about(address, tool, error))?;
    let json = result.pointer_mut("/content/0/json").map(Value::take);
    let output = match json.unwrap_or_default() {
        Value::Null => parsed(&result["content"][0]["text"]),
        json => json,
    };
    if output.is_null() {
        return Err(unreadable(address));
    }
    if output.get("ok") == Some(&Value::Bool(false)) {
        let error = &output["error"];
        let kind = error["kind"].as_str().unwrap_or_default();
        let refusal = failed(address, kind, text(&error["message"]), text(&error["hint"]));
        return Err(about(address, tool, refusal));
    }
    Ok(output)
}

/// What a resource holds.
pub(super) fn of_resource(address: &Address, answer: Value) -> Result<Value, ToolError> {
    let result = result(address, answer).map_err(|error| match error.message.as_str() {
        "resource not supported" => ToolError { kind: ErrorKind::ResourceNotFound, ..error },
        _ => error,
    })?;
    match parsed(&result["contents"][0]["text"]) {
        Value::Null => Err(unreadable(address)),
        value => Ok(value),
    }
}

/// The result of an answer, or its error.
fn result(address: &Address, mut answer: Value) -> Result<Value, ToolError> {
    let error = &answer["error"];
    if error.is_null() {
        return Ok(answer.get_mut("result").map(Value::take).unwrap_or_default());
    }
    let kind = match (error["data"]["kind"].as_str(), error["code"].as_i64()) {
        (Some(kind), _) => kind,
        (None, Some(code)) => kind_of_code(code),
        (None, None) => "",
    };
    // Where the message is the same for many causes, the detail has the cause.
    let message = text(&error["data"]["detail"]).filter(|_| kind == "Internal");
    let message = message.or_else(|| text(&error["message"]));
    Err(failed(address, kind, message, text(&error["data"]["hint"])))
}

/// An error of the host, by the word that it has for its kind: the inverse of what our own server
/// says to clients of this interface.
fn failed(
    address: &Address,
    kind: &str,
    message: Option<String>,
    hint: Option<String>,
) -> ToolError {
    let message = message.unwrap_or_else(|| "The host gave no reason".to_owned());
    let kind = match kind {
        "NotReady" => ErrorKind::NotReady,
        "PermissionDenied" if message == "Confirmation required" => ErrorKind::ConfirmRequired,
        "PermissionDenied" => ErrorKind::Denied,
        "NotFound" => ErrorKind::EngineError,
        "RateLimited" => ErrorKind::RateLimited,
        "InvalidArgument" => ErrorKind::BadArguments,
        _ => ErrorKind::ToolFailed,
    };
    let mut error = ToolError::new(kind, message).detail("host", address.to_string());
    error.hint = hint;
    error
}

/// There is nobody to ask.
pub(super) fn away(address: Option<&Address>, problem: &str) -> ToolError {
    let (message, hint) = match address {
        Some(address) => (
            format!("The Unity Explorer host at {address} does not answer: {problem}"),
            "start the game, or serve without --attach to use the project's own files",
        ),
        None => (
            format!("No Unity Explorer host was found: {problem}"),
            "start the game, or name its address with --attach http://HOST:PORT",
        ),
    };
    let error = ToolError::new(ErrorKind::NotReady, message).hint(hint);
    match address {
        Some(address) => error.detail("host", address.to_string()),
        None => error,
    }
}

/// What a host says that wants the word of whoever calls.
const BY_ARGUMENT: &str = "resend with confirm=true";

/// Say what the host left out because its own clients know whom they asked for what.
fn about(address: &Address, tool: &str, error: ToolError) -> ToolError {
    if error.kind == ErrorKind::ConfirmRequired {
        let message = format!("{tool} changes what runs at {address}, which asks first. Run it?");
        // A host that asks a person says itself how they agree.
        if error.hint.as_deref().is_some_and(|hint| hint != BY_ARGUMENT) {
            return ToolError { message, ..error };
        }
        let hint = "ask the person you work for, then call again with `confirm: true`";
        return ToolError { message, ..error }.hint(hint);
    }
    if !error.message.starts_with("Tool not found") {
        return error;
    }
    let message = format!("The Unity Explorer host at {address} has no tool {tool}");
    ToolError::new(ErrorKind::EngineError, message)
        .hint("it is another version; without --attach the tool works on the project's own files")
        .detail("host", address.to_string())
}

fn unreadable(address: &Address) -> ToolError {
    let message = format!("The Unity Explorer host at {address} gave an answer without content");
    ToolError::failed(message).detail("host", address.to_string())
}

fn kind_of_code(code: i64) -> &'static str {
    match code {
        -32002 => "NotReady",
        -32003 => "PermissionDenied",
        -32004 => "NotFound",
        -32005 => "RateLimited",
        -32602 => "InvalidArgument",
        _ => "Internal",
    }
}

fn parsed(text: &Value) -> Value {
    text.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

fn text(value: &Value) -> Option<String> {
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use super::*;

    fn check(answer: Value, expected: &Expect) {
        let address = "http://127.0.0.1:1".parse().unwrap();
        let said = match of_tool(&address, "SaveScene", answer) {
            Ok(output) => output.to_string(),
            Err(error) => format!("{}: {error}", error.kind.as_str()),
        };
        expected.assert_eq(&said);
    }

    fn error(code: i64, message: &str, data: Value) -> Value {
        json!({ "error": { "code": code, "message": message, "data": data } })
    }

    #[test]
    fn outputs_are_found_in_either_member() {
        let content = json!({ "type": "text", "text": "{\"a\":1}", "json": { "a": 1 } });
        check(json!({ "result": { "content": [content] } }), &expect![[r#"{"a":1}"#]]);
        let content = json!({ "type": "text", "text": "{\"a\":1}" });
        check(json!({ "result": { "content": [content] } }), &expect![[r#"{"a":1}"#]]);
        check(
            json!({ "result": 7 }),
            &expect![
                "tool_failed: The Unity Explorer host at http://127.0.0.1:1/ gave an answer without content"
            ],
        );
        check(
            json!({ "result": { "content": [] } }),
            &expect![
                "tool_failed: The Unity Explorer host at http://127.0.0.1:1/ gave an answer without content"
            ],
        );
    }

    #[test]
    fn errors_keep_their_kind() {
        check(
            error(-32004, "Not found", json!({ "kind": "NotFound", "hint": null })),
            &expect!["engine_error: Not found"],
        );
        check(
            error(-32603, "Internal error", json!({ "kind": "Internal", "detail": "no disk" })),
            &expect!["tool_failed: no disk"],
        );
        check(error(-32005, "Slow down", Value::Null), &expect!["rate_limited: Slow down"]);
        let refusal = json!({ "ok": false, "error": {
            "kind": "PermissionDenied", "message": "Confirmation required", "hint": "resend with confirm=true",
        } });
        check(
            json!({ "result": { "content": [{ "json": refusal }] } }),
            &expect![[r#"
                confirm_required: SaveScene changes what runs at http://127.0.0.1:1/, which asks first. Run it?
                Try: ask the person you work for, then call again with `confirm: true`"#]],
        );
    }

    #[test]
    fn a_tool_that_the_host_has_not_is_said() {
        let expected = expect![[r#"
            engine_error: The Unity Explorer host at http://127.0.0.1:1/ has no tool SaveScene
            Try: it is another version; without --attach the tool works on the project's own files"#]];
        for (code, kind) in [(-32602, "InvalidArgument"), (-32004, "NotFound")] {
            let data = json!({ "kind": kind, "hint": null });
            check(error(code, "Tool not found: SaveScene", data), &expected);
        }
    }
}
