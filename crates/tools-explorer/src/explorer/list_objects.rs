//! The tool `explorer.listObjects`, `ListObjects` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Filter;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::{self, ObjectCard, Page, Range};
use crate::world::{InWorld, search};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listObjects",
    keywords: "root objects loaded scene",
    explorer: Some("ListObjects"),
    title: "Objects of a Scene",
    category: "explorer",
    examples: &[Example {
        description: "List the first object of the Unity sample's scene",
        input: r#"{ "sceneId": "scn:0", "limit": 1 }"#,
        output: r#"{
            "Total": 20,
            "Items": [
                {
                    "Id": "obj:1279963751",
                    "Name": "Main Camera",
                    "Path": "/Main Camera",
                    "Tag": "MainCamera",
                    "Layer": 0,
                    "Active": true,
                    "ComponentCount": 3
                }
            ]
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<ObjectCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the objects of one scene or of all, parents before children, inactive ones too.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `scn:<n>`; every loaded scene by default. An unknown one has no objects.
    scene_id: Option<String>,
    /// Part of the name, in any case.
    name: Option<String>,
    /// Class of a component, with or without its namespace; derived ones count.
    r#type: Option<String>,
    /// Only objects that are active with all their parents.
    active_only: Option<bool>,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<ObjectCard>, ToolError> {
    cx.world(|world| {
        let roots = cards::roots_of(world, input.scene_id.as_deref());
        let filter = Filter {
            name: input.name,
            type_name: input.r#type,
            active_only: input.active_only.unwrap_or(false),
            ..Filter::default()
        };
        let range = Range { limit: input.limit, offset: input.offset };
        Ok(search::objects(world, &roots, &filter, range))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn scenes_are_told_apart_and_what_outlives_them_has_its_own() {
        let sample = UnitySample::new();
        sample.ask("explorer.loadScene", json!({ "name": "Cellar", "mode": "additive" }));
        sample.eval(r#"Object.DontDestroyOnLoad(GameObject.Find("Lanterns"));"#);
        let list = |given| sample.page(super::TOOL.id, given, "Name");
        let cameras = |scene: &str| list(json!({ "sceneId": scene, "type": "Camera" }));
        expect!["1 of 1: Main Camera"].assert_eq(&cameras("scn:0"));
        expect!["1 of 1: Cellar Camera"].assert_eq(&cameras("scn:1"));
        expect!["2 of 2: Main Camera, Cellar Camera"].assert_eq(&cameras(" "));
        expect!["0 of 0: "].assert_eq(&cameras("scn:-1"));
        expect!["2 of 8: Lanterns, Gate Lantern"]
            .assert_eq(&list(json!({ "sceneId": "scn:ddol", "limit": 2 })));
        expect!["0 of 0: "].assert_eq(&list(json!({ "sceneId": "scn:0", "name": "lanterns" })));
    }

    #[test]
    fn a_filter_without_letters_filters_nothing() {
        let sample = UnitySample::new();
        let list = |given| sample.ask(super::TOOL.id, given)["Total"].clone();
        assert_eq!(list(json!({ "name": "", "type": " " })), 20);
        assert_eq!(list(json!({ "name": "%" })), 0);
        assert_eq!(list(json!({ "activeOnly": false })), 20);
    }
}
