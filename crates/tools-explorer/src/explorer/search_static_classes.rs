//! The tool `explorer.searchStaticClasses`, `SearchStaticClasses` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;
use crate::world::cards::{PAGE, Page, Range};
use crate::world::search::Query;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.searchStaticClasses",
    keywords: "static class helpers",
    explorer: Some("SearchStaticClasses"),
    title: "Search Static Classes",
    category: "explorer",
    examples: &[Example {
        description: "Find static classes of the Unity sample",
        input: r#"{ "query": "a" }"#,
        output: r#"{ "Total": 0, "Items": [] }"#,
        varies: &["Total", "Items"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Page<StaticClass>>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Find the project's static classes by name.
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

/// A class without instances.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct StaticClass {
    /// `type:<full name>`.
    id: String,
    /// Its full name.
    r#type: String,
    /// The assembly that has it.
    assembly: String,
    /// How many fields, properties and methods it has.
    member_count: usize,
}

fn run(cx: &Cx, input: Input) -> Result<Page<StaticClass>, ToolError> {
    let query = Query::parse(&input.query)?;
    cx.world(|world| {
        let types = world.types().all();
        let mut found: Vec<StaticClass> = types
            .filter(|ty| ty.is_static && query.is_in(&ty.full_name))
            .map(|ty| StaticClass {
                id: format!("type:{}", ty.full_name),
                r#type: ty.full_name.to_string(),
                assembly: ty.assembly.to_string(),
                member_count: ty.members.len() + ty.methods.len(),
            })
            .collect();
        found.sort_by(|a, b| a.r#type.cmp(&b.r#type));
        Ok(Range { limit: input.limit, offset: input.offset }.page(found, PAGE))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    const SCRIPTS: &str = "//- Assets/Classes.cs
    namespace Keep
    {
        public static class Öfen { public static int Count; public static void Heat() { } }
        public static class Attic { public const int Floor = 3; }
        public class Lamp { public static int Count; }
    }
    ";

    #[test]
    fn only_static_classes_by_name() {
        let sample = UnitySample::of(SCRIPTS);
        let search = |given| sample.page(super::TOOL.id, given, "Type");
        expect!["2 of 2: Keep.Attic, Keep.Öfen"].assert_eq(&search(json!({ "query": "KEEP" })));
        expect!["1 of 2: Keep.Öfen"].assert_eq(&search(json!({ "query": "keep", "offset": 1 })));
        expect!["0 of 0: "].assert_eq(&search(json!({ "query": "lamp" })));
        let stoves = sample.ask(super::TOOL.id, json!({ "query": "öfen" }));
        expect![[r#"[{"Id":"type:Keep.Öfen","Type":"Keep.Öfen","Assembly":"Assembly-CSharp","MemberCount":2}]"#]].assert_eq(&stoves["Items"].to_string());
        expect!["BadArguments: query is required"]
            .assert_eq(&sample.refusal(super::TOOL.id, json!({ "query": "" })));
    }
}
