//! What is read of LDtk's files. Everything may be absent; LDtk adds and drops fields between versions.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::absolute_path;
use scenewright_toolkit::door::ProjectPath;
use scenewright_tools_godot::base::Godot;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Ldtk {
    pub(super) defs: Definitions,
    levels: Vec<Level>,
    worlds: Vec<World>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Definitions {
    pub(super) tilesets: Vec<Tileset>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct World {
    levels: Vec<Level>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Tileset {
    pub(super) uid: i64,
    pub(super) identifier: String,
    pub(super) rel_path: Option<String>,
    pub(super) px_wid: i32,
    pub(super) px_hei: i32,
    pub(super) tile_grid_size: i32,
    pub(super) spacing: i32,
    pub(super) padding: i32,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Level {
    pub(super) identifier: String,
    #[serde(rename = "__bgColor")]
    pub(super) background: Option<String>,
    pub(super) bg_rel_path: Option<String>,
    external_rel_path: Option<String>,
    pub(super) field_instances: Vec<Field>,
    /// The topmost first; absent when they are in a file of their own.
    pub(super) layer_instances: Option<Vec<Layer>>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Layer {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__type")]
    pub(super) kind: String,
    #[serde(rename = "__cWid")]
    pub(super) columns: usize,
    #[serde(rename = "__gridSize")]
    pub(super) grid_size: i32,
    #[serde(rename = "__opacity", default = "one")]
    pub(super) opacity: f64,
    #[serde(rename = "__pxTotalOffsetX")]
    pub(super) offset_x: i32,
    #[serde(rename = "__pxTotalOffsetY")]
    pub(super) offset_y: i32,
    #[serde(rename = "__tilesetDefUid")]
    pub(super) tileset: Option<i64>,
    #[serde(default = "yes")]
    pub(super) visible: bool,
    pub(super) int_grid_csv: Vec<i64>,
    pub(super) auto_layer_tiles: Vec<LdtkTile>,
    pub(super) grid_tiles: Vec<LdtkTile>,
    pub(super) entity_instances: Vec<Entity>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct LdtkTile {
    /// Where it is in the layer, in pixels.
    pub(super) px: (i32, i32),
    /// Where it is in the image.
    pub(super) src: (i32, i32),
    /// 1 mirrors left and right, 2 up and down.
    pub(super) f: u8,
    #[serde(default = "one")]
    pub(super) a: f64,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Entity {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    pub(super) iid: String,
    pub(super) px: (f64, f64),
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) field_instances: Vec<Field>,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Field {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__value", deserialize_with = "any")]
    pub(super) value: Value,
}

fn one() -> f64 {
    1.0
}

fn yes() -> bool {
    true
}

fn any<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Value, D::Error> {
    Value::deserialize(deserializer)
}

impl Ldtk {
    pub(super) fn read(godot: &Godot<'_>, path: &ProjectPath) -> Result<Self, ToolError> {
        let ldtk: Self = parse(godot, path)?;
        if ldtk.levels().next().is_none() {
            return Err(ToolError::new(ErrorKind::EngineError, format!("{path} has no levels"))
                .hint("is it an LDtk project? levels in files of their own are named there"));
        }
        Ok(ldtk)
    }

    /// The levels of the project, or of its worlds.
    pub(super) fn levels(&self) -> impl Iterator<Item = &Level> {
        self.levels.iter().chain(self.worlds.iter().flat_map(|world| &world.levels))
    }

    /// A level with its layers, wherever they are.
    pub(super) fn with_layers(
        &self,
        godot: &Godot<'_>,
        ldtk: &ProjectPath,
        level: &Level,
    ) -> Result<Level, ToolError> {
        match (&level.layer_instances, &level.external_rel_path) {
            (None, Some(path)) => {
                let path = godot.path(&absolute_path(&format!("res://{ldtk}"), path))?;
                parse(godot, &path)
            }
            _ => Ok(level.clone()),
        }
    }
}

fn parse<T: for<'de> Deserialize<'de>>(
    godot: &Godot<'_>,
    path: &ProjectPath,
) -> Result<T, ToolError> {
    let bytes = godot.read(path)?;
    serde_json::from_slice(&bytes).map_err(|error| {
        ToolError::new(ErrorKind::EngineError, format!("{path} is no LDtk file: {error}"))
            .hint("save it with LDtk 1.0 or newer")
    })
}
