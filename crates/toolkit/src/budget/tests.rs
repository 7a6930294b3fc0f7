//! Answers that fit, part by part to their end.

use scenewright_contract::call::Reads;
use serde_json::{Value, json};

use super::*;
use crate::answer;

fn fit_as(
    whole: &Value,
    tokens: usize,
    cursor: Option<&str>,
    reads: Reads,
) -> Result<(Value, Option<String>), ToolError> {
    let budget = Budget { cursor: cursor.map(str::to_owned), ..of_tokens(tokens) };
    let names = ["root", "limit", "color"].map(str::to_owned);
    let form = Form { budget: &budget, reads, text: &answer::text, own: None };
    let (output, text) = fit(whole.clone().into(), &form, &mut Vec::new(), names.into_iter())?;
    let size = match reads {
        Reads::Text | Reads::Both => text.as_ref().map_or(0, String::len),
        Reads::Data => output.to_string().len(),
    };
    assert!(size <= tokens * TOKEN, "{size}");
    Ok((output.into_value(), text))
}

fn fitted(whole: &Value, tokens: usize, cursor: Option<&str>) -> Result<Value, ToolError> {
    fit_as(whole, tokens, cursor, Reads::Data).map(|(value, _)| value)
}

/// All pages of an answer as text.
fn pages(whole: &Value, tokens: usize) -> Vec<String> {
    let (mut pages, mut cursor): (Vec<String>, Option<String>) = (Vec::new(), None);
    loop {
        let (data, text) = fit_as(whole, tokens, cursor.as_deref(), Reads::Text).unwrap();
        pages.push(text.unwrap());
        assert!(pages.len() < 1000, "it has no end");
        match data.get("nextCursor") {
            Some(next) => cursor = next.as_str().map(str::to_owned),
            None => return pages,
        }
    }
}

/// All parts of an answer.
fn parts(whole: &Value, tokens: usize) -> Vec<Value> {
    let mut parts = vec![fitted(whole, tokens, None).unwrap()];
    while let Some(cursor) = parts[parts.len() - 1].get("nextCursor") {
        let cursor = cursor.as_str().unwrap().to_owned();
        parts.push(fitted(whole, tokens, Some(&cursor)).unwrap());
        assert!(parts.len() < 1000, "it has no end");
    }
    parts
}

#[test]
fn what_fits_is_left_alone() {
    let small = json!({ "name": "a", "items": [1, 2, 3] });
    assert_eq!(fitted(&small, TOKENS, None).unwrap(), small);
}

#[test]
fn a_list_goes_on_exactly_where_it_was_cut() {
    let items: Vec<Value> = (0..2000).map(|n| json!({ "name": format!("item {n}") })).collect();
    let whole = json!({ "total": 2000, "items": items, "complete": true });
    let parts = parts(&whole, 1000);
    assert!(parts.len() > 5);
    let first = &parts[0];
    // What is small comes first, whatever stands before it.
    assert_eq!((&first["total"], &first["complete"]), (&json!(2000), &json!(true)));
    assert_eq!(first["truncated"], json!(true));
    let shown = first["items"].as_array().unwrap().len();
    assert_eq!(first["notShown"], json!({ "items": 2000 - shown }));
    assert!(first["hint"].as_str().unwrap().starts_with("narrow with root, limit; go on with"));
    let all = parts.iter().flat_map(|part| part["items"].as_array().unwrap().clone());
    assert_eq!(all.collect::<Vec<_>>(), items);
    assert_eq!(parts[parts.len() - 1].get("truncated"), None);
}

#[test]
fn lists_in_lists_and_tables_go_on_with_the_names_above_them() {
    let list = |n: usize| (0..n).map(|n| format!("line {n} of a finding")).collect::<Vec<_>>();
    let files = [3, 900, 0, 40].map(|n| json!({ "file": format!("{n}.txt"), "found": list(n) }));
    let table: JsonMap = (0..600).map(|n| (format!("key/{n}"), json!(n))).collect();
    let whole = json!({ "files": files, "settings": table, "last": "x" });
    let parts = parts(&whole, 800);
    let mut found = [const { Vec::new() }; 4];
    let mut rows = JsonMap::new();
    for part in &parts {
        for file in part["files"].as_array().into_iter().flatten() {
            let at = files.iter().position(|one| one["file"] == file["file"]).unwrap();
            found[at].extend(file["found"].as_array().into_iter().flatten().cloned());
        }
        rows.extend(
            part["settings"].as_object().into_iter().flatten().map(|(k, v)| (k.clone(), v.clone())),
        );
    }
    for (at, file) in files.iter().enumerate() {
        assert_eq!(json!(found[at]), file["found"]);
    }
    assert_eq!(rows, table);
    assert_eq!(parts[0]["last"], "x");
}

