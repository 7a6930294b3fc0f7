//! Pages of the book that are made from the code: the configuration, and the command line.

use std::fmt::Write;

use clap::{Arg, Command, CommandFactory};

use super::settings::{ENVIRONMENT, SETTINGS, Setting};
use crate::cli::{Cli, OLDER};

/// `docs/configuration.md`.
pub fn configuration() -> String {
    let all = Cli::command();
    let arguments: Vec<&Arg> =
        all.find_subcommand("serve").into_iter().flat_map(Command::get_arguments).collect();
    let of = |setting: &Setting| {
        arguments.iter().copied().find(|argument| argument.get_long() == Some(setting.key))
    };
    let is_older = |setting: &Setting| of(setting).and_then(Arg::get_help_heading) == Some(OLDER);
    let is_shown = |setting: &Setting| of(setting).is_some_and(|argument| !argument.is_hide_set());
    let row = |setting: &Setting| {
        let about = of(setting)
            .and_then(Arg::get_help)
            .map_or_else(String::new, |help| cell(&help.to_string()));
        let file =
            setting.example.map_or("–".to_owned(), |text| format!("`{} = {text}`", setting.key));
        format!("| `--{}` | {} | {file} | {about} |\n", setting.key, setting.default)
    };
    let rows = |older: bool| -> String {
        SETTINGS.iter().filter(|one| is_shown(one) && is_older(one) == older).map(row).collect()
    };
    let example = |older: bool| -> String {
        let shown = SETTINGS.iter().filter(|one| is_shown(one) && is_older(one) == older);
        shown.filter_map(|one| Some(format!("{} = {}\n", one.key, one.example?))).collect()
    };
    let variables: String = ENVIRONMENT
        .iter()
        .map(|variable| format!("| `{}` | {} |\n", variable.name, cell(variable.about)))
        .collect();
    let head = "| option | without it | in a file | |\n|---|---|---|---|\n";
    format!(
        "{OPENING}\n## Options of `serve`\n\n{head}{}\nPaths in a file are relative to the file. Every key once:\n\n\
         ```toml\n{}{TABLES}```\n\n{PROJECT}\n## Environment\n\n| variable | |\n|---|---|\n{variables}\n{WRITTEN}\n\
         ## {OLDER}\n\nOnly for clients of [older protocols](protocols.md):\n\n{head}{}\n```toml\n{}```\n",
        rows(false),
        example(false),
        rows(true),
        example(true),
    )
}

const OPENING: &str = "\
# Configuration and environment

Made from the code by `cargo xtask docs`. `scenewright config` prints what is in force where you
are, and where each value comes from.

1. What you type wins.
2. Then the environment, for the two options that have a variable.
3. Then the file that `--config FILE` names. No file is read without it, so that a project cannot
   give itself powers. `[check]` and `[protect]` are also read from the project's own `scenewright.toml`:
   they only leave out findings and forbid writes.
4. Then the default.

`READ_ONLY_MODE=true` overrides all of them: nothing is written.
";

