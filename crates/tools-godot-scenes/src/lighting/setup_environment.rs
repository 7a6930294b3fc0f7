//! The tool `godotLighting.setupEnvironment`, which MCP clients call `setup_environment`.

use scenewright_contract::{JsonMap, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, OpenDocument, Write, given};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotLighting.setupEnvironment",
    keywords: "sky fog glow bloom ambient tonemap background worldenvironment post processing skybox ssao color correction brightness atmosphere",
    mcp: Some("setup_environment"),
    title: "Setup Environment",
    category: "godot.lighting",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "A foggy evening under a sky",
        input: r#"{
            "projectPath": "godot",
            "environmentPath": "res://resources/evening.tres",
            "backgroundMode": "sky",
            "ambientLightColor": { "r": 0.4, "g": 0.45, "b": 0.7 },
            "tonemapMode": "filmic",
            "fogEnabled": true,
            "fogDensity": 0.02
        }"#,
        output: r#"{
            "success": true,
            "environmentPath": "resources/evening.tres",
            "created": true,
            "properties": {
                "background_mode": "sky",
                "sky": {
                    "type": "Sky",
                    "sky_material": { "type": "ProceduralSkyMaterial" }
                },
                "ambient_light_source": "color",
                "ambient_light_color": { "r": 0.4, "g": 0.45, "b": 0.7 },
                "tonemap_mode": "filmic",
                "fog_enabled": true,
                "fog_density": 0.02
            },
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

