//! Whether a result holds what both inputs held: nothing may be broken that was whole in both.

use std::collections::HashSet;

use scenewright_godot as godot;
use scenewright_unity as unity;

use crate::godot::derive::derive;
use crate::items::Draft;
use crate::language::Language;
use crate::model::Version;

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

/// What is known of ours when a result is judged.
pub(crate) struct Near<'a> {
    /// Ours, where it stands in the result as it was put in.
    pub(crate) ours: Option<&'a Version>,
    /// Ours as Godot's reader read it.
    pub(crate) document: Option<godot::Document>,
}

/// The objects of a result that are not as in ours, and those of ours that it does not have. Nothing else
/// can be broken that was whole in ours.
pub(crate) struct Touched {
    pub(crate) changed: HashSet<String>,
    pub(crate) gone: HashSet<String>,
}

/// What is broken in the result and was whole in ours and theirs.
pub(crate) fn new_findings(
    language: Language,
    draft: &mut Draft<'_>,
    inputs: [&[u8]; 2],
    near: &Near<'_>,
) -> Vec<Finding> {
    let touched = near.ours.map(|ours| {
        let keys = ours.items.iter().map(|item| &item.key);
        let gone = keys.filter(|key| !draft.keys.contains(key.as_str())).cloned().collect();
        Touched { changed: draft.changed.clone(), gone }
    });
    let mut found = match language {
        // Lent to the reader, and not copied for it.
        Language::Unity => {
            let document = unity::Document::parse(std::mem::take(&mut draft.bytes));
            let found = unity_findings(&document, touched.as_ref());
            draft.bytes = document.into_bytes();
            found
        }
        _ => findings(language, &draft.bytes, touched.as_ref(), near.document.as_ref()),
    };
    for input in inputs {
        if found.is_empty() {
            break;
        }
        let before = findings(language, input, None, None);
        found.retain(|finding| !before.contains(finding));
    }
    let mut found: Vec<Finding> = found.into_iter().collect();
    found.sort();
    found
}

fn unreadable(text: String) -> HashSet<Finding> {
    HashSet::from([Finding::of(Breach::Unreadable, "", &text)])
}

fn unity_findings(document: &unity::Document, touched: Option<&Touched>) -> HashSet<Finding> {
    let problems = document.outline_problems();
    match problems.into_iter().find(|problem| !problem.message.contains("second time")) {
        Some(problem) => unreadable(problem.message),
        None => crate::unity::verify::findings(document, touched),
    }
}

/// What is wrong in a file that is read again; where it is known what is new in it, with that.
fn findings(
    language: Language,
    bytes: &[u8],
    touched: Option<&Touched>,
    near: Option<&godot::Document>,
) -> HashSet<Finding> {
    match language {
        Language::Unity => unity_findings(&unity::Document::parse(bytes), touched),
        Language::Godot { is_config, .. } => {
            let form = if is_config { godot::Form::Config } else { godot::Form::Resource };
            let document = match near {
                Some(near) => derive(near, bytes),
                None => crate::godot::parse(bytes, form),
            };
            match document.first_unread() {
                Some(problem) => unreadable(problem.message.clone()),
                None if is_config => HashSet::new(),
                None => crate::godot::verify::findings(&document, touched),
            }
        }
        Language::Json => match scenewright_text::read_json(bytes) {
            Ok(_) => HashSet::new(),
            Err(error) => unreadable(error),
        },
    }
}
