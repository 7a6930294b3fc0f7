//! What an importer makes of a texture or model, as far as its meta says.

use memchr::memmem;

use super::Presence;
use crate::FileId;
use crate::index::{Asset, AssetKind};

/// Longer metas are not searched.
const MAX_META: u64 = 16 << 20;
/// The class of sprites, as ids of old importers begin with it.
const SPRITE: i64 = 213;
/// The one sprite of a texture that is a single one; its name is that of the file.
const ONLY_SPRITE: FileId = FileId(SPRITE * PER_CLASS);
/// The classes whose objects old importers name in the meta: objects, transforms, renderers, meshes
/// and clips. An avatar is made without.
const NAMED: [i64; 7] = [1, 4, 23, 33, 43, 74, 137];
/// How many ids of one class old importers count.
const PER_CLASS: i64 = 100_000;

/// Cubemaps, arrays and volumes are no plain textures.
const OTHER_SHAPES: [&str; 3] =
    ["\n  textureShape: 2", "\n  textureShape: 4", "\n  textureShape: 8"];

/// The meta of an asset, to look ids up in.
pub(super) struct Imported {
    meta: Vec<u8>,
    kind: AssetKind,
}

impl Imported {
    pub(super) fn read(asset: Asset<'_>) -> Imported {
        let meta = asset.read_meta_up_to(MAX_META).unwrap_or_default();
        Imported { meta, kind: asset.kind() }
    }

    /// False for ids that no meta can tell to be wrong, so that none is read for them.
    pub(super) fn may_tell(kind: AssetKind, id: FileId) -> bool {
        match kind {
            // Sprites of old versions are counted, those of new ones have any number.
            AssetKind::Texture => {
                id.0 / PER_CLASS == SPRITE || !(0..=i64::from(i32::MAX)).contains(&id.0)
            }
            _ => NAMED.contains(&(id.0 / PER_CLASS)),
        }
    }

    /// Whether the importer makes an object of this id, about which a meta may tell.
    pub(super) fn presence(&self, id: FileId) -> Presence {
        let lists_all = match self.kind {
            AssetKind::Texture => self.lists_sprites(),
            _ => self.lists_objects(),
        };
        match lists_all && !self.mentions(id.0) {
            true => Presence::Absent,
            false => Presence::Unknown,
        }
    }

    /// True for an object that an importer makes of every file of its settings, whatever is in it: the
    /// texture of a texture, the sprite of a single one.
    pub(super) fn makes(&self, id: FileId) -> bool {
        let is_of = |importer: &str| self.has(&format!("\n{importer}:"));
        match id.0 {
            2_800_000 => {
                is_of("TextureImporter") && !OTHER_SHAPES.iter().any(|shape| self.has(shape))
            }
            8_900_000 => is_of("TextureImporter") && self.has("\n  textureShape: 2"),
            4_800_000 => is_of("ShaderImporter"),
            4_900_000 => is_of("TextScriptImporter"),
            7_200_000 => is_of("ComputeShaderImporter"),
            8_300_000 => is_of("AudioImporter"),
            12_800_000 => is_of("TrueTypeFontImporter"),
            32_900_000 => is_of("VideoClipImporter"),
            _ if id == ONLY_SPRITE => {
                is_of("TextureImporter")
                    && self.has("\n  textureType: 8")
                    && self.has("\n  spriteMode: 1")
            }
            _ => false,
        }
    }

    /// Every table of every version writes ids as numbers.
    fn mentions(&self, id: i64) -> bool {
        let digits = id.to_string();
        let is_digit = |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_digit() || *b == b'-');
        memmem::find_iter(&self.meta, &digits).any(|at| {
            let before = at.checked_sub(1).and_then(|at| self.meta.get(at));
            !is_digit(before) && !is_digit(self.meta.get(at + digits.len()))
        })
    }

    /// True for a sheet, all of whose sprites have an entry: by id in old versions, by id and name in
    /// new ones, or with their ids in the sheet itself.
    fn lists_sprites(&self) -> bool {
        let is_sheet = self.has("\n  spriteMode: 2") && self.has("\nTextureImporter:");
        let lacks_one =
            ["\n", "\r\n"].iter().any(|end| self.has(&format!("\n      internalID: 0{end}")));
        let has_ids = self.has("\n      internalID: ") && !lacks_one;
        is_sheet && (self.has("21300000: ") || self.has("- first:\n      213: ") || has_ids)
    }

    /// True when the meta names all objects, as it did before ids were hashes of names.
    fn lists_objects(&self) -> bool {
        let is_old =
            self.has("\n  fileIDToRecycleName:\n    ") && !self.has("fileIdsGeneration: 2");
        is_old && self.has("\nModelImporter:")
    }

    fn has(&self, text: &str) -> bool {
        memmem::find(&self.meta, text.as_bytes()).is_some()
    }
}
