//! What a check found, kept beside the index between two runs of the program. It holds for exactly
//! that index and that program; a file that changed since, and it is not looked at.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use super::{Checked, Finding, FindingKind};
use crate::FileId;
use crate::index::{Index, Input, Output, cache_identity};

const MAGIC: &[u8; 8] = b"swcheck9";

/// Every kind by its number in the file.
const KINDS: [FindingKind; 21] = [
    FindingKind::MissingScript,
    FindingKind::UnknownScript,
    FindingKind::ScriptWithoutClass,
    FindingKind::BrokenReference,
    FindingKind::MissingPrefab,
    FindingKind::StaleOverride,
    FindingKind::BrokenHierarchy,
    FindingKind::MissingBuildScene,
    FindingKind::DuplicateGuid,
    FindingKind::MetaWithoutAsset,
    FindingKind::AssetWithoutMeta,
    FindingKind::MergeConflict,
    FindingKind::LfsPointer,
    FindingKind::BinaryAsset,
    FindingKind::AssemblyCycle,
    FindingKind::Unreadable,
    FindingKind::ScriptNameDiffers,
    FindingKind::UnknownPrefab,
    FindingKind::MismatchedReference,
    FindingKind::UnknownOverride,
    FindingKind::MissingUnusedScene,
];

impl Checked {
    /// Writes it for the next start, for the index that is at `cache` now.
    pub(crate) fn save(&self, cache: &Path) -> Option<()> {
        let mut out = Output::default();
        out.bytes.extend_from_slice(MAGIC);
        out.u64(cache_identity(cache)?);
        out.u64(program()?);
        out.count(self.total);
        out.count(self.by_file.len());
        for (file, findings) in &self.by_file {
            out.text(file);
            write_all(findings, &mut out);
        }
        write_all(&self.assemblies, &mut out);
        out.count(self.open.len());
        for (file, count) in &self.open {
            out.text(file);
            out.number(u64::from(*count));
        }
        scenewright_text::write_whole(&beside(cache), out.bytes).ok()
    }

    /// What was found in this very index by this very program.
    pub(crate) fn load(cache: &Path, index: &Arc<Index>, generation: u64) -> Option<Checked> {
        let bytes = fs::read(beside(cache)).ok()?;
        let mut input = Input { bytes: bytes.strip_prefix(MAGIC)? };
        if input.u64()? != cache_identity(cache)? || input.u64()? != program()? {
            return None;
        }
        let total = usize::try_from(input.u64()?).ok()?;
        let by_file = input.list(|input| Some((input.text()?.to_owned(), read_all(input)?)))?;
        let assemblies = read_all(&mut input)?;
        let open = input.list(|input| Some((input.text()?.to_owned(), input.small::<u32>()?)))?;
        let by_file: BTreeMap<_, _> = by_file.into_iter().collect();
        let open = open.into_iter().collect();
        let index = index.clone();
        let checked = Checked { index, generation, total, by_file, assemblies, open, large: None };
        input.bytes.is_empty().then_some(checked)
    }
}

fn beside(cache: &Path) -> PathBuf {
    let mut name = cache.as_os_str().to_owned();
    name.push(".checked");
    name.into()
}

/// Tells this build of the program from others, whose rules may be others.
fn program() -> Option<u64> {
    let file = fs::metadata(std::env::current_exe().ok()?).ok()?;
    let made = file.modified().ok()?.duration_since(UNIX_EPOCH).ok()?;
    let made = u64::try_from(made.as_nanos()).unwrap_or(u64::MAX);
    Some(made.rotate_left(24) ^ file.len())
}

/// What is found in one file says the same again and again, so each text is written once.
fn write_all(findings: &[Finding], out: &mut Output) {
    let mut known: HashMap<&str, u64> = HashMap::new();
    let mut text = |text, out: &mut Output| {
        let next = known.len() as u64 + 1;
        match known.entry(text) {
            Entry::Occupied(at) => out.number(*at.get()),
            Entry::Vacant(place) => {
                place.insert(next);
                out.number(0);
                out.text(text);
            }
        }
    };
    out.count(findings.len());
    for finding in findings {
        let kind = KINDS.iter().position(|kind| *kind == finding.kind);
        out.u8(kind.and_then(|kind| u8::try_from(kind).ok()).unwrap_or(u8::MAX));
        text(&finding.file, out);
        text(&finding.message, out);
        // One more than the number, so that zero is none.
        out.number(finding.line.map_or(0, |line| line as u64 + 1));
        out.number(finding.component.map_or(0, |place| place as u64 + 1));
        out.u8(finding.guid.is_some().into());
        out.guid(finding.guid.unwrap_or_default());
        out.u64(finding.id.0.cast_unsigned());
        out.u64(finding.to.0.cast_unsigned());
        for part in [&finding.object, &finding.field, &finding.cause] {
            out.u8(part.is_some().into());
            text(part.as_deref().unwrap_or_default(), out);
        }
    }
}

