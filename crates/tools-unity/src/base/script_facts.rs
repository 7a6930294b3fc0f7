//! What the source of a script says about its components: saved fields, and what they need.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use scenewright_unity::asmdef::Assembly;
use scenewright_unity::edit::ScriptFields;
use scenewright_unity::edit::rules::{self, ScriptRules};
use scenewright_unity::edit::scene::{ManagedClass, Method, Methods};
use scenewright_unity::edit::script_fields::{Missing, Unknown, component_values, field_kinds};
use scenewright_unity::index::Asset;
use scenewright_unity::packages::Packages;
use scenewright_unity::script::{
    MethodKind, Modifier, ScriptFile, ScriptSet, TypeDecl, TypeKind, TypeRef, UnityBase,
    is_outside, package_component_named, simple_name,
};
use scenewright_unity::types::Version;
use scenewright_unity::{FileId, Guid, Reference, types};

use super::Unity;
use super::around::Source;

/// By script; nothing where its source is not here.
type KnownFields = HashMap<(Option<Guid>, FileId), Option<ScriptFields>>;

/// What was read of the sources for one call: many changes of it ask about the same scripts.
#[derive(Default)]
pub(super) struct Sources {
    pub(super) by_stem: OnceLock<BTreeMap<String, Vec<Guid>>>,
    pub(super) by_type: OnceLock<BTreeMap<String, Vec<Guid>>>,
    pub(super) packages: OnceLock<Packages>,
    /// A source and what it mentions, by its guid.
    around: Mutex<HashMap<Guid, Arc<Vec<ScriptFile>>>>,
    fields: Mutex<KnownFields>,
}

/// What is known already, or is now. Whoever asks at the same moment finds it out as well: to wait
/// would take longer.
fn known<K: std::hash::Hash + Eq, V: Clone>(
    all: &Mutex<HashMap<K, V>>,
    key: K,
    find: impl FnOnce() -> V,
) -> V {
    let open = || all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = open().get(&key) {
        return found.clone();
    }
    let found = find();
    open().insert(key, found.clone());
    found
}

