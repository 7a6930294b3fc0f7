//! JSON to the merge: assembly definitions, manifests, input actions.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use scenewright_text::{JsonNode, JsonParts, read_json};

use crate::language::{KeyOf, ListRule};
use crate::model::{Item, Kind, Layout, Node, Parts, Step, Version};
use crate::refusal::Refusal;

/// The identity of the one value of a file.
pub(crate) const WHOLE: &str = "json";

/// The file as one item.
pub(crate) fn cut(text: Cow<'_, [u8]>) -> Result<Parts, Refusal> {
    read_json(&text).map_err(Refusal::NotReadable)?;
    let span = 0..text.len();
    let item = Item { key: WHOLE.into(), gap: span.end..span.end, span };
    Ok(Parts { bytes: Arc::new(text.into_owned()), head: 0..0, items: vec![item] })
}

/// The file with its one item.
pub(crate) fn version(parts: Parts, near: Option<&Version>) -> Result<Version, Refusal> {
    Version::new(parts, near).map_err(|twice| Refusal::NotReadable(twice.key))
}

/// The values of the file.
pub(crate) fn tree(version: &Version, item: &Item) -> Node {
    let text = version.text(item);
    match read_json(text) {
        Ok(root) => node("", &root, 0..text.len(), item.span.start),
        Err(_) => Node::atom("", item.span.clone(), item.span.clone()),
    }
}

fn node(key: &str, value: &JsonNode, span: Range<usize>, base: usize) -> Node {
    let at = |range: &Range<usize>| base + range.start..base + range.end;
    let (kind, children): (Kind, Vec<Node>) = match &value.parts {
        JsonParts::Plain => return Node::atom(key, at(&span), at(&value.span)),
        JsonParts::Object(members) => {
            let member = |(name, at, value): &(String, Range<usize>, JsonNode)| {
                node(name, value, at.start..value.span.end, base)
            };
            (Kind::Map, members.iter().map(member).collect())
        }
        JsonParts::Array(items) => {
            (Kind::List, items.iter().map(|item| node("", item, item.span.clone(), base)).collect())
        }
    };
    let inner = match (children.first(), children.last()) {
        (Some(first), Some(last)) => first.span.start..last.span.end,
        _ => base + value.span.end - 1..base + value.span.end - 1,
    };
    Node { key: key.into(), kind, span: at(&span), inner, layout: Layout::Inline, children }
}

/// Lists that are sets: what an assembly refers to, and where it is compiled.
pub(crate) fn list_rule(path: &[Step]) -> ListRule {
    match path {
        [Step::Key(key)]
            if matches!(
                &**key,
                "references"
                    | "includePlatforms"
                    | "excludePlatforms"
                    | "precompiledReferences"
                    | "defineConstraints"
                    | "optionalUnityReferences"
                    | "testables"
            ) =>
        {
            ListRule::Keyed(KeyOf::Value, false)
        }
        [.., Step::Key(key)] if matches!(&**key, "bindings" | "actions" | "maps") => {
            ListRule::Keyed(KeyOf::Fields(&["id"]), true)
        }
        _ => ListRule::Free,
    }
}
