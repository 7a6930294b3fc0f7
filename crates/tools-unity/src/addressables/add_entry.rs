//! The tool `addressables.addEntry`: Add Addressable.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::addressables;
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
        "An asset that is in another group moves. Labels that the settings lack are added to them.",
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
    /// Address; the asset's path by default.
    address: Option<String>,
    /// Labels.
    #[serde(default)]
    labels: Vec<String>,
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
    let address = input.address.unwrap_or_else(|| asset.path());
    let holder =
        groups.iter().find(|(_, group)| group.entries.iter().any(|(known, _)| *known == guid));
    let mut target = Draft::open(cx, project, path)?;
    let mut settings = settings(cx, &unity, project)?;
    let mut other = match holder.filter(|(holder, _)| holder != path) {
        Some((holder, _)) => Some(Draft::open(cx, project, holder)?),
        None => None,
    };
    for draft in [Some(&mut target), other.as_mut()].into_iter().flatten() {
        draft.change(|document, manner, edits| {
            addressables::remove_entry(document, guid, manner, edits)
        })?;
    }
    target.change(|document, manner, edits| {
        addressables::add_entry(document, guid, &address, &input.labels, manner, edits)
    })?;
    settings.change(|document, manner, edits| {
        addressables::add_labels(document, &input.labels, manner, edits)
    })?;
    let mut plan = Plan::new(project);
    [Some(&target), other.as_ref(), Some(&settings)]
        .into_iter()
        .flatten()
        .for_each(|draft| draft.add_to(&mut plan));
    let written = draft::commit_plan(cx, project, plan, input.dry_run)?;
    let moved_from =
        holder.filter(|(holder, _)| holder != path).map(|(_, group)| group.name.clone());
    let (asset_path, group) = (asset.path(), input.group);
    Ok(Output { success: true, asset_path, group, address, moved_from, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::bench;

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
