//! USS: style sheets of user interfaces. Rules and declarations are found with their places, so that
//! one value changes by byte range; selectors, properties and values are checked as far as the
//! language goes.

mod selector;
#[cfg(test)]
mod tests;

use std::ops::Range;

use scenewright_text::{Edits, line_column};

use crate::uxml::Malformed;

pub use selector::Selector;

/// A style sheet that could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Uss<'t> {
    text: &'t str,
    /// Its rules in order.
    pub rules: Vec<Rule<'t>>,
}

/// A rule of a style sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule<'t> {
    /// Its selector, as it is written.
    pub selector: &'t str,
    /// What it sets, in order.
    pub declarations: Vec<Declaration<'t>>,
    /// What is between its braces.
    body: Range<usize>,
}

/// One property that a rule sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declaration<'t> {
    /// The property.
    pub name: &'t str,
    /// Its value, as it is written.
    pub value: &'t str,
    /// All of it, up to its semicolon if it has one.
    span: Range<usize>,
    /// The value.
    value_span: Range<usize>,
}

/// The properties that USS has; names that begin with `--` are the sheet's own.
pub const PROPERTIES: &[&str] = &[
    "align-content",
    "align-items",
    "align-self",
    "all",
    "aspect-ratio",
    "background-color",
    "background-image",
    "background-position",
    "background-position-x",
    "background-position-y",
    "background-repeat",
    "background-size",
    "border-bottom-color",
    "border-bottom-left-radius",
    "border-bottom-right-radius",
    "border-bottom-width",
    "border-color",
    "border-left-color",
    "border-left-width",
    "border-radius",
    "border-right-color",
    "border-right-width",
    "border-top-color",
    "border-top-left-radius",
    "border-top-right-radius",
    "border-top-width",
    "border-width",
    "bottom",
    "color",
    "cursor",
    "display",
    "filter",
    "flex",
    "flex-basis",
    "flex-direction",
    "flex-grow",
    "flex-shrink",
    "flex-wrap",
    "font-size",
    "height",
    "justify-content",
    "left",
    "letter-spacing",
    "margin",
    "margin-bottom",
    "margin-left",
    "margin-right",
    "margin-top",
    "max-height",
    "max-width",
    "min-height",
    "min-width",
    "opacity",
    "overflow",
    "padding",
    "padding-bottom",
    "padding-left",
    "padding-right",
    "padding-top",
    "position",
    "right",
    "rotate",
    "scale",
    "text-overflow",
    "text-shadow",
    "top",
    "transform-origin",
    "transition",
    "transition-delay",
    "transition-duration",
    "transition-property",
    "transition-timing-function",
    "translate",
    "-unity-background-image-tint-color",
    "-unity-background-scale-mode",
    "-unity-editor-text-rendering-mode",
    "-unity-font",
    "-unity-font-definition",
    "-unity-font-style",
    "-unity-material",
    "-unity-overflow-clip-box",
    "-unity-paragraph-spacing",
    "-unity-slice-bottom",
    "-unity-slice-left",
    "-unity-slice-right",
    "-unity-slice-scale",
    "-unity-slice-top",
    "-unity-slice-type",
    "-unity-text-align",
    "-unity-text-auto-size",
    "-unity-text-generator",
    "-unity-text-outline",
    "-unity-text-outline-color",
    "-unity-text-outline-width",
    "-unity-text-overflow-position",
    "visibility",
    "white-space",
    "width",
    "word-spacing",
];

/// Whether a name is that of a property.
pub fn is_property(name: &str) -> bool {
    let is_own = |rest: &str| {
        !rest.is_empty() && rest.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'))
    };
    PROPERTIES.contains(&name) || name.strip_prefix("--").is_some_and(is_own)
}

