//! Groups and entries of the Addressables package.

mod add_entry;
mod analyze_memory;
mod build_groups;
mod create_group;
mod remove_entry;
mod update_remote_catalog;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::{Cx, Group as ToolGroup, Project};
use scenewright_unity::addressables::{Group, is_settings};
use scenewright_unity::index::{Asset, AssetKind};

use crate::base::Unity;
use crate::base::draft::Draft;

/// The tools of this theme.
pub static GROUP: ToolGroup = ToolGroup {
    name: "addressables",
    engine: Some("unity"),
    about: "Addressables: groups, their entries, and what they take to memory",
    tools: &[
        analyze_memory::TOOL,
        add_entry::TOOL,
        remove_entry::TOOL,
        create_group::TOOL,
        build_groups::TOOL,
        update_remote_catalog::TOOL,
    ],
};

/// Where the package keeps its own assets.
const FOLDER: &str = "AddressableAssetsData";

/// The assets of the package that hold something, with their content.
fn own<'u>(unity: &'u Unity<'_>) -> impl Iterator<Item = (Asset<'u>, scenewright_unity::Document)> {
    let is_own =
        |asset: &Asset<'_>| asset.kind() == AssetKind::Asset && asset.folder().contains(FOLDER);
    let assets = unity.index.under("Assets").filter(is_own);
    assets.filter_map(|asset| Some((asset, asset.document().ok()?)))
}

/// The groups of the project, by file.
fn groups(unity: &Unity<'_>) -> Result<Vec<(String, Group)>, ToolError> {
    let found: Vec<(String, Group)> = own(unity)
        .filter_map(|(asset, document)| Some((asset.path(), Group::read(&document)?)))
        .collect();
    if found.is_empty() {
        return Err(not_there());
    }
    Ok(found)
}

/// The settings that list the groups.
fn settings(cx: &Cx, unity: &Unity<'_>, project: &Project) -> Result<Draft, ToolError> {
    let found = own(unity).find(|(_, document)| is_settings(document));
    let path = found.map(|(asset, _)| asset.path()).ok_or_else(not_there)?;
    Draft::open(cx, project, &path)
}

fn not_there() -> ToolError {
    ToolError::new(ErrorKind::EngineError, "Addressables package not installed")
        .hint("open Window > Asset Management > Addressables > Groups in Unity once, which makes the settings")
}

/// A group by its name.
fn find_group<'g>(
    groups: &'g [(String, Group)],
    name: &str,
) -> Result<&'g (String, Group), ToolError> {
    groups.iter().find(|(_, group)| group.name == name).ok_or_else(|| {
        let names = || groups.iter().map(|(_, group)| group.name.as_str());
        let otherwise = format!("the groups are {}", names().collect::<Vec<_>>().join(", "));
        ToolError::new(ErrorKind::EngineError, format!("Group not found: {name}"))
            .hint(suggest::did_you_mean(name, names(), &otherwise))
    })
}
