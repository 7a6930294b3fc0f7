//! Changes of a text file by the text that goes, or by lines: what tools that edit text share.
//!
//! All edits of a call are about the file as it is, so that neither their order nor what one of them
//! adds moves the places of the others.

use std::ops::Range;

use memchr::memmem;
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::{Edits, LineEnding, LineIndex, line_ending};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::door::{self, Plan, ProjectPath, Written};
use crate::{Cx, Project};

/// So many places of a text that occurs too often are told.
const MAX_PLACES: usize = 20;

/// The changes of a call. Flatten it into the input of a tool.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub struct TextEdits {
    #[allow(missing_docs, reason = "its own fields are described")]
    #[serde(flatten)]
    pub one: TextEdit,
    /// Several changes at once, each with the arguments of one. All are about the file as it is now,
    /// and all are made or none.
    #[serde(default)]
    #[schemars(length(max = 200))]
    pub edits: Vec<TextEdit>,
}

/// One change.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct TextEdit {
    /// The text that goes. It must occur once; the lines are told when it occurs more often.
    #[schemars(length(max = 4_194_304))]
    pub old_text: Option<String>,
    /// What comes in its place; empty to remove it.
    #[schemars(length(max = 4_194_304))]
    pub new_text: Option<String>,
    /// Change every place where `oldText` occurs.
    #[serde(default)]
    pub all: bool,
    /// Instead of `oldText`: the first line that goes, from 1.
    #[schemars(range(min = 1))]
    pub start_line: Option<usize>,
    /// The last line that goes; `startLine` by default. One less than `startLine` puts the text
    /// before that line.
    pub end_line: Option<usize>,
    /// What these lines must be now; else nothing is changed.
    #[schemars(length(max = 4_194_304))]
    pub expected: Option<String>,
}

/// What became of a file.
#[derive(Debug, Serialize, JsonSchema)]
pub struct TextEdited {
    /// How many places were changed.
    pub replaced: usize,
    #[allow(missing_docs, reason = "its own fields are described")]
    #[serde(flatten)]
    pub written: Written,
}

impl TextEdits {
    /// Make the changes through the door. Code or a file of the engine that cannot be read any more
    /// is written all the same, and told.
    pub fn apply(
        self,
        cx: &Cx,
        project: &Project,
        path: &ProjectPath,
        dry_run: bool,
    ) -> Result<TextEdited, ToolError> {
        let list = self.list()?;
        let before = door::read(cx, project, path)?;
        let edits = plan(&before, path, &list)?;
        let replaced = edits.len();
        let after = edits.apply(&before).map_err(|error| {
            bad(format!("{path}: {error}")).hint(
                "nothing was changed; two of the edits are about the same text, make them one",
            )
        })?;
        if let Some(problem) = project.engine.unread_part(path.as_str(), &after) {
            let since = match project.engine.unread_part(path.as_str(), &before) {
                Some(_) => "it could not be read before, either",
                None => "project_undoLast takes this change back",
            };
            cx.diagnose(format!("{path} cannot be read as it is now: {problem}; {since}"));
        }
        let mut plan = Plan::new(project);
        plan.write(path, Some(&before), after);
        Ok(TextEdited { replaced, written: plan.commit(cx, dry_run, |_, _| Ok(()))? })
    }

    /// The changes as a list, each with what it needs.
    fn list(self) -> Result<Vec<TextEdit>, ToolError> {
        let TextEdits { one, mut edits } = self;
        let is_given = one.old_text.is_some() || one.start_line.is_some();
        if is_given {
            edits.insert(0, one);
        } else if one.new_text.is_some() || one.end_line.is_some() {
            return Err(bad("newText needs oldText or startLine, to know what goes"));
        }
        if edits.is_empty() {
            return Err(bad("there is nothing to change")
                .hint("give oldText and newText, startLine and newText, or edits"));
        }
        Ok(edits)
    }
}

fn bad(message: impl Into<String>) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, message.into())
}

