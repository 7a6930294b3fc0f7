//! The tool `explorer.listBuildScenes`, `ListBuildScenes` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;
use crate::world::cards::{Page, Range, SCENE_PAGE};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listBuildScenes",
    keywords: "levels build",
    explorer: Some("ListBuildScenes"),
    title: "Scenes of the Build",
    category: "explorer",
    examples: &[Example {
        description: "List the first scene that the Unity sample is built with",
        input: r#"{ "limit": 1 }"#,
        output: r#"{
            "Total": 2,
            "Items": [{ "Index": 0, "Name": "Main", "Path": "Assets/Scenes/Main.unity" }]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<BuildSceneCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the scenes that the game is built with; LoadScene takes their names.
#[derive(Deserialize, JsonSchema)]
struct Input {
    /// How many at most; 50 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

/// A scene of the build settings.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct BuildSceneCard {
    /// Its place in the build.
    index: usize,
    /// Its name.
    name: String,
    /// Its file.
    path: String,
}

fn run(cx: &Cx, Input { limit, offset }: Input) -> Result<Page<BuildSceneCard>, ToolError> {
    cx.world(|world| {
        let cards = world.build_scenes().iter().enumerate().map(|(index, scene)| BuildSceneCard {
            index,
            name: scene.name.to_string(),
            path: scene.path.to_string(),
        });
        Ok(Range { limit, offset }.page(cards, SCENE_PAGE))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn scenes_that_are_not_built_are_left_out() {
        let sample = UnitySample::new();
        let file = "ProjectSettings/EditorBuildSettings.asset";
        let settings = sample.read(file).replacen("enabled: 1", "enabled: 0", 1);
        sample.write(file, &settings);
        let page = sample.ask(super::TOOL.id, json!({}));
        let cellar = json!({ "Index": 0, "Name": "Cellar", "Path": "Assets/Scenes/Cellar.unity" });
        assert_eq!(page, json!({ "Total": 1, "Items": [cellar] }));
    }

    #[test]
    fn pages() {
        let sample = UnitySample::new();
        let list = |given| sample.page(super::TOOL.id, given, "Name");
        expect!["1 of 2: Cellar"].assert_eq(&list(json!({ "offset": 1 })));
        expect!["1 of 2: Main"].assert_eq(&list(json!({ "limit": -1, "offset": -1 })));
        expect!["0 of 2: "].assert_eq(&list(json!({ "offset": 2 })));
        assert_eq!(UnitySample::of("").ask(super::TOOL.id, json!({}))["Total"], 0);
    }
}
