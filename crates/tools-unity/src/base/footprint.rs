//! What assets weigh: sizes for people, and all that an asset brings with it into a build.

use std::collections::BTreeSet;

use scenewright_unity::index::{Asset, AssetId, AssetKind, Flags, Index};

/// A size for people: `0 B`, `1.5 KB`, `12.0 MB`; a KB has 1024 bytes, as in Unity's reports.
pub fn human(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["KB", "MB", "GB", "TB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut size = bytes as f64 / 1024.0;
    let mut unit = 0;
    while size >= 1023.95 && unit + 1 < UNITS.len() {
        size /= 1024.0;
        unit += 1;
    }
    format!("{size:.1} {}", UNITS[unit])
}

/// The share of `part` in percent, with one decimal.
pub fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 {
        return 0.0;
    }
    (part as f64 * 1000.0 / whole as f64).round() / 10.0
}

/// All that `starts` lead to over references, themselves included, without what `stop` refuses.
/// Code, settings, folders and what only the editor uses are left out: they are no data of a build.
pub fn reach<'i>(
    index: &'i Index,
    starts: impl IntoIterator<Item = Asset<'i>>,
    stop: impl Fn(Asset<'i>) -> bool,
) -> BTreeSet<AssetId> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<Asset<'i>> = Vec::new();
    for start in starts {
        if is_data(start) && reached.insert(start.id()) {
            open.push(start);
        }
    }
    while let Some(asset) = open.pop() {
        for out in asset.outgoing() {
            if let Some(target) = index.by_guid(out.target.guid)
                && is_data(target)
                && !stop(target)
                && reached.insert(target.id())
            {
                open.push(target);
            }
        }
    }
    reached
}

/// Whether an asset can be data of a build.
pub fn is_data(asset: Asset<'_>) -> bool {
    let is_code = matches!(asset.kind(), AssetKind::Script | AssetKind::AsmDef);
    let is_there = asset.root().kind.is_imported() && !asset.flags().contains(Flags::ASSET_MISSING);
    let is_editors = asset.folder().split('/').any(|part| part == "Editor");
    is_there && !is_code && !is_editors && asset.kind() != AssetKind::Folder
}

/// The sizes of assets together.
pub fn weight<'a>(index: &Index, assets: impl IntoIterator<Item = &'a AssetId>) -> u64 {
    assets.into_iter().filter_map(|id| index.asset(*id)).map(Asset::size).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_shares_are_for_people() {
        let sizes = [0, 1023, 1024, 1536, 1_048_575, 1_048_576, 5 << 30].map(human);
        assert_eq!(sizes, ["0 B", "1023 B", "1.0 KB", "1.5 KB", "1.0 MB", "1.0 MB", "5.0 GB"]);
        assert_eq!((percent(1, 3), percent(0, 0), percent(5, 5)), (33.3, 0.0, 100.0));
    }
}
