//! What a mesh says of itself decides neither how much is made of it nor where it is looked for.

use scenewright_unity::{Document, Mesh};

/// As many numbers as a mesh may have.
const MAX_NUMBERS: usize = 8_000_000;

pub(crate) fn run(bytes: &[u8]) {
    let document = Document::parse(bytes);
    for object in document.objects() {
        let Some(mesh) = Mesh::read(object) else { continue };
        // A hexadecimal digit has four bits, and a number has at least one.
        assert!(mesh.points.len() <= 2 * bytes.len());
        assert!(mesh.triangles.len() <= MAX_NUMBERS / 3);
    }
}
