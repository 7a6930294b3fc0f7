//! Who sees what a call changes: in a dry run for a person to read, in the call itself to see to it that
//! nothing else is done than they have read.

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use scenewright_contract::consent::Planned;
use scenewright_contract::{ErrorKind, Shown, ToolError, Witness};
use scenewright_merge::diff::{AssetNames, Change, Differences, diff};
use scenewright_merge::render::{self, FileDiff};
use scenewright_text::{diff as text_diff, proof};
use scenewright_toolkit::Runner;
use scenewright_tools_common::differences::Files;

/// A change of more files does not tell which others each of them reaches: that takes as long as to read
/// all of those.
const MAX_REACHING: usize = 5;
/// Unchanged lines around a changed one.
const CONTEXT: usize = 1;

/// Bytes for new names, drawn from a seed.
struct Draws {
    seed: [u8; 32],
    next: AtomicU64,
}

impl Draws {
    fn new(seed: [u8; 32]) -> Self {
        Self { seed, next: AtomicU64::new(0) }
    }

    fn draw(&self, bytes: &mut [u8]) {
        for part in bytes.chunks_mut(proof::BYTES) {
            let number = self.next.fetch_add(1, Ordering::Relaxed).to_le_bytes();
            part.copy_from_slice(&proof::of(&self.seed, &[b"draw", &number])[..part.len()]);
        }
    }
}

/// What a call would change.
#[derive(Default)]
pub(super) struct Told {
    pub(super) plans: Vec<[u8; 32]>,
    pub(super) meaning: Vec<String>,
    pub(super) lines: Vec<String>,
}

/// Sees a dry run.
pub(super) struct Viewer {
    runner: Arc<Runner>,
    draws: Draws,
    /// Also by lines, where the meaning is told.
    by_lines: bool,
    told: Mutex<Told>,
}

impl Viewer {
    pub(super) fn new(runner: Arc<Runner>, seed: [u8; 32], by_lines: bool) -> Self {
        Self { runner, draws: Draws::new(seed), by_lines, told: Mutex::default() }
    }

