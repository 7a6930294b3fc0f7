//! The tool `godotResource.renameResource`, which MCP clients call `rename_resource`.

mod rewrite;

use std::collections::BTreeSet;

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::Moves;
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, Unread, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use rewrite::Rewrite;

/// More places are counted, not listed.
const MAX_LISTED: usize = 500;

pub(crate) const TOOL: Tool = Tool {
    id: "godotResource.renameResource",
    keywords: "move a file folder relocate rename keep fix references update paths texture scene refactor script path reorganise another",
    mcp: Some("rename_resource"),
    title: "Rename Resource",
    notes: Some(
        "Godot looks uids up in a cache that it renews when the project is opened or imported next. Hidden files of a folder stay where they are.",
    ),
    category: "godot.resource",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Rename the settings of the coins, which a scene uses",
        input: r#"{
            "projectPath": "godot",
            "resourcePath": "res://resources/coin_settings.tres",
            "newPath": "res://resources/coins/silver.tres"
        }"#,
        output: r#"{
            "success": true,
            "moved": [{
                "from": "res://resources/coin_settings.tres",
                "to": "res://resources/coins/silver.tres"
            }],
            "referencesUpdated": 1,
            "notTouched": [],
            "notTouchedCount": 0,
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Rename or move a file or folder of the project, and rewrite every path to it in scenes, resources,
/// settings and import files. Its .uid and .import go with it; mentions in scripts are listed, or
/// rewritten as well with `updateScripts`.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The file or folder: `res://old/name.tres`.
    resource_path: String,
    /// Where it goes: a path with the same extension, or a folder with `/` at its end.
    new_path: String,
    /// Also rewrite the texts in .gd, .cs and .gdshader that are nothing but the old path.
    #[serde(default)]
    update_scripts: bool,
    /// Go on although files that may have the old path could not be read.
    #[serde(default)]
    skip_unreadable: bool,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The files that moved, without what goes with them; at most 500.
    moved: Vec<Moved>,
    /// Paths that were rewritten, in all files.
    references_updated: usize,
    /// Places that still have the old path, at most 500.
    not_touched: Vec<NotTouched>,
    /// How many such places there are.
    not_touched_count: usize,
    /// Texts that are its name without its whole path, so that they may mean it; none is changed. At
    /// most 500.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    may_mean: Vec<NotTouched>,
    /// Files that could not be read and may still have the old path, at most 100.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unread: Vec<Unread>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Moved {
    /// Where it was.
    from: String,
    /// Where it is.
    to: String,
}

#[derive(Serialize, JsonSchema)]
struct NotTouched {
    /// The file, where it is now.
    path: String,
    /// The line, from 1.
    line: usize,
    /// The text that has the old path, or why it was not looked for.
    text: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let from = godot.path(&input.resource_path)?;
    let is_folder = !godot.exists(&from) && godot.is_folder(from.as_str());
    let moves = match is_folder {
        true => folder_moves(&godot, &from, &godot.path(&input.new_path)?)?,
        false => file_moves(&godot, &from, &input.new_path)?,
    };
    let mut rewrite = Rewrite::new(&godot, &moves, input.update_scripts);
    rewrite.all()?;
    rewrite.unread.check(input.skip_unreadable)?;
    let mut plan = Plan::new(godot.project);
    for (old, new) in moves.files() {
        plan.rename(&godot.path(old)?, &godot.path(new)?);
    }
    for change in &rewrite.changes {
        plan.write(&change.path, Some(&change.before), &*change.after);
    }
    if is_folder {
        emptied(&godot, &from, &mut plan)?;
    }
    let written = saved(&godot, plan, input.write)?;
    let is_main = |(old, _): &(&str, &str)| !old.ends_with(".uid") && !old.ends_with(".import");
    let moved = moves.files().filter(is_main).take(MAX_LISTED);
    let not_touched_count = rewrite.not_touched.len();
    rewrite.not_touched.truncate(MAX_LISTED);
    rewrite.may_mean.truncate(MAX_LISTED);
    Ok(Output {
        success: true,
        moved: moved
            .map(|(old, new)| Moved { from: format!("res://{old}"), to: format!("res://{new}") })
            .collect(),
        references_updated: rewrite.updated,
        not_touched: rewrite.not_touched,
        not_touched_count,
        may_mean: rewrite.may_mean,
        unread: rewrite.unread.list(),
        written,
    })
}

