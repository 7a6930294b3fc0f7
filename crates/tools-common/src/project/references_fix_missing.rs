//! The tool `project.references.fixMissing`: Fix Missing Scripts.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use scenewright_contract::{ErrorKind, JsonMap, Limits, Safety, Tier, ToolError};
use scenewright_text::{Edits, counted};
use scenewright_toolkit::door::{self, FileChange, Plan, ProjectPath, UndoId};
use scenewright_toolkit::{Cx, Example, Tool, call, files, schema};
use scenewright_tools_unity::base::{InUnity, Unity};
use scenewright_unity::edit::{Manner, New, set};
use scenewright_unity::index::{AssetKind, Target};
use scenewright_unity::judge::{Judge, ScriptGrade};
use scenewright_unity::script::ClassIdentifier;
use scenewright_unity::{ClassId, Document, FileId, Guid, Object, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A script in a source.
const SCRIPT: FileId = FileId(11_500_000);

pub(crate) const TOOL: Tool = Tool {
    id: "project.references.fixMissing",
    keywords: "repair missing scripts mono script could not be loaded lost meta guid changed component broken behaviour relink restore associated",
    engine: Some("unity"),
    title: "Fix Missing Scripts",
    notes: Some(
        "A script is found again by the class that Unity noted in the object, by the name of its file that is gone, or by your map. What is not certain stays as it is.",
    ),
    category: "project",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    examples: &[Example {
        description: "See which scripts of the Unity sample's scenes are missing",
        input: r#"{ "project": "unity" }"#,
        output: r#"{
            "success": true,
            "missingCount": 0,
            "fixedCount": 0,
            "unresolved": 0,
            "changes": [],
            "unresolvedGuids": [],
            "dryRun": true,
            "filesChanged": 0
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Lead components whose script is missing to the script that they mean, in scenes and prefabs. Only
/// reported unless `dryRun` is false.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Globs of scenes and prefabs, such as `Assets/Scenes/*`; without any, all that have a missing script.
    #[serde(default)]
    scenes: Vec<String>,
    /// Scripts for guids that nothing has any more: guid to path, such as
    /// `{ "0f1e…": "Assets/Scripts/Door.cs" }`.
    #[serde(default)]
    map: JsonMap,
    /// Only report.
    #[serde(default = "yes")]
    dry_run: bool,
    /// How many files may match.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 20))]
    max_scenes: usize,
}

fn yes() -> bool {
    true
}

fn most() -> usize {
    20
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How many components have a script that is missing for certain.
    missing_count: usize,
    /// How many were led to a script, or would be.
    fixed_count: usize,
    /// How many stay as they are.
    unresolved: usize,
    /// The files that changed.
    changes: Vec<Change>,
    /// The guids of scripts that were not found again.
    unresolved_guids: Vec<String>,
    /// Whether this was only tried.
    dry_run: bool,
    /// How many files changed.
    files_changed: usize,
    /// Pass this to project_undoLast to take it back; absent when nothing was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    undo: Option<UndoId>,
}

#[derive(Serialize, JsonSchema)]
struct Change {
    /// The scene or prefab.
    scene: String,
    /// How many of its components were led to a script.
    fixed: usize,
    #[serde(flatten)]
    file: FileChange,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let map = scripts(&unity, &input.map)?;
    let mut repair = Repair {
        unity: &unity,
        judge: Judge::new(&unity.index),
        map,
        missing: 0,
        lost: BTreeMap::new(),
    };
    let paths = match input.scenes.is_empty() {
        true => repair.with_missing(input.max_scenes),
        false => wanted(&unity, &input)?,
    };
    let mut changed = Vec::new();
    for path in paths {
        cx.check_cancelled()?;
        let before = door::read(cx, unity.project, &path)?;
        let document = Document::parse(before);
        let (edits, fixed) = repair.file(&document);
        if fixed > 0 {
            let before = document.into_bytes();
            let after = edits.apply(&before).map_err(|error| {
                ToolError::new(ErrorKind::Internal, format!("{path} cannot be edited: {error}"))
            })?;
            changed.push((path, before, after, fixed));
        }
    }
    let mut plan = Plan::new(unity.project);
    changed.iter().for_each(|(path, before, after, _)| plan.write(path, Some(before), &**after));
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let fixed_count = changed.iter().map(|(.., fixed)| fixed).sum();
    let fixed_in = |file: &FileChange| {
        changed.iter().find(|(path, ..)| path.as_str() == file.path).map_or(0, |(.., fixed)| *fixed)
    };
    let changes = written.changes.into_iter();
    let changes =
        changes.map(|file| Change { scene: file.path.clone(), fixed: fixed_in(&file), file });
    Ok(Output {
        success: true,
        missing_count: repair.missing,
        fixed_count,
        unresolved: repair.missing - fixed_count,
        changes: changes.collect(),
        unresolved_guids: repair.lost.into_keys().map(|guid| guid.to_string()).collect(),
        dry_run: written.dry_run,
        files_changed: written.files_changed,
        undo: written.undo,
    })
}

/// The scripts of the caller's map.
fn scripts(unity: &Unity<'_>, map: &JsonMap) -> Result<BTreeMap<Guid, Guid>, ToolError> {
    let wrong = |why: String| ToolError::bad_argument("map", &why);
    let mut scripts = BTreeMap::new();
    for (old, path) in map {
        let guid = Guid::parse(old).ok_or_else(|| wrong(format!("'{old}' is no guid")))?;
        let path = path.as_str().ok_or_else(|| wrong(format!("'{old}' has no path")))?;
        let script = unity.asset(Some(path), None)?;
        let new = script.guid().filter(|_| script.kind() == AssetKind::Script);
        scripts.insert(guid, new.ok_or_else(|| wrong(format!("{path} is no script with a meta")))?);
    }
    Ok(scripts)
}

/// The scenes and prefabs that the globs mean.
fn wanted(unity: &Unity<'_>, input: &Input) -> Result<Vec<ProjectPath>, ToolError> {
    let globs = input.scenes.iter().map(|pattern| {
        files::glob(pattern).map_err(|error| {
            let text = format!("Invalid scene pattern: {pattern}");
            ToolError::new(ErrorKind::BadArguments, text).hint(error.message)
        })
    });
    let globs = globs.collect::<Result<Vec<_>, _>>()?;
    let is_wanted = |kind| matches!(kind, AssetKind::Scene | AssetKind::Prefab);
    let assets = unity.index.assets().filter(|asset| is_wanted(asset.kind()));
    let paths = assets.map(|asset| asset.path());
    let matching = paths.filter(|path| globs.iter().any(|glob| glob.is_match(path)));
    let own: Vec<ProjectPath> = matching.filter_map(|path| unity.asset_place(&path).ok()).collect();
    if own.len() > input.max_scenes {
        let text = "Max scenes limit exceeded";
        let hint =
            format!("{} files match, and {} may; name fewer at once", own.len(), input.max_scenes);
        return Err(ToolError::new(ErrorKind::BadArguments, text).hint(hint));
    }
    if own.is_empty() {
        let text = format!("No scene or prefab matches {}", input.scenes.join(", "));
        let hint = "without `scenes` all that have a missing script are looked at; project_listFiles \
                    lists scenes and prefabs";
        return Err(ToolError::new(ErrorKind::EngineError, text).hint(hint));
    }
    Ok(own)
}

/// Finds scripts again.
struct Repair<'u> {
    unity: &'u Unity<'u>,
    judge: Judge<'u>,
    map: BTreeMap<Guid, Guid>,
    missing: usize,
    /// Scripts that were not found again, with how often they are missed.
    lost: BTreeMap<Guid, usize>,
}

impl Repair<'_> {
    /// The scenes and prefabs that miss a script or have one that the map is about, as the index tells;
    /// no more than `most`.
    fn with_missing(&self, most: usize) -> Vec<ProjectPath> {
        let mut known: HashMap<Guid, bool> = HashMap::new();
        let mut is_lost = |script: Option<Target>| match script {
            None => true,
            Some(Target { guid, file_id }) => *known.entry(guid).or_insert_with(|| {
                let graded = self.judge.script(Some((guid, file_id)), "");
                self.map.contains_key(&guid) || is_missing(graded.grade)
            }),
        };
        let is_wanted = |kind| matches!(kind, AssetKind::Scene | AssetKind::Prefab);
        let assets = self.unity.index.assets().filter(|asset| is_wanted(asset.kind()));
        let mut paths: Vec<ProjectPath> = assets
            .filter(|asset| {
                let scripts = asset.objects().filter(|object| {
                    object.class_id == ClassId::MONO_BEHAVIOUR && !object.stripped
                });
                scripts.into_iter().any(|object| is_lost(object.script))
            })
            .filter_map(|asset| self.unity.asset_place(&asset.path()).ok())
            .collect();
        if paths.len() > most {
            let more = counted(paths.len() - most, "more file");
            self.unity.cx.diagnose(format!(
                "{more} with a missing script: only the first {most} are looked at; name others in `scenes`."
            ));
            paths.truncate(most);
        }
        paths
    }

    /// The edits of one file, and how many components they are about.
    fn file(&mut self, document: &Document) -> (Edits, usize) {
        let (mut edits, manner) = (Edits::default(), Manner::of(document));
        let mut fixed = 0;
        let is_component = |object: &Object<'_>| {
            object.class_id() == ClassId::MONO_BEHAVIOUR && !object.is_stripped()
        };
        for object in document.objects().filter(is_component) {
            let Some(script) = object.get("m_Script").and_then(|value| value.as_reference()) else {
                continue;
            };
            let noted =
                object.get("m_EditorClassIdentifier").map(|value| value.text().into_owned());
            let noted = noted.unwrap_or_default();
            let old = script.guid.filter(|_| !script.is_null());
            let graded = self.judge.script(old.map(|guid| (guid, script.file_id)), &noted);
            let is_mapped = old.is_some_and(|old| self.map.contains_key(&old));
            if !is_missing(graded.grade) && !is_mapped {
                continue;
            }
            self.missing += 1;
            match self.meant(old, &noted, &graded.detail) {
                Some(guid) => {
                    let to = Reference { file_id: SCRIPT, guid: Some(guid), kind: 3 };
                    let done = set(object, "m_Script", &New::Reference(to), &manner, &mut edits);
                    fixed += usize::from(done.is_ok());
                }
                None => *self.lost.entry(old.unwrap_or_default()).or_default() += 1,
            }
        }
        (edits, fixed)
    }

    /// The script that is meant: by the map, by the class that Unity noted, by the name of the file.
    fn meant(&self, old: Option<Guid>, noted: &str, detail: &str) -> Option<Guid> {
        if let Some(given) = old.and_then(|old| self.map.get(&old)) {
            return Some(*given);
        }
        if let Some(class) = ClassIdentifier::parse(noted) {
            let full = match class.namespace {
                "" => class.name.to_owned(),
                namespace => format!("{namespace}.{}", class.name),
            };
            return self.unity.script_of(&full);
        }
        let name = file_name(detail)?;
        let scripts = self.unity.index.of_kind(AssetKind::Script);
        let mut same = scripts.filter(|asset| asset.name() == name && self.is_there(asset.guid()));
        let only = same.next()?.guid();
        only.filter(|_| same.next().is_none())
    }

    fn is_there(&self, guid: Option<Guid>) -> bool {
        let graded = guid.map(|guid| self.judge.script(Some((guid, SCRIPT)), ""));
        graded.is_some_and(|graded| graded.grade == ScriptGrade::Present)
    }
}

