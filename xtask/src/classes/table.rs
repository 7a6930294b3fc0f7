//! One text for all versions: a line says one thing, and the versions it is true for when they are
//! not all that its class has. Fields are separated by tabs, empty ones at the end are left out.
//!
//! ```text
//! B name                          a builtin type
//! U name                          a utility function
//! O name type                     a singleton
//! C name parent flags             a class; `e` editor, `a` abstract; with several parents, several lines
//! P name type flags hint default  a property; `-` not stored, `h` not shown, `r` read-only
//! D name value                    a default of an inherited property that differs here
//! S name arg:type...              a signal
//! M name type flags arg:type=default...
//!                                 a method; `c` const, `s` static, `v` virtual, `*` any arguments
//! E name NAME=value...            an enum, `!` before the name of a set of flags
//! K name value                    a constant
//! ```
//!
//! What comes before the first class is global; an empty line is before each class. Versions are
//! hexadecimal digits before the letter, one bit each.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fmt::Write;

use anyhow::{Context, Result};

use super::api::{Api, Argument, Class, Constant, Enum, Method, Property, PropertyFacts, Row};
use super::defaults::Defaults;
use super::{ENGINE, VERSIONS};

const USAGE_STORAGE: u32 = 1 << 1;
const USAGE_EDITOR: u32 = 1 << 2;
const USAGE_CLASS_IS_ENUM: u32 = 1 << 16;
const USAGE_NIL_IS_VARIANT: u32 = 1 << 17;
/// The heading of a growing list; its elements are the properties.
const USAGE_ARRAY: u32 = 1 << 18;

pub(super) fn write(dumps: &[Api], facts: &BTreeMap<String, PropertyFacts>) -> Result<String> {
    let engine = VERSIONS.iter().position(|version| *version == ENGINE);
    let engine = engine.context("the engine's version is one of the versions")?;
    let tree = parents_first(&dumps[engine]);
    let defaults = Defaults::of(&tree, facts);
    let mut text = String::new();
    let all = (1 << VERSIONS.len()) - 1;
    write_lines(&mut text, all, &merge(engine, dumps.len(), |at| global_lines(&dumps[at])));

    let builtins: HashSet<&str> =
        dumps[engine].builtin_classes.iter().map(|builtin| builtin.name.as_str()).collect();
    let indexes: Vec<Index> = dumps.iter().map(Index::of).collect();
    let names: BTreeSet<&str> =
        indexes.iter().flat_map(|index| index.classes.keys().copied()).collect();
    for name in names {
        let headers = merge(engine, dumps.len(), |at| {
            indexes[at].classes.get(name).map(|class| header(class)).into_iter().collect()
        });
        let present = headers.iter().fold(0, |mask, line| mask | line.versions);
        text.push('\n');
        write_lines(&mut text, all, &headers);
        let source = Source {
            name,
            facts: facts.get(name),
            listed: indexes[engine].property_names(name),
            inherited: inherited(name, &tree, facts),
            defaults: &defaults,
            builtins: &builtins,
        };
        let members = merge(engine, dumps.len(), |at| {
            let class = indexes[at].classes.get(name);
            class.map(|class| source.lines(class, &indexes[at])).unwrap_or_default()
        });
        write_lines(&mut text, present, &members);
    }
    Ok(text)
}

/// A line, and a bit for every version that has it.
struct Line {
    versions: u32,
    text: String,
}

/// The lines of all versions in the order of `first`; what only others have comes where they have it.
fn merge(first: usize, count: usize, lines: impl Fn(usize) -> Vec<String>) -> Vec<Line> {
    let mut merged: Vec<Line> = Vec::new();
    let newest_first = (0..count).rev().filter(|at| *at != first);
    for version in std::iter::once(first).chain(newest_first) {
        let mut cursor = 0;
        for text in lines(version) {
            let at = match merged.iter().position(|line| line.text == text) {
                Some(at) => at,
                None => {
                    merged.insert(cursor, Line { versions: 0, text });
                    cursor
                }
            };
            merged[at].versions |= 1 << version;
            cursor = at + 1;
        }
    }
    merged
}

fn write_lines(text: &mut String, usual: u32, lines: &[Line]) {
    for line in lines {
        if line.versions != usual {
            write!(text, "{:x}", line.versions).expect("a string takes everything");
        }
        text.push_str(line.text.trim_end_matches('\t'));
        text.push('\n');
    }
}

