//! What keeps a hierarchy from being whole. Problems of a file's own text are told by its document,
//! those inside a prefab by the hierarchy of that prefab.

use std::collections::{HashMap, HashSet};

use super::instance::Instance;
use super::path::Labels;
use super::survey::Survey;
use super::template::{Child, Fault, Template};
use super::{Hierarchy, MAX_NESTING, MAX_OBJECTS, Opaque};
use crate::Guid;

/// Something in a file that keeps its hierarchy from being whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// What sort of problem it is.
    pub kind: ProblemKind,
    /// The file it is in; all zeros when that has no guid.
    pub file: Guid,
    /// The path of the file, when the project knows it.
    pub file_path: Option<String>,
    /// The line, from 1.
    pub line: usize,
    /// The path of the object it is about, where that is known.
    pub object: Option<String>,
    /// What is wrong, as a sentence without a full stop.
    pub message: String,
    /// The source of the prefab instance that it is about.
    pub source: Option<Guid>,
}

/// The sorts of [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// An override of an object that the source no longer has. Unity keeps them silently.
    StaleOverride,
    /// An object or component is removed that the source no longer has. Unity keeps these too.
    StaleRemoval,
    /// The source of a prefab instance is missing.
    MissingSource,
    /// The parent of an object is not there.
    UnresolvedParent,
    /// A child that an object lists is not there or is another's.
    UnresolvedChild,
    /// A root that the scene lists is not there or has a parent.
    UnresolvedRoot,
    /// A component that an object lists is not there, or one is there that it does not list.
    UnresolvedComponent,
    /// The object of a component is not there.
    UnresolvedGameObject,
    /// The prefab instance of a stripped object is not there.
    UnresolvedInstance,
    /// Two objects of a file have the same id.
    DuplicateId,
    /// A prefab contains itself.
    Cycle,
    /// Prefabs are nested deeper than [`MAX_NESTING`].
    TooDeep,
    /// There are more objects than [`MAX_OBJECTS`].
    TooMany,
}

impl ProblemKind {
    /// True for what is normal in a living project and has no effect.
    pub fn is_quiet(self) -> bool {
        matches!(self, ProblemKind::StaleOverride | ProblemKind::StaleRemoval)
    }
}

/// For more problems than this, objects are not looked up any more: the file is broken as a whole.
const MAX_PATHS: usize = 1000;

pub(super) fn problems(hierarchy: &Hierarchy) -> Vec<Problem> {
    let Some(template) = hierarchy.top.template() else { return Vec::new() };
    let mut faults = Vec::new();
    for (index, instance) in (0..).zip(&template.instances) {
        instance_faults(hierarchy, Child::Instance(index), instance, &mut faults);
    }
    whole_faults(hierarchy, template, &mut faults);
    let mut all: Vec<&Fault> = template.faults.iter().chain(&faults).collect();
    all.sort_by_key(|fault| fault.offset);
    let file_path = hierarchy.expander.path(hierarchy.top.guid);
    let mut paths = Paths { hierarchy, labels: Labels::default(), known: HashMap::new() };
    all.into_iter()
        .map(|fault| Problem {
            kind: fault.kind,
            file: hierarchy.top.guid,
            file_path: file_path.clone(),
            line: template.document.line(fault.offset),
            object: fault.about.and_then(|child| paths.path(child)),
            message: fault.message.clone(),
            source: match fault.about {
                Some(Child::Instance(index)) => Some(template.instances[index as usize].source),
                _ => None,
            },
        })
        .collect()
}

fn instance_faults(
    hierarchy: &Hierarchy,
    about: Child,
    instance: &Instance,
    faults: &mut Vec<Fault>,
) {
    let expander = &hierarchy.expander;
    let mut push = |kind, offset, message| {
        faults.push(Fault { kind, offset, about: Some(about), message });
    };
    if expander.opacity(instance.source) == Some(Opaque::Missing) {
        let message = format!("no asset of the project has the guid {}", instance.source);
        push(ProblemKind::MissingSource, instance.offset, message);
        return;
    }
    let survey = expander.survey(instance.source);
    let mut told = HashSet::new();
    for stale in instance.modifications.iter().filter(|m| survey.lacks(m.target)) {
        if told.insert(stale.target) {
            let count = instance.modifications_of(stale.target).len();
            let message = format!(
                "{count} overrides of {}, which the source no longer has, {} first",
                stale.target, stale.path
            );
            push(ProblemKind::StaleOverride, stale.offset, message);
        }
    }
    let removed = instance.removed_components.iter().chain(&instance.removed_objects);
    for id in removed.filter(|id| survey.lacks(**id)) {
        let message = format!("{id} is removed, which the source no longer has");
        push(ProblemKind::StaleRemoval, instance.offset, message);
    }
    let children = instance.added_children.iter().map(|added| (added.to, "an object"));
    let components = instance.added_components.iter().map(|added| (added.to, "a component"));
    for (id, what) in children.chain(components).filter(|(id, _)| survey.lacks(*id)) {
        let message = format!("{what} is added to {id}, which the source no longer has");
        let kind = match what {
            "an object" => ProblemKind::UnresolvedParent,
            _ => ProblemKind::UnresolvedGameObject,
        };
        push(kind, instance.offset, message);
    }
}

/// What cuts the expansion short, here or further in.
fn whole_faults(hierarchy: &Hierarchy, template: &Template, faults: &mut Vec<Fault>) {
    let expander = &hierarchy.expander;
    let whole = expander.survey_top(template);
    // The first instance that leads there is where to look.
    let mut push = |kind, message, leads_there: &dyn Fn(&Survey) -> bool| {
        let mut instances = (0..).zip(&template.instances);
        let first = instances.find(|(_, instance)| leads_there(&expander.survey(instance.source)));
        let offset = first.map_or(0, |(_, instance)| instance.offset);
        let about = first.map(|(index, _)| Child::Instance(index));
        faults.push(Fault { kind, offset, about, message });
    };
    if let Some(guid) = whole.cycle {
        let name = expander.path(guid).unwrap_or_else(|| guid.to_string());
        let message = format!("{name} contains itself; it is not expanded again");
        push(ProblemKind::Cycle, message, &|inner| inner.cycle.is_some());
        return;
    }
    if whole.height > MAX_NESTING {
        let message = format!(
            "prefabs are nested {} deep; what is deeper than {MAX_NESTING} is not expanded",
            whole.height
        );
        push(ProblemKind::TooDeep, message, &|inner| inner.height >= MAX_NESTING);
    }
    if whole.objects > MAX_OBJECTS as u64 {
        let message = format!("there are more than {MAX_OBJECTS} objects; the rest is not shown");
        let share = whole.objects / (template.instances.len() as u64 + 1);
        push(ProblemKind::TooMany, message, &|inner| inner.objects >= share);
    }
}

struct Paths<'h> {
    hierarchy: &'h Hierarchy,
    labels: Labels<'h>,
    known: HashMap<(bool, u32), Option<String>>,
}

impl Paths<'_> {
    fn path(&mut self, child: Child) -> Option<String> {
        let key = match child {
            Child::Object(index) => (false, index),
            Child::Instance(index) => (true, index),
        };
        if self.known.len() > MAX_PATHS {
            return self.known.get(&key).cloned().flatten();
        }
        let Paths { hierarchy, labels, known } = self;
        let path = || {
            let nodes = hierarchy.expand_slot((hierarchy.top.clone(), child));
            nodes.first().map(|node| labels.path(node))
        };
        known.entry(key).or_insert_with(path).clone()
    }
}
