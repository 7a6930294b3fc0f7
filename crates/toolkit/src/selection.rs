//! Which findings of a check are reported, and how bad they are: what was asked for, and what the
//! `scenewright.toml` of a project says for everybody.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use scenewright_contract::finding::{Finding, Rule, Severity};
use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_text::beneath;
use serde::Deserialize;

use crate::workspace::{Project, Report, Steps};

/// The file of a project that says what its team wants.
pub const CONFIG: &str = "scenewright.toml";
/// Longer ones nobody wrote.
const MAX_CONFIG: u64 = 1 << 20;

/// What to report of a check.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only findings in these files and folders, from the project's root; all when there are none.
    pub paths: Vec<String>,
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
    let config = read(&project.root)?;
    let rules = (project.made_by.rules)();
    if let Some(unknown) = config.rules.keys().find(|id| !rules.iter().any(|rule| rule.id == **id))
    {
        return Err(unknown_rule(unknown, &rules));
    }
    let exclude = config.exclude.iter().chain(&selection.exclude);
    let excluded = globs(exclude)?;
    let mut report = project.engine.check(steps)?;
    report
        .findings
        .retain(|finding| selection.takes(finding) && !excluded.is_match(&*finding.file));
    report.findings.retain_mut(|finding| match config.rules.get(finding.rule.id) {
        None => true,
        Some(Level::Off) => false,
        Some(level) => {
            finding.severity = match level {
                Level::Error => Severity::Error,
                Level::Warning => Severity::Warning,
                Level::Off | Level::Info => Severity::Info,
            };
            true
        }
    });
    Ok(report)
}

impl Selection {
    fn takes(&self, finding: &Finding) -> bool {
        let is_in = |path: &String| {
            let rest = finding.file.strip_prefix(path.as_str());
            path.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        self.paths.is_empty() || self.paths.iter().any(is_in)
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
            ToolError::new(ErrorKind::BadArguments, format!("{pattern} is no pattern: {error}"))
        };
        set.add(glob(pattern).map_err(bad)?);
        // A folder means all that is in it.
        set.add(glob(&format!("{}/**", pattern.trim_end_matches('/'))).map_err(bad)?);
    }
    set.build().map_err(|error| ToolError::new(ErrorKind::BadArguments, error.to_string()))
}

fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).build()
}

fn read(root: &Path) -> Result<CheckConfig, ToolError> {
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
