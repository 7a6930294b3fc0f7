//! What components, nodes and settings have: their classes and fields, by the words that people have
//! for them. `particle system start colour` names no tool, but a field that can be read and set.
//!
//! The words are those of the engines' own tables, so that any field of any class is found; only what
//! people say instead of a class's name is written by hand.

mod sources;

use std::collections::{BTreeSet, HashMap, HashSet};

use serde_json::{Value, json};

use super::words;

/// The classes of the open projects' engines.
#[derive(Default)]
pub(super) struct Members {
    classes: Vec<Class>,
    /// By a stem of its names: the classes.
    named: HashMap<String, Vec<usize>>,
    /// By a stem: the fields, as class and number.
    fields: HashMap<String, Vec<(usize, usize)>>,
    /// What each class derives from.
    ancestors: Vec<Vec<usize>>,
    /// Classes by their names of several parts, as one stem.
    joined: HashMap<String, usize>,
    /// Words of the names of tools, which are about those before they are about a field.
    of_tools: HashSet<String>,
}

/// A class with fields.
pub(super) struct Class {
    pub(super) name: String,
    bases: Vec<String>,
    pub(super) place: Place,
    fields: Vec<Field>,
    /// The stems of each of its names, its own first.
    names: Vec<Vec<String>>,
}

/// A field of a class.
pub(super) struct Field {
    /// As a tool takes it.
    pub(super) path: String,
    /// The stems of each of its names.
    names: Vec<Vec<String>>,
    /// A value of its kind.
    pub(super) sample: Value,
}

/// Where objects of a class are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// On a GameObject of Unity.
    Component,
    /// In an asset of Unity, or a settings file with this path.
    Asset(&'static str),
    /// In the `.meta` of an asset of Unity: how it is imported.
    Imported,
    /// In a scene of Godot.
    Node,
    /// In a resource of Godot.
    Resource,
    /// In `project.godot`.
    Setting,
}

/// What words of a question are about.
pub(super) struct About<'m> {
    pub(super) class: &'m Class,
    /// Nothing where only the class is named.
    pub(super) field: Option<&'m Field>,
    /// The stems of the question that name them, and how exactly each does.
    pub(super) words: HashMap<String, f32>,
}

/// The classes that verbs are about, where nothing else is named.
const DONE_TO: &[&str] = &["Transform", "GameObject", "Node2D", "CanvasItem", "Node3D"];
/// Words for whatever has a field, by their stems.
const OBJECTS: &[&str] =
    &["object", "gameobject", "component", "nod", "inspector", "property", "field"];
/// What a field counts of which most words are said, and no class that has it.
const MOST: f32 = 0.6;
/// A word with this many classes says little about which is meant.
const FEW: usize = 6;
/// What a word counts that is said instead of the name's own.
const SAID: f32 = 0.7;
/// Parts of names that people leave out, by their stems.
const OPTIONAL: &[&str] = &[
    "count",
    "mod",
    "typ",
    "valu",
    "us",
    "allow",
    "enabl",
    "settings",
    "plan",
    "asset",
    "horizontal",
    "vertical",
    "scal",
];
/// What the words of a field count, against those of its class.
const FIELD: f32 = 1.3;
/// What a field loses that is asked for last.
const FIRST: f32 = 0.3;
/// What the class adds that is named whole, against one of which a part is named.
const WHOLE: f32 = 0.5;

impl Members {
    pub(super) fn new(classes: Vec<Class>) -> Self {
        let mut members = Members { classes, ..Members::default() };
        for (at, class) in members.classes.iter().enumerate() {
            if let Some(name) = class.names.first().filter(|name| name.len() > 1) {
                members.joined.entry(name.concat()).or_insert(at);
            }
            for stem in class.names.iter().flatten().collect::<HashSet<_>>() {
                members.named.entry(stem.clone()).or_default().push(at);
            }
            for (number, field) in class.fields.iter().enumerate() {
                for stem in field.names.iter().flatten().collect::<HashSet<_>>() {
                    members.fields.entry(stem.clone()).or_default().push((at, number));
                }
            }
        }
        members.ancestors = ancestors(&members.classes);
        members
    }

