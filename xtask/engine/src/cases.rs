//! The examples of every Godot tool, run one by one in copies of the sample.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use scenewright_contract::Safety;
use scenewright_toolkit::{Example, Needs, Tool};
use scenewright_tools::GROUPS;
use serde_json::Value;

use crate::sandbox::{Changes, Sandbox};
use crate::session::{Reply, Session};

/// One example of a tool, and the calls that come before it.
pub(crate) struct Case {
    pub(crate) tool: &'static Tool,
    example: &'static Example,
    earlier: Vec<(&'static str, &'static str)>,
}

/// What a case left behind.
pub(crate) enum Left {
    /// Nothing, for this reason.
    Nothing(String),
    /// Files that the engine has to judge.
    Files(Changes),
    /// A project beside the sample.
    Project(PathBuf),
}

/// The programs that cases run with.
pub(crate) struct Programs {
    pub(crate) scenewright: PathBuf,
    pub(crate) godot: PathBuf,
    /// A Godot that can draw, where there is one.
    pub(crate) with_screen: Option<PathBuf>,
}

impl Programs {
    /// The Godot for a tool, or the words by which it has to say what is missing.
    fn godot_for(&self, needs: Needs) -> Result<&Path, &'static str> {
        match (needs, &self.with_screen) {
            (Needs::Nothing | Needs::Program, _) => Ok(&self.godot),
            (Needs::ProgramAndScreen, Some(godot)) => Ok(godot),
            (Needs::ProgramAndScreen, None) | (Needs::Editor | Needs::Game, _) => {
                Err(needs.without())
            }
        }
    }
}

/// Every example of the Godot tools that have `only` in their id.
pub(crate) fn cases(only: &str) -> Result<Vec<Case>> {
    let groups = GROUPS.iter().filter(|group| group.name.starts_with("godot"));
    let tools = groups.flat_map(|group| group.tools).filter(|tool| tool.id.contains(only));
    let mut cases = Vec::new();
    for tool in tools {
        let mut earlier: Vec<_> = tool.after.iter().map(|call| (call.tool, call.input)).collect();
        for example in tool.examples {
            cases.push(Case { tool, example, earlier: earlier.clone() });
            // An example may be about what the one above it left.
            earlier.push((tool.id, example.input));
        }
    }
    ensure!(!cases.is_empty(), "no Godot tool is called {only:?}");
    Ok(cases)
}

impl Case {
    /// Run the example in `copy`, a fresh copy of `pristine`.
    pub(crate) fn run(
        &self,
        programs: &Programs,
        copy: &Sandbox,
        pristine: &Sandbox,
    ) -> Result<Left> {
        let godot = programs.godot_for(self.tool.needs);
        let engine = godot.unwrap_or(&programs.godot);
        let mut session = Session::start(&programs.scenewright, copy, engine)?;
        for (tool, input) in &self.earlier {
            match session.call(tool, &parse(input)?)? {
                Reply::Refused(why) if godot.is_ok() => bail!("{tool} before it fails: {why}"),
                _ => {}
            }
        }
        let before = copy.contents()?;
        let reply = session.call(self.tool.id, &parse(self.example.input)?)?;
        session.end()?;
        let changes = Changes::between(&before, &copy.contents()?);
        match (godot, reply) {
            (Err(words), Reply::Refused(why)) => {
                ensure!(why.contains(words), "it refuses without {words:?}: {why}");
                ensure!(changes.is_empty(), "it refuses and changes {} files", changes.len());
                Ok(Left::Nothing(format!("refuses: {words}")))
            }
            (Err(words), Reply::Done(output)) => bail!("{words}, and still it answers {output}"),
            (Ok(_), Reply::Refused(why)) => bail!("the call fails: {why}"),
            (Ok(_), Reply::Done(output)) => self.check(&output, &changes, copy, pristine),
        }
    }

    /// The answer must be the one of the example, and true.
    fn check(
        &self,
        output: &Value,
        changes: &Changes,
        copy: &Sandbox,
        pristine: &Sandbox,
    ) -> Result<Left> {
        // Remarks beside what a tool answers are of this machine as well, such as that no templates are here.
        let mut said = output.clone();
        if parse(self.example.output)?.get("notes").is_none() {
            said.as_object_mut().map(|said| said.remove("notes"));
        }
        if let Some(expected) = self.example.instead_of(&said) {
            bail!("it answers {output}\nand not {expected}");
        }
        let is_dry = output["dryRun"] == true;
        if let Some(told) = output["filesChanged"].as_u64().filter(|_| !is_dry) {
            let is_told = (told == 0) == changes.is_empty();
            ensure!(is_told, "{told} changed files are told, {} are there", changes.len());
        }
        let reads = self.tool.safety == Safety::ReadOnly;
        ensure!(changes.is_empty() || !(reads || is_dry), "it changes {} files", changes.len());
        if !changes.is_empty() {
            return Ok(Left::Files(Changes::between(&pristine.contents()?, &copy.contents()?)));
        }
        if let Some(project) = copy.neighbour()? {
            return Ok(Left::Project(project));
        }
        let reason = match (reads, is_dry) {
            (true, _) => "answers as documented, changes nothing",
            (_, true) => "dry run, answers as documented, changes nothing",
            _ => "runs as documented, leaves no file to judge",
        };
        Ok(Left::Nothing(reason.to_owned()))
    }
}

fn parse(input: &str) -> Result<Value> {
    serde_json::from_str(input).context("the input of an example")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_example_comes_after_those_above_it() -> Result<()> {
        let cases = cases("godotProject.manageAutoloads")?;
        let earlier: Vec<usize> = cases.iter().map(|case| case.earlier.len()).collect();
        assert_eq!(earlier, [0, 1]);
        assert!(super::cases("godotNothing").is_err());
        Ok(())
    }

    #[test]
    fn what_is_missing_has_to_be_said() {
        let programs =
            Programs { scenewright: "s".into(), godot: "godot".into(), with_screen: None };
        assert_eq!(programs.godot_for(Needs::Program), Ok(Path::new("godot")));
        assert_eq!(programs.godot_for(Needs::ProgramAndScreen), Err("no screen to draw on"));
        assert_eq!(programs.godot_for(Needs::Editor), Err("no editor is connected"));
    }
}
