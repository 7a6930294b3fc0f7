//! The one place of what a release says of itself: the manifest of the program, and the platforms.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::process;

/// The program, its npm package and its wheel.
pub(super) const NAME: &str = "scenewright";
/// Its name for people.
pub(super) const TITLE: &str = "Scenewright";
/// Its name in the registry of MCP servers; packages repeat it to show whose they are.
pub(super) const MCP_NAME: &str = "io.github.scenewright/scenewright";
/// Where its image is.
pub(super) const IMAGE: &str = "ghcr.io/scenewright/scenewright";
/// The scope of the npm packages that carry the program.
pub(super) const NPM_SCOPE: &str = "@scenewright";
/// What people may look for.
pub(super) const KEYWORDS: [&str; 6] = ["mcp", "unity", "godot", "gamedev", "ci", "agents"];

/// A platform that a release is built for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// As cargo names it, and the archives.
    pub(super) triple: &'static str,
    /// The npm package without its scope.
    pub(super) npm: &'static str,
    /// As Node names the system.
    pub(super) os: &'static str,
    /// As Node names the processors.
    pub(super) cpu: &'static [&'static str],
    /// Tags of the wheel.
    pub(super) wheel: &'static str,
    /// Tag of the wheel of a program that is linked with the libraries of this very machine.
    pub(super) local_wheel: Option<&'static str>,
    /// As OCI names the processor; only Linux has images.
    pub(super) image: Option<&'static str>,
    /// Whether the bundle for clients has it. A bundle knows systems and no processors; the one
    /// chosen here runs on both.
    pub(super) bundled: bool,
}

/// Every platform of a release.
pub(super) const TARGETS: [Target; 5] = [
    Target {
        triple: "x86_64-unknown-linux-musl",
        npm: "linux-x64",
        os: "linux",
        cpu: &["x64"],
        wheel: "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        local_wheel: Some("linux_x86_64"),
        image: Some("amd64"),
        bundled: true,
    },
    Target {
        triple: "aarch64-unknown-linux-musl",
        npm: "linux-arm64",
        os: "linux",
        cpu: &["arm64"],
        wheel: "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        local_wheel: Some("linux_aarch64"),
        image: Some("arm64"),
        bundled: false,
    },
    Target {
        triple: "universal-apple-darwin",
        npm: "darwin-universal",
        os: "darwin",
        cpu: &["x64", "arm64"],
        wheel: "macosx_10_12_universal2",
        local_wheel: None,
        image: None,
        bundled: true,
    },
    Target {
        triple: "x86_64-pc-windows-msvc",
        npm: "win32-x64",
        os: "win32",
        cpu: &["x64"],
        wheel: "win_amd64",
        local_wheel: None,
        image: None,
        bundled: true,
    },
    Target {
        triple: "aarch64-pc-windows-msvc",
        npm: "win32-arm64",
        os: "win32",
        cpu: &["arm64"],
        wheel: "win_arm64",
        local_wheel: None,
        image: None,
        bundled: false,
    },
];

impl Target {
    pub(super) fn find(triple: &str) -> Result<&'static Target> {
        let known = || TARGETS.map(|target| target.triple).join(", ");
        let target = TARGETS.iter().find(|target| target.triple == triple);
        target
            .with_context(|| format!("{triple:?} is no target of a release; they are {}", known()))
    }

    /// The one for this machine.
    pub(super) fn host() -> Result<&'static Target> {
        let (os, cpu) = match (std::env::consts::OS, std::env::consts::ARCH) {
            ("macos", cpu) => ("darwin", cpu),
            ("windows", cpu) => ("win32", cpu),
            other => other,
        };
        let cpu = match cpu {
            "x86_64" => "x64",
            "aarch64" => "arm64",
            other => other,
        };
        let target = TARGETS.iter().find(|target| target.os == os && target.cpu.contains(&cpu));
        target.with_context(|| format!("releases have nothing for {os} on {cpu}"))
    }

    pub(super) fn is_windows(&self) -> bool {
        self.os == "win32"
    }

    /// The file name of the program.
    pub(super) fn program(&self) -> &'static str {
        if self.is_windows() { "scenewright.exe" } else { NAME }
    }

    /// The npm package with its scope.
    pub(super) fn npm_package(&self) -> String {
        format!("{NPM_SCOPE}/{}", self.npm)
    }
}

/// What the manifest of the program says.
#[derive(Debug, Clone)]
pub(super) struct Facts {
    pub(super) version: String,
    pub(super) description: String,
    pub(super) license: String,
    pub(super) repository: String,
}

impl Facts {
    pub(super) fn read() -> Result<Facts> {
        Facts::of(&metadata(&["--no-deps"])?)
    }

    fn of(metadata: &Value) -> Result<Facts> {
        let package = metadata["packages"].as_array().into_iter().flatten();
        let package = package.into_iter().find(|package| package["name"] == NAME);
        let package = package.with_context(|| format!("cargo knows no package {NAME}"))?;
        let text = |key: &str| {
            let text = package[key].as_str().map(str::to_owned);
            text.with_context(|| format!("the package {NAME} says no {key}"))
        };
        let facts = Facts {
            version: text("version")?,
            description: text("description")?,
            license: text("license")?,
            repository: text("repository")?,
        };
        // The least of what registries take.
        ensure!(facts.description.len() <= 100, "the description has more than 100 bytes");
        Ok(facts)
    }

