//! The tool `cinemachine.batchAdjust`: Adjust Virtual Cameras.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::FileId;
use scenewright_unity::edit::New;
use scenewright_unity::hierarchy::{Component, Node};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Vector, find_camera, version};
use crate::base::draft::{self, SceneDraft};
use crate::base::{InUnity, Unity};

/// Cameras in one call.
const MAX_CAMERAS: usize = 20;
/// Classes of components, and the field of each.
type Holders = &'static [(&'static str, &'static str)];
/// Components with an offset to what is followed, and where it is.
const FOLLOW: Holders = &[
    ("CinemachineFollow", "FollowOffset"),
    ("CinemachineTransposer", "m_FollowOffset"),
    ("CinemachineOrbitalTransposer", "m_FollowOffset"),
];
/// The same for what is looked at.
const LOOK: Holders = &[
    ("CinemachineRotationComposer", "TargetOffset"),
    ("CinemachineComposer", "m_TrackedObjectOffset"),
    ("CinemachineGroupComposer", "m_TrackedObjectOffset"),
    ("CinemachineHardLookAt", "LookAtOffset"),
];

pub(crate) const TOOL: Tool = Tool {
    id: "cinemachine.batchAdjust",
    keywords: "many virtual cameras follow offset look at offset move vcam camera distance damping all several",
    title: "Adjust Virtual Cameras",
    notes: Some(
        "The offsets are added to those that the cameras have. A camera without a component for it is told in `details`.",
    ),
    category: "cinemachine",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Move a camera of the Unity sample one up from what it follows",
        input: r#"{ "project": "unity", "scenePath": "Assets/Scenes/Cellar.unity", "cameras": ["Follow Cam"], "followOffset": { "y": 1 } }"#,
        output: r#"{
            "success": true,
            "adjustedCount": 1,
            "details": [{ "camera": "Follow Cam", "adjusted": true }],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[
        Earlier {
            tool: "project.editText",
            input: r#"{ "project": "unity", "path": "Packages/manifest.json", "oldText": "\"com.unity.localization\"", "newText": "\"com.unity.cinemachine\": \"3.1.2\",\n    \"com.unity.localization\"" }"#,
        },
        Earlier {
            tool: "cinemachine.createVirtualCamera",
            input: r#"{ "project": "unity", "name": "Follow Cam", "followTarget": "Floor", "scenePath": "Assets/Scenes/Cellar.unity" }"#,
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add offsets to many virtual cameras of a scene or prefab.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Names or paths of the cameras.
    #[schemars(length(min = 1, max = 1000))]
    cameras: Vec<String>,
    /// Added to the offset from what they follow.
    follow_offset: Option<Vector>,
    /// Added to the offset from what they look at.
    look_at_offset: Option<Vector>,
    /// More cameras than this are refused.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 20))]
    max_cameras: usize,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn most() -> usize {
    MAX_CAMERAS
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure of the whole call is an error.
    success: bool,
    /// How many cameras were adjusted.
    adjusted_count: usize,
    /// What became of each, in order.
    details: Vec<Detail>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Detail {
    /// The camera.
    camera: String,
    /// Whether it was adjusted.
    adjusted: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    version(&unity, "Cinemachine package not installed")?;
    if input.cameras.len() > input.max_cameras {
        let (count, most) = (input.cameras.len(), input.max_cameras);
        let text = format!("Max cameras limit exceeded: {count} cameras, at most {most}");
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint("call several times"));
    }
    if input.follow_offset.is_none() && input.look_at_offset.is_none() {
        return Err(ToolError::bad_argument("followOffset", "or lookAtOffset must be given"));
    }
    let mut scene = SceneDraft::open(&unity, project, input.scene_path)?;
    let mut details = Vec::new();
    for camera in input.cameras {
        cx.check_cancelled()?;
        let wanted = [(input.follow_offset, FOLLOW), (input.look_at_offset, LOOK)];
        let error =
            adjust(&unity, &mut scene, &camera, wanted).err().map(|error| match error.hint {
                Some(hint) => format!("{}; {hint}", error.message),
                None => error.message,
            });
        details.push(Detail { camera, adjusted: error.is_none(), error });
    }
    let written = draft::commit(cx, project, &[&scene.file], input.dry_run)?;
    let adjusted_count = details.iter().filter(|detail| detail.adjusted).count();
    Ok(Output { success: true, adjusted_count, details, written })
}

fn adjust(
    unity: &Unity<'_>,
    scene: &mut SceneDraft<'_>,
    camera: &str,
    wanted: [(Option<Vector>, Holders); 2],
) -> Result<(), ToolError> {
    let mut found: Vec<(FileId, Vec<(String, New)>)> = Vec::new();
    let (node, _) = find_camera(unity, scene.hierarchy(), camera)?;
    for (offset, classes) in wanted {
        let Some(offset) = offset else { continue };
        let parts = parts(&node);
        let holder = parts.iter().find_map(|component| {
            let name = unity.component_name(component);
            let (_, field) = classes.iter().find(|(class, _)| *class == name)?;
            Some((component, *field))
        });
        let (component, field) = holder.ok_or_else(|| {
            let names: Vec<&str> = classes.iter().map(|(class, _)| *class).collect();
            ToolError::new(
                ErrorKind::EngineError,
                format!("{camera} has none of {}", names.join(", ")),
            )
            .hint("add one of them in Unity first")
        })?;
        found.push((component.file_id(), added(component, field, offset)));
    }
    found.into_iter().try_for_each(|(id, values)| scene.set(id, &values))
}

/// The components of a camera; those of Cinemachine 2 are on a hidden child.
fn parts<'h>(node: &Node<'h>) -> Vec<Component<'h>> {
    let children = node.children();
    let hidden = children.iter().filter(|child| child.name() == "cm");
    node.components().into_iter().chain(hidden.flat_map(Node::components)).collect()
}

fn added(component: &Component<'_>, field: &str, offset: Vector) -> Vec<(String, New)> {
    let old = |axis: &str| {
        let value = component.value(&format!("{field}.{axis}"));
        value.and_then(|value| value.text()?.parse::<f32>().ok()).unwrap_or(0.0)
    };
    let axes = [("x", offset.x), ("y", offset.y), ("z", offset.z)];
    let changed = axes.into_iter().filter(|(_, add)| *add != 0.0);
    changed.map(|(axis, add)| (format!("{field}.{axis}"), New::float(old(axis) + add))).collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{bench, bench_on};

    const SCENE: &str = "Assets/Scenes/Cellar.unity";

    #[test]
    fn offsets_are_added_and_what_has_none_is_told() {
        let bench = bench();
        let manifest = bench.read("Packages/manifest.json");
        let line = "\"com.unity.cinemachine\": \"3.1.2\",\n    \"com.unity.ugui\"";
        bench.write("Packages/manifest.json", &manifest.replace("\"com.unity.ugui\"", line));
        let camera = json!({ "name": "Cam", "scenePath": SCENE, "followTarget": "Floor" });
        bench.call("cinemachine.createVirtualCamera", camera).unwrap();
        let arguments = json!({
            "scenePath": SCENE, "cameras": ["Cam", "Floor", "Kam"], "followOffset": { "y": 1.5, "z": 2 },
        });
        let output = bench.call(super::TOOL.id, arguments).unwrap();
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -670,7 +670,7 @@
                 AngularDampingMode: 0
                 RotationDamping: {x: 1, y: 1, z: 1}
                 QuaternionDamping: 1
            -  FollowOffset: {x: 0, y: 0, z: -10}
            +  FollowOffset: {x: 0, y: 1.5, z: -8}
             --- !u!1 &1941436656
             GameObject:
               m_ObjectHideFlags: 0
        "#]]
        .assert_eq(output["changes"][0]["diff"].as_str().unwrap());
        expect![[r#"
            [
              {
                "camera": "Cam",
                "adjusted": true
              },
              {
                "camera": "Floor",
                "adjusted": false,
                "error": "Virtual Camera not found: Floor: it has Transform, MeshFilter, MeshRenderer, BoxCollider; scene_objects_find with componentType CinemachineCamera or CinemachineVirtualCamera lists them"
              },
              {
                "camera": "Kam",
                "adjusted": false,
                "error": "Virtual Camera not found: Kam; there is Cam, Storage Room/Wall North, Storage Room/Wall Lantern, Storage Room/GoldenLantern, Storage Room/Wall Lantern/Flame, Storage Room/GoldenLantern/Flame, Storage Room/GoldenLantern/Gilded Ring, Storage Room, Cellar Camera, Storage Room/Key, Storage Room/Floor, Drip Sound and 2 more; scene_hierarchy_dump or scene_objects_find give the paths"
              }
            ]"#]].assert_eq(&serde_json::to_string_pretty(&output["details"]).unwrap());
        let look = json!({ "scenePath": SCENE, "cameras": ["Cam"], "lookAtOffset": { "y": 1 } });
        assert_eq!(bench.call(super::TOOL.id, look).unwrap()["adjustedCount"], 0);
    }

    #[test]
    fn a_name_that_one_camera_alone_has_is_enough() {
        let camera = |id: u32, father: u32, children: &str, name: &str, script: &str| {
            format!(
                "--- !u!1 &{id}0
GameObject:
  m_Component:
  - component: {{fileID: {id}1}}
  - component: {{fileID: {id}2}}
  m_Name: {name}
--- !u!4 &{id}1
Transform:
  m_GameObject: {{fileID: {id}0}}
  m_Children: [{children}]
  m_Father: {{fileID: {father}}}
--- !u!114 &{id}2
MonoBehaviour:
  m_GameObject: {{fileID: {id}0}}
  m_Script: {{fileID: 11500000, guid: {script}, type: 3}}
  FollowOffset: {{x: 0, y: 0, z: 0}}
"
            )
        };
        const CAMERA: &str = "f9dfa5b682dcd46bda6128250e975f58";
        const FOLLOW: &str = "b617507da6d07e749b7efdb34e1173e1";
        let parts = [
            camera(1, 0, "{fileID: 21}, {fileID: 31}", "Rig", FOLLOW),
            camera(2, 11, "{fileID: 41}", "Near", CAMERA),
            camera(3, 11, "", "Far", CAMERA),
            camera(4, 21, "", "Far", CAMERA),
            camera(5, 0, "", "Near", FOLLOW),
        ];
        let bench = bench_on(&format!(
            "//- Packages/manifest.json\n{{ \"dependencies\": {{ \"com.unity.cinemachine\": \"3.1.2\" }} }}\n//- Assets/S.unity\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{}",
            parts.concat()
        ));
        let arguments = json!({
            "scenePath": "Assets/S.unity", "cameras": ["Near", "Far", "Rig/Far"], "followOffset": { "y": 1 },
        });
        let output = bench.call(super::TOOL.id, arguments).unwrap();
        expect![[r#"
            [
              {
                "camera": "Near",
                "adjusted": false,
                "error": "Near has none of CinemachineFollow, CinemachineTransposer, CinemachineOrbitalTransposer; add one of them in Unity first"
              },
              {
                "camera": "Far",
                "adjusted": false,
                "error": "Virtual Camera not found: Far: 2 cameras have that name; give the path: Rig/Near/Far, Rig/Far"
              },
              {
                "camera": "Rig/Far",
                "adjusted": false,
                "error": "Rig/Far has none of CinemachineFollow, CinemachineTransposer, CinemachineOrbitalTransposer; add one of them in Unity first"
              }
            ]"#]].assert_eq(&serde_json::to_string_pretty(&output["details"]).unwrap());
    }
}
