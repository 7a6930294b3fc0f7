//! Line numbers of byte offsets.

/// How many line breaks stand before each block of a text, so that asking for the lines of many
/// offsets does not count from its start each time.
#[derive(Debug)]
pub(super) struct Lines {
    before: Vec<usize>,
}

const BLOCK: usize = 1 << 14;

impl Lines {
    pub(super) fn new(text: &[u8]) -> Lines {
        let mut count = 0;
        let blocks = text.chunks(BLOCK).map(|block| {
            let before = count;
            count += breaks(block);
            before
        });
        Lines { before: blocks.collect() }
    }

    /// The line of an offset in the text that this was made of, from 1.
    pub(super) fn line(&self, text: &[u8], offset: usize) -> usize {
        let offset = offset.min(text.len());
        // The end of the text may be the start of a block that is not there.
        let block = (offset / BLOCK).min(self.before.len().saturating_sub(1));
        let before = self.before.get(block).copied().unwrap_or(0);
        before + breaks(&text[block * BLOCK..offset]) + 1
    }
}

fn breaks(text: &[u8]) -> usize {
    memchr::memchr_iter(b'\n', text).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_counted_from_the_start() {
        for size in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let text: Vec<u8> =
                (0..size).map(|at| if at % 5 == 0 { b'\n' } else { b'x' }).collect();
            let lines = Lines::new(&text);
            for offset in (0..size + 2).step_by(61).chain([size]) {
                let counted = breaks(&text[..offset.min(size)]) + 1;
                assert_eq!(lines.line(&text, offset), counted, "{offset} of {size}");
            }
        }
    }
}
