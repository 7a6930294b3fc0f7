//! Which findings of a check are reported, and how bad they are: what was asked for, and what the
//! `scenewright.toml` of a project says for everybody.

mod paths;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use scenewright_contract::finding::{Finding, Rule, Scope, Severity};
use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_text::{beneath, counted};
use serde::Deserialize;

use crate::workspace::{Project, Report, Steps};
use paths::Wanted;

/// The file of a project that says what its team wants.
pub const CONFIG: &str = "scenewright.toml";
/// Longer ones nobody wrote.
const MAX_CONFIG: u64 = 1 << 20;

/// What to report of a check.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only findings in these files and folders; all when there are none.
    paths: Vec<Wanted>,
    /// No findings in files that match one of these.
    pub exclude: Vec<String>,
}

/// The table `[check]` of a [`CONFIG`].
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckConfig {
    /// No findings in files that match one of these globs.
    pub exclude: Vec<String>,
    /// How bad the findings of a rule are.
    pub rules: BTreeMap<String, Level>,
    /// The file with accepted findings, from the project's root.
    pub baseline: Option<String>,
    /// Findings that are as they should be.
    pub allow: Vec<Allow>,
}

/// Findings of a rule that are as they should be: in some files, on some object.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Allow {
    /// The rule.
    pub rule: String,
    /// The files, as a path or a glob; all when nothing is said.
    #[serde(default)]
    pub file: Option<String>,
    /// The object with all below it; all when nothing is said.
    #[serde(default)]
    pub object: Option<String>,
    /// Why, for the next person who reads it.
    #[serde(default)]
    pub why: Option<String>,
}

/// How bad the findings of a rule are to a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// They are not reported.
    Off,
    /// A remark.
    Info,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Config {
    check: CheckConfig,
}

/// Check a project and report what is selected.
pub fn check(
    project: &Project,
    selection: &Selection,
    steps: &Steps<'_>,
) -> Result<Report, ToolError> {
    let config = config(&project.root)?;
    let rules = (project.made_by.rules)();
    let named = config.rules.keys().chain(config.allow.iter().map(|allow| &allow.rule));
    if let Some(unknown) = named.into_iter().find(|id| !rules.iter().any(|rule| rule.id == **id)) {
        return Err(unknown_rule(unknown, &rules));
    }
    let excluded = globs(config.exclude.iter().chain(&selection.exclude))?;
    let allowed = Allowed::of(&config.allow)?;
    let mut report = project.engine.check(steps)?;
    let absent = report.findings.iter().filter(|finding| finding.rule.scope == Scope::Copy);
    report.absent = absent.map(|finding| finding.file.clone()).collect();
    let mut used = vec![false; config.allow.len()];
    let layout = project.engine.layout();
    report.findings.retain_mut(|finding| {
        if !selection.takes(&finding.file) || excluded.is_match(&*finding.file) {
            return false;
        }
        finding.is_vendored = !project.is_part && layout.vendor(&finding.file).is_some();
        match config.rules.get(finding.rule.id) {
            None => {}
            Some(Level::Off) => return false,
            Some(Level::Error) => finding.severity = Severity::Error,
            Some(Level::Warning) => finding.severity = Severity::Warning,
            Some(Level::Info) => finding.severity = Severity::Info,
        }
        let by = allowed.find(finding);
        by.into_iter().for_each(|at| used[at] = true);
        by.is_none()
    });
    if selection.is_whole() {
        let unused = config.allow.iter().zip(used).filter(|(_, used)| !used);
        report.notes.extend(unused.map(|(allow, _)| allow.words()));
    }
    tell_causes_once(&mut report.findings);
    Ok(report)
}

/// Findings of rules that tell each cause once become one for each: at the first place, with a word
/// about the others.
fn tell_causes_once(findings: &mut Vec<Finding>) {
    let is_once = |finding: &Finding| finding.rule.scope == Scope::Cause;
    if !findings.iter().any(is_once) {
        return;
    }
    let key = |finding: &Finding| (finding.rule.id, Arc::<str>::from(finding.cause()));
    let mut causes: HashMap<(&str, Arc<str>), Places> = HashMap::new();
    for finding in findings.iter().filter(|finding| is_once(finding)) {
        let places = causes.entry(key(finding)).or_default();
        places.count += 1;
        places.files.insert(finding.file.clone());
        let object = finding.object.as_ref().filter(|_| places.objects.len() < Places::MOST);
        let is_known = object.is_none_or(|object| places.objects.contains(object));
        places.objects.extend(object.filter(|_| !is_known).cloned());
    }
    findings.retain_mut(|finding| {
        if !is_once(finding) {
            return true;
        }
        let Some(places) = causes.remove(&key(finding)) else { return false };
        // What stands before the cause is about the first place alone.
        let cause = finding.cause();
        let told = finding.message.find(cause).map_or(cause, |at| &finding.message[at..]);
        if places.count > 1 {
            finding.message = format!("{told}; {}", places.words()).into();
        }
        true
    });
}

/// Where one cause shows.
#[derive(Default)]
struct Places {
    objects: Vec<Arc<str>>,
    count: usize,
    files: HashSet<Arc<str>>,
}

impl Places {
    /// How many objects are named.
    const MOST: usize = 3;

