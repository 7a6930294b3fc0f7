//! The tool `godotScene.getNodeProperties`, which MCP clients call `get_node_properties`.

use scenewright_contract::{JsonMap, ToolError};
use scenewright_godot::classes::Builtin;
use scenewright_godot::{Document, TreeNode, TreeProperty, Variant};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InScene, Kind, find_node, to_json};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Longer values are cut: tile maps and meshes.
const MAX_VALUE: usize = 2000;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.getNodeProperties",
    keywords: "values inspector settings of one node inherited defaults position size current value what scale does a have property set text color mass big read details",
    mcp: Some("get_node_properties"),
    title: "Get Node Properties",
    category: "godot.scene",
    lean: true,
    examples: &[Example {
        description: "Show what is set on the lamp, and where",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/main.tscn",
            "nodePath": "Level/Lighthouse/Lamp",
            "names": ["color", "position", "visible"],
            "includeDefaults": true
        }"#,
        output: r#"{
            "scenePath": "scenes/main.tscn",
            "nodePath": "Level/Lighthouse/Lamp",
            "type": "Polygon2D",
            "properties": [
                { "name": "position", "value": { "x": 0, "y": -96 }, "setIn": "res://scenes/level.tscn", "line": 33 },
                { "name": "color", "value": { "r": 1, "g": 0.93, "b": 0.7, "a": 1 }, "setIn": "res://scenes/main.tscn", "line": 27 },
                { "name": "visible", "value": true, "default": true }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read the properties of a node of a Godot scene (position, text, colour, any other): effective values and
/// the file that sets each, overrides applied. Defaults of its class and its script's variables come on
/// request.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Path of the node from the scene's root.
    #[serde(default = "root")]
    node_path: String,
    /// Only these properties.
    #[serde(default)]
    names: Vec<String>,
    /// Whether to add properties that nobody set, with their defaults.
    #[serde(default)]
    include_defaults: bool,
}

fn root() -> String {
    ".".to_owned()
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// The scene, from the project's root.
    scene_path: String,
    /// Path of the node from the scene's root.
    node_path: String,
    /// Its class; absent when the files do not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    r#type: Option<String>,
    /// The script on it.
    #[serde(skip_serializing_if = "Option::is_none")]
    script_path: Option<String>,
    /// What is set, in file order, then the defaults.
    properties: Vec<Shown>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Shown {
    /// Its name.
    name: String,
    /// Its value; what JSON cannot say is a text as Godot writes it.
    value: Value,
    /// What is in the resource inside of the file that the value is: its type and properties.
    #[serde(skip_serializing_if = "Option::is_none")]
    resource: Option<JsonMap>,
    /// The file that sets it; absent for a default.
    #[serde(skip_serializing_if = "Option::is_none")]
    set_in: Option<String>,
    /// The line of the node there.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// Whether it is a default that nobody set.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    default: bool,
    /// Whether the value is cut: it was longer than 2000 characters. get_tiles reads tile maps.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    cut: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let node = find_node(cx, &tree, &open.path, &input.node_path)?;
    let is_wanted = |name: &str| input.names.is_empty() || input.names.iter().any(|it| it == name);
    let mut properties: Vec<Shown> =
        node.properties.iter().filter(|set| is_wanted(&set.key)).map(shown).collect();
    if input.include_defaults {
        properties.extend(defaults(&godot, node).into_iter().filter(|it| is_wanted(&it.name)));
    }
    Ok(Output {
        scene_path: open.path.to_string(),
        node_path: node.path.clone(),
        r#type: node.class.clone(),
        script_path: node.script(),
        properties,
    })
}

fn shown(set: &TreeProperty) -> Shown {
    let scene = set.origin.scene();
    let (value, cut) = shown_value(scene, &set.text(), || set.decode());
    let resource = if cut { None } else { inner(scene, &set.decode()) };
    Shown {
        name: set.key.clone(),
        value,
        resource,
        set_in: Some(set.origin.path().to_owned()),
        line: Some(set.origin.line()),
        default: false,
        cut,
    }
}

/// A value, or the start of its text when that is long: then nobody needs the value itself, which
/// takes many times the memory.
fn shown_value(document: &Document, text: &str, value: impl FnOnce() -> Variant) -> (Value, bool) {
    match text.len() > MAX_VALUE {
        true => (text.chars().take(MAX_VALUE).collect::<String>().into(), true),
        false => (to_json(document, &value()), false),
    }
}

fn inner(document: &Document, value: &Variant) -> Option<JsonMap> {
    let Variant::SubResource(id) = value else { return None };
    let found = document.sub_resource(id)?;
    let mut members = JsonMap::from_iter([("type".to_owned(), found.class().into_owned().into())]);
    for field in found.0.properties() {
        let (value, _) = shown_value(document, &field.value().raw(), || field.value().decode());
        members.insert(field.key().into_owned(), value);
    }
    Some(members)
}

/// The properties that nobody set: the class's, from the most general on, then the script's.
fn defaults(godot: &Godot<'_>, node: &TreeNode) -> Vec<Shown> {
    let kind = godot.kind_of(node);
    let mut found = Vec::new();
    let mut add = |name: &str, text: Option<&str>| {
        if node.property(name).is_some() {
            return;
        }
        let parsed = text.and_then(|text| Variant::parse(text).ok());
        let value = match parsed {
            Some(value) => to_json(node.origin.scene(), &value),
            None => text.map_or(Value::Null, Value::from),
        };
        let name = name.to_owned();
        found.push(Shown {
            name,
            value,
            resource: None,
            set_in: None,
            line: None,
            default: true,
            cut: false,
        });
    };
    let classes = godot.classes();
    let mut ancestors: Vec<_> = classes.ancestors(&kind.class).collect();
    ancestors.reverse();
    for property in ancestors.iter().flat_map(|class| class.properties()) {
        if property.stored && property.name != "script" {
            add(property.name, classes.default(&kind.class, property.name));
        }
    }
    for (name, text) in variables(godot, &kind) {
        add(&name, text.as_deref());
    }
    found
}

/// The exported variables of the script with the text of their values at first.
fn variables(godot: &Godot<'_>, kind: &Kind) -> Vec<(String, Option<String>)> {
    let chain = kind.script.as_deref().map(|path| godot.script_chain(path)).unwrap_or_default();
    let exports = chain.iter().flat_map(|(_, script)| &script.exports);
    exports
        .map(|declared| {
            let (said, value) = declared.detail.split_once('=').unwrap_or((&declared.detail, ""));
            let kind = said.trim().trim_matches(':').trim();
            let text = match (value.trim(), Builtin::named(kind)) {
                ("", builtin) => builtin.map(|builtin| builtin.default_text().to_owned()),
                (text, _) => Some(text.to_owned()),
            };
            (declared.name.clone(), text)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn lines(arguments: Value) -> String {
        let output = GodotSample::new().call(super::TOOL.id, arguments).unwrap();
        let lines = output["properties"].as_array().unwrap().iter().map(Value::to_string);
        let head = format!("{} {}\n", output["type"], output["scriptPath"]);
        head + &lines.collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn every_value_tells_where_it_is_set() {
        expect![[r#"
            "CharacterBody2D" "res://scripts/player.gd"
            {"name":"script","value":"res://scripts/player.gd","setIn":"res://scenes/player.tscn","line":10}
            {"name":"collision_layer","value":2,"setIn":"res://scenes/player.tscn","line":10}
            {"name":"floor_snap_length","value":4.0,"setIn":"res://scenes/player.tscn","line":10}
            {"name":"speed","value":140.0,"setIn":"res://scenes/player.tscn","line":10}
            {"name":"jump_speed","value":320.0,"setIn":"res://scenes/player.tscn","line":10}
            {"name":"position","value":{"x":48,"y":288},"setIn":"res://scenes/main.tscn","line":49}"#]].assert_eq(&lines(json!({ "scenePath": "scenes/main.tscn", "nodePath": "Player" })));
        expect![[r#"
            "Area2D" "res://scripts/coin.gd"
            {"name":"collision_layer","value":4,"setIn":"res://scenes/coin.tscn","line":9}
            {"name":"collision_mask","value":2,"setIn":"res://scenes/coin.tscn","line":9}
            {"name":"script","value":"res://scripts/coin.gd","setIn":"res://scenes/coin.tscn","line":9}
            {"name":"settings","value":"SubResource(\"Resource_g5a1z\")","resource":{"type":"Resource","script":"res://scripts/coin_settings.gd","title":"Gold coin","value":25,"metal":2,"tint":{"r":1,"g":0.82,"b":0.25,"a":1},"bob_height":5.0,"tags":["pickup","bonus"]},"setIn":"res://scenes/main.tscn","line":44}
            {"name":"position","value":{"x":544,"y":176},"setIn":"res://scenes/main.tscn","line":44}
            {"name":"scale","value":{"x":1.25,"y":1.25},"setIn":"res://scenes/main.tscn","line":44}"#]].assert_eq(&lines(json!({ "scenePath": "scenes/main.tscn", "nodePath": "Coins/GoldCoin" })));
    }

    #[test]
    fn defaults_come_on_request() {
        expect![[r#"
            "CharacterBody2D" "res://scripts/player.gd"
            {"name":"floor_snap_length","value":4.0,"setIn":"res://scenes/player.tscn","line":10}
            {"name":"speed","value":140.0,"setIn":"res://scenes/player.tscn","line":10}
            {"name":"z_index","value":0,"default":true}
            {"name":"up_direction","value":{"x":0,"y":-1},"default":true}
            {"name":"acceleration","value":8.0,"default":true}
            {"name":"fall_limit","value":400.0,"default":true}"#]].assert_eq(&lines(json!({
            "scenePath": "scenes/main.tscn", "nodePath": "Player", "includeDefaults": true,
            "names": ["speed", "acceleration", "fall_limit", "up_direction", "floor_snap_length", "z_index"],
        })));
    }

    #[test]
    fn long_values_are_cut() {
        let output = GodotSample::new().call(
            super::TOOL.id,
            json!({ "scenePath": "scenes/level.tscn", "nodePath": "Ground", "names": ["tile_map_data"] }),
        );
        let property = &output.unwrap()["properties"][0];
        assert_eq!(property["cut"], true);
        assert_eq!(property["value"].as_str().unwrap().len(), super::MAX_VALUE);
    }

    #[test]
    fn what_is_not_read_of_a_scene_is_told() {
        let sample = GodotSample::new();
        let list = "1,".repeat(1_000_001);
        let text =
            format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = [{list}]\n");
        sample.write("large.tscn", &text);
        let arguments = json!({ "scenePath": "large.tscn", "nodePath": "." });
        let outcome =
            scenewright_toolkit::testing::call(sample.runner(), super::TOOL.id, arguments).unwrap();
        let told = "large.tscn, line 4 is not in this answer: the value of `x`: a value of more than 1000000 parts is not read";
        assert_eq!(outcome.diagnostics, [told]);
    }
}
