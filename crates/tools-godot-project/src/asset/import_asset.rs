//! The tool `godotAsset.importAsset`, which MCP clients call `import_asset`.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_text::{beneath, links};
use scenewright_toolkit::door::{Plan, ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{AssetKind, Godot, InGodot, InProject, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Larger files are not copied.
const MAX_BYTES: u64 = 128 << 20;

pub(crate) const TOOL: Tool = Tool {
    id: "godotAsset.importAsset",
    keywords: "copy picture sound model into project bring in external file png wav a glb from downloads the game disk desktop add font fbx",
    mcp: Some("import_asset"),
    title: "Import Asset",
    notes: Some(
        "Only images, sounds, models and fonts are copied, up to 128 MiB. Godot imports the file when the project is opened next.",
    ),
    category: "godot.asset",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Copy the icon into the folder of images",
        input: r#"{
            "projectPath": "godot",
            "sourcePath": "res://icon.svg",
            "destinationPath": "res://art/badge.svg"
        }"#,
        output: r#"{
            "success": true,
            "source": "",
            "destinationPath": "res://art/badge.svg",
            "category": "texture",
            "bytes": 0,
            "replaced": false,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo", "source", "bytes"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Copy an image, sound, model or font into the project. The source may be anywhere on this machine;
/// the settings of an import that is replaced stay.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// The file to copy: an absolute path, or one in the project.
    source_path: String,
    /// Where it goes: a path with the same extension, or a folder with `/` at its end.
    destination_path: String,
    /// Whether to replace a file that is there.
    #[serde(default)]
    overwrite: bool,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file that was copied.
    source: String,
    /// Its copy in the project.
    destination_path: String,
    /// What it is.
    category: AssetKind,
    /// Size in bytes.
    bytes: usize,
    /// Whether there was a file already.
    replaced: bool,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let source = source(&godot, &input.source_path)?;
    let category = AssetKind::of_path(&source.to_string_lossy()).ok_or_else(|| {
        let name = source.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ToolError::new(
            ErrorKind::BadArguments,
            format!("{name} is no image, sound, model or font that Godot imports"),
        )
    })?;
    let path = destination(&godot, &source, &input.destination_path)?;
    let before = match godot.exists(&path) {
        true if !input.overwrite => {
            let taken = format!("{path} exists already");
            return Err(ToolError::new(ErrorKind::BadArguments, taken)
                .hint("nothing was changed; choose another name, or set overwrite"));
        }
        true => Some(godot.read(&path)?),
        false => None,
    };
    let root = &godot.project.root;
    let root = root.canonicalize().unwrap_or_else(|_| root.clone());
    let bytes = read(&root, &source)?;
    let count = bytes.len();
    let mut plan = Plan::new(godot.project);
    plan.write(&path, before.as_deref(), bytes);
    Ok(Output {
        success: true,
        source: source.to_string_lossy().into_owned(),
        destination_path: format!("res://{path}"),
        category,
        bytes: count,
        replaced: before.is_some(),
        written: saved(&godot, plan, input.write)?,
    })
}

/// Where the source is, without links: a link may have another extension than what it leads to.
fn source(godot: &Godot<'_>, text: &str) -> Result<PathBuf, ToolError> {
    let path = match Path::new(text).is_absolute() {
        true => PathBuf::from(text),
        false => {
            let inside = godot.path(text)?;
            let path = godot.project.root.join(inside.as_str());
            links::check_inside(&godot.project.root, &path).map_err(|why| {
                ToolError::new(ErrorKind::BadArguments, format!("{inside} is {why}"))
            })?;
            path
        }
    };
    path.canonicalize().ok().filter(|path| path.is_file()).ok_or_else(|| {
        ToolError::not_found("file", text).hint("give an absolute path, or one in the project")
    })
}

fn destination(godot: &Godot<'_>, source: &Path, text: &str) -> Result<ProjectPath, ToolError> {
    let name = source.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let plain = text.trim().trim_end_matches(['/', '\\']);
    let is_folder = plain.len() < text.trim().len()
        || godot.path(plain).is_ok_and(|path| godot.is_folder(path.as_str()));
    let path = match (is_folder, matches!(plain, "" | "res:" | ".")) {
        (true, true) => godot.path(name)?,
        (true, false) => godot.path(&format!("{plain}/{name}"))?,
        (false, _) => godot.path(text)?,
    };
    let extension = |path: &Path| {
        path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase())
    };
    let (old, new) = (extension(source), extension(Path::new(path.as_str())));
    if old != new {
        return Err(ToolError::bad_argument(
            "destinationPath",
            &format!("must end in .{}, as the source does", old.unwrap_or_default()),
        ));
    }
    Ok(path)
}

