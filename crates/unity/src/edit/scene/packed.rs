//! Lists of whole numbers, which files have as one text of hexadecimal digits.

use super::encode::field_of;
use super::{Editor, Refusal};
use crate::edit::New;
use crate::edit::address::Part;
use crate::edit::kind::Kind;
use crate::hierarchy::{Data, Stated};

impl Editor<'_> {
    /// Put a value of a known kind at a path, in the form that files have for it. True when that
    /// changed anything.
    pub(super) fn put_kind(
        &mut self,
        at: Stated,
        parts: &[Part],
        kind: &Kind,
        new: &New,
    ) -> Result<bool, Refusal> {
        // Overrides name each number of a list.
        if let Stated::Override { .. } = at {
            return self.put(at, parts, new);
        }
        if let (Some(Part::Item(item)), Some(size)) = (parts.last(), kind.packed()) {
            let list = &parts[..parts.len() - 1];
            if let Some(Data::Text(text)) = self.data(at, list) {
                return self.put_packed_item(at, list, (&text, size), (*item, new));
            }
        }
        let now = self.data(at, parts);
        self.put(at, parts, &pack(kind, now.as_ref(), new))
    }

    fn put_packed_item(
        &mut self,
        at: Stated,
        list: &[Part],
        (text, size): (&str, usize),
        (item, new): (usize, &New),
    ) -> Result<bool, Refusal> {
        let count = text.len() / (size * 2);
        if item >= count {
            let why = format!("the list has {count} items, and {item} is none of them");
            return Err(Refusal::new(why));
        }
        let mut text = text.to_owned();
        text.replace_range(item * size * 2..(item + 1) * size * 2, &digits(new, size));
        self.put(at, list, &New::Text(text))
    }
}

/// A value with every list of whole numbers in it as one text; a list that the file has on lines
/// of its own stays one.
pub(super) fn pack(kind: &Kind, now: Option<&Data>, new: &New) -> New {
    match (kind, new) {
        (Kind::List(item), New::List(items)) => match (item.packed(), now) {
            (Some(size), None | Some(Data::Text(_))) => {
                New::Text(items.iter().map(|item| digits(item, size)).collect())
            }
            _ => {
                let now = |at: usize| match now {
                    Some(Data::List(items)) => items.get(at).map(|item| &item.data),
                    _ => None,
                };
                let items = items.iter().enumerate();
                New::List(items.map(|(at, new)| pack(item, now(at), new)).collect())
            }
        },
        (Kind::Fields(_) | Kind::Native(_), New::Map(fields)) => {
            let packed = fields.iter().map(|(key, new)| {
                let inner = kind.field(key).unwrap_or_default();
                (key.clone(), pack(&inner, field_of(now, key), new))
            });
            New::Map(packed.collect())
        }
        _ => new.clone(),
    }
}

/// The items of a list, also where they are one text.
pub(super) fn items(kind: &Kind, data: Option<&Data>) -> Vec<Data> {
    match (data, kind.item()) {
        (Some(Data::List(items)), _) => items.iter().map(|item| item.data.clone()).collect(),
        (Some(Data::Text(text)), Some(item)) => match item.packed() {
            Some(size) => unpack(text, size, item.is_signed()),
            None => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Whether a list stands in the file as one text.
pub(super) fn is_packed(kind: &Kind, data: Option<&Data>) -> bool {
    let has_lines = matches!(data, Some(Data::List(_)));
    !has_lines && kind.item().is_some_and(|item| item.packed().is_some())
}

/// A number, lowest byte first.
fn digits(new: &New, size: usize) -> String {
    let number = match new {
        New::Number(text) | New::Text(text) => text.parse::<i128>().unwrap_or_default(),
        _ => 0,
    };
    number.to_le_bytes()[..size].iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unpack(text: &str, size: usize, is_signed: bool) -> Vec<Data> {
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).unwrap_or("0"), 16);
    let number = |part: &[u8]| {
        let bytes = part.chunks(2).map(|pair| byte(pair).unwrap_or_default());
        let plain = bytes.rev().fold(0_i128, |all, byte| all << 8 | i128::from(byte));
        let half = 1_i128 << (size * 8 - 1);
        if is_signed && plain >= half { plain - 2 * half } else { plain }
    };
    let whole = text.as_bytes().chunks_exact(size * 2);
    whole.map(|part| Data::Text(number(part).to_string())).collect()
}
