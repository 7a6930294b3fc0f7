//! Expansions of small files, each given as text.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::*;
use crate::{Document, Guid, scan_guid};

mod features;
mod hostile;
mod lazy;
mod sample;
mod values;

/// Files by guid: those of a folder with metas, or those given as text.
#[derive(Default)]
struct Files(HashMap<Guid, (String, Vec<u8>)>);

impl Source for Files {
    fn document(&self, guid: Guid) -> Loaded {
        match self.0.get(&guid) {
            None => Loaded::Missing,
            Some((path, _)) if path.ends_with(".fbx") => Loaded::Opaque(Opaque::Model),
            Some((_, bytes)) => Loaded::Document(Arc::new(Document::parse(bytes.as_slice()))),
        }
    }

    fn path(&self, guid: Guid) -> Option<String> {
        Some(self.0.get(&guid)?.0.clone())
    }
}

fn read_folder(root: &Path) -> Files {
    let mut files = HashMap::new();
    let mut open: Vec<PathBuf> = vec![root.join("Assets")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "meta") {
                let guid = scan_guid(&fs::read(&path).unwrap()).unwrap();
                let asset = path.with_extension("");
                let name = asset.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                files.insert(guid, (name, fs::read(asset).unwrap_or_default()));
            }
        }
    }
    Files(files)
}

/// The guid of a test file: one digit, repeated.
fn guid(digit: char) -> Guid {
    Guid::parse(digit.to_string().repeat(32)).unwrap()
}

/// Expands the file `e` of a project of small files, each with a digit for a guid.
fn expand(files: &[(char, &str, String)]) -> Hierarchy {
    let files = files
        .iter()
        .map(|(digit, path, text)| (guid(*digit), (path.to_string(), text.clone().into_bytes())));
    Expander::new(Arc::new(Files(files.collect()))).expand(guid('e')).unwrap()
}

/// A GameObject with a transform, whose id is one more.
fn object(id: i64, name: &str, father: i64, children: &[i64]) -> String {
    let transform = id + 1;
    let children = children.iter().map(|id| format!("  - {{fileID: {id}}}\n"));
    format!(
        "--- !u!1 &{id}\nGameObject:\n  m_Component:\n  - component: {{fileID: {transform}}}\n  m_Name: {name}\n  m_IsActive: 1\n\
         --- !u!4 &{transform}\nTransform:\n  m_GameObject: {{fileID: {id}}}\n  m_Children:\n{}  m_Father: {{fileID: {father}}}\n",
        children.collect::<String>()
    )
}

/// A prefab instance; `lists` are the lines under `m_Modification`.
fn instance(id: i64, source: char, parent: i64, lists: &str) -> String {
    let source = guid(source);
    let lists: String = lists.lines().map(|line| format!("    {}\n", line.trim_end())).collect();
    format!(
        "--- !u!1001 &{id}\nPrefabInstance:\n  m_Modification:\n    m_TransformParent: {{fileID: {parent}}}\n{lists}  m_SourcePrefab: {{fileID: 100100000, guid: {source}, type: 3}}\n"
    )
}

/// One override, for [`instance`].
fn set(source: char, target: i64, path: &str, value: &str) -> String {
    change(source, target, path, value, "{fileID: 0}")
}

fn change(source: char, target: i64, path: &str, value: &str, reference: &str) -> String {
    let source = guid(source);
    format!(
        "- target: {{fileID: {target}, guid: {source}, type: 3}}\n  propertyPath: {path}\n  value: {value}\n  objectReference: {reference}\n"
    )
}

fn stripped(class: u32, id: i64, source: i64, instance: i64) -> String {
    format!(
        "--- !u!{class} &{id} stripped\nStandIn:\n  m_CorrespondingSourceObject: {{fileID: {source}}}\n  m_PrefabInstance: {{fileID: {instance}}}\n"
    )
}

/// The tree with marks, then the problems.
fn show(hierarchy: &Hierarchy) -> String {
    let mut shown = String::new();
    let mut objects = hierarchy.objects();
    while let Some(node) = objects.next() {
        let depth = objects.depth();
        assert_eq!(depth, node.depth());
        let path = objects.path();
        assert_eq!(path, node.path());
        assert_eq!(hierarchy.find_by_path(&path).as_ref(), Some(&node), "{path}");
        if let Some(id) = node.file_id().filter(|_| node.opaque().is_none()) {
            assert_eq!(hierarchy.find_by_id(id).as_ref(), Some(&node), "{path} {id}");
        }
        write!(shown, "{}{}", "  ".repeat(depth), node.name()).unwrap();
        if node.is_added() {
            shown += " (added)";
        }
        if !node.is_active_self() {
            shown += " (inactive)";
        }
        if let Some(prefab) = node.prefab() {
            let path = prefab.path.unwrap_or_else(|| prefab.guid.to_string());
            write!(shown, " <{}>", path.rsplit('/').next().unwrap()).unwrap();
        }
        if let Some(reason) = node.opaque() {
            write!(shown, " !{reason:?}").unwrap();
        }
        let components = node.components();
        let others = components.iter().filter(|component| component.class_id().0 != 4);
        for component in others {
            let mark = if component.is_added() { "+" } else { "" };
            write!(shown, " {mark}{}", component.class_name()).unwrap();
        }
        shown.push('\n');
    }
    for problem in hierarchy.problems() {
        let Problem { kind, line, object, message, .. } = problem;
        let object = object.unwrap_or_else(|| "-".into());
        writeln!(shown, "{kind:?} line {line} {object}: {message}").unwrap();
    }
    shown
}

/// A value in one line.
fn spell(value: &Effective) -> String {
    match &value.data {
        Data::Text(text) => format!("{text:?}"),
        Data::Reference(reference) => format!("&{}", reference.file_id),
        Data::List(items) => {
            format!("[{}]", items.iter().map(spell).collect::<Vec<_>>().join(", "))
        }
        Data::Map(fields) => {
            let fields: Vec<_> =
                fields.iter().map(|(key, value)| format!("{key}: {}", spell(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}
