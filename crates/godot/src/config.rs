/// A `project.godot` or `.cfg` file: sections of `key=value`, in file order.
#[derive(Debug, Default)]
pub(crate) struct Config<'a> {
    pub(crate) entries: Vec<Entry<'a>>,
    pub(crate) problems: Vec<Problem>,
}

#[derive(Debug)]
pub(crate) struct Entry<'a> {
    /// Name of the section, empty before the first one.
    pub(crate) section: &'a str,
    pub(crate) key: String,
    pub(crate) value: Value<'a>,
    /// Line of the key, from 1.
    pub(crate) line: usize,
}

/// A value as written, which is whole: its quotes and brackets are closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Value<'a>(pub(crate) &'a str);

/// Something in the file that the reader does not understand and left out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) line: usize,
    pub(crate) text: String,
}

impl<'a> Config<'a> {
    /// Reads what it can; the rest becomes problems.
    pub(crate) fn parse(text: &'a str) -> Config<'a> {
        let mut config = Config::default();
        let mut scanner = Scanner { text, at: 0, counted: 0, line: 1 };
        let mut section = "";
        loop {
            scanner.skip_blank();
            let line = scanner.line();
            let found = match scanner.peek() {
                None => return config,
                Some(b'[') => scanner.section().map(|name| section = name),
                Some(_) => scanner.key_value().map(|(key, value)| {
                    config.entries.push(Entry { section, key, value, line });
                }),
            };
            let Err(text) = found else { continue };
            config.problems.push(Problem { line, text });
            // The partner of an open bracket is looked for to the end of the file, so a file full
            // of them would take very long.
            if config.problems.len() == MAX_PROBLEMS {
                let text = format!("{MAX_PROBLEMS} problems found, the rest is not read");
                config.problems.push(Problem { line, text });
                return config;
            }
            scanner.skip_line();
        }
    }

    /// The value of a key; of several the last one, as in the engine.
    pub(crate) fn find(&self, section: &str, key: &str) -> Option<Value<'a>> {
        let mut entries = self.entries.iter().rev();
        entries.find(|entry| entry.section == section && entry.key == key).map(|entry| entry.value)
    }

    /// The entries of a section, in file order.
    pub(crate) fn section(&self, name: &str) -> impl Iterator<Item = &Entry<'a>> {
        self.entries.iter().filter(move |entry| entry.section == name)
    }
}

const MAX_PROBLEMS: usize = 20;

impl Value<'_> {
    /// The text of a string value.
    pub(crate) fn string(self) -> Option<String> {
        let body = self.0.trim_start_matches(['&', '@']);
        body.starts_with('"').then(|| unescape(body))
    }

    /// The value of an integer.
    pub(crate) fn int(self) -> Option<i64> {
        self.0.parse().ok()
    }

    /// All strings inside a value such as `PackedStringArray("a", "b")`.
    pub(crate) fn strings(self) -> Vec<String> {
        let mut scanner = Scanner { text: self.0, at: 0, counted: 0, line: 1 };
        let mut strings = Vec::new();
        while let Some(byte) = scanner.peek() {
            let start = scanner.at;
            match byte {
                b';' => scanner.skip_comment(),
                b'"' if scanner.string().is_ok() => {
                    strings.push(unescape(&self.0[start..scanner.at]));
                }
                _ => scanner.at += 1,
            }
        }
        strings
    }
}

/// A place in the text. It only ever stops at ASCII characters or the end, so every cut it makes
/// is between characters.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// Place up to which lines are counted, and the line there.
    counted: usize,
    line: usize,
}

