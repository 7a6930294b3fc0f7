//! Meshes that are saved as text: `.asset` files, and meshes inside scenes. [`Mesh`] is where the
//! triangles are and nothing else; [`Shape`] is all that there is, to be made anew.

mod channel;
mod combine;
mod shape;
mod simplify;
mod vector;

pub use channel::{Format, Usage};
pub use combine::{Piece, combine};
pub use shape::{Attribute, Part, Shape, Unwritable, beside_channels};
pub use simplify::simplify;

use channel::Layout;

use crate::{ClassId, Object, Value};

/// Meshes of more points or corners than this are not read.
const MAX_NUMBERS: usize = 8_000_000;

/// A mesh: where its corners are, and which three make a triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// The corners.
    pub points: Vec<[f32; 3]>,
    /// Positions in `points`; clockwise when seen from the front.
    pub triangles: Vec<[u32; 3]>,
}

/// Why a mesh cannot be read as a whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    /// It is something else.
    #[error("it is no mesh but a {0}")]
    Class(String),
    /// It is packed in a way of which only the points are read here.
    #[error("its vertices are compressed, which only Unity reads")]
    Compressed,
    /// The file has no vertices.
    #[error("its vertices are in a file beside it, which only Unity reads")]
    Elsewhere,
    /// Something is not as Unity writes it.
    #[error("its {0} cannot be read")]
    Broken(&'static str),
    /// It has too many vertices or corners.
    #[error("it is too large")]
    TooLarge,
}

impl Mesh {
    /// The mesh that an object of a file is. Nothing when it is none, or says something that Unity
    /// would not.
    pub fn read(object: Object<'_>) -> Option<Mesh> {
        if object.class_id() != ClassId::MESH {
            return None;
        }
        let packed = object.get("m_CompressedMesh");
        let points = packed.and_then(packed_points).or_else(|| plain_points(object))?;
        let corners = packed.and_then(packed_corners);
        let corners = match &corners {
            Some(corners) => corners,
            None => &plain_corners(object)?,
        };
        Some(Mesh { points, triangles: triangles(object, corners)? })
    }
}

/// The triangles of all parts that consist of triangles; nothing when there are too many. Parts may
/// share corners, so a small file could have any number.
fn triangles(object: Object<'_>, corners: &[u32]) -> Option<Vec<[u32; 3]>> {
    let size = if is_wide(object) { 4 } else { 2 };
    let mut all = Vec::new();
    for part in object.get("m_SubMeshes").into_iter().flat_map(Value::items) {
        let number = |key| part.get(key).and_then(Value::as_u64).unwrap_or(0) as usize;
        let start = number("firstByte") / size;
        let end = start.saturating_add(number("indexCount"));
        let Some(part_corners) = corners.get(start..end) else { continue };
        let base = number("baseVertex") as u32;
        if number("topology") == 0 {
            let (whole, _) = part_corners.as_chunks::<3>();
            if (all.len() + whole.len()) * 3 > MAX_NUMBERS {
                return None;
            }
            all.extend(whole.iter().map(|three| three.map(|corner| corner.wrapping_add(base))));
        }
    }
    Some(all)
}

fn is_wide(object: Object<'_>) -> bool {
    object.get("m_IndexFormat").and_then(Value::as_u64) == Some(1)
}

fn plain_corners(object: Object<'_>) -> Option<Vec<u32>> {
    let bytes = hex(object.get("m_IndexBuffer")?)?;
    Some(match is_wide(object) {
        true => bytes.as_chunks().0.iter().map(|four| u32::from_le_bytes(*four)).collect(),
        false => bytes.as_chunks().0.iter().map(|two| u16::from_le_bytes(*two).into()).collect(),
    })
}

/// The positions alone; what else vertices have only makes its steps longer.
fn plain_points(object: Object<'_>) -> Option<Vec<[f32; 3]>> {
    let data = object.get("m_VertexData")?;
    let layout = Layout::read(data).ok()?;
    let position = layout.channels.first()?;
    let is_measure = matches!(position.format, Format::Float | Format::Half);
    if position.usage != Usage::POSITION || position.dimension != 3 || !is_measure {
        return None;
    }
    let bytes = layout.pick(position, &hex(data.get("_typelessdata")?)?)?;
    let width = position.format.width();
    let number = |bytes: &[u8]| position.format.get(bytes).map(|number| number as f32);
    let numbers: Vec<f32> = bytes.chunks_exact(width).map(number).collect::<Option<_>>()?;
    Some(numbers.as_chunks::<3>().0.to_vec())
}

/// Points of a mesh whose import compresses it: parts of a range, in few bits each.
fn packed_points(packed: Value<'_>) -> Option<Vec<[f32; 3]>> {
    let vertices = packed.get("m_Vertices")?;
    let (numbers, bits) = packed_numbers(vertices)?;
    let float = |key| vertices.get(key).and_then(Value::as_f64);
    let (range, start) = (float("m_Range")?, float("m_Start")?);
    let most = ((1_u64 << bits) - 1).max(1) as f64;
    let numbers: Vec<f32> =
        numbers.iter().map(|part| (start + range * f64::from(*part) / most) as f32).collect();
    Some(numbers.as_chunks::<3>().0.to_vec())
}

fn packed_corners(packed: Value<'_>) -> Option<Vec<u32>> {
    packed_numbers(packed.get("m_Triangles")?).map(|(numbers, _)| numbers)
}

