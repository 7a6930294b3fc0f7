//! The tool `godotResource.findUsages`, which MCP clients call `find_usages`.

mod search;

use std::collections::HashMap;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Page};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotResource.findUsages",
    keywords: "where used who uses autoload class references what depends on this refers to it referenced by incoming dependents safe delete which scenes use is checked refer safely needed",
    mcp: Some("find_usages"),
    title: "Find Usages",
    notes: Some(
        "Scripts are read by lines: names that code puts together at run time are not found.",
    ),
    category: "godot.resource",
    examples: &[
        Example {
            description: "Who uses the coin scene",
            input: r#"{ "projectPath": "godot", "target": "res://scenes/coin.tscn" }"#,
            output: r#"{
                "success": true,
                "target": "res://scenes/coin.tscn",
                "kind": "file",
                "definedAt": { "path": "res://scenes/coin.tscn", "line": 1 },
                "count": 1,
                "usages": [{
                    "path": "res://scenes/main.tscn",
                    "line": 5,
                    "kind": "ext_resource",
                    "text": "[ext_resource type=\"PackedScene\" uid=\"uid://da5dy46gvq05t\" path=\"res://scenes/coin.tscn\" id=\"3_c8r3i\"]"
                }]
            }"#,
            varies: &[],
        },
        Example {
            description: "Where an input action is used",
            input: r#"{ "projectPath": "godot", "target": "jump", "kind": "action" }"#,
            output: r#"{
                "success": true,
                "target": "jump",
                "kind": "action",
                "definedAt": { "path": "res://project.godot", "line": 52 },
                "count": 1,
                "usages": [{
                    "path": "res://scripts/player.gd",
                    "line": 31,
                    "kind": "action",
                    "text": "if Input.is_action_just_pressed(&\"jump\") and _can_jump():"
                }]
            }"#,
            varies: &["definedAt", "usages"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find every place that uses a file, uid, class, group, input action or autoload, with file and
/// line. A script's file is also used by its `class_name`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// A path, a `uid://`, or the name of a class, group, input action or autoload.
    target: String,
    /// What `target` is; told from the project by default.
    #[serde(default)]
    kind: Kind,
    #[serde(flatten)]
    page: Page,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    #[default]
    Auto,
    File,
    Class,
    Group,
    Action,
    Autoload,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What was looked for.
    target: String,
    /// What that is.
    kind: Kind,
    /// Where the project declares it; absent for the engine's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    defined_at: Option<Location>,
    /// How many places use it.
    count: usize,
    /// The places, sorted by path and line.
    usages: Vec<Usage>,
    /// Pass this as `cursor` for the next ones; absent at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_cursor: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct Location {
    /// The file.
    path: String,
    /// The line, from 1.
    line: usize,
}

#[derive(Serialize, JsonSchema)]
struct Usage {
    /// The file.
    path: String,
    /// The line, from 1.
    line: usize,
    /// How it is used: `ext_resource`, `load`, `autoload`, `node_type`, `code` and others.
    kind: &'static str,
    /// The line's text.
    text: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let kind = match input.kind {
        Kind::Auto => kind_of(&godot, &input.target)?,
        named => named,
    };
    let mut target = input.target;
    let found = match kind {
        Kind::File | Kind::Auto => {
            let path = godot.path(&target)?;
            target = format!("res://{path}");
            search::file(&godot, path.as_str())?
        }
        Kind::Class => search::class(&godot, &target)?,
        Kind::Group => search::group(&godot, &target)?,
        Kind::Action => search::action(&godot, &target)?,
        Kind::Autoload => search::autoload(&godot, &target)?,
    };
    let search::Search { defined_at, mut found } = found;
    found.sort();
    found.dedup();
    let count = found.len();
    let (page, next_cursor) = input.page.of(found);
    let mut texts = HashMap::new();
    let usages = page.into_iter().map(|place| usage(&godot, place, &mut texts)).collect();
    let defined_at =
        defined_at.map(|(path, line)| Location { path: format!("res://{path}"), line });
    Ok(Output { success: true, target, kind, defined_at, count, usages, next_cursor })
}

