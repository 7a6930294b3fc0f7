//! The tool `asmdef.addReference`: Add Assembly Reference.

use std::collections::{HashMap, HashSet};

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError, suggest};
use scenewright_text::{Edits, read_json};
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::asmdef::{Assembly, Link};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "asmdef.addReference",
    keywords: "assembly definition dependency use another assembly from code reference asmdef namespace not found see type link dll",
    title: "Add Assembly Reference",
    notes: Some("References that are there say how a new one is written: by guid or by name."),
    category: "asmdef",
    tier: Tier::Tier3,
    safety: Safety::SafeWrite,
    idempotent: false,
    after: &[Earlier {
        tool: "project.writeFile",
        input: r#"{ "project": "unity", "path": "Assets/Tests/Keep.Tests.asmdef", "content": "{\n    \"name\": \"Keep.Tests\",\n    \"references\": []\n}\n" }"#,
    }],
    examples: &[Example {
        description: "Let a second assembly of the Unity sample use the first",
        input: r#"{
            "sourcePath": "Assets/Tests/Keep.Tests.asmdef",
            "targetPath": "Assets/Scripts/LanternKeep.asmdef"
        }"#,
        output: r#"{
            "success": true,
            "sourcePath": "Assets/Tests/Keep.Tests.asmdef",
            "targetPath": "Assets/Scripts/LanternKeep.asmdef",
            "referenceAdded": true,
            "reference": "",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["reference", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Let an assembly use another one: the reference is added to its `.asmdef`, unless it is there or
/// would make a cycle. Everything else in the file keeps its bytes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The `.asmdef` that gets the reference.
    source_path: String,
    /// The `.asmdef` that it is to use, also one of a package; or the name of its assembly.
    target_path: String,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file that got the reference.
    source_path: String,
    /// The file that it leads to.
    target_path: String,
    /// Whether it was added.
    reference_added: bool,
    /// The reference as it is written.
    reference: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let all = assemblies(&unity);
    let source = find(&unity, &all, &input.source_path)?;
    let target = find(&unity, &all, &input.target_path)?;
    if source.path == target.path {
        return Err(wrong("Invalid target assembly").hint("an assembly does not refer to itself"));
    }
    let graph = Names::new(&all);
    if source.references.iter().any(|link| graph.leads_to(link, target)) {
        return Err(wrong("Reference already exists").hint("nothing was changed; none is needed"));
    }
    if let Some(chain) = graph.chain(target, source) {
        return Err(wrong("Adding reference would create circular dependency")
            .hint(format!("nothing was changed; {} leads back", chain.join(" -> ")))
            .detail("cycle", chain));
    }
    if target.editor_only && !source.editor_only && !source.is_test {
        cx.diagnose(format!(
            "{} is for the editor alone; builds of {} will not compile if they use it.",
            target.name, source.name
        ));
    }
    let path = ProjectPath::parse(unity.project, &source.path)?;
    let before = door::read(cx, unity.project, &path)?;
    let reference = spelled(source, target);
    let after = with_reference(&path, &before, &reference)?;
    let mut plan = Plan::new(unity.project);
    plan.write(&path, Some(&before), after);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        Assembly::parse(path.as_str(), None, bytes).map(drop).map_err(|why| why.to_string())
    })?;
    Ok(Output {
        success: true,
        source_path: source.path.clone(),
        target_path: target.path.clone(),
        reference_added: true,
        reference,
        written,
    })
}

/// All that can be read, of the project and its packages.
fn assemblies(unity: &Unity<'_>) -> Vec<Assembly> {
    let files = unity.index.assets().filter(|asset| asset.name().ends_with(".asmdef"));
    files
        .filter_map(|asset| Assembly::parse(&asset.path(), asset.guid(), &asset.read().ok()?).ok())
        .collect()
}

fn find<'a>(unity: &Unity<'_>, all: &'a [Assembly], text: &str) -> Result<&'a Assembly, ToolError> {
    let plain = text.trim().replace('\\', "/");
    if let Some(found) =
        all.iter().find(|assembly| assembly.path == plain || assembly.name == plain)
    {
        return Ok(found);
    }
    // Files of packages have two paths.
    let path = unity
        .index
        .assets()
        .find(|asset| asset.name().ends_with(".asmdef") && asset.unity_path() == plain);
    let found = path.and_then(|asset| all.iter().find(|assembly| assembly.path == asset.path()));
    found.ok_or_else(|| {
        let known =
            all.iter().map(|assembly| match plain.contains('/') || plain.ends_with(".asmdef") {
                true => assembly.path.as_str(),
                false => assembly.name.as_str(),
            });
        let hint = suggest::did_you_mean(&plain, known, "asmdef_validateGraph lists them");
        ToolError::new(ErrorKind::EngineError, format!("Assembly definition not found: {text}"))
            .hint(hint)
            .detail("path", text)
    })
}

/// By guid, unless the file has names and no guids, or there is no guid.
fn spelled(source: &Assembly, target: &Assembly) -> String {
    let has = |is_wanted: fn(&Link) -> bool| source.references.iter().any(is_wanted);
    let by_name =
        has(|link| matches!(link, Link::Name(_))) && !has(|link| matches!(link, Link::Guid(_)));
    match target.guid.filter(|_| !by_name) {
        Some(guid) => Link::Guid(guid).to_string(),
        None => target.name.clone(),
    }
}

