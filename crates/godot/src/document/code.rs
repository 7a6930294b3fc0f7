//! Code that is written inside of a scene or resource, as the text of a value.

use std::ops::Range;

use super::Document;
use crate::FileKind;
use crate::syntax::escape_string;

/// A script or a shader inside of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InnerCode {
    /// The code itself.
    pub text: String,
    /// What kind of file it would be.
    pub kind: FileKind,
    /// Where its value stands, quotes included.
    pub span: Range<usize>,
    /// The line of the file that its first line is on, from 1.
    pub line: usize,
    /// Whether it would be written just as it is: Godot escapes only quotes and backslashes.
    pub is_plain: bool,
}

impl InnerCode {
    /// Where a byte of the code stands in the file.
    pub fn offset_in_file(&self, at: usize) -> usize {
        let before = self.text.get(..at).unwrap_or_default();
        let escaped = if self.is_plain { escape_string(before).len() } else { 0 };
        self.span.start + 1 + escaped
    }
}

impl Document {
    /// The scripts and shaders inside of the file, in file order.
    pub fn inner_code(&self) -> Vec<InnerCode> {
        let has = |name: &str| memchr::memmem::find(self.as_bytes(), name.as_bytes()).is_some();
        if !has("script/source") && !has("\ncode") {
            return Vec::new();
        }
        let inner = self.sub_resources().map(|found| (found.0, found.class().into_owned()));
        let main = self.main_resource().zip(self.resource_class());
        let main = main.map(|(section, class)| (section, class.into_owned()));
        let mut all = Vec::new();
        for (section, class) in inner.chain(main) {
            let (key, kind) = match &*class {
                "GDScript" => ("script/source", FileKind::Script),
                "Shader" => ("code", FileKind::Shader),
                _ => continue,
            };
            let Some(value) = section.property(key) else { continue };
            let Some(text) = value.as_str() else { continue };
            let span = value.span();
            let is_plain = value.raw_bytes() == format!("\"{}\"", escape_string(&text)).as_bytes();
            let line = self.position(span.start).0;
            all.push(InnerCode { text: text.into_owned(), kind, span, line, is_plain });
        }
        all
    }
}
