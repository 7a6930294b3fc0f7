//! The tool `input.addBinding`: Add Input Binding.

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::input::{Composite as NewComposite, NewBinding, NewPart};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{EXAMPLE, change, check_paths, groups};

pub(crate) const TOOL: Tool = Tool {
    id: "input.addBinding",
    keywords: "input system binding key button stick wasd composite 2dvector 1daxis modifier inputactions rebind control",
    argument_aliases: &[("control", "binding")],
    title: "Add Input Binding",
    category: "input",
    safety: Safety::SafeWrite,
    idempotent: false,
    after: &[EXAMPLE],
    examples: &[Example {
        description: "WASD for an action that moves something",
        input: r#"{
            "project": "unity",
            "path": "Assets/Controls.inputactions",
            "map": "Player",
            "action": "Move",
            "composite": {
                "type": "2DVector",
                "parts": { "up": "<Keyboard>/w", "down": "<Keyboard>/s", "left": "<Keyboard>/a", "right": "<Keyboard>/d" }
            }
        }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Controls.inputactions",
            "bindingIds": [],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["bindingIds", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Bind an action of a file of input actions to a control, or to a composite of several such as WASD.
/// It comes behind the bindings that the action has.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The `.inputactions` file.
    path: String,
    /// The map, by name or id.
    map: String,
    /// The action, by name or id.
    action: String,
    /// The control, such as `<Keyboard>/space`.
    binding: Option<String>,
    /// Several controls that are one, instead.
    composite: Option<Composite>,
    /// The control schemes that it is for, by their binding groups.
    #[serde(default)]
    groups: Vec<String>,
    /// What has to happen, such as `Hold(duration=0.5)`.
    #[serde(default)]
    interactions: String,
    /// What is done to values, such as `ScaleVector2(x=2,y=2)`.
    #[serde(default)]
    processors: String,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

/// Several controls that are one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Composite {
    /// 1DAxis, 2DVector, 3DVector, OneModifier, TwoModifiers or another, with parameters if it has
    /// some: `2DVector(mode=1)`.
    r#type: String,
    /// What it is called; its type by default.
    name: Option<String>,
    /// The control of each part: `up`, `down`, `left`, `right` of a 2DVector, `negative` and
    /// `positive` of a 1DAxis, `modifier` and `binding` of a OneModifier. A list has several for one
    /// part; an object has `binding`, `interactions` and `processors`.
    parts: Map<String, Value>,
}

/// The control of a part, or several.
#[derive(Deserialize)]
#[serde(untagged)]
enum Controls {
    /// One.
    One(Control),
    /// Any of these.
    Several(Vec<Control>),
}

/// A control by its path, or with more about it. A structure of its own would be read from a list, too.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Control {
    /// Its path.
    Path(String),
    /// With more about it.
    More {
        /// The control.
        binding: String,
        /// What has to happen to it alone.
        #[serde(default)]
        interactions: String,
        /// What is done to its values alone, such as `Invert`.
        #[serde(default)]
        processors: String,
    },
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file.
    path: String,
    /// The ids of what was added: of a composite its own, then those of its parts.
    binding_ids: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let mut new = NewBinding {
        interactions: input.interactions,
        processors: input.processors,
        ..NewBinding::default()
    };
    match (input.binding, input.composite) {
        (Some(path), None) => new.path = path,
        (None, Some(composite)) => new.composite = Some(composite.read()?),
        _ => {
            let text = "either binding or composite has to be given";
            return Err(ToolError::new(ErrorKind::BadArguments, text)
                .hint("binding is one control, such as <Keyboard>/space; composite has several"));
        }
    }
    let file = (input.project.as_deref(), input.path.as_str());
    let (path, binding_ids, written) = change(cx, file, input.dry_run, |actions, ids| {
        check_paths(&new)?;
        new.groups = groups(actions, &input.groups)?;
        actions.add_binding(&input.map, &input.action, &new, ids)
    })?;
    tell_composite(cx, &new);
    Ok(Output { success: true, path, binding_ids, written })
}

/// A composite that the Input System does not have may be one of the project's code.
fn tell_composite(cx: &Cx, new: &NewBinding) {
    let Some(kind) = new.composite.as_ref().and_then(NewComposite::unknown) else { return };
    let hint = suggest::did_you_mean(kind, NewComposite::kinds(), "");
    cx.diagnose(format!(
        "{kind} is no composite of the Input System, and works only where code registers one of that name: {hint}"
    ));
}

impl Composite {
    fn read(self) -> Result<NewComposite, ToolError> {
        let mut parts = Vec::new();
        for (name, value) in self.parts {
            let controls = match serde_json::from_value(value) {
                Ok(Controls::One(control)) => vec![control],
                Ok(Controls::Several(controls)) => controls,
                Err(_) => {
                    let argument = format!("composite.parts.{name}");
                    let form = "must be a control, such as <Keyboard>/w, or a list of some";
                    return Err(ToolError::bad_argument(&argument, form));
                }
            };
            parts.extend(controls.into_iter().map(|control| control.of(&name)));
        }
        Ok(NewComposite { kind: self.r#type, name: self.name, parts })
    }
}

impl Control {
    fn of(self, name: &str) -> NewPart {
        let name = name.to_owned();
        match self {
            Control::Path(path) => NewPart { name, path, ..NewPart::default() },
            Control::More { binding: path, interactions, processors } => {
                NewPart { name, path, interactions, processors, groups: None }
            }
        }
    }
}

#[cfg(test)]
mod tests;
