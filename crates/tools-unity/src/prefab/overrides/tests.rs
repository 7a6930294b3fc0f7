//! What instances and variants of the sample have other than their prefabs.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::testing::call_sample;

/// The answer in short: a line for each difference.
fn check(tool: &str, arguments: Value, expected: Expect) {
    let output = match call_sample(tool, arguments) {
        Ok(outcome) => outcome.output.into_value(),
        Err(error) => {
            let hint = error.hint.as_deref().unwrap_or_default();
            return expected.assert_eq(&format!("{}; {hint}", error.message));
        }
    };
    let mut text = format!("{} of {}\n", output["object"], output["prefab"]);
    for one in output["overrides"].as_array().unwrap() {
        let kept = if one["alwaysKept"] == true { ", always" } else { "" };
        let part = one["component"].as_str().unwrap_or("object");
        let (object, field) = (one["object"].as_str().unwrap(), one["field"].as_str().unwrap());
        let value = &one["value"];
        text += &format!("{object} {part}.{field}: {value} for {}{kept}\n", one["prefabValue"]);
    }
    for key in ["addedObjects", "removedObjects", "addedComponents", "removedComponents"] {
        for one in output[key].as_array().unwrap() {
            text += &format!("{key}: {one}\n");
        }
    }
    if !output["unusedOverrides"].is_null() {
        text += &format!("unused: {}\n", output["unusedOverrides"]);
    }
    expected.assert_eq(&text);
}

#[test]
fn an_instance_is_told_with_the_values_of_its_prefab() {
    let cellar = "Assets/Scenes/Cellar.unity";
    check(
        "prefab.overrides",
        json!({ "scenePath": cellar, "hierarchyPath": "Storage Room" }),
        expect![[r#"
            "Storage Room" of "Assets/Prefabs/Room.prefab"
            Storage Room object.m_Name: "Storage Room" for "Room", always
            Storage Room/Key Collectible.value: 3 for 1
            Storage Room/GoldenLantern/Flame Light.m_Intensity: 2.5 for 1.5
            Storage Room Transform.m_LocalPosition.x: 0 for 0, always
            Storage Room Transform.m_LocalPosition.y: 0.2 for 0, always
            Storage Room Transform.m_LocalPosition.z: 4 for 0, always
            Storage Room Transform.m_LocalRotation.w: 1 for 1, always
            Storage Room Transform.m_LocalRotation.x: 0 for 0, always
            Storage Room Transform.m_LocalRotation.y: 0 for 0, always
            Storage Room Transform.m_LocalRotation.z: 0 for 0, always
            Storage Room Transform.m_LocalEulerAnglesHint.x: 0 for 0, always
            Storage Room Transform.m_LocalEulerAnglesHint.y: 0 for 0, always
            Storage Room Transform.m_LocalEulerAnglesHint.z: 0 for 0, always
            Storage Room/Wall Lantern LanternFlicker.flickerOffset: 0.6 for 0
        "#]],
    );
}

#[test]
fn what_is_no_instance_is_said() {
    check(
        "prefab.overrides",
        json!({ "hierarchyPath": "Player" }),
        expect![
            "Player of Assets/Scenes/Main.unity is not part of a prefab instance; instances are Player/Hand/Hand Lantern, Lanterns/Gate Lantern, Lanterns/Well Lantern, Lanterns/Altar Lantern"
        ],
    );
    let room = json!({ "prefabPath": "Assets/Prefabs/Lantern.prefab" });
    check(
        "prefab.variantOverrides",
        room,
        expect![
            "Assets/Prefabs/Lantern.prefab is no variant: its root is its own; prefab_overrides is for instances in scenes and prefabs"
        ],
    );
}

#[test]
fn a_variant_is_told_with_the_values_of_its_base() {
    let variant = json!({ "prefabPath": "Assets/Prefabs/GoldenLantern.prefab" });
    check(
        "prefab.variantOverrides",
        variant,
        expect![[r#"
        "GoldenLantern" of "Assets/Prefabs/Lantern.prefab"
        GoldenLantern CapsuleCollider.m_IsTrigger: 1 for 0
        GoldenLantern MeshRenderer.m_Materials.Array.data[0]: "Assets/Materials/Flame.mat#2100000" for "Assets/Materials/Stone.mat#2100000"
        GoldenLantern Transform.m_LocalPosition.x: 0 for 0, always
        GoldenLantern Transform.m_LocalPosition.y: 0 for 0, always
        GoldenLantern Transform.m_LocalPosition.z: 0 for 0, always
        GoldenLantern Transform.m_LocalRotation.w: 1 for 1, always
        GoldenLantern Transform.m_LocalRotation.x: 0 for 0, always
        GoldenLantern Transform.m_LocalRotation.y: 0 for 0, always
        GoldenLantern Transform.m_LocalRotation.z: 0 for 0, always
        GoldenLantern Transform.m_LocalEulerAnglesHint.x: 0 for 0, always
        GoldenLantern Transform.m_LocalEulerAnglesHint.y: 0 for 0, always
        GoldenLantern Transform.m_LocalEulerAnglesHint.z: 0 for 0, always
        GoldenLantern object.m_Name: "GoldenLantern" for "Lantern", always
        GoldenLantern/Flame Light.m_Color.r: 1 for 1
        GoldenLantern/Flame Light.m_Color.g: 0.84 for 0.72
        GoldenLantern/Flame Light.m_Color.b: 0.2 for 0.38
        addedObjects: {"object":"GoldenLantern/Gilded Ring"}
        addedComponents: {"object":"GoldenLantern","component":"Collectible"}
    "#]],
    );
}
