//! A whole mesh: all that its vertices have, as the bytes that the file has of it, and its parts.

use super::channel::{Channel, Edition, Format, Layout, Usage};
use super::{MAX_NUMBERS, Unreadable, hex, is_wide, plain_corners};
use crate::edit::{New, fresh};
use crate::types::{self, Version};
use crate::{ClassId, Object, Value};

/// So many vertices can be numbered with 16 bits; the last number has a meaning of its own.
const MAX_NARROW: usize = 65_535;

/// A whole mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Shape {
    /// How many vertices it has.
    pub count: usize,
    /// What each has, by what it is for.
    pub attributes: Vec<Attribute>,
    /// What is drawn, each with a material of its own.
    pub parts: Vec<Part>,
    /// Its vertices are numbered with 32 bits, although fewer may do.
    is_wide: bool,
}

/// Numbers that each vertex has.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribute {
    /// What they are for.
    pub usage: Usage,
    /// The stream that they are in.
    pub stream: u64,
    /// How they are stored.
    pub format: Format,
    /// How many each vertex has.
    pub dimension: usize,
    /// Their bytes, one vertex after the other.
    pub data: Vec<u8>,
    pub(super) more: u64,
}

/// A part of a mesh.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What its corners make: 0 triangles, 2 quads, 3 lines, 4 a line strip, 5 points.
    pub topology: u64,
    /// Its vertices.
    pub corners: Vec<u32>,
    /// The file counts them from here.
    base: u32,
}

impl Part {
    /// A part.
    pub fn new(topology: u64, corners: Vec<u32>) -> Part {
        Part { topology, corners, base: 0 }
    }
}

impl Attribute {
    /// One of floats.
    pub fn floats<const N: usize>(usage: Usage, values: &[[f32; N]]) -> Attribute {
        let data = values.iter().flatten().flat_map(|value| value.to_le_bytes()).collect();
        Attribute { usage, stream: 0, format: Format::Float, dimension: N, data, more: 0 }
    }

    /// The bytes of one vertex.
    pub fn size(&self) -> usize {
        self.dimension * self.format.width()
    }

    /// What a vertex has; zero where it has fewer numbers.
    pub fn of_vertex<const N: usize>(&self, vertex: usize) -> [f64; N] {
        let row = self.data.get(vertex * self.size()..(vertex + 1) * self.size());
        std::array::from_fn(|at| {
            let part = row.filter(|_| at < self.dimension);
            part.and_then(|row| self.format.get(&row[at * self.format.width()..])).unwrap_or(0.0)
        })
    }

    /// The same numbers of some vertices only.
    pub(super) fn rows(&self, vertices: &[u32]) -> Attribute {
        let size = self.size();
        let row = |vertex: &u32| &self.data[*vertex as usize * size..(*vertex as usize + 1) * size];
        Attribute { data: vertices.iter().flat_map(row).copied().collect(), ..self.clone() }
    }
}

/// Why a mesh cannot be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The version is not known.
    #[error("meshes of this version of Unity are not written here")]
    Version,
    /// Only later versions have numbers that are long enough.
    #[error("it has more than 65535 vertices, which meshes can have since Unity 2017.3")]
    TooMany,
}

impl Shape {
    /// A mesh.
    pub fn new(count: usize, attributes: Vec<Attribute>, parts: Vec<Part>) -> Shape {
        Shape { count, attributes, parts, is_wide: false }
    }

