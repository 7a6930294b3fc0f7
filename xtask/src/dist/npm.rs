//! npm packages: one for each platform that carries the program, and one that starts the right one.
//!
//! npm installs an optional dependency only where its `os`, `cpu` and `libc` fit, so nothing is fetched
//! by a script at install and nothing more than npm's own integrity check is needed.

use std::fs;

use anyhow::{Context, Result};
use serde_json::{Map, Value, json};

use super::archive::{Entry, tar_gz};
use super::facts::{Facts, KEYWORDS, MCP_NAME, NAME, TARGETS};
use super::program::Program;
use super::{File, licenses};
use crate::paths;

/// The packages of these programs, and the one that people name.
pub(super) fn packages(facts: &Facts, programs: &[Program]) -> Result<Vec<File>> {
    let mut files = vec![File::new(format!("npm/{NAME}-{}.tgz", facts.version), main(facts)?)];
    for program in programs {
        let name = format!("npm/{NAME}-{}-{}.tgz", program.target.npm, facts.version);
        files.push(File::new(name, platform(facts, program)?));
    }
    Ok(files)
}

fn main(facts: &Facts) -> Result<Vec<u8>> {
    let mut manifest = manifest(facts, NAME, &facts.description);
    manifest["mcpName"] = MCP_NAME.into();
    manifest["keywords"] = json!(KEYWORDS);
    manifest["bin"] = json!({ NAME: "bin/launcher.js" });
    manifest["files"] = json!(["bin"]);
    manifest["engines"] = json!({ "node": ">=18" });
    let optional =
        TARGETS.iter().map(|target| (target.npm_package(), facts.version.clone().into()));
    manifest["optionalDependencies"] = Value::Object(optional.collect());
    let readme = format!(
        "# {NAME}\n\n{}.\n\n    npx {NAME} --help\n\nThe documentation is at {}.\n",
        facts.description, facts.repository
    );
    let mut entries = vec![
        Entry::text("package/package.json", pretty(&manifest)),
        Entry::text("package/README.md", readme),
        Entry::program("package/bin/launcher.js", launcher(facts)?.as_bytes()),
    ];
    entries.extend(licenses("package")?);
    tar_gz(&entries)
}

fn platform(facts: &Facts, program: &Program) -> Result<Vec<u8>> {
    let target = program.target;
    let about = format!("The program {NAME} for {}; install the package {NAME}", target.npm);
    let mut manifest = manifest(facts, &target.npm_package(), &about);
    manifest["os"] = json!([target.os]);
    manifest["cpu"] = json!(target.cpu);
    if program.needs_libraries {
        manifest["libc"] = json!(["glibc"]);
    }
    // Yarn would keep it zipped, where nothing can be started.
    manifest["preferUnplugged"] = true.into();
    manifest["files"] = json!(["bin"]);
    let path = format!("package/bin/{}", target.program());
    let mut entries = vec![
        Entry::text("package/package.json", pretty(&manifest)),
        Entry::text("package/README.md", format!("{about}.\n")),
        Entry::program(path, &program.bytes),
    ];
    entries.extend(licenses("package")?);
    tar_gz(&entries)
}

/// What both kinds say.
fn manifest(facts: &Facts, name: &str, description: &str) -> Value {
    json!({
        "name": name,
        "version": facts.version,
        "description": description,
        "license": facts.license,
        "homepage": facts.repository,
        "repository": { "type": "git", "url": format!("git+{}.git", facts.repository) },
    })
}

/// The script that finds the program; it has the same table as the packages.
fn launcher(facts: &Facts) -> Result<String> {
    let path = paths::asset("dist/launcher.js");
    let script = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let mut table = Map::new();
    for target in &TARGETS {
        for cpu in target.cpu {
            let found = json!({ "package": target.npm_package(), "program": target.program() });
            table.insert(format!("{}-{cpu}", target.os), found);
        }
    }
    let table = pretty(&Value::Object(table));
    let script = script.replace("PACKAGES", table.trim_end());
    Ok(script.replace("REPOSITORY", &facts.repository).replace("VERSION", &facts.version))
}

fn pretty(value: &Value) -> String {
    format!("{value:#}\n")
}

#[cfg(test)]
mod tests {
    use super::super::{facts, program};
    use super::*;

    #[test]
    fn the_launcher_knows_each_platform_once() {
        let script = launcher(&facts::example()).unwrap();
        for target in &TARGETS {
            for cpu in target.cpu {
                let key = format!("\"{}-{cpu}\": {{", target.os);
                assert_eq!(script.matches(&key).count(), 1, "{key} in {script}");
            }
        }
        let filled =
            ["PACKAGES", "REPOSITORY", "VERSION"].iter().all(|word| !script.contains(word));
        assert!(filled, "{script}");
    }

    #[test]
    fn there_is_a_package_for_each_program_and_one_for_people() {
        let programs: Vec<Program> = TARGETS.iter().map(program::example).collect();
        let files = packages(&facts::example(), &programs).unwrap();
        let names: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        let expected = [
            "npm/scenewright-1.2.3.tgz",
            "npm/scenewright-linux-x64-1.2.3.tgz",
            "npm/scenewright-linux-arm64-1.2.3.tgz",
            "npm/scenewright-darwin-universal-1.2.3.tgz",
            "npm/scenewright-win32-x64-1.2.3.tgz",
            "npm/scenewright-win32-arm64-1.2.3.tgz",
        ];
        assert_eq!(names, expected);
    }
}
