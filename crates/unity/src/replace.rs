//! Everything that refers to one asset, made to refer to another. An object of the first has one in the
//! second that stands for it: the same object by its id, by its name, or as what the file is about.
//! Where there is none, or a field does not take it, that is told and nothing is guessed.

use scenewright_text::Edits;

use crate::document::field_key;
use crate::index::{Asset, AssetKind, Index, SubAsset};
use crate::judge::{Judge, ScriptGrade, Verdict};
use crate::{ClassId, Document, FileId, Guid, types};

/// A place that cannot refer to the other asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfit {
    /// The line, from 1.
    pub line: usize,
    /// Why, as a sentence without a full stop.
    pub why: String,
}

/// What takes the place of what.
pub struct Replacement<'a> {
    judge: Judge<'a>,
    from: Side<'a>,
    to: Side<'a>,
}

/// One of both assets.
struct Side<'a> {
    asset: Asset<'a>,
    guid: Guid,
    names: Vec<SubAsset>,
    root: Option<Root>,
}

/// The root of a prefab and what is on it.
struct Root {
    id: FileId,
    components: Vec<(FileId, Kind)>,
}

/// What an object is: its native class, and its script where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    class: ClassId,
    script: Option<Guid>,
}

impl<'a> Replacement<'a> {
    /// References to `from` are to become references to `to`. Fails when one of them has no guid.
    pub fn new(index: &'a Index, from: Asset<'a>, to: Asset<'a>) -> Result<Self, String> {
        let side = |asset: Asset<'a>| {
            let guid = asset.guid().ok_or_else(|| format!("{} has no meta", asset.path()))?;
            let names = index.sub_asset_names(asset);
            Ok::<_, String>(Side { asset, guid, names, root: root_of(asset) })
        };
        Ok(Self { judge: Judge::new(index), from: side(from)?, to: side(to)? })
    }

    /// The guids: what is there, and what comes.
    pub fn guids(&self) -> (Guid, Guid) {
        (self.from.guid, self.to.guid)
    }

    /// What changes in a document. Places that cannot change are added to `unfit`.
    pub fn edits(&self, document: &Document, unfit: &mut Vec<Unfit>) -> Edits {
        let mut edits = Edits::default();
        for found in document.references() {
            if found.reference.guid != Some(self.from.guid) {
                continue;
            }
            let id = found.reference.file_id;
            let holder = found.object.and_then(|at| document.object_at(at));
            let new = self.stand_in(id).and_then(|(new, kinds)| {
                let [old, now] = kinds;
                if old == now {
                    return Ok(new);
                }
                let fits = holder.and_then(|holder| {
                    let body = holder.body_span().start..found.offset;
                    let key = field_key(document.as_bytes(), body)?;
                    let key = std::str::from_utf8(&document.as_bytes()[key]).ok()?;
                    types::takes(holder.class_id(), key, now?.class)
                });
                match fits {
                    Some(true) => Ok(new),
                    Some(false) => Err(format!("this field does not take a {}", self.said(now))),
                    None => Err(format!(
                        "it is not known whether this takes a {} in place of a {}",
                        self.said(now),
                        self.said(old)
                    )),
                }
            });
            match new {
                Ok(new) => self.write(document.as_bytes(), found.offset, (id, new), &mut edits),
                Err(why) => unfit.push(Unfit { line: document.line(found.offset), why }),
            }
        }
        edits
    }

    /// The object that stands for one of the old asset, and what both are.
    fn stand_in(&self, id: FileId) -> Result<(FileId, [Option<Kind>; 2]), String> {
        let (from, to) = (&self.from, &self.to);
        let path = to.asset.path();
        if from.asset.kind() == AssetKind::Script || to.asset.kind() == AssetKind::Script {
            return self.script(id);
        }
        let old = from.kind(id);
        let is_whole = id == FileId::PREFAB || id.is_null();
        if is_whole && from.asset.kind() == to.asset.kind() {
            return Ok((id, [None, None]));
        }
        // The same id is the same thing in a copy, and where ids follow from classes or names.
        if old.is_some() && to.asset.find_object(id).is_some() && to.kind(id) == old {
            return Ok((id, [old, old]));
        }
        // What importers make of any file has no name of its own that could differ.
        if self.judge.makes(from.asset, id) && self.judge.makes(to.asset, id) {
            return Ok((id, [old, old]));
        }
        if let Some(name) = from.names.iter().find(|one| one.file_id == id) {
            let is_same = |one: &&SubAsset| one.name == name.name && one.class_id == name.class_id;
            if let Some(same) = to.names.iter().find(is_same) {
                return Ok((same.file_id, [old, old]));
            }
            return Err(format!("{path} has nothing with the name {}", name.name));
        }
        let is_imported = types::class_of_id(id).is_some() && to.asset.objects().len() == 0;
        if is_imported && from.asset.kind() == to.asset.kind() {
            return match self.judge.reference(to.guid, id) {
                Verdict::Fine => Ok((id, [old, old])),
                Verdict::Unknown(why) | Verdict::Wrong(why) => Err(why),
            };
        }
        if let (Some(before), Some(after)) = (&from.root, &to.root) {
            return on_root(before, after, id).map(|new| (new, [old, old])).ok_or_else(|| {
                format!("{path} has nothing that stands for the {}", self.said(old))
            });
        }
        match (from.main(), to.main()) {
            (Some(before), Some(after)) if before == id => Ok((after, [old, to.kind(after)])),
            _ => Err(format!("{path} has nothing that stands for the {}", self.said(old))),
        }
    }

    fn said(&self, kind: Option<Kind>) -> String {
        match kind {
            Some(Kind { script: Some(script), .. }) => {
                let file = self.judge.index().by_guid(script);
                let class = file.and_then(|file| file.name().strip_suffix(".cs"));
                class.map_or_else(|| format!("MonoBehaviour of {script}"), str::to_owned)
            }
            Some(kind) => kind.class.name().unwrap_or("object").to_owned(),
            None => "object of that id".to_owned(),
        }
    }

    fn script(&self, id: FileId) -> Result<(FileId, [Option<Kind>; 2]), String> {
        if self.from.asset.kind() != self.to.asset.kind() {
            return Err("only a script can take the place of a script".to_owned());
        }
        let graded = self.judge.script(Some((self.to.guid, id)), "");
        match graded.grade {
            ScriptGrade::Present => Ok((id, [None, None])),
            _ => Err(graded.detail),
        }
    }

    /// Change the numbers of a reference; the way it is written stays.
    fn write(&self, text: &[u8], at: usize, ids: (FileId, FileId), edits: &mut Edits) {
        let Some(length) = memchr::memchr(b'}', &text[at..]) else { return };
        let inside = &text[at..at + length];
        let value = |key: &[u8]| {
            let start = memchr::memmem::find(inside, key)? + key.len();
            let start =
                start + inside[start..].iter().take_while(|b| b.is_ascii_whitespace()).count();
            let end = inside[start..].iter().position(|b| matches!(b, b',' | b' ' | b'\r' | b'\n'));
            Some(at + start..at + end.map_or(length, |end| start + end))
        };
        if let Some(range) = value(b"fileID:").filter(|_| ids.0 != ids.1) {
            edits.replace(range, ids.1.0.to_string());
        }
        if let Some(range) = value(b"guid:") {
            edits.replace(range, self.to.guid.to_string());
        }
        let kind = if is_native(self.to.asset) { "2" } else { "3" };
        if let Some(range) = value(b"type:").filter(|range| &text[range.clone()] != kind.as_bytes())
            && is_native(self.from.asset) != is_native(self.to.asset)
        {
            edits.replace(range, kind);
        }
    }
}

