//! Proofs that something was said or written by who knows a secret.

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;

/// How long a proof is.
pub const BYTES: usize = 32;

/// HMAC-SHA-256 of several parts. Each counts with its length, so that no two lists of parts are alike.
#[must_use]
pub fn of(key: &[u8], parts: &[&[u8]]) -> [u8; BYTES] {
    code(key, parts).finalize().into_bytes().into()
}

/// Whether a proof is the one of these parts, in a time that tells nothing about it.
#[must_use]
pub fn holds(key: &[u8], parts: &[&[u8]], proof: &[u8]) -> bool {
    code(key, parts).verify_slice(proof).is_ok()
}

fn code(key: &[u8], parts: &[&[u8]]) -> Hmac<Sha256> {
    let mut code = Hmac::new_from_slice(key).expect("HMAC takes keys of any length");
    for part in parts {
        code.update(&(part.len() as u64).to_le_bytes());
        code.update(part);
    }
    code
}

/// A new key that nobody can guess.
pub fn random_key() -> std::io::Result<[u8; BYTES]> {
    let mut key = [0; BYTES];
    getrandom::fill(&mut key).map_err(std::io::Error::other)?;
    Ok(key)
}

/// Bytes as lower-case hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A proof from its hexadecimal digits; nothing where they are none.
#[must_use]
pub fn from_hex(digits: &[u8]) -> Option<[u8; BYTES]> {
    let mut proof = [0; BYTES];
    if digits.len() != 2 * BYTES {
        return None;
    }
    for (byte, pair) in proof.iter_mut().zip(digits.chunks_exact(2)) {
        let digit = |digit: u8| char::from(digit).to_digit(16);
        *byte = u8::try_from(digit(pair[0])? * 16 + digit(pair[1])?).ok()?;
    }
    Some(proof)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_holds_for_its_key_and_its_parts_alone() {
        let proof = of(b"key", &[b"ab", b"c"]);
        assert!(holds(b"key", &[b"ab", b"c"], &proof));
        assert!(!holds(b"key", &[b"a", b"bc"], &proof));
        assert!(!holds(b"kez", &[b"ab", b"c"], &proof));
        assert!(!holds(b"key", &[b"ab", b"c"], &proof[..31]));
        assert!(!holds(b"key", &[b"ab", b"c"], &[]));
        // As Python's hmac computes it, of lengths of eight bytes, least first, each before its part.
        assert_eq!(hex(&proof), "8c568fcbf2953946832018520a5eb5a6a63fe007671cf14e924b528f355076d0");
    }

    #[test]
    fn digits_are_read_as_they_are_written() {
        let proof = of(b"key", &[]);
        assert_eq!(from_hex(hex(&proof).as_bytes()), Some(proof));
        assert_eq!(from_hex(&hex(&proof).as_bytes()[1..]), None);
        assert_eq!(from_hex("+0".repeat(BYTES).as_bytes()), None);
    }
}
