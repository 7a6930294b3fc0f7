//! The tool `godotScene.exportMeshLibrary`, which MCP clients call `export_mesh_library`.

use std::collections::BTreeMap;

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::{
    Document, Form, NodeState, Number, Tree, TreeNode, TreeProperty, TupleKind, Variant,
};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Copier, Godot, InGodot, InScene, OpenDocument, Write, refused,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Items of one library.
const MAX_ITEMS: usize = 2000;

pub(crate) const TOOL: Tool = Tool {
    id: "godotScene.exportMeshLibrary",
    keywords: "gridmap meshlib blocks voxel tiles 3d",
    mcp: Some("export_mesh_library"),
    title: "Export Mesh Library",
    notes: Some(
        "Meshes inside of imported models (.glb, .fbx) and previews are made by the engine and are not exported; each is listed with its reason.",
    ),
    category: "godot.scene",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Make a library of the blocks of a scene",
        input: r#"{
            "projectPath": "godot",
            "scenePath": "scenes/blocks.tscn",
            "outputPath": "resources/blocks.tres"
        }"#,
        output: r#"{
            "success": true,
            "outputPath": "resources/blocks.tres",
            "items": [{ "id": 0, "name": "Crate", "shapes": 1 }, { "id": 1, "name": "Ball", "shapes": 0 }],
            "skipped": [],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    // The sample is a flat game.
    after: &[Earlier {
        tool: "project.batch",
        input: r#"{ "project": "godot", "steps": [
            { "tool": "create_scene", "arguments": { "scenePath": "scenes/blocks.tscn", "rootNodeType": "Node3D" } },
            { "tool": "add_node", "arguments": { "scenePath": "scenes/blocks.tscn", "nodeType": "StaticBody3D", "nodeName": "Crate" } },
            { "tool": "add_node", "arguments": { "scenePath": "scenes/blocks.tscn", "nodeType": "MeshInstance3D", "nodeName": "Mesh", "parentNodePath": "Crate", "properties": { "mesh": { "type": "BoxMesh" } } } },
            { "tool": "add_node", "arguments": { "scenePath": "scenes/blocks.tscn", "nodeType": "CollisionShape3D", "nodeName": "Shape", "parentNodePath": "Crate", "properties": { "shape": { "type": "BoxShape3D" } } } },
            { "tool": "add_node", "arguments": { "scenePath": "scenes/blocks.tscn", "nodeType": "MeshInstance3D", "nodeName": "Ball", "properties": { "mesh": { "type": "SphereMesh", "radius": 0.4 } } } }
        ] }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Turn the meshes of a scene into a MeshLibrary for GridMaps: each child of the root with a mesh in
/// it becomes an item with that mesh, its material and its collision shapes. A library that is there
/// is replaced and keeps its uid and, by name, the ids of its items.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    scene: InScene,
    /// The library to write, a `.tres`.
    output_path: String,
    /// Only these children of the root, by name.
    #[serde(default)]
    #[schemars(length(max = 2000))]
    mesh_item_names: Vec<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The library, from the project's root.
    output_path: String,
    /// Its items.
    items: Vec<Item>,
    /// Children without an item, and why.
    skipped: Vec<Skipped>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Item {
    /// Its number, by which cells of GridMaps name it.
    id: u32,
    /// Its name.
    name: String,
    /// How many collision shapes it has.
    shapes: usize,
}

#[derive(Serialize, JsonSchema)]
struct Skipped {
    /// Path of the node.
    node: String,
    /// Why it has no item, or what of it is missing.
    reason: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.scene.project_path.as_deref())?;
    let open = godot.open_scene(&input.scene)?;
    let tree = godot.tree_of(&open);
    let Some(root) = tree.root() else {
        return Err(ToolError::failed(format!("{} has no nodes", open.path)));
    };
    let children = wanted(&tree, root, &input.mesh_item_names)?;
    let mut target = target(&godot, &input.output_path)?;
    let mut library = Library { tree: &tree, ids: item_ids(&target.document), skipped: Vec::new() };
    target.document = empty(&target.document, &godot.new_uid(&target.path));
    let mut items = BTreeMap::new();
    let mut copier = Copier::new(&mut target.document);
    for child in children {
        if items.len() >= MAX_ITEMS {
            library.skip(child, format!("a library has {MAX_ITEMS} items at most here"));
        } else if let Some(item) = library.item(&mut copier, child)? {
            items.insert(library.id(&child.name), (child.name.clone(), item));
        }
    }
    if items.is_empty() {
        let reasons = library.skipped.iter().map(|it| format!("{}: {}", it.node, it.reason));
        let reasons = reasons.take(5).collect::<Vec<_>>().join("; ");
        return Err(ToolError::failed(format!("{} has no meshes to export", open.path)).hint(
            if reasons.is_empty() {
                "add MeshInstance3D nodes below its root".into()
            } else {
                reasons
            },
        ));
    }
    let items = write_items(&mut target.document, items)?;
    // The material that another one replaced was copied with its mesh.
    target.document.remove_unused_resources().map_err(refused)?;
    let written = target.save(&godot, input.write)?;
    Ok(Output {
        success: true,
        output_path: target.path.to_string(),
        items,
        skipped: library.skipped,
        written,
    })
}

