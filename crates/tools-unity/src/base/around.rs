//! The sources that a script's saved fields take to be known: those of its bases, and of the types of
//! its fields, near ones first.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::SystemTime;

use rayon::prelude::*;
use scenewright_unity::Guid;
use scenewright_unity::index::Asset;
use scenewright_unity::packages;
use scenewright_unity::script::{
    Attribute, Field, Has, Modifier, Property, ScriptFile, ScriptSet, TypeRef, is_outside, parse,
    parse_declarations, shipped, type_names,
};

use super::Unity;
use super::scripts::read;

/// So many sources are read for what one script refers to.
const MOST: usize = 128;

/// A source of the project, or what is known of one that a package has.
#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Own(Asset<'a>),
    Shipped(&'static str),
}

/// The types that sources name after `class` and its like, each for as long as its file stays as it is.
#[derive(Default)]
pub(super) struct TypeNames(RwLock<HashMap<Guid, (Stamp, Names)>>);

/// Names of types.
type Names = Arc<[Box<str>]>;

type Stamp = (u64, Option<SystemTime>);

/// The sources that were read for a script.
#[derive(Default)]
struct Around<'a> {
    files: Vec<ScriptFile>,
    seen: BTreeSet<Cow<'a, str>>,
    /// Names that were looked up.
    asked: BTreeSet<String>,
    /// What is to be read, and the name that led there.
    open: VecDeque<(Option<String>, Source<'a>)>,
}

impl Unity<'_> {
    /// Sources with those that they take to be known. Bases come before fields. What a field refers to
    /// by reference is read, to see that it is an object, and its own fields are not.
    pub(super) fn read_around<'a>(&'a self, first: Vec<Source<'a>>) -> Vec<ScriptFile> {
        let mut around = Around::default();
        around.open.extend(first.into_iter().map(|source| (None, source)));
        let mut done = 0;
        loop {
            self.read_open(&mut around);
            if done == around.files.len() {
                return around.files;
            }
            let names = names_of_fields(&around.files, done);
            done = around.files.len();
            self.ask(&mut around, names);
        }
    }

    /// Read what is open, and the bases of what was read.
    fn read_open<'a>(&'a self, around: &mut Around<'a>) {
        while let Some((name, source)) = around.open.pop_front() {
            let key = match source {
                Source::Own(asset) => asset.guid().unwrap_or_default().to_string().into(),
                Source::Shipped(text) => Cow::Borrowed(text),
            };
            if around.files.len() == MOST || !around.seen.insert(key) {
                continue;
            }
            let text = match source {
                Source::Own(asset) => read(asset).map(Cow::Owned),
                Source::Shipped(text) => Some(Cow::Borrowed(text)),
            };
            let Some(text) = text else { continue };
            let file =
                if around.files.is_empty() { parse(&text) } else { parse_declarations(&text) };
            let is_declared = |name: &String| file.all_types().any(|decl| decl.name == *name);
            if let Some(name) = name.filter(|name| !is_declared(name)) {
                let others = self.declaring(&name).map(|asset| (None, Source::Own(asset)));
                around.open.extend(others);
            }
            let bases = file.all_types().flat_map(|decl| &decl.bases);
            let names = bases.flat_map(|base| words(base)).map(str::to_owned).collect();
            around.files.push(file);
            self.ask(around, names);
        }
    }

    fn ask<'a>(&'a self, around: &mut Around<'a>, names: BTreeSet<String>) {
        for name in names {
            if !around.asked.insert(name.clone()) {
                continue;
            }
            let found = self.sources_of(&name);
            around.open.extend(found.into_iter().map(|source| (Some(name.clone()), source)));
        }
    }

    /// Where a type of this name may be declared: in files that have its name, in packages, and only
    /// then in any other.
    fn sources_of(&self, name: &str) -> Vec<Source<'_>> {
        let stems = self.sources.by_stem.get_or_init(|| self.sources_by_stem());
        let own = stems.get(name).into_iter().flatten();
        let mut found: Vec<_> =
            own.filter_map(|guid| Some(Source::Own(self.source(*guid)?.0))).collect();
        if found.is_empty() {
            found = self.shipped(name);
        }
        if found.is_empty() && !is_outside(name) {
            found.extend(self.declaring(name).map(Source::Own));
        }
        found
    }

    /// What is known of the package classes of this name, in the versions that the project has.
    pub(super) fn shipped(&self, name: &str) -> Vec<Source<'_>> {
        let version = |name: &str| {
            let packages = &self.sources.packages;
            let packages = packages.get_or_init(|| packages::read(&self.project.root));
            let found = packages.installed.iter().find(|package| package.name == name)?;
            Some(found.version_text().to_owned()).filter(|version| !version.is_empty())
        };
        let has = Has { unity: &self.unity.settings.version.text, package: &version };
        shipped(name, &has).into_iter().map(Source::Shipped).collect()
    }

    /// The sources that may declare a type of this name, whatever they are called.
    pub(super) fn declaring(&self, name: &str) -> impl Iterator<Item = Asset<'_>> {
        let all = self.sources.by_type.get_or_init(|| self.sources_by_type());
        let found = all.get(name).into_iter().flatten();
        found.filter_map(|guid| Some(self.source(*guid)?.0))
    }

    fn sources_by_type(&self) -> BTreeMap<String, Vec<Guid>> {
        let assets = self.index.assets();
        let sources: Vec<_> = assets.filter(|asset| asset.name().ends_with(".cs")).collect();
        let names: Vec<_> = sources
            .into_par_iter()
            .filter_map(|source| Some((source.guid()?, self.type_names(source)?)))
            .collect();
        let mut all: BTreeMap<String, Vec<Guid>> = BTreeMap::new();
        for (guid, names) in names {
            for name in names.iter() {
                all.entry(name.to_string()).or_default().push(guid);
            }
        }
        all
    }

    fn type_names(&self, source: Asset<'_>) -> Option<Arc<[Box<str>]>> {
        let stamp = (source.size(), source.modified());
        let guid = source.guid()?;
        let TypeNames(known) = &self.unity.type_names;
        let found = known.read().unwrap_or_else(PoisonError::into_inner).get(&guid).cloned();
        if let Some((_, names)) = found.filter(|(known, _)| *known == stamp) {
            return Some(names);
        }
        let text = read(source)?;
        let names: Arc<[Box<str>]> = type_names(&text).into_iter().map(Box::from).collect();
        let mut known = known.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(guid, (stamp, names.clone()));
        Some(names)
    }

    fn sources_by_stem(&self) -> BTreeMap<String, Vec<Guid>> {
        let mut stems: BTreeMap<String, Vec<Guid>> = BTreeMap::new();
        for asset in self.index.assets() {
            if let (Some(stem), Some(guid)) = (asset.name().strip_suffix(".cs"), asset.guid()) {
                stems.entry(stem.to_owned()).or_default().push(guid);
            }
        }
        stems
    }
}

