//! Calls of UnityEvents: as the method takes its argument, under the class that declares it.

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use super::{MAIN, refused as refused_by_sample};
use crate::testing::{call_project, call_sample};

fn insert(call: &Value) -> Value {
    json!([{ "op": "insertItem", "object": "UI/Start Button", "component": "Button", "field": "onClick", "value": call }])
}

/// Calls to an object, its component, a method and an argument; each as [`told`].
fn calls(all: &[(&str, &str, &str, Value)], expected: Expect) {
    let told = all.iter().map(|(object, component, method, argument)| {
        let call = call(object, component, method, argument);
        let input = json!({ "path": MAIN, "changes": insert(&call), "dryRun": true });
        let output = call_sample("unity.edit", input).unwrap_or_else(|error| panic!("{error:?}"));
        told(&output.output)
    });
    expected.assert_eq(&told.collect::<String>());
}

fn call(object: &str, component: &str, method: &str, argument: &Value) -> Value {
    let target = match component {
        "" => json!(object),
        component => json!({ "object": object, "component": component }),
    };
    json!({ "target": target, "method": method, "argument": argument })
}

/// A call in one line, without what is empty in it, and what was said of it.
fn told(output: &Value) -> String {
    let diff = output["changes"][0]["diff"].as_str().unwrap_or_default();
    let lines = diff.lines().filter_map(|line| line.strip_prefix('+')).map(str::trim);
    let value = |key: &str| {
        let mut lines = lines.clone();
        lines.find_map(|line| line.strip_prefix(key)).unwrap_or_default().trim().to_owned()
    };
    let arguments = [
        "m_ObjectArgument:",
        "m_IntArgument:",
        "m_FloatArgument:",
        "m_StringArgument:",
        "m_BoolArgument:",
    ];
    let arguments = arguments.map(value);
    let arguments: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|one| !["", "0", "{fileID: 0}"].contains(one))
        .collect();
    let class = value("m_ObjectArgumentAssemblyTypeName:");
    let class = if class == "UnityEngine.Object, UnityEngine" { "" } else { &class };
    let remarks = output["results"][0]["remarks"].as_array().cloned().unwrap_or_default();
    let remarks =
        remarks.iter().map(|remark| format!("  {}\n", remark.as_str().unwrap_or_default()));
    format!(
        "{} | {} | mode {} | {} | {class}\n{}",
        value("m_TargetAssemblyTypeName:"),
        value("m_MethodName:"),
        value("m_Mode:"),
        arguments.join(" "),
        remarks.collect::<String>(),
    )
}

fn refused(object: &str, component: &str, method: &str, argument: Value, expected: Expect) {
    refused_by_sample(MAIN, insert(&call(object, component, method, &argument)), expected);
}

