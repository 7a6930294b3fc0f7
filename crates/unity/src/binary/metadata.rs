//! What stands before the objects: their classes and places, and the files they refer to.

use super::bytes::Bytes;
use super::header::Header;
use super::{BinaryError, BinaryFile, External, tree};
use crate::types::{Nodes, Version};
use crate::{ClassId, FileId, Guid};

/// A class of objects in the file.
#[derive(Debug)]
pub(super) struct Type {
    pub(super) class: ClassId,
    /// What objects of old formats call the class: less than 0 for scripts.
    number: i32,
    /// Its place among the scripts.
    pub(super) script: Option<usize>,
    /// Of an object that only stands for one in another file.
    pub(super) is_stripped: bool,
    pub(super) nodes: Option<Nodes>,
    /// Class, namespace and assembly, of a class inside of others.
    pub(super) names: [String; 3],
}

/// An object in the file.
#[derive(Debug)]
pub(super) struct Place {
    pub(super) file_id: FileId,
    /// From the start of the file.
    pub(super) start: u64,
    pub(super) size: u32,
    pub(super) class: ClassId,
    /// Its place among the types.
    pub(super) of: Option<usize>,
    pub(super) script: Option<usize>,
    pub(super) is_stripped: bool,
}

pub(super) fn read(bytes: &[u8], header: Header) -> Result<BinaryFile<'_>, BinaryError> {
    let whole = usize::try_from(header.file_size).ok().and_then(|size| bytes.get(..size));
    let bytes = whole.ok_or(BinaryError::Ends { what: "the objects", at: bytes.len() })?;
    let mut read = Bytes::new(bytes, "the header");
    // It is less than the size of the file.
    read.take(header.lists as usize)?;
    let big_endian = header.big_endian.map_or_else(|| read.u8().map(|order| order != 0), Ok)?;
    read.big_endian = big_endian;
    let format = header.format;
    let version_text = read.text()?;
    let version = Version::parse(version_text).unwrap_or(Version::NEWEST);
    if format >= 8 {
        read.i32()?; // The platform; editors write none.
    }
    let has_layouts = format < 13 || read.u8()? != 0;
    let types = Types { format, has_layouts, version };
    let known = types.read_all(&mut read, false)?;
    let places = places(&mut read, &header, &known)?;
    let scripts = if format >= 11 { scripts(&mut read, format)? } else { Vec::new() };
    let externals = externals(&mut read)?;
    let inner_types = if format >= 20 { types.read_all(&mut read, true)? } else { Vec::new() };
    Ok(BinaryFile {
        bytes,
        format,
        big_endian,
        version_text,
        version,
        types: known,
        places,
        scripts,
        externals,
        inner_types,
    })
}

/// What is the same for all types of a file.
struct Types {
    format: u32,
    has_layouts: bool,
    version: Version,
}

impl Types {
    fn read_all(&self, read: &mut Bytes<'_>, is_inner: bool) -> Result<Vec<Type>, BinaryError> {
        read.what = "the list of classes";
        let count = read.count(4)?;
        (0..count).map(|_| self.read(read, is_inner)).collect()
    }

    fn read(&self, read: &mut Bytes<'_>, is_inner: bool) -> Result<Type, BinaryError> {
        let format = self.format;
        read.what = "a class";
        let number = read.i32()?;
        let is_stripped = format >= 16 && read.u8()? != 0;
        let script = if format >= 17 { usize::try_from(read.u16()? as i16).ok() } else { None };
        let is_script = match format {
            ..16 => number < 0,
            _ => number == 114,
        };
        if format >= 13 {
            // Hashes of the script and of the class.
            read.take(if is_script || is_inner && script.is_some() { 32 } else { 16 })?;
        }
        let mut of = Type {
            class: if is_script { ClassId::MONO_BEHAVIOUR } else { ClassId(number as u32) },
            number,
            script,
            is_stripped,
            nodes: None,
            names: Default::default(),
        };
        if self.has_layouts {
            of.nodes = self.layout(read)?;
            if format >= 21 {
                read.what = "a class";
                match is_inner {
                    true => {
                        of.names = [read.text()?, read.text()?, read.text()?].map(str::to_owned)
                    }
                    // Which of the inner types it needs.
                    false => (0..read.count(4)?).try_for_each(|_| read.i32().map(drop))?,
                }
            }
        }
        Ok(of)
    }

