//! Tools for tests only: each shows one thing that the policy or a dialect must handle. They are
//! never in the list of those that ship; `serve --test-fixtures` and the tests add them.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Level, Limits, Safety, Tier, ToolError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Cx, Group, Tool, call, schema};

/// The group that tests add.
pub const GROUPS: &[Group] = &[Group {
    name: "test",
    engine: None,
    about: "Fixtures",
    tools: &[ECHO, WRITE, DESTROY, SLEEP, LINGER, PANIC, SCAN, MISSING, REPORT],
}];

const BASE: Tool = Tool {
    category: "test",
    input: schema::input::<Text>,
    output: schema::output::<Text>,
    ..Tool::READ
};

const ECHO: Tool = Tool {
    id: "test.echo",
    title: "Echo",
    call: |cx, args| call(cx, args, |_, text: Text| Ok(text)),
    ..BASE
};

const WRITE: Tool = Tool {
    id: "test.write",
    title: "Write",
    safety: Safety::SafeWrite,
    call: |cx, args| call(cx, args, |_, text: Text| Ok(text)),
    ..BASE
};

const DESTROY: Tool = Tool {
    id: "test.destroy",
    title: "Destroy",
    safety: Safety::Destructive,
    tier: Tier::Tier4,
    call: |cx, args| call(cx, args, |_, text: Text| Ok(text)),
    ..BASE
};

const SLEEP: Tool = Tool {
    id: "test.sleep",
    title: "Sleep",
    limits: Limits { timeout: Duration::from_secs(2), ..Limits::DEFAULT },
    input: schema::input::<Sleep>,
    call: |cx, args| call(cx, args, sleep),
    ..BASE
};

const LINGER: Tool =
    Tool { id: "test.linger", title: "Linger", safety: Safety::SafeWrite, ..SLEEP };

const PANIC: Tool = Tool {
    id: "test.panic",
    title: "Panic",
    call: |_, _| panic!("a fixture that panics on purpose"),
    ..BASE
};

const SCAN: Tool = Tool {
    id: "test.scan",
    title: "Scan",
    limits: Limits { time_guard: Some(Duration::from_millis(20)), ..Limits::DEFAULT },
    call: |cx, args| call(cx, args, scan),
    ..BASE
};

const MISSING: Tool =
    Tool { id: "test.missing", title: "Missing", call: |cx, args| call(cx, args, missing), ..BASE };

const REPORT: Tool =
    Tool { id: "test.report", title: "Report", call: |cx, args| call(cx, args, report), ..BASE };

/// A fixture for tests.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Text {
    /// Any text.
    #[serde(default)]
    text: String,
}

/// A fixture that sleeps.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Sleep {
    /// How long.
    #[schemars(range(min = 0, max = 60_000))]
    ms: u64,
}

fn sleep(cx: &Cx, Sleep { ms }: Sleep) -> Result<Text, ToolError> {
    if cx.cancel().wait(Duration::from_millis(ms)) {
        return Err(ToolError::cancelled());
    }
    Ok(Text { text: format!("slept {ms} ms") })
}

fn scan(cx: &Cx, text: Text) -> Result<Text, ToolError> {
    let guard = cx.time_guard();
    for processed in 0..1000 {
        if guard.expired() {
            guard.report(cx, processed.min(1), Some(200));
            break;
        }
        cx.cancel().wait(Duration::from_millis(30));
    }
    Ok(text)
}

fn missing(_: &Cx, Text { text }: Text) -> Result<Text, ToolError> {
    Err(ToolError::new(ErrorKind::EngineError, "Scene file not found")
        .detail("unityError", format!("Scene file '{text}' does not exist"))
        .detail("scenePath", text))
}

fn report(cx: &Cx, text: Text) -> Result<Text, ToolError> {
    for step in 1..=3_u32 {
        cx.progress(f64::from(step), Some(3.0), &format!("step {step}"));
        cx.log(Level::Info, &format!("step {step}"));
    }
    Ok(text)
}
