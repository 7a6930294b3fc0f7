//! Classes that components have, whoever brings them.

use serde_json::json;

use crate::testing::UnitySample;

/// The classes of all components, as code finds them.
const ALL: &str = r#"string.Join(", ", GameObject.Find("Thing").GetComponents<Component>().Select(c => c == null ? "null" : c.GetType().Name))"#;

const MISSING: &str = "MonoBehaviour:
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: 00000000000000000000000000000abc, type: 3}
";
const OF_PLUGIN: &str = "MonoBehaviour:
  m_Enabled: 1
  m_Script: {fileID: 42, guid: 00000000000000000000000000000abd, type: 3}
  m_EditorClassIdentifier: Plugin::Plug.Spinner
  speed: 3
";

/// The id of the only object.
fn thing(sample: &UnitySample) -> String {
    let found = sample.ask("explorer.searchObjects", json!({ "query": "Thing" }));
    found["Items"][0]["Id"].as_str().unwrap().to_owned()
}

#[test]
fn every_component_is_found_whether_its_class_is_known_or_not() {
    let sample = UnitySample::with_components(
        &[(114, MISSING), (114, OF_PLUGIN), (182, "WindZone:\n  m_Enabled: 1\n")],
        "",
    );
    assert_eq!(sample.eval(ALL)["result"], "Transform, null, Spinner, WindZone");
    let scripts = r#"GameObject.Find("Thing").GetComponentsInChildren<MonoBehaviour>().Length"#;
    assert_eq!(sample.eval(scripts)["result"], "1");
    let everywhere = "Object.FindObjectsOfType<Component>().Length";
    assert_eq!(sample.eval(everywhere)["result"], "3", "a missing one is no object");
    let speed = r#"GameObject.Find("Thing").GetComponent<Plug.Spinner>().speed"#;
    assert_eq!(sample.eval(speed)["result"], "3");
    let found = sample.ask("explorer.listObjects", json!({ "type": "MonoBehaviour" }));
    assert_eq!(found["Total"], 1);
}

const BOX: &str = "BoxCollider2D:
  m_Enabled: 1
  m_IsTrigger: 0
  m_Offset: {x: 0, y: 0.5}
  m_Size: {x: 2, y: 1}
";

#[test]
fn classes_of_the_engine_are_known_by_their_files() {
    let sample = UnitySample::with_components(&[(61, BOX), (102, "TextMesh:\n  m_Text: Hi\n")], "");
    let found = sample.ask("explorer.listObjects", json!({ "type": "Collider2D" }));
    assert_eq!(found["Total"], 1);
    let id = &found["Items"][0]["Id"];
    let of = |class: &str, name: &str| {
        let read = json!({ "objectId": id, "componentType": class, "name": name });
        let read = sample.ask("explorer.readComponentMember", read);
        format!("{} {}", read["type"].as_str().unwrap(), read["valueText"].as_str().unwrap())
    };
    assert_eq!(of("UnityEngine.BoxCollider2D", "isTrigger"), "System.Boolean False");
    assert_eq!(of("UnityEngine.BoxCollider2D", "enabled"), "System.Boolean True");
    assert_eq!(of("UnityEngine.TextMesh", "text"), "System.String Hi");
    sample.eval(
        r#"var box = GameObject.Find("Thing").GetComponent<Collider2D>();
        box.isTrigger = true;
        ((BoxCollider2D)box).size = new Vector2(3, 4);
        GameObject.Find("Thing").AddComponent<HingeJoint2D>().anchor = new Vector2(1, 1);"#,
    );
    assert_eq!(of("UnityEngine.BoxCollider2D", "size"), "UnityEngine.Vector2 (3.00, 4.00)");
    let saved = sample.ask("explorer.saveScene", json!({}));
    assert_eq!(saved["notSaved"], json!([]));
    let file = sample.read("Assets/Main.unity");
    assert!(file.contains("m_IsTrigger: 1\n") && file.contains("m_Size: {x: 3, y: 4}\n"), "{file}");
    assert!(
        file.contains("HingeJoint2D:\n") && file.contains("m_Anchor: {x: 1, y: 1}\n"),
        "{file}"
    );
}

