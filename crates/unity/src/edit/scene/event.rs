//! Calls of UnityEvents, as the inspector writes them.

use serde_json::Value;

use super::{Editor, Refusal};
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
        let Some(method) = value.get("method").and_then(Value::as_str) else {
            let text = "a call of a UnityEvent needs a target and a method";
            return Err(Refusal::new(text).hint(
                "{\"target\": {\"object\": path, \"component\": class}, \"method\": name, \"argument\": value, \"when\": \"RuntimeOnly\"}",
            ));
        };
        let target = self.reference(value.get("target").unwrap_or(&Value::Null), None)?;
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
            None => mode_of(argument),
        };
        let class = self.target_class(target);
        let mut fields = vec![("m_Target", New::Reference(target))];
        if self.project.habits.release.is_none_or(|release| release >= NAMES_TARGET) {
            fields.push(("m_TargetAssemblyTypeName", New::Text(class)));
        }
        fields.push(("m_MethodName", New::Text(method.to_owned())));
        fields.push(("m_Mode", New::int(mode)));
        fields.push(("m_Arguments", self.arguments(mode, argument)?));
        fields.push(("m_CallState", New::int(state)));
        Ok(New::Map(fields.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
    }

    fn arguments(&mut self, mode: i64, argument: Option<&Value>) -> Result<New, Refusal> {
        let argument = argument.unwrap_or(&Value::Null);
        let wrong = || Refusal::new(format!("{argument} does not fit the mode of the call"));
        let object = match mode {
            2 => self.reference(argument, None)?,
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
