//! The headline facts of a project, from its settings files. What they do not tell becomes a note.

use std::collections::BTreeSet;
use std::path::Path;

use crate::file::{self, MAX_SETTINGS};
use crate::project::{OVERRIDE, PRESETS, SETTINGS};
use crate::{Config, Problem, ProjectError, Value};

/// What a project's settings say about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// Name of the project, or of its folder when the settings do not tell it.
    pub name: String,
    /// Version of the project.
    pub version: Option<String>,
    /// What the project says about itself.
    pub description: Option<String>,
    /// Version of the settings format: 5 for Godot 4, 4 for Godot 3; 0 when it is not written.
    pub config_version: u32,
    /// The feature tags the editor wrote, such as `4.3` and `GL Compatibility`.
    pub features: Vec<String>,
    /// Version of the engine, `4.3` or only `4`, as far as the settings tell it.
    pub engine_version: Option<String>,
    /// `Forward Plus`, `Mobile` or `GL Compatibility`; `GLES3` or `GLES2` in Godot 3.
    pub renderer: Option<String>,
    /// The scene that runs first, a `res://` path or a `uid://`.
    pub main_scene: Option<String>,
    /// Scripts and scenes loaded at start, in load order.
    pub autoloads: Vec<Autoload>,
    /// Names of the project's own input actions, in file order.
    pub input_actions: Vec<String>,
    /// The export presets, in file order.
    pub export_presets: Vec<ExportPreset>,
    /// What could not be known, and why.
    pub notes: Vec<String>,
}

/// A script or scene that is loaded when the game starts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Autoload {
    /// Name of the node under the tree's root.
    pub name: String,
    /// A `res://` path or a `uid://`.
    pub path: String,
    /// True when scripts can use the name as a global variable.
    pub singleton: bool,
}

/// A way to export the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportPreset {
    /// Name of the preset.
    pub name: String,
    /// Platform it exports to, such as `Windows Desktop`.
    pub platform: String,
}

/// The facts of the project at `root`, with other settings than those on the disk where they are
/// planned.
pub(crate) fn read(root: &Path, planned: Option<Vec<u8>>) -> Result<Facts, ProjectError> {
    let mut notes = Vec::new();
    let settings = match planned {
        Some(bytes) => Some(bytes),
        None => file::read_inside(root, SETTINGS, MAX_SETTINGS)?,
    };
    let Some(bytes) = settings else {
        return Err(ProjectError::NotFound { root: root.into() });
    };
    let config = read_config(bytes, SETTINGS, &mut notes);
    if root.join(OVERRIDE).is_file() {
        notes.push(format!("{OVERRIDE} is there too; what it changes at run time is not shown"));
    }
    let export_presets = read_presets(root, &mut notes)?;

    let config_version = config_version(&config, &mut notes);
    let features = config
        .find("application", "config/features")
        .map_or(vec![], |value| value.decode().strings());
    let string = |section, key| {
        let text = config.find(section, key).and_then(Value::as_str)?.into_owned();
        Some(text).filter(|text| !text.is_empty())
    };
    Ok(Facts {
        name: string("application", "config/name").unwrap_or_else(|| folder_name(root, &mut notes)),
        version: string("application", "config/version"),
        description: string("application", "config/description"),
        config_version,
        engine_version: engine_version(&features, config_version),
        renderer: renderer(&config, &features, config_version),
        features,
        main_scene: string("application", "run/main_scene"),
        autoloads: autoloads(&config, &mut notes),
        input_actions: input_actions(&config),
        export_presets,
        notes,
    })
}

fn read_config(bytes: Vec<u8>, name: &str, notes: &mut Vec<String>) -> Config {
    if std::str::from_utf8(&bytes).is_err() {
        notes.push(format!("{name} is not UTF-8 throughout; the odd bytes are shown as `�`"));
    }
    let config = Config::parse(bytes);
    let problems = config.problems().iter();
    notes.extend(problems.map(|Problem { line, message, .. }| format!("{name}:{line}: {message}")));
    config
}

