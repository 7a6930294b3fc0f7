//! The tool `audio.mixer.snapshot.read`: Read Audio Mixer Snapshot.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, paths, schema};
use scenewright_unity::Guid;
use scenewright_unity::audio::{self, Level, Mixer, Snapshot};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read_mixer;
use crate::base;
use crate::base::files::{self, OWN};

pub(crate) const TOOL: Tool = Tool {
    id: "audio.mixer.snapshot.read",
    keywords: "mixer volume levels values of music in a snapshot db level exposed parameter",
    title: "Read Audio Mixer Snapshot",
    notes: Some(
        "Volumes are in decibels, pitch is a factor. A snapshot that holds no value for a volume or pitch has 0 dB or 1; the defaults of effects are not in the file, so that such a value is left out.",
    ),
    category: "audio",
    examples: &[Example {
        description: "Read how the Unity sample sounds when it is muffled",
        input: r#"{ "project": "unity", "mixerPath": "Assets/Audio/MainMixer.mixer", "snapshotName": "Muffled" }"#,
        output: r#"{
            "success": true,
            "mixerPath": "Assets/Audio/MainMixer.mixer",
            "snapshotName": "Muffled",
            "parameters": [
                { "name": "MusicVolume", "value": -18.0, "group": "Music", "groupPath": "Master/Music", "target": "Volume", "stored": true }
            ],
            "groups": [
                { "name": "Master", "path": "Master", "volume": 0.0, "pitch": 1.0, "defaults": ["volume", "pitch"], "mute": false, "solo": false, "bypassEffects": false,
                  "effects": [{ "name": "Attenuation", "bypass": false, "parameters": [] }] },
                { "name": "Music", "path": "Master/Music", "volume": -18.0, "pitch": 1.0, "defaults": ["pitch"], "mute": false, "solo": false, "bypassEffects": false,
                  "effects": [{ "name": "Attenuation", "bypass": false, "parameters": [] }] },
                { "name": "SFX", "path": "Master/SFX", "volume": -8.0, "pitch": 1.0, "defaults": ["pitch"], "mute": false, "solo": false, "bypassEffects": false,
                  "effects": [
                    { "name": "Attenuation", "bypass": false, "parameters": [] },
                    { "name": "Lowpass", "bypass": false, "parameters": [
                        { "name": "Cutoff freq", "value": 900.0, "stored": true },
                        { "name": "Resonance", "value": 1.4, "stored": true }
                    ] }
                  ] },
                { "name": "Footsteps", "path": "Master/SFX/Footsteps", "volume": 0.0, "pitch": 1.0, "defaults": ["volume", "pitch"], "mute": false, "solo": false, "bypassEffects": false,
                  "effects": [{ "name": "Attenuation", "bypass": false, "parameters": [] }] }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read the values of one snapshot of an audio mixer: exposed parameters with the group they
/// belong to, and volume, pitch and effects of every group. Give `mixerPath` or `mixerGuid`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// The mixer, such as `Assets/Audio/Main.mixer`.
    mixer_path: Option<String>,
    /// Guid of the mixer, instead of its path.
    mixer_guid: Option<String>,
    /// Name of the snapshot.
    snapshot_name: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The mixer, from the project's root.
    mixer_path: String,
    /// The snapshot.
    snapshot_name: String,
    /// The exposed parameters, by group and name.
    parameters: Vec<Parameter>,
    /// Every group, each before its children.
    groups: Vec<GroupValues>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Parameter {
    /// The name that scripts use.
    name: String,
    /// Its value; left out when only the effect knows its default.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    /// Name of the group; `Unknown` when no group has it.
    group: String,
    /// The names from the master group down; empty when no group has it.
    group_path: String,
    /// `Volume`, `Pitch`, or `effect: parameter`; empty when no group has it.
    target: String,
    /// Whether the snapshot holds the value; otherwise it is the default.
    stored: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct GroupValues {
    /// Its name.
    name: String,
    /// The names from the master group down.
    path: String,
    /// Volume in decibels.
    volume: f64,
    /// Pitch as a factor.
    pitch: f64,
    /// Which of `volume` and `pitch` the snapshot does not hold, so that they are defaults.
    defaults: Vec<&'static str>,
    /// Whether it is silenced.
    mute: bool,
    /// Whether it is heard alone.
    solo: bool,
    /// Whether its effects are passed over.
    bypass_effects: bool,
    /// Its effects, first to last.
    effects: Vec<EffectValues>,
}

#[derive(Serialize, JsonSchema)]
struct EffectValues {
    /// Such as `Lowpass` or `Send`.
    name: String,
    /// Whether it is passed over.
    bypass: bool,
    /// Its parameters.
    parameters: Vec<EffectValue>,
}

#[derive(Serialize, JsonSchema)]
struct EffectValue {
    /// The effect's name for it.
    name: String,
    /// Its value; left out when only the effect knows its default.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<f64>,
    /// Whether the snapshot holds the value.
    stored: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, input.project.as_deref())?;
    files::unity(project, "Audio mixers")?;
    if input.snapshot_name.is_empty() {
        return Err(ToolError::new(ErrorKind::BadArguments, "'snapshotName' is required"));
    }
    let (path, mixer) = find_mixer(cx, project, &input)?;
    mixer.notes.iter().for_each(|note| cx.diagnose(format!("{path}: {note}")));
    let snapshot = find_snapshot(&mixer, &path, &input.snapshot_name)?;
    let groups: Vec<GroupValues> =
        mixer.groups.iter().map(|group| group_values(snapshot, group)).collect();
    let effects = groups.iter().flat_map(|group| &group.effects);
    let unknown =
        effects.flat_map(|effect| &effect.parameters).filter(|p| p.value.is_none()).count();
    if unknown > 0 {
        cx.diagnose(format!(
            "{unknown} effect parameters have no value in the snapshot; they have their effect's default, which is not in the file"
        ));
    }
    Ok(Output {
        success: true,
        mixer_path: path,
        snapshot_name: snapshot.name.clone(),
        parameters: exposed(cx, &mixer, snapshot),
        groups,
    })
}

fn find_mixer(cx: &Cx, project: &Project, input: &Input) -> Result<(String, Mixer), ToolError> {
    let hint = "audio_mixer_list shows the mixers";
    let missing = |what: String| ToolError::new(ErrorKind::EngineError, what).hint(hint);
    let no_mixer = |path: &str| {
        missing(format!("AudioMixer at path '{path}' not found or is not an AudioMixer asset"))
    };
    let (path, name) = match (&input.mixer_path, &input.mixer_guid) {
        (Some(path), _) => {
            let outside =
                "AudioMixer path must be in Assets/ folder. Package assets are not supported.";
            let file =
                paths::find(cx, project, path, outside, "").map_err(|error| match error.kind {
                    ErrorKind::EngineError => no_mixer(path),
                    _ => error,
                })?;
            (file.path, file.name)
        }
        (None, Some(text)) => {
            let unknown = || missing(format!("AudioMixer with GUID '{text}' not found"));
            let guid = Guid::parse(text.trim()).ok_or_else(unknown)?;
            let files = files::imported(cx, project, &OWN, &[".mixer"])?;
            let file =
                files.into_iter().find(|file| files::guid_of(project, &file.path) == Some(guid));
            let file = file.ok_or_else(unknown)?;
            (file.path, file.name)
        }
        (None, None) => {
            let message = "Either 'mixerPath' or 'mixerGuid' must be provided";
            return Err(ToolError::new(ErrorKind::BadArguments, message).hint(hint));
        }
    };
    let mixer = read_mixer(project, &path).map_err(|why| no_mixer(&name).detail("reason", why))?;
    Ok((name, mixer))
}

fn find_snapshot<'m>(mixer: &'m Mixer, path: &str, name: &str) -> Result<&'m Snapshot, ToolError> {
    mixer.snapshots.iter().find(|snapshot| snapshot.name == name).ok_or_else(|| {
        let names: Vec<&str> = mixer.snapshots.iter().map(|s| s.name.as_str()).collect();
        let otherwise = format!("it has {}", names.join(", "));
        ToolError::new(
            ErrorKind::EngineError,
            format!("Snapshot '{name}' not found in mixer '{path}'"),
        )
        .hint(suggest::did_you_mean(name, names.iter().copied(), &otherwise))
    })
}

fn exposed(cx: &Cx, mixer: &Mixer, snapshot: &Snapshot) -> Vec<Parameter> {
    let mut parameters: Vec<Parameter> = mixer
        .exposed
        .iter()
        .map(|exposed| {
            let owner = mixer.owner(exposed.guid);
            let level = match &owner {
                Some(owner) => snapshot.level_of(owner, exposed.guid),
                None => snapshot.effect_level(exposed.guid),
            };
            let published =
                format!("Parameter '{}' exists but value not found in snapshot", exposed.name);
            match level {
                Level::Stored(_) => {}
                Level::Default(value) => {
                    cx.diagnose(format!("{published}; the default, {value}, counts"));
                }
                Level::EffectDefault => cx.diagnose(published),
            }
            if owner.is_none() {
                cx.diagnose(format!("Parameter '{}' belongs to no group or effect", exposed.name));
            }
            let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
            Parameter {
                name: exposed.name.clone(),
                value: level.value(),
                group: owner.map_or("Unknown", |owner| &owner.group.name).to_owned(),
                group_path: text(owner.map(|owner| owner.group.path.as_str())),
                target: owner.as_ref().map(target).unwrap_or_default(),
                stored: level.is_stored(),
            }
        })
        .collect();
    parameters.sort_by(|a, b| (&a.group, &a.name).cmp(&(&b.group, &b.name)));
    parameters
}

fn target(owner: &audio::Owner<'_>) -> String {
    match owner.effect {
        Some(effect) => format!("{}: {}", effect.name, owner.parameter),
        None => owner.parameter.to_owned(),
    }
}

fn group_values(snapshot: &Snapshot, group: &audio::Group) -> GroupValues {
    let (volume, pitch) = (snapshot.volume(group), snapshot.pitch(group));
    let defaults = [("volume", volume), ("pitch", pitch)];
    let defaults = defaults.into_iter().filter(|(_, level)| !level.is_stored());
    GroupValues {
        name: group.name.clone(),
        path: group.path.clone(),
        volume: volume.value().unwrap_or_default(),
        pitch: pitch.value().unwrap_or_default(),
        defaults: defaults.map(|(name, _)| name).collect(),
        mute: group.mute,
        solo: group.solo,
        bypass_effects: group.bypass_effects,
        effects: group.effects.iter().map(|effect| effect_values(snapshot, effect)).collect(),
    }
}

fn effect_values(snapshot: &Snapshot, effect: &audio::Effect) -> EffectValues {
    let parameters = effect.parameters.iter().map(|(name, guid)| {
        let level = snapshot.effect_level(*guid);
        EffectValue { name: name.clone(), value: level.value(), stored: level.is_stored() }
    });
    EffectValues {
        name: effect.name.clone(),
        bypass: effect.bypass,
        parameters: parameters.collect(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample};

    const MIXER: &str = "Assets/Audio/MainMixer.mixer";

    fn message(arguments: Value) -> String {
        call_sample(super::TOOL.id, arguments).unwrap_err().message
    }

    #[test]
    fn a_guid_finds_the_mixer_too() {
        let arguments =
            json!({ "mixerGuid": "b1b6347efca90af164c64d73dded02d6", "snapshotName": "Default" });
        let outcome = call_sample(super::TOOL.id, arguments).unwrap();
        assert_eq!(outcome.output["mixerPath"], MIXER);
        assert_eq!(outcome.output["parameters"][0]["value"], -6.5);
        let footsteps = &outcome.output["groups"][3];
        assert_eq!(
            (&footsteps["path"], &footsteps["volume"]),
            (&json!("Master/SFX/Footsteps"), &json!(-9.8))
        );
        assert!(outcome.diagnostics.is_empty(), "{:?}", outcome.diagnostics);
    }

    #[test]
    fn errors_say_what_is_missing() {
        assert_eq!(
            message(json!({ "snapshotName": "Default" })),
            "Either 'mixerPath' or 'mixerGuid' must be provided"
        );
        assert_eq!(
            message(json!({ "mixerPath": MIXER, "snapshotName": "Loud" })),
            "Snapshot 'Loud' not found in mixer 'Assets/Audio/MainMixer.mixer'"
        );
        for path in ["Assets/Nope.mixer", "Assets/Scenes/Main.unity", "Assets/Audio"] {
            assert_eq!(
                message(json!({ "mixerPath": path, "snapshotName": "Default" })),
                format!("AudioMixer at path '{path}' not found or is not an AudioMixer asset")
            );
        }
        assert_eq!(
            message(json!({ "mixerGuid": "12", "snapshotName": "Default" })),
            "AudioMixer with GUID '12' not found"
        );
        assert_eq!(
            message(json!({ "mixerPath": MIXER, "snapshotName": "" })),
            "'snapshotName' is required"
        );
    }

    #[test]
    fn values_that_are_not_there_are_told_apart() {
        let project = "//- Assets/a.mixer
--- !u!241 &1
AudioMixerController:
  m_MasterGroup: {fileID: 2}
  m_Snapshots:
  - {fileID: 4}
  m_ExposedParameters:
  - guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    name: Loudness
  - guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
    name: Drive
  - guid: cccccccccccccccccccccccccccccccc
    name: Ghost
--- !u!243 &2
AudioMixerGroupController:
  m_Name: Master
  m_Volume: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
  m_Effects:
  - {fileID: 3}
--- !u!244 &3
AudioMixerEffectController:
  m_EffectName: Distortion
  m_Parameters:
  - m_ParameterName: Level
    m_GUID: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
--- !u!245 &4
AudioMixerSnapshotController:
  m_Name: S
  m_FloatValues: {}
";
        let arguments = json!({ "mixerPath": "Assets/a.mixer", "snapshotName": "S" });
        let outcome = call_project(project, super::TOOL.id, arguments).unwrap();
        assert_eq!(
            outcome.output["parameters"],
            json!([
                { "name": "Drive", "group": "Master", "groupPath": "Master", "target": "Distortion: Level", "stored": false },
                { "name": "Loudness", "value": 0.0, "group": "Master", "groupPath": "Master", "target": "Volume", "stored": false },
                { "name": "Ghost", "group": "Unknown", "groupPath": "", "target": "", "stored": false },
            ])
        );
        assert_eq!(
            outcome.diagnostics,
            [
                "1 effect parameters have no value in the snapshot; they have their effect's default, which is not in the file",
                "Parameter 'Loudness' exists but value not found in snapshot; the default, 0, counts",
                "Parameter 'Drive' exists but value not found in snapshot",
                "Parameter 'Ghost' exists but value not found in snapshot",
                "Parameter 'Ghost' belongs to no group or effect",
            ]
        );
    }
}
