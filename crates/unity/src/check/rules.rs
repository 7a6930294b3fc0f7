//! Is a script gone? Five grades, from certain to harmless.

use crate::Guid;
use crate::index::{GuidStatus, Index};

/// How sure it is that a script is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptGrade {
    /// The reference is null: Unity has lost it.
    Null,
    /// Its meta is there and the file is gone.
    FileGone,
    /// No asset has the guid, and all packages are here to look in.
    Unknown,
    /// No asset has the guid, but packages are missing that may have it.
    Undecided,
    /// It is there.
    Present,
}

/// A grade and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedScript {
    /// How sure it is.
    pub grade: ScriptGrade,
    /// What was found, for people.
    pub detail: String,
}

/// Grade a script reference. `None` is the null reference.
pub fn grade(index: &Index, guid: Option<Guid>) -> GradedScript {
    let graded = |grade, detail: String| GradedScript { grade, detail };
    let Some(guid) = guid.filter(|guid| !guid.is_zero()) else {
        return graded(ScriptGrade::Null, "its script is lost".to_owned());
    };
    match index.guid_status(guid) {
        GuidStatus::Asset(asset) => graded(ScriptGrade::Present, asset.path()),
        GuidStatus::AssetGone(asset) => {
            graded(ScriptGrade::FileGone, format!("its script {} is gone", asset.path()))
        }
        GuidStatus::BuiltIn => graded(ScriptGrade::Present, "built in".to_owned()),
        GuidStatus::AbsentPackage(package) => {
            graded(ScriptGrade::Present, format!("in the package {package}"))
        }
        GuidStatus::Undecided { absent } => graded(
            ScriptGrade::Undecided,
            format!(
                "no script has the guid {guid}; it may be in one of {absent} packages that are not here"
            ),
        ),
        GuidStatus::Unknown => {
            graded(ScriptGrade::Unknown, format!("no script has the guid {guid}"))
        }
    }
}
