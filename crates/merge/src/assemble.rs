//! Pieces of text put together to a map or list, in the manner of the version that they come from.

use crate::fields::Three;
use crate::model::{Kind, Layout};
use crate::same::At;

/// The key of the node that is the tag of a section.
pub(crate) const TAG: &str = "[tag]";

/// Whether the versions write their children in one way, so that pieces of all go together.
pub(crate) fn fit(three: Three<'_>) -> bool {
    let mut manners = three.iter().flatten().filter(|at| !at.node.children.is_empty()).map(manner);
    let Some(first) = manners.next() else { return true };
    manners.all(|other| other == first)
}

/// The layout, and the column of the first child where children have lines.
fn manner(at: &At<'_>) -> (Layout, usize) {
    let column = match (at.node.layout, at.node.children.first()) {
        (Layout::Lines, Some(child)) => {
            let text = &at.bytes[child.span.clone()];
            text.iter().take_while(|byte| **byte == b' ').count()
        }
        _ => 0,
    };
    (at.node.layout, column)
}

/// The text of the node with these children; nothing when it cannot be written.
pub(crate) fn assemble(three: Three<'_>, texts: &[Vec<u8>], line_break: &str) -> Option<Vec<u8>> {
    let [base, ours, theirs] = three;
    let in_turn = [ours, theirs, base];
    if texts.is_empty() {
        let empty = in_turn.iter().flatten().find(|at| at.node.children.is_empty());
        return match empty {
            Some(empty) => Some(empty.text().to_vec()),
            None => emptied(in_turn.into_iter().flatten().next()?, line_break),
        };
    }
    let with = in_turn.iter().flatten().find(|at| !at.node.children.is_empty())?;
    let (span, inner) = (&with.node.span, &with.node.inner);
    let mut text = with.bytes[span.start..inner.start].to_vec();
    match with.node.layout {
        Layout::Lines => texts.iter().for_each(|piece| push_lines(&mut text, piece, line_break)),
        Layout::Dash(column) => push_dashed(&mut text, texts, column, line_break)?,
        Layout::Inline => {
            let between = separator(in_turn, *with);
            text.extend(texts.join(between.as_slice()));
        }
    }
    text.extend(&with.bytes[inner.end..span.end]);
    Some(text)
}

fn push_lines(text: &mut Vec<u8>, piece: &[u8], line_break: &str) {
    text.extend(piece);
    if !piece.is_empty() && !piece.ends_with(b"\n") {
        text.extend(line_break.as_bytes());
    }
}

/// The first piece gets the dash of the item, and all others have a blank there.
fn push_dashed(
    text: &mut Vec<u8>,
    texts: &[Vec<u8>],
    column: usize,
    line_break: &str,
) -> Option<()> {
    for (place, piece) in texts.iter().enumerate() {
        let mut piece = piece.clone();
        let mark = piece.get_mut(column).filter(|byte| matches!(**byte, b'-' | b' '))?;
        *mark = if place == 0 { b'-' } else { b' ' };
        push_lines(text, &piece, line_break);
    }
    Some(())
}

/// What stands between two children: as between the first two of a version, or by the manner of the
/// brackets.
fn separator(in_turn: [Option<At<'_>>; 3], with: At<'_>) -> Vec<u8> {
    for at in in_turn.iter().flatten() {
        if let [first, second, ..] = at.node.children.as_slice() {
            return at.bytes[first.span.end..second.span.start].to_vec();
        }
    }
    if with.node.key == TAG {
        return b" ".to_vec();
    }
    let (span, inner) = (&with.node.span, &with.node.inner);
    let (head, tail) = (&with.bytes[span.start..inner.start], &with.bytes[inner.end..span.end]);
    let blanks = &head[head.trim_ascii_end().len()..];
    let behind = &tail[..tail.len() - tail.trim_ascii_start().len()];
    match () {
        () if blanks.contains(&b'\n') => [b",", blanks].concat(),
        () if behind.contains(&b'\n') && !tail.trim_ascii_start().is_empty() => {
            [behind, b", "].concat()
        }
        () => b", ".to_vec(),
    }
}

/// A node whose last child went.
fn emptied(at: At<'_>, line_break: &str) -> Option<Vec<u8>> {
    let (span, inner) = (&at.node.span, &at.node.inner);
    let (head, tail) = (&at.bytes[span.start..inner.start], &at.bytes[inner.end..span.end]);
    match at.node.layout {
        Layout::Inline => {
            let tail = tail.trim_ascii_start();
            let mut text = [head.trim_ascii_end(), tail].concat();
            if !at.node.key.is_empty() && at.text().ends_with(b"\n") && !text.ends_with(b"\n") {
                text.extend(line_break.as_bytes());
            }
            Some(text)
        }
        Layout::Lines if !head.is_empty() => {
            let brackets = if at.node.kind == Kind::List { " []" } else { " {}" };
            Some([head.trim_ascii_end(), brackets.as_bytes(), line_break.as_bytes()].concat())
        }
        _ => None,
    }
}
