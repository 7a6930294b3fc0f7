//! Is the script of a component there, and is its class in it?

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{Judge, UNLISTED};
use crate::index::{
    Asset, AssetId, AssetKind, GuidStatus, ObjectEntry, RootKind, may_declare_class,
};
use crate::script::{self, BINDS_BY_CLASS, MAX_SOURCE_BYTES, library_has, main_class, package_has};
use crate::{FileId, Guid, Object, Project};

/// How sure it is that a script is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptGrade {
    /// The reference is null: Unity has lost it.
    Null,
    /// The file is gone: its meta is left, or the Git history had it.
    FileGone,
    /// No asset has the guid, and no package that is not here can have it.
    Unknown,
    /// No asset has the guid, but packages are missing that may have it.
    Undecided,
    /// The file is there, and has no class of its name.
    ClassMissing,
    /// The file is there with one class of another name, which this version of Unity may not take.
    NameDiffers,
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

/// Which of the sources without a class of their name have another that is meant.
#[derive(Default)]
pub(super) struct Classes {
    known: Mutex<HashMap<AssetId, Option<String>>>,
    binds_by_class: OnceLock<bool>,
}

impl<'a> Judge<'a> {
    /// Grade the script of a component or asset. `noted` is what the editor noted of its class,
    /// empty for nothing.
    pub fn script(&self, script: Option<(Guid, FileId)>, noted: &str) -> GradedScript {
        let Some((guid, _)) = script.filter(|(guid, _)| !guid.is_zero()) else {
            return graded(ScriptGrade::Null, "its script is lost");
        };
        let status = self.index.guid_status(guid);
        match (self.grade(guid), status) {
            (ScriptGrade::ClassMissing, GuidStatus::Asset(asset)) => self.class(asset, noted),
            (grade, GuidStatus::Asset(asset)) => graded(grade, asset.path()),
            (grade, GuidStatus::AssetGone(asset)) => {
                graded(grade, format!("its script {} is gone", asset.path()))
            }
            (grade, GuidStatus::AbsentPackage(name)) => {
                graded(grade, format!("in the package {name}"))
            }
            (ScriptGrade::FileGone, _) => {
                let fate = self.fate(guid).unwrap_or_else(|| "it is gone".into());
                graded(ScriptGrade::FileGone, format!("no script has the guid {guid}; {fate}"))
            }
            (ScriptGrade::Undecided, _) => {
                let places = self.unread_places().unwrap_or_default();
                let detail = format!("no script has the guid {guid}; it may be in {places}");
                graded(ScriptGrade::Undecided, detail)
            }
            (ScriptGrade::Present, _) => graded(ScriptGrade::Present, "built in"),
            (grade, _) => graded(grade, format!("no script has the guid {guid}")),
        }
    }

