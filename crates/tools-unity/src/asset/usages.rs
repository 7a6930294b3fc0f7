//! The tool `asset.usages`: Asset Usages.

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::hierarchy::Target;
use scenewright_unity::index::{Asset, AssetKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{InUnity, Unity, asset_type};

pub(crate) const TOOL: Tool = Tool {
    id: "asset.usages",
    argument_aliases: &[("path", "assetPath")],
    title: "Asset Usages",
    category: "asset",
    limits: Limits { max_items: Some(1000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Find who uses the lantern's script in the Unity sample",
        input: r#"{ "assetPath": "Assets/Scripts/LanternFlicker.cs", "includeObjects": false }"#,
        output: r#"{
            "assetPath": "Assets/Scripts/LanternFlicker.cs",
            "usages": [],
            "totalUsages": 1,
            "truncated": false
        }"#,
        varies: &["usages", "totalUsages"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find every asset that refers to an asset, with the objects and properties that do, so that you
/// know what breaks when it goes. Names are those of the expanded hierarchy.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The asset, such as `Assets/Materials/Stone.mat`.
    asset_path: Option<String>,
    /// Its guid, instead of the path.
    guid: Option<String>,
    /// Whether to name the objects and properties in scenes and prefabs.
    #[serde(default = "yes")]
    include_objects: bool,
    /// How many using assets to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 1000))]
    max_results: usize,
}

fn yes() -> bool {
    true
}

fn most() -> usize {
    100
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The asset.
    asset_path: String,
    /// Who refers to it, sorted by path.
    usages: Vec<Usage>,
    /// How many assets refer to it directly.
    total_usages: usize,
    /// Whether there are more than were returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Usage {
    /// The asset that refers to it.
    path: String,
    /// What that is.
    r#type: String,
    /// The objects in it that do, as `object: Component.property`, at most twenty.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    objects: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let asset = unity.asset(input.asset_path.as_deref(), input.guid.as_deref())?;
    let Some(guid) = asset.guid() else {
        return Err(ToolError::failed("the asset has no meta, so nothing can refer to it"));
    };
    let users: Vec<Asset<'_>> = unity.index.incoming(guid).collect();
    let total = users.len();
    let (mut usages, mut unreadable) = (Vec::new(), Vec::new());
    for user in users.into_iter().take(input.max_results) {
        cx.check_cancelled()?;
        let is_hierarchy = matches!(user.kind(), AssetKind::Scene | AssetKind::Prefab);
        let objects = match input.include_objects && is_hierarchy {
            true => objects(cx, &unity, user, guid, &mut unreadable)?,
            false => Vec::new(),
        };
        usages.push(Usage { path: user.path(), r#type: asset_type(user), objects });
    }
    crate::base::report_unreadable(cx, &unreadable);
    usages.sort_by(|a, b| a.path.cmp(&b.path));
    let truncated = total > usages.len();
    Ok(Output { asset_path: asset.path(), usages, total_usages: total, truncated })
}

/// The objects of a scene or prefab that refer to `guid` themselves.
fn objects(
    cx: &Cx,
    unity: &Unity<'_>,
    user: Asset<'_>,
    guid: scenewright_unity::Guid,
    unreadable: &mut Vec<String>,
) -> Result<Vec<String>, ToolError> {
    const MOST: usize = 20;
    let hierarchy = match unity.expand(user) {
        Ok(hierarchy) => hierarchy,
        Err(why) => {
            unreadable.push(why);
            return Ok(Vec::new());
        }
    };
    let mut found = Vec::new();
    let mut nodes = hierarchy.objects();
    while let Some(node) = nodes.next() {
        cx.check_cancelled()?;
        if found.len() >= MOST {
            break;
        }
        if node.is_prefab_instance_root() && node.prefab().is_some_and(|prefab| prefab.guid == guid)
        {
            found.push(format!("{}: instance", nodes.path()));
        }
        for component in node.components() {
            if component.script().is_some_and(|script| script.guid == Some(guid)) {
                let path = nodes.path();
                found.push(format!("{path}: {}", unity.component_name(&component)));
            }
        }
        for link in node.references() {
            if found.len() >= MOST {
                break;
            }
            if matches!(&link.target, Target::OtherAsset { .. })
                && link.reference.guid == Some(guid)
            {
                let component = unity.component_name(&link.component);
                found.push(format!("{}: {component}.{}", nodes.path(), link.path));
            }
        }
    }
    found.truncate(MOST);
    Ok(found)
}
