//! Scenes and prefabs: each reference judged in the file that states it, ids after expansion.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::fields::{self, Here};
use super::screen::Doubts;
use super::{Finding, FindingKind};
use crate::hierarchy::{Expander, Hierarchy, Paths, ProblemKind};
use crate::index::{Asset, Target};
use crate::judge::{Judge, Verdict};
use crate::{Document, FileId, Guid, Object, Reference};

/// Objects between two looks whether anybody still waits.
const LOOK_EVERY: usize = 256;

/// Looks at what is in doubt and returns what was expanded for it.
pub(super) fn check<'a>(
    judge: &Judge<'a>,
    expander: &Expander,
    asset: Asset<'a>,
    doubts: Doubts,
    stop: &(dyn Fn() -> bool + Sync),
    findings: &mut Vec<Finding>,
) -> Option<Hierarchy> {
    if matches!(&doubts, Doubts::Some { targets, scripts } if targets.is_empty() && scripts.is_empty())
    {
        return None;
    }
    let hierarchy = expander.expand_once(asset.guid()?).ok()?;
    let file = asset.path().into();
    let start = findings.len();
    if matches!(doubts, Doubts::All) {
        problems(judge, &hierarchy, findings);
    }
    let places = places(hierarchy.document(), &doubts);
    let known = RefCell::new(HashMap::new());
    let is_here =
        |id: FileId| *known.borrow_mut().entry(id).or_insert_with(|| hierarchy.leads_somewhere(id));
    let class_of = |id: FileId| hierarchy.document().object(id).map(Object::class_id);
    let stood_for = |id: FileId| fields::stood_for(judge, hierarchy.document(), id);
    let here = Here { is_here: &is_here, class_of: &class_of, stood_for: &stood_for };
    let mut paths = hierarchy.paths();
    let objects = places.iter().filter_map(|at| hierarchy.document().object_at(*at));
    for (looked, object) in objects.clone().enumerate() {
        if looked.is_multiple_of(LOOK_EVERY) && stop() {
            return None;
        }
        findings.extend(judge_object(judge, &hierarchy, &here, &mut paths, object));
    }
    let ids: HashSet<FileId> = objects.map(Object::file_id).collect();
    let is_doubted = |instance: FileId| ids.contains(&instance);
    overrides(judge, &hierarchy, &is_doubted, &here, &mut paths, findings);
    for finding in &mut findings[start..] {
        if finding.file.is_empty() {
            finding.file.clone_from(&file);
        }
    }
    drop(paths);
    Some(hierarchy)
}

/// What is wrong with one object, told with the path of the one that it belongs to.
pub(super) fn judge_object<'h>(
    judge: &Judge<'_>,
    hierarchy: &'h Hierarchy,
    here: &Here<'_>,
    paths: &mut Paths<'h>,
    object: Object<'_>,
) -> Vec<Finding> {
    let mut found: Vec<Finding> = script(judge, hierarchy, here, object).into_iter().collect();
    fields::check(judge, object, here, &mut found);
    let owner = (!found.is_empty()).then(|| owner(hierarchy, paths, object)).flatten();
    let owner = owner.map(Arc::from);
    found.iter_mut().for_each(|found| found.object.clone_from(&owner));
    found
}

/// The positions of the objects in which something may be found, in the order of the file.
fn places(document: &Document, doubts: &Doubts) -> Vec<usize> {
    let Doubts::Some { targets, scripts } = doubts else {
        return (0..document.objects().len()).collect();
    };
    let objects = scripts.iter().filter_map(|id| document.object(*id).map(Object::index));
    let mut places: Vec<usize> = objects.collect();
    if !targets.is_empty() {
        let is_lost = |to: &Reference| {
            to.guid.is_some_and(|guid| targets.contains(&Target { guid, file_id: to.file_id }))
        };
        let lost = document.references().filter(|found| is_lost(&found.reference));
        places.extend(lost.filter_map(|found| found.object));
    }
    places.sort_unstable();
    places.dedup();
    places
}

