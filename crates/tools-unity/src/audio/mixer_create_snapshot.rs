//! The tool `audio.mixer.createSnapshot`: Create Audio Mixer Snapshot.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError, suggest};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::audio::{self, Mixer, Snapshot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::open_mixer;
use crate::base;
use crate::base::draft;

pub(crate) const TOOL: Tool = Tool {
    id: "audio.mixer.createSnapshot",
    keywords: "add new mixer state preset underwater paused copy volumes sound muffled duck volume",
    title: "Create Audio Mixer Snapshot",
    category: "audio",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Add a snapshot to the mixer of the Unity sample, with the values of another one",
        input: r#"{ "project": "unity", "mixerPath": "Assets/Audio/MainMixer.mixer", "snapshotName": "Underwater", "copyFrom": "Muffled" }"#,
        output: r#"{
            "success": true,
            "snapshotName": "Underwater",
            "copiedFrom": "Muffled",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a snapshot to an audio mixer. As in the editor it starts with the values of another one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The mixer, such as `Assets/Audio/Main.mixer`.
    mixer_path: String,
    /// Name of the new snapshot.
    snapshot_name: String,
    /// Snapshot whose values it gets; the one that the mixer starts with by default.
    copy_from: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Name of the snapshot.
    snapshot_name: String,
    /// The snapshot whose values it has.
    copied_from: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    let name = input.snapshot_name.trim();
    if name.is_empty() {
        return Err(ToolError::bad_argument("snapshotName", "must not be empty"));
    }
    let (mut file, mixer) = open_mixer(cx, project, &input.mixer_path, "AudioMixer not found")?;
    let source = source(&mixer, input.copy_from.as_deref())?;
    if mixer.snapshots.iter().any(|snapshot| snapshot.name == name) {
        let text = format!("Snapshot name already exists: {name}");
        return Err(ToolError::new(ErrorKind::EngineError, text).hint(format!(
            "{} has {}",
            mixer.name,
            names(&mixer).join(", ")
        )));
    }
    file.change(|document, manner, edits| {
        audio::create_snapshot(document, source.file_id, name, manner, edits)
    })?;
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    let (snapshot_name, copied_from) = (name.to_owned(), source.name.clone());
    Ok(Output { success: true, snapshot_name, copied_from, written })
}

fn names(mixer: &Mixer) -> Vec<&str> {
    mixer.snapshots.iter().map(|snapshot| snapshot.name.as_str()).collect()
}

fn source<'m>(mixer: &'m Mixer, wanted: Option<&str>) -> Result<&'m Snapshot, ToolError> {
    let mut all = mixer.snapshots.iter();
    let found = match wanted {
        Some(name) => all.find(|snapshot| snapshot.name == name),
        None => all.clone().find(|snapshot| snapshot.is_start).or_else(|| all.next()),
    };
    found.ok_or_else(|| {
        let known = names(mixer);
        let otherwise = match known.len() {
            0 => "the mixer has no snapshot; open it in Unity once".to_owned(),
            _ => format!("{} has {}", mixer.name, known.join(", ")),
        };
        let wanted = wanted.unwrap_or_default();
        ToolError::new(ErrorKind::EngineError, format!("Snapshot not found: {wanted}"))
            .hint(suggest::did_you_mean(wanted, known.iter().copied(), &otherwise))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    const MIXER: &str = "Assets/Audio/MainMixer.mixer";

    #[test]
    fn a_snapshot_has_the_values_of_another() {
        let bench = bench();
        let arguments =
            json!({ "mixerPath": MIXER, "snapshotName": "Underwater", "copyFrom": "Muffled" });
        expect![[r#"
            --- a/Assets/Audio/MainMixer.mixer
            +++ b/Assets/Audio/MainMixer.mixer
            @@ -1,5 +1,20 @@
             %YAML 1.1
             %TAG !u! tag:unity3d.com,2011:
            +--- !u!245 &-8351131196838106724
            +AudioMixerSnapshotController:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_Name: Underwater
            +  m_AudioMixer: {fileID: 24100000}
            +  m_SnapshotID: e10ac786e7e76845cde34119f0802b1e
            +  m_FloatValues:
            +    121a2ae7fa64e9299221aeccacf5fc97: -8
            +    403ab80a5c7210a58565a94a01afb014: -18
            +    5c2496f1f32efdbc288098bef40e78b7: 900
            +    8437740175c7b4b6794be6484fa4c92d: 1.4
            +  m_TransitionOverrides: {}
             --- !u!243 &-4371676870017847490
             AudioMixerGroupController:
               m_ObjectHideFlags: 0
            @@ -47,6 +62,7 @@
               m_Snapshots:
               - {fileID: 24500006}
               - {fileID: 2611514828010274845}
            +  - {fileID: -8351131196838106724}
               m_StartSnapshot: {fileID: 24500006}
               m_SuspendThreshold: -80
               m_EnableSuspend: 1
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments.clone()));
        let read = |name: &str| {
            let arguments = json!({ "mixerPath": MIXER, "snapshotName": name });
            bench.call("audio.mixer.snapshot.read", arguments).unwrap()["parameters"].clone()
        };
        assert_eq!(read("Underwater"), read("Muffled"));
        assert_ne!(read("Underwater"), read("Default"));
        expect![
            "Snapshot name already exists: Underwater; MainMixer has Default, Muffled, Underwater"
        ]
        .assert_eq(&bench.error(super::TOOL.id, arguments));
        let wrong = json!({ "mixerPath": MIXER, "snapshotName": "New", "copyFrom": "Mufled" });
        expect!["Snapshot not found: Mufled; did you mean Muffled?"]
            .assert_eq(&bench.error(super::TOOL.id, wrong));
    }
}
