//! Default values, each said once: at the class that declares the property, and again only where a
//! descendant differs.

use std::collections::{BTreeMap, HashMap};

use super::api::PropertyFacts;

/// Values by class and property.
type Values<'a> = BTreeMap<&'a str, BTreeMap<&'a str, String>>;

/// Default values: of each property where it is declared, and where a class differs.
#[derive(Default)]
pub(super) struct Defaults<'a> {
    declared: Values<'a>,
    differing: Values<'a>,
}

impl<'a> Defaults<'a> {
    /// `parents_first` has every class of the engine with its parent.
    pub(super) fn of(
        parents_first: &[(&'a str, &'a str)],
        facts: &'a BTreeMap<String, PropertyFacts>,
    ) -> Defaults<'a> {
        let parent: HashMap<&str, &str> = parents_first.iter().copied().collect();
        let mut defaults = Defaults { declared: common(&parent, facts), ..Defaults::default() };
        for &(class, above) in parents_first {
            let Some(known) = facts.get(class) else { continue };
            let mut differing = BTreeMap::new();
            for (name, value) in &known.defaults {
                let Some(value) = usable(name, value) else { continue };
                let own = defaults.declared(class, name);
                if own.or_else(|| defaults.inherited(above, name, &parent)) != Some(&value) {
                    differing.insert(name.as_str(), value);
                }
            }
            defaults.differing.insert(class, differing);
        }
        defaults
    }

    /// The default of a property in the class that declares it.
    pub(super) fn declared(&self, class: &str, property: &str) -> Option<&String> {
        self.declared.get(class)?.get(property)
    }

    /// Where a class differs from what it inherits.
    pub(super) fn differing(&self, class: &str) -> impl Iterator<Item = (&str, &str)> {
        let rows = self.differing.get(class).into_iter().flatten();
        rows.map(|(property, value)| (*property, value.as_str()))
    }

    fn inherited(
        &self,
        mut class: &'a str,
        property: &str,
        parent: &HashMap<&'a str, &'a str>,
    ) -> Option<&String> {
        loop {
            let differing = self.differing.get(class).and_then(|rows| rows.get(property));
            if let Some(value) = differing.or_else(|| self.declared(class, property)) {
                return Some(value);
            }
            class = parent.get(class)?;
        }
    }
}

/// The commonest value among a declaring class and its descendants. An abstract class has no value
/// of its own, and this way the fewest descendants need a line.
fn common<'a>(
    parent: &HashMap<&'a str, &'a str>,
    facts: &'a BTreeMap<String, PropertyFacts>,
) -> Values<'a> {
    let mut counts: BTreeMap<(&str, &str), BTreeMap<String, usize>> = BTreeMap::new();
    for (class, known) in facts {
        for (name, value) in &known.defaults {
            let mut chain =
                std::iter::successors(Some(class.as_str()), |class| parent.get(class).copied());
            let owner = chain.find(|class| {
                facts.get(*class).is_some_and(|facts| facts.own.iter().any(|row| row.name == *name))
            });
            let (Some(owner), Some(value)) = (owner, usable(name, value)) else { continue };
            *counts.entry((owner, name)).or_default().entry(value).or_default() += 1;
        }
    }
    let mut chosen = Values::new();
    for ((class, name), values) in counts {
        // The class's own value wins; among equals the first in order does.
        let own = facts.get(class).and_then(|facts| facts.defaults.get(name));
        let own = own.and_then(|value| usable(name, value));
        let most = values.into_iter().rev().max_by_key(|(_, count)| *count);
        if let Some(value) = own.or_else(|| most.map(|(value, _)| value)) {
            chosen.entry(class).or_default().insert(name, value);
        }
    }
    chosen
}

/// The value on one line, if it says something. Null does not: every object is null at first, and for
/// other types it means that the class hides the property.
fn usable(property: &str, value: &str) -> Option<String> {
    let said = value != "null" && !property.starts_with('_');
    said.then(|| value.replace('\n', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(own: &[&str], defaults: &[(&str, &str)]) -> PropertyFacts {
        let row = |name: &&str| {
            serde_json::json!({
                "name": name, "type": "int", "class": "", "hint": 0, "hint_text": "", "usage": 6
            })
        };
        let own: Vec<_> = own.iter().map(row).collect();
        let defaults: BTreeMap<_, _> = defaults.iter().copied().collect();
        serde_json::from_value(serde_json::json!({ "own": own, "defaults": defaults }))
            .expect("the shape of the dump")
    }

    #[test]
    fn says_a_value_once_and_where_it_differs() {
        let facts = BTreeMap::from([
            ("Base".to_owned(), facts(&["x"], &[])), // Abstract: no values.
            ("A".to_owned(), facts(&[], &[("x", "1")])),
            ("B".to_owned(), facts(&[], &[("x", "2")])),
            ("C".to_owned(), facts(&[], &[("x", "2")])),
            ("D".to_owned(), facts(&[], &[("x", "2")])), // Below A.
        ]);
        let tree = [("Base", ""), ("A", "Base"), ("B", "Base"), ("C", "Base"), ("D", "A")];
        let defaults = Defaults::of(&tree, &facts);
        assert_eq!(defaults.declared("Base", "x").map(String::as_str), Some("2"));
        let differing = |class| defaults.differing(class).collect::<Vec<_>>();
        assert_eq!(differing("A"), [("x", "1")]);
        assert_eq!(differing("B"), []);
        assert_eq!(differing("D"), [("x", "2")]);
    }
}
