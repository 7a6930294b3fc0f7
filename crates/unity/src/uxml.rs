//! UXML: user interfaces as XML. Reading checks that it is well-formed and keeps where everything is,
//! so that attributes and elements change by byte range.

#[cfg(test)]
mod tests;

use std::ops::Range;

use scenewright_text::{Edits, line_column};

/// A document that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uxml<'t> {
    text: &'t str,
    /// The elements in the order of their tags; the first is the root.
    pub elements: Vec<Element<'t>>,
}

/// An element of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element<'t> {
    /// Its name with its prefix, such as `ui:Button`.
    pub name: &'t str,
    /// What stands in its start tag.
    pub attributes: Vec<Attribute<'t>>,
    /// The element that it is in.
    pub parent: Option<usize>,
    /// Its start tag, or all of it if it has no other.
    pub tag: Range<usize>,
    /// What is between its tags; nothing for one without an end tag.
    pub content: Option<Range<usize>>,
}

/// An attribute of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attribute<'t> {
    /// Its name.
    pub name: &'t str,
    /// Its value, as it is written.
    pub raw: &'t str,
    /// The value in the text, without its quotes.
    pub value: Range<usize>,
}

/// Why a text is not well-formed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct Malformed {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

impl<'t> Uxml<'t> {
    /// Reads a document.
    pub fn parse(text: &'t str) -> Result<Uxml<'t>, Malformed> {
        let mut reader = Reader { text, at: 0, elements: Vec::new(), open: Vec::new() };
        match reader.run() {
            Ok(()) => Ok(Uxml { text, elements: reader.elements }),
            Err((at, message)) => {
                let (line, column) = line_column(text.as_bytes(), at);
                Err(Malformed { line, column, message })
            }
        }
    }

    /// The elements whose `name` this is.
    pub fn named(&self, name: &str) -> impl Iterator<Item = &Element<'t>> {
        self.elements
            .iter()
            .filter(move |element| element.get("name").is_some_and(|own| own == name))
    }

    /// Give an element an attribute, or another value.
    pub fn set(&self, element: &Element<'t>, name: &str, value: &str, edits: &mut Edits) {
        match element.attributes.iter().find(|own| own.name == name) {
            Some(own) => {
                if decode(own.raw) != value {
                    let quote = self.text[own.value.end..].chars().next().unwrap_or('"');
                    edits.replace(own.value.clone(), encode(value, quote));
                }
            }
            None => {
                let at = match element.attributes.last() {
                    Some(last) => last.value.end + 1,
                    None => element.tag.start + 1 + element.name.len(),
                };
                edits.insert(at, format!(" {name}=\"{}\"", encode(value, '"')));
            }
        }
    }

    /// Put lines of text last into an element, deeper than it is.
    pub fn append(&self, element: &Element<'t>, lines: &[String], edits: &mut Edits) {
        let break_ = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let start = self.text[..element.tag.start].rfind('\n').map_or(0, |at| at + 1);
        let before = &self.text[start..element.tag.start];
        let indent: String = before.chars().take_while(|c| c.is_whitespace()).collect();
        let step = self.step();
        let body: String =
            lines.iter().map(|line| format!("{indent}{step}{line}{break_}")).collect();
        match &element.content {
            None => {
                // `<a />` becomes `<a>…</a>`.
                let end = element.tag.end;
                let tag = &self.text[element.tag.clone()];
                let kept = tag[..tag.len() - 2].trim_end().len();
                let close = format!(">{break_}{body}{indent}</{}>", element.name);
                edits.replace(element.tag.start + kept..end, close);
            }
            Some(content) => {
                let inner = &self.text[content.clone()];
                let kept = inner.trim_end_matches([' ', '\t']);
                match kept.ends_with('\n') {
                    true => edits.insert(content.start + kept.len(), body),
                    false => {
                        let rest = content.start + inner.trim_end().len()..content.end;
                        edits.replace(rest, format!("{break_}{body}{indent}"));
                    }
                }
            }
        }
    }

    /// How much deeper an element is than the one that it is in.
    fn step(&self) -> &'t str {
        let indent = |at: usize| {
            let start = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
            let line = &self.text[start..at];
            line.trim_start().is_empty().then_some(line)
        };
        let first = self.elements.iter().find(|element| element.parent == Some(0));
        let first = first.and_then(|element| indent(element.tag.start));
        first.filter(|step| !step.is_empty()).unwrap_or("    ")
    }
}

impl Element<'_> {
    /// The value of an attribute, decoded.
    pub fn get(&self, name: &str) -> Option<String> {
        let own = self.attributes.iter().find(|attribute| attribute.name == name);
        own.map(|attribute| decode(attribute.raw))
    }

    /// Its name without its prefix and its namespace.
    pub fn class(&self) -> &str {
        self.name.rsplit([':', '.']).next().unwrap_or(self.name)
    }
}

/// Text as it stands between quotes of this kind.
pub fn encode(text: &str, quote: char) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if quote == '"' => out.push_str("&quot;"),
            '\'' if quote == '\'' => out.push_str("&apos;"),
            '\n' => out.push_str("&#10;"),
            c => out.push(c),
        }
    }
    out
}

fn decode(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let Some(end) = rest[at..].find(';') else { break };
        match entity(&rest[at + 1..at + end]) {
            Some(c) => out.push(c),
            None => out.push_str(&rest[at..=at + end]),
        }
        rest = &rest[at + end + 1..];
    }
    out + rest
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    elements: Vec<Element<'t>>,
    /// The elements that are not closed yet.
    open: Vec<usize>,
}

