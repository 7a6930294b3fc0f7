//! Values of members as the Explorer interface shows them, and handles to look further into them.

use std::collections::VecDeque;
use std::sync::Mutex;

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_world::types::{Member, MemberKind, Method};
use scenewright_world::{ComponentId, Value, World};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

/// How many handles are kept; the oldest are forgotten.
const MAX_REFS: usize = 1024;
/// Longer texts are cut.
const MAX_TEXT: usize = 1024;
/// How many items of a list are shown, and how deep.
const MAX_PREVIEW: usize = 10;
const MAX_DEPTH: usize = 2;

/// A field, a property or a method.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct MemberCard {
    /// Its name.
    pub(crate) name: String,
    /// `field`, `property` or `method`.
    pub(crate) kind: &'static str,
    /// Full name of its type; of a method what it returns and takes.
    pub(crate) r#type: String,
    /// Whether it can be read.
    pub(crate) can_read: bool,
    /// Whether it can be set.
    pub(crate) can_write: bool,
}

impl MemberCard {
    pub(crate) fn of(member: &Member) -> MemberCard {
        MemberCard {
            name: member.name.to_string(),
            kind: kind(member),
            r#type: type_name(&member.type_name),
            can_read: true,
            can_write: member.can_write,
        }
    }

    pub(crate) fn of_method(method: &Method) -> MemberCard {
        let types: Vec<&str> = method.parameters.iter().map(|(ty, _)| &**ty).collect();
        MemberCard {
            name: method.name.to_string(),
            kind: "method",
            r#type: format!("{}({})", method.returns, types.join(", ")),
            can_read: false,
            can_write: false,
        }
    }
}

/// `field` or `property`.
pub(crate) fn kind(member: &Member) -> &'static str {
    match member.kind {
        MemberKind::Field => "field",
        MemberKind::Property => "property",
    }
}

/// Nothing tells the type of some saved fields.
fn type_name(name: &str) -> String {
    if name.is_empty() { "System.Object".to_owned() } else { name.to_owned() }
}

/// The value of a member.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ValueCard {
    /// Always true; a failure is an error.
    ok: bool,
    /// Full name of its declared type.
    r#type: String,
    /// What it says of itself.
    value_text: String,
    /// The value as JSON: plain values as they are, objects as `obj:<id>`, lists as a preview.
    #[schemars(schema_with = "any")]
    value_json: Json,
    /// A handle to look into it, for what is more than a plain value.
    ref_id: Option<String>,
}

fn any(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({ "description": "The value as JSON: plain values as they are, objects as obj:<id>, lists as a preview." })
}

impl ValueCard {
    pub(crate) fn of(world: &World, refs: &Refs, declared: &str, value: &Value) -> ValueCard {
        ValueCard {
            ok: true,
            r#type: type_name(declared),
            value_text: text(world, value),
            value_json: show(world, refs, value, 0),
            ref_id: refs.of(value),
        }
    }
}

