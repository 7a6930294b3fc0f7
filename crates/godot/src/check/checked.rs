//! What a check found the last time, and what a change since then can have changed.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::Finding;
use crate::{Facts, FileEntry, FileKind, Index};

/// What a check found, for the next one of the same project.
#[derive(Debug)]
pub struct Checked {
    index: Arc<Index>,
    facts: Facts,
    /// By the file that was judged, where anything was found or may be found without a change.
    files: BTreeMap<String, Judged>,
}

/// What was found in one file.
#[derive(Debug, Default)]
pub(super) struct Judged {
    pub(super) found: Vec<Finding>,
    /// It goes by more than the index tells, so that it is judged each time.
    pub(super) is_loose: bool,
}

impl Checked {
    pub(super) fn new(index: &Arc<Index>, facts: &Facts) -> Checked {
        Checked { index: index.clone(), facts: facts.clone(), files: BTreeMap::new() }
    }

    pub(super) fn add(&mut self, file: &FileEntry, judged: Judged) {
        if judged.is_loose || !judged.found.is_empty() {
            self.files.insert(file.path.clone(), judged);
        }
    }

    pub(super) fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.files.values().flat_map(|judged| &judged.found)
    }

    /// The files whose findings may differ in a later snapshot, and what holds of the others; nothing
    /// when everything may.
    pub(super) fn until<'i>(
        self,
        index: &'i Arc<Index>,
        facts: &Facts,
    ) -> Option<(Vec<&'i FileEntry>, Checked)> {
        if self.facts != *facts {
            return None;
        }
        let mut again = changed(&self.index, index)?;
        let loose = self.files.iter().filter(|(_, judged)| judged.is_loose);
        let loose = loose.filter_map(|(path, _)| index.by_path(path)).map(|file| &*file.path);
        let loose: Vec<&str> = loose.collect();
        add_users(index, &mut again);
        again.extend(loose);
        let mut kept = Checked { files: self.files, ..Checked::new(index, facts) };
        kept.files.retain(|path, _| !again.contains(&**path));
        Some((index.files().filter(|file| again.contains(&*file.path)).collect(), kept))
    }
}

/// The files that were read again; nothing when files, uids or classes came or went, which the
/// findings of any file may go by.
fn changed<'i>(old: &Index, new: &'i Index) -> Option<HashSet<&'i str>> {
    if old.len() != new.len() || !old.lists_like(new) {
        return None;
    }
    let mut changed = HashSet::new();
    for (before, after) in old.shared().zip(new.shared()) {
        if Arc::ptr_eq(before, after) {
            continue;
        }
        let class = |file: &FileEntry| file.script.as_ref()?.class_name.clone();
        let is_same = before.path == after.path
            && before.uid == after.uid
            && class(before) == class(after)
            && before.is_unread == after.is_unread;
        is_same.then(|| changed.insert(&*after.path))?;
    }
    Some(changed)
}

/// Who uses one of these files, and who uses those: by a path, a uid, or the class it extends.
fn add_users<'i>(index: &'i Index, files: &mut HashSet<&'i str>) {
    let mut heirs: HashMap<&str, Vec<&str>> = HashMap::new();
    for file in index.of_kind(FileKind::Script) {
        let base = file.script.as_ref().and_then(|script| script.base.as_deref());
        base.into_iter().for_each(|base| heirs.entry(base).or_default().push(&file.path));
    }
    let mut open: Vec<&str> = files.iter().copied().collect();
    while let Some(path) = open.pop() {
        let by_path = index.users(path).map(|(user, _)| &*user.path);
        let class =
            index.by_path(path).and_then(|file| file.script.as_ref()?.class_name.as_deref());
        let by_class = class.and_then(|class| heirs.get(class)).into_iter().flatten().copied();
        open.extend(by_path.chain(by_class).filter(|user| files.insert(user)));
    }
}
