//! The tool `sdk.registerCustomTool`: Register Custom Tool.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::index::AssetKind;
use scenewright_unity::script::{self, MethodKind, TypeDecl};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::base::InUnity;

pub(crate) const TOOL: Tool = Tool {
    id: "sdk.registerCustomTool",
    keywords: "custom tool plugin extension own csharp method attribute register extend",
    title: "Register Custom Tool",
    notes: Some(
        "C# runs in the editor only, and this version has no link to a running editor: without `dryRun` it says so and registers nothing.",
    ),
    category: "sdk",
    examples: &[Example {
        description: "See whether a method of the Unity sample could be a tool",
        input: r#"{ "typeName": "PlayerController", "dryRun": true }"#,
        output: r#"{ "success": true, "toolsRegistered": 0, "tools": [] }"#,
        varies: &["tools"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Look for C# methods that could be tools, by type and method, in the project's sources. Running them
/// needs a link to the Unity editor, which is not there yet: only `dryRun` answers, with what was
/// found; otherwise the call says what it needs.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Assembly definition, such as `Assets/Tools/Tools.asmdef`; all sources by default.
    assembly_path: Option<String>,
    /// Class that has the methods, short or with its namespace.
    type_name: Option<String>,
    /// Method; all public ones of the class by default.
    method_name: Option<String>,
    /// Schema for the arguments, instead of one from the method's parameters.
    schema: Option<Map<String, Json>>,
    /// Tell what was found, and register nothing.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Whether something was found.
    success: bool,
    /// How many tools are registered: none without a link to the editor.
    tools_registered: usize,
    /// What was found, at most 100.
    tools: Vec<Found>,
}

#[derive(Serialize, JsonSchema)]
struct Found {
    /// What the tool would be called.
    id: String,
    /// The class.
    r#type: String,
    /// The method.
    method: String,
    /// Whether it can be called.
    registered: bool,
}

/// So many methods are told.
const MAX_FOUND: usize = 100;

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let engine = |message: String| ToolError::new(ErrorKind::EngineError, message);
    if let Some(path) = &input.assembly_path {
        let asset = unity.asset(Some(path), None);
        let is_there =
            asset.is_ok_and(|asset| matches!(asset.kind(), AssetKind::AsmDef | AssetKind::Dll));
        if !is_there {
            return Err(engine(format!("Assembly not found: {path}"))
                .hint("give the path of an .asmdef or .dll"));
        }
    }
    let is_object =
        |schema: &Map<String, Json>| schema.get("type").is_none_or(|kind| kind == "object");
    if input.schema.as_ref().is_some_and(|schema| !is_object(schema)) {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            "Invalid schema: its type must be object",
        ));
    }
    let mut names = Vec::new();
    let mut tools = Vec::new();
    let mut is_known = input.type_name.is_none();
    for asset in
        unity.index.of_kind(AssetKind::Script).filter(|asset| asset.path().starts_with("Assets/"))
    {
        cx.check_cancelled()?;
        let Ok(bytes) = asset.read() else { continue };
        if bytes.len() > script::MAX_SOURCE_BYTES {
            continue;
        }
        for ty in script::parse_bytes(&bytes).all_types() {
            names.push(ty.full_name());
            let is_it = input
                .type_name
                .as_ref()
                .is_some_and(|name| *name == ty.name || *name == ty.full_name());
            is_known |= is_it;
            if is_it || input.type_name.is_none() {
                tools.extend(methods(ty, &input));
            }
        }
    }
    if !is_known {
        let wanted = input.type_name.unwrap_or_default();
        let otherwise = "script_create makes a class";
        return Err(engine(format!("Type not found: {wanted}")).hint(suggest::did_you_mean(
            &wanted,
            names.iter().map(String::as_str),
            otherwise,
        )));
    }
    if let (Some(method), true) = (&input.method_name, tools.is_empty()) {
        return Err(
            engine(format!("Method not found: {method}")).hint("only public methods can be tools")
        );
    }
    if !input.dry_run {
        let message = "sdk.registerCustomTool needs a link to a running Unity editor, which this version does not have";
        return Err(ToolError::new(ErrorKind::NotReady, message)
            .hint("dryRun tells what was found; batch runs several tools as one"));
    }
    tools.truncate(MAX_FOUND);
    Ok(Output { success: true, tools_registered: 0, tools })
}

fn methods(ty: &TypeDecl, input: &Input) -> Vec<Found> {
    let is_wanted = |name: &str| input.method_name.as_ref().is_none_or(|wanted| wanted == name);
    let is_public = |method: &&script::Method| {
        method.kind == MethodKind::Method && ty.member_access(method.about.modifiers) == "public"
    };
    let own = ty.methods.iter().filter(is_public).filter(|method| is_wanted(&method.name));
    own.map(|method| Found {
        id: format!("custom.{}.{}", ty.name, method.name),
        r#type: ty.full_name(),
        method: method.name.clone(),
        registered: false,
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_contract::ErrorKind;
    use serde_json::{Value, json};

    use crate::testing::call_project;

    const TOOLS: &str = "//- Assets/MyTools.cs\nnamespace Game { public static class MyTools { public static int Count(string name) { return 1; } static void Hidden() {} } }\n";

    #[test]
    fn what_is_there_is_told_and_what_is_needed_said() {
        let call = |arguments: Value| call_project(TOOLS, super::TOOL.id, arguments);
        let found = call(json!({ "typeName": "Game.MyTools", "dryRun": true }));
        let refused = [
            call(json!({ "typeName": "MyTool", "dryRun": true })),
            call(json!({ "typeName": "MyTools", "methodName": "Hidden", "dryRun": true })),
            call(json!({ "assemblyPath": "Assets/None.asmdef", "dryRun": true })),
            call(json!({ "schema": { "type": "string" }, "dryRun": true })),
        ]
        .map(|result| result.unwrap_err().text());
        let tools = &found.unwrap().output["tools"];
        let expected = json!([{ "id": "custom.MyTools.Count", "type": "Game.MyTools", "method": "Count", "registered": false }]);
        assert_eq!(*tools, expected);
        expect![[r#"
            Type not found: MyTool
            Try: did you mean Game.MyTools?
            Method not found: Hidden
            Try: only public methods can be tools
            Assembly not found: Assets/None.asmdef
            Try: give the path of an .asmdef or .dll
            Invalid schema: its type must be object"#]]
        .assert_eq(&refused.join("\n"));
        let error = call(json!({ "typeName": "MyTools" })).unwrap_err();
        assert_eq!(error.kind, ErrorKind::NotReady);
    }
}
