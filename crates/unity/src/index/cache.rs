//! A snapshot on disk, so that the next start reads only what changed. It is believed only as a
//! whole: a wrong byte makes it nothing.

#![expect(clippy::disallowed_methods, reason = "the cache is our own, outside the project")]

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::order::compare_parts;
use super::roots::Layout;
use super::segment::Segment;
use super::{Folder, Index, Place};
use crate::Serialization;

pub(crate) use codec::{Input, Output};

mod codec;
mod tables;
#[cfg(test)]
mod tests;

/// The first bytes of a cache. The number changes with everything that is kept.
const MAGIC: &[u8; 8] = b"swindex9";

/// Tells the snapshot in a cache from others, without reading it.
pub(crate) fn identity(path: &Path) -> Option<u64> {
    let mut head = [0; 16];
    File::open(path).and_then(|mut file| io::Read::read_exact(&mut file, &mut head)).ok()?;
    let (magic, sum) = head.split_first_chunk()?;
    (magic == MAGIC).then(|| sum.try_into().ok().map(u64::from_le_bytes))?
}

impl Index {
    /// Writes the snapshot for the next start. A reader sees the old file or the new one.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{}-{number}.tmp", std::process::id()));
        let written = self.write_file(Path::new(&name)).and_then(|()| fs::rename(&name, path));
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

    /// The tables of all segments are made at once and written one by one: together they are
    /// megabytes, which nobody needs in one piece.
    fn write_file(&self, path: &Path) -> io::Result<()> {
        let mut head = Output::default();
        self.write_head(&mut head);
        let pieces = self.segments.par_iter().map(|segment| {
            let mut out = Output::default();
            tables::write_segment(segment, &mut out);
            out.bytes
        });
        let pieces: Vec<Vec<u8>> = [head.bytes].into_par_iter().chain(pieces).collect();
        let mut file = File::create(path)?;
        let mut start = Output::default();
        start.bytes.extend_from_slice(MAGIC);
        start.u64(checksum(&pieces));
        start.count(pieces.len());
        pieces.iter().for_each(|piece| start.count(piece.len()));
        file.write_all(&start.bytes)?;
        pieces.iter().try_for_each(|piece| file.write_all(piece))
    }

    fn decode(bytes: &[u8], root: &Path) -> Option<Index> {
        let (sum, pieces) = split(bytes)?;
        let (head, segments) = pieces.split_first()?;
        if sum != checksum(&pieces) {
            return None;
        }
        let read = |piece: &&[u8]| {
            let mut input = Input { bytes: piece };
            let segment = tables::read_segment(&mut input)?;
            input.bytes.is_empty().then(|| Arc::new(segment))
        };
        let segments: Option<Vec<_>> = segments.par_iter().map(read).collect();
        let mut input = Input { bytes: head };
        let index = Index::read_head(&mut input, root, segments?)?;
        input.bytes.is_empty().then_some(index)
    }

    /// All but the segments.
    fn write_head(&self, out: &mut Output) {
        out.text(&root_text(&self.root));
        tables::write_layout(&self.layout, out);
        out.count(self.folders.len());
        for folder in &*self.folders {
            out.text(&folder.path);
            out.u16(folder.root);
        }
        tables::write_problems(&self.walk_problems, out);
        out.count(self.order.len());
        for place in &self.order {
            out.number(place.segment.into());
            out.number(place.slot.into());
        }
    }

    fn read_head(input: &mut Input<'_>, root: &Path, segments: Vec<Arc<Segment>>) -> Option<Index> {
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
        let order =
            input.list(|input| Some(Place { segment: input.small()?, slot: input.small()? }))?;
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
        self.order.par_iter().all(|place| exists(place).is_some())
            && self.order.par_windows(2).all(in_order)
    }
}

fn root_text(root: &Path) -> String {
    let full = fs::canonicalize(root).unwrap_or_else(|_| root.into());
    full.to_string_lossy().into_owned()
}

/// The checksum and the pieces of a file, when their lengths fit.
fn split(bytes: &[u8]) -> Option<(u64, Vec<&[u8]>)> {
    let mut input = Input { bytes: bytes.strip_prefix(MAGIC)? };
    let sum = input.u64()?;
    let lengths = input.list(Input::u64)?;
    let mut pieces = Vec::with_capacity(lengths.len());
    for length in lengths {
        let (piece, rest) = input.bytes.split_at_checked(usize::try_from(length).ok()?)?;
        pieces.push(piece);
        input.bytes = rest;
    }
    input.bytes.is_empty().then_some((sum, pieces))
}

/// Each step can be undone, so that no change of a single word goes unseen.
fn checksum<T: AsRef<[u8]> + Sync>(pieces: &[T]) -> u64 {
    let step =
        |sum: u64, word: u64| (sum.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let of_piece = |piece: &T| {
        let piece = piece.as_ref();
        let (words, rest) = piece.as_chunks::<8>();
        let sum =
            words.iter().fold(piece.len() as u64, |sum, word| step(sum, u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        step(sum, u64::from_le_bytes(last))
    };
    let sums: Vec<u64> = pieces.par_iter().map(of_piece).collect();
    sums.into_iter().fold(pieces.len() as u64, step)
}

const MODES: [Serialization; 4] =
    [Serialization::Text, Serialization::Binary, Serialization::Mixed, Serialization::Unknown];
