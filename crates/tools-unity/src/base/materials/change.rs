//! A material with new values, and what follows from them: keywords, flags and the way it is drawn.

use std::collections::BTreeMap;

use scenewright_contract::ToolError;
use scenewright_text::Edits;
use scenewright_unity::edit::material::{Setting, property, set_keywords, set_properties};
use scenewright_unity::edit::{Item, Manner, New, Refused, set, set_entries, set_list};
use scenewright_unity::shader::KnownShader;
use scenewright_unity::{Document, Object, Value};

use super::surface::{Drawn, drawn};
use super::{Chosen, Values, refused};

/// Emission is off: nothing of it is baked either.
const EMISSION_IS_BLACK: i64 = 4;
/// Emission is baked, which is what turning it on in the inspector does.
const EMISSION_IS_BAKED: i64 = 2;
/// Tags that replace those of the shader.
const TAGS: &str = "stringTagMap";
/// The passes of the shader that are not drawn.
const PASSES: &str = "disabledShaderPasses";
/// Which settings of a variant are its own, one bit for each.
const MODIFIED: &str = "m_ModifiedSerializedProperties";

/// The properties whose keywords are set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Those that are given.
    Given,
    /// All of a shader that is new to the material.
    Shader,
}

/// A material with the values of a call, and with what its shader's editor sets beside them.
pub fn change(
    document: &Document,
    object: Object<'_>,
    chosen: Option<&Chosen>,
    settings: &BTreeMap<String, Setting>,
    values: &Values,
    scope: Scope,
    edits: &mut Edits,
) -> Result<(), ToolError> {
    let manner = Manner::of(document);
    let drawn = drawn(object, chosen, settings);
    let beside = drawn.iter().flat_map(|drawn| &drawn.values);
    let beside = beside.map(|(name, value)| (*name, Setting::Float(*value)));
    let list: Vec<(&str, Setting)> =
        settings.iter().map(|(name, setting)| (name.as_str(), *setting)).chain(beside).collect();
    set_properties(object, &list, &manner, edits).map_err(refused)?;
    let known = chosen.and_then(|chosen| chosen.known);
    let own = known.map(|known| own_keywords(object, known, settings)).unwrap_or_default();
    let (switched_on, switched_off) = switched(object, chosen, settings, scope);
    let drawn_words = |which: fn(&Drawn) -> &[&'static str]| drawn.iter().flat_map(which).copied();
    // What is asked for counts more than what follows from it.
    let is_asked = |word: &&str| {
        values.enable_keywords.iter().chain(&values.disable_keywords).any(|asked| asked == word)
    };
    let on = own.on.iter().copied().chain(switched_on).chain(drawn_words(|drawn| &drawn.on));
    let off = own.off.iter().copied().chain(switched_off).chain(drawn_words(|drawn| &drawn.off));
    let mut turned_on: Vec<&str> = values.enable_keywords.iter().map(String::as_str).collect();
    turned_on.extend(on.filter(|word| !is_asked(word)));
    let mut turned_off: Vec<&str> = values.disable_keywords.iter().map(String::as_str).collect();
    turned_off.extend(off.filter(|word| !is_asked(word) && !turned_on.contains(word)));
    if !turned_on.is_empty() || !turned_off.is_empty() {
        set_keywords(object, &turned_on, &turned_off, &manner, edits).map_err(refused)?;
    }
    if let Some(drawn) = &drawn {
        let tag = vec![("RenderType".to_owned(), drawn.tag.map(|tag| New::Text(tag.to_owned())))];
        if object.get(TAGS).is_some() {
            set_entries(object, TAGS, &tag, &manner, edits).map_err(refused)?;
        }
        leave_out(object, &drawn.passes, &manner, edits)?;
    }
    let queue = values.render_queue.map(i64::from).or(drawn.map(|drawn| drawn.queue));
    set_flags(object, own.flags, queue, values, &manner, edits)
}

/// Leave passes of the shader out, or draw them again.
fn leave_out(
    object: Object<'_>,
    passes: &[(&'static str, bool)],
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), ToolError> {
    // What a variant has of its own there no file tells.
    let Some(list) = object.get(PASSES).filter(|_| !is_variant(object)) else { return Ok(()) };
    let is = |item: Value<'_>, name: &str| item.text().eq_ignore_ascii_case(name);
    let new =
        passes.iter().filter(|(name, is_out)| *is_out && !list.items().any(|item| is(item, name)));
    let new = new.map(|(name, _)| Item::New(New::Text((*name).to_owned())));
    let stays = |item: Value<'_>| !passes.iter().any(|(name, is_out)| !is_out && is(item, name));
    let old = list.items().enumerate().filter(|(_, item)| stays(*item));
    let items: Vec<Item> = new.chain(old.map(|(at, _)| Item::Old(at))).collect();
    set_list(object, PASSES, &items, manner, edits).map_err(refused)
}

/// The settings beside the properties. A variant says in a mask which of them are its own.
fn set_flags(
    object: Object<'_>,
    lightmap: Option<i64>,
    queue: Option<i64>,
    values: &Values,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), ToolError> {
    let flag = |value: bool| i64::from(value);
    let mut mask = object.get(MODIFIED).and_then(Value::as_i64).unwrap_or_default();
    for (bit, field, value) in [
        (2, "m_LightmapFlags", lightmap),
        (4, "m_EnableInstancingVariants", values.enable_instancing.map(flag)),
        (8, "m_DoubleSidedGI", values.double_sided_gi.map(flag)),
        (16, "m_CustomRenderQueue", queue),
    ] {
        let Some(value) = value else { continue };
        if object.get(field).is_none() {
            return Err(refused(Refused::NoPlace(field.into())));
        }
        set(object, field, &New::int(value), manner, edits).map_err(refused)?;
        mask |= bit;
    }
    if is_variant(object) && object.get(MODIFIED).is_some() {
        set(object, MODIFIED, &New::int(mask), manner, edits).map_err(refused)?;
    }
    Ok(())
}

/// Whether a material follows another one.
pub fn is_variant(object: Object<'_>) -> bool {
    let parent = object.get("m_Parent").and_then(Value::as_reference);
    parent.is_some_and(|parent| !parent.file_id.is_null())
}

/// The keywords that numbers turn on and off by the attributes of their shader.
fn switched<'s>(
    object: Object<'_>,
    chosen: Option<&'s Chosen>,
    settings: &BTreeMap<String, Setting>,
    scope: Scope,
) -> (Vec<&'s str>, Vec<&'s str>) {
    let (mut on, mut off) = (Vec::new(), Vec::new());
    for declared in chosen.into_iter().flat_map(|chosen| &chosen.shader.properties) {
        let given = settings.get(&declared.name);
        let Some(switch) = declared.switch.as_ref() else { continue };
        if given.is_none() && scope == Scope::Given {
            continue;
        }
        let own = || property(object, &declared.name)?.setting()?.number();
        let value = given.and_then(Setting::number).or_else(own).or(declared.default.number());
        for (word, is_on) in switch.keywords(value.unwrap_or_default()) {
            if is_on { on.push(word) } else { off.push(word) }
        }
    }
    off.retain(|word| !on.contains(word));
    (on, off)
}

/// Keywords and flags that follow from textures and colours.
#[derive(Default)]
struct Own {
    on: Vec<&'static str>,
    off: Vec<&'static str>,
    flags: Option<i64>,
}

fn own_keywords(
    object: Object<'_>,
    known: &KnownShader,
    settings: &BTreeMap<String, Setting>,
) -> Own {
    let mut own = Own::default();
    let has_texture = |name: &str| match settings.get(name) {
        Some(Setting::Texture { texture: Some(texture), .. }) => !texture.file_id.is_null(),
        _ => property(object, name)
            .and_then(|property| property.value.get("m_Texture"))
            .and_then(Value::as_reference)
            .is_some_and(|texture| !texture.file_id.is_null()),
    };
    for (texture, keyword) in known.keywords {
        if !matches!(settings.get(*texture), Some(Setting::Texture { texture: Some(_), .. })) {
            continue;
        }
        let mut of_keyword = known.keywords.iter().filter(|(_, other)| other == keyword);
        match of_keyword.any(|(texture, _)| has_texture(texture)) {
            true => own.on.push(keyword),
            false => own.off.push(keyword),
        }
    }
    let Some(Setting::Color(parts)) = known.emission.and_then(|name| settings.get(name)) else {
        return own;
    };
    let is_black = parts[..3].iter().all(|part| part.is_none_or(|part| part <= 0.0));
    let flags = object.get("m_LightmapFlags").and_then(Value::as_i64).unwrap_or(EMISSION_IS_BLACK);
    match is_black {
        true => own.off.push("_EMISSION"),
        false => own.on.push("_EMISSION"),
    }
    own.flags = Some(match (is_black, flags) {
        (true, flags) => flags | EMISSION_IS_BLACK,
        (false, EMISSION_IS_BLACK) => EMISSION_IS_BAKED,
        (false, flags) => flags & !EMISSION_IS_BLACK,
    });
    own
}
