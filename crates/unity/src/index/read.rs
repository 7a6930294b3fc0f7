use super::{
    AssetKind, Flags,
    buffer::Buffer,
    kind::{self, Reading},
    segment::{Draft, NO_SCRIPT, NONE, ObjectRow, STRIPPED, Stat, index},
    walk::{FoundFile, FoundFolder, Presence},
};
use crate::{ClassId, DocumentKind, Guid, scan_guid, scan_headers, scan_references};
use memchr::memmem;
use std::{fs::File, io, path::Path};

/// Larger files are not read; a scene of this size does not open in Unity either.
const MAX_BYTES: u64 = 512 << 20;
const MAX_META_BYTES: u64 = 64 << 20;
/// How much of a meta is read first: guid and importer stand at its start.
const META_START: u64 = 256;
/// Git LFS pointers have about 130 bytes.
const MAX_POINTER: u64 = 1024;
/// The coarsest clock of a file system in use (FAT), in nanoseconds.
const CLOCK_STEP: i64 = 2_000_000_000;

/// Reads assets, one after the other.
pub(super) struct Reader<'a> {
    root: &'a Path,
    /// The time the work began.
    now: i64,
    buffer: Buffer,
    /// All references of the asset at hand.
    raw: Vec<(Guid, i64)>,
    /// The scripts of its objects: place, guid, file id.
    scripts: Vec<(usize, Guid, i64)>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(root: &'a Path, now: i64) -> Reader<'a> {
        let (raw, scripts) = (Vec::new(), Vec::new());
        Reader { root, now, buffer: Buffer::default(), raw, scripts }
    }

    pub(super) fn read<'f>(
        &mut self,
        folder: &FoundFolder,
        file: &'f FoundFile,
        number: u32,
        is_imported: bool,
    ) -> Draft<'f> {
        self.raw.clear();
        self.scripts.clear();
        let (kind, reading) = kind::of_name(&file.name);
        let mut draft = Draft { name: &file.name, ..Draft::default() };
        draft.record.folder = number;
        draft.record.kind = kind;
        draft.record.main = NONE;
        let path = self.root.join(&folder.path).join(&file.name);
        match &file.presence {
            Presence::Absent => draft.flag(Flags::ASSET_MISSING),
            Presence::Folder => draft.record.kind = AssetKind::Folder,
            Presence::Refused(reason) => draft.refuse(reason),
            Presence::File(stat) => {
                draft.record.file = *stat;
                self.note_racy(*stat, &mut draft);
                if let Err(error) = self.read_file(&path, *stat, reading, &mut draft) {
                    draft.refuse(&reason(&error));
                }
            }
        }
        match file.meta {
            Some(stat) => self.read_meta(&path, stat, &mut draft),
            None if is_imported => draft.flag(Flags::META_MISSING),
            None => {}
        }
        self.buffer.clear();
        self.link(&mut draft);
        draft
    }

    /// A file may be written again within one step of its clock.
    fn note_racy(&self, stat: Stat, draft: &mut Draft<'_>) {
        if stat.modified > self.now.saturating_sub(CLOCK_STEP) {
            draft.flag(Flags::RACY);
        }
    }

    fn read_file(
        &mut self,
        path: &Path,
        stat: Stat,
        reading: Reading,
        draft: &mut Draft<'_>,
    ) -> io::Result<()> {
        let start = match reading {
            Reading::Nothing => return Ok(()),
            Reading::Pointer if stat.size > MAX_POINTER => return Ok(()),
            Reading::Start | Reading::Pointer => stat.size.min(MAX_POINTER),
            Reading::Objects | Reading::Guids => stat.size.min(MAX_BYTES),
        };
        self.buffer.clear();
        let mut file = File::open(path)?;
        self.buffer.fill(&mut file, start)?;
        if is_pointer(self.buffer.bytes()) {
            draft.flag(Flags::LFS_POINTER);
            draft.record.content = Some(DocumentKind::LfsPointer);
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

    fn read_content(&mut self, reading: Reading, draft: &mut Draft<'_>) {
        let bytes = self.buffer.bytes();
        if memchr::memchr(0, &bytes[..bytes.len().min(4096)]).is_some() {
            let kind = self.buffer.with_document(|document| document.kind());
            draft.record.content = Some(kind);
            if kind == DocumentKind::SerializedFile {
                draft.flag(Flags::BINARY);
            }
            return;
        }
        if let Some(line) = find_conflict(&mut self.buffer) {
            draft.flag(Flags::CONFLICT);
            draft.record.line = line;
        }
        if reading == Reading::Guids {
            self.read_guids(b"guid");
            self.read_guids(b"GUID");
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

    fn read_objects(&mut self, draft: &mut Draft<'_>) {
        let Reader { buffer, raw, scripts, .. } = self;
        let text = buffer.bytes();
        let headers: Vec<_> = scan_headers(text).collect();
        let mut next = 0;
        for (offset, reference) in scan_references(text) {
            let Some(guid) = reference.guid else { continue };
            raw.push((guid, reference.file_id.0));
            while headers.get(next).is_some_and(|header| header.span.start < offset) {
                next += 1;
            }
            let Some(object) = next.checked_sub(1) else { continue };
            let is_behaviour = headers[object].class_id == ClassId::MONO_BEHAVIOUR;
            if is_behaviour && text[..offset].trim_ascii_end().ends_with(b"\n  m_Script:") {
                scripts.push((object, guid, reference.file_id.0));
            }
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
        // Addressables name assets by guid alone, and so does the list of scenes.
        self.read_guids(b"GUID:");
        if draft.objects.first().is_some_and(|object| object.class == BUILD_SETTINGS) {
            self.read_guids(b" guid:");
        }
    }

    /// Guids behind a key in YAML, JSON, XML or a style sheet.
    fn read_guids(&mut self, key: &[u8]) {
        let text = self.buffer.bytes();
        for at in memmem::find_iter(text, key) {
            let rest = &text[at + key.len()..];
            let marks = rest.iter().take(6).take_while(|byte| b"\"\\:= ".contains(byte)).count();
            let digits = rest.get(marks..marks + 32).and_then(Guid::parse);
            let ends = rest.get(marks + 32).is_none_or(|byte| !byte.is_ascii_alphanumeric());
            if let Some(guid) = digits.filter(|guid| ends && !guid.is_zero()) {
                self.raw.push((guid, 0));
            }
        }
    }

    fn read_meta(&mut self, path: &Path, stat: Stat, draft: &mut Draft<'_>) {
        draft.record.meta = stat;
        self.note_racy(stat, draft);
        self.buffer.clear();
        let mut name = path.as_os_str().to_owned();
        name.push(".meta");
        let head = match self.read_head(Path::new(&name), stat.size) {
            Ok(head) => head,
            Err(error) => return draft.refuse(&reason(&error)),
        };
        draft.importer = head.importer;
        draft.record.guid = head.guid.unwrap_or_default();
        if head.is_folder && draft.record.flags.contains(Flags::ASSET_MISSING) {
            draft.record.kind = AssetKind::Folder;
        }
        if draft.record.guid.is_zero() {
            draft.flag(Flags::NO_GUID);
        }
        let references = scan_references(self.buffer.bytes());
        self.raw.extend(references.filter_map(|(_, to)| Some((to.guid?, to.file_id.0))));
        if let Some(line) = find_conflict(&mut self.buffer) {
            draft.flag(Flags::META_CONFLICT);
            if draft.record.line == 0 {
                draft.record.line = line;
            }
        }
    }

    fn read_head(&mut self, meta: &Path, size: u64) -> io::Result<Head> {
        let mut file = File::open(meta)?;
        self.buffer.fill(&mut file, size.min(META_START))?;
        let head = Head::parse(self.buffer.bytes(), size <= META_START);
        if head.is_enough() {
            return Ok(head);
        }
        self.buffer.fill(&mut file, size.min(MAX_META_BYTES))?;
        Ok(Head::parse(self.buffer.bytes(), true))
    }

    /// Sorts and counts the references and lets the objects point to those of their scripts.
    fn link(&mut self, draft: &mut Draft<'_>) {
        self.raw.sort_unstable();
        for (guid, file_id) in &self.raw {
            match draft.links.last_mut() {
                Some(last) if (last.0, last.1) == (*guid, *file_id) => last.2 += 1,
                _ => draft.links.push((*guid, *file_id, 1)),
            }
        }
        for (object, guid, file_id) in &self.scripts {
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

impl Draft<'_> {
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
fn set_main(draft: &mut Draft<'_>) {
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

fn is_pointer(bytes: &[u8]) -> bool {
    bytes.starts_with(b"version https://git-lfs")
}

fn is_objects(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    text.starts_with(b"%YAML") || text.starts_with(b"--- !u!")
}

/// The line of the first conflict marker.
fn find_conflict(buffer: &mut Buffer) -> Option<u32> {
    memmem::find(buffer.bytes(), b"<<<<<<<")?;
    buffer.with_document(|document| Some(index(document.line(*document.conflicts().first()?))))
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "it was removed while the project was read".into(),
        _ => error.to_string(),
    }
}

/// What the start of a meta tells.
struct Head {
    guid: Option<Guid>,
    importer: String,
    is_folder: bool,
    is_whole: bool,
    has_conflict: bool,
}

impl Head {
    fn parse(bytes: &[u8], is_whole: bool) -> Head {
        // A line that is cut tells nothing.
        let end = memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1);
        let text = if is_whole { bytes } else { &bytes[..end] };
        let lines = || text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).take(64);
        let mut keys = lines().filter_map(|line| line.strip_suffix(b":"));
        let importer = keys.find(|key| {
            key.ends_with(b"Importer") && key.iter().all(|byte| byte.is_ascii_alphanumeric())
        });
        Head {
            guid: scan_guid(text),
            importer: String::from_utf8_lossy(importer.unwrap_or(b"")).into_owned(),
            is_folder: lines().any(|line| line == b"folderAsset: yes"),
            is_whole,
            has_conflict: memmem::find(text, b"<<<<<<<").is_some(),
        }
    }

    fn is_enough(&self) -> bool {
        let is_silent = kind::has_no_references(&self.importer);
        self.is_whole || (self.guid.is_some() && is_silent && !self.has_conflict)
    }
}
