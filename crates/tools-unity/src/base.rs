//! A Unity project as tools see it: one snapshot of its index, and hierarchies expanded from it.

mod around;
mod assemblies;
pub mod asset_rules;
pub mod assets;
mod check;
pub mod classes;
pub mod conditions;
pub mod documents;
pub mod draft;
pub mod editing;
pub mod editor;
pub mod files;
pub mod footprint;
pub mod layers;
pub mod manifest;
pub mod materials;
pub mod mentions;
pub mod moves;
pub mod names;
pub mod native;
pub mod objects;
pub mod overrides;
pub mod pictures;
pub mod pose;
pub mod reach;
mod script_facts;
mod scripts;

pub use check::finding;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_snapshot::{Lazy, Watched};
use scenewright_toolkit::workspace::{
    Elsewhere, Engine, EngineProject, Layout, Report, Steps, canonical,
};
use scenewright_toolkit::{Cx, Project, door, names as spelled, paths};
use scenewright_unity::hierarchy::{
    Expander, Hierarchy, Loaded, MAX_WEIGHT, ModelRoot, Opaque, Source, weight,
};
use scenewright_unity::index::{Asset, AssetKind, Flags, Index, Planned, Store};
use scenewright_unity::lock::{self, Lock};
use scenewright_unity::{Document, DocumentKind, Facts, Guid, script};

/// A Unity project and, once a tool asks for it, its index.
pub struct UnityProject {
    /// What its settings say.
    pub settings: scenewright_unity::Project,
    cache: Option<PathBuf>,
    store: Lazy<Store>,
    expander: Mutex<Option<(u64, Arc<Expander>)>>,
    classes: scripts::Classes,
    type_names: around::TypeNames,
}

impl std::fmt::Debug for UnityProject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.settings.fmt(f)
    }
}

impl UnityProject {
    pub(crate) fn new(settings: scenewright_unity::Project, cache: Option<PathBuf>) -> Self {
        Self {
            settings,
            cache,
            store: Lazy::default(),
            expander: Mutex::default(),
            classes: scripts::Classes::default(),
            type_names: around::TypeNames::default(),
        }
    }

    /// The index, built on first use.
    pub fn store(&self) -> &Store {
        self.store.get(|| Store::open(&self.settings.root, self.cache.as_deref()))
    }

    /// The index, if a tool has asked for it already.
    pub fn open_store(&self) -> Option<&Store> {
        self.store.opened()
    }

    /// The current snapshot with hierarchies that belong to it.
    pub fn view(&self) -> (Arc<Index>, Arc<Expander>) {
        let store = self.store();
        let (index, generation) = (store.index(), store.generation());
        let mut expander = self.expander.lock().unwrap_or_else(PoisonError::into_inner);
        let current = expander.take().filter(|(made_for, _)| *made_for == generation);
        let (_, shared) = expander.insert(current.unwrap_or_else(|| {
            (generation, Arc::new(Expander::new(Arc::new(IndexSource(index.clone())))))
        }));
        (index, shared.clone())
    }

    /// The same as it would be with files that wait in a batch.
    fn view_with(&self, planned: Planned) -> (Arc<Index>, Arc<Expander>) {
        let (index, expander) = self.view();
        if planned.is_empty() {
            return (index, expander);
        }
        match index.with_planned(planned).map(Arc::new) {
            Some(index) => {
                let source = Arc::new(IndexSource(index.clone()));
                (index, Arc::new(Expander::new(source)))
            }
            None => (index, expander),
        }
    }
}

/// The engine's name in answers.
pub const NAME: &str = "unity";

/// How Unity's projects are opened.
pub const ENGINE: Engine = Engine {
    title: "Unity",
    marker: "ProjectSettings/ProjectVersion.txt",
    is_root: scenewright_unity::Project::is_root,
    is_part: scenewright_unity::Project::is_package,
    open: |root, cache| match scenewright_unity::Project::open(root) {
        Ok(settings) => Ok(Box::new(UnityProject::new(settings, cache))),
        Err(error) => Err(error.to_string()),
    },
    rules: check::rules,
};

