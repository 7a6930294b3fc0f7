//! `cargo xtask clients`: real AI clients and libraries, installed from their registries and driven by a model of ours,
//! on this machine alone. What the server answers has to reach the model whole, and once.

mod facts;
mod judge;
mod listen;
mod model;
mod page;
mod plan;
mod recipe;
mod recipes;
mod run;
mod tap;
mod traffic;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::{Result, bail, ensure};

use crate::{binary, install};
use facts::Facts;
use judge::Verdict;
use plan::{MEASURED, STEPS, Step, Wants};
use recipe::Recipe;
use run::{Ran, Way};
use tap::Spoil;
pub(crate) use tap::stand_in;

const USAGE: &str =
    "usage: cargo xtask clients [all] [--only NAME]... [--committed] [--write-docs] | --list";

#[derive(Debug, Default, PartialEq)]
struct Options<'a> {
    all: bool,
    list: bool,
    committed: bool,
    write_docs: bool,
    only: Vec<&'a str>,
}

fn parse<'a>(mut args: &[&'a str]) -> Result<Options<'a>> {
    let mut options = Options::default();
    while let [first, rest @ ..] = args {
        args = rest;
        match (*first, rest) {
            ("all", _) => options.all = true,
            ("--list", _) => options.list = true,
            ("--committed", _) => options.committed = true,
            ("--write-docs", _) => options.write_docs = true,
            ("--only", [name, rest @ ..]) => {
                let known = recipes::all().any(|recipe| recipe.name == *name);
                ensure!(
                    known,
                    "no client is called `{name}`; `cargo xtask clients --list` has all"
                );
                options.only.push(name);
                args = rest;
            }
            _ => bail!("{USAGE}"),
        }
    }
    Ok(options)
}

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let options = parse(args)?;
    if options.list {
        list();
        return Ok(());
    }
    let is_chosen = |recipe: &&Recipe| {
        let is_named = match options.only.is_empty() {
            true => options.all || recipe.in_ci,
            false => options.only.contains(&recipe.name),
        };
        is_named && (recipe.reads_project || !options.committed)
    };
    let server = binary::tested()?;
    let Some(node) = install::or_notice("Node", install::node())? else { return Ok(()) };
    let kept = facts::kept()?;
    let steps = if options.write_docs { MEASURED } else { STEPS };
    let way = Way { steps, spoil: Spoil::Nothing, is_committed: options.committed };
    let mut clients = Vec::new();
    for recipe in recipes::all().filter(is_chosen) {
        let started = Instant::now();
        let installed = install::or_notice(recipe.title, recipe.install())?;
        let took = started.elapsed().as_secs_f64();
        if took > 0.5 {
            println!("{}: installed in {took:.1} s", recipe.name);
        }
        clients.extend(installed.map(|folder| Client {
            recipe,
            folder,
            node: &node,
            server: &server,
        }));
    }
    let (mut seen, mut failed) = (Vec::new(), Vec::new());
    for (client, facts) in run_all(&clients, way) {
        let Some(facts) = facts else {
            failed.push(client.recipe.name);
            continue;
        };
        let differences = facts.differences(&kept);
        if !differences.is_empty() && !options.write_docs {
            let name = client.recipe.name;
            println!("{name} is not as docs/clients.md has it: {}", differences.join("; "));
            println!("  `cargo xtask clients --only {name} --write-docs` keeps what is so now");
            failed.push(name);
        }
        seen.push((client, facts));
    }
    // The last ones are libraries, which are quick.
    if let Some((client, _)) = seen.last() {
        client.control(way)?;
    }
    if options.write_docs {
        page::write(&facts::keep(seen.into_iter().map(|(_, facts)| facts).collect())?)?;
    }
    ensure!(failed.is_empty(), "not as they should be: {}", failed.join(", "));
    Ok(())
}

/// Whether what became of a step is good enough of a client that is known to tell errors twice.
fn passes(recipe: &Recipe, step: &Step, verdict: &Verdict) -> bool {
    let is_told_again = step.wants == Wants::Error && matches!(verdict, Verdict::Twice(_));
    verdict.is_good() || is_told_again && recipe.repeats_errors
}

/// As many at once as there are cores: clients spend much of their time waiting.
fn run_all<'a>(clients: &'a [Client<'a>], way: Way) -> Vec<(&'a Client<'a>, Option<Facts>)> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    let work = || {
        while let Some((at, client)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            clients.get(at).map(|client| (at, client))
        } {
            let facts = client.passes(way);
            done.lock().expect("nobody panics while holding it").push((at, client, facts));
        }
    };
    thread::scope(|scope| {
        let places = thread::available_parallelism().map_or(1, usize::from);
        (0..places).for_each(|_| drop(scope.spawn(work)));
    });
    let mut done = done.into_inner().expect("the workers have ended");
    done.sort_by_key(|(at, ..)| *at);
    done.into_iter().map(|(_, client, facts)| (client, facts)).collect()
}

