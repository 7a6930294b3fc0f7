//! The tool `godotEngine.runTests`, which MCP clients call `run_tests`.

mod frameworks;
mod junit;
mod smoke;

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, ToolError};
use scenewright_live::godot::Program;
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::program::Scratch;
use scenewright_tools_godot::base::{Godot, InGodot, InProject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use frameworks::Framework;
use junit::{Case, Verdict};
use smoke::{End, Tried};

/// So many tests are returned.
const MAX_TESTS: usize = 500;
/// So many errors of the log are returned.
const MAX_ERRORS: usize = 20;
/// So much of a message is returned.
const MAX_MESSAGE: usize = 1000;

pub(crate) const TOOL: Tool = Tool {
    id: "godotEngine.runTests",
    keywords: "unit tests gut gdunit4 gdunit run the test suite smoke test every scene check failing assertion ci verify does it work",
    mcp: Some("run_tests"),
    title: "Run Godot Tests",
    notes: Some(
        "Runs the project's code without a window, in a temporary copy of the project that is imported once and kept for the next call, so that reports, saves and imports leave no trace. GUT and GdUnit4 are judged by their JUnit report, their exit code and the log. Passed means that something ran and nothing failed.",
    ),
    category: "godot.engine",
    safety: Safety::Destructive,
    runs: Runs::Only,
    idempotent: false,
    needs: Needs::Program,
    limits: Limits {
        timeout: Duration::from_secs(1800),
        max_items: Some(MAX_TESTS),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Instance the scenes of one name and see whether the engine complains",
        input: r#"{ "projectPath": "godot", "framework": "smoke", "filter": "scenes/c" }"#,
        output: r#"{
            "success": true,
            "framework": "smoke",
            "passed": true,
            "counts": { "total": 1, "passed": 1, "failed": 0, "skipped": 0 },
            "tests": [{ "name": "res://scenes/coin.tscn", "status": "passed", "file": "res://scenes/coin.tscn" }],
            "notRun": [],
            "errors": [],
            "importedNow": false,
            "seconds": 1.0
        }"#,
        varies: &["importedNow", "seconds"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run the game's own tests and tell each with its place: those of GUT or GdUnit4, or where there are
/// none a smoke test that instances every scene for ten frames and tells what the engine reports.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// What to run; by default the framework that the project has tests of, else the smoke test.
    framework: Option<Framework>,
    /// Only scripts or scenes whose path has this, else only tests whose name has it.
    filter: Option<String>,
    /// How many seconds all tests may take, or each scene of the smoke test; 300 and 20 by default.
    #[schemars(range(min = 1, max = 1200))]
    timeout: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// True when the tests were run; `passed` says how that went.
    success: bool,
    /// What was run.
    framework: Framework,
    /// Whether something ran and nothing failed, in the report, the exit code and the log.
    passed: bool,
    /// How many there were.
    counts: Counts,
    /// The tests: failed ones first, then skipped and passed ones; at most 500.
    tests: Vec<Test>,
    /// Scripts with tests that the framework has none of in its report.
    not_run: Vec<String>,
    /// Errors in scripts that the log tells of and no test, at most 20.
    errors: Vec<String>,
    /// The code that the engine ended with.
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_code: Option<i32>,
    /// Whether the copy had to be imported for this call.
    imported_now: bool,
    /// How long it took, without copying and importing.
    seconds: f64,
}

#[derive(Default, Serialize, JsonSchema)]
struct Counts {
    /// All of them.
    total: usize,
    /// Those that passed.
    passed: usize,
    /// Those that failed.
    failed: usize,
    /// Those that were not run.
    skipped: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// It failed.
    Failed,
    /// It was not run.
    Skipped,
    /// It passed.
    Passed,
}

#[derive(Serialize, JsonSchema)]
struct Test {
    /// The test, or the scene.
    name: String,
    /// What became of it.
    status: Status,
    /// The script or scene.
    file: String,
    /// The line of the failure, from 1; of the test where the framework does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// Why it did not pass.
    #[serde(skip_serializing_if = "String::is_empty")]
    message: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let framework = choose(&godot, input.framework)?;
    let filter = input.filter.as_deref().unwrap_or_default();
    let plan = Plan::new(&godot, framework, filter)?;
    let program = godot.program()?;
    let trial = godot.trial()?;
    let started = Instant::now();
    let mut output = match framework {
        Framework::Smoke => {
            let time = Duration::from_secs(input.timeout.unwrap_or(20));
            let tried = smoke::run(&godot, &program, trial.path(), &plan.files, time)?;
            finish(framework, tried.into_iter().map(scene).collect())
        }
        _ => run_with(&godot, &program, framework, &plan, trial.path(), input.timeout)?,
    };
    output.imported_now = trial.imported_now;
    output.seconds = (started.elapsed().as_secs_f64() * 10.0).round() / 10.0;
    Ok(output)
}

/// What to run: as asked, or what there is.
fn choose(godot: &Godot<'_>, wanted: Option<Framework>) -> Result<Framework, ToolError> {
    let found = Framework::found(godot);
    match (wanted, &*found) {
        (Some(Framework::Smoke), _) | (None, []) => Ok(Framework::Smoke),
        (Some(wanted), _) if !wanted.is_there(godot) => Err(ToolError::new(
            ErrorKind::EngineError,
            format!("the project has no addon of {wanted:?}"),
        )
        .hint("framework \"smoke\" instances every scene instead")),
        (Some(wanted), _) => Ok(wanted),
        (None, [first, others @ ..]) => {
            if !others.is_empty() {
                godot.cx.diagnose(format!("there are tests of {others:?}, too: framework chooses"));
            }
            Ok(*first)
        }
    }
}

/// What a call is to run.
struct Plan {
    /// Scripts from the root, or scenes as `res://` paths.
    files: Vec<String>,
    /// Only these tests are told.
    name: Option<String>,
    is_filtered: bool,
}

impl Plan {
    fn new(godot: &Godot<'_>, framework: Framework, filter: &str) -> Result<Self, ToolError> {
        let all: Vec<String> = match framework {
            Framework::Smoke => {
                let scenes = godot.scene_paths().into_iter();
                let own = scenes.filter(|scene| !scene.starts_with("addons/"));
                own.map(|scene| format!("res://{scene}")).collect()
            }
            _ => framework.scripts(godot),
        };
        let files: Vec<String> = all.iter().filter(|file| file.contains(filter)).cloned().collect();
        let is_filtered = !filter.is_empty();
        if !files.is_empty() {
            return Ok(Self { files, name: None, is_filtered });
        }
        let has_test = |file: &&String| {
            let script = godot.index.find(file).and_then(|file| file.script.as_ref());
            script
                .is_some_and(|script| script.functions.iter().any(|own| own.name.contains(filter)))
        };
        let files: Vec<String> = match framework {
            Framework::Smoke => Vec::new(),
            _ => all.iter().filter(has_test).cloned().collect(),
        };
        if files.is_empty() {
            let what = if framework == Framework::Smoke { "scenes" } else { "scripts with tests" };
            let problem = format!("none of the {} {what} fits the filter '{filter}'", all.len());
            return Err(ToolError::new(ErrorKind::BadArguments, problem));
        }
        Ok(Self { files, name: Some(filter.to_owned()), is_filtered })
    }
}

fn run_with(
    godot: &Godot<'_>,
    program: &Program,
    framework: Framework,
    plan: &Plan,
    root: &Path,
    timeout: Option<u64>,
) -> Result<Output, ToolError> {
    let report = Scratch::new()?;
    Framework::clear(root);
    let is_configured = framework.is_configured(root) && !plan.is_filtered;
    let scripts = Some(&plan.files[..]).filter(|_| !is_configured);
    let command = framework.command(program, root, scripts, &report, plan.name.as_deref());
    let time = Duration::from_secs(timeout.unwrap_or(300));
    let finished = godot.run_told(program, command, time)?;
    let Some(cases) = framework.report(root, &report)? else {
        return Err(ToolError::failed(format!(
            "the engine {} and {framework:?} wrote no report:\n{}",
            finished.how(),
            finished.last_words(15)
        ))
        .hint("filter runs fewer tests at once; timeout gives them more time"));
    };
    let ran: BTreeSet<String> = cases.iter().map(|case| framework.place(case).0).collect();
    let fits = |case: &&Case| plan.name.as_ref().is_none_or(|name| case.name.contains(name));
    let tests = cases.iter().filter(fits).map(|case| test(godot, framework, case)).collect();
    let mut output = finish(framework, tests);
    output.not_run = plan.files.iter().filter(|file| !ran.contains(*file)).cloned().collect();
    // What tests report is told with them; a script that could not be read is in no report.
    let parsed = finished.errors().into_iter().filter(|error| {
        error.text.starts_with("Parse Error") || error.text.starts_with("Compile Error")
    });
    let mut errors: Vec<String> = parsed
        .map(|error| match error.file.zip(error.line) {
            Some((file, line)) => format!("{file}:{line}: {}", error.text),
            None => error.text,
        })
        .collect();
    errors.dedup();
    errors.truncate(MAX_ERRORS);
    output.errors = errors;
    output.exit_code = finished.code;
    // GdUnit4 ends with 101 when there were warnings.
    let is_well =
        matches!((framework, finished.code), (_, Some(0)) | (Framework::GdUnit4, Some(101)));
    output.passed &= is_well && output.not_run.is_empty() && output.errors.is_empty();
    Ok(output)
}

/// The answer for these tests, so far.
fn finish(framework: Framework, mut tests: Vec<Test>) -> Output {
    tests.sort_by_key(|test| test.status);
    let count = |status| tests.iter().filter(|test| test.status == status).count();
    let counts = Counts {
        total: tests.len(),
        passed: count(Status::Passed),
        failed: count(Status::Failed),
        skipped: count(Status::Skipped),
    };
    tests.truncate(MAX_TESTS);
    Output {
        success: true,
        framework,
        passed: counts.passed > 0 && counts.failed == 0,
        counts,
        tests,
        not_run: Vec::new(),
        errors: Vec::new(),
        exit_code: None,
        imported_now: false,
        seconds: 0.0,
    }
}

fn test(godot: &Godot<'_>, framework: Framework, case: &Case) -> Test {
    let (file, line) = framework.place(case);
    let status = match case.verdict {
        Verdict::Passed => Status::Passed,
        Verdict::Failed => Status::Failed,
        Verdict::Skipped => Status::Skipped,
    };
    let declared = || {
        let script = godot.index.find(&file)?.script.as_ref()?;
        let own = case.name.split([':', '(', ' ']).next().unwrap_or_default();
        script.functions.iter().find(|function| function.name == own).map(|own| own.line)
    };
    let message = match (status, case.text.trim()) {
        (Status::Passed, _) => String::new(),
        (_, "") => cut(&case.message),
        (_, text) => cut(text),
    };
    let line = line.or_else(declared).filter(|_| status != Status::Passed);
    Test { name: case.name.clone(), status, file: format!("res://{file}"), line, message }
}

fn scene(tried: Tried) -> Test {
    let how = match tried.end {
        End::Whole => None,
        End::Quit => Some("it ended the game by itself".to_owned()),
        End::TimedOut => Some("it took too long and was ended".to_owned()),
        End::Crashed(Some(code)) => Some(format!("the engine ended with code {code}")),
        End::Crashed(None) => Some("the engine crashed".to_owned()),
    };
    let is_well = tried.errors.is_empty() && matches!(tried.end, End::Whole | End::Quit);
    let place = tried.errors.iter().find_map(|(_, place)| place.as_deref());
    let place = place.and_then(|place| place.rsplit_once(':'));
    let place = place.filter(|(file, _)| file.starts_with("res://"));
    let errors = tried.errors.iter().map(|(text, place)| match place {
        Some(place) => format!("{text} ({place})"),
        None => text.clone(),
    });
    let message: Vec<String> = how.into_iter().chain(errors).collect();
    Test {
        status: if is_well { Status::Passed } else { Status::Failed },
        file: place.map_or_else(|| tried.scene.clone(), |(file, _)| file.to_owned()),
        line: place.and_then(|(_, line)| line.parse().ok()),
        message: cut(&message.join("\n")),
        name: tried.scene,
    }
}

fn cut(text: &str) -> String {
    text[..text.floor_char_boundary(MAX_MESSAGE.min(text.len()))].to_owned()
}

#[cfg(test)]
mod tests;
