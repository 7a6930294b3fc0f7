use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Tier, ToolError, suggest};
use scenewright_unity::audio::{self, Mixer, Origin, Prefabs, Source};
use scenewright_unity::{Document, Guid, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read_mixer;
use crate::unity_files::{self, Imported, OWN};
use crate::{Cx, Example, Project, Tool, call, paths, schema};

/// How many orphans are listed.
const MAX_ORPHANS: usize = 1000;
/// Mixers play into mixers, but not over this many.
const MAX_MIXERS: usize = 16;

pub(crate) const TOOL: Tool = Tool {
    id: "audio.mixer.validateRouting",
    argument_aliases: &[("projectPath", "project"), ("project_path", "project")],
    title: "Validate Audio Routing",
    notes: Some(
        "Reads every scene and prefab of the project, not only loaded scenes. Routing that scripts do at run time is not seen.",
    ),
    category: "audio",
    tier: Tier::Tier3,
    limits: Limits {
        time_guard: Some(Duration::from_secs(20)),
        max_items: Some(MAX_ORPHANS),
        ..Limits::DEFAULT
    },
    examples: &[
        Example {
            description: "Check that every audio source of the Unity sample goes to the mixer",
            input: r#"{ "project": "unity", "mixerPath": "Assets/Audio/MainMixer.mixer" }"#,
            output: r#"{ "success": true, "validCount": 1, "invalidCount": 0, "orphans": [] }"#,
            varies: &[],
        },
        Example {
            description: "Find the audio sources that do not go to the music",
            input: r#"{ "project": "unity", "mixerPath": "Assets/Audio/MainMixer.mixer", "groups": ["Music"] }"#,
            output: r#"{
                "success": true,
                "validCount": 0,
                "invalidCount": 1,
                "orphans": [{
                    "source": "Assets/Scenes/Cellar.unity: Drip Sound",
                    "expectedGroup": "Music",
                    "actual": "Master/SFX"
                }]
            }"#,
            varies: &[],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Check that the audio sources of all scenes and prefabs play into an audio mixer, or into some
/// of its groups. Also follows prefab overrides, and mixers that play into this one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first open one by default.
    project: Option<String>,
    /// The mixer, such as `Assets/Audio/Main.mixer`.
    mixer_path: String,
    /// Groups that are right, by name or by path such as `Master/SFX`; any group of the mixer by
    /// default.
    #[serde(default)]
    groups: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Audio sources that go where they should.
    valid_count: usize,
    /// Audio sources that do not.
    invalid_count: usize,
    /// Those that do not, by file.
    orphans: Vec<Orphan>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Orphan {
    /// The file, and the object in it.
    source: String,
    /// Where it should go.
    expected_group: String,
    /// Where it goes: a group of this mixer, `file: group` of another, or null for none.
    actual: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.workspace().find(input.project.as_deref())?;
    unity_files::unity(project, "Audio mixers")?;
    let routes = Routes::new(cx, project, &input)?;
    let files = unity_files::imported(cx, project, &OWN, &[".unity", ".prefab"])?;
    let mut scan = Scan::new(&routes, &files);
    let guard = cx.time_guard();
    for (done, file) in files.iter().enumerate() {
        cx.check_cancelled()?;
        if guard.expired() {
            guard.report(cx, done, Some(files.len()));
            break;
        }
        scan.file(cx, file);
    }
    scan.report(cx);
    Ok(Output {
        success: true,
        valid_count: scan.valid,
        invalid_count: scan.invalid,
        orphans: scan.orphans,
    })
}

/// The mixers of the project and what is asked of one of them.
struct Routes {
    mixers: HashMap<Guid, (String, Mixer)>,
    wanted: Guid,
    /// Paths of the groups that are right; empty for all.
    expected: Vec<String>,
    expected_text: String,
}

impl Routes {
    fn new(cx: &Cx, project: &Project, input: &Input) -> Result<Self, ToolError> {
        let missing = |why: &str| {
            ToolError::new(ErrorKind::EngineError, "Mixer not found")
                .hint("audio_mixer_list shows the mixers")
                .detail("mixerPath", input.mixer_path.as_str())
                .detail("reason", why)
        };
        let outside = "Mixer path must be under Assets/";
        let file = paths::find(project, &input.mixer_path, outside, "Mixer not found").map_err(
            |error| match error.kind {
                ErrorKind::EngineError => missing("there is no such file"),
                _ => error,
            },
        )?;
        let mut mixers = HashMap::new();
        for other in unity_files::imported(cx, project, &OWN, &[".mixer"])? {
            if let (Some(guid), Ok(mixer)) =
                (unity_files::guid_of(&other.path), read_mixer(&other.path))
            {
                mixers.insert(guid, (other.name, mixer));
            }
        }
        let wanted = unity_files::guid_of(&file.path).ok_or_else(|| {
            missing("it has no meta with a guid, so that nothing can refer to it")
        })?;
        let Some((_, mixer)) = mixers.get(&wanted) else {
            return Err(missing("the file holds no mixer that can be read"));
        };
        let expected = expected_groups(mixer, &input.groups)?;
        let expected_text = match input.groups.len() {
            0 => format!("any group of {}", mixer.name),
            _ => input.groups.join(" or "),
        };
        Ok(Self { mixers, wanted, expected, expected_text })
    }

    /// Where a routing ends: the path of a group of the wanted mixer, or words for another place.
    fn follow(&self, mut output: Reference) -> Result<&str, String> {
        let mut first = None;
        for _ in 0..MAX_MIXERS {
            let Some(guid) = output.guid else { break };
            let Some((path, mixer)) = self.mixers.get(&guid) else {
                return Err(first.unwrap_or_else(|| format!("missing mixer {guid}")));
            };
            let Some(group) = mixer.group(output.file_id) else {
                let missing = format!("{path}: missing group {}", output.file_id);
                return Err(first.unwrap_or(missing));
            };
            if guid == self.wanted {
                return Ok(&group.path);
            }
            first.get_or_insert_with(|| format!("{path}: {}", group.path));
            let Some(next) = mixer.output else { break };
            output = next;
        }
        Err(first.unwrap_or_else(|| format!("missing group {}", output.file_id)))
    }
}

fn expected_groups(mixer: &Mixer, names: &[String]) -> Result<Vec<String>, ToolError> {
    let mut expected = Vec::new();
    for name in names {
        let before = expected.len();
        let named = mixer.groups.iter().filter(|group| group.name == *name || group.path == *name);
        expected.extend(named.map(|group| group.path.clone()));
        if expected.len() == before {
            let known: Vec<&str> = mixer.groups.iter().map(|group| group.path.as_str()).collect();
            let otherwise = format!("{} has {}", mixer.name, known.join(", "));
            let all = mixer.groups.iter().flat_map(|group| [&*group.name, &*group.path]);
            return Err(ToolError::bad_argument("groups", &format!("names no group: {name}"))
                .hint(suggest::did_you_mean(name, all, &otherwise)));
        }
    }
    Ok(expected)
}

struct Scan<'a> {
    routes: &'a Routes,
    prefabs: PrefabFiles,
    valid: usize,
    invalid: usize,
    orphans: Vec<Orphan>,
    /// Audio sources in prefabs, which their instances repeat.
    in_prefabs: usize,
    undecided: usize,
    stale: usize,
}

impl<'a> Scan<'a> {
    fn new(routes: &'a Routes, files: &[Imported]) -> Self {
        let paths = files.iter().filter(|file| file.name.ends_with(".prefab"));
        let paths = paths.map(|file| file.path.clone()).collect();
        Self {
            routes,
            prefabs: PrefabFiles { paths, by_guid: None, read: HashMap::new() },
            valid: 0,
            invalid: 0,
            orphans: Vec::new(),
            in_prefabs: 0,
            undecided: 0,
            stale: 0,
        }
    }

    fn file(&mut self, cx: &Cx, file: &Imported) {
        let bytes = match std::fs::read(&file.path) {
            Ok(bytes) => bytes,
            Err(error) => return cx.diagnose(format!("{} cannot be read: {error}", file.name)),
        };
        if !audio::may_route(&bytes) {
            return;
        }
        let document = Document::parse(bytes);
        if !document.conflicts().is_empty() {
            cx.diagnose(format!("{} has merge conflicts; both sides are counted", file.name));
        }
        for source in audio::sources(&document) {
            match source.origin {
                Origin::Component => {
                    self.in_prefabs += usize::from(file.name.ends_with(".prefab"));
                    self.judge(&file.name, source);
                }
                Origin::Override { target } => {
                    match audio::is_audio_source(&mut self.prefabs, target) {
                        Some(true) => self.judge(&file.name, source),
                        Some(false) => self.stale += 1,
                        None => self.undecided += 1,
                    }
                }
            }
        }
    }

    fn judge(&mut self, file: &str, source: Source) {
        let actual = match source.output.map(|output| self.routes.follow(output)) {
            Some(Ok(group)) => {
                let expected = &self.routes.expected;
                if expected.is_empty() || expected.iter().any(|path| path == group) {
                    self.valid += 1;
                    return;
                }
                Some(group.to_owned())
            }
            Some(Err(elsewhere)) => Some(elsewhere),
            None => None,
        };
        self.invalid += 1;
        if self.orphans.len() < MAX_ORPHANS {
            let kind = if source.origin == Origin::Component { "" } else { " (override)" };
            self.orphans.push(Orphan {
                source: format!("{file}: {}{kind}", source.path),
                expected_group: self.routes.expected_text.clone(),
                actual,
            });
        }
    }

    fn report(&self, cx: &Cx) {
        if self.in_prefabs > 0 {
            cx.diagnose(format!(
                "{} audio sources are in prefabs and count once each: an instance without an override goes where its prefab goes",
                self.in_prefabs
            ));
        }
        if self.undecided > 0 {
            cx.diagnose(format!(
                "{} overrides of a routing are not decidable and not counted: their prefab is not in the project or cannot be read",
                self.undecided
            ));
        }
        if self.stale > 0 {
            cx.diagnose(format!(
                "{} overrides of a routing point to no audio source and are not counted; Unity keeps such leftovers silently",
                self.stale
            ));
        }
        if self.invalid > self.orphans.len() {
            cx.diagnose(format!("the first {MAX_ORPHANS} of {} are listed", self.invalid));
        }
    }
}

/// The prefabs of the project, read when an override asks for one.
struct PrefabFiles {
    paths: Vec<PathBuf>,
    by_guid: Option<HashMap<Guid, PathBuf>>,
    read: HashMap<Guid, Option<Rc<Document>>>,
}

impl Prefabs for PrefabFiles {
    fn prefab(&mut self, guid: Guid) -> Option<Rc<Document>> {
        let paths = &self.paths;
        let by_guid = self.by_guid.get_or_insert_with(|| {
            let guids = paths.iter().map(|path| (unity_files::guid_of(path), path.clone()));
            guids.filter_map(|(guid, path)| Some((guid?, path))).collect()
        });
        let read = self.read.entry(guid).or_insert_with(|| {
            let document = Document::parse(std::fs::read(by_guid.get(&guid)?).ok()?);
            document.object_at(0).is_some().then(|| Rc::new(document))
        });
        read.clone()
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{call_project, call_sample};
    use scenewright_contract::Outcome;
    use serde_json::{Value, json};

    /// Two mixers, of which B plays into A; a prefab with an audio source that goes to B.
    const PROJECT: &str = "//- Assets/A.mixer
--- !u!241 &1
AudioMixerController:
  m_Name: A
  m_MasterGroup: {fileID: 2}
--- !u!243 &2
AudioMixerGroupController:
  m_Name: Main
//- Assets/A.mixer.meta
guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
//- Assets/B.mixer
--- !u!241 &1
AudioMixerController:
  m_Name: B
  m_MasterGroup: {fileID: 2}
  m_OutputGroup: {fileID: 2, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 2}
--- !u!243 &2
AudioMixerGroupController:
  m_Name: Side
//- Assets/B.mixer.meta
guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
//- Assets/Bell.prefab
--- !u!1 &1
GameObject:
  m_Name: Bell
--- !u!82 &82
AudioSource:
  m_GameObject: {fileID: 1}
  OutputAudioMixerGroup: {fileID: 2, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 2}
//- Assets/Bell.prefab.meta
guid: cccccccccccccccccccccccccccccccc
";

    fn check(scene: &str, mixer: &str) -> Outcome {
        let project = format!("{PROJECT}//- Assets/S.unity\n{scene}");
        call_project(&project, super::TOOL.id, json!({ "mixerPath": mixer })).unwrap()
    }

    fn instance(target: &str, output: &str) -> String {
        format!(
            "--- !u!1001 &9\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n    - target: {target}\n      propertyPath: OutputAudioMixerGroup\n      value: \n      objectReference: {output}\n"
        )
    }

    fn source(output: &str) -> String {
        format!(
            "--- !u!1 &1\nGameObject:\n  m_Name: Horn\n--- !u!82 &2\nAudioSource:\n  m_GameObject: {{fileID: 1}}\n  OutputAudioMixerGroup: {output}\n"
        )
    }

    fn orphan(outcome: &Outcome) -> (&Value, &Value) {
        let orphan = &outcome.output["orphans"][0];
        (&orphan["source"], &orphan["actual"])
    }

    #[test]
    fn a_mixer_that_plays_into_this_one_is_right() {
        let outcome = check("", "Assets/A.mixer");
        assert_eq!(
            (&outcome.output["validCount"], &outcome.output["invalidCount"]),
            (&json!(1), &json!(0))
        );
        assert_eq!(
            outcome.diagnostics,
            [
                "1 audio sources are in prefabs and count once each: an instance without an override goes where its prefab goes"
            ]
        );
    }

    #[test]
    fn every_way_to_be_elsewhere_has_words() {
        let a = "{fileID: 2, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 2}";
        let gone = "{fileID: 2, guid: dddddddddddddddddddddddddddddddd, type: 2}";
        let group = "{fileID: 7, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 2}";
        for (output, actual) in [
            ("{fileID: 0}", Value::Null),
            (a, "Assets/A.mixer: Main".into()),
            (gone, "missing mixer dddddddddddddddddddddddddddddddd".into()),
            (group, "Assets/B.mixer: missing group 7".into()),
        ] {
            let outcome = check(&source(output), "Assets/B.mixer");
            assert_eq!(orphan(&outcome), (&json!("Assets/S.unity: Horn"), &actual));
            assert_eq!(outcome.output["orphans"][0]["expectedGroup"], "any group of B");
        }
    }

    #[test]
    fn overrides_count_when_they_mean_an_audio_source() {
        let [bell, transform, gone] = [
            "{fileID: 82, guid: cccccccccccccccccccccccccccccccc, type: 3}",
            "{fileID: 4, guid: cccccccccccccccccccccccccccccccc, type: 3}",
            "{fileID: 82, guid: eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee, type: 3}",
        ];
        let outcome = check(&instance(bell, "{fileID: 0}"), "Assets/A.mixer");
        assert_eq!(
            orphan(&outcome),
            (&json!("Assets/S.unity: instance 9 (override)"), &Value::Null)
        );
        for (target, text) in [
            (transform, "1 overrides of a routing point to no audio source"),
            (gone, "1 overrides of a routing are not decidable"),
        ] {
            let outcome = check(&instance(target, "{fileID: 0}"), "Assets/A.mixer");
            assert_eq!(outcome.output["invalidCount"], 0);
            assert!(outcome.diagnostics[1].starts_with(text), "{:?}", outcome.diagnostics);
        }
    }

    #[test]
    fn errors_name_the_mixer_and_the_groups() {
        let error = |arguments| call_sample(super::TOOL.id, arguments).unwrap_err();
        assert_eq!(error(json!({ "mixerPath": "Assets/No.mixer" })).message, "Mixer not found");
        assert_eq!(
            error(json!({ "mixerPath": "Assets/Scenes/Main.unity" })).message,
            "Mixer not found"
        );
        let error =
            error(json!({ "mixerPath": "Assets/Audio/MainMixer.mixer", "groups": ["Musik"] }));
        assert_eq!(error.message, "Invalid tool arguments: groups names no group: Musik");
        assert_eq!(error.hint.as_deref(), Some("did you mean Music?"));
        let bare = call_project(
            "//- Assets/A.mixer\n--- !u!241 &1\nAudioMixerController:\n",
            super::TOOL.id,
            json!({ "mixerPath": "Assets/A.mixer" }),
        );
        assert_eq!(bare.unwrap_err().message, "Mixer not found");
    }
}
