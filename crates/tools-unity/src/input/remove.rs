//! The tool `input.remove`: Remove Input Action.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::input::Part;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EXAMPLE, change};

pub(crate) const TOOL: Tool = Tool {
    id: "input.remove",
    keywords: "input system delete remove action map binding inputactions unbind controls",
    title: "Remove Input Action",
    category: "input",
    safety: Safety::Destructive,
    idempotent: false,
    after: &[EXAMPLE],
    examples: &[Example {
        description: "Take a binding away",
        input: r#"{
            "project": "unity",
            "path": "Assets/Controls.inputactions",
            "map": "Player",
            "bindingId": "3e67c7ae-ca6c-4345-8f61-8df16fb87fec"
        }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Controls.inputactions",
            "actionsRemoved": 0,
            "bindingsRemoved": 1,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Take a binding, an action with its bindings, a whole map or a control scheme out of a file of input
/// actions.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The `.inputactions` file.
    path: String,
    /// The map, by name or id; all of it without an action or a binding.
    map: Option<String>,
    /// The action, by name or id; all of it without a binding.
    action: Option<String>,
    /// The id of a binding, as input_read tells it; a composite goes with its parts.
    binding_id: Option<String>,
    /// A control scheme, instead of a map.
    scheme: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    path: String,
    /// How many actions went.
    actions_removed: usize,
    /// How many bindings went, parts of composites included.
    bindings_removed: usize,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let file = (input.project.as_deref(), input.path.as_str());
    let part = match (&input.action, &input.binding_id) {
        (_, Some(id)) => Part::Binding(id),
        (Some(action), None) => Part::Action(action),
        (None, None) => Part::Map,
    };
    let Some(map) = input.map.as_deref().xor(input.scheme.as_deref()) else {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            "either map or scheme has to be given",
        )
        .hint("input_read lists them"));
    };
    let (path, (actions_removed, bindings_removed), written) =
        change(cx, file, input.dry_run, |actions, _| {
            if input.scheme.is_some() {
                return actions.remove_scheme(map).map(|()| (0, 0));
            }
            if let (Some(action), Some(id)) = (&input.action, &input.binding_id) {
                actions.check_binding(map, action, id)?;
            }
            actions.remove(map, part)
        })?;
    Ok(Output { success: true, path, actions_removed, bindings_removed, written })
}