/// The moves of a file and of what goes with it.
fn file_moves(godot: &Godot<'_>, from: &ProjectPath, to: &str) -> Result<Moves, ToolError> {
    if !godot.exists(from) {
        return Err(ToolError::not_found("file", from.as_str())
            .hint("project_listFiles shows what is there"));
    }
    let name = from.as_str().rsplit('/').next().unwrap_or_default();
    let is_into = to.trim_end().ends_with(['/', '\\']) || godot.is_folder(&plain(godot, to));
    let to = match is_into {
        true => godot.path(&format!("{}/{name}", to.trim_end().trim_end_matches(['/', '\\'])))?,
        false => godot.path(to)?,
    };
    if from.as_str() == "project.godot" {
        return Err(wrong("project.godot is what makes the folder a project; it stays"));
    }
    if let Some(owner) = [".uid", ".import"].iter().find_map(|end| from.as_str().strip_suffix(end))
        && godot.index.by_path(owner).is_some()
    {
        return Err(wrong(&format!("{from} goes with {owner}: rename that")));
    }
    let (old, new) = (extension(from.as_str()), extension(to.as_str()));
    if !old.eq_ignore_ascii_case(new) {
        return Err(wrong(&format!("{to} would be of another kind: {from} ends in .{old}"))
            .hint("keep the extension, or end newPath with / to move the file into a folder"));
    }
    godot.must_be_new(&to)?;
    if old == "cs" {
        godot.cx.diagnose("A C# script has the name of its class; rename the class as well.");
    }
    let mut moves = Moves::file(from.as_str(), to.as_str());
    for end in [".uid", ".import"] {
        let beside = godot.path(&format!("{from}{end}"))?;
        if godot.exists(&beside) {
            moves.add(beside.as_str(), &format!("{to}{end}"));
        }
    }
    Ok(moves)
}

/// A path as the index has it, for a look whether it is a folder.
fn plain(godot: &Godot<'_>, text: &str) -> String {
    godot.path(text).map(|path| path.to_string()).unwrap_or_default()
}

