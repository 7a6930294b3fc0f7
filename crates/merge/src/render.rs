//! Differences as text: a tree for terminals, a remark for pull requests, a page.

use std::collections::HashMap;

use crate::diff::{Change, Differences, FieldChange, ObjectChange};
use crate::reach::{Reach, Reached};

/// One file and what changed in it.
#[derive(Debug, Clone)]
pub struct FileDiff {
    /// Its path now.
    pub path: String,
    /// Its path before, when it was another.
    pub old_path: Option<String>,
    /// Whether the file came, went or changed.
    pub change: Change,
    /// What changed in it, or why that cannot be told.
    pub differences: Result<Differences, String>,
    /// The files that have it in them, where that was asked for and can be.
    pub reach: Option<Reach>,
}

/// What a piece of text is, so that it can be coloured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// The name of a file.
    File,
    /// Something came.
    Added,
    /// Something went.
    Removed,
    /// Something changed.
    Changed,
    /// Less important.
    Quiet,
}

/// Colours a piece of text.
pub type Paint<'a> = &'a dyn Fn(Tone, &str) -> String;

/// So many objects with the same changes are told one by one; the others are counted.
const FOLD: usize = 3;
/// So many fields of one object are told.
const MAX_FIELDS: usize = 40;
/// So many characters of a value.
const MAX_VALUE: usize = 120;
/// So many files are named that a change reaches.
const MAX_REACHED: usize = 5;

/// One line for each file, with how much changed.
pub fn stat(files: &[FileDiff], paint: Paint<'_>) -> String {
    let width = files.iter().map(|file| file.path.chars().count()).max().unwrap_or_default();
    let mut text = String::new();
    for file in files {
        let padding = " ".repeat(width - file.path.chars().count());
        text += &format!("{}{padding}  {}\n", paint(Tone::File, &file.path), summary(file, paint));
    }
    text
}

/// How much changed in a file, in words.
pub fn summary(file: &FileDiff, paint: Paint<'_>) -> String {
    let differences = match &file.differences {
        Ok(differences) => differences,
        Err(reason) => return paint(Tone::Quiet, &format!("({reason})")),
    };
    let [added, removed, changed] = differences.counts();
    let fields: usize = differences.objects.iter().map(|object| object.fields.len()).sum();
    let places = differences.objects.iter().filter_map(|object| {
        let was = object.moved_from.as_deref()?;
        Some(was != object.place && above(was) == above(&object.place))
    });
    let (renamed, moved): (Vec<bool>, Vec<bool>) = places.partition(|is_renamed| *is_renamed);
    let mut words = Vec::new();
    match file.change {
        Change::Added => words.push(paint(Tone::Added, "new file")),
        Change::Removed => words.push(paint(Tone::Removed, "deleted")),
        Change::Changed => {}
    }
    let mut count = |tone: Tone, sign: &str, number: usize, what: &str| {
        if number > 0 {
            words.push(paint(tone, &format!("{sign}{number}{what}")));
        }
    };
    count(Tone::Added, "+", added, "");
    count(Tone::Removed, "-", removed, "");
    count(Tone::Changed, "~", changed, "");
    count(Tone::Quiet, "", fields, if fields == 1 { " field" } else { " fields" });
    count(Tone::Quiet, "", renamed.len(), " renamed");
    count(Tone::Quiet, "", moved.len(), " moved");
    if words.is_empty() {
        words.push(paint(Tone::Quiet, "only order, spelling or noise"));
    }
    words.join(" ")
}

/// The path of what an object is in.
fn above(place: &str) -> &str {
    place.rsplit_once('/').map_or("", |(above, _)| above)
}

/// A tree of what changed, for terminals.
pub fn tree(files: &[FileDiff], paint: Paint<'_>, all: bool) -> String {
    let mut text = String::new();
    for file in files {
        let was = file.old_path.as_ref().map_or(String::new(), |was| format!(" (was {was})"));
        text += &format!("{}{was}  {}\n", paint(Tone::File, &file.path), summary(file, paint));
        if let Ok(differences) = &file.differences
            && file.change == Change::Changed
        {
            let detail = if all { Detail::Unfolded } else { Detail::Usual };
            push_objects(&mut text, differences, paint, detail);
            push_reach(&mut text, file, paint, all);
        }
    }
    text
}

/// What changed in one file, object by object, whether it came, went or changed; all of it.
pub fn objects(file: &FileDiff, paint: Paint<'_>) -> String {
    let mut text = String::new();
    if let Ok(differences) = &file.differences {
        push_objects(&mut text, differences, paint, Detail::Whole);
        push_reach(&mut text, file, paint, true);
    }
    text
}

/// The files that a change arrives in, and those that say something else.
fn push_reach(text: &mut String, file: &FileDiff, paint: Paint<'_>, all: bool) {
    for line in file.reach.iter().flat_map(|reach| reach_lines(reach, all)) {
        *text += &format!("  {}\n", paint(Tone::Quiet, &line));
    }
}

