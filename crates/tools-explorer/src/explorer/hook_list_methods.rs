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
    keywords: "methods that can be intercepted patched intercept could trace",
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

/// List the methods of a class that can be watched. The class must be on the hook allowlist, if there is
/// one.
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

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn filters_and_pages() {
        let sample = UnitySample::with_hook();
        let class = "UnityEngine.GameObject";
        let list = |given| sample.page(super::TOOL.id, given, "Name");
        let all = sample.ask(super::TOOL.id, json!({ "type": class, "limit": 1 }))["Total"].clone();
        let empty =
            sample.ask(super::TOOL.id, json!({ "type": class, "filter": "", "offset": 9999 }));
        assert_eq!(empty, json!({ "Total": all, "Items": [] }));
        expect!["1 of 1: SetActive"]
            .assert_eq(&list(json!({ "type": class, "filter": "SetActive(System.Bool" })));
        expect!["0 of 0: "].assert_eq(&list(json!({ "type": class, "filter": "größe" })));
    }

    #[test]
    fn classes_that_are_not_listed_or_not_there() {
        let sample = UnitySample::new();
        sample.ask("explorer.setConfig", json!({ "hookAllowlistSignatures": ["Zork"] }));
        let refuse = |class: &str| sample.refusal(super::TOOL.id, json!({ "type": class }));
        expect!["Denied: Denied by hook allowlist; SetConfig sets hookAllowlistSignatures: full names of types"].assert_eq(&refuse("UnityEngine.GameObject"));
        expect!["Denied: Denied by hook allowlist; SetConfig sets hookAllowlistSignatures: full names of types"].assert_eq(&refuse("zork"));
        expect!["BadArguments: Type not found"].assert_eq(&refuse("Zork"));
    }
}