/// Where Unity keeps what.
const LAYOUT: Layout = Layout {
    own: &["Assets", "Packages", "ProjectSettings"],
    hidden: &[],
    engines: &["Library", "Temp", "Logs", "obj", "UserSettings"],
    watched: &["Assets", "Packages"],
    searched: "Assets",
    vendored: &[
        "Assets/Plugins",
        "Assets/ThirdParty",
        "Assets/Third Party",
        "Assets/3rdParty",
        "Assets/AssetStore",
        "Assets/Asset Store",
        "Assets/External",
        "Assets/TextMesh Pro",
        "Packages",
        "Library/PackageCache",
    ],
};

impl EngineProject for UnityProject {
    fn name(&self) -> &'static str {
        NAME
    }

    fn layout(&self) -> &'static Layout {
        &LAYOUT
    }

    fn settings_files(&self) -> Vec<PathBuf> {
        self.settings.settings_files()
    }

    fn files(&self) -> &dyn Watched {
        &self.store
    }

    fn save(&self) -> std::io::Result<()> {
        self.open_store().map_or(Ok(()), Store::save)
    }

    fn open_elsewhere(&self) -> Option<Elsewhere> {
        let seen = match lock::look(&self.settings.root)? {
            Lock::Held => "a Unity editor has this project open (Temp/UnityLockfile)",
            Lock::Left => {
                "Temp/UnityLockfile is there, though no program on this machine holds it: \
                 a Unity editor was killed, or has this project open elsewhere"
            }
        };
        Some(Elsewhere {
            seen,
            then: "an editor reloads changed files when it gets the focus; where it has a changed \
                   scene or prefab open it asks, and saving there would write over the change",
            hint: "close the editor; if none runs, remove Temp/UnityLockfile",
        })
    }

    fn unread_part(&self, path: &str, content: &[u8]) -> Option<String> {
        if path.ends_with(".cs") {
            let problems = script::parse_bytes(content).problems;
            let problem = problems.first()?;
            let script::Problem { line, column, message } = problem;
            return Some(format!("line {line}, column {column}: {message}"));
        }
        // Other text has no grammar of Unity's.
        let document = Document::parse(content);
        let is_own = matches!(
            document.kind(),
            DocumentKind::UnityYaml | DocumentKind::Meta | DocumentKind::MergeConflict
        );
        let problem = document.problems().into_iter().find(|_| is_own)?;
        Some(format!("line {}: {}", problem.line, problem.message))
    }

    fn identity(&self, path: &str) -> Option<String> {
        let (index, _) = self.view();
        Some(index.by_path(path)?.guid()?.to_string())
    }

    fn check(&self, steps: &Steps<'_>) -> Result<Report, ToolError> {
        check::run(self, steps)
    }
}

/// The files of an index, for expansion.
struct IndexSource(Arc<Index>);

impl Source for IndexSource {
    fn document(&self, guid: Guid) -> Loaded {
        let Some(asset) = self.0.by_guid(guid) else { return Loaded::Missing };
        match asset.kind() {
            _ if asset.flags().contains(Flags::ASSET_MISSING) => Loaded::Missing,
            AssetKind::Model => Loaded::Opaque(Opaque::Model),
            _ if asset.flags().contains(Flags::LFS_POINTER) => Loaded::Opaque(Opaque::LfsPointer),
            _ if too_large(asset).is_some() => Loaded::Opaque(Opaque::TooLarge),
            _ => match asset.document() {
                Ok(document) => Loaded::Document(Arc::new(document)),
                Err(_) => Loaded::Missing,
            },
        }
    }

    fn path(&self, guid: Guid) -> Option<String> {
        self.0.by_guid(guid).map(|asset| asset.path())
    }

    fn model_root(&self, guid: Guid) -> Option<ModelRoot> {
        self.0.model_root(self.0.by_guid(guid)?)
    }
}

/// What a tool works with: the project it was asked about, at one moment.
pub struct Unity<'a> {
    /// The call.
    pub cx: &'a Cx,
    /// The folder that it is in, and the door for changes.
    pub project: &'a Project,
    /// The project.
    pub unity: &'a UnityProject,
    /// Its assets.
    pub index: Arc<Index>,
    /// Its scenes and prefabs.
    pub expander: Arc<Expander>,
    sources: script_facts::Sources,
}

