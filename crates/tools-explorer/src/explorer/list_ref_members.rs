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

/// List what is inside the value of a handle.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// A handle, as member reads give it.
    ref_id: String,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<MemberCard>, ToolError> {
    let value = cx.holder().refs.get(&input.ref_id)?;
    cx.world(|world| {
        let members = values::members_of(world, &value).into_iter().map(|(card, _)| card);
        Ok(Range { limit: input.limit, offset: input.offset }.page(members, PAGE))
    })
}
