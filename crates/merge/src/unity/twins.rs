//! Objects that both sides added with other ids and the same content: one of them stays.

use std::collections::HashMap;

use memchr::memmem;
use scenewright_unity::Document;

use crate::model::Version;
use crate::report::Note;

/// How often twins are looked for again: one may be known only after what it refers to is.
const ROUNDS: usize = 8;

/// Theirs with the ids of ours for all that both added alike, and what was done.
pub(crate) fn unite(base: &Version, ours: &Version, theirs: &[u8]) -> (Option<Vec<u8>>, Vec<Note>) {
    let mut notes = Vec::new();
    let mut text: Option<Vec<u8>> = None;
    for _ in 0..ROUNDS {
        let document = Document::parse(text.as_deref().unwrap_or(theirs));
        let pairs = pairs(base, ours, &document);
        if pairs.is_empty() {
            break;
        }
        let mut bytes = document.into_bytes();
        for (their_id, our_id) in pairs {
            bytes = renamed(&bytes, &their_id, &our_id);
            notes.push(Note {
                object: our_id,
                field: String::new(),
                text: format!("both added it; the one of theirs had the id {their_id}"),
                is_warning: true,
            });
        }
        text = Some(bytes);
    }
    (text, notes)
}

/// The ids of twins: theirs, ours.
fn pairs(base: &Version, ours: &Version, theirs: &Document) -> Vec<(String, String)> {
    let mut added: HashMap<(u32, &[u8]), Vec<&str>> = HashMap::new();
    let is_new = |id: &str| base.find(id).is_none();
    let known: std::collections::HashSet<String> =
        theirs.objects().map(|object| object.file_id().to_string()).collect();
    let bytes = &ours.bytes;
    for item in ours.items.iter().filter(|item| is_new(&item.key) && !known.contains(&item.key)) {
        let text = &bytes[item.span.clone()];
        let Some((header, body)) = split(text) else { continue };
        added.entry((class(header), body)).or_default().push(&item.key);
    }
    let mut pairs = Vec::new();
    if added.is_empty() {
        return pairs;
    }
    for object in theirs.objects() {
        let id = object.file_id().to_string();
        if !is_new(&id) || ours.find(&id).is_some() {
            continue;
        }
        let body = &theirs.as_bytes()[object.body_span()];
        if let Some(twins) = added.get_mut(&(object.class_id().0, body))
            && let Some(ours) = twins.pop()
        {
            pairs.push((id, ours.to_owned()));
        }
    }
    pairs
}

fn split(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = memchr::memchr(b'\n', text)? + 1;
    Some(text.split_at(end))
}

fn class(header: &[u8]) -> u32 {
    let digits = header.strip_prefix(b"--- !u!").unwrap_or_default();
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    digits
        .fold(0_u32, |number, digit| number.wrapping_mul(10).wrapping_add(u32::from(digit - b'0')))
}

/// The text with another id for an object: in its header and in what refers to it.
fn renamed(text: &[u8], from: &str, to: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut last = 0;
    for at in memmem::find_iter(text, from.as_bytes()) {
        let end = at + from.len();
        let is_whole = !text.get(end).is_some_and(u8::is_ascii_digit);
        let is_header = text[..at].ends_with(b" &");
        let is_reference = text[..at].ends_with(b"{fileID: ") && text.get(end) == Some(&b'}');
        if at >= last && is_whole && (is_header || is_reference) {
            out.extend(&text[last..at]);
            out.extend(to.as_bytes());
            last = end;
        }
    }
    out.extend(&text[last..]);
    out
}
