//! The tool `explorer.tailLogs`, `TailLogs` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::world::InWorld;
use crate::world::cards::LogCard;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.tailLogs",
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
