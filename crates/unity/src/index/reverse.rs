//! Who refers to a guid, made when someone first asks.

use super::Index;
use super::segment::index;
use crate::Guid;

/// Which assets refer to a guid: the sources of the target at `n` are
/// `sources[starts[n]..starts[n + 1]]`.
pub(super) struct Reverse {
    targets: Vec<Guid>,
    starts: Vec<u32>,
    sources: Vec<u32>,
}

impl Reverse {
    pub(super) fn new(all: &Index) -> Reverse {
        let mut targets: Vec<Guid> =
            all.segments.iter().flat_map(|segment| segment.guids.iter().copied()).collect();
        targets.sort_unstable();
        targets.dedup();
        // From the targets of each segment to those of all.
        let places: Vec<Vec<u32>> = all
            .segments
            .iter()
            .map(|segment| {
                let place = |guid| targets.partition_point(|other| other < guid);
                segment.guids.iter().map(place).map(index).collect()
            })
            .collect();
        let mut starts = vec![0_u32; targets.len() + 1];
        for_each(all, &places, |target, _| starts[target as usize + 1] += 1);
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut next = starts.clone();
        let mut sources = vec![0; *starts.last().unwrap_or(&0) as usize];
        for_each(all, &places, |target, source| {
            let at = &mut next[target as usize];
            sources[*at as usize] = source;
            *at += 1;
        });
        Reverse { targets, starts, sources }
    }

    pub(super) fn sources(&self, guid: Guid) -> &[u32] {
        let Ok(at) = self.targets.binary_search(&guid) else { return &[] };
        &self.sources[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// Calls with each target of each asset, once, in the order of the assets.
fn for_each(all: &Index, places: &[Vec<u32>], mut call: impl FnMut(u32, u32)) {
    for (place, source) in all.order.iter().zip(0..) {
        let segment = &all.segments[place.segment as usize];
        let mut last = None;
        for link in segment.links(place.slot as usize) {
            if last.replace(link.target) != Some(link.target) {
                call(places[place.segment as usize][link.target as usize], source);
            }
        }
    }
}
