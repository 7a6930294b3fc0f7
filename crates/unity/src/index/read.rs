//! One asset with its meta, read into a draft of its row. Opening files is what an index costs, so
//! none is read further than its kind needs.

use std::io;
use std::path::Path;

use memchr::memmem;

use super::buffer::Buffer;
use super::kind::{self, Reading};
use super::os::Dir;
use super::overrides::foreign_overrides;
use super::planned::{Opened, Planned};
use super::recent::{Base, Recent};
use super::roots::home;
use super::seen::Seen;
use super::segment::{Draft, NO_SCRIPT, NONE, ObjectRow, STRIPPED, Stat, Traits, index};
use super::walk::{FoundFile, FoundFolder, Presence};
use super::{AssetKind, Flags, Root, script};
use crate::binary::{BinaryFile, Detail};
use crate::{ClassId, Document, DocumentKind, Guid, Header, scan_guid, scan_references};

/// Larger files are not read; a scene of this size does not open in Unity either.
const MAX_BYTES: u64 = 512 << 20;
/// The most text that the references of a binary file may take.
const MAX_OUTLINE: usize = 64 << 20;
const MAX_META_BYTES: u64 = 64 << 20;
/// A script of more bytes is generated and no component.
const MAX_SCRIPT_BYTES: u64 = 4 << 20;
/// How much of a meta is read first: guid and importer stand at its start.
const META_START: u64 = 4096;
/// Git LFS pointers have about 130 bytes.
const MAX_POINTER: u64 = 1024;
/// The coarsest clock of a file system in use (FAT), in nanoseconds.
const CLOCK_STEP: i64 = 2_000_000_000;

