//! `scenewright install`: tell a client of this server, and take it back.

mod addon;
pub(crate) mod file;
pub(crate) mod safe;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use crate::cli::Install;
use crate::clients::{CLIENTS, Client, Scope};
use crate::term::{self, Paint, Style, line};
use file::Refused;
use safe::{Readers, backup_of, keep, read, remove, show, write};

/// What came of one client.
struct Outcome {
    client: &'static Client,
    path: PathBuf,
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
    let arguments = arguments(&options)?;
    let change = |(client, path): (&'static Client, PathBuf)| {
        let state = match options.uninstall {
            true => uninstall(client, &path, &options),
            false => install(client, &path, &arguments, &options),
        };
        // What happened to the others is told all the same.
        let state = state.unwrap_or_else(|error| State::Refused(format!("{error:#}")));
        Outcome { client, path, state }
    };
    let outcomes: Vec<Outcome> = chosen(&options, &here)?.into_iter().map(change).collect();
    if options.json {
        term::json(&Value::from_iter(outcomes.iter().map(|outcome| as_json(outcome, &options))));
    } else {
        outcomes.iter().for_each(|outcome| tell(outcome, &options));
    }
    let refused = outcomes.iter().any(|outcome| matches!(outcome.state, State::Refused(_)));
    Ok(if refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// The clients that were named, with their files; `all` are those that seem to be here and have one.
fn chosen(options: &Install, here: &Path) -> Result<Vec<(&'static Client, PathBuf)>> {
    if options.clients.iter().any(|id| id == "all") {
        let found = CLIENTS.iter().filter(|client| client.is_here());
        let found = found.filter_map(|client| Some((client, client.file(options.scope, here)?)));
        let found: Vec<_> = found.collect();
        if found.is_empty() {
            bail!("no client was found here; {}", known());
        }
        return Ok(found);
    }
    let find = |id: &String| {
        let client =
            Client::find(id).with_context(|| format!("no client is called {id}; {}", known()))?;
        let file = client.file(options.scope, here).with_context(|| {
            format!("{} has no file for one project; leave out --scope project", client.name)
        })?;
        Ok((client, file))
    };
    options.clients.iter().map(find).collect()
}

fn known() -> String {
    let ids: Vec<_> = CLIENTS.iter().map(|client| client.id).collect();
    format!("there are {}", ids.join(", "))
}

fn install(client: &Client, path: &Path, arguments: &[String], options: &Install) -> Result<State> {
    let before = read(path)?;
    let own = std::env::current_exe().context("where this program lies is not known")?;
    let entry = client.entry(&own, arguments);
    let text = before.as_deref().unwrap_or_default();
    match file::put(client.form, text, &options.name, &entry) {
        Err(refused) => Ok(State::Refused(why(path, &options.name, refused))),
        Ok(after) if before.as_deref() == Some(&*after) => Ok(State::Same),
        Ok(after) => {
            if !options.dry_run {
                keep(path, before.as_deref())?;
                write(path, &after, Readers::Owner)?;
            }
            Ok(State::Changed(before.unwrap_or_default(), after))
        }
    }
}

fn uninstall(client: &Client, path: &Path, options: &Install) -> Result<State> {
    let Some(before) = read(path)? else { return Ok(State::Same) };
    let (mut after, entry) = match file::take(client.form, &before, &options.name) {
        Err(refused) => return Ok(State::Refused(why(path, &options.name, refused))),
        Ok(None) => return Ok(State::Same),
        Ok(Some(taken)) => taken,
    };
    let backup = backup_of(path);
    let kept = read(&backup)?;
    // Nobody touched the file since: then it becomes exactly what it was.
    if let Some(kept) = &kept
        && file::put(client.form, kept, &options.name, &entry).ok().as_ref() == Some(&before)
    {
        after.clone_from(kept);
    }
    if !options.dry_run {
        match kept.is_none() && is_ours_alone(client, &after) {
            true => remove(path)?,
            false => write(path, &after, Readers::Owner)?,
        }
        if kept.is_some_and(|kept| kept == after) {
            remove(&backup)?;
        }
    }
    Ok(State::Changed(before, after))
}

/// Whether nothing is left in a file that was made for the entry.
fn is_ours_alone(client: &Client, text: &[u8]) -> bool {
    let key = client.form.key();
    let value = file::read(client.form, text);
    value.is_ok_and(|value| value == json!({}) || value == json!({ key: {} }))
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

/// How clients start the server. A project that is named is opened wherever the client is.
fn arguments(options: &Install) -> Result<Vec<String>> {
    let mut arguments = vec!["serve".to_owned(), "--stdio".to_owned()];
    if let Some(project) = &options.project {
        let project = std::path::absolute(project)?;
        if !project.is_dir() {
            bail!("{} is not a folder", project.display());
        }
        arguments.extend(["--project".to_owned(), project.to_string_lossy().into_owned()]);
    }
    for (is_given, option) in
        [(options.allow_writes, "--allow-writes"), (options.allow_runs, "--allow-runs")]
    {
        arguments.extend(is_given.then(|| option.to_owned()));
    }
    Ok(arguments)
}

fn tell(outcome: &Outcome, options: &Install) {
    let paint = Paint::stdout();
    let name = paint.paint(Style::Bold, outcome.client.name);
    match &outcome.state {
        State::Refused(why) => {
            line(&format!("{name}: {} {why}", paint.paint(Style::Red, "left as it is:")))
        }
        State::Same if options.uninstall => {
            line(&format!("{name}: does not know {}", options.name))
        }
        State::Same => line(&format!("{name}: knows it already, {}", outcome.path.display())),
        State::Changed(before, after) => {
            line(&format!("{name}: {}", outcome.path.display()));
            show(&outcome.path, before, after, paint);
            line(match (options.dry_run, options.uninstall) {
                (true, _) => "Nothing was written; leave out --dry-run to do it.",
                (false, true) => "Taken out. Start the client again.",
                (false, false) => "Written. Start the client again; `scenewright doctor` tries it.",
            });
        }
    }
}

fn as_json(outcome: &Outcome, options: &Install) -> Value {
    let (state, why) = match &outcome.state {
        State::Changed(..) if options.dry_run => ("would change", None),
        State::Changed(..) => ("changed", None),
        State::Same => ("unchanged", None),
        State::Refused(why) => ("refused", Some(why)),
    };
    json!({ "client": outcome.client.id, "file": outcome.path, "state": state, "why": why })
}

/// Which clients there are, and which of them know this server.
fn list(here: &Path, as_json: bool) {
    let mut rows = Vec::new();
    let mut values = Vec::new();
    for client in &CLIENTS {
        let knows = |scope| {
            let text = client.file(scope, here).and_then(|path| std::fs::read(path).ok());
            let value = text.and_then(|text| file::read(client.form, &text).ok());
            value.is_some_and(|value| client.servers(&value, here).next().is_some())
        };
        let state = match (knows(Scope::Project), knows(Scope::User)) {
            (true, _) => "knows it, for this project",
            (false, true) => "knows it",
            (false, false) if client.is_here() => "is here and does not know it",
            (false, false) => "not found",
        };
        let file = client.file(Scope::User, here);
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
