//! What the expression behind `=` of a field comes to, as far as it is made of literals, constants
//! and the values that Unity's structures have by name. Everything else is nothing.

use super::named::known;
use super::walk::Place;
use crate::edit::enums;
use crate::script::{Modifier, ScriptSet, TypeRef};

/// What an expression comes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Initial {
    /// `null` and `default`.
    Nothing,
    Int(i64),
    /// A number with a point, and whether it is a `float`.
    Real(f64, bool),
    Bool(bool),
    Text(String),
    /// `new Vector3(1, 2)`, `Vector3.one`: the parts that are given.
    Parts(Vec<f64>),
    /// `new Color32(255, 0, 0, 255)`.
    Bytes(Vec<f64>),
    /// Items between braces.
    Items(Vec<Initial>),
    /// `new T[3]`.
    Empty(usize),
    /// `new T { a = 1 }`: the members that are given. Without any, what the class says.
    Members(Vec<(String, Initial)>),
    /// The keys of a curve: time, value, slope before, slope behind.
    Keys(Vec<[f64; 4]>),
}

/// What a sign behind a cast may belong to.
const NUMBERS: [&str; 6] = ["int", "float", "double", "long", "short", "byte"];
/// Expressions inside each other beyond this are not read.
const MAX_DEPTH: usize = 32;

/// The value of an initializer. Nothing when it cannot be known without running it.
pub(super) fn evaluate<'a>(set: &ScriptSet<'a>, place: &Place<'a>, text: &str) -> Option<Initial> {
    let tokens = tokens(text)?;
    let mut reader = Reader { set, from: place.ty, tokens: &tokens, at: 0, depth: 0 };
    let value = reader.binary(0)?;
    (reader.at == tokens.len()).then_some(value)
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    /// A name, with its dots and type arguments.
    Name(String),
    Value(Initial),
    Sign(&'static str),
}

const SIGNS: [&str; 19] = [
    "<<", ">>", "(", ")", "{", "}", "[", "]", ",", "+", "-", "*", "/", "%", "|", "&", "^", "~", "=",
];

fn tokens(text: &str) -> Option<Vec<Token>> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let first = rest.chars().next()?;
        let length = match first {
            '0'..='9' | '.' => {
                let (value, length) = number(rest)?;
                tokens.push(Token::Value(value));
                length
            }
            '"' | '@' => {
                let length = string_end(rest)?;
                let text = crate::script::string_literal(&rest[..length])?;
                tokens.push(Token::Value(Initial::Text(text)));
                length
            }
            '\'' => {
                let length = rest[1..].find('\'').filter(|at| *at > 0)? + 2;
                let mut letters = rest[1..length - 1].chars();
                // Escapes are rare, and left to Unity.
                let letter = letters.next().filter(|letter| *letter != '\\')?;
                tokens.push(Token::Value(Initial::Int(u32::from(letter).into())));
                length
            }
            c if c.is_alphabetic() || c == '_' => {
                let length = name_end(rest);
                tokens.push(Token::Name(rest[..length].split_whitespace().collect()));
                length
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
                tokens.push(Token::Sign(sign));
                sign.len()
            }
        };
        rest = rest[length..].trim_start();
    }
    Some(tokens)
}

fn number(text: &str) -> Option<(Initial, usize)> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        let length = digits.find(|c: char| !c.is_ascii_hexdigit() && c != '_');
        let length = length.unwrap_or(digits.len());
        let value = i64::from_str_radix(&digits[..length].replace('_', ""), 16).ok()?;
        let suffix = digits[length..].find(|c| !"uUlL".contains(c));
        let suffix = suffix.unwrap_or(digits.len() - length);
        return Some((Initial::Int(value), 2 + length + suffix));
    }
    let mut length = 0;
    let mut is_real = false;
    let bytes = text.as_bytes();
    while let Some(byte) = bytes.get(length) {
        let after_e = length > 0 && matches!(bytes[length - 1], b'e' | b'E');
        match byte {
            b'0'..=b'9' | b'_' => {}
            b'.' if bytes.get(length + 1).is_some_and(u8::is_ascii_digit) => is_real = true,
            b'e' | b'E' => is_real = true,
            b'+' | b'-' if after_e => {}
            _ => break,
        }
        length += 1;
    }
    let digits = text[..length].replace('_', "");
    let suffix = text[length..].find(|c: char| !c.is_ascii_alphabetic());
    let suffix = &text[length..length + suffix.unwrap_or(text.len() - length)];
    let value = match suffix.to_ascii_lowercase().as_str() {
        "f" => Initial::Real(digits.parse::<f32>().ok()?.into(), true),
        "d" | "m" => Initial::Real(digits.parse().ok()?, false),
        "" if is_real => Initial::Real(digits.parse().ok()?, false),
        "" | "u" | "l" | "ul" | "lu" => Initial::Int(digits.parse().ok()?),
        _ => return None,
    };
    Some((value, length + suffix.len()))
}

