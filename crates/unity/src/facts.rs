//! The headline facts of a project, from its settings files. What they do not tell becomes a note.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::Path;

use serde_json::Value;

use crate::file::{self, Content};
use crate::project::{BUILD, EDITOR, GRAPHICS, MANIFEST, PLAYER, QUALITY};
use crate::settings::{Settings, is_guid};
use crate::{EditorVersion, Project, ProjectError, RenderPipeline, pipeline};

/// What a project's settings say about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Name of the product, or of the folder when the settings do not tell it.
    pub product_name: String,
    /// Name of the company.
    pub company_name: Option<String>,
    /// Version of the product.
    pub bundle_version: Option<String>,
    /// Scripting backend and API level of standalone builds, such as `Mono, .NET Standard 2.1`.
    pub scripting_runtime: String,
    /// Scripting backend by platform, where the project sets one.
    pub scripting_backends: BTreeMap<String, String>,
    /// Platforms the settings have entries for, sorted.
    pub build_targets: Vec<String>,
    /// The render pipeline in use.
    pub render_pipeline: RenderPipeline,
    /// How Unity writes the project's assets.
    pub serialization: Serialization,
    /// The scenes of the build settings, in build order.
    pub scenes_in_build: Vec<BuildScene>,
    /// The packages the manifest asks for, with their versions.
    pub packages: BTreeMap<String, String>,
    /// What could not be known, and why.
    pub notes: Vec<String>,
}

/// How Unity writes a project's assets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Serialization {
    /// All assets that can be text are text.
    Text,
    /// All assets are binary.
    Binary,
    /// Each asset keeps the form it has.
    Mixed,
    /// The settings do not tell.
    Unknown,
}

impl fmt::Display for Serialization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Serialization::Text => "Text",
            Serialization::Binary => "Binary",
            Serialization::Mixed => "Mixed",
            Serialization::Unknown => "Unknown",
        })
    }
}

/// One scene of the build settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildScene {
    /// Path from the project root.
    pub path: String,
    /// Guid of the scene asset, when the settings name it.
    pub guid: Option<String>,
    /// False when the scene is listed but left out of builds.
    pub enabled: bool,
}

pub(crate) fn read(project: &Project) -> Result<Facts, ProjectError> {
    let Project { root, version } = project;
    let mut notes = Vec::new();
    let notes = &mut notes;

    let lost = "the product, its version, the scripting runtime and the build targets";
    let player = load(root, PLAYER, lost, notes)?;
    let editor = load(root, EDITOR, "the serialization mode", notes)?;
    let build = load(root, BUILD, "the scenes of the build", notes)?;
    let graphics = load(root, GRAPHICS, "the default render pipeline", notes)?;
    let quality = load(root, QUALITY, "the render pipelines of the quality levels", notes)?;
    let packages = read_packages(root, notes)?;

    let player = player.as_deref().map(Settings::parse);
    let text = |key| player.as_ref()?.find(key).filter(|text| !text.is_empty());
    let render_pipeline = pipeline::find(
        root,
        graphics.as_deref().map(Settings::parse).as_ref(),
        quality.as_deref().map(Settings::parse).as_ref(),
        &packages,
        notes,
    );
    Ok(Facts {
        product_name: match text("productName") {
            Some(name) => name.to_owned(),
            None => folder_name(root, notes),
        },
        company_name: text("companyName").map(str::to_owned),
        bundle_version: text("bundleVersion").map(str::to_owned),
        scripting_runtime: player.as_ref().map_or_else(
            || "Unknown".to_owned(),
            |player| scripting_runtime(player, version, notes),
        ),
        scripting_backends: player.as_ref().map(scripting_backends).unwrap_or_default(),
        build_targets: player.as_ref().map(build_targets).unwrap_or_default(),
        render_pipeline,
        serialization: editor.as_deref().map_or(Serialization::Unknown, |editor| {
            serialization(&Settings::parse(editor), notes)
        }),
        scenes_in_build: build.as_deref().map(scenes_in_build).unwrap_or_default(),
        packages,
        notes: std::mem::take(notes),
    })
}

