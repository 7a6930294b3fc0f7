//! Pages of the book that are made from the code: the configuration, and the command line.

use std::fmt::Write;

use clap::{Command, CommandFactory};

use super::settings::{ENVIRONMENT, SETTINGS};
use crate::cli::Cli;

/// `docs/configuration.md`.
pub fn configuration() -> String {
    let mut page = String::from(
        "# Configuration and environment\n\n\
         Made from the code by `cargo xtask docs`. `scenewright config` prints what is in force where you\n\
         are, and where each value comes from.\n\n\
         1. What is typed wins.\n\
         2. Then the environment, for the two options that have a variable.\n\
         3. Then the file that `--config FILE` names. No file is read without it, so that a project cannot\n   \
            give anybody powers; only `[check]` is read from the project's own `scenewright.toml`.\n\
         4. Then the default.\n\n\
         `READ_ONLY_MODE=true` stands above all of them: nothing is written.\n\n\
         ## Options of `serve`\n\n\
         | option | without it | in a file | |\n|---|---|---|---|\n",
    );
    let all = Cli::command();
    let serve = all.find_subcommand("serve").map(|serve| serve.get_arguments().collect::<Vec<_>>());
    for setting in SETTINGS {
        let arguments = serve.iter().flatten();
        let about = arguments
            .filter(|argument| argument.get_long() == Some(setting.key))
            .find_map(|argument| argument.get_help())
            .map_or_else(String::new, |help| cell(&help.to_string()));
        let file =
            setting.example.map_or("–".to_owned(), |text| format!("`{} = {text}`", setting.key));
        let _ = writeln!(page, "| `--{}` | {} | {file} | {about} |", setting.key, setting.default);
    }
    page.push_str(
        "\nPaths in a file are meant from where the file is. Every key once:\n\n```toml\n",
    );
    for setting in SETTINGS {
        if let Some(example) = setting.example {
            let _ = writeln!(page, "{} = {example}", setting.key);
        }
    }
    page.push_str(
        "\n[check]\nexclude = [\"Assets/ThirdParty/**\"]\n\n[check.rules]\nscript-name-differs = \"off\"\n```\n\n\
         ## What `check` is told by a project\n\n\
         The table `[check]` of `scenewright.toml` at the project's root holds for everybody who checks it:\n\
         `exclude` has patterns of files that are left out, `[check.rules]` says for a rule `off`, `info`,\n\
         `warning` or `error`. [The rules](rules.md) have the names. `scenewright init` writes such a file.\n\n\
         ## Environment\n\n| variable | |\n|---|---|\n",
    );
    for variable in ENVIRONMENT {
        let _ = writeln!(page, "| `{}` | {} |", variable.name, cell(variable.about));
    }
    page
}

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
