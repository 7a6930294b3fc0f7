//! The tool `cinemachine.createVirtualCamera`: Create Virtual Camera.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::edit::New;
use scenewright_unity::{ClassId, FileId, Guid, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Vector, version};
use crate::base::draft::{self, SceneDraft};
use crate::base::{INSTANCE_IDS, InUnity, Unity, objects, tell_of_instance_ids};

/// The scripts of the package.
const CAMERA_3: &str = "f9dfa5b682dcd46bda6128250e975f58";
const FOLLOW_3: &str = "b617507da6d07e749b7efdb34e1173e1";
const COMPOSER_3: &str = "f38bda98361e1de48a4ca2bd86ea3c17";
const CAMERA_2: &str = "45e653bab7fb20e499bda25e1b646fea";

pub(crate) const TOOL: Tool = Tool {
    id: "cinemachine.createVirtualCamera",
    keywords: "new cinemachine camera vcam follow look at target priority lens field of view cam third person follows player",
    title: "Create Virtual Camera",
    notes: Some(
        "By the version of the package: a CinemachineCamera with Follow and Rotation Composer in Cinemachine 3, a CinemachineVirtualCamera in 2, where Unity adds body and aim itself.",
    ),
    category: "cinemachine",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Add a camera that follows an object to the cellar of the Unity sample",
        input: r#"{ "project": "unity", "name": "Follow Cam", "followTarget": "Floor", "scenePath": "Assets/Scenes/Cellar.unity", "position": { "y": 2, "z": -5 } }"#,
        output: r#"{
            "success": true,
            "vcamPath": "Follow Cam",
            "vcamName": "Follow Cam",
            "instanceId": 1,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["instanceId", "changes", "undo"],
    }],
    after: &[Earlier {
        tool: "project.editText",
        input: r#"{ "project": "unity", "path": "Packages/manifest.json", "oldText": "\"com.unity.localization\"", "newText": "\"com.unity.cinemachine\": \"3.1.2\",\n    \"com.unity.localization\"" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    for_programs: INSTANCE_IDS,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a virtual camera to a scene, with what it follows and looks at.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Name of the new object.
    name: String,
    /// Path of the object that it follows.
    follow_target: Option<String>,
    /// Path of the object that it looks at.
    look_at: Option<String>,
    /// Where it is.
    #[serde(default)]
    position: Vector,
    /// The camera with the highest priority is live.
    #[serde(default = "usual_priority")]
    priority: i32,
    /// How wide it sees.
    #[serde(default)]
    lens_settings: Lens,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn usual_priority() -> i32 {
    10
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Lens {
    /// Degrees, of a perspective camera; 60 by default.
    #[schemars(range(min = 1, max = 179))]
    field_of_view: Option<f32>,
    /// Half the height in units, of an orthographic camera; 5 by default.
    orthographic_size: Option<f32>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Path of the object.
    vcam_path: String,
    /// Its name.
    vcam_name: String,
    /// A stable number for it.
    instance_id: i32,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    let major = version(&unity, "Cinemachine package required (Window/Package Manager)")?;
    if input.name.trim().is_empty() {
        return Err(ToolError::bad_argument("name", "must not be empty"));
    }
    let mut scene = SceneDraft::open(&unity, project, input.scene_path.clone())?;
    let follow = target(&unity, &mut scene, input.follow_target.as_deref())?;
    let look_at = target(&unity, &mut scene, input.look_at.as_deref())?;
    let Vector { x, y, z } = input.position;
    let id = scene.create_object(input.name.trim(), [x, y, z])?;
    let parts = match major {
        0..=2 => vec![behaviour(CAMERA_2, second(&input, follow, look_at))],
        _ => third(&input, follow, look_at),
    };
    for fields in parts {
        scene.add_component(id, ClassId::MONO_BEHAVIOUR, "MonoBehaviour", fields)?;
    }
    if major <= 2 {
        cx.diagnose("Body and Aim do nothing yet: Cinemachine 2 keeps them in a hidden child that Unity makes when one is chosen");
    }
    let node = scene.hierarchy().find_by_id(id);
    let path = node.as_ref().map(|node| node.path()).unwrap_or_default();
    let instance_id = node.as_ref().map(objects::node_id).unwrap_or_default();
    let written = draft::commit(cx, project, &[&scene.file], input.dry_run)?;
    cx.diagnose("The fields are those that the package has now; Unity completes what its version has beside them");
    tell_of_instance_ids(cx);
    let vcam_name = input.name.trim().to_owned();
    Ok(Output { success: true, vcam_path: path, vcam_name, instance_id, written })
}

/// How the scene refers to the transform of an object.
fn target(
    unity: &Unity<'_>,
    scene: &mut SceneDraft<'_>,
    path: Option<&str>,
) -> Result<FileId, ToolError> {
    let Some(path) = path else { return Ok(FileId::NULL) };
    let missing = format!("Target GameObject not found: {path}");
    let node = unity.object(scene.hierarchy(), path, &missing)?;
    let is_transform =
        |class: ClassId| matches!(class, ClassId::TRANSFORM | ClassId::RECT_TRANSFORM);
    let mut components = node.components().into_iter();
    let transform = components.find(|component| is_transform(component.class_id()));
    let id =
        transform.map(|transform| transform.file_id()).ok_or_else(|| ToolError::failed(missing))?;
    scene.refer_to(id)
}

/// A component of a script.
fn behaviour(script: &str, own: Vec<(&str, New)>) -> Vec<(String, New)> {
    let script = Reference { file_id: FileId(11_500_000), guid: Guid::parse(script), kind: 3 };
    let head = [
        ("m_Enabled", New::int(1)),
        ("m_EditorHideFlags", New::int(0)),
        ("m_Script", New::Reference(script)),
        ("m_Name", New::Text(String::new())),
        ("m_EditorClassIdentifier", New::Text(String::new())),
    ];
    head.into_iter().chain(own).map(|(key, value)| (key.to_owned(), value)).collect()
}

fn map<const N: usize>(fields: [(&str, New); N]) -> New {
    New::Map(fields.map(|(key, value)| (key.to_owned(), value)).to_vec())
}

fn vector(x: f32, y: f32, z: f32) -> New {
    New::flow([("x", x), ("y", y), ("z", z)])
}

fn lens(input: &Input) -> [(&'static str, New); 5] {
    let Lens { field_of_view, orthographic_size } = input.lens_settings;
    [
        ("FieldOfView", New::float(field_of_view.unwrap_or(60.0))),
        ("OrthographicSize", New::float(orthographic_size.unwrap_or(5.0))),
        ("NearClipPlane", New::float(0.1)),
        ("FarClipPlane", New::int(5000)),
        ("Dutch", New::int(0)),
    ]
}

/// The camera of Cinemachine 2.
fn second(input: &Input, follow: FileId, look_at: FileId) -> Vec<(&'static str, New)> {
    vec![
        ("m_Priority", New::int(input.priority.into())),
        ("m_StandbyUpdate", New::int(2)),
        ("m_LookAt", New::local(look_at)),
        ("m_Follow", New::local(follow)),
        ("m_Lens", map(lens(input))),
    ]
}

/// The camera of Cinemachine 3, and what moves and turns it.
fn third(input: &Input, follow: FileId, look_at: FileId) -> Vec<Vec<(String, New)>> {
    let has_own = follow != FileId::NULL && look_at != FileId::NULL && follow != look_at;
    let tracked = if follow == FileId::NULL { look_at } else { follow };
    let priority = map([("Enabled", New::int(1)), ("m_Value", New::int(input.priority.into()))]);
    let target = map([
        ("TrackingTarget", New::local(tracked)),
        ("LookAtTarget", New::local(if has_own { look_at } else { FileId::NULL })),
        ("CustomLookAtTarget", New::bool(has_own)),
    ]);
    let camera = vec![
        ("Priority", priority),
        ("OutputChannel", New::int(1)),
        ("StandbyUpdate", New::int(2)),
        ("m_StreamingVersion", New::int(20_241_001)),
        ("Target", target),
        ("Lens", map(lens(input))),
        ("BlendHint", New::int(0)),
    ];
    let mut parts = vec![behaviour(CAMERA_3, camera)];
    if follow != FileId::NULL {
        let tracker = map([
            ("BindingMode", New::int(4)),
            ("PositionDamping", vector(1.0, 1.0, 1.0)),
            ("AngularDampingMode", New::int(0)),
            ("RotationDamping", vector(1.0, 1.0, 1.0)),
            ("QuaternionDamping", New::int(1)),
        ]);
        let own = vec![("TrackerSettings", tracker), ("FollowOffset", vector(0.0, 0.0, -10.0))];
        parts.push(behaviour(FOLLOW_3, own));
    }
    if look_at != FileId::NULL {
        let own = vec![
            ("CenterOnActivate", New::int(1)),
            ("TargetOffset", vector(0.0, 0.0, 0.0)),
            // Not what the field begins with, but what Reset sets.
            ("Damping", New::flow([("x", 0.5), ("y", 0.5)])),
        ];
        parts.push(behaviour(COMPOSER_3, own));
    }
    parts
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{Site, bench};

    const SCENE: &str = "Assets/Scenes/Cellar.unity";

    fn site(version: &str) -> Site {
        let bench = bench();
        let manifest = bench.read("Packages/manifest.json");
        let line = format!("\"com.unity.cinemachine\": \"{version}\",\n    \"com.unity.ugui\"");
        bench.write("Packages/manifest.json", &manifest.replace("\"com.unity.ugui\"", &line));
        bench
    }

    #[test]
    fn a_camera_of_each_version_is_made() {
        let arguments = json!({
            "name": "Cam", "scenePath": SCENE, "followTarget": "Floor", "lookAt": "Storage Room",
            "position": { "y": 2 }, "lensSettings": { "fieldOfView": 40 },
        });
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -320,6 +320,11 @@
                 m_AddedGameObjects: []
                 m_AddedComponents: []
               m_SourcePrefab: {fileID: 100100000, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +--- !u!4 &743507976 stripped
            +Transform:
            +  m_CorrespondingSourceObject: {fileID: 7320436492791114920, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +  m_PrefabInstance: {fileID: 743507975}
            +  m_PrefabAsset: {fileID: 0}
             --- !u!1 &786083070
             GameObject:
               m_ObjectHideFlags: 0
            @@ -623,6 +628,103 @@
               m_PrefabAsset: {fileID: 0}
               m_GameObject: {fileID: 971913079}
               m_Enabled: 1
            +--- !u!114 &1169445653
            +MonoBehaviour:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1941436656}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: f9dfa5b682dcd46bda6128250e975f58, type: 3}
            +  m_Name: 
            +  m_EditorClassIdentifier: 
            +  Priority:
            +    Enabled: 1
            +    m_Value: 10
            +  OutputChannel: 1
            +  StandbyUpdate: 2
            +  m_StreamingVersion: 20241001
            +  Target:
            +    TrackingTarget: {fileID: 786083071}
            +    LookAtTarget: {fileID: 743507976}
            +    CustomLookAtTarget: 1
            +  Lens:
            +    FieldOfView: 40
            +    OrthographicSize: 5
            +    NearClipPlane: 0.1
            +    FarClipPlane: 5000
            +    Dutch: 0
            +  BlendHint: 0
            +--- !u!114 &1169445654
            +MonoBehaviour:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1941436656}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: b617507da6d07e749b7efdb34e1173e1, type: 3}
            +  m_Name: 
            +  m_EditorClassIdentifier: 
            +  TrackerSettings:
            +    BindingMode: 4
            +    PositionDamping: {x: 1, y: 1, z: 1}
            +    AngularDampingMode: 0
            +    RotationDamping: {x: 1, y: 1, z: 1}
            +    QuaternionDamping: 1
            +  FollowOffset: {x: 0, y: 0, z: -10}
            +--- !u!114 &1169445655
            +MonoBehaviour:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1941436656}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: f38bda98361e1de48a4ca2bd86ea3c17, type: 3}
            +  m_Name: 
            +  m_EditorClassIdentifier: 
            +  CenterOnActivate: 1
            +  TargetOffset: {x: 0, y: 0, z: 0}
            +  Damping: {x: 0.5, y: 0.5}
            +--- !u!1 &1941436656
            +GameObject:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  serializedVersion: 6
            +  m_Component:
            +  - component: {fileID: 1941436657}
            +  - component: {fileID: 1169445653}
            +  - component: {fileID: 1169445654}
            +  - component: {fileID: 1169445655}
            +  m_Layer: 0
            +  m_Name: Cam
            +  m_TagString: Untagged
            +  m_Icon: {fileID: 0}
            +  m_NavMeshLayer: 0
            +  m_StaticEditorFlags: 0
            +  m_IsActive: 1
            +--- !u!4 &1941436657
            +Transform:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1941436656}
            +  serializedVersion: 2
            +  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
            +  m_LocalPosition: {x: 0, y: 2, z: 0}
            +  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_ConstrainProportionsScale: 0
            +  m_Children: []
            +  m_Father: {fileID: 0}
            +  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
             --- !u!1660057539 &9223372036854775807
             SceneRoots:
               m_ObjectHideFlags: 0
            @@ -632,3 +734,4 @@
               - {fileID: 874364837}
               - {fileID: 743507975}
               - {fileID: 634486859}
            +  - {fileID: 1941436657}
        "#]].assert_eq(&site("3.1.2").diff(super::TOOL.id, arguments.clone()));
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -320,6 +320,11 @@
                 m_AddedGameObjects: []
                 m_AddedComponents: []
               m_SourcePrefab: {fileID: 100100000, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +--- !u!4 &743507976 stripped
            +Transform:
            +  m_CorrespondingSourceObject: {fileID: 7320436492791114920, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +  m_PrefabInstance: {fileID: 743507975}
            +  m_PrefabAsset: {fileID: 0}
             --- !u!1 &786083070
             GameObject:
               m_ObjectHideFlags: 0
            @@ -623,6 +628,60 @@
               m_PrefabAsset: {fileID: 0}
               m_GameObject: {fileID: 971913079}
               m_Enabled: 1
            +--- !u!114 &1169445653
            +MonoBehaviour:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1941436656}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 45e653bab7fb20e499bda25e1b646fea, type: 3}
            +  m_Name: 
            +  m_EditorClassIdentifier: 
            +  m_Priority: 10
            +  m_StandbyUpdate: 2
            +  m_LookAt: {fileID: 743507976}
            +  m_Follow: {fileID: 786083071}
            +  m_Lens:
            +    FieldOfView: 40
            +    OrthographicSize: 5
            +    NearClipPlane: 0.1
            +    FarClipPlane: 5000
            +    Dutch: 0
            +--- !u!1 &1941436656
            +GameObject:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  serializedVersion: 6
            +  m_Component:
            +  - component: {fileID: 1941436657}
            +  - component: {fileID: 1169445653}
            +  m_Layer: 0
            +  m_Name: Cam
            +  m_TagString: Untagged
            +  m_Icon: {fileID: 0}
            +  m_NavMeshLayer: 0
            +  m_StaticEditorFlags: 0
            +  m_IsActive: 1
            +--- !u!4 &1941436657
            +Transform:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 1941436656}
            +  serializedVersion: 2
            +  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
            +  m_LocalPosition: {x: 0, y: 2, z: 0}
            +  m_LocalScale: {x: 1, y: 1, z: 1}
            +  m_ConstrainProportionsScale: 0
            +  m_Children: []
            +  m_Father: {fileID: 0}
            +  m_LocalEulerAnglesHint: {x: 0, y: 0, z: 0}
             --- !u!1660057539 &9223372036854775807
             SceneRoots:
               m_ObjectHideFlags: 0
            @@ -632,3 +691,4 @@
               - {fileID: 874364837}
               - {fileID: 743507975}
               - {fileID: 634486859}
            +  - {fileID: 1941436657}
        "#]].assert_eq(&site("2.9.7").diff(super::TOOL.id, arguments));
    }

    #[test]
    fn what_is_missing_is_told() {
        let arguments = json!({ "name": "Cam", "scenePath": SCENE, "followTarget": "Flor" });
        let errors = [
            bench().error(super::TOOL.id, arguments.clone()),
            site("3.1.2").error(super::TOOL.id, arguments),
        ];
        expect![[r#"
            Cinemachine package required (Window/Package Manager); add com.unity.cinemachine to Packages/manifest.json
            Target GameObject not found: Flor; did you mean Floor?"#]].assert_eq(&errors.join("\n"));
    }
}