    /// The mesh that an object of a file is.
    pub fn read(object: Object<'_>) -> Result<Shape, Unreadable> {
        if object.class_id() != ClassId::MESH {
            return Err(Unreadable::Class(object.class_name().into_owned()));
        }
        let count = |path: &str| object.get(path).and_then(Value::as_u64).unwrap_or(0);
        if count("m_CompressedMesh.m_Vertices.m_NumItems") > 0 {
            return Err(Unreadable::Compressed);
        }
        if object.get("m_StreamData.path").is_some_and(|path| !path.text().is_empty()) {
            return Err(Unreadable::Elsewhere);
        }
        let data = object.get("m_VertexData").ok_or(Unreadable::Broken("m_VertexData"))?;
        let layout = Layout::read(data)?;
        let bytes = data.get("_typelessdata").and_then(hex);
        let bytes = bytes.ok_or(Unreadable::Broken("_typelessdata"))?;
        let attribute = |channel: &Channel| {
            let Channel { usage, stream, format, dimension, more, .. } = *channel;
            let data = layout.pick(channel, &bytes)?;
            Some(Attribute { usage, stream, format, dimension, data, more })
        };
        let attributes: Option<Vec<_>> = layout.channels.iter().map(attribute).collect();
        let mut attributes = attributes.ok_or(Unreadable::Broken("_typelessdata"))?;
        attributes.sort_by_key(|attribute| attribute.usage);
        let is_placed = attributes.first().is_some_and(|first| {
            first.usage == Usage::POSITION && first.dimension == 3 && !first.is_whole()
        });
        if !is_placed {
            return Err(Unreadable::Broken("m_Channels"));
        }
        let parts = parts(object, layout.count)?;
        Ok(Shape { count: layout.count, attributes, parts, is_wide: is_wide(object) })
    }

