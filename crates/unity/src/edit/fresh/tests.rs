//! New native objects, as text.

use expect_test::{Expect, expect};

use super::*;
use crate::edit::{Manner, NewObject};

/// Checks the text of a new object, without the keys that every component begins with.
fn check(class: &str, version: &str, expected: Expect) {
    let text = text(class, version);
    let common = |line: &&str| !COMMON[..7].iter().any(|key| line.trim().starts_with(key));
    let lines: Vec<_> = text.lines().skip(1).filter(common).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

fn text(class: &str, version: &str) -> String {
    let (class, version) = (ClassId::find(class).unwrap(), Version::parse(version).unwrap());
    let key = key(class, version).unwrap().to_owned();
    let fields = native(class, version).unwrap();
    NewObject { class, id: FileId(1), key, stripped: false, fields }.text(Manner::PLAIN)
}

#[test]
fn a_collider_has_what_its_version_has() {
    check(
        "BoxCollider",
        "2021.3.6f1",
        expect![[r#"
            BoxCollider:
              m_Material: {fileID: 0}
              m_IsTrigger: 0
              m_Enabled: 1
              serializedVersion: 2
              m_Size: {x: 1, y: 1, z: 1}
              m_Center: {x: 0, y: 0, z: 0}
        "#]],
    );
    check(
        "BoxCollider",
        "6000.0.52f1",
        expect![[r#"
            BoxCollider:
              m_Material: {fileID: 0}
              m_IncludeLayers:
                serializedVersion: 2
                m_Bits: 0
              m_ExcludeLayers:
                serializedVersion: 2
                m_Bits: 0
              m_LayerOverridePriority: 0
              m_IsTrigger: 0
              m_ProvidesContacts: 0
              m_Enabled: 1
              serializedVersion: 3
              m_Size: {x: 1, y: 1, z: 1}
              m_Center: {x: 0, y: 0, z: 0}
        "#]],
    );
}

#[test]
fn curves_have_their_keys() {
    check(
        "AudioSource",
        "2019.4.40f1",
        expect![[r#"
        AudioSource:
          m_Enabled: 1
          serializedVersion: 4
          OutputAudioMixerGroup: {fileID: 0}
          m_audioClip: {fileID: 0}
          m_PlayOnAwake: 1
          m_Volume: 1
          m_Pitch: 1
          Loop: 0
          Mute: 0
          Spatialize: 0
          SpatializePostEffects: 0
          Priority: 128
          DopplerLevel: 1
          MinDistance: 1
          MaxDistance: 500
          Pan2D: 0
          rolloffMode: 0
          BypassEffects: 0
          BypassListenerEffects: 0
          BypassReverbZones: 0
          rolloffCustomCurve:
            serializedVersion: 2
            m_Curve:
            - serializedVersion: 3
              time: 0
              value: 1
              inSlope: 0
              outSlope: 0
              tangentMode: 0
              weightedMode: 0
              inWeight: 0.33333334
              outWeight: 0.33333334
            - serializedVersion: 3
              time: 1
              value: 0
              inSlope: 0
              outSlope: 0
              tangentMode: 0
              weightedMode: 0
              inWeight: 0.33333334
              outWeight: 0.33333334
            m_PreInfinity: 2
            m_PostInfinity: 2
            m_RotationOrder: 4
          panLevelCustomCurve:
            serializedVersion: 2
            m_Curve:
            - serializedVersion: 3
              time: 0
              value: 0
              inSlope: 0
              outSlope: 0
              tangentMode: 0
              weightedMode: 0
              inWeight: 0.33333334
              outWeight: 0.33333334
            m_PreInfinity: 2
            m_PostInfinity: 2
            m_RotationOrder: 4
          spreadCustomCurve:
            serializedVersion: 2
            m_Curve:
            - serializedVersion: 3
              time: 0
              value: 0
              inSlope: 0
              outSlope: 0
              tangentMode: 0
              weightedMode: 0
              inWeight: 0.33333334
              outWeight: 0.33333334
            m_PreInfinity: 2
            m_PostInfinity: 2
            m_RotationOrder: 4
          reverbZoneMixCustomCurve:
            serializedVersion: 2
            m_Curve:
            - serializedVersion: 3
              time: 0
              value: 1
              inSlope: 0
              outSlope: 0
              tangentMode: 0
              weightedMode: 0
              inWeight: 0.33333334
              outWeight: 0.33333334
            m_PreInfinity: 2
            m_PostInfinity: 2
            m_RotationOrder: 4
    "#]],
    );
}

#[test]
fn the_version_of_an_object_stands_where_unity_writes_it() {
    let place = |class: &str, version: &str| {
        let text = text(class, version);
        let lines: Vec<_> = text.lines().filter(|line| !line.starts_with("   ")).collect();
        let at = lines.iter().position(|line| line.starts_with("  serializedVersion"));
        at.map_or("", |at| lines[at - 1].trim().split(':').next().unwrap_or_default()).to_owned()
    };
    assert_eq!(place("GameObject", "2017.4.17f1"), "m_PrefabInternal");
    assert_eq!(place("GameObject", "6000.0.52f1"), "m_PrefabAsset");
    assert_eq!(place("Light", "2020.3.23f1"), "m_Enabled");
    assert_eq!(place("Rigidbody", "2020.3.23f1"), "m_GameObject");
    assert_eq!(place("Rigidbody2D", "6000.0.52f1"), "Rigidbody2D");
    assert_eq!(place("SpriteRenderer", "6000.0.52f1"), "");
    assert_eq!(place("SpriteRenderer", "6000.5.9f1"), "SpriteRenderer");
    assert_eq!(place("BoxCollider2D", "2017.4.17f1"), "m_AutoTiling");
    assert_eq!(place("BoxCollider2D", "6000.5.9f1"), "m_Enabled");
    assert_eq!(place("CircleCollider2D", "2019.4.18f1"), "m_Offset");
    assert_eq!(place("CharacterJoint", "2022.3.20f1"), "m_ConnectedAnchor");
    assert_eq!(place("SkinnedMeshRenderer", "2018.4.36f1"), "m_SortingOrder");
    assert_eq!(place("RectTransform", "6000.0.52f1"), "");
    assert_eq!(place("AnimationClip", "2020.3.23f1"), "m_Name");
    assert_eq!(place("AnimatorTransition", "6000.0.52f1"), "m_IsExit");
    assert_eq!(place("RenderTexture", "2020.3.23f1"), "m_IsAlphaChannelOptional");
}

#[test]
fn lists_are_empty_in_the_form_that_each_has() {
    let material = text("Material", "2022.3.20f1");
    for line in
        ["  m_ValidKeywords: []", "  stringTagMap: {}", "    m_Ints: []", "    m_Colors: []"]
    {
        assert!(material.lines().any(|known| known == line), "{line} in {material}");
    }
    assert!(
        text("ParticleSystemRenderer", "2022.3.20f1").contains("\n  m_VertexStreams: 00010304\n")
    );
    assert!(text("Tilemap", "2022.3.20f1").contains("\n  m_Tiles: {}\n"));
}

#[test]
fn every_row_of_the_table_is_a_field_of_some_version() {
    let mut sections: Vec<_> = defaults::sections().collect();
    sections.sort_by_key(|(name, _)| *name);
    for (name, section) in sections {
        if name.starts_with(':') {
            continue;
        }
        let class = ClassId::find(name).unwrap_or_else(|| panic!("{name} is no class"));
        let mut rows: Vec<_> = section.rows.iter().collect();
        for class in ClassId::all().filter(|known| known.is_a(class)) {
            // Most rows are still of use, so the newest is asked first.
            let trees: Vec<_> = types::trees(class).collect();
            for tree in trees.into_iter().rev() {
                if rows.is_empty() {
                    break;
                }
                let keys = tree.children().map(|key| (key.name().to_owned(), zero(key)));
                let mut object = New::Map(keys.collect());
                rows.retain(|row| defaults::set(tree, &mut object, row.path, row.value).is_none());
            }
        }
        let left: Vec<_> = rows.iter().map(|row| row.path).collect();
        assert_eq!(left, [""; 0], "{name} has none of these");
    }
}

#[test]
fn every_component_of_every_version_can_be_made() {
    let component = ClassId::find("Component").unwrap();
    let versions = ["2017.4.1f1", "2018.4.36f1", "2019.4.40f1", "2020.3.23f1", "2021.3.6f1"];
    let newer = ["2022.3.62f1", "2023.2.12f1", "6000.0.52f1", "6000.3.9f1", "6000.7.0a3"];
    let (mut made, mut unknown) = (0, Vec::new());
    for class in ClassId::all().filter(|class| class.is_a(component)) {
        for version in versions.iter().chain(&newer).filter_map(|text| Version::parse(text)) {
            let Some(fields) = native(class, version) else { continue };
            let tree = types::tree(class, version).unwrap();
            let keys = fields.iter().map(|(key, _)| key.as_str());
            let keys = keys.filter(|key| *key != "serializedVersion");
            assert!(keys.eq(tree.children().map(Node::name)), "{class} {version}");
            made += 1;
        }
        if native(class, Version::NEWEST).is_some() && !is_known(class) {
            unknown.extend(class.name());
        }
    }
    expect!["1198 Component Renderer Collider2D Collider Joint HingeJoint PolygonCollider2D TextMesh Halo CharacterJoint SpringJoint ConfigurableJoint AudioReverbFilter AudioBehaviour AudioFilter Terrain AnchoredJoint2D Joint2D PhysicsUpdateBehaviour2D Effector2D AreaEffector2D PointEffector2D VideoPlayer ParticleSystemForceField SpriteMask ArticulationBody IConstraint RenderAs2D MultiplayerRolesData GridLayout Tilemap UIRenderer PanelRenderer SpriteShapeRenderer"].assert_eq(&format!("{made} {}", unknown.join(" ")));
}