/// The classes and methods of one version by name.
struct Index<'a> {
    classes: BTreeMap<&'a str, &'a Class>,
    methods: HashMap<(&'a str, &'a str), &'a Method>,
}

impl<'a> Index<'a> {
    fn of(api: &'a Api) -> Index<'a> {
        let classes = api.classes.iter().map(|class| (class.name.as_str(), class)).collect();
        let methods = api.classes.iter().flat_map(|class| {
            let name = class.name.as_str();
            class.methods.iter().map(move |method| ((name, method.name.as_str()), method))
        });
        Index { classes, methods: methods.collect() }
    }

    fn property_names(&self, class: &str) -> HashSet<&'a str> {
        let properties = self.classes.get(class).into_iter().flat_map(|class| &class.properties);
        properties.map(|property| property.name.as_str()).collect()
    }

    /// What a method of a class or of one above it returns.
    fn returns(&self, class: &str, method: &str) -> Option<&'a str> {
        let mut class = *self.classes.get(class)?;
        loop {
            if let Some(method) = self.methods.get(&(class.name.as_str(), method)) {
                return method.return_value.as_ref().map(|value| value.r#type.as_str());
            }
            class = self.classes.get(class.inherits.as_str())?;
        }
    }
}

/// What is known of a class besides the dump of a version.
struct Source<'a> {
    name: &'a str,
    facts: Option<&'a PropertyFacts>,
    /// Names that the engine lists in its dump; a version that does not list them has no such thing.
    listed: HashSet<&'a str>,
    /// Names that instances of a class above add already.
    inherited: HashSet<&'a str>,
    defaults: &'a Defaults<'a>,
    builtins: &'a HashSet<&'a str>,
}

impl Source<'_> {
    fn lines(&self, class: &Class, index: &Index) -> Vec<String> {
        let mut lines = self.properties(class, index);
        lines.extend(
            self.defaults.differing(self.name).map(|(name, value)| format!("D{name}\t{value}")),
        );
        for signal in &class.signals {
            lines.push(format!("S{}{}", signal.name, arguments(&signal.arguments)));
        }
        lines.extend(class.methods.iter().map(method));
        lines.extend(class.enums.iter().map(enumeration));
        lines.extend(class.constants.iter().map(constant));
        lines
    }

    /// In the engine's own order, which is the one it saves in, as far as the engine was asked.
    fn properties(&self, class: &Class, index: &Index) -> Vec<String> {
        let listed = |property: &Property| {
            let row = self.own_rows().find(|row| row.name == property.name);
            // For an array of resources some dumps say what the resources are, and not the array.
            let array = self.builtin(&property.r#type) == "Object"
                && row.is_some_and(|row| row.r#type == "Array");
            let dumped = if array { "Array" } else { &property.r#type };
            let returns = index.returns(self.name, &property.getter);
            let enumeration = returns.filter(|name| dumped == "int" && name.contains("::"));
            let type_name = readable(enumeration.unwrap_or(dumped));
            let fact = row.filter(|row| self.builtin(dumped) == row.r#type);
            self.property(&property.name, &type_name, property.setter.is_none(), fact)
        };
        let mut rest: Vec<&Property> = class.properties.iter().collect();
        let mut lines = Vec::new();
        for row in self.own_rows() {
            match rest.iter().position(|property| property.name == row.name) {
                Some(at) => lines.push(listed(rest.remove(at))),
                None if self.listed.contains(row.name.as_str())
                    || is_heading(row)
                    || is_numbered(&row.name) => {}
                None => lines.push(self.unlisted(row)),
            }
        }
        lines.extend(rest.into_iter().map(listed));
        let added = self.facts.iter().flat_map(|facts| &facts.added);
        let fixed = added.filter(|row| {
            let digits = row.name.split('/').any(|part| part.bytes().all(|b| b.is_ascii_digit()));
            !digits && !is_numbered(&row.name) && !self.inherited.contains(row.name.as_str())
        });
        lines.extend(fixed.map(|row| self.unlisted(row)));
        lines
    }

    fn own_rows(&self) -> impl Iterator<Item = &Row> {
        self.facts.into_iter().flat_map(|facts| &facts.own)
    }

    /// A property that only the engine tells of. It counts for all versions that have the class.
    fn unlisted(&self, row: &Row) -> String {
        self.property(&row.name, &row_type(row), false, Some(row))
    }

    fn property(&self, name: &str, type_name: &str, read_only: bool, fact: Option<&Row>) -> String {
        let mut flags = String::new();
        if let Some(row) = fact {
            // An override of a theme is stored as soon as it is set, and is listed as not stored.
            if row.usage & USAGE_STORAGE == 0 && !name.starts_with("theme_override_") {
                flags.push('-');
            }
            if row.usage & USAGE_EDITOR == 0 {
                flags.push('h');
            }
        }
        if read_only {
            flags.push('r');
        }
        let hint = fact.map(hint).unwrap_or_default();
        let default = fact.and_then(|_| self.defaults.declared(self.name, name));
        let default = default.map(String::as_str).unwrap_or_default();
        format!("P{name}\t{type_name}\t{flags}\t{hint}\t{default}")
    }

    /// The builtin type that holds values of a type.
    fn builtin<'t>(&self, type_name: &'t str) -> &'t str {
        match type_name.split_once("::") {
            Some(("typedarray", _)) => "Array",
            Some(("typeddictionary", _)) => "Dictionary",
            Some(_) => "int",
            None if type_name == "Variant" => "Nil",
            None if self.builtins.contains(type_name) => type_name,
            None => "Object",
        }
    }
}

/// The classes of a version with their parents, each after its parent.
fn parents_first(api: &Api) -> Vec<(&str, &str)> {
    let mut children: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for class in &api.classes {
        children.entry(&class.inherits).or_default().push(&class.name);
    }
    let mut found = Vec::new();
    let mut waiting = vec![""];
    while let Some(parent) = waiting.pop() {
        for child in children.remove(parent).unwrap_or_default() {
            found.push((child, parent));
            waiting.push(child);
        }
    }
    found
}

fn inherited<'a>(
    name: &str,
    tree: &[(&'a str, &'a str)],
    facts: &'a BTreeMap<String, PropertyFacts>,
) -> HashSet<&'a str> {
    let parent = |class: &str| tree.iter().find(|(name, _)| *name == class).map(|(_, up)| *up);
    let above = std::iter::successors(parent(name), |class| parent(class));
    above
        .filter_map(|class| facts.get(class))
        .flat_map(|facts| facts.added.iter().map(|row| row.name.as_str()))
        .collect()
}

