//! Shaders that are read, and the table of those that are not.

use expect_test::{Expect, expect};

use super::*;
use crate::edit::New;

fn check(shader: Option<Shader>, expected: Expect) {
    let shader = shader.unwrap();
    let lines = shader.properties.iter().map(|property| {
        let Declared { name, kind, default, .. } = property;
        let value = match default.whole() {
            New::Number(text) => text,
            New::Flow(parts) => parts
                .into_iter()
                .map(|(_, part)| if let New::Number(text) = part { text } else { String::new() })
                .collect::<Vec<_>>()
                .join(" "),
            _ => String::new(),
        };
        format!("{kind:?} {name} {value}").trim_end().to_owned() + "\n"
    });
    expected.assert_eq(&format!("{}\n{}", shader.name, lines.collect::<String>()));
}

#[test]
fn the_properties_of_a_source_are_read() {
    let source = r#"// Shader "No" {
Shader "Game/Stone" { /* { */
    Properties
    {
        [MainTexture] [NoScaleOffset] _MainTex ("Albedo (RGB)", 2D) = "white" {}
        [HDR]_Glow("Glow", Color) = (1, .5, 0)
        _Wind ("Wind", Vector) = (1,2,3,4)
        _Cutoff ("Cutoff", Range(0.0, 1.0)) = 0.5
        [Enum(Off,0,On,1)] _ZWrite ("ZWrite", Int) = 1
        _Ref ("Ref", Integer) = 3
        _Odd ("Odd", Strange) = 3
        _Sky ("Sky", Cube) = "" { TexGen CubeReflect }
        // _Not ("Not", Float) = 0
        _Bias ("Bias", Float) = -1.5
    }
    SubShader { Pass { SetTexture [_MainTex] { combine texture } } }
}"#;
    check(
        parse_source(source),
        expect![[r#"
            Game/Stone
            Texture _MainTex
            Color _Glow 1 0.5 0 1
            Color _Wind 1 2 3 4
            Float _Cutoff 0.5
            Float _ZWrite 1
            Int _Ref 3
            Texture _Sky
            Float _Bias -1.5
        "#]],
    );
    check(
        parse_source("\u{feff}Shader \"A\" { SubShader { } }"),
        expect![[r#"
        A
    "#]],
    );
    assert_eq!(parse_source("float4 main() : SV_Target { return 0; }"), None);
    assert_eq!(parse_source("Shader"), None);
    for end in 0..source.len() {
        // Half a file is no reason to panic.
        let _ = source.get(..end).and_then(parse_source);
    }
}

#[test]
fn the_properties_of_a_graph_are_read() {
    let graph = r#"{ "m_SGVersion": 3, "m_Type": "UnityEditor.ShaderGraph.GraphData", "m_Path": "Shader Graphs" }

{ "m_Type": "UnityEditor.ShaderGraph.Internal.ColorShaderProperty", "m_DefaultReferenceName": "Color_12", "m_OverrideReferenceName": "_Tint", "m_Value": { "r": 1.0, "g": 0.5, "b": 0.0, "a": 1.0 } }

{ "m_Type": "UnityEditor.ShaderGraph.Internal.Vector1ShaderProperty", "m_DefaultReferenceName": "Vector1_A", "m_OverrideReferenceName": "", "m_Value": 0.25 }
{ "m_Type": "UnityEditor.ShaderGraph.Internal.Texture2DShaderProperty", "m_DefaultReferenceName": "Texture2D_B", "m_Value": { "m_Guid": "" } }
{ "m_Type": "UnityEditor.ShaderGraph.Internal.BooleanShaderProperty", "m_OverrideReferenceName": "_On", "m_Value": true }
"#;
    check(
        parse_file("Assets/Water.shadergraph", graph.as_bytes()),
        expect![[r#"
        Shader Graphs/Water
        Color _Tint 1 0.5 0 1
        Float Vector1_A 0.25
        Texture Texture2D_B
        Float _On 1
    "#]],
    );
    assert_eq!(parse_graph("Old", "{ \"m_SerializedProperties\": [] }"), None);
}

#[test]
fn known_shaders_are_found_by_name_and_reference() {
    for shader in KNOWN {
        assert_eq!(known(shader.name).map(|found| found.name), Some(shader.name));
        let found = known_by_reference(shader.reference());
        assert_eq!(found.map(|found| found.name), Some(shader.name));
    }
    assert_eq!(known("URP/Lit").map(|shader| shader.name), Some("Universal Render Pipeline/Lit"));
    assert_eq!(known("standard").map(|shader| shader.reference().file_id), Some(FileId(46)));
    assert!(known("Standart").is_none());
}

#[test]
fn a_new_material_is_as_unity_writes_it() {
    let sample = scenewright_fixture::sample("unity").join("Assets/Materials/Stone.mat");
    let expected = std::fs::read_to_string(sample).unwrap();
    let standard = known("Standard").unwrap();
    let shader = standard.shader();
    let properties: Vec<(&str, Setting)> = shader
        .properties
        .iter()
        .map(|property| match property.name.as_str() {
            "_Glossiness" => ("_Glossiness", Setting::Float(0.1)),
            "_Color" => ("_Color", Setting::Color([0.42, 0.43, 0.46, 1.0].map(Some))),
            name => (name, property.default),
        })
        .collect();
    let version = |text: &str| crate::EditorVersion { text: text.into(), revision: None };
    let made = |text: &str| {
        crate::edit::material::new_file("Stone", standard.reference(), &properties, &version(text))
    };
    assert_eq!(made("2022.3.20f1").as_deref(), Some(expected.as_str()));
    let old = made("5.4.0f3").unwrap();
    expect![[r#"
        %YAML 1.1
        %TAG !u! tag:unity3d.com,2011:
        --- !u!21 &2100000
        Material:
          serializedVersion: 6
          m_ObjectHideFlags: 0
          m_PrefabParentObject: {fileID: 0}
          m_PrefabInternal: {fileID: 0}
          m_Name: Stone
          m_Shader: {fileID: 46, guid: 0000000000000000f000000000000000, type: 0}
          m_ShaderKeywords: 
          m_LightmapFlags: 4
          m_CustomRenderQueue: -1
          stringTagMap: {}
          m_SavedProperties:
            serializedVersion: 2
            m_TexEnvs:
    "#]]
    .assert_eq(&old[..old.find("    - first:").unwrap()]);
    assert!(old.ends_with(
        "    - first:\n        name: _EmissionColor\n      second: {r: 0, g: 0, b: 0, a: 1}\n"
    ));
    assert_eq!(made("4.6.0f3"), None);
}

#[test]
fn attributes_say_which_keywords_a_number_turns_on() {
    let source = "Shader \"A\" { Properties {\n\
        [Header(Light)] [Toggle(_RIM_LIGHT)] _RimLight (\"R\", Float) = 1\n\
        [Toggle] _Fog(\"F\", Float) = 0\n\
        [ToggleOff] _Shine(\"S\", Float) = 1\n\
        [ToggleUI] _Plain(\"P\", Float) = 1\n\
        [KeywordEnum(None, Two Sided)] _Side(\"S\", Float) = 1\n } }";
    let shader = parse_source(source).unwrap();
    let on = |name: &str, value: f32| {
        let switch = shader.property(name).unwrap().switch.clone();
        let words = switch.iter().flat_map(|switch| switch.keywords(value));
        words.map(|(word, is_on)| format!("{word} {is_on}")).collect::<Vec<_>>().join(", ")
    };
    expect![[r#"
        _RIM_LIGHT true
        _FOG_ON false
        _SHINE_OFF false

        _SIDE_NONE false, _SIDE_TWO_SIDED true"#]]
    .assert_eq(
        &[
            on("_RimLight", 1.0),
            on("_Fog", 0.0),
            on("_Shine", 1.0),
            on("_Plain", 1.0),
            on("_Side", 1.0),
        ]
        .join("\n"),
    );
    let standard = known("Standard").unwrap().shader();
    let switch = standard.property("_GlossyReflections").unwrap().switch.as_ref();
    assert_eq!(switch.unwrap().keywords(0.0), [("_GLOSSYREFLECTIONS_OFF", true)]);
}
