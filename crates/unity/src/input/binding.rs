//! A binding that is to be made: of one control, or a composite of several.

use super::{Binding, Ids};
use crate::edit::scene::Refusal;

/// The parts of the composites that the Input System has, in its order.
const COMPOSITES: [(&str, &[&str]); 10] = [
    ("1DAxis", &["negative", "positive"]),
    ("Axis", &["negative", "positive"]),
    ("2DVector", &["up", "down", "left", "right"]),
    ("Dpad", &["up", "down", "left", "right"]),
    ("3DVector", &["up", "down", "left", "right", "forward", "backward"]),
    ("OneModifier", &["modifier", "binding"]),
    ("TwoModifiers", &["modifier1", "modifier2", "binding"]),
    ("ButtonWithOneModifier", &["modifier", "button"]),
    ("ButtonWithTwoModifiers", &["modifier1", "modifier2", "button"]),
    ("Vector3Fallback", &["first", "second", "third"]),
];

/// A binding that is to be made.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewBinding {
    /// The control; empty for a composite.
    pub path: String,
    /// The composite that it is.
    pub composite: Option<Composite>,
    /// The control schemes that it is for, with `;` between them; of a composite, its parts.
    pub groups: String,
    /// What has to happen.
    pub interactions: String,
    /// What is done to values.
    pub processors: String,
}

/// Several controls that are one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Composite {
    /// Its kind, perhaps with parameters: `2DVector(mode=1)`.
    pub kind: String,
    /// What it is called; its kind in plain words by default.
    pub name: Option<String>,
    /// Its parts, each with one control; a part may come several times.
    pub parts: Vec<NewPart>,
}

/// A part of a composite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewPart {
    /// Which one.
    pub name: String,
    /// The control.
    pub path: String,
    /// The control schemes that it is for, where they are others than those of the composite.
    pub groups: Option<String>,
    /// What has to happen to it alone.
    pub interactions: String,
    /// What is done to its values alone.
    pub processors: String,
}

impl NewBinding {
    /// The entries of the file that it is.
    pub(super) fn lines(&self, action: &str, ids: Ids<'_>) -> Result<Vec<Binding>, Refusal> {
        let own = Binding {
            id: ids()?,
            path: self.path.clone(),
            interactions: self.interactions.clone(),
            processors: self.processors.clone(),
            action: action.to_owned(),
            ..Binding::default()
        };
        let Some(composite) = &self.composite else {
            return Ok(vec![Binding { groups: self.groups.clone(), ..own }]);
        };
        let parts = composite.parts()?;
        let name = composite.name.clone().unwrap_or_else(|| in_words(composite.bare()));
        let path = composite.kind.clone();
        let mut lines = vec![Binding { name, path, is_composite: true, ..own }];
        for part in parts {
            lines.push(Binding {
                name: part.name,
                id: ids()?,
                path: part.path,
                interactions: part.interactions,
                processors: part.processors,
                groups: part.groups.unwrap_or_else(|| self.groups.clone()),
                action: action.to_owned(),
                is_composite: false,
                is_part_of_composite: true,
            });
        }
        Ok(lines)
    }
}

impl Composite {
    /// The kinds that the Input System has.
    pub fn kinds() -> impl Iterator<Item = &'static str> {
        COMPOSITES.iter().map(|(kind, _)| *kind)
    }

    /// Its kind, when the Input System has none of that name.
    pub fn unknown(&self) -> Option<&str> {
        let is_known = Composite::kinds().any(|kind| kind.eq_ignore_ascii_case(self.bare()));
        (!is_known).then(|| self.bare())
    }

    /// Its kind without parameters.
    fn bare(&self) -> &str {
        self.kind.split('(').next().unwrap_or(&self.kind).trim()
    }

    /// Its parts in the order of the Input System. Of a composite that is not known here, they are
    /// as they are given.
    fn parts(&self) -> Result<Vec<NewPart>, Refusal> {
        if self.bare().is_empty() {
            return Err(Refusal::new("the composite has no type")
                .choices("", Composite::kinds().map(str::to_owned).collect()));
        }
        if self.parts.is_empty() {
            return Err(Refusal::new(format!("{} has no parts", self.kind))
                .hint("parts has the control of each: {\"up\": \"<Keyboard>/w\", …}"));
        }
        let known = COMPOSITES.iter().find(|(kind, _)| kind.eq_ignore_ascii_case(self.bare()));
        let Some((kind, names)) = known else { return Ok(self.parts.clone()) };
        let mut parts: Vec<(usize, NewPart)> = Vec::new();
        for part in &self.parts {
            let place = names.iter().position(|name| name.eq_ignore_ascii_case(&part.name));
            let place = place.ok_or_else(|| {
                let names = names.iter().map(|name| (*name).to_owned()).collect();
                let text = format!("{kind} has no part {}", part.name);
                Refusal::new(text).choices(&part.name, names)
            })?;
            parts.push((place, NewPart { name: names[place].to_owned(), ..part.clone() }));
        }
        parts.sort_by_key(|(place, _)| *place);
        Ok(parts.into_iter().map(|(_, part)| part).collect())
    }
}

/// Refuses what is no path of a control: `<Keyboard>/w`, `*/{Submit}`, `/Mouse/position`.
pub fn check_path(path: &str) -> Result<(), Refusal> {
    let is_whole = match path.strip_prefix('<') {
        Some(rest) => rest.find('>').is_some_and(|end| end > 0),
        None => path.starts_with(['*', '/']) && path.len() > 1,
    };
    if is_whole && path == path.trim() && !path.contains(['\n', '\r']) {
        return Ok(());
    }
    Err(Refusal::new(format!("'{path}' is no path of a control"))
        .hint("nothing was changed; one begins with a device: <Keyboard>/w, <Gamepad>/buttonSouth"))
}

/// The name of a kind as Unity shows it: `2DVector` is `2D Vector`.
fn in_words(kind: &str) -> String {
    let letters: Vec<char> = kind.chars().collect();
    let mut words = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| letters[at]);
        let starts = before.is_some_and(|before| match letter {
            letter if letter.is_ascii_digit() => before.is_lowercase(),
            letter if letter.is_uppercase() => {
                before.is_lowercase() || letters.get(at + 1).is_some_and(|next| next.is_lowercase())
            }
            _ => false,
        });
        if starts {
            words.push(' ');
        }
        words.push(*letter);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_shown_as_unity_shows_them() {
        let shown = ["2DVector", "1DAxis", "OneModifier", "Vector3Fallback", "Dpad"].map(in_words);
        assert_eq!(shown, ["2D Vector", "1D Axis", "One Modifier", "Vector 3 Fallback", "Dpad"]);
    }

    #[test]
    fn paths_begin_with_a_device() {
        for good in
            ["<Keyboard>/w", "*/{Submit}", "<Gamepad>", "/Mouse/position", "<XR>{LeftHand}/x"]
        {
            check_path(good).unwrap();
        }
        for bad in ["", "w", "Keyboard/w", "<>/w", "<Keyboard", " <Keyboard>/w", "*", "/"] {
            check_path(bad).unwrap_err();
        }
    }
}