/// Whole numbers in a row of bits, the lowest bit first, and how many bits each has. Nothing when
/// there are none.
fn packed_numbers(value: Value<'_>) -> Option<(Vec<u32>, u64)> {
    let number = |key| value.get(key).and_then(Value::as_u64);
    let (count, bits) = (number("m_NumItems")?, number("m_BitSize")?);
    // Without bits there would be as many numbers as the file claims.
    if count == 0 || count > MAX_NUMBERS as u64 || !(1..=32).contains(&bits) {
        return None;
    }
    let bytes = hex(value.get("m_Data")?)?;
    if count * bits > bytes.len() as u64 * 8 {
        return None;
    }
    let bit = |at: u64| u32::from(bytes[(at / 8) as usize] >> (at % 8) & 1);
    let one = |index: u64| (0..bits).fold(0, |sum, at| sum | bit(index * bits + at) << at);
    Some(((0..count).map(one).collect(), bits))
}

/// The bytes of a row of hexadecimal digits.
fn hex(value: Value<'_>) -> Option<Vec<u8>> {
    let text = value.text();
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4 | digit(*low)?) as u8);
    rest.is_empty().then(|| pairs.iter().map(byte).collect())?
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Document, FileId};

    fn read(text: &str) -> Option<Mesh> {
        Mesh::read(Document::parse(text).object(FileId(1)).unwrap())
    }

    fn hex_of(numbers: &[f32]) -> String {
        let bytes = numbers.iter().flat_map(|number| number.to_le_bytes());
        bytes.map(|byte| format!("{byte:02x}")).collect()
    }

    const POINTS: [[f32; 3]; 4] =
        [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, -0.5], [2.5, 0.0, 1e3]];

    fn plain(index_format: u32, indices: &str, more: &str) -> String {
        // Each point is followed by a colour of four bytes.
        let data: String = POINTS.iter().map(|point| hex_of(point) + "ff00ff00").collect();
        format!(
            "--- !u!43 &1\nMesh:\n  m_Name: Wedge\n  m_SubMeshes:\n  - serializedVersion: 2\n    firstByte: 0\n    \
             indexCount: 3\n    topology: 0\n    baseVertex: 0\n  - serializedVersion: 2\n    firstByte: 6\n    \
             indexCount: 3\n    topology: 0\n    baseVertex: 1\n{more}  m_IndexFormat: {index_format}\n  \
             m_IndexBuffer: {indices}\n  m_VertexData:\n    serializedVersion: 3\n    m_VertexCount: 4\n    m_Channels:\n    \
             - stream: 0\n      offset: 0\n      format: 0\n      dimension: 3\n    \
             - stream: 0\n      offset: 12\n      format: 2\n      dimension: 4\n    \
             m_DataSize: 64\n    _typelessdata: {data}\n"
        )
    }

    #[test]
    fn a_mesh_of_floats_is_read() {
        let mesh = read(&plain(0, "000001000200000001000200", "")).unwrap();
        assert_eq!(mesh.points, POINTS);
        assert_eq!(mesh.triangles, [[0, 1, 2], [1, 2, 3]]);
    }

    #[test]
    fn parts_that_are_no_triangles_or_not_there_are_left_out() {
        let lines = "  - serializedVersion: 2\n    firstByte: 0\n    indexCount: 4\n    topology: 3\n  \
                     - serializedVersion: 2\n    firstByte: 6\n    indexCount: 99\n    topology: 0\n";
        let mesh = read(&plain(0, "000001000200000001000200", lines)).unwrap();
        assert_eq!(mesh.triangles.len(), 2);
        let wide = "000000000100000002000000";
        assert_eq!(read(&plain(1, wide, "")).unwrap().triangles, [[0, 1, 2]]);
    }

    #[test]
    fn a_compressed_mesh_is_read() {
        // Nine numbers of four bits: 0, 15, 5 and so on, over a range of 3 from -1.
        let text = "--- !u!43 &1\nMesh:\n  m_SubMeshes:\n  - firstByte: 0\n    indexCount: 3\n    topology: 0\n  \
                    m_CompressedMesh:\n    m_Vertices:\n      m_NumItems: 9\n      m_Range: 3\n      m_Start: -1\n      \
                    m_Data: f0a5f0a50f\n      m_BitSize: 4\n    m_Triangles:\n      m_NumItems: 3\n      m_Data: 24\n      m_BitSize: 2\n";
        let mesh = read(text).unwrap();
        assert_eq!(mesh.points, [[-1.0, 2.0, 0.0], [1.0, -1.0, 2.0], [0.0, 1.0, 2.0]]);
        assert_eq!(mesh.triangles, [[0, 1, 2]]);
    }

    #[test]
    fn what_cannot_be_right_is_no_mesh() {
        let good = plain(0, "000001000200000001000200", "");
        for (part, other) in [
            ("!u!43", "!u!21"),
            ("m_VertexCount: 4", "m_VertexCount: 5"),
            ("m_VertexCount: 4", "m_VertexCount: 99999999999"),
            ("m_IndexBuffer: 00", "m_IndexBuffer: 0g"),
            ("dimension: 3", "dimension: 2"),
            ("stream: 0", "stream: 99"),
        ] {
            assert_eq!(read(&good.replacen(part, other, 1)), None, "{other}");
        }
    }

    #[test]
    fn a_small_file_makes_no_large_mesh() {
        let part = "  - firstByte: 0\n    indexCount: 6000\n    topology: 0\n";
        let text = plain(0, &"0000".repeat(6000), &part.repeat(2000));
        assert_eq!(read(&text), None);
        let text = "--- !u!43 &1\nMesh:\n  m_CompressedMesh:\n    m_Vertices:\n      m_NumItems: 7999999\n      \
                    m_Range: 1\n      m_Start: 0\n      m_Data: \n      m_BitSize: 0\n    m_Triangles:\n      \
                    m_NumItems: 7999999\n      m_Data: \n      m_BitSize: 0\n";
        assert_eq!(read(text), None);
    }
}
