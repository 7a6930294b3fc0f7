//! The tool `explorer.tailLogs`, `TailLogs` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;
use crate::world::cards::LogCard;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.tailLogs",
    keywords: "debug.log console messages errors warnings output exceptions unity logs recent error retrieve",
    explorer: Some("TailLogs"),
    title: "Log of the World",
    category: "explorer",
    examples: &[Example {
        description: "Read the last lines of the log",
        input: r#"{ "count": 5 }"#,
        output: r#"{ "Items": [] }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Give the last lines of the world's log, oldest first; 2,000 are kept.
#[derive(Deserialize, JsonSchema)]
struct Input {
    /// How many; below 1 means 1.
    #[serde(default = "usual")]
    count: i64,
}

fn usual() -> i64 {
    200
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Output {
    /// The lines.
    items: Vec<LogCard>,
}

fn run(cx: &Cx, Input { count }: Input) -> Result<Output, ToolError> {
    let count = usize::try_from(count.max(1)).unwrap_or(usize::MAX);
    cx.world(|world| Ok(Output { items: world.log().tail(count).map(LogCard::of).collect() }))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    #[test]
    fn the_last_lines_with_their_levels() {
        let sample = UnitySample::new();
        sample.eval(r#"Debug.Log("größe"); Debug.LogWarning("b"); Debug.LogError("c");"#);
        let tail = |count: i64| {
            let lines = sample.ask(super::TOOL.id, json!({ "count": count }));
            let lines = lines["Items"].as_array().unwrap().iter();
            let lines = lines.map(|line| format!("{} {}", line["Level"], line["Message"]));
            lines.collect::<Vec<_>>().join(", ")
        };
        expect![[r#""info" "größe", "warn" "b", "error" "c""#]].assert_eq(&tail(3));
        expect![[r#""error" "c""#]].assert_eq(&tail(-5));
    }

    #[test]
    fn two_thousand_lines_are_kept() {
        let sample = UnitySample::new();
        // The code of one call writes a thousand.
        for (start, end) in [(0, 1000), (1000, 2000), (2000, 2001)] {
            let write = "Debug.Log(\"line \" + n)";
            sample.eval(&format!("for (var n = {start}; n < {end}; n++) {{ {write}; }}"));
        }
        let all = sample.ask(super::TOOL.id, json!({ "count": i64::MAX }));
        let all = all["Items"].as_array().unwrap();
        assert_eq!((all.len(), &all[0]["Message"]), (2000, &json!("line 1")));
        let usual = sample.ask(super::TOOL.id, json!({}));
        assert_eq!(usual["Items"][0]["Message"], "line 1801");
    }
}
