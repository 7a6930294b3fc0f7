//! `scenewright config`: what is in force, and who said so.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::ArgMatches;
use clap::parser::ValueSource;
use scenewright_toolkit::selection;
use serde_json::{Value, json};
use toml::de::{DeTable, DeValue};

use super::settings::{ENVIRONMENT, SETTINGS, Variable};
use crate::cli::Config;
use crate::power;
use crate::term::{self, Paint, Style, columns, line};
use crate::workspace;

/// A value that is in force.
struct InForce {
    key: String,
    value: String,
    /// Where it comes from; none when nobody said anything.
    from: Option<String>,
}

/// Print every setting of `serve`, of the projects' own files and of the environment.
pub fn run(options: Config, matches: &ArgMatches) -> Result<ExitCode> {
    let typed = matches.subcommand_matches("config").context("this is that command")?;
    let file = options.serve.config.as_deref().map(File::read).transpose()?;
    // What `serve` would refuse is refused here, in the same words.
    let complete = super::complete(options.serve.clone())?;
    crate::serve::check_settings(&complete)?;
    let mut serve: Vec<InForce> = SETTINGS
        .iter()
        .map(|setting| of_serve(setting.key, setting.default, typed, file.as_ref()))
        .collect();
    forbid(&mut serve)?;
    let check = of_projects("check", &complete.projects.folders)?;
    let mut protect = of_projects("protect", &complete.projects.folders)?;
    for (key, value, from) in file.iter().flat_map(|file| file.table("protect")) {
        let from = Some(from);
        if protect.iter().all(|known| known.from != from) {
            protect.push(InForce { key, value, from });
        }
    }
    let environment: Vec<InForce> = ENVIRONMENT.iter().map(of_environment).collect();
    let sections =
        [("serve", serve), ("protect", protect), ("check", check), ("environment", environment)];
    match options.json {
        true => term::json(&as_json(&sections)),
        false => print(&sections),
    }
    Ok(ExitCode::SUCCESS)
}

fn of_serve(key: &str, default: &str, typed: &ArgMatches, file: Option<&File>) -> InForce {
    let id = match key {
        "project" => "folders".to_owned(),
        _ => key.replace('-', "_"),
    };
    let said = |from: String| InForce {
        key: key.to_owned(),
        value: typed_value(&id, typed),
        from: Some(from),
    };
    match typed.value_source(&id) {
        Some(ValueSource::CommandLine) => return said(format!("--{key}")),
        Some(ValueSource::EnvVariable) => {
            return said(format!("SCENEWRIGHT_{}", id.to_ascii_uppercase()));
        }
        _ => {}
    }
    let in_file = file.and_then(|file| file.value(&[key]));
    let (value, from) =
        in_file.map_or((default.to_owned(), None), |(value, from)| (value, Some(from)));
    InForce { key: key.to_owned(), value, from }
}

/// What was typed, as it was typed; secrets stay secret.
fn typed_value(id: &str, typed: &ArgMatches) -> String {
    if id.ends_with("token") {
        return "(secret)".to_owned();
    }
    let raw: Vec<String> = typed
        .get_raw(id)
        .into_iter()
        .flatten()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    raw.join(", ")
}

/// `READ_ONLY_MODE` stands above what options and files say.
fn forbid(serve: &mut [InForce]) -> Result<()> {
    if power::may_write(true)? {
        return Ok(());
    }
    for setting in serve {
        let value = match setting.key.as_str() {
            "allow-writes" => "false",
            "read-only" => "true",
            _ => continue,
        };
        (setting.value, setting.from) = (value.to_owned(), Some(power::READ_ONLY.to_owned()));
    }
    Ok(())
}

/// A table of the projects' own files.
fn of_projects(table: &str, folders: &[PathBuf]) -> Result<Vec<InForce>> {
    let here = std::env::current_dir().context("the current folder cannot be read")?;
    let folders = if folders.is_empty() { vec![here] } else { folders.to_vec() };
    let mut found = Vec::new();
    for folder in folders {
        let folder = std::path::absolute(folder)?;
        let Some(root) = workspace::root_above(&folder) else { continue };
        let path = root.join(selection::CONFIG);
        if !path.is_file() {
            continue;
        }
        let file = File::read(&path)?;
        for (key, value, from) in file.table(table) {
            found.push(InForce { key, value, from: Some(from) });
        }
    }
    Ok(found)
}

fn of_environment(variable: &Variable) -> InForce {
    let value = std::env::var_os(variable.name).filter(|value| !value.is_empty());
    let from = value.is_some().then(|| "environment".to_owned());
    let shown = match value {
        None => "not set".to_owned(),
        Some(_) if variable.secret => "(secret)".to_owned(),
        Some(value) => value.to_string_lossy().into_owned(),
    };
    InForce { key: variable.name.to_owned(), value: shown, from }
}

