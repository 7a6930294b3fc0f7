//! A baseline: what is wrong today and accepted, so that only what is new is reported.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, Result, bail};
use scenewright_contract::finding::Finding;
use serde::{Deserialize, Serialize};

/// The accepted findings. A finding that occurs more often than accepted is new.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Baseline {
    version: u32,
    /// Fingerprints and how often each occurs, sorted, so that the file reads well in a diff.
    accepted: BTreeMap<String, usize>,
}

impl Baseline {
    /// Accept exactly these.
    pub(crate) fn of(findings: &[Finding]) -> Self {
        let mut accepted = BTreeMap::new();
        for finding in findings {
            *accepted.entry(finding.fingerprint()).or_insert(0) += 1;
        }
        Self { version: 1, accepted }
    }

    /// Read a baseline file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("the baseline {} cannot be read", path.display()))?;
        let baseline: Self = serde_json::from_str(&text)
            .with_context(|| format!("the baseline {} has a mistake", path.display()))?;
        if baseline.version != 1 {
            bail!("the baseline {} is of version {}, not 1", path.display(), baseline.version);
        }
        Ok(baseline)
    }

    /// Write the file, whole or not at all.
    pub(crate) fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        scenewright_text::write_whole(path, text)
            .with_context(|| format!("the baseline {} cannot be written", path.display()))
    }

    /// The findings that are not accepted, and how many were.
    pub(crate) fn subtract(mut self, findings: Vec<Finding>) -> (Vec<Finding>, usize) {
        let before = findings.len();
        let new: Vec<Finding> = findings
            .into_iter()
            .filter(|finding| match self.accepted.get_mut(&finding.fingerprint()) {
                Some(left) if *left > 0 => {
                    *left -= 1;
                    false
                }
                _ => true,
            })
            .collect();
        let accepted = before - new.len();
        (new, accepted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenewright_contract::finding::{Rule, Severity};

    static RULE: Rule = Rule { id: "r", severity: Severity::Error, title: "", help: "", about: "" };

    #[test]
    fn only_what_is_new_remains() {
        let old = Finding::new(&RULE, "a", "x").at_line(1);
        let baseline = Baseline::of(std::slice::from_ref(&old));
        // The same finding on another line is the same; a second one is new, and so is another.
        let moved = Finding { line: Some(9), ..old.clone() };
        let again = Finding { line: Some(20), ..old };
        let other = Finding::new(&RULE, "a", "y");
        let (new, accepted) = baseline.subtract(vec![moved, again.clone(), other.clone()]);
        assert_eq!((new, accepted), (vec![again, other], 1));
    }
}
