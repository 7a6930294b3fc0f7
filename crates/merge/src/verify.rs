//! Whether a result holds what both inputs held: nothing may be broken that was whole in both.

use std::collections::HashSet;

use scenewright_godot as godot;
use scenewright_unity as unity;

use crate::language::Language;

/// What can be broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Breach {
    /// An identity occurs twice.
    Twice,
    /// A reference leads nowhere.
    Dangling,
    /// What it is below of is not there.
    Orphan,
    /// What it belongs to does not list it.
    NotListed,
    /// It has another parent than the one that lists it.
    OtherParent,
    /// It is below itself.
    Circle,
    /// It cannot be read.
    Unreadable,
}

/// Something that is broken.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Finding {
    pub(crate) breach: Breach,
    /// Where.
    pub(crate) object: String,
    /// What is missing, or the other object.
    pub(crate) other: String,
}

impl Finding {
    pub(crate) fn of(breach: Breach, object: impl ToString, other: &str) -> Finding {
        Finding { breach, object: object.to_string(), other: other.to_owned() }
    }

    /// The finding in words.
    pub(crate) fn words(&self) -> String {
        let Finding { object, other, .. } = self;
        match self.breach {
            Breach::Twice => format!("{object} would be there twice"),
            Breach::Dangling => format!("{object} refers to {other}, which is deleted"),
            Breach::Orphan => format!("{object} is below {other}, which is deleted"),
            Breach::NotListed => format!("{other} does not list {object}"),
            Breach::OtherParent => format!("{other} lists {object}, whose parent is another"),
            Breach::Circle => format!("{object} and {other} would be below each other"),
            Breach::Unreadable => other.clone(),
        }
    }
}

/// What is broken in the result and was whole in ours and theirs.
pub(crate) fn new_findings(language: Language, result: &[u8], inputs: [&[u8]; 2]) -> Vec<Finding> {
    let mut found = findings(language, result);
    for input in inputs {
        if found.is_empty() {
            break;
        }
        let before = findings(language, input);
        found.retain(|finding| !before.contains(finding));
    }
    let mut found: Vec<Finding> = found.into_iter().collect();
    found.sort();
    found
}

fn findings(language: Language, bytes: &[u8]) -> HashSet<Finding> {
    let unreadable = |text: String| HashSet::from([Finding::of(Breach::Unreadable, "", &text)]);
    match language {
        Language::Unity => {
            let document = unity::Document::parse(bytes);
            match document
                .outline_problems()
                .into_iter()
                .find(|problem| !problem.message.contains("second time"))
            {
                Some(problem) => unreadable(problem.message),
                None => crate::unity::verify::findings(&document),
            }
        }
        Language::Godot { is_config, .. } => {
            let form = if is_config { godot::Form::Config } else { godot::Form::Resource };
            let document = godot::Document::parse(bytes, form);
            match document.problems().iter().find(|problem| problem.is_unread()) {
                Some(problem) => unreadable(problem.message.clone()),
                None if is_config => HashSet::new(),
                None => crate::godot::verify::findings(&document),
            }
        }
        Language::Json => match scenewright_text::read_json(bytes) {
            Ok(_) => HashSet::new(),
            Err(error) => unreadable(error),
        },
    }
}
