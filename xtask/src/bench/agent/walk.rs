//! Trees that came in pages: every node of them is told exactly once.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// Every one of these paths is told once, or is one of several alike that are told as one. `key` is
/// where the first page has its tree; the pages behind it have `rest`.
pub(super) fn each_once<'p>(
    pages: impl Iterator<Item = &'p Value>,
    key: &str,
    expected: &BTreeSet<String>,
) -> Result<()> {
    let mut told = Told::default();
    for page in pages {
        match &page[key] {
            Value::Array(roots) => roots.iter().for_each(|root| told.walk(root, "")),
            root @ Value::Object(_) => told.walk(root, ""),
            _ => {}
        }
        for part in page["rest"].as_array().into_iter().flatten() {
            let under = part["under"].as_str().unwrap_or_default();
            part["children"].as_array().into_iter().flatten().for_each(|it| told.walk(it, under));
        }
    }
    let twice: Vec<_> = told.paths.iter().filter(|(_, count)| **count > 1).take(5).collect();
    ensure!(twice.is_empty(), "told more than once: {twice:?}");
    let odd: Vec<_> = told.paths.keys().filter(|path| !expected.contains(*path)).take(5).collect();
    ensure!(odd.is_empty(), "told, but not there: {odd:?}");
    let lost: Vec<_> = expected.iter().filter(|path| !told.paths.contains_key(*path)).collect();
    let few = &lost[..lost.len().min(5)];
    let between = told.between;
    ensure!(
        lost.len() == between,
        "{} were not told, {between} as one of several: {few:?}",
        lost.len()
    );
    Ok(())
}

#[derive(Default)]
struct Told {
    paths: BTreeMap<String, usize>,
    /// How many are only told as being between two that are named.
    between: usize,
}

impl Told {
    fn walk(&mut self, node: &Value, under: &str) {
        let name = node["name"].as_str().unwrap_or_default();
        let join = |name: &str| match under {
            "" | "." => name.to_owned(),
            under => format!("{under}/{name}"),
        };
        let path = match (node["path"].as_str(), node["alike"].as_u64()) {
            (_, Some(alike)) => {
                let (first, last) = name.split_once(" … ").unwrap_or((name, name));
                *self.paths.entry(join(last)).or_default() += 1;
                self.between += (alike as usize).saturating_sub(2);
                join(first)
            }
            (Some(path), None) => path.to_owned(),
            (None, None) => join(name),
        };
        for child in node["children"].as_array().into_iter().flatten() {
            self.walk(child, &path);
        }
        *self.paths.entry(path).or_default() += 1;
    }
}

/// The path of every node in a scene of Godot, from the parents that it says.
pub(super) fn godot_paths(scene: &str) -> BTreeSet<String> {
    let attribute = |line: &str, name: &str| -> Option<String> {
        let (_, rest) = line.split_once(&format!(" {name}=\""))?;
        Some(rest.split('"').next()?.to_owned())
    };
    let nodes = scene.lines().filter(|line| line.starts_with("[node "));
    let path = |line: &str| {
        let name = attribute(line, "name").unwrap_or_default();
        match attribute(line, "parent").as_deref() {
            None => ".".to_owned(),
            Some(".") => name,
            Some(parent) => format!("{parent}/{name}"),
        }
    };
    nodes.map(path).collect()
}

/// The path of every object in a scene of Unity without prefabs, from the fathers of its transforms.
pub(super) fn unity_paths(scene: &str) -> Result<BTreeSet<String>> {
    let number = |line: &str| line.split(['{', '}', ':', ',']).nth(3)?.trim().parse::<u64>().ok();
    let (mut names, mut transforms) = (BTreeMap::new(), BTreeMap::new());
    for object in scene.split("--- !u!").skip(1) {
        let id = object.split_once('&').and_then(|(_, rest)| rest.lines().next()?.parse().ok());
        let id: u64 = id.context("an object without an id")?;
        let value = |name: &str| object.lines().find(|line| line.trim().starts_with(name));
        if object.contains("\nGameObject:\n") {
            let name = value("m_Name: ").and_then(|line| line.split_once(": "));
            names.insert(id, name.context("an object without a name")?.1.to_owned());
        } else if object.contains("\nTransform:\n") {
            let owner = value("m_GameObject: ").and_then(number);
            let father = value("m_Father: ").and_then(number);
            transforms.insert(id, owner.zip(father).context("a transform without its father")?);
        }
    }
    let path = |mut at: u64| -> Option<String> {
        let mut parts = Vec::new();
        while let Some((owner, father)) = transforms.get(&at) {
            parts.push(&**names.get(owner)?);
            at = *father;
        }
        parts.reverse();
        Some(parts.join("/"))
    };
    transforms.keys().map(|id| path(*id)).collect::<Option<_>>().context("an object is not there")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(pages: &[Value], expected: &[&str]) -> Result<()> {
        let expected = expected.iter().map(|path| (*path).to_owned()).collect();
        each_once(pages.iter(), "tree", &expected)
    }

    #[test]
    fn pages_make_one_tree() {
        let first = json!({ "tree": { "name": "R", "path": ".", "children": [{ "name": "A" }] } });
        let second = json!({ "rest": [{ "under": "A", "children": [{ "name": "B" }] }] });
        let both = [first.clone(), second.clone()];
        check(&both, &[".", "A", "A/B"]).expect("each is there once");
        assert!(check(std::slice::from_ref(&first), &[".", "A", "A/B"]).is_err(), "one is missing");
        assert!(check(&both, &[".", "A"]).is_err(), "one is not there");
        assert!(
            check(&[first, second.clone(), second], &[".", "A", "A/B"]).is_err(),
            "one is twice"
        );
    }

    #[test]
    fn what_is_alike_counts_as_many() {
        let page = json!({ "tree": [{ "name": "a1 … a4", "alike": 4 }] });
        check(std::slice::from_ref(&page), &["a1", "a2", "a3", "a4"]).expect("two are between");
        assert!(check(&[page], &["a1", "a2", "a4"]).is_err(), "one is too much");
    }

    #[test]
    fn paths_are_read_off_files() {
        let scene = "[node name=\"R\" type=\"N\"]\n[node name=\"A\" type=\"N\" parent=\".\"]\n[node name=\"B\" parent=\"A\"]\n";
        assert_eq!(godot_paths(scene).into_iter().collect::<Vec<_>>(), [".", "A", "A/B"]);
        let scene = "--- !u!1 &1\nGameObject:\n  m_Name: A\n--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_Father: {fileID: 0}\n\
                     --- !u!1 &3\nGameObject:\n  m_Name: B\n--- !u!4 &4\nTransform:\n  m_GameObject: {fileID: 3}\n  m_Father: {fileID: 2}\n";
        let paths = unity_paths(scene).expect("whole");
        assert_eq!(paths.into_iter().collect::<Vec<_>>(), ["A", "A/B"]);
    }
}
