//! The tool `yaml.safeSceneEdit`: Safe Scene Edit.

use std::borrow::Cow;
use std::time::Duration;

use regex::bytes::{NoExpand, Regex, RegexBuilder};
use scenewright_contract::{ErrorKind, Limits, Safety, Tier, ToolError};
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::index::AssetKind;
use scenewright_unity::{Document, DocumentKind, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{InUnity, Unity};

/// More files are counted, not listed.
const MAX_LISTED: usize = 200;
/// A pattern that needs more than this is refused.
const MAX_PATTERN: usize = 1 << 20;

pub(crate) const TOOL: Tool = Tool {
    id: "yaml.safeSceneEdit",
    keywords: "find and replace text in all scenes and prefabs regex bulk rename values search yaml scene files raw",
    title: "Safe Scene Edit",
    notes: Some(
        "Text is matched as it stands in the files, so that long texts are cut into lines there. Refused as a whole when one file could not be read afterwards or an object would get another id.",
    ),
    category: "yaml",
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    examples: &[Example {
        description: "See what another name for the lanterns of the Unity sample would change in prefabs",
        input: r#"{ "find": "m_Name: Lantern", "replace": "m_Name: Lamp", "scope": "prefabs", "dryRun": true }"#,
        output: r#"{
            "success": true,
            "filesProcessed": 3,
            "filesModified": 1,
            "replacements": 1,
            "details": [],
            "dryRun": true,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["filesModified", "replacements", "details", "filesChanged", "changes"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find and replace text in the scenes and prefabs of a Unity project, all or nothing. Ids of objects
/// stay, with `preserveGuids` every reference does as well, and each file can be read afterwards.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The text to look for, as it stands in the files.
    #[serde(default)]
    find: String,
    /// What comes in its place.
    replace: String,
    /// A regular expression to look for instead of `find`; `^` and `$` are lines, and `replace` may
    /// have `$1`.
    pattern: Option<String>,
    /// Which files.
    #[serde(default)]
    scope: Scope,
    /// Refuse when a reference would change.
    #[serde(default = "yes")]
    preserve_guids: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn yes() -> bool {
    true
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Scope {
    #[default]
    All,
    Scenes,
    Prefabs,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How many files were looked at.
    files_processed: usize,
    /// How many changed.
    files_modified: usize,
    /// How many places changed.
    replacements: usize,
    /// The files that changed, at most 200.
    details: Vec<Detail>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Detail {
    /// The file.
    file_path: String,
    /// How many places changed in it.
    replacements: usize,
    /// Whether it changed.
    modified: bool,
}

/// A file with other content.
struct Change {
    path: ProjectPath,
    before: Vec<u8>,
    after: Vec<u8>,
    count: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let regex = regex(&input)?;
    let unity = cx.unity(input.project.as_deref())?;
    let mut changes = Vec::new();
    let mut files_processed = 0;
    for path in files(&unity, input.scope) {
        cx.check_cancelled()?;
        let before = door::read(cx, unity.project, &path)?;
        if Document::parse(before.clone()).kind_by_start() != DocumentKind::UnityYaml {
            cx.diagnose(format!("{path} is no text of Unity, so it was passed over."));
            continue;
        }
        files_processed += 1;
        let count = regex.find_iter(&before).count();
        let after = match &input.pattern {
            Some(_) => regex.replace_all(&before, input.replace.as_bytes()),
            None => regex.replace_all(&before, NoExpand(input.replace.as_bytes())),
        };
        if let Cow::Owned(after) = after
            && after != before
        {
            check(&path, &before, &after, input.preserve_guids)?;
            changes.push(Change { path, before, after, count });
        }
    }
    let mut plan = Plan::new(unity.project);
    for change in &changes {
        plan.write(&change.path, Some(&change.before), &*change.after);
    }
    let written = plan.commit(cx, input.dry_run, |_, _| Ok(()))?;
    let details = changes.iter().take(MAX_LISTED).map(|change| Detail {
        file_path: change.path.to_string(),
        replacements: change.count,
        modified: true,
    });
    Ok(Output {
        success: true,
        files_processed,
        files_modified: changes.len(),
        replacements: changes.iter().map(|change| change.count).sum(),
        details: details.collect(),
        written,
    })
}

fn regex(input: &Input) -> Result<Regex, ToolError> {
    let pattern = match &input.pattern {
        Some(pattern) => pattern.clone(),
        None => regex::escape(&input.find),
    };
    if pattern.is_empty() {
        return Err(ToolError::bad_argument("find", "is empty: give a text, or a pattern"));
    }
    let built =
        RegexBuilder::new(&pattern).multi_line(true).crlf(true).size_limit(MAX_PATTERN).build();
    built.map_err(|error| {
        ToolError::new(ErrorKind::BadArguments, "Invalid regex pattern").hint(error.to_string())
    })
}

/// The scenes and prefabs that the project may write.
fn files(unity: &Unity<'_>, scope: Scope) -> Vec<ProjectPath> {
    let is_wanted = |kind: AssetKind| match kind {
        AssetKind::Scene => scope != Scope::Prefabs,
        AssetKind::Prefab => scope != Scope::Scenes,
        _ => false,
    };
    let own = unity.index.assets().filter(|asset| is_wanted(asset.kind()));
    let paths = own.filter_map(|asset| unity.asset_place(&asset.path()).ok());
    paths.filter(|path| door::exists(unity.cx, unity.project, path)).collect()
}

/// Whether a file is still whole, and its objects and references are those that they were.
fn check(path: &ProjectPath, before: &[u8], after: &[u8], keep: bool) -> Result<(), ToolError> {
    let [old, new] = [before, after].map(Document::parse);
    let refused = |message: String| {
        Err(ToolError::failed(message)
            .hint("nothing was changed; find more of the text, so that it is only what you mean")
            .detail("path", path.as_str()))
    };
    let headers = |document: &Document| -> Vec<_> {
        document.objects().map(|object| (object.class_id(), object.file_id())).collect()
    };
    if headers(&old) != headers(&new) {
        return refused(format!("an object of {path} would get another id, or be lost"));
    }
    let problems = new.problems();
    if problems.len() > old.problems().len()
        && let Some(problem) = problems.first()
    {
        return refused(format!(
            "{path} could not be read: line {}: {}",
            problem.line, problem.message
        ));
    }
    let references = |document: &Document| -> Vec<(usize, Reference)> {
        document.references().map(|found| (found.offset, found.reference)).collect()
    };
    let (was, is) = (references(&old), references(&new));
    let differs = was.iter().zip(&is).position(|(was, is)| was.1 != is.1);
    let differs = differs.or_else(|| (was.len() != is.len()).then(|| was.len().min(is.len())));
    match differs.filter(|_| keep) {
        Some(at) => {
            let line = is.get(at).map_or(0, |(offset, _)| new.line(*offset));
            refused(format!("GUID preservation failed: {path}, line {line}"))
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    const PROJECT: &str = "//- Assets/A.unity\n%YAML 1.1\n--- !u!1 &42\nGameObject:\n  m_Name: Door 1\n  m_Icon: {fileID: 0}\n--- !u!114 &43\nMonoBehaviour:\n  m_Script: {fileID: 11500000, guid: aa000000000000000000000000000001, type: 3}\n  locks: 1\n//- Assets/B.prefab\n%YAML 1.1\n--- !u!1 &42\nGameObject:\n  m_Name: Door 2\n//- Assets/C.mat\n%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: Door 3\n";

    fn call(folder: &Folder, arguments: Value) -> Result<Value, String> {
        let outcome = call_writing(folder, super::TOOL.id, arguments);
        outcome.map(|outcome| (*outcome.output).clone()).map_err(|error| error.message)
    }

    #[test]
    fn text_changes_in_scenes_and_prefabs_only() {
        let folder = Folder::unity(PROJECT);
        let arguments =
            json!({ "pattern": "^  m_Name: Door (\\d)$", "replace": "  m_Name: Gate $1" });
        let output = call(&folder, arguments).unwrap();
        let counts = ["filesProcessed", "filesModified", "replacements"].map(|key| &output[key]);
        assert_eq!(counts, [&json!(2), &json!(2), &json!(2)]);
        assert!(folder.read("Assets/A.unity").contains("  m_Name: Gate 1\n"));
        assert!(folder.read("Assets/C.mat").contains("Door 3"));
        let plain = json!({ "find": "Gate 1", "replace": "$1", "scope": "scenes" });
        call(&folder, plain).unwrap();
        assert!(folder.read("Assets/A.unity").contains("  m_Name: $1\n"));
    }

    #[test]
    fn ids_references_and_the_form_of_a_file_are_kept() {
        let folder = Folder::unity(PROJECT);
        let before = folder.read("Assets/A.unity");
        let refused = |find: &str, replace: &str| {
            call(&folder, json!({ "find": find, "replace": replace })).unwrap_err()
        };
        expect!["an object of Assets/A.unity would get another id, or be lost"]
            .assert_eq(&refused("&42", "&44"));
        expect!["GUID preservation failed: Assets/A.unity, line 8"]
            .assert_eq(&refused("aa0000", "bb0000"));
        expect!["Invalid regex pattern"]
            .assert_eq(&call(&folder, json!({ "pattern": "(", "replace": "" })).unwrap_err());
        assert_eq!(folder.read("Assets/A.unity"), before);
        let told = json!({ "find": "aa0000", "replace": "bb0000", "preserveGuids": false });
        assert_eq!(call(&folder, told).unwrap()["replacements"], 1);
    }
}
