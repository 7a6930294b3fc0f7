//! What a prompt shows of a project, as text of bounded length.

use std::fmt::Write;
use std::sync::Arc;

use scenewright_contract::{ErrorKind, JsonMap, ToolError};
use scenewright_godot::classes::{Classes, Version};
use scenewright_godot::{Config, FileKind, Index, NodeState, Sources};
use scenewright_toolkit::resources::run;
use scenewright_toolkit::workspace::unreadable;
use scenewright_toolkit::{Project, Runner};
use serde_json::json;

use crate::base::GodotProject;
use crate::resources;

/// Names in one line; more are counted.
const MAX_NAMES: usize = 40;
/// Lines of a tree or a list.
const MAX_LINES: usize = 200;
/// Bytes of a script.
const MAX_CODE: usize = 24_000;

/// The headline facts of a project.
pub(super) fn of_project(
    project: &Project,
    godot: &GodotProject,
    index: &Index,
) -> Result<String, ToolError> {
    let facts = godot.settings.facts().map_err(unreadable)?;
    let path_of = |text: &str| index.find(text).map_or(text.to_owned(), |file| file.res_path());
    let mut text = format!("## The project `{}`\n\n", project.id);
    let mut line = |what: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("- {what}: {value}\n");
        }
    };
    line("Name", &facts.name);
    line("Godot", facts.engine_version.as_deref().unwrap_or("not told by the settings"));
    line("Renderer", facts.renderer.as_deref().unwrap_or_default());
    line("Main scene", &facts.main_scene.as_deref().map_or("none".into(), path_of));
    let autoloads = facts.autoloads.iter();
    line("Autoloads", &names(autoloads.map(|it| format!("{} ({})", it.name, path_of(&it.path)))));
    line("Input actions", &names(facts.input_actions.iter().cloned()));
    line("Layers", &names(layers(index).into_iter()));
    let classes = index.classes().map(|(name, file)| {
        let base = file.script.as_ref().and_then(|script| script.base.as_deref());
        format!("{name} extends {}", base.unwrap_or("RefCounted"))
    });
    line("Classes of its scripts", &names(classes));
    line("Scenes", &names(index.of_kind(FileKind::Scene).map(|file| file.path.clone())));
    let mut groups: Vec<String> = index.files().flat_map(|file| file.groups.clone()).collect();
    groups.sort();
    groups.dedup();
    line("Groups", &names(groups.into_iter()));
    Ok(text)
}

/// The names of physics and render layers, as `2d_physics/layer_1=world`.
fn layers(index: &Index) -> Vec<String> {
    let config = Config::parse(index.read("project.godot").unwrap_or_default());
    let named = config.keys("layer_names").filter_map(|field| {
        let name = field.value().as_str().filter(|name| !name.is_empty())?;
        Some(format!("{}={name}", field.key()))
    });
    named.collect()
}

fn names(all: impl Iterator<Item = String>) -> String {
    let all: Vec<String> = all.collect();
    let more = all.len().saturating_sub(MAX_NAMES);
    let shown = all[..all.len() - more].join(", ");
    if more > 0 { format!("{shown} and {more} more") } else { shown }
}

/// Classes of the engine as the project's version has them.
pub(super) fn of_classes(godot: &GodotProject, wanted: &[&str]) -> String {
    let facts = godot.settings.facts().ok();
    let version = facts.and_then(|facts| facts.engine_version).unwrap_or_default();
    if wanted.is_empty() || version.starts_with('3') {
        return String::new();
    }
    let classes = Classes::of(Version::of(&version));
    let mut text = format!("\n## Classes of Godot {} for this\n\n", classes.version());
    for class in wanted.iter().filter_map(|name| classes.class(name)) {
        let properties = class.properties().iter().map(|property| property.name.to_owned());
        let signals = class.signals().iter().map(|signal| signal.name.to_owned());
        let parent = class.parent.unwrap_or("nothing");
        let _ = write!(text, "- {} (inherits {parent})", class.name);
        for (what, list) in [("properties", names(properties)), ("signals", names(signals))] {
            if !list.is_empty() {
                let _ = write!(text, "; {what}: {list}");
            }
        }
        text.push('\n');
    }
    text
}

