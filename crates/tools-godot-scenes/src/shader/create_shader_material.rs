//! The tool `godotShader.createShaderMaterial`, which MCP clients call `create_shader_material`.

use scenewright_contract::{ErrorKind, JsonMap, Safety, ToolError, suggest};
use scenewright_godot::classes::Type;
use scenewright_godot::{Shader, Uniform, UniformScope, Variant, absolute_path};
use scenewright_toolkit::door::{ProjectPath, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{
    Godot, InGodot, InProject, OpenDocument, Write, read_typed, refused,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// More files are not followed from a shader's includes.
const MAX_INCLUDES: usize = 64;

pub(crate) const TOOL: Tool = Tool {
    id: "godotShader.createShaderMaterial",
    keywords: "material uniform parameters shader assign apply sprite mesh node parameter effect",
    mcp: Some("create_shader_material"),
    title: "Create Shader Material",
    category: "godot.shader",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make a material that glows green",
        input: r##"{
            "projectPath": "godot",
            "materialPath": "res://resources/green_glow.tres",
            "shaderPath": "res://resources/glow.gdshader",
            "parameters": { "glow_color": "#40ff80", "strength": 1 }
        }"##,
        output: r#"{
            "success": true,
            "materialPath": "res://resources/green_glow.tres",
            "shaderPath": "res://resources/glow.gdshader",
            "uid": "",
            "set": ["glow_color", "strength"],
            "unset": ["speed"],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo", "uid"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create a ShaderMaterial for a shader of the project. Parameters are checked against the uniforms
/// that the shader declares: names, types, ranges.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Where to make it: `res://glow.tres`.
    material_path: String,
    /// The shader: `res://glow.gdshader`.
    shader_path: String,
    /// Values of uniforms by name: numbers, `{"x": 1, "y": 2}`, `"#ff8800"`, `"res://noise.png"`.
    #[serde(default)]
    parameters: JsonMap,
    #[serde(flatten)]
    write: Write,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The new file.
    material_path: String,
    /// Its shader.
    shader_path: String,
    /// Its uid.
    uid: String,
    /// Uniforms that have a value now.
    set: Vec<String>,
    /// Uniforms that keep the shader's own value.
    unset: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.new_path(&input.material_path, &["tres"])?;
    let mut open = godot.new_resource(path, "ShaderMaterial")?;
    let shader = godot.path(&input.shader_path)?;
    let id = godot.reference(&mut open.document, &input.shader_path, "Shader")?;
    set_property(&mut open, "shader", &Variant::ExtResource(id))?;
    let (mut set, mut unset) = (Vec::new(), Vec::new());
    match shader.as_str().ends_with(".gdshader") {
        true => {
            let uniforms = uniforms(&godot, &shader)?;
            check_names(&shader, &uniforms, &input.parameters)?;
            // Godot writes them in the order of the shader.
            for uniform in uniforms.iter().filter(|found| found.scope == UniformScope::Material) {
                let Some(value) = input.parameters.get(&uniform.name) else {
                    unset.push(uniform.name.clone());
                    continue;
                };
                let value = uniform_value(&godot, &mut open, uniform, value)?;
                set_property(&mut open, &format!("shader_parameter/{}", uniform.name), &value)?;
                set.push(uniform.name.clone());
            }
        }
        false => {
            cx.diagnose(format!("{shader} is no shader text, so its uniforms were not checked."));
            for (name, value) in &input.parameters {
                let any = Type::named("Variant");
                let value = read_typed(&godot, &mut open.document, name.clone(), any, value)?;
                set_property(&mut open, &format!("shader_parameter/{name}"), &value)?;
                set.push(name.clone());
            }
        }
    }
    Ok(Output {
        success: true,
        material_path: format!("res://{}", open.path),
        shader_path: format!("res://{shader}"),
        uid: open.document.uid().unwrap_or_default().into_owned(),
        set,
        unset,
        written: open.save(&godot, input.write)?,
    })
}

fn set_property(open: &mut OpenDocument, key: &str, value: &Variant) -> Result<(), ToolError> {
    let section = open.document.main_resource().map_or(0, |section| section.index());
    open.document.set_property(section, key, value).map_err(refused)
}

/// The uniforms of a shader and of what it includes.
fn uniforms(godot: &Godot<'_>, shader: &ProjectPath) -> Result<Vec<Uniform>, ToolError> {
    let text = godot.read(shader)?;
    let root = Shader::parse(&String::from_utf8_lossy(&text));
    let mut uniforms = root.uniforms;
    let mut seen = vec![format!("res://{shader}")];
    let from = |file: &str, list: Vec<String>| -> Vec<String> {
        list.iter().map(|path| absolute_path(file, path)).collect()
    };
    let mut open = from(&seen[0], root.includes);
    while let Some(path) = open.pop() {
        if seen.contains(&path) || seen.len() > MAX_INCLUDES {
            continue;
        }
        let bytes = godot.path(&path).and_then(|path| godot.read(&path));
        seen.push(path.clone());
        let Ok(bytes) = bytes else {
            godot.cx.diagnose(format!("{path}, which the shader includes, is not there."));
            continue;
        };
        let included = Shader::parse(&String::from_utf8_lossy(&bytes));
        uniforms.extend(included.uniforms);
        open.extend(from(&path, included.includes));
    }
    Ok(uniforms)
}

fn check_names(
    shader: &ProjectPath,
    uniforms: &[Uniform],
    parameters: &JsonMap,
) -> Result<(), ToolError> {
    for name in parameters.keys() {
        match uniforms.iter().find(|uniform| uniform.name == *name).map(|found| found.scope) {
            Some(UniformScope::Material) => {}
            Some(UniformScope::Instance) => {
                return Err(wrong(format!("{name} is a uniform of each instance"))
                    .hint(format!("set instance_shader_parameters/{name} on the nodes instead")));
            }
            Some(UniformScope::Global) => {
                return Err(wrong(format!("{name} is a global uniform"))
                    .hint("its value is in the project's settings, [shader_globals]"));
            }
            None => {
                let known: Vec<&str> = uniforms.iter().map(|found| found.name.as_str()).collect();
                let otherwise = match known.is_empty() {
                    true => "it declares none".to_owned(),
                    false => format!("it declares {}", known.join(", ")),
                };
                return Err(wrong(format!("{shader} has no uniform '{name}'"))
                    .hint(suggest::did_you_mean(name, known, &otherwise)));
            }
        }
    }
    Ok(())
}

fn uniform_value(
    godot: &Godot<'_>,
    open: &mut OpenDocument,
    uniform: &Uniform,
    value: &Value,
) -> Result<Variant, ToolError> {
    let name = &uniform.name;
    if uniform.hints.iter().any(|hint| hint.ends_with("_texture") && hint.starts_with("hint_")) {
        return Err(wrong(format!(
            "{name} is filled by the engine ({})",
            uniform.hints.join(", ")
        )));
    }
    let choices = uniform.choices();
    if let Some(text) = value.as_str().filter(|_| !choices.is_empty()) {
        let found = choices.iter().position(|choice| choice.eq_ignore_ascii_case(text));
        return match found {
            Some(number) => Ok(Variant::int(i64::try_from(number).unwrap_or(0))),
            None => Err(wrong(format!("{name} cannot be '{text}'"))
                .hint(format!("one of {}", choices.join(", ")))),
        };
    }
    let place = format!("{name} ({})", uniform.kind);
    let read = read_typed(godot, &mut open.document, place, wanted(uniform), value)?;
    if let (Some((least, most)), Some(number)) = (uniform.range(), read.as_float())
        && !(least..=most).contains(&number)
    {
        return Err(wrong(format!("{name} is {number}, and the shader takes {least} to {most}")));
    }
    Ok(read)
}

/// The type that the engine keeps a uniform in.
fn wanted(uniform: &Uniform) -> Type {
    let color = uniform.is_color();
    let (one, many) = match uniform.kind.as_str() {
        "bool" => ("bool", "PackedInt32Array"),
        "int" | "uint" | "bvec2" | "bvec3" | "bvec4" => ("int", "PackedInt32Array"),
        "ivec2" | "uvec2" => ("Vector2i", "PackedInt32Array"),
        "ivec3" | "uvec3" => ("Vector3i", "PackedInt32Array"),
        "ivec4" | "uvec4" => ("Vector4i", "PackedInt32Array"),
        "float" => ("float", "PackedFloat32Array"),
        "vec2" => ("Vector2", "PackedVector2Array"),
        "vec3" if !color => ("Vector3", "PackedVector3Array"),
        "vec4" if !color => ("Vector4", "PackedVector4Array"),
        "vec3" | "vec4" => ("Color", "PackedColorArray"),
        "mat2" => ("Transform2D", "PackedFloat32Array"),
        "mat3" => ("Basis", "PackedFloat32Array"),
        "mat4" => ("Projection", "PackedFloat32Array"),
        "sampler2D" | "isampler2D" | "usampler2D" => ("Texture2D", "Array"),
        "sampler2DArray" | "isampler2DArray" | "usampler2DArray" => ("TextureLayered", "Array"),
        "sampler3D" | "isampler3D" | "usampler3D" => ("Texture3D", "Array"),
        "samplerCube" | "samplerCubeArray" => ("TextureLayered", "Array"),
        _ => ("Variant", "Variant"),
    };
    Type::named(if uniform.is_array { many } else { one })
}

fn wrong(message: String) -> ToolError {
    ToolError::new(ErrorKind::BadArguments, message)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    const SHADER: &str = r#"shader_type canvas_item;
#include "more.gdshaderinc"
uniform vec2 size = vec2(1.0);
uniform vec4 plain;
uniform int mode : hint_enum("Off", "Slow");
uniform sampler2D noise : repeat_enable;
uniform sampler2D screen : hint_screen_texture;
uniform float weights[3];
instance uniform float own;
global uniform float wind;
"#;

    #[test]
    fn parameters_have_the_types_of_the_uniforms() {
        let sample = GodotSample::new();
        sample.write("fx/a.gdshader", SHADER);
        sample.write("fx/more.gdshaderinc", "uniform vec3 tint : source_color;\n");
        let arguments = json!({
            "materialPath": "fx/a", "shaderPath": "fx/a.gdshader",
            "parameters": {
                "noise": "res://icon.svg", "weights": [1, 0.5, 0], "mode": "slow",
                "plain": { "x": 1, "y": 2, "z": 3, "w": 4 }, "size": { "x": 4, "y": 0.25 },
                "tint": { "r": 1, "g": 0, "b": 0.5 },
            },
        });
        expect![[r#"
            --- /dev/null
            +++ b/fx/a.tres
            @@ -0,0 +1,13 @@
            +[gd_resource type="ShaderMaterial" format=3 uid="uid://cfwwq7etatf3"]
            +
            +[ext_resource type="Shader" path="res://fx/a.gdshader" id="1_vw71h"]
            +[ext_resource type="Texture2D" uid="uid://dr6nbosst7erv" path="res://icon.svg" id="2_ow6ln"]
            +
            +[resource]
            +shader = ExtResource("1_vw71h")
            +shader_parameter/size = Vector2(4, 0.25)
            +shader_parameter/plain = Vector4(1, 2, 3, 4)
            +shader_parameter/mode = 1
            +shader_parameter/noise = ExtResource("2_ow6ln")
            +shader_parameter/weights = PackedFloat32Array(1, 0.5, 0)
            +shader_parameter/tint = Color(1, 0, 0.5, 1)
        "#]].assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn parameters_that_do_not_fit_are_refused() {
        let sample = GodotSample::new();
        sample.write("fx/a.gdshader", SHADER);
        let refuse = |shader: &str, parameters: Value| {
            let arguments = json!({
                "materialPath": "m.tres", "shaderPath": shader, "parameters": parameters,
            });
            sample.error(super::TOOL.id, arguments)
        };
        let glow = "resources/glow.gdshader";
        expect!["resources/glow.gdshader has no uniform 'strenght'; did you mean strength?"]
            .assert_eq(&refuse(glow, json!({ "strenght": 1 })));
        expect!["strength is 1.5, and the shader takes 0 to 1"]
            .assert_eq(&refuse(glow, json!({ "strength": 1.5 })));
        expect![[r#"strength (float) takes float, not "much"; write the value as Godot writes it in its files"#]].assert_eq(&refuse(glow, json!({ "strength": "much" })));
        expect![[r##"glow_color (vec4) takes Color, not {"x":1}; write "#ff8800" or {"r": 1, "g": 0.5, "b": 0}"##]].assert_eq(&refuse(glow, json!({ "glow_color": { "x": 1 } })));
        expect!["own is a uniform of each instance; set instance_shader_parameters/own on the nodes instead"].assert_eq(&refuse("fx/a.gdshader", json!({ "own": 1 })));
        expect![
            "wind is a global uniform; its value is in the project's settings, [shader_globals]"
        ]
        .assert_eq(&refuse("fx/a.gdshader", json!({ "wind": 1 })));
        expect!["screen is filled by the engine (hint_screen_texture)"]
            .assert_eq(&refuse("fx/a.gdshader", json!({ "screen": "res://icon.svg" })));
        expect!["mode cannot be 'fast'; one of Off, Slow"]
            .assert_eq(&refuse("fx/a.gdshader", json!({ "mode": "fast" })));
        expect!["scenes/main.tscn is a PackedScene, and a Texture2D is needed"]
            .assert_eq(&refuse("fx/a.gdshader", json!({ "noise": "res://scenes/main.tscn" })));
        expect!["icon.svg is a Texture2D, and a Shader is needed"]
            .assert_eq(&refuse("icon.svg", json!({})));
    }
}
