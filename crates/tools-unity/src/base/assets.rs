//! Files that come, move and go with their metas: where they may be, what goes with them, and who
//! refers to them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::ErrorKind as ErrorKindOfDisk;
use std::sync::Arc;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::beneath::{self, Entry, Kind};
use scenewright_toolkit::door::{self, Plan, ProjectPath};
use scenewright_unity::hierarchy::Expander;
use scenewright_unity::index::{AssetId, Planned};
use scenewright_unity::{Guid, meta};
use schemars::JsonSchema;
use serde::Serialize;

use super::{IndexSource, Unity};

/// How many users are named; the others are counted.
const MAX_USERS: usize = 10;
/// Deeper folders are no real ones.
const MAX_DEPTH: usize = 64;

/// Who refers to an asset.
#[derive(Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Users {
    /// How many files do.
    pub count: usize,
    /// The first of them, at most ten.
    pub first: Vec<String>,
}

/// Files that are to be made.
#[derive(Debug, Default)]
pub struct NewFiles {
    files: BTreeMap<ProjectPath, Vec<u8>>,
    folders: BTreeSet<ProjectPath>,
}

impl NewFiles {
    /// A new file with its meta, and metas for the folders that it needs; the guid that it gets.
    pub fn add(
        &mut self,
        unity: &Unity<'_>,
        path: &ProjectPath,
        content: Vec<u8>,
    ) -> Result<Option<Guid>, ToolError> {
        let guid = unity.fresh_guid()?;
        Ok(self.add_as(unity, path, content, guid)?.then_some(guid))
    }

    /// The same with a guid that others refer to already; false where Unity would give the file none.
    pub fn add_as(
        &mut self,
        unity: &Unity<'_>,
        path: &ProjectPath,
        content: Vec<u8>,
        guid: Guid,
    ) -> Result<bool, ToolError> {
        self.parents(unity, path)?;
        let version = &unity.unity.settings.version;
        let meta = meta::meta_for_content(path.as_str(), &content, guid, version);
        self.files.insert(path.clone(), content);
        let Some(meta) = meta else { return Ok(false) };
        self.files.insert(unity.meta_path(path)?, meta.into_bytes());
        Ok(true)
    }

    /// A new file as it is.
    pub fn add_bare(&mut self, path: ProjectPath, content: Vec<u8>) {
        self.files.insert(path, content);
    }

    /// The folders above a path that are not there yet, each with a meta.
    pub fn parents(&mut self, unity: &Unity<'_>, path: &ProjectPath) -> Result<(), ToolError> {
        for (at, _) in path.as_str().match_indices('/') {
            let folder = ProjectPath::parse(unity.project, &path.as_str()[..at])?;
            if !unity.is_folder(&folder) {
                self.folder(unity, folder)?;
            }
        }
        Ok(())
    }

    /// A folder with its meta; the guid that it gets, or nothing where Unity would give it none.
    pub fn folder(
        &mut self,
        unity: &Unity<'_>,
        path: ProjectPath,
    ) -> Result<Option<Guid>, ToolError> {
        let is_known = self.folders.contains(&path);
        let meta = unity.meta_path(&path)?;
        self.folders.insert(path.clone());
        // Version control keeps metas of empty folders without the folders.
        let is_there = door::exists(unity.cx, unity.project, &meta);
        if is_known || is_there || !meta::is_imported(path.as_str()) {
            return Ok(None);
        }
        let guid = unity.fresh_guid()?;
        let text = meta::meta_for_folder(guid, &unity.unity.settings.version);
        self.files.insert(meta, text.into_bytes());
        Ok(Some(guid))
    }

    /// The files by their paths, as an index would have them.
    pub fn planned(&self) -> Planned {
        let content =
            |(path, content): (&ProjectPath, &Vec<u8>)| (path.to_string(), Some(content.clone()));
        self.files.iter().map(content).collect()
    }

    /// Have all of it made.
    pub fn put(&self, plan: &mut Plan<'_>) {
        self.folders.iter().for_each(|folder| plan.create_folder(folder));
        for (path, content) in &self.files {
            plan.write(path, None, content.clone());
        }
    }
}

