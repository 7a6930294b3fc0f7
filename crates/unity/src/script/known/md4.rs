//! The hash that Unity makes ids of library classes with.

/// MD4 (RFC 1320). Not safe for anything but the ids that Unity makes with it.
pub(super) fn digest(message: &[u8]) -> [u8; 16] {
    let mut padded = message.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    if padded.len() - message.len() < 9 {
        padded.resize(padded.len() + 64, 0);
    }
    let length = padded.len() - 8;
    padded[length..].copy_from_slice(&(message.len() as u64 * 8).to_le_bytes());

    let mut state = [0x6745_2301u32, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
    for block in padded.as_chunks::<64>().0 {
        let mut words = [0; 16];
        for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let before = state;
        round(&mut state, &words, [3, 7, 11, 19], 0, ROW, |x, y, z| (x & y) | (!x & z));
        round(&mut state, &words, [3, 5, 9, 13], 0x5a82_7999, COLUMN, |x, y, z| {
            (x & y) | (x & z) | (y & z)
        });
        round(&mut state, &words, [3, 9, 11, 15], 0x6ed9_eba1, REVERSED, |x, y, z| x ^ y ^ z);
        for (word, old) in state.iter_mut().zip(before) {
            *word = word.wrapping_add(old);
        }
    }
    let mut digest = [0; 16];
    for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_le_bytes();
    }
    digest
}

/// The order in which each round takes the words of a block.
const ROW: [usize; 16] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
const COLUMN: [usize; 16] = [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15];
const REVERSED: [usize; 16] = [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15];

fn round(
    state: &mut [u32; 4],
    words: &[u32; 16],
    shifts: [u32; 4],
    constant: u32,
    order: [usize; 16],
    mix: fn(u32, u32, u32) -> u32,
) {
    for (step, word) in order.into_iter().enumerate() {
        let [a, b, c, d] = *state;
        let sum = a.wrapping_add(mix(b, c, d)).wrapping_add(words[word]).wrapping_add(constant);
        *state = [d, sum.rotate_left(shifts[step % 4]), b, c];
    }
}

#[cfg(test)]
mod tests {
    /// The test suite of RFC 1320.
    #[test]
    fn agrees_with_the_rfc() {
        for (text, digest) in [
            ("", "31d6cfe0d16ae931b73c59d7e0c089c0"),
            ("abc", "a448017aaf21d8525fc10ae87aa6729d"),
            ("abcdefghijklmnopqrstuvwxyz", "d79e1c308aa5bbcdeea8ed63df412da9"),
            (
                "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
                "e33b4ddc9c38f2199c3e7b164fcc0536",
            ),
        ] {
            let hex: String =
                super::digest(text.as_bytes()).iter().map(|b| format!("{b:02x}")).collect();
            assert_eq!(hex, digest, "{text}");
        }
    }
}