/// Reads assets, one after the other.
pub(super) struct Reader<'a> {
    root: &'a Path,
    /// The trees that the folders are in.
    trees: &'a [Root],
    /// The number of the folder before, and that folder; files come folder by folder.
    folder: Option<(u32, Dir)>,
    /// The time the work began.
    now: i64,
    buffer: Buffer,
    /// The objects and references of the asset at hand.
    seen: Seen,
    /// The name of the meta at hand.
    meta: String,
    /// What was read of the asset at hand.
    draft: Draft,
    /// Files that are not as on the disk.
    planned: &'a Planned,
    /// The path of the folder at hand, where some are.
    place: String,
    /// The large file that was read last, where files are read again.
    recent: Option<&'a Recent>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(
        root: &'a Path,
        trees: &'a [Root],
        now: i64,
        planned: &'a Planned,
    ) -> Reader<'a> {
        let (buffer, seen, folder) = (Buffer::default(), Seen::new(), None);
        let (meta, draft, place) = (String::new(), Draft::default(), String::new());
        Reader { root, trees, folder, now, buffer, seen, meta, draft, planned, place, recent: None }
    }

    /// Lets it look at what is known of a large file, and keep the next one.
    pub(super) fn with_recent(self, recent: &'a Recent) -> Reader<'a> {
        Reader { recent: Some(recent), ..self }
    }

    pub(super) fn read(
        &mut self,
        folder: &FoundFolder,
        file: &FoundFile,
        number: u32,
        is_imported: bool,
    ) -> &Draft {
        // Taken out and put back, so that all of it is used again.
        let mut draft = std::mem::take(&mut self.draft);
        self.fill(&mut draft, folder, file, number, is_imported);
        self.draft = draft;
        &self.draft
    }

    fn open_folder(&self, folder: &FoundFolder) -> Dir {
        let home = home(self.root, &self.trees[usize::from(folder.root)].path);
        Dir::new(&home, self.root.join(&folder.path))
    }

    fn fill(
        &mut self,
        draft: &mut Draft,
        folder: &FoundFolder,
        file: &FoundFile,
        number: u32,
        is_imported: bool,
    ) {
        self.seen.start();
        let (kind, reading) = kind::of_name(&file.name);
        draft.start(&file.name);
        draft.record.folder = number;
        draft.record.kind = kind;
        draft.record.main = NONE;
        let known = self.folder.take().filter(|(known, _)| *known == number);
        let dir = known.unwrap_or_else(|| (number, self.open_folder(folder)));
        self.folder = Some(dir);
        if !self.planned.is_empty() {
            self.place = folder.path.to_string();
        }
        if self.read_again(draft, folder, file).is_some() {
            return;
        }
        let mut whole = None;
        match &file.presence {
            Presence::Absent => draft.flag(Flags::ASSET_MISSING),
            Presence::Folder => draft.record.kind = AssetKind::Folder,
            Presence::Refused(reason) => draft.refuse(reason),
            Presence::File(stat) => {
                draft.record.file = *stat;
                if let Err(error) = self.read_file(reading, draft) {
                    draft.refuse(&reason(&error));
                }
                draft.record.file = self.known(draft.record.file, &file.name);
                self.note_racy(draft.record.file, draft);
                whole = self.recent.filter(|_| Base::suits(draft)).map(|_| self.buffer.take());
            }
        }
        match file.meta {
            Some(stat) => {
                draft.record.meta = stat;
                self.read_meta(draft);
                draft.record.meta = self.known(draft.record.meta, &self.meta);
                self.note_racy(draft.record.meta, draft);
            }
            None if is_imported => draft.flag(Flags::META_MISSING),
            None => {}
        }
        self.buffer.clear();
        self.link(draft);
        if let Some((recent, whole)) = self.recent.zip(whole) {
            let is_settled = !self.is_racy(draft.record.meta);
            if is_settled && Base::suits(draft) {
                let path = super::order::join(&folder.path, &file.name);
                recent.keep_whole(Base::new(path, Document::parse(whole), draft.clone()));
            }
        }
    }

    /// The same from what is known of the file, where little of it changed.
    fn read_again(&self, draft: &mut Draft, folder: &FoundFolder, file: &FoundFile) -> Option<()> {
        let recent = self.recent?;
        let base = recent.base(&folder.path, &file.name)?;
        let Presence::File(stat) = &file.presence else { return None };
        (file.meta == Some(base.meta())).then_some(())?;
        let (opened, stat) = self.dir().open(&file.name, *stat).ok()?;
        let (part, stat) = base.compare(opened, stat)?;
        let folder = draft.record.folder;
        *draft = base.with(&part)?;
        (draft.record.folder, draft.record.file) = (folder, stat);
        draft.record.flags = draft.record.flags.without(Flags::RACY);
        self.note_racy(stat, draft);
        recent.keep_part(&base, stat, part);
        Some(())
    }

    /// The folder at hand.
    fn dir(&self) -> &Dir {
        &self.folder.as_ref().expect("a file is read in its folder").1
    }

    /// A file of the folder at hand.
    fn open(&self, name: &str, known: Stat) -> io::Result<(Opened<'a>, Stat)> {
        if !self.planned.is_empty()
            && let Some(Some(bytes)) = self.planned.get(&super::order::join(&self.place, name))
        {
            return Ok((Opened::Planned(bytes), known));
        }
        let (file, stat) = self.dir().open(name, known)?;
        Ok((Opened::Disk(file), stat))
    }

    /// The size and time of a file, asked now if it could not be opened.
    fn known(&self, stat: Stat, name: &str) -> Stat {
        match stat {
            Stat::UNASKED => self.dir().stat(name).unwrap_or_default(),
            known => known,
        }
    }

    /// A file may be written again within one step of its clock.
    fn note_racy(&self, stat: Stat, draft: &mut Draft) {
        if self.is_racy(stat) {
            draft.flag(Flags::RACY);
        }
    }

    fn is_racy(&self, stat: Stat) -> bool {
        stat.modified > self.now.saturating_sub(CLOCK_STEP)
    }

    fn read_file(&mut self, reading: Reading, draft: &mut Draft) -> io::Result<()> {
        // Most files of these kinds are not opened, so that they have to be asked first.
        if matches!(reading, Reading::Nothing | Reading::Pointer) {
            draft.record.file = self.known(draft.record.file, &draft.name);
        }
        let is_opened = match reading {
            Reading::Nothing => false,
            Reading::Pointer => draft.record.file.size <= MAX_POINTER,
            _ => true,
        };
        if !is_opened {
            return Ok(());
        }
        let (mut file, stat) = self.open(&draft.name, draft.record.file)?;
        draft.record.file = stat;
        let start = match reading {
            Reading::Script if stat.size > MAX_SCRIPT_BYTES => return Ok(()),
            Reading::Start | Reading::Pointer => stat.size.min(MAX_POINTER),
            _ => stat.size.min(MAX_BYTES),
        };
        self.buffer.clear();
        self.buffer.fill(&mut file, start)?;
        if is_pointer(self.buffer.bytes()) {
            draft.flag(Flags::LFS_POINTER);
            draft.record.content = Some(DocumentKind::LfsPointer);
            return Ok(());
        }
        if reading == Reading::Script {
            let stem = draft.name.rsplit_once('.').map_or(&*draft.name, |(stem, _)| stem);
            if !script::may_declare_class(self.buffer.bytes(), stem) {
                draft.record.traits = draft.record.traits.with(Traits::NO_CLASS);
            }
            return Ok(());
        }
        let reads_on = match reading {
            Reading::Start => is_objects(self.buffer.bytes()),
            _ => reading != Reading::Pointer,
        };
        if reads_on && stat.size > MAX_BYTES {
            draft.flag(Flags::TOO_LARGE);
        } else if reads_on {
            self.buffer.fill(&mut file, stat.size)?;
            self.read_content(reading, draft);
        }
        Ok(())
    }

    fn read_content(&mut self, reading: Reading, draft: &mut Draft) {
        let bytes = self.buffer.bytes();
        if memchr::memchr(0, &bytes[..bytes.len().min(4096)]).is_some() {
            let kind = self.buffer.with_document(|document| document.kind());
            draft.record.content = Some(kind);
            if kind == DocumentKind::SerializedFile {
                draft.flag(Flags::BINARY);
                self.read_binary(draft);
            }
            return;
        }
        if let Some(line) = find_conflict(&mut self.buffer) {
            draft.flag(Flags::CONFLICT);
            draft.record.line = line;
        }
        if reading == Reading::Guids {
            let bytes = self.buffer.bytes();
            self.seen.read_guids(bytes, &memmem::Finder::new(b"guid"));
            self.seen.read_guids(bytes, &memmem::Finder::new(b"GUID"));
            return;
        }
        self.read_objects(draft);
        let has_objects = !draft.objects.is_empty();
        draft.record.content = Some(match draft.record.flags.contains(Flags::CONFLICT) {
            true => DocumentKind::MergeConflict,
            false if has_objects => DocumentKind::UnityYaml,
            false => self.buffer.with_document(|document| document.kind()),
        });
        if has_objects && draft.record.kind == AssetKind::Other {
            draft.record.kind = AssetKind::Asset;
        }
    }

    /// What refers to others in a binary file, read as text.
    fn read_binary(&mut self, draft: &mut Draft) {
        let opened = BinaryFile::open(self.buffer.bytes());
        match opened.map(|file| file.to_text(Detail::Outline, MAX_OUTLINE)) {
            Ok(Some(text)) => {
                self.buffer.replace(text.into_bytes());
                self.read_objects(draft);
            }
            Ok(None) => draft.flag(Flags::TOO_LARGE),
            Err(error) => draft.note = error.to_string(),
        }
    }

    fn read_objects(&mut self, draft: &mut Draft) {
        let Reader { buffer, seen, .. } = self;
        let text = buffer.bytes();
        let is_hierarchy = matches!(draft.record.kind, AssetKind::Scene | AssetKind::Prefab);
        seen.read(text, is_hierarchy);
        let Seen { locals, headers, boundaries, wiring, fit, .. } = &mut *seen;
        if is_hierarchy {
            draft.record.traits = wiring.judge();
            // What is behind a broken header belongs to no object.
            let is_whole = *boundaries == headers.len();
            if !is_whole || draft.record.flags.contains(Flags::CONFLICT) {
                draft.record.traits = draft.record.traits.without(Traits::SOUND);
            }
        }
        if dangles(locals, headers) {
            draft.record.traits = draft.record.traits.with(Traits::DANGLES);
        }
        let has_instances =
            headers.iter().any(|header| header.class_id == ClassId::PREFAB_INSTANCE);
        if has_instances && foreign_overrides(text).next().is_some() {
            draft.record.traits = draft.record.traits.with(Traits::FOREIGN);
        }
        if fit.is_amiss(text, headers) {
            draft.record.traits = draft.record.traits.with(Traits::MISFIT);
        }
        draft.objects.extend(headers.iter().map(|header| ObjectRow {
            file_id: header.file_id.0,
            class: header.class_id.0,
            script: NO_SCRIPT | if header.stripped { STRIPPED } else { 0 },
        }));
        set_main(draft);
        let main = headers.get(draft.record.main as usize);
        if let Some(main) = main.filter(|main| main.class_id.name().is_none()) {
            draft.class_name = key_after(&text[main.span.end..]);
        }
        seen.read_lone_guids(text);
        if draft.objects.first().is_some_and(|object| object.class == BUILD_SETTINGS) {
            seen.read_guids(text, &memmem::Finder::new(b" guid:"));
        }
    }

    fn read_meta(&mut self, draft: &mut Draft) {
        self.buffer.clear();
        self.meta.clear();
        self.meta.extend([&*draft.name, ".meta"]);
        let guid = match self.read_head(draft) {
            Ok(guid) => guid,
            Err(error) => return draft.refuse(&reason(&error)),
        };
        draft.record.guid = guid.unwrap_or_default();
        if draft.record.flags.contains(Flags::ASSET_MISSING) && is_folder(self.buffer.bytes()) {
            draft.record.kind = AssetKind::Folder;
        }
        if draft.record.guid.is_zero() {
            draft.flag(Flags::NO_GUID);
        }
        if !kind::has_no_references(&draft.importer) {
            for (_, to) in scan_references(self.buffer.bytes()) {
                to.guid.into_iter().for_each(|guid| self.seen.raw.push(guid, to.file_id.0));
            }
        }
        if let Some(line) = find_conflict(&mut self.buffer) {
            draft.flag(Flags::META_CONFLICT);
            if draft.record.line == 0 {
                draft.record.line = line;
            }
        }
    }

    /// Reads as much of the meta as needed, and gives its guid.
    fn read_head(&mut self, draft: &mut Draft) -> io::Result<Option<Guid>> {
        let (mut file, stat) = self.open(&self.meta, draft.record.meta)?;
        draft.record.meta = stat;
        self.buffer.fill(&mut file, stat.size.min(META_START))?;
        let mut head = Head::parse(self.buffer.bytes(), stat.size <= META_START);
        if !head.is_enough() {
            self.buffer.fill(&mut file, stat.size.min(MAX_META_BYTES))?;
            head = Head::parse(self.buffer.bytes(), true);
        }
        draft.importer.push_str(head.importer);
        Ok(head.guid)
    }

    /// Sorts and counts the references and lets the objects point to those of their scripts.
    fn link(&mut self, draft: &mut Draft) {
        let raw = &mut self.seen.raw.links;
        raw.sort_unstable();
        for (guid, file_id, count) in &*raw {
            match draft.links.last_mut() {
                Some(last) if (last.0, last.1) == (*guid, *file_id) => last.2 += count,
                _ => draft.links.push((*guid, *file_id, *count)),
            }
        }
        for (object, guid, file_id) in &self.seen.scripts {
            let key = |link: &(Guid, i64, u32)| (link.0, link.1);
            let place = draft.links.binary_search_by_key(&(*guid, *file_id), key);
            let object = &mut draft.objects[*object];
            object.script = object.script & STRIPPED | place.map_or(NO_SCRIPT, index);
        }
        let main = draft.objects.get(draft.record.main as usize).copied();
        draft.objects.sort_by_key(|object| object.file_id);
        if let Some(main) = main {
            let place = draft.objects.iter().position(|object| *object == main);
            draft.record.main = place.map_or(NONE, index);
        }
    }
}

