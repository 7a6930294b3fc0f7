//! The tool `unity.edit`: Edit Scene, Prefab or Asset.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::scene::{
    Apply, Create, Done, Editor, Instantiate, ListChange, Placed, Refusal, Turn,
};
use schemars::generate::SchemaGenerator;
use schemars::{JsonSchema, Schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::base::InUnity;
use crate::base::editing::{ChangeDone, Opened, given, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "unity.edit",
    title: "Edit Scene, Prefab or Asset",
    keywords: "change modify set property field value component gameobject create add remove delete rename move reparent duplicate instantiate prefab instance override revert apply unpack transform position rotation light material reference unity yaml batch several changes at once put an of a under a parent hide show enable disable object active visible rotate scale resize colour brightness text tag sprite layer assign renderer place spawn coins enemies copies name gravity mass speed sun lamp camera scene gameobjects",
    argument_aliases: &[("edits", "changes"), ("operations", "changes")],
    notes: Some(
        "All changes or none. Each is made to the file as those before it left it. What is inside an instance of a prefab becomes an override, and one equal to the prefab's own value is taken away. A UnityEvent is a list of calls: set it whole, or insertItem one call.",
    ),
    category: "unity",
    safety: Safety::Destructive,
    idempotent: false,
    lean: true,
    examples: &[
        Example {
            description: "See what a brighter light would change",
            input: r#"{
                "path": "Assets/Scenes/Main.unity",
                "changes": [
                    { "op": "set", "object": "Directional Light", "component": "Light", "field": "intensity", "value": 2.5 }
                ],
                "dryRun": true
            }"#,
            output: r#"{
                "success": true,
                "path": "Assets/Scenes/Main.unity",
                "results": [],
                "dryRun": true,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["results", "changes"],
        },
        Example {
            description: "See what a button that calls a method would change (a UnityEvent)",
            input: r#"{
                "path": "Assets/Scenes/Main.unity",
                "changes": [
                    { "op": "set", "object": "UI/Start Button", "component": "Button", "field": "onClick",
                      "value": [{ "target": { "object": "Player", "component": "PlayerController" }, "method": "Heal", "argument": 3 }] }
                ],
                "dryRun": true
            }"#,
            output: r#"{
                "success": true,
                "path": "Assets/Scenes/Main.unity",
                "results": [],
                "dryRun": true,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["results", "changes"],
        },
        Example {
            description: "See what another shadow distance in the quality settings would change: no object is named",
            input: r#"{
                "path": "ProjectSettings/QualitySettings.asset",
                "changes": [
                    { "op": "set", "field": "m_QualitySettings[0].shadowDistance", "value": 40 }
                ],
                "dryRun": true
            }"#,
            output: r#"{
                "success": true,
                "path": "ProjectSettings/QualitySettings.asset",
                "results": [],
                "dryRun": true,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["results", "changes"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Edit a Unity scene, prefab, asset or settings file: set any field of any component (position, colour,
/// text, speed), create, move, rename and delete objects, add components, instantiate prefabs, wire
/// UnityEvents. Needs --allow-writes; try `dryRun` first, project_undoLast takes it
/// back.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// The file; settings such as `ProjectSettings/QualitySettings.asset` need no `object`.
    path: String,
    /// The changes, in order.
    #[schemars(length(max = 10_000))]
    changes: Vec<Change>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

/// One change. `value` is any JSON: numbers, texts, `[x, y, z]`, `#rrggbb`, names of enums and layers; a
/// reference is the path of an asset or object, `{asset, sub}`, `{object, component}`, `{guid, fileID, type}`
/// or null; a UnityEvent such as `onClick` is `[{target: {object, component}, method, argument}]`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Change {
    /// What to do.
    op: Op,
    /// The path `Player/Lamp`, `Name[1]` for the second of equal siblings, or `#fileID`.
    object: Option<String>,
    /// The component's class, `Class[1]` or `#fileID`; the object itself without one.
    component: Option<String>,
    /// As in C# or in the file: `intensity`, `m_Shadows.m_Type`, `slots[2].item`.
    field: Option<String>,
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Value")]
    value: Option<Value>,
    /// Its path; empty for the root.
    parent: Option<String>,
    /// A new name.
    name: Option<String>,
    /// A place among siblings or in a list.
    index: Option<usize>,
    /// New index of an item; prefab for `apply`.
    #[serde(default)]
    #[schemars(schema_with = "to_schema")]
    to: Option<To>,
    /// Classes.
    #[serde(default)]
    components: Vec<String>,
    /// Fields of a new component, or several to `set`.
    #[serde(default)]
    values: Map<String, Value>,
    /// To instantiate.
    prefab: Option<String>,
    /// In the parent.
    position: Option<Vec<f64>>,
    /// Degrees, or a quaternion.
    rotation: Option<Vec<f64>>,
    /// Local scale.
    scale: Option<Vec<f64>>,
    /// False lets a reparented object keep its local values.
    keep_world: Option<bool>,
    /// `refuse` deletes nothing that is referred to.
    references: Option<References>,
    /// True unpacks the prefabs in an instance as well.
    #[serde(default)]
    completely: bool,
}

/// The text first: clients that know one type take the first, and a number in a text is read.
fn to_schema(_: &mut SchemaGenerator) -> Schema {
    schemars::json_schema!({ "type": ["string", "integer", "null"] })
}

#[derive(Deserialize, JsonSchema, Clone, Copy, Debug, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
enum Op {
    Set,
    Create,
    Delete,
    Rename,
    Reparent,
    Duplicate,
    AddComponent,
    RemoveComponent,
    Instantiate,
    Revert,
    Unpack,
    Apply,
    InsertItem,
    RemoveItem,
    MoveItem,
}

/// A place in a list, or a prefab.
#[derive(Deserialize, JsonSchema, Debug, Clone)]
#[serde(untagged)]
enum To {
    Index(usize),
    Prefab(String),
}

impl Op {
    /// What it takes. Anything else that a change says would be lost without a word.
    fn takes(self) -> &'static [&'static str] {
        match self {
            Op::Set => &["object", "component", "field", "value", "values"],
            Op::Create => {
                &["parent", "name", "components", "position", "rotation", "scale", "index"]
            }
            Op::Delete => &["object", "references"],
            Op::Rename | Op::Duplicate => &["object", "name"],
            Op::Reparent => &["object", "parent", "index", "keepWorld"],
            Op::AddComponent => &["object", "component", "values"],
            Op::RemoveComponent => &["object", "component"],
            Op::Instantiate => {
                &["prefab", "parent", "name", "position", "rotation", "scale", "index"]
            }
            Op::Revert => &["object", "component", "field"],
            Op::Unpack => &["object", "completely"],
            Op::Apply => &["object", "component", "field", "to"],
            Op::InsertItem => &["object", "component", "field", "index", "value"],
            Op::RemoveItem => &["object", "component", "field", "index"],
            Op::MoveItem => &["object", "component", "field", "index", "to"],
        }
    }

    /// As callers write it.
    fn word(self) -> String {
        let name = format!("{self:?}");
        name[..1].to_lowercase() + &name[1..]
    }
}

#[derive(Deserialize, JsonSchema, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
enum References {
    Clear,
    Refuse,
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    path: String,
    /// What each change came to, in order.
    results: Vec<ChangeDone>,
    #[serde(flatten)]
    written: Written,
}

impl Change {
    /// The keys that it has, beside `op`.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            ("object", self.object.is_some()),
            ("component", self.component.is_some()),
            ("field", self.field.is_some()),
            ("value", self.value.is_some()),
            ("parent", self.parent.is_some()),
            ("name", self.name.is_some()),
            ("index", self.index.is_some()),
            ("to", self.to.is_some()),
            ("components", !self.components.is_empty()),
            ("values", !self.values.is_empty()),
            ("prefab", self.prefab.is_some()),
            ("position", self.position.is_some()),
            ("rotation", self.rotation.is_some()),
            ("scale", self.scale.is_some()),
            ("keepWorld", self.keep_world.is_some()),
            ("references", self.references.is_some()),
            ("completely", self.completely),
        ];
        all.into_iter().filter(|(_, is_given)| *is_given).map(|(key, _)| key)
    }

    /// Refuse what the operation would pass over.
    fn check_keys(&self) -> Result<(), Refusal> {
        let known = self.op.takes();
        let Some(odd) = self.given().find(|key| !known.contains(key)) else { return Ok(()) };
        let op = self.op.word();
        let hint = match (self.op, odd) {
            (Op::Set, "position" | "rotation" | "scale") => "set localPosition, localRotation or localScale of its Transform; position, rotation and scale are of new objects".to_owned(),
            (Op::Delete, "component") => "delete takes the whole object; removeComponent takes a component away".to_owned(),
            _ => format!("{op} takes {}", known.join(", ")),
        };
        Err(Refusal::odd(odd).hint(hint))
    }
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let opened = Opened::new(&unity, &input.path)?;
    let mut editor = opened.editor()?;
    let mut results = Vec::new();
    for (at, change) in input.changes.iter().enumerate() {
        cx.check_cancelled()?;
        let done = make(&mut editor, change).map_err(|refusal| {
            let error = refused(refusal);
            let message = format!("change {} ({}): {}", at + 1, change.op.word(), error.message);
            ToolError { message, ..error }.detail("change", at + 1)
        })?;
        results.push(done.into());
    }
    let written = opened.commit(&mut editor, input.dry_run)?;
    Ok(Output { success: true, path: opened.path.to_string(), results, written })
}

