//! Objects, components and scenes from code.

use scenewright_world::Value;

use super::{check, run, town};
use crate::{Limits, eval};

#[test]
fn objects_are_found_made_and_destroyed() {
    check(&[
        ("GameObject.Find(\"Lamp\")", "Lamp (UnityEngine.GameObject)"),
        ("GameObject.Find(\"/Town/House/Door\").name", "Door"),
        ("GameObject.Find(\"Nothing\")", "null"),
        ("GameObject.Find(\"Nothing\") == null", "True"),
        ("GameObject.FindWithTag(\"Enemy\").name", "Ork"),
        ("GameObject.FindGameObjectsWithTag(\"Respawn\").Length", "2"),
        (
            "string.Join(\",\", GameObject.FindGameObjectsWithTag(\"Respawn\").Select(g => g.name).OrderBy(n => n))",
            "Door,Lamp",
        ),
        ("Object.FindObjectOfType<Light>()", "Lamp (UnityEngine.Light)"),
        ("Object.FindObjectsOfType<Transform>().Length", "6"),
        ("FindObjectsOfType<GameObject>().Count(g => g.activeInHierarchy)", "6"),
        ("Object.FindFirstObjectByType<Camera>().name", "Main Camera"),
        ("var g = new GameObject(\"New\"); GameObject.Find(\"New\") == g", "True"),
        ("new GameObject().name", "New Game Object"),
        ("var g = GameObject.Find(\"Lamp\"); Object.Destroy(g); g == null", "False"),
        ("var g = GameObject.Find(\"Lamp\"); Object.DestroyImmediate(g); g == null", "True"),
        ("var g = GameObject.Find(\"Lamp\"); DestroyImmediate(g); return g;", "null"),
        (
            "var g = GameObject.Find(\"Lamp\"); DestroyImmediate(g); try { return g.name; } catch (MissingReferenceException) { return \"missing\"; }",
            "missing",
        ),
        (
            "var l = GameObject.Find(\"Lamp\").GetComponent<Light>(); DestroyImmediate(l); l == null",
            "True",
        ),
        ("if (GameObject.Find(\"Lamp\") && !GameObject.Find(\"x\")) return 1; return 2;", "1"),
        (
            "var g = Object.Instantiate(GameObject.Find(\"House\")); g.name + g.transform.childCount + g.transform.GetChild(0).name",
            "House(Clone)1Door",
        ),
        (
            "var l = Instantiate(GameObject.Find(\"Lamp\").GetComponent<Light>()); l.intensity = 9; GameObject.Find(\"Lamp\").GetComponent<Light>().intensity + l.intensity",
            "10.5",
        ),
        (
            "Instantiate(GameObject.Find(\"Lamp\"), new Vector3(1, 2, 3), Quaternion.identity).transform.position",
            "(1.00, 2.00, 3.00)",
        ),
        (
            "var g = GameObject.Find(\"Ork\"); Object.DontDestroyOnLoad(g); g.scene.name",
            "DontDestroyOnLoad",
        ),
        ("GameObject.Find(\"Ork\").scene.name", "Town"),
    ]);
}

#[test]
fn destroyed_objects_go_when_the_run_is_over() {
    let mut world = town();
    eval(&mut world, "Destroy(GameObject.Find(\"Lamp\"));", &Limits::default()).unwrap();
    assert_eq!(world.find("Lamp"), None);
}

#[test]
fn components() {
    check(&[
        ("GameObject.Find(\"Lamp\").GetComponent<Light>().intensity", "1.5"),
        ("GameObject.Find(\"Lamp\").GetComponent<Light>().type", "Point"),
        (
            "var l = GameObject.Find(\"Lamp\").GetComponent<Light>(); l.type = LightType.Spot; l.intensity = 3; l.color = Color.red; $\"{l.type} {l.intensity} {l.color}\"",
            "Spot 3 RGBA(1.000, 0.000, 0.000, 1.000)",
        ),
        (
            "var l = GameObject.Find(\"Lamp\").GetComponent<Light>(); l.intensity *= 2; l.enabled = false; l.intensity + \" \" + l.isActiveAndEnabled",
            "3 False",
        ),
        ("GameObject.Find(\"Lamp\").GetComponent<Light>().lightmapping", "4"),
        ("GameObject.Find(\"Lamp\").GetComponent<Rigidbody>() == null", "True"),
        ("GameObject.Find(\"Town\").GetComponentInChildren<Light>().name", "Lamp"),
        ("GameObject.Find(\"Town\").GetComponentsInChildren<Transform>().Length", "4"),
        ("GameObject.Find(\"Door\").GetComponentInParent<Transform>().name", "Door"),
        ("GameObject.Find(\"Lamp\").GetComponents<Component>().Length", "2"),
        (
            "var b = GameObject.Find(\"Lamp\").AddComponent<BoxCollider>(); b.size = Vector3.one * 2; b.size + \"\" + b.isTrigger",
            "(2.00, 2.00, 2.00)False",
        ),
        ("GameObject.Find(\"Lamp\").TryGetComponent<Light>(out var l) ? l.name : \"none\"", "Lamp"),
        (
            "GameObject.Find(\"Lamp\").TryGetComponent(out Camera c) || GameObject.Find(\"Lamp\").TryGetComponent(out Light l) && l.range == 10",
            "True",
        ),
        (
            "GameObject.Find(\"Lamp\").TryGetComponent(out var c)",
            "! (1,25): error CS1503: 'GameObject.TryGetComponent' does not take (out); it takes <T>(out T)",
        ),
        ("GameObject.Find(\"Lamp\").CompareTag(\"Respawn\")", "True"),
        ("Camera.main.fieldOfView", "60"),
        ("Camera.main.gameObject.tag + Camera.allCamerasCount", "MainCamera1"),
        (
            "object o = GameObject.Find(\"Lamp\").GetComponent<Light>(); o is Behaviour && !(o is Camera)",
            "True",
        ),
    ]);
}

