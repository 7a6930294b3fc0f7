//! What of the server's answers reached the model: each text has to be there whole, and once.
//!
//! Clients quote what they pass on: in JSON, in JSON in JSON, in XML, as Python prints it. Nothing is unquoted here;
//! the text is quoted in each of these ways and looked for, which leaves no doubt about a single character.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};

use serde_json::Value;

use super::model::{Returned, Seen};
use super::plan::{Step, Wants, step_of};
use super::traffic::Exchange;

/// A line that is shorter may well be there twice.
const TELLING: usize = 24;
/// What the clients' own words around an answer have at most, in bytes.
const MOST_AROUND: usize = 600;

/// What became of a step.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Verdict {
    /// All is as it should be; how the client quotes texts.
    Whole(&'static str),
    /// The model never asked the server, or the client said nothing of the answer.
    Missing(&'static str),
    /// The server said something else than the step is for.
    Unfit(&'static str),
    /// Not all of it; how many of a hundred lines.
    Cut(usize),
    /// A part of it came more often than once.
    Twice(String),
    /// So many bytes came with it that the server's text has not.
    Among(usize),
}

impl Verdict {
    pub(super) fn is_good(&self) -> bool {
        matches!(self, Verdict::Whole(_))
    }
}

impl Display for Verdict {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Whole(quoting) => write!(f, "whole, once, {quoting}"),
            Verdict::Missing(why) | Verdict::Unfit(why) => f.write_str(why),
            Verdict::Cut(percent) => write!(f, "CUT: {percent} % of its lines reached the model"),
            Verdict::Twice(line) => write!(f, "TWICE: {line:?}"),
            Verdict::Among(bytes) => {
                write!(f, "among {bytes} bytes that the server did not send as text")
            }
        }
    }
}

/// How a client shows a picture to its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Picture {
    Shown,
    /// As base64 among words.
    AsText,
    LeftOut,
}

impl Display for Picture {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Picture::Shown => "shown",
            Picture::AsText => "as base64 text",
            Picture::LeftOut => "left out",
        })
    }
}

/// Judge each step by what the server answered and by what the model was sent, request by request.
pub(super) fn judge(steps: &[Step], exchanges: &[Exchange], requests: &[Seen]) -> Vec<Verdict> {
    let mut left = exchanges;
    let judge = |(at, step): (usize, &Step)| {
        let Some(found) = left.iter().position(|exchange| exchange.tool == step.tool) else {
            return Verdict::Missing("the server was not called");
        };
        let exchange = &left[found];
        left = &left[found + 1..];
        let Some((request, result)) = first_told(requests, at) else {
            return Verdict::Missing("the model saw no result");
        };
        let is_error = exchange.result["isError"] == true;
        let is_cut = exchange.result.to_string().contains("ursor");
        match step.wants {
            Wants::Error if !is_error => Verdict::Unfit("the server sent no error"),
            Wants::Error => texts(exchange, request, result),
            _ if is_error => Verdict::Unfit("the server sent an error"),
            Wants::Page if !is_cut => Verdict::Unfit("the server sent no cursor"),
            Wants::Picture if exchange.picture().is_none() => {
                Verdict::Unfit("the server sent no picture")
            }
            Wants::Picture | Wants::TooMuch => Verdict::Whole(AS_IT_IS),
            Wants::Answer | Wants::Page | Wants::Rest => texts(exchange, request, result),
        }
    };
    steps.iter().enumerate().map(judge).collect()
}

/// How the picture of a step reached the model.
pub(super) fn picture(
    steps: &[Step],
    exchanges: &[Exchange],
    requests: &[Seen],
) -> Option<Picture> {
    let at = steps.iter().position(|step| step.wants == Wants::Picture)?;
    let data = exchanges.iter().find_map(Exchange::picture)?;
    let (request, result) = first_told(requests, at)?;
    let is_text = |text: &String| text.contains(data);
    Some(match result.pictures {
        1.. => Picture::Shown,
        0 if request.texts.iter().any(is_text) => Picture::AsText,
        0 => Picture::LeftOut,
    })
}

/// How many characters of an answer the client passes on at most; nothing where it passed on all of the largest one.
pub(super) fn limit(steps: &[Step], exchanges: &[Exchange], requests: &[Seen]) -> Option<usize> {
    let at = steps.iter().position(|step| step.wants == Wants::TooMuch)?;
    let (request, result) = first_told(requests, at)?;
    // Not the last one: some clients go on when all is done.
    let largest = exchanges.iter().max_by_key(|exchange| exchange.result.to_string().len())?;
    match texts(largest, request, result) {
        Verdict::Whole(_) => None,
        _ => Some(result.texts.iter().map(|text| text.chars().count()).sum()),
    }
}

/// Whether the model was told something in any request.
pub(super) fn is_told(text: &str, requests: &[Seen]) -> bool {
    let text = text.trim();
    let has =
        |request: &Seen| quotings(text).iter().any(|(_, form)| count(&request.texts, form) > 0);
    !text.is_empty() && requests.iter().any(has)
}

/// The first request that has the result of a step, and the result.
fn first_told(requests: &[Seen], at: usize) -> Option<(&Seen, &Returned)> {
    requests.iter().find_map(|request| {
        let result = request.results.iter().find(|one| step_of(&one.id) == Some(at))?;
        Some((request, result))
    })
}

/// How what the model was sent of a step begins, for who looks for the reason.
pub(super) fn beginning(requests: &[Seen], at: usize) -> String {
    let texts = first_told(requests, at).map(|(_, result)| result.texts.join(" | "));
    texts.unwrap_or_default().chars().take(500).collect()
}

