//! Fields of a component, read from its file when the world asks.

use std::sync::Arc;

use scenewright_tools_unity::base::instance_id;
use scenewright_tools_unity::base::native::native_name;
use scenewright_unity::hierarchy::{Component, Data as FileData, Effective, Handle, Target};
use scenewright_unity::index::{Asset, Index};
use scenewright_unity::{ClassId, FileId, Guid};
use scenewright_world::{AssetRef, AssetSource, Data, Saved, Value};

use super::load::stem;

/// The guids of what Unity itself brings.
const BUILT_IN: [&str; 2] =
    ["0000000000000000e000000000000000", "0000000000000000f000000000000000"];

/// The fields of one component.
#[derive(Clone)]
pub(super) struct SavedFields {
    handle: Handle,
    index: Arc<Index>,
}

impl SavedFields {
    pub(super) fn new(handle: Handle, index: Arc<Index>) -> SavedFields {
        SavedFields { handle, index }
    }

    /// The component itself.
    pub(super) fn component(&self) -> Component<'_> {
        self.handle.component()
    }

    fn data(
        &self,
        component: &Component<'_>,
        value: &Effective,
        local: &dyn Fn(i64) -> Value,
    ) -> Data {
        match &value.data {
            FileData::Text(text) => Data::Text(text.clone()),
            FileData::Reference(to) => {
                Data::Reference(self.target(component.target(value), to.kind, local))
            }
            // The reader bounds how deep values nest, so this may recurse.
            FileData::List(items) => {
                Data::List(items.iter().map(|item| self.data(component, item, local)).collect())
            }
            FileData::Map(fields) => Data::Map(
                fields
                    .iter()
                    .map(|(key, value)| (key.clone(), self.data(component, value, local)))
                    .collect(),
            ),
        }
    }

    fn target(&self, target: Option<Target<'_>>, kind: i32, local: &dyn Fn(i64) -> Value) -> Value {
        match target {
            Some(Target::Node(node) | Target::Opaque(node)) => {
                node.file_id().map_or(Value::Null, |id| local(id.0))
            }
            Some(Target::Component(component)) => local(component.file_id().0),
            // A scene may have meshes and materials of its own.
            Some(Target::OtherAsset { guid, file_id } | Target::Object { file: guid, file_id }) => {
                self.asset(guid, file_id, kind)
            }
            Some(Target::Null | Target::BrokenLocal { .. }) | None => Value::Null,
        }
    }

    fn asset(&self, guid: Guid, file_id: FileId, kind: i32) -> Value {
        let text = guid.to_string();
        let asset = self.index.by_guid(guid);
        if asset.is_none() && !BUILT_IN.contains(&text.as_str()) {
            return Value::Null;
        }
        let path = asset.map(|asset| asset.path()).unwrap_or_default();
        let name = match asset {
            Some(_) => stem(&path).to_owned(),
            None => built_in_name(file_id.0).to_owned(),
        };
        // The file knows better than its ending; of scripts it has only the number. What an importer
        // makes has its class in its id, or it is one of several sprites of a texture.
        let class = asset.and_then(|asset| asset.find_object(file_id));
        let class = class.map(|object| object.class_id).or_else(|| {
            let by_ending = asset.and_then(class_of)?;
            match u32::try_from(file_id.0 / 100_000) {
                Ok(class) if (1..1000).contains(&class) && kind == 3 => Some(ClassId(class)),
                _ => ClassId::find("Sprite").filter(|_| by_ending == "UnityEngine.Texture2D"),
            }
        });
        let class = class.filter(|class| *class != ClassId::MONO_BEHAVIOUR).and_then(ClassId::name);
        let type_name: Arc<str> = match (class, asset.and_then(class_of)) {
            (Some(class), by_ending)
                if !by_ending.is_some_and(|name| name.starts_with("UnityEditor")) =>
            {
                native_name(class)
            }
            (_, Some(by_ending)) => by_ending.into(),
            (_, None) => built_in_type(file_id.0).into(),
        };
        Value::Asset(Arc::new(AssetRef {
            type_name,
            name: name.into(),
            path: path.into(),
            id: instance_id(guid, file_id.0),
            source: AssetSource { guid: guid.0, file_id: file_id.0, kind },
        }))
    }
}

impl std::fmt::Debug for SavedFields {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.handle.fmt(f)
    }
}

impl Saved for SavedFields {
    fn value(&self, path: &str, local: &dyn Fn(i64) -> Value) -> Option<Data> {
        let component = self.handle.component();
        let value = component.value(path)?;
        Some(self.data(&component, &value, local))
    }

    fn names(&self) -> Vec<String> {
        self.handle.component().field_names()
    }
}

/// Full name of an asset's class, as far as its ending tells.
fn class_of(asset: Asset<'_>) -> Option<&'static str> {
    let (_, ending) = asset.name().rsplit_once('.')?;
    Some(match ending.to_ascii_lowercase().as_str() {
        "mat" => "UnityEngine.Material",
        "png" | "jpg" | "jpeg" | "tga" | "psd" | "exr" | "tif" | "bmp" => "UnityEngine.Texture2D",
        "fbx" | "obj" | "blend" | "dae" | "mesh" => "UnityEngine.Mesh",
        "prefab" => "UnityEngine.GameObject",
        "wav" | "mp3" | "ogg" | "aif" | "aiff" => "UnityEngine.AudioClip",
        "controller" => "UnityEditor.Animations.AnimatorController",
        "anim" => "UnityEngine.AnimationClip",
        "shader" | "shadergraph" => "UnityEngine.Shader",
        "cs" => "UnityEditor.MonoScript",
        "mixer" => "UnityEngine.Audio.AudioMixer",
        "ttf" | "otf" => "UnityEngine.Font",
        "physicmaterial" | "physicsmaterial" => "UnityEngine.PhysicMaterial",
        "rendertexture" => "UnityEngine.RenderTexture",
        "txt" | "json" | "xml" | "csv" | "bytes" => "UnityEngine.TextAsset",
        _ => "UnityEngine.ScriptableObject",
    })
}

/// Names of the usual meshes and materials of Unity itself.
fn built_in_name(file_id: i64) -> &'static str {
    match file_id {
        10202 => "Cube",
        10206 => "Cylinder",
        10207 => "Sphere",
        10208 => "Capsule",
        10209 => "Plane",
        10210 => "Quad",
        10303 => "Default-Material",
        10754 => "Sprites-Default",
        10905 => "UISprite",
        10907 => "Background",
        _ => "",
    }
}

fn built_in_type(file_id: i64) -> &'static str {
    match file_id {
        10202..=10210 => "UnityEngine.Mesh",
        10303 | 10754 => "UnityEngine.Material",
        10901..=10919 => "UnityEngine.Sprite",
        _ => "UnityEngine.Object",
    }
}
