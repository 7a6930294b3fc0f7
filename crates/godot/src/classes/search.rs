//! Finding a class or a member by parts of its name.

use super::{Class, Classes};

/// A class or a member that was looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hit {
    /// The class.
    pub class: &'static str,
    /// What was found in it; nothing when it is the class itself.
    pub member: Option<&'static str>,
    /// What it is.
    pub kind: Kind,
}

/// What a search can find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Kind {
    Class,
    Property,
    Signal,
    Method,
    Enum,
    Constant,
}

/// Each is looked for in every name there is.
const MOST_WORDS: usize = 16;

pub(super) fn search(classes: &Classes, words: &str, limit: usize) -> Vec<Hit> {
    let words = words.split_whitespace().take(MOST_WORDS);
    let words: Vec<String> = words.map(str::to_ascii_lowercase).collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    for class in classes.all() {
        let name = class.name.to_ascii_lowercase();
        let scores: Vec<Option<u32>> = words.iter().map(|word| score(&name, word)).collect();
        // Its members are not searched for words that the class has all by itself.
        if let Some(total) = scores.iter().copied().sum::<Option<u32>>() {
            let hit = Hit { class: class.name, member: None, kind: Kind::Class };
            found.push((total, name.len(), hit));
            continue;
        }
        for (kind, member) in members(class) {
            let member_name = member.to_ascii_lowercase();
            let best = words.iter().zip(&scores).map(|(word, of_class)| {
                [score(&member_name, word), *of_class].into_iter().flatten().min()
            });
            if let Some(total) = best.sum::<Option<u32>>() {
                let hit = Hit { class: class.name, member: Some(member), kind };
                found.push((total, name.len() + member.len(), hit));
            }
        }
    }
    found.sort_by_key(|(total, length, hit)| {
        (*total, hit.member.is_some(), *length, hit.class, hit.member)
    });
    found.into_iter().map(|(.., hit)| hit).take(limit).collect()
}

/// How well a word fits a name, smaller is better: the whole name, its beginning, any part of it.
fn score(name: &str, word: &str) -> Option<u32> {
    match name.find(word)? {
        0 if name.len() == word.len() => Some(0),
        0 => Some(1),
        _ => Some(2),
    }
}

fn members(class: &Class) -> impl Iterator<Item = (Kind, &'static str)> {
    let enums = class.enums();
    let values = enums.iter().flat_map(|it| &it.constants).chain(class.constants());
    let properties = class.properties().iter().map(|it| (Kind::Property, it.name));
    let signals = class.signals().iter().map(|it| (Kind::Signal, it.name));
    let methods = class.methods().iter().map(|it| (Kind::Method, it.name));
    properties
        .chain(signals)
        .chain(methods)
        .chain(enums.iter().map(|it| (Kind::Enum, it.name)))
        .chain(values.map(|it| (Kind::Constant, it.name)))
}

#[cfg(test)]
mod tests {
    use super::super::Version;
    use super::*;

    fn check(words: &str, expected: &[&str]) {
        let hits = Classes::of(Version::V4_6).search(words, 3);
        let shown: Vec<String> = hits
            .iter()
            .map(|hit| match hit.member {
                Some(member) => format!("{:?} {}.{member}", hit.kind, hit.class),
                None => format!("{:?} {}", hit.kind, hit.class),
            })
            .collect();
        assert_eq!(shown, expected);
    }

    #[test]
    fn finds_classes_before_members() {
        check("sprite2d", &["Class Sprite2D", "Class AnimatedSprite2D"]);
        check("nine patch rect", &["Class NinePatchRect"]);
    }

    #[test]
    fn finds_members_by_class_and_name() {
        check("timer timeout", &["Signal Timer.timeout", "Signal SceneTreeTimer.timeout"]);
        check("characterbody2d move slide", &["Method CharacterBody2D.move_and_slide"]);
        check("body_entered area2d", &["Signal Area2D.body_entered"]);
    }

    #[test]
    fn finds_nothing_for_nothing() {
        check("  ", &[]);
        check("zzzz", &[]);
    }
}
