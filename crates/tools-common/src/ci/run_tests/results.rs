//! What a test run left: NUnit's file, of which only the cases are read.

use schemars::JsonSchema;
use serde::Serialize;

/// Longer messages are cut.
const MAX_MESSAGE: usize = 2000;

/// What came of one test.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Case {
    /// Its full name.
    pub(super) test_name: String,
    /// `Passed`, `Failed`, `Skipped` or `Inconclusive`.
    pub(super) status: String,
    /// Seconds.
    pub(super) duration: f64,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
}

/// The cases of a file of results; nothing when it is none.
pub(super) fn read(text: &str) -> Option<Vec<Case>> {
    if !text.contains("<test-run") {
        return None;
    }
    Some(text.split("<test-case ").skip(1).map(case).collect())
}

fn case(text: &str) -> Case {
    let head = &text[..head_end(text)];
    let is_empty = head.ends_with('/');
    let body = match is_empty {
        true => "",
        false => text.split("</test-case>").next().unwrap_or_default(),
    };
    let failure = body.split_once("<failure>").map(|(_, failure)| failure);
    Case {
        test_name: attribute(head, "fullname")
            .or_else(|| attribute(head, "name"))
            .unwrap_or_default(),
        status: attribute(head, "result").unwrap_or_else(|| "Inconclusive".to_owned()),
        duration: attribute(head, "duration").and_then(|time| time.parse().ok()).unwrap_or(0.0),
        error: failure.and_then(message),
    }
}

/// Where a tag ends; a `>` inside of an attribute does not end it.
fn head_end(text: &str) -> usize {
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b'>' if !quoted => return at,
            _ => {}
        }
    }
    text.len()
}

fn attribute(head: &str, name: &str) -> Option<String> {
    let start = head.match_indices(name).find_map(|(at, _)| {
        let is_whole = head[..at].chars().next_back().is_none_or(char::is_whitespace);
        let rest = head[at + name.len()..].strip_prefix("=\"")?;
        is_whole.then_some(rest)
    })?;
    Some(unescaped(&start[..start.find('"')?]))
}

fn message(failure: &str) -> Option<String> {
    let (_, rest) = failure.split_once("<message>")?;
    let (inner, _) = rest.split_once("</message>")?;
    let inner = inner.trim();
    let plain = match inner.strip_prefix("<![CDATA[").and_then(|text| text.strip_suffix("]]>")) {
        Some(raw) => raw.to_owned(),
        None => unescaped(inner),
    };
    let plain = plain.trim();
    let end = plain.floor_char_boundary(MAX_MESSAGE);
    Some(plain[..end].to_owned())
}

fn unescaped(text: &str) -> String {
    let mut out = text.to_owned();
    for (escape, plain) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&apos;", "'"),
        ("&#xA;", "\n"),
        ("&amp;", "&"),
    ] {
        out = out.replace(escape, plain);
    }
    out
}
