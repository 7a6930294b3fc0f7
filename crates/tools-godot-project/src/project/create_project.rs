//! The tool `godotProject.createProject`, which MCP clients call `create_project`.

use std::fs;
use std::path::{Path, PathBuf};

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_godot::classes::Version;
use scenewright_godot::{Config, Variant};
use scenewright_toolkit::{Cx, Example, Tool, call, paths, schema, workspace};
use scenewright_tools_godot::base::{places, refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotProject.createProject",
    keywords: "start from scratch empty project.godot init new game initialise",
    mcp: Some("create_project"),
    title: "Create Godot Project",
    notes: Some(
        "Makes a new folder, or fills an empty one, next to an open project, or in the working folder where none is open; other places are refused, and nothing that exists is changed. The new project is not open yet: project_open opens it. To take it back, delete the folder.",
    ),
    category: "godot.project",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Start a new game beside the open one",
        input: r#"{ "directory": "harbour", "name": "Harbour", "renderer": "gl_compatibility" }"#,
        output: r#"{
            "success": true,
            "path": "/home/me/games/harbour",
            "name": "Harbour",
            "godotVersion": "4.6",
            "files": [".editorconfig", ".gitattributes", ".gitignore", "icon.svg", "project.godot"],
            "dryRun": false
        }"#,
        varies: &["path"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create an empty Godot project in a new folder, as Godot's project manager does.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    /// The new folder: a name for one beside the first open project, or a whole path.
    directory: String,
    /// The name of the project; by default that of the folder.
    name: Option<String>,
    /// How it draws.
    #[serde(default)]
    renderer: Renderer,
    /// The version of Godot that it is for: `4.6`.
    godot_version: Option<String>,
    /// Tell what would be made instead of making it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Renderer {
    /// For computers.
    #[default]
    ForwardPlus,
    /// For phones.
    Mobile,
    /// For everything, the web included.
    GlCompatibility,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The folder of the project.
    path: String,
    /// Its name.
    name: String,
    /// The version of Godot that it is for.
    godot_version: String,
    /// The files that were made, sorted.
    files: Vec<String>,
    /// Whether this was only tried.
    dry_run: bool,
}

const IGNORED: &str = "# Godot 4+ specific ignores\n.godot/\n/android/\n";
const ATTRIBUTES: &str =
    "# Normalize EOL for all files that Git considers text files.\n* text=auto eol=lf\n";
const EDITOR: &str = "root = true\n\n[*]\ncharset = utf-8\n";
/// A lighthouse, since a project needs some picture.
const ICON: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="128" height="128"><rect width="124" height="124" x="2" y="2" rx="14" fill="#2b3a4a" stroke="#16202b" stroke-width="4"/><path d="M52 104 57 44h14l5 60z" fill="#e9edf1"/><path d="M54 84h20l1 12H53zM56 60h16l1 12H55z" fill="#d9534f"/><rect width="22" height="12" x="53" y="32" rx="3" fill="#ffd166"/></svg>
"##;

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let folder = new_folder(cx, &input.directory)?;
    let own = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = input.name.clone().unwrap_or(own);
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        return Err(ToolError::bad_argument("name", "must be a text of one line"));
    }
    let version = match &input.godot_version {
        Some(text) if !text.starts_with("4.") => {
            return Err(ToolError::bad_argument("godotVersion", "must be one of Godot 4: 4.6"));
        }
        Some(text) => Version::of(text),
        None => Version::default(),
    };
    let files = [
        (".editorconfig", EDITOR.to_owned()),
        (".gitattributes", ATTRIBUTES.to_owned()),
        (".gitignore", IGNORED.to_owned()),
        ("icon.svg", ICON.to_owned()),
        ("project.godot", settings(&name, version, input.renderer)?),
    ];
    if !input.dry_run {
        write_all(&folder, &files)?;
        cx.runner().may_open(folder.clone());
        cx.changed(files.iter().map(|(file, _)| folder.join(file).display().to_string()));
    }
    Ok(Output {
        success: true,
        path: folder.display().to_string(),
        name,
        godot_version: version.to_string(),
        files: files.iter().map(|(file, _)| (*file).to_owned()).collect(),
        dry_run: input.dry_run,
    })
}

