//! Types and properties against the class tables of the project's version and the scripts.

use super::scene::scripts_of;
use super::script::Chain;
use super::{FindingKind, Findings, Project};
use crate::classes::{Class, Classes, Version, new_name};
use crate::{Document, Node, Section, TreeNode};

/// Files of Godot 3 have other names for nearly everything; the engine converts them when it loads.
const GODOT_3_FORMAT: u32 = 2;

/// Judge the type and the properties that a file gives to a node.
pub(super) fn check_node(
    project: &Project<'_>,
    written: &Document,
    node: Node<'_>,
    built: &TreeNode,
    findings: &mut Findings<'_>,
) {
    let Some(classes) = project.classes else { return };
    if let Some(class) = node.class() {
        check_class(project, classes, &class, node.section(), &built.path, findings);
    }
    let Some(class) = built.class.as_deref() else { return };
    if classes.class(class).is_none() || written.format() == Some(GODOT_3_FORMAT) {
        return;
    }
    let scripts = scripts_of(project, built);
    check_properties(project, classes, class, &scripts, node.section(), &built.path, findings);
}

/// Judge the inner resources of a file, and the resource that it is.
pub(super) fn check_resources(
    project: &Project<'_>,
    document: &Document,
    findings: &mut Findings<'_>,
) {
    let Some(classes) = project.classes else { return };
    let own = findings.file.res_path();
    let is_old = document.format() == Some(GODOT_3_FORMAT);
    let main = document.main_resource().zip(document.resource_class());
    let main = main.map(|(section, class)| (section, class.into_owned(), "resource".to_owned()));
    let inner =
        document.sub_resources().map(|found| (found.0, found.class().into_owned(), found.id().0));
    for (section, class, object) in inner.chain(main) {
        check_class(project, classes, &class, section, &object, findings);
        if classes.class(&class).is_none() || is_old {
            continue;
        }
        let scripts = Chain::of_section(project, document, &own, section);
        check_properties(project, classes, &class, &scripts, section, &object, findings);
    }
}

fn check_class(
    project: &Project<'_>,
    classes: &Classes,
    class: &str,
    section: Section<'_>,
    object: &str,
    findings: &mut Findings<'_>,
) {
    if class.is_empty() || classes.class(class).is_some() {
        return;
    }
    let version = classes.version();
    let versions = Classes::versions_of(class);
    let (kind, message) = match (new_name(class), versions.as_slice()) {
        (Some(new), _) => (
            FindingKind::OtherVersionClass,
            format!("`{class}` is a type of Godot 3; it is `{new}` since Godot 4"),
        ),
        (None, [_, ..]) if project.index.addon().is_some() => return,
        (None, [first, ..]) => (
            FindingKind::OtherVersionClass,
            format!("Godot {version} has no type `{class}`; Godot {first} has it"),
        ),
        _ if project.may_have_other_classes() => (
            FindingKind::ExtensionClass,
            format!("Godot {version} has no type `{class}`; an extension may add it"),
        ),
        _ => {
            let script = project.index.class(class).map_or(String::new(), |file| {
                format!("; it is the script `{}`, which a node has beside its type", file.path)
            });
            let message = format!("Godot {version} has no type `{class}`{script}");
            (FindingKind::UnknownClass, message)
        }
    };
    findings.add(kind, section.line(), Some(object), class, message);
}

fn check_properties(
    project: &Project<'_>,
    classes: &Classes,
    class: &str,
    scripts: &Chain<'_>,
    section: Section<'_>,
    object: &str,
    findings: &mut Findings<'_>,
) {
    if scripts.is_open() {
        return;
    }
    let is_any_version = project.index.addon().is_some();
    // Large scenes have tens of thousands of properties: the class is looked up once for all of a node's.
    let lineage: Vec<&Class> = classes.ancestors(class).collect();
    for field in section.properties() {
        let key = field.key();
        let is_known = lineage.iter().any(|class| class.property(&key).is_some())
            || classes.explains(class, &key).is_some()
            || scripts.may_have_property(&key);
        if is_known {
            continue;
        }
        let other = Version::ALL
            .into_iter()
            .find(|version| Classes::of(*version).property(class, &key).is_some());
        let (kind, message) = match other {
            Some(_) if is_any_version => continue,
            Some(other) => (
                FindingKind::OtherVersionProperty,
                format!(
                    "`{key}` is a property of {class} in Godot {other}, not in {}",
                    classes.version()
                ),
            ),
            None => {
                let who = match scripts.is_empty() {
                    true => format!("{class} has no property"),
                    false => format!("neither {class} nor the script has a property"),
                };
                let names = classes.properties(class).map(|property| property.name);
                let meant = nearest(&key, names.chain(scripts.exports()));
                let meant = meant.map_or(String::new(), |name| format!("; `{name}` is one"));
                (FindingKind::UnknownProperty, format!("{who} `{key}`{meant}"))
            }
        };
        findings.add(kind, field.line(), Some(object), &key, message);
    }
}

/// The name that was probably meant: one or two letters away, when the word is long enough.
fn nearest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let most = if word.len() < 5 { 1 } else { 2 };
    let near = names.map(|name| (distance(word, name, most), name));
    near.filter(|(distance, _)| *distance <= most).min().map(|(_, name)| name)
}

/// How many letters have to be added, removed, replaced or swapped with the next one; more than
/// `most` is not told apart.
fn distance(one: &str, two: &str, most: usize) -> usize {
    let (one, two) = (one.as_bytes(), two.as_bytes());
    if one.len().abs_diff(two.len()) > most {
        return most + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=two.len()).collect();
    for (at, letter) in one.iter().enumerate() {
        let mut next = vec![at + 1];
        for (other, found) in two.iter().enumerate() {
            let replaced = row[other] + usize::from(letter != found);
            let mut best = replaced.min(row[other + 1] + 1).min(next[other] + 1);
            if at > 0 && other > 0 && *letter == two[other - 1] && one[at - 1] == *found {
                best = best.min(before[other - 1] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[two.len()]
}
