//! `scenewright install`: tell a client of this server, and take it back.

mod addon;
mod command;
pub(crate) mod file;
mod homeless;
pub(crate) mod safe;
mod toml_file;
mod yaml_file;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::cli::Install;
use crate::clients::{self, CLIENTS, Client, Form, Place, Scope};
use crate::term::{self, Paint, Style, line};
use command::Started;
use file::Refused;
use safe::{Readers, backup_of, keep, read, remove, show, write};

/// What came of one client.
struct Outcome {
    client: &'static Client,
    place: Place,
    /// Whether an entry is taken out, not put in.
    is_taken: bool,
    state: State,
}

enum State {
    /// The file before and after.
    Changed(Vec<u8>, Vec<u8>),
    /// It was so already.
    Same,
    /// It is left as it is; why.
    Refused(String),
}

/// Install, uninstall or list.
pub fn run(options: Install) -> Result<ExitCode> {
    let here = match &options.project {
        Some(project) => std::path::absolute(project)?,
        None => std::env::current_dir()?,
    };
    if options.list || options.clients.is_empty() {
        list(&here, options.json);
        return Ok(ExitCode::SUCCESS);
    }
    if options.clients.iter().any(|id| id == addon::ADDON) {
        return addon::run(&options);
    }
    let started = command::started(&options)?;
    let mut outcomes = Vec::new();
    for (client, place) in chosen(&options, &here)? {
        let mut others =
            if options.uninstall { Vec::new() } else { entries(client, &options, &here) };
        others.retain(|other| *other != place);
        let places = [(place, options.uninstall)].into_iter();
        // An entry in another file of the client would be a second server.
        for (place, is_taken) in places.chain(others.into_iter().map(|other| (other, true))) {
            let state = match is_taken {
                true => uninstall(&place, &options),
                false => install(client, &place, &started, &options, &here),
            };
            // What happened to the others is told all the same.
            let state = state.unwrap_or_else(|error| State::Refused(format!("{error:#}")));
            outcomes.push(Outcome { client, place, is_taken, state });
        }
    }
    if options.json {
        term::json(&Value::from_iter(outcomes.iter().map(|outcome| as_json(outcome, &options))));
    } else {
        outcomes.iter().for_each(|outcome| tell(outcome, &options));
        let is_told =
            outcomes.iter().any(|it| matches!(it.state, State::Changed(..) | State::Same));
        if is_told && !options.uninstall {
            started.notes.iter().for_each(|note| line(note));
        }
    }
    let refused = outcomes.iter().any(|outcome| matches!(outcome.state, State::Refused(_)));
    Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The clients that were named, with their files; `all` are those that seem to be here and have one.
fn chosen(options: &Install, here: &Path) -> Result<Vec<(&'static Client, Place)>> {
    let places = |client: &'static Client| -> Vec<_> {
        let mut places = match options.uninstall {
            true => entries(client, options, here),
            false => Vec::new(),
        };
        if places.is_empty() {
            places.extend(client.place(options.scope, here));
        }
        places.into_iter().map(|place| (client, place)).collect()
    };
    if options.clients.iter().any(|id| id == "all") {
        let found: Vec<_> =
            CLIENTS.iter().filter(|client| client.is_here()).flat_map(places).collect();
        if found.is_empty() {
            bail!("no client was found here; {}", known());
        }
        return Ok(found);
    }
    let mut found = Vec::new();
    for id in &options.clients {
        let client =
            Client::find(id).with_context(|| format!("no client is called {id}; {}", known()))?;
        let places = places(client);
        if places.is_empty() {
            bail!("{} has no file for one project; leave out --scope project", client.name);
        }
        found.extend(places);
    }
    Ok(found)
}

/// The files of a client that have an entry.
fn entries(client: &Client, options: &Install, here: &Path) -> Vec<Place> {
    let mut places = client.places(options.scope, here);
    places.retain(|place| {
        let text = std::fs::read(&place.path).unwrap_or_default();
        matches!(file::take(place.form, &text, &options.name), Ok(Some(_)))
    });
    places
}

fn known() -> String {
    let ids: Vec<_> = CLIENTS.iter().map(|client| client.id).collect();
    format!("there are {}", ids.join(", "))
}

fn install(
    client: &Client,
    Place { path, form }: &Place,
    started: &Started,
    options: &Install,
    here: &Path,
) -> Result<State> {
    let project = homeless::project(client, options, here)?;
    let before = read(path)?;
    let entry = client.entry(&started.command, &started.arguments(project.as_deref()));
    let text = before.as_deref().unwrap_or_default();
    match file::put(*form, text, &options.name, &entry) {
        Err(refused) => Ok(State::Refused(why(path, &options.name, refused))),
        Ok(after) if before.as_deref() == Some(&*after) => Ok(State::Same),
        Ok(after) => {
            if !options.dry_run {
                keep(path, before.as_deref())?;
                write(path, &after, readers(options))?;
            }
            Ok(State::Changed(before.unwrap_or_default(), after))
        }
    }
}

/// What is committed is for everybody; in their own files some keep secrets.
fn readers(options: &Install) -> Readers {
    match options.scope {
        Scope::Project => Readers::Others,
        Scope::User => Readers::Owner,
    }
}

