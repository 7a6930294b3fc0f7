//! The tool `mesh.autoLOD`: Make LOD Levels.

use std::sync::Arc;

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::New;
use scenewright_unity::edit::scene::{Create, Editor, FileKind, Refusal};
use scenewright_unity::index::AssetKind;
use scenewright_unity::mesh::{Shape, beside_channels, simplify};
use scenewright_unity::{Document, Guid, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{MESH_FILTER, Named, named, raw, shown, text_of};
use crate::base::assets::{NewFiles, stem};
use crate::base::classes::ProjectClasses;
use crate::base::editing::{engine_project, refused};
use crate::base::{InUnity, Unity};

/// The share of the screen's height from which down the next level is shown; the first three are those
/// of a new LODGroup.
const HEIGHTS: [f64; 8] = [0.6, 0.3, 0.1, 0.05, 0.03, 0.02, 0.015, 0.01];
/// Half of the angle that a camera sees from top to bottom, when nobody changed it.
const HALF_VIEW: f64 = 30.0;
/// The material of new primitives.
const DEFAULT_MATERIAL: (i64, &str) = (10_303, "0000000000000000f000000000000000");
/// Files that are looked into for the materials of a mesh.
const MAX_USERS: usize = 50;

/// A flat tile of nine vertices, for examples.
pub(super) const TILE: &str = r#"{ "project": "unity", "path": "Assets/Tile.asset", "content": "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!43 &4300000\nMesh:\n  m_ObjectHideFlags: 0\n  m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n  m_PrefabAsset: {fileID: 0}\n  m_Name: Tile\n  serializedVersion: 11\n  m_SubMeshes:\n  - serializedVersion: 2\n    firstByte: 0\n    indexCount: 24\n    topology: 0\n    baseVertex: 0\n    firstVertex: 0\n    vertexCount: 9\n  m_IndexFormat: 0\n  m_IndexBuffer: 000003000100010003000400010004000200020004000500030006000400040006000700040007000500050007000800\n  m_VertexData:\n    serializedVersion: 3\n    m_VertexCount: 9\n    m_Channels:\n    - stream: 0\n      offset: 0\n      format: 0\n      dimension: 3\n    - stream: 0\n      offset: 12\n      format: 0\n      dimension: 3\n    m_DataSize: 216\n    _typelessdata: 000080bf00000000000080bf000000000000803f000000000000000000000000000080bf000000000000803f000000000000803f00000000000080bf000000000000803f00000000000080bf0000000000000000000000000000803f00000000000000000000000000000000000000000000803f000000000000803f0000000000000000000000000000803f00000000000080bf000000000000803f000000000000803f0000000000000000000000000000803f000000000000803f000000000000803f000000000000803f000000000000803f00000000\n" }"#;

pub(crate) const TOOL: Tool = Tool {
    id: "mesh.autoLOD",
    keywords: "simplify reduce polygons triangles level of detail lod lodgroup decimate low poly optimise distance fewer performance",
    title: "Make LOD Levels",
    notes: Some(
        "Of meshes that are saved as text; those of models are made by Unity's importer and are in no file. Vertices are left out and none is moved, so that seams, borders and everything that the others have stay.",
    ),
    category: "mesh",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A simpler mesh of a tile for the Unity sample",
        input: r#"{ "project": "unity", "meshPath": "Assets/Tile.asset", "lodLevels": 1, "materials": ["Assets/Materials/Stone.mat"] }"#,
        output: r#"{
            "success": true,
            "lodGroupPath": "Assets/Tile LOD.prefab",
            "levels": [
                { "distance": 2.886751, "reduction": 0.555556, "screenHeight": 0.6, "meshPath": "Assets/Tile_LOD1.asset", "vertices": 5, "triangles": 3 }
            ],
            "dryRun": false,
            "filesChanged": 4,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[Earlier { tool: "project.writeFile", input: TILE }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make simpler meshes of a mesh for larger distances, and a prefab with a LODGroup that shows them. The
/// mesh is a file of Unity's own in text; its materials are those of the first object that shows it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The mesh: `Assets/Rock.asset`, or `Assets/Rocks.asset#Boulder` where the file has several.
    mesh_path: String,
    /// Levels besides the first.
    #[schemars(range(min = 1, max = 7))]
    lod_levels: u32,
    /// Share of vertices that each level keeps.
    #[serde(default = "shares")]
    reduction_targets: Vec<f64>,
    /// Materials of its parts, by their paths; those of who shows the mesh by default.
    #[serde(default)]
    materials: Vec<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The prefab.
    lod_group_path: String,
    /// The levels besides the first.
    levels: Vec<Level>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Level {
    /// From how far it is shown, in metres, with a field of view of 60 degrees.
    distance: f64,
    /// The share of vertices that it has.
    reduction: f64,
    /// The same as share of the screen's height, below which it is shown.
    screen_height: f64,
    /// Its mesh.
    mesh_path: String,
    /// How many vertices it has.
    vertices: usize,
    /// How many triangles it has.
    triangles: usize,
}

fn shares() -> Vec<f64> {
    vec![0.5, 0.25, 0.1]
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    check_shares(&input)?;
    if unity.unity.settings.version.release().is_some_and(|release| release < (2018, 3)) {
        let text = "prefabs of Unity before 2018.3 are not made here";
        return Err(ToolError::new(ErrorKind::EngineError, text).hint("nothing was changed"));
    }
    let mesh = named(&unity, &input.mesh_path)?;
    let shape = readable(&mesh)?;
    let (folder, name) = place_and_name(&mesh);
    let mut files = NewFiles::default();
    let (mut paths, mut levels) = (vec![mesh_text(&mesh)], Vec::new());
    for (number, share) in (1..=input.lod_levels as usize).zip(&input.reduction_targets) {
        cx.check_cancelled()?;
        cx.progress(number as f64, Some(f64::from(input.lod_levels)), "simplifying");
        let keep = (shape.count as f64 * share).ceil() as usize;
        let simple = simplify(&shape, keep);
        if simple.count > keep.max(3) {
            cx.diagnose(format!(
                "Level {number} has {} vertices, and not {keep}: its borders and seams need them.",
                simple.count
            ));
        }
        let path =
            add_mesh(&unity, &mut files, &mesh, &folder, &format!("{name}_LOD{number}"), &simple)?;
        levels.push(level(&shape, &simple, number, path.to_string()));
        paths.push(path.to_string());
    }
    let prefab = unity.asset_place(&format!("{folder}{name} LOD.prefab"))?;
    unity.must_be_new(&prefab)?;
    let guid = files.add(&unity, &prefab, Vec::new())?.unwrap_or_default();
    let materials = materials(&unity, &mesh, &shape, &input.materials)?;
    let text = group(&unity.with(&files), &name, &shape, &paths, &materials, guid)?;
    files.add_bare(prefab.clone(), text);
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    Ok(Output { success: true, lod_group_path: prefab.to_string(), levels, written })
}

fn check_shares(input: &Input) -> Result<(), ToolError> {
    if let Some(wrong) = input.reduction_targets.iter().find(|share| !(0.0..=1.0).contains(*share))
    {
        let text = format!("has {wrong}, and a share is between 0 and 1");
        return Err(ToolError::bad_argument("reductionTargets", &text));
    }
    if !input.reduction_targets.is_sorted_by(|one, next| one >= next) {
        let text = "must become smaller from level to level";
        return Err(ToolError::bad_argument("reductionTargets", text));
    }
    if (input.lod_levels as usize) > input.reduction_targets.len() {
        let text = "is more than reductionTargets has shares for";
        return Err(ToolError::bad_argument("lodLevels", text));
    }
    Ok(())
}

/// The mesh as a whole; refused where something would not fit any more.
fn readable(mesh: &Named) -> Result<Shape, ToolError> {
    let wrong = |why: &str| {
        let text = format!("the mesh of {} cannot be made simpler: {why}", mesh.path);
        ToolError::new(ErrorKind::EngineError, text).hint("nothing was changed")
    };
    let object = mesh.document.object(mesh.id).ok_or_else(|| wrong("it is gone"))?;
    let shape = Shape::read(object).map_err(|why| wrong(&why.to_string()))?;
    if let Some(what) = beside_channels(object) {
        return Err(wrong(&format!("it has {what}")));
    }
    if shape.attributes.iter().any(|attribute| attribute.usage.is_skin()) {
        return Err(wrong("bones move it, and the objects that show it need its skeleton"));
    }
    if shape.triangles() == 0 {
        return Err(wrong("it has no triangles"));
    }
    Ok(shape)
}

/// The folder with its slash, and the name of what is made.
fn place_and_name(mesh: &Named) -> (String, String) {
    let folder = mesh.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let own = mesh.document.object(mesh.id).and_then(|object| object.get("m_Name"));
    let is_one = mesh.document.objects().len() == 1;
    let name =
        match own.map(|name| name.text().into_owned()).filter(|name| !is_one && !name.is_empty()) {
            Some(name) => name.replace(['/', '\\', ':', '*', '?', '"', '<', '>', '|', '#'], "_"),
            None => stem(&mesh.path).to_owned(),
        };
    (format!("{folder}/"), name)
}

/// How a change refers to the mesh.
fn mesh_text(mesh: &Named) -> String {
    format!("{}#{}", mesh.path, mesh.id)
}

fn add_mesh(
    unity: &Unity<'_>,
    files: &mut NewFiles,
    source: &Named,
    folder: &str,
    name: &str,
    shape: &Shape,
) -> Result<ProjectPath, ToolError> {
    let path = unity.asset_place(&format!("{folder}{name}.asset"))?;
    unity.must_be_new(&path)?;
    // Whether scripts may read it is a choice of whoever made the first one.
    let kept = ["m_IsReadable", "m_KeepVertices", "m_KeepIndices", "m_MeshUsageFlags"];
    let object = source.document.object(source.id);
    let kept = kept.iter().filter_map(|key| Some((*key, New::copy_of(object?.get(key)?))));
    let text = text_of(unity, name, shape, &kept.collect::<Vec<_>>())
        .map_err(|why| ToolError::new(ErrorKind::EngineError, format!("{path}: {why}")))?;
    files.add(unity, &path, text.into_bytes())?;
    Ok(path)
}

fn level(whole: &Shape, simple: &Shape, number: usize, mesh_path: String) -> Level {
    let short = |value: f64| (value * 1e6).round() / 1e6;
    let height = HEIGHTS[number - 1];
    let distance = size(whole) * 0.5 / (height * HALF_VIEW.to_radians().tan());
    Level {
        distance: short(distance),
        reduction: short(simple.count as f64 / whole.count as f64),
        screen_height: height,
        mesh_path,
        vertices: simple.count,
        triangles: simple.triangles(),
    }
}

/// The longest side of the box around a mesh.
fn size(shape: &Shape) -> f64 {
    let (_, extent) = shape.bounds();
    2.0 * f64::from(extent.iter().fold(0.0_f32, |most, side| most.max(*side)))
}

/// What each part is drawn with, as a change refers to it.
fn materials(
    unity: &Unity<'_>,
    mesh: &Named,
    shape: &Shape,
    given: &[String],
) -> Result<Vec<Value>, ToolError> {
    if given.len() > shape.parts.len() {
        let text = format!("are {}, and the mesh has {} parts", given.len(), shape.parts.len());
        return Err(ToolError::bad_argument("materials", &text));
    }
    let mut all: Vec<Value> = given.iter().map(|path| json!(path)).collect();
    if all.is_empty() {
        all = worn(unity, mesh.to).iter().map(|to| raw(*to)).collect();
    }
    let (id, guid) = DEFAULT_MATERIAL;
    if all.is_empty() {
        unity.cx.diagnose("Nothing in the project shows the mesh, so that its materials are not known: it has Unity's default material.".to_owned());
    }
    all.resize(shape.parts.len(), json!({ "fileID": id, "guid": guid, "type": 0 }));
    Ok(all)
}

/// The materials of the first object that shows a mesh.
fn worn(unity: &Unity<'_>, mesh: Reference) -> Vec<Reference> {
    let Some(guid) = mesh.guid else { return Vec::new() };
    let is_tree = |kind| matches!(kind, AssetKind::Scene | AssetKind::Prefab);
    let users = unity.index.incoming(guid).filter(|user| is_tree(user.kind()));
    for user in users.take(MAX_USERS) {
        let Ok(tree) = unity.expand(user) else { continue };
        for node in tree.objects() {
            let components = node.components();
            if !components.iter().any(|component| component.class_id() == MESH_FILTER) {
                continue;
            }
            match shown(&components) {
                Some((to, materials)) if to.file_id == mesh.file_id && to.guid == mesh.guid => {
                    return materials;
                }
                _ => {}
            }
        }
    }
    Vec::new()
}

/// A prefab with a LODGroup, and an object for each level in it.
fn group(
    unity: &Unity<'_>,
    name: &str,
    shape: &Shape,
    meshes: &[String],
    materials: &[Value],
    guid: Guid,
) -> Result<Vec<u8>, ToolError> {
    let classes = ProjectClasses::new(unity);
    let empty = Arc::new(Document::parse("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n"));
    let project = engine_project(unity, &classes);
    let mut editor =
        Editor::open(project, empty, Guid::default(), FileKind::Scene).map_err(refused)?;
    let root = build(&mut editor, name, shape, meshes, materials).map_err(refused)?;
    Ok(editor.extract(&root, guid).map_err(refused)?.prefab)
}

fn build(
    editor: &mut Editor<'_>,
    name: &str,
    shape: &Shape,
    meshes: &[String],
    materials: &[Value],
) -> Result<String, Refusal> {
    let root = Create { name: format!("{name} LOD"), ..Create::default() };
    let root = address(editor.create(&root)?.id);
    let mut lods = Vec::new();
    for (number, (mesh, height)) in meshes.iter().zip(HEIGHTS).enumerate() {
        let components = ["MeshFilter", "MeshRenderer"].map(str::to_owned).to_vec();
        let name = format!("{name}_LOD{number}");
        let child = Create { parent: root.clone(), name, components, ..Create::default() };
        let child = address(editor.create(&child)?.id);
        editor.set(Some(&child), Some("MeshFilter"), "m_Mesh", &json!(mesh))?;
        editor.set(Some(&child), Some("MeshRenderer"), "m_Materials", &json!(materials))?;
        let renderer = json!({ "object": child, "component": "MeshRenderer" });
        lods.push(
            json!({ "screenRelativeHeight": height, "renderers": [{ "renderer": renderer }] }),
        );
    }
    let (center, _) = shape.bounds();
    let values = [
        ("m_LocalReferencePoint".to_owned(), json!(center)),
        ("m_Size".to_owned(), json!(size(shape))),
        ("m_LODs".to_owned(), json!(lods)),
    ];
    editor.add_component(&root, "LODGroup", &values)?;
    Ok(root)
}

fn address(id: Option<scenewright_unity::FileId>) -> String {
    id.map_or_else(String::new, |id| format!("#{id}"))
}

#[cfg(test)]
mod tests;
