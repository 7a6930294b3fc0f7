//! The one order of paths in a snapshot, and the hash for names that differ in case only.

use std::cmp::Ordering;

/// The order of paths: as a file tree shows them, each folder before what is in it and all of that
/// before its neighbour. Plain byte order would put `A B` between `A` and `A/x`.
pub(super) fn compare(one: &str, two: &str) -> Ordering {
    compare_bytes(one.bytes(), two.bytes())
}

/// The same for paths given as folder and name.
pub(super) fn compare_parts(one: (&str, &str), two: (&str, &str)) -> Ordering {
    // Neighbours are mostly in one folder.
    if one.0 == two.0 {
        return one.1.cmp(two.1);
    }
    compare_bytes(joined(one), joined(two))
}

/// The same for a path against folder and name.
pub(super) fn compare_to_parts(one: &str, two: (&str, &str)) -> Ordering {
    compare_bytes(one.bytes(), joined(two))
}

/// The path of what is in a folder. The root of a package that is checked by itself has no name.
pub(super) fn join(folder: &str, name: &str) -> String {
    match folder {
        "" => name.to_owned(),
        folder => [folder, "/", name].concat(),
    }
}

fn joined<'a>((folder, name): (&'a str, &'a str)) -> impl Iterator<Item = u8> + 'a {
    let slash = (!folder.is_empty()).then_some(b'/');
    folder.bytes().chain(slash).chain(name.bytes())
}

fn compare_bytes(one: impl Iterator<Item = u8>, two: impl Iterator<Item = u8>) -> Ordering {
    // No file name has a zero byte.
    let slash_first = |byte| if byte == b'/' { 0 } else { byte };
    one.map(slash_first).cmp(two.map(slash_first))
}

/// True for the folder itself and all below it.
pub(super) fn is_within(path: &str, folder: &str) -> bool {
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A hash that paths differing only in case share.
pub(super) fn folded_hash(folder: &str, name: &str) -> u64 {
    let slash = if folder.is_empty() { "" } else { "/" };
    let letters = [folder, slash, name].into_iter().flat_map(str::chars);
    let letters = letters.flat_map(char::to_lowercase);
    letters.fold(0xcbf2_9ce4_8422_2325, |hash: u64, letter| {
        (hash ^ u64::from(letter)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_stand_before_their_neighbours() {
        let mut paths = ["A B", "A/x", "A", "A.meta", "A/x/y", "A/x y", "../z"];
        paths.sort_by(|one, two| compare(one, two));
        assert_eq!(paths, ["../z", "A", "A/x", "A/x/y", "A/x y", "A B", "A.meta"]);
        assert_eq!(compare_to_parts("A/x/y", ("A/x", "y")), Ordering::Equal);
        assert_eq!(compare_parts(("A", "x y"), ("A/x", "y")), Ordering::Greater);
    }
}
