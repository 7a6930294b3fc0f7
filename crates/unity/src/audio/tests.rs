//! The sample's mixer, and documents that hold none.

use expect_test::{Expect, expect};

use super::*;

fn sample(name: &str) -> Document {
    let samples = scenewright_fixture::sample("unity");
    Document::parse(std::fs::read(samples.join(name)).unwrap())
}

fn mixer() -> Mixer {
    Mixer::read(&sample("Assets/Audio/MainMixer.mixer")).unwrap()
}

/// Every number of a snapshot, one to a line; `=` when it is stored.
fn check(snapshot: &str, expected: Expect) {
    let mixer = mixer();
    let snapshot = mixer.snapshots.iter().find(|s| s.name == snapshot).unwrap();
    let mut shown = String::new();
    for group in &mixer.groups {
        shown += &format!(
            "{} volume {} pitch {}\n",
            group.path,
            show(snapshot.volume(group)),
            show(snapshot.pitch(group))
        );
        for (effect, (name, guid)) in
            group.effects.iter().flat_map(|e| e.parameters.iter().map(move |p| (e, p)))
        {
            let level = show(snapshot.effect_level(*guid));
            shown += &format!("  {}: {name} {level}\n", effect.name);
        }
    }
    expected.assert_eq(&shown);
}

fn show(level: Level) -> String {
    match level {
        Level::Stored(value) => format!("={value}"),
        Level::Default(value) => format!("~{value}"),
        Level::EffectDefault => "?".to_owned(),
    }
}

#[test]
fn joins_the_values_of_a_snapshot() {
    check(
        "Default",
        expect![[r#"
            Master volume =0 pitch ~1
            Master/Music volume =-6.5 pitch ~1
            Master/SFX volume =-2 pitch ~1
              Lowpass: Cutoff freq =22000
              Lowpass: Resonance =1
            Master/SFX/Footsteps volume =-9.8 pitch ~1
        "#]],
    );
}

#[test]
fn a_value_that_is_missing_is_the_default() {
    check(
        "Muffled",
        expect![[r#"
            Master volume ~0 pitch ~1
            Master/Music volume =-18 pitch ~1
            Master/SFX volume =-8 pitch ~1
              Lowpass: Cutoff freq =900
              Lowpass: Resonance =1.4
            Master/SFX/Footsteps volume ~0 pitch ~1
        "#]],
    );
}

#[test]
fn exposed_parameters_have_an_owner() {
    let mixer = mixer();
    let [exposed] = &mixer.exposed[..] else { panic!("one is exposed") };
    let owner = mixer.owner(exposed.guid).unwrap();
    assert_eq!((exposed.name.as_str(), owner.parameter), ("MusicVolume", "Volume"));
    assert_eq!(owner.group.path, "Master/Music");
    assert_eq!(mixer.snapshots[0].level_of(&owner, exposed.guid), Level::Stored(-6.5));
    assert!(mixer.snapshots[0].is_start && !mixer.snapshots[1].is_start);
    assert_eq!(mixer.owner(Guid::default()), None);
}

#[test]
fn sends_and_wet_mixes_have_a_level() {
    let document = Document::parse(
        "--- !u!241 &1\nAudioMixerController:\n  m_Name: M\n  m_MasterGroup: {fileID: 2}\n  m_Snapshots:\n  - {fileID: 5}\n  - {fileID: 9}\n\
--- !u!243 &2\nAudioMixerGroupController:\n  m_Name: A\n  m_Children:\n  - {fileID: 2}\n  m_Effects:\n  - {fileID: 3}\n  - {fileID: 4}\n\
--- !u!244 &3\nAudioMixerEffectController:\n  m_EffectName: Send\n  m_MixLevel: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n  m_Parameters: []\n\
--- !u!244 &4\nAudioMixerEffectController:\n  m_EffectName: Echo\n  m_EnableWetMix: 1\n  m_MixLevel: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n  m_Parameters: []\n\
--- !u!245 &5\nAudioMixerSnapshotController:\n  m_Name: S\n  m_FloatValues:\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa: -80\n    cccccccccccccccccccccccccccccccc: nan\n",
    );
    let mixer = Mixer::read(&document).unwrap();
    // The group that is its own child is there once.
    let [group] = &mixer.groups[..] else { panic!("{:?}", mixer.groups) };
    let levels: Vec<_> = group
        .effects
        .iter()
        .map(|effect| (effect.parameters[0].0.as_str(), effect.parameters[0].1))
        .map(|(name, guid)| (name, mixer.snapshots[0].effect_level(guid)))
        .collect();
    assert_eq!(levels, [("Send level", Level::Stored(-80.0)), ("Mix level", Level::EffectDefault)]);
    assert_eq!(mixer.notes, ["m_Snapshots of M names 9, which is not in the file"]);
}

#[test]
fn other_documents_hold_no_mixer() {
    assert_eq!(Mixer::read(&Document::parse("")), None);
    assert_eq!(Mixer::read(&sample("Assets/Scenes/Main.unity")), None);
}
