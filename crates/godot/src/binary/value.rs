//! Values in binary resources. Only their lengths matter, but for paths to nodes.

use super::{BinaryPath, CUT, Cursor};

/// Lists in lists; no resource comes near it.
const MAX_DEPTH: usize = 64;
/// More paths than any library of animations has.
const MAX_FOUND: usize = 100_000;
/// The first form in which the property of a path is one of its later names.
const WITHOUT_PROPERTY: u32 = 3;
/// A text stands right here and not in the list of names.
const HERE: u32 = 1 << 31;

/// What values are read with, and what was found in them.
pub(super) struct Values<'a> {
    pub(super) names: &'a [String],
    pub(super) format: u32,
    /// How many bytes a number of a vector has.
    pub(super) real: usize,
    pub(super) found: Vec<BinaryPath>,
    pub(super) depth: usize,
}

impl Values<'_> {
    /// A resource: its class and its properties.
    pub(super) fn resource(&mut self, cursor: &mut Cursor<'_>) -> Result<(), String> {
        let class = cursor.text()?;
        for _ in 0..cursor.number()? {
            let property = self.name(cursor)?;
            let before = self.found.len();
            self.value(cursor)?;
            for path in &mut self.found[before..] {
                (path.class, path.property) = (class.clone(), property.clone());
            }
        }
        Ok(())
    }

    fn name(&self, cursor: &mut Cursor<'_>) -> Result<String, String> {
        match cursor.number()? {
            length if length & HERE != 0 => cursor.text_of(length & !HERE),
            number => Ok(self.names.get(number as usize).ok_or(CUT)?.clone()),
        }
    }

    fn value(&mut self, cursor: &mut Cursor<'_>) -> Result<(), String> {
        if self.depth >= MAX_DEPTH {
            return Err("its values are nested too deeply".to_owned());
        }
        self.depth += 1;
        let result = self.known_value(cursor);
        self.depth -= 1;
        result
    }

    fn known_value(&mut self, cursor: &mut Cursor<'_>) -> Result<(), String> {
        let real = self.real;
        let kind = cursor.number()?;
        match kind {
            // Nothing, calls and signals.
            1 | 42 | 43 => Ok(()),
            // Yes or no, a short number, a handle.
            2 | 3 | 23 => cursor.skip(4),
            4 => cursor.skip(real),
            40 | 41 => cursor.skip(8),
            // Texts and names.
            5 | 44 => cursor.text().map(drop),
            // Vectors of two to sixteen numbers.
            10 => cursor.skip(2 * real),
            11 | 13 | 14 | 50 => cursor.skip(4 * real),
            12 => cursor.skip(3 * real),
            15 | 18 => cursor.skip(6 * real),
            16 => cursor.skip(9 * real),
            17 => cursor.skip(12 * real),
            52 => cursor.skip(16 * real),
            // Whole numbers, and colours, which are always short.
            45 => cursor.skip(8),
            47 => cursor.skip(12),
            46 | 51 | 20 => cursor.skip(16),
            22 => self.node_path(cursor),
            24 => object(cursor),
            26 => self.many(cursor, 2),
            30 => self.many(cursor, 1),
            31..=37 | 48 | 49 | 53 => packed(cursor, kind, real),
            _ => Err(format!("it has a value of the unknown kind {kind}")),
        }
    }

    /// A list, or a dictionary with two values for each.
    fn many(&mut self, cursor: &mut Cursor<'_>, each: u32) -> Result<(), String> {
        // The highest bit told once that it is shared.
        let count = cursor.number()? & !HERE;
        for _ in 0..u64::from(count) * u64::from(each) {
            self.value(cursor)?;
        }
        Ok(())
    }

    fn node_path(&mut self, cursor: &mut Cursor<'_>) -> Result<(), String> {
        let names = cursor.short()?;
        let more = cursor.short()?;
        let is_absolute = more & 0x8000 != 0;
        let mut more = more & 0x7fff;
        if self.format < WITHOUT_PROPERTY {
            more = more.saturating_add(1);
        }
        let mut path = if is_absolute { "/".to_owned() } else { String::new() };
        for number in 0..names {
            path += if number > 0 { "/" } else { "" };
            path += &self.name(cursor)?;
        }
        for _ in 0..more {
            path += ":";
            path += &self.name(cursor)?;
        }
        if self.found.len() >= MAX_FOUND {
            return Err("it has too many paths".to_owned());
        }
        self.found.push(BinaryPath { class: String::new(), property: String::new(), path });
        Ok(())
    }
}

/// Another resource: none, one of this file, or one of another by its number or by its path.
fn object(cursor: &mut Cursor<'_>) -> Result<(), String> {
    match cursor.number()? {
        0 => Ok(()),
        2 | 3 => cursor.skip(4),
        1 => {
            cursor.text()?;
            cursor.text().map(drop)
        }
        kind => Err(format!("it names a resource in the unknown way {kind}")),
    }
}

/// Many numbers or texts of one kind.
fn packed(cursor: &mut Cursor<'_>, kind: u32, real: usize) -> Result<(), String> {
    let count = cursor.number()?;
    match kind {
        // Bytes are filled up to whole words.
        31 => cursor.skip((count as usize).checked_next_multiple_of(4).ok_or(CUT)?),
        32 | 33 => cursor.skip_many(count, 4),
        48 | 49 => cursor.skip_many(count, 8),
        35 => cursor.skip_many(count, 3 * real),
        36 => cursor.skip_many(count, 16),
        37 => cursor.skip_many(count, 2 * real),
        53 => cursor.skip_many(count, 4 * real),
        _ => (0..count).try_for_each(|_| cursor.text().map(drop)),
    }
}
