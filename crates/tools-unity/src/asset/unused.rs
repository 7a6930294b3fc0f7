//! The tool `asset.unused`: Unused Assets.

use std::collections::BTreeMap;
use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, ToolError};
use scenewright_toolkit::workspace::unreadable;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::index::{Asset, AssetKind, Flags, Index, RootKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::reach::{Reached, is_below, is_editor};
use crate::base::{InUnity, asset_type, tell_scenes};

const MAX_PATHS: usize = 20;

pub(crate) const TOOL: Tool = Tool {
    id: "asset.unused",
    keywords: "nothing refers orphan unreferenced remove dead clean up leftover not used anywhere never referenced safe delete wasted space",
    title: "Unused Assets",
    notes: Some(
        "What scripts, editor folders and packages refer to counts as used. Assets that code finds in other ways than Resources, StreamingAssets, Addressables and asset bundles count as unused.",
    ),
    category: "asset",
    limits: Limits {
        time_guard: Some(Duration::from_secs(20)),
        max_items: Some(2000),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Find what the builds of the Unity sample do not need",
        input: r#"{}"#,
        output: r#"{
            "unused": [],
            "unusedCount": 0,
            "totalBytes": 0,
            "judged": 19,
            "notJudged": [
                { "reason": "assembly: it is compiled as long as it is there", "count": 1, "paths": ["Assets/Scripts/LanternKeep.asmdef"] },
                { "reason": "editor: only the editor uses it", "count": 9, "paths": [
                    "Assets/AddressableAssetsData/AddressableAssetSettings.asset",
                    "Assets/AddressableAssetsData/AssetGroups/Lights.asset",
                    "Assets/AddressableAssetsData/AssetGroups/Localization.asset",
                    "Assets/AddressableAssetsData/AssetGroups/Rooms.asset",
                    "Assets/AddressableAssetsData/AssetGroups/Schemas/Lights_BundledAssetGroupSchema.asset",
                    "Assets/AddressableAssetsData/AssetGroups/Schemas/Localization_BundledAssetGroupSchema.asset",
                    "Assets/AddressableAssetsData/AssetGroups/Schemas/Rooms_BundledAssetGroupSchema.asset",
                    "Assets/AddressableAssetsData/DefaultObject.asset",
                    "Assets/Localization/Tables/UI.asset"
                ] },
                { "reason": "script: code may use it by name", "count": 1, "paths": ["Assets/Scripts/GameState.cs"] }
            ],
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the assets that nothing leads to from enabled build scenes, Resources, StreamingAssets,
/// Addressables, asset bundles or project settings, largest first. Check a few with asset.usages
/// before you remove any.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Only assets below this folder.
    #[serde(default = "assets")]
    folder: String,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
}

fn assets() -> String {
    "Assets".to_owned()
}

fn most() -> usize {
    200
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The unused assets, largest first.
    unused: Vec<Unused>,
    /// How many there are.
    unused_count: usize,
    /// Their sizes together, without metas.
    total_bytes: u64,
    /// How many assets were found to be used or unused.
    judged: usize,
    /// Assets that may be used in ways that files do not tell.
    not_judged: Vec<NotJudged>,
    /// Whether there are more than were returned, or the time guard ended the search.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Unused {
    /// The asset.
    path: String,
    /// What it is.
    r#type: String,
    /// Its size.
    size_bytes: u64,
}

#[derive(Serialize, JsonSchema)]
struct NotJudged {
    /// Why they were not judged.
    reason: String,
    /// How many there are.
    count: usize,
    /// The first twenty of them.
    paths: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let folder = folder(&unity.index, &input.folder)?;
    let facts = unity.unity.settings.facts().map_err(unreadable)?;
    tell_scenes(cx, &facts);
    let mut reached = Reached::new(&unity.index);
    reached.add_starts(cx, &facts.scenes_in_build);
    reached.follow(cx)?;
    let stopped = reached.add_bundles(cx)?;
    reached.follow(cx)?;
    if reached.opaque > 0 {
        cx.diagnose(format!(
            "{} used assets or settings are binary, too large or not fetched: what they refer to is not known and may be listed as unused",
            reached.opaque
        ));
    }
    let (mut judged, mut unused) = (0, Vec::new());
    let mut not_judged: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for asset in unity.index.under(&folder).filter(is_file) {
        let is_used = reached.contains(asset);
        match doubt(asset) {
            Some(reason) if !is_used || is_editor(asset) => {
                not_judged.entry(reason).or_default().push(asset.path());
            }
            _ => {
                judged += 1;
                unused.extend((!is_used).then(|| Unused {
                    path: asset.path(),
                    r#type: asset_type(asset),
                    size_bytes: unity.index.content_size(asset),
                }));
            }
        }
    }
    unused.sort_by(|a, b| b.size_bytes.cmp(&a.size_bytes).then_with(|| a.path.cmp(&b.path)));
    let unused_count = unused.len();
    let total_bytes = unused.iter().map(|asset| asset.size_bytes).sum();
    unused.truncate(input.max_results);
    let not_judged = not_judged.into_iter().map(|(reason, mut paths)| {
        let count = paths.len();
        paths.truncate(MAX_PATHS);
        NotJudged { reason: reason.to_owned(), count, paths }
    });
    Ok(Output {
        truncated: stopped || unused_count > unused.len(),
        unused,
        unused_count,
        total_bytes,
        judged,
        not_judged: not_judged.collect(),
    })
}

fn folder(index: &Index, text: &str) -> Result<String, ToolError> {
    let plain = text.trim().replace('\\', "/").trim_end_matches('/').to_owned();
    if plain == "Assets" {
        return Ok(plain);
    }
    let found = index.by_path(&plain).filter(|asset| asset.kind() == AssetKind::Folder);
    let found = found.filter(|asset| asset.root().kind == RootKind::Assets);
    found.map(Asset::path).ok_or_else(|| {
        ToolError::new(ErrorKind::EngineError, format!("Folder not found: {text}"))
            .hint("folder names a folder below Assets")
    })
}

fn is_file(asset: &Asset<'_>) -> bool {
    asset.kind() != AssetKind::Folder && !asset.flags().contains(Flags::ASSET_MISSING)
}

/// Why nothing can be said about an asset that no file refers to.
fn doubt(asset: Asset<'_>) -> Option<&'static str> {
    let extension = asset.name().rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_build_file = asset.name().eq_ignore_ascii_case("link.xml") || extension == "rsp";
    match (asset.kind(), extension.as_str()) {
        _ if is_editor(asset) => Some("editor: only the editor uses it"),
        (AssetKind::Script, _) => Some("script: code may use it by name"),
        (AssetKind::AsmDef, _) => Some("assembly: it is compiled as long as it is there"),
        (AssetKind::Dll, _) => Some("plugin: code may use it by name"),
        (AssetKind::Shader, _) => Some("shader: other shaders and code may use it by name"),
        (_, "uss" | "tss") => Some("style sheet: others may import it by path"),
        (_, "spriteatlas" | "spriteatlasv2") => Some("sprite atlas: its sprites bring it along"),
        _ if is_build_file => Some("build file: the build reads it by name"),
        _ if is_in_plugins(asset) => Some("plugin: code may use it by name"),
        _ if asset.guid().is_none() => Some("no guid: without a meta nothing can refer to it"),
        _ => None,
    }
}

/// Manifests and the like, which the build copies from there.
fn is_in_plugins(asset: Asset<'_>) -> bool {
    let is_plain = matches!(asset.kind(), AssetKind::Text | AssetKind::Other);
    let special = ["Assets/Plugins", "Assets/WebGLTemplates"];
    is_plain && special.iter().any(|folder| is_below(asset.folder(), folder))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use scenewright_contract::Outcome;
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample};

    fn show(outcome: Outcome) -> String {
        let output = &outcome.output;
        let mut shown = format!("{} of {} unused\n", output["unusedCount"], output["judged"]);
        for asset in output["unused"].as_array().unwrap() {
            shown += &format!("{} {}\n", asset["type"].as_str().unwrap(), asset["path"]);
        }
        for group in output["notJudged"].as_array().unwrap() {
            let reason = group["reason"].as_str().unwrap();
            shown += &format!("? {} {reason}: {}\n", group["count"], group["paths"]);
        }
        outcome.diagnostics.iter().for_each(|text| shown += &format!("({text})\n"));
        shown
    }

    fn check(project: &str, arguments: Value, expected: Expect) {
        expected.assert_eq(&show(call_project(project, super::TOOL.id, arguments).unwrap()));
    }

    /// Files with a meta whose guid repeats one digit or letter.
    fn project(files: &[(&str, char, &str)]) -> String {
        let file = |(path, guid, content): &(&str, char, &str)| {
            let guid = guid.to_string().repeat(32);
            format!("//- {path}\n{content}\n//- {path}.meta\nfileFormatVersion: 2\nguid: {guid}\n")
        };
        files.iter().map(file).collect()
    }

    fn object(class: &str, field: &str) -> String {
        format!("%YAML 1.1\n--- !u!114 &11400000\n{class}:\n  m_Name: x\n{field}\n")
    }

    fn refers(guid: char) -> String {
        let guid = guid.to_string().repeat(32);
        object("MonoBehaviour", &format!("  other: {{fileID: 11400000, guid: {guid}, type: 2}}"))
    }

    #[test]
    fn the_sample_has_nothing_to_spare() {
        expect![[r#"
            0 of 19 unused
            ? 1 assembly: it is compiled as long as it is there: ["Assets/Scripts/LanternKeep.asmdef"]
            ? 9 editor: only the editor uses it: ["Assets/AddressableAssetsData/AddressableAssetSettings.asset","Assets/AddressableAssetsData/AssetGroups/Lights.asset","Assets/AddressableAssetsData/AssetGroups/Localization.asset","Assets/AddressableAssetsData/AssetGroups/Rooms.asset","Assets/AddressableAssetsData/AssetGroups/Schemas/Lights_BundledAssetGroupSchema.asset","Assets/AddressableAssetsData/AssetGroups/Schemas/Localization_BundledAssetGroupSchema.asset","Assets/AddressableAssetsData/AssetGroups/Schemas/Rooms_BundledAssetGroupSchema.asset","Assets/AddressableAssetsData/DefaultObject.asset","Assets/Localization/Tables/UI.asset"]
            ? 1 script: code may use it by name: ["Assets/Scripts/GameState.cs"]
        "#]].assert_eq(&show(call_sample(super::TOOL.id, json!({})).unwrap()));
    }

    const SCENES: &str = "//- ProjectSettings/EditorBuildSettings.asset
%YAML 1.1
--- !u!1045 &1
EditorBuildSettings:
  m_Scenes:
  - enabled: 1
    path: Assets/On.unity
    guid: 11111111111111111111111111111111
  - enabled: 0
    path: Assets/Off.unity
    guid: 22222222222222222222222222222222
";

    #[test]
    fn every_way_into_a_build_counts() {
        let (a, b, c) = (refers('a'), refers('b'), refers('c'));
        let entry = format!("  m_SerializeEntries:\n  - m_GUID: {}", "d".repeat(32));
        let group = object("MonoBehaviour", &entry);
        let files = project(&[
            ("Assets/On.unity", '1', &a),
            ("Assets/Off.unity", '2', &b),
            ("Assets/A.asset", 'a', &c),
            ("Assets/B.asset", 'b', "b"),
            ("Assets/C.asset", 'c', "c"),
            ("Assets/Groups/Default.asset", '3', &group),
            ("Assets/Remote/In/Far.png", '4', "png"),
            ("Assets/Game/Resources/Loaded.txt", '5', "text"),
            ("Assets/StreamingAssets/Film.mp4", '6', "film"),
            ("Assets/Editor/Icon.png", '7', "png"),
            ("Assets/Loose.cs", '8', "class Loose {}"),
            ("Assets/Loose.shader", '9', "Shader"),
            ("Assets/Bundled.png", 'e', "png"),
        ]);
        let metas = "//- Assets/Remote.meta\nguid: dddddddddddddddddddddddddddddddd\nfolderAsset: yes\n//- Assets/Bundled.png.meta\nguid: eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\nTextureImporter:\n  assetBundleName: extra\n//- Assets/Bare.png\npng\n";
        check(
            &format!("{files}{metas}{SCENES}"),
            json!({}),
            expect![[r#"
                2 of 10 unused
                Scene "Assets/Off.unity"
                Asset "Assets/B.asset"
                ? 1 editor: only the editor uses it: ["Assets/Editor/Icon.png"]
                ? 1 no guid: without a meta nothing can refer to it: ["Assets/Bare.png"]
                ? 1 script: code may use it by name: ["Assets/Loose.cs"]
                ? 1 shader: other shaders and code may use it by name: ["Assets/Loose.shader"]
                (1 scenes of the build settings are not enabled and count as unused unless something else refers to them)
            "#]],
        );
        check(
            &format!("{files}{metas}"),
            json!({ "folder": "Assets/Game/" }),
            expect![[r#"
                0 of 1 unused
                (ProjectSettings/EditorBuildSettings.asset not found: the scenes of the build cannot be told)
                (No enabled scene of the build settings is known, so every scene counts as used)
            "#]],
        );
    }

    #[test]
    fn folders_must_be_there() {
        let error = call_sample(super::TOOL.id, json!({ "folder": "Assets/Nope" })).unwrap_err();
        assert_eq!(error.message, "Folder not found: Assets/Nope");
    }
}
