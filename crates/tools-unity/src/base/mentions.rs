//! Texts in C# that name an asset by its path or name: those that no guid keeps right.

use std::collections::HashSet;

use scenewright_contract::ToolError;
use scenewright_unity::index::AssetKind;
use schemars::JsonSchema;
use serde::Serialize;

use super::Unity;
use super::assets::{ending, stem};

/// How many places are told; the others are counted.
const MAX_TOLD: usize = 20;

/// A text in code that may mean an asset.
#[derive(Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Mention {
    /// The script.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The text.
    pub text: String,
}

/// What to look for.
#[derive(Debug, Default)]
pub struct Names {
    texts: HashSet<String>,
    folders: Vec<String>,
}

impl Names {
    /// What code calls an asset that is going to be called otherwise: its path, the name of a scene,
    /// the path in `Resources`.
    pub fn asset(&mut self, old: &str, new: Option<&str>) {
        self.texts.insert(old.to_owned());
        let mut add = |name: fn(&str) -> Option<&str>| {
            if let Some(text) = name(old).filter(|text| new.and_then(name) != Some(text)) {
                self.texts.insert(text.to_owned());
            }
        };
        add(resource);
        if ending(old) == "unity" {
            add(|path| Some(stem(path)));
            add(|path| path.strip_prefix("Assets/").and_then(|path| path.strip_suffix(".unity")));
        }
    }

    /// A folder, in which anything may be meant.
    pub fn folder(&mut self, old: &str) {
        self.texts.insert(old.to_owned());
        self.folders.push(format!("{old}/"));
    }

    fn has(&self, text: &str) -> bool {
        self.texts.contains(text) || self.folders.iter().any(|folder| text.starts_with(folder))
    }
}

/// The path that `Resources.Load` takes.
fn resource(path: &str) -> Option<&str> {
    let (_, inside) = path.rsplit_once("/Resources/")?;
    let name = inside.rsplit('/').next().unwrap_or(inside);
    let end = name.rsplit_once('.').map_or(0, |(_, ending)| ending.len() + 1);
    Some(&inside[..inside.len() - end])
}

impl Unity<'_> {
    /// The texts of the project's scripts that are one of these names, and how many there are.
    pub fn mentions(&self, names: &Names) -> Result<(Vec<Mention>, usize), ToolError> {
        let (mut told, mut count) = (Vec::new(), 0);
        for script in self.index.of_kind(AssetKind::Script) {
            let path = script.path();
            let is_own = path.starts_with("Assets/") || path.starts_with("Packages/");
            if !is_own || !path.ends_with(".cs") {
                continue;
            }
            self.cx.check_cancelled()?;
            let Ok(bytes) = script.read() else { continue };
            let source = String::from_utf8_lossy(&bytes);
            for (number, line) in source.lines().enumerate() {
                for text in literals(line).filter(|text| names.has(text)) {
                    count += 1;
                    if told.len() < MAX_TOLD {
                        let (path, text) = (path.clone(), text.to_owned());
                        told.push(Mention { path, line: number + 1, text });
                    }
                }
            }
        }
        Ok((told, count))
    }
}

/// The texts between quotes in a line of code, without what is behind `//`.
fn literals(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let start = rest.find('"')?;
        if rest[..start].contains("//") {
            return None;
        }
        let text = &rest[start + 1..];
        let mut escaped = false;
        let end = text.bytes().position(|byte| {
            let is_end = byte == b'"' && !escaped;
            escaped = byte == b'\\' && !escaped;
            is_end
        })?;
        rest = &text[end + 1..];
        Some(&text[..end])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_a_line_are_those_between_quotes() {
        let texts = |line| literals(line).collect::<Vec<_>>();
        assert_eq!(texts(r#"Load("a\"b"); var c = $"d"; // "e""#), [r#"a\"b"#, "d"]);
        assert_eq!(texts("// \"a\""), [""; 0]);
        assert_eq!(texts("\"open"), [""; 0]);
    }

    #[test]
    fn names_are_those_that_change() {
        let mut names = Names::default();
        names.asset(
            "Assets/Resources/Fx/Spark.prefab",
            Some("Assets/Other/Resources/Fx/Spark.prefab"),
        );
        names.asset("Assets/Levels/One.unity", Some("Assets/Levels/Two.unity"));
        names.folder("Assets/Art");
        let known = ["Assets/Resources/Fx/Spark.prefab", "One", "Levels/One", "Assets/Art/x.png"];
        assert!(known.iter().all(|text| names.has(text)));
        assert!(["Fx/Spark", "Two", "Assets/Arts", "Levels"].iter().all(|text| !names.has(text)));
    }
}