#[test]
fn what_the_engine_takes_decides_how_an_argument_is_passed() {
    let light = "Directional Light";
    calls(
        &[
            (light, "Light", "set_intensity", json!(2)),
            (light, "Light", "set_shadowBias", json!(1)),
            (light, "Light", "set_cullingMask", json!(3)),
        ],
        expect![[r#"
            UnityEngine.Light, UnityEngine | set_intensity | mode 4 | 2 | 
            UnityEngine.Light, UnityEngine | set_shadowBias | mode 4 | 1 | 
            UnityEngine.Light, UnityEngine | set_cullingMask | mode 3 | 3 | 
        "#]],
    );
    calls(
        &[
            ("Player", "", "SetActive", json!(1)),
            ("Player", "", "SetActive", json!(false)),
            ("Player", "Rigidbody", "set_mass", json!(2)),
            ("Player", "Rigidbody", "WakeUp", json!(null)),
            ("Player", "Transform", "SetParent", json!("Ground")),
            ("Ground", "MeshRenderer", "set_sharedMaterial", json!("Assets/Materials/Stone.mat")),
            ("Ground", "MeshRenderer", "set_sharedMaterial", json!(null)),
            ("Player", "Rigidbody", "SetDensity", json!(1)),
        ],
        expect![[r#"
            UnityEngine.GameObject, UnityEngine | SetActive | mode 6 | 1 | 
            UnityEngine.GameObject, UnityEngine | SetActive | mode 6 |  | 
            UnityEngine.Rigidbody, UnityEngine | set_mass | mode 4 | 2 | 
            UnityEngine.Rigidbody, UnityEngine | WakeUp | mode 1 |  | 
            UnityEngine.Transform, UnityEngine | SetParent | mode 2 | {fileID: 1684365706} | UnityEngine.Transform, UnityEngine
            UnityEngine.Renderer, UnityEngine | set_sharedMaterial | mode 2 | {fileID: 2100000, guid: fdfcc7ccef48ae2203d1f34e6c873cd7, type: 2} | UnityEngine.Material, UnityEngine
            UnityEngine.Renderer, UnityEngine | set_sharedMaterial | mode 2 |  | UnityEngine.Material, UnityEngine
            UnityEngine.Rigidbody, UnityEngine | SetDensity | mode 4 | 1 | 
        "#]],
    );
}

#[test]
fn what_the_engine_is_known_not_to_take_is_refused() {
    let light = "Directional Light";
    refused(
        light,
        "Light",
        "Nonsense",
        json!(null),
        expect![
            "change 1 (insertItem): Light has no method Nonsense; there is set_range, set_shape, set_spotAngle, set_boundingSphereOverride, set_shapeRadius, BroadcastMessage, set_name, set_type, set_shadowNearPlane, set_intensity, set_flare, set_shadowSoftnessFade and 53 more; nothing was changed"
        ],
    );
    refused(
        light,
        "Light",
        "set_intensty",
        json!(1),
        expect![
            "change 1 (insertItem): Light has no method set_intensty; did you mean set_intensity?"
        ],
    );
    refused(
        light,
        "Light",
        "set_color",
        json!("red"),
        expect![[
            r#"change 1 (insertItem): Light has set_color(Color), and is given "red"; UnityEvents cannot pass a Color; call a method of a script that does set_color"#
        ]],
    );
    refused(
        light,
        "Light",
        "set_intensity",
        json!("bright"),
        expect![[
            r#"change 1 (insertItem): Light has set_intensity(float), and is given "bright"; give an argument that fits; "mode": "EventDefined" passes what the event itself has"#
        ]],
    );
    refused(
        light,
        "Light",
        "set_intensity",
        json!(null),
        expect![[
            r#"change 1 (insertItem): Light has set_intensity(float), and is given no argument; give an argument that fits; "mode": "EventDefined" passes what the event itself has"#
        ]],
    );
    refused(
        light,
        "Light",
        "set_type",
        json!(2),
        expect![
            "change 1 (insertItem): Light has set_type(LightType), and is given 2; UnityEvents cannot pass a LightType; call a method of a script that does set_type"
        ],
    );
    refused(
        "Player",
        "",
        "SetActive",
        json!("yes"),
        expect![[
            r#"change 1 (insertItem): GameObject has SetActive(bool), and is given "yes"; give an argument that fits; "mode": "EventDefined" passes what the event itself has"#
        ]],
    );
    refused(
        "Player",
        "",
        "SetActive",
        json!(2),
        expect![[
            r#"change 1 (insertItem): GameObject has SetActive(bool), and is given 2; give an argument that fits; "mode": "EventDefined" passes what the event itself has"#
        ]],
    );
    refused(
        "Player",
        "",
        "set_enabled",
        json!(true),
        expect![[
            r#"change 1 (insertItem): a GameObject has no method set_enabled; name the component: {"object": path, "component": class}; Player has Transform, CapsuleCollider, Rigidbody, PlayerController"#
        ]],
    );
    refused(
        "Player",
        "Rigidbody",
        "set_mass",
        json!(true),
        expect![[
            r#"change 1 (insertItem): Rigidbody has set_mass(float), and is given true; give an argument that fits; "mode": "EventDefined" passes what the event itself has"#
        ]],
    );
    refused(
        "Player",
        "Transform",
        "SetParent",
        json!("Assets/Materials/Stone.mat"),
        expect![
            "change 1 (insertItem): the field takes a Transform, and Assets/Materials/Stone.mat is a Material; nothing was changed"
        ],
    );
    let call = json!({ "target": { "object": light, "component": "Light" }, "method": "set_intensity", "argument": 2, "mode": "Int" });
    // What the event itself passes may be a color.
    let dynamic = json!({ "target": { "object": light, "component": "Light" }, "method": "set_color", "mode": "EventDefined" });
    let input = json!({ "path": MAIN, "changes": insert(&dynamic), "dryRun": true });
    expect![[r#"
        UnityEngine.Light, UnityEngine | set_color | mode 0 |  | 
    "#]]
    .assert_eq(&told(&call_sample("unity.edit", input).unwrap().output));
    refused_by_sample(
        MAIN,
        insert(&call),
        expect![[
            r#"change 1 (insertItem): Light has set_intensity(float), and is given the mode Int; give an argument that fits; "mode": "EventDefined" passes what the event itself has"#
        ]],
    );
}

/// The tables do not have all methods of all classes: what they lack may be there.
#[test]
fn what_is_not_known_of_the_engine_is_written_and_said() {
    calls(
        &[
            ("Player", "Rigidbody", "PublishTransform", json!(null)),
            ("Main Camera", "Camera", "set_stereoConvergence", json!(2)),
            ("Main Camera", "Camera", "set_focalLength", json!(50)),
        ],
        expect![[r#"
            UnityEngine.Rigidbody, UnityEngine | PublishTransform | mode 1 |  | 
              whether Rigidbody has a PublishTransform that takes this could not be verified, for not all methods of the engine are known here; where it has none, Unity calls nothing
            UnityEngine.Camera, UnityEngine | set_stereoConvergence | mode 4 | 2 | 
              whether Camera has a set_stereoConvergence that takes this could not be verified, for not all methods of the engine are known here; where it has none, Unity calls nothing
            UnityEngine.Camera, UnityEngine | set_focalLength | mode 4 | 50 | 
              whether Camera has a set_focalLength that takes this could not be verified, for not all methods of the engine are known here; where it has none, Unity calls nothing
        "#]],
    );
}

#[test]
fn classes_of_packages_without_files_do_not_refuse_what_they_may_have() {
    let (button, label) = ("UI/Start Button", "UI/Start Button/Label");
    calls(
        &[
            (label, "Text", "set_text", json!("Go")),
            (label, "Text", "set_fontSize", json!(20)),
            (label, "Text", "set_lineSpacing", json!(2)),
            (label, "Text", "FontTextureChanged", json!(null)),
            (label, "", "set_text", json!("Go")),
            (button, "Button", "set_interactable", json!(false)),
            (button, "Button", "Select", json!(null)),
            (button, "Button", "set_enabled", json!(true)),
            (button, "Image", "set_fillAmount", json!(1)),
            (button, "Image", "SetNativeSize", json!(null)),
            ("EventSystem", "EventSystem", "SetSelectedGameObject", json!("Player")),
        ],
        expect![[r#"
            UnityEngine.UI.Text, UnityEngine.UI | set_text | mode 5 | Go | 
            UnityEngine.UI.Text, UnityEngine.UI | set_fontSize | mode 3 | 20 | 
            UnityEngine.UI.Text, UnityEngine.UI | set_lineSpacing | mode 4 | 2 | 
              whether Text has a set_lineSpacing that takes this could not be verified, for its package has no files here; where it has none, Unity calls nothing
            UnityEngine.UI.Text, UnityEngine.UI | FontTextureChanged | mode 1 |  | 
              whether Text has a FontTextureChanged that takes this could not be verified, for its package has no files here; where it has none, Unity calls nothing
            UnityEngine.UI.Text, UnityEngine.UI | set_text | mode 5 | Go | 
            UnityEngine.UI.Selectable, UnityEngine.UI | set_interactable | mode 6 |  | 
            UnityEngine.UI.Selectable, UnityEngine.UI | Select | mode 1 |  | 
            UnityEngine.Behaviour, UnityEngine | set_enabled | mode 6 | 1 | 
            UnityEngine.UI.Image, UnityEngine.UI | set_fillAmount | mode 4 | 1 | 
            UnityEngine.UI.Image, UnityEngine.UI | SetNativeSize | mode 1 |  | 
            UnityEngine.EventSystems.EventSystem, UnityEngine.UI | SetSelectedGameObject | mode 2 | {fileID: 1540250448} | UnityEngine.GameObject, UnityEngine
        "#]],
    );
    refused(
        label,
        "Text",
        "set_fontSize",
        json!("big"),
        expect![[
            r#"change 1 (insertItem): Text has set_fontSize(int), and is given "big"; give an argument that fits; "mode": "EventDefined" passes what the event itself has"#
        ]],
    );
    refused(
        button,
        "Image",
        "set_color",
        json!("red"),
        expect![[
            r#"change 1 (insertItem): Image has set_color(Color), and is given "red"; UnityEvents cannot pass a Color; call a method of a script that does set_color"#
        ]],
    );
}

#[test]
fn a_call_names_the_class_that_declares_its_method() {
    calls(
        &[
            ("Main Camera", "Camera", "set_enabled", json!(false)),
            ("Player", "CapsuleCollider", "set_enabled", json!(false)),
            ("Player", "PlayerController", "set_enabled", json!(false)),
            ("Player", "", "set_name", json!("Keeper")),
            ("Main Camera", "Camera", "set_tag", json!("Player")),
            ("UI/Start Button", "RectTransform", "SetParent", json!("UI/Start Button/Label")),
            ("Player", "PlayerController", "Respawn", json!(null)),
        ],
        expect![[r#"
            UnityEngine.Behaviour, UnityEngine | set_enabled | mode 6 |  | 
            UnityEngine.Collider, UnityEngine | set_enabled | mode 6 |  | 
            UnityEngine.Behaviour, UnityEngine | set_enabled | mode 6 |  | 
            UnityEngine.Object, UnityEngine | set_name | mode 5 | Keeper | 
            UnityEngine.Component, UnityEngine | set_tag | mode 5 | Player | 
            UnityEngine.Transform, UnityEngine | SetParent | mode 2 | {fileID: 330695927} | UnityEngine.Transform, UnityEngine
            LanternKeep.PlayerController, LanternKeep | Respawn | mode 1 |  | 
        "#]],
    );
}

const DERIVED: &str = "\
//- ProjectSettings/ProjectVersion.txt
m_EditorVersion: 2022.3.20f1
//- Packages/manifest.json
{ \"dependencies\": { \"com.unity.ugui\": \"1.0.0\" } }
//- Assets/Core/Core.asmdef
{ \"name\": \"Core\" }
//- Assets/Core/Base.cs
using UnityEngine; namespace Core { public class Base : MonoBehaviour { public void Hit(int much) {} public void Follow(Transform whom) {} public void Use(Base other) {} public void Paint(Color tint) {} } }
//- Assets/Core/Base.cs.meta
guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
//- Assets/Hero.cs
using UnityEngine; using UnityEngine.Events; public class Hero : Core.Base { public UnityEvent onHit; public void Jump() {} }
//- Assets/Hero.cs.meta
guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
//- Assets/Tint.cs
using UnityEngine.UI; public class Tint : Text { public void Fade(float time) {} }
//- Assets/Tint.cs.meta
guid: cccccccccccccccccccccccccccccccc
//- Assets/Net.cs
using Unity.Other; public class Net : NetworkBehaviour { public void Send() {} }
//- Assets/Net.cs.meta
guid: dddddddddddddddddddddddddddddddd
//- Assets/S.unity
%YAML 1.1
%TAG !u! tag:unity3d.com,2011:
--- !u!1 &1
GameObject:
  m_Component:
  - component: {fileID: 2}
  - component: {fileID: 3}
  - component: {fileID: 4}
  - component: {fileID: 5}
  - component: {fileID: 6}
  m_Name: A
--- !u!4 &2
Transform:
  m_GameObject: {fileID: 1}
  m_Children: []
  m_Father: {fileID: 0}
--- !u!114 &3
MonoBehaviour:
  m_GameObject: {fileID: 1}
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}
  m_Name: 
  m_EditorClassIdentifier: 
  onHit:
    m_PersistentCalls:
      m_Calls: []
--- !u!114 &4
MonoBehaviour:
  m_GameObject: {fileID: 1}
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: cccccccccccccccccccccccccccccccc, type: 3}
  m_Name: 
  m_EditorClassIdentifier: 
--- !u!114 &5
MonoBehaviour:
  m_GameObject: {fileID: 1}
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: dddddddddddddddddddddddddddddddd, type: 3}
  m_Name: 
  m_EditorClassIdentifier: 
--- !u!114 &6
MonoBehaviour:
  m_GameObject: {fileID: 1}
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: f4688fdb7df04437aeb418b961361dc5, type: 3}
  m_Name: 
  m_EditorClassIdentifier: 
//- Assets/S.unity.meta
guid: eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee
";

#[test]
fn scripts_inherit_methods_of_their_bases_and_of_packages() {
    let edit = |component: &str, method: &str, argument: Value| {
        let call = call("A", component, method, &argument);
        let changes = json!([{ "op": "set", "object": "A", "component": "Hero", "field": "onHit", "value": [call] }]);
        let input = json!({ "path": "Assets/S.unity", "changes": changes, "dryRun": true });
        match call_project(DERIVED, "unity.edit", input) {
            Ok(outcome) => told(&outcome.output),
            Err(error) => format!("{}; {}\n", error.message, error.hint.unwrap_or_default()),
        }
    };
    let all = [
        edit("Hero", "Jump", json!(null)),
        edit("Hero", "Hit", json!(3)),
        edit("Hero", "Follow", json!("A")),
        edit("Hero", "Use", json!("A")),
        edit("Hero", "CancelInvoke", json!("Tick")),
        edit("Tint", "Fade", json!(1)),
        edit("Tint", "Fade", json!("x")),
        edit("Tint", "set_text", json!("x")),
        edit("Tint", "set_text", json!(1)),
        edit("Tint", "Blink", json!(null)),
        edit("TextMeshProUGUI", "set_text", json!("x")),
        edit("TextMeshProUGUI", "set_fontSize", json!(24)),
        edit("TextMeshProUGUI", "set_characterSpacing", json!(2)),
        edit("TextMeshProUGUI", "ForceMeshUpdate", json!(null)),
        edit("Net", "Send", json!(null)),
        edit("Net", "Spawn", json!(null)),
        edit("Hero", "Jmp", json!(null)),
        edit("Hero", "Hit", json!(1.5)),
        edit("Hero", "Paint", json!("red")),
        edit("Hero", "StartCoroutine", json!("Tick")),
    ];
    expect![[r#"
        Hero, Assembly-CSharp | Jump | mode 1 |  | 
        Core.Base, Core | Hit | mode 3 | 3 | 
        Core.Base, Core | Follow | mode 2 | {fileID: 2} | UnityEngine.Transform, UnityEngine
        Core.Base, Core | Use | mode 2 | {fileID: 3} | Core.Base, Core
        UnityEngine.MonoBehaviour, UnityEngine | CancelInvoke | mode 5 | Tick | 
        Tint, Assembly-CSharp | Fade | mode 4 | 1 | 
        Tint, Assembly-CSharp | Fade | mode 5 | x | 
          whether Tint has a Fade that takes this could not be verified, for not all of its methods can be known here; where it has none, Unity calls nothing
        UnityEngine.UI.Text, UnityEngine.UI | set_text | mode 5 | x | 
        change 1 (set): onHit of Hero of A: Tint has set_text(string), and is given 1; give an argument that fits; "mode": "EventDefined" passes what the event itself has
        Tint, Assembly-CSharp | Blink | mode 1 |  | 
          whether Tint has a Blink that takes this could not be verified, for not all of its methods can be known here; where it has none, Unity calls nothing
        TMPro.TMP_Text, Unity.TextMeshPro | set_text | mode 5 | x | 
        TMPro.TMP_Text, Unity.TextMeshPro | set_fontSize | mode 4 | 24 | 
        TMPro.TextMeshProUGUI, Unity.TextMeshPro | set_characterSpacing | mode 4 | 2 | 
          whether TextMeshProUGUI has a set_characterSpacing that takes this could not be verified, for its package has no files here; where it has none, Unity calls nothing
        TMPro.TextMeshProUGUI, Unity.TextMeshPro | ForceMeshUpdate | mode 1 |  | 
          whether TextMeshProUGUI has a ForceMeshUpdate that takes this could not be verified, for its package has no files here; where it has none, Unity calls nothing
        Net, Assembly-CSharp | Send | mode 1 |  | 
        Net, Assembly-CSharp | Spawn | mode 1 |  | 
          whether Net has a Spawn that takes this could not be verified, for not all of its methods can be known here; where it has none, Unity calls nothing
        change 1 (set): onHit of Hero of A: Hero has no method Jmp; did you mean Jump?
        change 1 (set): onHit of Hero of A: Hero has Hit(int), and is given 1.5; give an argument that fits; "mode": "EventDefined" passes what the event itself has
        change 1 (set): onHit of Hero of A: Hero has Paint(Color), and is given "red"; UnityEvents cannot pass a Color; call a method of a script that does Paint
        change 1 (set): onHit of Hero of A: Hero has no method StartCoroutine; did you mean StopAllCoroutines or StopCoroutine?
    "#]].assert_eq(&all.concat());
}
