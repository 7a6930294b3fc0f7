//! Things to read by URI, as data.

/// One readable thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceInfo {
    /// Its URI.
    pub uri: String,
    /// Its short name.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it holds.
    pub description: String,
    /// Its media type.
    pub mime: &'static str,
}

/// A family of readable things: a URI with `{parameters}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemplateInfo {
    /// RFC 6570 template, simple `{name}` expressions only.
    pub uri: &'static str,
    /// Its short name.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// What it holds.
    pub description: &'static str,
    /// Its media type.
    pub mime: &'static str,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceText {
    /// The URI that was asked for.
    pub uri: String,
    /// Its media type.
    pub mime: &'static str,
    /// The content.
    pub text: String,
}
