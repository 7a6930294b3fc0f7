//! A file that several tries are made in: read and expanded once for all of them.

use std::cell::{Cell, OnceCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use scenewright_tools_unity::base::editing::Opened;
use scenewright_unity::hierarchy::{Hierarchy, Stated};
use scenewright_unity::{ClassId, Document, FileId};

use super::Verdict;
use super::orders::{Key, Orders, is_sorted, keys};

/// How changes name an object: itself, or its GameObject and component.
pub(super) type Name = (String, Option<String>);

/// The list of the overrides of an instance.
pub(super) const LIST: &str = "m_Modification.m_Modifications";

/// A file as it is before every try.
pub(super) struct Ground {
    pub(super) document: Arc<Document>,
    pub(super) tree: Hierarchy,
    orders: Rc<Orders>,
    /// By instance, and what its source calls it.
    inside: OnceCell<HashMap<(FileId, FileId), Name>>,
    /// Whether what is made next is broken on purpose, and whether it was.
    breaks: Cell<bool>,
    broken: Cell<bool>,
}

impl Ground {
    pub(super) fn of(opened: &Opened<'_>, orders: Rc<Orders>) -> Ground {
        let document = opened.document().clone();
        let tree = opened.unity.expander.scene(document.clone(), opened.guid());
        Ground {
            document,
            tree,
            orders,
            inside: OnceCell::new(),
            breaks: Cell::new(false),
            broken: Cell::new(false),
        }
    }

    /// Try with another value than the one that was made, which a judge that is awake notices. Nothing where
    /// the try has no value to break.
    pub(super) fn broken<T>(&self, judge: impl FnOnce() -> T) -> Option<T> {
        self.broken.set(false);
        self.breaks.set(true);
        let verdict = judge();
        self.breaks.set(false);
        self.broken.get().then_some(verdict)
    }

    /// What was made, as the judge gets to see it; `value` tells where one value of it is.
    pub(super) fn shown(
        &self,
        mut bytes: Vec<u8>,
        value: impl FnOnce(&[u8]) -> Option<usize>,
    ) -> Vec<u8> {
        if self.breaks.get()
            && let Some(at) = value(&bytes)
        {
            bytes.insert(last_of_line(&bytes, at), b'7');
            self.broken.set(true);
        }
        bytes
    }

    /// What became of overrides that are the same in another order.
    pub(super) fn moved(&self, real: &[Key], made: &[Key], what: String) -> Verdict {
        match self.orders.tell(real, made) {
            true => Verdict::Moved(what),
            false => Verdict::Free(what),
        }
    }

    /// How changes name an object inside of an instance of the file.
    pub(super) fn inside(&self, instance: FileId, target: FileId) -> Option<&Name> {
        self.inside.get_or_init(|| names(&self.tree)).get(&(instance, target))
    }

    /// Which order the overrides of its instances show: a Unity before 2020.3 left them as they came.
    pub(super) fn order(&self) -> &'static str {
        let mut instances =
            self.document.objects().filter(|object| object.class_id() == ClassId::PREFAB_INSTANCE);
        match instances.all(|instance| is_sorted(&keys(instance))) {
            true => "lists in order",
            false => "lists as they came",
        }
    }
}

/// Behind the last value of a line.
fn last_of_line(bytes: &[u8], at: usize) -> usize {
    let end =
        bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |end| at + end);
    let line = bytes[at..end].trim_ascii_end();
    at + line.strip_suffix(b"}").unwrap_or(line).len()
}

/// Where the value of the first line behind `start` is that begins with `key`.
pub(super) fn value_behind(bytes: &[u8], start: &str, key: &str) -> Option<usize> {
    let text = std::str::from_utf8(bytes).ok()?;
    let start = text.find(start)?;
    Some(start + text[start..].find(key)? + key.len())
}

fn names(tree: &Hierarchy) -> HashMap<(FileId, FileId), Name> {
    let mut names = HashMap::new();
    for node in tree.objects() {
        let Some(own) = node.file_id() else { continue };
        if let Some(Stated::Override { instance, target }) = node.stated() {
            names.entry((instance, target)).or_insert_with(|| (format!("#{own}"), None));
        }
        for held in node.components() {
            if let Stated::Override { instance, target } = held.stated()
                && node.outer_instance() == Some(instance)
            {
                let name = (format!("#{own}"), Some(format!("#{}", held.file_id())));
                names.entry((instance, target)).or_insert(name);
            }
        }
    }
    names
}
