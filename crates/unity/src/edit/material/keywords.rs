//! The shader keywords of a material: two lists since Unity 2021.2, one text before.

use scenewright_text::Edits;

use crate::edit::{Item, Manner, New, Refused, set, set_list};
use crate::{Object, Value};

const VALID: &str = "m_ValidKeywords";
const INVALID: &str = "m_InvalidKeywords";
const TEXT: &str = "m_ShaderKeywords";

/// The keywords that are on, those that the shader does not know included.
pub fn keywords(object: Object<'_>) -> Vec<String> {
    let listed = [VALID, INVALID].into_iter().filter_map(|list| object.get(list));
    let listed = listed.flat_map(|list| list.items()).map(|item| item.text().into_owned());
    let text = object.get(TEXT).map(|text| text.text().into_owned()).unwrap_or_default();
    listed.chain(text.split_ascii_whitespace().map(str::to_owned)).collect()
}

/// Turn keywords on and off. One that is on already stays where it is.
pub fn set_keywords(
    object: Object<'_>,
    on: &[&str],
    off: &[&str],
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let known = keywords(object);
    let new = on.iter().copied().filter(|word| !off.contains(word));
    let mut new: Vec<&str> = new.filter(|word| !known.iter().any(|known| known == word)).collect();
    new.sort_unstable();
    new.dedup();
    if object.get(VALID).is_none() {
        let old = object.get(TEXT).ok_or_else(|| Refused::NoPlace(TEXT.into()))?;
        let old = old.text().into_owned();
        let words = old.split_ascii_whitespace().filter(|word| !off.contains(word));
        let words: Vec<&str> = merged(words, &new).into_iter().map(|(word, _)| word).collect();
        let text = words.join(" ");
        return set(object, TEXT, &New::Text(text), manner, edits);
    }
    for (list, new) in [(VALID, new.as_slice()), (INVALID, &[])] {
        let Some(value) = object.get(list) else { continue };
        let old: Vec<String> = texts(value);
        let kept = old.iter().map(String::as_str).enumerate();
        let kept = kept.filter(|(_, word)| !off.contains(word));
        let places: Vec<usize> = kept.clone().map(|(at, _)| at).collect();
        let items: Vec<Item> = merged(kept.map(|(_, word)| word), new)
            .into_iter()
            .map(|(word, old)| match old.and_then(|at| places.get(at)) {
                Some(at) => Item::Old(*at),
                None => Item::New(New::Text(word.to_owned())),
            })
            .collect();
        set_list(object, list, &items, manner, edits)?;
    }
    Ok(())
}

fn texts(list: Value<'_>) -> Vec<String> {
    list.items().map(|item| item.text().into_owned()).collect()
}

/// Old words in their order, each with its place, and new ones before the first that is greater.
fn merged<'a>(
    old: impl Iterator<Item = &'a str>,
    new: &[&'a str],
) -> Vec<(&'a str, Option<usize>)> {
    let mut words: Vec<(&str, Option<usize>)> =
        old.enumerate().map(|(at, word)| (word, Some(at))).collect();
    for word in new {
        let at = words.iter().position(|(known, _)| known > word).unwrap_or(words.len());
        words.insert(at, (word, None));
    }
    words
}
