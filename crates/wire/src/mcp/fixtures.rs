//! What the public conformance suites look for, behind `--test-fixtures` and in no shipped list.

use rmcp::model as m;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};

use crate::mcp::Handler;

/// What the suites want declared on top.
pub(super) fn capabilities(shipped: m::ServerCapabilities, _on: bool) -> m::ServerCapabilities {
    shipped
}

pub(super) fn tools() -> Vec<m::Tool> {
    Vec::new()
}

pub(super) fn is_tool(_name: &str) -> bool {
    false
}

pub(super) async fn call_tool(
    _handler: &Handler,
    _request: m::CallToolRequestParams,
    _context: RequestContext<RoleServer>,
) -> Result<m::CallToolResponse, ErrorData> {
    Err(ErrorData::internal_error("unreachable", None))
}

pub(super) fn resources() -> Vec<m::Resource> {
    Vec::new()
}

pub(super) fn templates() -> Vec<m::ResourceTemplate> {
    Vec::new()
}

pub(super) fn read(_uri: &str) -> Option<m::ResourceContents> {
    None
}

pub(super) fn prompts() -> Vec<m::Prompt> {
    Vec::new()
}

pub(super) fn is_prompt(_name: &str) -> bool {
    false
}

pub(super) async fn get_prompt(
    _request: m::GetPromptRequestParams,
    _context: RequestContext<RoleServer>,
) -> Result<m::GetPromptResponse, ErrorData> {
    Err(ErrorData::internal_error("unreachable", None))
}
