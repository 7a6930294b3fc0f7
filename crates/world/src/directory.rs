//! All objects in rows, parents before children, so that searches run over plain memory instead of
//! from object to object.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::fast::RandomState;
use memchr::memmem::Finder;

use crate::ids::ObjectId;
use crate::world::World;

/// The objects of a world as they are named and nested.
#[derive(Debug)]
pub(crate) struct Directory {
    rows: Vec<Row>,
    /// The names in lower case, one behind the other.
    names: String,
    /// The rows under each root, itself first.
    roots: HashMap<ObjectId, Range<usize>, RandomState>,
    /// The rows of the objects with a component of a class, sorted.
    classes: HashMap<Arc<str>, Vec<u32>, RandomState>,
}

#[derive(Debug)]
struct Row {
    id: ObjectId,
    /// The row of its parent; its own for a root.
    parent: u32,
    /// The end of its name.
    name_end: usize,
}

impl World {
    /// The objects in rows; gathered again when objects were made, moved, named or destroyed.
    pub(crate) fn directory(&self) -> Arc<Directory> {
        self.directory.get(|_| true, || Directory::gather(self))
    }
}

impl Directory {
    fn gather(world: &World) -> Directory {
        let mut directory = Directory {
            rows: Vec::with_capacity(world.len()),
            names: String::new(),
            roots: HashMap::default(),
            classes: HashMap::default(),
        };
        for root in world.all_roots() {
            let start = directory.rows.len();
            directory.add(world, root);
            directory.roots.insert(root, start..directory.rows.len());
        }
        directory
    }

    fn add(&mut self, world: &World, root: ObjectId) {
        let own = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
        let mut open = vec![(root, own)];
        while let Some((id, parent)) = open.pop() {
            let Some(object) = world.object(id) else { continue };
            let row = u32::try_from(self.rows.len()).unwrap_or(u32::MAX);
            self.names.push_str(&object.folded);
            self.rows.push(Row { id, parent, name_end: self.names.len() });
            for class in object.components().iter().filter_map(|c| c.type_name.as_ref()) {
                let rows = match self.classes.get_mut(class) {
                    Some(rows) => rows,
                    None => self.classes.entry(class.clone()).or_default(),
                };
                if rows.last() != Some(&row) {
                    rows.push(row);
                }
            }
            open.extend(object.children().iter().rev().map(|child| (*child, row)));
        }
    }

    pub(crate) fn id(&self, row: u32) -> ObjectId {
        self.rows[row as usize].id
    }

    pub(crate) fn parent(&self, row: u32) -> Option<u32> {
        Some(self.rows[row as usize].parent).filter(|parent| *parent != row)
    }

    /// The rows under some roots, in their order.
    pub(crate) fn under(&self, roots: &[ObjectId]) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for rows in roots.iter().filter_map(|root| self.roots.get(root)) {
            match ranges.last_mut().filter(|last| last.end == rows.start) {
                Some(last) => last.end = rows.end,
                None => ranges.push(rows.clone()),
            }
        }
        ranges
    }

    fn name(&self, row: usize) -> Range<usize> {
        let start = row.checked_sub(1).map_or(0, |before| self.rows[before].name_end);
        start..self.rows[row].name_end
    }

    /// The rows whose name has a text in it.
    pub(crate) fn named(&self, text: &Finder<'_>, rows: Range<usize>) -> Vec<u32> {
        let mut found = Vec::new();
        if rows.is_empty() {
            return found;
        }
        let end = self.rows[rows.end - 1].name_end;
        let (mut at, mut row) = (self.name(rows.start).start, rows.start);
        while let Some(next) = text.find(&self.names.as_bytes()[at..end]) {
            at += next;
            row += self.rows[row..rows.end].partition_point(|row| row.name_end <= at);
            let name = self.name(row);
            if at + text.needle().len() <= name.end {
                found.push(row as u32);
                // One is enough, and the next may begin in the name behind.
                at = name.end;
            } else {
                // It reaches into the next name, so it is in neither; not yet.
                at += 1;
            }
            if at >= end {
                break;
            }
        }
        found
    }

    /// The rows whose path has a text in it: `/root/child`.
    pub(crate) fn placed(&self, text: &Finder<'_>, rows: Range<usize>) -> Vec<u32> {
        let overlap = text.needle().len().saturating_sub(1);
        let (mut found, mut path) = (Vec::new(), Vec::new());
        // Where each path on the way ends, and whether the text is in it.
        let mut ends: Vec<(usize, usize, bool)> = Vec::new();
        for row in rows {
            let parent = self.rows[row].parent as usize;
            while ends.last().is_some_and(|(above, ..)| *above != parent) {
                ends.pop();
            }
            let (start, is_above) = ends.last().map_or((0, false), |(_, end, has)| (*end, *has));
            path.truncate(start);
            path.push(b'/');
            path.extend_from_slice(&self.names.as_bytes()[self.name(row)]);
            let tail = &path[start.saturating_sub(overlap)..];
            let has = is_above || text.find(tail).is_some();
            if has {
                found.push(row as u32);
            }
            ends.push((row, path.len(), has));
        }
        found
    }

    /// The rows with a component of one of the classes that are `wanted`.
    pub(crate) fn with(&self, wanted: impl Fn(&str) -> bool, rows: &Range<usize>) -> Vec<u32> {
        let mut lists = self.classes.iter().filter(|(class, _)| wanted(class)).map(|(_, own)| own);
        let within = |own: &[u32]| {
            let start = own.partition_point(|row| (*row as usize) < rows.start);
            let end = own.partition_point(|row| (*row as usize) < rows.end);
            own[start..end].to_vec()
        };
        let Some(first) = lists.next() else { return Vec::new() };
        let mut all = within(first);
        let mut is_mixed = false;
        for other in lists {
            all.extend(within(other));
            is_mixed = true;
        }
        if is_mixed {
            all.sort_unstable();
            all.dedup();
        }
        all
    }
}
