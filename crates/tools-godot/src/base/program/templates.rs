//! The export templates that an export needs, looked for before anything starts.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::Config;
use scenewright_live::godot::Program;

use super::export::Export;
use crate::base::Godot;

/// Refuse an export whose templates are not on this machine. Where that is not certain it is left to
/// the engine.
pub(super) fn check(
    godot: &Godot<'_>,
    program: &Program,
    wanted: &Export<'_>,
) -> Result<(), ToolError> {
    // A pack is data alone.
    if wanted.flag == "--export-pack" {
        return Ok(());
    }
    let presets = godot.path("export_presets.cfg").and_then(|path| godot.read(&path));
    let presets = Config::parse(presets.unwrap_or_default());
    let kind = if wanted.flag.ends_with("debug") { "debug" } else { "release" };
    let Some(preset) = preset(&presets, wanted.preset) else { return Ok(()) };
    if let Some(custom) =
        text(&presets, &format!("{preset}.options"), &format!("custom_template/{kind}"))
    {
        let path = match custom.strip_prefix("res://") {
            Some(local) => godot.project.root.join(local),
            None => PathBuf::from(&custom),
        };
        return match path.is_file() {
            true => Ok(()),
            false => Err(missing(format!("the preset's own template {custom} is not there"))),
        };
    }
    let Some(folder) = folder(program, &|name| std::env::var_os(name)) else { return Ok(()) };
    let platform = text(&presets, &preset, "platform").unwrap_or_default();
    match has_templates(&folder, &platform) {
        true => Ok(()),
        false => Err(missing(format!(
            "there are no export templates of Godot {} for {platform} in {}",
            version(&program.version),
            folder.display()
        ))),
    }
}

fn missing(message: String) -> ToolError {
    ToolError::new(ErrorKind::NotReady, message)
        .hint("nothing was started; install the export templates of this version in the editor")
}

/// The section of a preset.
fn preset(presets: &Config, name: &str) -> Option<String> {
    (0..1000)
        .map(|number| format!("preset.{number}"))
        .find(|section| text(presets, section, "name").as_deref() == Some(name))
}

/// A text that is not empty.
fn text(presets: &Config, section: &str, key: &str) -> Option<String> {
    let value = presets.find(section, key)?.decode();
    value.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// `4.6.3.stable` of `4.6.3.stable.debian4.6.3+ds-2`, with `.mono` where that is.
fn version(full: &str) -> String {
    let parts: Vec<&str> = full.split('.').collect();
    let numbers = parts.iter().take_while(|part| part.starts_with(|c: char| c.is_ascii_digit()));
    let mut version = parts[..parts.len().min(numbers.count() + 1)].join(".");
    if parts.contains(&"mono") {
        version.push_str(".mono");
    }
    version
}

/// Where the engine looks for templates of its version.
fn folder(program: &Program, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let beside = program.path.parent()?;
    let is_portable = ["._sc_", "_sc_"].iter().any(|name| beside.join(name).exists());
    let below = |name: &str, rest: &str| {
        let base = variable(name).filter(|value| !value.is_empty())?;
        Some(PathBuf::from(base).join(rest))
    };
    let data = if is_portable {
        Some(beside.join("editor_data"))
    } else if cfg!(windows) {
        below("APPDATA", "Godot")
    } else if cfg!(target_os = "macos") {
        below("HOME", "Library/Application Support/Godot")
    } else {
        below("XDG_DATA_HOME", "godot").or_else(|| below("HOME", ".local/share/godot"))
    };
    Some(data?.join("export_templates").join(version(&program.version)))
}

/// Whether a folder has templates of a platform; of one that is not known here, any.
fn has_templates(folder: &Path, platform: &str) -> bool {
    let start = match platform {
        "Linux" | "Linux/X11" => "linux",
        "Windows Desktop" => "windows",
        "Web" => "web",
        "macOS" => "macos",
        "Android" => "android",
        "iOS" => "ios",
        _ => "",
    };
    let names = fs::read_dir(folder).into_iter().flatten().filter_map(Result::ok);
    names.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(start))
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    #[test]
    fn templates_are_those_of_the_version_and_the_platform() {
        assert_eq!(version("4.6.3.stable.debian4.6.3+ds-2"), "4.6.3.stable");
        assert_eq!(version("4.7.beta2.official.abc"), "4.7.beta2");
        assert_eq!(version("4.4.1.stable.mono.official.x"), "4.4.1.stable.mono");
        let home = Folder::files(
            "//- .local/share/godot/export_templates/4.6.stable/linux_release.x86_64\n",
        );
        let has = |platform| {
            has_templates(&home.path(".local/share/godot/export_templates/4.6.stable"), platform)
        };
        assert!(has("Linux") && has("Somewhere") && !has("Web"));
        assert!(!has_templates(&home.path("nowhere"), "Linux"));
    }
}
