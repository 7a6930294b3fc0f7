//! Calls: which overload is meant, and what stands for its type parameters.
//!
//! A lambda has no type before its parameters have one, and they get theirs from the overload, which
//! is chosen by the types of the arguments. So arguments are bound in two steps. First all but the
//! lambdas (`given`); with those the overload is chosen, and of a lambda only the number of its
//! parameters counts (`fit`). Then all values tell what they can of the type parameters (`unify`), and
//! each lambda, from left to right, is bound with what is known by then and tells what it gives
//! (`later`): that is how `Select(x => x.name)` gives texts. A lambda is never bound for an overload
//! that is only tried: binding ends at the first error and cannot be taken back.
//!
//! The nearest type that has a fitting overload wins over a better fit further up, as in C#. What is
//! still open at the end becomes the type of run time (`loose`) and is no error: a table of methods
//! that says a little less than .NET does must not refuse code that is right.

use std::sync::Arc;

use super::expressions::function_type;
use super::lookup::substitute;
use super::{Binder, Bound, node};
use crate::ir::{Call, Callee, Kind, Node, Place};
use crate::library::Signature;
use crate::syntax::{Argument, ArgumentValue, Body, Expr, ExprKind, Parameter, TypeName};
use crate::ty::Ty;

/// An overload with its arguments.
pub(super) struct Chosen {
    pub(super) owner: Arc<str>,
    pub(super) returns: Ty,
    pub(super) args: Vec<Node>,
    pub(super) types: Vec<Ty>,
    pub(super) out: Option<Place>,
}

/// An argument before its overload is known.
enum Given<'e> {
    Value(Node, Ty),
    /// A lambda, or something else that gets its type from the parameter.
    Later(&'e Expr),
    Out(Place, Ty),
    OutNew(&'e TypeName, &'e str),
}

type Overload = (Arc<str>, Signature);