#[test]
fn scripts_of_the_project() {
    let enemy = "var e = GameObject.Find(\"Ork\").GetComponent<Enemy>();";
    let table = [
        ("e.health + e.speed", "102.5"),
        ("e.health -= 30; e.health", "70"),
        ("e.speed = 4; e.speed / 8", "0.5"),
        ("e.offset.x = 3; e.offset += Vector3.up; e.offset", "(3.00, 1.00, 0.00)"),
        ("e.mood", "Angry"),
        ("e.mood = Mood.Calm; e.mood == Game.Mood.Calm", "True"),
        ("string.Join(\",\", e.scores.OrderBy(s => s))", "1,2,3"),
        ("e.scores[0] = 7; e.scores[0] + e.scores.Length", "10"),
        ("e.names.Add(\"Bob\"); e.names.Count + e.names[1]", "2Bob"),
        ("e.target = GameObject.Find(\"Lamp\"); e.target.name", "Lamp"),
        ("e.target == null", "True"),
        ("Enemy.Count = 4; Enemy.Count++; Game.Enemy.Count", "5"),
        (
            "e.GetLevel()",
            "! System.NotSupportedException: Game.Enemy.GetLevel was not run: the bodies of the project's methods do not run here (line 1)",
        ),
        ("e.name + e.enabled + e.gameObject.name", "OrkTrueOrk"),
    ];
    let table: Vec<(String, &str)> =
        table.iter().map(|(source, wanted)| (format!("{enemy} {source}"), *wanted)).collect();
    let table: Vec<(&str, &str)> =
        table.iter().map(|(source, wanted)| (source.as_str(), *wanted)).collect();
    check(&table);
}

#[test]
fn transforms() {
    let door = "var t = GameObject.Find(\"Door\").transform;";
    let table = [
        ("t.position", "(3.00, 0.00, 0.00)"),
        ("t.localPosition", "(1.00, 0.00, 0.00)"),
        ("t.position = new Vector3(1, 2, 3); t.localPosition", "(-1.00, 2.00, 3.00)"),
        ("t.position += Vector3.up; t.position.y", "1"),
        ("t.parent.name + t.root.name + t.parent.parent.childCount", "HouseTown2"),
        ("t.SetParent(null); t.parent == null", "True"),
        (
            "t.SetParent(GameObject.Find(\"Lamp\").transform, false); t.position",
            "(3.00, 0.00, 0.00)",
        ),
        ("t.parent = GameObject.Find(\"Ork\").transform; t.root.name", "Ork"),
        ("t.Translate(0, 1, 0); t.Translate(Vector3.right); t.position", "(4.00, 1.00, 0.00)"),
        ("t.Rotate(0, 90, 0); t.forward", "(1.00, 0.00, 0.00)"),
        ("t.eulerAngles = new Vector3(0, 30, 0); t.localEulerAngles", "(0.00, 30.00, 0.00)"),
        ("t.LookAt(t.position + Vector3.left); t.forward", "(-1.00, 0.00, 0.00)"),
        ("t.rotation = Quaternion.identity; t.up", "(0.00, 1.00, 0.00)"),
        ("t.localScale = Vector3.one * 2; t.lossyScale", "(2.00, 2.00, 2.00)"),
        (
            "t.SetPositionAndRotation(Vector3.one, Quaternion.identity); t.position",
            "(1.00, 1.00, 1.00)",
        ),
        (
            "t.TransformPoint(Vector3.up) + t.InverseTransformPoint(Vector3.zero)",
            "(0.00, 1.00, 0.00)",
        ),
        (
            "t.TransformDirection(Vector3.up) + t.InverseTransformDirection(Vector3.up)",
            "(0.00, 2.00, 0.00)",
        ),
        (
            "t.root.GetChild(1).name + t.root.Find(\"House/Door\").name + (t.root.Find(\"x\") == null)",
            "LampDoorTrue",
        ),
        ("t.parent.GetSiblingIndex() + \"\" + t.IsChildOf(t.root)", "0True"),
        ("t.parent.SetAsLastSibling(); t.parent.GetSiblingIndex()", "1"),
        (
            "t.parent.SetAsLastSibling(); t.parent.SetAsFirstSibling(); t.parent.SetSiblingIndex(1); t.root.GetChild(0).name",
            "Lamp",
        ),
        ("t.root.DetachChildren(); t.parent.parent == null", "True"),
        ("var s = \"\"; foreach (Transform c in t.root) s += c.name; s", "HouseLamp"),
        ("string.Join(\",\", t.root.Cast<Transform>().Select(c => c.name))", "House,Lamp"),
        (
            "t.GetInstanceID() == t.GetInstanceID() && t.GetInstanceID() != t.gameObject.GetInstanceID()",
            "True",
        ),
        ("t.hasChanged", "False"),
    ];
    let table: Vec<(String, &str)> =
        table.iter().map(|(source, wanted)| (format!("{door} {source}"), *wanted)).collect();
    let table: Vec<(&str, &str)> =
        table.iter().map(|(source, wanted)| (source.as_str(), *wanted)).collect();
    check(&table);
}

