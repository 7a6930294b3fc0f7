//! Materials and shaders as calls name them: what a shader declares, what values mean, and which
//! keywords go with them.

mod asset_version;
mod change;
mod surface;

use std::collections::BTreeMap;

use scenewright_contract::{ErrorKind, ToolError, suggest};
use scenewright_unity::edit::Refused;
use scenewright_unity::edit::material::{PropertyKind, Setting, properties, property};
use scenewright_unity::index::{Asset, AssetKind};
use scenewright_unity::shader::{self, Declared, KNOWN, KnownShader, Shader};
use scenewright_unity::{ClassId, Document, FileId, Guid, Object, Reference, Value, types};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::Unity;
pub use change::{Scope, change, is_variant};
pub use surface::Surface;

/// The class of materials.
pub const MATERIAL: ClassId = ClassId(21);
/// Variants of variants go on; a circle of them does not.
const MAX_PARENTS: usize = 32;
/// Packages of pipelines, by how the names of their shaders begin.
const PIPELINES: [(&str, &str); 2] = [
    ("Universal Render Pipeline/", "com.unity.render-pipelines.universal"),
    ("HDRP/", "com.unity.render-pipelines.high-definition"),
];

/// What a material is given.
#[derive(Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Values {
    /// Values by the names of the shader: numbers, colours as `[r, g, b, a]` or `#rrggbb`, textures as
    /// a path, null, or `{"texture": path, "scale": [2, 2], "offset": [0, 0]}`. `_MainTex.scale` sets
    /// one part.
    #[serde(default)]
    pub properties: Map<String, Json>,
    /// Shader keywords to turn on, such as `_ALPHATEST_ON`. Those that textures and emission need
    /// follow by themselves in shaders that are known.
    #[serde(default)]
    pub enable_keywords: Vec<String>,
    /// Shader keywords to turn off.
    #[serde(default)]
    pub disable_keywords: Vec<String>,
    /// When it is drawn: 2000 solid, 2450 cut out, 3000 transparent; -1 as its shader says.
    #[schemars(range(min = -1, max = 5000))]
    pub render_queue: Option<i32>,
    /// Whether equal meshes are drawn at once.
    pub enable_instancing: Option<bool>,
    /// Whether both sides count for lighting that is baked.
    #[serde(rename = "doubleSidedGI")]
    pub double_sided_gi: Option<bool>,
    /// Also set properties that the shader is not known to have.
    #[serde(default)]
    pub add_unknown: bool,
}

/// A shader that a call names or a material has.
pub struct Chosen {
    /// Its name.
    pub name: String,
    /// How materials refer to it.
    pub reference: Reference,
    /// What it declares.
    pub shader: Shader,
    /// What is known of it besides its source.
    pub known: Option<&'static KnownShader>,
    /// Whether all that it declares is known.
    pub is_whole: bool,
}

