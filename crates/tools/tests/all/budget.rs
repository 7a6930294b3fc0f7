//! Every tool on projects that are much too large for one answer: each answer to a model fits its
//! budget, and what was left out comes with the cursor.

use std::collections::HashMap;
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use scenewright_contract::call::Reads;
use scenewright_contract::{Call, JsonMap, Listener, Outcome, Runs, ToolError};
use scenewright_fixture::Folder;
use scenewright_toolkit::{Kept, Runner, Settings, Tool, Workspace};
use scenewright_tools::{ENGINES, GROUPS, new_runner};
use serde_json::Value;

/// Bytes of an answer by default.
const BUDGET: usize = 11_200;
/// Of each kind of thing there are so many more than in the samples.
const MANY: usize = 500;

/// The samples, with far more in them.
fn large() -> Folder {
    let folder = Folder::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"));
    enlarge_unity(&folder);
    enlarge_godot(&folder);
    folder
}

fn enlarge_unity(folder: &Folder) {
    let mut scene = folder.read("unity/Assets/Scenes/Main.unity");
    for n in 0..MANY {
        let (object, place) = (9_000_000 + 2 * n, 9_000_001 + 2 * n);
        let name = format!("Extra object {n} of a long name");
        write!(
            scene,
            "--- !u!1 &{object}\nGameObject:\n  m_ObjectHideFlags: 0\n  serializedVersion: 6\n  \
             m_Component:\n  - component: {{fileID: {place}}}\n  m_Layer: {}\n  m_Name: {name}\n  \
             m_TagString: Untagged\n  m_IsActive: {}\n--- !u!4 &{place}\nTransform:\n  \
             m_GameObject: {{fileID: {object}}}\n  m_LocalPosition: {{x: {n}, y: 0, z: 0}}\n  \
             m_Children: []\n  m_Father: {{fileID: 0}}\n",
            n % 7,
            // No two in a row are alike, which would be told as one.
            n % 2,
        )
        .unwrap();
    }
    folder.write("unity/Assets/Scenes/Main.unity", scene);
    let meta = |guid: u128| format!("fileFormatVersion: 2\nguid: {guid:032x}\n");
    for n in 0..MANY {
        let class =
            format!("public class Many{n} : UnityEngine.MonoBehaviour {{ public int a; }}\n");
        folder.write(&format!("unity/Assets/Many/Many{n}.cs"), class);
        folder.write(&format!("unity/Assets/Many/Many{n}.cs.meta"), meta(0xa000_0000 + n as u128));
        let lost = 0xdead_0000_0000_u128 + n as u128;
        let material = format!(
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!21 &2100000\nMaterial:\n  \
             m_Name: Lost{n}\n  m_Shader: {{fileID: 4800000, guid: {lost:032x}, type: 3}}\n"
        );
        folder.write(&format!("unity/Assets/Many/Lost{n}.mat"), material);
        folder.write(&format!("unity/Assets/Many/Lost{n}.mat.meta"), meta(0xb000_0000 + n as u128));
    }
}

fn enlarge_godot(folder: &Folder) {
    for name in ["actor", "coin", "level", "main", "player"] {
        let path = format!("godot/scenes/{name}.tscn");
        let mut scene = folder.read(&path);
        // Behind the nodes there may be connections.
        let end = scene.find("\n[connection").map_or(scene.len(), |at| at + 1);
        let mut nodes = String::from("\n");
        for n in 0..MANY {
            let class = ["Node2D", "Sprite2D", "Marker2D"][n % 3];
            let groups = format!("groups=[\"extra{n}\"]");
            writeln!(nodes, "[node name=\"Extra{n}\" type=\"{class}\" parent=\".\" {groups}]\n")
                .unwrap();
        }
        scene.insert_str(end, &nodes);
        folder.write(&path, scene);
    }
    let mut settings = folder.read("godot/project.godot");
    settings.push_str("\n[many]\n\n");
    for n in 0..MANY {
        writeln!(settings, "setting_number_{n}=\"the value of {n}\"").unwrap();
        folder.write(
            &format!("godot/many/script_{n}.gd"),
            format!(
                "class_name Many{n}\nextends Node\n\nsignal done_{n}\n\nfunc go_{n}():\n\tpass\n"
            ),
        );
        folder.write(
            &format!("godot/many/lost_{n}.tres"),
            format!(
                "[gd_resource type=\"Resource\" load_steps=2 format=3]\n\n[ext_resource type=\"Script\" \
                 path=\"res://gone/lost_{n}.gd\" id=\"1\"]\n\n[resource]\nscript = ExtResource(\"1\")\n"
            ),
        );
    }
    folder.write("godot/project.godot", settings);
}

