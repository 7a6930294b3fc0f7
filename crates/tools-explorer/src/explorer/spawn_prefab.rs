//! The tool `explorer.spawnPrefab`, `SpawnPrefab` in the Explorer interface.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::WORLD;
use crate::world::{InWorld, found, object_id, prefab, refused};

pub(crate) const TOOL: Tool = Tool {
    id: "explorer.spawnPrefab",
    keywords: "instantiate place put instance of a prefab into the scene live create copy",
    explorer: Some("SpawnPrefab"),
    title: "Make an Instance of a Prefab",
    category: "explorer",
    safety: Safety::SafeWrite,
    gate: WORLD,
    idempotent: false,
    at_once: true,
    examples: &[Example {
        description: "Put another lantern into the Unity sample",
        input: r#"{ "prefabPath": "Assets/Prefabs/Lantern.prefab", "parentId": "obj:464006272" }"#,
        output: r#"{ "ok": true, "objectId": "obj:-2", "path": "/Lanterns/Lantern" }"#,
        varies: &["objectId"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make an instance of a prefab in the world. SaveScene saves it as one that stays linked to its
/// prefab, with what was changed since as overrides.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The prefab, such as `Assets/Prefabs/Lantern.prefab`.
    #[schemars(length(max = 1000))]
    prefab_path: String,
    /// The object to put it into, `obj:<instanceId>`; beside the roots of the first scene by default.
    parent_id: Option<String>,
    /// Its name; that of the prefab's root by default.
    #[schemars(length(max = 1000))]
    name: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    ok: bool,
    /// The instance, `obj:<instanceId>`.
    object_id: String,
    /// Its path in the hierarchy.
    path: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let parent = input.parent_id.as_deref().map(object_id).transpose()?;
    let prefab = prefab(cx, &input.prefab_path)?;
    let name = input.name.as_deref().or(prefab.objects.first().map(|root| &*root.name));
    let name = name.unwrap_or_default().to_owned();
    cx.world(|world| {
        parent.map(|parent| found(world, parent).map(drop)).transpose()?;
        let made = world.spawn(prefab, parent).map_err(refused)?;
        world.rename(made, &name).map_err(refused)?;
        Ok(Output { ok: true, object_id: made.to_string(), path: world.path(made) })
    })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{LANTERNS, NOBODY, UnitySample};

    #[test]
    fn an_instance_has_what_its_prefab_has() {
        let sample = UnitySample::new();
        let path = "Assets/Prefabs/Lantern.prefab";
        let made = sample.ask(
            super::TOOL.id,
            json!({ "prefabPath": path, "parentId": LANTERNS, "name": "New" }),
        );
        assert_eq!(made["path"], "/Lanterns/New");
        let light = r#"var made = GameObject.Find("New");
            made.transform.Find("Flame").GetComponent<Light>().intensity + " " + made.transform.parent.name"#;
        let theirs = light.replace("\"New\"", "\"Gate Lantern\"");
        assert_eq!(sample.eval(light), sample.eval(&theirs));
    }

    #[test]
    fn what_cannot_be_instantiated_is_refused_and_nothing_is_made() {
        let sample = UnitySample::new();
        let before = sample.ask("explorer.listObjects", json!({}))["Total"].clone();
        let refuse = |path: &str, parent: &str| {
            let arguments = json!({ "prefabPath": path, "parentId": parent });
            sample.refusal(super::TOOL.id, arguments)
        };
        expect![[r#"BadArguments: only prefabs are instantiated here, and "Assets/Materials/Stone.mat" is none"#]].assert_eq(&refuse("Assets/Materials/Stone.mat", LANTERNS));
        expect!["EngineError: Asset at path 'Assets/Prefabs/Latern.prefab' not found; did you mean Assets/Prefabs/Lantern.prefab or Assets/Prefabs/GoldenLantern.prefab?"]
            .assert_eq(&refuse("Assets/Prefabs/Latern.prefab", LANTERNS));
        expect!["EngineError: Not found; no object has the id obj:5, or it was destroyed; there is obj:1279963751 /Main Camera, obj:795774851 /Directional Light, obj:1809311514 /Ground, obj:1616470424 /Player; SearchObjects and ListChildren find others"]
            .assert_eq(&refuse("Assets/Prefabs/Lantern.prefab", NOBODY));
        expect!["BadArguments: Invalid id; expected 'obj:<instanceId>'; ids come from ListObjects and SearchObjects"].assert_eq(&refuse("Assets/Prefabs/Lantern.prefab", "Lanterns"));
        assert_eq!(sample.ask("explorer.listObjects", json!({}))["Total"], before);
    }
}
