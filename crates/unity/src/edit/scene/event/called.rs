//! What a call of an event calls: the methods of its target, as far as they are known.

use serde_json::Value;

use super::engine::{self, Engine};
use super::short;
use super::takes::{Passed, mode_for, mode_of, passed, reaches};
use crate::edit::kind::Kind;
use crate::edit::scene::fields::Owner;
use crate::edit::scene::{Classes, Editor, Held, Method, Refusal, Seen};
use crate::hierarchy::Stated;
use crate::script::package_script;
use crate::{Reference, types};

/// What scripts on objects derive from.
const ABOVE_SCRIPTS: [&str; 4] = ["MonoBehaviour", "Behaviour", "Component", "Object"];

/// What a call calls.
pub(super) struct Called {
    pub(super) target: Reference,
    /// The class of the target, without its namespace.
    class: String,
    /// The methods of that name; none where that cannot be known.
    methods: Vec<Method>,
    /// The classes of the target and their assemblies.
    classes: Vec<(String, String)>,
    /// What the saved field holds that a setter probably sets.
    field: Option<String>,
    /// Why the methods of the target are not known.
    lacks: Option<&'static str>,
    /// Whether there may be more methods of that name.
    is_open: bool,
}

/// What is known of a class and its bases.
struct Known {
    class: String,
    classes: Vec<(String, String)>,
    methods: Vec<Method>,
    /// So many of them are of sources; of the others all of a name are known.
    own: usize,
    /// Why these are not all methods.
    lacks: Option<&'static str>,
}

impl Editor<'_> {
    /// What a call calls. Of an object that has no such method, the one component that has it.
    pub(super) fn called(&mut self, target: Reference, method: &str) -> Result<Called, Refusal> {
        if target.guid.is_some() || target.is_null() {
            return Ok(Called::free(target));
        }
        let classes = self.project.classes;
        let node = self.tree().find_by_id(target.file_id);
        let Some(seen) = node.and_then(|node| Seen::of(&node, classes).ok()) else {
            return Ok(Called::free(target));
        };
        if let Some(held) = seen.components.iter().find(|held| held.id == target.file_id) {
            return self.called_of(target, &seen, held, method);
        }
        let object = Known::of_engine(&["GameObject", "Object"], classes);
        if object.has(method) {
            return object.called(target, method);
        }
        let has = |held: &&Held| Known::of(held, classes).has(method);
        let found: Vec<&Held> = seen.components.iter().filter(has).collect();
        let [held] = found.as_slice() else {
            let names = seen.components.iter().map(|held| held.name.as_str()).collect::<Vec<_>>();
            let text = format!("a GameObject has no method {method}");
            let hint = format!(
                "name the component: {{\"object\": path, \"component\": class}}; {} has {}",
                seen.path,
                names.join(", ")
            );
            return Err(Refusal::new(text).hint(hint));
        };
        let to = match held.at {
            Stated::Here(id) => id,
            Stated::Override { instance, target } => self.stand_in(instance, target, held.id)?,
        };
        self.called_of(Reference { file_id: to, ..target }, &seen, held, method)
    }

    fn called_of(
        &mut self,
        target: Reference,
        seen: &Seen,
        held: &Held,
        method: &str,
    ) -> Result<Called, Refusal> {
        let called = Known::of(held, self.project.classes).called(target, method)?;
        let field = match called.methods.is_empty() {
            true => self.field_set_by(&Owner::of_component(seen, held), method),
            false => None,
        };
        Ok(Called { field, ..called })
    }

    /// The type of the saved field that a setter probably sets, where it decides how an argument is
    /// passed: `24` is a float to a property of floats.
    fn field_set_by(&mut self, owner: &Owner, method: &str) -> Option<String> {
        let known = self.field(owner, method.strip_prefix("set_")?).ok()?;
        match known.kind {
            Kind::Float => Some("float".to_owned()),
            Kind::Bool => Some("bool".to_owned()),
            Kind::Reference(class) => class,
            _ => None,
        }
    }
}

