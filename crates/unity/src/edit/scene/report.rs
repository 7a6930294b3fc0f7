//! What came of a change, or why it cannot be made.

use crate::FileId;

/// Why a change cannot be made. Nothing of it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What was asked and what was found.
    pub message: String,
    /// What to try.
    pub hint: Option<String>,
    /// A name that nothing has, and those that there are.
    pub choices: Option<(String, Vec<String>)>,
}

impl Refusal {
    pub(crate) fn new(message: impl Into<String>) -> Refusal {
        Refusal { message: message.into(), hint: None, choices: None }
    }

    /// Something that a change needs is not given.
    pub fn missing(name: &str) -> Refusal {
        Refusal::new(format!("{name} is missing"))
    }

    /// Something is given that is not asked for, and would be passed over.
    pub fn odd(name: &str) -> Refusal {
        Refusal::new(format!("it does not take {name}"))
    }

    /// Something is given in another form than it takes.
    pub fn wrong(name: &str, value: &serde_json::Value, form: &str) -> Refusal {
        Refusal::new(format!("{name} is {form}, and not {value}"))
    }

    /// What to try instead.
    pub fn hint(self, hint: impl Into<String>) -> Refusal {
        Refusal { hint: Some(hint.into()), ..self }
    }

    /// Names that there are, the nearest of which may be meant.
    pub(crate) fn choices(self, wanted: &str, known: Vec<String>) -> Refusal {
        Refusal { choices: Some((wanted.to_owned(), known)), ..self }
    }
}

/// What a change came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Done {
    /// The path of the object afterwards; empty where there is none.
    pub path: String,
    /// What the file calls it.
    pub id: Option<FileId>,
    /// The component that is meant, by class and id.
    pub component: Option<(String, FileId)>,
    /// The field as the file has it.
    pub field: Option<String>,
    /// Whether anything is other than before.
    pub changed: bool,
    /// What else is to be known.
    pub remarks: Vec<String>,
}
