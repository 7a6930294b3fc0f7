//! The packages of a project: what the manifest asks for, what the lock file settled on, and what
//! of it is on disk. Nothing is fetched; what only a registry knows stays unknown.

mod license;
mod needs;
#[cfg(test)]
mod tests;

pub use license::{License, LicenseTerm};
pub use needs::{Needs, Pin, Place, VersionParts, version_parts};

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use scenewright_text::beneath::{self, Kind};
use serde_json::Value;

use crate::file::{self, Content};
use crate::project::MANIFEST;

const LOCK: &str = "Packages/packages-lock.json";
const CACHE: &str = "Library/PackageCache";

/// The packages of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Packages {
    /// The packages, by name.
    pub installed: Vec<Package>,
    /// Whether there is a manifest that could be read.
    pub has_manifest: bool,
    /// What could not be known, and why.
    pub notes: Vec<String>,
}

/// A package of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// Its name, such as `com.unity.ugui`.
    pub name: String,
    /// What the manifest asks for: a version, an address or a `file:` path. Nothing for packages
    /// that others bring.
    pub requested: Option<String>,
    /// The version that the lock file or, for embedded packages, the package itself has.
    pub version: Option<String>,
    /// The lock file has it.
    pub is_locked: bool,
    /// Where it comes from.
    pub origin: PackageOrigin,
    /// The commit that the lock file holds a git package at.
    pub hash: Option<String>,
    /// Its folder from the project's root, where it is on disk.
    pub folder: Option<String>,
    /// What its `package.json` says, where it is on disk.
    pub info: Option<PackageInfo>,
    /// Its licence, where a file on disk tells it.
    pub license: Option<License>,
}

/// Where a package comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PackageOrigin {
    /// Part of the editor.
    BuiltIn,
    /// A folder in `Packages`.
    Embedded,
    /// A git repository.
    Git,
    /// A folder or archive on this machine.
    Local,
    /// A registry.
    Registry,
    /// The files do not tell.
    Unknown,
}

impl fmt::Display for PackageOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PackageOrigin::BuiltIn => "builtin",
            PackageOrigin::Embedded => "embedded",
            PackageOrigin::Git => "git",
            PackageOrigin::Local => "local",
            PackageOrigin::Registry => "registry",
            PackageOrigin::Unknown => "unknown",
        })
    }
}

/// What a `package.json` says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PackageInfo {
    /// The name for people.
    pub display_name: Option<String>,
    /// The version.
    pub version: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Words to find it by.
    pub keywords: Vec<String>,
    /// The oldest editor release it works with, such as `2021.3`.
    pub unity: Option<String>,
    /// The rest of that version, such as `0f1`.
    pub unity_release: Option<String>,
}

impl Package {
    /// The version, or what the manifest asks for, or nothing.
    pub fn version_text(&self) -> &str {
        self.version.as_deref().or(self.requested.as_deref()).unwrap_or_default()
    }

    /// The release that the package itself names as its oldest, as one version.
    pub fn oldest_unity(&self) -> Option<String> {
        let info = self.info.as_ref()?;
        let unity = info.unity.as_ref()?;
        Some(match &info.unity_release {
            Some(release) => format!("{unity}.{release}"),
            None => unity.clone(),
        })
    }
}

/// Reads the packages of the project in this folder.
pub fn read(root: &Path) -> Packages {
    let mut packages = Packages::default();
    let mut found: BTreeMap<String, Package> = BTreeMap::new();
    let manifest = load(root, MANIFEST, &mut packages.notes);
    packages.has_manifest = manifest.is_some();
    for (name, value) in dependencies(manifest.as_ref()) {
        let package = entry(&mut found, name);
        package.requested = value.as_str().map(str::to_owned);
        if value.is_null() || !value.is_string() {
            packages.notes.push(format!("{MANIFEST}: the version of {name} is not text"));
        }
    }
    let lock = load(root, LOCK, &mut packages.notes);
    for (name, value) in dependencies(lock.as_ref()) {
        lock_entry(entry(&mut found, name), value);
    }
    embedded(root, &mut found, &mut packages.notes);
    let cached = cached(root);
    packages.installed = found.into_values().collect();
    for package in &mut packages.installed {
        complete(root, package, &cached, &mut packages.notes);
    }
    packages
}

fn entry<'m>(found: &'m mut BTreeMap<String, Package>, name: &str) -> &'m mut Package {
    found.entry(name.to_owned()).or_insert_with(|| Package {
        name: name.to_owned(),
        requested: None,
        version: None,
        is_locked: false,
        origin: PackageOrigin::Unknown,
        hash: None,
        folder: None,
        info: None,
        license: None,
    })
}

fn lock_entry(package: &mut Package, value: &Value) {
    package.is_locked = true;
    package.version = text(value, "version");
    package.hash = text(value, "hash");
    package.origin = match value["source"].as_str() {
        Some("builtin") => PackageOrigin::BuiltIn,
        Some("embedded") => PackageOrigin::Embedded,
        Some("git") => PackageOrigin::Git,
        Some("local" | "local-tarball") => PackageOrigin::Local,
        Some("registry") => PackageOrigin::Registry,
        _ => PackageOrigin::Unknown,
    };
}

