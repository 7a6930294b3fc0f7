//! Which components may stand together on one object: those that may be there once only, those that
//! need others, and those that Unity refuses beside each other.
//!
//! Of native classes Unity tells this nowhere in a project, so it is here by name: what needs what is
//! as its C# interface declares it, and no pair of the 34,000 objects of public projects is refused.
//! Of scripts it follows from their attributes, those of base classes included.

use crate::script::{ScriptSet, TypeRef, simple_name};
use crate::{ClassId, types};

/// What a component needs beside it on its object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Need {
    /// The classes of which one must be there, by name; the first is the one to add. The classes may
    /// be native or scripts, and a derived class will do.
    pub any_of: Vec<String>,
    /// Unity adds the first itself; otherwise it refuses and somebody has to choose.
    pub is_added: bool,
    /// The class that says so.
    pub by: String,
}

/// What a script class asks of the object that it is put on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ScriptRules {
    /// The class with `[DisallowMultipleComponent]`: of it and all that derive from it, one may be
    /// there.
    pub once: Option<String>,
    /// What has to be there, the needs of base classes first.
    pub needs: Vec<Need>,
}

impl ScriptRules {
    /// The class of which an object can have only one, where both scripts are of it.
    pub fn both_once(&self, other: &ScriptRules) -> Option<&str> {
        let (one, two) = (self.once.as_deref()?, other.once.as_deref()?);
        let is_same = match one.contains('.') && two.contains('.') {
            true => one == two,
            false => simple_name(one) == simple_name(two),
        };
        is_same.then_some(one)
    }
}

/// Native classes of which an object can have one, each with all that derive from it.
const ONCE: [&str; 31] = [
    "Animation",
    "Animator",
    "ArticulationBody",
    "AudioListener",
    "Camera",
    "Canvas",
    "CanvasGroup",
    "CanvasRenderer",
    "CharacterController",
    "Cloth",
    "FlareLayer",
    "Grid",
    "LODGroup",
    "Light",
    "LightProbeGroup",
    "MeshFilter",
    "NavMeshAgent",
    "NavMeshObstacle",
    "ParticleSystem",
    "PlayableDirector",
    "ReflectionProbe",
    "Rigidbody",
    "Rigidbody2D",
    "Skybox",
    "SortingGroup",
    "Terrain",
    "TextMesh",
    "Tilemap",
    "Transform",
    "VisualEffect",
    "WindZone",
];
/// The renderers, of each of which an object can have one, whatever others are there.
const RENDERER: &str = "Renderer";

/// What native classes need. Two in the last column: either will do, and Unity does not choose.
const NEEDS: [(&str, &[&str]); 14] = [
    ("AudioFilter", &["AudioSource", "AudioListener"]),
    ("Canvas", &["RectTransform"]),
    ("Cloth", &["SkinnedMeshRenderer"]),
    ("CompositeCollider2D", &["Rigidbody2D"]),
    ("ConstantForce", &["Rigidbody"]),
    ("FlareLayer", &["Camera"]),
    ("Joint", &["Rigidbody"]),
    ("Joint2D", &["Rigidbody2D"]),
    ("ParticleSystem", &["ParticleSystemRenderer"]),
    ("PhysicsUpdateBehaviour2D", &["Rigidbody2D"]),
    ("StreamingController", &["Camera"]),
    ("TextMesh", &["MeshRenderer"]),
    ("TilemapCollider2D", &["Tilemap"]),
    ("TilemapRenderer", &["Tilemap"]),
];
/// What is added behind the class that needs it: files always have the two in this order.
const BEHIND: [&str; 2] = ["ParticleSystemRenderer", "VFXRenderer"];
/// Needs that are not in an attribute of the class: Unity adds the one with the other.
const PAIRS: [(&str, &str); 1] = [("VisualEffect", "VFXRenderer")];

