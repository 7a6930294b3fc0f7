//! Textures with sizes and settings that cost, in small projects.

use serde_json::json;

use crate::testing::call_project;

/// A picture of 4096 × 2048 and one of 64 × 64; 2.png is none.
const PROJECT: &str = "\
//- Assets/big.gif\nGIF89a\0\x10\0\x08\0\0\0
//- Assets/big.gif.meta
guid: a0000000000000000000000000000001
TextureImporter:
  mipmaps:
    enableMipMap: 0
  platformSettings:
  - buildTarget: DefaultTexturePlatform
    maxTextureSize: 1024
    textureFormat: -1
    textureCompression: 1
  - buildTarget: Standalone
    maxTextureSize: 64
    overridden: 0
//- Assets/small.gif\nGIF89a\x40\0\x40\0\0\0\0
//- Assets/small.gif.meta
guid: a0000000000000000000000000000002
TextureImporter:
  mipmaps:
    enableMipMap: 1
  platformSettings:
  - buildTarget: DefaultTexturePlatform
    maxTextureSize: 2048
    textureFormat: 4
//- Assets/2.png\ntext
//- Assets/2.png.meta
guid: a0000000000000000000000000000003
//- Assets/Own.shader
Shader \"Own/Glow\" {
//- Assets/Own.shader.meta
guid: a0000000000000000000000000000004
//- Assets/A.mat
--- !u!21 &2100000
Material:
  m_Shader: {fileID: 4800000, guid: a0000000000000000000000000000004, type: 3}
  m_SavedProperties:
    m_TexEnvs:
    - _MainTex:
        m_Texture: {fileID: 2800000, guid: a0000000000000000000000000000001, type: 3}
    - _Mask:
        m_Texture: {fileID: 2800000, guid: a0000000000000000000000000000001, type: 3}
//- Assets/A.mat.meta
guid: a0000000000000000000000000000005
";

#[test]
fn memory_follows_the_import_settings() {
    let outcome = call_project(PROJECT, "build.textureUsage", json!({})).unwrap();
    let output = &outcome.output;
    // 1024 × 512 at 4 bits; 64 × 64 at 32 bits, × 4/3.
    assert_eq!(output["textures"][0]["memoryBytes"], 262_144);
    assert_eq!(output["textures"][0]["maxTextureSize"], 1024);
    assert_eq!(output["textures"][1]["memoryBytes"], 21_845);
    assert_eq!(output["totalTextureMemory"], "277.3 KB");
    assert_eq!(output["usageByShader"], json!({ "Own/Glow": "256.0 KB" }));
    let warning = json!({ "texture": "Assets/big.gif", "pixelsOverMaxSize": 3072 });
    assert_eq!(output["overdrawWarnings"], json!([warning]));
    assert_eq!((&output["textureCount"], &output["unreadableCount"]), (&json!(3), &json!(1)));
    assert_eq!(outcome.diagnostics[1], "Not counted, for their size could not be read: 1 .png");
}