impl Draft {
    fn flag(&mut self, flag: Flags) {
        self.record.flags = self.record.flags.with(flag);
    }

    /// What could not be read is asked again the next time.
    fn refuse(&mut self, reason: &str) {
        self.flag(Flags::UNREADABLE.with(Flags::RACY));
        self.note = reason.into();
    }
}

const SCENE_ASSET: u32 = 1032;
const BUILD_SETTINGS: u32 = 1045;

/// The main object of an asset has its class and five zeros for an id; failing that, it is the first.
fn set_main(draft: &mut Draft) {
    if draft.objects.is_empty() {
        return;
    }
    draft.record.main_class = match draft.record.kind {
        AssetKind::Scene => SCENE_ASSET,
        AssetKind::Prefab => ClassId::GAME_OBJECT.0,
        _ => {
            let is_main = |object: &ObjectRow| object.file_id == i64::from(object.class) * 100_000;
            let main = draft.objects.iter().position(is_main).unwrap_or(0);
            draft.record.main = index(main);
            draft.objects[main].class
        }
    };
}

/// The key on the line below a header.
fn key_after(rest: &[u8]) -> String {
    let line = rest.split(|byte| *byte == b'\n').nth(1).unwrap_or(b"");
    let key = line.split(|byte| *byte == b':').next().unwrap_or(b"");
    String::from_utf8_lossy(&key[..key.len().min(128)]).trim().to_owned()
}

