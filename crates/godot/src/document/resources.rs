//! External and inner resources of scenes and resource files.

use std::borrow::Cow;
use std::collections::BTreeSet;

use scenewright_text::Edits;

use super::edit::check_identifier;
use super::{ChangeError, Document, MentionKind, Section};
use crate::syntax::escape_string;
use crate::{ResourceId, Variant};

/// An `[ext_resource]`.
#[derive(Clone, Copy, Debug)]
pub struct ExtResource<'a>(pub Section<'a>);

/// A `[sub_resource]`.
#[derive(Clone, Copy, Debug)]
pub struct SubResource<'a>(pub Section<'a>);

impl<'a> ExtResource<'a> {
    /// The id that values name it by.
    pub fn id(self) -> ResourceId {
        ResourceId(self.0.attribute_text("id").unwrap_or_default().into_owned())
    }

    /// The class that is expected there.
    pub fn class(self) -> Cow<'a, str> {
        self.0.attribute_text("type").unwrap_or_default()
    }

    /// The path as written: from `res://`, or from the folder of the file.
    pub fn path(self) -> Cow<'a, str> {
        self.0.attribute_text("path").unwrap_or_default()
    }

    /// The uid, with its `uid://`.
    pub fn uid(self) -> Option<Cow<'a, str>> {
        self.0.attribute_text("uid")
    }
}

impl<'a> SubResource<'a> {
    /// The id that values name it by.
    pub fn id(self) -> ResourceId {
        ResourceId(self.0.attribute_text("id").unwrap_or_default().into_owned())
    }

    /// Its class.
    pub fn class(self) -> Cow<'a, str> {
        self.0.attribute_text("type").unwrap_or_default()
    }
}

/// Resources that no value names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unused {
    /// Ids of external ones.
    pub ext: Vec<ResourceId>,
    /// Ids of inner ones, also those that only unused ones name.
    pub sub: Vec<ResourceId>,
}