/// A call that is about a Unity project.
pub trait InUnity {
    /// The Unity project that a call means: the one that it names, or the only one.
    fn unity(&self, wanted: Option<&str>) -> Result<Unity<'_>, ToolError>;
}

/// The project that a call for Unity means: the one that it names, or the only one of Unity's.
pub fn project<'c>(cx: &'c Cx, wanted: Option<&str>) -> Result<&'c Project, ToolError> {
    cx.project_of(NAME, wanted)
}

/// The same; for a call that changes it, nothing of what is read from now on changes before it is done.
pub fn changing<'c>(cx: &'c Cx, wanted: Option<&str>) -> Result<&'c Project, ToolError> {
    let project = project(cx, wanted)?;
    if cx.writes() {
        cx.turn(project)?;
    }
    Ok(project)
}

impl InUnity for Cx {
    fn unity(&self, wanted: Option<&str>) -> Result<Unity<'_>, ToolError> {
        let project = changing(self, wanted)?;
        let Some(unity) = project.of::<UnityProject>() else {
            return Err(ToolError::new(
                ErrorKind::EngineError,
                format!("{} is a Godot project, and this tool reads Unity projects", project.id),
            )
            .hint("tools_search finds the tools for Godot"));
        };
        self.check_cancelled()?;
        let (index, expander) = unity.view_with(door::planned(self, project));
        Ok(Unity { cx: self, project, unity, index, expander, sources: Default::default() })
    }
}