/// Whether a script is missing for certain.
fn is_missing(grade: ScriptGrade) -> bool {
    matches!(grade, ScriptGrade::Null | ScriptGrade::FileGone | ScriptGrade::Unknown)
}

/// The script that a sentence about what is gone names.
fn file_name(text: &str) -> Option<String> {
    let end = text.find(".cs")? + 3;
    let start = text[..end].rfind('/')? + 1;
    Some(text[start..end].to_owned())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    const PROJECT: &str = "//- Assets/Scenes/A.unity\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &1\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: aa000000000000000000000000000001, type: 3}\n  m_EditorClassIdentifier: Game::My.Door\n--- !u!114 &2\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: aa000000000000000000000000000002, type: 3}\n  m_EditorClassIdentifier: \n--- !u!114 &3\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: aa000000000000000000000000000003, type: 3}\n  m_EditorClassIdentifier: \n--- !u!114 &4\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: dd000000000000000000000000000001, type: 3}\n  m_EditorClassIdentifier: \n//- Assets/Old/Lock.cs.meta\nguid: aa000000000000000000000000000002\n//- Assets/Door.cs\nnamespace My { class Door : MonoBehaviour {} }\n//- Assets/Door.cs.meta\nguid: dd000000000000000000000000000001\n//- Assets/Lock.cs\nclass Lock : MonoBehaviour {}\n//- Assets/Lock.cs.meta\nguid: dd000000000000000000000000000002\n";

    fn call(folder: &Folder, arguments: Value) -> Value {
        (*call_writing(folder, super::TOOL.id, arguments).unwrap().output).clone()
    }

    #[test]
    fn scripts_are_found_again_by_class_by_name_and_by_map() {
        let folder = Folder::unity(PROJECT);
        let before = folder.read("Assets/Scenes/A.unity");
        let tried = call(&folder, json!({}));
        let counts = ["missingCount", "fixedCount", "unresolved"].map(|key| tried[key].to_string());
        assert_eq!(counts, ["3", "2", "1"]);
        expect![[r#"["aa000000000000000000000000000003"]"#]]
            .assert_eq(&tried["unresolvedGuids"].to_string());
        assert_eq!(folder.read("Assets/Scenes/A.unity"), before);
        let map = json!({ "aa000000000000000000000000000003": "Assets/Lock.cs" });
        let output = call(&folder, json!({ "map": map, "dryRun": false }));
        assert_eq!((&output["unresolved"], &output["changes"][0]["fixed"]), (&json!(0), &json!(3)));
        let expected = before
            .replace("aa000000000000000000000000000001", "dd000000000000000000000000000001")
            .replace("aa000000000000000000000000000002", "dd000000000000000000000000000002")
            .replace("aa000000000000000000000000000003", "dd000000000000000000000000000002");
        assert_eq!(folder.read("Assets/Scenes/A.unity"), expected);
    }

    #[test]
    fn all_scenes_and_prefabs_are_looked_at_wherever_they_are() {
        let elsewhere = PROJECT.replace("Assets/Scenes/A.unity", "Assets/Levels/One/A.prefab");
        let other = "//- Assets/Levels/Fine.unity\n%YAML 1.1\n";
        let folder = Folder::unity(&(elsewhere + other));
        let tried = call(&folder, json!({}));
        assert_eq!(tried["missingCount"], 3, "{tried}");
        // What was not looked at is not "0 missing".
        let nowhere = json!({ "scenes": ["Assets/Scenes/*"] });
        let error = call_writing(&folder, super::TOOL.id, nowhere).unwrap_err();
        assert_eq!(error.message, "No scene or prefab matches Assets/Scenes/*");
    }

    #[test]
    fn too_many_and_wrong_globs_are_refused() {
        let folder = Folder::unity("//- Assets/Scenes/A.unity\n//- Assets/Scenes/B.unity\n");
        let refused = |arguments: Value| {
            call_writing(&folder, super::TOOL.id, arguments).unwrap_err().message
        };
        let many = json!({ "scenes": ["Assets/Scenes/*"], "maxScenes": 1 });
        assert_eq!(refused(many), "Max scenes limit exceeded");
        assert_eq!(refused(json!({ "scenes": ["a[b"] })), "Invalid scene pattern: a[b");
    }
}
