//! The tool `ci.runTests`: Run Unity Tests.

mod results;

use std::ffi::OsString;
use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use scenewright_tools_unity::base;
use scenewright_tools_unity::base::editor::{Editor, Scratch};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::results::{Case, read};

/// More tests are counted, not listed.
const MAX_LISTED: usize = 1000;
/// A run may take so long, whatever it asks for.
const LONGEST: u64 = 3600;

pub(crate) const TOOL: Tool = Tool {
    id: "ci.runTests",
    keywords: "unit tests edit mode play mode nunit test runner batch mode run playmode editmode passing failing",
    title: "Run Unity Tests",
    notes: Some(
        "Starts Unity in batch mode, which compiles and runs code of the project. The program is that of UNITY_PATH, or the one of the project's version that Unity Hub installed.",
    ),
    category: "ci",
    engine: Some("unity"),
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    runs: Runs::AndWrites,
    needs: Needs::Editor,
    at_once: true,
    idempotent: false,
    limits: Limits {
        timeout: Duration::from_secs(2 * LONGEST + 60),
        max_items: Some(MAX_LISTED),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "See how the tests of the Unity sample would be run",
        input: r#"{ "project": "unity", "testMode": "EditMode", "dryRun": true }"#,
        output: r#"{
            "success": true,
            "testsRun": 0,
            "testsPassed": 0,
            "testsFailed": 0,
            "testsSkipped": 0,
            "duration": 0.0,
            "results": [],
            "command": ["Unity", "-batchmode"]
        }"#,
        varies: &["command"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run the tests of a Unity project in batch mode, and tell what came of each.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Which tests.
    test_mode: TestMode,
    /// Only some of them.
    #[serde(default)]
    filter: Filter,
    /// Seconds after which each run is ended.
    #[serde(default = "usual_timeout")]
    #[schemars(range(min = 1, max = 3600))]
    timeout: u64,
    /// Return the command instead of running it.
    #[serde(default)]
    dry_run: bool,
}

fn usual_timeout() -> u64 {
    300
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum TestMode {
    EditMode,
    PlayMode,
    Both,
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Filter {
    /// Full names, or regular expressions of them.
    #[serde(default)]
    test_names: Vec<String>,
    /// Categories.
    #[serde(default)]
    categories: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Whether no test failed.
    success: bool,
    /// How many were run.
    tests_run: usize,
    /// How many passed.
    tests_passed: usize,
    /// How many failed.
    tests_failed: usize,
    /// How many were skipped, or had no outcome.
    tests_skipped: usize,
    /// Seconds that Unity took.
    duration: f64,
    /// The tests, those that failed first, at most a thousand.
    results: Vec<Case>,
    /// The command, in a dry run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    command: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, input.project.as_deref())?;
    let editor = Editor::find(project, "ci.runTests")?;
    run_with(cx, project, &editor, &input)
}

fn run_with(
    cx: &Cx,
    project: &Project,
    editor: &Editor,
    input: &Input,
) -> Result<Output, ToolError> {
    let modes: &[&str] = match input.test_mode {
        TestMode::EditMode => &["EditMode"],
        TestMode::PlayMode => &["PlayMode"],
        TestMode::Both => &["EditMode", "PlayMode"],
    };
    let folder = Scratch::new()?;
    let (mut cases, mut duration, mut command) = (Vec::new(), 0.0, Vec::new());
    for mode in modes {
        let file = folder.path().join(format!("{mode}.xml"));
        let arguments = arguments(mode, input, file.as_os_str());
        if input.dry_run {
            command.push(editor.path.display().to_string());
            command.extend(arguments.iter().map(|part| part.to_string_lossy().into_owned()));
            continue;
        }
        let timeout = Duration::from_secs(input.timeout.min(LONGEST));
        let done = editor.run(&project.root, &arguments, timeout, cx.cancel())?;
        duration += done.time.as_secs_f64();
        if done.timed_out {
            let text =
                format!("Test run timed out: {mode} tests took more than {} s", input.timeout);
            return Err(ToolError::new(ErrorKind::Timeout, text)
                .hint("give a longer timeout, or fewer tests with filter"));
        }
        let results = std::fs::read_to_string(&file).unwrap_or_default();
        match read(&results) {
            Some(found) => cases.extend(found),
            None => {
                let text = format!("Unity {} and left no results of the {mode} tests", done.how());
                return Err(ToolError::failed(text)
                    .hint("com.unity.test-framework must be among the packages, and the code must compile")
                    .detail("log", done.errors()));
            }
        }
    }
    Ok(summary(cx, cases, duration, command))
}

fn summary(cx: &Cx, mut cases: Vec<Case>, duration: f64, command: Vec<String>) -> Output {
    let count = |status: &str| cases.iter().filter(|case| case.status == status).count();
    let (passed, failed) = (count("Passed"), count("Failed"));
    let tests_run = passed + failed;
    let tests_skipped = cases.len() - tests_run;
    cases.sort_by_key(|case| case.status != "Failed");
    if cases.len() > MAX_LISTED {
        cx.diagnose(format!("{} tests; the first {MAX_LISTED} are shown", cases.len()));
        cases.truncate(MAX_LISTED);
    }
    Output {
        success: failed == 0,
        tests_run,
        tests_passed: passed,
        tests_failed: failed,
        tests_skipped,
        duration,
        results: cases,
        command,
    }
}

fn arguments(mode: &str, input: &Input, results: &std::ffi::OsStr) -> Vec<OsString> {
    let mut arguments: Vec<OsString> =
        ["-runTests", "-testPlatform", mode, "-testResults"].map(OsString::from).to_vec();
    arguments.push(results.to_owned());
    for (name, values) in
        [("-testFilter", &input.filter.test_names), ("-testCategory", &input.filter.categories)]
    {
        if !values.is_empty() {
            arguments.extend([name.into(), values.join(";").into()]);
        }
    }
    arguments
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use expect_test::expect;
    use scenewright_contract::{Call, JsonMap};
    use scenewright_fixture::Folder;
    use scenewright_toolkit::Settings;
    use serde_json::json;

    use super::*;
    use crate::testing::runner;

    /// Runs the tests with a program that does what a script says; `$results` is where results go.
    fn tried(script: &str, arguments: serde_json::Value) -> Result<Output, ToolError> {
        let folder = Folder::unity("");
        let start = "while [ $# -gt 0 ]; do [ \"$1\" = -testResults ] && results=$2; [ \"$1\" = -logFile ] && log=$2; [ \"$1\" = -testFilter ] && filter=$2; shift; done";
        folder.write("Unity", format!("#!/bin/sh\n{start}\n{script}\n"));
        let path = folder.path("Unity");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
        let runner = runner(&[folder.path("")], settings);
        let cx = Cx::new(runner.clone(), Call::new(TOOL.id, JsonMap::new()), Limits::DEFAULT);
        let project = &cx.workspace().projects()[0];
        run_with(&cx, project, &Editor { path }, &serde_json::from_value(arguments).unwrap())
    }

    const RESULTS: &str = r#"cat > "$results" <<END
<?xml version="1.0"?>
<test-run total="3"><test-suite type="Assembly">
<test-case id="1" fullname="Doors.Open" result="Passed" duration="0.25" />
<test-case id="2" fullname="Doors.Lock(&quot;a&lt;b&quot;)" result="Failed" duration="0.5"><failure>
<message><![CDATA[  Expected: 1
  But was:  2]]></message><stack-trace><![CDATA[at Doors.Lock]]></stack-trace></failure></test-case>
<test-case id="3" fullname="$filter" result="Skipped" duration="0"><reason><message><![CDATA[later]]></message></reason></test-case>
</test-suite></test-run>
END
exit 2"#;

    #[test]
    fn results_are_read_back() {
        let filter = json!({ "testNames": ["A", "B"] });
        let output = tried(RESULTS, json!({ "testMode": "EditMode", "filter": filter })).unwrap();
        let shown = json!([
            output.success,
            output.tests_run,
            output.tests_passed,
            output.tests_failed,
            output.tests_skipped
        ]);
        assert_eq!(shown, json!([false, 2, 1, 1, 1]));
        expect![[r#"
            [
              {
                "testName": "Doors.Lock(\"a<b\")",
                "status": "Failed",
                "duration": 0.5,
                "error": "Expected: 1\n  But was:  2"
              },
              {
                "testName": "Doors.Open",
                "status": "Passed",
                "duration": 0.25
              },
              {
                "testName": "A;B",
                "status": "Skipped",
                "duration": 0.0
              }
            ]"#]]
        .assert_eq(&serde_json::to_string_pretty(&output.results).unwrap());
        let both = tried(RESULTS, json!({ "testMode": "Both" })).unwrap();
        assert_eq!(both.tests_run, 4);
    }

    #[test]
    fn a_run_without_results_says_why() {
        let broken = "echo 'Assets/A.cs(3,1): error CS1002: ; expected' > \"$log\"; exit 1";
        let error = tried(broken, json!({ "testMode": "PlayMode" })).err().unwrap();
        assert_eq!(error.details["log"], "Assets/A.cs(3,1): error CS1002: ; expected");
        expect![[r#"
            Unity ended with code 1 and left no results of the PlayMode tests
            Try: com.unity.test-framework must be among the packages, and the code must compile"#]]
        .assert_eq(&error.to_string());
        let slow =
            tried("sleep 20", json!({ "testMode": "EditMode", "timeout": 1 })).err().unwrap();
        assert_eq!(slow.kind, ErrorKind::Timeout);
    }
}
