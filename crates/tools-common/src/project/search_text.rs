//! The tool `project.searchText`: Search Project Text.

use std::path::Path;
use std::time::Duration;

use scenewright_contract::{Limits, ToolError};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, files, paths, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Larger files are passed over, and it is said how many.
const MAX_FILE: u64 = 64 * 1024 * 1024;
/// Longer lines are cut in the answer.
const MAX_LINE: usize = 300;

pub(crate) const TOOL: Tool = Tool {
    id: "project.searchText",
    argument_aliases: &[("path", "root"), ("folder", "root"), ("directory", "root")],
    keywords: "grep find string in files regex text occurrences todo mention code fixme word comments",
    title: "Search Project Text",
    category: "project",
    lean: true,
    limits: Limits {
        time_guard: Some(Duration::from_secs(20)),
        max_items: Some(500),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Find where the Unity sample respawns",
        input: r#"{ "project": "unity", "pattern": "void Respawn", "filePattern": "*.cs" }"#,
        output: r#"{
            "success": true,
            "pattern": "void Respawn",
            "matches": [],
            "totalMatches": 1,
            "truncated": false
        }"#,
        varies: &["matches"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Search text in all files of the project (grep), for words or a regular expression. Answers file, line
/// number and line.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// Text, or a regular expression with `useRegex`.
    pattern: String,
    /// Folder; in Unity `Assets/` by default.
    root: Option<String>,
    /// Glob of files, such as `*.cs`.
    #[serde(default = "any_file")]
    file_pattern: String,
    /// How many matches to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 100_000))]
    max_results: usize,
    /// Whether `A` and `a` differ.
    #[serde(default)]
    case_sensitive: bool,
    /// Whether the pattern is a regular expression.
    #[serde(default)]
    use_regex: bool,
}

fn any_file() -> String {
    "*".to_owned()
}

fn most() -> usize {
    100
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What was looked for.
    pattern: String,
    /// The matches, by path and line.
    matches: Vec<Match>,
    /// How many there are; a lower bound when a diagnostic says that the search stopped.
    total_matches: usize,
    /// Whether there are more than were returned.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Match {
    /// The file, from the project's root.
    file_path: String,
    /// The line, from 1.
    line_number: usize,
    /// The line, without its indentation.
    line_text: String,
    /// What matched.
    match_text: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let root = input.root.as_deref().unwrap_or(project.engine.layout().searched);
    let root =
        paths::find(cx, project, root, "Root path must be under Assets/", "Folder not found")?;
    let glob = files::glob(if input.file_pattern == "*.*" { "*" } else { &input.file_pattern })?;
    let mut search =
        Search { regex: regex(&input)?, most: input.max_results, matches: Vec::new(), total: 0 };
    let guard = cx.time_guard();
    let (mut seen, mut too_large) = (0_usize, 0_usize);
    files::walk(cx, project, &root.path, &root.name, &mut |path, name| {
        if guard.expired() {
            guard.report(cx, seen, None);
            return Ok(false);
        }
        seen += 1;
        if glob.is_match(name)
            && !search.file(read(cx, project, path, name), name, &|| {
                guard.expired() || cx.cancel().is_cancelled()
            })
        {
            too_large += 1;
        }
        // A file may have been left halfway.
        if guard.expired() {
            guard.report(cx, seen, None);
        }
        Ok(!guard.expired())
    })?;
    if too_large > 0 {
        cx.diagnose(format!(
            "{too_large} files over {MAX_FILE} bytes or unreadable were passed over"
        ));
    }
    let Search { matches, total, .. } = search;
    let truncated = total > matches.len();
    Ok(Output { success: true, pattern: input.pattern, matches, total_matches: total, truncated })
}

fn regex(input: &Input) -> Result<regex::bytes::Regex, ToolError> {
    if input.pattern.is_empty() {
        return Err(ToolError::bad_argument("pattern", "must not be empty"));
    }
    let pattern =
        if input.use_regex { input.pattern.clone() } else { regex::escape(&input.pattern) };
    regex::bytes::RegexBuilder::new(&pattern)
        .case_insensitive(!input.case_sensitive)
        .size_limit(8 << 20)
        .build()
        .map_err(|error| {
            ToolError::bad_argument("pattern", &format!("Invalid regular expression: {error}"))
        })
}

/// The bytes of a file that is not too large.
fn read(cx: &Cx, project: &Project, path: &Path, name: &str) -> Option<Vec<u8>> {
    let is_large = path.metadata().is_ok_and(|meta| meta.len() > MAX_FILE);
    (!is_large).then(|| files::read(cx, project, path, name).ok()).flatten()
}

/// Lines between two looks at the time.
const LOOK_EVERY: usize = 256;

struct Search {
    regex: regex::bytes::Regex,
    most: usize,
    matches: Vec<Match>,
    total: usize,
}

impl Search {
    /// Search one file; false when it was too large or could not be read.
    fn file(&mut self, bytes: Option<Vec<u8>>, name: &str, stop: &dyn Fn() -> bool) -> bool {
        let Some(bytes) = bytes else { return false };
        // A zero byte near the start is how binary files are told from text.
        if bytes.iter().take(8000).any(|byte| *byte == 0) {
            return true;
        }
        for (number, line) in bytes.split(|byte| *byte == b'\n').enumerate() {
            // The guard of the walk tells that it ended early.
            if number.is_multiple_of(LOOK_EVERY) && stop() {
                break;
            }
            let Some(found) = self.regex.find(line) else { continue };
            self.total += 1;
            if self.matches.len() < self.most {
                self.matches.push(Match {
                    file_path: name.to_owned(),
                    line_number: number + 1,
                    line_text: cut(line),
                    match_text: cut(found.as_bytes()),
                });
            }
        }
        true
    }
}

fn cut(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim();
    if text.len() <= MAX_LINE {
        return text.to_owned();
    }
    format!("{}…", &text[..text.floor_char_boundary(MAX_LINE)])
}
