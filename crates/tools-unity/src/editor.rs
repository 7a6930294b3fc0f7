//! The state of a running editor, as far as files tell it.

mod execute_menu;
mod selection_apply_layer;
mod selection_apply_tag;
mod selection_info;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Group};
use scenewright_unity::edit::scene::{Editor, Refusal};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use crate::base::editing::edit_scene;
use crate::base::editor::not_connected;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "editor",
    engine: Some("unity"),
    about: "The editor: its selection and menu",
    tools: &[
        selection_info::TOOL,
        selection_apply_layer::TOOL,
        selection_apply_tag::TOOL,
        execute_menu::TOOL,
    ],
};

/// Objects that a call names, for there is no selection without an editor.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Selection {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Paths of the objects; the selection of a running editor by default.
    #[serde(default)]
    #[schemars(length(max = 100))]
    object_paths: Vec<String>,
    /// More objects than this are refused.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 10))]
    max_objects: usize,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn most() -> usize {
    10
}

/// Give a field of all objects a value; `tool` is what was called.
fn apply(
    cx: &Cx,
    tool: &str,
    selection: Selection,
    field: &str,
    value: &Value,
) -> Result<(usize, Written), ToolError> {
    let Selection { project, scene_path, object_paths, max_objects, dry_run } = selection;
    let count = object_paths.len();
    if count == 0 {
        let what = format!("{tool} without objectPaths");
        let instead = "name the objects with objectPaths, and their scene with scenePath";
        return Err(not_connected(&what, instead));
    }
    if count > max_objects {
        let text =
            format!("Selection exceeds maxObjects limit: {count} objects, at most {max_objects}");
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint("call several times"));
    }
    let set = |editor: &mut Editor<'_>| {
        for path in &object_paths {
            let done = editor.set(Some(path), None, field, value);
            done.map_err(|refusal| match editor.id_at(path) {
                Some(_) => refusal,
                None => Refusal { message: format!("GameObject not found: {path}"), ..refusal },
            })?;
        }
        Ok(())
    };
    let (_, (), written) = edit_scene(cx, project.as_deref(), scene_path, dry_run, set)?;
    Ok((count, written))
}
