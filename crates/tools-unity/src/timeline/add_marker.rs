//! The tool `timeline.addMarker`: Add Timeline Marker.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::timeline::{self, MarkerClass, Timeline, Track};
use scenewright_unity::{FileId, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{binds_nothing, find_track, open, tell_package};
use crate::base;
use crate::base::draft;
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "timeline.addMarker",
    keywords: "signal emitter event at time notification annotation cue timeline emit call cutscene",
    title: "Add Timeline Marker",
    notes: Some(
        "Of a marker class of the project only the time is written; Unity gives its other fields their defaults.",
    ),
    category: "timeline",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Put a signal emitter on the markers of a Timeline",
        input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "trackName": "Markers", "markerType": "SignalEmitter", "time": 1.5, "markerName": "Door opens" }"#,
        output: r#"{
            "success": true,
            "markerName": "Door opens",
            "time": 1.5,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
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

/// Add a marker to a track of a Timeline, or to the markers in its header.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The Timeline, a `.playable` file.
    timeline_path: String,
    /// Name of the track; `Markers` for those in the header.
    track_name: String,
    /// Kind of the marker; the last two are classes of the project, named by `markerClass`.
    marker_type: MarkerType,
    /// Seconds from the start.
    #[schemars(range(min = 0))]
    time: f64,
    /// Name; `Signal Emitter` or the class by default.
    marker_name: Option<String>,
    /// Script of a marker class, such as `Assets/Scripts/Cue.cs`, or its class with namespace.
    marker_class: Option<String>,
    /// Signal asset that an emitter sends, such as `Assets/Signals/Open.signal`.
    signal: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum MarkerType {
    SignalEmitter,
    Annotation,
    CustomMarker,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Name of the marker.
    marker_name: String,
    /// Seconds from the start.
    time: f64,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    let (mut file, timeline) = open(cx, project, &input.timeline_path, "Timeline asset not found")?;
    let unity = cx.unity(input.project.as_deref())?;
    check_time(cx, &timeline, input.time)?;
    let (class, usual) = marker_class(&unity, &input)?;
    let is_header = input.track_name == "Markers" && timeline.markers.is_none();
    let track = match is_header {
        true => file.change(timeline::marker_track)?,
        false => {
            let track = find_track(&timeline, &input.track_name, "Track not found")?;
            check_track(&unity, track, &class)?;
            track.file_id
        }
    };
    let name = input.marker_name.filter(|name| !name.trim().is_empty()).unwrap_or(usual);
    file.change(|document, manner, edits| {
        timeline::add_marker(document, track, &class, &name, input.time, manner, edits)
    })?;
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    tell_package(cx, &unity);
    Ok(Output { success: true, marker_name: name, time: input.time, written })
}

