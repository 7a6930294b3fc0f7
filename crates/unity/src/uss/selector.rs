//! Selectors: which elements a rule is for.

use std::fmt;

use crate::uxml::Element;

/// What USS knows of an element's state.
const STATES: [&str; 9] =
    ["hover", "active", "inactive", "focus", "selected", "disabled", "enabled", "checked", "root"];

/// A selector, of which only blanks are lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selector(Vec<Vec<(Combinator, Vec<Part>)>>);

/// How an element stands to the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Combinator {
    Inside,
    Child,
}

/// One thing that must hold for an element.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Any,
    Class(String),
    Style(String),
    Name(String),
    State(String),
}

impl Selector {
    /// Reads a selector, or says what is wrong with it.
    pub fn parse(text: &str) -> Result<Selector, String> {
        text.split(',').map(complex).collect::<Result<_, _>>().map(Selector)
    }

    /// Whether it can be judged by an element alone: no state, and nothing about what it is in.
    pub fn is_simple(&self) -> bool {
        let is_simple =
            |parts: &Vec<Part>| !parts.iter().any(|part| matches!(part, Part::State(_)));
        self.0.iter().all(|list| list.len() == 1 && list.iter().all(|(_, parts)| is_simple(parts)))
    }

    /// Whether it is for an element, which must be [simple](Self::is_simple) to tell.
    pub fn is_for(&self, element: &Element<'_>) -> bool {
        let holds = |part: &Part| match part {
            Part::Any => true,
            Part::Class(class) => element.class() == class,
            Part::Name(name) => element.get("name").is_some_and(|own| own == *name),
            Part::Style(style) => element
                .get("class")
                .is_some_and(|own| own.split_ascii_whitespace().any(|own| own == style)),
            Part::State(_) => false,
        };
        let mut lists = self.0.iter();
        lists.any(|list| list.len() == 1 && list.iter().all(|(_, parts)| parts.iter().all(holds)))
    }
}

fn complex(text: &str) -> Result<Vec<(Combinator, Vec<Part>)>, String> {
    let spaced = text.replace('>', " > ");
    let mut found = Vec::new();
    let mut combinator = None;
    for word in spaced.split_whitespace() {
        if word == ">" {
            if found.is_empty() || combinator.is_some() {
                return Err("> stands between two elements".to_owned());
            }
            combinator = Some(Combinator::Child);
            continue;
        }
        found.push((combinator.take().unwrap_or(Combinator::Inside), compound(word)?));
    }
    match (found.is_empty(), combinator) {
        (true, _) => Err("a selector is empty".to_owned()),
        (_, Some(_)) => Err("> stands between two elements".to_owned()),
        _ => Ok(found),
    }
}

fn compound(word: &str) -> Result<Vec<Part>, String> {
    let mut parts = Vec::new();
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let (mark, behind) = match first {
            '.' | '#' | ':' => (Some(first), &rest[1..]),
            '*' => {
                parts.push(Part::Any);
                rest = &rest[1..];
                continue;
            }
            _ => (None, rest),
        };
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
        let length = behind.find(|c: char| !is_part(c)).unwrap_or(behind.len());
        let (name, after) = behind.split_at(length);
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(format!("{word} is no selector: a name is expected before {behind:?}"));
        }
        let name = name.to_owned();
        parts.push(match mark {
            Some('.') => Part::Style(name),
            Some('#') => Part::Name(name),
            Some(_) if STATES.contains(&name.as_str()) => Part::State(name),
            Some(_) => return Err(format!("USS has no :{name}; it has :{}", STATES.join(", :"))),
            None if parts.is_empty() => Part::Class(name),
            None => return Err(format!("{word} is no selector: a class comes first")),
        });
        rest = after;
    }
    Ok(parts)
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, list) in self.0.iter().enumerate() {
            if place > 0 {
                f.write_str(", ")?;
            }
            for (at, (combinator, parts)) in list.iter().enumerate() {
                match (at, combinator) {
                    (0, _) => {}
                    (_, Combinator::Inside) => f.write_str(" ")?,
                    (_, Combinator::Child) => f.write_str(" > ")?,
                }
                for part in parts {
                    match part {
                        Part::Any => f.write_str("*")?,
                        Part::Class(name) => f.write_str(name)?,
                        Part::Style(name) => write!(f, ".{name}")?,
                        Part::Name(name) => write!(f, "#{name}")?,
                        Part::State(name) => write!(f, ":{name}")?,
                    }
                }
            }
        }
        Ok(())
    }
}
