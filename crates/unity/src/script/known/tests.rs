//! The packed table against the text it is made from.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;

use super::*;

/// Rows of the built-in library whose names files state.
const STATED: [&str; 7] = ["15003", "15023", "19002", "19101", "19102", "19103", "19106"];
const BUILT_IN: &str = "0000000000000000e000000000000000";

fn guid(hex: &str) -> [u8; 16] {
    u128::from_str_radix(hex, 16).unwrap().to_be_bytes()
}

fn rows(name: &str) -> Vec<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').map(str::to_owned).collect()).collect()
}

fn split(class: &str) -> (&str, &str) {
    class.rsplit_once('.').unwrap_or(("", class))
}

/// Texts, each kept once.
#[derive(Default)]
struct Texts(String);

impl Texts {
    fn add(&mut self, text: &str) -> u32 {
        let at = self.0.find(text).unwrap_or_else(|| {
            self.0.push_str(text);
            self.0.len() - text.len()
        });
        at as u32
    }
}

fn pack() -> Vec<u8> {
    let mut scripts = rows("scripts-packages.tsv");
    scripts.sort();
    let mut dlls = rows("scripts-dlls.tsv");
    dlls.sort_by_key(|row| (guid(&row[0]), row[1].parse::<i32>().unwrap()));
    let classes = scripts.iter().map(|row| &row[1]).chain(dlls.iter().map(|row| &row[2]));
    let namespaces: Vec<_> =
        classes.map(|class| split(class).0).collect::<BTreeSet<_>>().into_iter().collect();
    let packages: Vec<_> =
        scripts.iter().map(|row| &*row[2]).collect::<BTreeSet<_>>().into_iter().collect();
    let place = |of: &[&str], name: &str| of.binary_search(&name).unwrap();

    let mut texts = Texts::default();
    // Long texts first: the short ones are often inside them.
    let mut names: Vec<&str> = scripts.iter().map(|row| split(&row[1]).1).collect();
    names.extend(namespaces.iter().chain(&packages));
    names.sort_by_key(|name| (usize::MAX - name.len(), *name));
    for name in names {
        texts.add(name);
    }

    let counts = [packages.len(), namespaces.len(), scripts.len(), dlls.len()];
    let mut bytes: Vec<u8> =
        counts.into_iter().flat_map(|n| u16::try_from(n).unwrap().to_le_bytes()).collect();
    bytes.extend(scripts.iter().flat_map(|row| guid(&row[0])));
    for row in &scripts {
        let (namespace, name) = split(&row[1]);
        let kind = match &*row[3] {
            "MonoBehaviour" => 0,
            "ScriptableObject" => 1,
            _ => 2,
        };
        bytes.extend((place(&namespaces, namespace) as u16).to_le_bytes());
        bytes.push(place(&packages, &row[2]).try_into().unwrap());
        bytes.push(name.len().try_into().unwrap());
        bytes.extend((texts.add(name) | kind << 30).to_le_bytes());
    }
    for row in &dlls {
        let (namespace, name) = split(&row[2]);
        bytes.extend(guid(&row[0]));
        bytes.extend(row[1].parse::<i32>().unwrap().to_le_bytes());
        bytes.extend((place(&namespaces, namespace) as u16).to_le_bytes());
        bytes.push(name.len().try_into().unwrap());
        bytes.push((row[0] == BUILT_IN && !STATED.contains(&&*row[1])).into());
        bytes.extend(texts.add(name).to_le_bytes());
    }
    for name in packages.iter().chain(&namespaces) {
        bytes.extend(texts.add(name).to_le_bytes());
        bytes.extend((name.len() as u32).to_le_bytes());
    }
    bytes.extend(texts.0.bytes());
    bytes
}

#[test]
fn the_table_is_fresh() {
    let packed = pack();
    if env::var_os("UPDATE_EXPECT").is_some() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/scripts.bin");
        return fs::write(path, packed).unwrap();
    }
    assert!(
        packed == TABLE.0,
        "data/scripts.bin is stale; run `UPDATE_EXPECT=1 cargo test -p scenewright-unity the_table_is_fresh`"
    );
}

#[test]
fn every_package_row_is_found() {
    for row in rows("scripts-packages.tsv") {
        let script = package_script(guid(&row[0])).unwrap();
        let class = [script.namespace, script.name].join(".");
        assert_eq!((class.trim_start_matches('.'), script.package), (&*row[1], &*row[2]));
        assert_eq!(format!("{:?}", script.kind).to_lowercase(), row[3].to_lowercase());
    }
    assert_eq!(package_script([0; 16]), None);
    assert_eq!(package_script([255; 16]), None);
}

#[test]
fn every_library_row_is_found_and_hashes_to_its_id() {
    for row in rows("scripts-dlls.tsv") {
        let script = dll_script(guid(&row[0]), row[1].parse().unwrap()).unwrap();
        assert_eq!(format!("{}.{}", script.namespace, script.name).trim_start_matches('.'), row[2]);
        if row[0] != BUILT_IN {
            assert_eq!(
                dll_file_id(script.namespace, script.name).to_string(),
                row[1],
                "{}",
                row[2]
            );
        }
    }
    assert_eq!(dll_script(guid(BUILT_IN), 1), None);
    assert_eq!(dll_script(guid(BUILT_IN), i64::MAX), None);
}

#[test]
fn finds_what_a_package_class_derives_from() {
    assert_eq!(class_kind("Image"), Some(ScriptKind::MonoBehaviour));
    assert_eq!(class_kind("UnityEngine.UI.Image"), Some(ScriptKind::MonoBehaviour));
    assert_eq!(class_kind("My.Image"), None);
    assert_eq!(class_kind(""), None);
}
