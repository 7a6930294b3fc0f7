//! Timelines: their tracks, clips and markers, and what scenes bind to them.

mod add_clip;
mod add_marker;
mod batch_bind;
mod bind_object;
mod create;
mod create_track;
mod section_markers;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::{Cx, Group, Project, paths};
use scenewright_unity::edit::New;
use scenewright_unity::hierarchy::{Component, Node, Stated};
use scenewright_unity::timeline::{self, Bound, DIRECTOR, NewClip, Timeline, Track, TrackKind};
use scenewright_unity::{ClassId, FileId, Guid, Reference};

use crate::base::Unity;
use crate::base::draft::{Draft, SceneDraft};

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "timeline",
    engine: Some("unity"),
    about: "Timelines: tracks, clips, markers, bindings",
    tools: &[
        create::TOOL,
        create_track::TOOL,
        add_clip::TOOL,
        add_marker::TOOL,
        section_markers::TOOL,
        bind_object::TOOL,
        batch_bind::TOOL,
    ],
};

/// The package that Unity reads Timelines with.
pub(crate) const PACKAGE: &str = "com.unity.timeline";

/// A Timeline that a call names, to be changed or referred to; `missing` is said when there is none.
pub(crate) fn open(
    cx: &Cx,
    project: &Project,
    path: &str,
    missing: &str,
) -> Result<(Draft, Timeline), ToolError> {
    let none = |why: &str| {
        ToolError::new(ErrorKind::EngineError, format!("{missing}: {path}"))
            .hint("timeline_create makes one; project_listFiles with *.playable shows those there are")
            .detail("timelinePath", path)
            .detail("reason", why)
    };
    let outside = "Timeline path must be under Assets/";
    let file = paths::find(cx, project, path, outside, missing).map_err(|error| {
        match (error.kind, &error.hint) {
            (ErrorKind::EngineError, Some(hint)) if hint.contains("did you mean") => {
                none("there is no such file").hint(hint.clone())
            }
            (ErrorKind::EngineError, _) => none("there is no such file"),
            _ => error,
        }
    })?;
    let draft = Draft::open(cx, project, &file.name)?;
    let timeline = Timeline::read(draft.document()).ok_or_else(|| none("it holds no Timeline"))?;
    Ok((draft, timeline))
}

/// Says in the answer that Unity cannot read a Timeline without its package.
pub(crate) fn tell_package(cx: &Cx, unity: &Unity<'_>) {
    if unity.index.lists_packages() && unity.index.package(PACKAGE).is_none() {
        cx.diagnose(format!(
            "{PACKAGE} is not among the packages of the project: Unity reads Timelines only with it"
        ));
    }
}

/// Adds a clip to a track. Those that it overlaps blend with it; one that is inside of it, or around it, is told.
pub(crate) fn place_clip(
    cx: &Cx,
    file: &mut Draft,
    track: &Track,
    kind: TrackKind,
    clip: &NewClip,
) -> Result<(), ToolError> {
    let lies = timeline::overlap(&track.clips, clip.start, clip.duration);
    if let Some(other) = lies.whole.filter(|_| kind.blends()).and_then(|at| track.clips.get(at)) {
        let (name, start, end) = (&other.name, other.start, other.start + other.duration);
        cx.diagnose(format!(
            "{} and {name} ({start} to {end} seconds) do not blend: one is wholly inside of the other",
            clip.name
        ));
    }
    let id = track.file_id;
    // What is added behind the list would be an edit of the clips that blend with it.
    file.change(|document, manner, edits| {
        timeline::blend_others(document, id, kind, clip, manner, edits)
    })?;
    file.change(|document, manner, edits| {
        timeline::add_clip(document, id, kind, clip, manner, edits).map(drop)
    })
}

