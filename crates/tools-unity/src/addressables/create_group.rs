//! The tool `addressables.createGroup`: Create Addressables Group.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::addressables::{
    Group, default_group, group_like, list_group, schema_like, schema_name,
};
use scenewright_unity::index::Asset;
use scenewright_unity::script::simple_name;
use scenewright_unity::{Guid, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find_group, groups, settings};
use crate::base::assets::NewFiles;
use crate::base::draft::{self, Draft, refused};
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "addressables.createGroup",
    keywords: "new addressables group bundle pack assets together",
    title: "Create Addressables Group",
    notes: Some(
        "The new group builds as the group that it is made like: compression, paths, how bundles are packed.",
    ),
    category: "addressables",
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Add a group to the Addressables of the Unity sample",
        input: r#"{ "project": "unity", "groupName": "Music", "like": "Lights" }"#,
        output: r#"{
            "success": true,
            "groupName": "Music",
            "path": "Assets/AddressableAssetsData/AssetGroups/Music.asset",
            "like": "Lights",
            "dryRun": false,
            "filesChanged": 5,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a group to Addressables that builds as another one does.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Name of the new group.
    group_name: String,
    /// Group whose settings it gets; the default group by default.
    like: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Name of the group.
    group_name: String,
    /// Its file.
    path: String,
    /// The group whose settings it has.
    like: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    let groups = groups(&unity)?;
    let name = check_name(&groups, &input.group_name)?;
    let mut settings = settings(cx, &unity, project)?;
    let (model, like) = match input.like.as_deref() {
        Some(like) => find_group(&groups, like)?,
        None => usual_model(&unity, &groups, default_group(settings.document()).as_deref())?,
    };
    let folder = model.rsplit_once('/').map_or("", |(folder, _)| folder);
    let path = ProjectPath::parse(project, &format!("{folder}/{name}.asset"))?;
    let mut files = NewFiles::default();
    let guid = unity.fresh_guid()?;
    let mut schemas = Vec::new();
    for schema in &like.schemas {
        let asset = unity.index.by_guid(*schema);
        let Some(asset) = asset.filter(|asset| asset.is_there()) else {
            cx.diagnose(format!(
                "a schema of {} is not there, and the new group has none in its place",
                like.name
            ));
            continue;
        };
        let file = asset.path();
        let own = Draft::open(cx, project, &file)?;
        let class = schema_class(&unity, asset);
        let stem = asset.name().trim_end_matches(".asset");
        let stem = schema_name(stem, like, name, guid, class.as_deref().unwrap_or(stem));
        let place = file.rsplit_once('/').map_or("", |(folder, _)| folder);
        let text =
            schema_like(own.document(), &stem, guid).map_err(|why| refused(&own.path, &why))?;
        let place = ProjectPath::parse(project, &format!("{place}/{stem}.asset"))?;
        schemas.extend(files.add(&unity, &place, text.into_bytes())?);
    }
    let own = Draft::open(cx, project, model)?;
    let text =
        group_like(own.document(), name, guid, &schemas).map_err(|why| refused(&own.path, &why))?;
    files.add_as(&unity, &path, text.into_bytes(), guid)?;
    let mut plan = Plan::new(project);
    files.put(&mut plan);
    settings.change(|document, manner, edits| list_group(document, guid, manner, edits))?;
    settings.add_to(&mut plan);
    let written = draft::commit_plan(cx, project, plan, input.dry_run)?;
    let (group_name, path, like) = (name.to_owned(), path.to_string(), like.name.clone());
    Ok(Output { success: true, group_name, path, like, written })
}

