//! The baseline of a project: what is wrong today and accepted, so that a check reports what is new.
//!
//! An entry goes by rule, object and what is missing, and by the guid of the file where it has one: not
//! by words, and not by names that people change. Each is one line, in a stable order, so that the
//! file can be read and merged.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use scenewright_contract::finding::{Finding, Scope, Severity};
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_text::beneath;
use serde::{Deserialize, Serialize};

use crate::selection::{self, CONFIG, CheckConfig, Selection};
use crate::workspace::{Project, Report, Steps};

/// What the file is called where the settings name no other.
pub const FILE: &str = "scenewright-baseline.json";
/// The version of its format. The first went by the words of messages.
const VERSION: u32 = 2;
/// A larger one is not read.
const MAX_BYTES: u64 = 256 << 20;

/// Accepted findings. A finding that occurs more often than accepted is new.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Baseline {
    entries: Vec<Entry>,
}

/// Some findings that cannot be told apart.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Entry {
    /// From the project's root; empty for what is about no file.
    #[serde(skip_serializing_if = "String::is_empty")]
    file: String,
    rule: String,
    /// Its path, for people and for objects that have no number.
    #[serde(skip_serializing_if = "Option::is_none")]
    object: Option<String>,
    /// What is missing or wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    /// The number of the object in its file. As text, for numbers of JSON lose digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    /// What the file is known by wherever it is moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    #[serde(skip_serializing_if = "is_one")]
    count: usize,
}

fn is_one(count: &usize) -> bool {
    *count == 1
}

/// What is known of the files that findings are in.
pub trait Files {
    /// What a file is known by wherever it is moved.
    fn identity(&self, path: &str) -> Option<String>;
    /// Whether there is such a file.
    fn has(&self, path: &str) -> bool;
}

impl Files for Project {
    fn identity(&self, path: &str) -> Option<String> {
        self.engine.identity(path)
    }

    fn has(&self, path: &str) -> bool {
        self.root.join(path).exists()
    }
}

/// What a baseline leaves of findings.
#[derive(Debug, Default)]
pub struct Left {
    /// Findings that are not accepted.
    pub new: Vec<Finding>,
    /// How many are.
    pub accepted: usize,
    /// Entries without a finding.
    pub unneeded: Baseline,
}

impl Entry {
    fn of(finding: &Finding, files: &dyn Files) -> Entry {
        let (rule, about) =
            (finding.rule.id.to_owned(), finding.subject.as_deref().map(Into::into));
        if finding.rule.scope == Scope::Cause {
            // Where it shows first is a matter of chance.
            return Entry { rule, about, count: 1, ..Entry::default() };
        }
        Entry {
            file: finding.file.to_string(),
            rule,
            object: finding.object.as_deref().map(Into::into),
            about,
            id: finding.id.map(|id| id.to_string()),
            guid: files.identity(&finding.file),
            count: 1,
        }
    }

    /// By what lasts longest: the guid of the file and the number of the object.
    fn lasting(&self) -> Key<'_> {
        let file = self.guid.as_deref().unwrap_or(&self.file);
        let object = self.id.as_deref().or(self.object.as_deref());
        (&self.rule, Some(file), object, self.about.as_deref())
    }

    /// By names: a file may have got its guid since, or another one.
    fn named(&self) -> Key<'_> {
        (&self.rule, Some(&self.file), self.object.as_deref(), self.about.as_deref())
    }

    /// Without the file, for one that was moved and has no guid.
    fn moved(&self) -> Key<'_> {
        let object = self.id.as_deref().or(self.object.as_deref());
        (&self.rule, None, object, self.about.as_deref())
    }
}

/// Rule, file, object, and what is missing or wrong.
type Key<'e> = (&'e str, Option<&'e str>, Option<&'e str>, Option<&'e str>);

impl Baseline {
    /// Accept exactly these.
    pub fn of(findings: &[Finding], files: &dyn Files) -> Baseline {
        let entries = findings.iter().map(|finding| Entry::of(finding, files));
        Baseline::collected(entries)
    }

    /// What a team accepts of these: not remarks, which hardly anybody sees, nor what is about this copy
    /// of the project alone.
    pub fn to_accept(findings: &[Finding], files: &dyn Files) -> Baseline {
        let is_of_project = |finding: &&Finding| {
            finding.severity > Severity::Info && finding.rule.scope != Scope::Copy
        };
        let wanted = findings.iter().filter(is_of_project);
        Baseline::collected(wanted.map(|finding| Entry::of(finding, files)))
    }