fn read_all(input: &mut Input<'_>) -> Option<Vec<Finding>> {
    let number = |input: &mut Input<'_>| {
        let number = input.small::<usize>()?;
        Some(number.checked_sub(1))
    };
    let mut known: Vec<Arc<str>> = Vec::new();
    let mut text = |input: &mut Input<'_>| -> Option<Arc<str>> {
        if let Some(at) = input.small::<usize>()?.checked_sub(1) {
            return known.get(at).cloned();
        }
        let text: Arc<str> = input.text()?.into();
        known.push(text.clone());
        Some(text)
    };
    input.list(|input| {
        let kind = input.choice(&KINDS)?;
        let (file, message) = (text(input)?, text(input)?);
        let (line, component) = (number(input)?, number(input)?);
        let guid = (input.u8()? == 1, input.guid()?);
        let mut id = || Some(FileId(input.u64()?.cast_signed()));
        let (id, to) = (id()?, id()?);
        let mut part = || {
            let is_there = input.u8()? == 1;
            text(input).map(|text| is_there.then_some(text))
        };
        let (object, field, cause) = (part()?, part()?, part()?);
        let guid = guid.0.then_some(guid.1);
        Some(Finding { kind, file, line, object, component, message, guid, field, cause, id, to })
    })
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::{Folder, sample};

    use super::*;
    use crate::index::Store;

    #[test]
    fn the_next_start_finds_what_the_last_one_found() {
        struct Count(std::cell::Cell<usize>);
        impl super::super::Watcher for Count {
            fn step(&self, _: usize, total: usize) -> bool {
                self.0.set(self.0.get().max(total));
                true
            }
        }
        let folder = Folder::empty();
        let cache = folder.path("index");
        let check = || {
            let (store, count) = (Store::open(&sample("unity"), Some(&cache)), Count(0.into()));
            let expander = crate::hierarchy::Expander::new(Arc::new(Nothing));
            let report = super::super::project(&store, &store.index(), &expander, &[], &count);
            (report.findings, count.0.get())
        };
        let (first, judged) = check();
        let (second, judged_again) = check();
        assert_eq!(first, second);
        assert!(judged > 0 && judged_again == 0, "{judged} and then {judged_again}");
    }

    struct Nothing;

    impl crate::hierarchy::Source for Nothing {
        fn document(&self, _: crate::Guid) -> crate::hierarchy::Loaded {
            crate::hierarchy::Loaded::Missing
        }

        fn path(&self, _: crate::Guid) -> Option<String> {
            None
        }
    }

    #[test]
    fn every_kind_has_a_number() {
        let kinds: std::collections::HashSet<_> = KINDS.iter().collect();
        assert_eq!(kinds.len(), KINDS.len());
    }

    #[test]
    fn findings_are_kept_for_the_same_index_only() {
        let folder = Folder::empty();
        let cache = folder.path("index");
        let store = Store::open(&sample("unity"), Some(&cache));
        let index = store.index();
        let finding = |object: Option<&str>, line| Finding {
            kind: FindingKind::BrokenReference,
            file: "Assets/A.unity".into(),
            line,
            object: object.map(Arc::from),
            component: Some(0),
            message: "lost".into(),
            guid: Some(crate::Guid([7; 16])),
            field: Some("m_Mesh".into()),
            cause: Some("the mesh is gone".into()),
            id: FileId(-7),
            to: FileId(4300000),
        };
        let checked = Checked {
            index: index.clone(),
            generation: 0,
            total: 12,
            by_file: [("Assets/A.unity".to_owned(), vec![finding(Some("A/B"), Some(3))])].into(),
            assemblies: vec![finding(None, None)],
            open: [("Assets/B.unity".to_owned(), 7)].into(),
            large: None,
        };
        checked.save(&cache).unwrap();
        let loaded = Checked::load(&cache, &index, 5).unwrap();
        assert_eq!((loaded.total, loaded.generation), (12, 5));
        assert_eq!(loaded.by_file, checked.by_file);
        assert_eq!(loaded.assemblies, checked.assemblies);
        assert_eq!(loaded.open, checked.open);
        let whole = fs::read(beside(&cache)).unwrap();
        for cut in [0, 7, 20, whole.len() - 1] {
            fs::write(beside(&cache), &whole[..cut]).unwrap();
            assert!(Checked::load(&cache, &index, 5).is_none(), "{cut}");
        }
        let mut other = fs::read(&cache).unwrap();
        other[9] ^= 1;
        fs::write(&cache, other).unwrap();
        fs::write(beside(&cache), &whole).unwrap();
        assert!(Checked::load(&cache, &index, 5).is_none());
    }
}
