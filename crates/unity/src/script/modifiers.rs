//! The modifiers of a declaration, as a set.

use std::fmt;

macro_rules! modifiers {
    ($($variant:ident $word:literal)*) => {
        /// A modifier of a declaration.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[expect(missing_docs, reason = "the names are C#'s own")]
        pub enum Modifier { $($variant,)* }

        impl Modifier {
            const ALL: &[Modifier] = &[$(Modifier::$variant,)*];

            /// The keyword.
            pub fn word(self) -> &'static str {
                match self { $(Modifier::$variant => $word,)* }
            }
        }
    };
}

modifiers! {
    Public "public" Private "private" Protected "protected" Internal "internal" File "file"
    Static "static" Abstract "abstract" Sealed "sealed" Partial "partial" New "new"
    Virtual "virtual" Override "override" Const "const" Readonly "readonly" Volatile "volatile"
    Async "async" Extern "extern" Unsafe "unsafe" Fixed "fixed" Required "required"
}

/// A set of modifiers.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Modifiers(u32);

impl Modifiers {
    /// Whether the modifier is there.
    pub fn has(self, modifier: Modifier) -> bool {
        self.0 & (1 << modifier as u32) != 0
    }

    /// The modifiers, access first.
    pub fn iter(self) -> impl Iterator<Item = Modifier> {
        Modifier::ALL.iter().copied().filter(move |m| self.has(*m))
    }

    /// The access that is written, if one is.
    pub fn access(self) -> Option<&'static str> {
        use Modifier::{File, Internal, Private, Protected, Public};
        let both = |a, b| self.has(a) && self.has(b);
        match () {
            () if self.has(Public) => Some("public"),
            () if both(Protected, Internal) => Some("protected internal"),
            () if both(Private, Protected) => Some("private protected"),
            () if self.has(Protected) => Some("protected"),
            () if self.has(Internal) => Some("internal"),
            () if self.has(Private) => Some("private"),
            () if self.has(File) => Some("file"),
            () => None,
        }
    }

    /// Adds the modifier of that keyword; other words are ignored.
    pub(super) fn add(&mut self, word: &str) {
        if let Some(modifier) = Modifier::ALL.iter().find(|m| m.word() == word) {
            self.0 |= 1 << *modifier as u32;
        }
    }
}

impl fmt::Debug for Modifiers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}
