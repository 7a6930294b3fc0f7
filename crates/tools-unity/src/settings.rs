//! Settings of a whole project: its tags and layers, what collides, and the scenes that are built.

mod add_sorting_layer;
mod add_tag;
mod build_scenes;
mod set_layer;
mod set_layer_collision;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::Group;
use scenewright_unity::{Document, Object, Value};

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "settings",
    engine: Some("unity"),
    about: "Settings of Unity projects: tags, layers, what collides, sorting layers, scenes of the build",
    tools: &[
        add_tag::TOOL,
        set_layer::TOOL,
        set_layer_collision::TOOL,
        add_sorting_layer::TOOL,
        build_scenes::TOOL,
    ],
};

/// The texts of a list, or of a key of its items.
fn texts(document: &Document, list: &str, key: Option<&str>) -> Vec<String> {
    let items = settings(document).and_then(|object| object.get(list));
    let items = items.into_iter().flat_map(Value::items);
    let text = |item: Value<'_>| match key {
        Some(key) => item.get(key).map(|value| value.text().into_owned()).unwrap_or_default(),
        None => item.text().into_owned(),
    };
    items.map(text).collect()
}

/// The only object of a file of settings.
fn settings(document: &Document) -> Option<Object<'_>> {
    document.objects().next()
}

/// A name that is on one line and not empty.
fn check_name(argument: &str, name: &str) -> Result<(), ToolError> {
    match name.trim().is_empty() || name != name.trim() || name.contains(['\n', '\r']) {
        true => Err(ToolError::bad_argument(argument, "must be a name on one line")),
        false => Ok(()),
    }
}

fn exists(what: &str, name: &str) -> ToolError {
    ToolError::new(ErrorKind::EngineError, format!("{what} exists already: {name}"))
        .hint("nothing was changed")
}
