//! Cells of a tile map, which are one long array of numbers, three for each cell.

use std::collections::HashMap;

use crate::model::Step;
use crate::order::order;

/// The cells of ours and theirs; nothing when both changed one cell, or when it is no tile map.
pub(crate) fn cells(path: &[Step], base: &[u8], ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    let Some(Step::Key(key)) = path.last() else { return None };
    if key != "tile_data" && !key.ends_with("/tile_data") {
        return None;
    }
    let (head, ours, tail) = numbers(ours)?;
    let (_, base, _) = numbers(base)?;
    let (_, theirs, _) = numbers(theirs)?;
    let keys = |cells: &[[i64; 3]]| cells.iter().map(|cell| cell[0]).collect::<Vec<_>>();
    let maps = [&base, &ours, &theirs]
        .map(|cells| cells.iter().map(|cell| (cell[0], *cell)).collect::<HashMap<_, _>>());
    let is_once =
        [&base, &ours, &theirs].iter().zip(&maps).all(|(cells, map)| cells.len() == map.len());
    if !is_once {
        return None;
    }
    let mut merged = Vec::new();
    for key in order(&keys(&base), &keys(&ours), &keys(&theirs)).keys {
        let [base, ours, theirs] = maps.each_ref().map(|map| map.get(&key));
        let cell = match () {
            () if ours == theirs || base == theirs => ours,
            () if base == ours => theirs,
            () => return None,
        };
        merged.extend(cell.into_iter().flatten().map(i64::to_string));
    }
    Some(format!("{head}{}{tail}", merged.join(", ")).into_bytes())
}

/// What is before the numbers, the numbers, and what is behind them.
fn numbers(text: &[u8]) -> Option<(String, Vec<[i64; 3]>, String)> {
    let text = std::str::from_utf8(text).ok()?;
    let open = text.find('(')? + 1;
    let close = text.rfind(')')?;
    let inside = text.get(open..close)?;
    let numbers: Option<Vec<i64>> = match inside.trim().is_empty() {
        true => Some(Vec::new()),
        false => inside.split(',').map(|number| number.trim().parse().ok()).collect(),
    };
    let numbers = numbers?;
    let (cells, rest) = numbers.as_chunks::<3>();
    if !rest.is_empty() {
        return None;
    }
    let left = inside.len() - inside.trim_start().len();
    let right = inside.len() - inside.trim_end().len();
    let head = &text[..open + left];
    Some((head.to_owned(), cells.to_vec(), text[close - right..].to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_both_sides_go_together() {
        let path = [Step::Key("tile_data".into())];
        let merge = |base: &str, ours: &str, theirs: &str| {
            let of = |text: &str| format!("PoolIntArray( {text} )").into_bytes();
            let merged = cells(&path, &of(base), &of(ours), &of(theirs))?;
            String::from_utf8(merged).ok()
        };
        let merged = merge("1, 0, 0, 2, 0, 0", "1, 9, 0, 2, 0, 0", "2, 0, 0, 3, 0, 0");
        assert_eq!(merged, None, "deleted by one, changed by the other");
        let merged = merge("1, 0, 0, 2, 0, 0", "1, 9, 0, 2, 0, 0", "1, 0, 0, 2, 0, 0, 3, 0, 0");
        assert_eq!(merged.as_deref(), Some("PoolIntArray( 1, 9, 0, 2, 0, 0, 3, 0, 0 )"));
        assert_eq!(merge("1, 0, 0", "1, 1, 0", "1, 2, 0"), None);
    }
}
