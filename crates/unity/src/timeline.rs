//! Timelines: the tracks, clips and markers of a `.playable`, and the scene objects that a
//! `PlayableDirector` binds to them. Changes are in `edit`.

mod blend;
mod edit;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

pub use blend::{Overlap, overlap};
pub use edit::{
    Bound, MarkerClass, NewClip, Plays, add_clip, add_marker, bind, blend_others, create_track,
    director_fields, expose, marker_track, new_asset,
};

use crate::script::{dll_file_id, package_script};
use crate::{ClassId, Document, FileId, Object, Reference, Value};

/// The component that plays a Timeline.
pub const DIRECTOR: ClassId = ClassId(320);
/// Groups inside of groups are followed so deep.
const MAX_DEPTH: usize = 32;
const NAMESPACE: &str = "UnityEngine.Timeline";

/// A Timeline asset.
#[derive(Debug, Clone, PartialEq)]
pub struct Timeline {
    /// The asset's main object.
    pub main: FileId,
    /// The tracks, groups before what is in them; the one of the header's markers is not among them.
    pub tracks: Vec<Track>,
    /// The track of the markers that are shown in the header.
    pub markers: Option<Track>,
    /// How long it is when that is fixed, in seconds.
    pub fixed_duration: Option<f64>,
}

/// A track of a Timeline.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// The object in the file.
    pub file_id: FileId,
    /// The name.
    pub name: String,
    /// What it does; nothing for tracks of other packages and of the project.
    pub kind: Option<TrackKind>,
    /// The class, without namespace, where it is known.
    pub class: Option<String>,
    /// The clips.
    pub clips: Vec<Clip>,
    /// When each marker is, in seconds.
    pub markers: Vec<f64>,
}

/// A clip of a track.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// The name that the editor shows.
    pub name: String,
    /// Seconds from the start of the Timeline.
    pub start: f64,
    /// Seconds.
    pub duration: f64,
    /// What is played.
    pub asset: Option<FileId>,
}

/// The tracks that the Timeline package has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrackKind {
    /// Plays animation clips on an `Animator`.
    Animation,
    /// Switches a GameObject on and off.
    Activation,
    /// Plays sounds through an `AudioSource`.
    Audio,
    /// Plays other Timelines, particles and prefabs.
    Control,
    /// Sends signals to a `SignalReceiver`.
    Signal,
    /// Holds other tracks.
    Group,
    /// Plays what a project's own code makes.
    Playable,
    /// Shows shots of Cinemachine's cameras.
    Cinemachine,
    /// Holds the markers of the header.
    Markers,
}

impl TrackKind {
    /// Every kind that can be added, by its word.
    pub const ADDABLE: [(&'static str, TrackKind); 8] = [
        ("animation", TrackKind::Animation),
        ("activation", TrackKind::Activation),
        ("audio", TrackKind::Audio),
        ("control", TrackKind::Control),
        ("signal", TrackKind::Signal),
        ("group", TrackKind::Group),
        ("playable", TrackKind::Playable),
        ("cinemachine", TrackKind::Cinemachine),
    ];

    /// The class of such tracks.
    pub fn class(self) -> &'static str {
        match self {
            TrackKind::Animation => "AnimationTrack",
            TrackKind::Activation => "ActivationTrack",
            TrackKind::Audio => "AudioTrack",
            TrackKind::Control => "ControlTrack",
            TrackKind::Signal => "SignalTrack",
            TrackKind::Group => "GroupTrack",
            TrackKind::Playable => "PlayableTrack",
            TrackKind::Cinemachine => "CinemachineTrack",
            TrackKind::Markers => "MarkerTrack",
        }
    }

    fn of(class: &str) -> Option<TrackKind> {
        let all = TrackKind::ADDABLE.map(|(_, kind)| kind).into_iter().chain([TrackKind::Markers]);
        all.into_iter().find(|kind| kind.class() == class)
    }
}

