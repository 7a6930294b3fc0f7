//! The names that metas give to what importers make. They are read when asked for and not kept.

use super::{Asset, Index};
use crate::file::MAX_BYTES;
use crate::hierarchy::ModelRoot;
use crate::{ClassId, Document, FileId, Value};

/// An object that an importer makes, as the meta names it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SubAsset {
    /// The id that references use.
    pub file_id: FileId,
    /// The native class, where the meta tells it.
    pub class_id: Option<ClassId>,
    /// The name, such as that of a sprite or of a mesh.
    pub name: String,
}

impl Index {
    /// The sub-assets that the meta of an asset names, by id. Models since 2019.1 keep theirs out of
    /// the meta. This reads the meta from disk.
    pub fn sub_asset_names(&self, asset: Asset<'_>) -> Vec<SubAsset> {
        let Ok(bytes) = asset.read_meta_up_to(MAX_BYTES) else { return Vec::new() };
        let document = Document::parse(bytes);
        let mut names = Vec::new();
        for (key, importer) in document.root().fields() {
            if key.ends_with("Importer") {
                add_recycled(importer, &mut names);
                add_internal(importer, &mut names);
                add_sprites(importer, &mut names);
            }
        }
        names.sort();
        names.dedup();
        names
    }
}

/// What tables call the root of a model.
const ROOT: &str = "//RootNode";

impl Index {
    /// The root of a model by its meta, which is read from disk: named in a table, or by the manner in
    /// which ids are made.
    pub fn model_root(&self, asset: Asset<'_>) -> Option<ModelRoot> {
        let bytes = asset.read_meta_up_to(MAX_BYTES).ok()?;
        let document = Document::parse(bytes);
        let importer = document.root().get("ModelImporter")?;
        let mut names = Vec::new();
        add_recycled(importer, &mut names);
        add_internal(importer, &mut names);
        let of = |class| {
            let is_root = |name: &&SubAsset| name.class_id == Some(class) && name.name == ROOT;
            names.iter().find(is_root).map(|name| name.file_id)
        };
        if let (Some(object), Some(transform)) = (of(ClassId::GAME_OBJECT), of(ClassId::TRANSFORM))
        {
            return Some(ModelRoot { object, transform });
        }
        let is_hashed = importer.get("meshes.fileIdsGeneration")?.as_i64() == Some(2);
        is_hashed.then_some(ModelRoot::HASHED)
    }
}

/// `fileIDToRecycleName`, up to 2018: `{100000: name}`.
fn add_recycled(importer: Value<'_>, names: &mut Vec<SubAsset>) {
    let Some(table) = importer.get("fileIDToRecycleName") else { return };
    for (key, name) in table.fields() {
        let Ok(id) = key.trim().parse() else { continue };
        // Such ids are the class, a hundred thousand times, and a running number.
        let class_id = u32::try_from(id / 100_000).ok().filter(|class| *class > 0).map(ClassId);
        names.push(SubAsset { file_id: FileId(id), class_id, name: name.text().into_owned() });
    }
}

/// `internalIDToNameTable`, since 2019: a list of `first: {class: id}` and `second: name`.
fn add_internal(importer: Value<'_>, names: &mut Vec<SubAsset>) {
    let Some(table) = importer.get("internalIDToNameTable") else { return };
    for item in table.items() {
        let (Some(first), Some(second)) = (item.get("first"), item.get("second")) else { continue };
        let Some((class, id)) = first.fields().next() else { continue };
        let Some(id) = id.as_i64() else { continue };
        let class_id = class.trim().parse().ok().map(ClassId);
        names.push(SubAsset { file_id: FileId(id), class_id, name: second.text().into_owned() });
    }
}

/// `nameFileIdTable` of sprite sheets.
fn add_sprites(importer: Value<'_>, names: &mut Vec<SubAsset>) {
    let tables = ["spriteSheet.nameFileIdTable", "nameFileIdTable"];
    for table in tables.iter().filter_map(|path| importer.get(path)) {
        for (name, id) in table.fields() {
            let Some(id) = id.as_i64() else { continue };
            let is_known = names.iter().any(|known| known.file_id.0 == id);
            if !is_known {
                let (file_id, name) = (FileId(id), name.into_owned());
                names.push(SubAsset { file_id, class_id: Some(SPRITE), name });
            }
        }
    }
}

const SPRITE: ClassId = ClassId(213);
