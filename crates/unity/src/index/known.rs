use super::{
    AssetKind, Flags, Index, Place,
    segment::{Record, Stat},
    walk::{FoundFile, Presence},
};
use std::collections::HashMap;

/// The assets of an earlier snapshot by folder and name.
pub(super) struct Known<'a> {
    index: &'a Index,
    folders: HashMap<&'a str, u32>,
    places: HashMap<(u32, &'a str), Place>,
}

impl<'a> Known<'a> {
    pub(super) fn new(index: &'a Index) -> Known<'a> {
        let folders = index.folders.iter().zip(0..);
        let folders = folders.map(|(folder, number)| (&*folder.path, number)).collect();
        let mut places = HashMap::with_capacity(index.len());
        for asset in index.assets() {
            let place = index.order[asset.id().0 as usize];
            places.insert((asset.record().folder, asset.name()), place);
        }
        Known { index, folders, places }
    }

    /// The place of a file, unless the file changed.
    pub(super) fn find(&self, folder: &str, file: &FoundFile) -> Option<Place> {
        let folder = self.folders.get(folder)?;
        let place = *self.places.get(&(*folder, file.name.as_str()))?;
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
