//! The power goes: simulated in the door's own tests, which know what was written through.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::Ground;
use super::report::{Report, Tally};
use crate::process;

const LIMIT: Duration = Duration::from_secs(3600);

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let mut cargo = process::cargo();
    // All packages have the same dependencies as the whole run; one alone has other features of them, and is compiled anew.
    cargo.args(["test", "--workspace", "--lib", "power_cut"]);
    if ground.options.full {
        cargo.env("SCENEWRIGHT_FAULTS", "full");
    }
    let said = process::capture(&mut cargo, LIMIT)?;
    let passed = count(&said.stdout, " passed");
    let failed = count(&said.stdout, " failed");
    let mut tally = Tally::of(passed + failed);
    ensure!(tally.tries > 0, "no test is named power_cut: {}", said.tail());
    if !said.status.success() {
        tally.fail(process::last_lines(&said.stdout, 12));
    }
    tally.notes = "tests of the door, each with many cuts".to_owned();
    report.add("power cut, simulated", tally);
    Ok(())
}

/// The numbers before a word in the result lines of all test programs.
fn count(said: &str, word: &str) -> usize {
    let results = said.lines().filter(|line| line.starts_with("test result:"));
    let number = |line: &str| {
        let before = &line[..line.find(word)?];
        before.rsplit([' ', ';']).next()?.parse::<usize>().ok()
    };
    results.filter_map(number).sum()
}

#[cfg(test)]
mod tests {
    use super::count;

    #[test]
    fn adds_up_what_the_programs_say() {
        let said = "test result: ok. 2 passed; 0 failed; 0 ignored\n\
                    test result: FAILED. 1 passed; 3 failed; 0 ignored\n";
        assert_eq!((count(said, " passed"), count(said, " failed")), (3, 3));
    }
}
