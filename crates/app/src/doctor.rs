//! `scenewright doctor`: what is found on this machine, and what to do about what is missing.

mod clients;

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use scenewright_contract::{Call, Cancel, JsonMap};
use scenewright_live::explorer::{Address, Found};
use scenewright_live::godot::Program;
use scenewright_toolkit::Settings;
use scenewright_tools::new_runner;
use scenewright_tools_godot::base::GodotProject;
use serde_json::{Value, json};

use crate::cli::{DEFAULT_WS, Doctor};
use crate::term::{self, Paint, Style, line};
use crate::{attach, discovery, git, os, workspace};

/// One thing that was looked for.
struct Finding {
    section: &'static str,
    state: State,
    what: String,
    detail: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Good,
    Absent,
    Bad,
}

/// Look at everything and tell.
pub fn run(options: Doctor) -> Result<ExitCode> {
    let mut findings = projects(&options);
    findings.extend(engines());
    findings.extend(live_links());
    findings.extend(godot_links(&options));
    findings.extend(clients::look());
    findings.extend(drivers(&options));
    if options.json {
        term::json(&as_json(&findings));
    } else {
        print(&findings);
    }
    let bad = findings.iter().any(|finding| finding.state == State::Bad);
    Ok(if bad { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn projects(options: &Doctor) -> Vec<Finding> {
    let found = |state, what: String, detail| Finding { section: "Projects", state, what, detail };
    let workspace = match workspace::find(&options.projects) {
        Ok(Some(workspace)) => workspace,
        Ok(None) => {
            let detail = "neither this folder, nor one above it, nor one right below it is a Unity or \
                          Godot project; --project DIR names one";
            return vec![found(
                State::Absent,
                "no project was found".to_owned(),
                detail.to_owned(),
            )];
        }
        Err(error) => {
            return vec![found(State::Bad, "cannot be opened".to_owned(), format!("{error:#}"))];
        }
    };
    let mut findings = Vec::new();
    let runner = new_runner(workspace, Settings::default(), None, &[]);
    for project in runner.workspace().projects() {
        let arguments = JsonMap::from_iter([("project".to_owned(), json!(project.id))]);
        let info = runner.admit(Call::new("project.info", arguments)).and_then(|call| call.run());
        findings.push(match info {
            Ok(outcome) => {
                let text = |key: &str| outcome.output[key].as_str().unwrap_or("?").to_owned();
                let mut detail = format!(
                    "{} {} ({}), {}",
                    text("engine"),
                    text("engineVersion"),
                    text("renderPipeline"),
                    project.root.display()
                );
                for note in &outcome.diagnostics {
                    detail = format!("{detail}\n{note}");
                }
                found(State::Good, text("projectName"), detail)
            }
            Err(error) => found(State::Bad, project.id.to_string(), error.text()),
        });
    }
    findings
}

/// Merge drivers that an older version set up, for this user or in the clones that the projects are in.
fn drivers(options: &Doctor) -> Vec<Finding> {
    let opened = workspace::find(&options.projects).ok().flatten();
    let projects = opened.iter().flat_map(|workspace| workspace.projects());
    let mut folders: Vec<Option<&Path>> = projects.map(|project| Some(&*project.root)).collect();
    folders.push(None);
    let mut problems: Vec<String> = folders.into_iter().filter_map(git::problem).collect();
    problems.dedup();
    let finding = |detail| Finding {
        section: "Git",
        state: State::Bad,
        what: "merge driver".to_owned(),
        detail,
    };
    problems.into_iter().map(finding).collect()
}

fn engines() -> Vec<Finding> {
    let found = |state, what: &str, detail: String| Finding {
        section: "Engines",
        state,
        what: what.to_owned(),
        detail,
    };
    // What would be started when something is run, found in the same way.
    let mut findings = vec![match Program::find(&Cancel::default()) {
        Ok(godot) => {
            found(State::Good, "Godot", format!("{}, {}", godot.version, godot.path.display()))
        }
        // One that was named and is not there, or is there and does not run, is no absence.
        Err(error) if is_godot_named() || !error.details.contains_key("setting") => {
            found(State::Bad, "Godot", error.text())
        }
        Err(_) => found(
            State::Absent,
            "Godot",
            "not found; GODOT_PATH names one. Not needed to read or edit projects".to_owned(),
        ),
    }];
    let mut editors: Vec<String> = os::unity_editor_folders()
        .iter()
        .filter_map(|dir| std::fs::read_dir(dir).ok())
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .collect();
    editors.sort();
    findings.push(if editors.is_empty() {
        found(
            State::Absent,
            "Unity",
            "no editor from the Unity Hub. Not needed to read projects".to_owned(),
        )
    } else {
        found(State::Good, "Unity", editors.join(", "))
    });
    findings
}

fn is_godot_named() -> bool {
    std::env::var_os("GODOT_PATH").is_some_and(|path| !path.is_empty())
}

/// Programs with an older protocol, where one was found: most people never meet them.
fn live_links() -> Vec<Finding> {
    let found = |(state, detail), what: &str| Finding {
        section: "Live links",
        state,
        what: what.to_owned(),
        detail,
    };
    let editor = editor(&format!("http://{DEFAULT_WS}"));
    let explorer = discovery::find().ok().and_then(|found| explorer(&found));
    let links = [(editor, "EditorMCP"), (explorer, "Unity Explorer")];
    links.into_iter().filter_map(|(link, what)| Some(found(link?, what))).collect()
}

/// Editors and games of the Godot projects that run with our addon.
fn godot_links(options: &Doctor) -> Vec<Finding> {
    let found =
        |state, what: String, detail| Finding { section: "Live links", state, what, detail };
    let Ok(Some(workspace)) = workspace::find(&options.projects) else { return Vec::new() };
    let mut findings = Vec::new();
    for project in workspace.projects() {
        let Some(godot) = project.of::<GodotProject>() else { continue };
        let (states, problems) = godot.links.states();
        for state in &states {
            let what = format!("Godot {} of {}", state.side, project.id);
            let version = state.godot.as_deref().unwrap_or("Godot");
            findings.push(match &state.problem {
                Some(problem) => found(State::Bad, what, problem.clone()),
                None => found(State::Good, what, format!("process {}, {version}", state.pid)),
            });
        }
        let what = || format!("Godot of {}", project.id);
        findings.extend(problems.into_iter().map(|problem| found(State::Bad, what(), problem)));
        if states.is_empty() {
            let detail = "no editor or game runs with the addon; `scenewright install godot-addon` puts it into the project";
            findings.push(found(State::Absent, what(), detail.to_owned()));
        }
    }
    findings
}

/// An editor that listens where one with EditorMCP does.
fn editor(url: &str) -> Option<(State, String)> {
    let address = url.parse::<Address>().ok().filter(attach::is_there)?;
    let is_editor = !attach::is_ours(&address, None);
    is_editor.then(|| (State::Good, "something listens on its port 27182".to_owned()))
}

/// A game that is where the discovery file says; a server of this program leaves such a file, too.
fn explorer(Found { address, token }: &Found) -> Option<(State, String)> {
    let with = if token.is_some() { " with its token" } else { "" };
    let is_game = attach::is_there(address) && !attach::is_ours(address, token.as_deref());
    is_game.then(|| {
        (State::Good, format!("a host is at {address}; serve --attach auto uses it{with}"))
    })
}

fn as_json(findings: &[Finding]) -> Value {
    let list: Vec<Value> = findings
        .iter()
        .map(|finding| {
            let state = match finding.state {
                State::Good => "ok",
                State::Absent => "absent",
                State::Bad => "problem",
            };
            json!({ "section": finding.section, "state": state, "what": finding.what, "detail": finding.detail })
        })
        .collect();
    json!({ "version": env!("CARGO_PKG_VERSION"), "findings": list })
}

fn print(findings: &[Finding]) {
    let paint = Paint::stdout();
    line(&format!("scenewright {}", env!("CARGO_PKG_VERSION")));
    let mut section = "";
    for finding in findings {
        if finding.section != section {
            section = finding.section;
            line(&format!("\n{}", paint.paint(Style::Bold, section)));
        }
        let mark = match finding.state {
            State::Good => paint.paint(Style::Green, "ok"),
            State::Absent => paint.paint(Style::Dim, "--"),
            State::Bad => paint.paint(Style::Red, "!!"),
        };
        let detail = finding.detail.replace('\n', "\n       ");
        line(&format!("  {mark}  {}: {detail}", finding.what));
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    /// The address of somebody who answers everything with this.
    fn answering(text: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        std::thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                let _ = stream.read(&mut [0; 1024]);
                let _ = stream.write_all(text.as_bytes());
                // What is not read when a connection is closed takes the answer away with it.
                let _ = stream.shutdown(std::net::Shutdown::Write);
                let _ = stream.read_to_end(&mut Vec::new());
            }
        });
        format!("http://{address}")
    }

    #[test]
    fn only_an_editor_and_a_game_that_are_there_have_a_line() {
        let ours = "HTTP/1.1 426 Upgrade Required\r\n\r\nThis is a WebSocket endpoint; POST /editormcp takes the same messages over HTTP.\n";
        assert!(editor(&answering(ours)).is_none(), "another scenewright is not an editor");
        assert!(editor("http://127.0.0.1:1").is_none());
        let (state, detail) = editor(&answering("HTTP/1.1 400 Bad Request\r\n\r\n")).unwrap();
        assert!(state == State::Good, "{detail}");
        let at = |url: &str| Found { address: url.parse().unwrap(), token: None };
        assert!(explorer(&at("http://127.0.0.1:1")).is_none(), "a file that was left behind");
        let (state, _) = explorer(&at(&answering("HTTP/1.1 400 Bad Request\r\n\r\n"))).unwrap();
        assert!(state == State::Good);
    }
}
