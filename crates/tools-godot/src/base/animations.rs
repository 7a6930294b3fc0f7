//! The animations of a player: its libraries, and where each animation stands.

use std::collections::BTreeSet;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_godot::classes::Version;
use scenewright_godot::{Document, Form, Sources, TreeNode, Variant};

use crate::base::held::section_of;
use crate::base::{Godot, Held, OpenScene, refused};

/// A player that is made in the scene which is open.
pub struct Animations {
    /// The path of the node.
    pub player: String,
}

impl Godot<'_> {
    /// The player that a call names. One that comes from another scene is changed there.
    pub fn animations(&self, open: &OpenScene, player: &str) -> Result<Animations, ToolError> {
        let path = self.own_node(open, player, "AnimationPlayer")?;
        if open.scene.format() == Some(2) {
            return Err(ToolError::new(
                ErrorKind::EngineError,
                format!("{} is a scene of Godot 3, which has no animation libraries", open.path),
            )
            .hint("convert the project first"));
        }
        Ok(Animations { player: path })
    }

    /// The path of a node of a class that is made in this scene and nowhere else.
    pub fn own_node(&self, open: &OpenScene, text: &str, base: &str) -> Result<String, ToolError> {
        let path = self.node(open, text)?;
        let tree = self.tree_of(open);
        let node = tree.node(&path).ok_or_else(|| ToolError::not_found("node", text))?;
        let class = node.class.as_deref().unwrap_or("a node of an unknown class");
        if !self.classes().inherits(class, base) {
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{path} is {class}, and this works on {base}"),
            )
            .hint("get_node_tree shows the nodes with their classes"));
        }
        if open.scene.node(&path).is_none_or(|node| node.class().is_none()) {
            let home = node.instance.as_deref().unwrap_or(node.origin.path());
            return Err(ToolError::new(
                ErrorKind::BadArguments,
                format!("{path} comes from {home}, and what it holds is changed there"),
            )
            .hint(format!("call this with scenePath {home}")));
        }
        Ok(path)
    }
}

impl Animations {
    /// The library of a name; the usual one has none.
    pub fn library(
        &self,
        godot: &Godot<'_>,
        open: &OpenScene,
        name: &str,
    ) -> Result<Option<Held>, ToolError> {
        match self.libraries(open).into_iter().find(|(found, _)| found == name) {
            Some((_, value)) => Held::of_scene(godot, open, &value),
            None => Ok(None),
        }
    }

    /// Make a library inside the scene.
    pub fn add_library(
        &self,
        godot: &Godot<'_>,
        open: &mut OpenScene,
        name: &str,
    ) -> Result<Held, ToolError> {
        let id = open.scene.change(|document| {
            document.add_sub_resource("AnimationLibrary", &[], None).map_err(refused)
        })?;
        let library = Variant::SubResource(id.clone());
        let mut all = self.libraries(open);
        let node = open.scene.node(&self.player);
        let node = node.ok_or_else(|| ToolError::not_found("node", &self.player))?;
        let has = |start: &str| node.properties().any(|field| field.key().starts_with(start));
        // Godot 4.6 has a property for each library, and reads the dictionary of older versions.
        let is_dictionary = node.property("libraries").is_some()
            || !has("libraries/") && godot.version() < Version::V4_6;
        let (key, value) = if is_dictionary {
            all.push((name.to_owned(), library));
            all.sort_by(|one, two| one.0.cmp(&two.0));
            let entries = all.into_iter().map(|(name, value)| (Variant::StringName(name), value));
            ("libraries".to_owned(), Variant::Dictionary(None, entries.collect()))
        } else {
            (format!("libraries/{name}"), library)
        };
        // They stand above what only players have.
        let own = godot.classes().class("AnimationPlayer");
        let above = node.properties().map(|field| field.key().into_owned()).find(|key| {
            own.is_some_and(|class| class.properties().iter().any(|own| own.name == key))
        });
        let section = node.section().index();
        open.scene.change(|document| {
            document.set_property_before(section, &key, &value, above.as_deref()).map_err(refused)
        })?;
        Ok(Held::in_scene(id))
    }

