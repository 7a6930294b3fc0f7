//! The command line: a contract that scripts and people rely on.

mod merging;
mod setup;

pub use merging::{
    Diff, DiffFormat, Git, GitCommand, GitInstall, GitScope, Merge, MergeBaseIn, MergeDriver,
};

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand, ValueEnum};
use scenewright_contract::{Dialect, Tier};
use scenewright_live::explorer::Address;

use crate::complete;

pub use setup::{Ci, Completions, Config, Doctor, Init, Install, Man, Via};

/// What only clients of older protocols need, in the help and on the page of the configuration.
pub const OLDER: &str = "Older protocols";

/// Where HTTP is served when no address is named: the port that Unity Explorer's clients know.
pub const DEFAULT_HTTP: &str = "127.0.0.1:51477";
/// EditorMCP's own port.
pub const DEFAULT_WS: &str = "127.0.0.1:27182";
/// Where frames are served when no address is named.
pub const DEFAULT_TCP: &str = "127.0.0.1:27183";

/// Eyes and hands for AI agents, scripts and CI in Unity and Godot projects, with no editor running.
#[derive(Debug, Parser)]
#[command(
    name = "scenewright",
    version,
    propagate_version = true,
    after_help = "\
Examples:
  scenewright install claude-code               an AI client knows this server from now on
  scenewright serve --project ~/games/keep      an MCP server for that project
  scenewright check                             what is wrong with the project here
  scenewright call project.info                 run one tool and print its JSON
  scenewright call add_node --help              what a tool takes
  scenewright doctor                            what is found on this machine

Exit codes:
  0  done, and nothing is wrong
  1  it ran, and the answer is no: a tool failed, a check has findings, a file was left as it is
  2  it could not run: bad usage, no project here, a file that cannot be read; stderr says which
Whatever is not 0 is told on stderr, or is the report itself.

Colours, and a pager ($PAGER, less) for long answers, are for terminals only. NO_COLOR and
CLICOLOR=0 turn colours off, CLICOLOR_FORCE=1 has them everywhere."
)]
pub struct Cli {
    /// Log more to stderr; twice for everything
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    pub verbose: u8,
    /// Never show answers a page at a time
    #[arg(long, global = true)]
    pub no_pager: bool,
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve AI agents over MCP
    #[command(after_help = "\
Examples:
  scenewright serve                                  stdio for a client that starts it, HTTP in a terminal
  scenewright serve --project . --http               MCP at http://127.0.0.1:51477/mcp
  scenewright serve --allow-writes --require-confirm let tools change the project after a person agreed
  scenewright serve --http --token auto              only for those who know the token that it prints
  scenewright serve --http 0.0.0.0:8000 --token-file t   reachable from other machines

Exit code 0 when the client or Ctrl-C ended it, 2 when it could not start.")]
    Serve(Box<Serve>),
    /// Let calls run that wait for a person, or not
    #[command(after_help = "\
Examples:
  scenewright approve                                show what waits, of all servers, and ask about each
  scenewright approve 3f9a1c                         only this one
  scenewright approve 3f9a1c --decline

Under `serve --require-confirm` a call waits here whose client cannot ask a person, for 30 minutes. It is
carried out once, when the client calls again with the same arguments; if the files changed since, it is
shown and asked about anew. A person answers at a terminal: there is no option that says yes. Whoever has a
terminal as you is you, so give an agent none that you would not let agree.

Exit code 0; 1 when no such call waits; 2 without a terminal.")]
    Approve(Approve),
    /// Run one tool and print its JSON
    #[command(
        disable_help_flag = true,
        after_help = "\
Examples:
  scenewright call project.info
  scenewright call add_node --help                   what this tool takes, with an example
  scenewright call tools.search query='engine version' limit=3
  scenewright call mcp.tool.describe --json '{\"toolId\": \"project.info\"}'
  scenewright call unity_edit --json @changes.json --dry-run
  make-changes | scenewright call unity_edit --json - --allow-writes
  scenewright call add_node scenePath=scenes/main.tscn nodeType=Timer nodeName=Late --dry-run

On a terminal a change is shown as a diff; --format json has it as data there, too.
Exit code 0 and the output on stdout; 1 and the error as JSON on stderr; 2 for bad usage."
    )]
    Call(Call),
    /// List, describe or validate tools
    #[command(after_help = "\
