//! Steps through the data of an object along the layout of its class.

use super::{BinaryError, BinaryFile};
use crate::types::Node;

/// Values inside of each other; layouts are not that deep, but objects inside of objects could be.
const DEEPEST: usize = 128;
/// Elements that take no bytes: nothing else says how many there can be.
const MOST_EMPTY: usize = 4096;
/// Steps for any object, and for each of its bytes.
const STEPS: usize = 1 << 13;
const STEPS_A_BYTE: usize = 16;

/// The data of one object.
#[derive(Clone, Copy)]
pub(super) struct Data<'a> {
    pub(super) file: &'a BinaryFile<'a>,
    pub(super) bytes: &'a [u8],
    /// Where the object is in the file, for errors.
    pub(super) start: usize,
    pub(super) root: Node<'a>,
}

/// A part of the data, and what it is.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    /// The name of the field; that of the node is another where the data says which class it is.
    pub(super) name: &'a str,
    pub(super) node: Node<'a>,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'a> Data<'a> {
    pub(super) fn number<const N: usize>(&self, at: usize) -> Option<[u8; N]> {
        let mut bytes: [u8; N] = *self.bytes.get(at..)?.first_chunk()?;
        if self.file.big_endian {
            bytes.reverse();
        }
        Some(bytes)
    }

    /// How many elements the list at a place has.
    pub(super) fn count(&self, at: usize) -> Result<usize, BinaryError> {
        let count = self.number(at).map(i32::from_le_bytes).ok_or(self.ends(at))?;
        let what = "a list";
        let impossible =
            BinaryError::Impossible { what, at: self.start + at, number: count.into() };
        let count = usize::try_from(count).map_err(|_| impossible.clone())?;
        // Elements that take no bytes at all are counted when they are walked.
        if count > self.bytes.len().max(MOST_EMPTY) { Err(impossible) } else { Ok(count) }
    }

    /// The bytes of a list of single bytes: text most of the time.
    pub(super) fn list_bytes(&self, at: usize) -> Option<&'a [u8]> {
        let count = self.count(at).ok()?;
        self.bytes.get(at + 4..)?.get(..count)
    }

    /// How many steps reading the whole object may take.
    pub(super) fn steps(&self) -> Steps {
        Steps { left: STEPS + self.bytes.len() * STEPS_A_BYTE, deep: 0 }
    }

    fn ends(&self, at: usize) -> BinaryError {
        BinaryError::Ends { what: "an object", at: self.start + at }
    }

    fn wrong(&self) -> BinaryError {
        BinaryError::Object { at: self.start }
    }

    /// Where the value that starts at a place ends.
    pub(super) fn end_of(
        &self,
        node: Node<'a>,
        at: usize,
        steps: &mut Steps,
    ) -> Result<usize, BinaryError> {
        steps.down().ok_or(self.wrong())?;
        let end = if node.is_array() {
            self.end_of_list(node, at, steps)?
        } else if node.children().len() == 0 {
            at + node.size()
        } else {
            let mut fields = Fields::new(*self, node, at);
            while fields.advance(steps)?.is_some() {}
            fields.at
        };
        steps.deep -= 1;
        if end > self.bytes.len() {
            return Err(self.ends(at));
        }
        // The last value of an object may lack what fills it up.
        let aligned = if node.is_align() { end.next_multiple_of(4) } else { end };
        Ok(aligned.min(self.bytes.len()))
    }

    fn end_of_list(
        &self,
        list: Node<'a>,
        at: usize,
        steps: &mut Steps,
    ) -> Result<usize, BinaryError> {
        let count = self.count(at)?;
        let element = list.element().ok_or(self.wrong())?;
        let mut end = at + 4;
        let size = fixed_size(element, steps).ok_or(self.wrong())?;
        if let Some(size) = size.and_then(|size| size.each(end)) {
            if size == 0 && count > MOST_EMPTY {
                return Err(self.wrong());
            }
            return count
                .checked_mul(size)
                .and_then(|size| end.checked_add(size))
                .ok_or(self.wrong());
        }
        for _ in 0..count {
            end = self.end_of(element, end, steps)?;
        }
        Ok(end)
    }
}

/// How much a walk may still do.
pub(super) struct Steps {
    left: usize,
    deep: usize,
}

impl Steps {
    fn down(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.deep += 1;
        (self.deep <= DEEPEST).then_some(())
    }
}

