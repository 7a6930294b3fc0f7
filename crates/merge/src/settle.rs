//! The merge of a whole file: versions made comparable, objects merged, the result verified, and
//! what verification finds settled.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};

use scenewright_godot::{Document, Form};

use crate::fields::Choices;
use crate::godot::derive::{edits, made};
use crate::items::{Draft, Orders, merge};
use crate::kind::FileKind;
use crate::language::Language;
use crate::model::{Parts, Version};
use crate::report::{Choice, Conflict, ConflictKind, Note, shown};
use crate::verify::{Breach, Finding, Near, new_findings};
use crate::{Merged, Refusal, Refused, godot, json, unity};

/// How often a result is mended and verified again.
const ROUNDS: usize = 16;

/// The versions cut into objects, with one identity for what is the same.
pub(crate) struct Ready {
    pub(crate) versions: [Version; 3],
    /// Ours as it was read, for Godot: the result is nearly the same.
    near: Option<Document>,
    /// Ours and theirs as they were before nodes got new paths, when any did.
    before: Option<[Document; 2]>,
    notes: Vec<Note>,
    /// Conflicts about where things are.
    conflicts: Vec<Conflict>,
    kept: HashMap<String, Choice>,
}

impl Ready {
    fn plain(versions: [Version; 3], notes: Vec<Note>) -> Ready {
        Ready {
            versions,
            near: None,
            before: None,
            notes,
            conflicts: Vec::new(),
            kept: HashMap::new(),
        }
    }
}

