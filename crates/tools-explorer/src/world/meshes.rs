//! The triangles of a project's meshes, for rays.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use scenewright_unity::index::{AssetKind, Index};
use scenewright_unity::{FileId, Mesh};
use scenewright_world::math::Vec3;
use scenewright_world::{AssetRef, MeshData, Meshes};

/// Files over this hold no mesh that a ray should wait for.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// Meshes that are saved as text; those of models are known to Unity's importer alone.
pub(super) struct ProjectMeshes {
    index: Arc<Index>,
    known: Mutex<HashMap<i32, Option<Arc<MeshData>>>>,
}

impl ProjectMeshes {
    pub(super) fn new(index: Arc<Index>) -> ProjectMeshes {
        ProjectMeshes { index, known: Mutex::default() }
    }

    fn read(&self, asset: &AssetRef) -> Option<MeshData> {
        let file = self.index.by_path(&asset.path)?;
        if file.size() > MAX_FILE
            || !matches!(file.kind(), AssetKind::Asset | AssetKind::Scene | AssetKind::Prefab)
        {
            return None;
        }
        let document = file.document().ok()?;
        let mesh = Mesh::read(document.object(FileId(asset.source.file_id))?)?;
        let points: Vec<Vec3> = mesh.points.iter().map(|[x, y, z]| Vec3::new(*x, *y, *z)).collect();
        Some(MeshData::new(&points, mesh.triangles))
    }
}

impl Meshes for ProjectMeshes {
    fn triangles(&self, asset: &AssetRef) -> Option<Arc<MeshData>> {
        if asset.path.is_empty() {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(asset.id).or_insert_with(|| self.read(asset).map(Arc::new)).clone()
    }
}

impl fmt::Debug for ProjectMeshes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        write!(f, "ProjectMeshes({} asked for)", known.len())
    }
}

#[cfg(test)]
mod tests {
    use scenewright_contract::Outcome;
    use scenewright_fixture::Folder;
    use scenewright_toolkit::testing::call;
    use serde_json::json;

    use crate::testing::UnitySample;

    fn pick_in(project: &str, arguments: serde_json::Value) -> Outcome {
        let sample = UnitySample::open(Folder::unity(project));
        call(sample.runner(), "explorer.mousePick", arguments).unwrap()
    }

    /// A camera at the origin, and ten metres before it a mesh that its scene or another file has.
    fn project(mesh: &str) -> String {
        let wall = "--- !u!43 &43\nMesh:\n  m_Name: Wall\n  m_SubMeshes:\n  - firstByte: 0\n    indexCount: 3\n    \
                    topology: 0\n  m_IndexFormat: 0\n  m_IndexBuffer: 000001000200\n  m_VertexData:\n    \
                    m_VertexCount: 3\n    m_Channels:\n    - stream: 0\n      offset: 0\n      format: 0\n      \
                    dimension: 3\n    _typelessdata: 000080bf000080bf000000000000000000008040000000000000803f000080bf00000000\n";
        format!(
            "//- Assets/Rock.fbx\nKaydara FBX Binary\n//- Assets/Rock.fbx.meta\nfileFormatVersion: 2\n\
             guid: 0a000000000000000000000000000009\nModelImporter:\n  serializedVersion: 22200\n\
             //- Assets/Wall.asset\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{wall}\
             //- Assets/Wall.asset.meta\nfileFormatVersion: 2\nguid: 0a000000000000000000000000000001\n\
             //- Assets/Main.unity.meta\nfileFormatVersion: 2\nguid: 0a000000000000000000000000000002\n\
             //- Assets/Main.unity\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n\
             --- !u!1 &1\nGameObject:\n  m_Component:\n  - component: {{fileID: 2}}\n  - component: {{fileID: 3}}\n  \
             m_Layer: 0\n  m_Name: Eye\n  m_TagString: MainCamera\n  m_IsActive: 1\n\
             --- !u!4 &2\nTransform:\n  m_GameObject: {{fileID: 1}}\n  m_LocalPosition: {{x: 0, y: 0, z: 0}}\n  \
             m_Children: []\n  m_Father: {{fileID: 0}}\n\
             --- !u!20 &3\nCamera:\n  m_GameObject: {{fileID: 1}}\n  m_Enabled: 1\n  near clip plane: 0.3\n  \
             far clip plane: 1000\n  field of view: 60\n\
             --- !u!1 &4\nGameObject:\n  m_Component:\n  - component: {{fileID: 5}}\n  - component: {{fileID: 6}}\n  \
             m_Layer: 0\n  m_Name: Wall\n  m_TagString: Untagged\n  m_IsActive: 1\n\
             --- !u!4 &5\nTransform:\n  m_GameObject: {{fileID: 4}}\n  m_LocalPosition: {{x: 0, y: 0, z: 10}}\n  \
             m_LocalScale: {{x: 1, y: 1, z: 1}}\n  m_Children: []\n  m_Father: {{fileID: 0}}\n\
             --- !u!64 &6\nMeshCollider:\n  m_GameObject: {{fileID: 4}}\n  m_Enabled: 1\n  m_Convex: 0\n  m_Mesh: {mesh}\n\
             {wall}"
        )
    }

    #[test]
    fn rays_meet_meshes_of_files_and_of_the_scene() {
        for mesh in
            ["{fileID: 43, guid: 0a000000000000000000000000000001, type: 2}", "{fileID: 43}"]
        {
            let project = project(mesh);
            let pick = |y: f64| {
                let arguments = json!({ "x": 0.5, "y": y, "normalized": true });
                pick_in(&project, arguments).output["Hit"].clone()
            };
            // The triangle ends one metre below and four above the middle.
            assert_eq!(
                (pick(0.5), pick(0.7), pick(0.3)),
                (json!(true), json!(true), json!(false)),
                "{mesh}"
            );
        }
    }

    #[test]
    fn the_mesh_of_a_model_is_passed_over() {
        let project = project("{fileID: 43, guid: 0a000000000000000000000000000009, type: 3}");
        let outcome = pick_in(&project, json!({}));
        assert_eq!(outcome.output["Hit"], false);
        assert!(outcome.diagnostics[0].starts_with("1 colliders were passed over"));
    }
}
