//! The tool `project.policy.fix`: Fix Policies.

use std::collections::HashSet;
use std::time::Duration;

use scenewright_contract::{Limits, Safety, Tier, ToolError};
use scenewright_toolkit::door::{ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_unity::base::asset_rules::{Rule, invalid};
use scenewright_tools_unity::base::assets::{ending, stem};
use scenewright_tools_unity::base::moves::Moves;
use scenewright_tools_unity::base::{InUnity, Unity, asset_type};
use scenewright_unity::index::{Asset, AssetKind, Flags};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::policy_check::{Policies, Scope, modified, rules};

/// More assets are counted, not listed.
const MAX_LISTED: usize = 1000;

pub(crate) const TOOL: Tool = Tool {
    id: "project.policy.fix",
    keywords: "naming convention rename assets to match rules move into the right folder prefix clean up organize files follow tidy",
    engine: Some("unity"),
    title: "Fix Policies",
    notes: Some(
        "Scripts keep their names, which are those of their classes, and folders theirs. References by guid hold; texts in code that name an asset by path do not follow.",
    ),
    category: "project",
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Give the materials of the Unity sample a prefix",
        input: r#"{ "project": "unity", "policies": { "naming": { "Material": "^M_" } } }"#,
        output: r#"{
            "success": true,
            "checked": 2,
            "fixed": 2,
            "failed": 0,
            "details": [
                { "assetPath": "Assets/Materials/Flame.mat", "action": "rename", "newPath": "Assets/Materials/M_Flame.mat", "fixed": true },
                { "assetPath": "Assets/Materials/Stone.mat", "action": "rename", "newPath": "Assets/Materials/M_Stone.mat", "fixed": true }
            ],
            "dryRun": false,
            "filesChanged": 4,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Rename and move the assets of a Unity project that break policies on names and folders, all in one
/// change. The rules are those of `project.policy.check`; `{ "value": […], "moveTo": "Assets/Art" }`
/// says where assets in a wrong folder go.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The policies `naming` and `folderStructure`, at least one rule.
    policies: Policies,
    /// Which assets under Assets.
    #[serde(default)]
    scope: Scope,
    /// For scope `modified`: the cursor of an earlier project.changes, since which assets count.
    cursor: Option<u64>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true, also when some could not be put right; a failure is an error.
    success: bool,
    /// How many assets a rule is about.
    checked: usize,
    /// How many were put right, or would be.
    fixed: usize,
    /// How many stay as they are.
    failed: usize,
    /// The assets that break a rule, at most 1000.
    details: Vec<Detail>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    /// The asset, where it was.
    asset_path: String,
    /// `rename`, `move`, or both as `move and rename`.
    action: &'static str,
    /// Where it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    new_path: Option<String>,
    /// Whether it was put right.
    fixed: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    if !input.policies.asset_size.is_empty() {
        return Err(invalid(
            "assetSize",
            "nothing here makes files smaller; there are naming and folderStructure",
        ));
    }
    let rules = rules(&input.policies)?;
    let unity = cx.unity(input.project.as_deref())?;
    let modified = modified(&unity, input.scope, input.cursor)?;
    let mut moves = Moves::new(&unity);
    let (mut checked, mut details, mut taken) = (0, Vec::new(), HashSet::new());
    for asset in unity.index.under("Assets") {
        cx.check_cancelled()?;
        let path = asset.path();
        let is_out = modified.as_ref().is_some_and(|paths| !paths.contains(&path));
        if is_out || asset.flags().contains(Flags::ASSET_MISSING) {
            continue;
        }
        let kind = asset_type(asset);
        let about: Vec<&Rule> = rules.iter().filter(|rule| rule.is_about(&path, &kind)).collect();
        checked += usize::from(!about.is_empty());
        let broken: Vec<&Rule> =
            about.into_iter().filter(|rule| rule.violation(asset).is_some()).collect();
        if !broken.is_empty() {
            details.push(repair(&unity, asset, &broken, &mut moves, &mut taken));
        }
    }
    moves.follow()?;
    let written = moves.plan().commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let fixed = details.iter().filter(|detail| detail.fixed).count();
    let failed = details.len() - fixed;
    details.truncate(MAX_LISTED);
    Ok(Output { success: true, checked, fixed, failed, details, written })
}

/// Have one asset moved or renamed, or say why it stays.
fn repair(
    unity: &Unity<'_>,
    asset: Asset<'_>,
    broken: &[&Rule],
    moves: &mut Moves<'_>,
    taken: &mut HashSet<String>,
) -> Detail {
    let action = match (has(broken, "naming"), has(broken, "folderStructure")) {
        (true, true) => "move and rename",
        (true, false) => "rename",
        _ => "move",
    };
    let asset_path = asset.path();
    let done = target(unity, asset, broken).and_then(|to| {
        // Where case does not matter, two such names are one.
        if !taken.insert(to.as_str().to_lowercase()) {
            return Err(format!("another asset becomes {to}"));
        }
        let from = unity.asset_place(&asset_path).map_err(|error| error.message)?;
        moves.add(&from, &to).map_err(|error| error.message)?;
        Ok(to.to_string())
    });
    let (new_path, reason) = match done {
        Ok(path) => (Some(path), None),
        Err(why) => (None, Some(why)),
    };
    Detail { asset_path, action, fixed: new_path.is_some(), new_path, reason }
}

fn has(broken: &[&Rule], policy: &str) -> bool {
    broken.iter().any(|rule| rule.policy == policy)
}

/// The path that an asset should have.
fn target(unity: &Unity<'_>, asset: Asset<'_>, broken: &[&Rule]) -> Result<ProjectPath, String> {
    let path = asset.path();
    if asset.kind() == AssetKind::Folder {
        return Err("it is a folder; asset_move moves and renames those".to_owned());
    }
    let (mut name, mut folder) = (stem(&path).to_owned(), asset.folder().to_owned());
    for rule in broken.iter().filter(|rule| rule.policy == "naming") {
        if ending(&path) == "cs" {
            return Err("a script has the name of its class".to_owned());
        }
        name = rule
            .better_name(&name)
            .ok_or_else(|| format!("no name like '{name}' fits {}", rule.key))?;
    }
    for rule in broken.iter().filter(|rule| rule.policy == "folderStructure") {
        let better = rule.better_folder().ok_or("its folders are patterns: give moveTo")?;
        folder = better.to_owned();
    }
    let end = if ending(&path).is_empty() { String::new() } else { format!(".{}", ending(&path)) };
    unity.asset_place(&format!("{folder}/{name}{end}")).map_err(|error| error.message)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use scenewright_fixture::{Folder, sample};
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    const PROJECT: &str = "//- Assets/stone wall.png\n1\n//- Assets/stone wall.png.meta\nguid: aa000000000000000000000000000001\n//- Assets/Art/T_Rock.png\n//- Assets/Art/rock.png\n//- Assets/code.cs\nclass code {}\n";

    fn check(policies: Value, expected: Expect) -> Folder {
        let folder = Folder::unity(PROJECT);
        let arguments = json!({ "policies": policies });
        let output = call_writing(&folder, super::TOOL.id, arguments).unwrap().output;
        let mut shown = format!("{} of {}\n", output["fixed"], output["checked"]);
        for detail in output["details"].as_array().unwrap() {
            let text = |key: &str| detail[key].as_str().unwrap_or("-").to_owned();
            shown += &format!(
                "{} {} {} {}\n",
                text("action"),
                text("assetPath"),
                text("newPath"),
                text("reason")
            );
        }
        expected.assert_eq(&shown);
        folder
    }

    #[test]
    fn names_and_folders_are_put_right_in_one_change() {
        let policies = json!({
            "naming": { "Texture": "^T_[A-Z]", "*.cs": "^[A-Z]" },
            "folderStructure": { "Texture": { "value": ["Assets/Art", "Assets/Lib/**"], "moveTo": "Assets/Art/New" } },
        });
        let folder = check(
            policies,
            expect![[r#"
                1 of 4
                rename Assets/Art/rock.png - Assets/Art/T_Rock.png exists already
                rename Assets/code.cs - a script has the name of its class
                move and rename Assets/stone wall.png Assets/Art/New/T_Stone wall.png -
            "#]],
        );
        assert_eq!(folder.read("Assets/Art/New/T_Stone wall.png"), "1\n");
        let meta = folder.read("Assets/Art/New/T_Stone wall.png.meta");
        assert_eq!(meta, "guid: aa000000000000000000000000000001\n");
        assert!(
            folder.path("Assets/Art/New.meta").exists()
                && !folder.path("Assets/stone wall.png").exists()
        );
    }

    #[test]
    fn a_dry_run_and_policies_that_are_none_change_nothing() {
        let folder = Folder::copy_of(&sample("unity"));
        let call = |arguments: Value| call_writing(&folder, super::TOOL.id, arguments);
        let tried = json!({ "policies": { "naming": { "Material": "^M_" } }, "dryRun": true });
        assert_eq!(call(tried).unwrap().output["fixed"], 2);
        let size = json!({ "policies": { "assetSize": { "Texture": 1 } } });
        assert_eq!(call(size).unwrap_err().message, "Invalid policy: assetSize");
        assert!(folder.path("Assets/Materials/Stone.mat").exists());
    }
}
