//! The tool `project.writeFile`: Write Text File.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::{self, Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use scenewright_tools_unity::UnityProject;
use scenewright_tools_unity::base::assets::NewFiles;
use scenewright_tools_unity::base::{ENGINE, InUnity, documents};
use scenewright_unity::{Document, DocumentKind, EditorVersion, meta, scan_guid};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

const BOM: &[u8] = b"\xef\xbb\xbf";
/// Files that Unity keeps its objects in.
const OBJECTS: [&str; 18] = [
    ".unity",
    ".prefab",
    ".asset",
    ".mat",
    ".anim",
    ".controller",
    ".overridecontroller",
    ".mixer",
    ".playable",
    ".physicmaterial",
    ".physicsmaterial",
    ".physicsmaterial2d",
    ".rendertexture",
    ".mask",
    ".flare",
    ".lighting",
    ".terrainlayer",
    ".spriteatlas",
];
/// Files that are JSON for an engine.
const JSON: [&str; 5] = [".asmdef", ".asmref", ".inputactions", "/manifest.json", "/package.json"];

pub(crate) const TOOL: Tool = Tool {
    id: "project.writeFile",
    keywords: "create new text file save overwrite whole content json txt csharp c# gdscript shader uxml uss readme put text yaml config disk",
    argument_aliases: &[],
    title: "Write Text File",
    notes: Some(
        "An existing file keeps its byte order mark and its line ends. project_editText changes parts of a file.",
    ),
    category: "project",
    safety: Safety::SafeWrite,
    examples: &[
        Example {
            description: "Write a text asset into the Unity sample; its meta comes with it",
            input: r#"{ "project": "unity", "path": "Assets/Data/levels.json", "content": "[]\n" }"#,
            output: r#"{
                "success": true,
                "path": "Assets/Data/levels.json",
                "bytesWritten": 3,
                "created": true,
                "guid": "",
                "dryRun": false,
                "filesChanged": 2,
                "changes": []
            }"#,
            varies: &["guid", "changes", "undo"],
        },
        Example {
            description: "See what a new file in the Godot sample would be",
            input: r##"{ "project": "godot", "path": "res://docs/plan.md", "content": "# Plan\n", "dryRun": true }"##,
            output: r#"{
                "success": true,
                "path": "docs/plan.md",
                "bytesWritten": 7,
                "created": true,
                "dryRun": true,
                "filesChanged": 1,
                "changes": []
            }"#,
            varies: &["changes"],
        },
    ],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Write a whole text file of the project: a new one, with its `.meta` in Unity, or another content for
/// one that is there. A scene, prefab or asset that could not be read any more is refused without
/// `force`; broken code is written and told.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the only open one by default.
    project: Option<String>,
    /// File, such as `Assets/Data/levels.json` or `res://data/levels.json`.
    path: String,
    /// The text of the whole file.
    content: String,
    /// How the text becomes bytes; that of the file that is there, or UTF-8, by default.
    encoding: Option<Encoding>,
    /// Make folders that are missing.
    #[serde(default = "yes")]
    create_folders: bool,
    /// Write it although the engine could not read it.
    #[serde(default)]
    force: bool,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
enum Encoding {
    /// Without a byte order mark.
    #[serde(rename = "utf-8")]
    Utf8,
    /// With one.
    #[serde(rename = "utf-8-bom")]
    Utf8Bom,
}

