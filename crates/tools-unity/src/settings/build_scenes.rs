//! The tool `settings.buildScenes`: Set Scenes of the Build.

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::{self, Item, New, Refused};
use scenewright_unity::index::AssetKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{settings, texts};
use crate::base::draft::{self, Draft};
use crate::base::{InUnity, Unity};

/// Where the list is.
const FILE: &str = "ProjectSettings/EditorBuildSettings.asset";
const LIST: &str = "m_Scenes";

pub(crate) const TOOL: Tool = Tool {
    id: "settings.buildScenes",
    keywords: "scenes in build settings add remove enable disable order first scene editor build settings",
    title: "Set Scenes of the Build",
    category: "settings",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Leave a scene out of the build of the Unity sample",
        input: r#"{ "project": "unity", "disable": ["Assets/Scenes/Cellar.unity"] }"#,
        output: r#"{
            "success": true,
            "scenes": [{ "path": "Assets/Scenes/Main.unity", "enabled": true }, { "path": "Assets/Scenes/Cellar.unity", "enabled": false }],
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

/// Change the list of scenes that are built: remove, enable and disable some, add others at the end or
/// at a place. The first enabled scene is the one that a game starts with.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Scenes to add, by their paths; one that is listed already is moved to where others come.
    #[serde(default)]
    add: Vec<String>,
    /// Where those come; last by default.
    index: Option<usize>,
    /// Scenes to take from the list.
    #[serde(default)]
    remove: Vec<String>,
    /// Scenes that are built from now on.
    #[serde(default)]
    enable: Vec<String>,
    /// Scenes that stay in the list and are not built.
    #[serde(default)]
    disable: Vec<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The list.
    scenes: Vec<Listed>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Listed {
    /// The scene.
    path: String,
    /// Whether it is built.
    enabled: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    let mut file = Draft::open(cx, project, FILE)?;
    let known = texts(file.document(), LIST, Some("path"));
    let items = items(&unity, &input, &known)?;
    file.change(|document, manner, edits| {
        let object = settings(document).ok_or_else(|| Refused::NoPlace(LIST.into()))?;
        edit::set_list(object, LIST, &items, manner, edits)
    })?;
    for (paths, value) in [(&input.enable, 1), (&input.disable, 0)] {
        for path in paths {
            let listed = texts(file.document(), LIST, Some("path"));
            let at = position(&listed, path)?;
            file.change(|document, manner, edits| {
                let object = settings(document).ok_or_else(|| Refused::NoPlace(LIST.into()))?;
                let field = format!("{LIST}.Array.data[{at}].enabled");
                edit::set(object, &field, &New::int(value), manner, edits)
            })?;
        }
    }
    let states = texts(file.document(), LIST, Some("enabled"));
    let paths = texts(file.document(), LIST, Some("path")).into_iter().zip(states);
    let scenes = paths.map(|(path, state)| Listed { path, enabled: state == "1" }).collect();
    let written = draft::commit(cx, project, &[&file], input.dry_run)?;
    Ok(Output { success: true, scenes, written })
}

/// The list without what is removed, and with what is added.
fn items(unity: &Unity<'_>, input: &Input, known: &[String]) -> Result<Vec<Item>, ToolError> {
    for path in &input.remove {
        position(known, path)?;
    }
    let mut added = Vec::new();
    for path in &input.add {
        let asset = unity.asset(Some(path), None)?;
        let (path, guid) = (asset.path(), asset.guid());
        let Some(guid) = guid.filter(|_| asset.kind() == AssetKind::Scene) else {
            let text = format!("{path} is no scene with a .meta");
            return Err(ToolError::new(ErrorKind::EngineError, text).hint("nothing was changed"));
        };
        added.push(match known.iter().position(|other| *other == path) {
            Some(at) => Item::Old(at),
            None => Item::New(New::Map(vec![
                ("enabled".to_owned(), New::int(1)),
                ("path".to_owned(), New::Text(path)),
                ("guid".to_owned(), New::Number(guid.to_string())),
            ])),
        });
    }
    let is_kept =
        |at: &usize| !input.remove.contains(&known[*at]) && !added.contains(&Item::Old(*at));
    let mut items: Vec<Item> = (0..known.len()).filter(is_kept).map(Item::Old).collect();
    let place = input.index.unwrap_or(items.len()).min(items.len());
    items.splice(place..place, added);
    Ok(items)
}

fn position(known: &[String], path: &str) -> Result<usize, ToolError> {
    known.iter().position(|other| other == path).ok_or_else(|| {
        let text = format!("the build has no scene {path}");
        let names = known.iter().map(String::as_str);
        let hint = suggest::did_you_mean(path, names, "nothing was changed");
        ToolError::new(ErrorKind::EngineError, text).hint(hint)
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn scenes_come_go_and_move() {
        let bench = bench();
        let (main, cellar) = ("Assets/Scenes/Main.unity", "Assets/Scenes/Cellar.unity");
        expect![[r#"
            --- a/ProjectSettings/EditorBuildSettings.asset
            +++ b/ProjectSettings/EditorBuildSettings.asset
            @@ -6,11 +6,11 @@
               serializedVersion: 2
               m_Scenes:
               - enabled: 1
            +    path: Assets/Scenes/Cellar.unity
            +    guid: 5ed7c18fead47ec3d5f44386c7cf0a38
            +  - enabled: 0
                 path: Assets/Scenes/Main.unity
                 guid: 5a0098e77509371cb967eb145ea31b37
            -  - enabled: 1
            -    path: Assets/Scenes/Cellar.unity
            -    guid: 5ed7c18fead47ec3d5f44386c7cf0a38
               m_configObjects:
                 com.unity.addressableassets: {fileID: 11400000, guid: 2ef3c5c21e44a8549ec4da3a399cc643, type: 2}
                 com.unity.localization.settings: {fileID: 11400000, guid: 06deda18c5a86794d64509cc49973e7b, type: 2}
        "#]].assert_eq(
            &bench.diff(super::TOOL.id, json!({ "add": [cellar], "index": 0, "disable": [main] })),
        );
        bench
            .call(
                "asset.duplicate",
                json!({ "path": cellar, "newPath": "Assets/Scenes/Attic.unity" }),
            )
            .unwrap();
        let guid = bench.read("Assets/Scenes/Attic.unity.meta");
        let guid = guid.lines().nth(1).unwrap().replace("guid: ", "");
        let diff = bench.diff(
            super::TOOL.id,
            json!({ "add": ["Assets/Scenes/Attic.unity"], "remove": [main] }),
        );
        expect![[r#"
            --- a/ProjectSettings/EditorBuildSettings.asset
            +++ b/ProjectSettings/EditorBuildSettings.asset
            @@ -8,9 +8,9 @@
               - enabled: 1
                 path: Assets/Scenes/Cellar.unity
                 guid: 5ed7c18fead47ec3d5f44386c7cf0a38
            -  - enabled: 0
            -    path: Assets/Scenes/Main.unity
            -    guid: 5a0098e77509371cb967eb145ea31b37
            +  - enabled: 1
            +    path: Assets/Scenes/Attic.unity
            +    guid: (guid of the attic)
               m_configObjects:
                 com.unity.addressableassets: {fileID: 11400000, guid: 2ef3c5c21e44a8549ec4da3a399cc643, type: 2}
                 com.unity.localization.settings: {fileID: 11400000, guid: 06deda18c5a86794d64509cc49973e7b, type: 2}
        "#]].assert_eq(&diff.replace(&guid, "(guid of the attic)"));
        let errors = [
            bench.error(super::TOOL.id, json!({ "remove": [main] })),
            bench.error(super::TOOL.id, json!({ "enable": ["Assets/Scenes/Celler.unity"] })),
            bench.error(super::TOOL.id, json!({ "add": ["Assets/Materials/Stone.mat"] })),
        ];
        expect![[r#"
            the build has no scene Assets/Scenes/Main.unity; did you mean Assets/Scenes/Attic.unity or Assets/Scenes/Cellar.unity?
            the build has no scene Assets/Scenes/Celler.unity; did you mean Assets/Scenes/Cellar.unity?
            Assets/Materials/Stone.mat is no scene with a .meta; nothing was changed"#]].assert_eq(&errors.join("\n"));
    }
}
