//! The tool `project.mergeResolve`: Resolve Merge Conflicts.

use std::path::Path;

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_merge::work::{self, Conflicts, SIDECAR, Sidecar, Undecided};
use scenewright_merge::{Inputs, Merged};
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::merge_conflicts::{Told, unknown};

/// So many conflicts that are left are told.
const MAX_CONFLICTS: usize = 50;

pub(crate) const TOOL: Tool = Tool {
    id: "project.mergeResolve",
    aliases: &["scene.merge.resolve"],
    keywords: "git merge conflict resolve decide choose ours theirs base scene prefab unmerged",
    title: "Resolve Merge Conflicts",
    notes: Some("Nothing is staged; `git add` the file when `clean` is true."),
    category: "project",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "A scene of the Godot sample that is not in conflict stays as it is",
        input: r#"{ "project": "godot", "path": "project.godot", "choices": ["all=ours"] }"#,
        output: r#"{
            "success": true,
            "path": "project.godot",
            "inConflict": false,
            "clean": true,
            "left": [],
            "dryRun": false,
            "filesChanged": 0,
            "changes": []
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Resolve the merge conflict of a scene, prefab or settings file by object and field, and decide what both
/// sides changed. Choices of earlier calls stay. Without choices, what goes together is merged and the
/// rest is marked.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// The file in conflict.
    path: String,
    /// Decisions such as `100#GameObject.m_Layer=theirs`: the id of a conflict, or `all`, and `ours`,
    /// `theirs` or `base`.
    #[serde(default)]
    choices: Vec<String>,
    /// Merge again although somebody has edited the file since, which is lost then.
    #[serde(default)]
    force: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    path: String,
    /// Whether git has it in conflict.
    in_conflict: bool,
    /// Whether nothing is left to decide; what was merged is verified then.
    clean: bool,
    /// What is left to decide.
    left: Vec<Told>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    cx.turn(project)?;
    let path = ProjectPath::parse(project, &input.path)?;
    let conflicts = Conflicts::below(&project.root).map_err(unknown)?;
    let stages = conflicts.stages(path.as_str()).map_err(unknown)?;
    if !stages.is_conflict() {
        let written = Plan::new(project).commit(cx, input.dry_run, |_, _| Ok(()))?;
        let path = path.to_string();
        let left = Vec::new();
        return Ok(Output { success: true, path, in_conflict: false, clean: true, left, written });
    }
    let Some(inputs) = stages.inputs() else {
        return Err(ToolError::new(ErrorKind::NotReady, format!("{path}: {}", work::DELETED)));
    };
    let before = door::read(cx, project, &path)?;
    let known = Sidecar::read(&project.root.join(path.as_str()));
    if !input.force && !stages.may_replace(&before, known.as_ref()) {
        let message = format!("{path} was edited since it was merged");
        return Err(ToolError::new(ErrorKind::ToolFailed, message)
            .hint("force: true merges it again and loses that edit"));
    }
    let (merged, sidecar) = decide(&path, inputs, &input.choices, known.as_ref(), &before)?;
    let written = write(cx, project, &path, &before, &merged, &sidecar, input.dry_run)?;
    let open = merged.conflicts.iter().filter(|conflict| conflict.choice.is_none());
    Ok(Output {
        success: true,
        path: path.to_string(),
        in_conflict: true,
        clean: merged.is_clean(),
        left: open.take(MAX_CONFLICTS).map(Told::of).collect(),
        written,
    })
}

/// The merge with old and new choices, and what is to be known about it.
fn decide(
    path: &ProjectPath,
    inputs: Inputs<'_>,
    words: &[String],
    known: Option<&Sidecar>,
    before: &[u8],
) -> Result<(Merged, Sidecar), ToolError> {
    let name = Path::new(path.as_str());
    let choices = known.map(Sidecar::choices).unwrap_or_default();
    let decided = work::decided(name, inputs, words, choices);
    let (merged, choices) = decided.map_err(|why| match why {
        Undecided::Refused(refused) => {
            ToolError::new(ErrorKind::NotReady, format!("{path} is left to git: {refused}"))
        }
        Undecided::Choice(why) => ToolError::new(ErrorKind::BadArguments, why),
    })?;
    let written = if merged.is_clean() || merged.is_marked { &merged.bytes } else { before };
    let sidecar = Sidecar::of(path.as_str(), &merged, &choices, written);
    Ok((merged, sidecar))
}

