//! The tool `godotAudio.addAudioEffect`, which MCP clients call `add_audio_effect`.

use scenewright_contract::{JsonMap, Safety, ToolError};
use scenewright_godot::Variant;
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Expected, Godot, InGodot, InProject, Write, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotAudio.addAudioEffect",
    keywords: "reverb echo delay chorus low pass filter compressor distortion on a bus lowpass equalizer limiter muffle underwater",
    mcp: Some("add_audio_effect"),
    title: "Add Audio Effect",
    category: "godot.audio",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Let the music sound as in a hall",
        input: r#"{
            "projectPath": "godot",
            "busName": "Music",
            "effectType": "reverb",
            "effectParams": { "room_size": 0.9, "wet": 0.3 }
        }"#,
        output: r#"{
            "success": true,
            "busName": "Music",
            "busIndex": 1,
            "effectClass": "AudioEffectReverb",
            "effectIndex": 0,
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

/// Add an effect to an audio bus of the project, behind those it has.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The bus: `Master`, `Music`.
    bus_name: String,
    /// What it does to the sound.
    effect_type: EffectType,
    /// Properties of the effect by Godot's names: `{"cutoff_hz": 800}`.
    #[serde(default)]
    effect_params: JsonMap,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EffectType {
    Amplify,
    Bandlimit,
    Bandpass,
    Chorus,
    Compressor,
    Delay,
    Distortion,
    Eq6,
    Eq10,
    Eq21,
    Filter,
    HardLimiter,
    Highpass,
    Highshelf,
    Limiter,
    Lowpass,
    Lowshelf,
    Notch,
    Panner,
    Phaser,
    PitchShift,
    Record,
    Reverb,
    SpectrumAnalyzer,
    StereoEnhance,
}

