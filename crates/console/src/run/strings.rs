//! Members of strings and builders. Positions count UTF-16 units, as in .NET.

use std::rc::Rc;

use super::operators::compare_texts;
use super::{Ran, Run};
use crate::ty::Ty;
use crate::value::{ListKind, Thing, Val};

impl Run<'_, '_> {
    pub(super) fn new_text(&mut self, args: &[Val]) -> Ran<Val> {
        match args {
            [Val::Char(unit), Val::Int(_, count)] => {
                let Ok(count) = usize::try_from(*count) else {
                    return self.throw(
                        "System.ArgumentOutOfRangeException",
                        "'count' must be non-negative.",
                    );
                };
                self.take(count.saturating_mul(3))?;
                let text = String::from_utf16_lossy(&[*unit]).repeat(count);
                self.text(text)
            }
            [list] => {
                let items = self.items(list)?;
                let units: Vec<u16> = items.iter().filter_map(unit_of).collect();
                self.text(String::from_utf16_lossy(&units))
            }
            _ => self.missing("string", "new"),
        }
    }

    pub(super) fn call_text(
        &mut self,
        text: &Rc<str>,
        of: &Val,
        name: &str,
        args: Vec<Val>,
    ) -> Ran<Val> {
        self.work(text.len() as u64 / 64)?;
        if let Some(given) = self.part_of(text, name, &args)? {
            return Ok(given);
        }
        if let Some(given) = self.search(text, name, &args) {
            return Ok(given);
        }
        let given = match (name, args.as_slice()) {
            ("ToUpper" | "ToUpperInvariant", []) => text.to_uppercase(),
            ("ToLower" | "ToLowerInvariant", []) => text.to_lowercase(),
            ("Trim", []) => text.trim().to_owned(),
            ("Trim", [list]) => {
                let letters = self.letters(list)?;
                text.trim_matches(|c| is_trimmed(&letters, c)).to_owned()
            }
            ("TrimStart", [list]) => {
                let letters = self.letters(list)?;
                text.trim_start_matches(|c| is_trimmed(&letters, c)).to_owned()
            }
            ("TrimEnd", [list]) => {
                let letters = self.letters(list)?;
                text.trim_end_matches(|c| is_trimmed(&letters, c)).to_owned()
            }
            ("Replace", [old, new]) => return self.replace(text, old, new),
            ("PadLeft" | "PadRight", [Val::Int(_, width), rest @ ..]) => {
                let blank = rest.first().map_or_else(|| " ".to_owned(), letter_text);
                let length = text.encode_utf16().count();
                let count = usize::try_from(*width).unwrap_or(0).saturating_sub(length);
                self.take(count.saturating_mul(blank.len()))?;
                let blanks = blank.repeat(count);
                if name == "PadLeft" {
                    format!("{blanks}{text}")
                } else {
                    format!("{text}{blanks}")
                }
            }
            ("Split", [separator]) => return self.split(text, separator),
            ("ToCharArray", []) => {
                let units = text.encode_utf16().map(Val::Char).collect();
                return self.add_list(ListKind::Array, Ty::of("System.Char"), units);
            }
            _ => return self.call_linq(of, name, &[], args),
        };
        self.text(given)
    }

    /// Methods that count letters; C# counts units of UTF-16.
    fn part_of(&mut self, text: &str, name: &str, args: &[Val]) -> Ran<Option<Val>> {
        if !matches!(name, "Substring" | "Remove" | "Insert") {
            return Ok(None);
        }
        let units: Vec<u16> = text.encode_utf16().collect();
        let start =
            args.first().and_then(Val::as_int).and_then(|start| usize::try_from(start).ok());
        let Some(start) = start.filter(|start| *start <= units.len()) else {
            return self.bad_start();
        };
        let rest = units.len() - start;
        let count = match args.get(1) {
            Some(Val::Int(_, count)) => {
                match usize::try_from(*count).ok().filter(|count| *count <= rest) {
                    Some(count) => count,
                    None => return self.bad_start(),
                }
            }
            _ => rest,
        };
        let end = start + count;
        let given = match (name, args.get(1)) {
            ("Substring", _) => units[start..end].to_vec(),
            ("Remove", _) => [&units[..start], &units[end..]].concat(),
            (_, Some(Val::Text(added))) => {
                let added: Vec<u16> = added.encode_utf16().collect();
                self.take(added.len() * 2)?;
                [&units[..start], &added, &units[start..]].concat()
            }
            _ => return self.null(),
        };
        self.text(String::from_utf16_lossy(&given)).map(Some)
    }

