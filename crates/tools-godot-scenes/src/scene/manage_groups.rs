//! The tool `godotScene.manageGroups`, which MCP clients call `manage_groups`.

use scenewright_contract::echo::brief;
use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_godot::TreeNode;
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema, tool};
use scenewright_tools_godot::base::{InGodot, InScene, OpenScene, Write, find_node, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.manageGroups",
    keywords: "tag label add node to group membership put in a remove enemies member belongs",
    mcp: Some("manage_groups"),
    title: "Manage Groups",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    reads_if: Some(tool::lists),
    examples: &[Example {
        description: "Put the first coin into two more groups",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/main.tscn",
            "nodePath": "Coins/Coin1",
            "action": "add",
            "groups": ["low", "first"]
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "Coins/Coin1",
            "nodeName": "Coin1",
            "changed": ["low", "first"],
            "groups": ["coins", "low", "first"],
            "groupCount": 3,
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

/// List the groups of a node, or put it into groups or take it out of them. Groups that come from
/// an instance or a base scene can only be taken off there.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root.
    node_path: String,
    /// What to do.
    action: Action,
    /// The groups to add or remove.
    #[serde(default)]
    groups: Vec<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Action {
    Add,
    Remove,
    List,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the node from the scene's root.
    node_path: String,
    /// Its name.
    node_name: String,
    /// The groups that were added or removed; those that were so already are left out.
    changed: Vec<String>,
    /// All groups it is in now.
    groups: Vec<String>,
    /// How many.
    group_count: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let node = find_node(cx, &tree, &open.path, &input.node_path)?;
    if input.action != Action::List && input.groups.is_empty() {
        return Err(ToolError::bad_argument("groups", "must name what to add or remove"));
    }
    let mut changed = Vec::new();
    for group in input.groups.iter().filter(|_| input.action != Action::List) {
        let is_in = node.groups.contains(group);
        let done = match input.action {
            Action::Add if !is_in => {
                godot.own_section(&mut open, &tree, node)?;
                open.scene.add_to_group(&node.path, group).map_err(refused)?
            }
            Action::Remove if is_in => remove(&mut open, node, group)?,
            Action::Remove => {
                let known = node.groups.iter().map(String::as_str);
                let hint = suggest::did_you_mean(group, known, "it is in none");
                cx.diagnose(format!(
                    "{} is not in the group '{}': {hint}",
                    node.path,
                    brief(group)
                ));
                false
            }
            _ => false,
        };
        if done {
            changed.push(group.clone());
        }
    }
    let groups = godot.tree_of(&open).node(&node.path).map(|node| node.groups.clone());
    let groups = groups.unwrap_or_default();
    let written = open.save(&godot, input.write)?;
    Ok(Output {
        success: true,
        node_path: node.path.clone(),
        node_name: node.name.clone(),
        changed,
        group_count: groups.len(),
        groups,
        written,
    })
}

fn remove(open: &mut OpenScene, node: &TreeNode, group: &str) -> Result<bool, ToolError> {
    let own = open.scene.nodes().find(|own| own.path() == node.path);
    let is_own = own.is_some_and(|own| own.groups().iter().any(|known| known == group));
    if is_own {
        return open.scene.remove_from_group(&node.path, group).map_err(refused);
    }
    let file = node.instance.as_deref().unwrap_or(node.origin.path());
    Err(ToolError::new(
        ErrorKind::BadArguments,
        format!("`{}` is in the group '{group}' through {file}", node.path),
    )
    .hint(format!("a scene cannot take it off; call this with scenePath {file}")))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(node: &str, action: &str, groups: &[&str]) -> Value {
        json!({ "scenePath": "scenes/main.tscn", "nodePath": node, "action": action, "groups": groups })
    }

    fn check(given: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, given));
    }

    #[test]
    fn groups_come_and_go() {
        check(
            arguments("Coins/Coin3", "add", &["high", "rare one"]),
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -35,7 +35,7 @@
             [node name="Coin2" parent="Coins" instance=ExtResource("3_c8r3i")]
             position = Vector2(216, 224)

            -[node name="Coin3" parent="Coins" groups=["high"] instance=ExtResource("3_c8r3i")]
            +[node name="Coin3" parent="Coins" groups=["high", "rare one"] instance=ExtResource("3_c8r3i")]
             position = Vector2(352, 208)

             [node name="Coin4" parent="Coins" instance=ExtResource("3_c8r3i")]
        "#]],
        );
        check(
            arguments("Coins/GoldCoin", "remove", &["bonus", "high", "no"]),
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -41,7 +41,7 @@
             [node name="Coin4" parent="Coins" instance=ExtResource("3_c8r3i")]
             position = Vector2(472, 272)

            -[node name="GoldCoin" parent="Coins" groups=["bonus", "high"] instance=ExtResource("3_c8r3i")]
            +[node name="GoldCoin" parent="Coins" instance=ExtResource("3_c8r3i")]
             position = Vector2(544, 176)
             scale = Vector2(1.25, 1.25)
             settings = SubResource("Resource_g5a1z")
        "#]],
        );
        check(
            arguments("Level/Start", "add", &["marks"]),
            expect![[r#"
            --- a/scenes/main.tscn
            +++ b/scenes/main.tscn
            @@ -27,6 +27,8 @@
             [node name="Lamp" parent="Level/Lighthouse" index="2"]
             color = Color(1, 0.93, 0.7, 1)

            +[node name="Start" parent="Level" index="2" groups=["marks"]]
            +
             [node name="Coins" type="Node2D" parent="."]

             [node name="Coin1" parent="Coins" instance=ExtResource("3_c8r3i")]
        "#]],
        );
    }

    #[test]
    fn groups_are_listed_with_those_of_the_instance() {
        let output = GodotSample::new()
            .call(super::TOOL.id, arguments("Coins/GoldCoin", "list", &[]))
            .unwrap();
        assert_eq!(output["groups"], json!(["coins", "bonus", "high"]));
        assert_eq!((&output["groupCount"], &output["filesChanged"]), (&json!(3), &json!(0)));
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let sample = GodotSample::new();
        let refuse = |given: Value| sample.error(super::TOOL.id, given);
        expect!["`Coins/Coin1` is in the group 'coins' through res://scenes/coin.tscn; a scene cannot take it off; call this with scenePath res://scenes/coin.tscn"].assert_eq(&refuse(arguments("Coins/Coin1", "remove", &["coins"])));
        expect!["`` cannot be a name: groups have a name on one line"]
            .assert_eq(&refuse(arguments("Coins/Coin1", "add", &[""])));
        expect!["Invalid tool arguments: groups must name what to add or remove"]
            .assert_eq(&refuse(arguments("Coins/Coin1", "add", &[])));
        expect![[r#"Invalid tool arguments: action must be "add", "remove" or "list""#]]
            .assert_eq(&refuse(arguments("Coins/Coin1", "drop", &["a"])));
    }
}