impl Unity<'_> {
    /// The asset that a call names, by path or by guid.
    pub fn asset(&self, path: Option<&str>, guid: Option<&str>) -> Result<Asset<'_>, ToolError> {
        if let Some(text) = guid {
            let found = Guid::parse(text).and_then(|guid| self.index.by_guid(guid));
            return found.ok_or_else(|| {
                let message = format!("Asset with GUID '{text}' not found");
                ToolError::new(ErrorKind::EngineError, message).detail("guid", text)
            });
        }
        let Some(path) = path else {
            return Err(ToolError::bad_argument("assetPath", "or guid must be provided"));
        };
        self.find_asset(path).ok_or_else(|| {
            self.no_asset(&format!("Asset at path '{path}'"), path).detail("path", path)
        })
    }

    /// A scene or prefab, expanded.
    pub fn hierarchy(&self, path: &str) -> Result<(String, Hierarchy), ToolError> {
        let asset = self.find_asset(path).ok_or_else(|| {
            self.no_asset("Scene file", path)
                .detail("unityError", format!("Scene file '{path}' does not exist"))
                .detail("scenePath", path)
        })?;
        let hierarchy = self
            .expand(asset)
            .map_err(|why| ToolError::new(ErrorKind::EngineError, why).detail("scenePath", path))?;
        Ok((asset.path(), hierarchy))
    }

    /// A scene or prefab, expanded; or its path and why that cannot be.
    pub fn expand(&self, asset: Asset<'_>) -> Result<Hierarchy, String> {
        let path = asset.path();
        if let Some(why) = too_large(asset) {
            return Err(format!("{path} is not opened: {why}"));
        }
        if asset.flags().contains(Flags::ASSET_MISSING) {
            return Err(format!("{path} cannot be read: only its .meta is there"));
        }
        let guid = asset
            .guid()
            .filter(|guid| self.index.by_guid(*guid).is_some_and(|first| first.id() == asset.id()));
        let Some(guid) = guid else { return self.expand_file(asset) };
        self.expander.expand(guid).map_err(|why| match asset.is_folder_now() {
            Ok(true) => format!("{path} cannot be read: it is a folder"),
            Err(error) if is_refusal(&error) => {
                format!("{path} cannot be read: {error}")
            }
            _ => format!("{path} cannot be expanded: {why}"),
        })
    }

    /// One that its guid does not lead to: it has none, or another asset has the same.
    fn expand_file(&self, asset: Asset<'_>) -> Result<Hierarchy, String> {
        let path = asset.path();
        let document =
            asset.document().map_err(|error| format!("{path} cannot be read: {error}"))?;
        match document.kind_by_start() {
            DocumentKind::UnityYaml | DocumentKind::MergeConflict => {
                let guid = asset.guid().unwrap_or_default();
                Ok(self.expander.scene(Arc::new(document), guid))
            }
            kind => Err(format!("{path} cannot be expanded: its content is {kind:?}")),
        }
    }

    /// The scene that a call means: the one it names, or the first enabled one of the build settings.
    pub fn active_scene(&self, wanted: Option<String>) -> Result<String, ToolError> {
        if let Some(path) = wanted {
            return Ok(path);
        }
        let facts =
            self.unity.settings.facts().map_err(scenewright_toolkit::workspace::unreadable)?;
        let first = facts.scenes_in_build.into_iter().find(|scene| scene.enabled);
        first.map(|scene| scene.path).ok_or_else(|| {
            ToolError::new(ErrorKind::EngineError, "No active scene loaded")
                .hint("the build settings have no enabled scene; name one with scenePath")
        })
    }

    /// The assets that `asset` refers to itself, sorted by path; what is not in the project is left
    /// out.
    pub fn direct_dependencies(&self, asset: Asset<'_>) -> Vec<String> {
        let mut paths: Vec<String> = asset
            .outgoing()
            .filter_map(|out| self.index.by_guid(out.target.guid))
            .filter(|target| target.id() != asset.id())
            .map(|target| target.path())
            .collect();
        paths.sort();
        paths.dedup();
        paths
    }

    /// Says in the answer that sizes of some assets are what Git LFS says of them.
    pub fn tell_pointers(&self, cx: &Cx, assets: &[Asset<'_>]) {
        let is_pointer = |asset: &&Asset<'_>| asset.flags().contains(Flags::LFS_POINTER);
        let count = assets.iter().filter(is_pointer).count();
        if count > 0 {
            cx.diagnose(format!(
                "{count} of the files are Git LFS pointers; their sizes are those of what was not fetched."
            ));
        }
    }

    /// The asset at a path as callers write it: from the project's root or absolute, with either
    /// separator. Where nothing is written, also the one that can only be meant.
    fn find_asset(&self, text: &str) -> Option<Asset<'_>> {
        let plain = self.local_path(text)?;
        if let Some(asset) = self.index.by_path(&plain) {
            let path = asset.path();
            // Only its case may differ, and on some disks that is another file.
            let is_it = path == plain || plain.ends_with(".meta") || asset.unity_path() == plain;
            return (is_it || spelled::read_instead(self.cx, "file", &plain, &path).is_some())
                .then_some(asset);
        }
        let below = self.index.by_path(&format!("Assets/{plain}"));
        let known = self.paths_like(&plain);
        let known = || known.iter().map(String::as_str);
        let meant = match (below, spelled::same_file(&plain, known()).as_slice()) {
            (Some(asset), _) => {
                spelled::read_instead(self.cx, "file", &plain, &asset.path()).map(str::to_owned)
            }
            (None, [only]) => {
                spelled::read_instead(self.cx, "file", &plain, only).map(str::to_owned)
            }
            _ => spelled::guess(self.cx, "file", &plain, known()).map(str::to_owned),
        };
        self.index.by_path(&meant?)
    }

    /// A path from the project's root, of what callers write; nothing when it is elsewhere.
    fn local_path(&self, text: &str) -> Option<String> {
        let plain = text.trim().replace('\\', "/");
        let root = &self.unity.settings.root;
        let absolute = Path::new(&plain);
        if let Some(inside) = paths::from_root(root, &plain) {
            return Some(inside.trim_end_matches('/').to_owned());
        }
        if absolute.is_absolute() {
            let real = || canonical(absolute).ok()?.strip_prefix(root).ok().map(Path::to_owned);
            let inside = absolute.strip_prefix(root).ok().map(Path::to_owned).or_else(real)?;
            return Some(inside.to_string_lossy().replace('\\', "/"));
        }
        let local = plain.strip_prefix("res://").unwrap_or(&plain);
        let local = local.strip_prefix("./").unwrap_or(local);
        Some(local.trim_matches('/').to_owned())
    }

    /// The paths of assets of the same kind, by the end of their names.
    fn paths_like(&self, path: &str) -> Vec<String> {
        let kind = |name: &str| name.rsplit_once('.').map(|(_, kind)| kind.to_ascii_lowercase());
        let wanted = kind(path.rsplit('/').next().unwrap_or(path));
        // A name without its end may be that of a scene, a prefab, or anything else.
        let name = path.rsplit('/').next().unwrap_or(path);
        let is_named = |other: &str| {
            let stem = other.rsplit_once('.').map(|(stem, _)| stem);
            wanted.is_none() && stem.is_some_and(|stem| stem.eq_ignore_ascii_case(name))
        };
        let alike = self
            .index
            .assets()
            .filter(|asset| kind(asset.name()) == wanted || is_named(asset.name()));
        let mut alike: Vec<String> = alike.map(|asset| asset.path()).collect();
        let first = |path: &String| match kind(path).as_deref() {
            Some("unity") => 0,
            Some("prefab") => 1,
            Some(_) => 2,
            None => 3,
        };
        alike.sort_by_key(first);
        alike
    }

    /// Nothing is at `path`; a file of that name elsewhere is probably meant.
    fn no_asset(&self, what: &str, path: &str) -> ToolError {
        let error = ToolError::new(ErrorKind::EngineError, format!("{what} not found"));
        self.with_paths_like(error, path)
    }

    /// An error about a path, with those that may be meant.
    fn with_paths_like(&self, error: ToolError, path: &str) -> ToolError {
        let plain = self.local_path(path).unwrap_or_else(|| path.to_owned());
        let known = self.paths_like(&plain);
        let otherwise = "project_listFiles shows what is there";
        let hint = spelled::file_hint(&plain, known.iter().map(String::as_str), otherwise);
        error.hint(hint)
    }
}

