//! The tool `project.diff`: Differences.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_merge::diff::{AssetNames, Change, FieldChange, ObjectChange, diff};
use scenewright_merge::history::{self, Range};
use scenewright_merge::render::{FileDiff, reach_lines, summary};
use scenewright_toolkit::door::{self, ProjectPath};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::differences::Files;

/// So many files are listed.
const MAX_FILES: usize = 500;
/// So many objects are told, over all files.
const MAX_OBJECTS: usize = 200;
/// So many fields of one object are told.
const MAX_FIELDS: usize = 20;

pub(crate) const TOOL: Tool = Tool {
    id: "project.diff",
    aliases: &["scene.diff"],
    keywords: "git compare scene prefab revisions commit branch what changed objects fields components nodes semantic review pull request",
    title: "Differences by Object",
    notes: Some(
        "Only files that can be told by object are here: scenes, prefabs, assets, settings, metas.",
    ),
    category: "project",
    idempotent: true,
    examples: &[Example {
        description: "Compare two scenes of the Godot sample",
        input: r#"{ "project": "godot", "path": "project.godot", "other": "project.godot" }"#,
        output: r#"{
            "success": true,
            "files": [
                { "path": "project.godot", "change": "changed", "summary": "only order, spelling or noise", "objects": [] }
            ],
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell what changed in scenes, prefabs and settings, by object and field: between two revisions of
/// git, since the last commit, or between two files. What is only in another order or spelt in
/// another way is not told.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// Only this file or folder, such as `Assets/Scenes/Main.unity`.
    path: Option<String>,
    /// Another file of the project: `path` is compared with it, and git is not asked.
    other: Option<String>,
    /// The revision before; the last commit by default.
    from: Option<String>,
    /// The revision after; the files as they are by default.
    to: Option<String>,
    /// What is staged, instead of the files as they are.
    #[serde(default)]
    staged: bool,
    /// Only how much changed in each file.
    #[serde(default)]
    summary_only: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The files that changed.
    files: Vec<Changed>,
    /// Whether files, objects or fields were left out; ask for one `path`.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Changed {
    /// The file, from the project's root.
    path: String,
    /// `added`, `removed` or `changed`.
    change: String,
    /// Where it was before, when that is elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    old_path: Option<String>,
    /// How much changed: `+` objects that came, `-` went, `~` changed.
    summary: String,
    /// The objects, nodes and sections.
    objects: Vec<Object>,
    /// Of a prefab or scene: the files that the change reaches, and where it is overridden.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    reach: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Object {
    /// `added`, `removed` or `changed`.
    change: String,
    /// The path of the game object or node, or what the section is about.
    place: String,
    /// The component or kind of section; nothing for the object itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    part: String,
    /// Its identity in the file.
    id: String,
    /// Where it was, when it was moved or renamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved_from: Option<String>,
    /// What differs, as `field: old → new`, `+ field: new` or `- field: old`.
    fields: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let known = Files::of(project);
    let names = |guid: &str| known.name(guid);
    let files = match (&input.path, &input.other) {
        (Some(path), Some(other)) => vec![two_files(cx, project, path, other, &names)?],
        (None, Some(_)) => {
            return Err(ToolError::new(ErrorKind::BadArguments, "other needs a path"));
        }
        _ => by_git(project, &input, &names)?,
    };
    let (mut listed, mut left, mut truncated) = (Vec::new(), MAX_OBJECTS, files.len() > MAX_FILES);
    for mut file in files.into_iter().take(MAX_FILES) {
        let is_short = input.summary_only || file.change != Change::Changed;
        if !is_short {
            let path = file.path.clone();
            known.add_reach(&path, &mut file);
        }
        listed.push(told(&file, is_short, &mut left, &mut truncated));
    }
    Ok(Output { success: true, files: listed, truncated })
}

fn two_files(
    cx: &Cx,
    project: &Project,
    path: &str,
    other: &str,
    names: AssetNames<'_>,
) -> Result<FileDiff, ToolError> {
    let (path, other) = (ProjectPath::parse(project, path)?, ProjectPath::parse(project, other)?);
    let (old, new) = (door::read(cx, project, &other)?, door::read(cx, project, &path)?);
    let differences = diff(std::path::Path::new(path.as_str()), &old, &new, names);
    Ok(FileDiff {
        path: path.to_string(),
        old_path: (path != other).then(|| other.to_string()),
        change: Change::Changed,
        differences: differences.map_err(|reason| reason.to_string()),
        reach: None,
    })
}

fn by_git(
    project: &Project,
    input: &Input,
    names: AssetNames<'_>,
) -> Result<Vec<FileDiff>, ToolError> {
    let paths = match &input.path {
        Some(path) => vec![ProjectPath::parse(project, path)?.to_string()],
        None => Vec::new(),
    };
    let range = Range { from: input.from.clone(), to: input.to.clone(), staged: input.staged };
    history::changed(&project.root, &range, &paths, names).map_err(|error| {
        ToolError::new(ErrorKind::NotReady, format!("the differences cannot be told: {error}"))
            .hint("the project has to be in a repository of git that has these revisions")
    })
}

fn told(file: &FileDiff, is_short: bool, left: &mut usize, truncated: &mut bool) -> Changed {
    let mut objects = Vec::new();
    if let (Ok(differences), false) = (&file.differences, is_short) {
        for object in &differences.objects {
            if *left == 0 {
                *truncated = true;
                break;
            }
            *left -= 1;
            *truncated |= object.fields.len() > MAX_FIELDS;
            objects.push(object_of(object));
        }
    }
    Changed {
        path: file.path.clone(),
        change: word(file.change).to_owned(),
        old_path: file.old_path.clone(),
        summary: summary(file, &|_, text| text.to_owned()),
        objects,
        reach: file.reach.iter().flat_map(|reach| reach_lines(reach, false)).collect(),
    }
}

fn object_of(object: &ObjectChange) -> Object {
    Object {
        change: word(object.change).to_owned(),
        place: object.place.clone(),
        part: object.part.clone(),
        id: object.id.clone(),
        moved_from: object.moved_from.clone(),
        fields: object.fields.iter().take(MAX_FIELDS).map(field_of).collect(),
    }
}

fn field_of(FieldChange { field, change, old, new }: &FieldChange) -> String {
    let (old, new) = (old.as_deref().unwrap_or_default(), new.as_deref().unwrap_or_default());
    match change {
        Change::Added => format!("+ {field}: {new}"),
        Change::Removed => format!("- {field}: {old}"),
        Change::Changed => format!("{field}: {old} → {new}"),
    }
}

fn word(change: Change) -> &'static str {
    match change {
        Change::Added => "added",
        Change::Removed => "removed",
        Change::Changed => "changed",
    }
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;
    use serde_json::json;

    use crate::testing::call_writing;

    const SCENE: &str =
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &42\nGameObject:\n  m_Name: Door\n";

    #[test]
    fn two_files_are_compared_by_object() {
        let folder = Folder::unity("");
        folder.write("Assets/a.unity", SCENE);
        folder.write("Assets/b.unity", SCENE.replace("Door", "Gate"));
        let arguments = json!({ "path": "Assets/b.unity", "other": "Assets/a.unity" });
        let output = call_writing(&folder, super::TOOL.id, arguments).unwrap().output;
        let object = &output["files"][0]["objects"][0];
        assert_eq!(object["fields"], json!(["m_Name: Door → Gate"]), "{output}");
        assert_eq!(object["movedFrom"], "Door");
    }

    #[test]
    fn without_git_it_says_so() {
        let folder = Folder::unity("");
        let error = call_writing(&folder, super::TOOL.id, json!({})).unwrap_err();
        assert!(error.message.contains("is in no Git repository"), "{}", error.message);
    }
}
