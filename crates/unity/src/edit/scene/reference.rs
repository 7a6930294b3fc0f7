//! What a field refers to: assets by path or guid, objects by path.

use serde_json::Value;

use super::{Editor, Held, Refusal, Seen};
use crate::edit::address;
use crate::hierarchy::Stated;
use crate::index::{Asset, AssetKind, ObjectEntry, SubAsset, Target};
use crate::judge::{Judge, Verdict};
use crate::shader::GRAPH_ID;
use crate::{ClassId, FileId, Guid, Reference, types};

/// What something is that a field may refer to.
#[derive(Debug, Clone)]
enum Is {
    /// A class of the engine, or what an importer makes.
    Class(String),
    /// An object of a script.
    Script(Reference),
    Unknown,
}

impl Is {
    fn native(class: Option<ClassId>) -> Is {
        class.and_then(ClassId::name).map_or(Is::Unknown, |name| Is::Class(name.to_owned()))
    }
}

const NOTHING: Reference = Reference { file_id: FileId::NULL, guid: None, kind: 0 };
/// The script in a C# file.
const SCRIPT: FileId = FileId(11_500_000);
/// A scene or a folder as a whole.
const WHOLE: FileId = FileId(102_900_000);
const CLIP: &str = "AnimationClip";
/// What importers make of files, where the number does not follow from the class.
const MADE: [(&str, i64, &str); 5] = [
    ("shadergraph", GRAPH_ID.0, "Shader"),
    ("uxml", 9197481963319205126, "VisualTreeAsset"),
    ("uss", 7433441132597879392, "StyleSheet"),
    ("tss", 7433441132597879392, "ThemeStyleSheet"),
    ("inputactions", -944628639613478452, "InputActionAsset"),
];

