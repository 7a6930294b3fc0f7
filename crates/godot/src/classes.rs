//! What Godot's own classes are: their properties, signals, methods, enums and defaults, for every
//! version from 4.2 to 4.7, without the engine.
//!
//! ```
//! use scenewright_godot::classes::{Classes, Version};
//!
//! let classes = Classes::of(Version::of("4.6"));
//! assert!(classes.inherits("Sprite2D", "CanvasItem"));
//! let texture = classes.property("Sprite2D", "texture").expect("a sprite has one");
//! assert!(texture.value.accepts(classes, "AtlasTexture"));
//! assert_eq!(classes.default("Label", "mouse_filter"), Some("2"));
//! ```

mod bounds;
mod builtin;
mod members;
mod renames;
mod rules;
mod search;
mod table;
mod version;

#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use members::Members;

pub use bounds::Bounds;
pub use builtin::Builtin;
pub use members::{Argument, Constant, Enum, Hint, Method, Property, Range, Signal, Type};
pub use renames::new_name;
pub use rules::Rule;
pub use search::{Hit, Kind};
pub use version::Version;

/// More steps than any chain of parents has; the data is ours, but nothing here may hang.
const DEEPEST: usize = 64;

/// The classes of one version of Godot.
#[derive(Debug)]
pub struct Classes {
    version: Version,
    /// Sorted by name.
    classes: Vec<Class>,
    globals: Globals,
}

/// What belongs to no class.
#[derive(Debug, Default)]
pub struct Globals {
    /// The builtin types: `Nil`, `bool`, `Vector2`; `Object` is not among them.
    pub builtins: Vec<&'static str>,
    /// Functions such as `lerp` and `print`.
    pub utilities: Vec<&'static str>,
    /// Singletons with their classes.
    pub singletons: Vec<(&'static str, &'static str)>,
    /// Enums such as `Side` and `Key`.
    pub enums: Vec<Enum>,
    /// Constants outside of any enum.
    pub constants: Vec<Constant>,
}

/// A class of the engine. What it inherits is not repeated here: ask [`Classes`].
#[derive(Debug)]
pub struct Class {
    /// Its name, `Sprite2D`.
    pub name: &'static str,
    /// The class it inherits; only `Object` has none.
    pub parent: Option<&'static str>,
    /// Where that one is in the table.
    parent_at: Option<usize>,
    /// Whether a node or resource can be of exactly this class.
    pub instantiable: bool,
    /// Whether only the editor has it.
    pub editor: bool,
    version: Version,
    body: &'static str,
    members: OnceLock<Members>,
}

impl Class {
    /// The properties it declares, in the order the engine saves them.
    pub fn properties(&self) -> &[Property] {
        &self.members().properties
    }

    /// A property that it declares itself.
    pub fn property(&self, name: &str) -> Option<&Property> {
        self.members().property(name)
    }

    /// The signals it declares.
    pub fn signals(&self) -> &[Signal] {
        &self.members().signals
    }

    /// The methods it declares.
    pub fn methods(&self) -> &[Method] {
        &self.members().methods
    }

    /// The enums it declares.
    pub fn enums(&self) -> &[Enum] {
        &self.members().enums
    }

    /// The constants it declares outside of its enums.
    pub fn constants(&self) -> &[Constant] {
        &self.members().constants
    }

    /// Most classes are never asked for their members: each is read when it is.
    fn members(&self) -> &Members {
        self.members.get_or_init(|| Members::parse(self.body, self.version))
    }
}

