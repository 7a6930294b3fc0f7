//! Audio mixers and what plays into them.

mod mixer_list;
mod mixer_snapshot_read;
mod mixer_validate_routing;

use std::path::Path;

use scenewright_toolkit::Group;
use scenewright_unity::Document;
use scenewright_unity::audio::Mixer;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "audio",
    engine: Some("unity"),
    about: "Audio mixers: groups, snapshots, routing",
    tools: &[mixer_list::TOOL, mixer_snapshot_read::TOOL, mixer_validate_routing::TOOL],
};

/// The mixer in a file, or why there is none.
fn read_mixer(path: &Path) -> Result<Mixer, String> {
    let bytes = std::fs::read(path).map_err(|error| format!("cannot be read: {error}"))?;
    let document = Document::parse(bytes);
    Mixer::read(&document)
        .ok_or_else(|| format!("holds no mixer that can be read ({:?})", document.kind()))
}
