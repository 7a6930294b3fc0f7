//! The tool `explorer.readRefMember`, `ReadRefMember` in the Explorer interface.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::InWorld;
use crate::world::values::{self, ValueCard};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.readRefMember",
    explorer: Some("ReadRefMember"),
    title: "Value inside a Handle",
    category: "explorer",
    examples: &[Example {
        description: "Read a member of what a member of the Unity sample holds",
        input: r#"{ "refId": "ref:unity:1", "name": "childCount" }"#,
        output: r#"{ "ok": true, "type": "System.Int32", "valueText": "1", "valueJson": 1, "refId": null }"#,
        varies: &[],
    }],
    after: &[Earlier {
        tool: "explorer.readComponentMember",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.CapsuleCollider", "name": "transform" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<ValueCard>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read a member of the value of a handle.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A handle, as member reads give it.
    ref_id: String,
    /// Name of the member.
    name: String,
}

fn run(cx: &Cx, Input { ref_id, name }: Input) -> Result<ValueCard, ToolError> {
    let refs = &cx.holder().refs;
    let value = refs.get(&ref_id)?;
    cx.world(|world| {
        let members = values::members_of(world, &value);
        let (card, value) =
            members.iter().find(|(card, _)| card.name == name).ok_or_else(|| {
                let known = members.iter().map(|(card, _)| card.name.as_str());
                ToolError::new(ErrorKind::EngineError, "Member not found")
                    .hint(suggest::did_you_mean(&name, known, "ListRefMembers names them"))
                    .detail("name", name)
            })?;
        Ok(ValueCard::of(world, refs, &card.r#type, value))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{GROUND, UnitySample};

    #[test]
    fn members_of_an_asset() {
        let sample = UnitySample::new();
        let class = "UnityEngine.MeshRenderer";
        let member =
            json!({ "objectId": GROUND, "componentType": class, "name": "sharedMaterials" });
        let list = sample.ask("explorer.readComponentMember", member)["refId"].clone();
        let items = sample.ask("explorer.listRefItems", json!({ "refId": list }));
        let handle = &items["Items"][0]["refId"];
        let given = |name: &str| json!({ "refId": handle, "name": name });
        expect![[r#"{"ok":true,"type":"System.String","valueText":"Assets/Materials/Stone.mat","valueJson":"Assets/Materials/Stone.mat","refId":null}"#]].assert_eq(&sample.ask(super::TOOL.id, given("path")).to_string());
        expect!["EngineError: Member not found; did you mean path?"]
            .assert_eq(&sample.refusal(super::TOOL.id, given("Path")));
        sample.ask("explorer.releaseRef", json!({ "refId": handle }));
        expect!["EngineError: Not found; handles come from member reads; the oldest of 1024 are forgotten"].assert_eq(&sample.refusal(super::TOOL.id, given("path")));
    }
}