    /// What vertices have for one purpose.
    pub fn attribute(&self, usage: Usage) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.usage == usage)
    }

    /// Where all vertices are.
    pub fn points(&self) -> Vec<[f32; 3]> {
        let Some(position) = self.attribute(Usage::POSITION) else { return Vec::new() };
        (0..self.count).map(|at| position.of_vertex::<3>(at).map(|part| part as f32)).collect()
    }

    /// How many triangles its parts have.
    pub fn triangles(&self) -> usize {
        let own = self.parts.iter().filter(|part| part.topology == 0);
        own.map(|part| part.corners.len() / 3).sum()
    }

    /// The centre of the box around it, and how far that goes to each side.
    pub fn bounds(&self) -> ([f32; 3], [f32; 3]) {
        bounds(self.points().iter())
    }

    /// The same with other parts, and only with the vertices that those have.
    pub fn with_parts(&self, parts: Vec<Part>) -> Shape {
        let mut number = vec![u32::MAX; self.count];
        for corner in parts.iter().flat_map(|part| &part.corners) {
            number[*corner as usize] = 0;
        }
        let is_used = |at: &u32| number[*at as usize] == 0;
        let kept: Vec<u32> = (0..self.count as u32).filter(is_used).collect();
        for (new, old) in kept.iter().enumerate() {
            number[*old as usize] = new as u32;
        }
        let renumbered = |part: Part| {
            let corners = part.corners.iter().map(|corner| number[*corner as usize]).collect();
            Part { corners, base: 0, ..part }
        };
        Shape {
            count: kept.len(),
            attributes: self.attributes.iter().map(|attribute| attribute.rows(&kept)).collect(),
            parts: parts.into_iter().map(renumbered).collect(),
            is_wide: false,
        }
    }

    /// The fields of a mesh of this shape, as a version writes them.
    pub fn fields(&self, name: &str, version: Version) -> Result<Vec<(String, New)>, Unwritable> {
        let mut fields = fresh::native(ClassId::MESH, version).ok_or(Unwritable::Version)?;
        let tree = types::tree(ClassId::MESH, version).ok_or(Unwritable::Version)?;
        let mut put = |path: &str, value: New| fresh::put(&mut fields, path, value);
        let is_wide = self.is_wide || self.count > MAX_NARROW;
        if !put("m_IndexFormat", New::bool(is_wide)) && is_wide {
            return Err(Unwritable::TooMany);
        }
        put("m_Name", New::Text(name.to_owned()));
        // Streaming of textures would measure them; one is what it takes until then.
        put("m_MeshMetrics[0]", New::int(1));
        put("m_MeshMetrics[1]", New::int(1));
        let item = |path: &str| {
            let list = path.split('.').try_fold(tree, |node, key| node.child(key));
            list.and_then(|list| list.element()).map(fresh::zero)
        };
        let part = item("m_SubMeshes").ok_or(Unwritable::Version)?;
        put("m_SubMeshes", New::List(self.sub_meshes(&part, if is_wide { 4 } else { 2 })));
        put("m_IndexBuffer", New::Number(self.index_buffer(is_wide)));
        let (center, extent) = self.bounds();
        put("m_LocalAABB.m_Center", vector(center));
        put("m_LocalAABB.m_Extent", vector(extent));
        if let Some(levels) = item("m_MeshLodInfo.m_SubMeshes") {
            put(
                "m_MeshLodInfo.m_SubMeshes",
                New::List(vec![with_level(levels, tree); self.parts.len()]),
            );
        }
        let channel = item("m_VertexData.m_Channels").ok_or(Unwritable::Version)?;
        let data = fields.iter_mut().find(|(key, _)| key == "m_VertexData");
        if let Some((_, New::Map(data))) = data {
            self.put_vertices(data, &channel);
        }
        Ok(fields)
    }

    fn put_vertices(&self, data: &mut Vec<(String, New)>, channel: &New) {
        let version = data.iter().find_map(|(key, value)| match value {
            New::Number(number) if key == "serializedVersion" => number.parse().ok(),
            _ => None,
        });
        let edition = Edition::of(version, 0);
        let (layout, bytes) = self.layout(edition);
        let mut bits = 0;
        let mut channels = Vec::new();
        for (at, usage) in edition.usages().into_iter().enumerate() {
            let mut item = channel.clone();
            let own = layout.channels.iter().find(|channel| channel.usage == usage);
            if let (Some(own), New::Map(parts)) = (own, &mut item) {
                bits |= 1 << at;
                let dimension = match edition.is_packed(own.format, usage) {
                    true => 1,
                    false => own.dimension as u64 | own.more,
                };
                fresh::put(parts, "stream", New::int(own.stream as i64));
                fresh::put(parts, "offset", New::int(own.offset as i64));
                let format = edition.number(own.format, usage);
                fresh::put(parts, "format", New::int(format as i64));
                fresh::put(parts, "dimension", New::int(dimension as i64));
            }
            channels.push(item);
        }
        fresh::put(data, "m_CurrentChannels", New::int(bits));
        fresh::put(data, "m_VertexCount", New::int(self.count as i64));
        fresh::put(data, "m_Channels", New::List(channels));
        // Bytes without a type are written as how many there are, and then themselves.
        fresh::put(data, "m_DataSize", New::int(bytes.len() as i64));
        data.push(("_typelessdata".to_owned(), New::Number(hex_of(&bytes))));
    }

    /// The channels in the order of the file, packed closely, and the bytes.
    fn layout(&self, edition: Edition) -> (Layout, Vec<u8>) {
        let mut layout = Layout { count: self.count, channels: Vec::new() };
        let mut own = Vec::new();
        for usage in edition.usages() {
            let Some(attribute) = self.attribute(usage) else { continue };
            let Attribute { stream, format, dimension, more, .. } = *attribute;
            let offset = layout.step(stream);
            layout.channels.push(Channel { usage, stream, offset, format, dimension, more });
            own.push(attribute);
        }
        let last = layout.channels.iter().map(|channel| channel.stream).max().unwrap_or(0);
        let mut bytes = vec![0; layout.start(last) + layout.step(last) * self.count];
        for (channel, attribute) in layout.channels.iter().zip(own) {
            let (start, step) = (layout.start(channel.stream), layout.step(channel.stream));
            let size = attribute.size();
            for (vertex, row) in attribute.data.chunks_exact(size.max(1)).enumerate() {
                let at = start + vertex * step + channel.offset;
                bytes[at..at + size].copy_from_slice(row);
            }
        }
        (layout, bytes)
    }

    fn sub_meshes(&self, model: &New, width: usize) -> Vec<New> {
        let points = self.points();
        let mut first = 0;
        let one = |part: &Part| {
            let mut item = model.clone();
            let New::Map(fields) = &mut item else { return item };
            let least = part.corners.iter().min().copied().unwrap_or(0);
            let most = part.corners.iter().max().map_or(0, |most| most - least + 1);
            let own = part.corners.iter().filter_map(|corner| points.get(*corner as usize));
            let (center, extent) = bounds(own);
            let mut put = |path: &str, value: New| fresh::put(fields, path, value);
            put("firstByte", New::int((first * width) as i64));
            put("indexCount", New::int(part.corners.len() as i64));
            put("topology", New::int(part.topology as i64));
            put("baseVertex", New::int(part.base.into()));
            put("firstVertex", New::int(least.into()));
            put("vertexCount", New::int(most.into()));
            put("localAABB.m_Center", vector(center));
            put("localAABB.m_Extent", vector(extent));
            first += part.corners.len();
            item
        };
        self.parts.iter().map(one).collect()
    }

    fn index_buffer(&self, is_wide: bool) -> String {
        let mut bytes = Vec::new();
        for part in &self.parts {
            for corner in &part.corners {
                let corner = corner.wrapping_sub(part.base);
                match is_wide {
                    true => bytes.extend(corner.to_le_bytes()),
                    false => bytes.extend((corner as u16).to_le_bytes()),
                }
            }
        }
        hex_of(&bytes)
    }
}

