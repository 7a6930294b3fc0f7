//! Which class a script component is of.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::SystemTime;

use scenewright_unity::hierarchy::Component;
use scenewright_unity::index::{Asset, Flags};
use scenewright_unity::script::{
    BINDS_BY_CLASS, ClassIdentifier, MAX_SOURCE_BYTES, declares_class, dll_script, main_class,
    package_component, package_script, simple_name,
};
use scenewright_unity::{Guid, Reference};

use super::Unity;

/// The classes of scripts that were read, each for as long as its file stays as it is.
#[derive(Default)]
pub(super) struct Classes(RwLock<HashMap<Guid, Arc<Class>>>);

/// The class that a source declares for Unity.
struct Class {
    stamp: (u64, Option<SystemTime>),
    name: Box<str>,
    /// With its namespace; takes longer to find out.
    full: OnceLock<Box<str>>,
}

impl Unity<'_> {
    /// The class of a component, as people know it: scripts by the class they hold.
    pub fn component_name(&self, component: &Component<'_>) -> Cow<'static, str> {
        if let Some(full) = self.script_class(component, |class, _| class.name.to_string()) {
            return simple_name(&full).to_owned().into();
        }
        // Components never changed their names, and the table is nearer than the file.
        match component.class_id().name() {
            Some(name) => name.into(),
            None => component.class_name().into_owned().into(),
        }
    }

    /// The class of a script component with its namespace, as far as files tell.
    pub fn full_class_name(&self, component: &Component<'_>) -> Option<String> {
        self.script_class(component, |class, asset| self.full_name(class, asset).to_owned())
    }

    /// The script of a class with this full name: a source of the project, or of one of Unity's
    /// packages.
    pub fn script_of(&self, full: &str) -> Option<Guid> {
        let sources = self.index.assets().filter_map(|asset| Some((asset, asset.guid()?)));
        let is_it = |asset: Asset<'_>| {
            let stem = asset.name().strip_suffix(".cs").filter(|stem| *stem == simple_name(full));
            stem.is_some_and(|stem| self.full_name(&self.declared(asset, stem), asset) == full)
        };
        let own = sources.into_iter().find(|(asset, _)| is_it(*asset)).map(|(_, guid)| guid);
        own.or_else(|| {
            let (namespace, name) = full.rsplit_once('.').unwrap_or(("", full));
            package_component(namespace, name).map(Guid)
        })
    }

    /// The class that a C# file of the project declares for Unity, with its namespace.
    pub fn class_of_source(&self, source: Asset<'_>) -> Option<String> {
        let stem = source.name().strip_suffix(".cs")?;
        Some(self.full_name(&self.declared(source, stem), source).to_owned())
    }

    /// The class of a script, with its namespace: by its source, or by the tables of packages.
    pub fn class_of_script(&self, script: Reference) -> Option<String> {
        let guid = script.guid?;
        match self.source(guid) {
            Some((source, _)) => self.class_of_source(source),
            None => table_name(guid, script.file_id.0),
        }
    }

    /// What the editor noted when it saved the component comes first, for it also names classes of
    /// packages that are not here. A source that is here knows better, should it not declare that
    /// class: then somebody renamed it, and the editor goes by the source.
    fn script_class(
        &self,
        component: &Component<'_>,
        declared: impl Fn(&Class, Asset<'_>) -> String,
    ) -> Option<String> {
        let script = component.script()?;
        let text = component.class_identifier().unwrap_or_default();
        let noted = ClassIdentifier::parse(&text);
        let noted_name = || noted.map(|noted| full_name(noted.namespace, noted.name));
        let Some(guid) = script.guid else { return noted_name() };
        if let Some((source, stem)) = self.source(guid) {
            let is_usual = noted.filter(|noted| noted.name == stem);
            return match (is_usual, noted) {
                (Some(_), _) => noted_name(),
                (None, Some(noted)) if noted.name == &*self.declared(source, stem).name => {
                    noted_name()
                }
                (None, _) => Some(declared(&self.declared(source, stem), source)),
            };
        }
        noted_name().or_else(|| table_name(guid, script.file_id.0))
    }

    /// The C# file of a guid, and its name without the ending.
    pub(super) fn source(&self, guid: Guid) -> Option<(Asset<'_>, &str)> {
        let asset = self.index.by_guid(guid)?;
        Some((asset, asset.name().strip_suffix(".cs")?))
    }

    /// What a source declares; read once.
    fn declared(&self, source: Asset<'_>, stem: &str) -> Arc<Class> {
        let stamp = (source.size(), source.modified());
        let guid = source.guid().unwrap_or_default();
        let Classes(known) = &self.unity.classes;
        let found = known.read().unwrap_or_else(PoisonError::into_inner).get(&guid).cloned();
        if let Some(class) = found.filter(|class| class.stamp == stamp) {
            return class;
        }
        let name = self.read_name(source, stem).into();
        let class = Arc::new(Class { stamp, name, full: OnceLock::new() });
        known.write().unwrap_or_else(PoisonError::into_inner).insert(guid, class.clone());
        class
    }

    /// The file's name, unless only another class of it can be meant.
    fn read_name<'s>(&self, source: Asset<'_>, stem: &'s str) -> Cow<'s, str> {
        let release = self.unity.settings.version.release();
        if release.is_none_or(|release| release < BINDS_BY_CLASS) {
            return stem.into();
        }
        match read(source) {
            Some(text) if !declares_class(&text, stem) => main_class(&text, stem)
                .map_or(stem.into(), |full| simple_name(&full).to_owned().into()),
            _ => stem.into(),
        }
    }

    fn full_name<'c>(&self, class: &'c Class, source: Asset<'_>) -> &'c str {
        class.full.get_or_init(|| {
            let text = read(source).unwrap_or_default();
            let full = main_class(&text, &class.name);
            full.filter(|full| simple_name(full) == &*class.name)
                .map_or_else(|| class.name.clone(), String::into_boxed_str)
        })
    }
}

