//! The commands that set something up or tell how it is set up.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{Permissions, Projects, Serve};
use crate::clients::Scope;

/// `scenewright install`.
#[derive(Debug, Args)]
pub struct Install {
    /// Which clients: claude-code, claude-desktop, cline, codex, continue, copilot, cursor, gemini, jetbrains, kilo, kimi, nanocoder, opencode, qwen, vibe, vscode, windsurf, zed, or all that are here; godot-addon puts the addon for live links into the project
    #[arg(value_name = "CLIENT", add = crate::complete::clients())]
    pub clients: Vec<String>,
    /// Which clients there are and which know this server
    #[arg(long)]
    pub list: bool,
    /// Take the entry out again
    #[arg(long)]
    pub uninstall: bool,
    /// Show what would change and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// The client's file for all projects, or the one in the project
    #[arg(long, value_enum, default_value = "user")]
    pub scope: Scope,
    /// The project that the server opens; without it, the one that the client works in
    #[arg(long, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// How the program is found: by its full path, which is the default; in PATH, the default with `--scope project`;
    /// or fetched in this version by npx or uvx
    #[arg(long, value_enum, value_name = "HOW")]
    pub via: Option<Via>,
    /// What the agent may do.
    #[command(flatten)]
    pub may: Permissions,
    /// Append a JSON line for every write and every refusal
    #[arg(long, value_name = "FILE")]
    pub audit: Option<PathBuf>,
    /// More settings of the server, in TOML; options here win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Tokens that an answer has at most
    #[arg(long, value_name = "N")]
    pub answer_tokens: Option<usize>,
    /// What the entry is called
    #[arg(long, default_value = "scenewright")]
    pub name: String,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// How a client finds the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Via {
    /// This program, by its full path
    File,
    /// `scenewright` in PATH
    Path,
    /// The npm package of this version
    Npx,
    /// The Python package of this version
    Uvx,
}

/// `scenewright doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Which projects.
    #[command(flatten)]
    pub projects: Projects,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `scenewright init`.
#[derive(Debug, Args)]
pub struct Init {
    /// The project; the one here by default. A folder of projects gets a recipe for all of them
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The same as DIR
    #[arg(long, value_name = "DIR", conflicts_with = "folder")]
    pub project: Option<PathBuf>,
    /// Also a recipe that checks every change, for this code host
    #[arg(long, value_name = "HOST")]
    pub ci: Option<Ci>,
    /// Also a section of AGENTS.md that tells agents how to work here
    #[arg(long)]
    pub agents: bool,
    /// Show what would be written and write nothing
    #[arg(long)]
    pub dry_run: bool,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// A code host with a way to run checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Ci {
    /// A workflow of GitHub Actions
    Github,
    /// A job of GitLab CI
    Gitlab,
}

/// `scenewright config`.
#[derive(Debug, Args)]
pub struct Config {
    /// What `serve` would be given.
    #[command(flatten)]
    pub serve: Serve,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `scenewright completions`.
#[derive(Debug, Args)]
pub struct Completions {
    /// For which shell
    pub shell: clap_complete::Shell,
}

/// `scenewright man`.
#[derive(Debug, Args)]
pub struct Man {
    /// Where to write a page for every command; without it the main page is printed
    #[arg(value_name = "DIR")]
    pub folder: Option<PathBuf>,
}