/// The group that new ones are like: the default one of the settings, or else the first that makes bundles.
fn usual_model<'g>(
    unity: &Unity<'_>,
    groups: &'g [(String, Group)],
    default: Option<&str>,
) -> Result<&'g (String, Group), ToolError> {
    let is_bundle = |schema: &Guid| {
        let class = unity.index.by_guid(*schema).and_then(|asset| schema_class(unity, asset));
        class.is_some_and(|class| class == "BundledAssetGroupSchema")
    };
    let makes_bundles = |group: &Group| group.schemas.iter().any(is_bundle);
    let usual = groups.iter().find(|(_, group)| Some(group.id.as_str()) == default);
    let others = groups.iter().filter(|(_, group)| !group.is_read_only);
    let mut all = usual.into_iter().chain(others);
    all.find(|(_, group)| makes_bundles(group)).ok_or_else(|| {
        ToolError::new(ErrorKind::EngineError, "no group has settings to build bundles by")
            .hint("make the first group in Unity, or name one with like")
    })
}

/// The class of a schema, without its namespace. Its file is called by it where the package's code is not here.
fn schema_class(unity: &Unity<'_>, asset: Asset<'_>) -> Option<String> {
    let script = asset.objects().find_map(|object| object.script)?;
    let script = Reference { file_id: script.file_id, guid: Some(script.guid), kind: 3 };
    let told = unity.class_of_script(script);
    let called = || asset.name().strip_suffix(".asset")?.rsplit_once('_').map(|(_, class)| class);
    told.as_deref().map(simple_name).or_else(called).map(str::to_owned)
}

