//! The tool `asset.createFolder`: Create Folder.

use scenewright_contract::{Safety, ToolError};
use scenewright_toolkit::door::{Plan, Written, exists};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::assets::NewFiles;

pub(crate) const TOOL: Tool = Tool {
    id: "asset.createFolder",
    keywords: "new directory mkdir make folder for assets organize organise",
    argument_aliases: &[("folderPath", "path"), ("folder", "path")],
    title: "Create Folder",
    category: "asset",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Make a folder for sounds in the Unity sample",
        input: r#"{ "path": "Assets/Audio/Steps" }"#,
        output: r#"{
            "success": true,
            "path": "Assets/Audio/Steps",
            "guid": "",
            "created": true,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["guid", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Make a folder for assets, and those above it that are missing, each with its `.meta`. A folder that
/// is there already is left as it is.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The folder, such as `Assets/Audio/Steps`.
    path: String,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The folder.
    path: String,
    /// The guid that it got; absent when it was there, or Unity gives such a folder none.
    #[serde(skip_serializing_if = "Option::is_none")]
    guid: Option<String>,
    /// Whether it is new.
    created: bool,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let path = unity.asset_place(&input.path)?;
    if exists(cx, unity.project, &path) {
        return Err(ToolError::failed(format!("{path} is a file"))
            .hint("nothing was changed; choose another name"));
    }
    let created = !unity.is_folder(&path);
    let mut new = NewFiles::default();
    let mut guid = None;
    if created {
        new.parents(&unity, &path)?;
        guid = new.folder(&unity, path.clone())?.map(|guid| guid.to_string());
    }
    let mut plan = Plan::new(unity.project);
    new.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, |_, _| Ok(()))?;
    Ok(Output { success: true, path: path.to_string(), guid, created, written })
}

#[cfg(test)]
mod tests {
    use scenewright_fixture::Folder;
    use serde_json::json;

    use crate::testing::call_writing;

    #[test]
    fn folders_come_with_metas_and_go_with_undo() {
        let folder = Folder::unity("");
        let make = || call_writing(&folder, super::TOOL.id, json!({ "path": "Assets/A/B" }));
        let output = make().unwrap().output;
        assert!(folder.path("Assets/A/B").is_dir());
        let guid = output["guid"].as_str().unwrap();
        assert_eq!(
            folder.read("Assets/A/B.meta"),
            format!(
                "fileFormatVersion: 2\nguid: {guid}\nfolderAsset: yes\nDefaultImporter:\n  externalObjects: {{}}\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
            )
        );
        assert_eq!(output["filesChanged"], 2);
        assert!(folder.path("Assets/A.meta").exists());
        let again = make().unwrap().output;
        assert_eq!((&again["created"], &again["filesChanged"]), (&json!(false), &json!(0)));
    }

    #[test]
    fn places_that_are_not_for_assets_are_refused() {
        let folder = Folder::unity("//- Assets/a.txt\n");
        let refused = |path: &str| {
            call_writing(&folder, super::TOOL.id, json!({ "path": path })).unwrap_err().message
        };
        assert_eq!(refused("Assets/a.txt"), "Assets/a.txt is a file");
        assert_eq!(refused("Art"), "Path must be under Assets/ or Packages/: Art");
        assert_eq!(
            refused("Assets/NUL"),
            "Assets/NUL cannot be made: 'NUL' is a device on Windows"
        );
    }
}
