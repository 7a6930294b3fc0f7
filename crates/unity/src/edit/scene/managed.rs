//! Objects of `[SerializeReference]` fields, which stand in a table at the end of their owner.

use serde_json::Value;

use super::encode::overlaid;
use super::fields::Owner;
use super::{Editor, Refusal};
use crate::edit::kind::Kind;
use crate::edit::{self, New, ScriptFields};
use crate::hierarchy::Stated;
use crate::script::simple_name;

/// Since this release the table has numbers of its own for its objects.
const NUMBERED: (u32, u32) = (2021, 2);
const TABLE: &str = "references";

/// A class of such objects.
#[derive(Debug, Clone, Default)]
pub struct ManagedClass {
    /// Its name; a class in a class has `/` before it.
    pub class: String,
    /// Its namespace.
    pub namespace: String,
    /// Its assembly.
    pub assembly: String,
    /// What it saves.
    pub fields: ScriptFields,
    /// The classes and interfaces that it is one of, without namespaces, itself first.
    pub bases: Vec<String>,
    /// All of them are known.
    pub is_whole: bool,
    /// What it is instead of such a class: `a structure`.
    pub instead: Option<&'static str>,
}

impl Editor<'_> {
    /// What a field has for an object that is made: `{"type": "Ns.Class", "value": {…}}`, or null.
    pub(super) fn encode_managed(
        &mut self,
        value: &Value,
        wanted: Option<&str>,
    ) -> Result<New, Refusal> {
        let number = |rid: i64| New::Map(vec![("rid".to_owned(), New::int(rid))]);
        if value.is_null() {
            self.managed.push((-2, entry(-2, &ManagedClass::default(), None)));
            return Ok(number(-2));
        }
        let Some(name) = value.get("type").and_then(Value::as_str) else {
            let text = format!("{value} is no object of a [SerializeReference] field");
            return Err(
                Refusal::new(text).hint("{\"type\": \"Namespace.Class\", \"value\": {…}}, or null")
            );
        };
        if self.project.habits.release.is_some_and(|release| release < NUMBERED) {
            let text = "before Unity 2021.2 these objects are written in another form";
            return Err(Refusal::new(text).hint("null clears the field"));
        }
        let class = self.project.classes.managed(name).ok_or_else(|| {
            let text = format!("no source of the project declares a class {name}");
            Refusal::new(text).hint("name it with its namespace, as its source has it")
        })?;
        must_fit(name, &class, wanted)?;
        let kinds = Kind::Fields(std::sync::Arc::new(class.fields.kinds.clone()));
        let mut data = New::Map(class.fields.values.clone());
        if let Some(given) = value.get("value").filter(|given| !given.is_null()) {
            data = overlaid(data, self.encode(&kinds, given, None)?);
        }
        let data = super::packed::pack(&kinds, None, &data);
        let rid = self.sheet.reference_id(name);
        self.managed.push((rid, entry(rid, &class, Some(data))));
        Ok(number(rid))
    }

    /// Put the objects that were made into the table of their owner.
    pub(super) fn settle_managed(&mut self, owner: &Owner) -> Result<(), Refusal> {
        let made = std::mem::take(&mut self.managed);
        if made.is_empty() {
            return Ok(());
        }
        let Stated::Here(id) = owner.at else {
            let text =
                "objects of [SerializeReference] fields inside a prefab instance are not made here";
            return Err(Refusal::new(text).hint("set the field in the prefab"));
        };
        for (rid, entry) in made {
            self.edit(id, |object, manner, edits| {
                let Some(table) = object.get(TABLE) else {
                    let list = New::List(vec![entry]);
                    let fields =
                        vec![("version".to_owned(), New::int(2)), ("RefIds".to_owned(), list)];
                    return edit::set(object, TABLE, &New::Map(fields), manner, edits);
                };
                let known = table.get("RefIds").into_iter().flat_map(|list| list.items());
                let mut known = known.filter_map(|item| item.get("rid")?.as_i64());
                match known.any(|known| known == rid) {
                    true => Ok(()),
                    false => edit::append(object, "references.RefIds", entry, manner, edits),
                }
            })?;
        }
        Ok(())
    }
}

/// Unity drops an object that the field's type does not take, and cannot make those of others.
fn must_fit(name: &str, class: &ManagedClass, wanted: Option<&str>) -> Result<(), Refusal> {
    if let Some(instead) = class.instead {
        let text = format!("{name} is {instead}, and the field takes objects of plain classes");
        return Err(Refusal::new(text));
    }
    let Some(wanted) = wanted.filter(|_| class.is_whole) else { return Ok(()) };
    let plain = wanted.split('<').next().unwrap_or(wanted);
    match class.bases.iter().any(|base| base == simple_name(plain)) {
        true => Ok(()),
        false => Err(Refusal::new(format!("the field takes a {wanted}, and {name} is none"))),
    }
}

fn entry(rid: i64, class: &ManagedClass, data: Option<New>) -> New {
    let text = |text: &str| New::Text(text.to_owned());
    let parts = [
        ("class", text(&class.class)),
        ("ns", text(&class.namespace)),
        ("asm", text(&class.assembly)),
    ];
    let ty = New::Flow(parts.map(|(key, value)| (key.to_owned(), value)).to_vec());
    let mut fields = vec![("rid".to_owned(), New::int(rid)), ("type".to_owned(), ty)];
    fields.extend(data.map(|data| ("data".to_owned(), data)));
    New::Map(fields)
}