fn read(root: &Path, source: &Path) -> Result<Vec<u8>, ToolError> {
    let failed =
        |why: String| ToolError::new(ErrorKind::EngineError, format!("{} {why}", source.display()));
    // One in the project is below its root when it is opened, too.
    let file = match source.starts_with(root) {
        true => beneath::open(root, source),
        false => File::open(source),
    };
    let file = file.map_err(|error| failed(format!("cannot be read: {error}")))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| failed(format!("cannot be read: {error}")))?;
    match bytes.len() as u64 > MAX_BYTES {
        true => Err(failed("is larger than 128 MiB".to_owned())),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::GodotSample;

    #[test]
    fn a_file_from_elsewhere_comes_into_a_folder() {
        let (sample, other) = (GodotSample::new(), GodotSample::new());
        let source = other.path("art/tiles.png");
        let arguments = json!({ "sourcePath": source, "destinationPath": "res://" });
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["destinationPath"], "res://tiles.png");
        assert_eq!(output["bytes"], std::fs::metadata(&source).unwrap().len());
        assert_eq!(
            std::fs::read(sample.path("tiles.png")).unwrap(),
            std::fs::read(&source).unwrap()
        );
    }

    #[test]
    fn a_file_that_is_there_is_replaced_on_request_only() {
        let sample = GodotSample::new();
        sample.write("art/icon.svg", "<svg/>");
        let mut arguments = json!({ "sourcePath": "icon.svg", "destinationPath": "art" });
        expect!["art/icon.svg exists already; nothing was changed; choose another name, or set overwrite"].assert_eq(&sample.error(super::TOOL.id, arguments.clone()));
        arguments["overwrite"] = true.into();
        let output = sample.call(super::TOOL.id, arguments).unwrap();
        assert_eq!(output["replaced"], true);
        assert_eq!(sample.read("art/icon.svg"), sample.read("icon.svg"));
    }

    #[test]
    fn only_assets_are_copied() {
        let sample = GodotSample::new();
        let refuse = |from: &str, to: &str| {
            sample.error(super::TOOL.id, json!({ "sourcePath": from, "destinationPath": to }))
        };
        expect!["project.godot is no image, sound, model or font that Godot imports"]
            .assert_eq(&refuse("project.godot", "copy.godot"));
        expect!["Invalid tool arguments: destinationPath must end in .svg, as the source does"]
            .assert_eq(&refuse("icon.svg", "icon.png"));
        expect!["file not found: art/none.png; give an absolute path, or one in the project"]
            .assert_eq(&refuse("art/none.png", "a.png"));
        expect!["Path must be inside the project: ../icon.svg; name it from the project's root: Assets/Door.prefab, res://door.tscn"].assert_eq(&refuse("icon.svg", "../icon.svg"));
        expect!["file not found: art; give an absolute path, or one in the project"]
            .assert_eq(&refuse("art", "x.png"));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_does_not_disguise_a_file() {
        let sample = GodotSample::new();
        std::os::unix::fs::symlink(sample.path("project.godot"), sample.path("art/a.png")).unwrap();
        let arguments = json!({ "sourcePath": "art/a.png", "destinationPath": "b.png" });
        expect!["project.godot is no image, sound, model or font that Godot imports"]
            .assert_eq(&sample.error(super::TOOL.id, arguments));
    }
}
