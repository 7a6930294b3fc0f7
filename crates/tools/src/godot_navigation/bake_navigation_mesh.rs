use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::door::Written;
use crate::godot::{InProject, Write, given};
use crate::{Cx, Example, Tool, call, schema};

pub(crate) const TOOL: Tool = Tool {
    id: "godotNavigation.bakeNavigationMesh",
    mcp: Some("bake_navigation_mesh"),
    title: "Bake Navigation Mesh",
    category: "godot.navigation",
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "A mesh for small walkers",
        input: r#"{
            "projectPath": "godot",
            "meshPath": "res://resources/walkers.tres",
            "is3D": true,
            "agentRadius": 0.25,
            "agentMaxSlope": 30
        }"#,
        output: r#"{
            "success": true,
            "meshPath": "resources/walkers.tres",
            "meshType": "NavigationMesh",
            "created": true,
            "properties": { "agent_radius": 0.25, "agent_max_slope": 30.0 },
            "baked": false,
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

/// Write a NavigationPolygon, or NavigationMesh in 3D, with the measures of its agents. Baking it
/// from a scene needs the engine; a file that is there keeps what is not named.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The file: `res://walk.tres`.
    mesh_path: String,
    /// A NavigationMesh instead of a NavigationPolygon.
    #[serde(default, rename = "is3D")]
    is_3d: bool,
    /// Pixels in 2D (10 by default), metres in 3D (0.5).
    #[schemars(range(min = 0))]
    agent_radius: Option<f64>,
    /// Metres, in 3D.
    #[schemars(range(min = 0))]
    agent_height: Option<f64>,
    /// Metres, in 3D.
    #[schemars(range(min = 0))]
    agent_max_climb: Option<f64>,
    /// Degrees, in 3D.
    #[schemars(range(min = 0, max = 90))]
    agent_max_slope: Option<f64>,
    /// Bake it from the region that uses it in this scene; needs the engine.
    scene_path: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    mesh_path: String,
    /// Its class.
    mesh_type: &'static str,
    /// Whether it is new.
    created: bool,
    /// What was set.
    properties: JsonMap,
    /// Whether it was baked from a scene.
    baked: bool,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    if input.scene_path.is_some() {
        return Err(cannot_bake());
    }
    let mesh_type = if input.is_3d { "NavigationMesh" } else { "NavigationPolygon" };
    let properties = given([
        ("agent_height", input.agent_height.map(Value::from)),
        ("agent_radius", input.agent_radius.map(Value::from)),
        ("agent_max_climb", input.agent_max_climb.map(Value::from)),
        ("agent_max_slope", input.agent_max_slope.map(Value::from)),
    ]);
    if let Some(other) = properties.keys().find(|key| !input.is_3d && *key != "agent_radius") {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("a NavigationPolygon has no {other}: only agentRadius counts in 2D"),
        ));
    }
    let path = godot.new_path(&input.mesh_path, &["tres"])?;
    let created = !godot.exists(&path);
    let mut file = godot.resource_file(path, mesh_type)?;
    godot.set_resource(&mut file.document, mesh_type, &properties)?;
    cx.diagnose("the mesh has no surface until it is baked: the editor does that for its region");
    let written = file.save(&godot, input.write)?;
    let mesh_path = file.path.to_string();
    Ok(Output { success: true, mesh_path, mesh_type, created, properties, baked: false, written })
}

fn cannot_bake() -> ToolError {
    ToolError::new(ErrorKind::EngineError, "baking a mesh from a scene needs the engine").hint(
        "nothing was changed; set GODOT_PATH to a Godot 4 binary, or leave scenePath out to write \
         the mesh's settings only",
    )
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn measures_are_set_and_kept() {
        let sample = GodotSample::new();
        let first =
            json!({ "meshPath": "walk", "is3D": true, "agentRadius": 1, "agentHeight": 1.5 });
        expect![[r#"
            --- /dev/null
            +++ b/walk.tres
            @@ -0,0 +1,4 @@
            +[gd_resource type="NavigationMesh" format=3]
            +
            +[resource]
            +agent_radius = 1.0
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, first));
        let second = json!({ "meshPath": "walk", "is3D": true, "agentMaxClimb": 0.5 });
        expect![[r#"
            --- a/walk.tres
            +++ b/walk.tres
            @@ -2,3 +2,4 @@
 
             [resource]
             agent_radius = 1.0
            +agent_max_climb = 0.5
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, second));
    }

    #[test]
    fn what_is_not_done_is_said() {
        let sample = GodotSample::new();
        let refuse = |more: Value| {
            let mut arguments = json!({ "meshPath": "walk.tres" });
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            sample.error(super::TOOL.id, arguments)
        };
        expect!["a NavigationPolygon has no agent_height: only agentRadius counts in 2D"]
            .assert_eq(&refuse(json!({ "agentHeight": 2 })));
        expect!["baking a mesh from a scene needs the engine; nothing was changed; set GODOT_PATH to a Godot 4 binary, or leave scenePath out to write the mesh's settings only"].assert_eq(&refuse(json!({ "scenePath": "scenes/level.tscn" })));
        expect!["resources/theme.tres holds Theme, no NavigationPolygon; nothing was changed; choose another path"].assert_eq(&refuse(json!({ "meshPath": "resources/theme.tres" })));
    }
}
