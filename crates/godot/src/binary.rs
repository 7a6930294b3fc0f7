//! Binary resources, `.res` and `.scn`: what they are, which files they name and which nodes their
//! paths lead through. They are read and never written.
//!
//! Any bytes may come in: every count is held against what is left of the file, and what does not
//! fit ends the reading with a reason.

mod pack;
mod value;

#[cfg(test)]
mod tests;

use value::Values;

/// Larger ones are not read; libraries of animations are far smaller.
const MAX_BYTES: usize = 64 << 20;
/// The newest form that is known here, of Godot 4.3 and later.
const NEWEST: u32 = 6;
/// What the header's flags say.
const HAS_UIDS: u32 = 2;
const HAS_DOUBLES: u32 = 4;
const HAS_SCRIPT_CLASS: u32 = 8;
/// Numbers without a meaning in the header.
const RESERVED: usize = 11;

/// What a binary resource says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BinaryResource {
    /// The class of the resource that the file is.
    pub class: String,
    /// The paths of files that it uses, as written.
    pub files: Vec<String>,
    /// The paths of nodes in its values: tracks of animations, and others.
    pub node_paths: Vec<BinaryPath>,
}

/// A path to a node in a binary resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BinaryPath {
    /// The class of the resource that has it.
    pub class: String,
    /// The property: `tracks/0/path`.
    pub property: String,
    /// The path.
    pub path: String,
}

impl BinaryResource {
    /// Reads a file, or says why that cannot be done.
    pub fn parse(bytes: &[u8]) -> Result<BinaryResource, String> {
        match bytes.get(..4) {
            Some(b"RSRC") => read(&bytes[4..], 4),
            Some(b"RSCC") => read(&pack::unpack(&bytes[4..])?, 0),
            _ => Err("it is no binary resource".to_owned()),
        }
    }
}

/// Read what follows the first word. Places in the file count from its start, which is `skipped`
/// before this.
fn read(bytes: &[u8], skipped: usize) -> Result<BinaryResource, String> {
    if bytes.len() > MAX_BYTES {
        return Err(format!("it is larger than {} MiB", MAX_BYTES >> 20));
    }
    let mut cursor = Cursor { bytes, at: 0, is_big: false };
    cursor.is_big = cursor.number()? != 0;
    let has_doubles = cursor.number()? != 0;
    let (_major, _minor, format) = (cursor.number()?, cursor.number()?, cursor.number()?);
    if format > NEWEST {
        return Err(format!("it has the form {format}, and {NEWEST} is the newest known here"));
    }
    let class = cursor.text()?;
    cursor.skip(8)?;
    let flags = cursor.number()?;
    cursor.skip(8)?;
    if flags & HAS_SCRIPT_CLASS != 0 {
        cursor.text()?;
    }
    cursor.skip(4 * RESERVED)?;
    let names = cursor.list(Cursor::text)?;
    let files = cursor.list(|cursor| {
        cursor.text()?;
        let path = cursor.text()?;
        if flags & HAS_UIDS != 0 {
            cursor.skip(8)?;
        }
        Ok(path)
    })?;
    let places = cursor.list(|cursor| {
        cursor.text()?;
        cursor.long()
    })?;
    let mut values = Values {
        names: &names,
        format,
        real: if has_doubles || flags & HAS_DOUBLES != 0 { 8 } else { 4 },
        found: Vec::new(),
        depth: 0,
    };
    for place in places {
        let place = usize::try_from(place).ok().and_then(|place| place.checked_sub(skipped));
        cursor.at = place.filter(|place| *place <= bytes.len()).ok_or(CUT)?;
        values.resource(&mut cursor)?;
    }
    Ok(BinaryResource { class, files, node_paths: values.found })
}

/// What is said of a file that ends too early.
const CUT: &str = "it is cut off or damaged";

/// A place in the bytes.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether the highest byte of a number comes first.
    is_big: bool,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(count).ok_or(CUT)?;
        let taken = self.bytes.get(self.at..end).ok_or(CUT)?;
        self.at = end;
        Ok(taken)
    }

    fn skip(&mut self, count: usize) -> Result<(), String> {
        self.take(count).map(drop)
    }

    /// So many things of so many bytes each.
    fn skip_many(&mut self, count: u32, size: usize) -> Result<(), String> {
        self.skip((count as usize).checked_mul(size).ok_or(CUT)?)
    }

    fn number(&mut self) -> Result<u32, String> {
        let bytes: [u8; 4] = self.take(4)?.try_into().map_err(|_| CUT)?;
        Ok(if self.is_big { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    }

    fn short(&mut self) -> Result<u16, String> {
        let bytes: [u8; 2] = self.take(2)?.try_into().map_err(|_| CUT)?;
        Ok(if self.is_big { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    }

    fn long(&mut self) -> Result<u64, String> {
        let bytes: [u8; 8] = self.take(8)?.try_into().map_err(|_| CUT)?;
        Ok(if self.is_big { u64::from_be_bytes(bytes) } else { u64::from_le_bytes(bytes) })
    }

    /// A text with its length before it and a zero behind it.
    fn text(&mut self) -> Result<String, String> {
        let length = self.number()?;
        self.text_of(length)
    }

    fn text_of(&mut self, length: u32) -> Result<String, String> {
        let bytes = self.take(length as usize)?;
        let bytes = bytes.strip_suffix(&[0]).unwrap_or(bytes);
        Ok(String::from_utf8_lossy(bytes).into_owned())
    }

    /// Things with their count before them; the bytes end a count that is too large.
    fn list<T>(&mut self, one: impl Fn(&mut Self) -> Result<T, String>) -> Result<Vec<T>, String> {
        let count = self.number()?;
        (0..count).map(|_| one(self)).collect()
    }
}
