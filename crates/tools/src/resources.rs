//! What can be read by URI: the server, its projects, its tools, and what is in a Godot project.

pub mod godot;
mod unity;

pub(crate) use unity::{changed as world_changed, changed_by};

use scenewright_contract::definition::Definition;
use scenewright_contract::resource::{ResourceInfo, ResourceText, TemplateInfo};
use scenewright_contract::{Call, ErrorKind, JsonMap, ToolError};
use serde_json::{Value, json};
use std::sync::Arc;

use crate::Runner;

const JSON: &str = "application/json";
const PROJECT: &str = "scenewright://project/";
const TOOL: &str = "scenewright://tool/";

/// The template whose `{project}` is completed with project ids.
pub const PROJECT_TEMPLATE: &str = "scenewright://project/{project}";
/// The template whose `{tool}` is completed with tool names.
pub const TOOL_TEMPLATE: &str = "scenewright://tool/{tool}";

/// Every resource with a fixed URI, projects first.
pub fn list(runner: &Runner) -> Vec<ResourceInfo> {
    let projects = runner.workspace().projects().iter().map(|project| ResourceInfo {
        uri: format!("{PROJECT}{}", project.id),
        name: project.id.to_string(),
        title: format!("Project {}", project.id),
        description: format!("Headline facts of a {} project", project.engine.name()),
        mime: JSON,
    });
    let server = ResourceInfo {
        uri: "scenewright://server".to_owned(),
        name: "server".to_owned(),
        title: "Server".to_owned(),
        description: "What this server is and which projects are open".to_owned(),
        mime: JSON,
    };
    let world = unity::list(runner);
    projects.chain([server]).chain(godot::list(runner.workspace())).chain(world).collect()
}

/// Every family of resources.
#[rustfmt::skip]
pub const TEMPLATES: &[TemplateInfo] = &{
    let [scene, object, components, children, members, member, script, singletons, classes, statics] =
        unity::TEMPLATES;
    [
        template(PROJECT_TEMPLATE, "project", "Project", "Headline facts of a project, by its id", JSON),
        template(TOOL_TEMPLATE, "tool", "Tool definition", "The whole definition of a tool, by its name", JSON),
        template("godot://project/settings/{section}", "settings", "Project settings", "One section of project.godot", JSON),
        template("godot://scene/{path}", "scene", "Scene", "The text of a scene, by its path or uid", godot::SCENE),
        template("godot://scene/{path}/tree", "scene-tree", "Scene tree", "The nodes of a scene, with those of its instances and base scene", JSON),
        template("godot://script/{path}", "script", "Script", "The text of a script, by its path or uid", godot::GDSCRIPT),
        template("godot://assets/{category}", "assets", "Assets", "The assets of a category", JSON),
        template("godot://class/{class}", "class", "Class", "What a class of the project's version of Godot declares", JSON),
        template("godot://uid/{path}", "uid", "Uid", "The uid of a file, or the file of a uid", JSON),
        scene, object, components, children, members, member, script, singletons, classes, statics,
    ]
};

const fn template(
    uri: &'static str,
    name: &'static str,
    title: &'static str,
    description: &'static str,
    mime: &'static str,
) -> TemplateInfo {
    TemplateInfo { uri, name, title, description, mime }
}

/// Read the resource at `uri`. The facts come from the same tools that clients call.
pub fn read(runner: &Arc<Runner>, uri: &str) -> Result<ResourceText, ToolError> {
    if uri.starts_with(godot::PREFIX) || uri.starts_with(godot::STARTERS) {
        let (mime, text) = godot::read(runner, uri).map_err(|error| missing(uri, error))?;
        return Ok(ResourceText { uri: uri.to_owned(), mime, text });
    }
    let value = if uri.starts_with(unity::PREFIX) {
        unity::read(runner, uri)?
    } else if uri == "scenewright://server" {
        run(runner, "mcp.server.info", JsonMap::new())?
    } else if let Some(id) = uri.strip_prefix(PROJECT) {
        let arguments = JsonMap::from_iter([("project".to_owned(), json!(decode(id)))]);
        run(runner, "project.info", arguments).map_err(|error| missing(uri, error))?
    } else if let Some(name) = uri.strip_prefix(TOOL) {
        let tool = runner.describe(&decode(name)).map_err(|error| missing(uri, error))?;
        serde_json::to_value(Definition::of(tool)).unwrap_or_default()
    } else {
        let error = ToolError::new(ErrorKind::ResourceNotFound, "no such resource");
        return Err(missing(
            uri,
            error.hint("resources/list and resources/templates/list name them"),
        ));
    };
    let text = serde_json::to_string_pretty(&value).unwrap_or_default();
    Ok(ResourceText { uri: uri.to_owned(), mime: JSON, text })
}

pub(crate) fn run(
    runner: &Arc<Runner>,
    tool: &str,
    arguments: JsonMap,
) -> Result<Value, ToolError> {
    Ok(runner.admit(Call::new(tool, arguments))?.run()?.output.into_value())
}

fn missing(uri: &str, error: ToolError) -> ToolError {
    match error.kind {
        ErrorKind::EngineError | ErrorKind::UnknownTool | ErrorKind::ResourceNotFound => {
            ToolError {
                kind: ErrorKind::ResourceNotFound,
                message: format!("Resource not found: {uri}"),
                ..error
            }
            .detail("uri", uri)
        }
        _ => error,
    }
}

/// Undo percent-encoding; what is not valid stays as it is.
fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let hex = tail.get(..2).and_then(|hex| std::str::from_utf8(hex).ok());
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_escapes_are_undone() {
        assert_eq!(decode("My%20Game"), "My Game");
        assert_eq!(decode("100%"), "100%");
        assert_eq!(decode("%zz%ff"), "%zz%ff");
    }
}
