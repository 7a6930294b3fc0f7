//! What the engine refuses although it can be read: sections out of order, attributes that are
//! missing, ids that nothing declares.

use std::collections::HashSet;

use super::{Document, Faults, MentionKind, ProblemKind, Section};
use crate::syntax::Fault;

/// The formats that the engine reads.
const NEWEST_FORMAT: i64 = 4;

const MAX_FAULTS: usize = 100;

/// What the engine refuses although it can be read: order and attributes of sections, and ids that
/// nothing declares.
pub(super) fn check(document: &Document, faults: &mut Faults) {
    let mut rules = Rules { faults, stage: Stage::Header, is_scene: false };
    for section in document.sections() {
        rules.section(section);
    }
    if rules.stage < Stage::Body && faults.is_empty() {
        let message = "the file ends before its first node or resource";
        faults.push((ProblemKind::Rule, Fault::new(document.bytes.len(), message)));
    }
    check_ids(document, faults);
}

/// How far the file is. Sections of an earlier stage may not follow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Header,
    External,
    Inner,
    Body,
}

struct Rules<'r> {
    faults: &'r mut Faults,
    stage: Stage,
    is_scene: bool,
}

impl Rules<'_> {
    fn fail(&mut self, section: Section<'_>, message: impl Into<String>) {
        if self.faults.len() < MAX_FAULTS {
            let fault = Fault::new(section.tag_span().start, message);
            self.faults.push((ProblemKind::Rule, fault));
        }
    }

    fn section(&mut self, section: Section<'_>) {
        let name = section.name();
        let stage = match &*name {
            "gd_scene" | "gd_resource" => Stage::Header,
            "ext_resource" => Stage::External,
            "sub_resource" => Stage::Inner,
            "node" | "connection" | "editable" | "resource" => Stage::Body,
            _ => return self.fail(section, format!("`[{name}]` is not a section of such a file")),
        };
        let is_first = section.index() == 0;
        if is_first != (stage == Stage::Header) {
            let message = match is_first {
                true => "the file does not start with `[gd_scene]` or `[gd_resource]`".into(),
                false => format!("`[{name}]` stands a second time"),
            };
            return self.fail(section, message);
        }
        if stage < self.stage {
            self.fail(section, format!("`[{name}]` stands too far down in the file"));
        }
        self.stage = self.stage.max(stage);
        self.attributes(section, &name);
    }

    fn attributes(&mut self, section: Section<'_>, name: &str) {
        let needed: &[&str] = match name {
            "gd_resource" => &["type"],
            "ext_resource" => &["path", "type", "id"],
            "sub_resource" => &["type", "id"],
            "connection" => &["from", "to", "signal", "method"],
            "editable" => &["path"],
            _ => &[],
        };
        for missing in needed.iter().filter(|key| section.attribute(key).is_none()) {
            self.fail(section, format!("`[{name}]` has no `{missing}`"));
        }
        let has_properties = section.properties().len() > 0;
        match name {
            "gd_scene" | "gd_resource" => self.header(section, name),
            "node" | "resource" if self.is_scene != (name == "node") => {
                self.fail(section, format!("`[{name}]` belongs into the other kind of file"));
            }
            _ => {}
        }
        if has_properties && !matches!(name, "node" | "resource" | "sub_resource") {
            self.fail(section, format!("`[{name}]` cannot have properties"));
        }
    }

    fn header(&mut self, section: Section<'_>, name: &str) {
        self.is_scene = name == "gd_scene";
        let format = section.attribute("format").and_then(|value| value.as_int());
        if let Some(format) = format.filter(|format| *format > NEWEST_FORMAT) {
            self.fail(section, format!("format {format} is newer than Godot 4.6 can read"));
        }
    }
}

/// Ids must be declared above their use.
fn check_ids(document: &Document, faults: &mut Faults) {
    let (mut external, mut inner) = (HashSet::new(), HashSet::new());
    let mut sections = document.sections().peekable();
    for found in &document.tables.mentions {
        let span = found.token.range();
        while let Some(section) = sections.next_if(|next| next.tag_span().start < span.start) {
            let declared = match section.raw_name() {
                b"ext_resource" => &mut external,
                b"sub_resource" => &mut inner,
                _ => continue,
            };
            declared.extend(section.attribute("id").map(|id| unquoted(id.raw_bytes())));
        }
        let (name, declared) = match found.kind {
            MentionKind::ExtResource => ("ext_resource", &external),
            MentionKind::SubResource => ("sub_resource", &inner),
            _ => continue,
        };
        let is_declared = declared.contains(unquoted(&document.bytes[span.clone()]));
        if !is_declared && faults.len() < MAX_FAULTS {
            let id = document.mention(found).text;
            let message = format!("no `[{name}]` above has the id `{id}`");
            faults.push((ProblemKind::Rule, Fault::new(span.start, message)));
        }
    }
}

/// An id without its quotes. Ids have no escapes, so they compare as written.
fn unquoted(id: &[u8]) -> &[u8] {
    id.strip_prefix(b"\"").and_then(|id| id.strip_suffix(b"\"")).unwrap_or(id)
}
