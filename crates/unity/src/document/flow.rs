//! Reads the flow style: `{fileID: 1, guid: …, type: 3}`, which Unity cuts at column 80.

use memchr::memchr;

use super::block::{Parent, Reader};
use super::scalar::{self, Scalar};
use super::tree::{MAX_DEPTH, MAX_NODES, Shape, Trouble};

/// What the last thing inside the brackets was, which decides what the next one means.
#[derive(Clone, Copy)]
enum Last {
    /// A bracket or comma.
    Mark,
    /// A key; a colon may follow.
    Key(u32),
    /// The colon of this key.
    Colon(u32),
    /// A plain value; more text may follow on the next line.
    Plain(u32),
    Other,
}

impl Reader<'_> {
    /// Reads from an open bracket to the one that closes it, and returns the offset behind it.
    ///
    /// When the brackets never close, what was read stays and ends with the indentation, so that
    /// one bad value costs one value and no text is read twice.
    pub(super) fn flow(&mut self, node: u32, parent: Parent, at: usize) -> usize {
        let mut open: Vec<u32> = Vec::new();
        let mut last = Last::Colon(node);
        let mut next = Some(at);
        self.last = at;
        while let Some(at) = next {
            if self.nodes.len() >= MAX_NODES {
                self.trouble(at, Trouble::TooMany);
                break;
            }
            let end = match self.text[at] {
                b'{' | b'[' => {
                    let node = self.flow_place(last, at);
                    last = Last::Other;
                    if self.frames.len() + open.len() >= MAX_DEPTH {
                        self.skip_flow(node, at)
                    } else {
                        let is_map = self.text[at] == b'{';
                        let shape = if is_map { Shape::FlowMap } else { Shape::FlowSequence };
                        self.set(node, shape, at, at + 1);
                        open.push(node);
                        last = Last::Mark;
                        at + 1
                    }
                }
                b'}' | b']' => {
                    self.close_flow(open.pop(), at);
                    last = Last::Other;
                    at + 1
                }
                b',' => {
                    last = Last::Mark;
                    self.last = at + 1;
                    at + 1
                }
                _ => self.flow_token(&open, &mut last, at),
            };
            if open.is_empty() {
                return end;
            }
            next = self.skip_flow_space(end, parent);
        }
        self.trouble(at, Trouble::OpenFlow);
        let end = self.last;
        while let Some(node) = open.pop() {
            self.nodes[node as usize].span.1 = end as u32;
            self.nodes[node as usize].end = self.nodes.len() as u32;
        }
        end
    }

    /// A colon, a quoted or a plain scalar.
    fn flow_token(&mut self, open: &[u32], last: &mut Last, at: usize) -> usize {
        let byte = self.text[at];
        if let (b':', Last::Key(node)) = (byte, *last) {
            *last = Last::Colon(node);
            // The place of an empty value.
            self.set(node, Shape::Nothing, at + 1, at + 1);
            return at + 1;
        }
        let quoted = Scalar::quoted_by(byte)
            .and_then(|scalar| Some((scalar, scalar::quoted_end(self.text, at)?)));
        let (scalar, end) = quoted.unwrap_or_else(|| (Scalar::Plain, self.flow_plain_end(at)));
        // Plain text goes on over lines: the next one has no comma before it.
        match *last {
            Last::Key(node) if scalar == Scalar::Plain => {
                self.nodes[node as usize].key.1 = end as u32;
                self.set(node, Shape::Nothing, end, end);
                return end;
            }
            Last::Plain(node) if scalar == Scalar::Plain => {
                self.nodes[node as usize].span.1 = end as u32;
                self.last = end;
                return end;
            }
            _ => {}
        }
        let in_map =
            open.last().is_some_and(|node| self.nodes[*node as usize].shape == Shape::FlowMap);
        if in_map && !matches!(last, Last::Colon(_)) {
            let node = self.push((at as u32, end as u32), end);
            self.last = end;
            *last = Last::Key(node);
            return end;
        }
        let node = self.flow_place(*last, at);
        self.set(node, Shape::Scalar(scalar), at, end);
        *last = if scalar == Scalar::Plain { Last::Plain(node) } else { Last::Other };
        end
    }

    /// The node for a value that starts here: that of its key, or a new one.
    fn flow_place(&mut self, last: Last, at: usize) -> u32 {
        match last {
            Last::Colon(node) => node,
            _ => self.push((0, 0), at),
        }
    }

    fn close_flow(&mut self, node: Option<u32>, at: usize) {
        let Some(node) = node else { return };
        let count = self.nodes.len() as u32;
        let container = &mut self.nodes[node as usize];
        container.span.1 = at as u32 + 1;
        container.end = count;
        self.last = at + 1;
        if (container.shape == Shape::FlowMap) != (self.text[at] == b'}') {
            self.trouble(at, Trouble::WrongBracket);
        }
    }

    /// Plain text ends at a mark, at a colon that ends a key, at a comment, or with the line.
    fn flow_plain_end(&self, at: usize) -> usize {
        let mut end = at + 1;
        while let Some(byte) = self.text.get(end) {
            let ends = match byte {
                b',' | b'[' | b']' | b'{' | b'}' | b'\n' => true,
                b':' => self
                    .text
                    .get(end + 1)
                    .is_none_or(|next| next.is_ascii_whitespace() || b",[]{}".contains(next)),
                b'#' => matches!(self.text[end - 1], b' ' | b'\t'),
                _ => false,
            };
            if ends {
                break;
            }
            end += 1;
        }
        at + self.text[at..end].trim_ascii_end().len().max(1)
    }

    /// The next byte that means something; nothing when the indentation says that this is over.
    fn skip_flow_space(&mut self, mut at: usize, parent: Parent) -> Option<usize> {
        // The column, once on a line of which all before is white space.
        let mut line = None;
        loop {
            match *self.text.get(at)? {
                b'\n' => line = Some(at + 1),
                b' ' | b'\t' | b'\r' => {}
                b'#' if at > 0 && self.text[at - 1].is_ascii_whitespace() => {
                    at += memchr(b'\n', &self.text[at..])?;
                    continue;
                }
                byte => {
                    let column = line.map(|start| at - start);
                    let is_over = column.is_some_and(|column| !parent.owns(column));
                    return (!is_over || matches!(byte, b'}' | b']')).then_some(at);
                }
            }
            at += 1;
        }
    }

    /// Leaves out a collection that is too deep, by counting brackets.
    fn skip_flow(&mut self, node: u32, start: usize) -> usize {
        self.trouble(start, Trouble::TooDeep);
        let mut depth = 0_usize;
        let mut at = start;
        while let Some(byte) = self.text.get(at) {
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
            at += 1;
            if depth == 0 {
                break;
            }
        }
        let end = start + self.text[start..at].trim_ascii_end().len();
        self.set(node, Shape::TooDeep, start, end);
        at
    }
}
