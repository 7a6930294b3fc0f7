//! Values of Godot as trees: arrays and dictionaries have parts, everything else is one atom.

use std::ops::Range;

use crate::model::{Kind, Layout, Node};

/// A value with its key. Offsets in `text` become offsets in the file by `base`.
pub(crate) fn node(
    text: &[u8],
    key: &str,
    span: Range<usize>,
    value: Range<usize>,
    base: usize,
) -> Node {
    let raw = &text[value.clone()];
    let shifted = |range: Range<usize>| base + range.start..base + range.end;
    let Some((kind, open)) = container(raw) else {
        return Node::atom(key, shifted(span), shifted(value));
    };
    let Some((parts, close)) = parts(text, value.start + open, kind) else {
        return Node::atom(key, shifted(span), shifted(value));
    };
    let children: Vec<Node> = parts
        .into_iter()
        .map(|Part { key, span, value }| {
            let key = key.map_or_else(String::new, |key| {
                String::from_utf8_lossy(text[key].trim_ascii()).into_owned()
            });
            node(text, &key, span, value, base)
        })
        .collect();
    let inner = match (children.first(), children.last()) {
        (Some(first), Some(last)) => first.span.start..last.span.end,
        _ => base + close..base + close,
    };
    Node { key: key.into(), kind, span: shifted(span), inner, layout: Layout::Inline, children }
}

/// What a value with parts is, and where its parts start.
fn container(raw: &[u8]) -> Option<(Kind, usize)> {
    match raw.first()? {
        b'[' => return Some((Kind::List, 1)),
        b'{' => return Some((Kind::Map, 1)),
        _ => {}
    }
    let word = raw.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    match &raw[..word] {
        b"PackedStringArray" | b"PoolStringArray" => {
            let open = raw.iter().position(|byte| *byte == b'(')?;
            Some((Kind::List, open + 1))
        }
        b"Array" | b"Dictionary" => {
            let open = raw.iter().position(|byte| *byte == b'(')?;
            let (bracket, kind) = if word == 5 { (b'[', Kind::List) } else { (b'{', Kind::Map) };
            // The type may be a script with brackets of its own.
            let found = memchr::memmem::find(raw, &[b'(', bracket]).unwrap_or(open);
            (raw.get(found + 1) == Some(&bracket)).then_some((kind, found + 2))
        }
        _ => None,
    }
}

struct Part {
    key: Option<Range<usize>>,
    span: Range<usize>,
    value: Range<usize>,
}

/// The parts up to the bracket that closes, and where that is.
fn parts(text: &[u8], start: usize, kind: Kind) -> Option<(Vec<Part>, usize)> {
    let mut parts = Vec::new();
    let (mut depth, mut at) = (0_usize, start);
    let (mut from, mut colon) = (start, None);
    loop {
        match *text.get(at)? {
            b'"' => {
                at = string_end(text, at)?;
                continue;
            }
            b';' => return None,
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            b':' if depth == 0 && kind == Kind::Map && colon.is_none() => colon = Some(at),
            byte @ (b',' | b')' | b']' | b'}') if depth == 0 => {
                let span = trimmed(text, from..at);
                if !span.is_empty() {
                    let value_start = colon.map_or(span.start, |colon| colon + 1);
                    let value = trimmed(text, value_start..at);
                    let key = colon.map(|colon| span.start..colon);
                    if kind == Kind::Map && key.is_none() || value.is_empty() {
                        return None;
                    }
                    parts.push(Part { key, span, value });
                }
                (from, colon) = (at + 1, None);
                if byte != b',' {
                    return Some((parts, at));
                }
            }
            _ => {}
        }
        at += 1;
    }
}

fn trimmed(text: &[u8], range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let left = part.len() - part.trim_ascii_start().len();
    let start = (range.start + left).min(range.end);
    start..start + part.trim_ascii().len()
}

fn string_end(text: &[u8], open: usize) -> Option<usize> {
    let mut at = open + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at + 1);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        fn of(node: &Node, text: &str) -> String {
            let inside: Vec<String> = node.children.iter().map(|child| of(child, text)).collect();
            match node.kind {
                Kind::Atom => text[node.inner.clone()].to_owned(),
                Kind::List => format!("<{}>", inside.join("|")),
                Kind::Map => {
                    let keys = node.children.iter().map(|child| child.key.as_str());
                    let pairs: Vec<String> =
                        keys.zip(inside).map(|(key, value)| format!("{key}={value}")).collect();
                    format!("<<{}>>", pairs.join("|"))
                }
            }
        }
        of(&node(text.as_bytes(), "", 0..text.len(), 0..text.len(), 0), text)
    }

    #[test]
    fn arrays_and_dictionaries_have_parts() {
        assert_eq!(shown("[ 1, [2], \"a,]\" ]"), "<1|<2>|\"a,]\">");
        assert_eq!(
            shown("{\n\"a\": 1,\n\"b\": Vector2(1, 2)\n}"),
            "<<\"a\"=1|\"b\"=Vector2(1, 2)>>"
        );
        assert_eq!(shown("Array[int]([1, 2])"), "<1|2>");
        assert_eq!(
            shown("Array[ExtResource(\"1_a\")]([ExtResource(\"2\")])"),
            "<ExtResource(\"2\")>"
        );
        assert_eq!(shown("PackedStringArray(\"a\", \"b\")"), "<\"a\"|\"b\">");
        assert_eq!(shown("PackedInt32Array(1, 2)"), "PackedInt32Array(1, 2)");
        assert_eq!(shown("[]"), "<>");
    }
}
