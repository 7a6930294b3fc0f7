//! What people set and read in Unity projects: the classes of components and settings, and their
//! fields, as C# and the inspector name them. The tools' search knows by these which words are about
//! a field.

use crate::ClassId;
use crate::script::shipped_classes;
use crate::types::{self, Node, Version};

/// A class with fields.
#[derive(Debug)]
pub struct Class {
    /// Its name without a namespace: `ParticleSystem`.
    pub name: &'static str,
    /// What it derives from, nearest first, as far as that has fields of its own.
    pub bases: Vec<&'static str>,
    /// Where its objects are.
    pub place: Place,
    /// Its fields.
    pub fields: Vec<Field>,
}

/// Where objects of a class are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// On a GameObject.
    Object,
    /// In a settings file of the project, of which there is one.
    Settings(&'static str),
    /// In an asset of its own.
    Asset,
    /// In the `.meta` of an asset, as what imports it.
    Importer,
}

/// A field that can be set.
#[derive(Debug)]
pub struct Field {
    /// Its path, as an edit takes it: `intensity`, `InitialModule.startColor`.
    pub path: String,
    /// The names that people have for it: the path, and what C# calls it.
    pub names: Vec<String>,
    /// What it holds.
    pub holds: Holds,
}

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// True or false.
    Truth,
    /// A number.
    Number,
    /// A text.
    Text,
    /// A colour.
    Colour,
    /// So many numbers.
    Vector(usize),
    /// A turn.
    Turn,
    /// A reference to an object of a class.
    Reference,
    /// Anything else.
    Other,
}

/// Settings files, with the class of the object in them and the words that Unity's windows have for it.
const SETTINGS: &[(&str, &str)] = &[
    ("QualitySettings", "ProjectSettings/QualitySettings.asset"),
    ("PlayerSettings", "ProjectSettings/ProjectSettings.asset"),
    ("PhysicsManager", "ProjectSettings/DynamicsManager.asset"),
    ("Physics2DSettings", "ProjectSettings/Physics2DSettings.asset"),
    ("TimeManager", "ProjectSettings/TimeManager.asset"),
    ("AudioManager", "ProjectSettings/AudioManager.asset"),
    ("GraphicsSettings", "ProjectSettings/GraphicsSettings.asset"),
    ("EditorSettings", "ProjectSettings/EditorSettings.asset"),
];

/// Assets with one object, whose fields are set like those of settings.
const ASSETS: &[&str] =
    &["PhysicsMaterial", "PhysicsMaterial2D", "RenderTexture", "LightingSettings"];

/// Fields that every object has, and that tie it to others.
const PLUMBING: &[&str] = &[
    "m_ObjectHideFlags",
    "m_ExtensionPtr",
    "m_CorrespondingSourceObject",
    "m_PrefabInstance",
    "m_PrefabAsset",
    "m_PrefabInternal",
    "m_PrefabParentObject",
    "m_GameObject",
    "m_EditorHideFlags",
    "m_EditorClassIdentifier",
    "m_Script",
    "m_Father",
    "m_Children",
    "m_RootOrder",
];

/// All classes of components, settings and importers that a version of Unity has, and those of the packages
/// that a project has.
pub fn classes(version: Version, has_package: &dyn Fn(&str) -> bool) -> Vec<Class> {
    let natives = ClassId::all().filter_map(|id| native(id, version));
    let shipped = shipped_classes().filter(|(package, ..)| has_package(package));
    natives.chain(shipped.filter_map(|(_, full, text)| of_package(full, text))).collect()
}

fn native(id: ClassId, version: Version) -> Option<Class> {
    let name = id.name()?;
    let settings = SETTINGS.iter().find(|(class, _)| *class == name);
    let place = match settings {
        Some((_, file)) => Place::Settings(file),
        None if types::is_a(name, "Component") || name == "GameObject" => Place::Object,
        None if types::is_a(name, "AssetImporter") => Place::Importer,
        None if ASSETS.contains(&name) => Place::Asset,
        None => return None,
    };
    let tree = types::tree(id, version)?;
    let mut fields = Vec::new();
    // What is inside of those is for consoles.
    let depth = if name == "PlayerSettings" { DEEPEST } else { 0 };
    collect(name, tree, "", depth, &mut fields);
    let bases = types::bases(name).into_iter().skip(1);
    let bases = bases.filter(|base| !["Component", "EditorExtension", "Object"].contains(base));
    (!fields.is_empty()).then(|| Class { name, bases: bases.collect(), place, fields })
}

/// Deeper parts are those of parts that nobody sets by name.
const DEEPEST: usize = 2;

