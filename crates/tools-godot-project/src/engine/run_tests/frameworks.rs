//! The frameworks that a game's own tests are written with: found, run, and their reports read.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use scenewright_contract::ToolError;
use scenewright_godot::{FileEntry, FileKind};
use scenewright_live::godot::Program;
use scenewright_text::beneath;
use scenewright_tools_godot::base::Godot;
use scenewright_tools_godot::base::program::Scratch;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::junit::{self, Case};

/// Where GdUnit4 writes, in the copy.
const REPORTS: &str = "scenewright_reports";

/// What to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum Framework {
    /// The tests of GUT, in addons/gut.
    Gut,
    /// The tests of GdUnit4, in addons/gdUnit4.
    GdUnit4,
    /// Every scene, instanced for some frames; for projects without tests.
    Smoke,
}

impl Framework {
    /// Those that the project has tests of, best first.
    pub(super) fn found(godot: &Godot<'_>) -> Vec<Self> {
        let has = |one: &Self| one.is_there(godot) && !one.scripts(godot).is_empty();
        [Self::Gut, Self::GdUnit4].into_iter().filter(has).collect()
    }

    /// Whether its addon is in the project.
    pub(super) fn is_there(self, godot: &Godot<'_>) -> bool {
        let runner = self.runner();
        runner.is_some_and(|path| godot.index.files().any(|file| file.path == path))
    }

    /// The script that runs its tests.
    fn runner(self) -> Option<&'static str> {
        match self {
            Self::Gut => Some("addons/gut/gut_cmdln.gd"),
            Self::GdUnit4 => Some("addons/gdUnit4/bin/GdUnitCmdTool.gd"),
            Self::Smoke => None,
        }
    }

    /// The class that its tests extend, and the script of that class.
    fn base(self) -> (&'static str, &'static str) {
        match self {
            Self::Gut => ("GutTest", "res://addons/gut/test.gd"),
            Self::GdUnit4 => ("GdUnitTestSuite", "res://addons/gdUnit4/src/GdUnitTestSuite.gd"),
            Self::Smoke => ("", ""),
        }
    }

    /// The scripts with tests, outside addons.
    pub(super) fn scripts(self, godot: &Godot<'_>) -> Vec<String> {
        let own = godot.index.of_kind(FileKind::Script);
        let own = own.filter(|file| !file.path.starts_with("addons/"));
        own.filter(|file| self.is_test(godot, file)).map(|file| file.path.clone()).collect()
    }

    fn is_test(self, godot: &Godot<'_>, file: &FileEntry) -> bool {
        let (class, path) = self.base();
        let chain = godot.script_chain(&file.path);
        chain.iter().any(|(_, script)| {
            script.base.as_deref().is_some_and(|base| base == class || base == path)
        })
    }

    /// The command that runs these scripts in a copy of the project, or what its configuration says;
    /// of them only the tests of this name, where the framework can choose.
    pub(super) fn command(
        self,
        program: &Program,
        root: &Path,
        scripts: Option<&[String]>,
        report: &Scratch,
        name: Option<&str>,
    ) -> Command {
        let mut command = program.headless(root);
        command.arg("-s").arg(format!("res://{}", self.runner().unwrap_or_default()));
        match self {
            Self::Gut => {
                command.args(["-gexit", "-gdisable_colors"]);
                let file = report.path().join("results.xml");
                command.arg(format!("-gjunit_xml_file={}", file.display()));
                if let Some(scripts) = scripts {
                    let list: Vec<String> =
                        scripts.iter().map(|script| format!("res://{script}")).collect();
                    command.args(["-gconfig=", &format!("-gtest={}", list.join(","))]);
                }
                command.args(name.map(|name| format!("-gunit_test_name={name}")));
            }
            Self::GdUnit4 => {
                for script in scripts.unwrap_or_default() {
                    command.arg("-a").arg(format!("res://{script}"));
                }
                command.args(["-rd", &format!("res://{REPORTS}"), "-c", "--ignoreHeadlessMode"]);
            }
            Self::Smoke => {}
        }
        command
    }

    /// Whether a configuration in the project says itself what is to be run.
    pub(super) fn is_configured(self, root: &Path) -> bool {
        self == Self::Gut && root.join(".gutconfig.json").is_file()
    }

    /// Forget the reports of earlier runs.
    #[expect(clippy::disallowed_methods, reason = "the copy is ours")]
    pub(super) fn clear(root: &Path) {
        let _ = fs::remove_dir_all(root.join(REPORTS));
    }

    /// The cases that the framework reports; none when it wrote no report.
    pub(super) fn report(
        self,
        root: &Path,
        report: &Scratch,
    ) -> Result<Option<Vec<Case>>, ToolError> {
        let file = match self {
            Self::GdUnit4 => newest(&root.join(REPORTS)),
            _ => Some(report.path().join("results.xml")).filter(|file| file.is_file()),
        };
        let Some(file) = file else { return Ok(None) };
        if fs::metadata(&file).is_ok_and(|meta| meta.len() > junit::MAX_FILE) {
            return Err(ToolError::failed("the report of the tests is larger than 64 MiB"));
        }
        let below = if matches!(self, Self::GdUnit4) { root } else { report.path() };
        let bytes = beneath::read(below, &file)
            .map_err(|error| ToolError::failed(format!("the report cannot be read: {error}")))?;
        Ok(Some(junit::read(&String::from_utf8_lossy(&bytes))))
    }

    /// The script of a case, from the project's root, and the line that its failure names.
    pub(super) fn place(self, case: &Case) -> (String, Option<usize>) {
        let number = |text: &str| text.trim().parse().ok().filter(|line| *line > 0);
        match self {
            Self::Gut => {
                let end = case.suite.find(".gd").map_or(case.suite.len(), |at| at + 3);
                let line =
                    case.text.rsplit("at line ").next().filter(|_| case.text.contains("at line "));
                let line = line.and_then(|line| number(line.split_whitespace().next()?));
                (case.suite[..end].trim_start_matches("res://").to_owned(), line)
            }
            _ => {
                let named = case.message.split("res://").nth(1);
                if let Some((file, line)) = named.and_then(|place| place.rsplit_once(':')) {
                    return (file.to_owned(), number(line));
                }
                let package = case.package.trim_start_matches("res://").trim_end_matches('/');
                let folder = if package.is_empty() { String::new() } else { format!("{package}/") };
                (format!("{folder}{}.gd", case.suite), None)
            }
        }
    }
}

/// The newest report below a folder.
fn newest(folder: &Path) -> Option<PathBuf> {
    let runs = fs::read_dir(folder).ok()?.filter_map(Result::ok);
    let files = runs.map(|run| run.path().join("results.xml"));
    files
        .filter_map(|file| Some((fs::metadata(&file).ok()?.modified().ok()?, file)))
        .max()
        .map(|(_, file)| file)
}
