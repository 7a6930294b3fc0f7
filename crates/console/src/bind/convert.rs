//! Which values fit where.
//!
//! One function decides it all, [`Binder::cost`]: nothing when a value does not fit, otherwise how far
//! it is, 0 for the same type. Assignments ask only whether, overloads compare. The numbers themselves
//! mean nothing but their order: a wider number is nearer than `object` (20), and arguments that are
//! gathered into `params` (30 more, in `calls`) are the last resort. [`Binder::converted`] must agree
//! with it: what it leaves as it is, `run` takes for a value of the wanted type.

use super::{Binder, Bound, node};
use crate::ir::{Kind, Node};
use crate::library;
use crate::ty::{Int, Ty};

impl Binder<'_> {
    /// The value as one of a type, as C# does by itself.
    pub(super) fn convert(&self, value: Node, from: &Ty, to: &Ty) -> Bound<Node> {
        match self.cost(&value, from, to) {
            Some(_) => Ok(self.converted(value, from, to)),
            None => Err(self.no_conversion(value.at, from, to)),
        }
    }

    pub(super) fn no_conversion(&self, at: u32, from: &Ty, to: &Ty) -> super::EvalError {
        let message = match () {
            () if from.is("null") => format!("CS0037: null is no {to}"),
            () if from.is_void() => "CS0029: the call returns nothing".to_owned(),
            () if self.explicit(from, to) => {
                format!(
                    "CS0266: cannot implicitly convert '{from}' to '{to}'; write a cast: ({to})"
                )
            }
            () => format!("CS0029: cannot implicitly convert '{from}' to '{to}'"),
        };
        self.error(at, &message)
    }

    /// The value, with a conversion when the one that it is at run time would be of another type.
    pub(super) fn converted(&self, value: Node, from: &Ty, to: &Ty) -> Node {
        let same = from == to || to.is_dynamic() || to.is("System.Object") || to.is_parameter();
        let reference =
            !from.is_dynamic() && !self.is_plain(&from.bare()) && !self.is_plain(&to.bare());
        if same || reference || (to.is("System.Nullable") && from.bare() == to.bare()) {
            return value;
        }
        node(value.at, Kind::Convert(to.clone(), Box::new(value)))
    }

    /// How far a value is from a type; nothing when it does not fit.
    pub(super) fn cost(&self, value: &Node, from: &Ty, to: &Ty) -> Option<u32> {
        if from.is_void() || to.is_void() {
            return None;
        }
        if from == to || to.is_parameter() {
            return Some(0);
        }
        if from.is_dynamic() || to.is_dynamic() {
            return Some(1);
        }
        if from.is("null") {
            return (!self.is_plain(to)).then_some(1);
        }
        if to.is("System.Object") {
            return Some(20);
        }
        if to.is("System.Nullable") {
            return self.cost(value, &from.bare(), &to.bare()).map(|cost| cost + 1);
        }
        if let Some(cost) = number_cost(value, from, to) {
            return Some(cost);
        }
        if self.is_enum(to) && matches!(value.kind, Kind::Int(_, 0)) {
            return Some(2);
        }
        if vectors(from, to) {
            return Some(3);
        }
        // Unity's objects count as whether they are there.
        if to.is("System.Boolean") && self.is_a(from, "UnityEngine.Object") {
            return Some(5);
        }
        if from.is_tuple() && to.is_tuple() && from.args.len() == to.args.len() {
            let parts = from.args.iter().zip(to.args.iter());
            return parts.map(|(from, to)| self.cost(value, from, to)).sum();
        }
        if from.is_func() && to.is_func() {
            return (from.args.len() == to.args.len()).then_some(1);
        }
        self.base_cost(from, to)
    }

    fn base_cost(&self, from: &Ty, to: &Ty) -> Option<u32> {
        let bases = self.bases(from);
        let at = bases.iter().position(|base| base.name == to.name)?;
        let fits = bases[at].args.iter().zip(to.args.iter()).all(|(from, to)| {
            from == to
                || to.is_parameter()
                || from.is_dynamic()
                || to.is_dynamic()
                || (!self.is_plain(from) && (to.is("System.Object") || self.is_a(from, &to.name)))
                || (!from.args.is_empty() && self.base_cost(from, to).is_some())
        });
        fits.then_some(at as u32)
    }

    /// Whether a cast may turn one into the other.
    pub(super) fn explicit(&self, from: &Ty, to: &Ty) -> bool {
        let (from, to) = (from.bare(), to.bare());
        let counts = |ty: &Ty| ty.is_number() || self.is_enum(ty);
        from.is("System.Object")
            || from.is_dynamic()
            || from.is("System.Enum")
            || (counts(&from) && counts(&to))
            || vectors(&from, &to)
            || (!self.is_plain(&from)
                && !self.is_plain(&to)
                && (self.is_a(&to, &from.name) || self.is_a(&from, &to.name)))
    }

    /// The type that two values share: of `? :`, of the items of an array.
    pub(super) fn joined(&self, one: (&Node, &Ty), other: (&Node, &Ty)) -> Option<Ty> {
        let ((a, a_ty), (b, b_ty)) = (one, other);
        if a_ty.is("null") && self.is_plain(b_ty) {
            return Some(Ty::nullable(b_ty.clone()));
        }
        if b_ty.is("null") && self.is_plain(a_ty) {
            return Some(Ty::nullable(a_ty.clone()));
        }
        if a_ty != b_ty && a_ty.is_number() && b_ty.is_number() {
            return self.number_of_both(a_ty, b_ty);
        }
        if !a_ty.is("null") && self.cost(b, b_ty, a_ty).is_some() {
            return Some(a_ty.clone());
        }
        self.cost(a, a_ty, b_ty).is_some().then(|| b_ty.clone())
    }

    /// The type in which two numbers meet; nothing when one is no number.
    pub(super) fn number_of_both(&self, a: &Ty, b: &Ty) -> Option<Ty> {
        if !a.is_number() || !b.is_number() {
            return None;
        }
        for name in ["System.Double", "System.Single"] {
            if a.is(name) || b.is(name) {
                return Some(Ty::of(name));
            }
        }
        let kind = |ty: &Ty| ty.int_kind().unwrap_or(Int::U16);
        Some(Ty::of(kind(a).joined(kind(b)).name()))
    }

    /// Whether values of the type are known to the table or the world.
    pub(super) fn has_members(&self, ty: &Ty) -> bool {
        library::section(&ty.name).is_some() || self.world.types().get(&ty.name).is_some()
    }
}

