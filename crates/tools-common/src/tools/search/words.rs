//! Words as people write them, made comparable: parts of names, endings left out, several words that are
//! one, and others that mean the same. Which words those are is in `tables`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::tables::{
    ALIKE, AROUND, ASKING, BEHIND, CHANGING, EMPTY, FIELDS, KINDS, MAKING, MANY, MEMBERS, PHRASES,
    POLITE, REMOVING, TELLING, THINGS, WHERE, WHOLE, Words,
};

/// The words of a text or a name, in order, by their stems.
pub(super) fn stems(text: &str) -> Vec<String> {
    parts(text).map(|word| stem(&word)).collect()
}

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
const SEEMS_TO_ASK: Wish = Wish { changes: false, others: 0.8 };

/// Whether a question asks for something to be told, or to be done; nothing when it may be both.
pub(super) fn wish(text: &str) -> Option<Wish> {
    let text = text.to_lowercase().replace(['\'', '’'], "");
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<&str> = words.collect();
    let words = without_courtesy(&words);
    let first = *words.first()?;
    if ["can", "could", "may", "should"].contains(&first) || ASKING.contains(first) {
        return Some(ASKS);
    }
    if TELLING.contains(first) {
        return Some(TELLS);
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

/// A question with several words that are one as that one: `get rid of it` is `remove it`.
fn with_phrases(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    for (phrase, meant) in PHRASES {
        let parts: Vec<&str> = phrase.split(' ').collect();
        while let Some(at) = places(&words, &parts) {
            for place in at.iter().skip(1).rev() {
                words.remove(*place);
            }
            words[at[0]] = meant;
        }
    }
    words.join(" ")
}

/// Where the parts of a phrase are, one behind the other; the last of two may be a little later.
fn places(words: &[&str], parts: &[&str]) -> Option<Vec<usize>> {
    const APART: usize = 3;
    let is = |word: &str, part: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        word.eq_ignore_ascii_case(part)
    };
    let (first, rest) = parts.split_first()?;
    let may_be_apart = matches!(rest, [last] if BEHIND.contains(last));
    let reach = if may_be_apart { 1 + APART } else { 1 };
    (0..words.len()).filter(|start| is(words[*start], first)).find_map(|start| {
        let mut at = vec![start];
        for part in rest {
            let from = at.last()? + 1;
            let near = words.iter().enumerate().skip(from).take(reach);
            at.push(near.into_iter().find(|(_, word)| is(word, part))?.0);
        }
        Some(at)
    })
}

/// A question with the files in it as what they are: `errors in player.gd` is about a script.
fn with_kinds(text: &str) -> String {
    let mut plain = String::new();
    for word in text.split_whitespace() {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric());
        let end = name.rsplit_once('.').map(|(_, end)| end.to_lowercase());
        let kind = end.and_then(|end| KINDS.iter().find(|(_, ends)| ends.contains(&&*end)));
        plain.push_str(match kind {
            Some((kind, _)) => kind,
            None if name.eq_ignore_ascii_case("c") && word.ends_with('#') => "csharp",
            None => word,
        });
        plain.push(' ');
    }
    plain
}

/// How much a word of a question says. Names of somebody's classes, objects and variables, such as
/// `TakeDamage`, `health_changed` and `Player`, are about what the tool is given.
fn share_of(word: &str, is_first: bool, is_own: &dyn Fn(&str) -> bool) -> f32 {
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    let is_name = is_capital && !is_first && letters.next().is_some_and(char::is_lowercase);
    let mut humps = word.chars().zip(word.chars().skip(1));
    let is_code = humps.any(|(one, two)| one.is_lowercase() && two.is_uppercase())
        || word.trim_matches('_').contains('_');
    let is_theirs = if is_code { !is_own(word) } else { is_name };
    if is_theirs { NAME_SHARE } else { 1.0 }
}

/// What a name counts in a question.
const NAME_SHARE: f32 = 0.4;

/// What one of the things counts that games are full of.
const THING_SHARE: f32 = 0.6;

/// Whether a word says nothing about what a tool does.
fn says_nothing(word: &str) -> bool {
    EMPTY.contains(word)
}

