//! What a script class derives from, followed through the files of a set, and which class of a file
//! Unity takes.

use super::{Modifier, ScriptFile, ScriptKind, ScriptSet, TypeKind, TypeRef, engine, known, set};

/// Which of Unity's script classes a type derives from.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are Unity's own")]
pub enum UnityBase {
    MonoBehaviour,
    ScriptableObject,
    StateMachineBehaviour,
    Editor,
    EditorWindow,
    /// Another class of the engine or a package that assets can refer to.
    OtherObject,
    /// None of them.
    None,
    /// The base of that name is in no file that was given and in no table.
    Unknown(String),
}

impl UnityBase {
    /// Whether a field of the type is a reference to an object.
    pub fn is_object(&self) -> bool {
        !matches!(self, UnityBase::None | UnityBase::Unknown(_))
    }
}

/// The class that a script asset stands for.
#[derive(Debug, Clone)]
pub struct MainType<'a> {
    /// Its declaration in the file.
    pub ty: TypeRef<'a>,
    /// Why it is this one.
    pub rule: MainTypeRule,
    /// What it derives from; only a Unity object can be attached or saved as an asset.
    pub base: UnityBase,
}

/// How the class of a script asset was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MainTypeRule {
    /// The class has the name of the file, which every version of Unity accepts.
    FileName,
    /// It is the only component or asset class of the file; Unity 6 accepts this, older ones not.
    OnlyCandidate,
}

/// The first version that binds a script to its only class, whatever the file is called.
pub const BINDS_BY_CLASS: (u32, u32) = (2023, 1);

/// The class that Unity binds to a source, with its namespace. A base that another file declares
/// may be a component: where it stands alone, it is one, or nothing could be a component of it.
pub fn main_class(text: &str, stem: &str) -> Option<String> {
    let file = super::parse_declarations(text);
    let set = ScriptSet::new([&file]);
    if let Some(main) = set.main_type(&file, stem) {
        return Some(main.ty.decl.full_name());
    }
    let mut derived = file.types.iter().filter(|decl| {
        let base = set.unity_base(TypeRef { file: &file, decl });
        decl.type_parameters.is_empty() && matches!(base, UnityBase::Unknown(_))
    });
    let only = derived.next()?;
    derived.next().is_none().then(|| only.full_name())
}

/// A class without its namespace and the classes around it.
pub fn simple_name(full: &str) -> &str {
    full.rsplit(['.', '/', '+']).next().unwrap_or(full)
}

impl<'a> ScriptSet<'a> {
    /// The class that Unity binds to the asset of a file with this name (without `.cs`).
    pub fn main_type(&self, file: &'a ScriptFile, file_stem: &str) -> Option<MainType<'a>> {
        let classes = || {
            let classes =
                file.types.iter().filter(|t| matches!(t.kind, TypeKind::Class | TypeKind::Record));
            classes.filter(|t| t.type_parameters.is_empty()).map(|decl| TypeRef { file, decl })
        };
        let main = |ty, rule| MainType { ty, rule, base: self.unity_base(ty) };
        // Of two with the name, the one that can be a component wins.
        let named: Vec<_> = classes().filter(|ty| ty.decl.name == file_stem).collect();
        let object = named.iter().copied().find(|ty| self.unity_base(*ty).is_object());
        if let Some(ty) = object.or(named.first().copied()) {
            return Some(main(ty, MainTypeRule::FileName));
        }
        let mut objects = classes().filter(|ty| {
            !ty.decl.about.modifiers.has(Modifier::Partial) && self.unity_base(*ty).is_object()
        });
        let only = objects.next()?;
        objects.next().is_none().then(|| main(only, MainTypeRule::OnlyCandidate))
    }

    /// What a type derives from, following its bases through the files of the set.
    pub fn unity_base(&self, ty: TypeRef<'a>) -> UnityBase {
        let mut ty = ty;
        // Longer chains are circles.
        for _ in 0..64 {
            match self.base_class(ty) {
                Base::Here(next) => ty = next,
                Base::Ends(base) => return base,
            }
        }
        UnityBase::Unknown(ty.decl.name.clone())
    }

    /// The types a type derives from in the set, the nearest first, without interfaces.
    pub fn base_types(&self, ty: TypeRef<'a>) -> Vec<TypeRef<'a>> {
        let mut chain = Vec::new();
        let mut ty = ty;
        while let Base::Here(next) = self.base_class(ty)
            && chain.len() < 64
        {
            chain.push(next);
            ty = next;
        }
        chain
    }

    /// Whether a name in a list of bases is an interface, by its declaration or else by its look.
    pub(super) fn is_interface(&self, name: &str, from: TypeRef<'a>) -> bool {
        match self.find(name, from).first() {
            Some(found) => found.decl.kind == TypeKind::Interface,
            None => matches!(library_base(name), UnityBase::Unknown(_)) && is_interface_name(name),
        }
    }

    fn base_class(&self, ty: TypeRef<'a>) -> Base<'a> {
        if !matches!(ty.decl.kind, TypeKind::Class | TypeKind::Record) {
            return Base::Ends(UnityBase::None);
        }
        let mut unknown = None;
        for part in self.parts(ty) {
            // A class comes before the interfaces, if there is one.
            let Some(name) = part.decl.bases.first() else { continue };
            if let Some(found) = self.find(name, part).into_iter().next() {
                match found.decl.kind {
                    TypeKind::Class | TypeKind::Record => return Base::Here(found),
                    _ => continue,
                }
            }
            match library_base(name) {
                UnityBase::Unknown(_) if is_interface_name(name) => {}
                UnityBase::Unknown(name) => unknown = Some(name),
                base => return Base::Ends(base),
            }
        }
        Base::Ends(unknown.map_or(UnityBase::None, UnityBase::Unknown))
    }
}

enum Base<'a> {
    Here(TypeRef<'a>),
    Ends(UnityBase),
}

/// What a class outside the project derives from, by its name.
pub(super) fn library_base(name: &str) -> UnityBase {
    let (path, _) = set::path_and_arity(name);
    let simple = path.rsplit('.').next().unwrap_or(&path);
    if let Some(base) = engine::base(simple) {
        return base;
    }
    match known::class_kind(&path) {
        Some(ScriptKind::MonoBehaviour) => UnityBase::MonoBehaviour,
        Some(ScriptKind::ScriptableObject) => UnityBase::ScriptableObject,
        Some(ScriptKind::Other) => UnityBase::OtherObject,
        None => UnityBase::Unknown(name.to_owned()),
    }
}

/// Whether a type of this simple name is one of C#, the engine or a package that is known, so that no
/// source needs to be looked for.
pub fn is_outside(name: &str) -> bool {
    const OF_CSHARP: [&str; 13] = [
        "string",
        "String",
        "object",
        "void",
        "dynamic",
        "List",
        "Dictionary",
        "HashSet",
        "Action",
        "Func",
        "ISerializationCallbackReceiver",
        "IEnumerator",
        "IEnumerable",
    ];
    OF_CSHARP.contains(&name)
        || engine::is_primitive(name)
        || engine::is_value(name)
        || engine::is_enum(name)
        || engine::is_object(name)
        || engine::is_never_saved(name)
        || !matches!(library_base(name), UnityBase::Unknown(_))
}

/// Whether a name looks like that of an interface.
pub fn is_interface_name(name: &str) -> bool {
    let (path, _) = set::path_and_arity(name);
    let mut letters = path.rsplit('.').next().unwrap_or_default().chars();
    letters.next() == Some('I') && letters.next().is_some_and(char::is_uppercase)
}