/// The nodes of a scene, one a line, and its connections.
pub(super) fn of_scene(index: &Index, path: &str) -> Result<String, ToolError> {
    let (file, tree) = resources::find_tree(index, path)?;
    let mut text = format!("\n## The scene `{}`\n\n```\n", file.path);
    for node in tree.nodes().iter().take(MAX_LINES) {
        let depth = if node.path == "." { 0 } else { node.path.matches('/').count() + 1 };
        let class = node.class.as_deref().unwrap_or("?");
        let _ = write!(text, "{}{} ({class})", "  ".repeat(depth.min(40)), node.name);
        if let Some(script) = node.script() {
            let _ = write!(text, " script={script}");
        }
        if let Some(instance) = &node.instance {
            let _ = write!(text, " instance={instance}");
        }
        if node.state != NodeState::Plain {
            let _ = write!(text, " [{}]", format!("{:?}", node.state).to_lowercase());
        }
        text.push('\n');
    }
    if let Some(more) = tree.nodes().len().checked_sub(MAX_LINES).filter(|more| *more > 0) {
        let _ = writeln!(text, "… and {more} more nodes");
    }
    text += "```\n";
    let scene = scenewright_godot::Scene::parse(index.read(&file.path).unwrap_or_default());
    for connection in scene.connections().take(MAX_LINES) {
        let (from, to) = (connection.from(), connection.to());
        let (signal, method) = (connection.signal(), connection.method());
        let _ = writeln!(text, "- `{from}` sends {signal} to {method} of `{to}`");
    }
    Ok(text)
}

/// The text of a script, and who uses it.
pub(super) fn of_script(index: &Index, path: &str) -> Result<String, ToolError> {
    let file = resources::find_file(index, path)?;
    let language = match file.kind {
        FileKind::Script => "gdscript",
        FileKind::CSharp => "csharp",
        _ => {
            let message = format!("{} is no script", file.path);
            return Err(ToolError::new(ErrorKind::BadEnvelope, message));
        }
    };
    let bytes = index.read(&file.path).unwrap_or_default();
    let code = String::from_utf8_lossy(&bytes);
    let shown = &code[..code.floor_char_boundary(MAX_CODE)];
    let mut text =
        format!("\n## The script `{}`\n\n```{language}\n{}\n```\n", file.path, shown.trim_end());
    if shown.len() < code.len() {
        let _ = writeln!(text, "\n({} of {} bytes are shown.)", shown.len(), code.len());
    }
    let users = index.users(&file.path).map(|(user, _)| user.path.clone());
    let mut users: Vec<String> = users.collect();
    users.sort();
    users.dedup();
    if !users.is_empty() {
        let _ = writeln!(text, "\nUsed by {}.", names(users.into_iter()));
    }
    Ok(text)
}

/// What a check of the project finds.
pub(super) fn of_problems(runner: &Arc<Runner>, project: &Project) -> Result<String, ToolError> {
    let arguments = JsonMap::from_iter([
        ("project".to_owned(), json!(project.id)),
        ("maxResults".to_owned(), json!(MAX_LINES)),
    ]);
    let report = run(runner, "project.check", arguments)?;
    let count = |key: &str| report[key].as_u64().unwrap_or_default() as usize;
    let counts = scenewright_text::errors_and_warnings(count("errors"), count("warnings"));
    let mut text = format!("\n## What a check finds\n\n{counts}.\n\n");
    for found in report["findings"].as_array().into_iter().flatten() {
        let part = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
        let line = found["line"].as_u64().map_or(String::new(), |line| format!(":{line}"));
        let (severity, file, message) = (part("severity"), part("file"), part("message"));
        let _ = writeln!(text, "- {severity} {file}{line}: {message}");
    }
    Ok(text)
}
