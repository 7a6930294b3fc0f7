//! The tool `audio.mixer.validateRouting`: Validate Audio Routing.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Tier, ToolError, suggest};
use scenewright_toolkit::{Cx, Example, Project, TimeGuard, Tool, call, paths, schema};
use scenewright_unity::audio::Mixer;
use scenewright_unity::hierarchy::Component;
use scenewright_unity::index::{Asset, AssetId, AssetKind, Flags, RootKind};
use scenewright_unity::{Guid, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AUDIO_SOURCE, OUTPUT, read_mixer};
use crate::base::files::{self, OWN};
use crate::base::objects::Unseen;
use crate::base::{self, InUnity, Unity};

/// How many orphans are listed.
const MAX_ORPHANS: usize = 1000;
/// Mixers play into mixers, but not over this many.
const MAX_MIXERS: usize = 16;

pub(crate) const TOOL: Tool = Tool {
    id: "audio.mixer.validateRouting",
    keywords: "audio sources without mixer group output unrouted sound not routed silent no",
    title: "Validate Audio Routing",
    notes: Some(
        "Reads every scene and prefab of the project, not only loaded scenes. A source of a prefab counts in the prefab and in every file that has an instance of it, with the overrides there. Routing that scripts do at run time is not seen.",
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
/// of its groups. Prefabs are expanded with their overrides, and mixers that play into this one count.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
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
    let project = base::project(cx, input.project.as_deref())?;
    files::unity(project, "Audio mixers")?;
    let routes = Routes::new(cx, project, &input)?;
    let unity = cx.unity(input.project.as_deref())?;
    let files = sounding(&unity);
    let mut scan = Scan::new(&unity, &routes);
    let guard = cx.time_guard();
    for (done, file) in files.iter().enumerate() {
        cx.check_cancelled()?;
        if guard.expired() {
            guard.report(cx, done, Some(files.len()));
            break;
        }
        scan.file(cx, *file, &guard);
    }
    scan.report(cx);
    Ok(Output {
        success: true,
        valid_count: scan.valid,
        invalid_count: scan.invalid,
        orphans: scan.orphans,
    })
}

/// The scenes and prefabs with an audio source, in themselves or in a prefab that they use.
fn sounding<'u>(unity: &'u Unity<'_>) -> Vec<Asset<'u>> {
    let is_own = |asset: &Asset<'_>| {
        matches!(asset.kind(), AssetKind::Scene | AssetKind::Prefab)
            && matches!(asset.root().kind, RootKind::Assets | RootKind::Embedded)
    };
    let mut found: BTreeMap<AssetId, Asset<'u>> = BTreeMap::new();
    let mut open: Vec<Asset<'u>> = unity.index.with_class(AUDIO_SOURCE).collect();
    // What cannot be read may have some, and is to be named.
    open.extend(unity.index.assets().filter(|asset| is_own(asset) && asset.objects().len() == 0));
    while let Some(asset) = open.pop() {
        if found.insert(asset.id(), asset).is_none()
            && let Some(guid) = asset.guid()
        {
            open.extend(unity.index.incoming(guid).filter(is_own));
        }
    }
    found.into_values().filter(is_own).collect()
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
        let file = paths::find(cx, project, &input.mixer_path, outside, "Mixer not found")
            .map_err(|error| match error.kind {
                ErrorKind::EngineError => missing("there is no such file"),
                _ => error,
            })?;
        let mut mixers = HashMap::new();
        for other in files::imported(cx, project, &OWN, &[".mixer"])? {
            if let (Some(guid), Ok(mixer)) =
                (files::guid_of(project, &other.path), read_mixer(project, &other.path))
            {
                mixers.insert(guid, (other.name, mixer));
            }
        }
        let wanted = files::guid_of(project, &file.path).ok_or_else(|| {
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
    unity: &'a Unity<'a>,
    routes: &'a Routes,
    valid: usize,
    invalid: usize,
    orphans: Vec<Orphan>,
    unreadable: Vec<String>,
    unseen: Unseen,
}

impl<'a> Scan<'a> {
    fn new(unity: &'a Unity<'a>, routes: &'a Routes) -> Self {
        let (orphans, unreadable, unseen) = Default::default();
        Self { unity, routes, valid: 0, invalid: 0, orphans, unreadable, unseen }
    }

    fn file(&mut self, cx: &Cx, file: Asset<'_>, guard: &TimeGuard) {
        let path = file.path();
        if file.flags().contains(Flags::CONFLICT) {
            cx.diagnose(format!("{path} has merge conflicts; both sides are counted"));
        }
        let hierarchy = match self.unity.expand(file) {
            Ok(hierarchy) => hierarchy,
            Err(why) => return self.unreadable.push(why),
        };
        let mut nodes = hierarchy.objects();
        while let Some(node) = nodes.next() {
            if guard.expired() || cx.cancel().is_cancelled() {
                return;
            }
            self.unseen.note(&node, || format!("{path}: {}", nodes.path()));
            for component in node.components() {
                if component.class_id() == AUDIO_SOURCE {
                    self.judge(&path, &component, &mut || nodes.path());
                }
            }
        }
    }

    fn judge(&mut self, file: &str, source: &Component<'_>, path: &mut dyn FnMut() -> String) {
        let output = source.value(OUTPUT);
        let group = output.as_ref().and_then(|output| output.reference());
        let group = group.filter(|group| !group.is_null());
        let actual = match group.map(|output| self.routes.follow(output)) {
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
            let is_changed = output.is_some_and(|output| output.overridden_by.is_some());
            let kind = if is_changed { " (override)" } else { "" };
            self.orphans.push(Orphan {
                source: format!("{file}: {}{kind}", path()),
                expected_group: self.routes.expected_text.clone(),
                actual,
            });
        }
    }

    fn report(&self, cx: &Cx) {
        base::report_unreadable(cx, &self.unreadable);
        self.unseen.report(cx);
        if self.invalid > self.orphans.len() {
            cx.diagnose(format!("the first {MAX_ORPHANS} of {} are listed", self.invalid));
        }
    }
}

#[cfg(test)]
mod tests {
    use scenewright_contract::Outcome;
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample};

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
%YAML 1.1
--- !u!1 &1
GameObject:
  m_Component:
  - component: {fileID: 4}
  - component: {fileID: 82}
  m_Name: Bell
--- !u!4 &4
Transform:
  m_GameObject: {fileID: 1}
  m_Father: {fileID: 0}
--- !u!82 &82
AudioSource:
  m_GameObject: {fileID: 1}
  OutputAudioMixerGroup: {fileID: 2, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 2}
//- Assets/Bell.prefab.meta
guid: cccccccccccccccccccccccccccccccc
//- Assets/Tower.prefab
%YAML 1.1
--- !u!1001 &700
PrefabInstance:
  m_Modification:
    m_TransformParent: {fileID: 0}
    m_Modifications: []
  m_SourcePrefab: {fileID: 100100000, guid: cccccccccccccccccccccccccccccccc, type: 3}
//- Assets/Tower.prefab.meta
guid: ffffffffffffffffffffffffffffffff
";

    fn check(scene: &str, mixer: &str) -> Outcome {
        let project = format!("{PROJECT}//- Assets/S.unity\n{scene}");
        call_project(&project, super::TOOL.id, json!({ "mixerPath": mixer })).unwrap()
    }

    /// An instance of a prefab with an override of an object in it.
    fn instance(prefab: char, target: i64, output: &str) -> String {
        let guid = prefab.to_string().repeat(32);
        format!(
            "%YAML 1.1\n--- !u!1001 &9\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: 0}}\n    m_Modifications:\n    - target: {{fileID: {target}, guid: {guid}, type: 3}}\n      propertyPath: OutputAudioMixerGroup\n      value: \n      objectReference: {output}\n  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}\n"
        )
    }

    fn source(output: &str) -> String {
        format!(
            "%YAML 1.1\n--- !u!1 &1\nGameObject:\n  m_Component:\n  - component: {{fileID: 2}}\n  m_Name: Horn\n--- !u!82 &2\nAudioSource:\n  m_GameObject: {{fileID: 1}}\n  OutputAudioMixerGroup: {output}\n"
        )
    }

    fn orphan(outcome: &Outcome) -> (&Value, &Value) {
        let orphan = &outcome.output["orphans"][0];
        (&orphan["source"], &orphan["actual"])
    }

    fn counts(outcome: &Outcome) -> (Option<u64>, Option<u64>) {
        let count = |key: &str| outcome.output[key].as_u64();
        (count("validCount"), count("invalidCount"))
    }

    #[test]
    fn a_mixer_that_plays_into_this_one_is_right() {
        let scene = "%YAML 1.1\n--- !u!29 &1\nOcclusionCullingSettings:\n";
        let outcome = check(scene, "Assets/A.mixer");
        assert_eq!(counts(&outcome), (Some(2), Some(0)));
        assert_eq!(outcome.diagnostics, [] as [&str; 0]);
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
    fn sources_of_prefabs_count_with_their_overrides() {
        let nowhere = "{fileID: 0}";
        let group = "{fileID: 2, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 2}";
        let orphan = |outcome: &Outcome| {
            let orphan = &outcome.output["orphans"][0];
            (counts(outcome), orphan["source"].clone(), orphan["actual"].clone())
        };
        let outcome = check(&instance('c', 82, nowhere), "Assets/A.mixer");
        let bell = json!("Assets/S.unity: Bell (override)");
        assert_eq!(orphan(&outcome), ((Some(2), Some(1)), bell.clone(), Value::Null));
        // A prefab in a prefab: the id of its audio source is made of both.
        let outcome = check(&instance('f', 700 ^ 82, nowhere), "Assets/A.mixer");
        assert_eq!(orphan(&outcome), ((Some(2), Some(1)), bell, Value::Null));
        // The override sends it to A, away from B, where the prefabs send it.
        let outcome = check(&instance('c', 82, group), "Assets/B.mixer");
        let elsewhere = json!("Assets/A.mixer: Main");
        let source = json!("Assets/S.unity: Bell (override)");
        assert_eq!(orphan(&outcome), ((Some(2), Some(1)), source, elsewhere));
        // An override of something else, or of nothing, changes nothing.
        for target in [4, 5] {
            let outcome = check(&instance('c', target, nowhere), "Assets/A.mixer");
            assert_eq!(counts(&outcome), (Some(3), Some(0)));
        }
    }

    #[test]
    fn files_that_cannot_be_read_are_named() {
        let outcome =
            check("version https://git-lfs.github.com/spec/v1\nsize 7\n", "Assets/A.mixer");
        assert_eq!(counts(&outcome), (Some(2), Some(0)));
        let why = "Assets/S.unity cannot be expanded: its content is LfsPointer";
        assert_eq!(outcome.diagnostics, [why]);
        let gone = check(&instance('e', 82, "{fileID: 0}"), "Assets/A.mixer");
        assert_eq!(counts(&gone), (Some(2), Some(0)));
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
