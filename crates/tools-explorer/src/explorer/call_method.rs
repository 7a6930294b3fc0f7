//! The tool `explorer.callMethod`, `CallMethod` in the Explorer interface.

use scenewright_console::hooks;
use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_world as world;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::WORLD;
use crate::world::{InWorld, allowed, component_of, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.callMethod",
    keywords: "invoke method on a component function live running",
    explorer: Some("CallMethod"),
    title: "Call a Method",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Ask for the place of the player of the Unity sample",
        input: r#"{ "objectId": "obj:1616470424", "componentType": "UnityEngine.Transform", "method": "GetSiblingIndex" }"#,
        output: r#"{ "ok": true, "result": "3" }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Call a method of a component. `<componentType>.<method>` must be on the interface's member
/// allowlist, if it has one. Methods of the engine run in the world; those of the project's own classes are
/// refused, because their code is not run here, unless a hook's Prefix stands for them.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// `obj:<instanceId>`.
    object_id: String,
    /// Name of the component's class, with its namespace or without; or of a base of it, with it.
    component_type: String,
    /// Name of the method.
    method: String,
    /// The arguments: a list, or the JSON text of one.
    #[serde(default = "no_arguments")]
    #[schemars(schema_with = "schema::any_value")]
    args_json: Value,
}

fn no_arguments() -> Value {
    Value::String("[]".to_owned())
}