Examples:
  scenewright tools                                  the tools, by group
  scenewright tools list prefab material             those of two groups
  scenewright tools list --dialect mcp               as standard MCP clients see them
  scenewright tools describe project.info
  scenewright tools validate my-tools.json           check definitions in EditorMCP's JSON form

Exit code 0; 1 when definitions have errors; 2 for bad usage and names that no tool has.")]
    Tools(Tools),
    /// Find what is wrong with a project
    #[command(after_help = "\
Examples:
  scenewright check                                       what is wrong here, for people
  scenewright check --format sarif --output report.sarif  for a code host
  scenewright check --write-baseline accepted.json        accept what is there today
  scenewright check --baseline accepted.json --fail-on warning

Exit code 0 when clean, 1 with findings, 2 when it could not run.")]
    Check(Check),
    /// Show a scene or prefab as the editor shows it
    #[command(after_help = "\
Examples:
  scenewright tree Assets/Scenes/Main.unity
  scenewright tree Assets/Prefabs/Player.prefab --components --depth 2
  scenewright tree level --find lamp --components       where the lamps are, and their values

The folder and the ending can be left out. Exit code 0; 1 when there is no such file, it is not a scene, or
nothing in it has that name; 2 when no project is here.")]
    Tree(Tree),
    /// Tell an AI client of this server, or take it back
    #[command(after_help = "\
Examples:
  scenewright install                                  which clients there are, and which know it
  scenewright install claude-code                      for all projects; the server asks what is open
  scenewright install cursor --project . --allow-writes
  scenewright install vscode --scope project           in .vscode/mcp.json of this project, for the whole team
  scenewright install vscode --scope project --via npx the same, and nobody else has to install anything
  scenewright install codex --allow-writes --require-confirm --audit audit.jsonl
  scenewright install all --dry-run                    what would change for all that are here
  scenewright install zed --uninstall

The file is kept as it was beside it (.before-scenewright) before the first change; comments and other
entries stay. Exit code 0 when done, 1 when a file was left as it is, 2 for bad usage.")]
    Install(Install),
    /// Show what changed in scenes, prefabs and settings, by object and field
    #[command(after_help = "\
Examples:
  scenewright diff                                   the work tree against HEAD
  scenewright diff --from main --to HEAD --stat      what a branch changes, a line for each file
  scenewright diff --staged Assets/Scenes
  scenewright diff old.tscn new.tscn
  git show HEAD~3:level.tscn | scenewright diff - level.tscn
  scenewright diff --from origin/main --format markdown > remark.md")]
    Diff(Diff),
    /// Merge scenes, prefabs and settings by object and field
    #[command(after_help = "\
Examples:
  scenewright merge --all                                  what a merge of git left in conflict
  scenewright merge Assets/Main.unity --list               what is in conflict, in words
  scenewright merge Assets/Main.unity --resolve 1=theirs   decide the first conflict
  scenewright merge level.tscn --resolve all=ours --add
  scenewright merge base.tscn ours.tscn theirs.tscn -o merged.tscn

Exit code 0 when merged and verified, 1 with conflicts, 2 when it could not run.")]
    Merge(Merge),
    /// Let git merge and show scenes with this program
    Git(Git),
    /// Tell what is found: projects, engines, live links, clients
    #[command(after_help = "\
Exit code 0; 1 when something that was set up does not work: its line begins with !! and says what mends it.")]
    Doctor(Doctor),
    /// Write a project's scenewright.toml; on request a CI recipe and a page for agents
    #[command(after_help = "\
Examples:
  scenewright init                                     scenewright.toml for the project here
  scenewright init --dry-run --ci github --agents      what would be written, as a diff
  scenewright init --ci gitlab                         .gitlab-ci.yml, or a file to include where you have one

What this program did not write is never overwritten; your AGENTS.md gets a section between two marks, and
everything around it stays. Exit code 0 when done, 1 when a file was left as it is, 2 for bad usage.")]
    Init(Init),
    /// Print what is in force, and where each value comes from
    #[command(after_help = "\
Examples:
  scenewright config                                   what `serve` would do here
  scenewright config --config scenewright.toml --http  the same with a file and an option
  scenewright config --json

Exit code 0; 2 when a value cannot be read, as `serve` itself would say.")]
    Config(Box<Config>),
    /// Print a script that completes commands and options in a shell
    #[command(after_help = "\
