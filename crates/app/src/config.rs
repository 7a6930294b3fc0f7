//! `--config FILE`: the options of `serve` in TOML, under the same names.

pub mod page;
pub mod settings;
pub mod show;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use scenewright_toolkit::protect::ProtectConfig;
use serde::Deserialize;

use crate::cli::Serve;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
struct Config {
    project: Vec<PathBuf>,
    allow_projects: Vec<PathBuf>,
    stdio: bool,
    http: Option<SocketAddr>,
    tcp: Option<SocketAddr>,
    ws: Option<SocketAddr>,
    allow_writes: bool,
    allow_runs: bool,
    read_only: bool,
    require_confirm: bool,
    refuse_while_open: bool,
    toolsets: Vec<String>,
    tier: Option<String>,
    token_file: Option<PathBuf>,
    audit: Option<PathBuf>,
    max_in_flight: Option<usize>,
    rate: Option<u32>,
    require_live: bool,
    answer_tokens: Option<usize>,
    structured: bool,
    attach: Option<String>,
    /// What no tool writes in any project that is open.
    protect: ProtectConfig,
    /// For `check`, which reads it from the project; known here so that one file can serve both.
    #[serde(rename = "check")]
    _check: scenewright_toolkit::selection::CheckConfig,
}

/// Complete `options` with what the file says; what was typed wins.
pub(crate) fn complete(mut options: Serve) -> Result<Serve> {
    let Some(path) = options.config.clone() else { return Ok(options) };
    let config = read(&path)?;
    // Paths in a file are meant from where the file is.
    let base = path.parent().unwrap_or(Path::new(""));
    if options.projects.folders.is_empty() {
        options.projects.folders = config.project.iter().map(|dir| base.join(dir)).collect();
    }
    if options.allow_projects.is_empty() {
        options.allow_projects = config.allow_projects.iter().map(|dir| base.join(dir)).collect();
    }
    if options.may.toolsets.is_empty() {
        options.may.toolsets = config.toolsets;
    }
    let tier = config.tier.map(|tier| tier.parse()).transpose().map_err(anyhow::Error::msg)?;
    let attach = config.attach.map(|attach| attach.parse()).transpose();
    let attach = attach.map_err(anyhow::Error::msg).context("attach")?;
    options.stdio |= config.stdio;
    options.http = options.http.or(config.http);
    options.tcp = options.tcp.or(config.tcp);
    options.ws = options.ws.or(config.ws);
    options.may.allow_writes |= config.allow_writes;
    options.may.allow_runs |= config.allow_runs;
    options.may.read_only |= config.read_only;
    options.may.require_confirm |= config.require_confirm;
    options.may.refuse_while_open |= config.refuse_while_open;
    options.protect = config.protect.paths;
    options.require_live |= config.require_live;
    options.may.tier = options.may.tier.or(tier);
    options.max_in_flight = options.max_in_flight.or(config.max_in_flight);
    options.answer_tokens = options.answer_tokens.or(config.answer_tokens);
    options.structured |= config.structured;
    options.rate = options.rate.or(config.rate);
    options.attach = options.attach.or(attach);
    options.audit = options.audit.or_else(|| config.audit.map(|file| base.join(file)));
    if options.token.is_none() && options.token_file.is_none() {
        options.token_file = config.token_file.map(|file| base.join(file));
    }
    Ok(options)
}

fn read(path: &Path) -> Result<Config> {
    let text = std::fs::read_to_string(path)
        .with_context(|| format!("the configuration {} cannot be read", path.display()))?;
    parse(&text).with_context(|| format!("the configuration {} has a mistake", path.display()))
}

fn parse(text: &str) -> Result<Config> {
    Ok(toml::from_str(text)?)
}

/// Whether a text would be taken.
#[cfg(test)]
pub(crate) fn try_text(text: &str) -> Result<()> {
    parse(text).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(config: &str, options: Serve) -> Result<Serve> {
        let folder = scenewright_fixture::Folder::new();
        folder.write("scenewright.toml", config);
        complete(Serve { config: Some(folder.path("scenewright.toml")), ..options })
    }

    #[test]
    fn what_was_typed_wins_over_the_file() {
        let file = "http = '127.0.0.1:1'\nallow-writes = true\ntier = 'pro'\nproject = ['game']";
        let typed = Serve { http: Some("127.0.0.1:2".parse().unwrap()), ..Serve::default() };
        let options = check(file, typed).unwrap();
        assert_eq!(options.http.unwrap().port(), 2);
        assert!(options.may.allow_writes);
        assert_eq!(options.may.tier, Some(scenewright_contract::Tier::Tier2));
        assert!(options.projects.folders[0].ends_with("game"));
    }

    #[test]
    fn refusing_beside_an_open_editor_can_stand_in_the_file() {
        let options = check("refuse-while-open = true", Serve::default()).unwrap();
        assert!(options.may.refuse_while_open);
    }

    #[test]
    fn the_example_on_the_page_works() {
        let page = super::page::configuration();
        let example = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
        let options = check(example, Serve::default()).unwrap();
        assert!(options.may.allow_writes && options.may.require_confirm && options.http.is_some());
    }

    #[test]
    fn what_the_operator_protects_is_read_and_a_pattern_that_is_none_refused() {
        let options = check("[protect]\npaths = ['a']", Serve::default()).unwrap();
        assert_eq!(options.protect, ["a"]);
        crate::serve::check_settings(&options).unwrap();
        let wrong = check("[protect]\npaths = ['a\\b']", Serve::default()).unwrap();
        let error = crate::serve::check_settings(&wrong).unwrap_err();
        assert!(error.to_string().contains("write `/` between folders"), "{error:#}");
    }

    #[test]
    fn a_host_to_attach_to_is_read() {
        let options = check("attach = 'auto'", Serve::default()).unwrap();
        assert_eq!(options.attach, Some(crate::cli::Attach::Auto));
        let error = check("attach = 'https://127.0.0.1:1'", Serve::default()).unwrap_err();
        assert!(format!("{error:#}").contains("only http"), "{error:#}");
    }

    #[test]
    fn a_misspelt_key_is_said() {
        let error = check("alow-writes = true", Serve::default()).unwrap_err();
        assert!(format!("{error:#}").contains("unknown field `alow-writes`"), "{error:#}");
    }
}
