//! What a part of the conformance run found.

use std::fmt::Write;

#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) passed: usize,
    pub(crate) failures: Vec<Finding>,
    /// Recommendations not followed; said, but no failure.
    pub(crate) warnings: Vec<Finding>,
}

#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) name: String,
    pub(crate) error: String,
}

impl Report {
    pub(crate) fn pass(&mut self) {
        self.passed += 1;
    }

    pub(crate) fn fail(&mut self, name: impl Into<String>, error: impl Into<String>) {
        self.failures.push(Finding { name: name.into(), error: error.into() });
    }

    pub(crate) fn warn(&mut self, name: impl Into<String>, error: impl Into<String>) {
        self.warnings.push(Finding { name: name.into(), error: error.into() });
    }

    pub(crate) fn record(&mut self, name: &str, outcome: anyhow::Result<()>) {
        match outcome {
            Ok(()) => self.pass(),
            Err(error) => self.fail(name, format!("{error:#}")),
        }
    }

    /// Nothing failed, and something was checked at all.
    pub(crate) fn is_clean(&self) -> bool {
        self.failures.is_empty() && self.passed > 0
    }

    pub(crate) fn summary(&self) -> String {
        let mut summary = format!("{} checks passed, {} failed", self.passed, self.failures.len());
        if !self.warnings.is_empty() {
            let _ = write!(summary, ", {} warnings", self.warnings.len());
        }
        summary
    }

    pub(crate) fn findings(&self) -> String {
        let mut text = String::new();
        for (kind, findings) in [("FAILED", &self.failures), ("warning", &self.warnings)] {
            for Finding { name, error } in findings {
                let _ = writeln!(text, "  {kind} {name}: {}", error.trim().replace('\n', "\n    "));
            }
        }
        text
    }
}
