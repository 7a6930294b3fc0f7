//! The fields of a new object, with their values.

use super::initial::{Initial, evaluate};
use super::reset::Reset;
use super::walk::{Place, Saved, saved};
use super::{Missing, Unknown, engine};
use crate::FileId;
use crate::edit::New;
use crate::script::{Collection, ScriptSet, TypeKind, TypeRef, UnityBase, ValueKind, simple_name};
use crate::types::Version;

/// Unity saves no deeper than this.
const MAX_DEPTH: usize = 10;
/// Since then references to managed objects are written with `rid`.
const RIDS_SINCE: &str = "2021.2.0a1";
/// Base classes of the engine that save nothing of their own.
const BARE_BASES: [&str; 9] = [
    "MonoBehaviour",
    "ScriptableObject",
    "StateMachineBehaviour",
    "UIBehaviour",
    "EditorWindow",
    "Editor",
    "PlayableAsset",
    "TileBase",
    "object",
];

pub(super) fn script_values<'a>(
    set: &ScriptSet<'a>,
    ty: TypeRef<'a>,
    version: Version,
    reset: &mut Reset,
) -> (Vec<(String, New)>, Vec<Unknown>) {
    let mut maker = Maker { set, version, unknown: Vec::new(), managed: Managed::None };
    let place = Place::of(ty);
    reset.given.retain(|(name, value)| {
        let is_known = maker.takes(&place, name, value);
        reset.does_more |= !is_known;
        is_known
    });
    if let Some(base) = place.library_base(set)
        && !BARE_BASES.contains(&simple_name(&base))
    {
        let (path, what) = (String::new(), Missing::Base);
        maker.unknown.push(Unknown { path, ty: base, what });
    }
    let mut fields = maker.fields(&place, &reset.given, true, "", 0);
    if maker.managed != Managed::None {
        fields.push(("references".to_owned(), references(maker.managed)));
    }
    (fields, maker.unknown)
}

/// Which references to managed objects there are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Managed {
    None,
    /// Lists of them only, which are empty.
    Lists,
    /// Some that lead nowhere.
    Nulls,
}

/// The table behind the fields that `[SerializeReference]` leads into.
fn references(managed: Managed) -> New {
    let entry = |key: &str, value| (key.to_owned(), value);
    let nothing = ["class", "ns", "asm"].map(|key| entry(key, New::Text(String::new())));
    let null = New::Map(vec![entry("rid", New::int(-2)), entry("type", New::Flow(nothing.into()))]);
    let ids = if managed == Managed::Nulls { vec![null] } else { Vec::new() };
    New::Map(vec![entry("version", New::int(2)), entry("RefIds", New::List(ids))])
}

struct Maker<'s, 'a> {
    set: &'s ScriptSet<'a>,
    version: Version,
    unknown: Vec<Unknown>,
    managed: Managed,
}

