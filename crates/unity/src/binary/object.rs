//! One object of a binary file.

use std::fmt;

use super::metadata::Place;
use super::value::{Kind, Value};
use super::walk::{Data, Fields, Part};
use super::{BinaryError, BinaryFile};
use crate::types::{self, Node};
use crate::{ClassId, FileId, Reference};

/// An object of a binary file; read when it is asked for what it has.
#[derive(Clone, Copy)]
pub struct Object<'a> {
    file: &'a BinaryFile<'a>,
    place: &'a Place,
}

impl<'a> Object<'a> {
    pub(super) fn new(file: &'a BinaryFile<'a>, place: &'a Place) -> Object<'a> {
        Object { file, place }
    }

    /// Its id, as text files write it and references name it.
    pub fn file_id(self) -> FileId {
        self.place.file_id
    }

    /// Its class.
    pub fn class(self) -> ClassId {
        self.place.class
    }

    /// The name of its class, as the file has it or else the newest; empty for a class that nobody
    /// knows.
    pub fn class_name(self) -> &'a str {
        let own = self.own_tree().map(Node::type_name);
        own.or(self.class().name()).unwrap_or_default()
    }

    /// How many bytes it takes in the file.
    pub fn size(self) -> usize {
        self.place.size as usize
    }

    /// True when it only stands for an object of another file.
    pub fn is_stripped(self) -> bool {
        self.place.is_stripped
    }

    /// Its fields: the file's own list, or what the version of Unity has that wrote the file.
    pub fn tree(self) -> Option<Node<'a>> {
        let table = || types::nearest_tree(self.class(), self.file.version);
        self.own_tree().or_else(table)
    }

    /// Its `m_Name`; none when it has no such field or that cannot be read.
    pub fn name(self) -> Option<String> {
        match self.field("m_Name").ok()??.kind() {
            Kind::Text(name) => Some(name.into_owned()),
            _ => None,
        }
    }

    /// The script that is its class.
    pub fn script(self) -> Option<Reference> {
        if self.class() != ClassId::MONO_BEHAVIOUR {
            return None;
        }
        let field = self.field("m_Script").ok().flatten();
        let said = field.and_then(Value::reference).filter(|reference| !reference.is_null());
        let listed = || self.file.scripts.get(self.place.script?).copied();
        said.or_else(|| listed().map(|(file, id)| self.file.reference(file.into(), id)))
    }

    /// All that it has. The whole object is stepped through once, so that what comes of the value is
    /// known to be in the file.
    pub fn value(self) -> Result<Value<'a>, BinaryError> {
        let data = self.data()?;
        let end = data.end_of(data.root, 0, &mut data.steps())?;
        // What a script adds is in no table; everything else must come out even.
        let rest = data.bytes.len() - end;
        if rest != 0 && self.own_tree().is_some() {
            return Err(BinaryError::Object { at: data.start });
        }
        Ok(Value::new(data, Part { name: data.root.name(), node: data.root, start: 0, end }))
    }

    /// One of its fields. Nothing behind that is looked at.
    pub fn field(self, name: &str) -> Result<Option<Value<'a>>, BinaryError> {
        let data = self.data()?;
        if data.root.child(name).is_none() {
            return Ok(None);
        }
        let mut steps = data.steps();
        let mut fields = Fields::new(data, data.root, 0);
        while let Some(part) = fields.advance(&mut steps)? {
            if part.name == name {
                return Ok(Some(Value::new(data, part)));
            }
        }
        Ok(None)
    }

    /// All its references, in the order of the data, without those to nothing.
    pub fn references(self) -> Result<Vec<Reference>, BinaryError> {
        let mut found = Vec::new();
        self.value()?.gather_references(&mut found);
        Ok(found)
    }

    fn own_tree(self) -> Option<Node<'a>> {
        let of = self.file.types.get(self.place.of?)?;
        of.nodes.as_ref().map(|nodes| nodes.node(0))
    }

    fn data(self) -> Result<Data<'a>, BinaryError> {
        let file = self.file;
        let root = self.tree().ok_or(BinaryError::UnknownClass(self.class()))?;
        let start = usize::try_from(self.place.start).unwrap_or(usize::MAX);
        let bytes = file.bytes.get(start..).and_then(|rest| rest.get(..self.size()));
        let bytes = bytes.ok_or(BinaryError::Ends { what: "an object", at: start })?;
        Ok(Data { file, bytes, start, root })
    }
}

impl fmt::Debug for Object<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} &{}", self.class_name(), self.file_id())
    }
}
