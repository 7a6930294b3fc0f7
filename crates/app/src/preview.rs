//! What a call would change, for a person who is asked about it.

use scenewright_contract::Output;
use serde_json::Value;

/// A person reads no more lines.
const MAX_LINES: usize = 40;
/// Longer lines are cut.
const MAX_LINE: usize = 160;

/// The diffs of a dry run; nothing when it has none.
pub(crate) fn text(output: Output) -> Option<String> {
    let output = output.into_value();
    let changes = output["changes"].as_array().filter(|changes| !changes.is_empty())?;
    let lines: Vec<String> = changes.iter().flat_map(change).collect();
    let more = lines.len().saturating_sub(MAX_LINES);
    let mut shown: Vec<String> = lines.into_iter().take(MAX_LINES).collect();
    if more > 0 {
        shown.push(format!("… and {more} more lines"));
    }
    Some(shown.join("\n"))
}

fn change(change: &Value) -> Vec<String> {
    let word = |key: &str| change[key].as_str();
    let path = word("path").unwrap_or_default();
    let from = word("from").map(|from| format!("{from} -> ")).unwrap_or_default();
    let head = format!("{from}{path} ({})", word("action").unwrap_or("changed"));
    // The first two lines of a diff name the file again.
    let diff =
        word("diff").into_iter().flat_map(|diff| diff.lines().skip(2)).map(|line| {
            match line.len() > MAX_LINE {
                true => format!("{}…", &line[..line.floor_char_boundary(MAX_LINE)]),
                false => line.to_owned(),
            }
        });
    std::iter::once(head).chain(diff).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_person_reads_what_changes_and_not_too_much_of_it() {
        let diff = |lines: usize| format!("--- a\n+++ b\n{}", "+x\n".repeat(lines));
        let output = json!({ "changes": [
            { "path": "a.tscn", "action": "modified", "diff": diff(2) },
            { "path": "b.tscn", "from": "c.tscn", "action": "renamed" },
            { "path": "d.tscn", "action": "created", "diff": diff(100) },
        ] });
        let text = text(Output::from(output)).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[..5],
            ["a.tscn (modified)", "+x", "+x", "c.tscn -> b.tscn (renamed)", "d.tscn (created)"]
        );
        assert_eq!((lines.len(), lines[40]), (41, "… and 65 more lines"));
        assert_eq!(super::text(Output::from(json!({ "text": "a" }))), None);
    }
}
