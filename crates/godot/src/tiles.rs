//! The cells of tile maps, as the engine packs them into properties.

use std::collections::HashMap;

/// The cells of one layer, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tiles {
    /// Erased cells leave a gap until the whole is written.
    cells: Vec<Option<(Place, Tile)>>,
    places: HashMap<Place, usize>,
}

/// The column and row of a cell.
pub type Place = (i16, i16);

/// What is in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tile {
    /// The source in the tile set.
    pub source: i16,
    /// The column and row of the tile in its atlas.
    pub atlas: (i16, i16),
    /// The alternative of the tile, with the bits that turn it over.
    pub alternative: i16,
}

impl Tile {
    /// The bit of an alternative that mirrors left and right.
    pub const FLIP_H: i16 = 4096;
    /// The bit of an alternative that mirrors up and down.
    pub const FLIP_V: i16 = 8192;
    /// The bit of an alternative that swaps columns and rows.
    pub const TRANSPOSE: i16 = 16384;

    /// The alternative without the bits that turn it over.
    pub fn plain_alternative(self) -> i16 {
        self.alternative & !(Self::FLIP_H | Self::FLIP_V | Self::TRANSPOSE)
    }
}

/// The only layout of `tile_map_data` so far.
const VERSION: [u8; 2] = [0, 0];
const CELL_BYTES: usize = 12;
const CELL_INTS: usize = 3;

impl Tiles {
    /// Reads `tile_map_data` of a `TileMapLayer`. Nothing when it is none.
    pub fn from_bytes(bytes: &[u8]) -> Option<Tiles> {
        if bytes.is_empty() {
            return Some(Tiles::default());
        }
        let cells = bytes.strip_prefix(&VERSION)?;
        if !cells.len().is_multiple_of(CELL_BYTES) {
            return None;
        }
        let mut tiles = Tiles::default();
        for cell in cells.chunks_exact(CELL_BYTES) {
            let part = |at: usize| i16::from_le_bytes([cell[at], cell[at + 1]]);
            let tile = Tile { source: part(4), atlas: (part(6), part(8)), alternative: part(10) };
            tiles.set((part(0), part(2)), tile);
        }
        Some(tiles)
    }

    /// The cells as `tile_map_data`; empty when there is none.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for ((x, y), tile) in self.iter() {
            if bytes.is_empty() {
                bytes.extend(VERSION);
            }
            let parts = [x, y, tile.source, tile.atlas.0, tile.atlas.1, tile.alternative];
            bytes.extend(parts.iter().flat_map(|part| part.to_le_bytes()));
        }
        bytes
    }

    /// Reads `layer_0/tile_data` of a `TileMap` of Godot 4, its format 2. Nothing when it is none.
    pub fn from_ints(ints: &[i64]) -> Option<Tiles> {
        if !ints.len().is_multiple_of(CELL_INTS) {
            return None;
        }
        let mut tiles = Tiles::default();
        for cell in ints.chunks_exact(CELL_INTS) {
            let low = |number: i64| number as i16;
            let high = |number: i64| (number >> 16) as i16;
            let tile = Tile {
                source: low(cell[1]),
                atlas: (high(cell[1]), low(cell[2])),
                alternative: high(cell[2]),
            };
            tiles.set((low(cell[0]), high(cell[0])), tile);
        }
        Some(tiles)
    }

    /// The cells as `layer_0/tile_data`.
    pub fn to_ints(&self) -> Vec<i32> {
        let both = |low: i16, high: i16| i32::from(low as u16) | i32::from(high) << 16;
        let ints = |((x, y), tile): (Place, Tile)| {
            [both(x, y), both(tile.source, tile.atlas.0), both(tile.atlas.1, tile.alternative)]
        };
        self.iter().flat_map(ints).collect()
    }

    /// The cells that are not empty.
    pub fn iter(&self) -> impl Iterator<Item = (Place, Tile)> {
        self.cells.iter().flatten().copied()
    }

    /// How many cells are not empty.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// True when all cells are empty.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// What is in a cell.
    pub fn get(&self, place: Place) -> Option<Tile> {
        self.cells[*self.places.get(&place)?].map(|(_, tile)| tile)
    }

    /// Puts a tile into a cell; returns what was there.
    pub fn set(&mut self, place: Place, tile: Tile) -> Option<Tile> {
        if let Some(at) = self.places.get(&place) {
            let before = self.cells[*at].replace((place, tile));
            return before.map(|(_, tile)| tile);
        }
        self.places.insert(place, self.cells.len());
        self.cells.push(Some((place, tile)));
        None
    }

    /// Empties a cell; returns what was there.
    pub fn erase(&mut self, place: Place) -> Option<Tile> {
        let at = self.places.remove(&place)?;
        self.cells[at].take().map(|(_, tile)| tile)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Tile = Tile { source: 0, atlas: (3, 0), alternative: 0 };
    const TURNED: Tile = Tile {
        source: 0,
        atlas: (1, 0),
        alternative: Tile::FLIP_H | Tile::FLIP_V | Tile::TRANSPOSE,
    };

    fn two() -> Tiles {
        let mut tiles = Tiles::default();
        tiles.set((-1, 2), STEP);
        tiles.set((5, -7), TURNED);
        tiles
    }

    #[test]
    fn packs_bytes_as_godot_does() {
        // What Godot 4.6 has in `tile_map_data` after the same two calls of `set_cell`.
        let bytes = [
            0, 0, 255, 255, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 5, 0, 249, 255, 0, 0, 1, 0, 0, 0, 0, 112,
        ];
        assert_eq!(two().to_bytes(), bytes);
        assert_eq!(Tiles::from_bytes(&bytes), Some(two()));
        assert_eq!(TURNED.plain_alternative(), 0);
    }

    #[test]
    fn packs_ints_as_godot_does() {
        let mut tiles = Tiles::default();
        tiles.set((5, -7), Tile { source: 0, atlas: (1, 0), alternative: Tile::FLIP_H });
        assert_eq!(tiles.to_ints(), [-458_747, 65_536, 268_435_456]);
        tiles.set((-1, 2), STEP);
        let ints: Vec<i64> = tiles.to_ints().into_iter().map(i64::from).collect();
        assert_eq!(ints[3..], [196_607, 196_608, 0]);
        assert_eq!(Tiles::from_ints(&ints), Some(tiles));
    }

    #[test]
    fn cells_keep_their_order() {
        let mut tiles = two();
        assert_eq!(tiles.erase((-1, 2)), Some(STEP));
        assert_eq!(tiles.erase((-1, 2)), None);
        assert_eq!((tiles.len(), tiles.get((-1, 2))), (1, None));
        tiles.set((9, 9), STEP);
        assert_eq!(tiles.set((5, -7), STEP), Some(TURNED));
        let places: Vec<Place> = tiles.iter().map(|(place, _)| place).collect();
        assert_eq!(places, [(5, -7), (9, 9)]);
        tiles.erase((5, -7));
        tiles.erase((9, 9));
        assert!(tiles.is_empty() && tiles.to_bytes().is_empty());
    }

    #[test]
    fn other_layouts_are_not_guessed() {
        assert_eq!(Tiles::from_bytes(&[]), Some(Tiles::default()));
        assert_eq!(Tiles::from_bytes(&[0, 0]), Some(Tiles::default()));
        for bytes in [&[0][..], &[1, 0], &[0, 0, 1]] {
            assert_eq!(Tiles::from_bytes(bytes), None);
        }
        assert_eq!(Tiles::from_ints(&[1, 2]), None);
    }
}
