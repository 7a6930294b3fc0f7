//! The tool `project.assets.summary`: Project Assets Summary.

use std::collections::BTreeMap;
use std::time::Duration;

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_unity::base::{InUnity, asset_type, matches_type};
use scenewright_unity::index::AssetKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const MAX_LARGE: usize = 50;

pub(crate) const TOOL: Tool = Tool {
    id: "project.assets.summary",
    keywords: "how many largest biggest count statistics by type sizes disk space assets textures models sounds counts files per",
    engine: Some("unity"),
    title: "Project Assets Summary",
    notes: Some("Assets loaded by name (Resources, Addressables) count as unreferenced."),
    category: "project",
    limits: Limits {
        time_guard: Some(Duration::from_secs(10)),
        max_items: Some(MAX_LARGE),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Count the materials of the Unity sample",
        input: r#"{ "assetType": "Material" }"#,
        output: r#"{
            "totalAssets": 2,
            "byType": { "Material": 2 },
            "largeAssets": [],
            "totalBytes": 1,
            "unreferencedCount": 0,
            "truncated": false
        }"#,
        varies: &["totalBytes"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Count the assets of a Unity project by type, with the largest ones and how many nothing refers
/// to.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Only this type, such as `Texture`, `Prefab` or `ScriptableObject`.
    asset_type: Option<String>,
    /// From which size on an asset is large.
    #[serde(default = "ten_megabytes")]
    min_size_bytes: u64,
}

fn ten_megabytes() -> u64 {
    10_000_000
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// How many assets there are under Assets, folders not counted.
    total_assets: usize,
    /// How many of each type.
    by_type: BTreeMap<String, usize>,
    /// The large ones, largest first, at most fifty.
    large_assets: Vec<Large>,
    /// Their sizes together.
    total_bytes: u64,
    /// How many no other asset and no setting refers to.
    unreferenced_count: usize,
    /// Whether the time guard ended the count.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Large {
    /// The asset.
    path: String,
    /// What it is.
    r#type: String,
    /// Its size.
    size_bytes: u64,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let guard = cx.time_guard();
    let assets: Vec<_> =
        unity.index.under("Assets").filter(|asset| asset.kind() != AssetKind::Folder).collect();
    let mut output = Output {
        total_assets: 0,
        by_type: BTreeMap::new(),
        large_assets: Vec::new(),
        total_bytes: 0,
        unreferenced_count: 0,
        truncated: false,
    };
    for (done, asset) in assets.iter().enumerate() {
        if guard.expired() {
            guard.report(cx, done, Some(assets.len()));
            output.truncated = true;
            break;
        }
        cx.check_cancelled()?;
        let kind = asset_type(*asset);
        if input.asset_type.as_deref().is_some_and(|wanted| !matches_type(wanted, &kind)) {
            continue;
        }
        output.total_assets += 1;
        let size = unity.index.content_size(*asset);
        output.total_bytes += size;
        *output.by_type.entry(kind.clone()).or_default() += 1;
        let used = asset.guid().is_some_and(|guid| unity.index.incoming(guid).len() > 0);
        output.unreferenced_count += usize::from(!used);
        if size >= input.min_size_bytes {
            output.large_assets.push(Large { path: asset.path(), r#type: kind, size_bytes: size });
        }
    }
    unity.tell_pointers(cx, &assets);
    output.large_assets.sort_by(|a, b| b.size_bytes.cmp(&a.size_bytes).then(a.path.cmp(&b.path)));
    if output.large_assets.len() > MAX_LARGE {
        cx.diagnose(format!(
            "{} large assets; the {MAX_LARGE} largest are shown",
            output.large_assets.len()
        ));
        output.large_assets.truncate(MAX_LARGE);
    }
    Ok(output)
}
