//! The tool `input.addControlScheme`: Add Control Scheme.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::input::{Device, Scheme, check_path};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{EXAMPLE, change};

pub(crate) const TOOL: Tool = Tool {
    id: "input.addControlScheme",
    keywords: "input system control scheme keyboard mouse gamepad touch devices binding group inputactions",
    title: "Add Control Scheme",
    category: "input",
    safety: Safety::SafeWrite,
    idempotent: false,
    after: &[EXAMPLE],
    examples: &[Example {
        description: "A scheme of keyboard and mouse",
        input: r#"{
            "project": "unity",
            "path": "Assets/Controls.inputactions",
            "name": "Keyboard&Mouse",
            "devices": ["<Keyboard>", { "path": "<Mouse>", "optional": true }]
        }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Controls.inputactions",
            "bindingGroup": "Keyboard&Mouse",
            "schemes": ["Gamepad", "Keyboard&Mouse"],
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

/// Add a control scheme to a file of input actions: devices that are used together, and the group by
/// which bindings are for it.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The `.inputactions` file.
    path: String,
    /// What the scheme is called.
    name: String,
    /// What bindings call it; its name by default.
    binding_group: Option<String>,
    /// Its devices, such as `<Gamepad>`.
    devices: Vec<Wanted>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

/// A device by its path, or with more about it.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, deny_unknown_fields)]
enum Wanted {
    /// One that the scheme needs.
    Path(String),
    /// One with more about it.
    Device {
        /// The device.
        path: String,
        /// Whether the scheme works without it.
        #[serde(default)]
        optional: bool,
        /// Whether it stands in for the device before it.
        #[serde(default)]
        or: bool,
    },
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    path: String,
    /// What bindings call the scheme.
    binding_group: String,
    /// All schemes that the file has now.
    schemes: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let binding_group = input.binding_group.unwrap_or_else(|| input.name.clone());
    let devices = input.devices.into_iter().map(|wanted| match wanted {
        Wanted::Path(device_path) => Device { device_path, ..Device::default() },
        Wanted::Device { path, optional, or } => {
            Device { device_path: path, is_optional: optional, is_or: or }
        }
    });
    let (name, devices) = (input.name, devices.collect());
    let new = Scheme { name, binding_group: binding_group.clone(), devices };
    let file = (input.project.as_deref(), input.path.as_str());
    let (path, schemes, written) = change(cx, file, input.dry_run, |actions, _| {
        new.devices.iter().try_for_each(|device| check_path(&device.device_path))?;
        actions.add_scheme(&new)?;
        let schemes = actions.asset.control_schemes.iter();
        Ok(schemes.map(|scheme| scheme.name.clone()).collect())
    })?;
    Ok(Output { success: true, path, binding_group, schemes, written })
}