fn uninstall(Place { path, form }: &Place, options: &Install) -> Result<State> {
    let Some(before) = read(path)? else { return Ok(State::Same) };
    let (mut after, entry) = match file::take(*form, &before, &options.name) {
        Err(refused) => return Ok(State::Refused(why(path, &options.name, refused))),
        Ok(None) => return Ok(State::Same),
        Ok(Some(taken)) => taken,
    };
    let backup = backup_of(path);
    let kept = read(&backup)?;
    // A second install kept the entry of the first, or one that was typed by hand.
    let without = kept.as_deref().and_then(|kept| file::take(*form, kept, &options.name).ok()?);
    let had_entry = without.is_some();
    let kept = without.map(|(without, _)| without).or(kept);
    // Nobody touched the file since: then it becomes exactly what it was.
    if let Some(kept) = &kept
        && file::put(*form, kept, &options.name, &entry).ok().as_ref() == Some(&before)
    {
        after.clone_from(kept);
    }
    if !options.dry_run {
        match (had_entry || kept.is_none()) && is_ours_alone(*form, &after) {
            true => remove(path)?,
            false => write(path, &after, readers(options))?,
        }
        if kept.is_some_and(|kept| kept == after) {
            remove(&backup)?;
        }
    }
    Ok(State::Changed(before, after))
}

/// Whether nothing is left in a file that was made for the entry.
fn is_ours_alone(form: Form, text: &[u8]) -> bool {
    let key = form.key();
    let value = file::read(form, text);
    // Of YAML only the servers are read; the rest of such a file was never made here.
    form != Form::YamlList
        && value.is_ok_and(|value| value == json!({}) || value == json!({ key: {} }))
}

fn why(path: &Path, name: &str, refused: Refused) -> String {
    match refused {
        Refused::Broken(why) => {
            format!("{} cannot be read: {why}; mend it first, nothing was changed", path.display())
        }
        Refused::Taken(entry) => format!(
            "{} has an entry {name} that starts another program: {entry}; --name NAME puts this \
             one beside it, nothing was changed",
            path.display()
        ),
    }
}

fn tell(outcome: &Outcome, options: &Install) {
    let paint = Paint::stdout();
    let name = paint.paint(Style::Bold, outcome.client.name);
    match &outcome.state {
        State::Refused(why) => {
            line(&format!("{name}: {} {why}", paint.paint(Style::Red, "left as it is:")))
        }
        State::Same if outcome.is_taken => line(&format!("{name}: does not know {}", options.name)),
        State::Same => line(&format!("{name}: knows it already, {}", outcome.place.path.display())),
        State::Changed(before, after) => {
            line(&format!("{name}: {}", outcome.place.path.display()));
            show(&outcome.place.path, before, after, paint);
            line(match (options.dry_run, outcome.is_taken) {
                (true, _) => "Nothing was written; leave out --dry-run to do it.",
                (false, true) => "Taken out. Start the client again.",
                (false, false) => "Written. Start the client again; `scenewright doctor` tries it.",
            });
        }
    }
    if let Some(note) = outcome.note() {
        line(note);
    }
}

impl Outcome {
    /// What is to be said of the file that was chosen.
    fn note(&self) -> Option<&'static str> {
        let is_told = matches!(self.state, State::Changed(..) | State::Same) && !self.is_taken;
        self.client.note.filter(|_| is_told && self.place.form != Form::YamlList)
    }
}

fn as_json(outcome: &Outcome, options: &Install) -> Value {
    let (state, why) = match &outcome.state {
        State::Changed(..) if options.dry_run => ("would change", None),
        State::Changed(..) => ("changed", None),
        State::Same => ("unchanged", None),
        State::Refused(why) => ("refused", Some(why)),
    };
    json!({
        "client": outcome.client.id, "file": outcome.place.path, "state": state, "why": why,
        "note": outcome.note(),
    })
}

/// Which clients there are, and which of them know this server.
fn list(here: &Path, as_json: bool) {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for client in &CLIENTS {
        let knows = |scope| {
            client.places(scope, here).iter().any(|Place { path, form }| {
                let text = std::fs::read(path).ok();
                let value = text.and_then(|text| file::read(*form, &text).ok());
                value.is_some_and(|value| clients::servers(*form, &value, here).next().is_some())
            })
        };
        let state = match (knows(Scope::Project), knows(Scope::User)) {
            (true, _) => "knows it, for this project",
            (false, true) => "knows it",
            (false, false) if client.is_here() => "is here and does not know it",
            (false, false) => "not found",
        };
        let file = client.place(Scope::User, here).map(|place| place.path);
        let shown = file.as_ref().map_or(String::new(), |file| file.display().to_string());
        values.push(
            json!({ "client": client.id, "name": client.name, "state": state, "file": file }),
        );
        rows.push(vec![client.id.to_owned(), client.name.to_owned(), state.to_owned(), shown]);
    }
    match as_json {
        true => term::json(&Value::Array(values)),
        false => {
            term::columns(&rows).iter().for_each(|row| line(row));
            line(
                "\nscenewright install CLIENT tells one of them; install all tells those that are here.",
            );
        }
    }
}
