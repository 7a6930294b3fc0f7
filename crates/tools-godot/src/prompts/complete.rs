//! Values to offer for the blanks of prompts and templates about Godot projects.

use scenewright_contract::prompt::{CompletionOf, PromptValues};
use scenewright_godot::classes::{Classes, Version};
use scenewright_godot::{FileEntry, FileKind, Index};
use scenewright_toolkit::Runner;

use super::PROMPTS;
use crate::base::{GodotProject, NAME};
use crate::resources;

/// Values for a blank. `others` are the blanks that are filled already.
pub(crate) fn complete(
    runner: &Runner,
    of: CompletionOf<'_>,
    argument: &str,
    others: &PromptValues,
) -> Vec<String> {
    match of {
        CompletionOf::Prompt(name) => of_prompt(runner, name, argument, others),
        CompletionOf::Template(uri) => of_template(runner, uri, argument),
    }
}

fn of_prompt(runner: &Runner, name: &str, argument: &str, others: &PromptValues) -> Vec<String> {
    let prompt = PROMPTS.iter().find(|prompt| prompt.info.name == name);
    let choices = prompt.and_then(|prompt| {
        prompt.choices.iter().find(|(known, _)| *known == argument).map(|(_, values)| *values)
    });
    if let Some(choices) = choices {
        return choices.iter().map(|choice| (*choice).to_owned()).collect();
    }
    let other = |name: &str| others.get(name).map(String::as_str);
    match argument {
        "projectPath" => projects(runner),
        _ => {
            let workspace = runner.workspace();
            let found = resources::find(&workspace, other("projectPath"));
            let Ok((_, godot)) = found else { return Vec::new() };
            let index = godot.index();
            let scene = other("scenePath").unwrap_or_default();
            match argument {
                "scenePath" => files(&index, |file| file.kind == FileKind::Scene),
                "scriptPath" => files(&index, is_script),
                "nodePath" => nodes(&index, scene),
                "signal" => signals(godot, &index, scene, other("nodePath").unwrap_or(".")),
                _ => Vec::new(),
            }
        }
    }
}

fn of_template(runner: &Runner, uri: &str, argument: &str) -> Vec<String> {
    if argument == "category" {
        return resources::categories().map(str::to_owned).collect();
    }
    let workspace = runner.workspace();
    let Some((_, godot)) = resources::first(&workspace) else { return Vec::new() };
    let index = godot.index();
    match argument {
        "section" => resources::sections(godot),
        "class" => classes_of(godot)
            .map(|classes| classes.names().map(str::to_owned).collect())
            .unwrap_or_default(),
        "path" if uri.contains("//scene/") => files(&index, |file| file.kind == FileKind::Scene),
        "path" if uri.contains("//script/") => files(&index, is_script),
        "path" => files(&index, |file| file.companion_of().is_none()),
        _ => Vec::new(),
    }
}

fn projects(runner: &Runner) -> Vec<String> {
    let workspace = runner.workspace();
    workspace.candidates(Some(NAME)).map(|project| project.id.to_string()).collect()
}

fn files(index: &Index, is_wanted: impl Fn(&FileEntry) -> bool) -> Vec<String> {
    index.files().filter(|file| is_wanted(file)).map(|file| file.path.clone()).collect()
}

fn is_script(file: &FileEntry) -> bool {
    matches!(file.kind, FileKind::Script | FileKind::CSharp)
}

/// The paths of a scene's nodes, from its root.
fn nodes(index: &Index, scene: &str) -> Vec<String> {
    let tree = resources::find_tree(index, scene);
    tree.map_or(Vec::new(), |(_, tree)| tree.nodes().iter().map(|node| node.path.clone()).collect())
}

/// The signals of a node: those of its class and of its script.
fn signals(godot: &GodotProject, index: &Index, scene: &str, path: &str) -> Vec<String> {
    let Ok((_, tree)) = resources::find_tree(index, scene) else { return Vec::new() };
    let Some(node) = tree.node(path) else { return Vec::new() };
    let mut found = Vec::new();
    if let (Some(classes), Some(class)) = (classes_of(godot), node.class.as_deref()) {
        found.extend(classes.signals(class).map(|signal| signal.name.to_owned()));
    }
    let script = node.script().and_then(|path| index.find(&path)?.script.as_ref());
    found.extend(script.into_iter().flat_map(|it| &it.signals).map(|signal| signal.name.clone()));
    found
}

/// The classes of the project's version; none for Godot 3.
fn classes_of(godot: &GodotProject) -> Option<&'static Classes> {
    let facts = godot.settings.facts().ok()?;
    let version = facts.engine_version.unwrap_or_default();
    (!version.starts_with('3')).then(|| Classes::of(Version::of(&version)))
}
