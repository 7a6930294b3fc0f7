//! Animator controllers: what plays which clip, and when it goes over to another.

mod controller_add_blend_tree;
mod controller_add_parameter;
mod controller_add_state;
mod controller_add_transition;
mod controller_create;

use scenewright_contract::ToolError;
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Group};
use scenewright_unity::animator::{Controller, Holds};
use scenewright_unity::edit::scene::Refusal;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::base::InUnity;
use crate::base::editing::{Opened, SetField, refused};

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "animator",
    engine: Some("unity"),
    about: "Animator controllers of Unity projects",
    tools: &[
        controller_create::TOOL,
        controller_add_parameter::TOOL,
        controller_add_state::TOOL,
        controller_add_transition::TOOL,
        controller_add_blend_tree::TOOL,
    ],
};

/// What a parameter holds.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Type {
    /// A number.
    Float,
    /// A whole number.
    Int,
    /// True or false.
    Bool,
    /// True until a transition took it.
    Trigger,
}

impl From<Type> for Holds {
    fn from(own: Type) -> Holds {
        match own {
            Type::Float => Holds::Float,
            Type::Int => Holds::Int,
            Type::Bool => Holds::Bool,
            Type::Trigger => Holds::Trigger,
        }
    }
}

/// A place with two numbers.
#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Place {
    /// To the right.
    #[serde(default)]
    x: f32,
    /// Up; in the window of a controller down.
    #[serde(default)]
    y: f32,
}

/// Change a controller and write it. Returns its path, what the change came to, and what was written.
fn change<T>(
    cx: &Cx,
    project: Option<&str>,
    path: &str,
    dry_run: bool,
    change: impl FnOnce(&mut Controller) -> Result<(T, Vec<SetField>), Refusal>,
) -> Result<(String, T, Written), ToolError> {
    let unity = cx.unity(project)?;
    unity.asset(Some(path), None)?;
    let opened = Opened::new(&unity, path)?;
    // It says what is wrong with a file that is no text.
    opened.editor()?;
    let document = opened.document().clone();
    let habits = unity.unity.settings.habits();
    let at_path = |error: ToolError| error.detail("path", opened.path.as_str());
    let mut controller =
        Controller::open(document, unity.version(), habits).map_err(refused).map_err(at_path)?;
    let (done, fields) = change(&mut controller).map_err(refused).map_err(at_path)?;
    let after = opened.with_fields(controller.to_bytes(), &fields)?;
    let written = opened.commit_bytes(after, dry_run)?;
    Ok((opened.path.to_string(), done, written))
}