impl Side<'_> {
    fn kind(&self, id: FileId) -> Option<Kind> {
        if let Some(object) = self.asset.find_object(id) {
            let script = object.script.map(|script| script.guid);
            return Some(Kind { class: object.class_id, script });
        }
        let named = self.names.iter().find(|one| one.file_id == id).and_then(|one| one.class_id);
        let class = named.or_else(|| types::class_of_id(id))?;
        Some(Kind { class, script: None })
    }

    /// The object that the file is about.
    fn main(&self) -> Option<FileId> {
        // What importers make is not in the file.
        let made = match self.asset.kind() {
            AssetKind::Texture => ClassId::find("Texture2D"),
            AssetKind::Audio => ClassId::find("AudioClip"),
            AssetKind::Shader => ClassId::find("Shader"),
            AssetKind::Font => ClassId::find("Font"),
            AssetKind::Text => ClassId::find("TextAsset"),
            _ => None,
        };
        let class = self.asset.main_class().or(made)?;
        let mut own = self.asset.objects().filter(|object| object.class_id == class);
        match (own.next(), own.next(), self.asset.kind()) {
            (_, _, AssetKind::Prefab | AssetKind::Scene | AssetKind::Model) => None,
            (Some(only), None, _) => Some(only.file_id),
            (None, _, _) => Some(FileId(i64::from(class.0) * 100_000)),
            _ => None,
        }
    }
}

