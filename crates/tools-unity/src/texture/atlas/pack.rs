//! Rectangles in a rectangle: shelves, the highest first, in the smallest power of two that holds them.

/// Where everything is.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Packed {
    /// Width and height of the whole.
    pub size: (u32, u32),
    /// Left and top of each, in the order of the sizes.
    pub places: Vec<(u32, u32)>,
}

/// Packs sizes with room between them; nothing when they do not fit into a square of `most`.
pub(super) fn pack(sizes: &[(u32, u32)], padding: u32, most: u32) -> Option<Packed> {
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|at| (std::cmp::Reverse(sizes[*at].1), std::cmp::Reverse(sizes[*at].0), *at));
    let mut side = 1;
    while side <= most {
        // Twice as wide as high needs half the room of the next square.
        for size in [(side, side), (side * 2, side)] {
            if size.0 <= most
                && let Some(places) = shelves(sizes, &order, padding, size)
            {
                return Some(Packed { size, places });
            }
        }
        side *= 2;
    }
    None
}

fn shelves(
    sizes: &[(u32, u32)],
    order: &[usize],
    padding: u32,
    (width, height): (u32, u32),
) -> Option<Vec<(u32, u32)>> {
    let mut places = vec![(0, 0); sizes.len()];
    let (mut x, mut y, mut shelf) = (0_u32, 0_u32, 0_u32);
    for at in order {
        let (w, h) = sizes[*at];
        if w > width {
            return None;
        }
        if x > 0 && x.checked_add(w)? > width {
            (x, y, shelf) = (0, y.checked_add(shelf)?.checked_add(padding)?, 0);
        }
        if y.checked_add(h)? > height {
            return None;
        }
        places[*at] = (x, y);
        x = x.checked_add(w)?.checked_add(padding)?;
        shelf = shelf.max(h);
    }
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overlaps_and_nothing_is_outside() {
        // Sizes of all kinds, from one formula.
        for count in 1..40_u32 {
            let sizes: Vec<(u32, u32)> =
                (0..count).map(|at| (1 + at * 37 % 61, 1 + at * 53 % 47)).collect();
            let padding = count % 5;
            let packed = pack(&sizes, padding, 1024).unwrap();
            let rects: Vec<_> =
                packed.places.iter().zip(&sizes).map(|((x, y), (w, h))| (*x, *y, *w, *h)).collect();
            for (at, (x, y, w, h)) in rects.iter().enumerate() {
                assert!(x + w <= packed.size.0 && y + h <= packed.size.1, "{packed:?}");
                for (ox, oy, ow, oh) in &rects[at + 1..] {
                    let apart = x + w + padding <= *ox
                        || ox + ow + padding <= *x
                        || y + h + padding <= *oy
                        || oy + oh + padding <= *y;
                    assert!(apart, "{count}: {packed:?}");
                }
            }
        }
        assert_eq!(pack(&[(65, 1)], 0, 64), None);
        assert_eq!(pack(&[(64, 64), (1, 1)], 0, 64), None);
        assert_eq!(pack(&[(64, 64)], 4, 64).unwrap().size, (64, 64));
        assert_eq!(pack(&[(u32::MAX, 1), (u32::MAX, 1)], 1, 64), None);
    }
}
