//! What assets, objects and classes are called: guids, file ids, class ids.

use std::fmt;

/// The identity of an asset, kept in its `.meta` file: 32 hexadecimal digits.
///
/// The bytes are in the order of the text. Unity's binary files swap the halves of each byte.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(pub [u8; 16]);

impl Guid {
    /// Reads exactly 32 hexadecimal digits of either case.
    pub fn parse(text: impl AsRef<[u8]>) -> Option<Guid> {
        let digits: &[u8; 32] = text.as_ref().try_into().ok()?;
        // This runs for each reference, so that it is sums without a branch or a table, which are
        // done on many digits at once; what is no digit is gathered.
        let (mut values, mut invalid) = ([0; 32], 0);
        for (value, digit) in values.iter_mut().zip(digits) {
            let (number, letter) = (digit.wrapping_sub(b'0'), (digit | 0x20).wrapping_sub(b'a'));
            let (is_number, is_letter) = (u8::from(number < 10), u8::from(letter < 6));
            invalid |= 1 ^ (is_number | is_letter);
            *value = is_number.wrapping_neg() & number
                | is_letter.wrapping_neg() & letter.wrapping_add(10);
        }
        let mut bytes = [0; 16];
        for (byte, pair) in bytes.iter_mut().zip(values.as_chunks().0) {
            let [high, low]: [u8; 2] = *pair;
            *byte = high << 4 | low;
        }
        (invalid == 0).then_some(Guid(bytes))
    }

    /// True for the guid of all zeros, which names nothing.
    pub fn is_zero(self) -> bool {
        self == Guid::default()
    }

    /// True for resources of the engine itself, such as `0000000000000000f000000000000000`.
    pub fn is_built_in(self) -> bool {
        self.0[..8] == [0; 8] && !self.is_zero()
    }
}

impl Guid {
    /// How many groups [`bucket`](Self::bucket) makes.
    pub(crate) const BUCKETS: usize = 1 << 16;

    /// A number that keeps the order of guids and spreads them evenly.
    pub(crate) fn bucket(self) -> usize {
        usize::from(u16::from_be_bytes([self.0[0], self.0[1]]))
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The identity of an object inside its file: the number behind `&` in `--- !u!1 &1234`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub i64);

impl FileId {
    /// A prefab as a whole, which no object of its file stands for.
    pub const PREFAB: FileId = FileId(100100000);

    /// `{fileID: 0}`: the reference to nothing.
    pub const NULL: FileId = FileId(0);

    /// True for the reference to nothing.
    pub fn is_null(self) -> bool {
        self == FileId::NULL
    }
}

impl fmt::Display for FileId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The number of a native class: the `1` of `--- !u!1 &1234` is GameObject.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClassId(pub u32);

impl fmt::Display for ClassId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guids_read_either_case_and_print_lower() {
        let guid = Guid::parse("C57A184794a05b349955e5023bbf7e99").unwrap();
        assert_eq!(guid.to_string(), "c57a184794a05b349955e5023bbf7e99");
        assert_eq!(Guid::parse("c57a184794a05b349955e5023bbf7e9"), None);
        assert_eq!(Guid::parse("g57a184794a05b349955e5023bbf7e99"), None);
        assert_eq!(Guid::parse("c57a184794a05b349955e5023bbf7eé"), None);
    }

    #[test]
    fn guids_order_as_their_text() {
        let [low, high] = ["0fffffffffffffffffffffffffffffff", "a0000000000000000000000000000000"]
            .map(|text| Guid::parse(text).unwrap());
        assert!(low < high);
    }

    #[test]
    fn tells_built_in_guids() {
        assert!(Guid::parse("0000000000000000f000000000000000").unwrap().is_built_in());
        assert!(!Guid::parse("00000000000000010000000000000000").unwrap().is_built_in());
        assert!(!Guid::default().is_built_in());
    }
}
