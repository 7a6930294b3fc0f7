//! The hash of which Unity makes the ids of objects in models.

const PRIMES: [u64; 5] = [
    0x9e37_79b1_85eb_ca87,
    0xc2b2_ae3d_27d4_eb4f,
    0x1656_67b1_9e37_79f9,
    0x85eb_ca77_c2b2_ae63,
    0x27d4_eb2f_1656_67c5,
];

/// XXH64 without a seed.
pub fn xxh64(bytes: &[u8]) -> u64 {
    let [first, second, third, fourth, fifth] = PRIMES;
    let mut rest = bytes;
    let mut hash = if bytes.len() >= 32 {
        let mut lanes = [first.wrapping_add(second), second, 0, 0u64.wrapping_sub(first)];
        while let Some((stripe, after)) = rest.split_at_checked(32) {
            for (lane, part) in lanes.iter_mut().zip(stripe.chunks_exact(8)) {
                *lane = round(*lane, read(part));
            }
            rest = after;
        }
        let turns = [1, 7, 12, 18];
        let all = lanes.iter().zip(turns).map(|(lane, turn)| lane.rotate_left(turn));
        let mut hash = all.fold(0u64, u64::wrapping_add);
        for lane in lanes {
            hash = (hash ^ round(0, lane)).wrapping_mul(first).wrapping_add(fourth);
        }
        hash
    } else {
        fifth
    };
    hash = hash.wrapping_add(bytes.len() as u64);
    while let Some((part, after)) = rest.split_at_checked(8) {
        hash = (hash ^ round(0, read(part))).rotate_left(27);
        hash = hash.wrapping_mul(first).wrapping_add(fourth);
        rest = after;
    }
    if let Some((part, after)) = rest.split_at_checked(4) {
        hash = (hash ^ read(part).wrapping_mul(first)).rotate_left(23);
        hash = hash.wrapping_mul(second).wrapping_add(third);
        rest = after;
    }
    for byte in rest {
        hash = (hash ^ u64::from(*byte).wrapping_mul(fifth)).rotate_left(11).wrapping_mul(first);
    }
    hash = (hash ^ (hash >> 33)).wrapping_mul(second);
    hash = (hash ^ (hash >> 29)).wrapping_mul(third);
    hash ^ (hash >> 32)
}

fn round(lane: u64, part: u64) -> u64 {
    let [first, second, ..] = PRIMES;
    lane.wrapping_add(part.wrapping_mul(second)).rotate_left(31).wrapping_mul(first)
}

fn read(part: &[u8]) -> u64 {
    part.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_of_every_model_has_its_known_id() {
        assert_eq!(xxh64(b"Type:GameObject->//RootNode/root0") as i64, 919132149155446097);
        assert_eq!(xxh64(b""), 0xef46_db37_51d8_e999);
    }
}
