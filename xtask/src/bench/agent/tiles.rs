//! The cells of a tile map as Godot packs them, and the base64 that they and pictures come in.

use anyhow::{Context, Result, ensure};

/// A cell: where it is, and which tile it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) at: (i16, i16),
    /// Source, column, row and alternative.
    pub(super) tile: [u16; 4],
}

/// The cells of a node with `tile_map_data`: a number for the format, then twelve bytes for each.
pub(super) fn cells(node: &str) -> Result<Vec<Cell>> {
    let data = node.split("tile_map_data = PackedByteArray(\"").nth(1);
    let data = data.and_then(|rest| rest.split('"').next()).context("no tiles")?;
    let bytes = base64(data)?;
    ensure!(bytes.len() % 12 == 2, "{} bytes of tiles", bytes.len());
    let number = |cell: &[u8], at: usize| u16::from_le_bytes([cell[at * 2], cell[at * 2 + 1]]);
    let cell = |cell: &[u8]| Cell {
        at: (number(cell, 0).cast_signed(), number(cell, 1).cast_signed()),
        tile: std::array::from_fn(|at| number(cell, at + 2)),
    };
    Ok(bytes[2..].chunks_exact(12).map(cell).collect())
}

pub(super) fn base64(text: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.bytes().filter(|letter| *letter != b'=') {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => anyhow::bail!("{:?} is not in base64", char::from(letter)),
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count & 0xff) as u8);
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_base64() {
        assert_eq!(base64("TWFueQ==").expect("it is"), b"Many");
        assert!(base64("a b").is_err());
    }

    #[test]
    fn reads_the_cells_of_a_node() {
        let node = "tile_map_data = PackedByteArray(\"AAAhAAwAAAADAAAA\")\n";
        assert!(cells(node).is_err(), "half a cell");
        let node = "tile_map_data = PackedByteArray(\"AAAhAAwAAAADAAAAAAA=\")\n";
        let cell = Cell { at: (33, 12), tile: [0, 3, 0, 0] };
        assert_eq!(cells(node).expect("one cell"), [cell]);
    }
}
