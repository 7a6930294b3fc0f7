//! Paths of nodes as texts. Nothing here asks whether the nodes are there.

use std::borrow::Cow;

use crate::ChangeError;
use crate::syntax::escape_string;

/// An error unless a node can have this name.
pub fn check_node_name(name: &str) -> Result<(), ChangeError> {
    let why = if name.is_empty() {
        "it is empty"
    } else if name.contains(['.', ':', '@', '/', '"', '%']) {
        "Godot replaces . : @ / \" and % in the names of nodes"
    } else if name.chars().any(char::is_control) {
        "it has a line break or another control character"
    } else {
        return Ok(());
    };
    Err(ChangeError::BadName { name: name.into(), why })
}

/// Where a `NodePath` leads from a node, as a path from the root of the scene: without what follows
/// its `:`. Nothing when it leads out of the scene or needs a unique name.
///
/// ```
/// use scenewright_godot::resolve_path;
/// assert_eq!(resolve_path("A/B", "../C:position").as_deref(), Some("A/C"));
/// assert_eq!(resolve_path("A", "../..").as_deref(), None);
/// ```
pub fn resolve_path(base: &str, path: &str) -> Option<String> {
    let names = path.split(':').next().unwrap_or_default();
    if names.starts_with('/') || names.contains('%') {
        return None;
    }
    let mut steps: Vec<&str> = parts(base).collect();
    for step in parts(names) {
        match step {
            ".." => drop(steps.pop()?),
            name => steps.push(name),
        }
    }
    Some(of_parts(&steps))
}

/// The shortest path from one node to another, both from the root of the scene.
pub fn relative_path(from: &str, to: &str) -> String {
    let (from, to): (Vec<_>, Vec<_>) = (parts(from).collect(), parts(to).collect());
    let shared = from.iter().zip(&to).take_while(|(one, two)| one == two).count();
    let up = std::iter::repeat_n("..", from.len() - shared);
    of_parts(&up.chain(to[shared..].iter().copied()).collect::<Vec<_>>())
}

/// The names of a path, without `.` and empty ones.
pub(super) fn parts(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !matches!(*part, "" | "."))
}

pub(super) fn of_parts(parts: &[&str]) -> String {
    if parts.is_empty() { ".".into() } else { parts.join("/") }
}

/// A path without `.` and needless slashes; the root is `.`.
pub(super) fn clean(path: &str) -> Cow<'_, str> {
    let is_clean =
        path == "." || !path.is_empty() && path.split('/').all(|part| !matches!(part, "" | "."));
    if is_clean {
        Cow::Borrowed(path)
    } else {
        Cow::Owned(of_parts(&parts(path).collect::<Vec<_>>()))
    }
}

/// The path of a child.
pub(crate) fn join(parent: &str, name: &str) -> String {
    match &*clean(parent) {
        "." => name.to_owned(),
        parent => format!("{parent}/{name}"),
    }
}

/// The path of the parent and the name; nothing for the root.
pub(crate) fn split(path: &str) -> Option<(&str, &str)> {
    match path.rsplit_once('/') {
        Some(parts) => Some(parts),
        None if path == "." => None,
        None => Some((".", path)),
    }
}

/// True for a node itself and all below it.
pub(crate) fn is_within(path: &str, above: &str) -> bool {
    above == "."
        || path.strip_prefix(above).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A text as an attribute's value.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", escape_string(text))
}
