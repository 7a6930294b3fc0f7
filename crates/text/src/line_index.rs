//! Line numbers of byte offsets.

/// Line numbers of byte offsets. It counts line breaks once and keeps the count of every block, so
/// that asking for many lines of a big file does not count from its start each time.
#[derive(Debug)]
pub struct LineIndex {
    /// Line breaks before each block.
    before: Vec<usize>,
}

const BLOCK: usize = 1 << 14;

impl LineIndex {
    /// Count the line breaks of a text.
    pub fn new(text: &[u8]) -> LineIndex {
        let mut count = 0;
        let count_block = |block| {
            let before = count;
            count += breaks(block);
            before
        };
        LineIndex { before: text.chunks(BLOCK).map(count_block).collect() }
    }

    /// The line of an offset in the text this index was made of, from 1.
    pub fn line(&self, text: &[u8], offset: usize) -> usize {
        let offset = offset.min(text.len());
        // An offset at the end may lie one behind the last block.
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
    fn agrees_with_counting_from_the_start() {
        for size in [0, 1, BLOCK - 1, BLOCK, 2 * BLOCK, 2 * BLOCK + 7] {
            let text: Vec<u8> = (0..size).map(|at| b"ab\n"[at % 3]).collect();
            let index = LineIndex::new(&text);
            for offset in (0..=size + 1).step_by(97).chain([size]) {
                let expected = breaks(&text[..offset.min(size)]) + 1;
                assert_eq!(index.line(&text, offset), expected, "{offset} of {size}");
            }
        }
    }
}