/// Where a change arrives, in words.
pub fn reach_lines(reach: &Reach, all: bool) -> Vec<String> {
    let most = if all { usize::MAX } else { MAX_REACHED };
    let listed = |files: Vec<String>| {
        let more = match files.len().saturating_sub(most) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        files.into_iter().take(most).collect::<Vec<_>>().join(", ") + &more
    };
    let mut lines = Vec::new();
    let (arrives, stays): (Vec<&Reached>, Vec<&Reached>) =
        reach.files.iter().partition(|file| file.arrives);
    if !arrives.is_empty() {
        let cut = if reach.truncated { "at least " } else { "" };
        let count = scenewright_text::counted(arrives.len(), "file");
        let paths = arrives.iter().map(|file| file.path.clone()).collect();
        lines.push(format!("reaches {cut}{count}: {}", listed(paths)));
    }
    let some = arrives.iter().filter(|file| !file.overridden.is_empty());
    let some: Vec<String> =
        some.map(|file| format!("{} ({})", file.path, listed(file.overridden.clone()))).collect();
    if !some.is_empty() {
        lines.push(format!("overridden in: {}", listed(some)));
    }
    if !stays.is_empty() {
        let paths = stays.iter().map(|file| file.path.clone()).collect();
        lines.push(format!(
            "does not show in, for all of it is overridden there: {}",
            listed(paths)
        ));
    }
    lines
}

/// How much is told of the objects of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Detail {
    /// As much as one reads.
    Usual,
    /// Those with the same changes, too.
    Unfolded,
    /// Every field, and every value to its end.
    Whole,
}

/// The objects by place: a game object or node with its components.
fn push_objects(text: &mut String, differences: &Differences, paint: Paint<'_>, detail: Detail) {
    let all = detail != Detail::Usual;
    let mut alike: HashMap<(Change, &str, &[FieldChange]), usize> = HashMap::new();
    let mut last: Option<&str> = None;
    for object in grouped(differences) {
        let key = (object.change, object.part.as_str(), object.fields.as_slice());
        let times = alike.entry(key).or_insert(0);
        *times += 1;
        if !all && *times > FOLD && object.moved_from.is_none() && object.change == Change::Changed
        {
            continue;
        }
        let place = if object.place.is_empty() { &object.id } else { &object.place };
        if !object.part.is_empty() && last != Some(place) {
            *text += &format!("  {}\n", paint(Tone::Quiet, place));
        }
        last = Some(place);
        push_object(text, object, paint, detail);
    }
    if !all {
        let hidden: usize = alike
            .iter()
            .filter(|((change, ..), _)| *change == Change::Changed)
            .map(|(_, times)| times.saturating_sub(FOLD))
            .sum();
        if hidden > 0 {
            let words = format!("  … and {hidden} more with the same changes (--all shows them)\n");
            *text += &paint(Tone::Quiet, &words);
        }
    }
    let quiet = |number: usize, words: &str| match number {
        0 => None,
        number => Some(paint(Tone::Quiet, &format!("  {number} {words}\n"))),
    };
    text.extend(quiet(
        differences.noise,
        "values differ only in what is derived or in the last digits",
    ));
    text.extend(quiet(differences.respelt, "objects differ only in spelling"));
}

/// In the order of places, so that components stand below their object.
fn grouped(differences: &Differences) -> Vec<&ObjectChange> {
    let mut objects: Vec<&ObjectChange> = differences.objects.iter().collect();
    objects.sort_by(|a, b| {
        let rank = |object: &ObjectChange| {
            let is_other = object.place.is_empty();
            (is_other, object.place.clone(), !object.part.is_empty())
        };
        rank(a).cmp(&rank(b))
    });
    objects
}

fn push_object(text: &mut String, object: &ObjectChange, paint: Paint<'_>, detail: Detail) {
    let (most_fields, most_value) = match detail {
        Detail::Usual | Detail::Unfolded => (MAX_FIELDS, MAX_VALUE),
        Detail::Whole => (usize::MAX, usize::MAX),
    };
    let (sign, tone) = sign(object.change);
    let (indent, name) = match object.part.as_str() {
        "" if object.place.is_empty() => ("  ", object.id.as_str()),
        "" => ("  ", object.place.as_str()),
        part => ("    ", part),
    };
    let moved = match &object.moved_from {
        Some(was) if *was != object.place => format!(" (was {was})"),
        Some(_) => " (moved)".to_owned(),
        None => String::new(),
    };
    *text += &format!(
        "{indent}{}{}\n",
        paint(tone, &format!("{sign} {name}")),
        paint(Tone::Quiet, &moved)
    );
    for field in object.fields.iter().take(most_fields) {
        *text += &format!("{indent}    {}\n", field_line(field, paint, most_value));
    }
    if object.fields.len() > most_fields {
        let more = format!("{indent}    … {} more fields\n", object.fields.len() - most_fields);
        *text += &paint(Tone::Quiet, &more);
    }
}

