//! The values of an object, read when they are asked for.

use std::borrow::Cow;
use std::fmt;

use super::BinaryFile;
use super::walk::{Data, Fields, Part};
use crate::types::Node;
use crate::{FileId, Guid, Reference};

/// A value of an object.
#[derive(Clone, Copy)]
pub struct Value<'a> {
    data: Data<'a>,
    part: Part<'a>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Kind<'a> {
    Bool(bool),
    Int(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
    Text(Cow<'a, str>),
    /// Single bytes, as they are in the file: images, vertices and the like.
    Bytes(&'a [u8]),
    /// To an object of this file, or of another one by its guid. A guid of zeros: of a file that is
    /// not in the list, or has none.
    Reference(Reference),
    /// So many [`items`](Value::items).
    List(usize),
    /// So many [`items`](Value::items), each with the [`fields`](Value::fields) `first` and `second`.
    Map(usize),
    /// It has [`fields`](Value::fields).
    Struct,
}

impl<'a> Value<'a> {
    pub(super) fn new(data: Data<'a>, part: Part<'a>) -> Value<'a> {
        Value { data, part }
    }

    /// The name of the field; `data` for an element, `Base` for a whole object.
    pub fn name(self) -> &'a str {
        self.part.name
    }

    /// What the layout says of it: its type and more.
    pub fn node(self) -> Node<'a> {
        self.part.node
    }

    /// How many bytes it takes in the file.
    pub fn size(self) -> usize {
        self.part.end - self.part.start
    }

    /// What it is. Of lists and of what has fields only how much there is.
    pub fn kind(self) -> Kind<'a> {
        if let Some(reference) = self.reference() {
            return Kind::Reference(reference);
        }
        if let Some(element) = self.element() {
            return self.list_kind(element);
        }
        match self.node().children().len() {
            0 if self.node().size() > 0 => self.number(),
            _ => Kind::Struct,
        }
    }

    /// Its fields in the order of the data, with their names. Lists have none.
    pub fn fields(self) -> impl Iterator<Item = (&'a str, Value<'a>)> {
        let data = self.data;
        let is_list = self.element().is_some();
        let mut fields = Fields::new(data, self.node(), self.part.start);
        let mut steps = data.steps();
        std::iter::from_fn(move || {
            let part = if is_list { None } else { fields.advance(&mut steps).ok()? };
            part.map(|part| (part.name, Value { data, part }))
        })
    }

    /// The field of this name.
    pub fn get(self, name: &str) -> Option<Value<'a>> {
        self.fields().find(|(field, _)| *field == name).map(|(_, value)| value)
    }

    /// The elements of a list or map, in order. Anything else has none.
    pub fn items(self) -> impl Iterator<Item = Value<'a>> {
        let data = self.data;
        let element = self.element();
        let mut left = match self.kind() {
            Kind::List(count) | Kind::Map(count) => count,
            _ => 0,
        };
        let mut at = self.part.start + 4;
        let mut steps = data.steps();
        std::iter::from_fn(move || {
            left = left.checked_sub(1)?;
            let (node, start) = (element?, at);
            at = data.end_of(node, start, &mut steps).ok()?;
            Some(Value { data, part: Part { name: node.name(), node, start, end: at } })
        })
    }

    /// What it refers to, when it is a reference; also when that is nothing.
    pub fn reference(self) -> Option<Reference> {
        self.node().reference_class()?;
        let number = |name| match self.get(name)?.kind() {
            Kind::Int(number) => Some(number),
            Kind::Unsigned(number) => Some(number as i64),
            _ => None,
        };
        Some(self.data.file.reference(number("m_FileID")?, FileId(number("m_PathID")?)))
    }

    pub(super) fn gather_references(self, found: &mut Vec<Reference>) {
        if let Some(reference) = self.reference() {
            return found.extend((!reference.is_null()).then_some(reference));
        }
        match self.element() {
            // Most large lists are of numbers.
            _ if !self.node().may_refer() => {}
            Some(_) => self.items().for_each(|item| item.gather_references(found)),
            None => self.fields().for_each(|(_, value)| value.gather_references(found)),
        }
    }

    /// What each element is, of a list or of what has nothing but a list inside.
    fn element(self) -> Option<Node<'a>> {
        let node = self.node();
        let mut children = node.children();
        let is_list = node.is_array()
            || children.len() == 1 && children.next().is_some_and(|child| child.is_array());
        if is_list { node.element() } else { None }
    }

    fn list_kind(self, element: Node<'a>) -> Kind<'a> {
        let start = self.part.start;
        let bytes = || self.data.list_bytes(start).unwrap_or_default();
        let count = || self.data.count(start).unwrap_or(0);
        match (self.node().type_name(), element.type_name()) {
            ("string", _) => Kind::Text(String::from_utf8_lossy(bytes())),
            (_, "UInt8" | "char") if element.size() == 1 => Kind::Bytes(bytes()),
            (_, "pair") => Kind::Map(count()),
            _ => Kind::List(count()),
        }
    }

    fn number(self) -> Kind<'a> {
        let Data { bytes, .. } = self.data;
        let Part { node, start, .. } = self.part;
        let raw = bytes.get(start..).and_then(|rest| rest.get(..node.size())).unwrap_or_default();
        let name = node.type_name();
        let is_unsigned = name.starts_with(['U', 'u']) || matches!(name, "char" | "FileSize");
        let number = match node.size() {
            1 => self.data.number(start).map(u8::from_le_bytes).map(u64::from),
            2 => self.data.number(start).map(u16::from_le_bytes).map(u64::from),
            4 => self.data.number(start).map(u32::from_le_bytes).map(u64::from),
            8 => self.data.number(start).map(u64::from_le_bytes),
            _ => return Kind::Bytes(raw),
        };
        let number = number.unwrap_or_default();
        match (name, node.size()) {
            ("bool", _) => Kind::Bool(number != 0),
            ("float", 4) => Kind::Float(f32::from_bits(number as u32)),
            ("double", 8) => Kind::Double(f64::from_bits(number)),
            _ if is_unsigned => Kind::Unsigned(number),
            (_, 1) => Kind::Int((number as i8).into()),
            (_, 2) => Kind::Int((number as i16).into()),
            (_, 4) => Kind::Int((number as i32).into()),
            _ => Kind::Int(number as i64),
        }
    }
}

impl fmt::Debug for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} = {:?}", self.node().type_name(), self.name(), self.kind())
    }
}

impl BinaryFile<'_> {
    /// What the number of a file, 0 for this one, and an id in it refer to.
    pub(super) fn reference(&self, file: i64, file_id: FileId) -> Reference {
        let at = usize::try_from(file).ok().and_then(|file| file.checked_sub(1));
        let external = at.and_then(|at| self.externals.get(at));
        match external {
            Some(external) => Reference { file_id, guid: Some(external.guid), kind: external.kind },
            None => Reference { file_id, guid: (file != 0).then(Guid::default), kind: 0 },
        }
    }
}