fn texts(exchange: &Exchange, request: &Seen, result: &Returned) -> Verdict {
    let (mut quoting, mut expected) = (AS_IT_IS, 0);
    let blocks = exchange.result["content"].as_array().into_iter().flatten();
    for text in blocks.filter_map(|block| block["text"].as_str()).map(str::trim) {
        let found: Vec<_> = quotings(text)
            .into_iter()
            .map(|(name, form)| (name, form.len(), count(&request.texts, &form)))
            .filter(|(_, _, count)| *count > 0)
            .collect();
        match &*found {
            [] => return Verdict::Cut(share(text, &result.texts)),
            [(name, length, 1)] => (quoting, expected) = (*name, expected + *length),
            _ => return Verdict::Twice(begin(text)),
        }
        if let Some(line) = repeated(text, &result.texts) {
            return Verdict::Twice(begin(line));
        }
    }
    let around = result.texts.iter().map(String::len).sum::<usize>().saturating_sub(expected);
    match around > MOST_AROUND {
        true => Verdict::Among(around),
        false => Verdict::Whole(quoting),
    }
}

fn begin(text: &str) -> String {
    text.chars().take(60).collect()
}

fn count(texts: &[String], form: &str) -> usize {
    texts.iter().map(|text| text.matches(form).count()).sum()
}

/// A telling line that the answer has once and the model was sent more often.
fn repeated<'t>(text: &'t str, received: &[String]) -> Option<&'t str> {
    let telling = text.lines().map(str::trim).filter(|line| line.len() >= TELLING);
    let mut once = telling.filter(|line| text.matches(line).count() == 1);
    once.find(|line| {
        let counts = quotings(line).into_iter().map(|(_, form)| count(received, &form));
        counts.sum::<usize>() > 1
    })
}

/// How many of a hundred lines are there.
fn share(text: &str, received: &[String]) -> usize {
    let lines: BTreeSet<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_there = |line: &&&str| quotings(line).iter().any(|(_, form)| count(received, form) > 0);
    lines.iter().filter(is_there).count() * 100 / lines.len().max(1)
}

const AS_IT_IS: &str = "as it is";

/// A text in every way that clients are known to quote it, those that come to the same left out.
fn quotings(text: &str) -> Vec<(&'static str, String)> {
    let once = json(text);
    let in_xml = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let forms = [
        (AS_IT_IS, text.to_owned()),
        ("in JSON", once.clone()),
        ("in JSON", ascii(&once)),
        ("in JSON in JSON", json(&once)),
        ("in JSON in JSON", json(&ascii(&once))),
        ("in XML", in_xml.replace('"', "&quot;").replace('\'', "&#39;")),
        ("in XML", in_xml),
        ("as Python prints it", once.replace("\\\"", "\"")),
        ("as Python prints it", once.replace("\\\"", "\"").replace('\'', "\\'")),
    ];
    let mut seen = BTreeSet::new();
    forms.into_iter().filter(|(_, form)| seen.insert(form.clone())).collect()
}

/// As in a JSON string, without its quotation marks.
fn json(text: &str) -> String {
    let quoted = Value::from(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

/// JSON with escapes for all that is not ASCII, as Python writes it.
fn ascii(text: &str) -> String {
    let escape = |unit: &u16| format!("\\u{unit:04x}");
    let one = |c: char| match c.is_ascii() {
        true => c.to_string(),
        false => c.encode_utf16(&mut [0; 2]).iter().map(escape).collect(),
    };
    text.chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::clients::plan::id_of_call;

    const TEXT: &str =
        "first of the lines, which is \"long\"\nsecond <of> the lines, it's long — too\n";

    fn judged(received: &[&str]) -> Verdict {
        let result = json!({ "content": [{ "type": "text", "text": TEXT }] });
        let exchange = Exchange { tool: "t".to_owned(), result };
        let texts: Vec<String> = received.iter().map(|text| (*text).to_owned()).collect();
        let result = Returned { id: id_of_call(0, 1), texts: texts.clone(), pictures: 0 };
        let seen = Seen { results: vec![result.clone()], texts, ..Seen::default() };
        super::texts(&exchange, &seen, &result)
    }

    #[test]
    fn a_text_is_found_in_every_quoting() {
        let block = json!([{ "type": "text", "text": TEXT }]).to_string();
        for (received, quoting) in [
            (TEXT.to_owned(), "as it is"),
            (format!("<result>\n{}\n</result>", TEXT.trim()), "as it is"),
            (block.clone(), "in JSON"),
            (ascii(&block), "in JSON"),
            (json!({ "content": block }).to_string(), "in JSON in JSON"),
            (TEXT.replace('<', "&lt;").replace('>', "&gt;"), "in XML"),
            (
                format!("Text(text='{}')", TEXT.replace('\n', "\\n").replace('\'', "\\'")),
                "as Python prints it",
            ),
        ] {
            assert_eq!(judged(&[&received]), Verdict::Whole(quoting), "{received}");
        }
    }

    #[test]
    fn what_is_cut_or_doubled_is_found() {
        assert_eq!(judged(&["first of the lines, which is \"long\""]), Verdict::Cut(50));
        assert_eq!(judged(&["nothing"]), Verdict::Cut(0));
        assert!(matches!(judged(&[TEXT, TEXT]), Verdict::Twice(_)));
        let block = json!(TEXT).to_string();
        assert!(matches!(judged(&[TEXT, &block]), Verdict::Twice(_)));
        assert!(matches!(
            judged(&[TEXT, "first of the lines, which is \"long\""]),
            Verdict::Twice(_)
        ));
        assert_eq!(judged(&[TEXT, &"x".repeat(700)]), Verdict::Among(701));
    }
}
