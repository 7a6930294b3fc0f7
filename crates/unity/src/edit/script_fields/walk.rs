//! The saved fields of a class with those of its bases, and what their types are there: a generic
//! base or structure gets its type arguments from where it is used.

use crate::script::{
    Collection, ScriptSet, SerializedField, TypeRef, ValueKind, field_element, holds_in_editor,
};

/// A class, and what its type parameters stand for.
#[derive(Debug, Clone)]
pub(super) struct Place<'a> {
    pub(super) ty: TypeRef<'a>,
    /// The parameter, the type that is given for it, and where that is written.
    given: Vec<(String, String, TypeRef<'a>)>,
}

/// A field that is saved, with the type that it has in this place.
#[derive(Debug)]
pub(super) struct Saved<'a> {
    pub(super) field: SerializedField,
    /// The class that declares it.
    pub(super) place: Place<'a>,
    /// The type of one value.
    pub(super) element: String,
    /// Where that type is written.
    pub(super) from: TypeRef<'a>,
    pub(super) collection: Collection,
    pub(super) kind: ValueKind,
}

/// Longer chains of bases are circles.
const MAX_BASES: usize = 64;

impl<'a> Place<'a> {
    pub(super) fn of(ty: TypeRef<'a>) -> Place<'a> {
        Place { ty, given: Vec::new() }
    }

    /// The class that a type written here is, with its arguments.
    pub(super) fn named(
        set: &ScriptSet<'a>,
        written: &str,
        from: TypeRef<'a>,
        around: &Place<'a>,
    ) -> Option<Place<'a>> {
        let ty = set.find(written, from).into_iter().next()?;
        let given =
            ty.decl.type_parameters.iter().zip(arguments(written)).map(|(name, argument)| {
                let outer = around.given.iter().find(|(known, ..)| *known == argument);
                let (text, from) =
                    outer.map_or((argument, from), |(_, text, from)| (text.clone(), *from));
                (name.clone(), text, from)
            });
        Some(Place { ty, given: given.collect() })
    }

    fn base(&self, set: &ScriptSet<'a>) -> Option<Place<'a>> {
        let base = set.base_types(self.ty).into_iter().next()?;
        let parts = set.parts(self.ty);
        let names = parts.iter().flat_map(|part| part.decl.bases.first().map(|name| (*part, name)));
        let mut found = names.filter_map(|(part, name)| Place::named(set, name, part, self));
        found.find(|found| std::ptr::eq(found.ty.decl, base.decl)).or(Some(Place::of(base)))
    }

    /// The class with those that it derives from, the farthest first.
    pub(super) fn chain(&self, set: &ScriptSet<'a>) -> Vec<Place<'a>> {
        let all = std::iter::successors(Some(self.clone()), |place| place.base(set));
        let mut chain: Vec<_> = all.take(MAX_BASES).collect();
        chain.reverse();
        chain
    }

    /// The first base that is in no file of the set, as written.
    pub(super) fn library_base(&self, set: &ScriptSet<'a>) -> Option<String> {
        let top = self.chain(set).into_iter().next()?;
        let parts = set.parts(top.ty);
        let names = parts.iter().filter_map(|part| part.decl.bases.first());
        let mut names = names.filter(|name| !crate::script::is_interface_name(name));
        names.next().cloned()
    }
}

/// All saved fields of a class, those of its bases first.
pub(super) fn saved<'a>(set: &ScriptSet<'a>, place: &Place<'a>) -> Vec<Saved<'a>> {
    let mut all = Vec::new();
    for place in place.chain(set) {
        let fields = set.serialized_fields(place.ty).fields;
        let around = place.ty.decl.about.condition.as_deref();
        let fields = fields.into_iter().filter(|field| is_compiled(field, around));
        all.extend(fields.filter_map(|field| saved_field(set, &place, field)));
    }
    all
}

/// Whether a field is there in the editor. What is around the class holds, or there would be none.
fn is_compiled(field: &SerializedField, around: Option<&str>) -> bool {
    let Some(condition) = field.condition.as_deref() else { return true };
    let own = around.and_then(|around| condition.strip_prefix(around)).unwrap_or(condition);
    let own = own.trim_start().trim_start_matches("&&").trim_start();
    own.is_empty() || holds_in_editor(own)
}

fn saved_field<'a>(
    set: &ScriptSet<'a>,
    place: &Place<'a>,
    field: SerializedField,
) -> Option<Saved<'a>> {
    let (element, collection) = field_element(&field.ty).ok()?;
    let given = place.given.iter().find(|(name, ..)| name == element);
    let Some((_, text, from)) = given else {
        let (element, kind) = (element.to_owned(), field.kind);
        let place = place.clone();
        return Some(Saved { from: place.ty, place, element, collection, kind, field });
    };
    let is_managed = field.kind == ValueKind::ManagedReference;
    let (inner, kind) = set.value(text, *from, is_managed).ok()?;
    let collection = match (collection, inner) {
        (Collection::One, inner) => inner,
        (outer, Collection::One) => outer,
        // Lists of lists are not saved.
        _ => return None,
    };
    let (element, _) = field_element(text).ok()?;
    let (element, from) = (element.to_owned(), *from);
    Some(Saved { from, place: place.clone(), element, collection, kind, field })
}

/// The type arguments at the end of a type, as written.
fn arguments(written: &str) -> Vec<String> {
    let inner = written.trim().strip_suffix('>').and_then(|text| text.split_once('<'));
    let Some((_, inner)) = inner else { return Vec::new() };
    let (mut depth, mut start, mut all) = (0i32, 0, Vec::new());
    for (at, letter) in inner.char_indices() {
        match letter {
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                all.push(inner[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    all.push(inner[start..].trim().to_owned());
    all
}
