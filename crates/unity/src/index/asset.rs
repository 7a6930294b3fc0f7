//! One asset of a snapshot, as readers see it. The tables behind it are in `segment`.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use scenewright_text::{beneath, links};

use super::roots::home;
use super::segment::{LinkRow, NO_SCRIPT, ObjectRow, Record, STRIPPED, Segment, Stat, Traits};
use super::{AssetKind, Index, Package, Root, order};
use crate::parts::read_file;
use crate::{ClassId, Document, DocumentKind, FileId, Guid};

/// The place of an asset in the path order of one snapshot. Another snapshot numbers anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetId(pub u32);

/// One file or folder of a project, with its meta.
#[derive(Clone, Copy)]
pub struct Asset<'a> {
    pub(super) index: &'a Index,
    pub(super) id: AssetId,
    pub(super) segment: &'a Segment,
    pub(super) slot: usize,
}

/// An object of a text asset, by its header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObjectEntry {
    /// The identity in the file.
    pub file_id: FileId,
    /// The native class.
    pub class_id: ClassId,
    /// True when it stands for an object inside a prefab instance.
    pub stripped: bool,
    /// The script of a MonoBehaviour; nothing for `{fileID: 0}` and for stripped ones.
    pub script: Option<Target>,
    /// The prefab of a PrefabInstance.
    pub prefab: Option<Target>,
    /// The object of a prefab that a stripped object of a scene or prefab stands for.
    pub stands_for: Option<Target>,
}

/// An object of another asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// The asset.
    pub guid: Guid,
    /// The object in it; [`FileId::NULL`] where a file names the asset alone, as Addressables do.
    pub file_id: FileId,
}

/// A reference from an asset or its meta to another asset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// What it points to.
    pub target: Target,
    /// How often it occurs.
    pub count: u32,
}

impl<'a> Asset<'a> {
    /// Its place in the snapshot.
    pub fn id(self) -> AssetId {
        self.id
    }

    /// The path from the project root, with `/`. Files of a package outside of the project start
    /// with `..`, or with the root of another drive.
    pub fn path(self) -> String {
        order::join(self.folder(), self.name())
    }