/// The children of the root that are to be items.
fn wanted<'t>(
    tree: &'t Tree,
    root: &'t TreeNode,
    names: &[String],
) -> Result<Vec<&'t TreeNode>, ToolError> {
    let children: Vec<&TreeNode> = tree.children(root).collect();
    let missing = names.iter().find(|name| children.iter().all(|child| child.name != **name));
    if let Some(missing) = missing {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("the root has no child '{missing}'"),
        )
        .hint("meshItemNames are names of children of the root; get_node_tree shows them"));
    }
    let is_wanted = |child: &&TreeNode| names.is_empty() || names.contains(&child.name);
    Ok(children.into_iter().filter(is_wanted).collect())
}

/// The file to write: a new one, or the library that is there.
fn target(godot: &Godot<'_>, text: &str) -> Result<OpenDocument, ToolError> {
    let path = godot.new_path(text, &["tres"])?;
    if !godot.exists(&path) {
        return godot.new_document(path, String::new());
    }
    let open = godot.open_document(path)?;
    match open.document.resource_class().as_deref() {
        Some("MeshLibrary") => Ok(open),
        class => Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("{} is no MeshLibrary but {}", open.path, class.unwrap_or("something else")),
        )
        .hint("nothing was changed; choose another outputPath")),
    }
}

/// A library without items, with the uid that it has or gets.
fn empty(before: &Document, new: &str) -> Document {
    let uid = before.uid().map_or_else(|| new.to_owned(), |uid| uid.into_owned());
    let text = format!("[gd_resource type=\"MeshLibrary\" format=3 uid=\"{uid}\"]\n\n[resource]\n");
    Document::parse(text, Form::Resource)
}

/// The ids of the items of a library, by name.
fn item_ids(document: &Document) -> BTreeMap<String, u32> {
    let fields = document.main_resource().into_iter().flat_map(|main| main.properties());
    let names = fields.filter_map(|field| {
        let key = field.key();
        let id = key.strip_prefix("item/")?.strip_suffix("/name")?.parse().ok()?;
        Some((field.value().as_str()?.into_owned(), id))
    });
    names.collect()
}

/// What an item has.
struct Content {
    mesh: Variant,
    transform: Transform,
    cast_shadow: Variant,
    shapes: Vec<Variant>,
}

struct Library<'t> {
    tree: &'t Tree,
    ids: BTreeMap<String, u32>,
    skipped: Vec<Skipped>,
}

