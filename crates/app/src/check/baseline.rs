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
            *accepted.entry(lasting(&finding.fingerprint()).to_owned()).or_insert(0) += 1;
        }
        Self { version: 1, accepted }
    }

    /// Accept what one of the two accepts.
    pub(crate) fn or(mut self, other: Self) -> Self {
        for (fingerprint, count) in other.accepted {
            let accepted = self.accepted.entry(fingerprint).or_insert(0);
            *accepted = count.max(*accepted);
        }
        self
    }

    /// Read a baseline file.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("the baseline {} cannot be read", path.display()))?;
        let mut baseline: Self = serde_json::from_str(&text)
            .with_context(|| format!("the baseline {} has a mistake", path.display()))?;
        if baseline.version != 1 {
            bail!("the baseline {} is of version {}, not 1", path.display(), baseline.version);
        }
        let accepted = std::mem::take(&mut baseline.accepted);
        for (fingerprint, count) in accepted {
            *baseline.accepted.entry(lasting(&fingerprint).to_owned()).or_insert(0) += count;
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
            .filter(|finding| match self.accepted.get_mut(lasting(&finding.fingerprint())) {
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

/// A fingerprint without what became of a guid, which stands behind it and is told in other words as
/// soon as the change is committed.
fn lasting(fingerprint: &str) -> &str {
    let ends = fingerprint.match_indices("; ").map(|(at, _)| &fingerprint[..at]);
    let has_guid = |text: &&str| {
        let digits = text.bytes().rev().take_while(u8::is_ascii_hexdigit).count();
        digits == 32
    };
    ends.into_iter().find(has_guid).unwrap_or(fingerprint)
}

#[cfg(test)]
mod tests {
    use super::*;
    use scenewright_contract::finding::{Rule, Severity};

    static RULE: Rule = Rule { id: "r", severity: Severity::Error, title: "", help: "", about: "" };

    #[test]
    fn what_became_of_a_guid_may_be_told_in_other_words() {
        let guid = "0123456789abcdef0123456789abcdef";
        let told =
            |fate: &str| Finding::new(&RULE, "a", format!("no asset has the guid {guid}; {fate}"));
        let baseline = Baseline::of(&[told("a.cs had it and is deleted")]);
        let (new, accepted) =
            baseline.subtract(vec![told("a.cs had it until commit 1 deleted it")]);
        assert_eq!((new.len(), accepted), (0, 1));
        // Behind anything else it is another finding.
        let other = |rest: &str| Finding::new(&RULE, "a", format!("no node; {rest}"));
        let (new, _) = Baseline::of(&[other("x")]).subtract(vec![other("y")]);
        assert_eq!(new, [other("y")]);
    }

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
