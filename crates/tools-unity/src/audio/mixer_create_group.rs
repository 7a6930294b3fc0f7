//! The tool `audio.mixer.createGroup`: Create Audio Mixer Group.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::audio;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find_group, open_mixer};
use crate::base;
use crate::base::draft;

pub(crate) const TOOL: Tool = Tool {
    id: "audio.mixer.createGroup",
    keywords: "add new bus channel volume sound music sfx mixer submix voice slider",
    title: "Create Audio Mixer Group",
    notes: Some(
        "The new group has an attenuation and plays at 0 dB: no snapshot holds a value for it until one is set.",
    ),
    category: "audio",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Add a group for voices to the mixer of the Unity sample",
        input: r#"{ "project": "unity", "mixerPath": "Assets/Audio/MainMixer.mixer", "groupName": "Voice", "parentGroupPath": "Master/SFX" }"#,
        output: r#"{
            "success": true,
            "groupName": "Voice",
            "fullPath": "Master/SFX/Voice",
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

/// Add a group to an audio mixer, below its master group or another one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The mixer, such as `Assets/Audio/Main.mixer`.
    mixer_path: String,
    /// Name of the new group.
    group_name: String,
    /// Group that it plays into, by path such as `Master/SFX` or by a name that only it has; the
    /// master group by default.
    parent_group_path: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Name of the group.
    group_name: String,
    /// The names from the master group down.
    full_path: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    let name = input.group_name.trim();
    if name.is_empty() || name.contains('/') {
        let problem = "must be a name without `/`; parentGroupPath says where it goes";
        return Err(ToolError::bad_argument("groupName", problem));
    }
    let (mut file, mixer) = open_mixer(cx, project, &input.mixer_path, "AudioMixer not found")?;
    let parent = match &input.parent_group_path {
        Some(path) => find_group(&mixer, path, "Parent group not found")?,
        None => mixer.groups.first().ok_or_else(|| {
            let text = format!("{} has no master group", file.path);
            ToolError::new(ErrorKind::EngineError, text).hint("open the mixer in Unity once")
        })?,
    };
    let full_path = format!("{}/{name}", parent.path);
    if mixer.groups.iter().any(|group| group.path == full_path) {
        return Err(ToolError::new(
            ErrorKind::EngineError,
            format!("Group name already exists: {full_path}"),
        )
        .hint("choose another groupName or parentGroupPath"));
    }
    file.change(|document, manner, edits| {
        audio::create_group(document, parent.file_id, name, manner, edits)
    })?;
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    Ok(Output { success: true, group_name: name.to_owned(), full_path, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    const MIXER: &str = "Assets/Audio/MainMixer.mixer";

    #[test]
    fn a_group_comes_with_its_effect_and_is_shown() {
        let bench = bench();
        let before = bench.read(MIXER);
        let arguments =
            json!({ "mixerPath": MIXER, "groupName": "Voice", "parentGroupPath": "SFX" });
        expect![[r#"
            --- a/Assets/Audio/MainMixer.mixer
            +++ b/Assets/Audio/MainMixer.mixer
            @@ -11,6 +11,7 @@
               m_GroupID: 34b5f95eb21edfa186d88fa1ef058c67
               m_Children:
               - {fileID: 7244773257105011808}
            +  - {fileID: -3010592810221606619}
               m_Volume: 121a2ae7fa64e9299221aeccacf5fc97
               m_Pitch: f4bbebf2f0cf315de3c22c340337b7ac
               m_Send: 00000000000000000000000000000000
            @@ -21,6 +22,25 @@
               m_Mute: 0
               m_Solo: 0
               m_BypassEffects: 0
            +--- !u!243 &-3010592810221606619
            +AudioMixerGroupController:
            +  m_ObjectHideFlags: 0
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_Name: Voice
            +  m_AudioMixer: {fileID: 24100000}
            +  m_GroupID: 25b71686ed4dcdb5114dbe3cd2ea5c68
            +  m_Children: []
            +  m_Volume: 24e8dd8c9b6693874960e9ee2341dd2b
            +  m_Pitch: 57d24880c5580a65a184ca4c4bff9066
            +  m_Send: 00000000000000000000000000000000
            +  m_Effects:
            +  - {fileID: 402824513129520658}
            +  m_UserColorIndex: 0
            +  m_Mute: 0
            +  m_Solo: 0
            +  m_BypassEffects: 0
             --- !u!244 &-439942417355121723
             AudioMixerEffectController:
               m_ObjectHideFlags: 3
            @@ -60,6 +80,7 @@
                 - 0358d440da88b373abe7b1b143e15b36
                 - 34b5f95eb21edfa186d88fa1ef058c67
                 - a3516126efe50e4d8c073aa6cd82d07b
            +    - 25b71686ed4dcdb5114dbe3cd2ea5c68
                 name: View
               m_CurrentViewIndex: 0
               m_TargetSnapshot: {fileID: 24500006}
            @@ -115,6 +136,20 @@
                 8437740175c7b4b6794be6484fa4c92d: 1
                 f8a6f3079e3cd16fb7ba27d791a5cd95: 0
               m_TransitionOverrides: {}
            +--- !u!244 &402824513129520658
            +AudioMixerEffectController:
            +  m_ObjectHideFlags: 3
            +  m_CorrespondingSourceObject: {fileID: 0}
            +  m_PrefabInstance: {fileID: 0}
            +  m_PrefabAsset: {fileID: 0}
            +  m_Name: 
            +  m_EffectID: 55ccd99ebe704e7c9871e515beeda626
            +  m_EffectName: Attenuation
            +  m_MixLevel: 8b6da80c5daa0b22666f7c552c8dbe14
            +  m_Parameters: []
            +  m_SendTarget: {fileID: 0}
            +  m_EnableWetMix: 0
            +  m_Bypass: 0
             --- !u!245 &2611514828010274845
             AudioMixerSnapshotController:
               m_ObjectHideFlags: 0
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments.clone()));
        let listed = bench.call("audio.mixer.list", json!({})).unwrap();
        assert!(listed.to_string().contains("Master/SFX/Voice"), "{listed}");
        expect!["Group name already exists: Master/SFX/Voice; choose another groupName or parentGroupPath"].assert_eq(&bench.error(super::TOOL.id, arguments));
        bench.undo();
        assert_eq!(bench.read(MIXER), before);
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let bench = bench();
        let error = |mixer: &str, name: &str, parent: &str| {
            let arguments =
                json!({ "mixerPath": mixer, "groupName": name, "parentGroupPath": parent });
            bench.error(super::TOOL.id, arguments)
        };
        let errors = [
            error("Assets/Audio/MainMixr.mixer", "A", "Master"),
            error("Assets/Materials/Stone.mat", "A", "Master"),
            error(MIXER, "A", "Master/SFXX"),
            error(MIXER, "A/B", "Master"),
        ];
        expect![[r#"
            AudioMixer not found; did you mean Assets/Audio/MainMixer.mixer or Assets/Audio/MainMixer.mixer.meta?
            AudioMixer not found; audio_mixer_list shows the mixers
            Parent group not found: Master/SFXX; did you mean Master/SFX?
            Invalid tool arguments: groupName must be a name without `/`; parentGroupPath says where it goes"#]].assert_eq(&errors.join("\n"));
    }
}
