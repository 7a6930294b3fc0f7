//! The tool `godotUid.getUid`, which MCP clients call `get_uid`.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotUid.getUid",
    keywords: "uid:// of a file identifier unique id",
    mcp: Some("get_uid"),
    title: "Get UID",
    category: "godot.uid",
    examples: &[Example {
        description: "Look up the uid of a script",
        input: r#"{ "projectPath": "godot", "filePath": "res://scripts/coin.gd" }"#,
        output: r#"{
            "success": true,
            "filePath": "res://scripts/coin.gd",
            "uid": "uid://lgq4s0tugd20",
            "writtenIn": "res://scripts/coin.gd.uid"
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell the uid of a file and where it is written. Give a uid instead of a path to learn which file
/// it belongs to.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The file: `res://player.gd`, or a `uid://`.
    file_path: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    file_path: String,
    /// Its uid.
    uid: String,
    /// The file that the uid is written in: itself, its .uid or its .import.
    written_in: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.path(&input.file_path)?;
    let Some(file) = godot.index.by_path(path.as_str()) else {
        return Err(ToolError::not_found("file", path.as_str())
            .hint("project_listFiles shows what is there"));
    };
    let places = ["", ".uid", ".import"].map(|end| format!("{}{end}", file.path));
    let mut found = places.iter().filter_map(|place| {
        let written = godot.index.by_path(place)?;
        Some((written.uid.clone()?, written.res_path()))
    });
    let (uid, written_in) = found.next().ok_or_else(|| {
        ToolError::new(ErrorKind::EngineError, format!("{path} has no uid"))
            .hint("update_project_uids writes missing ones; images and sounds get theirs on import")
    })?;
    Ok(Output { success: true, file_path: file.res_path(), uid, written_in })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn every_kind_of_file_has_its_place() {
        let sample = GodotSample::new();
        let ask = |file: &str| {
            let output = sample.call(super::TOOL.id, json!({ "filePath": file })).unwrap();
            format!("{} {} {}", output["filePath"], output["uid"], output["writtenIn"])
        };
        expect![[r#""res://icon.svg" "uid://dr6nbosst7erv" "res://icon.svg.import""#]]
            .assert_eq(&ask("icon.svg"));
        expect![[r#""res://scenes/main.tscn" "uid://dsckkculads6k" "res://scenes/main.tscn""#]]
            .assert_eq(&ask("scenes/main.tscn"));
        expect![[r#""res://resources/glow.gdshader" "uid://bm33gnme0dfl8" "res://resources/glow.gdshader.uid""#]].assert_eq(&ask("uid://bm33gnme0dfl8"));
    }

    #[test]
    fn what_has_none_is_said() {
        let sample = GodotSample::new();
        sample.write("a.gd", "extends Node\n");
        let refuse = |file: &str| sample.error(super::TOOL.id, json!({ "filePath": file }));
        expect!["a.gd has no uid; update_project_uids writes missing ones; images and sounds get theirs on import"].assert_eq(&refuse("a.gd"));
        expect!["file not found: b.gd; project_listFiles shows what is there"]
            .assert_eq(&refuse("b.gd"));
        expect!["uid not found: uid://b; get_uid tells the uid of a file"]
            .assert_eq(&refuse("uid://b"));
    }
}