/// The fields of a node, and those of its parts.
fn collect(class: &str, node: Node<'_>, before: &str, depth: usize, found: &mut Vec<Field>) {
    for child in node.children().filter(|child| !PLUMBING.contains(&child.name())) {
        let path = format!("{before}{}", child.name());
        let names = || {
            let other = types::names_of(class, &path).map(str::to_owned);
            [path.clone()].into_iter().chain(other).collect()
        };
        let parts =
            || (depth < DEEPEST).then_some(child).filter(|child| child.children().len() > 0);
        match holds(child) {
            Some(holds) => found.push(Field { names: names(), path, holds }),
            None => match child.element() {
                // The first of a list stands for all.
                Some(item) if item.children().len() > 1 && holds(item).is_none() => {
                    if depth < DEEPEST {
                        collect(class, item, &format!("{path}[0]."), depth + 1, found);
                    }
                }
                Some(_) => found.push(Field { names: names(), path, holds: Holds::Other }),
                None => match parts() {
                    Some(part) => collect(class, part, &format!("{path}."), depth + 1, found),
                    None => found.push(Field { names: names(), path, holds: Holds::Other }),
                },
            },
        }
    }
}

/// What a field holds that is set as a whole; nothing for a structure or a list.
fn holds(node: Node<'_>) -> Option<Holds> {
    Some(match node.type_name() {
        "bool" => Holds::Truth,
        "string" => Holds::Text,
        "float" | "double" => Holds::Number,
        "ColorRGBA" | "MinMaxGradient" | "Gradient" => Holds::Colour,
        "MinMaxCurve" => Holds::Number,
        "Vector2f" => Holds::Vector(2),
        "Vector3f" => Holds::Vector(3),
        "Vector4f" | "Rectf" => Holds::Vector(4),
        "Quaternionf" => Holds::Turn,
        "AnimationCurve" | "BitField" | "GUID" => Holds::Other,
        text if text.starts_with("PPtr<") => Holds::Reference,
        text if text.contains("int") || text.contains("SInt") || text.contains("UInt") => {
            Holds::Number
        }
        _ => return None,
    })
}

/// A class of a package from what it saves, as C#: `class Image:Graphic{[SerializeField]Sprite m_Sprite;}`.
fn of_package(full: &'static str, text: &'static str) -> Option<Class> {
    let name = full.rsplit('.').next()?;
    let (_, body) = text.split_once(&format!("class {name}"))?;
    let (head, body) = body.split_once('{')?;
    let bases = head.trim_start_matches(':').split(',').map(str::trim);
    let bases: Vec<&str> = bases.filter(|base| !base.is_empty()).collect();
    let mut fields = Vec::new();
    for declared in of_this_class(body).split(';') {
        // Attributes and what it begins with are not part of the name.
        let declared = declared.rsplit(']').next().unwrap_or(declared);
        let declared = declared.split('=').next().unwrap_or(declared).trim();
        let Some((kind, field)) = declared.rsplit_once(' ') else { continue };
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        if field.is_empty() || !field.chars().all(is_name) || PLUMBING.contains(&field) {
            continue;
        }
        let holds = match kind.trim_end_matches("[]").rsplit([' ', '.']).next().unwrap_or(kind) {
            "bool" => Holds::Truth,
            "string" => Holds::Text,
            "int" | "float" | "double" | "uint" | "long" => Holds::Number,
            "Color" | "Color32" => Holds::Colour,
            "Vector2" => Holds::Vector(2),
            "Vector3" => Holds::Vector(3),
            "Vector4" => Holds::Vector(4),
            "Quaternion" => Holds::Turn,
            "Sprite" | "Material" | "Texture" | "GameObject" | "Transform" => Holds::Reference,
            _ => Holds::Other,
        };
        let other = types::names_of(full, field).map(str::to_owned);
        let names = [field.to_owned()].into_iter().chain(other).collect();
        fields.push(Field { path: field.to_owned(), names, holds });
    }
    let is_asset = name.ends_with("Asset") || bases.contains(&"ScriptableObject");
    let place = if is_asset { Place::Asset } else { Place::Object };
    Some(Class { name, bases, place, fields })
}

/// What a class declares itself, without the types inside of it.
fn of_this_class(body: &str) -> String {
    let (mut depth, mut own) = (0usize, String::new());
    for c in body.chars() {
        match c {
            '{' => depth += 1,
            // An inner type ends like a field.
            '}' if depth == 1 => {
                depth = 0;
                own.push(';');
            }
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            c if depth == 0 => own.push(c),
            _ => {}
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(class: &str, name: &str, holds: Holds) {
        let all = classes(Version::parse("2022.3.20f1").unwrap(), &|_| true);
        let class = all.iter().find(|one| one.name == class).unwrap_or_else(|| panic!("{class}"));
        let named = class.fields.iter().find(|field| field.names.iter().any(|one| one == name));
        assert_eq!(named.map(|field| field.holds), Some(holds), "{name}");
    }

    #[test]
    fn fields_are_known_by_the_names_of_files_and_of_csharp() {
        check("Light", "m_Intensity", Holds::Number);
        check("Light", "m_Shadows.m_Strength", Holds::Number);
        check("ParticleSystem", "startColor", Holds::Colour);
        check("QualitySettings", "m_QualitySettings[0].shadowDistance", Holds::Number);
        check("TimeManager", "Fixed Timestep", Holds::Number);
        check("NavMeshAgent", "m_Speed", Holds::Number);
        check("Image", "m_Sprite", Holds::Reference);
        check("CanvasScaler", "m_ReferenceResolution", Holds::Vector(2));
        check("TMP_Text", "alignment", Holds::Other);
    }
}
