//! Tracks, markers, clips and bindings that are added to a Timeline, as the editor adds them.

use std::collections::HashSet;

use scenewright_text::Edits;

use super::{NAMESPACE, Overlap, TrackKind, overlap, read_track, reference, text};
use crate::edit::{Manner, New, NewObject, Refused, append, fresh_asset_id, insert_object, set};
use crate::script::dll_file_id;
use crate::{ClassId, Document, FileId, Guid, Object, Reference};

/// The id of every script's class in its file.
const SCRIPT: FileId = FileId(11_500_000);
const MAIN: FileId = FileId(11_400_000);

/// The classes of the Timeline package that are made here, and the guids of their scripts.
const SCRIPTS: [(&str, &str); 15] = [
    ("TimelineAsset", "bfda56da833e2384a9677cd3c976a436"),
    ("AnimationTrack", "d21dcc2386d650c4597f3633c75a1f98"),
    ("ActivationTrack", "21bf7f712d84d26478ebe6a299f21738"),
    ("AudioTrack", "8b22792c3b570444eb18cb78c2af3a74"),
    ("ControlTrack", "15e0374501f39d54eb30235764636e0e"),
    ("SignalTrack", "b46e36075dd1c124a8422c228e75e1fb"),
    ("GroupTrack", "d0fc6f5187a81dc47999eefade6f0935"),
    ("PlayableTrack", "82cd92ffc29383742932b27ca414c80f"),
    ("MarkerTrack", "2a16748d9461eae46a725db9776d5390"),
    ("SignalEmitter", "15c38f6fa1940124db1ab7f6fe7268d1"),
    ("ActivationPlayableAsset", "fde0d25a170598d46a0b9dc16b4527a5"),
    ("AudioPlayableAsset", "4f10dd60657c6004587f237a7e90f8e4"),
    ("AnimationPlayableAsset", "030f85c3f73729f4f976f66ffb23b875"),
    ("CinemachineTrack", "05acc715f855ced458d76ee6f8ac6c61"),
    ("CinemachineShot", "90fb794a295e73545af71bcdb7375791"),
];

/// The class of a new marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkerClass {
    /// Sends a signal, which may be none yet.
    SignalEmitter {
        /// The signal asset.
        signal: Option<Reference>,
    },
    /// A class of the project; its own fields get their defaults when Unity reads the file.
    Script(Reference),
}

/// A clip to be added.
#[derive(Debug, Clone, PartialEq)]
pub struct NewClip {
    /// The name that the editor shows.
    pub name: String,
    /// Seconds from the start of the Timeline.
    pub start: f64,
    /// Seconds.
    pub duration: f64,
    /// What is played, for tracks that play something.
    pub plays: Plays,
}

/// What a clip plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plays {
    /// Nothing: the clip itself says what happens.
    Nothing,
    /// A sound or an animation.
    Asset(Reference),
    /// Something of the scene, which a director has under this name; see [`expose`].
    Exposed(Guid),
}

/// What a director binds to a track.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bound {
    /// The track.
    pub track: Reference,
    /// The object or component, in the ids of the director's file.
    pub value: FileId,
}

/// The text of a new Timeline asset. `previews` is whether its version of the package knows that
/// setting.
pub fn new_asset(name: &str, frame_rate: f64, previews: bool) -> String {
    let mut settings = vec![("m_Framerate".to_owned(), New::double(frame_rate))];
    if previews {
        settings.push(("m_ScenePreview".to_owned(), New::int(1)));
    }
    let nothing = || New::local(FileId::NULL);
    let script = Reference { file_id: SCRIPT, guid: guid_of("TimelineAsset"), kind: 3 };
    let fields = [
        ("m_ObjectHideFlags", New::int(0)),
        ("m_CorrespondingSourceObject", nothing()),
        ("m_PrefabInstance", nothing()),
        ("m_PrefabAsset", nothing()),
        ("m_GameObject", nothing()),
        ("m_Enabled", New::int(1)),
        ("m_EditorHideFlags", New::int(0)),
        ("m_Script", New::Reference(script)),
        ("m_Name", New::Text(name.to_owned())),
        ("m_EditorClassIdentifier", New::Text(String::new())),
        ("m_Version", New::int(0)),
        ("m_Tracks", New::List(Vec::new())),
        ("m_FixedDuration", New::int(0)),
        ("m_EditorSettings", New::Map(settings)),
        ("m_DurationMode", New::int(0)),
        ("m_MarkerTrack", nothing()),
    ];
    let fields = fields.into_iter().map(owned).collect();
    let key = "MonoBehaviour".to_owned();
    let object =
        NewObject { class: ClassId::MONO_BEHAVIOUR, id: MAIN, key, stripped: false, fields };
    format!("%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n{}", object.text(Manner::PLAIN))
}

