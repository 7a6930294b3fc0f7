//! Expressions other than calls.
//!
//! There are two ways in: [`Binder::expr`] finds the type of an expression, [`Binder::expr_to`] is told
//! the type that is wanted. What has no type of its own (`x => x`, `default`, `new()`, items in braces)
//! is only understood by the second; whoever knows what is wanted has to ask that one.
//!
//! A chain with `?.` is bound as a whole: its links say that they are guarded (`link`), and only around
//! the outermost a `Chain` is put, where null ends up. One around each link would go on with null behind
//! the first, and `a?.b.c` would fail where C# gives null.

use super::lookup::tuple_name;
use super::{Binder, Bound, node};
use crate::ir::{Kind, Node, Part};
use crate::syntax::{self, Expr, ExprKind, IntSuffix};
use crate::ty::{Int, Ty};

impl Binder<'_> {
    /// An expression and its type.
    pub(super) fn expr(&mut self, value: &Expr) -> Bound<(Node, Ty)> {
        let (bound, ty, guarded) = self.deeper(value.at, |binder| binder.link(value))?;
        if !guarded {
            return Ok((bound, ty));
        }
        let at = bound.at;
        let ty = match ty.is_void() || !self.is_plain(&ty) {
            true => ty,
            false => Ty::nullable(ty),
        };
        Ok((node(at, Kind::Chain(Box::new(bound))), ty))
    }

    /// An expression that may be a link of a chain with `?.`, and whether it is.
    pub(super) fn link(&mut self, value: &Expr) -> Bound<(Node, Ty, bool)> {
        match &value.kind {
            ExprKind::Member { of, name, types, guarded } => {
                self.member(value, of, name, types, *guarded)
            }
            ExprKind::Index { of, index, guarded } => self.index(value.at, of, index, *guarded),
            ExprKind::Call(of, arguments) => self.call(value.at, of, arguments),
            _ => {
                let (bound, ty) = self.plain(value)?;
                Ok((bound, ty, false))
            }
        }
    }

    /// What stands left of a dot.
    pub(super) fn receiver(&mut self, of: &Expr, guarded: bool) -> Bound<(Node, Ty, bool)> {
        let (bound, ty, inner) = self.deeper(of.at, |binder| binder.link(of))?;
        if ty.is_void() {
            return Err(self.error(of.at, "CS0023: the call returns nothing"));
        }
        if ty.is("null") {
            return Err(self.error(of.at, "CS0023: null has no members"));
        }
        if !guarded {
            return Ok((bound, ty, inner));
        }
        let ty = ty.bare();
        Ok((node(of.at, Kind::Guard(Box::new(bound))), ty, true))
    }

    /// An expression where a type is wanted.
    pub(super) fn expr_to(&mut self, value: &Expr, to: &Ty) -> Bound<Node> {
        self.deeper(value.at, |binder| binder.expr_to_kind(value, to))
    }

    fn expr_to_kind(&mut self, value: &Expr, to: &Ty) -> Bound<Node> {
        let at = value.at;
        match &value.kind {
            ExprKind::Lambda(parameters, body) => {
                return self.lambda_to(at, parameters, body, to).map(|(bound, _)| bound);
            }
            ExprKind::Name(name, _) if to.is_func() && self.local(name).is_none() => {
                if let Some(function) = self.function(name).cloned() {
                    return self.function_value(at, &function, to);
                }
            }
            ExprKind::Default(None) => return Ok(node(at, Kind::Default(to.clone()))),
            ExprKind::New { ty: None, arguments, items } => {
                return self.new_object(at, to, arguments, items.as_deref());
            }
            ExprKind::Items(items) if to.is("Array") => {
                return self.array_items(at, &to.arg(0), items);
            }
            ExprKind::Throw(inner) => return self.throw(at, inner),
            ExprKind::Switch(of, arms) => {
                return Ok(self.switch_expression(at, of, arms, Some(to))?.0);
            }
            ExprKind::Conditional(condition, yes, no) => {
                let condition = self.condition(condition)?;
                let (yes, no) = (self.expr_to(yes, to)?, self.expr_to(no, to)?);
                let kind = Kind::Conditional(Box::new(condition), Box::new(yes), Box::new(no));
                return Ok(node(at, kind));
            }
            ExprKind::Tuple(parts) if to.is_tuple() && to.args.len() == parts.len() => {
                let mut bound = Vec::new();
                for ((_, part), ty) in parts.iter().zip(to.args.iter()) {
                    bound.push(self.expr_to(part, ty)?);
                }
                return Ok(node(at, Kind::Tuple(bound)));
            }
            _ => {}
        }
        let (bound, from) = self.expr(value)?;
        self.convert(bound, &from, to)
    }

    fn plain(&mut self, value: &Expr) -> Bound<(Node, Ty)> {
        let at = value.at;
        let (kind, ty) = match &value.kind {
            ExprKind::Null => (Kind::Null, Ty::null()),
            ExprKind::Bool(value) => (Kind::Bool(*value), Ty::bool()),
            ExprKind::Int(value, suffix) => self.integer(at, *value, *suffix)?,
            ExprKind::Float(value) => (Kind::Float(*value), Ty::of("System.Single")),
            ExprKind::Double(value) => (Kind::Double(*value), Ty::of("System.Double")),
            ExprKind::Text(text) => (Kind::Text(text.as_str().into()), Ty::string()),
            ExprKind::NameOf(text) => (Kind::Text(text.as_str().into()), Ty::string()),
            ExprKind::Char(value) => (Kind::Char(*value), Ty::of("System.Char")),
            ExprKind::Interpolated(parts) => (self.interpolated(parts)?, Ty::string()),
            ExprKind::Name(name, types) => return self.name(at, name, types),
            ExprKind::TypeOf(ty) => (Kind::Type(self.type_named(ty)?), Ty::of("System.Type")),
            ExprKind::Default(Some(ty)) => {
                let ty = self.type_named(ty)?;
                (Kind::Default(ty.clone()), ty)
            }
            ExprKind::Default(None) => {
                return Err(self.error(at, "CS8716: write the type: default(T)"));
            }
            ExprKind::Unary(operator, of) => return self.unary(at, operator, of),
            ExprKind::Binary(operator, left, right) => {
                return self.binary(at, operator, left, right);
            }
            ExprKind::Step { of, by, before } => return self.step(at, of, *by, *before),
            ExprKind::Assign(operator, left, right) => {
                return self.assign(at, *operator, left, right);
            }
            ExprKind::Conditional(condition, yes, no) => {
                return self.conditional(at, condition, yes, no);
            }
            ExprKind::Cast(ty, of) => return self.cast(at, ty, of),
            ExprKind::As(of, ty) => {
                let ty = self.type_named(ty)?;
                if self.is_plain(&ty) {
                    return Err(self.error(at, "CS0077: as is for classes; use a cast"));
                }
                let of = self.expr(of)?.0;
                (Kind::As(ty.clone(), Box::new(of)), ty)
            }
            ExprKind::Is(of, pattern) => {
                let (of, ty) = self.expr(of)?;
                let test = self.pattern(at, pattern, &ty)?;
                (Kind::Is(Box::new(of), Box::new(test)), Ty::bool())
            }
            ExprKind::Lambda(parameters, body) => {
                if parameters.iter().any(|parameter| parameter.ty.is_none()) {
                    let message =
                        "CS8917: write the type of the lambda, as in Func<int, int> f = x => x + 1";
                    return Err(self.error(at, message));
                }
                return self.lambda_to(at, parameters, body, &Ty::dynamic());
            }
            ExprKind::Tuple(parts) => return self.tuple(at, parts),
            ExprKind::Switch(of, arms) => return self.switch_expression(at, of, arms, None),
            ExprKind::Throw(inner) => return Ok((self.throw(at, inner)?, Ty::null())),
            ExprKind::New { ty: Some(ty), arguments, items } => {
                let ty = self.type_named(ty)?;
                return Ok((self.new_object(at, &ty, arguments, items.as_deref())?, ty));
            }
            ExprKind::New { ty: None, .. } => {
                return Err(self.error(at, "CS8754: write the type of the new object"));
            }
            ExprKind::NewArray { item, length, items } => {
                return self.new_array(at, item.as_ref(), length.as_deref(), items.as_deref());
            }
            ExprKind::Items(_) => {
                return Err(self.error(at, "CS0820: write the type of the array: new[] { … }"));
            }
            ExprKind::Keyword(_) => return Err(self.error(at, "CS0119: a type is no value")),
            ExprKind::Declared(..) => {
                return Err(
                    self.error(at, "variables of a tuple are declared by a statement of their own")
                );
            }
            ExprKind::Member { .. } | ExprKind::Index { .. } | ExprKind::Call(..) => {
                return self.expr(value);
            }
        };
        Ok((node(at, kind), ty))
    }

    fn integer(&self, at: u32, value: i64, suffix: IntSuffix) -> Bound<(Kind, Ty)> {
        let kind = match suffix {
            IntSuffix::Long => Int::I64,
            IntSuffix::Unsigned if value <= i64::from(u32::MAX) => Int::U32,
            IntSuffix::Unsigned => return Err(self.error(at, "the number does not fit a uint")),
            IntSuffix::None if value <= i64::from(i32::MAX) => Int::I32,
            IntSuffix::None if value <= i64::from(u32::MAX) => Int::U32,
            IntSuffix::None => Int::I64,
        };
        Ok((Kind::Int(kind, value), Ty::of(kind.name())))
    }

    fn interpolated(&mut self, parts: &[syntax::Part]) -> Bound<Kind> {
        let mut bound = Vec::new();
        for part in parts {
            bound.push(match part {
                syntax::Part::Text(text) => Part::Text(text.as_str().into()),
                syntax::Part::Hole(value, width, format) => {
                    let (hole, ty) = self.expr(value)?;
                    if ty.is_void() {
                        return Err(self.error(value.at, "the call returns nothing"));
                    }
                    Part::Hole(hole, *width, format.as_str().into())
                }
            });
        }
        Ok(Kind::Interpolated(bound))
    }

    fn name(&mut self, at: u32, name: &str, types: &[syntax::TypeName]) -> Bound<(Node, Ty)> {
        if let Some(local) = self.local(name).filter(|_| types.is_empty()) {
            return Ok((node(at, Kind::Local(local.slot)), local.ty.clone()));
        }
        if let Some(function) = self.function(name).cloned() {
            let ty = function_type(&function);
            return Ok((self.function_value(at, &function, &ty)?, ty));
        }
        if self.find_type(name).is_some() {
            let message = format!("CS0119: '{name}' is a type, which is not valid here");
            return Err(self.error(at, &message));
        }
        Err(self.unknown_name(at, name))
    }

    fn function_value(&mut self, at: u32, function: &super::Function, to: &Ty) -> Bound<Node> {
        let ty = function_type(function);
        let fits = to.is_func() && (to.args.len() == ty.args.len() || to.is("Action"));
        if !fits {
            return Err(self.no_conversion(at, &ty, to));
        }
        self.use_function(function, at);
        Ok(node(at, Kind::Function(function.index)))
    }

    fn unary(&mut self, at: u32, operator: &'static str, of: &Expr) -> Bound<(Node, Ty)> {
        if operator == "-"
            && let ExprKind::Int(value, IntSuffix::None) = of.kind
            && value == -i64::from(i32::MIN)
        {
            return Ok((node(at, Kind::Int(Int::I32, i64::from(i32::MIN))), Ty::int()));
        }
        let (bound, ty) = self.expr(of)?;
        let bare = ty.bare();
        let result = match operator {
            "!" if bare.is("System.Boolean") || bare.is_dynamic() => Some(ty.clone()),
            // Unity's objects are true when they are there.
            "!" if self.is_a(&bare, "UnityEngine.Object") => Some(Ty::bool()),
            "~" if self.is_enum(&bare) => Some(ty.clone()),
            "-" | "+" | "~" if bare.is_number() => {
                let joined = self.number_of_both(&bare, &Ty::int()).unwrap_or_else(Ty::int);
                let negated = operator == "-" && joined.is("System.UInt32");
                let joined = if negated { Ty::of("System.Int64") } else { joined };
                let whole = joined.int_kind().is_some();
                (operator != "~" || whole).then_some(joined)
            }
            "-" | "+" if is_vector(&bare) => Some(ty.clone()),
            _ if bare.is_dynamic() => Some(Ty::dynamic()),
            _ => None,
        };
        let Some(result) = result else {
            let message = format!("CS0023: the operator '{operator}' does not take a '{ty}'");
            return Err(self.error(at, &message));
        };
        // A constant stays one, so that it fits where it may.
        if operator == "-"
            && let Kind::Int(kind, value) = bound.kind
            && kind == Int::I32
        {
            return Ok((node(at, Kind::Int(kind, -value)), result));
        }
        let bound = match result.int_kind() {
            Some(_) if !ty.is("System.Nullable") => self.converted(bound, &ty, &result),
            _ => bound,
        };
        Ok((node(at, Kind::Unary(operator, Box::new(bound))), result))
    }

    fn binary(
        &mut self,
        at: u32,
        operator: &'static str,
        left: &Expr,
        right: &Expr,
    ) -> Bound<(Node, Ty)> {
        if operator == "??" {
            return self.coalesce(at, left, right);
        }
        if operator == "&&" || operator == "||" {
            let (left, right) = (self.truth(left)?, self.truth(right)?);
            let (left, right) = (Box::new(left), Box::new(right));
            let kind =
                if operator == "&&" { Kind::And(left, right) } else { Kind::Or(left, right) };
            return Ok((node(at, kind), Ty::bool()));
        }
        let (left, left_ty) = self.expr(left)?;
        let (right, right_ty) = self.expr(right)?;
        let Some(ty) = self.operator_type(operator, (&left, &left_ty), (&right, &right_ty)) else {
            let message = format!(
                "CS0019: the operator '{operator}' does not take '{left_ty}' and '{right_ty}'"
            );
            return Err(self.error(at, &message));
        };
        Ok((node(at, Kind::Binary(operator, Box::new(left), Box::new(right))), ty))
    }

    /// A condition, where Unity's objects count as whether they are there.
    fn truth(&mut self, value: &Expr) -> Bound<Node> {
        self.expr_to(value, &Ty::bool())
    }

    /// What an operator gives for two types; nothing when it does not take them.
    pub(super) fn operator_type(
        &self,
        operator: &str,
        left: (&Node, &Ty),
        right: (&Node, &Ty),
    ) -> Option<Ty> {
        let (a, b) = (left.1.bare(), right.1.bare());
        if left.1.is_void() || right.1.is_void() {
            return None;
        }
        let lifted = left.1.is("System.Nullable") || right.1.is("System.Nullable");
        let lift = |ty: Ty| if lifted { Ty::nullable(ty) } else { ty };
        if a.is_dynamic() || b.is_dynamic() {
            let compares = matches!(operator, "==" | "!=" | "<" | ">" | "<=" | ">=");
            return Some(if compares { Ty::bool() } else { Ty::dynamic() });
        }
        let numbers = self.number_of_both(&a, &b);
        match operator {
            "==" | "!=" => {
                let fits = numbers.is_some()
                    || self.cost(right.0, right.1, left.1).is_some()
                    || self.cost(left.0, left.1, right.1).is_some();
                fits.then(Ty::bool)
            }
            "<" | ">" | "<=" | ">=" => {
                (numbers.is_some() || (a == b && self.is_enum(&a))).then(Ty::bool)
            }
            "+" if a.is("System.String") || b.is("System.String") => Some(Ty::string()),
            "+" | "-" | "*" | "/" | "%" if numbers.is_some() => numbers.map(lift),
            "&" | "|" | "^" if a.is("System.Boolean") && b.is("System.Boolean") => {
                Some(lift(Ty::bool()))
            }
            "&" | "|" | "^" if a == b && self.is_enum(&a) => Some(lift(a)),
            "&" | "|" | "^" => numbers.filter(|ty| ty.int_kind().is_some()).map(lift),
            "<<" | ">>" => {
                let whole = a.int_kind().is_some() && self.cost(right.0, &b, &Ty::int()).is_some();
                whole.then(|| self.number_of_both(&a, &Ty::int())).flatten().map(lift)
            }
            _ => vector_type(operator, &a, &b),
        }
    }

    fn coalesce(&mut self, at: u32, left: &Expr, right: &Expr) -> Bound<(Node, Ty)> {
        let (left, left_ty) = self.expr(left)?;
        if self.is_plain(&left_ty) {
            let message = format!("CS0019: a '{left_ty}' is never null, so ?? has no use");
            return Err(self.error(at, &message));
        }
        if let ExprKind::Throw(inner) = &right.kind {
            let right = self.throw(right.at, inner)?;
            let ty = left_ty.bare();
            return Ok((node(at, Kind::Coalesce(Box::new(left), Box::new(right))), ty));
        }
        let (right, right_ty) = self.expr(right)?;
        let ty = self.joined((&left, &left_ty.bare()), (&right, &right_ty));
        let Some(ty) = ty else { return Err(self.no_conversion(at, &right_ty, &left_ty)) };
        let right = self.converted(right, &right_ty, &ty);
        Ok((node(at, Kind::Coalesce(Box::new(left), Box::new(right))), ty))
    }

    fn conditional(
        &mut self,
        at: u32,
        condition: &Expr,
        yes: &Expr,
        no: &Expr,
    ) -> Bound<(Node, Ty)> {
        let condition = self.condition(condition)?;
        let throws = |value: &Expr| matches!(value.kind, ExprKind::Throw(_));
        let (yes_throws, no_throws) = (throws(yes), throws(no));
        let (yes, yes_ty) = self.expr(yes)?;
        let (no, no_ty) = self.expr(no)?;
        let ty = match (yes_throws, no_throws) {
            (true, _) => no_ty.clone(),
            (_, true) => yes_ty.clone(),
            _ => self.joined((&yes, &yes_ty), (&no, &no_ty)).ok_or_else(|| {
                let message = format!("CS0173: '{yes_ty}' and '{no_ty}' have no type in common");
                self.error(at, &message)
            })?,
        };
        let yes = if yes_throws { yes } else { self.converted(yes, &yes_ty, &ty) };
        let no = if no_throws { no } else { self.converted(no, &no_ty, &ty) };
        Ok((node(at, Kind::Conditional(Box::new(condition), Box::new(yes), Box::new(no))), ty))
    }

    fn cast(&mut self, at: u32, ty: &syntax::TypeName, of: &Expr) -> Bound<(Node, Ty)> {
        let ty = self.type_named(ty)?;
        if let ExprKind::Lambda(..) = of.kind {
            return Ok((self.expr_to(of, &ty)?, ty));
        }
        let (of, from) = self.expr(of)?;
        if self.cost(&of, &from, &ty).is_none() && !self.explicit(&from, &ty) {
            let message = format!("CS0030: cannot convert '{from}' to '{ty}'");
            return Err(self.error(at, &message));
        }
        Ok((node(at, Kind::Convert(ty.clone(), Box::new(of))), ty))
    }

    fn tuple(&mut self, at: u32, parts: &[(Option<String>, Expr)]) -> Bound<(Node, Ty)> {
        let (mut nodes, mut types, mut names) = (Vec::new(), Vec::new(), Vec::new());
        for (name, part) in parts {
            let (bound, ty) = self.expr(part)?;
            if ty.is_void() || ty.is("null") {
                return Err(self.error(part.at, "CS8131: this part of the tuple has no type"));
            }
            nodes.push(bound);
            types.push(ty);
            names.push(match (name, &part.kind) {
                (Some(name), _) => name.as_str(),
                (None, ExprKind::Name(name, _) | ExprKind::Member { name, .. }) => name.as_str(),
                _ => "",
            });
        }
        let ty = Ty::generic(&tuple_name(&names), types);
        Ok((node(at, Kind::Tuple(nodes)), ty))
    }
}

