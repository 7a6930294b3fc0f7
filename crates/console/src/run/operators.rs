//! Operators and comparison.

use std::cmp::Ordering;
use std::rc::Rc;

use super::{Ran, Run};
use crate::ty::Int;
use crate::value::{Thing, Val};

/// How near two vectors must be for Unity to call them equal.
const NEAR: f32 = 9.999_999e-11;
/// The same for rotations: the cosine of half the angle between them.
const NEAR_ROTATION: f32 = 1.0 - 1e-6;

impl Run<'_, '_> {
    pub(super) fn unary(&mut self, operator: &str, of: Val) -> Ran<Val> {
        Ok(match (operator, &of) {
            (_, Val::Null) if operator != "!" => Val::Null,
            ("!", Val::Bool(value)) => Val::Bool(!value),
            ("!", _) => Val::Bool(self.is_nothing(&of)),
            ("-", Val::Int(kind, value)) => Val::Int(*kind, kind.wrap(value.wrapping_neg())),
            ("~", Val::Int(kind, value)) => Val::Int(*kind, kind.wrap(!value)),
            ("~", Val::Enum(value)) => {
                return self.enum_of(&value.type_name.clone(), !value.number);
            }
            ("-", Val::Float(value)) => Val::Float(-value),
            ("-", Val::Double(value)) => Val::Double(-value),
            ("-", _) => match of.reals() {
                Some(reals) => of.with_reals(&reals.iter().map(|real| -real).collect::<Vec<_>>()),
                None => return self.bad_operator(operator, &of, &of),
            },
            ("+", _) => of,
            _ => return self.bad_operator(operator, &of, &of),
        })
    }

    fn bad_operator<T>(&self, operator: &str, left: &Val, right: &Val) -> Ran<T> {
        let (left, right) = (self.type_of(left), self.type_of(right));
        let message = format!(
            "Operator '{operator}' cannot be applied to operands of type '{left}' and '{right}'"
        );
        self.throw("Microsoft.CSharp.RuntimeBinder.RuntimeBinderException", message)
    }

    pub(super) fn binary(&mut self, operator: &str, left: &Val, right: &Val) -> Ran<Val> {
        match operator {
            "==" => return Ok(Val::Bool(self.equal(left, right))),
            "!=" => return Ok(Val::Bool(!self.equal(left, right))),
            "+" if matches!(left, Val::Text(_)) || matches!(right, Val::Text(_)) => {
                let (left, right) = (self.joined_text(left)?, self.joined_text(right)?);
                self.room(left.len() + right.len())?;
                return self.text([&*left, &*right].concat());
            }
            _ => {}
        }
        if matches!(left, Val::Null) || matches!(right, Val::Null) {
            let compares = matches!(operator, "<" | ">" | "<=" | ">=");
            return Ok(if compares { Val::Bool(false) } else { Val::Null });
        }
        if let (Val::Bool(a), Val::Bool(b)) = (left, right) {
            return match operator {
                "&" => Ok(Val::Bool(a & b)),
                "|" => Ok(Val::Bool(a | b)),
                "^" => Ok(Val::Bool(a ^ b)),
                _ => self.bad_operator(operator, left, right),
            };
        }
        if let (Val::Enum(a), Val::Enum(b)) = (left, right) {
            let number = match operator {
                "&" => a.number & b.number,
                "|" => a.number | b.number,
                "^" => a.number ^ b.number,
                _ => return self.compared(operator, a.number.partial_cmp(&b.number)),
            };
            return self.enum_of(&a.type_name.clone(), number);
        }
        if let (Some(a), Some(b)) = (as_whole(left), as_whole(right)) {
            return self.whole(operator, a, b);
        }
        if let (Some(a), Some(b)) = (left.as_f64(), right.as_f64()) {
            let double = matches!(left, Val::Double(_)) || matches!(right, Val::Double(_));
            return self.real(operator, a, b, double);
        }
        match super::vectors::operate(operator, left, right) {
            Some(value) => Ok(value),
            None => self.bad_operator(operator, left, right),
        }
    }

    fn joined_text(&mut self, value: &Val) -> Ran<Rc<str>> {
        match value {
            Val::Null => Ok("".into()),
            Val::Text(text) => Ok(text.clone()),
            _ => self.text_of(value).map(Rc::from),
        }
    }

    fn whole(&mut self, operator: &str, a: (Int, i64), b: (Int, i64)) -> Ran<Val> {
        let kind = match operator {
            // What is shifted tells the type, not by how much.
            "<<" | ">>" => a.0.joined(a.0),
            _ => a.0.joined(b.0),
        };
        let (a, b) = (a.1, b.1);
        let bits = if kind == Int::I64 { 63 } else { 31 };
        let value = match operator {
            "+" => a.wrapping_add(b),
            "-" => a.wrapping_sub(b),
            "*" => a.wrapping_mul(b),
            "/" | "%" if b == 0 => {
                return self.throw("System.DivideByZeroException", "Attempted to divide by zero.");
            }
            "/" => a.wrapping_div(b),
            "%" => a.wrapping_rem(b),
            "&" => a & b,
            "|" => a | b,
            "^" => a ^ b,
            "<<" => a.wrapping_shl((b & bits) as u32),
            ">>" => a >> (b & bits),
            _ => return self.compared(operator, a.partial_cmp(&b)),
        };
        Ok(Val::Int(kind, kind.wrap(value)))
    }

