//! Layers as people name them, by number or as the project calls them; and the project's tags.

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::door::{self, ProjectPath};
use scenewright_unity::edit::scene::Classes;
use scenewright_unity::{TAG_MANAGER, Tags};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::Unity;
use super::classes::ProjectClasses;

/// Said where the list of layers cannot be read: the name may be right all the same.
const UNKNOWN: &str =
    "ProjectSettings/TagManager.asset cannot be read; give the layer by its number, 0 to 31";

/// A layer by its number or name.
#[derive(Deserialize, JsonSchema)]
#[serde(untagged, expecting = "a layer is a name, or a number from 0 to 31")]
pub enum Layer {
    /// 0 to 31.
    Number(#[schemars(range(min = 0, max = 31))] u32),
    /// As the project calls it.
    Name(String),
}

impl Unity<'_> {
    /// The tags and layers of the project, with those that earlier steps of a batch give it; nothing
    /// when its settings cannot be read.
    pub fn tags(&self) -> Option<Tags> {
        let path = ProjectPath::parse(self.project, TAG_MANAGER).ok();
        match path.and_then(|path| door::staged(self.cx, self.project, &path)) {
            Some(planned) => Tags::parse(planned),
            None => Tags::read(&self.unity.settings.root),
        }
    }
}

/// The schema of a layer as an argument of its own: older dialects know no choice of forms, and take
/// the first type.
pub fn by_name_or_number(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": ["string", "integer"] })
}

impl Layer {
    /// Its number; a name that the project does not have is refused.
    pub fn number(&self, unity: &Unity<'_>) -> Result<u32, ToolError> {
        let name = match self {
            Layer::Number(number) if *number < 32 => return Ok(*number),
            Layer::Number(number) => {
                let text = format!("{number} is no layer");
                return Err(
                    ToolError::new(ErrorKind::BadArguments, text).hint("layers are 0 to 31")
                );
            }
            Layer::Name(name) => name,
        };
        let classes = ProjectClasses::new(unity);
        let number = || name.parse().ok().filter(|number| *number < 32);
        classes.layer(name).or_else(number).ok_or_else(|| {
            let layers = classes.layers();
            let known = layers.iter().map(String::as_str).filter(|known| !known.is_empty());
            if layers.is_empty() {
                let text = format!("which layer {name} is cannot be known here");
                return ToolError::new(ErrorKind::EngineError, text).hint(UNKNOWN);
            }
            let hint = suggest::did_you_mean(name, known, "nothing was changed");
            ToolError::not_found("layer", name).hint(hint)
        })
    }
}
