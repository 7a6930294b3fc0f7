//! Whether two values are the same: by their bytes, by what they say, or but for noise.

use crate::language::{Language, ListRule};
use crate::model::{Kind, Node, Step};

/// A node with the text that it is a part of.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) node: &'a Node,
}

impl<'a> At<'a> {
    /// All of it as written.
    pub(crate) fn text(self) -> &'a [u8] {
        &self.bytes[self.node.span.clone()]
    }

    /// The value of an atom as written; all of the inside of others.
    pub(crate) fn inner(self) -> &'a [u8] {
        &self.bytes[self.node.inner.clone()]
    }

    pub(crate) fn children(self) -> impl Iterator<Item = At<'a>> {
        self.node.children.iter().map(move |node| At { bytes: self.bytes, node })
    }

    pub(crate) fn child(self, key: &str) -> Option<At<'a>> {
        Some(At { bytes: self.bytes, node: self.node.child(key)? })
    }
}

/// How near each other two values have to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nearness {
    /// They say the same.
    Exact,
    /// What is derived, order that has no meaning, and noise of floating point numbers aside.
    ButNoise,
}

/// Whether two values are the same.
pub(crate) fn same(
    language: Language,
    a: At<'_>,
    b: At<'_>,
    nearness: Nearness,
    path: &mut Vec<Step>,
) -> bool {
    if a.node.kind != b.node.kind {
        return false;
    }
    if a.inner() == b.inner() {
        return true;
    }
    match a.node.kind {
        Kind::Atom => {
            language.canonical(a.inner()) == language.canonical(b.inner())
                || nearness == Nearness::ButNoise && is_noise(a.inner(), b.inner())
        }
        Kind::Map => same_fields(language, a, b, nearness, path),
        Kind::List => same_items(language, a, b, nearness, path),
    }
}

