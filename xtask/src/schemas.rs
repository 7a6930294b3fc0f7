//! Documents judged by the schemas that the keepers of their formats publish.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::{install, paths, process};

const LIMIT: Duration = Duration::from_secs(120);

/// A format that has a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// A list of what a program is made of.
    CycloneDx,
    /// An entry of the registry of MCP servers.
    McpServer,
    GithubWorkflow,
    GithubAction,
    GitlabPipeline,
    /// What a check found, for code hosts.
    Sarif,
    /// The same for GitLab, by our own words of what its documentation asks for: it has no schema.
    GitlabQuality,
}

/// What judges, installed.
#[derive(Debug)]
pub(crate) struct Judge {
    python: PathBuf,
    sarif: PathBuf,
}

impl Judge {
    pub(crate) fn install() -> Result<Judge> {
        Ok(Judge { python: install::schemas()?, sarif: install::sarif_schema()? })
    }

    /// A Python that reads YAML.
    pub(crate) fn python(&self) -> &Path {
        &self.python
    }

    /// Nothing is wrong with the file, and something is as soon as `broken` stands in it for `whole`:
    /// a schema that takes everything judges nothing.
    pub(crate) fn judge(
        &self,
        form: Form,
        file: &Path,
        (whole, broken): (&str, &str),
    ) -> Result<()> {
        self.accepts(form, file)?;
        let text = fs::read_to_string(file)?;
        ensure!(text.contains(whole), "{} has no {whole:?} to break", file.display());
        let folder = paths::target().join("judged");
        fs::create_dir_all(&folder)?;
        let copy = folder.join(file.file_name().context("a file has a name")?);
        fs::write(&copy, text.replacen(whole, broken, 1))?;
        if self.accepts(form, &copy).is_ok() {
            bail!("the schema takes {} with {broken:?} for {whole:?}", file.display());
        }
        println!("{} is as its schema has it", file.display());
        Ok(())
    }

    fn accepts(&self, form: Form, file: &Path) -> Result<()> {
        let own = paths::asset("gitlab_quality.schema.json");
        let (kind, schema) = match form {
            Form::CycloneDx => ("cyclonedx", None),
            Form::McpServer => ("server", None),
            Form::GithubWorkflow => ("github-workflows", None),
            Form::GithubAction => ("github-actions", None),
            Form::GitlabPipeline => ("gitlab-ci", None),
            Form::Sarif => ("schema", Some(&self.sarif)),
            Form::GitlabQuality => ("schema", Some(&own)),
        };
        let mut command = Command::new(&self.python);
        command.arg(paths::asset("judge.py")).arg(kind).arg(file).args(schema);
        let said = process::capture(&mut command, LIMIT)?;
        ensure!(said.status.success(), "{}: {}{}", file.display(), said.stdout, said.stderr);
        Ok(())
    }
}
