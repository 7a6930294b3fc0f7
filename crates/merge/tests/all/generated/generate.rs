//! What both generators share.

pub(crate) mod godot;
pub(crate) mod unity;

/// What became of one pair of edits.
pub(crate) enum Verdict {
    Clean,
    Conflict,
    /// A conflict although the edits go together.
    Needless(String),
    /// Clean, and not what the edits say.
    Wrong(String),
}

/// Numbers that look random and come again from the same seed.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x2545_f491_4f6c_dd1d)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound.max(1)
    }

    pub(crate) fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

/// The verdict by what the edits give in either order and what the merge gave.
pub(crate) fn verdict(
    orders: [Option<String>; 2],
    merged: Option<String>,
    what: impl Fn() -> String,
) -> Verdict {
    let [one, two] = orders;
    let commutes = one.is_some() && one == two;
    match (merged, commutes) {
        (None, false) => Verdict::Conflict,
        (None, true) => Verdict::Needless(what()),
        (Some(merged), true) if Some(&merged) == one.as_ref() => Verdict::Clean,
        (Some(merged), _) => Verdict::Wrong(format!(
            "{}\n--- merged\n{merged}\n--- ours then theirs\n{}\n--- theirs then ours\n{}",
            what(),
            one.unwrap_or_else(|| "(not possible)".into()),
            two.unwrap_or_else(|| "(not possible)".into())
        )),
    }
}

/// The edits without those that leave no trace, such as of what the same set deletes later.
pub(crate) fn net<E: Clone, T: PartialEq>(
    set: &[E],
    applied: impl Fn(&Vec<E>) -> Option<T>,
) -> Vec<E> {
    let mut net = set.to_vec();
    let whole = applied(&net);
    let mut at = 0;
    while at < net.len() {
        let mut without = net.clone();
        without.remove(at);
        match applied(&without) == whole {
            true => net = without,
            false => at += 1,
        }
    }
    net
}
