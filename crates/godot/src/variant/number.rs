//! Numbers that keep their spelling.

use std::fmt;

/// A number as it is written: `1` and `1.0` differ, and `0.10` stays so.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Number(Box<str>);

impl Number {
    /// The number that a token of the file spells.
    pub(super) fn spelled(text: &str) -> Number {
        Number(text.into())
    }

    /// A whole number.
    pub fn int(number: i64) -> Number {
        Number(number.to_string().into())
    }

    /// A floating point number, which Godot always writes with `.0` or an exponent.
    pub fn float(number: f64) -> Number {
        let text = shortest(number);
        let is_plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        Number(if is_plain { text + ".0" } else { text }.into())
    }

    /// A number inside a vector or the like, where `1.0` is written `1`.
    pub fn component(number: f64) -> Number {
        Number(shortest(number).into())
    }

    /// As it is written.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// True unless it is a whole number.
    pub fn is_float(&self) -> bool {
        self.0.bytes().any(|byte| !byte.is_ascii_digit() && byte != b'-')
    }

    /// The value of a whole number. One that is too large is what the engine makes of it: its last
    /// digit wraps around, and any digit more ends at the largest.
    pub fn as_int(&self) -> Option<i64> {
        if self.is_float() {
            return None;
        }
        let (digits, is_negative) = match self.0.strip_prefix('-') {
            Some(digits) => (digits, true),
            None => (&*self.0, false),
        };
        let mut value: i64 = 0;
        for digit in digits.bytes().filter(u8::is_ascii_digit) {
            if value > i64::MAX / 10 {
                return Some(if is_negative { i64::MIN } else { i64::MAX });
            }
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
        }
        Some(if is_negative { value.wrapping_neg() } else { value })
    }

    /// The value.
    pub fn as_float(&self) -> f64 {
        match &*self.0 {
            "inf" => f64::INFINITY,
            "-inf" | "inf_neg" => f64::NEG_INFINITY,
            "nan" => f64::NAN,
            // The engine reads `1e` and `1.` as 1.
            text => text.trim_end_matches(['e', 'E', '+', '-']).parse().unwrap_or(0.0),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The fewest digits that read back the same, as Godot sets them.
fn shortest(number: f64) -> String {
    if number.is_nan() {
        return "nan".into();
    }
    if number.is_infinite() {
        return if number > 0.0 { "inf" } else { "-inf" }.into();
    }
    if number == 0.0 {
        // Godot never writes a negative zero.
        return "0".into();
    }
    // Numbers that 32 bits hold need no more digits than 32 bits need.
    let scientific = match number as f32 {
        single if f64::from(single) == number => format!("{single:e}"),
        _ => format!("{number:e}"),
    };
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..15).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.abs());
    }
    positional(mantissa, exponent)
}

/// Moves the point of `d.ddd` by the exponent.
fn positional(mantissa: &str, exponent: i32) -> String {
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", mantissa),
    };
    let digits = mantissa.replace('.', "");
    let Ok(shift) = usize::try_from(exponent) else {
        let zeros = "0".repeat(exponent.unsigned_abs() as usize - 1);
        return format!("{sign}0.{zeros}{digits}");
    };
    if digits.len() <= shift + 1 {
        return format!("{sign}{digits}{}", "0".repeat(shift + 1 - digits.len()));
    }
    let (whole, rest) = digits.split_at(shift + 1);
    format!("{sign}{whole}.{rest}")
}

#[cfg(test)]
mod whole {
    use super::Number;

    #[test]
    fn too_large_numbers_are_what_the_engine_makes_of_them() {
        // As `str_to_var` of Godot 4.6 answers.
        let cases = [
            ("9223372036854775807", i64::MAX),
            ("9223372036854775808", i64::MIN),
            ("9223372036854775809", i64::MIN + 1),
            ("9223372036854775810", i64::MAX),
            ("-9223372036854775808", i64::MIN),
            ("-9223372036854775809", i64::MAX),
            ("99999999999999999999", i64::MAX),
            ("-99999999999999999999", i64::MIN),
        ];
        for (text, expected) in cases {
            assert_eq!(Number::spelled(text).as_int(), Some(expected), "{text}");
        }
    }
}