/// Says in the answer why the scenes of the build are not known, where they are not.
pub fn tell_scenes(cx: &Cx, facts: &Facts) {
    let about_scenes = facts.notes.iter().filter(|note| note.contains("EditorBuildSettings"));
    about_scenes.for_each(|note| cx.diagnose(note.clone()));
}

/// Says in the answer which scenes and prefabs are not in it; `why` names each and its trouble.
pub fn report_unreadable(cx: &Cx, why: &[String]) {
    let Some(first) = why.first() else { return };
    cx.diagnose(match why.len() {
        1 => first.clone(),
        count => {
            let some = why[..count.min(5)].join("; ");
            format!("{count} scenes or prefabs are not in this answer, such as: {some}")
        }
    });
}

/// What an asset is, in a word that people know.
pub fn asset_type(asset: Asset<'_>) -> String {
    match asset.kind() {
        AssetKind::Asset => match asset.main_class_name() {
            Some("MonoBehaviour") => "ScriptableObject".to_owned(),
            Some(name) => name.to_owned(),
            None => "Asset".to_owned(),
        },
        AssetKind::Animation => asset.main_class_name().unwrap_or("Animation").to_owned(),
        kind => format!("{kind:?}"),
    }
}

/// `Texture2D` means `Texture`, as in the editor.
pub fn matches_type(wanted: &str, kind: &str) -> bool {
    let plain = wanted.strip_suffix("2D").or_else(|| wanted.strip_suffix("Clip")).unwrap_or(wanted);
    kind.eq_ignore_ascii_case(wanted) || kind.eq_ignore_ascii_case(plain)
}

/// A number for an object that an editor would call its instance id: stable, positive, made from
/// where the object is saved, because files have no such ids.
pub fn instance_id(file: Guid, file_id: i64) -> i32 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in file.0.into_iter().chain(file_id.to_le_bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    i32::try_from((hash ^ (hash >> 32)) & 0x7fff_ffff).unwrap_or(i32::MAX)
}

/// The member with such numbers. Models name objects by their paths.
pub const INSTANCE_IDS: &[&str] = &["instanceId"];

/// Add a remark on such numbers to an answer that has them.
pub fn tell_of_instance_ids(cx: &Cx) {
    if !cx.reads_text() {
        cx.diagnose(
            "instanceId is made from the file and its fileID; a running editor has other numbers.",
        );
    }
}

/// Why an asset is too large to be expanded, if it is. The index knows it all the same.
fn too_large(asset: Asset<'_>) -> Option<String> {
    too_many(asset.size(), asset.objects().len())
}

