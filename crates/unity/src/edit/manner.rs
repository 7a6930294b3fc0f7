//! How one file is written: its line breaks, whether and where it folds long references and text,
//! whether it quotes paths. What is added follows.

use memchr::memmem;

use crate::{ClassId, Document, Object, Reference};

/// How a file is written, as far as editors of different versions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// The line break.
    pub(super) line_break: &'static str,
    /// Long references go on in the next line.
    folds: Option<bool>,
    /// Property paths with brackets are quoted.
    quotes_paths: Option<bool>,
    /// Overrides of instances are in the order of their paths.
    sorts_overrides: Option<bool>,
    /// What is known of long text.
    text: LongText,
}

/// How the editor of a project writes, where a file does not show it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Habits {
    /// Its release, such as `(2022, 3)`.
    pub release: Option<(u32, u32)>,
    /// Whether long references go on in the next line, as the settings say.
    pub folds: Option<bool>,
}

/// Where a line of text ends: at the first space behind a column that has none beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LongText {
    /// Nowhere, as in files that another program wrote.
    Whole,
    /// Behind this column, which the file shows.
    Past(usize),
    /// The file has no text that tells.
    Unshown,
}

/// Since this release paths of items stand in quotes: 2021.3 never has them, and files that list what
/// was added to instances do.
const QUOTES_PATHS: (u32, u32) = (2022, 2);
/// Since this release overrides are in order: seen in projects of 2020.3, and in none before.
const SORTS_OVERRIDES: (u32, u32) = (2020, 3);
/// Since this release new projects write a reference on one line, unless told otherwise.
const ONE_LINE: (u32, u32) = (2021, 2);
/// Where lines are cut, in files that cut them.
const WIDTH: usize = 80;
/// Since this release a space in that very column ends a line of text, too: seen from 2019.3.0a10 on,
/// and in nothing that 2018.4 or an earlier 2019 wrote.
const CUTS_AT_WIDTH: (u32, u32) = (2019, 3);

impl Manner {
    /// Every value on its line, as far as it can be.
    pub(crate) const PLAIN: Manner = Manner {
        line_break: "\n",
        folds: Some(false),
        quotes_paths: Some(true),
        sorts_overrides: Some(true),
        text: LongText::Whole,
    };

    /// The manner of a file that is new.
    pub(crate) fn fresh() -> Manner {
        Manner { text: LongText::Unshown, folds: None, quotes_paths: None, ..Manner::PLAIN }
    }

    /// The manner of a file.
    pub fn of(document: &Document) -> Manner {
        let bytes = document.as_bytes();
        let line_break = match memchr::memchr(b'\n', bytes) {
            Some(at) if at > 0 && bytes[at - 1] == b'\r' => "\r\n",
            _ => "\n",
        };
        let overrides = overrides(document);
        let quoted = memmem::find(overrides, b"propertyPath: '").is_some();
        let is_plain = || {
            memmem::find_iter(overrides, b"propertyPath: ").any(|at| {
                let line = &overrides[at..];
                line[..memchr::memchr(b'\n', line).unwrap_or(line.len())].contains(&b'[')
            })
        };
        // Instances list what was added to them since the release that quotes paths, too.
        let is_older = || {
            memmem::find(overrides, b"    m_RemovedComponents:").is_some()
                && memmem::find(overrides, b"    m_AddedGameObjects:").is_none()
        };
        // A file that was saved by several versions has both.
        let quotes_paths =
            if quoted { Some(true) } else { (is_plain() || is_older()).then_some(false) };
        let (has_folded_number, text) = shown_by_long_lines(bytes);
        let folds = if has_folded_number { Some(true) } else { folds(bytes) };
        let sorts_overrides = sorts_overrides(overrides);
        Manner { line_break, folds, quotes_paths, sorts_overrides, text }
    }

    /// The same for a project, where the file does not tell.
    pub fn in_project(self, habits: Habits) -> Manner {
        Manner { folds: self.folds.or(habits.folds), ..self }.in_release(habits.release)
    }