/// True when one of these ids is none of the objects'.
fn dangles(ids: &[i64], headers: &[Header]) -> bool {
    if ids.is_empty() {
        return false;
    }
    let mut known: Vec<i64> = headers.iter().map(|header| header.file_id.0).collect();
    known.sort_unstable();
    !ids.iter().all(|id| known.binary_search(id).is_ok())
}

fn is_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(b"version https://git-lfs")
}

fn is_objects(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    text.starts_with(b"%YAML") || text.starts_with(b"--- !u!")
}

/// The line of the first conflict marker.
fn find_conflict(buffer: &mut Buffer) -> Option<u32> {
    let bytes = buffer.bytes();
    // Hardly any text has the first sign at all, and single bytes are found fastest.
    let is_unity = is_objects(bytes) || bytes.starts_with(b"fileFormatVersion:");
    let (first, markers): (_, &[&[u8]]) = match is_unity {
        true => (memchr::memchr3(b'<', b'=', b'>', bytes)?, &[b"<<<<<<<", b"=======", b">>>>>>>"]),
        false => (memchr::memchr(b'<', bytes)?, &[b"<<<<<<<"]),
    };
    markers.iter().find(|marker| memmem::find(&bytes[first..], marker).is_some())?;
    buffer.with_document(|document| Some(index(document.line(*document.conflicts().first()?))))
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it was removed while the project was read".into(),
        _ => error.to_string(),
    }
}

