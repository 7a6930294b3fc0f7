//! The tool `unityPackages.search`: Search Unity Packages.

use scenewright_contract::{ErrorKind, Limits, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::packages::{self, Package, PackageOrigin};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{self, files};

pub(crate) const TOOL: Tool = Tool {
    id: "unityPackages.search",
    keywords: "packages list installed upm manifest plugin package versions out of date urp cinemachine textmeshpro registry dependencies version manager",
    title: "Search Unity Packages",
    notes: Some("Only packages of the project are found; registries are not asked."),
    category: "unity.packages",
    tier: Tier::Tier2,
    limits: Limits { max_items: Some(500), ..Limits::DEFAULT },
    examples: &[Example {
        description: "Find the user interface packages of the Unity sample",
        input: r#"{ "project": "unity", "query": "ui", "maxResults": 2 }"#,
        output: r#"{
            "success": true,
            "query": "ui",
            "results": [
                { "name": "com.unity.modules.ui", "displayName": "", "version": "1.0.0", "description": "", "unityVersion": "", "source": "builtin" },
                { "name": "com.unity.modules.imgui", "displayName": "", "version": "1.0.0", "description": "", "unityVersion": "", "source": "builtin" }
            ],
            "truncated": true
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Search the packages that a Unity project has: by manifest, lock file, embedded packages and
/// package cache. Best matches first.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// Words of the name, description or keywords; all must occur.
    query: String,
    /// `unity` for names that start with `com.unity.`, `registry` for those from a registry.
    #[serde(default)]
    package_type: PackageType,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 500))]
    max_results: usize,
}

#[derive(Deserialize, JsonSchema, Default, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum PackageType {
    #[default]
    All,
    Unity,
    Registry,
}

fn most() -> usize {
    10
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// What was looked for.
    query: String,
    /// The packages, best match first.
    results: Vec<Found>,
    /// Whether there are more.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Found {
    /// Such as `com.unity.ugui`.
    name: String,
    /// The name for people; empty when the package is not on disk.
    display_name: String,
    /// The version in the project, or the address it comes from.
    version: String,
    /// What it is for; empty when the package is not on disk.
    description: String,
    /// The oldest editor it works with; empty when it does not say.
    unity_version: String,
    /// `builtin`, `embedded`, `git`, `local`, `registry` or `unknown`.
    source: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, input.project.as_deref())?;
    files::unity(project, "Unity packages")?;
    let words: Vec<String> = input.query.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() {
        return Err(ToolError::new(ErrorKind::BadArguments, "Query cannot be empty"));
    }
    let packages = packages::read(&project.root);
    packages.notes.iter().for_each(|note| cx.diagnose(note.clone()));
    cx.diagnose("Unity package registry unavailable: only packages of the project were searched");
    let mut found: Vec<(u32, &Package)> = packages
        .installed
        .iter()
        .filter(|package| is_of_type(package, input.package_type))
        .filter_map(|package| Some((rank(package, &words)?, package)))
        .collect();
    // Packages come by name, and sorting keeps that among equals.
    found.sort_by_key(|(rank, _)| *rank);
    let bare = found.iter().filter(|(_, package)| package.info.is_none()).count();
    if bare > 0 {
        cx.diagnose(format!(
            "{bare} of {} matches are not on disk: their description and editor version are not known",
            found.len()
        ));
    }
    let truncated = found.len() > input.max_results;
    found.truncate(input.max_results);
    let results = found.into_iter().map(|(_, package)| describe(package)).collect();
    Ok(Output { success: true, query: input.query, results, truncated })
}

fn is_of_type(package: &Package, wanted: PackageType) -> bool {
    match wanted {
        PackageType::All => true,
        PackageType::Unity => package.name.starts_with("com.unity."),
        PackageType::Registry => package.origin == PackageOrigin::Registry,
    }
}

