//! Numbers: `Math`, `Mathf`, `int.Parse`, `Convert`.

use super::{Ran, Run};
use crate::ty::{Int, Ty};
use crate::value::Val;

impl Run<'_, '_> {
    /// `Math` and `Mathf`; the binder has made all arguments one type.
    pub(super) fn call_math(&mut self, single: bool, name: &str, args: &[Val]) -> Ran<Val> {
        if let ("Max" | "Min", [list]) = (name, args) {
            let items = self.items(list)?;
            let mut best = items.first().cloned().unwrap_or(Val::int(0));
            for item in items {
                let better = self.binary(if name == "Max" { ">" } else { "<" }, &item, &best)?;
                if matches!(better, Val::Bool(true)) {
                    best = item;
                }
            }
            return Ok(best);
        }
        if let Some(given) = self.whole_math(name, args)? {
            return Ok(given);
        }
        let numbers: Vec<f64> = args.iter().filter_map(Val::as_f64).collect();
        let Some(given) = real_math(name, &numbers, single) else {
            return self.missing(if single { "Mathf" } else { "Math" }, name);
        };
        let whole = matches!(name, "FloorToInt" | "CeilToInt" | "RoundToInt")
            || (name == "Sign" && !single);
        if name == "Approximately" {
            return Ok(Val::Bool(given != 0.0));
        }
        if whole {
            if given.is_nan() && name == "Sign" {
                return self.throw(
                    "System.ArithmeticException",
                    "Function does not accept floating point Not-a-Number values.",
                );
            }
            return Ok(Val::int(Int::I32.wrap(given as i64)));
        }
        let is_float = single || matches!(args.first(), Some(Val::Float(_)));
        Ok(if is_float { Val::Float(given as f32) } else { Val::Double(given) })
    }

    fn whole_math(&mut self, name: &str, args: &[Val]) -> Ran<Option<Val>> {
        let mut kind = Int::I32;
        let mut whole = Vec::new();
        for arg in args {
            let Val::Int(found, value) = arg else { return Ok(None) };
            kind = kind.max(*found);
            whole.push(*value);
        }
        Ok(Some(match (name, whole.as_slice()) {
            ("Abs", [value]) if *value == kind.range().0 => {
                return self.throw(
                    "System.OverflowException",
                    "Negating the minimum value of a twos complement number is invalid.",
                );
            }
            ("Abs", [value]) => Val::Int(kind, value.abs()),
            ("Max", [a, b]) => Val::Int(kind, *a.max(b)),
            ("Min", [a, b]) => Val::Int(kind, *a.min(b)),
            ("Clamp", [value, least, most]) => Val::Int(kind, (*value).min(*most).max(*least)),
            _ => return Ok(None),
        }))
    }

    pub(super) fn call_number_type(&mut self, owner: &str, name: &str, args: &[Val]) -> Ran<Val> {
        match (name, args) {
            ("Parse", [Val::Text(text)]) => match read(owner, text) {
                Some(value) => Ok(value),
                None if text.trim().parse::<f64>().is_ok()
                    && Int::named(owner).is_some()
                    && !text.contains('.') =>
                {
                    self.throw(
                        "System.OverflowException",
                        "Value was either too large or too small.",
                    )
                }
                None => self
                    .throw("System.FormatException", "Input string was not in a correct format."),
            },
            ("Parse", _) => self
                .throw("System.ArgumentNullException", "Value cannot be null.\nParameter name: s"),
            ("TryParse", [text]) => {
                let found = text.as_text().and_then(|text| read(owner, text));
                let value = match &found {
                    Some(value) => value.clone(),
                    None => self.default_of(&Ty::of(owner))?,
                };
                self.with_out(found.is_some(), value)
            }
            ("IsNaN", [value]) => Ok(Val::Bool(value.as_f64().is_some_and(f64::is_nan))),
            ("IsInfinity", [value]) => Ok(Val::Bool(value.as_f64().is_some_and(f64::is_infinite))),
            _ => self.missing(owner, name),
        }
    }

    pub(super) fn call_convert(&mut self, name: &str, args: &[Val]) -> Ran<Val> {
        let [value] = args else { return self.missing("Convert", name) };
        let to = match name {
            "ToInt32" => "System.Int32",
            "ToInt64" => "System.Int64",
            "ToSingle" => "System.Single",
            "ToDouble" => "System.Double",
            "ToBoolean" => "System.Boolean",
            _ => {
                let text = self.formatted(value, "")?;
                return self.text(text);
            }
        };
        match value {
            Val::Null => self.default_of(&Ty::of(to)),
            Val::Text(_) => self.call_number_type(to, "Parse", args),
            Val::Bool(flag) if to != "System.Boolean" => {
                self.convert(Val::int(i64::from(*flag)), &Ty::of(to))
            }
            _ if to == "System.Boolean" => match value {
                Val::Bool(_) => Ok(value.clone()),
                _ => Ok(Val::Bool(value.as_f64().is_some_and(|number| number != 0.0))),
            },
            Val::Float(_) | Val::Double(_) if Int::named(to).is_some() => {
                // Convert rounds, to even at halves, where a cast cuts off.
                let rounded = value.as_f64().unwrap_or(0.0).round_ties_even();
                let (least, most) = Int::named(to).unwrap_or(Int::I32).range();
                if !(rounded >= least as f64 && rounded <= most as f64) {
                    return self.throw(
                        "System.OverflowException",
                        "Value was either too large or too small.",
                    );
                }
                self.convert(Val::Double(rounded), &Ty::of(to))
            }
            _ => self.convert(value.clone(), &Ty::of(to)),
        }
    }