#[test]
fn objects_scenes_and_time() {
    check(&[
        (
            "var g = GameObject.Find(\"House\"); g.SetActive(false); g.activeSelf + \" \" + (GameObject.Find(\"Door\") == null)",
            "False True",
        ),
        (
            "var g = GameObject.Find(\"Lamp\"); g.name = \"L\"; g.tag = \"Player\"; g.layer = 3; g.isStatic = true; $\"{g.name}{g.tag}{g.layer}{g.isStatic}\"",
            "LPlayer3True",
        ),
        ("SceneManager.GetActiveScene().name", "Town"),
        ("SceneManager.sceneCount + SceneManager.GetSceneAt(0).path", "1Assets/Town.unity"),
        (
            "SceneManager.GetActiveScene().GetRootGameObjects().Length + SceneManager.GetActiveScene().rootCount",
            "6",
        ),
        ("SceneManager.GetSceneByName(\"x\").IsValid()", "False"),
        ("Time.timeScale = 0.5f; Time.timeScale", "0.5"),
        ("Time.timeScale = -1; Time.timeScale", "1"),
        ("Screen.width + Screen.height", "3000"),
    ]);
}

#[test]
fn logs_are_written_by_the_console() {
    let mut world = town();
    let source = "Debug.Log(\"a\"); Debug.LogWarning(2); Debug.LogError(null); Debug.Log(GameObject.Find(\"Lamp\"));";
    eval(&mut world, source, &Limits::default()).unwrap();
    let lines: Vec<_> =
        world.log().tail(9).map(|line| (line.level, line.source, line.message.clone())).collect();
    let wanted = [
        ("info", "a"),
        ("warn", "2"),
        ("error", "Null"),
        ("info", "Lamp (UnityEngine.GameObject)"),
    ];
    assert_eq!(lines, wanted.map(|(level, text)| (level, "console", text.to_owned())));
}

#[test]
fn values_come_out_as_the_worlds() {
    let mut world = town();
    let mut value = |source| eval(&mut world, source, &Limits::default()).unwrap().value;
    assert_eq!(value("5"), Value::Int(5));
    assert_eq!(value("1.5f"), Value::Float(1.5));
    assert_eq!(value("new[] { 1, 2 }"), Value::list(vec![Value::Int(1), Value::Int(2)]));
    assert_eq!(value("Debug.Log(1);"), Value::Null);
    assert!(matches!(value("GameObject.Find(\"Lamp\")"), Value::Object(_)));
}

#[test]
fn every_run_is_a_new_one() {
    assert_eq!(run("var x = 1; x").unwrap(), "1");
    assert!(run("x").is_err());
}

#[test]
fn a_script_as_people_write_them() {
    let source = r#"using UnityEngine;
using System.Linq;

// Dim every lamp, and tell which.
var lights = UnityEngine.Object.FindObjectsOfType<Light>()
    .Where(l => l.intensity > 1f)
    .ToList();
foreach (var light in lights)
{
    light.intensity = System.Math.Max(0.5f, light.intensity / 2);
    light.transform.position += new Vector3(0, 1, 0);
}
lights.ForEach(l => l.gameObject.SetActive(false));
var none = GameObject.Find("Nothing")?.GetComponent<Light>()?.intensity ?? -1f;
return string.Join("; ", lights.Select(l => $"{l.name}: {l.intensity:F2} at {l.transform.position}")) + none;
"#;
    let wanted = "Lamp: 0.75 at (2.00, 1.00, 0.00)-1";
    assert_eq!(run(source).unwrap(), wanted);
    assert_eq!(run(&source.replace('\n', "\r\n")).unwrap(), wanted);
}
