//! Which folders belong to a project: its assets and settings, packages beside them, elsewhere and
//! in the cache.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use scenewright_text::beneath;
use serde_json::Value;

use crate::file::{self, Content};
use crate::project::{EDITOR, MANIFEST, PACKAGE, VERSION_FILE};
use crate::settings::Settings;
use crate::{Project, Serialization};

/// A folder tree whose files belong to the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Root {
    /// The path from the project root, with `/`.
    pub path: Box<str>,
    /// What the tree is.
    pub kind: RootKind,
    /// The name of the package.
    pub package: Option<Box<str>>,
}

/// What a folder tree is to the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RootKind {
    /// The project's own assets.
    Assets,
    /// The manifest and its lock. They are files of the project, not assets.
    Manifest,
    /// A package inside `Packages`.
    Embedded,
    /// A package elsewhere on disk that the manifest names with `file:`.
    Local,
    /// A copy of a package that Unity made under `Library`.
    Cached,
    /// The settings. They are files of the project, not assets.
    Settings,
}

impl RootKind {
    /// True for trees whose files have metas.
    pub fn is_imported(self) -> bool {
        !matches!(self, RootKind::Manifest | RootKind::Settings)
    }
}

/// A package the project uses or has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    /// Such as `com.unity.ugui`.
    pub name: Box<str>,
    /// The version in use, or what the manifest asks for.
    pub version: Option<Box<str>>,
    /// Where it comes from.
    pub source: PackageSource,
    /// True when the manifest asks for it, false when another package does.
    pub direct: bool,
    /// True when its files are in the index.
    pub present: bool,
}

impl Package {
    /// True for the engine's own modules, which have no files.
    pub fn is_module(&self) -> bool {
        self.name.starts_with("com.unity.modules.")
    }

    /// True when files of it are missing, so that a guid not found may be in it.
    pub fn is_absent(&self) -> bool {
        !self.present && !self.is_module()
    }
}

/// Where a package comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are Unity's own")]
pub enum PackageSource {
    Embedded,
    Local,
    LocalTarball,
    Git,
    BuiltIn,
    Registry,
    Unknown,
}

/// Which trees and packages a project has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub(super) roots: Vec<Root>,
    /// Sorted by name.
    pub(super) packages: Vec<Package>,
    pub(super) serialization: Serialization,
    /// Whether it is known which packages there are.
    pub(super) lists_packages: bool,
    /// Places of assets that version control leaves out and that are not here.
    pub(super) left_out: Vec<Box<str>>,
}

/// Files whose change may change the layout.
pub(super) fn is_layout_file(path: &str) -> bool {
    [MANIFEST, LOCK, EDITOR, VERSION_FILE, ".gitignore", "Assets/.gitignore"].contains(&path)
        || path == PACKAGE
        || path.ends_with("/package.json")
}

pub(super) const LOCK: &str = "Packages/packages-lock.json";
pub(super) const CACHE: &str = "Library/PackageCache";

pub(super) fn read_layout(root: &Path) -> Layout {
    match Project::is_package(root) {
        true => layout_of_package(root),
        false => layout_of_project(root),
    }
}

/// A package without a project: all of the folder is its own, and what else projects have is not known.
fn layout_of_package(root: &Path) -> Layout {
    let package = json(root, &root.join(PACKAGE));
    let mut packages = BTreeMap::new();
    add_listed(&mut packages, &package["dependencies"], &Value::Null);
    let name: Box<str> = package["name"].as_str().unwrap_or_default().into();
    let version = package["version"].as_str().unwrap_or_default();
    let own = Package { present: true, ..listed(&name, version, PackageSource::Embedded, true) };
    packages.insert(name.clone(), own);
    Layout {
        roots: vec![Root { path: "".into(), kind: RootKind::Embedded, package: Some(name) }],
        packages: packages.into_values().collect(),
        serialization: Serialization::Unknown,
        lists_packages: false,
        left_out: Vec::new(),
    }
}

