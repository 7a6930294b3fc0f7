//! Shaders, read as far as materials need it: what kind they are and which uniforms they declare.

mod syntax;

use crate::CodeProblem;

/// What a `.gdshader` or `.gdshaderinc` declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shader {
    /// `canvas_item`, `spatial` and so on; nothing in an include.
    pub kind: Option<String>,
    /// The render modes.
    pub render_modes: Vec<String>,
    /// The uniforms in file order.
    pub uniforms: Vec<Uniform>,
    /// The files that it includes, as written.
    pub includes: Vec<String>,
}

/// A value that a shader takes from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// Its name.
    pub name: String,
    /// Where its value comes from.
    pub scope: UniformScope,
    /// Its type in the shader language: `vec4`, `sampler2D`.
    pub kind: String,
    /// True when there are several of them.
    pub is_array: bool,
    /// Its hints, as written: `source_color`, `hint_range(0, 1)`.
    pub hints: Vec<String>,
    /// Its value when nobody sets it, as written.
    pub default: Option<String>,
    /// The line, from 1.
    pub line: usize,
}

/// Where the value of a uniform comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UniformScope {
    /// The material.
    Material,
    /// Each node that has the material.
    Instance,
    /// The settings of the project.
    Global,
}

impl Shader {
    /// Reads what it understands; code with mistakes gives what stands before and after them.
    pub fn parse(text: &str) -> Shader {
        let mut shader = Shader::default();
        let code = without_comments(text);
        let code = take_directives(&code, &mut shader.includes);
        for (start, statement) in statements(&code) {
            let line = code[..start].matches('\n').count() + 1;
            shader.declare(statement, line);
        }
        shader
    }

    /// The first thing in a shader that Godot could not read, as far as its words tell: types and
    /// names are not looked at.
    pub fn find_problem(text: &str) -> Option<CodeProblem> {
        syntax::find_problem(text)
    }

    /// The uniform of a name.
    pub fn uniform(&self, name: &str) -> Option<&Uniform> {
        self.uniforms.iter().find(|uniform| uniform.name == name)
    }

    fn declare(&mut self, statement: &str, line: usize) {
        let (word, rest) = first_word(statement);
        match word {
            "shader_type" => self.kind = Some(rest.trim().to_owned()),
            "render_mode" => {
                self.render_modes.extend(rest.split(',').map(|mode| mode.trim().to_owned()));
            }
            "uniform" => self.uniforms.extend(uniform(UniformScope::Material, rest, line)),
            "instance" | "global" => {
                let scope = match word {
                    "instance" => UniformScope::Instance,
                    _ => UniformScope::Global,
                };
                if let ("uniform", rest) = first_word(rest) {
                    self.uniforms.extend(uniform(scope, rest, line));
                }
            }
            _ => {}
        }
    }
}

impl Uniform {
    /// True when the value is a colour for people.
    pub fn is_color(&self) -> bool {
        self.hints.iter().any(|hint| hint == "source_color")
    }

    /// The least and the greatest value that are offered.
    pub fn range(&self) -> Option<(f64, f64)> {
        let bounds = self.arguments("hint_range")?;
        let mut bounds = bounds.split(',').map(|bound| bound.trim().parse::<f64>().ok());
        Some((bounds.next()??, bounds.next()??))
    }

    /// The names of the values of a whole number, from 0.
    pub fn choices(&self) -> Vec<&str> {
        let names = self.arguments("hint_enum").map(list).unwrap_or_default();
        names.into_iter().map(|name| name.trim_matches('"')).collect()
    }

    fn arguments(&self, name: &str) -> Option<&str> {
        self.hints.iter().find_map(|hint| {
            let rest = hint.strip_prefix(name)?.trim_start();
            rest.strip_prefix('(')?.strip_suffix(')')
        })
    }
}

/// `highp vec4 name[2] : source_color = vec4(1.0)` behind the word `uniform`.
fn uniform(scope: UniformScope, text: &str, line: usize) -> Option<Uniform> {
    let (declared, default) = match split_outside(text, '=') {
        Some((declared, default)) => (declared, Some(default.trim().to_owned())),
        None => (text, None),
    };
    let (declared, hints) = split_outside(declared, ':').unwrap_or((declared, ""));
    let is_array = declared.contains('[');
    // The count stands behind the type or behind the name.
    let plain: String = match (declared.find('['), declared.find(']')) {
        (Some(open), Some(close)) if open < close => {
            [&declared[..open], " ", &declared[close + 1..]].concat()
        }
        _ => declared.to_owned(),
    };
    let mut words =
        plain.split_whitespace().filter(|word| !matches!(*word, "lowp" | "mediump" | "highp"));
    let (kind, name) = (words.next()?.to_owned(), words.next()?.to_owned());
    if words.next().is_some() {
        return None;
    }
    let hints = list(hints).into_iter().map(str::to_owned).collect();
    Some(Uniform { name, scope, kind, is_array, hints, default, line })
}

/// What stands between commas.
fn list(text: &str) -> Vec<&str> {
    let mut items = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (item, more) = split_outside(rest, ',').unwrap_or((rest, ""));
        items.push(item.trim());
        rest = more.trim();
    }
    items
}

