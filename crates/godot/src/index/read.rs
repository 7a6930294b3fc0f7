//! One file read into its entry. What it uses is kept as written; whether that is there is asked
//! later.

use std::ops::Range;
use std::path::Path;
use std::time::SystemTime;

use super::walk::{FoundFile, nanoseconds};
use super::{FileEntry, FileKind, Use, UseKind};
use crate::{
    Config, Document, MentionKind, ProjectError, Recent, Scene, Script, Section, Uid, file, syntax,
};

/// A file that changed less than this before it was read may change again within the same tick of
/// the file system's clock.
const RACY: i64 = 2_000_000_000;

/// `uid://` and the thirteen letters and digits of the largest number.
const LONGEST_UID: usize = 19;

/// Reads a file. A large scene that was read lately is taken from there.
pub(super) fn read(root: &Path, found: &FoundFile, recent: Option<&Recent>) -> FileEntry {
    let entry = empty(found);
    if entry.kind == FileKind::Other {
        return entry;
    }
    read_content(entry, file::read_inside(root, &found.path, file::MAX_BYTES), recent)
}

/// A file as it is to be.
pub(super) fn read_planned(path: &str, bytes: &[u8], recent: &Recent) -> FileEntry {
    let found = FoundFile { path: path.into(), size: bytes.len() as u64, modified: 0 };
    let entry = empty(&found);
    if entry.kind == FileKind::Other {
        return entry;
    }
    read_content(entry, Ok(Some(bytes.to_vec())), Some(recent))
}

fn empty(found: &FoundFile) -> FileEntry {
    FileEntry {
        path: found.path.clone(),
        kind: FileKind::of_path(&found.path),
        size: found.size,
        modified: found.modified,
        uid: None,
        class: None,
        uses: Vec::new(),
        groups: Vec::new(),
        actions: Vec::new(),
        script: None,
        problem: None,
        is_unread: false,
        is_racy: nanoseconds(SystemTime::now()) - found.modified < RACY,
    }
}

fn read_content(
    mut entry: FileEntry,
    content: Result<Option<Vec<u8>>, ProjectError>,
    recent: Option<&Recent>,
) -> FileEntry {
    let unread = match content {
        Ok(Some(bytes)) => {
            let unread = file::not_text(&bytes).map(str::to_owned);
            fill(&mut entry, bytes, recent);
            unread
        }
        Ok(None) => Some("the file went away while it was read".into()),
        Err(error) => Some(error.to_string()),
    };
    // What a `.uid` is beside is the one that is used.
    entry.is_unread = unread.is_some() && entry.kind != FileKind::Uid;
    entry.problem = unread.or(entry.problem);
    entry
}

fn fill(entry: &mut FileEntry, bytes: Vec<u8>, recent: Option<&Recent>) {
    match entry.kind {
        FileKind::Scene | FileKind::Resource => {
            let scene = match recent.filter(|_| entry.kind == FileKind::Scene) {
                Some(recent) => recent.scene(bytes.into()),
                None => Scene::parse(bytes),
            };
            fill_resource(entry, &scene);
        }
        FileKind::Settings => fill_settings(entry, bytes),
        FileKind::Import => fill_import(entry, bytes),
        FileKind::Uid => {
            let text = String::from_utf8_lossy(&bytes);
            let uid = Some(text.trim().to_owned()).filter(|uid| uid.starts_with("uid://"));
            // A longer one than Godot writes is another one for it, and that is what others name.
            let is_long = |uid: &String| uid.len() > LONGEST_UID;
            entry.uid = uid.map(|uid| match Uid::parse(&uid).filter(|_| is_long(&uid)) {
                Some(meant) => meant.to_string(),
                None => uid,
            });
        }
        FileKind::Script => fill_script(entry, &String::from_utf8_lossy(&bytes)),
        FileKind::CSharp | FileKind::Shader => entry.uses = shader_uses(&bytes),
        FileKind::Other => {}
    }
}

fn first_problem(document: &Document) -> Option<String> {
    let problem = document.problems().iter().min_by_key(|problem| problem.kind)?;
    Some(format!("line {}: {}", problem.line, problem.message))
}