fn field_line(field: &FieldChange, paint: Paint<'_>, most: usize) -> String {
    let cut = |value: &Option<String>| {
        let value = value.as_deref().unwrap_or_default();
        match value.char_indices().nth(most) {
            Some((end, _)) => format!("{}…", &value[..end]),
            None => value.to_owned(),
        }
    };
    match field.change {
        Change::Added => paint(Tone::Added, &format!("+ {}: {}", field.field, cut(&field.new))),
        Change::Removed => paint(Tone::Removed, &format!("- {}: {}", field.field, cut(&field.old))),
        Change::Changed if field.old.is_none() => field.field.clone(),
        Change::Changed => {
            let (old, new) = (cut(&field.old), cut(&field.new));
            let (old, new) = (paint(Tone::Removed, &old), paint(Tone::Added, &new));
            format!("{}: {old} → {new}", field.field)
        }
    }
}

fn sign(change: Change) -> (char, Tone) {
    match change {
        Change::Added => ('+', Tone::Added),
        Change::Removed => ('-', Tone::Removed),
        Change::Changed => ('~', Tone::Changed),
    }
}

/// A remark for a pull request: a table of files, and each folded.
pub fn markdown(files: &[FileDiff]) -> String {
    let plain: Paint<'_> = &|_, text| text.to_owned();
    let mut text = format!("### What changed in {} scenes and settings\n\n", files.len());
    text += "| file | changes |\n|---|---|\n";
    for file in files {
        let cell = summary(file, plain).replace('|', "\\|");
        text += &format!("| `{}` | {cell} |\n", file.path.replace('|', "\\|").replace('`', "'"));
    }
    for file in files.iter().filter(|file| file.change == Change::Changed) {
        let Ok(differences) = &file.differences else { continue };
        if differences.is_empty() {
            continue;
        }
        let mut body = String::new();
        push_objects(&mut body, differences, plain, Detail::Usual);
        push_reach(&mut body, file, plain, false);
        // A fence longer than any in the text.
        let fence = "`".repeat(3.max(longest_run(&body, '`') + 1));
        let name = escaped(&file.path);
        text += &format!("\n<details><summary><code>{name}</code></summary>\n\n{fence}diff\n");
        for line in body.lines() {
            text += &marked(line);
            text.push('\n');
        }
        text += &format!("{fence}\n\n</details>\n");
    }
    text
}

/// A line whose sign is first, where code hosts colour it.
fn marked(line: &str) -> String {
    let trimmed = line.trim_start();
    match trimmed.chars().next() {
        Some(sign @ ('+' | '-')) if trimmed[1..].starts_with(' ') => {
            let indent = &line[..line.len() - trimmed.len()];
            format!("{sign}{indent}{}", &trimmed[2..])
        }
        _ => format!(" {line}"),
    }
}

fn longest_run(text: &str, mark: char) -> usize {
    let mut longest = 0;
    let mut run = 0;
    for found in text.chars() {
        run = if found == mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// A page of its own.
pub fn html(files: &[FileDiff]) -> String {
    let paint: Paint<'_> = &|tone, text| {
        let class = match tone {
            Tone::File => "file",
            Tone::Added => "add",
            Tone::Removed => "del",
            Tone::Changed => "mod",
            Tone::Quiet => "dim",
        };
        format!("\u{1}{class}\u{2}{text}\u{3}")
    };
    let mut body = String::new();
    for file in files {
        let head = dressed(&format!("{}  {}", paint(Tone::File, &file.path), summary(file, paint)));
        let mut inside = String::new();
        if let Ok(differences) = &file.differences
            && file.change == Change::Changed
        {
            push_objects(&mut inside, differences, paint, Detail::Usual);
            push_reach(&mut inside, file, paint, false);
        }
        body += &format!(
            "<details open><summary>{head}</summary><pre>{}</pre></details>\n",
            dressed(&inside)
        );
    }
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>What changed</title>\n<style>\n{STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )
}

const STYLE: &str = "\
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 80em; padding: 0 1em; }
pre { font: 13px/1.45 ui-monospace, monospace; overflow-x: auto; padding: .5em 1em; }
summary { cursor: pointer; font-family: ui-monospace, monospace; }
.file { font-weight: bold; } .add { color: #1a7f37; } .del { color: #cf222e; }
.mod { color: #9a6700; } .dim { color: #777; }
";

/// Escaped, and the marks of tones as elements.
fn dressed(text: &str) -> String {
    let clean: String = escaped(text);
    clean.replace('\u{1}', "<span class=\"").replace('\u{2}', "\">").replace('\u{3}', "</span>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
