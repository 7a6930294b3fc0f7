//! Where the facts come from: the installed engine, and the crate that collects its dumps.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::api::{Api, PropertyFacts};
use super::{ENGINE, VERSIONS};
use crate::{godot, install, paths, process};

/// Its licence, MPL-2.0, is why it is read here and is no dependency of the workspace.
const CRATE: (&str, &str) = ("gdextension-api", "0.5.1");
const LIMIT: Duration = Duration::from_secs(300);

/// `extension_api.json` of every version, in the order of `VERSIONS`.
pub(super) fn dumps() -> Result<Vec<Api>> {
    let published = published()?;
    let dump = |version: &&str| {
        let file = match *version {
            ENGINE => engine_dump()?,
            version => published.join("src").join(version).join("extension_api.json"),
        };
        let api: Api = read_json(&file)?;
        let said = format!("{}.{}", api.header.version_major, api.header.version_minor);
        ensure!(said == **version, "{} is of Godot {said}, not {version}", file.display());
        Ok(api)
    };
    VERSIONS.iter().map(dump).collect()
}

/// What the engine says of its properties when asked by a script.
pub(super) fn properties() -> Result<BTreeMap<String, PropertyFacts>> {
    let project = scratch("godot-properties")?;
    fs::write(project.join("project.godot"), "config_version=5\n")?;
    fs::copy(paths::asset("godot_properties.gd"), project.join("properties.gd"))?;
    let mut command = godot::headless(&godot::ensure()?);
    command.args(["--script", "res://properties.gd", "--path"]).arg(&project);
    install::quietly(&mut command)?;
    read_json(&project.join("properties.json"))
}

fn engine_dump() -> Result<PathBuf> {
    let folder = scratch("godot-dump")?;
    let mut command = godot::headless(&godot::ensure()?);
    install::quietly(command.arg("--dump-extension-api").current_dir(&folder))?;
    Ok(folder.join("extension_api.json"))
}

/// The folder of the published dumps: cargo fetches them for a package that has nothing else.
fn published() -> Result<PathBuf> {
    let (name, version) = CRATE;
    let package = scratch("godot-published")?;
    let manifest = package.join("Cargo.toml");
    fs::write(package.join("lib.rs"), "")?;
    fs::write(
        &manifest,
        format!(
            "[package]\nname = \"published\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
             [lib]\npath = \"lib.rs\"\n[dependencies]\n{name} = \"={version}\"\n[workspace]\n"
        ),
    )?;
    let mut cargo = process::cargo();
    cargo.args(["metadata", "--format-version", "1", "--manifest-path"]).arg(&manifest);
    let said = process::capture(&mut cargo, LIMIT)?;
    ensure!(said.status.success(), "could not fetch {name} {version}: {}", said.tail());
    let metadata: Value = serde_json::from_str(&said.stdout)?;
    let packages = metadata["packages"].as_array().context("cargo metadata lists no packages")?;
    let found = packages.iter().find(|package| package["name"] == name);
    let manifest = found.and_then(|package| package["manifest_path"].as_str());
    let manifest = manifest.with_context(|| format!("cargo metadata does not list {name}"))?;
    Ok(Path::new(manifest).parent().context("a manifest is in a folder")?.to_owned())
}

fn read_json<T: serde::de::DeserializeOwned>(file: &Path) -> Result<T> {
    let text = fs::read(file).with_context(|| format!("could not read {}", file.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{} is not as known", file.display()))
}

/// A folder for one run, empty whatever an earlier one left.
fn scratch(name: &str) -> Result<PathBuf> {
    let folder = paths::target().join("tmp").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    Ok(folder)
}