impl Library<'_> {
    fn skip(&mut self, node: &TreeNode, reason: impl Into<String>) {
        self.skipped.push(Skipped { node: node.path.clone(), reason: reason.into() });
    }

    /// The number of an item: what it had, or the next.
    fn id(&mut self, name: &str) -> u32 {
        if let Some(known) = self.ids.get(name) {
            return *known;
        }
        let next = self.ids.values().max().map_or(0, |last| last.saturating_add(1));
        self.ids.insert(name.to_owned(), next);
        next
    }

    fn item(
        &mut self,
        copier: &mut Copier<'_>,
        child: &TreeNode,
    ) -> Result<Option<Content>, ToolError> {
        let below = self.below(child);
        let is_mesh = |(node, _): &&(&TreeNode, Transform)| {
            node.class.as_deref() == Some("MeshInstance3D") && mesh_of(node).is_some()
        };
        let Some((node, transform)) = below.iter().find(is_mesh) else {
            let is_opaque = |(node, _): &&(&TreeNode, Transform)| node.state == NodeState::Opaque;
            let reason =
                match below.iter().find(is_opaque).and_then(|(node, _)| node.instance.clone()) {
                    Some(model) => {
                        format!("its mesh is inside of {model}, which only the engine can open")
                    }
                    None => "there is no MeshInstance3D with a mesh in it".to_owned(),
                };
            self.skip(child, reason);
            return Ok(None);
        };
        let mesh = self.mesh(copier, node)?;
        let mut shapes = Vec::new();
        for (shape, transform) in below.iter().filter(|(node, _)| is_shape(node)) {
            let Some(value) = shape.property("shape") else { continue };
            shapes.push(copy(copier, value)?);
            shapes.push(transform.value());
        }
        if let Some((odd, _)) = below.iter().find(|(node, _)| is_turned(node)) {
            self.skip(odd, "its rotation or scale is not in `transform` and does not count");
        }
        let shadow = node.property("cast_shadow").map(TreeProperty::decode);
        Ok(Some(Content {
            mesh,
            transform: *transform,
            cast_shadow: shadow.unwrap_or_else(|| Variant::int(1)),
            shapes,
        }))
    }

    /// The mesh of a node, with the material that the node gives it.
    fn mesh(&mut self, copier: &mut Copier<'_>, node: &TreeNode) -> Result<Variant, ToolError> {
        let Some(property) = mesh_of(node) else { return Ok(Variant::Nil) };
        let (scene, file) = (property.origin.scene(), property.origin.path());
        let mesh = property.decode();
        let Some(material) = node.property("surface_material_override/0") else {
            return copy(copier, property);
        };
        let primitive = match &mesh {
            Variant::SubResource(id) => {
                scene.sub_resource(id).filter(|it| it.class() != "ArrayMesh")
            }
            _ => None,
        };
        let Some(primitive) = primitive else {
            self.skip(
                node,
                "its material override stays behind: the mesh is a file or has surfaces of its own",
            );
            return copy(copier, property);
        };
        let material = copy(copier, material)?;
        copier.copy_with(scene, file, &primitive.id(), "material", material)
    }

    /// A child of the root and all below it, each with its transform from the child.
    fn below<'a>(&self, child: &'a TreeNode) -> Vec<(&'a TreeNode, Transform)>
    where
        Self: 'a,
    {
        let mut found = vec![(child, Transform::IDENTITY)];
        let mut at = 0;
        while let Some((node, transform)) = found.get(at).copied() {
            for below in self.tree.children(node) {
                found.push((below, transform.times(&Transform::of(below))));
            }
            at += 1;
        }
        found
    }
}

fn mesh_of(node: &TreeNode) -> Option<&TreeProperty> {
    node.property("mesh").filter(|property| property.decode() != Variant::Nil)
}

fn is_shape(node: &TreeNode) -> bool {
    let is_disabled = || node.property("disabled").is_some_and(|it| it.text() == "true");
    node.class.as_deref() == Some("CollisionShape3D") && !is_disabled()
}

fn is_turned(node: &TreeNode) -> bool {
    ["rotation", "rotation_degrees", "scale", "basis", "quaternion"]
        .iter()
        .any(|key| node.property(key).is_some())
}

fn copy(copier: &mut Copier<'_>, property: &TreeProperty) -> Result<Variant, ToolError> {
    copier.copy(property.origin.scene(), property.origin.path(), &property.decode())
}

/// Write the items in the order and with the properties that Godot gives them.
fn write_items(
    document: &mut Document,
    items: BTreeMap<u32, (String, Content)>,
) -> Result<Vec<Item>, ToolError> {
    let mut listed = Vec::new();
    for (id, (name, content)) in items {
        let shapes = content.shapes.len() / 2;
        let properties = [
            ("name", Variant::String(name.clone())),
            ("mesh", content.mesh),
            ("mesh_transform", content.transform.value()),
            ("mesh_cast_shadow", content.cast_shadow),
            ("shapes", Variant::Array(None, content.shapes)),
            ("navigation_mesh_transform", Transform::IDENTITY.value()),
            ("navigation_layers", Variant::int(1)),
        ];
        let main = document.main_resource().map_or(0, |main| main.index());
        for (key, value) in properties {
            document.set_property(main, &format!("item/{id}/{key}"), &value).map_err(refused)?;
        }
        listed.push(Item { id, name, shapes });
    }
    Ok(listed)
}

