//! The command line of differences and merges.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `scenewright merge`.
#[derive(Debug, Args)]
pub struct Merge {
    /// Files that are in conflict; or BASE OURS THEIRS, three versions of one
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// All files in conflict of the repository
    #[arg(long, conflicts_with = "files")]
    pub all: bool,
    /// Decide a conflict: its field, its number in the list, or `all`
    #[arg(long, value_name = "FIELD=ours|theirs|base")]
    pub resolve: Vec<String>,
    /// Only tell what is in conflict; write nothing
    #[arg(long)]
    pub list: bool,
    /// Take BASE OURS THEIRS as three files, and write the result here; `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// The name of the file that the three are versions of, when theirs does not tell
    #[arg(long, value_name = "NAME", requires = "output")]
    pub path: Option<PathBuf>,
    /// `git add` what has no conflict left
    #[arg(long)]
    pub add: bool,
    /// Merge again even if somebody has edited the file since
    #[arg(long)]
    pub force: bool,
    /// As JSON
    #[arg(long)]
    pub json: bool,
}

/// `scenewright git`.
#[derive(Debug, Args)]
pub struct Git {
    /// What to do.
    #[command(subcommand)]
    pub command: GitCommand,
}

/// What `scenewright git` does.
#[derive(Debug, Subcommand)]
pub enum GitCommand {
    /// Let git merge and show scenes with this program
    #[command(after_help = "\
Examples:
  scenewright git install                 in this repository: .gitattributes and .git/config
  scenewright git install --global        for all repositories of this user
  scenewright git install --check         whether it is set up; exit 1 when it is not

The lines of .gitattributes are for everybody and can be committed; the program itself is named in the
configuration of each clone, as git wants it. Should the program be gone, git merges by line.")]
    Install(GitInstall),
    /// Take that back
    Uninstall(GitScope),
    /// Merge one file, as git calls it; the result is in the second file
    #[command(
        override_usage = "scenewright git merge-driver [OPTIONS] -- BASE OURS THEIRS PATH",
        after_help = "\
Exit code 0 when merged, verified and read back; 1 with conflicts or when git's own merge was used instead.
The line that `scenewright git install` writes: merge-driver --marker-size %L -- %O %A %B %P"
    )]
    MergeDriver(MergeDriver),
    /// Merge a branch into this one with this program, for servers that run no drivers
    MergeBaseIn(MergeBaseIn),
    /// A file as text that git can show differences of
    #[command(hide = true)]
    Textconv {
        /// The file.
        file: PathBuf,
    },
}

/// Which configuration.
#[derive(Debug, Args, Clone, Default)]
pub struct GitScope {
    /// For all repositories of this user
    #[arg(long)]
    pub global: bool,
    /// The repository; the one of the current folder by default
    #[arg(long, value_name = "DIR", conflicts_with = "global")]
    pub repository: Option<PathBuf>,
}

/// `scenewright git install`.
#[derive(Debug, Args)]
pub struct GitInstall {
    /// Which configuration.
    #[command(flatten)]
    pub scope: GitScope,
    /// Only tell whether it is set up; exit 1 when it is not
    #[arg(long)]
    pub check: bool,
}

/// `scenewright git merge-driver`.
#[derive(Debug, Args)]
pub struct MergeDriver {
    /// BASE is what both started from, OURS is also where the result goes, and PATH is the path in the
    /// repository, which tells what the file is. From BASE on nothing is an option but what follows PATH
    // A path may begin with `-`, and the driver line of 0.1.0 has no `--` before it.
    #[arg(
        value_name = "BASE OURS THEIRS PATH",
        required = true,
        num_args = 1..,
        trailing_var_arg = true,
        allow_hyphen_values = true
    )]
    pub versions: Vec<OsString>,
    /// The length of conflict markers, where git's own merge is used
    #[arg(long, value_name = "N")]
    pub marker_size: Option<u32>,
    /// Write what was decided and what is in conflict as JSON
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
}

/// `scenewright git merge-base-in`.
#[derive(Debug, Args)]
pub struct MergeBaseIn {
    /// The branch that comes in, such as origin/main
    pub branch: String,
    /// The repository; the one of the current folder by default
    #[arg(long, value_name = "DIR")]
    pub repository: Option<PathBuf>,
}

/// `scenewright diff`.
#[derive(Debug, Args)]
pub struct Diff {
    /// Two files, of which one may be `-` for standard input; or files and folders of the repository
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// The revision before; without it HEAD, or two files
    #[arg(long, value_name = "REV")]
    pub from: Option<String>,
    /// The revision after; without it the work tree
    #[arg(long, value_name = "REV")]
    pub to: Option<String>,
    /// What is staged, instead of the work tree
    #[arg(long, alias = "cached", conflicts_with = "to")]
    pub staged: bool,
    /// Only how much changed in each file
    #[arg(long)]
    pub stat: bool,
    /// For people, for programs, for a pull request, or as a page
    #[arg(long, value_enum, default_value = "text")]
    pub format: DiffFormat,
    /// Every change, also of what is many times alike
    #[arg(long)]
    pub all: bool,
    /// What the two files are versions of, when their names do not tell
    #[arg(long, value_name = "NAME")]
    pub name: Option<PathBuf>,
    /// Exit code 1 when there are differences
    #[arg(long)]
    pub exit_code: bool,
}

/// How differences are told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum DiffFormat {
    /// A tree for people.
    Text,
    /// All of it for programs.
    Json,
    /// For a remark on a pull request.
    Markdown,
    /// A page.
    Html,
}
