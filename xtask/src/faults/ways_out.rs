//! Paths that lead out of the project, in every place that takes text: no secret may come back, and
//! nothing outside may change.

mod probes;
mod ways;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::Ground;
use super::client::{Client, Host, SECRET, Transport};
use super::places::{self, Tree};
use super::report::{Report, Tally};
use crate::os;
use probes::{Group, Probe};

pub(super) fn run(ground: &Ground, report: &mut Report) -> Result<()> {
    let place = Place::make(ground.folder("paths")?)?;
    let extra = ["--allow-writes", "--toolsets", "all", "--tier", "tier4"];
    let mut host = Host::start(ground, &place.open, &place.home, &extra)?;
    let mut clients = Transport::ALL
        .iter()
        .map(|transport| host.client(*transport))
        .collect::<Result<Vec<_>>>()?;
    let groups = probes::all(&mut clients[0], &place.outside)?;
    let count: usize = groups.iter().map(|group| group.probes.len()).sum();
    // In the short form a share of them, each on one transport; in the full one all, on each.
    let share = ground.tries(1500, usize::MAX);
    let mut tallies = [const { None::<Tally> }; 4];
    let mut step = 0;
    for group in &groups {
        for probe in &group.probes {
            step += 1;
            let mut random = ground.random("paths", step);
            if !probe.always && random.below(count) >= share {
                continue;
            }
            let turn = random.below(clients.len());
            for (number, client) in clients.iter_mut().enumerate() {
                if share < count && turn != number {
                    continue;
                }
                let tally = tallies[number].get_or_insert_default();
                tally.tries += 1;
                if let Some(problem) = try_once(client, probe, group) {
                    tally.fail(format!("step {step}: {problem}"));
                }
            }
        }
        if let Some(problem) = place.changed_outside()? {
            let last = tallies[0].get_or_insert_default();
            last.fail(format!("{} changed what is outside: {problem}", group.name));
        }
        if group.changes {
            place.restore()?;
        }
    }
    let alive = clients[0].call("mcp_health", &serde_json::json!({}));
    alive.with_context(|| format!("the server is gone: {}", host.server.stderr_tail()))?;
    for (transport, tally) in Transport::ALL.iter().zip(tallies) {
        let mut tally = tally.unwrap_or_default();
        tally.notes = format!("{} tools, templates, prompts and completions", groups.len());
        report.add(&format!("ways out over {}", transport.name()), tally);
    }
    Ok(())
}

/// What is wrong with the answer.
fn try_once(client: &mut Client, probe: &Probe, group: &Group) -> Option<String> {
    let shown = || {
        let params: String = probe.params.to_string().chars().take(300).collect();
        format!("{} {params}", group.name)
    };
    match client.ask(probe.method, &probe.params) {
        Ok(answer) if answer.contains(SECRET) => {
            let at = answer.find(SECRET).unwrap_or_default();
            let from = answer[..at].char_indices().rev().nth(80).map_or(0, |(at, _)| at);
            Some(format!("{} answered {}", shown(), &answer[from..at + SECRET.len()]))
        }
        Ok(answer) if super::mutated::is_defect(&answer) => {
            Some(format!("{} hit a defect", shown()))
        }
        Ok(_) => None,
        Err(error) => Some(format!("{} was not answered: {error:#}", shown())),
    }
}

/// Two open projects with links that lead out, and what is outside.
struct Place {
    open: PathBuf,
    inside: Tree,
    outside: PathBuf,
    outside_before: Tree,
    home: PathBuf,
}

impl Place {
    fn make(folder: PathBuf) -> Result<Place> {
        let (open, outside) = (folder.join("open"), folder.join("outside"));
        let home = folder.join("home");
        fs::create_dir_all(&home)?;
        fs::create_dir_all(outside.join("folder"))?;
        for ending in ways::ENDINGS {
            for name in ["secret", "folder/secret"] {
                fs::write(outside.join(format!("{name}.{ending}")), secret(ending))?;
            }
        }
        for sample in ["godot", "unity"] {
            let project = places::copy_sample(sample, &open)?;
            link_out(&project, &outside)?;
            if sample == "unity" {
                link_out(&project.join("Assets"), &outside)?;
            }
        }
        let (inside, outside_before) = (Tree::read(&open)?, Tree::read(&outside)?);
        Ok(Place { open, inside, outside, outside_before, home })
    }

    fn restore(&self) -> Result<()> {
        self.inside.restore(&self.open)
    }

    /// What changed; put right again, so that the next one is found as well.
    fn changed_outside(&self) -> Result<Option<String>> {
        let now = Tree::read(&self.outside)?;
        if now == self.outside_before {
            return Ok(None);
        }
        self.outside_before.restore(&self.outside)?;
        Ok(Some(now.difference(&self.outside_before)))
    }
}

/// Links to files, to a folder and to the folder above.
fn link_out(folder: &Path, outside: &Path) -> Result<()> {
    for ending in ways::ENDINGS {
        let name = format!("secret.{ending}");
        os::link(&outside.join(&name), &folder.join(format!("link_{name}")))?;
    }
    os::link(outside, &folder.join("link_folder"))?;
    Ok(os::link(Path::new("../../outside"), &folder.join("link_up"))?)
}

/// Something that the tools for this kind of file would show.
fn secret(ending: &str) -> String {
    match ending {
        "gd" => format!("class_name {SECRET}\nextends Node\nsignal {SECRET}_s\n# {SECRET}\n"),
        "tscn" => format!("[gd_scene format=3]\n\n[node name=\"{SECRET}\" type=\"Node\"]\n"),
        "tres" => {
            format!("[gd_resource type=\"Resource\" format=3]\n\n[resource]\nname = \"{SECRET}\"\n")
        }
        "cs" => format!("public class {SECRET} : UnityEngine.MonoBehaviour {{ int {SECRET}; }}\n"),
        "unity" | "prefab" | "asset" | "mat" => format!(
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_Name: {SECRET}\n"
        ),
        "json" | "asmdef" | "ldtk" => format!("{{\"name\": \"{SECRET}\"}}\n"),
        _ => format!("name={SECRET}\n"),
    }
}
