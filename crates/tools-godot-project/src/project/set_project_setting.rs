//! The tool `godotProject.setProjectSetting`, which MCP clients call `set_project_setting`.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::Variant;
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::settings::setting_value;
use scenewright_tools_godot::base::{InGodot, InProject, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.setProjectSetting",
    keywords: "main scene window size resolution display change project.godot configure gravity fullscreen full screen fps title icon renderer vsync stretch mode game name default",
    mcp: Some("set_project_setting"),
    title: "Set Godot Project Setting",
    category: "godot.project",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Make the window wider",
        input: r#"{
            "projectPath": "godot",
            "key": "display/window/size/viewport_width",
            "value": "800"
        }"#,
        output: r#"{
            "success": true,
            "section": "display",
            "key": "window/size/viewport_width",
            "value": "800",
            "previous": "640",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set one setting of `project.godot`, or remove it with `null`, so that it has its default again.
/// Settings of any name are fine; a value must be of the kind that is there.
#[derive(Deserialize, JsonSchema)]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The setting: `application/config/name`; its first part is the section.
    key: String,
    /// A number, text, list or object, or the value as Godot writes it: `Vector2(1, 2)`.
    #[schemars(schema_with = "schema::any_value")]
    value: Json,
    /// The section, if the key is without it.
    section: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The section.
    section: String,
    /// The key in it.
    key: String,
    /// The value now, as Godot writes it.
    value: String,
    /// The value before, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let (section, key) = split_key(&input)?;
    let mut open = godot.open_settings()?;
    let before = open.config.find(&section, &key).map(|value| value.decode());
    let value = setting_value(before.as_ref(), &input.value)?;
    match value {
        Variant::Nil => drop(open.config.remove(&section, &key).map_err(refused)?),
        _ => open.config.set(&section, &key, &value).map_err(refused)?,
    }
    let text = |value: &Variant| value.to_text(open.config.value_format()).trim_end().to_owned();
    Ok(Output {
        success: true,
        value: text(&value),
        previous: before.as_ref().map(text),
        written: open.save(&godot, input.write)?,
        section,
        key,
    })
}

/// The section and the key in it.
fn split_key(input: &Input) -> Result<(String, String), ToolError> {
    let bad = |why: &str| Err(ToolError::new(ErrorKind::BadArguments, why.to_owned()));
    let key = input.key.trim().trim_matches('/');
    if key.is_empty() || key.contains(['\n', '\r', '=', '[', ']', '"', ';']) {
        return bad("a key has names and slashes only: application/config/name");
    }
    if let Some(section) = &input.section {
        let inside = key.strip_prefix(&format!("{section}/")).unwrap_or(key);
        return Ok((section.clone(), inside.to_owned()));
    }
    match key.split_once('/') {
        Some((section, key)) => Ok((section.to_owned(), key.to_owned())),
        None if key == "config_version" => bad(
            "config_version is the format of the file, which only a conversion by Godot changes",
        ),
        None => bad("the key has no section: write section/key, or give the section"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn check(arguments: Value, expected: Expect) {
        expected.assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_value_is_changed_in_place() {
        check(
            json!({ "key": "environment/defaults/default_clear_color", "section": "rendering", "value": "#000000" }),
            expect![[r#"
                --- a/project.godot
                +++ b/project.godot
                @@ -71,4 +71,4 @@
                 textures/canvas_textures/default_texture_filter=0
                 renderer/rendering_method="gl_compatibility"
                 renderer/rendering_method.mobile="gl_compatibility"
                -environment/defaults/default_clear_color=Color(0.43, 0.66, 0.8, 1)
                +environment/defaults/default_clear_color=Color(0, 0, 0, 1)
            "#]],
        );
    }

    #[test]
    fn a_new_section_stands_in_its_place() {
        check(
            json!({ "key": "physics/common/physics_ticks_per_second", "value": "120" }),
            expect![[r#"
                --- a/project.godot
                +++ b/project.godot
                @@ -66,6 +66,10 @@
                 2d_physics/layer_2="player"
                 2d_physics/layer_3="pickups"
 
                +[physics]
                +
                +common/physics_ticks_per_second=120
                +
                 [rendering]
 
                 textures/canvas_textures/default_texture_filter=0
            "#]],
        );
    }

    #[test]
    fn nothing_is_its_default_again() {
        check(
            json!({ "key": "layer_names/2d_physics/layer_2", "value": null }),
            expect![[r#"
                --- a/project.godot
                +++ b/project.godot
                @@ -63,7 +63,6 @@
                 [layer_names]
 
                 2d_physics/layer_1="world"
                -2d_physics/layer_2="player"
                 2d_physics/layer_3="pickups"
 
                 [rendering]
            "#]],
        );
    }

    #[test]
    fn what_cannot_be_set_is_said() {
        let sample = GodotSample::new();
        let refuse = |key: &str, value: Value| {
            sample.error(super::TOOL.id, json!({ "key": key, "value": value }))
        };
        expect![[r#"the setting is a int, and "wide" is a String; it is 640 now; write the new value like that"#]].assert_eq(&refuse("display/window/size/viewport_width", json!("wide")));
        expect![
            "config_version is the format of the file, which only a conversion by Godot changes"
        ]
        .assert_eq(&refuse("config_version", json!(4)));
        expect!["the key has no section: write section/key, or give the section"]
            .assert_eq(&refuse("name", json!("x")));
        expect!["a key has names and slashes only: application/config/name"]
            .assert_eq(&refuse("a/b=c", json!("x")));
    }
}