    /// The class of an object as people know it: scripts by the class that they hold.
    pub(crate) fn class_name<'d>(&self, object: Object<'d>) -> Cow<'d, str> {
        script::shown_class(object, &|guid| self.path_of(guid))
    }

    /// The same for an object that the index lists, also in a file that is not open.
    pub(crate) fn class_of_entry(&self, entry: &ObjectEntry) -> Option<Cow<'static, str>> {
        let Some(script) = entry.script else { return entry.class_id.name().map(Cow::Borrowed) };
        let path_of = |guid| self.path_of(guid);
        script::script_class(script.guid, script.file_id, || None, &path_of).map(Cow::Owned)
    }

    /// The name of the asset with a guid, without folder and ending.
    pub(crate) fn asset_name(&self, guid: Guid) -> Option<String> {
        Some(script::stem(self.index.by_guid(guid)?.name()).to_owned())
    }

    fn path_of(&self, guid: Guid) -> Option<String> {
        self.index.by_guid(guid).map(Asset::path)
    }

    /// The grade by the guid alone: a source without a class of its name is not read.
    pub(crate) fn grade(&self, guid: Guid) -> ScriptGrade {
        match self.index.guid_status(guid) {
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
            GuidStatus::Undecided { .. } | GuidStatus::Unknown if library_has(guid.0) => {
                ScriptGrade::Present
            }
            GuidStatus::Undecided { .. } | GuidStatus::Unknown if self.fate(guid).is_some() => {
                ScriptGrade::FileGone
            }
            GuidStatus::Undecided { .. } if self.has_unread_places() => ScriptGrade::Undecided,
            GuidStatus::Undecided { .. } | GuidStatus::Unknown => ScriptGrade::Unknown,
        }
    }

    /// Packages without files here whose scripts no table lists.
    fn unread(&self) -> &[String] {
        self.unread.get_or_init(|| {
            let absent = self.index.absent_packages().map(|package| &*package.name);
            absent.filter(|name| !package_has(name)).map(str::to_owned).collect()
        })
    }

    fn has_unread_places(&self) -> bool {
        let index = self.index;
        !index.lists_packages() || !index.left_out().is_empty() || !self.unread().is_empty()
    }

    /// Where scripts may be that neither a file nor a table names: packages and folders that are not
    /// here. To stand behind `in`; nothing when there are none.
    pub fn unread_places(&self) -> Option<String> {
        let places = [self.unread_packages(), self.left_out()];
        let places: Vec<_> = places.into_iter().flatten().collect();
        (!places.is_empty()).then(|| places.join(", or in "))
    }

    fn unread_packages(&self) -> Option<String> {
        match self.unread() {
            [] => (!self.index.lists_packages()).then(|| UNLISTED.to_owned()),
            [only] => Some(format!("{only}, which is not here")),
            [first, rest @ ..] => {
                Some(format!("{first} or one of {} other packages, which is not here", rest.len()))
            }
        }
    }

    /// A source that has no class of its name.
    fn class(&self, source: Asset<'a>, noted: &str) -> GradedScript {
        if source.kind() != AssetKind::Script || declares_noted(source, noted) {
            return graded(ScriptGrade::Present, source.path());
        }
        let stem = source.name().strip_suffix(".cs").unwrap_or(source.name());
        let path = source.path();
        match self.only_class(source, stem) {
            Some(_) if self.binds_by_class() => graded(ScriptGrade::Present, path),
            Some(class) => graded(
                ScriptGrade::NameDiffers,
                format!(
                    "its script {path} declares {class}; before Unity 6 the file must be called {class}.cs"
                ),
            ),
            None => {
                graded(ScriptGrade::ClassMissing, format!("its script {path} has no class {stem}"))
            }
        }
    }

    /// The only class of a source that a component can be of; read once.
    fn only_class(&self, source: Asset<'a>, stem: &str) -> Option<String> {
        let lock = || self.classes.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&source.id()) {
            return known.clone();
        }
        let is_small = source.size() <= MAX_SOURCE_BYTES as u64;
        let text = is_small.then(|| source.read().ok()).flatten();
        let class = text.and_then(|text| main_class(&String::from_utf8_lossy(&text), stem));
        let class = class.map(|full| script::simple_name(&full).to_owned());
        lock().insert(source.id(), class.clone());
        class
    }

    fn binds_by_class(&self) -> bool {
        *self.classes.binds_by_class.get_or_init(|| {
            let release = Project::open(self.index.root()).ok().and_then(|p| p.version.release());
            release.is_none_or(|release| release >= BINDS_BY_CLASS)
        })
    }
}

/// True when a script declares the class that the editor noted: `Assembly::Space.Class`.
fn declares_noted(source: Asset<'_>, noted: &str) -> bool {
    let class = noted.rsplit([':', '.']).next().unwrap_or("").trim();
    !class.is_empty() && source.read().is_ok_and(|text| may_declare_class(&text, class))
}

fn graded(grade: ScriptGrade, detail: impl Into<String>) -> GradedScript {
    GradedScript { grade, detail: detail.into() }
}