    pub(super) fn take(&self) -> Told {
        std::mem::take(&mut self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Witness for Viewer {
    fn sees(
        &self,
        root: &Path,
        files: &[Planned<'_>],
        folders: &[(&str, bool)],
    ) -> Result<(), ToolError> {
        let workspace = self.runner.workspace();
        let project = workspace.candidates(None).find(|project| project.root == root);
        let known = project.map(Files::of);
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        told.plans.push(digest(root, files, folders));
        for file in files {
            let (meaning, lines) =
                tell(known.as_ref(), file, files.len() <= MAX_REACHING, self.by_lines);
            told.meaning.extend(meaning);
            told.lines.extend(lines);
        }
        for (folder, is_there) in folders {
            let word = if *is_there { "folder created" } else { "folder deleted if empty" };
            let line = visible(&format!("{folder} ({word})"));
            told.meaning.push(line.clone());
            told.lines.push(line);
        }
        Ok(())
    }

    fn draw(&self, bytes: &mut [u8]) {
        self.draws.draw(bytes);
    }
}

/// Lets a call change what a person has agreed to, and nothing else.
pub(crate) struct Bound {
    draws: Draws,
    /// What they saw and was not done yet, the last first.
    left: Option<Mutex<Vec<[u8; 32]>>>,
}

impl Bound {
    pub(crate) fn new(shown: &Shown) -> Self {
        let left = shown.plans.as_ref().map(|plans| plans.iter().rev().copied().collect());
        Self { draws: Draws::new(shown.seed), left: left.map(Mutex::new) }
    }
}

impl Witness for Bound {
    fn sees(
        &self,
        root: &Path,
        files: &[Planned<'_>],
        folders: &[(&str, bool)],
    ) -> Result<(), ToolError> {
        let Some(left) = &self.left else { return Ok(()) };
        let next = left.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if next == Some(digest(root, files, folders)) {
            return Ok(());
        }
        let message = "the project changed since a person agreed: it would no longer be the change that they saw";
        Err(ToolError::new(ErrorKind::Denied, message).hint(
            "nothing was changed; call again, and they are asked about the change as it is now",
        ))
    }

    fn draw(&self, bytes: &mut [u8]) {
        self.draws.draw(bytes);
    }
}

/// The same for the same change alone, in whatever order its files are named.
fn digest(root: &Path, files: &[Planned<'_>], folders: &[(&str, bool)]) -> [u8; 32] {
    let key = root.as_os_str().as_encoded_bytes();
    let side = |side: Option<&[u8]>| match side {
        None => [0; 32],
        Some(bytes) => proof::of(b"content", &[bytes]),
    };
    let mut parts: Vec<[u8; 32]> = files
        .iter()
        .map(|file| {
            let (path, from) = (file.path.as_bytes(), file.from.unwrap_or_default().as_bytes());
            let sides = [side(file.before), side(file.after)];
            proof::of(b"file", &[path, from, &[u8::from(file.kept)], &sides[0], &sides[1]])
        })
        .collect();
    parts.extend(folders.iter().map(|(folder, is_there)| {
        proof::of(b"folder", &[folder.as_bytes(), &[u8::from(*is_there)]])
    }));
    parts.sort_unstable();
    proof::of(key, &parts.iter().map(<[u8; 32]>::as_slice).collect::<Vec<_>>())
}

/// A change of one file by meaning, with what it reaches where that is asked for; and by lines, where that
/// is, or where there is no meaning.
fn tell(
    known: Option<&Files>,
    file: &Planned<'_>,
    reaches: bool,
    by_lines: bool,
) -> (Vec<String>, Vec<String>) {
    let action = match (file.from, file.before, file.after) {
        (Some(_), ..) => "renamed",
        (None, None, _) => "created",
        (None, Some(_), None) => "deleted",
        (None, Some(_), Some(_)) => "modified",
    };
    let from = file.from.map(|from| format!("{from} -> ")).unwrap_or_default();
    let head = visible(&format!("{from}{} ({action})", file.path));
    let (before, after) = (file.before.unwrap_or_default(), file.after.unwrap_or_default());
    let lines = || -> Vec<String> {
        std::iter::once(head.clone()).chain(lines_of(before, after)).collect()
    };
    match meaning(known, file.path, [before, after], reaches) {
        None => (lines(), if by_lines { lines() } else { Vec::new() }),
        Some((text, true)) => {
            let told = std::iter::once(head.clone()).chain(text).collect();
            (told, if by_lines { lines() } else { Vec::new() })
        }
        Some((text, false)) => {
            let lines = lines();
            let mut told: Vec<String> = std::iter::once(head.clone()).chain(text).collect();
            told.push("  Values are cut above; these are the lines of the file:".to_owned());
            told.extend_from_slice(&lines[1..]);
            (told, lines)
        }
    }
}

/// The lines that differ.
fn lines_of(before: &[u8], after: &[u8]) -> Vec<String> {
    let by_lines = text_diff::unified(before, after, "a", "b", CONTEXT);
    // The first two lines of a diff name the file again.
    let mut lines: Vec<String> = by_lines.text.lines().skip(2).map(visible).collect();
    if by_lines.cut {
        lines.push("Lines are cut above; these are all that are new:".to_owned());
        lines.extend(new_lines(before, after));
    }
    lines
}

/// What differs by object and field, and whether every value is told to its end. Nothing for files that
/// have none, and where only the spelling differs.
fn meaning(
    known: Option<&Files>,
    path: &str,
    [before, after]: [&[u8]; 2],
    reaches: bool,
) -> Option<(Vec<String>, bool)> {
    let names: AssetNames<'_> = &|guid| known?.name(guid);
    let differences = diff(Path::new(path), before, after, names).ok()?;
    if differences.is_empty() {
        return None;
    }
    let is_whole = !has_cut_values(&differences);
    let mut file = FileDiff {
        path: path.to_owned(),
        old_path: None,
        change: Change::Changed,
        differences: Ok(differences),
        reach: None,
    };
    if let Some(known) = known.filter(|_| reaches) {
        known.add_reach(path, &mut file);
    }
    let text = render::objects(&file, &|_, text| text.to_owned());
    Some((text.lines().map(visible).collect(), is_whole))
}

/// Every line that is new, to its end: code could stand where a diff is cut.
fn new_lines(before: &[u8], after: &[u8]) -> Vec<String> {
    let known: HashSet<&[u8]> = before.split(|byte| *byte == b'\n').collect();
    let new = after.split(|byte| *byte == b'\n').filter(|line| !known.contains(line));
    new.map(|line| format!("+{}", visible(&String::from_utf8_lossy(line)))).collect()
}

fn has_cut_values(differences: &Differences) -> bool {
    let fields = differences.objects.iter().flat_map(|object| &object.fields);
    let mut values = fields.flat_map(|field| [&field.old, &field.new]).flatten();
    values.any(|value| value.contains('…'))
}

/// A line that says to a person what it says to a machine: nothing in it moves the cursor, hides or turns
/// what stands beside it.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\t' => shown.push_str("    "),
            char if char.is_control() || is_hidden(char) => shown.extend(char.escape_unicode()),
            char => shown.push(char),
        }
    }
    shown
}

/// The first characters of a line, and how many more there are.
pub(crate) fn cut(line: &str, most: usize) -> String {
    match line.char_indices().nth(most) {
        Some((end, _)) => {
            let more = line[end..].chars().count();
            format!("{}… ({more} more characters)", &line[..end])
        }
        None => line.to_owned(),
    }
}

/// Characters without a shape of their own, and those that turn the direction of others.
fn is_hidden(char: char) -> bool {
    matches!(char, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file<'a>(path: &'a str, before: &'a str, after: &'a str) -> Planned<'a> {
        let side = |text: &'a str| (!text.is_empty()).then_some(text.as_bytes());
        Planned { path, from: None, kept: false, before: side(before), after: side(after) }
    }

    #[test]
    fn a_scene_is_told_by_object_and_a_script_by_line() {
        let scene = "[gd_scene format=3]\n\n[node name=\"Main\" type=\"Node\"]\n";
        let more = format!(
            "{scene}\n[node name=\"Clock\" type=\"Timer\" parent=\".\"]\nwait_time = 2.0\n"
        );
        let (meaning, lines) = tell(None, &file("a.tscn", scene, &more), true, true);
        assert_eq!(meaning[..2], ["a.tscn (modified)", "  + Clock"], "{meaning:?}");
        assert!(meaning.iter().all(|line| !line.contains("[node")), "{meaning:?}");
        assert!(lines.contains(&"+[node name=\"Clock\" type=\"Timer\" parent=\".\"]".to_owned()));
        let (meaning, lines) =
            tell(None, &file("a.gd", "extends Node\n", "extends Node2D\n"), true, true);
        assert_eq!(meaning, ["a.gd (modified)", "@@ -1 +1 @@", "-extends Node", "+extends Node2D"]);
        assert_eq!(meaning, lines);
        // A value that is long has its end, where code could stand.
        let long = format!("{scene}editor_description = \"{}end\"\n", "x".repeat(1000));
        let (meaning, _) = tell(None, &file("a.tscn", scene, &long), true, true);
        assert!(meaning.iter().any(|line| line.contains("xend")), "{meaning:?}");
        // And a text that is long has all its lines.
        let many: String = (0..4000).map(|number| format!("print({number})\n")).collect();
        let (_, lines) = tell(None, &file("a.gd", "", &many), true, true);
        assert!(lines.contains(&"+print(3999)".to_owned()) && lines.len() > 4000);
        // What is only spelt in another way is shown as it is.
        let (meaning, _) = tell(None, &file("a.tscn", scene, &format!("{scene}\n")), true, true);
        assert!(meaning.contains(&"+".to_owned()), "{meaning:?}");
    }

    #[test]
    fn nothing_moves_the_cursor_or_hides() {
        assert_eq!(visible("a\u{1b}[2K\rb\u{202e}c\td"), "a\\u{1b}[2K\\u{d}b\\u{202e}c    d");
        assert_eq!(cut("äöü", 2), "äö… (1 more characters)");
    }

    #[test]
    fn a_yes_holds_for_the_change_that_was_shown_and_once() {
        let (root, other) = (Path::new("/a"), Path::new("/b"));
        let files = [file("x", "1", "2"), file("y", "", "3")];
        let plans = vec![digest(root, &files, &[])];
        let bound = || Bound::new(&Shown { seed: [1; 32], plans: Some(plans.clone()) });
        let turned = [files[1], files[0]];
        let once = bound();
        assert!(once.sees(root, &turned, &[]).is_ok() && once.sees(root, &files, &[]).is_err());
        assert!(bound().sees(other, &files, &[]).is_err());
        assert!(bound().sees(root, &files, &[("z", true)]).is_err());
        for changed in [file("x", "1", "4"), file("x", "0", "2"), file("z", "1", "2")] {
            assert!(bound().sees(root, &[changed, files[1]], &[]).is_err(), "{}", changed.path);
        }
        let free = Bound::new(&Shown::default());
        assert!(free.sees(root, &files, &[]).is_ok());
    }

    #[test]
    fn names_are_drawn_alike_from_one_seed() {
        let draw = |seed: u8| {
            let draws = Draws::new([seed; 32]);
            let mut drawn = [[0; 16], [0; 16]];
            drawn.iter_mut().for_each(|bytes| draws.draw(bytes));
            drawn
        };
        assert_eq!(draw(1), draw(1));
        assert!(draw(1) != draw(2) && draw(1)[0] != draw(1)[1]);
    }
}
