//! The table of tasks, and the one that an older binary is remembered by.

use super::client::Cost;
use super::older::ANSWERED_OTHERWISE;
use super::task::{Kind, Task};
use super::{Outcome, Verdict};
use crate::bench::table::{self, align, goal, number};

/// Calls and tokens of the same tasks with the binary before answers had a budget, as
/// `cargo xtask bench agent --before BINARY` prints it.
const BEFORE: &str = include_str!("../../../assets/agent_before.tsv");

/// What an everyday task may cost; of Unity's, one call less.
const MOST_CALLS: usize = 6;
const MOST_CALLS_UNITY: usize = 5;
const MOST_TOKENS: usize = 4000;

pub(super) fn render(tasks: &[Task], outcomes: &[Outcome], seconds: f64) -> String {
    let header =
        ["task", "calls", "tokens in", "tokens out", "calls before", "out before", "verdict"];
    let mut rows = vec![header.map(str::to_owned)];
    for (task, outcome) in tasks.iter().zip(outcomes) {
        let cost = outcome.cost;
        let (calls, tokens) = remembered(BEFORE, task.name);
        rows.push([
            format!("{} {}", task.project.engine(), task.name),
            cell(cost.calls),
            cell(cost.tokens_in()),
            cell(cost.tokens_out()),
            grouped(calls),
            grouped(tokens),
            verdict(task, outcome),
        ]);
    }
    let mut text = table::columns(&rows, 1..6);
    text += "\n";
    text += &goals(tasks, outcomes);
    for (task, outcome) in tasks.iter().zip(outcomes).filter(|(_, of)| !of.not_named.is_empty()) {
        let tools = outcome.not_named.join(", ");
        text += &format!("{}: used, and named by no list, search or error: {tools}\n", task.name);
    }
    let list = outcomes.iter().map(|outcome| outcome.list_bytes).max().unwrap_or_default();
    text += &format!(
        "tokens: bytes / 4, of arguments in and of texts and data out; the list of tools, at most {list} bytes, is read once and not counted.\n\
         * everyday task. before: the same calls to the binary before answers had a budget; - where it could not do it.\n\
         {} tasks in {seconds:.1} s, the slowest {}\n",
        tasks.len(),
        slowest(tasks, outcomes)
    );
    text
}

fn slowest(tasks: &[Task], outcomes: &[Outcome]) -> String {
    let mut by_time: Vec<_> = tasks.iter().zip(outcomes).collect();
    by_time.sort_by(|(_, one), (_, other)| other.seconds.total_cmp(&one.seconds));
    let told = by_time.iter().take(3).map(|(task, of)| format!("{} {:.1}", task.name, of.seconds));
    told.collect::<Vec<_>>().join(", ")
}

fn verdict(task: &Task, outcome: &Outcome) -> String {
    let mark = if task.kind == Kind::Everyday { " *" } else { "" };
    match &outcome.verdict {
        Verdict::Right if is_dear(task, &outcome.cost) => format!("right, but DEAR{mark}"),
        Verdict::Right => format!("right{mark}"),
        Verdict::Wrong(why) => format!("WRONG{mark}: {why}"),
        Verdict::Refused(why) => format!("REFUSED{mark}: {why}"),
        Verdict::Skipped(why) => format!("skipped{mark}: {why}"),
    }
}

fn is_dear(task: &Task, cost: &Cost) -> bool {
    let most_calls = if is_unity(task) { MOST_CALLS_UNITY } else { MOST_CALLS };
    task.kind == Kind::Everyday && (cost.calls > most_calls || cost.tokens_out() > MOST_TOKENS)
}

fn is_unity(task: &Task) -> bool {
    task.project.engine() == "unity"
}

