//! The tool `settings.setLayerCollision`: Set Layer Collision.

use scenewright_contract::{ErrorKind, Safety, ToolError};
use scenewright_toolkit::door::Written;
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::edit::{self, New, Refused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::settings;
use crate::base::InUnity;
use crate::base::draft::{self, Draft};
use crate::base::layers::{Layer, by_name_or_number};

const FIELD: &str = "m_LayerCollisionMatrix";
/// Layers that there are, each with a row of as many bits.
const LAYERS: usize = 32;
/// Hexadecimal digits of a row.
const DIGITS: usize = LAYERS / 4;

pub(crate) const TOOL: Tool = Tool {
    id: "settings.setLayerCollision",
    keywords: "physics layer collision matrix ignore collisions between two layers collide not pass through physics2d dynamics manager",
    argument_aliases: &[("a", "layerA"), ("b", "layerB"), ("enabled", "collide")],
    title: "Set Layer Collision",
    category: "settings",
    safety: Safety::SafeWrite,
    examples: &[Example {
        description: "Let interactable things fall through the ground of the Unity sample",
        input: r#"{ "project": "unity", "layerA": "Interactable", "layerB": "Ground", "collide": false }"#,
        output: r#"{ "success": true, "layerA": 6, "layerB": 7, "collide": false, "changed": true, "dryRun": false, "filesChanged": 1, "changes": [] }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Say whether objects of two layers collide: the matrix of layers in the settings of physics.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// A layer: its name or number.
    #[schemars(schema_with = "by_name_or_number")]
    layer_a: Layer,
    /// The other layer, or the same one: its name or number.
    #[schemars(schema_with = "by_name_or_number")]
    layer_b: Layer,
    /// Whether they collide.
    collide: bool,
    /// Which physics.
    #[serde(default)]
    dimension: Dimension,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

/// Each physics has a matrix of its own.
#[derive(Clone, Copy, Default, Deserialize, JsonSchema)]
enum Dimension {
    #[default]
    #[serde(rename = "3d")]
    Three,
    #[serde(rename = "2d")]
    Two,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The number of the first layer.
    layer_a: u32,
    /// The number of the other.
    layer_b: u32,
    /// Whether they collide now.
    collide: bool,
    /// False when it was so already.
    changed: bool,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (a, b) = (input.layer_a.number(&unity)?, input.layer_b.number(&unity)?);
    let mut file = Draft::open(cx, unity.project, input.dimension.file())?;
    let before = settings(file.document()).and_then(|object| object.get(FIELD));
    let before = before.map(|value| value.text().into_owned());
    let after = with_pair(before.as_deref(), (a, b), input.collide)
        .map_err(|why| unusable(file.path.as_str(), &why))?;
    let changed = before.as_ref() != Some(&after);
    if changed {
        file.change(|document, manner, edits| {
            let object = settings(document).ok_or_else(|| Refused::NoPlace(FIELD.into()))?;
            edit::set(object, FIELD, &New::Text(after), manner, edits)
        })?;
    }
    let written = draft::commit(cx, unity.project, &[&file], input.dry_run)?;
    let collide = input.collide;
    Ok(Output { success: true, layer_a: a, layer_b: b, collide, changed, written })
}

impl Dimension {
    fn file(self) -> &'static str {
        match self {
            Dimension::Three => "ProjectSettings/DynamicsManager.asset",
            Dimension::Two => "ProjectSettings/Physics2DSettings.asset",
        }
    }
}

/// The matrix with one pair of layers set, in the row of each; why there is none otherwise.
fn with_pair(before: Option<&str>, (a, b): (u32, u32), on: bool) -> Result<String, String> {
    let text = before.ok_or_else(|| format!("has no {FIELD}"))?;
    let wanted = LAYERS * DIGITS;
    if text.len() != wanted || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let length = text.len();
        return Err(format!("has a {FIELD} of {length} characters, not {wanted} digits"));
    }
    let mut after = text.to_owned();
    for (row, bit) in [(a as usize, b), (b as usize, a)] {
        let span = row * DIGITS..(row + 1) * DIGITS;
        // Rows are numbers with their lowest byte first, so reading them swaps their bytes.
        let number = u32::from_str_radix(&after[span.clone()], 16).unwrap_or_default().swap_bytes();
        let number = if on { number | 1 << bit } else { number & !(1 << bit) };
        after.replace_range(span, &format!("{:08x}", number.swap_bytes()));
    }
    // Digits that someone wrote in capitals are no change.
    Ok(if after.eq_ignore_ascii_case(text) { text.to_owned() } else { after })
}

fn unusable(path: &str, why: &str) -> ToolError {
    ToolError::new(ErrorKind::EngineError, format!("{path} {why}"))
        .hint("nothing was changed; open Physics in Unity's project settings and save the project")
        .detail("path", path)
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::{Value, json};

    use super::with_pair;
    use crate::testing::{bench, bench_on, lines_of};

    fn pair(a: Value, b: Value, collide: bool) -> Value {
        json!({ "layerA": a, "layerB": b, "collide": collide })
    }

    #[test]
    fn both_rows_of_a_pair_change_and_come_back() {
        let bench = bench();
        let before = bench.read("ProjectSettings/DynamicsManager.asset");
        let apart = pair(json!("Interactable"), json!("ground"), false);
        expect![[r#"
            ProjectSettings/DynamicsManager.asset
            -  m_LayerCollisionMatrix: ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
            +  m_LayerCollisionMatrix: ffffffffffffffffffffffffffffffffffffffffffffffff7fffffffbfffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
        "#]].assert_eq(&lines_of(&bench.diff(super::TOOL.id, apart.clone())));
        let again = bench.call(super::TOOL.id, apart).unwrap();
        assert_eq!((&again["changed"], &again["filesChanged"]), (&json!(false), &json!(0)));
        bench.call(super::TOOL.id, pair(json!("7"), json!(6), true)).unwrap();
        assert_eq!(bench.read("ProjectSettings/DynamicsManager.asset"), before);
    }

    #[test]
    fn what_is_wrong_is_told() {
        let bench = bench();
        let mut flat = pair(json!(0), json!(1), false);
        flat["dimension"] = json!("2d");
        let mut fourth = flat.clone();
        fourth["dimension"] = json!("4d");
        let errors = [
            bench.error(super::TOOL.id, pair(json!("Interactible"), json!(0), true)),
            bench.error(super::TOOL.id, pair(json!(32), json!(0), true)),
            bench.error(super::TOOL.id, pair(json!(""), json!(0), true)),
            bench.error(super::TOOL.id, pair(json!(true), json!(0), true)),
            bench.error(super::TOOL.id, flat),
            bench.error(super::TOOL.id, fourth),
        ];
        expect![[r#"
            layer not found: Interactible; did you mean Interactable?
            32 is no layer; layers are 0 to 31
            layer not found: ; there is Default, Ground, Ignore Raycast, Interactable, TransparentFX, UI, Water
            Invalid tool arguments: layerA must be integer or string, not boolean
            file not found: ProjectSettings/Physics2DSettings.asset; project_listFiles shows what is there
            Invalid tool arguments: dimension must be "3d" or "2d""#]].assert_eq(&errors.join("\n"));
    }

    #[test]
    fn a_name_is_not_called_wrong_where_names_cannot_be_read() {
        let error = bench_on("//- ProjectSettings/TagManager.asset\nversion https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
            .error(super::TOOL.id, pair(json!("Ground"), json!(0), true));
        expect!["which layer Ground is cannot be known here; ProjectSettings/TagManager.asset cannot be read; give the layer by its number, 0 to 31"].assert_eq(&error);
    }

    #[test]
    fn a_file_without_a_whole_matrix_is_refused() {
        let file = |matrix: &str| {
            format!(
                "//- ProjectSettings/Physics2DSettings.asset\n%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!19 &1\nPhysics2DSettings:\n  m_Gravity: {{x: 0, y: -9.81}}\n{matrix}"
            )
        };
        let told = |matrix: &str| {
            let mut input = pair(json!(8), json!(8), false);
            input["dimension"] = json!("2d");
            bench_on(&file(matrix)).error(super::TOOL.id, input)
        };
        let errors = [told(""), told("  m_LayerCollisionMatrix: ffff\n"), {
            let letters = "x".repeat(256);
            told(&format!("  m_LayerCollisionMatrix: {letters}\n"))
        }];
        expect![[r#"
            ProjectSettings/Physics2DSettings.asset has no m_LayerCollisionMatrix; nothing was changed; open Physics in Unity's project settings and save the project
            ProjectSettings/Physics2DSettings.asset has a m_LayerCollisionMatrix of 4 characters, not 256 digits; nothing was changed; open Physics in Unity's project settings and save the project
            ProjectSettings/Physics2DSettings.asset has a m_LayerCollisionMatrix of 256 characters, not 256 digits; nothing was changed; open Physics in Unity's project settings and save the project"#]].assert_eq(&errors.join("\n"));
        let whole = bench_on(&file(&format!("  m_LayerCollisionMatrix: {}\n", "f".repeat(256))));
        let mut input = pair(json!(8), json!(8), false);
        input["dimension"] = json!("2d");
        whole.call(super::TOOL.id, input).unwrap();
        let text = whole.read("ProjectSettings/Physics2DSettings.asset");
        let wanted = format!("{}fffeffff{}\n", "f".repeat(64), "f".repeat(184));
        assert!(text.ends_with(&wanted), "{text}");
    }

    /// A matrix that Unity saved; read with its bytes the other way round it is not symmetric.
    #[test]
    fn rows_are_read_as_unity_has_them() {
        const BOATS: &str = "cd0cff7fc800ff7fcd0cff7fffffffffc800ff7fc800ff7fffffffffffffffffc8f0ff7fc800ff7fcd0cff7fcd0cff7fc801ff7fc801ff7fc801ff7fc801ff7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc800ff7f";
        for a in 0..32 {
            for b in 0..32 {
                // Setting both rows leaves one of the two as it is only where they agree.
                let states = [true, false].map(|on| with_pair(Some(BOATS), (a, b), on).unwrap());
                assert_eq!(states.iter().filter(|after| *after == BOATS).count(), 1, "{a} {b}");
            }
        }
    }
}
