//! What C# calls the fields of native classes, where the field does not tell.

use std::sync::LazyLock;

use super::is_a;

/// Class, field, property, and type or nothing.
static PROPERTIES: LazyLock<Vec<[&str; 4]>> = LazyLock::new(|| {
    let lines = include_str!("../../data/properties.txt").lines();
    let words = |line: &'static str| {
        let mut words = line.split(' ');
        let [class, field, name] = [words.next()?, words.next()?, words.next()?];
        Some([class, field, name, words.next().unwrap_or_default()])
    };
    lines.filter(|line| !line.starts_with('#')).filter_map(words).collect()
});

/// Class, name, and the path of the field that it means.
static NAMES: LazyLock<Vec<[&str; 3]>> = LazyLock::new(|| {
    let lines = include_str!("../../data/names.txt").lines();
    let words = |line: &'static str| {
        let mut words = line.split(' ');
        Some([words.next()?, words.next()?, words.next()?])
    };
    lines.filter(|line| !line.starts_with('#')).filter_map(words).collect()
});

/// The paths that something may mean which is no field of a native class and no property of one: `name`,
/// or what begins with it.
pub fn other_paths(class: &str, name: &str) -> impl Iterator<Item = String> {
    paths_of(name, move |of| is_a(class, of))
}

/// The paths that something means in a script of one of Unity's packages, also where the script has a
/// field of that name; `is` says which classes it derives from.
pub fn paths_in_script(name: &str, is: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    // Those with a namespace are classes of packages.
    paths_of(name, move |of| of.contains('.') && is(of))
}

fn paths_of(name: &str, is: impl Fn(&str) -> bool) -> impl Iterator<Item = String> {
    NAMES.iter().filter_map(move |[of, known, path]| {
        let rest = name.strip_prefix(known)?;
        let is_it = (rest.is_empty() || rest.starts_with(['.', '['])) && is(of);
        is_it.then(|| format!("{path}{rest}"))
    })
}

/// The property of C# for a field of a class, and its type; both only where the field does not tell
/// them.
pub fn property_of(class: &str, field: &str) -> Option<(&'static str, &'static str)> {
    let is_it = |[of, from, ..]: &&[&str; 4]| *from == field && is_a(class, of);
    PROPERTIES.iter().find(is_it).map(|[_, _, name, ty]| (*name, *ty))
}

/// The field of a property that C# has, and its type.
pub fn property_field(class: &str, name: &str) -> Option<(&'static str, &'static str)> {
    let is_it = |[of, _, known, _]: &&[&str; 4]| *known == name && is_a(class, of);
    PROPERTIES.iter().find(is_it).map(|[_, field, _, ty]| (*field, *ty))
}

/// What C# calls the field at a path of a class, beside what the path says.
pub fn names_of(class: &str, path: &str) -> impl Iterator<Item = &'static str> {
    let is = move |of: &str| of == class || is_a(class, of);
    let properties = PROPERTIES.iter().filter(move |[of, field, ..]| *field == path && is(of));
    let names = NAMES.iter().filter(move |[of, _, field]| *field == path && is(of));
    properties.map(|[_, _, name, _]| *name).chain(names.map(|[_, name, _]| *name))
}