    fn real(&mut self, operator: &str, a: f64, b: f64, double: bool) -> Ran<Val> {
        // A float is computed as one: rounding twice is not the same.
        let (x, y) = (a as f32, b as f32);
        let (wide, narrow) = match operator {
            "+" => (a + b, x + y),
            "-" => (a - b, x - y),
            "*" => (a * b, x * y),
            "/" => (a / b, x / y),
            "%" => (a % b, x % y),
            _ => return self.compared(operator, a.partial_cmp(&b)),
        };
        Ok(if double { Val::Double(wide) } else { Val::Float(narrow) })
    }

    fn compared(&self, operator: &str, order: Option<Ordering>) -> Ran<Val> {
        let order = match order {
            Some(order) => order,
            None => return Ok(Val::Bool(false)),
        };
        Ok(Val::Bool(match operator {
            "<" => order == Ordering::Less,
            ">" => order == Ordering::Greater,
            "<=" => order != Ordering::Greater,
            ">=" => order != Ordering::Less,
            _ => {
                let message = format!("Operator '{operator}' cannot be applied here");
                return self
                    .throw("Microsoft.CSharp.RuntimeBinder.RuntimeBinderException", message);
            }
        }))
    }

    /// Whether a value is null, or an object that was destroyed.
    pub(super) fn is_nothing(&self, value: &Val) -> bool {
        match value {
            Val::Null => true,
            Val::Object(id) => self.world.object(*id).is_none(),
            Val::Component(id) => self.world.component(*id).is_none(),
            _ => false,
        }
    }

    /// `==`.
    pub(super) fn equal(&self, left: &Val, right: &Val) -> bool {
        let objects = |value: &Val| matches!(value, Val::Null | Val::Object(_) | Val::Component(_));
        if objects(left) && objects(right) {
            let (left_gone, right_gone) = (self.is_nothing(left), self.is_nothing(right));
            if left_gone || right_gone {
                return left_gone && right_gone;
            }
        }
        if let (Val::Enum(value), Val::Int(_, number)) | (Val::Int(_, number), Val::Enum(value)) =
            (left, right)
        {
            return value.number == *number;
        }
        if let (Some(a), Some(b)) = (as_whole(left), as_whole(right)) {
            return a.1 == b.1;
        }
        if let (Some(a), Some(b)) = (left.as_f64(), right.as_f64()) {
            return a == b;
        }
        if let (Val::Quat(a), Val::Quat(b)) = (left, right) {
            return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w > NEAR_ROTATION;
        }
        if let (Some(a), Some(b)) = (left.reals(), right.reals()) {
            let apart: f32 = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b)).sum();
            return a.len() == b.len() && apart < NEAR;
        }
        if let (Val::Tuple(a), Val::Tuple(b)) = (left, right) {
            return a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.equal(a, b));
        }
        left.key() == right.key()
    }

    /// `Equals`, which looks at types too.
    pub(super) fn same(&self, left: &Val, right: &Val) -> bool {
        match (left, right) {
            (Val::Int(a, x), Val::Int(b, y)) => a == b && x == y,
            (Val::Int(..), _) | (_, Val::Int(..)) => false,
            _ => self.equal(left, right),
        }
    }

    /// The order of two values, null first.
    pub(super) fn compare(&self, left: &Val, right: &Val) -> Ran<Ordering> {
        match (left, right) {
            (Val::Null, Val::Null) => return Ok(Ordering::Equal),
            (Val::Null, _) => return Ok(Ordering::Less),
            (_, Val::Null) => return Ok(Ordering::Greater),
            (Val::Bool(a), Val::Bool(b)) => return Ok(a.cmp(b)),
            (Val::Text(a), Val::Text(b)) => return Ok(compare_texts(a, b)),
            (Val::Enum(a), Val::Enum(b)) => return Ok(a.number.cmp(&b.number)),
            (Val::Tuple(a), Val::Tuple(b)) => {
                for (a, b) in a.iter().zip(b.iter()) {
                    match self.compare(a, b)? {
                        Ordering::Equal => {}
                        other => return Ok(other),
                    }
                }
                return Ok(a.len().cmp(&b.len()));
            }
            _ => {}
        }
        if let (Some(a), Some(b)) = (as_whole(left), as_whole(right)) {
            return Ok(a.1.cmp(&b.1));
        }
        match (left.as_f64(), right.as_f64()) {
            (Some(a), Some(b)) => Ok(a.total_cmp(&b)),
            _ => self.throw(
                "System.ArgumentException",
                "At least one object must implement IComparable.",
            ),
        }
    }

    /// How many of something there are, when that is known without looking at each.
    pub(super) fn count_of(&self, value: &Val) -> Option<usize> {
        match self.thing(value)? {
            Thing::List(list) => Some(list.items.len()),
            Thing::Map(map) => Some(map.len()),
            _ => None,
        }
    }
}

fn as_whole(value: &Val) -> Option<(Int, i64)> {
    match value {
        Val::Int(kind, value) => Some((*kind, *value)),
        Val::Char(unit) => Some((Int::U16, i64::from(*unit))),
        _ => None,
    }
}

/// As .NET orders texts for people: letters first, whatever their case; then small before large.
pub(super) fn compare_texts(a: &str, b: &str) -> Ordering {
    let folded = a.chars().flat_map(char::to_lowercase).cmp(b.chars().flat_map(char::to_lowercase));
    let case = || a.chars().map(char::is_uppercase).cmp(b.chars().map(char::is_uppercase));
    folded.then_with(case)
}
