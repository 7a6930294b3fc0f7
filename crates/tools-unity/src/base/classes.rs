//! What the engine of edits asks about classes: names, members of C#, layers and tags.

use std::sync::{Arc, OnceLock};

use scenewright_unity::edit::rules::ScriptRules;
use scenewright_unity::edit::scene::{Classes, ManagedClass, Method, Methods, NewClass, Property};
use scenewright_unity::edit::{ScriptFields, enums};
use scenewright_unity::hierarchy::Component;
use scenewright_unity::index::Asset;
use scenewright_unity::script::{
    ClassIdentifier, package_component_named, package_components, simple_name,
};
use scenewright_unity::{ClassId, FileId, Guid, Reference, Tags, types};
use scenewright_world::types::{Source, Types};

use super::Unity;
use super::native::native_name;

/// Classes of components that others derive from, and of which no object is.
const ABSTRACT: [&str; 15] = [
    "AnchoredJoint2D",
    "AudioBehaviour",
    "AudioFilter",
    "Behaviour",
    "Collider",
    "Collider2D",
    "Component",
    "Effector2D",
    "GridLayout",
    "GUIElement",
    "Joint",
    "Joint2D",
    "ParticleEmitter",
    "PhysicsUpdateBehaviour2D",
    "Renderer",
];

/// The script in a C# file.
const SCRIPT: FileId = FileId(11_500_000);

/// The classes of a project, for changes of its files.
pub struct ProjectClasses<'u> {
    unity: &'u Unity<'u>,
    tags: OnceLock<Option<Tags>>,
}

impl<'u> ProjectClasses<'u> {
    /// The classes of a project.
    pub fn new(unity: &'u Unity<'u>) -> Self {
        Self { unity, tags: OnceLock::new() }
    }

    fn tags_read(&self) -> Option<&Tags> {
        let read = || self.unity.tags().filter(|tags| tags.is_there);
        self.tags.get_or_init(read).as_ref()
    }

    /// A script of the project whose class has this name.
    fn own_script(&self, wanted: &str) -> Option<(Guid, String)> {
        let short = simple_name(wanted);
        let named = self.unity.index.assets().filter(|asset| {
            asset.name().strip_suffix(".cs").is_some_and(|stem| stem.eq_ignore_ascii_case(short))
        });
        let mut found = None;
        for asset in named {
            let Some(guid) = asset.guid() else { continue };
            let Some(full) = self.unity.class_of_source(asset) else { continue };
            let is_it = match wanted.contains('.') {
                true => full.eq_ignore_ascii_case(wanted),
                false => true,
            };
            let script = Reference { file_id: SCRIPT, guid: Some(guid), kind: 3 };
            if is_it && found.is_none() && self.unity.is_component(script) {
                found = Some((guid, full));
            }
        }
        found
    }

    /// The project's own component classes that derive from another.
    fn deriving(&self, base: &str) -> Vec<String> {
        let scripts = self.unity.index.assets().filter(|asset| asset.name().ends_with(".cs"));
        let derives = |asset: Asset<'_>| {
            let script = Reference { file_id: SCRIPT, guid: Some(asset.guid()?), kind: 3 };
            let is_one = self.unity.script_is(script, base) == Some(true)
                && self.unity.is_component(script)
                && !self.unity.is_abstract(script);
            is_one.then(|| asset.name().trim_end_matches(".cs").to_owned())
        };
        scripts.filter_map(derives).collect()
    }
}

