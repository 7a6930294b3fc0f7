//! How values, names and sentences are shown and judged in messages.

use serde_json::Value;

use crate::suggest;

/// A longer text is cut in messages.
const SHOWN: usize = 60;

/// A word longer than this is no typing slip; comparing it would only take time.
const COMPARED: usize = 60;

/// Candidates compared for one suggestion.
const CANDIDATES: usize = 200;

/// The value in a few words, such as `the string "abc"` or `an array`.
pub(super) fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => format!("the boolean {value}"),
        Value::Number(value) => format!("the number {value}"),
        Value::String(value) => format!("the string {}", quoted(value)),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// The text in quotes, escaped and cut to a length that fits a message.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// A hint with the names that `wrong` may stand for.
pub(super) fn did_you_mean<'a>(
    wrong: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    if wrong.len() > COMPARED {
        return None;
    }
    let known = known.into_iter().take(CANDIDATES).filter(|name| name.len() <= COMPARED);
    let names: Vec<String> = suggest::nearest(wrong, known).into_iter().map(quoted).collect();
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

/// As [`did_you_mean`], or else the list of what is allowed.
pub(super) fn choices<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(hint) = did_you_mean(wrong, known.clone()) {
        return hint;
    }
    let mut names: Vec<String> = known.into_iter().take(13).map(quoted).collect();
    if names.len() == 13 {
        names[12] = "...".to_owned();
    }
    match names.as_slice() {
        [one] => format!("write {one}"),
        _ => format!("write one of {}", names.join(", ")),
    }
}

/// Words that title case leaves small inside a title.
const SMALL_WORDS: [&str; 24] = [
    "a", "an", "and", "as", "at", "but", "by", "for", "from", "if", "in", "into", "nor", "of",
    "on", "or", "over", "per", "the", "to", "via", "vs", "with", "without",
];

/// `text` in title case, or nothing when it already is.
pub(super) fn title_cased(text: &str) -> Option<String> {
    let words: Vec<String> = text
        .split_whitespace()
        .enumerate()
        .map(|(index, word)| {
            let small = index > 0 && SMALL_WORDS.contains(&word);
            if small { word.to_owned() } else { capitalized(word) }
        })
        .collect();
    (!words.iter().map(String::as_str).eq(text.split_whitespace())).then(|| words.join(" "))
}

/// `word` with a capital, unless it has one anywhere: `iOS` and `macOS` are written as they are.
fn capitalized(word: &str) -> String {
    let first = word.char_indices().find(|(_, c)| c.is_alphanumeric());
    match first {
        Some((at, c)) if c.is_lowercase() && !word.chars().any(char::is_uppercase) => {
            let rest = &word[at + c.len_utf8()..];
            format!("{}{}{rest}", &word[..at], c.to_uppercase())
        }
        _ => word.to_owned(),
    }
}

/// How many sentences `text` has; an unfinished last one counts.
pub(super) fn sentences(text: &str) -> usize {
    let words: Vec<&str> = text.split_whitespace().collect();
    let ends = words.iter().enumerate().filter(|(index, word)| {
        let next = words.get(index + 1).and_then(|next| next.chars().find(|c| c.is_alphanumeric()));
        ends_sentence(word) && !next.is_some_and(char::is_lowercase)
    });
    let unfinished = words.last().is_some_and(|word| !ends_sentence(word));
    ends.count() + usize::from(unfinished)
}

fn ends_sentence(word: &str) -> bool {
    let word = word.trim_end_matches(['"', '\'', ')', '`', ']']);
    let abbreviated = ["e.g.", "i.e.", "vs.", "cf."]
        .contains(&word.trim_start_matches(['(', '[', '"']).to_lowercase().as_str());
    word.ends_with(['.', '!', '?', '。', '！', '？']) && !abbreviated
}
