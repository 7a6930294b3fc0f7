//! The tool `ci.buildTarget`: Build Unity Player.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, Tier, ToolError};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Project, Tool, call, schema};
use scenewright_tools_unity::base;
use scenewright_tools_unity::base::editor::Editor;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "ci.buildTarget",
    keywords: "make player executable windows android ios webgl linux mac release export game batch mode compile exe apk ipa standalone binary build",
    title: "Build Unity Player",
    notes: Some(
        "Starts Unity in batch mode, which compiles and runs code of the project. By itself Unity's command line builds for Windows, Linux and macOS; other platforms need a build method of the project, or in Unity 6 a build profile.",
    ),
    category: "ci",
    engine: Some("unity"),
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    runs: Runs::AndWrites,
    needs: Needs::Editor,
    at_once: true,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(4 * 3600), ..Limits::DEFAULT },
    examples: &[Example {
        description: "See how the Unity sample would be built for Windows",
        input: r#"{ "project": "unity", "buildTarget": "StandaloneWindows64", "buildPath": "Builds/Keep.exe", "dryRun": true }"#,
        output: r#"{
            "success": true,
            "buildTarget": "StandaloneWindows64",
            "buildPath": "Builds/Keep.exe",
            "buildSize": 0,
            "buildTime": 0.0,
            "command": ["Unity", "-batchmode"]
        }"#,
        varies: &["command"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Build the player of a Unity project in batch mode.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Platform.
    build_target: Target,
    /// Where the player goes: a file or folder from the project's root, outside of Assets.
    build_path: String,
    /// Scenes are those of the build settings; others need a build method, which gets these.
    #[serde(default)]
    scenes: Vec<String>,
    /// Static method of the project that builds, such as `Builder.BuildAndroid`. It finds the path in
    /// `-buildPath` and the options in `-buildOptions` of its command line.
    method: Option<String>,
    /// Build profile of Unity 6, such as `Assets/Settings/Build Profiles/Android.asset`.
    build_profile: Option<String>,
    /// Options for a build method.
    #[serde(default)]
    options: Options,
    /// Seconds after which the build is ended.
    #[serde(default = "usual_timeout")]
    #[schemars(range(min = 1, max = 14_000))]
    timeout: u64,
    /// Return the command instead of running it.
    #[serde(default)]
    dry_run: bool,
}

fn usual_timeout() -> u64 {
    3600
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
enum Target {
    StandaloneWindows64,
    StandaloneLinux64,
    #[serde(rename = "StandaloneOSX")]
    StandaloneOsx,
    #[serde(rename = "iOS")]
    Ios,
    Android,
    #[serde(rename = "WebGL")]
    WebGl,
}

impl Target {
    /// The name that Unity's command line has for it.
    fn name(self) -> &'static str {
        match self {
            Target::StandaloneWindows64 => "Win64",
            Target::StandaloneLinux64 => "Linux64",
            Target::StandaloneOsx => "OSXUniversal",
            Target::Ios => "iOS",
            Target::Android => "Android",
            Target::WebGl => "WebGL",
        }
    }

    /// The argument that builds for it without code of the project.
    fn flag(self) -> Option<&'static str> {
        match self {
            Target::StandaloneWindows64 => Some("-buildWindows64Player"),
            Target::StandaloneLinux64 => Some("-buildLinux64Player"),
            Target::StandaloneOsx => Some("-buildOSXUniversalPlayer"),
            Target::Ios | Target::Android | Target::WebGl => None,
        }
    }
}

#[derive(Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Options {
    /// A development build.
    #[serde(default)]
    development: bool,
    /// Debuggers may attach.
    #[serde(default)]
    allow_debugging: bool,
    /// Packed with LZ4.
    #[serde(default)]
    compress_with_lz4: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// Platform.
    build_target: Target,
    /// Where the player is.
    build_path: String,
    /// Bytes of the player.
    build_size: u64,
    /// Seconds that Unity took.
    build_time: f64,
    /// The command, in a dry run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    command: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let project = base::project(cx, input.project.as_deref())?;
    let place = place(project, &input.build_path)?;
    let arguments = arguments(&input, &place)?;
    let editor = Editor::find(project, "ci.buildTarget")?;
    run_with(cx, project, &editor, &input, &place, arguments)
}

