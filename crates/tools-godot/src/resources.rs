//! `godot://…`: the first open Godot project by URI, or another with `?project=ID` behind it.
//! `godot-template://…`: scripts to start from.

mod changes;
mod class;
mod files;
mod settings;

use std::sync::Arc;

use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{ErrorKind, JsonMap, ToolError, suggest};
use scenewright_godot::{FileKind, Index};
use scenewright_toolkit::resources::{JSON, decode, missing as missing_at, run, template};
use scenewright_toolkit::{Project, Runner, Workspace};
use serde_json::{Value, json};

use crate::base::{GodotProject, NAME};

pub use changes::{Changed, changed};
pub(crate) use files::{categories, find as find_file, find_tree};
pub(crate) use settings::sections;

/// The detail of an error about a path that leads out of the project.
pub const OUTSIDE: &str = "outside";
/// What all resources of Godot projects are below.
pub const ALL: &str = "godot:/";
pub(crate) const PREFIX: &str = "godot://";
pub(crate) const STARTERS: &str = "godot-template://";
pub(crate) const GDSCRIPT: &str = "text/x-gdscript";
pub(crate) const SCENE: &str = "text/x-godot-scene";
/// Scenes and scripts that are listed by name; the templates reach all others.
const LISTED: usize = 50;

/// Resources that every Godot project has: the part behind `godot://`, a title, what it holds.
const FIXED: &[(&str, &str, &str)] = &[
    ("project/info", "Project", "Headline facts of the project"),
    ("project/settings", "Project settings", "All sections of project.godot"),
    ("export/presets", "Export presets", "Names and platforms, without the options"),
    ("system/version", "Version", "The version of Godot that the project was saved with"),
    ("scenes", "Scenes", "All scenes with the class of their root"),
    ("scripts", "Scripts", "All scripts with their class and base"),
    ("script/errors", "Script errors", "What is wrong with the code, as far as the files show"),
    ("assets", "Assets", "How many files of each category there are"),
    ("resources", "Resources", "All resource files with their class"),
    ("debug/output", "Output", "What the running game printed"),
    ("debug/stream", "Output stream", "Whether the running game is followed"),
    ("debug/breakpoints", "Breakpoints", "Where the running game stops"),
    ("debug/stack", "Stack", "Where the running game stands"),
    ("debug/variables", "Variables", "What the running game holds"),
];

/// Scripts to start from: the name, a title, the code.
const STARTER_SCRIPTS: &[(&str, &str, &str)] = &[
    (
        "character-controller",
        "Character controller",
        include_str!("resources/character_controller.gd"),
    ),
    ("state-machine", "State machine", include_str!("resources/state_machine.gd")),
    ("singleton-autoload", "Singleton", include_str!("resources/singleton_autoload.gd")),
];

/// Families of resources.
#[rustfmt::skip]
pub(crate) const TEMPLATES: &[TemplateInfo] = &[
    template("godot://project/settings/{section}", "settings", "Project settings", "One section of project.godot", JSON),
    template("godot://scene/{path}", "scene", "Scene", "The text of a scene, by its path or uid", SCENE),
    template("godot://scene/{path}/tree", "scene-tree", "Scene tree", "The nodes of a scene, with those of its instances and base scene", JSON),
    template("godot://script/{path}", "script", "Script", "The text of a script, by its path or uid", GDSCRIPT),
    template("godot://assets/{category}", "assets", "Assets", "The assets of a category", JSON),
    template("godot://class/{class}", "class", "Class", "What a class of the project's version of Godot declares", JSON),
    template("godot://uid/{path}", "uid", "Uid", "The uid of a file, or the file of a uid", JSON),
];

