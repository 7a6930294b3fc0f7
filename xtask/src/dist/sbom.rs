//! What the program is made of, as CycloneDX: every crate that is compiled into it on some platform.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::File;
use super::facts::{self, Facts, NAME};
use crate::paths;

/// The list for this checkout.
pub(super) fn list(facts: &Facts) -> Result<File> {
    let lock = fs::read_to_string(paths::root().join("Cargo.lock"))?;
    let list = components(facts, &facts::metadata(&[])?, &checksums(&lock))?;
    let path = format!("{NAME}-v{}.cdx.json", facts.version);
    Ok(File::new(path, format!("{list:#}\n").into_bytes()))
}

fn components(
    facts: &Facts,
    metadata: &Value,
    checksums: &BTreeMap<(String, String), String>,
) -> Result<Value> {
    let packages = by_id(&metadata["packages"], "id");
    let nodes = by_id(&metadata["resolve"]["nodes"], "id");
    let root = packages.iter().find(|(_, package)| package["name"] == NAME);
    let (root, _) = root.context("the program is not in the workspace")?;
    let mut found = BTreeSet::new();
    let mut open = vec![*root];
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(needed(nodes.get(id).context("a package without a node")?));
        }
    }
    let mut listed = Vec::new();
    for id in found.iter().filter(|id| *id != root) {
        listed.push(component(packages.get(id).context("a node without a package")?, checksums));
    }
    let mut relations = Vec::new();
    for id in &found {
        let mut on: Vec<String> = needed(nodes[id]).map(|on| purl(packages[on])).collect();
        on.sort();
        on.dedup();
        relations.push(json!({ "ref": purl(packages[id]), "dependsOn": on }));
    }
    // Neither a time nor a random number: the same sources give the same list.
    let tool =
        json!({ "type": "application", "name": "cargo xtask dist", "version": facts.version });
    Ok(json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "tools": { "components": [tool] },
            "component": {
                "type": "application",
                "bom-ref": purl(packages[root]),
                "name": NAME,
                "version": facts.version,
                "description": facts.description,
                "purl": purl(packages[root]),
                "licenses": [{ "expression": facts.license }],
                "externalReferences": [{ "type": "vcs", "url": facts.repository }],
            },
        },
        "components": listed,
        "dependencies": relations,
    }))
}

fn by_id<'a>(list: &'a Value, key: &str) -> BTreeMap<&'a str, &'a Value> {
    let entries = list.as_array().into_iter().flatten();
    entries.filter_map(|entry| Some((entry[key].as_str()?, entry))).collect()
}

/// What is built for a package, tests left out.
fn needed(node: &Value) -> impl Iterator<Item = &str> {
    let is_for_tests = |on: &&Value| {
        let kinds = on["dep_kinds"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().all(|kind| kind["kind"] == "dev"))
    };
    let all = node["deps"].as_array().into_iter().flatten();
    all.filter(move |on| !is_for_tests(on)).filter_map(|on| on["pkg"].as_str())
}

fn component(package: &Value, checksums: &BTreeMap<(String, String), String>) -> Value {
    let text = |key: &str| package[key].as_str().unwrap_or_default().to_owned();
    let mut component = json!({
        "type": "library",
        "bom-ref": purl(package),
        "name": text("name"),
        "version": text("version"),
        "purl": purl(package),
    });
    if let Some(checksum) = checksums.get(&(text("name"), text("version"))) {
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(license) = package["license"].as_str() {
        // An old way to say "or" that is no expression.
        component["licenses"] = json!([{ "expression": license.replace('/', " OR ") }]);
    }
    if let Some(repository) = package["repository"].as_str() {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

fn purl(package: &Value) -> String {
    let text = |key: &str| package[key].as_str().unwrap_or_default();
    format!("pkg:cargo/{}@{}", text("name"), text("version").replace('+', "%2B"))
}

/// The checksum of each package that comes from a registry, by name and version.
fn checksums(lock: &str) -> BTreeMap<(String, String), String> {
    let mut found = BTreeMap::new();
    for package in lock.split("[[package]]").skip(1) {
        let value = |key: &str| {
            let mut lines = package.lines();
            let line = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            line.map(|value| value.trim_matches('"').to_owned())
        };
        if let (Some(name), Some(version), Some(sum)) =
            (value("name"), value("version"), value("checksum"))
        {
            found.insert((name, version), sum);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_tests_need_is_no_part() {
        let package = |name: &str| json!({ "id": name, "name": name, "version": "1.0.0+x", "license": "A/B" });
        let on = |name: &str, kind: Value| json!({ "pkg": name, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [package(NAME), package("a"), package("b"), package("c"), package("t")],
            "resolve": { "nodes": [
                { "id": NAME, "deps": [on("a", Value::Null), on("t", "dev".into())] },
                { "id": "a", "deps": [on("b", "build".into())] },
                { "id": "b", "deps": [] }, { "id": "c", "deps": [] }, { "id": "t", "deps": [on("c", Value::Null)] },
            ] },
        });
        let lock = "[[package]]\nname = \"a\"\nversion = \"1.0.0+x\"\nchecksum = \"77\"\n";
        let list = components(&facts::example(), &metadata, &checksums(lock)).unwrap();
        let names: Vec<&Value> =
            list["components"].as_array().unwrap().iter().map(|c| &c["name"]).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(list["components"][0]["hashes"][0]["content"], "77");
        assert_eq!(list["components"][0]["purl"], "pkg:cargo/a@1.0.0%2Bx");
        assert_eq!(list["components"][0]["licenses"][0]["expression"], "A OR B");
        assert_eq!(list["components"][1].get("hashes"), None);
    }
}
