//! The tool `script.create`: Create C# Script.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::index::AssetKind;
use scenewright_unity::script::{
    self, ScriptSet, Template, TypeRef, declares_class, is_identifier, simple_name,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::assets::{NewFiles, ending, stem};
use crate::base::{InUnity, Unity};

pub(crate) const TOOL: Tool = Tool {
    id: "script.create",
    keywords: "new c# csharp cs class monobehaviour scriptableobject component behaviour interface enum struct editor window inspector unit test template write code file spin controller",
    argument_aliases: &[("scriptPath", "path"), ("type", "template"), ("code", "content")],
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
/// free of syntax errors. The class has the name of the file; the namespace is that of the assembly
/// definition above it unless you give one.
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
    /// Its class.
    class_name: String,
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
    let class = class_name(&path)?;
    unity.must_be_new(&path)?;
    let template = Template::from(input.template);
    let namespace = match &input.namespace {
        Some(text) => checked_namespace(text)?,
        None => unity.root_namespace(&path),
    };
    let (source, namespace) = match input.content {
        Some(content) => {
            let namespace = check(&path, class, &content)?;
            (content, namespace)
        }
        None => {
            let target = target(&unity, class, template, input.target.as_deref())?;
            unity.tell_place(&path, template);
            (template.source(class, &namespace, &target), namespace)
        }
    };
    unity.tell_clash(&full_name(&namespace, class))?;
    let mut new = NewFiles::default();
    let guid = new.add(&unity, &path, source.into_bytes())?.map(|guid| guid.to_string());
    let mut plan = Plan::new(unity.project);
    new.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |path, bytes| {
        unity.project.engine.unread_part(path.as_str(), bytes).map_or(Ok(()), Err)
    })?;
    let (path, class_name) = (path.to_string(), class.to_owned());
    Ok(Output { success: true, path, class_name, namespace, guid, written })
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

/// The class that a file is for.
fn class_name(path: &ProjectPath) -> Result<&str, ToolError> {
    if ending(path.as_str()) != "cs" {
        return Err(wrong(format!("{path} is no C# script"))
            .hint("end the path in .cs; project_writeFile writes other files"));
    }
    let class = stem(path.as_str());
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

/// Source of the caller's own: it can be read, and its component has the name of the file. The
/// namespace of its class.
fn check(path: &ProjectPath, class: &str, content: &str) -> Result<String, ToolError> {
    let file = script::parse(content);
    if let Some(problem) = file.problems.first() {
        let script::Problem { line, column, message } = problem;
        return Err(wrong(format!(
            "the content cannot be read: line {line}, column {column}: {message}"
        ))
        .hint("nothing was changed; correct it, or write it as it is with project_writeFile"));
    }
    let own = file.types.iter().find(|decl| decl.name == class);
    if let Some(own) = own {
        return Ok(own.namespace.to_string());
    }
    let set = ScriptSet::new([&file]);
    let is_object =
        |decl: &&script::TypeDecl| set.unity_base(TypeRef { file: &file, decl }).is_object();
    match file.types.iter().find(is_object) {
        Some(other) => {
            Err(wrong(format!("{path} would have no class {class}, only {}", other.name)).hint(
                format!("Unity finds it by the name of its file: call the file {}.cs", other.name),
            ))
        }
        None => Ok(file.types.first().map_or(String::new(), |decl| decl.namespace.to_string())),
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
}
