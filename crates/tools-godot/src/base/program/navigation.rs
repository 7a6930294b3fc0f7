//! Navigation meshes baked by the engine, which alone knows the shapes of everything in a scene.

use std::fs;
use std::time::Duration;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::Variant;
use serde::Deserialize;

use super::Scratch;
use crate::base::Godot;

/// A large scene takes some minutes.
const BAKE_TIME: Duration = Duration::from_secs(280);
/// So many regions are named in an error.
const MAX_NAMED: usize = 10;

/// What is to be baked, and from what.
pub struct Bake<'a> {
    /// `res://` path of the scene.
    pub scene: &'a str,
    /// The region in it; the one that uses the mesh, or the only one, by default.
    pub region: Option<&'a str>,
    /// `res://` path of the mesh.
    pub mesh_path: &'a str,
    /// The mesh with its settings, as text.
    pub mesh: &'a [u8],
    /// A NavigationMesh instead of a NavigationPolygon.
    pub is_3d: bool,
}

/// The surface that the engine found.
pub struct Baked {
    /// The region it is of.
    pub region: String,
    /// Its corners.
    pub vertices: Variant,
    /// Its areas, as lists of corners.
    pub polygons: Variant,
}

/// Loads a scene and a mesh, bakes the mesh from a region of the scene, and writes what came of it.
/// Scripts are taken off before the scene is entered: what they would do is not asked for.
const SCRIPT: &str = r#"extends SceneTree

func _initialize() -> void:
	_bake.call_deferred()

func _bake() -> void:
	var asked: Dictionary = JSON.parse_string(FileAccess.get_file_as_string(OS.get_cmdline_user_args()[0]))
	var packed := load(asked.scene) as PackedScene
	var mesh: Resource = load(asked.mesh_file)
	if packed == null or mesh == null:
		quit(3)
		return
	var scene := packed.instantiate()
	var kind := "NavigationRegion3D" if asked.is_3d else "NavigationRegion2D"
	var regions: Array[Node] = []
	for node: Node in [scene] + scene.find_children("*", "", true, false):
		node.set_script(null)
		if node.is_class(kind):
			regions.append(node)
	var answer := {"regions": regions.map(func(region): return str(scene.get_path_to(region)))}
	var chosen := _choose(scene, regions, asked)
	if chosen != null:
		root.add_child(scene)
		# Shapes that nodes make for themselves are there a moment later.
		await process_frame
		await process_frame
		_bake_from(chosen, mesh)
		answer.region = str(scene.get_path_to(chosen))
		answer.vertices = var_to_str(mesh.get("vertices"))
		answer.polygons = var_to_str(mesh.get("polygons"))
	scene.free()
	var file := FileAccess.open(asked.answer_file, FileAccess.WRITE)
	file.store_string(JSON.stringify(answer))
	file.close()
	quit()

func _choose(scene: Node, regions: Array[Node], asked: Dictionary) -> Node:
	if asked.region != null:
		var named := scene.get_node_or_null(NodePath(asked.region))
		return named if named in regions else null
	var uses := func(region: Node) -> bool:
		var mesh: Resource = region.get("navigation_mesh" if asked.is_3d else "navigation_polygon")
		return mesh != null and mesh.resource_path == asked.mesh_path
	var users := regions.filter(uses)
	var candidates := regions if users.is_empty() else users
	return candidates[0] if candidates.size() == 1 else null

func _bake_from(region: Node, mesh: Resource) -> void:
	if mesh is NavigationMesh:
		var shapes := NavigationMeshSourceGeometryData3D.new()
		NavigationServer3D.parse_source_geometry_data(mesh, shapes, region)
		NavigationServer3D.bake_from_source_geometry_data(mesh, shapes)
	else:
		var shapes := NavigationMeshSourceGeometryData2D.new()
		NavigationServer2D.parse_source_geometry_data(mesh, shapes, region)
		NavigationServer2D.bake_from_source_geometry_data(mesh, shapes)
"#;

/// What the script writes.
#[derive(Deserialize)]
struct Answer {
    regions: Vec<String>,
    region: Option<String>,
    #[serde(default)]
    vertices: String,
    #[serde(default)]
    polygons: String,
}

