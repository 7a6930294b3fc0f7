//! The tool `explorer.hookListMethods`, `HookListMethods` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::cards::{PAGE, Page, Range};
use crate::world::{InWorld, console};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.hookListMethods",
    explorer: Some("HookListMethods"),
    title: "Methods that can be Watched",
    category: "explorer",
    examples: &[Example {
        description: "List how objects are switched",
        input: r#"{ "type": "UnityEngine.GameObject", "filter": "setactive" }"#,
        output: r#"{ "Total": 1, "Items": [{ "Name": "SetActive", "Signature": "System.Void UnityEngine.GameObject::SetActive(System.Boolean value)" }] }"#,
        varies: &[],
    }],
    after: &[Earlier {
        tool: "explorer.setConfig",
        input: r#"{ "hookAllowlistSignatures": ["UnityEngine.GameObject"] }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<MethodCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the methods of a class that can be watched. The class must be on the hook allowlist.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Full name of the class.
    r#type: String,
    /// Part of the name or the signature, in any case.
    filter: Option<String>,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

/// A method.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct MethodCard {
    /// Its name.
    name: String,
    /// Its signature.
    signature: String,
}

fn run(cx: &Cx, input: Input) -> Result<Page<MethodCard>, ToolError> {
    console::hook_allowed(cx, &input.r#type, "Denied by hook allowlist")?;
    cx.world(|world| {
        let filter = input.filter.unwrap_or_default();
        let methods = hooks::methods(world, &input.r#type, &filter)
            .map_err(|error| ToolError::new(ErrorKind::BadArguments, error.to_string()))?;
        let cards = methods.into_iter().map(|(name, signature)| MethodCard { name, signature });
        Ok(Range { limit: input.limit, offset: input.offset }.page(cards, PAGE))
    })
}