/// The scenes of the build alone; none when they cannot be told.
pub(crate) fn read_scenes_in_build(project: &Project) -> Result<Vec<BuildScene>, ProjectError> {
    let build = load(&project.root, BUILD, "the scenes of the build", &mut Vec::new())?;
    Ok(build.as_deref().map(scenes_in_build).unwrap_or_default())
}

/// The text of a settings file, or a note that says what is `lost` without it.
fn load(
    root: &Path,
    name: &str,
    lost: &str,
    notes: &mut Vec<String>,
) -> Result<Option<String>, ProjectError> {
    notes.push(match file::read_inside(root, &root.join(name))? {
        Content::Absent => format!("{name} not found: {lost} cannot be told"),
        Content::LfsPointer => {
            format!("{name} is a Git LFS pointer: {lost} cannot be told; run `git lfs pull`")
        }
        Content::Bytes(bytes) => {
            let text = file::text(&bytes);
            if Settings::is_text(&text) {
                return Ok(Some(text.into_owned()));
            }
            format!(
                "{name} is binary, not text: {lost} cannot be told; \
                 set Asset Serialization to Force Text in Unity"
            )
        }
    });
    Ok(None)
}

fn folder_name(root: &Path, notes: &mut Vec<String>) -> String {
    // The root may be given as `.`, which has no name of its own.
    let full = root.canonicalize().unwrap_or_else(|_| root.into());
    let name = full.file_name().unwrap_or(full.as_os_str()).to_string_lossy().into_owned();
    notes.push(format!("no product name in {PLAYER}: the folder's name, {name}, stands for it"));
    name
}

fn read_packages(
    root: &Path,
    notes: &mut Vec<String>,
) -> Result<BTreeMap<String, String>, ProjectError> {
    let bytes = match file::read_inside(root, &root.join(MANIFEST))? {
        Content::Bytes(bytes) => bytes,
        Content::Absent => {
            notes.push(format!("{MANIFEST} not found: the packages cannot be told"));
            return Ok(BTreeMap::new());
        }
        Content::LfsPointer => {
            notes.push(format!("{MANIFEST} is a Git LFS pointer; run `git lfs pull`"));
            return Ok(BTreeMap::new());
        }
    };
    let manifest: Value = match serde_json::from_str(&file::text(&bytes)) {
        Ok(manifest) => manifest,
        Err(error) => {
            notes.push(format!("{MANIFEST} is not JSON ({error}): the packages cannot be told"));
            return Ok(BTreeMap::new());
        }
    };
    let mut packages = BTreeMap::new();
    for (name, version) in manifest["dependencies"].as_object().into_iter().flatten() {
        match version.as_str() {
            Some(version) => _ = packages.insert(name.clone(), version.to_owned()),
            None => notes.push(format!("{MANIFEST}: the version of {name} is not text")),
        }
    }
    Ok(packages)
}

fn scripting_runtime(
    player: &Settings<'_>,
    version: &EditorVersion,
    notes: &mut Vec<String>,
) -> String {
    // Unity writes a platform only when it differs from the default, which is Mono here.
    let backends = scripting_backends(player);
    let backend = backends.get("Standalone").map_or("Mono", String::as_str);

    let per_platform = player.under("apiCompatibilityLevelPerPlatform");
    let standalone = per_platform.iter().find(|entry| entry.key == "Standalone");
    let level = standalone.map(|entry| entry.value.as_ref());
    let release = version.release().unwrap_or_default();
    // 2021.2 kept the numbers and moved both profiles to newer .NET versions.
    let moved = release >= (2021, 2);
    let api = match level.or_else(|| player.find("apiCompatibilityLevel")) {
        Some("1") => ".NET 2.0",
        Some("2") => ".NET 2.0 Subset",
        Some("3") if moved => ".NET Framework",
        Some("3") => ".NET 4.x",
        Some("6") if moved => ".NET Standard 2.1",
        Some("6") => ".NET Standard 2.0",
        other => {
            let found = other.unwrap_or("none");
            notes.push(format!("{PLAYER}: API compatibility level {found} has no known name"));
            return backend.to_owned();
        }
    };
    // The choice between two runtimes existed from 2017.1 to 2019.2; the key is still written.
    let legacy = player.find("scriptingRuntimeVersion") == Some("0") && release < (2019, 3);
    format!("{backend}, {api}{}", if legacy { " (.NET 3.5 runtime)" } else { "" })
}

