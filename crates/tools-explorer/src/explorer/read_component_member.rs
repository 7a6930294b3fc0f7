//! The tool `explorer.readComponentMember`, `ReadComponentMember` in the Explorer interface.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::Refused;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::values::ValueCard;
use crate::world::{InWorld, found, object_id, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.readComponentMember",
    explorer: Some("ReadComponentMember"),
    title: "Value of a Member",
    category: "explorer",
    examples: &[Example {
        description: "Read the height of a collider of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.CapsuleCollider", "name": "height" }"#,
        output: r#"{ "ok": true, "type": "System.Single", "valueText": "1.8", "valueJson": 1.8, "refId": null }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<ValueCard>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read a field or property of a component.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the component's class, as GetComponents gives it.
    component_type: String,
    /// Name of the field or property.
    name: String,
}

fn run(cx: &Cx, input: Input) -> Result<ValueCard, ToolError> {
    let id = object_id(&input.object_id)?;
    cx.world(|world| {
        let object = found(world, id)?;
        let component = object.component(&input.component_type);
        let component = component.ok_or(Refused::NoComponent).map_err(refused)?.id();
        let members = world.members(component);
        let member = members.iter().find(|member| *member.name == *input.name);
        let value = world.member(component, &input.name);
        let (Some(member), Some(value)) = (member, value) else {
            return Err(ToolError::new(ErrorKind::EngineError, "Member not found")
                .hint("ListComponentMembers names them")
                .detail("name", input.name));
        };
        Ok(ValueCard::of(world, &cx.holder().refs, &member.type_name, &value))
    })
}
