//! Rules on the names, folders and sizes of assets.

mod names;

use globset::GlobMatcher;
use regex::Regex;
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::files;
use scenewright_unity::index::Asset;
use serde_json::Value;

use super::matches_type;

/// What a policy demands of some assets.
pub struct Rule {
    /// The policy it belongs to.
    pub policy: &'static str,
    /// The type or glob as the caller wrote it.
    pub key: String,
    subject: Subject,
    demand: Demand,
    /// `error`, `warning` or `info`.
    pub severity: &'static str,
    /// The folder that assets in a wrong one go to, as the caller wrote it.
    move_to: Option<String>,
}

enum Subject {
    Type(String),
    Glob(GlobMatcher),
}

enum Demand {
    Name(Regex),
    /// Each with the globs of the folder and of all in it.
    Folders(Vec<String>, Vec<GlobMatcher>),
    Size(u64),
}

impl Rule {
    /// Reads the rule of a policy for `key`.
    pub fn parse(policy: &'static str, key: &str, value: &Value) -> Result<Rule, ToolError> {
        let severity = match value.get("severity").map(|severity| severity.as_str()) {
            None | Some(Some("error")) => "error",
            Some(Some("warning")) => "warning",
            Some(Some("info")) => "info",
            Some(_) => return Err(invalid(policy, "severity is error, warning or info")),
        };
        let glob = |text: &str| {
            files::glob(text).map_err(|_| invalid(policy, &format!("'{text}' is not a glob")))
        };
        let subject = match key.contains(['*', '?', '/', '.', '[', '{']) {
            true => Subject::Glob(glob(key)?),
            false => Subject::Type(key.to_owned()),
        };
        let move_to = move_to(policy, value)?;
        // The folder that assets go to is also one that they may be in.
        let value = value.get("value").or(value.get("moveTo")).unwrap_or(value);
        let demand = match (policy, value) {
            ("naming", Value::String(pattern)) => {
                Demand::Name(Regex::new(pattern).map_err(|error| {
                    let message = format!("Invalid regex pattern: {pattern}");
                    ToolError::new(ErrorKind::BadArguments, message).hint(error.to_string())
                })?)
            }
            ("folderStructure", Value::String(_) | Value::Array(_)) => {
                let one = std::slice::from_ref(value);
                let texts = value.as_array().map_or(one, Vec::as_slice).iter().map(Value::as_str);
                let names: Option<Vec<_>> = texts.collect();
                let names = names.ok_or_else(|| invalid(policy, "folders are texts"))?;
                let plain = names.iter().map(|name| name.trim().trim_end_matches('/'));
                let names: Vec<String> = plain.map(str::to_owned).collect();
                let globs = names.iter().flat_map(|name| [glob(name), glob(&format!("{name}/**"))]);
                Demand::Folders(names.clone(), globs.collect::<Result<_, _>>()?)
            }
            ("assetSize", Value::Number(most)) => Demand::Size(
                most.as_u64()
                    .ok_or_else(|| invalid(policy, "a size is a whole number of bytes"))?,
            ),
            _ => {
                let hint =
                    "naming takes a regular expression, folderStructure folders, assetSize bytes";
                return Err(invalid(policy, hint).detail("rule", key));
            }
        };
        Ok(Rule { policy, key: key.to_owned(), subject, demand, severity, move_to })
    }

    /// Whether it is about the asset of this path and type.
    pub fn is_about(&self, path: &str, kind: &str) -> bool {
        match &self.subject {
            Subject::Type(wanted) => matches_type(wanted, kind),
            Subject::Glob(glob) => glob.is_match(path),
        }
    }

    /// A name that fits, made of one that does not: with what the pattern begins or ends with, or in
    /// other letters. Nothing where none of these fits.
    pub fn better_name(&self, stem: &str) -> Option<String> {
        let Demand::Name(regex) = &self.demand else { return None };
        names::like(regex.as_str(), stem).into_iter().find(|name| regex.is_match(name))
    }

    /// The folder for assets that are in a wrong one: the one that was given, or the first that is
    /// allowed and no pattern.
    pub fn better_folder(&self) -> Option<&str> {
        let Demand::Folders(folders, _) = &self.demand else { return None };
        let plain = folders.iter().find(|folder| !folder.contains(['*', '?', '[', '{']));
        self.move_to.as_deref().or(plain.map(String::as_str))
    }

    /// What is wrong with an asset that it is about.
    pub fn violation(&self, asset: Asset<'_>) -> Option<String> {
        match &self.demand {
            Demand::Name(regex) => {
                let stem = asset.name().rsplit_once('.').map_or(asset.name(), |(stem, _)| stem);
                (!regex.is_match(stem)).then(|| format!("The name '{stem}' does not match {regex}"))
            }
            Demand::Folders(names, globs) => {
                let is_allowed = globs.iter().any(|glob| glob.is_match(asset.folder()));
                let folder = asset.folder();
                (!is_allowed).then(|| format!("It is in {folder}, not in {}", names.join(" or ")))
            }
            Demand::Size(most) => {
                let size = asset.size();
                (size > *most).then(|| format!("It has {size} bytes, more than {most}"))
            }
        }
    }
}

/// Where assets in a wrong folder go.
fn move_to(policy: &str, value: &Value) -> Result<Option<String>, ToolError> {
    match value.get("moveTo") {
        None => Ok(None),
        Some(Value::String(folder)) => Ok(Some(folder.trim().trim_end_matches('/').to_owned())),
        Some(_) => Err(invalid(policy, "moveTo is a folder")),
    }
}

/// A policy that cannot be understood.
pub fn invalid(policy: &str, hint: &str) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, format!("Invalid policy: {policy}")).hint(hint)
}
