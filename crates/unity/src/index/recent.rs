//! The large scene that changed last, kept as it was when it was read whole. When it changes again, it
//! is compared with that, and only the objects between the first and the last change are read: of a
//! scene of 20 MB that is a hundredth of the work.
//!
//! What the changed objects said before is taken out of what is known of the file, and what they say
//! now is put in. That is only done where it cannot be wrong: the file was in order, it has the same
//! objects as before, and these hang together as before. Else the file is read whole again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use memchr::memmem;

use super::alike::objects_between;
use super::os::stat_of;
use super::overrides::foreign_overrides;
use super::seen::Seen;
use super::segment::{Draft, NO_SCRIPT, ObjectRow, STRIPPED, Stat, Traits, index};
use super::walk::stat_file;
use super::{Asset, AssetKind, Flags};
use crate::{ClassId, Document, DocumentKind, Guid};

/// Smaller files are read as fast as they are compared. Tests have only small ones.
const LARGE: u64 = if cfg!(test) { 0 } else { 256 << 10 };
/// Larger ones would take too much memory for good.
const TOO_LARGE: u64 = 64 << 20;
/// So often a file is looked at that is being written.
const LOOKS: usize = 8;
/// So much is compared at once.
const CHUNK: usize = 256 << 10;

/// The file that changed last, if it is large.
#[derive(Default)]
pub(crate) struct Recent {
    kept: Mutex<Option<Kept>>,
}

struct Kept {
    base: Arc<Base>,
    /// The size and time of the file as it was read last.
    now: Stat,
    /// What differed then.
    part: Option<Arc<Part>>,
}

/// A scene or prefab as it was when it was read whole.
pub(crate) struct Base {
    path: String,
    document: Arc<Document>,
    draft: Draft,
}

/// The objects between the first and the last difference of two texts.
pub(crate) struct Part {
    /// Where they were.
    pub(crate) old: Range<usize>,
    /// What stands there now.
    pub(crate) new: Vec<u8>,
}

impl Recent {
    fn kept(&self) -> MutexGuard<'_, Option<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a file was when it was read whole, if it is the one that is kept.
    pub(super) fn base(&self, folder: &str, name: &str) -> Option<Arc<Base>> {
        let is_it = |path: &str| {
            let rest = path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/'));
            rest == Some(name)
        };
        let kept = self.kept();
        kept.as_ref().map(|kept| &kept.base).filter(|base| is_it(&base.path)).cloned()
    }

    pub(super) fn keep_whole(&self, base: Base) {
        let now = base.draft.record.file;
        *self.kept() = Some(Kept { base: Arc::new(base), now, part: None });
    }

    pub(super) fn keep_part(&self, base: &Arc<Base>, now: Stat, part: Part) {
        *self.kept() = Some(Kept { base: base.clone(), now, part: Some(Arc::new(part)) });
    }

    /// An asset as it was when it was read whole, and what differs in it now.
    pub(crate) fn of(&self, asset: Asset<'_>) -> Option<(Arc<Base>, Option<Arc<Part>>)> {
        let kept = self.kept();
        let kept = kept.as_ref().filter(|kept| kept.now == asset.record().file)?;
        (kept.base.path == asset.path()).then(|| (kept.base.clone(), kept.part.clone()))
    }

    /// Whether an asset is still on the disk what it was when it was read.
    pub(crate) fn is_current(asset: Asset<'_>) -> bool {
        let stat = asset.disk_path().and_then(|path| stat_file(&path));
        stat.is_ok_and(|stat| stat == asset.record().file)
    }

    /// The path of the file.
    pub(crate) fn path(&self) -> Option<String> {
        self.kept().as_ref().map(|kept| kept.base.path.clone())
    }

    /// Whether this is what the next change is compared with.
    pub(crate) fn has(&self, base: &Arc<Base>) -> bool {
        self.kept().as_ref().is_some_and(|kept| Arc::ptr_eq(&kept.base, base))
    }

    /// Has the file read whole when it changes the next time.
    pub(crate) fn forget(&self) {
        *self.kept() = None;
    }
}

