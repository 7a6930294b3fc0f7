//! What the properties of different pipelines mean, so that values find their new names.

use std::collections::BTreeMap;

use scenewright_unity::edit::material::{Setting, keywords as keywords_of, property};
use scenewright_unity::shader::KNOWN;
use scenewright_unity::{Object, Value};

use crate::base::materials::{Chosen, Surface};

/// Names for one thing. Shaders that have several mean the first: the others are there for old
/// scripts.
const ROLES: &[&[&str]] = &[
    &["_BaseColorMap", "_UnlitColorMap", "_BaseMap", "_MainTex"],
    &["_UnlitColor", "_BaseColor", "_Color", "_TintColor"],
    &["_Smoothness", "_Glossiness"],
    &["_NormalMap", "_BumpMap"],
    &["_NormalScale", "_BumpScale"],
    &["_EmissiveColorMap", "_EmissionMap"],
    &["_EmissiveColor", "_EmissionColor"],
    &["_AlphaCutoff", "_Cutoff"],
    &["_EnvironmentReflections", "_GlossyReflections"],
];

/// 0 where a colour says what shines, 1 where metal does.
const WORKFLOW: &str = "_WorkflowMode";

/// Keywords that say how a surface is drawn.
const SURFACE_KEYWORDS: [&str; 5] = [
    "_ALPHATEST_ON",
    "_ALPHABLEND_ON",
    "_ALPHAPREMULTIPLY_ON",
    "_SURFACE_TYPE_TRANSPARENT",
    "_SPECULAR_SETUP",
];

/// Whether a shader has other properties than the one before for how a surface is drawn.
pub(super) fn needs_surface(source: Option<&Chosen>, target: &Chosen) -> bool {
    let marker = |chosen: &Chosen| {
        let has = |name: &&str| chosen.shader.property(name).is_some();
        ["_Mode", "_Surface", "_SurfaceType"].into_iter().find(has)
    };
    marker(target).is_some_and(|wanted| source.and_then(marker) != Some(wanted))
}

/// Values for the properties of another shader: those that have another name there, which are also
/// told, and its defaults for what the material does not have.
pub(super) fn moved(
    object: Object<'_>,
    source: Option<&Chosen>,
    target: &Chosen,
) -> (Vec<String>, BTreeMap<String, Setting>) {
    let mut settings = BTreeMap::new();
    for declared in &target.shader.properties {
        let own = property(object, &declared.name);
        if own.is_none_or(|own| own.kind != declared.kind) {
            settings.insert(declared.name.clone(), declared.default);
        }
    }
    let mut told = Vec::new();
    for names in ROLES {
        let has = |name: &&&str| match source {
            Some(source) => source.shader.property(name).is_some(),
            None => property(object, name).is_some(),
        };
        let Some(from) = names.iter().find(has) else { continue };
        let is_declared = |name: &&&str| target.shader.property(name).is_some();
        let Some(to) = names.iter().find(is_declared).filter(|to| *to != from) else { continue };
        let value = property(object, from).and_then(|own| own.setting());
        let kind = target.shader.property(to).map(|declared| declared.kind);
        if let Some(value) = value.filter(|value| Some(value.kind()) == kind) {
            settings.insert((*to).to_owned(), value);
            told.push(format!("{from} -> {to}"));
        }
    }
    let is_specular = source.is_some_and(|source| source.name == "Standard (Specular setup)");
    if is_specular && target.shader.property(WORKFLOW).is_some() {
        settings.insert(WORKFLOW.to_owned(), Setting::Float(0.0));
    }
    told.sort();
    (told, settings)
}

/// The keywords to turn on and off for a material that has its new values already.
pub(super) fn keywords(
    object: Object<'_>,
    target: &Chosen,
    surface: Surface,
) -> (Vec<&'static str>, Vec<&'static str>) {
    let has_texture = |name: &str| {
        let texture = property(object, name).and_then(|own| own.value.get("m_Texture"));
        texture.and_then(Value::as_reference).is_some_and(|texture| !texture.file_id.is_null())
    };
    let own = target.known.map(|known| known.keywords).unwrap_or_default();
    let mut on: Vec<&'static str> = own
        .iter()
        .filter(|(texture, _)| has_texture(texture))
        .map(|(_, keyword)| *keyword)
        .collect();
    let has = |name: &str| target.shader.property(name).is_some();
    match surface {
        Surface::Cutout => on.push("_ALPHATEST_ON"),
        Surface::Fade if has("_Mode") => on.push("_ALPHABLEND_ON"),
        Surface::Transparent if has("_Mode") => on.push("_ALPHAPREMULTIPLY_ON"),
        Surface::Fade | Surface::Transparent => on.push("_SURFACE_TYPE_TRANSPARENT"),
        Surface::Opaque => {}
    }
    if surface == Surface::Transparent && has("_Surface") {
        on.push("_ALPHAPREMULTIPLY_ON");
    }
    let workflow = property(object, WORKFLOW).and_then(|own| own.value.as_f64());
    if has(WORKFLOW) && workflow == Some(0.0) {
        on.push("_SPECULAR_SETUP");
    }
    // An emission that was off stays off, whatever its colour.
    let emits = keywords_of(object).iter().any(|word| word == "_EMISSION");
    if emits && target.known.is_some_and(|known| known.emission.is_some()) {
        on.push("_EMISSION");
    }
    let known = KNOWN.iter().flat_map(|known| known.keywords).map(|(_, keyword)| *keyword);
    let off = known.chain(SURFACE_KEYWORDS).chain(["_EMISSION"]).filter(|word| !on.contains(word));
    let off = off.collect();
    (on, off)
}