fn yes() -> bool {
    true
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    path: String,
    /// Its size.
    bytes_written: usize,
    /// Whether the file is new.
    created: bool,
    /// The guid that a new asset got.
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = cx.project(input.project.as_deref())?;
    let path = ProjectPath::parse(project, &input.path)?;
    let before = match door::exists(cx, project, &path) {
        true => Some(door::read(cx, project, &path)?),
        false => None,
    };
    let after = bytes(&input, before.as_deref());
    check(project, &path, before.as_deref(), &after).or_else(|error| match input.force {
        true => {
            cx.diagnose(format!("Written all the same: {}", error.message));
            Ok(())
        }
        false => Err(error),
    })?;
    if !input.create_folders {
        must_have_folder(project, &path)?;
    }
    tell_broken(cx, project, &path, &after);
    let bytes_written = after.len();
    let (mut plan, mut new) = (Plan::new(project), NewFiles::default());
    let mut guid = None;
    match &before {
        Some(before) => plan.write(&path, Some(before), after),
        None if is_asset(project, &path) => {
            let unity = cx.unity(Some(&project.id.to_string()))?;
            guid = new.add(&unity, &path, after)?.map(|guid| guid.to_string());
            if guid.is_none() {
                cx.diagnose(format!("Unity makes the meta of {path} when it imports the file."));
            }
            new.put(&mut plan);
        }
        None => plan.write(&path, None, after),
    }
    let written = plan.commit(cx, input.dry_run, |_, _| Ok(()))?;
    let created = before.is_none();
    Ok(Output { success: true, path: path.to_string(), bytes_written, created, guid, written })
}

/// The bytes of the text, in the manner of the file that is there.
fn bytes(input: &Input, before: Option<&[u8]>) -> Vec<u8> {
    let before = before.unwrap_or_default();
    let has_crlf = before.windows(2).any(|pair| pair == b"\r\n");
    let has_lf = before
        .iter()
        .enumerate()
        .any(|(at, byte)| *byte == b'\n' && at.checked_sub(1).is_none_or(|at| before[at] != b'\r'));
    let text = match has_crlf && !has_lf && !input.content.contains('\r') {
        true => input.content.replace('\n', "\r\n"),
        false => input.content.clone(),
    };
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text).as_bytes();
    let was_marked = before.starts_with(BOM) || input.content.starts_with('\u{feff}');
    let marked = input.encoding.map_or(was_marked, |encoding| encoding == Encoding::Utf8Bom);
    if marked { [BOM, text].concat() } else { text.to_vec() }
}

/// Whether the engine could read the file afterwards.
fn check(
    project: &Project,
    path: &ProjectPath,
    before: Option<&[u8]>,
    after: &[u8],
) -> Result<(), ToolError> {
    let refused = |why: String| {
        Err(ToolError::new(ErrorKind::BadArguments, format!("{path} is not written: {why}"))
            .hint("nothing was changed; correct the content, or give force: true")
            .detail("path", path.as_str()))
    };
    if let Some(before) = before.filter(|before| is_binary(before)) {
        let size = before.len();
        return refused(format!("it is no text file, but has {size} bytes of something else"));
    }
    let name = path.as_str().to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|end| name.ends_with(end));
    if ends(&JSON)
        && let Err(error) =
            serde_json::from_slice::<serde_json::Value>(after.strip_prefix(BOM).unwrap_or(after))
    {
        return refused(format!("it would be no JSON: {error}"));
    }
    let is_code = ends(&[".cs", ".gd"]);
    if let Some(problem) = project.engine.unread_part(path.as_str(), after).filter(|_| !is_code) {
        return refused(format!("it could not be read: {problem}"));
    }
    match project.of::<UnityProject>() {
        Some(_) if name.ends_with(".meta") => {
            match (before.and_then(scan_guid), scan_guid(after)) {
                (_, None) => refused("a meta has a guid".to_owned()),
                (Some(old), Some(new)) if old != new => {
                    refused(format!("references lead to its guid {old}, and the content has {new}"))
                }
                _ => Ok(()),
            }
        }
        Some(_) if ends(&OBJECTS) && !has_objects(after) => {
            refused("it would have no objects of Unity, which begin with '--- !u!'".to_owned())
        }
        // Without it there is no project any more, so that not even an undo finds its way back.
        Some(_) if name.eq_ignore_ascii_case(ENGINE.marker) && !names_version(after) => refused(
            "it would name no m_EditorVersion, and nothing could open the project".to_owned(),
        ),
        Some(_) if ends(&[".uxml"]) => match documents::problem(path, after) {
            Ok(()) => Ok(()),
            Err(why) => refused(format!("it would not be well-formed: {why}")),
        },
        _ => Ok(()),
    }
}

