//! Links that leave a project: whatever is asked, what they lead to is in no answer.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::sync::Arc;

use scenewright_contract::{Safety, ToolError};
use scenewright_fixture::{Folder, sample};
use scenewright_toolkit::resources::{list, read};
use scenewright_toolkit::testing::call;
use scenewright_toolkit::{Needs, Runner, Settings, Tool};
use scenewright_tools::{GROUPS, new_runner, open};
use serde_json::{Value, json};

/// Stands in every file outside, and must not be seen.
const SECRET: &str = "Xyzzy";

/// Links of every kind that calls ask for.
const ASKED: &[&str] = &[
    "notes.gd",
    "res://stage.tscn",
    "chain_theme.tres",
    "outer",
    "outer/stage.tscn",
    "words.txt",
    "Assets/chain_Notes.cs",
    "Assets/Stage.unity",
    "Assets/outer/Stage.prefab",
    "Assets/Code.asmdef",
    "Assets/Master.mixer",
    "Packages/outer/package.json",
];

/// What is outside of the projects.
const OUTSIDE: &str = r#"
//- notes.gd
class_name Xyzzy
extends Node
func xyzzy_tell(): pass
//- stage.tscn
[gd_scene format=3 uid="uid://xyzzy"]
[node name="Xyzzy" type="Node2D"]
//- theme.tres
[gd_resource type="Theme" format=3]
[resource]
resource_name = "Xyzzy"
//- water.gdshader
shader_type spatial; // Xyzzy
//- extra.cfg
[Xyzzy]
a="Xyzzy"
//- words.txt
Xyzzy
//- Notes.cs
public class Xyzzy : UnityEngine.MonoBehaviour { public int xyzzyField; }
//- Notes.cs.meta
fileFormatVersion: 2
guid: 0123456789abcdef0123456789abc001
//- Stage.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &1
GameObject:
  m_Component:
  - component: {fileID: 2}
  m_Name: Xyzzy
--- !u!4 &2
Transform:
  m_GameObject: {fileID: 1}
  m_Children: []
  m_Father: {fileID: 0}
//- Stage.prefab
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &1
GameObject:
  m_Component:
  - component: {fileID: 2}
  m_Name: Xyzzy
--- !u!4 &2
Transform:
  m_GameObject: {fileID: 1}
  m_Children: []
  m_Father: {fileID: 0}
//- Code.asmdef
{ "name": "Xyzzy" }
//- Master.mixer
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!241 &24100000
AudioMixerController:
  m_Name: Xyzzy
//- package.json
{ "name": "com.Xyzzy", "displayName": "Xyzzy", "version": "1.0.0" }
"#;

/// Both samples, each with a link to every file outside, to the folder of them, and chains of links.
struct Linked {
    _outside: Folder,
    _samples: Folder,
    runner: Arc<Runner>,
    /// The paths of the links, from the root of either project.
    paths: Vec<String>,
}

impl Linked {
    fn new() -> Self {
        let outside = Folder::files(OUTSIDE);
        let samples = Folder::empty();
        for name in ["unity", "godot"] {
            scenewright_fixture::copy(&sample(name), &samples.path(name));
        }
        let mut paths = Vec::new();
        for (root, folder) in [("godot", ""), ("unity", "Assets/"), ("unity", "Packages/")] {
            let mut link = |to: &Path, name: String| {
                symlink(to, samples.path(&format!("{root}/{name}"))).unwrap();
                paths.push(name);
            };
            for entry in fs::read_dir(outside.root()).unwrap() {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                link(&entry.path(), format!("{folder}{name}"));
                link(Path::new(&name), format!("{folder}chain_{name}"));
            }
            link(outside.root(), format!("{folder}outer"));
            for name in ["notes.gd", "stage.tscn", "Notes.cs", "Stage.unity", "Stage.prefab"] {
                paths.push(format!("{folder}outer/{name}"));
            }
        }
        let folders = [samples.path("unity"), samples.path("godot")];
        let runner = new_runner(open(&folders).unwrap(), Settings::default(), None, &[]);
        Self { _outside: outside, _samples: samples, runner, paths }
    }

    /// What a call answers, whether it works or not.
    fn told(&self, tool: &Tool, arguments: Value) -> String {
        match call(&self.runner, tool.id, arguments) {
            Ok(outcome) => format!("{}{:?}", outcome.output.into_value(), outcome.diagnostics),
            Err(error) => shown(&error),
        }
    }
}

