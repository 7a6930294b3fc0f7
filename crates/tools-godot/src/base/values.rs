//! Values between callers' JSON and Godot's text.
//!
//! A caller writes numbers, texts, `{"x": 1, "y": 2}`, `"#ff8800"`, `"res://icon.svg"`, or the value
//! as Godot has it in its files, `"Vector2(1, 2)"`. What the property takes decides what it means.

mod json;
mod limits;
mod tuples;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_godot::classes::{Builtin, Classes, Property, Type};
use scenewright_godot::{Document, ResourceId, TupleKind, TypeName, Variant};
use serde_json::{Map, Value};

use crate::base::exports::ExportType;
use crate::base::{Godot, refused};

pub use json::to_json;
pub use limits::{Among, check_among};
pub(crate) use tuples::tuple;
use tuples::vector;

/// Values nested deeper are refused; no property comes near it.
const MAX_DEPTH: usize = 32;

/// What is going to have a value: an object of a class, perhaps with a script.
#[derive(Clone, Copy)]
pub struct Expected<'a> {
    /// The engine's class.
    pub class: &'a str,
    /// The `res://` path of the script on it, whose exported variables are properties too.
    pub script: Option<&'a str>,
}

/// Read the value that a caller gives for a property. New resources that it needs, named by path or
/// described as `{"type": "BoxShape3D", "size": …}`, are added to the document.
pub fn read_value(
    godot: &Godot<'_>,
    document: &mut Document,
    of: Expected<'_>,
    key: &str,
    value: &Value,
) -> Result<Variant, ToolError> {
    read_value_before(godot, document, of, key, value, None)
}

/// The same for a property of an inner resource: new ones that it needs have to stand before it.
pub fn read_value_before(
    godot: &Godot<'_>,
    document: &mut Document,
    of: Expected<'_>,
    key: &str,
    value: &Value,
    user: Option<&ResourceId>,
) -> Result<Variant, ToolError> {
    let place = format!("{}.{key}", of.class);
    Reader { godot, document, place, depth: 0, user }.property(of, key, value)
}

/// Read a value of which the type is known otherwise; `place` is what it is for.
pub fn read_typed(
    godot: &Godot<'_>,
    document: &mut Document,
    place: String,
    wanted: Type,
    value: &Value,
) -> Result<Variant, ToolError> {
    Reader { godot, document, place, depth: 0, user: None }.typed(wanted, value)
}

/// Whether the value of a property is a path to a node that the engine resolves, so that the node
/// has to list it in `node_paths`.
pub(crate) fn takes_nodes(godot: &Godot<'_>, of: Expected<'_>, key: &str) -> bool {
    match find_property(godot, of, key) {
        Ok(Wanted::Property(property)) => {
            let classes = godot.classes();
            property.value.class().is_some_and(|class| classes.inherits(class, "Node"))
        }
        Ok(Wanted::Export(export)) => export.is_nodes(),
        _ => false,
    }
}

/// Who follows the paths to nodes that a property holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Leading {
    /// The engine, from the node itself.
    Engine,
    /// A script, in its own way.
    Script,
}

/// Who follows the value of a property to a node; nothing when it is no path.
pub(crate) fn leading(godot: &Godot<'_>, of: Expected<'_>, key: &str) -> Option<Leading> {
    match find_property(godot, of, key).ok()? {
        // It starts at the root of the animations, wherever that is.
        Wanted::Property(property) if property.name == "root_motion_track" => None,
        Wanted::Property(property) => {
            let is_path = property.value.builtin() == Some(Builtin::NodePath);
            (is_path || takes_nodes(godot, of, key)).then_some(Leading::Engine)
        }
        Wanted::Export(ExportType::Builtin(Builtin::NodePath)) => Some(Leading::Script),
        Wanted::Export(export) => export.is_nodes().then_some(Leading::Engine),
        Wanted::Typed(_) | Wanted::Any => None,
    }
}

/// Read a value where nothing says what is wanted. `place` is what it is for, for errors.
pub fn read_untyped(
    godot: &Godot<'_>,
    document: &mut Document,
    place: &str,
    value: &Value,
) -> Result<Variant, ToolError> {
    Reader { godot, document, place: place.to_owned(), depth: 0, user: None }.untyped(value)
}