fn text(world: &World, value: &Value) -> String {
    match value {
        Value::Null => "<null>".to_owned(),
        value => cut(&world.describe(value)),
    }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

fn show(world: &World, refs: &Refs, value: &Value, depth: usize) -> Json {
    match value {
        Value::Text(text) => json!(cut(text)),
        Value::List(items) => {
            let preview = |item: &Value| {
                json!({
                    "text": text(world, item),
                    "json": if depth < MAX_DEPTH { show(world, refs, item, depth + 1) } else { Json::Null },
                    "refId": refs.of(item),
                })
            };
            let shown: Vec<Json> = items.iter().take(MAX_PREVIEW).map(preview).collect();
            json!({ "kind": "enumerable", "count": items.len(), "preview": shown })
        }
        Value::Struct(value) => json!(type_name(&value.type_name)),
        value => value.to_json(),
    }
}

/// Handles to values, the oldest first.
#[derive(Debug)]
pub(crate) struct Refs {
    /// Tells the handles of this project from those of another.
    server: String,
    kept: Mutex<(u64, VecDeque<(u64, Value)>)>,
}

impl Refs {
    /// No handles yet, of the world of this project.
    pub(crate) fn new(project: &str) -> Refs {
        Refs { server: project.to_owned(), kept: Mutex::default() }
    }

    /// A handle for what is more than a plain value.
    pub(crate) fn of(&self, value: &Value) -> Option<String> {
        if !matches!(
            value,
            Value::List(_)
                | Value::Struct(_)
                | Value::Object(_)
                | Value::Component(_)
                | Value::Asset(_)
        ) {
            return None;
        }
        let mut kept = self.kept();
        let (next, values) = &mut *kept;
        if let Some((number, _)) = values.iter().find(|(_, known)| known == value) {
            return Some(format!("ref:{}:{number}", self.server));
        }
        *next += 1;
        let number = *next;
        if values.len() == MAX_REFS {
            values.pop_front();
        }
        values.push_back((number, value.clone()));
        Some(format!("ref:{}:{number}", self.server))
    }

    /// Forget what they stand for: it is of another world.
    pub(crate) fn clear(&self) {
        self.kept().1.clear();
    }

    /// What a handle stands for.
    pub(crate) fn get(&self, id: &str) -> Result<Value, ToolError> {
        let number = self.number(id)?;
        let kept = self.kept();
        let found = kept.1.iter().find(|(known, _)| Some(*known) == number);
        found.map(|(_, value)| value.clone()).ok_or_else(|| {
            ToolError::new(ErrorKind::EngineError, "Not found")
                .hint("handles come from member reads; the oldest of 1024 are forgotten")
                .detail("refId", id)
        })
    }

    /// Forget a handle; true when there was one.
    pub(crate) fn release(&self, id: &str) -> Result<bool, ToolError> {
        let number = self.number(id)?;
        let mut kept = self.kept();
        let before = kept.1.len();
        kept.1.retain(|(known, _)| Some(*known) != number);
        Ok(kept.1.len() != before)
    }

    /// The number of a handle of ours; nothing for another server's.
    fn number(&self, id: &str) -> Result<Option<u64>, ToolError> {
        let bad = || {
            ToolError::new(ErrorKind::BadArguments, "Invalid ref id; expected 'ref:<server>:<n>'")
                .detail("refId", id)
        };
        let (server, number) =
            id.strip_prefix("ref:").and_then(|rest| rest.rsplit_once(':')).ok_or_else(bad)?;
        let number = number.parse().map_err(|_| bad())?;
        Ok((server == self.server).then_some(number))
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, (u64, VecDeque<(u64, Value)>)> {
        self.kept.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The fields and properties of a component, then its methods if they are wanted.
pub(crate) fn component_cards(
    world: &World,
    component: ComponentId,
    include_methods: bool,
) -> Vec<MemberCard> {
    let members = world.members(component);
    let members = members.iter().filter(|member| !member.is_static).map(MemberCard::of);
    members.chain(methods_of(world, &Value::Component(component), include_methods)).collect()
}

/// The methods of an object or a component, if they are wanted.
pub(crate) fn methods_of(world: &World, value: &Value, wanted: bool) -> Vec<MemberCard> {
    if !wanted || !matches!(value, Value::Object(_) | Value::Component(_)) {
        return Vec::new();
    }
    let class = world.type_of(value);
    let methods = world.types().methods(&class).filter(|(_, method)| !method.is_static);
    methods.map(|(_, method)| MemberCard::of_method(method)).collect()
}

/// What is inside a value that a handle stands for, by name.
pub(crate) fn members_of(world: &World, value: &Value) -> Vec<(MemberCard, Value)> {
    let card = |name: &str, value: &Value, can_write: bool| MemberCard {
        name: name.to_owned(),
        kind: "field",
        r#type: world.type_of(value).to_string(),
        can_read: true,
        can_write,
    };
    match value {
        Value::Struct(value) => {
            let fields = value.fields.iter();
            fields.map(|(name, value)| (card(name, value, false), value.clone())).collect()
        }
        Value::Component(id) => world
            .members(*id)
            .iter()
            .filter_map(|member| Some((MemberCard::of(member), world.member(*id, &member.name)?)))
            .collect(),
        Value::Object(id) => world
            .types()
            .members("UnityEngine.GameObject")
            .into_iter()
            .filter_map(|member| {
                Some((MemberCard::of(member), world.object_member(*id, &member.name)?))
            })
            .collect(),
        Value::Asset(asset) => ["name", "path"]
            .iter()
            .zip([&asset.name, &asset.path])
            .map(|(name, text)| {
                let value = Value::Text(text.clone());
                (card(name, &value, false), value)
            })
            .collect(),
        _ => Vec::new(),
    }
}
