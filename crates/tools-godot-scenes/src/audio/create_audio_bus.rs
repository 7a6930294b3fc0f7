//! The tool `godotAudio.createAudioBus`, which MCP clients call `create_audio_bus`.

use scenewright_contract::{Safety, ToolError};
use scenewright_godot::{ChangeError, Variant};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAudio.createAudioBus",
    keywords: "mixer channel volume music sfx bus layout master mute separate group",
    mcp: Some("create_audio_bus"),
    title: "Create Audio Bus",
    category: "godot.audio",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A bus for voices, a bit louder than the music",
        input: r#"{
            "projectPath": "godot",
            "busName": "Voices",
            "parentBus": "SFX",
            "volume": -3
        }"#,
        output: r#"{
            "success": true,
            "busName": "Voices",
            "busIndex": 3,
            "parentBus": "SFX",
            "volume": -3.0,
            "path": "default_bus_layout.tres",
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

/// Add an audio bus to the project's layout, behind the others.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Name of the new bus.
    #[schemars(length(min = 1))]
    bus_name: String,
    /// The bus it sends its sound to.
    #[serde(default = "master")]
    parent_bus: String,
    /// Decibels.
    #[serde(default)]
    volume: f64,
    /// Hear only this bus.
    #[serde(default)]
    solo: bool,
    /// Do not hear it.
    #[serde(default)]
    mute: bool,
    #[serde(flatten)]
    write: Write,
}

fn master() -> String {
    "Master".to_owned()
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The new bus.
    bus_name: String,
    /// Its number; Master is 0.
    bus_index: usize,
    /// The bus it sends its sound to.
    parent_bus: String,
    /// Decibels.
    volume: f64,
    /// The file of the layout.
    path: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut layout = godot.bus_layout()?;
    layout.find(&input.parent_bus)?;
    let names = layout.names();
    if names.contains(&input.bus_name) {
        let name = input.bus_name;
        return Err(refused(ChangeError::Exists { what: "bus", name }));
    }
    let bus_index = names.len();
    let properties = [
        ("name", Variant::StringName(input.bus_name.clone())),
        ("solo", Variant::Bool(input.solo)),
        ("mute", Variant::Bool(input.mute)),
        ("bypass_fx", Variant::Bool(false)),
        ("volume_db", Variant::float(input.volume)),
        ("send", Variant::StringName(input.parent_bus.clone())),
    ];
    layout.set(bus_index, &properties.map(|(key, value)| (key.to_owned(), value)))?;
    let written = layout.file.save(&godot, input.write)?;
    Ok(Output {
        success: true,
        bus_name: input.bus_name,
        bus_index,
        parent_bus: input.parent_bus,
        volume: input.volume,
        path: layout.file.path.to_string(),
        written,
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_bus_comes_behind_the_others() {
        let arguments = json!({ "busName": "UI", "volume": -2.5, "mute": true });
        expect![[r#"
            --- a/default_bus_layout.tres
            +++ b/default_bus_layout.tres
            @@ -19,3 +19,9 @@
             bus/2/send = &"Master"
             bus/2/effect/0/effect = SubResource("AudioEffectLowPassFilter_e8y3p")
             bus/2/effect/0/enabled = false
            +bus/3/name = &"UI"
            +bus/3/solo = false
            +bus/3/mute = true
            +bus/3/bypass_fx = false
            +bus/3/volume_db = -2.5
            +bus/3/send = &"Master"
        "#]]
        .assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments));
    }

    #[test]
    fn a_layout_is_made_where_the_settings_want_it() {
        let sample = GodotSample::new();
        let settings = sample.read("project.godot");
        let settings =
            format!("{settings}\n[audio]\n\nbuses/default_bus_layout=\"res://mix.tres\"\n");
        sample.write("project.godot", &settings);
        expect![[r#"
            --- /dev/null
            +++ b/mix.tres
            @@ -0,0 +1,9 @@
            +[gd_resource type="AudioBusLayout" format=3]
            +
            +[resource]
            +bus/1/name = &"UI"
            +bus/1/solo = false
            +bus/1/mute = false
            +bus/1/bypass_fx = false
            +bus/1/volume_db = 0.0
            +bus/1/send = &"Master"
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, json!({ "busName": "UI" })));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let sample = GodotSample::new();
        let refuse = |name: &str, parent: &str| {
            sample.error(super::TOOL.id, json!({ "busName": name, "parentBus": parent }))
        };
        expect!["there is already a bus `Music`; nothing was changed; choose another name"]
            .assert_eq(&refuse("Music", "Master"));
        expect!["there is already a bus `Master`; nothing was changed; choose another name"]
            .assert_eq(&refuse("Master", "Master"));
        expect!["bus not found: Musik; did you mean Music?"].assert_eq(&refuse("UI", "Musik"));
    }
}