/// A track of a Timeline, by a name that only it has.
pub(crate) fn find_track<'t>(
    timeline: &'t Timeline,
    name: &str,
    missing: &str,
) -> Result<&'t Track, ToolError> {
    let all = || timeline.tracks.iter().chain(&timeline.markers);
    let named: Vec<&Track> = all().filter(|track| track.name == name).collect();
    match named.as_slice() {
        [only] => Ok(only),
        [] => {
            let known: Vec<&str> = all().map(|track| track.name.as_str()).collect();
            let otherwise = match known.len() {
                0 => "the Timeline has no tracks; timeline_createTrack adds one".to_owned(),
                _ => format!("the tracks are {}", known.join(", ")),
            };
            let hint = suggest::did_you_mean(name, known.iter().copied(), &otherwise);
            Err(ToolError::new(ErrorKind::EngineError, format!("{missing}: {name}")).hint(hint))
        }
        several => {
            let text = format!("{} tracks are called {name}", several.len());
            Err(ToolError::new(ErrorKind::EngineError, text)
                .hint("give them different names in Unity first"))
        }
    }
}

/// The guid of an asset, by which others refer to it.
pub(crate) fn guid_of(unity: &Unity<'_>, file: &Draft) -> Result<Guid, ToolError> {
    unity.index.by_path(file.path.as_str()).and_then(|asset| asset.guid()).ok_or_else(|| {
        let text =
            format!("{} has no meta with a guid, so that nothing can refer to it", file.path);
        ToolError::new(ErrorKind::EngineError, text).hint("let Unity import it first")
    })
}

/// The scene that a call means by its path, or by its name alone.
pub(crate) fn find_scene(
    unity: &Unity<'_>,
    name: Option<String>,
) -> Result<Option<String>, ToolError> {
    let Some(name) = name else { return Ok(None) };
    let plain = name.trim().replace('\\', "/");
    if plain.contains('/') || plain.ends_with(".unity") || plain.ends_with(".prefab") {
        return Ok(Some(plain));
    }
    let scenes = || {
        unity
            .index
            .assets()
            .filter_map(|asset| asset.name().strip_suffix(".unity").map(|stem| (stem, asset)))
    };
    let found: Vec<String> =
        scenes().filter(|(stem, _)| *stem == plain).map(|(_, asset)| asset.path()).collect();
    match found.as_slice() {
        [only] => Ok(Some(only.clone())),
        [] => {
            let hint = suggest::did_you_mean(
                &plain,
                scenes().map(|(stem, _)| stem),
                "project_scenes_list shows the scenes",
            );
            let text = format!("Scene not found or not loaded: {plain}");
            Err(ToolError::new(ErrorKind::EngineError, text).hint(hint))
        }
        several => {
            let text = format!("{} scenes are called {plain}", several.len());
            Err(ToolError::new(ErrorKind::EngineError, text)
                .hint(format!("give the path: {}", several.join(", "))))
        }
    }
}

/// The director of a scene that plays a Timeline, by its id in the hierarchy.
pub(crate) fn find_director(
    scene: &SceneDraft<'_>,
    timeline: Guid,
    path: Option<&str>,
) -> Result<FileId, ToolError> {
    let plays = |component: &Component<'_>| {
        let asset = component.value("m_PlayableAsset").and_then(|value| value.reference());
        component.class_id() == DIRECTOR && asset.is_some_and(|to| to.guid == Some(timeline))
    };
    let mut found = Vec::new();
    let mut objects = scene.hierarchy().objects();
    while let Some(node) = objects.next() {
        if let Some(director) = node.components().iter().find(|component| plays(component)) {
            found.push((objects.path(), director.file_id()));
        }
    }
    if let Some(wanted) = path {
        found.retain(|(path, _)| path == wanted.trim_matches('/'));
    }
    match found.as_slice() {
        [(_, only)] => Ok(*only),
        [] => {
            let text = format!(
                "PlayableDirector not found in scene: none in {} plays it",
                scene.file.path
            );
            Err(ToolError::new(ErrorKind::EngineError, text).hint(
                "scene_objects_find with componentType PlayableDirector lists those there are",
            ))
        }
        several => {
            let text = format!("{} directors in {} play it", several.len(), scene.file.path);
            let paths: Vec<&str> = several.iter().map(|(path, _)| path.as_str()).take(5).collect();
            Err(ToolError::new(ErrorKind::EngineError, text)
                .hint(format!("name one with directorPath: {}", paths.join(", "))))
        }
    }
}

/// Whether nothing of a scene can be bound to tracks of its kind, so that they cannot send notifications either.
fn binds_nothing(track: &Track) -> bool {
    matches!(track.kind, Some(TrackKind::Control | TrackKind::Group | TrackKind::Playable))
}

