//! The tool `unityPackages.add`: Add Unity Package.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::packages;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::manifest::{Manifest, RESOLVED};

pub(crate) const TOOL: Tool = Tool {
    id: "unityPackages.add",
    keywords: "install package manifest upm dependency cinemachine inputsystem textmeshpro git url version update upgrade manager input system",
    aliases: &["packages.add"],
    argument_aliases: &[("package", "name"), ("packageName", "name")],
    title: "Add Unity Package",
    notes: Some(
        "No registry is asked: whether there is such a version, Unity finds out when it resolves.",
    ),
    category: "unity.packages",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Add Cinemachine to the Unity sample",
        input: r#"{ "name": "com.unity.cinemachine", "version": "2.9.7" }"#,
        output: r#"{
            "success": true,
            "name": "com.unity.cinemachine",
            "version": "2.9.7",
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Put a package into `Packages/manifest.json`, or give it another version. Order and indentation of
/// the file are kept; Unity fetches the package when it opens the project.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The package, such as `com.unity.cinemachine`.
    name: String,
    /// A version such as `2.9.7`, a git address, or `file:` and a path from the folder Packages. By
    /// default that of the lock file.
    version: Option<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The package.
    name: String,
    /// What the manifest asks for now.
    version: String,
    /// What it asked for before; absent when the package is new.
    #[serde(skip_serializing_if = "Option::is_none")]
    previous_version: Option<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let name = checked_name(&input.name)?;
    let installed = packages::read(&unity.project.root).installed;
    let known = installed.iter().find(|package| package.name == name);
    let version = match &input.version {
        Some(version) => checked_version(version)?,
        None => known.and_then(|package| package.version.as_deref()).ok_or_else(|| {
            wrong(format!("the version of {name} is not known here"))
                .hint("give it, such as 2.9.7; no registry is asked")
        })?,
    };
    let manifest = Manifest::read(cx, unity.project)?;
    let previous_version = manifest.version(name);
    let written = manifest.set(cx, name, version, input.dry_run)?;
    if written.files_changed > 0 {
        cx.diagnose(RESOLVED);
    }
    let (name, version) = (name.to_owned(), version.to_owned());
    Ok(Output { success: true, name, version, previous_version, written })
}

fn checked_name(text: &str) -> Result<&str, ToolError> {
    let name = text.trim();
    let is_letter =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-._".contains(&byte);
    let is_name = name.contains('.') && name.len() <= 214 && name.bytes().all(is_letter);
    if is_name && !name.starts_with(['.', '-']) && !name.ends_with('.') {
        return Ok(name);
    }
    Err(wrong(format!("'{name}' is no name of a package"))
        .hint("small letters, digits, dots and hyphens: com.unity.cinemachine"))
}

fn checked_version(text: &str) -> Result<&str, ToolError> {
    let text = text.trim();
    let is_address = ["file:", "https://", "http://", "ssh://", "git://", "git+", "git@"];
    if is_address.iter().any(|start| text.starts_with(start)) || is_version(text) {
        return Ok(text);
    }
    Err(wrong(format!("'{text}' is no version of a package"))
        .hint("three numbers such as 2.9.7 or 1.0.0-pre.2, a git address, or file:../path"))
}

fn is_version(text: &str) -> bool {
    let (numbers, rest) = text.split_once(['-', '+']).unwrap_or((text, "x"));
    let parts: Vec<&str> = numbers.split('.').collect();
    let is_number =
        |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_tail = |byte: u8| byte.is_ascii_alphanumeric() || b".-+".contains(&byte);
    parts.len() == 3 && parts.iter().all(is_number) && !rest.is_empty() && rest.bytes().all(is_tail)
}

fn wrong(message: String) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use serde_json::json;

    use crate::testing::call_writing;

    #[test]
    fn a_package_comes_where_unity_would_put_it() {
        let folder = Folder::copy_of(&sample("unity"));
        let add = |name: &str, version: &str| {
            let arguments = json!({ "name": name, "version": version });
            call_writing(&folder, super::TOOL.id, arguments).map_err(|error| error.message)
        };
        add("com.unity.cinemachine", "2.9.7").unwrap();
        add("com.unity.ugui", "2.0.0").unwrap();
        add("com.unity.modules.wind", "1.0.0").unwrap();
        expect![[r#"
            {
              "dependencies": {
                "com.unity.addressables": "1.21.21",
                "com.unity.cinemachine": "2.9.7",
                "com.unity.localization": "1.4.5",
                "com.unity.ugui": "2.0.0",
                "com.unity.modules.audio": "1.0.0",
                "com.unity.modules.imgui": "1.0.0",
                "com.unity.modules.physics": "1.0.0",
                "com.unity.modules.ui": "1.0.0",
                "com.unity.modules.wind": "1.0.0"
              }
            }
        "#]]
        .assert_eq(&folder.read("Packages/manifest.json"));
        let same = add("com.unity.cinemachine", "2.9.7").unwrap().output;
        assert_eq!((&same["filesChanged"], &same["previousVersion"]), (&json!(0), &json!("2.9.7")));
        expect!["'Cinemachine' is no name of a package"]
            .assert_eq(&add("Cinemachine", "1.0.0").unwrap_err());
        expect!["'latest' is no version of a package"]
            .assert_eq(&add("com.unity.a", "latest").unwrap_err());
    }
}