impl Timeline {
    /// Reads a `.playable`; nothing when the document holds no Timeline.
    pub fn read(document: &Document) -> Option<Timeline> {
        let main = document.objects().find(|object| {
            object.class_id() == ClassId::MONO_BEHAVIOUR && object.get("m_Tracks").is_some()
        })?;
        let mut tracks = Vec::new();
        let mut seen = HashSet::new();
        gather(document, main, "m_Tracks", 0, &mut seen, &mut tracks);
        let markers = reference(main, "m_MarkerTrack").and_then(|to| document.object(to.file_id));
        let is_fixed = main.get("m_DurationMode").and_then(Value::as_i64) == Some(1);
        let fixed = main.get("m_FixedDuration").and_then(Value::as_f64);
        Some(Timeline {
            main: main.file_id(),
            tracks,
            markers: markers.map(|object| read_track(document, object)),
            fixed_duration: fixed.filter(|_| is_fixed),
        })
    }

    /// How long it is, in seconds: as it says, or until the last clip or marker ends.
    pub fn duration(&self) -> f64 {
        let of = |track: &Track| {
            let clips = track.clips.iter().map(|clip| clip.start + clip.duration);
            clips.chain(track.markers.iter().copied()).fold(0.0, f64::max)
        };
        let all = self.tracks.iter().chain(&self.markers);
        self.fixed_duration.unwrap_or_else(|| all.map(of).fold(0.0, f64::max))
    }
}

fn gather(
    document: &Document,
    above: Object<'_>,
    list: &str,
    depth: usize,
    seen: &mut HashSet<FileId>,
    tracks: &mut Vec<Track>,
) {
    let items = above.get(list).into_iter().flat_map(Value::items);
    for to in items.filter_map(Value::as_reference) {
        let Some(object) = document.object(to.file_id) else { continue };
        // A broken file may have a track below itself.
        if depth < MAX_DEPTH && seen.insert(to.file_id) {
            tracks.push(read_track(document, object));
            gather(document, object, "m_Children", depth + 1, seen, tracks);
        }
    }
}

fn read_track(document: &Document, object: Object<'_>) -> Track {
    let number =
        |value: Value<'_>, key: &str| value.get(key).and_then(Value::as_f64).unwrap_or(0.0);
    let clips = object.get("m_Clips").into_iter().flat_map(Value::items);
    let markers = object.get("m_Markers.m_Objects").into_iter().flat_map(Value::items);
    let markers = markers.filter_map(Value::as_reference);
    let class = class_of(object);
    Track {
        file_id: object.file_id(),
        name: text(object, "m_Name"),
        kind: class.as_deref().and_then(TrackKind::of),
        class,
        clips: clips
            .map(|clip| Clip {
                name: clip
                    .get("m_DisplayName")
                    .map(|name| name.text().into_owned())
                    .unwrap_or_default(),
                start: number(clip, "m_Start"),
                duration: number(clip, "m_Duration"),
                asset: clip.get("m_Asset").and_then(Value::as_reference).map(|to| to.file_id),
            })
            .collect(),
        markers: markers
            .filter_map(|to| document.object(to.file_id)?.get("m_Time")?.as_f64())
            .collect(),
    }
}

/// The class of an object of a Timeline: by its script in the package, or in the library that had
/// the package's place until 2018.
fn class_of(object: Object<'_>) -> Option<String> {
    let script = reference(object, "m_Script")?;
    if let Some(known) = script.guid.and_then(|guid| package_script(guid.0)) {
        return Some(known.name.to_owned());
    }
    let all = TrackKind::ADDABLE.map(|(_, kind)| kind).into_iter().chain([TrackKind::Markers]);
    let is_it =
        |kind: &TrackKind| i64::from(dll_file_id(NAMESPACE, kind.class())) == script.file_id.0;
    all.into_iter().find(is_it).map(|kind| kind.class().to_owned())
}

fn text(object: Object<'_>, key: &str) -> String {
    object.get(key).map(|value| value.text().into_owned()).unwrap_or_default()
}

fn reference(object: Object<'_>, key: &str) -> Option<Reference> {
    object.get(key)?.as_reference().filter(|reference| !reference.is_null())
}