/// The byte ranges of all changes in a text.
fn plan(text: &[u8], path: &ProjectPath, list: &[TextEdit]) -> Result<Edits, ToolError> {
    if std::str::from_utf8(text).is_err() || text.iter().take(8000).any(|byte| *byte == 0) {
        return Err(ToolError::new(ErrorKind::EngineError, format!("{path} is no UTF-8 text"))
            .hint("nothing was changed; only text files are edited here"));
    }
    let file = File { text, path, lines: LineIndex::new(text), ending: line_ending(text) };
    let mut edits = Edits::default();
    for (number, edit) in list.iter().enumerate() {
        let told = |error: ToolError| match list.len() {
            1 => error,
            _ => ToolError { message: format!("edit {}: {}", number + 1, error.message), ..error },
        };
        file.add(edit, &mut edits).map_err(told)?;
    }
    Ok(edits)
}

struct File<'a> {
    text: &'a [u8],
    path: &'a ProjectPath,
    lines: LineIndex,
    ending: LineEnding,
}

impl File<'_> {
    fn add(&self, edit: &TextEdit, edits: &mut Edits) -> Result<(), ToolError> {
        let Some(new) = &edit.new_text else {
            return Err(bad("newText is missing").hint("give an empty one to remove text"));
        };
        match (&edit.old_text, edit.start_line) {
            (Some(_), Some(_)) => Err(bad("oldText and startLine exclude each other")
                .hint("to make sure of what the lines are, give it as expected")),
            (None, None) => Err(bad("oldText or startLine is missing")),
            (Some(old), None) => self.by_text(old, new, edit.all, edits),
            (None, Some(start)) => self.by_lines(start, edit, new, edits),
        }
    }

    fn by_text(&self, old: &str, new: &str, all: bool, edits: &mut Edits) -> Result<(), ToolError> {
        if old.is_empty() {
            return Err(bad("oldText is empty")
                .hint("startLine with an endLine one less puts text between lines"));
        }
        // Callers write `\n`, whatever the file has.
        let as_lines = with_ending(old, LineEnding::CrLf);
        let (old, ending) = match self.places(old).is_empty() && as_lines != old {
            true => (as_lines, LineEnding::CrLf),
            false if old.contains('\n') => (old.to_owned(), line_ending(old.as_bytes())),
            false => (old.to_owned(), self.ending),
        };
        let places = self.places(&old);
        match places.len() {
            0 => return Err(self.not_found(&old)),
            1 => {}
            _ if all => {}
            count => {
                let lines: Vec<usize> = places.iter().map(|at| self.line(*at)).collect();
                let shown: Vec<String> =
                    lines.iter().take(MAX_PLACES).map(ToString::to_string).collect();
                let more = if count > MAX_PLACES { " and more" } else { "" };
                return Err(bad(format!(
                    "the text occurs {count} times in {}: lines {}{more}",
                    self.path,
                    shown.join(", ")
                ))
                .hint("nothing was changed; give more of the text around it, or all: true")
                .detail("lines", serde_json::json!(lines[..count.min(MAX_PLACES)])));
            }
        }
        let new = with_ending(new, ending);
        for at in places {
            edits.replace(at..at + old.len(), new.as_str());
        }
        Ok(())
    }

    fn by_lines(
        &self,
        start: usize,
        edit: &TextEdit,
        new: &str,
        edits: &mut Edits,
    ) -> Result<(), ToolError> {
        let starts = self.line_starts();
        // A line end at the end of the file begins no line.
        let total = starts.len() - 1;
        let end = edit.end_line.unwrap_or(start);
        let is_insertion = end + 1 == start;
        let last = if is_insertion { start - 1 } else { end };
        if start == 0 || (end < start && !is_insertion) || last > total {
            return Err(bad(format!(
                "lines {start} to {end} are not in {}, which has {total} lines",
                self.path
            ))
            .hint("nothing was changed; read the file again"));
        }
        let range = starts[start - 1]..starts[last];
        self.check_expected(edit, &range, start)?;
        let mut text = with_ending(new, self.ending);
        // Lines stay lines: what is put among them ends as they do.
        let ends_open = |bytes: &[u8]| !bytes.is_empty() && !bytes.ends_with(b"\n");
        let is_at_end = range.end == self.text.len();
        let file_ends_open = ends_open(self.text);
        if ends_open(text.as_bytes()) && !(is_at_end && file_ends_open) {
            text.push_str(self.ending.as_str());
        }
        if is_insertion && is_at_end && file_ends_open {
            text.insert_str(0, self.ending.as_str());
        }
        edits.replace(range, text);
        Ok(())
    }

    fn check_expected(
        &self,
        edit: &TextEdit,
        range: &Range<usize>,
        start: usize,
    ) -> Result<(), ToolError> {
        let Some(expected) = &edit.expected else { return Ok(()) };
        let plain = |text: &str| text.replace("\r\n", "\n").trim_end_matches('\n').to_owned();
        let found = plain(&String::from_utf8_lossy(&self.text[range.clone()]));
        if plain(expected) == found {
            return Ok(());
        }
        let wanted = plain(expected);
        let elsewhere = if wanted.is_empty() { Vec::new() } else { self.places(&wanted) };
        let elsewhere = match elsewhere[..] {
            [at] => format!("; that text is at line {} now", self.line(at)),
            _ => String::new(),
        };
        Err(bad(format!(
            "{} has other text from line {start} on: {:?}{elsewhere}",
            self.path,
            shortened(&found)
        ))
        .hint("nothing was changed; read the file again"))
    }

    fn not_found(&self, old: &str) -> ToolError {
        let error = bad(format!("the text does not occur in {}", self.path));
        // Indentation is what is most often given wrongly.
        let wanted: Vec<&str> = old.trim().lines().map(str::trim).collect();
        let text = String::from_utf8_lossy(self.text);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        let near = lines.windows(wanted.len().max(1)).position(|window| window == wanted);
        match near {
            Some(at) => error.hint(format!(
                "nothing was changed; from line {} on it stands there with other white space",
                at + 1
            )),
            None => error.hint("nothing was changed; read the file again"),
        }
    }

    fn places(&self, text: &str) -> Vec<usize> {
        memmem::find_iter(self.text, text.as_bytes()).collect()
    }

    fn line(&self, at: usize) -> usize {
        self.lines.line(self.text, at)
    }

    /// Where each line starts, and where the last one ends.
    fn line_starts(&self) -> Vec<usize> {
        let ends = memchr::memchr_iter(b'\n', self.text).map(|at| at + 1);
        let mut starts: Vec<usize> = std::iter::once(0).chain(ends).collect();
        if starts.last() != Some(&self.text.len()) {
            starts.push(self.text.len());
        }
        starts
    }
}

