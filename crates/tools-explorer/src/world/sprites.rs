//! The sizes of a project's sprites, for layouts.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use scenewright_toolkit::images;
use scenewright_unity::index::{Asset, Index};
use scenewright_unity::{Document, FileId, Value};
use scenewright_world::math::Vec2;
use scenewright_world::{AssetRef, SpriteSize, Sprites};

/// The id of the one sprite of a texture that has no others.
const ONLY_SPRITE: i64 = 21_300_000;

/// Sprites of textures: a meta says how they are cut, and the head of an image how large it is.
pub(super) struct ProjectSprites {
    index: Arc<Index>,
    known: Mutex<HashMap<i32, Option<SpriteSize>>>,
}

impl ProjectSprites {
    pub(super) fn new(index: Arc<Index>) -> ProjectSprites {
        ProjectSprites { index, known: Mutex::default() }
    }

    fn read(&self, asset: &AssetRef) -> Option<SpriteSize> {
        let file = self.index.by_path(&asset.path)?;
        let meta = Document::parse(file.read_meta().ok()?);
        let importer = meta.root().get("TextureImporter")?;
        let (whole, border) = match importer.get("spriteMode")?.as_i64()? {
            2 => {
                let sprite = self.cut_out(file, importer, asset.source.file_id)?;
                let rect = sprite.get("rect")?;
                let whole = Vec2::new(number(rect, "width")?, number(rect, "height")?);
                (whole, sprite.get("border"))
            }
            _ if asset.source.file_id != ONLY_SPRITE => return None,
            _ => {
                let pixels = images::read(&file.open().ok()?, file.name())?;
                let whole = Vec2::new(pixels.width as f32, pixels.height as f32);
                (whole, importer.get("spriteBorder"))
            }
        };
        let both = |one: &str, other: &str| Some(number(border?, one)? + number(border?, other)?);
        let pixels_per_unit = number(importer, "spritePixelsToUnits").unwrap_or(100.0);
        let border =
            Vec2::new(both("x", "z").unwrap_or_default(), both("y", "w").unwrap_or_default());
        (pixels_per_unit > 0.0).then_some(SpriteSize { whole, border, pixels_per_unit })
    }

    /// One of several sprites of a texture. Newer metas have its id beside it, older ones in a list of
    /// names.
    fn cut_out<'v>(&self, file: Asset<'_>, importer: Value<'v>, file_id: i64) -> Option<Value<'v>> {
        let sprites = importer.get("spriteSheet.sprites")?;
        let id = |sprite: &Value<'_>| sprite.get("internalID").and_then(|id| id.as_i64());
        let by_id = sprites.items().find(|sprite| id(sprite) == Some(file_id));
        by_id.or_else(|| {
            let names = self.index.sub_asset_names(file);
            let known = names.iter().find(|known| known.file_id == FileId(file_id))?;
            let name =
                |sprite: &Value<'_>| sprite.get("name").is_some_and(|it| it.text() == known.name);
            sprites.items().find(name)
        })
    }
}

impl Sprites for ProjectSprites {
    fn size(&self, asset: &AssetRef) -> Option<SpriteSize> {
        if asset.path.is_empty() {
            return None;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        *known.entry(asset.id).or_insert_with(|| self.read(asset))
    }
}

impl fmt::Debug for ProjectSprites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        write!(f, "ProjectSprites({} asked for)", known.len())
    }
}

fn number(value: Value<'_>, key: &str) -> Option<f32> {
    value.get(key)?.text().trim().parse().ok().filter(|number: &f32| number.is_finite())
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;
    use scenewright_unity::index::Index;
    use scenewright_world::AssetSource;

    use super::*;

    /// An image of 64 × 32 pixels, as far as its head goes.
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x40\0\0\0\x20\x08\x06\0\0\0";

    fn size_of(meta: &str, file_id: i64) -> Option<SpriteSize> {
        let folder = Folder::unity(&format!(
            "//- Assets/a.png\nx\n//- Assets/a.png.meta\nguid: 0123456789abcdef0123456789abcdef\n\
             TextureImporter:\n{meta}"
        ));
        std::fs::write(folder.root().join("Assets/a.png"), PNG).unwrap();
        let sprites =
            ProjectSprites::new(Arc::new(Index::build(folder.root(), None, &()).unwrap()));
        sprites.size(&AssetRef {
            type_name: "UnityEngine.Sprite".into(),
            name: "a".into(),
            path: "Assets/a.png".into(),
            id: 1,
            source: AssetSource { file_id, ..AssetSource::default() },
        })
    }

    fn sized(whole: (f32, f32), border: (f32, f32), pixels_per_unit: f32) -> Option<SpriteSize> {
        let pair = |(x, y)| Vec2::new(x, y);
        Some(SpriteSize { whole: pair(whole), border: pair(border), pixels_per_unit })
    }

    #[test]
    fn the_only_sprite_of_a_texture_is_the_texture() {
        let meta = "  spriteMode: 1\n  spritePixelsToUnits: 50\n  spriteBorder: {x: 1, y: 2, z: 3, w: 4}\n";
        assert_eq!(size_of(meta, ONLY_SPRITE), sized((64.0, 32.0), (4.0, 6.0), 50.0));
        assert_eq!(size_of(meta, 7), None, "it has no other");
    }

    #[test]
    fn one_of_several_is_found_by_its_id_or_its_name() {
        let sheet = |id: &str| {
            format!(
                "  spriteMode: 2\n  spritePixelsToUnits: 100\n  spriteSheet:\n    sprites:\n    - name: left\n      \
                 rect:\n        x: 0\n        width: 10\n        height: 20\n      border: {{x: 1, y: 0, z: 1, w: 0}}\n{id}"
            )
        };
        let expected = sized((10.0, 20.0), (2.0, 0.0), 100.0);
        assert_eq!(size_of(&sheet("      internalID: 77\n"), 77), expected);
        let named = "  fileIDToRecycleName:\n    21300002: left\n";
        assert_eq!(size_of(&(named.to_owned() + &sheet("")), 21_300_002), expected);
        assert_eq!(size_of(&sheet(""), 5), None);
    }
}
