//! The tool `audio.mixer.list`: List Audio Mixers.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read_mixer;
use crate::base;
use crate::base::files::{self, OWN};

pub(crate) const TOOL: Tool = Tool {
    id: "audio.mixer.list",
    keywords: "mixer groups buses volume channels mixers snapshots audio",
    title: "List Audio Mixers",
    category: "audio",
    examples: &[Example {
        description: "List the mixers of the Unity sample",
        input: r#"{ "project": "unity" }"#,
        output: r#"{
            "success": true,
            "mixers": [{
                "path": "Assets/Audio/MainMixer.mixer",
                "guid": "b1b6347efca90af164c64d73dded02d6",
                "name": "MainMixer",
                "groups": [
                    { "name": "Footsteps", "guid": "a3516126efe50e4d8c073aa6cd82d07b", "path": "Master/SFX/Footsteps" },
                    { "name": "Master", "guid": "aa76588c3cf8504378e04530b6d92893", "path": "Master" },
                    { "name": "Music", "guid": "0358d440da88b373abe7b1b143e15b36", "path": "Master/Music" },
                    { "name": "SFX", "guid": "34b5f95eb21edfa186d88fa1ef058c67", "path": "Master/SFX" }
                ],
                "snapshots": [
                    { "name": "Default", "isStart": true },
                    { "name": "Muffled", "isStart": false }
                ]
            }]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the audio mixers of a Unity project with their groups and snapshots. Mixers come by guid,
/// groups and snapshots by name.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The mixers, by guid.
    mixers: Vec<MixerEntry>,
}

#[derive(Serialize, JsonSchema)]
struct MixerEntry {
    /// The file, from the project's root.
    path: String,
    /// Guid of the asset; empty without a meta.
    guid: String,
    /// Its name.
    name: String,
    /// The groups, by name.
    groups: Vec<GroupEntry>,
    /// The snapshots, by name.
    snapshots: Vec<SnapshotEntry>,
}

#[derive(Serialize, JsonSchema)]
struct GroupEntry {
    /// Its name.
    name: String,
    /// The id that the mixer has for it.
    guid: String,
    /// The names from the master group down.
    path: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct SnapshotEntry {
    /// Its name.
    name: String,
    /// Whether the mixer starts with it.
    is_start: bool,
}

fn run(cx: &Cx, Input { project }: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, project.as_deref())?;
    files::unity(project, "Audio mixers")?;
    let mut mixers = Vec::new();
    for file in files::imported(cx, project, &OWN, &[".mixer"])? {
        let mixer = match read_mixer(project, &file.path) {
            Ok(mixer) => mixer,
            Err(why) => {
                cx.diagnose(format!("{} {why}", file.name));
                continue;
            }
        };
        mixer.notes.iter().for_each(|note| cx.diagnose(format!("{}: {note}", file.name)));
        let guid = files::guid_of(project, &file.path);
        if guid.is_none() {
            cx.diagnose(format!("{} has no meta with a guid; nothing can refer to it", file.name));
        }
        let mut groups: Vec<GroupEntry> = mixer
            .groups
            .into_iter()
            .map(|group| GroupEntry {
                name: group.name,
                guid: group.id.map(|id| id.to_string()).unwrap_or_default(),
                path: group.path,
            })
            .collect();
        groups.sort_by(|a, b| (&a.name, &a.path).cmp(&(&b.name, &b.path)));
        let mut snapshots: Vec<SnapshotEntry> = mixer
            .snapshots
            .into_iter()
            .map(|snapshot| SnapshotEntry { name: snapshot.name, is_start: snapshot.is_start })
            .collect();
        snapshots.sort_by(|a, b| a.name.cmp(&b.name));
        mixers.push(MixerEntry {
            path: file.name,
            guid: guid.map(|guid| guid.to_string()).unwrap_or_default(),
            name: mixer.name,
            groups,
            snapshots,
        });
    }
    mixers.sort_by(|a, b| (&a.guid, &a.path).cmp(&(&b.guid, &b.path)));
    Ok(Output { success: true, mixers })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::call_project;

    #[test]
    fn a_project_without_mixers_has_none() {
        let outcome = call_project("", super::TOOL.id, json!({})).unwrap();
        assert_eq!(outcome.output, json!({ "success": true, "mixers": [] }));
        assert!(outcome.diagnostics.is_empty());
    }

    #[test]
    fn what_is_no_mixer_is_said() {
        let project = "//- Assets/a.mixer\nversion https://git-lfs.github.com/spec/v1\n//- Assets/b.mixer\n--- !u!241 &1\nAudioMixerController:\n  m_Name: B\n";
        let outcome = call_project(project, super::TOOL.id, json!({})).unwrap();
        assert_eq!(outcome.output["mixers"][0]["name"], "B");
        assert_eq!(outcome.output["mixers"][0]["guid"], "");
        assert_eq!(
            outcome.diagnostics,
            [
                "Assets/a.mixer holds no mixer that can be read (LfsPointer)",
                "Assets/b.mixer: the mixer has no master group",
                "Assets/b.mixer has no meta with a guid; nothing can refer to it",
            ]
        );
    }
}
