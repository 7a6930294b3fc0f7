//! Prefabs and their instances, changed without the editor.

mod apply;
mod batch_replace;
mod create;
mod create_variant;
mod edit_property;
mod overrides;
mod unpack;
mod variant_overrides;

use scenewright_contract::ToolError;
use scenewright_toolkit::Group;
use scenewright_toolkit::door::ProjectPath;

use crate::base::Unity;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "prefab",
    engine: Some("unity"),
    about: "Prefabs of Unity and their instances",
    tools: &[
        overrides::TOOL,
        variant_overrides::TOOL,
        create::TOOL,
        create_variant::TOOL,
        edit_property::TOOL,
        batch_replace::TOOL,
        unpack::TOOL,
        apply::TOOL,
    ],
};

/// Where a new prefab comes.
fn prefab_place(unity: &Unity<'_>, path: &str) -> Result<ProjectPath, ToolError> {
    let place = unity.asset_place(path)?;
    if !place.as_str().ends_with(".prefab") {
        let text = format!("is '{path}', and a prefab's name ends with .prefab");
        return Err(ToolError::bad_argument("prefabPath", &text));
    }
    unity.must_be_new(&place)?;
    Ok(place)
}