impl Unity<'_> {
    /// The shader of a name, or in a file.
    pub fn find_shader(&self, wanted: &str) -> Result<Chosen, ToolError> {
        let lower = wanted.to_ascii_lowercase();
        if lower.ends_with(".shader") || lower.ends_with(".shadergraph") {
            let asset = self.asset(Some(wanted), None)?;
            return self.shader_in(asset).ok_or_else(|| {
                let message = format!("{} has no shader that can be read", asset.path());
                ToolError::new(ErrorKind::EngineError, message)
            });
        }
        if let Some(known) = shader::known(wanted) {
            self.tell_pipeline(known.name);
            return Ok(self.known_shader(known));
        }
        let own = self.own_shaders();
        if let Some(at) = own.iter().position(|chosen| chosen.name == wanted) {
            let mut own = own;
            return Ok(own.swap_remove(at));
        }
        let names = KNOWN.iter().map(|known| known.name);
        let names: Vec<&str> = own.iter().map(|own| own.name.as_str()).chain(names).collect();
        let otherwise = "give the path of its .shader or .shadergraph file";
        let hint = suggest::did_you_mean(wanted, names.iter().copied(), otherwise);
        Err(ToolError::new(ErrorKind::EngineError, format!("Shader not found: {wanted}"))
            .hint(hint))
    }

    /// The shader that a material refers to; nothing when its source is not here.
    pub fn shader_of(&self, reference: Reference) -> Option<Chosen> {
        if let Some(known) = shader::known_by_reference(reference) {
            return Some(self.known_shader(known));
        }
        let asset = self.index.by_guid(reference.guid?)?;
        self.shader_in(asset).filter(|chosen| chosen.reference.file_id == reference.file_id)
    }

    fn known_shader(&self, known: &'static KnownShader) -> Chosen {
        let reference = known.reference();
        // A source that is here has what its version declares, the table what all of them do.
        let source = reference.guid.and_then(|guid| self.index.by_guid(guid));
        let source = source.and_then(|asset| self.shader_in(asset)).map(|chosen| chosen.shader);
        // The editor's own shaders are all in the table.
        let is_whole = source.is_some() || reference.guid.is_some_and(|guid| guid.is_built_in());
        let mut shader = source.unwrap_or_else(|| known.shader());
        known.add_switches(&mut shader);
        Chosen { name: known.name.to_owned(), reference, shader, known: Some(known), is_whole }
    }

    fn shader_in(&self, asset: Asset<'_>) -> Option<Chosen> {
        let path = asset.path();
        let reference = shader::reference_to(&path, asset.guid()?)?;
        let shader = shader::parse_file(&path, &asset.read().ok()?)?;
        let name = shader.name.clone();
        Some(Chosen { name, reference, shader, known: None, is_whole: true })
    }

    /// What the shaders that are known or here declare under a name.
    pub fn shader_properties(&self, name: &str) -> Vec<Declared> {
        let known = KNOWN.iter().map(KnownShader::shader);
        let own = self.own_shaders().into_iter().map(|chosen| chosen.shader);
        known.chain(own).filter_map(|shader| shader.property(name).cloned()).collect()
    }

    /// The shaders of the project and of its packages.
    fn own_shaders(&self) -> Vec<Chosen> {
        self.index.of_kind(AssetKind::Shader).filter_map(|asset| self.shader_in(asset)).collect()
    }

    fn tell_pipeline(&self, name: &str) {
        let package = PIPELINES.iter().find(|(start, _)| name.starts_with(start));
        if let Some((_, package)) =
            package.filter(|(_, package)| self.index.package(package).is_none())
        {
            self.cx
                .diagnose(format!("{name} comes with {package}, which the project does not have."));
        }
    }

    /// The reference to a texture that a call names.
    pub fn texture(&self, value: &Json) -> Result<Reference, String> {
        let expected = "a texture is a path, null, or {\"guid\": …, \"fileID\": …, \"type\": …}";
        let path = match value {
            Json::String(path) => path.as_str(),
            Json::Object(parts) => match parts.get("asset").and_then(Json::as_str) {
                Some(path) => path,
                None => {
                    return self.plain_reference(parts).ok_or_else(|| {
                        format!("{value} is no texture of the project; {expected}")
                    });
                }
            },
            other => return Err(format!("{other} is no texture; {expected}")),
        };
        let asset = self.asset(Some(path), None).map_err(|error| error.text())?;
        texture_in(asset).ok_or_else(|| format!("{} is no texture", asset.path()))
    }

    fn plain_reference(&self, parts: &Map<String, Json>) -> Option<Reference> {
        let guid = Guid::parse(parts.get("guid")?.as_str()?)?;
        let id = parts.get("fileID")?;
        let id = id.as_i64().or_else(|| id.as_str()?.parse().ok())?;
        let kind = parts.get("type").and_then(Json::as_u64).unwrap_or(3);
        let is_here = guid.is_built_in() || self.index.by_guid(guid).is_some();
        let kind = kind.try_into().ok()?;
        is_here.then_some(Reference { file_id: FileId(id), guid: Some(guid), kind })
    }

    /// What the values of a call mean for a material, by name.
    pub fn settings(
        &self,
        object: Object<'_>,
        chosen: Option<&Chosen>,
        values: &Values,
    ) -> Result<BTreeMap<String, Setting>, ToolError> {
        let mut settings: BTreeMap<String, Setting> = BTreeMap::new();
        for (asked, value) in &values.properties {
            let kind = |name: &str| self.kind_of(object, chosen, name);
            let (name, value) = part(asked, value, kind);
            let known = kind(name).or_else(|| self.used_with(chosen?, name));
            if known.is_none()
                && !values.add_unknown
                && (chosen.is_some() || !name.starts_with('_'))
            {
                return Err(unknown(object, chosen, name));
            }
            let setting =
                Setting::read(known, &value, |value| self.texture(value)).map_err(|why| {
                    ToolError::new(
                        ErrorKind::BadArguments,
                        format!("Invalid value of {asked}: {why}"),
                    )
                    .detail("property", asked.as_str())
                })?;
            let setting = settings.get(name).map_or(setting, |other| setting.or(*other));
            let merged = match property(object, name).is_some_and(|own| own.kind == setting.kind())
            {
                true => setting,
                // A property that comes is whole: what is not given is as it was to be seen.
                false => self.seen(object, chosen, name).map_or(setting, |seen| setting.or(seen)),
            };
            settings.insert(name.to_owned(), merged);
        }
        if let (Some(chosen), Some(marker)) = (chosen, surface::marker(&settings))
            && !chosen.known.is_some_and(surface::is_known)
        {
            self.cx.diagnose(format!(
                "{marker} is set alone: what the editor of {} sets beside it (blending, queue, keywords) is not known here.",
                chosen.name
            ));
        }
        Ok(settings)
    }
}

