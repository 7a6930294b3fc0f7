use super::*;
use expect_test::{Expect, expect};
use std::{collections::HashMap, path::Path, rc::Rc};

fn sample(name: &str) -> Document {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/unity");
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

#[test]
fn finds_the_audio_source_of_the_sample() {
    let found = sources(&sample("Assets/Scenes/Cellar.unity"));
    let [source] = &found[..] else { panic!("{found:?}") };
    let output = source.output.unwrap();
    assert_eq!(mixer().group(output.file_id).unwrap().path, "Master/SFX");
    assert_eq!(source.origin, Origin::Component);
}

struct Project(HashMap<Guid, Rc<Document>>);

impl Prefabs for Project {
    fn prefab(&mut self, guid: Guid) -> Option<Rc<Document>> {
        self.0.get(&guid).cloned()
    }
}

fn guid_of(letter: char) -> Guid {
    Guid::parse(letter.to_string().repeat(32)).unwrap()
}

#[test]
fn targets_are_found_in_nested_prefabs() {
    let instance = |id: i64, source: char| {
        let guid = guid_of(source);
        format!(
            "--- !u!1001 &{id}\nPrefabInstance:\n  m_SourcePrefab: {{fileID: 100100000, guid: {guid}, type: 3}}\n"
        )
    };
    let plain = "--- !u!82 &82\nAudioSource:\n  m_Enabled: 1\n--- !u!4 &4\nTransform:\n";
    let mut project = Project(HashMap::from([
        (guid_of('a'), Rc::new(Document::parse(plain))),
        (guid_of('b'), Rc::new(Document::parse(instance(1000, 'a')))),
        (guid_of('c'), Rc::new(Document::parse(instance(7, 'd')))),
    ]));
    let mut check = |id: i64, letter: char| {
        let target = Reference { file_id: FileId(id), guid: Some(guid_of(letter)), kind: 3 };
        is_audio_source(&mut project, target)
    };
    assert_eq!(check(82, 'a'), Some(true));
    assert_eq!(check(4, 'a'), Some(false));
    assert_eq!(check(1000 ^ 82, 'b'), Some(true));
    assert_eq!(check(5, 'b'), Some(false));
    assert_eq!(check(5, 'c'), None);
}

#[test]
fn a_prefab_inside_itself_comes_to_an_end() {
    let instance = |id: i64| {
        let guid = guid_of('a');
        format!(
            "--- !u!1001 &{id}\nPrefabInstance:\n  m_SourcePrefab: {{fileID: 1, guid: {guid}}}\n"
        )
    };
    let text: String = (100..120).map(instance).collect();
    let mut project = Project(HashMap::from([(guid_of('a'), Rc::new(Document::parse(text)))]));
    let target = Reference { file_id: FileId(5), guid: Some(guid_of('a')), kind: 3 };
    assert_eq!(is_audio_source(&mut project, target), None);
}

#[test]
fn overrides_of_instances_are_sources() {
    let document = Document::parse(
        "--- !u!1001 &7\nPrefabInstance:\n  m_Modification:\n    m_Modifications:\n    - target: {fileID: 1, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 3}\n      propertyPath: m_Name\n      value: Door\n      objectReference: {fileID: 0}\n    - target: {fileID: 82, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 3}\n      propertyPath: OutputAudioMixerGroup\n      value: \n      objectReference: {fileID: 9, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 2}\n",
    );
    let found = sources(&document);
    let [source] = &found[..] else { panic!("{found:?}") };
    assert_eq!(source.path, "Door");
    assert_eq!(source.output.unwrap().file_id, FileId(9));
    let Origin::Override { target } = source.origin else { panic!("{found:?}") };
    assert_eq!((target.file_id, target.guid), (FileId(82), Some(guid_of('a'))));
}

#[test]
fn the_path_of_a_source_stops_at_an_instance() {
    let document = Document::parse(
        "--- !u!1 &1\nGameObject:\n  m_Name: Bell\n--- !u!4 &2\nTransform:\n  m_GameObject: {fileID: 1}\n  m_Father: {fileID: 3}\n--- !u!4 &3 stripped\nTransform:\n  m_PrefabInstance: {fileID: 8}\n--- !u!82 &4\nAudioSource:\n  m_GameObject: {fileID: 1}\n  OutputAudioMixerGroup: {fileID: 0}\n",
    );
    let found = sources(&document);
    assert_eq!(found[0].path, "…/Bell");
    assert_eq!(found[0].output, None);
}
