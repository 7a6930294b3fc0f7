//! What an earlier snapshot knows of a file, so that it need not be opened again.

use std::collections::HashMap;

use super::segment::{Record, Stat};
use super::walk::{FoundFile, Presence};
use super::{AssetKind, Flags, Index, Place};

/// The assets of an earlier snapshot by folder and name.
pub(super) struct Known<'a> {
    index: &'a Index,
    folders: HashMap<&'a str, u32>,
    /// By folder, in the order of their names.
    places: Vec<Vec<Place>>,
}

impl<'a> Known<'a> {
    pub(super) fn new(index: &'a Index) -> Known<'a> {
        let folders = index.folders.iter().zip(0..);
        let folders = folders.map(|(folder, number)| (&*folder.path, number)).collect();
        let mut places = vec![Vec::new(); index.folders.len()];
        for (place, asset) in index.order.iter().zip(index.assets()) {
            places[asset.record().folder as usize].push(*place);
        }
        Known { index, folders, places }
    }

    /// The place of a file, unless the file changed.
    pub(super) fn find(&self, folder: &str, file: &FoundFile) -> Option<Place> {
        let places = &self.places[self.folder(folder)? as usize];
        let name = |place: &Place| self.index.parts(*place).1;
        let at = places.binary_search_by(|place| name(place).cmp(&file.name)).ok()?;
        let place = places[at];
        let segment = &self.index.segments[place.segment as usize];
        is_unchanged(&segment.records[place.slot as usize], file).then_some(place)
    }

    /// The number of a folder.
    pub(super) fn folder(&self, path: &str) -> Option<u32> {
        self.folders.get(path).copied()
    }
}

pub(super) fn is_unchanged(record: &Record, file: &FoundFile) -> bool {
    let is_same_file = match &file.presence {
        Presence::Absent => record.flags.contains(Flags::ASSET_MISSING),
        Presence::Folder => {
            record.kind == AssetKind::Folder && !record.flags.contains(Flags::ASSET_MISSING)
        }
        Presence::File(stat) => record.file == *stat && *stat != Stat::default(),
        Presence::Refused(_) => false,
    };
    is_same_file
        && record.meta == file.meta.unwrap_or_default()
        && !record.flags.contains(Flags::RACY)
}