fn names_version(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes.strip_prefix(BOM).unwrap_or(bytes));
    EditorVersion::parse(&text).is_some()
}

fn has_objects(bytes: &[u8]) -> bool {
    let document = Document::parse(bytes);
    document.kind() == DocumentKind::UnityYaml && document.objects().len() > 0
}

fn is_binary(bytes: &[u8]) -> bool {
    bytes.iter().take(8000).any(|byte| *byte == 0) || std::str::from_utf8(bytes).is_err()
}

/// Code is written as it is given: what is wrong with it is easier to see in its file.
fn tell_broken(cx: &Cx, project: &Project, path: &ProjectPath, after: &[u8]) {
    let is_code = [".cs", ".gd"].iter().any(|end| path.as_str().ends_with(end));
    if let Some(problem) = project.engine.unread_part(path.as_str(), after).filter(|_| is_code) {
        cx.diagnose(format!("{path} cannot be read as it is: {problem}"));
    }
}

fn must_have_folder(project: &Project, path: &ProjectPath) -> Result<(), ToolError> {
    let Some((folder, _)) = path.as_str().rsplit_once('/') else { return Ok(()) };
    if project.root.join(folder).is_dir() {
        return Ok(());
    }
    Err(ToolError::not_found("folder", folder).hint("createFolders: true makes it"))
}

