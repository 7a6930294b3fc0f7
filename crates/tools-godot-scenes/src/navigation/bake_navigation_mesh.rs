//! The tool `godotNavigation.bakeNavigationMesh`, which MCP clients call `bake_navigation_mesh`.

use std::time::Duration;

use scenewright_contract::{ErrorKind, JsonMap, Limits, Runs, Safety, ToolError};
use scenewright_godot::Variant;
use scenewright_toolkit::door::{ProjectPath, Written};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::{Bake, bake};
use scenewright_tools_godot::base::{Godot, InGodot, InProject, OpenDocument, Write, given};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub(crate) const TOOL: Tool = Tool {
    id: "godotNavigation.bakeNavigationMesh",
    keywords: "navmesh polygon rebuild navpoly walkable area pathfinding",
    mcp: Some("bake_navigation_mesh"),
    title: "Bake Navigation Mesh",
    notes: Some(
        "Godot is needed only with scenePath. It loads the scene as it is on the disk, and with it the project's autoloads.",
    ),
    category: "godot.navigation",
    // Loading a scene runs what its scripts do when they are made.
    safety: Safety::Destructive,
    runs: Runs::AndWrites,
    dry_runs: true,
    idempotent: true,
    limits: Limits { timeout: Duration::from_secs(300), ..Limits::DEFAULT },
    needs: Needs::Program,
    examples: &[
        Example {
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
        },
        Example {
            description: "Bake it from the yard",
            input: r#"{
                "projectPath": "godot",
                "meshPath": "res://resources/walkers.tres",
                "is3D": true,
                "scenePath": "res://scenes/yard.tscn"
            }"#,
            output: r#"{
                "success": true,
                "meshPath": "resources/walkers.tres",
                "meshType": "NavigationMesh",
                "created": false,
                "properties": {},
                "baked": true,
                "regionPath": ".",
                "vertices": 4,
                "polygons": 2,
                "dryRun": false,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes", "undo"],
        },
    ],
    after: YARD,
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// A scene to walk in; the sample is a flat game.
const YARD: &[Earlier] = &[Earlier {
    tool: "project.batch",
    input: r#"{ "project": "godot", "steps": [
        { "tool": "create_scene", "arguments": { "scenePath": "scenes/yard.tscn", "rootNodeType": "NavigationRegion3D" } },
        { "tool": "add_node", "arguments": { "scenePath": "scenes/yard.tscn", "nodeType": "MeshInstance3D", "nodeName": "Floor", "properties": { "mesh": { "type": "PlaneMesh", "size": { "x": 8, "y": 8 } } } } }
    ] }"#,
}];

/// Write a NavigationPolygon, or NavigationMesh in 3D, with the measures of its agents, and bake it
/// from a scene if one is named. A file that is there keeps what is not named.
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
    /// Bake it from this scene; needs Godot.
    scene_path: Option<String>,
    /// The region to bake from; by default the one that uses the mesh, or the only one.
    region_path: Option<String>,
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
    surface: Option<Surface>,
    #[serde(flatten)]
    written: Written,
}

/// What was baked.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Surface {
    /// The region it was baked from.
    region_path: String,
    /// How many corners it has.
    vertices: usize,
    /// How many areas it has.
    polygons: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
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
    let surface = match &input.scene_path {
        Some(text) => Some(bake_into(&godot, &mut file, &scene(&godot, text)?, &input)?),
        None => {
            cx.diagnose("the mesh has no surface until it is baked: scenePath names where");
            None
        }
    };
    let written = file.save(&godot, input.write)?;
    let (mesh_path, baked) = (file.path.to_string(), surface.is_some());
    Ok(Output { success: true, mesh_path, mesh_type, created, properties, baked, surface, written })
}

/// The scene to bake from, which the engine reads from the disk.
fn scene(godot: &Godot<'_>, text: &str) -> Result<ProjectPath, ToolError> {
    if godot.cx.stage().is_some() {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            "a mesh cannot be baked in a batch: Godot sees no file before the batch is done",
        )
        .hint("leave scenePath out, and call bake_navigation_mesh with it afterwards"));
    }
    let path = godot.path(text)?;
    if !godot.exists(&path) {
        return Err(ToolError::not_found("scene", path.as_str())
            .hint("list_scenes shows the scenes of the project"));
    }
    Ok(path)
}

/// Put the surface that the engine finds into the mesh.
fn bake_into(
    godot: &Godot<'_>,
    file: &mut OpenDocument,
    scene: &ProjectPath,
    input: &Input,
) -> Result<Surface, ToolError> {
    let wanted = Bake {
        scene: &format!("res://{scene}"),
        region: input.region_path.as_deref(),
        mesh_path: &format!("res://{}", file.path),
        mesh: &file.document.to_bytes(),
        is_3d: input.is_3d,
    };
    let baked = bake(godot, &wanted)?;
    let class = if input.is_3d { "NavigationMesh" } else { "NavigationPolygon" };
    for (key, value) in [("vertices", &baked.vertices), ("polygons", &baked.polygons)] {
        let section = file.document.main_resource().map(|section| section.index());
        let section = section.ok_or_else(|| ToolError::failed("the mesh has no [resource]"))?;
        godot.set_value(&mut file.document, section, class, (key, value), true)?;
    }
    let polygons = baked.polygons.as_array().map_or(0, <[Variant]>::len);
    if polygons == 0 {
        godot.cx.diagnose(match input.is_3d {
            true => "nothing to walk on was found: meshes and static bodies below the region count",
            false => "nothing to walk on was found: in 2D the mesh needs an outline, or tiles with navigation",
        });
    }
    let vertices = corners(&baked.vertices, if input.is_3d { 3 } else { 2 });
    Ok(Surface { region_path: baked.region, vertices, polygons })
}

/// How many points a packed array has.
fn corners(vertices: &Variant, numbers_each: usize) -> usize {
    match vertices {
        Variant::Tuple(_, numbers) => numbers.len() / numbers_each,
        _ => 0,
    }
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
        expect![[r#"scene not found: none.tscn; list_scenes shows the scenes of the project"#]]
            .assert_eq(&refuse(json!({ "scenePath": "none.tscn" })));
        expect!["resources/theme.tres holds Theme, no NavigationPolygon; nothing was changed; choose another path"].assert_eq(&refuse(json!({ "meshPath": "resources/theme.tres" })));
    }
}
