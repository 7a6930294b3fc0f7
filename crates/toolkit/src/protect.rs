//! What no tool may write: `[protect]` in the `scenewright.toml` of a project, or in the file of `--config`.

use std::path::Path;

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};
use scenewright_contract::{ErrorKind, ToolError};
use serde::Deserialize;

use crate::selection::{self, CONFIG};

/// What engines keep beside a file: it is protected together with the file.
const BESIDE: [&str; 3] = [".meta", ".import", ".uid"];

/// The table `[protect]`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProtectConfig {
    /// Globs of files and folders, from the project's root.
    pub paths: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Config {
    protect: ProtectConfig,
}

/// The protected paths of one project.
#[derive(Debug, Default)]
pub struct Protected {
    patterns: Vec<String>,
    globs: GlobSet,
    /// The pattern of each glob.
    of: Vec<usize>,
}

impl Protected {
    /// What the project at `root` protects, and `more` that the operator does. The file is read each time,
    /// so that an edit of a person holds at once; one that cannot be read protects everything.
    pub fn read(root: &Path, more: &[String]) -> Result<Self, ToolError> {
        let unknown = |error: ToolError| {
            error.hint(format!(
                "nothing is written while {CONFIG} cannot be read, because it may protect files; a person has to correct it"
            ))
        };
        let config = match selection::text(root).map_err(unknown)? {
            Some(text) => {
                toml::from_str::<Config>(&text)
                    .map_err(|error| unknown(selection::mistake(&error)))?
                    .protect
            }
            None => ProtectConfig::default(),
        };
        Self::new(config.paths.into_iter().chain(more.iter().cloned()))
    }

    /// These patterns, and the file that they are in.
    pub fn new(patterns: impl IntoIterator<Item = String>) -> Result<Self, ToolError> {
        let mut patterns: Vec<String> = patterns.into_iter().collect();
        if patterns.is_empty() {
            return Ok(Self::default());
        }
        // Otherwise a tool could take the protection away.
        if !patterns.iter().any(|pattern| pattern == CONFIG) {
            patterns.push(CONFIG.to_owned());
        }
        let (mut set, mut of) = (GlobSetBuilder::new(), Vec::new());
        for (at, pattern) in patterns.iter().enumerate() {
            let folder = folder(pattern)?;
            for text in [folder.to_owned(), format!("{folder}/**")] {
                set.add(glob(&text).map_err(|error| bad(pattern, &error.to_string()))?);
                of.push(at);
            }
        }
        let globs = set.build().map_err(|error| bad(&patterns.join(", "), &error.to_string()))?;
        Ok(Self { patterns, globs, of })
    }

    /// The patterns as they were written.
    pub fn patterns(&self) -> &[String] {
        &self.patterns
    }

    /// The pattern that protects a path from the project's root, if one does.
    pub fn by(&self, path: &str) -> Option<&str> {
        let owner = BESIDE.iter().find_map(|end| path.strip_suffix(end));
        let at = [Some(path), owner]
            .into_iter()
            .flatten()
            .find_map(|path| self.globs.matches(path).first().map(|glob| self.of[*glob]));
        at.map(|at| self.patterns[at].as_str())
    }

    /// Refuses to write a path from the project's root that is protected.
    pub fn check(&self, path: &str) -> Result<(), ToolError> {
        let Some(pattern) = self.by(path) else { return Ok(()) };
        let why = match pattern {
            CONFIG => format!("{path} is protected, because it says what is protected"),
            _ => format!("{path} is protected by `{pattern}` in [protect] paths of {CONFIG}"),
        };
        Err(ToolError::new(ErrorKind::Denied, why)
            .hint(
                "nothing was changed; only a person can lift the protection, by editing that file",
            )
            .detail("path", path)
            .detail("setting", "protect.paths"))
    }
}

/// A pattern without what people write around it: `res://`, `./`, a slash or `/**` at the end.
fn folder(pattern: &str) -> Result<&str, ToolError> {
    if pattern.contains('\\') {
        return Err(bad(pattern, "write `/` between folders"));
    }
    let mut text = pattern.strip_prefix("res://").unwrap_or(pattern);
    while let Some(rest) = text.strip_prefix("./").or_else(|| text.strip_prefix('/')) {
        text = rest;
    }
    let text = text.strip_suffix("/**").unwrap_or(text).trim_end_matches('/');
    match text {
        "" | "." => Ok("**"),
        _ if text.split('/').any(|part| part == "..") => {
            Err(bad(pattern, "paths start at the project's root and cannot leave it"))
        }
        _ => Ok(text),
    }
}

/// Case does not matter: on some systems two spellings are one file.
fn glob(pattern: &str) -> Result<Glob, globset::Error> {
    GlobBuilder::new(pattern).literal_separator(true).case_insensitive(true).build()
}

fn bad(pattern: &str, why: &str) -> ToolError {
    ToolError::new(
        ErrorKind::BadArguments,
        format!("{CONFIG}: [protect] paths: `{pattern}`: {why}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(pattern: &str, path: &str) -> bool {
        Protected::new([pattern.to_owned()]).unwrap().by(path).is_some()
    }

    #[test]
    fn a_folder_protects_all_below_it_however_it_is_written() {
        for pattern in [
            "Assets/Bought",
            "Assets/Bought/",
            "Assets/Bought/**",
            "/Assets/Bought",
            "./Assets/Bought",
            "res://Assets/Bought",
            "assets/BOUGHT",
            "**/Bought",
        ] {
            for path in ["Assets/Bought", "Assets/Bought.meta", "Assets/Bought/a/b.mat"] {
                assert!(by(pattern, path), "{pattern} {path}");
            }
            assert!(!by(pattern, "Assets/Bought2/b.mat"), "{pattern}");
        }
    }

    #[test]
    fn files_are_protected_with_what_the_engine_keeps_beside_them() {
        for path in ["a/icon.png", "a/icon.png.import", "a/ICON.png.meta", "a/icon.png.uid"] {
            assert!(by("a/*.png", path), "{path}");
        }
        assert!(!by("a/*.png", "a/b/icon.png"));
        assert!(by("**/*.shader", "Assets/x/y.shader"));
        assert!(by("/", "project.godot"));
    }

    #[test]
    fn the_file_that_protects_is_protected_with_the_first_pattern() {
        assert!(by("Assets/Bought", "scenewright.toml"));
        assert_eq!(Protected::new([]).unwrap().by("scenewright.toml"), None);
    }

    #[test]
    fn patterns_that_would_protect_nothing_are_refused() {
        for pattern in [r"Assets\Bought", "../other", "Assets/{a", "[x"] {
            let error = Protected::new([pattern.to_owned()]).unwrap_err();
            assert!(error.message.contains(pattern), "{}", error.message);
        }
    }
}
