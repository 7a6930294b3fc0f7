//! What keeps a hierarchy from being whole. Problems of a file's own text are told by its document,
//! those inside a prefab by the hierarchy of that prefab.

use std::collections::{HashMap, HashSet};

use scenewright_text::counted;

use super::instance::Instance;
use super::path::Labels;
use super::survey::Survey;
use super::template::{Child, Fault, Template};
use super::{Hierarchy, MAX_NESTING, MAX_OBJECTS, Opaque};
use crate::script::{shown_class, stem};
use crate::{Document, FileId, Guid, Object};

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
    /// The object of the file that states it.
    pub stated_by: Option<FileId>,
    /// The object inside of that source that is gone.
    pub gone: Option<FileId>,
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
            stated_by: object_around(&template.document, fault.offset).map(Object::file_id),
            gone: Some(FileId(fault.gone)).filter(|gone| gone.0 != 0),
        })
        .collect()
}

/// The object whose text has an offset.
fn object_around(document: &Document, offset: usize) -> Option<Object<'_>> {
    let count = document.objects().len();
    let starts_behind = |at: usize| {
        let object = document.object_at(at);
        object.is_none_or(|object| object.header_span().start > offset)
    };
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low.midpoint(high);
        if starts_behind(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    document.object_at(low.checked_sub(1)?)
}

fn instance_faults(
    hierarchy: &Hierarchy,
    about: Child,
    instance: &Instance,
    faults: &mut Vec<Fault>,
) {
    let expander = &hierarchy.expander;
    let mut push = |kind, offset, gone, message| {
        faults.push(Fault { kind, offset, about: Some(about), message, gone });
    };
    if expander.opacity(instance.source) == Some(Opaque::Missing) {
        let message = format!("no asset of the project has the guid {}", instance.source);
        push(ProblemKind::MissingSource, instance.offset, 0, message);
        return;
    }
    let names = Names { hierarchy, source: instance.source };
    let survey = expander.survey(instance.source);
    let mut told = HashSet::new();
    for stale in instance.modifications.iter().filter(|m| survey.lacks(m.target)) {
        if told.insert(stale.target) {
            let count = instance.modifications_of(stale.target).len();
            let message =
                format!("{} of {}: {} first", counted(count, "override"), names.gone(), stale.path);
            push(ProblemKind::StaleOverride, stale.offset, stale.target, message);
        }
    }
    let removed = instance.removed_components.iter().chain(&instance.removed_objects);
    for id in removed.filter(|id| survey.lacks(**id)) {
        let message = format!("the file removes {}", names.gone());
        push(ProblemKind::StaleRemoval, instance.offset, *id, message);
    }
    for added in instance.added_children.iter().filter(|added| survey.lacks(added.to)) {
        let (what, offset) = names.child(added.what);
        let message = format!("{what} is a child of {}", names.gone());
        push(ProblemKind::UnresolvedParent, offset, added.to, message);
    }
    for added in instance.added_components.iter().filter(|added| survey.lacks(added.to)) {
        let (what, offset) = names.component(added.what);
        let message = format!("{what} was added to {}", names.gone());
        push(ProblemKind::UnresolvedGameObject, offset, added.to, message);
    }
}

/// What people call the parts of a file and of a prefab instance in it.
struct Names<'h> {
    hierarchy: &'h Hierarchy,
    source: Guid,
}

impl Names<'_> {
    /// An object of the source that is not there any more.
    fn gone(&self) -> String {
        let path = self.hierarchy.expander.path(self.source);
        let source = path.as_deref().map_or("the prefab", stem);
        format!("an object of {source} that is gone")
    }

    /// A component of the file, and where it starts.
    fn component(&self, id: i64) -> (String, usize) {
        let object = self.hierarchy.document().object(FileId(id));
        let path_of = |guid| self.hierarchy.expander.path(guid);
        let class = object.map(|object| shown_class(object, &path_of).into_owned());
        let offset = object.map_or(0, |object| object.header_span().start);
        (class.unwrap_or_else(|| "a component".to_owned()), offset)
    }

    /// An object or prefab instance of the file, and where it starts.
    fn child(&self, child: Child) -> (String, usize) {
        let Some(template) = self.hierarchy.top.template() else { return (String::new(), 0) };
        match child {
            Child::Object(index) => {
                let object = &template.objects[index as usize];
                let text = template.document.object(FileId(object.id));
                (format!("'{}'", object.name), text.map_or(0, |text| text.header_span().start))
            }
            Child::Instance(index) => {
                let instance = &template.instances[index as usize];
                let path = self.hierarchy.expander.path(instance.source);
                let name = path.as_deref().map(|path| format!("an instance of {}", stem(path)));
                (name.unwrap_or_else(|| "a prefab instance".to_owned()), instance.offset)
            }
        }
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
        faults.push(Fault { kind, offset, about, message, gone: 0 });
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