/// The text with these line ends, unless it has some of its own.
fn with_ending(text: &str, ending: LineEnding) -> String {
    match ending {
        LineEnding::CrLf if !text.contains('\r') => text.replace('\n', "\r\n"),
        _ => text.to_owned(),
    }
}

fn shortened(text: &str) -> String {
    match text.len() > 200 {
        true => format!("{}…", &text[..text.floor_char_boundary(200)]),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path() -> ProjectPath {
        ProjectPath::of_test("a.txt")
    }

    fn by_text(old: &str, new: &str) -> TextEdit {
        let (old_text, new_text) = (Some(old.to_owned()), Some(new.to_owned()));
        TextEdit { old_text, new_text, ..TextEdit::default() }
    }

    fn by_lines(start: usize, end: usize, new: &str) -> TextEdit {
        let (start_line, end_line) = (Some(start), Some(end));
        TextEdit { start_line, end_line, new_text: Some(new.to_owned()), ..TextEdit::default() }
    }

    fn edited(text: &str, list: &[TextEdit]) -> Result<String, String> {
        let edits = plan(text.as_bytes(), &path(), list).map_err(|error| error.text())?;
        let after = edits.apply(text.as_bytes()).map_err(|error| error.to_string())?;
        Ok(String::from_utf8(after).unwrap())
    }

    fn check(text: &str, list: &[TextEdit], expected: &str) {
        assert_eq!(edited(text, list).as_deref(), Ok(expected));
    }

    #[test]
    fn text_that_occurs_once_is_replaced_and_the_rest_stays() {
        check("a\nb\nc\n", &[by_text("b", "B\nB")], "a\nB\nB\nc\n");
        check("a\nb\nc", &[by_text("b\n", "")], "a\nc");
        // Places are those of the file as it is, in any order.
        check("a b c", &[by_text("c", "a"), by_text("a", "c")], "c b a");
        check("\u{feff}a\n", &[by_text("a", "b")], "\u{feff}b\n");
    }

    #[test]
    fn line_ends_are_those_of_the_file() {
        check("a\r\nb\r\n", &[by_text("a\nb", "c\nd")], "c\r\nd\r\n");
        check("a\r\nb\r\n", &[by_text("b", "c\nd")], "a\r\nc\r\nd\r\n");
        check("a\r\nb\r\n", &[by_lines(1, 1, "x\ny")], "x\r\ny\r\nb\r\n");
        // In a file that has both, the text that goes decides.
        check("a\r\nb\r\nc\nd\n", &[by_text("c\nd", "e\nf")], "a\r\nb\r\ne\nf\n");
    }

    #[test]
    fn text_that_occurs_more_often_is_told_with_its_lines() {
        assert_eq!(
            edited("a\nb\na\n", &[by_text("a", "c")]).unwrap_err(),
            "the text occurs 2 times in a.txt: lines 1, 3\n\
             Try: nothing was changed; give more of the text around it, or all: true"
        );
        let all = TextEdit { all: true, ..by_text("a", "c") };
        check("a\nb\na\n", &[all], "c\nb\nc\n");
    }

    #[test]
    fn text_that_is_not_there_is_told_with_what_is_near() {
        let error = edited("if a:\n\tb()\n\tc()\n", &[by_text("  b()\n  c()", "")]).unwrap_err();
        assert_eq!(
            error,
            "the text does not occur in a.txt\n\
             Try: nothing was changed; from line 2 on it stands there with other white space"
        );
        let error = edited("a", &[by_text("a", "b"), by_text("x", "")]).unwrap_err();
        assert!(error.starts_with("edit 2: the text does not occur in a.txt"), "{error}");
    }

    #[test]
    fn lines_are_replaced_removed_and_put_between() {
        let text = "1\n2\n3\n";
        check(text, &[by_lines(2, 3, "x")], "1\nx\n");
        check(text, &[by_lines(2, 2, "")], "1\n3\n");
        check(text, &[by_lines(2, 1, "x\ny")], "1\nx\ny\n2\n3\n");
        check(text, &[by_lines(4, 3, "x")], "1\n2\n3\nx\n");
        check(text, &[by_lines(1, 1, "a"), by_lines(3, 3, "c")], "a\n2\nc\n");
        // A last line without an end stays one.
        check("1\n2", &[by_lines(2, 2, "x")], "1\nx");
        check("1\n2", &[by_lines(3, 2, "x")], "1\n2\nx");
        check("", &[by_lines(1, 0, "x")], "x\n");
        for (start, end) in [(4, 4), (1, 4), (3, 1), (5, 4)] {
            let error = edited(text, &[by_lines(start, end, "x")]).unwrap_err();
            let expected = format!("lines {start} to {end} are not in a.txt, which has 3 lines");
            assert!(error.starts_with(&expected), "{error}");
        }
    }

    #[test]
    fn lines_that_are_not_as_expected_stay() {
        let expect =
            |text: &str| TextEdit { expected: Some(text.to_owned()), ..by_lines(2, 2, "x") };
        check("1\r\n2\r\n3\r\n", &[expect("2\n")], "1\r\nx\r\n3\r\n");
        assert_eq!(
            edited("1\n2\n3\n", &[expect("3")]).unwrap_err(),
            "a.txt has other text from line 2 on: \"2\"; that text is at line 3 now\n\
             Try: nothing was changed; read the file again"
        );
    }

    #[test]
    fn what_says_too_little_or_too_much_is_refused() {
        let refuse = |edit| edited("a\n", &[edit]).unwrap_err();
        assert!(refuse(TextEdit::default()).starts_with("newText is missing"));
        assert!(refuse(by_text("", "x")).starts_with("oldText is empty"));
        let both = TextEdit { start_line: Some(1), ..by_text("a", "b") };
        assert!(refuse(both).starts_with("oldText and startLine exclude each other"));
        assert!(edited("a\0", &[by_text("a", "b")]).unwrap_err().contains("no UTF-8 text"));
        assert!(
            edited("abc", &[by_text("ab", ""), by_text("bc", "")]).unwrap_err().contains("overlap")
        );
    }
}
