//! Scenes and prefabs, judged after expansion.

use super::rules::{ScriptGrade, grade};
use super::{Finding, FindingKind, files};
use crate::hierarchy::{Component, Expander, Link, Node, ProblemKind, Target};
use crate::index::{Asset, GuidStatus, Index};

/// Objects between two looks whether anybody still waits.
const LOOK_EVERY: usize = 256;

pub(super) fn check(
    index: &Index,
    expander: &Expander,
    asset: Asset<'_>,
    stop: &(dyn Fn() -> bool + Sync),
    findings: &mut Vec<Finding>,
) {
    let file = asset.path();
    let Some(guid) = asset.guid() else { return };
    let Ok(hierarchy) = expander.expand_once(guid) else { return };
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
    let is_gone = |guid| files::is_gone(index, guid).is_some();
    let mut objects = hierarchy.objects();
    let mut found = Vec::new();
    let mut looked = 0_usize;
    while let Some(node) = objects.next() {
        // One file can stand for a million objects.
        looked += 1;
        if looked.is_multiple_of(LOOK_EVERY) && stop() {
            return;
        }
        let components = node.components();
        // What a prefab has inside is judged in the prefab; here only what this file adds to it.
        for (place, component) in components.iter().enumerate() {
            if component.file() == guid {
                found.extend(check_script(index, &node, component, place));
            }
        }
        for component in &components {
            // Inside an instance only what this file overrides is this file's doing.
            let is_own = component.file() == guid;
            if (is_own || component.is_overridden()) && component.may_dangle(&is_gone) {
                let links = component.references().into_iter();
                let links = links.filter(|link| is_own || link.overridden_by == Some(guid));
                found.extend(links.filter_map(|link| check_link(index, &link)));
            }
        }
        if !found.is_empty() {
            let path = objects.path();
            findings.extend(found.drain(..).map(|found| Finding {
                file: file.clone(),
                object: Some(path.clone()),
                ..found
            }));
        }
    }
}

fn check_script(
    index: &Index,
    node: &Node<'_>,
    component: &Component<'_>,
    place: usize,
) -> Option<Finding> {
    let script = component.script()?;
    let graded = grade(index, script.guid);
    let kind = match graded.grade {
        ScriptGrade::Present => return None,
        ScriptGrade::Undecided => FindingKind::UnknownScript,
        ScriptGrade::ClassMissing => {
            let class = component.value("m_EditorClassIdentifier");
            let class = class.as_ref().and_then(|class| class.text());
            if files::declares(index, script.guid, class.unwrap_or("")) {
                return None;
            }
            FindingKind::ScriptWithoutClass
        }
        _ => FindingKind::MissingScript,
    };
    Some(Finding {
        kind,
        file: String::new(),
        line: Some(component.location().line),
        object: None,
        component: Some(place),
        message: format!(
            "Missing script component at index {place} on GameObject '{}': {}",
            node.name(),
            graded.detail
        ),
        guid: script.guid,
    })
}

fn check_link(index: &Index, link: &Link<'_>) -> Option<Finding> {
    let why = match &link.target {
        Target::BrokenLocal { file_id, .. } => format!("no object has the id {file_id}"),
        Target::OtherAsset { guid, .. } if link.path != "m_Script" => {
            match index.guid_status(*guid) {
                GuidStatus::Unknown => format!("no asset has the guid {guid}"),
                GuidStatus::AssetGone(asset) => format!("{} is gone", asset.path()),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Finding {
        kind: FindingKind::BrokenReference,
        file: String::new(),
        line: Some(link.component.location().line),
        object: None,
        component: None,
        message: format!("{}.{} leads nowhere: {why}", link.component.class_name(), link.path),
        guid: link.reference.guid,
    })
}
