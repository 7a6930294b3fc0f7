//! The tool `unityApi.search`: Search Unity API.

use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::api::{self, ApiKind, Entry, Query};
use scenewright_unity::script::{self, MAX_SOURCE_BYTES};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base;
use crate::base::files::{self, OWN, PACKAGE_CACHE};

/// Matches are sorted and cut whenever there are this many, so that any query fits into memory.
const MAX_WAITING: usize = 20_000;

pub(crate) const TOOL: Tool = Tool {
    id: "unityApi.search",
    keywords: "symbol definition where declared unityengine class method documentation docs reference scripting signature monobehaviour parameters api call obsolete",
    title: "Search Unity API",
    notes: Some(
        "Unity's online documentation is not searched. Private and internal members of packages in the cache are left out.",
    ),
    category: "unity.api",
    tier: Tier::Tier2,
    limits: Limits {
        time_guard: Some(Duration::from_secs(20)),
        max_items: Some(500),
        ..Limits::DEFAULT
    },
    examples: &[Example {
        description: "Find how lanterns of the Unity sample are lit",
        input: r#"{ "project": "unity", "query": "SetLit" }"#,
        output: r#"{
            "success": true,
            "query": "SetLit",
            "results": [{
                "title": "LanternKeep.LanternFlicker.SetLit",
                "url": "Assets/Scripts/LanternFlicker.cs:50",
                "summary": "public void SetLit(bool lit)",
                "apiType": "method",
                "signature": "public void SetLit(bool lit)"
            }],
            "truncated": false
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Search the C# types and members of the project's scripts and of packages on disk, and the names
/// of Unity's native classes. Best matches first; Unity's online documentation is not included.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// A name such as `Door.Open`, or words of names and summaries; all must occur.
    query: String,
    /// Version that is meant; only that of the project can be searched.
    unity_version: Option<String>,
    /// How many to return.
    #[serde(default = "most")]
    #[schemars(range(min = 1, max = 500))]
    max_results: usize,
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
    /// The matches, best first.
    results: Vec<Found>,
    /// Whether there are more.
    truncated: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Found {
    /// The full name.
    title: String,
    /// File and line, from the project's root; empty for native classes.
    url: String,
    /// Summary of its documentation, or the declaration where it has none.
    summary: String,
    /// `class`, `struct`, `interface`, `enum`, `delegate`, `method`, `property`, `field`, `event`.
    api_type: String,
    /// The declaration.
    signature: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, input.project.as_deref())?;
    let unity = files::unity(project, "Unity's API")?;
    let Some(query) = Query::parse(&input.query) else {
        return Err(ToolError::new(ErrorKind::BadArguments, "Query cannot be empty"));
    };
    cx.diagnose(
        "Unity documentation index unavailable: searched the scripts on disk and the names of native classes",
    );
    if let Some(wanted) = input.unity_version.filter(|wanted| *wanted != unity.version.text) {
        cx.diagnose(format!(
            "unityVersion {wanted} was not searched: the project is of {}",
            unity.version
        ));
    }
    let mut matches = Matches { query, keep: input.max_results, found: Vec::new(), total: 0 };
    let folders = [OWN[0], OWN[1], PACKAGE_CACHE];
    let files = files::imported(cx, project, &folders, &[".cs"])?;
    let guard = cx.time_guard();
    for (done, file) in files.iter().enumerate() {
        cx.check_cancelled()?;
        if guard.expired() {
            guard.report(cx, done, Some(files.len()));
            break;
        }
        match files::read(cx, project, file) {
            Ok(bytes) => matches.source(&file.name, &bytes),
            Err(error) => cx.diagnose(format!("{} cannot be read: {error}", file.name)),
        }
    }
    api::native().for_each(|entry| matches.entry("", entry));
    matches.tidy();
    Ok(Output {
        success: true,
        query: input.query,
        truncated: matches.total > matches.found.len(),
        results: matches.found.into_iter().map(|(_, found)| found).collect(),
    })
}

struct Matches {
    query: Query,
    /// How many are wanted.
    keep: usize,
    found: Vec<(Order, Found)>,
    total: usize,
}

/// What matches are sorted by, most important first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Order {
    rank: u32,
    kind: ApiKind,
    title: String,
    file: String,
    line: u32,
}

impl Matches {
    fn source(&mut self, name: &str, bytes: &[u8]) {
        if bytes.len() > MAX_SOURCE_BYTES || !self.query.may_match(bytes) {
            return;
        }
        let is_foreign = name.starts_with(PACKAGE_CACHE);
        let file = script::parse_declarations(&String::from_utf8_lossy(bytes));
        for entry in api::declared(&file) {
            if entry.is_visible || !is_foreign {
                self.entry(name, entry);
            }
        }
    }

    fn entry(&mut self, file: &str, entry: Entry) {
        let Some(rank) = self.query.rank(&entry) else { return };
        self.total += 1;
        let order = Order {
            rank,
            kind: entry.kind,
            title: entry.title.clone(),
            file: file.to_owned(),
            line: entry.line,
        };
        let url = match entry.line {
            0 => String::new(),
            line => format!("{file}:{line}"),
        };
        self.found.push((
            order,
            Found {
                title: entry.title,
                url,
                summary: entry.summary.unwrap_or_else(|| entry.signature.clone()),
                api_type: entry.kind.to_string(),
                signature: entry.signature,
            },
        ));
        if self.found.len() >= MAX_WAITING {
            self.tidy();
        }
    }

    fn tidy(&mut self) {
        self.found.sort_by(|a, b| a.0.cmp(&b.0));
        self.found.truncate(self.keep);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample};

    fn titles(output: &Value) -> Vec<String> {
        let results = output["results"].as_array().unwrap().iter();
        results
            .map(|r| format!("{} {}", r["apiType"].as_str().unwrap(), r["title"].as_str().unwrap()))
            .collect()
    }

    #[test]
    fn types_come_before_members_and_native_classes_are_there() {
        let outcome =
            call_sample(super::TOOL.id, json!({ "query": "flicker", "maxResults": 3 })).unwrap();
        assert_eq!(
            titles(&outcome.output),
            [
                "enum LanternKeep.FlickerStyle",
                "field LanternKeep.LanternFlicker.flickerOffset",
                "field LanternKeep.LanternSettings.flickerSpeed",
            ]
        );
        assert_eq!(outcome.output["truncated"], true);
        let output = call_sample(super::TOOL.id, json!({ "query": "Rigidbody" })).unwrap().output;
        let native = json!({
            "title": "Rigidbody", "url": "", "apiType": "class",
            "summary": "native class Rigidbody : Component",
            "signature": "native class Rigidbody : Component"
        });
        assert_eq!(output["results"][0], native);
    }

    #[test]
    fn says_that_there_is_no_documentation() {
        let arguments = json!({ "query": "xyzzy", "unityVersion": "6000.0.1f1" });
        let outcome = call_sample(super::TOOL.id, arguments).unwrap();
        assert_eq!(outcome.output["results"], json!([]));
        assert_eq!(
            outcome.diagnostics,
            [
                "Unity documentation index unavailable: searched the scripts on disk and the names of native classes",
                "unityVersion 6000.0.1f1 was not searched: the project is of 2022.3.20f1",
            ]
        );
    }

    #[test]
    fn packages_show_what_others_can_use() {
        let project = "//- Library/PackageCache/p@1/A.cs\npublic class Zebra { void Hide() {} public int Stripes; }\n//- Library/PackageCache/p@1/Samples~/B.cs\npublic class Zebra {}\n//- Assets/C.cs\nclass Stable { Zebra zebra; }\n";
        let outcome = call_project(project, super::TOOL.id, json!({ "query": "zebra" })).unwrap();
        assert_eq!(
            titles(&outcome.output),
            ["class Zebra", "field Stable.zebra", "field Zebra.Stripes"]
        );
        assert_eq!(outcome.output["results"][0]["url"], "Library/PackageCache/p@1/A.cs:1");
    }

    #[test]
    fn an_empty_query_is_refused() {
        let error = call_sample(super::TOOL.id, json!({ "query": " " })).unwrap_err();
        assert_eq!(error.message, "Query cannot be empty");
        assert!(call_sample(super::TOOL.id, json!({ "project": "godot", "query": "a" })).is_err());
    }
}