#[test]
fn a_long_text_goes_on_with_its_next_line() {
    let text: String = (0..900).map(|n| format!("line {n}: \"quoted\"\n")).collect();
    let whole = json!({ "path": "a.gd", "content": text });
    let parts = parts(&whole, 700);
    assert!(parts.len() > 3);
    let all: String = parts.iter().map(|part| part["content"].as_str().unwrap()).collect();
    assert_eq!(all, text);
    assert!(parts.iter().all(|part| part["path"] == "a.gd"));
}

#[test]
fn one_line_without_an_end_is_cut_and_says_so() {
    let whole = json!({ "content": "x".repeat(100_000), "after": ["y"] });
    let parts = parts(&whole, 500);
    assert!(parts[0]["content"].as_str().unwrap().ends_with("bytes more in this line)"));
}

fn tree(name: &str, path: &str, widths: &[usize]) -> Value {
    let below = widths.first().copied().unwrap_or(0);
    let children = (0..below).map(|n| {
        let name = format!("n{n}");
        // No two leaves are alike.
        let mut child = tree(&name, &format!("{path}/{name}"), &widths[1..]);
        child["type"] = json!(format!("T{n}"));
        child
    });
    json!({ "name": name, "path": path, "type": "T", "children": children.collect::<Vec<_>>() })
}

/// The paths of all things in trees, by the names above them.
fn paths(nodes: &Value, under: &str, into: &mut Vec<String>) {
    for node in nodes.as_array().into_iter().flatten() {
        let name = node["name"].as_str().unwrap();
        let path = if under.is_empty() { name.to_owned() } else { format!("{under}/{name}") };
        into.push(path.clone());
        paths(&node["children"], &path, into);
    }
}

#[test]
fn a_tree_is_shown_from_its_top_with_counts_and_then_the_rest() {
    let whole =
        json!({ "scene": "s", "roots": [tree("a", "a", &[6, 7, 9]), tree("b", "b", &[2, 80])] });
    let parts = parts(&whole, 1500);
    let first = &parts[0];
    // Both roots and what is right below them, however much the first of them has.
    assert_eq!(first["roots"][0]["children"].as_array().unwrap().len(), 6);
    assert_eq!(first["roots"][1]["children"].as_array().unwrap().len(), 2);
    let cut = &first["roots"][0]["children"][5]["children"];
    assert_eq!(cut[6]["childCount"], 9);
    let (mut all, mut shown) = (Vec::new(), Vec::new());
    paths(&whole["roots"], "", &mut all);
    paths(&first["roots"], "", &mut shown);
    assert_eq!(first["notShown"]["objects"], json!(all.len() - shown.len()));
    for part in &parts[1..] {
        for cut in part["rest"].as_array().unwrap() {
            paths(&cut["children"], cut["under"].as_str().unwrap(), &mut shown);
        }
    }
    shown.dedup();
    all.sort();
    shown.sort();
    shown.dedup();
    assert_eq!(shown, all);
}

#[test]
fn leaves_that_are_alike_are_one_line() {
    let mut nodes: Vec<Value> = (0..900)
        .map(|n| json!({ "name": format!("g{n}"), "path": format!("./g{n}"), "type": "Sprite2D" }))
        .collect();
    nodes.push(json!({ "name": "Player", "path": "./Player", "type": "Node2D" }));
    let whole =
        json!({ "tree": { "name": "Root", "type": "Node", "path": ".", "children": nodes } });
    let part = fitted(&whole, 1000, None).unwrap();
    let children = part["tree"]["children"].as_array().unwrap();
    assert_eq!(children[0], json!({ "name": "g0 … g899", "type": "Sprite2D", "alike": 900 }));
    assert_eq!(children[1]["name"], "Player");
    // Nothing else is left out, so that there is nothing to go on with.
    assert_eq!((part.get("truncated"), part.get("nextCursor")), (None, None));
}