Examples:
  source <(scenewright completions bash)                            in ~/.bashrc
  source <(scenewright completions zsh)                             in ~/.zshrc, after compinit
  scenewright completions fish | source                             in ~/.config/fish/config.fish
  scenewright completions powershell | Out-String | Invoke-Expression   in $PROFILE
  eval (scenewright completions elvish | slurp)                     in ~/.config/elvish/rc.elv

The script asks this program for names: of tools, clients and rules, and of the scenes of the project here.")]
    Completions(Completions),
    /// Print the man page, or write those of all commands into a folder
    #[command(after_help = "\
Examples:
  scenewright man | man -l -
  scenewright man ~/.local/share/man/man1")]
    Man(Man),
    /// End what a server started when that server is gone; each server starts its own
    #[command(hide = true)]
    Watchdog,
}

/// Which projects to open.
#[derive(Debug, Args, Clone, Default)]
pub struct Projects {
    /// A project folder, or a folder of projects; may be given more than once
    #[arg(long = "project", value_name = "DIR")]
    pub folders: Vec<PathBuf>,
    /// The bundled samples, one per engine
    #[arg(long, conflicts_with = "folders")]
    pub sample: bool,
}

/// What the clients of a server may do, and what they see listed.
#[derive(Debug, Args, Clone, Default, PartialEq, Eq)]
pub struct Permissions {
    /// Let tools change projects
    #[arg(long)]
    pub allow_writes: bool,
    /// Let tools start an engine, which runs code of the project
    #[arg(long)]
    pub allow_runs: bool,
    /// Refuse every change, whatever else is said (also READ_ONLY_MODE=true)
    #[arg(long)]
    pub read_only: bool,
    /// Ask a person before each change and each run: in the client, or with `scenewright approve`
    #[arg(long)]
    pub require_confirm: bool,
    /// Refuse changes of a project while Unity has it open
    #[arg(long)]
    pub refuse_while_open: bool,
    /// Tool groups that MCP clients see listed, or `all`; without it a lean set
    #[arg(long, value_name = "A,B|all", value_delimiter = ',', add = complete::toolsets())]
    pub toolsets: Vec<String>,
    /// The highest tier on offer: core, tier1 … tier4 (or indie, pro, studio, enterprise)
    // Only EditorMCP's specification knows tiers; its page tells of the option.
    #[arg(long, value_name = "TIER", hide = true)]
    pub tier: Option<Tier>,
}

/// `scenewright serve`.
#[derive(Debug, Args, Clone, Default)]
pub struct Serve {
    /// Which projects.
    #[command(flatten)]
    pub projects: Projects,
    /// Let the tool project_open open projects below this folder, too; may be given more than once
    #[arg(long, value_name = "DIR")]
    pub allow_projects: Vec<PathBuf>,
    /// Serve the client on stdin and stdout
    #[arg(long)]
    pub stdio: bool,
    /// Serve HTTP: MCP at /mcp, a page for people at /
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = DEFAULT_HTTP)]
    pub http: Option<SocketAddr>,
    /// Serve length-prefixed frames over TCP
    #[arg(long, help_heading = OLDER, value_name = "ADDR", num_args = 0..=1, default_missing_value = DEFAULT_TCP)]
    pub tcp: Option<SocketAddr>,
    /// Serve EditorMCP over WebSocket
    #[arg(long, help_heading = OLDER, value_name = "ADDR", num_args = 0..=1, default_missing_value = DEFAULT_WS)]
    pub ws: Option<SocketAddr>,
    /// What clients may do.
    #[command(flatten)]
    pub may: Permissions,
    /// The secret that clients must show, except on stdio; `auto` makes one for this run and prints it
    #[arg(long, value_name = "TOKEN", env = "SCENEWRIGHT_TOKEN", hide_env_values = true)]
    pub token: Option<String>,
    /// A file whose first line is that secret
    #[arg(long, value_name = "FILE", conflicts_with = "token")]
    pub token_file: Option<PathBuf>,
    /// Settings in TOML; options here win over it
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Append a JSON line for every write and every refusal
    #[arg(long, value_name = "FILE")]
    pub audit: Option<PathBuf>,
    /// Calls that may run at once over the network; 0 for no limit
    #[arg(long, value_name = "N")]
    pub max_in_flight: Option<usize>,
    /// Calls per second of each listener; by default only WebSocket has a limit, 100 in 5 s
    #[arg(long, value_name = "N")]
    pub rate: Option<u32>,
    /// Most tokens in an answer to an MCP client, unless a call says `maxTokens`; 2800 by default
    #[arg(long, value_name = "N")]
    pub answer_tokens: Option<usize>,
    /// Add `structuredContent` to answers. The text has everything; this is for programs that want JSON
    #[arg(long)]
    pub structured: bool,
    /// Be unhealthy while no running engine is connected
    #[arg(long, help_heading = OLDER)]
    pub require_live: bool,
    /// The scene that the Unity Explorer interface begins with; the build's first by default
    #[arg(long, help_heading = OLDER, value_name = "PATH")]
    pub scene: Option<String>,
    /// Folder of the Unity Explorer interface: its mcp.config.json and its Scripts
    #[arg(long, help_heading = OLDER, value_name = "DIR")]
    pub explorer_home: Option<PathBuf>,
    /// Pass the Unity Explorer interface on to a running host: its URL, or `auto` for the one whose
    /// discovery file is on this machine
    #[arg(long, help_heading = OLDER, value_name = "URL|auto")]
    pub attach: Option<Attach>,
    /// The secret that this host asks for
    #[arg(long, help_heading = OLDER, value_name = "TOKEN", env = "SCENEWRIGHT_ATTACH_TOKEN", hide_env_values = true)]
    pub attach_token: Option<String>,
    /// What no tool writes; only a file has it.
    #[arg(skip)]
    pub protect: Vec<String>,
    /// Add what conformance suites look for. For tests only.
    #[arg(long, hide = true)]
    pub test_fixtures: bool,
}

