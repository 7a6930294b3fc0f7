//! The tool `explorer.searchObjects`, `SearchObjects` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Filter;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::{ObjectCard, Page, Range};
use crate::world::{InWorld, search};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.searchObjects",
    keywords: "find name live world gameobject",
    explorer: Some("SearchObjects"),
    title: "Search Objects of the World",
    category: "explorer",
    examples: &[Example {
        description: "Find the camera of the Unity sample",
        input: r#"{ "type": "Camera", "limit": 1 }"#,
        output: r#"{
            "Total": 1,
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

/// Search the objects of all loaded scenes; everything that is given must hold.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Part of the name or the path, in any case.
    query: Option<String>,
    /// Part of the name, in any case.
    name: Option<String>,
    /// Class of a component, with or without its namespace; derived ones count.
    r#type: Option<String>,
    /// Part of the path, in any case.
    path: Option<String>,
    /// Only objects that are active with all their parents.
    active_only: Option<bool>,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<ObjectCard>, ToolError> {
    cx.world(|world| {
        let filter = Filter {
            query: input.query,
            name: input.name,
            path: input.path,
            type_name: input.r#type,
            active_only: input.active_only.unwrap_or(false),
        };
        let range = Range { limit: input.limit, offset: input.offset };
        Ok(search::objects(world, &world.roots(), &filter, range))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn letters_of_any_alphabet_are_found_in_any_case() {
        let sample = UnitySample::new();
        sample.eval(r#"new GameObject("GRÖSSE ДОМ"); new GameObject("Größe");"#);
        let search = |given| sample.page(super::TOOL.id, given, "Name");
        expect!["1 of 1: Größe"].assert_eq(&search(json!({ "query": "größe" })));
        expect!["1 of 1: GRÖSSE ДОМ"].assert_eq(&search(json!({ "query": "дом" })));
        sample.ask("explorer.loadScene", json!({ "name": "Cellar", "discard": true }));
        expect!["1 of 1: Rune Stone ᚠ"].assert_eq(&search(json!({ "name": "ᚠ" })));
    }

    #[test]
    fn a_query_without_letters_finds_all() {
        let sample = UnitySample::new();
        let total = |given| sample.ask(super::TOOL.id, given)["Total"].clone();
        assert_eq!(total(json!({})), 20);
        assert_eq!(total(json!({ "query": " ", "name": "", "path": "\t", "type": "" })), 20);
        assert_eq!(total(json!({ "query": "/", "offset": 100 })), 20);
        assert_eq!(total(json!({ "type": "Transform" })), 20);
        assert_eq!(total(json!({ "type": "camera", "query": "light" })), 0);
    }
}
