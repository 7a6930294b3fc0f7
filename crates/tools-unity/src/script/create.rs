//! The tool `script.create`: Create C# Script.

use std::collections::BTreeSet;

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::index::AssetKind;
use scenewright_unity::script::{
    self, Modifier, ScriptFile, ScriptSet, Template, TypeDecl, TypeRef, UnityBase, declares_class,
    is_identifier, simple_name,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::assets::{NewFiles, ending, stem};
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "script.create",
    keywords: "new c# csharp cs class monobehaviour scriptableobject component behaviour interface enum struct editor window inspector unit test template write code file spin controller",
    argument_aliases: &[("type", "template")],
    title: "Create C# Script",
    notes: Some("What names mean is not looked at; Unity's compiler has the last word."),
    category: "script",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make a component for doors in the Unity sample",
        input: r#"{ "path": "Assets/Scripts/Door.cs" }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Scripts/Door.cs",
            "className": "Door",
            "namespace": "",
            "guid": "",
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["namespace", "guid", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make a C# script with its `.meta`: from a template, or from `content` of your own, which must be
/// free of syntax errors. The class has the name of the file, up to its first dot where it is your own
/// (`Player.Input.cs` for a part of `Player`); the namespace is that of the assembly definition above
/// it unless you give one.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The file, such as `Assets/Scripts/Door.cs`.
    path: String,
    /// What it is to be.
    #[serde(default)]
    template: Kind,
    /// Its namespace; an empty one for none.
    namespace: Option<String>,
    /// The class that an inspector is for; `Door` for `DoorEditor` by default.
    target: Option<String>,
    /// The whole source, instead of a template.
    content: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum Kind {
    /// A component.
    #[default]
    MonoBehaviour,
    /// Data of its own file, with an entry in the menu that makes assets.
    ScriptableObject,
    /// A plain class.
    Class,
    /// A struct that Unity saves.
    Struct,
    /// An enum.
    Enum,
    /// An interface.
    Interface,
    /// A window of the editor.
    EditorWindow,
    /// An editor for the inspector of another class.
    Inspector,
    /// A test of Unity's test runner.
    Test,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The script.
    path: String,
    /// Its class; none when it declares no type.
    #[serde(skip_serializing_if = "Option::is_none")]
    class_name: Option<String>,
    /// The namespace of that class; empty for none.
    namespace: String,
    /// The guid of the script, by which components refer to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let path = unity.asset_place(&input.path)?;
    let class = class_name(&path, input.content.is_some())?;
    unity.must_be_new(&path)?;
    let template = Template::from(input.template);
    let namespace = match &input.namespace {
        Some(text) => checked_namespace(text)?,
        None => unity.root_namespace(&path),
    };
    let (source, declared) = match input.content {
        Some(content) => {
            let declared = check(&unity, &path, class, &content)?;
            (content, declared)
        }
        None => {
            let target = target(&unity, class, template, input.target.as_deref())?;
            unity.tell_place(&path, template);
            let source = template.source(class, &namespace, &target);
            (source, Some(Declared { name: class.to_owned(), namespace, is_partial: false }))
        }
    };
    // A part of a class is beside the others.
    if let Some(declared) = declared.as_ref().filter(|declared| !declared.is_partial) {
        unity.tell_clash(&full_name(&declared.namespace, &declared.name))?;
    }
    let mut new = NewFiles::default();
    let guid = new.add(&unity, &path, source.into_bytes())?.map(|guid| guid.to_string());
    let mut plan = Plan::new(unity.project);
    new.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let (class_name, namespace) = match declared {
        Some(Declared { name, namespace, .. }) => (Some(name), namespace),
        None => (None, String::new()),
    };
    Ok(Output { success: true, path: path.to_string(), class_name, namespace, guid, written })
}

/// What a script is for.
struct Declared {
    name: String,
    namespace: String,
    /// It is one part of a class.
    is_partial: bool,
}

impl From<&TypeDecl> for Declared {
    fn from(decl: &TypeDecl) -> Self {
        let is_partial = decl.about.modifiers.has(Modifier::Partial);
        Declared { name: decl.name.clone(), namespace: decl.namespace.to_string(), is_partial }
    }
}

impl From<Kind> for Template {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::MonoBehaviour => Template::MonoBehaviour,
            Kind::ScriptableObject => Template::ScriptableObject,
            Kind::Class => Template::Class,
            Kind::Struct => Template::Struct,
            Kind::Enum => Template::Enum,
            Kind::Interface => Template::Interface,
            Kind::EditorWindow => Template::EditorWindow,
            Kind::Inspector => Template::Inspector,
            Kind::Test => Template::Test,
        }
    }
}

