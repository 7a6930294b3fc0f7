//! What code can be written against, as far as files tell it: the types and members that C#
//! sources declare, and the names of the engine's native classes. The engine's own documentation
//! is not here.

use std::fmt;

use memchr::memmem;

use crate::ClassId;
use crate::script::{
    About, Method, MethodKind, Modifier, Parameter, Property, ScriptFile, TypeDecl, TypeKind,
};

/// A type or member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub kind: ApiKind,
    /// Its own name.
    pub name: String,
    /// Namespace, types around it and its own name, joined by dots.
    pub title: String,
    /// The declaration, without its body.
    pub signature: String,
    /// The summary of its documentation.
    pub summary: Option<String>,
    /// Code of other assemblies can use it.
    pub is_visible: bool,
    /// The line of the name, from 1; 0 for native classes.
    pub line: u32,
}

/// The kinds of types and members.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are C#'s own")]
pub enum ApiKind {
    Class,
    Struct,
    Interface,
    Enum,
    Delegate,
    Method,
    Property,
    Field,
    Event,
}

impl fmt::Display for ApiKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ApiKind::Class => "class",
            ApiKind::Struct => "struct",
            ApiKind::Interface => "interface",
            ApiKind::Enum => "enum",
            ApiKind::Delegate => "delegate",
            ApiKind::Method => "method",
            ApiKind::Property => "property",
            ApiKind::Field => "field",
            ApiKind::Event => "event",
        })
    }
}

/// The words of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    whole: String,
    /// In lower case; at least one.
    words: Vec<String>,
}

impl Query {
    /// The words of a text, apart at blanks, dots and brackets; nothing when it has none.
    pub fn parse(text: &str) -> Option<Query> {
        let lower = text.trim().to_lowercase();
        let words = lower.split(|c: char| c.is_whitespace() || ".:()<>,".contains(c));
        let words: Vec<String> = words.filter(|w| !w.is_empty()).map(str::to_owned).collect();
        (!words.is_empty()).then_some(Query { whole: lower, words })
    }

    /// Whether a source can declare anything that is looked for; spares reading those that cannot.
    pub fn may_match(&self, source: &[u8]) -> bool {
        let source = source.to_ascii_lowercase();
        // Words of other letters may be spelt in another case.
        let mut plain = self.words.iter().filter(|word| word.is_ascii());
        plain.all(|word| memmem::find(&source, word.as_bytes()).is_some())
    }

    /// How far an entry is from what is looked for: lower is nearer. Nothing when a word occurs
    /// neither in its name nor in its summary.
    pub fn rank(&self, entry: &Entry) -> Option<u32> {
        let (name, title) = (entry.name.to_lowercase(), entry.title.to_lowercase());
        let last = self.words.last()?;
        if !self.words.iter().all(|word| title.contains(word)) {
            let summary = entry.summary.as_deref().unwrap_or_default().to_lowercase();
            let found = self.words.iter().all(|w| title.contains(w) || summary.contains(w));
            return found.then_some(5);
        }
        Some(match () {
            () if name == self.whole || title == self.whole => 0,
            () if name == *last => 1,
            () if name.starts_with(last) => 2,
            () if name.contains(last) => 3,
            () => 4,
        })
    }
}

/// The native classes, by number. Some of them have no counterpart in C#.
pub fn native() -> impl Iterator<Item = Entry> {
    let rows = include_str!("../data/class-ids.tsv").lines();
    rows.filter_map(|row| {
        let class = ClassId(row.split('\t').next()?.parse().ok()?);
        let name = class.name()?;
        let base = class.base().and_then(ClassId::name);
        let derives = base.map(|base| format!(" : {base}")).unwrap_or_default();
        Some(Entry {
            kind: ApiKind::Class,
            name: name.to_owned(),
            title: name.to_owned(),
            signature: format!("native class {name}{derives}"),
            summary: None,
            is_visible: true,
            line: 0,
        })
    })
}

