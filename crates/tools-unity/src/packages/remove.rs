//! The tool `unityPackages.remove`: Remove Unity Package.

use scenewright_contract::{ErrorKind, Safety, Tier, ToolError, suggest};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::Guid;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::assets::Users;
use crate::base::manifest::{Manifest, RESOLVED};

pub(crate) const TOOL: Tool = Tool {
    id: "unityPackages.remove",
    keywords: "uninstall package manifest upm dependency delete take out project",
    aliases: &["packages.remove"],
    argument_aliases: &[("package", "name"), ("packageName", "name")],
    title: "Remove Unity Package",
    notes: Some("Who uses a package is only known while its files are here."),
    category: "unity.packages",
    tier: Tier::Tier2,
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Take a module out of the Unity sample",
        input: r#"{ "name": "com.unity.modules.physics" }"#,
        output: r#"{
            "success": true,
            "name": "com.unity.modules.physics",
            "version": "1.0.0",
            "usedBy": { "count": 0, "first": [] },
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

/// Take a package out of `Packages/manifest.json`. Order and indentation of the file are kept; which
/// assets refer to its files is told.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The package, such as `com.unity.cinemachine`.
    name: String,
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
    /// What the manifest asked for.
    version: String,
    /// Which assets refer to files of the package.
    used_by: Users,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let name = input.name.trim().to_owned();
    let manifest = Manifest::read(cx, unity.project)?;
    let Some(version) = manifest.version(&name) else {
        let names = manifest.names();
        let known = names.iter().map(String::as_str);
        let hint = suggest::did_you_mean(
            &name,
            known,
            "unityPackages_search finds those that others bring",
        );
        let text = format!("{name} is not in Packages/manifest.json");
        return Err(ToolError::new(ErrorKind::EngineError, text).hint(hint));
    };
    let is_own = |package: Option<&scenewright_unity::index::Package>| {
        package.is_some_and(|package| *package.name == *name)
    };
    let files = unity.index.assets().filter(|asset| is_own(asset.package()));
    let guids: Vec<Guid> = files.filter_map(|asset| asset.guid()).collect();
    let is_inside =
        |path: &str| unity.index.by_path(path).is_some_and(|asset| is_own(asset.package()));
    let used_by = unity.users(&guids, is_inside);
    let written = manifest.remove(cx, &name, input.dry_run)?;
    cx.diagnose(RESOLVED);
    Ok(Output { success: true, name, version, used_by, written })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::{Folder, sample};
    use serde_json::json;

    use crate::testing::call_writing;

    #[test]
    fn a_package_goes_with_its_comma() {
        let folder = Folder::copy_of(&sample("unity"));
        let remove = |name: &str| {
            let outcome = call_writing(&folder, super::TOOL.id, json!({ "name": name }));
            outcome.map_err(|error| error.text().replace("\nTry: ", " | "))
        };
        let before = folder.read("Packages/manifest.json");
        remove("com.unity.modules.ui").unwrap();
        let after = before.replace(",\n    \"com.unity.modules.ui\": \"1.0.0\"", "");
        assert_eq!(folder.read("Packages/manifest.json"), after);
        expect!["com.unity.uguy is not in Packages/manifest.json | did you mean com.unity.ugui?"]
            .assert_eq(&remove("com.unity.uguy").unwrap_err());
        assert_eq!(folder.read("Packages/manifest.json"), after);
    }
}
