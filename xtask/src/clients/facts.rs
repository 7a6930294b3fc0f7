//! What was seen of each client, kept in the repository: the page about clients is made of it, and a run that sees
//! something else says so.

use std::fs;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::judge::{self, Picture, Verdict};
use super::model::Seen;
use super::plan::{MEASURED, STEPS, Wants};
use super::recipe::Recipe;
use super::recipes;
use super::run::Ran;
use crate::paths;

/// What was seen of a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Facts {
    pub(super) client: String,
    pub(super) version: String,
    /// How it introduces itself.
    pub(super) introduces: String,
    pub(super) protocol: String,
    pub(super) is_stateless: bool,
    /// What it can be asked for.
    pub(super) offers: Vec<String>,
    /// What it calls `project_info`.
    pub(super) tool: String,
    /// Whether its model sees the server's instructions.
    pub(super) instructions: bool,
    pub(super) quoting: String,
    pub(super) picture: String,
    /// Whether its model has to give every argument, also those that can be left out.
    pub(super) wants_all_arguments: bool,
    pub(super) repeats_errors: bool,
    /// How many characters of an answer it passes on, where it has a limit.
    pub(super) limit: Option<usize>,
}

impl Facts {
    /// What is not as it was kept. A limit is only known where it was measured.
    pub(super) fn differences(&self, kept: &[Facts]) -> Vec<String> {
        let Some(kept) = kept.iter().find(|kept| kept.client == self.client) else {
            return vec!["nothing is kept of it".to_owned()];
        };
        let as_json = |facts: &Facts| serde_json::to_value(facts).unwrap_or_default();
        let (new, old) = (as_json(self), as_json(kept));
        let keys = new.as_object().into_iter().flatten().filter(|(key, _)| *key != "limit");
        let differs = keys.filter(|(key, value)| **value != old[*key]);
        differs.map(|(key, value)| format!("{key} is {value}, and was {}", old[key])).collect()
    }

    /// What a run shows. The limit is only known after all that is measured.
    pub(super) fn of(recipe: &Recipe, ran: &Ran, verdicts: &[Verdict]) -> Facts {
        let exchanges = &ran.traffic.exchanges;
        let quoting = verdicts.iter().find_map(|verdict| match verdict {
            Verdict::Whole(quoting) => Some(*quoting),
            _ => None,
        });
        let picture = judge::picture(STEPS, exchanges, &ran.requests);
        Facts {
            client: recipe.name.to_owned(),
            version: recipe.version().to_owned(),
            introduces: ran.traffic.name.clone(),
            protocol: ran.traffic.protocol.clone(),
            is_stateless: ran.traffic.is_stateless,
            offers: ran.traffic.offers.clone(),
            tool: tool(&ran.requests),
            instructions: judge::is_told(&ran.traffic.instructions, &ran.requests),
            quoting: quoting.unwrap_or_default().to_owned(),
            picture: picture.unwrap_or(Picture::LeftOut).to_string(),
            wants_all_arguments: wants_all_arguments(&ran.requests),
            repeats_errors: STEPS.iter().zip(verdicts).any(|(step, verdict)| {
                step.wants == Wants::Error && matches!(verdict, Verdict::Twice(_))
            }),
            limit: judge::limit(MEASURED, exchanges, &ran.requests),
        }
    }
}

/// What the client calls `project_info`, with the name of our server in front where it has one.
fn tool(requests: &[Seen]) -> String {
    const TOOL: &str = "project_info";
    let found = requests.iter().find_map(|request| request.find(TOOL));
    match found {
        Some(tool) => match &tool.namespace {
            Some(namespace) => format!("{namespace}.{}", tool.name),
            None => unmarked(&tool.name),
        },
        None => {
            let mentioned = requests.iter().find_map(|request| request.mentioned(TOOL));
            mentioned.unwrap_or("behind a tool of its own").to_owned()
        }
    }
}

/// Whether `project_info` cannot be called without the argument that it can be called without.
fn wants_all_arguments(requests: &[Seen]) -> bool {
    let found = requests.iter().find_map(|request| request.find("project_info"));
    let required = found.and_then(|tool| tool.schema["required"].as_array());
    required.is_some_and(|all| all.iter().any(|one| one == "project"))
}

/// A name without the mark that gptme makes of its server's settings, which differs from run to run.
fn unmarked(name: &str) -> String {
    match name.rsplit_once('_') {
        Some((start, end)) if end.len() == 12 && end.bytes().all(|b| b.is_ascii_hexdigit()) => {
            format!("{start}_…")
        }
        _ => name.to_owned(),
    }
}

/// All that is kept, in the order of the recipes.
pub(super) fn kept() -> Result<Vec<Facts>> {
    let path = paths::asset("clients").join(FILE);
    let text = fs::read(&path).with_context(|| path.display().to_string())?;
    serde_json::from_slice(&text).with_context(|| path.display().to_string())
}

/// Keep what was seen anew beside what was seen before of others.
pub(super) fn keep(new: Vec<Facts>) -> Result<Vec<Facts>> {
    let mut all = kept().unwrap_or_default();
    all.retain(|old| new.iter().all(|new| new.client != old.client));
    all.extend(new);
    let place = |facts: &Facts| recipes::all().position(|recipe| recipe.name == facts.client);
    all.retain(|facts| place(facts).is_some());
    all.sort_by_key(place);
    let text = serde_json::to_string_pretty(&all)? + "\n";
    fs::write(paths::asset("clients").join(FILE), text)?;
    Ok(all)
}

const FILE: &str = "seen.json";
