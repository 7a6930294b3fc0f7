//! What git writes, read: plain functions of bytes, for it repeats what a repository says.

use crate::references::is_id;

/// One line of `git diff --raw -z`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawChange<'a> {
    /// Mode and id before.
    pub old: (&'a str, &'a str),
    /// Mode and id after; the id is all zeros for what is only on the disk.
    pub new: (&'a str, &'a str),
    /// `A`, `D`, `M`, `R`, …
    pub status: char,
    /// The path before, when the file was moved.
    pub old_path: Option<&'a [u8]>,
    /// The path.
    pub path: &'a [u8],
}

/// The changes of `git diff --raw -z --abbrev=64`; what is none ends the list.
pub fn raw_changes(bytes: &[u8]) -> Vec<RawChange<'_>> {
    let mut words = bytes.split(|byte| *byte == 0);
    let mut changes = Vec::new();
    while let Some(change) = words.next().and_then(|head| raw_change(head, &mut words)) {
        changes.push(change);
    }
    changes
}

fn raw_change<'a>(
    head: &'a [u8],
    words: &mut impl Iterator<Item = &'a [u8]>,
) -> Option<RawChange<'a>> {
    let head = str::from_utf8(head).ok()?.strip_prefix(':')?;
    let mut fields = head.split(' ');
    let mut next = || fields.next();
    let (old_mode, new_mode, old, new) = (next()?, next()?, next()?, next()?);
    let status = next()?.chars().next()?;
    let first = words.next().filter(|path| !path.is_empty())?;
    let second = match matches!(status, 'R' | 'C') {
        true => Some(words.next().filter(|path| !path.is_empty())?),
        false => None,
    };
    let (old, new) = ((old_mode, old), (new_mode, new));
    let old_path = second.is_some().then_some(first);
    Some(RawChange { old, new, status, old_path, path: second.unwrap_or(first) })
}

/// One version of a file in conflict, from `git ls-files --unmerged -z`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage<'a> {
    /// The mode of the file.
    pub mode: &'a str,
    /// The id of its content.
    pub id: &'a str,
    /// 1 is the base, 2 is ours, 3 is theirs.
    pub stage: u8,
    /// The path.
    pub path: &'a [u8],
}

/// The versions in `git ls-files --unmerged -z`.
pub fn stages(bytes: &[u8]) -> Vec<Stage<'_>> {
    let lines = bytes.split(|byte| *byte == 0);
    lines.filter_map(stage).collect()
}

fn stage(line: &[u8]) -> Option<Stage<'_>> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let mut words = str::from_utf8(&line[..tab]).ok()?.split(' ');
    let (mode, id) = (words.next()?, words.next().filter(|id| is_id(id))?);
    let stage = words.next()?.parse().ok().filter(|stage| (1..=3).contains(stage))?;
    Some(Stage { mode, id, stage, path: &line[tab + 1..] })
}

/// The size in a line of `git cat-file --batch`, `id blob size`; nothing for what is missing or no blob.
pub fn blob_size(head: &[u8]) -> Option<usize> {
    let text = str::from_utf8(head.strip_suffix(b"\n")?).ok()?;
    let mut words = text.split(' ');
    let is_blob = words.next().is_some_and(is_id) && words.next() == Some("blob");
    let size = words.next().filter(|size| size.bytes().all(|byte| byte.is_ascii_digit()))?;
    (is_blob && words.next().is_none()).then(|| size.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: &str = "1111111111111111111111111111111111111111";
    const NONE: &str = "0000000000000000000000000000000000000000";

    #[test]
    fn changes_are_read_up_to_what_is_none() {
        let text = format!(
            ":100644 100644 {A} {NONE} M\0a b.unity\0:100644 100644 {A} {A} R087\0old\0new\0:what\0x\0"
        );
        let changes = raw_changes(text.as_bytes());
        assert_eq!(changes.len(), 2);
        assert_eq!(
            (changes[0].status, changes[0].path, changes[0].new),
            ('M', &b"a b.unity"[..], ("100644", NONE))
        );
        assert_eq!((changes[1].status, changes[1].old_path), ('R', Some(&b"old"[..])));
        assert_eq!(raw_changes(b""), []);
        assert_eq!(raw_changes(format!(":100644 100644 {A} {A} R100\0only\0").as_bytes()).len(), 0);
    }

    #[test]
    fn stages_and_sizes_are_read_and_rubbish_is_none() {
        let text = format!("100644 {A} 2\ta\tb\nc\0100644 {A} 7\tx\0rubbish\0");
        let read = stages(text.as_bytes());
        assert_eq!(read, [Stage { mode: "100644", id: A, stage: 2, path: b"a\tb\nc" }]);
        assert_eq!(blob_size(format!("{A} blob 12\n").as_bytes()), Some(12));
        for bad in [
            format!("{A} missing\n"),
            format!("{A} tree 3\n"),
            format!("{A} blob 9"),
            format!("{A} blob +9\n"),
        ] {
            assert_eq!(blob_size(bad.as_bytes()), None, "{bad}");
        }
    }
}
