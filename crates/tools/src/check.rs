//! Checks of whole projects: the words that the rules of every engine are told in.

/// A rule of a check, as a value that lives for ever.
macro_rules! rule {
    ($id:literal, $severity:ident, $title:literal, $help:literal) => {{
        static RULE: Rule = Rule {
            id: $id,
            severity: scenewright_contract::finding::Severity::$severity,
            title: $title,
            help: $help,
        };
        &RULE
    }};
}
pub(crate) use rule;
