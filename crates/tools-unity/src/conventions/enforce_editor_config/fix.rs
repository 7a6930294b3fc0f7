//! What breaks the rules in one file, and the file without it.

use std::collections::{BTreeMap, HashSet};

use scenewright_unity::script::breaks_in_strings;

const BOM: &[u8] = b"\xef\xbb\xbf";
/// Tabs are as wide as this where nothing is said.
const WIDTH: usize = 4;

/// What a file is to be like.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Rules {
    tabs: Option<bool>,
    width: Option<usize>,
    trims: bool,
    ends_in_break: Option<bool>,
    line_end: Option<&'static str>,
    marked: Option<bool>,
}

/// One thing that breaks a rule.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Violation {
    /// From 1.
    pub(super) line: usize,
    pub(super) rule: &'static str,
    pub(super) message: String,
}

impl Rules {
    /// What the values of `.editorconfig` mean; the name of one whose value nobody knows.
    pub(super) fn new(values: &BTreeMap<String, String>) -> Result<Self, String> {
        let mut rules = Self::default();
        let width =
            values.get("indent_size").filter(|size| *size != "tab").or(values.get("tab_width"));
        for (key, value) in values.iter().filter(|(_, value)| *value != "unset") {
            let wrong = || Err(key.clone());
            match (key.as_str(), value.as_str()) {
                ("indent_style", "tab") => rules.tabs = Some(true),
                ("indent_style", "space") => rules.tabs = Some(false),
                ("trim_trailing_whitespace", "true" | "false") => rules.trims = value == "true",
                ("insert_final_newline", "true" | "false") => {
                    rules.ends_in_break = Some(value == "true").filter(|wanted| *wanted);
                }
                ("end_of_line", "lf") => rules.line_end = Some("\n"),
                ("end_of_line", "crlf") => rules.line_end = Some("\r\n"),
                ("charset", "utf-8") => rules.marked = Some(false),
                ("charset", "utf-8-bom") => rules.marked = Some(true),
                ("indent_size", "tab") => {}
                ("indent_size" | "tab_width", size) => match size.parse() {
                    Ok(size @ 1..=16) => rules.width = rules.width.or(Some(size)),
                    _ => return wrong(),
                },
                (
                    "indent_style"
                    | "trim_trailing_whitespace"
                    | "insert_final_newline"
                    | "end_of_line",
                    _,
                ) => {
                    return wrong();
                }
                _ => {}
            }
        }
        rules.width = width.and_then(|width| width.parse().ok()).or(rules.width);
        Ok(rules)
    }

