//! Scenes and prefabs, judged after expansion.

use super::rules::{ScriptGrade, grade};
use super::{Finding, FindingKind};
use crate::hierarchy::{Expander, Node, ProblemKind, Target};
use crate::index::{Asset, GuidStatus, Index};

pub(super) fn check(
    index: &Index,
    expander: &Expander,
    asset: Asset<'_>,
    findings: &mut Vec<Finding>,
) {
    let file = asset.path();
    let Some(guid) = asset.guid() else { return };
    let Ok(hierarchy) = expander.expand(guid) else { return };
    for problem in hierarchy.problems() {
        let kind = match problem.kind {
            ProblemKind::StaleOverride | ProblemKind::StaleRemoval => FindingKind::StaleOverride,
            ProblemKind::MissingSource => FindingKind::MissingPrefab,
            _ => FindingKind::BrokenHierarchy,
        };
        findings.push(Finding {
            kind,
            file: problem.file_path.unwrap_or_else(|| file.clone()),
            line: Some(problem.line),
            object: problem.object,
            component: None,
            message: problem.message,
            guid: None,
        });
    }
    let mut objects = hierarchy.objects();
    while let Some(node) = objects.next() {
        // What a prefab has inside is judged in the prefab; here only what this file adds to it.
        let own = |location: crate::hierarchy::Location| location.file == guid;
        let path = objects.path();
        check_scripts(index, &file, &node, &path, &own, findings);
        check_links(index, &file, &node, &path, guid, findings);
    }
}

fn check_scripts(
    index: &Index,
    file: &str,
    node: &Node<'_>,
    path: &str,
    own: &dyn Fn(crate::hierarchy::Location) -> bool,
    findings: &mut Vec<Finding>,
) {
    for (place, component) in node.components().iter().enumerate() {
        let Some(script) = component.script().filter(|_| own(component.location())) else {
            continue;
        };
        let graded = grade(index, script.guid);
        let kind = match graded.grade {
            ScriptGrade::Present => continue,
            ScriptGrade::Undecided => FindingKind::UnknownScript,
            _ => FindingKind::MissingScript,
        };
        findings.push(Finding {
            kind,
            file: file.to_owned(),
            line: Some(component.location().line),
            object: Some(path.to_owned()),
            component: Some(place),
            message: format!(
                "Missing script component at index {place} on GameObject '{}': {}",
                node.name(),
                graded.detail
            ),
            guid: script.guid,
        });
    }
}

fn check_links(
    index: &Index,
    file: &str,
    node: &Node<'_>,
    path: &str,
    guid: crate::Guid,
    findings: &mut Vec<Finding>,
) {
    for link in node.references() {
        let location = link.component.location();
        // Inside an instance only what this file overrides is this file's doing.
        if location.file != guid && link.overridden_by != Some(guid) {
            continue;
        }
        let broken = match &link.target {
            Target::BrokenLocal { file_id, .. } => Some(format!("no object has the id {file_id}")),
            Target::OtherAsset { guid, .. } if link.path != "m_Script" => {
                match index.guid_status(*guid) {
                    GuidStatus::Unknown => Some(format!("no asset has the guid {guid}")),
                    GuidStatus::AssetGone(asset) => Some(format!("{} is gone", asset.path())),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some(why) = broken else { continue };
        findings.push(Finding {
            kind: FindingKind::BrokenReference,
            file: file.to_owned(),
            line: Some(location.line),
            object: Some(path.to_owned()),
            component: None,
            message: format!("{}.{} leads nowhere: {why}", link.component.class_name(), link.path),
            guid: link.reference.guid,
        });
    }
}
