//! The sprites of a texture: named rectangles in its meta, each with an id that references use.

use scenewright_text::Edits;

use super::{Importer, Refused};
use crate::edit::{Manner, New, overwrite, set_in};
use crate::types::{self, Node, Version};
use crate::{ClassId, Guid, Value};

/// The class of sprites, by which their ids are listed.
const SPRITE: &str = "213";
/// The class of the importer of textures.
const TEXTURE_IMPORTER: ClassId = ClassId(1006);
/// Where the pivot is one's own.
const CUSTOM: i64 = 9;

/// A part of a texture.
#[derive(Debug, Clone, PartialEq)]
pub struct Sprite {
    /// Its name, unique in the texture.
    pub name: String,
    /// Left, bottom, width and height in pixels; the origin is the lower left corner.
    pub rect: [u32; 4],
    /// The pivot, from 0 to 1; the middle by default.
    pub pivot: Option<[f32; 2]>,
    /// Left, bottom, right and top of what does not stretch.
    pub border: Option<[f32; 4]>,
}

/// Since then sprites are named in the way that [`Importer::set_sprites`] writes.
const NAMED_SINCE: &str = "2019.2.0a1";

/// The meta of a new texture of sprites, none of which are in it yet; nothing for a version that names them in
/// another way. What it leaves out has Unity's defaults.
pub fn new_meta(guid: Guid, version: Version) -> Option<String> {
    Version::parse(NAMED_SINCE).filter(|since| version >= *since)?;
    let tree = types::tree(TEXTURE_IMPORTER, version)?;
    let has_names = tree.find("m_SpriteSheet.m_NameFileIdTable").is_some();
    let names = if has_names { "    nameFileIdTable: {}\n" } else { "" };
    Some(format!(
        "fileFormatVersion: 2
guid: {guid}
TextureImporter:
  internalIDToNameTable: []
  externalObjects: {{}}
  serializedVersion: {}
  mipmaps:
    mipMapMode: 0
    enableMipMap: 0
    sRGBTexture: 1
  isReadable: 0
  textureSettings:
    serializedVersion: 2
    filterMode: 1
    aniso: 1
    mipBias: 0
    wrapU: 1
    wrapV: 1
    wrapW: 1
  nPOTScale: 0
  spriteMode: 2
  spriteExtrude: 1
  spriteMeshType: 1
  alignment: 0
  spritePivot: {{x: 0.5, y: 0.5}}
  spritePixelsToUnits: 100
  spriteBorder: {{x: 0, y: 0, z: 0, w: 0}}
  spriteGenerateFallbackPhysicsShape: 1
  alphaUsage: 1
  alphaIsTransparency: 1
  textureType: 8
  textureShape: 1
  spriteSheet:
    serializedVersion: 2
    sprites: []
    outline: []
    physicsShape: []
{names}  userData: 
  assetBundleName: 
  assetBundleVariant: 
",
        tree.version()
    ))
}

impl Importer<'_> {
    /// The sprites that a texture has, with their ids.
    pub fn sprites(&self) -> Vec<(Sprite, Option<i64>)> {
        let list = self.value.get("spriteSheet.sprites");
        let number = |value: Option<Value<'_>>| value.and_then(Value::as_f64).unwrap_or_default();
        let sprite = |item: Value<'_>| {
            let rect = ["x", "y", "width", "height"];
            let rect = rect.map(|key| number(item.get(&format!("rect.{key}"))) as u32);
            let name = item.get("name")?.text().into_owned();
            let id = item.get("internalID").and_then(Value::as_i64);
            Some((Sprite { name, rect, pivot: None, border: None }, id))
        };
        list.into_iter().flat_map(|list| list.items()).filter_map(sprite).collect()
    }

    /// Give a texture these sprites and no others. One that keeps its name keeps its id, its outline
    /// and what is not given; `seed` makes the ids of new ones.
    pub fn set_sprites(
        &self,
        sprites: &[Sprite],
        version: Version,
        seed: &str,
        edits: &mut Edits,
    ) -> Result<Vec<i64>, Refused> {
        let refused = |why: &str| Refused::Value {
            name: "sprites".to_owned(),
            value: format!("{} rectangles", sprites.len()),
            why: why.to_owned(),
        };
        let get = |path: &str| {
            self.value.get(path).ok_or_else(|| {
                refused("the meta is of a Unity before 2019.2, which names sprites in another way")
            })
        };
        let (list, table) = (get("spriteSheet.sprites")?, get("internalIDToNameTable")?);
        let names = get("spriteSheet.nameFileIdTable").ok();
        let manner = Manner::of(self.document);
        for (field, value) in [("spriteMode", 2), ("textureType", 8)] {
            set_in(self.document, self.value, field, &New::int(value), &manner, edits)
                .map_err(|why| refused(&why.to_string()))?;
        }
        let mut ids: Vec<i64> = Vec::new();
        let mut items = Vec::new();
        let mut taken: Vec<i64> = self.sprites().iter().filter_map(|(_, id)| *id).collect();
        for sprite in sprites {
            let old = list
                .items()
                .find(|item| item.get("name").is_some_and(|name| name.text() == sprite.name));
            let id = old
                .and_then(|old| old.get("internalID"))
                .and_then(Value::as_i64)
                .filter(|id| *id != 0);
            let id = id.unwrap_or_else(|| fresh(seed, &sprite.name, &taken));
            taken.push(id);
            ids.push(id);
            items.push(
                item(sprite, old, id, version)
                    .ok_or_else(|| refused("the version of Unity is not known"))?,
            );
        }
        let id_of = |(sprite, id): (&Sprite, &i64)| (sprite.name.clone(), New::int(*id));
        let by_name: Vec<(String, New)> = sprites.iter().zip(&ids).map(id_of).collect();
        let is_other =
            |item: &Value<'_>| item.get("first").is_none_or(|first| first.get(SPRITE).is_none());
        let mut rows: Vec<New> = table.items().filter(is_other).map(New::copy_of).collect();
        rows.extend(by_name.iter().map(|(name, id)| {
            let first = New::Map(vec![(SPRITE.to_owned(), id.clone())]);
            New::Map(vec![
                ("first".to_owned(), first),
                ("second".to_owned(), New::Text(name.clone())),
            ])
        }));
        let put = |value: Value<'_>, new: &New, edits: &mut Edits| {
            overwrite(self.document, value, new, manner, edits)
                .map_err(|why| refused(&why.to_string()))
        };
        put(list, &New::List(items), edits)?;
        put(table, &New::List(rows), edits)?;
        if let Some(names) = names {
            put(names, &New::Map(by_name), edits)?;
        }
        Ok(ids)
    }
}