#[derive(Serialize, JsonSchema)]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// What it returned, as text; null for nothing.
    result: Option<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let (class, id) = allowed::call(cx, &input.object_id, &input.component_type, &input.method)?;
    let arguments = match input.args_json {
        Value::String(text) => serde_json::from_str(&text),
        list => serde_json::from_value(list),
    };
    let arguments: Vec<Value> = arguments.map_err(|error| {
        let message = format!("argsJson is not a JSON list: {error}");
        ToolError::new(ErrorKind::BadArguments, message)
    })?;
    cx.world(|world| {
        let component = component_of(world, id, &class)?;
        let class = world.type_of(&world::Value::Component(component));
        let types = world.types().clone();
        let method = types.methods(&class).find(|(_, method)| {
            *method.name == *input.method && method.parameters.len() == arguments.len()
        });
        let (_, method) = method.ok_or_else(|| {
            let known = types.methods(&class).map(|(_, method)| &*method.name);
            let known: Vec<&str> = known.collect();
            let otherwise = "ListComponentMembers with includeMethods names them";
            let hint = match known.contains(&&*input.method) {
                true => {
                    let given = arguments.len();
                    format!("{} does not take {given} arguments; {otherwise}", input.method)
                }
                false => suggest::did_you_mean(&input.method, known.iter().copied(), otherwise),
            };
            ToolError::new(ErrorKind::EngineError, "Method overload not found").hint(hint)
        })?;
        let values: Result<Vec<_>, _> = arguments
            .iter()
            .zip(&method.parameters)
            .map(|(json, (type_name, _))| world.value_from_json(json, type_name))
            .collect();
        let values =
            values.map_err(|error| ToolError::new(ErrorKind::BadArguments, error.to_string()))?;
        let target = world::Value::Component(component);
        let given = hooks::call(world, &target, &input.method, values).map_err(refused)?;
        let result = match given {
            world::Value::Null => None,
            value => Some(world.describe(&value)),
        };
        Ok(Output { ok: true, result })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::{NOBODY, PLAYER, UnitySample};

    const TRANSFORM: &str = "UnityEngine.Transform";
    const PLAYER_CONTROLLER: &str = "LanternKeep.PlayerController";

    fn sample() -> UnitySample {
        let sample = UnitySample::new();
        let list = [
            "UnityEngine.Transform.SetSiblingIndex",
            "UnityEngine.Transform.Zork",
            "UnityEngine.Component.GetInstanceID",
            "UnityEngine.Light.Reset",
            "LanternKeep.PlayerController.Heal",
        ];
        sample.ask("explorer.setConfig", json!({ "reflectionAllowlistMembers": list }));
        sample
    }

    fn arguments(id: &str, class: &str, method: &str, args: &str) -> Value {
        json!({ "objectId": id, "componentType": class, "method": method, "argsJson": args })
    }

    #[test]
    fn what_cannot_be_called_is_told() {
        let sample = sample();
        let mut text = String::new();
        for (id, class, method, args) in [
            (PLAYER, TRANSFORM, "SetSiblingIndex", "[]"),
            (PLAYER, TRANSFORM, "SetSiblingIndex", "[1, 2]"),
            (PLAYER, TRANSFORM, "SetSiblingIndex", "1"),
            (PLAYER, TRANSFORM, "SetSiblingIndex", "[1"),
            (PLAYER, TRANSFORM, "SetSiblingIndex", "[\"first\"]"),
            (PLAYER, TRANSFORM, "SetSiblingIndex", "[0.5]"),
            (PLAYER, TRANSFORM, "setsiblingindex", "[0]"),
            (PLAYER, TRANSFORM, "Zork", "[]"),
            (PLAYER, "UnityEngine.Component", "GetInstanceID", "[]"),
            (PLAYER, "UnityEngine.Light", "Reset", "[]"),
            (NOBODY, TRANSFORM, "SetSiblingIndex", "[0]"),
            ("Player", TRANSFORM, "SetSiblingIndex", "[0]"),
        ] {
            let said = sample.refusal(super::TOOL.id, arguments(id, class, method, args));
            text += &format!("{id} {class} {method} {args}\n    {said}\n");
        }
        expect![[r#"
            obj:1616470424 UnityEngine.Transform SetSiblingIndex []
                EngineError: Method overload not found; SetSiblingIndex does not take 0 arguments; ListComponentMembers with includeMethods names them
            obj:1616470424 UnityEngine.Transform SetSiblingIndex [1, 2]
                EngineError: Method overload not found; SetSiblingIndex does not take 2 arguments; ListComponentMembers with includeMethods names them
            obj:1616470424 UnityEngine.Transform SetSiblingIndex 1
                BadArguments: argsJson is not a JSON list: invalid type: integer `1`, expected a sequence at line 1 column 1
            obj:1616470424 UnityEngine.Transform SetSiblingIndex [1
                BadArguments: argsJson is not a JSON list: EOF while parsing a list at line 1 column 2
            obj:1616470424 UnityEngine.Transform SetSiblingIndex ["first"]
                BadArguments: a Int32 is expected, as plain JSON or an object's id such as "obj:12"; found "first"
            obj:1616470424 UnityEngine.Transform SetSiblingIndex [0.5]
                BadArguments: a Int32 is expected, as plain JSON or an object's id such as "obj:12"; found 0.5
            obj:1616470424 UnityEngine.Transform setsiblingindex [0]
                Denied: Denied by allowlist; SetConfig sets reflectionAllowlistMembers: <Type>.<Member>
            obj:1616470424 UnityEngine.Transform Zork []
                EngineError: Method overload not found; there is LookAt, ToString, CompareTag, DontDestroyOnLoad, Destroy, SetParent, Translate, GetComponent, Rotate, SetAsFirstSibling, InverseTransformPoint, SetPositionAndRotation and 14 more; ListComponentMembers with includeMethods names them
            obj:1616470424 UnityEngine.Component GetInstanceID []
                BadArguments: Ambiguous component type; Use the exact component type (from GetComponents)
            obj:1616470424 UnityEngine.Light Reset []
                EngineError: Component not found; did you mean UnityEngine.Rigidbody or UnityEngine.Transform or UnityEngine.CapsuleCollider?
            obj:5 UnityEngine.Transform SetSiblingIndex [0]
                EngineError: Not found
            Player UnityEngine.Transform SetSiblingIndex [0]
                BadArguments: Invalid id
        "#]].assert_eq(&text);
        let place = sample.eval(r#"GameObject.Find("Player").transform.GetSiblingIndex()"#);
        assert_eq!(place["result"], "3", "it stays where it was");
    }

    #[test]
    fn methods_of_the_project_are_refused_instead_of_doing_nothing() {
        let sample = sample();
        let heal = arguments(PLAYER, PLAYER_CONTROLLER, "Heal", "[5]");
        expect!["EngineError: LanternKeep.PlayerController.Heal was not run: the bodies of the project's methods do not run here; HookSetSource with a Prefix that returns false says what is done instead"]
            .assert_eq(&sample.refusal(super::TOOL.id, heal.clone()));
        let in_code = r#"GameObject.Find("Player").SendMessage("Respawn")"#;
        let code = json!({ "code": in_code });
        expect!["ToolFailed: System.NotSupportedException: LanternKeep.PlayerController.Respawn was not run: the bodies of the project's methods do not run here (line 1)"].assert_eq(&sample.refusal("explorer.consoleEval", code));
        let class = json!({ "hookAllowlistSignatures": [PLAYER_CONTROLLER] });
        sample.ask("explorer.setConfig", class);
        let hook =
            sample.ask("explorer.hookAdd", json!({ "type": PLAYER_CONTROLLER, "method": "Heal" }));
        assert_eq!(hook["ok"], true);
        let source = "static bool Prefix() => false;";
        let signature = "System.Void LanternKeep.PlayerController::Heal(System.Int32 amount)";
        sample.ask("explorer.hookSetSource", json!({ "signature": signature, "source": source }));
        assert_eq!(sample.ask(super::TOOL.id, heal), json!({ "ok": true, "result": null }));
    }
}