/// The fields of a `PlayableDirector` behind those that every component has.
pub fn director_fields(timeline: Reference, plays_at_start: bool) -> Vec<(String, New)> {
    let references = vec![("m_References".to_owned(), New::List(Vec::new()))];
    [
        ("m_Enabled", New::int(1)),
        ("serializedVersion", New::int(3)),
        ("m_PlayableAsset", New::Reference(timeline)),
        ("m_InitialState", New::bool(plays_at_start)),
        ("m_WrapMode", New::int(2)),
        ("m_DirectorUpdateMode", New::int(1)),
        ("m_InitialTime", New::int(0)),
        ("m_SceneBindings", New::List(Vec::new())),
        ("m_ExposedReferences", New::Map(references)),
    ]
    .map(owned)
    .to_vec()
}

/// Add a track: at the end of the Timeline, or of a group.
pub fn create_track(
    document: &Document,
    kind: TrackKind,
    name: &str,
    group: Option<FileId>,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<FileId, Refused> {
    let main = main(document)?;
    let (above, list) = match group.and_then(|group| document.object(group)) {
        Some(group) => (group, "m_Children"),
        None => (main, "m_Tracks"),
    };
    let id = add_track(document, kind, name, above.file_id(), manner, edits)?;
    append(above, list, New::local(id), manner, edits)?;
    Ok(id)
}

/// The track of the header's markers, which is added where there is none.
pub fn marker_track(
    document: &Document,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<FileId, Refused> {
    let main = main(document)?;
    if let Some(known) = reference(main, "m_MarkerTrack") {
        return Ok(known.file_id);
    }
    let id = add_track(document, TrackKind::Markers, "Markers", main.file_id(), manner, edits)?;
    set(main, "m_MarkerTrack", &New::local(id), manner, edits)?;
    Ok(id)
}

fn add_track(
    document: &Document,
    kind: TrackKind,
    name: &str,
    parent: FileId,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<FileId, Refused> {
    let nothing = || New::local(FileId::NULL);
    let no_markers = New::Map(vec![("m_Objects".to_owned(), New::List(Vec::new()))]);
    let base = [
        ("m_Version", New::int(3)),
        ("m_AnimClip", nothing()),
        ("m_Locked", New::int(0)),
        ("m_Muted", New::int(0)),
        ("m_CustomPlayableFullTypename", New::Text(String::new())),
        ("m_Curves", nothing()),
        ("m_Parent", New::local(parent)),
        ("m_Children", New::List(Vec::new())),
        ("m_Clips", New::List(Vec::new())),
        ("m_Markers", no_markers),
    ];
    // Older packages write fewer of them; another track tells.
    let other = document.objects().find(|object| object.get("m_Parent").is_some());
    let is_written = |key: &str| other.is_none_or(|other| other.get(key).is_some());
    let mut fields = base.into_iter().filter(|(key, _)| is_written(key)).collect::<Vec<_>>();
    fields.extend(own_fields(kind));
    let seed = format!("{}/{parent}/{name}", kind.class());
    add(document, kind.class(), None, name, &seed, fields, manner, edits)
}

/// What tracks of a kind have beside what all have.
fn own_fields(kind: TrackKind) -> Vec<(&'static str, New)> {
    let zero = || New::flow([("x", 0.0), ("y", 0.0), ("z", 0.0)]);
    let identity = || New::flow([("x", 0.0), ("y", 0.0), ("z", 0.0), ("w", 1.0)]);
    match kind {
        TrackKind::Activation => vec![("m_PostPlaybackState", New::int(3))],
        TrackKind::Audio => {
            let properties = [("volume", 1), ("stereoPan", 0), ("spatialBlend", 0)];
            let properties = properties.map(|(key, value)| (key.to_owned(), New::int(value)));
            vec![("m_TrackProperties", New::Map(properties.to_vec()))]
        }
        TrackKind::Animation => vec![
            ("m_InfiniteClipPreExtrapolation", New::int(0)),
            ("m_InfiniteClipPostExtrapolation", New::int(0)),
            ("m_InfiniteClipOffsetPosition", zero()),
            ("m_InfiniteClipOffsetEulerAngles", zero()),
            ("m_InfiniteClipTimeOffset", New::int(0)),
            ("m_InfiniteClipRemoveOffset", New::int(0)),
            ("m_InfiniteClipApplyFootIK", New::int(1)),
            ("mInfiniteClipLoop", New::int(0)),
            ("m_MatchTargetFields", New::int(63)),
            ("m_Position", zero()),
            ("m_EulerAngles", zero()),
            ("m_AvatarMask", New::local(FileId::NULL)),
            ("m_ApplyAvatarMask", New::int(1)),
            ("m_TrackOffset", New::int(0)),
            ("m_InfiniteClip", New::local(FileId::NULL)),
            ("m_OpenClipOffsetRotation", identity()),
            ("m_Rotation", identity()),
            ("m_ApplyOffsets", New::int(0)),
        ],
        TrackKind::Control
        | TrackKind::Signal
        | TrackKind::Group
        | TrackKind::Playable
        | TrackKind::Cinemachine
        | TrackKind::Markers => Vec::new(),
    }
}

/// Add a marker to a track.
pub fn add_marker(
    document: &Document,
    track: FileId,
    class: &MarkerClass,
    name: &str,
    time: f64,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<FileId, Refused> {
    let missing = || Refused::NoPlace("markers".into());
    let track = document.object(track).ok_or_else(missing)?;
    let mut fields = vec![("m_Time", New::double(time))];
    let script = match class {
        MarkerClass::Script(script) => Some(*script),
        MarkerClass::SignalEmitter { signal } => {
            let none = Reference { file_id: FileId::NULL, guid: None, kind: 0 };
            fields.extend([
                ("m_Retroactive", New::int(0)),
                ("m_EmitOnce", New::int(0)),
                ("m_Asset", New::Reference(signal.unwrap_or(none))),
            ]);
            None
        }
    };
    let seed = format!("marker/{}/{time}/{name}", track.file_id());
    let id = add(document, "SignalEmitter", script, name, &seed, fields, manner, edits)?;
    match track.get("m_Markers.m_Objects") {
        Some(_) => append(track, "m_Markers.m_Objects", New::local(id), manner, edits)?,
        None => return Err(missing()),
    }
    Ok(id)
}

/// Add a clip to a track of sounds, animations or activations.
pub fn add_clip(
    document: &Document,
    track: FileId,
    kind: TrackKind,
    clip: &NewClip,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<FileId, Refused> {
    let missing = || Refused::NoPlace("clips".into());
    let object = document.object(track).ok_or_else(missing)?;
    let plays = match clip.plays {
        Plays::Asset(asset) => New::Reference(asset),
        Plays::Nothing | Plays::Exposed(_) => New::local(FileId::NULL),
    };
    let (class, name, fields) = match kind {
        TrackKind::Activation => ("ActivationPlayableAsset", "ActivationPlayableAsset", Vec::new()),
        TrackKind::Audio => {
            let volume = New::Map(vec![("volume".to_owned(), New::int(1))]);
            let fields = vec![
                ("m_Clip", plays),
                ("m_Loop", New::int(0)),
                ("m_bufferingTime", New::float(0.1)),
                ("m_ClipProperties", volume),
            ];
            ("AudioPlayableAsset", "AudioPlayableAsset", fields)
        }
        TrackKind::Animation => {
            let zero = || New::flow([("x", 0.0), ("y", 0.0), ("z", 0.0)]);
            let fields = vec![
                ("m_Clip", plays),
                ("m_Position", zero()),
                ("m_EulerAngles", zero()),
                ("m_UseTrackMatchFields", New::int(1)),
                ("m_MatchTargetFields", New::int(63)),
                ("m_RemoveStartOffset", New::int(1)),
                ("m_ApplyFootIK", New::int(1)),
                ("m_Loop", New::int(0)),
                ("m_Version", New::int(1)),
                ("m_Rotation", New::flow([("x", 0.0), ("y", 0.0), ("z", 0.0), ("w", 1.0)])),
            ];
            ("AnimationPlayableAsset", clip.name.as_str(), fields)
        }
        TrackKind::Cinemachine => {
            let Plays::Exposed(name) = clip.plays else { return Err(missing()) };
            let camera = [
                ("exposedName", New::Text(name.to_string())),
                ("defaultValue", New::local(FileId::NULL)),
            ];
            let fields = vec![
                ("DisplayName", New::Text(String::new())),
                ("VirtualCamera", New::Map(camera.map(owned).to_vec())),
            ];
            ("CinemachineShot", "CinemachineShot", fields)
        }
        _ => return Err(missing()),
    };
    let seed = format!("clip/{track}/{}/{}", clip.start, clip.name);
    let id = add(document, class, None, name, &seed, fields, manner, edits)?;
    let lies = overlap_of(document, object, kind, clip);
    let entry = clip_entry(object, track, id, kind, clip, &lies);
    append(object, "m_Clips", entry, manner, edits)?;
    Ok(id)
}

/// Let the other clips of a track blend with one that is going to be added.
pub fn blend_others(
    document: &Document,
    track: FileId,
    kind: TrackKind,
    clip: &NewClip,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let object = document.object(track).ok_or_else(|| Refused::NoPlace("clips".into()))?;
    let lies = overlap_of(document, object, kind, clip);
    for (other, key) in [(lies.before, "m_BlendOutDuration"), (lies.behind, "m_BlendInDuration")] {
        if let Some((at, seconds)) = other {
            let path = format!("m_Clips[{at}].{key}");
            set(object, &path, &New::double(seconds), manner, edits)?;
        }
    }
    Ok(())
}

fn overlap_of(document: &Document, track: Object<'_>, kind: TrackKind, clip: &NewClip) -> Overlap {
    match kind.blends() {
        true => overlap(&read_track(document, track).clips, clip.start, clip.duration),
        false => Overlap::default(),
    }
}

fn clip_entry(
    track: Object<'_>,
    id: FileId,
    asset: FileId,
    kind: TrackKind,
    clip: &NewClip,
    lies: &Overlap,
) -> New {
    let curve = |from: i64, to: i64| {
        let key = |time: i64, value: i64| {
            let zero =
                ["inSlope", "outSlope", "tangentMode", "weightedMode", "inWeight", "outWeight"];
            let mut fields = vec![
                ("serializedVersion".to_owned(), New::int(3)),
                ("time".to_owned(), New::int(time)),
                ("value".to_owned(), New::int(value)),
            ];
            fields.extend(zero.map(|key| (key.to_owned(), New::int(0))));
            New::Map(fields)
        };
        let fields = [
            ("serializedVersion", New::int(2)),
            ("m_Curve", New::List(vec![key(0, from), key(1, to)])),
            ("m_PreInfinity", New::int(2)),
            ("m_PostInfinity", New::int(2)),
            ("m_RotationOrder", New::int(4)),
        ];
        New::Map(fields.map(owned).to_vec())
    };
    // Less than nothing is no blend.
    let blend = |other: Option<(usize, f64)>| New::double(other.map_or(-1.0, |(_, time)| time));
    let is_animation = i64::from(kind == TrackKind::Animation);
    let fields = [
        ("m_Version", New::int(1)),
        ("m_Start", New::double(clip.start)),
        ("m_ClipIn", New::int(0)),
        ("m_Asset", New::local(asset)),
        ("m_Duration", New::double(clip.duration)),
        ("m_TimeScale", New::int(1)),
        ("m_ParentTrack", New::local(id)),
        ("m_EaseInDuration", New::int(0)),
        ("m_EaseOutDuration", New::int(0)),
        ("m_BlendInDuration", blend(lies.before)),
        ("m_BlendOutDuration", blend(lies.behind)),
        ("m_MixInCurve", curve(0, 1)),
        ("m_MixOutCurve", curve(1, 0)),
        ("m_BlendInCurveMode", New::int(0)),
        ("m_BlendOutCurveMode", New::int(0)),
        ("m_ExposedParameterNames", New::List(Vec::new())),
        ("m_AnimationCurves", New::local(FileId::NULL)),
        ("m_Recordable", New::int(0)),
        ("m_PostExtrapolationMode", New::int(is_animation)),
        ("m_PreExtrapolationMode", New::int(is_animation)),
        ("m_PostExtrapolationTime", New::int(0)),
        ("m_PreExtrapolationTime", New::int(0)),
        ("m_DisplayName", New::Text(clip.name.clone())),
    ];
    // As another clip of the track has it, where versions differ.
    let other = track.get("m_Clips[0]");
    let is_written = |key: &str| other.is_none_or(|other| other.get(key).is_some());
    New::Map(fields.into_iter().filter(|(key, _)| is_written(key)).map(owned).collect())
}

/// Bind an object to a track in a director's own list.
pub fn bind(
    director: Object<'_>,
    bound: &Bound,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    const LIST: &str = "m_SceneBindings";
    let list = director.get(LIST).ok_or_else(|| Refused::NoPlace(LIST.into()))?;
    let is_it = |item: crate::Value<'_>| {
        item.get("key").and_then(crate::Value::as_reference) == Some(bound.track)
    };
    if let Some(at) = list.items().position(is_it) {
        let path = format!("{LIST}[{at}].value");
        return set(director, &path, &New::local(bound.value), manner, edits);
    }
    let entry = New::Map(vec![
        ("key".to_owned(), New::Reference(bound.track)),
        ("value".to_owned(), New::local(bound.value)),
    ]);
    append(director, LIST, entry, manner, edits)
}

/// Give something of the scene the name by which clips of a Timeline have it, in a director's own
/// list.
pub fn expose(
    director: Object<'_>,
    name: Guid,
    value: FileId,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<(), Refused> {
    let entry = New::Map(vec![(name.to_string(), New::local(value))]);
    append(director, "m_ExposedReferences.m_References", entry, manner, edits)
}

/// Adds an object of the asset, with the keys of its main object before its own.
#[expect(clippy::too_many_arguments, reason = "what an object is made of, each of another kind")]
fn add(
    document: &Document,
    class: &str,
    script: Option<Reference>,
    name: &str,
    seed: &str,
    own: Vec<(&str, New)>,
    manner: &Manner,
    edits: &mut Edits,
) -> Result<FileId, Refused> {
    let main = main(document)?;
    let script = match script {
        Some(script) => script,
        None => script_of(main, class).ok_or_else(|| Refused::NoPlace(class.into()))?,
    };
    let mut fields = Vec::new();
    for (key, value) in main.fields() {
        let new = match &*key {
            "m_ObjectHideFlags" => New::int(1),
            "m_Script" => New::Reference(script),
            "m_Name" => New::Text(name.to_owned()),
            "m_EditorClassIdentifier" => New::Text(value.text().replace("TimelineAsset", class)),
            _ => match value.as_reference() {
                Some(to) => New::Reference(to),
                None => New::Number(value.text().into_owned()),
            },
        };
        let is_last = key == "m_EditorClassIdentifier";
        fields.push((key.into_owned(), new));
        if is_last {
            break;
        }
    }
    fields.extend(own.into_iter().map(owned));
    let id = fresh_asset_id(document, &HashSet::new(), &format!("{}/{seed}", text(main, "m_Name")));
    let key = "MonoBehaviour".to_owned();
    let object = NewObject { class: ClassId::MONO_BEHAVIOUR, id, key, stripped: false, fields };
    insert_object(document, &object, manner, edits);
    Ok(id)
}

fn main(document: &Document) -> Result<Object<'_>, Refused> {
    let found = document.objects().find(|object| object.get("m_Tracks").is_some());
    found.ok_or_else(|| Refused::NoPlace("a Timeline".into()))
}

/// The script of a class: in the package, or in the library that the file's main object is of.
fn script_of(main: Object<'_>, class: &str) -> Option<Reference> {
    let own = reference(main, "m_Script")?;
    if own.file_id == SCRIPT {
        return Some(Reference { guid: Some(guid_of(class)?), ..own });
    }
    Some(Reference { file_id: FileId(dll_file_id(NAMESPACE, class).into()), ..own })
}

fn guid_of(class: &str) -> Option<Guid> {
    let (_, guid) = SCRIPTS.iter().find(|(name, _)| *name == class)?;
    Guid::parse(guid)
}

fn owned((key, value): (&str, New)) -> (String, New) {
    (key.to_owned(), value)
}
