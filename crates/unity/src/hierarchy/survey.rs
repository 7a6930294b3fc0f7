//! What is inside a file without walking it: which ids, how many objects, how deep.

use std::collections::HashSet;
use std::sync::Arc;

use super::frame::Content;
use super::template::Template;
use super::{Expander, MAX_NESTING, Opaque};
use crate::{FileId, Guid};

/// What a file holds, all instances expanded.
#[derive(Default)]
pub(super) struct Survey {
    /// All ids, sorted.
    ids: Vec<i64>,
    /// True when there may be more ids: of models, of missing files, or too many to keep.
    pub(super) is_open: bool,
    /// How many objects there are, before any is removed.
    pub(super) objects: u64,
    /// How many files are nested in it.
    pub(super) height: usize,
    /// A file that contains itself.
    pub(super) cycle: Option<Guid>,
}

/// Beyond this, ids are not kept and none is ever called missing.
const MAX_IDS: usize = 1_000_000;

impl Survey {
    pub(super) fn has(&self, id: i64) -> bool {
        self.ids.binary_search(&id).is_ok()
    }

    /// True when no object has the id, and certainly.
    pub(super) fn lacks(&self, id: i64) -> bool {
        !self.is_open && id != FileId::PREFAB.0 && !self.has(id)
    }

    pub(super) fn len(&self) -> usize {
        self.ids.len()
    }

    /// The same, without saying what is in it.
    pub(super) fn without_ids(self) -> Survey {
        Survey { ids: Vec::new(), is_open: true, ..self }
    }

    fn opaque() -> Survey {
        Survey { is_open: true, objects: 1, ..Survey::default() }
    }
}

/// A file whose nested files are being surveyed.
struct Open {
    guid: Guid,
    template: Arc<Template>,
    sources: std::vec::IntoIter<Guid>,
    cycle: Option<Guid>,
}

impl Expander {
    /// The survey of a file. Files are worked off from a list, as a chain may be as long as a
    /// project has files.
    pub(super) fn survey(&self, guid: Guid) -> Arc<Survey> {
        if let Some(known) = self.known_survey(guid) {
            return known;
        }
        let mut open = Vec::new();
        let mut on_the_way = HashSet::new();
        self.open(guid, &mut open, &mut on_the_way);
        while let Some(last) = open.last_mut() {
            match last.sources.next() {
                Some(next) if on_the_way.contains(&next) => last.cycle = Some(next),
                Some(next) if self.known_survey(next).is_some() => {}
                Some(next) => self.open(next, &mut open, &mut on_the_way),
                None => {
                    let Some(done) = open.pop() else { break };
                    on_the_way.remove(&done.guid);
                    let survey = self.sum(&done.template, done.cycle);
                    self.keep_survey(done.guid, survey);
                }
            }
        }
        self.known_survey(guid).unwrap_or_else(|| Arc::new(Survey::opaque()))
    }

    /// The survey of a file that may have no guid.
    pub(super) fn survey_top(&self, template: &Template) -> Survey {
        for source in sources(template) {
            self.survey(source);
        }
        self.sum(template, None)
    }

    fn open(&self, guid: Guid, open: &mut Vec<Open>, on_the_way: &mut HashSet<Guid>) {
        match self.content(guid) {
            Content::Opaque(_) => {
                self.keep_survey(guid, Survey::opaque());
            }
            Content::Template(template) => {
                on_the_way.insert(guid);
                let sources = sources(&template).into_iter();
                open.push(Open { guid, template, sources, cycle: None });
            }
        }
    }

    fn sum(&self, template: &Template, cycle: Option<Guid>) -> Survey {
        let ids = template.document.objects().map(|object| object.file_id().0).collect();
        let objects = template.objects.len() as u64;
        let mut sum = Survey { ids, objects, cycle, is_open: cycle.is_some(), height: 0 };
        for instance in &template.instances {
            let Some(inner) = self.known_survey(instance.source) else {
                sum.is_open = true;
                continue;
            };
            sum.is_open |= inner.is_open;
            sum.objects = sum.objects.saturating_add(inner.objects);
            sum.height = sum.height.max(inner.height + 1);
            sum.cycle = sum.cycle.or(inner.cycle);
            if sum.ids.len() + inner.ids.len() > MAX_IDS || sum.height > MAX_NESTING {
                sum.is_open = true;
                continue;
            }
            sum.ids.extend(inner.ids.iter().map(|id| instance.outward(*id)));
        }
        sum.ids.sort_unstable();
        sum.ids.dedup();
        sum
    }

    /// Why an instance's content is not known, if it is not.
    pub(super) fn opacity(&self, source: Guid) -> Option<Opaque> {
        match self.content(source) {
            Content::Template(_) => None,
            Content::Opaque(reason) => Some(reason),
        }
    }
}

fn sources(template: &Template) -> Vec<Guid> {
    let mut sources: Vec<Guid> = template.instances.iter().map(|i| i.source).collect();
    sources.sort_unstable();
    sources.dedup();
    sources
}