fn is_asset(project: &Project, path: &ProjectPath) -> bool {
    project.of::<UnityProject>().is_some() && meta::is_imported(path.as_str())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    const SCENE: &str =
        "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &42\nGameObject:\n  m_Name: Door\n";

    fn call(folder: &Folder, path: &str, content: &str) -> Result<Value, String> {
        let arguments = json!({ "path": path, "content": content });
        let outcome = call_writing(folder, super::TOOL.id, arguments);
        outcome.map(|outcome| (*outcome.output).clone()).map_err(|error| error.message)
    }

    #[test]
    fn a_new_asset_has_metas_up_to_its_folders_and_undo_takes_all_back() {
        let folder = Folder::unity("");
        let output = call(&folder, "Assets/Data/a.txt", "hello").unwrap();
        assert_eq!((&output["bytesWritten"], &output["filesChanged"]), (&json!(5), &json!(3)));
        let guid = output["guid"].as_str().unwrap();
        assert_eq!(folder.read("Assets/Data/a.txt"), "hello");
        assert_eq!(
            folder.read("Assets/Data/a.txt.meta"),
            format!(
                "fileFormatVersion: 2\nguid: {guid}\nTextScriptImporter:\n  externalObjects: {{}}\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
            )
        );
        assert!(folder.path("Assets/Data.meta").exists());
        let settings = call(&folder, "ProjectSettings/notes.txt", "x").unwrap();
        assert_eq!((&settings["guid"], &settings["filesChanged"]), (&Value::Null, &json!(1)));
        for _ in 0..2 {
            call_writing(&folder, "project.undoLast", json!({})).unwrap();
        }
        assert!(!folder.path("Assets/Data").exists() && !folder.path("Assets/Data.meta").exists());
    }

    #[test]
    fn a_file_keeps_its_mark_and_line_ends() {
        let folder = Folder::unity("");
        folder.write("Assets/A.cs", "\u{feff}class A {\r\n}\r\n");
        folder.write("Assets/A.cs.meta", "guid: 0a000000000000000000000000000001\n");
        call(&folder, "Assets/A.cs", "class B {\n}\n").unwrap();
        assert_eq!(folder.read("Assets/A.cs"), "\u{feff}class B {\r\n}\r\n");
        let plain =
            json!({ "path": "Assets/A.cs", "content": "class C {\n}\n", "encoding": "utf-8" });
        call_writing(&folder, super::TOOL.id, plain).unwrap();
        assert_eq!(folder.read("Assets/A.cs"), "class C {\r\n}\r\n");
    }

    #[test]
    fn a_version_that_no_project_can_be_opened_with_is_refused() {
        const VERSION: &str = "ProjectSettings/ProjectVersion.txt";
        let folder = Folder::unity("");
        let before = folder.read(VERSION);
        for broken in ["x", "", "m_EditorVersion:\n"] {
            expect!["ProjectSettings/ProjectVersion.txt is not written: it would name no m_EditorVersion, and nothing could open the project"]
                .assert_eq(&call(&folder, VERSION, broken).unwrap_err());
        }
        assert_eq!(folder.read(VERSION), before);
        // Another version is one, also behind a mark; a file of that name elsewhere is any text.
        call(&folder, VERSION, "\u{feff}m_EditorVersion: 2022.3.62f1\r\n").unwrap();
        call(&folder, "Assets/ProjectVersion.txt", "x").unwrap();
        for _ in 0..2 {
            call_writing(&folder, "project.undoLast", json!({})).unwrap();
        }
        assert_eq!(folder.read(VERSION), before);
    }

    #[test]
    fn a_document_that_is_not_well_formed_is_refused() {
        let folder = Folder::unity("");
        expect!["Assets/A.uxml is not written: it would not be well-formed: line 1, column 1: <ui:UXML> is never closed"]
            .assert_eq(&call(&folder, "Assets/A.uxml", "<ui:UXML>").unwrap_err());
        assert!(!folder.path("Assets/A.uxml").exists());
        let forced = json!({ "path": "Assets/A.uxml", "content": "<ui:UXML>", "force": true });
        call_writing(&folder, super::TOOL.id, forced).unwrap();
        let whole =
            "\u{feff}<?xml version=\"1.0\"?>\n<ui:UXML xmlns:ui=\"UnityEngine.UIElements\"/>\n";
        call(&folder, "Assets/A.uxml", whole).unwrap();
        assert_eq!(folder.read("Assets/A.uxml"), whole);
    }

    #[test]
    fn what_the_engine_could_not_read_is_refused() {
        let folder = Folder::unity(&format!("//- Assets/A.unity\n{SCENE}"));
        folder.write("Assets/A.unity.meta", "guid: 0a000000000000000000000000000001\n");
        let refused = |path: &str, content: &str| call(&folder, path, content).unwrap_err();
        expect!["Assets/A.unity is not written: it would have no objects of Unity, which begin with '--- !u!'"]
            .assert_eq(&refused("Assets/A.unity", "hello"));
        expect!["Assets/A.unity is not written: it could not be read: line 3: the header is not `--- !u!<class> &<id>`; the object is not read"]
            .assert_eq(&refused("Assets/A.unity", &SCENE.replace("&42", "&")));
        expect!["Assets/A.asmdef is not written: it would be no JSON: EOF while parsing an object at line 1 column 1"]
            .assert_eq(&refused("Assets/A.asmdef", "{"));
        expect!["Assets/A.unity.meta is not written: references lead to its guid 0a000000000000000000000000000001, and the content has 0a000000000000000000000000000002"]
            .assert_eq(&refused("Assets/A.unity.meta", "guid: 0a000000000000000000000000000002\n"));
        assert_eq!(folder.read("Assets/A.unity"), SCENE);
        let forced = json!({ "path": "Assets/A.unity", "content": "hello", "force": true });
        let outcome = call_writing(&folder, super::TOOL.id, forced).unwrap();
        assert!(outcome.diagnostics[0].starts_with("Written all the same: "));
        assert_eq!(folder.read("Assets/A.unity"), "hello");
    }
}