fn write(
    cx: &Cx,
    project: &Project,
    path: &ProjectPath,
    before: &[u8],
    merged: &Merged,
    sidecar: &Sidecar,
    dry_run: bool,
) -> Result<Written, ToolError> {
    let beside = ProjectPath::parse(project, &format!("{path}{SIDECAR}"))?;
    let was = match door::exists(cx, project, &beside) {
        true => Some(door::read(cx, project, &beside)?),
        false => None,
    };
    let mut plan = Plan::new(project);
    if merged.is_clean() || merged.is_marked {
        plan.write(path, Some(before), merged.bytes.clone());
    }
    match (&was, merged.is_clean()) {
        (Some(was), true) => plan.remove(&beside, was),
        (None, true) => {}
        (was, false) => plan.write(&beside, was.as_deref(), sidecar.to_text().into_bytes()),
    }
    plan.commit(cx, dry_run, |_, _| Ok(()))
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    const SCENE: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &42\nGameObject:\n  m_Layer: 0\n  m_Name: Door\n";

    fn git(folder: &Folder, args: &[&str]) -> bool {
        scenewright_fixture::git(folder.root(), args).status.success()
    }

    /// A project in the middle of a merge that git could not do.
    fn conflicted(ours: &str, theirs: &str) -> Folder {
        let folder = Folder::unity("");
        let commit = |text: &str, name: &str| {
            folder.write("Assets/a.unity", text);
            assert!(git(&folder, &["add", "-A"]) && git(&folder, &["commit", "-qm", name]));
        };
        assert!(git(&folder, &["init", "-q", "-b", "main"]));
        commit(SCENE, "start");
        assert!(git(&folder, &["checkout", "-qb", "side"]));
        commit(theirs, "theirs");
        assert!(git(&folder, &["checkout", "-q", "main"]));
        commit(ours, "ours");
        assert!(!git(&folder, &["merge", "side"]), "git has a conflict");
        folder
    }

    /// A project in the middle of a merge that deletes what we changed.
    fn deleted() -> Folder {
        let folder = Folder::unity("");
        let commit =
            |name: &str| git(&folder, &["add", "-A"]) && git(&folder, &["commit", "-qm", name]);
        assert!(git(&folder, &["init", "-q", "-b", "main"]));
        folder.write("Assets/a.unity", SCENE);
        assert!(commit("start") && git(&folder, &["checkout", "-qb", "side"]));
        assert!(git(&folder, &["rm", "-q", "Assets/a.unity"]) && commit("theirs"));
        assert!(git(&folder, &["checkout", "-q", "main"]));
        folder.write("Assets/a.unity", SCENE.replace("Door", "Gate"));
        assert!(commit("ours") && !git(&folder, &["merge", "side"]));
        folder
    }

    /// What somebody decided by hand, without markers and without a note of ours, is theirs.
    #[test]
    fn a_decision_by_hand_is_not_written_over() {
        let ours = SCENE.replace("m_Layer: 0", "m_Layer: 5");
        let folder = conflicted(&ours, &SCENE.replace("m_Layer: 0", "m_Layer: 6"));
        let by_hand = SCENE.replace("m_Layer: 0", "m_Layer: 7");
        folder.write("Assets/a.unity", &by_hand);
        let mut again = json!({ "path": "Assets/a.unity", "choices": ["all=ours"] });
        let error = call_writing(&folder, super::TOOL.id, again.clone()).unwrap_err();
        assert!(error.message.contains("was edited"), "{}", error.message);
        assert_eq!(folder.read("Assets/a.unity"), by_hand);
        again["force"] = json!(true);
        call(&folder, super::TOOL.id, again);
        assert_eq!(folder.read("Assets/a.unity"), ours);
    }

    /// A repository that git does not read is no repository without conflicts.
    #[test]
    fn what_git_does_not_tell_is_not_called_clean() {
        let folder = Folder::unity("");
        folder.write("Assets/a.unity", SCENE);
        folder.write(".git", "gitdir: nowhere");
        for tool in [super::TOOL.id, "project.mergeConflicts"] {
            let error =
                call_writing(&folder, tool, json!({ "path": "Assets/a.unity" })).unwrap_err();
            assert!(error.message.contains("nowhere"), "{}", error.message);
        }
    }

    fn call(folder: &Folder, tool: &str, arguments: Value) -> Value {
        let outcome = call_writing(folder, tool, arguments);
        (*outcome.unwrap_or_else(|error| panic!("{error}")).output).clone()
    }

    #[test]
    fn conflicts_are_listed_and_decided() {
        let ours = SCENE.replace("m_Layer: 0", "m_Layer: 5");
        let theirs = SCENE.replace("m_Layer: 0", "m_Layer: 6").replace("Door", "Gate");
        let folder = conflicted(&ours, &theirs);
        let listed = call(&folder, "scene.merge.conflicts", json!({}));
        let conflict = &listed["files"][0]["conflicts"][0];
        assert_eq!(conflict["id"], "42#GameObject.m_Layer", "{listed}");
        assert_eq!((&conflict["ours"], &conflict["theirs"]), (&json!("5"), &json!("6")));
        let arguments =
            json!({ "path": "Assets/a.unity", "choices": ["42#GameObject.m_Layer=theirs"] });
        let mut dry = arguments.clone();
        dry["dryRun"] = json!(true);
        assert_eq!(call(&folder, super::TOOL.id, dry)["clean"], true);
        assert!(folder.read("Assets/a.unity").contains("<<<<<<<"), "a dry run writes nothing");
        let done = call(&folder, super::TOOL.id, arguments);
        assert_eq!((&done["clean"], &done["left"]), (&json!(true), &json!([])));
        assert_eq!(folder.read("Assets/a.unity"), theirs);
    }

    #[test]
    fn what_goes_together_needs_no_choice_and_a_wrong_choice_is_told() {
        let ours = SCENE.replace("m_Layer: 0", "m_Layer: 5");
        let theirs = SCENE.replace("Door", "Gate");
        let folder = conflicted(&ours, &theirs);
        assert_eq!(
            call(&folder, "project.mergeConflicts", json!({}))["files"][0]["mergeable"],
            true
        );
        call(&folder, super::TOOL.id, json!({ "path": "Assets/a.unity" }));
        assert_eq!(folder.read("Assets/a.unity"), ours.replace("Door", "Gate"));
        let folder = conflicted(&ours, &SCENE.replace("m_Layer: 0", "m_Layer: 6"));
        let wrong = json!({ "path": "Assets/a.unity", "choices": ["x=ours"] });
        let error = call_writing(&folder, super::TOOL.id, wrong).unwrap_err();
        assert!(error.message.contains("42#GameObject.m_Layer"), "{}", error.message);
        let left = call(&folder, super::TOOL.id, json!({ "path": "Assets/a.unity" }));
        assert_eq!((&left["clean"], left["left"].as_array().unwrap().len()), (&json!(false), 1));
        // One side's deletion is a conflict that no field decides.
        let folder_of_deleted = deleted();
        let gone = json!({ "path": "Assets/a.unity" });
        let error = call_writing(&folder_of_deleted, super::TOOL.id, gone).unwrap_err();
        assert!(error.message.contains("git rm"), "{}", error.message);
        folder.write("Assets/a.unity", "by hand");
        let edited = json!({ "path": "Assets/a.unity", "choices": ["all=ours"] });
        let error = call_writing(&folder, super::TOOL.id, edited).unwrap_err();
        assert!(error.message.contains("was edited"), "{}", error.message);
    }
}