fn global_lines(api: &Api) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    lines.extend(api.builtin_classes.iter().map(|builtin| format!("B{}", builtin.name)));
    lines.extend(api.utility_functions.iter().map(|function| format!("U{}", function.name)));
    lines.extend(api.singletons.iter().map(|one| format!("O{}\t{}", one.name, one.r#type)));
    lines.extend(api.global_enums.iter().map(enumeration));
    lines.extend(api.global_constants.iter().map(constant));
    lines
}

fn header(class: &Class) -> String {
    let editor = if class.api_type == "editor" { "e" } else { "" };
    let abstract_ = if class.is_instantiable { "" } else { "a" };
    format!("C{}\t{}\t{editor}{abstract_}", class.name, class.inherits)
}

fn method(method: &Method) -> String {
    let flags = [
        (method.is_const, 'c'),
        (method.is_static, 's'),
        (method.is_virtual, 'v'),
        (method.is_vararg, '*'),
    ];
    let flags: String = flags.into_iter().filter(|(on, _)| *on).map(|(_, flag)| flag).collect();
    let returns = method.return_value.as_ref().map(|value| readable(&value.r#type));
    let returns = returns.unwrap_or_default();
    format!("M{}\t{returns}\t{flags}{}", method.name, arguments(&method.arguments))
}

fn arguments(arguments: &[Argument]) -> String {
    let one = |argument: &Argument| {
        let default = argument.default_value.as_ref();
        let default = default.map(|value| format!("={}", value.replace('\n', " ")));
        let type_name = readable(&argument.r#type);
        format!("\t{}:{type_name}{}", argument.name, default.unwrap_or_default())
    };
    arguments.iter().map(one).collect()
}

fn enumeration(it: &Enum) -> String {
    let values: String =
        it.values.iter().map(|value| format!("\t{}={}", value.name, value.value)).collect();
    format!("E{}{}{values}", if it.is_bitfield { "!" } else { "" }, it.name)
}

fn constant(it: &Constant) -> String {
    format!("K{}\t{}", it.name, it.value)
}

/// Containers as GDScript writes them; `24/17:Mesh` is how the engine says "a resource, a Mesh".
fn readable(type_name: &str) -> String {
    let element = |text: &str| text.rsplit(':').next().unwrap_or(text).to_owned();
    match type_name.split_once("::") {
        Some(("typedarray", of)) => format!("Array[{}]", element(of)),
        Some(("typeddictionary", of)) => {
            let (key, value) = of.split_once(';').unwrap_or((of, "Variant"));
            format!("Dictionary[{}, {}]", element(key), element(value))
        }
        _ => type_name.to_owned(),
    }
}

fn row_type(row: &Row) -> String {
    const HINT_ARRAY_TYPE: u32 = 31;
    const HINT_DICTIONARY_TYPE: u32 = 38;
    match row.r#type.as_str() {
        "Object" if !row.class.is_empty() => row.class.clone(),
        "Array" if row.hint == HINT_ARRAY_TYPE => {
            readable(&format!("typedarray::{}", row.hint_text))
        }
        "Dictionary" if row.hint == HINT_DICTIONARY_TYPE => {
            readable(&format!("typeddictionary::{}", row.hint_text))
        }
        "int" if row.usage & USAGE_CLASS_IS_ENUM != 0 => format!("enum::{}", row.class),
        "Nil" if row.usage & USAGE_NIL_IS_VARIANT != 0 => "Variant".to_owned(),
        other => other.to_owned(),
    }
}

/// A letter for the kind, then the engine's text.
fn hint(row: &Row) -> String {
    let text = row.hint_text.replace(['\n', '\t'], " ");
    let kind = match row.hint {
        _ if text.is_empty() => return String::new(),
        0 => 'u',       // A unit, "suffix:px".
        1 => 'r',       // A range.
        2 => 'e',       // One of several.
        3 => 's',       // Several, or anything else.
        6 => 'f',       // A set of flags.
        13 => 'p',      // Patterns of file names.
        26 | 34 => 'n', // Classes of nodes.
        _ => return String::new(),
    };
    format!("{kind}{text}")
}

fn is_heading(row: &Row) -> bool {
    row.usage & USAGE_ARRAY != 0 && row.usage & USAGE_STORAGE == 0
}

/// `frame_0/texture`: one of many alike, which a rule explains.
fn is_numbered(name: &str) -> bool {
    let Some((first, _)) = name.split_once('/') else { return false };
    let Some((_, number)) = first.rsplit_once('_') else { return false };
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn merges_versions_in_the_order_of_the_first() {
        let versions = [vec!["old", "a"], vec!["a", "b", "c"], vec!["a", "new", "c"]];
        let lines = |at: usize| versions[at].iter().map(|line| (*line).to_owned()).collect();
        let merged = merge(1, 3, lines);
        let found: Vec<_> = merged.iter().map(|line| (&*line.text, line.versions)).collect();
        assert_eq!(found, [("old", 1), ("a", 7), ("new", 4), ("b", 2), ("c", 6)]);
        let mut text = String::new();
        write_lines(&mut text, 7, &merged);
        assert_eq!(text, "1old\na\n4new\n2b\n6c\n");
    }

    #[test]
    fn writes_types_as_gdscript_does() {
        let cases = [
            ("typedarray::24/17:CompositorEffect", "Array[CompositorEffect]"),
            ("typedarray::NodePath", "Array[NodePath]"),
            ("typeddictionary::int;String", "Dictionary[int, String]"),
            ("enum::Timer.TimerProcessCallback", "enum::Timer.TimerProcessCallback"),
            ("Texture2D", "Texture2D"),
        ];
        assert_eq!(cases.map(|(from, _)| readable(from)), cases.map(|(_, to)| to));
    }

    #[test]
    fn knows_the_numbered() {
        let numbered = ["frame_0/texture", "blend_point_12/node"];
        let others = ["glow_levels/1", "angular_limit/enable", "layer_x/y", "frame_0"];
        assert!(numbered.into_iter().all(is_numbered) && !others.into_iter().any(is_numbered));
    }
}
