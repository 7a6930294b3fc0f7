//! What the properties of different pipelines mean, so that values find their new names.

use std::collections::BTreeMap;

use scenewright_unity::edit::material::{Setting, keywords as keywords_of, property};
use scenewright_unity::shader::KNOWN;
use scenewright_unity::{Object, Value};

use crate::base::materials::Chosen;

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

/// How a surface is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Surface {
    Opaque,
    /// Parts of it are not there.
    Cutout,
    /// It fades as a whole.
    Fade,
    /// Its reflections do not fade.
    Transparent,
}

impl Surface {
    /// As the properties of any pipeline say.
    pub(super) fn of(object: Object<'_>) -> Surface {
        let number = |name: &str| property(object, name).and_then(|own| own.value.as_f64());
        let is_on = |name: &str| number(name).is_some_and(|value| value >= 0.5);
        let shader = object.get("m_Shader").and_then(Value::as_reference);
        let shader = shader.and_then(scenewright_unity::shader::known_by_reference);
        // Values of an earlier shader stay behind, so only those of the own one count.
        let has = |name: &str| match shader {
            Some(known) => known.shader().property(name).is_some(),
            None => property(object, name).is_some(),
        };
        if has("_Mode") {
            return match number("_Mode") {
                Some(1.0) => Surface::Cutout,
                Some(2.0) => Surface::Fade,
                Some(3.0) => Surface::Transparent,
                _ => Surface::Opaque,
            };
        }
        let transparent = (has("_Surface") && is_on("_Surface"))
            || (has("_SurfaceType") && is_on("_SurfaceType"));
        let cutout = (has("_AlphaClip") && is_on("_AlphaClip"))
            || (has("_AlphaCutoffEnable") && is_on("_AlphaCutoffEnable"));
        match (transparent, cutout) {
            (true, _) if is_on("_Blend") => Surface::Transparent,
            (true, _) => Surface::Fade,
            (false, true) => Surface::Cutout,
            (false, false) => Surface::Opaque,
        }
    }

    /// The word for it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Surface::Opaque => "opaque",
            Surface::Cutout => "cutout",
            Surface::Fade | Surface::Transparent => "transparent",
        }
    }

    /// When it is drawn.
    pub(super) fn queue(self) -> i64 {
        match self {
            Surface::Opaque => -1,
            Surface::Cutout => 2450,
            Surface::Fade | Surface::Transparent => 3000,
        }
    }

    fn is_transparent(self) -> bool {
        matches!(self, Surface::Fade | Surface::Transparent)
    }

    /// Adds what a shader needs to draw it so.
    pub(super) fn set(self, target: &Chosen, settings: &mut BTreeMap<String, Setting>) {
        let is = |yes: bool| f32::from(u8::from(yes));
        let mode = match self {
            Surface::Opaque => 0.0,
            Surface::Cutout => 1.0,
            Surface::Fade => 2.0,
            Surface::Transparent => 3.0,
        };
        // Numbers of UnityEngine.Rendering.BlendMode: One 1, SrcAlpha 5, OneMinusSrcAlpha 10.
        let from = if self == Surface::Fade { 5.0 } else { 1.0 };
        let to = if self.is_transparent() { 10.0 } else { 0.0 };
        let values = [
            ("_Mode", mode),
            ("_Surface", is(self.is_transparent())),
            ("_SurfaceType", is(self.is_transparent())),
            ("_Blend", is(self == Surface::Transparent)),
            ("_AlphaClip", is(self == Surface::Cutout)),
            ("_AlphaCutoffEnable", is(self == Surface::Cutout)),
            ("_SrcBlend", from),
            ("_DstBlend", to),
            ("_ZWrite", is(!self.is_transparent())),
        ];
        for (name, value) in values {
            if target.shader.property(name).is_some() {
                settings.insert(name.to_owned(), Setting::Float(value));
            }
        }
    }
}

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