#[test]
fn fields_show_the_types_of_their_properties() {
    let sample = UnitySample::with_components(&[(61, BOX)], "");
    let found = sample.ask("explorer.listObjects", json!({ "type": "Collider2D" }));
    let list = json!({ "objectId": found["Items"][0]["Id"], "componentType": "UnityEngine.BoxCollider2D", "limit": 500 });
    let members = sample.ask("explorer.listComponentMembers", list);
    let members = members["Items"].as_array().unwrap().iter();
    let shown: Vec<String> = members
        .map(|member| {
            format!("{} {}", member["Type"].as_str().unwrap(), member["Name"].as_str().unwrap())
        })
        .collect();
    expect_test::expect![[r#"
        System.Single density
        UnityEngine.PhysicsMaterial2D sharedMaterial
        System.Int32 includeLayers
        System.Int32 excludeLayers
        System.Int32 layerOverridePriority
        System.Int32 forceSendLayers
        System.Int32 forceReceiveLayers
        System.Int32 contactCaptureLayers
        System.Int32 callbackLayers
        System.Boolean isTrigger
        System.Boolean usedByEffector
        System.Boolean usedByComposite
        UnityEngine.Vector2 offset
        UnityEngine.SpriteTilingProperty spriteTilingProperty
        System.Boolean autoTiling
        UnityEngine.Vector2 size
        System.Single edgeRadius
        System.Boolean enabled
        System.Boolean isActiveAndEnabled
        UnityEngine.GameObject gameObject
        UnityEngine.Transform transform
        System.String tag
        System.String name
        UnityEngine.HideFlags hideFlags"#]]
    .assert_eq(&shown.join("\n"));
}

#[test]
fn members_have_the_names_and_types_of_their_properties() {
    let sample = UnitySample::with_components(&[], "");
    let of = |class: &str, members: &str| {
        let added = json!({ "objectId": thing(&sample), "type": format!("UnityEngine.{class}") });
        sample.ask("explorer.addComponent", added);
        let list = json!({ "objectId": thing(&sample), "componentType": format!("UnityEngine.{class}"), "limit": 500 });
        let listed = sample.ask("explorer.listComponentMembers", list);
        let listed = listed["Items"].as_array().unwrap().clone();
        let ty = |name: &str| {
            let found = listed.iter().find(|member| member["Name"] == name);
            found.map_or("none", |found| found["Type"].as_str().unwrap()).to_owned()
        };
        members.split(' ').map(ty).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        of(
            "SpriteRenderer",
            "drawMode tileMode spriteTileMode allowOcclusionWhenDynamic dynamicOccludee"
        ),
        "UnityEngine.SpriteDrawMode UnityEngine.SpriteTileMode none System.Boolean none"
    );
    assert_eq!(
        of("Rigidbody2D", "interpolation constraints sharedMaterial material"),
        "UnityEngine.RigidbodyInterpolation2D UnityEngine.RigidbodyConstraints2D UnityEngine.PhysicsMaterial2D none"
    );
    assert_eq!(of("Light", "lightmapBakeType lightmapping"), "UnityEngine.LightmapBakeType none");
    assert_eq!(of("AudioSource", "panStereo pan2D"), "System.Single none");
    let given = sample.eval(
        r#"var o = GameObject.Find("Thing");
        var body = o.GetComponent<Rigidbody2D>();
        body.constraints = RigidbodyConstraints2D.FreezeRotation;
        string.Join(" ", o.GetComponent<Light>().lightmapBakeType, o.GetComponent<SpriteRenderer>().lightProbeUsage,
            body.sleepMode, body.constraints)"#,
    );
    assert_eq!(given["result"], "Realtime BlendProbes StartAwake FreezeRotation");
    let saved = sample.ask("explorer.saveScene", json!({}));
    assert_eq!(saved["notSaved"], json!([]));
    assert!(sample.read("Assets/Main.unity").contains("m_Constraints: 4\n"));
}

#[test]
fn new_components_begin_as_in_unity() {
    let script = "//- Assets/Lamp.cs
using UnityEngine;
public enum Mood { Calm, Angry }
public class Lamp : MonoBehaviour {
    public float speed = 5;
    public float dim = .5f;
    public bool on = true;
    public string label = \"lamp\";
    public Mood mood = Mood.Angry;
    public int plain;
}
//- Assets/Lamp.cs.meta
guid: 0123456789abcdef0123456789abcde0
";
    let sample = UnitySample::with_components(&[], script);
    let given = sample.eval(
        r#"var o = GameObject.Find("Thing");
        var light = o.AddComponent<Light>();
        var sound = o.AddComponent<AudioSource>();
        var lamp = o.AddComponent<Lamp>();
        string.Join(" ", light.intensity, light.type, light.cullingMask, sound.volume, sound.playOnAwake,
            o.AddComponent<Rigidbody2D>().gravityScale, o.AddComponent<CircleCollider2D>().radius,
            lamp.speed, lamp.dim, lamp.on, lamp.label, lamp.mood, lamp.plain)"#,
    );
    assert_eq!(given["result"], "1 Point -1 1 True 1 0.5 5 0.5 True lamp Angry 0");
}

#[test]
fn initialisers_of_fields_are_run_when_they_are_more_than_literals() {
    let script = "//- Assets/Lamp.cs
using UnityEngine; using System.Collections.Generic;
public enum Mood { Calm, Angry = 5 }
public class Base : MonoBehaviour { public float inherited = 2.5f; }
public class Lamp : Base {
    public int hex = 0xFF; public int long_ = 1_000; public double d = 3d; public uint u = 5u;
    public string text = \"a\\tb\"; public string path = @\"c:\\x\"; public char letter = 'x';
    public Vector3 place = new Vector3(1, 2f, 3); public Vector3 all = Vector3.one; public Vector2 half = new(0.5f, 1);
    public Color tint = Color.red; public Quaternion turn = Quaternion.identity;
    public int[] numbers = { 1, 2, 3 }; public List<int> list = new List<int> { 4, 5 };
    public float product = 2 * 3f; public Mood mood = (Mood)5;
    [field: SerializeField] public int Kept { get; set; } = 6;
    public float unknown = Compute(); public GameObject nothing = null;
    static float Compute() { return 1f; }
}
//- Assets/Lamp.cs.meta
guid: 0123456789abcdef0123456789abcde0
";
    let sample = UnitySample::with_components(&[], script);
    let of = |members: &str| {
        let members: Vec<String> =
            members.split(' ').map(|member| format!("lamp.{member}")).collect();
        let code = format!(
            r#"var o = GameObject.Find("Thing"); var lamp = o.GetComponent<Lamp>() ?? o.AddComponent<Lamp>();
            string.Join("|", {})"#,
            members.join(", ")
        );
        sample.eval(&code)["result"].as_str().unwrap().to_owned()
    };
    assert_eq!(of("hex long_ d u text path letter"), "255|1000|3|5|a\tb|c:\\x|x");
    assert_eq!(of("place all half"), "(1.00, 2.00, 3.00)|(1.00, 1.00, 1.00)|(0.50, 1.00)");
    assert_eq!(of("tint turn.w"), "RGBA(1.000, 0.000, 0.000, 1.000)|1");
    assert_eq!(of("numbers.Length numbers[2] list.Count list[1]"), "3|3|2|5");
    assert_eq!(of("product mood Kept inherited"), "6|Angry|6|2.5");
    // The project's methods do not run, and what they would give is not made up.
    assert_eq!(of("unknown nothing"), "0|");
}

#[test]
fn what_a_reference_leads_to_has_the_class_of_its_id() {
    let renderer = "SpriteRenderer:
  m_Enabled: 1
  m_Sprite: {fileID: 21300000, guid: 0123456789abcdef0123456789abcde1, type: 3}
";
    let other = "SpriteMask:
  m_Enabled: 1
  m_Sprite: {fileID: -4321234567, guid: 0123456789abcdef0123456789abcde1, type: 3}
";
    let picture = "//- Assets/Cat.png\nno picture\n//- Assets/Cat.png.meta\nguid: 0123456789abcdef0123456789abcde1\n";
    let sample = UnitySample::with_components(
        &[(212, renderer), (331, other), (124, "Behaviour:\n  m_Enabled: 1\n")],
        picture,
    );
    let sprite = |class: &str| {
        let code = format!(r#"GameObject.Find("Thing").GetComponent<{class}>().sprite"#);
        sample.eval(&code)["result"].clone()
    };
    assert_eq!(sprite("SpriteRenderer"), "Cat (UnityEngine.Sprite)");
    assert_eq!(sprite("SpriteMask"), "Cat (UnityEngine.Sprite)");
    assert_eq!(sample.eval(ALL)["result"], "Transform, SpriteRenderer, SpriteMask, FlareLayer");
}

#[test]
fn members_have_the_names_and_types_that_c_sharp_gives_them() {
    let body = "Rigidbody:\n  m_Mass: 2\n  m_ImplicitCom: 0\n  m_ImplicitTensor: 1\n  m_InertiaRotation: {x: 0, y: 0, z: 0, w: 1}\n";
    let wind = "WindZone:\n  m_Enabled: 1\n  m_Mode: 1\n";
    let joint = "ConfigurableJoint:\n  m_XMotion: 2\n  m_YMotion: 1\n";
    let words = "TextMesh:\n  m_Text: Hi\n  m_Anchor: 4\n  m_FontStyle: 1\n";
    let sample =
        UnitySample::with_components(&[(54, body), (182, wind), (153, joint), (102, words)], "");
    let code = r#"
        var thing = GameObject.Find("Thing");
        var body = thing.GetComponent<Rigidbody>();
        var joint = thing.GetComponent<ConfigurableJoint>();
        var words = thing.GetComponent<TextMesh>();
        return string.Join(" ", body.automaticCenterOfMass, body.automaticInertiaTensor,
            body.inertiaTensorRotation.w, thing.GetComponent<WindZone>().mode, joint.xMotion,
            joint.yMotion, words.anchor, words.fontStyle);"#;
    assert_eq!(
        sample.eval(code)["result"],
        "False True 1 Spherical Free Limited MiddleCenter Bold"
    );
    // The names of the file are no members.
    let code = r#"GameObject.Find("Thing").GetComponent<Rigidbody>().implicitCom"#;
    let refusal = sample.refusal("explorer.consoleEval", json!({ "code": code }));
    assert!(refusal.contains("has no member 'implicitCom'"), "{refusal}");
}
