//! The tool `build.sizeReport`: Build Size Report.

use std::collections::BTreeMap;

use scenewright_contract::{ErrorKind, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::Guid;
use scenewright_unity::index::{Asset, AssetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::footprint::{human, is_data, percent, reach};
use crate::base::{InUnity, Unity, asset_type, tell_scenes};

const TOP: usize = 10;

/// Settings whose references go into every build: pipelines, shaders, preloaded assets.
const SETTINGS: [&str; 3] = [
    "ProjectSettings/GraphicsSettings.asset",
    "ProjectSettings/QualitySettings.asset",
    "ProjectSettings/ProjectSettings.asset",
];

pub(crate) const TOOL: Tool = Tool {
    id: "build.sizeReport",
    keywords: "how big apk disk build size footprint ship heavy what takes space download large megabytes reduce shrink",
    title: "Build Size Report",
    notes: Some("An estimate from source files; nothing is built."),
    category: "build",
    tier: Tier::Tier3,
    examples: &[Example {
        description: "Estimate what a build of the Unity sample is made of",
        input: "{}",
        output: r#"{
            "success": true,
            "estimated": true,
            "totalSizeBytes": 101960,
            "totalSize": "99.6 KB",
            "assetCount": 9,
            "breakdown": {
                "AudioMixerController": { "count": 1, "bytes": 6347, "size": "6.2 KB", "percentage": 6.2 },
                "Material": { "count": 2, "bytes": 4390, "size": "4.3 KB", "percentage": 4.3 },
                "Prefab": { "count": 3, "bytes": 33157, "size": "32.4 KB", "percentage": 32.5 },
                "Scene": { "count": 2, "bytes": 57348, "size": "56.0 KB", "percentage": 56.2 },
                "ScriptableObject": { "count": 1, "bytes": 718, "size": "718 B", "percentage": 0.7 }
            },
            "topAssets": [
                { "path": "Assets/Scenes/Main.unity", "type": "Scene", "sizeBytes": 39738, "size": "38.8 KB" },
                { "path": "Assets/Scenes/Cellar.unity", "type": "Scene", "sizeBytes": 17610, "size": "17.2 KB" },
                { "path": "Assets/Prefabs/Room.prefab", "type": "Prefab", "sizeBytes": 17540, "size": "17.1 KB" },
                { "path": "Assets/Prefabs/Lantern.prefab", "type": "Prefab", "sizeBytes": 8034, "size": "7.8 KB" },
                { "path": "Assets/Prefabs/GoldenLantern.prefab", "type": "Prefab", "sizeBytes": 7583, "size": "7.4 KB" },
                { "path": "Assets/Audio/MainMixer.mixer", "type": "AudioMixerController", "sizeBytes": 6347, "size": "6.2 KB" },
                { "path": "Assets/Materials/Flame.mat", "type": "Material", "sizeBytes": 2202, "size": "2.2 KB" },
                { "path": "Assets/Materials/Stone.mat", "type": "Material", "sizeBytes": 2188, "size": "2.1 KB" },
                { "path": "Assets/Data/LanternSettings.asset", "type": "ScriptableObject", "sizeBytes": 718, "size": "718 B" }
            ]
        }"#,
        // Sizes differ where Git writes other line ends.
        varies: &["totalSizeBytes", "totalSize", "breakdown", "topAssets"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Estimate the size of a Unity build by kind of asset, with the ten largest. Nothing is built: it
/// adds up the source files that the enabled scenes of the build settings, Resources,
/// StreamingAssets and the settings lead to.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Always true: source files were measured, no build.
    estimated: bool,
    /// Size of all source files that would be used.
    total_size_bytes: u64,
    /// The same, for people.
    total_size: String,
    /// How many files that are.
    asset_count: usize,
    /// Size by type of asset.
    breakdown: BTreeMap<String, Part>,
    /// The ten largest, largest first.
    top_assets: Vec<Top>,
}

#[derive(Serialize, JsonSchema, Default)]
struct Part {
    /// How many files.
    count: usize,
    /// Their size.
    bytes: u64,
    /// The same, for people.
    size: String,
    /// Their share of the whole, in percent.
    percentage: f64,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Top {
    /// The asset.
    path: String,
    /// What it is.
    r#type: String,
    /// Its size.
    size_bytes: u64,
    /// The same, for people.
    size: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let starts = starts(cx, &unity)?;
    cx.check_cancelled()?;
    let reached = reach(&unity.index, starts, |_| false);
    let mut assets: Vec<Asset<'_>> =
        reached.iter().filter_map(|id| unity.index.asset(*id)).collect();
    let size = |asset: Asset<'_>| unity.index.content_size(asset);
    let total = assets.iter().map(|asset| size(*asset)).sum();
    let mut breakdown: BTreeMap<String, Part> = BTreeMap::new();
    for asset in &assets {
        let part = breakdown.entry(asset_type(*asset)).or_default();
        part.count += 1;
        part.bytes += size(*asset);
    }
    for part in breakdown.values_mut() {
        part.size = human(part.bytes);
        part.percentage = percent(part.bytes, total);
    }
    // The list is in path order, and the sort keeps that for equal sizes.
    assets.sort_by_key(|asset| std::cmp::Reverse(size(*asset)));
    unity.tell_pointers(cx, &assets);
    cx.diagnose(
        "An estimate: sizes of source files, not of a build. Not known: import and compression of \
         textures, meshes and audio, shader variants, compiled and stripped code, the player \
         itself, assets loaded through Addressables or asset bundles. C# files are not counted.",
    );
    Ok(Output {
        success: true,
        estimated: true,
        total_size_bytes: total,
        total_size: human(total),
        asset_count: assets.len(),
        breakdown,
        top_assets: assets.iter().take(TOP).map(|asset| top(*asset, size(*asset))).collect(),
    })
}

fn top(asset: Asset<'_>, size: u64) -> Top {
    Top { path: asset.path(), r#type: asset_type(asset), size_bytes: size, size: human(size) }
}

/// What Unity puts into a build by itself; references lead to the rest.
fn starts<'u>(cx: &Cx, unity: &'u Unity<'_>) -> Result<Vec<Asset<'u>>, ToolError> {
    let facts = unity.unity.settings.facts().map_err(|error| {
        ToolError::new(ErrorKind::EngineError, format!("Build failed: {error}"))
    })?;
    let mut starts = Vec::new();
    let mut enabled = 0;
    tell_scenes(cx, &facts);
    for scene in facts.scenes_in_build.iter().filter(|scene| scene.enabled) {
        enabled += 1;
        // Unity goes by the guid, and by the path where the scene has been replaced.
        let by_guid =
            scene.guid.as_deref().and_then(Guid::parse).and_then(|guid| unity.index.by_guid(guid));
        match by_guid.or_else(|| unity.index.by_path(&scene.path)) {
            Some(found) if found.kind() == AssetKind::Scene => starts.push(found),
            _ => cx.diagnose(format!(
                "{} is in the build settings and not in the project; a build would fail",
                scene.path
            )),
        }
    }
    if enabled == 0 {
        cx.diagnose("The build settings have no enabled scene; Unity would build the open one.");
    }
    let always = |asset: &Asset<'_>| {
        let in_resources = asset.folder().split('/').any(|part| part == "Resources");
        let streamed = format!("{}/", asset.folder()).starts_with("Assets/StreamingAssets/");
        (in_resources || streamed) && is_data(*asset)
    };
    starts.extend(unity.index.assets().filter(always));
    for settings in SETTINGS.iter().filter_map(|path| unity.index.by_path(path)) {
        starts.extend(settings.outgoing().filter_map(|out| unity.index.by_guid(out.target.guid)));
    }
    Ok(starts)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::{call_project, call_sample};

    #[test]
    fn the_sample_is_added_up_without_its_code() {
        let outcome = call_sample("build.sizeReport", json!({})).unwrap();
        let output = &outcome.output;
        let sum: u64 = output["breakdown"]
            .as_object()
            .unwrap()
            .values()
            .map(|part| part["bytes"].as_u64().unwrap())
            .sum();
        assert_eq!(output["totalSizeBytes"], sum);
        let counts = ["AudioMixerController", "Material", "Prefab", "Scene", "ScriptableObject"]
            .map(|kind| output["breakdown"][kind]["count"].as_u64().unwrap());
        assert_eq!((counts, &output["assetCount"]), ([1, 2, 3, 2, 1], &json!(9)));
        assert_eq!(output["breakdown"].get("Script"), None);
        assert_eq!(output["topAssets"][0]["path"], "Assets/Scenes/Main.unity");
        assert!(outcome.diagnostics[0].starts_with("An estimate"), "{:?}", outcome.diagnostics);
    }

    const PROJECT: &str = "\
//- ProjectSettings/EditorBuildSettings.asset
%YAML 1.1
--- !u!1045 &1
EditorBuildSettings:
  m_Scenes:
  - enabled: 1
    path: Assets/A.unity
    guid: a0000000000000000000000000000001
  - enabled: 0
    path: Assets/Off.unity
    guid: a0000000000000000000000000000002
  - enabled: 1
    path: Assets/Gone.unity
    guid: a0000000000000000000000000000009
//- Assets/A.unity
--- !u!21 &1
Material:
  m_Shader: {fileID: 2100000, guid: a0000000000000000000000000000003, type: 2}
//- Assets/A.unity.meta
guid: a0000000000000000000000000000001
//- Assets/Off.unity
--- !u!21 &1
//- Assets/Off.unity.meta
guid: a0000000000000000000000000000002
//- Assets/Used.png
12345
//- Assets/Used.png.meta
guid: a0000000000000000000000000000003
//- Assets/Unused.png
12345
//- Assets/Unused.png.meta
guid: a0000000000000000000000000000004
//- Assets/Resources/Named.txt
1234567
//- Assets/Resources/Named.txt.meta
guid: a0000000000000000000000000000005
//- Assets/StreamingAssets/deep/film.mp4
123
//- Assets/StreamingAssets/deep/film.mp4.meta
guid: a0000000000000000000000000000006
//- Assets/Editor/Resources/Tool.txt
1234567
//- Assets/Editor/Resources/Tool.txt.meta
guid: a0000000000000000000000000000007
";

    #[test]
    fn scenes_resources_and_streaming_assets_count_and_nothing_else() {
        let outcome = call_project(PROJECT, "build.sizeReport", json!({})).unwrap();
        assert_eq!(outcome.output["assetCount"], 4);
        assert_eq!(outcome.output["totalSizeBytes"], 102 + 6 + 8 + 4);
        assert_eq!(outcome.output["totalSize"], "120 B");
        assert_eq!(
            outcome.output["breakdown"]["Texture"],
            json!({ "count": 1, "bytes": 6, "size": "6 B", "percentage": 5.0 })
        );
        assert_eq!(
            outcome.diagnostics[0],
            "Assets/Gone.unity is in the build settings and not in the project; a build would fail"
        );
    }
}
