//! The platform tools of EditorMCP: what this server is, what it offers, how it is.

mod console_inject;
mod diagnostics_dispatcher;
mod diagnostics_schema_audit;
mod health;
mod self_test;
mod server_info;
mod tool_describe;
mod tools_list;
mod wait;

use scenewright_toolkit::Group;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "mcp",
    engine: None,
    about: "The server itself: identity, tool list, health, self-test",
    tools: &[
        server_info::TOOL,
        tools_list::TOOL,
        tool_describe::TOOL,
        health::TOOL,
        self_test::TOOL,
        diagnostics_schema_audit::TOOL,
        diagnostics_dispatcher::TOOL,
        console_inject::TOOL,
        wait::TOOL,
    ],
};
