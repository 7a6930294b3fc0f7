//! The tool `asset.info`: Asset Info.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{InUnity, asset_type};

pub(crate) const TOOL: Tool = Tool {
    id: "asset.info",
    keywords: "guid meta importer type size of a file path lookup details an asset",
    title: "Asset Info",
    category: "asset",
    examples: &[Example {
        description: "Read about the lantern prefab of the Unity sample",
        input: r#"{ "assetPath": "Assets/Prefabs/Lantern.prefab", "includeDependencies": true }"#,
        output: r#"{
            "path": "Assets/Prefabs/Lantern.prefab",
            "guid": "",
            "type": "Prefab",
            "mainObjectName": "Lantern",
            "importerType": "PrefabImporter",
            "sizeBytes": 1,
            "dependencyCount": 3,
            "dependencies": [
                "Assets/Materials/Flame.mat",
                "Assets/Materials/Stone.mat",
                "Assets/Scripts/LanternFlicker.cs"
            ],
            "usedBy": 3,
            "objectCount": 12
        }"#,
        varies: &["guid", "sizeBytes", "usedBy", "objectCount", "dependencyCount", "dependencies"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what one asset is: type, guid, importer, size, how many assets it needs and how many use
/// it. Name it by path or guid.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The asset, such as `Assets/Prefabs/Player.prefab`.
    asset_path: Option<String>,
    /// Its guid, instead of the path.
    guid: Option<String>,
    /// Whether to list what it needs.
    #[serde(default)]
    include_dependencies: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The asset, from the project's root.
    path: String,
    /// Its guid; empty without a meta.
    guid: String,
    /// What it is.
    r#type: String,
    /// Name of its main object.
    main_object_name: String,
    /// Its importer, as its meta says.
    #[serde(skip_serializing_if = "Option::is_none")]
    importer_type: Option<String>,
    /// Size of the file.
    size_bytes: u64,
    /// How many other assets it refers to directly.
    dependency_count: usize,
    /// Those assets, sorted by path.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    dependencies: Vec<String>,
    /// How many assets refer to it directly.
    used_by: usize,
    /// How many objects are in it, before prefabs are expanded.
    object_count: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let asset = unity.asset(input.asset_path.as_deref(), input.guid.as_deref())?;
    if let (Some(guid), Some(path)) = (&input.guid, &input.asset_path)
        && !asset.path().eq_ignore_ascii_case(&path.replace('\\', "/"))
    {
        let message = format!("GUID '{guid}' does not match asset at path '{path}'");
        return Err(ToolError::new(ErrorKind::BadArguments, message));
    }
    let dependencies = unity.direct_dependencies(asset);
    Ok(Output {
        path: asset.path(),
        guid: asset.guid().map(|guid| guid.to_string()).unwrap_or_default(),
        r#type: asset_type(asset),
        main_object_name: stem(asset.name()).to_owned(),
        importer_type: asset.importer().map(str::to_owned),
        size_bytes: unity.index.content_size(asset),
        dependency_count: dependencies.len(),
        dependencies: if input.include_dependencies { dependencies } else { Vec::new() },
        used_by: asset.guid().map_or(0, |guid| unity.index.incoming(guid).len()),
        object_count: asset.objects().len(),
    })
}

fn stem(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