fn same_fields(
    language: Language,
    a: At<'_>,
    b: At<'_>,
    nearness: Nearness,
    path: &mut Vec<Step>,
) -> bool {
    let mut same_field = |a: At<'_>, b: At<'_>| {
        path.push(Step::Key(a.node.key.clone()));
        let is_derived = nearness == Nearness::ButNoise && language.is_derived(path);
        let is_same = is_derived || same(language, a, b, nearness, path);
        path.pop();
        is_same
    };
    let in_order = a.node.children.len() == b.node.children.len()
        && a.children().zip(b.children()).all(|(a, b)| a.node.key == b.node.key);
    if in_order {
        return a.children().zip(b.children()).all(|(a, b)| same_field(a, b));
    }
    let left_out = |side: At<'_>, other: At<'_>, path: &mut Vec<Step>| {
        side.children().all(|field| {
            path.push(Step::Key(field.node.key.clone()));
            let is_fine = other.child(&field.node.key).is_some()
                || nearness == Nearness::ButNoise && language.is_derived(path);
            path.pop();
            is_fine
        })
    };
    let mut keys: Vec<&str> = a.node.children.iter().map(|child| child.key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    if keys.len() != a.node.children.len() {
        return false;
    }
    let fields = a.children().filter_map(|field| Some((field, b.child(&field.node.key)?)));
    let all = fields.into_iter().all(|(a, b)| same_field(a, b));
    all && left_out(a, b, path) && left_out(b, a, path)
}

fn same_items(
    language: Language,
    a: At<'_>,
    b: At<'_>,
    nearness: Nearness,
    path: &mut Vec<Step>,
) -> bool {
    if a.node.children.len() != b.node.children.len() {
        return false;
    }
    let is_set = nearness == Nearness::ButNoise
        && matches!(language.list_rule(path), ListRule::Keyed(_, has_order) if !has_order);
    if !is_set {
        return a.children().zip(b.children()).all(|(a, b)| same(language, a, b, nearness, path));
    }
    let ListRule::Keyed(key, _) = language.list_rule(path) else { return false };
    let mut rest: std::collections::HashMap<String, At<'_>> =
        b.children().filter_map(|item| Some((key.of(item)?, item))).collect();
    a.children().all(|item| {
        let other = key.of(item).and_then(|key| rest.remove(&key));
        other.is_some_and(|other| same(language, item, other, nearness, path))
    })
}

/// The same number but for the last digits, or vectors and colours of such numbers.
pub(crate) fn is_noise(a: &[u8], b: &[u8]) -> bool {
    let (Some(a), Some(b)) = (numbers(a), numbers(b)) else { return false };
    a.0 == b.0 && a.1.len() == b.1.len() && a.1.iter().zip(&b.1).all(|(a, b)| near(a, b))
}

/// Whole numbers are never near each other: they may be ids.
fn near(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let has_fraction = |text: &str| text.contains(['.', 'e', 'E']);
    let (Ok(x), Ok(y)) = (a.parse::<f64>(), b.parse::<f64>()) else { return false };
    let distance = (x - y).abs();
    distance == 0.0
        || (has_fraction(a) || has_fraction(b))
            && x.is_finite()
            && y.is_finite()
            && (distance <= 1e-4 * x.abs().max(y.abs()) || distance <= 1e-7)
}

/// What is around the numbers of a value, and the numbers. Nothing when it is more than a number, or a
/// vector or colour of numbers.
fn numbers(text: &[u8]) -> Option<(String, Vec<&str>)> {
    let text = std::str::from_utf8(text).ok()?.trim();
    if text.len() > 512 || text.contains(['"', '\'']) || text.contains("fileID") {
        return None;
    }
    let (mut frame, mut numbers) = (String::new(), Vec::new());
    let mut rest = text;
    while !rest.is_empty() {
        let is_number = |byte: char| byte.is_ascii_digit() || matches!(byte, '-' | '.');
        let starts = rest.starts_with(is_number) && !frame.ends_with(|c: char| c.is_alphanumeric());
        if !starts {
            let first = rest.chars().next()?;
            if !first.is_whitespace() {
                frame.push(first);
            }
            rest = &rest[first.len_utf8()..];
            continue;
        }
        let end = rest
            .find(|c: char| !(is_number(c) || matches!(c, 'e' | 'E' | '+')))
            .unwrap_or(rest.len());
        numbers.push(&rest[..end]);
        // Letters right behind it make it a name, such as a guid.
        if rest[end..].starts_with(|c: char| c.is_alphanumeric()) || end > 32 {
            return None;
        }
        frame.push('#');
        rest = &rest[end..];
    }
    let is_plain = frame == "#"
        || frame.starts_with('{') && frame.ends_with('}')
        || frame.contains('(') && frame.ends_with(')');
    (is_plain && !numbers.is_empty()).then_some((frame, numbers))
}

#[cfg(test)]
mod tests {
    use super::is_noise;

    #[test]
    fn only_last_digits_of_floating_point_numbers_are_noise() {
        for (a, b, expected) in [
            ("0.12731838", "0.12731868", true),
            ("{r: 0.1, g: 0.5}", "{r: 0.100000001, g: 0.5}", true),
            ("Vector2( 1, 0.9999999 )", "Vector2(1, 1)", true),
            ("-0", "0", true),
            ("0.5", "0.51", false),
            ("100001", "100002", false),
            ("{x: 1.5}", "{y: 1.5}", false),
            ("{fileID: 1.5}", "{fileID: 1.50000001}", false),
            ("1e99999", "2e99999", false),
            ("0d1edddc695c93840945d97459c6f5cc", "0d1edddc695c93840945d97459c6f5cd", false),
            ("v1.0000001", "v1.0000002", false),
            ("\"1.0000001\"", "\"1.0000002\"", false),
        ] {
            assert_eq!(is_noise(a.as_bytes(), b.as_bytes()), expected, "{a} {b}");
        }
    }
}
