//! Timelines of other versions than the newest, and files in other manners.

use scenewright_text::Edits;

use super::*;
use crate::edit::Manner;

/// As Unity 2017 wrote it, with the classes in a library.
const OLD: &str = "%YAML 1.1\r
%TAG !u! tag:unity3d.com,2011:\r
--- !u!114 &11400000\r
MonoBehaviour:\r
  m_ObjectHideFlags: 0\r
  m_PrefabParentObject: {fileID: 0}\r
  m_PrefabInternal: {fileID: 0}\r
  m_GameObject: {fileID: 0}\r
  m_Enabled: 1\r
  m_EditorHideFlags: 0\r
  m_Script: {fileID: 337831424, guid: 6a10b2909283487f913b00d94cd3faf5, type: 3}\r
  m_Name: Old\r
  m_EditorClassIdentifier: \r
  m_NextId: 0\r
  m_Tracks:\r
  - {fileID: 114000012}\r
  m_FixedDuration: 4\r
  m_DurationMode: 1\r
--- !u!114 &114000012\r
MonoBehaviour:\r
  m_ObjectHideFlags: 1\r
  m_PrefabParentObject: {fileID: 0}\r
  m_PrefabInternal: {fileID: 0}\r
  m_GameObject: {fileID: 0}\r
  m_Enabled: 1\r
  m_EditorHideFlags: 0\r
  m_Script: {fileID: 46519060, guid: 6a10b2909283487f913b00d94cd3faf5, type: 3}\r
  m_Name: Lamp\r
  m_EditorClassIdentifier: \r
  m_Locked: 0\r
  m_Muted: 0\r
  m_CustomPlayableFullTypename: \r
  m_AnimClip: {fileID: 0}\r
  m_Parent: {fileID: 11400000}\r
  m_Children: []\r
  m_Clips: []\r
  m_PostPlaybackState: 3";

#[test]
fn a_track_of_an_old_library_is_made_in_its_manner() {
    let document = Document::parse(OLD);
    let timeline = Timeline::read(&document).unwrap();
    assert_eq!(timeline.tracks[0].kind, Some(TrackKind::Activation));
    assert_eq!((timeline.fixed_duration, timeline.duration()), (Some(4.0), 4.0));
    let mut edits = Edits::default();
    let manner = Manner::of(&document);
    let id = create_track(&document, TrackKind::Audio, "Sound", None, &manner, &mut edits).unwrap();
    let after = edits.apply(document.as_bytes()).unwrap();
    let text = String::from_utf8(after.clone()).unwrap();
    // Every line ends as the others do, and nothing that was there is another.
    assert_eq!(text.matches('\n').count(), text.matches("\r\n").count());
    for line in OLD.lines() {
        assert!(text.lines().any(|other| other == line), "{line:?}");
    }
    let document = Document::parse(after);
    assert!(document.problems().is_empty(), "{:?}", document.problems());
    let track = document.object(id).unwrap();
    let keys: Vec<String> = track.fields().map(|(key, _)| key.into_owned()).collect();
    // The keys of the other track and its own; not those that newer packages have.
    assert!(keys.starts_with(&["m_ObjectHideFlags".into(), "m_PrefabParentObject".into()]));
    assert!(!keys.contains(&"m_Version".to_owned()) && !keys.contains(&"m_Markers".to_owned()));
    assert_eq!(keys.last().unwrap(), "m_TrackProperties");
    let read = Timeline::read(&document).unwrap();
    assert_eq!(read.tracks[1].kind, Some(TrackKind::Audio));
    assert_eq!(read.tracks[1].name, "Sound");
}

#[test]
fn a_group_that_is_in_itself_is_read_once() {
    let document = Document::parse(
        "--- !u!114 &1\nMonoBehaviour:\n  m_Tracks:\n  - {fileID: 2}\n  - {fileID: 9}\n\
         --- !u!114 &2\nMonoBehaviour:\n  m_Name: A\n  m_Children:\n  - {fileID: 2}\n",
    );
    let timeline = Timeline::read(&document).unwrap();
    assert_eq!(timeline.tracks.len(), 1);
    assert_eq!(Timeline::read(&Document::parse("--- !u!1 &1\nGameObject:\n  m_Name: A\n")), None);
}
