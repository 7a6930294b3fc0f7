//! Unity's property paths: `m_Materials.Array.data[2]`, `m_LocalPosition.x`.

use super::value::{Value, ValueKind};

/// Follows a path from a value.
pub(super) fn find<'d>(mut value: Value<'d>, path: &str) -> Option<Value<'d>> {
    let mut rest = path;
    while !rest.is_empty() {
        (value, rest) = match value.kind() {
            ValueKind::Map => find_field(value, rest)?,
            ValueKind::Sequence => find_item(value, rest)?,
            ValueKind::Scalar => return None,
        };
        rest = rest.strip_prefix('.').unwrap_or(rest);
    }
    Some(value)
}

/// The field whose key is the longest start of the path: keys may have dots in them.
fn find_field<'d, 'p>(map: Value<'d>, path: &'p str) -> Option<(Value<'d>, &'p str)> {
    let mut best: Option<(Value<'d>, &str)> = None;
    for (key, value) in map.fields() {
        let Some(rest) = path.strip_prefix(key.as_ref()) else { continue };
        let ends_here = rest.is_empty() || rest.starts_with(['.', '[']);
        // Of equal keys the first counts.
        if ends_here && best.is_none_or(|(_, shortest)| rest.len() < shortest.len()) {
            best = Some((value, rest));
        }
    }
    best
}

/// `Array.data[2]`, `data[2]` or `[2]`.
fn find_item<'d, 'p>(list: Value<'d>, path: &'p str) -> Option<(Value<'d>, &'p str)> {
    let index = path.strip_prefix("Array.").unwrap_or(path);
    let index = index.strip_prefix("data").unwrap_or(index);
    let (index, rest) = index.strip_prefix('[')?.split_once(']')?;
    Some((list.items().nth(index.parse().ok()?)?, rest))
}
