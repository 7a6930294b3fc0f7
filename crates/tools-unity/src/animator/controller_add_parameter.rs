//! The tool `animator.controller.addParameter`: Add Animator Parameter.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::tool::Earlier;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Type, change};

pub(crate) const TOOL: Tool = Tool {
    id: "animator.controller.addParameter",
    keywords: "animator controller parameter bool float int trigger variable condition",
    argument_aliases: &[("assetPath", "controllerPath")],
    title: "Add Animator Parameter",
    category: "animator",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A trigger for a controller of the Unity sample",
        input: r#"{ "project": "unity", "controllerPath": "Assets/Door.controller", "name": "Knock", "type": "trigger" }"#,
        output: r#"{
            "success": true,
            "controllerPath": "Assets/Door.controller",
            "parameters": ["Knock"],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    after: &[Earlier {
        tool: "animator.controller.create",
        input: r#"{ "project": "unity", "path": "Assets/Door.controller" }"#,
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Add a parameter to an animator controller.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The controller.
    controller_path: String,
    /// Its name.
    name: String,
    /// What it holds.
    r#type: Type,
    /// What it begins with; 1 is true.
    #[serde(default)]
    default: f64,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The controller.
    controller_path: String,
    /// All parameters that it has now.
    parameters: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let Input { project, controller_path, name, r#type, default, dry_run } = input;
    let (controller_path, parameters, written) =
        change(cx, project.as_deref(), &controller_path, dry_run, |controller| {
            controller.add_parameter(&name, r#type.into(), default)?;
            let names = controller.parameters().into_iter().map(|(name, _)| name).collect();
            Ok((names, Vec::new()))
        })?;
    Ok(Output { success: true, controller_path, parameters, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::bench;

    #[test]
    fn a_parameter_comes_last() {
        let bench = bench();
        let path = "Assets/Door.controller";
        bench
            .call(
                "animator.controller.create",
                json!({ "path": path, "parameters": [{ "name": "IsOpen", "type": "bool" }] }),
            )
            .unwrap();
        let before = bench.read(path);
        let arguments =
            json!({ "controllerPath": path, "name": "Count", "type": "int", "default": 3 });
        expect![[r#"
            --- a/Assets/Door.controller
            +++ b/Assets/Door.controller
            @@ -15,6 +15,12 @@
                 m_DefaultInt: 0
                 m_DefaultBool: 0
                 m_Controller: {fileID: 9100000}
            +  - m_Name: Count
            +    m_Type: 3
            +    m_DefaultFloat: 0
            +    m_DefaultInt: 3
            +    m_DefaultBool: 0
            +    m_Controller: {fileID: 9100000}
               m_AnimatorLayers:
               - serializedVersion: 5
                 m_Name: Base Layer
        "#]]
        .assert_eq(&bench.diff(super::TOOL.id, arguments.clone()));
        let errors = [
            bench.error(super::TOOL.id, arguments),
            bench.error(super::TOOL.id, json!({ "controllerPath": path, "name": "", "type": "int" })),
            bench.error(super::TOOL.id, json!({ "controllerPath": "Assets/Dor.controller", "name": "A", "type": "int" })),
            bench.error(super::TOOL.id, json!({ "controllerPath": "Assets/Materials/Stone.mat", "name": "A", "type": "int" })),
        ];
        expect![[r#"
            the controller has a parameter Count already; nothing was changed
            a parameter needs a name; nothing was changed
            Asset at path 'Assets/Dor.controller' not found; did you mean Assets/Door.controller?
            the file has no animator controller; nothing was changed"#]]
        .assert_eq(&errors.join("\n"));
        bench.undo();
        assert_eq!(bench.read(path), before);
    }
}