fn extension(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// The moves of all files in a folder.
fn folder_moves(
    godot: &Godot<'_>,
    from: &ProjectPath,
    to: &ProjectPath,
) -> Result<Moves, ToolError> {
    let below = format!("{from}/");
    if to == from || to.as_str().starts_with(&below) {
        return Err(wrong(&format!("{to} is inside of {from}")));
    }
    let mut moves = Moves::folder(from.as_str(), to.as_str());
    for file in godot.index.files().filter(|file| file.path.starts_with(&below)) {
        let target = godot.path(&format!("{to}/{}", &file.path[below.len()..]))?;
        godot.must_be_new(&target)?;
        moves.add(&file.path, target.as_str());
    }
    Ok(moves)
}

/// Have the folders go that nothing is left in, innermost first.
fn emptied(godot: &Godot<'_>, from: &ProjectPath, plan: &mut Plan<'_>) -> Result<(), ToolError> {
    let below = format!("{from}/");
    let mut folders = BTreeSet::from([from.to_string()]);
    for file in godot.index.files().filter(|file| file.path.starts_with(&below)) {
        let ends = file.path.match_indices('/').map(|(at, _)| at);
        folders.extend(ends.filter(|at| *at >= below.len()).map(|at| file.path[..at].to_owned()));
    }
    for folder in folders.iter().rev() {
        plan.remove_folder(&godot.path(folder)?);
    }
    Ok(())
}

fn wrong(message: &str) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn settings_and_companions_follow() {
        let sample = GodotSample::new();
        sample.write("tool.gd", "var a = load(\"res://autoload/game_state.gd\")\n");
        let arguments = json!({
            "resourcePath": "autoload/game_state.gd", "newPath": "core/state.gd",
        });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        let diffs: Vec<&str> = output["changes"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|c| c["diff"].as_str())
            .collect();
        expect![[r#"
            --- a/project.godot
            +++ b/project.godot
            @@ -19,7 +19,7 @@
 
             [autoload]
 
            -GameState="*res://autoload/game_state.gd"
            +GameState="*res://core/state.gd"
 
             [display]
 
        "#]]
        .assert_eq(&diffs.concat().replace("\n \n", "\n\n"));
        expect![[r#"[{"path":"res://tool.gd","line":1,"text":"res://autoload/game_state.gd"}]"#]]
            .assert_eq(&output["notTouched"].to_string());
        assert_eq!(output["referencesUpdated"], 1);
        assert_eq!(sample.read("core/state.gd.uid"), "uid://bw6f7dxiufo2s\n");
    }

    #[test]
    fn an_image_takes_its_import_with_it() {
        let sample = GodotSample::new();
        let arguments = json!({ "resourcePath": "art/tiles.png", "newPath": "scenes/" });
        expect![[r#"
            --- a/art/tiles.png.import
            +++ b/scenes/tiles.png.import
            @@ -10,7 +10,7 @@
 
             [deps]
 
            -source_file="res://art/tiles.png"
            +source_file="res://scenes/tiles.png"
             dest_files=["res://.godot/imported/tiles.png-4bebe0e5cdfc7faf322603713a4a3f81.ctex"]
 
             [params]
            --- a/resources/tiles.tres
            +++ b/resources/tiles.tres
            @@ -1,6 +1,6 @@
             [gd_resource type="TileSet" load_steps=3 format=3 uid="uid://bun8qkv1mtnsr"]
 
            -[ext_resource type="Texture2D" uid="uid://d3e45u6gwk2sl" path="res://art/tiles.png" id="1_w5t0e"]
            +[ext_resource type="Texture2D" uid="uid://d3e45u6gwk2sl" path="res://scenes/tiles.png" id="1_w5t0e"]
 
             [sub_resource type="TileSetAtlasSource" id="TileSetAtlasSource_b4m6x"]
             resource_name = "Shore"
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments));
        let usages = json!({ "target": "scenes/tiles.png" });
        assert_eq!(sample.call("find_usages", usages).unwrap()["count"], 1);
    }

    #[test]
    fn scripts_inside_of_scenes_are_told_or_rewritten() {
        let scene = r#"[gd_scene format=3]

[sub_resource type="GDScript" id="S"]
script/source = "extends Node
const A = preload(\"res://scripts/actor.gd\")
var b = \"see res://scripts/actor.gd\"
"

[node name="A" type="Node"]
script = SubResource("S")
"#;
        let call = |update: bool| {
            let sample = GodotSample::new();
            sample.write("a.tscn", scene);
            let arguments = json!({
                "resourcePath": "scripts/actor.gd", "newPath": "scripts/mover.gd", "updateScripts": update,
            });
            let output = sample.call(super::TOOL.id, arguments).unwrap();
            (output["notTouched"].to_string(), sample.read("a.tscn"))
        };
        let (told, text) = call(false);
        expect![[r#"[{"path":"res://a.tscn","line":5,"text":"res://scripts/actor.gd"},{"path":"res://a.tscn","line":6,"text":"see res://scripts/actor.gd"}]"#]].assert_eq(&told);
        assert_eq!(text, scene);
        let (told, text) = call(true);
        expect![[r#"[{"path":"res://a.tscn","line":6,"text":"see res://scripts/actor.gd"}]"#]]
            .assert_eq(&told);
        let moved = scene
            .replace("preload(\\\"res://scripts/actor.gd", "preload(\\\"res://scripts/mover.gd");
        assert_eq!(text, moved);
        let sample = GodotSample::new();
        sample.write("a.tscn", scene);
        let usages = sample.call("find_usages", json!({ "target": "scripts/actor.gd" })).unwrap();
        assert!(usages.to_string().contains("a.tscn"), "{usages}");
    }

    #[test]
    fn scripts_are_rewritten_on_request() {
        let sample = GodotSample::new();
        sample.write("a.gd", "extends \"scripts/actor.gd\"\nconst A = preload('res://scripts/actor.gd')\nvar b = \"see res://scripts/actor.gd\"\n");
        let arguments = json!({
            "resourcePath": "scripts/actor.gd", "newPath": "scripts/mover.gd", "updateScripts": true,
        });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        expect![[r#"
            extends "res://scripts/mover.gd"
            const A = preload('res://scripts/mover.gd')
            var b = "see res://scripts/actor.gd"
        "#]]
        .assert_eq(&sample.read("a.gd"));
        expect![[r#"[{"path":"res://a.gd","line":3,"text":"see res://scripts/actor.gd"}]"#]]
            .assert_eq(&output["notTouched"].to_string());
    }

    #[test]
    fn texts_that_are_no_more_than_its_name_are_told_apart() {
        let sample = GodotSample::new();
        sample.write("a.gd", "const DIR = \"res://scripts/\"\nvar a = load(DIR + \"actor.gd\")\nvar b = \"factor.gd\"\n");
        sample.write("a.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nmetadata/file = \"scripts/actor.gd\"\n");
        let before = (sample.read("a.gd"), sample.read("a.tscn"));
        let arguments = json!({
            "resourcePath": "scripts/actor.gd", "newPath": "scripts/mover.gd", "updateScripts": true,
        });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        expect![[r#"[{"path":"res://a.gd","line":2,"text":"actor.gd"},{"path":"res://a.tscn","line":4,"text":"scripts/actor.gd"}]"#]]
            .assert_eq(&output["mayMean"].to_string());
        assert_eq!(output["notTouched"], json!([]));
        assert_eq!((sample.read("a.gd"), sample.read("a.tscn")), before);
    }

    #[test]
    fn a_folder_moves_as_a_whole() {
        let sample = GodotSample::new();
        let arguments = json!({ "resourcePath": "res://resources", "newPath": "data/shared" });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["moved"].as_array().unwrap().len(), 4);
        assert_eq!(output["referencesUpdated"], 4);
        assert!(sample.read("scenes/level.tscn").contains("path=\"res://data/shared/tiles.tres\""));
        let gone = sample.call("list_resources", json!({ "directory": "resources" }));
        assert!(gone.is_err(), "{gone:?}");
    }

    #[test]
    fn what_would_lose_something_is_refused() {
        let sample = GodotSample::new();
        let refuse = |from: &str, to: &str| {
            sample.error(super::TOOL.id, json!({ "resourcePath": from, "newPath": to }))
        };
        expect!["icon.png would be of another kind: icon.svg ends in .svg; keep the extension, or end newPath with / to move the file into a folder"].assert_eq(&refuse("icon.svg", "icon.png"));
        expect!["icon.svg.import goes with icon.svg: rename that"]
            .assert_eq(&refuse("icon.svg.import", "icon2.svg.import"));
        expect!["project.godot is what makes the folder a project; it stays"]
            .assert_eq(&refuse("project.godot", "a/project.godot"));
        expect!["scenes/level.tscn exists already; nothing was changed; choose another name, or change the file that is there"].assert_eq(&refuse("scenes/main.tscn", "scenes/level.tscn"));
        expect!["scenes/more is inside of scenes"].assert_eq(&refuse("scenes", "scenes/more"));
        expect!["file not found: nothing.tres; project_listFiles shows what is there"]
            .assert_eq(&refuse("nothing.tres", "x.tres"));
        expect!["Path must be inside the project: ../icon.svg; name it from the project's root: Assets/Door.prefab, res://door.tscn"].assert_eq(&refuse("icon.svg", "../icon.svg"));
    }

    /// A sample with files that may use the icon, and nobody can tell.
    #[cfg(unix)]
    fn with_unreadable() -> GodotSample {
        use std::os::unix::ffi::OsStrExt;
        use std::os::unix::fs::symlink;

        let sample = GodotSample::new();
        let text = "[gd_scene format=3]\n[ext_resource path=\"res://icon.svg\" id=\"1\"]\n";
        let wide: Vec<u8> =
            [0xff, 0xfe].into_iter().chain(text.bytes().flat_map(|b| [b, 0])).collect();
        std::fs::write(sample.path("wide.tscn"), wide).unwrap();
        symlink("nowhere.tscn", sample.path("dangling.tscn")).unwrap();
        let odd = std::ffi::OsStr::from_bytes(b"odd\xff.tscn");
        std::fs::write(sample.path("").join(odd), text).unwrap();
        let large = std::fs::File::create(sample.path("large.tscn")).unwrap();
        large.set_len((256 << 20) + 1).unwrap();
        sample.write("cut.tscn", "[gd_scene format=3]\n[ext_resource path=\"res://icon.svg\n");
        std::fs::write(sample.path("latin.gd"), b"var a = \"res://icon.svg\" # \xe4\n").unwrap();
        // Neither of these can use anything, or uses it.
        symlink("nowhere.png", sample.path("dangling.png")).unwrap();
        std::fs::write(sample.path("latin.cs"), b"// \xe4\n").unwrap();
        sample
    }

    #[cfg(unix)]
    #[test]
    fn what_cannot_be_read_is_named_and_nothing_moves() {
        let sample = with_unreadable();
        let arguments = json!({ "resourcePath": "icon.svg", "newPath": "art/icon.svg" });
        let error = sample.call(super::TOOL.id, arguments).unwrap_err();
        let unread = error.details["unread"].as_array().unwrap().clone();
        let files: Vec<&str> = unread.iter().filter_map(|one| one["file"].as_str()).collect();
        let expected = [
            "cut.tscn",
            "dangling.tscn",
            "large.tscn",
            "latin.gd",
            "odd\u{fffd}.tscn",
            "wide.tscn",
        ];
        assert_eq!(files, expected);
        assert!(error.message.starts_with("6 files could not be looked at"), "{}", error.message);
        assert!(error.hint.unwrap().contains("skipUnreadable: true"));
        assert!(sample.has("icon.svg") && !sample.has("art/icon.svg"));
    }

    #[cfg(unix)]
    #[test]
    fn told_to_go_on_it_moves_and_still_names_them() {
        let sample = with_unreadable();
        let arguments = json!({
            "resourcePath": "icon.svg", "newPath": "art/icon.svg", "skipUnreadable": true,
        });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["unread"].as_array().unwrap().len(), 6);
        let wide = output["unread"].as_array().unwrap().last().unwrap();
        assert_eq!(wide["why"], "it is UTF-16, which Godot does not read");
        assert!(sample.has("art/icon.svg"));
    }

    #[test]
    fn a_dry_run_moves_nothing() {
        let sample = GodotSample::new();
        let arguments: Value = json!({
            "resourcePath": "icon.svg", "newPath": "art/icon.svg", "dryRun": true,
        });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["filesChanged"], 3);
        assert!(sample.read("project.godot").contains("res://icon.svg"));
        sample.read("icon.svg");
    }
}