/// The engine's property of this name; nothing when a rule or a script explains it.
pub fn engine_property(
    godot: &Godot<'_>,
    of: Expected<'_>,
    key: &str,
) -> Result<Option<&'static Property>, ToolError> {
    Ok(match find_property(godot, of, key)? {
        Wanted::Property(property) => Some(property),
        Wanted::Typed(_) | Wanted::Export(_) | Wanted::Any => None,
    })
}

/// What a property takes.
enum Wanted {
    /// The engine's own property.
    Property(&'static Property),
    /// One of a series, of which all hold the same.
    Typed(Type),
    /// A variable of the script.
    Export(ExportType),
    /// Anything, as a rule or an unknown class explains it.
    Any,
}

/// What the property of this name takes, or why there is none.
fn find_property(godot: &Godot<'_>, of: Expected<'_>, key: &str) -> Result<Wanted, ToolError> {
    let classes = godot.classes();
    if let Some(property) = classes.property(of.class, key) {
        return Ok(Wanted::Property(property));
    }
    if let Some(rule) = classes.explains(of.class, key) {
        return Ok(rule.value.map_or(Wanted::Any, Wanted::Typed));
    }
    // Classes of extensions are in no table, and may have anything.
    if classes.class(of.class).is_none() {
        return Ok(Wanted::Any);
    }
    if let Some(export) = of.script.and_then(|script| godot.export_type(script, key)) {
        return Ok(Wanted::Export(export));
    }
    let exports = of.script.map(|path| godot.export_names(path)).unwrap_or_default();
    // A script that cannot be read may declare anything, and so may one without exports: by
    // `_get_property_list`.
    if of.script.is_some() && exports.is_empty() {
        return Ok(Wanted::Any);
    }
    let known = classes.properties(of.class).map(|property| property.name);
    let known: Vec<&str> = known.chain(exports.iter().map(String::as_str)).collect();
    Err(ToolError::new(ErrorKind::BadArguments, format!("{} has no property '{key}'", of.class))
        .hint(suggest::did_you_mean(key, known, "get_class_info lists the properties")))
}

/// The order in which Godot writes properties: those of the classes from the most general on, then
/// the script, its variables, and metadata.
pub(crate) struct EngineOrder {
    known: Vec<&'static str>,
    exports: Vec<String>,
}

impl EngineOrder {
    /// That of an object of a class, perhaps with a script.
    pub(crate) fn of(godot: &Godot<'_>, of: Expected<'_>) -> Self {
        let mut ancestors: Vec<_> = godot.classes().ancestors(of.class).collect();
        ancestors.reverse();
        let known = ancestors.iter().flat_map(|class| class.properties());
        let exports = of.script.map(|path| godot.export_names(path)).unwrap_or_default();
        Self { known: known.map(|property| property.name).collect(), exports }
    }

    /// The place of a property; those that no table knows stand before the script.
    pub(crate) fn rank(&self, key: &str) -> (u8, usize) {
        let known = self.known.iter().position(|name| *name == key);
        let exported = || self.exports.iter().position(|name| name == key);
        match known {
            _ if key == "script" => (2, 0),
            _ if key.starts_with("metadata/") => (4, 0),
            Some(place) => (0, place),
            None => exported().map_or((1, 0), |place| (3, place)),
        }
    }
}

/// A choice by its name, where the inspector would show names for numbers.
fn named_choice(
    classes: &Classes,
    property: &Property,
    value: &Value,
) -> Option<Result<Variant, ToolError>> {
    let wanted = value.as_str()?;
    if property.value.builtin() != Some(Builtin::Int) {
        return None;
    }
    let plain = |text: &str| text.to_ascii_lowercase().replace([' ', '_', '-'], "");
    let mut choices: Vec<(&str, i64)> =
        property.hint.map(|hint| hint.choices()).unwrap_or_default();
    let constants = property.value.enumeration().and_then(|name| classes.enumeration(name));
    choices
        .extend(constants.into_iter().flat_map(|e| e.constants.iter().map(|c| (c.name, c.value))));
    let found = choices.iter().find(|(name, _)| plain(name) == plain(wanted));
    match found {
        Some((_, number)) => Some(Ok(Variant::int(*number))),
        None if choices.is_empty() || wanted.parse::<i64>().is_ok() => None,
        None => {
            let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
            Some(Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{} cannot be '{wanted}'", property.name),
            )
            .hint(format!("one of {}", names.join(", ")))))
        }
    }
}