/// The packages that are folders of `Packages`. They win over what the manifest says.
fn embedded(root: &Path, found: &mut BTreeMap<String, Package>, notes: &mut Vec<String>) {
    for folder in folders(root, &root.join("Packages")) {
        let own = format!("Packages/{folder}");
        let file = format!("{own}/package.json");
        if !root.join(&file).is_file() {
            continue;
        }
        let Some(json) = load(root, &file, notes) else { continue };
        let Some(name) = text(&json, "name") else {
            notes.push(format!("{file} has no name: the package is passed over"));
            continue;
        };
        let package = entry(found, &name);
        package.origin = PackageOrigin::Embedded;
        package.version = text(&json, "version");
        package.folder = Some(own);
    }
}

/// The folders of the cache by package name; there may be several versions of one.
fn cached(root: &Path) -> BTreeMap<String, Vec<String>> {
    let mut cached: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for folder in folders(root, &root.join(CACHE)) {
        let name = folder.split('@').next().unwrap_or(&folder).to_owned();
        cached.entry(name).or_default().push(folder);
    }
    cached
}

/// Fills in what the package's own files say.
fn complete(
    root: &Path,
    package: &mut Package,
    cached: &BTreeMap<String, Vec<String>>,
    notes: &mut Vec<String>,
) {
    if package.origin == PackageOrigin::Unknown {
        package.origin = origin_of(package.requested.as_deref());
    }
    if package.folder.is_none() {
        package.folder = cached.get(&package.name).and_then(|folders| {
            let exact = format!("{}@{}", package.name, package.version_text());
            let folder = folders.iter().find(|folder| **folder == exact);
            // Newer editors name the folder after a hash, and then there is only one.
            let only = folders.first().filter(|_| folders.len() == 1);
            Some(format!("{CACHE}/{}", folder.or(only)?))
        });
    }
    let Some(folder) = &package.folder else { return };
    let json = load(root, &format!("{folder}/package.json"), notes).unwrap_or_default();
    package.license = license::find(root, folder, &json);
    package.info = Some(read_info(&json));
}

fn read_info(json: &Value) -> PackageInfo {
    let keywords = json["keywords"].as_array().into_iter().flatten();
    PackageInfo {
        display_name: text(json, "displayName"),
        version: text(json, "version"),
        description: text(json, "description"),
        keywords: keywords.filter_map(Value::as_str).map(str::to_owned).collect(),
        unity: text(json, "unity"),
        unity_release: text(json, "unityRelease"),
    }
}

/// Where a package comes from by what the manifest asks for, when there is no lock file.
fn origin_of(requested: Option<&str>) -> PackageOrigin {
    match requested {
        None => PackageOrigin::Unknown,
        Some(text) if text.starts_with("file:") => PackageOrigin::Local,
        Some(text) if needs::is_git(text) => PackageOrigin::Git,
        // Editor modules and registry packages look the same here.
        Some(_) => PackageOrigin::Unknown,
    }
}

fn load(root: &Path, name: &str, notes: &mut Vec<String>) -> Option<Value> {
    let bytes = match file::read_inside(root, &root.join(name)) {
        Ok(Content::Bytes(bytes)) => bytes,
        Ok(Content::Absent) => {
            notes.push(format!("{name} not found"));
            return None;
        }
        Ok(Content::LfsPointer) => {
            notes.push(format!("{name} is a Git LFS pointer; run `git lfs pull`"));
            return None;
        }
        Err(error) => {
            notes.push(error.to_string());
            return None;
        }
    };
    serde_json::from_str(&file::text(&bytes))
        .map_err(|error| notes.push(format!("{name} is not JSON ({error})")))
        .ok()
}

fn dependencies(json: Option<&Value>) -> impl Iterator<Item = (&String, &Value)> {
    json.and_then(|json| json["dependencies"].as_object()).into_iter().flatten()
}

fn text(json: &Value, key: &str) -> Option<String> {
    json[key].as_str().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The names of the folders in a folder, sorted, without hidden ones and links.
fn folders(root: &Path, path: &Path) -> Vec<String> {
    let entries = beneath::list(root, path).unwrap_or_default();
    let mut names: Vec<String> = entries
        .into_iter()
        .filter(|entry| entry.kind == Kind::Folder)
        .filter_map(|entry| entry.name.into_string().ok().filter(|name| !name.starts_with('.')))
        .collect();
    names.sort();
    names
}

/// The file of a package that a name stands for, whatever its case.
fn find_file(folder: &Path, names: &[&str]) -> Option<PathBuf> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let is_named = |path: &&PathBuf, name: &str| {
        path.file_name().is_some_and(|own| own.eq_ignore_ascii_case(name))
    };
    names.iter().find_map(|name| paths.iter().find(|path| is_named(path, name)).cloned())
}