fn make(editor: &mut Editor<'_>, change: &Change) -> Result<Done, Refusal> {
    change.check_keys()?;
    let object = || need(change.object.as_deref(), "object");
    let component = || need(change.component.as_deref(), "component");
    let field = || need(change.field.as_deref(), "field");
    let (maybe_object, maybe_component) = (change.object.as_deref(), change.component.as_deref());
    let mut list =
        |what: ListChange<'_>| editor.change_list(maybe_object, maybe_component, field()?, &what);
    match change.op {
        Op::InsertItem => list(ListChange::Insert(change.index, change.value.as_ref())),
        Op::RemoveItem => list(ListChange::Remove(need(change.index, "index")?)),
        Op::MoveItem => {
            let to = match need(change.to.as_ref(), "to")? {
                To::Index(to) => *to,
                To::Prefab(text) => text
                    .parse()
                    .map_err(|_| Refusal::wrong("to", &text.as_str().into(), "a number"))?,
            };
            list(ListChange::Move(need(change.index, "index")?, to))
        }
        Op::Set => {
            if change.field.is_none() && change.value.is_none() && !change.values.is_empty() {
                return set_all(editor, change);
            }
            let value = need(change.value.as_ref(), "value")?;
            editor.set(maybe_object, maybe_component, field()?, value)
        }
        Op::Create => editor.create(&Create {
            parent: change.parent.clone().unwrap_or_default(),
            name: need(change.name.clone(), "name")?,
            components: change.components.clone(),
            placed: placed(change)?,
            index: change.index,
        }),
        Op::Delete => editor.delete(object()?, change.references == Some(References::Refuse)),
        Op::Rename => editor.rename(object()?, need(change.name.as_deref(), "name")?),
        Op::Reparent => {
            let parent = change.parent.as_deref();
            editor.reparent(object()?, parent, change.index, change.keep_world.unwrap_or(true))
        }
        Op::Duplicate => editor.duplicate(object()?, change.name.as_deref()),
        Op::AddComponent => {
            let values: Vec<(String, Value)> =
                change.values.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
            editor.add_component(object()?, component()?, &values)
        }
        Op::RemoveComponent => editor.remove_component(object()?, component()?),
        Op::Instantiate => editor.instantiate(&Instantiate {
            prefab: need(change.prefab.clone(), "prefab")?,
            parent: change.parent.clone().unwrap_or_default(),
            name: change.name.clone(),
            placed: placed(change)?,
            index: change.index,
        }),
        Op::Revert => editor.revert(object()?, maybe_component, change.field.as_deref()),
        Op::Apply => editor.apply(&Apply {
            object: object()?,
            component: maybe_component,
            field: change.field.as_deref(),
            to: match &change.to {
                Some(To::Prefab(path)) => Some(path),
                Some(To::Index(at)) => {
                    return Err(Refusal::wrong("to", &(*at).into(), "the path of a prefab"));
                }
                None => None,
            },
        }),
        Op::Unpack => editor.unpack(object()?, change.completely),
    }
}