/// Everything that a source declares, types before their members.
pub fn declared(file: &ScriptFile) -> Vec<Entry> {
    let mut entries = Vec::new();
    for decl in file.all_types() {
        entries.push(type_entry(decl));
        let visible = is_visible(decl.access());
        let mut member = |kind, name: &str, about: &About, signature: String| {
            let access = decl.member_access(about.modifiers);
            entries.push(Entry {
                kind,
                name: name.to_owned(),
                title: format!("{}.{name}", decl.full_name()),
                signature: format!("{}{signature}", head(access, about)),
                summary: about.summary.as_deref().map(str::to_owned),
                is_visible: visible && is_visible(access),
                line: about.line,
            });
        };
        for method in &decl.methods {
            member(ApiKind::Method, &method.name, &method.about, method_signature(method));
        }
        for property in &decl.properties {
            let signature = property_signature(property);
            member(ApiKind::Property, &property.name, &property.about, signature);
        }
        for field in &decl.fields {
            let signature = format!("{} {}", field.ty, field.name);
            member(ApiKind::Field, &field.name, &field.about, signature);
        }
        for event in &decl.events {
            let signature = format!("event {} {}", event.ty, event.name);
            member(ApiKind::Event, &event.name, &event.about, signature);
        }
        for value in &decl.enum_members {
            let number = value.value.map(|value| format!(" = {value}")).unwrap_or_default();
            member(ApiKind::Field, &value.name, &value.about, format!("{}{number}", value.name));
        }
    }
    entries
}

fn type_entry(decl: &TypeDecl) -> Entry {
    let (kind, word) = match decl.kind {
        TypeKind::Class => (ApiKind::Class, "class"),
        TypeKind::Record => (ApiKind::Class, "record"),
        TypeKind::Struct => (ApiKind::Struct, "struct"),
        TypeKind::RecordStruct => (ApiKind::Struct, "record struct"),
        TypeKind::Interface => (ApiKind::Interface, "interface"),
        TypeKind::Enum => (ApiKind::Enum, "enum"),
        TypeKind::Delegate => (ApiKind::Delegate, "delegate"),
    };
    let mut signature = format!("{}{word} ", head(decl.access(), &decl.about));
    if let Some(returns) = &decl.returns {
        signature += &format!("{returns} ");
    }
    signature += &format!("{}{}", decl.name, generic(&decl.type_parameters));
    if decl.kind == TypeKind::Delegate {
        signature += &parameters(&decl.parameters);
    } else if !decl.bases.is_empty() {
        signature += &format!(" : {}", decl.bases.join(", "));
    }
    Entry {
        kind,
        name: decl.name.clone(),
        title: decl.full_name(),
        signature,
        summary: decl.about.summary.as_deref().map(str::to_owned),
        is_visible: is_visible(decl.access()),
        line: decl.about.line,
    }
}

fn is_visible(access: &str) -> bool {
    matches!(access, "public" | "protected" | "protected internal")
}

/// Access and other modifiers, with a blank behind each.
fn head(access: &'static str, about: &About) -> String {
    let written = [
        Modifier::Public,
        Modifier::Private,
        Modifier::Protected,
        Modifier::Internal,
        Modifier::File,
    ];
    let others = about.modifiers.iter().filter(|modifier| !written.contains(modifier));
    let words = std::iter::once(access).chain(others.map(Modifier::word));
    words.map(|word| format!("{word} ")).collect()
}

fn method_signature(method: &Method) -> String {
    let returns = match method.kind {
        MethodKind::Constructor | MethodKind::Destructor => String::new(),
        _ => format!("{} ", method.returns),
    };
    let generic = generic(&method.type_parameters);
    format!("{returns}{}{generic}{}", method.name, parameters(&method.parameters))
}

