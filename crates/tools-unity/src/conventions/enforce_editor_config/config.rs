//! What `.editorconfig` files say of a file.

use std::collections::BTreeMap;

use globset::GlobMatcher;

/// One `.editorconfig`.
pub(super) struct Config {
    /// Its folder from the project's root; empty for the root itself.
    folder: String,
    /// Files of folders above say nothing more.
    pub(super) is_root: bool,
    sections: Vec<(GlobMatcher, BTreeMap<String, String>)>,
}

impl Config {
    /// Reads a file. Lines that say nothing are passed over.
    pub(super) fn parse(folder: &str, text: &str) -> Self {
        let mut config = Self { folder: folder.to_owned(), is_root: false, sections: Vec::new() };
        let mut is_in = None;
        for line in text.trim_start_matches('\u{feff}').lines().map(str::trim) {
            if line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(pattern) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                is_in = glob(pattern).map(|glob| {
                    config.sections.push((glob, BTreeMap::new()));
                    config.sections.len() - 1
                });
                continue;
            }
            let Some((key, value)) = line.split_once('=') else { continue };
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim().to_ascii_lowercase());
            match is_in.and_then(|at: usize| config.sections.get_mut(at)) {
                Some((_, values)) => drop(values.insert(key, value)),
                None => {
                    config.is_root |= config.sections.is_empty() && key == "root" && value == "true"
                }
            }
        }
        config
    }

    /// Adds what it says of a file, over what is there.
    pub(super) fn add(&self, path: &str, values: &mut BTreeMap<String, String>) {
        let inside = match self.folder.as_str() {
            "" => Some(path),
            folder => path.strip_prefix(folder).and_then(|rest| rest.strip_prefix('/')),
        };
        let Some(inside) = inside else { return };
        for (glob, said) in &self.sections {
            if glob.is_match(inside) {
                values.extend(said.iter().map(|(key, value)| (key.clone(), value.clone())));
            }
        }
    }
}

/// A pattern without `/` is about names at any depth.
fn glob(pattern: &str) -> Option<GlobMatcher> {
    let pattern = match pattern.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if pattern.contains('/') => pattern.to_owned(),
        None => format!("**/{pattern}"),
    };
    let built = globset::GlobBuilder::new(&pattern).literal_separator(true).build();
    built.ok().map(|glob| glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_sections_win_and_folders_count() {
        let root = Config::parse(
            "",
            "root = true\n[*]\nindent_size = 2\n; x\n[*.{cs,shader}]\nIndent_Size=4\n[/Assets/*.cs]\na=b\n",
        );
        let inner = Config::parse("Assets/X", "[*.cs]\nindent_size = 8\n");
        let said = |path: &str| {
            let mut values = BTreeMap::new();
            [&root, &inner].iter().for_each(|config| config.add(path, &mut values));
            values.into_iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>()
        };
        assert!(root.is_root && !inner.is_root);
        assert_eq!(said("Assets/A.txt"), ["indent_size=2"]);
        assert_eq!(said("Assets/A.cs"), ["a=b", "indent_size=4"]);
        assert_eq!(said("Assets/X/Y/A.cs"), ["indent_size=8"]);
    }
}