#[test]
fn leaves_with_other_names_are_never_folded() {
    let names = ["DiscordButton", "PatreonButton", "YouTubeButton", "WikiButton", "CreditsButton"];
    let nodes: Vec<Value> = (0..100)
        .flat_map(|n| {
            names.map(|name| json!({ "name": format!("{name}{n}Label"), "type": "Button" }))
        })
        .collect();
    let whole = json!({ "tree": { "name": "Root", "type": "Node", "children": nodes } });
    let all = pages(&whole, 500).join("\n");
    for node in &nodes {
        assert!(all.contains(node["name"].as_str().unwrap()), "{node}");
    }
}

#[test]
fn a_text_is_filled_and_says_how_it_goes_on() {
    let items: Vec<Value> =
        (0..2000).map(|n| json!({ "name": format!("item {n}"), "size": n * 7 })).collect();
    let whole = json!({ "total": 2000, "items": items });
    let pages = pages(&whole, 1000);
    let (first, last) = (&pages[0], &pages[pages.len() - 1]);
    assert!(first.len() > 3000, "a page uses its room: {}", first.len());
    assert!(first.starts_with("total: 2000\nitems ("), "{first}");
    let shown = first.lines().filter(|line| line.starts_with("  item ")).count();
    let foot = first.lines().last().unwrap();
    assert!(
        foot.starts_with(&format!(
            "[shown up to here: items {shown} of 2000. Next page: the same call with cursor \"@"
        )),
        "{foot}"
    );
    assert!(foot.ends_with("\"; or narrow with root, limit]"), "{foot}");
    assert!(!last.contains("cursor"), "{last}");
    let all = pages.join("\n") + "\n";
    for n in 0..2000 {
        assert!(all.contains(&format!("\n  item {n} | {}\n", n * 7)), "item {n}");
    }
}

#[test]
fn after_the_last_page_comes_the_next_of_the_tool_itself() {
    let items: Vec<Value> =
        (0..300).map(|n| json!(format!("an item of some length {n}"))).collect();
    let whole = json!({ "items": items, "nextCursor": 300 });
    let data = parts_with_own(&whole);
    assert_eq!(data["nextCursor"], 300);
    let small = json!({ "items": [1], "nextCursor": 1 });
    let (_, text) = fit_as(&small, 1000, None, Reads::Text).unwrap();
    assert_eq!(text.unwrap(), "items: [1]\n[Next page: the same call with cursor \"1\"]");
}

/// The last part of an answer whose tool has a page behind it.
fn parts_with_own(whole: &Value) -> Value {
    let mut cursor = None;
    loop {
        let part = fitted(whole, 500, cursor.as_deref()).unwrap();
        match part["nextCursor"].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return part,
        }
    }
}

#[test]
fn a_cursor_of_another_answer_is_refused() {
    let list =
        |n: usize| json!({ "items": (0..n).map(|n| format!("item {n}")).collect::<Vec<_>>() });
    let first = fitted(&list(3000), 500, None).unwrap();
    let cursor = first["nextCursor"].as_str().unwrap();
    let error = fitted(&list(2999), 500, Some(cursor)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::BadArguments);
    assert_eq!(fitted(&list(1), 500, Some("@zz")).unwrap_err().kind, ErrorKind::BadArguments);
}

#[test]
fn the_cursor_of_the_tool_itself_is_kept() {
    let cursor = Cursor { tree: Some(7), place: vec![1, 20], form: 0xab, own: Some(json!(50)) };
    assert_eq!(Cursor::parse(&cursor.write()), Some(cursor));
    let mut arguments = JsonMap::new();
    arguments.insert("cursor".into(), json!("@ab.3=50"));
    arguments.insert("maxTokens".into(), json!(900));
    let budget = take_arguments(&mut arguments, None, |_| false).unwrap().unwrap();
    assert_eq!((budget.bytes, arguments.len()), (3600, 0));
    assert_eq!(own_cursor(&budget).unwrap(), Some(json!(50)));
    // A tool's own cursor is its own.
    arguments.insert("cursor".into(), json!("50"));
    assert_eq!(take_arguments(&mut arguments, None, |_| false).unwrap(), None);
    assert_eq!(arguments["cursor"], "50");
}
