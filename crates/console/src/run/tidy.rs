//! What nothing leads to any more, taken out of the heap.
//!
//! Only between two rounds of a loop of the script itself: there no expression is half done, so that
//! the variables and what is held on purpose are all that leads anywhere. Code without such a loop
//! makes too little to need it.

use super::{CELL, LONG_TEXT, Ran, Run};
use crate::value::{Cell, Thing, Val};

/// What is alive, while it is found.
struct Marks {
    alive: Vec<bool>,
    waiting: Vec<Val>,
    bytes: usize,
}

impl Run<'_, '_> {
    /// Forget what nothing leads to, if much was made since the last time.
    pub(super) fn tidy(&mut self) -> Ran<()> {
        if !self.is_script || self.evaluating > 0 || self.budget.memory < self.tidy_at {
            return Ok(());
        }
        self.work(self.heap.len() as u64 / 16)?;
        let marks = self.mark();
        self.free.clear();
        for (place, alive) in marks.alive.iter().enumerate() {
            if !alive {
                self.heap[place] = Thing::Builder(String::new());
                self.free.push(place);
            }
        }
        self.budget.memory = marks.bytes.saturating_add(self.kept);
        // Later and later, so that looking never becomes most of the work.
        self.tidy_at = self.budget.memory.midpoint(self.budget.limits.memory);
        Ok(())
    }

    fn mark(&self) -> Marks {
        let held = self.held.iter().flatten().chain(&self.doomed);
        let (alive, waiting) = (vec![false; self.heap.len()], held.cloned().collect());
        let mut marks = Marks { alive, waiting, bytes: 0 };
        marks.cells(&self.frame);
        while let Some(value) = marks.waiting.pop() {
            marks.bytes += size(&value);
            match value {
                Val::Tuple(parts) | Val::Pair(parts) => marks.waiting.extend_from_slice(&parts),
                Val::Ref(place) if marks.alive.get(place) == Some(&false) => {
                    marks.alive[place] = true;
                    marks.thing(&self.heap[place]);
                }
                _ => {}
            }
        }
        marks
    }
}

impl Marks {
    fn cells(&mut self, cells: &[Cell]) {
        self.bytes += cells.len() * CELL;
        self.waiting.extend(cells.iter().map(|cell| cell.borrow().clone()));
    }

    fn thing(&mut self, thing: &Thing) {
        self.bytes += std::mem::size_of::<Thing>();
        match thing {
            Thing::List(list) => {
                let keys = list.sorted.iter().flat_map(|(keys, _)| keys.iter().flatten());
                self.waiting.extend(list.items.iter().chain(keys).chain(&list.key).cloned());
            }
            Thing::Map(map) => {
                for (key, value) in map.entries.iter().flatten() {
                    self.waiting.extend([key.clone(), value.clone()]);
                }
            }
            Thing::Func(closure) => self.cells(&closure.cells),
            Thing::Exception(exception) => self.bytes += exception.message.len(),
            Thing::Builder(text) => self.bytes += text.capacity(),
        }
    }
}

/// Bytes of a value; long texts are counted elsewhere.
fn size(value: &Val) -> usize {
    match value {
        Val::Text(text) if text.len() >= LONG_TEXT => std::mem::size_of::<Val>(),
        value => value.size(),
    }
}
