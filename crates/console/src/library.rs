//! The types that console code knows besides those of the world: `data/console.txt`, read.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

use scenewright_world::types::short_name;

use super::ty::Ty;

/// A type of the table.
#[derive(Debug, Default)]
pub(super) struct Section {
    pub(super) base: Option<Ty>,
    /// What stands for types in it: `K` and `V` of `Dictionary<K,V>`.
    pub(super) parameters: Vec<Ty>,
    pub(super) entries: Vec<Entry>,
}

/// A member.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) name: Arc<str>,
    pub(super) is_static: bool,
    /// Full name of the type that declares it.
    pub(super) owner: Arc<str>,
    pub(super) kind: EntryKind,
}

#[derive(Debug, Clone)]
pub(super) enum EntryKind {
    Property { ty: Ty, can_write: bool },
    Method(Signature),
}

/// What a method or a constructor takes and gives.
#[derive(Debug, Clone)]
pub(super) struct Signature {
    pub(super) returns: Ty,
    pub(super) parameters: Vec<(Arc<str>, Ty)>,
    /// The last parameter is `out`.
    pub(super) has_out: bool,
    /// The last parameter takes any number of arguments.
    pub(super) has_rest: bool,
    /// Type arguments that must be written.
    pub(super) type_parameters: Vec<Ty>,
}

/// The name of constructors in the table.
pub(super) const NEW: &str = "new";

/// The section of a type.
pub(super) fn section(name: &str) -> Option<&'static Section> {
    TABLE.get(name)
}

/// The full name of a type of the table, by its full or its short name.
pub(super) fn find(text: &str) -> Option<&'static str> {
    if let Some((name, _)) = TABLE.get_key_value(text) {
        return Some(name);
    }
    if text.contains('.') {
        return None;
    }
    TABLE.keys().copied().find(|name| short_name(name) == text)
}

#[cfg(test)]
pub(super) fn all() -> impl Iterator<Item = (&'static str, &'static Section)> {
    TABLE.iter().map(|(name, section)| (*name, section))
}

static TABLE: LazyLock<HashMap<&'static str, Section>> = LazyLock::new(|| {
    let mut table: HashMap<&'static str, Section> = HashMap::new();
    let mut open = "";
    for line in include_str!("../data/console.txt").lines() {
        let text = line.trim();
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if line.starts_with(' ') {
            let entry = entry(open, text);
            table.entry(open).or_default().entries.push(entry);
            continue;
        }
        let (head, base) = text.split_once(" : ").map_or((text, None), |(h, b)| (h, Some(b)));
        open = head.split_once('<').map_or(head, |(name, _)| name);
        let section = table.entry(open).or_default();
        section.base = base.map(Ty::parse);
        section.parameters = Ty::parse(head).args.to_vec();
    }
    table
});

fn entry(owner: &str, text: &str) -> Entry {
    let (is_static, text) = match text.strip_prefix("static ") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let owner: Arc<str> = owner.into();
    if let Some(parameters) = text.strip_prefix("new(") {
        let signature = signature(Ty::void(), parameters.trim_end_matches(')'), Vec::new());
        return Entry {
            name: NEW.into(),
            is_static: true,
            owner,
            kind: EntryKind::Method(signature),
        };
    }
    if let Some(method) = text.strip_prefix("method ") {
        let (head, parameters) = method.split_once('(').unwrap_or((method, ""));
        let (returns, name) = head.split_once(' ').unwrap_or(("void", head));
        let (name, types) = name.split_once('<').map_or((name, ""), |(name, types)| (name, types));
        let types = types.trim_end_matches('>').split(',').filter(|ty| !ty.is_empty());
        let signature = signature(
            Ty::parse(returns),
            parameters.trim_end_matches(')'),
            types.map(Ty::parse).collect(),
        );
        return Entry { name: name.into(), is_static, owner, kind: EntryKind::Method(signature) };
    }
    let (can_write, text) = match text.strip_prefix("ro ") {
        Some(rest) => (false, rest),
        None => (true, text),
    };
    let (name, ty) = text.split_once(' ').unwrap_or((text, ""));
    let kind = EntryKind::Property { ty: Ty::parse(ty), can_write };
    Entry { name: name.into(), is_static, owner, kind }
}

fn signature(returns: Ty, parameters: &str, type_parameters: Vec<Ty>) -> Signature {
    let mut signature = Signature {
        returns,
        parameters: Vec::new(),
        has_out: false,
        has_rest: false,
        type_parameters,
    };
    let mut rest = parameters.trim();
    while !rest.is_empty() {
        // The comma after a name ends a parameter; those inside `<>` come before the name.
        let (parameter, after) = cut(rest);
        rest = after;
        let parameter = match parameter.split_once(' ') {
            Some(("out", rest)) => {
                signature.has_out = true;
                rest
            }
            Some(("params", rest)) => {
                signature.has_rest = true;
                rest
            }
            _ => parameter,
        };
        let (ty, name) = parameter.rsplit_once(' ').unwrap_or((parameter, ""));
        signature.parameters.push((name.into(), Ty::parse(ty)));
    }
    signature
}

fn cut(text: &str) -> (&str, &str) {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => return (text[..at].trim(), text[at + 1..].trim()),
            _ => {}
        }
    }
    (text.trim(), "")
}