fn full_name(namespace: &str, class: &str) -> String {
    if namespace.is_empty() { class.to_owned() } else { format!("{namespace}.{class}") }
}

/// The class that a file is for. Parts of a class that somebody wrote are often in `Player.Input.cs`.
fn class_name(path: &ProjectPath, is_written: bool) -> Result<&str, ToolError> {
    if ending(path.as_str()) != "cs" {
        return Err(wrong(format!("{path} is no C# script"))
            .hint("end the path in .cs; project_writeFile writes other files"));
    }
    let stem = stem(path.as_str());
    let class = stem.split('.').next().filter(|_| is_written).unwrap_or(stem);
    if is_identifier(class) {
        return Ok(class);
    }
    let mut near: String = class.chars().filter(|c| c.is_alphanumeric() || *c == '_').collect();
    if !is_identifier(&near) {
        near = format!("My{near}");
    }
    Err(wrong(format!("'{class}' cannot be the name of a class"))
        .hint(format!("a script is called as its class: {near}.cs")))
}

fn checked_namespace(text: &str) -> Result<String, ToolError> {
    let text = text.trim();
    if text.is_empty() || text.split('.').all(is_identifier) {
        return Ok(text.to_owned());
    }
    Err(wrong(format!("'{text}' is no namespace")).hint("words joined by dots, such as Game.Doors"))
}

/// The class that an inspector is for, with its namespace where that is known.
fn target(
    unity: &Unity<'_>,
    class: &str,
    template: Template,
    given: Option<&str>,
) -> Result<String, ToolError> {
    if template != Template::Inspector {
        return Ok(String::new());
    }
    let by_name = || ["Editor", "Inspector"].iter().find_map(|end| class.strip_suffix(end));
    let Some(target) = given.or_else(by_name).map(str::trim).filter(|name| !name.is_empty()) else {
        return Err(wrong("an inspector is for a class".to_owned())
            .hint(format!("give it as target, or call the script {class}Editor.cs")));
    };
    if !target.split('.').all(is_identifier) {
        return Err(wrong(format!("'{target}' is no class")));
    }
    if target.contains('.') {
        return Ok(target.to_owned());
    }
    let found = unity.own_sources().find_map(|(_, source)| {
        let file = declares_class(&source, target).then(|| script::parse_declarations(&source))?;
        let found = file.types.iter().find(|decl| decl.name == target)?;
        Some(found.full_name())
    });
    if found.is_none() {
        unity.cx.diagnose(format!("No script of the project declares a class {target}."));
    }
    Ok(found.unwrap_or_else(|| target.to_owned()))
}

/// Source of the caller's own: it can be read, and its component has the name of the file. What it
/// declares: the class of that name, else its first type.
fn check(
    unity: &Unity<'_>,
    path: &ProjectPath,
    class: &str,
    content: &str,
) -> Result<Option<Declared>, ToolError> {
    let file = script::parse(content);
    if let Some(problem) = file.problems.first() {
        let script::Problem { line, column, message } = problem;
        return Err(wrong(format!(
            "the content cannot be read: line {line}, column {column}: {message}"
        ))
        .hint("nothing was changed; correct it, or write it as it is with project_writeFile"));
    }
    if let Some(own) = file.types.iter().find(|decl| decl.name == class) {
        return Ok(Some(own.into()));
    }
    let files = unity.with_bases(file)?;
    let set = ScriptSet::new(&files);
    let file = &files[0];
    let is_object = |decl: &&TypeDecl| set.unity_base(TypeRef { file, decl }).is_object();
    match file.types.iter().find(is_object) {
        Some(other) => {
            Err(wrong(format!("{path} would have no class {class}, only {}", other.name)).hint(
                format!("Unity finds it by the name of its file: call the file {}.cs", other.name),
            ))
        }
        None => Ok(file.types.first().map(Declared::from)),
    }
}