/// What can be read of the first open Godot project.
pub(crate) fn list(workspace: &Workspace) -> Vec<ResourceInfo> {
    let Some((_, godot)) = first(workspace) else { return Vec::new() };
    let info = |uri: String, title: &str, description: &str, mime| {
        let name = uri.split_once("://").map_or(&*uri, |(_, name)| name).to_owned();
        let (title, description) = (title.to_owned(), description.to_owned());
        ResourceInfo { uri, name, title, description, mime }
    };
    let mut found: Vec<ResourceInfo> = FIXED
        .iter()
        .map(|(path, title, description)| info(format!("{PREFIX}{path}"), title, description, JSON))
        .collect();
    found.extend(settings::sections(godot).into_iter().map(|section| {
        let uri = format!("{PREFIX}project/settings/{section}");
        info(uri, &format!("Settings: {section}"), "A section of project.godot", JSON)
    }));
    let index = godot.index();
    for path in own_files(&index, FileKind::Scene).take(LISTED) {
        found.push(info(format!("{PREFIX}scene/{path}"), path, "The text of a scene", SCENE));
        let uri = format!("{PREFIX}scene/{path}/tree");
        found.push(info(uri, &format!("Tree of {path}"), "The nodes of a scene", JSON));
    }
    for path in own_files(&index, FileKind::Script).take(LISTED) {
        found.push(info(format!("{PREFIX}script/{path}"), path, "The text of a script", GDSCRIPT));
    }
    found.extend(STARTER_SCRIPTS.iter().map(|(name, title, _)| {
        info(format!("{STARTERS}{name}"), title, "A script to start from", GDSCRIPT)
    }));
    found
}

/// Files of a kind that belong to the project itself, not to what it installed.
fn own_files(index: &Index, kind: FileKind) -> impl Iterator<Item = &str> {
    index.of_kind(kind).map(|file| &*file.path).filter(|path| !path.starts_with("addons/"))
}

/// Read a resource; nothing when its URI is of another kind.
pub(crate) fn read(runner: &Arc<Runner>, uri: &str) -> Option<Result<ResourceText, ToolError>> {
    if !uri.starts_with(PREFIX) && !uri.starts_with(STARTERS) {
        return None;
    }
    let read = read_text(runner, uri).map_err(|error| missing_at(uri, error));
    Some(read.map(|(mime, text)| ResourceText { uri: uri.to_owned(), mime, text }))
}

/// The media type and the text of a resource.
fn read_text(runner: &Arc<Runner>, uri: &str) -> Result<(&'static str, String), ToolError> {
    if let Some(name) = uri.strip_prefix(STARTERS) {
        let found = STARTER_SCRIPTS.iter().find(|(known, ..)| *known == name);
        let (_, _, code) = found.ok_or_else(|| unknown(name))?;
        return Ok((GDSCRIPT, (*code).to_owned()));
    }
    let path = uri.strip_prefix(PREFIX).ok_or_else(|| unknown(uri))?;
    let (path, wanted) = match path.rsplit_once("?project=") {
        Some((path, id)) => (path, Some(decode(id))),
        None => (path, None),
    };
    let path = decode(path);
    let workspace = runner.workspace();
    let (project, godot) = find(&workspace, wanted.as_deref())?;
    if let Some(scene) = path.strip_prefix("scene/").filter(|rest| !rest.ends_with("/tree")) {
        return files::text(&godot.index(), scene, &[FileKind::Scene]);
    }
    if let Some(script) = path.strip_prefix("script/").filter(|rest| *rest != "errors") {
        return files::text(&godot.index(), script, &[FileKind::Script, FileKind::CSharp]);
    }
    let value = read_value(runner, project, godot, &path)?;
    Ok((JSON, serde_json::to_string_pretty(&value).unwrap_or_default()))
}

