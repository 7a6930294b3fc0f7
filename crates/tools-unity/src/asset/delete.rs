//! The tool `asset.delete`: Delete Asset.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::Guid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::assets::Users;
use crate::base::mentions::{Mention, Names};
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "asset.delete",
    keywords: "remove a file folder asset trash erase unused safely with meta rid texture prefab delete script scene",
    title: "Delete Asset",
    notes: Some("project_undoLast brings all of it back, with the same guids."),
    category: "asset",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Delete a scene of the Unity sample, and leave it in the build list",
        input: r#"{ "path": "Assets/Scenes/Cellar.unity", "references": "leave" }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Scenes/Cellar.unity",
            "deleted": 1,
            "usedBy": { "count": 1, "first": ["ProjectSettings/EditorBuildSettings.asset"] },
            "mentions": [],
            "mentionsCount": 0,
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["usedBy", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Delete a file or folder of assets with its `.meta`. Refused while something that stays refers to it:
/// who does is told, and `references: "leave"` deletes it all the same.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The file or folder, such as `Assets/Old`.
    path: String,
    /// What to do when something refers to it.
    #[serde(default)]
    references: References,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum References {
    /// Delete nothing and say who refers to it.
    #[default]
    Refuse,
    /// Delete it; the references lead nowhere then.
    Leave,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What is gone.
    path: String,
    /// How many files are gone, without metas.
    deleted: usize,
    /// Who refers to it; these references lead nowhere now.
    used_by: Users,
    /// Texts in scripts that name it, at most twenty.
    mentions: Vec<Mention>,
    /// How many such texts there are.
    mentions_count: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let path = unity.present(&input.path)?;
    let going = Going::new(&unity, &path)?;
    let below = format!("{path}/");
    let is_own = |user: &str| user == path.as_str() || user.starts_with(&below);
    let used_by = unity.users(&going.guids, is_own);
    if used_by.count > 0 && input.references == References::Refuse {
        return Err(used(&path, &used_by));
    }
    let (mut mentions, _) = unity.mentions(&going.names)?;
    mentions.retain(|mention| !is_own(&mention.path));
    let mentions_count = mentions.len();
    let mut plan = Plan::new(unity.project);
    going.files.iter().for_each(|(file, before)| plan.remove(file, before));
    going.folders.iter().rev().for_each(|folder| plan.remove_folder(folder));
    let written = plan.commit(cx, input.dry_run, |_, _| Ok(()))?;
    let is_asset = |(file, _): &&(ProjectPath, Vec<u8>)| !file.as_str().ends_with(".meta");
    Ok(Output {
        success: true,
        path: path.to_string(),
        deleted: going.files.iter().filter(is_asset).count(),
        used_by,
        mentions,
        mentions_count,
        written,
    })
}

fn used(path: &ProjectPath, users: &Users) -> ToolError {
    let more = users.count - users.first.len();
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let text = format!("{path} is used by {}{more}", users.first.join(", "));
    ToolError::failed(text)
        .hint(
            "nothing was deleted; project_replaceReference leads them to another asset, or references: \"leave\" deletes it all the same",
        )
        .detail("usedBy", users.first.clone())
        .detail("count", users.count)
}

/// What is deleted.
struct Going {
    files: Vec<(ProjectPath, Vec<u8>)>,
    /// Each before those in it.
    folders: Vec<ProjectPath>,
    guids: Vec<Guid>,
    names: Names,
}

impl Going {
    fn new(unity: &Unity<'_>, path: &ProjectPath) -> Result<Self, ToolError> {
        let is_folder = unity.is_folder(path);
        let (mut files, folders) = match is_folder {
            true => unity.contents(path)?,
            false => (vec![path.clone()], Vec::new()),
        };
        let meta = unity.meta_path(path)?;
        if door::exists(unity.cx, unity.project, &meta) {
            files.push(meta);
        }
        let mut names = Names::default();
        files.iter().for_each(|file| names.asset(file.as_str(), None));
        if is_folder {
            names.folder(path.as_str());
        }
        let inside = unity.index.under(path.as_str());
        let own = unity.index.by_path(path.as_str());
        let own = own.filter(|asset| asset.path() == path.as_str());
        let guids = inside.chain(own).filter_map(|asset| asset.guid()).collect();
        let read = |file: ProjectPath| {
            let before = door::read(unity.cx, unity.project, &file)?;
            Ok((file, before))
        };
        let files = files.into_iter().map(read).collect::<Result<_, ToolError>>()?;
        Ok(Self { files, folders, guids, names })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    fn call(folder: &Folder, arguments: Value) -> Result<Value, String> {
        let outcome = call_writing(folder, super::TOOL.id, arguments);
        outcome.map(|outcome| (*outcome.output).clone()).map_err(|error| error.message)
    }

    #[test]
    fn what_is_used_stays_unless_told() {
        let folder = Folder::copy_of(&sample("unity"));
        let stone = json!({ "path": "Assets/Materials/Stone.mat" });
        expect!["Assets/Materials/Stone.mat is used by Assets/Prefabs/Lantern.prefab, Assets/Prefabs/Room.prefab, Assets/Scenes/Cellar.unity, Assets/Scenes/Main.unity"]
            .assert_eq(&call(&folder, stone).unwrap_err());
        assert!(folder.path("Assets/Materials/Stone.mat").exists());
        let leave = json!({ "path": "Assets/Materials/Stone.mat", "references": "leave" });
        let output = call(&folder, leave).unwrap();
        assert_eq!((&output["deleted"], &output["filesChanged"]), (&json!(1), &json!(2)));
        assert!(!folder.path("Assets/Materials/Stone.mat").exists());
        assert!(!folder.path("Assets/Materials/Stone.mat.meta").exists());
    }

    #[test]
    fn a_folder_goes_with_all_that_is_in_it() {
        let files = "//- Assets/A/a.txt\nx\n//- Assets/A/a.txt.meta\nguid: 0a000000000000000000000000000001\n//- Assets/A/.keep\n//- Assets/A.meta\nguid: 0a000000000000000000000000000002\n//- Assets/A/B/Use.cs\nclass A { string a = \"Assets/A/a.txt\"; }\n//- Assets/C.cs\nclass C { string a = \"Assets/A/a.txt\"; }\n";
        let folder = Folder::unity(files);
        let output = call(&folder, json!({ "path": "Assets/A" })).unwrap();
        assert_eq!(output["deleted"], 3);
        assert!(!folder.path("Assets/A").exists() && !folder.path("Assets/A.meta").exists());
        expect![[r#"[{"path":"Assets/C.cs","line":1,"text":"Assets/A/a.txt"}]"#]]
            .assert_eq(&output["mentions"].to_string());
    }
}
