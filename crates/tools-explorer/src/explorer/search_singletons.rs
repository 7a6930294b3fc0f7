//! The tool `explorer.searchSingletons`, `SearchSingletons` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Value;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::cards::{self, PAGE, Page, Range};
use crate::world::search::Query;
use crate::world::{InWorld, singletons};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.searchSingletons",
    keywords: "Instance GameManager singleton manager",
    explorer: Some("SearchSingletons"),
    title: "Search Singletons",
    category: "explorer",
    examples: &[Example {
        description: "Find singletons of the Unity sample",
        input: r#"{ "query": "keep" }"#,
        output: r#"{ "Total": 0, "Items": [] }"#,
        varies: &["Total", "Items"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<SingletonCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find classes that keep their one instance in a static member, and that instance.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Part of the full name, in any case.
    query: String,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

/// A class with one instance.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct SingletonCard {
    /// `singleton:<full name>`.
    id: String,
    /// Full name of the class that keeps the instance.
    declaring_type: String,
    /// Full name of the instance's class.
    instance_type: String,
    /// What the instance says of itself.
    preview: String,
    /// The instance's id, when it is a GameObject.
    object_id: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<SingletonCard>, ToolError> {
    let query = Query::parse(&input.query)?;
    cx.world(|world| {
        let found = singletons::all(world).into_iter();
        let found = found.filter(|known| query.is_in(&known.ty.full_name));
        let cards: Vec<SingletonCard> = found
            .map(|known| {
                let instance = Value::Component(known.instance);
                SingletonCard {
                    id: format!("singleton:{}", known.ty.full_name),
                    declaring_type: known.ty.full_name.to_string(),
                    instance_type: world.type_of(&instance).to_string(),
                    preview: cards::preview(&world.describe(&instance)),
                    object_id: None,
                }
            })
            .collect();
        Ok(Range { limit: input.limit, offset: input.offset }.page(cards, PAGE))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn the_instance_is_found_while_it_is_there() {
        let sample = UnitySample::new();
        let search = || sample.ask(super::TOOL.id, json!({ "query": "CONTROLLER" }));
        expect![[r#"[{"Id":"singleton:LanternKeep.PlayerController","DeclaringType":"LanternKeep.PlayerController","InstanceType":"LanternKeep.PlayerController","Preview":"Player (LanternKeep.PlayerController)","ObjectId":null}]"#]].assert_eq(&search()["Items"].to_string());
        sample.eval(r#"Object.DontDestroyOnLoad(GameObject.Find("Player"));"#);
        sample.ask("explorer.loadScene", json!({ "name": "Cellar" }));
        assert_eq!(search()["Total"], 1, "it outlived its scene");
        sample.ask("explorer.destroyObject", json!({ "objectId": PLAYER }));
        assert_eq!(search()["Total"], 0);
    }

    #[test]
    fn queries_that_find_nothing() {
        let sample = UnitySample::new();
        let search = |given| sample.page(super::TOOL.id, given, "Id");
        expect!["0 of 0: "].assert_eq(&search(json!({ "query": "singleton:" })));
        expect!["0 of 0: "].assert_eq(&search(json!({ "query": "GameState" })));
        expect!["0 of 1: "].assert_eq(&search(json!({ "query": "keep", "offset": 1 })));
        expect!["BadArguments: query is required"]
            .assert_eq(&sample.refusal(super::TOOL.id, json!({ "query": " " })));
    }
}
