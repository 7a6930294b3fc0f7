//! The tool `addressables.removeEntry`: Remove Addressable.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::addressables;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::groups;
use crate::base::InUnity;
use crate::base::draft::{self, Draft};

pub(crate) const TOOL: Tool = Tool {
    id: "addressables.removeEntry",
    keywords: "asset no longer addressable take out of group unmark address not bundle",
    title: "Remove Addressable",
    notes: Some("Code that loads the asset by its address is not looked for."),
    category: "addressables",
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Take the lantern of the Unity sample out of its group, by its address",
        input: r#"{ "project": "unity", "address": "lantern" }"#,
        output: r#"{
            "success": true,
            "group": "Lights",
            "address": "lantern",
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

/// Take an asset out of its group of Addressables, by its path or its address.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Asset or folder; or give its address.
    asset_path: Option<String>,
    /// Address.
    address: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The group that it was in.
    group: String,
    /// The address that it had.
    address: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    let groups = groups(&unity)?;
    let guid = match input.asset_path.as_deref() {
        Some(path) => unity.asset(Some(path), None)?.guid(),
        None => None,
    };
    if input.asset_path.is_some() == input.address.is_some() {
        let problem = "or address must be given, and not both";
        return Err(ToolError::bad_argument("assetPath", problem));
    }
    let entries = groups.iter().flat_map(|(path, group)| {
        group.entries.iter().map(move |(guid, address)| (path, group, *guid, address))
    });
    let is_it = |known: scenewright_unity::Guid, address: &String| match &input.address {
        Some(wanted) => wanted == address,
        None => Some(known) == guid,
    };
    let found: Vec<_> = entries.filter(|(.., guid, address)| is_it(*guid, address)).collect();
    let [(path, group, guid, address)] = found.as_slice() else {
        let wanted = input.asset_path.or(input.address).unwrap_or_default();
        let text = match found.len() {
            0 => format!("no group has {wanted}"),
            count => format!("{count} entries have the address {wanted}"),
        };
        return Err(ToolError::new(ErrorKind::EngineError, text).hint(
            "addressables_analyzeMemory tells what groups have; an assetPath means one entry only",
        ));
    };
    let mut file = Draft::open(cx, project, path)?;
    file.change(|document, manner, edits| {
        addressables::remove_entry(document, *guid, manner, edits)
    })?;
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    Ok(Output { success: true, group: group.name.clone(), address: (*address).clone(), written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn an_entry_goes_once() {
        let bench = bench();
        let before = bench.read("Assets/AddressableAssetsData/AssetGroups/Lights.asset");
        expect![[r#"
            --- a/Assets/AddressableAssetsData/AssetGroups/Lights.asset
            +++ b/Assets/AddressableAssetsData/AssetGroups/Lights.asset
            @@ -16,13 +16,7 @@
               m_Data:
                 m_SerializedData: []
               m_GUID: 0d9ac374c89815c61475495f648726c6
            -  m_SerializeEntries:
            -  - m_GUID: bf59e81e2be283390722a0ddca6f8102
            -    m_Address: lantern
            -    m_ReadOnly: 0
            -    m_SerializedLabels:
            -    - lights
            -    FlaggedDuringContentUpdateRestriction: 0
            +  m_SerializeEntries: []
               m_ReadOnly: 0
               m_Settings: {fileID: 11400000, guid: 1c8626428f630cab7ce43f917f3838ce, type: 2}
               m_SchemaSet:
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, json!({ "address": "lantern" })));
        let errors = [
            bench.error(super::TOOL.id, json!({ "address": "lantern" })),
            bench.error(super::TOOL.id, json!({ "assetPath": "Assets/Materials/Flame.mat" })),
            bench.error(super::TOOL.id, json!({})),
        ];
        expect![[r#"
            no group has lantern; addressables_analyzeMemory tells what groups have; an assetPath means one entry only
            no group has Assets/Materials/Flame.mat; addressables_analyzeMemory tells what groups have; an assetPath means one entry only
            Invalid tool arguments: assetPath or address must be given, and not both"#]].assert_eq(&errors.join("\n"));
        bench.undo();
        assert_eq!(bench.read("Assets/AddressableAssetsData/AssetGroups/Lights.asset"), before);
    }
}