/// Several fields of one component, as one change.
fn set_all(editor: &mut Editor<'_>, change: &Change) -> Result<Done, Refusal> {
    let (object, component) = (change.object.as_deref(), change.component.as_deref());
    let mut all = Done::default();
    for (field, value) in &change.values {
        let done = editor.set(object, component, field, value)?;
        let mut remarks = std::mem::take(&mut all.remarks);
        remarks.extend(done.remarks.iter().cloned());
        all = Done { field: None, changed: done.changed || all.changed, remarks, ..done };
    }
    Ok(all)
}

fn need<T>(value: Option<T>, name: &str) -> Result<T, Refusal> {
    value.ok_or_else(|| Refusal::missing(name))
}

fn placed(change: &Change) -> Result<Placed, Refusal> {
    let three = |name: &str, value: &Option<Vec<f64>>| match value.as_deref() {
        None => Ok(None),
        Some([x, y, z]) => Ok(Some([*x, *y, *z])),
        Some(other) => Err(Refusal::wrong(name, &other.into(), "[x, y, z]")),
    };
    let rotation = match change.rotation.as_deref() {
        None => None,
        Some([x, y, z]) => Some(Turn::Euler([*x, *y, *z])),
        Some([x, y, z, w]) => Some(Turn::Quaternion([*x, *y, *z, *w])),
        Some(other) => {
            let form = "[x, y, z] in degrees or [x, y, z, w]";
            return Err(Refusal::wrong("rotation", &other.into(), form));
        }
    };
    Ok(Placed {
        position: three("position", &change.position)?,
        rotation,
        scale: three("scale", &change.scale)?,
    })
}

#[cfg(test)]
mod bad_input;
#[cfg(test)]
mod of_packages;
#[cfg(test)]
mod random;
#[cfg(test)]
mod remade;
#[cfg(test)]
mod tests;
