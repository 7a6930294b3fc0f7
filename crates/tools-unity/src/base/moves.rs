//! Assets that get another path: with their metas, their names inside, and the build list.

use std::collections::HashMap;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::Edits;
use scenewright_toolkit::door::{self, Plan, ProjectPath};
use scenewright_unity::edit::{Manner, New, set};
use scenewright_unity::{Document, DocumentKind, Guid, Object, meta};

use super::Unity;
use super::assets::{NewFiles, Users, ending, stem};
use super::mentions::Names;

/// The list of the scenes of a build.
const BUILD: &str = "ProjectSettings/EditorBuildSettings.asset";
/// The folder in which Unity 6 keeps lists for single builds.
const PROFILES: &str = "/Build Profiles";

/// Moves that are made together.
pub struct Moves<'u> {
    unity: &'u Unity<'u>,
    files: Vec<(ProjectPath, ProjectPath)>,
    /// Where files are going to be, by where they are.
    places: HashMap<String, String>,
    changes: Vec<Change>,
    new: NewFiles,
    folders: Vec<ProjectPath>,
    emptied: Vec<ProjectPath>,
    names: Names,
    guids: Vec<Guid>,
}

/// A file that gets other content, at its new place.
struct Change {
    path: ProjectPath,
    before: Vec<u8>,
    after: Vec<u8>,
}

impl<'u> Moves<'u> {
    /// So far nothing moves.
    pub fn new(unity: &'u Unity<'u>) -> Self {
        Self {
            unity,
            files: Vec::new(),
            places: HashMap::new(),
            changes: Vec::new(),
            new: NewFiles::default(),
            folders: Vec::new(),
            emptied: Vec::new(),
            names: Names::default(),
            guids: Vec::new(),
        }
    }

    /// Move a file or a folder.
    pub fn add(&mut self, from: &ProjectPath, to: &ProjectPath) -> Result<(), ToolError> {
        if from == to {
            return Err(wrong(format!("{to} is where it is already")));
        }
        let same_letters = from.as_str().to_lowercase() == to.as_str().to_lowercase();
        if !same_letters {
            self.unity.must_be_new(to)?;
        }
        self.new.parents(self.unity, to)?;
        match self.unity.is_folder(from) {
            true => self.folder(from, to)?,
            false => self.file(from, to, same_letters)?,
        }
        let (old, new) = (self.unity.meta_path(from)?, self.unity.meta_path(to)?);
        match self.has(&old) {
            true => self.put(old, new),
            false if meta::is_imported(from.as_str()) => self.unity.cx.diagnose(format!(
                "{from} has no meta, so nothing can refer to it; Unity makes one when it sees the file."
            )),
            false => {}
        }
        let asset = self.unity.index.by_path(from.as_str());
        self.guids
            .extend(asset.filter(|asset| asset.path() == from.as_str()).and_then(|a| a.guid()));
        Ok(())
    }

    fn file(
        &mut self,
        from: &ProjectPath,
        to: &ProjectPath,
        same_letters: bool,
    ) -> Result<(), ToolError> {
        let (old, new) = (ending(from.as_str()), ending(to.as_str()));
        if !old.eq_ignore_ascii_case(new) {
            return Err(wrong(format!("{to} would be of another kind: {from} ends in '.{old}'"))
                .hint("nothing was changed; keep the ending, or end newPath with / to move into a folder"));
        }
        self.names.asset(from.as_str(), Some(to.as_str()));
        self.put(from.clone(), to.clone());
        if stem(from.as_str()) == stem(to.as_str()) {
            return Ok(());
        }
        if old.eq_ignore_ascii_case("cs") {
            let class = stem(from.as_str());
            self.unity.cx.diagnose(format!(
                "Unity finds a script by the class that has the name of its file; rename the class {class} as well."
            ));
        }
        match same_letters {
            // The door takes one or the other where disks make no difference of case.
            true => self.unity.cx.diagnose(format!(
                "Only the case of the name changes; a name inside of the file stays '{}'.",
                stem(from.as_str())
            )),
            false => self.rename_inside(from, to)?,
        }
        Ok(())
    }

    /// The main object of a file in Unity's own format has the name of the file.
    fn rename_inside(&mut self, from: &ProjectPath, to: &ProjectPath) -> Result<(), ToolError> {
        let text_of_unity =
            ["unity", "prefab", "cs"].iter().all(|end| *end != ending(from.as_str()));
        let asset = self.unity.index.by_path(from.as_str());
        let may_have = asset.is_none_or(|asset| {
            matches!(
                asset.content(),
                Some(DocumentKind::UnityYaml | DocumentKind::SerializedFile) | None
            )
        });
        if !text_of_unity || !may_have {
            return Ok(());
        }
        let before = door::read(self.unity.cx, self.unity.project, from)?;
        let meta = self.unity.meta_path(from)?;
        let known = door::read(self.unity.cx, self.unity.project, &meta).ok();
        let known = known.and_then(|meta| meta::main_object_id(&meta));
        if let Some(after) = renamed(before.clone(), from.as_str(), stem(to.as_str()), known)? {
            self.changes.push(Change { path: to.clone(), before, after });
        } else if Document::parse(before).kind_by_start() == DocumentKind::SerializedFile {
            self.unity.cx.diagnose(format!(
                "{to} is no text, so the name in it stays '{}' until Unity saves it.",
                stem(from.as_str())
            ));
        }
        Ok(())
    }