fn layout_of_project(root: &Path) -> Layout {
    let mut packages = BTreeMap::new();
    let manifest = json(root, &root.join(MANIFEST));
    let lock = json(root, &root.join(LOCK));
    add_listed(&mut packages, &manifest["dependencies"], &lock["dependencies"]);

    let mut roots = vec![plain("Assets", RootKind::Assets), plain("Packages", RootKind::Manifest)];
    let mut add = |path: String, kind, name: Box<str>, source| {
        let package = packages.entry(name.clone()).or_insert_with(|| Package {
            name: name.clone(),
            version: None,
            source,
            direct: true,
            present: false,
        });
        // An embedded package stands before what the manifest asks for, and that before a copy.
        if !package.present {
            package.present = true;
            if kind != RootKind::Cached {
                package.source = source;
            }
            roots.push(Root { path: path.into(), kind, package: Some(name) });
        }
    };
    for (path, name) in packages_in(root, "Packages") {
        add(path, RootKind::Embedded, name, PackageSource::Embedded);
    }
    for (path, name) in local_packages(root, &manifest["dependencies"]) {
        add(path, RootKind::Local, name, PackageSource::Local);
    }
    for (path, name) in cached_packages(root, &lock["dependencies"]) {
        add(path, RootKind::Cached, name, PackageSource::Registry);
    }
    roots.push(plain("ProjectSettings", RootKind::Settings));
    roots.sort_by(|one, two| super::order::compare(&one.path, &two.path));
    Layout {
        roots,
        packages: packages.into_values().collect(),
        serialization: mode(root),
        lists_packages: manifest.is_object() || has_no_packages(root),
        left_out: super::ignored::left_out(root),
    }
}

/// True for a project of a version that has no packages yet; their manifest is nowhere.
fn has_no_packages(root: &Path) -> bool {
    let release = Project::open(root).ok().and_then(|project| project.version.release());
    release.is_some_and(|release| release < FIRST_WITH_PACKAGES)
}

const FIRST_WITH_PACKAGES: (u32, u32) = (2018, 1);

fn plain(path: &str, kind: RootKind) -> Root {
    Root { path: path.into(), kind, package: None }
}

fn add_listed(packages: &mut BTreeMap<Box<str>, Package>, manifest: &Value, lock: &Value) {
    for (name, version) in manifest.as_object().into_iter().flatten() {
        let version = version.as_str().unwrap_or("");
        packages.insert(name.as_str().into(), listed(name, version, source_of(version), true));
    }
    for (name, entry) in lock.as_object().into_iter().flatten() {
        let version = entry["version"].as_str().unwrap_or("");
        let source = match entry["source"].as_str() {
            Some("embedded") => PackageSource::Embedded,
            Some("local") => PackageSource::Local,
            Some("local-tarball") => PackageSource::LocalTarball,
            Some("git") => PackageSource::Git,
            Some("builtin") => PackageSource::BuiltIn,
            Some("registry") => PackageSource::Registry,
            _ => PackageSource::Unknown,
        };
        let direct = packages.contains_key(name.as_str());
        packages.insert(name.as_str().into(), listed(name, version, source, direct));
    }
}

fn listed(name: &str, version: &str, source: PackageSource, direct: bool) -> Package {
    let version = Some(version).filter(|version| !version.is_empty()).map(Into::into);
    Package { name: name.into(), version, source, direct, present: false }
}

fn source_of(version: &str) -> PackageSource {
    match version.split_once(':') {
        Some(("file", path)) if is_tarball(path) => PackageSource::LocalTarball,
        Some(("file", _)) => PackageSource::Local,
        Some(_) => PackageSource::Git,
        None => PackageSource::Registry,
    }
}

fn is_tarball(path: &str) -> bool {
    path.ends_with(".tgz") || path.ends_with(".tar.gz")
}

/// The folders in `folder` that are packages, with their names, sorted by path.
fn packages_in(root: &Path, folder: &str) -> Vec<(String, Box<str>)> {
    let entries = beneath::list(root, &root.join(folder)).unwrap_or_default();
    let mut found: Vec<_> = entries
        .into_iter()
        .filter_map(|entry| {
            let name = entry.name.into_string().ok()?;
            let is_folder = || root.join(folder).join(&name).is_dir();
            let visible = !super::kind::is_hidden(&name) && is_folder();
            let path = format!("{folder}/{name}");
            let package = visible.then(|| package_name(root, &root.join(&path)))??;
            Some((path, package))
        })
        .collect();
    found.sort();
    found
}

