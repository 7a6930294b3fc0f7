//! The tool `timeline.sectionMarkers`: Mark Timeline Sections.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::timeline::{self, MarkerClass, Timeline};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{open, tell_package};
use crate::base;
use crate::base::InUnity;
use crate::base::draft;

/// More sections are refused.
const MAX_SECTIONS: usize = 1000;

pub(crate) const TOOL: Tool = Tool {
    id: "timeline.sectionMarkers",
    keywords: "timeline chapters beats divide into parts regular interval markers intervals bars",
    title: "Mark Timeline Sections",
    notes: Some(
        "The markers are signal emitters without a signal in the header of the Timeline: they mark, and send nothing until they get one. A marker that is at such a time already counts.",
    ),
    category: "timeline",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Mark every second of a Timeline that is two and a half long",
        input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "sectionLength": 1, "markerPrefix": "Part" }"#,
        output: r#"{
            "success": true,
            "markersAdded": 3,
            "sections": [
                { "name": "Part 1", "start": 0.0, "end": 1.0, "clips": 1 },
                { "name": "Part 2", "start": 1.0, "end": 2.0, "clips": 1 },
                { "name": "Part 3", "start": 2.0, "end": 2.5, "clips": 1 }
            ],
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
        Earlier {
            tool: "timeline.addClip",
            input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "trackName": "Lamp", "start": 0, "duration": 2.5 }"#,
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put markers into the header of a Timeline at regular intervals, from its start to its end.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The Timeline, a `.playable` file.
    timeline_path: String,
    /// Seconds from one marker to the next.
    section_length: f64,
    /// What the names of the markers begin with.
    #[serde(default = "section")]
    marker_prefix: String,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn section() -> String {
    "Section".to_owned()
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How many markers were added.
    markers_added: usize,
    /// The sections, in order.
    sections: Vec<Section>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Section {
    /// Name of its marker.
    name: String,
    /// Seconds from the start.
    start: f64,
    /// Seconds from the start.
    end: f64,
    /// How many clips play in it.
    clips: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    let length = input.section_length;
    if !length.is_finite() || length <= 0.0 {
        return Err(ToolError::bad_argument("sectionLength", "must be more than 0")
            .hint("Section length must be positive"));
    }
    let (mut file, timeline) = open(cx, project, &input.timeline_path, "Timeline not found")?;
    let sections = sections(&timeline, length, &input.marker_prefix)?;
    let taken = timeline.markers.as_ref().map(|track| track.markers.clone()).unwrap_or_default();
    let is_free =
        |section: &&Section| !taken.iter().any(|time| (time - section.start).abs() < 1e-6);
    let track = file.change(timeline::marker_track)?;
    let class = MarkerClass::SignalEmitter { signal: None };
    let mut markers_added = 0;
    for Section { name, start, .. } in sections.iter().filter(is_free) {
        cx.check_cancelled()?;
        file.change(|document, manner, edits| {
            timeline::add_marker(document, track, &class, name, *start, manner, edits)
        })?;
        markers_added += 1;
    }
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    tell_package(cx, &cx.unity(input.project.as_deref())?);
    Ok(Output { success: true, markers_added, sections, written })
}

fn sections(timeline: &Timeline, length: f64, prefix: &str) -> Result<Vec<Section>, ToolError> {
    let duration = timeline.duration();
    let count = (duration / length).ceil();
    if duration <= 0.0 {
        return Err(ToolError::new(ErrorKind::EngineError, "the Timeline has no length yet")
            .hint("add clips first, or give it a fixed length in Unity"));
    }
    if count > MAX_SECTIONS as f64 {
        let text = format!("{count} sections of {length} seconds are more than {MAX_SECTIONS}");
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint("choose a longer section"));
    }
    let clips = || timeline.tracks.iter().flat_map(|track| &track.clips);
    let section = |at: usize| {
        let (start, end) = (at as f64 * length, ((at + 1) as f64 * length).min(duration));
        let plays = clips().filter(|clip| clip.start < end && clip.start + clip.duration > start);
        Section { name: format!("{prefix} {}", at + 1), start, end, clips: plays.count() }
    };
    Ok((0..count as usize).map(section).collect())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    const TIMELINE: &str = "Assets/Intro.playable";

    #[test]
    fn sections_are_marked_once() {
        let bench = bench();
        bench.call("timeline.create", json!({ "path": TIMELINE })).unwrap();
        let arguments = json!({ "timelinePath": TIMELINE, "sectionLength": 2 });
        expect![
            "the Timeline has no length yet; add clips first, or give it a fixed length in Unity"
        ]
        .assert_eq(&bench.error(super::TOOL.id, arguments.clone()));
        let track =
            json!({ "timelinePath": TIMELINE, "trackType": "activation", "trackName": "Lamp" });
        bench.call("timeline.createTrack", track).unwrap();
        for start in [0.5, 3.0] {
            let clip = json!({ "timelinePath": TIMELINE, "trackName": "Lamp", "start": start, "duration": 1 });
            bench.call("timeline.addClip", clip).unwrap();
        }
        let output = bench.call(super::TOOL.id, arguments.clone()).unwrap();
        expect![[r#"[{"name":"Section 1","start":0.0,"end":2.0,"clips":1},{"name":"Section 2","start":2.0,"end":4.0,"clips":1}]"#]].assert_eq(&output["sections"].to_string());
        let diff = output["changes"][0]["diff"].as_str().unwrap();
        expect![[r#"
            --- a/Assets/Intro.playable
            +++ b/Assets/Intro.playable
            @@ -24,6 +24,47 @@
               m_Script: {fileID: 11500000, guid: fde0d25a170598d46a0b9dc16b4527a5, type: 3}
               m_Name: ActivationPlayableAsset
               m_EditorClassIdentifier: 
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
            +    - {fileID: -2678555050938162351}
            +    - {fileID: 4682458716366648988}
            +--- !u!114 &-2678555050938162351
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 15c38f6fa1940124db1ab7f6fe7268d1, type: 3}
            +  m_Name: Section 1
            +  m_EditorClassIdentifier: 
            +  m_Time: 0
            +  m_Retroactive: 0
            +  m_EmitOnce: 0
            +  m_Asset: {fileID: 0}
             --- !u!114 &-2111778147288121411
             MonoBehaviour:
               m_ObjectHideFlags: 1
            @@ -206,4 +247,20 @@
                 m_Framerate: 60
                 m_ScenePreview: 1
               m_DurationMode: 0
            -  m_MarkerTrack: {fileID: 0}
            +  m_MarkerTrack: {fileID: -4868828243050226625}
            +--- !u!114 &4682458716366648988
            +MonoBehaviour:
            +  m_ObjectHideFlags: 1
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_GameObject: {fileID: 0}
            +  m_Enabled: 1
            +  m_EditorHideFlags: 0
            +  m_Script: {fileID: 11500000, guid: 15c38f6fa1940124db1ab7f6fe7268d1, type: 3}
            +  m_Name: Section 2
            +  m_EditorClassIdentifier: 
            +  m_Time: 2
            +  m_Retroactive: 0
            +  m_EmitOnce: 0
            +  m_Asset: {fileID: 0}
        "#]]
        .assert_eq(diff);
        let again = bench.call(super::TOOL.id, arguments).unwrap();
        assert_eq!((&again["markersAdded"], &again["filesChanged"]), (&json!(0), &json!(0)));
        let none = json!({ "timelinePath": TIMELINE, "sectionLength": 0 });
        expect!["Invalid tool arguments: sectionLength must be more than 0; Section length must be positive"].assert_eq(&bench.error(super::TOOL.id, none));
    }
}
