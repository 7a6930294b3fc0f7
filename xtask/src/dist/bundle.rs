//! The bundle (MCPB) that clients install with a click, and the entry in the registry of MCP servers.

use anyhow::{Context, Result, ensure};
use serde_json::{Map, Value, json};

use super::archive::{self, Entry};
use super::facts::{Facts, IMAGE, KEYWORDS, MCP_NAME, NAME, TITLE};
use super::program::Program;
use super::{File, licenses};

/// What the registry reads; newer ones are announced in its changelog.
const SCHEMA: &str = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";

/// The bundle of all programs that go into it, or none where there is none of them.
pub(super) fn bundle(facts: &Facts, programs: &[Program]) -> Result<Option<File>> {
    let bundled: Vec<&Program> = programs.iter().filter(|program| program.target.bundled).collect();
    if bundled.is_empty() {
        return Ok(None);
    }
    let mut entries =
        vec![Entry::text("manifest.json", format!("{:#}\n", manifest(facts, &bundled)?))];
    for program in bundled {
        entries.push(Entry::program(place(program), &program.bytes));
    }
    entries.extend(licenses("")?);
    Ok(Some(File::new(file_name(facts), archive::zip(&entries)?)))
}

/// The bundle among the files of a release.
pub(super) fn file_name(facts: &Facts) -> String {
    format!("{NAME}-v{}.mcpb", facts.version)
}

/// Where a program is in the bundle.
fn place(program: &Program) -> String {
    format!("server/{}/{}", program.target.os, program.target.program())
}

fn manifest(facts: &Facts, programs: &[&Program]) -> Result<Value> {
    let command = |program: &Program| format!("${{__dirname}}/{}", place(program));
    let first = programs.first().context("a bundle has a program")?;
    let overrides: Map<String, Value> = programs
        .iter()
        .map(|program| (program.target.os.to_owned(), json!({ "command": command(program) })))
        .collect();
    let platforms: Vec<&str> = programs.iter().map(|program| program.target.os).collect();
    ensure!(overrides.len() == programs.len(), "two programs for one system in the bundle");
    Ok(json!({
        "manifest_version": "0.3",
        "name": NAME,
        "display_name": TITLE,
        "version": facts.version,
        "description": facts.description,
        "author": { "name": format!("The {TITLE} contributors"), "url": facts.repository },
        "repository": { "type": "git", "url": format!("{}.git", facts.repository) },
        "homepage": facts.repository,
        "documentation": facts.repository,
        "support": format!("{}/issues", facts.repository),
        "license": facts.license,
        "keywords": KEYWORDS,
        "server": {
            "type": "binary",
            "entry_point": place(first),
            "mcp_config": {
                "command": command(first),
                "args": ["serve", "--stdio", "--project", "${user_config.project}"],
                "env": {},
                "platform_overrides": overrides,
            },
        },
        "tools_generated": true,
        "prompts_generated": true,
        "compatibility": { "platforms": platforms },
        "user_config": {
            "project": {
                "type": "directory",
                "title": "Project",
                "description": "The folder of a Unity or Godot project, or a folder of projects",
                "required": true,
            },
        },
    }))
}

/// `server.json`: everything that a client can get the server from.
pub(super) fn server(facts: &Facts, bundle: Option<&File>) -> File {
    let version = &facts.version;
    let stdio = json!({ "type": "stdio" });
    // `serve` without a transport serves stdin and stdout when they are no terminal.
    let serve = json!([{ "type": "positional", "value": "serve" }, { "type": "positional", "value": "--stdio" }]);
    let mut packages = vec![
        json!({
            "registryType": "npm", "registryBaseUrl": "https://registry.npmjs.org", "identifier": NAME,
            "version": version, "runtimeHint": "npx", "transport": stdio, "packageArguments": serve,
        }),
        json!({
            "registryType": "pypi", "registryBaseUrl": "https://pypi.org", "identifier": NAME,
            "version": version, "runtimeHint": "uvx", "transport": stdio, "packageArguments": serve,
        }),
        json!({
            "registryType": "oci", "identifier": format!("{IMAGE}:{version}"), "runtimeHint": "docker",
            "transport": stdio, "packageArguments": serve,
            "runtimeArguments": [{
                "type": "named", "name": "--mount",
                "description": "The project, where the image looks for one",
                "value": "type=bind,src={project},dst=/project", "isRequired": true,
                "variables": { "project": {
                    "description": "The folder of a Unity or Godot project", "format": "filepath",
                    "isRequired": true,
                } },
            }],
        }),
    ];
    if let Some(bundle) = bundle {
        packages.push(json!({
            "registryType": "mcpb", "identifier": facts.url(&bundle.path),
            "version": version, "fileSha256": bundle.sha256(), "transport": stdio,
        }));
    }
    let server = json!({
        "$schema": SCHEMA,
        "name": MCP_NAME,
        "title": TITLE,
        "description": facts.description,
        "version": version,
        "websiteUrl": facts.repository,
        "repository": { "url": facts.repository, "source": "github" },
        "packages": packages,
    });
    File::new("server.json", format!("{server:#}\n").into_bytes())
}

#[cfg(test)]
mod tests {
    use super::super::facts::TARGETS;
    use super::super::{facts, program};
    use super::*;

    #[test]
    fn a_bundle_says_only_what_it_has() {
        let facts = facts::example();
        let all: Vec<Program> = TARGETS.iter().map(program::example).collect();
        let platforms = |programs: &[&Program]| {
            let manifest = manifest(&facts, programs).unwrap();
            let overrides =
                manifest["server"]["mcp_config"]["platform_overrides"].as_object().unwrap();
            let named: Vec<&str> = overrides.keys().map(String::as_str).collect();
            assert_eq!(manifest["compatibility"]["platforms"], json!(named));
            named.join(" ")
        };
        let bundled: Vec<&Program> = all.iter().filter(|program| program.target.bundled).collect();
        assert_eq!(platforms(&bundled), "linux darwin win32");
        assert_eq!(platforms(&bundled[..1]), "linux");
        manifest(&facts, &all.iter().collect::<Vec<_>>()).expect_err("two for Linux");
        assert!(bundle(&facts, &all[1..2]).unwrap().is_none(), "Linux on ARM is in no bundle");
    }
}
