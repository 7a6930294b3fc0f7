//! The files of a project and the assets that are no hierarchies.

use scenewright_text::links;

use super::rules::{ScriptGrade, grade};
use super::{Finding, FindingKind};
use crate::index::{Asset, GuidStatus, Index, ProblemKind, may_declare_class};
use crate::{BuildScene, ClassId, Document, Guid};

pub(super) fn check(index: &Index, build_scenes: &[BuildScene]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for problem in index.problems() {
        let (kind, message) = match problem.kind {
            ProblemKind::DuplicateGuid => {
                (FindingKind::DuplicateGuid, format!("has the same guid as {}", problem.detail))
            }
            ProblemKind::MetaWithoutAsset => {
                (FindingKind::MetaWithoutAsset, "a meta without its asset".to_owned())
            }
            ProblemKind::AssetWithoutMeta => {
                (FindingKind::AssetWithoutMeta, "an asset without its meta".to_owned())
            }
            ProblemKind::MetaWithoutGuid => {
                (FindingKind::Unreadable, "its meta has no guid".to_owned())
            }
            ProblemKind::MergeConflict => {
                (FindingKind::MergeConflict, "unresolved conflict markers".to_owned())
            }
            ProblemKind::LfsPointer => {
                (FindingKind::LfsPointer, "Git LFS has not fetched this file".to_owned())
            }
            ProblemKind::BinaryUnderForceText => {
                (FindingKind::BinaryAsset, "binary in a project that forces text".to_owned())
            }
            ProblemKind::Unreadable
            | ProblemKind::TooLarge
            | ProblemKind::TooDeep
            | ProblemKind::LinkLoop => {
                (FindingKind::Unreadable, format!("cannot be read: {}", problem.detail))
            }
            ProblemKind::LinkOutside => (FindingKind::Unreadable, links::LEAVES.to_owned()),
        };
        let line = problem.line.map(|line| line as usize);
        findings.push(finding(kind, problem.path, line, message));
    }
    for scene in build_scenes {
        if index.by_path(&scene.path).is_none() {
            let message = format!("the build settings name {}, which is not there", scene.path);
            let settings = "ProjectSettings/EditorBuildSettings.asset".to_owned();
            findings.push(finding(FindingKind::MissingBuildScene, settings, None, message));
        }
    }
    findings
}

/// An asset of objects without a hierarchy: materials, ScriptableObjects, controllers.
pub(super) fn check_asset(index: &Index, asset: Asset<'_>, findings: &mut Vec<Finding>) {
    let Ok(bytes) = asset.read() else { return };
    let document = Document::parse(bytes);
    let file = asset.path();
    for object in document.objects() {
        let script = object.get("m_Script").and_then(|value| value.as_reference());
        if let Some(script) = script.filter(|_| object.class_id() == ClassId::MONO_BEHAVIOUR) {
            let graded = grade(index, script.guid);
            let kind = match graded.grade {
                // Hidden version objects of pipelines that are not installed look like this.
                ScriptGrade::Present | ScriptGrade::Null => None,
                ScriptGrade::Undecided => Some(FindingKind::UnknownScript),
                ScriptGrade::ClassMissing => {
                    let class = object.get("m_EditorClassIdentifier").map(|value| value.text());
                    let is_there = declares(index, script.guid, class.as_deref().unwrap_or(""));
                    (!is_there).then_some(FindingKind::ScriptWithoutClass)
                }
                _ => Some(FindingKind::MissingScript),
            };
            if let Some(kind) = kind {
                let mut found = finding(kind, file.clone(), Some(object.line()), graded.detail);
                found.guid = script.guid;
                findings.push(found);
            }
        }
        for (offset, reference) in object.references() {
            let Some(guid) =
                reference.guid.filter(|guid| Some(*guid) != script.and_then(|s| s.guid))
            else {
                continue;
            };
            if let Some(why) = is_gone(index, guid) {
                let line = Some(document.line(offset));
                let mut found = finding(
                    FindingKind::BrokenReference,
                    file.clone(),
                    line,
                    format!("a reference leads nowhere: {why}"),
                );
                found.guid = Some(guid);
                findings.push(found);
            }
        }
    }
}

/// True when a script declares the class that a component says it is of: `Assembly::Space.Class`.
/// Only scripts without a class of their own name are asked, so that reading them here is rare.
pub(super) fn declares(index: &Index, script: Option<Guid>, identifier: &str) -> bool {
    let class = identifier.rsplit([':', '.']).next().unwrap_or("").trim();
    let asset = script.and_then(|guid| index.by_guid(guid));
    let Some(asset) = asset.filter(|_| !class.is_empty()) else { return false };
    let text = asset.read();
    text.is_ok_and(|text| may_declare_class(&text, class))
}

/// Why a guid leads nowhere; none when it does not, or when that cannot be known here.
pub(super) fn is_gone(index: &Index, guid: Guid) -> Option<String> {
    match index.guid_status(guid) {
        GuidStatus::Unknown => Some(format!("no asset has the guid {guid}")),
        GuidStatus::AssetGone(asset) => Some(format!("{} is gone", asset.path())),
        _ => None,
    }
}

fn finding(kind: FindingKind, file: String, line: Option<usize>, message: String) -> Finding {
    Finding { kind, file, line, object: None, component: None, message, guid: None }
}