/// Three rows of a matrix, and where the origin goes.
#[derive(Clone, Copy)]
struct Transform([f64; 12]);

impl Transform {
    const IDENTITY: Self = Self([1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);

    /// That of a node from its parent.
    fn of(node: &TreeNode) -> Self {
        let mut transform = Self::IDENTITY;
        for (key, at) in [("transform", 0), ("position", 9)] {
            let Some(Variant::Tuple(kind, numbers)) = node.property(key).map(TreeProperty::decode)
            else {
                continue;
            };
            if matches!(kind, TupleKind::Transform3D | TupleKind::Vector3) {
                for (place, number) in transform.0[at..].iter_mut().zip(&numbers) {
                    *place = Number::as_float(number);
                }
            }
        }
        transform
    }

    fn times(&self, inner: &Self) -> Self {
        let (a, b) = (&self.0, &inner.0);
        let mut product = [0.0; 12];
        for row in 0..3 {
            let dot = |column: [f64; 3]| {
                a[row * 3] * column[0] + a[row * 3 + 1] * column[1] + a[row * 3 + 2] * column[2]
            };
            for column in 0..3 {
                product[row * 3 + column] = dot([b[column], b[3 + column], b[6 + column]]);
            }
            product[9 + row] = dot([b[9], b[10], b[11]]) + a[9 + row];
        }
        Self(product)
    }

    fn value(&self) -> Variant {
        Variant::tuple(TupleKind::Transform3D, &self.0).unwrap_or(Variant::Nil)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    const BLOCKS: &str = r##"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://ship.glb" id="1_s"]
[ext_resource type="Material" path="res://stone.tres" id="2_s"]
[ext_resource type="ArrayMesh" path="res://rock.tres" id="3_r"]

[sub_resource type="StandardMaterial3D" id="Mat_a"]
albedo_color = Color(1, 0, 0, 1)

[sub_resource type="BoxMesh" id="BoxMesh_a"]
material = SubResource("Mat_a")
size = Vector3(2, 2, 2)

[sub_resource type="BoxShape3D" id="BoxShape3D_a"]

[node name="Blocks" type="Node3D"]

[node name="Crate" type="StaticBody3D" parent="."]
transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9, 9)

[node name="Mesh" type="MeshInstance3D" parent="Crate"]
transform = Transform3D(0, 0, 1, 0, 1, 0, -1, 0, 0, 0, 1, 0)
mesh = SubResource("BoxMesh_a")

[node name="Shape" type="CollisionShape3D" parent="Crate/Mesh"]
position = Vector3(1, 0, 0)
shape = SubResource("BoxShape3D_a")

[node name="Off" type="CollisionShape3D" parent="Crate"]
shape = SubResource("BoxShape3D_a")
disabled = true

[node name="Red" type="MeshInstance3D" parent="."]
cast_shadow = 0
mesh = SubResource("BoxMesh_a")
surface_material_override/0 = ExtResource("2_s")

[node name="Rock" type="MeshInstance3D" parent="."]
mesh = ExtResource("3_r")
surface_material_override/0 = ExtResource("2_s")

[node name="Ship" parent="." instance=ExtResource("1_s")]

[node name="Light" type="OmniLight3D" parent="."]
"##;

    fn sample() -> GodotSample {
        let sample = GodotSample::new();
        sample.write("blocks.tscn", BLOCKS);
        sample.write("ship.glb", "glTF");
        sample
    }

    fn arguments(more: Value) -> Value {
        let mut arguments = json!({ "scenePath": "blocks.tscn", "outputPath": "blocks.tres" });
        for (key, value) in more.as_object().unwrap() {
            arguments[key] = value.clone();
        }
        arguments
    }

    #[test]
    fn meshes_become_items() {
        let sample = sample();
        let output = sample.call(super::TOOL.id, arguments(json!({}))).unwrap();
        expect![[r#"
            [
              [
                {
                  "id": 0,
                  "name": "Crate",
                  "shapes": 1
                },
                {
                  "id": 1,
                  "name": "Red",
                  "shapes": 0
                },
                {
                  "id": 2,
                  "name": "Rock",
                  "shapes": 0
                }
              ],
              [
                {
                  "node": "Rock",
                  "reason": "its material override stays behind: the mesh is a file or has surfaces of its own"
                },
                {
                  "node": "Ship",
                  "reason": "its mesh is inside of res://ship.glb, which only the engine can open"
                },
                {
                  "node": "Light",
                  "reason": "there is no MeshInstance3D with a mesh in it"
                }
              ]
            ]"#]].assert_eq(&serde_json::to_string_pretty(&json!([output["items"], output["skipped"]])).unwrap());
        expect![[r#"
            [gd_resource type="MeshLibrary" format=3 uid="uid://btj328a52nr8n"]

            [ext_resource type="Material" path="res://stone.tres" id="1_ocniu"]
            [ext_resource type="ArrayMesh" path="res://rock.tres" id="2_toy8a"]

            [sub_resource type="StandardMaterial3D" id="StandardMaterial3D_kkx0m"]
            albedo_color = Color(1, 0, 0, 1)

            [sub_resource type="BoxMesh" id="BoxMesh_d3c1y"]
            material = SubResource("StandardMaterial3D_kkx0m")
            size = Vector3(2, 2, 2)

            [sub_resource type="BoxShape3D" id="BoxShape3D_a3rpx"]

            [sub_resource type="BoxMesh" id="BoxMesh_dqngr"]
            material = ExtResource("1_ocniu")
            size = Vector3(2, 2, 2)

            [resource]
            item/0/name = "Crate"
            item/0/mesh = SubResource("BoxMesh_d3c1y")
            item/0/mesh_transform = Transform3D(0, 0, 1, 0, 1, 0, -1, 0, 0, 0, 1, 0)
            item/0/mesh_cast_shadow = 1
            item/0/shapes = [SubResource("BoxShape3D_a3rpx"), Transform3D(0, 0, 1, 0, 1, 0, -1, 0, 0, 0, 1, -1)]
            item/0/navigation_mesh_transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
            item/0/navigation_layers = 1
            item/1/name = "Red"
            item/1/mesh = SubResource("BoxMesh_dqngr")
            item/1/mesh_transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
            item/1/mesh_cast_shadow = 0
            item/1/shapes = []
            item/1/navigation_mesh_transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
            item/1/navigation_layers = 1
            item/2/name = "Rock"
            item/2/mesh = ExtResource("2_toy8a")
            item/2/mesh_transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
            item/2/mesh_cast_shadow = 1
            item/2/shapes = []
            item/2/navigation_mesh_transform = Transform3D(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0)
            item/2/navigation_layers = 1
        "#]].assert_eq(&sample.read("blocks.tres"));
    }

    #[test]
    fn a_library_that_is_there_keeps_its_ids() {
        let sample = sample();
        sample.write(
            "blocks.tres",
            "[gd_resource type=\"MeshLibrary\" format=3 uid=\"uid://abc\"]\n\n[resource]\nitem/4/name = \"Red\"\nitem/7/name = \"Old\"\n",
        );
        let given = arguments(json!({ "meshItemNames": ["Crate", "Red"] }));
        let output = sample.call(super::TOOL.id, given).unwrap();
        assert_eq!(
            output["items"],
            json!([{ "id": 4, "name": "Red", "shapes": 0 }, { "id": 8, "name": "Crate", "shapes": 1 }])
        );
        assert!(
            sample
                .read("blocks.tres")
                .starts_with("[gd_resource type=\"MeshLibrary\" format=3 uid=\"uid://abc\"]")
        );
    }

    #[test]
    fn nothing_to_export_is_an_error() {
        let sample = sample();
        let refuse = |more: Value| sample.error(super::TOOL.id, arguments(more));
        expect!["scenes/coin.tscn has no meshes to export; Shape: there is no MeshInstance3D with a mesh in it; Face: there is no MeshInstance3D with a mesh in it"].assert_eq(&refuse(json!({ "scenePath": "scenes/coin.tscn" })));
        expect!["the root has no child 'Nope'; meshItemNames are names of children of the root; get_node_tree shows them"].assert_eq(&refuse(json!({ "meshItemNames": ["Nope"] })));
        expect!["resources/theme.tres is no MeshLibrary but Theme; nothing was changed; choose another outputPath"].assert_eq(&refuse(json!({ "outputPath": "resources/theme.tres" })));
        expect!["a.meshlib ends in .meshlib, and this makes .tres"]
            .assert_eq(&refuse(json!({ "outputPath": "a.meshlib" })));
    }
}