/// The text of a source, unless it is gone or too large.
pub(super) fn read(source: Asset<'_>) -> Option<String> {
    let is_readable =
        source.size() <= MAX_SOURCE_BYTES as u64 && !source.flags().contains(Flags::ASSET_MISSING);
    let bytes = is_readable.then(|| source.read().ok())??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The class by the tables of packages and libraries.
fn table_name(guid: Guid, file_id: i64) -> Option<String> {
    if let Some(known) = package_script(guid.0) {
        return Some(full_name(known.namespace, known.name));
    }
    dll_script(guid.0, file_id).map(|dll| full_name(dll.namespace, dll.name))
}

fn full_name(namespace: &str, name: &str) -> String {
    if namespace.is_empty() { name.to_owned() } else { format!("{namespace}.{name}") }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use serde_json::json;

    use crate::testing::call_project;

    /// One object with a component of each kind; `identifiers` are what the editor noted.
    fn scene(identifiers: [&str; 6]) -> String {
        let scripts = [
            "{fileID: 11500000, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 3}",
            "{fileID: 11500000, guid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, type: 3}",
            "{fileID: 11500000, guid: cccccccccccccccccccccccccccccccc, type: 3}",
            // One of Unity's packages, and a library that nothing here knows.
            "{fileID: 11500000, guid: fe87c0e1cc204ed48ad3b37840f39efc, type: 3}",
            "{fileID: 99, guid: dddddddddddddddddddddddddddddddd,\n    type: 3}",
            "{fileID: 0}",
        ];
        let mut scene = "--- !u!1 &1\nGameObject:\n  m_Name: All\n  m_Component:\n".to_owned();
        (2..8).for_each(|id| scene += &format!("  - component: {{fileID: {id}}}\n"));
        for (id, (script, noted)) in (2..).zip(scripts.iter().zip(identifiers)) {
            scene += &format!(
                "--- !u!114 &{id}\nMonoBehaviour:\n  m_GameObject: {{fileID: 1}}\n  m_Script: {script}\n  \
                 m_Name: \n  m_EditorClassIdentifier: {noted}\n"
            );
        }
        scene
    }

    fn check(version: &str, identifiers: [&str; 6], expected: Expect) {
        let project = format!(
            "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: {version}\n\
             //- Assets/Door.cs\nnamespace Keep {{ public class Door : MonoBehaviour {{}} class Other : MonoBehaviour {{}} }}\n\
             //- Assets/Door.cs.meta\nguid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\
             //- Assets/Moved.cs\n// class Moved was its name\nnamespace Keep.Gates {{ class Gate : Opening {{}} struct Moved {{}} }}\n\
             //- Assets/Moved.cs.meta\nguid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n\
             //- Assets/Two.cs\nclass A : MonoBehaviour {{}} class B : MonoBehaviour {{}}\n\
             //- Assets/Two.cs.meta\nguid: cccccccccccccccccccccccccccccccc\n\
             //- Assets/S.unity\n{}//- Assets/S.unity.meta\nguid: eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee\n",
            scene(identifiers)
        );
        let all = json!({ "scenePath": "Assets/S.unity", "gameObjectPath": "All" });
        let output = call_project(&project, "scene.components.list", all).unwrap().output;
        let shown = output["components"].as_array().unwrap().iter().map(|component| {
            let text = |key: &str| component[key].as_str().unwrap();
            format!("{} = {}\n", text("type"), text("fullTypeName"))
        });
        expected.assert_eq(&shown.collect::<String>());
    }

    #[test]
    fn sources_and_tables_name_classes() {
        check(
            "2022.3.20f1",
            [""; 6],
            expect![[r#"
            Door = Keep.Door
            Moved = Moved
            Two = Two
            Image = UnityEngine.UI.Image
            MonoBehaviour = MonoBehaviour
            Missing Script = Missing Script
        "#]],
        );
        check(
            "6000.0.23f1",
            [""; 6],
            expect![[r#"
            Door = Keep.Door
            Gate = Keep.Gates.Gate
            Two = Two
            Image = UnityEngine.UI.Image
            MonoBehaviour = MonoBehaviour
            Missing Script = Missing Script
        "#]],
        );
    }

    #[test]
    fn what_the_editor_noted_names_classes_too() {
        check(
            "6000.4.0f1",
            [
                "Assembly-CSharp::Keep.Door",
                "Assembly-CSharp::Keep.Gates.Gate",
                "Assembly-CSharp::Gone",
                "UnityEngine.UI::UnityEngine.UI.Image",
                "Thirdparty:Vendor.Parts:Widget",
                "Lost::Lost.Class",
            ],
            expect![[r#"
                Door = Keep.Door
                Gate = Keep.Gates.Gate
                Two = Two
                Image = UnityEngine.UI.Image
                Widget = Vendor.Parts.Widget
                Missing Script = Lost.Class
            "#]],
        );
    }
}
