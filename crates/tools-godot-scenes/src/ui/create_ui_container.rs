//! The tool `godotUi.createUiContainer`, which MCP clients call `create_ui_container`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    AnchorsPreset, InGodot, InNewNode, InScene, NodeMade, Wanted, Write, given, layout,
};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

pub(crate) const TOOL: Tool = Tool {
    id: "godotUi.createUiContainer",
    keywords: "layout grid margin panel scroll menu vbox hbox align arrange tabs split pause main screen center rows columns list anchors",
    mcp: Some("create_ui_container"),
    title: "Create UI Container",
    category: "godot.ui",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Put a menu into the middle of the screen",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "res://scenes/main.tscn",
            "nodeName": "Menu",
            "parentNodePath": "HUD/Root",
            "containerType": "vbox",
            "customMinimumSize": { "x": 160, "y": 0 },
            "anchorsPreset": "center"
        }"#,
        output: r#"{
            "success": true,
            "nodePath": "HUD/Root/Menu",
            "nodeType": "VBoxContainer",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<NodeMade>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a container to a scene, which lays out the controls that become its children.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    #[serde(flatten)]
    new: InNewNode,
    /// How it lays out its children.
    container_type: ContainerType,
    /// Columns of a grid.
    #[schemars(range(min = 1))]
    columns: Option<u32>,
    /// `{"x": 100, "y": 50}`, in pixels.
    #[schemars(extend("type" = "object"))]
    custom_minimum_size: Option<Value>,
    /// Where it is in a parent that is no container.
    anchors_preset: Option<AnchorsPreset>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ContainerType {
    Vbox,
    Hbox,
    Grid,
    Center,
    Margin,
    Panel,
    Scroll,
    SplitH,
    SplitV,
    Tab,
    Flow,
}

impl ContainerType {
    fn class(self) -> &'static str {
        match self {
            Self::Vbox => "VBoxContainer",
            Self::Hbox => "HBoxContainer",
            Self::Grid => "GridContainer",
            Self::Center => "CenterContainer",
            Self::Margin => "MarginContainer",
            Self::Panel => "PanelContainer",
            Self::Scroll => "ScrollContainer",
            Self::SplitH => "HSplitContainer",
            Self::SplitV => "VSplitContainer",
            Self::Tab => "TabContainer",
            Self::Flow => "HFlowContainer",
        }
    }
}

fn run(cx: &Cx, input: Input) -> Result<NodeMade, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    if input.columns.is_some() && input.container_type != ContainerType::Grid {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{} has no columns: grid has", input.container_type.class()),
        ));
    }
    let open = godot.open_scene(&input.scene)?;
    let parent = godot.node(&open, &input.new.parent.parent_node_path)?;
    let mut properties = given([
        ("custom_minimum_size", input.custom_minimum_size),
        ("columns", input.columns.map(Value::from)),
    ]);
    properties.extend(layout(&godot, &open, &parent, input.anchors_preset)?);
    let wanted = Wanted {
        class: input.container_type.class(),
        name: &input.new.node_name,
        parent: &parent,
        properties: &properties,
    };
    godot.make_only(&input.scene, &wanted, input.write)
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(parent: &str, more: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments(parent, more)));
    }

    fn arguments(parent: &str, more: Value) -> Value {
        let mut arguments = json!({
            "scenePath": "scenes/main.tscn", "nodeName": "Box", "parentNodePath": parent,
        });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    #[test]
    fn a_container_is_anchored_in_a_control() {
        let more = json!({ "containerType": "hbox", "anchorsPreset": "bottom_right" });
        check(
            "HUD/Root",
            more,
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -103,6 +103,16 @@
                 text = "Collect every coin, then light the lamp."
                 horizontal_alignment = 1
 
                +[node name="Box" type="HBoxContainer" parent="HUD/Root"]
                +layout_mode = 1
                +anchors_preset = 3
                +anchor_left = 1.0
                +anchor_top = 1.0
                +anchor_right = 1.0
                +anchor_bottom = 1.0
                +grow_horizontal = 0
                +grow_vertical = 0
                +
                 [connection signal="collected" from="Coins/Coin1" to="." method="_on_coin_collected"]
                 [connection signal="collected" from="Coins/Coin2" to="." method="_on_coin_collected"]
                 [connection signal="collected" from="Coins/Coin3" to="." method="_on_coin_collected"]
            "#]],
        );
        let more = json!({ "containerType": "margin", "anchorsPreset": "full_rect" });
        check(
            "HUD",
            more,
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -103,6 +103,13 @@
                 text = "Collect every coin, then light the lamp."
                 horizontal_alignment = 1
 
                +[node name="Box" type="MarginContainer" parent="HUD"]
                +anchors_preset = 15
                +anchor_right = 1.0
                +anchor_bottom = 1.0
                +grow_horizontal = 2
                +grow_vertical = 2
                +
                 [connection signal="collected" from="Coins/Coin1" to="." method="_on_coin_collected"]
                 [connection signal="collected" from="Coins/Coin2" to="." method="_on_coin_collected"]
                 [connection signal="collected" from="Coins/Coin3" to="." method="_on_coin_collected"]
            "#]],
        );
    }

    #[test]
    fn a_container_in_a_container_is_placed_by_it() {
        let more = json!({
            "containerType": "grid", "columns": 3, "customMinimumSize": { "x": 90, "y": 30.5 },
        });
        check(
            "HUD/Root/TopBar",
            more,
            expect![[r#"
                --- a/scenes/main.tscn
                +++ b/scenes/main.tscn
                @@ -90,6 +90,11 @@
                 focus_mode = 0
                 text = "Restart"
 
                +[node name="Box" type="GridContainer" parent="HUD/Root/TopBar"]
                +custom_minimum_size = Vector2(90, 30.5)
                +layout_mode = 2
                +columns = 3
                +
                 [node name="Hint" type="Label" parent="HUD/Root"]
                 layout_mode = 1
                 anchors_preset = 12
            "#]],
        );
    }

    #[test]
    fn what_has_no_effect_is_said() {
        let sample = GodotSample::new();
        let refuse = |parent, more| sample.error(super::TOOL.id, arguments(parent, more));
        let anchored = json!({ "containerType": "tab", "anchorsPreset": "center" });
        expect!["HUD/Root/TopBar is HBoxContainer, which places its children itself; leave anchorsPreset out, and set size_flags_horizontal with edit_node"].assert_eq(&refuse("HUD/Root/TopBar", anchored));
        expect!["HFlowContainer has no columns: grid has"]
            .assert_eq(&refuse("HUD", json!({ "containerType": "flow", "columns": 2 })));
        expect![[r#"Invalid tool arguments: containerType must be one of ["vbox","hbox","grid","center","margin","panel","scroll","split_h","split_v","tab","flow"]"#]].assert_eq(&refuse("HUD", json!({ "containerType": "ring" })));
        let size = json!({ "containerType": "vbox", "customMinimumSize": { "x": "wide" } });
        expect![[r#"VBoxContainer.custom_minimum_size takes Vector2, not {"x":"wide"}; write {"x": 1, "y": 2}"#]].assert_eq(&refuse("HUD", size));
    }
}
