//! What is wrong with the files of a project as files: metas, guids, links. References are for
//! `check` to judge.

use scenewright_text::{Ignored, links};

use super::{Asset, AssetId, Flags, Index, RootKind};
use crate::Serialization;

/// Something about the files of a project that Unity would stumble over or that keeps this index
/// from knowing them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexProblem {
    /// The file, as a path from the project root.
    pub path: String,
    /// What it is.
    pub kind: ProblemKind,
    /// The line, from 1.
    pub line: Option<u32>,
    /// The asset, for problems of one.
    pub asset: Option<AssetId>,
    /// The error, the other path of a duplicate guid, or the target of a link.
    pub detail: String,
}

/// The kinds of problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProblemKind {
    /// Two assets have one guid.
    DuplicateGuid,
    /// A meta without the asset it belongs to.
    MetaWithoutAsset,
    /// An asset without a meta.
    AssetWithoutMeta,
    /// A meta without a guid.
    MetaWithoutGuid,
    /// Conflict markers.
    MergeConflict,
    /// Git LFS has the content and it was not fetched.
    LfsPointer,
    /// A binary asset in a project that forces text. Unity itself keeps some data binary.
    BinaryUnderForceText,
    /// The system refused to read it.
    Unreadable,
    /// Too large to be read.
    TooLarge,
    /// Folders nested too deep to be walked.
    TooDeep,
    /// A link to a folder that it is in.
    LinkLoop,
    /// A link that leaves the project. It is not followed.
    LinkOutside,
}

impl Index {
    /// All problems, by path.
    pub fn problems(&self) -> Vec<IndexProblem> {
        let mut problems = self.walk_problems.clone();
        let mut ignored = Ignored::new(self.root());
        for (segment, number) in self.segments.iter().zip(0..) {
            let slots = segment.flagged().iter();
            for asset in slots.filter_map(|slot| self.asset_of(number, *slot as usize)) {
                self.add_problems(asset, &mut ignored, &mut problems);
            }
        }
        for number in &*self.duplicates {
            self.add_duplicate(self.at(*number as usize), &mut problems);
        }
        problems.sort_by(|one, two| {
            super::order::compare(&one.path, &two.path).then_with(|| one.cmp(two))
        });
        problems
    }

    fn add_problems(
        &self,
        asset: Asset<'_>,
        ignored: &mut Ignored<'_>,
        problems: &mut Vec<IndexProblem>,
    ) {
        let flags = asset.record().flags;
        let (line, note) = (asset.record().line, asset.note().unwrap_or(""));
        let line = Some(line).filter(|line| *line > 0);
        let mut add = |kind, is_meta: bool, line, detail: &str| {
            let path = asset.path() + if is_meta { ".meta" } else { "" };
            let detail = detail.to_owned();
            problems.push(IndexProblem { path, kind, line, asset: Some(asset.id()), detail });
        };
        // Unity ignores what its own copies of packages lack.
        let is_own = asset.root().kind != RootKind::Cached;
        // What this program puts beside a package's own files is not one of them.
        let is_ours = asset.root().path.is_empty() && asset.name().starts_with("scenewright");
        // Git keeps no empty folders, so that their metas stay behind.
        let is_folder = asset.kind() == super::AssetKind::Folder;
        let forces_text = self.serialization() == Serialization::Text;
        for (flag, applies, kind, is_meta) in [
            (Flags::META_MISSING, is_own && !is_ours, ProblemKind::AssetWithoutMeta, false),
            (Flags::ASSET_MISSING, is_own && !is_folder, ProblemKind::MetaWithoutAsset, true),
            (Flags::NO_GUID, true, ProblemKind::MetaWithoutGuid, true),
            (Flags::LFS_POINTER, true, ProblemKind::LfsPointer, false),
            (Flags::BINARY, forces_text, ProblemKind::BinaryUnderForceText, false),
            (Flags::UNREADABLE, true, ProblemKind::Unreadable, false),
            (Flags::TOO_LARGE, true, ProblemKind::TooLarge, false),
        ] {
            // Nobody else has a file that is left out, and no meta could be added that is.
            let mut is_left_out = |path: &str| {
                ignored.has(path, is_folder) || ignored.has(&format!("{path}.meta"), false)
            };
            if applies && flags.contains(flag) {
                if kind == ProblemKind::AssetWithoutMeta && is_left_out(&asset.path()) {
                    continue;
                }
                match kind {
                    ProblemKind::Unreadable if note == links::LEAVES => {
                        add(ProblemKind::LinkOutside, is_meta, None, "");
                    }
                    ProblemKind::Unreadable => add(kind, is_meta, None, note),
                    _ => add(kind, is_meta, None, ""),
                }
            }
        }
        if flags.contains(Flags::CONFLICT) {
            add(ProblemKind::MergeConflict, false, line, "");
        }
        if flags.contains(Flags::META_CONFLICT) {
            let line = line.filter(|_| !flags.contains(Flags::CONFLICT));
            add(ProblemKind::MergeConflict, true, line, "");
        }
    }

    fn add_duplicate(&self, asset: Asset<'_>, problems: &mut Vec<IndexProblem>) {
        let guid = asset.guid().unwrap_or_default();
        let others = self.all_with_guid(guid).filter(|other| other.id() != asset.id());
        let paths: Vec<_> = others.take(4).map(Asset::path).collect();
        problems.push(IndexProblem {
            path: asset.path() + ".meta",
            kind: ProblemKind::DuplicateGuid,
            line: None,
            asset: Some(asset.id()),
            detail: paths.join(", "),
        });
    }
}
