//! The order of what both sides have, and lists whose items have no names.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// Longer than anybody waits for one list; what is not lined up by then counts as changed.
const MAX_TIME: Duration = Duration::from_secs(2);

/// The order of all that ours and theirs have.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Order<K> {
    pub(crate) keys: Vec<K>,
    /// Both put what base has into another order; ours counts.
    pub(crate) both: bool,
}

/// Who alone changed the order of what all have decides it. What the other side has more stands
/// behind what it stood behind there; where both put something into one place, ours is first.
pub(crate) fn order<K: Clone + Eq + Hash>(base: &[K], ours: &[K], theirs: &[K]) -> Order<K> {
    let in_theirs: HashSet<&K> = theirs.iter().collect();
    let in_ours: HashSet<&K> = ours.iter().collect();
    let shared = |keys: &[K]| -> Vec<K> {
        let all = keys.iter().filter(|key| in_ours.contains(key) && in_theirs.contains(key));
        all.cloned().collect()
    };
    let in_base: HashSet<&K> = base.iter().collect();
    let known =
        |keys: Vec<K>| -> Vec<K> { keys.into_iter().filter(|key| in_base.contains(key)).collect() };
    let (of_base, of_ours, of_theirs) =
        (known(shared(base)), known(shared(ours)), known(shared(theirs)));
    let (moved_by_ours, moved_by_theirs) = (of_ours != of_base, of_theirs != of_base);
    let both = moved_by_ours && moved_by_theirs && of_ours != of_theirs;
    let keys = match moved_by_theirs && !moved_by_ours {
        true => weave(theirs, ours, &in_ours),
        false => weave(ours, theirs, &in_theirs),
    };
    Order { keys, both }
}

/// The keys of the first list, with what only the second has behind its neighbours.
fn weave<K: Clone + Eq + Hash>(first: &[K], second: &[K], in_second: &HashSet<&K>) -> Vec<K> {
    let in_first: HashSet<&K> = first.iter().collect();
    let mut behind: HashMap<Option<&K>, Vec<&K>> = HashMap::new();
    let mut last = None;
    for key in second {
        match in_first.contains(key) {
            true => last = Some(key),
            false => behind.entry(last).or_default().push(key),
        }
    }
    let mut keys = Vec::with_capacity(first.len() + second.len());
    let mut waiting = behind.remove(&None).unwrap_or_default();
    for key in first {
        if in_second.contains(key) {
            keys.extend(waiting.drain(..).cloned());
            waiting = behind.remove(&Some(key)).unwrap_or_default();
        }
        keys.push(key.clone());
    }
    keys.extend(waiting.into_iter().cloned());
    keys
}

/// A part of a list: what each version has there, as ranges of positions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Chunk {
    pub(crate) base: std::ops::Range<usize>,
    pub(crate) ours: std::ops::Range<usize>,
    pub(crate) theirs: std::ops::Range<usize>,
    /// All three have the same there.
    pub(crate) is_stable: bool,
}

/// Three lists lined up: parts that all have, and parts that someone changed between them.
pub(crate) fn chunks<K: Eq + Hash + Ord>(base: &[K], ours: &[K], theirs: &[K]) -> Vec<Chunk> {
    let (to_ours, to_theirs) = (matches(base, ours), matches(base, theirs));
    let mut chunks = Vec::new();
    let (mut b, mut o, mut t) = (0, 0, 0);
    let mut at = 0;
    while at < base.len() {
        let (Some(in_ours), Some(in_theirs)) = (to_ours[at], to_theirs[at]) else {
            at += 1;
            continue;
        };
        push_changed(&mut chunks, b..at, o..in_ours, t..in_theirs);
        chunks.push(Chunk {
            base: at..at + 1,
            ours: in_ours..in_ours + 1,
            theirs: in_theirs..in_theirs + 1,
            is_stable: true,
        });
        (b, o, t) = (at + 1, in_ours + 1, in_theirs + 1);
        at += 1;
    }
    push_changed(&mut chunks, b..base.len(), o..ours.len(), t..theirs.len());
    chunks
}

fn push_changed(
    chunks: &mut Vec<Chunk>,
    base: std::ops::Range<usize>,
    ours: std::ops::Range<usize>,
    theirs: std::ops::Range<usize>,
) {
    if !(base.is_empty() && ours.is_empty() && theirs.is_empty()) {
        chunks.push(Chunk { base, ours, theirs, is_stable: false });
    }
}

/// For each item of the first list its place in the second.
fn matches<K: Eq + Hash + Ord>(old: &[K], new: &[K]) -> Vec<Option<usize>> {
    let mut places = vec![None; old.len()];
    let deadline = Some(Instant::now() + MAX_TIME);
    for op in capture_diff_slices_deadline(Algorithm::Myers, old, new, deadline) {
        if let DiffOp::Equal { old_index, new_index, len } = op {
            for step in 0..len {
                places[old_index + step] = Some(new_index + step);
            }
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str, ours: &str, theirs: &str, expected: &str) {
        let chars = |text: &str| -> Vec<char> { text.chars().collect() };
        let order = order(&chars(base), &chars(ours), &chars(theirs));
        assert_eq!(order.keys.into_iter().collect::<String>(), expected);
    }

    #[test]
    fn new_items_follow_their_neighbours() {
        check("abc", "axbc", "abyc", "axbyc");
        check("abc", "abcx", "abcy", "abcxy");
        check("abc", "xabc", "yabc", "xyabc");
        check("abc", "abc", "aybc", "aybc");
        // What was deleted by ours is the neighbour of nobody.
        check("abc", "ac", "abyc", "abyc");
    }

    #[test]
    fn who_alone_moved_something_decides() {
        check("abcd", "abcd", "dabc", "dabc");
        check("abcd", "dabc", "abcd", "dabc");
        check("abcd", "abcdx", "dabc", "dxabc");
        let both = order(&['a', 'b', 'c'], &['b', 'a', 'c'], &['a', 'c', 'b']);
        assert!(both.both);
        assert_eq!(both.keys, ['b', 'a', 'c']);
        assert!(!order(&['a', 'b'], &['b', 'a'], &['b', 'a']).both);
    }
}
