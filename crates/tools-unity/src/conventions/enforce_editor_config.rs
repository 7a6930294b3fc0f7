//! The tool `conventions.enforceEditorConfig`: Enforce Editor Config.

mod config;
mod fix;

use std::collections::BTreeMap;
use std::time::Duration;

use scenewright_contract::{ErrorKind, JsonMap, Limits, Safety, Tier, ToolError, suggest};
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, files, schema};
use scenewright_unity::index::AssetKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::base::{InUnity, Unity};
use config::Config;
use fix::Rules;

const FILE: &str = ".editorconfig";
/// More places are counted, not listed.
const MAX_LISTED: usize = 500;
/// The rules that a call may give.
const KNOWN: [&str; 7] = [
    "indent_style",
    "indent_size",
    "tab_width",
    "trim_trailing_whitespace",
    "insert_final_newline",
    "end_of_line",
    "charset",
];

pub(crate) const TOOL: Tool = Tool {
    id: "conventions.enforceEditorConfig",
    keywords: "editorconfig format code style whitespace tabs spaces indentation trailing line endings crlf lf final newline",
    title: "Enforce Editor Config",
    notes: Some(
        "Lines inside of C# strings keep their bytes. Rules about C# itself (dotnet_…, csharp_…) are left to compilers.",
    ),
    category: "conventions",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    limits: Limits { timeout: Duration::from_secs(120), ..Limits::DEFAULT },
    after: &[Earlier {
        tool: "project.writeFile",
        input: r#"{ "project": "unity", "path": ".editorconfig", "content": "root = true\n\n[*.cs]\nindent_style = tab\n" }"#,
    }],
    examples: &[Example {
        description: "See what tabs would change in the scripts of the Unity sample",
        input: r#"{ "dryRun": true }"#,
        output: r#"{
            "success": true,
            "filesFixed": 5,
            "filesChecked": 5,
            "violations": 1,
            "details": [],
            "dryRun": true,
            "filesChanged": 5,
            "changes": []
        }"#,
        varies: &["filesFixed", "violations", "details", "filesChanged", "changes"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Check files by the project's `.editorconfig` and put them right: indentation, white space at line
/// ends, line ends, the last line, the byte order mark. `dryRun` only checks.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Rules that count before those of the file, such as `{ "end_of_line": "lf" }`.
    #[serde(default)]
    rules: JsonMap,
    /// Globs of the files.
    #[serde(default = "scripts")]
    paths: Vec<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn scripts() -> Vec<String> {
    vec!["Assets/**/*.cs".to_owned()]
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// How many files were put right, or would be.
    files_fixed: usize,
    /// How many were looked at.
    files_checked: usize,
    /// How many places broke a rule.
    violations: usize,
    /// The places, at most 500.
    details: Vec<Detail>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Detail {
    /// The file.
    file: String,
    /// The line, from 1.
    line: usize,
    /// The rule, as `.editorconfig` calls it.
    rule: &'static str,
    /// What is wrong.
    message: String,
    /// Whether it was put right.
    fixed: bool,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let given = given(&input.rules)?;
    let paths = wanted(&unity, &input.paths)?;
    let configs = Configs::read(&unity, &paths);
    if configs.0.is_empty() && given.is_empty() {
        return Err(ToolError::new(ErrorKind::EngineError, ".editorconfig not found")
            .hint("nothing was changed; write one with project_writeFile, or give rules"));
    }
    let (mut changes, mut details, mut violations) = (Vec::new(), Vec::new(), 0);
    for path in &paths {
        cx.check_cancelled()?;
        let rules = configs.rules(path, &given)?;
        let before = door::read(cx, unity.project, path)?;
        let Ok(text) = std::str::from_utf8(&before) else {
            cx.diagnose(format!("{path} is no UTF-8 text, so it was passed over."));
            continue;
        };
        let (after, found) = rules.apply(text, path.as_str().ends_with(".cs"));
        violations += found.len();
        for one in found.into_iter().take(MAX_LISTED - details.len()) {
            let (file, fixed) = (path.to_string(), !input.dry_run);
            details.push(Detail {
                file,
                line: one.line,
                rule: one.rule,
                message: one.message,
                fixed,
            });
        }
        if after != before {
            changes.push((path, before, after));
        }
    }
    let mut plan = Plan::new(unity.project);
    changes.iter().for_each(|(path, before, after)| plan.write(path, Some(before), &**after));
    let written = plan.commit(cx, input.dry_run, |_, _| Ok(()))?;
    let (files_fixed, files_checked) = (changes.len(), paths.len());
    Ok(Output { success: true, files_fixed, files_checked, violations, details, written })
}

/// The rules of a call as `.editorconfig` has them.
fn given(rules: &JsonMap) -> Result<BTreeMap<String, String>, ToolError> {
    let invalid = |name: &str, hint: String| {
        let text = format!("Invalid rule: {name}");
        Err(ToolError::new(ErrorKind::BadArguments, text).hint(hint))
    };
    let mut given = BTreeMap::new();
    for (key, value) in rules {
        if !KNOWN.contains(&key.as_str()) {
            return invalid(key, suggest::did_you_mean(key, KNOWN, &KNOWN.join(", ")));
        }
        let text = match value {
            Value::String(text) => text.to_ascii_lowercase(),
            Value::Bool(_) | Value::Number(_) => value.to_string(),
            _ => return invalid(key, "its value is a text, a number or a boolean".to_owned()),
        };
        given.insert(key.clone(), text);
    }
    match Rules::new(&given) {
        Ok(_) => Ok(given),
        Err(key) => invalid(&key, format!("'{}' is no value for it", given[&key])),
    }
}

/// The text files that the globs mean.
fn wanted(unity: &Unity<'_>, globs: &[String]) -> Result<Vec<ProjectPath>, ToolError> {
    let invalid = |pattern: &str, error: ToolError| {
        let text = format!("Invalid path pattern: {pattern}");
        ToolError::new(ErrorKind::BadArguments, text).hint(error.message)
    };
    let globs =
        globs.iter().map(|pattern| files::glob(pattern).map_err(|error| invalid(pattern, error)));
    let globs = globs.collect::<Result<Vec<_>, _>>()?;
    let assets = unity.index.assets().filter(|asset| asset.kind() != AssetKind::Folder);
    let paths = assets.map(|asset| asset.path());
    let matching = paths.filter(|path| globs.iter().any(|glob| glob.is_match(path)));
    let own = matching.filter_map(|path| unity.asset_place(&path).ok());
    Ok(own.filter(|path| door::exists(unity.cx, unity.project, path)).collect())
}

/// The `.editorconfig` files of a project, outer ones first.
struct Configs(BTreeMap<String, Config>);

impl Configs {
    fn read(unity: &Unity<'_>, paths: &[ProjectPath]) -> Self {
        let mut configs = BTreeMap::new();
        let folders = paths.iter().flat_map(|path| {
            path.as_str().match_indices('/').map(|(at, _)| path.as_str()[..at].to_owned())
        });
        let folders: std::collections::BTreeSet<String> = folders.chain([String::new()]).collect();
        for folder in folders {
            let name = if folder.is_empty() { FILE.to_owned() } else { format!("{folder}/{FILE}") };
            let Ok(path) = ProjectPath::parse(unity.project, &name) else { continue };
            if let Ok(bytes) = door::read(unity.cx, unity.project, &path) {
                let config = Config::parse(&folder, &String::from_utf8_lossy(&bytes));
                configs.insert(folder, config);
            }
        }
        Self(configs)
    }

    /// The rules for a file.
    fn rules(
        &self,
        path: &ProjectPath,
        given: &BTreeMap<String, String>,
    ) -> Result<Rules, ToolError> {
        let mut values = BTreeMap::new();
        let is_above =
            |folder: &str| folder.is_empty() || path.as_str().starts_with(&format!("{folder}/"));
        for (_, config) in self.0.iter().filter(|(folder, _)| is_above(folder)) {
            if config.is_root {
                values.clear();
            }
            config.add(path.as_str(), &mut values);
        }
        values.extend(given.clone());
        Rules::new(&values).map_err(|key| {
            ToolError::failed(format!("Invalid rule: {key}"))
                .hint(format!("nothing was changed; {FILE} gives it the value '{}'", values[&key]))
        })
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    fn call(folder: &Folder, arguments: Value) -> Result<Value, String> {
        let outcome = call_writing(folder, super::TOOL.id, arguments);
        outcome.map(|outcome| (*outcome.output).clone()).map_err(|error| error.message)
    }

    #[test]
    fn files_are_put_right_by_the_nearest_config() {
        let files = "//- .editorconfig\n[*]\ntrim_trailing_whitespace = true\n//- Assets/A.cs\nclass A { } \n//- Assets/X/.editorconfig\n[*.cs]\ntrim_trailing_whitespace = false\n//- Assets/X/B.cs\nclass B { } \n//- Assets/c.txt\nx \n";
        let folder = Folder::unity(files);
        let tried = call(&folder, json!({ "dryRun": true })).unwrap();
        expect![[r#"[{"file":"Assets/A.cs","line":1,"rule":"trim_trailing_whitespace","message":"ends in white space","fixed":false}]"#]]
            .assert_eq(&tried["details"].to_string());
        assert_eq!(folder.read("Assets/A.cs"), "class A { } \n");
        let output = call(&folder, json!({})).unwrap();
        let counts = ["filesChecked", "filesFixed", "violations"].map(|key| &output[key]);
        assert_eq!(counts, [&json!(2), &json!(1), &json!(1)]);
        assert_eq!(folder.read("Assets/A.cs"), "class A { }\n");
        assert_eq!(folder.read("Assets/X/B.cs"), "class B { } \n");
        let rest = json!({ "paths": ["Assets/**"], "rules": { "trim_trailing_whitespace": true } });
        assert_eq!(call(&folder, rest).unwrap()["filesFixed"], 2);
    }

    #[test]
    fn errors_are_those_that_are_published() {
        let folder = Folder::unity("//- Assets/A.cs\nclass A {}\n");
        let refused = |arguments: Value| call(&folder, arguments).unwrap_err();
        expect![".editorconfig not found"].assert_eq(&refused(json!({})));
        expect!["Invalid rule: indent"].assert_eq(&refused(json!({ "rules": { "indent": 4 } })));
        expect!["Invalid rule: end_of_line"]
            .assert_eq(&refused(json!({ "rules": { "end_of_line": "x" } })));
        expect!["Invalid path pattern: a[b"].assert_eq(&refused(json!({ "paths": ["a[b"] })));
    }
}
