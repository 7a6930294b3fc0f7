use super::{Folder, Index, Place, order::compare_parts, roots::Layout};
use crate::Serialization;
use codec::{Input, Output};
use std::{
    fs, io,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

mod codec;
mod tables;
#[cfg(test)]
mod tests;

/// The first bytes of a cache. The number changes with everything that is kept.
const MAGIC: &[u8; 8] = b"swindex2";

impl Index {
    /// Writes the snapshot for the next start. A reader sees the old file or the new one.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut body = Output::default();
        self.write(&mut body);
        let mut bytes = Vec::with_capacity(body.bytes.len() + 16);
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&checksum(&body.bytes).to_le_bytes());
        bytes.append(&mut body.bytes);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}-{number}.tmp", std::process::id()));
        let written = fs::write(&name, bytes).and_then(|()| fs::rename(&name, path));
        if written.is_err() {
            let _ = fs::remove_file(&name);
        }
        written
    }

    /// The snapshot of an earlier [`save`](Index::save) of this project, as old as it may be: give it
    /// to [`build`](Index::build). Nothing when the file is not exactly what was saved.
    pub fn load(path: &Path, root: &Path) -> Option<Index> {
        Index::decode(&fs::read(path).ok()?, root)
    }

    fn decode(bytes: &[u8], root: &Path) -> Option<Index> {
        let (head, body) = bytes.split_at_checked(16)?;
        let (magic, sum) = head.split_at(8);
        if magic != MAGIC || sum != checksum(body).to_le_bytes() {
            return None;
        }
        let mut input = Input { bytes: body };
        let index = Index::read(&mut input, root)?;
        input.bytes.is_empty().then_some(index)
    }

    fn write(&self, out: &mut Output) {
        out.text(&root_text(&self.root));
        tables::write_layout(&self.layout, out);
        out.count(self.folders.len());
        for folder in &*self.folders {
            out.text(&folder.path);
            out.u16(folder.root);
        }
        tables::write_problems(&self.walk_problems, out);
        out.count(self.segments.len());
        for segment in &self.segments {
            tables::write_segment(segment, out);
        }
        out.count(self.order.len());
        for place in &self.order {
            out.u32(place.segment);
            out.u32(place.slot);
        }
    }

    fn read(input: &mut Input<'_>, root: &Path) -> Option<Index> {
        if input.text()? != root_text(root) {
            return None;
        }
        let layout: Layout = tables::read_layout(input)?;
        let folders =
            input.list(|input| Some(Folder { path: input.text()?.into(), root: input.u16()? }))?;
        if folders.iter().any(|folder| usize::from(folder.root) >= layout.roots.len()) {
            return None;
        }
        let problems = tables::read_problems(input)?;
        let segments = input.list(|input| tables::read_segment(input).map(Arc::new))?;
        let order =
            input.list(|input| Some(Place { segment: input.u32()?, slot: input.u32()? }))?;
        let mut index =
            Index::of_parts(root, Arc::new(layout), Arc::new(folders), segments, problems);
        index.order = order;
        index.is_sound().then(|| index.sort_guids())?;
        Some(index)
    }

    /// True when all places exist and the order is one.
    fn is_sound(&self) -> bool {
        let exists = |place: &Place| {
            let segment = self.segments.get(place.segment as usize)?;
            let record = segment.records.get(place.slot as usize)?;
            self.folders.get(record.folder as usize)?;
            (!segment.name(record).is_empty()).then_some(())
        };
        let in_order = |pair: &[Place]| {
            compare_parts(self.parts(pair[0]), self.parts(pair[1])) == std::cmp::Ordering::Less
        };
        self.order.iter().all(|place| exists(place).is_some())
            && self.order.windows(2).all(in_order)
    }
}

fn root_text(root: &Path) -> String {
    let full = fs::canonicalize(root).unwrap_or_else(|_| root.into());
    full.to_string_lossy().into_owned()
}

/// Each step can be undone, so that no change of a single word goes unseen.
fn checksum(bytes: &[u8]) -> u64 {
    let step =
        |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    let sum =
        words.iter().fold(bytes.len() as u64, |sum, word| step(sum, u64::from_le_bytes(*word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    step(sum, u64::from_le_bytes(last))
}

const MODES: [Serialization; 4] =
    [Serialization::Text, Serialization::Binary, Serialization::Mixed, Serialization::Unknown];
