//! The tool `explorer.listScenes`, `ListScenes` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::InWorld;
use crate::world::cards::{self, Page, Range, SCENE_PAGE, SceneCard};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listScenes",
    keywords: "which scenes are loaded right now open opened",
    explorer: Some("ListScenes"),
    title: "Loaded Scenes",
    category: "explorer",
    examples: &[Example {
        description: "List the loaded scene of the Unity sample",
        input: r#"{ "limit": 1 }"#,
        output: r#"{
            "Total": 3,
            "Items": [
                { "Id": "scn:0", "Name": "Main", "Index": 0, "IsLoaded": true, "RootCount": 8 }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<SceneCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the scenes of the world: the loaded ones, then those that hold what belongs to none.
#[derive(Deserialize, JsonSchema)]
struct Input {
    /// How many at most; 50 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, Input { limit, offset }: Input) -> Result<Page<SceneCard>, ToolError> {
    cx.world(|world| Ok(Range { limit, offset }.page(cards::scenes(world), SCENE_PAGE)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn a_project_without_scenes_has_the_two_of_what_belongs_to_none() {
        let empty = UnitySample::of("");
        let list = |given| empty.page(super::TOOL.id, given, "Id");
        expect!["2 of 2: scn:ddol, scn:hide"].assert_eq(&list(json!({})));
        expect!["1 of 2: scn:hide"].assert_eq(&list(json!({ "offset": 1 })));
        expect!["0 of 2: "].assert_eq(&list(json!({ "offset": 2 })));
    }

    #[test]
    fn what_outlives_its_scene_is_a_root_elsewhere() {
        let sample = UnitySample::new();
        sample.eval(r#"Object.DontDestroyOnLoad(GameObject.Find("Lanterns"));"#);
        let scenes = sample.ask(super::TOOL.id, json!({}));
        let roots: Vec<_> = (0..3).map(|at| &scenes["Items"][at]["RootCount"]).collect();
        assert_eq!(roots, [7, 1, 0]);
    }
}