fn shown(error: &ToolError) -> String {
    format!("{}; {:?}; {:?}", error.message, error.hint, error.details)
}

fn tools() -> impl Iterator<Item = &'static Tool> {
    let all = GROUPS.iter().flat_map(|group| group.tools);
    all.filter(|tool| tool.safety == Safety::ReadOnly && tool.needs == Needs::Nothing)
}

/// The examples of a tool, and the first one with the paths of links for each of its texts.
fn asked(tool: &Tool, paths: &[&str]) -> Vec<Value> {
    let examples = tool.examples.iter().map(|example| serde_json::from_str(example.input).unwrap());
    let mut asked: Vec<Value> = examples.collect();
    let schema = (tool.input)();
    let properties = schema["properties"].as_object().unwrap();
    let has = |property: &Value, name: &str| match &property["type"] {
        Value::Array(types) => types.iter().any(|one| one == name),
        one => one == name,
    };
    for (name, property) in properties {
        for path in paths {
            let value = match property {
                _ if property["enum"].is_array() => continue,
                _ if has(property, "string") => json!(path),
                _ if has(property, "array") => json!([path]),
                _ => continue,
            };
            let mut changed = asked.first().cloned().unwrap_or_else(|| json!({}));
            changed[name] = value;
            asked.push(changed);
        }
    }
    asked
}

#[test]
fn no_tool_reads_through_a_link_out_of_the_project() {
    let linked = Linked::new();
    let (mut calls, mut wrong) = (0, Vec::new());
    for tool in tools() {
        for arguments in asked(tool, ASKED) {
            let told = linked.told(tool, arguments.clone());
            calls += 1;
            if told.contains(SECRET) || told.contains("xyzzy") {
                wrong.push(format!("{} {arguments}: {told:.300}", tool.id));
            }
        }
    }
    assert!(calls > 1000, "{calls}");
    assert!(wrong.is_empty(), "{} answers:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn no_resource_reads_through_a_link_out_of_the_project() {
    let linked = Linked::new();
    let listed = list(&linked.runner).into_iter().map(|info| info.uri);
    let mut uris: Vec<String> = listed.collect();
    for template in linked.runner.templates() {
        let uri = template.uri;
        let (Some(start), Some(end)) = (uri.find('{'), uri.find('}')) else { continue };
        for path in &linked.paths {
            uris.push(format!("{}{path}{}", &uri[..start], &uri[end + 1..]));
        }
    }
    assert!(uris.len() > 300, "{}", uris.len());
    for uri in uris {
        let told = match read(&linked.runner, &uri) {
            Ok(found) => found.text,
            Err(error) => shown(&error).replace(&uri, ""),
        };
        assert!(!told.contains(SECRET) && !told.contains("xyzzy"), "{uri}: {told}");
    }
    // What stands in such a file is no name of anything.
    for uri in ["godot://class/Xyzzy", "godot://uid/uid://xyzzy", "godot://scene/uid://xyzzy"] {
        assert!(read(&linked.runner, uri).is_err(), "{uri}");
    }
}

#[test]
fn links_that_leave_are_named_by_the_check_and_in_errors() {
    let linked = Linked::new();
    let named = |project: &str, file: &str| {
        let arguments = json!({ "project": project, "maxResults": 1000, "all": true });
        let checked = call(&linked.runner, "project.check", arguments).unwrap().output.into_value();
        let findings = checked["findings"].as_array().unwrap().clone();
        let of_file = findings.iter().filter(|found| found["file"] == file);
        of_file.map(|found| found["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let leaves = "a link that leaves the project, which is not followed";
    for (project, file) in [
        ("godot", "notes.gd"),
        ("godot", "outer"),
        ("godot", "chain_stage.tscn"),
        ("unity", "Assets/Notes.cs"),
        ("unity", "Assets/Notes.cs.meta"),
        ("unity", "Assets/outer"),
    ] {
        let messages = named(project, file);
        assert!(messages.iter().any(|message| message == leaves), "{file}: {messages:?}");
    }
    for uri in ["godot://script/notes.gd", "godot://scene/outer/stage.tscn"] {
        let error = shown(&read(&linked.runner, uri).unwrap_err());
        assert!(error.contains(leaves), "{uri}: {error}");
    }
}
