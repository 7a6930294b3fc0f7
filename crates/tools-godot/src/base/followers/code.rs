//! Paths of nodes in GDScript that follow a node: `$Path`, `%Unique`, `get_node("Path")`.
//!
//! A path is rewritten only where it is certain what it means: it starts at the script's own node, and
//! from every node of every scene that has the script it leads to what changed, by one new path.
//! Everything else stays, and is told.

use std::collections::{BTreeSet, HashMap};

use scenewright_contract::ToolError;
use scenewright_godot::{FileKind, Script, Tree, TreeNode, relative_path};
use scenewright_text::Edits;
use scenewright_toolkit::door::{Plan, ProjectPath};

use super::{Leftover, Moved, is_lookup};
use crate::base::{Godot, OpenScene};

/// A script that more scenes have is not looked at in all of them, and not changed.
const MAX_SCENES: usize = 200;

/// A script as it was read and as it is to be.
pub(super) struct Rewritten {
    pub(super) path: ProjectPath,
    before: Vec<u8>,
    edits: Edits,
}

impl Rewritten {
    /// Make its change part of a plan.
    pub(super) fn add_to<'a>(&'a self, plan: &mut Plan<'a>) -> Result<(), ToolError> {
        plan.edit(&self.path, &self.before, &self.edits)
    }
}

/// The scripts of which paths follow. What follows is no longer among what was found.
pub(super) fn rewrite(
    godot: &Godot<'_>,
    opens: &[OpenScene],
    moved: &[Moved],
    found: &mut BTreeSet<Leftover>,
) -> Result<Vec<Rewritten>, ToolError> {
    let is_code = |leftover: &&Leftover| leftover.file.ends_with(".gd");
    let files: BTreeSet<String> = found.iter().filter(is_code).map(|l| l.file.clone()).collect();
    let mut scenes = Scenes { godot, opens, moved, read: HashMap::new() };
    let mut rewritten = Vec::new();
    for file in files {
        let path = godot.path(&file)?;
        let before = godot.read(&path)?;
        let Ok(text) = std::str::from_utf8(&before) else { continue };
        let uses = uses(text);
        let Some(views) = scenes.with(&file)? else { continue };
        let mut edits = Edits::default();
        let mut left = BTreeSet::new();
        for used in &uses {
            match new_text(used, &views) {
                Some(new) => edits.replace(used.range.clone(), used.written(&new)),
                None => drop(left.insert((used.line, &used.text))),
            }
        }
        // One line may have a path twice, of which one stays.
        let is_done = |l: &Leftover| {
            let is_use = |used: &Used| used.line == l.line && used.text == l.text;
            l.file == file && uses.iter().any(is_use) && !left.contains(&(l.line, &l.text))
        };
        if !edits.is_empty() {
            found.retain(|leftover| !is_done(leftover));
            rewritten.push(Rewritten { path, before: before.clone(), edits });
        }
    }
    Ok(rewritten)
}

/// A path in a script, and the bytes that say it.
struct Used {
    text: String,
    line: usize,
    range: std::ops::Range<usize>,
    form: Form,
}

enum Form {
    /// `$A/B`, also in quotes.
    Dollar,
    /// `%A`, also in quotes.
    Percent,
    /// The text of a call, without its quotes.
    Text,
    /// Where it starts is not known, so it stays.
    Unclear,
}

impl Used {
    /// A new path in the form of this one.
    fn written(&self, new: &str) -> String {
        let is_plain = |text: &str| {
            let step = |step: &str| {
                let name = step.strip_prefix('%').unwrap_or(step);
                let starts = name.starts_with(|char: char| char.is_alphabetic() || char == '_');
                step == ".." || starts && name.chars().all(|c| c.is_alphanumeric() || c == '_')
            };
            text.split('/').all(step)
        };
        match (&self.form, new.strip_prefix('%')) {
            (Form::Text | Form::Unclear, _) => new.to_owned(),
            (Form::Percent, Some(_)) if is_plain(new) => new.to_owned(),
            (Form::Percent, Some(name)) => format!("%\"{name}\""),
            _ if is_plain(new) => format!("${new}"),
            _ => format!("$\"{new}\""),
        }
    }
}

