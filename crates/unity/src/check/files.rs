//! The files of a project and the assets that are no hierarchies.

use std::sync::Arc;

use scenewright_text::links;

use super::fields::{self, Here};
use super::{Finding, FindingKind};
use crate::index::{Asset, AssetKind, Index, ProblemKind};
use crate::judge::Judge;
use crate::{BuildScene, FileId, Guid, Object, script};

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
        if !is_there(index, scene) {
            let (kind, which) = match scene.enabled {
                true => (FindingKind::MissingBuildScene, ""),
                false => (FindingKind::MissingUnusedScene, ", disabled,"),
            };
            let message =
                format!("{} is in the build settings{which} and is not there", scene.path);
            let settings = "ProjectSettings/EditorBuildSettings.asset".to_owned();
            let field = Some(scene.path.as_str().into());
            findings.push(Finding { field, ..finding(kind, settings, None, message) });
        }
    }
    findings
}

/// The editor finds a scene that was moved by its guid, and then writes its new path.
fn is_there(index: &Index, scene: &BuildScene) -> bool {
    let moved = || {
        let guid = Guid::parse(scene.guid.as_deref()?)?;
        index.by_guid(guid).filter(|asset| asset.kind() == AssetKind::Scene)
    };
    index.by_path(&scene.path).or_else(moved).is_some_and(Asset::is_there)
}

/// An asset of objects without a hierarchy: materials, ScriptableObjects, controllers.
pub(super) fn check_asset(judge: &Judge<'_>, asset: Asset<'_>, findings: &mut Vec<Finding>) {
    let Ok(document) = asset.document() else { return };
    let is_here = |id: FileId| document.object(id).is_some();
    let class_of = |id: FileId| document.object(id).map(Object::class_id);
    let stood_for = |id: FileId| fields::stood_for(judge, &document, id);
    let here = Here { is_here: &is_here, class_of: &class_of, stood_for: &stood_for };
    let start = findings.len();
    for object in document.objects() {
        let before = findings.len();
        let script = fields::check_script(judge, object, &here);
        // Hidden version objects of pipelines that are not installed have lost theirs.
        let is_lost = |found: &Finding| found.guid.is_none_or(Guid::is_zero);
        findings.extend(script.filter(|found| !is_lost(found)));
        fields::check(judge, object, &here, findings);
        if findings.len() > before
            && let Some(name) = inner_name(asset, object)
        {
            findings[before..].iter_mut().for_each(|found| found.object = Some(name.clone()));
        }
    }
    findings[start..].iter_mut().for_each(|finding| finding.file = asset.path().into());
}

/// The name of a part of an asset, such as a state of a controller. That of the asset itself its file tells.
fn inner_name(asset: Asset<'_>, object: Object<'_>) -> Option<Arc<str>> {
    let is_inner = object.document().objects().len() > 1;
    let name = is_inner.then(|| object.get("m_Name"))??.text();
    let is_asset = *name == *script::stem(asset.name());
    (!name.is_empty() && !is_asset).then(|| name.as_ref().into())
}

fn finding(kind: FindingKind, file: String, line: Option<usize>, message: String) -> Finding {
    Finding { file: file.into(), line, message: message.into(), ..Finding::new(kind) }
}