/// The names in the types of fields that may be saved, of the files from `done` on: not of objects
/// that fields refer to. The first files are the script and its bases.
fn names_of_fields(files: &[ScriptFile], done: usize) -> BTreeSet<String> {
    let set = ScriptSet::new(files);
    let mut names = BTreeSet::new();
    for file in &files[done..] {
        for decl in file.all_types() {
            if done > 0 && set.unity_base(TypeRef { file, decl }).is_object() {
                continue;
            }
            let fields = decl.fields.iter().filter(|field| may_be_saved(field));
            let properties = decl.properties.iter().filter(|property| has_saved_field(property));
            let types =
                fields.map(|field| &field.ty).chain(properties.map(|property| &property.ty));
            names.extend(types.flat_map(|ty| words(ty)).map(str::to_owned));
        }
    }
    names
}

fn may_be_saved(field: &Field) -> bool {
    let modifiers = field.about.modifiers;
    let is_fixed = modifiers.has(Modifier::Static) || modifiers.has(Modifier::Const);
    let is_asked = || field.about.attributes.iter().any(asks_to_save);
    !is_fixed && (modifiers.has(Modifier::Public) || is_asked())
}

fn has_saved_field(property: &Property) -> bool {
    let mut attributes = property.about.attributes.iter();
    property.auto
        && attributes.any(|one| one.target.as_deref() == Some("field") && asks_to_save(one))
}

fn asks_to_save(attribute: &Attribute) -> bool {
    attribute.is("SerializeField") || attribute.is("SerializeReference")
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|word| !word.is_empty())
}