    /// `in 4 places of 2 files (Orc, Elf, Bat and 1 more)`.
    fn words(&self) -> String {
        let (places, files) = (counted(self.count, "place"), counted(self.files.len(), "file"));
        let more = match self.count.saturating_sub(self.objects.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let named = match self.objects.as_slice() {
            [] => String::new(),
            objects => format!(" ({}{more})", objects.join(", ")),
        };
        format!("in {places} of {files}{named}")
    }
}

impl Selection {
    /// Everything but what matches one of these.
    pub fn without(exclude: Vec<String>) -> Selection {
        Selection { paths: Vec::new(), exclude }
    }

    /// Whether it is about the whole project.
    pub fn is_whole(&self) -> bool {
        self.paths.is_empty() && self.exclude.is_empty()
    }

    /// Whether findings in a file are asked for by a path, or no path is.
    pub fn takes(&self, file: &str) -> bool {
        self.paths.is_empty() || self.paths.iter().any(|path| path.has(file))
    }
}

impl Allow {
    fn takes(&self, finding: &Finding) -> bool {
        let is_in = |object: &String| {
            let rest = finding.object.as_deref().and_then(|path| path.strip_prefix(&**object));
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.rule == finding.rule.id && self.object.as_ref().is_none_or(is_in)
    }

    /// That nothing needs it.
    fn words(&self) -> String {
        let file = self.file.as_ref().map_or_else(String::new, |file| format!(" in {file}"));
        let object = self.object.as_ref().map_or_else(String::new, |name| format!(" on {name}"));
        format!("{CONFIG} allows {}{file}{object}, and there is no such finding", self.rule)
    }
}

/// What a team allows, ready to be asked.
struct Allowed<'a>(Vec<(&'a Allow, Option<GlobSet>)>);

impl<'a> Allowed<'a> {
    fn of(list: &'a [Allow]) -> Result<Self, ToolError> {
        let ready = |allow: &'a Allow| {
            let files = allow.file.as_ref().map(|file| globs([file].into_iter())).transpose()?;
            Ok((allow, files))
        };
        list.iter().map(ready).collect::<Result<_, _>>().map(Allowed)
    }

    fn find(&self, finding: &Finding) -> Option<usize> {
        let takes = |(allow, files): &(&Allow, Option<GlobSet>)| {
            allow.takes(finding)
                && files.as_ref().is_none_or(|files| files.is_match(&*finding.file))
        };
        self.0.iter().position(takes)
    }
}

/// Whether one of these files has a finding, or causes it.
pub fn is_touched(finding: &Finding, changed: &HashSet<String>) -> bool {
    let file = &*finding.file;
    let other = match file.strip_suffix(".meta") {
        Some(asset) => asset.to_owned(),
        None => format!("{file}.meta"),
    };
    // What broke a file that nobody touched is named as the cause.
    let is_cause = |cause: &str| changed.iter().any(|path| cause.contains(path.as_str()));
    let is_own = changed.contains(file) || changed.contains(&other);
    is_own || finding.cause.as_deref().is_some_and(is_cause)
}

/// That no rule has this name, and which are near.
pub fn unknown_rule(id: &str, rules: &[&'static Rule]) -> ToolError {
    let known = rules.iter().map(|rule| rule.id);
    let hint = suggest::did_you_mean(id, known, "scenewright check --explain lists all rules");
    ToolError::new(ErrorKind::BadArguments, format!("no rule is called {id}")).hint(hint)
}

fn globs<'a>(patterns: impl Iterator<Item = &'a String>) -> Result<GlobSet, ToolError> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let bad = |error: globset::Error| {
            let text = format!("{pattern} is not a pattern: {error}");
            ToolError::new(ErrorKind::BadArguments, text)
        };
        let pattern = pattern.strip_prefix("res://").unwrap_or(pattern);
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern).trim_end_matches('/');
        // A name may have the letters of a pattern in it.
        for text in [pattern, &globset::escape(pattern)] {
            set.add(glob(text).map_err(bad)?);
            // A folder means all that is in it.
            set.add(glob(&format!("{text}/**")).map_err(bad)?);
        }
    }
    set.build().map_err(|error| ToolError::new(ErrorKind::BadArguments, error.to_string()))
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

/// What the [`CONFIG`] of a project says of checks.
pub fn config(root: &Path) -> Result<CheckConfig, ToolError> {
    let Some(text) = text(root)? else { return Ok(CheckConfig::default()) };
    let config: Config = toml::from_str(&text).map_err(|error| mistake(&error))?;
    Ok(config.check)
}

/// The [`CONFIG`] of the project at `root`; none when it has none.
pub(crate) fn text(root: &Path) -> Result<Option<String>, ToolError> {
    let path = root.join(CONFIG);
    let fail = |why: String| ToolError::new(ErrorKind::EngineError, format!("{CONFIG}: {why}"));
    // A mistake in it is shown with its line, so that a link may not lead to another's file.
    let bytes = match beneath::read_up_to(root, &path, MAX_CONFIG) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(fail(error.to_string())),
    };
    String::from_utf8(bytes).map(Some).map_err(|error| fail(error.to_string()))
}

/// What is wrong in a [`CONFIG`], with its line.
pub(crate) fn mistake(error: &toml::de::Error) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, format!("{CONFIG} has a mistake: {error}"))
}