struct Reader<'a, 'g> {
    godot: &'a Godot<'g>,
    document: &'a mut Document,
    /// What the value is for, for errors.
    place: String,
    depth: usize,
    /// The inner resource that the value is for; what it needs stands before it.
    user: Option<&'a ResourceId>,
}

impl Reader<'_, '_> {
    fn property(
        &mut self,
        of: Expected<'_>,
        key: &str,
        value: &Value,
    ) -> Result<Variant, ToolError> {
        match find_property(self.godot, of, key)? {
            Wanted::Property(property) => {
                let classes = self.godot.classes();
                let read = match named_choice(classes, property, value) {
                    Some(named) => named?,
                    None => self.typed(property.value, value)?,
                };
                limits::check(classes, of.class, property, &read)?;
                Ok(read)
            }
            Wanted::Typed(wanted) => self.typed(wanted, value),
            Wanted::Export(export) => self.exported(&export, value),
            Wanted::Any => self.deeper(|reader| reader.untyped(value)),
        }
    }

    fn exported(&mut self, wanted: &ExportType, value: &Value) -> Result<Variant, ToolError> {
        self.deeper(|reader| match (wanted, value) {
            (ExportType::Builtin(builtin), _) => reader.builtin(*builtin, value),
            (ExportType::Node, _) => reader.object("Node", None, value),
            (ExportType::Resource(class), _) => reader.object(class, None, value),
            (ExportType::List(..), Value::String(_))
                if json_inside(value).is_some_and(|inside| inside.is_array()) =>
            {
                reader.exported(wanted, &json_inside(value).unwrap_or_default())
            }
            (ExportType::List(item, name), Value::Array(items)) => {
                let items = items.iter().map(|value| reader.exported(item, value));
                let items = items.collect::<Result<Vec<_>, ToolError>>()?;
                // The engine gives lists of scripts' classes their type when it loads them.
                let named = matches!(**item, ExportType::Builtin(_));
                let name = named.then(|| TypeName::Name(name.clone()));
                Ok(Variant::Array(name, items))
            }
            _ => reader.untyped(value),
        })
    }

    fn typed(&mut self, wanted: Type, value: &Value) -> Result<Variant, ToolError> {
        self.deeper(|reader| match wanted.builtin() {
            None => reader.untyped(value),
            Some(Builtin::Object) => {
                reader.object(wanted.class().unwrap_or("Resource"), Some(wanted), value)
            }
            Some(builtin) => reader.builtin(builtin, value),
        })
    }