/// `scenewright approve`.
#[derive(Debug, Args)]
pub struct Approve {
    /// Only the call that waits under this id
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Decline without a question
    #[arg(long, requires = "id")]
    pub decline: bool,
}

/// Which running host answers for the Unity Explorer interface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Attach {
    /// The one whose discovery file is on this machine.
    Auto,
    /// The one at this address.
    At(Address),
}

impl FromStr for Attach {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            url => url.parse().map(Self::At),
        }
    }
}

/// `scenewright call`.
#[derive(Debug, Args)]
pub struct Call {
    /// The tool, as project.info or project_info
    #[arg(required_unless_present = "help", add = complete::tools())]
    pub tool: Option<String>,
    /// Arguments; values are JSON where the tool does not want text
    #[arg(value_name = "key=value", add = complete::arguments())]
    pub arguments: Vec<String>,
    /// All arguments as one JSON object: itself, the file that has it, or `-` for standard input
    #[arg(long, value_name = "{...}|@FILE|-")]
    pub json: Option<String>,
    /// Which projects.
    #[command(flatten)]
    pub projects: Projects,
    /// Let the tool change the project
    #[arg(long)]
    pub allow_writes: bool,
    /// Let the tool start an engine, which runs code of the project
    #[arg(long)]
    pub allow_runs: bool,
    /// Refuse changes of a project while Unity has it open
    #[arg(long)]
    pub refuse_while_open: bool,
    /// Show what would change and change nothing; needs no --allow-writes
    #[arg(long)]
    pub dry_run: bool,
    /// For people or for programs; by default for people on a terminal, for programs elsewhere
    #[arg(long)]
    pub format: Option<Answer>,
    /// Print help, of a tool that is named: its arguments with examples
    #[arg(short, long)]
    pub help: bool,
}

/// A form of a tool's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Answer {
    /// Changes as a diff, the rest indented
    Text,
    /// All of it, as JSON
    Json,
    /// What an AI client shows its model, cut as it would be
    Model,
}

/// `scenewright tools`.
#[derive(Debug, Args)]
pub struct Tools {
    /// What about them.
    #[command(subcommand)]
    pub command: Option<ToolsCommand>,
}

