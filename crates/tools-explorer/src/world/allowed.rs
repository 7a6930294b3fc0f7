//! What the allowlists of components and members let callers do.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::Cx;

use super::InWorld;

/// The class may be added and removed.
pub(crate) fn component(cx: &Cx, class: &str) -> Result<(), ToolError> {
    let config = cx.holder().config();
    if config.allows(&config.component_allowlist, class) {
        return Ok(());
    }
    let is_empty = config.component_allowlist.as_ref().is_none_or(Vec::is_empty);
    let message = if is_empty { "No components are allowlisted" } else { "Denied by allowlist" };
    Err(ToolError::new(ErrorKind::Denied, message)
        .hint("SetConfig sets componentAllowlist: full names of classes")
        .detail("type", class))
}

/// `<type>.<member>`, in the caller's words, may be set and called.
pub(crate) fn member(cx: &Cx, class: &str, member: &str) -> Result<(), ToolError> {
    let config = cx.holder().config();
    let name = format!("{class}.{member}");
    if config.allows(&config.reflection_allowlist_members, &name) {
        return Ok(());
    }
    Err(ToolError::new(ErrorKind::Denied, "Denied by allowlist")
        .hint("SetConfig sets reflectionAllowlistMembers: <Type>.<Member>")
        .detail("member", name))
}