    /// Leave words that tools have in their names to these.
    pub(super) fn leave_to_tools(&mut self, words: HashSet<String>) {
        self.of_tools = words;
    }

    /// The parts of a class that is written as one word: `spotlight`.
    pub(super) fn parts(&self, word: &str) -> Option<&[String]> {
        let first = self.joined.get(word)?;
        Some(&self.classes[*first].names[0])
    }

    /// Whether it is the name of a class as code has it: of several words, or with a dimension.
    pub(super) fn is_class(&self, name: &str) -> bool {
        let is_written =
            name.chars().skip(1).any(char::is_uppercase) || name.starts_with(char::is_uppercase);
        is_written && self.classes.iter().any(|class| class.name == name)
    }

    /// Whether a class or a field has the word in its name.
    pub(super) fn has_stem(&self, word: &str) -> bool {
        self.named.contains_key(word)
            || self.fields.contains_key(word)
            || self.joined.contains_key(word)
    }

    /// The words of the names of classes, and these as one word.
    pub(super) fn stems(&self) -> impl Iterator<Item = &str> {
        self.named.keys().chain(self.joined.keys()).map(String::as_str)
    }

    /// Whether something has this name, as it is written in code.
    pub(super) fn has(&self, name: &str) -> bool {
        let joined = words::stems(&name.to_lowercase()).concat();
        let is = |names: &[Vec<String>]| names.iter().any(|name| name.concat() == joined);
        let stems = words::stems(name);
        let Some(first) = stems.first() else { return false };
        let classes = self.named.get(first).into_iter().flatten();
        let mut fields = self.fields.get(first).into_iter().flatten();
        classes.clone().any(|at| is(&self.classes[*at].names))
            || fields.any(|(class, at)| is(&self.classes[*class].fields[*at].names))
    }