fn property_signature(property: &Property) -> String {
    // An expression body is a getter.
    let accessors = if property.accessors.is_empty() { "get;" } else { &property.accessors };
    format!("{} {} {{ {accessors} }}", property.ty, property.name)
}

fn generic(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
}

fn parameters(parameters: &[Parameter]) -> String {
    let one = |parameter: &Parameter| {
        let Parameter { name, ty, modifiers, default } = parameter;
        let before = if modifiers.is_empty() { "" } else { " " };
        let default = default.as_ref().map(|text| format!(" = {text}")).unwrap_or_default();
        format!("{modifiers}{before}{ty} {name}{default}")
    };
    format!("({})", parameters.iter().map(one).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::script::parse_declarations;

    const SOURCE: &str = r#"
namespace N {
    /// <summary>Opens and shuts.</summary>
    public sealed class Door<T> : Thing, IOpen {
        public const int Width = 2;
        int locks;
        public bool IsOpen { get; private set; }
        public float Angle => 1;
        public event Action Opened;
        public Door(int locks) { }
        protected static bool Try(ref T key, int times = 3) { return true; }
        enum State { Open, Shut = 4 }
    }
    delegate void Knock(int times);
}
"#;

    #[test]
    fn lists_declarations_as_they_are_written() {
        let entries = declared(&parse_declarations(SOURCE));
        let shown: String = entries
            .iter()
            .map(|e| {
                let mark = if e.is_visible { '+' } else { '-' };
                format!("{} {mark} {} | {} | {}\n", e.line, e.kind, e.title, e.signature)
            })
            .collect();
        expect![[r#"
            4 + class | N.Door | public sealed class Door<T> : Thing, IOpen
            10 + method | N.Door.Door | public Door(int locks)
            11 + method | N.Door.Try | protected static bool Try(ref T key, int times = 3)
            7 + property | N.Door.IsOpen | public bool IsOpen { get; private set; }
            8 + property | N.Door.Angle | public float Angle { get; }
            5 + field | N.Door.Width | public const int Width
            6 - field | N.Door.locks | private int locks
            9 + event | N.Door.Opened | public event Action Opened
            12 - enum | N.Door.State | private enum State
            12 - field | N.Door.State.Open | public Open = 0
            12 - field | N.Door.State.Shut | public Shut = 4
            14 - delegate | N.Knock | internal delegate void Knock(int times)
        "#]]
        .assert_eq(&shown);
        assert_eq!(entries[0].summary.as_deref(), Some("Opens and shuts."));
    }

    #[test]
    fn the_nearest_name_ranks_first() {
        let entries = declared(&parse_declarations(SOURCE));
        let rank = |query: &str, title: &str| {
            let entry = entries.iter().find(|entry| entry.title == title).unwrap();
            Query::parse(query).unwrap().rank(entry)
        };
        assert_eq!(rank("door", "N.Door"), Some(0));
        assert_eq!(rank("N.Door.Try", "N.Door.Try"), Some(0));
        assert_eq!(rank("Door.Try", "N.Door.Try"), Some(1));
        assert_eq!(rank("isop", "N.Door.IsOpen"), Some(2));
        assert_eq!(rank("open", "N.Door.IsOpen"), Some(3));
        assert_eq!(rank("door", "N.Door.IsOpen"), Some(4));
        assert_eq!(rank("shuts opens", "N.Door"), Some(5));
        assert_eq!(rank("window", "N.Door"), None);
        assert_eq!(Query::parse(" . "), None);
    }

    #[test]
    fn a_source_without_the_words_is_not_read() {
        let query = Query::parse("Door ISOPEN").unwrap();
        assert!(query.may_match(SOURCE.as_bytes()));
        assert!(!query.may_match(b"class Door {}"));
    }

    #[test]
    fn native_classes_have_their_bases() {
        let light = native().find(|entry| entry.name == "Light").unwrap();
        assert_eq!(light.signature, "native class Light : Behaviour");
        assert_eq!(native().count(), 415);
    }
}