/// The object on the root of a prefab that stands for one on the root of another.
fn on_root(before: &Root, after: &Root, id: FileId) -> Option<FileId> {
    if id == before.id {
        return Some(after.id);
    }
    let (_, kind) = before.components.iter().find(|(own, _)| *own == id)?;
    let mut same = after.components.iter().filter(|(_, other)| other == kind);
    match (same.next(), same.next()) {
        (Some((only, _)), None) => Some(*only),
        _ => None,
    }
}

/// The root of a prefab that has its own, and no other's.
fn root_of(prefab: Asset<'_>) -> Option<Root> {
    if prefab.kind() != AssetKind::Prefab {
        return None;
    }
    let document = prefab.document().ok()?;
    let is_root = |object: &crate::Object<'_>| {
        let father = object.get("m_Father").and_then(|value| value.as_reference());
        !object.is_stripped() && father.is_some_and(|father| father.is_null())
    };
    let mut roots = document.objects().filter(is_root);
    let root = roots.next().filter(|_| roots.next().is_none())?;
    let owner = |object: &crate::Object<'_>| object.get("m_GameObject")?.as_reference();
    let id = owner(&root)?.file_id;
    let on_it = document.objects().filter(|object| owner(object).is_some_and(|o| o.file_id == id));
    let components = on_it.map(|object| {
        let script = object.get("m_Script").and_then(|value| value.as_reference()?.guid);
        (object.file_id(), Kind { class: object.class_id(), script })
    });
    let components = components.collect();
    Some(Root { id, components })
}

