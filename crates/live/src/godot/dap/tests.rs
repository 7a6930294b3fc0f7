//! A debug adapter of our own that answers as Godot's does.

use super::super::frames::fake;
use super::*;

/// A game at line 4 of a script, in the project `/p`.
fn server() -> u16 {
    fake::serve(|message| {
        let seq = message["seq"].clone();
        let arguments = &message["arguments"];
        let event =
            |name: &str, body: Value| json!({ "type": "event", "event": name, "body": body });
        let answer = |success: bool, body: Value| json!({ "type": "response", "request_seq": seq, "success": success, "body": body });
        let value = |name: &str, value: &str, inside: i64| json!({ "name": name, "value": value, "variablesReference": inside });
        Some(match message["command"].as_str()? {
            "initialize" => vec![answer(true, json!({})), event("initialized", Value::Null)],
            "launch" => {
                let error = json!({ "variables": { "editorPath": "/p" } });
                vec![answer(false, json!({ "error": error }))]
            }
            "attach" => vec![
                answer(true, json!({})),
                event("output", json!({ "output": "noise" })),
                event("stopped", json!({ "reason": "breakpoint" })),
            ],
            "next" | "stepIn" => vec![
                answer(true, json!({})),
                event("continued", json!({})),
                event("stopped", json!({ "reason": "step" })),
            ],
            "scopes" => return None,
            "continue" => {
                vec![answer(true, json!({})), event("exited", json!({ "exitCode": 0 }))]
            }
            "pause" => vec![
                answer(true, json!({})),
                event("stopped", json!({ "reason": "paused" })),
                event("stopped", json!({ "reason": "exception", "text": "" })),
            ],
            "stackTrace" => {
                let frame = json!({
                    "id": 0, "name": "_ready", "line": 4, "source": { "path": "/p/a.gd" },
                });
                vec![answer(true, json!({ "stackFrames": [frame] }))]
            }
            "evaluate" => {
                let list = match arguments["expression"].as_str()? {
                    "[n]" => 7,
                    "[1, 2]" => 8,
                    _ => 0,
                };
                vec![answer(true, json!({ "result": "", "variablesReference": list }))]
            }
            "variables" => {
                let mut found = vec![value("size", "1", 0), value("0", "3", 0)];
                if arguments["variablesReference"] == 8 {
                    found.push(value("1", "2", 0));
                }
                vec![answer(true, json!({ "variables": found }))]
            }
            _ => vec![answer(false, json!({ "error": { "format": "no" } }))],
        })
    })
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(10)
}

#[test]
fn the_debugger_of_another_project_is_not_used() {
    let error = Dap::connect(server(), Path::new("/p2"), &Cancel::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotReady);
    assert!(error.message.ends_with("is of /p, not of /p2"), "{}", error.message);
}

#[test]
fn a_game_stops_goes_on_and_ends() {
    let cancel = Cancel::default();
    let mut dap = Dap::connect(server(), Path::new("/p"), &cancel).unwrap();
    assert!(dap.attached(soon(), &cancel, &|| false).unwrap());
    let stopped = |reason: &str| State::Stopped(Stop { reason: reason.into(), text: "".into() });
    assert_eq!(*dap.wait(soon(), &cancel, &|| false).unwrap(), stopped("breakpoint"));
    assert_eq!(dap.stack(&cancel).unwrap()[0].line, 4);
    dap.step(Step::Over, &cancel).unwrap();
    assert_eq!(*dap.wait(soon(), &cancel, &|| false).unwrap(), stopped("step"));
    dap.step(Step::Continue, &cancel).unwrap();
    assert_eq!(*dap.wait(soon(), &cancel, &|| false).unwrap(), State::Ended);
}

#[test]
fn a_pause_counts_when_a_line_is_known() {
    let cancel = Cancel::default();
    let mut dap = Dap::connect(server(), Path::new("/p"), &cancel).unwrap();
    dap.pause(&cancel, &|| false).unwrap();
    assert!(matches!(dap.state(), State::Stopped(stop) if stop.reason == "paused"));
}

#[test]
fn what_cannot_be_evaluated_is_no_value() {
    let cancel = Cancel::default();
    let mut dap = Dap::connect(server(), Path::new("/p"), &cancel).unwrap();
    assert_eq!(dap.evaluate("n", 0, &cancel).unwrap().unwrap().value, "3");
    assert_eq!(dap.evaluate("nope", 0, &cancel).unwrap(), None);
    assert_eq!(dap.evaluate("1, 2", 0, &cancel).unwrap(), None);
}

#[test]
fn refusals_and_an_editor_that_is_gone_are_told() {
    let cancel = Cancel::default();
    let mut dap = Dap::connect(server(), Path::new("/p"), &cancel).unwrap();
    let error = dap.set_breakpoints(Path::new("/p/a.gd"), &[1], &cancel).unwrap_err();
    assert_eq!(error.message, "the debugger refuses setBreakpoints: no");
    let error = dap.scopes(0, &cancel).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotReady);
}

#[test]
fn a_game_that_is_over_is_not_waited_for() {
    let cancel = Cancel::default();
    let mut dap = Dap::connect(server(), Path::new("/p"), &cancel).unwrap();
    assert_eq!(*dap.wait(soon(), &cancel, &|| true).unwrap(), State::Ended);
}