impl Unity<'_> {
    /// What a property is. The shader's word counts more than what an earlier one left behind.
    fn kind_of(
        &self,
        object: Object<'_>,
        chosen: Option<&Chosen>,
        name: &str,
    ) -> Option<PropertyKind> {
        let declared = chosen.and_then(|chosen| chosen.shader.property(name));
        declared.map(|declared| declared.kind).or_else(|| {
            let own = property(object, name).map(|own| own.kind);
            own.or_else(|| self.inherited(object, name, 0).map(|setting| setting.kind()))
        })
    }

    /// What a property is that other materials have with a shader of which not all is known.
    fn used_with(&self, chosen: &Chosen, name: &str) -> Option<PropertyKind> {
        let mut materials = self.index.of_kind(AssetKind::Material).filter(|_| !chosen.is_whole);
        materials.find_map(|asset| {
            let document = asset.document().ok()?;
            let mut own = document.objects().filter(|object| object.class_id() == MATERIAL);
            own.find_map(|object| {
                let shader = object.get("m_Shader").and_then(Value::as_reference)?;
                let is_same = shader.guid == chosen.reference.guid
                    && shader.file_id == chosen.reference.file_id;
                is_same.then(|| property(object, name).map(|own| own.kind)).flatten()
            })
        })
    }

    /// The value that a property has although the material does not say it.
    fn seen(&self, object: Object<'_>, chosen: Option<&Chosen>, name: &str) -> Option<Setting> {
        let declared = || chosen?.shader.property(name).map(|declared| declared.default);
        self.inherited(object, name, 0).or_else(declared)
    }

    /// The value that a variant has from the materials that it is of.
    fn inherited(&self, object: Object<'_>, name: &str, depth: usize) -> Option<Setting> {
        let parent = object.get("m_Parent").and_then(Value::as_reference)?;
        let asset = self.index.by_guid(parent.guid?).filter(|_| depth < MAX_PARENTS)?;
        let document = asset.document().ok()?;
        let parent = document.object(parent.file_id)?;
        let own = property(parent, name).and_then(|own| own.setting());
        own.or_else(|| self.inherited(parent, name, depth + 1))
    }
}

/// Why a material cannot be changed, for a caller.
pub fn refused(why: Refused) -> ToolError {
    ToolError::failed(format!("the material cannot be changed: {why}"))
        .hint("nothing was changed; project_readFile shows how the file has it")
}

/// A name like `_MainTex.scale`, or `_MainTex_ST` as shaders call it, as the texture and its part.
fn part<'a>(
    asked: &'a str,
    value: &Json,
    kind: impl Fn(&str) -> Option<PropertyKind>,
) -> (&'a str, Json) {
    let object = |parts: Vec<(&str, Json)>| {
        Json::Object(parts.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    };
    if let Some((name, part)) = asked.split_once('.') {
        let key = match part {
            "m_Texture" | "texture" => Some("texture"),
            "m_Scale" | "scale" | "tiling" => Some("scale"),
            "m_Offset" | "offset" => Some("offset"),
            _ => None,
        };
        if let Some(key) = key {
            return (name, object(vec![(key, value.clone())]));
        }
        return (name, object(vec![(part, value.clone())]));
    }
    if let (Some(name), None, Some([x, y, z, w])) =
        (asked.strip_suffix("_ST"), kind(asked), value.as_array().map(Vec::as_slice))
        && kind(name) == Some(PropertyKind::Texture)
    {
        let pair = |a: &Json, b: &Json| Json::Array(vec![a.clone(), b.clone()]);
        return (name, object(vec![("scale", pair(x, y)), ("offset", pair(z, w))]));
    }
    (asked, value.clone())
}

fn unknown(object: Object<'_>, chosen: Option<&Chosen>, name: &str) -> ToolError {
    let declared = chosen.into_iter().flat_map(|chosen| &chosen.shader.properties);
    let mut names: Vec<String> = declared.map(|declared| declared.name.clone()).collect();
    names.extend(properties(object).map(|(name, _)| name.into_owned()));
    names.sort();
    names.dedup();
    let message = match chosen {
        Some(chosen) if !chosen.is_whole => format!(
            "Invalid property: {name} is none that is known of the shader {}, whose source is not here",
            chosen.name
        ),
        Some(chosen) => format!("Invalid property: {name} is none of the shader {}", chosen.name),
        None => format!("Invalid property: the material has no {name}"),
    };
    let otherwise = "addUnknown: true sets it all the same";
    ToolError::new(ErrorKind::BadArguments, message)
        .hint(suggest::did_you_mean(name, names.iter().map(String::as_str), otherwise))
        .detail("property", name)
}

/// How materials refer to the texture in a file.
fn texture_in(asset: Asset<'_>) -> Option<Reference> {
    let guid = Some(asset.guid()?);
    if asset.kind() == AssetKind::Texture {
        let meta = asset.read_meta().ok();
        let shape = meta.and_then(|meta| {
            Document::parse(meta).root().get("TextureImporter.textureShape")?.as_i64()
        });
        let class = match shape {
            Some(2) => 89,
            Some(4) => 187,
            Some(8) => 117,
            _ => 28,
        };
        return Some(Reference { file_id: FileId(class * 100_000), guid, kind: 3 });
    }
    let is_texture = |class: ClassId| class.name().is_some_and(|name| types::is_a(name, "Texture"));
    let object = asset.objects().find(|object| is_texture(object.class_id))?;
    Some(Reference { file_id: object.file_id, guid, kind: 2 })
}