impl Editor<'_> {
    /// The reference that a value stands for, in a field that takes `class`.
    pub(super) fn reference(
        &mut self,
        value: &Value,
        class: Option<&str>,
    ) -> Result<Reference, Refusal> {
        match value {
            Value::Null => Ok(NOTHING),
            Value::Number(number) if number.as_i64() == Some(0) => Ok(NOTHING),
            Value::String(text) => self.reference_by_text(text, class),
            Value::Object(map) => {
                let text = |key: &str| map.get(key).and_then(Value::as_str);
                if let Some(asset) = text("asset").or_else(|| text("path")) {
                    let (asset, sub) = split_sub(asset);
                    let sub = text("sub").or(sub);
                    return self.asset_reference(
                        asset,
                        sub,
                        text("object"),
                        text("component"),
                        class,
                    );
                }
                if let Some(guid) = text("guid") {
                    return self.raw_reference(guid, map, class);
                }
                if let Some(object) = text("object") {
                    return self.local_reference(object, text("component"), class);
                }
                match map.get("fileID").and_then(id_of) {
                    Some(id) => self.local_id(id, class),
                    None => Err(no_reference(value)),
                }
            }
            _ => Err(no_reference(value)),
        }
    }

    fn reference_by_text(&mut self, text: &str, class: Option<&str>) -> Result<Reference, Refusal> {
        if text.is_empty() || text == "null" || text == "None" {
            return Ok(NOTHING);
        }
        if let Some(guid) = Guid::parse(text) {
            let path = self.project.index.by_guid(guid).map(|asset| asset.path());
            let path = path.ok_or_else(|| Refusal::new(format!("no asset has the guid {text}")))?;
            return self.asset_reference(&path, None, None, None, class);
        }
        let (asset, sub) = split_sub(text);
        if self.asset(asset).is_some() {
            return self.asset_reference(asset, sub, None, None, class);
        }
        if self.kind == super::FileKind::Asset || asset.starts_with("Assets/") {
            return Err(self.no_asset(asset));
        }
        self.local_reference(text, None, class)
    }

    fn asset(&self, path: &str) -> Option<Asset<'_>> {
        let plain = path.replace('\\', "/");
        let index = self.project.index;
        index.by_path(&plain).or_else(|| index.by_path(&format!("Assets/{plain}")))
    }

    fn no_asset(&self, path: &str) -> Refusal {
        let kind = |name: &str| name.rsplit_once('.').map(|(_, kind)| kind.to_ascii_lowercase());
        let wanted = kind(path);
        let alike = self.project.index.assets().filter(|asset| kind(asset.name()) == wanted);
        let known = alike.map(|asset| asset.path()).take(20_000).collect();
        Refusal::new(format!("there is no asset {path}")).choices(path, known)
    }

    fn asset_reference(
        &mut self,
        path: &str,
        sub: Option<&str>,
        object: Option<&str>,
        component: Option<&str>,
        class: Option<&str>,
    ) -> Result<Reference, Refusal> {
        let asset = self.asset(path).ok_or_else(|| self.no_asset(path))?;
        let Some(guid) = asset.guid() else {
            let text = format!("{path} has no .meta file, so nothing can refer to it");
            return Err(Refusal::new(text)
                .hint("let Unity import it, or create it with a tool that writes the .meta"));
        };
        let kind = if is_read_as_it_is(asset) { 2 } else { 3 };
        if asset.kind() == AssetKind::Prefab && sub.is_none() {
            let file_id = self.in_prefab(guid, object, component, class)?;
            return self.local_or(Reference { file_id, guid: Some(guid), kind: 3 });
        }
        let (file_id, is) = match sub {
            Some(sub) => self.sub_object(asset, sub, class)?,
            None => main_object(asset, self.project.index, class)
                .ok_or_else(|| self.no_main(asset, class))?,
        };
        self.check_class(&asset.path(), &is, class)?;
        self.local_or(Reference { file_id, guid: Some(guid), kind })
    }

    /// A reference to the file itself has no guid.
    fn local_or(&self, to: Reference) -> Result<Reference, Refusal> {
        match to.guid == Some(self.guid)
            && !self.guid.is_zero()
            && self.sheet.object(to.file_id).is_some()
        {
            true => Ok(Reference { guid: None, kind: 0, ..to }),
            false => Ok(to),
        }
    }

    fn no_main(&self, asset: Asset<'_>, class: Option<&str>) -> Refusal {
        let names = self.project.index.sub_asset_names(asset);
        let known: Vec<String> = names.into_iter().map(|sub| sub.name).collect();
        let what = class.map_or("anything to refer to".to_owned(), |class| format!("a {class}"));
        let text = format!("{} does not tell which object of it is {what}", asset.path());
        match known.is_empty() {
            true => Refusal::new(text).hint(
                "name it: {\"asset\": …, \"sub\": name}, or {\"guid\", \"fileID\", \"type\"}",
            ),
            false => Refusal::new(text).choices("", known),
        }
    }

    /// An object that an asset has beside its main one, by name or id.
    fn sub_object(
        &self,
        asset: Asset<'_>,
        sub: &str,
        class: Option<&str>,
    ) -> Result<(FileId, Is), Refusal> {
        let names = self.project.index.sub_asset_names(asset);
        let id = address::id(sub).or_else(|| sub.parse().ok().map(FileId));
        let named = names.iter().filter(|one| one.name == sub || Some(one.file_id) == id);
        let fits = |one: &&SubAsset| {
            one.class_id.and_then(ClassId::name).is_none_or(|is| fits(is, class) != Some(false))
        };
        let all: Vec<&SubAsset> = named.collect();
        if let Some(one) = all.iter().copied().find(|one| fits(one)).or(all.first().copied()) {
            return Ok((one.file_id, Is::native(one.class_id)));
        }
        let own = asset.objects().find(|object| Some(object.file_id) == id);
        if let Some(object) = own {
            return Ok((object.file_id, is_of(&object)));
        }
        if let Some(found) = named_in_file(asset, sub) {
            return Ok(found);
        }
        // The clips of a model are cut by its import settings; what else is in it they need not tell.
        let is_clip = |one: &&SubAsset| one.class_id.and_then(ClassId::name) == Some(CLIP);
        let are_known = class == Some(CLIP) && names.iter().any(|one| is_clip(&one));
        if let Some(class) = class.filter(|_| asset.kind() == AssetKind::Model && !are_known) {
            // Since 2019.1 the ids in models are made of class and name.
            let id = crate::xxh64(format!("Type:{class}->{sub}0").as_bytes()) as i64;
            return Ok((FileId(id), Is::Class(class.to_owned())));
        }
        let known = names.into_iter().map(|one| one.name).collect();
        Err(Refusal::new(format!("{} has nothing with the name {sub}", asset.path()))
            .choices(sub, known))
    }

    /// The root of a prefab, an object in it, or a component on that.
    fn in_prefab(
        &mut self,
        guid: Guid,
        object: Option<&str>,
        component: Option<&str>,
        class: Option<&str>,
    ) -> Result<FileId, Refusal> {
        let classes = self.project.classes;
        let tree = self.expander.expand(guid);
        let tree = tree.map_err(|why| Refusal::new(format!("the prefab cannot be read: {why}")))?;
        let node = match object {
            Some(path) => address::object(&tree, path),
            None => tree.roots().into_iter().next(),
        };
        let Some(node) = node else {
            let known = tree.objects().take(5_000).map(|node| address::path_of(&node)).collect();
            let path = object.unwrap_or_default();
            return Err(
                Refusal::new(format!("the prefab has no object {path}")).choices(path, known)
            );
        };
        let seen = Seen::of(&node, classes)?;
        self.part_of(&seen, component, class).map(|(id, _)| id)
    }

    /// The object itself or the component of it that fits a field.
    fn part_of(
        &self,
        seen: &Seen,
        component: Option<&str>,
        class: Option<&str>,
    ) -> Result<(FileId, Stated), Refusal> {
        if let Some(wanted) = component {
            let held = seen.component(wanted)?;
            self.check_class(&seen.path, &Is::of(held), class)?;
            return Ok((held.id, held.at));
        }
        let Some(class) = class.filter(|class| !matches!(*class, "GameObject" | "Object")) else {
            return Ok((seen.id, seen.at));
        };
        if fits("GameObject", Some(class)) == Some(true) {
            return Ok((seen.id, seen.at));
        }
        if let Ok(held) = seen.component(class) {
            return Ok((held.id, held.at));
        }
        // A base class of a script, which the name of the component does not tell.
        let scripts = || {
            let scripts = seen.components.iter().filter(|held| held.script.is_some());
            scripts.map(|held| (held, self.fits(&Is::of(held), class)))
        };
        if let Some((held, _)) = scripts().find(|(_, fits)| *fits == Some(true)) {
            return Ok((held.id, held.at));
        }
        let mut unknown = scripts().filter(|(_, fits)| fits.is_none());
        match (unknown.next(), unknown.next()) {
            (Some((only, _)), None) if types::class_named(class).is_none() => {
                Ok((only.id, only.at))
            }
            _ => Err(self.not_taken(&seen.path, "GameObject", class)),
        }
    }

    fn not_taken(&self, path: &str, is: &str, class: &str) -> Refusal {
        let (class, is) = (types::one(class), types::one(is));
        let text = format!("the field takes {class}, and {path} is {is}");
        Refusal::new(format!("{text} without one"))
            .hint("name the component: {\"object\": path, \"component\": class}")
    }

    /// A reference to an object of the same file.
    pub(super) fn local_reference(
        &mut self,
        object: &str,
        component: Option<&str>,
        class: Option<&str>,
    ) -> Result<Reference, Refusal> {
        let seen = self.find(object)?;
        let (id, at) = self.part_of(&seen, component, class)?;
        let file_id = match at {
            Stated::Here(id) => id,
            Stated::Override { instance, target } => self.stand_in(instance, target, id)?,
        };
        Ok(Reference { file_id, ..NOTHING })
    }

    fn local_id(&self, id: FileId, class: Option<&str>) -> Result<Reference, Refusal> {
        if id.is_null() {
            return Ok(NOTHING);
        }
        let object = self.sheet.object(id);
        let object = object.ok_or_else(|| Refusal::new(format!("the file has no object {id}")))?;
        let script = object.get("m_Script").and_then(crate::Value::as_reference);
        let is = match script.filter(|_| object.class_id() == ClassId::MONO_BEHAVIOUR) {
            Some(script) => Is::Script(script),
            None => Is::native(Some(object.class_id())),
        };
        self.check_class(&format!("#{id}"), &is, class)?;
        Ok(Reference { file_id: id, ..NOTHING })
    }

    fn raw_reference(
        &mut self,
        guid: &str,
        map: &serde_json::Map<String, Value>,
        class: Option<&str>,
    ) -> Result<Reference, Refusal> {
        let parsed = Guid::parse(guid);
        let guid = parsed.ok_or_else(|| Refusal::new(format!("{guid} is no guid of 32 digits")))?;
        let Some(file_id) = map.get("fileID").or_else(|| map.get("fileId")).and_then(id_of) else {
            return self.reference_by_text(&guid.to_string(), class);
        };
        let judge = Judge::new(self.project.index);
        if let Verdict::Wrong(why) = judge.reference(guid, file_id) {
            return Err(Refusal::new(format!("the reference leads nowhere: {why}")));
        }
        let asset = self.project.index.by_guid(guid);
        let own = asset.and_then(|asset| asset.objects().find(|one| one.file_id == file_id));
        let is = match own.filter(|object| object.script.is_some()) {
            Some(object) => is_of(&object),
            None => Is::native(judge.native_class(guid, file_id)),
        };
        self.check_class(&format!("{guid}"), &is, class)?;
        let usual = match asset {
            Some(asset) if is_read_as_it_is(asset) => 2,
            Some(_) => 3,
            None => 0,
        };
        let kind = map.get("type").and_then(Value::as_i64).map_or(usual, |kind| kind as i32);
        self.local_or(Reference { file_id, guid: Some(guid), kind })
    }

    fn check_class(&self, what: &str, is: &Is, takes: Option<&str>) -> Result<(), Refusal> {
        let Some(takes) = takes.filter(|takes| self.fits(is, takes) == Some(false)) else {
            return Ok(());
        };
        let known = match is {
            Is::Class(name) => Some(name.clone()),
            Is::Script(script) => self.project.classes.script_name(*script, ""),
            Is::Unknown => None,
        };
        let (takes, is) = (types::one(takes), known.map_or("another".into(), |is| types::one(&is)));
        Err(Refusal::new(format!("the field takes {takes}, and {what} is {is}")))
    }

    /// Whether something fits a field; nothing where that cannot be known.
    fn fits(&self, is: &Is, takes: &str) -> Option<bool> {
        match is {
            Is::Class(is) => fits(is, Some(takes)),
            Is::Script(script) => self.project.classes.script_is(*script, takes),
            Is::Unknown => None,
        }
    }
}