    fn layout(&self, read: &mut Bytes<'_>) -> Result<Option<Nodes>, BinaryError> {
        if self.format >= 23 {
            read.take(16)?; // A hash of it.
            if read.count(1)? == 0 {
                return Ok(None); // It is kept elsewhere.
            }
            read.take(8)?; // A mark, and the format once more.
        }
        let nodes = match self.format {
            10 | 12.. => tree::read_block(read, self.format, self.version)?,
            _ => tree::read_nested(read)?,
        };
        Ok(Some(nodes))
    }
}

fn places(
    read: &mut Bytes<'_>,
    header: &Header,
    types: &[Type],
) -> Result<Vec<Place>, BinaryError> {
    let format = header.format;
    read.what = "the list of objects";
    let large_ids = format >= 14 || read.i32()? != 0;
    let count = read.count(if large_ids { 20 } else { 16 })?;
    let mut places = Vec::with_capacity(count);
    for _ in 0..count {
        if format >= 14 {
            read.align();
        }
        let at = read.at();
        let file_id = if large_ids { read.i64()? } else { read.i32()?.into() };
        let start = if format >= 22 { read.u64()? } else { read.u32()?.into() };
        let size = read.u32()?;
        let number = read.i32()?;
        let class = if format < 16 { Some(ClassId(read.u16()?.into())) } else { None };
        let of = match class {
            Some(_) => types.iter().position(|of| of.number == number),
            None => usize::try_from(number).ok().filter(|at| *at < types.len()),
        };
        let impossible = BinaryError::Impossible { what: read.what, at, number: number.into() };
        let class = class.or(of.map(|of| types[of].class)).ok_or(impossible)?;
        let mut script = of.and_then(|of| types[of].script);
        match format {
            ..11 => drop(read.u16()?), // Whether it was destroyed.
            11..17 => script = usize::try_from(read.u16()? as i16).ok(),
            _ => {}
        }
        let mut is_stripped = of.is_some_and(|of| types[of].is_stripped);
        if matches!(format, 15 | 16) {
            is_stripped |= read.u8()? != 0;
        }
        let start = start.saturating_add(header.data);
        let file_id = FileId(file_id);
        places.push(Place { file_id, start, size, class, of, script, is_stripped });
    }
    Ok(places)
}

fn scripts(read: &mut Bytes<'_>, format: u32) -> Result<Vec<(i32, FileId)>, BinaryError> {
    read.what = "the list of scripts";
    let count = read.count(8)?;
    let script = |_| {
        let file = read.i32()?;
        if format < 14 {
            return Ok((file, FileId(read.i32()?.into())));
        }
        read.align();
        Ok((file, FileId(read.i64()?)))
    };
    (0..count).map(script).collect()
}

fn externals(read: &mut Bytes<'_>) -> Result<Vec<External>, BinaryError> {
    read.what = "the list of files referred to";
    // Two texts, a guid and a number.
    let count = read.count(22)?;
    let external = |_| {
        read.text()?;
        let guid = read.take(16)?.first_chunk().expect("as many as were taken");
        Ok(External { guid: guid_of(*guid), kind: read.i32()?, path: read.text()?.to_owned() })
    };
    (0..count).map(external).collect()
}

/// Text has the low half of each byte first.
fn guid_of(bytes: [u8; 16]) -> Guid {
    Guid(bytes.map(|byte| byte.rotate_left(4)))
}
