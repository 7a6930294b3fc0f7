//! Debian packages with everything they need, fetched by an apt-get that sees only our folder: this
//! machine's packages are neither used nor changed, so no root and no matching release is needed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result, ensure};

use crate::{install, process};

/// The Debian release that has Godot 4.6.
const SUITE: &str = "forky";
const KEYRING: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";
const QUICK: Duration = Duration::from_secs(60);

/// The archives of the packages and their dependencies; what an earlier try fetched is kept.
pub(super) fn download(dir: &Path, packages: &[&str]) -> Result<Vec<PathBuf>> {
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

/// Forget the archives, once they are unpacked and work.
pub(super) fn discard(dir: &Path) -> Result<()> {
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