impl EffectType {
    fn class(self) -> &'static str {
        match self {
            Self::Amplify => "AudioEffectAmplify",
            Self::Bandlimit => "AudioEffectBandLimitFilter",
            Self::Bandpass => "AudioEffectBandPassFilter",
            Self::Chorus => "AudioEffectChorus",
            Self::Compressor => "AudioEffectCompressor",
            Self::Delay => "AudioEffectDelay",
            Self::Distortion => "AudioEffectDistortion",
            Self::Eq6 => "AudioEffectEQ6",
            Self::Eq10 => "AudioEffectEQ10",
            Self::Eq21 => "AudioEffectEQ21",
            Self::Filter => "AudioEffectFilter",
            Self::HardLimiter => "AudioEffectHardLimiter",
            Self::Highpass => "AudioEffectHighPassFilter",
            Self::Highshelf => "AudioEffectHighShelfFilter",
            Self::Limiter => "AudioEffectLimiter",
            Self::Lowpass => "AudioEffectLowPassFilter",
            Self::Lowshelf => "AudioEffectLowShelfFilter",
            Self::Notch => "AudioEffectNotchFilter",
            Self::Panner => "AudioEffectPanner",
            Self::Phaser => "AudioEffectPhaser",
            Self::PitchShift => "AudioEffectPitchShift",
            Self::Record => "AudioEffectRecord",
            Self::Reverb => "AudioEffectReverb",
            Self::SpectrumAnalyzer => "AudioEffectSpectrumAnalyzer",
            Self::StereoEnhance => "AudioEffectStereoEnhance",
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The bus.
    bus_name: String,
    /// Its number; Master is 0.
    bus_index: usize,
    /// Godot's class of the effect.
    effect_class: &'static str,
    /// Its place among the effects of the bus, from 0.
    effect_index: usize,
    /// The file of the layout.
    path: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let mut layout = godot.bus_layout()?;
    let bus_index = layout.find(&input.bus_name)?;
    let effect_index = layout.effects(bus_index);
    let class = godot.class_below(input.effect_type.class(), "AudioEffect")?;
    let params = respelled(&godot, class, input.effect_params);
    let document = &mut layout.file.document;
    let of = Expected { class, script: None };
    // The editor names an effect after its class.
    let name = class.trim_start_matches("AudioEffect").to_owned();
    let mut properties = vec![("resource_name", Variant::String(name))];
    properties.extend(godot.values(document, of, &params)?);
    let id = document.add_sub_resource(class, &properties, None).map_err(refused)?;
    layout.set(
        bus_index,
        &[
            (format!("effect/{effect_index}/effect"), Variant::SubResource(id)),
            (format!("effect/{effect_index}/enabled"), Variant::Bool(true)),
        ],
    )?;
    let written = layout.file.save(&godot, input.write)?;
    Ok(Output {
        success: true,
        bus_name: input.bus_name,
        bus_index,
        effect_class: class,
        effect_index,
        path: layout.file.path.to_string(),
        written,
    })
}

/// Parameters may be written `roomSize` for `room_size`.
fn respelled(godot: &Godot<'_>, class: &str, params: JsonMap) -> JsonMap {
    let plain = |name: &str| name.replace('_', "").to_ascii_lowercase();
    let meant = |key: String| {
        let mut known = godot.classes().properties(class);
        let known = known.find(|property| plain(property.name) == plain(&key));
        known.map_or(key, |property| property.name.to_owned())
    };
    params.into_iter().map(|(key, value)| (meant(key), value)).collect()
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
    fn an_effect_comes_behind_those_of_its_bus() {
        check(
            json!({ "busName": "SFX", "effectType": "delay", "effectParams": { "tap1DelayMs": 120 } }),
            expect![[r#"
                --- a/default_bus_layout.tres
                +++ b/default_bus_layout.tres
                @@ -1,9 +1,13 @@
                -[gd_resource type="AudioBusLayout" load_steps=2 format=3 uid="uid://dmak8l1ae63sj"]
                +[gd_resource type="AudioBusLayout" load_steps=3 format=3 uid="uid://dmak8l1ae63sj"]
 
                 [sub_resource type="AudioEffectLowPassFilter" id="AudioEffectLowPassFilter_e8y3p"]
                 resource_name = "LowPassFilter"
                 cutoff_hz = 4000.0
 
                +[sub_resource type="AudioEffectDelay" id="AudioEffectDelay_5pj84"]
                +resource_name = "Delay"
                +tap1_delay_ms = 120.0
                +
                 [resource]
                 bus/1/name = &"Music"
                 bus/1/solo = false
                @@ -19,3 +23,5 @@
                 bus/2/send = &"Master"
                 bus/2/effect/0/effect = SubResource("AudioEffectLowPassFilter_e8y3p")
                 bus/2/effect/0/enabled = false
                +bus/2/effect/1/effect = SubResource("AudioEffectDelay_5pj84")
                +bus/2/effect/1/enabled = true
            "#]],
        );
    }

    #[test]
    fn a_bus_that_is_not_the_last_keeps_its_properties_together() {
        check(
            json!({ "busName": "Music", "effectType": "eq10", "effectParams": { "band_db/31_hz": 3 } }),
            expect![[r#"
                --- a/default_bus_layout.tres
                +++ b/default_bus_layout.tres
                @@ -1,9 +1,13 @@
                -[gd_resource type="AudioBusLayout" load_steps=2 format=3 uid="uid://dmak8l1ae63sj"]
                +[gd_resource type="AudioBusLayout" load_steps=3 format=3 uid="uid://dmak8l1ae63sj"]
 
                 [sub_resource type="AudioEffectLowPassFilter" id="AudioEffectLowPassFilter_e8y3p"]
                 resource_name = "LowPassFilter"
                 cutoff_hz = 4000.0
 
                +[sub_resource type="AudioEffectEQ10" id="AudioEffectEQ10_xwhl5"]
                +resource_name = "EQ10"
                +band_db/31_hz = 3.0
                +
                 [resource]
                 bus/1/name = &"Music"
                 bus/1/solo = false
                @@ -11,6 +15,8 @@
                 bus/1/bypass_fx = false
                 bus/1/volume_db = -6.0
                 bus/1/send = &"Master"
                +bus/1/effect/0/effect = SubResource("AudioEffectEQ10_xwhl5")
                +bus/1/effect/0/enabled = true
                 bus/2/name = &"SFX"
                 bus/2/solo = false
                 bus/2/mute = false
            "#]],
        );
        check(
            json!({ "busName": "Master", "effectType": "limiter" }),
            expect![[r#"
                --- a/default_bus_layout.tres
                +++ b/default_bus_layout.tres
                @@ -1,10 +1,15 @@
                -[gd_resource type="AudioBusLayout" load_steps=2 format=3 uid="uid://dmak8l1ae63sj"]
                +[gd_resource type="AudioBusLayout" load_steps=3 format=3 uid="uid://dmak8l1ae63sj"]
 
                 [sub_resource type="AudioEffectLowPassFilter" id="AudioEffectLowPassFilter_e8y3p"]
                 resource_name = "LowPassFilter"
                 cutoff_hz = 4000.0
 
                +[sub_resource type="AudioEffectLimiter" id="AudioEffectLimiter_7vd05"]
                +resource_name = "Limiter"
                +
                 [resource]
                +bus/0/effect/0/effect = SubResource("AudioEffectLimiter_7vd05")
                +bus/0/effect/0/enabled = true
                 bus/1/name = &"Music"
                 bus/1/solo = false
                 bus/1/mute = false
            "#]],
        );
    }

    #[test]
    fn what_cannot_be_is_said() {
        let sample = GodotSample::new();
        let refuse = |bus: &str, effect: &str, params: Value| {
            let arguments = json!({ "busName": bus, "effectType": effect, "effectParams": params });
            sample.error(super::TOOL.id, arguments)
        };
        expect!["bus not found: Musik; did you mean Music?"].assert_eq(&refuse(
            "Musik",
            "reverb",
            json!({}),
        ));
        expect![[r#"AudioEffectReverb.room_size takes float, not "big"; write the value as Godot writes it in its files"#]].assert_eq(&refuse("Music", "reverb", json!({ "roomsize": "big" })));
        expect!["AudioEffectReverb has no property 'cutoff'; there is wet, script, resource_local_to_scene, resource_scene_unique_id, room_size, predelay_feedback, resource_name, resource_path, damping, dry, hipass, predelay_msec and 1 more; get_class_info lists the properties"]
            .assert_eq(&refuse("Music", "reverb", json!({ "cutoff": 1 })));
        expect![[r#"Invalid tool arguments: effectType must be one of ["amplify","bandlimit","bandpass","chorus","compressor","delay","distortion","eq6","eq10","eq21","filter","hard_limiter","highpass","highshelf","limiter","lowpass","lowshelf","notch","panner","phaser","pitch_shift","record","reverb","spectrum_analyzer","stereo_enhance"]"#]].assert_eq(&refuse("Music", "echo", json!({})));
    }
}
