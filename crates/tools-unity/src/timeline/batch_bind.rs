//! The tool `timeline.batchBind`: Bind Timeline Tracks.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{bind, find_director, find_scene, find_track, guid_of, open};
use crate::base;
use crate::base::InUnity;
use crate::base::draft::{self, SceneDraft};

/// Bindings in one call.
const MAX_BINDINGS: usize = 20;

pub(crate) const TOOL: Tool = Tool {
    id: "timeline.batchBind",
    keywords: "many playable director bindings tracks scene objects at once bulk assign all cutscene",
    title: "Bind Timeline Tracks",
    notes: Some(
        "Bindings that cannot be made are told in `details`, and the others are made: in one change, with one undo.",
    ),
    category: "timeline",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Bind two tracks of a Timeline in the cellar of the Unity sample",
        input: r#"{
            "project": "unity",
            "timelinePath": "Assets/Intro.playable",
            "scenePath": "Assets/Scenes/Cellar.unity",
            "bindings": [
                { "trackName": "Lamp", "objectPath": "Floor" },
                { "trackName": "Sounds", "objectPath": "Drip Sound" }
            ]
        }"#,
        output: r#"{
            "success": true,
            "bound": 2,
            "failed": 0,
            "details": [
                { "trackName": "Lamp", "objectPath": "Floor", "bound": true },
                { "trackName": "Sounds", "objectPath": "Drip Sound", "bound": true }
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
            input: r#"{ "project": "unity", "path": "Assets/Intro.playable", "scenePath": "Assets/Scenes/Cellar.unity", "objectPath": "Drip Sound" }"#,
        },
        Earlier {
            tool: "timeline.createTrack",
            input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "trackType": "activation", "trackName": "Lamp" }"#,
        },
        Earlier {
            tool: "timeline.createTrack",
            input: r#"{ "project": "unity", "timelinePath": "Assets/Intro.playable", "trackType": "audio", "trackName": "Sounds" }"#,
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Bind objects of a scene to many tracks of a Timeline, in the PlayableDirector that plays it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The Timeline, a `.playable` file.
    timeline_path: String,
    /// Scene or prefab with the PlayableDirector; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Object with the PlayableDirector, where several play the Timeline.
    director_path: Option<String>,
    /// What is bound to what.
    #[schemars(length(min = 1, max = 1000))]
    bindings: Vec<Binding>,
    /// More bindings than this are refused.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 20))]
    max_bindings: usize,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn most() -> usize {
    MAX_BINDINGS
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Binding {
    /// Name of the track.
    track_name: String,
    /// Path of the object.
    object_path: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure of the whole call is an error.
    success: bool,
    /// How many bindings were made.
    bound: usize,
    /// How many could not be made.
    failed: usize,
    /// What became of each, in order.
    details: Vec<Detail>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    /// The track.
    track_name: String,
    /// The object.
    object_path: String,
    /// Whether it is bound now.
    bound: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    if input.bindings.len() > input.max_bindings {
        let (count, most) = (input.bindings.len(), input.max_bindings);
        let text = format!("Max bindings limit exceeded: {count} bindings, at most {most}");
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint("call several times"));
    }
    let (file, timeline) = open(cx, project, &input.timeline_path, "Timeline not found")?;
    let unity = cx.unity(input.project.as_deref())?;
    let guid = guid_of(&unity, &file)?;
    let scene = find_scene(&unity, input.scene_path)?;
    let mut scene = SceneDraft::open(&unity, project, scene)?;
    let director = find_director(&scene, guid, input.director_path.as_deref())?;
    let mut details = Vec::new();
    for Binding { track_name, object_path } in input.bindings {
        cx.check_cancelled()?;
        let track = find_track(&timeline, &track_name, "Track not found in timeline");
        let made =
            track.and_then(|track| bind(&unity, &mut scene, director, (guid, track), &object_path));
        let error = made.err().map(|error| match error.hint {
            Some(hint) => format!("{}; {hint}", error.message),
            None => error.message,
        });
        details.push(Detail { track_name, object_path, bound: error.is_none(), error });
    }
    let written = draft::commit(cx, project, &[&scene.file], input.dry_run)?;
    let bound = details.iter().filter(|detail| detail.bound).count();
    let failed = details.len() - bound;
    Ok(Output { success: true, bound, failed, details, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    const TIMELINE: &str = "Assets/Intro.playable";
    const SCENE: &str = "Assets/Scenes/Cellar.unity";

    #[test]
    fn what_can_be_bound_is_and_the_rest_is_told() {
        let bench = bench();
        let director = json!({ "path": TIMELINE, "scenePath": SCENE, "objectPath": "Drip Sound" });
        bench.call("timeline.create", director).unwrap();
        let track =
            json!({ "timelinePath": TIMELINE, "trackType": "audio", "trackName": "Sounds" });
        bench.call("timeline.createTrack", track).unwrap();
        let bindings = json!([
            { "trackName": "Sounds", "objectPath": "Floor" },
            { "trackName": "Sounds", "objectPath": "Drip Sound" },
            { "trackName": "Light", "objectPath": "Floor" },
        ]);
        let arguments =
            json!({ "timelinePath": TIMELINE, "scenePath": SCENE, "bindings": bindings });
        let output = bench.call(super::TOOL.id, arguments.clone()).unwrap();
        expect![[r#"
            [
              {
                "trackName": "Sounds",
                "objectPath": "Floor",
                "bound": false,
                "error": "Floor has no AudioSource, which the track Sounds takes; add the component first, or bind another object; it has Transform, MeshFilter, MeshRenderer, BoxCollider"
              },
              {
                "trackName": "Sounds",
                "objectPath": "Drip Sound",
                "bound": true
              },
              {
                "trackName": "Light",
                "objectPath": "Floor",
                "bound": false,
                "error": "Track not found in timeline: Light; the tracks are Sounds"
              }
            ]"#]].assert_eq(&serde_json::to_string_pretty(&output["details"]).unwrap());
        assert_eq!((&output["bound"], &output["failed"]), (&json!(1), &json!(2)));
        let mut many = arguments;
        many["maxBindings"] = 2.into();
        expect!["Max bindings limit exceeded: 3 bindings, at most 2; call several times"]
            .assert_eq(&bench.error(super::TOOL.id, many));
    }
}