    /// The path of the folder it is in.
    pub fn folder(self) -> &'a str {
        &self.index.folders[self.record().folder as usize].path
    }

    /// The last part of the path.
    pub fn name(self) -> &'a str {
        self.segment.name(self.record())
    }

    /// The path to open the file with. Fails when a link on the way to it leaves the project.
    pub fn disk_path(self) -> io::Result<PathBuf> {
        self.inside(self.path())
    }

    /// The same for its meta.
    pub fn meta_path(self) -> io::Result<PathBuf> {
        self.inside(self.path() + ".meta")
    }

    /// The bytes of the file, unless it is outside of the project.
    pub fn read(self) -> io::Result<Vec<u8>> {
        let planned = &self.index.planned;
        if !planned.is_empty()
            && let Some(content) = planned.get(&self.path())
        {
            return content.clone().ok_or_else(|| io::ErrorKind::NotFound.into());
        }
        let project = self.index.root();
        read_file(&self.home(), &project.join(self.path()))
            .map_err(|error| self.without_file(error))
    }

    /// Why a file cannot be read of which only the meta is there.
    fn without_file(self, error: io::Error) -> io::Error {
        let is_gone =
            error.kind() == io::ErrorKind::NotFound && self.record().meta != Stat::default();
        if is_gone { io::Error::new(error.kind(), "only its .meta is there") } else { error }
    }

    /// The file, open to be read.
    pub fn open(self) -> io::Result<File> {
        let opened = beneath::open(&self.home(), &self.index.root().join(self.path()));
        opened.map_err(|error| self.without_file(error))
    }

    /// The bytes of its meta, unless that is outside of the project.
    pub fn read_meta(self) -> io::Result<Vec<u8>> {
        beneath::read(&self.home(), &self.index.root().join(self.path() + ".meta"))
    }

    /// The same when it has `most` bytes or fewer.
    pub(crate) fn read_meta_up_to(self, most: u64) -> io::Result<Vec<u8>> {
        beneath::read_up_to(&self.home(), &self.index.root().join(self.path() + ".meta"), most)
    }

    /// Whether it is a folder, as the disk has it now.
    pub fn is_folder_now(self) -> io::Result<bool> {
        match beneath::list(&self.home(), &self.index.root().join(self.path())) {
            Ok(_) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// What its tree is in: the project, or a package elsewhere.
    fn home(self) -> PathBuf {
        home(self.index.root(), &self.root().path)
    }

    /// What the file says, also when it is binary; only to be read. See [`Document::of_file`].
    pub fn document(self) -> io::Result<Document> {
        self.read().map(Document::of_file)
    }

    fn inside(self, path: String) -> io::Result<PathBuf> {
        let project = self.index.root();
        let path = project.join(path);
        links::check_inside(&self.home(), &path)?;
        Ok(path)
    }

    /// The path as Unity writes it: files of packages are under `Packages/<package name>`.
    pub fn unity_path(self) -> String {
        let path = self.path();
        let package = self.package();
        match package.and_then(|package| Some((package, path.strip_prefix(&*self.root().path)?))) {
            Some((package, rest)) => format!("Packages/{}{rest}", package.name),
            None => path,
        }
    }

    /// The folder tree it belongs to.
    pub fn root(self) -> &'a Root {
        &self.index.roots()[usize::from(self.index.folders[self.record().folder as usize].root)]
    }

    /// The package it belongs to.
    pub fn package(self) -> Option<&'a Package> {
        self.index.package(self.root().package.as_deref()?)
    }

    /// The guid of its meta.
    pub fn guid(self) -> Option<Guid> {
        Some(self.record().guid).filter(|guid| !guid.is_zero())
    }

    /// The importer its meta names, such as `TextureImporter`.
    pub fn importer(self) -> Option<&'a str> {
        Some(self.segment.string(self.record().importer)).filter(|name| !name.is_empty())
    }

    /// What it is.
    pub fn kind(self) -> AssetKind {
        self.record().kind
    }

    /// What its content is, for the files that were read.
    pub fn content(self) -> Option<DocumentKind> {
        self.record().content
    }

    /// The size of the file; 0 for folders and missing files.
    pub fn size(self) -> u64 {
        self.record().file.size
    }

    /// When the file was written; nothing for folders and missing files.
    pub fn modified(self) -> Option<SystemTime> {
        self.record().file.time()
    }

    /// When its meta was written.
    pub fn meta_modified(self) -> Option<SystemTime> {
        self.record().meta.time()
    }

    /// What is special about it.
    pub fn flags(self) -> Flags {
        let flags = self.record().flags.without(Flags::RACY);
        match self.index.duplicates.binary_search(&self.id.0) {
            Ok(_) => flags.with(Flags::DUPLICATE_GUID),
            Err(_) => flags,
        }
    }

    /// Why it could not be read.
    pub fn note(self) -> Option<&'a str> {
        Some(self.segment.string(self.record().note)).filter(|note| !note.is_empty())
    }

    /// The class of the main object: SceneAsset for scenes, GameObject for prefabs.
    pub fn main_class(self) -> Option<ClassId> {
        Some(ClassId(self.record().main_class)).filter(|class| class.0 != 0)
    }

    /// The name of that class, as the file has it when it is not a known one.
    pub fn main_class_name(self) -> Option<&'a str> {
        let text = self.segment.string(self.record().class_name);
        self.main_class()?.name().or(Some(text).filter(|text| !text.is_empty()))
    }

    /// The script of a ScriptableObject.
    pub fn main_script(self) -> Option<Target> {
        let row = self.segment.objects(self.slot).get(self.record().main as usize)?;
        self.object(row).script
    }

    /// The instances of prefabs in it: the id of each, and its prefab. Of a scene with thousands of objects few are one.
    pub(crate) fn instances(self) -> impl Iterator<Item = (FileId, Target)> + 'a {
        let rows = self.segment.objects(self.slot).iter();
        let instances = rows.filter(|row| row.class == ClassId::PREFAB_INSTANCE.0);
        instances.filter_map(move |row| {
            let object = self.object(row);
            Some((object.file_id, object.prefab?))
        })
    }

    /// The objects of a text asset, by file id.
    pub fn objects(self) -> impl ExactSizeIterator<Item = ObjectEntry> + DoubleEndedIterator + 'a {
        self.segment.objects(self.slot).iter().map(move |row| self.object(row))
    }

    /// The object of this id.
    pub fn find_object(self, id: FileId) -> Option<ObjectEntry> {
        let rows = self.segment.objects(self.slot);
        let row = rows.get(rows.partition_point(|row| row.file_id < id.0))?;
        (row.file_id == id.0).then(|| self.object(row))
    }

    /// The references to other assets, those of its meta included, by guid and file id.
    pub fn outgoing(self) -> impl ExactSizeIterator<Item = Outgoing> + DoubleEndedIterator + 'a {
        let links = self.segment.links(self.slot).iter();
        links.map(move |link| Outgoing { target: self.target(link), count: link.count })
    }

    /// The references to one other asset, by file id.
    pub fn outgoing_to(self, guid: Guid) -> impl Iterator<Item = Outgoing> + 'a {
        let links = self.segment.links(self.slot);
        let start = links.partition_point(|link| self.segment.target(link) < guid);
        let same = links[start..].iter().map(move |link| (self.target(link), link.count));
        same.take_while(move |(target, _)| target.guid == guid)
            .map(|(target, count)| Outgoing { target, count })
    }

    /// The scripts of its MonoBehaviours, each once.
    pub fn scripts(self) -> Vec<Target> {
        let mut scripts: Vec<_> = self.objects().filter_map(|object| object.script).collect();
        scripts.sort_unstable();
        scripts.dedup();
        scripts
    }

    pub(super) fn record(self) -> &'a Record {
        &self.segment.records[self.slot]
    }

    fn object(self, row: &ObjectRow) -> ObjectEntry {
        let place = row.script & !STRIPPED;
        let link = self.segment.links(self.slot).get(place as usize);
        let target = link.filter(|_| place != NO_SCRIPT).map(|link| self.target(link));
        let class_id = ClassId(row.class);
        let stripped = row.script & STRIPPED != 0;
        let is_instance = class_id == ClassId::PREFAB_INSTANCE;
        ObjectEntry {
            file_id: FileId(row.file_id),
            class_id,
            stripped,
            script: target.filter(|_| !is_instance && !stripped),
            prefab: target.filter(|_| is_instance && !stripped),
            stands_for: target.filter(|_| stripped),
        }
    }

    /// True for a scene or prefab whose objects agree with each other and whose references inside
    /// the file all lead to an object. False says nothing: the file may only be unusual.
    pub fn is_sound(self) -> bool {
        self.record().traits.has(Traits::SOUND)
    }

    /// True when one of its prefab instances lacks objects or components of the prefab.
    pub fn removes_objects(self) -> bool {
        self.record().traits.has(Traits::REMOVES)
    }

    /// True when its stripped objects do not all have the id that the rule of nested prefabs gives.
    pub fn has_free_ids(self) -> bool {
        self.record().traits.has(Traits::FREE_IDS)
    }

    /// True for a script that declares no class of its file's name.
    pub fn lacks_class(self) -> bool {
        self.record().traits.has(Traits::NO_CLASS)
    }

    /// False for a meta whose asset is gone.
    pub fn is_there(self) -> bool {
        !self.flags().contains(Flags::ASSET_MISSING)
    }

    /// True for an asset that refers to an object of its own which it does not have. Scenes and
    /// prefabs are not [sound](Self::is_sound) then.
    pub(crate) fn dangles(self) -> bool {
        self.record().traits.has(Traits::DANGLES)
    }

    /// True when it may refer to an object of a class that the field does not take.
    pub(crate) fn is_amiss(self) -> bool {
        self.record().traits.has(Traits::MISFIT)
    }

    /// True when it overrides fields of prefabs that no native class has.
    pub(crate) fn has_foreign_overrides(self) -> bool {
        self.record().traits.has(Traits::FOREIGN)
    }

    fn target(self, link: &LinkRow) -> Target {
        Target { guid: self.segment.target(link), file_id: FileId(link.file_id) }
    }
}

