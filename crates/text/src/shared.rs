//! Texts that are kept once, however often they are met.

use std::collections::HashSet;
use std::sync::Arc;

/// Texts of which many are the same, each kept once.
#[derive(Debug, Default)]
pub struct Shared(HashSet<Arc<str>>);

impl Shared {
    /// The one copy of a text.
    pub fn share(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let text: Arc<str> = text.into();
        self.0.insert(text.clone());
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_text_is_kept_once() {
        let mut texts = Shared::default();
        let (first, second) = (texts.share("a"), texts.share("a"));
        assert!(Arc::ptr_eq(&first, &second));
        assert_eq!(&*texts.share("b"), "b");
    }
}
