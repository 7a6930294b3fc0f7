//! Resources and folders that callers name.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_godot::{Document, FileEntry, ResourceId, Section, UseKind};

use crate::base::Godot;

impl Godot<'_> {
    /// A folder of the project, from its root and without a `/` at the end; empty for the root.
    pub fn folder(&self, text: &str) -> Result<String, ToolError> {
        let plain = text.trim().trim_end_matches(['/', '\\']);
        if matches!(plain, "" | "." | "res:") {
            return Ok(String::new());
        }
        let folder = self.path(plain)?.to_string();
        if self.is_folder(&folder) || self.project.root.join(&folder).is_dir() {
            return Ok(folder);
        }
        let folders = self.folders();
        let known = folders.iter().map(String::as_str);
        let otherwise = "project_listFiles shows what is there";
        Err(ToolError::not_found("folder", &folder)
            .hint(suggest::did_you_mean(&folder, known, otherwise)))
    }

    /// Whether files of the project are below a path.
    pub fn is_folder(&self, path: &str) -> bool {
        let below = format!("{path}/");
        self.index.files().any(|file| file.path.starts_with(&below))
    }

    fn folders(&self) -> Vec<String> {
        let files = self.index.files().filter_map(|file| file.path.rsplit_once('/'));
        let mut folders: Vec<String> = files.map(|(folder, _)| folder.to_owned()).collect();
        folders.dedup();
        folders
    }
}

/// Whether a file is in a folder, or in one below it.
pub fn in_folder(file: &FileEntry, folder: &str, recursive: bool) -> bool {
    let below = match folder {
        "" => Some(file.path.as_str()),
        folder => file.path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
    };
    below.is_some_and(|below| recursive || !below.contains('/'))
}

/// How a file is used, in a word for callers.
pub fn use_name(kind: UseKind) -> &'static str {
    match kind {
        UseKind::ExtResource => "ext_resource",
        UseKind::Value => "value",
        UseKind::Load => "load",
        UseKind::Autoload => "autoload",
        UseKind::MainScene => "main_scene",
        UseKind::Plugin => "plugin",
        UseKind::ImportSource => "import_source",
        UseKind::Text => "text",
    }
}

/// The section of a resource: of the file itself, or of one inside of it.
pub fn resource_section<'a>(
    document: &'a Document,
    id: Option<&ResourceId>,
) -> Result<Section<'a>, ToolError> {
    let Some(id) = id else {
        return document.main_resource().ok_or_else(|| {
            ToolError::new(
                ErrorKind::BadArguments,
                "the file is no resource but a scene or settings",
            )
            .hint("name a subResourceId; nodes and settings have tools of their own")
        });
    };
    document.sub_resource(id).map(|found| found.0).ok_or_else(|| {
        let ids: Vec<String> = document.sub_resources().map(|found| found.id().0).collect();
        let otherwise = match ids.is_empty() {
            true => "there is none inside of this file".to_owned(),
            false => format!("it has {}", ids[..ids.len().min(20)].join(", ")),
        };
        ToolError::not_found("sub resource", &id.0).hint(suggest::did_you_mean(
            &id.0,
            ids.iter().map(String::as_str),
            &otherwise,
        ))
    })
}
