//! Is a script gone? Five grades, from certain to harmless.

use crate::Guid;
use crate::index::{GuidStatus, Index, RootKind};

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
    /// The file is there, and has no class of its name.
    ClassMissing,
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
    let Some(guid) = guid.filter(|guid| !guid.is_zero()) else {
        let detail = "its script is lost".to_owned();
        return GradedScript { grade: ScriptGrade::Null, detail };
    };
    let status = index.guid_status(guid);
    let grade = grade_of(&status);
    let detail = match status {
        GuidStatus::Asset(asset) if grade == ScriptGrade::ClassMissing => {
            let stem = asset.name().strip_suffix(".cs").unwrap_or(asset.name());
            format!("its script {} has no class {stem}", asset.path())
        }
        GuidStatus::Asset(asset) => asset.path(),
        GuidStatus::AssetGone(asset) => format!("its script {} is gone", asset.path()),
        GuidStatus::BuiltIn => "built in".to_owned(),
        GuidStatus::AbsentPackage(package) => format!("in the package {package}"),
        GuidStatus::Undecided { absent } => format!(
            "no script has the guid {guid}; it may be in one of {absent} packages that are not here"
        ),
        GuidStatus::Unknown => format!("no script has the guid {guid}"),
    };
    GradedScript { grade, detail }
}

/// The grade of a script whose guid has this status.
pub(super) fn grade_of(status: &GuidStatus<'_>) -> ScriptGrade {
    match status {
        // Unity compiled its own copies of packages; their files may be cut down.
        GuidStatus::Asset(asset)
            if asset.lacks_class() && asset.root().kind != RootKind::Cached =>
        {
            ScriptGrade::ClassMissing
        }
        GuidStatus::Asset(_) | GuidStatus::BuiltIn | GuidStatus::AbsentPackage(_) => {
            ScriptGrade::Present
        }
        GuidStatus::AssetGone(_) => ScriptGrade::FileGone,
        GuidStatus::Undecided { .. } => ScriptGrade::Undecided,
        GuidStatus::Unknown => ScriptGrade::Unknown,
    }
}
