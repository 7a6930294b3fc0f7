//! The tool `project.inspectScript`: Inspect C# Script.

use std::collections::BTreeMap;
use std::path::PathBuf;

use scenewright_contract::{ErrorKind, Tier, ToolError};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, files, paths, schema};
use scenewright_tools_unity::base::UnityProject;
use scenewright_unity::script::{
    self, MAX_SOURCE_BYTES, OutlineType, ScriptFile, ScriptSet, UnityBase,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Base classes are followed over this many files.
const MAX_BASES: usize = 16;

pub(crate) const TOOL: Tool = Tool {
    id: "project.inspectScript",
    keywords: "methods fields serialized of a script class outline members public variables functions attributes monobehaviour c# signature have",
    engine: Some("unity"),
    title: "Inspect C# Script",
    category: "project",
    tier: Tier::Tier2,
    examples: &[Example {
        description: "Outline a script of the Unity sample",
        input: r#"{ "project": "unity", "scriptPath": "Assets/Scripts/GameState.cs" }"#,
        output: r#"{
            "success": true,
            "scriptPath": "Assets/Scripts/GameState.cs",
            "namespace": "LanternKeep",
            "mainClass": "",
            "classes": [],
            "problems": []
        }"#,
        varies: &["classes", "mainClass"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Outline a C# script of a Unity project: namespace, classes with bases, methods, properties and
/// fields, and which fields Unity saves. Syntax errors are listed; the rest is still read.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// The `.cs` file, such as `Assets/Scripts/Player.cs`.
    script_path: String,
    /// Whether to list methods.
    #[serde(default = "yes")]
    include_methods: bool,
    /// Whether to list properties.
    #[serde(default = "yes")]
    include_properties: bool,
    /// Whether to list fields, and those that Unity saves.
    #[serde(default)]
    include_fields: bool,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    script_path: String,
    /// Namespace of the main class; empty for the global one.
    namespace: String,
    /// The class that the asset stands for, with its namespace, when there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    main_class: Option<String>,
    /// Every type of the file, nested ones after the type around them.
    classes: Vec<Class>,
    /// What could not be read, as `line:column message`.
    problems: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Class {
    /// Its name.
    name: String,
    /// `class`, `struct`, `enum`, …
    kind: String,
    /// What it derives from, as written; empty for nothing.
    base_class: String,
    /// Its interfaces, as written.
    interfaces: Vec<String>,
    /// `public`, `internal`, …
    access_modifier: String,
    /// Which of Unity's base classes is behind it: `MonoBehaviour`, `ScriptableObject`, …
    #[serde(skip_serializing_if = "Option::is_none")]
    unity_base: Option<String>,
    /// Summary of its documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
    /// First line, from 1.
    line: u32,
    /// Its methods.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    methods: Vec<Method>,
    /// Its properties.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    properties: Vec<Member>,
    /// Its fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fields: Vec<Member>,
    /// The keys that Unity writes for it in scenes and assets.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    serialized_fields: Vec<String>,
    /// Members of an enum.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    enum_members: Vec<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Method {
    /// Its name.
    name: String,
    /// What it returns; empty for constructors.
    return_type: String,
    /// Its parameters, as `type name`.
    parameters: Vec<String>,
    /// `public`, `private`, …
    access_modifier: String,
    /// The engine calls it by its name.
    unity_message: bool,
    /// Line, from 1.
    line: u32,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Member {
    /// Its name.
    name: String,
    /// Its type, as written.
    r#type: String,
    /// `public`, `private`, …
    access_modifier: String,
    /// Line, from 1.
    line: u32,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    if project.of::<UnityProject>().is_none() {
        return Err(ToolError::new(
            ErrorKind::EngineError,
            "C# scripts are read in Unity projects only",
        )
        .hint("project_readFile reads GDScript"));
    }
    let missing = "Script file not found";
    let file = paths::find(cx, project, &input.script_path, "Path must be under Assets/", missing)?;
    let bytes = files::read(cx, project, &file.path, &file.name)
        .map_err(|error| ToolError::failed(format!("{} cannot be read: {error}", file.name)))?;
    if bytes.len() > MAX_SOURCE_BYTES {
        return Err(ToolError::new(ErrorKind::EngineError, "Script file exceeds size limit")
            .detail("maxBytes", MAX_SOURCE_BYTES));
    }
    let source = script::parse_bytes(&bytes);
    let bases = base_files(cx, project, &source)?;
    let stem = file.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
    let outline = ScriptSet::new(std::iter::once(&source).chain(&bases)).outline(&source, stem);
    Ok(Output {
        success: true,
        script_path: file.name,
        namespace: outline.namespace,
        main_class: outline.main.map(|(name, _)| name),
        classes: outline.types.into_iter().map(|class| describe(class, &input)).collect(),
        problems: outline
            .problems
            .iter()
            .map(|problem| format!("{}:{} {}", problem.line, problem.column, problem.message))
            .collect(),
    })
}

/// The project's own files of the base classes, found by their names, so that
/// `Enemy : Actor : MonoBehaviour` is known to be a component.
fn base_files(
    cx: &Cx,
    project: &Project,
    source: &ScriptFile,
) -> Result<Vec<ScriptFile>, ToolError> {
    let mut wanted = base_names(source);
    if wanted.is_empty() {
        return Ok(Vec::new());
    }
    let mut by_stem: BTreeMap<String, (PathBuf, String)> = BTreeMap::new();
    let assets = project.root.join("Assets");
    files::walk(cx, project, &assets, "Assets", &mut |path, name| {
        if let Some(stem) = name.strip_suffix(".cs").and_then(|name| name.rsplit('/').next()) {
            by_stem.entry(stem.to_owned()).or_insert_with(|| (path.to_owned(), name.to_owned()));
        }
        Ok(true)
    })?;
    let mut bases = Vec::new();
    while let Some(name) = wanted.pop() {
        let Some((path, name)) = by_stem.remove(&name) else { continue };
        if let Ok(bytes) = files::read(cx, project, &path, &name)
            && bytes.len() <= MAX_SOURCE_BYTES
        {
            let base = script::parse_declarations(&String::from_utf8_lossy(&bytes));
            wanted.extend(base_names(&base));
            bases.push(base);
        }
        if bases.len() == MAX_BASES {
            break;
        }
    }
    Ok(bases)
}

fn base_names(source: &ScriptFile) -> Vec<String> {
    source
        .all_types()
        .flat_map(|class| class.bases.iter())
        .map(|base| {
            let plain = base.split('<').next().unwrap_or(base);
            plain.rsplit('.').next().unwrap_or(plain).trim().to_owned()
        })
        .collect()
}

fn describe(class: OutlineType, input: &Input) -> Class {
    let unity_base = match &class.unity_base {
        UnityBase::None | UnityBase::Unknown(_) => None,
        base => Some(format!("{base:?}")),
    };
    let methods =
        class.methods.into_iter().filter(|_| input.include_methods).map(|method| Method {
            name: method.name,
            return_type: method.returns,
            parameters: method.parameters.iter().map(|p| format!("{} {}", p.ty, p.name)).collect(),
            access_modifier: method.access.to_owned(),
            unity_message: method.is_message,
            line: method.line,
        });
    let properties =
        class.properties.into_iter().filter(|_| input.include_properties).map(|property| Member {
            name: property.name,
            r#type: property.ty,
            access_modifier: property.access.to_owned(),
            line: property.line,
        });
    let fields = class.fields.into_iter().filter(|_| input.include_fields).map(|field| Member {
        name: field.name,
        r#type: field.ty,
        access_modifier: field.access.to_owned(),
        line: field.line,
    });
    let saved = class.serialized.fields.iter().filter(|_| input.include_fields);
    Class {
        name: class.name,
        kind: format!("{:?}", class.kind).to_lowercase(),
        base_class: class.base_class.unwrap_or_default(),
        interfaces: class.interfaces,
        access_modifier: class.access.to_owned(),
        unity_base,
        summary: class.summary,
        line: class.lines.0,
        serialized_fields: saved.map(|field| field.key.clone()).collect(),
        methods: methods.collect(),
        properties: properties.collect(),
        fields: fields.collect(),
        enum_members: class.enum_members.into_iter().map(|(name, _)| name).collect(),
    }
}