/// Components of solid bodies, and of flat ones: one kind keeps the other away.
const SOLID: [&str; 5] = ["ArticulationBody", "Collider", "ConstantForce", "Joint", "Rigidbody"];
const FLAT: [&str; 5] =
    ["Collider2D", "Effector2D", "Joint2D", "PhysicsUpdateBehaviour2D", "Rigidbody2D"];
/// Other pairs that Unity refuses.
const EXCLUDED: [(&str, &str); 5] = [
    ("ArticulationBody", "Rigidbody"),
    ("MeshFilter", "SpriteRenderer"),
    ("MeshFilter", "TextMesh"),
    ("MeshRenderer", "SpriteRenderer"),
    ("ParticleSystemRenderer", "SpriteRenderer"),
];

impl Need {
    /// Whether it is added behind the component that needs it; others come before.
    pub fn is_behind(&self) -> bool {
        self.any_of.first().is_some_and(|first| BEHIND.contains(&first.as_str()))
    }
}

/// Whether an object can have only one component of a native class. A second one of a class that
/// derives from it counts, too: [`excluded_by`] tells which.
pub fn is_once(class: ClassId) -> bool {
    let name = class.name().unwrap_or_default();
    ONCE.iter().chain([&RENDERER]).any(|once| types::is_a(name, once))
}

/// What a native component needs on its object.
pub fn needs(class: ClassId) -> Vec<Need> {
    let name = class.name().unwrap_or_default();
    let declared = NEEDS.iter().filter(|(needing, _)| types::is_a(name, needing));
    let declared = declared.map(|(by, any_of)| (*by, any_of.to_vec()));
    let paired = PAIRS.iter().filter(|(needing, _)| types::is_a(name, needing));
    let all = declared.chain(paired.map(|(by, needed)| (*by, vec![*needed])));
    all.map(|(by, any_of)| Need {
        is_added: any_of.len() == 1,
        any_of: any_of.into_iter().map(str::to_owned).collect(),
        by: by.to_owned(),
    })
    .collect()
}

/// The component among those of an object beside which Unity does not let a new one of a native class
/// stand: a second of its kind, or one that it cannot be together with.
pub fn excluded_by(class: ClassId, others: impl IntoIterator<Item = ClassId>) -> Option<ClassId> {
    let name = class.name()?;
    others.into_iter().find(|other| {
        let Some(other) = other.name() else { return false };
        is_second(name, other) || excludes(name, other) || excludes(other, name)
    })
}

fn is_second(name: &str, other: &str) -> bool {
    let same_once = |once: &&str| types::is_a(name, once) && types::is_a(other, once);
    ONCE.iter().any(same_once) || (name == other && types::is_a(name, RENDERER))
}

fn excludes(name: &str, other: &str) -> bool {
    let any = |kind: &[&str], name: &str| kind.iter().any(|base| types::is_a(name, base));
    let pair = |(one, two): &(&str, &str)| types::is_a(name, one) && types::is_a(other, two);
    any(&SOLID, name) && any(&FLAT, other) || EXCLUDED.iter().any(pair)
}

/// What a script class asks for, by its own attributes and those of its bases. Bases of a package
/// whose source is not here are known by name where [`library_rules`] has them.
pub fn script_rules<'a>(set: &ScriptSet<'a>, ty: TypeRef<'a>) -> ScriptRules {
    let mut rules = ScriptRules::default();
    let chain = set.base_types(ty);
    let top = *chain.last().unwrap_or(&ty);
    if let Some(base) = set.parts(top).iter().find_map(|part| part.decl.bases.first()) {
        rules = library_rules(base).unwrap_or_default();
    }
    for ty in chain.into_iter().rev().chain([ty]) {
        for part in set.parts(ty) {
            let by = part.decl.full_name();
            for attribute in part.decl.about.attributes.iter().filter(|a| a.target.is_none()) {
                if attribute.is("DisallowMultipleComponent") {
                    rules.once.get_or_insert_with(|| by.clone());
                }
                if attribute.is("RequireComponent") {
                    let names = attribute.arguments.iter().filter_map(|a| type_of(&a.text));
                    rules.needs.extend(names.map(|name| need(set, part, name, &by)));
                }
            }
        }
    }
    rules.needs.retain(|need| need.any_of != ["Transform"]);
    let mut seen = Vec::new();
    rules.needs.retain(|need| {
        let is_new = !seen.contains(&need.any_of);
        seen.push(need.any_of.clone());
        is_new
    });
    rules
}

