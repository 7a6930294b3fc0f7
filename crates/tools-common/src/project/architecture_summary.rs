//! The tool `project.architectureSummary`: Architecture Summary.

use std::collections::BTreeMap;
use std::time::Duration;

use rayon::prelude::*;
use scenewright_contract::{Limits, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, TimeGuard, Tool, call, schema};
use scenewright_tools_unity::base::{self, InUnity, Unity};
use scenewright_unity::asmdef::Assembly;
use scenewright_unity::index::{Asset, AssetKind, Flags, RootKind};
use scenewright_unity::{BUILT_IN_TAGS, Tags};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.architectureSummary",
    keywords: "namespaces code structure modules assemblies scripts layout of the codebase organised organized folders overview layers structured coupling design big picture onboarding overview of project new",
    engine: Some("unity"),
    title: "Architecture Summary",
    notes: Some(
        "Objects of prefab instances count in each file that has them. Assets and embedded packages are counted, fetched packages are not.",
    ),
    category: "project",
    tier: Tier::Tier3,
    limits: Limits { time_guard: Some(Duration::from_secs(20)), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Get the numbers of the Unity sample",
        input: r#"{ "project": "unity" }"#,
        output: r#"{
            "success": true,
            "summary": {
                "asmdefCount": 1,
                "scriptCount": 5,
                "sceneCount": 2,
                "prefabCount": 3,
                "layerUsage": { "Default": 13, "TransparentFX": 0, "Ignore Raycast": 0, "Water": 0, "UI": 3, "Interactable": 27, "Ground": 4 },
                "tagUsage": { "Untagged": 32, "MainCamera": 2, "Player": 1, "Collectible": 2, "Lantern": 10 },
                "coupling": { "LanternKeep": 0 }
            }
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Summarise how a Unity project is built: assemblies and their coupling, scripts, scenes, prefabs,
/// and how many objects use each layer and tag. Names that nothing uses are listed with 0.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The numbers.
    summary: Summary,
}

#[derive(Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
struct Summary {
    /// Assembly definitions.
    asmdef_count: usize,
    /// C# files.
    script_count: usize,
    /// Scenes.
    scene_count: usize,
    /// Prefabs, variants included.
    prefab_count: usize,
    /// Objects of scenes and prefabs on each layer, by its name; `Layer 9` has none.
    layer_usage: BTreeMap<String, usize>,
    /// Objects of scenes and prefabs with each tag.
    tag_usage: BTreeMap<String, usize>,
    /// How many other assemblies each assembly definition refers to, by its name.
    coupling: BTreeMap<String, usize>,
}

fn run(cx: &Cx, Input { project }: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(project.as_deref())?;
    let own = |asset: &Asset<'_>| {
        matches!(asset.root().kind, RootKind::Assets | RootKind::Embedded)
            && !asset.flags().contains(Flags::ASSET_MISSING)
    };
    let mut summary = Summary::default();
    let mut hierarchies = Vec::new();
    for asset in unity.index.assets().filter(|asset| asset.kind() != AssetKind::Folder) {
        let count = match asset.kind() {
            AssetKind::AsmDef if asset.name().ends_with(".asmdef") => &mut summary.asmdef_count,
            AssetKind::Script if asset.name().ends_with(".cs") => &mut summary.script_count,
            AssetKind::Scene => &mut summary.scene_count,
            AssetKind::Prefab => &mut summary.prefab_count,
            _ => continue,
        };
        if !own(&asset) {
            continue;
        }
        *count += 1;
        match asset.kind() {
            AssetKind::Scene | AssetKind::Prefab => hierarchies.push(asset),
            AssetKind::AsmDef => add_coupling(cx, asset, &mut summary.coupling),
            _ => {}
        }
    }
    count_objects(cx, &unity, &hierarchies, &mut summary)?;
    Ok(Output { success: true, summary })
}