    fn bad_start<T>(&self) -> Ran<T> {
        let message = "Index and length must refer to a location within the string.";
        self.throw("System.ArgumentOutOfRangeException", message)
    }

    fn search(&mut self, text: &str, name: &str, args: &[Val]) -> Option<Val> {
        let wanted = match args.first()? {
            Val::Text(wanted) => wanted.to_string(),
            Val::Char(_) => letter_text(args.first()?),
            _ => return None,
        };
        let place = |at: Option<usize>| {
            Val::int(at.map_or(-1, |at| text[..at].encode_utf16().count() as i64))
        };
        Some(match (name, args) {
            ("Contains", [_]) => Val::Bool(text.contains(&wanted)),
            ("StartsWith", [_]) => Val::Bool(text.starts_with(&wanted)),
            ("EndsWith", [_]) => Val::Bool(text.ends_with(&wanted)),
            ("IndexOf", [_]) => place(text.find(&wanted)),
            ("LastIndexOf", [_]) => place(text.rfind(&wanted)),
            ("IndexOf", [_, Val::Int(_, start)]) => {
                let start = usize::try_from(*start).unwrap_or(0);
                let from = text.char_indices().scan(0, |units, (at, letter)| {
                    let here = *units;
                    *units += letter.len_utf16();
                    Some((here, at))
                });
                let from = from
                    .into_iter()
                    .find(|(units, _)| *units >= start)
                    .map_or(text.len(), |(_, at)| at);
                place(text[from..].find(&wanted).map(|at| at + from))
            }
            _ => return None,
        })
    }

    fn letters(&mut self, list: &Val) -> Ran<Vec<u16>> {
        Ok(self.items(list)?.iter().filter_map(unit_of).collect())
    }

    fn replace(&mut self, text: &str, old: &Val, new: &Val) -> Ran<Val> {
        let (old, new) = match (old, new) {
            (Val::Char(_), Val::Char(_)) => (letter_text(old), letter_text(new)),
            (Val::Text(old), Val::Text(new)) => (old.to_string(), new.to_string()),
            (Val::Text(old), Val::Null) => (old.to_string(), String::new()),
            _ => {
                return self.throw(
                    "System.ArgumentNullException",
                    "Value cannot be null.\nParameter name: oldValue",
                );
            }
        };
        if old.is_empty() {
            return self.throw(
                "System.ArgumentException",
                "String cannot be of zero length.\nParameter name: oldValue",
            );
        }
        let count = text.matches(&old).count();
        self.take(text.len() + count.saturating_mul(new.len()))?;
        let given = text.replace(&old, &new);
        self.text(given)
    }

    fn split(&mut self, text: &str, separator: &Val) -> Ran<Val> {
        let parts: Vec<String> = match separator {
            Val::Text(separator) if !separator.is_empty() => {
                text.split(&**separator).map(str::to_owned).collect()
            }
            Val::Text(_) | Val::Null => vec![text.to_owned()],
            list => {
                let letters = self.letters(list)?;
                text.split(|c| is_trimmed(&letters, c)).map(str::to_owned).collect()
            }
        };
        let parts = parts.into_iter().map(|part| self.text(part)).collect::<Ran<Vec<_>>>()?;
        self.add_list(ListKind::Array, Ty::string(), parts)
    }

