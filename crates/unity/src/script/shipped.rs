//! What Unity saves of the classes of its packages, for projects that have a package's name but not
//! its sources: in a checkout without `Library` that is nearly every project.
//!
//! The table has declarations reduced to that, by version; `cargo xtask packages` makes it.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use crate::packages::{VersionParts, version_parts};
use crate::packed::unpacked;

#[cfg(test)]
mod tests;

/// A version in its order; what is none is older than all.
type Release = Option<VersionParts>;

/// What a project has of Unity's packages.
pub struct Has<'a> {
    /// Its version of Unity.
    pub unity: &'a str,
    /// The version of a package that the manifest or the lock file names.
    pub package: &'a dyn Fn(&str) -> Option<String>,
}

/// The class of one package over its versions.
struct Class {
    package: &'static str,
    /// Its name with its namespace.
    full: &'static str,
    /// The first version of the package that is known.
    first: Release,
    /// Since which version, for which Unity, and what it declares: nothing when it is gone.
    versions: Vec<(Release, Release, &'static str)>,
}

/// A package that is part of Unity: its versions are those of Unity.
const PART_OF_UNITY: &str = "com.unity.ugui";

/// Sources with what Unity saves of the package classes of this name, in the versions that a project
/// has: that of the package that it names first.
pub fn shipped(name: &str, has: &Has<'_>) -> Vec<&'static str> {
    let mut found: Vec<(u8, &'static str, &'static str)> = Vec::new();
    for class in classes().get(name).into_iter().flatten() {
        let own = (has.package)(class.package);
        let rank = match (class.package, &own) {
            (PART_OF_UNITY, _) => 0,
            (_, Some(_)) => 1,
            (_, None) => 2,
        };
        let text = class.text(own.as_deref(), has.unity);
        found.extend(text.map(|text| (rank, class.full, text)));
    }
    found.sort_by_key(|(rank, ..)| *rank);
    let mut known = HashSet::new();
    found.retain(|(_, full, _)| known.insert(*full));
    found.into_iter().map(|(.., text)| text).collect()
}

/// The classes of all packages: the package, the name with its namespace, and what the newest version
/// declares.
pub(crate) fn shipped_classes() -> impl Iterator<Item = (&'static str, &'static str, &'static str)>
{
    let mut all: Vec<&Class> = classes().values().flatten().collect();
    all.sort_by_key(|class| class.full);
    all.into_iter().filter_map(|class| {
        let (.., text) = class.versions.iter().rev().find(|(.., text)| !text.is_empty())?;
        Some((class.package, class.full, *text))
    })
}

impl Class {
    fn text(&self, own: Option<&str>, unity: &str) -> Option<&'static str> {
        let is_there = |at: &(Release, Release, &'static str)| match (self.package, own) {
            (PART_OF_UNITY, _) => at.0 <= version_parts(unity),
            (_, Some(own)) => at.0 <= version_parts(own),
            (_, None) => at.1 <= version_parts(unity),
        };
        let after = self.versions.partition_point(is_there);
        let (.., text) = match self.versions[..after].last() {
            Some(found) => found,
            // Older than all that is known: as the oldest, unless the class came later.
            None => self.versions.first().filter(|(since, ..)| *since == self.first)?,
        };
        Some(*text).filter(|text| !text.is_empty())
    }
}

/// The classes by their names without namespaces.
fn classes() -> &'static HashMap<&'static str, Vec<Class>> {
    static CLASSES: OnceLock<HashMap<&'static str, Vec<Class>>> = OnceLock::new();
    CLASSES.get_or_init(|| read(text()))
}

fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| String::from_utf8(unpacked(PACKED, MADE)).expect(MADE))
}

/// The length of the table, then the table, deflated.
static PACKED: &[u8] = include_bytes!("../../data/packages.bin");
const MADE: &str = "the embedded table is made by `cargo xtask packages`, and a test reads it";

fn read(text: &'static str) -> HashMap<&'static str, Vec<Class>> {
    let mut classes: HashMap<&'static str, Vec<Class>> = HashMap::new();
    let (mut package, mut first, mut name) = ("", None, "");
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some((mark, rest)) = line.split_at_checked(1) else { continue };
        match mark {
            "=" => {
                let (known, since) = rest.split_once(' ').unwrap_or((rest, ""));
                (package, first) = (known, version_parts(since));
            }
            ">" => {
                name = rest.rsplit('.').next().unwrap_or(rest);
                let class = Class { package, full: rest, first, versions: Vec::new() };
                classes.entry(name).or_default().push(class);
            }
            "@" => {
                let (version, unity) = rest.split_once(' ').unwrap_or((rest, ""));
                let row = (
                    version_parts(version),
                    version_parts(unity),
                    lines.next().unwrap_or_default(),
                );
                let class = classes.get_mut(name).and_then(|all| all.last_mut());
                class.into_iter().for_each(|class| class.versions.push(row));
            }
            _ => {}
        }
    }
    classes
}