    fn collected(entries: impl Iterator<Item = Entry>) -> Baseline {
        let mut counts: BTreeMap<Entry, usize> = BTreeMap::new();
        for entry in entries {
            let count = entry.count;
            *counts.entry(Entry { count: 1, ..entry }).or_default() += count;
        }
        let entries = counts.into_iter().map(|(entry, count)| Entry { count, ..entry });
        Baseline { entries: entries.collect() }
    }

    /// Accept what one of the two accepts.
    #[must_use]
    pub fn or(self, other: Baseline) -> Baseline {
        let mut entries: HashMap<_, Entry> = HashMap::new();
        let owned = |entry: &Entry| {
            let (rule, file, object, about) = entry.lasting();
            let [file, object, about] = [file, object, about].map(|part| part.map(str::to_owned));
            (rule.to_owned(), file, object, about)
        };
        for entry in self.entries.into_iter().chain(other.entries) {
            let known = entries.entry(owned(&entry)).or_insert_with(|| entry.clone());
            known.count = known.count.max(entry.count);
        }
        Baseline::collected(entries.into_values())
    }

    /// Accept what either accepts; they are about different files.
    #[must_use]
    pub fn and(self, other: Baseline) -> Baseline {
        Baseline::collected(self.entries.into_iter().chain(other.entries))
    }

    /// How many findings are accepted.
    pub fn count(&self) -> usize {
        self.entries.iter().map(|entry| entry.count).sum()
    }

    /// Whether nothing is accepted.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries of some files. What is about no file is about all.
    pub fn retain(&mut self, keep: impl Fn(&str) -> bool) {
        self.entries.retain(|entry| keep(&entry.file));
    }

    /// The entries of one of several projects: those whose files begin so, without that.
    #[must_use]
    pub fn within(&self, prefix: &str) -> Baseline {
        let inner = |entry: &Entry| {
            let file = entry.file.strip_prefix(prefix).filter(|_| !entry.file.is_empty());
            let is_inside = entry.file.is_empty() || file.is_some();
            let file = file.unwrap_or_default().to_owned();
            is_inside.then(|| Entry { file, ..entry.clone() })
        };
        Baseline { entries: self.entries.iter().filter_map(inner).collect() }
    }

    /// The same entries under the name of their project.
    #[must_use]
    pub fn below(mut self, prefix: &str) -> Baseline {
        for entry in self.entries.iter_mut().filter(|entry| !entry.file.is_empty()) {
            entry.file.insert_str(0, prefix);
        }
        self
    }

    /// The findings that are not accepted.
    pub fn subtract(self, findings: Vec<Finding>, files: &dyn Files) -> Left {
        let wanted: Vec<Entry> = findings.iter().map(|finding| Entry::of(finding, files)).collect();
        let mut left: Vec<usize> = self.entries.iter().map(|entry| entry.count).collect();
        let mut is_new = vec![true; wanted.len()];
        let is_any = |_: &Entry| true;
        let mut pass = |key: fn(&Entry) -> Key<'_>,
                        of_entry: &dyn Fn(&Entry) -> bool,
                        of_finding: &dyn Fn(&Entry) -> bool| {
            let mut open: HashMap<Key<'_>, Vec<usize>> = HashMap::new();
            let entries = self.entries.iter().enumerate();
            for (at, entry) in entries.filter(|(at, entry)| left[*at] > 0 && of_entry(entry)) {
                open.entry(key(entry)).or_default().push(at);
            }
            for (wanted, is_new) in wanted.iter().zip(&mut is_new) {
                if !*is_new || open.is_empty() || !of_finding(wanted) {
                    continue;
                }
                let Some(entries) = open.get_mut(&key(wanted)) else { continue };
                while entries.last().is_some_and(|at| left[*at] == 0) {
                    entries.pop();
                }
                if let Some(at) = entries.last() {
                    left[*at] -= 1;
                    *is_new = false;
                }
            }
        };
        pass(Entry::lasting, &is_any, &is_any);
        pass(Entry::named, &is_any, &is_any);
        // A file without a guid that is there no more may be another one now.
        let has_no_guid = |entry: &Entry| entry.guid.is_none();
        let is_gone = |entry: &Entry| has_no_guid(entry) && !files.has(&entry.file);
        pass(Entry::moved, &is_gone, &has_no_guid);
        let before = findings.len();
        let mut flags = is_new.into_iter();
        let mut new = findings;
        new.retain(|_| flags.next().unwrap_or(true));
        let entries = self.entries.into_iter().zip(left).filter(|(_, left)| *left > 0);
        let entries = entries.map(|(entry, count)| Entry { count, ..entry }).collect();
        Left { accepted: before - new.len(), new, unneeded: Baseline { entries } }
    }