fn read_value(
    runner: &Arc<Runner>,
    project: &Project,
    godot: &GodotProject,
    path: &str,
) -> Result<Value, ToolError> {
    let of_project = || JsonMap::from_iter([("project".to_owned(), json!(project.id))]);
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    match (first, rest) {
        ("project", "info") => run(runner, "project.info", of_project()),
        // Some clients know the sections without the slash before their name.
        ("project", _) if let Some(section) = rest.strip_prefix("settings") => {
            settings::read(godot, section.trim_start_matches('/'))
        }
        ("export", "presets") => settings::presets(godot),
        ("system", "version") => settings::version(godot),
        ("scenes", "") => Ok(files::scenes(&godot.index())),
        ("scripts", "") => Ok(files::scripts(&godot.index())),
        ("script", "errors") => {
            let mut arguments = of_project();
            arguments.insert("maxResults".into(), json!(1000));
            Ok(files::script_errors(run(runner, "project.check", arguments)?))
        }
        ("scene", _) if let Some(scene) = rest.strip_suffix("/tree") => {
            files::tree(&godot.index(), scene)
        }
        ("assets", category) => files::assets(&godot.index(), category),
        ("resources", "") => Ok(files::resources(&godot.index())),
        ("class", name) => class::read(godot, name),
        ("uid", path) => files::uid(&godot.index(), path),
        ("debug", "output") => {
            game_output(run(runner, "godotEngine.getDebugOutput", of_godot(project)))
        }
        ("debug", "stream") => run(runner, "godotEngine.getDebugStreamStatus", of_godot(project)),
        ("debug", what @ ("breakpoints" | "stack" | "variables")) => Ok(unavailable(&format!(
            "no debugger is connected to a running game, so there is no {what}"
        ))),
        _ => Err(unknown(path)),
    }
}

/// The arguments by which Godot's tools know the project.
fn of_godot(project: &Project) -> JsonMap {
    JsonMap::from_iter([("projectPath".to_owned(), json!(project.id))])
}

/// What the game said; that there is none is no error of a resource that is listed.
fn game_output(told: Result<Value, ToolError>) -> Result<Value, ToolError> {
    match told {
        Err(error) if error.kind == ErrorKind::NotReady => Ok(unavailable(&error.message)),
        told => told,
    }
}

fn unavailable(reason: &str) -> Value {
    json!({ "available": false, "reason": reason })
}

fn unknown(path: &str) -> ToolError {
    let known = FIXED.iter().map(|(path, ..)| *path);
    ToolError::new(ErrorKind::ResourceNotFound, format!("no such resource: {path}")).hint(
        suggest::did_you_mean(path, known, "resources/list and resources/templates/list name them"),
    )
}

/// The first open Godot project.
pub(crate) fn first(workspace: &Workspace) -> Option<(&Project, &GodotProject)> {
    workspace.candidates(Some(NAME)).find_map(|project| Some((project, project.of()?)))
}

/// The Godot project that is meant; the first open one when none is named.
pub(crate) fn find<'a>(
    workspace: &'a Workspace,
    wanted: Option<&str>,
) -> Result<(&'a Project, &'a GodotProject), ToolError> {
    let missing = |message: String| {
        ToolError::new(ErrorKind::ResourceNotFound, message)
            .hint("project_open opens one; or start the server with --project DIR")
    };
    let Some(wanted) = wanted else {
        return first(workspace).ok_or_else(|| missing("no Godot project is open".into()));
    };
    let project = workspace.named(wanted)?;
    match project.of() {
        Some(godot) => Ok((project, godot)),
        None => Err(missing(format!("{wanted} is a Unity project"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starter_scripts_declare_what_they_use() {
        let declared: Vec<(&str, Option<String>, usize)> = STARTER_SCRIPTS
            .iter()
            .map(|(name, _, code)| {
                let script = scenewright_godot::Script::parse(code);
                (*name, script.base, script.functions.len())
            })
            .collect();
        assert_eq!(
            declared,
            [
                ("character-controller", Some("CharacterBody2D".to_owned()), 4),
                ("state-machine", Some("Node".to_owned()), 6),
                ("singleton-autoload", Some("Node".to_owned()), 6),
            ]
        );
    }
}
