//! Fields found by their paths, as overrides of prefabs write them.

use super::Node;

impl<'a> Node<'a> {
    /// The field at a path: `m_Shadows.m_Strength`. Elements of lists are written as Unity does,
    /// `m_Materials.Array.data[0]`, or shorter, `m_Materials[0]`; which element does not matter.
    pub fn find(self, path: &str) -> Option<Node<'a>> {
        let mut found = self;
        let mut rest = path;
        loop {
            let field = found.longest_child(rest)?;
            rest = &rest[field.name().len()..];
            // `data` is the element already: what stands behind it says only which.
            if found.is_array()
                && let Some(after) = after_index(rest)
            {
                rest = after;
            }
            found = field;
            while let Some(after) = after_index(rest) {
                found = found.element()?;
                rest = after;
            }
            match rest.strip_prefix('.') {
                Some(after) => rest = after,
                None => return rest.is_empty().then_some(found),
            }
        }
    }

    /// The child that a path goes to. A few names have dots or brackets in them, `sh[12]` or
    /// `m_MeshSettings.swapUVChannels`, so the longest that fits is meant.
    fn longest_child(self, path: &str) -> Option<Node<'a>> {
        let fits = |child: &Node<'_>| {
            let rest = path.strip_prefix(child.name());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        self.children().filter(fits).max_by_key(|child| child.name().len())
    }
}

/// What follows `[12]`.
fn after_index(path: &str) -> Option<&str> {
    let (index, rest) = path.strip_prefix('[')?.split_once(']')?;
    let is_index = !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit());
    is_index.then_some(rest)
}
