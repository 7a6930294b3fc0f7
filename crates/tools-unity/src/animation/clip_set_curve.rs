//! The tool `animation.clip.setCurve`: Set Animation Curve.

use scenewright_contract::echo::brief;
use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::animation::{Clip, Ease, Key, Part, Target};
use scenewright_unity::edit::hex_color;
use scenewright_unity::edit::kind::Kind;
use scenewright_unity::edit::material::PropertyKind;
use scenewright_unity::edit::scene::{Classes, NewClass, Refusal};
use scenewright_unity::types::{self, Node};
use scenewright_unity::{ClassId, Reference};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::open;
use crate::base::classes::ProjectClasses;
use crate::base::editing::refused;
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "animation.clip.setCurve",
    keywords: "animation clip curve keyframes keys position rotation scale animate property value over time tween",
    argument_aliases: &[("assetPath", "clipPath")],
    title: "Set Animation Curve",
    category: "animation",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "A lantern of the Unity sample that swings",
        input: r#"{ "project": "unity", "clipPath": "Assets/Swing.anim", "component": "Transform", "property": "rotation", "keys": [{ "time": 0, "value": [0, 0, -10] }, { "time": 1, "value": [0, 0, 10] }] }"#,
        output: r#"{
            "success": true,
            "clipPath": "Assets/Swing.anim",
            "curves": ["localEulerAnglesRaw.x", "localEulerAnglesRaw.y", "localEulerAnglesRaw.z"],
            "replaced": false,
            "length": 1.0,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[Earlier {
        tool: "animation.clip.create",
        input: r#"{ "project": "unity", "path": "Assets/Swing.anim" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Give a property a curve in an animation clip, in place of the one that it has: numbers, or vectors and
/// colours as a whole. Of a Transform these are position, rotation (angles) and scale.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The clip.
    clip_path: String,
    /// The object, by names from the one that has the Animator: `Arm/Hand`; that itself by default.
    #[serde(default)]
    object: String,
    /// The component, by its class, or `GameObject`.
    component: String,
    /// The property as C# or the file has it: `intensity`, `m_Color`, `m_Color.a`, `m_IsActive`, or
    /// `material._Color` of a renderer.
    property: String,
    /// The keys.
    #[schemars(length(min = 1, max = 10_000))]
    keys: Vec<Wanted>,
    /// How it goes from key to key; smooth by default, and constant for what is on or off.
    ease: Option<Eased>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

/// A key.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Wanted {
    /// When, in seconds.
    #[schemars(range(min = 0))]
    time: f32,
    /// A number, or all of a vector or colour: `[x, y, z]`, `{r, g, b, a}`, `#rrggbb`.
    #[schemars(with = "Given")]
    value: Numbers,
}

/// The numbers of a value.
#[derive(Deserialize)]
#[serde(try_from = "Given")]
struct Numbers(Vec<f32>);

#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Given {
    /// A number.
    One(f32),
    /// Several.
    Many(Vec<f32>),
    /// A colour.
    Text(String),
}

impl TryFrom<Given> for Numbers {
    type Error = String;

    fn try_from(given: Given) -> Result<Self, String> {
        let text = match given {
            Given::One(one) => return Ok(Numbers(vec![one])),
            Given::Many(many) => return Ok(Numbers(many)),
            Given::Text(text) => text,
        };
        let colour = hex_color(&text).map(|parts| parts.map(|part| f32::from(part) / 255.0).into());
        let numbers = || match serde_json::from_str(&text).ok()? {
            Given::One(one) => Some(vec![one]),
            Given::Many(many) => Some(many),
            Given::Text(_) => None,
        };
        let numbers = colour.or_else(numbers).map(Numbers);
        numbers.ok_or_else(|| {
            format!("{} is neither a colour such as #ff8800 nor numbers", brief(&text))
        })
    }
}

