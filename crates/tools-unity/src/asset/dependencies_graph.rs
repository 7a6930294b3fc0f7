//! The tool `asset.dependencies.graph`: Asset Dependency Graph.

use std::collections::{BTreeSet, VecDeque};

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::index::{Asset, AssetId, Index};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{InUnity, asset_type};

const MAX_ITEMS: usize = 5000;

pub(crate) const TOOL: Tool = Tool {
    id: "asset.dependencies.graph",
    keywords: "what a prefab needs depends on requires recursive tree of dependencies uses outgoing pulls in includes included chain",
    title: "Asset Dependency Graph",
    category: "asset",
    limits: Limits { max_items: Some(MAX_ITEMS), ..Limits::DEFAULT },
    examples: &[Example {
        description: "See what hangs on a material of the Unity sample",
        input: r#"{ "assetPath": "Assets/Materials/Stone.mat", "direction": "dependencies" }"#,
        output: r#"{ "assetPath": "Assets/Materials/Stone.mat", "dependencies": [], "dependents": [] }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Follow what an asset needs and what needs it, level by level, over the whole project.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The asset, such as `Assets/Prefabs/Player.prefab`.
    asset_path: Option<String>,
    /// Its guid, instead of the path.
    guid: Option<String>,
    /// Levels to follow, 1 to 10; other numbers are taken as the nearest.
    #[serde(default = "two")]
    depth: i64,
    /// Which way.
    #[serde(default)]
    direction: Direction,
}

fn two() -> i64 {
    2
}

#[derive(Deserialize, JsonSchema, Default, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Dependencies,
    Dependents,
    #[default]
    Both,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The asset.
    asset_path: String,
    /// What it needs, by depth, then path.
    dependencies: Vec<Entry>,
    /// What needs it, by depth, then path.
    dependents: Vec<Entry>,
}

#[derive(Serialize, JsonSchema, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// How many steps away.
    depth: usize,
    /// The asset.
    path: String,
    /// Its guid.
    guid: String,
    /// What it is.
    r#type: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let asset = unity.asset(input.asset_path.as_deref(), input.guid.as_deref())?;
    let depth = usize::try_from(input.depth.clamp(1, 10)).unwrap_or(1);
    let index = &*unity.index;
    let forward = |asset: Asset<'_>| -> Vec<AssetId> {
        let targets = asset.outgoing().filter_map(|out| index.by_guid(out.target.guid));
        targets.map(|target| target.id()).collect()
    };
    let backward = |asset: Asset<'_>| -> Vec<AssetId> {
        asset.guid().map_or_else(Vec::new, |guid| index.incoming(guid).map(|a| a.id()).collect())
    };
    let follow = |wanted: bool, step: &dyn Fn(Asset<'_>) -> Vec<AssetId>| {
        if wanted { levels(cx, index, asset, depth, step) } else { Ok(Vec::new()) }
    };
    Ok(Output {
        asset_path: asset.path(),
        dependencies: follow(input.direction != Direction::Dependents, &forward)?,
        dependents: follow(input.direction != Direction::Dependencies, &backward)?,
    })
}

/// Breadth first, each asset once at its least depth.
fn levels(
    cx: &Cx,
    index: &Index,
    start: Asset<'_>,
    most: usize,
    step: &dyn Fn(Asset<'_>) -> Vec<AssetId>,
) -> Result<Vec<Entry>, ToolError> {
    let mut seen = BTreeSet::from([start.id()]);
    let mut waiting = VecDeque::from([(start.id(), 0)]);
    let mut entries = Vec::new();
    while let Some((id, depth)) = waiting.pop_front() {
        cx.check_cancelled()?;
        let Some(asset) = index.asset(id).filter(|_| depth < most) else { continue };
        for next in step(asset) {
            let Some(found) = index.asset(next).filter(|_| seen.insert(next)) else { continue };
            if entries.len() == MAX_ITEMS {
                cx.diagnose(format!("only the first {MAX_ITEMS} assets are shown"));
                entries.sort();
                return Ok(entries);
            }
            entries.push(Entry {
                depth: depth + 1,
                path: found.path(),
                guid: found.guid().map(|guid| guid.to_string()).unwrap_or_default(),
                r#type: asset_type(found),
            });
            waiting.push_back((next, depth + 1));
        }
    }
    entries.sort();
    Ok(entries)
}