fn is_thing(stem: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems_of(&THINGS));
    STEMS.contains(stem)
}

fn is_around(stem: &str) -> bool {
    static STEMS: LazyLock<HashSet<String>> = LazyLock::new(|| stems_of(&AROUND));
    STEMS.contains(stem)
}

fn stems_of(words: &Words) -> HashSet<String> {
    words.iter().map(|word| stem(word)).collect()
}

/// What words count in a clause: `a script that moves a platform`.
const CLAUSE_SHARE: f32 = 0.6;
/// What words count that only tell where something is: `… in my project`.
const AROUND_SHARE: f32 = 0.4;
/// So many words after `in` or `from` can be where something is.
const NEAR: usize = 3;
/// What is asked for comes first; what comes behind so many words counts less.
const FIRST_WORDS: usize = 4;
const LATER_SHARE: f32 = 0.7;

/// The stems of a question and how much each counts: without words that say nothing, unless it has no
/// others. `is_own` tells names that tools have.
pub(super) fn asked(text: &str, most: usize, is_own: &dyn Fn(&str) -> bool) -> Vec<(String, f32)> {
    let text = with_kinds(&with_phrases(text));
    let mut all: Vec<(String, f32)> = Vec::new();
    let (mut said, mut where_at, mut is_clause) = (0, None, false);
    for (number, word) in text.split_whitespace().enumerate() {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric());
        let share = share_of(name, number == 0, is_own);
        let parts: Vec<String> = parts(word).collect();
        // A name of many words is still one name.
        let share =
            if share < 1.0 && parts.len() > 2 { share * 2.0 / parts.len() as f32 } else { share };
        let is_near = where_at.is_some_and(|at| number - at <= NEAR);
        for part in parts {
            let stem = stem(&part);
            let mut share = share;
            if !says_nothing(&part) {
                if is_thing(&stem) {
                    share = share.min(THING_SHARE);
                }
                if is_near && said > 0 && is_around(&stem) {
                    share = share.min(AROUND_SHARE);
                }
                said += 1;
                share *= if said > FIRST_WORDS { LATER_SHARE } else { 1.0 };
                share *= if is_clause { CLAUSE_SHARE } else { 1.0 };
            }
            all.push((part, share));
        }
        is_clause |= said > 0 && ["that", "which"].contains(&name.to_lowercase().as_str());
        if WHERE.contains(name.to_lowercase().as_str()) {
            where_at = Some(number);
        }
    }
    all.truncate(most);
    let is_empty = all.iter().all(|(word, _)| says_nothing(word));
    let mut seen = HashSet::new();
    all.into_iter()
        .filter(|(word, _)| is_empty || !says_nothing(word))
        .map(|(word, share)| (stem(&word), share))
        .filter(|(stem, _)| seen.insert(stem.clone()))
        .collect()
}

/// The words of a text that stand side by side, but for those that say nothing.
pub(super) fn pairs(text: &str) -> HashSet<(String, String)> {
    let stems: Vec<String> =
        parts(text).filter(|word| !says_nothing(word)).map(|word| stem(&word)).collect();
    stems.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect()
}

/// Other words that mean the same, by their stems.
pub(super) fn alike(word: &str) -> &'static [String] {
    static BY_STEM: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
        let mut all: HashMap<String, Vec<String>> = HashMap::new();
        for group in ALIKE {
            let stems: Vec<String> = group.split(' ').map(stem).collect();
            for stem in &stems {
                let others = stems.iter().filter(|other| *other != stem).cloned();
                all.entry(stem.clone()).or_default().extend(others);
            }
        }
        all
    });
    BY_STEM.get(word).map_or(&[], Vec::as_slice)
}

/// `getNodeTree`, `get_node_tree` and `get node tree` are the same three words.
fn parts(text: &str) -> impl Iterator<Item = String> {
    let humps = text.split(|c: char| !c.is_alphanumeric()).flat_map(humps);
    humps.flat_map(without_dimension).filter(|word| !word.is_empty())
}

