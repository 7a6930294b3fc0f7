//! The tool `timeline.addClip`: Add Timeline Clip.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::timeline::{self, NewClip, Plays, Track, TrackKind};
use scenewright_unity::{ClassId, FileId, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find_track, open, place_clip, tell_package};
use crate::base;
use crate::base::draft;
use crate::base::{InUnity, Unity};

const ANIMATION_CLIP: ClassId = ClassId(74);

pub(crate) const TOOL: Tool = Tool {
    id: "timeline.addClip",
    keywords: "play animation sound activate object for some time on a track timeline clip cutscene second activation start duration",
    title: "Add Timeline Clip",
    notes: Some(
        "For tracks of animation, audio and activation. How long a sound is, files do not say here: give its duration. Clips that lie over each other blend in Unity.",
    ),
    category: "timeline",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Let an activation track switch its object on for two seconds",
        input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "trackName": "Lamp", "start": 1, "duration": 2 }"#,
        output: r#"{
            "success": true,
            "trackName": "Lamp",
            "clipName": "Active",
            "start": 1.0,
            "duration": 2.0,
            "timelineDuration": 3.0,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[
        Earlier {
            tool: "timeline.create",
            input: r#"{ "project": "unity", "path": "Assets/Intro.playable" }"#,
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

/// Add a clip to a track of a Timeline: a sound, an animation, or a time in which an object is
/// active.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The Timeline, a `.playable` file.
    timeline_path: String,
    /// Name of the track.
    track_name: String,
    /// Seconds from the start of the Timeline.
    #[schemars(range(min = 0))]
    start: f64,
    /// Seconds; may be left out for an `.anim` file, which says how long it is.
    duration: Option<f64>,
    /// Sound or `.anim` file that is played; not for activation.
    asset_path: Option<String>,
    /// Name that the editor shows; the file's by default.
    clip_name: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Name of the track.
    track_name: String,
    /// Name of the clip.
    clip_name: String,
    /// Seconds from the start of the Timeline.
    start: f64,
    /// Seconds.
    duration: f64,
    /// How long the Timeline is now, in seconds.
    timeline_duration: f64,
    #[serde(flatten)]
    written: Written,
}

/// What a clip plays: how it is referred to, its name, and how long it is where the file says so.
struct Played {
    reference: Reference,
    name: String,
    duration: Option<f64>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    let (mut file, timeline) = open(cx, project, &input.timeline_path, "Timeline asset not found")?;
    let unity = cx.unity(input.project.as_deref())?;
    let track = find_track(&timeline, &input.track_name, "Track not found")?;
    let (kind, played) = played(&unity, track, input.asset_path.as_deref())?;
    let known = played.as_ref().and_then(|played| played.duration);
    let duration = input.duration.or(known).filter(|seconds| seconds.is_finite() && *seconds > 0.0);
    let duration = duration.ok_or_else(|| {
        ToolError::bad_argument("duration", "must be given in seconds, more than 0")
    })?;
    if !input.start.is_finite() || input.start < 0.0 {
        return Err(ToolError::bad_argument("start", "must be 0 or more"));
    }
    let usual = played.as_ref().map_or("Active", |played| &played.name).to_owned();
    let name = input.clip_name.unwrap_or(usual);
    let plays = played.map_or(Plays::Nothing, |played| Plays::Asset(played.reference));
    let clip = NewClip { name: name.clone(), start: input.start, duration, plays };
    place_clip(cx, &mut file, track, kind, &clip)?;
    let after = timeline::Timeline::read(file.document()).map_or(0.0, |after| after.duration());
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    tell_package(cx, &unity);
    Ok(Output {
        success: true,
        track_name: input.track_name,
        clip_name: name,
        start: input.start,
        duration,
        timeline_duration: after,
        written,
    })
}

fn played(
    unity: &Unity<'_>,
    track: &Track,
    path: Option<&str>,
) -> Result<(TrackKind, Option<Played>), ToolError> {
    let refuse = |text: String, hint: &str| {
        Err(ToolError::new(ErrorKind::EngineError, text).hint(hint.to_owned()))
    };
    let name = &track.name;
    match (track.kind, path) {
        (Some(kind @ TrackKind::Activation), None) => Ok((kind, None)),
        (Some(TrackKind::Activation), Some(_)) => refuse(
            format!("{name} is an activation track, which plays no file"),
            "leave assetPath out",
        ),
        (Some(kind @ (TrackKind::Audio | TrackKind::Animation)), Some(path)) => {
            let asset = unity.asset(Some(path), None)?;
            let Some(guid) = asset.guid() else {
                return refuse(
                    format!("{path} has no meta with a guid"),
                    "let Unity import it first",
                );
            };
            let file = asset.name();
            let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem).to_owned();
            let (reference, duration) = match kind {
                TrackKind::Audio if asset.importer() == Some("AudioImporter") => {
                    (Reference { file_id: FileId(8_300_000), guid: Some(guid), kind: 3 }, None)
                }
                TrackKind::Animation if file.ends_with(".anim") => (
                    Reference { file_id: FileId(7_400_000), guid: Some(guid), kind: 2 },
                    length(asset),
                ),
                TrackKind::Audio => {
                    return refuse(
                        format!("{path} is no sound"),
                        "name a file that Unity imports as audio",
                    );
                }
                _ => {
                    return refuse(
                        format!("{path} is no .anim file"),
                        "clips inside of models cannot be named here",
                    );
                }
            };
            Ok((kind, Some(Played { reference, name: stem, duration })))
        }
        (Some(TrackKind::Audio | TrackKind::Animation), None) => refuse(
            format!("{name} plays files, and assetPath names none"),
            "give a sound or an .anim file",
        ),
        _ => {
            let class = track.class.as_deref().unwrap_or("of the project's own");
            refuse(
                format!("{name} is of the class {class}, which gets no clips here"),
                "choose a track for animation, audio or activation",
            )
        }
    }
}