fn problems(judge: &Judge<'_>, hierarchy: &Hierarchy, findings: &mut Vec<Finding>) {
    findings.extend(hierarchy.problems().into_iter().map(|mut problem| {
        let kind = match problem.kind {
            ProblemKind::StaleOverride | ProblemKind::StaleRemoval => FindingKind::StaleOverride,
            ProblemKind::MissingSource => {
                let source = problem.source.unwrap_or_default();
                match judge.reference(source, FileId::PREFAB) {
                    Verdict::Unknown(why) => {
                        problem.message = why;
                        FindingKind::UnknownPrefab
                    }
                    verdict => {
                        problem.message = verdict.wrong().unwrap_or(problem.message);
                        FindingKind::MissingPrefab
                    }
                }
            }
            _ => FindingKind::BrokenHierarchy,
        };
        Finding {
            file: problem.file_path.unwrap_or_default().into(),
            line: Some(problem.line),
            object: problem.object.map(Arc::from),
            message: problem.message.into(),
            guid: problem.source.filter(|_| problem.kind == ProblemKind::MissingSource),
            id: problem.stated_by.unwrap_or_default(),
            to: problem.gone.unwrap_or_default(),
            ..Finding::new(kind)
        }
    }));
}

/// The script of a component, told with its place on its object.
fn script(
    judge: &Judge<'_>,
    hierarchy: &Hierarchy,
    here: &Here<'_>,
    object: Object<'_>,
) -> Option<Finding> {
    let found = fields::check_script(judge, object, here)?;
    let Some(node) = hierarchy.owner(object.file_id()) else { return Some(found) };
    let mut components = node.components().into_iter();
    let place = components.position(|component| {
        component.file() == hierarchy.guid() && component.object().file_id() == object.file_id()
    });
    let at = place.map_or(String::new(), |place| format!(" at index {place}"));
    let what = match found.kind {
        FindingKind::ScriptNameDiffers => "Script",
        _ => "Missing script",
    };
    let message =
        format!("{what} component{at} on GameObject '{}': {}", node.name(), found.message);
    Some(Finding { component: place, message: message.into(), ..found })
}

fn owner<'h>(
    hierarchy: &'h Hierarchy,
    paths: &mut Paths<'h>,
    object: Object<'_>,
) -> Option<String> {
    let id = object.file_id();
    match hierarchy.owner(id) {
        Some(node) => Some(paths.of(&node)),
        None => hierarchy.instance_of(id).map(|node| format!("{}/…", paths.of(&node))),
    }
}

/// Inside of an instance, what this file overrides is this file's doing.
fn overrides<'h>(
    judge: &Judge<'_>,
    hierarchy: &'h Hierarchy,
    is_doubted: &dyn Fn(FileId) -> bool,
    here: &Here<'_>,
    paths: &mut Paths<'h>,
    findings: &mut Vec<Finding>,
) {
    let changes = hierarchy.overrides_of(is_doubted);
    for change in changes.filter(|change| !change.reference.is_null()) {
        let to = change.reference;
        let why = match to.guid {
            Some(guid) => judge.wrong(guid, to.file_id),
            None => here.missing(to),
        };
        let Some(why) = why else { continue };
        let source = hierarchy.document().object(change.stated_by).and_then(source_of);
        let entry = source.and_then(|source| judge.object_of(source, change.target));
        let class = entry.and_then(|entry| judge.class_of_entry(&entry));
        let class = class.map_or_else(String::new, |class| format!("{class}."));
        let field = fields::shown(change.path);
        let message = format!("the override of {class}{field} is missing: {why}");
        findings.push(Finding {
            line: Some(hierarchy.document().line(change.offset)),
            object: hierarchy.overridden(&change).map(|node| paths.of(&node).into()),
            guid: to.guid,
            cause: Some(if to.guid.is_some() { why.into() } else { message.as_str().into() }),
            message: message.into(),
            field: Some(change.path.into()),
            id: change.stated_by,
            to: to.file_id,
            ..Finding::new(FindingKind::BrokenReference)
        });
    }
}

/// The prefab of an instance.
fn source_of(instance: Object<'_>) -> Option<Guid> {
    let keys = ["m_SourcePrefab", "m_ParentPrefab"];
    keys.iter().find_map(|key| instance.get(key)?.as_reference())?.guid
}