    fn folder(&mut self, from: &ProjectPath, to: &ProjectPath) -> Result<(), ToolError> {
        let below = format!("{from}/");
        if to.as_str().starts_with(&below) {
            return Err(wrong(format!("{to} is inside of {from}"))
                .hint("nothing was changed; a folder cannot be moved into itself"));
        }
        if from.as_str().to_lowercase() == to.as_str().to_lowercase() {
            return Err(wrong(format!("{to} differs from {from} only in case")).hint(
                "nothing was changed; some disks take both for one folder: move it to another name first, then to this one",
            ));
        }
        let project = self.unity.project;
        let moved = |path: &ProjectPath| {
            ProjectPath::parse(project, &format!("{to}{}", &path.as_str()[from.as_str().len()..]))
        };
        let (files, folders) = self.unity.contents(from)?;
        for file in files {
            let target = moved(&file)?;
            if !file.as_str().ends_with(".meta") {
                self.names.asset(file.as_str(), Some(target.as_str()));
            }
            self.put(file, target);
        }
        for folder in folders {
            self.folders.push(moved(&folder)?);
            self.emptied.push(folder);
        }
        self.names.folder(from.as_str());
        let inside = self.unity.index.under(from.as_str());
        self.guids.extend(inside.filter_map(|asset| asset.guid()));
        Ok(())
    }

    fn put(&mut self, from: ProjectPath, to: ProjectPath) {
        self.places.insert(from.to_string(), to.to_string());
        self.files.push((from, to));
    }

    fn has(&self, path: &ProjectPath) -> bool {
        door::exists(self.unity.cx, self.unity.project, path)
    }

    /// Let the scenes of the build follow, also those of build profiles.
    pub fn follow(&mut self) -> Result<(), ToolError> {
        let is_scene = |(from, _): &(ProjectPath, ProjectPath)| from.as_str().ends_with(".unity");
        if !self.files.iter().any(is_scene) {
            return Ok(());
        }
        let assets =
            self.unity.index.under("Assets").filter(|asset| {
                asset.folder().ends_with(PROFILES) && asset.name().ends_with(".asset")
            });
        let lists: Vec<String> =
            assets.map(|asset| asset.path()).chain([BUILD.to_owned()]).collect();
        lists.iter().try_for_each(|list| self.follow_in(list))
    }

    fn follow_in(&mut self, list: &str) -> Result<(), ToolError> {
        let path = ProjectPath::parse(self.unity.project, list)?;
        if !self.has(&path) {
            return Ok(());
        }
        let before = door::read(self.unity.cx, self.unity.project, &path)?;
        let document = Document::parse(before.clone());
        let (mut edits, manner) = (Edits::default(), Manner::of(&document));
        for object in document.objects() {
            self.follow_scenes(list, object, &manner, &mut edits);
        }
        if edits.is_empty() {
            return Ok(());
        }
        let after = edits.apply(&before).map_err(|error| {
            ToolError::new(ErrorKind::Internal, format!("{list} cannot be edited: {error}"))
        })?;
        // A list may move with its scenes.
        let path = match self.places.get(list) {
            Some(moved) => ProjectPath::parse(self.unity.project, moved)?,
            None => path,
        };
        self.changes.push(Change { path, before, after });
        Ok(())
    }

    fn follow_scenes(&self, list: &str, object: Object<'_>, manner: &Manner, edits: &mut Edits) {
        let Some(scenes) = object.get("m_Scenes") else { return };
        for (at, scene) in scenes.items().enumerate() {
            // Build profiles name the same fields in another way.
            let known = ["path", "m_path"].iter().find_map(|key| Some((*key, scene.get(key)?)));
            let Some((key, old)) = known else { continue };
            let Some(new) = self.places.get(&*old.text()) else { continue };
            let field = format!("m_Scenes[{at}].{key}");
            if set(object, &field, &New::Text(new.clone()), manner, edits).is_err() {
                let old = old.text();
                self.unity
                    .cx
                    .diagnose(format!("{list} still has {old}: its line has another form."));
            }
        }
    }

    /// The plan of all of it.
    pub fn plan(&self) -> Plan<'_> {
        let mut plan = Plan::new(self.unity.project);
        self.files.iter().for_each(|(from, to)| plan.rename(from, to));
        for change in &self.changes {
            plan.write(&change.path, Some(&change.before), &*change.after);
        }
        self.new.put(&mut plan);
        self.folders.iter().for_each(|folder| plan.create_folder(folder));
        // The innermost first, so that the outer ones are empty when they come.
        self.emptied.iter().rev().for_each(|folder| plan.remove_folder(folder));
        plan
    }

    /// How many files move, without metas.
    pub fn count(&self) -> usize {
        self.files.iter().filter(|(from, _)| !from.as_str().ends_with(".meta")).count()
    }

    /// What code may call the assets that move.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Who refers to what moves and stays itself.
    pub fn users(&self) -> Users {
        self.unity.users(&self.guids, |path| self.places.contains_key(path))
    }
}

/// The content of a file of Unity's own format whose main object has another name; nothing where
/// there is no such object or it has the name already.
pub fn renamed(
    before: Vec<u8>,
    path: &str,
    name: &str,
    known: Option<scenewright_unity::FileId>,
) -> Result<Option<Vec<u8>>, ToolError> {
    let document = Document::parse(before);
    let Some(main) = meta::main_object(&document, path, known) else { return Ok(None) };
    if main.get("m_Name").is_none() {
        return Ok(None);
    }
    let mut edits = Edits::default();
    let refused =
        |why: String| ToolError::failed(format!("{path} cannot be renamed inside: {why}"));
    set(main, "m_Name", &New::Text(name.to_owned()), &Manner::of(&document), &mut edits)
        .map_err(|why| refused(why.to_string()))?;
    if edits.is_empty() {
        return Ok(None);
    }
    edits.apply(document.as_bytes()).map(Some).map_err(|why| refused(why.to_string()))
}

fn wrong(message: String) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, message)
}
