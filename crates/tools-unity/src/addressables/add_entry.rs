//! The tool `addressables.addEntry`: Add Addressable.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::Guid;
use scenewright_unity::addressables::{self, Given, Group};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find_group, groups, settings};
use crate::base::InUnity;
use crate::base::draft::{self, Draft};

pub(crate) const TOOL: Tool = Tool {
    id: "addressables.addEntry",
    keywords: "make asset addressable group address label load by name mark demand remote bundle dlc",
    title: "Add Addressable",
    notes: Some(
        "An entry that is there keeps what is left out; one of another group moves. Labels that the settings lack are added to them.",
    ),
    category: "addressables",
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Make a material of the Unity sample addressable",
        input: r#"{ "project": "unity", "assetPath": "Assets/Materials/Flame.mat", "group": "Lights", "address": "flame", "labels": ["lights"] }"#,
        output: r#"{
            "success": true,
            "assetPath": "Assets/Materials/Flame.mat",
            "group": "Lights",
            "address": "flame",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put an asset or folder into a group of Addressables, with its address and labels.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Asset or folder.
    asset_path: String,
    /// Name of the group.
    group: String,
    /// Address; that of its entry by default, or the asset's path.
    address: Option<String>,
    /// All labels that it is to have, none with `[]`; those of its entry by default.
    labels: Option<Vec<String>>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The asset.
    asset_path: String,
    /// The group that it is in now.
    group: String,
    /// Its address.
    address: String,
    /// The group that it was in, if another.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_from: Option<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    let groups = groups(&unity)?;
    let (path, group) = find_group(&groups, &input.group)?;
    if group.is_read_only {
        let text = format!("the group {} is read-only", group.name);
        return Err(ToolError::new(ErrorKind::EngineError, text).hint("choose another group"));
    }
    let asset = unity.asset(Some(&input.asset_path), None)?;
    let guid = asset.guid().ok_or_else(|| {
        let text = format!("{} has no meta with a guid", asset.path());
        ToolError::new(ErrorKind::EngineError, text).hint("let Unity import it first")
    })?;
    if asset.name().ends_with(".cs") {
        let text = format!("{} is code, which is in no bundle", asset.path());
        return Err(
            ToolError::new(ErrorKind::EngineError, text).hint("name an asset that is loaded")
        );
    }
    let given = Given { address: input.address.as_deref(), labels: input.labels.as_deref() };
    let entry_in = |group: &Group| group.entries.iter().find(|(known, _)| *known == guid).cloned();
    let held = groups.iter().find_map(|held| Some((held, entry_in(&held.1)?)));
    let old_address = held.as_ref().map(|(_, (_, address))| address.clone());
    let address = input.address.clone().or(old_address).unwrap_or_else(|| asset.path());
    // The group that it leaves.
    let from = held.map(|(held, _)| held).filter(|(holder, _)| holder != path);
    let mut target = Draft::open(cx, project, path)?;
    let mut settings = settings(cx, &unity, project)?;
    let mut other = from.map(|(holder, _)| Draft::open(cx, project, holder)).transpose()?;
    put(&mut target, other.as_mut(), (guid, &address), given)?;
    settings.change(|document, manner, edits| {
        addressables::add_labels(document, given.labels.unwrap_or_default(), manner, edits)
    })?;
    let mut plan = Plan::new(project);
    [Some(&target), other.as_ref(), Some(&settings)]
        .into_iter()
        .flatten()
        .for_each(|draft| draft.add_to(&mut plan));
    let written = draft::commit_plan(cx, project, plan, input.dry_run)?;
    let moved_from = from.map(|(_, group)| group.name.clone());
    let (asset_path, group) = (asset.path(), input.group);
    Ok(Output { success: true, asset_path, group, address, moved_from, written })
}

