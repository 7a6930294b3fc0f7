//! Calls of UnityEvents, as the inspector writes them.

use serde_json::Value;

use super::{Classes, Editor, Held, Refusal, Seen};
use crate::edit::New;
use crate::hierarchy::Stated;
use crate::{ClassId, FileId, Reference};

/// What is passed to the method.
const MODES: [(&str, i64); 7] = [
    ("EventDefined", 0),
    ("Void", 1),
    ("Object", 2),
    ("Int", 3),
    ("Float", 4),
    ("String", 5),
    ("Bool", 6),
];
/// When a call is made.
const STATES: [(&str, i64); 3] = [("Off", 0), ("EditorAndRuntime", 1), ("RuntimeOnly", 2)];
/// What a call is told by.
const KEYS: [&str; 7] = ["target", "object", "component", "method", "argument", "mode", "when"];
/// Methods of objects themselves.
const OF_OBJECTS: [&str; 5] =
    ["SetActive", "SetActiveRecursively", "SendMessage", "SendMessageUpwards", "BroadcastMessage"];
/// What every script has from the engine.
const OF_BEHAVIOURS: [&str; 14] = [
    "BroadcastMessage",
    "CancelInvoke",
    "Invoke",
    "SendMessage",
    "SendMessageUpwards",
    "StartCoroutine",
    "StopAllCoroutines",
    "StopCoroutine",
    "set_enabled",
    "set_hideFlags",
    "set_name",
    "set_runInEditMode",
    "set_tag",
    "set_useGUILayout",
];
/// Since this release a call also names the class of its target.
const NAMES_TARGET: (u32, u32) = (2020, 2);

/// An event without calls.
pub(super) fn empty() -> New {
    let calls = New::Map(vec![("m_Calls".to_owned(), New::List(Vec::new()))]);
    New::Map(vec![("m_PersistentCalls".to_owned(), calls)])
}

