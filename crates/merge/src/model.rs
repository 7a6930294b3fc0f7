//! What every file is to the merge: items that have an identity (objects, sections), each a tree of
//! fields and lists. A node is a range of bytes, so that what nobody changed is never written anew.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;

/// A value with its key, as a range of bytes of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node {
    /// The key in a map; empty for items of lists.
    pub(crate) key: String,
    pub(crate) kind: Kind,
    /// All of it, with key and line break where it has lines of its own.
    pub(crate) span: Range<usize>,
    /// The value of an atom; what the children take in others, or where they would stand.
    pub(crate) inner: Range<usize>,
    pub(crate) layout: Layout,
    pub(crate) children: Vec<Node>,
}

/// What a node is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Compared as a whole: a number, a text, a reference, a vector.
    Atom,
    Map,
    List,
}

/// How children stand beside each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Each has lines of its own.
    Lines,
    /// The same, and the first shares its line with the dash of the list item, in this column.
    Dash(usize),
    /// Marks between them.
    Inline,
}

impl Node {
    pub(crate) fn atom(key: impl Into<String>, span: Range<usize>, value: Range<usize>) -> Node {
        Node {
            key: key.into(),
            kind: Kind::Atom,
            span,
            inner: value,
            layout: Layout::Inline,
            children: Vec::new(),
        }
    }

    /// The child of a key.
    pub(crate) fn child(&self, key: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.key == key)
    }
}

/// An object or section with its identity.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) key: String,
    pub(crate) span: Range<usize>,
    /// Blank lines behind it, which belong to nobody.
    pub(crate) gap: Range<usize>,
}

/// The text of a file, and where its items stand in it.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    pub(crate) bytes: Arc<Vec<u8>>,
    /// What stands before the first item.
    pub(crate) head: Range<usize>,
    pub(crate) items: Vec<Item>,
}

/// One version of a file, cut into items that can be looked up.
#[derive(Debug, Default)]
pub(crate) struct Version {
    pub(crate) bytes: Arc<Vec<u8>>,
    /// What stands before the first item.
    pub(crate) head: Range<usize>,
    pub(crate) items: Vec<Item>,
    /// Shared by versions that have the same items in the same order, which most have.
    by_key: Arc<ByKey>,
}

/// Places of items by the digest of their key, the next free one where two digests are the same. Keys are
/// looked up many times for each object of large files, and are not copied for it.
#[derive(Debug, Default)]
struct ByKey(HashMap<u64, usize, BuildHasherDefault<Digest>>);

/// Takes a digest for what it is.
#[derive(Default)]
struct Digest(u64);

impl Hasher for Digest {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("digests are numbers");
    }

    fn write_u64(&mut self, digest: u64) {
        self.0 = digest;
    }
}

impl ByKey {
    /// The place of a key, or where its digest goes.
    fn find(&self, items: &[Item], key: &str) -> Result<usize, u64> {
        let mut digest = scenewright_unity::xxh64(key.as_bytes());
        while let Some(place) = self.0.get(&digest) {
            if items[*place].key == key {
                return Ok(*place);
            }
            digest = digest.wrapping_add(1);
        }
        Err(digest)
    }
}

impl Version {
    /// Nothing when two items have one identity. What is known of a version that is nearly the same need
    /// not be found out again.
    pub(crate) fn new(parts: Parts, near: Option<&Version>) -> Result<Version, Twice> {
        let Parts { bytes, head, items } = parts;
        let keys = |items| <[Item]>::iter(items).map(|item: &Item| &item.key);
        if let Some(near) = near.filter(|near| keys(&near.items).eq(keys(&items))) {
            return Ok(Version { bytes, head, items, by_key: near.by_key.clone() });
        }
        let mut by_key = ByKey(HashMap::with_capacity_and_hasher(items.len(), <_>::default()));
        for (index, item) in items.iter().enumerate() {
            match by_key.find(&items, &item.key) {
                Ok(_) => {
                    return Err(Twice {
                        key: item.key.clone(),
                        parts: Parts { bytes, head, items },
                    });
                }
                Err(free) => drop(by_key.0.insert(free, index)),
            }
        }
        Ok(Version { bytes, head, items, by_key: Arc::new(by_key) })
    }

    pub(crate) fn find(&self, key: &str) -> Option<&Item> {
        self.place(key).map(|index| &self.items[index])
    }

    pub(crate) fn place(&self, key: &str) -> Option<usize> {
        self.by_key.find(&self.items, key).ok()
    }

    /// The place of a key that is likely at this one: versions that are gone through together have most
    /// items in the same order.
    pub(crate) fn place_near(&self, key: &str, likely: usize) -> Option<usize> {
        match self.items.get(likely) {
            Some(item) if item.key == key => Some(likely),
            _ => self.place(key),
        }
    }

    /// Whether another one has items that this one does not have.
    pub(crate) fn lacks_some_of(&self, other: &Version) -> bool {
        let is_new = |item: &Item| self.find(&item.key).is_none();
        !Arc::ptr_eq(&self.by_key, &other.by_key) && other.items.iter().any(is_new)
    }

    pub(crate) fn text(&self, item: &Item) -> &[u8] {
        &self.bytes[item.span.clone()]
    }
}

/// An identity that two items have.
pub(crate) struct Twice {
    pub(crate) key: String,
    pub(crate) parts: Parts,
}

/// A step on the way from an item to a field.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// The value of a key.
    Key(String),
    /// The item of a list that has this identity in it.
    Item(String),
    /// The item of a list at this place.
    Index(usize),
}

/// The path of a field as text: `m_Modifications[target.path].value`.
pub fn path_text(path: &[Step]) -> String {
    let mut text = String::new();
    for step in path {
        match step {
            Step::Key(key) => {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(key);
            }
            Step::Item(item) => text.push_str(&format!("[{item}]")),
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}
