//! The assembly that a script belongs to, by the folders above it.

use scenewright_text::beneath;
use scenewright_toolkit::door::ProjectPath;
use scenewright_unity::Document;
use scenewright_unity::asmdef::{Assembly, Extension, Link};

use super::Unity;

const EDITOR: &str = "ProjectSettings/EditorSettings.asset";

impl Unity<'_> {
    /// The assembly definition that a file belongs to: the nearest one above it, or the one that a
    /// folder on the way joins.
    pub fn assembly_above(&self, path: &ProjectPath) -> Option<Assembly> {
        let folders = path.as_str().match_indices('/').map(|(at, _)| &path.as_str()[..at]);
        folders.rev().find_map(|folder| self.assembly_in(folder))
    }

    fn assembly_in(&self, folder: &str) -> Option<Assembly> {
        let beside = self.index.under(folder).filter(|asset| asset.folder() == folder);
        let mut files = beside.filter_map(|asset| {
            let kind = asset.name().rsplit_once('.').map(|(_, kind)| kind)?;
            matches!(kind, "asmdef" | "asmref").then_some((asset, kind))
        });
        files.find_map(|(asset, kind)| {
            let (path, bytes) = (asset.path(), asset.read().ok()?);
            match kind {
                "asmdef" => Assembly::parse(&path, asset.guid(), &bytes).ok(),
                _ => self.assembly_named(&Extension::parse(&path, &bytes).ok()?.target),
            }
        })
    }

    fn assembly_named(&self, link: &Link) -> Option<Assembly> {
        let definitions = self.index.assets().filter(|asset| asset.name().ends_with(".asmdef"));
        let mut read = definitions.filter_map(|asset| {
            Assembly::parse(&asset.path(), asset.guid(), &asset.read().ok()?).ok()
        });
        read.find(|assembly| match link {
            Link::Name(name) => assembly.name == *name,
            Link::Guid(guid) => assembly.guid == Some(*guid),
        })
    }

    /// The namespace of new scripts: that of their assembly, or of the project.
    pub fn root_namespace(&self, path: &ProjectPath) -> String {
        if let Some(assembly) = self.assembly_above(path) {
            return assembly.root_namespace;
        }
        let settings =
            beneath::read(&self.project.root, &self.project.root.join(EDITOR)).map(Document::parse);
        let Ok(settings) = settings else { return String::new() };
        let own = settings.objects().find_map(|object| {
            Some(object.get("m_ProjectGenerationRootNamespace")?.text().trim().to_owned())
        });
        own.unwrap_or_default()
    }
}
