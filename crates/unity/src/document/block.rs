//! Reads the block style: lines whose indentation says what belongs to what.

use memchr::{memchr, memchr_iter};

use super::scalar::{self, Scalar};
use super::tree::{MAX_DEPTH, MAX_NODES, Node, Shape, Tree, Trouble};

/// Reads all values of a text, in one pass and without recursion.
pub(crate) fn read(text: &[u8]) -> Tree {
    let whole = text.len();
    let text = &text[..whole.min(u32::MAX as usize)];
    let mut reader = Reader::new(text);
    if text.len() < whole {
        reader.trouble(text.len(), Trouble::TooLong);
    }
    reader.run();
    Tree { nodes: reader.nodes, troubles: reader.troubles }
}

pub(super) struct Reader<'a> {
    pub(super) text: &'a [u8],
    /// The start of the next line.
    at: usize,
    pub(super) nodes: Vec<Node>,
    /// Open block containers, outermost first; columns never fall from one to the next.
    pub(super) frames: Vec<Frame>,
    /// The value whose place is known and whose text would be on the next line.
    pending: Option<Pending>,
    /// The number of nodes after the last `? key`, and its column. Its value is on the next line.
    lone_key: Option<(usize, usize)>,
    /// The end of the last value or key, where open containers end as well.
    pub(super) last: usize,
    troubles: Vec<(u32, Trouble)>,
}

pub(super) struct Frame {
    node: u32,
    /// The column of the keys or dashes.
    column: usize,
    shape: Shape,
}

struct Pending {
    node: u32,
    parent: Parent,
}

/// What a value hangs on, with the column of the key or dash. Lines of the value are deeper.
#[derive(Clone, Copy)]
pub(super) enum Parent {
    Root,
    Key(usize),
    Dash(usize),
}

impl Parent {
    /// True when a line of this column is deep enough to belong to the value.
    pub(super) fn owns(self, column: usize) -> bool {
        match self {
            Parent::Root => true,
            Parent::Key(parent) | Parent::Dash(parent) => column > parent,
        }
    }

    /// Unity writes lists at the column of their key.
    fn owns_dash(self, column: usize) -> bool {
        self.owns(column) || matches!(self, Parent::Key(parent) if column == parent)
    }
}

/// A line with something on it.
struct Line {
    /// The first byte that is not indentation.
    at: usize,
    column: usize,
    /// Behind the last byte, without line break and trailing white space.
    end: usize,
    /// The start of the line after it.
    next: usize,
}

