//! The tool `timeline.bindObject`: Bind Timeline Track.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{bind, find_director, find_scene, find_track, guid_of, open};
use crate::base;
use crate::base::InUnity;
use crate::base::draft::{self, SceneDraft};

pub(crate) const TOOL: Tool = Tool {
    id: "timeline.bindObject",
    keywords: "playable director binding track scene object animator audio source assign generic binding actor character cutscene",
    title: "Bind Timeline Track",
    notes: Some(
        "What is bound follows from the track: the object itself for activation, its Animator, AudioSource, SignalReceiver or CinemachineBrain for others.",
    ),
    category: "timeline",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Let an activation track of a Timeline switch the floor of the Unity sample's cellar",
        input: r#"{ "project": "unity", "sceneName": "Cellar", "timelinePath": "Assets/Intro.playable", "trackName": "Lamp", "objectPath": "Floor" }"#,
        output: r#"{
            "success": true,
            "trackName": "Lamp",
            "objectPath": "Floor",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[
        Earlier {
            tool: "timeline.create",
            input: r#"{ "project": "unity", "path": "Assets/Intro.playable", "scenePath": "Assets/Scenes/Cellar.unity", "objectPath": "Drip Sound" }"#,
        },
        Earlier {
            tool: "timeline.createTrack",
            input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "trackType": "activation", "trackName": "Lamp" }"#,
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Bind an object of a scene to a track of a Timeline, in the PlayableDirector that plays it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scene or prefab with the PlayableDirector, by path or by name.
    scene_name: String,
    /// The Timeline, a `.playable` file.
    timeline_path: String,
    /// Name of the track.
    track_name: String,
    /// Path of the object.
    object_path: String,
    /// Object with the PlayableDirector, where several play the Timeline.
    director_path: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The track.
    track_name: String,
    /// The object.
    object_path: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    let (file, timeline) = open(cx, project, &input.timeline_path, "Timeline not found")?;
    let unity = cx.unity(input.project.as_deref())?;
    let guid = guid_of(&unity, &file)?;
    let track = find_track(&timeline, &input.track_name, "Track not found in timeline")?;
    let scene = find_scene(&unity, Some(input.scene_name))?;
    let mut scene = SceneDraft::open(&unity, project, scene)?;
    let director = find_director(&scene, guid, input.director_path.as_deref())?;
    bind(&unity, &mut scene, director, (guid, track), &input.object_path)?;
    let written = draft::commit(cx, project, &[&scene.file], input.dry_run)?;
    let (track_name, object_path) = (input.track_name, input.object_path);
    Ok(Output { success: true, track_name, object_path, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{Site, bench, bench_on};

    const TIMELINE: &str = "Assets/Intro.playable";
    const SCENE: &str = "Assets/Scenes/Cellar.unity";

    fn site() -> Site {
        let bench = bench();
        let director = json!({ "path": TIMELINE, "scenePath": SCENE, "objectPath": "Drip Sound" });
        bench.call("timeline.create", director).unwrap();
        for kind in ["activation", "audio", "animation", "control"] {
            let track = json!({ "timelinePath": TIMELINE, "trackType": kind, "trackName": kind });
            bench.call("timeline.createTrack", track).unwrap();
        }
        bench
    }

    fn arguments(scene: &str, track: &str, object: &str) -> Value {
        json!({ "sceneName": scene, "timelinePath": TIMELINE, "trackName": track, "objectPath": object })
    }

    /// The guid is another one in each run.
    fn plain(bench: &Site, text: &str) -> String {
        let meta = bench.read("Assets/Intro.playable.meta");
        text.replace(meta[26..59].trim(), "GUID")
    }

    #[test]
    fn objects_components_and_what_is_in_prefabs_are_bound() {
        let bench = site();
        let bind = |track: &str, object: &str| {
            plain(&bench, &bench.diff(super::TOOL.id, arguments("Cellar", track, object)))
        };
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -137,7 +137,9 @@
               m_WrapMode: 2
               m_DirectorUpdateMode: 1
               m_InitialTime: 0
            -  m_SceneBindings: []
            +  m_SceneBindings:
            +  - key: {fileID: 36497288212653844, guid: GUID, type: 2}
            +    value: {fileID: 786083070}
               m_ExposedReferences:
                 m_References: []
             --- !u!1 &634486858
        "#]]
        .assert_eq(&bind("activation", "Floor"));
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -140,6 +140,8 @@
               m_SceneBindings:
               - key: {fileID: 36497288212653844, guid: GUID, type: 2}
                 value: {fileID: 786083070}
            +  - key: {fileID: -7967184049194437408, guid: GUID, type: 2}
            +    value: {fileID: 634486860}
               m_ExposedReferences:
                 m_References: []
             --- !u!1 &634486858
        "#]]
        .assert_eq(&bind("audio", "Drip Sound"));
        // One that is bound already is bound to another, which is in a prefab instance.
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -139,7 +139,7 @@
               m_InitialTime: 0
               m_SceneBindings:
               - key: {fileID: 36497288212653844, guid: GUID, type: 2}
            -    value: {fileID: 786083070}
            +    value: {fileID: 743507976}
               - key: {fileID: -7967184049194437408, guid: GUID, type: 2}
                 value: {fileID: 634486860}
               m_ExposedReferences:
            @@ -342,6 +342,11 @@
                 m_AddedGameObjects: []
                 m_AddedComponents: []
               m_SourcePrefab: {fileID: 100100000, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +--- !u!1 &743507976 stripped
            +GameObject:
            +  m_CorrespondingSourceObject: {fileID: 4992043895100452652, guid: f755b277b36ec092bed9651617f3a926, type: 3}
            +  m_PrefabInstance: {fileID: 743507975}
            +  m_PrefabAsset: {fileID: 0}
             --- !u!1 &786083070
             GameObject:
               m_ObjectHideFlags: 0
        "#]].assert_eq(&bind("activation", "Storage Room"));
        assert_eq!(bind("activation", "Storage Room"), "");
    }

    #[test]
    fn what_cannot_be_bound_is_told_with_what_can() {
        let bench = site();
        let error = |scene: &str, track: &str, object: &str| {
            bench.error(super::TOOL.id, arguments(scene, track, object))
        };
        let errors = [
            error("Celar", "audio", "Floor"),
            error("Main", "audio", "Floor"),
            error("Cellar", "audi", "Floor"),
            error("Cellar", "audio", "Flor"),
            error("Cellar", "audio", "Floor"),
            error("Cellar", "animation", "Floor"),
            error("Cellar", "control", "Floor"),
        ];
        expect![[r#"
            Scene not found or not loaded: Celar; did you mean Cellar?
            PlayableDirector not found in scene: none in Assets/Scenes/Main.unity plays it; scene_objects_find with componentType PlayableDirector lists those there are
            Track not found in timeline: audi; did you mean audio?
            GameObject not found: Flor; did you mean Floor?
            Floor has no AudioSource, which the track audio takes; add the component first, or bind another object; it has Transform, MeshFilter, MeshRenderer, BoxCollider
            Floor has no Animator, which the track animation takes; add the component first, or bind another object; it has Transform, MeshFilter, MeshRenderer, BoxCollider
            control is of the class ControlTrack, which binds nothing; bind to a track for animation, activation, audio or signals"#]].assert_eq(&errors.join("\n"));
    }

    #[test]
    fn a_director_in_an_instance_is_overridden() {
        let bench = bench_on(
            "//- Assets/Intro.playable
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!114 &11400000
MonoBehaviour:
  m_Script: {fileID: 11500000, guid: bfda56da833e2384a9677cd3c976a436, type: 3}
  m_Tracks:
  - {fileID: 5}
--- !u!114 &5
MonoBehaviour:
  m_Script: {fileID: 11500000, guid: 21bf7f712d84d26478ebe6a299f21738, type: 3}
  m_Name: Lamp
  m_Parent: {fileID: 11400000}
//- Assets/Intro.playable.meta
guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
//- Assets/Player.prefab
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &10
GameObject:
  m_Component:
  - component: {fileID: 11}
  - component: {fileID: 12}
  m_Name: Player
--- !u!4 &11
Transform:
  m_GameObject: {fileID: 10}
  m_Father: {fileID: 0}
--- !u!320 &12
PlayableDirector:
  m_GameObject: {fileID: 10}
  m_PlayableAsset: {fileID: 11400000, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 2}
  m_SceneBindings: []
//- Assets/Player.prefab.meta
guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
//- Assets/S.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1001 &100
PrefabInstance:
  m_Modification:
    m_TransformParent: {fileID: 0}
    m_Modifications: []
    m_RemovedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
",
        );
        let arguments = arguments("Assets/S.unity", "Lamp", "Player");
        expect![[r#"
            --- a/Assets/S.unity
            +++ b/Assets/S.unity
            @@ -4,6 +4,23 @@
             PrefabInstance:
               m_Modification:
                 m_TransformParent: {fileID: 0}
            -    m_Modifications: []
            +    m_Modifications:
            +    - target: {fileID: 12, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
            +      propertyPath: m_SceneBindings.Array.size
            +      value: 1
            +      objectReference: {fileID: 0}
            +    - target: {fileID: 12, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
            +      propertyPath: m_SceneBindings.Array.data[0].key
            +      value: 
            +      objectReference: {fileID: 5, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 2}
            +    - target: {fileID: 12, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
            +      propertyPath: m_SceneBindings.Array.data[0].value
            +      value: 
            +      objectReference: {fileID: 101}
                 m_RemovedComponents: []
               m_SourcePrefab: {fileID: 100100000, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
            +--- !u!1 &101 stripped
            +GameObject:
            +  m_CorrespondingSourceObject: {fileID: 10, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
            +  m_PrefabInstance: {fileID: 100}
            +  m_PrefabAsset: {fileID: 0}
        "#]].assert_eq(&bench.diff(super::TOOL.id, arguments.clone()));
        assert_eq!(bench.diff(super::TOOL.id, arguments), "");
    }
}