/// Let the engine bake a mesh. Nothing is written into the project.
pub fn bake(godot: &Godot<'_>, wanted: &Bake<'_>) -> Result<Baked, ToolError> {
    let program = godot.program()?;
    godot.warn_unless_imported();
    let scratch = Scratch::new()?;
    let script = scratch.write("bake.gd", SCRIPT.as_bytes())?;
    let mesh = scratch.write("mesh.tres", wanted.mesh)?;
    let answer = scratch.path().join("answer.json");
    let asked = serde_json::json!({
        "scene": wanted.scene,
        "region": wanted.region,
        "mesh_path": wanted.mesh_path,
        "mesh_file": mesh,
        "answer_file": answer,
        "is_3d": wanted.is_3d,
    });
    let asked = scratch.write("asked.json", asked.to_string().as_bytes())?;
    let mut command = program.headless(&godot.project.root);
    command.arg("--script").arg(script).arg("--").arg(asked);
    let finished = program.run(command, BAKE_TIME, godot.cx.cancel())?;
    let Ok(bytes) = fs::read(&answer) else {
        let why = match finished.code {
            Some(3) => format!("Godot cannot load {}", wanted.scene),
            _ => format!("Godot baked nothing: it {}", finished.how()),
        };
        return Err(ToolError::failed(format!("{why}:\n{}", finished.last_words(12)))
            .hint("nothing was changed"));
    };
    let answer: Answer = serde_json::from_slice(&bytes).map_err(not_understood)?;
    let Some(region) = &answer.region else { return Err(no_region(wanted, &answer.regions)) };
    let read = |text: &str| Variant::parse(text).map_err(not_understood);
    Ok(Baked {
        region: region.clone(),
        vertices: read(&answer.vertices)?,
        polygons: read(&answer.polygons)?,
    })
}

fn not_understood(error: impl std::fmt::Display) -> ToolError {
    ToolError::failed(format!("what Godot baked cannot be read: {error}"))
        .hint("nothing was changed")
}

/// Why it is not clear what to bake from.
fn no_region(wanted: &Bake<'_>, regions: &[String]) -> ToolError {
    let class = if wanted.is_3d { "NavigationRegion3D" } else { "NavigationRegion2D" };
    let scene = wanted.scene;
    let shown = regions[..regions.len().min(MAX_NAMED)].join(", ");
    let (message, hint) = match (wanted.region, regions.len()) {
        (_, 0) => (
            format!("{scene} has no {class} to bake from"),
            "nothing was changed; create_navigation_region adds one".to_owned(),
        ),
        (Some(named), _) => (
            format!("{named} is no {class} of {scene}"),
            format!("nothing was changed; it has {shown}"),
        ),
        (None, count) => (
            format!("{scene} has {count} regions, and not one alone uses {}", wanted.mesh_path),
            format!("nothing was changed; name one as regionPath: {shown}"),
        ),
    };
    ToolError::new(ErrorKind::BadArguments, message).hint(hint)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn refusal(region: Option<&str>, regions: &[&str]) -> String {
        let wanted = Bake {
            scene: "res://yard.tscn",
            region,
            mesh_path: "res://walk.tres",
            mesh: b"",
            is_3d: true,
        };
        let regions: Vec<String> = regions.iter().map(|region| (*region).to_owned()).collect();
        let error = no_region(&wanted, &regions);
        format!("{}; {}", error.message, error.hint.unwrap_or_default())
    }

    #[test]
    fn an_unclear_region_is_told_with_the_ones_there_are() {
        expect!["res://yard.tscn has no NavigationRegion3D to bake from; nothing was changed; create_navigation_region adds one"].assert_eq(&refusal(None, &[]));
        expect![
            "Gate is no NavigationRegion3D of res://yard.tscn; nothing was changed; it has Walk"
        ]
        .assert_eq(&refusal(Some("Gate"), &["Walk"]));
        expect!["res://yard.tscn has 2 regions, and not one alone uses res://walk.tres; nothing was changed; name one as regionPath: A, A/B"].assert_eq(&refusal(None, &["A", "A/B"]));
    }
}