/// Every path of a node in a script, with what can be changed of it.
fn uses(text: &str) -> Vec<Used> {
    let script = Script::parse(text);
    let starts = |at: usize, with: &str| text.get(at..).is_some_and(|rest| rest.starts_with(with));
    let mut found = Vec::new();
    for used in &script.node_paths {
        let name = &used.name;
        let unique = name.strip_prefix('%').unwrap_or(name);
        let forms = [
            (format!("${name}"), Form::Dollar),
            (format!("$\"{name}\""), Form::Dollar),
            (format!("$'{name}'"), Form::Dollar),
            (name.clone(), Form::Percent),
            (format!("%\"{unique}\""), Form::Percent),
        ];
        let form = forms.into_iter().find(|(form, _)| starts(used.offset, form));
        let (length, form) = form.map_or((0, Form::Unclear), |(text, form)| (text.len(), form));
        let range = used.offset..used.offset + length;
        found.push(Used { text: name.clone(), line: used.line, range, form });
    }
    for used in script.arguments(is_lookup) {
        let start = used.offset + 1;
        let range = start..start + used.text.len();
        let quote = text.get(used.offset..start).unwrap_or_default();
        let is_whole = starts(start, &format!("{}{quote}", used.text))
            && text[range.end + 1..].trim_start().starts_with(')');
        let takes_way = used.call.starts_with("get_node") || used.call == "has_node";
        let is_own = is_whole && takes_way && is_own_call(&text[..used.offset], &used.call);
        let form = if is_own { Form::Text } else { Form::Unclear };
        found.push(Used { text: used.text.clone(), line: used.line, range, form });
    }
    found
}

/// Whether a call is one of the script's own node; `before` ends where its argument starts.
fn is_own_call(before: &str, call: &str) -> bool {
    let before = before.trim_end().trim_end_matches(['^', '&']);
    let Some(before) = before.strip_suffix('(').and_then(|text| text.strip_suffix(call)) else {
        return false;
    };
    let is_word = |text: &str| text.ends_with(|char: char| char.is_alphanumeric() || char == '_');
    match before.strip_suffix('.') {
        Some(receiver) => receiver.strip_suffix("self").is_some_and(|text| !is_word(text)),
        None => !is_word(before),
    }
}

/// A scene with nodes that have a script, before and after the change.
struct View<'a> {
    before: &'a Tree,
    after: &'a Tree,
    moved: Option<&'a Moved>,
    /// Paths of the nodes before.
    bases: Vec<String>,
}

impl View<'_> {
    fn now(&self, path: &str) -> String {
        self.moved.map_or_else(|| path.to_owned(), |moved| moved.now(path))
    }
}