type Read<T> = Result<T, (usize, String)>;

impl<'t> Reader<'t> {
    fn run(&mut self) -> Read<()> {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while let Some(length) = self.rest().find('<') {
            self.check_text(length)?;
            self.at += length;
            let rest = self.rest();
            if rest.starts_with("<!--") {
                self.skip("-->", "a comment")?;
            } else if rest.starts_with("<![CDATA[") {
                self.skip("]]>", "CDATA")?;
            } else if rest.starts_with("<?") {
                self.skip("?>", "an instruction")?;
            } else if rest.starts_with("<!") {
                self.skip(">", "a declaration")?;
            } else if rest.starts_with("</") {
                self.end_tag()?;
            } else {
                self.start_tag()?;
            }
        }
        self.check_text(self.rest().len())?;
        if let Some(open) = self.open.last().and_then(|at| self.elements.get(*at)) {
            return Err((open.tag.start, format!("<{}> is never closed", open.name)));
        }
        match self.elements.is_empty() {
            true => Err((0, "there is no element".to_owned())),
            false => Ok(()),
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    /// Text between tags: outside of the root only blanks.
    fn check_text(&self, length: usize) -> Read<()> {
        let text = &self.rest()[..length];
        if self.open.is_empty() && !text.trim().is_empty() {
            let at = self.at + text.len() - text.trim_start().len();
            return Err((at, "there is text outside of the root element".to_owned()));
        }
        self.check_entities(self.at, text)
    }

    fn check_entities(&self, at: usize, text: &str) -> Read<()> {
        for (found, _) in text.match_indices('&') {
            let name = text[found + 1..].split(';').next().unwrap_or_default();
            let is_closed = text[found + 1..].len() > name.len();
            if !is_closed || entity(name).is_none() {
                return Err((at + found, "a plain & is written &amp;".to_owned()));
            }
        }
        Ok(())
    }

    fn skip(&mut self, end: &str, what: &str) -> Read<()> {
        match self.rest().find(end) {
            Some(length) => {
                self.at += length + end.len();
                Ok(())
            }
            None => Err((self.at, format!("{what} does not end"))),
        }
    }

    fn name(&mut self) -> Read<&'t str> {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '-');
        let rest = self.rest();
        let length = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let name = &rest[..length];
        if name.is_empty()
            || name.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'))
        {
            return Err((self.at, "a name is expected here".to_owned()));
        }
        self.at += length;
        Ok(name)
    }

    fn blank(&mut self) -> bool {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        self.at > self.text.len() - rest.len()
    }

    fn end_tag(&mut self) -> Read<()> {
        let start = self.at;
        self.at += 2;
        let name = self.name()?;
        self.blank();
        if !self.rest().starts_with('>') {
            return Err((self.at, format!("> is expected behind </{name}")));
        }
        self.at += 1;
        let Some(open) = self.open.pop() else {
            return Err((start, format!("</{name}> closes nothing")));
        };
        let element = &mut self.elements[open];
        if element.name != name {
            let (line, _) = line_column(self.text.as_bytes(), element.tag.start);
            let message =
                format!("</{name}> stands where <{}> of line {line} is to be closed", element.name);
            return Err((start, message));
        }
        element.content = Some(element.tag.end..start);
        Ok(())
    }

    fn start_tag(&mut self) -> Read<()> {
        let start = self.at;
        if self.open.is_empty() && !self.elements.is_empty() {
            return Err((start, "there is a second root element".to_owned()));
        }
        self.at += 1;
        let name = self.name()?;
        let mut attributes: Vec<Attribute<'t>> = Vec::new();
        let is_empty = loop {
            let has_blank = self.blank();
            let rest = self.rest();
            if rest.starts_with("/>") {
                self.at += 2;
                break true;
            }
            if rest.starts_with('>') {
                self.at += 1;
                break false;
            }
            if rest.is_empty() {
                return Err((start, format!("the tag <{name} does not end")));
            }
            if !has_blank {
                return Err((self.at, "a blank is expected before an attribute".to_owned()));
            }
            let attribute = self.attribute()?;
            if attributes.iter().any(|other| other.name == attribute.name) {
                let message = format!("<{name}> has the attribute {} twice", attribute.name);
                return Err((attribute.value.start, message));
            }
            attributes.push(attribute);
        };
        let parent = self.open.last().copied();
        if !is_empty {
            self.open.push(self.elements.len());
        }
        self.elements.push(Element {
            name,
            attributes,
            parent,
            tag: start..self.at,
            content: None,
        });
        Ok(())
    }

    fn attribute(&mut self) -> Read<Attribute<'t>> {
        let name = self.name()?;
        self.blank();
        if !self.rest().starts_with('=') {
            return Err((self.at, format!("the attribute {name} has no value")));
        }
        self.at += 1;
        self.blank();
        let quote = self.rest().chars().next().filter(|c| matches!(c, '"' | '\''));
        let Some(quote) = quote else {
            return Err((self.at, format!("the value of {name} stands in quotes")));
        };
        let start = self.at + 1;
        let length = self.text[start..].find(quote);
        let Some(length) = length else {
            return Err((self.at, format!("the value of {name} does not end")));
        };
        let value = start..start + length;
        let raw = &self.text[value.clone()];
        if let Some(at) = raw.find('<') {
            return Err((start + at, "< in a value is written &lt;".to_owned()));
        }
        self.check_entities(start, raw)?;
        self.at = value.end + 1;
        Ok(Attribute { name, raw, value })
    }
}
