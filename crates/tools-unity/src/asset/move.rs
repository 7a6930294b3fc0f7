//! The tool `asset.move`: Move Asset.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::{ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::assets::Users;
use crate::base::mentions::Mention;
use crate::base::moves::Moves;
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "asset.move",
    keywords: "rename a file asset folder relocate reorganize keep references guid meta script material prefab scene texture to another folder reorganise path change name picture sound without breaking",
    argument_aliases: &[
        ("oldPath", "path"),
        ("from", "path"),
        ("destination", "newPath"),
        ("to", "newPath"),
    ],
    title: "Move Asset",
    notes: Some(
        "The name inside a prefab or scene stays, as it does in Unity. A class in a script that is renamed stays as well.",
    ),
    category: "asset",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Rename a material of the Unity sample",
        input: r#"{ "path": "Assets/Materials/Stone.mat", "newPath": "Assets/Materials/Granite.mat" }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Materials/Stone.mat",
            "newPath": "Assets/Materials/Granite.mat",
            "moved": 1,
            "usedBy": { "count": 4, "first": ["Assets/Prefabs/Lantern.prefab", "Assets/Prefabs/Room.prefab", "Assets/Scenes/Cellar.unity", "Assets/Scenes/Main.unity"] },
            "mentions": [],
            "mentionsCount": 0,
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Move or rename a file or folder of assets with its `.meta`, so that every reference by guid holds.
/// The name inside of it and the scenes of the build follow; texts in code that name it by path, such
/// as `Resources.Load("…")`, are listed and not changed. Missing folders are made.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The file or folder, such as `Assets/Materials/Stone.mat`.
    path: String,
    /// Where it goes: a whole path with the same ending, or a folder with `/` at its end.
    new_path: String,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Where it was.
    path: String,
    /// Where it is.
    new_path: String,
    /// How many files moved, without metas.
    moved: usize,
    /// Who refers to it by guid; these references hold.
    used_by: Users,
    /// Texts in scripts that name it as it was called, at most twenty; they are not changed.
    mentions: Vec<Mention>,
    /// How many such texts there are.
    mentions_count: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let from = unity.present(&input.path)?;
    let to = target(&unity, &from, &input.new_path)?;
    let mut moves = Moves::new(&unity);
    moves.add(&from, &to)?;
    moves.follow()?;
    let used_by = moves.users();
    let (mentions, mentions_count) = unity.mentions(moves.names())?;
    if mentions_count > 0 {
        cx.diagnose(format!(
            "{mentions_count} texts in scripts may mean it and are not changed; project_editText changes them."
        ));
    }
    let written = moves.plan().commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    Ok(Output {
        success: true,
        path: from.to_string(),
        new_path: to.to_string(),
        moved: moves.count(),
        used_by,
        mentions,
        mentions_count,
        written,
    })
}

