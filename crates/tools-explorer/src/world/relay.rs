//! Passing the Explorer interface on to a running host. What the host does not answer is not
//! answered: the own world never stands in for it unsaid.

use std::time::UNIX_EPOCH;

use scenewright_contract::{
    ErrorKind, ExplorerLink, JsonMap, Limits, LinkStatus, Output, Safety, ToolError,
};
use scenewright_toolkit::{Cx, Tool};
use scenewright_world::log::Line;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::{WorldHolder, cards};
use crate::explorer::VERSION;

/// The tool, and the end of the resource's URI, that tell how the world is.
const STATUS: (&str, &str) = ("GetStatus", "status");

/// Run a tool of the interface at the host.
pub(crate) fn run(
    world: &WorldHolder,
    tool: &Tool,
    cx: &Cx,
    arguments: Value,
) -> Result<Output, ToolError> {
    let (Some(link), Some(name)) = (world.link(), tool.explorer) else {
        return (tool.call)(cx, arguments);
    };
    let mut arguments = match arguments {
        Value::Object(arguments) => arguments,
        _ => JsonMap::new(),
    };
    // The policy took it out of the arguments; the host has a policy of its own.
    if cx.is_confirmed() && tool.safety != Safety::ReadOnly {
        arguments.insert("confirm".to_owned(), Value::Bool(true));
    }
    // The host takes them as text.
    for key in ["jsonValue", "argsJson"] {
        if let Some(value) = arguments.get_mut(key).filter(|value| !value.is_string()) {
            *value = Value::String(value.to_string());
        }
    }
    let answer = link.call(name, arguments, cx.timeout(), cx.cancel());
    let answer = if name == STATUS.0 { status(link, answer) } else { answer };
    answer.map(Into::into)
}

/// Read a resource of the host.
pub(crate) fn read(link: &dyn ExplorerLink, uri: &str) -> Result<Value, ToolError> {
    let answer = link.read(uri, Limits::DEFAULT.timeout);
    let end = uri.strip_prefix("unity://").unwrap_or(uri);
    let end = end.split('?').next().unwrap_or_default().trim_matches('/');
    if end.eq_ignore_ascii_case(STATUS.1) { status(link, answer) } else { answer }
}

/// A line of the log about the link.
pub(super) fn line(level: &'static str, message: String) -> Value {
    let category = Some("host".to_owned());
    cards::log_event(&Line { time: super::now(), level, message, source: "scenewright", category })
}

/// The host of a server that is attached to one.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct HostCard {
    /// Where it is; null while none is found.
    url: Option<String>,
    /// Whether it answers.
    connected: bool,
    /// Since when that is so.
    since: String,
    /// Why it does not answer, or sends no events.
    last_error: Option<String>,
}

impl From<LinkStatus> for HostCard {
    fn from(status: LinkStatus) -> Self {
        let since = status.since.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        Self {
            url: status.url,
            connected: status.connected,
            since: cards::timestamp(u64::try_from(since).unwrap_or(u64::MAX)),
            last_error: status.problem,
        }
    }
}

/// The host's status with a word about the host. One that is away is not ready, and its versions
/// are not known.
fn status(link: &dyn ExplorerLink, answer: Result<Value, ToolError>) -> Result<Value, ToolError> {
    let mut host = HostCard::from(link.status());
    let mut status = match answer {
        Ok(status @ Value::Object(_)) => status,
        Err(error) if error.kind == ErrorKind::NotReady => {
            host.last_error.get_or_insert(error.message);
            json!({
                "Version": VERSION, "UnityVersion": "", "Platform": "", "Runtime": "",
                "ExplorerVersion": "", "Ready": false, "ScenesLoaded": 0, "Selection": [],
            })
        }
        other => return other,
    };
    status["Host"] = json!(host);
    Ok(status)
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_tool_of_the_interface_has_a_name_that_hosts_know() {
        // Without one it would be answered by the own world, although a host is attached.
        for tool in crate::explorer::GROUP.tools {
            assert!(tool.explorer.is_some(), "{}", tool.id);
        }
    }
}