impl Attribute {
    /// Whether its numbers are no measures.
    fn is_whole(&self) -> bool {
        !matches!(self.format, Format::Float | Format::Half)
    }
}

/// What hangs on the vertices of a mesh besides its channels, and would have to change with them.
pub fn beside_channels(object: Object<'_>) -> Option<&'static str> {
    let has_items = |path: &str| object.get(path).is_some_and(|list| list.items().next().is_some());
    let has_text = |path: &str| object.get(path).is_some_and(|text| !text.text().is_empty());
    if has_items("m_Shapes.vertices") {
        return Some("blend shapes");
    }
    (has_items("m_Skin") || has_text("m_VariableBoneCountWeights.m_Data")).then_some("bone weights")
}

/// The levels of a part that Unity made itself: one, and nothing in it.
fn with_level(mut part: New, tree: types::Node<'_>) -> New {
    let path = ["m_MeshLodInfo", "m_SubMeshes"];
    let node = path.iter().try_fold(tree, |node, key| node.child(key));
    let level = node.and_then(|node| node.element()?.child("m_Levels")?.element()).map(fresh::zero);
    if let (New::Map(fields), Some(level)) = (&mut part, level) {
        fresh::put(fields, "m_Levels", New::List(vec![level]));
    }
    part
}

fn parts(object: Object<'_>, vertices: usize) -> Result<Vec<Part>, Unreadable> {
    let all = plain_corners(object).ok_or(Unreadable::Broken("m_IndexBuffer"))?;
    let size = if is_wide(object) { 4 } else { 2 };
    let mut parts = Vec::new();
    let mut count = 0;
    for value in object.get("m_SubMeshes").into_iter().flat_map(Value::items) {
        let number = |key| value.get(key).and_then(Value::as_u64).unwrap_or(0);
        let start = number("firstByte") as usize / size;
        let end = start.saturating_add(number("indexCount") as usize);
        let base = u32::try_from(number("baseVertex")).unwrap_or(u32::MAX);
        let own = all.get(start..end).ok_or(Unreadable::Broken("m_SubMeshes"))?;
        count += own.len();
        if count > MAX_NUMBERS {
            return Err(Unreadable::TooLarge);
        }
        let corners: Vec<u32> = own.iter().map(|corner| corner.wrapping_add(base)).collect();
        if corners.iter().any(|corner| *corner as usize >= vertices) {
            return Err(Unreadable::Broken("m_IndexBuffer"));
        }
        parts.push(Part { topology: number("topology"), corners, base });
    }
    Ok(parts)
}

fn bounds<'p>(points: impl Iterator<Item = &'p [f32; 3]>) -> ([f32; 3], [f32; 3]) {
    let (mut least, mut most) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
    for point in points {
        for axis in 0..3 {
            least[axis] = least[axis].min(point[axis]);
            most[axis] = most[axis].max(point[axis]);
        }
    }
    if least[0] > most[0] {
        return ([0.0; 3], [0.0; 3]);
    }
    let half = |of: fn(f32, f32) -> f32| std::array::from_fn(|at| of(most[at], least[at]) * 0.5);
    (half(|most, least| most + least), half(|most, least| most - least))
}

fn vector([x, y, z]: [f32; 3]) -> New {
    New::flow([("x", x), ("y", y), ("z", z)])
}

