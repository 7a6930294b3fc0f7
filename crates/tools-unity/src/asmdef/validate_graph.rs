//! The tool `asmdef.validateGraph`: Validate Assembly Graph.

use scenewright_contract::{ErrorKind, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, paths, schema};
use scenewright_unity::asmdef::{
    Assembly, Extension, Finding, FindingKind, Graph, Link, Presence, Report,
};
use scenewright_unity::packages;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base;
use crate::base::files::{self, OWN, PACKAGE_CACHE};

pub(crate) const TOOL: Tool = Tool {
    id: "asmdef.validateGraph",
    keywords: "asmdef cycles circular assembly definition references compile dependency cycle assemblies order",
    title: "Validate Assembly Graph",
    notes: Some(
        "A reference that is not found counts as dead only when all packages are on disk; otherwise a diagnostic names it.",
    ),
    category: "asmdef",
    tier: Tier::Tier3,
    examples: &[Example {
        description: "Check the assembly of the Unity sample",
        input: r#"{ "project": "unity" }"#,
        output: r#"{
            "success": true,
            "assemblyCount": 1,
            "cycleCount": 0,
            "cycles": [],
            "longestPath": 0,
            "longestChain": ["LanternKeep"],
            "warnings": []
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Check the assembly definitions of a Unity project: cycles, dead references, duplicate names,
/// runtime code that refers to editor code, `.asmref` files without a target.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// Only these `.asmdef` or `.asmref` files; all of Assets and Packages by default.
    #[serde(default)]
    asmdef_paths: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true, also when there are warnings; a failure is an error.
    success: bool,
    /// Assembly definitions that were checked.
    assembly_count: usize,
    /// How many cycles there are.
    cycle_count: usize,
    /// The assemblies around each cycle.
    cycles: Vec<Vec<String>>,
    /// How many references the longest chain has; a cycle counts as one assembly.
    longest_path: usize,
    /// The assemblies along that chain.
    longest_chain: Vec<String>,
    /// What is wrong, cycles first.
    warnings: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, input.project.as_deref())?;
    files::unity(project, "Assembly definitions")?;
    let asked = asked_paths(cx, project, &input.asmdef_paths)?;
    let is_asked = |path: &str| match asked.is_empty() {
        true => OWN.iter().any(|folder| path.starts_with(folder)),
        false => asked.iter().any(|asked| asked == path),
    };
    let mut files = Files::default();
    files.read(cx, project)?;
    let broken: Vec<String> =
        files.broken.iter().filter(|(path, _)| is_asked(path)).map(said).collect();
    if !asked.is_empty() && !broken.is_empty() {
        return Err(ToolError::new(ErrorKind::EngineError, "Failed to parse asmdef graph")
            .detail("problems", broken)
            .hint("project_readFile shows the file"));
    }
    let graph = Graph::new(files.assemblies, files.extensions);
    let absent = absent_packages(project);
    let presence = if absent.is_empty() { Presence::Complete } else { Presence::Partial };
    let report = graph.check(presence, &is_asked);
    diagnose_undecided(cx, &report, &absent);
    let mut warnings: Vec<String> =
        broken.iter().map(|text| format!("Failed to parse asmdef graph: {text}")).collect();
    warnings.extend(report.cycles.iter().map(|cycle| {
        format!("Cycle: {} -> {}", cycle.join(" -> "), cycle.first().map_or("", String::as_str))
    }));
    let decided = report.findings.iter().filter(|f| f.kind != FindingKind::Undecided);
    warnings.extend(decided.map(|finding| warning(&graph, finding)));
    Ok(Output {
        success: true,
        assembly_count: graph.assemblies().iter().filter(|a| is_asked(&a.path)).count(),
        cycle_count: report.cycles.len(),
        cycles: report.cycles,
        longest_path: report.longest.len().saturating_sub(1),
        longest_chain: report.longest,
        warnings,
    })
}

fn said((path, why): &(String, String)) -> String {
    format!("{path}: {why}")
}

/// The files that the caller names, as the project names them.
fn asked_paths(cx: &Cx, project: &Project, texts: &[String]) -> Result<Vec<String>, ToolError> {
    let mut asked = Vec::new();
    for text in texts {
        let outside = "Path must be under Assets/ or Packages/";
        let missing = "Assembly definition not found";
        let file = paths::find(cx, project, text, outside, missing)?;
        if !file.name.ends_with(".asmdef") && !file.name.ends_with(".asmref") {
            return Err(ToolError::new(ErrorKind::EngineError, format!("{missing}: {text}"))
                .hint("the path must end in .asmdef or .asmref"));
        }
        asked.push(file.name);
    }
    Ok(asked)
}

#[derive(Default)]
struct Files {
    assemblies: Vec<Assembly>,
    extensions: Vec<Extension>,
    /// Path and reason.
    broken: Vec<(String, String)>,
}

impl Files {
    /// Reads what is in the project, and what the editor has fetched for it.
    fn read(&mut self, cx: &Cx, project: &Project) -> Result<(), ToolError> {
        let folders = [OWN[0], OWN[1], PACKAGE_CACHE];
        for file in files::imported(cx, project, &folders, &[".asmdef", ".asmref"])? {
            let bytes = match files::read(cx, project, &file) {
                Ok(bytes) => bytes,
                Err(error) => {
                    self.broken.push((file.name, error.to_string()));
                    continue;
                }
            };
            let read = if file.name.ends_with(".asmdef") {
                let guid = files::guid_of(project, &file.path);
                Assembly::parse(&file.name, guid, &bytes).map(|read| self.assemblies.push(read))
            } else {
                Extension::parse(&file.name, &bytes).map(|read| self.extensions.push(read))
            };
            if let Err(why) = read {
                self.broken.push((file.name, why.to_string()));
            }
        }
        Ok(())
    }
}

/// The packages that may have assemblies and are not on disk.
fn absent_packages(project: &Project) -> Vec<String> {
    let installed = packages::read(&project.root).installed.into_iter();
    installed
        .filter(|package| package.folder.is_none())
        // Modules of the engine have no assembly definitions.
        .filter(|package| !package.name.starts_with("com.unity.modules."))
        .map(|package| package.name)
        .collect()
}

fn diagnose_undecided(cx: &Cx, report: &Report, absent: &[String]) {
    let undecided = report.findings.iter().filter(|f| f.kind == FindingKind::Undecided);
    let mut names: Vec<&str> = undecided.map(|finding| finding.about.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return;
    }
    cx.diagnose(format!(
        "{} references are not decidable, because {} packages are not on disk: {}",
        names.len(),
        absent.len(),
        names.join(", ")
    ));
}

fn warning(graph: &Graph, Finding { kind, path, about }: &Finding) -> String {
    match kind {
        FindingKind::DuplicateName => {
            let named = graph.assemblies().iter().find(|assembly| assembly.path == *path);
            let name = named.map_or("", |assembly| &assembly.name);
            format!("Duplicate name: {path} and {about} both define {name}")
        }
        FindingKind::SharedFolder => {
            format!("Shared folder: {path} and {about} are in one folder, which may have only one")
        }
        FindingKind::DeadReference => {
            let what = match Link::parse(about) {
                Some(Link::Guid(_)) => "no assembly definition has this guid",
                _ => "no assembly has this name",
            };
            format!("Dead reference: {path} refers to {about}, but {what}")
        }
        FindingKind::DeadExtension => {
            format!("Missing target: {path} joins {about}, which does not exist")
        }
        FindingKind::EditorOnly => format!(
            "Editor only: {path} is compiled into builds and refers to {about}, which is for the editor alone"
        ),
        FindingKind::Undecided => format!("Not decidable: {path} refers to {about}"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::{Value, json};

    use crate::testing::{call_project, call_sample};

    fn check(project: &str, arguments: Value, expected: Expect) {
        let outcome = call_project(project, super::TOOL.id, arguments).unwrap();
        let output = &outcome.output;
        let mut shown = format!("cycles {} longest {}\n", output["cycles"], output["longestPath"]);
        for warning in output["warnings"].as_array().unwrap() {
            shown += &format!("{}\n", warning.as_str().unwrap());
        }
        outcome.diagnostics.iter().for_each(|text| shown += &format!("({text})\n"));
        expected.assert_eq(&shown);
    }

    const BROKEN: &str = r#"
//- Assets/A/A.asmdef
{ "name": "A", "references": ["B", "GUID:cccccccccccccccccccccccccccccccc", "Gone"] }
//- Assets/B/B.asmdef
{ "name": "B", "references": ["A"] }
//- Assets/C/C.asmdef
{ "name": "C", "includePlatforms": ["Editor"] }
//- Assets/C/C.asmdef.meta
guid: cccccccccccccccccccccccccccccccc
//- Assets/D/D.asmdef
{ "name": "D", "references": ["GUID:dddddddddddddddddddddddddddddddd"], }
//- Assets/E/E.asmref
{ "reference": "Nowhere" }
//- Packages/p/F.asmdef
{ "name": "C" }
//- Packages/p/Samples~/X.asmdef
{ "name": "C" }
"#;

    #[test]
    fn everything_wrong_is_listed() {
        check(
            BROKEN,
            json!({}),
            expect![[r#"
                cycles [["A","B"]] longest 1
                Failed to parse asmdef graph: Assets/D/D.asmdef: not JSON: trailing comma at line 1 column 73
                Cycle: A -> B -> A
                Duplicate name: Packages/p/F.asmdef and Assets/C/C.asmdef both define C
                Dead reference: Assets/A/A.asmdef refers to Gone, but no assembly has this name
                Missing target: Assets/E/E.asmref joins Nowhere, which does not exist
                Editor only: Assets/A/A.asmdef is compiled into builds and refers to C, which is for the editor alone
            "#]],
        );
    }

    #[test]
    fn absent_packages_make_references_undecidable() {
        let project = r#"
//- Packages/manifest.json
{ "dependencies": { "com.unity.cinemachine": "2.9.7", "com.unity.modules.audio": "1.0.0" } }
//- Assets/A.asmdef
{ "name": "A", "references": ["Cinemachine"] }
"#;
        check(
            project,
            json!({}),
            expect![[r#"
                cycles [] longest 0
                (1 references are not decidable, because 1 packages are not on disk: Cinemachine)
            "#]],
        );
        let cached = "//- Library/PackageCache/com.unity.cinemachine@2.9.7/package.json\n{}\n//- Library/PackageCache/com.unity.cinemachine@2.9.7/C.asmdef\n{ \"name\": \"Cinemachine\", \"references\": [\"Odd\"] }\n";
        check(
            &format!("{project}{cached}"),
            json!({ "asmdefPaths": ["Assets/A.asmdef"] }),
            expect![[r#"
                cycles [] longest 1
            "#]],
        );
    }

    #[test]
    fn named_files_must_be_there_and_readable() {
        let call = |path: &str| {
            let arguments = json!({ "asmdefPaths": [path] });
            call_project(BROKEN, super::TOOL.id, arguments).unwrap_err()
        };
        let error = call("Assets/Nope.asmdef");
        assert_eq!(error.message, "Assembly definition not found: Assets/Nope.asmdef");
        assert_eq!(call("Assets/D/D.asmdef").message, "Failed to parse asmdef graph");
        assert!(call_sample(super::TOOL.id, json!({ "project": "godot" })).is_err());
    }
}