/// What a path has to be from now on; none when it stays or it is not certain.
fn new_text(used: &Used, views: &[View<'_>]) -> Option<String> {
    if matches!(used.form, Form::Unclear) {
        return None;
    }
    let mut new: Option<String> = None;
    let mut nowhere = Vec::new();
    for view in views {
        for base in view.bases.iter().filter_map(|base| view.before.node(base)) {
            let now = view.after.node(&view.now(&base.path))?;
            let Some(target) = view.before.resolve(base, &used.text) else {
                nowhere.push((view, now));
                continue;
            };
            let wanted = view.now(&target.path);
            let leads =
                |text: &str| view.after.resolve(now, text).is_some_and(|node| node.path == wanted);
            if leads(&used.text) {
                // It is right as it is from here, so that a change would break it.
                return None;
            }
            let text = match &new {
                Some(new) => Some(new.clone()),
                None => candidates(view, base, &used.text, &now.path, &wanted)
                    .into_iter()
                    .find(|text| leads(text)),
            };
            new = Some(text.filter(|text| leads(text))?);
        }
    }
    // From where it led nowhere it must not begin to lead anywhere.
    let new = new?;
    nowhere.iter().all(|(view, now)| view.after.resolve(now, &new).is_none()).then_some(new)
}

/// Ways to write a path to where its node is now: the same steps with their new names, or else the
/// shortest way.
fn candidates(
    view: &View<'_>,
    base: &TreeNode,
    text: &str,
    now: &str,
    wanted: &str,
) -> Vec<String> {
    let (names, property) = match text.split_once(':') {
        Some((names, property)) => (names, format!(":{property}")),
        None => (text, String::new()),
    };
    let mut so_far = String::new();
    let mut steps = Vec::new();
    for step in names.split('/') {
        if !so_far.is_empty() {
            so_far.push('/');
        }
        so_far.push_str(step);
        let node = view.before.resolve(base, &so_far);
        let new = node.map(|node| view.now(&node.path));
        let name = new.as_deref().and_then(|path| path.rsplit('/').next());
        let mark = if step.starts_with('%') { "%" } else { "" };
        steps.push(match name {
            Some(name) if !matches!(step, "" | "." | "..") && name != "." => {
                format!("{mark}{name}")
            }
            _ => step.to_owned(),
        });
    }
    let same = format!("{}{property}", steps.join("/"));
    vec![same, format!("{}{property}", relative_path(now, wanted))]
}

/// The scenes that have a script, each read once.
struct Scenes<'a> {
    godot: &'a Godot<'a>,
    opens: &'a [OpenScene],
    moved: &'a [Moved],
    /// Of scenes that the change does not touch, and of those that it does, as they are then.
    read: HashMap<String, Tree>,
}

impl Scenes<'_> {
    /// All scenes with nodes that have this script, or one that extends it; none when they are too
    /// many.
    fn with(&mut self, script: &str) -> Result<Option<Vec<View<'_>>>, ToolError> {
        let mut scenes = BTreeSet::new();
        let mut seen = BTreeSet::from([script.to_owned()]);
        let mut waiting = vec![script.to_owned()];
        while let Some(path) = waiting.pop() {
            let class = self.godot.index.by_path(&path).and_then(|file| file.script.as_ref());
            let class = class.and_then(|script| script.class_name.as_deref());
            let by_name = self.godot.index.of_kind(FileKind::Script).filter(|file| {
                let base = file.script.as_ref().and_then(|script| script.base.as_deref());
                class.is_some() && base == class
            });
            let by_path = self.godot.index.users(&path).map(|(file, _)| file);
            for user in by_path.chain(by_name) {
                if user.kind == FileKind::Scene {
                    scenes.insert(user.path.clone());
                } else if user.kind != FileKind::Script {
                    continue;
                }
                if seen.insert(user.path.clone()) {
                    waiting.push(user.path.clone());
                }
            }
            if scenes.len() > MAX_SCENES {
                return Ok(None);
            }
        }
        scenes.extend(self.opens.iter().map(|open| open.path.to_string()));
        for scene in scenes.iter().filter(|scene| scene.ends_with(".tscn")) {
            self.godot.cx.check_cancelled()?;
            if !self.read.contains_key(scene) {
                let tree = self.godot.tree_with(&self.godot.path(scene)?, self.opens);
                self.read.insert(scene.clone(), tree);
            }
        }
        let mut chains: HashMap<String, bool> = HashMap::new();
        let mut has = |node: &TreeNode| {
            let Some(own) = node.script() else { return false };
            *chains.entry(own.clone()).or_insert_with_key(|own| {
                let chain = self.godot.script_chain(own);
                chain.iter().any(|(path, _)| path.strip_prefix("res://") == Some(script))
            })
        };
        let mut views = Vec::new();
        for scene in &scenes {
            let Some(after) = self.read.get(scene) else { continue };
            let place = self.opens.iter().position(|open| open.path.as_str() == scene);
            let moved = place.map(|at| &self.moved[at]);
            let before = moved.map_or(after, |moved| &moved.before);
            let bases: Vec<String> =
                before.nodes().iter().filter(|node| has(node)).map(|n| n.path.clone()).collect();
            if !bases.is_empty() {
                views.push(View { before, after, moved, bases });
            }
        }
        Ok(Some(views))
    }
}