/// How long an animation is.
fn length(asset: scenewright_unity::index::Asset<'_>) -> Option<f64> {
    let document = asset.document().ok()?;
    let clip = document.objects().find(|object| object.class_id() == ANIMATION_CLIP)?;
    clip.get("m_AnimationClipSettings.m_StopTime")?.as_f64()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{Site, bench};

    const TIMELINE: &str = "Assets/Intro.playable";

    fn site() -> Site {
        let bench = bench();
        bench.write("Assets/Drip.wav", "RIFF");
        bench.write("Assets/Drip.wav.meta", "fileFormatVersion: 2\nguid: 11111111111111111111111111111111\nAudioImporter:\n  externalObjects: {}\n");
        bench.write("Assets/Nod.anim", "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_Name: Nod\n  m_AnimationClipSettings:\n    m_StopTime: 1.25\n");
        bench.write("Assets/Nod.anim.meta", "fileFormatVersion: 2\nguid: 22222222222222222222222222222222\nNativeFormatImporter:\n  externalObjects: {}\n");
        bench.call("timeline.create", json!({ "path": TIMELINE })).unwrap();
        for kind in ["animation", "audio", "activation", "group"] {
            let track = json!({ "timelinePath": TIMELINE, "trackType": kind, "trackName": kind });
            bench.call("timeline.createTrack", track).unwrap();
        }
        bench
    }

    fn arguments(track: &str, more: Value) -> Value {
        let mut arguments = json!({ "timelinePath": TIMELINE, "trackName": track, "start": 1 });
        arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        arguments
    }

    #[test]
    fn clips_of_every_kind_are_as_unity_writes_them() {
        let bench = site();
        expect![[r#"
            --- a/Assets/Intro.playable
            +++ b/Assets/Intro.playable
            @@ -71,7 +71,76 @@
               m_Curves: {fileID: 0}
               m_Parent: {fileID: 11400000}
               m_Children: []
            -  m_Clips: []
            +  m_Clips:
            +  - m_Version: 1
            +    m_Start: 1
            +    m_ClipIn: 0
            +    m_Asset: {fileID: 1860378305699785583}
            +    m_Duration: 2
            +    m_TimeScale: 1
            +    m_ParentTrack: {fileID: 36497288212653844}
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
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      - serializedVersion: 3
            +        time: 1
            +        value: 1
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      m_PreInfinity: 2
            +      m_PostInfinity: 2
            +      m_RotationOrder: 4
            +    m_MixOutCurve:
            +      serializedVersion: 2
            +      m_Curve:
            +      - serializedVersion: 3
            +        time: 0
            +        value: 1
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      - serializedVersion: 3
            +        time: 1
            +        value: 0
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
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
            +    m_DisplayName: Active
               m_Markers:
                 m_Objects: []
               m_PostPlaybackState: 3
            @@ -98,6 +167,18 @@
               m_Clips: []
               m_Markers:
                 m_Objects: []
            +--- !u!114 &1860378305699785583
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: fde0d25a170598d46a0b9dc16b4527a5, type: 3}
            +  m_Name: ActivationPlayableAsset
            +  m_EditorClassIdentifier: 
             --- !u!114 &4797374972584128916
             MonoBehaviour:
               m_ObjectHideFlags: 1
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments("activation", json!({ "duration": 2 }))));
        let sound = json!({ "duration": 0.5, "assetPath": "Assets/Drip.wav" });
        expect![[r#"
            --- a/Assets/Intro.playable
            +++ b/Assets/Intro.playable
            @@ -20,7 +20,76 @@
               m_Curves: {fileID: 0}
               m_Parent: {fileID: 11400000}
               m_Children: []
            -  m_Clips: []
            +  m_Clips:
            +  - m_Version: 1
            +    m_Start: 1
            +    m_ClipIn: 0
            +    m_Asset: {fileID: 4776196851580784499}
            +    m_Duration: 0.5
            +    m_TimeScale: 1
            +    m_ParentTrack: {fileID: -7967184049194437408}
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
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      - serializedVersion: 3
            +        time: 1
            +        value: 1
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      m_PreInfinity: 2
            +      m_PostInfinity: 2
            +      m_RotationOrder: 4
            +    m_MixOutCurve:
            +      serializedVersion: 2
            +      m_Curve:
            +      - serializedVersion: 3
            +        time: 0
            +        value: 1
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      - serializedVersion: 3
            +        time: 1
            +        value: 0
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
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
            +    m_DisplayName: Drip
               m_Markers:
                 m_Objects: []
               m_TrackProperties:
            @@ -179,6 +248,23 @@
               m_Script: {fileID: 11500000, guid: fde0d25a170598d46a0b9dc16b4527a5, type: 3}
               m_Name: ActivationPlayableAsset
               m_EditorClassIdentifier: 
            +--- !u!114 &4776196851580784499
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 4f10dd60657c6004587f237a7e90f8e4, type: 3}
            +  m_Name: AudioPlayableAsset
            +  m_EditorClassIdentifier: 
            +  m_Clip: {fileID: 8300000, guid: 11111111111111111111111111111111, type: 3}
            +  m_Loop: 0
            +  m_bufferingTime: 0.1
            +  m_ClipProperties:
            +    volume: 1
             --- !u!114 &4797374972584128916
             MonoBehaviour:
               m_ObjectHideFlags: 1
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments("audio", sound)));
        let nod = json!({ "assetPath": "Assets/Nod.anim" });
        expect![[r#"
            --- a/Assets/Intro.playable
            +++ b/Assets/Intro.playable
            @@ -248,6 +248,28 @@
               m_Script: {fileID: 11500000, guid: fde0d25a170598d46a0b9dc16b4527a5, type: 3}
               m_Name: ActivationPlayableAsset
               m_EditorClassIdentifier: 
            +--- !u!114 &3106308514850125457
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 030f85c3f73729f4f976f66ffb23b875, type: 3}
            +  m_Name: Nod
            +  m_EditorClassIdentifier: 
            +  m_Clip: {fileID: 7400000, guid: 22222222222222222222222222222222, type: 2}
            +  m_Position: {x: 0, y: 0, z: 0}
            +  m_EulerAngles: {x: 0, y: 0, z: 0}
            +  m_UseTrackMatchFields: 1
            +  m_MatchTargetFields: 63
            +  m_RemoveStartOffset: 1
            +  m_ApplyFootIK: 1
            +  m_Loop: 0
            +  m_Version: 1
            +  m_Rotation: {x: 0, y: 0, z: 0, w: 1}
             --- !u!114 &4776196851580784499
             MonoBehaviour:
               m_ObjectHideFlags: 1
            @@ -285,7 +307,76 @@
               m_Curves: {fileID: 0}
               m_Parent: {fileID: 11400000}
               m_Children: []
            -  m_Clips: []
            +  m_Clips:
            +  - m_Version: 1
            +    m_Start: 1
            +    m_ClipIn: 0
            +    m_Asset: {fileID: 3106308514850125457}
            +    m_Duration: 1.25
            +    m_TimeScale: 1
            +    m_ParentTrack: {fileID: 4797374972584128916}
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
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      - serializedVersion: 3
            +        time: 1
            +        value: 1
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      m_PreInfinity: 2
            +      m_PostInfinity: 2
            +      m_RotationOrder: 4
            +    m_MixOutCurve:
            +      serializedVersion: 2
            +      m_Curve:
            +      - serializedVersion: 3
            +        time: 0
            +        value: 1
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      - serializedVersion: 3
            +        time: 1
            +        value: 0
            +        inSlope: 0
            +        outSlope: 0
            +        tangentMode: 0
            +        weightedMode: 0
            +        inWeight: 0
            +        outWeight: 0
            +      m_PreInfinity: 2
            +      m_PostInfinity: 2
            +      m_RotationOrder: 4
            +    m_BlendInCurveMode: 0
            +    m_BlendOutCurveMode: 0
            +    m_ExposedParameterNames: []
            +    m_AnimationCurves: {fileID: 0}
            +    m_Recordable: 0
            +    m_PostExtrapolationMode: 1
            +    m_PreExtrapolationMode: 1
            +    m_PostExtrapolationTime: 0
            +    m_PreExtrapolationTime: 0
            +    m_DisplayName: Nod
               m_Markers:
                 m_Objects: []
               m_InfiniteClipPreExtrapolation: 0
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments("animation", nod)));
    }

    #[test]
    fn what_a_track_does_not_play_is_refused() {
        let bench = site();
        let error = |track: &str, more: Value| bench.error(super::TOOL.id, arguments(track, more));
        let errors = [
            error("activation", json!({})),
            error("activation", json!({ "duration": 1, "assetPath": "Assets/Drip.wav" })),
            error("audio", json!({ "duration": 1 })),
            error("audio", json!({ "duration": 1, "assetPath": "Assets/Nod.anim" })),
            error("audio", json!({ "assetPath": "Assets/Drip.wav" })),
            error("group", json!({ "duration": 1 })),
        ];
        expect![[r#"
            Invalid tool arguments: duration must be given in seconds, more than 0
            activation is an activation track, which plays no file; leave assetPath out
            audio plays files, and assetPath names none; give a sound or an .anim file
            Assets/Nod.anim is no sound; name a file that Unity imports as audio
            Invalid tool arguments: duration must be given in seconds, more than 0
            group is of the class GroupTrack, which gets no clips here; choose a track for animation, audio or activation"#]].assert_eq(&errors.join("\n"));
    }
}
