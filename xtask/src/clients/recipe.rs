//! How a client is installed, told of the server and of the model, and started: data, and what fills it in.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::json;

use crate::{install, paths};

/// A client, or a library that people make one with.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recipe {
    /// What `--only` takes.
    pub(super) name: &'static str,
    /// What people call it.
    pub(super) title: &'static str,
    pub(super) package: Package,
    pub(super) told: Told,
    /// Places and texts. A place that begins with `~/` is below the home folder, another one below the project.
    pub(super) files: &'static [(&'static str, &'static str)],
    pub(super) env: &'static [(&'static str, &'static str)],
    /// What the same program is run with once before.
    pub(super) before: &'static [&'static str],
    pub(super) start: Start,
    /// Whether it tells its model every error twice, whichever server it is of.
    pub(super) repeats_errors: bool,
    /// What else people have to know.
    pub(super) remark: &'static str,
    /// Whether it reads an entry in the project without asking a person first.
    pub(super) reads_project: bool,
    /// Whether CI has the time for it.
    pub(super) in_ci: bool,
}

/// What has to be installed; the first package is the client, all have their versions.
#[derive(Debug, Clone, Copy)]
pub(super) enum Package {
    Npm(&'static [&'static str]),
    /// With the Python that it needs.
    Python(&'static str, &'static [&'static str]),
}

/// How a client comes to know the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Told {
    /// By `scenewright install` with this name.
    Install(&'static str),
    /// By its files or its arguments, written by hand.
    ByHand,
    /// By the environment, which a program of ours reads.
    Environment,
}

/// What is started.
#[derive(Debug, Clone, Copy)]
pub(super) enum Start {
    /// A program of the package with its arguments.
    Program(&'static str, &'static [&'static str]),
    /// A script of ours in `assets/clients`, by Node or Python as the package has it.
    Script(&'static str),
}

/// A recipe with nothing in it.
pub(super) const EMPTY: Recipe = Recipe {
    name: "",
    title: "",
    package: Package::Npm(&[]),
    told: Told::ByHand,
    files: &[],
    env: &[],
    before: &[],
    start: Start::Script(""),
    repeats_errors: false,
    remark: "",
    reads_project: false,
    in_ci: false,
};

/// What stands for the words in braces.
#[derive(Debug)]
pub(super) struct Words {
    /// The address of the model, without a path.
    pub(super) model: String,
    pub(super) home: PathBuf,
    pub(super) project: PathBuf,
    /// The program that is the server's.
    pub(super) server: PathBuf,
    pub(super) args: Vec<String>,
}

impl Words {
    /// A text with its words filled in; in a file they stand between quotation marks, but for `{args}`.
    pub(super) fn fill(&self, text: &str, is_file: bool) -> String {
        let path = |path: &Path| {
            let path = path.to_string_lossy();
            match is_file {
                // JSON, TOML and YAML quote a backslash in the same way.
                true => path.replace('\\', "\\\\"),
                false => path.into_owned(),
            }
        };
        text.replace("{model}", &self.model)
            .replace("{home}", &path(&self.home))
            .replace("{project}", &path(&self.project))
            .replace("{server}", &path(&self.server))
            .replace("{args}", &json!(self.args).to_string())
            .replace("{prompt}", PROMPT)
    }
}

/// What the person behind the client says.
const PROMPT: &str = "Look at the scene, and use the scenewright tools for it.";

impl Package {
    fn all(self) -> &'static [&'static str] {
        match self {
            Package::Npm(all) | Package::Python(_, all) => all,
        }
    }
}

impl Recipe {
    /// The version of the client.
    pub(super) fn version(&self) -> &'static str {
        let first = self.package.all().first().copied().unwrap_or_default();
        first.rsplit(['@', '=']).next().unwrap_or_default()
    }

    /// Install it, once, and say where.
    pub(super) fn install(&self) -> Result<PathBuf> {
        match self.package {
            Package::Npm(packages) => install::npm_client(self.name, packages),
            Package::Python(python, packages) => {
                install::python_client(self.name, python, packages)
            }
        }
    }

    /// What is started, in a folder that it was installed in, with `node` being the Node that runs it.
    pub(super) fn command(&self, folder: &Path, node: &Path, words: &Words) -> Result<Command> {
        let (name, args) = match self.start {
            Start::Program(name, args) => (name, args),
            Start::Script(name) => return self.script(folder, node, name),
        };
        let mut command = Command::new(self.program(folder, name));
        command.args(args.iter().map(|arg| words.fill(arg, false)));
        Ok(command)
    }

    /// What is run once before.
    pub(super) fn preparation(&self, folder: &Path, words: &Words) -> Option<Command> {
        let Start::Program(name, _) = self.start else { return None };
        let mut command = Command::new(self.program(folder, name));
        command.args(self.before.iter().map(|arg| words.fill(arg, false)));
        (!self.before.is_empty()).then_some(command)
    }

    fn program(&self, folder: &Path, name: &str) -> PathBuf {
        match self.package {
            Package::Npm(_) if cfg!(windows) => {
                folder.join("node_modules/.bin").join(format!("{name}.cmd"))
            }
            Package::Npm(_) => folder.join("node_modules/.bin").join(name),
            Package::Python(..) => {
                let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
                install::venv_python(folder).with_file_name(name)
            }
        }
    }

    fn script(&self, folder: &Path, node: &Path, name: &str) -> Result<Command> {
        let asset = paths::asset("clients").join(name);
        if let Package::Python(..) = self.package {
            let mut command = Command::new(install::venv_python(folder));
            // Without the script's folder among those of the packages: scripts are called as what they import.
            command.arg("-P").arg(asset);
            return Ok(command);
        }
        // Node looks for packages from where a script lies.
        let copy = folder.join(name);
        std::fs::copy(&asset, &copy).with_context(|| asset.display().to_string())?;
        let mut command = Command::new(node);
        command.arg(copy);
        Ok(command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_those_of_the_first_package() {
        let npm = Recipe { package: Package::Npm(&["@a/b@1.2.3", "c@4"]), ..EMPTY };
        let python = Recipe { package: Package::Python("3.11", &["a[b,c]==2.0"]), ..EMPTY };
        assert_eq!((npm.version(), python.version()), ("1.2.3", "2.0"));
    }

    #[test]
    fn words_are_quoted_in_files() {
        let words = Words {
            model: "http://m".to_owned(),
            home: PathBuf::from("h"),
            project: PathBuf::from("p"),
            server: PathBuf::from(r"C:\bin\s.exe"),
            args: vec!["serve".to_owned()],
        };
        let text = r#"{"command":"{server}","args":{args}}"#;
        assert_eq!(words.fill(text, true), r#"{"command":"C:\\bin\\s.exe","args":["serve"]}"#);
        assert_eq!(words.fill("{server}", false), r"C:\bin\s.exe");
    }
}
