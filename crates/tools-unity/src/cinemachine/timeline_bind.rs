//! The tool `cinemachine.timelineBind`: Bind Virtual Camera.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::edit::Refused;
use scenewright_unity::hierarchy::Stated;
use scenewright_unity::timeline::{self, NewClip, Plays, TrackKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find_camera, version};
use crate::base::InUnity;
use crate::base::draft::{self, SceneDraft};
use crate::timeline::{find_director, find_track, guid_of, open, place_clip};

pub(crate) const TOOL: Tool = Tool {
    id: "cinemachine.timelineBind",
    argument_aliases: &[("object", "vcam"), ("node", "vcam")],
    keywords: "cinemachine shot virtual camera timeline track clip cutscene cut",
    title: "Bind Virtual Camera",
    notes: Some(
        "Adds a shot of the camera to the track, behind the last one unless `start` is given. The CinemachineBrain of the track is bound with timeline_bindObject.",
    ),
    category: "cinemachine",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Show a camera of the Unity sample in a Timeline",
        input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "vcam": "Follow Cam", "trackName": "Shots", "scenePath": "Assets/Scenes/Cellar.unity" }"#,
        output: r#"{
            "success": true,
            "bound": true,
            "timelinePath": "Assets/Intro.playable",
            "vcam": "Follow Cam",
            "start": 0.0,
            "duration": 5.0,
            "dryRun": false,
            "filesChanged": 2,
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
        Earlier {
            tool: "timeline.create",
            input: r#"{ "project": "unity", "path": "Assets/Intro.playable", "scenePath": "Assets/Scenes/Cellar.unity", "objectPath": "Drip Sound" }"#,
        },
        Earlier {
            tool: "timeline.createTrack",
            input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "trackType": "cinemachine", "trackName": "Shots" }"#,
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Show a virtual camera on a Cinemachine track of a Timeline: a shot on the track, and the camera in
/// the PlayableDirector of the scene.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The Timeline, a `.playable` file.
    timeline_path: String,
    /// Name or path of the camera.
    vcam: String,
    /// Name of the Cinemachine track.
    track_name: String,
    /// Scene or prefab with the camera and the PlayableDirector.
    scene_path: String,
    /// Seconds from the start of the Timeline; behind the last shot by default.
    #[schemars(range(min = 0))]
    start: Option<f64>,
    /// Seconds.
    #[serde(default = "usual_duration")]
    duration: f64,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn usual_duration() -> f64 {
    5.0
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Whether the camera has a shot now.
    bound: bool,
    /// The Timeline.
    timeline_path: String,
    /// The camera.
    vcam: String,
    /// When the shot begins, in seconds.
    start: f64,
    /// How long it is, in seconds.
    duration: f64,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    version(&unity, "Cinemachine package not installed")?;
    let (mut file, timeline) = open(cx, project, &input.timeline_path, "Timeline not found")?;
    let guid = guid_of(&unity, &file)?;
    let track = find_track(&timeline, &input.track_name, "Cinemachine track not found")?;
    if track.kind != Some(TrackKind::Cinemachine) {
        let text = format!("Cinemachine track not found: {} is another kind of track", track.name);
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint("timeline_createTrack with trackType cinemachine adds one"));
    }
    if !input.duration.is_finite() || input.duration <= 0.0 {
        return Err(ToolError::bad_argument("duration", "must be more than 0"));
    }
    let end = track.clips.iter().map(|clip| clip.start + clip.duration).fold(0.0, f64::max);
    let start = input.start.unwrap_or(end);
    let mut scene = SceneDraft::open(&unity, project, Some(input.scene_path.clone()))?;
    let (node, camera) = find_camera(&unity, scene.hierarchy(), &input.vcam)?;
    let name = node.name().into_owned();
    let director = find_director(&scene, guid, None)?;
    let camera = scene.refer_to(camera)?;
    if !matches!(scene.component(director).map(|d| d.stated()), Some(Stated::Here(_))) {
        let text = "the PlayableDirector is inside of a prefab instance, whose named references cannot be set here";
        return Err(ToolError::new(ErrorKind::EngineError, text).hint("change the prefab itself"));
    }
    let exposed = unity.fresh_guid()?;
    scene.change(|document, manner, edits| {
        let director =
            document.object(director).ok_or_else(|| Refused::NoPlace("the director".into()))?;
        timeline::expose(director, exposed, camera, manner, edits)
    })?;
    let clip = NewClip { name, start, duration: input.duration, plays: Plays::Exposed(exposed) };
    place_clip(cx, &mut file, track, TrackKind::Cinemachine, &clip)?;
    let mut plan = Plan::new(project);
    file.add_to(&mut plan);
    scene.file.add_to(&mut plan);
    let written = draft::commit_plan(cx, project, plan, input.dry_run)?;
    let (timeline_path, vcam, duration) = (file.path.to_string(), input.vcam, input.duration);
    Ok(Output { success: true, bound: true, timeline_path, vcam, start, duration, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use scenewright_toolkit::testing::call;

    use crate::testing::bench;

    const SCENE: &str = "Assets/Scenes/Cellar.unity";
    const TIMELINE: &str = "Assets/Intro.playable";

    #[test]
    fn a_camera_gets_a_shot_and_its_name_in_the_director() {
        let bench = bench();
        let manifest = bench.read("Packages/manifest.json");
        let line = "\"com.unity.cinemachine\": \"3.1.2\",\n    \"com.unity.ugui\"";
        bench.write("Packages/manifest.json", &manifest.replace("\"com.unity.ugui\"", line));
        let camera = json!({ "name": "Cam", "scenePath": SCENE, "followTarget": "Floor" });
        bench.call("cinemachine.createVirtualCamera", camera).unwrap();
        let director = json!({ "path": TIMELINE, "scenePath": SCENE, "objectPath": "Drip Sound" });
        bench.call("timeline.create", director).unwrap();
        for kind in ["cinemachine", "audio"] {
            let track = json!({ "timelinePath": TIMELINE, "trackType": kind, "trackName": kind });
            bench.call("timeline.createTrack", track).unwrap();
        }
        let arguments = |vcam: &str, track: &str| json!({ "timelinePath": TIMELINE, "vcam": vcam, "trackName": track, "scenePath": SCENE });
        let diff = bench.diff(super::TOOL.id, arguments("Cam", "cinemachine"));
        let name = diff.split("exposedName: ").nth(1).unwrap()[..32].to_owned();
        let short: Vec<&str> = diff
            .lines()
            .filter(|line| !line.contains("lope:") && !line.contains("eight"))
            .collect();
        expect![[r#"
            --- a/Assets/Intro.playable
            +++ b/Assets/Intro.playable
            @@ -1,5 +1,21 @@
             %YAML 1.1
             %TAG !u! tag:unity3d.com,2011:
            +--- !u!114 &-9034632053365941565
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 90fb794a295e73545af71bcdb7375791, type: 3}
            +  m_Name: CinemachineShot
            +  m_EditorClassIdentifier: 
            +  DisplayName: 
            +  VirtualCamera:
            +    exposedName: NAME
            +    defaultValue: {fileID: 0}
             --- !u!114 &-7967184049194437408
             MonoBehaviour:
               m_ObjectHideFlags: 1
            @@ -47,7 +63,76 @@
               m_Curves: {fileID: 0}
               m_Parent: {fileID: 11400000}
               m_Children: []
            -  m_Clips: []
            +  m_Clips:
            +  - m_Version: 1
            +    m_Start: 0
            +    m_ClipIn: 0
            +    m_Asset: {fileID: -9034632053365941565}
            +    m_Duration: 5
            +    m_TimeScale: 1
            +    m_ParentTrack: {fileID: -680963419133957070}
            +    m_EaseInDuration: 0
            +    m_EaseOutDuration: 0
            +    m_BlendInDuration: -1
            +    m_BlendOutDuration: -1
            +    m_MixInCurve:
            +      serializedVersion: 2
            +      m_Curve:
            +      - serializedVersion: 3
            +        time: 0
            +        value: 0
            +        tangentMode: 0
            +      - serializedVersion: 3
            +        time: 1
            +        value: 1
            +        tangentMode: 0
            +      m_PreInfinity: 2
            +      m_PostInfinity: 2
            +      m_RotationOrder: 4
            +    m_MixOutCurve:
            +      serializedVersion: 2
            +      m_Curve:
            +      - serializedVersion: 3
            +        time: 0
            +        value: 1
            +        tangentMode: 0
            +      - serializedVersion: 3
            +        time: 1
            +        value: 0
            +        tangentMode: 0
            +      m_PreInfinity: 2
            +      m_PostInfinity: 2
            +      m_RotationOrder: 4
            +    m_BlendInCurveMode: 0
            +    m_BlendOutCurveMode: 0
            +    m_ExposedParameterNames: []
            +    m_AnimationCurves: {fileID: 0}
            +    m_Recordable: 0
            +    m_PostExtrapolationMode: 0
            +    m_PreExtrapolationMode: 0
            +    m_PostExtrapolationTime: 0
            +    m_PreExtrapolationTime: 0
            +    m_DisplayName: Cam
               m_Markers:
                 m_Objects: []
             --- !u!114 &11400000
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -139,7 +139,8 @@
               m_InitialTime: 0
               m_SceneBindings: []
               m_ExposedReferences:
            -    m_References: []
            +    m_References:
            +    - NAME: {fileID: 1169445653}
             --- !u!1 &634486858
             GameObject:
               m_ObjectHideFlags: 0"#]]
        .assert_eq(&short.join("\n").replace(&name, "NAME"));
        let second = bench.call(super::TOOL.id, arguments("Cam", "cinemachine")).unwrap();
        assert_eq!(second["start"], 5.0);
        let blends = |start: f64, duration: f64| {
            let mut over = arguments("Cam", "cinemachine");
            over["start"] = start.into();
            over["duration"] = duration.into();
            let outcome = call(bench.runner(), super::TOOL.id, over).unwrap();
            let text = bench.read(TIMELINE);
            let blends =
                text.lines().filter(|line| line.contains("m_Blend") && line.contains("Duration"));
            let blends: Vec<&str> = blends.map(|line| line.rsplit(' ').next().unwrap()).collect();
            format!("{} {}", blends.join(" "), outcome.diagnostics.join(" "))
        };
        expect![[r#"
            -1 -1 -1 1 1 -1 
            -1 -1 -1 1 1 -1 -1 -1 Cam and Cam (5 to 10 seconds) do not blend: one is wholly inside of the other"#]].assert_eq(&[blends(9.0, 3.0), blends(6.0, 1.0)].join("\n"));
        let errors = [
            bench.error(super::TOOL.id, arguments("Floor", "cinemachine")),
            bench.error(super::TOOL.id, arguments("Cam", "audio")),
            bench.error(super::TOOL.id, arguments("Cam", "Shot")),
        ];
        expect![[r#"
            Virtual Camera not found: Floor: it has Transform, MeshFilter, MeshRenderer, BoxCollider; scene_objects_find with componentType CinemachineCamera or CinemachineVirtualCamera lists them
            Cinemachine track not found: audio is another kind of track; timeline_createTrack with trackType cinemachine adds one
            Cinemachine track not found: Shot; the tracks are cinemachine, audio"#]].assert_eq(&errors.join("\n"));
    }
}