impl Known {
    fn of(held: &Held, classes: &dyn Classes) -> Known {
        let Some(script) = held.script else {
            let names = types::bases(held.class.name().unwrap_or(&held.name));
            return Known { class: held.name.clone(), ..Known::of_engine(&names, classes) };
        };
        let above = Known::of_engine(&ABOVE_SCRIPTS, classes);
        let known = classes.methods(script).unwrap_or_default();
        let is_of_package = script.guid.is_some_and(|guid| package_script(guid.0).is_some());
        let lacks = match (known.is_whole, is_of_package) {
            (true, _) => None,
            (false, true) => Some("its package has no files here"),
            (false, false) => Some("not all of its methods can be known here"),
        };
        let mut own = known.classes;
        if own.is_empty() {
            own.push((held.full.clone(), classes.assembly(script)));
        }
        let names: Vec<&str> = own.iter().map(|(full, _)| full.as_str()).collect();
        let mut methods = known.all;
        let count = methods.len();
        // A source that is here knows better.
        if lacks.is_some() {
            methods.extend(of_engine(&names, classes).methods);
        }
        methods.extend(above.methods);
        own.extend(above.classes);
        Known { class: held.name.clone(), classes: own, methods, own: count, lacks }
    }

    /// The same of a class of the engine; its name and those of its bases are without namespaces.
    fn of_engine(names: &[&str], classes: &dyn Classes) -> Known {
        // Two of the bases no C# has.
        let is_class = |name: &&&str| !matches!(**name, "EditorExtension" | "NamedObject");
        let full = names.iter().filter(is_class).map(|name| classes.native_name(name));
        let full: Vec<String> = full.collect();
        let known = of_engine(&full.iter().map(String::as_str).collect::<Vec<_>>(), classes);
        let lacks = "not all methods of the engine are known here";
        Known {
            class: names.first().copied().unwrap_or_default().to_owned(),
            classes: full.into_iter().map(|full| (full, "UnityEngine".to_owned())).collect(),
            methods: known.methods,
            own: 0,
            lacks: (!known.is_whole).then_some(lacks),
        }
    }

    fn has(&self, method: &str) -> bool {
        self.methods.iter().any(|known| known.name == method)
    }

    /// A call of the method that has this name; refused where it is known that there is none.
    fn called(self, target: Reference, method: &str) -> Result<Called, Refusal> {
        if self.lacks.is_none() && !self.has(method) {
            let known = self.methods.into_iter().filter(|known| known.takes.len() < 2);
            let mut known: Vec<String> = known.map(|known| known.name).collect();
            known.dedup();
            let text = format!("{} has no method {method}", self.class);
            return Err(Refusal::new(text).choices(method, known));
        }
        let mut own = self.methods.iter().take(self.own);
        let is_open = self.lacks.is_some() && own.any(|known| known.name == method);
        let methods = self.methods.into_iter().filter(|known| known.name == method).collect();
        let (class, classes, lacks) = (self.class, self.classes, self.lacks);
        Ok(Called { target, class, methods, classes, field: None, lacks, is_open })
    }
}

/// What the tables have of classes of the engine, by their full names, the nearest first.
fn of_engine(full: &[&str], classes: &dyn Classes) -> Engine {
    let mut all = Engine { is_whole: true, methods: Vec::new() };
    for class in full {
        let one = engine::declared(class);
        all.is_whole &= one.is_whole;
        all.methods.extend(one.methods);
    }
    let setters = full.iter().map(|class| classes.setters(class));
    let setters = setters.into_iter().find(|setters| !setters.is_empty()).unwrap_or_default();
    for setter in setters {
        if !all.methods.iter().any(|known| known.name == setter.name) {
            all.methods.push(setter);
        }
    }
    all
}

impl Called {
    /// Of a target that is not looked into.
    fn free(target: Reference) -> Called {
        Called {
            target,
            class: String::new(),
            methods: Vec::new(),
            classes: Vec::new(),
            field: None,
            lacks: None,
            is_open: true,
        }
    }

