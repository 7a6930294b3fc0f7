//! The tool `timeline.createTrack`: Create Timeline Track.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::timeline::{self, TrackKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find_track, open, tell_package};
use crate::base;
use crate::base::InUnity;
use crate::base::draft;

pub(crate) const TOOL: Tool = Tool {
    id: "timeline.createTrack",
    keywords: "add new track timeline animation audio activation signal control group playable cinemachine cutscene row",
    title: "Create Timeline Track",
    category: "timeline",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Add a track for sounds to a Timeline",
        input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "trackType": "audio", "trackName": "Voices" }"#,
        output: r#"{
            "success": true,
            "trackName": "Voices",
            "trackType": "audio",
            "fileId": "1",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["fileId", "changes", "undo"],
    }],
    after: &[Earlier {
        tool: "timeline.create",
        input: r#"{ "project": "unity", "path": "Assets/Intro.playable" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a track to a Timeline asset, at its end or in a group.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The Timeline, a `.playable` file.
    timeline_path: String,
    /// Kind of the track.
    track_type: TrackType,
    /// Name of the new track.
    track_name: String,
    /// Name of the group track that it goes into; none by default.
    group: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Clone, Copy, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum TrackType {
    Animation,
    Audio,
    Activation,
    Control,
    Signal,
    Group,
    Playable,
    Cinemachine,
}

impl TrackType {
    fn kind(self) -> TrackKind {
        match self {
            TrackType::Animation => TrackKind::Animation,
            TrackType::Audio => TrackKind::Audio,
            TrackType::Activation => TrackKind::Activation,
            TrackType::Control => TrackKind::Control,
            TrackType::Signal => TrackKind::Signal,
            TrackType::Group => TrackKind::Group,
            TrackType::Playable => TrackKind::Playable,
            TrackType::Cinemachine => TrackKind::Cinemachine,
        }
    }
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Name of the track.
    track_name: String,
    /// Kind of the track.
    track_type: TrackType,
    /// The track's id in the file, as text: it has up to 19 digits.
    file_id: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    let (mut file, timeline) = open(cx, project, &input.timeline_path, "Timeline asset not found")?;
    let name = input.track_name.trim();
    if name.is_empty() {
        return Err(ToolError::bad_argument("trackName", "must not be empty"));
    }
    if timeline.tracks.iter().any(|track| track.name == name) {
        let known: Vec<&str> = timeline.tracks.iter().map(|track| track.name.as_str()).collect();
        let text = format!("Track name already exists: {name}");
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint(format!("the tracks are {}", known.join(", "))));
    }
    let group = match input.group.as_deref() {
        Some(group) => Some(find_track(&timeline, group, "Group not found")?),
        None => None,
    };
    if let Some(other) = group.filter(|group| group.kind != Some(TrackKind::Group)) {
        let class = other.class.as_deref().unwrap_or("track");
        let text = format!("{} is no group: its class is {class}", other.name);
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint("make a group first, with trackType group"));
    }
    let (kind, group) = (input.track_type.kind(), group.map(|group| group.file_id));
    let id = file.change(|document, manner, edits| {
        timeline::create_track(document, kind, name, group, manner, edits)
    })?;
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    tell_package(cx, &cx.unity(input.project.as_deref())?);
    let (track_name, track_type) = (name.to_owned(), input.track_type);
    Ok(Output { success: true, track_name, track_type, file_id: id.to_string(), written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::bench;

    const TIMELINE: &str = "Assets/Intro.playable";

    fn arguments(kind: &str, name: &str) -> Value {
        json!({ "timelinePath": TIMELINE, "trackType": kind, "trackName": name })
    }

    #[test]
    fn tracks_of_every_kind_are_as_unity_writes_them() {
        let bench = bench();
        bench.call("timeline.create", json!({ "path": TIMELINE })).unwrap();
        let kinds = ["animation", "audio", "activation", "control", "signal", "group", "playable"];
        for kind in kinds {
            bench.call(super::TOOL.id, arguments(kind, kind)).unwrap();
        }
        expect![[r#"
            %YAML 1.1
            %TAG !u! tag:unity3d.com,2011:
            --- !u!114 &-7967184049194437408
            MonoBehaviour:
              m_ObjectHideFlags: 1
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_GameObject: {fileID: 0}
              m_Enabled: 1
              m_EditorHideFlags: 0
              m_Script: {fileID: 11500000, guid: 8b22792c3b570444eb18cb78c2af3a74, type: 3}
              m_Name: audio
              m_EditorClassIdentifier: 
              m_Version: 3
              m_AnimClip: {fileID: 0}
              m_Locked: 0
              m_Muted: 0
              m_CustomPlayableFullTypename: 
              m_Curves: {fileID: 0}
              m_Parent: {fileID: 11400000}
              m_Children: []
              m_Clips: []
              m_Markers:
                m_Objects: []
              m_TrackProperties:
                volume: 1
                stereoPan: 0
                spatialBlend: 0
            --- !u!114 &11400000
            MonoBehaviour:
              m_ObjectHideFlags: 0
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_GameObject: {fileID: 0}
              m_Enabled: 1
              m_EditorHideFlags: 0
              m_Script: {fileID: 11500000, guid: bfda56da833e2384a9677cd3c976a436, type: 3}
              m_Name: Intro
              m_EditorClassIdentifier: 
              m_Version: 0
              m_Tracks:
              - {fileID: 4797374972584128916}
              - {fileID: -7967184049194437408}
              - {fileID: 36497288212653844}
              - {fileID: 5196779224894618161}
              - {fileID: 4956419468113507900}
              - {fileID: 1353658824932149892}
              - {fileID: 9042013227612238844}
              m_FixedDuration: 0
              m_EditorSettings:
                m_Framerate: 60
                m_ScenePreview: 1
              m_DurationMode: 0
              m_MarkerTrack: {fileID: 0}
            --- !u!114 &36497288212653844
            MonoBehaviour:
              m_ObjectHideFlags: 1
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_GameObject: {fileID: 0}
              m_Enabled: 1
              m_EditorHideFlags: 0
              m_Script: {fileID: 11500000, guid: 21bf7f712d84d26478ebe6a299f21738, type: 3}
              m_Name: activation
              m_EditorClassIdentifier: 
              m_Version: 3
              m_AnimClip: {fileID: 0}
              m_Locked: 0
              m_Muted: 0
              m_CustomPlayableFullTypename: 
              m_Curves: {fileID: 0}
              m_Parent: {fileID: 11400000}
              m_Children: []
              m_Clips: []
              m_Markers:
                m_Objects: []
              m_PostPlaybackState: 3
            --- !u!114 &1353658824932149892
            MonoBehaviour:
              m_ObjectHideFlags: 1
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_GameObject: {fileID: 0}
              m_Enabled: 1
              m_EditorHideFlags: 0
              m_Script: {fileID: 11500000, guid: d0fc6f5187a81dc47999eefade6f0935, type: 3}
              m_Name: group
              m_EditorClassIdentifier: 
              m_Version: 3
              m_AnimClip: {fileID: 0}
              m_Locked: 0
              m_Muted: 0
              m_CustomPlayableFullTypename: 
              m_Curves: {fileID: 0}
              m_Parent: {fileID: 11400000}
              m_Children: []
              m_Clips: []
              m_Markers:
                m_Objects: []
            --- !u!114 &4797374972584128916
            MonoBehaviour:
              m_ObjectHideFlags: 1
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_GameObject: {fileID: 0}
              m_Enabled: 1
              m_EditorHideFlags: 0
              m_Script: {fileID: 11500000, guid: d21dcc2386d650c4597f3633c75a1f98, type: 3}
              m_Name: animation
              m_EditorClassIdentifier: 
              m_Version: 3
              m_AnimClip: {fileID: 0}
              m_Locked: 0
              m_Muted: 0
              m_CustomPlayableFullTypename: 
              m_Curves: {fileID: 0}
              m_Parent: {fileID: 11400000}
              m_Children: []
              m_Clips: []
              m_Markers:
                m_Objects: []
              m_InfiniteClipPreExtrapolation: 0
              m_InfiniteClipPostExtrapolation: 0
              m_InfiniteClipOffsetPosition: {x: 0, y: 0, z: 0}
              m_InfiniteClipOffsetEulerAngles: {x: 0, y: 0, z: 0}
              m_InfiniteClipTimeOffset: 0
              m_InfiniteClipRemoveOffset: 0
              m_InfiniteClipApplyFootIK: 1
              mInfiniteClipLoop: 0
              m_MatchTargetFields: 63
              m_Position: {x: 0, y: 0, z: 0}
              m_EulerAngles: {x: 0, y: 0, z: 0}
              m_AvatarMask: {fileID: 0}
              m_ApplyAvatarMask: 1
              m_TrackOffset: 0
              m_InfiniteClip: {fileID: 0}
              m_OpenClipOffsetRotation: {x: 0, y: 0, z: 0, w: 1}
              m_Rotation: {x: 0, y: 0, z: 0, w: 1}
              m_ApplyOffsets: 0
            --- !u!114 &4956419468113507900
            MonoBehaviour:
              m_ObjectHideFlags: 1
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_GameObject: {fileID: 0}
              m_Enabled: 1
              m_EditorHideFlags: 0
              m_Script: {fileID: 11500000, guid: b46e36075dd1c124a8422c228e75e1fb, type: 3}
              m_Name: signal
              m_EditorClassIdentifier: 
              m_Version: 3
              m_AnimClip: {fileID: 0}
              m_Locked: 0
              m_Muted: 0
              m_CustomPlayableFullTypename: 
              m_Curves: {fileID: 0}
              m_Parent: {fileID: 11400000}
              m_Children: []
              m_Clips: []
              m_Markers:
                m_Objects: []
            --- !u!114 &5196779224894618161
            MonoBehaviour:
              m_ObjectHideFlags: 1
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_GameObject: {fileID: 0}
              m_Enabled: 1
              m_EditorHideFlags: 0
              m_Script: {fileID: 11500000, guid: 15e0374501f39d54eb30235764636e0e, type: 3}
              m_Name: control
              m_EditorClassIdentifier: 
              m_Version: 3
              m_AnimClip: {fileID: 0}
              m_Locked: 0
              m_Muted: 0
              m_CustomPlayableFullTypename: 
              m_Curves: {fileID: 0}
              m_Parent: {fileID: 11400000}
              m_Children: []
              m_Clips: []
              m_Markers:
                m_Objects: []
            --- !u!114 &9042013227612238844
            MonoBehaviour:
              m_ObjectHideFlags: 1
              m_CorrespondingSourceObject: {fileID: 0}
              m_PrefabInstance: {fileID: 0}
              m_PrefabAsset: {fileID: 0}
              m_GameObject: {fileID: 0}
              m_Enabled: 1
              m_EditorHideFlags: 0
              m_Script: {fileID: 11500000, guid: 82cd92ffc29383742932b27ca414c80f, type: 3}
              m_Name: playable
              m_EditorClassIdentifier: 
              m_Version: 3
              m_AnimClip: {fileID: 0}
              m_Locked: 0
              m_Muted: 0
              m_CustomPlayableFullTypename: 
              m_Curves: {fileID: 0}
              m_Parent: {fileID: 11400000}
              m_Children: []
              m_Clips: []
              m_Markers:
                m_Objects: []
        "#]]
        .assert_eq(&bench.read(TIMELINE));
        let mut inside = arguments("audio", "Voices");
        inside["group"] = "group".into();
        expect![[r#"
            --- a/Assets/Intro.playable
            +++ b/Assets/Intro.playable
            @@ -97,7 +97,8 @@
               m_CustomPlayableFullTypename: 
               m_Curves: {fileID: 0}
               m_Parent: {fileID: 11400000}
            -  m_Children: []
            +  m_Children:
            +  - {fileID: 5973461783309419849}
               m_Clips: []
               m_Markers:
                 m_Objects: []
            @@ -188,6 +189,33 @@
               m_Clips: []
               m_Markers:
                 m_Objects: []
            +--- !u!114 &5973461783309419849
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 8b22792c3b570444eb18cb78c2af3a74, type: 3}
            +  m_Name: Voices
            +  m_EditorClassIdentifier: 
            +  m_Version: 3
            +  m_AnimClip: {fileID: 0}
            +  m_Locked: 0
            +  m_Muted: 0
            +  m_CustomPlayableFullTypename: 
            +  m_Curves: {fileID: 0}
            +  m_Parent: {fileID: 1353658824932149892}
            +  m_Children: []
            +  m_Clips: []
            +  m_Markers:
            +    m_Objects: []
            +  m_TrackProperties:
            +    volume: 1
            +    stereoPan: 0
            +    spatialBlend: 0
             --- !u!114 &9042013227612238844
             MonoBehaviour:
               m_ObjectHideFlags: 1
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, inside.clone()));
        inside["group"] = "audio".into();
        inside["trackName"] = "Other".into();
        let errors = [
            bench.error(super::TOOL.id, arguments("audio", "audio")),
            bench.error(super::TOOL.id, inside),
            bench.error(super::TOOL.id, json!({ "timelinePath": "Assets/Intr.playable", "trackType": "audio", "trackName": "A" })),
            bench.error(super::TOOL.id, json!({ "timelinePath": "Assets/Materials/Stone.mat", "trackType": "audio", "trackName": "A" })),
        ];
        expect![[r#"
            Track name already exists: audio; the tracks are animation, audio, activation, control, signal, group, Voices, playable
            audio is no group: its class is AudioTrack; make a group first, with trackType group
            Timeline asset not found: Assets/Intr.playable; did you mean Assets/Intro.playable or Assets/Intro.playable.meta?
            Timeline asset not found: Assets/Materials/Stone.mat; timeline_create makes one; project_listFiles with *.playable shows those there are"#]].assert_eq(&errors.join("\n"));
    }
}
