//! Audio mixers and what plays into them.

mod mixer_batch_route;
mod mixer_create_group;
mod mixer_create_snapshot;
mod mixer_list;
mod mixer_set_routing;
mod mixer_snapshot_read;
mod mixer_validate_routing;

use std::path::Path;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_text::beneath;
use scenewright_toolkit::{Cx, Group as ToolGroup, Project, paths};
use scenewright_unity::audio::{Group, Mixer};
use scenewright_unity::edit::New;
use scenewright_unity::{ClassId, Document, FileId, Guid, Reference};

use crate::base::Unity;
use crate::base::draft::{Draft, SceneDraft};

/// The tools of this theme.
pub static GROUP: ToolGroup = ToolGroup {
    name: "audio",
    engine: Some("unity"),
    about: "Audio mixers: groups, snapshots, routing",
    tools: &[
        mixer_list::TOOL,
        mixer_snapshot_read::TOOL,
        mixer_validate_routing::TOOL,
        mixer_create_group::TOOL,
        mixer_create_snapshot::TOOL,
        mixer_set_routing::TOOL,
        mixer_batch_route::TOOL,
    ],
};

const AUDIO_SOURCE: ClassId = ClassId(82);
/// The field of an audio source that names the group it plays into.
const OUTPUT: &str = "OutputAudioMixerGroup";

/// The mixer in a file, or why there is none.
fn read_mixer(project: &Project, path: &Path) -> Result<Mixer, String> {
    let bytes =
        beneath::read(&project.root, path).map_err(|error| format!("cannot be read: {error}"))?;
    let document = Document::parse(bytes);
    Mixer::read(&document)
        .ok_or_else(|| format!("holds no mixer that can be read ({:?})", document.kind()))
}

/// A mixer that a call names, to be changed or referred to; `missing` is said when there is none.
fn open_mixer(
    cx: &Cx,
    project: &Project,
    path: &str,
    missing: &str,
) -> Result<(Draft, Mixer), ToolError> {
    let none = |why: &str| {
        ToolError::new(ErrorKind::EngineError, missing)
            .hint("audio_mixer_list shows the mixers")
            .detail("mixerPath", path)
            .detail("reason", why)
    };
    let outside = "Mixer path must be under Assets/";
    let file = paths::find(cx, project, path, outside, missing).map_err(|error| {
        match error.kind {
            // The nearest names are in the hint.
            ErrorKind::EngineError => {
                let told = none("there is no such file");
                error.hint.map_or_else(|| told.clone(), |hint| told.clone().hint(hint))
            }
            _ => error,
        }
    })?;
    let draft = Draft::open(cx, project, &file.name)?;
    let mixer = Mixer::read(draft.document()).ok_or_else(|| none("the file holds no mixer"))?;
    Ok((draft, mixer))
}

/// A group of a mixer, by its path such as `Master/SFX` or by a name that only it has.
fn find_group<'m>(mixer: &'m Mixer, wanted: &str, missing: &str) -> Result<&'m Group, ToolError> {
    let plain = wanted.trim().trim_matches('/');
    if let Some(group) = mixer.groups.iter().find(|group| group.path == plain) {
        return Ok(group);
    }
    let named: Vec<&Group> = mixer.groups.iter().filter(|group| group.name == plain).collect();
    if let [only] = named.as_slice() {
        return Ok(only);
    }
    let paths: Vec<&str> = match named.len() {
        0 => mixer.groups.iter().map(|group| group.path.as_str()).collect(),
        _ => named.iter().map(|group| group.path.as_str()).collect(),
    };
    let otherwise = format!("{} has {}", mixer.name, paths.join(", "));
    let hint = match named.len() {
        0 => suggest::did_you_mean(plain, paths.iter().copied(), &otherwise),
        _ => format!("several are called so: {}", paths.join(", ")),
    };
    Err(ToolError::new(ErrorKind::EngineError, format!("{missing}: {wanted}"))
        .hint(hint)
        .detail("groupPath", wanted))
}

/// How scenes refer to the objects of a mixer: by the guid in its meta.
fn mixer_guid(unity: &Unity<'_>, mixer: &Draft) -> Result<Guid, ToolError> {
    unity.index.by_path(mixer.path.as_str()).and_then(|asset| asset.guid()).ok_or_else(|| {
        let text =
            format!("{} has no meta with a guid, so that nothing can refer to it", mixer.path);
        ToolError::new(ErrorKind::EngineError, text).hint("let Unity import the mixer first")
    })
}

/// The audio sources that a path means, by their ids in the hierarchy; without one the only source of
/// the scene.
fn find_sources(
    unity: &Unity<'_>,
    scene: &SceneDraft<'_>,
    path: Option<&str>,
) -> Result<Vec<FileId>, ToolError> {
    let of = |node: &scenewright_unity::hierarchy::Node<'_>| -> Vec<FileId> {
        let components = node.components().into_iter();
        components.filter(|c| c.class_id() == AUDIO_SOURCE).map(|c| c.file_id()).collect()
    };
    let Some(path) = path else { return only_source(scene, of) };
    let node = unity.object(scene.hierarchy(), path, "AudioSource not found")?;
    let sources = of(&node);
    if sources.is_empty() {
        let others = unity.told_components(&node);
        let text = format!("AudioSource not found: {path} has none");
        return Err(ToolError::new(ErrorKind::EngineError, text)
            .hint(format!("its components are {others}; scene_objects_find with componentType AudioSource lists the sources"))
            .detail("sourcePath", path));
    }
    Ok(sources)
}

fn only_source(
    scene: &SceneDraft<'_>,
    of: impl Fn(&scenewright_unity::hierarchy::Node<'_>) -> Vec<FileId>,
) -> Result<Vec<FileId>, ToolError> {
    let (mut found, mut paths) = (Vec::new(), Vec::new());
    let mut objects = scene.hierarchy().objects();
    while let Some(node) = objects.next() {
        let sources = of(&node);
        if !sources.is_empty() {
            paths.push(objects.path());
            found = sources;
        }
    }
    let count = paths.len();
    if count == 1 {
        return Ok(found);
    }
    paths.truncate(5);
    let text = match count {
        0 => format!("AudioSource not found: {} has none", scene.file.path),
        _ => format!("{} has {count} objects with an AudioSource", scene.file.path),
    };
    Err(ToolError::new(ErrorKind::EngineError, text)
        .hint(format!("name one with sourcePath: {}", paths.join(", "))))
}

/// Lets audio sources play into a group, or into none.
fn route(
    scene: &mut SceneDraft<'_>,
    sources: &[FileId],
    group: Option<(Guid, FileId)>,
) -> Result<(), ToolError> {
    let to = match group {
        Some((guid, file_id)) => Reference { file_id, guid: Some(guid), kind: 2 },
        None => Reference { file_id: FileId::NULL, guid: None, kind: 0 },
    };
    let values = [(OUTPUT.to_owned(), New::Reference(to))];
    sources.iter().try_for_each(|source| scene.set(*source, &values))
}
