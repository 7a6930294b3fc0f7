//! The embedded tables: one compressed text for all versions, written by `cargo xtask classes`. The
//! format is described where it is written, in `xtask/src/classes/table.rs`.

use std::sync::OnceLock;

use miniz_oxide::inflate::decompress_slice_iter_to_slice;

use super::members::{constant, enumeration};
use super::{Class, Classes, Globals, Version};

/// The length of the text, then the text, deflated.
static DATA: &[u8] = include_bytes!("../../data/classes.bin");

/// Divide the text into the classes of a version. Their members are read when they are asked for.
pub(super) fn read(version: Version) -> Classes {
    let mut parts = text().split("\n\n");
    let globals = globals(parts.next().unwrap_or_default(), version);
    let mut classes: Vec<Class> = parts.filter_map(|part| class(part, version)).collect();
    debug_assert!(classes.is_sorted_by_key(|class| class.name), "classes are found by halving");
    let at = |name| classes.binary_search_by(|class| class.name.cmp(name)).ok();
    let parents: Vec<_> = classes.iter().map(|class| class.parent.and_then(at)).collect();
    for (class, parent) in classes.iter_mut().zip(parents) {
        class.parent_at = parent;
    }
    Classes { version, classes, globals }
}

/// The lines of a part that hold for a version: their letter, and the fields after it.
pub(super) fn lines(
    part: &'static str,
    version: Version,
) -> impl Iterator<Item = (u8, &'static str)> {
    part.lines().filter_map(move |line| {
        let at = line.bytes().position(|byte| byte.is_ascii_uppercase())?;
        // No digits: all versions that have the class.
        let versions = u32::from_str_radix(&line[..at], 16).unwrap_or(u32::MAX);
        (versions & version.bit() != 0).then(|| (line.as_bytes()[at], &line[at + 1..]))
    })
}

fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| {
        const MADE: &str =
            "the embedded table is made by `cargo xtask classes`, and a test reads it";
        let (length, packed) = DATA.split_first_chunk::<4>().expect(MADE);
        let mut text = vec![0; u32::from_le_bytes(*length) as usize];
        decompress_slice_iter_to_slice(&mut text, [packed].into_iter(), false, true).expect(MADE);
        String::from_utf8(text).expect(MADE)
    })
}

fn class(part: &'static str, version: Version) -> Option<Class> {
    // Where the parent changed there are several headers, each for its versions.
    let (_, header) = lines(part, version).take_while(|line| line.0 == b'C').next()?;
    let mut fields = header.split('\t');
    let name = fields.next()?;
    let parent = fields.next().filter(|parent| !parent.is_empty());
    let flags = fields.next().unwrap_or_default();
    Some(Class {
        name,
        parent,
        parent_at: None,
        instantiable: !flags.contains('a'),
        editor: flags.contains('e'),
        version,
        body: part,
        members: OnceLock::new(),
    })
}

fn globals(part: &'static str, version: Version) -> Globals {
    let mut globals = Globals::default();
    for (letter, line) in lines(part, version) {
        match letter {
            b'B' => globals.builtins.push(line),
            b'U' => globals.utilities.push(line),
            b'O' => globals.singletons.extend(line.split_once('\t')),
            b'E' => globals.enums.push(enumeration(line)),
            b'K' => globals.constants.extend(constant(line)),
            _ => {}
        }
    }
    globals
}
