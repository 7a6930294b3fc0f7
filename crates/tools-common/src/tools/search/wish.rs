//! What a question is after: something told or done, what is done, and to how much.

use super::tables::Words;
use super::tables::{
    ASKING, BEFORE_VALUE, CHANGING, COLOURS, MAKING, MANY, MEMBERS, POLITE, REMOVING, TELLING,
    THERE,
};
use super::words::{kind_of, parts, with_phrases};

/// What a question is after: something told or something done, and what a tool counts that does the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wish {
    /// Whether something is to be changed.
    pub(super) changes: bool,
    /// What tools of the other kind count.
    pub(super) others: f32,
}

impl Wish {
    /// What is asked begins with a word for it.
    pub(super) fn is_sure(self) -> bool {
        self.others <= ASKS.others
    }

    /// What a tool counts that starts something: it does as much as it tells.
    pub(super) fn starts(self) -> f32 {
        if self.changes { 1.0 } else { f32::midpoint(1.0, self.others) }
    }
}

/// Who begins with `which` or `list` wants to know; who begins with a verb may also ask how it is.
const ASKS: Wish = Wish { changes: false, others: 0.5 };
const TELLS: Wish = Wish { changes: true, others: 0.8 };
/// Who says how something should be does not ask how it is.
const SAYS: Wish = Wish { changes: true, others: 0.6 };
const SEEMS_TO_ASK: Wish = Wish { changes: false, others: 0.8 };

/// Whether a question asks for something to be told, or to be done; nothing when it may be both.
pub(super) fn wish(text: &str) -> Option<Wish> {
    let text = with_phrases(text).to_lowercase().replace(['\'', '’'], "");
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let words = without_courtesy(&words);
    let first = *words.first()?;
    let last = words.last().copied().unwrap_or_default();
    let asks_last = words.len() > 2 && ["where", "why", "how", "what"].contains(&last);
    if ["can", "could", "may", "should"].contains(&first) || ASKING.contains(first) || asks_last {
        return Some(ASKS);
    }
    let is_said = says_how_it_should_be(words) || has_value(&text);
    if is_said || TELLING.contains(first) {
        return Some(if is_said { SAYS } else { TELLS });
    }
    let has = |list: &Words| words.iter().any(|word| list.contains(word));
    // `guid of a prefab`, `every light`
    let is_noun = words.contains(&"of") || ["all", "every", "any", "each"].contains(&first);
    match (has(&ASKING), has(&TELLING)) {
        (true, false) => Some(SEEMS_TO_ASK),
        (false, true) => Some(TELLS),
        (false, false) if is_noun => Some(SEEMS_TO_ASK),
        _ => None,
    }
}

/// `the sun is too bright`, `bullets should not collide`, `the door needs a handle`.
fn says_how_it_should_be(words: &[&str]) -> bool {
    let how = ["should", "shouldnt", "must", "mustnt", "needs", "need", "ought", "too", "wants"];
    words.iter().any(|word| how.contains(word))
}

/// Whether a question says to what something is to be set: `to 0.4`, `use 50`, `crimson`.
pub(super) fn has_value(text: &str) -> bool {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let is_value = |word: &str| {
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
        // `3.0.9` is a version.
        word.starts_with(['"', '#', '-', '“'])
            || plain.starts_with(|c: char| c.is_ascii_digit()) && plain.matches('.').count() < 2
            || ["true", "false"].contains(&plain)
            || COLOURS.contains(plain)
    };
    let is_colour =
        |word: &&str| COLOURS.contains(word.trim_matches(|c: char| !c.is_alphanumeric()));
    // `spotlight angle 30`, `fog colour purple please`
    if let [first, .., before, last] = &words[..] {
        let is_line = ["line", "lines", "frame", "layer", "level", "scene"].contains(before);
        let is_last = last.starts_with(|c: char| c.is_ascii_digit()) && is_value(last) && !is_line;
        let is_told = !ASKING.contains(*first) && !is_quantity(before);
        if is_told && (is_last || words.iter().skip(2).any(is_colour)) {
            return true;
        }
    }
    // `lines 10 to 25` are none.
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    (1..words.len()).any(|at| {
        let is_range = at > 1 && is_number(words[at - 2]);
        BEFORE_VALUE.contains(words[at - 1]) && is_value(words[at]) && !is_range
    })
}

/// Words before a number that is no value.
fn is_quantity(word: &str) -> bool {
    ["godot", "unity", "version", "for", "in", "of", "=="].contains(&word)
}

/// `can you please move it` is `move it`, and `how do I move it` too.
fn without_courtesy<'a, 'w>(words: &'a [&'w str]) -> &'a [&'w str] {
    let begun = match words {
        ["how" | "where", "to" | "do" | "can" | "should" | "would", ..]
        | ["can" | "could" | "would" | "will", "you", ..] => 2,
        [first, ..] if POLITE.contains(first) => 1,
        _ => return words,
    };
    let more = words[begun..].iter().take_while(|word| POLITE.contains(**word)).count();
    match &words[begun + more..] {
        [] => words,
        rest => rest,
    }
}