/// One sprite with the fields that this version of Unity writes.
fn item(sprite: &Sprite, old: Option<Value<'_>>, id: i64, version: Version) -> Option<New> {
    let Sprite { name, rect, pivot, border } = sprite;
    let list = types::tree(TEXTURE_IMPORTER, version)?.find("m_SpriteSheet.m_Sprites")?;
    let element = list.element()?;
    let mut fields = vec![("serializedVersion".to_owned(), New::int(element.version().into()))];
    for field in element.children() {
        let key = file_name(field.name());
        let kept = old.and_then(|old| old.get(&key)).map(New::copy_of);
        let value = match key.as_str() {
            "name" => New::Text(name.clone()),
            "rect" => {
                let keys = ["x", "y", "width", "height"].into_iter();
                let mut parts =
                    vec![("serializedVersion".to_owned(), New::int(field.version().into()))];
                parts.extend(
                    keys.zip(rect).map(|(key, part)| (key.to_owned(), New::int((*part).into()))),
                );
                New::Map(parts)
            }
            "alignment" => pivot.map(|_| New::int(CUSTOM)).or(kept).unwrap_or(New::int(0)),
            "pivot" => match (pivot, kept) {
                (None, Some(kept)) => kept,
                (pivot, _) => {
                    let [x, y] = pivot.unwrap_or([0.5, 0.5]);
                    New::flow([("x", x), ("y", y)])
                }
            },
            "border" => match (border, kept) {
                (None, Some(kept)) => kept,
                (border, _) => {
                    let [x, y, z, w] = border.unwrap_or_default();
                    New::flow([("x", x), ("y", y), ("z", z), ("w", w)])
                }
            },
            "spriteID" => kept.unwrap_or_else(|| New::Text(sprite_id(id))),
            "internalID" => New::int(id),
            _ => kept.unwrap_or_else(|| empty(&key, field)),
        };
        fields.push((key, value));
    }
    Some(New::Map(fields))
}

/// What a field is before anybody sets it.
fn empty(key: &str, field: Node<'_>) -> New {
    match field.type_name() {
        // Whole numbers in a row are written as digits, of which there are none.
        _ if key == "indices" => New::Text(String::new()),
        "string" => New::Text(String::new()),
        _ if field.element().is_some() => New::List(Vec::new()),
        _ => New::int(0),
    }
}

/// `m_SpriteID` is `spriteID` in a meta.
fn file_name(name: &str) -> String {
    let plain = name.strip_prefix("m_").unwrap_or(name);
    let mut letters = plain.chars();
    letters
        .next()
        .map_or(String::new(), |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}

/// The other id of a sprite, which follows from the first: its bytes, each with its halves swapped.
fn sprite_id(id: i64) -> String {
    let digits: String =
        id.to_le_bytes().iter().map(|byte| format!("{:02x}", byte.rotate_left(4))).collect();
    digits + "0800000000000000"
}

/// An id that no other sprite has; the same for the same texture and name.
fn fresh(seed: &str, name: &str, taken: &[i64]) -> i64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in seed.bytes().chain([0]).chain(name.bytes()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    loop {
        // Spread over all bits, which the last letters of a name alone do not do.
        hash = (hash ^ (hash >> 32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let id = hash as i64;
        if id != 0 && !taken.contains(&id) {
            return id;
        }
    }
}
