//! The tool `godotShader.createShader`, which MCP clients call `create_shader`.

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_godot::Shader;
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_tools_godot::base::{InGodot, InProject, Write, saved};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub(crate) const TOOL: Tool = Tool {
    id: "godotShader.createShader",
    keywords: "glsl gdshader fragment vertex visual effect outline dissolve water glow wave canvas_item spatial custom",
    mcp: Some("create_shader"),
    title: "Create Shader",
    notes: Some(
        "Brackets and statements that do not end are refused; the code is not compiled: Godot tells other mistakes in it when it loads the shader.",
    ),
    category: "godot.shader",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "Make a shader that blinks",
        input: r#"{
            "projectPath": "godot",
            "shaderPath": "res://resources/blink.gdshader",
            "shaderType": "canvas_item",
            "renderMode": ["unshaded"],
            "uniforms": ["float speed : hint_range(0.0, 10.0) = 2.0"],
            "fragmentCode": "COLOR.a *= step(0.0, sin(TIME * speed));"
        }"#,
        output: r#"{
            "success": true,
            "shaderPath": "res://resources/blink.gdshader",
            "shaderType": "canvas_item",
            "uid": "",
            "uniforms": ["speed"],
            "dryRun": false,
            "filesChanged": 2,
            "changes": []
        }"#,
        varies: &["changes", "undo", "uid"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create a shader from the bodies of its functions. Give a body alone, or whole functions when you
/// need helpers beside it; create_shader_material makes a material of it.
#[derive(Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Input {
    #[serde(flatten)]
    project: InProject,
    /// Where to make it: `res://glow.gdshader`.
    shader_path: String,
    /// What it is for.
    shader_type: ShaderType,
    /// Render modes, such as `unshaded`.
    #[serde(default)]
    render_mode: Vec<String>,
    /// Uniforms as declared, such as `float speed : hint_range(0, 10) = 2.0`.
    #[serde(default)]
    uniforms: Vec<String>,
    /// Body of `vertex`; of `start` in a particle shader.
    #[schemars(length(max = 4_194_304))]
    vertex_code: Option<String>,
    /// Body of `fragment`; of `process`, `sky` or `fog` in shaders that have those.
    #[schemars(length(max = 4_194_304))]
    fragment_code: Option<String>,
    /// Body of `light`.
    #[schemars(length(max = 4_194_304))]
    light_code: Option<String>,
    #[serde(flatten)]
    write: Write,
}

#[derive(Clone, Copy, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ShaderType {
    Spatial,
    CanvasItem,
    Particles,
    Sky,
    Fog,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The new file.
    shader_path: String,
    /// What it is for.
    shader_type: ShaderType,
    /// Its uid; absent before Godot 4.4, where shaders have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    uid: Option<String>,
    /// The names of its uniforms.
    uniforms: Vec<String>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let godot = cx.godot(input.project.project_path.as_deref())?;
    let path = godot.new_path(&input.shader_path, &["gdshader"])?;
    godot.must_be_new(&path)?;
    let text = text(&input)?;
    if let Some(problem) = Shader::find_problem(&text) {
        let line = text.lines().nth(problem.line - 1).unwrap_or_default().trim();
        return Err(ToolError::new(
            ErrorKind::BadArguments,
            format!("Godot could not parse `{line}`: {}", problem.message),
        )
        .hint("nothing was changed; mend the code"));
    }
    let shader = Shader::parse(&text);
    let mut plan = Plan::new(godot.project);
    plan.write(&path, None, text.into_bytes());
    let uid = godot.add_uid_file(&mut plan, &path)?;
    Ok(Output {
        success: true,
        shader_path: format!("res://{path}"),
        shader_type: input.shader_type,
        uid,
        uniforms: shader.uniforms.into_iter().map(|uniform| uniform.name).collect(),
        written: saved(&godot, plan, input.write)?,
    })
}

fn text(input: &Input) -> Result<String, ToolError> {
    let kind = input.shader_type;
    let mut text = format!("shader_type {};\n", kind.name());
    for mode in &input.render_mode {
        check_mode(kind, mode.trim())?;
    }
    if !input.render_mode.is_empty() {
        let modes: Vec<&str> = input.render_mode.iter().map(|mode| mode.trim()).collect();
        text += &format!("render_mode {};\n", modes.join(", "));
    }
    if !input.uniforms.is_empty() {
        text += "\n";
    }
    for uniform in &input.uniforms {
        text += &declaration(uniform)?;
    }
    let [vertex, fragment] = kind.functions();
    let light = kind.has_light().then_some("light");
    let parts = [
        ("vertexCode", vertex, &input.vertex_code),
        ("fragmentCode", fragment, &input.fragment_code),
        ("lightCode", light, &input.light_code),
    ];
    for (parameter, function, code) in parts {
        let Some(code) = code.as_deref().filter(|code| !code.trim().is_empty()) else { continue };
        let Some(function) = function else {
            let problem = format!("has no place: a {} shader has no such function", kind.name());
            return Err(ToolError::bad_argument(parameter, &problem));
        };
        text += "\n";
        text += &body(parameter, function, code)?;
    }
    Ok(text)
}

