//! The tool `explorer.readStaticMember`, `ReadStaticMember` in the Explorer interface.

use scenewright_console::static_property;
use scenewright_contract::{ErrorKind, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::InWorld;
use crate::world::values::ValueCard;

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.readStaticMember",
    keywords: "static variable value class global",
    explorer: Some("ReadStaticMember"),
    title: "Value of a Static Member",
    category: "explorer",
    examples: &[Example {
        description: "Read a constant of the Unity sample",
        input: r#"{ "typeFullName": "LanternKeep.GameState", "name": "LitLanterns" }"#,
        output: r#"{ "ok": true, "type": "System.Int32", "valueText": "0", "valueJson": 0, "refId": null }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<ValueCard>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Read a static field or property of one of the project's classes, or one of the engine's that the
/// console knows. The project's have the value of their declaration, for no code of the game runs
/// here.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// Full name of the class.
    type_full_name: String,
    /// Name of the field or property.
    name: String,
}

fn run(cx: &Cx, Input { type_full_name, name }: Input) -> Result<ValueCard, ToolError> {
    cx.world(|world| {
        let own = world
            .types()
            .get(&type_full_name)
            .is_some_and(|ty| ty.assembly.starts_with("Assembly-"));
        if !own && let Some(read) = static_property(world, &type_full_name, &name) {
            let (declared, value) = read.map_err(|error| ToolError::failed(error.to_string()))?;
            return Ok(ValueCard::of(world, &cx.holder().refs, &declared, &value));
        }
        if world.types().get(&type_full_name).is_none() {
            return Err(ToolError::new(ErrorKind::EngineError, "Type not found")
                .detail("type", type_full_name));
        }
        let found = world.static_member(&type_full_name, &name);
        let (declared, value) = found.ok_or_else(|| {
            ToolError::new(ErrorKind::EngineError, "Member not found")
                .hint("ListStaticMembers names them")
                .detail("name", &*name)
        })?;
        Ok(ValueCard::of(world, &cx.holder().refs, &declared, &value))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::UnitySample;

    const SCRIPTS: &str = r#"//- Assets/Lamp.cs
    public class Lamp
    {
        public const int Floors = 3;
        public static string Motto = "Größe";
        public static readonly float Heat = 1.5f;
        public static int Sum = 1 + 2;
        public int level = 4;
    }
    "#;

    #[test]
    fn it_has_the_value_of_its_declaration() {
        let sample = UnitySample::of(SCRIPTS);
        let read = |name: &str| {
            let given = json!({ "typeFullName": "Lamp", "name": name });
            let value = sample.ask(super::TOOL.id, given);
            format!("{} {}", value["type"], value["valueJson"])
        };
        expect![[r#""System.Int32" 3"#]].assert_eq(&read("Floors"));
        expect![[r#""System.String" "Größe""#]].assert_eq(&read("Motto"));
        expect![[r#""System.Single" 1.5"#]].assert_eq(&read("Heat"));
        // What is more than a literal is run.
        expect![[r#""System.Int32" 3"#]].assert_eq(&read("Sum"));
    }

    #[test]
    fn statics_of_the_engine_are_those_of_the_world() {
        let sample = UnitySample::new();
        let read = |class: &str, name: &str| {
            let given = json!({ "typeFullName": format!("UnityEngine.{class}"), "name": name });
            let value = sample.ask(super::TOOL.id, given);
            format!("{} {}", value["type"].as_str().unwrap(), value["valueText"].as_str().unwrap())
        };
        sample.ask("explorer.setTimeScale", json!({ "value": 0.5 }));
        assert_eq!(read("Time", "timeScale"), "System.Single 0.5");
        assert_eq!(read("Screen", "width"), "System.Int32 1920");
        assert_eq!(read("Camera", "main"), "UnityEngine.Camera Main Camera (UnityEngine.Camera)");
    }

    #[test]
    fn members_of_nothing() {
        let sample = UnitySample::of(SCRIPTS);
        let refuse = |class: &str, name: &str| {
            sample.refusal(super::TOOL.id, json!({ "typeFullName": class, "name": name }))
        };
        expect!["EngineError: Member not found; ListStaticMembers names them"]
            .assert_eq(&refuse("Lamp", "level"));
        expect!["EngineError: Member not found; ListStaticMembers names them"]
            .assert_eq(&refuse("Lamp", "floors"));
        expect!["EngineError: Type not found"].assert_eq(&refuse("lamp", "Floors"));
    }
}
