//! What the settings of a Godot project say, as JSON.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_godot::classes::{Classes, Version};
use scenewright_godot::{Config, Sources, Value as Written};
use scenewright_toolkit::workspace::unreadable;
use serde_json::{Map, Value, json};

use crate::base::{GodotProject, to_json};

/// The names of the sections of `project.godot`, in file order.
pub(crate) fn sections(godot: &GodotProject) -> Vec<String> {
    let config = config(godot, "project.godot");
    let mut names: Vec<String> = Vec::new();
    for section in config.sections().filter(|section| !section.name().is_empty()) {
        if !names.iter().any(|name| *name == section.name()) {
            names.push(section.name().into_owned());
        }
    }
    names
}

/// All settings, or those of one section.
pub(super) fn read(godot: &GodotProject, section: &str) -> Result<Value, ToolError> {
    let config = config(godot, "project.godot");
    let mut all: Map<String, Value> = Map::new();
    for (name, field) in config.entries() {
        // Keys before the first section are about the file itself.
        let name = if name.is_empty() { "general" } else { &*name };
        let keys = all.entry(name).or_insert_with(|| json!({}));
        keys[&*field.key()] = to_json(&config, &field.value().decode());
    }
    if section.is_empty() {
        return Ok(Value::Object(all));
    }
    all.shift_remove(section).ok_or_else(|| {
        let otherwise = "godot://project/settings has all sections";
        ToolError::new(ErrorKind::ResourceNotFound, format!("no section is called {section}"))
            .hint(suggest::did_you_mean(section, all.keys().map(String::as_str), otherwise))
    })
}

/// The export presets. Their options may hold passwords and are not shown.
pub(super) fn presets(godot: &GodotProject) -> Result<Value, ToolError> {
    let facts = godot.settings.facts().map_err(unreadable)?;
    let config = config(godot, "export_presets.cfg");
    let presets = facts.export_presets.iter().enumerate().map(|(number, preset)| {
        let section = format!("preset.{number}");
        let text = |key| config.find(&section, key).and_then(Written::as_str);
        let runnable = config.find(&section, "runnable").map(|value| value.raw() == "true");
        json!({
            "name": preset.name,
            "platform": preset.platform,
            "runnable": runnable.unwrap_or(false),
            "exportPath": text("export_path").unwrap_or_default(),
        })
    });
    Ok(json!({ "presets": presets.collect::<Vec<_>>() }))
}

/// The version of Godot. No engine is asked: it is what the settings and the class tables tell.
pub(super) fn version(godot: &GodotProject) -> Result<Value, ToolError> {
    let facts = godot.settings.facts().map_err(unreadable)?;
    let version = facts.engine_version.as_deref().unwrap_or("4");
    let table = (!version.starts_with('3')).then(|| Classes::of(Version::of(version)).version());
    Ok(json!({
        "projectVersion": facts.engine_version,
        "configVersion": facts.config_version,
        "features": facts.features,
        "classTable": table.map(|table| table.to_string()),
        "note": "from the project's settings; no engine was asked",
    }))
}

fn config(godot: &GodotProject, name: &str) -> Config {
    Config::parse(godot.index().read(name).unwrap_or_default())
}