impl Is {
    fn of(held: &Held) -> Is {
        held.script.map_or_else(|| Is::Class(held.full.clone()), Is::Script)
    }
}

/// What an object of a file is.
fn is_of(object: &ObjectEntry) -> Is {
    match object.script {
        Some(Target { guid, file_id }) => {
            Is::Script(Reference { file_id, guid: Some(guid), kind: 3 })
        }
        None if object.class_id == ClassId::MONO_BEHAVIOUR => Is::Unknown,
        None => Is::native(Some(object.class_id)),
    }
}

/// Whether an object of a native class fits a field; nothing when scripts would have to tell.
fn fits(is: &str, takes: Option<&str>) -> Option<bool> {
    let takes = takes?;
    let short = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let (is, takes) = (short(is), short(takes));
    if is == takes || takes == "Object" {
        return Some(true);
    }
    let (known, wanted) = (types::class_named(&is), types::class_named(&takes));
    match (known, wanted) {
        (Some(is), Some(takes)) => Some(is.is_a(takes) || is == ClassId::MONO_BEHAVIOUR),
        // A script where only the engine's own will do, or the other way round.
        (None, Some(takes)) => (!ClassId::MONO_BEHAVIOUR.is_a(takes)).then_some(false),
        (Some(is), None) => (is != ClassId::MONO_BEHAVIOUR).then_some(false),
        (None, None) => None,
    }
}

