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
    keywords: "run execute evaluate csharp code statement c# snippet repl expression live running print value while game runs",
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

    const SPAWNER: &str = "MonoBehaviour:
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: 0123456789abcdef0123456789abcde2, type: 3}
  lamp: {fileID: 1, guid: 0123456789abcdef0123456789abcde3, type: 3}
  glow: {fileID: 3, guid: 0123456789abcdef0123456789abcde3, type: 3}
  bulb: {fileID: 4, guid: 0123456789abcdef0123456789abcde3, type: 3}
";

    /// A lamp with a bulb inside, which its light is followed by.
    const LAMP: &str = "//- Assets/Spawner.cs
public class Spawner : UnityEngine.MonoBehaviour {
    public UnityEngine.GameObject lamp; public UnityEngine.Light glow; public UnityEngine.GameObject bulb;
}
//- Assets/Spawner.cs.meta
guid: 0123456789abcdef0123456789abcde2
//- Assets/Follow.cs
public class Follow : UnityEngine.MonoBehaviour { public UnityEngine.Transform target; }
//- Assets/Follow.cs.meta
guid: 0123456789abcdef0123456789abcde4
//- Assets/Lamp.prefab
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &1
GameObject:
  m_Component:
  - component: {fileID: 2}
  - component: {fileID: 3}
  - component: {fileID: 6}
  m_Name: Lamp
  m_IsActive: 1
--- !u!4 &2
Transform:
  m_GameObject: {fileID: 1}
  m_LocalRotation: {x: 0, y: 0, z: 0, w: 1}
  m_LocalPosition: {x: 0, y: 2, z: 0}
  m_LocalScale: {x: 1, y: 1, z: 1}
  m_Children:
  - {fileID: 5}
  m_Father: {fileID: 0}
--- !u!108 &3
Light:
  m_GameObject: {fileID: 1}
  m_Enabled: 1
  m_Intensity: 4
--- !u!1 &4
GameObject:
  m_Component:
  - component: {fileID: 5}
  m_Name: Bulb
  m_IsActive: 1
--- !u!4 &5
Transform:
  m_GameObject: {fileID: 4}
  m_LocalPosition: {x: 0, y: 1, z: 0}
  m_Father: {fileID: 2}
--- !u!114 &6
MonoBehaviour:
  m_GameObject: {fileID: 1}
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: 0123456789abcdef0123456789abcde4, type: 3}
  target: {fileID: 5}
//- Assets/Lamp.prefab.meta
guid: 0123456789abcdef0123456789abcde3
";

    #[test]
    fn a_prefab_is_instantiated_whole_and_leads_to_itself() {
        let sample = UnitySample::with_components(&[(114, SPAWNER)], LAMP);
        let code = r#"var spawner = GameObject.Find("Thing").GetComponent<Spawner>();
            var lamp = Object.Instantiate(spawner.lamp);
            var glow = Object.Instantiate(spawner.glow, lamp.transform);
            var other = Object.Instantiate(lamp);
            other.transform.GetChild(0).name = "Other";
            lamp.name + lamp.transform.position + lamp.transform.GetChild(0).name + glow.intensity
                + glow.transform.parent.name + lamp.GetComponent<Follow>().target.position
                + other.GetComponent<Follow>().target.name"#;
        expect!["Lamp(Clone)(0.00, 2.00, 0.00)Bulb4Lamp(Clone)(0.00, 3.00, 0.00)Other"]
            .assert_eq(sample.eval(code)["result"].as_str().unwrap());
    }

    #[test]
    fn a_part_of_a_prefab_is_not_instantiated_alone() {
        let sample = UnitySample::with_components(&[(114, SPAWNER)], LAMP);
        let code = r#"Object.Instantiate(GameObject.Find("Thing").GetComponent<Spawner>().bulb)"#;
        let error = sample.call(super::TOOL.id, json!({ "code": code })).unwrap_err();
        expect!["System.NotSupportedException: Lamp cannot be instantiated here: it is not the root of its prefab (line 1)"].assert_eq(&error.message);
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