fn goals(tasks: &[Task], outcomes: &[Outcome]) -> String {
    let header = ["measure", "scenewright", "", "goal", "verdict"];
    let everyday = || {
        let both = tasks.iter().zip(outcomes);
        both.filter(|(task, outcome)| {
            task.kind == Kind::Everyday && !matches!(outcome.verdict, Verdict::Skipped(_))
        })
    };
    let most =
        |count: fn(&Cost) -> usize| everyday().map(|(_, outcome)| count(&outcome.cost)).max();
    let of_unity = everyday().filter(|(task, _)| is_unity(task));
    let most_of_unity = of_unity.map(|(_, outcome)| outcome.cost.calls).max();
    let below = |label: &str, value: Option<usize>, limit: usize| {
        let shown = number(value.map(|value| value as f64), 0);
        let limit_shown = format!("≤ {}", number(Some(limit as f64), 0));
        goal(label, shown, &limit_shown, value.map(|value| value <= limit))
    };
    let tried = outcomes.iter().filter(|of| !matches!(of.verdict, Verdict::Skipped(_))).count();
    let right = outcomes.iter().filter(|of| of.verdict == Verdict::Right).count();
    let rows = [
        header.map(str::to_owned),
        goal("tasks done right", format!("{right} of {tried}"), "all", Some(right == tried)),
        below("most calls of an everyday task", most(|cost| cost.calls), MOST_CALLS),
        below("most calls of one in Unity", most_of_unity, MOST_CALLS_UNITY),
        below("most tokens out of an everyday task", most(Cost::tokens_out), MOST_TOKENS),
    ];
    align(&rows)
}

/// A line for each task: its name, calls, tokens out; `-` where the binary could not do it.
pub(super) fn before(tasks: &[Task], outcomes: &[Outcome]) -> String {
    let mut text = "# task\tcalls\ttokens out\n".to_owned();
    for (task, outcome) in tasks.iter().zip(outcomes) {
        let why = match &outcome.verdict {
            Verdict::Right => None,
            Verdict::Wrong(_) if ANSWERED_OTHERWISE.contains(&task.name) => None,
            Verdict::Wrong(why) | Verdict::Refused(why) => Some(&**why),
            Verdict::Skipped(why) => Some(*why),
        };
        let cost = outcome.cost;
        let (calls, tokens) = match why {
            None => (cost.calls.to_string(), cost.tokens_out().to_string()),
            Some(why) => {
                eprintln!("{}: {why}", task.name);
                ("-".to_owned(), "-".to_owned())
            }
        };
        text += &format!("{}\t{calls}\t{tokens}\n", task.name);
    }
    text
}

/// Calls and tokens of a task in such a table.
fn remembered<'t>(table: &'t str, name: &str) -> (&'t str, &'t str) {
    let found = table.lines().find_map(|line| {
        let mut fields = line.split('\t');
        (fields.next()? == name).then_some((fields.next()?, fields.next()?))
    });
    found.unwrap_or_default()
}

/// A number of the table as the others are shown; a dash stays one.
fn grouped(count: &str) -> String {
    count.parse().map_or(count.to_owned(), cell)
}

fn cell(count: usize) -> String {
    number(Some(count as f64), 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::agent::task::Needs;

    #[test]
    fn a_task_is_remembered_by_its_name() {
        let table = "# task\tcalls\ttokens out\na\t3\t120\nb\t-\t-\n";
        assert_eq!(remembered(table, "a"), ("3", "120"));
        assert_eq!(remembered(table, "b"), ("-", "-"));
        assert_eq!(remembered(table, "c"), ("", ""));
    }

    #[test]
    fn every_task_has_its_line_of_before() {
        // A refusal costs what it costs; it was not measured before.
        let all = super::super::tasks().into_iter();
        for task in all.filter(|task| task.needs != Needs::NoScreen) {
            assert_ne!(remembered(BEFORE, task.name), ("", ""), "{}", task.name);
        }
    }

    #[test]
    fn what_is_wrong_and_what_is_dear_is_said() {
        let tasks = super::super::tasks();
        let everyday = tasks.iter().position(|task| task.kind == Kind::Everyday).expect("one");
        let task = &tasks[everyday];
        let mut outcome = Outcome::default();
        assert_eq!(verdict(task, &outcome), "right *");
        outcome.cost.bytes_out = MOST_TOKENS * 4 + 1;
        assert_eq!(verdict(task, &outcome), "right, but DEAR *");
        outcome.verdict = Verdict::Wrong("no".to_owned());
        assert_eq!(verdict(task, &outcome), "WRONG *: no");
    }
}