pub(super) fn function_type(function: &super::Function) -> Ty {
    let mut args: Vec<Ty> = function.parameters.iter().map(|(_, ty, _)| ty.clone()).collect();
    match function.returns.is_void() {
        true => Ty::generic("Action", args),
        false => {
            args.push(function.returns.clone());
            Ty::generic("Func", args)
        }
    }
}

/// Which part of a tuple a name means.
pub(super) fn tuple_index(ty: &Ty, name: &str) -> Option<usize> {
    if !ty.is_tuple() {
        return None;
    }
    if let Some(number) = name.strip_prefix("Item") {
        return number
            .parse::<usize>()
            .ok()
            .filter(|n| (1..=ty.args.len()).contains(n))
            .map(|n| n - 1);
    }
    let names = ty.name.trim_matches(['(', ')']).split(',');
    names.into_iter().position(|part| part == name)
}

fn is_vector(ty: &Ty) -> bool {
    matches!(&*ty.name, "UnityEngine.Vector2" | "UnityEngine.Vector3" | "UnityEngine.Vector4")
}

fn vector_type(operator: &str, a: &Ty, b: &Ty) -> Option<Ty> {
    let color = |ty: &Ty| ty.is("UnityEngine.Color");
    let sized = |ty: &Ty| is_vector(ty) || color(ty);
    let quaternion = |ty: &Ty| ty.is("UnityEngine.Quaternion");
    match operator {
        "+" | "-" if a == b && sized(a) => Some(a.clone()),
        "*" if sized(a) && b.is_number() => Some(a.clone()),
        "*" if sized(b) && a.is_number() => Some(b.clone()),
        "*" | "/" if a == b && (color(a) && operator == "*" || a.is("UnityEngine.Vector2")) => {
            Some(a.clone())
        }
        "/" if sized(a) && b.is_number() => Some(a.clone()),
        "*" if quaternion(a) && quaternion(b) => Some(a.clone()),
        "*" if quaternion(a) && b.is("UnityEngine.Vector3") => Some(b.clone()),
        _ => None,
    }
}