fn target(unity: &Unity<'_>, from: &ProjectPath, text: &str) -> Result<ProjectPath, ToolError> {
    let plain = text.trim();
    let folder = plain.trim_end_matches(['/', '\\']);
    let is_into = folder.len() < plain.len() || {
        let there = ProjectPath::parse(unity.project, plain)?;
        unity.is_folder(&there) && !unity.is_folder(from)
    };
    let name = from.as_str().rsplit('/').next().unwrap_or_default();
    match is_into {
        true => unity.asset_place(&format!("{folder}/{name}")),
        false => unity.asset_place(plain),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use scenewright_toolkit::{Settings, testing};
    use serde_json::{Value, json};

    use crate::testing::runner;

    fn call(folder: &Folder, from: &str, to: &str) -> Result<Value, String> {
        let settings = Settings { allow_writes: true, ..Settings::default() };
        let arguments = json!({ "path": from, "newPath": to });
        let outcome = testing::call(&runner(folder.root(), settings), super::TOOL.id, arguments);
        outcome.map(|outcome| (*outcome.output).clone()).map_err(|error| error.message)
    }

    fn diffs(output: &Value) -> String {
        let changes = output["changes"].as_array().unwrap().iter();
        let told = changes.map(|change| {
            let from = change["from"].as_str().map_or(String::new(), |from| format!("{from} -> "));
            let diff = change["diff"].as_str().unwrap_or_default();
            format!("{from}{}\n{diff}", change["path"].as_str().unwrap())
        });
        told.collect()
    }

    #[test]
    fn a_material_keeps_its_guid_and_gets_its_new_name() {
        let folder = Folder::copy_of(&sample("unity"));
        let meta = folder.read("Assets/Materials/Stone.mat.meta");
        let output =
            call(&folder, "Assets/Materials/Stone.mat", "Assets/Rocks/Granite.mat").unwrap();
        let told = diffs(&output);
        // The guid of the new folder is another one each time.
        let told: String = told
            .lines()
            .filter(|line| !line.starts_with("+guid"))
            .fold(String::new(), |text, line| text + line.trim_end() + "\n");
        expect![[r#"
            Assets/Materials/Stone.mat -> Assets/Rocks/Granite.mat
            --- a/Assets/Materials/Stone.mat
            +++ b/Assets/Rocks/Granite.mat
            @@ -7,7 +7,7 @@
               m_CorrespondingSourceObject: {fileID: 0}
               m_PrefabInstance: {fileID: 0}
               m_PrefabAsset: {fileID: 0}
            -  m_Name: Stone
            +  m_Name: Granite
               m_Shader: {fileID: 46, guid: 0000000000000000f000000000000000, type: 0}
               m_Parent: {fileID: 0}
               m_ModifiedSerializedProperties: 0
            Assets/Materials/Stone.mat.meta -> Assets/Rocks/Granite.mat.meta
            Assets/Rocks.meta
            --- /dev/null
            +++ b/Assets/Rocks.meta
            @@ -0,0 +1,8 @@
            +fileFormatVersion: 2
            +folderAsset: yes
            +DefaultImporter:
            +  externalObjects: {}
            +  userData:
            +  assetBundleName:
            +  assetBundleVariant:
        "#]]
        .assert_eq(&told);
        assert_eq!(folder.read("Assets/Rocks/Granite.mat.meta"), meta);
        assert!(!folder.path("Assets/Materials/Stone.mat.meta").exists());
    }

    #[test]
    fn scenes_of_the_build_follow_and_texts_in_code_are_told() {
        let folder = Folder::copy_of(&sample("unity"));
        folder.write("Assets/Go.cs", "class Go { void A() { Load(\"Main\"); } }\n");
        let before = folder.read("Assets/Scenes/Main.unity");
        let output = call(&folder, "Assets/Scenes", "Assets/Levels/All").unwrap();
        assert_eq!(output["moved"], 2);
        let build = folder.read("ProjectSettings/EditorBuildSettings.asset");
        assert!(build.contains("path: Assets/Levels/All/Main.unity\n"), "{build}");
        assert!(build.contains("path: Assets/Levels/All/Cellar.unity\n"), "{build}");
        assert_eq!(folder.read("Assets/Levels/All/Main.unity"), before);
        assert!(folder.path("Assets/Levels.meta").exists());
        assert!(folder.path("Assets/Levels/All.meta").exists());
        assert!(!folder.path("Assets/Scenes").exists());
        assert_eq!(output["mentions"], json!([]));
        let output = call(&folder, "Assets/Levels/All/Main.unity", "Assets/Levels/First.unity");
        let mentions = &output.unwrap()["mentions"];
        assert_eq!(*mentions, json!([{ "path": "Assets/Go.cs", "line": 1, "text": "Main" }]));
    }

    #[test]
    fn scenes_of_build_profiles_follow_also_when_these_move() {
        let scene = "m_enabled: 1\n    m_path: Assets/A/One.unity\n    m_guid: aa000000000000000000000000000001\n";
        let profile = format!(
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!114 &11400000\nMonoBehaviour:\n  m_Name: Web\n  m_Scenes:\n  - {scene}  m_Other: 1\n"
        );
        let folder = Folder::unity(&format!(
            "//- Assets/A/One.unity\n//- Assets/A/Build Profiles/Web.asset\n{profile}//- Assets/Build Profiles/Two.asset\n{profile}"
        ));
        call(&folder, "Assets/A", "Assets/B").unwrap();
        let expected = profile.replace("Assets/A/One", "Assets/B/One");
        assert_eq!(folder.read("Assets/B/Build Profiles/Web.asset"), expected);
        assert_eq!(folder.read("Assets/Build Profiles/Two.asset"), expected);
    }

    #[test]
    fn a_path_without_assets_is_told_with_it() {
        let folder = Folder::copy_of(&sample("unity"));
        let settings = Settings { allow_writes: true, ..Settings::default() };
        let arguments = json!({ "path": "Materials/Stone.mat", "newPath": "Assets/Stone.mat" });
        let moved = testing::call(&runner(folder.root(), settings), super::TOOL.id, arguments);
        let hint = moved.unwrap_err().hint;
        assert_eq!(hint.as_deref(), Some("did you mean Assets/Materials/Stone.mat?"));
    }

    #[test]
    fn what_cannot_be_is_refused_and_nothing_changes() {
        let folder = Folder::copy_of(&sample("unity"));
        let refused = |from: &str, to: &str| call(&folder, from, to).unwrap_err();
        let stone = "Assets/Materials/Stone.mat";
        expect!["Assets/Materials/Flame.mat exists already"]
            .assert_eq(&refused(stone, "Assets/Materials/Flame.mat"));
        expect!["Assets/Materials/Inner is inside of Assets/Materials"]
            .assert_eq(&refused("Assets/Materials", "Assets/Materials/Inner"));
        expect!["Assets/Materials/Stone.txt would be of another kind: Assets/Materials/Stone.mat ends in '.mat'"]
            .assert_eq(&refused(stone, "Assets/Materials/Stone.txt"));
        expect!["Path must be under Assets/ or Packages/: ProjectSettings/Stone.mat"]
            .assert_eq(&refused(stone, "ProjectSettings/Stone.mat"));
        expect!["Path must be inside the project: ../Stone.mat"]
            .assert_eq(&refused(stone, "../Stone.mat"));
        expect!["Assets/Materials/con.mat cannot be made: 'con.mat' is a device on Windows"]
            .assert_eq(&refused(stone, "Assets/Materials/con.mat"));
        expect!["Assets/Materials/Stone.mat.meta goes with its asset"]
            .assert_eq(&refused("Assets/Materials/Stone.mat.meta", "Assets/a.meta"));
        expect!["Assets stays where it is"].assert_eq(&refused("Assets", "Assets/A"));
        expect!["Asset at path 'Assets/Materials/Ston.mat' not found"]
            .assert_eq(&refused("Assets/Materials/Ston.mat", "Assets/A.mat"));
        assert!(folder.path(stone).exists() && !folder.path("Assets/Materials/Inner").exists());
    }

    #[test]
    fn the_case_of_a_name_can_change() {
        let folder = Folder::copy_of(&sample("unity"));
        let stone = "Assets/Materials/Stone.mat";
        call(&folder, stone, "Assets/Materials/STONE.mat").unwrap();
        assert!(folder.path("Assets/Materials/STONE.mat.meta").exists());
        let names = std::fs::read_dir(folder.path("Assets/Materials")).unwrap();
        let names: Vec<_> = names.map(|entry| entry.unwrap().file_name()).collect();
        assert!(!names.iter().any(|name| name == "Stone.mat"), "{names:?}");
    }
}
