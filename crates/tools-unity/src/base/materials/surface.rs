//! How a surface is drawn, and what the editors of shaders set beside the one property that says it.

use std::collections::BTreeMap;

use scenewright_unity::edit::material::{Setting, property};
use scenewright_unity::shader::KnownShader;
use scenewright_unity::{Object, Value};

use super::Chosen;

/// Properties that say how a surface is drawn.
const MARKERS: [&str; 6] =
    ["_Mode", "_Surface", "_AlphaClip", "_Blend", "_SurfaceType", "_AlphaCutoffEnable"];

/// How a surface is drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// It hides what is behind it.
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
    pub fn of(object: Object<'_>) -> Surface {
        let number = |name: &str| property(object, name).and_then(|own| own.value.as_f64());
        let shader = object.get("m_Shader").and_then(Value::as_reference);
        let shader = shader.and_then(scenewright_unity::shader::known_by_reference);
        // Values of an earlier shader stay behind, so only those of the own one count.
        let has = |name: &str| match shader {
            Some(known) => known.shader().property(name).is_some(),
            None => property(object, name).is_some(),
        };
        Surface::read(has, number)
    }

    /// As numbers of properties say, of those that a shader has.
    fn read(has: impl Fn(&str) -> bool, number: impl Fn(&str) -> Option<f64>) -> Surface {
        let is_on = |name: &str| number(name).is_some_and(|value| value >= 0.5);
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
    pub fn name(self) -> &'static str {
        match self {
            Surface::Opaque => "opaque",
            Surface::Cutout => "cutout",
            Surface::Fade | Surface::Transparent => "transparent",
        }
    }

    /// When it is drawn.
    pub fn queue(self) -> i64 {
        match self {
            Surface::Opaque => -1,
            Surface::Cutout => 2450,
            Surface::Fade | Surface::Transparent => 3000,
        }
    }

    fn is_transparent(self) -> bool {
        matches!(self, Surface::Fade | Surface::Transparent)
    }

    /// The pixels behind it and what is behind it in depth, in properties that all shaders call alike.
    fn blend(self) -> [(&'static str, f32); 3] {
        // Numbers of UnityEngine.Rendering.BlendMode: One 1, SrcAlpha 5, OneMinusSrcAlpha 10.
        let from = if self == Surface::Fade { 5.0 } else { 1.0 };
        let to = if self.is_transparent() { 10.0 } else { 0.0 };
        let depth = f32::from(u8::from(!self.is_transparent()));
        [("_SrcBlend", from), ("_DstBlend", to), ("_ZWrite", depth)]
    }

    /// What shaders that replace others go by; none for what is drawn as its shader says.
    fn tag(self) -> Option<&'static str> {
        match self {
            Surface::Opaque => None,
            Surface::Cutout => Some("TransparentCutout"),
            Surface::Fade | Surface::Transparent => Some("Transparent"),
        }
    }

    /// Adds what a shader needs to draw it so.
    pub fn set(self, target: &Chosen, settings: &mut BTreeMap<String, Setting>) {
        let is = |yes: bool| f32::from(u8::from(yes));
        let mode = match self {
            Surface::Opaque => 0.0,
            Surface::Cutout => 1.0,
            Surface::Fade => 2.0,
            Surface::Transparent => 3.0,
        };
        let values = [
            ("_Mode", mode),
            ("_Surface", is(self.is_transparent())),
            ("_SurfaceType", is(self.is_transparent())),
            ("_Blend", is(self == Surface::Transparent)),
            ("_AlphaClip", is(self == Surface::Cutout)),
            ("_AlphaCutoffEnable", is(self == Surface::Cutout)),
        ];
        for (name, value) in values.into_iter().chain(self.blend()) {
            if target.shader.property(name).is_some() {
                settings.insert(name.to_owned(), Setting::Float(value));
            }
        }
    }
}

