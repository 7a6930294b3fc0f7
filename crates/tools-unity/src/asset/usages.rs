//! The tool `asset.usages`: Asset Usages.

use std::collections::{HashMap, HashSet, VecDeque};

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::hierarchy::Target;
use scenewright_unity::index::{Asset, AssetId, AssetKind, Index};
use scenewright_unity::{Guid, script};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{InUnity, Unity, asset_type};

pub(crate) const TOOL: Tool = Tool {
    id: "asset.usages",
    keywords: "who uses where used script material texture find references which prefab scene uses depends on referenced by incoming dependents consumers safe to delete can i remove it what would break scenes prefabs",
    title: "Asset Usages",
    category: "asset",
    lean: true,
    limits: Limits { max_items: Some(1000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Find who uses the lantern's script in the Unity sample",
        input: r#"{ "assetPath": "Assets/Scripts/LanternFlicker.cs", "includeObjects": false }"#,
        output: r#"{
            "assetPath": "Assets/Scripts/LanternFlicker.cs",
            "usages": [],
            "totalUsages": 4,
            "totalThroughPrefabs": 1,
            "truncated": false
        }"#,
        varies: &["usages"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find who uses an asset: every scene, prefab and asset that refers to it, with objects and properties:
/// what breaks when it goes. Users through variants and nested prefabs are counted, and listed with
/// `includeIndirect`.
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
    /// Whether to list assets too that do not refer to it, but have a prefab inside that does.
    #[serde(default)]
    include_indirect: bool,
    /// How many using assets to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
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
    /// Who refers to it, sorted by path; those through prefabs behind them.
    usages: Vec<Usage>,
    /// How many assets refer to it directly.
    total_usages: usize,
    /// How many more scenes and prefabs have it through a prefab inside of them.
    total_through_prefabs: usize,
    /// Whether there are more than were returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Usage {
    /// The asset that refers to it.
    path: String,
    /// What that is.
    r#type: String,
    /// The prefab inside of it that refers to the asset, where it does not do so itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    through: Option<String>,
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
        usages.push(Usage { path: user.path(), r#type: asset_type(user), through: None, objects });
    }
    crate::base::report_unreadable(cx, &unreadable);
    usages.sort_by(|a, b| a.path.cmp(&b.path));
    let indirect = through_prefabs(&unity.index, guid);
    let mut truncated = total > usages.len();
    if input.include_indirect {
        let room = input.max_results - usages.len();
        truncated |= indirect.len() > room;
        usages.extend(indirect.iter().take(room).map(|(user, through)| Usage {
            path: user.path(),
            r#type: asset_type(*user),
            through: Some(through.path()),
            objects: Vec::new(),
        }));
    } else if !indirect.is_empty() {
        cx.diagnose(tell_indirect(asset, total, indirect.len()));
    }
    Ok(Output {
        asset_path: asset.path(),
        usages,
        total_usages: total,
        total_through_prefabs: indirect.len(),
        truncated,
    })
}

/// How to list what is not in the answer.
fn tell_indirect(asset: Asset<'_>, direct: usize, indirect: usize) -> String {
    let class = asset.name().strip_suffix(".cs").map(script::simple_name);
    let objects = class.map_or_else(String::new, |class| {
        format!(", and scene_query with componentType {class} all objects that have it")
    });
    format!(
        "{direct} assets refer to it themselves, {indirect} more have it through variants and nested prefabs; includeIndirect lists them{objects}."
    )
}

/// The assets that have one of the users inside of them and do not refer to `guid` themselves, in
/// path order, each with the user that it has.
fn through_prefabs(index: &Index, guid: Guid) -> Vec<(Asset<'_>, Asset<'_>)> {
    let direct: Vec<Asset<'_>> = index.incoming(guid).collect();
    let mut seen: HashSet<AssetId> = direct.iter().map(|user| user.id()).collect();
    let mut found: HashMap<AssetId, (Asset<'_>, Asset<'_>)> = HashMap::new();
    let mut open: VecDeque<(Asset<'_>, Asset<'_>)> = direct.into_iter().map(|a| (a, a)).collect();
    while let Some((inner, through)) = open.pop_front() {
        let Some(own) = inner.guid().filter(|_| inner.kind() == AssetKind::Prefab) else {
            continue;
        };
        let is_instance = |user: &Asset<'_>| {
            user.objects().any(|object| object.prefab.is_some_and(|prefab| prefab.guid == own))
        };
        for user in index.incoming(own).filter(is_instance) {
            if seen.insert(user.id()) {
                found.insert(user.id(), (user, through));
                open.push_back((user, through));
            }
        }
    }
    let mut found: Vec<_> = found.into_values().collect();
    found.sort_by_key(|(user, _)| user.id());
    found
}

/// The objects of a scene or prefab that refer to `guid` themselves.
fn objects(
    cx: &Cx,
    unity: &Unity<'_>,
    user: Asset<'_>,
    guid: Guid,
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
            // A component is told as one of its script above.
            if matches!(&link.target, Target::OtherAsset { .. })
                && link.reference.guid == Some(guid)
                && link.path != "m_Script"
            {
                let component = unity.component_name(&link.component);
                found.push(format!("{}: {component}.{}", nodes.path(), link.path));
            }
        }
    }
    found.truncate(MOST);
    Ok(found)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::call_sample;

    #[test]
    fn who_has_a_script_is_told_once() {
        let player = json!({ "assetPath": "Assets/Scripts/PlayerController.cs" });
        let output = call_sample(super::TOOL.id, player).unwrap().output;
        assert_eq!(output["usages"][0]["objects"], json!(["Player: PlayerController"]));
    }

    #[test]
    fn users_through_prefabs_are_told_and_listed() {
        let lantern = "Assets/Scripts/LanternFlicker.cs";
        let few = json!({ "assetPath": lantern, "includeObjects": false });
        let outcome = call_sample(super::TOOL.id, few).unwrap();
        let listed = outcome.output["usages"].as_array().unwrap().len();
        assert_eq!(outcome.output["totalUsages"], listed);
        expect!["4 assets refer to it themselves, 1 more have it through variants and nested prefabs; includeIndirect lists them, and scene_query with componentType LanternFlicker all objects that have it."].assert_eq(&outcome.diagnostics.join("\n"));
        let all = json!({ "assetPath": lantern, "includeObjects": false, "includeIndirect": true });
        let output = call_sample(super::TOOL.id, all).unwrap().output;
        let shown = output["usages"].as_array().unwrap().iter();
        let shown = shown.map(|usage| format!("{} {}\n", usage["path"], usage["through"]));
        expect![[r#"
            "Assets/Prefabs/GoldenLantern.prefab" null
            "Assets/Prefabs/Lantern.prefab" null
            "Assets/Prefabs/Room.prefab" null
            "Assets/Scenes/Main.unity" null
            "Assets/Scenes/Cellar.unity" "Assets/Prefabs/Room.prefab"
        "#]]
        .assert_eq(&shown.collect::<String>());
    }
}