fn folder_name(root: &Path, notes: &mut Vec<String>) -> String {
    // The root may be given as `.`, which has no name of its own.
    let full = root.canonicalize().unwrap_or_else(|_| root.into());
    let name = full.file_name().unwrap_or(full.as_os_str()).to_string_lossy().into_owned();
    notes.push(format!("no config/name in {SETTINGS}: the folder's name, {name}, stands for it"));
    name
}

fn config_version(config: &Config, notes: &mut Vec<String>) -> u32 {
    let value = config.find("", "config_version");
    match value.and_then(Value::as_int).and_then(|number| number.try_into().ok()) {
        Some(version) => version,
        None => {
            let found = if value.is_some() { "is not a whole number" } else { "is absent" };
            notes.push(format!(
                "config_version {found} in {SETTINGS}: the Godot version cannot be told from it"
            ));
            0
        }
    }
}

fn engine_version(features: &[String], config_version: u32) -> Option<String> {
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    let is_version = |text: &&String| {
        text.split_once('.').is_some_and(|(major, minor)| is_number(major) && is_number(minor))
    };
    let by_config = match config_version {
        5 => Some("4".to_owned()),
        3 | 4 => Some("3".to_owned()),
        _ => None,
    };
    features.iter().find(is_version).cloned().or(by_config)
}

fn renderer(config: &Config, features: &[String], config_version: u32) -> Option<String> {
    let find = |key| Some(config.find("rendering", key)?.as_str()?.into_owned());
    if config_version == 4 || config_version == 3 {
        // Defaults are not written, here and below.
        return find("quality/driver/driver_name").or(Some("GLES3".into()));
    }
    if let Some(method) = find("renderer/rendering_method") {
        return Some(match method.as_str() {
            "forward_plus" => "Forward Plus".into(),
            "mobile" => "Mobile".into(),
            "gl_compatibility" => "GL Compatibility".into(),
            _ => method,
        });
    }
    let named = ["Forward Plus", "Mobile", "GL Compatibility"];
    let feature = features.iter().find(|feature| named.contains(&feature.as_str())).cloned();
    feature.or((config_version == 5).then(|| "Forward Plus".into()))
}

fn autoloads(config: &Config, notes: &mut Vec<String>) -> Vec<Autoload> {
    let mut autoloads = Vec::new();
    for field in config.keys("autoload") {
        let name = field.key().into_owned();
        let Some(value) = field.value().as_str() else {
            let line = field.line();
            notes.push(format!("{SETTINGS}:{line}: the autoload {name} is not a string"));
            continue;
        };
        let path = value.strip_prefix('*');
        autoloads.push(Autoload {
            name,
            singleton: path.is_some(),
            path: path.unwrap_or(&value).to_owned(),
        });
    }
    autoloads
}

fn input_actions(config: &Config) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let names = config.keys("input").map(|field| field.key().into_owned());
    names.filter(|name| seen.insert(name.clone())).collect()
}

fn read_presets(root: &Path, notes: &mut Vec<String>) -> Result<Vec<ExportPreset>, ProjectError> {
    // Many projects keep the presets out of the repository, so their absence says nothing.
    let Some(bytes) = file::read_inside(root, PRESETS, MAX_SETTINGS)? else {
        return Ok(Vec::new());
    };
    let config = read_config(bytes, PRESETS, notes);

    let mut presets = Vec::new();
    for section in config.sections() {
        // `preset.0.options` may hold passwords and is not looked at.
        let name = section.name();
        if name.strip_prefix("preset.").is_none_or(|number| number.parse::<u32>().is_err()) {
            continue;
        }
        let text = |key| section.property(key).and_then(Value::as_str).unwrap_or_default();
        let (name, platform) = (text("name").into_owned(), text("platform").into_owned());
        presets.push(ExportPreset { name, platform });
    }
    Ok(presets)
}

#[cfg(test)]
mod tests;
