//! Answers within a budget: what a model reads costs its owner money and its memory.
//!
//! A tool answers in full; here the answer is made to fit. What is small is shown first. Trees are
//! shown level by level, with the count of children at every cut (`tree`); lists, tables and long
//! texts as far as there is room (`page`). What is left out is counted, and the cursor goes on
//! exactly there.

mod fit;
mod page;
mod tree;

use std::fmt::Write;

use scenewright_contract::call::{Budget, Diffs};
use scenewright_contract::{ErrorKind, JsonMap, ToolError};
use serde_json::{Value, json};

pub(crate) use self::fit::{Form, fit};

use self::page::page;

/// An answer without a budget of its own has so many tokens.
pub const TOKENS: usize = 2800;
/// Bytes of a token, about.
const TOKEN: usize = 4;
/// The least that can be asked for: what is said about a cut needs some of it.
const LEAST: usize = 200;
/// Begins the cursors that are made here. Tools have cursors of their own, which do not.
const MARK: char = '@';

/// A budget of so many tokens.
pub fn of_tokens(tokens: usize) -> Budget {
    Budget { bytes: tokens.max(LEAST).saturating_mul(TOKEN), cursor: None }
}

/// Takes a budget's arguments out of those of a tool: `maxTokens`, and a `cursor` made here.
pub(crate) fn take_arguments(
    arguments: &mut JsonMap,
    usual: Option<usize>,
    takes: impl Fn(&str) -> bool,
) -> Result<Option<Budget>, ToolError> {
    let mut budget = usual.map(of_tokens);
    let name = ["maxTokens", "max_tokens"].into_iter().find(|name| arguments.contains_key(*name));
    if let Some(name) = name.filter(|_| !takes("maxTokens")) {
        let tokens = arguments.shift_remove(name).unwrap_or_default();
        let tokens = tokens.as_f64().filter(|tokens| tokens.is_finite() && *tokens >= 0.0);
        let tokens = tokens.ok_or_else(|| {
            ToolError::new(ErrorKind::BadArguments, "maxTokens takes a number of tokens")
                .hint(format!("such as {}; {TOKENS} is usual", 4 * TOKENS))
        })?;
        budget = Some(of_tokens(tokens as usize));
    }
    let text = arguments.get("cursor").and_then(Value::as_str);
    let Some(text) = text.filter(|text| text.starts_with(MARK)).map(str::to_owned) else {
        return Ok(budget);
    };
    arguments.shift_remove("cursor");
    let mut budget = budget.unwrap_or_else(|| of_tokens(TOKENS));
    budget.cursor = Some(text);
    Ok(Some(budget))
}

/// Takes `diff` out of the arguments of a tool that writes: how much of a change is shown.
pub(crate) fn take_diffs(arguments: &mut JsonMap) -> Result<Option<Diffs>, ToolError> {
    let Some(asked) = arguments.shift_remove("diff") else { return Ok(None) };
    match asked.as_str() {
        Some("none") => Ok(Some(Diffs::None)),
        Some("short") => Ok(Some(Diffs::Short)),
        Some("full") => Ok(Some(Diffs::Full)),
        _ => Err(ToolError::new(ErrorKind::BadArguments, format!("diff cannot be {asked}"))
            .hint("one of none, short, full; short is usual for models")),
    }
}

/// The cursor of the tool itself that an answer which goes on was for.
pub(crate) fn own_cursor(budget: &Budget) -> Result<Option<Value>, ToolError> {
    match &budget.cursor {
        Some(cursor) => Cursor::read(cursor).map(|cursor| cursor.own),
        None => Ok(None),
    }
}

/// Where an answer goes on.
#[derive(Debug, PartialEq)]
struct Cursor {
    /// The bytes that the tree of the first answer had.
    tree: Option<usize>,
    /// The place in the answer, or in what its tree left out.
    place: Vec<usize>,
    /// Tells whether the answer still has the form that it had.
    form: u32,
    /// The cursor of the tool itself that the answer was for.
    own: Option<Value>,
}