fn runner(folder: &Folder) -> Arc<Runner> {
    let folders = [folder.path("unity"), folder.path("godot")];
    let workspace = Workspace::open(ENGINES, &folders, Kept::default()).unwrap();
    new_runner(workspace, Settings { allow_writes: true, ..Settings::default() }, None, &[])
}

fn ask(runner: &Arc<Runner>, tool: &str, arguments: JsonMap) -> Result<Outcome, ToolError> {
    let call = Call { listener: Listener::Stdio, reads: Reads::Both, ..Call::new(tool, arguments) };
    runner.admit(call)?.run()
}

fn tools() -> impl Iterator<Item = &'static Tool> {
    GROUPS.iter().flat_map(|group| group.tools)
}

/// Calls of tools that have pages of their own, or a limit, which the budget cuts once more.
const PAGED: [(&str, &str); 7] = [
    ("godotScript.listScripts", r#"{ "projectPath": "godot", "limit": 500 }"#),
    ("godotAsset.listAssets", r#"{ "projectPath": "godot", "limit": 700 }"#),
    ("godotScene.findNodes", r#"{ "projectPath": "godot", "namePattern": "Extra*" }"#),
    ("godotProject.getProjectSettings", r#"{ "projectPath": "godot" }"#),
    ("project.listFiles", r#"{ "project": "unity", "pattern": "*.cs" }"#),
    ("project.searchText", r#"{ "project": "unity", "pattern": "MonoBehaviour" }"#),
    (
        "scene.objects.find",
        r#"{ "scenePath": "Assets/Scenes/Main.unity", "namePattern": "Extra*" }"#,
    ),
];

/// What a model gets.
fn bytes(outcome: &Outcome) -> usize {
    outcome.text.as_ref().expect("a model reads a text").len()
}

#[test]
fn no_answer_is_over_its_budget_and_each_goes_on() {
    let folder = large();
    let runner = runner(&folder);
    let (mut wrong, mut cut) = (Vec::new(), HashMap::new());
    // What reads comes first: pages are those of an answer that stays as it is.
    let (read, write): (Vec<_>, Vec<_>) =
        tools().filter(|tool| tool.runs == Runs::No).partition(|tool| reads(tool.id));
    for (tool, arguments) in PAGED {
        follow(&runner, tool, serde_json::from_str(arguments).unwrap());
    }
    for tool in read.iter().chain(&write) {
        for example in tool.examples {
            let arguments: JsonMap = serde_json::from_str(example.input).unwrap();
            let Ok(outcome) = ask(&runner, tool.id, arguments.clone()) else { continue };
            let size = bytes(&outcome);
            if size > BUDGET {
                wrong.push(format!("{} {}: {size} bytes", tool.id, example.input));
            }
            let next = outcome.output.get("nextCursor").and_then(Value::as_str);
            if next.is_some_and(|next| next.starts_with('@')) && reads(tool.id) {
                follow(&runner, tool.id, arguments);
                cut.insert(tool.id, true);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for tool in ["asset.unused", "godotScene.getNodeTree", "project.check"] {
        assert!(cut.contains_key(tool), "{tool} had nothing to cut: {:?}", cut.keys());
    }
}

/// Every page of an answer fits, and together they have all of it.
fn follow(runner: &Arc<Runner>, tool: &str, mut arguments: JsonMap) {
    let everything = facts(runner, tool, arguments.clone());
    let (mut pages, mut count) = (String::new(), 0);
    loop {
        let outcome =
            ask(runner, tool, arguments.clone()).unwrap_or_else(|e| panic!("{tool}: {e}"));
        assert!(bytes(&outcome) <= BUDGET, "{tool}: {}", bytes(&outcome));
        pages += outcome.text.as_ref().unwrap();
        count += 1;
        assert!(count < 300, "{tool} has no end");
        match outcome.output.get("nextCursor") {
            Some(cursor) if !cursor.is_null() => {
                arguments.insert("cursor".to_owned(), cursor.clone())
            }
            _ => break,
        };
    }
    let lost: Vec<&String> = everything.iter().filter(|fact| !pages.contains(*fact)).collect();
    assert!(
        lost.is_empty(),
        "{tool}: no page has {} of {}: {lost:?}",
        lost.len(),
        everything.len()
    );
}

/// Some hundred of the texts that the whole answer of a tool has, from its beginning to its end.
fn facts(runner: &Arc<Runner>, tool: &str, mut arguments: JsonMap) -> Vec<String> {
    arguments.insert("maxTokens".to_owned(), 50_000_000.into());
    let whole = ask(runner, tool, arguments).unwrap().output.into_value();
    assert!(
        whole
            .get("nextCursor")
            .is_none_or(|next| next.as_str().is_none_or(|n| !n.starts_with('@'))),
        "{tool}"
    );
    let mut texts = Vec::new();
    collect(&whole, &mut texts);
    let step = texts.len() / 300 + 1;
    texts.into_iter().step_by(step).collect()
}

/// Texts that stand in an answer as they are. The paths of a tree can be read off its names.
fn collect(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let is_plain =
                |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '/' | '.' | ' ');
            if text.chars().all(is_plain) && text.trim() == text && text.len() > 3 {
                into.push(text.clone());
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, into)),
        Value::Object(members) => {
            let is_node = members.contains_key("name") && members.contains_key("path");
            let told = members.iter().filter(|(key, _)| !(is_node && *key == "path"));
            told.for_each(|(_, value)| collect(value, into));
        }
        _ => {}
    }
}

fn reads(id: &str) -> bool {
    tools().any(|tool| tool.id == id && tool.powers() == Default::default())
}

#[test]
fn who_asks_for_more_gets_it_and_other_protocols_are_not_cut() {
    let folder = large();
    let runner = runner(&folder);
    let arguments = || -> JsonMap {
        serde_json::from_str(r#"{ "scenePath": "Assets/Scenes/Main.unity" }"#).unwrap()
    };
    let tool = "scene.hierarchy.dump";
    let full = runner.admit(Call::new(tool, arguments())).unwrap().run().unwrap();
    assert!(full.text.is_none() && full.output.to_string().len() > 5 * BUDGET);
    let usual = ask(&runner, tool, arguments()).unwrap();
    assert!(bytes(&usual) <= BUDGET && bytes(&usual) > BUDGET / 2, "{}", bytes(&usual));
    let mut more = arguments();
    more.insert("maxTokens".to_owned(), 1_000_000.into());
    assert_eq!(ask(&runner, tool, more).unwrap().output, full.output);
    let mut less = arguments();
    less.insert("maxTokens".to_owned(), 600.into());
    assert!(bytes(&ask(&runner, tool, less).unwrap()) <= 2400);
    // What a tool calls for another keeps the budget of the other, and has its cursor.
    let through = ask(
        &runner,
        "tools.read",
        serde_json::from_str(
            r#"{ "tool": "scene_hierarchy_dump", "arguments": { "scenePath": "Assets/Scenes/Main.unity" } }"#,
        )
        .unwrap(),
    );
    let through = through.unwrap();
    assert!(bytes(&through) <= BUDGET);
    assert!(through.output["output"]["nextCursor"].is_string());
}

/// The file `a.txt` of the Godot sample with a hundred lines changed, shown as `diff` asks for.
fn changed(listener: Listener, diff: Option<&str>) -> Result<Value, ToolError> {
    let folder = Folder::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples"));
    let lines = |word: &str| (0..100).fold(String::new(), |text, n| format!("{text}{word} {n}\n"));
    folder.write("godot/a.txt", lines("old"));
    let mut arguments = serde_json::json!({
        "project": "godot", "path": "a.txt", "startLine": 1, "endLine": 100, "newText": lines("new"),
    });
    if let Some(diff) = diff {
        arguments["diff"] = diff.into();
    }
    let Value::Object(arguments) = arguments else { unreachable!() };
    let reads = if listener == Listener::Stdio { Reads::Both } else { Reads::Data };
    let call = Call { listener, reads, ..Call::new("project.editText", arguments) };
    let outcome = runner(&folder).admit(call)?.run()?;
    assert_eq!(folder.read("godot/a.txt"), lines("new"), "however it is told");
    Ok(outcome.output.into_value()["changes"][0].clone())
}

#[test]
fn a_model_is_not_told_again_what_it_wrote() {
    let lines = |change: &Value| change["diff"].as_str().unwrap_or_default().lines().count();
    let short = changed(Listener::Stdio, None).unwrap();
    assert_eq!((lines(&short), &short["added"]), (33, &100.into()));
    assert_eq!((&short["diffCut"], &short["sha256"]), (&true.into(), &Value::Null));
    let full = changed(Listener::Stdio, Some("full")).unwrap();
    assert_eq!((lines(&full), &full["diffCut"]), (203, &Value::Null));
    assert!(full["sha256"].is_string());
    let none = changed(Listener::Stdio, Some("none")).unwrap();
    assert_eq!((lines(&none), &none["removed"]), (0, &100.into()));
    assert_eq!(changed(Listener::CommandLine, None).unwrap(), full, "people see all of it");
    let refused = changed(Listener::Stdio, Some("all")).unwrap_err();
    assert!(refused.to_string().contains("diff cannot be"), "{refused}");
}
