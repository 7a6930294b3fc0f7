//! The types that code can name, and what they have: those of `data/console.txt`, and the engine's
//! classes and enums, which the world knows.

use std::collections::BTreeMap;

use scenewright_world::types::{Method, Type, Types, short_name};

use super::super::library::{argument, call_of};
use super::{Row, run, told};
use crate::library::{self, Entry, EntryKind, Signature};
use crate::ty::Ty;

/// Rows of every type, by its name; a type may be in both tables.
pub(super) fn rows() -> BTreeMap<String, Vec<Row>> {
    let mut pages: BTreeMap<String, Vec<Row>> = BTreeMap::new();
    for (owner, section) in library::all() {
        let rows = pages.entry(owner.to_owned()).or_default();
        for entry in &section.entries {
            let example = call_of(owner, entry, &section.parameters);
            let example = example.unwrap_or_else(|| panic!("no example of {owner}.{}", entry.name));
            rows.push(row(of_entry(owner, entry), example));
        }
    }
    let types = Types::default();
    for class in types.all() {
        let rows = pages.entry(class.full_name.to_string()).or_default();
        rows.extend(of_class(&types, class));
    }
    for ty in types.enums() {
        // `+` is how the engine writes what is `.` in code.
        let written = ty.full_name.replace('+', ".");
        let rows = pages.entry(written.clone()).or_default();
        for (name, _) in &ty.members {
            rows.push(row(format!("`{name}`"), format!("{written}.{name}")));
        }
    }
    pages.retain(|_, rows| !rows.is_empty());
    pages
}

fn row(name: String, example: String) -> Row {
    let given = run(&example);
    Row { name, gave: told(&given), example, is_right: given.is_ok() }
}

fn of_entry(owner: &str, entry: &Entry) -> String {
    let word = if entry.is_static && &*entry.name != library::NEW { "static " } else { "" };
    match &entry.kind {
        EntryKind::Property { ty, can_write } => property(word, ty, &entry.name, *can_write),
        EntryKind::Method(signature) if &*entry.name == library::NEW => {
            format!("`new {}({})`", short_name(owner), parameters(signature))
        }
        EntryKind::Method(signature) => {
            // An average has no one type; the binder finds it.
            let returns = match signature.returns.name.starts_with('@') {
                true => "double".to_owned(),
                false => signature.returns.to_string(),
            };
            let types: Vec<String> = signature.type_parameters.iter().map(Ty::to_string).collect();
            let types =
                if types.is_empty() { String::new() } else { format!("<{}>", types.join(", ")) };
            format!("`{word}{returns} {}{types}({})`", entry.name, parameters(signature))
        }
    }
}

fn parameters(signature: &Signature) -> String {
    let last = signature.parameters.len().saturating_sub(1);
    let written = signature.parameters.iter().enumerate().map(|(index, (name, ty))| {
        let word = match index == last {
            true if signature.has_out => "out ",
            true if signature.has_rest => "params ",
            _ => "",
        };
        format!("{word}{ty} {name}")
    });
    written.collect::<Vec<String>>().join(", ")
}

fn property(word: &str, ty: &Ty, name: &str, can_write: bool) -> String {
    let only = if can_write { "" } else { ", read only" };
    format!("`{word}{ty} {name}`{only}")
}

fn of_class(types: &Types, class: &Type) -> Vec<Row> {
    let mut rows = Vec::new();
    let value = value_of(types, &class.full_name);
    let of = |is_static: bool| match is_static {
        true => class.full_name.to_string(),
        false => value.clone(),
    };
    for member in &class.members {
        let word = if member.is_static { "static " } else { "" };
        let name = property(word, &Ty::parse(&member.type_name), &member.name, member.can_write);
        rows.push(row(name, format!("{}.{}", of(member.is_static), member.name)));
    }
    for method in &class.methods {
        let args: Option<Vec<String>> =
            method.parameters.iter().map(|(ty, _)| value_for(&Ty::parse(ty))).collect();
        let args = args.unwrap_or_else(|| panic!("no arguments for {}", method.name));
        let example = format!("{}.{}({})", of(method.is_static), method.name, args.join(", "));
        rows.push(row(of_method(method), example));
    }
    rows
}

fn of_method(method: &Method) -> String {
    let word = if method.is_static { "static " } else { "" };
    let parameter = |(ty, name): &(std::sync::Arc<str>, std::sync::Arc<str>)| {
        format!("{} {name}", Ty::parse(ty))
    };
    let parameters: Vec<String> = method.parameters.iter().map(parameter).collect();
    let returns = Ty::parse(&method.returns);
    format!("`{word}{returns} {}({})`", method.name, parameters.join(", "))
}

/// An expression whose value is of a class.
fn value_of(types: &Types, class: &str) -> String {
    match class {
        "UnityEngine.Object" | "UnityEngine.GameObject" => "GameObject.Find(\"Lamp\")".to_owned(),
        "UnityEngine.Component" | "UnityEngine.Transform" => {
            "GameObject.Find(\"Town\").transform".to_owned()
        }
        _ if types.is_a(class, "UnityEngine.Component") => {
            format!("new GameObject(\"New\").AddComponent<{}>()", short_name(class))
        }
        _ => format!("default({class})"),
    }
}

fn value_for(ty: &Ty) -> Option<String> {
    match ty.to_string().as_str() {
        "Type" => Some("typeof(Light)".to_owned()),
        "string" => Some("\"Lamp\"".to_owned()),
        "Transform" => Some("GameObject.Find(\"Ork\").transform".to_owned()),
        "Object" | "GameObject" => Some("GameObject.Find(\"Ork\")".to_owned()),
        other => argument(other, ""),
    }
}
