//! The tool `addressables.buildGroups`: Build Addressables.

use std::ffi::OsString;
use std::time::Duration;

use scenewright_contract::{ErrorKind, Limits, Runs, Safety, Tier, ToolError, suggest};
use scenewright_toolkit::tool::Needs;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::addressables::profiles;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::settings;
use crate::base::InUnity;
use crate::base::editor::Editor;

/// The package's own method that builds for the active profile.
const METHOD: &str =
    "UnityEditor.AddressableAssets.Settings.AddressableAssetSettings.BuildPlayerContent";

pub(crate) const TOOL: Tool = Tool {
    id: "addressables.buildGroups",
    keywords: "build addressables content bundles catalog batch mode",
    title: "Build Addressables",
    notes: Some(
        "Starts Unity in batch mode, which compiles and runs code of the project. It builds by the active profile with the build script that the settings name.",
    ),
    category: "addressables",
    tier: Tier::Tier4,
    safety: Safety::SafeWrite,
    runs: Runs::AndWrites,
    needs: Needs::Editor,
    at_once: true,
    idempotent: false,
    limits: Limits { timeout: Duration::from_secs(4 * 3600), ..Limits::DEFAULT },
    examples: &[Example {
        description: "See how the Addressables of the Unity sample would be built",
        input: r#"{ "project": "unity", "profile": "Default", "dryRun": true }"#,
        output: r#"{
            "success": true,
            "profile": "Default",
            "buildPath": "Library/com.unity.addressables",
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

/// Build the content of Addressables in Unity's batch mode.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Name of the profile, which must be the active one.
    profile: String,
    /// Platform by the name of Unity's command line, such as `Win64` or `Android`; the current one by
    /// default.
    build_target: Option<String>,
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

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The profile.
    profile: String,
    /// Where local content is built.
    build_path: String,
    /// Seconds that Unity took.
    build_time: f64,
    /// The command, in a dry run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    command: Vec<String>,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let project = unity.project;
    let settings = settings(cx, &unity, project)?;
    check_profile(&profiles(settings.document()), &input.profile)?;
    let editor = Editor::find(project, "addressables.buildGroups")?;
    let mut arguments: Vec<OsString> = vec!["-quit".into(), "-executeMethod".into(), METHOD.into()];
    if let Some(target) = &input.build_target {
        arguments.extend(["-buildTarget".into(), target.into()]);
    }
    let mut output = Output {
        success: true,
        profile: input.profile,
        build_path: "Library/com.unity.addressables".to_owned(),
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
    if done.code != Some(0) {
        return Err(ToolError::failed(format!("Build failed: Unity {}", done.how()))
            .hint("the details have what its log says of errors")
            .detail("log", done.errors()));
    }
    output.build_time = done.time.as_secs_f64();
    Ok(output)
}

fn check_profile(known: &[(String, bool)], wanted: &str) -> Result<(), ToolError> {
    let names = || known.iter().map(|(name, _)| name.as_str());
    let listed = names().collect::<Vec<_>>().join(", ");
    match known.iter().find(|(name, _)| name == wanted) {
        Some((_, true)) => Ok(()),
        Some((_, false)) => {
            let text = format!("Profile {wanted} is not the active one");
            Err(ToolError::new(ErrorKind::EngineError, text)
                .hint("make it active in the Addressables Groups window, or set m_ActiveProfileId"))
        }
        None => {
            let otherwise = format!("the profiles are {listed}");
            Err(ToolError::new(ErrorKind::EngineError, format!("Profile not found: {wanted}"))
                .hint(suggest::did_you_mean(wanted, names(), &otherwise)))
        }
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use crate::testing::{bench, bench_on};

    #[test]
    fn a_wrong_profile_is_told_before_the_editor_is_looked_for() {
        let bench = bench();
        expect!["Profile not found: Defalt; did you mean Default?"]
            .assert_eq(&bench.error(super::TOOL.id, json!({ "profile": "Defalt" })));
        let none = bench_on("//- Assets/A.cs\nclass A {}\n");
        expect!["Addressables package not installed; open Window > Asset Management > Addressables > Groups in Unity once, which makes the settings"].assert_eq(&none.error(super::TOOL.id, json!({ "profile": "Default" })));
    }
}