/// Splits at the first such character that is not in brackets or a text.
fn split_outside(text: &str, at: char) -> Option<(&str, &str)> {
    let mut depth = 0_i32;
    let mut is_text = false;
    let place = text.char_indices().find(|(_, char)| {
        match char {
            '"' => is_text = !is_text,
            '(' | '[' | '{' if !is_text => depth += 1,
            ')' | ']' | '}' if !is_text => depth -= 1,
            _ => {}
        }
        *char == at && depth == 0 && !is_text
    });
    place.map(|(place, char)| (&text[..place], &text[place + char.len_utf8()..]))
}

fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    text.split_at(end)
}

/// The code with blanks for its comments; line breaks stay.
fn without_comments(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['/', '"']) {
        code.push_str(&rest[..start]);
        let found = &rest[start..];
        let (end, is_comment) = match found.as_bytes() {
            [b'/', b'/', ..] => (found.find('\n').unwrap_or(found.len()), true),
            [b'/', b'*', inner @ ..] => {
                let end = memchr::memmem::find(inner, b"*/").map(|end| end + 4);
                (end.unwrap_or(found.len()), true)
            }
            [b'"', inner @ ..] => {
                let end = memchr::memchr2(b'"', b'\n', inner).map(|end| end + 2);
                (end.unwrap_or(found.len()), false)
            }
            _ => (1, false),
        };
        match is_comment {
            true => {
                code.extend(found[..end].chars().map(|c| if c == '\n' { '\n' } else { ' ' }));
            }
            false => code.push_str(&found[..end]),
        }
        rest = &found[end..];
    }
    code.push_str(rest);
    code
}

/// Takes the lines of the preprocessor out. Both sides of a condition are read.
fn take_directives(code: &str, includes: &mut Vec<String>) -> String {
    let mut is_continued = false;
    let mut plain = String::with_capacity(code.len());
    for line in code.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#');
        if directive.is_none() && !is_continued {
            plain.push_str(line);
            continue;
        }
        is_continued = line.trim_end().ends_with('\\');
        let path = directive.and_then(|text| text.trim_start().strip_prefix("include"));
        let path = path.map(str::trim).and_then(|path| path.strip_prefix('"')?.strip_suffix('"'));
        includes.extend(path.map(str::to_owned));
        plain.push_str(if line.ends_with('\n') { "\n" } else { "" });
    }
    plain
}

/// The statements outside of all functions, each with its start. A body ends one as well.
fn statements(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let (mut start, mut depth) = (0, 0_usize);
    for (at, char) in code.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && matches!(char, ';' | '}') {
            let statement = &code[start..at];
            let blank = statement.len() - statement.trim_start().len();
            found.push((start + blank, statement.trim()));
            start = at + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn reads_uniforms() {
        let shader = Shader::parse(
            r#"shader_type canvas_item; // uniform float no;
render_mode unshaded, blend_mix;
#include "res://lib.gdshaderinc"
#define LONG uniform float \
	also_no;
/* uniform float
 nor_this; */
uniform vec4 tint : source_color = vec4(1.0, 0.5, 0.0, 1.0);
uniform highp float strength
	: hint_range(0.0, 1.0, 0.05) = 0.5;
group_uniforms more.inner;
uniform sampler2D noise : filter_nearest, repeat_enable;
uniform int mode : hint_enum("Off", "On, really") = 1;
uniform float weights[4];
uniform vec2[2] points;
instance uniform vec3 offset : instance_index(2);
global uniform mat4 wind;
const float A = 1.0;
void fragment() { float uniform_no = 1.0; { } }
uniform bool last;
"#,
        );
        let shown: String = shader
            .uniforms
            .iter()
            .map(|found| {
                let Uniform { name, scope, kind, is_array, hints, default, line } = found;
                let array = if *is_array { "[]" } else { "" };
                format!("{line} {scope:?} {kind}{array} {name} {hints:?} {default:?}\n")
            })
            .collect();
        expect![[r#"
            8 Material vec4 tint ["source_color"] Some("vec4(1.0, 0.5, 0.0, 1.0)")
            9 Material float strength ["hint_range(0.0, 1.0, 0.05)"] Some("0.5")
            12 Material sampler2D noise ["filter_nearest", "repeat_enable"] None
            13 Material int mode ["hint_enum(\"Off\", \"On, really\")"] Some("1")
            14 Material float[] weights [] None
            15 Material vec2[] points [] None
            16 Instance vec3 offset ["instance_index(2)"] None
            17 Global mat4 wind [] None
            20 Material bool last [] None
        "#]]
        .assert_eq(&shown);
        assert_eq!(shader.kind.as_deref(), Some("canvas_item"));
        assert_eq!(shader.render_modes, ["unshaded", "blend_mix"]);
        assert_eq!(shader.includes, ["res://lib.gdshaderinc"]);
        assert!(shader.uniforms[0].is_color());
        assert_eq!(shader.uniforms[1].range(), Some((0.0, 1.0)));
        assert_eq!(shader.uniforms[3].choices(), ["Off", "On, really"]);
    }

    #[test]
    fn any_cut_reads() {
        let text = "shader_type é; /* é */ uniform vec4 é[ : hint_range(é = \"é\n#include \"é\\\n}";
        for (at, _) in text.char_indices() {
            Shader::parse(&text[..at]);
            Shader::parse(&text[at..]);
        }
    }
}
