//! Values as text.

use scenewright_world::Value;
use scenewright_world::real::{double_text, float_text, real_text, significant};

use super::{Ran, Run};
use crate::value::{Thing, Val};

/// The most digits that a format may ask for.
const MAX_DIGITS: usize = 99;

impl Run<'_, '_> {
    /// What `ToString()` gives; `null` for null.
    pub(super) fn text_of(&mut self, value: &Val) -> Ran<String> {
        self.work(1)?;
        Ok(match value {
            Val::Null => "null".to_owned(),
            Val::Char(unit) => String::from_utf16_lossy(&[*unit]),
            Val::Int(_, value) => value.to_string(),
            Val::Float(value) => float_text(*value),
            Val::Double(value) => double_text(*value),
            Val::Text(text) => text.to_string(),
            Val::Type(ty) => ty.full_name(),
            Val::Scene(_) => "UnityEngine.SceneManagement.Scene".to_owned(),
            Val::Tuple(parts) => self.deeper(|run| {
                let parts: Vec<String> =
                    parts.iter().map(|part| run.part_text(part)).collect::<Ran<_>>()?;
                Ok(format!("({})", parts.join(", ")))
            })?,
            Val::Pair(pair) => {
                let (key, value) = (self.part_text(&pair[0])?, self.part_text(&pair[1])?);
                format!("[{key}, {value}]")
            }
            Val::Ref(_) => match self.thing(value) {
                Some(Thing::Exception(exception)) => {
                    format!("{}: {}", exception.ty, exception.message)
                }
                Some(Thing::Builder(text)) => text.clone(),
                _ => self.type_of(value).full_name(),
            },
            _ => {
                let value = self.to_value(value);
                self.world.describe(&value)
            }
        })
    }

    /// A part of something: null is written as nothing.
    fn part_text(&mut self, value: &Val) -> Ran<String> {
        match value {
            Val::Null => Ok(String::new()),
            _ => self.text_of(value),
        }
    }

    /// As a string with holes writes it.
    pub(super) fn formatted(&mut self, value: &Val, format: &str) -> Ran<String> {
        if format.is_empty() {
            return self.part_text(value);
        }
        if let Some(reals) = value.reals() {
            let mut parts = Vec::new();
            for real in reals {
                parts.push(self.formatted(&Val::Float(real), format)?);
            }
            let name = if matches!(value, Val::Color(_)) { "RGBA" } else { "" };
            return Ok(format!("{name}({})", parts.join(", ")));
        }
        let Some(number) = value.as_f64().filter(|_| !matches!(value, Val::Char(_))) else {
            if let Val::Enum(value) = value {
                return Ok(match format {
                    "D" | "d" => value.number.to_string(),
                    "X" | "x" => format!("{:08X}", value.number),
                    _ => value.name.to_string(),
                });
            }
            return self.part_text(value);
        };
        match number_text(value, number, format) {
            Some(text) => {
                self.take(text.len())?;
                Ok(text)
            }
            None => self.throw("System.FormatException", "Format specifier was invalid."),
        }
    }

    /// `string.Format`.
    pub(super) fn composed(&mut self, format: &str, args: &[Val]) -> Ran<String> {
        let mut text = String::new();
        let mut letters = format.chars().peekable();
        while let Some(letter) = letters.next() {
            match letter {
                '{' | '}' if letters.peek() == Some(&letter) => {
                    letters.next();
                    text.push(letter);
                }
                '{' => {
                    let hole: String =
                        letters.by_ref().take_while(|letter| *letter != '}').collect();
                    let (head, format) = hole.split_once(':').unwrap_or((&hole, ""));
                    let (index, width) = head.split_once(',').unwrap_or((head, "0"));
                    let parsed = (index.trim().parse::<usize>(), width.trim().parse::<i32>());
                    let (Ok(index), Ok(width)) = parsed else { return self.bad_format() };
                    let Some(value) = args.get(index) else { return self.bad_format() };
                    let written = self.formatted(value, format)?;
                    self.pad(&mut text, &written, i64::from(width))?;
                }
                '}' => return self.bad_format(),
                _ => text.push(letter),
            }
        }
        Ok(text)
    }

    fn bad_format<T>(&self) -> Ran<T> {
        self.throw("System.FormatException", "Input string was not in a correct format.")
    }

    /// What the log gets.
    pub(super) fn log_text(&mut self, value: &Val) -> Ran<String> {
        match value {
            Val::Null => Ok("Null".to_owned()),
            Val::Object(_) | Val::Component(_) => {
                let value: Value = self.to_value(value);
                Ok(self.world.describe(&value))
            }
            _ => self.text_of(value),
        }
    }
}