    /// The text as it should be, and what was wrong with it.
    pub(super) fn apply(&self, source: &str, is_code: bool) -> (Vec<u8>, Vec<Violation>) {
        let mut found = Vec::new();
        let (was_marked, text) = match source.strip_prefix('\u{feff}') {
            Some(text) => (true, text),
            None => (false, source),
        };
        let marked = self.marked.unwrap_or(was_marked);
        if marked != was_marked {
            let message = if marked { "has no byte order mark" } else { "has a byte order mark" };
            found.push(Violation { line: 1, rule: "charset", message: message.to_owned() });
        }
        let kept = if is_code { breaks_in_strings(text) } else { HashSet::new() };
        let mut after = if marked { BOM.to_vec() } else { Vec::new() };
        let (mut at, mut in_string) = (0, false);
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let end = at + line.len() - 1;
            let ends_in_string = line.ends_with('\n') && kept.contains(&end);
            let fixed = self.line(line, in_string, ends_in_string, number + 1, &mut found);
            after.extend_from_slice(fixed.as_bytes());
            in_string = ends_in_string;
            at += line.len();
        }
        if self.ends_in_break == Some(true) && !text.is_empty() && !text.ends_with('\n') {
            let line = text.lines().count();
            found.push(violation(line, "insert_final_newline", "the last line does not end"));
            let own = if text.contains("\r\n") { "\r\n" } else { "\n" };
            after.extend_from_slice(self.line_end.unwrap_or(own).as_bytes());
        }
        (after, found)
    }

    /// One line with its end. A part that is in a string stays as it is.
    fn line(
        &self,
        line: &str,
        starts_in_string: bool,
        ends_in_string: bool,
        number: usize,
        found: &mut Vec<Violation>,
    ) -> String {
        let body = line.strip_suffix('\n').unwrap_or(line);
        let body = body.strip_suffix('\r').filter(|_| body.len() < line.len()).unwrap_or(body);
        let mut end = &line[body.len()..];
        let mut text = body.to_owned();
        if !ends_in_string {
            if self.trims && text.trim_end_matches([' ', '\t']).len() < text.len() {
                text.truncate(text.trim_end_matches([' ', '\t']).len());
                found.push(violation(number, "trim_trailing_whitespace", "ends in white space"));
            }
            if let Some(wanted) = self.line_end.filter(|wanted| !end.is_empty() && *wanted != end) {
                let name = if end == "\n" { "LF" } else { "CRLF" };
                found.push(violation(number, "end_of_line", &format!("ends in {name}")));
                end = wanted;
            }
        }
        if !starts_in_string && let Some(indented) = self.indented(&text) {
            found.push(violation(number, "indent_style", "is indented in another way"));
            text = indented;
        }
        text + end
    }

    /// The line indented as it should be; nothing when it is.
    fn indented(&self, text: &str) -> Option<String> {
        let tabs = self.tabs?;
        let width = self.width.unwrap_or(WIDTH);
        let depth = text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let columns = text[..depth].bytes().fold(0, |column, byte| match byte {
            b'\t' => (column / width + 1) * width,
            _ => column + 1,
        });
        let wanted = match tabs {
            true => "\t".repeat(columns / width) + &" ".repeat(columns % width),
            false => " ".repeat(columns),
        };
        (wanted != text[..depth]).then(|| wanted + &text[depth..])
    }
}

fn violation(line: usize, rule: &'static str, message: &str) -> Violation {
    Violation { line, rule, message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fixed(rules: &[(&str, &str)], text: &str) -> (String, String) {
        let values = rules.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
        let (after, found) = Rules::new(&values.collect()).unwrap().apply(text, true);
        let told = found.iter().map(|one| format!("{}:{}", one.line, one.rule)).collect::<Vec<_>>();
        (String::from_utf8(after).unwrap(), told.join(" "))
    }

    #[test]
    fn lines_are_trimmed_and_ended_but_not_in_strings() {
        let rules = [
            ("trim_trailing_whitespace", "true"),
            ("insert_final_newline", "true"),
            ("end_of_line", "crlf"),
        ];
        let text = "a = @\"x  \n\ty\"; \n/* b  \n*/ c";
        let (after, told) = fixed(&rules, text);
        assert_eq!(after, "a = @\"x  \n\ty\";\r\n/* b\r\n*/ c\r\n");
        assert_eq!(
            told,
            "2:trim_trailing_whitespace 2:end_of_line 3:trim_trailing_whitespace 3:end_of_line 4:insert_final_newline"
        );
    }

    #[test]
    fn indentation_is_made_of_one_thing() {
        let spaces = [("indent_style", "space"), ("indent_size", "2")];
        assert_eq!(fixed(&spaces, "\ta\n  b\n \tc\n").0, "  a\n  b\n  c\n");
        let tabs = [("indent_style", "tab"), ("indent_size", "4")];
        assert_eq!(fixed(&tabs, "    a\n      b\n").0, "\ta\n\t  b\n");
        assert_eq!(fixed(&tabs, "@\"\n    a\"\n"), ("@\"\n    a\"\n".to_owned(), String::new()));
    }

    #[test]
    fn values_that_nobody_knows_are_refused() {
        let wrong = |key: &str, value: &str| {
            Rules::new(&[(key.to_owned(), value.to_owned())].into()).unwrap_err()
        };
        assert_eq!(wrong("end_of_line", "cr"), "end_of_line");
        assert_eq!(wrong("indent_size", "x"), "indent_size");
        assert_eq!(fixed(&[("charset", "utf-8")], "\u{feff}a").0, "a");
    }
}