/// Vectors and colours become one another by themselves.
fn vectors(from: &Ty, to: &Ty) -> bool {
    let pair = |a: &str, b: &str| (from.is(a) && to.is(b)) || (from.is(b) && to.is(a));
    pair("UnityEngine.Vector2", "UnityEngine.Vector3")
        || pair("UnityEngine.Vector3", "UnityEngine.Vector4")
        || pair("UnityEngine.Vector2", "UnityEngine.Vector4")
        || pair("UnityEngine.Color", "UnityEngine.Vector4")
}

/// As C# widens numbers, and takes constants that fit.
fn number_cost(value: &Node, from: &Ty, to: &Ty) -> Option<u32> {
    let rank = |ty: &Ty| match &*ty.name {
        "System.Single" => Some(8),
        "System.Double" => Some(9),
        "System.Char" => Some(3),
        _ => ty.int_kind().map(|kind| kind as u32 + 1),
    };
    let (from_rank, to_rank) = (rank(from)?, rank(to)?);
    if let (Kind::Int(Int::I32, number), Some(kind)) = (&value.kind, to.int_kind()) {
        let (least, most) = kind.range();
        if (least..=most).contains(number) {
            return Some(if from == to { 0 } else { 1 + to_rank });
        }
    }
    if to.is("System.Char") {
        return from.is("System.Char").then_some(0);
    }
    let widens = match (from.int_kind(), to.int_kind()) {
        (Some(from), Some(to)) => {
            let ((least, most), (to_least, to_most)) = (from.range(), to.range());
            to_least <= least && most <= to_most
        }
        (None, Some(to)) => from.is("System.Char") && to >= Int::U16,
        (_, None) => from_rank <= to_rank,
    };
    widens.then(|| to_rank.abs_diff(from_rank))
}
