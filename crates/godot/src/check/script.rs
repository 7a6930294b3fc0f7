//! The scripts of an object: what it can do besides what its class can.

use std::borrow::Cow;

use super::{FindingKind, Findings, Project};
use crate::tree::absolute;
use crate::{Document, FileEntry, FileKind, MentionKind, ResourceId, Script, Section, Sources};

/// A script with those it extends.
#[derive(Default)]
pub(super) struct Chain<'a> {
    scripts: Vec<Cow<'a, Script>>,
    files: Vec<&'a FileEntry>,
    /// True when one of them is not GDScript or not there, so that anything may be declared.
    is_open: bool,
}

/// More steps than real scripts take; one that extends itself would go on and on.
const MAX_STEPS: usize = 64;

impl<'a> Chain<'a> {
    /// The scripts of a node or resource, by the section that sets its `script`.
    pub(super) fn of_section(
        project: &Project<'a>,
        document: &Document,
        file: &str,
        section: Section<'_>,
    ) -> Chain<'a> {
        let mut chain = Chain::default();
        let Some(value) = section.property("script") else { return chain };
        let Some(mention) = document.mentions_in(value.span()).next() else {
            chain.is_open = value.raw_bytes() != b"null";
            return chain;
        };
        let id = ResourceId(mention.text.into_owned());
        let entry = match mention.kind {
            MentionKind::SubResource => {
                chain.add_inner(project, document, &id);
                return chain;
            }
            MentionKind::ExtResource => document.ext_resource(&id).and_then(|found| {
                let by_uid = found.uid().and_then(|uid| project.index.by_uid(&uid));
                by_uid.or_else(|| project.index.by_path(&absolute(file, &found.path())))
            }),
            _ => project.index.find(&id.0),
        };
        chain.add_files(project, entry);
        chain
    }

    /// A script inside of a scene, whose text is a property.
    fn add_inner(&mut self, project: &Project<'a>, document: &Document, id: &ResourceId) {
        let source = document.sub_resource(id).and_then(|found| found.0.property("script/source"));
        let Some(source) = source.and_then(|source| source.as_str()) else {
            self.is_open = true;
            return;
        };
        let script = Script::parse(&source);
        let base = script.base.clone();
        self.scripts.push(Cow::Owned(script));
        self.add_base(project, base.as_deref());
    }

    fn add_files(&mut self, project: &Project<'a>, first: Option<&'a FileEntry>) {
        let mut next = first;
        for _ in 0..MAX_STEPS {
            let Some((file, script)) = next.and_then(|file| Some((file, file.script.as_ref()?)))
            else {
                self.is_open = true;
                return;
            };
            self.files.push(file);
            self.scripts.push(Cow::Borrowed(script));
            match script.base.as_deref().map(|base| find_base(project, base)) {
                None | Some(Base::Engine) => return,
                Some(Base::Script(file)) => next = Some(file),
                Some(Base::Unknown) => next = None,
            }
        }
        self.is_open = true;
    }

    fn add_base(&mut self, project: &Project<'a>, base: Option<&str>) {
        match base.map(|base| find_base(project, base)) {
            None | Some(Base::Engine) => {}
            Some(Base::Script(file)) => self.add_files(project, Some(file)),
            Some(Base::Unknown) => self.is_open = true,
        }
    }

    /// True when there is no script at all.
    pub(super) fn is_empty(&self) -> bool {
        self.scripts.is_empty() && !self.is_open
    }

    /// True when anything may be declared.
    pub(super) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Whether a property may be set: a variable, or one that code answers for.
    pub(super) fn may_have_property(&self, name: &str) -> bool {
        let makes_up = |name: &str| matches!(name, "_set" | "_get" | "_get_property_list");
        self.is_open
            || self.scripts.iter().any(|script| {
                let mut variables = script.exports.iter().chain(&script.variables);
                variables.any(|found| found.name == name)
                    || script.functions.iter().any(|found| makes_up(&found.name))
            })
    }

    /// The names of the exported variables.
    pub(super) fn exports(&self) -> impl Iterator<Item = &str> {
        let all = self.scripts.iter().flat_map(|script| &script.exports);
        all.map(|declared| declared.name.as_str())
    }

    /// Whether a signal may be there: declared, or added by code.
    pub(super) fn may_have_signal(&self, name: &str) -> bool {
        self.is_open
            || self.scripts.iter().any(|script| {
                script.signals.iter().any(|found| found.name == name)
                    || script.arguments(|call| call == "add_user_signal").next().is_some()
            })
    }

    /// Whether a method may be there. What is declared in an unusual way is looked up in the text.
    pub(super) fn may_have_method(&self, project: &Project<'_>, name: &str) -> bool {
        let declares = |script: &Script| script.functions.iter().any(|found| found.name == name);
        self.is_open
            || self.scripts.iter().any(|script| declares(script))
            || self.files.iter().any(|file| {
                let text = project.index.read(&file.path).unwrap_or_default();
                declares_in_text(&text, name)
            })
    }
}

/// `func name`, wherever it stands.
fn declares_in_text(text: &[u8], name: &str) -> bool {
    memchr::memmem::find_iter(text, name).any(|at| {
        let before = text[..at].trim_ascii_end();
        let after = text.get(at + name.len());
        before.len() < at
            && before.ends_with(b"func")
            && !after.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    })
}

enum Base<'a> {
    Engine,
    Script(&'a FileEntry),
    Unknown,
}

fn find_base<'a>(project: &Project<'a>, base: &str) -> Base<'a> {
    let script = project.index.class(base).or_else(|| project.index.find(base));
    match (script, project.classes) {
        (Some(file), _) if file.kind == FileKind::Script => Base::Script(file),
        (None, Some(classes)) if classes.class(base).is_some() => Base::Engine,
        // Classes of Godot 3 are not known, but names without a path or point are all that is left.
        (None, None) if !base.contains(['.', '/', ':']) => Base::Engine,
        _ => Base::Unknown,
    }
}

/// Whether what a script extends is there; paths are judged with all other loads.
pub(super) fn check_base(project: &Project<'_>, findings: &mut Findings<'_>) {
    let Some(script) = findings.file.script.as_ref() else { return };
    let (Some(base), Some(classes)) = (script.base.as_deref(), project.classes) else { return };
    let is_name = !base.is_empty() && !base.contains(['.', '/', ':']);
    let is_known = matches!(find_base(project, base), Base::Engine | Base::Script(_))
        || script.variables.iter().any(|found| found.name == base);
    if !is_name || is_known {
        return;
    }
    let versions = crate::classes::Classes::versions_of(base);
    let (kind, why) = match (crate::classes::new_name(base), versions.as_slice()) {
        _ if project.may_have_other_classes() => (FindingKind::ExtensionClass, String::new()),
        (Some(new), _) => (FindingKind::UnknownBase, format!("; it is {new} since Godot 4")),
        (None, [first, ..]) => (FindingKind::OtherVersionClass, format!("; Godot {first} has it")),
        _ => (FindingKind::UnknownBase, String::new()),
    };
    let message = format!(
        "the script extends `{base}`, which neither Godot {} nor a script declares{why}",
        classes.version()
    );
    findings.add(kind, None, None, base, message);
}
