//! A binary resource of Godot is read or refused, and what it says is not much more than what it is.

use scenewright_godot::BinaryResource;

/// Packed resources may unpack to more; so much of one is read.
const LONGEST: usize = 64 << 20;

pub(crate) fn run(bytes: &[u8]) {
    let Ok(read) = BinaryResource::parse(bytes) else { return };
    let paths = read.node_paths.iter().map(|path| path.path.len() + path.property.len());
    let said: usize = read.files.iter().map(String::len).chain(paths).sum();
    assert!(said <= LONGEST, "{said} bytes of names");
}