fn fill_resource(entry: &mut FileEntry, scene: &Scene) {
    entry.problem = first_problem(scene);
    entry.uid = scene.uid().map(|uid| uid.into_owned());
    entry.class = match entry.kind {
        FileKind::Scene => root_class(scene),
        _ => scene.resource_class().map(|class| class.into_owned()),
    };
    let mut lines = Lines::new(scene.as_bytes());
    let mut known = Vec::new();
    let file = entry.path.clone();
    for found in scene.ext_resources() {
        let offset = found.0.tag_span().start;
        known.push(found.0.tag_span());
        let path = crate::tree::absolute(&format!("res://{file}"), &found.path());
        let uid = found.uid().map(|uid| uid.into_owned());
        let (kind, line) = (UseKind::ExtResource, lines.line(offset));
        entry.uses.push(Use { kind, path: Some(path), uid, line, offset });
    }
    known.extend(scene.sections().next().map(Section::tag_span));
    for mention in scene.mentions().filter(|mention| mention.kind == MentionKind::Resource) {
        known.push(mention.span.clone());
        let line = lines.line(mention.span.start);
        entry.uses.extend(usage(UseKind::Value, &mention.text, line, mention.span.start));
    }
    for inner in scene.inner_code() {
        known.push(inner.span.clone());
        let uses = match inner.kind {
            FileKind::Script => script_uses(&file, &Script::parse(&inner.text)),
            _ => shader_uses(inner.text.as_bytes()),
        };
        // They are found in the file and not in the code alone.
        entry.uses.extend(uses.into_iter().map(|used| Use {
            line: inner.line + used.line - 1,
            offset: inner.offset_in_file(used.offset),
            ..used
        }));
    }
    entry.uses.extend(text_uses(scene.as_bytes(), &known));
    // The sections tell it without the paths of all nodes, which take longer to find.
    let lists = nodes(scene).filter_map(|node| node.attribute("groups"));
    for group in lists.flat_map(|groups| groups.decode().strings()) {
        if !entry.groups.contains(&group) {
            entry.groups.push(group);
        }
    }
}

fn nodes(scene: &Scene) -> impl Iterator<Item = Section<'_>> {
    scene.sections().filter(|section| section.name() == "node")
}

fn root_class(scene: &Scene) -> Option<String> {
    let root = nodes(scene).find(|node| node.attribute_text("parent").is_none())?;
    Some(root.attribute_text("type")?.into_owned())
}

fn fill_settings(entry: &mut FileEntry, bytes: Vec<u8>) {
    let config = Config::parse(bytes);
    entry.problem = first_problem(&config);
    let is_project = entry.path == "project.godot";
    let mut known = Vec::new();
    for (section, field) in config.entries().filter(|_| is_project) {
        let value = field.value();
        let kind = match (&*section, &*field.key()) {
            ("autoload", _) => UseKind::Autoload,
            ("application", "run/main_scene") => UseKind::MainScene,
            ("editor_plugins", "enabled") => UseKind::Plugin,
            ("input", action) => {
                entry.actions.push(action.to_owned());
                continue;
            }
            _ => continue,
        };
        let (line, offset) = (field.line(), value.span().start);
        known.push(value.span());
        let texts =
            value.as_str().map_or_else(|| value.decode().strings(), |text| vec![text.into_owned()]);
        for text in texts {
            let path = text.trim_start_matches('*');
            entry.uses.extend(usage(kind, path, line, offset));
        }
    }
    entry.uses.extend(text_uses(config.as_bytes(), &known));
}

fn fill_import(entry: &mut FileEntry, bytes: Vec<u8>) {
    let config = Config::parse(bytes);
    entry.problem = first_problem(&config);
    let text = |key| Some(config.find("remap", key)?.as_str()?.into_owned());
    entry.uid = text("uid");
    entry.class = text("type");
    if let Some(source) = config.keys("deps").find(|field| field.key() == "source_file") {
        let (line, offset) = (source.line(), source.value().span().start);
        let path = source.value().as_str().unwrap_or_default();
        entry.uses.extend(usage(UseKind::ImportSource, &path, line, offset));
    }
}

/// What C# or a shader names.
fn shader_uses(bytes: &[u8]) -> Vec<Use> {
    let mut uses = text_uses(bytes, &[]);
    uses.retain(|used| !is_comment(&bytes[..used.offset]));
    for used in &mut uses {
        used.kind = kind_in_code(&bytes[..used.offset]);
    }
    uses
}

