//! Stand-ins that write what the frameworks write.

use scenewright_contract::{Call, JsonMap, Limits};
use serde_json::json;

use super::*;
use crate::testing::GodotSample;

const GUT: &str = r#"<testsuites name="GutTests" failures="1" tests="3" >
  <testsuite name="test/test_a.gd" tests="2" failures="1" >
    <testcase name="test_good" status="pass" classname="test/test_a.gd" time="0.1" ></testcase>
    <testcase name="test_bad" status="fail" time="0.1" ><failure message="failed"><![CDATA[[1] expected to equal [2]:  é
            at line 5]]></failure></testcase>
    <testcase name="test_err" status="fail" ><failure message="failed"><![CDATA[Unexpected Errors
            at line -1]]></failure></testcase>
  </testsuite>
  <testsuite name="test/test_a.gd.TestInner" tests="1" >
    <testcase name="test_in" status="pending" ><skipped message="pending"><![CDATA[later]]></skipped></testcase>
  </testsuite></testsuites>"#;

const GDUNIT: &str = r#"<testsuites id="x"><testsuite id="0" name="suite_test" package="test">
    <testcase name="test_good" classname="suite_test" time="0.0"></testcase>
    <testcase name="test_bad:1 (2)" classname="suite_test"><failure message="FAILED: res://test/suite_test.gd:8" type="FAILURE"><![CDATA[
Expecting: '1' but was '2'
]]></failure></testcase></testsuite></testsuites>"#;

fn told(framework: Framework, xml: &str) -> Vec<String> {
    let sample = GodotSample::new();
    sample.write(
        "test/test_a.gd",
        "extends GutTest\nfunc test_good():\n\tpass\nfunc test_err():\n\tpass\n",
    );
    let runner = scenewright_tools_godot::testing::runner(&sample.path(""), &[], false);
    let cx = Cx::new(runner, Call::new("", JsonMap::new()), Limits::DEFAULT);
    let godot = cx.godot(None).unwrap();
    let cases = junit::read(xml);
    let show = |case: &Case| {
        let Test { name, status, file, line, message } = test(&godot, framework, case);
        format!(
            "{name} {status:?} {file} {line:?} {:?}",
            message.lines().next().unwrap_or_default()
        )
    };
    cases.iter().map(show).collect()
}

#[test]
fn a_failure_of_gut_has_its_place() {
    assert_eq!(
        told(Framework::Gut, GUT),
        [
            r#"test_good Passed res://test/test_a.gd None """#,
            r#"test_bad Failed res://test/test_a.gd Some(5) "[1] expected to equal [2]:  é""#,
            r#"test_err Failed res://test/test_a.gd Some(4) "Unexpected Errors""#,
            r#"test_in Skipped res://test/test_a.gd None "later""#,
        ]
    );
}

#[test]
fn a_failure_of_gdunit4_has_its_place() {
    assert_eq!(
        told(Framework::GdUnit4, GDUNIT),
        [
            r#"test_good Passed res://test/suite_test.gd None """#,
            r#"test_bad:1 (2) Failed res://test/suite_test.gd Some(8) "Expecting: '1' but was '2'""#,
        ]
    );
}

#[test]
fn nothing_that_ran_is_no_pass_and_one_failure_is_none() {
    let of = |status| Test {
        name: String::new(),
        status,
        file: String::new(),
        line: None,
        message: String::new(),
    };
    assert!(!finish(Framework::Gut, Vec::new()).passed);
    assert!(!finish(Framework::Gut, vec![of(Status::Skipped)]).passed);
    assert!(finish(Framework::Gut, vec![of(Status::Passed), of(Status::Skipped)]).passed);
    let mixed = finish(Framework::Gut, vec![of(Status::Passed), of(Status::Failed)]);
    assert!(!mixed.passed && mixed.tests[0].status == Status::Failed);
}

#[test]
fn a_scene_is_judged_by_its_errors_and_its_end() {
    let tried = |end, errors: &[(&str, Option<&str>)]| Tried {
        scene: "res://a.tscn".into(),
        end,
        errors: errors
            .iter()
            .map(|(text, place)| ((*text).into(), place.map(str::to_owned)))
            .collect(),
    };
    assert_eq!(scene(tried(End::Whole, &[])).status, Status::Passed);
    assert_eq!(scene(tried(End::Crashed(None), &[])).message, "the engine crashed");
    assert_eq!(scene(tried(End::TimedOut, &[])).status, Status::Failed);
    let bad =
        scene(tried(End::Whole, &[("no", Some("core/x.cpp:1")), ("null", Some("res://a.gd:7"))]));
    assert_eq!(
        (bad.status, bad.message.as_str()),
        (Status::Failed, "no (core/x.cpp:1)\nnull (res://a.gd:7)")
    );
}

#[test]
fn what_cannot_be_run_is_said_before_the_engine_is_asked() {
    let sample = GodotSample::new();
    let error = sample.error(TOOL.id, json!({ "framework": "gut" }));
    assert!(error.starts_with("the project has no addon of Gut; framework \"smoke\""), "{error}");
    let error = sample.error(TOOL.id, json!({ "filter": "nope" }));
    assert_eq!(error, "none of the 5 scenes fits the filter 'nope'");
}

/// A Godot that is no Godot: it writes the report that GUT would, or an error and a zero.
#[cfg(unix)]
#[test]
fn a_framework_is_believed_only_with_its_report_its_code_and_the_log() {
    use std::os::unix::fs::PermissionsExt;

    let check = |script: &str| {
        let sample = GodotSample::new();
        sample.write("addons/gut/gut_cmdln.gd", "extends SceneTree\n");
        sample.write("test/test_a.gd", "extends GutTest\nfunc test_good():\n\tpass\n");
        let folder = Scratch::new().unwrap();
        let path = folder.path().join("godot");
        let text = format!(
            "#!/bin/sh\nfor a in \"$@\"; do case $a in -gjunit_xml_file=*) out=${{a#*=}};; esac; done\n{script}\n"
        );
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let program = scenewright_live::godot::Program { path, version: "4".into() };
        let runner = scenewright_tools_godot::testing::runner(&sample.path(""), &[], true);
        let cx = Cx::new(runner, Call::new("", JsonMap::new()), Limits::DEFAULT);
        let godot = cx.godot(None).unwrap();
        let plan = Plan::new(&godot, Framework::Gut, "").unwrap();
        let root = sample.path("");
        run_with(&godot, &program, Framework::Gut, &plan, &root, Some(20))
            .map(|output| {
                (output.passed, output.counts.total, output.errors.len(), output.not_run.len())
            })
            .map_err(|error| error.message)
    };
    let good = r#"echo "<testsuite name='test/test_a.gd'><testcase name='test_good'></testcase></testsuite>" > $out"#;
    assert_eq!(check(good), Ok((true, 1, 0, 0)));
    assert_eq!(check(&format!("{good}; exit 1")), Ok((false, 1, 0, 0)));
    let parse = "printf 'SCRIPT ERROR: Parse Error: no\\n   at: GDScript::reload (res://test/b.gd:2)\\n' >&2";
    assert_eq!(check(&format!("{good}; {parse}")), Ok((false, 1, 1, 0)));
    assert_eq!(check("echo '<testsuites></testsuites>' > $out"), Ok((false, 0, 0, 1)));
    let error = check("echo 'ERROR: no tests' >&2; exit 0").unwrap_err();
    assert_eq!(error, "the engine ended with code 0 and Gut wrote no report:\nERROR: no tests");
}