/// The name in `typeof(Name)`.
fn type_of(text: &str) -> Option<&str> {
    let inner = text.trim().strip_prefix("typeof")?.trim();
    Some(inner.strip_prefix('(')?.strip_suffix(')')?.trim())
}

/// A class of the project by its full name, others as written but for a namespace of the engine.
fn need<'a>(set: &ScriptSet<'a>, from: TypeRef<'a>, name: &str, by: &str) -> Need {
    let name = match set.find(name, from).first() {
        Some(found) => found.decl.full_name(),
        None => name.trim_start_matches("global::").trim_start_matches("UnityEngine.").to_owned(),
    };
    Need { any_of: vec![name], is_added: true, by: by.to_owned() }
}

/// What classes of the user interface package ask for, whose sources a project need not have: the class of
/// which an object can have one, with all that derive from it, and what has to be there.
const LIBRARY: [(&str, &str, &[&str]); 28] = [
    ("Graphic", "Graphic", &["RectTransform", "CanvasRenderer"]),
    ("MaskableGraphic", "Graphic", &["RectTransform", "CanvasRenderer"]),
    ("Image", "Graphic", &["RectTransform", "CanvasRenderer"]),
    ("RawImage", "Graphic", &["RectTransform", "CanvasRenderer"]),
    ("Text", "Graphic", &["RectTransform", "CanvasRenderer"]),
    ("TextMeshProUGUI", "Graphic", &["RectTransform", "CanvasRenderer"]),
    ("TMP_Text", "Graphic", &["RectTransform"]),
    ("TextMeshPro", "Graphic", &["RectTransform", "MeshRenderer"]),
    ("Selectable", "Selectable", &["RectTransform"]),
    ("Button", "Selectable", &["RectTransform"]),
    ("Toggle", "Selectable", &["RectTransform"]),
    ("Slider", "Selectable", &["RectTransform"]),
    ("Scrollbar", "Selectable", &["RectTransform"]),
    ("Dropdown", "Selectable", &["RectTransform"]),
    ("InputField", "Selectable", &["RectTransform"]),
    ("TMP_Dropdown", "Selectable", &["RectTransform"]),
    ("TMP_InputField", "Selectable", &["RectTransform"]),
    ("ScrollRect", "ScrollRect", &["RectTransform"]),
    ("LayoutGroup", "LayoutGroup", &["RectTransform"]),
    ("HorizontalLayoutGroup", "LayoutGroup", &["RectTransform"]),
    ("VerticalLayoutGroup", "LayoutGroup", &["RectTransform"]),
    ("GridLayoutGroup", "LayoutGroup", &["RectTransform"]),
    ("LayoutElement", "", &["RectTransform"]),
    ("ContentSizeFitter", "", &["RectTransform"]),
    ("Mask", "Mask", &["RectTransform"]),
    ("RectMask2D", "RectMask2D", &["RectTransform"]),
    ("CanvasScaler", "CanvasScaler", &["Canvas"]),
    ("GraphicRaycaster", "", &["Canvas"]),
];

