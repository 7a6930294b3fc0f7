//! The tool `project.policy.check`: Check Policies.

use std::collections::BTreeSet;

use scenewright_contract::{ErrorKind, JsonMap, Limits, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_unity::base::asset_rules::{Rule, invalid};
use scenewright_tools_unity::base::{InUnity, Unity, asset_type};
use scenewright_unity::index::{ChangeKind, Flags};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "project.policy.check",
    keywords: "naming conventions rules of names folders sizes convention violations team studio guidelines file prefix folder structure standard violation texture size limit",
    engine: Some("unity"),
    title: "Check Policies",
    notes: Some(
        "Without an editor the selection is not known, so that scope selected is refused; modified needs the cursor of an earlier project.changes.",
    ),
    category: "project",
    tier: Tier::Tier4,
    limits: Limits { max_items: Some(5000), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Check the materials and prefabs of the Unity sample",
        input: r#"{
            "project": "unity",
            "policies": {
                "naming": { "Material": "^M_" },
                "folderStructure": { "Prefab": ["Assets/Prefabs"] },
                "assetSize": { "*.prefab": 1000000 }
            }
        }"#,
        output: r#"{
            "success": true,
            "checked": 5,
            "violations": 2,
            "details": [
                { "assetPath": "Assets/Materials/Flame.mat", "policy": "naming", "violation": "The name 'Flame' does not match ^M_", "severity": "error" },
                { "assetPath": "Assets/Materials/Stone.mat", "policy": "naming", "violation": "The name 'Stone' does not match ^M_", "severity": "error" }
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

/// Check the assets of a Unity project against policies on names, folders and sizes. A rule is
/// for a type such as `Texture`, or for a glob such as `Assets/UI/**/*.png`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The policies, at least one.
    policies: Policies,
    /// Which assets under Assets to check.
    #[serde(default)]
    scope: Scope,
    /// For scope `modified`: the cursor of an earlier project.changes, since which assets count.
    cursor: Option<u64>,
    /// How many violations to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
}

#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct Policies {
    /// Type or glob to a regular expression that the name without extension must match, such as
    /// `{ "Material": "^M_" }`. As in all policies, the value may also be
    /// `{ "value": "^M_", "severity": "warning" }`.
    #[serde(default)]
    naming: JsonMap,
    /// Type or glob to the folder or folders it may be in or below, such as
    /// `{ "Texture": ["Assets/Art"] }`; `*` and `**` work.
    #[serde(default)]
    folder_structure: JsonMap,
    /// Type or glob to the most bytes a file may have, such as `{ "Texture": 4000000 }`.
    #[serde(default)]
    pub(super) asset_size: JsonMap,
    #[serde(flatten)]
    #[schemars(skip)]
    unknown: JsonMap,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
pub(super) enum Scope {
    #[default]
    All,
    Modified,
    Selected,
}

fn most() -> usize {
    500
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true, also when there are violations; a failure is an error.
    success: bool,
    /// How many assets a rule is about.
    checked: usize,
    /// How many violations there are.
    violations: usize,
    /// The violations, by path.
    details: Vec<Detail>,
    /// Whether there are more than were returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    /// The asset.
    asset_path: String,
    /// `naming`, `folderStructure` or `assetSize`.
    policy: &'static str,
    /// What is wrong.
    violation: String,
    /// `error`, `warning` or `info`, as the rule says; `error` by default.
    severity: &'static str,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let rules = rules(&input.policies)?;
    let unity = cx.unity(input.project.as_deref())?;
    let modified = modified(&unity, input.scope, input.cursor)?;
    let mut used = vec![false; rules.len()];
    let mut output =
        Output { success: true, checked: 0, violations: 0, details: Vec::new(), truncated: false };
    for asset in unity.index.under("Assets") {
        cx.check_cancelled()?;
        let path = asset.path();
        let is_out = modified.as_ref().is_some_and(|paths| !paths.contains(&path));
        if is_out || asset.flags().contains(Flags::ASSET_MISSING) {
            continue;
        }
        let kind = asset_type(asset);
        let mut is_checked = false;
        for (rule, used) in rules.iter().zip(&mut used) {
            if !rule.is_about(&path, &kind) {
                continue;
            }
            (is_checked, *used) = (true, true);
            let Some(violation) = rule.violation(asset) else { continue };
            output.violations += 1;
            if output.details.len() < input.max_results {
                output.details.push(Detail {
                    asset_path: path.clone(),
                    policy: rule.policy,
                    violation,
                    severity: rule.severity,
                });
            }
        }
        output.checked += usize::from(is_checked);
    }
    for (rule, _) in rules.iter().zip(used).filter(|(_, used)| !used) {
        cx.diagnose(format!("No asset of the scope is of '{}' ({})", rule.key, rule.policy));
    }
    output.truncated = output.violations > output.details.len();
    Ok(output)
}

/// The paths that the scope leaves, or nothing for all.
pub(super) fn modified(
    unity: &Unity<'_>,
    scope: Scope,
    cursor: Option<u64>,
) -> Result<Option<BTreeSet<String>>, ToolError> {
    let refuse =
        |message: &str, hint: &str| Err(ToolError::new(ErrorKind::EngineError, message).hint(hint));
    let cursor = match (scope, cursor) {
        (Scope::All, _) => return Ok(None),
        (Scope::Selected, _) => {
            let hint = "use scope all, or globs in the policies for the assets you mean";
            return refuse("The selection is known to a running editor only", hint);
        }
        (Scope::Modified, None) => {
            let hint = "get a cursor from project_changes before the work and pass it as cursor, or use scope all";
            return refuse("Which assets are modified is not known without a cursor", hint);
        }
        (Scope::Modified, Some(cursor)) => cursor,
    };
    let changes = unity.unity.store().changes_since(cursor);
    if !changes.complete {
        let hint = "use scope all now, and a new cursor from project_changes the next time";
        return refuse("The log of changes does not reach back to this cursor", hint);
    }
    let there = changes.changes.into_iter().filter(|change| change.kind != ChangeKind::Removed);
    Ok(Some(there.map(|change| change.path).collect()))
}

pub(super) fn rules(policies: &Policies) -> Result<Vec<Rule>, ToolError> {
    if let Some(name) = policies.unknown.keys().next() {
        return Err(invalid(name, "there are naming, folderStructure and assetSize"));
    }
    let given = [
        ("naming", &policies.naming),
        ("folderStructure", &policies.folder_structure),
        ("assetSize", &policies.asset_size),
    ];
    let mut rules = Vec::new();
    for (policy, entries) in given {
        for (key, value) in entries {
            rules.push(Rule::parse(policy, key, value)?);
        }
    }
    if rules.is_empty() {
        return Err(ToolError::bad_argument("policies", "has no rule"));
    }
    Ok(rules)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use scenewright_contract::{Call, ToolError};
    use scenewright_fixture::Folder;
    use scenewright_toolkit::Settings;
    use serde_json::{Value, json};

    use crate::testing::{self, call_project, call_sample};

    const PROJECT: &str = "
//- Assets/Art/UI/button big.png
0123456789
//- Assets/Art/T_Stone.png
0123
//- Assets/Loose.png
0
//- Assets/Code/thing.cs
class Thing {}
";

    fn check(policies: Value, expected: Expect) {
        let arguments = json!({ "policies": policies, "maxResults": 3 });
        let outcome = call_project(PROJECT, super::TOOL.id, arguments).unwrap();
        let output = &outcome.output;
        let mut shown = format!("{} of {}\n", output["violations"], output["checked"]);
        for detail in output["details"].as_array().unwrap() {
            let text = |key: &str| detail[key].as_str().unwrap();
            let (path, policy) = (text("assetPath"), text("policy"));
            shown += &format!("{} {policy} {path}: {}\n", text("severity"), text("violation"));
        }
        outcome.diagnostics.iter().for_each(|text| shown += &format!("({text})\n"));
        expected.assert_eq(&shown);
    }

    #[test]
    fn rules_are_for_types_and_globs() {
        let naming = json!({
            "Texture2D": "^T_",
            "*.cs": { "value": "^[A-Z]", "severity": "warning" },
            "Folder": "^[A-Z]",
            "Video": "x",
        });
        check(
            json!({ "naming": naming }),
            expect![[r#"
                3 of 7
                error naming Assets/Art/UI/button big.png: The name 'button big' does not match ^T_
                warning naming Assets/Code/thing.cs: The name 'thing' does not match ^[A-Z]
                error naming Assets/Loose.png: The name 'Loose' does not match ^T_
                (No asset of the scope is of 'Video' (naming))
            "#]],
        );
        let folders =
            json!({ "Texture": "Assets/Art/", "Script": ["Assets/Scripts", "Assets/*/Src"] });
        check(
            json!({ "folderStructure": folders }),
            expect![[r#"
                2 of 4
                error folderStructure Assets/Code/thing.cs: It is in Assets/Code, not in Assets/Scripts or Assets/*/Src
                error folderStructure Assets/Loose.png: It is in Assets, not in Assets/Art
            "#]],
        );
        check(
            json!({ "assetSize": { "Assets/Art/**": 10 } }),
            expect![[r#"
                1 of 3
                error assetSize Assets/Art/UI/button big.png: It has 11 bytes, more than 10
            "#]],
        );
    }

    fn error(arguments: Value) -> ToolError {
        call_sample(super::TOOL.id, arguments).unwrap_err()
    }

    #[test]
    fn errors_are_those_that_are_published() {
        let message = |policies: Value| error(json!({ "policies": policies })).message;
        assert_eq!(message(json!({ "colour": {} })), "Invalid policy: colour");
        assert_eq!(message(json!({ "naming": { "Texture": 5 } })), "Invalid policy: naming");
        assert_eq!(message(json!({ "assetSize": { "Texture": -1 } })), "Invalid policy: assetSize");
        assert_eq!(message(json!({ "naming": { "*": "(" } })), "Invalid regex pattern: (");
        assert_eq!(message(json!({})), "Invalid tool arguments: policies has no rule");
    }

    #[test]
    fn scopes_that_need_more_are_refused() {
        let scoped = |scope: &str, cursor: Value| {
            error(
                json!({ "policies": { "naming": { "*": "." } }, "scope": scope, "cursor": cursor }),
            )
        };
        let message = "The selection is known to a running editor only";
        assert_eq!(scoped("selected", Value::Null).message, message);
        let message = "Which assets are modified is not known without a cursor";
        assert_eq!(scoped("modified", Value::Null).message, message);
        let message = "The log of changes does not reach back to this cursor";
        assert_eq!(scoped("modified", json!(99)).message, message);
    }

    #[test]
    fn modified_takes_what_changed_since_the_cursor() {
        let folder = Folder::unity("//- Assets/old.txt\nold");
        let runner = testing::runner(&[folder.root().to_owned()], Settings::default());
        let call = |tool: &str, arguments: Value| {
            let arguments = arguments.as_object().cloned().unwrap();
            runner.admit(Call::new(tool, arguments)).unwrap().run().unwrap().output
        };
        let cursor = call("project.changes", json!({}))["cursor"].clone();
        folder.write("Assets/new.txt", "new");
        let policies = json!({ "naming": { "Text": "^T_" } });
        let arguments = json!({ "policies": policies, "scope": "modified", "cursor": cursor });
        let output = call(super::TOOL.id, arguments);
        assert_eq!((&output["checked"], &output["violations"]), (&json!(1), &json!(1)));
        assert_eq!(output["details"][0]["assetPath"], "Assets/new.txt");
    }
}
