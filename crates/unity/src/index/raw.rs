//! What a reader notes on its way through the references of a file: each once, and where quotes are.

use std::ops::Range;

use super::segment::index;
use crate::Guid;

/// References as they come: target, file id, and how many of the same there are. A scene has the same
/// few thousands of times, so that one that came lately is counted instead of kept; the others are put
/// together when all are there.
pub(super) struct RawLinks {
    pub(super) links: Vec<(Guid, i64, u32)>,
    /// By a few bits of a reference, where one with those bits stands, or stood in the file before.
    lately: Box<[u32; 256]>,
}

impl RawLinks {
    pub(super) fn new() -> RawLinks {
        RawLinks { links: Vec::new(), lately: Box::new([0; 256]) }
    }

    pub(super) fn push(&mut self, guid: Guid, file_id: i64) {
        const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;
        let [.., a, b, c, d] = guid.0;
        let mixed = file_id.cast_unsigned() ^ u64::from(u32::from_le_bytes([a, b, c, d])) << 20;
        let place = &mut self.lately[(mixed.wrapping_mul(SPREAD) >> 56) as usize];
        match self.links.get_mut(*place as usize) {
            Some(known) if (known.0, known.1) == (guid, file_id) => known.2 += 1,
            _ => {
                *place = index(self.links.len());
                self.links.push((guid, file_id, 1));
            }
        }
    }
}

/// The next quote of a text: one long search costs less than one for each line.
#[derive(Default)]
pub(super) struct Quotes {
    next: usize,
}

impl Quotes {
    /// Whether a part of the text has quotes. Parts must not fall from call to call, and the
    /// first byte of a text is in none.
    pub(super) fn are_in(&mut self, text: &[u8], part: Range<usize>) -> bool {
        if self.next < part.start {
            let rest = &text[part.start..];
            let next = memchr::memchr2(b'\'', b'"', rest);
            self.next = next.map_or(usize::MAX, |next| part.start + next);
        }
        self.next < part.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_counted_also_when_others_come_between() {
        let mut links = RawLinks::new();
        let guid =
            |number: u32| Guid([&[0; 12], &number.to_le_bytes()[..]].concat().try_into().unwrap());
        // More than are remembered, and those of the file before are still there.
        for round in 0..2 {
            links.links.clear();
            for number in (0..600).chain(0..600).chain(0..600) {
                links.push(guid(number), i64::from(number % 7));
            }
            links.push(guid(3), 4);
            let counted: u32 = links.links.iter().map(|(.., count)| count).sum();
            assert_eq!(counted, 1801, "{round}");
            let mut different: Vec<_> =
                links.links.iter().map(|(guid, id, _)| (*guid, *id)).collect();
            different.sort_unstable();
            different.dedup();
            assert_eq!(different.len(), 601);
        }
        links.links.clear();
        (0..5).for_each(|_| links.push(guid(1), 2));
        assert_eq!(links.links, [(guid(1), 2, 5)]);
    }

    #[test]
    fn quotes_are_found_in_the_parts_that_have_them() {
        let (text, mut quotes) = (b"ab'cd\"ef", Quotes::default());
        assert!(!quotes.are_in(text, 1..2));
        assert!(quotes.are_in(text, 1..3));
        assert!(!quotes.are_in(text, 3..5));
        assert!(quotes.are_in(text, 4..7));
        assert!(!quotes.are_in(text, 6..8));
    }
}