/// What about the tools.
#[derive(Debug, Subcommand)]
pub enum ToolsCommand {
    /// List the tools
    List {
        /// Only those of these groups
        #[arg(value_name = "GROUP", add = complete::groups())]
        groups: Vec<String>,
        /// As this dialect's clients see them, as JSON
        #[arg(long, value_name = "DIALECT")]
        dialect: Option<DialectName>,
        /// For MCP all tools, not only those that its clients have listed at first
        #[arg(long, requires = "dialect")]
        all: bool,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Describe one tool
    Describe {
        /// The tool, by any of its names
        #[arg(add = complete::tools())]
        name: String,
        /// As this dialect's clients see it, as JSON
        #[arg(long, value_name = "DIALECT")]
        dialect: Option<DialectName>,
    },
    /// Check tool definitions in EditorMCP's JSON form (spec 003)
    Validate {
        /// JSON files: a definition, a list of them, or {"tools": [...]}
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
        /// v0.1 is the specification to the letter; open also takes what later tools use
        #[arg(long, default_value = "v0.1")]
        profile: ProfileName,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
}

/// A dialect with a tool list.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum DialectName {
    /// Standard MCP
    Mcp,
    /// EditorMCP
    Editor,
    /// Unity Explorer
    Explorer,
}

impl From<DialectName> for Dialect {
    fn from(name: DialectName) -> Self {
        match name {
            DialectName::Mcp => Self::Mcp,
            DialectName::Editor => Self::Editor,
            DialectName::Explorer => Self::Explorer,
        }
    }
}

/// How strictly definitions are read.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ProfileName {
    /// Spec 003 v0.1 to the letter
    #[value(name = "v0.1")]
    V01,
    /// What later tools use, too
    Open,
}

/// `scenewright check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Files, folders and patterns to report on, such as Assets/Prefabs, res://maps or '**/*.tscn'
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Which projects.
    #[command(flatten)]
    pub projects: Projects,
    /// Report only what was not there at this revision
    #[arg(long, value_name = "REF")]
    pub changed_since: Option<String>,
    /// Report only what a merge broke: what none of its parents has; the last commit, or the merge under way
    #[arg(long, value_name = "REF", num_args = 0..=1, require_equals = true, default_missing_value = "", conflicts_with = "changed_since")]
    pub merge: Option<String>,
    /// Leave out files that match this pattern, such as Assets/ThirdParty/**
    #[arg(long, value_name = "GLOB")]
    pub exclude: Vec<String>,
    /// Tell what a rule looks for and stop; without a rule, list them all
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "", add = complete::rules())]
    pub explain: Option<String>,
    /// List every finding by its file, not those of one cause together
    #[arg(long)]
    pub each: bool,
    /// How to report
    #[arg(long, default_value = "text")]
    pub format: Format,
    /// What makes the exit code 1
    #[arg(long, default_value = "error")]
    pub fail_on: FailOn,
    /// Report remarks that are usually harmless, too
    #[arg(long)]
    pub all: bool,
    /// Leave out what this file accepts, instead of the project's own scenewright-baseline.json
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Report what the project's baseline accepts, too
    #[arg(long, conflicts_with = "baseline")]
    pub no_baseline: bool,
    /// Accept everything that is found now: in the project's scenewright-baseline.json, or in this file
    #[arg(long, value_name = "FILE", conflicts_with_all = ["baseline", "no_baseline", "changed_since", "merge"])]
    pub write_baseline: Option<Option<PathBuf>>,
    /// Write the report to a file
    #[arg(long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

/// A form of report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people
    Text,
    /// Everything, for programs
    Json,
    /// SARIF 2.1.0
    Sarif,
    /// JUnit
    Junit,
    /// Workflow commands of GitHub
    Github,
    /// Code quality of GitLab
    Gitlab,
}

/// What makes a check fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum FailOn {
    /// Errors
    Error,
    /// Errors and warnings
    Warning,
    /// Nothing
    Never,
}

/// `scenewright tree`.
#[derive(Debug, Args)]
pub struct Tree {
    /// A scene or prefab: its path, or its name
    #[arg(value_name = "FILE", add = complete::scenes())]
    pub file: String,
    /// Which projects.
    #[command(flatten)]
    pub projects: Projects,
    /// How many levels to show; with --find, below what was found
    #[arg(long, value_name = "N")]
    pub depth: Option<usize>,
    /// Only objects or nodes with this in their name, and what they are below; `*` is any text
    #[arg(long, value_name = "NAME")]
    pub find: Option<String>,
    /// Show the components of each object; with --find also their values, in Godot the node's
    #[arg(long)]
    pub components: bool,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