/// Whether a question is about a file of code: `fix the typo in Shop.cs`.
pub(super) fn is_of_script(text: &str) -> bool {
    text.split_whitespace().any(|word| kind_of(word) == Some("script"))
}

/// Whether a question begins with a verb that changes text.
pub(super) fn edits_text(text: &str) -> bool {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split_whitespace().collect();
    let verbs = [
        "fix",
        "replace",
        "swap",
        "comment",
        "uncomment",
        "insert",
        "rewrite",
        "refactor",
        "edit",
        "in",
    ];
    let first = without_courtesy(&words).first().copied().unwrap_or_default();
    verbs.contains(&first) || [Some(Deed::Change), Some(Deed::Remove)].contains(&asked_deed(&text))
}

/// Whether a question is about many objects: `every light`, `objects that …`, `what lights …`.
pub(super) fn is_of_many(text: &str) -> bool {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let is_plural =
        |pair: &[&str]| pair[0] == "what" && pair[1].len() > 4 && pair[1].ends_with('s');
    let is_one = words.contains(&"this");
    // `every 2 seconds`, `all fields of the player`
    let is_other = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || ["fields", "values", "properties", "settings", "second", "frame"].contains(&word)
    };
    let behind = |at: usize| words.get(at + 1).is_some_and(|word| is_other(word));
    let mut numbered = words.iter().enumerate();
    let has_many = numbered.any(|(at, word)| MANY.contains(*word) && !behind(at))
        || words.windows(2).any(is_plural);
    has_many && !is_one
}

/// Whether a question is about what a class has: `what signals does Button have`.
pub(super) fn is_of_members(text: &str) -> bool {
    let text = text.to_lowercase();
    text.split(|c: char| !c.is_alphanumeric()).any(|word| MEMBERS.contains(word))
}

/// What a verb does to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Deed {
    Make,
    Remove,
    Change,
    /// Something of its own, for which a tool has the verb.
    Other,
}

/// What a word tells to do; nothing for other words.
pub(super) fn deed(word: &str) -> Option<Deed> {
    let all = [(Deed::Make, &MAKING), (Deed::Remove, &REMOVING), (Deed::Change, &CHANGING)];
    let found = all.into_iter().find(|(_, words)| words.contains(word)).map(|(deed, _)| deed);
    found.or_else(|| TELLING.contains(word).then_some(Deed::Other))
}

/// What the verb of a name tells to do: `addClip` makes one.
pub(super) fn first_deed(name: &str) -> Option<Deed> {
    parts(name).next().and_then(|word| deed(&word))
}

/// What a question tells to do first.
pub(super) fn asked_deed(text: &str) -> Option<Deed> {
    let text = with_phrases(text).to_lowercase().replace(['\'', '’'], "");
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = without_courtesy(&words);
    let first = words.first()?.trim_matches(|c: char| !c.is_alphanumeric());
    let second = words.get(1).copied().unwrap_or_default();
    match deed(first) {
        // `make the light brighter`
        Some(Deed::Make) if first == "make" && THERE.contains(second) => Some(Deed::Change),
        // `give the box a collider`
        Some(Deed::Other) if first == "give" => {
            let new = ["a", "an", "some", "own", "another", "new"];
            let is_new = words.iter().any(|word| new.contains(word));
            Some(if is_new { Deed::Make } else { Deed::Change })
        }
        Some(deed) => Some(deed),
        None if ASKING.contains(first) => None,
        None if has_value(&text) || words.contains(&"too") => Some(Deed::Change),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_asks_or_tells() {
        for (text, expected) in [
            ("Which scenes use this", Some(ASKS)),
            ("can I delete this", Some(ASKS)),
            ("what did you change", Some(ASKS)),
            ("set a property", Some(TELLS)),
            ("How do I move it?", Some(TELLS)),
            ("could you please rename it", Some(TELLS)),
            ("the lamp: turn it up", Some(TELLS)),
            ("guid of a prefab", Some(SEEMS_TO_ASK)),
            ("node tree", None),
            ("the sun should be brighter", Some(SAYS)),
            ("spotlight angle 30", Some(SAYS)),
            ("fog colour purple please", Some(SAYS)),
            ("the handler of this is connected where", Some(ASKS)),
            ("lines 10 to 25 of a script", Some(SEEMS_TO_ASK)),
            ("", None),
        ] {
            assert_eq!(wish(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_done_follows_from_the_verb_and_what_is_behind_it() {
        for (text, expected) in [
            ("make a light", Some(Deed::Make)),
            ("make the light brighter", Some(Deed::Change)),
            ("give the box a collider", Some(Deed::Make)),
            ("kick the collider off the box", Some(Deed::Remove)),
            ("main camera, use 50", Some(Deed::Change)),
            ("upgrade it to 3.0.9", Some(Deed::Other)),
            ("how bright is it", None),
        ] {
            assert_eq!(asked_deed(text), expected, "{text}");
        }
        assert!(!has_value("lines 10 to 25 of a script") && has_value("energy to 0.4"));
        assert!(is_of_many("every light") && !is_of_many("fires every 2 seconds"));
    }
}