/// The packages of the manifest that are folders elsewhere. Their paths count from `Packages`.
fn local_packages(root: &Path, manifest: &Value) -> Vec<(String, Box<str>)> {
    let listed = manifest.as_object().into_iter().flatten();
    let files = listed.filter_map(|(_, version)| version.as_str()?.strip_prefix("file:"));
    let folders = files.filter(|path| !is_tarball(path)).filter_map(|path| {
        let path = from_root(root, path)?;
        // What is inside another tree is walked there.
        let inside = ["Assets", "Library", "ProjectSettings"];
        let is_inside = inside.iter().any(|tree| Path::new(&path).starts_with(tree));
        let name = (!is_inside).then(|| package_name(&home(root, &path), &root.join(&path)))??;
        Some((path, name))
    });
    folders.collect()
}

/// The path of a package from the project root, given as the manifest has it.
fn from_root(root: &Path, path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    let path = Path::new(path.trim_start_matches("//"));
    if path.is_absolute() {
        let inner = path.strip_prefix(root).unwrap_or(path);
        return inner.to_str().map(|path| path.replace('\\', "/"));
    }
    let mut parts: Vec<&str> = vec!["Packages"];
    for part in path.components() {
        match part {
            Component::ParentDir if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            Component::ParentDir => parts.push(".."),
            Component::Normal(name) => parts.push(name.to_str()?),
            _ => {}
        }
    }
    // The project inside one of its packages would be walked without end.
    parts.iter().any(|part| *part != "..").then(|| parts.join("/"))
}

/// The copies under `Library`, one for each package: the one whose version the lock has, or the last.
fn cached_packages(root: &Path, lock: &Value) -> Vec<(String, Box<str>)> {
    let mut chosen: BTreeMap<Box<str>, (bool, String)> = BTreeMap::new();
    for (path, name) in packages_in(root, CACHE) {
        let entry = &lock[&*name];
        let suffix = path.rsplit_once('@').map_or("", |(_, suffix)| suffix);
        let locked = ["version", "hash"].iter().filter_map(|key| entry[*key].as_str());
        let is_locked =
            !suffix.is_empty() && locked.into_iter().any(|text| text.starts_with(suffix));
        let best = chosen.get(&name);
        if best.is_none_or(|(best_is_locked, _)| is_locked || !best_is_locked) {
            chosen.insert(name, (is_locked, path));
        }
    }
    chosen.into_iter().map(|(name, (_, path))| (path, name)).collect()
}

fn package_name(home: &Path, folder: &Path) -> Option<Box<str>> {
    let package = json(home, &folder.join("package.json"));
    package["name"].as_str().filter(|name| !name.is_empty()).map(Into::into)
}

/// What files of a tree may not leave: the project, or a package that the manifest names elsewhere.
pub(super) fn home(project: &Path, tree: &str) -> PathBuf {
    let is_elsewhere = tree.starts_with("..") || Path::new(tree).is_absolute();
    if is_elsewhere { project.join(tree) } else { project.into() }
}

fn json(home: &Path, path: &Path) -> Value {
    match file::read_inside(home, path) {
        Ok(Content::Bytes(bytes)) => serde_json::from_str(&file::text(&bytes)).unwrap_or_default(),
        _ => Value::Null,
    }
}

fn mode(root: &Path) -> Serialization {
    let Ok(Content::Bytes(bytes)) = file::read_inside(root, &root.join(EDITOR)) else {
        return Serialization::Unknown;
    };
    match Settings::parse(&file::text(&bytes)).find("m_SerializationMode") {
        Some("0") => Serialization::Mixed,
        Some("1") => Serialization::Binary,
        Some("2") => Serialization::Text,
        _ => Serialization::Unknown,
    }
}