/// How far a package is from the words: lower is nearer. Nothing when one does not occur.
fn rank(package: &Package, words: &[String]) -> Option<u32> {
    let name = package.name.to_lowercase();
    let info = package.info.as_ref();
    let lower = |text: Option<&String>| text.map(|text| text.to_lowercase()).unwrap_or_default();
    let display = lower(info.and_then(|info| info.display_name.as_ref()));
    let mut rest = lower(info.and_then(|info| info.description.as_ref()));
    for keyword in info.map(|info| info.keywords.as_slice()).unwrap_or_default() {
        rest.push(' ');
        rest.push_str(&keyword.to_lowercase());
    }
    let one = |word: &String| {
        if name == *word {
            Some(0)
        } else if name.split('.').any(|part| part == word) {
            Some(1)
        } else if name.contains(word) {
            Some(2)
        } else if display.contains(word) {
            Some(3)
        } else {
            rest.contains(word).then_some(4)
        }
    };
    words.iter().map(one).sum()
}

fn describe(package: &Package) -> Found {
    let info = package.info.clone().unwrap_or_default();
    Found {
        name: package.name.clone(),
        display_name: info.display_name.unwrap_or_default(),
        version: package.version_text().to_owned(),
        description: info.description.unwrap_or_default(),
        unity_version: package.oldest_unity().unwrap_or_default(),
        source: package.origin.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;
    use scenewright_toolkit::{Settings, testing};
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample, runner};

    const PROJECT: &str = r#"
//- Packages/manifest.json
{ "dependencies": { "com.acme.doors": "1.0.0", "com.unity.ugui": "1.0.0" } }
//- Packages/packages-lock.json
{ "dependencies": { "com.acme.doors": { "version": "1.0.1", "source": "registry" }, "com.unity.ugui": { "version": "1.0.0", "source": "builtin" } } }
//- Packages/keys/package.json
{ "name": "com.acme.keys", "displayName": "Keys", "version": "2.0.0", "unity": "2021.3", "unityRelease": "5f1", "description": "Opens doors", "keywords": ["lock"] }
"#;

    fn names(arguments: Value) -> Vec<String> {
        let output = call_project(PROJECT, super::TOOL.id, arguments).unwrap().output;
        let results = output["results"].as_array().unwrap().iter();
        results.map(|found| found["name"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn the_nearest_come_first() {
        assert_eq!(names(json!({ "query": "DOORS" })), ["com.acme.doors", "com.acme.keys"]);
        assert_eq!(names(json!({ "query": "acme lock" })), ["com.acme.keys"]);
        assert_eq!(names(json!({ "query": "com", "packageType": "unity" })), ["com.unity.ugui"]);
        assert_eq!(names(json!({ "query": "com", "packageType": "registry" })), ["com.acme.doors"]);
        assert!(names(json!({ "query": "xyz" })).is_empty());
    }

    #[test]
    fn a_package_on_disk_is_described() {
        let outcome = call_project(PROJECT, super::TOOL.id, json!({ "query": "keys" })).unwrap();
        assert_eq!(
            outcome.output["results"][0],
            json!({
                "name": "com.acme.keys", "displayName": "Keys", "version": "2.0.0",
                "description": "Opens doors", "unityVersion": "2021.3.5f1", "source": "embedded"
            })
        );
        let said = "Unity package registry unavailable: only packages of the project were searched";
        assert_eq!(outcome.diagnostics, [said]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = call_sample(super::TOOL.id, json!({ "query": "  " })).unwrap_err();
        assert_eq!(error.message, "Query cannot be empty");
        let folder = Folder::unity("");
        std::fs::remove_file(folder.path("Packages/manifest.json")).unwrap();
        let runner = runner(folder.root(), Settings::default());
        let outcome = testing::call(&runner, super::TOOL.id, json!({ "query": "a" })).unwrap();
        assert_eq!(outcome.diagnostics[0], "Packages/manifest.json not found");
        assert!(call_sample(super::TOOL.id, json!({ "project": "godot", "query": "a" })).is_err());
    }
}