impl Document {
    /// The external resources in file order.
    pub fn ext_resources(&self) -> impl DoubleEndedIterator<Item = ExtResource<'_>> {
        self.sections().filter(|section| section.raw_name() == b"ext_resource").map(ExtResource)
    }

    /// The external resource of an id.
    pub fn ext_resource(&self, id: &ResourceId) -> Option<ExtResource<'_>> {
        self.ext_resources().rev().find(|found| found.id() == *id)
    }

    /// The inner resources in file order.
    pub fn sub_resources(&self) -> impl DoubleEndedIterator<Item = SubResource<'_>> {
        self.sections().filter(|section| section.raw_name() == b"sub_resource").map(SubResource)
    }

    /// The inner resource of an id.
    pub fn sub_resource(&self, id: &ResourceId) -> Option<SubResource<'_>> {
        self.sub_resources().rev().find(|found| found.id() == *id)
    }

    /// The `[resource]` of a resource file.
    pub fn main_resource(&self) -> Option<Section<'_>> {
        self.sections().find(|section| section.raw_name() == b"resource")
    }

    /// The class of a resource file.
    pub fn resource_class(&self) -> Option<Cow<'_, str>> {
        self.sections().next().filter(Section::is_header)?.attribute_text("type")
    }

    /// Names an external resource; one that is there already with this path is taken.
    pub fn add_ext_resource(
        &mut self,
        class: &str,
        path: &str,
        uid: Option<&str>,
    ) -> Result<ResourceId, ChangeError> {
        self.check_writable()?;
        if let Some(found) = self.ext_resources().find(|found| found.path() == path) {
            return Ok(found.id());
        }
        let id = self.new_ext_id(path);
        let quoted = |text: &str| format!("\"{}\"", escape_string(text));
        let uid = uid.map_or(String::new(), |uid| format!(" uid={}", quoted(uid)));
        let written = match self.value_format() {
            // Godot 3 has the path first, and no uids.
            2 => format!("path={} type={} id={id}", quoted(path), quoted(class)),
            _ => format!("type={}{uid} path={} id=\"{id}\"", quoted(class), quoted(path)),
        };
        let after = self.ext_resources().last().map_or(0, |last| last.0.index());
        self.insert_after(after, &format!("[ext_resource {written}]"))?;
        self.raise_load_steps()?;
        Ok(id)
    }

    /// Makes an inner resource. It stands before another one that is to use it, or else behind all.
    pub fn add_sub_resource(
        &mut self,
        class: &str,
        properties: &[(&str, Variant)],
        before: Option<&ResourceId>,
    ) -> Result<ResourceId, ChangeError> {
        self.check_writable()?;
        check_identifier(class)?;
        let id = self.new_sub_id(class);
        let written = if self.value_format() == 2 { id.0.clone() } else { format!("\"{id}\"") };
        let mut text = format!("[sub_resource type=\"{}\" id={written}]", escape_string(class));
        for (key, value) in properties {
            text += self.newline();
            text += &self.property_line(key, &self.value_text(value));
        }
        let place = match before {
            Some(id) => {
                let user = self.sub_resource(id);
                let missing = || ChangeError::not_found("sub_resource", &*id.0);
                user.ok_or_else(missing)?.0.index().saturating_sub(1)
            }
            None => {
                let is_resource = |section: &Section<'_>| {
                    matches!(section.raw_name(), b"ext_resource" | b"sub_resource")
                };
                self.sections().rev().find(is_resource).map_or(0, Section::index)
            }
        };
        self.insert_after(place, &text)?;
        let needed = properties.iter().map(|(_, value)| value.needed_format()).max();
        self.raise_format(needed.unwrap_or(3))?;
        self.raise_load_steps()?;
        Ok(id)
    }

    /// Inserts a section behind the one at a position.
    pub(crate) fn insert_after(&mut self, index: usize, text: &str) -> Result<(), ChangeError> {
        let mut edits = Edits::default();
        self.edit_insert_after(self.expect_section(index)?, text, &mut edits);
        self.edit(&edits)
    }

    pub(crate) fn edit_insert_after(&self, section: Section<'_>, text: &str, edits: &mut Edits) {
        let newline = self.newline();
        let name = section.raw_name();
        // Lines of these stand together.
        let is_list = matches!(name, b"ext_resource" | b"connection" | b"editable");
        let is_same = is_list && text.as_bytes()[1..].starts_with(name);
        let apart = if is_same { "" } else { newline };
        edits.insert(self.line_end(section.span().end), [newline, apart, text].concat());
    }

    /// Resources that could be removed without a change of what the file says.
    pub fn unused_resources(&self) -> Unused {
        let mut used = BTreeSet::new();
        let mut unused = Unused::default();
        for section in self.sections().rev() {
            let id = section.attribute_text("id").unwrap_or_default().into_owned();
            let (kind, list) = match section.raw_name() {
                b"sub_resource" => (false, &mut unused.sub),
                b"ext_resource" => (true, &mut unused.ext),
                _ => (false, &mut Vec::new()),
            };
            let is_resource = matches!(section.raw_name(), b"sub_resource" | b"ext_resource");
            if is_resource && !used.contains(&(kind, id.clone())) {
                list.push(ResourceId(id));
                continue;
            }
            // Users stand below what they use.
            used.extend(section.mentions().filter_map(|mention| match mention.kind {
                MentionKind::ExtResource => Some((true, mention.text.into_owned())),
                MentionKind::SubResource => Some((false, mention.text.into_owned())),
                _ => None,
            }));
        }
        unused.ext.reverse();
        unused.sub.reverse();
        unused
    }

    /// Removes resources that no value names.
    pub fn remove_unused_resources(&mut self) -> Result<Unused, ChangeError> {
        let unused = self.unused_resources();
        self.remove_resources(&unused)?;
        Ok(unused)
    }

    /// Removes these resources, whoever names them.
    pub fn remove_resources(&mut self, unused: &Unused) -> Result<(), ChangeError> {
        let ext = self.ext_resources().filter(|found| unused.ext.contains(&found.id()));
        let sub = self.sub_resources().filter(|found| unused.sub.contains(&found.id()));
        let indexes: Vec<_> =
            ext.map(|found| found.0.index()).chain(sub.map(|found| found.0.index())).collect();
        if indexes.is_empty() {
            return Ok(());
        }
        self.remove_sections(&indexes)?;
        self.raise_load_steps()
    }

    /// `load_steps` counts the resources and the file itself; only old files have it.
    fn raise_load_steps(&mut self) -> Result<(), ChangeError> {
        let has_steps =
            self.section(0).is_some_and(|header| header.attribute("load_steps").is_some());
        if !has_steps {
            return Ok(());
        }
        let count = self.ext_resources().count() + self.sub_resources().count() + 1;
        self.set_attribute(0, "load_steps", &Variant::int(i64::try_from(count).unwrap_or(1)))
    }

    fn new_ext_id(&self, path: &str) -> ResourceId {
        let used: BTreeSet<_> = self.ext_resources().map(|found| found.id().0).collect();
        let number = |id: &String| id.split('_').next()?.parse::<u64>().ok();
        let next = used.iter().filter_map(number).max().unwrap_or(0).saturating_add(1);
        if self.value_format() == 2 {
            return ResourceId(next.to_string());
        }
        unused_id(&used, |salt| format!("{next}_{}", self.letters(path, salt)))
    }

    fn new_sub_id(&self, class: &str) -> ResourceId {
        let used: BTreeSet<_> = self.sub_resources().map(|found| found.id().0).collect();
        if self.value_format() == 2 {
            let numbers = used.iter().filter_map(|id| id.parse::<u64>().ok());
            return ResourceId(numbers.max().unwrap_or(0).saturating_add(1).to_string());
        }
        unused_id(&used, |salt| format!("{class}_{}", self.letters(class, salt)))
    }

    /// Five letters and digits as in Godot's ids, but the same for the same file and seed.
    fn letters(&self, seed: &str, salt: u64) -> String {
        let mut hash = self.hash(seed, salt);
        let mut letters = String::new();
        for _ in 0..5 {
            let digit = (hash % 34) as u8;
            letters.push(char::from(if digit < 25 { b'a' + digit } else { b'0' + digit - 25 }));
            hash /= 34;
        }
        letters
    }

    /// A number that depends on the file and the seed alone.
    pub(crate) fn hash(&self, seed: &str, salt: u64) -> u64 {
        // The middle of a large file would take longer than all else and tell files apart no better.
        let (start, end) = match self.bytes.len() {
            length @ 0..=HASHED => self.bytes.split_at(length),
            length => (&self.bytes[..HASHED / 2], &self.bytes[length - HASHED / 2..]),
        };
        // FNV-1a, with its bits mixed at the end because only some of them are used.
        let bytes = start.iter().chain(end).chain(seed.as_bytes());
        let hash = bytes.fold(0xcbf2_9ce4_8422_2325 ^ salt, |hash: u64, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16
    }
}

/// Bytes of a file that its new ids depend on.
const HASHED: usize = 256 << 10;

fn unused_id(used: &BTreeSet<String>, make: impl Fn(u64) -> String) -> ResourceId {
    let mut ids = (0..).map(make);
    ResourceId(ids.find(|id| !used.contains(id)).expect("there are more salts than ids in a file"))
}