    pub(super) fn number_constant(&mut self, owner: &str, name: &str) -> Ran<Val> {
        if let Some(kind) = Int::named(owner) {
            let (least, most) = kind.range();
            return Ok(Val::Int(kind, if name == "MaxValue" { most } else { least }));
        }
        let single = owner != "System.Double" && owner != "System.Math";
        let value = match name {
            "PI" => std::f64::consts::PI,
            "E" => std::f64::consts::E,
            "MaxValue" if single => f64::from(f32::MAX),
            "MinValue" if single => f64::from(f32::MIN),
            "MaxValue" => f64::MAX,
            "MinValue" => f64::MIN,
            "Epsilon" if single => f64::from(f32::from_bits(1)),
            "Epsilon" => f64::from_bits(1),
            "NaN" => f64::NAN,
            "PositiveInfinity" | "Infinity" => f64::INFINITY,
            "NegativeInfinity" => f64::NEG_INFINITY,
            "Deg2Rad" => std::f64::consts::PI / 180.0,
            "Rad2Deg" => 180.0 / std::f64::consts::PI,
            _ => return self.missing(owner, name),
        };
        Ok(if single { Val::Float(value as f32) } else { Val::Double(value) })
    }
}

fn read(owner: &str, text: &str) -> Option<Val> {
    let text = text.trim();
    if let Some(kind) = Int::named(owner) {
        let value: i64 = text.parse().ok()?;
        let (least, most) = kind.range();
        return (least..=most).contains(&value).then_some(Val::Int(kind, value));
    }
    if owner == "System.Boolean" {
        return match text.to_lowercase().as_str() {
            "true" => Some(Val::Bool(true)),
            "false" => Some(Val::Bool(false)),
            _ => None,
        };
    }
    // Rust also reads "inf" and "nan", which .NET does not.
    let digits = text.chars().all(|c| c.is_ascii_digit() || "+-.,eE".contains(c));
    if !digits {
        return None;
    }
    let plain = text.replace(',', "");
    match owner {
        "System.Single" => plain.parse().ok().map(Val::Float),
        _ => plain.parse().ok().map(Val::Double),
    }
}

/// Functions of real numbers. `Mathf` computes as doubles and rounds once, as Unity does.
fn real_math(name: &str, numbers: &[f64], single: bool) -> Option<f64> {
    Some(match (name, numbers) {
        ("Abs", [a]) => a.abs(),
        ("Floor" | "FloorToInt", [a]) => a.floor(),
        ("Ceil" | "CeilToInt" | "Ceiling", [a]) => a.ceil(),
        ("Round" | "RoundToInt", [a]) => a.round_ties_even(),
        ("Round", [a, digits]) => {
            let by = 10_f64.powi(digits.clamp(0.0, 15.0) as i32);
            (a * by).round_ties_even() / by
        }
        ("Truncate", [a]) => a.trunc(),
        // Unity has no zero among signs.
        ("Sign", [a]) if single => {
            if *a >= 0.0 {
                1.0
            } else {
                -1.0
            }
        }
        ("Sign", [a]) => {
            if *a == 0.0 {
                0.0
            } else {
                a.signum()
            }
        }
        ("Sqrt", [a]) => a.sqrt(),
        ("Exp", [a]) => a.exp(),
        ("Log", [a]) => a.ln(),
        ("Log", [a, base]) => a.log(*base),
        ("Log10", [a]) => a.log10(),
        ("Sin", [a]) => a.sin(),
        ("Cos", [a]) => a.cos(),
        ("Tan", [a]) => a.tan(),
        ("Asin", [a]) => a.asin(),
        ("Acos", [a]) => a.acos(),
        ("Atan", [a]) => a.atan(),
        ("Atan2", [y, x]) => y.atan2(*x),
        ("Pow", [a, b]) => a.powf(*b),
        ("Max", [a, b]) => {
            if a > b || a.is_nan() {
                *a
            } else {
                *b
            }
        }
        ("Min", [a, b]) => {
            if a < b || a.is_nan() {
                *a
            } else {
                *b
            }
        }
        ("Clamp", [a, least, most]) => {
            if a < least {
                *least
            } else if a > most {
                *most
            } else {
                *a
            }
        }
        ("Clamp01", [a]) => a.clamp(0.0, 1.0),
        ("Lerp", [a, b, t]) => a + (b - a) * t.clamp(0.0, 1.0),
        ("LerpUnclamped", [a, b, t]) => a + (b - a) * t,
        ("InverseLerp", [a, b, _]) if a == b => 0.0,
        ("InverseLerp", [a, b, value]) => ((value - a) / (b - a)).clamp(0.0, 1.0),
        ("MoveTowards", [from, to, by]) if (to - from).abs() <= *by => *to,
        ("MoveTowards", [from, to, by]) => from + (to - from).signum() * by,
        ("Repeat", [t, length]) => repeat(*t, *length),
        ("PingPong", [t, length]) => length - (repeat(*t, length * 2.0) - length).abs(),
        ("DeltaAngle", [from, to]) => {
            let delta = repeat(to - from, 360.0);
            if delta > 180.0 { delta - 360.0 } else { delta }
        }
        ("SmoothStep", [from, to, t]) => {
            let t = t.clamp(0.0, 1.0);
            let t = -2.0 * t * t * t + 3.0 * t * t;
            to * t + from * (1.0 - t)
        }
        ("Approximately", [a, b]) => {
            let near = (1e-6 * a.abs().max(b.abs())).max(f64::from(f32::from_bits(1)) * 8.0);
            f64::from(u8::from((b - a).abs() < near))
        }
        _ => return None,
    })
}

fn repeat(t: f64, length: f64) -> f64 {
    let rest = t - (t / length).floor() * length;
    if rest < 0.0 {
        0.0
    } else if rest > length {
        length
    } else {
        rest
    }
}