    /// The animation that a call names: `walk`, or `library/walk`.
    pub fn find(&self, godot: &Godot<'_>, open: &OpenScene, name: &str) -> Result<Held, ToolError> {
        let missing = || {
            let names = self.names(godot, open).unwrap_or_default();
            let otherwise = match names.len() {
                0 => "the player has no animations; add_animation makes one".to_owned(),
                _ => format!("it has {}", names.into_iter().collect::<Vec<_>>().join(", ")),
            };
            ToolError::not_found("animation", name).hint(otherwise)
        };
        let (library, own) = split_name(name)?;
        let library = self.library(godot, open, library)?.ok_or_else(missing)?;
        let data = library.property(open, "_data");
        let value = data.as_ref().and_then(|data| data.get(own)).ok_or_else(missing)?.clone();
        library.follow(godot, open, &value)?.ok_or_else(missing)
    }

    fn libraries(&self, open: &OpenScene) -> Vec<(String, Variant)> {
        let node = open.scene.node(&self.player);
        let fields = node.into_iter().flat_map(|node| node.properties());
        libraries(fields.map(|field| (field.key().into_owned(), field.value().decode())))
    }

    fn names(&self, godot: &Godot<'_>, open: &OpenScene) -> Option<BTreeSet<String>> {
        animation_names(godot, godot.tree_of(open).node(&self.player)?)
    }
}

/// The library and the name in it: `fx/walk`, or `walk` of the library without a name.
pub fn split_name(name: &str) -> Result<(&str, &str), ToolError> {
    let (library, own) = name.rsplit_once('/').unwrap_or(("", name));
    let is_odd =
        |text: &str| text.contains(['/', ':', ',', '[']) || text.contains(char::is_control);
    if own.is_empty() || is_odd(own) || is_odd(library) {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("'{name}' cannot be the name of an animation"),
        )
        .hint("names have no : , [ and at most one / behind the name of a library"));
    }
    Ok((library, own))
}

/// The libraries among the properties of a player, by name.
fn libraries(properties: impl Iterator<Item = (String, Variant)>) -> Vec<(String, Variant)> {
    let mut found = Vec::new();
    for (key, value) in properties {
        if let Some(name) = key.strip_prefix("libraries/") {
            found.push((name.to_owned(), value));
        } else if key == "libraries" {
            let entries = value.as_dictionary().unwrap_or_default().iter();
            let named = |(name, value): &(Variant, Variant)| {
                Some((name.as_str()?.to_owned(), value.clone()))
            };
            found.extend(entries.filter_map(named));
        }
    }
    found
}

/// The names of all animations of a player, wherever they stand; nothing when a library cannot be
/// read as text.
pub fn animation_names(godot: &Godot<'_>, player: &TreeNode) -> Option<BTreeSet<String>> {
    let mut names = BTreeSet::new();
    for property in &player.properties {
        let document: &Document = property.origin.scene();
        let named = libraries([(property.key.clone(), property.decode())].into_iter());
        for (library, value) in named {
            let data = library_data(godot, document, &value)?;
            let own = data.as_dictionary().unwrap_or_default().iter();
            names.extend(own.filter_map(|(name, _)| name.as_str()).map(
                |name| match library.as_str() {
                    "" => name.to_owned(),
                    library => format!("{library}/{name}"),
                },
            ));
        }
    }
    Some(names)
}

fn library_data(godot: &Godot<'_>, document: &Document, value: &Variant) -> Option<Variant> {
    let read = |document: &Document, section: usize| {
        let data = document.section(section)?.property("_data").map(|data| data.decode());
        Some(data.unwrap_or(Variant::Dictionary(None, Vec::new())))
    };
    match value {
        Variant::SubResource(id) => read(document, section_of(document, Some(id))?),
        Variant::ExtResource(id) => {
            let path = document.ext_resource(id)?.path().into_owned();
            let bytes = Sources::read(godot, &path).filter(|_| path.ends_with(".tres"))?;
            let file = Document::parse(bytes, Form::Resource);
            read(&file, section_of(&file, None)?)
        }
        _ => None,
    }
}

/// An error unless a player has an animation; a player whose libraries cannot be read may have any.
pub fn check_animation(names: Option<&BTreeSet<String>>, animation: &str) -> Result<(), ToolError> {
    let Some(names) = names.filter(|names| !names.contains(animation)) else { return Ok(()) };
    let known: Vec<&str> = names.iter().map(String::as_str).collect();
    let otherwise = format!("the player has {}", known.join(", "));
    Err(ToolError::not_found("animation", animation)
        .hint(suggest::did_you_mean(animation, known, &otherwise)))
}
