//! What the tools ask of a running Unity Explorer host, whatever carries it there.

use std::time::{Duration, SystemTime};

use serde_json::Value;

use crate::{Cancel, JsonMap, ToolError};

/// A link to a running host of the Unity Explorer interface.
pub trait ExplorerLink: Send + Sync {
    /// Have the host run a tool, by its Explorer name.
    fn call(
        &self,
        tool: &str,
        arguments: JsonMap,
        timeout: Duration,
        cancel: &Cancel,
    ) -> Result<Value, ToolError>;
    /// Have the host read a `unity://` resource.
    fn read(&self, uri: &str, timeout: Duration) -> Result<Value, ToolError>;
    /// How the link is.
    fn status(&self) -> LinkStatus;
}

/// How a link is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkStatus {
    /// Where the host is, or was last; none when none was found yet.
    pub url: Option<String>,
    /// It answered when it was last asked.
    pub connected: bool,
    /// When that began.
    pub since: SystemTime,
    /// Why there is no connection, or no events.
    pub problem: Option<String>,
}