/// A marker lies within a Timeline of fixed length; others get longer by it.
fn check_time(cx: &Cx, timeline: &Timeline, time: f64) -> Result<(), ToolError> {
    match timeline.fixed_duration {
        _ if !time.is_finite() || time < 0.0 => {
            Err(ToolError::bad_argument("time", "must be 0 or more"))
        }
        Some(fixed) if time > fixed => {
            let text = format!("Time must be within timeline duration: {time} of {fixed} seconds");
            Err(ToolError::new(ErrorKind::BadArguments, text).hint("its length is fixed"))
        }
        None if time > timeline.duration() => {
            cx.diagnose(format!(
                "The marker is behind the end of the Timeline, at {} seconds, which gets longer by it",
                timeline.duration()
            ));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Unity refuses markers that notify on tracks that bind nothing: nobody would receive them.
fn check_track(unity: &Unity<'_>, track: &Track, class: &MarkerClass) -> Result<(), ToolError> {
    let notifies = match class {
        MarkerClass::SignalEmitter { .. } => true,
        MarkerClass::Script(script) => ["INotification", "SignalEmitter"]
            .iter()
            .any(|class| unity.script_is(*script, class) == Some(true)),
    };
    if !notifies || !binds_nothing(track) {
        return Ok(());
    }
    let class = track.class.as_deref().unwrap_or_default();
    let text = format!("{} is of the class {class}, which sends no notifications", track.name);
    Err(ToolError::new(ErrorKind::EngineError, text).hint(
        "put it into the header (trackName Markers), or on a signal track: timeline_createTrack with trackType signal adds one",
    ))
}

fn marker_class(unity: &Unity<'_>, input: &Input) -> Result<(MarkerClass, String), ToolError> {
    if input.marker_type == MarkerType::SignalEmitter {
        let signal = match input.signal.as_deref() {
            Some(path) => Some(signal(unity, path)?),
            None => None,
        };
        return Ok((MarkerClass::SignalEmitter { signal }, "Signal Emitter".to_owned()));
    }
    let wanted = input.marker_class.as_deref().unwrap_or(match input.marker_type {
        MarkerType::Annotation => "Annotation",
        _ => "",
    });
    let by_path =
        || wanted.ends_with(".cs").then(|| unity.asset(Some(wanted), None).ok()?.guid())?;
    let named = || {
        let mut scripts = unity.index.assets().filter(|asset| asset.name().ends_with(".cs"));
        scripts.find(|asset| asset.name().strip_suffix(".cs") == Some(wanted))?.guid()
    };
    let guid = by_path().or_else(|| unity.script_of(wanted)).or_else(named).ok_or_else(|| {
        let text = match wanted {
            "" => "Invalid marker type: CustomMarker needs markerClass".to_owned(),
            wanted => format!("Invalid marker type: the project has no class {wanted}"),
        };
        ToolError::new(ErrorKind::BadArguments, text)
            .hint("name a script of the project whose class derives from Marker with markerClass, or use SignalEmitter")
    })?;
    let stem = wanted.rsplit(['/', '.']).find(|part| *part != "cs").unwrap_or(wanted).to_owned();
    let script = Reference { file_id: FileId(11_500_000), guid: Some(guid), kind: 3 };
    Ok((MarkerClass::Script(script), stem))
}

/// The object of an asset that is a signal.
fn signal(unity: &Unity<'_>, path: &str) -> Result<Reference, ToolError> {
    let asset = unity.asset(Some(path), None)?;
    let scripts = asset.objects().filter_map(|object| Some((object.file_id, object.script?)));
    let scripts = scripts.map(|(id, script)| {
        (id, Reference { file_id: script.file_id, guid: Some(script.guid), kind: 3 })
    });
    let scripts: Vec<(FileId, Reference)> = scripts.collect();
    let found =
        scripts.iter().find(|(_, script)| unity.script_is(*script, "SignalAsset") == Some(true));
    // Of a class that is in no source and no table nobody can say what it is.
    let unknown = || scripts.iter().find(|(_, script)| unity.class_of_script(*script).is_none());
    match found.or_else(unknown) {
        Some((file_id, _)) => Ok(Reference { file_id: *file_id, guid: asset.guid(), kind: 2 }),
        None => {
            let text = format!("{} is no signal: it holds no SignalAsset", asset.path());
            Err(ToolError::new(ErrorKind::BadArguments, text)
                .hint("Create > Signal in Unity makes one; project_listFiles with *.signal shows those there are")
                .detail("signal", path))
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{bench, bench_on};

    const TIMELINE: &str = "Assets/Intro.playable";

    fn arguments(track: &str, kind: &str, time: f64) -> Value {
        json!({ "timelinePath": TIMELINE, "trackName": track, "markerType": kind, "time": time })
    }

    const SIGNALS: &str = "//- Assets/Open.signal
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!114 &8101
MonoBehaviour:
  m_Script: {fileID: 11500000, guid: d6fa2d92fc1b3f34da284357edf89c3b, type: 3}
  m_Name: Open
//- Assets/Open.signal.meta
guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
//- Assets/Cue.cs
public class Cue : UnityEngine.Timeline.SignalAsset { }
//- Assets/Cue.cs.meta
guid: cccccccccccccccccccccccccccccccc
//- Assets/Own.asset
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!114 &11400000
MonoBehaviour:
  m_Script: {fileID: 11500000, guid: cccccccccccccccccccccccccccccccc, type: 3}
  m_Name: Own
//- Assets/Own.asset.meta
guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
//- Assets/Stats.cs
public class Stats : UnityEngine.ScriptableObject { }
//- Assets/Stats.cs.meta
guid: dddddddddddddddddddddddddddddddd
//- Assets/Stats.asset
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!114 &11400000
MonoBehaviour:
  m_Script: {fileID: 11500000, guid: dddddddddddddddddddddddddddddddd, type: 3}
  m_Name: Stats
//- Assets/Stats.asset.meta
guid: eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
//- Assets/Folder/Note.txt
Hello
//- Assets/Folder/Note.txt.meta
guid: ffffffffffffffffffffffffffffffff
//- Assets/Folder.meta
guid: 11111111111111111111111111111111
folderAsset: yes
";

    #[test]
    fn what_is_no_signal_is_refused_and_what_is_one_has_its_own_id() {
        let bench = bench_on(SIGNALS);
        bench.call("timeline.create", json!({ "path": TIMELINE })).unwrap();
        let with = |signal: &str| {
            let mut arguments = arguments("Markers", "SignalEmitter", 1.0);
            arguments["signal"] = signal.into();
            arguments
        };
        let sent = |signal: &str| {
            let diff = bench.diff(super::TOOL.id, with(signal));
            diff.lines().find(|line| line.contains("m_Asset")).map(str::to_owned).unwrap()
        };
        expect![[r#"
            +  m_Asset: {fileID: 8101, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 2}
            +  m_Asset: {fileID: 11400000, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 2}"#]]
        .assert_eq(&[sent("Assets/Open.signal"), sent("Assets/Own.asset")].join("\n"));
        let wrong =
            ["Assets/Stats.asset", "Assets/Folder", "Assets/Folder/Note.txt", "Assets/Stats.cs"];
        let errors = wrong.map(|path| bench.error(super::TOOL.id, with(path)));
        expect![[r#"
            Assets/Stats.asset is no signal: it holds no SignalAsset; Create > Signal in Unity makes one; project_listFiles with *.signal shows those there are
            Assets/Folder is no signal: it holds no SignalAsset; Create > Signal in Unity makes one; project_listFiles with *.signal shows those there are
            Assets/Folder/Note.txt is no signal: it holds no SignalAsset; Create > Signal in Unity makes one; project_listFiles with *.signal shows those there are
            Assets/Stats.cs is no signal: it holds no SignalAsset; Create > Signal in Unity makes one; project_listFiles with *.signal shows those there are"#]].assert_eq(&errors.join("\n"));
    }

    #[test]
    fn tracks_that_bind_nothing_take_no_marker_that_notifies() {
        let bench = bench_on(
            "//- Assets/Alarm.cs
public class Alarm : UnityEngine.Timeline.Marker, UnityEngine.Playables.INotification { }
//- Assets/Alarm.cs.meta
guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
//- Assets/Remark.cs
public class Remark : UnityEngine.Timeline.Marker { }
//- Assets/Remark.cs.meta
guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
",
        );
        bench.call("timeline.create", json!({ "path": TIMELINE })).unwrap();
        let said = ["group", "control", "playable", "audio", "signal"].map(|kind| {
            let track = json!({ "timelinePath": TIMELINE, "trackType": kind, "trackName": kind });
            bench.call("timeline.createTrack", track).unwrap();
            let mut own = arguments(kind, "CustomMarker", 0.0);
            own["markerClass"] = "Alarm".into();
            let answers = [arguments(kind, "SignalEmitter", 1.0), own.clone()]
                .map(|input| bench.call(super::TOOL.id, input).err().map(|error| error.message));
            own["markerClass"] = "Remark".into();
            bench.call(super::TOOL.id, own).unwrap();
            assert_eq!(answers[0], answers[1]);
            format!("{kind}: {}", answers[0].as_deref().unwrap_or("taken"))
        });
        expect![[r#"
            group: group is of the class GroupTrack, which sends no notifications
            control: control is of the class ControlTrack, which sends no notifications
            playable: playable is of the class PlayableTrack, which sends no notifications
            audio: taken
            signal: taken"#]]
        .assert_eq(&said.join("\n"));
    }

    #[test]
    fn markers_go_to_the_header_or_a_track() {
        let bench = bench();
        bench.call("timeline.create", json!({ "path": TIMELINE })).unwrap();
        let track = json!({ "timelinePath": TIMELINE, "trackType": "signal", "trackName": "Cues" });
        bench.call("timeline.createTrack", track).unwrap();
        expect![[r#"
            --- a/Assets/Intro.playable
            +++ b/Assets/Intro.playable
            @@ -1,5 +1,45 @@
             %YAML 1.1
             %TAG !u! tag:unity3d.com,2011:
            +--- !u!114 &-4868828243050226625
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 2a16748d9461eae46a725db9776d5390, type: 3}
            +  m_Name: Markers
            +  m_EditorClassIdentifier: 
            +  m_Version: 3
            +  m_AnimClip: {fileID: 0}
            +  m_Locked: 0
            +  m_Muted: 0
            +  m_CustomPlayableFullTypename: 
            +  m_Curves: {fileID: 0}
            +  m_Parent: {fileID: 11400000}
            +  m_Children: []
            +  m_Clips: []
            +  m_Markers:
            +    m_Objects:
            +    - {fileID: -3102275915973254801}
            +--- !u!114 &-3102275915973254801
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 15c38f6fa1940124db1ab7f6fe7268d1, type: 3}
            +  m_Name: Signal Emitter
            +  m_EditorClassIdentifier: 
            +  m_Time: 1.5
            +  m_Retroactive: 0
            +  m_EmitOnce: 0
            +  m_Asset: {fileID: 0}
             --- !u!114 &11400000
             MonoBehaviour:
               m_ObjectHideFlags: 0
            @@ -20,7 +60,7 @@
                 m_Framerate: 60
                 m_ScenePreview: 1
               m_DurationMode: 0
            -  m_MarkerTrack: {fileID: 0}
            +  m_MarkerTrack: {fileID: -4868828243050226625}
             --- !u!114 &8438799342452966918
             MonoBehaviour:
               m_ObjectHideFlags: 1
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments("Markers", "SignalEmitter", 1.5)));
        expect![[r#"
            --- a/Assets/Intro.playable
            +++ b/Assets/Intro.playable
            @@ -1,5 +1,21 @@
             %YAML 1.1
             %TAG !u! tag:unity3d.com,2011:
            +--- !u!114 &-5824930974542560300
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 15c38f6fa1940124db1ab7f6fe7268d1, type: 3}
            +  m_Name: Signal Emitter
            +  m_EditorClassIdentifier: 
            +  m_Time: 2
            +  m_Retroactive: 0
            +  m_EmitOnce: 0
            +  m_Asset: {fileID: 0}
             --- !u!114 &-4868828243050226625
             MonoBehaviour:
               m_ObjectHideFlags: 1
            @@ -83,4 +99,5 @@
               m_Children: []
               m_Clips: []
               m_Markers:
            -    m_Objects: []
            +    m_Objects:
            +    - {fileID: -5824930974542560300}
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments("Cues", "SignalEmitter", 2.0)));
        let mut own = arguments("Cues", "CustomMarker", 3.0);
        own["markerClass"] = "Assets/Scripts/GameState.cs".into();
        expect![[r#"
            --- a/Assets/Intro.playable
            +++ b/Assets/Intro.playable
            @@ -77,6 +77,19 @@
                 m_ScenePreview: 1
               m_DurationMode: 0
               m_MarkerTrack: {fileID: -4868828243050226625}
            +--- !u!114 &3257338584372191448
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: f5622b0c5f9a2a9134ee81e362c7f6c5, type: 3}
            +  m_Name: GameState
            +  m_EditorClassIdentifier: 
            +  m_Time: 3
             --- !u!114 &8438799342452966918
             MonoBehaviour:
               m_ObjectHideFlags: 1
            @@ -101,3 +114,4 @@
               m_Markers:
                 m_Objects:
                 - {fileID: -5824930974542560300}
            +    - {fileID: 3257338584372191448}
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, own));
        let errors = [
            bench.error(super::TOOL.id, arguments("Ques", "SignalEmitter", 0.0)),
            bench.error(super::TOOL.id, arguments("Cues", "Annotation", 0.0)),
            bench.error(super::TOOL.id, arguments("Cues", "CustomMarker", 0.0)),
            bench.error(super::TOOL.id, arguments("Cues", "SignalEmitter", -1.0)),
        ];
        expect![[r#"
            Track not found: Ques; did you mean Cues?
            Invalid marker type: the project has no class Annotation; name a script of the project whose class derives from Marker with markerClass, or use SignalEmitter
            Invalid marker type: CustomMarker needs markerClass; name a script of the project whose class derives from Marker with markerClass, or use SignalEmitter
            Invalid tool arguments: time must be at least 0"#]].assert_eq(&errors.join("\n"));
    }
}
