//! What the engine's language server says of scripts, in the words of this project: `res://` paths,
//! lines and columns from 1, columns in characters.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_live::godot::MessageKind;
use scenewright_live::godot::lsp::{Diagnostic, Location, MAX_SCRIPT, Position};
use scenewright_text::find_word;
use scenewright_toolkit::door::ProjectPath;
use schemars::JsonSchema;
use serde::Serialize;

use super::workshop::Server;
use crate::base::Godot;

/// All scripts of a large project are looked at within this time.
const DIAGNOSE_TIME: Duration = Duration::from_secs(200);
/// So many bytes of a line of code are told.
const MAX_LINE: usize = 10_000;

/// What is wrong with a script.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ScriptProblem {
    /// The script, as `res://` path.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1: of the name that is meant where the message says it, else where the code
    /// of the line begins.
    pub column: usize,
    /// What the engine says.
    pub text: String,
    /// Whether it is an error.
    pub is_error: bool,
}

impl ScriptProblem {
    /// How bad it is.
    pub fn kind(&self) -> MessageKind {
        if self.is_error { MessageKind::Error } else { MessageKind::Warning }
    }
}

/// What the server says of some scripts.
#[derive(Debug)]
pub struct Diagnosed {
    /// Sorted by file and line.
    pub problems: Vec<ScriptProblem>,
    /// How many scripts it has answered for.
    pub checked: usize,
    /// Whose server it was.
    pub server: Server,
}

/// A place in a script of the project.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ScriptPlace {
    /// The script.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The line itself.
    pub code: String,
}

/// A script, and what is in it now.
pub struct OpenScript {
    /// Where it is.
    pub path: ProjectPath,
    /// Its text.
    pub text: String,
}

impl OpenScript {
    /// Where it is below another root.
    pub fn below(&self, root: &Path) -> PathBuf {
        root.join(self.path.as_str())
    }

    /// A place in it, from a line and a column that count from 1; the end of the line by default.
    pub fn position(&self, line: usize, column: Option<usize>) -> Result<Position, ToolError> {
        let lines = self.text.split('\n').count();
        let Some(text) = line.checked_sub(1).and_then(|line| self.text.split('\n').nth(line))
        else {
            let problem =
                format!("{} has {lines} lines, and line {line} is none of them", self.path);
            return Err(ToolError::new(ErrorKind::BadArguments, problem));
        };
        let length = text.trim_end_matches('\r').chars().count();
        let column = column.unwrap_or(length + 1);
        if column == 0 || column > length + 1 {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!(
                    "line {line} of {} has {length} characters, so there is no column {column}",
                    self.path
                ),
            ));
        }
        Ok(Position { line: line - 1, character: column - 1 })
    }

    /// Where a name stands in the code, not in texts and comments: on a line, or for the first time.
    pub fn find(&self, name: &str, line: Option<usize>) -> Result<Position, ToolError> {
        if name.is_empty() {
            return Err(ToolError::bad_argument("symbol", "is empty"));
        }
        let code = scenewright_godot::code_lines(&self.text);
        let found = (1..).zip(&code).filter(|(number, _)| line.is_none_or(|line| line == *number));
        for (number, code) in found {
            let source = self.text.split('\n').nth(number - 1).unwrap_or_default();
            // Behind a text of several lines the columns of the code are not those of the file.
            let is_there =
                |at: &usize| source.get(*at..).is_some_and(|rest| rest.starts_with(name));
            let Some(at) = find_word(code, name) else { continue };
            let at = Some(at).filter(is_there).or_else(|| find_word(source, name));
            if let Some(at) = at {
                return Ok(Position { line: number - 1, character: source[..at].chars().count() });
            }
        }
        let place = match line {
            Some(line) => format!("line {line} of {}", self.path),
            None => self.path.to_string(),
        };
        Err(ToolError::new(ErrorKind::BadArguments, format!("the code of {place} has no `{name}`"))
            .hint("read_script shows the script"))
    }
}

