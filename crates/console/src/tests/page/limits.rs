//! The limits, each with something that meets it.

use std::time::Duration;

use super::super::{Limits, eval, town};
use super::Row;
use crate::EvalError;
use crate::limits::{
    MAX_DEPTH, MAX_EVALUATIONS, MAX_HEIGHT, MAX_HOLES, MAX_PATTERN_WORDS, MAX_SOURCE,
    MAX_TYPE_DEPTH, MAX_VARIABLES,
};

/// Limits of what a source looks like: nothing runs.
pub(super) fn of_sources() -> Vec<Row> {
    let (types, holes) = (MAX_TYPE_DEPTH + 1, MAX_HOLES + 1);
    let variables: String = (0..=MAX_VARIABLES).map(|number| format!("int a{number}; ")).collect();
    let table = [
        (
            format!("{MAX_SOURCE} bytes"),
            "1 and many blanks",
            format!("1{}", " ".repeat(MAX_SOURCE)),
        ),
        (
            format!("{MAX_DEPTH} levels of brackets and statements"),
            "((((…1…))))",
            format!("{}1{}", "(".repeat(MAX_DEPTH + 1), ")".repeat(MAX_DEPTH + 1)),
        ),
        (
            format!("{MAX_HEIGHT} operators in a row"),
            "1 + 1 + …",
            format!("{}1", "1 + ".repeat(usize::from(MAX_HEIGHT))),
        ),
        (
            format!("{MAX_TYPE_DEPTH} types inside each other"),
            "List<List<…>> l = null;",
            format!("{}int{} l = null;", "List<".repeat(types), ">".repeat(types)),
        ),
        (
            format!("{MAX_HOLES} interpolated strings inside each other"),
            "$\"{$\"{…}\"}\"",
            format!("{}1{}", "$\"{".repeat(holes), "}\"".repeat(holes)),
        ),
        (
            format!("{MAX_PATTERN_WORDS} times `and`, `or`, `not`"),
            "1 is 1 or 1 or …",
            format!("1 is {}1", "1 or ".repeat(MAX_PATTERN_WORDS + 1)),
        ),
        (format!("{MAX_VARIABLES} variables"), "int a0; int a1; …", variables),
    ];
    let row = |(name, example, source): (String, &str, String)| match eval(
        &mut town(),
        &source,
        &Limits::default(),
    ) {
        Err(EvalError::Compile { message, .. }) => {
            Row { name, example: example.to_owned(), gave: message, is_right: true }
        }
        other => panic!("{example} gives {other:?}"),
    };
    table.into_iter().map(row).collect()
}

/// Limits of what a run does: it ends there, and nothing catches that.
pub(super) fn of_runs() -> Vec<Row> {
    let usual = Limits::default();
    // The clock of a busy machine has no say in the others.
    let patient = Limits { time: Duration::from_secs(300), ..usual };
    let hurried = Limits { time: Duration::ZERO, steps: u64::MAX, ..usual };
    let cancelled = Limits { cancel: &|| true, ..patient };
    let endless = "while (true) { }";
    let table = [
        (format!("{} expressions and statements", usual.steps), endless, patient),
        (format!("{} ms", usual.time.as_millis()), endless, hurried),
        ("until the caller gives up".to_owned(), endless, cancelled),
        (format!("{} bytes of values", usual.memory), "new int[2000000000]", patient),
        (
            format!("{} calls inside each other", usual.calls),
            "int F(int n) => F(n + 1); F(0)",
            patient,
        ),
        (
            format!("{MAX_EVALUATIONS} evaluations inside each other"),
            "int F(int n) => 1 + F(n + 1); F(0)",
            Limits { calls: usize::MAX, ..patient },
        ),
        (format!("{} lines of the log", usual.log_lines), "while (true) Debug.Log(1);", patient),
    ];
    let mut rows: Vec<Row> = table.into_iter().map(ended).collect();
    let long = "new string('x', 1000000)";
    let given = eval(&mut town(), long, &patient).unwrap();
    assert_eq!(given.text.len(), usual.text);
    rows.push(Row {
        name: format!("{} bytes of the result's text", usual.text),
        example: long.to_owned(),
        gave: "the rest is cut off".to_owned(),
        is_right: true,
    });
    rows
}

fn ended((name, source, limits): (String, &str, Limits<'_>)) -> Row {
    match eval(&mut town(), source, &limits) {
        Err(EvalError::Runtime { exception, .. }) => {
            Row { name, example: source.to_owned(), gave: exception, is_right: true }
        }
        other => panic!("{source} gives {other:?}"),
    }
}