    fn deeper<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        if self.depth >= MAX_DEPTH {
            return Err(self.wrong("nothing so deeply nested", &Value::Null));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn builtin(&mut self, wanted: Builtin, value: &Value) -> Result<Variant, ToolError> {
        let text = value.as_str();
        let read = match wanted {
            Builtin::Nil => Some(Variant::Nil),
            Builtin::Bool => match (value, text) {
                (Value::Bool(truth), _) => Some(Variant::Bool(*truth)),
                (_, Some("true")) => Some(Variant::Bool(true)),
                (_, Some("false")) => Some(Variant::Bool(false)),
                _ => None,
            },
            Builtin::Int => whole(value).map(Variant::int),
            Builtin::Float => number(value).map(Variant::float),
            Builtin::String => text.map(|text| Variant::String(text.to_owned())),
            Builtin::StringName => text.map(|text| Variant::StringName(text.to_owned())),
            Builtin::NodePath => text.map(node_path),
            Builtin::PackedStringArray => strings(value),
            Builtin::Array => self.array(value)?,
            Builtin::Dictionary => self.dictionary(value)?,
            other => {
                TupleKind::of_name(other.name().as_bytes()).and_then(|kind| tuple(kind, value))
            }
        };
        let read = read.or_else(|| as_written(text?).filter(|found| fits(found, wanted)));
        match (read, json_inside(value)) {
            (Some(read), _) => Ok(read),
            // The depth is that of the string, which holds no others.
            (None, Some(inside)) => {
                self.builtin(wanted, &inside).map_err(|_| self.wrong(wanted.name(), value))
            }
            (None, None) => Err(self.wrong(wanted.name(), value)),
        }
    }

    /// A resource: by its path, described, or one that the file has already.
    fn object(
        &mut self,
        class: &str,
        wanted: Option<Type>,
        value: &Value,
    ) -> Result<Variant, ToolError> {
        let is_node = self.godot.classes().inherits(class, "Node");
        match value {
            Value::Null => Ok(Variant::Nil),
            Value::String(text) if is_node => Ok(node_path(text)),
            Value::String(text) if text.trim_start().starts_with('{') => {
                let inside = json_inside(value).filter(Value::is_object);
                let inside = inside.ok_or_else(|| self.wrong(class, value))?;
                self.object(class, wanted, &inside)
            }
            Value::String(text)
                if text.starts_with("SubResource(") || text.starts_with("ExtResource(") =>
            {
                self.named_in_file(text)
            }
            Value::String(text) => {
                // Some properties take one of several classes.
                let path = self.godot.path(text).ok();
                let found = path.and_then(|path| self.godot.resource_class(&path));
                let found = found.filter(|found| {
                    wanted.is_some_and(|wanted| wanted.accepts(self.godot.classes(), found))
                });
                let class = found.as_deref().unwrap_or(class);
                let id = self.godot.reference(self.document, text, class)?;
                Ok(Variant::ExtResource(id))
            }
            Value::Object(members) if !is_node => self.sub_resource(wanted, class, members),
            _ => Err(self.wrong(class, value)),
        }
    }

    fn named_in_file(&self, text: &str) -> Result<Variant, ToolError> {
        let found = as_written(text);
        let there = match &found {
            Some(Variant::SubResource(id)) => self.document.sub_resource(id).is_some(),
            Some(Variant::ExtResource(id)) => self.document.ext_resource(id).is_some(),
            _ => false,
        };
        found.filter(|_| there).ok_or_else(|| {
            ToolError::new(ErrorKind::BadArguments, format!("{text} is not in the file"))
                .hint("read_resource and get_node_properties show the ids that are")
        })
    }

    fn sub_resource(
        &mut self,
        wanted: Option<Type>,
        class: &str,
        members: &Map<String, Value>,
    ) -> Result<Variant, ToolError> {
        let base = class;
        let named = members.get("type").and_then(Value::as_str).unwrap_or(class);
        let class = self.godot.class_below(named, "Resource")?;
        let classes = self.godot.classes();
        let fits =
            wanted.map_or_else(|| classes.inherits(class, base), |it| it.accepts(classes, class));
        if !fits {
            let wanted = wanted.map_or_else(|| base.to_owned(), |wanted| wanted.to_string());
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{} takes a {wanted}, and {class} is none", self.place),
            ));
        }
        let of = Expected { class, script: None };
        let mut properties = Vec::new();
        for (key, value) in members.iter().filter(|(key, _)| *key != "type") {
            properties.push((key.as_str(), self.property(of, key, value)?));
        }
        let order = EngineOrder::of(self.godot, of);
        properties.sort_by_key(|(key, _)| order.rank(key));
        let id = self.document.add_sub_resource(class, &properties, self.user).map_err(refused)?;
        Ok(Variant::SubResource(id))
    }

    fn array(&mut self, value: &Value) -> Result<Option<Variant>, ToolError> {
        let Value::Array(items) = value else { return Ok(None) };
        let items: Result<Vec<Variant>, ToolError> =
            items.iter().map(|item| self.deeper(|reader| reader.untyped(item))).collect();
        Ok(Some(Variant::Array(None, items?)))
    }

    fn dictionary(&mut self, value: &Value) -> Result<Option<Variant>, ToolError> {
        let Value::Object(members) = value else { return Ok(None) };
        let mut pairs = Vec::new();
        for (key, value) in members {
            let value = self.deeper(|reader| reader.untyped(value))?;
            pairs.push((Variant::String(key.clone()), value));
        }
        Ok(Some(Variant::Dictionary(None, pairs)))
    }

    /// Where nothing says what is wanted, the value itself does.
    fn untyped(&mut self, value: &Value) -> Result<Variant, ToolError> {
        Ok(match value {
            Value::Null => Variant::Nil,
            Value::Bool(truth) => Variant::Bool(*truth),
            Value::Number(number) => match number.as_i64() {
                Some(whole) => Variant::int(whole),
                None => Variant::float(number.as_f64().unwrap_or_default()),
            },
            Value::String(text) if text.starts_with("res://") || text.starts_with("uid://") => {
                match self.godot.reference(self.document, text, "Resource") {
                    Ok(id) => Variant::ExtResource(id),
                    // A text may look like a path and be none.
                    Err(_) => Variant::String(text.clone()),
                }
            }
            Value::String(text) => {
                constructed(text).unwrap_or_else(|| Variant::String(text.clone()))
            }
            Value::Array(_) => self.array(value)?.unwrap_or(Variant::Nil),
            Value::Object(members) => match vector(members) {
                Some(vector) => vector,
                None => self.dictionary(value)?.unwrap_or(Variant::Nil),
            },
        })
    }

    fn wrong(&self, wanted: &str, value: &Value) -> ToolError {
        let shown: String = value.to_string().chars().take(80).collect();
        let example = match wanted {
            "Vector2" | "Vector2i" => "{\"x\": 1, \"y\": 2}",
            "Vector3" | "Vector3i" => "{\"x\": 1, \"y\": 2, \"z\": 3}",
            "Color" => "\"#ff8800\" or {\"r\": 1, \"g\": 0.5, \"b\": 0}",
            "Texture2D" | "Resource" | "PackedScene" | "Material" => "\"res://path\"",
            _ => "the value as Godot writes it in its files",
        };
        ToolError::new(
            ErrorKind::BadArguments,
            format!("{} takes {wanted}, not {shown}", self.place),
        )
        .hint(format!("write {example}"))
    }
}