/// Write an Environment resource: background, ambient light, tone mapping, glow, fog. In a file that
/// is there, only what is named changes; a WorldEnvironment node shows it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The file: `res://env.tres`.
    environment_path: String,
    /// `sky` comes with a procedural sky unless the file has one.
    background_mode: Option<BackgroundMode>,
    /// `{"r": 0, "g": 0, "b": 0}` or `"#000000"`; shown with custom_color.
    #[schemars(extend("type" = ["object", "string"]))]
    background_color: Option<Value>,
    /// The same; it becomes the source of ambient light.
    #[schemars(extend("type" = ["object", "string"]))]
    ambient_light_color: Option<Value>,
    /// Strength of ambient light.
    #[schemars(range(min = 0))]
    ambient_light_energy: Option<f64>,
    /// How bright colours are brought onto the screen.
    tonemap_mode: Option<TonemapMode>,
    /// Whether bright places glow.
    glow_enabled: Option<bool>,
    /// Strength of the glow.
    #[schemars(range(min = 0))]
    glow_intensity: Option<f64>,
    /// Whether there is fog.
    fog_enabled: Option<bool>,
    /// Thickness of the fog; 0.01 by default.
    #[schemars(range(min = 0))]
    fog_density: Option<f64>,
    /// Colour of the fog.
    #[schemars(extend("type" = ["object", "string"]))]
    fog_color: Option<Value>,
    /// Ambient occlusion in screen space; needs Forward+.
    ssao_enabled: Option<bool>,
    /// Reflections in screen space; need Forward+.
    ssr_enabled: Option<bool>,
    /// Global illumination by distance fields; needs Forward+.
    sdfgi_enabled: Option<bool>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum BackgroundMode {
    ClearColor,
    CustomColor,
    Sky,
    Canvas,
    Keep,
    CameraFeed,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum TonemapMode {
    Linear,
    Reinhard,
    Filmic,
    Aces,
    Agx,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    environment_path: String,
    /// Whether it is new.
    created: bool,
    /// What was set.
    properties: JsonMap,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.new_path(&input.environment_path, &["tres"])?;
    let created = !godot.exists(&path);
    let mut file = godot.resource_file(path, "Environment")?;
    let properties = properties(&file, &input);
    godot.set_resource(&mut file.document, "Environment", &properties)?;
    remarks(cx, &godot, &file, &input);
    let written = file.save(&godot, input.write)?;
    let environment_path = file.path.to_string();
    Ok(Output { success: true, environment_path, created, properties, written })
}

fn properties(file: &OpenDocument, input: &Input) -> JsonMap {
    let has_sky = own(file, "sky").is_some();
    let needs_sky = input.background_mode == Some(BackgroundMode::Sky) && !has_sky;
    let sky = || json!({ "type": "Sky", "sky_material": { "type": "ProceduralSkyMaterial" } });
    let ambient = input.ambient_light_color.as_ref();
    given([
        ("background_mode", input.background_mode.map(|mode| json!(mode))),
        ("background_color", input.background_color.clone()),
        ("sky", needs_sky.then(sky)),
        // The colour counts only when it is the source.
        ("ambient_light_source", ambient.map(|_| "color".into())),
        ("ambient_light_color", ambient.cloned()),
        ("ambient_light_energy", input.ambient_light_energy.map(Value::from)),
        ("tonemap_mode", input.tonemap_mode.map(|mode| json!(mode))),
        ("ssr_enabled", input.ssr_enabled.map(Value::from)),
        ("ssao_enabled", input.ssao_enabled.map(Value::from)),
        ("sdfgi_enabled", input.sdfgi_enabled.map(Value::from)),
        ("glow_enabled", input.glow_enabled.map(Value::from)),
        ("glow_intensity", input.glow_intensity.map(Value::from)),
        ("fog_enabled", input.fog_enabled.map(Value::from)),
        ("fog_light_color", input.fog_color.clone()),
        ("fog_density", input.fog_density.map(Value::from)),
    ])
}

fn own(file: &OpenDocument, key: &str) -> Option<String> {
    let value = file.document.main_resource()?.property(key)?;
    Some(value.raw().into_owned())
}

/// Say what is set and will not be seen.
fn remarks(cx: &Cx, godot: &Godot<'_>, file: &OpenDocument, input: &Input) {
    if input.background_color.is_some() && own(file, "background_mode").as_deref() != Some("1") {
        cx.diagnose("background_color is shown with backgroundMode custom_color only");
    }
    let renderer = godot.facts().and_then(|facts| facts.renderer.as_deref());
    let renderer = renderer.filter(|name| *name != "Forward Plus");
    let wants = [input.ssao_enabled, input.ssr_enabled, input.sdfgi_enabled].contains(&Some(true));
    if let Some(renderer) = renderer.filter(|_| wants) {
        cx.diagnose(format!(
            "the project renders with {renderer}; ssao, ssr and sdfgi are made for Forward Plus"
        ));
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(more: Value) -> Value {
        let mut arguments = json!({ "environmentPath": "res://env" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    #[test]
    fn a_file_is_made_and_then_changed() {
        let sample = GodotSample::new();
        let first = json!({
            "backgroundMode": "sky", "fogColor": "#336699", "fogEnabled": true, "glowIntensity": 1.5,
            "ambientLightColor": { "r": 1, "g": 0.5, "b": 0 }, "tonemapMode": "agx",
        });
        expect![[r#"
            --- /dev/null
            +++ b/env.tres
            @@ -0,0 +1,16 @@
            +[gd_resource type="Environment" format=3]
            +
            +[sub_resource type="ProceduralSkyMaterial" id="ProceduralSkyMaterial_vy81s"]
            +
            +[sub_resource type="Sky" id="Sky_ktn7c"]
            +sky_material = SubResource("ProceduralSkyMaterial_vy81s")
            +
            +[resource]
            +background_mode = 2
            +sky = SubResource("Sky_ktn7c")
            +ambient_light_source = 2
            +ambient_light_color = Color(1, 0.5, 0, 1)
            +tonemap_mode = 4
            +glow_intensity = 1.5
            +fog_enabled = true
            +fog_light_color = Color(0.2, 0.4, 0.6, 1)
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments(first)));
        let second = json!({
            "backgroundMode": "sky", "fogEnabled": false, "ssaoEnabled": true,
            "ambientLightEnergy": 0.25, "tonemapMode": "linear",
        });
        expect![[r#"
            --- a/env.tres
            +++ b/env.tres
            @@ -10,7 +10,7 @@
             sky = SubResource("Sky_ktn7c")
             ambient_light_source = 2
             ambient_light_color = Color(1, 0.5, 0, 1)
            -tonemap_mode = 4
            +ambient_light_energy = 0.25
            +ssao_enabled = true
             glow_intensity = 1.5
            -fog_enabled = true
             fog_light_color = Color(0.2, 0.4, 0.6, 1)
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments(second)));
    }

    #[test]
    fn what_is_no_environment_is_said() {
        let sample = GodotSample::new();
        let at = |path: &str| sample.error(super::TOOL.id, json!({ "environmentPath": path }));
        expect!["resources/theme.tres holds Theme, no Environment; nothing was changed; choose another path"].assert_eq(&at("resources/theme.tres"));
        expect!["env.res ends in .res, and this makes .tres"].assert_eq(&at("env.res"));
        let color = arguments(json!({ "fogColor": { "red": 1 } }));
        expect![[r##"Environment.fog_light_color takes Color, not {"red":1}; write "#ff8800" or {"r": 1, "g": 0.5, "b": 0}"##]].assert_eq(&sample.error(super::TOOL.id, color));
    }
}
