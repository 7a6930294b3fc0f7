//! Overrides of fields that the class of their object does not have: misspelt, or left behind by a
//! field that has another name now.
//!
//! The index tells which files have overrides of names that no native component ever had. Only these are
//! read here, as text, and what an override is about is looked up in the index. Of a script the
//! whole source counts, not only its saved fields: a name that is nowhere in it, nor in those it
//! derives from, can be none of them, former names included. Where a class is not known whole,
//! nothing is said.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use scenewright_text::has_word;

use super::{Finding, FindingKind, fields};
use crate::hierarchy::{Expander, Hierarchy};
use crate::index::{
    Asset, AssetId, AssetKind, Flags, ObjectEntry, OverrideText, RootKind, foreign_overrides, top,
};
use crate::judge::Judge;
use crate::script::{self, MAX_SOURCE_BYTES, ScriptFile, TypeDecl};
use crate::{ClassId, FileId, Guid, types};

/// Longer chains of classes are not followed.
const MOST_BASES: usize = 16;
/// A file may override any number of objects, and any number of fields of a script.
const MOST_KEPT: usize = 100_000;
const MOST_FIELDS: usize = 1000;
/// What the chain of a script ends with.
const ROOTS: [&str; 3] = ["MonoBehaviour", "ScriptableObject", "StateMachineBehaviour"];

/// What was learned about scripts, for several threads.
pub(super) struct Overrides<'a> {
    judge: &'a Judge<'a>,
    /// The source of each script; nothing when it is not known whole.
    sources: Mutex<HashMap<AssetId, Option<Arc<Source>>>>,
    /// The objects that are overridden: what a file overrides, others like it override, too.
    objects: Mutex<HashMap<(Guid, FileId), Option<ObjectEntry>>>,
    /// Whether a script, by its asset, lacks a field; nothing when that cannot be told.
    lacking: Mutex<HashMap<AssetId, Lacking>>,
    /// Sources by the names of their files; nothing for those that several have.
    by_stem: OnceLock<HashMap<&'a str, Option<Asset<'a>>>>,
}

/// By the name of the field.
type Lacking = HashMap<Box<str>, Option<bool>>;

struct Source {
    text: String,
    base: OnceLock<Base>,
}

/// What the class of a source derives from.
enum Base {
    /// Nothing of the project's.
    Root,
    In(AssetId),
    Unknown,
}

impl<'a> Overrides<'a> {
    pub(super) fn new(judge: &'a Judge<'a>) -> Self {
        let (sources, objects, lacking) = Default::default();
        Self { judge, sources, objects, lacking, by_stem: OnceLock::new() }
    }

    /// `hierarchy` is the file's, if it is at hand; else it is only made where something is amiss.
    pub(super) fn check(
        &self,
        expander: &Expander,
        asset: Asset<'a>,
        hierarchy: Option<Hierarchy>,
        findings: &mut Vec<Finding>,
    ) {
        // Nearly always nothing is amiss, and the bytes alone tell that.
        let is_text = hierarchy.is_none() && !asset.flags().contains(Flags::BINARY);
        if is_text && !asset.read().is_ok_and(|text| !self.amiss(&text).is_empty()) {
            return;
        }
        let expand = || asset.guid().and_then(|guid| expander.expand_once(guid).ok());
        let hierarchy = hierarchy.or_else(expand);
        let read;
        let document = match &hierarchy {
            Some(hierarchy) => hierarchy.document(),
            None => {
                let Ok(document) = asset.document() else { return };
                read = document;
                &read
            }
        };
        let amiss = self.amiss(document.as_bytes());
        if amiss.is_empty() {
            return;
        }
        let hierarchy = hierarchy.as_ref();
        let changes: HashMap<usize, _> = hierarchy
            .iter()
            .flat_map(|hierarchy| hierarchy.overrides())
            .map(|change| (change.offset, change))
            .collect();
        let mut paths = hierarchy.map(|hierarchy| hierarchy.paths());
        for (class, OverrideText { path, offset, start, .. }) in amiss {
            let change = changes.get(&start);
            let object = hierarchy.zip(paths.as_mut()).and_then(|(hierarchy, paths)| {
                let node = hierarchy.overridden(change?)?;
                Some(paths.of(&node))
            });
            let why = format!("{class} has no field {}", top(path));
            findings.push(Finding {
                file: asset.path().into(),
                line: Some(document.line(offset)),
                object: object.map(Arc::from),
                message: format!("the override of {} has no effect: {why}", fields::shown(path))
                    .into(),
                field: Some(path.into()),
                cause: Some(why.into()),
                id: change.map_or(FileId::NULL, |change| change.stated_by),
                to: change.map_or(FileId::NULL, |change| change.target),
                ..Finding::new(FindingKind::UnknownOverride)
            });
        }
    }