/// Whether references say that the file is read as it is.
fn is_native(asset: Asset<'_>) -> bool {
    asset.importer() == Some("NativeFormatImporter")
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;

    use super::*;

    fn meta(guid: char, importer: &str) -> String {
        format!(
            "fileFormatVersion: 2\nguid: {}\n{importer}:\n  userData:\n",
            guid.to_string().repeat(32)
        )
    }

    /// A project with materials a and b, textures c and d, prefabs e and f, and a user of them all.
    fn project() -> Folder {
        let material = "%YAML 1.1\n--- !u!21 &2100000\nMaterial:\n  m_Name: X\n";
        let prefab = |root: i64| {
            format!(
                "%YAML 1.1\n--- !u!1 &{root}\nGameObject:\n  m_Name: X\n--- !u!4 &{}\nTransform:\n  m_GameObject: {{fileID: {root}}}\n  m_Father: {{fileID: 0}}\n",
                root + 1
            )
        };
        let folder = Folder::unity("");
        let add = |name: &str, content: &str, guid: char, importer: &str| {
            folder.write(&format!("Assets/{name}"), content);
            folder.write(&format!("Assets/{name}.meta"), meta(guid, importer));
        };
        add("A.mat", material, 'a', "NativeFormatImporter");
        add("B.mat", material, 'b', "NativeFormatImporter");
        add("C.png", "", 'c', "TextureImporter");
        add("D.png", "", 'd', "TextureImporter");
        add("E.prefab", &prefab(100), 'e', "PrefabImporter");
        add("F.prefab", &prefab(200), 'f', "PrefabImporter");
        folder
    }

    fn replaced(from: &str, to: &str, line: &str) -> (String, Vec<Unfit>) {
        let folder = project();
        let index = Index::build(folder.root(), None, &()).unwrap();
        let asset = |name: &str| index.by_path(&format!("Assets/{name}")).unwrap();
        let replacement = Replacement::new(&index, asset(from), asset(to)).unwrap();
        let text = format!("--- !u!23 &5\nMeshRenderer:\n{line}\n");
        let document = Document::parse(text.clone());
        let mut unfit = Vec::new();
        let after = replacement.edits(&document, &mut unfit).apply(text.as_bytes()).unwrap();
        let after = String::from_utf8(after).unwrap();
        (after.lines().skip(2).collect::<Vec<_>>().join("\n"), unfit)
    }

    fn reference(id: i64, guid: char, kind: i32) -> String {
        format!("{{fileID: {id}, guid: {}, type: {kind}}}", guid.to_string().repeat(32))
    }

    #[test]
    fn what_stands_for_an_object_takes_its_place() {
        let list = |reference: String| format!("  m_Materials:\n  - {reference}");
        let (after, unfit) = replaced("A.mat", "B.mat", &list(reference(2100000, 'a', 2)));
        assert_eq!((after, unfit), (list(reference(2100000, 'b', 2)), Vec::new()));
        let field = |reference: String| format!("  m_Some: {reference}");
        let (after, unfit) = replaced("E.prefab", "F.prefab", &field(reference(100, 'e', 3)));
        assert_eq!((after, unfit), (field(reference(200, 'f', 3)), Vec::new()));
        let (after, unfit) = replaced("E.prefab", "F.prefab", &field(reference(101, 'e', 3)));
        assert_eq!((after, unfit), (field(reference(201, 'f', 3)), Vec::new()));
        // What refers to others stays.
        let (after, unfit) = replaced("E.prefab", "F.prefab", &field(reference(2100000, 'a', 2)));
        assert_eq!((after, unfit), (field(reference(2100000, 'a', 2)), Vec::new()));
    }

    /// What becomes of a reference from C.png to D.png, whose metas go on as given.
    fn of_textures(id: i64, metas: [&str; 2]) -> (bool, Vec<String>) {
        let folder = project();
        for (name, guid, rest) in [("C", 'c', metas[0]), ("D", 'd', metas[1])] {
            let meta = meta(guid, "TextureImporter") + rest;
            folder.write(&format!("Assets/{name}.png.meta"), meta);
        }
        let index = Index::build(folder.root(), None, &()).unwrap();
        let asset = |name: &str| index.by_path(&format!("Assets/{name}.png")).unwrap();
        let replacement = Replacement::new(&index, asset("C"), asset("D")).unwrap();
        let text =
            format!("--- !u!212 &5\nSpriteRenderer:\n  m_Sprite: {}\n", reference(id, 'c', 3));
        let mut unfit = Vec::new();
        let edits = replacement.edits(&Document::parse(text.clone()), &mut unfit);
        let after = String::from_utf8(edits.apply(text.as_bytes()).unwrap()).unwrap();
        let is_replaced = after.contains(&reference(id, 'd', 3));
        (is_replaced, unfit.into_iter().map(|unfit| unfit.why).collect())
    }

    #[test]
    fn what_importers_make_of_every_file_takes_its_place() {
        let single = "  spriteMode: 1\n  textureType: 8\n";
        let named = "  spriteMode: 1\n  textureType: 8\n  internalIDToNameTable:\n  - first:\n      213: 21300000\n    second: C_0\n";
        let sheet = "  spriteMode: 2\n  textureType: 8\n";
        assert_eq!(of_textures(2_800_000, ["", ""]), (true, vec![]));
        assert_eq!(of_textures(21_300_000, [single, single]), (true, vec![]));
        assert_eq!(of_textures(21_300_000, [named, single]), (true, vec![]));
        for other in [sheet, ""] {
            let (is_replaced, unfit) = of_textures(21_300_000, [single, other]);
            assert_eq!((is_replaced, unfit.len()), (false, 1));
        }
        let (is_replaced, unfit) = of_textures(2_800_000, ["", "  textureShape: 2\n"]);
        assert_eq!((is_replaced, unfit.len()), (false, 1));
    }

    #[test]
    fn what_does_not_fit_stays_and_is_told() {
        let line = format!("  m_Materials:\n  - {}", reference(2100000, 'a', 2));
        let (after, unfit) = replaced("A.mat", "C.png", &line);
        assert_eq!(after, line);
        assert_eq!(unfit[0].line, 4);
        assert_eq!(unfit[0].why, "this field does not take a Texture2D");
        let line = format!("  m_Some: {}", reference(333, 'e', 3));
        let (after, unfit) = replaced("E.prefab", "F.prefab", &line);
        assert_eq!(after, line);
        assert_eq!(
            unfit[0].why,
            "Assets/F.prefab has nothing that stands for the object of that id"
        );
    }
}