fn check_name<'n>(groups: &[(String, Group)], name: &'n str) -> Result<&'n str, ToolError> {
    let plain = name.trim();
    if plain.is_empty() || plain.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|']) {
        return Err(ToolError::bad_argument("groupName", "must be a name that a file can have"));
    }
    if groups.iter().any(|(_, group)| group.name == plain) {
        let names: Vec<&str> = groups.iter().map(|(_, group)| group.name.as_str()).collect();
        let text = format!("Group name already exists: {plain}");
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint(format!("the groups are {}", names.join(", "))));
    }
    Ok(plain)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{Site, bench, bench_on};

    const FOLDER: &str = "Assets/AddressableAssetsData/AssetGroups";

    #[test]
    fn a_group_is_made_like_another_and_takes_entries() {
        let bench = bench();
        let arguments = json!({ "groupName": "Music", "like": "Lights" });
        let mut diff = bench.diff(super::TOOL.id, arguments.clone());
        for (file, word) in
            [("Music", "GROUP"), ("Schemas/Music_BundledAssetGroupSchema", "SCHEMA")]
        {
            let meta = bench.read(&format!("{FOLDER}/{file}.asset.meta"));
            diff = diff.replace(&meta[27..59], word);
        }
        expect![[r#"
            --- /dev/null
            +++ b/Assets/AddressableAssetsData/AssetGroups/Music.asset
            @@ -0,0 +1,24 @@
            +%YAML 1.1
            +%TAG !u! tag:unity3d.com,2011:
            +--- !u!114 &11400000
            +MonoBehaviour:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: bbb281ee3bf0b054c82ac2347e9e782c, type: 3}
            +  m_Name: Music
            +  m_EditorClassIdentifier: 
            +  m_GroupName: Music
            +  m_Data:
            +    m_SerializedData: []
            +  m_GUID: GROUP
            +  m_SerializeEntries: []
            +  m_ReadOnly: 0
            +  m_Settings: {fileID: 11400000, guid: 1c8626428f630cab7ce43f917f3838ce, type: 2}
            +  m_SchemaSet:
            +    m_Schemas:
            +    - {fileID: 11400000, guid: SCHEMA, type: 2}
            --- /dev/null
            +++ b/Assets/AddressableAssetsData/AssetGroups/Music.asset.meta
            @@ -0,0 +1,8 @@
            +fileFormatVersion: 2
            +guid: GROUP
            +NativeFormatImporter:
            +  externalObjects: {}
            +  mainObjectFileID: 11400000
            +  userData: 
            +  assetBundleName: 
            +  assetBundleVariant: 
            --- /dev/null
            +++ b/Assets/AddressableAssetsData/AssetGroups/Schemas/Music_BundledAssetGroupSchema.asset
            @@ -0,0 +1,47 @@
            +%YAML 1.1
            +%TAG !u! tag:unity3d.com,2011:
            +--- !u!114 &11400000
            +MonoBehaviour:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: e5d17a21594effb4e9591490b009e7aa, type: 3}
            +  m_Name: Music_BundledAssetGroupSchema
            +  m_EditorClassIdentifier: 
            +  m_Group: {fileID: 11400000, guid: GROUP, type: 2}
            +  m_InternalBundleIdMode: 1
            +  m_Compression: 1
            +  m_IncludeAddressInCatalog: 1
            +  m_IncludeGUIDInCatalog: 1
            +  m_IncludeLabelsInCatalog: 1
            +  m_InternalIdNamingMode: 0
            +  m_CacheClearBehavior: 0
            +  m_IncludeInBuild: 1
            +  m_BundledAssetProviderType:
            +    m_AssemblyName: 
            +    m_ClassName: 
            +  m_ForceUniqueProvider: 0
            +  m_UseAssetBundleCache: 1
            +  m_UseAssetBundleCrc: 1
            +  m_UseAssetBundleCrcForCachedBundles: 1
            +  m_UseUWRForLocalBundles: 0
            +  m_Timeout: 0
            +  m_ChunkedTransfer: 0
            +  m_RedirectLimit: -1
            +  m_RetryCount: 0
            +  m_BuildPath:
            +    m_Id: 4c202eb70185290a7b088653219aadb1
            +  m_LoadPath:
            +    m_Id: b7047266dd7356800a64c472ff1d5557
            +  m_BundleMode: 0
            +  m_AssetBundleProviderType:
            +    m_AssemblyName: 
            +    m_ClassName: 
            +  m_UseDefaultSchemaSettings: 0
            +  m_SelectedPathPairIndex: 0
            +  m_BundleNaming: 0
            +  m_AssetLoadMode: 0
            --- /dev/null
            +++ b/Assets/AddressableAssetsData/AssetGroups/Schemas/Music_BundledAssetGroupSchema.asset.meta
            @@ -0,0 +1,8 @@
            +fileFormatVersion: 2
            +guid: SCHEMA
            +NativeFormatImporter:
            +  externalObjects: {}
            +  mainObjectFileID: 11400000
            +  userData: 
            +  assetBundleName: 
            +  assetBundleVariant: 
            --- a/Assets/AddressableAssetsData/AddressableAssetSettings.asset
            +++ b/Assets/AddressableAssetsData/AddressableAssetSettings.asset
            @@ -45,6 +45,7 @@
               - {fileID: 11400000, guid: 0d9ac374c89815c61475495f648726c6, type: 2}
               - {fileID: 11400000, guid: 90c8412721b38ca3177bccbfb4c8c792, type: 2}
               - {fileID: 11400000, guid: ca02048e9c20b65e8166d66323040bc4, type: 2}
            +  - {fileID: 11400000, guid: GROUP, type: 2}
               m_BuildSettings:
                 m_CompileScriptsInVirtualMode: 0
                 m_CleanupStreamingAssetsAfterBuilds: 1
        "#]].assert_eq(&diff);
        let entry = json!({ "assetPath": "Assets/Materials/Flame.mat", "group": "Music" });
        bench.call("addressables.addEntry", entry).unwrap();
        let errors = [
            bench.error(super::TOOL.id, arguments),
            bench.error(super::TOOL.id, json!({ "groupName": "a/b" })),
            bench.error(super::TOOL.id, json!({ "groupName": "New", "like": "Light" })),
        ];
        expect![[r#"
            Group name already exists: Music; the groups are Lights, Localization, Music, Rooms
            Invalid tool arguments: groupName must be a name that a file can have
            Group not found: Light; did you mean Lights?"#]]
        .assert_eq(&errors.join("\n"));
    }

    const GROUP: &str = "%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!114 &11400000
MonoBehaviour:
  m_Script: {fileID: 11500000, guid: bbb281ee3bf0b054c82ac2347e9e782c, type: 3}
  m_Name: NAME
  m_GroupName: NAME
  m_GUID: WHOSE
  m_SerializeEntries: []
  m_ReadOnly: 0
  m_SchemaSet:
    m_Schemas:
    - {fileID: 11400000, guid: SCHEMA, type: 2}
";
    const SCHEMA: &str = "%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!114 &11400000
MonoBehaviour:
  m_Script: {fileID: 11500000, guid: CLASS, type: 3}
  m_Name: NAME
  m_Group: {fileID: 11400000, guid: WHOSE, type: 2}
";
    const BUNDLES: &str = "e5d17a21594effb4e9591490b009e7aa";
    const PLAYER_DATA: &str = "b1487f5d688e4f94f828f879d599dbdc";

    /// A project with groups: the name, a digit for its ids, the class of its schema and what that is called.
    fn site(default: &str, groups: [(&str, &str, &str, &str); 3]) -> Site {
        let site =
            bench_on("//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n");
        let guid = |digit: &str| digit.repeat(32);
        let settings = format!(
            "--- !u!114 &11400000\nMonoBehaviour:\n  m_DefaultGroup: {}\n  m_GroupAssets: []\n",
            guid(default)
        );
        site.write("Assets/AddressableAssetsData/Settings.asset", &settings);
        for (name, digit, class, schema) in groups {
            let own = format!("{digit}f").repeat(16);
            let text = GROUP.replace("NAME", name).replace("WHOSE", &guid(digit));
            site.write(&format!("{FOLDER}/{name}.asset"), &text.replace("SCHEMA", &own));
            site.write(&format!("{FOLDER}/{name}.asset.meta"), &format!("guid: {}\n", guid(digit)));
            let text = SCHEMA.replace("NAME", schema).replace("WHOSE", &guid(digit));
            site.write(&format!("{FOLDER}/Schemas/{schema}.asset"), &text.replace("CLASS", class));
            site.write(&format!("{FOLDER}/Schemas/{schema}.asset.meta"), &format!("guid: {own}\n"));
        }
        site
    }

    #[test]
    fn schemas_that_are_named_by_the_guid_of_their_group() {
        let named = |digit: &str| format!("{}_BundledAssetGroupSchema", digit.repeat(32));
        let data = format!("{}_PlayerDataGroupSchema", "a".repeat(32));
        let groups = [
            ("Built In Data", "a", PLAYER_DATA, data.as_str()),
            ("Levels", "b", BUNDLES, &named("b")),
            ("Usual", "c", BUNDLES, &named("c")),
        ];
        let site = site("c", groups);
        let made = site.call(super::TOOL.id, json!({ "groupName": "Music" })).unwrap();
        assert_eq!(made["like"], "Usual");
        let group = site.read(&format!("{FOLDER}/Music.asset.meta"));
        let id = &group[27..59];
        let schema = site.read(&format!("{FOLDER}/Schemas/{id}_BundledAssetGroupSchema.asset"));
        assert!(schema.contains(&format!("m_Name: {id}_BundledAssetGroupSchema\n")), "{schema}");
    }

    #[test]
    fn a_group_of_player_data_is_no_model() {
        let groups = [
            ("Built In Data", "a", PLAYER_DATA, "Built In Data_PlayerDataGroupSchema"),
            ("Levels", "b", BUNDLES, "Old Name_BundledAssetGroupSchema"),
            ("Usual", "c", BUNDLES, "Usual_BundledAssetGroupSchema"),
        ];
        let site = site("a", groups);
        let made = site.call(super::TOOL.id, json!({ "groupName": "Music" })).unwrap();
        assert_eq!(made["like"], "Levels");
        assert!(site.has(&format!("{FOLDER}/Schemas/Music_BundledAssetGroupSchema.asset")));
    }
}