impl Editor<'_> {
    /// All calls of an event.
    pub(super) fn encode_event(&mut self, value: &Value) -> Result<New, Refusal> {
        if value.get("m_PersistentCalls").is_some() || value.get("m_Target").is_some() {
            return Err(Refusal::new("a UnityEvent is set by its calls")
                .hint("[{\"target\": …, \"method\": …, \"argument\": …}]"));
        }
        let calls = match value {
            Value::Array(calls) => calls.iter().map(|call| self.event_call(call)).collect(),
            Value::Null => Ok(Vec::new()),
            call => self.event_call(call).map(|call| vec![call]),
        };
        let calls = New::Map(vec![("m_Calls".to_owned(), New::List(calls?))]);
        Ok(New::Map(vec![("m_PersistentCalls".to_owned(), calls)]))
    }

    /// One call: `{"target": reference, "method": "Name", "argument": …, "when": "RuntimeOnly"}`.
    pub(super) fn event_call(&mut self, value: &Value) -> Result<New, Refusal> {
        let odd =
            value.as_object().and_then(|call| call.keys().find(|key| !KEYS.contains(&&***key)));
        if let Some(odd) = odd {
            let text = format!("a call of a UnityEvent has no {odd}");
            return Err(Refusal::new(text).choices(odd, KEYS.map(str::to_owned).to_vec()));
        }
        let Some(method) = value.get("method").and_then(Value::as_str) else {
            let text = "a call of a UnityEvent needs a target and a method";
            return Err(Refusal::new(text).hint(
                "{\"target\": {\"object\": path, \"component\": class}, \"method\": name, \"argument\": value, \"when\": \"RuntimeOnly\"}",
            ));
        };
        let target = match value.get("target") {
            Some(target) => self.reference(target, None)?,
            // The object of the call itself, without a level around it.
            None if value.get("object").is_some() => self.reference(value, None)?,
            None => {
                let text = "a call of a UnityEvent needs a target";
                return Err(Refusal::new(text)
                    .hint("{\"object\": path, \"component\": class}, or null for none"));
            }
        };
        let called = self.called(target, method)?;
        let target = called.target;
        let state = match value.get("when") {
            None => 2,
            Some(when) => named(&STATES, when).ok_or_else(|| {
                Refusal::new(format!("{when} is no time of a call"))
                    .hint("Off, EditorAndRuntime or RuntimeOnly")
            })?,
        };
        let argument = value.get("argument");
        let mode = match value.get("mode") {
            Some(mode) => named(&MODES, mode).ok_or_else(|| {
                let names = MODES.map(|(name, _)| name).join(", ");
                Refusal::new(format!("{mode} is no mode of a call")).hint(names)
            })?,
            None => called.mode(method, argument)?,
        };
        let class = self.target_class(target);
        let mut fields = vec![("m_Target", New::Reference(target))];
        if self.project.habits.release.is_none_or(|release| release >= NAMES_TARGET) {
            fields.push(("m_TargetAssemblyTypeName", New::Text(class)));
        }
        fields.push(("m_MethodName", New::Text(method.to_owned())));
        fields.push(("m_Mode", New::int(mode)));
        fields.push(("m_Arguments", self.arguments(mode, argument, called.takes(mode))?));
        fields.push(("m_CallState", New::int(state)));
        Ok(New::Map(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
    }

    /// What a call calls. Of an object that has no such method, the one component that has it.
    fn called(&mut self, target: Reference, method: &str) -> Result<Called, Refusal> {
        let free = Called { target, class: String::new(), overloads: None };
        if target.guid.is_some() || target.is_null() {
            return Ok(free);
        }
        let classes = self.project.classes;
        let node = self.tree().find_by_id(target.file_id);
        let Some(seen) = node.and_then(|node| Seen::of(&node, classes).ok()) else {
            return Ok(free);
        };
        if let Some(held) = seen.components.iter().find(|held| held.id == target.file_id) {
            let overloads = overloads(classes, held, method)?;
            return Ok(Called { target, class: held.name.clone(), overloads });
        }
        if method.starts_with("set_") || OF_OBJECTS.contains(&method) {
            return Ok(free);
        }
        let has = |held: &&Held| match held.script {
            Some(_) => matches!(overloads(classes, held, method), Ok(Some(_))),
            None => classes.native_has(&held.full, method),
        };
        let found: Vec<&Held> = seen.components.iter().filter(has).collect();
        let [held] = found.as_slice() else {
            let names = seen.components.iter().map(|held| held.name.as_str()).collect::<Vec<_>>();
            let text = format!("a GameObject has no method {method}");
            let hint = format!(
                "name the component: {{\"object\": path, \"component\": class}}; {} has {}",
                seen.path,
                names.join(", ")
            );
            return Err(Refusal::new(text).hint(hint));
        };
        let to = match held.at {
            Stated::Here(id) => id,
            Stated::Override { instance, target } => self.stand_in(instance, target, held.id)?,
        };
        let target = Reference { file_id: to, ..target };
        let overloads = overloads(classes, held, method)?;
        Ok(Called { target, class: held.name.clone(), overloads })
    }

    fn arguments(
        &mut self,
        mode: i64,
        argument: Option<&Value>,
        takes: Option<&str>,
    ) -> Result<New, Refusal> {
        let argument = argument.unwrap_or(&Value::Null);
        let wrong = || Refusal::new(format!("{argument} does not fit the mode of the call"));
        let object = match mode {
            2 => self.reference(argument, takes)?,
            _ => Reference { file_id: FileId::NULL, guid: None, kind: 0 },
        };
        let class = match object.is_null() {
            true => "UnityEngine.Object, UnityEngine".to_owned(),
            false => self.target_class(object),
        };
        let int = if mode == 3 { super::encode::int_of(argument).ok_or_else(wrong)? } else { 0 };
        let float =
            if mode == 4 { super::encode::number_of(argument).ok_or_else(wrong)? } else { 0.0 };
        let text = if mode == 5 { argument.as_str().ok_or_else(wrong)? } else { "" };
        let is = mode == 6 && argument.as_bool().ok_or_else(wrong)?;
        let fields = [
            ("m_ObjectArgument", New::Reference(object)),
            ("m_ObjectArgumentAssemblyTypeName", New::Text(class)),
            ("m_IntArgument", New::int(int)),
            ("m_FloatArgument", New::float(float as f32)),
            ("m_StringArgument", New::Text(text.to_owned())),
            ("m_BoolArgument", New::bool(is)),
        ];
        Ok(New::Map(fields.map(|(key, value)| (key.to_owned(), value)).to_vec()))
    }

    /// The class of a target with its assembly, as calls note it.
    fn target_class(&mut self, target: Reference) -> String {
        if target.guid.is_some() {
            return "UnityEngine.Object, UnityEngine".to_owned();
        }
        let tree = self.tree();
        let Some(node) = tree.find_by_id(target.file_id) else { return String::new() };
        let components = node.components();
        let Some(held) = components.iter().find(|held| held.file_id() == target.file_id) else {
            return "UnityEngine.GameObject, UnityEngine".to_owned();
        };
        let is_script = held.class_id() == ClassId::MONO_BEHAVIOUR;
        let at: Stated = held.stated();
        let script = held.script();
        let classes = self.project.classes;
        let tree = self.tree();
        let node = tree.find_by_id(target.file_id);
        let components = node.map(|node| node.components()).unwrap_or_default();
        let full =
            components.iter().find(|held| held.stated() == at).map(|held| classes.names(held).1);
        let full = full.unwrap_or_default();
        match (is_script, script) {
            (true, Some(script)) => format!("{full}, {}", classes.assembly(script)),
            _ => format!("{full}, UnityEngine"),
        }
    }
}

/// What a call calls, and the parameters of the methods of that name, where they are known.
struct Called {
    target: Reference,
    class: String,
    overloads: Option<Vec<Vec<String>>>,
}

impl Called {
    /// How an argument is passed: as the method takes it.
    fn mode(&self, method: &str, argument: Option<&Value>) -> Result<i64, Refusal> {
        let argument = argument.filter(|argument| !argument.is_null());
        let Some(overloads) = &self.overloads else { return Ok(mode_of(argument)) };
        let fits = |types: &Vec<String>| match (types.as_slice(), argument) {
            ([], None) => Some(1),
            ([ty], Some(argument)) => mode_for(ty, argument),
            _ => None,
        };
        if let Some(mode) = overloads.iter().find_map(fits) {
            return Ok(mode);
        }
        let known: Vec<String> =
            overloads.iter().map(|types| format!("{method}({})", types.join(", "))).collect();
        let given = argument.map_or("no argument".to_owned(), ToString::to_string);
        let text = format!("{} has {}, and is given {given}", self.class, known.join(" and "));
        Err(Refusal::new(text).hint(
            "give an argument that fits; \"mode\": \"EventDefined\" passes what the event itself has",
        ))
    }

    /// The class of the object that the method takes.
    fn takes(&self, mode: i64) -> Option<&str> {
        let mut single = self.overloads.iter().flatten().filter(|types| types.len() == 1);
        single.next().map(|types| types[0].as_str()).filter(|_| mode == 2)
    }
}

/// The parameters of a component's methods of a name; nothing where they cannot be known.
fn overloads(
    classes: &dyn Classes,
    held: &Held,
    method: &str,
) -> Result<Option<Vec<Vec<String>>>, Refusal> {
    let Some(methods) = held.script.and_then(|script| classes.methods(script)) else {
        return Ok(None);
    };
    let named = methods.all.iter().filter(|(name, _)| name == method);
    let types: Vec<_> = named.map(|(_, types)| types.clone()).collect();
    if !types.is_empty() {
        return Ok(Some(types));
    }
    if !methods.is_whole || OF_BEHAVIOURS.contains(&method) {
        return Ok(None);
    }
    let known = methods.all.into_iter().filter(|(_, types)| types.len() < 2);
    let known = known.map(|(name, _)| name).collect();
    Err(Refusal::new(format!("{} has no method {method}", held.name)).choices(method, known))
}

/// How an argument goes to a parameter of a type; nothing where it does not.
fn mode_for(ty: &str, argument: &Value) -> Option<i64> {
    let short = ty.rsplit('.').next().unwrap_or(ty);
    match (short, argument) {
        ("int" | "Int32", Value::Number(number)) => number.is_i64().then_some(3),
        ("float" | "Single", Value::Number(_)) => Some(4),
        ("string" | "String", Value::String(_)) => Some(5),
        ("bool" | "Boolean", Value::Bool(_)) => Some(6),
        ("int" | "Int32" | "float" | "Single" | "string" | "String" | "bool" | "Boolean", _) => {
            None
        }
        (_, Value::Object(_) | Value::String(_)) => Some(2),
        _ => None,
    }
}

fn named(table: &[(&str, i64)], value: &Value) -> Option<i64> {
    match value {
        Value::String(text) => table
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(text))
            .map(|(_, number)| *number),
        number => number.as_i64().filter(|number| table.iter().any(|(_, known)| known == number)),
    }
}

fn mode_of(argument: Option<&Value>) -> i64 {
    match argument {
        None | Some(Value::Null) => 1,
        Some(Value::Bool(_)) => 6,
        Some(Value::Number(number)) => {
            if number.is_i64() {
                3
            } else {
                4
            }
        }
        Some(Value::String(_)) => 5,
        Some(_) => 2,
    }
}