impl<'a> Scanner<'a> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn line(&mut self) -> usize {
        let passed = &self.text.as_bytes()[self.counted..self.at];
        self.line += passed.iter().filter(|byte| **byte == b'\n').count();
        self.counted = self.at;
        self.line
    }

    /// Skips white space and comments, which Godot allows between all tokens.
    fn skip_blank(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b';' => self.skip_comment(),
                0..=b' ' => self.at += 1,
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) {
        self.at = self.find(b'\n').unwrap_or(self.text.len());
    }

    /// Goes to the line after the last one counted, which is where a problem began.
    fn skip_line(&mut self) {
        self.at = self.counted;
        self.at = self.find(b'\n').map_or(self.text.len(), |end| end + 1);
    }

    fn find(&self, byte: u8) -> Option<usize> {
        let rest = &self.text.as_bytes()[self.at..];
        rest.iter().position(|found| *found == byte).map(|offset| self.at + offset)
    }

    /// `[any text]`.
    fn section(&mut self) -> Result<&'a str, String> {
        let rest = &self.text[self.at + 1..];
        let end = rest.find([']', '\n']).unwrap_or(rest.len());
        let name = rest[..end].trim();
        if !rest[end..].starts_with(']') {
            return Err(format!("the section `[{}` has no `]`", shorten(name)));
        }
        self.at += 1 + end + 1;
        Ok(name)
    }

    fn key_value(&mut self) -> Result<(String, Value<'a>), String> {
        let key = self.key()?;
        self.at += 1;
        let after_key = self.at;
        self.skip_blank();
        let start = self.at;
        // Godot would take a section on the next line for a list, and fail inside it.
        let is_section = self.peek() == Some(b'[') && self.text[after_key..start].contains('\n');
        match if is_section { Err("is missing".into()) } else { self.value() } {
            Ok(()) => Ok((key, Value(&self.text[start..self.at]))),
            Err(why) => Err(format!("the value of `{}` {why}", shorten(&key))),
        }
    }

    /// A bare or quoted key; leaves the place at its `=`.
    fn key(&mut self) -> Result<String, String> {
        if self.peek() == Some(b'"') {
            let start = self.at;
            self.string().map_err(|why| format!("the key {why}"))?;
            let key = unescape(&self.text[start..self.at]);
            self.skip_blank();
            if self.peek() != Some(b'=') {
                return Err(format!("no `=` after the key `{}`", shorten(&key)));
            }
            return Ok(key);
        }
        let rest = &self.text[self.at..];
        let end = rest.find(['=', ';', '\n']).unwrap_or(rest.len());
        if !rest[end..].starts_with('=') {
            let found = shorten(rest[..end].trim());
            return Err(format!("`{found}` is neither a section nor `key=value`"));
        }
        self.at += end;
        // Godot drops white space anywhere in a bare key.
        Ok(rest[..end].split_ascii_whitespace().collect())
    }

    /// Goes over one value: text, number, name, colour, list, dictionary or constructor.
    fn value(&mut self) -> Result<(), String> {
        match self.peek() {
            None => Err("is missing".into()),
            Some(b'"') => self.string(),
            // StringName, in the form of Godot 4 and of Godot 3.
            Some(b'&' | b'@') => {
                self.at += 1;
                match self.peek() {
                    Some(b'"') => self.string(),
                    _ => Err("has a `&` or `@` without a text after it".into()),
                }
            }
            Some(b'{' | b'[') => self.brackets(),
            Some(b'#') => self.word("#"),
            Some(b'-' | b'0'..=b'9') => self.word("+-."),
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' => self.name(),
            Some(_) => {
                let found = self.text[self.at..].lines().next().unwrap_or_default();
                Err(format!("starts with `{}`, which is no value", shorten(found.trim())))
            }
        }
    }

    /// A constant such as `true`, or a constructor such as `Vector2(0, 1)` or `Array[int]([1])`.
    fn name(&mut self) -> Result<(), String> {
        let start = self.at;
        self.word("_")?;
        let (name, end) = (&self.text[start..self.at], self.at);
        self.skip_blank();
        if matches!(name, "Array" | "Dictionary") && self.peek() == Some(b'[') {
            self.brackets()?;
            self.skip_blank();
        }
        if self.peek() == Some(b'(') {
            return self.brackets();
        }
        self.at = end;
        match name {
            "true" | "false" | "null" | "nil" | "inf" | "inf_neg" | "nan" => Ok(()),
            _ => Err(format!("is `{}`, which is no value", shorten(name))),
        }
    }

    /// Letters, digits and the `extra` characters.
    fn word(&mut self, extra: &str) -> Result<(), String> {
        while let Some(byte) = self.peek()
            && (byte.is_ascii_alphanumeric() || extra.as_bytes().contains(&byte))
        {
            self.at += 1;
        }
        Ok(())
    }

    /// A bracket and all up to its partner. A stack and not recursion, which deep nesting would
    /// overflow.
    fn brackets(&mut self) -> Result<(), String> {
        let mut open = Vec::new();
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.string()?;
                    continue;
                }
                b';' => {
                    self.skip_comment();
                    continue;
                }
                b'(' => open.push(b')'),
                b'[' => open.push(b']'),
                b'{' => open.push(b'}'),
                b')' | b']' | b'}' if open.pop() != Some(byte) => {
                    return Err(format!("has a `{}` without its partner", char::from(byte)));
                }
                _ => {}
            }
            self.at += 1;
            if open.is_empty() {
                return Ok(());
            }
        }
        let missing = open.last().map_or(']', |byte| char::from(*byte));
        Err(format!("has no closing `{missing}`"))
    }

    /// A quoted text, which may hold line breaks.
    fn string(&mut self) -> Result<(), String> {
        let bytes = self.text.as_bytes();
        let mut at = self.at + 1;
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'"' => {
                    self.at = at + 1;
                    return Ok(());
                }
                b'\\' => at += 2,
                _ => at += 1,
            }
        }
        Err("has no closing `\"`".into())
    }
}

/// The text of a quoted string.
fn unescape(quoted: &str) -> String {
    let body = quoted.strip_prefix('"').unwrap_or(quoted);
    let body = body.strip_suffix('"').unwrap_or(body);
    let mut text = String::with_capacity(body.len());
    let mut rest = body;
    while let Some((before, after)) = rest.split_once('\\') {
        text.push_str(before);
        let mut chars = after.chars();
        match chars.next() {
            Some('b') => text.push('\u{8}'),
            Some('t') => text.push('\t'),
            Some('n') => text.push('\n'),
            Some('f') => text.push('\u{c}'),
            Some('r') => text.push('\r'),
            Some('u') => text.push(code_point(&mut chars, 4)),
            Some('U') => text.push(code_point(&mut chars, 6)),
            // Any other character stands for itself.
            other => text.extend(other),
        }
        rest = chars.as_str();
    }
    text + rest
}

/// Hexadecimal digits after `\u` or `\U`, with the second half of a surrogate pair if one follows.
fn code_point(chars: &mut std::str::Chars<'_>, digits: usize) -> char {
    let first = hex(chars, digits);
    let pair = match first {
        Some(high @ 0xd800..=0xdbff) => {
            let mut ahead = chars.clone();
            let escaped = (ahead.next(), ahead.next()) == (Some('\\'), Some('u'));
            match escaped.then(|| hex(&mut ahead, 4)).flatten() {
                Some(low @ 0xdc00..=0xdfff) => {
                    *chars = ahead;
                    Some(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                }
                _ => None,
            }
        }
        other => other,
    };
    pair.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
}

fn hex(chars: &mut std::str::Chars<'_>, digits: usize) -> Option<u32> {
    let text = chars.as_str().get(..digits)?;
    if !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    *chars = chars.as_str()[digits..].chars();
    u32::from_str_radix(text, 16).ok()
}

/// At most the first forty characters, for messages.
fn shorten(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