impl Godot<'_> {
    /// A script of the project that the engine can be asked about.
    pub fn open_script(&self, text: &str) -> Result<OpenScript, ToolError> {
        let path = self.path(text)?;
        if !path.as_str().ends_with(".gd") {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{path} is no GDScript, and the engine parses only that here"),
            ));
        }
        if !self.exists(&path) {
            return Err(self.no_script(&path));
        }
        let text = String::from_utf8(self.read(&path)?).map_err(|_| {
            ToolError::failed(format!("{path} is no UTF-8 text, and the engine reads no other"))
        })?;
        if text.len() > MAX_SCRIPT {
            return Err(ToolError::failed(format!("{path} is larger than 1 MiB")));
        }
        Ok(OpenScript { path, text })
    }

    /// A place that the server names, if it is in this project.
    pub fn script_place(&self, root: &Path, location: &Location) -> Option<ScriptPlace> {
        let local = location.path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/");
        let bytes = self.read(&self.path(&local).ok()?).ok()?;
        let text = String::from_utf8_lossy(&bytes);
        let start = location.range.start;
        let code = text.split('\n').nth(start.line)?.trim();
        let cut = code.floor_char_boundary(MAX_LINE.min(code.len()));
        Some(ScriptPlace {
            file: format!("res://{local}"),
            line: start.line + 1,
            column: start.character + 1,
            code: code[..cut].to_owned(),
        })
    }

    /// Ask the language server about scripts. Those that cannot be read, or are too large for it,
    /// are told in the answer.
    pub fn diagnose_scripts(&self, scripts: &[String]) -> Result<Diagnosed, ToolError> {
        let mut open = Vec::new();
        for script in scripts {
            match self.open_script(script) {
                Ok(script) => open.push(script),
                Err(error) => self.cx.diagnose(format!("not looked at: {}", error.message)),
            }
        }
        let total = scripts.len() as f64;
        let mut told = |done: usize| self.cx.progress(done as f64, Some(total), "scripts checked");
        let (found, server) = self.ask_language(|lsp, root| {
            let texts: Vec<_> =
                open.iter().map(|script| (script.below(root), script.text.clone())).collect();
            let until = Instant::now() + DIAGNOSE_TIME;
            lsp.diagnose(&texts, until, self.cx.cancel(), &mut told)
        })?;
        let checked = found.iter().flatten().count();
        let mut problems: Vec<_> = open
            .iter()
            .zip(found)
            .flat_map(|(script, found)| {
                let found = found.unwrap_or_default().into_iter();
                found.map(|one| problem(script, one)).collect::<Vec<_>>()
            })
            .collect();
        problems.sort();
        problems.dedup();
        Ok(Diagnosed { problems, checked, server })
    }
}

fn problem(script: &OpenScript, said: Diagnostic) -> ScriptProblem {
    let start = said.range.start;
    let code = script.text.split('\n').nth(start.line).unwrap_or_default();
    ScriptProblem {
        file: format!("res://{}", script.path),
        line: start.line + 1,
        column: column(code, &said.message).unwrap_or(start.character + 1),
        text: said.message,
        is_error: said.severity == 1,
    }
}

/// The column of what a message is about. The server marks the whole line, so the first name that
/// the message quotes is looked for in it; one that stands there twice does not tell.
fn column(code: &str, message: &str) -> Option<usize> {
    let name = message.split('"').nth(1)?.trim_end_matches("()");
    if name.is_empty() {
        return None;
    }
    let at = find_word(code, name)?;
    if find_word(&code[at + name.len()..], name).is_some() {
        return None;
    }
    Some(code[..at].chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_is_that_of_the_name_which_is_meant() {
        let not_declared = "Identifier \"nope\" not declared in the current scope.";
        assert_eq!(column("\tvar s = \"😀é\"; var x = nope + 1", not_declared), Some(24));
        assert_eq!(column("\tnope + nope", not_declared), None);
        assert_eq!(column("\tnoper", not_declared), None);
        assert_eq!(column("\tf()", "Function \"f()\" not found."), Some(2));
        assert_eq!(column("x", "no name at all"), None);
    }
}