impl Numbers {
    fn all(&self) -> &[f32] {
        &self.0
    }
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Eased {
    /// Round, and never beyond its keys.
    Smooth,
    /// Straight.
    Linear,
    /// Each value stays until the next key.
    Constant,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The clip.
    clip_path: String,
    /// What the file calls the curves.
    curves: Vec<String>,
    /// There was a curve before.
    replaced: bool,
    /// How long the clip is now, in seconds.
    length: f64,
    #[serde(flatten)]
    written: Written,
}

/// The names of a transform's parts, as people call them and as files do.
const PARTS: [(&str, Part); 12] = [
    ("position", Part::Position),
    ("localposition", Part::Position),
    ("m_localposition", Part::Position),
    ("rotation", Part::Rotation),
    ("localrotation", Part::Rotation),
    ("localeulerangles", Part::Rotation),
    ("localeuleranglesraw", Part::Rotation),
    ("eulerangles", Part::Rotation),
    ("m_localeulerangles", Part::Rotation),
    ("scale", Part::Scale),
    ("localscale", Part::Scale),
    ("m_localscale", Part::Scale),
];

/// Types of fields that curves can move.
const NUMBERS: [&str; 7] = ["float", "double", "bool", "int", "unsigned int", "UInt8", "SInt32"];

/// What every object has for the editor alone: no curve moves it.
const FIXED: [&str; 12] = [
    "m_ObjectHideFlags",
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_PrefabParentObject",
    "m_PrefabInternal",
    "m_EditorHideFlags",
    "m_EditorClassIdentifier",
    "m_Script",
    "m_Name",
    "m_GameObject",
    "serializedVersion",
];
/// The only field of a GameObject that curves move.
const IS_ACTIVE: &str = "m_IsActive";
/// Whether a component is on; a number in files.
const ENABLED: &str = "m_Enabled";

/// What a property is made of.
struct Attributes {
    /// Its numbers, as files call them.
    names: Vec<String>,
    /// It is on or off.
    is_switch: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (opened, mut clip) = open(&unity, &input.clip_path)?;
    let class = class(&unity, &input.component)?;
    let ease = |is_switch: bool| match input.ease {
        None if is_switch => Ease::Constant,
        None | Some(Eased::Smooth) => Ease::Smooth,
        Some(Eased::Linear) => Ease::Linear,
        Some(Eased::Constant) => Ease::Constant,
    };
    let target = Target { path: input.object.clone(), class: class.class, script: class.script };
    let lower = input.property.to_ascii_lowercase();
    let part = PARTS.iter().find(|(name, _)| *name == lower).map(|(_, part)| *part);
    let (curves, replaced) = match part.filter(|_| class.class.is_a(ClassId::TRANSFORM)) {
        Some(part) => {
            let keys = input.keys.iter().map(three).collect::<Result<Vec<_>, _>>()?;
            // A rectangle is moved as a transform is, where it is turned and scaled.
            let target = Target { class: ClassId::TRANSFORM, ..target };
            let replaced = clip.set_part(&target, part, &keys, ease(false)).map_err(refused)?;
            let word = match part {
                Part::Position => "m_LocalPosition",
                Part::Rotation => "localEulerAnglesRaw",
                Part::Scale => "m_LocalScale",
            };
            (["x", "y", "z"].map(|axis| format!("{word}.{axis}")).to_vec(), replaced)
        }
        None => {
            let Attributes { names, is_switch } = attributes(&unity, &class, &input)?;
            let replaced = numbers(&mut clip, &target, &names, &input.keys, ease(is_switch))?;
            (names, replaced)
        }
    };
    let length = clip.length();
    let written = opened.commit_bytes(clip.to_bytes(), input.dry_run)?;
    let clip_path = opened.path.to_string();
    Ok(Output { success: true, clip_path, curves, replaced, length, written })
}

fn key(time: f32, value: f32) -> Key {
    Key { time, value, slopes: None, tangents: None }
}

fn three(wanted: &Wanted) -> Result<[Key; 3], ToolError> {
    match wanted.value.all() {
        [x, y, z] => Ok([*x, *y, *z].map(|value| key(wanted.time, value))),
        other => {
            let text = format!("have three numbers each, [x, y, z], and not {}", other.len());
            Err(ToolError::bad_argument("keys", &text))
        }
    }
}

/// A curve for each number.
fn numbers(
    clip: &mut Clip,
    target: &Target,
    names: &[String],
    keys: &[Wanted],
    ease: Ease,
) -> Result<bool, ToolError> {
    if let Some(wrong) = keys.iter().find(|key| key.value.all().len() != names.len()) {
        let text = format!(
            "have {} numbers each ({}), and not {}",
            names.len(),
            names.join(", "),
            wrong.value.all().len()
        );
        return Err(ToolError::bad_argument("keys", &text));
    }
    let mut replaced = false;
    for (at, name) in names.iter().enumerate() {
        let own: Vec<Key> = keys.iter().map(|own| key(own.time, own.value.all()[at])).collect();
        replaced |= clip.set_number(target, name, &own, ease).map_err(refused)?;
    }
    Ok(replaced)
}

fn class(unity: &Unity<'_>, name: &str) -> Result<NewClass, ToolError> {
    if name == "GameObject" {
        return Ok(NewClass { class: ClassId::GAME_OBJECT, name: name.to_owned(), script: None });
    }
    ProjectClasses::new(unity).find(name).map_err(|known| {
        let text = format!("there is no component class {name}");
        refused(Refusal { message: text, hint: None, choices: Some((name.to_owned(), known)) })
    })
}

/// The numbers of a property.
fn attributes(unity: &Unity<'_>, class: &NewClass, input: &Input) -> Result<Attributes, ToolError> {
    let property = &input.property;
    if let Some(name) = property.strip_prefix("material.") {
        let count = input.keys.first().map_or(1, |key| key.value.all().len());
        let names = of_material(unity, name, count);
        let names = names.into_iter().map(|name| format!("material.{name}")).collect();
        return Ok(Attributes { names, is_switch: false });
    }
    let unknown = |names: Vec<String>| {
        let text = format!("{} has no property {property} that is a number", class.name);
        let names = names.iter().map(String::as_str);
        let hint = suggest::did_you_mean(property, names, "nothing was changed");
        ToolError::new(ErrorKind::EngineError, text).hint(hint)
    };
    let found = match class.script {
        Some(script) => of_script(unity, script, property),
        None => of_native(unity, class, property),
    };
    found.map_err(unknown)
}

/// The numbers of a property of a material, as the shaders have it that declare one. Where they differ, or none
/// does, the values of the call tell.
fn of_material(unity: &Unity<'_>, name: &str, count: usize) -> Vec<String> {
    let one = vec![name.to_owned()];
    if name.contains('.') {
        return one;
    }
    let found = unity.shader_properties(name);
    let four = found.iter().find(|property| property.kind == PropertyKind::Color);
    let is_one = match four {
        Some(_) => count == 1 && found.iter().any(|other| other.kind != PropertyKind::Color),
        None => count != 4,
    };
    if is_one {
        return one;
    }
    // Where a texture lies has no declaration of its own.
    let is_vector = four.map_or(name.ends_with("_ST"), |property| property.is_vector);
    let parts = if is_vector { ["x", "y", "z", "w"] } else { ["r", "g", "b", "a"] };
    parts.map(|part| format!("{name}.{part}")).to_vec()
}

/// A field of a script; or the names of those that it has.
fn of_script(
    unity: &Unity<'_>,
    script: Reference,
    property: &str,
) -> Result<Attributes, Vec<String>> {
    let fields = ProjectClasses::new(unity).script_fields(script).unwrap_or_default();
    let first = property.split('.').next().unwrap_or(property);
    let known = fields.kinds.iter().find(|(name, _)| name == first);
    let is_switch = first == ENABLED || matches!(known, Some((_, Kind::Bool)) if first == property);
    let names = || fields.values.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let is_known = first == ENABLED || fields.values.iter().any(|(name, _)| name == first);
    let is_fixed = FIXED.contains(&first) && !is_known;
    match !is_fixed && (is_known || !fields.is_whole) {
        true => Ok(Attributes { names: vec![property.to_owned()], is_switch }),
        false => Err(names()),
    }
}

/// A number of a native class, or all of a vector or colour; or the names of its fields that are one.
fn of_native(
    unity: &Unity<'_>,
    class: &NewClass,
    property: &str,
) -> Result<Attributes, Vec<String>> {
    let tree = types::tree(class.class, unity.version()).ok_or_else(Vec::new)?;
    let (first, rest) = property.split_once('.').unwrap_or((property, ""));
    let classes = ProjectClasses::new(unity);
    let saved = match tree.child(first) {
        Some(_) => Some(first.to_owned()),
        None => {
            let known = classes.property(&classes.native_name(&class.name), first);
            known.map(|property| property.path)
        }
    };
    let is_free = |name: &str| match class.class {
        ClassId::GAME_OBJECT => name == IS_ACTIVE,
        _ => !FIXED.contains(&name),
    };
    let names = || {
        let fields = tree.children().filter(|field| is_free(field.name()));
        let fields = fields.filter(|field| parts_of(*field, field.name()).is_some());
        fields.map(|field| field.name().to_owned()).collect::<Vec<_>>()
    };
    let saved = saved.filter(|name| is_free(name.split('.').next().unwrap_or(name)));
    let saved = saved.ok_or_else(names)?;
    let path = if rest.is_empty() { saved } else { format!("{saved}.{rest}") };
    let node = path.split('.').try_fold(tree, |node, key| node.child(key));
    let node = node.ok_or_else(Vec::new)?;
    let is_switch = node.type_name() == "bool" || path == ENABLED;
    let names = parts_of(node, &path).ok_or_else(Vec::new)?;
    Ok(Attributes { names, is_switch })
}

/// The numbers of a field: itself, or all of a vector or colour.
fn parts_of(node: Node<'_>, path: &str) -> Option<Vec<String>> {
    if NUMBERS.contains(&node.type_name()) {
        return Some(vec![path.to_owned()]);
    }
    let parts: Vec<_> = node.children().collect();
    let is_whole = (2..=4).contains(&parts.len())
        && parts.iter().all(|part| NUMBERS.contains(&part.type_name()));
    is_whole.then(|| parts.iter().map(|part| format!("{path}.{}", part.name())).collect())
}

#[cfg(test)]
mod tests;
