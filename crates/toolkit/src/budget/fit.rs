//! An answer, or the part of it that its budget has room for.

use scenewright_contract::call::{Budget, Reads};
use scenewright_contract::{Output, ToolError};
use serde_json::{Map, Value, json};

use super::page::{self, count};
use super::{Cursor, Part, first, go_on, narrowing, tree};

/// Room for what says that an answer was cut.
const FOOT: usize = 320;
/// Larger outputs are not taken apart; a tool's own limits narrow them.
const MAX_TEXT: usize = 32 << 20;
/// Tries to fill a budget. Each halves what is left to win.
const TRIES: usize = 7;
/// The members of an output that say where it goes on.
const NEXT: &str = "nextCursor";

/// How an answer is wanted.
pub(crate) struct Form<'a> {
    pub(crate) budget: &'a Budget,
    pub(crate) reads: Reads,
    /// The text of an output.
    pub(crate) text: &'a dyn Fn(&Value) -> String,
    /// The cursor that the tool itself was given.
    pub(crate) own: Option<&'a Value>,
}

/// A part of an answer, and what is not in it.
struct Shown {
    value: Value,
    next: Option<Cursor>,
    /// How many of each list are on no page up to this one.
    left: Value,
}

/// The answer, or its part that has room. `arguments` are those of the tool.
pub(crate) fn fit(
    output: Output,
    form: &Form<'_>,
    remarks: &mut Vec<String>,
    arguments: impl Iterator<Item = String>,
) -> Result<(Output, Option<String>), ToolError> {
    shorten(remarks);
    if output.is_text() && output.text_len() > MAX_TEXT {
        let size = output.text_len() >> 20;
        return Err(ToolError::failed(format!("the answer would have {size} MB"))
            .hint(narrow(&narrowing(arguments)).unwrap_or_else(|| "ask for less".to_owned())));
    }
    let cursor = form.budget.cursor.as_deref().map(Cursor::read).transpose()?;
    let said: usize = remarks.iter().map(|remark| remark.len() + 8).sum();
    let room = form.budget.bytes.saturating_sub(said + FOOT).max(form.budget.bytes / 2);
    let (mut shown, text, whole) = match form.reads {
        Reads::Text | Reads::Both => as_text(output, cursor.as_ref(), room, form.text)?,
        Reads::Data => as_data(output, cursor.as_ref(), room)?,
    };
    let narrowing = narrowing(arguments);
    if let Some(next) = &mut shown.next {
        next.own = form.own.cloned();
    } else if cursor.is_some()
        && let (Value::Object(members), Some(own)) = (&mut shown.value, whole.get(NEXT))
    {
        // The page of the tool itself ends here, and its next one begins behind it.
        members.insert(NEXT.to_owned(), own.clone());
    }
    let text = text.map(|text| finish(text, &shown, &whole, remarks, &narrowing));
    Ok((mark(shown, &narrowing).into(), text))
}

type Fitted = (Shown, Option<String>, Value);

/// A part whose JSON has room.
fn as_data(output: Output, cursor: Option<&Cursor>, room: usize) -> Result<Fitted, ToolError> {
    let is_small = match output.is_text() {
        true => output.text_len() <= room,
        false => page::len_to(&output, room) <= room,
    };
    let whole = output.into_value();
    if is_small && cursor.is_none() {
        return Ok((Shown { value: whole.clone(), next: None, left: Value::Null }, None, whole));
    }
    let shown = part(&whole, cursor, room)?;
    Ok((shown, None, whole))
}

/// A part whose text has room. How much shorter a text is than its JSON depends on the output, so that the size
/// of the part is found by trying.
fn as_text(
    output: Output,
    cursor: Option<&Cursor>,
    room: usize,
    text: &dyn Fn(&Value) -> String,
) -> Result<Fitted, ToolError> {
    let whole = output.into_value();
    // Texts are rarely less than a twelfth of their JSON.
    if cursor.is_none() && page::len_to(&whole, 12 * room) <= 12 * room {
        let all = text(&without_next(&whole));
        if all.len() <= room {
            let shown = Shown { value: whole.clone(), next: None, left: Value::Null };
            return Ok((shown, Some(all), whole));
        }
    }
    let (mut best, mut size): (Option<(Shown, String)>, usize) = (None, 3 * room);
    let (mut fits, mut exceeds) = (0, usize::MAX);
    for _ in 0..TRIES {
        let shown = part(&whole, cursor, size)?;
        let said = text(&without_next(&shown.value));
        let length = said.len().max(1);
        let is_last = shown.next.is_none();
        if length <= room {
            fits = size;
            let is_full = is_last || length * 8 >= room * 7;
            best = Some((shown, said));
            if is_full {
                break;
            }
        } else {
            exceeds = size;
        }
        // By the last ratio, and always between what fits and what does not.
        let guess = (size.saturating_mul(room) / length).saturating_mul(15) / 16;
        let (least, most) = (fits + fits / 16 + 1, exceeds - exceeds / 16);
        size = guess.clamp(least.min(most), most).min(size.saturating_mul(6));
        if size <= fits {
            break;
        }
    }
    let (shown, said) = match best {
        Some(best) => best,
        None => smallest(&whole, cursor, room, text)?,
    };
    Ok((shown, Some(said), whole))
}