/// A path to a node, as it is or as Godot writes it.
fn node_path(text: &str) -> Variant {
    let inner = text.strip_prefix("NodePath(\"").and_then(|rest| rest.strip_suffix("\")"));
    Variant::NodePath(inner.unwrap_or(text).to_owned())
}

/// A value in Godot's own words.
fn as_written(text: &str) -> Option<Variant> {
    Variant::parse(text.trim()).ok()
}

/// The same, if it could be nothing but that: `Vector2(1, 2)`, not `1`.
fn constructed(text: &str) -> Option<Variant> {
    let text = text.trim();
    let is_call = text.ends_with(')')
        && text.split('(').next().is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric())
        });
    as_written(text).filter(|_| is_call || text.starts_with("&\""))
}

/// The JSON that a string holds, unless that is a string again: models and command lines write
/// `"[1, 2]"` for a vector.
pub(crate) fn json_inside(value: &Value) -> Option<Value> {
    let inside: Value = serde_json::from_str(value.as_str()?).ok()?;
    (!inside.is_string()).then_some(inside)
}

fn fits(found: &Variant, wanted: Builtin) -> bool {
    let name = found.type_name();
    name == wanted.name() || (wanted == Builtin::Float && name == "int")
}

fn whole(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number) => number.as_i64().or_else(|| {
            let float = number.as_f64()?;
            (float.fract() == 0.0 && float.abs() < 9e15).then_some(float as i64)
        }),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => match text.trim() {
            "inf" => Some(f64::INFINITY),
            "-inf" | "inf_neg" => Some(f64::NEG_INFINITY),
            "nan" => Some(f64::NAN),
            text => text.parse().ok().filter(|number: &f64| number.is_finite()),
        },
        _ => None,
    }
}

fn strings(value: &Value) -> Option<Variant> {
    let texts = value.as_array()?.iter().map(|item| item.as_str().map(str::to_owned));
    texts.collect::<Option<Vec<String>>>().map(Variant::Strings)
}