impl<'a> Reader<'a> {
    fn new(text: &'a [u8]) -> Reader<'a> {
        let root = Node { shape: Shape::Nothing, key: (0, 0), span: (0, 0), end: 1 };
        Reader {
            text,
            at: 0,
            nodes: vec![root],
            frames: Vec::new(),
            pending: Some(Pending { node: 0, parent: Parent::Root }),
            lone_key: None,
            last: 0,
            troubles: Vec::new(),
        }
    }

    fn run(&mut self) {
        while let Some(line) = self.peek(self.at) {
            self.at = line.next;
            if self.nodes.len() >= MAX_NODES {
                self.trouble(line.at, Trouble::TooMany);
                break;
            }
            self.line(line);
        }
        self.close_to(0);
    }

    /// The next line that is not blank, a comment or a directive.
    fn peek(&self, mut start: usize) -> Option<Line> {
        while start < self.text.len() {
            let rest = &self.text[start..];
            let length = memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &rest[..length];
            let next = start + length + 1;
            let column = line.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
            if let Some(column) = column
                && !matches!((line[column], column), (b'#', _) | (b'%', 0))
                && !line[column..].trim_ascii().is_empty()
            {
                let end = start + line.trim_ascii_end().len();
                return Some(Line { at: start + column, column, end, next });
            }
            start = next;
        }
        None
    }

    fn line(&mut self, Line { mut at, mut column, end, .. }: Line) {
        if self.text[at - column..at].contains(&b'\t') {
            self.trouble(at, Trouble::Tab);
        }
        while self.is_dash(at, end) {
            if !self.enter(at, column, Shape::BlockSequence) {
                return;
            }
            let behind = self.skip_blanks(at + 1, end);
            let item = self.push((0, 0), if behind < end { behind } else { at + 1 });
            self.pending = Some(Pending { node: item, parent: Parent::Dash(column) });
            self.last = at + 1;
            if behind == end {
                return;
            }
            column += behind - at;
            at = behind;
        }
        if let Some(key) = self.find_key(at, column, end) {
            self.entry(at, column, end, key);
        } else if let Some(Pending { node, parent }) =
            self.pending.take_if(|pending| pending.parent.owns(column))
        {
            self.value(node, parent, at, end);
        } else {
            self.trouble(at, Trouble::NoKey);
        }
    }

    fn entry(&mut self, at: usize, column: usize, end: usize, key: Key) {
        if !self.enter(at, column, Shape::BlockMap) {
            return;
        }
        let node = match key.is_value_only {
            true => (self.nodes.len() - 1) as u32,
            false => self.push((key.start as u32, key.end as u32), key.behind),
        };
        self.lone_key = key.is_alone.then_some((self.nodes.len(), column));
        self.last = key.behind;
        let value = self.skip_blanks(key.behind, end);
        let parent = Parent::Key(column);
        if value < end && self.text[value] != b'#' && !key.is_alone {
            return self.value(node, parent, value, end);
        }
        // The place of an empty value is behind the one space that Unity writes.
        let place = key.behind + usize::from(self.text.get(key.behind) == Some(&b' '));
        self.set(node, Shape::Nothing, place, place);
        self.pending = Some(Pending { node, parent });
    }

    /// Makes the container at this column the innermost: the one that waits for its first entry,
    /// or one that is open. False when there is none; then the line is not read.
    fn enter(&mut self, at: usize, column: usize, shape: Shape) -> bool {
        if let Some(Pending { node, parent }) = self.pending.take() {
            let owns = match shape {
                Shape::BlockSequence => parent.owns_dash(column),
                _ => parent.owns(column),
            };
            if owns && self.frames.len() < MAX_DEPTH {
                let container = &mut self.nodes[node as usize];
                (container.shape, container.span.0) = (shape, at as u32);
                self.frames.push(Frame { node, column, shape });
                return true;
            }
            if owns {
                self.skip_deeper(node, parent, at);
                return false;
            }
        }
        let open = self.frames.iter().rposition(|frame| frame.column <= column);
        // A list may stand at the column of its key, so that two frames have one column.
        let found = open.and_then(|top| {
            let fits = |frame: &Frame| frame.column == column && frame.shape == shape;
            (top.saturating_sub(1)..=top).rev().find(|index| fits(&self.frames[*index]))
        });
        match found {
            Some(index) => self.close_to(index + 1),
            None => self.trouble(at, Trouble::Misplaced),
        }
        found.is_some()
    }

    fn close_to(&mut self, depth: usize) {
        let end = self.nodes.len() as u32;
        for frame in self.frames.drain(depth..) {
            let node = &mut self.nodes[frame.node as usize];
            node.span.1 = self.last as u32;
            node.end = end;
        }
    }

    /// Leaves out a container that is too deep: all lines that belong to it.
    fn skip_deeper(&mut self, node: u32, parent: Parent, at: usize) {
        self.trouble(at, Trouble::TooDeep);
        let line = &self.text[at..self.at.min(self.text.len())];
        let mut end = at + line.trim_ascii_end().len();
        while let Some(line) = self.peek(self.at) {
            let owns = match self.is_dash(line.at, line.end) {
                true => parent.owns_dash(line.column),
                false => parent.owns(line.column),
            };
            if !owns {
                break;
            }
            (self.at, end) = (line.next, line.end);
        }
        self.set(node, Shape::TooDeep, at, end);
    }

    /// Reads the value that starts here and goes on over as many lines as it needs.
    fn value(&mut self, node: u32, parent: Parent, at: usize, end: usize) {
        match self.text[at] {
            b'{' | b'[' => {
                let end = self.flow(node, parent, at);
                self.finish_line(end);
            }
            quote @ (b'\'' | b'"') => {
                let scalar = Scalar::quoted_by(quote).unwrap_or(Scalar::Plain);
                if let Some(end) = scalar::quoted_end(self.text, at) {
                    self.set(node, Shape::Scalar(scalar), at, end);
                    self.finish_line(end);
                } else {
                    self.trouble(at, Trouble::OpenQuote);
                    self.set(node, Shape::Scalar(Scalar::Plain), at, end);
                }
            }
            mark @ (b'|' | b'>') if is_block_head(&self.text[at + 1..end]) => {
                let scalar = if mark == b'|' { Scalar::Literal } else { Scalar::Folded };
                let end = self.block_text_end(parent, end);
                self.set(node, Shape::Scalar(scalar), at, end);
            }
            _ => self.plain(node, parent, at, end),
        }
    }

    /// Plain text, which Unity folds at column 80 onto deeper lines.
    fn plain(&mut self, node: u32, parent: Parent, at: usize, end: usize) {
        let mut end = self.comment_start(at, end);
        loop {
            let behind = &self.text[end..self.at.min(self.text.len())];
            if behind.contains(&b'#') || !self.may_go_on(parent) {
                break;
            }
            match self.peek(self.at) {
                // A comment between the lines would end the text as well.
                Some(line) if parent.owns(line.column) && !self.has_comment(line.at) => {
                    end = self.comment_start(line.at, line.end);
                    self.at = line.next;
                }
                _ => break,
            }
        }
        self.set(node, Shape::Scalar(Scalar::Plain), at, end);
    }

    /// A quick look at the next line, which nearly always is not deeper.
    fn may_go_on(&self, parent: Parent) -> bool {
        let deeper = match parent {
            Parent::Root => return true,
            Parent::Key(column) | Parent::Dash(column) => column,
        };
        let rest = &self.text[self.at.min(self.text.len())..];
        let column = rest.iter().take(deeper + 1).position(|byte| *byte != b' ');
        column.is_none_or(|column| matches!(rest[column], b'\t' | b'\r' | b'\n'))
    }

    /// True when a comment line stands between the last line read and this one.
    fn has_comment(&self, next: usize) -> bool {
        memchr(b'#', &self.text[self.at..next]).is_some()
    }

    /// Where plain text ends in this part of a line: at ` #`, or at the end.
    fn comment_start(&self, at: usize, end: usize) -> usize {
        let line = &self.text[at..end];
        let is_comment = |&hash: &usize| hash > 0 && matches!(line[hash - 1], b' ' | b'\t');
        match memchr_iter(b'#', line).find(is_comment) {
            Some(hash) => at + line[..hash].trim_ascii_end().len(),
            None => end,
        }
    }

    fn block_text_end(&mut self, parent: Parent, mut end: usize) -> usize {
        let mut start = self.at;
        while start < self.text.len() {
            let rest = &self.text[start..];
            let length = memchr(b'\n', rest).unwrap_or(rest.len());
            let line = rest[..length].trim_ascii_end();
            let column = line.iter().position(|byte| *byte != b' ');
            if column.is_some_and(|column| !parent.owns(column)) {
                break;
            }
            start += length + 1;
            if column.is_some() {
                (end, self.at) = (start - length - 1 + line.len(), start);
            }
        }
        end
    }

    /// Goes on behind a value that may have ended on a later line.
    fn finish_line(&mut self, at: usize) {
        let rest = &self.text[at..];
        let length = memchr(b'\n', rest).unwrap_or(rest.len());
        self.at = at + length + 1;
        let trailing = rest[..length].trim_ascii();
        if !trailing.is_empty() && trailing[0] != b'#' {
            self.trouble(at, Trouble::Trailing);
        }
    }

    fn find_key(&self, at: usize, column: usize, end: usize) -> Option<Key> {
        let line = &self.text[at..end];
        let ends_key = |colon: usize| {
            line.get(colon) == Some(&b':')
                && matches!(line.get(colon + 1), None | Some(b' ' | b'\t'))
        };
        let (key, colon) = match line[0] {
            b'{' | b'[' => return None,
            // Long keys have a line of their own, and their values start with a colon.
            b'?' if line.len() > 2 && line[1] == b' ' => {
                let start = self.skip_blanks(at + 1, end);
                return Some(Key { start, end, behind: end, is_alone: true, is_value_only: false });
            }
            b':' if ends_key(0) && self.lone_key == Some((self.nodes.len(), column)) => {
                let behind = at + 1;
                return Some(Key {
                    start: at,
                    end: at,
                    behind,
                    is_alone: false,
                    is_value_only: true,
                });
            }
            b'\'' | b'"' => {
                let close = scalar::quoted_end(line, 0)?;
                let blanks = line[close..].iter().take_while(|byte| **byte == b' ').count();
                (close, ends_key(close + blanks).then_some(close + blanks)?)
            }
            _ => {
                let colon = memchr_iter(b':', line).find(|colon| ends_key(*colon))?;
                (line[..colon].trim_ascii_end().len(), colon)
            }
        };
        let behind = at + colon + 1;
        Some(Key { start: at, end: at + key, behind, is_alone: false, is_value_only: false })
    }

    fn is_dash(&self, at: usize, end: usize) -> bool {
        self.text[at] == b'-' && (at + 1 == end || matches!(self.text[at + 1], b' ' | b'\t'))
    }

    fn skip_blanks(&self, at: usize, end: usize) -> usize {
        let blanks = self.text[at..end].iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
        at + blanks.count()
    }

    pub(super) fn push(&mut self, key: (u32, u32), place: usize) -> u32 {
        let index = self.nodes.len() as u32;
        let span = (place as u32, place as u32);
        self.nodes.push(Node { shape: Shape::Nothing, key, span, end: index + 1 });
        index
    }

    pub(super) fn set(&mut self, node: u32, shape: Shape, at: usize, end: usize) {
        let node = &mut self.nodes[node as usize];
        (node.shape, node.span) = (shape, (at as u32, end as u32));
        self.last = end;
    }

    pub(super) fn trouble(&mut self, at: usize, trouble: Trouble) {
        // A broken file has one on every line; the first ones tell what is wrong.
        if self.troubles.len() < 100 {
            self.troubles.push((at as u32, trouble));
        }
    }
}

struct Key {
    start: usize,
    end: usize,
    /// Behind the colon.
    behind: usize,
    /// `? key`, whose value is on the next line.
    is_alone: bool,
    /// `: value`, whose key was on the line before.
    is_value_only: bool,
}

/// What may stand behind `|` or `>`.
fn is_block_head(rest: &[u8]) -> bool {
    rest.iter().all(|byte| matches!(byte, b'+' | b'-' | b'0'..=b'9'))
}