/// A number by a format such as `F2`, `N0` or `0.00`; nothing when the format is none.
fn number_text(value: &Val, number: f64, format: &str) -> Option<String> {
    let mut letters = format.chars();
    let kind = letters.next()?;
    let rest = letters.as_str();
    let standard = kind.is_ascii_alphabetic() && rest.chars().all(|letter| letter.is_ascii_digit());
    if !standard {
        return Some(custom(number, format));
    }
    let digits: Option<usize> = if rest.is_empty() { None } else { Some(rest.parse().ok()?) };
    if digits.is_some_and(|digits| digits > MAX_DIGITS) {
        return None;
    }
    let whole = value.as_int();
    if !number.is_finite() {
        return Some(double_text(number));
    }
    let fixed = |digits: usize| match whole {
        Some(whole) if digits == 0 => whole.to_string(),
        Some(whole) => format!("{whole}.{}", "0".repeat(digits)),
        None => half_away(number, digits),
    };
    Some(match kind.to_ascii_uppercase() {
        'F' => fixed(digits.unwrap_or(2)),
        'N' => grouped(&fixed(digits.unwrap_or(2))),
        'C' => format!("\u{a4}{}", grouped(&fixed(digits.unwrap_or(2)))),
        'P' => format!("{} %", grouped(&half_away(number * 100.0, digits.unwrap_or(2)))),
        'D' => {
            let text = whole?.unsigned_abs().to_string();
            let sign = if number < 0.0 { "-" } else { "" };
            format!("{sign}{}{text}", "0".repeat(digits.unwrap_or(0).saturating_sub(text.len())))
        }
        'X' => {
            let bits = match value {
                Val::Int(crate::ty::Int::I64, whole) => *whole as u64,
                _ => u64::from(whole? as u32),
            };
            let width = digits.unwrap_or(1);
            if kind == 'X' { format!("{bits:0width$X}") } else { format!("{bits:0width$x}") }
        }
        'E' => {
            let text = format!("{number:.*e}", digits.unwrap_or(6));
            let (mantissa, exponent) = text.split_once('e')?;
            let exponent: i32 = exponent.parse().ok()?;
            let sign = if exponent < 0 { '-' } else { '+' };
            format!("{mantissa}{kind}{sign}{:03}", exponent.abs())
        }
        'R' => match value {
            Val::Float(value) => real_text(number, &format!("{value:e}"), 7),
            Val::Double(value) => real_text(number, &format!("{value:e}"), 15),
            _ => whole?.to_string(),
        },
        'G' => match (digits.filter(|digits| *digits > 0), value) {
            (Some(digits), _) => significant(number, digits),
            (None, Val::Float(value)) => float_text(*value),
            (None, Val::Double(value)) => double_text(*value),
            (None, _) => whole?.to_string(),
        },
        _ => return None,
    })
}

/// Fixed digits, halves away from zero: .NET rounds the decimal digits of the number.
fn half_away(number: f64, digits: usize) -> String {
    let shortest = number.abs().to_string();
    let (whole, part) = shortest.split_once('.').unwrap_or((&shortest, ""));
    let sign =
        |text: &str| match number < 0.0 && text.chars().any(|c| c.is_ascii_digit() && c != '0') {
            true => format!("-{text}"),
            false => text.to_owned(),
        };
    if part.len() <= digits {
        let zeros = "0".repeat(digits - part.len());
        let point = if digits > 0 { "." } else { "" };
        return sign(&format!("{whole}{point}{part}{zeros}"));
    }
    let mut kept: Vec<u8> = whole.bytes().chain(part.bytes().take(digits)).collect();
    if part.as_bytes()[digits] >= b'5' {
        let mut at = kept.len();
        loop {
            if at == 0 {
                kept.insert(0, b'1');
                break;
            }
            at -= 1;
            if kept[at] < b'9' {
                kept[at] += 1;
                break;
            }
            kept[at] = b'0';
        }
    }
    let text = String::from_utf8_lossy(&kept).into_owned();
    let point = text.len() - digits;
    match digits {
        0 => sign(&text),
        _ => sign(&format!("{}.{}", &text[..point], &text[point..])),
    }
}

/// `1234567.5` as `1,234,567.5`.
fn grouped(text: &str) -> String {
    let (sign, text) = text.strip_prefix('-').map_or(("", text), |rest| ("-", rest));
    let (whole, part) =
        text.split_once('.').map_or((text, None), |(whole, part)| (whole, Some(part)));
    let mut given = String::from(sign);
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index) % 3 == 0 {
            given.push(',');
        }
        given.push(digit);
    }
    if let Some(part) = part {
        given.push('.');
        given.push_str(part);
    }
    given
}

/// `0.00`, `#,##0`, `000`: digits where there is a 0, digits if there are any where there is a #.
fn custom(number: f64, format: &str) -> String {
    let is_digit = |letter: char| matches!(letter, '0' | '#' | '.' | ',');
    let Some(start) = format.find(is_digit) else { return format.to_owned() };
    let end = format.rfind(is_digit).map_or(start, |end| end + 1);
    let (before, pattern, after) = (&format[..start], &format[start..end], &format[end..]);
    let (whole, part) = pattern.split_once('.').unwrap_or((pattern, ""));
    let number = if after.starts_with('%') { number * 100.0 } else { number };
    let most = part.chars().filter(|letter| matches!(letter, '0' | '#')).count().min(MAX_DIGITS);
    let least = part.rfind('0').map_or(0, |at| at + 1);
    let text = half_away(number, most);
    let (sign, text) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    let (digits, decimals) = text.split_once('.').unwrap_or((text, ""));
    let zeros = whole.chars().filter(|letter| *letter == '0').count().min(MAX_DIGITS);
    let digits = if zeros == 0 { digits.trim_start_matches('0') } else { digits };
    let digits = format!("{}{digits}", "0".repeat(zeros.saturating_sub(digits.len())));
    let digits = if whole.contains(',') { grouped(&digits) } else { digits };
    let mut decimals = decimals.to_owned();
    while decimals.len() > least && decimals.ends_with('0') {
        decimals.pop();
    }
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{before}{sign}{digits}{point}{decimals}{after}")
}
