//! Files as they are to be, beside those on the disk: a snapshot for whoever plans several changes,
//! each on what those before it planned.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::kind::is_hidden;
use super::refresh::{Patch, Scope};
use super::roots::is_layout_file;
use super::segment::Stat;
use super::walk::Presence;
use super::{AssetKind, Index, order};

/// The content of files by their path from the project root; nothing where one is to be gone.
pub type Planned = BTreeMap<String, Option<Vec<u8>>>;

impl Index {
    /// The snapshot as it would be with these files. Nothing when only a look at the whole project
    /// could tell that.
    pub fn with_planned(&self, planned: Planned) -> Option<Index> {
        let mut scopes: Vec<Scope> =
            planned.keys().filter_map(|path| self.planned_scope(path)).collect();
        scopes.sort_by(|one, two| order::compare(&one.path, &two.path));
        scopes.dedup_by(|two, one| two.path == one.path);
        Patch::read(self, scopes, Arc::new(planned), None).map(Patch::apply)
    }

    fn planned_scope(&self, path: &str) -> Option<Scope> {
        let path = path.strip_suffix(".meta").unwrap_or(path);
        let inside =
            self.roots().iter().zip(0..).filter(|(root, _)| order::is_within(path, &root.path));
        let (root, number) = inside.max_by_key(|(root, _)| root.path.len())?;
        let rest = path.strip_prefix(&*root.path)?.strip_prefix('/')?;
        let known = self.at_path(path).map(|asset| asset.kind());
        let is_other = is_layout_file(path) || rest.split('/').any(is_hidden);
        // Of a folder that is there only the meta can be planned, and all else in it stays.
        let is_skipped = is_other || known == Some(AssetKind::Folder);
        (!is_skipped).then(|| Scope { path: path.into(), root: number })
    }
}

/// What is to stand at a path; nothing where the disk tells that.
pub(super) fn presence(planned: &Planned, path: &str) -> Option<Presence> {
    match planned.get(path) {
        Some(Some(bytes)) => Some(Presence::File(Stat { size: bytes.len() as u64, modified: 0 })),
        Some(None) => Some(Presence::Absent),
        None => {
            let folder = format!("{path}/");
            let mut below = planned.range(folder.clone()..);
            let is_below = |(name, content): (&String, &Option<Vec<u8>>)| {
                name.starts_with(&folder) && content.is_some()
            };
            below.next().is_some_and(is_below).then_some(Presence::Folder)
        }
    }
}

/// A file that is read: from the disk, or as it is to be.
pub(super) enum Opened<'a> {
    Disk(File),
    Planned(&'a [u8]),
}

impl Read for Opened<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Disk(file) => file.read(into),
            Self::Planned(bytes) => bytes.read(into),
        }
    }
}