/// What the editor of a shader sets when somebody chooses how a surface is drawn.
pub(super) struct Drawn {
    pub values: Vec<(&'static str, f32)>,
    pub on: Vec<&'static str>,
    pub off: Vec<&'static str>,
    pub queue: i64,
    pub tag: Option<&'static str>,
    /// Passes of the shader, and whether they are left out.
    pub passes: Vec<(&'static str, bool)>,
}

/// How Universal Render Pipeline blends: 0 alpha, 1 premultiplied, 2 additive, 3 multiplied. Numbers of
/// UnityEngine.Rendering.BlendMode for the colour and for the alpha, from and to.
const BLENDS: [[f32; 4]; 4] =
    [[5.0, 10.0, 1.0, 10.0], [1.0, 10.0, 1.0, 10.0], [5.0, 1.0, 1.0, 1.0], [2.0, 0.0, 0.0, 1.0]];
/// Whether smooth edges are made of what is cut out.
const TO_MASK: &str = "_AlphaToMask";
/// The properties that have them.
const BLENDED: [&str; 4] = ["_SrcBlend", "_DstBlend", "_SrcBlendAlpha", "_DstBlendAlpha"];

/// The first property of a call that says how a surface is drawn, if there is one.
pub(super) fn marker(settings: &BTreeMap<String, Setting>) -> Option<&'static str> {
    MARKERS.into_iter().find(|name| settings.contains_key(*name))
}

/// Whether it is known what a shader's editor sets beside its markers.
pub(super) fn is_known(known: &KnownShader) -> bool {
    known.name.starts_with("Standard") || known.name.starts_with("Universal Render Pipeline/")
}

/// What the way a surface is drawn comes to: properties, keywords and passes.
struct Way {
    values: Vec<(&'static str, f32)>,
    /// Each with whether it is on.
    words: Vec<(&'static str, bool)>,
    /// Each with whether it is left out.
    passes: Vec<(&'static str, bool)>,
}

impl Way {
    fn built_in(surface: Surface) -> Way {
        let words = vec![
            ("_ALPHATEST_ON", surface == Surface::Cutout),
            ("_ALPHABLEND_ON", surface == Surface::Fade),
            ("_ALPHAPREMULTIPLY_ON", surface == Surface::Transparent),
        ];
        Way { values: surface.blend().to_vec(), words, passes: Vec::new() }
    }

    fn of_pipeline(surface: Surface, number: impl Fn(&str) -> Option<f64>, is_split: bool) -> Way {
        let is_on = |name: &str| number(name).is_some_and(|value| value >= 0.5);
        let is = |yes: bool| f32::from(u8::from(yes));
        let (is_transparent, is_cut) = (surface.is_transparent(), is_on("_AlphaClip"));
        let blend = number("_Blend").filter(|_| is_transparent);
        let keeps_shine =
            is_split && matches!(blend, Some(0.0 | 2.0)) && is_on("_BlendModePreserveSpecular");
        let mut way = match is_transparent {
            true => BLENDS.get(blend.unwrap_or_default() as usize).copied().unwrap_or(BLENDS[0]),
            false => [1.0, 0.0, 1.0, 0.0],
        };
        if keeps_shine {
            way[0] = 1.0;
        }
        let beside = [("_ZWrite", is(!is_transparent)), (TO_MASK, is(is_cut && !is_transparent))];
        let mut passes = vec![("SHADOWCASTER", is_transparent)];
        if is_split {
            passes.insert(0, ("DepthOnly", is_transparent));
        }
        let words = vec![
            ("_ALPHATEST_ON", is_cut),
            ("_SURFACE_TYPE_TRANSPARENT", is_transparent),
            ("_ALPHAPREMULTIPLY_ON", keeps_shine || (!is_split && blend == Some(1.0))),
            ("_ALPHAMODULATE_ON", blend == Some(3.0)),
        ];
        Way { values: BLENDED.into_iter().zip(way).chain(beside).collect(), words, passes }
    }
}

/// What follows from the values of a call, if they say how the surface is drawn.
pub(super) fn drawn(
    object: Object<'_>,
    chosen: Option<&Chosen>,
    settings: &BTreeMap<String, Setting>,
) -> Option<Drawn> {
    let chosen = chosen.filter(|chosen| chosen.known.is_some_and(is_known))?;
    marker(settings)?;
    let number = |name: &str| {
        let given = settings.get(name).and_then(|setting| setting.number());
        given.or_else(|| property(object, name)?.setting()?.number()).map(f64::from)
    };
    let has = |name: &str| chosen.shader.property(name).is_some();
    let surface = Surface::read(has, number);
    let is_built_in = has("_Mode");
    let Way { mut values, words, passes } = match is_built_in {
        true => Way::built_in(surface),
        // Since Unity 2022.2 the colour and the alpha are blended on their own, and reflections can stay.
        false => Way::of_pipeline(surface, number, property(object, "_SrcBlendAlpha").is_some()),
    };
    let later = |name: &str| BLENDED.contains(&name) || name == TO_MASK;
    let has = |name: &str| has(name) || (later(name) && property(object, name).is_some());
    values.retain(|(name, _)| has(name) && !settings.contains_key(*name));
    let (on, off): (Vec<_>, Vec<_>) = words.into_iter().partition(|(_, is_on)| *is_on);
    let word = |(word, _)| word;
    Some(Drawn {
        values,
        on: on.into_iter().map(word).collect(),
        off: off.into_iter().map(word).collect(),
        queue: match (surface.queue(), number("_QueueOffset").filter(|_| !is_built_in)) {
            (queue, None | Some(0.0)) => queue,
            // What is opaque has no number of its own otherwise.
            (-1, Some(offset)) => 2000 + offset as i64,
            (queue, Some(offset)) => queue + offset as i64,
        },
        // Its editor says it of what is opaque as well.
        tag: surface.tag().or_else(|| (!is_built_in).then_some("Opaque")),
        passes,
    })
}
