//! The tool `explorer.listComponentMembers`, `ListComponentMembers` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Refused;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::{PAGE, Page, Range};
use crate::world::values::MemberCard;
use crate::world::{InWorld, found, object_id, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listComponentMembers",
    explorer: Some("ListComponentMembers"),
    title: "Members of a Component",
    category: "explorer",
    examples: &[Example {
        description: "List the first member of a collider of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.CapsuleCollider", "limit": 1 }"#,
        output: r#"{ "Total": 1, "Items": [] }"#,
        varies: &["Total", "Items"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<MemberCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the fields and properties of a component, and its methods if they are wanted.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the component's class, as GetComponents gives it.
    component_type: String,
    /// Methods, too.
    #[serde(default)]
    include_methods: bool,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<MemberCard>, ToolError> {
    let id = object_id(&input.object_id)?;
    cx.world(|world| {
        let object = found(world, id)?;
        let component = object.component(&input.component_type);
        let component = component.ok_or(Refused::NoComponent).map_err(refused)?.id();
        let members = world.members(component);
        let members = members.iter().filter(|member| !member.is_static).map(MemberCard::of);
        let methods = world.types().methods(&input.component_type);
        let methods = methods.filter(|(_, method)| input.include_methods && !method.is_static);
        let methods = methods.map(|(_, method)| MemberCard::of_method(method));
        let range = Range { limit: input.limit, offset: input.offset };
        Ok(range.page(members.chain(methods), PAGE))
    })
}
