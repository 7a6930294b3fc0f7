//! The tool `mesh.combineStatic`: Combine Static Meshes.

use std::collections::HashMap;

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::{Create, Editor, Refusal};
use scenewright_unity::hierarchy::{Hierarchy, Node};
use scenewright_unity::mesh::{Piece, Shape, combine};
use scenewright_unity::pose::Matrix;
use scenewright_unity::{Guid, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{LOD_GROUP, MESH_FILTER, MESH_RENDERER, document, shown, text_of};
use crate::base::assets::{NewFiles, stem};
use crate::base::editing::{Opened, refused};
use crate::base::{InUnity, Unity, pose};

/// The bit of `m_StaticEditorFlags` that lets Unity combine meshes.
const BATCHING: u32 = 4;
/// Objects that are told of when they are left out.
const MAX_TOLD: usize = 20;

pub(crate) const TOOL: Tool = Tool {
    id: "mesh.combineStatic",
    keywords: "merge meshes batch static draw calls one mesh join combine batching optimise performance",
    title: "Combine Static Meshes",
    notes: Some(
        "Of meshes that are saved as text: those of models and Unity's own (Cube …) are in no file, and their objects are left out and told.",
    ),
    category: "mesh",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Combine two static tiles in a scene of the Unity sample",
        input: r#"{ "project": "unity", "scenePath": "Assets/Scenes/Cellar.unity" }"#,
        output: r#"{
            "success": true,
            "combinedMeshPath": "Assets/Scenes/Cellar Combined.asset",
            "vertexCount": 18,
            "savedDrawCalls": 1,
            "object": "Cellar Combined",
            "combined": ["Tile A", "Tile B"],
            "dryRun": false,
            "filesChanged": 3,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[
        Earlier { tool: "project.writeFile", input: super::auto_l_o_d::TILE },
        Earlier {
            tool: "unity.edit",
            input: r#"{ "project": "unity", "path": "Assets/Scenes/Cellar.unity", "changes": [
                { "op": "create", "name": "Tile A", "components": ["MeshFilter", "MeshRenderer"] },
                { "op": "set", "object": "Tile A", "field": "m_StaticEditorFlags", "value": "4" },
                { "op": "set", "object": "Tile A", "component": "MeshFilter", "field": "m_Mesh", "value": "Assets/Tile.asset" },
                { "op": "set", "object": "Tile A", "component": "MeshRenderer", "field": "m_Materials[0]", "value": "Assets/Materials/Stone.mat" },
                { "op": "duplicate", "object": "Tile A", "name": "Tile B" }
            ] }"#,
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make one mesh of the meshes that a scene's static objects show: each where it stands, with one part
/// for each material. A new object shows it, and what drew the others is switched off.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The scene.
    scene_path: String,
    /// Only objects with this tag.
    static_tag: Option<String>,
    /// More meshes than this are refused.
    #[serde(default = "most")]
    #[schemars(range(min = 2, max = 50))]
    max_meshes: u32,
    /// What becomes of the objects whose meshes were combined.
    #[serde(default)]
    originals: Originals,
    /// Where the mesh comes; beside the scene by default.
    mesh_path: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Originals {
    /// Their MeshRenderers are switched off; colliders and scripts go on.
    #[default]
    Disable,
    /// They are drawn as before, beside the new one.
    Keep,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The new mesh.
    combined_mesh_path: String,
    /// How many vertices it has.
    vertex_count: u64,
    /// How many draw calls it saves.
    saved_draw_calls: u64,
    /// The object that shows it.
    object: String,
    /// The objects whose meshes are in it.
    combined: Vec<String>,
    /// Static objects that were left out, at most 20, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn most() -> u32 {
    50
}

/// An object that is to be combined.
struct Found {
    path: String,
    address: String,
    place: Matrix,
    mesh: Reference,
    materials: Vec<Reference>,
    flags: u32,
    layer: u32,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (scene, tree) = unity.hierarchy(&input.scene_path)?;
    let (mut found, mut left_out) = statics(cx, &tree, input.static_tag.as_deref())?;
    let meshes = read_all(&unity, &mut found, &mut left_out);
    check_count(&input, &found, &left_out)?;
    let pieces: Vec<Piece<'_, Reference>> = found
        .iter()
        .map(|one| Piece {
            shape: &meshes[&(one.mesh.guid, one.mesh.file_id.0)],
            place: one.place,
            materials: one.materials.clone(),
        })
        .collect();
    let drawn: usize =
        pieces.iter().map(|piece| piece.materials.len().min(piece.shape.parts.len())).sum();
    let (shape, materials) = combine(&pieces);
    let place = mesh_place(&unity, &scene, input.mesh_path.as_deref())?;
    let name = stem(place.as_str()).to_owned();
    let text = text_of(&unity, &name, &shape, &[])
        .map_err(|why| ToolError::new(ErrorKind::EngineError, format!("{place}: {why}")))?;
    let mut files = NewFiles::default();
    files.add(&unity, &place, text.into_bytes())?;
    let with_mesh = unity.with(&files);
    let opened = Opened::new(&with_mesh, &scene)?;
    let mut editor = opened.editor()?;
    let object =
        change(&mut editor, &name, &place, &materials, &found, input.originals).map_err(refused)?;
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    plan.write(&opened.path, Some(opened.before()), editor.to_bytes());
    let written = plan.commit(cx, input.dry_run, |path, bytes| match *path == opened.path {
        true => opened.check(bytes),
        false => unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err),
    })?;
    left_out.truncate(MAX_TOLD);
    Ok(Output {
        success: true,
        combined_mesh_path: place.to_string(),
        vertex_count: shape.count as u64,
        saved_draw_calls: drawn.saturating_sub(shape.parts.len()) as u64,
        object,
        combined: found.into_iter().map(|one| one.path).collect(),
        left_out,
        written,
    })
}

/// Static objects that show a mesh; and those that cannot be combined, with the reason.
fn statics(
    cx: &Cx,
    tree: &Hierarchy,
    tag: Option<&str>,
) -> Result<(Vec<Found>, Vec<String>), ToolError> {
    let (mut found, mut left_out) = (Vec::new(), Vec::new());
    for node in tree.objects() {
        cx.check_cancelled()?;
        let is_meant = node.static_flags() & BATCHING != 0
            && tag.is_none_or(|tag| node.tag() == tag)
            && node.is_active_in_hierarchy();
        if !is_meant {
            continue;
        }
        match one(&node) {
            Some(Ok(one)) => found.push(one),
            Some(Err(why)) => left_out.push(format!("{}: {why}", node.path())),
            None => {}
        }
    }
    Ok((found, left_out))
}

/// What is to be known of an object that draws a mesh; nothing when it draws none.
fn one(node: &Node<'_>) -> Option<Result<Found, String>> {
    let components = node.components();
    let of = |class| components.iter().find(|component| component.class_id() == class);
    let (_, renderer) = (of(MESH_FILTER)?, of(MESH_RENDERER)?);
    if renderer.enabled() == Some(false) {
        return None;
    }
    let has_levels =
        |node: &Node<'_>| node.components().iter().any(|own| own.class_id() == LOD_GROUP);
    if has_levels(node) || node.ancestors().any(|above| has_levels(&above)) {
        return Some(Err("a LODGroup chooses when it is drawn".to_owned()));
    }
    let (mesh, materials) = shown(&components)?;
    if mesh.is_null() {
        return None;
    }
    let Some(place) = pose::matrix(node) else {
        return Some(Err("where it is is not in the files".to_owned()));
    };
    Some(Ok(Found {
        path: node.path(),
        address: node.file_id().map(|id| format!("#{id}")).unwrap_or_else(|| node.path()),
        place,
        mesh,
        materials,
        flags: node.static_flags(),
        layer: node.layer(),
    }))
}

type Meshes = HashMap<(Option<Guid>, i64), Shape>;

/// The meshes of all; whoever shows one that cannot be read is left out.
fn read_all(unity: &Unity<'_>, found: &mut Vec<Found>, left_out: &mut Vec<String>) -> Meshes {
    let mut known: HashMap<(Option<Guid>, i64), Result<Shape, String>> = HashMap::new();
    found.retain(|one| {
        let key = (one.mesh.guid, one.mesh.file_id.0);
        let shape = known.entry(key).or_insert_with(|| read(unity, one.mesh));
        let why = match shape {
            Err(why) => why.clone(),
            Ok(shape) if one.materials.len() > shape.parts.len() => {
                "it draws a part with several materials".to_owned()
            }
            Ok(_) => return true,
        };
        left_out.push(format!("{}: {why}", one.path));
        false
    });
    known.into_iter().filter_map(|(key, shape)| Some((key, shape.ok()?))).collect()
}

fn read(unity: &Unity<'_>, mesh: Reference) -> Result<Shape, String> {
    let guid = mesh.guid.unwrap_or_default();
    if guid.is_built_in() {
        return Err("its mesh is one of Unity's own, which is in no file".to_owned());
    }
    let asset = unity.index.by_guid(guid).ok_or("its mesh is missing")?;
    let document = document(asset).map_err(|why| format!("{} {why}", asset.path()))?;
    let object = document.object(mesh.file_id).ok_or("its mesh is missing")?;
    Shape::read(object).map_err(|why| format!("the mesh of {}: {why}", asset.path()))
}

fn check_count(input: &Input, found: &[Found], left_out: &[String]) -> Result<(), ToolError> {
    let count = found.len();
    if count > input.max_meshes as usize {
        let text = format!(
            "Max meshes limit exceeded: {count} meshes, and {} are allowed",
            input.max_meshes
        );
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint("nothing was changed; staticTag takes those of one tag"));
    }
    if count >= 2 {
        return Ok(());
    }
    let text =
        format!("there is nothing to combine: {count} static objects show a mesh that can be read");
    let hint = match left_out.first() {
        Some(_) => format!("left out: {}", left_out[..left_out.len().min(5)].join("; ")),
        None => "static objects have the bit 4 in m_StaticEditorFlags, a MeshFilter and a MeshRenderer that is on".to_owned(),
    };
    Err(ToolError::new(ErrorKind::EngineError, text).hint(hint))
}

