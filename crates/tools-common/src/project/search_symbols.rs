//! The tool `project.searchSymbols`: Search Symbols.

mod read;

use std::path::PathBuf;
use std::time::Duration;

use rayon::prelude::*;
use scenewright_contract::{Limits, ToolError};
use scenewright_godot::FileKind;
use scenewright_toolkit::{Cx, Example, Project, Tool, call, paths, schema};
use scenewright_tools_godot::GodotProject;
use scenewright_tools_unity::base::files::{self, OWN};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use read::{Found, Place, Wanted};

pub(crate) const TOOL: Tool = Tool {
    id: "project.searchSymbols",
    keywords: "go to definition where is a function class signal enum variable declared who calls uses references rename connected called callers defined implementation find method usages in code it interface symbol private",
    argument_aliases: &[("query", "name"), ("symbol", "name")],
    title: "Search Symbols",
    notes: Some(
        "Names are matched as words of code, not in texts and comments; two things of one name are not told apart. Packages in Unity's cache are left out. Connections are those of Godot.",
    ),
    category: "project",
    limits: Limits {
        time_guard: Some(Duration::from_secs(20)),
        max_items: Some(500),
        ..Limits::DEFAULT
    },
    examples: &[
        Example {
            description: "Where a signal of the Godot sample is declared, connected and used",
            input: r#"{ "project": "godot", "name": "score_changed" }"#,
            output: r#"{
                "success": true,
                "exact": true,
                "definitions": [],
                "connections": [],
                "uses": [],
                "totals": { "definitions": 1, "connections": 1, "uses": 1 },
                "truncated": false
            }"#,
            varies: &["definitions", "connections", "uses", "totals"],
        },
        Example {
            description: "The enums of the Unity sample",
            input: r#"{ "project": "unity", "kind": "enum" }"#,
            output: r#"{
                "success": true,
                "exact": true,
                "definitions": [],
                "connections": [],
                "uses": [],
                "totals": { "definitions": 1, "connections": 0, "uses": 0 },
                "truncated": false
            }"#,
            varies: &["definitions", "totals"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find classes, methods, signals (C# events), fields and enums of all scripts by name, with file and
/// line: where each is declared, where its name is used, and in Godot where it is connected, in
/// scripts and scenes. Without a name: all declarations of a kind, or below a path.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// The name. Where nothing has it, declarations with it in their names are returned.
    name: Option<String>,
    /// Only declarations of this kind; `connection` for connections alone.
    kind: Option<Kind>,
    /// Only in this file, or below this folder.
    path: Option<String>,
    /// How many of each list to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
}

fn most() -> usize {
    50
}

/// What a name stands for.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// A class, struct or interface.
    Class,
    /// A method or function.
    Method,
    /// A signal, or an event of C#.
    Signal,
    /// A field, property, variable or constant.
    Field,
    /// A connection of a signal with a method.
    Connection,
    /// An enum, or a value of one.
    Enum,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether something has just this name; false for names that only have it in them.
    exact: bool,
    /// Where it is declared, by file and line.
    definitions: Vec<Definition>,
    /// Where it is connected, as signal or as method, in scripts and scenes of Godot.
    connections: Vec<Connection>,
    /// Where else its name stands in code, by file and line.
    uses: Vec<Use>,
    /// How many there are of each.
    totals: Totals,
    /// Whether more were found than are returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
struct Definition {
    /// Its name.
    name: String,
    /// What it is.
    kind: Kind,
    /// `file:line`, from the project's root.
    place: String,
    /// The declaration.
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct Connection {
    /// The signal.
    signal: String,
    /// The method; empty for a function without a name.
    method: String,
    /// `file:line`, from the project's root.
    place: String,
    /// The nodes of a connection in a scene: `from -> to`.
    #[serde(skip_serializing_if = "String::is_empty")]
    nodes: String,
}

#[derive(Serialize, JsonSchema)]
struct Use {
    /// `file:line`, from the project's root.
    place: String,
    /// The line.
    text: String,
}

#[derive(Serialize, JsonSchema)]
struct Totals {
    /// Declarations.
    definitions: usize,
    /// Connections.
    connections: usize,
    /// Uses.
    uses: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let name = input.name.as_deref().map(str::trim).filter(|name| !name.is_empty());
    if name.is_none() && input.kind.is_none() && input.path.is_none() {
        return Err(ToolError::bad_argument("name", "is missing: give a name, a kind or a path")
            .hint("a name tells where it is declared and used; a kind lists all of that kind"));
    }
    let below = input
        .path
        .as_deref()
        .map(|path| paths::find(cx, project, path, "Path must be under Assets/", "File not found"));
    let below = below.transpose()?.map(|inside| inside.name);
    let files = sources(cx, project, below.as_deref())?;
    let wanted = Wanted::new(name, input.kind);
    let guard = cx.time_guard();
    let read = |(name, path): &(String, PathBuf)| {
        if guard.expired() || cx.cancel().is_cancelled() {
            return None;
        }
        Some(wanted.look_into(project, name, path))
    };
    let read: Vec<Option<Found>> = files.par_iter().map(read).collect();
    cx.check_cancelled()?;
    let seen = read.iter().flatten().count();
    if seen < files.len() {
        guard.report(cx, seen, Some(files.len()));
    }
    let found = read.into_iter().flatten().fold(Found::default(), Found::and);
    Ok(answer(found, name, input.max_results))
}

/// The files with code or connections, sorted by name.
fn sources(
    cx: &Cx,
    project: &Project,
    below: Option<&str>,
) -> Result<Vec<(String, PathBuf)>, ToolError> {
    let mut list: Vec<(String, PathBuf)> = match project.of::<GodotProject>() {
        Some(godot) => {
            let index = godot.index();
            let has_code =
                |kind| matches!(kind, FileKind::Script | FileKind::CSharp | FileKind::Scene);
            let files = index.files().filter(|file| has_code(file.kind));
            files.map(|file| (file.path.clone(), project.root.join(&file.path))).collect()
        }
        None => {
            let files = files::imported(cx, project, &OWN, &[".cs"])?;
            files.into_iter().map(|file| (file.name, file.path)).collect()
        }
    };
    if let Some(below) = below.filter(|below| !below.is_empty()) {
        list.retain(|(name, _)| {
            let rest = name.strip_prefix(below);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        });
    }
    list.sort();
    Ok(list)
}

fn answer(mut found: Found, name: Option<&str>, most: usize) -> Output {
    let exact = name.is_none_or(|name| {
        found.definitions.iter().any(|(_, definition)| definition.name == name)
            || !found.uses.is_empty()
            || !found.connections.is_empty()
    });
    if let Some(name) = name.filter(|_| exact) {
        found.definitions.retain(|(_, definition)| definition.name == name);
    }
    let totals = Totals {
        definitions: found.definitions.len(),
        connections: found.connections.len(),
        uses: found.uses.len(),
    };
    let truncated =
        [totals.definitions, totals.connections, totals.uses].iter().any(|count| *count > most);
    Output {
        success: true,
        exact,
        definitions: firsts(found.definitions, most),
        connections: firsts(found.connections, most),
        uses: firsts(found.uses, most),
        totals,
        truncated,
    }
}

fn firsts<T>(mut list: Vec<(Place, T)>, most: usize) -> Vec<T> {
    list.sort_by(|a, b| a.0.cmp(&b.0));
    list.into_iter().take(most).map(|(_, item)| item).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample, call_writing};

    fn shown(output: &Value) -> String {
        let mut text = String::new();
        for found in output["definitions"].as_array().unwrap() {
            let part = |key: &str| found[key].as_str().unwrap().to_owned();
            text +=
                &format!("{} {} {}: {}\n", part("place"), part("kind"), part("name"), part("text"));
        }
        for found in output["connections"].as_array().unwrap() {
            let part = |key: &str| found[key].as_str().unwrap_or_default().to_owned();
            let line = format!(
                "{} {} => {} {}",
                part("place"),
                part("signal"),
                part("method"),
                part("nodes")
            );
            text += &format!("{}\n", line.trim_end());
        }
        for found in output["uses"].as_array().unwrap() {
            text += &format!(
                "{} {}\n",
                found["place"].as_str().unwrap(),
                found["text"].as_str().unwrap()
            );
        }
        text
    }

    fn check_sample(arguments: Value, expected: Expect) {
        expected.assert_eq(&shown(&call_sample(super::TOOL.id, arguments).unwrap().output));
    }

    const GAME: &str = r#"//- project.godot
config_version=5
//- a.gd
class_name Door
signal opened(by)
# opened
func open():
	opened.emit("opened")
func _ready():
	opened.connect(_on_opened)
func _on_opened(by): pass
//- b.tscn
[gd_scene format=3]

[node name="B" type="Node"]

[connection signal="opened" from="Door" to="." method="_on_opened"]
//- sub/c.gd
extends Door
func open(): super.open()
"#;

    fn check_game(arguments: Value, expected: Expect) {
        let folder = Folder::files(GAME);
        expected
            .assert_eq(&shown(&call_writing(&folder, super::TOOL.id, arguments).unwrap().output));
    }

    #[test]
    fn a_name_is_found_where_it_is_declared_connected_and_used() {
        check_game(
            json!({ "name": "opened" }),
            expect![[r#"
            a.gd:2 signal opened: signal opened(by)
            a.gd:7 opened => _on_opened
            b.tscn:5 opened => _on_opened Door -> .
            a.gd:5 opened.emit("opened")
        "#]],
        );
        check_game(
            json!({ "name": "_on_opened", "kind": "connection" }),
            expect![[r#"
            a.gd:7 opened => _on_opened
            b.tscn:5 opened => _on_opened Door -> .
        "#]],
        );
        check_game(
            json!({ "name": "Door" }),
            expect![[r#"
            a.gd:1 class Door: class_name Door
            sub/c.gd:1 extends Door
        "#]],
        );
        check_game(
            json!({ "name": "open", "kind": "method", "path": "sub" }),
            expect![[r#"
            sub/c.gd:2 method open: func open(): super.open()
        "#]],
        );
    }

    #[test]
    fn a_part_of_a_name_finds_those_that_have_it() {
        check_game(
            json!({ "name": "OPEN" }),
            expect![[r#"
            a.gd:2 signal opened: signal opened(by)
            a.gd:4 method open: func open():
            a.gd:8 method _on_opened: func _on_opened(by): pass
            sub/c.gd:2 method open: func open(): super.open()
        "#]],
        );
        check_game(json!({ "name": "nothing" }), expect![""]);
    }

    #[test]
    fn csharp_is_searched_in_the_same_way() {
        let project = "//- Assets/A.cs\nenum Mood { Happy }\nclass Door {\n  public event System.Action Opened;\n  int locks; // Opened\n  int Bolts { get; }\n  void Open() { Opened?.Invoke(); Log(\"Opened\"); }\n}\n";
        let check = |arguments: Value, expected: Expect| {
            let outcome = call_project(project, super::TOOL.id, arguments).unwrap();
            expected.assert_eq(&shown(&outcome.output));
        };
        check(
            json!({ "name": "Opened" }),
            expect![[r#"
            Assets/A.cs:3 signal Opened: public event System.Action Opened
            Assets/A.cs:6 void Open() { Opened?.Invoke(); Log("Opened"); }
        "#]],
        );
        check(
            json!({ "kind": "field" }),
            expect![[r#"
            Assets/A.cs:4 field locks: private int locks
            Assets/A.cs:5 field Bolts: private int Bolts { get; }
        "#]],
        );
        check(
            json!({ "kind": "enum" }),
            expect![[r#"
                Assets/A.cs:1 enum Mood: internal enum Mood
                Assets/A.cs:1 enum Happy: public Happy = 0
            "#]],
        );
    }

    #[test]
    fn lists_are_cut_where_asked() {
        let arguments = json!({ "project": "unity", "kind": "method", "maxResults": 2 });
        let output = call_sample(super::TOOL.id, arguments).unwrap().output;
        assert_eq!(output["definitions"].as_array().unwrap().len(), 2);
        assert!(output["totals"]["definitions"].as_u64().unwrap() > 2);
        assert_eq!(output["truncated"], true);
        let error = call_sample(super::TOOL.id, json!({})).unwrap_err();
        assert!(error.message.contains("give a name, a kind or a path"), "{error}");
    }

    #[test]
    fn the_sample_is_searched() {
        check_sample(
            json!({ "project": "godot", "name": "score_changed" }),
            expect![[r#"
            autoload/game_state.gd:4 signal score_changed: signal score_changed(score: int)
            scripts/main.gd:15 score_changed => _on_score_changed
            autoload/game_state.gd:15 score_changed.emit(score)
            autoload/game_state.gd:22 score_changed.emit(score)
        "#]],
        );
    }
}