impl fmt::Debug for Asset<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:?} {}", self.path(), self.kind(), self.flags())
    }
}

impl Stat {
    fn time(self) -> Option<SystemTime> {
        let nanoseconds = Duration::from_nanos(self.modified.unsigned_abs());
        match self.modified {
            0 => None,
            1.. => SystemTime::UNIX_EPOCH.checked_add(nanoseconds),
            _ => SystemTime::UNIX_EPOCH.checked_sub(nanoseconds),
        }
    }
}

/// What is special about an asset; any combination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Flags(pub(super) u16);

impl Flags {
    /// Unity would write a meta when it next opens.
    pub const META_MISSING: Flags = Flags(1);
    /// There is a meta and nothing it belongs to.
    pub const ASSET_MISSING: Flags = Flags(1 << 1);
    /// The file has unresolved conflict markers.
    pub const CONFLICT: Flags = Flags(1 << 2);
    /// The meta has unresolved conflict markers.
    pub const META_CONFLICT: Flags = Flags(1 << 3);
    /// Git LFS has the content and it was not fetched.
    pub const LFS_POINTER: Flags = Flags(1 << 4);
    /// Unity's objects in binary form.
    pub const BINARY: Flags = Flags(1 << 5);
    /// The file or its meta could not be read; the note says why.
    pub const UNREADABLE: Flags = Flags(1 << 6);
    /// The file is too large to be read.
    pub const TOO_LARGE: Flags = Flags(1 << 7);
    /// Another asset has the same guid.
    pub const DUPLICATE_GUID: Flags = Flags(1 << 8);
    /// The meta has no guid.
    pub const NO_GUID: Flags = Flags(1 << 9);
    /// Written so shortly before it was read that a later write may have left the same time.
    pub(super) const RACY: Flags = Flags(1 << 15);

    const NAMES: [&str; 10] = [
        "meta missing",
        "asset missing",
        "conflict",
        "meta conflict",
        "lfs pointer",
        "binary",
        "unreadable",
        "too large",
        "duplicate guid",
        "no guid",
    ];

    /// True when all of `flags` are set.
    pub fn contains(self, flags: Flags) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// True when nothing is special.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The names of the flags.
    pub fn names(self) -> impl Iterator<Item = &'static str> {
        let names = Flags::NAMES.iter().enumerate();
        names.filter(move |(bit, _)| self.0 & 1 << bit != 0).map(|(_, name)| *name)
    }

    pub(super) fn with(self, flags: Flags) -> Flags {
        Flags(self.0 | flags.0)
    }

    pub(crate) fn without(self, flags: Flags) -> Flags {
        Flags(self.0 & !flags.0)
    }
}

impl fmt::Display for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().collect::<Vec<_>>().join(", "))
    }
}
