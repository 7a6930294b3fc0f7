//! The tool `explorer.setMember`, `SetMember` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world::{self as world, ObjectId};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Done, WORLD};
use crate::world::{InWorld, allowed, component_of, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.setMember",
    explorer: Some("SetMember"),
    title: "Set a Member",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    at_once: true,
    examples: &[Example {
        description: "Move the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.Transform", "member": "localPosition", "jsonValue": "[1, 2, 3]" }"#,
        output: r#"{ "ok": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Done>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set a field or property of a component. `<componentType>.<member>` must be on the interface's
/// member allowlist.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Full name of the component's class, or of a base of it.
    component_type: String,
    /// Name of the field or property.
    member: String,
    /// The value as JSON text: `5`, `"text"`, `[1,2,3]`, `{"x":1,"y":2,"z":3}`, an enum's name.
    json_value: String,
}

fn run(cx: &Cx, input: Input) -> Result<Done, ToolError> {
    allowed::member(cx, &input.component_type, &input.member)?;
    let id = ObjectId::parse(&input.object_id)
        .map_err(|_| ToolError::new(ErrorKind::BadArguments, "Invalid id"))?;
    let json: Value = serde_json::from_str(&input.json_value).map_err(|error| {
        let message = format!("jsonValue is not JSON: {error}");
        ToolError::new(ErrorKind::BadArguments, message).hint("text needs quotes: \"\\\"text\\\"\"")
    })?;
    cx.world(|world| {
        let component = component_of(world, id, &input.component_type)?;
        let members = world.members(component);
        let member = members.iter().find(|member| *member.name == *input.member);
        let member = member.filter(|member| member.can_write && !member.is_static);
        let member =
            member.ok_or_else(|| ToolError::new(ErrorKind::BadArguments, "Member not writable"))?;
        let value = world.value_from_json(&json, &member.type_name).map_err(|error| {
            ToolError::new(ErrorKind::BadArguments, error.to_string())
                .detail("member", &*input.member)
        })?;
        let target = world::Value::Component(component);
        hooks::set_property(world, &target, &input.member, value).map_err(refused)
    })?;
    Ok(Done::OK)
}
