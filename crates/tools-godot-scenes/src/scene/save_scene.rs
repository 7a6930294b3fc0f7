//! The tool `godotScene.saveScene`, which MCP clients call `save_scene`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::{Document, Scene, Variant, absolute_path};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InScene, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.saveScene",
    keywords: "save as write tscn copy variant scene duplicate file under new name variation resave",
    mcp: Some("save_scene"),
    title: "Save Scene",
    category: "godot.scene",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Start a second level from the first",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/level.tscn",
            "newPath": "res://scenes/level_2.tscn"
        }"#,
        output: r#"{
            "success": true,
            "scenePath": "scenes/level_2.tscn",
            "uid": "uid://",
            "referencesRepaired": 0,
            "resourcesRemoved": 0,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo", "uid"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Save a scene again as the editor would, or a copy of it under a new path with a uid of its own.
/// Paths of moved files are brought up to date by their uids, and unused resources are removed.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// Where to put a copy; the scene itself stays as it is then.
    new_path: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The scene that was saved, from the project's root.
    scene_path: String,
    /// Its uid.
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
    /// How many paths and uids of other files were brought up to date.
    references_repaired: usize,
    /// How many resources went that nothing used.
    resources_removed: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let mut open = godot.open_scene(&input.scene)?;
    let folder = format!("res://{}", open.path);
    if let Some(new_path) = &input.new_path {
        let path = godot.new_path(new_path, &["tscn"])?;
        if path == open.path {
            return Err(ToolError::new(ErrorKind::BadArguments, "newPath is the scene itself")
                .hint("leave it out to save the scene where it is"));
        }
        open = godot.new_scene(path, Scene::parse(open.scene.to_bytes()))?;
    }
    let is_copy = input.new_path.is_some();
    // Scenes of Godot 3 have none.
    if open.scene.format().is_some_and(|format| format > 2)
        && (is_copy || open.scene.uid().is_none())
    {
        let uid = Variant::String(godot.new_uid(&open.path));
        open.scene.change(|document| document.set_attribute(0, "uid", &uid)).map_err(refused)?;
    }
    let references_repaired =
        open.scene.change(|document| repair(&godot, document, &folder, is_copy))?;
    let unused = open.scene.change(Document::remove_unused_resources).map_err(refused)?;
    let written = open.save(&godot, input.write)?;
    Ok(Output {
        success: true,
        scene_path: open.path.to_string(),
        uid: open.scene.uid().map(|uid| uid.into_owned()),
        references_repaired,
        resources_removed: unused.ext.len() + unused.sub.len(),
        written,
    })
}

/// Bring what the file says about others up to date: where they are, and their uids.
fn repair(
    godot: &Godot<'_>,
    document: &mut Document,
    file: &str,
    is_copy: bool,
) -> Result<usize, ToolError> {
    let mut changes = Vec::new();
    for found in document.ext_resources() {
        let written = found.path();
        let by_uid = found.uid().and_then(|uid| godot.index.by_uid(&uid));
        // A relative path starts from the folder of the file, which a copy does not share.
        let there = match by_uid {
            Some(moved) => moved.res_path(),
            None if is_copy => absolute_path(file, &written),
            None => written.clone().into_owned(),
        };
        let is_relative = !written.contains("://");
        let is_stale = absolute_path(file, &written) != there;
        if is_stale || is_relative && is_copy {
            changes.push((found.0.index(), "path", there.clone()));
        }
        let uid = godot.path(&there).ok().and_then(|path| godot.uid_of(&path));
        if let Some(uid) = uid.filter(|uid| found.uid().as_deref() != Some(uid.as_str()))
            && document.value_format() > 2
        {
            changes.push((found.0.index(), "uid", uid));
        }
    }
    for (section, key, value) in &changes {
        let value = Variant::String(value.clone());
        document.set_attribute(*section, key, &value).map_err(refused)?;
    }
    Ok(changes.len())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_copy_has_a_uid_of_its_own() {
        let sample = GodotSample::new();
        let arguments = json!({ "scenePath": "scenes/player.tscn", "newPath": "actors/keeper" });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        let (old, new) = (sample.read("scenes/player.tscn"), sample.read("actors/keeper.tscn"));
        assert_eq!(new, old.replace("uid://daw60r51yjit", output["uid"].as_str().unwrap()));
        assert_ne!(new, old);
    }

    #[test]
    fn a_scene_that_is_well_stays() {
        let sample = GodotSample::new();
        let output =
            sample.call(super::TOOL.id, json!({ "scenePath": "scenes/main.tscn" })).unwrap();
        assert_eq!(output["filesChanged"], 0);
    }

    #[test]
    fn stale_paths_and_unused_resources_go() {
        let sample = GodotSample::new();
        let text = sample.read("scenes/coin.tscn");
        let text = text.replace("res://scripts/coin.gd", "../scripts/old_coin.gd");
        let text = text.replace("shape = SubResource(\"CircleShape2D_o7u2a\")\n", "");
        sample.write("scenes/coin.tscn", &text);
        expect![[r#"
            --- a/scenes/coin.tscn
            +++ b/scenes/coin.tscn
            @@ -1,10 +1,7 @@
            -[gd_scene load_steps=4 format=3 uid="uid://da5dy46gvq05t"]
            +[gd_scene load_steps=3 format=3 uid="uid://da5dy46gvq05t"]

            -[ext_resource type="Script" uid="uid://lgq4s0tugd20" path="../scripts/old_coin.gd" id="1_d6i1o"]
            +[ext_resource type="Script" uid="uid://lgq4s0tugd20" path="res://scripts/coin.gd" id="1_d6i1o"]
             [ext_resource type="Resource" uid="uid://b7462o8n3dnq3" path="res://resources/coin_settings.tres" id="2_s0f5k"]
            -
            -[sub_resource type="CircleShape2D" id="CircleShape2D_o7u2a"]
            -radius = 7.0

             [node name="Coin" type="Area2D" groups=["coins"]]
             collision_layer = 4
        "#]]
            .assert_eq(&sample.diff(super::TOOL.id, json!({ "scenePath": "scenes/coin.tscn" })));
    }

    #[test]
    fn relative_paths_stay_right_in_a_copy() {
        let sample = GodotSample::new();
        let text = sample.read("scenes/coin.tscn");
        let text =
            text.replace("uid=\"uid://lgq4s0tugd20\" path=\"res://scripts/", "path=\"../scripts/");
        sample.write("scenes/coin.tscn", &text);
        let arguments = json!({ "scenePath": "scenes/coin.tscn", "newPath": "a/b/c.tscn" });
        sample.call(super::TOOL.id, arguments).unwrap();
        let copy = sample.read("a/b/c.tscn");
        assert!(
            copy.contains("uid=\"uid://lgq4s0tugd20\" path=\"res://scripts/coin.gd\""),
            "{copy}"
        );
    }

    #[test]
    fn nothing_is_replaced() {
        let sample = GodotSample::new();
        let refuse = |to: &str| {
            let arguments = json!({ "scenePath": "scenes/coin.tscn", "newPath": to });
            sample.error(super::TOOL.id, arguments)
        };
        expect!["newPath is the scene itself; leave it out to save the scene where it is"]
            .assert_eq(&refuse("scenes/coin.tscn"));
        expect!["scenes/main.tscn exists already; nothing was changed; choose another name, or change the file that is there"].assert_eq(&refuse("scenes/main.tscn"));
    }
}
