//! Words as people write them, made comparable: parts of names, endings left out, several words that are
//! one, and others that mean the same. Which words those are is in `tables`.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::tables::{
    ALIKE, AROUND, ASKING, BEHIND, COLOURS, EMPTY, FIELDS, KINDS, PHRASES, SHORT, TELLING, THINGS,
    WHERE, WHOLE, Words,
};

/// The words of a text or a name, in order, by their stems.
pub(super) fn stems(text: &str) -> Vec<String> {
    parts(text).map(|word| stem(&word)).collect()
}

/// A question with several words that are one as that one: `get rid of it` is `remove it`.
pub(super) fn with_phrases(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    // `make it look like night` asks for no picture.
    let makes = words.first().is_some_and(|word| word.eq_ignore_ascii_case("make"));
    for (phrase, meant) in PHRASES.iter().filter(|(_, meant)| !makes || *meant != "screenshot") {
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
        let is_version =
            name.matches('.').count() > 1 && name.starts_with(|c: char| c.is_ascii_digit());
        plain.push_str(match kind_of(word) {
            Some(kind) => kind,
            None if is_version => "version",
            None if ["Assets/", "Packages/", "res://"]
                .iter()
                .any(|root| name.starts_with(root)) =>
            {
                "folder"
            }
            None if word.len() > 1 && word.trim_end_matches(['.', ',', '?']).ends_with('/') => {
                "folder"
            }
            None if name.eq_ignore_ascii_case("c") && word.ends_with('#') => "csharp",
            None => SHORT.iter().find(|(short, _)| *short == name).map_or(word, |(_, long)| long),
        });
        plain.push(' ');
    }
    plain
}

/// What a file is, by its name.
pub(super) fn kind_of(word: &str) -> Option<&'static str> {
    let name = word.trim_matches(|c: char| !c.is_alphanumeric());
    let end = name.rsplit_once('.')?.1.to_lowercase();
    KINDS.iter().find(|(_, ends)| ends.contains(&&*end)).map(|(kind, _)| *kind)
}

/// A question with the names of somebody's code as `symbol`, and `method()` as a method.
pub(super) fn with_symbols(text: &str, is_own: &dyn Fn(&str) -> bool) -> String {
    let mut plain = with_kinds(text);
    if text.split_whitespace().any(|word| kind_of(word).is_some()) {
        plain.push_str("file");
    }
    let shown = plain.split_whitespace().map(|word| {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
        match (is_code(name) && !is_own(name), word.contains("()")) {
            (true, true) => "symbol function",
            (true, false) => "symbol",
            (false, true) => "function",
            (false, false) => word,
        }
    });
    shown.collect::<Vec<_>>().join(" ")
}

/// Whether a word is written as code has it: `takeDamage`, `take_damage`.
fn is_code(word: &str) -> bool {
    let mut humps = word.chars().zip(word.chars().skip(1));
    humps.any(|(one, two)| one.is_lowercase() && two.is_uppercase())
        || word.trim_matches('_').contains('_')
}

/// How much a word of a question says. Names of somebody's classes, objects and variables, such as
/// `TakeDamage`, `health_changed` and `Player`, are about what the tool is given.
fn share_of(word: &str, is_first: bool, is_own: &dyn Fn(&str) -> bool) -> f32 {
    let mut letters = word.chars();
    let is_capital = letters.next().is_some_and(char::is_uppercase);
    let is_name = is_capital && !is_first && letters.next().is_some_and(char::is_lowercase);
    let is_theirs = if is_code(word) { !is_own(word) } else { is_name };
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
    let (mut said, mut where_at, mut is_clause, mut is_quoted) = (0, None, false, false);
    for (number, word) in text.split_whitespace().enumerate() {
        let name = word.trim_matches(|c: char| !c.is_alphanumeric());
        let share = share_of(name, number == 0, is_own);
        // What is quoted is a value.
        is_quoted |= number > 0 && word.starts_with(['"', '“']);
        let share = if is_quoted { share.min(NAME_SHARE) } else { share };
        is_quoted &= !word.trim_end_matches(['.', ',', '?', '!']).ends_with(['"', '”']);
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

/// Small words that say how the others belong together.
pub(super) fn links(text: &str) -> impl Iterator<Item = &'static str> {
    const LINKS: &[&str] = &[
        "after", "before", "from", "until", "when", "where", "while", "who", "without", "first",
        "between", "you", "does",
    ];
    let words: HashSet<String> =
        text.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    let is_quoted = text.matches('"').count() > 1;
    let links = LINKS.iter().copied().filter(move |link| words.contains(*link));
    links.chain(is_quoted.then_some("quoted"))
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
pub(super) fn parts(text: &str) -> impl Iterator<Item = String> {
    let humps = text.split(|c: char| !c.is_alphanumeric()).flat_map(humps);
    humps.flat_map(without_dimension).filter(|word| !word.is_empty())
}

/// `camera2d` is a camera, and of two dimensions.
fn without_dimension(word: String) -> [String; 2] {
    // `Area2Ds` are several.
    let one = word.strip_suffix('s').filter(|one| one.ends_with("2d") || one.ends_with("3d"));
    let word = one.map_or_else(|| word.clone(), str::to_owned);
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

/// Whether a stem is of a word that the tables have.
pub(super) fn is_word(stem: &str) -> bool {
    static TELLS: LazyLock<HashSet<String>> = LazyLock::new(|| {
        [&TELLING, &ASKING, &EMPTY, &COLOURS].into_iter().flat_map(stems_of).collect()
    });
    TELLS.contains(stem) || is_thing(stem) || !alike(stem).is_empty() || !said(stem).is_empty()
}

/// A word without the endings of English. What takes something away is one word: names of tools have
/// different ones for the same.
fn stem(word: &str) -> String {
    let stem = plain_stem(word);
    match SAME.iter().find(|(_, stems)| stems.contains(&&*stem)) {
        Some((same, _)) => (*same).to_owned(),
        None => stem,
    }
}

/// Stems that are one: verbs that say no more than another does.
const SAME: &[(&str, &[&str])] = &[
    (
        "remov",
        &[
            "delet", "eras", "destroy", "ditch", "nuk", "wip", "scrap", "toss", "purg", "axe",
            "trash", "bin", "discard",
        ],
    ),
    ("add", &["slap", "stick", "plop", "chuck"]),
    ("chang", &["bump", "crank", "tweak", "adjust", "alter", "boost", "nudg", "modify", "modifi"]),
    ("detach", &["unattach"]),
    ("disconnect", &["unhook", "unwir", "unsubscrib"]),
    ("swap", &["exchang", "swapp"]),
    ("grab", &["fetch", "obtain"]),
    ("new", &["newest", "newer", "latest", "fresh"]),
];

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
    // `safely` is `safe`.
    if let Some(rest) = end("ly", 4) {
        return plain_stem(rest);
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
    fn files_and_code_are_what_they_are() {
        for (text, expected) in [
            ("who calls TakeDamage", "who calls symbol"),
            ("rename take_damage()", "rename symbol function"),
            ("open player.gd", "open script file"),
            ("what is in Assets/Audio", "what is in folder"),
            ("main camera FOV", "main camera field of view"),
        ] {
            assert_eq!(with_symbols(text, &|_| false), expected);
        }
        assert_eq!(links("when \"a\" from").collect::<Vec<_>>(), ["from", "when", "quoted"]);
        assert_eq!(stems("Area2Ds"), stems("Area2D"));
        assert_eq!((stem("nuke"), stem("safely")), (stem("delete"), stem("safe")));
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