/// The folder to be made: next to an open project, in none, and with nothing in it.
fn new_folder(cx: &Cx, text: &str) -> Result<PathBuf, ToolError> {
    let bad = |why: String, hint: &str| {
        Err(ToolError::new(ErrorKind::BadArguments, why).hint(hint.to_owned()))
    };
    let folder = places::find(cx.workspace(), text)?;
    let shown = folder.display();
    if places::allowed(cx.workspace()).contains(&folder) {
        return bad(format!("{shown} holds the open projects"), "name a new folder in it");
    }
    for name in folder.components().rev().take(1) {
        if let Some(why) = paths::not_portable(&name.as_os_str().to_string_lossy()) {
            return bad(format!("the folder cannot be called so: {why}"), "choose another name");
        }
    }
    let mut names = folder.components().map(|name| name.as_os_str().to_string_lossy());
    if names.any(|name| paths::is_version_control(&name)) {
        return bad(format!("{shown} is version control's"), "name a new folder beside it");
    }
    let allowed = places::allowed(cx.workspace());
    let below = allowed.iter().filter_map(|open| {
        let open = workspace::canonical(open).ok()?;
        folder.strip_prefix(open).ok()
    });
    let below = below.min_by_key(|below| below.components().count());
    let mut names = below.into_iter().flat_map(Path::components);
    if names.any(|name| name.as_os_str().to_string_lossy().starts_with('.')) {
        return bad(
            format!("{shown} is hidden or below a hidden folder, where programs keep their own"),
            "name a folder that does not begin with a dot",
        );
    }
    let is_in_project = |folder: &Path| folder.join("project.godot").is_file();
    let open = cx.workspace().projects().iter().find(|open| folder.starts_with(&open.root));
    if open.is_some() || folder.ancestors().skip(1).any(is_in_project) {
        return bad(
            format!("{shown} is inside of a project, where Godot would not see a second one"),
            "name a new folder beside it",
        );
    }
    match fs::read_dir(&folder).map(Iterator::count) {
        Ok(0) => Ok(folder),
        Ok(_) => bad(format!("{shown} is not empty"), "nothing was changed; name a new folder"),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(folder),
        Err(error) => bad(format!("{shown} cannot be used: {error}"), "name a new folder"),
    }
}

/// The settings that the project manager writes.
fn settings(name: &str, version: Version, renderer: Renderer) -> Result<String, ToolError> {
    let (feature, method) = match renderer {
        Renderer::ForwardPlus => ("Forward Plus", None),
        Renderer::Mobile => ("Mobile", Some("mobile")),
        Renderer::GlCompatibility => ("GL Compatibility", Some("gl_compatibility")),
    };
    let text = |text: &str| Variant::String(text.to_owned());
    let features = Variant::Strings(vec![version.to_string(), feature.to_owned()]);
    let mut config = Config::parse(HEAD);
    let mut set = |section: &str, key: &str, value: Variant| {
        config.set(section, key, &value).map_err(refused)
    };
    set("application", "config/name", text(name))?;
    set("application", "config/features", features)?;
    set("application", "config/icon", text("res://icon.svg"))?;
    if let Some(method) = method {
        set("rendering", "renderer/rendering_method", text(method))?;
    }
    if matches!(renderer, Renderer::GlCompatibility) {
        set("rendering", "renderer/rendering_method.mobile", text("gl_compatibility"))?;
    }
    Ok(String::from_utf8_lossy(config.as_bytes()).into_owned())
}

/// What Godot writes above all settings.
const HEAD: &str = "; Engine configuration file.
; It's best edited using the editor UI and not directly,
; since the parameters that go here are not all obvious.
;
; Format:
;   [section] ; section goes between []
;   param=value ; assign values to parameters