impl Cursor {
    fn write(&self) -> String {
        let mut text = String::from(MARK);
        if let Some(bytes) = self.tree {
            let _ = write!(text, "t{bytes}.");
        }
        let _ = write!(text, "{:x}", self.form);
        for step in &self.place {
            let _ = write!(text, ".{step}");
        }
        if let Some(own) = &self.own {
            let _ = write!(text, "={own}");
        }
        text
    }

    fn read(text: &str) -> Result<Cursor, ToolError> {
        Self::parse(text).ok_or_else(|| {
            ToolError::new(ErrorKind::BadArguments, "cursor is none that was given by this server")
                .hint("pass on nextCursor of the answer before, with the same other arguments")
        })
    }

    fn parse(text: &str) -> Option<Cursor> {
        let rest = text.strip_prefix(MARK)?;
        let (rest, own) = match rest.split_once('=') {
            Some((rest, own)) => (rest, Some(serde_json::from_str(own).ok()?)),
            None => (rest, None),
        };
        let mut steps = rest.split('.').peekable();
        let tree = steps.peek().and_then(|step| step.strip_prefix('t'));
        let tree = tree.map(|bytes| bytes.parse().ok());
        if tree.is_some() {
            steps.next();
        }
        let form = u32::from_str_radix(steps.next()?, 16).ok()?;
        let place: Option<Vec<usize>> = steps.map(|step| step.parse().ok()).collect();
        Some(Cursor {
            tree: tree.map_or(Some(None), |tree| tree.map(Some))?,
            place: place?,
            form,
            own,
        })
    }
}

type Part = (Value, Option<Cursor>, Value);

/// The first part of an answer that is too large.
fn first(whole: &Value, room: usize) -> Part {
    if let Some(folded) = tree::fold(whole, room) {
        if folded.left_out == 0 {
            return (folded.shown, None, Value::Null);
        }
        let left = json!({ tree::OBJECTS: folded.left_out });
        let form = tree::Folded::form();
        let next = Cursor { tree: Some(room), place: Vec::new(), form, own: None };
        return (folded.shown, Some(next), left);
    }
    paged(whole, &[], room, None)
}

fn go_on(whole: &Value, cursor: &Cursor, room: usize) -> Result<Part, ToolError> {
    let rest;
    let value = match cursor.tree {
        None => whole,
        Some(bytes) => {
            rest = tree::fold(whole, bytes).map(|folded| folded.rest()).ok_or_else(changed)?;
            &rest
        }
    };
    if page::form(value, &cursor.place) != cursor.form {
        return Err(changed());
    }
    Ok(paged(value, &cursor.place, room, cursor.tree))
}

fn changed() -> ToolError {
    let message = "the answer is not the one any more that this cursor belongs to";
    ToolError::new(ErrorKind::BadArguments, message)
        .hint("the project or the arguments have changed: ask again without cursor")
}

fn paged(value: &Value, from: &[usize], room: usize, tree: Option<usize>) -> Part {
    let (part, next) = page(value, from, room);
    let left = next.as_deref().map_or(Value::Null, |next| page::left_out(value, next));
    let next = next.map(|place| {
        let form = page::form(value, &place);
        Cursor { tree, place, form, own: None }
    });
    (part, next, left)
}

/// Arguments by which answers are narrowed, the most telling first.
const NARROWING: [&str; 24] = [
    "root",
    "nodePath",
    "path",
    "pathPrefix",
    "folder",
    "directory",
    "paths",
    "query",
    "filter",
    "namePattern",
    "name",
    "type",
    "types",
    "kind",
    "components",
    "fields",
    "section",
    "rule",
    "severity",
    "depth",
    "maxDepth",
    "limit",
    "maxResults",
    "startLine",
];

/// Those of a tool's arguments that narrow its answers.
fn narrowing(arguments: impl Iterator<Item = String>) -> Vec<&'static str> {
    let arguments: Vec<String> = arguments.collect();
    let narrowing = NARROWING.into_iter().filter(|name| arguments.iter().any(|one| one == name));
    narrowing.take(4).collect()
}

#[cfg(test)]
#[path = "budget/tests.rs"]
mod tests;