impl Unity<'_> {
    /// The sources of the project itself.
    fn own_sources(&self) -> impl Iterator<Item = (String, String)> {
        let scripts = self.index.of_kind(AssetKind::Script).filter(|asset| {
            asset.folder().starts_with("Assets") || asset.folder().starts_with("Packages")
        });
        let sources = scripts.filter(|asset| asset.name().ends_with(".cs"));
        sources.filter_map(|asset| {
            let bytes = asset.read().ok()?;
            Some((asset.path(), String::from_utf8_lossy(&bytes).into_owned()))
        })
    }

    /// A file, and after it the sources of the project that declare what its types derive from.
    fn with_bases(&self, file: ScriptFile) -> Result<Vec<ScriptFile>, ToolError> {
        let mut files = vec![file];
        let mut asked = BTreeSet::new();
        loop {
            let missing: Vec<String> = {
                let set = ScriptSet::new(&files);
                let base = |decl| match set.unity_base(TypeRef { file: &files[0], decl }) {
                    UnityBase::Unknown(base) => Some(base),
                    _ => None,
                };
                files[0].types.iter().filter_map(base).collect()
            };
            let Some(base) = missing.into_iter().find(|base| asked.insert(base.clone())) else {
                return Ok(files);
            };
            let name = simple_name(base.split('<').next().unwrap_or(&base)).to_owned();
            let mut found = Vec::new();
            for (_, source) in self.own_sources() {
                self.cx.check_cancelled()?;
                if declares_class(&source, &name) {
                    found.push(script::parse_declarations(&source));
                }
            }
            files.extend(found);
        }
    }

    /// Says which script has a class of this name already.
    fn tell_clash(&self, full: &str) -> Result<(), ToolError> {
        let simple = simple_name(full);
        for (path, source) in self.own_sources() {
            self.cx.check_cancelled()?;
            if !declares_class(&source, simple) {
                continue;
            }
            let file = script::parse_declarations(&source);
            if file.all_types().any(|decl| decl.full_name() == full) {
                self.cx.diagnose(format!(
                    "{path} has a class {full} already; in one assembly both do not compile."
                ));
                break;
            }
        }
        Ok(())
    }

    /// Says where code of the editor or a test would not compile.
    fn tell_place(&self, path: &ProjectPath, template: Template) {
        let assembly = self.assembly_above(path);
        let in_editor = path.parts().any(|part| part == "Editor");
        if template.is_for_editor()
            && !in_editor
            && !assembly.as_ref().is_some_and(|a| a.editor_only)
        {
            self.cx.diagnose(format!(
                "{path} uses the editor and breaks builds: put it below a folder Editor, or into an assembly for the editor alone."
            ));
        }
        if template == Template::Test && !assembly.is_some_and(|assembly| assembly.is_test) {
            self.cx.diagnose(format!(
                "{path} is in no assembly for tests, so NUnit may not be found: it needs an .asmdef with optionalUnityReferences TestAssemblies."
            ));
        }
    }
}