/// Makes the versions comparable.
pub(crate) fn ready(
    kind: FileKind,
    texts: [Cow<'_, [u8]>; 3],
    choices: &Choices,
) -> Result<Ready, Refused> {
    match kind {
        FileKind::Unity => {
            let [base, ours, theirs] = read_all(texts, (unity::cut, unity::version))?;
            let (of_ours, of_theirs) = rayon::join(
                || unity::changed_readable(&base, &ours),
                || unity::changed_readable(&base, &theirs),
            );
            of_ours.map_err(|reason| Refused { version: "ours", reason })?;
            of_theirs.map_err(|reason| Refused { version: "theirs", reason })?;
            let (united, notes) = match base.lacks_some_of(&ours) && base.lacks_some_of(&theirs) {
                true => unity::twins::unite(&base, &ours, &theirs.bytes),
                false => (None, Vec::new()),
            };
            let united = united.map(|text| {
                let parts = unity::cut(text.into())?;
                unity::version(parts, None)
            });
            let theirs = match united {
                Some(united) => united.map_err(|reason| Refused { version: "theirs", reason })?,
                None => theirs,
            };
            Ok(Ready::plain([base, ours, theirs], notes))
        }
        FileKind::Godot => godot_versions(texts, choices),
        FileKind::GodotConfig => {
            let documents = texts.map(|text| godot::parse(text, Form::Config));
            Ok(Ready::plain(read_godot(&documents)?, Vec::new()))
        }
        FileKind::Json => {
            Ok(Ready::plain(read_all(texts, (json::cut, json::version))?, Vec::new()))
        }
    }
}

/// Scenes and resources: one id for each resource, one path for each node.
fn godot_versions(texts: [Cow<'_, [u8]>; 3], choices: &Choices) -> Result<Ready, Refused> {
    let documents = godot_documents(texts);
    same_format(&documents)?;
    for (version, document) in SIDES.into_iter().zip(&documents) {
        godot::readable(document).map_err(|reason| Refused { version, reason })?;
    }
    let (documents, mut notes) = godot::align::align(documents);
    let before = [documents[1].clone(), documents[2].clone()];
    let mut followed = godot::moves::follow(documents, choices);
    notes.append(&mut followed.notes);
    Ok(Ready {
        versions: read_godot(&followed.versions)?,
        near: Some(followed.versions[1].clone()),
        before: Some(before),
        notes,
        conflicts: followed.conflicts,
        kept: followed.kept,
    })
}

/// The versions as they are read: of ours and theirs only what base does not have.
fn godot_documents([base, ours, theirs]: [Cow<'_, [u8]>; 3]) -> [Document; 3] {
    if base.is_empty() {
        return [base, ours, theirs].map(|text| godot::parse(text, Form::Resource));
    }
    let (near, (of_ours, of_theirs)) = rayon::join(
        || godot::parse(&*base, Form::Resource),
        || (edits(&base, &ours), edits(&base, &theirs)),
    );
    let (ours, theirs) =
        rayon::join(|| made(&near, of_ours, &ours), || made(&near, of_theirs, &theirs));
    [near, ours, theirs]
}

const SIDES: [&str; 3] = ["base", "ours", "theirs"];

/// How a file is cut into its items, and how those are looked up.
type Reader = (
    fn(Cow<'_, [u8]>) -> Result<Parts, Refusal>,
    fn(Parts, Option<&Version>) -> Result<Version, Refusal>,
);

/// All three, beside each other.
fn read_all(texts: [Cow<'_, [u8]>; 3], (cut, version): Reader) -> Result<[Version; 3], Refused> {
    let cut = |text: Cow<'_, [u8]>| match text.is_empty() {
        true => Ok(Parts::default()),
        false => cut(text),
    };
    let [base, ours, theirs] = texts;
    indexed(
        || version(cut(base)?, None),
        || cut(ours),
        || cut(theirs),
        |parts, near| version(parts, Some(near)),
    )
}

fn read_godot([base, ours, theirs]: &[Document; 3]) -> Result<[Version; 3], Refused> {
    indexed(
        || godot::version(godot::cut(base)?, None),
        || godot::cut(ours),
        || godot::cut(theirs),
        |parts, near| godot::version(parts, Some(near)),
    )
}

/// Base, and the sides beside it; what is looked up in them is mostly the same as in base.
fn indexed(
    base: impl FnOnce() -> Result<Version, Refusal> + Send,
    ours: impl FnOnce() -> Result<Parts, Refusal> + Send,
    theirs: impl FnOnce() -> Result<Parts, Refusal> + Send,
    version: impl Fn(Parts, &Version) -> Result<Version, Refusal>,
) -> Result<[Version; 3], Refused> {
    let of = |version: &'static str| move |reason: Refusal| Refused { version, reason };
    let (base, (ours, theirs)) = rayon::join(base, || rayon::join(ours, theirs));
    let base = base.map_err(of("base"))?;
    let ours = ours.and_then(|parts| version(parts, &base)).map_err(of("ours"))?;
    let theirs = theirs.and_then(|parts| version(parts, &base)).map_err(of("theirs"))?;
    Ok([base, ours, theirs])
}

/// Godot 3 and 4 name properties and write values in other ways, so that pieces do not go together.
fn same_format(documents: &[Document; 3]) -> Result<(), Refused> {
    let formats = documents.each_ref().map(|document| document.format());
    let is_old = |format: Option<u32>| format.is_some_and(|format| format < 3);
    let with_text =
        || formats.iter().zip(documents).filter(|(_, document)| !document.as_bytes().is_empty());
    let old = with_text().filter(|(format, _)| is_old(**format)).count();
    if old != 0 && old != with_text().count() {
        let text = formats.map(|format| format.map_or("-".into(), |format| format.to_string()));
        let reason = Refusal::OtherFormat(text.join(", "));
        return Err(Refused { version: "file", reason });
    }
    Ok(())
}

/// Merges, verifies, and settles what verification finds until nothing is left to find.
pub(crate) fn settle(
    kind: FileKind,
    ready: Ready,
    choices: &Choices,
    line_break: &'static str,
) -> Result<Merged, Refused> {
    let language = kind.language();
    let versions = &ready.versions;
    let inputs = match &ready.before {
        Some(before) => before.each_ref().map(Document::as_bytes),
        None => [1, 2].map(|side| versions[side].bytes.as_slice()),
    };
    // What is as in ours is as whole as there, but only where ours was not written anew before.
    let is_ours = inputs[0] == versions[1].bytes.as_slice();
    let near = Near { ours: is_ours.then_some(&versions[1]), document: ready.near };
    let mut settling = Settling {
        language,
        versions,
        choices,
        kept: ready.kept,
        found: ready.conflicts,
        notes: ready.notes,
        accepted: HashSet::new(),
    };
    for _ in 0..ROUNDS {
        let kept = settling.kept.clone();
        let orders =
            Orders { language, versions: versions.each_ref(), choices, kept: &kept, line_break };
        let mut draft = merge(&orders)?;
        godot_steps(language, &mut draft);
        let fresh = new_findings(language, &mut draft, inputs, &near);
        let mends = settling.settle(&draft, fresh)?;
        if !mends {
            return Ok(settling.finish(draft));
        }
    }
    Err(broken("it cannot be made whole"))
}

fn broken(text: &str) -> Refused {
    let reason = Refusal::NotReadable(format!("the merged file would be broken: {text}"));
    Refused { version: "result", reason }
}

struct Settling<'a> {
    language: Language,
    versions: &'a [Version; 3],
    choices: &'a Choices,
    /// Objects that are as in one version.
    kept: HashMap<String, Choice>,
    /// Conflicts that only the whole file shows.
    found: Vec<Conflict>,
    notes: Vec<Note>,
    accepted: HashSet<Finding>,
}

impl Settling<'_> {
    /// Decides what to do about each finding. True when the file is to be merged again.
    fn settle(&mut self, draft: &Draft<'_>, fresh: Vec<Finding>) -> Result<bool, Refused> {
        let before = self.kept.len();
        self.keep_whole(draft);
        for finding in fresh {
            if !self.accepted.contains(&finding) {
                self.finding(draft, finding)?;
            }
        }
        Ok(self.kept.len() > before)
    }

    /// An object that stays although one side deleted it stays with all that belongs to it.
    fn keep_whole(&mut self, draft: &Draft<'_>) {
        let mut moved: Vec<(String, Choice)> =
            self.kept.iter().map(|(key, choice)| (key.clone(), *choice)).collect();
        moved.sort_by(|a, b| a.0.cmp(&b.0));
        for (key, choice) in moved.into_iter().filter(|(key, _)| key.starts_with("node ")) {
            self.keep_with_its_own(&key, choice, draft);
        }
        for conflict in &draft.conflicts {
            if conflict.kind != ConflictKind::DeletedObject {
                continue;
            }
            let choice = conflict.choice.unwrap_or(Choice::Ours);
            self.keep_with_its_own(&conflict.object, choice, draft);
        }
    }

    fn keep_with_its_own(&mut self, object: &str, choice: Choice, draft: &Draft<'_>) {
        let version = &self.versions[choice.index()];
        if version.find(object).is_none() {
            return;
        }
        let mut open = VecDeque::from([object.to_owned()]);
        let mut seen = HashSet::from([object.to_owned()]);
        while let Some(key) = open.pop_front() {
            for near in self.near(version, &key) {
                let is_gone = !draft.keys.contains(near.as_str()) && version.find(&near).is_some();
                if is_gone && seen.insert(near.clone()) {
                    self.kept.entry(near.clone()).or_insert(choice);
                    open.push_back(near);
                }
            }
        }
    }

    /// What an object cannot be without, or what goes with it.
    fn near(&self, version: &Version, key: &str) -> Vec<String> {
        match self.language {
            Language::Unity => {
                let Some(item) = version.find(key) else { return Vec::new() };
                let references = scenewright_unity::scan_references(version.text(item));
                let local = references.filter(|(_, reference)| reference.guid.is_none());
                local.map(|(_, reference)| reference.file_id.to_string()).collect()
            }
            Language::Godot { .. } => {
                let Some(path) = key.strip_prefix("node ") else { return Vec::new() };
                let below = format!("node {path}/");
                let mut near: Vec<String> = version
                    .items
                    .iter()
                    .filter(|item| item.key.starts_with(&below))
                    .map(|item| item.key.clone())
                    .collect();
                near.extend(path.rsplit_once('/').map(|(above, _)| format!("node {above}")));
                near
            }
            Language::Json => Vec::new(),
        }
    }

    fn finding(&mut self, draft: &Draft<'_>, finding: Finding) -> Result<(), Refused> {
        let Finding { breach, object, other } = &finding;
        match breach {
            Breach::Twice | Breach::Unreadable => return Err(broken(&finding.words())),
            Breach::Dangling if other.starts_with("ext ") || other.starts_with("sub ") => {
                let side = [Choice::Ours, Choice::Theirs, Choice::Base]
                    .into_iter()
                    .find(|side| self.versions[side.index()].find(other).is_some());
                let Some(side) = side else { return Err(broken(&finding.words())) };
                self.kept.insert(other.clone(), side);
                self.notes.push(Note {
                    object: other.clone(),
                    field: String::new(),
                    text: format!("one side deleted it, and {object} still uses it: it stays"),
                    is_warning: true,
                });
                return Ok(());
            }
            _ => {}
        }
        let is_known = draft.conflicts.iter().any(|conflict| {
            let is_it = conflict.object == *other || conflict.object == *object;
            conflict.field.is_empty() && is_it
        });
        let choice = match is_known {
            true => Choice::Ours,
            false => self.conflict(&finding),
        };
        let version = &self.versions[choice.index()];
        match breach {
            Breach::Dangling if version.find(other).is_some() => {
                self.kept.insert(other.clone(), choice);
                self.keep_with_its_own(&other.clone(), choice, draft);
            }
            Breach::Orphan if version.find(object).is_none() => {
                self.kept.insert(object.clone(), choice);
            }
            Breach::Orphan => {
                let has = |side: &Choice| self.versions[side.index()].find(other).is_some();
                let side =
                    [choice, Choice::Ours, Choice::Theirs, Choice::Base].into_iter().find(has);
                self.kept.extend(side.map(|side| (other.clone(), side)));
                self.keep_with_its_own(&object.clone(), choice, draft);
            }
            Breach::NotListed | Breach::OtherParent | Breach::Circle => {
                for key in [object, other] {
                    self.kept.entry(key.clone()).or_insert(choice);
                }
            }
            _ => {}
        }
        self.accepted.insert(finding);
        Ok(())
    }

    /// Writes a conflict down that only the whole file shows.
    fn conflict(&mut self, finding: &Finding) -> Choice {
        let Finding { breach, object, other } = finding;
        let kind = match breach {
            Breach::Dangling => ConflictKind::DanglingReference,
            Breach::Orphan => ConflictKind::Orphan,
            _ => ConflictKind::Structure,
        };
        let id = format!("{object}->{other}");
        let choice = self.choices.get(&id).copied();
        let subject = if *breach == Breach::Orphan { object } else { other };
        let whole = |side: usize| {
            let version = &self.versions[side];
            version.find(subject).map(|item| shown(version.text(item)))
        };
        let known = self
            .versions
            .iter()
            .rev()
            .find_map(|version| Some(self.language.label(version, version.find(object)?)));
        let (class, name) = known.unwrap_or_default();
        self.found.push(Conflict {
            id,
            kind,
            object: object.clone(),
            class,
            name,
            field: String::new(),
            base: whole(0),
            ours: whole(1),
            theirs: whole(2),
            detail: finding.words(),
            choice,
        });
        choice.unwrap_or(Choice::Ours)
    }

    fn finish(self, draft: Draft<'_>) -> Merged {
        let mut conflicts = draft.conflicts;
        conflicts.extend(self.found);
        let mut notes = draft.notes;
        notes.extend(self.notes);
        let is_marked = self.language.comment().is_some();
        Merged { bytes: draft.bytes, conflicts, notes, is_marked }
    }
}

/// The header of scenes counts what is loaded; it is counted again.
fn godot_steps(language: Language, draft: &mut Draft<'_>) {
    if !matches!(language, Language::Godot { is_config: false, .. }) {
        return;
    }
    let count = draft.keys.iter().filter(|key| key.starts_with("ext ") || key.starts_with("sub "));
    let count = count.count();
    // The header is the first line that opens a bracket.
    let start = match draft.bytes.starts_with(b"[") {
        true => 0,
        false => memchr::memmem::find(&draft.bytes, b"\n[").map_or(0, |at| at + 1),
    };
    let end =
        memchr::memchr(b'\n', &draft.bytes[start..]).map_or(draft.bytes.len(), |at| start + at);
    let document = Document::parse(&draft.bytes[start..end], Form::Resource);
    let header = document.sections().find(|section| section.is_header());
    if let Some(steps) = header.and_then(|header| header.attribute("load_steps")) {
        let span = start + steps.span().start..start + steps.span().end;
        draft.bytes.splice(span, (count + 1).to_string().into_bytes());
    }
}
