//! Values of the world as files have them.

use scenewright_unity::edit::New;
use scenewright_unity::hierarchy::{Component, Data, Effective, Stated, Target};
use scenewright_unity::{FileId, Guid, Reference};
use scenewright_world::{AssetRef, ComponentId, ObjectId, Value};

use super::draft::{Draft, HomeKind};

/// How deep a value may be nested.
const MAX_DEPTH: usize = 64;

impl Draft<'_> {
    /// Whether this is the file that is edited.
    fn is_own(&self, file: Guid) -> bool {
        file == self.origin.hierarchy.guid()
    }

    /// The value of a field in the form of a file; `old` is what the file has in its place.
    pub(super) fn encode_at(
        &mut self,
        path: &str,
        value: &Value,
        type_name: &str,
        old: Option<&Effective>,
    ) -> Result<New, String> {
        match value {
            Value::Int(number) if path.ends_with("m_Bits") => Ok(bits(*number)),
            value => self.encode(value, type_name, old, 0),
        }
    }

    /// A value in the form of a file; `old` is what the file has in its place.
    fn encode(
        &mut self,
        value: &Value,
        type_name: &str,
        old: Option<&Effective>,
        depth: usize,
    ) -> Result<New, String> {
        let has = |key: &str| old.is_some_and(|old| old.get(key).is_some());
        Ok(match value {
            Value::Null if type_name == "System.String" => New::Text(String::new()),
            Value::Null => match old.map(|old| &old.data) {
                Some(Data::Text(_)) => New::Text(String::new()),
                Some(Data::List(_) | Data::Map(_)) => return Err("it cannot be nothing".into()),
                _ => New::local(FileId::NULL),
            },
            Value::Bool(value) => New::bool(*value),
            Value::Int(number) if has("m_Bits") => New::Map(vec![("m_Bits".into(), bits(*number))]),
            Value::Int(number) if type_name == "UnityEngine.LayerMask" && old.is_none() => {
                let version = ("serializedVersion".to_owned(), New::int(2));
                New::Map(vec![version, ("m_Bits".into(), bits(*number))])
            }
            Value::Int(number) => New::int(*number),
            Value::Float(number) => New::float(*number),
            Value::Double(number) => New::double(*number),
            Value::Text(text) => New::Text(text.to_string()),
            Value::Vec2(v) => New::flow([("x", v.x), ("y", v.y)]),
            Value::Vec3(v) => New::flow([("x", v.x), ("y", v.y), ("z", v.z)]),
            Value::Vec4(v) => New::flow([("x", v.x), ("y", v.y), ("z", v.z), ("w", v.w)]),
            Value::Quat(q) => New::flow([("x", q.x), ("y", q.y), ("z", q.z), ("w", q.w)]),
            Value::Color(c) if has("rgba") => {
                let byte = |part: f32| (part.clamp(0.0, 1.0) * 255.0).round() as i64;
                let rgba = byte(c.r) | byte(c.g) << 8 | byte(c.b) << 16 | byte(c.a) << 24;
                New::Map(vec![("rgba".into(), New::int(rgba))])
            }
            Value::Color(c) => New::flow([("r", c.r), ("g", c.g), ("b", c.b), ("a", c.a)]),
            Value::Enum(value) => New::int(value.number),
            Value::Object(id) => New::local(self.object_reference(*id)?),
            Value::Component(id) => New::local(self.component_reference(*id)?),
            Value::Asset(asset) if self.is_own(Guid(asset.source.guid)) => {
                New::local(FileId(asset.source.file_id))
            }
            Value::Asset(asset) => New::Reference(asset_reference(asset)?),
            Value::List(_) | Value::Struct(_) if depth > MAX_DEPTH => {
                return Err("it is nested too deep".into());
            }
            Value::List(items) => self.encode_list(items, type_name, old, depth)?,
            Value::Struct(value) => {
                let mut fields = Vec::new();
                for (name, value) in &value.fields {
                    let old = old.and_then(|old| old.get(name));
                    fields.push((
                        name.to_string(),
                        self.encode(value, "", old.as_deref(), depth + 1)?,
                    ));
                }
                New::Map(fields)
            }
        })
    }

    fn encode_list(
        &mut self,
        items: &[Value],
        type_name: &str,
        old: Option<&Effective>,
        depth: usize,
    ) -> Result<New, String> {
        let is_packed =
            |item: &Value| matches!(item, Value::Int(_) | Value::Bool(_) | Value::Enum(_));
        if items.iter().any(is_packed) && !matches!(old.map(|old| &old.data), Some(Data::List(_))) {
            return Err("lists of whole numbers are packed in the file".into());
        }
        let item_type = type_name.strip_suffix("[]").unwrap_or("").to_owned();
        let mut all = Vec::with_capacity(items.len());
        for (at, item) in items.iter().enumerate() {
            let old = old.and_then(|old| old.get(&format!("Array.data[{at}]")));
            all.push(self.encode(item, &item_type, old.as_deref(), depth + 1)?);
        }
        Ok(New::List(all))
    }

    /// What the file calls an object that something refers to.
    pub(super) fn object_reference(&mut self, id: ObjectId) -> Result<FileId, String> {
        if self.world.object(id).is_none() {
            return Ok(FileId::NULL);
        }
        let home = self.home(id)?;
        if let HomeKind::Own(_) = home.kind {
            return Ok(home.id);
        }
        let node = self.node(id).ok_or("it is not in the file")?;
        match node.stated().ok_or("only the importer knows its id")? {
            Stated::Here(id) => Ok(id),
            Stated::Override { instance, target } => self.stand_in_object(instance, target),
        }
    }

    /// What the file calls a component that something refers to.
    pub(super) fn component_reference(&mut self, id: ComponentId) -> Result<FileId, String> {
        let Some((object, component)) = self.world.component(id) else { return Ok(FileId::NULL) };
        self.home(object.id())?;
        if let Some(id) = self.new_components.get(&id) {
            return Ok(*id);
        }
        let place = component.origin().ok_or("the component is not saved")?;
        let node = self.node(object.id()).ok_or("it is not in the file")?;
        let found = super::components::component_at(&node, place);
        let found = found.ok_or("only the importer knows its id")?;
        self.stated_reference(&found)
    }

    /// What the file calls a component of its expansion.
    pub(super) fn stated_reference(&mut self, component: &Component<'_>) -> Result<FileId, String> {
        match component.stated() {
            Stated::Here(id) => Ok(id),
            Stated::Override { instance, target } => {
                self.stand_in_component(instance, target, component)
            }
        }
    }

    /// What the file calls what a copy refers to, given what the file of its original calls it.
    fn copied_reference(&mut self, copy: ComponentId, file_id: FileId) -> Result<New, String> {
        Ok(New::local(match self.world.numbered(copy, file_id.0) {
            Value::Object(id) => self.object_reference(id)?,
            Value::Component(id) => self.component_reference(id)?,
            _ => FileId::NULL,
        }))
    }

    /// A value of a copied component in the form of this file, with its references as seen from here.
    pub(super) fn flatten(
        &mut self,
        copy: ComponentId,
        component: &Component<'_>,
        value: &Effective,
    ) -> Result<New, String> {
        Ok(match &value.data {
            Data::Text(text) => New::Text(text.clone()),
            Data::Reference(to) => match component.target(value) {
                Some(Target::OtherAsset { .. }) => New::Reference(*to),
                Some(Target::Node(node)) => match node.file_id() {
                    Some(id) => self.copied_reference(copy, id)?,
                    None => New::local(FileId::NULL),
                },
                Some(Target::Component(found)) => self.copied_reference(copy, found.file_id())?,
                Some(Target::Object { file, file_id }) if self.is_own(file) => New::local(file_id),
                _ => New::local(FileId::NULL),
            },
            // The reader bounds how deep values nest, so this may recurse.
            Data::List(items) => New::List(
                items
                    .iter()
                    .map(|item| self.flatten(copy, component, item))
                    .collect::<Result<_, _>>()?,
            ),
            Data::Map(fields) => {
                let is_flow =
                    fields.iter().all(|(key, _)| "xyzwrgba".contains(key) && key.len() == 1);
                let mut all = Vec::new();
                for (key, value) in fields {
                    all.push((key.clone(), self.flatten(copy, component, value)?));
                }
                if is_flow && !all.is_empty() { New::Flow(all) } else { New::Map(all) }
            }
        })
    }
}

/// A mask of layers; files have it without a sign.
fn bits(number: i64) -> New {
    New::int(i64::from(number as u32))
}

fn asset_reference(asset: &AssetRef) -> Result<Reference, String> {
    let source = asset.source;
    if source.guid == [0; 16] {
        return Err("nothing tells how a file refers to that asset".into());
    }
    // Without a kind it is of a prefab's own file, unless Unity itself brings it.
    if source.kind == 0 && !source.guid.starts_with(&[0; 8]) {
        return Err("it is an object inside another file".into());
    }
    let guid = Some(Guid(source.guid));
    Ok(Reference { file_id: FileId(source.file_id), guid, kind: source.kind })
}