fn scripting_backends(player: &Settings<'_>) -> BTreeMap<String, String> {
    let name = |value: &str| match value {
        "0" => "Mono".to_owned(),
        "1" => "IL2CPP".to_owned(),
        "2" => ".NET".to_owned(),
        "3" => "CoreCLR".to_owned(),
        other => format!("Unknown ({other})"),
    };
    let entries = player.under("scriptingBackend").iter();
    entries.map(|entry| (platform(entry.key).to_owned(), name(&entry.value))).collect()
}

fn build_targets(player: &Settings<'_>) -> Vec<String> {
    let maps = ["applicationIdentifier", "scriptingBackend", "buildNumber"];
    // Unity fills these for every platform it knows, also those long gone.
    let filled =
        ["m_BuildTargetGraphicsJobs", "m_BuildTargetGraphicsJobMode", "m_BuildTargetVRSettings"];
    let mut names = BTreeSet::new();
    for (parent, entry) in player.with_parents() {
        if maps.contains(&parent) {
            names.insert(platform(entry.key));
        } else if entry.key == "m_BuildTarget" && !filled.contains(&parent) {
            names.insert(platform(&entry.value));
        }
    }
    // The default icons stand under a target without a name.
    names.into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// One name for a platform that Unity's settings call by several.
fn platform(name: &str) -> &str {
    match name {
        "iPhone" => "iOS",
        "AppleTV" | "AppleTVSupport" => "tvOS",
        "Metro" | "MetroSupport" | "Windows Store Apps" => "WSA",
        "Nintendo Switch" => "Switch",
        "MacStandaloneSupport" | "WindowsStandaloneSupport" | "LinuxStandaloneSupport" => {
            "Standalone"
        }
        // Not the web of today: the browser plugin that Unity had until 5.3.
        "WebPlayer" => name,
        _ => name.strip_suffix("Support").or(name.strip_suffix("Player")).unwrap_or(name),
    }
}

fn serialization(editor: &Settings<'_>, notes: &mut Vec<String>) -> Serialization {
    match editor.find("m_SerializationMode") {
        Some("0") => Serialization::Mixed,
        Some("1") => Serialization::Binary,
        Some("2") => Serialization::Text,
        other => {
            let found = other.unwrap_or("absent");
            notes.push(format!("{EDITOR}: m_SerializationMode is {found}, expected 0, 1 or 2"));
            Serialization::Unknown
        }
    }
}

fn scenes_in_build(content: &str) -> Vec<BuildScene> {
    let build = Settings::parse(content);
    let mut scenes: Vec<BuildScene> = Vec::new();
    for entry in build.under("m_Scenes") {
        if entry.starts_item {
            scenes.push(BuildScene { path: String::new(), guid: None, enabled: false });
        }
        let Some(scene) = scenes.last_mut() else { continue };
        match entry.key {
            "enabled" => scene.enabled = entry.value == "1",
            "path" => scene.path = entry.value.to_string(),
            "guid" => scene.guid = Some(entry.value.to_string()).filter(|guid| is_guid(guid)),
            _ => {}
        }
    }
    scenes
}

#[cfg(test)]
mod tests;