impl Unity<'_> {
    /// The project's version of Unity; the newest when it does not say.
    pub fn version(&self) -> Version {
        Version::parse(&self.unity.settings.version.text).unwrap_or(Version::NEWEST)
    }

    /// The saved fields of a script, bases first; nothing when its source is not here.
    pub fn script_fields(&self, script: Reference) -> Option<ScriptFields> {
        known(&self.sources.fields, (script.guid, script.file_id), || {
            self.with_script(script, |set, ty| self.fields_of(set, ty))
        })
    }

    fn fields_of<'s>(&self, set: &ScriptSet<'s>, ty: TypeRef<'s>) -> ScriptFields {
        let version = self.version();
        let (values, unknown, does_more) = component_values(set, ty, version);
        let missing = unknown.iter().map(left_out).collect();
        let is_whole = !unknown.iter().any(|one| one.what == Missing::Base);
        let kinds = field_kinds(set, ty, version);
        ScriptFields { values, kinds, unknown: missing, does_more, is_whole }
    }

    /// Whether objects can have a script as a component, as far as its source tells.
    pub fn is_component(&self, script: Reference) -> bool {
        let base = self.with_script(script, |set, ty| set.unity_base(ty));
        matches!(base, None | Some(UnityBase::MonoBehaviour | UnityBase::Unknown(_)))
    }

    /// The methods and setters that events can call, of the script itself first.
    pub fn script_methods(&self, script: Reference) -> Option<Methods> {
        self.with_script(script, |set, ty| {
            let mut chain = vec![ty];
            chain.extend(set.base_types(ty));
            // What is shipped of packages is what Unity saves, and nothing of methods.
            let is_own = |at: usize, ty: TypeRef<'_>| match at {
                0 => script.guid.is_some_and(|guid| self.source(guid).is_some()),
                _ => std::ptr::eq(ty.file, chain[0].file) || !self.is_shipped(ty.decl),
            };
            let is_here = chain
                .iter()
                .enumerate()
                .all(|(at, ty)| is_own(at, *ty) && !self.lacks_parts(set, *ty));
            let is_plain = chain.iter().all(|ty| ty.decl.type_parameters.is_empty());
            let ends = chain.last().is_some_and(|last| ends_in_engine(set, *last));
            let classes = self.with_assemblies(script, &chain);
            let parts = chain.iter().flat_map(|ty| set.parts(*ty));
            let all = parts.flat_map(|part| methods_of(part.decl)).collect();
            Methods { all, classes, is_whole: is_here && is_plain && ends }
        })
    }

    /// A script's class and its bases by their full names, and the assembly of each.
    fn with_assemblies(&self, script: Reference, chain: &[TypeRef<'_>]) -> Vec<(String, String)> {
        let own = self.assembly_of(script);
        let mut classes: Vec<(String, String)> = Vec::new();
        for ty in chain {
            let full = ty.decl.full_name();
            let known = (!classes.is_empty()).then(|| self.script_of(&full)).flatten();
            // A base without a file of its name stands beside what derives from it.
            let beside =
                || classes.last().map_or_else(|| own.clone(), |(_, assembly)| assembly.clone());
            let assembly = known.map_or_else(beside, |guid| self.assembly_of(script_at(guid)));
            classes.push((full, assembly));
        }
        classes
    }

    /// Whether a type is known by what is shipped of its package, and not by a source that is here.
    fn is_shipped(&self, decl: &TypeDecl) -> bool {
        let stems = self.sources.by_stem.get();
        let has_file = stems.is_some_and(|stems| stems.contains_key(&decl.name));
        !has_file && !self.shipped(&decl.name).is_empty()
    }

    /// Whether a part of a class stands in a file that was not read.
    fn lacks_parts<'s>(&self, set: &ScriptSet<'s>, ty: TypeRef<'s>) -> bool {
        let is_partial = ty.decl.about.modifiers.has(Modifier::Partial);
        is_partial && self.declaring(&ty.decl.name).count() > set.parts(ty).len()
    }

    /// Whether a script is of a class, or of one that derives from it; nothing where that cannot be known.
    pub fn script_is(&self, script: Reference, class: &str) -> Option<bool> {
        let class = simple_name(class);
        if self.class_of_script(script).is_some_and(|full| simple_name(&full) == class) {
            return Some(true);
        }
        let is_behaviour = matches!(class, "MonoBehaviour" | "Behaviour" | "Component");
        // What has another name here, such as a type parameter, says nothing.
        let is_class = types::class_named(class).is_some()
            || package_component_named(class).is_some()
            || self.declaring(class).next().is_some();
        self.with_script(script, |set, ty| {
            let mut chain = set.base_types(ty);
            chain.insert(0, ty);
            let has = |decl: &TypeDecl| {
                let bases = decl.bases.iter().map(|base| base.split('<').next().unwrap_or(base));
                decl.name == class || bases.map(simple_name).any(|base| base.trim() == class)
            };
            let mut parts = chain.into_iter().flat_map(|ty| set.parts(ty));
            if class == "Object" || parts.any(|part| has(part.decl)) {
                return Some(true);
            }
            match set.unity_base(ty) {
                UnityBase::MonoBehaviour if is_behaviour => Some(true),
                UnityBase::MonoBehaviour | UnityBase::ScriptableObject if is_class => Some(false),
                _ => None,
            }
        })?
    }

    /// What a script asks of the object that it is put on.
    pub fn script_rules(&self, script: Reference) -> ScriptRules {
        let own = self.with_script(script, rules::script_rules);
        own.or_else(|| rules::library_rules(&self.class_of_script(script)?)).unwrap_or_default()
    }

    /// Whether a script's class is abstract.
    pub fn is_abstract(&self, script: Reference) -> bool {
        let is_one = |set: &ScriptSet<'_>, ty: TypeRef<'_>| {
            let mut parts = set.parts(ty).into_iter();
            parts.any(|part| part.decl.about.modifiers.has(Modifier::Abstract))
        };
        self.with_script(script, is_one).unwrap_or_default()
    }

    /// The assembly of a script: that of the nearest definition above it.
    pub fn assembly_of(&self, script: Reference) -> String {
        let usual = || "Assembly-CSharp".to_owned();
        let Some((source, _)) = script.guid.and_then(|guid| self.source(guid)) else {
            let known =
                script.guid.and_then(|guid| scenewright_unity::script::package_script(guid.0));
            return known
                .map_or_else(usual, |known| assembly_of_package(known.package, known.namespace));
        };
        let mut folder = source.folder();
        loop {
            let inside = self.index.under(folder).filter(|asset| asset.folder() == folder);
            let mut definitions = inside.filter(|asset| asset.name().ends_with(".asmdef"));
            if let Some(asset) = definitions.next()
                && let Ok(bytes) = asset.read()
                && let Ok(assembly) = Assembly::parse(&asset.path(), asset.guid(), &bytes)
            {
                return assembly.name;
            }
            match folder.rsplit_once('/') {
                Some((above, _)) => folder = above,
                None => return usual(),
            }
        }
    }

    /// Ask about the type that a script's source declares, with what it refers to by name.
    fn with_script<T>(
        &self,
        script: Reference,
        ask: impl for<'s> FnOnce(&ScriptSet<'s>, TypeRef<'s>) -> T,
    ) -> Option<T> {
        let guid = script.guid?;
        let source = self.source(guid);
        let full = self.class_of_script(script)?;
        let first = match source {
            Some((source, _)) => vec![Source::Own(source)],
            None => self.shipped(simple_name(&full)),
        };
        let files = self.files_around(guid, first);
        let set = ScriptSet::new(files.iter());
        let ty = set.get(&full).first().copied().or_else(|| {
            let first = files.first()?;
            match source {
                Some((_, stem)) => set.main_type(first, stem).map(|main| main.ty),
                // Packages gave classes other namespaces: Cinemachine's with 3.0.
                None => {
                    let decl = first.all_types().find(|decl| decl.name == simple_name(&full))?;
                    Some(TypeRef { file: first, decl })
                }
            }
        })?;
        Some(ask(&set, ty))
    }

    /// Sources and those that declare what they mention, themselves first.
    fn files_around(&self, guid: Guid, first: Vec<Source<'_>>) -> Arc<Vec<ScriptFile>> {
        known(&self.sources.around, guid, || Arc::new(self.read_around(first)))
    }

    /// A type of the project for objects of `[SerializeReference]` fields, by its name with or without
    /// namespace; what it is instead, where there are no such objects of it.
    pub fn managed_class(&self, name: &str) -> Option<ManagedClass> {
        let short = simple_name(name);
        let plain = name.replace(['/', '+'], ".");
        let is_it = |decl: &TypeDecl| {
            let is_type = !matches!(decl.kind, TypeKind::Enum | TypeKind::Delegate);
            is_type && decl.name == short && decl.full_name().ends_with(&plain)
        };
        self.declaring(short).find_map(|source| {
            let files = self.files_around(source.guid()?, vec![Source::Own(source)]);
            let file = files.first()?;
            let decl = file.all_types().find(|decl| is_it(decl))?;
            Some(self.managed_of(source, &ScriptSet::new(files.iter()), TypeRef { file, decl }))
        })
    }

    fn managed_of<'s>(
        &self,
        source: Asset<'_>,
        set: &ScriptSet<'s>,
        ty: TypeRef<'s>,
    ) -> ManagedClass {
        let decl = ty.decl;
        let class = match decl.outer.is_empty() {
            true => decl.name.clone(),
            false => format!("{}/{}", decl.outer.replace('.', "/"), decl.name),
        };
        let script = Reference { file_id: FileId(11_500_000), guid: source.guid(), kind: 3 };
        let (bases, is_whole) = bases(set, ty);
        ManagedClass {
            class,
            namespace: decl.namespace.to_string(),
            assembly: self.assembly_of(script),
            fields: self.fields_of(set, ty),
            bases,
            is_whole,
            instead: no_object(set, ty),
        }
    }
}