/// The object that an asset is, or the one that fits; and its class.
fn main_object(
    asset: Asset<'_>,
    index: &crate::index::Index,
    class: Option<&str>,
) -> Option<(FileId, Is)> {
    let extension = asset.name().rsplit_once('.').map_or("", |(_, kind)| kind).to_ascii_lowercase();
    if let Some((_, id, class)) = MADE.iter().find(|(kind, ..)| *kind == extension) {
        return Some((FileId(*id), Is::Class((*class).to_owned())));
    }
    let native = |name: &str| {
        let class = ClassId::find(name)?;
        Some((FileId(i64::from(class.0) * 100_000), Is::Class(name.to_owned())))
    };
    match asset.kind() {
        AssetKind::Script => Some((SCRIPT, Is::Class("MonoScript".to_owned()))),
        AssetKind::Scene => Some((WHOLE, Is::Class("SceneAsset".to_owned()))),
        AssetKind::Folder => Some((WHOLE, Is::Class("DefaultAsset".to_owned()))),
        AssetKind::Texture if class == Some("Sprite") => {
            let names = index.sub_asset_names(asset);
            let sprites: Vec<_> =
                names.iter().filter(|one| one.class_id == ClassId::find("Sprite")).collect();
            match sprites.as_slice() {
                [] => native("Sprite"),
                [only] => Some((only.file_id, Is::Class("Sprite".to_owned()))),
                _ => None,
            }
        }
        AssetKind::Texture => native("Texture2D"),
        AssetKind::Audio => native("AudioClip"),
        AssetKind::Video => native("VideoClip"),
        AssetKind::Shader => native("Shader"),
        AssetKind::Font => native("Font"),
        AssetKind::Text | AssetKind::AsmDef => native("TextAsset"),
        AssetKind::Model => {
            let names = index.sub_asset_names(asset);
            let wanted = ClassId::find(class?);
            let mut fit = names.iter().filter(|one| one.class_id == wanted);
            match (fit.next(), fit.next()) {
                (Some(only), None) => Some((only.file_id, Is::native(only.class_id))),
                _ => None,
            }
        }
        _ => own_main(asset, class),
    }
}

