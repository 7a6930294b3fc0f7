//! The tool `godotParticles.createParticleMaterial`, which MCP clients call `create_particle_material`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject, Write, empty_resource, given};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

pub(crate) const TOOL: Tool = Tool {
    id: "godotParticles.createParticleMaterial",
    keywords: "particle gravity velocity spread lifetime color emission process material look shape",
    mcp: Some("create_particle_material"),
    title: "Create Particle Material",
    category: "godot.particles",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Sparks that fly up in a ring",
        input: r#"{
            "projectPath": "godot",
            "materialPath": "res://resources/sparks.tres",
            "emissionShape": "ring",
            "direction": { "x": 0, "y": -1, "z": 0 },
            "initialVelocityMin": 40,
            "initialVelocityMax": 80,
            "color": { "r": 1, "g": 0.84, "b": 0 }
        }"#,
        output: r#"{
            "success": true,
            "materialPath": "resources/sparks.tres",
            "properties": {
                "emission_shape": "ring",
                "direction": { "x": 0, "y": -1, "z": 0 },
                "initial_velocity_min": 40.0,
                "initial_velocity_max": 80.0,
                "color": { "r": 1, "g": 0.84, "b": 0 }
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

/// Write a new ParticleProcessMaterial, which tells how particles move and look. create_gpu_particles
/// uses it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The new file: `res://sparks.tres`.
    material_path: String,
    /// Where particles appear; `point` by default.
    emission_shape: Option<EmissionShape>,
    /// `{"x": 1, "y": 0, "z": 0}` by default.
    #[schemars(extend("type" = "object"))]
    direction: Option<Value>,
    /// Degrees to each side of the direction; 45 by default.
    #[schemars(range(min = 0, max = 180))]
    spread: Option<f64>,
    /// `{"x": 0, "y": -9.8, "z": 0}` by default; in 2D, y grows downwards.
    #[schemars(extend("type" = "object"))]
    gravity: Option<Value>,
    /// Lowest speed at first.
    initial_velocity_min: Option<f64>,
    /// Highest speed at first.
    initial_velocity_max: Option<f64>,
    /// Slowest turn, in degrees a second.
    angular_velocity_min: Option<f64>,
    /// Fastest turn, in degrees a second.
    angular_velocity_max: Option<f64>,
    /// Smallest size; 1 by default.
    scale_min: Option<f64>,
    /// Largest size; 1 by default.
    scale_max: Option<f64>,
    /// `{"r": 1, "g": 1, "b": 1, "a": 1}` or `"#ffffff"`.
    #[schemars(extend("type" = ["object", "string"]))]
    color: Option<Value>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum EmissionShape {
    Point,
    Sphere,
    SphereSurface,
    Box,
    Ring,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    material_path: String,
    /// What was set.
    properties: JsonMap,
    #[serde(flatten)]
    written: Written,
}

const CLASS: &str = "ParticleProcessMaterial";

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    check_pair("initialVelocity", input.initial_velocity_min, input.initial_velocity_max)?;
    check_pair("angularVelocity", input.angular_velocity_min, input.angular_velocity_max)?;
    check_pair("scale", input.scale_min, input.scale_max)?;
    let path = godot.new_path(&input.material_path, &["tres"])?;
    let mut file = godot.new_document(path, empty_resource(CLASS))?;
    let properties = given([
        ("emission_shape", input.emission_shape.map(|shape| json!(shape))),
        ("direction", input.direction),
        ("spread", input.spread.map(Value::from)),
        ("initial_velocity_min", input.initial_velocity_min.map(Value::from)),
        ("initial_velocity_max", input.initial_velocity_max.map(Value::from)),
        ("angular_velocity_min", input.angular_velocity_min.map(Value::from)),
        ("angular_velocity_max", input.angular_velocity_max.map(Value::from)),
        ("gravity", input.gravity),
        ("scale_min", input.scale_min.map(Value::from)),
        ("scale_max", input.scale_max.map(Value::from)),
        ("color", input.color),
    ]);
    godot.set_resource(&mut file.document, CLASS, &properties)?;
    let written = file.save(&godot, input.write)?;
    let material_path = file.path.to_string();
    Ok(Output { success: true, material_path, properties, written })
}

fn check_pair(name: &str, min: Option<f64>, max: Option<f64>) -> Result<(), ToolError> {
    match (min, max) {
        (Some(min), Some(max)) if min > max => Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{name}Min {min} is more than {name}Max {max}"),
        )),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    fn arguments(more: Value) -> Value {
        let mut arguments = json!({ "materialPath": "res://sparks" });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    #[test]
    fn a_material_has_what_is_not_godots_own() {
        let more = json!({
            "emissionShape": "sphere_surface", "spread": 45, "gravity": { "x": 0, "y": 98, "z": 0 },
            "scaleMin": 0.5, "scaleMax": 1, "angularVelocityMax": 90,
            "color": { "r": 1, "g": 0.5, "b": 0, "a": 0.5 },
        });
        expect![[r#"
            --- /dev/null
            +++ b/sparks.tres
            @@ -0,0 +1,8 @@
            +[gd_resource type="ParticleProcessMaterial" format=3]
            +
            +[resource]
            +emission_shape = 2
            +angular_velocity_max = 90.0
            +gravity = Vector3(0, 98, 0)
            +scale_min = 0.5
            +color = Color(1, 0.5, 0, 0.5)
        "#]]
        .assert_eq(&GodotSample::new().diff(super::TOOL.id, arguments(more)));
    }

    #[test]
    fn what_cannot_be_is_said() {
        let sample = GodotSample::new();
        let refuse = |more| sample.error(super::TOOL.id, arguments(more));
        expect!["resources/theme.tres exists already; nothing was changed; choose another name, or change the file that is there"].assert_eq(&refuse(json!({ "materialPath": "resources/theme.tres" })));
        expect!["scaleMin 3 is more than scaleMax 2"]
            .assert_eq(&refuse(json!({ "scaleMin": 3, "scaleMax": 2 })));
        expect![[r#"ParticleProcessMaterial.gravity takes Vector3, not {"x":0,"y":1}; write {"x": 1, "y": 2, "z": 3}"#]].assert_eq(&refuse(json!({ "gravity": { "x": 0, "y": 1 } })));
        expect![[r#"Invalid tool arguments: emissionShape must be one of ["point","sphere","sphere_surface","box","ring",null]"#]].assert_eq(&refuse(json!({ "emissionShape": "torus" })));
    }
}
