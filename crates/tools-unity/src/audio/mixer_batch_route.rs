//! The tool `audio.mixer.batchRoute`: Route Audio Sources.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find_group, find_sources, mixer_guid, open_mixer, route};
use crate::base;
use crate::base::InUnity;
use crate::base::draft::{self, SceneDraft};

/// Routes in one call.
const MAX_ROUTES: usize = 50;

pub(crate) const TOOL: Tool = Tool {
    id: "audio.mixer.batchRoute",
    keywords: "many audio sources output mixer groups several sounds at once bulk routing all group channel",
    title: "Route Audio Sources",
    notes: Some(
        "Routes that cannot be made are told in `details`, and the others are made: in one change, with one undo.",
    ),
    category: "audio",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Route a sound of the Unity sample, and one that it does not have",
        input: r#"{
            "project": "unity",
            "mixerPath": "Assets/Audio/MainMixer.mixer",
            "scenePath": "Assets/Scenes/Cellar.unity",
            "routes": [
                { "sourcePath": "Drip Sound", "groupPath": "Master/Music" },
                { "sourcePath": "Organ", "groupPath": "Master/Music" }
            ]
        }"#,
        output: r#"{
            "success": true,
            "routedCount": 1,
            "failed": 1,
            "details": [
                { "sourcePath": "Drip Sound", "groupPath": "Master/Music", "routed": true },
                { "sourcePath": "Organ", "groupPath": "Master/Music", "routed": false, "error": "" }
            ],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["details", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Let many AudioSources of a scene or prefab play into groups of an audio mixer.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The mixer, such as `Assets/Audio/Main.mixer`.
    mixer_path: String,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// What goes where.
    #[schemars(length(min = 1, max = 1000))]
    routes: Vec<Route>,
    /// More routes than this are refused.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 50))]
    max_routes: usize,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn most() -> usize {
    MAX_ROUTES
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Route {
    /// Path of the object with the AudioSource.
    source_path: String,
    /// Group, by path such as `Master/SFX` or by a name that only it has; empty for none.
    group_path: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure of the whole call is an error.
    success: bool,
    /// How many routes were made.
    routed_count: usize,
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
    /// Path of the object.
    source_path: String,
    /// The group.
    group_path: String,
    /// Whether it goes there now.
    routed: bool,
    /// Why not.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    if input.routes.len() > input.max_routes {
        let (count, most) = (input.routes.len(), input.max_routes);
        let text = format!("Max routes limit exceeded: {count} routes, at most {most}");
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint("call several times"));
    }
    let missing = format!("Mixer not found: {}", input.mixer_path);
    let (file, mixer) = open_mixer(cx, project, &input.mixer_path, &missing)?;
    let unity = cx.unity(input.project.as_deref())?;
    let guid = mixer_guid(&unity, &file)?;
    let mut scene = SceneDraft::open(&unity, project, input.scene_path)?;
    let mut details = Vec::new();
    for Route { source_path, group_path } in input.routes {
        cx.check_cancelled()?;
        let group = match group_path.as_str() {
            "" => Ok(None),
            path => find_group(&mixer, path, "AudioMixerGroup not found").map(Some),
        };
        let made = group.and_then(|group| {
            let sources = find_sources(&unity, &scene, Some(&source_path))?;
            route(&mut scene, &sources, group.map(|group| (guid, group.file_id)))
        });
        let error = made.err().map(|error| match error.hint {
            Some(hint) => format!("{}; {hint}", error.message),
            None => error.message,
        });
        details.push(Detail { source_path, group_path, routed: error.is_none(), error });
    }
    let written = draft::commit(cx, project, &[&scene.file], input.dry_run)?;
    let routed_count = details.iter().filter(|detail| detail.routed).count();
    let failed = details.len() - routed_count;
    Ok(Output { success: true, routed_count, failed, details, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn what_can_be_routed_is_and_the_rest_is_told() {
        let bench = bench();
        let routes = json!([
            { "sourcePath": "Drip Sound", "groupPath": "Music" },
            { "sourcePath": "Drip Sound", "groupPath": "Footsteps" },
            { "sourcePath": "Organ", "groupPath": "Music" },
            { "sourcePath": "Drip Sound", "groupPath": "Choir" },
        ]);
        let arguments = json!({
            "mixerPath": "Assets/Audio/MainMixer.mixer", "scenePath": "Assets/Scenes/Cellar.unity",
            "routes": routes,
        });
        let output = bench.call(super::TOOL.id, arguments.clone()).unwrap();
        assert_eq!((&output["routedCount"], &output["failed"]), (&json!(2), &json!(2)));
        let errors: Vec<&str> = output["details"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|d| d["error"].as_str())
            .collect();
        expect![[r#"
            AudioSource not found; there is Storage Room/GoldenLantern/Flame, Storage Room/GoldenLantern/Gilded Ring, Storage Room, Storage Room/Key, Storage Room/Floor, Storage Room/Wall North, Storage Room/Wall Lantern, Storage Room/GoldenLantern, Storage Room/Wall Lantern/Flame, Drip Sound, Rune Stone ᚠ, Cellar Camera and 1 more; scene_hierarchy_dump or scene_objects_find give the paths
            AudioMixerGroup not found: Choir; MainMixer has Master, Master/Music, Master/SFX, Master/SFX/Footsteps"#]].assert_eq(&errors.join("\n"));
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -164,7 +164,7 @@
               m_GameObject: {fileID: 634486858}
               m_Enabled: 1
               serializedVersion: 4
            -  OutputAudioMixerGroup: {fileID: -4371676870017847490, guid: b1b6347efca90af164c64d73dded02d6, type: 2}
            +  OutputAudioMixerGroup: {fileID: 7244773257105011808, guid: b1b6347efca90af164c64d73dded02d6, type: 2}
               m_audioClip: {fileID: 0}
               m_PlayOnAwake: 1
               m_Volume: 0.8
        "#]].assert_eq(output["changes"][0]["diff"].as_str().unwrap());
        let mut many = arguments;
        many["maxRoutes"] = 3.into();
        expect!["Max routes limit exceeded: 4 routes, at most 3; call several times"]
            .assert_eq(&bench.error(super::TOOL.id, many));
    }
}