/// `camera2d` is a camera, and of two dimensions.
fn without_dimension(word: String) -> [String; 2] {
    let end = ["2d", "3d"].into_iter().find(|end| word.len() > end.len() && word.ends_with(end));
    match end {
        Some(end) => [word[..word.len() - end.len()].to_owned(), end.to_owned()],
        None => [word, String::new()],
    }
}

fn humps(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let (mut was_small, mut before) = (false, ' ');
    for c in name.chars() {
        let is_dimension = c == 'D' && ['2', '3'].contains(&before);
        if c.is_uppercase() && was_small && !is_dimension {
            words.push(String::new());
        }
        (was_small, before) = (c.is_lowercase() || c.is_numeric(), c);
        if let Some(word) = words.last_mut() {
            word.extend(c.to_lowercase());
        }
    }
    // `RigidBody` and `GameObject` are also known as one word.
    let joined: String = words.concat();
    if words.len() == 2 {
        words.push(joined);
    }
    words
}

/// The stems of a name of a class or a field, but for what names have and questions leave out.
pub(super) fn name_stems(name: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for part in name.split(|c: char| !c.is_alphanumeric()) {
        let mut letter = String::new();
        for hump in plain_humps(part) {
            // `vSync` is one word, and `flip_h` two.
            let word = std::mem::take(&mut letter) + &hump;
            match word.chars().count() {
                1 => letter = word,
                _ => found.push(word),
            }
        }
        found.extend(Some(letter).filter(|letter| !letter.is_empty() && letter != "m"));
    }
    let is_said = |word: &String| !says_nothing(word) && !["2d", "3d"].contains(&&**word);
    let has_words = found.iter().any(is_said);
    found.iter().filter(|word| !has_words || is_said(word)).map(|word| stem(word)).collect()
}

/// The parts of a name, without those that are written together.
fn plain_humps(name: &str) -> Vec<String> {
    let mut words = humps(name);
    if words.len() == 3 && words[2] == words[..2].concat() {
        words.pop();
    }
    words.into_iter().flat_map(without_dimension).filter(|word| !word.is_empty()).collect()
}

/// Other words for what a field is, by their stems: who says `bright` means an intensity.
pub(super) fn said(word: &str) -> &'static [String] {
    static BY_STEM: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
        let mut all: HashMap<String, Vec<String>> = HashMap::new();
        for group in FIELDS {
            let (meant, said) = group.split_once(':').unwrap_or((group, ""));
            let meant: Vec<String> = meant.split_whitespace().map(stem).collect();
            for word in said.split_whitespace().map(stem) {
                all.entry(word).or_default().extend(meant.iter().cloned());
            }
        }
        all
    });
    BY_STEM.get(word).map_or(&[], Vec::as_slice)
}

/// Whether a question is about many objects: `every light`, `objects that …`, `what lights …`.
pub(super) fn is_of_many(text: &str) -> bool {
    let text = text.to_lowercase();
    let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
    let is_plural =
        |pair: &[&str]| pair[0] == "what" && pair[1].len() > 4 && pair[1].ends_with('s');
    let is_one = words.contains(&"this");
    let has_many = words.iter().any(|word| MANY.contains(*word)) || words.windows(2).any(is_plural);
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
    let text = text.to_lowercase().replace(['\'', '’'], "");
    let words: Vec<&str> = text.split_whitespace().collect();
    without_courtesy(&words).first().and_then(|word| deed(word))
}

/// A word without the endings of English. What takes something away is one word: names of tools have
/// different ones for the same.
fn stem(word: &str) -> String {
    match plain_stem(word) {
        stem if ["delet", "eras", "destroy"].contains(&&*stem) => "remov".to_owned(),
        stem => stem,
    }
}

fn plain_stem(word: &str) -> String {
    if WHOLE.contains(word) {
        return word.to_owned();
    }
    let end = |tail: &str, least: usize| {
        word.strip_suffix(tail).filter(|rest| rest.chars().count() >= least)
    };
    if let Some(rest) = end("ies", 2) {
        return format!("{rest}y");
    }
    let is_hissing = |rest: &&str| ["s", "x", "z", "ch", "sh"].iter().any(|e| rest.ends_with(e));
    if let Some(rest) = end("es", 3).filter(is_hissing) {
        return rest.to_owned();
    }
    if let Some(rest) = end("s", 3).filter(|rest| !rest.ends_with(['s', 'u', 'i'])) {
        return plain_stem(rest);
    }
    for tail in ["ing", "ed"] {
        if let Some(rest) = end(tail, 3) {
            return undoubled(rest);
        }
    }
    // `create`, `created` and `creating` meet.
    end("e", 3).map_or_else(|| word.to_owned(), str::to_owned)
}