/// The start of a meta is where its guid and its importer stand.
const HEAD_LINES: usize = 64;

/// What the start of a meta tells.
struct Head<'t> {
    guid: Option<Guid>,
    importer: &'t str,
    is_whole: bool,
    has_conflict: bool,
}

impl<'t> Head<'t> {
    fn parse(bytes: &'t [u8], is_whole: bool) -> Head<'t> {
        // A line that is cut tells nothing.
        let end = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
        let text = if is_whole { bytes } else { &bytes[..end] };
        Head {
            guid: scan_guid(text),
            importer: head_lines(text).find_map(importer).unwrap_or(""),
            is_whole,
            has_conflict: memchr::memchr(b'<', text).is_some()
                && memmem::find(text, b"<<<<<<<").is_some(),
        }
    }

    fn is_enough(&self) -> bool {
        let is_silent = kind::has_no_references(self.importer);
        self.is_whole || (self.guid.is_some() && is_silent && !self.has_conflict)
    }
}

/// The importer of a line that names one.
fn importer(line: &[u8]) -> Option<&str> {
    let key = line.strip_suffix(b":").filter(|key| key.ends_with(b"Importer"))?;
    key.iter().all(u8::is_ascii_alphanumeric).then(|| std::str::from_utf8(key).ok())?
}

/// True for the meta of a folder.
fn is_folder(meta: &[u8]) -> bool {
    head_lines(meta).any(|line| line == b"folderAsset: yes")
}

/// The first lines, without blanks and breaks at their end.
fn head_lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    let ends = memchr::memchr_iter(b'\n', text).chain([text.len()]);
    let lines =
        ends.map(move |end| text[std::mem::replace(&mut start, end + 1)..end].trim_ascii_end());
    lines.take(HEAD_LINES)
}