fn too_many(bytes: u64, objects: usize) -> Option<String> {
    let size = bytes / 1_000_000;
    if weight(bytes, 0) > MAX_WEIGHT {
        return Some(format!("{size} MB are more than is read here"));
    }
    let is_heavy = weight(bytes, objects) > MAX_WEIGHT;
    is_heavy.then(|| format!("{size} MB with {objects} objects are more than is read here"))
}

/// Whether there is nothing to expand, and not for what the file holds.
fn is_refusal(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | PermissionDenied)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use scenewright_toolkit::{Settings, testing};
    use serde_json::json;

    use super::*;
    use crate::testing::{call_project, runner};

    #[test]
    fn a_file_that_is_too_large_is_told_and_not_opened() {
        let folder = Folder::unity("//- Assets/Huge.unity\n--- !u!1 &1\nGameObject:\n");
        let file = std::fs::File::options().write(true).open(folder.path("Assets/Huge.unity"));
        file.unwrap().set_len(MAX_WEIGHT as u64 + 1).unwrap();
        let runner = runner(folder.root(), Settings::default());
        let arguments = json!({ "scenePath": "Assets/Huge.unity" });
        let error = testing::call(&runner, "scene.hierarchy.dump", arguments).unwrap_err();
        expect!["Assets/Huge.unity is not opened: 167 MB are more than is read here"]
            .assert_eq(&error.message);
        let known = json!({ "assetPath": "Assets/Huge.unity" });
        assert!(testing::call(&runner, "asset.info", known).is_ok());
    }

    #[test]
    fn so_many_objects_are_not_read_and_real_scenes_are() {
        assert_eq!(too_many(71_000_000, 200_000), None);
        expect!["62 MB with 4500000 objects are more than is read here"]
            .assert_eq(&too_many(60 << 20, 4_500_000).unwrap());
    }

    #[test]
    fn pointers_of_git_lfs_are_as_large_as_what_they_stand_for_and_told() {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5000000\n";
        let project = format!(
            "//- Assets/A.png\n{pointer}//- Assets/A.png.meta\nguid: abc00000000000000000000000000001\n//- ProjectSettings/EditorBuildSettings.asset\n{pointer}"
        );
        let info = call_project(&project, "asset.info", json!({ "assetPath": "Assets/A.png" }));
        assert_eq!(info.unwrap().output["sizeBytes"], 5_000_000);
        let report = call_project(&project, "build.sizeReport", json!({})).unwrap();
        let expected = "ProjectSettings/EditorBuildSettings.asset is a Git LFS pointer: the scenes of the build cannot be told; run `git lfs pull`";
        assert!(report.diagnostics.iter().any(|told| told == expected), "{:?}", report.diagnostics);
    }

    /// Objects inside of each other, each with a long name.
    fn deep(count: usize) -> String {
        let name = "n".repeat(1000);
        let object = |at: usize| {
            let (id, father) = (at * 2 + 2, at * 2);
            let father = if at == 0 { 0 } else { father + 1 };
            format!(
                "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {}}}\n  m_Name: {name}\n\
                 --- !u!4 &{}\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_Father: {{fileID: {father}}}\n",
                id + 1,
                id + 1
            )
        };
        (0..count).map(object).collect()
    }

    #[test]
    fn an_answer_of_long_paths_ends_when_it_is_full() {
        let project = format!("//- Assets/Deep.unity\n{}", deep(1000));
        let arguments =
            json!({ "namePattern": "*", "paths": ["Assets/Deep.unity"], "maxResults": 1000 });
        let outcome = call_project(&project, "scene.query", arguments).unwrap();
        let found = outcome.output["matches"].as_array().unwrap();
        let bytes: usize = found.iter().map(|one| one["objectPath"].as_str().unwrap().len()).sum();
        // All paths together have half a gigabyte.
        assert!(found.len() < 1000 && bytes <= 64 << 20, "{} with {bytes}", found.len());
        assert_eq!(
            (&outcome.output["totalMatches"], &outcome.output["truncated"]),
            (&1000.into(), &true.into())
        );
        let full = "The answer is full at 64 MiB. Results are partial.";
        assert!(outcome.diagnostics.iter().any(|told| told == full), "{:?}", outcome.diagnostics);
    }
}