impl Base {
    pub(super) fn new(path: String, document: Document, draft: Draft) -> Base {
        Base { path, document: Arc::new(document), draft }
    }

    /// The path of the file in the project.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// What it said.
    pub(crate) fn document(&self) -> &Arc<Document> {
        &self.document
    }

    /// The size and time of its meta, which says something of the asset, too.
    pub(super) fn meta(&self) -> Stat {
        self.draft.record.meta
    }

    /// Whether a file is worth keeping, and in such order that parts can be exchanged.
    pub(super) fn suits(draft: &Draft) -> bool {
        let record = &draft.record;
        (LARGE..=TOO_LARGE).contains(&record.file.size)
            && matches!(record.kind, AssetKind::Scene | AssetKind::Prefab)
            && record.flags.without(Flags::RACY).is_empty()
            && record.content == Some(DocumentKind::UnityYaml)
            && record.traits.has(Traits::SOUND)
    }

    /// What differs in the file now, with its size and time; nothing when that is much. While it is
    /// being written, it is looked at again: what was read halfway would have to be read again anyway.
    pub(super) fn compare(&self, mut file: File, mut stat: Stat) -> Option<(Part, Stat)> {
        for _ in 0..LOOKS {
            let part = self.part(&mut file, stat);
            let now = stat_of(&file).ok()?;
            if now == stat {
                return part.map(|part| (part, stat));
            }
            stat = now;
        }
        None
    }

    fn part(&self, file: &mut File, stat: Stat) -> Option<Part> {
        let old = self.document.as_bytes();
        let len = usize::try_from(stat.size).ok()?;
        let mut chunk = vec![0; CHUNK.min(old.len().min(len))];
        let start = same_start(old, file, len, &mut chunk).ok()?;
        let most = old.len().min(len) - start;
        let end = same_end(old, file, len, most, &mut chunk).ok()?;
        let (old, place) = objects_between(old, len, start, end)?;
        let mut new = vec![0; place.len()];
        file.seek(SeekFrom::Start(place.start as u64)).ok()?;
        file.read_exact(&mut new).ok()?;
        Some(Part { old, new })
    }

    /// What is to be said of the file with this part; nothing when only the whole tells.
    pub(super) fn with(&self, part: &Part) -> Option<Draft> {
        let is_text = memchr::memchr(0, &part.new).is_none();
        (is_text && memmem::find(&part.new, b"<<<<<<<").is_none()).then_some(())?;
        let old_text = &self.document.as_bytes()[part.old.clone()];
        let (mut old, mut new) = (Seen::new(), Seen::new());
        for (seen, text) in [(&mut old, old_text), (&mut new, &*part.new)] {
            seen.read(text, true);
            seen.read_lone_guids(text);
        }
        new.is_like(&old, |id| self.row(id).is_some()).then_some(())?;
        let mut draft = self.draft.clone();
        draft.record.traits = self.traits(old_text, &mut old, &part.new, &mut new)?;
        exchange_links(&mut draft, &old, &new)?;
        Some(draft)
    }

    fn row(&self, id: i64) -> Option<usize> {
        self.draft.objects.binary_search_by_key(&id, |object| object.file_id).ok()
    }

    /// The traits that any object can give the whole file.
    fn traits(
        &self,
        old_text: &[u8],
        old: &mut Seen,
        new_text: &[u8],
        new: &mut Seen,
    ) -> Option<Traits> {
        let class_of = |id| self.row(id).map(|at| ClassId(self.draft.objects[at].class));
        let is_instance = |object: &ObjectRow| object.class == ClassId::PREFAB_INSTANCE.0;
        let has_instances = self.draft.objects.iter().any(is_instance);
        let foreign = |text| has_instances && foreign_overrides(text).next().is_some();
        let given = [
            (
                Traits::MISFIT,
                old.fit.is_amiss_among(old_text, class_of),
                new.fit.is_amiss_among(new_text, class_of),
            ),
            (Traits::FOREIGN, foreign(old_text), foreign(new_text)),
        ];
        let mut traits = self.draft.record.traits;
        for (one, before, after) in given {
            traits = match (before, after) {
                (_, true) => traits.with(one),
                // Whether another object gives it too, is not known.
                (true, false) => return None,
                (false, false) => traits,
            };
        }
        Some(traits)
    }
}