    /// The same for one of which only the release is known.
    pub fn in_release(self, release: Option<(u32, u32)>) -> Manner {
        let cuts_there = release.is_some_and(|release| release >= CUTS_AT_WIDTH);
        let quotes = release.is_none_or(|release| release >= QUOTES_PATHS);
        let quotes_paths = self.quotes_paths.or(Some(quotes));
        let folds = release.is_some_and(|release| release < ONE_LINE);
        let folds = self.folds.or(Some(folds));
        let sorts = release.is_none_or(|release| release >= SORTS_OVERRIDES);
        let sorts_overrides = self.sorts_overrides.or(Some(sorts));
        let text = match self.text {
            LongText::Unshown if cuts_there => LongText::Past(WIDTH - 1),
            text => text,
        };
        Manner { folds, quotes_paths, sorts_overrides, text, ..self }
    }

    /// Spelled text that begins at a column, cut into lines that go on two deeper than `indent`.
    pub(super) fn text(self, spelled: &str, column: usize, indent: usize) -> String {
        for (quote, may_escape) in [("'", false), ("\"", true)] {
            let inner = spelled.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
            if let Some(inner) = inner {
                return format!(
                    "{quote}{}{quote}",
                    self.cut(inner, may_escape, column + 1, indent)
                );
            }
        }
        self.cut(spelled, false, column, indent)
    }

    /// The same without its quotes. Spaces at its ends stay, and of several in a row only text with
    /// escapes can lose one.
    pub(super) fn cut(
        self,
        text: &str,
        may_escape: bool,
        mut column: usize,
        indent: usize,
    ) -> String {
        let last = match self.text {
            LongText::Whole => return text.to_owned(),
            LongText::Past(last) => last,
            LongText::Unshown => WIDTH,
        };
        let mut out = String::with_capacity(text.len());
        let mut before = ' ';
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let is_first = letter == ' ' && before != ' ' && column > last;
            before = letter;
            match letters.peek() {
                Some(next) if is_first && (*next != ' ' || may_escape) => {
                    out.push_str(self.line_break);
                    out.push_str(&" ".repeat(indent + 2));
                    column = indent + 2;
                    // Else the spaces at the start of a line would not count.
                    if *next == ' ' {
                        out.push('\\');
                        column += 1;
                    }
                }
                _ => {
                    out.push(letter);
                    column += 1;
                }
            }
        }
        out
    }

    /// A reference that begins at a column, its continuation two deeper than `indent`.
    pub(super) fn reference(self, to: Reference, column: usize, indent: usize) -> String {
        let Reference { file_id, guid, kind } = to;
        let Some(guid) = guid else { return format!("{{fileID: {file_id}}}") };
        let start = format!("{{fileID: {file_id}, guid: {guid},");
        // Only what comes before the last part counts: that may stand beyond the width.
        if !self.folds() || column + start.len() <= WIDTH {
            return format!("{start} type: {kind}}}");
        }
        let (line_break, pad) = (self.line_break, " ".repeat(indent + 2));
        format!("{start}{line_break}{pad}type: {kind}}}")
    }

    /// Whether what follows the comma at a column goes on in the next line.
    pub(super) fn breaks_behind(self, column: usize) -> bool {
        self.folds() && column > WIDTH
    }

    fn folds(self) -> bool {
        self.folds == Some(true)
    }

    /// Whether overrides of instances are in the order of their paths.
    pub(super) fn sorts_overrides(self) -> bool {
        self.sorts_overrides != Some(false)
    }

    /// The path of a property.
    pub(super) fn path(self, path: &str) -> String {
        match super::new::spell(path, false) {
            plain if plain == path && path.contains('[') && self.quotes_paths != Some(false) => {
                format!("'{path}'")
            }
            spelled => spelled,
        }
    }
}

