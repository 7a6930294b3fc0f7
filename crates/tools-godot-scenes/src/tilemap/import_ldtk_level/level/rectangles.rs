//! Cells covered by few rectangles.

/// A rectangle of cells.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Rectangle {
    pub(super) x: usize,
    pub(super) y: usize,
    pub(super) width: usize,
    pub(super) height: usize,
}

/// Rectangles that cover all cells which are not 0, each once: as wide as possible, then as high.
pub(super) fn cover(cells: &[i64], columns: usize) -> Vec<Rectangle> {
    if columns == 0 {
        return Vec::new();
    }
    let rows = cells.len() / columns;
    let mut left: Vec<bool> = cells.iter().map(|cell| *cell != 0).collect();
    let mut found = Vec::new();
    for y in 0..rows {
        for x in 0..columns {
            if !left[y * columns + x] {
                continue;
            }
            let row = &left[y * columns + x..(y + 1) * columns];
            let width = row.iter().take_while(|cell| **cell).count();
            let is_full = |row: &usize| {
                let start = row * columns + x;
                left[start..start + width].iter().all(|cell| *cell)
            };
            let height = (y..rows).take_while(is_full).count();
            for row in y..y + height {
                let start = row * columns + x;
                left[start..start + width].fill(false);
            }
            found.push(Rectangle { x, y, width, height });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cells: &[i64], columns: usize, expected: &[(usize, usize, usize, usize)]) {
        let found: Vec<_> =
            cover(cells, columns).iter().map(|r| (r.x, r.y, r.width, r.height)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn covers_every_cell_once() {
        check(&[1, 1, 1, 1, 2, 1], 3, &[(0, 0, 3, 2)]);
        check(&[0, 1, 0, 1, 1, 1], 3, &[(1, 0, 1, 2), (0, 1, 1, 1), (2, 1, 1, 1)]);
        check(&[0, 0, 0, 0], 2, &[]);
    }

    #[test]
    fn odd_lists_are_cut() {
        check(&[1, 1, 1], 2, &[(0, 0, 2, 1)]);
        check(&[1], 0, &[]);
        check(&[1], 5, &[]);
    }
}
