//! Whether what a file refers to is there: one answer for the check, the tools and the world.
//!
//! There are three grades. *Wrong* is what Unity shows as missing, for certain. *Unknown* is what
//! the files that are here cannot tell, with what would be needed. All else is fine. Only the first
//! is ever an error.

mod imported;
mod script;

pub use script::{GradedScript, ScriptGrade};

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::index::{Asset, AssetId, AssetKind, Flags, GuidStatus, Index, ObjectEntry};
use crate::{ClassId, DocumentKind, FileId, Guid, types};
use imported::Imported;

/// What can be said of a reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It leads to something.
    Fine,
    /// The files that are here cannot tell; why, as a sentence without a full stop.
    Unknown(String),
    /// It leads nowhere, for certain; why, as a sentence without a full stop.
    Wrong(String),
}

impl Verdict {
    /// Why it is wrong, if it is.
    pub fn wrong(self) -> Option<String> {
        match self {
            Verdict::Wrong(why) => Some(why),
            Verdict::Fine | Verdict::Unknown(_) => None,
        }
    }
}

/// Where a guid leads.
#[derive(Clone, Copy)]
pub(crate) enum Lead {
    /// To nothing, for certain.
    Nowhere,
    /// To an asset that has or lacks the object.
    To(AssetId),
    /// To something that is not here, or that cannot be told.
    Somewhere,
}

/// Whether an object is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Presence {
    There,
    Absent,
    Unknown,
}

/// A folder, a scene or another file as a whole.
const DEFAULT_ASSET: i64 = 102900000;
/// How many steps are taken through nested prefabs for one object.
const MAX_STEPS: usize = 100_000;
const MAX_NESTING: usize = crate::hierarchy::MAX_NESTING;
/// Where what is not found may be when nothing tells which packages a project has.
const UNLISTED: &str = "a package, and Packages/manifest.json, which names them, is not here";

/// Judges the references of one snapshot, from several threads. What was read of metas is kept.
pub struct Judge<'a> {
    index: &'a Index,
    imported: Mutex<HashMap<AssetId, Arc<Imported>>>,
    classes: script::Classes,
    /// Packages without files here whose scripts no table lists.
    unread: OnceLock<Vec<String>>,
}

impl<'a> Judge<'a> {
    /// A judge of what an index has.
    pub fn new(index: &'a Index) -> Judge<'a> {
        let (imported, classes, unread) = Default::default();
        Judge { index, imported, classes, unread }
    }

    /// The snapshot that is judged.
    pub fn index(&self) -> &'a Index {
        self.index
    }

    /// Why an object of an asset is certainly not there, if so; nothing is put into words otherwise.
    pub fn wrong(&self, guid: Guid, id: FileId) -> Option<String> {
        if self.may_be_there(self.lead(guid), id) { None } else { self.reference(guid, id).wrong() }
    }

    /// False when a guid leads to something that certainly lacks the object.
    pub(crate) fn may_be_there(&self, lead: Lead, id: FileId) -> bool {
        match lead {
            Lead::To(asset) => self.index.asset(asset).is_none_or(|asset| {
                self.presence(asset, id, &mut MAX_STEPS.clone()) != Presence::Absent
            }),
            Lead::Nowhere => false,
            Lead::Somewhere => true,
        }
    }

    /// Where a guid leads, without words.
    pub(crate) fn lead(&self, guid: Guid) -> Lead {
        match self.index.guid_status(guid) {
            GuidStatus::Asset(asset) => Lead::To(asset.id()),
            GuidStatus::AssetGone(_) | GuidStatus::Unknown => Lead::Nowhere,
            GuidStatus::Undecided { .. } if self.fate(guid).is_some() => Lead::Nowhere,
            _ => Lead::Somewhere,
        }
    }

    /// Whether an object of an asset is there. For scripts of components see [`script`](Self::script).
    pub fn reference(&self, guid: Guid, id: FileId) -> Verdict {
        let status = self.index.guid_status(guid);
        if matches!(status, GuidStatus::Undecided { .. } | GuidStatus::Unknown)
            && let Some(fate) = self.fate(guid)
        {
            return Verdict::Wrong(format!("no asset has the guid {guid}; {fate}"));
        }
        match status {
            GuidStatus::BuiltIn => Verdict::Fine,
            GuidStatus::Asset(asset) => self.object(asset, id),
            GuidStatus::AssetGone(asset) => Verdict::Wrong(format!("{} is gone", asset.path())),
            GuidStatus::AbsentPackage(name) => {
                Verdict::Unknown(format!("it is in the package {name}, whose files are not here"))
            }
            GuidStatus::Undecided { absent } => {
                let packages = match absent {
                    0 => (!self.index.lists_packages()).then(|| UNLISTED.to_owned()),
                    1 => Some("a package that is not here".to_owned()),
                    _ => Some(format!("one of {absent} packages that are not here")),
                };
                let places: Vec<_> = packages.into_iter().chain(self.left_out()).collect();
                let places = places.join(", or in ");
                Verdict::Unknown(format!("no asset has the guid {guid}; it may be in {places}"))
            }
            GuidStatus::Unknown => Verdict::Wrong(format!("no asset has the guid {guid}")),
        }
    }

    /// The places that version control leaves out and that are not here, to stand behind `in`.
    fn left_out(&self) -> Option<String> {
        match self.index.left_out() {
            [] => None,
            [only] => Some(format!("{only}, which .gitignore leaves out and which is not here")),
            [first, rest @ ..] => Some(format!(
                "{first} or {} other places that .gitignore leaves out and that are not here",
                rest.len()
            )),
        }
    }

    /// What became of the file that had a guid which no file has now, if the history tells. Then it
    /// is in no package either.
    pub(crate) fn fate(&self, guid: Guid) -> Option<Arc<str>> {
        self.index.fate(guid)
    }

