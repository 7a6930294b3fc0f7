//! Prepared questions for a model, as data.

use std::collections::BTreeMap;

/// One prompt that a client can offer to a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptInfo {
    /// Its name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it is for.
    pub description: &'static str,
    /// What it can be filled with.
    pub arguments: &'static [PromptArgument],
}

/// One blank of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PromptArgument {
    /// Its name.
    pub name: &'static str,
    /// What goes in.
    pub description: &'static str,
    /// Whether it must be filled.
    pub required: bool,
}

/// The blanks as the client filled them.
pub type PromptValues = BTreeMap<String, String>;

/// A question for values that begin with what was typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// Whether `name` is that of a prompt; otherwise it is the URI of a template.
    pub of_prompt: bool,
    /// What has the blank.
    pub name: String,
    /// The blank.
    pub argument: String,
    /// What was typed.
    pub typed: String,
    /// The blanks that are filled already.
    pub others: PromptValues,
}

impl Completion {
    /// What is being completed.
    pub fn of(&self) -> CompletionOf<'_> {
        match self.of_prompt {
            true => CompletionOf::Prompt(&self.name),
            false => CompletionOf::Template(&self.name),
        }
    }
}

/// What is being completed: a prompt's blank or a template's parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletionOf<'a> {
    /// A prompt, by name.
    Prompt(&'a str),
    /// A resource template, by its URI.
    Template(&'a str),
}