    /// Take what is accepted out of what a check of a project found, and count it. With the name of its
    /// file, which says that the check was about all of the project, what is not needed is noted.
    pub fn apply(self, project: &Project, report: &mut Report, name: Option<&str>) -> usize {
        let left = self.subtract(std::mem::take(&mut report.findings), project);
        report.findings = left.new;
        if let Some(name) = name {
            let mut unneeded = left.unneeded;
            // What is in files that are not here may be there still.
            unneeded.retain(|file| !report.absent.iter().any(|absent| **absent == *file));
            report.notes.extend(self::unneeded(unneeded.count(), name));
        }
        left.accepted
    }

    /// The text of its file.
    pub fn to_text(&self) -> String {
        let lines: Vec<String> = self
            .entries
            .iter()
            .filter_map(|entry| Some(format!("    {}", serde_json::to_string(entry).ok()?)))
            .collect();
        let list = match lines.is_empty() {
            true => "[]".to_owned(),
            false => format!("[\n{}\n  ]", lines.join(",\n")),
        };
        format!("{{\n  \"version\": {VERSION},\n  \"accepted\": {list}\n}}\n")
    }

    /// Read the text of its file; `name` is said where something is wrong.
    pub fn parse(text: &[u8], name: &str) -> Result<Baseline, ToolError> {
        #[derive(Deserialize)]
        struct Head {
            version: u32,
        }
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Whole {
            #[serde(rename = "version")]
            _version: u32,
            accepted: Vec<Entry>,
        }
        let again = "`scenewright check --write-baseline` writes it again";
        let fail = |why: String| ToolError::new(ErrorKind::BadArguments, why).hint(again);
        let wrong = |error: serde_json::Error| fail(format!("{name} has a mistake: {error}"));
        match serde_json::from_slice::<Head>(text).map_err(wrong)?.version {
            VERSION => {}
            older if older < VERSION => {
                return Err(fail(format!(
                    "{name} is of version {older}, which went by the words of messages; they have changed since"
                )));
            }
            newer => {
                let newer =
                    format!("{name} is of version {newer}, and this program knows {VERSION}");
                return Err(
                    ToolError::new(ErrorKind::BadArguments, newer).hint("update scenewright")
                );
            }
        }
        let Whole { accepted, .. } = serde_json::from_slice(text).map_err(wrong)?;
        Ok(Baseline::collected(
            accepted.into_iter().map(|entry| Entry { count: entry.count.max(1), ..entry }),
        ))
    }
}

/// Check a project and report what is selected and not accepted; how much is accepted.
pub fn check(
    project: &Project,
    selection: &Selection,
    steps: &Steps<'_>,
) -> Result<(Report, usize), ToolError> {
    let config = selection::config(&project.root)?;
    let baseline = of_project(&project.root, &config)?;
    let mut report = selection::check(project, selection, steps)?;
    let name = selection.is_whole().then(|| name(&config));
    let accepted = baseline.map_or(0, |baseline| baseline.apply(project, &mut report, name));
    Ok((report, accepted))
}

/// Where a project has its baseline, from its root.
pub fn name(config: &CheckConfig) -> &str {
    config.baseline.as_deref().unwrap_or(FILE)
}

/// The baseline of a project; nothing where it has none.
pub fn of_project(root: &Path, config: &CheckConfig) -> Result<Option<Baseline>, ToolError> {
    let name = name(config);
    let fail = |why: String| ToolError::new(ErrorKind::BadArguments, why);
    match beneath::read_up_to(root, &root.join(name), MAX_BYTES) {
        Ok(text) => Baseline::parse(&text, name).map(Some),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => match config.baseline {
            None => Ok(None),
            Some(_) => Err(fail(format!("{CONFIG} names the baseline {name}, which is not there"))
                .hint("`scenewright check --write-baseline` writes it")),
        },
        Err(error) => Err(fail(format!("the baseline {name} cannot be read: {error}"))),
    }
}

/// That entries of a baseline are of no use any more, and what to do.
pub fn unneeded(count: usize, name: &str) -> Option<String> {
    let what = match count {
        0 => return None,
        1 => "1 entry is".to_owned(),
        count => format!("{count} entries are"),
    };
    Some(format!(
        "{what} no longer needed in {name}; `scenewright check --write-baseline` leaves out what is mended"
    ))
}

#[cfg(test)]
mod tests;