/// How many bytes are the same from the start on.
fn same_start(old: &[u8], file: &mut File, len: usize, chunk: &mut [u8]) -> io::Result<usize> {
    file.seek(SeekFrom::Start(0))?;
    let most = old.len().min(len);
    let mut at = 0;
    while at < most {
        let size = chunk.len().min(most - at);
        file.read_exact(&mut chunk[..size])?;
        let (one, two) = (&old[at..at + size], &chunk[..size]);
        if one != two {
            let same = one.iter().zip(two).take_while(|(one, two)| one == two).count();
            return Ok(at + same);
        }
        at += size;
    }
    Ok(at)
}

/// How many bytes are the same before the end, at most so many.
fn same_end(
    old: &[u8],
    file: &mut File,
    len: usize,
    most: usize,
    chunk: &mut [u8],
) -> io::Result<usize> {
    let mut count = 0;
    while count < most {
        let size = chunk.len().min(most - count);
        file.seek(SeekFrom::Start((len - count - size) as u64))?;
        file.read_exact(&mut chunk[..size])?;
        let end = old.len() - count;
        let (one, two) = (&old[end - size..end], &chunk[..size]);
        if one != two {
            let pairs = one.iter().rev().zip(two.iter().rev());
            return Ok(count + pairs.take_while(|(one, two)| one == two).count());
        }
        count += size;
    }
    Ok(count)
}

/// Takes the references of some objects out and puts those in that they have now.
fn exchange_links(draft: &mut Draft, old: &Seen, new: &Seen) -> Option<()> {
    let mut counts: BTreeMap<(Guid, i64), i64> = BTreeMap::new();
    for (seen, sign) in [(old, -1), (new, 1)] {
        for (guid, id, count) in &seen.raw.links {
            *counts.entry((*guid, *id)).or_default() += sign * i64::from(*count);
        }
    }
    counts.retain(|_, count| *count != 0);
    let before = std::mem::take(&mut draft.links);
    let mut links: BTreeMap<(Guid, i64), i64> = counts;
    let mut after = Vec::with_capacity(before.len() + links.len());
    for (guid, id, count) in &before {
        let more = links.remove(&(*guid, *id)).unwrap_or(0);
        let count = i64::from(*count) + more;
        if count != 0 {
            after.push((*guid, *id, u32::try_from(count).ok()?));
        }
    }
    let is_longer = !links.is_empty();
    for ((guid, id), count) in links {
        after.push((guid, id, u32::try_from(count).ok()?));
    }
    if is_longer {
        after.sort_unstable();
    }
    let place = |key: (Guid, i64)| {
        let found = after.binary_search_by_key(&key, |link| (link.0, link.1)).ok();
        found.map_or(NO_SCRIPT, index)
    };
    if is_longer || after.len() != before.len() {
        let places: Vec<u32> = before.iter().map(|link| place((link.0, link.1))).collect();
        for object in &mut draft.objects {
            let known = places.get((object.script & !STRIPPED) as usize);
            let at = known.copied().unwrap_or(NO_SCRIPT);
            object.script = object.script & STRIPPED | at;
        }
    }
    let row = |id: i64| draft.objects.binary_search_by_key(&id, |object| object.file_id).ok();
    let rows: Option<Vec<usize>> = new.headers.iter().map(|header| row(header.file_id.0)).collect();
    let rows = rows?;
    for at in &rows {
        let object = &mut draft.objects[*at];
        object.script = object.script & STRIPPED | NO_SCRIPT;
    }
    for (object, guid, id) in &new.scripts {
        let object = &mut draft.objects[*rows.get(*object)?];
        object.script = object.script & STRIPPED | place((*guid, *id));
    }
    draft.links = after;
    Some(())
}
