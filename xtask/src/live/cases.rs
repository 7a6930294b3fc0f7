//! What was tried and what came of it: a line for each case, and the failures once more at the end.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use serde_json::Value;

/// The cases so far.
#[derive(Default)]
pub(super) struct Cases {
    theme: &'static str,
    passed: usize,
    failures: Vec<String>,
}

impl Cases {
    /// What comes is of this theme.
    pub(super) fn begin(&mut self, theme: &'static str) {
        self.theme = theme;
    }

    /// Try something; what it gives back is part of its line.
    pub(super) fn case(&mut self, name: &str, tried: impl FnOnce() -> Result<String>) {
        let started = Instant::now();
        match tried() {
            Ok(said) => {
                self.passed += 1;
                let seconds = started.elapsed().as_secs_f64();
                println!("ok      {} · {name}: {said} ({seconds:.1} s)", self.theme);
            }
            Err(error) => self.fail(name, &format!("{error:#}")),
        }
    }

    /// Something is not as it must be.
    pub(super) fn fail(&mut self, name: &str, why: &str) {
        let line = format!("FAILED  {} · {name}: {why}", self.theme);
        println!("{line}");
        self.failures.push(line);
    }

    /// An error when anything failed, and when nothing was tried.
    pub(super) fn end(self) -> Result<()> {
        println!("{} cases passed, {} failed", self.passed, self.failures.len());
        ensure!(self.passed + self.failures.len() > 0, "nothing was tried");
        ensure!(self.failures.is_empty(), "{}", self.failures.join("\n"));
        Ok(())
    }
}

/// What was found is what was expected.
pub(super) fn same<T: PartialEq<U> + Debug, U: Debug>(
    what: &str,
    found: T,
    expected: U,
) -> Result<()> {
    ensure!(found == expected, "{what}: expected {expected:?}, found {found:?}");
    Ok(())
}

/// A text has a part.
pub(super) fn has(what: &str, text: &str, part: &str) -> Result<()> {
    ensure!(text.contains(part), "{what}: expected {part:?} in it, found {text:?}");
    Ok(())
}

/// Something becomes true before long.
pub(super) fn soon(
    what: &str,
    limit: Duration,
    mut look: impl FnMut() -> Result<bool>,
) -> Result<()> {
    let started = Instant::now();
    while !look()? {
        ensure!(started.elapsed() < limit, "{what} did not come about in {} s", limit.as_secs());
        std::thread::sleep(Duration::from_millis(30));
    }
    Ok(())
}

/// The texts of a list of objects, by one member.
pub(super) fn column<'a>(list: &'a Value, member: &str) -> Vec<&'a str> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| item[member].as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_says_what_was_expected_and_found() {
        let error = same("its speed", 1, 2).expect_err("they differ").to_string();
        assert_eq!(error, "its speed: expected 2, found 1");
    }

    #[test]
    fn a_failed_case_fails_the_run_and_so_does_none() {
        assert!(Cases::default().end().is_err());
        let mut cases = Cases::default();
        cases.case("good", || Ok("it is".to_owned()));
        cases.case("bad", || same("it", 1, 2).map(|()| String::new()));
        assert!(cases.end().is_err());
    }
}
