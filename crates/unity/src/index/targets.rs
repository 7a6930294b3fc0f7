//! What is known of the guids that assets refer to, looked up once for a segment.

use std::sync::OnceLock;

use super::segment::{NO_SCRIPT, ObjectRow, STRIPPED};
use super::{Asset, Index};
use crate::{ClassId, FileId, Guid};

/// What is known of the guids that assets refer to, asked once for all assets of a segment: those
/// of one folder refer to the same few.
pub(crate) struct Targets<'a, T> {
    index: &'a Index,
    ask: Box<dyn Fn(Guid) -> T + Send + Sync + 'a>,
    /// By segment, in the order of its guids; filled when one of its assets comes by.
    known: Vec<OnceLock<Box<[T]>>>,
}

impl<'a, T: Copy> Targets<'a, T> {
    pub(crate) fn new(index: &'a Index, ask: impl Fn(Guid) -> T + Send + Sync + 'a) -> Self {
        let known = index.segments.iter().map(|_| OnceLock::new()).collect();
        Self { index, ask: Box::new(ask), known }
    }

    /// For each reference of an asset, what is known of its target, and the object in that.
    pub(crate) fn outgoing(&self, asset: Asset<'a>) -> impl Iterator<Item = (T, FileId)> {
        let known = self.of(asset);
        let links = asset.segment.links(asset.slot).iter();
        links.map(|link| (known[link.target as usize], FileId(link.file_id)))
    }

    /// For each MonoBehaviour of an asset, what is known of its script, if it has one.
    pub(crate) fn scripts(&self, asset: Asset<'a>) -> impl Iterator<Item = Option<T>> {
        let (known, links) = (self.of(asset), asset.segment.links(asset.slot));
        let rows = asset.segment.objects(asset.slot).iter();
        let is_behaviour =
            |row: &&ObjectRow| row.class == ClassId::MONO_BEHAVIOUR.0 && row.script & STRIPPED == 0;
        rows.filter(is_behaviour).map(move |row| {
            let link = links.get(row.script as usize).filter(|_| row.script != NO_SCRIPT)?;
            Some(known[link.target as usize])
        })
    }

    fn of(&self, asset: Asset<'_>) -> &[T] {
        let segment = self.index.order[asset.id().0 as usize].segment as usize;
        let guids = &self.index.segments[segment].guids;
        self.known[segment].get_or_init(|| guids.iter().map(|guid| (self.ask)(*guid)).collect())
    }
}
