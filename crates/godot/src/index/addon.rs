//! A repository of addons, without a project around it. What it refers to may be in the project that
//! takes it in, of which nothing is known.

use std::collections::BTreeMap;

use super::{FileEntry, FileKind, Index};
use crate::Project;
use crate::project::{ADDONS, PLUGIN};

/// How many files are looked into for the version of the engine.
const MOST_LOOKED_AT: usize = 50;

/// What is known of a repository of addons.
#[derive(Debug)]
pub(crate) struct Addon {
    /// Where projects have the repository, `addons/name/`; nothing when it has a folder `addons` itself.
    mount: Option<String>,
    /// Whether its files are of Godot 3.
    pub(crate) is_godot_3: bool,
}

impl Addon {
    pub(super) fn find(index: &Index) -> Option<Addon> {
        if !Project::is_addon(index.root()) {
            return None;
        }
        let is_plugin = index.files().any(|file| file.path == PLUGIN);
        Some(Addon {
            mount: is_plugin.then(|| mount(index)).flatten(),
            is_godot_3: is_godot_3(index),
        })
    }

    /// A path from the root of the project as one from the root of the repository.
    pub(super) fn local<'p>(&self, path: &'p str) -> &'p str {
        self.mount.as_deref().and_then(|mount| path.strip_prefix(mount)).unwrap_or(path)
    }

    /// Whether a path from the root of the project is one of the addons' own, so that nobody else has it.
    pub(crate) fn owns(&self, path: &str, has_folder: impl Fn(&str) -> bool) -> bool {
        match &self.mount {
            Some(mount) => path.starts_with(mount.as_str()),
            None => {
                let mut parts = path.split('/');
                let own = parts.next().filter(|top| *top == ADDONS).and(parts.next());
                own.is_some_and(|addon| has_folder(&format!("{ADDONS}/{addon}")))
            }
        }
    }
}

/// The place that the addon's own files name most often when they refer to each other.
fn mount(index: &Index) -> Option<String> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let paths = index.files().flat_map(|file| &file.uses).filter_map(|used| used.path.as_deref());
    for path in paths.filter_map(|path| path.strip_prefix("res://")) {
        let rest = path.strip_prefix(ADDONS).and_then(|rest| rest.strip_prefix('/'));
        let Some((name, rest)) = rest.and_then(|rest| rest.split_once('/')) else { continue };
        if index.files.binary_search_by(|file| (*file.path).cmp(rest)).is_ok() {
            *counts.entry(name).or_default() += 1;
        }
    }
    let (name, _) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    Some(format!("{ADDONS}/{name}/"))
}

/// Whether scenes and scripts are written as Godot 3 does.
fn is_godot_3(index: &Index) -> bool {
    let of = |kinds: &'static [FileKind]| {
        index.files().filter(move |file| kinds.contains(&file.kind)).take(MOST_LOOKED_AT)
    };
    let text = |file: &FileEntry| crate::Sources::read(index, &file.path).unwrap_or_default();
    let formats: Vec<bool> = of(&[FileKind::Scene, FileKind::Resource])
        .map(|file| {
            let text = text(file);
            let head = &text[..memchr::memchr(b'\n', &text).unwrap_or(text.len())];
            memchr::memmem::find(head, b"format=2").is_some()
        })
        .collect();
    if !formats.is_empty() {
        return formats.iter().all(|is_old| *is_old);
    }
    let has = |text: &[u8], word: &[u8]| {
        memchr::memmem::find_iter(text, word).any(|at| at == 0 || text[at - 1] == b'\n')
    };
    let (mut old, mut new) = (0, 0);
    for file in of(&[FileKind::Script]) {
        let text = text(file);
        let has_any = |words: [&[u8]; 3]| words.iter().any(|word| has(&text, word));
        old += usize::from(has_any([b"tool\n", b"export(", b"onready var "]));
        new += usize::from(has_any([b"@tool", b"@export", b"@onready"]));
    }
    old > new
}
