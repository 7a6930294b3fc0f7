//! `docs/console.md`: what the console takes and refuses, rendered from the tables that say so. Every
//! row has an example that is run here, and what it gave is on the page.

mod hooks;
mod language;
mod limits;
mod members;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;
use std::sync::LazyLock;

use super::run;
use crate::EvalError;
use crate::refused::{FORBIDDEN, UNSUPPORTED};

/// A row of the page.
struct Row {
    name: String,
    example: String,
    /// What the example gave, or why it was refused.
    gave: String,
    /// Whether that is what the row stands for.
    is_right: bool,
}

/// The page, and the examples that are none of what their rows say.
static PAGE: LazyLock<(String, Vec<String>)> = LazyLock::new(|| {
    let mut wrong = Vec::new();
    (render(&mut wrong), wrong)
});

const HEAD: &str = "# The console\n\n\
    Generated from the tables of `crates/console`; refresh it with `cargo xtask docs`.\n\n\
    ConsoleEval, scripts and hooks take a part of C#. It runs over the scene in memory and reaches \
    nothing\nelse: no files, no network, no processes, no reflection, neither chance nor a \
    clock. Nothing runs\nunless everything in the source is understood. The scope is frozen. Every \
    example below is run by a\ntest, over a small scene with the objects `Town`, `House`, `Door`, \
    `Lamp`, `Ork` and `Main Camera`;\nbeside it is what it gave.\n";

fn render(wrong: &mut Vec<String>) -> String {
    let mut page = HEAD.to_owned();
    for (title, taken) in [("What it takes", true), ("What it refuses", false)] {
        let _ = write!(page, "\n## {title}\n");
        for (part, rows) in language::rows(taken) {
            table(&mut page, &part, ["Construct", "Example", "Gives"], &rows, wrong);
        }
    }
    table(&mut page, "Namespaces", ["Namespace", "Example", "Gives"], &namespaces(), wrong);
    table(
        &mut page,
        "Well-known types that are not there",
        ["Type", "Example", "Gives"],
        &refused_types(),
        wrong,
    );
    page.push_str("\n## Limits\n");
    table(&mut page, "Of a source", ["Limit", "Example", "Gives"], &limits::of_sources(), wrong);
    table(&mut page, "Of a run", ["Limit", "Example", "Gives"], &limits::of_runs(), wrong);
    page.push_str("\n## Hooks\n");
    table(
        &mut page,
        "Code of a hook",
        ["What", "Code of a hook of SetActive", "Gives"],
        &hooks::rows(),
        wrong,
    );
    page.push_str(
        "\n## Types and members\n\nClasses of the project are there with their fields, and their \
         methods can be called and hooked,\nbut have no bodies here. Of .NET and the engine there is \
         what follows, and what is inherited from it.\n",
    );
    for (name, rows) in members::rows() {
        table(&mut page, &name, ["Member", "Example", "Gives"], &rows, wrong);
    }
    page
}

fn table(page: &mut String, title: &str, heads: [&str; 3], rows: &[Row], wrong: &mut Vec<String>) {
    let [what, example, gives] = heads;
    let _ = write!(page, "\n### {title}\n\n| {what} | {example} | {gives} |\n|---|---|---|\n");
    for row in rows {
        if !row.is_right {
            wrong.push(format!("{}: {} gives {}", row.name, row.example, row.gave));
        }
        let (example, gave) = (code(&row.example), code(&row.gave));
        let _ = writeln!(page, "| {} | {example} | {gave} |", row.name.replace('|', "\\|"));
    }
}

/// Text as code in a cell of a table.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let text = text.replace('\n', "⏎").replace('\r', "").replace('|', "\\|");
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

/// What a source gives, in words.
fn told(given: &Result<String, EvalError>) -> String {
    match given {
        Ok(text) => text.clone(),
        Err(error) => error.to_string(),
    }
}

fn refused(name: String, example: String) -> Row {
    let given = run(&example);
    let is_right = matches!(given, Err(EvalError::Compile { .. }));
    Row { name, example, gave: told(&given), is_right }
}

fn namespaces() -> Vec<Row> {
    let row = |name: &&str| refused(format!("`{name}`"), format!("using {name}; 1"));
    FORBIDDEN.iter().map(row).collect()
}

fn refused_types() -> Vec<Row> {
    let mut rows = Vec::new();
    for (names, instead) in UNSUPPORTED {
        for name in names {
            let row = refused(format!("`{name}`"), format!("{name}.Any()"));
            rows.push(Row { is_right: row.gave.ends_with(instead), ..row });
        }
    }
    rows
}

#[test]
fn docs_are_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/console.md");
    let (rendered, _) = &*PAGE;
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, rendered).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(written == *rendered, "docs/console.md is stale; run `cargo xtask docs`");
}

#[test]
fn every_example_is_one_of_what_its_row_says() {
    let (_, wrong) = &*PAGE;
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whatever the grammar may find in a source is on the page, as taken or as refused.
#[test]
fn the_whole_grammar_is_on_the_page() {
    let told: BTreeSet<String> = language::kinds().collect();
    let missing: Vec<String> =
        language::kinds_of_the_grammar().filter(|kind| !told.contains(kind)).collect();
    assert!(missing.is_empty(), "data/language.txt has no row for {}", missing.join(", "));
}