impl<'a> Maker<'_, 'a> {
    /// The fields of a class. `given` are those that an initializer around it sets.
    fn fields(
        &mut self,
        place: &Place<'a>,
        given: &[(String, Initial)],
        runs_initializers: bool,
        path: &str,
        depth: usize,
    ) -> Vec<(String, New)> {
        let mut fields = Vec::new();
        for saved in saved(self.set, place) {
            let key = saved.field.key.clone();
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let given = given.iter().find(|(name, _)| *name == saved.field.name);
            let text = saved.field.initializer.as_deref().filter(|_| runs_initializers);
            let initial = match (given, text) {
                (Some((_, given)), _) => Some(given.clone()),
                (None, Some(text)) => evaluate(self.set, &saved.place, text),
                (None, None) => Some(Initial::Nothing),
            };
            let is_evaluated = initial.is_some();
            let initial = initial.unwrap_or(Initial::Nothing);
            let Some((new, is_known)) = self.value(&saved, &initial, &path, depth) else {
                continue;
            };
            // A reference to an object cannot be made by an initializer. Of others Unity takes what
            // the initializer says where the file says nothing; a zero would replace it.
            if !(is_evaluated && is_known) && saved.kind != ValueKind::Object {
                let what = Missing::Value(text.unwrap_or_default().to_owned());
                self.unknown.push(Unknown { path, ty: saved.field.ty.to_string(), what });
                continue;
            }
            fields.push((key, new));
        }
        fields
    }

    /// Whether a field can have a value as code gives it. Leaves nothing behind.
    fn takes(&mut self, place: &Place<'a>, name: &str, value: &Initial) -> bool {
        let mut trial = Maker { unknown: Vec::new(), ..*self };
        let mut all = saved(trial.set, place).into_iter();
        let field = all.find(|saved| saved.field.name == name);
        let found = field.map(|saved| trial.value(&saved, value, name, 0));
        // A field that is left out for its type is told as one.
        found.is_none_or(|made| made.is_none_or(|(_, is_known)| is_known))
    }

    /// A value, and whether its initializer is in it. Nothing for what is left out.
    fn value(
        &mut self,
        saved: &Saved<'a>,
        initial: &Initial,
        path: &str,
        depth: usize,
    ) -> Option<(New, bool)> {
        if saved.collection == Collection::One {
            return self.single(saved, initial, path, depth);
        }
        let nothing = std::iter::repeat_n(&Initial::Nothing, 0);
        let (items, is_known): (Vec<&Initial>, bool) = match initial {
            Initial::Items(items) => (items.iter().collect(), true),
            Initial::Empty(count) => {
                (std::iter::repeat_n(&Initial::Nothing, *count).collect(), true)
            }
            Initial::Nothing => (nothing.collect(), true),
            Initial::Members(members) => (Vec::new(), members.is_empty()),
            _ => (Vec::new(), false),
        };
        if saved.kind == ValueKind::ManagedReference {
            if !self.has_rids() {
                return self.leave_out(saved, path);
            }
            self.managed =
                if self.managed == Managed::None { Managed::Lists } else { self.managed };
            return Some((New::List(Vec::new()), is_known && items.is_empty()));
        }
        if items.is_empty() && saved.kind == ValueKind::Unknown {
            return self.leave_out(saved, path);
        }
        let mut is_known = is_known;
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            let (new, is_item_known) = self.single(saved, item, path, depth)?;
            is_known &= is_item_known;
            list.push(new);
        }
        match whole_size(saved) {
            Some(size) => Some((New::Text(hex(&list, size)), is_known)),
            None => Some((New::List(list), is_known)),
        }
    }

    fn single(
        &mut self,
        saved: &Saved<'a>,
        initial: &Initial,
        path: &str,
        depth: usize,
    ) -> Option<(New, bool)> {
        let name = simple_type(&saved.element);
        match saved.kind {
            ValueKind::Primitive => Some(primitive(name, initial)),
            ValueKind::String => Some(match initial {
                Initial::Text(text) => (New::Text(text.clone()), true),
                other => (New::Text(String::new()), *other == Initial::Nothing),
            }),
            ValueKind::Enum => Some(match initial {
                Initial::Int(number) => (New::int(*number), true),
                other => (New::int(0), *other == Initial::Nothing),
            }),
            ValueKind::Object => Some((New::local(FileId(0)), *initial == Initial::Nothing)),
            ValueKind::EngineValue => match engine::value(name, initial, self.version) {
                Some(found) => Some(found),
                None => self.leave_out(saved, path),
            },
            ValueKind::ManagedReference if self.has_rids() => {
                self.managed = Managed::Nulls;
                let null = New::Map(vec![("rid".to_owned(), New::int(-2))]);
                Some((null, *initial == Initial::Nothing))
            }
            ValueKind::Nested => self.nested(saved, initial, path, depth),
            ValueKind::ManagedReference | ValueKind::Unknown => self.leave_out(saved, path),
        }
    }

    fn nested(
        &mut self,
        saved: &Saved<'a>,
        initial: &Initial,
        path: &str,
        depth: usize,
    ) -> Option<(New, bool)> {
        if depth + 1 >= MAX_DEPTH {
            return None;
        }
        let place = Place::named(self.set, &saved.element, saved.from, &saved.place)?;
        if let Some(base) = place.library_base(self.set) {
            match simple_type(&base) {
                "UnityEvent" => return Some((engine::event(), true)),
                _ if self.set.unity_base(place.ty) == UnityBase::None => {}
                _ => return self.leave_out(saved, path),
            }
        }
        let is_class = matches!(place.ty.decl.kind, TypeKind::Class | TypeKind::Record);
        let (given, is_known) = match initial {
            Initial::Members(members) => (members.as_slice(), true),
            Initial::Nothing => (&[][..], true),
            _ => (&[][..], false),
        };
        let fields = self.fields(&place, given, is_class, path, depth + 1);
        Some((New::Map(fields), is_known))
    }

    fn has_rids(&self) -> bool {
        Version::parse(RIDS_SINCE).is_some_and(|since| self.version >= since)
    }

    fn leave_out(&mut self, saved: &Saved<'a>, path: &str) -> Option<(New, bool)> {
        let ty = saved.field.ty.to_string();
        self.unknown.push(Unknown { path: path.to_owned(), ty, what: Missing::Field });
        None
    }
}

/// A type without its namespace and arguments.
pub(super) fn simple_type(ty: &str) -> &str {
    let ty = ty.split('<').next().unwrap_or(ty).trim().trim_end_matches('?');
    ty.rsplit(['.', ':']).next().unwrap_or(ty).trim()
}

fn primitive(name: &str, initial: &Initial) -> (New, bool) {
    let number = match initial {
        Initial::Int(number) => Some(*number as f64),
        Initial::Real(number, _) => Some(*number),
        Initial::Nothing => Some(0.0),
        _ => None,
    };
    match (name, initial) {
        ("float" | "Single", _) => {
            (New::float(number.unwrap_or_default() as f32), number.is_some())
        }
        ("double" | "Double", _) => (New::double(number.unwrap_or_default()), number.is_some()),
        ("bool" | "Boolean", Initial::Bool(is)) => (New::bool(*is), true),
        ("bool" | "Boolean", other) => (New::int(0), *other == Initial::Nothing),
        (_, Initial::Int(number)) => (New::int(*number), true),
        (_, other) => (New::int(0), *other == Initial::Nothing),
    }
}

/// How many bytes an item of a list takes that is written as one text of digits.
fn whole_size(saved: &Saved<'_>) -> Option<usize> {
    match saved.kind {
        // Of enums with another size than the usual one there are hardly any lists.
        ValueKind::Enum => Some(4),
        ValueKind::Primitive => match simple_type(&saved.element) {
            "bool" | "byte" | "sbyte" | "Boolean" | "Byte" | "SByte" => Some(1),
            "short" | "ushort" | "char" | "Int16" | "UInt16" | "Char" => Some(2),
            "int" | "uint" | "Int32" | "UInt32" => Some(4),
            "long" | "ulong" | "Int64" | "UInt64" => Some(8),
            _ => None,
        },
        _ => None,
    }
}

fn hex(numbers: &[New], size: usize) -> String {
    let mut text = String::with_capacity(numbers.len() * size * 2);
    for number in numbers {
        let New::Number(number) = number else { continue };
        let bits: i64 = number.parse().unwrap_or_default();
        for byte in bits.to_le_bytes().into_iter().take(size) {
            text.push_str(&format!("{byte:02x}"));
        }
    }
    text
}
