//! `cargo xtask dist --try`: what was packed is installed into empty folders, without a network and
//! without a compiler, started, and greeted as clients do.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::facts::{Facts, NAME, Target};
use super::program::Program;
use super::{SUMS, archive, bundle, everything, recipes, write};
use crate::bench::pipe::Pipe;
use crate::process::{self, Captured};
use crate::schemas::{Form, Judge};
use crate::server::Server;
use crate::{install, paths};

const LIMIT: Duration = Duration::from_secs(120);

pub(super) fn run(facts: &Facts, binary: &Path) -> Result<()> {
    let folder = paths::target().join("dist-try");
    if folder.is_dir() {
        fs::remove_dir_all(&folder)?;
    }
    let packages = folder.join("packages");
    let target = Target::host()?;
    let bytes = fs::read(binary).with_context(|| binary.display().to_string())?;
    let program = Program::new(target, bytes)?;
    let started = Instant::now();
    write(&packages, &everything(facts, std::slice::from_ref(&program))?)?;
    println!("packed in {:.1} s", started.elapsed().as_secs_f64());
    check_sums(&packages)?;
    let attempt = Attempt { facts, target, folder, packages };
    attempt.npm().context("npm")?;
    attempt.npm_without_program().context("npm without the program")?;
    attempt.wheel().context("the wheel")?;
    attempt.wheel_of_another_platform().context("the wheel of another platform")?;
    attempt.bundle().context("the bundle")?;
    if let Some(judge) = install::or_notice("schemas of packages", Judge::install())? {
        attempt.judge(&judge)?;
        recipes::judge(&judge)?;
        recipes::run(facts, target, &attempt.packages, &attempt.folder.join("recipes"), &judge)?;
    }
    Ok(())
}

struct Attempt<'a> {
    facts: &'a Facts,
    target: &'static Target,
    folder: PathBuf,
    packages: PathBuf,
}

impl Attempt<'_> {
    fn npm(&self) -> Result<()> {
        let dir = self.empty("npm")?;
        let version = &self.facts.version;
        let packages = [
            self.packages.join(format!("npm/{NAME}-{version}.tgz")),
            self.packages.join(format!("npm/{NAME}-{}-{version}.tgz", self.target.npm)),
        ];
        let started = Instant::now();
        install::quietly(npm_install(&dir).args(packages))?;
        let installed = started.elapsed();
        let mut npx = install::npm_command("npx");
        npx.args(["--offline", NAME]).current_dir(&dir);
        self.says_its_version(&mut npx)?;
        let mut npx = install::npm_command("npx");
        let tools =
            shake_hands(npx.args(["--offline", NAME, "serve", "--stdio", "--sample"]), &dir)?;
        told("npm", installed, started, &tools);
        let launcher = dir.join("node_modules").join(NAME).join("bin/launcher.js");
        ends_with_its_launcher(&launcher)
    }

    /// What people get who leave out optional packages.
    fn npm_without_program(&self) -> Result<()> {
        let dir = self.empty("npm-without")?;
        let main = self.packages.join(format!("npm/{NAME}-{}.tgz", self.facts.version));
        install::quietly(npm_install(&dir).arg("--omit=optional").arg(main))?;
        let mut npx = install::npm_command("npx");
        npx.args(["--offline", NAME, "--version"]).current_dir(&dir);
        let said = process::capture(&mut npx, LIMIT)?;
        let package = self.target.npm_package();
        let mends = format!("npm install --include=optional {NAME}@{}", self.facts.version);
        let is_told = said.stderr.contains(&package) && said.stderr.contains(&mends);
        ensure!(!said.status.success() && is_told, "it says: {}", said.tail());
        println!("npm without the program says:\n{}", indented(&said.stderr));
        Ok(())
    }

    fn wheel(&self) -> Result<()> {
        let dir = self.empty("wheel")?;
        install::create_venv(&dir)?;
        let started = Instant::now();
        let said = self.pip_install(&dir, &self.packages.join("wheels"))?;
        ensure!(said.status.success(), "pip: {}", said.tail());
        let installed = started.elapsed();
        let python = install::venv_python(&dir);
        let program = python.with_file_name(self.target.program());
        self.says_its_version(&mut Command::new(&program))?;
        let mut serve = Command::new(&program);
        let tools = shake_hands(serve.args(["serve", "--stdio", "--sample"]), &self.folder)?;
        told("wheel", installed, started, &tools);
        // Takes away what the record names, and nothing is left behind.
        let mut pip = Command::new(&python);
        install::quietly(pip.args(["-m", "pip", "uninstall", "--quiet", "--yes", NAME]))?;
        ensure!(!program.exists(), "pip left {} behind", program.display());
        Ok(())
    }

    fn wheel_of_another_platform(&self) -> Result<()> {
        let dir = self.empty("wheel-other")?;
        install::create_venv(&dir)?;
        let other = if self.target.is_windows() { "win_arm64" } else { "win_amd64" };
        let wheels = self.folder.join("wheels-other");
        fs::create_dir_all(&wheels)?;
        let own = fs::read_dir(self.packages.join("wheels"))?.next().context("no wheel")??;
        let name = format!("{NAME}-{}-py3-none-{other}.whl", self.facts.version);
        fs::copy(own.path(), wheels.join(name))?;
        let said = self.pip_install(&dir, &wheels)?;
        ensure!(!said.status.success(), "pip installed a wheel of {other}");
        println!("pip with a wheel of {other} says:\n{}", indented(&said.stderr));
        Ok(())
    }

    fn pip_install(&self, venv: &Path, wheels: &Path) -> Result<Captured> {
        let mut pip = Command::new(install::venv_python(venv));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]);
        process::capture(pip.arg("--find-links").arg(wheels).arg(NAME), LIMIT)
    }

    fn bundle(&self) -> Result<()> {
        let file = self.packages.join(bundle::file_name(self.facts));
        let dir = self.empty("bundle")?;
        match install::or_notice("judging the bundle", install::mcpb())? {
            // Also shows that the program can still be started after their way of unpacking.
            Some(mcpb) => {
                let node = install::node()?;
                let run = |args: &[&str], path: &Path| {
                    let mut command = Command::new(&node);
                    command.arg(&mcpb).args(args).arg(path);
                    command
                };
                install::quietly(run(&["unpack"], &file).arg(&dir))?;
                let manifest = dir.join("manifest.json");
                install::quietly(&mut run(&["validate"], &manifest))?;
                let broken = self.folder.join("manifest.json");
                let text = fs::read_to_string(&manifest)?;
                fs::write(&broken, text.replace("\"binary\"", "\"binaries\""))?;
                let said = process::capture(&mut run(&["validate"], &broken), LIMIT)?;
                ensure!(!said.status.success(), "a server of no type was taken");
            }
            None => archive::unpack_zip(&file, &dir)?,
        }
        let manifest: Value = serde_json::from_slice(&fs::read(dir.join("manifest.json"))?)?;
        let config = &manifest["server"]["mcp_config"];
        let command = &config["platform_overrides"][self.target.os]["command"];
        let project = paths::root().join("samples").join("unity");
        let fill = |value: &Value| {
            let text = value.as_str().unwrap_or_default();
            let text = text.replace("${__dirname}", &dir.to_string_lossy());
            text.replace("${user_config.project}", &project.to_string_lossy())
        };
        let started = Instant::now();
        let mut serve = Command::new(fill(command));
        serve.args(config["args"].as_array().into_iter().flatten().map(fill));
        let tools = shake_hands(&mut serve, &self.folder)?;
        told("bundle", Duration::ZERO, started, &tools);
        Ok(())
    }

    fn judge(&self, judge: &Judge) -> Result<()> {
        let list = self.packages.join(format!("{NAME}-v{}.cdx.json", self.facts.version));
        judge.judge(Form::CycloneDx, &list, ("\"library\"", "\"book\""))?;
        let server = self.packages.join("server.json");
        judge.judge(Form::McpServer, &server, ("\"stdio\"", "\"pigeon\""))
    }

    fn says_its_version(&self, command: &mut Command) -> Result<()> {
        let said = process::capture(command.arg("--version"), LIMIT)?;
        let expected = format!("{NAME} {}", self.facts.version);
        ensure!(said.stdout.trim() == expected, "not {expected:?} but: {}", said.tail());
        Ok(())
    }

    fn empty(&self, name: &str) -> Result<PathBuf> {
        let dir = self.folder.join(name);
        fs::create_dir_all(&dir)?;
        Ok(dir)
    }
}