/// What values take that do not depend on the data.
struct Fixed {
    /// From a place that is a multiple of four.
    size: usize,
    /// Something inside is filled up to four bytes.
    is_filled: bool,
}

impl Fixed {
    /// How many bytes each of a list takes that starts at a place, when that is the same for all.
    fn each(&self, at: usize) -> Option<usize> {
        let is_even = at.is_multiple_of(4) && self.size.is_multiple_of(4);
        (is_even || !self.is_filled).then_some(self.size)
    }
}

/// How many bytes every value of this layout takes, unless that depends on the data. The outer none:
/// too many steps.
fn fixed_size(node: Node<'_>, steps: &mut Steps) -> Option<Option<Fixed>> {
    let mut fixed = Fixed { size: 0, is_filled: false };
    Some(add_size(node, &mut fixed, steps)?.then_some(fixed))
}

fn add_size(node: Node<'_>, to: &mut Fixed, steps: &mut Steps) -> Option<bool> {
    steps.left = steps.left.checked_sub(1)?;
    if node.is_array() || [REFERENCED, REGISTRY].contains(&node.type_name()) {
        return Some(false);
    }
    if node.children().len() == 0 {
        to.size += node.size();
    }
    for child in node.children() {
        if !add_size(child, to, steps)? {
            return Some(false);
        }
    }
    if node.is_align() {
        to.size = to.size.next_multiple_of(4);
        to.is_filled = true;
    }
    Some(true)
}

/// An object that is kept inside of another: the name of its class, then its data.
const REFERENCED: &str = "ReferencedObject";
const REFERENCED_TYPE: &str = "ReferencedManagedType";
const REFERENCED_DATA: &str = "ReferencedObjectData";
/// Where those are kept, at the end of the outer object.
const REGISTRY: &str = "ManagedReferencesRegistry";
/// The class of the one that ends them, in files that do not say how many there are.
const LAST: &str = "Terminus";

/// Steps through the fields of a value.
pub(super) struct Fields<'a> {
    data: Data<'a>,
    node: Node<'a>,
    next: usize,
    pub(super) at: usize,
    /// The class that was named last.
    named: Option<[&'a [u8]; 3]>,
}

impl<'a> Fields<'a> {
    pub(super) fn new(data: Data<'a>, node: Node<'a>, at: usize) -> Fields<'a> {
        Fields { data, node, next: 0, at, named: None }
    }

    /// The next field.
    pub(super) fn advance(&mut self, steps: &mut Steps) -> Result<Option<Part<'a>>, BinaryError> {
        let Some(mut node) = self.node.nth_child(self.next) else { return Ok(None) };
        self.next += 1;
        let name = node.name();
        match node.type_name() {
            // Layouts of inner objects have one too, but only that of the outer object is written.
            REGISTRY if self.node != self.data.root => return self.advance(steps),
            REFERENCED_DATA => node = self.inner_class().unwrap_or(node),
            _ => {}
        }
        let start = self.at;
        self.at = self.data.end_of(node, start, steps)?;
        match node.type_name() {
            REFERENCED_TYPE => self.named = Some(self.data.names(node, start, steps)?),
            REFERENCED if self.node.type_name() == REGISTRY => {
                let first = node.children().next().filter(|of| of.type_name() == REFERENCED_TYPE);
                let named = first.map(|of| self.data.names(of, start, steps)).transpose()?;
                // There are more of them until the last.
                if named.is_some_and(|names| names[0] != LAST.as_bytes()) {
                    self.next -= 1;
                }
            }
            _ => {}
        }
        Ok(Some(Part { name, node, start, end: self.at }))
    }

    fn inner_class(&self) -> Option<Node<'a>> {
        let named = self.named?;
        let is_it = |names: &[String; 3]| names.iter().map(String::as_bytes).eq(named);
        let types = &self.data.file.inner_types;
        types.iter().find(|of| is_it(&of.names))?.nodes.as_ref().map(|nodes| nodes.node(0))
    }
}

impl<'a> Data<'a> {
    /// The class, namespace and assembly that a value names.
    fn names(
        &self,
        node: Node<'a>,
        at: usize,
        steps: &mut Steps,
    ) -> Result<[&'a [u8]; 3], BinaryError> {
        let mut fields = Fields::new(*self, node, at);
        let mut names: [&[u8]; 3] = Default::default();
        for name in &mut names {
            if let Some(part) = fields.advance(steps)? {
                *name = self.list_bytes(part.start).unwrap_or_default();
            }
        }
        Ok(names)
    }
}