impl Binder<'_> {
    pub(super) fn call(
        &mut self,
        at: u32,
        of: &Expr,
        arguments: &[Argument],
    ) -> Bound<(Node, Ty, bool)> {
        match &of.kind {
            ExprKind::Name(name, types) => {
                let (bound, ty) = self.call_name(at, of.at, name, types, arguments)?;
                Ok((bound, ty, false))
            }
            ExprKind::Member { of: object, name, types, guarded } => {
                self.call_member(of.at, object, name, types, *guarded, arguments)
            }
            _ => {
                let (bound, ty, chained) = self.receiver(of, false)?;
                let (bound, ty) = self.call_value(at, bound, &ty, arguments)?;
                Ok((bound, ty, chained))
            }
        }
    }

    fn call_name(
        &mut self,
        at: u32,
        name_at: u32,
        name: &str,
        types: &[TypeName],
        arguments: &[Argument],
    ) -> Bound<(Node, Ty)> {
        if let Some(local) = self.local(name).cloned() {
            let value = node(name_at, Kind::Local(local.slot));
            return self.call_value(at, value, &local.ty, arguments);
        }
        if let Some(function) = self.function(name).cloned() {
            self.use_function(&function, at);
            let args = self.function_args(at, name, &function, arguments)?;
            return Ok((node(at, Kind::CallFunction(function.index, args)), function.returns));
        }
        // What a MonoBehaviour inherits is written without its class, and so may it be here.
        if matches!(
            name,
            "Destroy"
                | "DestroyImmediate"
                | "Instantiate"
                | "FindObjectOfType"
                | "FindObjectsOfType"
                | "DontDestroyOnLoad"
        ) {
            let object = Ty::of("UnityEngine.Object");
            return self.call_static(name_at, &object, name, types, arguments);
        }
        Err(self.unknown_name(name_at, name))
    }

    fn function_args(
        &mut self,
        at: u32,
        name: &str,
        function: &super::Function,
        arguments: &[Argument],
    ) -> Bound<Vec<Node>> {
        let mut places: Vec<Option<&Expr>> = vec![None; function.parameters.len()];
        for (index, argument) in arguments.iter().enumerate() {
            let position = match &argument.name {
                Some(name) => function.parameters.iter().position(|(known, _, _)| known == name),
                None => Some(index),
            };
            let place = position.and_then(|position| places.get_mut(position));
            match (place, &argument.value) {
                (Some(place), ArgumentValue::Value(value)) => *place = Some(value),
                _ => return Err(self.wrong_count(at, name, function.parameters.len())),
            }
        }
        let mut args = Vec::new();
        for (place, (_, ty, default)) in places.into_iter().zip(&function.parameters) {
            let Some(value) = place.or(default.as_ref()) else {
                return Err(self.wrong_count(at, name, function.parameters.len()));
            };
            args.push(self.expr_to(value, ty)?);
        }
        Ok(args)
    }

    fn wrong_count(&self, at: u32, name: &str, count: usize) -> super::EvalError {
        self.error(at, &format!("CS1501: '{name}' takes {count} arguments"))
    }

    fn call_value(
        &mut self,
        at: u32,
        value: Node,
        ty: &Ty,
        arguments: &[Argument],
    ) -> Bound<(Node, Ty)> {
        let (parameters, returns): (Vec<Ty>, Ty) = match &*ty.name {
            "Func" => match ty.args.split_last() {
                Some((returns, parameters)) => (parameters.to_vec(), returns.clone()),
                None => (Vec::new(), Ty::dynamic()),
            },
            "Action" => (ty.args.to_vec(), Ty::void()),
            "?" => (vec![Ty::dynamic(); arguments.len()], Ty::dynamic()),
            _ => return Err(self.error(at, &format!("CS0149: a '{ty}' cannot be called"))),
        };
        if parameters.len() != arguments.len() {
            return Err(self.wrong_count(at, "the function", parameters.len()));
        }
        let mut args = Vec::new();
        for (argument, ty) in arguments.iter().zip(&parameters) {
            let ArgumentValue::Value(value) = &argument.value else {
                return Err(self.error(at, "out arguments are not supported here"));
            };
            args.push(self.expr_to(value, ty)?);
        }
        Ok((node(at, Kind::CallValue(Box::new(value), args)), returns))
    }

    fn call_member(
        &mut self,
        at: u32,
        object: &Expr,
        name: &str,
        types: &[TypeName],
        guarded: bool,
        arguments: &[Argument],
    ) -> Bound<(Node, Ty, bool)> {
        if !guarded && let Some(ty) = self.type_of_name(object) {
            let (bound, ty) = self.call_static(at, &ty, name, types, arguments)?;
            return Ok((bound, ty, false));
        }
        if let Some(error) = self.unknown_namespace(object) {
            return Err(error);
        }
        if let ExprKind::Name(first, _) = &object.kind
            && self.local(first).is_none()
            && self.function(first).is_none()
        {
            return Err(self.unknown_name(object.at, first));
        }
        let (bound, ty, chained) = self.receiver(object, guarded)?;
        if ty.is_dynamic() {
            let call = self.call_dynamic(at, bound, name, types, arguments)?;
            return Ok((call, Ty::dynamic(), chained));
        }
        if ty.is_func() && name == "Invoke" {
            let (bound, ty) = self.call_value(at, bound, &ty, arguments)?;
            return Ok((bound, ty, chained));
        }
        let levels = self.methods(&ty, name, false);
        if levels.is_empty() {
            if let Some(found) = self.property(&ty, name, false).filter(|found| found.ty.is_func())
            {
                let value = node(at, Kind::Get(Box::new(bound), name.into()));
                let (bound, ty) = self.call_value(at, value, &found.ty, arguments)?;
                return Ok((bound, ty, chained));
            }
            return Err(self.no_member(at, &ty, name, false));
        }
        let chosen = self.chosen(at, &format!("{ty}.{name}"), levels, types, arguments)?;
        let call = Call {
            of: Callee::Value(bound),
            name: name.into(),
            types: chosen.types,
            args: chosen.args,
            out: chosen.out,
        };
        Ok((node(at, Kind::Call(Box::new(call))), chosen.returns, chained))
    }

    fn call_static(
        &mut self,
        at: u32,
        ty: &Ty,
        name: &str,
        types: &[TypeName],
        arguments: &[Argument],
    ) -> Bound<(Node, Ty)> {
        let mut levels = self.methods(ty, name, true);
        if levels.is_empty() && self.is_enum(ty) {
            levels = self.methods(&Ty::of("System.Enum"), name, true);
        }
        if levels.is_empty() {
            return Err(self.no_member(at, ty, name, true));
        }
        let chosen = self.chosen(at, &format!("{ty}.{name}"), levels, types, arguments)?;
        let call = Call {
            of: Callee::Type(chosen.owner),
            name: name.into(),
            types: chosen.types,
            args: chosen.args,
            out: chosen.out,
        };
        Ok((node(at, Kind::Call(Box::new(call))), chosen.returns))
    }

    fn call_dynamic(
        &mut self,
        at: u32,
        of: Node,
        name: &str,
        types: &[TypeName],
        arguments: &[Argument],
    ) -> Bound<Node> {
        let mut args = Vec::new();
        for argument in arguments {
            match &argument.value {
                ArgumentValue::Value(value) => args.push(self.expr(value)?.0),
                _ => return Err(self.error(at, "out arguments need a value whose type is known")),
            }
        }
        let types = types.iter().map(|ty| self.type_named(ty)).collect::<Bound<Vec<Ty>>>()?;
        let call = Call { of: Callee::Value(of), name: name.into(), types, args, out: None };
        Ok(node(at, Kind::Call(Box::new(call))))
    }

    /// The overload that the arguments fit best, of the nearest type that has one.
    pub(super) fn chosen(
        &mut self,
        at: u32,
        called: &str,
        levels: Vec<Vec<Overload>>,
        types: &[TypeName],
        arguments: &[Argument],
    ) -> Bound<Chosen> {
        let types = types.iter().map(|ty| self.type_named(ty)).collect::<Bound<Vec<Ty>>>()?;
        if arguments.iter().any(|argument| argument.name.is_some()) {
            return Err(self
                .error(at, "named arguments are for functions of the script; give them in order"));
        }
        let mut given = Vec::new();
        for argument in arguments {
            given.push(self.given(argument)?);
        }
        let mut signatures = Vec::new();
        for level in levels {
            let fitting = level.iter().filter_map(|(owner, signature)| {
                let cost = self.fit(signature, &types, &given)?;
                Some((cost, owner, signature))
            });
            if let Some((_, owner, signature)) = fitting.min_by_key(|(cost, ..)| *cost) {
                let (owner, signature) = (owner.clone(), signature.clone());
                return self.complete(at, owner, &signature, types, given);
            }
            signatures.extend(level.into_iter().map(|(_, signature)| signature));
        }
        Err(self.no_overload(at, called, &signatures, &given))
    }

    fn given<'e>(&mut self, argument: &'e Argument) -> Bound<Given<'e>> {
        let value = match &argument.value {
            ArgumentValue::Out(place) => {
                let (place, ty) = self.place(place)?;
                return Ok(Given::Out(place, ty));
            }
            ArgumentValue::OutNew(ty, name) => return Ok(Given::OutNew(ty, name)),
            ArgumentValue::Value(value) => value,
        };
        let later = match &value.kind {
            ExprKind::Lambda(..) | ExprKind::Default(None) | ExprKind::New { ty: None, .. } => true,
            ExprKind::Name(name, _) => self.local(name).is_none() && self.function(name).is_some(),
            _ => false,
        };
        if later {
            return Ok(Given::Later(value));
        }
        let (bound, ty) = self.expr(value)?;
        Ok(Given::Value(bound, ty))
    }

    /// How far the arguments are from an overload; nothing when they do not fit.
    fn fit(&self, signature: &Signature, types: &[Ty], given: &[Given<'_>]) -> Option<u32> {
        // `TryGetComponent(out Light light)` says its type by the variable.
        let inferred = types.is_empty() && signature.has_out && typed_out(given.last());
        if types.len() != signature.type_parameters.len() && !inferred {
            return None;
        }
        let count = signature.parameters.len();
        if signature.has_rest {
            let plain = given.len() == count && self.fit_all(signature, given, false).is_some();
            return match plain {
                true => self.fit_all(signature, given, false),
                false if given.len() + 1 >= count => {
                    Some(self.fit_all(signature, given, true)? + 30)
                }
                false => None,
            };
        }
        if given.len() != count {
            return None;
        }
        self.fit_all(signature, given, false)
    }

    fn fit_all(&self, signature: &Signature, given: &[Given<'_>], spread: bool) -> Option<u32> {
        let mut total = 0;
        for (index, given) in given.iter().enumerate() {
            let ty = parameter(signature, index, spread)?;
            let is_out = signature.has_out && index + 1 == signature.parameters.len();
            total += match given {
                Given::Out(..) | Given::OutNew(..) => is_out.then_some(0)?,
                _ if is_out => return None,
                Given::Value(value, from) => self.cost(value, from, &loose(&ty))?,
                Given::Later(value) => self.fit_later(value, &ty)?,
            };
        }
        Some(total)
    }

    fn fit_later(&self, value: &Expr, ty: &Ty) -> Option<u32> {
        let arity = match &value.kind {
            ExprKind::Lambda(parameters, _) => parameters.len(),
            ExprKind::Name(name, _) => self.function(name)?.parameters.len(),
            _ => return Some(1),
        };
        let wanted = match &*ty.name {
            "Func" => ty.args.len().checked_sub(1)?,
            "Action" => ty.args.len(),
            _ => return None,
        };
        (arity == wanted).then_some(0)
    }

    /// Convert the arguments, read the lambdas, and find what stands for the type parameters.
    fn complete(
        &mut self,
        at: u32,
        owner: Arc<str>,
        signature: &Signature,
        types: Vec<Ty>,
        given: Vec<Given<'_>>,
    ) -> Bound<Chosen> {
        // An array that is given for `params` is the array; anything else is an item of it.
        let spread = signature.has_rest
            && !(given.len() == signature.parameters.len()
                && self.fit_all(signature, &given, false).is_some());
        let mut known: Vec<(Ty, Ty)> =
            signature.type_parameters.iter().cloned().zip(types.iter().cloned()).collect();
        for (index, given) in given.iter().enumerate() {
            let Some(ty) = parameter(signature, index, spread) else { continue };
            match given {
                Given::Value(_, from) | Given::Out(_, from) => self.unify(&ty, from, &mut known),
                Given::OutNew(written, _) if written.name != "var" => {
                    self.unify(&ty, &self.type_named(written)?, &mut known);
                }
                _ => {}
            }
        }
        let types = match types.is_empty() {
            true => signature.type_parameters.iter().map(|ty| loose(&filled(ty, &known))).collect(),
            false => types,
        };
        let mut args = Vec::new();
        let mut out = None;
        for (index, given) in given.into_iter().enumerate() {
            let Some(pattern) = parameter(signature, index, spread) else { continue };
            let ty = filled(&pattern, &known);
            match given {
                Given::Value(value, from) => args.push(self.converted(value, &from, &loose(&ty))),
                Given::Later(value) => args.push(self.later(value, &pattern, &ty, &mut known)?),
                Given::Out(place, place_ty) => {
                    if place_ty != ty && !place_ty.is_dynamic() && !ty.is_parameter() {
                        return Err(self.no_conversion(at, &ty, &place_ty));
                    }
                    out = Some(place);
                }
                Given::OutNew(written, name) => {
                    let ty =
                        if written.name == "var" { loose(&ty) } else { self.type_named(written)? };
                    out = Some(Place::Local(self.declare(written.at, name, ty)?));
                }
            }
        }
        if spread {
            let fixed = signature.parameters.len() - 1;
            let rest = args.split_off(fixed);
            let item = signature.parameters.last().map_or_else(Ty::dynamic, |(_, ty)| ty.arg(0));
            args.push(node(at, Kind::NewArray(item, None, rest)));
        }
        let returns = match &*signature.returns.name {
            // An average of whole numbers is a double.
            "@average" => self.average_type(signature, &known, &args),
            _ => loose(&filled(&signature.returns, &known)),
        };
        Ok(Chosen { owner, returns, args, types, out })
    }

    fn average_type(&self, signature: &Signature, known: &[(Ty, Ty)], args: &[Node]) -> Ty {
        let item = match signature.parameters.first() {
            Some((_, selector)) if !args.is_empty() => {
                filled(&selector.args.last().cloned().unwrap_or_else(Ty::dynamic), known)
            }
            _ => Ty::dynamic(),
        };
        match item.is("System.Single") {
            true => item,
            false if args.is_empty() => Ty::dynamic(),
            false => Ty::of("System.Double"),
        }
    }

    fn later(
        &mut self,
        value: &Expr,
        pattern: &Ty,
        ty: &Ty,
        known: &mut Vec<(Ty, Ty)>,
    ) -> Bound<Node> {
        match &value.kind {
            ExprKind::Lambda(parameters, body) => {
                let (bound, found) = self.lambda_to(value.at, parameters, body, ty)?;
                self.unify(pattern, &found, known);
                Ok(bound)
            }
            ExprKind::Name(name, _) => {
                if let Some(function) = self.function(name).cloned() {
                    self.unify(pattern, &function_type(&function), known);
                }
                self.expr_to(value, ty)
            }
            _ => self.expr_to(value, ty),
        }
    }

    /// A lambda where a function is wanted, and its type.
    pub(super) fn lambda_to(
        &mut self,
        at: u32,
        parameters: &[Parameter],
        body: &Body,
        to: &Ty,
    ) -> Bound<(Node, Ty)> {
        let (wanted, returns): (Vec<Ty>, Option<Ty>) = match &*to.name {
            "Func" => match to.args.split_last() {
                Some((last, rest)) => (rest.to_vec(), Some(last.clone())),
                None => (Vec::new(), None),
            },
            "Action" => (to.args.to_vec(), Some(Ty::void())),
            "?" | "System.Object" => (Vec::new(), None),
            _ => return Err(self.error(at, &format!("CS1660: a lambda is no '{to}'"))),
        };
        if to.is_func() && wanted.len() != parameters.len() {
            return Err(self
                .error(at, &format!("CS1593: the lambda must take {} parameters", wanted.len())));
        }
        let mut bound = Vec::new();
        for (index, parameter) in parameters.iter().enumerate() {
            let ty = match &parameter.ty {
                Some(ty) => self.type_named(ty)?,
                None => loose(&wanted.get(index).cloned().unwrap_or_else(Ty::dynamic)),
            };
            bound.push((parameter.at, parameter.name.as_str(), ty, false));
        }
        // What the lambda gives tells a type that is still open.
        let open = returns.as_ref().is_none_or(has_parameter);
        let (code, given) = self.code(&bound, returns.clone().filter(|_| !open), body)?;
        let mut args: Vec<Ty> = bound.into_iter().map(|(_, _, ty, _)| ty).collect();
        let result = if open { given } else { returns.unwrap_or_else(Ty::void) };
        let ty = match result.is_void() {
            true if to.is("Func") => {
                return Err(self.error(at, "CS1643: the lambda must return a value"));
            }
            true => Ty::generic("Action", args),
            false => {
                args.push(result);
                Ty::generic("Func", args)
            }
        };
        Ok((node(at, Kind::Lambda(Arc::new(code))), ty))
    }

    /// Learn what stands for the type parameters of a pattern.
    fn unify(&self, pattern: &Ty, actual: &Ty, known: &mut Vec<(Ty, Ty)>) {
        if pattern.is_parameter() {
            let fresh = !known.iter().any(|(parameter, _)| parameter == pattern);
            if fresh && !actual.is("null") {
                known.push((pattern.clone(), actual.clone()));
            }
            return;
        }
        if pattern.args.is_empty() {
            return;
        }
        let actual = match actual.name == pattern.name {
            true => Some(actual.clone()),
            false => self.bases(actual).into_iter().find(|base| base.name == pattern.name),
        };
        let Some(actual) = actual else { return };
        for (pattern, actual) in pattern.args.iter().zip(actual.args.iter()) {
            self.unify(pattern, actual, known);
        }
    }

    fn no_overload(
        &self,
        at: u32,
        called: &str,
        signatures: &[Signature],
        given: &[Given<'_>],
    ) -> super::EvalError {
        let found: Vec<String> = given
            .iter()
            .map(|given| match given {
                Given::Value(_, ty) => ty.to_string(),
                Given::Later(_) => "function".to_owned(),
                Given::Out(..) | Given::OutNew(..) => "out".to_owned(),
            })
            .collect();
        let known: Vec<String> = signatures
            .iter()
            .take(4)
            .map(|signature| {
                let last = signature.parameters.len().saturating_sub(1);
                let types = signature.parameters.iter().enumerate().map(|(index, (_, ty))| {
                    let out = if signature.has_out && index == last { "out " } else { "" };
                    format!("{out}{ty}")
                });
                let types: Vec<String> = types.collect();
                let generic = if signature.type_parameters.is_empty() { "" } else { "<T>" };
                format!("{generic}({})", types.join(", "))
            })
            .collect();
        let message = format!(
            "CS1503: '{called}' does not take ({}); it takes {}",
            found.join(", "),
            known.join(" or ")
        );
        self.error(at, &message)
    }
}

/// Whether an `out` argument tells its type.
fn typed_out(given: Option<&Given<'_>>) -> bool {
    match given {
        Some(Given::Out(..)) => true,
        Some(Given::OutNew(written, _)) => written.name != "var",
        _ => false,
    }
}

/// The type of a parameter; of `params` that are given one by one, that of an item.
fn parameter(signature: &Signature, index: usize, spread: bool) -> Option<Ty> {
    let last = signature.parameters.len().checked_sub(1)?;
    if spread && index >= last {
        return signature.parameters.get(last).map(|(_, ty)| ty.arg(0));
    }
    signature.parameters.get(index).map(|(_, ty)| ty.clone())
}

fn filled(ty: &Ty, known: &[(Ty, Ty)]) -> Ty {
    let (parameters, args): (Vec<Ty>, Vec<Ty>) = known.iter().cloned().unzip();
    substitute(ty, &parameters, &args)
}

fn has_parameter(ty: &Ty) -> bool {
    ty.is_parameter() || ty.args.iter().any(has_parameter)
}

/// The type with open parameters as what is known only at run time.
fn loose(ty: &Ty) -> Ty {
    if ty.is_parameter() {
        return Ty::dynamic();
    }
    if !has_parameter(ty) {
        return ty.clone();
    }
    let args: Vec<Ty> = ty.args.iter().map(loose).collect();
    Ty::generic(&ty.name, args)
}