fn npm_install(dir: &Path) -> Command {
    let mut npm = install::npm_command("npm");
    npm.args([
        "install",
        "--offline",
        "--no-audit",
        "--no-fund",
        "--loglevel",
        "error",
        "--prefix",
    ]);
    npm.arg(dir).current_dir(dir);
    npm
}

/// Greet a server over its pipes and ask for its tools.
fn shake_hands(command: &mut Command, dir: &Path) -> Result<String> {
    let (server, stdin, stdout) = Server::start_stdio(command.current_dir(dir), LIMIT)?;
    let mut pipe = Pipe::stdio(stdin, stdout);
    let mut greet = || {
        pipe.shake_hands()?;
        pipe.list_tools()
    };
    let bytes = greet().with_context(|| server.stderr_tail())?;
    ensure!(bytes > 1000, "a list of tools of {bytes} bytes");
    drop(pipe);
    server.wait()?;
    Ok(format!("tools/list of {bytes} bytes"))
}

/// Who ends the launcher ends the program: its output closes. Windows has no such signals.
fn ends_with_its_launcher(launcher: &Path) -> Result<()> {
    if cfg!(windows) {
        return Ok(());
    }
    let mut node = Command::new("node");
    node.arg(launcher).args(["serve", "--stdio", "--sample"]).current_dir(paths::target());
    let (server, stdin, stdout) = Server::start_stdio(&mut node, Duration::from_secs(20))?;
    let mut pipe = Pipe::stdio(stdin, stdout);
    pipe.shake_hands()?;
    let asked = Instant::now();
    install::quietly(Command::new("kill").args(["-TERM", &server.pid().to_string()]))?;
    // Our end of its input stays open, so only the end of the program closes its output.
    while pipe.next_message().is_ok() {}
    ensure!(asked.elapsed() < Duration::from_secs(10), "the program outlived its launcher");
    Ok(())
}

fn told(what: &str, installed: Duration, started: Instant, tools: &str) {
    let (installed, all) = (installed.as_secs_f64(), started.elapsed().as_secs_f64());
    println!("{what}: installed in {installed:.1} s, greeted after {all:.1} s, {tools}");
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}")).collect::<Vec<_>>().join("\n")
}

/// As people check them after a download.
fn check_sums(packages: &Path) -> Result<()> {
    let sums = fs::read_to_string(packages.join(SUMS))?;
    for line in sums.lines() {
        let (sum, file) = line.split_once("  ").context("a line of sums")?;
        let found = archive::hex(&archive::sha256(&fs::read(packages.join(file))?));
        ensure!(sum == found, "{file} has another checksum");
    }
    Ok(())
}