    /// The overrides of fields that their classes lack. A file has many of the same.
    fn amiss<'t>(&self, text: &'t [u8]) -> Vec<(String, OverrideText<'t>)> {
        let mut known = HashMap::new();
        let of_class = foreign_overrides(text).filter_map(|change| {
            let about = (change.target.guid, change.target.file_id, top(change.path));
            let class = known.entry(about).or_insert_with(|| self.class_without(&change)).clone();
            Some((class?, change))
        });
        of_class.collect()
    }

    /// The class of the object that is overridden, when it certainly lacks the field.
    fn class_without(&self, change: &OverrideText<'_>) -> Option<String> {
        let object = self.object(change.target.guid?, change.target.file_id)?;
        if object.class_id != ClassId::MONO_BEHAVIOUR {
            let fields = types::all_fields(object.class_id);
            let lacks = !fields.is_empty() && !fields.iter().any(|f| top(f) == top(change.path));
            return lacks.then(|| object.class_id.name().map(str::to_owned))?;
        }
        let script = self.judge.index().by_guid(object.script?.guid)?;
        let stem = script.name().strip_suffix(".cs")?;
        self.lacks(script, top(change.path))?.then(|| stem.to_owned())
    }

    fn object(&self, prefab: Guid, id: FileId) -> Option<ObjectEntry> {
        let lock = || self.objects.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&(prefab, id)) {
            return *known;
        }
        let found = self.judge.object_of(prefab, id);
        let mut objects = lock();
        if objects.len() < MOST_KEPT {
            objects.insert((prefab, id), found);
        }
        found
    }

    fn lacks(&self, script: Asset<'a>, field: &str) -> Option<bool> {
        let lock = || self.lacking.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&script.id()).and_then(|fields| fields.get(field).copied());
        if let Some(known) = known {
            return known;
        }
        let name = field.strip_prefix('<').and_then(|name| name.split('>').next()).unwrap_or(field);
        let is_named = |source: &str| has_word(source, name) || may_be_woven(source, field);
        let found = self.lack(script, &is_named);
        let mut lacking = lock();
        let fields = lacking.entry(script.id()).or_default();
        if fields.len() < MOST_FIELDS {
            fields.insert(field.into(), found);
        }
        found
    }

    /// Whether neither a class nor any that it derives from in the project has what is looked for;
    /// nothing when that cannot be told. What the class derives from is only read where it is needed.
    fn lack(&self, script: Asset<'a>, is_named: &dyn Fn(&str) -> bool) -> Option<bool> {
        let mut script = script;
        for _ in 0..MOST_BASES {
            let source = self.source(script)?;
            if is_named(&source.text) {
                return Some(false);
            }
            match source.base.get_or_init(|| self.base(script, &source.text)) {
                Base::Root => return Some(true),
                Base::In(base) => script = self.judge.index().asset(*base)?,
                Base::Unknown => return None,
            }
        }
        None
    }

    fn source(&self, script: Asset<'a>) -> Option<Arc<Source>> {
        let lock = || self.sources.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&script.id()) {
            return known.clone();
        }
        let read = read(script).map(|text| Arc::new(Source { text, base: OnceLock::new() }));
        lock().entry(script.id()).or_insert(read).clone()
    }

    fn base(&self, script: Asset<'a>, source: &str) -> Base {
        let stem = script.name().strip_suffix(".cs");
        let base = stem.and_then(|stem| base_outside(&script::parse_declarations(source), stem));
        let Some(base) = base else { return Base::Unknown };
        if ROOTS.contains(&&*base) {
            return Base::Root;
        }
        let declaring = self.by_stem().get(&*base).copied().flatten();
        declaring.map_or(Base::Unknown, |script| Base::In(script.id()))
    }

    fn by_stem(&self) -> &HashMap<&'a str, Option<Asset<'a>>> {
        self.by_stem.get_or_init(|| {
            let mut by_stem = HashMap::new();
            for script in self.judge.index().of_kind(AssetKind::Script) {
                let Some(stem) = script.name().strip_suffix(".cs") else { continue };
                by_stem.entry(stem).and_modify(|other| *other = None).or_insert(Some(script));
            }
            by_stem
        })
    }
}

/// The text of a source that has its classes whole. What Unity copied may be cut down.
fn read(script: Asset<'_>) -> Option<String> {
    let is_whole = script.root().kind != RootKind::Cached
        && !script.flags().contains(Flags::ASSET_MISSING)
        && !script.flags().contains(Flags::LFS_POINTER)
        && script.size() <= MAX_SOURCE_BYTES as u64;
    let text = String::from_utf8(is_whole.then(|| script.read().ok())??).ok()?;
    (!text.contains('\0') && !has_word(&text, "partial")).then_some(text)
}

/// Whether a field may be made of a property when the code is compiled: weavers such as Malimbe give
/// a property with an attribute of theirs a field of its name that begins with a small letter.
fn may_be_woven(source: &str, field: &str) -> bool {
    let mut letters = field.chars();
    let Some(first) = letters.next().filter(|first| first.is_lowercase()) else { return false };
    let property: String = first.to_uppercase().chain(letters).collect();
    source.match_indices(&property).any(|(at, _)| {
        let (before, behind) = (&source[..at], &source[at + property.len()..]);
        let accessors = behind.trim_start().strip_prefix('{').map(str::trim_start);
        let start = before.rfind([';', '{', '}']).map_or(0, |end| end + 1);
        let mut lines = before[start..].lines().map(str::trim_start);
        before.ends_with(char::is_whitespace)
            && accessors.is_some_and(|accessors| accessors.starts_with("get;"))
            && lines.any(|line| line.starts_with('['))
    })
}

/// The first class that another file declares, following the class of a file's name through it.
fn base_outside(file: &ScriptFile, stem: &str) -> Option<String> {
    let declared = |name: &str| file.all_types().find(|decl| decl.name == name);
    let mut class: &TypeDecl = declared(stem)?;
    for _ in 0..MOST_BASES {
        let base = class.bases.first()?.split('<').next()?.trim();
        let base = script::simple_name(base);
        match declared(base) {
            Some(inner) => class = inner,
            None => return Some(base.to_owned()),
        }
    }
    None
}