fn mesh_place(
    unity: &Unity<'_>,
    scene: &str,
    wanted: Option<&str>,
) -> Result<ProjectPath, ToolError> {
    let beside =
        format!("{} Combined.asset", scene.rsplit_once('.').map_or(scene, |(path, _)| path));
    let place = unity.asset_place(wanted.unwrap_or(&beside))?;
    if !place.as_str().ends_with(".asset") {
        return Err(ToolError::bad_argument("meshPath", "must end with .asset"));
    }
    unity.must_be_new(&place)?;
    Ok(place)
}

/// The new object, and the others without their pictures.
fn change(
    editor: &mut Editor<'_>,
    name: &str,
    mesh: &ProjectPath,
    materials: &[Reference],
    found: &[Found],
    originals: Originals,
) -> Result<String, Refusal> {
    let components = ["MeshFilter", "MeshRenderer"].map(str::to_owned).to_vec();
    let create = Create { name: name.to_owned(), components, ..Create::default() };
    let done = editor.create(&create)?;
    let own = done.id.map_or(done.path.clone(), |id| format!("#{id}"));
    let flags = found.iter().fold(u32::MAX, |flags, one| flags & one.flags);
    editor.set(Some(&own), None, "m_StaticEditorFlags", &json!(flags))?;
    let layer = found.first().map_or(0, |one| one.layer);
    if layer != 0 && found.iter().all(|one| one.layer == layer) {
        editor.set(Some(&own), None, "m_Layer", &json!(layer))?;
    }
    editor.set(Some(&own), Some("MeshFilter"), "m_Mesh", &json!(mesh.as_str()))?;
    let materials: Vec<Value> = materials.iter().map(|to| super::raw(*to)).collect();
    editor.set(Some(&own), Some("MeshRenderer"), "m_Materials", &json!(materials))?;
    if originals == Originals::Disable {
        for one in found {
            editor.set(Some(&one.address), Some("MeshRenderer"), "m_Enabled", &json!(0))?;
        }
    }
    Ok(done.path)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use scenewright_unity::mesh::{Shape, Usage};
    use scenewright_unity::{Document, FileId};
    use serde_json::{Value, json};

    use crate::testing::{call_writing, lines_of};

    const SCENE: &str = "Assets/Scenes/Cellar.unity";

    /// A copy of the sample with a tile, and two static ones in a scene, the second mirrored.
    fn cellar(more: &[Value]) -> Folder {
        let folder = Folder::copy_of(&sample("unity"));
        let input: Value = serde_json::from_str(super::super::auto_l_o_d::TILE).unwrap();
        folder.write("Assets/Tile.asset", input["content"].as_str().unwrap());
        folder.write(
            "Assets/Tile.asset.meta",
            "fileFormatVersion: 2\nguid: abc00000000000000000000000000001\nNativeFormatImporter:\n  mainObjectFileID: 4300000\n",
        );
        let tile = |name: &str, scale: Value, material: &str| {
            vec![
                json!({ "op": "create", "name": name, "components": ["MeshFilter", "MeshRenderer"], "position": [4, 0, 0], "scale": scale }),
                json!({ "op": "set", "object": name, "field": "m_StaticEditorFlags", "value": 6 }),
                json!({ "op": "set", "object": name, "component": "MeshFilter", "field": "m_Mesh", "value": "Assets/Tile.asset" }),
                json!({ "op": "set", "object": name, "component": "MeshRenderer", "field": "m_Materials[0]", "value": material }),
            ]
        };
        let mut changes = tile("A", json!([1, 1, 1]), "Assets/Materials/Stone.mat");
        changes.extend(tile("B", json!([-1, 1, 2]), "Assets/Materials/Stone.mat"));
        changes.extend(more.iter().cloned());
        let edit = json!({ "path": SCENE, "changes": changes });
        call_writing(&folder, "unity.edit", edit).unwrap();
        folder
    }

    #[test]
    fn tiles_become_one_mesh_where_they_stood() {
        let folder = cellar(&[]);
        let before = folder.read(SCENE);
        let outcome = call_writing(&folder, super::TOOL.id, json!({ "scenePath": SCENE })).unwrap();
        let output = outcome.output;
        assert_eq!(output["combined"], json!(["A", "B"]));
        assert_eq!((&output["vertexCount"], &output["savedDrawCalls"]), (&json!(18), &json!(1)));
        let mesh = folder.read("Assets/Scenes/Cellar Combined.asset");
        let shape =
            Shape::read(Document::parse(mesh.as_str()).object(FileId(4_300_000)).unwrap()).unwrap();
        assert_eq!(shape.bounds(), ([4.0, 0.0, 0.0], [1.0, 0.0, 2.0]));
        assert_eq!(shape.parts.len(), 1);
        // The mirrored one looks up, too.
        let points = shape.points();
        for three in shape.parts[0].corners.as_chunks::<3>().0 {
            let [a, b, c] = three.map(|at| points[at as usize]);
            let up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
            assert!(up > 0.0, "{three:?}");
        }
        assert_eq!(shape.attribute(Usage::NORMAL).unwrap().of_vertex::<3>(17), [0.0, 1.0, 0.0]);
        let guid = folder.read("Assets/Scenes/Cellar Combined.asset.meta");
        let guid = guid.lines().nth(1).unwrap().replace("guid: ", "");
        let after = folder.read(SCENE);
        let diff =
            scenewright_text::diff::unified(before.as_bytes(), after.as_bytes(), "a", "b", 0);
        expect![[r#"
            --- a
            +++ b
            -  m_Enabled: 1
            +  m_Enabled: 0
            +--- !u!1 &1029244082
            +GameObject:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  serializedVersion: 6
            +  m_Component:
            +  - component: {fileID: 1029244083}
            +  - component: {fileID: 1029244084}
            +  - component: {fileID: 1029244085}
            +  m_Layer: 0
            +  m_Name: Cellar Combined
            +  m_TagString: Untagged
            +  m_Icon: {fileID: 0}
            +  m_NavMeshLayer: 0
            +  m_StaticEditorFlags: 6
            +  m_IsActive: 1
            +--- !u!4 &1029244083
            +Transform:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1029244082}
            +  serializedVersion: 2
            +  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
            +  m_LocalPosition: {x: 0, y: 0, z: 0}
            +  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_ConstrainProportionsScale: 0
            +  m_Children: []
            +  m_Father: {fileID: 0}
            +  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
            +--- !u!33 &1029244084
            +MeshFilter:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1029244082}
            +  m_Mesh: {fileID: 4300000, guid: (guid of the mesh), type: 2}
            +--- !u!23 &1029244085
            +MeshRenderer:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1029244082}
            +  m_Enabled: 1
            +  m_CastShadows: 1
            +  m_ReceiveShadows: 1
            +  m_DynamicOccludee: 1
            +  m_StaticShadowCaster: 0
            +  m_MotionVectors: 1
            +  m_LightProbeUsage: 1
            +  m_ReflectionProbeUsage: 1
            +  m_RayTracingMode: 2
            +  m_RayTraceProcedural: 0
            +  m_RenderingLayerMask: 1
            +  m_RendererPriority: 0
            +  m_Materials:
            +  - {fileID: 2100000, guid: fdfcc7ccef48ae2203d1f34e6c873cd7, type: 2}
            +  m_StaticBatchInfo:
            +    firstSubMesh: 0
            +    subMeshCount: 0
            +  m_StaticBatchRoot: {fileID: 0}
            +  m_ProbeAnchor: {fileID: 0}
            +  m_LightProbeVolumeOverride: {fileID: 0}
            +  m_ScaleInLightmap: 1
            +  m_ReceiveGI: 1
            +  m_PreserveUVs: 0
            +  m_IgnoreNormalsForChartDetection: 0
            +  m_ImportantGI: 0
            +  m_StitchLightmapSeams: 1
            +  m_SelectedEditorRenderState: 3
            +  m_MinimumChartSize: 4
            +  m_AutoUVMaxDistance: 0.5
            +  m_AutoUVMaxAngle: 89
            +  m_LightmapParameters: {fileID: 0}
            +  m_SortingLayerID: 0
            +  m_SortingLayer: 0
            +  m_SortingOrder: 0
            +  m_AdditionalVertexStreams: {fileID: 0}
            -  m_Enabled: 1
            +  m_Enabled: 0
            +  - {fileID: 1029244083}
        "#]]
        .assert_eq(&lines_of(&diff.text.replace(&guid, "(guid of the mesh)")));
    }

    #[test]
    fn materials_and_what_is_left_out_are_told() {
        let folder = cellar(&[
            json!({ "op": "duplicate", "object": "A", "name": "C" }),
            json!({ "op": "set", "object": "C", "component": "MeshRenderer", "field": "m_Materials[0]", "value": "Assets/Materials/Flame.mat" }),
            json!({ "op": "duplicate", "object": "A", "name": "Box" }),
            json!({ "op": "set", "object": "Box", "component": "MeshFilter", "field": "m_Mesh", "value": { "fileID": 10202, "guid": "0000000000000000e000000000000000", "type": 0 } }),
            json!({ "op": "duplicate", "object": "A", "name": "Far" }),
            json!({ "op": "addComponent", "object": "Far", "component": "LODGroup" }),
            json!({ "op": "duplicate", "object": "A", "name": "Off" }),
            json!({ "op": "set", "object": "Off", "field": "m_IsActive", "value": false }),
            json!({ "op": "duplicate", "object": "A", "name": "Moves" }),
            json!({ "op": "set", "object": "Moves", "field": "m_StaticEditorFlags", "value": 0 }),
        ]);
        let arguments =
            json!({ "scenePath": SCENE, "originals": "keep", "meshPath": "Assets/New/All.asset" });
        let output = call_writing(&folder, super::TOOL.id, arguments).unwrap().output;
        assert_eq!(output["combined"], json!(["A", "C", "B"]));
        let parts = Document::parse(folder.read("Assets/New/All.asset").as_str());
        let shape = Shape::read(parts.object(FileId(4_300_000)).unwrap()).unwrap();
        assert_eq!((shape.parts.len(), output["savedDrawCalls"].as_u64()), (2, Some(1)));
        expect![[r#"
            [
              "Far: a LODGroup chooses when it is drawn",
              "Box: its mesh is one of Unity's own, which is in no file"
            ]"#]]
        .assert_eq(&serde_json::to_string_pretty(&output["leftOut"]).unwrap());
        assert!(!folder.read(SCENE).contains("  m_Enabled: 0\n"));
        let told =
            |arguments: Value| call_writing(&folder, super::TOOL.id, arguments).unwrap_err().text();
        let refused = [
            told(json!({ "scenePath": SCENE, "maxMeshes": 2 })),
            told(json!({ "scenePath": SCENE, "staticTag": "Player" })),
            told(json!({ "scenePath": "Assets/Scenes/Main.unity" })),
            told(json!({ "scenePath": "Assets/Scenes/Celler.unity" })),
            told(json!({ "scenePath": SCENE, "meshPath": "Assets/New/All.asset" })),
        ];
        expect![[r#"
            Max meshes limit exceeded: 4 meshes, and 2 are allowed
            Try: nothing was changed; staticTag takes those of one tag
            there is nothing to combine: 0 static objects show a mesh that can be read
            Try: static objects have the bit 4 in m_StaticEditorFlags, a MeshFilter and a MeshRenderer that is on
            there is nothing to combine: 0 static objects show a mesh that can be read
            Try: static objects have the bit 4 in m_StaticEditorFlags, a MeshFilter and a MeshRenderer that is on
            Scene file not found
            Try: did you mean Assets/Scenes/Cellar.unity?
            Assets/New/All.asset exists already
            Try: nothing was changed; choose another path, or delete it first with asset_delete"#]].assert_eq(&refused.join("\n"));
    }
}
