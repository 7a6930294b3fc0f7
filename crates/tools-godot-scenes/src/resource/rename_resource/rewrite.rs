//! The paths in all files of a project, while some of them go to other places.

use std::collections::BTreeSet;

use scenewright_contract::ToolError;
use scenewright_godot::{Document, FileKind, Form, Moves, Variant, not_text};
use scenewright_text::Edits;
use scenewright_toolkit::door::{self, ProjectPath};
use scenewright_tools_godot::base::{Godot, Unreads, refused};

use super::NotTouched;

/// Goes through all files and rewrites the paths.
pub(super) struct Rewrite<'a> {
    godot: &'a Godot<'a>,
    moves: &'a Moves,
    update: bool,
    /// A file without this text names nothing that moves: the last name of the file or folder.
    needle: String,
    pub(super) changes: Vec<Changed>,
    pub(super) updated: usize,
    pub(super) not_touched: Vec<NotTouched>,
    /// Texts that are no more than a name, and may mean another thing.
    pub(super) may_mean: Vec<NotTouched>,
    pub(super) unread: Unreads,
}

/// A file with its new text.
pub(super) struct Changed {
    pub(super) path: ProjectPath,
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
}

impl<'a> Rewrite<'a> {
    pub(super) fn new(godot: &'a Godot<'a>, moves: &'a Moves, update: bool) -> Self {
        // What goes with a file is named after it, so the first of them will do.
        let file = moves.files().next().and_then(|(old, _)| old.rsplit('/').next());
        let needle = moves.folder_name().or(file).unwrap_or_default().to_owned();
        Self {
            godot,
            moves,
            update,
            needle,
            changes: Vec::new(),
            updated: 0,
            not_touched: Vec::new(),
            may_mean: Vec::new(),
            unread: Unreads::of(godot),
        }
    }

    pub(super) fn all(&mut self) -> Result<(), ToolError> {
        let staged = door::staged_paths(self.godot.cx, self.godot.project);
        let mut paths: BTreeSet<String> = staged.iter().map(|(path, _)| path.to_string()).collect();
        let gone: BTreeSet<&str> =
            staged.iter().filter(|(_, there)| !there).map(|(path, _)| path.as_str()).collect();
        paths.extend(self.godot.index.files().map(|file| file.path.clone()));
        for path in paths {
            self.godot.cx.check_cancelled()?;
            let kind = FileKind::of_path(&path);
            if matches!(kind, FileKind::Other | FileKind::Uid) {
                continue;
            }
            if gone.contains(&*path) {
                continue;
            }
            let before = match self.godot.path(&path).and_then(|path| self.godot.read(&path)) {
                Ok(before) => before,
                Err(error) => {
                    self.unread.add(&path, &error.message);
                    continue;
                }
            };
            if let Some(why) = not_text(&before) {
                self.unread.add(&path, why);
                continue;
            }
            let new = self.moves.to(&path);
            if new.is_none() && !self.may_name(&before) {
                continue;
            }
            let place = self.godot.path(new.unwrap_or(&path))?;
            let edits = match kind {
                FileKind::Script | FileKind::CSharp | FileKind::Shader => {
                    self.code(&path, kind, &before, &place)
                }
                _ => self.document(&path, &before, &place),
            };
            self.updated += edits.len();
            if !edits.is_empty() {
                let after = edits.apply(&before).map_err(|error| refused(error.into()))?;
                self.changes.push(Changed { path: place, before, after });
            }
        }
        Ok(())
    }

    /// A look whether a file is worth reading closely.
    fn may_name(&self, bytes: &[u8]) -> bool {
        String::from_utf8_lossy(bytes).contains(&self.needle)
    }

    fn document(&mut self, path: &str, before: &[u8], place: &ProjectPath) -> Edits {
        let Some(form) = Form::of_path(path.as_ref()) else { return Edits::default() };
        let document = Document::parse(before, form);
        if let Err(error) = document.check_writable() {
            let text = format!("the file is not rewritten: {error}");
            self.unread.add(path, &error.to_string());
            self.not_touched.push(NotTouched { path: format!("res://{place}"), line: 1, text });
            return Edits::default();
        }
        let paths = document.ext_resources().filter_map(|it| it.0.find_attribute("path"));
        let paths: Vec<_> = paths.map(|path| path.value().span()).collect();
        for found in document.texts_with(&self.needle) {
            if self.moves.is_name(&found.text) && !paths.contains(&found.span) {
                let line = before[..found.span.start].iter().filter(|byte| **byte == b'\n').count();
                self.tell(place, line + 1, &found.text, true);
            }
        }
        let mut edits = self.moves.edits(path, &document);
        self.inner_code(path, &document, place, &mut edits);
        edits
    }

    /// Scripts and shaders that are written inside of a scene or resource.
    fn inner_code(
        &mut self,
        path: &str,
        document: &Document,
        place: &ProjectPath,
        edits: &mut Edits,
    ) {
        for inner in document.inner_code() {
            let mut instead = Vec::new();
            for found in self.moves.in_code(path, inner.kind, &inner.text) {
                match (found.instead, found.span) {
                    (Some(new), Some(span)) if self.update && inner.is_plain => {
                        instead.push((span, new));
                    }
                    _ => {
                        let line = inner.line + found.line - 1;
                        self.tell(place, line, &found.text, found.is_name);
                    }
                }
            }
            let mut text = inner.text;
            // From the last on, so that the places of the others stay.
            for (span, new) in instead.iter().rev() {
                text.replace_range(span.clone(), new);
            }
            if !instead.is_empty() {
                self.updated += instead.len() - 1;
                edits.replace(inner.span, document.value_text(&Variant::String(text)));
            }
        }
    }

    fn code(&mut self, path: &str, kind: FileKind, before: &[u8], place: &ProjectPath) -> Edits {
        let mut edits = Edits::default();
        let Ok(text) = std::str::from_utf8(before) else {
            self.unread.add(path, "it is not UTF-8");
            return edits;
        };
        for found in self.moves.in_code(path, kind, text) {
            match (found.instead, found.span) {
                (Some(instead), Some(span)) if self.update => edits.replace(span, instead),
                _ => self.tell(place, found.line, &found.text, found.is_name),
            }
        }
        edits
    }

    /// Note a place that stays as it is.
    fn tell(&mut self, place: &ProjectPath, line: usize, text: &str, is_name: bool) {
        let list = if is_name { &mut self.may_mean } else { &mut self.not_touched };
        let text = text.chars().take(200).collect();
        list.push(NotTouched { path: format!("res://{place}"), line, text });
    }
}