    /// The class and field that a question is about, given as stems with what each counts.
    /// `is_verb` tells that the first is what is to be done.
    pub(super) fn about(&self, asked: &[(String, f32)], is_verb: bool) -> Option<About<'_>> {
        let classes = self.classes_of(asked);
        let done = || self.done(asked).filter(|_| is_verb);
        let class = || self.class_of(&classes);
        let mut about = self.field_of(asked, &classes).or_else(done).or_else(class)?;
        // The parts of a name are of it, too: tools have them.
        let joined = about.class.names.iter().find(|name| about.words.contains_key(&name.concat()));
        for part in joined.into_iter().flatten() {
            about.words.entry(part.clone()).or_insert(1.0);
        }
        Some(about)
    }

    /// The class alone.
    fn class_of(&self, classes: &HashMap<usize, Named>) -> Option<About<'_>> {
        let (at, named) = best_of(classes.iter())?;
        let class = &self.classes[at];
        // Resources have tools of their own.
        let has_own = [Place::Resource, Place::Setting].contains(&class.place);
        let is_found = named.is_whole && !has_own;
        is_found.then(|| About { class, field: None, words: named.words.clone() })
    }

    /// The classes that are named, in whole or in part.
    fn classes_of(&self, asked: &[(String, f32)]) -> HashMap<usize, Named> {
        let candidates = asked.iter().flat_map(|(word, _)| said_for(word));
        let candidates: HashSet<usize> = candidates
            .flat_map(|(word, _)| self.named.get(word).into_iter().flatten().copied())
            .collect();
        let of = |at: usize| {
            let class = &self.classes[at];
            // The first is its own; others are only said for it.
            let names = class.names.iter().enumerate().map(|(number, name)| {
                let named = Named::of(name, asked);
                if number == 0 { named } else { named.said() }
            });
            let best = names.max_by(|a, b| a.score.total_cmp(&b.score))?;
            let least = if class.place == Place::Resource { 1.0 } else { 0.5 };
            (best.share >= least).then_some((at, best))
        };
        candidates.into_iter().filter_map(of).collect()
    }

    /// The field that the most words name.
    fn field_of(
        &self,
        asked: &[(String, f32)],
        classes: &HashMap<usize, Named>,
    ) -> Option<About<'_>> {
        let stems = asked.iter().flat_map(|(word, _)| said_for(word));
        let candidates: BTreeSet<(usize, usize)> = stems
            .flat_map(|(word, _)| self.fields.get(word).into_iter().flatten().copied())
            .collect();
        let mut best: Option<(f32, About<'_>)> = None;
        let place = |word: &String| asked.iter().position(|(one, _)| one == word);
        for (at, number) in candidates {
            let field = &self.classes[at].fields[number];
            let names = field.names.iter().map(|name| Named::of(name, asked));
            let named = names.max_by(|a, b| a.score.total_cmp(&b.score));
            let Some(named) = named.filter(|named| named.is_whole) else { continue };
            // The class that is named and has the field, itself or from a base.
            let has = |one: &usize| *one == at || self.ancestors[*one].contains(&at);
            let of = best_of(classes.iter().filter(|(one, _)| has(one)));
            // What is asked for stands first.
            let first = named.words.keys().filter_map(place).min().unwrap_or_default();
            let later = FIRST * first as f32 / asked.len().max(1) as f32;
            let (class, score, words) = match of {
                Some((class, of)) => match of.with(&named) {
                    Some((score, words)) => (class, score, words),
                    None => continue,
                },
                None => match self.says_enough(&named, asked) {
                    Some(share) => (at, named.score * share, named.words),
                    None => continue,
                },
            };
            let score = score + sources::likely(&self.classes[class].name, asked) - later;
            if best.as_ref().is_none_or(|(known, _)| score > *known) {
                let about = About { class: &self.classes[class], field: Some(field), words };
                best = Some((score, about));
            }
        }
        let mut about = best.map(|(_, about)| about)?;
        // `wait time and autostart` are two fields.
        for field in &about.class.fields {
            let names = field.names.iter().map(|name| Named::of(name, asked));
            for (word, exact) in names.filter(|named| named.is_all).flat_map(|named| named.words) {
                about.words.entry(word).or_insert(exact);
            }
        }
        Some(about)
    }

    /// How far a field is meant although no class is named that has it: all of its words are said, or most
    /// of them and few classes have them; one word alone is its own, and of few classes or of an object.
    fn says_enough(&self, named: &Named, asked: &[(String, f32)]) -> Option<f32> {
        let classes = |word: &String| -> HashSet<usize> {
            let all = self.fields.get(word).into_iter().flatten();
            all.map(|(class, _)| *class).collect()
        };
        let is_exact = named.words.values().all(|exact| *exact == 1.0);
        let all = named.words.keys().map(classes).reduce(|one, two| &one & &two);
        let is_rare = all.is_some_and(|all| all.len() <= FEW);
        let is_own = named.words.keys().all(|word| !self.of_tools.contains(word));
        let is_of_object = || asked.iter().any(|(word, _)| OBJECTS.contains(&&**word));
        match named.words.len() {
            1 if named.is_all && is_exact && (is_rare && is_own || is_of_object()) => Some(1.0),
            1 => None,
            _ if named.is_all => Some(1.0),
            _ => (is_exact && is_rare).then_some(MOST),
        }
    }

    /// What a verb does to an object: `hide the panel`, `rotate the sun`.
    fn done(&self, asked: &[(String, f32)]) -> Option<About<'_>> {
        let (verb, _) = asked.first()?;
        let is_it = |field: &Field| {
            let [name] = &field.names[..] else { return false };
            matches!(&name[..], [only] if said_for(verb).any(|(word, _)| word == only))
        };
        let find = |name: &&str| {
            let class = self.classes.iter().find(|class| class.name == **name)?;
            let field = class.fields.iter().find(|field| is_it(field))?;
            let words = HashMap::from([(verb.clone(), SAID * FIELD)]);
            Some(About { class, field: Some(field), words })
        };
        DONE_TO.iter().find_map(find)
    }
}

