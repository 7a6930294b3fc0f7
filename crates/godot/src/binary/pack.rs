//! Packed files: blocks of one size, each packed on its own.

use std::io::Read;

use ruzstd::decoding::StreamingDecoder;

use super::{CUT, Cursor, MAX_BYTES};

/// The only way of packing that Godot uses for resources.
const ZSTD: u32 = 2;
/// Bytes of a block; Godot's have 4096.
const MAX_BLOCK: u32 = 16 << 20;

/// The bytes that are packed in what follows the first word of a file.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut cursor = Cursor { bytes, at: 0, is_big: false };
    let (way, block, total) = (cursor.number()?, cursor.number()?, cursor.number()? as usize);
    if way != ZSTD {
        return Err("it is packed in a way that is not known here".to_owned());
    }
    if block == 0 || block > MAX_BLOCK || total > MAX_BYTES {
        return Err(format!("it is larger than {} MiB", MAX_BYTES >> 20));
    }
    let count = total / block as usize + 1;
    let sizes = (0..count).map(|_| cursor.number()).collect::<Result<Vec<u32>, String>>()?;
    let mut unpacked = Vec::new();
    for size in sizes {
        let packed = cursor.take(size as usize)?;
        // The last block is empty when the others are full.
        let left = (total - unpacked.len()).min(block as usize);
        if left > 0 {
            let stream = StreamingDecoder::new(packed).map_err(|_| CUT)?;
            let before = unpacked.len();
            stream.take(left as u64).read_to_end(&mut unpacked).map_err(|_| CUT)?;
            if unpacked.len() - before != left {
                return Err(CUT.to_owned());
            }
        }
    }
    Ok(unpacked)
}