/// What is wrong with a value, if it could not stand in a rule.
pub fn value_problem(value: &str) -> Option<&'static str> {
    let mut depth = 0_i32;
    let mut quote = None;
    for c in value.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), '\n') => return Some("a text in quotes ends on its line"),
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ';' | '{' | '}' | '\n' | '\r') => {
                return Some("a value has no semicolon, brace or line break");
            }
            _ => {}
        }
        if depth < 0 {
            return Some("a parenthesis is closed that was not opened");
        }
    }
    match (value.trim().is_empty(), quote, depth) {
        (true, ..) => Some("a value is not empty"),
        (_, Some(_), _) => Some("a quote is not closed"),
        (_, _, 1..) => Some("a parenthesis is not closed"),
        _ => None,
    }
}

impl<'t> Uss<'t> {
    /// Reads a style sheet.
    pub fn parse(text: &'t str) -> Result<Uss<'t>, Malformed> {
        let mut reader = Reader { text, at: 0 };
        let mut rules = Vec::new();
        loop {
            match reader.rule() {
                Ok(Some(rule)) => rules.push(rule),
                Ok(None) => return Ok(Uss { text, rules }),
                Err((at, message)) => {
                    let (line, column) = line_column(text.as_bytes(), at);
                    return Err(Malformed { line, column, message });
                }
            }
        }
    }

    /// Give a property a value in the last rule of a selector; a new rule comes last.
    pub fn set(&self, selector: &Selector, property: &str, value: &str, edits: &mut Edits) {
        let line_break = if self.text.contains("\r\n") { "\r\n" } else { "\n" };
        let is_own =
            |rule: &&Rule<'_>| Selector::parse(rule.selector).is_ok_and(|own| own == *selector);
        let Some(rule) = self.rules.iter().rfind(is_own) else {
            let body = format!(
                "{selector} {{{line_break}    {property}: {value};{line_break}}}{line_break}"
            );
            let before = match self.text.trim_end() {
                "" => String::new(),
                _ if self.text.ends_with('\n') => line_break.to_owned(),
                _ => line_break.repeat(2),
            };
            edits.insert(self.text.len(), before + &body);
            return;
        };
        if let Some(own) = rule.declarations.iter().rfind(|own| own.name == property) {
            if own.value != value {
                edits.replace(own.value_span.clone(), value);
            }
            return;
        }
        self.add(rule, &format!("{property}: {value};"), line_break, edits);
    }

    fn add(&self, rule: &Rule<'_>, text: &str, line_break: &str, edits: &mut Edits) {
        let body = &self.text[rule.body.clone()];
        let Some(last) = rule.declarations.last() else {
            let start = rule.body.start;
            match body.contains('\n') {
                true => edits.insert(start, format!("{line_break}    {text}")),
                false => {
                    edits.replace(rule.body.clone(), format!("{line_break}    {text}{line_break}"))
                }
            }
            return;
        };
        let end = last.span.end;
        if !self.text[..end].ends_with(';') {
            edits.insert(end, ";");
        }
        let line = self.text[..last.span.start].rfind('\n').map_or(0, |at| at + 1);
        let before = &self.text[line..last.span.start];
        match before.trim().is_empty() && line > rule.body.start {
            true => edits.insert(end, format!("{line_break}{before}{text}")),
            // The rule stands on one line.
            false => edits.insert(end, format!(" {text}")),
        }
    }
}

/// The style of one element, `a: b; c: d`, with another value for a property.
pub fn with_inline(style: &str, property: &str, value: &str) -> Result<String, Malformed> {
    let sheet = format!("x{{{style}}}");
    let parsed = Uss::parse(&sheet)?;
    let Some(rule) = parsed.rules.first() else { return Ok(format!("{property}: {value};")) };
    let mut edits = Edits::default();
    match rule.declarations.iter().rfind(|own| own.name == property) {
        Some(own) if own.value == value => {}
        Some(own) => edits.replace(own.value_span.clone(), value),
        None if rule.declarations.is_empty() => return Ok(format!("{property}: {value};")),
        None => parsed.add(rule, &format!("{property}: {value};"), "\n", &mut edits),
    }
    let after = edits.apply(sheet.as_bytes()).ok().and_then(|after| String::from_utf8(after).ok());
    let after = after.unwrap_or_else(|| sheet.clone());
    Ok(after[2..after.len() - 1].to_owned())
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

type Read<T> = Result<T, (usize, String)>;

impl<'t> Reader<'t> {
    /// Blanks and comments.
    fn blank(&mut self) -> Read<()> {
        loop {
            let rest = &self.text[self.at..];
            self.at += rest.len()
                - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
            if !self.text[self.at..].starts_with("/*") {
                return Ok(());
            }
            match self.text[self.at + 2..].find("*/") {
                Some(length) => self.at += length + 4,
                None => return Err((self.at, "a comment does not end".to_owned())),
            }
        }
    }

    /// The next of these characters outside of quotes, parentheses and comments.
    fn until(&self, ends: &[char]) -> Read<Option<(usize, char)>> {
        let (mut quote, mut depth) = (None, 0_usize);
        let mut rest = self.text[self.at..].char_indices();
        while let Some((offset, c)) = rest.next() {
            let at = self.at + offset;
            match (quote, c) {
                (Some((_, open)), c) if c == open => quote = None,
                (Some((start, _)), '\n') => {
                    return Err((start, "a quote is not closed".to_owned()));
                }
                (Some(_), _) => {}
                (None, '"' | '\'') => quote = Some((at, c)),
                (None, '/') if self.text[at..].starts_with("/*") => {
                    let Some(length) = self.text[at + 2..].find("*/") else {
                        return Err((at, "a comment does not end".to_owned()));
                    };
                    let end = at + length + 4;
                    while rest.clone().next().is_some_and(|(next, _)| self.at + next < end) {
                        rest.next();
                    }
                }
                (None, '(') => depth += 1,
                (None, ')') => depth = depth.saturating_sub(1),
                (None, c) if depth == 0 && ends.contains(&c) => return Ok(Some((at, c))),
                _ => {}
            }
        }
        match quote {
            Some((start, _)) => Err((start, "a quote is not closed".to_owned())),
            None => Ok(None),
        }
    }

    fn rule(&mut self) -> Read<Option<Rule<'t>>> {
        loop {
            self.blank()?;
            let start = self.at;
            if start == self.text.len() {
                return Ok(None);
            }
            let end = self.until(&['{', ';', '}'])?;
            match end {
                // `@import url("…");`
                Some((at, ';')) if self.text[start..].starts_with('@') => self.at = at + 1,
                Some((at, '{')) => {
                    self.at = at + 1;
                    let selector = self.text[start..at].trim_end();
                    if selector.is_empty() {
                        return Err((at, "a rule has no selector".to_owned()));
                    }
                    return self.body(selector).map(Some);
                }
                Some((at, found)) => return Err((at, format!("{found} stands outside of a rule"))),
                None => return Err((start, "a rule has no braces".to_owned())),
            }
        }
    }

    fn body(&mut self, selector: &'t str) -> Read<Rule<'t>> {
        let start = self.at;
        let mut declarations = Vec::new();
        loop {
            self.blank()?;
            let from = self.at;
            let Some((at, end)) = self.until(&[';', '}', '{'])? else {
                return Err((start - 1, "a rule is not closed".to_owned()));
            };
            if end == '{' {
                return Err((at, "a rule stands inside of a rule".to_owned()));
            }
            let text = self.text[from..at].trim_end();
            if !text.is_empty() {
                let Some((name, value)) = text.split_once(':') else {
                    return Err((from, format!("{text} has no value")));
                };
                let value_start = from + name.len() + 1 + (value.len() - value.trim_start().len());
                let close = if end == ';' { at + 1 } else { from + text.len() };
                declarations.push(Declaration {
                    name: name.trim(),
                    value: value.trim(),
                    span: from..close,
                    value_span: value_start..from + text.len(),
                });
            }
            self.at = at + 1;
            if end == '}' {
                return Ok(Rule { selector, declarations, body: start..at });
            }
        }
    }
}