/// Install the clients that CI runs.
pub(crate) fn install() -> Result<()> {
    recipes::all().filter(|recipe| recipe.in_ci).try_for_each(|recipe| recipe.install().map(drop))
}

/// Write the page again, of what is kept.
pub(crate) fn write_page() -> Result<()> {
    page::write(&facts::kept()?)
}

fn list() {
    for recipe in recipes::all() {
        let place = if recipe.in_ci { "CI" } else { "by hand" };
        println!("{:18} {:32} {:10} {place}", recipe.name, recipe.title, recipe.version());
    }
}

/// A client that is installed.
struct Client<'a> {
    recipe: &'a Recipe,
    folder: PathBuf,
    node: &'a Path,
    server: &'a Path,
}

impl Client<'_> {
    fn run(&self, way: Way) -> Result<(Ran, Vec<Verdict>)> {
        let ran = run::run(self.recipe, &self.folder, self.node, self.server, way)?;
        let verdicts = judge::judge(way.steps, &ran.traffic.exchanges, &ran.requests);
        Ok((ran, verdicts))
    }

    /// Run it and say what was seen; nothing where an answer was lost.
    fn passes(&self, way: Way) -> Option<Facts> {
        let (name, version) = (self.recipe.name, self.recipe.version());
        let (ran, verdicts) = match self.run(way) {
            Ok(ran) => ran,
            Err(error) => {
                println!("{name} {version}: could not run: {error:#}");
                return None;
            }
        };
        let facts = Facts::of(self.recipe, &ran, &verdicts);
        let passes = |step: &Step, verdict: &Verdict| passes(self.recipe, step, verdict);
        let is_good = way.steps.iter().zip(&verdicts).all(|(step, one)| passes(step, one));
        let how = if is_good { "every answer whole, and once," } else { "FAILED" };
        let Facts { protocol, picture, .. } = &facts;
        let mut report = format!(
            "{name} {version}: {how} in {:.1} s, {protocol}, picture {picture}",
            ran.seconds
        );
        let steps = way.steps.iter().zip(&verdicts).enumerate();
        for (at, (step, verdict)) in steps.filter(|(_, (step, one))| !passes(step, one)) {
            let told = judge::beginning(&ran.requests, at);
            report += &format!("\n  {}: {verdict}; the model was sent: {told}", step.tool);
        }
        if !is_good {
            report += &format!("\n{}", ran.said.trim_end());
        }
        // In one piece: others report at the same time.
        println!("{report}");
        is_good.then_some(facts)
    }

    /// The judge has to see answers that are cut or doubled on their way.
    fn control(&self, way: Way) -> Result<()> {
        for (spoil, sees) in [
            (Spoil::Cut, (|verdict| matches!(verdict, Verdict::Cut(_))) as fn(&Verdict) -> bool),
            // What has become twice as long may be cut by the client.
            (Spoil::Double, |verdict| matches!(verdict, Verdict::Twice(_) | Verdict::Cut(_))),
        ] {
            let (ran, verdicts) = self.run(Way { steps: STEPS, spoil, ..way })?;
            let judged = STEPS.iter().zip(&verdicts).filter(|(step, _)| step.has_text());
            // Of an answer that lost its cursor there is no second page.
            let judged = judged.filter(|(_, verdict)| !matches!(verdict, Verdict::Missing(_)));
            let (seen, all) = judged.fold((0, 0), |(seen, all), (_, verdict)| {
                (seen + usize::from(sees(verdict)), all + 1)
            });
            let what =
                format!("control with {}: {spoil:?} was seen in {seen} of {all}", self.recipe.name);
            ensure!(seen == all && all > 5, "{what} {verdicts:?}\n{}", ran.said);
            println!("{what} answers");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_errors_may_be_told_twice_and_only_by_whom_it_is_known() {
        let known = Recipe { repeats_errors: true, ..recipe::EMPTY };
        let twice = Verdict::Twice(String::new());
        for step in STEPS {
            assert_eq!(passes(&known, step, &twice), step.wants == Wants::Error);
            assert!(!passes(&recipe::EMPTY, step, &twice));
            assert!(!passes(&known, step, &Verdict::Cut(50)));
        }
    }

    #[test]
    fn reads_options() {
        assert_eq!(
            parse(&["--only", "codex", "--only", "cline"]).unwrap().only,
            ["codex", "cline"]
        );
        assert!(parse(&["all", "--write-docs"]).unwrap().write_docs);
        assert!(parse(&["codex"]).is_err());
        assert!(parse(&["--only", "emacs"]).unwrap_err().to_string().contains("--list"));
    }
}