/// The main object among those that a file has itself.
fn own_main(asset: Asset<'_>, class: Option<&str>) -> Option<(FileId, Is)> {
    let all: Vec<_> = asset.objects().filter(|object| !object.stripped).collect();
    let numbered =
        all.iter().find(|object| types::class_of_id(object.file_id) == Some(object.class_id));
    let found = match all.as_slice() {
        [only] => Some(only),
        _ => numbered.or_else(|| {
            let wanted = class.and_then(types::class_named)?;
            let mut fit = all.iter().filter(|object| object.class_id.is_a(wanted));
            fit.next().filter(|_| fit.next().is_none())
        }),
    }?;
    Some((found.file_id, is_of(found)))
}

fn named_in_file(asset: Asset<'_>, name: &str) -> Option<(FileId, Is)> {
    if asset.objects().len() == 0 {
        return None;
    }
    let document = asset.document().ok()?;
    let found = document
        .objects()
        .find(|object| object.get("m_Name").is_some_and(|is| is.text() == name))?;
    let entry = asset.objects().find(|object| object.file_id == found.file_id());
    Some((found.file_id(), entry.map_or(Is::Unknown, |object| is_of(&object))))
}

/// Whether references say that the file is read as it is.
fn is_read_as_it_is(asset: Asset<'_>) -> bool {
    asset.importer() == Some("NativeFormatImporter")
}

/// `Assets/x.fbx#Head`: what is behind the last mark, where that is no part of a name.
fn split_sub(path: &str) -> (&str, Option<&str>) {
    match path.rsplit_once('#') {
        Some((asset, sub)) if asset.contains('.') && !sub.is_empty() => (asset, Some(sub)),
        _ => (path, None),
    }
}

fn id_of(value: &Value) -> Option<FileId> {
    let text = |text: &str| text.parse().ok();
    value.as_i64().or_else(|| value.as_str().and_then(text)).map(FileId)
}

fn no_reference(value: &Value) -> Refusal {
    let shown: String = value.to_string().chars().take(80).collect();
    Refusal::new(format!("{shown} is no reference")).hint(
        "a path of an asset or object, {\"asset\": …, \"sub\": …}, {\"object\": …, \"component\": …}, \
         {\"guid\", \"fileID\", \"type\"} or null",
    )
}