fn script_at(guid: Guid) -> Reference {
    Reference { file_id: FileId(11_500_000), guid: Some(guid), kind: 3 }
}

/// Whether the base of a class is one of the engine whose methods are known. Others that count as
/// `MonoBehaviour` for what Unity saves have more of them.
fn ends_in_engine<'s>(set: &ScriptSet<'s>, ty: TypeRef<'s>) -> bool {
    let bases = set.parts(ty).into_iter().flat_map(|part| &part.decl.bases);
    bases
        .map(|base| simple_name(base))
        .any(|base| matches!(base, "MonoBehaviour" | "ScriptableObject"))
}

/// What a part of a class declares. Of a generic one, what does not take its parameters: what those are
/// in the class that derives from it is not looked for, nor how Unity writes its name.
fn methods_of(decl: &TypeDecl) -> Vec<Method> {
    let is_plain = decl.type_parameters.is_empty();
    let of = if is_plain { decl.full_name() } else { String::new() };
    let methods = decl.methods.iter().filter(|one| one.kind == MethodKind::Method);
    let methods = methods.filter(|one| one.type_parameters.is_empty()).map(|one| {
        let types = one.parameters.iter().map(|parameter| parameter.ty.clone());
        (one.name.clone(), types.collect())
    });
    let setters = decl.properties.iter().filter(|one| one.accessors.contains("set"));
    let setters = setters.map(|one| (format!("set_{}", one.name), vec![one.ty.to_string()]));
    let all = methods.chain(setters);
    let all = all.filter(|(_, takes): &(String, Vec<String>)| is_plain || takes.is_empty());
    all.map(|(name, takes)| Method { name, takes, of: of.clone() }).collect()
}

