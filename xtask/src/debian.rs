//! Debian packages with everything they need, fetched by an apt-get that sees only our folder: this
//! machine's packages are neither used nor changed, so no root and no matching release is needed.
//!
//! What is unpacked needs libraries newer than this machine's: a program starts by the loader that comes with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::{install, process};

/// The Debian release that has Godot 4.6.
const SUITE: &str = "forky";
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
/// Not needed to run anything, and a good part of the size.
const UNUSED: [&str; 5] = ["doc", "man", "locale", "lintian", "icons"];
const QUICK: Duration = Duration::from_secs(60);

/// The archives of the packages and their dependencies; what an earlier try fetched is kept.
pub(crate) fn download(dir: &Path, packages: &[&str]) -> Result<Vec<PathBuf>> {
    let apt = folder(dir);
    let archives = apt.join("cache").join("archives");
    let architecture = ask(Command::new("dpkg").arg("--print-architecture"))?;
    for folder in ["lists/partial", "cache/archives/partial", "etc", "dpkg"] {
        fs::create_dir_all(apt.join(folder))?;
    }
    fs::write(apt.join("dpkg/status"), "")?; // Nothing counts as installed.
    let source = format!("deb [signed-by={KEYRING}] {} {SUITE} main\n", mirror()?);
    fs::write(apt.join("etc/sources.list"), source)?;
    fs::write(apt.join("apt.conf"), configuration(&apt, &architecture))?;

    install::quietly(apt_get(&apt).arg("update"))?;
    install::quietly(apt_get(&apt).args(["-y", "--download-only", "install"]).args(packages))?;
    let mut found = Vec::new();
    for entry in fs::read_dir(&archives)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "deb") {
            found.push(path);
        }
    }
    ensure!(!found.is_empty(), "apt-get left nothing in {}", archives.display());
    found.sort();
    Ok(found)
}

/// Unpack archives below a folder, without what nothing needs to run.
pub(crate) fn unpack(dir: &Path, archives: &[PathBuf]) -> Result<()> {
    let root = root(dir);
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    // Merged /usr first, for packages that still ship a /lib.
    for folder in ["bin", "sbin", "lib", "lib64"] {
        fs::create_dir_all(root.join("usr").join(folder))?;
        let target = format!("usr/{folder}");
        install::quietly(Command::new("ln").args(["-s", &target]).arg(root.join(folder)))?;
    }
    for archive in archives {
        install::quietly(Command::new("dpkg-deb").arg("-x").arg(archive).arg(&root))?;
    }
    for folder in UNUSED {
        let folder = root.join("usr/share").join(folder);
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
    }
    Ok(())
}

/// The loader among the unpacked packages, and the folder of its libraries.
pub(crate) fn loader(dir: &Path) -> Result<(PathBuf, PathBuf)> {
    let libraries = find(&root(dir).join("usr/lib"), |name| name.ends_with("-linux-gnu"))?;
    let libraries = libraries.into_iter().next().context("the packages have no library folder")?;
    let loader = find(&libraries, |name| name.starts_with("ld-linux-"))?;
    Ok((loader.into_iter().next().context("the packages have no loader")?, libraries))
}

/// The entries of a folder that have such a name, sorted.
pub(crate) fn find(folder: &Path, wanted: impl Fn(&str) -> bool) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).with_context(|| format!("no {}", folder.display()))?;
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        if wanted(&entry.file_name().to_string_lossy()) {
            found.push(entry.path());
        }
    }
    found.sort();
    Ok(found)
}

/// Where packages are unpacked, as if it were `/`.
pub(crate) fn root(dir: &Path) -> PathBuf {
    dir.join("sysroot")
}

/// Forget the archives, once they are unpacked and work.
pub(crate) fn discard(dir: &Path) -> Result<()> {
    Ok(fs::remove_dir_all(folder(dir))?)
}

fn folder(dir: &Path) -> PathBuf {
    dir.join("apt")
}

fn apt_get(apt: &Path) -> Command {
    let mut command = Command::new("apt-get");
    command.arg("-qq").env("APT_CONFIG", apt.join("apt.conf"));
    command
}

/// The mirror this machine uses itself: the nearest, and the one it may reach.
fn mirror() -> Result<String> {
    if let Ok(mirror) = std::env::var("DEBIAN_MIRROR") {
        return Ok(mirror);
    }
    let list = ["indextargets", "--format", "$(SITE)", "Created-By: Packages"];
    let sites = ask(Command::new("apt-get").args(list))?;
    let site = sites.lines().find(|site| !site.contains("security"));
    Ok(site.context("apt-get knows no package source; DEBIAN_MIRROR may name one")?.to_owned())
}

fn configuration(apt: &Path, architecture: &str) -> String {
    let apt = apt.display();
    format!(
        "Dir::State \"{apt}\";\n\
         Dir::State::lists \"{apt}/lists\";\n\
         Dir::State::status \"{apt}/dpkg/status\";\n\
         Dir::Cache \"{apt}/cache\";\n\
         Dir::Etc \"{apt}/etc\";\n\
         Dir::Etc::sourcelist \"{apt}/etc/sources.list\";\n\
         Dir::Etc::sourceparts \"-\";\n\
         APT::Architecture \"{architecture}\";\n\
         APT::Architectures {{ \"{architecture}\"; }};\n\
         APT::Install-Recommends \"false\";\n\
         APT::Sandbox::User \"\";\n\
         Acquire::Check-Valid-Until \"false\"; # A mirror may lag behind.\n\
         Acquire::Languages \"none\";\n\
         Acquire::Retries \"3\";\n\
         Debug::NoLocking \"true\";\n"
    )
}

fn ask(command: &mut Command) -> Result<String> {
    let said = process::capture(command, QUICK).context("this needs Debian's apt-get and dpkg")?;
    ensure!(said.status.success(), "{}: {}", process::show(command), said.tail());
    Ok(said.stdout.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn apt_sees_only_our_folder() {
        let text = configuration(Path::new("/t/apt"), "amd64");
        let quoted = |line: &&str| line.starts_with("Dir::");
        let outside: Vec<_> =
            text.lines().filter(quoted).filter(|line| !line.contains("\"/t/apt")).collect();
        assert_eq!(outside, ["Dir::Etc::sourceparts \"-\";"]);
    }
}