fn run_with(
    cx: &Cx,
    project: &Project,
    editor: &Editor,
    input: &Input,
    place: &Path,
    arguments: Vec<OsString>,
) -> Result<Output, ToolError> {
    let mut output = Output {
        success: true,
        build_target: input.build_target,
        build_path: input.build_path.clone(),
        build_size: 0,
        build_time: 0.0,
        command: Vec::new(),
    };
    if input.dry_run {
        output.command.push(editor.path.display().to_string());
        output.command.extend(arguments.iter().map(|part| part.to_string_lossy().into_owned()));
        return Ok(output);
    }
    let timeout = Duration::from_secs(input.timeout);
    let done = editor.run(&project.root, &arguments, timeout, cx.cancel())?;
    output.build_time = done.time.as_secs_f64();
    output.build_size = size(place, 0);
    // Unity may end well although nothing was built.
    if done.code != Some(0) || output.build_size == 0 {
        let why = if done.code == Some(0) { "left no player".to_owned() } else { done.how() };
        return Err(ToolError::failed(format!("Build failed: Unity {why}"))
            .hint("the details have what its log says of errors")
            .detail("log", done.errors()));
    }
    Ok(output)
}

/// Where the player goes: inside of the project, and not among what Unity reads.
fn place(project: &Project, path: &str) -> Result<PathBuf, ToolError> {
    let plain = path.trim().replace('\\', "/");
    let parts: Vec<&str> =
        plain.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let own = ["Assets", "Packages", "ProjectSettings", "Library", "Temp", ".git", ".scenewright"];
    let is_own =
        parts.first().is_none_or(|first| own.iter().any(|own| first.eq_ignore_ascii_case(own)));
    let leads_out = parts.contains(&"..") || plain.starts_with('/') || plain.contains(':');
    if is_own || leads_out {
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("Build path not writable: {path}"),
        )
        .hint("give a path from the project's root outside of Assets, such as Builds/Game.exe"));
    }
    Ok(project.root.join(parts.join("/")))
}

fn arguments(input: &Input, place: &Path) -> Result<Vec<OsString>, ToolError> {
    let mut arguments: Vec<OsString> =
        vec!["-quit".into(), "-buildTarget".into(), input.build_target.name().into()];
    if let Some(method) = &input.method {
        let options = &input.options;
        let named = [
            ("development", options.development),
            ("allowDebugging", options.allow_debugging),
            ("compressWithLz4", options.compress_with_lz4),
        ];
        let chosen: Vec<&str> = named.iter().filter(|(_, on)| *on).map(|(name, _)| *name).collect();
        arguments.extend([
            "-executeMethod".into(),
            method.into(),
            "-buildPath".into(),
            place.into(),
        ]);
        for (name, values) in
            [("-buildOptions", chosen.join(",")), ("-scenes", input.scenes.join(","))]
        {
            if !values.is_empty() {
                arguments.extend([name.into(), values.into()]);
            }
        }
        return Ok(arguments);
    }
    let options = &input.options;
    let asks_more = !input.scenes.is_empty()
        || options.development
        || options.allow_debugging
        || options.compress_with_lz4;
    if let Some(profile) = &input.build_profile {
        arguments.truncate(1);
        arguments.extend([
            "-activeBuildProfile".into(),
            profile.into(),
            "-build".into(),
            place.into(),
        ]);
        return Ok(arguments);
    }
    match input.build_target.flag() {
        Some(flag) if !asks_more => {
            arguments.extend([flag.into(), place.into()]);
            Ok(arguments)
        }
        _ => {
            let what = match input.build_target.flag() {
                None => format!("build for {}", input.build_target.name()),
                Some(_) => "choose scenes or options".to_owned(),
            };
            let text = format!(
                "Invalid or unavailable build target: Unity's command line alone does not {what}"
            );
            Err(ToolError::new(ErrorKind::BadArguments, text)
                .hint("name a static build method of the project with method, or in Unity 6 a build profile with buildProfile"))
        }
    }
}

