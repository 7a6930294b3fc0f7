//! What cannot be, and what is said about it.

use expect_test::expect;
use serde_json::{Value, json};

use super::{MAIN, refused};

#[test]
fn what_cannot_be_is_refused_with_what_can() {
    let set = |object: &str, component: Value, field: &str, value: Value| json!([{ "op": "set", "object": object, "component": component, "field": field, "value": value }]);
    refused(
        MAIN,
        set("Playr", Value::Null, "tag", json!("x")),
        expect!["change 1 (set): there is no object Playr in the file; did you mean Player?"],
    );
    refused(
        MAIN,
        set("Player", json!("Ligt"), "x", json!(1)),
        expect![
            "change 1 (set): Player has no component Ligt; there is Rigidbody, PlayerController, Transform, CapsuleCollider"
        ],
    );
    refused(
        MAIN,
        set("Directional Light", json!("Light"), "intensty", json!(1)),
        expect![
            "change 1 (set): Light of Directional Light has no field intensty; did you mean m_Intensity?"
        ],
    );
    refused(
        MAIN,
        set("Directional Light", json!("Light"), "intensity", json!("much")),
        expect![[
            r#"change 1 (set): intensity of Light of Directional Light: the field takes a number, and not "much"; nothing was changed"#
        ]],
    );
    refused(
        MAIN,
        set("Player", Value::Null, "layer", json!("Roof")),
        expect![
            "change 1 (set): the project has no layer Roof; there is Ground, Default, Interactable, TransparentFX, Ignore Raycast, UI, Water"
        ],
    );
    refused(
        MAIN,
        json!([
            { "op": "addComponent", "object": "Ground", "component": "AudioSource" },
            { "op": "set", "object": "Ground", "component": "AudioSource", "field": "m_audioClip", "value": "Assets/Materials/Stone.mat" },
        ]),
        expect![
            "change 2 (set): m_audioClip of AudioSource of Ground: the field takes an AudioClip, and Assets/Materials/Stone.mat is a Material; nothing was changed"
        ],
    );
    refused(
        MAIN,
        set("Ground", json!("MeshFilter"), "mesh", json!("Assets/Materials/Stone.mat")),
        expect![
            "change 1 (set): mesh of MeshFilter of Ground: the field takes a Mesh, and Assets/Materials/Stone.mat is a Material; nothing was changed"
        ],
    );
    refused(
        MAIN,
        set("Player", json!("Transform"), "m_Father", json!(null)),
        expect![
            "change 1 (set): m_Father ties objects together and is not set by hand; use reparent"
        ],
    );
    refused(
        MAIN,
        json!([{ "op": "reparent", "object": "Player", "parent": "Player/Hand" }]),
        expect![
            "change 1 (reparent): Player cannot go into itself or into what is in it; nothing was changed"
        ],
    );
    refused(
        MAIN,
        json!([{ "op": "addComponent", "object": "Main Camera", "component": "Camera" }]),
        expect![
            "change 1 (addComponent): Main Camera has a Camera already, and an object can have only one; nothing was changed"
        ],
    );
    refused(
        "Assets/Prefabs/Lantern.prefab",
        json!([{ "op": "instantiate", "prefab": "Assets/Prefabs/Lantern.prefab", "parent": "Lantern" }]),
        expect!["change 1 (instantiate): a prefab cannot contain itself; nothing was changed"],
    );
    refused(
        "Assets/Prefabs/Lantern.prefab",
        json!([{ "op": "create", "parent": "", "name": "Second" }]),
        expect![
            "change 1 (create): a prefab has one root, and nothing can be beside it; name a parent, such as Lantern"
        ],
    );
}