fn usage(godot: &Godot<'_>, place: search::Place, texts: &mut HashMap<String, Vec<u8>>) -> Usage {
    let search::Place { path, line, kind } = place;
    let bytes = texts.entry(path.clone()).or_insert_with(|| {
        godot.path(&path).and_then(|path| godot.read(&path)).unwrap_or_default()
    });
    let text = bytes.split(|byte| *byte == b'\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let text = String::from_utf8_lossy(text).trim().chars().take(200).collect();
    Usage { path: format!("res://{path}"), line, kind, text }
}

/// What a name is in this project.
fn kind_of(godot: &Godot<'_>, name: &str) -> Result<Kind, ToolError> {
    let is_path = name.contains("://") || godot.index.by_path(name).is_some();
    if is_path {
        return Ok(Kind::File);
    }
    let facts = godot.facts();
    let autoloads = facts.iter().flat_map(|facts| facts.autoloads.iter());
    let autoloads: Vec<&str> = autoloads.map(|autoload| autoload.name.as_str()).collect();
    let actions = godot.index.files().flat_map(|file| &file.actions);
    let groups = godot.index.files().flat_map(|file| &file.groups);
    let (actions, groups): (Vec<&str>, Vec<&str>) =
        (actions.map(String::as_str).collect(), groups.map(String::as_str).collect());
    if autoloads.contains(&name) {
        return Ok(Kind::Autoload);
    }
    if godot.index.class(name).is_some() || godot.classes().class(name).is_some() {
        return Ok(Kind::Class);
    }
    if actions.contains(&name) {
        return Ok(Kind::Action);
    }
    if groups.contains(&name) {
        return Ok(Kind::Group);
    }
    // A file that is gone is still named by others.
    let full = format!("res://{name}");
    let mut uses = godot.index.files().flat_map(|file| &file.uses);
    if uses.any(|used| used.path.as_deref() == Some(&full)) {
        return Ok(Kind::File);
    }
    let classes = godot.index.classes().map(|(class, _)| class);
    let files = godot.index.files().map(|file| file.path.as_str());
    let known = autoloads.into_iter().chain(actions).chain(groups).chain(classes).chain(files);
    let otherwise = "name what it is with kind: file, class, group, action or autoload";
    Err(ToolError::new(
        ErrorKind::BadArguments,
        format!("nothing in the project is called '{name}'"),
    )
    .hint(suggest::did_you_mean(name, known, otherwise)))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(target: &str, expected: Expect) {
        let sample = GodotSample::new();
        sample.write("ui.cs", "// Coin\nvar coin = new Coin(\"Coin\");\n");
        let output = sample.call(super::TOOL.id, json!({ "target": target })).unwrap();
        let mut shown = format!("{} {}\n", output["kind"], output["definedAt"]);
        for usage in output["usages"].as_array().unwrap() {
            let text = |key: &str| usage[key].as_str().unwrap().to_owned();
            let line: String = text("text").chars().take(60).collect();
            shown += &format!("{}:{} {} {line}\n", text("path"), usage["line"], text("kind"));
        }
        expected.assert_eq(&shown);
    }

    #[test]
    fn files() {
        check(
            "scripts/coin_settings.gd",
            expect![[r#"
            "file" {"path":"res://scripts/coin_settings.gd","line":1}
            res://resources/coin_settings.tres:1 resource_type [gd_resource type="Resource" script_class="CoinSettings" loa
            res://resources/coin_settings.tres:3 ext_resource [ext_resource type="Script" uid="uid://ne2ahhq53jtv" path="r
            res://scenes/main.tscn:6 ext_resource [ext_resource type="Script" uid="uid://ne2ahhq53jtv" path="r
            res://scripts/coin.gd:7 code @export var settings: CoinSettings
        "#]],
        );
        check(
            "uid://dsckkculads6k",
            expect![[r#"
            "file" {"path":"res://scenes/main.tscn","line":1}
            res://project.godot:16 main_scene run/main_scene="uid://dsckkculads6k"
        "#]],
        );
        check(
            "icon.svg",
            expect![[r#"
            "file" {"path":"res://icon.svg","line":1}
            res://project.godot:18 text config/icon="res://icon.svg"
        "#]],
        );
    }

    #[test]
    fn classes() {
        check(
            "Coin",
            expect![[r#"
            "class" {"path":"res://scripts/coin.gd","line":1}
            res://ui.cs:2 code var coin = new Coin("Coin");
        "#]],
        );
        check(
            "Marker2D",
            expect![[r#"
            "class" null
            res://scenes/level.tscn:39 node_type [node name="Start" type="Marker2D" parent="."]
            res://scenes/level.tscn:42 node_type [node name="Goal" type="Marker2D" parent="."]
            res://scripts/main.gd:5 code @export var goal: Marker2D
            res://scripts/main.gd:10 code @onready var _start: Marker2D = $Level/Start
        "#]],
        );
    }

    #[test]
    fn names() {
        check(
            "GameState",
            expect![[r#"
            "autoload" {"path":"res://project.godot","line":22}
            res://scripts/main.gd:15 code GameState.score_changed.connect(_on_score_changed)
            res://scripts/main.gd:16 code GameState.all_coins_collected.connect(_on_all_coins_collecte
            res://scripts/main.gd:17 code GameState.begin_run(get_tree().get_nodes_in_group(&"coins").
            res://scripts/main.gd:31 code GameState.add_coin(value)
            res://scripts/main.gd:35 code if GameState.coins_left > 0 or at.distance_to(goal.global_po
            res://scripts/main.gd:39 code _hint.text = "The lamp is lit. Best score: %d" % GameState.b
        "#]],
        );
        check(
            "jump",
            expect![[r#"
            "action" {"path":"res://project.godot","line":50}
            res://scripts/player.gd:30 action if Input.is_action_just_pressed(&"jump") and _can_jump():
        "#]],
        );
        check(
            "coins",
            expect![[r#"
            "group" null
            res://scenes/coin.tscn:9 group [node name="Coin" type="Area2D" groups=["coins"]]
            res://scripts/main.gd:17 group GameState.begin_run(get_tree().get_nodes_in_group(&"coins").
        "#]],
        );
        check(
            "high",
            expect![[r#"
            "group" null
            res://scenes/main.tscn:38 group [node name="Coin3" parent="Coins" groups=["high"] instance=E
            res://scenes/main.tscn:44 group [node name="GoldCoin" parent="Coins" groups=["bonus", "high"
        "#]],
        );
    }

    #[test]
    fn pages_and_mistakes() {
        let sample = GodotSample::new();
        let page = json!({ "target": "GameState", "limit": 2, "cursor": 1 });
        let output = sample.call(super::TOOL.id, page).unwrap();
        assert_eq!(output["usages"].as_array().unwrap().len(), 2);
        assert_eq!(output["nextCursor"], 3);
        let refuse = |arguments: Value| sample.error(super::TOOL.id, arguments);
        expect!["nothing in the project is called 'GameStat'; did you mean GameState?"]
            .assert_eq(&refuse(json!({ "target": "GameStat" })));
        expect!["file not found: scenes/mian.tscn; nothing names it either; project_listFiles shows what is there"]
            .assert_eq(&refuse(json!({ "target": "res://scenes/mian.tscn" })));
        expect!["uid not found: uid://abc; get_uid tells the uid of a file"]
            .assert_eq(&refuse(json!({ "target": "uid://abc" })));
    }

    #[test]
    fn who_names_a_file_that_is_gone_is_told() {
        let sample = GodotSample::new();
        let before = sample.call(super::TOOL.id, json!({ "target": "scenes/coin.tscn" })).unwrap();
        std::fs::remove_file(sample.path("scenes/coin.tscn")).unwrap();
        for target in ["scenes/coin.tscn", "res://scenes/coin.tscn"] {
            let after = sample.call(super::TOOL.id, json!({ "target": target })).unwrap();
            assert_eq!(after["kind"], "file");
            assert_eq!(after["usages"], before["usages"]);
            assert!(after["count"].as_u64().unwrap() > 0);
        }
        let error = sample.error(super::TOOL.id, json!({ "target": "res://never.tscn" }));
        expect!["file not found: never.tscn; nothing names it either; project_listFiles shows what is there"].assert_eq(&error);
    }
}