impl Classes {
    /// The classes of a version; read once, at the first call.
    pub fn of(version: Version) -> &'static Classes {
        static TABLES: [OnceLock<Classes>; Version::ALL.len()] =
            [const { OnceLock::new() }; Version::ALL.len()];
        TABLES[version as usize].get_or_init(|| table::read(version))
    }

    /// The version these are the classes of.
    pub fn version(&self) -> Version {
        self.version
    }

    /// All classes, by name.
    pub fn all(&self) -> &[Class] {
        &self.classes
    }

    /// The names of all classes, for suggesting one.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        self.classes.iter().map(|class| class.name)
    }

    /// What belongs to no class.
    pub fn globals(&self) -> &Globals {
        &self.globals
    }

    /// The class of that name.
    pub fn class(&self, name: &str) -> Option<&Class> {
        let at = self.classes.binary_search_by(|class| class.name.cmp(name)).ok()?;
        Some(&self.classes[at])
    }

    /// A class and all it inherits from, itself first; nothing for an unknown class.
    pub fn ancestors(&self, name: &str) -> impl Iterator<Item = &Class> {
        let parent = |class: &&Class| self.classes.get(class.parent_at?);
        std::iter::successors(self.class(name), parent).take(DEEPEST)
    }

    /// Whether a class is `base` or inherits from it.
    pub fn inherits(&self, name: &str, base: &str) -> bool {
        self.ancestors(name).any(|class| class.name == base)
    }

    /// The classes that have this one as their parent, by name.
    pub fn children_of(&self, name: &str) -> impl Iterator<Item = &Class> {
        self.classes.iter().filter(move |class| class.parent == Some(name))
    }

    /// A property of a class, also an inherited one.
    pub fn property(&self, class: &str, name: &str) -> Option<&Property> {
        self.ancestors(class).find_map(|class| class.property(name))
    }

    /// All properties of a class, its own first.
    pub fn properties(&self, class: &str) -> impl Iterator<Item = &Property> {
        self.ancestors(class).flat_map(Class::properties)
    }

    /// The value a property has when nobody set it, as text of the file format. It is known for 4.6
    /// and assumed for the others; a class may differ from the one it inherits the property from.
    pub fn default(&self, class: &str, property: &str) -> Option<&'static str> {
        for class in self.ancestors(class) {
            let members = class.members();
            if let Some((_, value)) = members.defaults.iter().find(|(name, _)| *name == property) {
                return Some(value);
            }
            if let Some(found) = members.properties.iter().find(|own| own.name == property) {
                let null = found.stored && found.value.builtin() == Some(Builtin::Object);
                return found.default.or(null.then_some("null"));
            }
        }
        None
    }

    /// A signal of a class, also an inherited one.
    pub fn signal(&self, class: &str, name: &str) -> Option<&Signal> {
        self.signals(class).find(|signal| signal.name == name)
    }

    /// All signals of a class, its own first.
    pub fn signals(&self, class: &str) -> impl Iterator<Item = &Signal> {
        self.ancestors(class).flat_map(Class::signals)
    }

    /// A method of a class, also an inherited one.
    pub fn method(&self, class: &str, name: &str) -> Option<&Method> {
        self.methods(class).find(|method| method.name == name)
    }

    /// All methods of a class, its own first.
    pub fn methods(&self, class: &str) -> impl Iterator<Item = &Method> {
        self.ancestors(class).flat_map(Class::methods)
    }

    /// An enum by the name that types have: `Timer.TimerProcessCallback`, or `Side` for a global one.
    pub fn enumeration(&self, name: &str) -> Option<&Enum> {
        // `Variant.Type` looks like one of a class and is global.
        let global = || self.globals.enums.iter().find(|it| it.name == name);
        let Some((class, own)) = name.split_once('.') else { return global() };
        self.ancestors(class).flat_map(Class::enums).find(|it| it.name == own).or_else(global)
    }

    /// Why a class may store a property that its table does not list: one of a series, or one named
    /// by the project.
    pub fn explains(&self, class: &str, property: &str) -> Option<&'static Rule> {
        rules::find(property, |base| self.inherits(class, base))
    }

    /// The classes and members whose names have all of the words, best first, `limit` at most.
    pub fn search(&self, words: &str, limit: usize) -> Vec<Hit> {
        search::search(self, words, limit)
    }

    /// The versions that have a class of that name, oldest first.
    pub fn versions_of(name: &str) -> Vec<Version> {
        let has = |version: &Version| Classes::of(*version).class(name).is_some();
        Version::ALL.into_iter().filter(has).collect()
    }
}