/// The first part that has room, however little is in it.
fn smallest(
    whole: &Value,
    cursor: Option<&Cursor>,
    room: usize,
    text: &dyn Fn(&Value) -> String,
) -> Result<(Shown, String), ToolError> {
    let mut size = room / 2;
    loop {
        let shown = part(whole, cursor, size)?;
        let said = text(&without_next(&shown.value));
        if said.len() <= room || size < 64 {
            return Ok((shown, said));
        }
        size /= 2;
    }
}

fn part(whole: &Value, cursor: Option<&Cursor>, room: usize) -> Result<Shown, ToolError> {
    let (value, next, left): Part = match cursor {
        None => first(whole, room),
        Some(cursor) => go_on(whole, cursor, room)?,
    };
    Ok(Shown { value, next, left })
}

/// The data of a part, which says itself that it is one.
fn mark(shown: Shown, narrowing: &[&str]) -> Value {
    let Shown { mut value, next, left } = shown;
    let (Value::Object(members), Some(next)) = (&mut value, next) else { return value };
    members.insert("truncated".to_owned(), json!(true));
    members.insert("notShown".to_owned(), left);
    members.insert(NEXT.to_owned(), json!(next.write()));
    let more =
        "go on with cursor = nextCursor and the same arguments, or allow more with maxTokens";
    let hint =
        narrow(narrowing).map_or_else(|| more.to_owned(), |narrow| format!("{narrow}; {more}"));
    members.insert("hint".to_owned(), json!(hint));
    value
}

/// The text with remarks and, at its very end, where it goes on: clients that cut an answer cut its middle.
fn finish(
    mut text: String,
    shown: &Shown,
    whole: &Value,
    remarks: &[String],
    narrowing: &[&str],
) -> String {
    for remark in remarks {
        text.push_str("\nnote: ");
        text.push_str(&remark.replace('\n', "\n  "));
    }
    let (cursor, is_cut) = match (&shown.next, shown.value.get(NEXT)) {
        (Some(next), _) => (next.write(), true),
        (None, Some(own)) if !own.is_null() => {
            (own.to_string().trim_matches('"').to_owned(), false)
        }
        _ => return text,
    };
    let counts = counts(whole, &shown.left);
    text.push_str("\n[");
    if is_cut {
        text.push_str(&if counts.is_empty() {
            "cut. ".to_owned()
        } else {
            format!("shown up to here: {counts}. ")
        });
    }
    text.push_str(&format!("Next page: the same call with cursor \"{cursor}\""));
    if let Some(narrow) = narrow(narrowing).filter(|_| is_cut) {
        text.push_str(&format!("; or {narrow}"));
    }
    text.push(']');
    text
}

/// `findings 40 of 200`, for each list that goes on.
fn counts(whole: &Value, left: &Value) -> String {
    let Value::Object(left) = left else {
        let all = count(whole);
        let left = left.as_u64().unwrap_or_default() as usize;
        return if left == 0 {
            String::new()
        } else {
            format!("{} of {all}", all.saturating_sub(left))
        };
    };
    let counts = left.iter().filter_map(|(name, left)| {
        let left = left.as_u64()? as usize;
        let all = match name.as_str() {
            tree::OBJECTS => tree::total(whole),
            name => count(&whole[name]),
        };
        Some(format!("{name} {} of {all}", all.saturating_sub(left)))
    });
    counts.collect::<Vec<_>>().join(", ")
}

fn narrow(narrowing: &[&str]) -> Option<String> {
    (!narrowing.is_empty()).then(|| format!("narrow with {}", narrowing.join(", ")))
}

/// A value without the cursor of its tool, which the end of the text has.
fn without_next(value: &Value) -> std::borrow::Cow<'_, Value> {
    match value.as_object() {
        Some(members) if members.contains_key(NEXT) => {
            let rest = members.iter().filter(|(key, _)| *key != NEXT);
            let rest: Map<String, Value> =
                rest.map(|(key, value)| (key.clone(), value.clone())).collect();
            std::borrow::Cow::Owned(rest.into())
        }
        _ => std::borrow::Cow::Borrowed(value),
    }
}

/// Keep remarks short. A tool with hundreds of them has one for each of many files.
fn shorten(remarks: &mut Vec<String>) {
    const MOST: usize = 10;
    const LONGEST: usize = 400;
    if remarks.len() > MOST {
        let more = remarks.len() - MOST;
        remarks.truncate(MOST);
        remarks.push(format!("and {more} more remarks"));
    }
    for remark in remarks.iter_mut().filter(|remark| remark.len() > LONGEST) {
        remark.truncate(remark.floor_char_boundary(LONGEST));
        remark.push('…');
    }
}
