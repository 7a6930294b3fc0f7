//! The tool `project.replaceReference`: Replace Reference.

mod godot;
mod unity;

use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Safety, ToolError};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::GodotProject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// More places and files are counted, not listed.
const MAX_LISTED: usize = 200;

pub(crate) const TOOL: Tool = Tool {
    id: "project.replaceReference",
    keywords: "swap asset everywhere use another material texture prefab script scene instead of repoint references guid uid substitute one for in the whole project exchange font sprite redirect",
    argument_aliases: &[("oldPath", "from"), ("newPath", "to")],
    title: "Replace Reference",
    notes: Some(
        "Refused as a whole where the other file does not fit: another class than a field takes, or an object inside it that has no counterpart. Nothing is said of code that makes paths when it runs.",
    ),
    category: "project",
    safety: Safety::SafeWrite,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    examples: &[
        Example {
            description: "See which files of the Unity sample would use another material",
            input: r#"{ "project": "unity", "from": "Assets/Materials/Flame.mat", "to": "Assets/Materials/Stone.mat", "dryRun": true }"#,
            output: r#"{
                "success": true,
                "from": "Assets/Materials/Flame.mat",
                "to": "Assets/Materials/Stone.mat",
                "replaced": 1,
                "files": [],
                "notTouched": [],
                "notTouchedCount": 0,
                "dryRun": true,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["replaced", "files", "filesChanged", "changes"],
        },
        Example {
            description: "Use another picture for the tiles of the Godot sample",
            input: r#"{ "project": "godot", "from": "res://art/tiles.png", "to": "res://icon.svg" }"#,
            output: r#"{
                "success": true,
                "from": "art/tiles.png",
                "to": "icon.svg",
                "replaced": 1,
                "files": [],
                "notTouched": [],
                "notTouchedCount": 0,
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["files", "changes", "undo"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make everything in the project that refers to one file refer to another: guids in Unity, paths and
/// uids in Godot. `dryRun` lists the files and how many places each has. The first file stays.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// The file that is referred to now.
    from: String,
    /// The file to refer to instead.
    to: String,
    /// In Godot: also change texts in scripts and shaders that are nothing but the path or uid; they
    /// are listed otherwise.
    #[serde(default)]
    update_scripts: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file that was referred to.
    from: String,
    /// The file that is referred to now.
    to: String,
    /// How many places changed.
    replaced: usize,
    /// The files that changed, at most 200.
    files: Vec<Changed>,
    /// Places that still name the first file, at most 200.
    not_touched: Vec<Place>,
    /// How many such places there are.
    not_touched_count: usize,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Changed {
    /// The file, from the project's root.
    path: String,
    /// How many places changed in it.
    count: usize,
}

#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
struct Place {
    /// The file, from the project's root.
    path: String,
    /// The line, from 1; 0 for the file as a whole.
    line: usize,
    /// What stands there, or why it stays.
    text: String,
}

/// What is to be done, and what is not.
#[derive(Default)]
struct Work {
    changes: Vec<Change>,
    not_touched: Vec<Place>,
    /// Places that cannot refer to the other file.
    unfit: Vec<Place>,
}

struct Change {
    path: ProjectPath,
    count: usize,
    before: Vec<u8>,
    after: Vec<u8>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    // What is replaced must not change before it is.
    if cx.writes() {
        cx.turn(project)?;
    }
    let ([from, to], mut work) = match project.of::<GodotProject>() {
        Some(_) => godot::work(cx, project, &input)?,
        None => unity::work(cx, project, &input)?,
    };
    if !work.unfit.is_empty() {
        return Err(unfit(&to, &work.unfit));
    }
    work.not_touched.sort_by(|a, b| (&a.path, a.line).cmp(&(&b.path, b.line)));
    let mut plan = Plan::new(project);
    for change in &work.changes {
        plan.write(&change.path, Some(&change.before), &*change.after);
    }
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let files = work.changes.iter().take(MAX_LISTED);
    let not_touched_count = work.not_touched.len();
    Ok(Output {
        success: true,
        from,
        to,
        replaced: work.changes.iter().map(|change| change.count).sum(),
        files: files
            .map(|change| Changed { path: change.path.to_string(), count: change.count })
            .collect(),
        not_touched: work.not_touched.into_iter().take(MAX_LISTED).collect(),
        not_touched_count,
        written,
    })
}

fn unfit(to: &str, places: &[Place]) -> ToolError {
    let few =
        places.iter().take(5).map(|Place { path, line, text }| format!("{path}:{line}: {text}"));
    let few = few.collect::<Vec<_>>().join("; ");
    let more = places.len().saturating_sub(5);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    ToolError::new(ErrorKind::BadArguments, format!("{to} does not fit everywhere: {few}{more}"))
        .hint(
            "nothing was changed; change these places by themselves first, or choose another file",
        )
}

fn same(path: &str) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, format!("{path} is both files"))
        .hint("nothing was changed; give the file to refer to as `to`")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    const GAME: &str = r#"//- project.godot
config_version=5

[application]

run/main_scene="uid://aaaaaaaaaaaa1"
//- a.tscn
[gd_scene format=3 uid="uid://aaaaaaaaaaaa1"]

[node name="A" type="Node2D"]

[node name="Arm" type="Node2D" parent="."]
//- b.tscn
[gd_scene format=3 uid="uid://bbbbbbbbbbbb1"]

[node name="B" type="Node2D"]
//- c.tscn
[gd_scene format=3]

[node name="C" type="Control"]
//- user.tscn
[gd_scene format=3]

[ext_resource type="PackedScene" uid="uid://aaaaaaaaaaaa1" path="res://a.tscn" id="1"]

[node name="User" type="Node2D"]

[node name="One" parent="." instance=ExtResource("1")]
//- user.gd
var a = preload("res://a.tscn")
var b = "see res://a.tscn"
//- base.gd
extends Node2D
//- other.gd
extends Node
//- third.gd
extends Control
"#;

    fn check(folder: &Folder, arguments: Value, expected: Expect) {
        let answer = call_writing(folder, super::TOOL.id, arguments);
        let text = match answer {
            Err(error) => format!("{error}\n"),
            Ok(outcome) => {
                let output = &outcome.output;
                let files = output["files"].as_array().unwrap().iter();
                let left = output["notTouched"].as_array().unwrap().iter();
                let files =
                    files.map(|f| format!("{} {}\n", f["path"].as_str().unwrap(), f["count"]));
                let left = left.map(|p| {
                    format!("! {}:{} {}\n", p["path"].as_str().unwrap(), p["line"], p["text"])
                });
                files.chain(left).collect()
            }
        };
        expected.assert_eq(&text);
    }

    #[test]
    fn paths_and_uids_of_godot_lead_to_the_other_file() {
        let folder = Folder::files(GAME);
        let text = |name: &str| std::fs::read_to_string(folder.path(name)).unwrap();
        let before = text("user.tscn");
        check(
            &folder,
            json!({ "from": "a.tscn", "to": "b.tscn", "dryRun": true }),
            expect![[r#"
            project.godot 1
            user.tscn 1
            ! user.gd:1 "var a = preload(\"res://a.tscn\")"
            ! user.gd:2 "see res://a.tscn"
        "#]],
        );
        assert_eq!(text("user.tscn"), before);
        check(
            &folder,
            json!({ "from": "a.tscn", "to": "b.tscn", "updateScripts": true }),
            expect![[r#"
                project.godot 1
                user.gd 1
                user.tscn 1
                ! user.gd:2 "see res://a.tscn"
            "#]],
        );
        assert!(text("user.tscn").contains("uid=\"uid://bbbbbbbbbbbb1\" path=\"res://b.tscn\""));
        assert!(text("project.godot").contains("run/main_scene=\"uid://bbbbbbbbbbbb1\""));
        assert!(text("user.gd").starts_with("var a = preload(\"res://b.tscn\")\n"));
        assert!(text("a.tscn").contains("uid://aaaaaaaaaaaa1"));
        call_writing(&folder, "project.undoLast", json!({})).unwrap();
        assert_eq!(text("user.tscn"), before);
    }

    #[test]
    fn what_does_not_fit_in_godot_is_refused() {
        let folder = Folder::files(GAME);
        check(
            &folder,
            json!({ "from": "a.tscn", "to": "c.tscn" }),
            expect![[r#"
            the root of c.tscn is a Control, and that of a.tscn a Node2D
            Try: nothing was changed; choose a file of the same class, or of one that inherits it
        "#]],
        );
        check(
            &folder,
            json!({ "from": "a.tscn", "to": "base.gd" }),
            expect![[r#"
            base.gd is a Script, and a.tscn a PackedScene
            Try: nothing was changed; choose a file of the same class, or of one that inherits it
        "#]],
        );
        check(
            &folder,
            json!({ "from": "base.gd", "to": "third.gd" }),
            expect![[r#"
            third.gd extends Control, and is no script for a Node2D, which base.gd extends
            Try: nothing was changed; choose a file of the same class, or of one that inherits it
        "#]],
        );
        // A script of a class above runs on all that the first one does.
        check(&folder, json!({ "from": "base.gd", "to": "other.gd" }), expect![""]);
        check(
            &folder,
            json!({ "from": "a.tscn", "to": "res://a.tscn" }),
            expect![[r#"
            a.tscn is both files
            Try: nothing was changed; give the file to refer to as `to`
        "#]],
        );
        let needs_arm = "\n[node name=\"Hand\" type=\"Node2D\" parent=\"One/Arm\"]\n";
        let text = std::fs::read_to_string(folder.path("user.tscn")).unwrap();
        folder.write("user.tscn", format!("{text}{needs_arm}"));
        check(
            &folder,
            json!({ "from": "a.tscn", "to": "b.tscn" }),
            expect![[r#"
            b.tscn does not fit everywhere: user.tscn:9: `One/Arm/Hand` would be lost: it is not in the other file
            Try: nothing was changed; change these places by themselves first, or choose another file
        "#]],
        );
    }

    #[test]
    fn guids_of_unity_lead_to_the_other_asset() {
        let folder = Folder::new();
        scenewright_fixture::copy(&scenewright_fixture::sample("unity"), folder.root());
        let (flame, stone) = ("Assets/Materials/Flame.mat", "Assets/Materials/Stone.mat");
        check(
            &folder,
            json!({ "from": flame, "to": stone, "dryRun": true }),
            expect![[r#"
            Assets/Prefabs/GoldenLantern.prefab 2
            Assets/Prefabs/Lantern.prefab 1
            Assets/Prefabs/Room.prefab 1
        "#]],
        );
        check(
            &folder,
            json!({ "from": flame, "to": stone }),
            expect![[r#"
            Assets/Prefabs/GoldenLantern.prefab 2
            Assets/Prefabs/Lantern.prefab 1
            Assets/Prefabs/Room.prefab 1
        "#]],
        );
        // Nothing refers to it any more.
        check(&folder, json!({ "from": flame, "to": stone }), expect![""]);
        let settings = "Assets/Data/LanternSettings.asset";
        check(
            &folder,
            json!({ "from": stone, "to": settings }),
            expect![[r#"
            Assets/Data/LanternSettings.asset does not fit everywhere: Assets/Prefabs/GoldenLantern.prefab:64: this field does not take a LanternSettings; Assets/Prefabs/GoldenLantern.prefab:101: it is not known whether this takes a LanternSettings in place of a Material; Assets/Prefabs/Lantern.prefab:66: this field does not take a LanternSettings; Assets/Prefabs/Lantern.prefab:236: this field does not take a LanternSettings; Assets/Prefabs/Room.prefab:101: this field does not take a LanternSettings; and 5 more
            Try: nothing was changed; change these places by themselves first, or choose another file
        "#]],
        );
        check(
            &folder,
            json!({ "from": settings, "to": stone }),
            expect![[r#"
            Assets/Materials/Stone.mat does not fit everywhere: Assets/Prefabs/Lantern.prefab:294: it is not known whether this takes a Material in place of a LanternSettings
            Try: nothing was changed; change these places by themselves first, or choose another file
        "#]],
        );
    }
}