/// What the first rotation of an instance shows: its `w` comes before its `x` where paths are in order.
fn sorts_overrides(bytes: &[u8]) -> Option<bool> {
    const PATH: &[u8] = b"propertyPath: ";
    const TURN: &[u8] = b"m_LocalRotation.";
    // Entries beside it are no farther away than this.
    const NEAR: usize = 400;
    let is_turn = |text: &[u8], at: usize| text[at + PATH.len()..].starts_with(TURN);
    memmem::find_iter(bytes, b"propertyPath: m_LocalRotation.w").find_map(|at| {
        let end = at + PATH.len();
        let behind = &bytes[end..bytes.len().min(end + NEAR)];
        let before = &bytes[at.saturating_sub(NEAR)..at];
        if memmem::find(behind, PATH).is_some_and(|next| is_turn(behind, next)) {
            return Some(true);
        }
        memmem::rfind(before, PATH).filter(|last| is_turn(before, *last)).map(|_| false)
    })
}

/// Whether a structure of numbers goes on in the next line somewhere: `{x: 0, y: 0, z: 0,`; and what the
/// file shows of long text.
fn shown_by_long_lines(bytes: &[u8]) -> (bool, LongText) {
    let (mut has_folded_number, mut text) = (false, LongText::Unshown);
    for line in long_lines(bytes) {
        has_folded_number |= is_folded_number(line);
        if text != LongText::Whole && is_text(line) {
            text = text.beside(line);
        }
    }
    (has_folded_number, text)
}

/// The lines that are longer than the width. Most are not, so several are passed over at a time.
fn long_lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut start = 0;
    std::iter::from_fn(move || {
        loop {
            let window = bytes.get(start..start + WIDTH + 1)?;
            if let Some(last) = memchr::memrchr(b'\n', window) {
                start += last + 1;
                continue;
            }
            let rest = &bytes[start..];
            let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
            start += line.len() + 1;
            return Some(line);
        }
    })
}

/// Whether a line ends within a structure, behind a number.
fn is_folded_number(line: &[u8]) -> bool {
    let Some(line) = line.strip_suffix(b"\r").unwrap_or(line).strip_suffix(b",") else {
        return false;
    };
    let is_open = memchr::memrchr(b'{', line) > memchr::memrchr(b'}', line);
    is_open && line.len() >= WIDTH && line.last().is_some_and(u8::is_ascii_digit)
}

impl LongText {
    /// The same with what one more line of text shows: a space behind the width, or in that very column,
    /// was left.
    fn beside(self, line: &[u8]) -> LongText {
        let is_left = |at: usize| {
            line.get(at - 1..at + 2).is_some_and(|near| {
                let [before, space, behind] = near else { return false };
                *space == b' ' && !b" '\"".contains(before) && !b" '\"\r".contains(behind)
            })
        };
        match () {
            () if (WIDTH + 1..line.len()).any(is_left) => LongText::Whole,
            () if is_left(WIDTH) => LongText::Past(WIDTH),
            () => self,
        }
    }
}

/// The part of a file that its instances of prefabs are in.
fn overrides(document: &Document) -> &[u8] {
    let is_instance = |object: &Object<'_>| object.class_id() == ClassId::PREFAB_INSTANCE;
    let mut instances = document.objects().filter(is_instance);
    let first = instances.next();
    let last = instances.next_back().or(first);
    let span = first.zip(last).map(|(first, last)| first.span().start..last.span().end);
    span.map_or(b"", |span| &document.as_bytes()[span])
}

/// Whether long references go on in the next line; nothing where none is long.
fn folds(bytes: &[u8]) -> Option<bool> {
    let mut shown = None;
    for at in memmem::find_iter(bytes, b"type: ") {
        let before = bytes[..at].trim_ascii_end();
        if !before.ends_with(b",") {
            continue;
        }
        if before.len() + 1 < at {
            return Some(true);
        }
        let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
        if before.len() - start > WIDTH {
            shown = Some(false);
        }
    }
    shown
}

