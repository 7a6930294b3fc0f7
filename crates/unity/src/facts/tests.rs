//! Facts of whole projects, each written as one text.

use expect_test::{Expect, expect};
use scenewright_fixture::Folder;

use crate::Project;

const VERSION: &str = "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n";
const YAML: &str = "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!129 &1\n";

fn check(text: &str, expected: Expect) {
    let dir = Folder::files(text);
    let facts = Project::open(dir.root()).unwrap().facts().unwrap();
    expected.assert_eq(&dir.hide(&format!("{facts:#?}\n")));
}

/// Checks the runtime that `PlayerSettings` with this body gives.
fn check_runtime(version: &str, body: &str, expected: Expect) {
    let dir = Folder::files(&format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: {version}\n\
         //- ProjectSettings/ProjectSettings.asset\n{YAML}PlayerSettings:\n{body}"
    ));
    let facts = Project::open(dir.root()).unwrap().facts().unwrap();
    expected.assert_eq(&format!("{} {:?}", facts.scripting_runtime, facts.scripting_backends));
}

#[test]
fn reads_a_whole_project() {
    check(
        &format!(
            r#"{VERSION}
//- ProjectSettings/ProjectSettings.asset
{YAML}PlayerSettings:
  companyName: 'Us: the company'
  productName: "Caf\xE9 \u2019n"
  bundleVersion: 0.9
  applicationIdentifier:
    Android: com.us.cafe
    Standalone: 
  buildNumber:
    iPhone: 0
  m_BuildTargetIcons:
  - m_BuildTarget: 
    m_Icons: []
  m_BuildTargetBatching:
  - m_BuildTarget: WebGLSupport
    m_StaticBatching: 1
  - m_BuildTarget: WebPlayer
  m_BuildTargetVRSettings:
  - m_BuildTarget: Xbox360
    m_Enabled: 0
  scriptingBackend:
    Android: 1
  apiCompatibilityLevel: 6
//- ProjectSettings/EditorSettings.asset
{YAML}EditorSettings:
  m_SerializationMode: 2
//- ProjectSettings/EditorBuildSettings.asset
{YAML}EditorBuildSettings:
  m_Scenes:
  - enabled: 1
    path: Assets/A scene whose path is long
      enough to be folded.unity
    guid: b3bf1324da98a41e796a5881dd3812eb
  - enabled: 0
    path: Assets/Old.unity
  m_configObjects: {{}}
//- ProjectSettings/GraphicsSettings.asset
{YAML}GraphicsSettings:
  m_CustomRenderPipeline: {{fileID: 0}}
//- ProjectSettings/QualitySettings.asset
{YAML}QualitySettings:
//- Packages/manifest.json
{{ "dependencies": {{ "com.unity.ugui": "1.0.0", "odd": 1 }} }}
"#
        ),
        expect![[r#"
            Facts {
                product_name: "Café ’n",
                company_name: Some(
                    "Us: the company",
                ),
                bundle_version: Some(
                    "0.9",
                ),
                scripting_runtime: "Mono, .NET Standard 2.1",
                scripting_backends: {
                    "Android": "IL2CPP",
                },
                build_targets: [
                    "Android",
                    "Standalone",
                    "WebGL",
                    "WebPlayer",
                    "iOS",
                ],
                render_pipeline: BuiltIn,
                serialization: Text,
                scenes_in_build: [
                    BuildScene {
                        path: "Assets/A scene whose path is long enough to be folded.unity",
                        guid: Some(
                            "b3bf1324da98a41e796a5881dd3812eb",
                        ),
                        enabled: true,
                    },
                    BuildScene {
                        path: "Assets/Old.unity",
                        guid: None,
                        enabled: false,
                    },
                ],
                packages: {
                    "com.unity.ugui": "1.0.0",
                },
                notes: [
                    "Packages/manifest.json: the version of odd is not text",
                ],
            }
        "#]],
    );
}

#[test]
fn a_bare_project_has_facts_and_notes() {
    check(
        VERSION,
        expect![[r#"
        Facts {
            product_name: "DIR",
            company_name: None,
            bundle_version: None,
            scripting_runtime: "Unknown",
            scripting_backends: {},
            build_targets: [],
            render_pipeline: Unknown,
            serialization: Unknown,
            scenes_in_build: [],
            packages: {},
            notes: [
                "ProjectSettings/ProjectSettings.asset not found: the product, its version, the scripting runtime and the build targets cannot be told",
                "ProjectSettings/EditorSettings.asset not found: the serialization mode cannot be told",
                "ProjectSettings/EditorBuildSettings.asset not found: the scenes of the build cannot be told",
                "ProjectSettings/GraphicsSettings.asset not found: the default render pipeline cannot be told",
                "ProjectSettings/QualitySettings.asset not found: the render pipelines of the quality levels cannot be told",
                "Packages/manifest.json not found: the packages cannot be told",
                "render pipeline unknown: the settings could not be read, and Packages/manifest.json names no render pipeline package",
                "no product name in ProjectSettings/ProjectSettings.asset: the folder's name, DIR, stands for it",
            ],
        }
    "#]],
    );
}

#[test]
fn unreadable_settings_are_notes() {
    check(
        &format!(
            "{VERSION}//- ProjectSettings/ProjectSettings.asset\n\0\0\u{1}binary\n\
             //- ProjectSettings/EditorSettings.asset\nversion https://git-lfs.github.com/spec/v1\n\
             //- ProjectSettings/GraphicsSettings.asset\n\0\n\
             //- Packages/manifest.json\n{{\n"
        ),
        expect![[r#"
            Facts {
                product_name: "DIR",
                company_name: None,
                bundle_version: None,
                scripting_runtime: "Unknown",
                scripting_backends: {},
                build_targets: [],
                render_pipeline: Unknown,
                serialization: Unknown,
                scenes_in_build: [],
                packages: {},
                notes: [
                    "ProjectSettings/ProjectSettings.asset is binary, not text: the product, its version, the scripting runtime and the build targets cannot be told; set Asset Serialization to Force Text in Unity",
                    "ProjectSettings/EditorSettings.asset is a Git LFS pointer: the serialization mode cannot be told; run `git lfs pull`",
                    "ProjectSettings/EditorBuildSettings.asset not found: the scenes of the build cannot be told",
                    "ProjectSettings/GraphicsSettings.asset is binary, not text: the default render pipeline cannot be told; set Asset Serialization to Force Text in Unity",
                    "ProjectSettings/QualitySettings.asset not found: the render pipelines of the quality levels cannot be told",
                    "Packages/manifest.json is not JSON (EOF while parsing an object at line 2 column 0): the packages cannot be told",
                    "render pipeline unknown: the settings could not be read, and Packages/manifest.json names no render pipeline package",
                    "no product name in ProjectSettings/ProjectSettings.asset: the folder's name, DIR, stands for it",
                ],
            }
        "#]],
    );
}

#[test]
fn names_the_scripting_runtime() {
    check_runtime(
        "2022.3.20f1",
        "  apiCompatibilityLevel: 6\n",
        expect!["Mono, .NET Standard 2.1 {}"],
    );
    check_runtime(
        "2020.3.23f1",
        "  apiCompatibilityLevel: 6\n",
        expect!["Mono, .NET Standard 2.0 {}"],
    );
    check_runtime(
        "2021.3.6f1",
        "  scriptingBackend:\n    Standalone: 1\n    Windows Store Apps: 2\n  \
         apiCompatibilityLevelPerPlatform:\n    Standalone: 3\n  apiCompatibilityLevel: 6\n",
        expect![[r#"IL2CPP, .NET Framework {"Standalone": "IL2CPP", "WSA": ".NET"}"#]],
    );
    check_runtime(
        "2017.4.17f1",
        "  scriptingRuntimeVersion: 0\n  apiCompatibilityLevel: 2\n",
        expect!["Mono, .NET 2.0 Subset (.NET 3.5 runtime) {}"],
    );
    check_runtime("2022.3.20f1", "", expect!["Mono {}"]);
}

#[test]
fn reads_crlf_and_bom() {
    let body = format!("\u{feff}{YAML}PlayerSettings:\n  productName: A\n    B\n");
    let body = body.replace('\n', "\r\n");
    let dir = Folder::files(&format!("{VERSION}//- ProjectSettings/ProjectSettings.asset\n{body}"));
    let facts = Project::open(dir.root()).unwrap().facts().unwrap();
    assert_eq!(facts.product_name, "A B");
}

#[test]
fn lists_the_files_to_watch() {
    let dir = Folder::files(VERSION);
    let files = Project::open(dir.root()).unwrap().settings_files();
    let files: Vec<_> = files.iter().map(|path| dir.hide(&path.display().to_string())).collect();
    expect![[r#"
        DIR/ProjectSettings/ProjectVersion.txt
        DIR/ProjectSettings/ProjectSettings.asset
        DIR/ProjectSettings/GraphicsSettings.asset
        DIR/ProjectSettings/QualitySettings.asset
        DIR/ProjectSettings/EditorSettings.asset
        DIR/ProjectSettings/EditorBuildSettings.asset
        DIR/Packages/manifest.json"#]]
    .assert_eq(&files.join("\n"));
}
