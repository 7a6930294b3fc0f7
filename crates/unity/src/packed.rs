//! Tables that are embedded packed: their length, so that unpacking needs no guess, and the table.

use miniz_oxide::inflate::decompress_slice_iter_to_slice;

/// A table as it was before it was packed. `made` says where it comes from, should it be broken.
pub(crate) fn unpacked(data: &[u8], made: &str) -> Vec<u8> {
    let (length, packed) = data.split_first_chunk::<4>().expect(made);
    let mut table = vec![0; u32::from_le_bytes(*length) as usize];
    decompress_slice_iter_to_slice(&mut table, std::iter::once(packed), false, true).expect(made);
    table
}
