//! What came of each kind: one row of a table, and the first cases that failed.

use crate::bench::table::{Row, align, number};

/// More cases of one row are counted, not told.
const TOLD: usize = 3;
/// Letters of a case.
const LONGEST: usize = 900;

/// The rows of a run.
#[derive(Debug, Default)]
pub(super) struct Report {
    rows: Vec<(String, Tally)>,
}

/// Tries of one kind.
#[derive(Debug, Default)]
pub(super) struct Tally {
    pub(super) tries: usize,
    failures: usize,
    /// The first of them.
    cases: Vec<String>,
    /// What else is worth knowing, such as the slowest answer.
    pub(super) notes: String,
    skipped: bool,
}

impl Tally {
    /// So many tries.
    pub(super) fn of(tries: usize) -> Tally {
        Tally { tries, ..Tally::default() }
    }

    /// What could not be tried at all.
    pub(super) fn failed(why: String) -> Tally {
        let mut tally = Tally::of(1);
        tally.fail(why);
        tally
    }

    /// What this machine cannot try. A machine that judges changes must be able to.
    pub(super) fn skipped(why: &str) -> Tally {
        if std::env::var_os("CI").is_some_and(|ci| ci == "true") {
            return Tally::failed(format!("cannot run here: {why}"));
        }
        eprintln!("NOT TRIED: {why}");
        Tally { notes: format!("not tried: {why}"), skipped: true, ..Tally::default() }
    }

    pub(super) fn fail(&mut self, case: String) {
        self.failures += 1;
        if self.cases.len() < TOLD {
            // One line each; what a server logged may be many.
            let words: Vec<&str> = case.split_whitespace().collect();
            self.cases.push(words.join(" ").chars().take(LONGEST).collect());
        }
    }

    /// Take in what another thread or environment tried.
    pub(super) fn join(&mut self, other: Tally) {
        self.tries += other.tries;
        self.failures += other.failures;
        self.cases.extend(other.cases);
        self.cases.truncate(TOLD);
    }
}

impl Report {
    /// Add a row; told at once, because a whole run is long.
    pub(super) fn add(&mut self, kind: &str, tally: Tally) {
        let Tally { tries, failures, notes, .. } = &tally;
        eprintln!("  {kind}: {tries} tries, {failures} failures; {notes}");
        tally.cases.iter().for_each(|case| eprintln!("    {case}"));
        self.rows.push((kind.to_owned(), tally));
    }

    /// Markdown that also reads well in a terminal.
    pub(super) fn table(&self) -> String {
        let head = ["kind", "tries", "failures", "worst / notes", "verdict"].map(str::to_owned);
        let rows = self.rows.iter().map(|(kind, tally)| tally.row(kind));
        align(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
    }

    /// What failed, a line for each case that is told.
    pub(super) fn cases(&self) -> Vec<String> {
        let of = |(kind, tally): &(String, Tally)| {
            let lines = tally.cases.iter().map(|case| format!("{kind}: {case}"));
            let more = tally.failures.saturating_sub(tally.cases.len());
            let more = (more > 0).then(|| format!("{kind}: {more} more"));
            lines.chain(more).collect::<Vec<_>>()
        };
        self.rows.iter().flat_map(of).collect()
    }
}

impl Tally {
    fn row(&self, kind: &str) -> Row {
        let verdict = match (self.skipped, self.failures) {
            (true, _) => "not tried",
            (false, 0) => "ok",
            (false, _) => "FAILED",
        };
        let count = |count: usize| number(Some(count as f64), 0);
        let (tries, failures) = (count(self.tries), count(self.failures));
        [kind.to_owned(), tries, failures, self.notes.clone(), verdict.to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_the_first_cases_and_counts_the_rest() {
        let mut tally = Tally::of(9);
        (0..5).for_each(|step| tally.fail(format!("step {step}")));
        let mut report = Report::default();
        report.add("kills", tally);
        assert_eq!(
            report.cases(),
            ["kills: step 0", "kills: step 1", "kills: step 2", "kills: 2 more"]
        );
        assert!(report.table().contains("FAILED"));
    }
}