fn add_coupling(cx: &Cx, asset: Asset<'_>, coupling: &mut BTreeMap<String, usize>) {
    let path = asset.path();
    let bytes = asset.read().unwrap_or_default();
    let mut assembly = match Assembly::parse(&path, asset.guid(), &bytes) {
        Ok(assembly) => assembly,
        Err(why) => return cx.diagnose(format!("Failed to parse asmdef graph: {path}: {why}")),
    };
    assembly.references.sort();
    assembly.references.dedup();
    let is_taken = coupling.contains_key(&assembly.name);
    if is_taken {
        cx.diagnose(format!("{path} defines {} once more; its path stands for it", assembly.name));
    }
    let name = if is_taken { path } else { assembly.name };
    coupling.insert(name, assembly.references.len());
}

fn count_objects(
    cx: &Cx,
    unity: &Unity<'_>,
    files: &[Asset<'_>],
    summary: &mut Summary,
) -> Result<(), ToolError> {
    let names = Names::read(cx, unity);
    let mut layers = [0; 32];
    let mut unknown_tags = BTreeMap::new();
    summary.tag_usage = names.tags.iter().map(|tag| (tag.clone(), 0)).collect();
    let (guard, mut unreadable) = (cx.time_guard(), Vec::new());
    for (number, some) in files.chunks(CHUNK).enumerate() {
        cx.check_cancelled()?;
        cx.progress((number * CHUNK) as f64, Some(files.len() as f64), "files counted");
        let usages: Vec<_> =
            some.par_iter().map(|file| Usage::of(cx, unity, *file, &guard)).collect();
        for (file, usage) in some.iter().zip(usages) {
            let usage = match usage {
                Ok(usage) => usage,
                Err(why) => {
                    unreadable.push(why);
                    continue;
                }
            };
            for (tag, count) in usage.tags {
                if !names.tags.contains(&tag) && !BUILT_IN_TAGS.contains(&tag.as_str()) {
                    unknown_tags.entry(tag.clone()).or_insert_with(|| file.path());
                }
                *summary.tag_usage.entry(tag).or_default() += count;
            }
            layers.iter_mut().zip(usage.layers).for_each(|(sum, count)| *sum += count);
        }
        if guard.expired() {
            guard.report(cx, files.len().min((number + 1) * CHUNK), Some(files.len()));
            break;
        }
    }
    cx.check_cancelled()?;
    for (layer, count) in layers.into_iter().enumerate() {
        match names.layers.get(layer).filter(|name| !name.is_empty()) {
            Some(name) => *summary.layer_usage.entry(name.clone()).or_default() += count,
            None if count > 0 => _ = summary.layer_usage.insert(format!("Layer {layer}"), count),
            None => {}
        }
    }
    base::report_unreadable(cx, &unreadable);
    if names.is_known && !unknown_tags.is_empty() {
        let shown = unknown_tags.iter().take(5).map(|(tag, path)| format!("'{tag}' in {path}"));
        let (count, shown) = (unknown_tags.len(), shown.collect::<Vec<_>>().join(", "));
        cx.diagnose(format!("{count} tags are not in the tag manager, such as {shown}"));
    }
    Ok(())
}

/// How many files are counted between two looks at the time.
const CHUNK: usize = 64;

/// How many objects of one file are on each layer and have each tag.
struct Usage {
    layers: [usize; 32],
    tags: BTreeMap<String, usize>,
}

impl Usage {
    fn of(cx: &Cx, unity: &Unity<'_>, file: Asset<'_>, guard: &TimeGuard) -> Result<Self, String> {
        let mut usage = Usage { layers: [0; 32], tags: BTreeMap::new() };
        for node in unity.expand(file)?.objects() {
            if guard.expired() || cx.cancel().is_cancelled() {
                break;
            }
            *usage.tags.entry(node.tag()).or_default() += 1;
            if let Some(count) = usage.layers.get_mut(node.layer() as usize) {
                *count += 1;
            }
        }
        Ok(usage)
    }
}

/// The names that the project gives to layers and tags.
struct Names {
    layers: Vec<String>,
    tags: Vec<String>,
    /// Whether the project tells them.
    is_known: bool,
}

impl Names {
    fn read(cx: &Cx, unity: &Unity<'_>) -> Names {
        let Tags { own: tags, layers, .. } = unity.tags().unwrap_or_default();
        let is_known = layers.is_some();
        if !is_known {
            cx.diagnose("ProjectSettings/TagManager.asset has no readable layers: only the names of built-in ones are known");
        }
        let built_in = ["Default", "TransparentFX", "Ignore Raycast", "", "Water", "UI"];
        let layers = layers.unwrap_or_else(|| built_in.map(str::to_owned).into());
        Names { layers, tags, is_known }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use scenewright_contract::Outcome;
    use serde_json::json;

    use crate::testing::{call_project, call_sample};

    fn check(outcome: Outcome, expected: Expect) {
        let mut shown = String::new();
        for (key, value) in outcome.output["summary"].as_object().unwrap() {
            shown += &format!("{key} {value}\n");
        }
        outcome.diagnostics.iter().for_each(|text| shown += &format!("({text})\n"));
        expected.assert_eq(&shown);
    }

    #[test]
    fn the_sample_is_counted() {
        check(
            call_sample(super::TOOL.id, json!({})).unwrap(),
            expect![[r#"
                asmdefCount 1
                scriptCount 5
                sceneCount 2
                prefabCount 3
                layerUsage {"Default":13,"Ground":4,"Ignore Raycast":0,"Interactable":27,"TransparentFX":0,"UI":3,"Water":0}
                tagUsage {"Collectible":2,"Lantern":10,"MainCamera":2,"Player":1,"Untagged":32}
                coupling {"LanternKeep":0}
            "#]],
        );
    }

    #[test]
    fn names_come_from_the_tag_manager() {
        let project = r#"
//- ProjectSettings/TagManager.asset
%YAML 1.1
--- !u!78 &1
TagManager:
  tags:
  - Enemy
  layers:
  - Default
  -
  - Ignore Raycast
//- Assets/A.unity
%YAML 1.1
--- !u!1 &10
GameObject:
  m_Component:
  - component: {fileID: 11}
  m_Layer: 1
  m_Name: One
  m_TagString: Lost
--- !u!4 &11
Transform:
  m_GameObject: {fileID: 10}
  m_Children: []
  m_Father: {fileID: 0}
//- Assets/A.unity.meta
guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
//- Assets/A.asmdef
{ "name": "A", "references": ["B", "C", "B"] }
//- Assets/B/A.asmdef
{ "name": "A", "references": [] }
//- Assets/C/C.asmdef
{ "references": [] }
//- Packages/p/package.json
{ "name": "p" }
//- Packages/p/P.cs
class P {}
//- Packages/p/P.prefab
not an asset
"#;
        check(
            call_project(project, super::TOOL.id, json!({})).unwrap(),
            expect![[r#"
                asmdefCount 3
                scriptCount 1
                sceneCount 1
                prefabCount 1
                layerUsage {"Default":0,"Ignore Raycast":0,"Layer 1":1}
                tagUsage {"Enemy":0,"Lost":1}
                coupling {"A":2,"Assets/B/A.asmdef":0}
                (Assets/B/A.asmdef defines A once more; its path stands for it)
                (Failed to parse asmdef graph: Assets/C/C.asmdef: it has no "name")
                (Packages/p/P.prefab cannot be expanded: its content is OtherText)
                (1 tags are not in the tag manager, such as 'Lost' in Assets/A.unity)
            "#]],
        );
    }

    #[test]
    fn godot_is_refused() {
        assert!(call_sample(super::TOOL.id, json!({ "project": "godot" })).is_err());
    }
}
