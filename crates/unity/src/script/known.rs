//! Scripts of Unity's packages and libraries by guid, whose sources a project does not have.

use std::cmp::Ordering;

mod md4;
#[cfg(test)]
mod tests;

/// A script of one of Unity's packages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackageScript {
    /// The package, such as `com.unity.ugui`. A class that moved between packages is listed under
    /// one of them, which may not be the one a project has.
    pub package: &'static str,
    /// The namespace of the class; empty for the global one.
    pub namespace: &'static str,
    /// The name of the class.
    pub name: &'static str,
    /// What the class derives from.
    pub kind: ScriptKind,
}

/// What the class of a package script derives from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are Unity's own")]
pub enum ScriptKind {
    MonoBehaviour,
    ScriptableObject,
    /// An importer, which `.meta` files name.
    Other,
}

/// A script class inside a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DllScript {
    /// The namespace of the class.
    pub namespace: &'static str,
    /// The name of the class.
    pub name: &'static str,
    /// The name was concluded from files that use it; no file states it.
    pub inferred: bool,
}

/// The package script of a guid, given in the order of its hexadecimal text.
pub fn package_script(guid: [u8; 16]) -> Option<PackageScript> {
    let at = TABLE.guids().binary_search(&guid).ok()?;
    TABLE.script(at)
}

/// The guid of the package script of a component class, in the order of its hexadecimal text.
pub fn package_component(namespace: &str, name: &str) -> Option<[u8; 16]> {
    let is_it = |script: PackageScript| {
        script.kind == ScriptKind::MonoBehaviour
            && script.name == name
            && script.namespace == namespace
    };
    let at = (0..TABLE.guids().len()).find(|at| TABLE.script(*at).is_some_and(is_it))?;
    TABLE.guids().get(at).copied()
}

/// The package script of a component class by its name, with or without its namespace: its guid and
/// its name. Nothing when several namespaces have it.
pub fn package_component_named(wanted: &str) -> Option<([u8; 16], &'static str)> {
    let short = wanted.rsplit('.').next().unwrap_or(wanted);
    let is_it = |script: &PackageScript| {
        let is_named = script.kind == ScriptKind::MonoBehaviour && script.name == short;
        is_named && (wanted == short || format!("{}.{short}", script.namespace) == wanted)
    };
    let rows = (0..TABLE.guids().len()).filter_map(|at| Some((at, TABLE.script(at)?)));
    let mut found: Vec<(usize, PackageScript)> = rows.filter(|(_, script)| is_it(script)).collect();
    found.dedup_by_key(|(_, script)| (script.namespace, script.name));
    match found.as_slice() {
        [(at, script)] => Some((*TABLE.guids().get(*at)?, script.name)),
        _ => None,
    }
}

/// The names of all component classes of Unity's packages and libraries, without namespaces.
pub fn package_components() -> impl Iterator<Item = &'static str> {
    let scripts = (0..TABLE.guids().len()).filter_map(|at| TABLE.script(at));
    let components = scripts.filter(|script| script.kind == ScriptKind::MonoBehaviour);
    let libraries = TABLE.dlls().iter();
    let libraries = libraries.map(|row| TABLE.text(word(row, 24), row[22].into()));
    components.map(|script| script.name).chain(libraries)
}

/// The class of a library's guid and a file id in it. For libraries of the project itself,
/// [`dll_file_id`] gives the file id of each of their classes.
pub fn dll_script(guid: [u8; 16], file_id: i64) -> Option<DllScript> {
    let file_id = i32::try_from(file_id).ok()?;
    let order = |row: &[u8; DLL]| -> Ordering {
        row[..16].cmp(&guid).then_with(|| (word(row, 16) as i32).cmp(&file_id))
    };
    let row = &TABLE.dlls()[TABLE.dlls().binary_search_by(order).ok()?];
    Some(DllScript {
        namespace: TABLE.namespace(half(row, 20)),
        name: TABLE.text(word(row, 24), row[22].into()),
        inferred: row[23] != 0,
    })
}

/// True for the guid of one of Unity's own libraries, whose classes older projects have.
pub(crate) fn library_has(guid: [u8; 16]) -> bool {
    let rows = TABLE.dlls();
    rows.get(rows.partition_point(|row| row[..16] < guid[..])).is_some_and(|row| row[..16] == guid)
}

/// True when all scripts of a package that components can be of are in the table, or it has none.
pub(crate) fn package_has(name: &str) -> bool {
    let has_none = |prefix: &&str| name.starts_with(*prefix);
    let mut packages = TABLE.rows::<NAME>(3).iter();
    packages.any(|row| TABLE.text(word(row, 0), word(row, 4) as usize) == name)
        || WITHOUT_SCRIPTS.iter().any(has_none)
}

