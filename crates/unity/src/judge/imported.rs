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

/// The importer of textures, which makes other things of cubemaps, arrays and volumes.
const TEXTURES: &str = "TextureImporter";
/// What importers make of each of their files, whatever is in it.
const IMPORTERS: [(&str, i64); 7] = [
    (TEXTURES, 2_800_000),
    ("ShaderImporter", 4_800_000),
    ("TextScriptImporter", 4_900_000),
    ("ComputeShaderImporter", 7_200_000),
    ("AudioImporter", 8_300_000),
    ("TrueTypeFontImporter", 12_800_000),
    ("VideoClipImporter", 32_900_000),
];

/// What the meta of an asset tells of its objects. A project has a hundred megabytes of such metas, so their text is let
/// go as soon as it is read.
pub(super) struct Imported {
    /// The ids that the meta names, sorted, where it names all that could be asked for.
    listed: Option<Box<[i64]>>,
    /// Objects that the importer makes of every file of its settings, whatever is in it.
    made: Box<[FileId]>,
}

impl Imported {
    pub(super) fn read(asset: Asset<'_>) -> Imported {
        let text = asset.read_meta_up_to(MAX_META).unwrap_or_default();
        let (meta, kind) = (Meta(&text), asset.kind());
        let lists_all = match kind {
            AssetKind::Texture => meta.lists_sprites(),
            _ => meta.lists_objects(),
        };
        let listed = lists_all.then(|| meta.ids(|id| Imported::may_tell(kind, FileId(id))));
        Imported { listed, made: meta.made(asset.importer()) }
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
        match &self.listed {
            Some(listed) if listed.binary_search(&id.0).is_err() => Presence::Absent,
            _ => Presence::Unknown,
        }
    }

    /// True for an object that an importer makes of every file of its settings: the texture of a texture, the sprite of a
    /// single one.
    pub(super) fn makes(&self, id: FileId) -> bool {
        self.made.contains(&id)
    }
}

/// The text of a meta.
struct Meta<'t>(&'t [u8]);

impl Meta<'_> {
    fn made(&self, importer: Option<&str>) -> Box<[FileId]> {
        let known = IMPORTERS.iter().find(|(name, _)| Some(*name) == importer);
        let Some((name, main)) = known else { return Box::default() };
        let is_texture = *name == TEXTURES;
        let shape = |shape: &str| is_texture && self.has(&format!("\n  textureShape: {shape}"));
        let main = match main {
            _ if shape("2") => Some(8_900_000),
            _ if shape("4") || shape("8") => None,
            main => Some(*main),
        };
        let is_sprite = self.has("\n  textureType: 8") && self.has("\n  spriteMode: 1");
        let sprite = (is_texture && is_sprite).then_some(ONLY_SPRITE);
        main.map(FileId).into_iter().chain(sprite).collect()
    }

    /// The numbers that may be ids, sorted: every table of every version writes ids as numbers.
    fn ids(&self, may_be: impl Fn(i64) -> bool) -> Box<[i64]> {
        let is_part = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
        let words = self.0.split(|byte| !is_part(byte)).filter(|word| !word.is_empty());
        let mut ids: Vec<i64> = words.filter_map(number).filter(|id| may_be(*id)).collect();
        ids.sort_unstable();
        ids.dedup();
        ids.into()
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
        memmem::find(self.0, text.as_bytes()).is_some()
    }
}

/// The number that a word writes as Unity does: without zeros before it.
fn number(word: &[u8]) -> Option<i64> {
    let digits = word.strip_prefix(b"-").unwrap_or(word);
    let is_plain = digits == b"0" || digits.first().is_some_and(|first| *first != b'0');
    std::str::from_utf8(word).ok().filter(|_| is_plain)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_unity_writes_them() {
        let meta = Meta(b"a: -12\n213: 21300004\n- 007 1-2 99999999999999999999 --5 x-9 0 -0\n");
        assert_eq!(&*meta.ids(|_| true), [-12, -9, 0, 213, 21300004]);
        assert_eq!(&*meta.ids(|id| id < 0), [-12, -9]);
    }

    #[test]
    fn what_an_importer_makes_goes_by_its_settings() {
        let made = |importer, text: &str| -> Vec<i64> {
            Meta(text.as_bytes()).made(Some(importer)).iter().map(|id| id.0).collect()
        };
        let texture = |rest: &str| made(TEXTURES, &format!("TextureImporter:\n{rest}"));
        assert_eq!(texture("  textureShape: 1\n"), [2_800_000]);
        assert_eq!(texture("  textureShape: 2\n"), [8_900_000]);
        assert_eq!(texture("  textureShape: 4\n"), [0; 0]);
        assert_eq!(texture("  spriteMode: 1\n  textureType: 8\n"), [2_800_000, 21_300_000]);
        assert_eq!(texture("  spriteMode: 2\n  textureType: 8\n"), [2_800_000]);
        assert_eq!(made("AudioImporter", "AudioImporter:\n  textureShape: 2\n"), [8_300_000]);
        assert!(made("MonoImporter", "MonoImporter:\n").is_empty());
    }
}