config_version=5
";

/// Write everything or nothing. The settings come last, so that a folder with them is whole.
#[expect(clippy::disallowed_methods, reason = "no project is there yet, so it has no door")]
fn write_all(folder: &Path, files: &[(&str, String)]) -> Result<(), ToolError> {
    let was_there = folder.is_dir();
    let failed = |what: &Path, error: &std::io::Error| {
        ToolError::failed(format!("{} cannot be written: {error}", what.display()))
            .hint("nothing was left behind")
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    for (at, (name, content)) in files.iter().enumerate() {
        let path = folder.join(name);
        let written = fs::File::create_new(&path).and_then(|mut file| {
            std::io::Write::write_all(&mut file, content.as_bytes())?;
            file.sync_all()
        });
        if let Err(error) = written {
            for (name, _) in &files[..at] {
                let _ = fs::remove_file(folder.join(name));
            }
            if !was_there {
                let _ = fs::remove_dir(folder);
            }
            return Err(failed(&path, &error));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn a_project_is_as_the_project_manager_makes_it() {
        let sample = GodotSample::inside("games");
        let arguments = json!({ "directory": "new game", "name": "A \"new\" game", "godotVersion": "4.4", "renderer": "gl_compatibility" });
        let made = sample.call(super::TOOL.id, arguments.clone()).unwrap();
        let folder = std::path::PathBuf::from(made["path"].as_str().unwrap());
        let settings = std::fs::read_to_string(folder.join("project.godot")).unwrap();
        let (_, settings) = settings.split_once("config_version=5\n").unwrap();
        expect![[r#"

            [application]

            config/name="A \"new\" game"
            config/features=PackedStringArray("4.4", "GL Compatibility")
            config/icon="res://icon.svg"

            [rendering]

            renderer/rendering_method="gl_compatibility"
            renderer/rendering_method.mobile="gl_compatibility"
        "#]]
        .assert_eq(settings);
        let again = sample.error(super::TOOL.id, arguments);
        assert_eq!(
            again,
            format!("{} is not empty; nothing was changed; name a new folder", folder.display())
        );
    }

    #[test]
    fn nothing_is_made_in_a_dry_run() {
        let sample = GodotSample::inside("games");
        let made =
            sample.call(super::TOOL.id, json!({ "directory": "x", "dryRun": true })).unwrap();
        assert_eq!(made["name"], "x");
        assert!(!std::path::Path::new(made["path"].as_str().unwrap()).exists());
    }

    #[test]
    fn other_places_are_refused() {
        let sample = GodotSample::inside("games");
        let refuse = |directory: &str| -> Value {
            let error = sample.error(super::TOOL.id, json!({ "directory": directory }));
            error
                .split(&sample.parent())
                .collect::<Vec<_>>()
                .join("PARENT")
                .replace('\\', "/")
                .into()
        };
        assert_eq!(refuse("../x"), "That folder is not open here: ../x; name one below PARENT");
        assert_eq!(refuse("/x"), "That folder is not open here: /x; name one below PARENT");
        assert_eq!(refuse(""), "PARENT holds the open projects; name a new folder in it");
        assert_eq!(
            refuse("godot/inner"),
            "PARENT/godot/inner is inside of a project, where Godot would not see a second one; name a new folder beside it"
        );
        for theirs in [".git", ".git/config", ".GIT./hooks/x", "new/.hg"] {
            let said = refuse(theirs);
            let said = said.as_str().unwrap();
            assert!(said.contains("is version control's; name a new folder beside it"), "{said}");
        }
        for hidden in [".ssh/x", ".hidden", "new/.config/game"] {
            assert_eq!(
                refuse(hidden),
                format!(
                    "PARENT/{hidden} is hidden or below a hidden folder, where programs keep their own; name a folder that does not begin with a dot"
                )
            );
        }
        assert_eq!(
            refuse("aux"),
            "the folder cannot be called so: 'aux' is a device on Windows; choose another name"
        );
    }
}