impl ShaderType {
    fn name(self) -> &'static str {
        match self {
            Self::Spatial => "spatial",
            Self::CanvasItem => "canvas_item",
            Self::Particles => "particles",
            Self::Sky => "sky",
            Self::Fog => "fog",
        }
    }

    /// The functions that the bodies for vertices and fragments belong to.
    fn functions(self) -> [Option<&'static str>; 2] {
        match self {
            Self::Spatial | Self::CanvasItem => [Some("vertex"), Some("fragment")],
            Self::Particles => [Some("start"), Some("process")],
            Self::Sky => [None, Some("sky")],
            Self::Fog => [None, Some("fog")],
        }
    }

    fn has_light(self) -> bool {
        matches!(self, Self::Spatial | Self::CanvasItem)
    }

    fn render_modes(self) -> &'static [&'static str] {
        match self {
            Self::Spatial => &[
                "alpha_to_coverage",
                "alpha_to_coverage_and_one",
                "ambient_light_disabled",
                "blend_add",
                "blend_mix",
                "blend_mul",
                "blend_premul_alpha",
                "blend_sub",
                "cull_back",
                "cull_disabled",
                "cull_front",
                "debug_shadow_splits",
                "depth_draw_always",
                "depth_draw_never",
                "depth_draw_opaque",
                "depth_prepass_alpha",
                "depth_test_default",
                "depth_test_disabled",
                "depth_test_inverted",
                "diffuse_burley",
                "diffuse_lambert",
                "diffuse_lambert_wrap",
                "diffuse_toon",
                "ensure_correct_normals",
                "fog_disabled",
                "particle_trails",
                "shadow_to_opacity",
                "shadows_disabled",
                "skip_vertex_transform",
                "specular_disabled",
                "specular_occlusion_disabled",
                "specular_schlick_ggx",
                "specular_toon",
                "sss_mode_skin",
                "unshaded",
                "vertex_lighting",
                "wireframe",
                "world_vertex_coords",
            ],
            Self::CanvasItem => &[
                "blend_add",
                "blend_disabled",
                "blend_mix",
                "blend_mul",
                "blend_premul_alpha",
                "blend_sub",
                "light_only",
                "skip_vertex_transform",
                "unshaded",
                "world_vertex_coords",
            ],
            Self::Particles => {
                &["collision_use_scale", "disable_force", "disable_velocity", "keep_data"]
            }
            Self::Sky => {
                &["disable_fog", "use_debanding", "use_half_res_pass", "use_quarter_res_pass"]
            }
            Self::Fog => &[],
        }
    }
}

fn check_mode(kind: ShaderType, mode: &str) -> Result<(), ToolError> {
    let modes = kind.render_modes();
    if modes.contains(&mode) {
        return Ok(());
    }
    let otherwise = match modes {
        [] => "leave renderMode out".to_owned(),
        modes => format!("one of {}", modes.join(", ")),
    };
    Err(ToolError::new(
        ErrorKind::BadArguments,
        format!("a {} shader has no render mode '{mode}'", kind.name()),
    )
    .hint(suggest::did_you_mean(mode, modes.iter().copied(), &otherwise)))
}

/// A uniform on a line of its own, however much of it is given.
fn declaration(text: &str) -> Result<String, ToolError> {
    let plain = text.trim().trim_end_matches(';').trim_end();
    let has_word = plain.split_whitespace().take(2).any(|word| word == "uniform");
    let line = if has_word { format!("{plain};\n") } else { format!("uniform {plain};\n") };
    match Shader::parse(&line).uniforms.len() {
        1 => Ok(line),
        _ => Err(ToolError::bad_argument("uniforms", &format!("has '{text}', which is none"))
            .hint("write `float speed : hint_range(0, 10) = 2.0`")),
    }
}

/// A function with its body; whole functions are taken as they are.
fn body(parameter: &str, function: &str, code: &str) -> Result<String, ToolError> {
    let code = code.replace("\r\n", "\n");
    let (open, close) = (code.matches('{').count(), code.matches('}').count());
    if open != close {
        let problem = format!("has {open} opening and {close} closing braces");
        return Err(ToolError::bad_argument(parameter, &problem));
    }
    let lines: Vec<&str> = code.trim_matches('\n').lines().map(str::trim_end).collect();
    let is_whole = lines.iter().any(|line| {
        let words: String = line.split_whitespace().collect::<Vec<_>>().join(" ");
        words.starts_with(&format!("void {function}("))
    });
    if is_whole {
        return Ok(format!("{}\n", lines.join("\n").trim()));
    }
    let blank = |line: &&str| line.len() - line.trim_start().len();
    let indent = lines.iter().filter(|line| !line.is_empty()).map(blank).min().unwrap_or(0);
    let inner: String = lines
        .iter()
        .map(|line| match line.get(indent..) {
            Some(rest) if !rest.is_empty() => format!("\t{}\n", with_tabs(rest)),
            _ => "\n".to_owned(),
        })
        .collect();
    Ok(format!("void {function}() {{\n{inner}}}\n"))
}

