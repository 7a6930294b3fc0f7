//! Animation clips: curves over time, and events.

mod clip_add_event;
mod clip_create;
mod clip_set_curve;

use scenewright_contract::ToolError;
use scenewright_toolkit::Group;
use scenewright_unity::animation::Clip;

use crate::base::Unity;
use crate::base::editing::{Opened, refused};

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "animation",
    engine: Some("unity"),
    about: "Animation clips of Unity projects",
    tools: &[clip_create::TOOL, clip_set_curve::TOOL, clip_add_event::TOOL],
};

/// A clip that a call is about to change.
fn open<'u>(unity: &'u Unity<'u>, path: &str) -> Result<(Opened<'u>, Clip), ToolError> {
    unity.asset(Some(path), None)?;
    let opened = Opened::new(unity, path)?;
    // It says what is wrong with a file that is no text.
    opened.editor()?;
    let document = opened.document().clone();
    let habits = unity.unity.settings.habits();
    let clip = Clip::open(document, unity.version(), habits);
    let clip = clip.map_err(|refusal| refused(refusal).detail("path", opened.path.as_str()))?;
    Ok((opened, clip))
}
