//! The tool `explorer.listRefMembers`, `ListRefMembers` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::InWorld;
use crate::world::cards::{PAGE, Page, Range};
use crate::world::values::{self, MemberCard};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listRefMembers",
    explorer: Some("ListRefMembers"),
    title: "Members of a Handle",
    category: "explorer",
    examples: &[Example {
        description: "List what a member of the Unity sample holds",
        input: r#"{ "refId": "ref:unity:1" }"#,
        output: r#"{ "Total": 1, "Items": [] }"#,
        varies: &["Total", "Items"],
    }],
    after: &[Earlier {
        tool: "explorer.readComponentMember",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.CapsuleCollider", "name": "transform" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<MemberCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List what is inside the value of a handle, and the methods of an object or component if they are
/// wanted.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A handle, as member reads give it.
    ref_id: String,
    /// Methods, too.
    #[serde(default)]
    include_methods: bool,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<MemberCard>, ToolError> {
    let value = cx.holder().refs.get(&input.ref_id)?;
    cx.world(|world| {
        let members = values::members_of(world, &value).into_iter().map(|(card, _)| card);
        let methods = values::methods_of(world, &value, input.include_methods);
        let range = Range { limit: input.limit, offset: input.offset };
        Ok(range.page(members.chain(methods), PAGE))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{GROUND, PLAYER, UnitySample};

    fn handle(sample: &UnitySample, id: &str, class: &str, name: &str) -> Value {
        let member = json!({ "objectId": id, "componentType": class, "name": name });
        sample.ask("explorer.readComponentMember", member)["refId"].clone()
    }

    #[test]
    fn an_asset_has_a_name_and_a_path_and_a_list_nothing() {
        let sample = UnitySample::new();
        let list = |handle| sample.page(super::TOOL.id, json!({ "refId": handle }), "Name");
        let class = "UnityEngine.MeshRenderer";
        let materials = handle(&sample, GROUND, class, "sharedMaterials");
        expect!["0 of 0: "].assert_eq(&list(materials.clone()));
        let items = sample.ask("explorer.listRefItems", json!({ "refId": materials }));
        expect!["2 of 2: name, path"].assert_eq(&list(items["Items"][0]["refId"].clone()));
        expect!["EngineError: Not found; handles come from member reads; the oldest of 1024 are forgotten"]
            .assert_eq(&sample.refusal(super::TOOL.id, json!({ "refId": "ref:unity:99" })));
    }

    #[test]
    fn methods_follow_when_they_are_wanted() {
        let sample = UnitySample::new();
        let object = handle(&sample, PLAYER, "UnityEngine.Rigidbody", "gameObject");
        let names = |wanted: bool| {
            let given = json!({ "refId": object, "includeMethods": wanted });
            sample.page(super::TOOL.id, given, "Name")
        };
        assert!(names(true).contains("SetActive") && !names(false).contains("SetActive"));
    }

    #[test]
    fn what_is_gone_has_no_members() {
        let sample = UnitySample::new();
        let object = handle(&sample, PLAYER, "UnityEngine.Rigidbody", "gameObject");
        let given = json!({ "refId": object, "limit": 1 });
        let before = sample.ask(super::TOOL.id, given.clone());
        assert_eq!(before["Items"].as_array().unwrap().len(), 1);
        sample.ask("explorer.destroyObject", json!({ "objectId": PLAYER }));
        assert_eq!(sample.ask(super::TOOL.id, given), json!({ "Total": 0, "Items": [] }));
    }
}
