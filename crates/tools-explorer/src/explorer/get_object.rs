//! The tool `explorer.getObject`, `GetObject` in the Explorer interface.

use scenewright_contract::ToolError;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::world::cards::ObjectCard;
use crate::world::{InWorld, found, object_id};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.getObject",
    keywords: "details one object live",
    explorer: Some("GetObject"),
    title: "Object of the World",
    category: "explorer",
    examples: &[Example {
        description: "Look at the player of the Unity sample",
        input: r#"{ "id": "obj:1616470424" }"#,
        output: r#"{
            "Id": "obj:1616470424",
            "Name": "Player",
            "Path": "/Player",
            "Tag": "Player",
            "Layer": 0,
            "Active": true,
            "ComponentCount": 4
        }"#,
        varies: &[],
    }],
    input: schema::input::<Input>,
    output: schema::output::<ObjectCard>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Tell of one object: its name, path, tag, layer, whether it is active, how many components.
#[derive(Deserialize, JsonSchema)]
struct Input {
    /// `obj:<instanceId>`.
    id: String,
}

fn run(cx: &Cx, Input { id }: Input) -> Result<ObjectCard, ToolError> {
    let id = object_id(&id)?;
    cx.world(|world| {
        let object = found(world, id)?;
        Ok(ObjectCard::of(world, object))
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{HAND, NOBODY, PLAYER, UnitySample};

    #[test]
    fn a_path_follows_the_names_of_parents() {
        let sample = UnitySample::new();
        sample.eval(r#"GameObject.Find("Player").name = "Hüterin 🏮";"#);
        let hand = sample.ask(super::TOOL.id, json!({ "id": HAND }));
        assert_eq!(hand["Path"], "/Hüterin 🏮/Hand");
        let player = sample.ask(super::TOOL.id, json!({ "id": PLAYER }));
        assert_eq!((&player["Name"], &player["Tag"]), (&json!("Hüterin 🏮"), &json!("Player")));
    }

    #[test]
    fn ids_of_nothing() {
        let sample = UnitySample::new();
        let refuse = |id: &str| sample.refusal(super::TOOL.id, json!({ "id": id }));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"].assert_eq(&refuse(NOBODY));
        expect!["BadArguments: Invalid id; expected 'obj:<instanceId>'; ids come from ListObjects and SearchObjects"].assert_eq(&refuse(""));
        expect!["BadArguments: Invalid instance id; an instance id is a whole number of 32 bits"]
            .assert_eq(&refuse("obj:1.5"));
        expect!["BadArguments: Invalid id; expected 'obj:<instanceId>'; ids come from ListObjects and SearchObjects"].assert_eq(&refuse("OBJ:1616470424"));
        let component = sample.eval(r#"GameObject.Find("Player").transform.GetInstanceID()"#);
        let id = format!("obj:{}", component["result"].as_str().unwrap());
        let component = refuse(&id);
        assert!(
            component.starts_with("EngineError: Not found; no object has the id"),
            "{component}"
        );
    }
}