fn fill_script(entry: &mut FileEntry, text: &str) {
    let mut script = Script::parse(text);
    entry.uses = script_uses(&entry.path, &script);
    if let Some(path) = script.base.as_mut().filter(|base| base.ends_with(".gd")) {
        *path = crate::tree::absolute(&format!("res://{}", entry.path), path);
    }
    entry.class = script.base.clone();
    entry.script = Some(script);
}

/// What the code of a script names; `file` is where it stands.
fn script_uses(file: &str, script: &Script) -> Vec<Use> {
    let mut uses = Vec::new();
    let base = script.base.as_deref().unwrap_or_default();
    for literal in &script.literals {
        let is_load = literal.is_loaded || literal.text == base;
        let kind = if is_load { UseKind::Load } else { UseKind::Text };
        let text = match literal.text.contains("://") {
            true => literal.text.clone(),
            // A path without a scheme is one from the script's folder.
            false if is_load && !literal.text.is_empty() => {
                crate::tree::absolute(&format!("res://{file}"), &literal.text)
            }
            false => continue,
        };
        uses.extend(usage(kind, &text, literal.line, literal.offset));
    }
    uses
}

/// A use, when a text is a path or uid of the project. What the engine makes itself is none.
fn usage(kind: UseKind, text: &str, line: usize, offset: usize) -> Option<Use> {
    let is_made = text.starts_with("res://.godot/") || text.starts_with("res://.import/");
    let (path, uid) = match text {
        _ if is_made || text == "res://" => return None,
        _ if text.starts_with("uid://") => (None, Some(text.to_owned())),
        _ if text.starts_with("res://") => (Some(crate::tree::simplified(text)), None),
        _ => return None,
    };
    // Parts of paths that code puts together cannot be looked up.
    let is_whole = !text.contains(['%', '{', '*', '\n']) && !text.ends_with('/');
    is_whole.then_some(Use { kind, path, uid, line, offset })
}

/// Quoted texts with a path or uid, outside of what is known already.
fn text_uses(bytes: &[u8], known: &[Range<usize>]) -> Vec<Use> {
    let mut uses = Vec::new();
    let mut lines = Lines::new(bytes);
    let mut starts: Vec<usize> = memchr::memmem::find_iter(bytes, "\"res://").collect();
    starts.extend(memchr::memmem::find_iter(bytes, "\"uid://"));
    starts.sort_unstable();
    for start in starts.into_iter().filter(|start| !known.iter().any(|span| span.contains(start))) {
        let mut scanner = syntax::Scanner::new(bytes, start);
        if scanner.string().is_err() {
            continue;
        }
        let text = syntax::decode_string(&bytes[start..scanner.at]).into_owned();
        uses.extend(usage(UseKind::Text, &text, lines.line(start), start));
    }
    uses
}

/// Whether what follows stands in a comment of C# or of a shader. Paths have slashes too, so texts
/// are left out.
fn is_comment(before: &[u8]) -> bool {
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut code = line.split(|byte| *byte == b'"').step_by(2);
    code.any(|part| memchr::memmem::find(part, b"//").is_some())
}

/// Whether C# or a shader loads the file whose name follows: `GD.Load<Texture2D>(` or `#include`.
fn kind_in_code(before: &[u8]) -> UseKind {
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii_end();
    let call = line.strip_suffix(b"(").map(|call| match call.strip_suffix(b">") {
        Some(generic) => generic.rsplitn(2, |byte| *byte == b'<').nth(1).unwrap_or_default(),
        None => call,
    });
    match line.ends_with(b"#include") || call.is_some_and(|call| call.ends_with(b"Load")) {
        true => UseKind::Load,
        false => UseKind::Text,
    }
}

/// Line numbers of offsets that mostly grow.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl Lines<'_> {
    fn new(bytes: &[u8]) -> Lines<'_> {
        Lines { bytes, at: 0, line: 1 }
    }

    fn line(&mut self, offset: usize) -> usize {
        if offset < self.at {
            (self.at, self.line) = (0, 1);
        }
        self.line += memchr::memchr_iter(b'\n', &self.bytes[self.at..offset]).count();
        self.at = offset;
        self.line
    }
}
