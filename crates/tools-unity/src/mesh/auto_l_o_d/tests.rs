//! Levels of a tile: their meshes, the prefab, and what is refused.

use expect_test::expect;
use scenewright_fixture::{Folder, sample};
use serde_json::{Value, json};

use crate::testing::call_writing;

/// A copy of the sample with a tile in it.
fn tile() -> Folder {
    let folder = Folder::copy_of(&sample("unity"));
    let input: Value = serde_json::from_str(super::TILE).unwrap();
    let text = input["content"].as_str().unwrap();
    folder.write("Assets/Tile.asset", text);
    folder.write(
        "Assets/Tile.asset.meta",
        "fileFormatVersion: 2\nguid: abc00000000000000000000000000001\nNativeFormatImporter:\n  mainObjectFileID: 4300000\n",
    );
    folder
}

fn guid(folder: &Folder, path: &str) -> String {
    let meta = folder.read(&format!("{path}.meta"));
    meta.lines().nth(1).unwrap().replace("guid: ", "")
}

#[test]
fn a_level_is_a_mesh_as_unity_writes_it() {
    let folder = tile();
    let arguments = json!({ "meshPath": "Assets/Tile.asset", "lodLevels": 1 });
    let outcome = call_writing(&folder, super::TOOL.id, arguments).unwrap();
    expect!["Nothing in the project shows the mesh, so that its materials are not known: it has Unity's default material."].assert_eq(&outcome.diagnostics.join("\n"));
    let made = folder.read("Assets/Tile_LOD1.asset");
    expect![[r#"
        %YAML 1.1
        %TAG !u! tag:unity3d.com,2011:
        --- !u!43 &4300000
        Mesh:
          m_ObjectHideFlags: 0
          m_CorrespondingSourceObject: {fileID: 0}
          m_PrefabInstance: {fileID: 0}
          m_PrefabAsset: {fileID: 0}
          m_Name: Tile_LOD1
          serializedVersion: 11
          m_SubMeshes:
          - serializedVersion: 2
            firstByte: 0
            indexCount: 9
            topology: 0
            baseVertex: 0
            firstVertex: 0
            vertexCount: 5
            localAABB:
              m_Center: {x: 0, y: 0, z: 0}
              m_Extent: {x: 1, y: 0, z: 1}
          m_Shapes:
            vertices: []
            shapes: []
            channels: []
            fullWeights: []
          m_BindPose: []
          m_BoneNameHashes: 
          m_RootBoneNameHash: 0
          m_BonesAABB: []
          m_VariableBoneCountWeights:
            m_Data: 
          m_MeshCompression: 0
          m_IsReadable: 1
          m_KeepVertices: 1
          m_KeepIndices: 1
          m_IndexFormat: 0
          m_IndexBuffer: 000002000300000003000100010003000400
          m_VertexData:
            serializedVersion: 3
            m_VertexCount: 5
            m_Channels:
            - stream: 0
              offset: 0
              format: 0
              dimension: 3
            - stream: 0
              offset: 12
              format: 0
              dimension: 3
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            - stream: 0
              offset: 0
              format: 0
              dimension: 0
            m_DataSize: 120
            _typelessdata: 000080bf00000000000080bf000000000000803f000000000000803f00000000000080bf000000000000803f00000000000080bf000000000000803f000000000000803f0000000000000000000000000000803f000000000000803f000000000000803f000000000000803f000000000000803f00000000
    "#]].assert_eq(made.split("  m_CompressedMesh").next().unwrap());
    let meta = folder.read("Assets/Tile_LOD1.asset.meta");
    assert!(meta.contains("  mainObjectFileID: 4300000\n"), "{meta}");
}

#[test]
fn a_prefab_shows_each_level_with_the_materials_of_who_shows_the_mesh() {
    let folder = tile();
    let scene = json!({ "path": "Assets/Scenes/Cellar.unity", "changes": [
        { "op": "create", "name": "Tile", "components": ["MeshFilter", "MeshRenderer"] },
        { "op": "set", "object": "Tile", "component": "MeshFilter", "field": "m_Mesh", "value": "Assets/Tile.asset" },
        { "op": "set", "object": "Tile", "component": "MeshRenderer", "field": "m_Materials[0]", "value": "Assets/Materials/Stone.mat" },
    ]});
    call_writing(&folder, "unity.edit", scene).unwrap();
    let arguments =
        json!({ "meshPath": "Assets/Tile.asset", "lodLevels": 2, "reductionTargets": [0.5, 0.4] });
    let outcome = call_writing(&folder, super::TOOL.id, arguments.clone()).unwrap();
    assert_eq!(outcome.diagnostics, Vec::<String>::new());
    assert_eq!(outcome.output["filesChanged"], 6);
    let mut made = folder.read("Assets/Tile LOD.prefab");
    for number in 1..=2 {
        let path = format!("Assets/Tile_LOD{number}.asset");
        made = made.replace(&guid(&folder, &path), &format!("(guid of level {number})"));
    }
    made = made.replace(&guid(&folder, "Assets/Materials/Stone.mat"), "(guid of stone)");
    let lines = [
        "m_Name",
        "m_Mesh:",
        "m_Materials",
        "  - {",
        "screenRelative",
        "renderer:",
        "m_Size",
        "--- ",
    ];
    let told: Vec<&str> =
        made.lines().filter(|line| lines.iter().any(|start| line.contains(start))).collect();
    expect![[r#"
        --- !u!1 &3372871122313075559
          m_Name: Tile LOD
        --- !u!4 &5208247692516360673
          - {fileID: 4769249911417222103}
          - {fileID: 2844311737151137401}
          - {fileID: 8448987983498870158}
        --- !u!205 &5084105326958461754
          m_Size: 2
          - screenRelativeHeight: 0.6
            - renderer: {fileID: 7760922954695027082}
          - screenRelativeHeight: 0.3
            - renderer: {fileID: 1856223960158357118}
          - screenRelativeHeight: 0.1
            - renderer: {fileID: 2591006375495590943}
        --- !u!1 &7285432335345783996
          m_Name: Tile_LOD1
        --- !u!4 &2844311737151137401
        --- !u!33 &1780003391851912382
          m_Mesh: {fileID: 4300000, guid: (guid of level 1), type: 2}
        --- !u!23 &1856223960158357118
          m_Materials:
          - {fileID: 2100000, guid: (guid of stone), type: 2}
        --- !u!1 &8015398012272436602
          m_Name: Tile_LOD0
        --- !u!4 &4769249911417222103
        --- !u!33 &4050748312926192339
          m_Mesh: {fileID: 4300000, guid: abc00000000000000000000000000001, type: 2}
        --- !u!23 &7760922954695027082
          m_Materials:
          - {fileID: 2100000, guid: (guid of stone), type: 2}
        --- !u!1 &9159889941353656629
          m_Name: Tile_LOD2
        --- !u!4 &8448987983498870158
        --- !u!33 &3521934797703141754
          m_Mesh: {fileID: 4300000, guid: (guid of level 2), type: 2}
        --- !u!23 &2591006375495590943
          m_Materials:
          - {fileID: 2100000, guid: (guid of stone), type: 2}"#]]
    .assert_eq(&told.join("\n"));
    let error = call_writing(&folder, super::TOOL.id, arguments).unwrap_err();
    assert_eq!(error.message, "Assets/Tile_LOD1.asset exists already");
}

#[test]
fn what_cannot_be_made_simpler_is_refused_and_nothing_is_made() {
    let folder = tile();
    let text = folder.read("Assets/Tile.asset");
    folder.write("Assets/Rock.fbx", "Kaydara FBX Binary");
    folder.write("Assets/Rock.fbx.meta", "fileFormatVersion: 2\nguid: abc00000000000000000000000000002\nModelImporter:\n  serializedVersion: 22200\n");
    let body = text.split("--- ").nth(1).unwrap();
    let other = body.replace("&4300000", "&5").replace("m_Name: Tile", "m_Name: Slab");
    folder.write("Assets/Two.asset", format!("{text}--- {other}"));
    let shapes = "  m_Shapes:\n    vertices:\n    - vertex: {x: 0, y: 0, z: 0}\n  m_IndexFormat";
    folder.write("Assets/Face.asset", text.replace("  m_IndexFormat", shapes));
    let told =
        |arguments: Value| call_writing(&folder, super::TOOL.id, arguments).unwrap_err().text();
    let mesh = |path: &str| told(json!({ "meshPath": path, "lodLevels": 1 }));
    let refused = [
        mesh("Assets/Tyle.asset"),
        mesh("Assets/Materials/Stone.mat"),
        mesh("Assets/Rock.fbx"),
        mesh("Assets/Two.asset"),
        mesh("Assets/Two.asset#Slap"),
        mesh("Assets/Face.asset"),
        told(json!({ "meshPath": "Assets/Tile.asset", "lodLevels": 4 })),
        told(json!({ "meshPath": "Assets/Tile.asset", "lodLevels": 1, "reductionTargets": [1.5] })),
        told(
            json!({ "meshPath": "Assets/Tile.asset", "lodLevels": 2, "reductionTargets": [0.1, 0.5] }),
        ),
        told(
            json!({ "meshPath": "Assets/Tile.asset", "lodLevels": 1, "materials": ["Assets/Tile.asset"] }),
        ),
    ];
    expect![[r#"
        Mesh not found: Asset at path 'Assets/Tyle.asset' not found
        Try: did you mean Assets/Tile.asset?
        Assets/Materials/Stone.mat has no mesh: it is a Material
        Try: nothing was changed; a mesh is in a file when it was saved as an .asset in text
        Assets/Rock.fbx is a model, whose meshes only Unity's importer makes
        Try: nothing was changed; a mesh is in a file when it was saved as an .asset in text
        Assets/Two.asset has 2 meshes
        Try: name one as Assets/Two.asset#Tile
        Assets/Two.asset has no mesh Slap
        Try: did you mean Slab?
        the mesh of Assets/Face.asset cannot be made simpler: it has blend shapes
        Try: nothing was changed
        Invalid tool arguments: lodLevels is more than reductionTargets has shares for
        Invalid tool arguments: reductionTargets has 1.5, and a share is between 0 and 1
        Invalid tool arguments: reductionTargets must become smaller from level to level
        m_Materials of MeshRenderer of Tile LOD/Tile_LOD0: the field takes a Material, and Assets/Tile.asset is a Mesh
        Try: nothing was changed"#]].assert_eq(&refused.join("\n"));
    assert!(!folder.path("Assets/Tile_LOD1.asset").exists());
}
