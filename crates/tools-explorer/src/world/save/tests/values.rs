//! Values of many forms, set, saved and read again.

use serde_json::{Value, json};

use super::UnitySample;

/// Objects, classes, members and values: the scene's own, inside an instance, and the instance's root.
#[test]
fn every_value_is_read_back_by_a_new_world() {
    let numbers = [0.0, 0.1, 1.0 / 3.0, -123456.78, 1e-7, 3.5e-12, 1e10, 3.4028235e38, 16777217.0];
    let texts = [
        "",
        "plain",
        "a: b",
        "-",
        "- x",
        "it's",
        "\"q\"",
        "tab\tline\nend",
        "Stra\u{df}e \u{1f600}",
        "#",
        "a #b",
        " lead",
        "trail ",
        "1",
        "On",
        "{x}",
        "[y]",
        "\u{a0}",
        "@",
        "%",
    ];
    let mut cases: Vec<(&str, &str, &str, Value)> = Vec::new();
    for number in numbers {
        cases.push(("/Directional Light", "UnityEngine.Light", "intensity", json!(number)));
        cases.push(("/Lanterns/Gate Lantern/Flame", "UnityEngine.Light", "range", json!(number)));
    }
    for text in texts {
        cases.push(("/UI/Start Button/Label", "UnityEngine.UI.Text", "text", json!(text)));
    }
    let vector = json!({ "x": 0.1, "y": -2.5, "z": 3.0 });
    cases.push(("/Ground", "UnityEngine.BoxCollider", "size", vector.clone()));
    cases.push(("/Lanterns/Gate Lantern/Flame", "UnityEngine.SphereCollider", "center", vector));
    let color = json!({ "r": 0.25, "g": 0.5, "b": 1.0, "a": 0.0 });
    cases.push(("/Lanterns/Gate Lantern/Flame", "UnityEngine.Light", "color", color.clone()));
    cases.push(("/UI/Start Button/Label", "UnityEngine.UI.Text", "color", color));
    cases.push(("/Lanterns/Gate Lantern/Flame", "UnityEngine.Light", "type", json!("Spot")));
    cases.push(("/Directional Light", "UnityEngine.Light", "shadows", json!("Hard")));
    cases.push((
        "/Lanterns/Gate Lantern/Flame",
        "UnityEngine.SphereCollider",
        "isTrigger",
        json!(false),
    ));
    let sample = UnitySample::new();
    for (path, class, member, value) in cases {
        let id = id_of(&sample, path);
        let set = json!({ "objectId": id, "componentType": class, "member": member, "jsonValue": value.to_string() });
        let allow = json!({ "reflectionAllowlistMembers": [format!("{class}.{member}")] });
        sample.call("explorer.setConfig", allow).unwrap();
        sample.call("explorer.setMember", set).unwrap();
        let read = |sample: &UnitySample| {
            let read = json!({ "objectId": id, "componentType": class, "name": member });
            sample.call("explorer.readComponentMember", read).unwrap()
        };
        let before = read(&sample);
        let output = sample.call("explorer.saveScene", json!({})).unwrap();
        assert_eq!(output["notSaved"], json!([]), "{path} {member} {value}");
        assert_eq!(read(&sample), before, "{path} {member} {value}");
        sample.call("explorer.loadScene", json!({ "name": "Main" })).unwrap();
        assert_eq!(read(&sample), before, "{path} {member} {value}");
    }
}

fn id_of(sample: &UnitySample, path: &str) -> String {
    let name = path.rsplit('/').next().unwrap();
    let found =
        sample.call("explorer.searchObjects", json!({ "query": name, "limit": 100 })).unwrap();
    let items = found["Items"].as_array().unwrap();
    let item = items.iter().find(|item| item["Path"] == path);
    item.unwrap_or_else(|| panic!("{path} in {found}"))["Id"].as_str().unwrap().to_owned()
}