fn wrong(message: String) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    fn call(folder: &Folder, arguments: Value) -> Result<(Value, Vec<String>), String> {
        let outcome = call_writing(folder, super::TOOL.id, arguments);
        outcome
            .map(|outcome| ((*outcome.output).clone(), outcome.diagnostics))
            .map_err(|error| error.message)
    }

    #[test]
    fn a_component_has_the_namespace_of_its_assembly() {
        let assembly =
            "//- Assets/Game/Game.asmdef\n{ \"name\": \"Game\", \"rootNamespace\": \"My.Game\" }\n";
        let folder = Folder::unity(assembly);
        let (output, told) = call(&folder, json!({ "path": "Assets/Game/Doors/Door.cs" })).unwrap();
        assert_eq!((&output["namespace"], told.len()), (&json!("My.Game"), 0));
        expect![[r#"
            using UnityEngine;

            namespace My.Game
            {
                public class Door : MonoBehaviour
                {
                    private void Start()
                    {
                    }

                    private void Update()
                    {
                    }
                }
            }
        "#]]
        .assert_eq(&folder.read("Assets/Game/Doors/Door.cs"));
        let meta = folder.read("Assets/Game/Doors/Door.cs.meta");
        assert!(
            meta.contains(output["guid"].as_str().unwrap()) && meta.contains("\nMonoImporter:\n")
        );
    }

    #[test]
    fn an_inspector_knows_its_class_and_clashes_are_told() {
        let folder =
            Folder::unity("//- Assets/Door.cs\nnamespace A { class Door : MonoBehaviour {} }\n");
        let inspector = json!({ "path": "Assets/Editor/DoorEditor.cs", "template": "inspector" });
        let (_, told) = call(&folder, inspector).unwrap();
        assert_eq!(told, [""; 0]);
        let source = folder.read("Assets/Editor/DoorEditor.cs");
        assert!(source.contains("[CustomEditor(typeof(A.Door))]\n"), "{source}");
        let window = json!({ "path": "Assets/Lock.cs", "template": "editorWindow" });
        expect!["Assets/Lock.cs uses the editor and breaks builds: put it below a folder Editor, or into an assembly for the editor alone."]
            .assert_eq(&call(&folder, window).unwrap().1.join("\n"));
        let clash = json!({ "path": "Assets/More/Door.cs", "namespace": "A" });
        expect!["Assets/Door.cs has a class A.Door already; in one assembly both do not compile."]
            .assert_eq(&call(&folder, clash).unwrap().1.join("\n"));
    }

    #[test]
    fn content_of_ones_own_is_checked() {
        let folder = Folder::unity("//- Assets/Door.cs\nclass Door {}\n");
        let refused = |path: &str, content: Option<&str>| {
            call(&folder, json!({ "path": path, "content": content })).unwrap_err()
        };
        expect!["Assets/A.cs would have no class A, only B"]
            .assert_eq(&refused("Assets/A.cs", Some("class B : UnityEngine.MonoBehaviour {}")));
        assert!(
            refused("Assets/A.cs", Some("class A {"))
                .starts_with("the content cannot be read: line 1")
        );
        expect!["Assets/Door.cs exists already"].assert_eq(&refused("Assets/Door.cs", None));
        expect!["'my door' cannot be the name of a class"]
            .assert_eq(&refused("Assets/my door.cs", None));
        expect!["Assets/A.txt is no C# script"].assert_eq(&refused("Assets/A.txt", None));
        let fine = json!({ "path": "Assets/A.cs", "content": "namespace N { class A {} }" });
        assert_eq!(call(&folder, fine).unwrap().0["namespace"], "N");
    }
    #[test]
    fn a_component_is_known_by_bases_of_other_files() {
        let folder = Folder::unity(
            "//- Assets/Clip.cs\npublic abstract class Clip : Base {}\n//- Assets/Base.cs\npublic class Base : UnityEngine.MonoBehaviour {}\n",
        );
        let written = |path: &str, content: &str| {
            call(&folder, json!({ "path": path, "content": content, "dryRun": true }))
        };
        expect!["Assets/E.cs would have no class E, only Other"]
            .assert_eq(&written("Assets/E.cs", "public class Other : Clip {}").unwrap_err());
        // What is no component may be in any file, and is told as what it is.
        let (output, _) = written("Assets/E.cs", "namespace N { enum Kind { A } }").unwrap();
        assert_eq!((&output["className"], &output["namespace"]), (&json!("Kind"), &json!("N")));
        let (output, _) = written("Assets/E.cs", "using System;").unwrap();
        assert_eq!(output.get("className"), None);
    }

    #[test]
    fn a_part_of_a_class_is_in_a_file_of_two_names() {
        let folder =
            Folder::unity("//- Assets/Player.cs\npartial class Player : MonoBehaviour {}\n");
        let content = "partial class Player { void Read() {} }";
        let (output, told) =
            call(&folder, json!({ "path": "Assets/Player.Input.cs", "content": content })).unwrap();
        assert_eq!((&output["className"], told.len()), (&json!("Player"), 0));
        expect!["'Player.Look' cannot be the name of a class"]
            .assert_eq(&call(&folder, json!({ "path": "Assets/Player.Look.cs" })).unwrap_err());
    }
}