fn with_reference(
    path: &ProjectPath,
    before: &[u8],
    reference: &str,
) -> Result<Vec<u8>, ToolError> {
    let broken = |why: &str| ToolError::failed(format!("{path} cannot be edited: {why}"));
    let root = read_json(before).map_err(|why| broken(&why))?;
    let mut edits = Edits::default();
    let added = match root.get("references") {
        Some(list) => list.push(before, &reference.into(), &mut edits),
        None => {
            let list = serde_json::json!([reference]);
            root.put(before, "references", &list, |_| false, &mut edits)
        }
    };
    added.ok_or_else(|| broken("its references are no list"))?;
    edits.apply(before).map_err(|why| broken(&why.to_string()))
}

/// Which assemblies references lead to.
struct Names<'a> {
    by_name: HashMap<&'a str, &'a Assembly>,
    all: &'a [Assembly],
}

impl<'a> Names<'a> {
    fn new(all: &'a [Assembly]) -> Self {
        Self {
            by_name: all.iter().map(|assembly| (assembly.name.as_str(), assembly)).collect(),
            all,
        }
    }

    fn of(&self, link: &Link) -> Option<&'a Assembly> {
        match link {
            Link::Name(name) => self.by_name.get(name.as_str()).copied(),
            Link::Guid(guid) => self.all.iter().find(|assembly| assembly.guid == Some(*guid)),
        }
    }

    fn leads_to(&self, link: &Link, target: &Assembly) -> bool {
        self.of(link).is_some_and(|found| found.path == target.path)
    }

    /// The names on a way from one assembly to another.
    fn chain(&self, from: &'a Assembly, to: &Assembly) -> Option<Vec<String>> {
        let mut seen: HashSet<&str> = HashSet::new();
        let mut open = vec![(from, vec![from.name.clone()])];
        while let Some((assembly, way)) = open.pop() {
            if assembly.path == to.path {
                return Some(way);
            }
            if !seen.insert(&assembly.path) {
                continue;
            }
            for next in assembly.references.iter().filter_map(|link| self.of(link)) {
                let mut way = way.clone();
                way.push(next.name.clone());
                open.push((next, way));
            }
        }
        None
    }
}

fn wrong(message: &str) -> ToolError {
    ToolError::new(ErrorKind::EngineError, message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::json;

    use crate::testing::call_writing;

    const PROJECT: &str = "//- Assets/A/A.asmdef\n{\n    \"name\": \"A\",\n    \"references\": [],\n    \"autoReferenced\": true\n}\n//- Assets/B/B.asmdef\n{ \"name\": \"B\", \"references\": [\"C\"] }\n//- Assets/B/B.asmdef.meta\nguid: b0000000000000000000000000000001\n//- Assets/C/C.asmdef\n{ \"name\": \"C\" }\n";

    fn call(folder: &Folder, source: &str, target: &str) -> Result<(), String> {
        let arguments = json!({ "sourcePath": source, "targetPath": target });
        let outcome = call_writing(folder, super::TOOL.id, arguments);
        outcome.map(drop).map_err(|error| error.text().replace("\nTry: ", " | "))
    }

    #[test]
    fn a_reference_is_written_in_the_manner_of_the_file() {
        let folder = Folder::unity(PROJECT);
        call(&folder, "Assets/A/A.asmdef", "Assets/B/B.asmdef").unwrap();
        expect![[r#"
            {
                "name": "A",
                "references": [
                    "GUID:b0000000000000000000000000000001"
                ],
                "autoReferenced": true
            }
        "#]]
        .assert_eq(&folder.read("Assets/A/A.asmdef"));
        call(&folder, "Assets/A/A.asmdef", "C").unwrap();
        assert!(folder.read("Assets/A/A.asmdef").contains("001\",\n        \"C\"\n    ],\n"));
        call(&folder, "C", "Assets/Nope.asmdef").unwrap_err();
    }

    #[test]
    fn cycles_and_what_is_there_are_refused() {
        let folder = Folder::unity(PROJECT);
        let before = folder.read("Assets/C/C.asmdef");
        let refused = |source: &str, target: &str| call(&folder, source, target).unwrap_err();
        expect!["Reference already exists | nothing was changed; none is needed"]
            .assert_eq(&refused("B", "C"));
        expect!["Adding reference would create circular dependency | nothing was changed; B -> C leads back"]
            .assert_eq(&refused("C", "B"));
        expect!["Invalid target assembly | an assembly does not refer to itself"]
            .assert_eq(&refused("C", "C"));
        expect!["Assembly definition not found: Assets/B.asmdef | did you mean Assets/B/B.asmdef or Assets/C/C.asmdef or Assets/A/A.asmdef?"]
            .assert_eq(&refused("Assets/B.asmdef", "C"));
        assert_eq!(folder.read("Assets/C/C.asmdef"), before);
        call(&folder, "C", "A").unwrap();
        assert_eq!(
            folder.read("Assets/C/C.asmdef"),
            "{ \"name\": \"C\", \"references\": [\"A\"] }\n"
        );
    }
}