/// What a type is, of which there are no objects of their own.
fn no_object<'s>(set: &ScriptSet<'s>, ty: TypeRef<'s>) -> Option<&'static str> {
    match ty.decl.kind {
        TypeKind::Struct | TypeKind::RecordStruct => Some("a structure"),
        TypeKind::Interface => Some("an interface"),
        _ if set.unity_base(ty).is_object() => Some("a class of Unity objects"),
        _ if ty.decl.about.modifiers.has(Modifier::Abstract) => Some("an abstract class"),
        _ => None,
    }
}

/// What a class is one of, without namespaces, and whether that is all.
fn bases<'s>(set: &ScriptSet<'s>, ty: TypeRef<'s>) -> (Vec<String>, bool) {
    let (mut names, mut is_whole) = (vec![ty.decl.name.clone()], true);
    let mut open = vec![ty];
    while let Some(ty) = open.pop() {
        for part in set.parts(ty) {
            for base in &part.decl.bases {
                let name = simple_name(base.split('<').next().unwrap_or(base)).trim().to_owned();
                if names.contains(&name) {
                    continue;
                }
                let found = set.find(base, part);
                is_whole &= !found.is_empty() || is_outside(&name);
                open.extend(found.first());
                names.push(name);
            }
        }
    }
    (names, is_whole)
}

/// What a new object has no field for, and why.
fn left_out(unknown: &Unknown) -> String {
    match &unknown.what {
        Missing::Base => format!("those of {}", unknown.ty),
        Missing::Field => unknown.path.clone(),
        Missing::Value(text) => format!("{} (= {text})", unknown.path),
    }
}

fn assembly_of_package(package: &str, namespace: &str) -> String {
    match package {
        "com.unity.ugui" if !namespace.starts_with("TMPro") => "UnityEngine.UI".to_owned(),
        "com.unity.textmeshpro" | "com.unity.ugui" => "Unity.TextMeshPro".to_owned(),
        "com.unity.inputsystem" => "Unity.InputSystem".to_owned(),
        _ => "Assembly-CSharp".to_owned(),
    }
}