/// The bytes of a file, or of all files in a folder.
fn size(place: &Path, depth: usize) -> u64 {
    if place.is_file() {
        return place.metadata().map_or(0, |meta| meta.len());
    }
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    if depth > 64 { 0 } else { entries.map(|entry| size(&entry.path(), depth + 1)).sum() }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use expect_test::expect;
    use scenewright_contract::{Call, JsonMap};
    use scenewright_fixture::Folder;
    use scenewright_toolkit::Settings;
    use serde_json::{Value, json};

    use super::*;
    use crate::testing::runner;

    /// Builds with a program that writes its arguments, and makes what `$place` names if it is told so.
    fn tried(script: &str, arguments: Value) -> Result<Output, ToolError> {
        let folder = Folder::unity("");
        let start = "all=\"$*\"; while [ $# -gt 0 ]; do [ \"$1\" = -logFile ] && log=$2; place=$1; shift; done; echo \"Error: $all\" > \"$log\"";
        folder.write("Unity", format!("#!/bin/sh\n{start}\n{script}\n"));
        let path = folder.path("Unity");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        let settings = Settings { allow_writes: true, allow_runs: true, ..Settings::default() };
        let runner = runner(&[folder.path("")], settings);
        let cx = Cx::new(runner.clone(), Call::new(TOOL.id, JsonMap::new()), Limits::DEFAULT);
        let project = &cx.workspace().projects()[0];
        let input: Input = serde_json::from_value(arguments).unwrap();
        let place = place(project, &input.build_path)?;
        let arguments = super::arguments(&input, &place)?;
        run_with(&cx, project, &Editor { path }, &input, &place, arguments)
    }

    #[test]
    fn a_player_is_built_or_it_is_told_why_not() {
        let windows =
            json!({ "buildTarget": "StandaloneWindows64", "buildPath": "Builds/Game.exe" });
        let made = "mkdir -p \"$(dirname \"$place\")\"; printf 12345 > \"$place\"";
        assert_eq!(tried(made, windows.clone()).unwrap().build_size, 5);
        let failed = tried("exit 1", windows.clone()).err().unwrap();
        assert_eq!(failed.message, "Build failed: Unity ended with code 1");
        let log = failed.details["log"].as_str().unwrap();
        assert!(log.contains("-quit -buildTarget Win64 -buildWindows64Player"), "{log}");
        let nothing = tried("exit 0", windows).err().unwrap();
        assert_eq!(nothing.message, "Build failed: Unity left no player");
    }

    #[test]
    fn what_unitys_command_line_cannot_do_is_refused() {
        let error = |target: &str, path: &str, more: Value| {
            let mut arguments = json!({ "buildTarget": target, "buildPath": path });
            arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            tried("exit 0", arguments).err().unwrap().to_string()
        };
        let errors = [
            error("WebGL", "Builds/Web", json!({})),
            error("StandaloneLinux64", "Builds/Game", json!({ "scenes": ["Assets/A.unity"] })),
            error("Android", "Assets/Game.apk", json!({ "method": "Builder.Build" })),
            error("Android", "../Game.apk", json!({ "method": "Builder.Build" })),
        ];
        expect![[r#"
            Invalid or unavailable build target: Unity's command line alone does not build for WebGL
            Try: name a static build method of the project with method, or in Unity 6 a build profile with buildProfile
            Invalid or unavailable build target: Unity's command line alone does not choose scenes or options
            Try: name a static build method of the project with method, or in Unity 6 a build profile with buildProfile
            Build path not writable: Assets/Game.apk
            Try: give a path from the project's root outside of Assets, such as Builds/Game.exe
            Build path not writable: ../Game.apk
            Try: give a path from the project's root outside of Assets, such as Builds/Game.exe"#]].assert_eq(&errors.join("\n"));
    }
}
