//! Meshes that are saved as text: simpler ones for larger distances, several as one.

mod auto_l_o_d;
mod combine_static;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_toolkit::Group;
use scenewright_unity::edit::{New, NewObject, new_file};
use scenewright_unity::hierarchy::{Component, Data, Effective};
use scenewright_unity::index::{Asset, AssetKind, Flags};
use scenewright_unity::mesh::{Shape, Unwritable};
use scenewright_unity::{ClassId, Document, DocumentKind, FileId, Reference};
use serde_json::{Value, json};

use crate::base::Unity;

/// The tools of this theme.
pub static GROUP: Group = Group {
    name: "mesh",
    engine: Some("unity"),
    about: "Meshes of Unity projects",
    tools: &[auto_l_o_d::TOOL, combine_static::TOOL],
};

/// Shows a mesh.
const MESH_FILTER: ClassId = ClassId(33);
/// Draws what is shown.
const MESH_RENDERER: ClassId = ClassId(23);
/// Chooses what is drawn by how large it is on the screen.
const LOD_GROUP: ClassId = ClassId(205);
/// The id of the mesh in a file that is for one.
const MAIN_ID: FileId = FileId(4_300_000);
/// Files over this are no meshes that anybody works with.
const MAX_FILE: u64 = 256 * 1024 * 1024;

/// What a file says, where meshes can be read from it; or why not.
fn document(asset: Asset<'_>) -> Result<Document, String> {
    if asset.kind() == AssetKind::Model {
        return Err("is a model, whose meshes only Unity's importer makes".to_owned());
    }
    if asset.flags().contains(Flags::LFS_POINTER) {
        return Err("is a Git LFS pointer; its content is not here".to_owned());
    }
    if asset.size() > MAX_FILE {
        return Err("is too large to be read".to_owned());
    }
    let bytes = asset.read().map_err(|error| format!("cannot be read: {error}"))?;
    let document = Document::parse(bytes);
    match document.kind() {
        DocumentKind::UnityYaml => Ok(document),
        DocumentKind::SerializedFile => Err("is not text, and only Unity writes such".to_owned()),
        DocumentKind::MergeConflict => Err("has conflict markers of a merge".to_owned()),
        _ => Err("has no mesh that is saved as text".to_owned()),
    }
}

/// A mesh that a call names.
struct Named {
    path: String,
    document: Document,
    id: FileId,
    to: Reference,
}

/// The mesh of a file; `Assets/Rocks.asset#Boulder` is one of several.
fn named(unity: &Unity<'_>, text: &str) -> Result<Named, ToolError> {
    let whole = unity.asset(Some(text), None);
    let (asset, sub) = match (whole, text.rsplit_once('#')) {
        (Ok(asset), _) => (asset, None),
        (Err(_), Some((path, sub))) => (unity.asset(Some(path), None).map_err(missing)?, Some(sub)),
        (Err(error), None) => return Err(missing(error)),
    };
    let path = asset.path();
    let refused = |why: &str| {
        let error = ToolError::new(ErrorKind::EngineError, format!("{path} {why}"));
        error
            .hint("nothing was changed; a mesh is in a file when it was saved as an .asset in text")
    };
    let document = document(asset).map_err(|why| refused(&why))?;
    let name = |id: FileId| document.object(id).and_then(|object| object.get("m_Name"));
    let name = |id: &FileId| name(*id).map(|name| name.text().into_owned()).unwrap_or_default();
    let meshes = document.objects().filter(|object| object.class_id() == ClassId::MESH);
    let meshes: Vec<FileId> = meshes.map(|object| object.file_id()).collect();
    let known: Vec<String> = meshes.iter().map(name).collect();
    let found = match (sub, meshes.as_slice()) {
        (_, []) => {
            let first = document.objects().next();
            let class = first.map(|object| object.class_name().into_owned()).unwrap_or_default();
            return Err(refused(&format!("has no mesh: it is a {class}")));
        }
        (None, [only]) => Some(*only),
        (None, _) => None,
        (Some(sub), _) => {
            meshes.iter().copied().find(|id| name(id) == sub || id.to_string() == sub)
        }
    };
    let Some(id) = found else {
        let text = match sub {
            Some(sub) => format!("{path} has no mesh {sub}"),
            None => format!("{path} has {} meshes", known.len()),
        };
        let names = known.iter().map(String::as_str);
        let several = format!("name one as {path}#{}", known.first().map_or("", String::as_str));
        let hint =
            sub.map_or(several, |sub| suggest::did_you_mean(sub, names, "nothing was changed"));
        return Err(ToolError::new(ErrorKind::EngineError, text).hint(hint));
    };
    let to = Reference { file_id: id, guid: asset.guid(), kind: 2 };
    Ok(Named { path, document, id, to })
}

fn missing(error: ToolError) -> ToolError {
    ToolError { message: format!("Mesh not found: {}", error.message), ..error }
}

/// The text of a file of a new mesh.
fn text_of(
    unity: &Unity<'_>,
    name: &str,
    shape: &Shape,
    more: &[(&str, New)],
) -> Result<String, Unwritable> {
    let mut fields = shape.fields(name, unity.version())?;
    for (key, value) in more {
        scenewright_unity::edit::fresh::put(&mut fields, key, value.clone());
    }
    let object = NewObject {
        class: ClassId::MESH,
        id: MAIN_ID,
        key: "Mesh".to_owned(),
        stripped: false,
        fields,
    };
    Ok(new_file(&object, unity.unity.settings.habits()))
}

/// A reference as it is seen from outside: one inside of a file has the guid of that file.
fn outward(component: &Component<'_>, value: &Effective) -> Option<Reference> {
    let to = value.reference()?;
    let home = value.overridden_by.unwrap_or_else(|| component.file());
    match to.guid.is_some() || to.is_null() {
        true => Some(to),
        false => Some(Reference { guid: Some(home), ..to }),
    }
}

/// The mesh that a MeshFilter shows, and the materials of a MeshRenderer.
fn shown(components: &[Component<'_>]) -> Option<(Reference, Vec<Reference>)> {
    let of = |class: ClassId| components.iter().find(|component| component.class_id() == class);
    let (filter, renderer) = (of(MESH_FILTER)?, of(MESH_RENDERER)?);
    let mesh = outward(filter, &filter.value("m_Mesh")?)?;
    let materials = match renderer.value("m_Materials")?.data {
        Data::List(items) => items.iter().filter_map(|item| outward(renderer, item)).collect(),
        _ => Vec::new(),
    };
    Some((mesh, materials))
}

/// A reference as a change gives it.
fn raw(to: Reference) -> Value {
    match to.guid {
        Some(guid) => json!({ "fileID": to.file_id.0, "guid": guid.to_string(), "type": to.kind }),
        None => Value::Null,
    }
}