    pub(super) fn static_text(&mut self, name: &str, args: &[Val]) -> Ran<Val> {
        let empty = |text: &Val| match text {
            Val::Text(text) => text.is_empty(),
            other => matches!(other, Val::Null),
        };
        match (name, args) {
            ("IsNullOrEmpty", [text]) => Ok(Val::Bool(empty(text))),
            ("IsNullOrWhiteSpace", [text]) => {
                Ok(Val::Bool(text.as_text().is_none_or(|text| text.trim().is_empty())))
            }
            ("Join", [separator, list]) => {
                let separator =
                    separator.as_text().map(|text| text.to_string()).unwrap_or_default();
                let mut text = String::new();
                for (index, item) in self.items(list)?.iter().enumerate() {
                    let part = self.formatted(item, "")?;
                    self.take(part.len() + separator.len())?;
                    if index > 0 {
                        text.push_str(&separator);
                    }
                    text.push_str(&part);
                }
                Ok(Val::text(text))
            }
            ("Concat", [list]) => {
                let mut text = String::new();
                for item in self.items(list)? {
                    let part = self.formatted(&item, "")?;
                    self.take(part.len())?;
                    text.push_str(&part);
                }
                Ok(Val::text(text))
            }
            ("Format", [Val::Text(format), list]) => {
                let args = self.items(list)?;
                let text = self.composed(&format.clone(), &args)?;
                self.text(text)
            }
            ("Format", _) => self.throw(
                "System.ArgumentNullException",
                "Value cannot be null.\nParameter name: format",
            ),
            ("Compare", [a, b]) => {
                let order = match (a, b) {
                    (Val::Text(a), Val::Text(b)) => compare_texts(a, b),
                    _ => self.compare(a, b)?,
                };
                Ok(Val::int(order as i64))
            }
            _ => self.missing("string", name),
        }
    }

    pub(super) fn static_char(&mut self, name: &str, args: &[Val]) -> Ran<Val> {
        let [Val::Char(unit)] = args else { return self.missing("char", name) };
        let letter = char::from_u32(u32::from(*unit)).unwrap_or('\u{fffd}');
        let changed = |given: char| Val::Char(u16::try_from(u32::from(given)).unwrap_or(*unit));
        Ok(match name {
            "IsDigit" => Val::Bool(letter.is_numeric()),
            "IsLetter" => Val::Bool(letter.is_alphabetic()),
            "IsLetterOrDigit" => Val::Bool(letter.is_alphanumeric()),
            "IsWhiteSpace" => Val::Bool(letter.is_whitespace()),
            "IsUpper" => Val::Bool(letter.is_uppercase()),
            "IsLower" => Val::Bool(letter.is_lowercase()),
            "IsPunctuation" => {
                Val::Bool(letter.is_ascii_punctuation() && !"$+<=>^`|~".contains(letter))
            }
            "ToUpper" => changed(letter.to_uppercase().next().unwrap_or(letter)),
            "ToLower" => changed(letter.to_lowercase().next().unwrap_or(letter)),
            _ => return self.missing("char", name),
        })
    }

    pub(super) fn call_builder(&mut self, of: &Val, name: &str, args: &[Val]) -> Ran<Val> {
        let mut added = match args.first() {
            Some(value) => self.formatted(value, "")?,
            None => String::new(),
        };
        if name == "AppendLine" {
            added.push('\n');
        }
        self.take(added.len())?;
        let Val::Ref(index) = of else { return self.null() };
        let Some(Thing::Builder(text)) = self.heap.get_mut(*index) else { return self.null() };
        match name {
            "Clear" => text.clear(),
            _ => text.push_str(&added),
        }
        Ok(of.clone())
    }
}

fn unit_of(value: &Val) -> Option<u16> {
    match value {
        Val::Char(unit) => Some(*unit),
        _ => None,
    }
}

fn letter_text(value: &Val) -> String {
    unit_of(value).map(|unit| String::from_utf16_lossy(&[unit])).unwrap_or_default()
}

/// Whether a letter is one of these; of none, whether it is blank.
fn is_trimmed(letters: &[u16], letter: char) -> bool {
    match letters.is_empty() {
        true => letter.is_whitespace(),
        false => u16::try_from(u32::from(letter)).is_ok_and(|unit| letters.contains(&unit)),
    }
}
