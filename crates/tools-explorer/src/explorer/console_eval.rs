//! The tool `explorer.consoleEval`, `ConsoleEval` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use super::CONSOLE;
use crate::world::InWorld;
use crate::world::console::{self, Given};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.consoleEval",
    keywords: "run execute evaluate csharp code statement",
    explorer: Some("ConsoleEval"),
    title: "Run Code",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: CONSOLE,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Ask where the player of the Unity sample is",
        input: r#"{ "code": "GameObject.Find(\"Player\").transform.childCount + 1" }"#,
        output: r#"{ "ok": true, "result": "2" }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Given>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Run a safe subset of C# in the world and give what it returns: literals, arithmetic, strings, loops,
/// lambdas, lists, LINQ, GameObject.Find, GetComponent, transforms, vectors, Debug.Log.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The code; the last line may be an expression or `return …;`.
    #[schemars(length(max = 4_194_304))]
    code: String,
}

fn run(cx: &Cx, Input { code }: Input) -> Result<Given, ToolError> {
    cx.world(|world| console::run(cx, world, &code))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_contract::ErrorKind;
    use serde_json::json;

    use crate::testing::{PLAYER, UnitySample};

    #[test]
    fn code_that_cannot_be_compiled_runs_in_no_part() {
        let sample = UnitySample::new();
        let code = "GameObject.Find(\"Player\").SetActive(false);\nvar größe = ;";
        let error = sample.call(super::TOOL.id, json!({ "code": code })).unwrap_err();
        assert_eq!(error.kind, ErrorKind::BadArguments);
        expect![[r#"
            Unable to compile the code. Evaluator's last output was:
            (2,13): error an expression is expected, found ';'"#]]
        .assert_eq(&error.message);
        assert_eq!((&error.details["line"], &error.details["column"]), (&json!(2), &json!(13)));
        assert_eq!(sample.ask("explorer.getObject", json!({ "id": PLAYER }))["Active"], true);
    }

    #[test]
    fn a_prefab_that_is_not_instantiated_is_told_by_its_name() {
        let spawner = "MonoBehaviour:
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: 0123456789abcdef0123456789abcde2, type: 3}
  lamp: {fileID: 1, guid: 0123456789abcdef0123456789abcde3, type: 3}
";
        let files = "//- Assets/Spawner.cs
public class Spawner : UnityEngine.MonoBehaviour { public UnityEngine.GameObject lamp; }
//- Assets/Spawner.cs.meta
guid: 0123456789abcdef0123456789abcde2
//- Assets/Lamp.prefab
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &1
GameObject:
  m_Name: Lamp
//- Assets/Lamp.prefab.meta
guid: 0123456789abcdef0123456789abcde3
";
        let sample = UnitySample::with_components(&[(114, spawner)], files);
        let code = r#"Object.Instantiate(GameObject.Find("Thing").GetComponent<Spawner>().lamp)"#;
        let error = sample.call(super::TOOL.id, json!({ "code": code })).unwrap_err();
        expect!["System.NotSupportedException: Lamp is an asset, and assets are not instantiated here; instantiate an object of a scene (line 1)"].assert_eq(&error.message);
    }

    #[test]
    fn what_ran_before_a_failure_has_happened() {
        let sample = UnitySample::new();
        let code =
            "GameObject.Find(\"Player\").SetActive(false);\nGameObject.Find(\"Nobody\").name";
        let error = sample.call(super::TOOL.id, json!({ "code": code })).unwrap_err();
        assert_eq!((error.kind, &error.details["line"]), (ErrorKind::ToolFailed, &json!(2)));
        expect!["System.NullReferenceException: Object reference not set to an instance of an object (line 2)"].assert_eq(&error.message);
        assert_eq!(sample.ask("explorer.getObject", json!({ "id": PLAYER }))["Active"], false);
    }
}