/// A file of settings, of which is known where each stands.
struct File {
    path: PathBuf,
    text: String,
}

impl File {
    fn read(path: &Path) -> Result<Self> {
        super::read(path)?;
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("the configuration {} cannot be read", path.display()))?;
        Ok(Self { path: path.to_owned(), text })
    }

    /// A value with its place.
    fn value(&self, keys: &[&str]) -> Option<(String, String)> {
        let table = DeTable::parse(&self.text).ok()?;
        let mut table = table.get_ref();
        let (last, above) = keys.split_last()?;
        for key in above {
            table = table.iter().find(|(name, _)| name.get_ref() == key)?.1.get_ref().as_table()?;
        }
        let (name, value) = table.iter().find(|(name, _)| name.get_ref() == last)?;
        Some((self.text[value.span()].to_owned(), self.place(&name.span())))
    }

    /// Everything in a table, tables in it too, with its place.
    fn table(&self, name: &str) -> Vec<(String, String, String)> {
        let Ok(all) = DeTable::parse(&self.text) else { return Vec::new() };
        let mut found = Vec::new();
        for (key, value) in all.get_ref().iter().filter(|(key, _)| key.get_ref() == name) {
            self.collect(key.get_ref(), value.get_ref(), &mut found);
        }
        found
    }

    fn collect(&self, path: &str, value: &DeValue<'_>, found: &mut Vec<(String, String, String)>) {
        let Some(table) = value.as_table() else { return };
        for (key, value) in table {
            let path = format!("{path}.{}", key.get_ref());
            match value.get_ref().as_table() {
                Some(_) => self.collect(&path, value.get_ref(), found),
                None => {
                    let text = self.text[value.span()].to_owned();
                    found.push((path, text, self.place(&key.span())));
                }
            }
        }
    }

    fn place(&self, span: &Range<usize>) -> String {
        let line = self.text[..span.start].matches('\n').count() + 1;
        format!("{}:{line}", self.path.display())
    }
}

fn print(sections: &[(&str, Vec<InForce>)]) {
    let paint = Paint::stdout();
    let row = |one: &InForce| {
        let from = one.from.as_deref().unwrap_or("default");
        let value = one.value.split_whitespace().collect::<Vec<_>>().join(" ");
        let style = if one.from.is_some() { Style::Green } else { Style::Dim };
        vec![one.key.clone(), paint.paint(style, from), value]
    };
    for (at, (title, settings)) in sections.iter().enumerate() {
        let gap = if at > 0 { "\n" } else { "" };
        line(&format!("{gap}{}", paint.paint(Style::Bold, title)));
        if settings.is_empty() {
            line(match *title {
                "protect" => "  no file is protected",
                _ => "  nothing is said; every rule is as `scenewright check --explain` tells",
            });
        }
        let shown = settings.iter().filter(|one| *title != "environment" || one.from.is_some());
        let rows: Vec<Vec<String>> = shown.map(row).collect();
        columns(&rows).iter().for_each(|text| line(&format!("  {text}")));
        if rows.is_empty() && *title == "environment" {
            line("  nothing is set");
        }
    }
}

fn as_json(sections: &[(&str, Vec<InForce>)]) -> Value {
    let list = |settings: &[InForce]| {
        let one = |one: &InForce| json!({ "key": one.key, "value": one.value, "from": one.from });
        Value::from_iter(settings.iter().map(one))
    };
    Value::from_iter(sections.iter().map(|(title, settings)| ((*title).to_owned(), list(settings))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_of_a_file_has_its_line() {
        let folder = scenewright_fixture::Folder::new();
        folder.write(
            "scenewright.toml",
            "# ours\nhttp = \"127.0.0.1:1\"\n\n[check]\nexclude = [\"a\"]\n[check.rules]\nunity-x = \"off\"\n",
        );
        let file = File::read(&folder.path("scenewright.toml")).unwrap();
        let (value, place) = file.value(&["http"]).unwrap();
        assert_eq!(value, "\"127.0.0.1:1\"");
        assert!(place.ends_with("scenewright.toml:2"), "{place}");
        let all = file.table("check");
        let keys: Vec<&str> = all.iter().map(|(key, ..)| key.as_str()).collect();
        assert_eq!(keys, ["check.exclude", "check.rules.unity-x"]);
        assert!(all[1].2.ends_with(":7"), "{}", all[1].2);
        assert!(file.value(&["ws"]).is_none());
    }
}