    /// How an argument is passed, and the method that takes it so, where that is known.
    pub(super) fn mode(
        &self,
        method: &str,
        argument: Option<&Value>,
        given: Option<i64>,
    ) -> Result<(i64, Option<&Method>), Refusal> {
        // Nothing is an object, too, where one is taken.
        if let (Some(Value::Null), None) = (argument, given) {
            let takes_one = |ty: &str| matches!(passed(ty), Passed::As(2) | Passed::Unknown);
            let is_one = |known: &&Method| matches!(&*known.takes, [ty] if takes_one(ty));
            let known = self.methods.iter().find(is_one);
            let field = self.field.as_deref().filter(|_| self.methods.is_empty());
            if known.is_some() || field.is_some_and(takes_one) {
                return Ok((2, known));
            }
        }
        let argument = argument.filter(|argument| !argument.is_null());
        let by_field = || mode_for(self.field.as_deref()?, argument?);
        let fits = |known: &&Method| match (given, known.takes.as_slice(), argument) {
            (Some(mode), takes, _) => reaches(mode, takes).then_some(mode),
            (None, [], None) => Some(1),
            (None, [ty], Some(argument)) => mode_for(ty, argument),
            _ => None,
        };
        let mut fitting = self.methods.iter().filter_map(|known| Some((fits(&known)?, known)));
        if let Some((mode, known)) = fitting.next() {
            return Ok((mode, Some(known)));
        }
        if self.methods.is_empty() || self.is_open {
            return Ok((given.or_else(by_field).unwrap_or_else(|| mode_of(argument)), None));
        }
        Err(self.misfit(method, argument, given))
    }

    fn misfit(&self, method: &str, argument: Option<&Value>, given: Option<i64>) -> Refusal {
        let all: Vec<String> = self.methods.iter().map(shown).collect();
        let given = match (argument, given) {
            (_, Some(mode)) => {
                let name = super::MODES.iter().find(|(_, number)| *number == mode);
                format!("the mode {}", name.map_or("0", |(name, _)| name))
            }
            (Some(argument), None) => argument.to_string(),
            (None, None) => "no argument".to_owned(),
        };
        let text = format!("{} has {}, and is given {given}", self.class, all.join(" and "));
        let mut never = self.methods.iter().filter(|known| known.takes.len() == 1);
        let hint = match never.clone().all(|known| passed(&known.takes[0]) == Passed::Never) {
            true => never.next().map(|known| {
                let ty = spelt(&known.takes[0]);
                format!(
                    "UnityEvents cannot pass a {ty}; call a method of a script that does {method}"
                )
            }),
            false => None,
        };
        Refusal::new(text).hint(hint.unwrap_or_else(|| {
            "give an argument that fits; \"mode\": \"EventDefined\" passes what the event itself has"
                .to_owned()
        }))
    }

    /// The class of the object that a method takes.
    pub(super) fn takes<'c>(&'c self, found: Option<&'c Method>) -> Option<&'c str> {
        let ty = found.and_then(|found| found.takes.first()).or(self.field.as_ref());
        ty.map(String::as_str).filter(|ty| matches!(passed(ty), Passed::As(2) | Passed::Unknown))
    }

    /// The class that declares a method, with its assembly.
    pub(super) fn class_of(&self, found: &Method) -> String {
        let known = self.classes.iter().find(|(full, _)| *full == found.of);
        let assembly = known.map_or_else(|| engine::assembly(&found.of), |(_, assembly)| assembly);
        format!("{}, {assembly}", found.of)
    }

    /// What is not known of the call, where no method was found that takes it.
    pub(super) fn remark(&self, method: &str, found: Option<&Method>) -> Option<String> {
        let lacks = self.lacks.filter(|_| found.is_none())?;
        let class = &self.class;
        Some(format!(
            "whether {class} has a {method} that takes this could not be verified, for {lacks}; where it has none, Unity calls nothing"
        ))
    }
}

/// A method as C# spells it.
fn shown(method: &Method) -> String {
    let types: Vec<&str> = method.takes.iter().map(|ty| spelt(ty)).collect();
    format!("{}({})", method.name, types.join(", "))
}

fn spelt(ty: &str) -> &str {
    match short(ty) {
        "Single" => "float",
        "Int32" => "int",
        "Boolean" => "bool",
        "String" => "string",
        short => short,
    }
}