const TABLES: &str = "
[protect]
paths = [\"Assets/ThirdParty\"]

[check]
exclude = [\"Assets/ThirdParty/**\"]

[check.rules]
script-name-differs = \"off\"
";

const PROJECT: &str = "\
## The project's own file

A project may have a `scenewright.toml` at its root; commit it, and it holds for everybody.
`scenewright init` writes one.

`[check]`: `exclude` has patterns of files that are left out, `baseline` names the file with accepted findings
(`scenewright-baseline.json` by default), `[[check.allow]]` allows
[single findings](check.md#one-finding-that-is-as-it-should-be), `[check.rules]` sets a rule to `off`, `info`,
`warning` or `error`. [The rules](rules.md) have the names.

`[protect]`: `paths` has patterns of files and folders that no tool writes, moves or deletes: not in a batch, not in
an undo, not through a link, whatever powers the server has. The `.meta`, `.import` or `.uid` file beside a protected
file is protected with it. Letter case does not matter, and `*` matches within one folder, `**` across folders:

```toml
[protect]
paths = [
  \"Assets/ThirdParty\",      # a folder and all that is below it
  \"**/*.shader\",            # every shader
  \"ProjectSettings\",
]
```

A call that would change such a file fails, a dry run too, and the error names the pattern. The file is read before
every write, so an edit holds at once. As soon as it protects something, no tool can change `scenewright.toml`
itself. If it cannot be read, nothing is written. In the file of `--config`, `[protect]` holds for every project that the
server opens. What an engine writes that a tool started (`--allow-runs`), and what you run yourself, such as
`git merge`, is not covered.
";

const WRITTEN: &str = "\
## What is written, and where

Tools write nothing outside of the project, except for files that you name, such as the target of an export. The
program itself keeps:

| | Linux | macOS | Windows |
|---|---|---|---|
| cache: indexes of projects, the unpacked samples; can be deleted | `~/.cache/scenewright` | `~/Library/Caches/scenewright` | `%LOCALAPPDATA%\\scenewright\\cache` |
| state: the history for undo (with the old content of changed files), its key, calls that wait for `approve` | `~/.local/state/scenewright` | `~/Library/Application Support/scenewright` | `%LOCALAPPDATA%\\scenewright\\data` |

`XDG_CACHE_HOME` and `XDG_STATE_HOME` move them on Linux. Without a state folder the history is in `.scenewright` in the
project. Besides:

| when | what |
|---|---|
| a change is being made | `.scenewright/` in the project, gone afterwards |
| `install` | the settings of the client that you name, with a copy beside them (`.before-scenewright`) |
| `install godot-addon` | `addons/scenewright` and two lines of `project.godot`; a running Godot then keeps a token in `.godot/scenewright` |
| `git install` | `.gitattributes`, `.git/config`, `.git/info/exclude` |
| `init` | `scenewright.toml`, and what you ask for: a CI recipe, a section of `AGENTS.md` |
| a Godot or Unity is started | scratch folders in the folder for temporary files |

There is no telemetry: the program connects to nothing but engines on this machine and the addresses that you give it.
";

/// `docs/command-line.md`.
pub fn command_line() -> String {
    let mut page = String::from(
        "# The command line\n\nMade from the code by `cargo xtask docs`: what `--help` says. `scenewright man DIR` writes the same\n\
         as man pages, `scenewright completions SHELL` is for the shell.\n",
    );
    let mut all = Cli::command().term_width(100);
    all.build();
    add(&mut page, &mut all, 2);
    page
}

fn add(page: &mut String, command: &mut Command, level: usize) {
    let name = command.get_bin_name().unwrap_or(command.get_name()).to_owned();
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.trim_end().lines().map(str::trim_end).collect();
    let _ =
        write!(page, "\n{} `{name}`\n\n```text\n{}\n```\n", "#".repeat(level), lines.join("\n"));
    for below in command.get_subcommands_mut() {
        if below.get_name() != "help" && !below.is_hide_set() {
            add(page, below, level + 1);
        }
    }
}

/// A text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_protocols_have_a_part_of_the_page_and_tiers_none() {
        let page = configuration();
        let (usual, older) = page.split_once("\n## Older protocols\n").unwrap();
        for option in ["--ws", "--tcp", "--attach", "--explorer-home", "--scene", "--require-live"]
        {
            let row = format!("\n| `{option}` |");
            assert!(!usual.contains(&row) && older.contains(&row), "{option}");
        }
        assert!(!page.contains("tier"), "who does not know EditorMCP would ask what costs money");
    }

    #[test]
    fn docs_of_configuration_and_command_line_are_fresh() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        for (name, rendered) in
            [("configuration.md", configuration()), ("command-line.md", command_line())]
        {
            let path = docs.join(name);
            if std::env::var_os("UPDATE_DOCS").is_some() {
                std::fs::write(&path, &rendered).unwrap();
            }
            let written = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
            assert!(written == rendered, "docs/{name} is stale; run `cargo xtask docs`");
        }
    }
}
