//! Properties that are a list by their names, such as `tracks/0/path` and `item_2/text`: one that went
//! or came gives all behind it another number, so that they go together only as a whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::same::At;

/// The fields of one version by list and number.
type Numbered<'a> = BTreeMap<String, BTreeMap<u64, Vec<(String, &'a [u8])>>>;

/// The lists in which one side changed how many there are, and the other changed something too.
pub(crate) fn torn(three: &[Vec<(String, At<'_>)>; 3]) -> Vec<String> {
    let [base, ours, theirs] = three.each_ref().map(|fields| numbered(fields));
    let lists: BTreeSet<&String> = ours.keys().chain(theirs.keys()).chain(base.keys()).collect();
    let mut torn = Vec::new();
    for list in lists {
        let [base, ours, theirs] =
            [&base, &ours, &theirs].map(|version| version.get(list).cloned().unwrap_or_default());
        if ours == theirs || base == ours || base == theirs {
            continue;
        }
        let same_numbers = |a: &BTreeMap<u64, _>, b: &BTreeMap<u64, _>| a.keys().eq(b.keys());
        let only_grew = |side: &BTreeMap<u64, Vec<(String, &[u8])>>| {
            side.len() > base.len()
                && base.iter().all(|(number, was)| side.get(number) == Some(was))
        };
        let fits = match (same_numbers(&base, &ours), same_numbers(&base, &theirs)) {
            (true, true) => true,
            (true, false) => only_grew(&theirs),
            (false, true) => only_grew(&ours),
            (false, false) => false,
        };
        if !fits {
            torn.push(list.clone());
        }
    }
    torn
}

fn numbered<'a>(fields: &[(String, At<'a>)]) -> Numbered<'a> {
    let mut all = Numbered::new();
    for (key, at) in fields {
        if let Some((list, number)) = split(key) {
            let of_list = all.entry(list.to_owned()).or_default();
            of_list.entry(number).or_default().push((key.clone(), at.inner()));
        }
    }
    all
}

/// The list and the number that a name tells.
pub(crate) fn split(key: &str) -> Option<(&str, u64)> {
    let mut start = 0;
    for part in key.split('/') {
        let end = start + part.len();
        let (name, digits) = match part.rsplit_once('_') {
            Some((name, digits)) => (start + name.len(), digits),
            // Numbers alone may be ids, as those of tiles are.
            None => (start.saturating_sub(1), part),
        };
        let is_list = part.contains('_') || matches!(&key[..name], "tracks" | "bones");
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if is_number && is_list && key[end..].starts_with('/') {
            return Some((&key[..name], digits.parse().ok()?));
        }
        start = end + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn names_tell_lists_and_numbers() {
        assert_eq!(split("tracks/12/path"), Some(("tracks", 12)));
        assert_eq!(split("popup/item_3/text"), Some(("popup/item", 3)));
        assert_eq!(split("0/tile_mode"), None);
        assert_eq!(split("margin_left"), None);
        assert_eq!(split("layer_0"), None);
    }
}
