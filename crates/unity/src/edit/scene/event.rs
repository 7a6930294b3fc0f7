//! Calls of UnityEvents, as the inspector writes them.
//!
//! Unity finds the method anew when the event is raised, by its name and the type of the argument, and
//! calls nothing where there is none. So what is known to call nothing is refused; what is not known is
//! written, and said.

mod called;
mod engine;
mod takes;

use serde_json::Value;

use super::{Editor, Refusal};
use crate::edit::New;
use crate::hierarchy::Stated;
use crate::{ClassId, FileId, Reference, types};
use takes::truth;

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
/// The class that is noted where no other is known.
const ANY_OBJECT: &str = "UnityEngine.Object, UnityEngine";
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
        let state = wanted_state(value)?;
        let argument = value.get("argument");
        let (mode, found) = called.mode(method, argument, wanted_mode(value)?)?;
        let class = match found.filter(|found| !found.of.is_empty()) {
            Some(found) => called.class_of(found),
            None => self.target_class(target),
        };
        let takes = called.takes(found);
        let arguments = self.arguments(mode, argument, takes)?;
        let mut fields = vec![("m_Target", New::Reference(target))];
        if self.project.habits.release.is_none_or(|release| release >= NAMES_TARGET) {
            fields.push(("m_TargetAssemblyTypeName", New::Text(class)));
        }
        fields.push(("m_MethodName", New::Text(method.to_owned())));
        fields.push(("m_Mode", New::int(mode)));
        fields.push(("m_Arguments", arguments));
        fields.push(("m_CallState", New::int(state)));
        let remark = called.remark(method, found);
        self.said.extend(remark.filter(|remark| !self.said.contains(remark)));
        Ok(New::Map(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
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
            2 => self.reference(argument, takes.map(short).filter(|class| *class != "Object"))?,
            _ => Reference { file_id: FileId::NULL, guid: None, kind: 0 },
        };
        let class = match (mode, takes) {
            (2, Some(ty)) => self.parameter_class(ty, object),
            (2, None) if !object.is_null() => self.target_class(object),
            _ => ANY_OBJECT.to_owned(),
        };
        let int = if mode == 3 { super::encode::int_of(argument).ok_or_else(wrong)? } else { 0 };
        let float =
            if mode == 4 { super::encode::number_of(argument).ok_or_else(wrong)? } else { 0.0 };
        let text = if mode == 5 { argument.as_str().ok_or_else(wrong)? } else { "" };
        let is = mode == 6 && truth(argument).ok_or_else(wrong)?;
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

    /// The class of a parameter with its assembly, as calls note it.
    fn parameter_class(&mut self, ty: &str, object: Reference) -> String {
        let name = short(ty);
        let engine = |full: &str| format!("{full}, {}", engine::assembly(full));
        if ty.starts_with("UnityEngine.") {
            return engine(ty);
        }
        let own = match object.is_null() {
            true => ANY_OBJECT.to_owned(),
            false => self.target_class(object),
        };
        let classes = self.project.classes;
        if own.split_once(',').is_some_and(|(full, _)| short(full) == name) {
            return own;
        }
        if types::class_named(name).is_some() || name == "ScriptableObject" {
            return engine(&classes.native_name(name));
        }
        if let Some(known) = classes.managed(name) {
            let space = match known.namespace.as_str() {
                "" => String::new(),
                space => format!("{space}."),
            };
            return format!("{space}{}, {}", known.class.replace('/', "+"), known.assembly);
        }
        let script = classes.find(name).ok().and_then(|class| class.script);
        let full = script.and_then(|script| classes.script_name(script, ""));
        match (script, full) {
            (Some(script), Some(full)) => format!("{full}, {}", classes.assembly(script)),
            _ => own,
        }
    }

    /// The class of a target with its assembly, as calls note it.
    fn target_class(&mut self, target: Reference) -> String {
        if target.guid.is_some() {
            // What is in a script or a prefab the id does not tell.
            let class = types::class_of_id(target.file_id).and_then(|class| class.name());
            let class = class.filter(|class| *class != "MonoBehaviour");
            let full = class.map(|class| self.project.classes.native_name(class));
            return full
                .map_or_else(|| ANY_OBJECT.to_owned(), |full| format!("{full}, UnityEngine"));
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

/// A name without namespace and outer class.
fn short(name: &str) -> &str {
    name.rsplit(['.', '+']).next().unwrap_or(name)
}

/// When a call is to be made.
fn wanted_state(call: &Value) -> Result<i64, Refusal> {
    let Some(when) = call.get("when") else { return Ok(2) };
    named(&STATES, when).ok_or_else(|| {
        Refusal::new(format!("{when} is no time of a call"))
            .hint("Off, EditorAndRuntime or RuntimeOnly")
    })
}

/// How a call is to pass its argument, where it says that itself.
fn wanted_mode(call: &Value) -> Result<Option<i64>, Refusal> {
    let Some(mode) = call.get("mode") else { return Ok(None) };
    named(&MODES, mode).map(Some).ok_or_else(|| {
        let names = MODES.map(|(name, _)| name).join(", ");
        Refusal::new(format!("{mode} is no mode of a call")).hint(names)
    })
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