/// `run`, as `running` has two of them.
fn undoubled(word: &str) -> String {
    let mut last = word.chars().rev();
    match (last.next(), last.next()) {
        (Some(one), Some(two)) if one == two && !"lsz".contains(one) => {
            word[..word.len() - one.len_utf8()].to_owned()
        }
        _ => word.strip_suffix('e').unwrap_or(word).to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_a_word_meet() {
        for forms in [
            &["create", "creates", "created", "creating"][..],
            &["property", "properties"],
            &["class", "classes"],
            &["run", "runs", "running"],
            &["setting", "settings"],
            &["usage", "usages"],
            &["mesh", "meshes"],
        ] {
            let stems: HashSet<String> = forms.iter().map(|word| stem(word)).collect();
            assert_eq!(stems.len(), 1, "{forms:?} {stems:?}");
        }
        assert_ne!(stem("setting"), stem("set"));
    }

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
            ("", None),
        ] {
            assert_eq!(wish(text), expected, "{text}");
        }
    }

    #[test]
    fn several_words_can_be_one() {
        for (text, expected) in [
            ("get rid of the lamp", "remove the lamp"),
            ("take the script off", "remove the script"),
            ("take it all the way and then off", "take it all the way and then off"),
            ("Look at the Game Object, please", "look the gameobject please"),
        ] {
            assert_eq!(with_phrases(text), expected);
        }
    }

    #[test]
    fn what_games_are_full_of_counts_less_than_what_is_asked() {
        let found = asked("delete the sword", 9, &|_| false);
        assert_eq!(found, [("remov".to_owned(), 1.0), ("sword".to_owned(), THING_SHARE)]);
        let found = asked("delete textures in my project", 9, &|_| false);
        assert_eq!(found[2], ("project".to_owned(), AROUND_SHARE));
        // Alone it is what is asked about.
        assert_eq!(asked("project", 9, &|_| false)[0].1, 1.0);
    }

    #[test]
    fn names_are_their_words() {
        assert_eq!(stems("get_node_tree"), ["get", "nod", "tre"]);
        assert_eq!(stems("getNodeTree"), stems("get node tree"));
        assert_eq!(stems("RigidBody2D"), ["rigid", "body", "2d", "rigidbody", "2d"]);
        assert_eq!(stems("camera3d"), ["camera", "3d"]);
        assert_eq!(name_stems("RigidBody2D"), ["rigid", "body"]);
        assert_eq!(name_stems("vSyncCount"), ["vsync", "count"]);
        assert_eq!(name_stems("m_IsTrigger"), ["trigger"]);
        let words = |text: &str| -> Vec<String> {
            asked(text, 9, &|_| false).into_iter().map(|(word, _)| word).collect()
        };
        assert_eq!(words("what is the"), stems("what is the"));
        assert_eq!(words("find the node, the Node"), ["find", "nod"]);
        assert_eq!(words("errors in res://scripts/player.gd"), ["error", "script"]);
        assert_eq!(words("project.info"), stems("project info"));
        let shares: Vec<f32> = asked("Callers of takeDamage on Player", 9, &|_| false)
            .into_iter()
            .map(|(_, share)| share)
            .collect();
        // `take`, `Damage` and both together are one name.
        let part = NAME_SHARE * 2.0 / 3.0;
        assert_eq!(shares, [1.0, part, part, part, NAME_SHARE * LATER_SHARE]);
        assert_eq!(asked("get_node_tree", 9, &|_| true)[0], ("nod".to_owned(), 1.0));
        // A word that tools have, too, and here somebody's.
        assert_eq!(asked("rename Player", 9, &|_| true)[1], ("player".to_owned(), NAME_SHARE));
    }
}