impl Classes for ProjectClasses<'_> {
    fn names(&self, component: &Component<'_>) -> (String, String) {
        let name = self.unity.component_name(component).into_owned();
        let full =
            self.unity.full_class_name(component).unwrap_or_else(|| match component.script() {
                Some(_) => name.clone(),
                None => native_name(&name).to_string(),
            });
        (name, full)
    }

    fn native_name(&self, class: &str) -> String {
        native_name(class).to_string()
    }

    fn script_name(&self, script: Reference, identifier: &str) -> Option<String> {
        let noted = ClassIdentifier::parse(identifier);
        let noted = noted.map(|noted| match noted.namespace {
            "" => noted.name.to_owned(),
            space => format!("{space}.{}", noted.name),
        });
        self.unity.class_of_script(script).or(noted)
    }

    fn find(&self, name: &str) -> Result<NewClass, Vec<String>> {
        let short = simple_name(name.trim());
        if let Some((guid, full)) = self.own_script(name.trim()) {
            let script = Reference { file_id: SCRIPT, guid: Some(guid), kind: 3 };
            if self.unity.is_abstract(script) {
                return Err(self.deriving(&full));
            }
            let name = simple_name(&full).to_owned();
            return Ok(NewClass { class: ClassId::MONO_BEHAVIOUR, name, script: Some(script) });
        }
        let component = ClassId::find("Component").unwrap_or(ClassId(2));
        let version = self.unity.version();
        let is_usable = |class: &ClassId| {
            class.is_a(component)
                && !class.name().is_some_and(|name| ABSTRACT.contains(&name))
                && *class != ClassId::MONO_BEHAVIOUR
                && types::tree(*class, version).is_some()
        };
        let exact = types::class_named(short).filter(is_usable);
        let any_case = || {
            ClassId::all()
                .find(|class| class.name().is_some_and(|name| name.eq_ignore_ascii_case(short)))
                .filter(is_usable)
        };
        if let Some(class) = exact.or_else(any_case) {
            let name = class.name().unwrap_or(short).to_owned();
            return Ok(NewClass { class, name, script: None });
        }
        if let Some((guid, name)) = package_component_named(name.trim()) {
            let script = Some(Reference { file_id: SCRIPT, guid: Some(Guid(guid)), kind: 3 });
            let name = name.to_owned();
            return Ok(NewClass { class: ClassId::MONO_BEHAVIOUR, name, script });
        }
        let native = ClassId::all().filter(is_usable);
        if let Some(base) = types::class_named(short).filter(|class| class.is_a(component)) {
            // Of an abstract class, what derives from it.
            let derived: Vec<String> = native
                .filter(|class| class.is_a(base))
                .filter_map(ClassId::name)
                .map(str::to_owned)
                .collect();
            if !derived.is_empty() {
                return Err(derived);
            }
        }
        let native = ClassId::all().filter(is_usable).filter_map(ClassId::name);
        let mut known: Vec<String> =
            native.chain(package_components()).map(str::to_owned).collect();
        let sources = self.unity.index.assets();
        known.extend(
            sources.filter_map(|asset| asset.name().strip_suffix(".cs")).map(str::to_owned),
        );
        // A script of that name is no component.
        known.retain(|known| known != short);
        known.sort_unstable();
        known.dedup();
        Err(known)
    }

    fn is_abstract(&self, name: &str) -> bool {
        match self.own_script(name.trim()) {
            Some((guid, _)) => {
                let script = Reference { file_id: SCRIPT, guid: Some(guid), kind: 3 };
                self.unity.is_abstract(script)
            }
            None => types::class_named(simple_name(name.trim()))
                .and_then(ClassId::name)
                .is_some_and(|class| ABSTRACT.contains(&class) || class == "MonoBehaviour"),
        }
    }

    fn property(&self, class: &str, name: &str) -> Option<Property> {
        let natives = Types::natives();
        let member = natives.member(class, name).or_else(|| {
            let known = natives.members(class);
            known.into_iter().find(|member| member.name.eq_ignore_ascii_case(name))
        });
        if let Some(member) = member
            && let Source::Saved(path) = &member.source
        {
            return Some(Property {
                path: path.to_string(),
                members: members_of(&member.type_name),
            });
        }
        let short = simple_name(class);
        let (path, ty) = types::property_field(short, name)?;
        Some(Property { path: path.to_owned(), members: members_of(ty) })
    }

    fn enum_of(&self, class: &str, field: &str) -> Option<Vec<(String, i64)>> {
        let natives = Types::natives();
        let member = natives
            .members(class)
            .into_iter()
            .find(|member| matches!(&member.source, Source::Saved(path) if **path == *field));
        let of_member = member.and_then(|member| members_of(&member.type_name));
        let short = simple_name(class);
        let of_property = || members_of(types::property_of(short, field)?.1);
        let of_engine = || members_of(enums::of_field(ClassId::find(short)?, field)?);
        let members = of_member.or_else(of_property).or_else(of_engine);
        members.map(|members| members.to_vec())
    }

    fn script_fields(&self, script: Reference) -> Option<ScriptFields> {
        self.unity.script_fields(script)
    }

    fn script_rules(&self, script: Reference) -> ScriptRules {
        self.unity.script_rules(script)
    }

    fn methods(&self, script: Reference) -> Option<Methods> {
        self.unity.script_methods(script)
    }

    fn setters(&self, class: &str) -> Vec<Method> {
        let chain = Types::natives().chain(class);
        let members = chain.flat_map(|ty| ty.members.iter().map(move |member| (ty, member)));
        let setters = members.filter(|(_, member)| member.can_write && !member.is_static);
        let setters = setters.map(|(ty, member)| Method {
            name: format!("set_{}", member.name),
            takes: vec![member.type_name.to_string()],
            of: ty.full_name.to_string(),
        });
        setters.collect()
    }

    fn script_is(&self, script: Reference, class: &str) -> Option<bool> {
        self.unity.script_is(script, class)
    }

    fn managed(&self, name: &str) -> Option<ManagedClass> {
        self.unity.managed_class(name)
    }

    fn assembly(&self, script: Reference) -> String {
        self.unity.assembly_of(script)
    }

    fn layer(&self, name: &str) -> Option<u32> {
        let layers = self.layers();
        let at =
            layers.iter().position(|known| known.eq_ignore_ascii_case(name) && !name.is_empty());
        at.and_then(|at| u32::try_from(at).ok())
    }

    fn layers(&self) -> Vec<String> {
        self.tags_read().and_then(|tags| tags.layers.clone()).unwrap_or_default()
    }

    fn sorting_layers(&self) -> Vec<(String, i64)> {
        self.tags_read().map(|tags| tags.sorting.clone()).unwrap_or_default()
    }

    fn tags(&self) -> Vec<String> {
        self.tags_read().map(|tags| tags.all().map(str::to_owned).collect()).unwrap_or_default()
    }
}

fn members_of(enum_name: &str) -> Option<Arc<Vec<(String, i64)>>> {
    if let Some(known) = Types::natives().get_enum(enum_name) {
        let members = known.members.iter().map(|(name, number)| (name.to_string(), *number));
        return Some(Arc::new(members.collect()));
    }
    let members = enums::members(simple_name(enum_name))?.iter();
    Some(Arc::new(members.map(|(name, number)| ((*name).to_owned(), *number)).collect()))
}