/// What a component class of the user interface package asks for, by its name with or without the
/// namespace; none when it is not known here.
pub fn library_rules(class: &str) -> Option<ScriptRules> {
    let simple = simple_name(class);
    let (name, once, needs) = LIBRARY.iter().find(|(name, ..)| *name == simple)?;
    let need = |needed: &&str| Need {
        any_of: vec![(*needed).to_owned()],
        is_added: true,
        by: (*name).to_owned(),
    };
    Some(ScriptRules {
        once: (!once.is_empty()).then(|| (*once).to_owned()),
        needs: needs.iter().map(need).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::script;

    fn class(name: &str) -> ClassId {
        ClassId::find(name).expect(name)
    }

    #[test]
    fn every_name_is_a_class() {
        let pairs = EXCLUDED.iter().chain(&PAIRS).flat_map(|(one, two)| [one, two]);
        let needs = NEEDS.iter().flat_map(|(name, needs)| [name].into_iter().chain(*needs));
        for name in ONCE.iter().chain(&SOLID).chain(&FLAT).chain(pairs).chain(needs) {
            assert!(ClassId::find(name).is_some(), "{name}");
        }
    }

    #[test]
    fn a_second_one_is_refused_where_unity_does() {
        let excluded = |new: &str, others: &[&str]| {
            excluded_by(class(new), others.iter().map(|name| class(name))).and_then(ClassId::name)
        };
        assert_eq!(excluded("Rigidbody", &["Transform", "Rigidbody"]), Some("Rigidbody"));
        assert_eq!(excluded("RectTransform", &["Transform"]), Some("Transform"));
        assert_eq!(excluded("BoxCollider", &["BoxCollider", "Rigidbody"]), None);
        assert_eq!(excluded("AudioSource", &["AudioSource"]), None);
        assert_eq!(
            excluded("BoxCollider2D", &["MeshRenderer", "BoxCollider"]),
            Some("BoxCollider")
        );
        assert_eq!(excluded("Rigidbody", &["CircleCollider2D"]), Some("CircleCollider2D"));
        assert_eq!(excluded("SpriteRenderer", &["MeshFilter"]), Some("MeshFilter"));
        assert_eq!(excluded("LineRenderer", &["MeshFilter", "MeshRenderer"]), None);
        assert_eq!(excluded("TrailRenderer", &["SpriteRenderer"]), None);
        assert!(is_once(class("MeshRenderer")) && !is_once(class("BoxCollider")));
    }

    #[test]
    fn needs_are_those_of_the_class_and_its_bases() {
        let all = |name: &str| -> Vec<_> {
            needs(class(name))
                .into_iter()
                .map(|need| (need.any_of.join("|"), need.is_added))
                .collect()
        };
        assert_eq!(all("FixedJoint"), [("Rigidbody".to_owned(), true)]);
        assert_eq!(all("HingeJoint2D"), [("Rigidbody2D".to_owned(), true)]);
        assert_eq!(all("AudioEchoFilter"), [("AudioSource|AudioListener".to_owned(), false)]);
        assert_eq!(all("ParticleSystem"), [("ParticleSystemRenderer".to_owned(), true)]);
        assert_eq!(all("BoxCollider"), []);
        let system = ClassId::find("ParticleSystem").expect("a class");
        assert!(needs(system).iter().all(Need::is_behind));
    }

    #[test]
    fn attributes_of_scripts_and_their_bases_count() {
        let file = script::parse(
            "using UnityEngine; namespace G {
              [DisallowMultipleComponent, RequireComponent(typeof(Rigidbody), typeof(Pump))]
              class Door : MonoBehaviour {}
              [RequireComponent(typeof(UnityEngine.AudioSource)), RequireComponent(typeof(Rigidbody))]
              class Gate : Door {}
              class Pump : MonoBehaviour {}
              class Plain : MonoBehaviour {}
              class Bar : UnityEngine.UI.Image {} }",
        );
        let set = ScriptSet::new([&file]);
        let rules = |name: &str| {
            let rules = script_rules(&set, set.get(name)[0]);
            let needs = rules.needs.iter().map(|need| need.any_of.join("|"));
            (rules.once, needs.collect::<Vec<_>>().join(" "))
        };
        let once = |name: &str| Some(name.to_owned());
        assert_eq!(rules("G.Gate"), (once("G.Door"), "Rigidbody G.Pump AudioSource".to_owned()));
        assert_eq!(rules("G.Plain"), (None, String::new()));
        assert_eq!(rules("G.Bar"), (once("Graphic"), "RectTransform CanvasRenderer".to_owned()));
    }
}
