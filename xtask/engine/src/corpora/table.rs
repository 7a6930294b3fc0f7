//! What came of all edits and findings, as a table.

use std::collections::BTreeMap;

use super::findings::Judged;
use super::shortly;
use super::trial::{Outcome, Trial};

/// Everything that was judged.
#[derive(Default)]
pub(super) struct Table {
    rows: BTreeMap<&'static str, Row>,
    /// False ones, refusals and what could not be judged, a line each.
    lines: BTreeMap<&'static str, Vec<String>>,
    findings: BTreeMap<(String, String), Found>,
    /// Whether the judge noticed a scene that was broken on purpose.
    pub(super) is_judge_checked: bool,
    /// Projects that could not be judged.
    pub(super) broken: Vec<String>,
}

/// How often a tool was right.
#[derive(Default)]
struct Row {
    edits: usize,
    right: usize,
    told: usize,
    refused: usize,
    false_successes: usize,
    false_alarms: usize,
    unjudged: usize,
}

/// How often a rule was right.
#[derive(Default)]
struct Found {
    all: usize,
    right: usize,
    wrong: usize,
}

impl Table {
    pub(super) fn add(&mut self, project: &str, step: usize, trial: &Trial, outcome: Outcome) {
        let row = self.rows.entry(trial.wish.tool).or_default();
        row.edits += 1;
        let place = format!("{project} step {step}: {} {}", trial.wish.tool, trial.wish.arguments);
        let said = match &trial.reply {
            Ok(output) => shortly(output),
            Err(why) => why.clone(),
        };
        let mut line = |kind: &'static str, what: String| {
            let line = format!("{place}\n    {what}");
            // Who waits for the end wants to see at once what is false.
            if kind.starts_with("FALSE") {
                println!("{kind}: {line}");
            }
            self.lines.entry(kind).or_default().push(line);
        };
        match outcome {
            Outcome::Right => row.right += 1,
            Outcome::Told(what) => {
                row.told += 1;
                line("told", what.join("\n    "));
            }
            Outcome::Refused => {
                row.refused += 1;
                line("refused", said);
            }
            Outcome::RefusedUnjudged => {
                row.refused += 1;
                line("refused, not judged", said);
            }
            Outcome::FalseSuccess(what) => {
                row.false_successes += 1;
                let first = what.iter().take(8).cloned().collect::<Vec<_>>().join("\n    ");
                line("FALSE SUCCESS", first);
            }
            Outcome::FalseAlarm => {
                row.false_alarms += 1;
                line("FALSE ALARM", said);
            }
            Outcome::Unjudged(why) => {
                row.unjudged += 1;
                line("not judged", why);
            }
        }
    }

    pub(super) fn add_findings(&mut self, project: &str, found: Vec<Judged>) {
        for Judged { severity, rule, text, holds } in found {
            let row = self.findings.entry((severity, rule)).or_default();
            row.all += 1;
            match holds {
                Some(true) => row.right += 1,
                Some(false) => {
                    row.wrong += 1;
                    self.lines
                        .entry("FALSE FINDING")
                        .or_default()
                        .push(format!("{project}: {text}"));
                }
                None => {
                    self.lines
                        .entry("finding, not judged")
                        .or_default()
                        .push(format!("{project}: {text}"));
                }
            }
        }
    }

    pub(super) fn false_successes(&self) -> usize {
        self.rows.values().map(|row| row.false_successes).sum()
    }

    pub(super) fn print(&self, seed: u64) {
        for (kind, lines) in &self.lines {
            println!("\n== {kind}: {}", lines.len());
            lines.iter().for_each(|line| println!("  {line}"));
        }
        println!("\nseed {seed}");
        println!(
            "\n{:32} {:>6} {:>6} {:>6} {:>8} {:>6} {:>6} {:>9}",
            "tool", "edits", "right", "told", "refused", "FALSE", "alarm", "unjudged"
        );
        let mut all = Row::default();
        for (tool, row) in &self.rows {
            row.print(tool);
            all.edits += row.edits;
            all.right += row.right;
            all.told += row.told;
            all.refused += row.refused;
            all.false_successes += row.false_successes;
            all.false_alarms += row.false_alarms;
            all.unjudged += row.unjudged;
        }
        all.print("all");
        println!(
            "\n{:8} {:32} {:>6} {:>6} {:>6} {:>9}",
            "grade", "rule", "all", "right", "FALSE", "unjudged"
        );
        for ((severity, rule), it) in &self.findings {
            let unjudged = it.all - it.right - it.wrong;
            println!(
                "{severity:8} {rule:32} {:>6} {:>6} {:>6} {unjudged:>9}",
                it.all, it.right, it.wrong
            );
        }
        for broken in &self.broken {
            println!("\nnot judged: {broken}");
        }
    }
}

impl Row {
    fn print(&self, name: &str) {
        let Row { edits, right, told, refused, false_successes, false_alarms, unjudged } = self;
        println!(
            "{name:32} {edits:>6} {right:>6} {told:>6} {refused:>8} {false_successes:>6} \
             {false_alarms:>6} {unjudged:>9}"
        );
    }
}