/// A line with tabs where it is indented by blanks, as Godot's editor has them.
fn with_tabs(line: &str) -> String {
    let code = line.trim_start_matches(' ');
    let blanks = line.len() - code.len();
    format!("{}{}{code}", "\t".repeat(blanks / 4), " ".repeat(blanks % 4))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use crate::testing::GodotSample;

    #[test]
    fn bodies_become_functions() {
        let sample = GodotSample::new();
        let arguments = json!({
            "shaderPath": "water", "shaderType": "spatial",
            "renderMode": ["unshaded", "cull_disabled"],
            "uniforms": ["uniform vec4 tint : source_color;", "float height = 0.5"],
            "vertexCode": "    VERTEX.y += sin(TIME) * height;\n    if (true) {\n        VERTEX.x = 0.0;\n    }\n",
            "fragmentCode": "float halved(float a) {\n\treturn a * 0.5;\n}\n\nvoid fragment() {\n\tALBEDO = tint.rgb * halved(1.0);\n}",
        });
        expect![[r#"
            --- /dev/null
            +++ b/water.gdshader
            @@ -0,0 +1,20 @@
            +shader_type spatial;
            +render_mode unshaded, cull_disabled;
            +
            +uniform vec4 tint : source_color;
            +uniform float height = 0.5;
            +
            +void vertex() {
            +	VERTEX.y += sin(TIME) * height;
            +	if (true) {
            +		VERTEX.x = 0.0;
            +	}
            +}
            +
            +float halved(float a) {
            +	return a * 0.5;
            +}
            +
            +void fragment() {
            +	ALBEDO = tint.rgb * halved(1.0);
            +}
            --- /dev/null
            +++ b/water.gdshader.uid
            @@ -0,0 +1 @@
            +uid://ew537e6774nl
        "#]]
        .assert_eq(&sample.diff(super::TOOL.id, arguments));
    }

    #[test]
    fn other_shaders_have_other_functions() {
        let make = |kind: &str| {
            let sample = GodotSample::new();
            let code =
                json!({ "shaderPath": "s.gdshader", "shaderType": kind, "fragmentCode": "// x" });
            sample.call(super::TOOL.id, code).unwrap();
            sample.read("s.gdshader").replace('\n', "⏎")
        };
        expect!["shader_type particles;⏎⏎void process() {⏎	// x⏎}⏎"].assert_eq(&make("particles"));
        expect!["shader_type sky;⏎⏎void sky() {⏎	// x⏎}⏎"].assert_eq(&make("sky"));
        expect!["shader_type fog;⏎⏎void fog() {⏎	// x⏎}⏎"].assert_eq(&make("fog"));
    }

    #[test]
    fn mistakes_are_told() {
        let sample = GodotSample::new();
        let refuse = |change: Value| {
            let mut arguments = json!({ "shaderPath": "s.gdshader", "shaderType": "sky" });
            for (key, value) in change.as_object().unwrap() {
                arguments[key] = value.clone();
            }
            sample.error(super::TOOL.id, arguments)
        };
        expect!["a sky shader has no render mode 'disable_frog'; did you mean disable_fog?"]
            .assert_eq(&refuse(json!({ "renderMode": ["disable_frog"] })));
        expect![
            "Invalid tool arguments: vertexCode has no place: a sky shader has no such function"
        ]
        .assert_eq(&refuse(json!({ "vertexCode": "x" })));
        expect!["Invalid tool arguments: fragmentCode has 1 opening and 0 closing braces"]
            .assert_eq(&refuse(json!({ "fragmentCode": "if (true) {" })));
        expect!["Invalid tool arguments: uniforms has 'speed', which is none; write `float speed : hint_range(0, 10) = 2.0`"].assert_eq(&refuse(json!({ "uniforms": ["speed"] })));
        expect!["Godot could not parse `}`: `)` is expected here, not `}`; nothing was changed; mend the code"].assert_eq(&refuse(json!({ "fragmentCode": "COLOR = vec3(1.0" })));
        expect!["Godot could not parse `}`: `;` is expected before `}`; nothing was changed; mend the code"].assert_eq(&refuse(json!({ "fragmentCode": "COLOR = vec3(1.0)" })));
        expect!["resources/glow.gdshader exists already; nothing was changed; choose another name, or change the file that is there"].assert_eq(&refuse(json!({ "shaderPath": "resources/glow.gdshader" })));
        expect!["a.glsl ends in .glsl, and this makes .gdshader"]
            .assert_eq(&refuse(json!({ "shaderPath": "a.glsl" })));
    }
}