/// What each class derives from, near and far.
fn ancestors(classes: &[Class]) -> Vec<Vec<usize>> {
    /// More than any class has.
    const DEEPEST: usize = 16;
    let by_name: HashMap<&str, usize> =
        classes.iter().enumerate().map(|(at, class)| (&*class.name, at)).collect();
    let bases = |class: &Class| -> Vec<usize> {
        class.bases.iter().filter_map(|base| by_name.get(&**base).copied()).collect()
    };
    let of = |class: &Class| {
        let (mut all, mut next) = (Vec::new(), bases(class));
        for _ in 0..DEEPEST {
            next.retain(|base| !all.contains(base));
            all.extend(next.iter().copied());
            next = next.iter().flat_map(|base| bases(&classes[*base])).collect();
        }
        all
    };
    classes.iter().map(of).collect()
}

/// The class that is named best; of equals the first.
fn best_of<'n>(
    classes: impl Iterator<Item = (&'n usize, &'n Named)>,
) -> Option<(usize, &'n Named)> {
    let best = classes.max_by(|a, b| a.1.score.total_cmp(&b.1.score).then(b.0.cmp(a.0)));
    best.map(|(class, named)| (*class, named))
}

/// How a question names something.
struct Named {
    /// The stems of the question that do, and how exactly.
    words: HashMap<String, f32>,
    /// How much they count.
    score: f32,
    /// How much of the name they are.
    share: f32,
    /// All of it that people say.
    is_all: bool,
    /// Most of it.
    is_whole: bool,
}

impl Named {
    fn of(name: &[String], asked: &[(String, f32)]) -> Named {
        // `ColorRect` in a question is the class, and says nothing of a colour.
        let joined = name.concat();
        let is_joined = |(word, _): &&(String, f32)| name.len() > 1 && *word == joined;
        if let Some((word, share)) = asked.iter().find(is_joined) {
            let words = HashMap::from([(word.clone(), 1.0)]);
            return Named { words, score: 2.0 * share, share: 1.0, is_all: true, is_whole: true };
        }
        let (mut words, mut score, mut found) = (HashMap::new(), 0.0, 0);
        let is_needed = |part: &&String| !OPTIONAL.contains(&&***part);
        let needed = name.iter().filter(is_needed).count();
        for part in name {
            let said = |(word, share): &(String, f32)| {
                let (_, counts) = said_for(word).find(|(said, _)| said == part)?;
                Some((word.clone(), share * counts, counts))
            };
            let best = asked.iter().filter_map(said).max_by(|a, b| a.1.total_cmp(&b.1));
            if let Some((word, counts, exact)) = best {
                score += counts;
                found += 1;
                words.insert(word, exact);
            }
        }
        let share = found as f32 / name.len().max(1) as f32;
        // Of long names people say the most part.
        let is_most = found > 1 && 3 * found >= 2 * needed;
        let is_all = found > 0 && (needed > 0 && found >= needed || found == name.len());
        let is_whole = is_all || is_most;
        // What is left of a name makes it less likely.
        Named { words, score: score * share, share, is_all, is_whole }
    }
}

impl Named {
    /// The score and the words of a class with those of a field of it; nothing where the words of the class
    /// are all that names the field.
    fn with(&self, field: &Named) -> Option<(f32, HashMap<String, f32>)> {
        let both = field.words.keys().filter(|word| self.words.contains_key(*word)).count();
        if both == field.words.len() && both < 2 {
            return None;
        }
        let mut words = self.words.clone();
        for (word, exact) in &field.words {
            let known = words.entry(word.clone()).or_default();
            *known = known.max(*exact * FIELD);
        }
        // Words that name both say less than two.
        let whole = if self.is_whole { WHOLE } else { 0.0 };
        Some((field.score + self.score + whole - both as f32, words))
    }

    /// The same by a name that is not its own.
    fn said(mut self) -> Named {
        self.words.values_mut().for_each(|exact| *exact *= SAID);
        Named { score: self.score * SAID, ..self }
    }
}