/// The start of the names of packages that have no class for components and assets.
const WITHOUT_SCRIPTS: [&str; 16] = [
    "com.unity.2d.ik",
    "com.unity.burst",
    "com.unity.dedicated-server",
    "com.unity.ext.nunit",
    "com.unity.feature.",
    "com.unity.ide.",
    "com.unity.jobs",
    "com.unity.mathematics",
    "com.unity.modules.",
    "com.unity.nuget.",
    "com.unity.profiling.core",
    "com.unity.render-pipelines.universal-config",
    "com.unity.settings-manager",
    "com.unity.sysroot",
    "com.unity.testtools.codecoverage",
    "com.unity.toolchain.",
];

/// The file id that Unity gives a class in a library: the start of a hash of its name.
///
/// ```
/// use scenewright_unity::script::dll_file_id;
/// assert_eq!(dll_file_id("UnityEngine.UI", "Image"), -765806418);
/// ```
pub fn dll_file_id(namespace: &str, class: &str) -> i32 {
    let mut text = b"s\0\0\0".to_vec();
    text.extend(namespace.bytes().chain(class.bytes()));
    let [a, b, c, d, ..] = md4::digest(&text);
    i32::from_le_bytes([a, b, c, d])
}

/// What the package class of that name derives from. A name without a namespace finds the first
/// class of that name.
pub(super) fn class_kind(path: &str) -> Option<ScriptKind> {
    let (namespace, name) = path.rsplit_once('.').unwrap_or(("", path));
    let rows = 0..TABLE.guids().len();
    let mut named = rows.filter(|at| {
        let row = &TABLE.scripts()[*at];
        usize::from(row[3]) == name.len() && TABLE.text(word(row, 4) & OFFSET, name.len()) == name
    });
    let found = named.find_map(|at| {
        TABLE.script(at).filter(|s| namespace.is_empty() || s.namespace.ends_with(namespace))
    });
    found.map(|script| script.kind)
}

// The table, made from the `.tsv` files beside it by the test `the_table_is_fresh`. Numbers are
// little endian:
//   u16 × 4   packages, namespaces, scripts, library classes
//   script    guid [16], sorted
//   script    namespace u16, package u8, name length u8, name offset u30 + kind u2
//   library   guid [16], file id i32, namespace u16, name length u8, inferred u8, name offset u32
//   package   offset u32, length u32
//   namespace offset u32, length u32
//   text      UTF-8
static TABLE: Table = Table(include_bytes!("../../data/scripts.bin"));

const HEAD: usize = 8;
const SCRIPT: usize = 8;
const DLL: usize = 28;
const NAME: usize = 8;
const OFFSET: u32 = (1 << 30) - 1;

struct Table(&'static [u8]);

impl Table {
    fn counts(&self) -> [usize; 4] {
        [0, 2, 4, 6].map(|at| half(self.0, at).into())
    }

    /// Where guids, scripts, library classes, packages, namespaces and text start.
    fn starts(&self) -> [usize; 6] {
        let [packages, namespaces, scripts, dlls] = self.counts();
        let mut at = HEAD;
        [0, scripts * 16, scripts * SCRIPT, dlls * DLL, packages * NAME, namespaces * NAME].map(
            |size| {
                at += size;
                at
            },
        )
    }

    fn rows<const N: usize>(&self, section: usize) -> &'static [[u8; N]] {
        let starts = self.starts();
        self.0[starts[section]..starts[section + 1]].as_chunks().0
    }

    fn guids(&self) -> &'static [[u8; 16]] {
        self.rows(0)
    }

    fn scripts(&self) -> &'static [[u8; SCRIPT]] {
        self.rows(1)
    }

    fn dlls(&self) -> &'static [[u8; DLL]] {
        self.rows(2)
    }

    fn script(&self, at: usize) -> Option<PackageScript> {
        let row = self.scripts().get(at)?;
        let package: &[u8; NAME] = self.rows(3).get(usize::from(row[2]))?;
        Some(PackageScript {
            package: self.text(word(package, 0), word(package, 4) as usize),
            namespace: self.namespace(half(row, 0)),
            name: self.text(word(row, 4) & OFFSET, row[3].into()),
            kind: match word(row, 4) >> 30 {
                0 => ScriptKind::MonoBehaviour,
                1 => ScriptKind::ScriptableObject,
                _ => ScriptKind::Other,
            },
        })
    }

    fn namespace(&self, at: u16) -> &'static str {
        let row: Option<&[u8; NAME]> = self.rows(4).get(usize::from(at));
        row.map_or("", |row| self.text(word(row, 0), word(row, 4) as usize))
    }

    fn text(&self, offset: u32, length: usize) -> &'static str {
        let start = self.starts()[5] + offset as usize;
        self.0
            .get(start..start + length)
            .and_then(|text| str::from_utf8(text).ok())
            .unwrap_or_default()
    }
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