/// What a track takes of an object: itself, or a component of a class.
fn takes(track: &Track) -> Result<Option<&'static str>, ToolError> {
    let class = track.class.as_deref().unwrap_or_default();
    match track.kind {
        _ if binds_nothing(track) => {
            let text = format!("{} is of the class {class}, which binds nothing", track.name);
            Err(ToolError::new(ErrorKind::EngineError, text)
                .hint("bind to a track for animation, activation, audio or signals"))
        }
        Some(TrackKind::Animation) => Ok(Some("Animator")),
        Some(TrackKind::Audio) => Ok(Some("AudioSource")),
        Some(TrackKind::Signal | TrackKind::Markers) => Ok(Some("SignalReceiver")),
        Some(TrackKind::Cinemachine) => Ok(Some("CinemachineBrain")),
        // A track of the project says in its code what it takes.
        _ => Ok(None),
    }
}

/// Binds an object to a track. What the track takes of it is chosen by the track's class.
pub(crate) fn bind(
    unity: &Unity<'_>,
    scene: &mut SceneDraft<'_>,
    director: FileId,
    (timeline, track): (Guid, &Track),
    object: &str,
) -> Result<(), ToolError> {
    let wanted = takes(track)?;
    let node =
        unity.object(scene.hierarchy(), object, &format!("GameObject not found: {object}"))?;
    let value = match wanted {
        None => {
            let id = node.file_id().ok_or_else(|| {
                ToolError::failed(format!("{object} is inside of a source that cannot be read"))
            })?;
            scene.refer_to(id)?
        }
        Some(class) => {
            let id = component_of(unity, &node, class, track)?;
            scene.refer_to(id)?
        }
    };
    let key = Reference { file_id: track.file_id, guid: Some(timeline), kind: 2 };
    let stated = scene.component(director).map(|director| director.stated());
    match stated {
        Some(Stated::Override { .. }) => {
            let values = binding_overrides(scene, director, key, value);
            scene.set(director, &values)
        }
        _ => scene.change(|document, manner, edits| {
            let object = document
                .object(director)
                .ok_or_else(|| scenewright_unity::edit::Refused::NoPlace("the director".into()))?;
            timeline::bind(object, &Bound { track: key, value }, manner, edits)
        }),
    }
}

fn component_of(
    unity: &Unity<'_>,
    node: &Node<'_>,
    class: &str,
    track: &Track,
) -> Result<FileId, ToolError> {
    let mut components = node.components().into_iter();
    let found = components.find(|component| unity.component_name(component) == class);
    found.map(|component| component.file_id()).ok_or_else(|| {
        let has = unity.told_components(node);
        let text = format!("{} has no {class}, which the track {} takes", node.path(), track.name);
        ToolError::new(ErrorKind::EngineError, text)
            .hint(format!("add the component first, or bind another object; it has {has}"))
    })
}

/// The same as overrides, for a director inside of a prefab instance.
fn binding_overrides(
    scene: &SceneDraft<'_>,
    director: FileId,
    key: Reference,
    value: FileId,
) -> Vec<(String, New)> {
    const LIST: &str = "m_SceneBindings";
    let component = scene.component(director);
    let text = |path: &str| component.as_ref()?.value(path)?.text().map(str::to_owned);
    let size = text(&format!("{LIST}.Array.size")).and_then(|size| size.parse().ok()).unwrap_or(0);
    let at = |index: usize, part: &str| format!("{LIST}.Array.data[{index}].{part}");
    let is_it = |index: &usize| {
        let known = component.as_ref().and_then(|component| component.value(&at(*index, "key")));
        known.and_then(|known| known.reference()) == Some(key)
    };
    match (0..size).find(is_it) {
        Some(index) => vec![(at(index, "value"), New::local(value))],
        None => vec![
            (format!("{LIST}.Array.size"), New::int(size as i64 + 1)),
            (at(size, "key"), New::Reference(key)),
            (at(size, "value"), New::local(value)),
        ],
    }
}

/// A GameObject's id, for what is added to it.
fn object_id(node: &Node<'_>) -> Option<FileId> {
    node.file_id().filter(|id| *id != FileId::NULL)
}

/// The class id of directors, for who adds one.
const DIRECTOR_KEY: (ClassId, &str) = (DIRECTOR, "PlayableDirector");
