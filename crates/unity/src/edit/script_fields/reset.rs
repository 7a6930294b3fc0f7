//! What `Reset` of a component sets: the editor runs it when somebody adds one, over what the initializers gave.
//! Plain assignments are read; what else it does is only known to be there.

use super::initial::{Initial, evaluate};
use super::walk::Place;
use crate::script::{MethodKind, Modifier, ScriptSet};

/// What a `Reset` sets.
#[derive(Debug, Default)]
pub(super) struct Reset {
    /// Fields with the values that they get last.
    pub(super) given: Vec<(String, Initial)>,
    /// It does something else, too.
    pub(super) does_more: bool,
}

/// What adding a component of a class sets.
pub(super) fn reset<'a>(set: &ScriptSet<'a>, place: &Place<'a>) -> Reset {
    let mut reset = Reset::default();
    let mut chain = place.chain(set);
    run(set, &mut chain, &mut reset);
    reset
}

/// Runs the `Reset` of the last class in a chain of bases, or that of the nearest base which has one.
fn run<'a>(set: &ScriptSet<'a>, chain: &mut Vec<Place<'a>>, reset: &mut Reset) {
    while let Some(place) = chain.pop() {
        let parts = set.parts(place.ty);
        let mut methods = parts.iter().flat_map(|part| &part.decl.methods);
        let own = methods.find(|method| {
            let is_plain = method.parameters.is_empty() && method.type_parameters.is_empty();
            let is_static = method.about.modifiers.has(Modifier::Static);
            method.kind == MethodKind::Method && method.name == "Reset" && is_plain && !is_static
        });
        let Some(own) = own else { continue };
        let Some(statements) = &own.statements else {
            reset.does_more = true;
            return;
        };
        for statement in statements {
            let statement = statement.trim().trim_end_matches(';').trim_end();
            match statement == "base.Reset()" {
                true => run(set, &mut chain.clone(), reset),
                false => assign(set, &place, statement, reset),
            }
        }
        return;
    }
}

fn assign<'a>(set: &ScriptSet<'a>, place: &Place<'a>, statement: &str, reset: &mut Reset) {
    let assigned = statement.split_once('=').map(|(name, value)| {
        let name = name.trim();
        (name.strip_prefix("this.").unwrap_or(name), value)
    });
    let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let Some((name, value)) = assigned.filter(|(name, _)| is_name(name)) else {
        reset.does_more = true;
        return;
    };
    match field(set, place, name) {
        // A property does what its code says.
        Known::Not => reset.does_more = true,
        Known::Unsaved => {}
        Known::Saved(initializer) => {
            reset.given.retain(|(known, _)| known != name);
            let is_same = || initializer.is_some_and(|text| in_short(&text) == in_short(value));
            match evaluate(set, place, value) {
                Some(value) => reset.given.push((name.to_owned(), value)),
                None => reset.does_more |= !is_same(),
            }
        }
    }
}

fn in_short(code: &str) -> String {
    code.split_whitespace().collect()
}

/// What a name is in a class.
enum Known {
    /// A field that is saved, with its initializer.
    Saved(Option<String>),
    /// Another field.
    Unsaved,
    /// No field.
    Not,
}

fn field<'a>(set: &ScriptSet<'a>, place: &Place<'a>, name: &str) -> Known {
    for place in place.chain(set) {
        let mut saved = set.serialized_fields(place.ty).fields.into_iter();
        if let Some(field) = saved.find(|field| field.name == name) {
            return Known::Saved(field.initializer);
        }
        let parts = set.parts(place.ty);
        if parts.iter().flat_map(|part| &part.decl.fields).any(|field| field.name == name) {
            return Known::Unsaved;
        }
    }
    Known::Not
}
