//! Resources that a tool changes where they stand: inside the scene, or in a file of their own.

use scenewright_contract::{ErrorKind, ToolError};
use scenewright_godot::{Document, ResourceId, Variant};
use scenewright_toolkit::door::{Plan, Written};

use crate::base::{Godot, OpenDocument, OpenScene, Write, saved};

/// A resource and the file that holds it.
pub struct Held {
    /// None when it is inside the scene.
    file: Option<OpenDocument>,
    /// None when it is all of the file.
    pub id: Option<ResourceId>,
}

impl Held {
    /// A resource inside the scene.
    pub fn in_scene(id: ResourceId) -> Held {
        Held { file: None, id: Some(id) }
    }

    /// The resource that a property of the scene names; nothing when that is no resource.
    pub fn of_scene(
        godot: &Godot<'_>,
        open: &OpenScene,
        value: &Variant,
    ) -> Result<Option<Held>, ToolError> {
        follow(godot, &open.scene, None, value)
    }

    /// The resource that a property of this one names.
    pub fn follow(
        self,
        godot: &Godot<'_>,
        open: &OpenScene,
        value: &Variant,
    ) -> Result<Option<Held>, ToolError> {
        match self.file {
            None => Held::of_scene(godot, open, value),
            Some(file) if matches!(value, Variant::SubResource(_)) => {
                follow(godot, &open.scene, Some(file), value)
            }
            Some(file) => follow(godot, &file.document, None, value),
        }
    }

    /// The text that holds it.
    pub fn document<'a>(&'a self, open: &'a OpenScene) -> &'a Document {
        self.file.as_ref().map_or(&open.scene, |file| &file.document)
    }

    /// The path of the file that holds it.
    pub fn path<'a>(&'a self, open: &'a OpenScene) -> &'a str {
        self.file.as_ref().map_or(open.path.as_str(), |file| file.path.as_str())
    }

    /// Its class.
    pub fn class(&self, open: &OpenScene) -> String {
        let document = self.document(open);
        let class = match &self.id {
            Some(id) => document.sub_resource(id).map(|found| found.class()),
            None => document.resource_class(),
        };
        class.unwrap_or_default().into_owned()
    }

    /// The value of a property that is written.
    pub fn property(&self, open: &OpenScene, key: &str) -> Option<Variant> {
        let document = self.document(open);
        let section = document.section(section_of(document, self.id.as_ref())?)?;
        Some(section.property(key)?.decode())
    }

    /// The names of the properties that are written.
    pub fn keys(&self, open: &OpenScene) -> Vec<String> {
        let document = self.document(open);
        let section = section_of(document, self.id.as_ref()).and_then(|at| document.section(at));
        section.map_or_else(Vec::new, |section| {
            section.properties().map(|field| field.key().into_owned()).collect()
        })
    }

    /// Change the text that holds it.
    pub fn change<T>(
        &mut self,
        open: &mut OpenScene,
        change: impl FnOnce(&mut Document, Option<&ResourceId>) -> Result<T, ToolError>,
    ) -> Result<T, ToolError> {
        match &mut self.file {
            Some(file) => change(&mut file.document, self.id.as_ref()),
            None => open.scene.change(|document| change(document, self.id.as_ref())),
        }
    }

    /// Write the scene and the file, as far as they changed, in one go.
    pub fn save(
        &self,
        open: &OpenScene,
        godot: &Godot<'_>,
        write: Write,
    ) -> Result<Written, ToolError> {
        let mut plan = Plan::new(godot.project);
        open.add_to(&mut plan);
        if let Some(file) = &self.file {
            file.add_to(&mut plan);
        }
        saved(godot, plan, write)
    }
}

/// Where a resource stands in a document.
pub fn section_of(document: &Document, id: Option<&ResourceId>) -> Option<usize> {
    match id {
        Some(id) => document.sub_resource(id).map(|found| found.0.index()),
        None => document.main_resource().map(|section| section.index()),
    }
}

/// The resource that a value in `document` names. `file` is that document when it is no scene.
fn follow(
    godot: &Godot<'_>,
    document: &Document,
    file: Option<OpenDocument>,
    value: &Variant,
) -> Result<Option<Held>, ToolError> {
    match value {
        Variant::SubResource(id) => Ok(Some(Held { file, id: Some(id.clone()) })),
        Variant::ExtResource(id) => {
            let found = document.ext_resource(id).map(|found| found.path().into_owned());
            let path = found.ok_or_else(|| ToolError::not_found("ext_resource", &id.0))?;
            let path = godot.path(&path)?;
            if !path.as_str().ends_with(".tres") {
                return Err(ToolError::new(
                    ErrorKind::EngineError,
                    format!("{path} is imported or binary: only .tres is changed here"),
                )
                .hint("save it as a .tres of its own in the editor first"));
            }
            Ok(Some(Held { file: Some(godot.open_document(path)?), id: None }))
        }
        _ => Ok(None),
    }
}