/// Whether a line is text: maps and lists in braces are cut by other rules.
fn is_text(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let line = line.strip_prefix(b"- ").unwrap_or(line);
    let value = memmem::find(line, b": ").map_or(line, |at| &line[at + 2..]);
    let is_flow = |text: &[u8]| matches!(text.first(), Some(b'{' | b'['));
    !is_flow(line) && !is_flow(value) && !value.ends_with(b"}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSTANCE: &str = "--- !u!1001 &1\nPrefabInstance:\n";

    #[test]
    fn lines_that_are_longer_than_the_width_are_found_among_others() {
        let line = |length: usize| "x".repeat(length);
        let text = [line(0), line(30), line(80), line(81), line(79), line(200), line(0), line(82)];
        let mut found: Vec<usize> = Vec::new();
        for rest in 0..text.len() {
            let text = text[rest..].join("\n");
            let long: Vec<usize> = long_lines(text.as_bytes()).map(<[u8]>::len).collect();
            let all: Vec<usize> = text.lines().map(str::len).filter(|len| *len > WIDTH).collect();
            assert_eq!(long, all, "{text}");
            found = long;
        }
        assert_eq!(found, [82]);
    }

    #[test]
    fn long_references_are_cut_as_the_file_the_settings_or_the_release_say() {
        let to = Reference {
            file_id: crate::FileId(i64::MIN),
            guid: Some(crate::Guid([1; 16])),
            kind: 3,
        };
        let is_cut = |file: &str, release: (u32, u32), folds: Option<bool>| {
            let habits = Habits { release: Some(release), folds };
            let manner = Manner::of(&Document::parse(file)).in_project(habits);
            manner.reference(to, 20, 4).contains('\n')
        };
        let whole = format!("  m_TheLongestName: {}\n", Manner::PLAIN.reference(to, 20, 4));
        let cut = whole.replace(", type", ",\n    type");
        assert!(is_cut("", (2020, 3), None));
        assert!(!is_cut("", (2022, 3), None));
        assert!(is_cut("", (2022, 3), Some(true)));
        assert!(!is_cut("", (2020, 3), Some(false)));
        // The file itself knows better.
        assert!(is_cut(&cut, (2022, 3), Some(false)));
        assert!(!is_cut(&whole, (2020, 3), Some(true)));
    }

    #[test]
    fn overrides_are_in_order_since_2020_3() {
        let sorts = |parts: &str, release: (u32, u32)| {
            let entry = |part: char| {
                format!(
                    "    - target: {{}}\n      propertyPath: m_LocalRotation.{part}\n      value: 0\n"
                )
            };
            let file = INSTANCE.to_owned() + &parts.chars().map(entry).collect::<String>();
            Manner::of(&Document::parse(file)).in_release(Some(release)).sorts_overrides()
        };
        assert!(!sorts("", (2020, 2)));
        assert!(sorts("", (2020, 3)));
        // The file itself knows better; one part alone tells nothing.
        assert!(sorts("wxyz", (2019, 4)));
        assert!(!sorts("xyzw", (2022, 3)));
        assert!(sorts("w", (2022, 3)));
    }

    #[test]
    fn paths_of_items_have_quotes_since_2022_2() {
        let path = |file: &str, release: (u32, u32)| {
            let file = INSTANCE.to_owned() + file;
            Manner::of(&Document::parse(file)).in_release(Some(release)).path("a.Array.data[0]")
        };
        let (plain, quoted) = ("a.Array.data[0]", "'a.Array.data[0]'");
        assert_eq!(path("", (2021, 3)), plain);
        assert_eq!(path("", (2022, 2)), quoted);
        // The file itself knows better.
        assert_eq!(path("propertyPath: 'b.Array.data[1]'\n", (2021, 3)), quoted);
        assert_eq!(path("propertyPath: b.Array.data[1]\n", (2022, 2)), plain);
        let instance = "  m_Modification:\n    m_RemovedComponents: []\n";
        assert_eq!(path(instance, (2022, 2)), plain);
        let newer = format!("{instance}    m_AddedGameObjects: []\n");
        assert_eq!(path(&newer, (2022, 2)), quoted);
    }
}