/// The stems that a word of a question may stand for in names: itself, and others that mean the same of
/// a value.
fn said_for(word: &str) -> impl Iterator<Item = (&str, f32)> {
    std::iter::once((word, 1.0)).chain(words::said(word).iter().map(|other| (other.as_str(), SAID)))
}

impl Class {
    fn new(name: &str, bases: Vec<String>, place: Place) -> Self {
        let own = std::iter::once(words::name_stems(name));
        let names = own.chain(sources::also(name).iter().map(|other| words::name_stems(other)));
        let names = names.filter(|name| !name.is_empty()).collect();
        Class { name: name.to_owned(), bases, place, fields: Vec::new(), names }
    }
}

impl About<'_> {
    /// What is set, as arguments of a tool; nothing where the class is none that the tool is for.
    pub(super) fn example(&self, tool: &str) -> Option<Value> {
        let class = &*self.class.name;
        let field = self.field;
        let value = || field.map_or(json!(1), |field| field.sample.clone());
        let path = || field.map(|field| field.path.clone());
        const SCENE: &str = "Assets/Scenes/Main.unity";
        const OBJECT: &str = "Path/To/Object";
        Some(match (tool, self.class.place) {
            ("unity.edit", Place::Component) => {
                let change = match path() {
                    Some(path) if class == "GameObject" => {
                        json!({ "op": "set", "object": OBJECT, "field": path, "value": value() })
                    }
                    Some(path) => {
                        json!({ "op": "set", "object": OBJECT, "component": class, "field": path, "value": value() })
                    }
                    None => json!({ "op": "addComponent", "object": OBJECT, "component": class }),
                };
                json!({ "path": SCENE, "changes": [change] })
            }
            ("unity.edit", Place::Asset(file)) => {
                let change = json!({ "op": "set", "field": path()?, "value": value() });
                json!({ "path": file, "changes": [change] })
            }
            ("asset.importSettings", Place::Imported) => {
                json!({ "path": "Assets/Path/To/Asset", "settings": { path()?: value() } })
            }
            ("component.setProperty", Place::Component) => {
                json!({ "hierarchyPath": OBJECT, "componentType": class, "propertyPath": path()?, "value": value() })
            }
            ("component.add", Place::Component) => {
                json!({ "hierarchyPath": OBJECT, "componentType": class })
            }
            ("scene.query", Place::Component) => match path() {
                Some(path) => {
                    let condition = json!({ "field": path, "op": "equals", "value": value() });
                    json!({ "componentType": class, "where": [condition] })
                }
                None => json!({ "componentType": class }),
            },
            ("scene.components.list", Place::Component) => {
                let fields: Vec<String> = path().into_iter().collect();
                json!({ "scenePath": SCENE, "gameObjectPath": OBJECT, "types": [class], "fields": fields })
            }
            ("godotScene.editNode", Place::Node) => {
                json!({ "scenePath": "res://main.tscn", "nodePath": "Path/To/Node", "properties": { path()?: value() } })
            }
            ("godotScene.getNodeProperties", Place::Node) => {
                json!({ "scenePath": "res://main.tscn", "nodePath": "Path/To/Node", "names": [path()?] })
            }
            ("godotScene.findNodes", Place::Node) => match path() {
                Some(path) => json!({ "type": class, "property": path, "value": value() }),
                None => json!({ "type": class }),
            },
            ("godotScene.addNode", Place::Node) if field.is_none() => {
                json!({ "scenePath": "res://main.tscn", "nodeType": class, "nodeName": class })
            }
            ("godotProject.setProjectSetting", Place::Setting) => {
                json!({ "key": path()?, "value": value() })
            }
            ("godotProject.getProjectSettings", Place::Setting) => json!({ "key": path()? }),
            ("godotResource.modifyResource", Place::Resource) => {
                json!({ "resourcePath": "res://path/to/resource.tres", "properties": { path()?: value() } })
            }
            _ => return None,
        })
    }
}

pub(super) use sources::of;

#[cfg(test)]
mod tests;