fn hex_of(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::{Habits, NewObject, new_file};
    use crate::{Document, FileId};

    /// Three vertices with numbers of several formats, in two streams.
    fn mixed(count: usize) -> Shape {
        let rows = |size: usize| (0..count * size).map(|at| at as u8).collect();
        let points: Vec<[f32; 3]> = (0..count).map(|at| [at as f32, 0.5, -1.0]).collect();
        let other = |usage, stream, format: Format, dimension| Attribute {
            usage,
            stream,
            format,
            dimension,
            data: rows(format.width() * dimension),
            more: 0,
        };
        let attributes = vec![
            Attribute::floats(Usage::POSITION, &points),
            other(Usage::NORMAL, 0, Format::SNorm8, 4),
            other(Usage::TANGENT, 0, Format::Half, 4),
            other(Usage::COLOR, 1, Format::UNorm8, 4),
            other(Usage::uv(0), 1, Format::UNorm16, 2),
        ];
        let part = Part { topology: 0, corners: vec![1, 2, 1], base: 1 };
        Shape::new(count, attributes, vec![Part::new(0, vec![0, 1, 2]), part])
    }

    fn text(shape: &Shape, version: &str, release: (u32, u32)) -> Result<String, Unwritable> {
        let fields = shape.fields("Mixed", Version::parse(version).unwrap())?;
        let (id, key) = (FileId(4_300_000), "Mesh".to_owned());
        let object = NewObject { class: ClassId::MESH, id, key, stripped: false, fields };
        Ok(new_file(&object, Habits { release: Some(release), folds: None }))
    }

    fn read(text: &str) -> Result<Shape, Unreadable> {
        Shape::read(Document::parse(text).object(FileId(4_300_000)).unwrap())
    }

    #[test]
    fn what_is_written_is_read_in_every_version() {
        let shape = mixed(3);
        let written = |version, release| {
            let text = text(&shape, version, release).unwrap();
            assert_eq!(read(&text).as_ref(), Ok(&shape), "{version}\n{text}");
            text
        };
        let old = written("2017.4.17f1", (2017, 4));
        assert!(old.contains("m_CurrentChannels: 143\n"), "{old}");
        assert!(
            old.contains("    - stream: 1\n      offset: 0\n      format: 2\n      dimension: 1\n")
        );
        let middle = written("2018.4.36f1", (2018, 4));
        assert!(middle.contains("  m_MeshMetrics[0]: 1\n"), "{middle}");
        assert!(
            middle.contains(
                "    - stream: 0\n      offset: 12\n      format: 4\n      dimension: 4\n"
            )
        );
        let new = written("6000.2.11f1", (6000, 2));
        assert!(new.contains("  'm_MeshMetrics[0]': 1\n"), "{new}");
        assert!(
            new.contains(
                "    - stream: 0\n      offset: 12\n      format: 3\n      dimension: 4\n"
            )
        );
        assert!(new.contains("      - serializedVersion: 1\n        m_IndexStart: 0\n"), "{new}");
    }

    #[test]
    fn large_meshes_have_long_numbers_where_the_version_knows_them() {
        let large = mixed(65_536);
        let written = text(&large, "2022.3.20f1", (2022, 3)).unwrap();
        assert!(written.contains("  m_IndexFormat: 1\n  m_IndexBuffer: 000000000100000002000000"));
        assert_eq!(read(&written).map(|shape| shape.parts), Ok(large.parts.clone()));
        assert_eq!(text(&large, "2017.1.0f1", (2017, 1)), Err(Unwritable::TooMany));
    }

    #[test]
    fn what_cannot_be_read_says_why() {
        let good = text(&mixed(3), "2022.3.20f1", (2022, 3)).unwrap();
        let told = |part: &str, other: &str| {
            assert!(good.contains(part), "{part}");
            read(&good.replacen(part, other, 1)).unwrap_err().to_string()
        };
        assert_eq!(told("!u!43", "!u!21"), "it is no mesh but a Mesh");
        assert_eq!(
            told("m_NumItems: 0", "m_NumItems: 9"),
            "its vertices are compressed, which only Unity reads"
        );
        assert_eq!(
            told("path: ", "path: a.resS"),
            "its vertices are in a file beside it, which only Unity reads"
        );
        assert_eq!(told("firstByte: 6", "firstByte: 60"), "its m_SubMeshes cannot be read");
        assert_eq!(told("baseVertex: 1", "baseVertex: 2"), "its m_IndexBuffer cannot be read");
        assert_eq!(
            told("_typelessdata: 00", "_typelessdata: "),
            "its _typelessdata cannot be read"
        );
        assert_eq!(told("m_VertexCount: 3", "m_VertexCount: 99999999"), "it is too large");
        assert_eq!(told("dimension: 3", "dimension: 2"), "its m_Channels cannot be read");
    }
}
