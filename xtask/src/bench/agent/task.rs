//! What a task is: somebody's words, a project, calls of tools, and what tells that it was done right.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use super::client::Answer;
use super::files::Files;
use super::projects::Project;

/// One task. The lists of tasks are data: nothing in them runs before [`super::run`] says so.
pub(crate) struct Task {
    pub(crate) name: &'static str,
    /// What somebody asks for.
    pub(crate) words: &'static str,
    pub(crate) kind: Kind,
    pub(crate) project: Project,
    pub(crate) needs: Needs,
    pub(crate) steps: fn() -> Vec<Step>,
    pub(crate) check: Check,
}

/// A question to the files of a project, which is right when the answers told the right thing.
pub(crate) fn question(
    kind: Kind,
    name: &'static str,
    words: &'static str,
    project: Project,
    steps: fn() -> Vec<Step>,
    told: fn(&Done<'_>) -> Result<()>,
) -> Task {
    Task { name, words, kind, project, needs: Needs::Files, steps, check: Check::Told(told) }
}

/// Whether the goals of cost are about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// One of the everyday tasks that were counted first.
    Everyday,
    /// One that shows a part of the tools.
    Other,
}

/// What must be there beside the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Needs {
    Files,
    /// A Godot that starts, for the server or for the check.
    Godot,
    /// A Godot that can draw.
    Screen,
    /// A Godot that cannot.
    NoScreen,
}

/// How one knows that it was done, without asking the tools that did it.
///
/// Before the first step each of them must fail: a check that a project passes as it was shows nothing.
pub(crate) enum Check {
    /// By what the files are now.
    Changed(fn(&Files) -> Result<()>),
    /// By what the answers say, next to what the task finds out by itself; no file may change.
    Told(fn(&Done<'_>) -> Result<()>),
    /// By both.
    ChangedAndTold(fn(&Files) -> Result<()>, fn(&Done<'_>) -> Result<()>),
    /// A real Godot reads the files, which have changed in this way.
    Judged(fn(&Files) -> Result<()>, fn(&Files, &Path) -> Result<()>),
}

/// One call of a tool.
pub(crate) struct Step {
    pub(crate) tool: &'static str,
    pub(crate) arguments: Arguments,
    pub(crate) way: Way,
    pub(crate) expects: Expects,
}

pub(crate) enum Arguments {
    Given(Value),
    /// Made of what was answered before.
    Made(fn(&Done<'_>) -> Result<Value>),
}

/// How a tool is called that is not in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    Reads,
    Changes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expects {
    Answer,
    /// The answer and what follows it, by its cursor, to the end.
    AllPages,
    /// An error that teaches how to go on.
    Refusal,
}

/// A tool that only reads.
pub(crate) fn read(tool: &'static str, arguments: Value) -> Step {
    let arguments = Arguments::Given(arguments);
    Step { tool, arguments, way: Way::Reads, expects: Expects::Answer }
}

/// A tool that changes or runs something.
pub(crate) fn call(tool: &'static str, arguments: Value) -> Step {
    Step { way: Way::Changes, ..read(tool, arguments) }
}

/// The search for the tools that the list does not have.
pub(crate) fn find(words: &str) -> Step {
    read("tools_search", serde_json::json!({ "query": words }))
}

impl Step {
    /// Arguments that come of earlier answers.
    pub(crate) fn with(mut self, made: fn(&Done<'_>) -> Result<Value>) -> Step {
        self.arguments = Arguments::Made(made);
        self
    }

    pub(crate) fn all_pages(mut self) -> Step {
        self.expects = Expects::AllPages;
        self
    }

    pub(crate) fn refused(mut self) -> Step {
        self.expects = Expects::Refusal;
        self
    }
}

/// What is known after some steps.
pub(crate) struct Done<'a> {
    pub(crate) files: &'a Files,
    /// The pages that each step was answered with.
    pub(crate) answers: &'a [Vec<Answer>],
}

impl Done<'_> {
    /// The data of a step's answer; null where there is none.
    pub(crate) fn data(&self, step: usize) -> &Value {
        self.answers
            .get(step)
            .and_then(|pages| pages.first())
            .map_or(&Value::Null, |page| &page.data)
    }

    /// All data of a step, page by page.
    pub(crate) fn pages(&self, step: usize) -> impl Iterator<Item = &Value> {
        self.answers.get(step).into_iter().flatten().map(|page| &page.data)
    }

    /// The text of a step's answer.
    pub(crate) fn text(&self, step: usize) -> &str {
        self.answers.get(step).and_then(|pages| pages.first()).map_or("", |page| &page.text)
    }

    /// The pictures of a step's answer, as their bytes in base64.
    pub(crate) fn pictures(&self, step: usize) -> &[String] {
        self.answers.get(step).and_then(|pages| pages.first()).map_or(&[], |page| &page.pictures)
    }

    /// What one step of a batch answered, from 0.
    pub(crate) fn of_batch(&self, step: usize, at: usize) -> &Value {
        &self.data(step)["results"][at]["result"]
    }
}

/// The list in some data, an error where there is none.
pub(crate) fn list<'v>(data: &'v Value, name: &str) -> Result<&'v Vec<Value>> {
    match data[name].as_array() {
        Some(list) => Ok(list),
        None => bail!("there is no list {name} in {}", shortened(data)),
    }
}

/// The texts of one field in a list of objects, or of the list itself where the field is empty.
pub(crate) fn texts(list: &[Value], field: &str) -> Vec<String> {
    let text = |item: &Value| match field {
        "" => item.as_str().map(str::to_owned),
        field => item[field].as_str().map(str::to_owned),
    };
    list.iter().filter_map(text).collect()
}

/// Both are the same, or the error says how they differ.
pub(crate) fn same<T: PartialEq + std::fmt::Debug>(what: &str, told: T, expected: T) -> Result<()> {
    ensure!(told == expected, "{what}: {told:?}, but it is {expected:?}");
    Ok(())
}

/// The beginning of some data, for an error.
pub(crate) fn shortened(data: &Value) -> String {
    let text = data.to_string();
    text.chars().take(300).collect()
}

/// Programs that tasks may need.
#[derive(Default)]
pub(crate) struct Programs {
    pub(crate) scenewright: PathBuf,
    /// Whether it is asked in older words.
    pub(crate) is_older: bool,
    pub(crate) godot: Option<PathBuf>,
    pub(crate) with_screen: Option<PathBuf>,
    /// The Godot sample as that engine has imported it, once for all tasks.
    pub(crate) imported: Option<Files>,
}

impl Programs {
    /// The Godot for a task; nothing where the task cannot be done here.
    pub(crate) fn meet(&self, needs: Needs) -> Option<Option<&Path>> {
        match needs {
            Needs::Files => Some(None),
            Needs::Godot => self.godot.as_deref().map(Some),
            Needs::Screen => self.with_screen.as_deref().map(Some),
            Needs::NoScreen if self.with_screen.is_some() => None,
            Needs::NoScreen => self.godot.as_deref().map(Some),
        }
    }
}
