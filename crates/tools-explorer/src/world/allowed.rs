//! What the allowlists of components and members let callers do.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::Cx;
use scenewright_world::ObjectId;

use super::{InWorld, full_class};

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

/// The full name of a class and the id of an object whose component of it may be set or called.
pub(crate) fn call(
    cx: &Cx,
    object: &str,
    class: &str,
    name: &str,
) -> Result<(String, ObjectId), ToolError> {
    let id = ObjectId::parse(object);
    let class = match &id {
        Ok(id) => cx.world(|world| Ok(full_class(world, *id, class)))?,
        Err(_) => class.to_owned(),
    };
    member(cx, &class, name)?;
    let id = id.map_err(|_| ToolError::new(ErrorKind::BadArguments, "Invalid id"))?;
    Ok((class, id))
}

/// `<type>.<member>`, in the caller's words, may be set and called.
fn member(cx: &Cx, class: &str, member: &str) -> Result<(), ToolError> {
    let config = cx.holder().config();
    let name = format!("{class}.{member}");
    if config.allows(&config.reflection_allowlist_members, &name) {
        return Ok(());
    }
    Err(ToolError::new(ErrorKind::Denied, "Denied by allowlist")
        .hint("SetConfig sets reflectionAllowlistMembers: <Type>.<Member>")
        .detail("member", name))
}
