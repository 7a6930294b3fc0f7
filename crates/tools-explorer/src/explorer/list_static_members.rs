//! The tool `explorer.listStaticMembers`, `ListStaticMembers` in the Explorer interface.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::InWorld;
use crate::world::cards::{PAGE, Page, Range};
use crate::world::values::MemberCard;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.listStaticMembers",
    explorer: Some("ListStaticMembers"),
    title: "Members of a Static Class",
    category: "explorer",
    examples: &[Example {
        description: "Ask for a class of the Unity sample",
        input: r#"{ "typeFullName": "LanternKeep.GameState" }"#,
        output: r#"{ "Total": 0, "Items": [] }"#,
        varies: &["Total", "Items"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<MemberCard>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// List the members of one of the project's static classes.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Full name of the class.
    type_full_name: String,
    /// Methods, too.
    #[serde(default)]
    include_methods: bool,
    /// How many at most; 100 by default.
    limit: Option<i64>,
    /// How many to pass over.
    offset: Option<i64>,
}

fn run(cx: &Cx, input: Input) -> Result<Page<MemberCard>, ToolError> {
    cx.world(|world| {
        let ty = world.types().get(&input.type_full_name).filter(|ty| ty.is_static);
        let ty = ty.ok_or_else(|| {
            ToolError::new(ErrorKind::EngineError, "Type not found")
                .hint("SearchStaticClasses finds them")
                .detail("type", &*input.type_full_name)
        })?;
        let methods = ty.methods.iter().filter(|_| input.include_methods);
        let members = ty.members.iter().map(MemberCard::of);
        let range = Range { limit: input.limit, offset: input.offset };
        Ok(range.page(members.chain(methods.map(MemberCard::of_method)), PAGE))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn methods_follow_when_they_are_wanted() {
        let sample = UnitySample::new();
        let class = "LanternKeep.GameState";
        let list = |given| sample.page(super::TOOL.id, given, "Name");
        expect!["2 of 2: Score, LitLanterns"].assert_eq(&list(json!({ "typeFullName": class })));
        expect!["5 of 5: Score, LitLanterns, AddScore, ReportLantern, Reset"]
            .assert_eq(&list(json!({ "typeFullName": class, "includeMethods": true })));
        let last = json!({ "typeFullName": class, "includeMethods": true, "offset": 4 });
        expect!["1 of 5: Reset"].assert_eq(&list(last));
    }

    #[test]
    fn only_static_classes_by_their_full_name() {
        let sample = UnitySample::new();
        let refuse = |class: &str| sample.refusal(super::TOOL.id, json!({ "typeFullName": class }));
        expect!["EngineError: Type not found; SearchStaticClasses finds them"]
            .assert_eq(&refuse("GameState"));
        expect!["EngineError: Type not found; SearchStaticClasses finds them"]
            .assert_eq(&refuse("LanternKeep.PlayerController"));
        expect!["EngineError: Type not found; SearchStaticClasses finds them"]
            .assert_eq(&refuse(""));
    }
}