    /// The native class of an object of an asset whose id tells it, as those of main objects do.
    /// Others are left alone: what the index does not notice must not depend on who else asks.
    pub fn native_class(&self, guid: Guid, id: FileId) -> Option<ClassId> {
        let told = types::class_of_id(id)?;
        let GuidStatus::Asset(asset) = self.index.guid_status(guid) else { return None };
        let agrees = asset.find_object(id).is_none_or(|object| object.class_id == told);
        agrees.then_some(told)
    }

    fn object(&self, asset: Asset<'a>, id: FileId) -> Verdict {
        match self.presence(asset, id, &mut MAX_STEPS.clone()) {
            Presence::There => Verdict::Fine,
            Presence::Unknown => {
                Verdict::Unknown(format!("what is in {} is not known here", asset.path()))
            }
            Presence::Absent => {
                let class = types::class_of_id(id).and_then(ClassId::name).unwrap_or("object");
                Verdict::Wrong(format!("{} has no {class} {id}", asset.path()))
            }
        }
    }

    /// Whether an importer certainly makes an object of this id of a file that is here.
    pub(crate) fn makes(&self, asset: Asset<'a>, id: FileId) -> bool {
        let absent = [Flags::ASSET_MISSING, Flags::LFS_POINTER, Flags::UNREADABLE];
        !absent.iter().any(|flag| asset.flags().contains(*flag)) && self.imported(asset).makes(id)
    }

    /// Whether an asset has an object. Each step through nested prefabs is taken from `steps`.
    pub(crate) fn presence(&self, asset: Asset<'a>, id: FileId, steps: &mut usize) -> Presence {
        let flags = asset.flags();
        let is_whole = id == FileId::PREFAB || matches!(id.0, DEFAULT_ASSET | 0);
        if is_whole || asset.find_object(id).is_some() {
            return Presence::There;
        }
        match asset.kind() {
            AssetKind::Texture | AssetKind::Model if Imported::may_tell(asset.kind(), id) => {
                self.imported(asset).presence(id)
            }
            AssetKind::Prefab if is_native(asset) => match self.has(asset, id.0, 0, steps) {
                Some(true) => Presence::There,
                Some(false) => Presence::Absent,
                None => Presence::Unknown,
            },
            AssetKind::Material | AssetKind::Animation | AssetKind::Asset
                if is_native(asset) && flags.without(Flags::BINARY).is_empty() =>
            {
                Presence::Absent
            }
            _ => Presence::Unknown,
        }
    }

    /// Whether a prefab or one inside it has an object of this id; nothing when that takes too long
    /// or a prefab on the way cannot be read.
    fn has(&self, prefab: Asset<'a>, id: i64, depth: usize, steps: &mut usize) -> Option<bool> {
        *steps = steps.checked_sub(1)?;
        if prefab.find_object(FileId(id)).is_some() {
            return Some(true);
        }
        if id < 0 || depth >= MAX_NESTING {
            return Some(false);
        }
        *steps = steps.checked_sub(prefab.objects().len() / 8)?;
        for (instance, target) in prefab.instances() {
            let inner = self.index.by_guid(target.guid)?;
            if inner.kind() != AssetKind::Prefab || !is_native(inner) {
                return None;
            }
            // The rule of nested prefabs loses the sign.
            let plain = (instance.0 ^ id) & i64::MAX;
            if self.has(inner, plain, depth + 1, steps)?
                || self.has(inner, plain | i64::MIN, depth + 1, steps)?
            {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The object that an id of a prefab stands for, however deep inside; nothing when that is not
    /// certain.
    pub(crate) fn object_of(&self, prefab: Guid, id: FileId) -> Option<ObjectEntry> {
        let prefab = self.index.by_guid(prefab)?;
        self.entry(prefab, id, 0, &mut MAX_STEPS.clone())
    }

    fn entry(
        &self,
        prefab: Asset<'a>,
        id: FileId,
        depth: usize,
        steps: &mut usize,
    ) -> Option<ObjectEntry> {
        *steps = steps.checked_sub(1 + prefab.objects().len() / 8)?;
        let is_usual = prefab.kind() == AssetKind::Prefab && is_native(prefab);
        (is_usual && depth < MAX_NESTING).then_some(())?;
        if let Some(object) = prefab.find_object(id) {
            return match object.stands_for {
                Some(inner) => {
                    self.entry(self.index.by_guid(inner.guid)?, inner.file_id, depth + 1, steps)
                }
                None => Some(object).filter(|object| !object.stripped),
            };
        }
        prefab.instances().find_map(|(instance, target)| {
            let inner = self.index.by_guid(target.guid)?;
            let plain = (instance.0 ^ id.0) & i64::MAX;
            let ids = [plain, plain | i64::MIN].map(FileId);
            ids.into_iter().find_map(|id| self.entry(inner, id, depth + 1, steps))
        })
    }

    fn imported(&self, asset: Asset<'a>) -> Arc<Imported> {
        let lock = || self.imported.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&asset.id()) {
            return known.clone();
        }
        let read = Arc::new(Imported::read(asset));
        lock().entry(asset.id()).or_insert(read).clone()
    }
}

/// True when the objects of the file are those of the asset, as no importer makes others of them.
fn is_native(asset: Asset<'_>) -> bool {
    let is_read = match asset.content() {
        Some(DocumentKind::UnityYaml) => true,
        Some(DocumentKind::SerializedFile) => asset.objects().len() > 0,
        _ => false,
    };
    let is_whole = !asset.flags().contains(Flags::ASSET_MISSING);
    is_read
        && is_whole
        && matches!(asset.importer(), Some("NativeFormatImporter" | "PrefabImporter"))
}
