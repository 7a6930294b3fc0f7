//! The tool `editor.executeMenu`: Execute Menu Item.

use std::time::Duration;

use scenewright_contract::{ErrorKind, JsonMap, Limits, Runs, Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base;
use crate::base::editor::{Editor, not_connected};

pub(crate) const TOOL: Tool = Tool {
    id: "editor.executeMenu",
    keywords: "menu command refresh reimport assets database item click tools",
    title: "Execute Menu Item",
    notes: Some(
        "Assets/Refresh runs Unity in batch mode where it is found, which imports what changed and compiles the code. The others need a link to a running editor, which this version does not have.",
    ),
    category: "editor",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    runs: Runs::AndWrites,
    limits: Limits { timeout: Duration::from_secs(3700), ..Limits::DEFAULT },
    needs: Needs::Editor,
    at_once: true,
    idempotent: false,
    examples: &[Example {
        description: "Import what changed in the Unity sample",
        input: r#"{ "project": "unity", "menuPath": "Assets/Refresh", "dryRun": true }"#,
        output: r#"{ "success": true }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run an allowed item of the editor's menu.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The item.
    menu_path: Item,
    /// Reserved.
    #[serde(default, rename = "args")]
    _args: JsonMap,
    /// Seconds after which a run is ended.
    #[serde(default = "usual_timeout")]
    #[schemars(range(min = 1, max = 3600))]
    timeout: u64,
    /// Look for the editor, and run nothing.
    #[serde(default)]
    dry_run: bool,
}

fn usual_timeout() -> u64 {
    1800
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum Item {
    #[serde(rename = "Assets/Refresh")]
    Refresh,
    #[serde(rename = "Assets/Reimport")]
    Reimport,
    #[serde(rename = "Assets/Reimport All")]
    ReimportAll,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, input.project.as_deref())?;
    if input.menu_path != Item::Refresh {
        return Err(not_connected(
            "editor.executeMenu",
            "Assets/Refresh is done in batch mode where Unity is installed; others are for a person in the editor",
        ));
    }
    let editor = Editor::find(project, "editor.executeMenu")?;
    if !input.dry_run {
        let timeout = Duration::from_secs(input.timeout);
        let done = editor.run(&project.root, &["-quit".into()], timeout, cx.cancel())?;
        if done.code != Some(0) {
            let text = format!("Failed to execute menu item: Unity {}", done.how());
            return Err(ToolError::new(ErrorKind::ToolFailed, text)
                .hint("the details have what its log says of errors")
                .detail("log", done.errors()));
        }
    }
    Ok(Output { success: true })
}

#[cfg(test)]
mod tests {
    use scenewright_contract::ErrorKind;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn what_needs_a_person_says_so() {
        let bench = bench();
        let all = json!({ "menuPath": "Assets/Reimport All" });
        let error = bench.call(super::TOOL.id, all).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotReady);
        assert_eq!(
            error.message,
            "editor.executeMenu needs Unity's editor, and no editor is connected"
        );
        let other = json!({ "menuPath": "File/Quit" });
        assert_eq!(bench.call(super::TOOL.id, other).unwrap_err().kind, ErrorKind::BadArguments);
    }
}
