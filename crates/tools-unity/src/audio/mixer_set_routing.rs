//! The tool `audio.mixer.setRouting`: Set Audio Routing.

use scenewright_contract::{Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{find_group, find_sources, mixer_guid, open_mixer, route};
use crate::base;
use crate::base::InUnity;
use crate::base::draft::{self, SceneDraft};

pub(crate) const TOOL: Tool = Tool {
    id: "audio.mixer.setRouting",
    argument_aliases: &[("object", "sourcePath"), ("node", "sourcePath")],
    keywords: "audio source output mixer group play into bus send connect disconnect sound outputAudioMixerGroup channel through sfx music",
    title: "Set Audio Routing",
    notes: Some(
        "All AudioSources of the object are routed. Inside a prefab instance the routing becomes an override of the scene, or none where the prefab says the same.",
    ),
    category: "audio",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: true,
    examples: &[Example {
        description: "Let a sound of the Unity sample play into the music",
        input: r#"{ "project": "unity", "mixerPath": "Assets/Audio/MainMixer.mixer", "groupPath": "Master/Music", "scenePath": "Assets/Scenes/Cellar.unity", "sourcePath": "Drip Sound" }"#,
        output: r#"{
            "success": true,
            "groupPath": "Master/Music",
            "routed": true,
            "sources": 1,
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

/// Let an AudioSource of a scene or prefab play into a group of an audio mixer, or into none.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The mixer, such as `Assets/Audio/Main.mixer`.
    mixer_path: String,
    /// Group, by path such as `Master/SFX` or by a name that only it has.
    group_path: String,
    /// Scene or prefab; the first enabled build scene by default.
    scene_path: Option<String>,
    /// Path of the object with the AudioSource; may be left out where the scene has only one.
    source_path: Option<String>,
    /// `route` or `unroute`.
    #[serde(default)]
    operation: Operation,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Operation {
    #[default]
    Route,
    Unroute,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The group.
    group_path: String,
    /// Whether the sources play into it now.
    routed: bool,
    /// How many AudioSources it was about.
    sources: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::changing(cx, input.project.as_deref())?;
    let (file, mixer) = open_mixer(cx, project, &input.mixer_path, "AudioMixer not found")?;
    let group = find_group(&mixer, &input.group_path, "AudioMixerGroup not found")?;
    let unity = cx.unity(input.project.as_deref())?;
    let guid = mixer_guid(&unity, &file)?;
    let mut scene = SceneDraft::open(&unity, project, input.scene_path)?;
    let sources = find_sources(&unity, &scene, input.source_path.as_deref())?;
    let routed = input.operation == Operation::Route;
    route(&mut scene, &sources, routed.then_some((guid, group.file_id)))?;
    let written = draft::commit(cx, project, &[&scene.file], input.dry_run)?;
    if written.files_changed == 0 {
        cx.diagnose("Nothing changed: the routing is as asked for already");
    }
    let (group_path, sources) = (group.path.clone(), sources.len());
    Ok(Output { success: true, group_path, routed, sources, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{bench, bench_on};

    const MIXER: &str = "Assets/Audio/MainMixer.mixer";

    fn arguments(group: &str, operation: &str) -> Value {
        json!({
            "mixerPath": MIXER, "groupPath": group, "operation": operation,
            "scenePath": "Assets/Scenes/Cellar.unity", "sourcePath": "Drip Sound",
        })
    }

    #[test]
    fn a_source_goes_elsewhere_and_nowhere() {
        let bench = bench();
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -164,7 +164,7 @@
               m_GameObject: {fileID: 634486858}
               m_Enabled: 1
               serializedVersion: 4
            -  OutputAudioMixerGroup: {fileID: -4371676870017847490, guid: b1b6347efca90af164c64d73dded02d6, type: 2}
            +  OutputAudioMixerGroup: {fileID: 9017308650142823463, guid: b1b6347efca90af164c64d73dded02d6, type: 2}
               m_audioClip: {fileID: 0}
               m_PlayOnAwake: 1
               m_Volume: 0.8
        "#]].assert_eq(&bench.diff(super::TOOL.id, arguments("Music", "route")));
        assert_eq!(bench.diff(super::TOOL.id, arguments("Music", "route")), "");
        expect![[r#"
            --- a/Assets/Scenes/Cellar.unity
            +++ b/Assets/Scenes/Cellar.unity
            @@ -164,7 +164,7 @@
               m_GameObject: {fileID: 634486858}
               m_Enabled: 1
               serializedVersion: 4
            -  OutputAudioMixerGroup: {fileID: 9017308650142823463, guid: b1b6347efca90af164c64d73dded02d6, type: 2}
            +  OutputAudioMixerGroup: {fileID: 0}
               m_audioClip: {fileID: 0}
               m_PlayOnAwake: 1
               m_Volume: 0.8
        "#]].assert_eq(&bench.diff(super::TOOL.id, arguments("Music", "unroute")));
    }

    #[test]
    fn an_object_without_components_is_told_as_one() {
        let scene = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &10\nGameObject:\n  m_Component: []\n  m_Name: Bare\n";
        let bench = bench();
        bench.write("Assets/S.unity", scene);
        let mut arguments = arguments("Music", "route");
        arguments["scenePath"] = "Assets/S.unity".into();
        arguments["sourcePath"] = "Bare".into();
        expect!["AudioSource not found: Bare has none; its components are none that can be read; scene_objects_find with componentType AudioSource lists the sources"].assert_eq(&bench.error(super::TOOL.id, arguments));
    }

    #[test]
    fn what_is_not_there_is_told_with_what_is() {
        let bench = bench();
        let error = |group: &str, source: &str| {
            let mut arguments = arguments(group, "route");
            arguments["sourcePath"] = source.into();
            bench.error(super::TOOL.id, arguments)
        };
        let errors =
            [error("Musik", "Drip Sound"), error("Music", "Drip"), error("Music", "Floor")];
        expect![[r#"
            AudioMixerGroup not found: Musik; MainMixer has Master, Master/Music, Master/SFX, Master/SFX/Footsteps
            AudioSource not found; did you mean Drip Sound?
            AudioSource not found: Floor has none; its components are Transform, MeshFilter, MeshRenderer, BoxCollider; scene_objects_find with componentType AudioSource lists the sources"#]].assert_eq(&errors.join("\n"));
    }

    /// A prefab with a source that plays into group 2, and a scene with an instance of it.
    const PROJECT: &str = "//- Assets/A.mixer
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!241 &1
AudioMixerController:
  m_Name: A
  m_MasterGroup: {fileID: 2}
--- !u!243 &2
AudioMixerGroupController:
  m_Name: Master
  m_Children:
  - {fileID: 3}
--- !u!243 &3
AudioMixerGroupController:
  m_Name: SFX
  m_Children: []
//- Assets/A.mixer.meta
guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
//- Assets/Bell.prefab
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &10
GameObject:
  m_Component:
  - component: {fileID: 11}
  - component: {fileID: 12}
  m_Name: Bell
--- !u!4 &11
Transform:
  m_GameObject: {fileID: 10}
  m_Father: {fileID: 0}
--- !u!82 &12
AudioSource:
  m_GameObject: {fileID: 10}
  OutputAudioMixerGroup: {fileID: 2, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 2}
//- Assets/Bell.prefab.meta
guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
//- Assets/S.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1001 &100
PrefabInstance:
  m_Modification:
    m_TransformParent: {fileID: 0}
    m_Modifications:
    - target: {fileID: 10, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
      propertyPath: m_Name
      value: Big Bell
      objectReference: {fileID: 0}
    m_RemovedComponents: []
  m_SourcePrefab: {fileID: 100100000, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
";

    #[test]
    fn in_an_instance_it_is_an_override_and_the_prefabs_own_is_none() {
        let bench = bench_on(PROJECT);
        let before = bench.read("Assets/S.unity");
        let route = |group: &str| {
            let arguments = json!({ "mixerPath": "Assets/A.mixer", "groupPath": group, "scenePath": "Assets/S.unity" });
            bench.diff(super::TOOL.id, arguments)
        };
        expect![[r#"
            --- a/Assets/S.unity
            +++ b/Assets/S.unity
            @@ -9,5 +9,9 @@
                   propertyPath: m_Name
                   value: Big Bell
                   objectReference: {fileID: 0}
            +    - target: {fileID: 12, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
            +      propertyPath: OutputAudioMixerGroup
            +      value: 
            +      objectReference: {fileID: 3, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 2}
                 m_RemovedComponents: []
               m_SourcePrefab: {fileID: 100100000, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
        "#]]
        .assert_eq(&route("SFX"));
        route("Master");
        assert_eq!(bench.read("Assets/S.unity"), before);
    }
}
