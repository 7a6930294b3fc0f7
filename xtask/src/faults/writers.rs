//! Many writers of one scene at once: each finds its node in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::Ground;
use super::client::{Client, Host, Transport};
use super::report::{Report, Tally};
use crate::bench::call::Call;

/// Calls that one server gets at once.
const AT_ONCE: usize = 32;
const HTTP_CLIENTS: usize = 8;
const HTTP_CALLS: usize = 10;

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let rounds = ground.tries(1, 20);
    for servers in [1, 2] {
        let mut tally = Tally::default();
        for round in 0..rounds {
            tally.join(pipelined(ground, servers, round)?);
        }
        report.add(&format!("writers: {servers} × {AT_ONCE} at once over stdio"), tally);
    }
    let mut tally = Tally::default();
    for round in 0..rounds {
        tally.join(over_http(ground, round)?);
    }
    report.add(&format!("writers: {HTTP_CLIENTS} clients × {HTTP_CALLS} over HTTP"), tally);
    Ok(())
}

/// Each server gets all its calls at once.
fn pipelined(ground: &Ground, servers: usize, round: usize) -> Result<Tally> {
    let folder = ground.folder("writers")?;
    let project = project(&folder)?;
    let mut hosts = (0..servers)
        .map(|number| start(ground, &project, &folder.join(format!("home{number}"))))
        .collect::<Result<Vec<_>>>()?;
    let clients = hosts.iter_mut().map(|host| host.client(Transport::Stdio));
    let clients = clients.collect::<Result<Vec<_>>>()?;
    let answers: Result<Vec<Vec<String>>> = thread::scope(|scope| {
        let threads: Vec<_> = (0..)
            .zip(clients)
            .map(|(number, client)| scope.spawn(move || add_at_once(client, number)))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    });
    judge(&project, &answers?.concat(), servers * AT_ONCE, round)
}

fn add_at_once(mut client: Client, server: usize) -> Result<Vec<String>> {
    for number in 0..AT_ONCE {
        let params = json!({ "name": "add_node", "arguments": node(server, number) });
        client.send(&Call::new("tools/call", &params).with_id(100 + number as u64))?;
    }
    let mut answers = Vec::new();
    while answers.len() < AT_ONCE {
        let message = client.receive()?;
        let shown: Value = serde_json::from_slice(&message)?;
        if shown.get("method").is_none() {
            answers.push(String::from_utf8_lossy(&message).into_owned());
        }
    }
    Ok(answers)
}

fn over_http(ground: &Ground, round: usize) -> Result<Tally> {
    let folder = ground.folder("writers")?;
    let project = project(&folder)?;
    let mut host = start(ground, &project, &folder.join("home"))?;
    let clients = (0..HTTP_CLIENTS).map(|_| host.client(Transport::Http));
    let clients = clients.collect::<Result<Vec<_>>>()?;
    let answers: Result<Vec<Vec<String>>> = thread::scope(|scope| {
        let add = |(number, mut client): (usize, Client)| {
            let call = move |call| client.call("add_node", &node(number, call));
            scope.spawn(move || (0..HTTP_CALLS).map(call).collect::<Result<Vec<_>>>())
        };
        let threads: Vec<_> = (0..).zip(clients).map(add).collect();
        threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect()
    });
    judge(&project, &answers?.concat(), HTTP_CLIENTS * HTTP_CALLS, round)
}

fn start(ground: &Ground, project: &Path, home: &Path) -> Result<Host> {
    fs::create_dir_all(home)?;
    Host::start(ground, project, home, &["--allow-writes"])
}

/// A project with one scene.
fn project(folder: &Path) -> Result<PathBuf> {
    let project = folder.join("game");
    fs::create_dir_all(&project)?;
    fs::write(project.join("project.godot"), "config_version=5\n")?;
    let scene = "[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node2D\"]\n";
    fs::write(project.join("scene.tscn"), scene)?;
    Ok(project)
}

fn node(writer: usize, number: usize) -> Value {
    let name = format!("By{writer}Number{number}");
    json!({ "scenePath": "res://scene.tscn", "nodeType": "Node2D", "nodeName": name })
}

/// Every call succeeded, and every node is there once.
fn judge(project: &Path, answers: &[String], wanted: usize, round: usize) -> Result<Tally> {
    let mut tally = Tally::of(wanted);
    let refused = answers.iter().filter(|answer| !answer.contains(r#""isError":false"#));
    for answer in refused {
        let shown: String = answer.chars().take(300).collect();
        tally.fail(format!("round {round}: refused: {shown}"));
    }
    let scene = fs::read_to_string(project.join("scene.tscn")).context("the scene")?;
    let mut names: Vec<&str> =
        scene.lines().filter(|line| line.starts_with("[node name=\"By")).collect();
    names.sort_unstable();
    names.dedup();
    let good = answers.len() - answers.iter().filter(|a| !a.contains(r#""isError":false"#)).count();
    for _ in names.len()..good {
        tally.fail(format!("round {round}: {} nodes after {good} good answers", names.len()));
    }
    Ok(tally)
}
