//! How much room an image would like: as much as its sprite has.

use super::axis::Axis;
use super::fields::Fields;
use super::wants::{Guess, Voice};
use crate::math::Vec2;
use crate::value::{AssetRef, Value};

/// Where the sizes of sprites come from; the world has only references to them.
pub trait Sprites: Send + Sync + std::fmt::Debug {
    /// The size of a sprite. It is asked for every image of a layout after every change.
    fn size(&self, asset: &AssetRef) -> Option<SpriteSize>;
}

/// Knows no sprite.
#[derive(Debug, Clone, Copy)]
pub struct NoSprites;

impl Sprites for NoSprites {
    fn size(&self, _: &AssetRef) -> Option<SpriteSize> {
        None
    }
}

/// How large a sprite is, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SpriteSize {
    /// Width and height.
    pub whole: Vec2,
    /// What its borders take from them: left and right together, bottom and top together.
    pub border: Vec2,
    /// How many pixels are one unit of the world.
    pub pixels_per_unit: f32,
}

/// What is taken for the size of a sprite that nobody can read: what new objects of an interface
/// have. One that is stretched between its borders asks for no more than these, which are small.
const USUAL: f32 = 100.0;

/// What an image asks for. A canvas says how many of its units are one of the world.
pub(super) fn voice(image: &Fields<'_>, axis: Axis, units: f32) -> Voice {
    let silent = Voice { min: 0.0, preferred: 0.0, ..Voice::SILENT };
    let Some(Value::Asset(asset)) = image.value("m_Sprite") else { return silent };
    let is_stretched = matches!(image.whole("m_Type"), 1 | 2);
    match image.world.sprites.size(&asset) {
        Some(sprite) => {
            let pixels = if is_stretched { sprite.border } else { sprite.whole };
            Voice { preferred: axis.of(pixels) / sprite.pixels_per_unit * units, ..silent }
        }
        None => {
            let preferred = if is_stretched { 0.0 } else { USUAL };
            Voice { preferred, guess: Some(Guess::Sprite), ..silent }
        }
    }
}