/// Let a group have the entry of an asset: changed at its place, moved from another group with all
/// that it has, or new.
fn put(
    target: &mut Draft,
    other: Option<&mut Draft>,
    (guid, address): (Guid, &str),
    given: Given<'_>,
) -> Result<(), ToolError> {
    if addressables::entry_of(target.document(), guid).is_some() {
        return target.change(|document, manner, edits| {
            addressables::set_entry(document, guid, given, manner, edits)
        });
    }
    let held = other.as_ref().and_then(|other| addressables::entry_of(other.document(), guid));
    let new = || addressables::new_entry(target.document(), guid, address);
    let entry = given.over(held.unwrap_or_else(new));
    if let Some(other) = other {
        other.change(|document, manner, edits| {
            addressables::remove_entry(document, guid, manner, edits)
        })?;
    }
    target.change(|document, manner, edits| {
        addressables::add_entry(document, guid, entry, manner, edits)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{Site, bench, lines_of};

    fn arguments(asset: &str, group: &str, labels: &[&str]) -> Value {
        json!({ "assetPath": asset, "group": group, "address": "thing", "labels": labels })
    }

    #[test]
    fn an_asset_comes_into_a_group_and_moves_to_another() {
        let bench = bench();
        let flame = "Assets/Materials/Flame.mat";
        expect![[r#"
            --- a/Assets/AddressableAssetsData/AssetGroups/Lights.asset
            +++ b/Assets/AddressableAssetsData/AssetGroups/Lights.asset
            @@ -17,6 +17,13 @@
                 m_SerializedData: []
               m_GUID: 0d9ac374c89815c61475495f648726c6
               m_SerializeEntries:
            +  - m_GUID: bb07ac992c76080f8d3cb1f8c52d8e7f
            +    m_Address: thing
            +    m_ReadOnly: 0
            +    m_SerializedLabels:
            +    - lights
            +    - hot
            +    FlaggedDuringContentUpdateRestriction: 0
               - m_GUID: bf59e81e2be283390722a0ddca6f8102
                 m_Address: lantern
                 m_ReadOnly: 0
            --- a/Assets/AddressableAssetsData/AddressableAssetSettings.asset
            +++ b/Assets/AddressableAssetsData/AddressableAssetSettings.asset
            @@ -76,6 +76,7 @@
                 - Locale-de
                 - Locale-en
                 - rooms
            +    - hot
               m_SchemaTemplates: []
               m_GroupTemplateObjects: []
               m_InitializationObjects: []
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments(flame, "Lights", &["lights", "hot"])));
        assert_eq!(bench.diff(super::TOOL.id, arguments(flame, "Lights", &["lights", "hot"])), "");
        expect![[r#"
            --- a/Assets/AddressableAssetsData/AssetGroups/Rooms.asset
            +++ b/Assets/AddressableAssetsData/AssetGroups/Rooms.asset
            @@ -17,6 +17,11 @@
                 m_SerializedData: []
               m_GUID: ca02048e9c20b65e8166d66323040bc4
               m_SerializeEntries:
            +  - m_GUID: bb07ac992c76080f8d3cb1f8c52d8e7f
            +    m_Address: thing
            +    m_ReadOnly: 0
            +    m_SerializedLabels: []
            +    FlaggedDuringContentUpdateRestriction: 0
               - m_GUID: f755b277b36ec092bed9651617f3a926
                 m_Address: room
                 m_ReadOnly: 0
            --- a/Assets/AddressableAssetsData/AssetGroups/Lights.asset
            +++ b/Assets/AddressableAssetsData/AssetGroups/Lights.asset
            @@ -17,13 +17,6 @@
                 m_SerializedData: []
               m_GUID: 0d9ac374c89815c61475495f648726c6
               m_SerializeEntries:
            -  - m_GUID: bb07ac992c76080f8d3cb1f8c52d8e7f
            -    m_Address: thing
            -    m_ReadOnly: 0
            -    m_SerializedLabels:
            -    - lights
            -    - hot
            -    FlaggedDuringContentUpdateRestriction: 0
               - m_GUID: bf59e81e2be283390722a0ddca6f8102
                 m_Address: lantern
                 m_ReadOnly: 0
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments(flame, "Rooms", &[])));
        let report = bench.call("addressables.analyzeMemory", json!({})).unwrap();
        assert!(report["loadingPatterns"].to_string().contains("thing"), "{report}");
    }

    /// A group with its entries in an order of its own, and another one.
    fn two_groups() -> Site {
        let bench = bench();
        let path = "Assets/AddressableAssetsData/AssetGroups/Lights.asset";
        let first = "  - m_GUID: fdfcc7ccef48ae2203d1f34e6c873cd7\n    m_Address: stone\n    m_ReadOnly: 1\n    m_SerializedLabels:\n    - hard\n    - grey\n    FlaggedDuringContentUpdateRestriction: 1\n";
        let list = "  m_SerializeEntries:\n";
        bench.write(path, &bench.read(path).replace(list, &format!("{list}{first}")));
        bench
    }

    #[test]
    fn what_is_left_out_stays_at_its_place() {
        let stone = "Assets/Materials/Stone.mat";
        let lines = |more: Value| {
            let mut arguments = json!({ "assetPath": stone, "group": "Lights" });
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            lines_of(&two_groups().diff(super::TOOL.id, arguments))
        };
        assert_eq!(lines(json!({})), "");
        expect![[r#"
            Assets/AddressableAssetsData/AssetGroups/Lights.asset
            -    m_Address: stone
            +    m_Address: rock
        "#]]
        .assert_eq(&lines(json!({ "address": "rock" })));
        expect![[r#"
            Assets/AddressableAssetsData/AssetGroups/Lights.asset
            -    - hard
            +    - lights
            Assets/AddressableAssetsData/AddressableAssetSettings.asset
            +    - grey
        "#]]
        .assert_eq(&lines(json!({ "labels": ["grey", "lights"] })));
        expect![[r#"
            Assets/AddressableAssetsData/AssetGroups/Lights.asset
            -    m_SerializedLabels:
            -    - hard
            -    - grey
            +    m_SerializedLabels: []
        "#]]
        .assert_eq(&lines(json!({ "labels": [] })));
        let kept = json!({ "assetPath": stone, "group": "Lights", "labels": ["hard"] });
        assert_eq!(two_groups().call(super::TOOL.id, kept).unwrap()["address"], "stone");
        // The negative: what is not there yet has nothing to keep.
        let flame = json!({ "assetPath": "Assets/Materials/Flame.mat", "group": "Lights" });
        let output = two_groups().call(super::TOOL.id, flame).unwrap();
        assert_eq!(output["address"], "Assets/Materials/Flame.mat");
    }

    #[test]
    fn an_entry_moves_to_another_group_with_all_that_it_has() {
        let arguments = json!({ "assetPath": "Assets/Materials/Stone.mat", "group": "Rooms" });
        let bench = two_groups();
        expect![[r#"
            Assets/AddressableAssetsData/AssetGroups/Rooms.asset
            +  - m_GUID: fdfcc7ccef48ae2203d1f34e6c873cd7
            +    m_Address: stone
            +    m_ReadOnly: 1
            +    m_SerializedLabels:
            +    - hard
            +    - grey
            +    FlaggedDuringContentUpdateRestriction: 1
            Assets/AddressableAssetsData/AssetGroups/Lights.asset
            -  - m_GUID: fdfcc7ccef48ae2203d1f34e6c873cd7
            -    m_Address: stone
            -    m_ReadOnly: 1
            -    m_SerializedLabels:
            -    - hard
            -    - grey
            -    FlaggedDuringContentUpdateRestriction: 1
        "#]]
        .assert_eq(&lines_of(&bench.diff(super::TOOL.id, arguments.clone())));
        bench.undo();
        let output = bench.call(super::TOOL.id, arguments).unwrap();
        assert_eq!((&output["address"], &output["movedFrom"]), (&json!("stone"), &json!("Lights")));
    }

    #[test]
    fn what_cannot_be_an_entry_is_told() {
        let bench = bench();
        let error =
            |asset: &str, group: &str| bench.error(super::TOOL.id, arguments(asset, group, &[]));
        let errors = [
            error("Assets/Materials/Flame.mat", "Lihgts"),
            error("Assets/Materials/Flam.mat", "Lights"),
            error("Assets/Scripts/GameState.cs", "Lights"),
        ];
        expect![[r#"
            Group not found: Lihgts; did you mean Lights?
            Asset at path 'Assets/Materials/Flam.mat' not found; did you mean Assets/Materials/Flame.mat?
            Assets/Scripts/GameState.cs is code, which is in no bundle; name an asset that is loaded"#]].assert_eq(&errors.join("\n"));
    }
}