    /// The file of a target's archive, without its folder.
    pub(super) fn archive(&self, target: &Target) -> String {
        let ending = if target.is_windows() { "zip" } else { "tar.gz" };
        format!("{}.{ending}", self.folder(target))
    }

    /// The folder in the archive.
    pub(super) fn folder(&self, target: &Target) -> String {
        format!("{NAME}-v{}-{}", self.version, target.triple)
    }

    /// Where a file of the release can be had.
    pub(super) fn url(&self, file: &str) -> String {
        format!("{}/releases/download/v{}/{file}", self.repository, self.version)
    }
}

/// What cargo tells of the workspace.
pub(super) fn metadata(args: &[&str]) -> Result<Value> {
    let mut cargo = process::cargo();
    cargo.args(["metadata", "--format-version", "1", "--locked"]).args(args);
    let said = process::capture(&mut cargo, Duration::from_secs(120))?;
    ensure!(said.status.success(), "cargo metadata: {}", said.tail());
    serde_json::from_str(&said.stdout).context("what cargo metadata printed")
}

#[cfg(test)]
pub(super) fn example() -> Facts {
    Facts {
        version: "1.2.3".to_owned(),
        description: "Eyes and hands".to_owned(),
        license: "MIT OR Apache-2.0".to_owned(),
        repository: "https://example.org/scenewright".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::paths;

    /// `cargo binstall` fills the template of the manifest in; it has to come to our names.
    #[test]
    fn binstall_finds_every_archive() {
        let manifest = fs::read_to_string(paths::root().join("crates/app/Cargo.toml")).unwrap();
        let facts = example();
        // Who asks, and for which build.
        let asked = [
            ("x86_64-unknown-linux-gnu", "x86_64-unknown-linux-musl"),
            ("x86_64-unknown-linux-musl", "x86_64-unknown-linux-musl"),
            ("aarch64-unknown-linux-gnu", "aarch64-unknown-linux-musl"),
            ("aarch64-unknown-linux-musl", "aarch64-unknown-linux-musl"),
            ("x86_64-apple-darwin", "universal-apple-darwin"),
            ("aarch64-apple-darwin", "universal-apple-darwin"),
            ("x86_64-pc-windows-msvc", "x86_64-pc-windows-msvc"),
            ("aarch64-pc-windows-msvc", "aarch64-pc-windows-msvc"),
        ];
        for (host, build) in asked {
            let target = Target::find(build).unwrap();
            let value = |key| {
                let own = setting(&manifest, &format!("overrides.{host}"), key);
                own.or_else(|| setting(&manifest, "", key)).unwrap_or_default()
            };
            let suffix = if value("pkg-fmt") == "zip" { ".zip" } else { ".tar.gz" };
            let fill = |template: String| {
                template
                    .replace("{ repo }", &facts.repository)
                    .replace("{ version }", &facts.version)
                    .replace("{ name }", NAME)
                    .replace("{ bin }", NAME)
                    .replace("{ target }", host)
                    .replace("{ archive-suffix }", suffix)
                    .replace("{ binary-ext }", if target.is_windows() { ".exe" } else { "" })
            };
            assert_eq!(fill(value("pkg-url")), facts.url(&facts.archive(target)), "{host}");
            let program = format!("{}/{}", facts.folder(target), target.program());
            assert_eq!(fill(value("bin-dir")), program, "{host}");
        }
    }

    /// A line of a table of `[package.metadata.binstall]`.
    fn setting(manifest: &str, table: &str, key: &str) -> Option<String> {
        let dot = if table.is_empty() { "" } else { "." };
        let head = format!("[package.metadata.binstall{dot}{table}]");
        let lines = manifest.lines().skip_while(|line| *line != head).skip(1);
        let mut lines = lines.take_while(|line| !line.starts_with('['));
        let value = lines.find_map(|line| line.strip_prefix(key)?.trim().strip_prefix("= "))?;
        Some(value.trim_matches('"').to_owned())
    }

    /// A recipe of another version would bring another program.
    #[test]
    fn recipes_name_this_version() {
        let version = env!("CARGO_PKG_VERSION");
        let named = [
            ("action.yml", format!("default: {NAME}@{version}\n")),
            ("ci/gitlab.yml", format!("SCENEWRIGHT_PACKAGE: {NAME}@{version}\n")),
            ("ci/gitlab.yml", format!("/v{version}/ci/gitlab.yml\n")),
            ("pyproject.toml", format!("version = \"{version}\"\n")),
            ("pyproject.toml", format!("dependencies = [\"{NAME}=={version}\"]\n")),
        ];
        for (file, line) in named {
            let text = fs::read_to_string(paths::root().join(file)).unwrap();
            assert!(text.contains(&line), "{file} has no {line}");
        }
    }

    #[test]
    fn a_long_description_is_refused() {
        let mut package = serde_json::json!({
            "name": NAME, "version": "1", "license": "MIT", "repository": "r", "description": "short",
        });
        let metadata = |package: &Value| serde_json::json!({ "packages": [package] });
        Facts::of(&metadata(&package)).unwrap();
        package["description"] = "x".repeat(101).into();
        Facts::of(&metadata(&package)).unwrap_err();
    }
}