impl<'a> Unity<'a> {
    /// The project as it is with new files.
    pub fn with(&self, files: &NewFiles) -> Unity<'a> {
        let Unity { cx, project, unity, .. } = *self;
        let (index, expander) = match self.index.with_planned(files.planned()).map(Arc::new) {
            Some(index) => {
                let source = Arc::new(IndexSource(index.clone()));
                (index, Arc::new(Expander::new(source)))
            }
            None => (self.index.clone(), self.expander.clone()),
        };
        Unity { cx, project, unity, index, expander, sources: Default::default() }
    }
}

impl Unity<'_> {
    /// Where an asset may be: below `Assets` or in a package that is a folder of the project.
    pub fn asset_place(&self, text: &str) -> Result<ProjectPath, ToolError> {
        let path = ProjectPath::parse(self.project, text)?;
        let wrong = |message: String, hint: &str| {
            let error = ToolError::new(ErrorKind::BadArguments, message);
            Err(error.hint(hint).detail("path", path.as_str()))
        };
        let parts: Vec<&str> = path.parts().collect();
        match parts.as_slice() {
            ["Assets" | "Packages"] => {
                wrong(format!("{path} stays where it is"), "name something in it")
            }
            ["Packages", _] if !is_file_name(parts[1]) => wrong(
                format!("{path} is a package as a whole"),
                "name something in it; unityPackages_add and unityPackages_remove change the manifest",
            ),
            ["Packages", _] => wrong(
                format!("{path} is no asset"),
                "unityPackages_add and unityPackages_remove change the manifest",
            ),
            ["Assets" | "Packages", ..] if path.as_str().ends_with(".meta") => {
                wrong(format!("{path} goes with its asset"), "name the asset; its meta follows")
            }
            ["Assets" | "Packages", ..] => Ok(path),
            _ => {
                let inside = format!("Assets/{path}");
                let folder = inside.rsplit_once('/').map_or("", |(folder, _)| folder);
                // The first level is in every path; what is below it tells that it was meant so.
                let is_meant = folder != "Assets" && self.project.root.join(folder).is_dir()
                    || self.project.root.join(&inside).exists();
                let hint = match is_meant {
                    true => format!("did you mean {inside}?"),
                    false => "assets are in Assets, or in a package that is a folder of Packages"
                        .to_owned(),
                };
                wrong(format!("Path must be under Assets/ or Packages/: {path}"), &hint)
            }
        }
    }

    /// The file or folder of assets that a call names, also one that Unity passes over.
    pub fn present(&self, text: &str) -> Result<ProjectPath, ToolError> {
        let path = self.asset_place(text)?;
        if door::exists(self.cx, self.project, &path) || self.is_folder(&path) {
            return Ok(path);
        }
        // It says what is meant; something that has only a meta is not there either.
        self.asset(Some(text), None)?;
        Err(ToolError::new(ErrorKind::EngineError, format!("Asset at path '{text}' not found"))
            .hint("project_listFiles shows what is there"))
    }

    /// The path of a meta.
    pub fn meta_path(&self, path: &ProjectPath) -> Result<ProjectPath, ToolError> {
        ProjectPath::parse(self.project, &format!("{path}.meta"))
    }

    /// Whether there is a folder, or will be when a batch is done.
    pub fn is_folder(&self, path: &ProjectPath) -> bool {
        let below = format!("{path}/");
        let has_staged = || {
            let staged = door::staged_paths(self.cx, self.project);
            staged.iter().any(|(other, is_there)| *is_there && other.as_str().starts_with(&below))
        };
        match door::staged_folder(self.cx, self.project, path) {
            Some(true) => true,
            Some(false) => has_staged(),
            None => self.project.root.join(path.as_str()).is_dir() || has_staged(),
        }
    }

    /// Refuses a place where something is already.
    pub fn must_be_new(&self, path: &ProjectPath) -> Result<(), ToolError> {
        if !door::exists(self.cx, self.project, path) && !self.is_folder(path) {
            return Ok(());
        }
        Err(ToolError::failed(format!("{path} exists already"))
            .hint("nothing was changed; choose another path, or delete it first with asset_delete")
            .detail("path", path.as_str()))
    }

    /// A guid that nothing in the project has.
    pub fn fresh_guid(&self) -> Result<Guid, ToolError> {
        loop {
            let mut bytes = [0; 16];
            self.cx.draw(&mut bytes)?;
            let guid = Guid(bytes);
            if !guid.is_zero() && !guid.is_built_in() && self.index.by_guid(guid).is_none() {
                return Ok(guid);
            }
        }
    }

    /// All files below a folder, with metas and what Unity passes over, and the folders, each before
    /// what is in it. Links are refused: what they lead to is somewhere else.
    pub fn contents(
        &self,
        folder: &ProjectPath,
    ) -> Result<(Vec<ProjectPath>, Vec<ProjectPath>), ToolError> {
        let mut found = Contents::default();
        self.walk(folder, 0, &mut found)?;
        let below = format!("{folder}/");
        let staged = door::staged_paths(self.cx, self.project);
        for (path, is_there) in
            staged.into_iter().filter(|(path, _)| path.as_str().starts_with(&below))
        {
            match is_there {
                true => found.files.insert(path),
                false => found.files.remove(&path),
            };
        }
        Ok((found.files.into_iter().collect(), found.folders.into_iter().collect()))
    }

    fn walk(
        &self,
        folder: &ProjectPath,
        depth: usize,
        found: &mut Contents,
    ) -> Result<(), ToolError> {
        self.cx.check_cancelled()?;
        let unreadable = |error: std::io::Error| {
            ToolError::new(ErrorKind::EngineError, format!("{folder} cannot be read: {error}"))
        };
        if depth > MAX_DEPTH {
            return Err(ToolError::failed(format!("{folder} is too deep")));
        }
        found.folders.insert(folder.clone());
        let disk = self.project.root.join(folder.as_str());
        // A folder that only a batch has is not on the disk.
        let entries = match beneath::list(&self.project.root, &disk) {
            Err(error) if error.kind() == ErrorKindOfDisk::NotFound => return Ok(()),
            entries => entries.map_err(unreadable)?,
        };
        for Entry { name, kind } in entries {
            let name = name.to_str().ok_or_else(|| {
                ToolError::failed(format!("{folder} has a file whose name is no text: {name:?}"))
            })?;
            let path = ProjectPath::parse(self.project, &format!("{folder}/{name}"))?;
            if kind == Kind::Link {
                return Err(ToolError::failed(format!("{path} is a link"))
                    .hint("nothing was changed; links are not followed, so take it out of the folder first"));
            }
            match kind == Kind::Folder {
                true => self.walk(&path, depth + 1, found)?,
                false => drop(found.files.insert(path)),
            }
        }
        Ok(())
    }

    /// Who refers to one of these guids, besides the assets for which `is_own` holds.
    pub fn users(&self, guids: &[Guid], is_own: impl Fn(&str) -> bool) -> Users {
        let mut users: BTreeSet<AssetId> = BTreeSet::new();
        for guid in guids {
            users.extend(self.index.incoming(*guid).map(|user| user.id()));
        }
        let paths = users.into_iter().filter_map(|id| Some(self.index.asset(id)?.path()));
        let mut paths: Vec<String> = paths.filter(|path| !is_own(path)).collect();
        let count = paths.len();
        paths.truncate(MAX_USERS);
        Users { count, first: paths }
    }
}

#[derive(Default)]
struct Contents {
    files: BTreeSet<ProjectPath>,
    folders: BTreeSet<ProjectPath>,
}

fn is_file_name(name: &str) -> bool {
    name.ends_with(".json")
}

/// The name of a file without its ending.
pub fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}

/// What a file name ends in.
pub fn ending(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.') {
        Some((stem, ending)) if !stem.is_empty() => ending,
        _ => "",
    }
}
