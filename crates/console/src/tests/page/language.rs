//! The constructs of the language, from `data/language.txt`.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{Row, refused, run, told};

/// What the grammar's kinds are gathered under that can be in a script.
const GROUPS: [&str; 6] = ["declaration", "statement", "expression", "literal", "pattern", "type"];

/// A kind that no source was found for: `var x` is a declaration to the grammar.
const UNSEEN: &str = "var_pattern";

struct Construct {
    is_taken: bool,
    part: String,
    name: String,
    kinds: Vec<String>,
    example: String,
}

fn constructs() -> Vec<Construct> {
    let mut constructs: Vec<Construct> = Vec::new();
    let (mut is_taken, mut part) = (false, "");
    for line in include_str!("../../../data/language.txt").lines() {
        if let Some(head) = line.strip_prefix("== ") {
            let (verdict, name) = head.split_once(": ").expect("a head has two parts");
            (is_taken, part) = (verdict == "Taken", name);
        } else if let Some(text) = line.strip_prefix("  > ") {
            let example = &mut constructs.last_mut().expect("a head comes first").example;
            if !example.is_empty() {
                example.push('\n');
            }
            example.push_str(text);
        } else if let Some((name, kinds)) =
            line.rsplit_once(" [").filter(|_| !line.starts_with('#'))
        {
            let kinds = kinds.trim_end_matches(']').split(' ').map(str::to_owned).collect();
            let (name, part) = (name.to_owned(), part.to_owned());
            constructs.push(Construct { is_taken, part, name, kinds, example: String::new() });
        }
    }
    constructs
}

/// The constructs that are taken, or those that are refused, part by part.
pub(super) fn rows(taken: bool) -> Vec<(String, Vec<Row>)> {
    let mut parts: Vec<(String, Vec<Row>)> = Vec::new();
    for construct in constructs().into_iter().filter(|construct| construct.is_taken == taken) {
        let is_example = has_its_kinds(&construct);
        let row = match taken {
            true => taken_row(construct.name, construct.example),
            false => refused(construct.name, construct.example),
        };
        let row = Row { is_right: row.is_right && is_example, ..row };
        match parts.last_mut().filter(|(part, _)| *part == construct.part) {
            Some((_, rows)) => rows.push(row),
            None => parts.push((construct.part, vec![row])),
        }
    }
    parts
}

fn taken_row(name: String, example: String) -> Row {
    let given = run(&example);
    Row { name, gave: told(&given), example, is_right: given.is_ok() }
}

/// That an example is one of what its row says.
fn has_its_kinds(construct: &Construct) -> bool {
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&tree_sitter_c_sharp::LANGUAGE.into()).unwrap();
    // An expression at the end needs a word before it that the grammar knows.
    let (before, last) = match construct.example.trim_end_matches(';').rsplit_once("; ") {
        Some((before, last)) => (format!("{before}; "), last),
        None => (String::new(), construct.example.as_str()),
    };
    let found: BTreeSet<String> = [
        construct.example.clone(),
        format!("{};", construct.example),
        format!("{before}return {last};"),
    ]
    .iter()
    .flat_map(|source| {
        let tree = parser.parse(source, None).expect("nothing stops the parser");
        let mut kinds = Vec::new();
        let mut open = vec![tree.root_node()];
        while let Some(node) = open.pop() {
            kinds.push(node.kind().to_owned());
            open.extend(node.children(&mut node.walk()));
        }
        kinds
    })
    .collect();
    construct.kinds.iter().all(|kind| found.contains(kind))
}

/// The kinds that have a row.
pub(super) fn kinds() -> impl Iterator<Item = String> {
    constructs().into_iter().flat_map(|construct| construct.kinds)
}

/// The kinds that the grammar has.
pub(super) fn kinds_of_the_grammar() -> impl Iterator<Item = String> {
    let nodes: Vec<Value> = serde_json::from_str(tree_sitter_c_sharp::NODE_TYPES).unwrap();
    let subtypes = |group: &str| -> Vec<String> {
        let node = nodes.iter().find(|node| node["type"] == group);
        let subtypes = node.and_then(|node| node["subtypes"].as_array());
        let names = subtypes.into_iter().flatten().filter_map(|kind| kind["type"].as_str());
        names.map(str::to_owned).collect()
    };
    let mut open: Vec<String> = GROUPS.map(str::to_owned).to_vec();
    let mut kinds = BTreeSet::new();
    while let Some(group) = open.pop() {
        let inner = subtypes(&group);
        if inner.is_empty() && group != UNSEEN {
            kinds.insert(group);
        }
        open.extend(inner);
    }
    assert!(kinds.len() > 100, "the grammar has {} kinds", kinds.len());
    kinds.into_iter()
}