/// Where a string literal ends.
fn string_end(text: &str) -> Option<usize> {
    let is_verbatim = text.starts_with('@');
    let start = text.find('"')? + 1;
    let bytes = text.as_bytes();
    let mut at = start;
    loop {
        match bytes.get(at)? {
            b'\\' if !is_verbatim => at += 2,
            b'"' if is_verbatim && bytes.get(at + 1) == Some(&b'"') => at += 2,
            b'"' => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// A name goes on over dots, and over type arguments when what follows them can only be a type.
fn name_end(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    let end = text.find(|c| !is_part(c)).unwrap_or(text.len());
    let Some(arguments) = text[end..].strip_prefix('<') else { return end };
    let Some(close) = arguments.rfind('>') else { return end };
    let is_type = |c: char| is_part(c) || " ,<>[]?".contains(c);
    match arguments[..close].chars().all(is_type) {
        true => end + close + 2,
        false => end,
    }
}

struct Reader<'s, 'a> {
    set: &'s ScriptSet<'a>,
    from: TypeRef<'a>,
    tokens: &'s [Token],
    at: usize,
    depth: usize,
}

/// From the loosest to the tightest.
const LEVELS: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

impl Reader<'_, '_> {
    fn sign(&self) -> Option<&'static str> {
        match self.tokens.get(self.at)? {
            Token::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    fn take(&mut self, sign: &str) -> Option<()> {
        (self.sign() == Some(sign)).then(|| self.at += 1)
    }

    fn binary(&mut self, level: usize) -> Option<Initial> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(sign) = self.sign().filter(|sign| signs.contains(sign)) {
            self.at += 1;
            left = combine(left, sign, self.binary(level + 1)?)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Initial> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return None;
        }
        let value = match self.sign() {
            Some(sign @ ("-" | "+" | "~")) => {
                self.at += 1;
                match (sign, self.unary()?) {
                    ("-", Initial::Int(value)) => Initial::Int(value.checked_neg()?),
                    ("-", Initial::Real(value, single)) => Initial::Real(-value, single),
                    ("~", Initial::Int(value)) => Initial::Int(!value),
                    ("+", value @ (Initial::Int(_) | Initial::Real(..))) => value,
                    ("-", Initial::Parts(parts)) => {
                        Initial::Parts(parts.into_iter().map(|part| -part).collect())
                    }
                    _ => return None,
                }
            }
            Some("(") => self.parenthesis()?,
            Some("{") => Initial::Items(self.items()?),
            _ => self.primary()?,
        };
        self.depth -= 1;
        Some(value)
    }

    /// A cast, or an expression in parentheses.
    fn parenthesis(&mut self) -> Option<Initial> {
        self.take("(")?;
        let after = self.tokens.get(self.at..self.at + 2);
        if let Some([Token::Name(name), Token::Sign(")")]) = after
            && let Some(next) = self.tokens.get(self.at + 2)
            && (!matches!(next, Token::Sign(_)) || NUMBERS.contains(&name.as_str()))
        {
            self.at += 2;
            return cast(name, self.unary()?);
        }
        let value = self.binary(0)?;
        self.take(")")?;
        Some(value)
    }

    fn items(&mut self) -> Option<Vec<Initial>> {
        self.take("{")?;
        let mut items = Vec::new();
        while self.take("}").is_none() {
            items.push(self.binary(0)?);
            if self.take(",").is_none() {
                self.take("}")?;
                break;
            }
        }
        Some(items)
    }

    fn primary(&mut self) -> Option<Initial> {
        let token = self.tokens.get(self.at)?.clone();
        self.at += 1;
        match token {
            Token::Value(value) => Some(value),
            Token::Name(name) => match name.as_str() {
                "true" => Some(Initial::Bool(true)),
                "false" => Some(Initial::Bool(false)),
                "null" => Some(Initial::Nothing),
                "new" => self.creation(),
                "default" => {
                    if self.take("(").is_some() {
                        self.at += 1;
                        self.take(")")?;
                    }
                    Some(Initial::Nothing)
                }
                "nameof" => {
                    self.take("(")?;
                    let Token::Name(name) = self.tokens.get(self.at)? else { return None };
                    let last = name.rsplit('.').next().unwrap_or(name).to_owned();
                    self.at += 1;
                    self.take(")")?;
                    Some(Initial::Text(last))
                }
                _ if self.sign() == Some("(") => {
                    let arguments = self.arguments()?;
                    call(&name, &arguments)
                }
                _ => known(&name).or_else(|| self.constant(&name)),
            },
            Token::Sign(_) => None,
        }
    }

    /// Behind `new`.
    fn creation(&mut self) -> Option<Initial> {
        let name = match self.tokens.get(self.at)? {
            Token::Name(name) => {
                self.at += 1;
                name.as_str()
            }
            _ => "",
        };
        if self.take("[").is_some() {
            let count = match self.sign() {
                Some("]") => None,
                _ => Some(self.binary(0)?),
            };
            self.take("]")?;
            return match (self.sign(), count) {
                (Some("{"), _) => Some(Initial::Items(self.items()?)),
                // A longer list is somebody's data, and not a default.
                (_, Some(Initial::Int(count @ 0..=256))) => Some(Initial::Empty(count as usize)),
                _ => None,
            };
        }
        let arguments = match self.sign() {
            Some("(") => self.arguments()?,
            _ => Vec::new(),
        };
        if self.sign() == Some("{") {
            // `{ a = 1 }` are members, `{ 1, 2 }` items.
            let is_members = matches!(
                self.tokens.get(self.at + 1..self.at + 3),
                Some([Token::Name(_), Token::Sign("=")])
            );
            return match is_members {
                true => self.members(),
                false => self.items().map(Initial::Items),
            };
        }
        created(name, &arguments)
    }

    fn members(&mut self) -> Option<Initial> {
        self.take("{")?;
        let mut members = Vec::new();
        while self.take("}").is_none() {
            let Token::Name(name) = self.tokens.get(self.at)?.clone() else { return None };
            self.at += 1;
            self.take("=")?;
            members.push((name, self.binary(0)?));
            if self.take(",").is_none() {
                self.take("}")?;
                break;
            }
        }
        Some(Initial::Members(members))
    }

    fn arguments(&mut self) -> Option<Vec<Initial>> {
        self.take("(")?;
        let mut arguments = Vec::new();
        while self.take(")").is_none() {
            arguments.push(self.binary(0)?);
            if self.take(",").is_none() {
                self.take(")")?;
                break;
            }
        }
        Some(arguments)
    }

    /// A member of an enum of the project or the engine, or a constant of a class.
    fn constant(&mut self, name: &str) -> Option<Initial> {
        let (owner, member) = name.rsplit_once('.').unwrap_or(("", name));
        let owners = match owner {
            "" => self.set.parts(self.from),
            _ => self.set.find(owner, self.from),
        };
        for owner in owners {
            if let Some(known) = owner.decl.enum_members.iter().find(|known| known.name == member) {
                return known.value.map(Initial::Int);
            }
            let is_constant = |field: &&crate::script::Field| {
                let has = |modifier| field.about.modifiers.has(modifier);
                let is_fixed =
                    has(Modifier::Const) || (has(Modifier::Static) && has(Modifier::Readonly));
                field.name == member && is_fixed
            };
            if let Some(field) = owner.decl.fields.iter().find(is_constant) {
                let tokens = tokens(field.initializer.as_deref()?)?;
                let depth = self.depth + 1;
                let mut reader =
                    Reader { set: self.set, from: owner, tokens: &tokens, at: 0, depth };
                let value = reader.binary(0)?;
                return (reader.at == tokens.len()).then_some(value);
            }
        }
        let members = enums::members(super::values::simple_type(owner))?;
        members.iter().find(|(known, _)| *known == member).map(|(_, number)| Initial::Int(*number))
    }
}

fn number_of(value: &Initial) -> Option<f64> {
    match value {
        Initial::Int(value) => Some(*value as f64),
        Initial::Real(value, _) => Some(*value),
        _ => None,
    }
}

fn combine(left: Initial, sign: &str, right: Initial) -> Option<Initial> {
    use Initial::{Int, Parts, Real, Text};
    Some(match (left, right) {
        (Int(a), Int(b)) => Int(match sign {
            "+" => a.checked_add(b)?,
            "-" => a.checked_sub(b)?,
            "*" => a.checked_mul(b)?,
            "/" => a.checked_div(b)?,
            "%" => a.checked_rem(b)?,
            "<<" => a.checked_shl(u32::try_from(b).ok()?)?,
            ">>" => a.checked_shr(u32::try_from(b).ok()?)?,
            "|" => a | b,
            "&" => a & b,
            "^" => a ^ b,
            _ => return None,
        }),
        (Text(a), Text(b)) if sign == "+" => Text(a + &b),
        (Parts(parts), by) if sign == "*" => {
            let by = number_of(&by)?;
            Parts(parts.into_iter().map(|part| f64::from((part * by) as f32)).collect())
        }
        (by, Parts(parts)) if sign == "*" => return combine(Parts(parts), sign, by),
        (a, b) => {
            let single = |value: &Initial| !matches!(value, Real(_, false));
            let is_single = single(&a) && single(&b);
            let value = arithmetic(number_of(&a)?, sign, number_of(&b)?)?;
            Real(if is_single { f64::from(value as f32) } else { value }, is_single)
        }
    })
}

fn arithmetic(a: f64, sign: &str, b: f64) -> Option<f64> {
    Some(match sign {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        "%" => a % b,
        _ => return None,
    })
}

fn cast(name: &str, value: Initial) -> Option<Initial> {
    Some(match (name, value) {
        ("float", value) => Initial::Real(f64::from(number_of(&value)? as f32), true),
        ("double", value) => Initial::Real(number_of(&value)?, false),
        ("int" | "long" | "short" | "byte" | "uint", Initial::Real(value, _)) => {
            Initial::Int(value as i64)
        }
        // A cast to an enum or another whole number keeps the number.
        (_, value @ (Initial::Int(_) | Initial::Nothing)) => value,
        _ => return None,
    })
}

/// `new Name(…)`.
fn created(name: &str, arguments: &[Initial]) -> Option<Initial> {
    let simple = name.rsplit('.').next().unwrap_or(name);
    if arguments.is_empty() {
        return Some(Initial::Members(Vec::new()));
    }
    match simple {
        "Color32" => arguments.iter().map(number_of).collect::<Option<_>>().map(Initial::Bytes),
        "Vector2" | "Vector3" | "Vector4" | "Quaternion" | "Color" | "Rect" | "Vector2Int"
        | "Vector3Int" | "RectInt" | "float2" | "float3" | "float4" | "int2" | "int3" | "int4"
        | "RectOffset" | "" => {
            let parts: Option<Vec<f64>> = arguments.iter().map(number_of).collect();
            parts.map(Initial::Parts)
        }
        "Bounds" => match arguments {
            [Initial::Parts(center), Initial::Parts(size)] => {
                let mut parts = center.clone();
                parts.resize(3, 0.0);
                parts.extend(size.iter().map(|side| side / 2.0));
                Some(Initial::Parts(parts))
            }
            _ => None,
        },
        "AnimationCurve" => {
            let keys = arguments.iter().map(|key| match key {
                Initial::Parts(parts) => Some([
                    *parts.first()?,
                    *parts.get(1)?,
                    parts.get(2).copied().unwrap_or(0.0),
                    parts.get(3).copied().unwrap_or(0.0),
                ]),
                _ => None,
            });
            keys.collect::<Option<Vec<_>>>().map(Initial::Keys)
        }
        "Keyframe" => arguments.iter().map(number_of).collect::<Option<_>>().map(Initial::Parts),
        // The room that a list is given is not saved.
        _ if simple.starts_with("List<") => match arguments {
            [Initial::Int(_)] => Some(Initial::Items(Vec::new())),
            [items @ Initial::Items(_)] => Some(items.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn call(name: &str, arguments: &[Initial]) -> Option<Initial> {
    let numbers: Option<Vec<f64>> = arguments.iter().map(number_of).collect();
    match (name.strip_prefix("UnityEngine.").unwrap_or(name), numbers?.as_slice()) {
        ("AnimationCurve.Linear", [start, from, end, to]) => {
            let slope = f64::from(((to - from) / (end - start)) as f32);
            Some(Initial::Keys(vec![[*start, *from, 0.0, slope], [*end, *to, slope, 0.0]]))
        }
        ("AnimationCurve.EaseInOut", [start, from, end, to]) => {
            Some(Initial::Keys(vec![[*start, *from, 0.0, 0.0], [*end, *to, 0.0, 0.0]]))
        }
        ("AnimationCurve.Constant", [start, end, value]) => {
            Some(Initial::Keys(vec![[*start, *value, 0.0, 0.0], [*end, *value, 0.0, 0.0]]))
        }
        ("Array.Empty" | "System.Array.Empty", []) => Some(Initial::Items(Vec::new())),
        _ => None,
    }
}
